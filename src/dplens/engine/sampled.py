"""The loss of a Poisson-sampled Gaussian step, by a quadrature with a proved error.

x is standard normal under H0 and L(x) = log(1 − q + q·e^{mu·x − mu²/2}). M(s) = E e^{s·L} is formed as
1 + Σ w·[expm1(s·L) − s·expm1(L)], exact since E e^L = 1, and without the cancellation of terms of size q to size q².
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dplens.engine.laws import UNIT, Complexes, Floats, LossLaw, log1p

_DEPTH = 46.0  # −log of the quadrature's error and of what is cut off at its ends
_BLOCK = 400  # points of a line worked on at once
_CELL, _CELLS = 0.18, 20  # width of the cells that bound the decay, and how many
_CHUNK = 16  # nodes summed before the sums are
_REACH = 9.7  # standard deviations beyond every peak; e^{−_REACH²/2} < e^{−_DEPTH}


@dataclass(frozen=True)
class SampledGaussianLoss(LossLaw):
    """One step of noise multiplier 1/mu in which each record takes part with probability ``rate``."""

    mu: float
    rate: float

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return math.log1p(-self.rate) if self.rate < 1 else -math.inf, math.inf

    def cost(self, c: float, t: float) -> float:
        return (2 * _REACH + self.mu * abs(c)) / self._spacing(c, t) / 5  # most come from products, see _turned

    def loss(self, x: Floats) -> Floats:
        """L(x), with relative accuracy near 0 and without overflow."""
        u = self.mu * x - self.mu**2 / 2
        near = np.log1p(self.rate * np.expm1(np.minimum(u, 30.0)))
        return np.where(u > 30, u + np.log(self.rate + (1 - self.rate) * np.exp(-np.maximum(u, 30.0))), near)

    def _spacing(self, c: float, t: float) -> float:
        """Node spacing for which the trapezoidal rule errs by less than e^{−_DEPTH}·M(c) at c ± it.

        In the strip |Im x| ≤ y < π/mu the integrand is analytic; on its edge |e^{s·L}| grows by at most e^{|t|·mu·y}
        and, for c < 0, by cos(mu·y/2)^c, the Gaussian weight by e^{y²/2}; the error is at most
        2·M(c)·e^{y²/2 + |t|·mu·y}·cos(mu·y/2)^{min(c, 0)}/(e^{2π·y/spacing} − 1)
        (Trefethen & Weideman 2014, Theorem 5.1).
        """
        y = min(0.8 * math.pi / self.mu, math.sqrt(2 * _DEPTH))
        excess = y * y / 2 + t * self.mu * y + max(-c, 0.0) * -math.log(math.cos(self.mu * y / 2))
        return 2 * math.pi * y / (_DEPTH + 2 + excess)

    def nodes(self, c: float, spacing: float) -> Floats:
        """Nodes between points where the integrand is e^{−_DEPTH} of its peak and falls ever faster."""
        return _grid(*self._ends(c), spacing)

    def _ends(self, c: float) -> tuple[float, float]:
        low = -_REACH
        if c < 0:  # the peak lies where x = c·L'(x) < 0
            while low > -1e4 and -low + c * self.mu * self.share(low) < _REACH:
                low -= 1.0
        return low, self.mu * max(c, 1.0) + _REACH

    def share(self, x: float) -> float:
        """L'(x)/mu: the posterior chance that the record took part."""
        u = self.mu * x - self.mu**2 / 2
        return self.rate / (self.rate + (1 - self.rate) * math.exp(min(-u, 700.0)))

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        out, error = np.empty(t.shape, dtype=complex), np.empty(t.shape)
        # large t need more nodes than small ones
        band = np.floor(np.log10(np.maximum(t, 60.0) / 60.0)).astype(int)
        edges = [0, *(np.flatnonzero(np.diff(band)) + 1), len(t)]
        for start, end in itertools.pairwise(edges):
            for i in range(start, end, _BLOCK):
                part = slice(i, min(i + _BLOCK, end))
                out[part], error[part] = self._block(c, t[part])
        return out, error

    def _block(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        line = _tilted(self, c, self._spacing(c, float(t[-1])))
        turned = _turned(line.loss, line.tilted, t)
        re, im = line.gap + turned.real, turned.imag - t * line.drift
        k = log1p(re, im) if line.top == 0 else np.asarray(np.log(line.one + re + 1j * im) + line.top, dtype=complex)
        # complex products of _CHUNK terms, then pairwise sums of the chunks: eight at a time within blocks of 128
        units = 2 * _CHUNK + min(len(line.loss) / _CHUNK, 128) / 8 + 20
        error = units * UNIT * (line.rounding + t * line.phase) + 4 * math.exp(-_DEPTH) * line.mass
        with np.errstate(divide="ignore"):
            return k, error / np.hypot(line.one + re, im)

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        first, last = float(c.min()), float(c.max())
        spacing = self._spacing(first, 0.0)
        x = _grid(self._ends(first)[0], self._ends(last)[1], spacing)
        loss = self.loss(x)
        log_weight = -x * x / 2 + math.log(spacing / math.sqrt(2 * math.pi))
        exponent = np.multiply.outer(c, loss)
        top = np.max(exponent + log_weight, axis=1)
        if float(np.max(np.abs(exponent[:, -1]))) < 600 and float(top.max()) < 20:
            # M − 1 by terms that do not cancel
            weight = np.exp(log_weight)
            gaps = np.expm1(exponent) * weight
            drift = weight * np.expm1(loss)
            tilted = gaps + weight
            k = np.log1p(np.sum(gaps - np.multiply.outer(c, drift), axis=1))
        else:
            tilted = np.exp(exponent + log_weight - top[:, None])
            k = top + np.log(tilted.sum(axis=1))
        mass = tilted.sum(axis=1)
        mean = np.sum(tilted * loss, axis=1) / mass
        gaps = loss - mean[:, None]
        return k, mean, np.sum(tilted * gaps * gaps, axis=1) / mass

    def envelope(self, c: float, t: Floats) -> Floats:
        start, bound = _decay(self, c)
        index = np.searchsorted(start, t, side="right") - 1
        return np.where(index < 0, 1.0, bound[np.maximum(index, 0)])


def _grid(low: float, high: float, spacing: float) -> Floats:
    return np.arange(math.floor(low / spacing), math.ceil(high / spacing) + 1, dtype=float) * spacing


class _Line(NamedTuple):
    """A quadrature on Re s = c, everything scaled by e^{−top}; top is 0 unless the moments are large."""

    top: float
    loss: Floats
    tilted: Floats  # weights·e^{c·loss − top}
    one: float  # e^{−top}
    gap: float  # M(c) − 1
    drift: float  # Σ weights·expm1(loss): nothing but the error of the quadrature, taken off again
    mass: float  # M(c)
    rounding: float  # Σ of the sizes of the terms of the gap
    phase: float  # Σ of the sizes of the terms that t multiplies


@lru_cache(maxsize=64)
def _tilted(law: SampledGaussianLoss, c: float, spacing: float) -> _Line:
    x = law.nodes(c, spacing)
    loss = law.loss(x)
    log_weight = -x * x / 2 + math.log(spacing / math.sqrt(2 * math.pi))
    exponent = c * loss + log_weight
    top = float(exponent.max())
    if top < 20:
        weight, tilted = np.exp(log_weight), np.exp(exponent)
        # weight·expm1(…), without overflow where the weight is next to nothing
        first = np.where(c * loss > 30, tilted - weight, weight * np.expm1(np.minimum(c * loss, 30.0)))
        second = np.where(loss > 30, np.exp(log_weight + loss), weight * np.expm1(np.minimum(loss, 30.0)))
        gap, drift = float(np.sum(first - c * second)), float(np.sum(second))
        sizes = float(np.sum(np.abs(first))) + abs(c) * float(np.sum(np.abs(second)))
        phase = float(np.sum(tilted * np.abs(loss) + np.abs(second)))
        return _Line(0.0, loss, tilted, 1.0, gap, drift, 1 + gap, sizes, phase)
    keep = exponent > top - _DEPTH - 10
    loss, tilted = loss[keep], np.exp(exponent[keep] - top)
    mass, one = float(np.sum(tilted)), math.exp(-top)
    return _Line(
        top, loss, tilted, one, mass - one, 0.0, mass, mass * (1 + abs(c)), float(np.sum(tilted * np.abs(loss)))
    )


def _turned(loss: Floats, weight: Floats, t: Floats) -> Complexes:
    """Σ weight·(e^{i·t·loss} − 1) for equally spaced t.

    t = a + b with a from a coarse and b from a fine row, and e^{i(a + b)l} − 1 = A·B + A + B with A = e^{ial} − 1,
    B = e^{ibl} − 1: some matrix products instead of a table of sines.
    """
    fine = max(1, round(math.sqrt(len(t))))
    rows = -(-len(t) // fine)
    step = (t[-1] - t[0]) / max(len(t) - 1, 1)
    pad = -len(loss) % _CHUNK
    loss, weight = (np.pad(x, (0, pad)).reshape(-1, 1, _CHUNK) for x in (loss, weight))
    a = _minus_one((t[0] + step * fine * np.arange(rows))[:, None] * loss) * weight
    b = _minus_one((step * np.arange(fine))[:, None] * loss)
    parts = a @ b.transpose(0, 2, 1)
    parts += a.sum(axis=2)[:, :, None] + (b * weight).sum(axis=2)[:, None, :]
    # along the last axis sums are taken pairwise
    return np.ascontiguousarray(parts.transpose(1, 2, 0)).sum(axis=2).ravel()[: len(t)]


def _minus_one(angle: Floats) -> Complexes:
    """e^{i·angle} − 1."""
    half = np.sin(angle / 2)
    out = np.empty(angle.shape, dtype=complex)
    out.real = -2 * half * half
    out.imag = np.sin(angle)
    return out


@lru_cache(maxsize=64)
def _decay(law: SampledGaussianLoss, c: float) -> tuple[Floats, Floats]:
    """Where stretches of t start, and a bound on |phi(u)| for all u from there on, phi the tilted law's.

    Two bounds. 1 − |phi(t)|² = E[1 − cos(t·D)], D the difference of two independent losses: outcomes are put into
    cells, their masses and 1 − cos of what lies between two cells are rounded down. And |phi(t)| ≤ V/t, V the
    total variation of the density of the loss.
    """
    k = float(law.axis(np.array([c]))[0][0])
    variation = _variation(law, c, k)
    mass, low, high = _cells(law, c, k)
    first, second = np.triu_indices(len(mass), 1)
    weight = 2 * mass[first] * mass[second]
    near, far = np.maximum(low[second] - high[first], 0.0), high[second] - low[first]
    bottom, top = min(1e-2 / law.mu, variation / 4), 4 * variation
    t = np.geomspace(bottom, top, max(8, math.ceil(math.log(top / bottom) / math.log(1.2))))
    ends = np.append(t[1:], t[-1])
    from_low, from_high = np.multiply.outer(t, near), np.multiply.outer(ends, far)
    gap = np.minimum(1 - np.cos(from_low), 1 - np.cos(from_high))
    caught = np.sum(np.where(from_high < 2 * math.pi, gap, 0.0) * weight, axis=1)
    bound = np.minimum(np.sqrt(np.maximum(1 - caught * (1 - 1e-9), 0.0)), variation / t)
    bound[-1] = variation / t[-1]
    return t, np.minimum(np.maximum.accumulate(bound[::-1])[::-1] * (1 + 1e-12), 1.0)


def _log_density(law: SampledGaussianLoss, c: float, k: float, x: Floats) -> Floats:
    """log of the tilted density of x; k = K(c)."""
    return c * law.loss(x) - x * x / 2 - 0.5 * math.log(2 * math.pi) - k


def _cells(law: SampledGaussianLoss, c: float, k: float) -> tuple[Floats, Floats, Floats]:
    """Mass (from below), least and largest loss of cells that hold nearly everything.

    The second derivative of the log-density is between −1 − |c|·mu²/4 and |c|·mu²/4, so within a cell the density is
    not much below the smaller of its values at the ends.
    """
    x = law.nodes(c, _CELL)
    density = np.exp(_log_density(law, c, k, x))
    dip = math.exp(-(1 + abs(c) * law.mu**2 / 4) * _CELL**2 / 8)
    mass = _CELL * np.minimum(density[1:], density[:-1]) * dip
    keep = np.sort(np.argsort(mass)[-_CELLS:])  # any cells give a bound, and the heaviest a good one
    loss = law.loss(x)
    return mass[keep], loss[:-1][keep], loss[1:][keep]


def _variation(law: SampledGaussianLoss, c: float, k: float) -> float:
    """Bound on the total variation of the density of the loss, g = density(x)/L'(x).

    The derivative of log g is −x − mu + (c + 1)·L'(x), of size at most |x| + mu·(|c| + 2); it has at most three
    zeros, so at most three cells hold an extremum that the nodes do not show.
    """
    x = law.nodes(c, 0.05)
    slope = law.mu * law.rate / (law.rate + (1 - law.rate) * np.exp(np.minimum(law.mu**2 / 2 - law.mu * x, 700.0)))
    with np.errstate(over="ignore", divide="ignore"):
        g = np.exp(np.minimum(_log_density(law, c, k, x) - np.log(slope), 600.0))
        hidden = float(np.max(g * np.expm1(np.minimum(0.025 * (np.abs(x) + law.mu * (abs(c) + 2)), 50.0))))
    return float(np.sum(np.abs(np.diff(g)))) + g[0] + g[-1] + 6 * hidden
