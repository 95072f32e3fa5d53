"""A curve that answers only where its bracket is as narrow as was asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dplens._numerics.enclosure import Bounds, Enclosure
from dplens.curves.base import Floats, TradeOff
from dplens.errors import ToleranceNotMet
from dplens.estimate import Certificate


@dataclass(frozen=True, eq=False)
class GuardedCurve(TradeOff):
    """Every reading is taken from both sides; where these differ by more than the tolerance, an error says by how much.

    Power, beta and delta are compared relatively, epsilon absolutely.
    """

    base: TradeOff
    tolerance: float

    def _checked(self, what: str, at: Floats, found: Enclosure, *, relative: bool = True) -> Enclosure:
        with np.errstate(invalid="ignore"):
            apart = np.where(found.hi == found.lo, 0.0, found.hi - found.lo)
            width = apart / np.maximum(found.hi, 1e-300) if relative else apart
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
        return found

    def power_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        return self._checked("power", alpha, self.base.power_bounds(alpha, co))

    def beta_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        return self._checked("beta", alpha, self.base.beta_bounds(alpha, co))

    def profile_bounds(self, epsilon: Floats) -> Enclosure:
        return self._checked("delta", epsilon, self.base.profile_bounds(epsilon))

    def error_bounds(self, loss: Floats) -> Enclosure:
        return self._checked("the error sum", loss, self.base.error_bounds(loss))

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        return self._checked("epsilon", delta, self.base.epsilon_bounds(delta), relative=False)

    # ---- everything else is the base's ----------------------------------------------------------------

    @property
    def _certificate(self) -> Certificate:
        inner = self.base.certificate
        return replace(inner, tolerance=min(inner.tolerance, self.tolerance))

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.rounding

    @property
    def input_rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.input_rounding

    @property
    def is_costly(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.is_costly

    def infinity_mass(self) -> Bounds:
        return self.base.infinity_mass()

    def profile_upper(self, epsilon: Floats, enough: Floats | float = math.inf) -> Floats:
        return self.base.profile_upper(epsilon, enough)

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
        self._checked("AUC", np.ones(1), Enclosure(np.array([value - error]), np.array([value + error])))
        return value, error

    def _mu(self) -> tuple[float, float]:
        low, high = self.base._mu()
        self._checked("mu", np.ones(1), Enclosure(np.array([low]), np.array([high])), relative=False)
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
