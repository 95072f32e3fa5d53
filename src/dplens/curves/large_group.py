"""Groups that are too large to be walked one record at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens._numerics.enclosure import Bounds
from dplens._numerics.quotients import multiple_above
from dplens.curves.base import MILD, RISKY, Floats, TradeOff
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.piecewise import PiecewiseCurve
from dplens.estimate import Certificate

_LARGEST_MU = 1e150  # beyond, its square is no float
NO_PRIVACY = PiecewiseCurve(np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([math.inf, -math.inf]))


@dataclass(frozen=True, eq=False)
class LargeGroup(TradeOff):
    """A group of ``size`` records under the symmetric curve ``base``, between two curves that are quickly known.

    No safer than a small group, ``mild``. No riskier than ``risky``: base ≥ G_mu makes the curve of the group lie above
    G_{size·mu} (Dong, Roth & Su 2022, Theorem 2.14); without such a mu everything may be told.
    """

    base: TradeOff
    size: int
    risky: TradeOff
    mild: TradeOff

    @classmethod
    def of(cls, base: TradeOff, size: int, mild: TradeOff) -> LargeGroup:
        """``mild``: the curve of a smaller group."""
        mu = base._mu()[1]
        mu = multiple_above(mu, size) if 0 < mu < math.inf else math.inf
        return cls(base, size, GaussianCurve(mu) if mu < _LARGEST_MU else NO_PRIVACY, mild)

    def _of(self, side: int) -> TradeOff:
        return self.mild if side == MILD else self.risky

    @property
    def certificate(self) -> Certificate:
        high, low = (float(self.bounded_profile(side, np.zeros(1))[0]) for side in (RISKY, MILD))
        width = max((high - low) / max(high, 1e-300) / 2, self.base.certificate.tolerance)
        note = "a large group, between a small one and its Gaussian bound; width at epsilon 0"
        return Certificate(self.base.certificate.route, width, note)

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(self.risky.rounding, self.mild.rounding)

    def proof(self, side: int) -> float:
        return self._of(side).proof(side)

    def bounded_power(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._of(side).bounded_power(side, alpha, co)

    def bounded_beta(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._of(side).bounded_beta(side, alpha, co)

    def bounded_profile(self, side: int, epsilon: Floats) -> Floats:
        found = self._of(side).bounded_profile(side, epsilon)
        return np.where(epsilon >= self._max_loss()[1], self.proof(side), found) if side == RISKY else found

    def bounded_error(self, side: int, loss: Floats) -> Floats:
        return self._of(side).bounded_error(side, loss)

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        found = self._of(side).bounded_epsilon(side, delta)
        pure = side == RISKY and self.base.proof(RISKY) == 0
        return np.minimum(found, self._max_loss()[1]) if pure else found

    # ---- what has no side is read from the risky one --------------------------------------------------

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self.risky._power(alpha, co)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self.risky._beta(alpha, co)

    def _profile(self, epsilon: Floats) -> Floats:
        return self.risky._profile(epsilon)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self.risky._log_slope(alpha, co)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.risky._rates(loss)

    def _mirrored(self) -> TradeOff:
        return self

    def _max_loss(self) -> tuple[float, float]:
        high = self.base._max_loss()[1]
        return self.mild._max_loss()[0], high if math.isinf(high) else multiple_above(high, self.size)

    def _power_at_zero(self) -> float:
        return self.risky._power_at_zero()

    def _auc(self) -> tuple[float, float]:
        (high, above), (low, below) = self.risky._auc(), self.mild._auc()
        return (high + low) / 2, max(high - low, 0.0) / 2 + above + below

    def _mu(self) -> tuple[float, float]:
        mu = self.risky._mu()[1]
        return min(self.base._mu()[0], mu), mu

    def _renyi(self, order: float) -> float:
        return self.risky._renyi(order)

    def renyi_bounds(self, order: float) -> Bounds:
        return Bounds(self.base.renyi_bounds(order).lo, self.risky.renyi_bounds(order).hi)
