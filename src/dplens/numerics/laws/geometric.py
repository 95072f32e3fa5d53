"""Two-sided geometric noise on the integers, with full relative accuracy in its tails."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens.numerics.enclosure import Floats
from dplens.numerics.moments import divergence, exponential_divergence

LISTED = 1_000_000  # largest shift for which losses are listed, which keeps digits that a closed form loses
EXACT = 2.0**52  # below this, all neighbouring integers are floats


def two_product(a: Floats, b: Floats | float) -> tuple[Floats, Floats]:
    """a·b as the rounded product and its rounding error, exactly (Dekker 1971)."""

    def halves(x: Floats) -> tuple[Floats, Floats]:
        scaled = 134217729.0 * x
        high = scaled - (scaled - x)
        return high, x - high

    (a, power), (b, other) = np.frexp(a), np.frexp(b)  # to avoid overflow
    (a1, a2), (b1, b2) = halves(a), halves(b)
    product = a * b
    lost = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
    return np.ldexp(product, power + other), np.ldexp(lost, power + other)


def reflect(k: Floats, positive_tail: Floats) -> Floats:
    """P(N ≥ k) from P(N ≥ m) at m = k (k ≥ 1) or m = 1 − k."""
    return np.where(k >= 1, positive_tail, 1 - positive_tail)


def settle(upper: Callable[[Floats], Floats], k: Floats, level: Floats) -> Floats:
    """Correct a guess that may be off by one step to the smallest k ≥ 1 with upper(k) ≤ level."""
    k = np.where(upper(k) > level, k + 1, k)
    return np.where((k > 1) & (upper(k - 1) <= level), k - 1, k)


@dataclass(frozen=True)
class GeometricNoise:
    """P(k) = (1 − r)/(1 + r)·r^|k| with r = e^{−1/scale} (Ghosh, Roughgarden & Sundararajan 2009).

    Integer noise N, symmetric about 0 and log-concave, and its integer shifts. So is ``DiscreteNormalNoise``, which has
    the same methods.
    """

    scale: float

    @property
    def spread(self) -> float:
        """The scale on which the tails decay."""
        return self.scale

    def upper(self, k: Floats) -> Floats:
        """P(N ≥ k)."""
        m = np.where(k >= 1, k, 1 - k)
        return reflect(k, np.exp(-m / self.scale) / (1 + math.exp(-1 / self.scale)))

    def first_below(self, level: Floats) -> Floats:
        """The smallest k ≥ 1 with P(N ≥ k) ≤ level, for levels in (0, ½]."""
        k = np.ceil(-self.scale * (np.log(level) + math.log1p(math.exp(-1 / self.scale))))
        return settle(self.upper, np.maximum(k, 1.0), level)

    def condition(self, k: Floats) -> Floats:
        """The condition number of the tail at k with respect to rounding of its arguments."""
        return np.abs(k) / self.scale

    def log_ratio(self, k: Floats, shift: int) -> Floats:
        """The loss log P(N = k − shift)/P(N = k) of output k, non-decreasing in k."""
        # constant at ±shift/scale outside [0, shift], linear inside
        return np.clip(2 * k - shift, -shift, shift) / self.scale

    def log_mass(self, k: Floats) -> Floats:
        """log P(N = k) up to a constant."""
        return -np.abs(k) / self.scale

    def guess_first_above(self, loss: Floats, shift: int) -> Floats:
        """The smallest k whose loss exceeds ``loss``, to within two steps; ∞ if none does, −∞ if all do."""
        k = np.clip(np.floor((loss * self.scale + shift) / 2) + 1, 1, shift)
        top = shift / self.scale
        return np.where(loss >= top, math.inf, np.where(loss < -top, -math.inf, k))

    def profile(self, epsilon: Floats, shift: int) -> Floats:
        """Σ_{j ≥ k} P(N = j − shift) − e^epsilon·P(N = j), k the first output with a loss above epsilon ≥ 0."""
        # With r = e^{−1/scale}, m = shift + 1 − k and t = eps − loss(k − 1) in [0, 2/scale):
        # (1 + r)·delta = (1 − r^m) + r·(1 − e^t·r^m), two positive terms for m ≥ 2.
        s, r = self.scale, math.exp(-1 / self.scale)
        out = np.zeros_like(epsilon)
        some = epsilon < (shift / s) * (1 + 1e-15)  # beyond the largest loss, delta is 0
        product, rest = two_product(epsilon[some], s)
        k = np.clip(np.floor((product + shift) / 2) + 1, 1, shift)
        m = shift + 1 - k
        # the product is exact, so epsilon − loss keeps all digits even if the two are close
        top, left = (product - shift + rest) / s, (product - (2 * k - 2 - shift) + rest - m) / s
        tail = -np.expm1(np.minimum(top, 0.0))  # only the plateau at the largest loss remains
        body = -np.expm1(-m / s) - r * np.expm1(np.minimum(left, 0.0))
        out[some] = np.where(m <= 1, tail, body) / (1 + r)
        return out

    def max_loss(self, shift: int) -> float:
        return shift / self.scale

    def atoms(self, shift: int) -> tuple[Floats, Floats]:
        """Masses without the target at the distinct losses (2j − shift)/scale, j = 0 … shift, and those losses."""
        j = np.arange(shift + 1.0)
        with np.errstate(over="ignore"):  # losses beyond the largest float
            mass = np.exp(-j / self.scale) * math.tanh(0.5 / self.scale)
            mass[0], mass[-1] = self.upper(np.array([0.0, shift]))  # the plateaus on both sides
            return mass, (2 * j - shift) / self.scale

    def renyi(self, shift: int, order: float) -> float:
        if shift <= (LISTED if shift < self.scale else 64):
            p, loss = self.atoms(shift)
            return divergence(p, p[::-1], loss, order)
        return exponential_divergence(shift / self.scale, order, shift)
