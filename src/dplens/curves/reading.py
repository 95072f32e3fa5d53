"""One side of a curve's bracket, as plain numbers: what a question is asked of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from dplens._numerics.sharing import remembered
from dplens.curves.base import MILD, RISKY, Floats, TradeOff

_KEPT = 256  # points of a curve that are remembered: several questions ask for the same few


def _one(value: float) -> np.ndarray:
    return np.array([value], dtype=float)


@dataclass(frozen=True)
class Reading:
    """A curve read on its risky side (no less risk than the truth) or its mild side (no more).

    Every question grows (or every question falls) when the curve falls, so evaluating a question on both
    readings brackets its true value.
    """

    curve: TradeOff
    side: int = RISKY

    def power(self, alpha: float) -> float:
        """True-positive rate at false-positive rate alpha."""
        return self._point(self.curve, "bounded_power", alpha, 1 - alpha)

    def beta(self, alpha: float) -> float:
        """False-negative rate at false-positive rate alpha."""
        return self._point(self.curve, "bounded_beta", alpha, 1 - alpha)

    def fpr_for_power(self, power: float) -> float:
        """The least false-positive rate that reaches the given power."""
        return self._point(self.curve.inverse(), "bounded_beta", 1 - power, power)

    def fpr_for_beta(self, beta: float) -> float:
        """The least false-positive rate of a test that misses at most ``beta``."""
        return self._point(self.curve.inverse(), "bounded_beta", beta, 1 - beta)

    def _point(self, curve: TradeOff, name: str, at: float, co: float) -> float:
        """One point of a curve, remembered with the curve: a prior moves none of them."""
        known = vars(curve).setdefault("_points_read", {})
        key = name, self.side, at, co
        found = known.get(key)
        if found is None:
            read = partial(getattr(curve, name), self.side, _one(at), _one(co))
            found = remembered(known, key, lambda: float(read()[0]), _KEPT)
        return found

    def delta(self, epsilon: float) -> float:
        """sup over alpha of power − e^epsilon·alpha, for any real epsilon."""
        return float(self.curve.bounded_profile(self.side, _one(epsilon))[0])

    def error(self, loss: float) -> float:
        """min over alpha of beta + e^loss·alpha for loss ≥ 0: 1 − delta(loss) with relative accuracy."""
        return float(self.curve.bounded_error(self.side, _one(loss))[0])

    def deltas(self, epsilon: Floats) -> Floats:
        """:meth:`delta` of many epsilons at once."""
        return self.curve.bounded_profile(self.side, epsilon)

    def epsilon(self, delta: float) -> float:
        """The least epsilon ≥ 0 with delta(epsilon) ≤ delta."""
        return float(self.curve.bounded_epsilon(self.side, _one(delta))[0])

    def max_ratio(self) -> float:
        """sup over alpha of power/alpha: the largest likelihood ratio e^epsilon(0)."""
        loss = self.max_loss()
        return math.exp(loss) if loss < 709 else (math.inf if self.side == RISKY or math.isinf(loss) else math.exp(709))

    def max_loss(self) -> float:
        """The largest log-likelihood ratio; infinite when some output proves H1."""
        if self.curve._power_at_zero() > 0:
            return math.inf
        return self.curve._max_loss()[0 if self.side == MILD else 1]

    def auc(self) -> float:
        """Area under the ROC curve."""
        value, error = self.curve._auc()
        return min(max(value + self.side * error, 0.5), 1.0)

    def mu(self) -> float:
        """The tightest Gaussian-DP parameter."""
        return self.curve._mu()[0 if self.side == MILD else 1]

    def renyi(self, order: float) -> float:
        """Rényi divergence."""
        return self.curve.bounded_renyi(self.side, order)
