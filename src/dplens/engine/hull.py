"""Both directions of a composed release at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens._numerics.enclosure import Enclosure, opposed
from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats
from dplens.curves.hull import HullCurve
from dplens.engine.curve import ContourCurve
from dplens.engine.leading import read_by_leading
from dplens.engine.readings import BESIDE, CLOSER, EXACT, ROUGH

_CLEARLY = 1 - 1e-9
_ENOUGH = 1e-6  # relative width of a bracket from which the other direction is asked as well
_MANY = 100  # points from which a table of thresholds pays
_TIE = 1e-14  # relative: both directions agree at slope −1


@dataclass(frozen=True, eq=False)
class ContourHull(HullCurve):
    """Hull of a composition's curve and its mirror image.

    Whatever the threshold e, the line of slope −e^e through the larger of both deltas lies below both curves. So one
    threshold a point serves, and the risky side is safe even where the arcs are not found exactly.
    """

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        ends = opposed(lambda: self._from_tangents(alpha, co), lambda: self._from_parts(alpha, co, ends))
        return ends

    def _from_tangents(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from above and beta from below."""
        mass = self.infinity_mass().hi
        power, beta = np.where(alpha <= 0, mass, 1.0), np.where(alpha <= 0, 1 - mass, 0.0)
        inner = np.flatnonzero((alpha > 0) & (co > max(c.inverse()._power_at_zero() for c in self.parts)))
        if len(inner):
            power[inner], beta[inner] = self._steepest(alpha[inner], co[inner])
        return power, beta

    def _from_parts(self, alpha: Floats, co: Floats, known: tuple[Enclosure, Enclosure]) -> tuple[Floats, Floats]:
        """Power from below and beta from above.

        Any part shows what at least can be found, so only where the leading one shows too little are all asked.
        """
        if self._ordered is None:
            return self._from_all(alpha, co)
        lead, other = self._ordered
        start, end = lead.corner()
        above, below = known[0].hi, known[1].lo
        power, beta = above.copy(), below.copy()
        for part, mine in ((lead, alpha <= start), (other, alpha >= end)):
            index = np.flatnonzero(mine)
            if len(index):
                found = part.both_bounds(alpha[index], co[index])
                power[index], beta[index] = found[0].lo, found[1].hi
        line = np.flatnonzero((alpha > start) & (alpha < end))
        if len(line):
            power[line], beta[line] = self._between_corners(lead, start, alpha[line], co[line])
        gap = np.minimum(np.abs(power - above), np.abs(beta - below))
        wide = gap > _ENOUGH * np.minimum(power, below)
        if wide.any():
            power[wide], beta[wide] = self._from_all(alpha[wide], co[wide])
        return power, beta

    def _between_corners(self, lead: ContourCurve, start: float, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """On the straight line of slope −1: coins between a test of the leading direction and its mirror image."""
        power, beta = lead.both_bounds(np.array([start]), np.array([1 - start]))
        gain, least = float(power.lo[0]) - start, float(beta.hi[0])
        on_line = alpha <= least
        gained = np.where(on_line, alpha + gain * (1 - 1e-15), alpha) * (1 - 1e-15)
        return gained, np.where(on_line, np.minimum((least + start) * (1 + 1e-15) - alpha + 1e-16, co), co)

    def _from_all(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        power, beta = super()._enclose_both(alpha, co)
        return power.lo, beta.hi

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        """The larger delta; the lesser direction is asked only where a rough bound does not settle it."""
        if self._ordered is None:
            return super()._enclose_profile(epsilon)
        lead, other = self._ordered
        led = lead.profile_bounds(epsilon)

        def end(read: Callable[[Enclosure], Floats]) -> Floats:
            found = read(led).copy()
            open_ = np.flatnonzero(epsilon > 0)  # at 0 both are the total variation
            if len(open_):
                open_ = open_[other.profile_upper(epsilon[open_], found[open_]) > found[open_]]
            if len(open_):
                found[open_] = np.maximum(found[open_], read(other.profile_bounds(epsilon[open_])))
            return found

        return Enclosure(lambda: end(lambda delta: delta.lo), lambda: end(lambda delta: delta.hi))

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
        ahead = lead.profile_bounds(up).hi
        behind = other.profile_upper(up, ahead * _CLEARLY)
        open_ = np.flatnonzero(behind > ahead * _CLEARLY)
        behind[open_] = other.profile_bounds(up[open_]).hi
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
            open_ = np.flatnonzero((first != i) & (e != 0))  # at 0 both are the total variation
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
