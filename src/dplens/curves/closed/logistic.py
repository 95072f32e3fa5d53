"""The curve of logistic noise, which is also that of every mechanism of bounded range."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens.curves.base import LEAST, Floats, TradeOff
from dplens.numerics import normal
from dplens.numerics.enclosure import Enclosure, quotient_ends
from dplens.numerics.moments import divergence


@dataclass(frozen=True)
class LogisticCurve(TradeOff):
    """f(alpha) = (1 − alpha)/(1 + (e^eps0 − 1)·alpha), that is logit(power) = logit(alpha) + eps0.

    Exact for logistic noise shifted by eps0 scales. For mechanisms of bounded range eps0 (the exponential mechanism)
    it is the infimum over the extreme two-point pairs with losses t and t − eps0, hence the tight curve of the
    class (Durfee & Rogers 2019; Dong, Durfee & Rogers 2020). Symmetric.
    """

    epsilon0: float
    bounded_range: bool = False

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return 2e-14 + (4e-16 * self.epsilon0 if self.epsilon0 > 700 else 0.0)

    @property
    def _shrink(self) -> float:
        return math.exp(-self.epsilon0)

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        if self.epsilon0 > 700:
            power = 1 / (1 + self._odds_against(alpha, co))
        else:
            power = alpha / (alpha + self._shrink * co)
        return Enclosure.around(power, self.rounding)

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        if self.epsilon0 > 700:
            odds = self._odds_against(alpha, co)
            beta = odds / (1 + odds)
        else:
            missed = self._shrink * co
            beta = missed / (alpha + missed)
        return Enclosure.around(beta, self.rounding)

    def _odds_against(self, alpha: Floats, co: Floats) -> Floats:
        """beta/power = e^−eps0·(1 − alpha)/alpha, without underflow of e^−eps0."""
        with np.errstate(divide="ignore"):
            return np.exp(np.log(co) - np.log(np.maximum(alpha, LEAST)) - self.epsilon0)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        # eps − eps0 is exact where it is small, but eps0 may have been rounded up
        def end(epsilon0: float) -> Floats:
            if epsilon0 < 1e-300:  # too close to 0 to have digits left
                return np.zeros_like(epsilon)
            # (e^{eps0/2} − e^{eps/2})² / (e^eps0 − 1), with both parts divided by e^eps0
            gap = -np.expm1((np.minimum(epsilon, epsilon0) - epsilon0) / 2)
            return gap * gap / -math.expm1(-epsilon0)

        return Enclosure(lambda: end(self._max_loss()[0]), lambda: end(max(self.epsilon0, 1e-300))).widened(4e-15)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        # slope = e^eps0 / (co + e^eps0·alpha)²
        with np.errstate(divide="ignore"):
            return self.epsilon0 - 2 * np.logaddexp(np.log(co), self.epsilon0 + np.log(alpha))

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        e0 = self.epsilon0
        inside = np.clip(loss, -e0, e0)
        full = -math.expm1(-e0)
        co = -np.expm1((-inside - e0) / 2) / full
        beta = np.exp((inside - e0) / 2) * co
        power = -np.expm1((inside - e0) / 2) / full
        alpha = np.exp((-inside - e0) / 2) * power
        return alpha, co, power, beta

    def _mirrored(self) -> TradeOff:
        return self

    def _max_loss(self) -> tuple[float, float]:
        return quotient_ends(self.epsilon0)

    def _auc(self) -> tuple[float, float]:
        e = self.epsilon0
        if e < 0.05:  # by series, since the closed form cancels
            return 0.5 + e / 6 - e**3 / 180 + e**5 / 5040 - e**7 / 151200, 1e-15
        # 1 − ∫f with c = e^e − 1: ∫f = ((1 + c)·log(1 + c) − c)/c², with both parts divided by c
        area = (e / -math.expm1(-e) - 1) / math.expm1(e) if e < 700 else 0.0
        return 1 - area, 1e-14

    def _mu(self) -> tuple[float, float]:
        # the gap to the Gaussian curves is largest where alpha = beta = 1/(1 + e^{eps0/2})
        mu = normal.pure_mu(self.epsilon0 / 2)
        return mu * (1 - 1e-14), mu * (1 + 1e-14)

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        return 3.2e-13, 0.0  # the divergence does not amplify the rounding of eps0

    def _renyi(self, order: float) -> float:
        return _bounded_range_renyi(self.epsilon0, order) if self.bounded_range else super()._renyi(order)


def _bounded_range_renyi(epsilon0: float, order: float) -> float:
    """The largest Rényi divergence over the extreme pairs, with losses t and t − eps0.

    It bounds every mechanism of that range: of all laws of e^l on [e^{t−eps0}, e^t] with mean 1, the one on the two
    ends has the largest convex moment. The curve is a hull over all t, attained by no single pair, and has a larger
    divergence. E_P e^l = 1 fixes the masses. The moment is stationary at e^t = (a − 1)/a·e^eps0·(1 − e^{−a·eps0})/(1 −
    e^{−(a−1)·eps0}), so rounding of t does not matter.
    """
    e, a, rest = epsilon0, order, order - 1
    if a < 0.5:  # (1 − a)·D_a(P‖Q) = a·D_{1−a}(Q‖P), and the class is symmetric
        return a / (1 - a) * _bounded_range_renyi(e, 1 - a)
    t = e / 2 + (2 * a - 1) * e * e / 24
    if a * e > 1e-3:  # below this, two terms of the series suffice
        span = math.log(-math.expm1(-abs(rest) * e) / abs(rest) if rest * e != 0 else e) - min(rest * e, 0.0)
        t = min(max(e - math.log(a) + math.log(-math.expm1(-a * e)) - span, 0.0), e)
    up, down, whole = -math.expm1(t - e), -math.expm1(-t), -math.expm1(-e)
    p, q = np.array([up * math.exp(-t), down]) / whole, np.array([up, down * math.exp(t - e)]) / whole
    return divergence(p, q, np.array([t, t - e]), a)
