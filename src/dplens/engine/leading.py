"""Many points of the curve of both directions, where one direction leads.

If one direction is the riskier for all losses above 0, the hull of both is its curve down to slope −1, a straight line,
and the mirror image of that curve. So all points, on either side of the line, belong to thresholds e ≥ 0 of the leading
direction: they are found in one table and read from the same lines.
"""

from __future__ import annotations

import math

import numpy as np

from dplens._numerics.interpolation import hermite
from dplens.curves.base import RISKY, TradeOff
from dplens.engine.chernoff import closer_kappa, from_above, log_kappa
from dplens.engine.composition import Composition
from dplens.engine.contour import Line
from dplens.engine.curve import ContourCurve
from dplens.engine.laws import Floats
from dplens.engine.tilts import COSTLY

_PARTS = 16  # knots between neighbouring tilts
_APART = 1.2  # log-odds that neighbouring knots may be apart
_MORE = 0.05  # standard deviations beyond the last threshold, which is known about
_ZERO = 1e-2  # of it: means of tilts so near to an end are no knots of their own
_SLACK = 1e-12  # relative: the other direction may be so much above without need for a closer look
_SMOOTH = 5e-6  # standard deviations that such a knot may be off
_CLEARLY = 1 - 1e-9
_STEPS = np.linspace(0.0, 1.0, 8)
_UNITS = 2e-15


def read_by_leading(lead: ContourCurve, alpha: Floats, co: Floats) -> tuple[Floats, Floats] | None:
    """Power and beta on the risky side for rates inside (0, 1), or None where something out of the ordinary is needed.

    Safe whatever the thresholds are: the line of slope −e^e through the larger of both deltas lies below the hull, and
    so does its mirror image.
    """
    found = _thresholds(lead, alpha, co)
    if found is None:
        return None
    e, mirrored = found
    delta = _delta(lead, lead.inverse(), e)
    if delta is None:
        return None
    slope = np.exp(e)
    # left of the straight line power ≤ delta + e^e·alpha, right of it beta ≥ e^−e·(1 − alpha − delta)
    rise = (delta + slope * alpha) * (1 + _UNITS)
    miss = (co - delta) / slope - _UNITS * co
    return np.where(mirrored, 1 - miss, rise), np.where(mirrored, miss, 1 - rise - _UNITS)


def _delta(lead: ContourCurve, mirror: TradeOff, e: Floats) -> Floats | None:
    """The larger of both deltas at losses e ≥ 0 from above, if that is the leading direction's save for rounding."""
    parts = lead._readings.calls_above(e)
    if parts is None:
        return None
    calls = np.empty(len(e))
    for line, index in parts:
        calls[index] = line.upper(e[index])
    ahead = (lead.composition.unseen[1] + calls) * (1 + _UNITS)
    behind = _beside(lead, parts[0][0], e, ahead)
    far = np.flatnonzero(~(behind <= ahead * (1 + _SLACK)))
    if len(far):
        proof, other = lead.composition.unseen[0] * (1 + _UNITS), lead.composition.reversed
        spread = lead._readings.tilts[0].spread_at(0.5)
        behind[far] = (proof + _calls_far_out(other, spread, e[far], ahead[far] - proof)) * (1 + _UNITS)
        far = far[behind[far] > ahead[far] * (1 + _SLACK)]
    if len(far):  # as risky as this one, or nearly so: by lines of its own
        behind[far] = mirror.bounded_profile(RISKY, e[far])
        if not np.all(behind[far] * _CLEARLY <= ahead[far]):
            return None
    return np.maximum(ahead, behind)


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
        closer = np.exp(powers[more, i]) * closer_kappa(comp, float(c[i]), float(variance[i]))
        bound[more] = np.minimum(bound[more], closer)
    return bound


def _thresholds(lead: ContourCurve, alpha: Floats, co: Floats) -> tuple[Floats, np.ndarray] | None:
    """For each point a threshold e ≥ 0 next to its own, and which points belong to the mirror image."""
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
        pace[1] /= np.exp(e)
    apart = odds[:, 1:] - odds[:, :-1]
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
    return np.clip(out, 0.0, e[-1]), mirrored


def _knots(lead: ContourCurve, log_alpha: float, log_co: float) -> Floats | None:
    """Losses from 0 to where losses above are rarer than e^log_alpha under H0 and e^log_co under H1."""
    tilts = lead._readings.tilts[0]
    ends = []
    for level, weighted in ((log_alpha, False), (log_co, True)):
        odds = tilts.reach_odds(level, weighted=weighted)
        ends.append(float(np.interp(-level, -odds, tilts.mean, right=math.nan)))
    last = max(ends) + _MORE * math.sqrt(float(np.interp(max(ends), tilts.mean, tilts.variance)))
    if not last > 0:
        return None
    inner = tilts.mean[(tilts.mean > _ZERO * last) & (tilts.mean < (1 - _ZERO) * last)]
    ends = np.concatenate([[0.0], inner, [last]])
    count = len(ends) - 1
    return np.interp(np.arange(count * _PARTS + 1) / _PARTS, np.arange(count + 1), ends)
