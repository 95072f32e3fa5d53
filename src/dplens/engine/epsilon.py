"""The epsilon of a delta, from either side."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dplens._numerics.search import sign_change
from dplens.curves.base import MILD, RISKY
from dplens.engine.laws import Floats
from dplens.engine.readings import Readings
from dplens.engine.thresholds import Thresholds

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
        self._solved: dict[bytes, Floats] = {}
        self._latest: tuple[float, tuple[float, float] | None] = math.nan, None

    def solve(self, side: int, delta: Floats, top: float) -> Floats:
        """e with call_high(e) ≤ delta (risky), or with call_low(e) ≥ delta (mild), by Newton's steps."""
        if len(delta) == 1 and (ends := self._alone(float(delta[0]), top)) is not None:
            return np.array([ends[side == RISKY]])
        end = 1 if side == RISKY else 0

        def excess(e: Floats, index: np.ndarray) -> Floats:
            return np.log(np.maximum(self._calls(e)[end], 1e-320) / delta[index])

        every = np.arange(len(delta))
        known = self._solved.get(delta.tobytes()) if side == MILD else None  # the risky side's is next to this one
        e = np.clip(self._first_epsilon(delta) if known is None else known, 0.0, top)
        # losses below 0 are not asked for, so whether the answer is 0 is settled first
        near = np.flatnonzero((e < 0.5 * self._thresholds.spread(e)) | (delta > 0.3))
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
            # what smoothing blurs is better known from both routes together
            rest = np.flatnonzero(np.isnan(call) | (self._readings.comp.smoothing > 0))
            if len(rest):
                call[rest] = self._calls(x[rest])[end]
            here = np.log(np.maximum(call, 1e-320) / delta[open_])
            low[open_] = np.where(here > 0, np.maximum(low[open_], x), low[open_])
            high[open_] = np.where(here > 0, high[open_], np.minimum(high[open_], x))
            slope = np.log(np.maximum(paid, 1e-320) / delta[open_]) - here  # of log call, its log
            room = _LEAP * self._thresholds.spread(x)
            pace[open_] = np.exp(-np.clip(slope, -60.0, 700.0))
            new = x + np.clip(here * pace[open_], -room, room)
            # where a sum has drowned in rounding, a step of nothing means nothing
            near = (np.abs(new - x) <= _NEAR * self._thresholds.spread(x)) & (np.abs(here) < 0.5)
            wild = ~near & ~((low[open_] < new) & (new < high[open_]))
            middle = np.where(np.isfinite(high[open_]), (low[open_] + high[open_]) / 2, 2 * x + 1)
            e[open_] = np.clip(np.where(wild, middle, new), 0.0, top)
            open_ = open_[~near]
            if not len(open_):
                break
        e[zero] = 0.0
        if len(e) == 1 and side == RISKY:
            self._solved[delta.tobytes()] = e.copy()
        e = self._moved_to_side(side, e, excess, pace, np.setdiff1d(every, zero), top)
        return self._back(side, e, excess, top)

    def _back(self, side: int, e: Floats, excess, top: float) -> Floats:
        """Where lines that drowned in rounding led astray, the other route's calls, one by one."""
        if not self._readings.asked_other:
            return e
        index = np.flatnonzero((e > 0) & (e < top))
        far = index[side * excess(e[index], index) < -_ASTRAY]
        if len(far):
            ends = np.zeros(len(far)), e[far]
            for _ in range(_DOUBLINGS if side == MILD else 0):
                below = excess(ends[1], far) > 0
                ends = np.where(below, ends[1], ends[0]), np.where(below, np.minimum(2 * ends[1], top), ends[1])
                if not below.any():
                    break
            found = sign_change(lambda x: excess(x, far), *ends, width=_GOOD)
            e[far] = found[1] if side == RISKY else found[0]
        return e

    def _moved_to_side(self, side: int, e: Floats, excess, pace: Floats, open_: np.ndarray, top: float) -> Floats:
        """A few units further, until the bracket of delta is on the wanted side; back by halves, if it was far."""
        step, before = _GRAIN * np.maximum(e, 1e-3), e.copy()
        for _ in range(80):
            if not len(open_):
                break
            over = side * excess(e[open_], open_)
            wrong = (over > 0) & (e[open_] < top if side == RISKY else e[open_] > 0)
            open_, over = open_[wrong], over[wrong]
            # so far as the bracket's end is off, and a little more
            move = np.minimum(over * pace[open_], 1e-6 * np.maximum(e[open_], 1e-3)) + step[open_]
            before[open_] = e[open_]
            e[open_] = np.clip(e[open_] + side * move, 0.0, top)
            step[open_] *= 4
        far = np.flatnonzero(np.abs(e - before) > _FAR * np.maximum(e, 1e-3))
        for _ in range(_HALVINGS if len(far) else 0):
            middle = (before[far] + e[far]) / 2
            wrong = side * excess(middle, far) > 0
            before[far], e[far] = np.where(wrong, middle, before[far]), np.where(wrong, e[far], middle)
        return e

    def _alone(self, delta: float, top: float) -> tuple[float, float] | None:
        """The mild and the risky answer for one delta, where ordinary lines compute both; the last is remembered."""
        if self._latest[0] != delta:
            self._latest = delta, self._on_lines(delta, top) if delta < 0.3 else None
        return self._latest[1]

    def _on_lines(self, delta: float, top: float) -> tuple[float, float] | None:
        """The same steps on plain numbers; the second side is nearly free."""
        first = self._first_epsilon(np.array([delta]))
        e, spread = float(first[0]), float(self._thresholds.spread(first)[0])
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
                blurred = self._readings.comp.smoothing > 0 and ends[1] - ends[0] > _FAR * e  # another route knows more
                return (float(ends[0]), float(ends[1])) if ends[0] >= 0 and ends[1] <= top and not blurred else None
            # so far as the bracket's end is off, and a little more
            ends += [-max(over[0] * pace + grain, 0.0), max(over[1] * pace + grain, 0.0)]
            grain *= 4
        return None

    def _first_epsilon(self, delta: Floats) -> Floats:
        """Near the answer: exact were the loss Gaussian."""
        tilts = self._readings.tilts[0]
        tilts.reach_call(float(np.log(delta.min())))
        falling = np.minimum(np.maximum.accumulate(tilts.log_call()[::-1])[::-1], 0.0)
        return np.interp(-np.log(delta), -falling, tilts.mean)
