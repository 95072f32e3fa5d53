"""The epsilon of a delta, with both ends."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dplens._numerics.enclosure import Enclosure
from dplens._numerics.search import sign_change
from dplens._numerics.sharing import remembered
from dplens.engine.laws import Floats
from dplens.engine.readings import Readings
from dplens.engine.thresholds import Arranged, Thresholds

_LEAP = 8.0  # standard deviations of the loss that one step may go
_NEAR = 3e-8  # standard deviations: one more step would be the square of this one
_STEPS = 20
_FAR, _HALVINGS = 1e-6, 20  # relative: a last step that is worth some halvings
_ASTRAY, _DOUBLINGS, _GOOD = 1e-4, 60, 1e-7  # of a call, of an answer, and relative width of one
_GRAIN = 4e-14  # relative: how far beyond the answer a side begins to look


class EpsilonSearch:
    """Newton's steps on the logarithm of calls, then some units to the wanted side."""

    def __init__(
        self, readings: Readings, thresholds: Thresholds, calls: Callable[[Floats], tuple[Floats, Floats]]
    ) -> None:
        self._readings, self._thresholds, self._calls = readings, thresholds, calls

    def solve(self, delta: Floats, tops: tuple[float, float]) -> Enclosure:
        """The e with call(e) = delta: above, call_high(e) ≤ delta; below, call_low(e) ≥ delta.

        tops: the largest loss, from below and from above.
        """
        if len(delta) == 1 and delta[0] < 0.3 and (ends := self._on_lines(float(delta[0]))) is not None:
            if ends[1] <= tops[1]:
                return Enclosure(np.array([ends[0]]), np.array([ends[1]]))
        first, known = self._thresholds.first_epsilon(delta)
        above: dict[str, tuple[Floats, Floats, np.ndarray]] = {}

        def stepped_above() -> tuple[Floats, Floats, np.ndarray]:
            return remembered(above, "steps", lambda: self._stepped(+1, delta, first, known, tops[1]))

        def end(sign: int, stepped: tuple[Floats, Floats, np.ndarray], top: float) -> Floats:
            e, pace, open_ = stepped
            excess = self._excess(sign, delta)
            return self._back(sign, self._moved_to_side(sign, e.copy(), excess, pace, open_, top), excess, top)

        def lower() -> Floats:
            start = stepped_above()[0] if len(delta) == 1 else first  # the lower end of one is next to its upper end
            return end(-1, self._stepped(-1, delta, start, known, tops[0]), tops[0])

        return Enclosure(lower, lambda: end(+1, stepped_above(), tops[1]))

    def _excess(self, sign: int, delta: Floats) -> Callable[[Floats, np.ndarray], Floats]:
        """How far the logarithms of calls, from above or from below, exceed those of some of the deltas."""
        return lambda e, index: np.log(np.maximum(self._calls(e)[sign > 0], 1e-320) / delta[index])

    def _stepped(
        self, sign: int, delta: Floats, first: Floats, known: Arranged, top: float
    ) -> tuple[Floats, Floats, np.ndarray]:
        """Where Newton's steps end, how far e moves there as log call falls by one, and which are not 0."""
        excess, every = self._excess(sign, delta), np.arange(len(delta))
        e = np.clip(first, 0.0, top)
        # losses below 0 are not asked for, so whether the answer is 0 is settled first
        near = np.flatnonzero((e < 0.5 * known.spread(e)) | (delta > 0.3))
        zero = near[excess(np.zeros(len(near)), near) <= 0] if len(near) else near
        low, high = np.zeros_like(e), np.full_like(e, top)
        # where lines end before the link they belong to does, what lies beyond is known less well
        sound = self._readings.last_sound(e)
        early = np.flatnonzero(sound < e)
        early = early[excess(sound[early], early) <= 0] if len(early) else early
        e[early] = high[early] = sound[early]
        open_ = np.setdiff1d(every, zero)
        pace = np.zeros_like(e)  # how far e moves as log call falls by one
        for _ in range(60):
            x = e[open_]
            call, paid = self._readings.call_and_paid(x)
            rest = np.flatnonzero(np.isnan(call))
            if len(rest):
                call[rest] = self._calls(x[rest])[sign > 0]
            here = np.log(np.maximum(call, 1e-320) / delta[open_])
            low[open_] = np.where(here > 0, np.maximum(low[open_], x), low[open_])
            high[open_] = np.where(here > 0, high[open_], np.minimum(high[open_], x))
            slope = np.log(np.maximum(paid, 1e-320) / delta[open_]) - here  # of log call, its log
            room = _LEAP * known.spread(x)
            pace[open_] = np.exp(-np.clip(slope, -60.0, 700.0))
            new = x + np.clip(here * pace[open_], -room, room)
            # where a sum has drowned in rounding, a step of nothing means nothing
            near = (np.abs(new - x) <= _NEAR * known.spread(x)) & (np.abs(here) < 0.5)
            wild = ~near & ~((low[open_] < new) & (new < high[open_]))
            middle = np.where(np.isfinite(high[open_]), (low[open_] + high[open_]) / 2, 2 * x + 1)
            e[open_] = np.clip(np.where(wild, middle, new), 0.0, top)
            open_ = open_[~near]
            if not len(open_):
                break
        e[zero] = 0.0
        return e, pace, np.setdiff1d(every, zero)

    def _back(self, sign: int, e: Floats, excess, top: float) -> Floats:
        """Where lines that drowned in rounding led astray, the other route's calls, one by one."""
        index = np.flatnonzero((e > 0) & (e < top))
        far = index[sign * excess(e[index], index) < -_ASTRAY]
        if len(far):
            ends = np.zeros(len(far)), e[far]
            for _ in range(_DOUBLINGS if sign < 0 else 0):
                below = excess(ends[1], far) > 0
                ends = np.where(below, ends[1], ends[0]), np.where(below, np.minimum(2 * ends[1], top), ends[1])
                if not below.any():
                    break
            found = sign_change(lambda x: excess(x, far), *ends, width=_GOOD)
            e[far] = found[1] if sign > 0 else found[0]
        return e

    def _moved_to_side(self, sign: int, e: Floats, excess, pace: Floats, open_: np.ndarray, top: float) -> Floats:
        """A few units further, until the bracket of delta is on the wanted side; back by halves, if it was far."""
        step, before = _GRAIN * np.maximum(e, 1e-3), e.copy()
        for _ in range(80):
            if not len(open_):
                break
            over = sign * excess(e[open_], open_)
            wrong = (over > 0) & (e[open_] < top if sign > 0 else e[open_] > 0)
            open_, over = open_[wrong], over[wrong]
            # so far as the bracket's end is off, and a little more
            move = np.minimum(over * pace[open_], 1e-6 * np.maximum(e[open_], 1e-3)) + step[open_]
            before[open_] = e[open_]
            e[open_] = np.clip(e[open_] + sign * move, 0.0, top)
            step[open_] *= 4
        far = np.flatnonzero(np.abs(e - before) > _FAR * np.maximum(e, 1e-3))
        for _ in range(_HALVINGS if len(far) else 0):
            middle = (before[far] + e[far]) / 2
            wrong = sign * excess(middle, far) > 0
            before[far], e[far] = np.where(wrong, middle, before[far]), np.where(wrong, e[far], middle)
        return e

    def _on_lines(self, delta: float) -> tuple[float, float] | None:
        """Both ends for one delta where ordinary lines compute them: the same steps on plain numbers."""
        first, known = self._thresholds.first_epsilon(np.array([delta]))
        e, spread = float(first[0]), float(known.spread(first)[0])
        line = call = paid = None
        for _ in range(_STEPS):
            line = self._readings.call_line(e) if spread < 2 * e else None
            if line is None or e > line.last:
                return None
            call, paid = line.call_and_paid(np.array([e]))[:, 0].tolist()
            if not (call > 0 and paid > 0):
                return None
            step = math.log(call / delta) * call / paid
            e += min(max(step, -_LEAP * spread), _LEAP * spread)
            if abs(step) <= _NEAR * spread:
                break
        else:
            return None
        pace, grain = call / paid, _GRAIN * max(e, 1e-3)
        ends = np.array([e - grain, e + grain])
        for _ in range(_STEPS):
            low, high = line.bracket(ends)
            over = math.log(delta / max(low[0] * (1 - 1e-15), 1e-320)), math.log(high[1] * (1 + 1e-15) / delta)
            if max(over) <= 0:
                return (float(ends[0]), float(ends[1])) if ends[0] >= 0 else None
            # so far as the bracket's end is off, and a little more
            ends += [-max(over[0] * pace + grain, 0.0), max(over[1] * pace + grain, 0.0)]
            if not np.isfinite(ends).all():  # the line does not tell
                return None
            grain *= 4
        return None
