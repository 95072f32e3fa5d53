"""The loss of a Poisson-sampled Gaussian step, by a quadrature with a proved error.

x is standard normal under H0 and L(x) = log(1 − q + q·e^{mu·x − mu²/2}). M(s) = E e^{s·L} is formed as
1 + Σ w·[expm1(s·L) − s·expm1(L)], exact since E e^L = 1, and without the cancellation of terms of size q to size q².
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dplens.engine.decay import Cells, at, decay
from dplens.engine.laws import Floats
from dplens.engine.nodes import DEPTH, REACH, NodeLaw, NodeLine

FINE = 0.05  # distance of the points, in standard deviations of the noise, from which decay is bounded
_ROOT = 0.5 * math.log(2 * math.pi)
_EACH = 4  # of them in a cell


@dataclass(frozen=True)
class SampledGaussianLoss(NodeLaw):
    """One step of noise multiplier 1/mu in which each record takes part with probability ``rate``."""

    mu: float
    rate: float

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return math.log1p(-self.rate) if self.rate < 1 else -math.inf, math.inf

    def cost(self, c: float, t: float) -> float:
        return (2 * REACH + self.mu * abs(c)) / self._spacing(c, t) / 5  # most come from products, see _turned

    def loss(self, x: Floats) -> Floats:
        """L(x), with relative accuracy near 0 and without overflow."""
        u = self.mu * x - self.mu**2 / 2
        near = np.log1p(self.rate * np.expm1(np.minimum(u, 30.0)))
        return np.where(u > 30, u + np.log(self.rate + (1 - self.rate) * np.exp(-np.maximum(u, 30.0))), near)

    def _spacing(self, c: float, t: float) -> float:
        """Node spacing for which the trapezoidal rule errs by less than e^{−DEPTH}·M(c) at c ± it.

        In the strip |Im x| ≤ y < π/mu the integrand is analytic; on its edge |e^{s·L}| grows by at most e^{|t|·mu·y}
        and, for c < 0, by cos(mu·y/2)^c, the Gaussian weight by e^{y²/2}; the error is at most
        2·M(c)·e^{y²/2 + |t|·mu·y}·cos(mu·y/2)^{min(c, 0)}/(e^{2π·y/spacing} − 1)
        (Trefethen & Weideman 2014, Theorem 5.1).
        """
        y = min(0.8 * math.pi / self.mu, math.sqrt(2 * DEPTH))
        excess = y * y / 2 + t * self.mu * y + max(-c, 0.0) * -math.log(math.cos(self.mu * y / 2))
        return 2 * math.pi * y / (DEPTH + 2 + excess)

    def nodes(self, c: float, spacing: float) -> Floats:
        """Nodes between points where the integrand is e^{−DEPTH} of its peak and falls ever faster."""
        return _grid(*self._ends(c), spacing)

    def _ends(self, c: float) -> tuple[float, float]:
        low = -REACH
        if c < 0:  # the peak lies where x = c·L'(x) < 0
            while low > -1e4 and -low + c * self.mu * self.share(low) < REACH:
                low -= 1.0
        return low, self.mu * max(c, 1.0) + REACH

    def share(self, x: float) -> float:
        """L'(x)/mu: the posterior chance that the record took part."""
        u = self.mu * x - self.mu**2 / 2
        return self.rate / (self.rate + (1 - self.rate) * math.exp(min(-u, 700.0)))

    def line(self, c: float, t: float) -> NodeLine:
        return _tilted(self, c, self._spacing(c, t))

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
        return at(*_decay(self, c, float(t[0])), t)


def _grid(low: float, high: float, spacing: float) -> Floats:
    return np.arange(math.floor(low / spacing), math.ceil(high / spacing) + 1, dtype=float) * spacing


@lru_cache(maxsize=64)
def _tilted(law: SampledGaussianLoss, c: float, spacing: float) -> NodeLine:
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
        return NodeLine(0.0, loss, tilted, 1.0, gap, drift, 1 + gap, sizes, phase)
    keep = exponent > top - DEPTH - 10
    loss, tilted = loss[keep], np.exp(exponent[keep] - top)
    mass, one = float(np.sum(tilted)), math.exp(-top)
    return NodeLine(
        top, loss, tilted, one, mass - one, 0.0, mass, mass * (1 + abs(c)), float(np.sum(tilted * np.abs(loss)))
    )


def _decay(law: SampledGaussianLoss, c: float, least: float) -> tuple[Floats, Floats]:
    shape = TiltedShape.of(law, c, law.nodes(c, FINE))
    # the points are close enough to sum over, unless there is next to no noise
    k = shape.k if law._spacing(c, 0.0) > FINE else float(law.axis(np.array([c]))[0][0])
    return decay(shape.cells(k), shape.variation(k), 0.0, least)


class TiltedShape(NamedTuple):
    """The density of x under the tilt c at points FINE apart, divided by its largest value e^top/√2π·e^{−K(c)}."""

    law: SampledGaussianLoss
    c: float
    x: Floats
    loss: Floats
    density: Floats
    top: float

    @classmethod
    def of(cls, law: SampledGaussianLoss, c: float, x: Floats) -> TiltedShape:
        loss = law.loss(x)
        log_density = c * loss - x * x / 2
        top = float(log_density.max())
        return cls(law, c, x, loss, np.exp(log_density - top), top)

    @property
    def k(self) -> float:
        """K(c), if the points go from end to end."""
        return self.top + math.log(FINE * float(np.sum(self.density))) - _ROOT

    def _largest(self, k: float) -> float:
        return math.exp(self.top - _ROOT - k)

    def cells(self, k: float) -> Cells:
        """Cells of several points each; k = K(c).

        The second derivative of the log-density is between −1 − |c|·mu²/4 and |c|·mu²/4, so within a cell the density
        is not much below the smaller of its values at the ends.
        """
        density, loss, width = self.density[::_EACH], self.loss[::_EACH], FINE * _EACH
        dip = math.exp(-(1 + abs(self.c) * self.law.mu**2 / 4) * width**2 / 8)
        mass = width * dip * self._largest(k) * np.minimum(density[1:], density[:-1])
        return Cells(mass, loss[:-1], loss[1:])

    def variation(self, k: float) -> float:
        """Bound on the total variation of the density of the loss, g = density(x)/L'(x); k = K(c).

        The derivative of log g is −x − mu + (c + 1)·L'(x), of size at most |x| + mu·(|c| + 2); it has at most three
        zeros, so at most three cells hold an extremum that the points do not show.
        """
        mu, rate = self.law.mu, self.law.rate
        with np.errstate(over="ignore"):
            g = np.minimum(self.density * (rate + (1 - rate) * np.exp(mu * (mu / 2 - self.x))) / (mu * rate), 1e260)
        hidden = float(np.max(g * np.expm1(np.minimum(FINE / 2 * (np.abs(self.x) + mu * (abs(self.c) + 2)), 50.0))))
        return self._largest(k) * (float(np.sum(np.abs(np.diff(g)))) + g[0] + g[-1] + 6 * hidden)
