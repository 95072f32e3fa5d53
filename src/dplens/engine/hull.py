"""Both directions of a composed release at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplens.curves.base import RISKY, Floats
from dplens.curves.hull import HullCurve
from dplens.engine.curve import ContourCurve


@dataclass(frozen=True, eq=False)
class ContourHull(HullCurve):
    """Hull of a composition's curve and its mirror image.

    Whatever the threshold e, the line of slope −e^e through the larger of both deltas lies below both curves. So one
    threshold a point serves, and the risky side is safe even where the arcs are not found exactly.
    """

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return np.clip(super()._power(alpha, co), alpha, 1.0)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return np.clip(super()._beta(alpha, co), 0.0, co)

    def _stretch(self, side: int, alpha: Floats, co: Floats, beta: bool) -> Floats:
        if side != RISKY:
            return super()._stretch(side, alpha, co, beta)
        proof = self.proof(side)
        out = np.where(alpha <= 0, 1 - proof if beta else proof, 0.0 if beta else 1.0)
        inner = np.flatnonzero((alpha > 0) & (co > max(c.inverse()._power_at_zero() for c in self.parts)))
        if len(inner):
            alpha, co = alpha[inner], co[inner]
            out[inner] = self._tangents(self._log_slope(alpha, co), alpha, co)[1 if beta else 0]
        return out

    def _compared(self, reach: float) -> tuple[Floats, Floats]:
        first, second = self.parts
        if not (isinstance(first, ContourCurve) and isinstance(second, ContourCurve) and first.inverse() is second):
            return super()._compared(reach)
        up = np.unique(np.abs(np.append(first.losses_within(reach), 0.0)))
        # of mirror images one is the riskier for all losses above 0, or nearly so
        lead = int(np.argmax([np.sum(part.profile_bound(up)) for part in (first, second)]))
        up = np.unique((first, second)[lead].last_sound(up))
        ahead = np.array([part.profile_bound(up) for part in self.parts])
        ahead[lead] = self.parts[lead].bounded_profile(RISKY, up)
        open_ = np.flatnonzero(ahead[1 - lead] > ahead[lead] * (1 - 1e-9))
        ahead[1 - lead, open_] = self.parts[1 - lead].bounded_profile(RISKY, up[open_])
        return np.concatenate([-up[:0:-1], up]), np.concatenate([ahead[::-1, :0:-1], ahead], axis=1)

    def _tangents(self, e: Floats, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power and beta by the riskier part; what takes longer is done only where a rough bound does not settle it."""
        parts = [part for part in self.parts if isinstance(part, ContourCurve)]
        bounds = [part.tangent(e, alpha, co, rough=True) for part in parts]
        power, beta = alpha.copy(), co.copy()
        first = np.argmax([p for p, _ in bounds], axis=0)  # most likely the riskier one

        def include(i: int, index: np.ndarray) -> None:
            exact = parts[i].tangent(e[index], alpha[index], co[index])
            power[index], beta[index] = np.maximum(power[index], exact[0]), np.minimum(beta[index], exact[1])

        for i in range(len(parts)):
            include(i, np.flatnonzero(first == i))
        for i in range(len(parts)):
            open_ = np.flatnonzero((first != i) & ~((bounds[i][0] <= power) & (bounds[i][1] >= beta)))
            include(i, open_)
        return power, beta
