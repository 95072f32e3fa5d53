"""Integer-valued noise: the curve of the geometric and the discrete Gaussian mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, ndtri_exp

from dplens.curves.base import Floats, SymmetricCurve
from dplens.curves.readings.renyi import known_renyi
from dplens.numerics.enclosure import Bounds, Enclosure
from dplens.numerics.laws.discrete_gaussian import LatticeNoise
from dplens.numerics.laws.geometric import EXACT, LISTED


@dataclass(frozen=True)
class LatticeCurve(SymmetricCurve):
    """T(N, N + shift) for symmetric log-concave noise N on the integers and an integer shift ≥ 1.

    The likelihood ratio is monotone, so the vertices are the thresholds k: alpha = P(N ≥ k),
    power = P(N ≥ k − shift); between vertices the test is randomised at k − 1. Exact; symmetric. A smaller shift is
    no worse, by log-concavity.
    """

    noise: LatticeNoise
    shift: int
    _has_kinks = True

    def _slack(self, k: Floats) -> Floats:
        """Relative rounding error of a tail near k, of the shifted tail and of their ratio."""
        # a nonzero tail has a condition number below 1500; a larger one means that the tail is 0
        return np.minimum(2e-16 * (16 + self.noise.condition(np.abs(k) + self.shift)), 0.1)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        first = self._first_above(epsilon)
        first = np.where(np.isfinite(first), first, float(self.shift))  # the last plateau, up to rounding
        return Enclosure.around(self.noise.profile(epsilon, self.shift), 4 * self._slack(first))

    def _vertex(self, alpha: Floats, co: Floats) -> Floats:
        """The k with P(N ≥ k) ≤ alpha < P(N ≥ k − 1); in the upper half with "≤" as the second relation."""
        small = np.clip(np.minimum(alpha, co), 1e-320, 0.5)
        m = self.noise.first_below(small)
        # 1 − P(N ≥ k) = P(N ≥ 1 − k): in the upper half P(N ≥ m) ≤ co < P(N ≥ m − 1) gives k = 2 − m
        return np.where(alpha <= co, m, 2 - m)

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        k = self._vertex(alpha, co)
        low = alpha <= co
        reached = self.noise.upper(np.where(low, k, 1 - k))
        power = self.noise.upper(k - self.shift) + self._rise(k, np.where(low, alpha - reached, reached - co))
        return Enclosure.around(power, self._slack(k))

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        k = self._vertex(alpha, co)
        low = alpha <= co
        ahead = self.noise.upper(np.where(low, k - 1, 2 - k))
        beta = self.noise.upper(self.shift + 2 - k) + self._rise(k, np.where(low, ahead - alpha, co - ahead))
        return Enclosure.around(beta, self._slack(k))

    def _rise(self, k: Floats, step: Floats) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):
            return np.exp(np.log(np.maximum(step, 0.0)) + self.noise.log_ratio(k - 1, self.shift))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        top = self.noise.max_loss(self.shift)
        inner = self.noise.log_ratio(self._vertex(alpha, co) - 1, self.shift)
        return np.where(alpha <= 0, top, np.where(co <= 0, -top, inner))

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        k, d = self._first_above(loss), self.shift
        upper = self.noise.upper
        return upper(k), upper(1 - k), upper(k - d), upper(d + 1 - k)

    def _first_above(self, loss: Floats) -> Floats:
        k = self.noise.guess_first_above(loss, self.shift)
        near = np.abs(k) < EXACT  # beyond, one step is below the rounding of k
        for _ in range(2):
            k = np.where(near & (self.noise.log_ratio(k, self.shift) <= loss), k + 1, k)
        for _ in range(2):
            k = np.where(near & (self.noise.log_ratio(k - 1, self.shift) > loss), k - 1, k)
        return k

    def _max_loss(self) -> tuple[float, float]:
        bound = self.noise.max_loss(self.shift)
        return bound * (1 - 3e-16), bound * (1 + 3e-16)

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        reach = math.ceil(min(40 * self.noise.spread, 1e15)) + self.shift + 2
        if reach > 2_000_000:
            return super()._expect(function, present)
        k = np.arange(-reach, reach + 1.0)
        at = k - self.shift if present else k
        # P(N = k) from the smaller tail
        mass = np.where(
            at > 0, self.noise.upper(at) - self.noise.upper(at + 1), self.noise.upper(-at) - self.noise.upper(1 - at)
        )
        return math.fsum(mass * function(self.noise.log_ratio(k, self.shift)))

    def _auc(self) -> tuple[float, float]:
        reach = math.ceil(min(40 * self.noise.spread, 1e15)) + 2
        if reach > 2_000_000:
            return super()._auc()
        total = 0.0
        for start in range(-reach, reach + 1, 8192):  # in blocks, which need less memory
            k = np.arange(start, min(start + 8192, reach + 1.0))
            mass = self.noise.upper(k) - self.noise.upper(k + 1)
            # P(N + shift > N') and half a tie
            total += float(mass @ (self.noise.upper(k - self.shift) + self.noise.upper(k + 1 - self.shift)))
        return total / 2, 1e-13

    def _mu(self) -> tuple[float, float]:
        # f is linear and G_mu convex between vertices, so the supremum is attained at a vertex. In normal quantiles the
        # steps between neighbours are largest at the centre and decrease outwards, so the largest gap is there.
        m = np.array([self.shift // 2 + 1, self.shift - self.shift // 2], dtype=float)
        tails = self.noise.upper(m)
        if tails.min() > 1e-300:  # below this, tails have lost digits
            low = high = -float(np.sum(ndtri(tails)))
        else:  # a tail is at least its first mass, and at most a geometric series from there on
            peak = -float(np.diff(self.noise.upper(np.arange(2.0)))[0])  # P(N = 0), which the spread bounds from below
            most, least = math.log(peak + 1e-15), math.log(max(peak - 1e-15, 1 / (1 + 2.6 * self.noise.spread)))
            first, row = self.noise.log_mass(m), np.log(-np.expm1(-self.noise.log_ratio(m + 1, 1)))
            low, high = (-float(np.sum(ndtri_exp(x))) for x in (np.maximum(first - row + most, -1e300), first + least))
        # a relative error r of a rate moves its quantile by at most 1.26·r, as Mills' ratio is at most √(π/2)
        error = 2.6 * float(self._slack(m[:1])[0])
        return max(low * (1 - 1e-14) - error, 0.0), high * (1 + 1e-14) + error

    def _enclose_renyi(self, order: float) -> Bounds:
        relative = 3.2e-14 + (5 / self.shift / self.shift if self.shift > LISTED else 0.0)
        return known_renyi(self, order, self.noise.renyi(self.shift, order), relative)
