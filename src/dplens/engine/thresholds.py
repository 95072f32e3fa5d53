"""Which threshold on the loss has a given false-positive rate: approximately, as any threshold is safe."""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from dplens._numerics.interpolation import hermite
from dplens._numerics.sharing import remembered
from dplens.engine.laws import Floats
from dplens.engine.readings import Readings
from dplens.engine.tilts import Tilts

_STEPS = 8
_LOST, _NEAR = 0.1, 3e-5  # logs of a rate that halvings may leave, and steps
_HALVINGS = 40
_WILD = 3.0  # times the spread of most losses
_MANY = 100  # rates from which thresholds are interpolated
_KNOTS = 0.2  # log-odds between those that are not
_SMOOTH = 1e-4  # log-odds by which a knot may be off the others


class Arranged(NamedTuple):
    """One table of the tilts on both sides: mean losses, spreads, minus the log-odds of exceeding the loss."""

    losses: Floats
    spreads: Floats
    falling: Floats

    @classmethod
    def of(cls, above: Tilts, below: Tilts) -> Arranged:
        """``below``: of the two worlds exchanged."""
        # tilts of the mirrored side run the other way, and its first one is the first of the other
        losses = np.maximum.accumulate(np.concatenate([-below.mean[:0:-1], above.mean]))
        spreads = np.sqrt(np.maximum(np.concatenate([below.variance[:0:-1], above.variance]), 1e-300))
        falling = np.concatenate([below.log_odds(weighted=True)[:0:-1], -above.log_odds()])
        return cls(losses, spreads, np.maximum.accumulate(falling))

    def at(self, odds: Floats) -> Floats:
        """About the losses that are exceeded with these log-odds."""
        return np.interp(-odds, self.falling, self.losses)

    def spread(self, e: Floats) -> Floats:
        """Standard deviation of the loss under the tilt whose mean is e."""
        return np.interp(e, self.losses, self.spreads)


class Thresholds:
    """Starting values from the table of tilts, then Newton's steps."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self._arranged: dict[tuple[int, int], Arranged] = {}

    def at(self, alpha: Floats, co: Floats) -> Floats:
        """e with P(L > e) near alpha; of many rates only some are solved for, the others lie on a smooth curve."""
        alpha, lower, odds = self._odds(alpha, co)
        if len(alpha) <= _MANY:
            return self._solved(odds, alpha, lower)
        found = self._interpolated(odds)
        return self._solved(odds, alpha, lower) if found is None else found

    def spread(self, e: Floats, alpha: Floats, co: Floats) -> Floats:
        """Standard deviation of the loss under the tilt whose mean is e, a threshold of these rates."""
        return self._around(self._odds(alpha, co)[2]).spread(e)

    def _odds(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats, Floats]:
        lower = np.maximum(co - self._readings.comp.unseen[0], 1e-320)
        alpha = np.maximum(alpha, 1e-320)
        return alpha, lower, np.log(alpha) - np.log(lower)

    def _interpolated(self, odds: Floats) -> Floats | None:
        """Thresholds between some whose rates are computed; None where they are too far apart or not smooth."""
        ends = float(odds.min()) - _KNOTS, float(odds.max()) + _KNOTS  # the table of tilts knows about where they are
        count = math.ceil((ends[1] - ends[0]) / _KNOTS) + 1
        if 2 * count > len(odds):
            return None
        wanted = np.linspace(*ends, count)
        e = self._readings.last_sound(self._around(wanted).at(wanted))
        above, below, density = self._readings.tail(e)
        seen = math.exp(self._readings.comp.log_seen[0])
        with np.errstate(all="ignore"):
            knots = np.log(above / below)
            slope = -above * below / (seen * density)
            apart = np.diff(knots)
        if not (np.isfinite(slope).all() and apart.min() > 0 and apart.max() < 3 * _KNOTS):
            return None
        if not (knots[0] <= ends[0] + _KNOTS and ends[1] - _KNOTS <= knots[-1]):
            return None
        # knots twice as far apart err sixteen times as much, which every other knot shows
        between = hermite(knots[1:-1:2], knots[::2], e[::2], slope[::2])
        if not np.max(np.abs((between - e[1:-1:2]) / slope[1:-1:2]), initial=0.0) < _SMOOTH:
            return None
        return self._readings.inside_support(hermite(odds, knots, e, slope))

    def _solved(self, odds: Floats, alpha: Floats, lower: Floats) -> Floats:
        """Newton's steps on the logarithm of the smaller tail."""
        known = self._around(odds)
        spread = self._readings.tilts[0].spread_at(0.5)
        e = self._readings.last_sound(self._among_most(known, known.at(odds), alpha, -spread * spread / 2))
        small = alpha <= 0.5
        sign, wanted = np.where(small, 1.0, -1.0), np.where(small, alpha, lower)
        room = known.spread(e)
        low, high, settled = np.full_like(e, -math.inf), np.full_like(e, math.inf), np.zeros(len(e), dtype=bool)
        for _ in range(_STEPS):
            above, below, density = self._readings.tail(e)
            up = np.where(small, above > alpha, below < lower)
            low, high = np.where(up, np.maximum(low, e), low), np.where(up, high, np.minimum(high, e))
            with np.errstate(all="ignore"):
                here = np.where(small, above, below)
                off = sign * np.log(here / wanted)
                step = off * here / density
            usable = np.isfinite(step) & (density > 0)
            step = np.where(usable, np.clip(step, -room, room), 0.0)
            # between losses far apart there is no density to lean on, and steps lead astray
            astray = ~(usable & (low < e + step) & (e + step < high)) & np.isfinite(low) & np.isfinite(high)
            settled |= usable & (np.abs(step) < 1e-4 * room) & (np.abs(off) < _NEAR)  # the next would be its square
            e = self._readings.inside_support(np.where(astray & ~settled, (low + high) / 2, e + step))
            if settled.all():
                break
        lost = np.flatnonzero(~settled)
        lost = lost[~self._readings.lacks_line(e[lost])] if len(lost) else lost
        if len(lost):
            ends = self._readings.last_sound(known.losses[[0, -1]])
            ends = np.maximum(low[lost], ends[0]), np.minimum(high[lost], ends[1])
            e[lost] = self._halved(e[lost], ends, small[lost], wanted[lost])
        return e

    def _among_most(self, known: Arranged, e: Floats, tail: Floats, shift: float = 0.0) -> Floats:
        """Starting values no further out than most losses, where tilts beyond belong to a few large ones."""
        tilts = self._readings.tilts[0]
        spread, middle = tilts.spread_at(0.5), float(tilts.mean[0])
        most = middle + shift - spread * ndtri(np.clip(tail, 1e-300, 1 - 1e-16))
        wild = (known.spread(e) > _WILD * spread) & (np.abs(e - middle) > np.abs(most - middle))
        return np.where(wild, most, e)

    def _halved(self, e: Floats, ends: tuple[Floats, Floats], small: np.ndarray, wanted: Floats) -> Floats:
        """The same by halving what lies between losses too low and too high, as far as they are known well.

        Where that finds no such rate, as at an atom of the loss, the threshold stays.
        """
        low, high = ends
        here = middle = e
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            above, below, _ = self._readings.tail(middle)
            here = np.where(small, above, below)
            up = (here > wanted) == small
            low, high = np.where(up, middle, low), np.where(up, high, middle)
        with np.errstate(all="ignore"):
            found = np.abs(np.log(here / wanted)) < _LOST
        return self._readings.inside_support(np.where(found, middle, e))

    def losses_within(self, reach: float) -> Floats:
        """Mean losses of the tilts between the thresholds of log-odds ``reach`` and −``reach``."""
        odds = np.array([reach, -reach])
        known = self._around(odds)
        ends = known.at(odds)
        return known.losses[(known.losses > ends[0]) & (known.losses < ends[1])]

    def _around(self, odds: Floats) -> Arranged:
        """The smallest tables that have losses of these log-odds."""
        above, below = self._readings.tilts
        above = above.reach_odds(float(odds.min(initial=0)))
        below = below.reach_odds(-float(odds.max(initial=0)), weighted=True)
        return self._both_sides(above, below)

    def first_epsilon(self, delta: Floats) -> tuple[Floats, Arranged]:
        """Near the losses e with calls delta, exact were the loss Gaussian; and the table they were found in."""
        above, below = self._readings.tilts
        above = above.reach_call(float(np.log(delta.min())))
        falling = np.minimum(np.maximum.accumulate(above.log_call[::-1])[::-1], 0.0)
        first, known = np.interp(-np.log(delta), -falling, above.mean), self._both_sides(above, below)
        return self._among_most(known, first, np.minimum(delta / above.spread_at(0.5), 0.5)), known

    def _both_sides(self, above: Tilts, below: Tilts) -> Arranged:
        return remembered(self._arranged, (len(above.c), len(below.c)), partial(Arranged.of, above, below))
