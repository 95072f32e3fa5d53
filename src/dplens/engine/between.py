"""A curve known only to lie between two others."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens.curves.base import RISKY, Floats, TradeOff
from dplens.curves.profile_lines import imports_among
from dplens.estimate import Certificate


@dataclass(frozen=True, eq=False)
class BetweenCurve(TradeOff):
    """risky ≤ f ≤ mild: each side of a bracket is read from the curve that bounds it. ``steps`` are the true ones."""

    risky: TradeOff
    mild: TradeOff
    steps: tuple[tuple[TradeOff, int], ...]
    route: str
    ceiling: Callable[[Floats], Floats] | None = None  # another bound on epsilon(delta), of both directions

    def _of(self, side: int) -> TradeOff:
        return self.risky if side == RISKY else self.mild

    @property
    def certificate(self) -> Certificate:
        high, low = (float(self.bounded_profile(side, np.zeros(1))[0]) for side in (RISKY, -RISKY))
        width = (high - low) / max(high, 1e-300) / 2
        found = Certificate(self.route, max(width, 1e-12), "between two curves; width at epsilon 0")
        return imports_among(self.steps, found)

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(self.risky.rounding, self.mild.rounding)

    @property
    def depth(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.risky.depth

    def proof(self, side: int) -> float:
        return self._of(side).proof(side)

    def bounded_power(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._of(side).bounded_power(side, alpha, co)

    def bounded_beta(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._of(side).bounded_beta(side, alpha, co)

    def bounded_profile(self, side: int, epsilon: Floats) -> Floats:
        return self._of(side).bounded_profile(side, epsilon)

    def bounded_error(self, side: int, loss: Floats) -> Floats:
        return self._of(side).bounded_error(side, loss)

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        found = self._of(side).bounded_epsilon(side, delta)
        return np.minimum(found, self.ceiling(delta)) if side == RISKY and self.ceiling else found

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

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        return self.risky._expect(function, present)

    def _mirrored(self) -> TradeOff:
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        return BetweenCurve(self.risky.inverse(), self.mild.inverse(), steps, self.route, self.ceiling)

    def _max_loss(self) -> tuple[float, float]:
        low, high = (math.fsum(count * step._max_loss()[i] for step, count in self.steps) for i in (0, 1))
        return low, high

    def _power_at_zero(self) -> float:
        seen = math.fsum(count * math.log1p(-min(step._power_at_zero(), 1 - 1e-16)) for step, count in self.steps)
        return -math.expm1(seen)

    def _auc(self) -> tuple[float, float]:
        (high, above), (low, below) = self.risky._auc(), self.mild._auc()
        return (high + low) / 2, (high - low) / 2 + above + below

    def _mu(self) -> tuple[float, float]:
        most = math.hypot(*(math.sqrt(count) * step._mu()[1] for step, count in self.steps)) * (1 + 1e-14)
        return self.mild._mu()[0], min(most, self.risky._mu()[1])  # Gaussian guarantees add their squares

    def _renyi(self, order: float) -> float:
        return math.fsum(count * step._renyi(order) for step, count in self.steps)  # divergences add up

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        return max(step.renyi_rounding(order)[0] for step, _ in self.steps), 0.0
