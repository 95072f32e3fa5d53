"""Laplace and logistic noise, whose losses are bounded by one parameter; the latter covers all bounded ranges too."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy.special import erfinv, ndtri, ndtri_exp

from dplens.curves.base import LEAST, Floats, SymmetricCurve
from dplens.curves.readings.renyi import known_renyi, renyi_from_curve
from dplens.numerics import normal
from dplens.numerics.enclosure import Bounds, Enclosure, quotient_ends
from dplens.numerics.moments import divergence, exponential_divergence


@dataclass(frozen=True)
class _BoundedCurve(SymmetricCurve):
    """A curve whose losses are at most eps0 > 0, which may have been rounded up."""

    epsilon0: float

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        # exp(−eps0) amplifies the rounding error of eps0 by eps0
        return 4e-16 * (4 + self.epsilon0)

    @abstractmethod
    def _at(self, alpha: Floats, co: Floats, shrink: float, half: float) -> tuple[Floats, Floats]:
        """Power and beta, given shrink = e^−eps0, and half = e^{−eps0/2}, which underflows later."""

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        shrink, half = math.exp(-self.epsilon0), math.exp(-self.epsilon0 / 2)
        loose = self.rounding + (2 * LEAST / alpha if shrink < 1e-300 else 0.0)
        power, beta = self._at(alpha, co, shrink, half)
        return Enclosure.around(power, loose), Enclosure.around(beta, loose)

    def _max_loss(self) -> tuple[float, float]:
        return quotient_ends(self.epsilon0)


@dataclass(frozen=True)
class LaplaceCurve(_BoundedCurve):
    """T(Lap(0), Lap(shift)), where the shift in units of the scale is the loss bound eps0 > 0 (Liu, Theorem 3).

    f = 1 − e^eps0·alpha below e^−eps0/2, e^−eps0/(4·alpha) up to ½, e^−eps0·(1 − alpha) above. Exact; symmetric.
    """

    def _at(self, alpha: Floats, co: Floats, shrink: float, half: float) -> tuple[Floats, Floats]:
        steep, rise = alpha < shrink / 2, alpha / shrink
        beta = half * np.where(alpha > 0.5, half * co, half / (4 * alpha))
        return np.where(steep, rise, 1 - beta), np.where(steep, 1 - rise, beta)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        # eps − eps0 is exact where it is small, but eps0 may have been rounded up
        def end(epsilon0: float) -> Floats:
            return np.maximum(-np.expm1((epsilon - epsilon0) / 2), 0.0)

        return Enclosure(lambda: end(self._max_loss()[0]), lambda: end(self.epsilon0)).widened(2e-15)

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        def end(sign: int, top: float) -> Floats:
            with np.errstate(divide="ignore", over="ignore"):
                exact = self.epsilon0 + 2 * np.log1p(-delta)
                moved = np.maximum(exact * (1 + sign * 1e-15) + sign * 1e-15 * delta, 0.0)
            return np.where(delta == 0, top, moved)

        low, high = self._max_loss()
        return Enclosure(lambda: end(-1, low), lambda: end(+1, high))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        steep = alpha < math.exp(-self.epsilon0) / 2
        with np.errstate(divide="ignore"):
            middle = -self.epsilon0 - math.log(4) - 2 * np.log(alpha)
        return np.where(steep, self.epsilon0, np.where(alpha >= 0.5, -self.epsilon0, middle))

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        inside = np.clip(loss, -self.epsilon0, self.epsilon0)
        alpha = 0.5 * np.exp(-(inside + self.epsilon0) / 2)
        beta = 0.5 * np.exp((inside - self.epsilon0) / 2)
        none, every = loss >= self.epsilon0, loss < -self.epsilon0
        alpha, beta = np.where(none, 0.0, alpha), np.where(none, 1.0, beta)
        alpha, beta = np.where(every, 1.0, alpha), np.where(every, 0.0, beta)
        return alpha, 1 - alpha, 1 - beta, beta

    def _auc(self) -> tuple[float, float]:
        e = self.epsilon0
        # 1 − e^−e(2 + e)/4, written as ½ plus a term so that a small e keeps its digits
        return 0.5 - 0.5 * math.expm1(-e) - 0.25 * e * math.exp(-e), 4e-16

    def _mu(self) -> tuple[float, float]:
        low, high = (laplace_mu(bound) if bound < math.inf else math.inf for bound in self._max_loss())
        return max(low * (1 - 1e-14) - 2 * LEAST, 0.0), high * (1 + 1e-14) + 2 * LEAST

    def _enclose_renyi(self, order: float) -> Bounds:
        # unlike the curve, the divergence does not amplify the rounding of eps0
        return known_renyi(self, order, exponential_divergence(self.epsilon0, order), 3e-14, LEAST)


def laplace_mu(epsilon0: float) -> float:
    """−2Φ⁻¹(e^{−eps0/2}/2), computed by the inverse that keeps its digits."""
    if epsilon0 < 2:
        return 2 * math.sqrt(2) * float(erfinv(-math.expm1(-epsilon0 / 2)))
    return -2 * float(ndtri(math.exp(-epsilon0 / 2) / 2) if epsilon0 < 1300 else ndtri_exp(-epsilon0 / 2 - math.log(2)))


@dataclass(frozen=True)
class LogisticCurve(_BoundedCurve):
    """f(alpha) = (1 − alpha)/(1 + (e^eps0 − 1)·alpha), that is logit(power) = logit(alpha) + eps0.

    Exact for logistic noise shifted by eps0 scales. For mechanisms of bounded range eps0 (the exponential mechanism)
    it is the infimum over the extreme two-point pairs with losses t and t − eps0, hence the tight curve of the
    class (Durfee & Rogers 2019; Dong, Durfee & Rogers 2020). Symmetric.
    """

    bounded_range: bool = False

    def _at(self, alpha: Floats, co: Floats, shrink: float, half: float) -> tuple[Floats, Floats]:
        whole = alpha + shrink * co
        return alpha / whole, half * co * (half / whole)

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

    def _enclose_renyi(self, order: float) -> Bounds:
        # the divergence does not amplify the rounding of eps0
        worst = _bounded_range_renyi(self.epsilon0, order) if self.bounded_range else renyi_from_curve(self, order)
        return known_renyi(self, order, worst, 3.2e-13)


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
