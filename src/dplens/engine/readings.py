"""Which line to use for which loss, and what follows for the profile and the curve.

For a threshold e: call(e) = E_P(e^L − e^e)₊, floor(e) = E_P min(e^L, e^e), put(e) = E_P(e^e − e^L)₊, and
call + floor = P(seen under H1), put + floor = e^e·P(seen under H0). Each is computed where it is small: calls above the
middle of the loss, puts below it as calls of the two worlds exchanged, floors where neither is small.
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

CALL, FLOOR, PUT = 0, 1, 2
_MARGIN = 0.7  # least distance of a line from a pole, in units of 1/spread
_LINK = 3.0  # standard deviations of the loss that one line serves
_FAR = 1e7  # tilts beyond it change nothing any more
_LINKS = 60


class Quantity(NamedTuple):
    """A bracket of call, floor or put (``kind``) at each threshold."""

    kind: np.ndarray
    low: Floats
    high: Floats


class _Half:
    """Lines for thresholds from the middle upwards.

    Tilts c_0 = ½, c_1, … are about three standard deviations apart; link k holds the thresholds from K'(c_k) to
    K'(c_{k+1}) and has one line. So which line answers does not depend on what was asked before.
    """

    def __init__(self, comp: Composition, goal: float) -> None:
        self.comp, self.goal = comp, goal
        self._tilts, self._edges = [0.5], [comp.real(0.5)[1]]
        self._lines: dict[int, Line | None] = {}

    def assigned(self, x: Floats) -> list[tuple[Line | None, np.ndarray]]:
        """Lines with the indices of the thresholds they serve; None serves those that no line does."""
        top = float(x.max())
        while self._edges[-1] <= top and self._tilts[-1] < _FAR and len(self._tilts) < _LINKS:
            self._extend()
        link = np.clip(np.searchsorted(self._edges, x, side="right") - 1, 0, None)
        return [(self._line(int(k)), np.flatnonzero(link == k)) for k in np.unique(link)]

    def _extend(self) -> None:
        """One more link: (c' − c)·(K'(c') − K'(c)), the divergence of its ends, is 9 for three standard deviations."""
        c, x = self._tilts[-1], self._edges[-1]
        step = _LINK / math.sqrt(max(self.comp.real(c)[2], 1e-300))
        edge = self.comp.real(c + step)[1]
        while step * (edge - x) > 1.4 * _LINK**2 and step > 1e-12:
            step /= 2
            edge = self.comp.real(c + step)[1]
        self._tilts.append(c + step)
        self._edges.append(max(edge, x))

    def _line(self, k: int) -> Line | None:
        if k not in self._lines:
            try:
                self._lines[k] = self._new(k)
            except NoDecay:
                self._lines[k] = None
        return self._lines[k]

    def _new(self, k: int) -> Line:
        if k + 1 >= len(self._tilts):
            raise NoDecay
        c = (self._tilts[k] + self._tilts[k + 1]) / 2
        spread = math.sqrt(max(self.comp.real(c)[2], 1e-300))
        if c >= 1 - 2.8 / spread:
            c = max(c, 1 + _MARGIN / spread)
        return Line(self.comp, c, self._edges[k], self._edges[k + 1], self.goal)


class Readings:
    """Brackets of call, floor or put at any thresholds, from as few lines as possible."""

    def __init__(self, comp: Composition, goal: float = 1e-12, other: Callable[[], TradeOff] | None = None) -> None:
        self.comp = comp
        _, self._middle, variance = comp.real(0.5)
        self._near = 12 * math.sqrt(max(variance, 0.0))
        self._halves = _Half(comp, goal), _Half(comp.reversed, goal)
        self._other = other

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Thresholds beyond which puts, and calls, are below the smallest float (Chernoff), or the support ends."""
        low, high = self.comp.support
        return max(low, -_vanishing(self.comp.reversed)), min(high, _vanishing(self.comp))

    def _outside(self, e: Floats) -> tuple[np.ndarray, np.ndarray]:
        """Where e lies above, and below, the limits; near the middle they need not be known."""
        low, high = self.comp.support
        far = np.max(np.abs(e - self._middle), initial=0.0)
        if far < self._near and np.all((low < e) & (e < high)):
            none = np.zeros(len(e), dtype=bool)
            return none, none
        return e >= self.limits[1], e <= self.limits[0]

    def at(self, e: Floats) -> Quantity:
        """For each threshold, the quantity that its line computes."""
        above, below = self._outside(e)
        kind = np.where(above, CALL, PUT)
        low = np.zeros(len(e))  # out there nothing is left to pay, or next to nothing
        beyond = (above & (e < self.comp.support[1])) | (below & (e > self.comp.support[0]))
        high = np.where(beyond, 1e-307 * np.exp(np.clip(e, -700.0, 0.0)), 0.0)
        for line, index, mirrored in self._assigned(e):
            x = e[index]
            if line is None:
                kind[index] = np.where(x >= 0, CALL, PUT)
                low[index], high[index] = self._by_other(x)
                continue
            kind[index] = FLOOR if not line.is_call else PUT if mirrored else CALL
            lower, upper = line.bracket(-x if mirrored else x)
            # exchanging the worlds divides by e^L, and so by e^e at the threshold
            scale = np.exp(np.minimum(x, 700.0)) if mirrored else 1.0
            low[index], high[index] = scale * lower * (1 - 1e-15), scale * upper * (1 + 1e-15)
        return Quantity(kind, low, high)

    def tail(self, e: Floats) -> tuple[Floats, Floats, Floats]:
        """P(L > e), P(L ≤ e) and the density of the loss, under H0, approximately (seen losses only)."""
        seen = math.exp(self.comp.log_seen[0])
        below = np.where(self._outside(e)[0], seen, 0.0)
        above, density = seen - below, np.zeros(len(e))
        for line, index, mirrored in self._assigned(e):
            x = e[index]
            if line is None:
                alpha, co, _, _ = self.fallback._rates(x)
                above[index], below[index] = alpha, co - self.comp.unseen[0]
            elif mirrored:
                part = line.weighted_tail(-x)
                below[index] = part if line.is_call else seen + part
                density[index] = line.density(-x) * np.exp(-np.maximum(x, -700.0))
                above[index] = seen - below[index]
            else:
                above[index] = line.tail(x)
                below[index] = seen - above[index]
                density[index] = line.density(x)
        return above, below, density

    def _assigned(self, e: Floats) -> list[tuple[Line | None, np.ndarray, bool]]:
        found = []
        above, below = self._outside(e)
        inside = ~(above | below)
        for half, mirrored in zip(self._halves, (False, True)):
            mine = np.flatnonzero(inside & ((e < self._middle) == mirrored))
            if len(mine):
                parts = half.assigned(-e[mine] if mirrored else e[mine])
                found += [(line, mine[index], mirrored) for line, index in parts]
        return found

    @cached_property
    def fallback(self) -> TradeOff:
        """The curve by another route, for thresholds where the characteristic function does not fall off."""
        if self._other is None:
            raise NoDecay
        return self._other()

    def lacks_a_line(self, e: float) -> bool:
        """Whether the threshold is answered by the other route."""
        return any(line is None for line, _, _ in self._assigned(np.array([e])))

    def _by_other(self, e: Floats) -> tuple[Floats, Floats]:
        """Calls for e ≥ 0, puts for e < 0."""
        low, high = np.empty_like(e), np.empty_like(e)
        for is_call in (True, False):
            index = np.flatnonzero((e >= 0) == is_call)
            if not len(index):
                continue
            curve = self.fallback if is_call else self.fallback.inverse()
            proof = self.comp.unseen[1 if is_call else 0]
            x = np.abs(e[index])
            ends = [np.maximum(curve.bounded_profile(side, x) - proof, 0.0) for side in (MILD, RISKY)]
            scale = 1.0 if is_call else np.exp(-x)
            low[index], high[index] = ends[0] * scale * (1 - 1e-13), (ends[1] + 1e-13 * proof) * scale * (1 + 1e-13)
        return low, high


def _vanishing(comp: Composition) -> float:
    """A threshold above which E(e^L − e^e)₊ < e^{−735}."""
    spread = math.sqrt(max(comp.real(1.0)[2], 1e-300))
    best = math.inf
    for power in (3, 5, 7, 10):
        tilt = 2.0**power / spread
        k = comp.real(1 + tilt)[0]
        if not math.isfinite(k):
            break
        best = min(best, (k + 735) / tilt)
    return best
