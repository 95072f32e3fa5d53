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
from scipy.special import log_ndtr

from dplens.curves.sampled_normal import thinned
from dplens.engine.decay import Cells, at, cells_between, decay
from dplens.engine.laws import Floats, log1p
from dplens.engine.nodes import (
    DEPTH,
    REACH,
    NodeLaw,
    NodeLine,
    Weights,
    fourth_of_difference,
    raised_line,
    tilted_axis,
    tilted_line,
)
from dplens.errors import Undefined

FINE = 0.05  # distance of the points, in standard deviations of the noise, from which decay is bounded
_ROOT = 0.5 * math.log(2 * math.pi)
_HEIGHT = 1.0  # standard deviations of the noise: paths further up lose digits
_SOONER = 2.0  # times fewer nodes for which a path above the real axis is taken
_CELL = 0.1
_HIGH, _HEIGHTS = 4.0, np.array([1, 2, 4, 8, 12, 16]) / 16  # how far up a line of integration is moved
_BITS, _SHORT = 52, 16  # binary digits of a number, and of the distance between nodes
_NODES = 20_000_000  # of one line
_FAR = 3000.0  # standard deviations beyond which nothing is looked at closer


@dataclass(frozen=True)
class SampledGaussianLoss(NodeLaw):
    """One step of noise multiplier 1/mu in which each record takes part with probability ``rate``."""

    mu: float
    rate: float

    @property
    def tail_mu(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.mu

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return math.log1p(-self.rate) if self.rate < 1 else -math.inf, math.inf

    def cost(self, c: float, t: float) -> float:
        low, high = self._ends(c) if c < 0 else (-REACH, self.mu * c + REACH)
        spacing = self._raised_spacing(c) if self._is_raised(c, t) else self._spacing(c, t)
        return (high - low) / max(spacing, 1e-300) / 5  # most come from products, see turned

    def loss(self, x: Floats) -> Floats:
        """L(x)."""
        return thinned(self.mu * x - self.mu**2 / 2, self.rate)

    def _spacing(self, c: float, t: float) -> float:
        """Node spacing for which the trapezoidal rule errs by less than e^{−DEPTH}·M(c) at c ± it.

        In the strip |Im x| ≤ y < π/mu the integrand is analytic; on its edge |e^{s·L}| grows by at most e^{|t|·mu·y}
        and, for c < 0, by cos(mu·y/2)^c, the Gaussian weight by e^{y²/2}; the error is at most
        2·M(c)·e^{y²/2 + |t|·mu·y}·cos(mu·y/2)^{min(c, 0)}/(e^{2π·y/spacing} − 1)
        (Trefethen & Weideman 2014, Theorem 5.1).
        """
        # about where what is lost to the weight and to the law makes up for a wider strip
        y = min(0.8 * math.pi / self.mu, math.sqrt(DEPTH / (0.5 + max(-c, 0.0) * self.mu**2 / 8)))
        excess = y * y / 2 + t * self.mu * y + max(-c, 0.0) * -math.log(math.cos(self.mu * y / 2))
        return 2 * math.pi * y / (DEPTH + 2 + excess)

    def _height(self, c: float) -> float:
        """How far above the real axis a path runs; of few binary digits, so that its products are exact."""
        return _short(min(_HEIGHT, 0.45 * math.pi / self.mu, math.sqrt(16 / max(-c, 1e-9)) / self.mu), 8)

    def _raised_spacing(self, c: float) -> float:
        """The same on the path Im x = y, for every t ≥ 0.

        Where 0 ≤ Im x ≤ 2y < π/mu, the imaginary part of L lies between 0 and π, so that |e^{s·L}| ≤ |e^{c·L}|: at the
        edges of that strip nothing grows with t.
        """
        y = self._height(c)
        excess = 2 * y * y + max(-c, 0.0) * -math.log(math.cos(self.mu * y))
        return 2 * math.pi * y / (DEPTH + 2 + excess)

    def _is_raised(self, c: float, t: float) -> bool:
        return _SOONER * self._spacing(c, t) < self._raised_spacing(c)

    def nodes(self, c: float, spacing: float) -> Floats:
        """Nodes between points where the integrand is e^{−DEPTH} of its peak and falls ever faster."""
        return _grid(*self._ends(c), spacing)

    def _ends(self, c: float) -> tuple[float, float]:
        return _ends(self, c)

    def share(self, x: float) -> float:
        """L'(x)/mu: the posterior chance that the record took part."""
        return self.rate / (self.rate + (1 - self.rate) * math.exp(min(self.mu * (self.mu / 2 - x), 700.0)))

    def shares(self, x: Floats) -> Floats:
        """The posterior chance that the record took part, for several x."""
        return self.rate / (self.rate + (1 - self.rate) * np.exp(np.minimum(self.mu * (self.mu / 2 - x), 700.0)))

    def line(self, c: float, t: float) -> NodeLine:
        return _raised(self, c) if self._is_raised(c, t) else _tilted(self, c, self._spacing(c, t))

    def raised(self, c: float, t: float) -> NodeLine:
        return _raised(self, c)

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        return tilted_axis(*self._weighed(float(c.min()), float(c.max())), c)

    def fourth(self, c: float) -> float:
        loss, log_weight = self._weighed(c, c)
        return fourth_of_difference(loss, c * loss + log_weight)

    def _weighed(self, first: float, last: float) -> tuple[Floats, Floats]:
        """Losses of nodes that serve real tilts between two, and the logarithms of their weights."""
        spacing = self._spacing(first, 0.0)
        x = _grid(self._ends(first)[0], self._ends(last)[1], spacing)
        return self.loss(x), -x * x / 2 + math.log(spacing / math.sqrt(2 * math.pi))

    def envelope(self, c: float, t: Floats) -> Floats:
        return at(*_decay(self, c, float(t[0])), t)

    def closer_envelope(self, c: float, t: Floats) -> Floats:
        """By moving the line of integration: |phi(u)| ≤ e^{y²/2}·E e^{−u·θ}, and that falls with u.

        At x + iy, 0 < mu·y < π, the imaginary part of L is θ(x) > 0, which rises with x, and for c ≥ 0 |e^{c·L}| is no
        larger than at x; for c < 0 by no more than in ``_growth``. E is over the tilted law of x, rounded up in cells.
        """
        known = self.envelope(c, t)
        if self.rate == 1 or self.mu * c > _FAR:
            return known
        x, k = _grid(*self._ends(c), _CELL), float(self.axis(np.array([c]))[0][0])
        loss = self.loss(x)
        density = c * loss - x * x / 2 - _ROOT - k
        # the logarithm of the density bends downwards by at most 1 if c ≥ 0, and by |c|·mu²/4 more if not
        bend = 1 + max(-c, 0.0) * self.mu**2 / 4
        log_mass = np.maximum(density[1:], density[:-1]) + bend * _CELL**2 / 8 + math.log(_CELL)
        # losses below the cells, that never lose their phase, and those above, as if they were all
        below = max(c * float(loss[0]), c * math.log1p(-self.rate)) - k + float(log_ndtr(x[0]))
        w = np.minimum(self.shares(x[1:]), 0.5)
        u = math.log(self.rate) + self.mu * (x - self.mu / 2)
        bounds = []
        for y in min(0.9 * math.pi / self.mu, _HIGH) * _HEIGHTS:
            v = self.mu * y
            with np.errstate(over="ignore"):
                theta = np.arctan2(math.sin(v), math.cos(v) + (1 - self.rate) * np.exp(-u))
            grown = c / 2 * np.log1p(-2 * w * (1 - w) * (1 - math.cos(v))) if c < 0 else 0.0
            most = y * y / 2 + min(c, 0.0) * math.log(math.cos(v / 2))
            powers = y * y / 2 + log_mass + grown
            if max(float(powers.max()), most, most + below) < 600:
                ends = math.exp(most + below) + np.exp(most - t * theta[-1])
                bounds.append(np.exp(-np.multiply.outer(t, theta[:-1])) @ np.exp(powers) + ends)
        return np.minimum(np.min(bounds, axis=0) * (1 + 1e-9), known) if bounds else known


@lru_cache(maxsize=64)
def _ends(law: SampledGaussianLoss, c: float) -> tuple[float, float]:
    low = -REACH
    if c < 0:  # the peak lies where x = c·L'(x) < 0
        while low > -1e4 and -low + c * law.mu * law.share(low) < REACH:
            low -= 1.0
    high = law.mu * max(c, 1.0) + REACH
    if REACH < high < _FAR and law.rate * math.exp(min(law.mu * (REACH - law.mu / 2), 700.0)) < 0.1:
        # a second peak, if any, is far out; e^L itself has to be there as well as e^{c·L}
        x, edge = np.arange(REACH, high + _CELL, _CELL), float(law.loss(np.zeros(1))[0])
        loss = law.loss(x)
        grown = np.maximum(np.maximum(c * loss, c * edge) - c * edge, np.maximum(loss - edge, 0.0))
        there = np.flatnonzero(grown - x * x / 2 > -(REACH**2) / 2)
        high = float(x[there[-1]]) + 2 * _CELL if len(there) else REACH
    return low, high


def _grid(low: float, high: float, spacing: float) -> Floats:
    if not (spacing > 0 and math.isfinite(low / spacing) and math.isfinite(high / spacing)):
        raise Undefined("Sampled Gaussian noise that extreme leads to numbers that no float can hold. Check its noise.")
    if (high - low) / spacing > _NODES:
        raise Undefined("Sampled Gaussian noise has no Rényi divergence of that order that fits into memory.")
    return np.arange(math.floor(low / spacing), math.ceil(high / spacing) + 1, dtype=float) * spacing


@lru_cache(maxsize=64)
def _tilted(law: SampledGaussianLoss, c: float, spacing: float) -> NodeLine:
    spacing = _short(spacing)
    x = law.nodes(c, spacing)
    loss = law.loss(x)
    # losses well below 0 are logarithms of sums, which err by some units whatever the loss
    shaky = np.abs(loss) + 0.5 * law.shares(x) * law.mu * (np.abs(x) + law.mu / 2) + (loss < -0.5)
    log_weight = -x * x / 2
    exact = max(-x[0], x[-1]) < spacing * 2.0 ** (_BITS // 2 - _SHORT)
    return tilted_line(
        loss, shaky, Weights(log_weight, 0.0 if exact else -log_weight, spacing / math.sqrt(2 * math.pi)), c
    )


@lru_cache(maxsize=64)
def _raised(law: SampledGaussianLoss, c: float) -> NodeLine:
    """Nodes on a path above the real axis."""
    spacing, y = _short(law._raised_spacing(c)), law._height(c)
    x = law.nodes(c, spacing)
    log_weight = -x * x / 2 - 1j * y * x + (y * y / 2 + math.log(spacing) - _ROOT)
    u = law.mu * x - law.mu**2 / 2
    z = u + 1j * law.mu * y
    far = u > 30  # there e^u is all that counts, but for its rounding
    near = law.rate * np.expm1(np.where(far, 0.0, z))
    rest = (1 - law.rate) / law.rate * np.exp(-np.where(far, z, 1.0))
    loss = np.where(far, z + math.log(law.rate) + rest, log1p(near.real, near.imag)).astype(np.complex128)
    share = np.minimum(2 * law.shares(x) / math.cos(law.mu * y / 2), 2.0)
    shaky = np.abs(loss) + 0.5 * share * law.mu * (np.abs(x) + law.mu / 2) + (loss.real < -0.5)
    return raised_line(loss, shaky, log_weight, c)


def _short(spacing: float, digits: int = _SHORT) -> float:
    """Rounded down to a few binary digits, so that multiples and their squares are exact."""
    unit = 2.0 ** (math.frexp(spacing)[1] - digits)
    return math.floor(spacing / unit) * unit


def _decay(law: SampledGaussianLoss, c: float, least: float) -> tuple[Floats, Floats]:
    shape = TiltedShape.of(law, c, law.nodes(c, FINE))
    # the points are close enough to sum over, unless there is next to no noise
    k = shape.k if law._spacing(c, 0.0) > FINE else float(law.axis(np.array([c]))[0][0])
    return decay([shape.cells(k)], [], least)


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

    def cells(self, k: float) -> Cells:
        """Cells of several points each; k = K(c).

        With w the chance of having taken part, which rises with x, L' = mu·w and L'' = mu²·w·(1 − w). The second
        derivative of the log-density is −1 + c·L'': so much may it dip between the ends of a cell. The derivative of
        the log of g = density(x)/L'(x), the density of the loss, is −x − mu + (c + 1)·L'; it has at most three zeros,
        so in every stretch at most three steps between points hold an extremum that the points do not show.
        """
        mu, c = self.law.mu, self.c
        density = self.density * math.exp(self.top - _ROOT - k)
        w = self.law.shares(np.append(self.x, self.x[-1] + FINE))
        bend = max(c, 0.0) * mu**2 * np.minimum(w[1:], 0.25) - 1
        steep = np.abs(self.x) + FINE + mu + abs(c + 1) * mu * w[1:]
        return cells_between(FINE, self.loss, density, mu * w[:-1], bend, steep)
