"""Which threshold on the loss has a given false-positive rate: approximately, as any threshold is safe."""

from __future__ import annotations

import math

import numpy as np

from dplens._numerics.interpolation import hermite
from dplens.engine.laws import Floats
from dplens.engine.readings import Readings

_STEPS = 8
_LOST, _NEAR = 0.1, 3e-5  # logs of a rate that halvings may leave, and steps
_HALVINGS = 40
_MANY = 100  # rates from which thresholds are interpolated
_KNOTS = 0.2  # log-odds between those that are not
_SMOOTH = 1e-4  # log-odds by which a knot may be off the others


class Thresholds:
    """Starting values from the table of tilts, then Newton's steps."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self._size = (0, 0)

    def at(self, alpha: Floats, co: Floats) -> Floats:
        """e with P(L > e) near alpha; of many rates only some are solved for, the others lie on a smooth curve."""
        lower = np.maximum(co - self._readings.comp.unseen[0], 1e-320)
        alpha = np.maximum(alpha, 1e-320)
        odds = np.log(alpha) - np.log(lower)
        if len(alpha) <= _MANY:
            return self._solved(odds, alpha, lower)
        found = self._interpolated(odds)
        return self._solved(odds, alpha, lower) if found is None else found

    def _interpolated(self, odds: Floats) -> Floats | None:
        """Thresholds between some whose rates are computed; None where they are too far apart or not smooth."""
        ends = float(odds.min()) - _KNOTS, float(odds.max()) + _KNOTS  # the table of tilts knows about where they are
        count = math.ceil((ends[1] - ends[0]) / _KNOTS) + 1
        if 2 * count > len(odds):
            return None
        e = self._readings.last_sound(self._guess(np.linspace(*ends, count)))
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
        e = self._readings.last_sound(self._guess(odds))
        small = alpha <= 0.5
        sign, wanted = np.where(small, 1.0, -1.0), np.where(small, alpha, lower)
        room = self.spread(e)
        low, high, settled = np.full_like(e, -math.inf), np.full_like(e, math.inf), np.zeros(len(e), dtype=bool)
        for _ in range(_STEPS):
            above, below, density = self._readings.tail(e)
            up = np.where(small, above > alpha, below < lower)
            low, high = np.where(up, np.maximum(low, e), low), np.where(up, high, np.minimum(high, e))
            with np.errstate(all="ignore"):
                here = np.where(small, above, below)
                off = sign * np.log(here / wanted)
                step = off * here / density
            known = np.isfinite(step) & (density > 0)
            step = np.where(known, np.clip(step, -room, room), 0.0)
            # between losses far apart there is no density to lean on, and steps lead astray
            astray = ~(known & (low < e + step) & (e + step < high)) & np.isfinite(low) & np.isfinite(high)
            settled |= known & (np.abs(step) < 1e-4 * room) & (np.abs(off) < _NEAR)  # the next would be its square
            e = self._readings.inside_support(np.where(astray & ~settled, (low + high) / 2, e + step))
            if settled.all():
                break
        lost = np.flatnonzero(~settled)
        lost = lost[~self._readings.lacks_line(e[lost])] if len(lost) else lost
        if len(lost):
            e[lost] = self._halved(e[lost], (low[lost], high[lost]), small[lost], wanted[lost])
        return e

    def _halved(self, e: Floats, ends: tuple[Floats, Floats], small: np.ndarray, wanted: Floats) -> Floats:
        """The same by halving what lies between losses too low and too high, as far as they are known well.

        Where that finds no such rate, as at an atom of the loss, the threshold stays.
        """
        reach = self._readings.last_sound(self._losses[[0, -1]])
        low, high = np.maximum(ends[0], reach[0]), np.minimum(ends[1], reach[1])
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

    def spread(self, e: Floats) -> Floats:
        """Standard deviation of the loss under the tilt whose mean is e."""
        self._arrange()
        return np.interp(e, self._losses, self._spreads)

    def losses_within(self, reach: float) -> Floats:
        """Mean losses of the tilts between the thresholds of log-odds ``reach`` and −``reach``."""
        ends = self._guess(np.array([reach, -reach]))
        return self._losses[(self._losses > ends[0]) & (self._losses < ends[1])]

    def _guess(self, odds: Floats) -> Floats:
        above, below = self._readings.tilts
        above.reach_odds(float(odds.min(initial=0)))
        below.reach_odds(-float(odds.max(initial=0)), weighted=True)
        self._arrange()
        return np.interp(-odds, self._falling, self._losses)

    def _arrange(self) -> None:
        """One table of both sides: mean losses, spreads, minus the log-odds of exceeding the loss."""
        above, below = self._readings.tilts
        if (len(above.c), len(below.c)) == self._size:
            return
        self._size = (len(above.c), len(below.c))
        # tilts of the mirrored side run the other way, and its first one is the first of the other
        self._losses = np.maximum.accumulate(np.concatenate([-below.mean[:0:-1], above.mean]))
        spreads = np.concatenate([below.variance[:0:-1], above.variance])
        self._spreads = np.sqrt(np.maximum(spreads, 1e-300))
        self._falling = np.maximum.accumulate(np.concatenate([below.log_odds(weighted=True)[:0:-1], -above.log_odds()]))
