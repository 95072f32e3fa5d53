"""The curve of the Laplace mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import erfinv, ndtri, ndtri_exp

from dplens.curves.base import LEAST, Floats, TradeOff
from dplens.numerics.enclosure import Enclosure, quotient_ends
from dplens.numerics.moments import exponential_divergence


@dataclass(frozen=True)
class LaplaceCurve(TradeOff):
    """T(Lap(0), Lap(shift)), where the shift in units of the scale is the loss bound eps0 > 0 (Liu, Theorem 3).

    f = 1 − e^eps0·alpha below e^−eps0/2, e^−eps0/(4·alpha) up to ½, e^−eps0·(1 − alpha) above. Exact; symmetric.
    """

    epsilon0: float

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        # exp(eps0) amplifies the rounding error of eps0 by eps0
        return 4e-16 * (4 + self.epsilon0)

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        steep = alpha < math.exp(-self.epsilon0) / 2
        out = 1 - self._lower(alpha, co)
        out[steep] = self._steep_power(alpha[steep])
        return Enclosure.around(out, self.rounding)

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        steep = alpha < math.exp(-self.epsilon0) / 2
        out = self._lower(alpha, co)
        out[steep] = 1 - self._steep_power(alpha[steep])
        return Enclosure.around(out, self.rounding)

    def _steep_power(self, alpha: Floats) -> Floats:
        """e^eps0·alpha."""
        if self.epsilon0 < 700:
            return math.exp(self.epsilon0) * alpha
        with np.errstate(divide="ignore"):
            return np.exp(self.epsilon0 + np.log(alpha))

    def _lower(self, alpha: Floats, co: Floats) -> Floats:
        """beta from the vertex at e^−eps0/2 on."""
        shrink = math.exp(-self.epsilon0)
        with np.errstate(divide="ignore", over="ignore"):
            if self.epsilon0 > 700:  # it underflows, though its multiples need not
                return np.exp(np.where(alpha > 0.5, np.log(co), -np.log(4 * alpha)) - self.epsilon0)
            return np.where(alpha > 0.5, shrink * co, shrink / (4 * alpha))

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

    def _mirrored(self) -> TradeOff:
        return self

    def _max_loss(self) -> tuple[float, float]:
        return quotient_ends(self.epsilon0)

    def _auc(self) -> tuple[float, float]:
        e = self.epsilon0
        # 1 − e^−e(2 + e)/4, written as ½ plus a term so that a small e keeps its digits
        return 0.5 - 0.5 * math.expm1(-e) - 0.25 * e * math.exp(-e), 4e-16

    def _mu(self) -> tuple[float, float]:
        low, high = (laplace_mu(bound) if bound < math.inf else math.inf for bound in self._max_loss())
        return max(low * (1 - 1e-14) - 2 * LEAST, 0.0), high * (1 + 1e-14) + 2 * LEAST

    def _renyi(self, order: float) -> float:
        return exponential_divergence(self.epsilon0, order)

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        return 3e-14, LEAST  # unlike the curve, the divergence does not amplify the rounding of eps0


def laplace_mu(epsilon0: float) -> float:
    """−2Φ⁻¹(e^{−eps0/2}/2), computed by the inverse that keeps its digits."""
    if epsilon0 < 2:
        return 2 * math.sqrt(2) * float(erfinv(-math.expm1(-epsilon0 / 2)))
    return -2 * float(ndtri(math.exp(-epsilon0 / 2) / 2) if epsilon0 < 1300 else ndtri_exp(-epsilon0 / 2 - math.log(2)))
