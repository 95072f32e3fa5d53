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

    def _tangents(self, e: Floats, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power and beta by the riskier part; what takes long is done only where a rough bound does not settle it."""
        parts = [part for part in self.parts if isinstance(part, ContourCurve)]
        reads = [part.tangent(e, alpha, co, rough=True) for part in parts]
        for i, part in enumerate(parts):
            others = reads[:i] + reads[i + 1 :]
            settled = np.any([(reads[i][0] <= p) & (reads[i][1] >= b) for p, b in others], axis=0)
            open_ = np.flatnonzero(part.lacks_line(e) & ~settled)
            if len(open_):
                exact = part.tangent(e[open_], alpha[open_], co[open_])
                reads[i][0][open_], reads[i][1][open_] = exact
        return np.max([p for p, _ in reads], axis=0), np.min([b for _, b in reads], axis=0)
