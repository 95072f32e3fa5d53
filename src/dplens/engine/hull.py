"""Both directions of a composed release at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplens._numerics.sharing import cached_property
from dplens.curves.base import MILD, RISKY, Floats
from dplens.curves.hull import HullCurve
from dplens.engine.curve import ContourCurve
from dplens.engine.leading import read_by_leading
from dplens.engine.readings import BESIDE, CLOSER, EXACT, ROUGH

_CLEARLY = 1 - 1e-9
_MANY = 100  # points from which a table of thresholds pays
_TIE = 1e-14  # relative: both directions agree at slope −1


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
            return self._mild(alpha, co, beta)
        proof = self.proof(side)
        out = np.where(alpha <= 0, 1 - proof if beta else proof, 0.0 if beta else 1.0)
        inner = np.flatnonzero((alpha > 0) & (co > max(c.inverse()._power_at_zero() for c in self.parts)))
        if len(inner):
            alpha, co = alpha[inner], co[inner]
            out[inner] = self._steepest(alpha, co)[1 if beta else 0]
        return out

    def _mild(self, alpha: Floats, co: Floats, beta: bool) -> Floats:
        """Any part shows what at least can be found, so only where the leading one shows too little are all asked."""
        if self._ordered is None:
            return super()._stretch(MILD, alpha, co, beta)
        lead, other = self._ordered
        start, end = lead.corner()
        out = self._stretch(RISKY, alpha, co, beta)
        wide = (alpha > start) & (alpha < end)
        for part, mine in ((lead, alpha <= start), (other, alpha >= end)):
            index = np.flatnonzero(mine)
            if len(index):
                read = part.bounded_beta if beta else part.bounded_power
                known = read(MILD, alpha[index], co[index])
                small = np.minimum(np.minimum(known, out[index]), np.maximum(1 - np.maximum(known, out[index]), 0.0))
                wide[index] = np.abs(known - out[index]) > (1 - _CLEARLY) * small
                out[index] = known
        if wide.any():
            out[wide] = super()._stretch(MILD, alpha[wide], co[wide], beta)
        return out

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        """The larger delta; the lesser direction is asked only where a rough bound does not settle it."""
        if self._ordered is None:
            return super()._profile_on(side, epsilon)
        lead, other = self._ordered
        found = lead.bounded_profile(side, epsilon)
        open_ = np.flatnonzero(epsilon > 0)  # at 0 both are the total variation
        if len(open_):
            open_ = open_[other.profile_bound(epsilon[open_], found[open_]) > found[open_]]
        if len(open_):
            found[open_] = np.maximum(found[open_], other.bounded_profile(side, epsilon[open_]))
        return found

    def _steepest(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power and beta by tangents, where possible without looking for arcs.

        If one direction is the riskier for all losses above 0, the hull is its curve down to slope −1, a straight line,
        and the mirror image. That is assumed, and what the tangents show tells whether it was so.
        """
        if self._ordered is not None and len(alpha) > _MANY:
            found = read_by_leading(self._ordered[0], alpha, co)
            if found is not None:
                power, beta, dim = found
                if len(dim):
                    power[dim], beta[dim] = self._one_by_one(alpha[dim], co[dim])
                return power, beta
        return self._one_by_one(alpha, co)

    def _one_by_one(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        if self._ordered is not None:
            lead, other = self._ordered
            start, end = lead.corner()
            e = np.zeros_like(alpha)
            for part, mine in ((lead, np.flatnonzero(alpha < start)), (other, np.flatnonzero(alpha > end))):
                if len(mine):
                    e[mine] = part._log_slope(alpha[mine], co[mine])
            power, beta, as_assumed = self._tangents(e, alpha, co)
            if as_assumed:
                return power, beta
        return self._tangents(self._log_slope(alpha, co), alpha, co)[:2]

    @cached_property
    def _ordered(self) -> tuple[ContourCurve, ContourCurve] | None:
        """Of mirror images first the one that is riskier for all losses above 0, or nearly so; None for other parts."""
        first, second = self.parts
        if not (isinstance(first, ContourCurve) and isinstance(second, ContourCurve) and first.inverse() is second):
            return None
        return (first, second) if first.leans_right() else (second, first)

    def _compared(self, reach: float) -> tuple[Floats, Floats]:
        if self._ordered is None:
            return super()._compared(reach)
        lead, other = self._ordered
        up = np.unique(lead.last_sound(np.unique(np.abs(np.append(lead.losses_within(reach), 0.0)))))
        ahead = lead.bounded_profile(RISKY, up)
        behind = other.profile_bound(up, ahead * _CLEARLY)
        open_ = np.flatnonzero(behind > ahead * _CLEARLY)
        behind[open_] = other.bounded_profile(RISKY, up[open_])
        table = np.array([ahead, behind] if lead is self.parts[0] else [behind, ahead])
        return np.concatenate([-up[:0:-1], up]), np.concatenate([table[::-1, :0:-1], table], axis=1)

    def _tangents(self, e: Floats, alpha: Floats, co: Floats) -> tuple[Floats, Floats, bool]:
        """Power and beta by the riskier part; what takes longer is done only where a rough bound does not settle it.

        Also whether the part that comes first for its sign of e was the riskier one throughout.
        """
        parts = self._ordered or [part for part in self.parts if isinstance(part, ContourCurve)]
        power, beta = alpha.copy(), co.copy()
        as_assumed = True
        first = np.where(e >= 0, 0, 1)
        for i, part in enumerate(parts):
            index = np.flatnonzero(first == i)
            if len(index):
                power[index], beta[index] = part.tangent(e[index], alpha[index], co[index])
        for i, part in enumerate(parts):
            open_ = np.flatnonzero(first != i)
            for how in (BESIDE, ROUGH, CLOSER, EXACT):
                if not len(open_):
                    break
                above, below = part.tangent(e[open_], alpha[open_], co[open_], how)
                riskier = (above > power[open_] * (1 + _TIE)) | (below < beta[open_] * (1 - _TIE))
                if how == EXACT:
                    as_assumed = as_assumed and bool(np.all(above * _CLEARLY <= power[open_]))
                    riskier[:] = False
                done = open_[~riskier]
                power[done] = np.maximum(power[done], above[~riskier])
                beta[done] = np.minimum(beta[done], below[~riskier])
                open_ = open_[riskier]
        return power, beta, as_assumed
