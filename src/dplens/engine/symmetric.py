"""The loss of a Gaussian step on records sampled without replacement, made symmetric.

rate·f + (1 − rate)·Id, f the Gaussian curve, is the curve of the Poisson-sampled step; call its losses L. Its hull with
its mirror image follows it where L > 0, the mirror image where L < 0, and has slope 1 between. For at
e^epsilon = 1 + rate·z, z ≥ 0, the profiles of the two are rate·D(1 + z) and rate·w·D((1 + rate·z)/w) with
w = 1 − z·(1 − rate), D the profile of f by e^epsilon: the second has the smaller factor and the larger argument.

So M(s) = ∫_{L > 0} (e^{s·L} + e^{(1 − s)·L}) dP + (mass of loss 0), and
M(s) − 1 = −∫_{L > 0} expm1(s·L)·expm1((1 − s)·L) dP.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import erf

from dplens._numerics.sharing import Shared, cached_property
from dplens.engine.decay import at, decay
from dplens.engine.laws import Complexes, Floats, LossLaw, log1p
from dplens.engine.nodes import DEPTH, REACH, NodeLaw, NodeLine, legendre, until_damped
from dplens.engine.sampled import FINE, SampledGaussianLoss, TiltedShape

_POINTS = 24  # of Gauss and Legendre in every panel
_HEIGHT = 1.0  # standard deviations of the noise: paths further up lose digits
_SOONER = 2.0  # times fewer nodes for which a path above the real axis is taken


@dataclass(frozen=True)
class SymmetricSampleLoss(Shared, NodeLaw):
    """One step of noise multiplier 1/mu on a share ``rate`` of the records, both directions at once."""

    mu: float
    rate: float

    @property
    def tail_mu(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.mu

    @cached_property
    def forward(self) -> SampledGaussianLoss:
        """The Poisson-sampled step, whose positive losses these are."""
        return SampledGaussianLoss(self.mu, self.rate)

    @property
    def still(self) -> float:
        """Mass of loss 0, in both worlds: what neither L > 0 nor its mirror image takes."""
        return (1 - self.rate) * float(erf(self.mu / math.sqrt(8)))

    def reversed(self) -> LossLaw:
        return self

    def cost(self, c: float, t: float) -> float:
        return 2 * self._count(c, t) / 5

    def _count(self, c: float, t: float) -> float:
        """How many nodes serve, on either path."""
        real = (REACH + self.mu * self._steep(c)) / self._panel(c, t)
        return _POINTS * min(real, _SOONER * self._raised_panels(c, t))

    def _raised_panels(self, c: float, t: float) -> float:
        widest, height, slope, first = self._path(c, t)
        return math.log2(max(slope / first, 2.0)) + (REACH + self.mu * self._steep(c)) / min(widest, height)

    @staticmethod
    def _steep(c: float) -> float:
        return max(c, 1 - c, 1.0)

    def _panel(self, c: float, t: float) -> float:
        """Width of panels in which Gauss–Legendre quadrature errs by less than e^{−DEPTH} of the largest term.

        On an ellipse around a panel of width w, with semi-axes w/4·(r ± 1/r), the smaller y and the larger reaching x
        beyond the panel, the integrand grows by at most e^{y²/2 + t·mu·y}·cos(mu·y/2)^{−|1 − c|}, and by
        e^{(2·steep·mu + REACH)·x} beyond its ends. The error is at most 64/15·w/2·r^{−2n}/(1 − r^{−2}) times that
        (Trefethen 2008, Theorem 4.5); 4 more in the exponent cover the constants and the ends against the middle.
        """
        steep = self._steep(c)
        width = 1.0
        while True:
            for r in (2.5, 4.0, 6.0, 9.0):
                y, x = width / 4 * (r - 1 / r), width / 4 * (r + 1 / r) - width / 2
                if self.mu * y > 2.4:
                    continue
                growth = y * y / 2 + t * self.mu * y - abs(1 - c) * math.log(math.cos(self.mu * y / 2))
                growth += (2 * steep * self.mu + REACH) * x
                if 2 * _POINTS * math.log(r) > DEPTH + 4 + growth:
                    return width
            width *= 0.8

    def _nodes(self, c: float, t: float) -> tuple[Floats, Floats]:
        """Points with L ≥ 0 and the logarithms of their weights under H0."""
        low, high = self.mu / 2, self.mu / 2 + REACH + self.mu * self._steep(c)
        count = math.ceil((high - low) / self._panel(c, t))
        edges = np.linspace(low, high, count + 1)
        half = (edges[1] - edges[0]) / 2
        points, weights = legendre(_POINTS)
        x = ((edges[:-1] + half)[:, None] + half * points).ravel()
        return x, np.tile(np.log(half * weights), count) - x * x / 2 - 0.5 * math.log(2 * math.pi)

    def _edges(self, c: float, t: float) -> tuple[Floats, Floats, float]:
        """Panels of a path that leaves L = 0 at half a right angle and then runs level: their ends on either part.

        Also its height. On the slope panels double, from one so short that t·L is below 1. Ellipses with r = 4 (see
        ``_panel``) around them, and around level panels no wider than the path is high, lie above the real axis, where
        |e^{s·L}| ≤ |e^{c·L}|. There the integrand grows by at most e^{9.3} upwards, cos(mu·y)^{−|1 − c|} at heights y
        below twice the path's, and by e^{0.57·width·(2·steep·mu + REACH)} to the side: 66.5 = 48·log 4 is more than
        these and DEPTH + 4.
        """
        widest, height, slope, first = self._path(c, t)
        doublings = max(1, math.ceil(math.log2(slope / first)))
        slant = np.append(0.0, slope * 2.0 ** np.arange(-doublings, 1))
        start, end = self.mu / 2 + height, self.mu / 2 + REACH + self.mu * self._steep(c)
        level = np.linspace(start, end, math.ceil((end - start) / min(widest, height)) + 1)
        return slant, level, height

    def _path(self, c: float, t: float) -> tuple[float, float, float, float]:
        """The widest panel, the height of the path, how long its slope is, and the first panel there."""
        steep = self._steep(c)
        widest = 11.5 / (2 * steep * self.mu + REACH)
        height = min(_HEIGHT, 0.45 * math.pi / self.mu, math.sqrt(16 / steep) / self.mu, math.sqrt(2) * widest)
        return widest, height, math.sqrt(2) * height, min(0.25 / self.mu, 1 / (max(t, 1.0) * self.rate * self.mu))

    def _raised_nodes(self, c: float, t: float) -> tuple[Complexes, Complexes]:
        """Points of that path and the logarithms of their weights under H0."""
        slant, level, height = self._edges(c, t)
        points, weights = legendre(_POINTS)
        turn = cmath.exp(0.25j * math.pi)
        parts = []
        for edges, origin, direction in ((slant, self.mu / 2, turn), (level, 1j * height, 1.0)):
            half = np.diff(edges)[:, None] / 2
            along = ((edges[:-1, None] + half) + half * points).ravel()
            parts.append((origin + direction * along, np.log((half * weights).ravel() * direction + 0j)))
        x, log_weight = (np.concatenate(pair).astype(np.complex128) for pair in zip(*parts))
        return x, (log_weight - x * x / 2 - 0.5 * math.log(2 * math.pi)).astype(np.complex128)

    def line(self, c: float, t: float) -> NodeLine:
        real = (REACH + self.mu * self._steep(c)) / self._panel(c, t)
        return self.raised(c, t) if _SOONER * self._raised_panels(c, t) < real else _line(self, c, t)

    def raised(self, c: float, t: float) -> NodeLine:
        return _raised(self, c, 4.0 ** math.ceil(math.log(max(t, 1.0), 4)))

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        far = float(c[np.argmax(np.abs(c - 0.5))])
        x, log_weight = self._nodes(far, 0.0)
        loss = self.forward.loss(x)
        up, down = (np.multiply.outer(s, loss) for s in (c, 1 - c))
        top = np.max(np.maximum(up, down) + log_weight, axis=1)
        large = top > 20
        top = np.where(large, top, 0.0)
        rises, falls = (np.exp(part + log_weight - top[:, None]) for part in (up, down))
        mass = rises.sum(axis=1) + falls.sum(axis=1) + self.still * np.exp(-top)
        mean = np.sum((rises - falls) * loss, axis=1) / mass
        square = np.sum((rises + falls) * loss * loss, axis=1) / mass
        k = top + np.log(mass)
        near = np.flatnonzero(~large)  # M − 1 by terms that do not cancel
        k[near] = np.log1p(-np.sum(_products(log_weight, up[near], down[near]), axis=1))
        return k, mean, np.maximum(square - mean * mean, 0.0)

    def envelope(self, c: float, t: Floats) -> Floats:
        return at(*_decay(self, c, float(t[0])), t)


def _products(log_weight: Floats, up: Floats, down: Floats) -> Floats:
    """weight·expm1(up)·expm1(down), without overflow where the weight is next to nothing."""
    large, small, weight = np.maximum(up, down), np.minimum(up, down), np.exp(log_weight)
    first = np.where(large > 30, np.exp(large + log_weight) - weight, weight * np.expm1(np.minimum(large, 30.0)))
    return first * np.expm1(small)


@lru_cache(maxsize=64)
def _line(law: SymmetricSampleLoss, c: float, t: float) -> NodeLine:
    x, log_weight = law._nodes(c, t)
    loss = law.forward.loss(x)
    up, down = c * loss + log_weight, (1 - c) * loss + log_weight
    top = max(float(up.max()), float(down.max()))
    top = 0.0 if top < 20 else top
    tilted, both = np.exp(np.concatenate([up, down]) - top), np.concatenate([loss, -loss])
    phase = float(np.sum(tilted * np.abs(both)))
    # the parts of exponents, and of the losses themselves, whose rounding moves the terms
    shaky = np.abs(loss) + 0.5 * law.forward.shares(x) * law.mu * (np.abs(x) + law.mu / 2)
    parts = np.tile(law._steep(c) * shaky + np.abs(log_weight), 2)
    sway = float(tilted @ (np.tile(shaky, 2) + np.abs(both) * parts))
    if top == 0:
        terms = -_products(log_weight, c * loss, (1 - c) * loss)
        gap, rounding = float(np.sum(terms)), float(np.sum(np.abs(terms)))
        # a product moves by at most (|c|·e^up + |1 − c|·e^down + both·e^L)·weight as the loss does
        wobble = float(np.abs(log_weight) @ np.abs(terms))
        wobble += law._steep(c) * float(shaky @ (np.exp(up) + np.exp(down) + np.exp(log_weight + loss)))
        return NodeLine(0.0, both, tilted, 1.0, gap, 0.0, 1 + gap, rounding, phase, wobble, sway)
    one = math.exp(-top)
    mass = float(np.sum(tilted)) + law.still * one
    wobble = float(tilted @ parts)
    return NodeLine(top, both, tilted, one, mass - one, 0.0, mass, mass * (1 + abs(c)), phase, wobble, sway)


@lru_cache(maxsize=64)
def _raised(law: SymmetricSampleLoss, c: float, t: float) -> NodeLine:
    """Nodes above the axis for L, those of −L their mirror images: e^{(1 − s)·L} on the path below is e^{−s·L̄}·e^L̄."""
    x, log_weight = law._raised_nodes(c, t)
    near = law.rate * np.expm1(law.mu * (x - law.mu / 2))
    loss = log1p(near.real, near.imag)
    known = _line(law, c, 0.0)
    up, down = c * loss + log_weight, np.conj((1 - c) * loss + log_weight)
    tilted = np.append(np.exp(np.concatenate([up, down]) - known.top), law.still * math.exp(-known.top))
    both = np.append(np.concatenate([loss, -np.conj(loss)]), 0.0).astype(np.complex128)
    size, far = np.abs(tilted), np.abs(both)
    shaky = np.append(np.tile(far[: len(loss)] + law.mu * (np.abs(x) + law.mu / 2) * np.abs(near / (1 + near)), 2), 0.0)
    parts = law._steep(c) * shaky + np.append(np.tile(np.abs(log_weight) + law._steep(c) * far[: len(loss)], 2), 0.0)
    damped = until_damped(both), size * far, size * (shaky + far * parts)
    return known._replace(loss=both, tilted=tilted, phase=0.0, sway=0.0, damped=damped)


def _decay(law: SymmetricSampleLoss, c: float, least: float) -> tuple[Floats, Floats]:
    """Of both signs and the still one."""
    k = float(law.axis(np.array([c]))[0][0])
    start, end = law.mu / 2, law.mu / 2 + REACH + law.mu * law._steep(c)
    x = np.arange(start, end + FINE, FINE, dtype=float)
    up, down = (TiltedShape.of(law.forward, tilt, x).cells(k) for tilt in (c, 1 - c))
    return decay([up, down.mirrored()], [(0.0, law.still * math.exp(-k))], least)
