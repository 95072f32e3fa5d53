"""Many points of the curve of both directions, where one direction leads.

If one direction is the riskier for all losses above 0, the hull of both is its curve down to slope −1, a straight line,
and the mirror image of that curve. So all points, on either side of the line, belong to thresholds e ≥ 0 of the leading
direction: they are found in one table and read from the same lines.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dplens._numerics.interpolation import hermite
from dplens.engine.composition import Composition, from_above, log_kappa
from dplens.engine.contour import Line
from dplens.engine.curve import ContourCurve
from dplens.engine.laws import Floats
from dplens.engine.tilts import COSTLY

_PARTS = 16  # knots between neighbouring tilts
_FIRST = np.array([0.25, 0.5])  # of the way from 0 to the first of them
_APART = 1.2  # log-odds that neighbouring knots may be apart
_MORE = 0.05  # standard deviations beyond the last threshold, which is known about
_ZERO = 1e-2  # of it: means of tilts so near to an end are no knots of their own
_SLACK = 1e-12  # relative: the other direction may be so much above without need for a closer look
_SMOOTH = 5e-6  # standard deviations that such a knot may be off
_CLEARLY = 1 - 1e-9
_CHORD = 1e-14  # relative: rounding of chords
_STEPS = np.linspace(0.0, 1.0, 8)
_UNITS = 2e-15
_DIM = 0.01


class _Knots(NamedTuple):
    """Losses e ≥ 0 in increasing order, and about what the leading direction's calls are there."""

    e: Floats
    call: Floats


def read_by_leading(lead: ContourCurve, alpha: Floats, co: Floats) -> tuple[Floats, Floats, np.ndarray] | None:
    """Power and beta on the risky side for rates inside (0, 1), or None where something out of the ordinary is needed.

    Safe whatever the thresholds are: the line of slope −e^e through the larger of both deltas lies below the hull, and
    so does its mirror image. Last, the indices of points whose beta is so small beside what it is the difference of
    that digits are lost.
    """
    found = _thresholds(lead, alpha, co)
    if found is None:
        return None
    e, mirrored, knots = found
    delta = _delta(lead, e, knots)
    if delta is None:
        return None
    slope = np.exp(e)
    # left of the straight line power ≤ delta + e^e·alpha, right of it beta ≥ e^−e·(1 − alpha − delta)
    rise = (delta + slope * alpha) * (1 + _UNITS)
    miss = (co * (1 - _UNITS) - delta) / slope
    beta = np.where(mirrored, miss, 1 - rise - _UNITS)
    dim = np.flatnonzero(beta * np.where(mirrored, slope, 1.0) < _DIM * co)
    return np.where(mirrored, 1 - miss, rise), beta, dim


def _delta(lead: ContourCurve, e: Floats, knots: _Knots) -> Floats | None:
    """The larger of both deltas at losses e ≥ 0 from above, if that is the leading direction's save for rounding.

    The other's is convex in e^e: chords between knots lie above it, and nearly everywhere below the leading one's.
    """
    parts = lead._readings.calls_above(e)
    if parts is None:
        return None
    ahead = np.empty(len(e))
    for line, index in parts:
        ahead[index] = line.upper(e[index])
    ahead = (lead.composition.unseen[1] + ahead) * (1 + _UNITS)
    known = _behind(lead, parts[0][0], knots.e, lead.composition.unseen[1] + knots.call)
    # at 0 both are the total variation
    behind = np.where(e > 0, np.interp(np.exp(e), np.exp(knots.e), known) * (1 + _CHORD), ahead)
    for own_lines in (False, True):
        far = np.flatnonzero(~(behind <= ahead * (1 + _SLACK)))
        if len(far) and own_lines:  # as risky as this one, or nearly so
            behind[far] = lead.inverse().profile_bounds(e[far]).hi
        elif len(far):
            behind[far] = _behind(lead, parts[0][0], e[far], ahead[far])
    return np.maximum(ahead, behind) if np.all(behind * _CLEARLY <= ahead) else None


def _behind(lead: ContourCurve, line: Line, e: Floats, enough: Floats) -> Floats:
    """Upper bounds of the other direction's deltas: by the same line, or from the real axis where it has no digits."""
    out = _beside(lead, line, e, enough)
    far = np.flatnonzero(~(out <= enough * (1 + _SLACK)) & (e > 0))
    if len(far):
        proof, other = lead.composition.unseen[0] * (1 + _UNITS), lead.composition.reversed
        spread = lead._readings.tilts[0].spread_at(0.5)
        rough = (proof + _calls_far_out(other, spread, e[far], enough[far] - proof)) * (1 + _UNITS)
        out[far] = np.minimum(out[far], rough)
    return out


def _beside(lead: ContourCurve, line: Line, e: Floats, ahead: Floats) -> Floats:
    """Upper bounds of the other direction's deltas by a line meant for this one's; infinite where they say nothing.

    The sum over a line errs upwards at any threshold, so that at −e it bounds call(−e), and by parity the other
    direction's delta, 1 + e^e·(call(−e) − P(seen under H1)), with fewer digits the larger e is.
    """
    out = np.full(len(e), math.inf)
    near = np.flatnonzero(line.noise_at(-e) < ahead)
    if len(near):
        slope = np.exp(e[near])
        paid = slope * line.upper(-e[near])
        out[near] = 1 + paid - slope * math.exp(lead.composition.log_seen[1]) + _UNITS * (1 + paid)
    return out


def _calls_far_out(comp: Composition, spread: float, e: Floats, enough: Floats) -> Floats:
    """Upper bounds of calls from the real axis, as rough as is enough."""
    ends = float(e.min()) / spread**2, float(e.max()) / spread**2  # tilts of these means, were the loss Gaussian
    c = 1 + 0.8 * ends[0] * (2 * ends[1] / ends[0]) ** _STEPS
    if comp.dearest(float(c[-1]), 0.0) >= COSTLY:
        return np.full(len(e), math.inf)
    k, mean, variance = comp.axis(c)
    powers = from_above(k) + np.multiply.outer(e, 1 - c)
    bound = np.exp(np.min(powers + log_kappa(c), axis=1))
    more = np.flatnonzero(bound > enough)
    if len(more):
        i = int(np.argmin(np.abs(mean - np.mean(e[more]))))
        closer = np.exp(powers[more, i]) * comp.closer_kappa(float(c[i]), float(variance[i]))
        bound[more] = np.minimum(bound[more], closer)
    return bound


def _thresholds(lead: ContourCurve, alpha: Floats, co: Floats) -> tuple[Floats, np.ndarray, _Knots] | None:
    """For each point a threshold e ≥ 0 next to its own, which points belong to the mirror image, and what was used."""
    readings = lead._readings
    unseen, seen = lead.composition.unseen, np.exp(lead.composition.log_seen)[:, None]
    lower, upper = co - unseen[0], co - unseen[1]
    least = float(alpha.min()), float(min(lower.min(), upper.min()))
    if not min(least) > 0:
        return None
    e = _knots(lead, math.log(least[0]), math.log(least[1]))
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
    if not float(missed.max()) <= _SMOOTH * readings.tilts[0].spread_at(0.5):
        return None
    out, mirrored = np.zeros(len(alpha)), upper < weighted[0]
    left = np.flatnonzero(alpha < above[0])
    right = np.flatnonzero(mirrored)
    out[left] = hermite(np.log(lower[left] / alpha[left]), odds[0], e, pace[0])
    out[right] = hermite(np.log(alpha[right] / upper[right]), odds[1], e, pace[1])
    return np.clip(out, 0.0, e[-1]), mirrored, _Knots(e, weighted - slope * above)


def _knots(lead: ContourCurve, log_alpha: float, log_co: float) -> Floats | None:
    """Losses from 0 to where losses above are rarer than e^log_alpha under H0 and e^log_co under H1."""
    tilts, ends = lead._readings.tilts[0], []
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
    # both directions start from the same delta: next to 0 chords have to be short
    return np.concatenate([knots[:1], knots[1] * _FIRST, knots[1:]])
