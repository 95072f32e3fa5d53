"""A curve that answers only where its bracket is as narrow as was asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens.curves.base import MILD, RISKY, Floats, TradeOff
from dplens.errors import ToleranceNotMet
from dplens.estimate import Certificate


@dataclass(frozen=True, eq=False)
class GuardedCurve(TradeOff):
    """Every reading is taken from both sides; where these differ by more than the tolerance, an error says by how much.

    Power, beta and delta are compared relatively, epsilon absolutely.
    """

    base: TradeOff
    tolerance: float

    def _checked(self, what: str, side: int, at: Floats, read: Callable[[int], Floats], *, relative: bool) -> Floats:
        risky, mild = read(RISKY), read(MILD)
        with np.errstate(invalid="ignore"):
            apart = np.where(risky == mild, 0.0, np.abs(risky - mild))
            size = np.maximum(np.maximum(np.abs(risky), np.abs(mild)), 1e-300) if relative else 1.0
            width = apart / size
        wide = np.flatnonzero(~(width <= self.tolerance))
        if len(wide):
            worst = wide[np.argmax(width[wide])]
            kind = "relatively " if relative else ""
            raise ToleranceNotMet(
                f"Expected {what} at {at[worst]:.6g} to be known {kind}to tolerance = {self.tolerance:g}, "
                f"got a bracket of width {width[worst]:.2g} (route {self.base.certificate.route!r}). "
                "Ask for a larger tolerance, or leave it out and read both ends from a question's Estimate.",
                float(width[worst]),
            )
        return risky if side == RISKY else mild

    def bounded_power(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._checked("power", side, alpha, lambda s: self.base.bounded_power(s, alpha, co), relative=True)

    def bounded_beta(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._checked("beta", side, alpha, lambda s: self.base.bounded_beta(s, alpha, co), relative=True)

    def bounded_profile(self, side: int, epsilon: Floats) -> Floats:
        return self._checked("delta", side, epsilon, lambda s: self.base.bounded_profile(s, epsilon), relative=True)

    def bounded_error(self, side: int, loss: Floats) -> Floats:
        return self._checked("the error sum", side, loss, lambda s: self.base.bounded_error(s, loss), relative=True)

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        return self._checked("epsilon", side, delta, lambda s: self.base.bounded_epsilon(s, delta), relative=False)

    # ---- everything else is the base's ----------------------------------------------------------------

    @property
    def certificate(self) -> Certificate:
        inner = self.base.certificate
        return Certificate(inner.route, min(inner.tolerance, self.tolerance), inner.note)

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.rounding

    @property
    def input_rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.input_rounding

    @property
    def depth(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.depth

    def proof(self, side: int) -> float:
        return self.base.proof(side)

    def profile_bound(self, epsilon: Floats, enough: Floats | float = math.inf) -> Floats:
        return self.base.profile_bound(epsilon, enough)

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self.base._power(alpha, co)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self.base._beta(alpha, co)

    def _profile(self, epsilon: Floats) -> Floats:
        return self.base._profile(epsilon)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self.base._log_slope(alpha, co)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.base._rates(loss)

    def _mirrored(self) -> TradeOff:
        return self if self.base.inverse() is self.base else GuardedCurve(self.base.inverse(), self.tolerance)

    def _max_loss(self) -> tuple[float, float]:
        return self.base._max_loss()

    def _power_at_zero(self) -> float:
        return self.base._power_at_zero()

    def _auc(self) -> tuple[float, float]:
        value, error = self.base._auc()
        self._checked("AUC", RISKY, np.ones(1), lambda s: np.array([value + s * error]), relative=True)
        return value, error

    def _mu(self) -> tuple[float, float]:
        low, high = self.base._mu()
        self._checked("mu", RISKY, np.ones(1), lambda s: np.array([high if s == RISKY else low]), relative=False)
        return low, high

    def _renyi(self, order: float) -> float:
        return self.base._renyi(order)

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        return self.base.renyi_rounding(order)

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        return self.base._expect(function, present)

    def _components(self) -> tuple[TradeOff, ...]:
        return self.base._components()

    def refined(self, tolerance: float) -> Any:
        return GuardedCurve(self.base.refined(tolerance), tolerance)
