"""The curve of logistic noise, which is also that of every mechanism of bounded range."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens._numerics.normal import pure_mu
from dplens._numerics.search import golden_maximum
from dplens.curves.base import Floats, TradeOff


@dataclass(frozen=True)
class LogisticCurve(TradeOff):
    """f(alpha) = (1 − alpha)/(1 + (e^eps0 − 1)·alpha), that is logit(power) = logit(alpha) + eps0.

    Exact for logistic noise shifted by eps0 scales. For a mechanism of range eps0 (the exponential mechanism)
    it is the infimum over its extreme two-point pairs, losses t and t − eps0, hence the tight curve of the
    class (bounded range: Durfee & Rogers 2019; Dong, Durfee & Rogers 2020). Symmetric.
    """

    epsilon0: float
    bounded_range: bool = False
    rounding = 2e-14

    @property
    def _shrink(self) -> float:
        return math.exp(-self.epsilon0)

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return alpha / (alpha + self._shrink * co)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        missed = self._shrink * co
        return missed / (alpha + missed)

    def _profile(self, epsilon: Floats) -> Floats:
        # (e^{eps0/2} − e^{eps/2})² / (e^eps0 − 1), divided through by e^eps0
        gap = -np.expm1((np.minimum(epsilon, self.epsilon0) - self.epsilon0) / 2)
        return gap * gap / -math.expm1(-self.epsilon0)

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        return self._profile(epsilon) * (1 + side * 4e-15)  # eps − eps0 is exact where it is small

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
        return self.epsilon0 * (1 - 3e-16), self.epsilon0

    def _auc(self) -> tuple[float, float]:
        e = self.epsilon0
        if e < 0.05:  # series of the closed form, which cancels there
            return 0.5 + e / 6 - e**3 / 180 + e**5 / 5040 - e**7 / 151200, 1e-15
        # 1 − ∫f with c = e^e − 1: ∫f = ((1 + c)·log(1 + c) − c)/c², divided through by c
        area = (e / -math.expm1(-e) - 1) / math.expm1(e) if e < 700 else 0.0
        return 1 - area, 1e-14

    def _mu(self) -> tuple[float, float]:
        # the gap to the Gaussian curves is largest where alpha = beta = 1/(1 + e^{eps0/2})
        mu = pure_mu(self.epsilon0 / 2)
        return mu * (1 - 1e-14), mu * (1 + 1e-14)

    def _renyi(self, order: float) -> float:
        return _bounded_range_renyi(self.epsilon0, order) if self.bounded_range else super()._renyi(order)


def _bounded_range_renyi(epsilon0: float, order: float) -> float:
    """The largest Rényi divergence over the extreme pairs: mass m(t) at loss t, the rest at t − eps0."""

    def divergence(t: Floats) -> Floats:
        # E_P e^L = 1 with losses t and t − eps0 fixes the mass at t
        mass = np.exp(-t) * -np.expm1(t - epsilon0) / -math.expm1(-epsilon0)
        rest = -np.expm1(-t) / -math.expm1(-epsilon0)
        low = t - epsilon0
        with np.errstate(divide="ignore", invalid="ignore"):
            if order == 1:
                return mass * np.exp(t) * t + rest * np.exp(low) * low
            log_sum = np.logaddexp(np.log(mass) + order * t, np.log(rest) + order * low)
        return log_sum / (order - 1)

    _, value = golden_maximum(divergence, np.array([epsilon0 * 1e-12]), np.array([epsilon0 * (1 - 1e-12)]))
    return max(float(value[0]), 0.0)
