"""What lines say of the profile and the curve, at any threshold.

For a threshold e: call(e) = E_P(e^L − e^e)₊, floor(e) = E_P min(e^L, e^e), put(e) = E_P(e^e − e^L)₊, and
call + floor = P(seen under H1), put + floor = e^e·P(seen under H0). Each is computed where it is small: calls above the
middle of the loss, puts below it as calls of the two worlds exchanged, floors where neither is small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from dplens._numerics.sharing import cached_property
from dplens.curves.base import TradeOff
from dplens.engine.composition import COSTLY, Composition
from dplens.engine.contour import Line, NoDecay
from dplens.engine.laws import Floats
from dplens.engine.lines import Half

CALL, FLOOR, PUT = 0, 1, 2
_NEARLY = 0.98  # of the largest loss: tilts whose means lie beyond are many


class Quantity(NamedTuple):
    """A bracket of call, floor or put (``kind``) at each threshold."""

    kind: np.ndarray
    low: Floats
    high: Floats


class Readings:
    """Brackets of call, floor or put at any thresholds, from as few lines as possible."""

    def __init__(self, comp: Composition, goal: float = 1e-12, other: Callable[[], TradeOff] | None = None) -> None:
        self.comp, self._other = comp, other
        symmetric = comp.reversed is comp
        upper = Half(comp, goal, wide=not symmetric)
        # for the losses above the middle, and for those below it with the worlds exchanged
        self.halves = upper, upper if symmetric else Half(comp.reversed, goal, upper)
        self.middle = upper.start

    @cached_property
    def mirrored(self) -> Readings:
        """The two worlds exchanged: the same lines in other roles."""
        mirror = Readings.__new__(Readings)
        mirror.comp, mirror.halves, mirror.middle = self.comp.reversed, self.halves[::-1], -self.middle
        mirror._other = (lambda: self.fallback.inverse()) if self._other is not None else None
        mirror.__dict__["mirrored"] = self
        return mirror

    @cached_property
    def fallback(self) -> TradeOff:
        """The curve by another route, for thresholds where the characteristic function does not fall off."""
        if self._other is None:
            raise NoDecay
        return self._other()

    # ---- where there are losses -----------------------------------------------------------------------

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Thresholds beyond which puts, and calls, are below the smallest float (Chernoff), or the support ends."""
        low, high = self.comp.support
        return max(low, -_vanishing(self.comp.reversed)), min(high, _vanishing(self.comp))

    def inside_support(self, e: Floats) -> Floats:
        """Thresholds next to an end of the support, or beyond, moved to where surely no loss is left."""
        low, high = self.comp.support
        if math.isfinite(high):
            e = np.where(e >= high - _margin(high), high + _margin(high), e)
        return np.where(e <= low + _margin(low), low - _margin(low), e) if math.isfinite(low) else e

    def outside(self, e: Floats) -> np.ndarray:
        """Where e lies above the limits (1), or below them (−1); near the middle they need not be known."""
        out = np.zeros(len(e), dtype=int)
        near, (low, high) = 12 * self.halves[0].spread, self.comp.support
        far = (np.abs(e - self.middle) >= near) | (e <= low) | (e >= high)
        if far.any():
            out[e >= self.limits[1]], out[e <= self.limits[0]] = 1, -1
        return out

    def _assigned(self, e: Floats) -> Iterator[tuple[Line | None, np.ndarray, bool]]:
        """Lines, or None, with the indices of their thresholds, and whether the two worlds are exchanged."""
        inside, lower = self.outside(e) == 0, e < self.middle
        for half, mirrored in zip(self.halves, (False, True)):
            mine = np.flatnonzero(inside & (lower == mirrored))
            if len(mine):
                for line, index in half.assigned(-e[mine] if mirrored else e[mine]):
                    yield line, mine[index], mirrored

    def lacks_line(self, e: Floats) -> np.ndarray:
        """Which thresholds are answered by the other route."""
        out = np.zeros(len(e), dtype=bool)
        for line, index, _ in self._assigned(e):
            out[index] = line is None
        return out

    def last_sound(self, e: Floats) -> Floats:
        """Thresholds, moved towards the middle to where the line of their link has not yet drowned in rounding."""
        out = e.copy()
        for line, index, mirrored in self._assigned(e):
            last = self.halves[mirrored].last_sound(line, -e[index] if mirrored else e[index])
            out[index] = np.maximum(e[index], -last) if mirrored else np.minimum(e[index], last)
        return out

    # ---- brackets -------------------------------------------------------------------------------------

    def at(self, e: Floats) -> Quantity:
        """For each threshold, the quantity that its line computes; where there is no line, by the other route."""
        outside = self.outside(e)
        kind, low, high = np.where(outside > 0, CALL, PUT), np.zeros(len(e)), np.zeros(len(e))
        if outside.any():  # out there nothing is left to pay, or next to nothing
            (least, most), (bottom, top) = self.comp.support, self.limits
            slope = np.exp(np.minimum(e, 700.0))
            high = np.where(outside > 0, _left(e, most, top), _left(-e, -least, -bottom) * slope)
            high = np.where(outside != 0, high + self.comp.rare * np.where(outside > 0, 1.0, slope), 0.0)
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
            drowned = index[(lower < 0.5 * upper) & (upper > 1e-300)]
            drowned = drowned[kind[drowned] == np.where(e[drowned] >= 0, CALL, PUT)]
            if self._other is not None and len(drowned):  # little is left of what the line says
                lower, upper = self._by_other(e[drowned])
                low[drowned], high[drowned] = np.maximum(low[drowned], lower), np.minimum(high[drowned], upper)
        return Quantity(kind, low, high)

    def _by_other(self, e: Floats) -> tuple[Floats, Floats]:
        """Calls for e ≥ 0, puts for e < 0."""
        low, high = np.empty_like(e), np.empty_like(e)
        for side, half in enumerate(self.halves):
            index = np.flatnonzero((e >= 0) == (side == 0))
            if len(index):
                curve, proof = (self.fallback, self.fallback.inverse())[side], self.comp.unseen[1 - side]
                x, top = np.abs(e[index]), half.comp.support[1]
                near = np.minimum(x, _NEARLY * top) if 0 < top < math.inf else x  # calls fall, and ends take long
                scale = np.exp(-x) if side else 1.0
                lower, upper = curve.profile_bounds(x)
                low[index] = np.maximum(lower - proof, 0.0) * scale * (1 - 1e-13)
                upper = (np.maximum(upper - proof, 0.0) + 1e-13 * proof) * (1 + 1e-13)
                high[index] = np.minimum(upper, half.chernoff(near)) * scale
        return low, high

    # ---- what guides searches -------------------------------------------------------------------------

    def tail(self, e: Floats) -> tuple[Floats, Floats, Floats]:
        """P(L > e), P(L ≤ e) and the density of the loss, under H0, approximately (seen losses only)."""
        seen = math.exp(self.comp.log_seen[0])
        below = np.where(self.outside(e) > 0, seen, 0.0)
        above, density = seen - below, np.zeros(len(e))
        for line, index, mirrored in self._assigned(e):
            x = e[index]
            if line is None:
                alpha, co, _, _ = self.fallback._rates(x)
                above[index], below[index] = alpha, co - self.comp.unseen[0]
                continue
            tail, weighted, dense = line.tails(-x if mirrored else x)
            if mirrored:
                below[index] = weighted if line.is_call else weighted + seen
                density[index] = dense * np.exp(np.minimum(-x, 700.0))
                above[index] = seen - below[index]
            else:
                above[index], below[index], density[index] = tail, seen - tail, dense
        return above, below, density

    def call_and_paid(self, e: Floats) -> tuple[Floats, Floats]:
        """call(e), nan where no line computes it, and e^e·P(L > e), minus its derivative; both approximately."""
        call, paid = np.full(len(e), np.nan), np.full(len(e), np.nan)
        for line, index, mirrored in self._assigned(e):
            if line is not None and line.is_call and not mirrored:
                call[index], paid[index] = line.call_and_paid(e[index])
        return call, paid

    def calls_above(self, e: Floats) -> list[tuple[Line, np.ndarray]] | None:
        """Lines that compute calls at losses e ≥ 0, with the indices of theirs; None where that is not all there is."""
        if self.middle > 0 or self.outside(e).any():
            return None
        found = [(line, index) for line, index, _ in self._assigned(e) if line is not None and line.is_call]
        return found if sum(len(index) for _, index in found) == len(e) else None

    def by_parity(self, e: Floats) -> Floats:
        """Upper bounds of calls at losses e ≥ 0 from the first line of the mirror image.

        The sum over a line errs upwards at any threshold, so that at −e it bounds the mirror image's call(−e), and by
        parity call(e) = P(seen under H1) + e^e·(call(−e) − P(seen under H0)), with fewer digits the larger e is.
        """
        line = self.halves[1].first_line
        if line is None or not line.is_call:
            return np.full(len(e), math.inf)
        slope, seen = np.exp(np.minimum(e, 700.0)), np.exp(self.comp.log_seen)
        paid = slope * line.upper(-e)
        return seen[1] + paid - slope * seen[0] + 2e-15 * (1 + paid)


def _left(e: Floats, top: float, limit: float) -> Floats:
    """Bound on a call beyond the limit: it underflows there, or e^L is at most e^top, top known to rounding."""
    if limit < top or math.isinf(top):
        return 1e-307 * np.exp(np.clip(e, -700.0, 0.0))
    # (e^L − e^e)₊ ≤ e^L·(1 − e^{e − top}), and E e^L ≤ 1
    return np.maximum(-np.expm1(np.minimum(e - top - _margin(top), 0.0)), 0.0)


def _margin(end: float) -> float:
    """How far the end of the support, a sum, may be off."""
    return 1e-14 * (1 + abs(end))


def _vanishing(comp: Composition) -> float:
    """A threshold above which E(e^L − e^e)₊ < e^{−735}."""
    spread = math.sqrt(max(comp.real(1.0)[2], 1e-300))
    tilt = np.array([x for x in 2.0 ** np.array([3, 5, 7, 10]) / spread if comp.dearest(1 + x, 0.0) < COSTLY])
    if not len(tilt):
        return math.inf
    k = comp.axis(1 + tilt)[0]
    return float(np.min(np.where(np.isfinite(k), (k + 735) / tilt, math.inf)))
