"""The loss threshold for a false-positive rate, and the epsilon for a delta, by Newton's method from saddlepoints.

Both are approximate, as any threshold is safe and bounds of the profile confirm any epsilon.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from dplens.composition.contour.line_readings import LineReadings
from dplens.losses.base import Floats
from dplens.losses.total import Tilts


class Saddlepoints(NamedTuple):
    """One table of the tilts on both sides: mean losses, spreads, minus the log-odds of exceeding the loss."""

    losses: Floats
    spreads: Floats
    falling: Floats

    @classmethod
    def of(cls, above: Tilts, below: Tilts) -> Saddlepoints:
        """``below``: of the two worlds exchanged."""
        # tilts of the mirrored side run the other way, and its first one is the first of the other
        losses = np.maximum.accumulate(np.concatenate([-below.mean[:0:-1], above.mean]))
        spreads = np.sqrt(np.maximum(np.concatenate([below.variance[:0:-1], above.variance]), 1e-300))
        falling = np.concatenate([below.log_odds(weighted=True)[:0:-1], -above.log_odds()])
        return cls(losses, spreads, np.maximum.accumulate(falling))

    @classmethod
    def around(cls, readings: LineReadings, odds: Floats) -> Saddlepoints:
        """The smallest tables that have losses of these log-odds."""
        above, below = (chain.tilts for chain in readings.chains)
        above = above.reach_odds(float(odds.min(initial=0)))
        return cls.of(above, below.reach_odds(-float(odds.max(initial=0)), weighted=True))

    def at(self, odds: Floats) -> Floats:
        """Approximate losses that are exceeded with these log-odds."""
        return np.interp(-odds, self.falling, self.losses)

    def spread(self, e: Floats) -> Floats:
        """Standard deviation of the loss under the tilt whose mean is e."""
        return np.interp(e, self.losses, self.spreads)

    def among_most(self, readings: LineReadings, e: Floats, tail: Floats, shift: float = 0.0) -> Floats:
        """Starting values not beyond most losses where a few large losses dominate the larger tilts."""
        spread, middle = readings.chains[0].spread, readings.chains[0].middle
        most = middle + shift - spread * ndtri(np.clip(tail, 1e-300, 1 - 1e-16))
        wild = (self.spread(e) > 3 * spread) & (np.abs(e - middle) > np.abs(most - middle))
        return np.where(wild, most, e)


def log_odds(readings: LineReadings, alpha: Floats, co: Floats) -> tuple[Floats, Floats, Floats]:
    """alpha, P(L ≤ e) of finite losses, and the log-odds of the two."""
    lower, alpha = np.maximum(co - readings.comp.infinity_masses[0], 1e-320), np.maximum(alpha, 1e-320)
    return alpha, lower, np.log(alpha) - np.log(lower)


def thresholds(readings: LineReadings, alpha: Floats, co: Floats) -> Floats:
    """e with P(L > e) near alpha. For many rates, most thresholds are interpolated."""
    alpha, lower, odds = log_odds(readings, alpha, co)
    e = np.full(len(alpha), math.nan)
    if len(alpha) > 100:
        # a little further than needed, as the table is approximate; rates outside the knots are solved for
        wanted = np.arange(odds.min() - 0.5, odds.max() + 1, 0.5)
        e = _interpolated(readings, odds, Saddlepoints.around(readings, wanted).at(wanted))
    rest = np.flatnonzero(np.isnan(e))
    if len(rest):
        e[rest] = _solved(readings, odds[rest], alpha[rest], lower[rest])
    return e


def _interpolated(readings: LineReadings, odds: Floats, some: Floats) -> Floats:
    """Thresholds from cubics through ``some`` and further knots; NaN where the distribution is not smooth.

    An interval between two knots is halved until its cubic meets the loss in its middle. The cubics of the two halves
    are then about sixteen times as accurate.
    """

    def at(e: Floats) -> Floats:
        """e, minus the log-odds of exceeding it, and its slope in these."""
        above, below, density = readings.tail(e)
        with np.errstate(all="ignore"):
            return np.array(
                [e, np.log(below / above), above * below / (math.exp(readings.comp.log_finite[0]) * density)]
            )

    knots = at(np.unique(some))
    if knots.shape[1] < 2:
        return np.full(len(odds), math.nan)
    open_ = np.ones(knots.shape[1] - 1, dtype=bool)
    for _ in range(7):
        index = np.flatnonzero(open_)
        if not len(index):
            break
        middle = at((knots[0, index] + knots[0, index + 1]) / 2)
        with np.errstate(all="ignore"):
            start, end = knots[:, index], knots[:, index + 1]
            off = np.abs(_hermite(middle[1], start, end) - middle[0])
            smooth = (start[1] < middle[1]) & (middle[1] < end[1])
            # in log-odds; also in losses, which stay undetermined where there is almost no density
            smooth &= (off < 3e-5 * middle[2]) & (off < 1e-3 * (end[0] - start[0]))
        knots = np.insert(knots, index + 1, middle, axis=1)
        # both halves replace the interval
        places = index + np.arange(len(index))
        open_ = np.insert(open_, index, True)
        open_[places] = open_[places + 1] = ~smooth
    x, falling = -odds, np.fmax.accumulate(knots[1])
    place = np.searchsorted(falling, x, side="right") - 1
    outside = (place < 0) | (place >= len(open_))
    place = np.clip(place, 0, len(open_) - 1)
    start, end = knots[:, place], knots[:, place + 1]
    e = np.clip(_hermite(x, start, end), start[0], end[0])  # cubics overshoot where density is low
    return readings.inside_support(np.where(open_[place] | outside, math.nan, e))


def _hermite(x: Floats, start: Floats, end: Floats) -> Floats:
    """The cubics between knots (y, x, dy/dx), read at x."""
    width, rise = end[1] - start[1], end[0] - start[0]
    left, right = width * start[2], width * end[2]
    u = (x - start[1]) / width
    return start[0] + u * (left + u * (3 * rise - 2 * left - right + u * (left + right - 2 * rise)))


def _solved(readings: LineReadings, odds: Floats, alpha: Floats, lower: Floats) -> Floats:
    """Newton's method on the logarithm of the smaller tail, safeguarded by a bracket."""
    known, spread = Saddlepoints.around(readings, odds), readings.chains[0].spread
    e = known.among_most(readings, known.at(odds), alpha, -spread * spread / 2)
    small = alpha <= 0.5
    sign, wanted = np.where(small, 1.0, -1.0), np.where(small, alpha, lower)
    room = known.spread(e)
    low, high, settled = np.full_like(e, -math.inf), np.full_like(e, math.inf), np.zeros(len(e), dtype=bool)
    for _ in range(8):
        above, below, density = readings.tail(e)
        here = np.where(small, above, below)
        up = (here > wanted) == small
        low, high = np.where(up, np.maximum(low, e), low), np.where(up, high, np.minimum(high, e))
        with np.errstate(all="ignore"):
            off = sign * np.log(here / wanted)
            step = off * here / density
        usable = np.isfinite(step) & (density > 0)
        step = np.where(usable, np.clip(step, -room, room), 0.0)
        # steps fail between losses far apart, where there is no density
        astray = ~(usable & (low < e + step) & (e + step < high)) & np.isfinite(low) & np.isfinite(high)
        settled |= usable & (np.abs(step) < 1e-4 * room) & (np.abs(off) < 3e-5)  # the next would be its square
        e = readings.inside_support(np.where(astray & ~settled, (low + high) / 2, e + step))
        if settled.all():
            return e
    lost = np.flatnonzero(~settled)
    lost = lost[~readings.lacks_line(e[lost])]
    if len(lost):  # bisect; where no loss has such a rate, as at an atom, the threshold stays
        low, high = np.maximum(low[lost], known.losses[0]), np.minimum(high[lost], known.losses[-1])
        middle = here = e[lost]
        for _ in range(40):
            middle = (low + high) / 2
            above, below, _ = readings.tail(middle)
            here = np.where(small[lost], above, below)
            up = (here > wanted[lost]) == small[lost]
            low, high = np.where(up, middle, low), np.where(up, high, middle)
        with np.errstate(all="ignore"):
            found = np.abs(np.log(here / wanted[lost])) < 0.1
        e[lost] = readings.inside_support(np.where(found, middle, e[lost]))
    return e


def near_epsilons(readings: LineReadings, delta: Floats, top: float) -> tuple[Floats, Floats]:
    """The approximate e with call(e) = delta, and the change of e there as log call falls by one."""
    above, below = (chain.tilts for chain in readings.chains)
    deepest = float(np.log(delta.min()))
    above = above.reach(lambda table: table.c[-1] >= 1 and table.log_call[-1] <= deepest)
    falling = np.minimum(np.maximum.accumulate(above.log_call[::-1])[::-1], 0.0)
    known = Saddlepoints.of(above, below)
    first = np.interp(-np.log(delta), -falling, above.mean)
    e = np.clip(known.among_most(readings, first, np.minimum(delta / above.spread_at(0.5), 0.5)), 0.0, top)
    pace = np.zeros_like(e)
    for _ in range(12):
        call, paid = readings.call_and_paid(e)
        with np.errstate(all="ignore"):
            pace = np.where((call > 0) & (paid > 0), call / paid, 0.0)
            step = np.where(pace > 0, np.log(call / delta) * pace, 0.0)
        room = known.spread(e)
        e = np.clip(e + np.clip(step, -8 * room, 8 * room), 0.0, top)
        if np.all(np.abs(step) <= 1e-4 * room):  # one more step, by the bracket, is the square of this one
            break
    return e, pace
