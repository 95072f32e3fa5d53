"""One end of a curve as plain numbers, on which questions are evaluated."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dplens.numerics.enclosure import Enclosure, Floats
from dplens.numerics.sharing import remembered

if TYPE_CHECKING:
    from dplens.curves.base import TradeOff

_KEPT = 256  # cached points per curve: several questions use the same few


def _one(value: float) -> np.ndarray:
    return np.array([value], dtype=float)


@dataclass(frozen=True)
class Reading:
    """One end of a curve as plain numbers; ``upper`` never understates the risk, the other end never overstates it.

    Questions are monotone in the curve, so evaluating one on both readings brackets its true value.
    """

    curve: TradeOff
    upper: bool = True

    def inverse(self) -> Reading:
        """The same end with the two worlds exchanged."""
        return Reading(self.curve.inverse(), self.upper)

    def power(self, alpha: float) -> float:
        """True-positive rate at false-positive rate alpha."""
        return self._point(self.curve, "power", alpha, 1 - alpha, self.upper)

    def beta(self, alpha: float) -> float:
        """False-negative rate at false-positive rate alpha."""
        return self._point(self.curve, "beta", alpha, 1 - alpha, not self.upper)

    def fpr_for_power(self, power: float) -> float:
        """The smallest false-positive rate that reaches the given power."""
        return self._point(self.curve.inverse(), "beta", 1 - power, power, not self.upper)

    def fpr_for_beta(self, beta: float) -> float:
        """The smallest false-positive rate of a test with false-negative rate at most ``beta``."""
        return self._point(self.curve.inverse(), "beta", beta, 1 - beta, not self.upper)

    def _point(self, curve: TradeOff, what: str, at: float, co: float, high: bool) -> float:
        """One point of a curve, cached with the curve, since it does not depend on a prior."""

        def read() -> Enclosure:
            bounds = curve.power_bounds if what == "power" else curve.beta_bounds
            return curve.within(what, _one(at), bounds(_one(at), _one(co)))

        known = vars(curve).setdefault("_points_read", {})
        return float(remembered(known, (what, at, co), read, _KEPT).end(high)[0])

    def delta(self, epsilon: float) -> float:
        """sup over alpha of power − e^epsilon·alpha, for any real epsilon."""
        return float(self.deltas(_one(epsilon))[0])

    def deltas(self, epsilon: Floats) -> Floats:
        """:meth:`delta` at many epsilons."""
        return self.curve.within("delta", epsilon, self.curve.profile_bounds(epsilon)).end(self.upper)

    def error(self, loss: float) -> float:
        """min over alpha of beta + e^loss·alpha for loss ≥ 0: 1 − delta(loss) with relative accuracy."""
        found = self.curve.within("the error sum", _one(loss), self.curve.error_bounds(_one(loss)))
        return float(found.end(not self.upper)[0])

    def epsilon(self, delta: float) -> float:
        """The smallest epsilon ≥ 0 with delta(epsilon) ≤ delta."""

        def read() -> Enclosure:
            return self.curve.within("epsilon", _one(delta), self.curve.epsilon_bounds(_one(delta)))

        known = vars(self.curve).setdefault("_epsilons_read", {})
        return float(remembered(known, delta, read, _KEPT).end(self.upper)[0])

    def max_ratio(self) -> float:
        """sup over alpha of power/alpha: the largest likelihood ratio e^epsilon(0)."""
        loss = self.max_loss()
        return math.exp(loss) if loss < 709 else (math.inf if self.upper or math.isinf(loss) else math.exp(709))

    def max_loss(self) -> float:
        """The largest privacy loss; infinite if some output proves H1."""
        if self.curve._power_at_zero() > 0:
            return math.inf
        return self.curve._max_loss()[self.upper]

    @property
    def is_searched(self) -> bool:
        """Whether every delta takes a search over alpha."""
        return self.curve.searches_profile

    def largest(self, what: str, score: Callable[[Floats, Floats], Floats]) -> float:
        """The largest score of power and alpha, which rises with power and whose level sets are lines."""
        from dplens.curves.readings.profile import largest

        def objective(power: Floats, alpha: Floats, *_: object) -> Floats:
            return np.atleast_2d(score(power, alpha))

        found = largest(self.curve, objective, _one(0.0))
        return float(self.curve.within(what, _one(1.0), found).end(self.upper)[0])

    def auc(self) -> float:
        """Area under the ROC curve."""
        value, error = self.curve._auc()
        found = self.curve.within("AUC", _one(1.0), Enclosure(_one(value - error), _one(value + error)))
        return float(np.clip(found.end(self.upper)[0], 0.5, 1.0))

    def mu(self) -> float:
        """The tightest Gaussian-DP parameter."""
        low, high = remembered(vars(self.curve), "_mu_read", self.curve._mu)
        return float(self.curve.within("mu", _one(1.0), Enclosure(_one(low), _one(high))).end(self.upper)[0])

    def renyi(self, order: float) -> float:
        """Rényi divergence."""
        known = vars(self.curve).setdefault("_divergences_read", {})
        return remembered(known, order, lambda: self.curve.renyi_bounds(order), _KEPT)[self.upper]
