"""Both directions of a composed release at once.

If one direction leads, that is, is the riskier for all losses above 0, the hull of both is its curve down to slope −1,
a straight line, and the mirror image of that curve. That is assumed where it saves work, and what is found tells
whether it was so. Whatever the threshold e, the line of slope −e^e through the larger of both deltas lies below both
curves: the risky side is safe in any case.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens._numerics.enclosure import Enclosure, opposed
from dplens._numerics.interpolation import hermite
from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats
from dplens.curves.hull import HullCurve
from dplens.engine.curve import ContourCurve

_CLEARLY = 1 - 1e-9
_ENOUGH = 1e-6  # relative width of a bracket from which the other direction is asked as well
_MANY = 100  # points from which a table of thresholds pays
_TIE = 1e-12  # relative: the other direction may be so much above without need for a closer look
_UNITS = 2e-15
_DIM = 0.01  # of what it is the difference of: a beta below has lost digits
# of the table of thresholds:
_PARTS = 16  # knots between neighbouring tilts
_FIRST = np.array([0.25, 0.5])  # of the way from 0 to the first of them: chords have to be short there
_APART = 1.2  # log-odds that neighbouring knots may be apart
_MORE = 0.05  # standard deviations beyond the last threshold, which is known about
_ZERO = 1e-2  # of it: means of tilts so near to an end are no knots of their own
_SMOOTH = 5e-6  # standard deviations that a knot may be off the others
_CHORD = 1e-14  # relative: rounding of chords

_Pair = tuple[ContourCurve, ContourCurve]  # the leading direction, and the other


@dataclass(frozen=True, eq=False)
class ContourHull(HullCurve):
    """Hull of a composition's curve and its mirror image."""

    @cached_property
    def _ordered(self) -> _Pair | None:
        """Of mirror images first the one that likely leads; None for other parts."""
        first, second = self.parts
        if not (isinstance(first, ContourCurve) and isinstance(second, ContourCurve) and first.inverse() is second):
            return None
        return (first, second) if first.leans_right() else (second, first)

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

    def _compared(self, reach: float) -> tuple[Floats, Floats]:
        if self._ordered is None:
            return super()._compared(reach)
        lead, other = self._ordered
        up = lead.losses_within(reach)
        ahead = lead.profile_bounds(up).hi
        behind = other.profile_upper(up, ahead * _CLEARLY)
        open_ = np.flatnonzero(behind > ahead * _CLEARLY)
        behind[open_] = other.profile_bounds(up[open_]).hi
        table = np.array([ahead, behind] if lead is self.parts[0] else [behind, ahead])
        return np.concatenate([-up[:0:-1], up]), np.concatenate([table[::-1, :0:-1], table], axis=1)

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        pair = self._ordered
        if pair is None:
            return super()._enclose_both(alpha, co)
        ends = opposed(lambda: self._from_tangents(pair, alpha, co), lambda: self._from_parts(pair, alpha, co, ends))
        return ends

    # ---- power from above and beta from below ---------------------------------------------------------

    def _from_tangents(self, pair: _Pair, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        mass = self.infinity_mass().hi
        power, beta = np.where(alpha <= 0, mass, 1.0), np.where(alpha <= 0, 1 - mass, 0.0)
        inner = np.flatnonzero((alpha > 0) & (co > max(c.inverse()._power_at_zero() for c in self.parts)))
        if len(inner) > _MANY and (found := self._from_table(pair, alpha[inner], co[inner])) is not None:
            power[inner], beta[inner], dim = found
            inner = inner[dim]
        if len(inner):
            power[inner], beta[inner] = self._one_by_one(pair, alpha[inner], co[inner])
        return power, beta

    def _one_by_one(self, pair: _Pair, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """By a threshold for each point; arcs are looked for only if no direction leads."""
        lead, other = pair
        start, end = lead.corner()
        e = np.zeros_like(alpha)
        for part, mine in ((lead, np.flatnonzero(alpha < start)), (other, np.flatnonzero(alpha > end))):
            if len(mine):
                e[mine] = part._log_slope(alpha[mine], co[mine])
        power, beta, leads = self._tangents(pair, e, alpha, co)
        return (power, beta) if leads else self._tangents(pair, self._log_slope(alpha, co), alpha, co)[:2]

    def _tangents(self, pair: _Pair, e: Floats, alpha: Floats, co: Floats) -> tuple[Floats, Floats, bool]:
        """Power and beta by the riskier direction, and whether that was the leading one throughout."""
        lead, other = pair
        power, beta, up = alpha.copy(), co.copy(), e >= 0
        for part, mine in ((lead, np.flatnonzero(up)), (other, np.flatnonzero(~up))):
            if len(mine):
                power[mine], beta[mine] = part.tangent(e[mine], alpha[mine], co[mine])
        some = np.flatnonzero(e != 0)  # at 0 both are the total variation
        if not len(some):
            return power, beta, True
        x = np.abs(e[some])
        ahead = lead.profile_bounds(x).hi
        open_ = np.flatnonzero(~(other.profile_upper(x, ahead) <= ahead * (1 + _TIE)))
        for part, mine in ((other, some[open_][up[some[open_]]]), (lead, some[open_][~up[some[open_]]])):
            if len(mine):
                above, below = part.tangent(e[mine], alpha[mine], co[mine])
                power[mine], beta[mine] = np.maximum(power[mine], above), np.minimum(beta[mine], below)
        leads = not len(open_) or bool(np.all(other.profile_bounds(x[open_]).hi * _CLEARLY <= ahead[open_]))
        return power, beta, leads

    def _from_table(self, pair: _Pair, alpha: Floats, co: Floats) -> tuple[Floats, Floats, np.ndarray] | None:
        """The same for many points, all by thresholds e ≥ 0 of the leading direction, or None.

        Last, the indices of points whose beta is so small beside what it is the difference of that digits are lost.
        """
        lead, other = pair
        found = _table(lead, alpha, co)
        if found is None:
            return None
        e, mirrored, knots, calls = found
        delta = _larger_delta(lead, other, e, knots, calls)
        if delta is None:
            return None
        slope = np.exp(e)
        # left of the straight line power ≤ delta + e^e·alpha, right of it beta ≥ e^−e·(1 − alpha − delta)
        rise = (delta + slope * alpha) * (1 + _UNITS)
        miss = (co * (1 - _UNITS) - delta) / slope
        beta = np.where(mirrored, miss, 1 - rise - _UNITS)
        dim = np.flatnonzero(beta * np.where(mirrored, slope, 1.0) < _DIM * co)
        return np.where(mirrored, 1 - miss, rise), beta, dim

    # ---- power from below and beta from above ---------------------------------------------------------

    def _from_parts(
        self, pair: _Pair, alpha: Floats, co: Floats, known: tuple[Enclosure, Enclosure]
    ) -> tuple[Floats, Floats]:
        """Any part shows what at least can be found, so only where the leading one shows too little are all asked."""
        lead, other = pair
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
            power[line], beta[line] = _between_corners(lead, start, alpha[line], co[line])
        gap = np.minimum(np.abs(power - above), np.abs(beta - below))
        wide = gap > _ENOUGH * np.minimum(power, below)
        if wide.any():
            every = super()._enclose_both(alpha[wide], co[wide])
            power[wide], beta[wide] = every[0].lo, every[1].hi
        return power, beta


def _between_corners(lead: ContourCurve, start: float, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
    """On the straight line of slope −1: coins between a test of the leading direction and its mirror image."""
    power, beta = lead.both_bounds(np.array([start]), np.array([1 - start]))
    gain, least = float(power.lo[0]) - start, float(beta.hi[0])
    on_line = alpha <= least
    gained = np.where(on_line, alpha + gain * (1 - 1e-15), alpha) * (1 - 1e-15)
    return gained, np.where(on_line, np.minimum((least + start) * (1 + 1e-15) - alpha + 1e-16, co), co)


def _larger_delta(lead: ContourCurve, other: ContourCurve, e: Floats, knots: Floats, calls: Floats) -> Floats | None:
    """The larger of both deltas at losses e ≥ 0 from above, if that is the leading direction's save for rounding.

    The other's is convex in e^e: chords between knots lie above it, and nearly everywhere below the leading one's.
    """
    parts = lead._readings.calls_above(e)
    if parts is None:
        return None
    proof, ahead = lead.composition.unseen[1], np.empty(len(e))
    for line, index in parts:
        ahead[index] = (proof + line.upper(e[index])) * (1 + _UNITS)
    known = other.profile_upper(knots, proof + calls) * (1 + _CHORD)
    # at 0 both are the total variation
    behind = np.where(e > 0, np.interp(np.exp(e), np.exp(knots), known), ahead)
    far = np.flatnonzero(~(behind <= ahead * (1 + _TIE)))
    if len(far):
        behind[far] = other.profile_upper(e[far], ahead[far])
        far = far[~(behind[far] <= ahead[far] * (1 + _TIE))]
    if len(far):  # as risky as this one, or nearly so
        behind[far] = other.profile_bounds(e[far]).hi
    return np.maximum(ahead, behind) if np.all(behind * _CLEARLY <= ahead) else None


def _table(lead: ContourCurve, alpha: Floats, co: Floats) -> tuple[Floats, np.ndarray, Floats, Floats] | None:
    """For each point a threshold e ≥ 0 next to its own, and whether it belongs to the mirror image; knots and calls."""
    readings, comp = lead._readings, lead.composition
    seen = np.exp(comp.log_seen)[:, None]
    lower, upper = co - comp.unseen[0], co - comp.unseen[1]
    least = float(alpha.min()), float(min(lower.min(), upper.min()))
    e = _knots(lead, *map(math.log, least)) if min(least) > 0 else None
    parts = readings.calls_above(e) if e is not None else None
    if e is None or parts is None:
        return None
    tails = np.empty((3, len(e)))
    for line, index in parts:
        tails[:, index] = line.tails(e[index])
    above, weighted = tails[:2]
    with np.errstate(all="ignore"):
        rest = seen - tails[:2]
        # minus the log-odds of a loss above e, under H0 and under H1, and how e moves with them
        odds = np.log(rest / tails[:2])
        pace = tails[:2] * rest / (seen * tails[2])
        slope = np.exp(e)
        pace[1] /= slope
        apart = odds[:, 1:] - odds[:, :-1]  # NaN where rates have underflowed, and then no table
    if not (np.isfinite(pace).all() and apart.min() > 0 and apart.max() < _APART):
        return None
    if not (above[-1] <= least[0] and weighted[-1] <= least[1]):
        return None
    # every other knot from the rest: with all of them a cubic is sixteen times as close
    missed = np.abs(hermite(odds[0, 1::2], odds[0, ::2], e[::2], pace[0, ::2]) - e[1::2])
    if not float(missed.max()) <= _SMOOTH * readings.chains[0].spread:
        return None
    out, mirrored = np.zeros(len(alpha)), upper < weighted[0]
    left, right = np.flatnonzero(alpha < above[0]), np.flatnonzero(mirrored)
    out[left] = hermite(np.log(lower[left] / alpha[left]), odds[0], e, pace[0])
    out[right] = hermite(np.log(alpha[right] / upper[right]), odds[1], e, pace[1])
    return np.clip(out, 0.0, e[-1]), mirrored, e, weighted - slope * above


def _knots(lead: ContourCurve, log_alpha: float, log_co: float) -> Floats | None:
    """Losses from 0 to where losses above are rarer than e^log_alpha under H0 and e^log_co under H1."""
    tilts, ends = lead._readings.chains[0].tilts, []
    for level, weighted in ((log_alpha, False), (log_co, True)):
        tilts = tilts.reach_odds(level, weighted=weighted)
        ends.append(float(np.interp(-level, -tilts.log_odds(weighted=weighted), tilts.mean, right=math.nan)))
    last = max(ends) + _MORE * math.sqrt(float(np.interp(max(ends), tilts.mean, tilts.variance)))
    if not last > 0:
        return None
    inner = tilts.mean[(tilts.mean > _ZERO * last) & (tilts.mean < (1 - _ZERO) * last)]
    ends = np.concatenate([[0.0], inner, [last]])
    count = len(ends) - 1
    knots = np.interp(np.arange(count * _PARTS + 1) / _PARTS, np.arange(count + 1), ends)
    return np.concatenate([knots[:1], knots[1] * _FIRST, knots[1:]])
