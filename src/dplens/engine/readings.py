"""Which line to use for which loss, and what follows for the profile and the curve.

For a threshold e: call(e) = E_P(e^L − e^e)₊, floor(e) = E_P min(e^L, e^e), put(e) = E_P(e^e − e^L)₊, and
call + floor = P(seen under H1), put + floor = e^e·P(seen under H0). Each is computed where it is small.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dplens.curves.base import MILD, RISKY, TradeOff
from dplens.engine.composition import Composition
from dplens.engine.contour import Line, NoDecay
from dplens.engine.laws import Floats

CALL, FLOOR, PUT = "call", "floor", "put"
_MARGIN = 0.7  # least distance of a line from a pole, in units of 1/spread


class Quantity(NamedTuple):
    """A bracket of one of the three quantities at each threshold; ``kind`` indexes KINDS."""

    kind: np.ndarray
    low: Floats
    high: Floats


KINDS = (CALL, FLOOR, PUT)


class _Stretch(NamedTuple):
    """Thresholds (negated for a put) that no line serves."""

    low: float
    high: float


class Readings:
    """Brackets of call, floor or put at any thresholds, from as few lines as possible."""

    def __init__(self, comp: Composition, goal: float = 1e-12, other: Callable[[], TradeOff] | None = None) -> None:
        self.comp, self.goal = comp, goal
        self._lines: list[tuple[str, Line | _Stretch]] = []
        self._other = other

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Thresholds beyond which puts, and calls, are below the smallest float (Chernoff), or the support ends."""
        low, high = self.comp.support
        return max(low, -_vanishing(self.comp.reversed)), min(high, _vanishing(self.comp))

    def at(self, e: Floats) -> Quantity:
        """For each threshold, the quantity that its line computes."""
        above, below = e >= self.limits[1], e <= self.limits[0]
        kind = np.where(above, KINDS.index(CALL), KINDS.index(PUT))
        low = np.zeros(len(e))  # out there nothing is left to pay, or next to nothing
        beyond = (above & (e < self.comp.support[1])) | (below & (e > self.comp.support[0]))
        high = np.where(beyond, 1e-307 * np.exp(np.clip(e, -700.0, 0.0)), 0.0)
        for which, line, index in self._assigned(e):
            kind[index] = KINDS.index(which)
            if isinstance(line, _Stretch):
                low[index], high[index] = self._by_other(which, e[index])
            elif which == PUT:
                lower, upper = line.bracket(-e[index])
                scale = np.exp(np.minimum(e[index], 700.0))
                low[index], high[index] = scale * lower * (1 - 1e-15), scale * upper * (1 + 1e-15)
            else:
                low[index], high[index] = line.bracket(e[index])
        return Quantity(kind, low, high)

    def tail(self, e: Floats) -> tuple[Floats, Floats, Floats]:
        """P(L > e), P(L ≤ e) and the density of the loss, under H0, approximately (seen losses only)."""
        seen = math.exp(self.comp.log_seen[0])
        below = np.where(e < self.limits[1], 0.0, seen)
        above, density = seen - below, np.zeros(len(e))
        for which, line, index in self._assigned(e):
            if isinstance(line, _Stretch):
                alpha, co, _, _ = self._fallback._rates(e[index])
                above[index], below[index] = alpha, co - self.comp.unseen[0]
            elif which == PUT:  # the reversed law's chance of exceeding −e, turned back by e^L
                x = e[index]
                below[index] = _below_from_reversed(line, x)
                density[index] = line.density(-x) * np.exp(-np.maximum(x, -700.0))
                above[index] = seen - below[index]
            else:
                above[index] = line.tail(e[index])
                below[index] = seen - above[index]
                density[index] = line.density(e[index])
        return above, below, density

    @cached_property
    def _fallback(self) -> TradeOff:
        """The curve by another route, for thresholds where the characteristic function does not fall off."""
        if self._other is None:
            raise NoDecay
        return self._other()

    def _by_other(self, which: str, e: Floats) -> tuple[Floats, Floats]:
        curve = self._fallback if which == CALL else self._fallback.inverse()
        x = e if which == CALL else -e
        proof = self.comp.unseen[1 if which == CALL else 0]
        low, high = (np.maximum(curve.bounded_profile(side, x) - proof, 0.0) for side in (MILD, RISKY))
        scale = 1.0 if which == CALL else np.exp(np.minimum(e, 700.0))
        return low * scale * (1 - 1e-13), (high + 1e-13 * proof) * scale * (1 + 1e-13)

    def _assigned(self, e: Floats) -> list[tuple[str, Line | _Stretch, np.ndarray]]:
        """Lines, with the indices of the thresholds they serve."""
        found = []
        left = (e > self.limits[0]) & (e < self.limits[1])
        for which, line in self._lines:
            index = (
                np.flatnonzero(left & (line.low <= e) & (e <= line.high))
                if which != PUT
                else np.flatnonzero(left & (line.low <= -e) & (-e <= line.high))
            )
            if len(index):
                found.append((which, line, index))
                left[index] = False
        while left.any():
            which, line = self._new_line(float(e[left].min()), float(e[left].max()))
            self._lines.append((which, line))
            x = -e if which == PUT else e
            index = np.flatnonzero(left & (line.low <= x) & (x <= line.high))
            found.append((which, line, index))
            left[index] = False
        return found

    def _new_line(self, first: float, last: float) -> tuple[str, Line | _Stretch]:
        try:
            return self._try_line(first, last)
        except NoDecay:
            if self._other is None:
                raise
            spread = math.sqrt(max(self.comp.real(self.comp.tilt(first))[2], 1e-300))
            if first < 0:
                return PUT, _Stretch(max(-first - 2 * spread, 0.0), -first)
            return CALL, _Stretch(first, first + 2 * spread)

    def _try_line(self, first: float, last: float) -> tuple[str, Line]:
        """A line that serves ``first`` and as much above it (up to ``last``) as is cheap."""
        comp = self.comp
        c = comp.tilt(first)
        spread = math.sqrt(max(comp.real(c)[2], 1e-300))
        if last > first:
            c = comp.tilt(min(first + 2.0 * spread, last))
            spread = math.sqrt(max(comp.real(c)[2], 1e-300))
        # a little more than asked: whoever asks next asks nearby
        low, high = first - 0.5 * spread, max(first, min(last, first + 4 * spread)) + spread
        margin = _MARGIN / spread
        if c >= 0.5:
            if c < 1 - 2.8 / spread:
                return FLOOR, Line(comp, c, low, high, self.goal)
            return CALL, Line(comp, max(c, 1 + margin), low, high, self.goal)
        if c > 2.8 / spread:
            return FLOOR, Line(comp, c, low, high, self.goal)
        mirrored = 1 - min(c, -margin)
        return PUT, Line(comp.reversed, mirrored, -high, -low, self.goal)


def _vanishing(comp: Composition) -> float:
    """A threshold above which E(e^L − e^e)₊ < e^{−735}."""
    spread = math.sqrt(max(comp.real(1.0)[2], 1e-300))
    best = math.inf
    for power in range(14):
        tilt = 2.0**power / spread
        k = comp.real(1 + tilt)[0]
        if not math.isfinite(k):
            break
        best = min(best, (k + 735) / tilt)
    return best


def _below_from_reversed(line: Line, e: Floats) -> Floats:
    """P(L ≤ e) from a line of the reversed law: there it is E[e^{−L'}; L' ≥ −e] with the kernel 1/(s − 1)."""
    ratio = line.weight / (line.s - 1)
    scale = np.exp(np.minimum(line.k + (1 - line.c) * -e, 700.0))
    return line._sums(-e, ratio.real, ratio.imag) * scale
