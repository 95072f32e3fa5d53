"""Which line to use for which loss, and what follows for the profile and the curve.

For a threshold e: call(e) = E_P(e^L − e^e)₊, floor(e) = E_P min(e^L, e^e), put(e) = E_P(e^e − e^L)₊, and
call + floor = P(seen under H1), put + floor = e^e·P(seen under H0). Each is computed where it is small: calls above the
middle of the loss, puts below it as calls of the two worlds exchanged, floors where neither is small.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dplens._numerics.sharing import cached_property
from dplens.curves.base import TradeOff
from dplens.engine.composition import Composition, from_above, log_kappa
from dplens.engine.contour import Line, NoDecay
from dplens.engine.laws import Floats
from dplens.engine.links import Half
from dplens.engine.tilts import COSTLY, Tilts

CALL, FLOOR, PUT = 0, 1, 2
# by lines; by Chernoff's bound with some knowledge of the laws, or without; by a line meant for losses of other sign
EXACT, CLOSER, ROUGH, BESIDE = 0, 1, 2, 3
_NEARLY = 0.98  # of the largest loss: tilts whose means lie beyond are many
_AROUND = np.array([0.6, 0.75, 0.88, 1.0, 1.15, 1.35, 1.7])  # times a tilt


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
        self._halves = upper, upper if symmetric else Half(comp.reversed, goal, upper)
        self._middle = upper.start
        self._near = 12 * upper.tilts.spread_at(0.5)

    @property
    def tilts(self) -> tuple[Tilts, Tilts]:
        """The smallest tables, of the losses above the middle, and of those below it with the worlds exchanged."""
        return self._halves[0].tilts, self._halves[1].tilts

    @cached_property
    def mirrored(self) -> Readings:
        """The two worlds exchanged: the same lines in other roles."""
        other = Readings.__new__(Readings)
        other.comp, other._halves = self.comp.reversed, self._halves[::-1]
        other._other = (lambda: self.fallback.inverse()) if self._other is not None else None
        other._middle, other._near = -self._middle, self._near
        other.__dict__["mirrored"] = self
        return other

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

    def _outside(self, e: Floats) -> tuple[np.ndarray, np.ndarray] | None:
        """Where e lies above, and below, the limits; None where none does: near the middle they need not be known."""
        if not len(e):
            return None
        low, high = self.comp.support
        least, most = float(e.min()), float(e.max())
        if low < least and most < high and max(most - self._middle, self._middle - least) < self._near:
            return None
        above, below = e >= self.limits[1], e <= self.limits[0]
        return (above, below) if above.any() or below.any() else None

    def at(self, e: Floats, how: int = EXACT) -> Quantity:
        """For each threshold, the quantity that its line computes; where there is no line, by the other route.

        Unless ``how`` is EXACT, upper bounds of calls for e ≥ 0 and of puts for e < 0, which need no line.
        """
        if how == BESIDE:
            return self._beside(e)
        if how != EXACT:
            return Quantity(np.where(e >= 0, CALL, PUT), np.zeros_like(e), self._by_chernoff(e, how))
        kind, low, high = np.empty(len(e), dtype=int), np.zeros(len(e)), np.zeros(len(e))
        outside = self._outside(e)
        if outside is not None:  # out there nothing is left to pay, or next to nothing
            above, below = outside
            kind = np.where(above, CALL, PUT)
            ends = self.limits
            over, under = _left(e, self.comp.support[1], ends[1]), _left(-e, -self.comp.support[0], -ends[0])
            over, under = over + self.comp.rare, under + self.comp.rare
            high = np.where(above, over, under * np.exp(np.minimum(e, 700.0)))
            high = np.where(above | below, high, 0.0)
        for line, index, mirrored in self._assigned(e, outside):
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
            self._rescue(e, kind, low, high, index[(lower < 0.5 * upper) & (upper > 1e-300)])
        return Quantity(kind, low, high)

    def call_line(self, e: float) -> Line | None:
        """The line that computes the call at a threshold, unless something out of the ordinary is needed there."""
        low, high = self.comp.support
        if not (low < e < high and 0 <= e - self._middle < self._near):
            return None
        line = self._halves[0].line_at(e)
        return line if line is not None and line.is_call else None

    def calls_above(self, e: Floats) -> list[tuple[Line, np.ndarray]] | None:
        """Lines that compute calls at losses e ≥ 0, with the indices of theirs; None where that is not all there is."""
        if self._middle > 0 or self._outside(e) is not None:
            return None
        found = []
        for line, index in self._halves[0].assigned(e):
            if line is None or not line.is_call:
                return None
            found.append((line, index))
        return found

    def call_bound(self, e: float, enough: float) -> float:
        """An upper bound of one call, rough if that is enough, from tilts near the one that the mirror image takes."""
        known = self._halves[1].tilts.reach_mean(e)
        gap = float(np.interp(e, known.mean, known.c)) - 1
        if gap <= 0 or self.comp.dearest(1 + gap * float(_AROUND[-1]), 0.0) >= COSTLY:
            return math.inf
        c = 1 + gap * _AROUND
        k, _, variance = self.comp.axis(c)
        powers = from_above(k) - gap * _AROUND * e
        bounds = powers + log_kappa(c)
        best = int(np.argmin(bounds))
        bound = math.exp(min(float(bounds[best]), 0.0))
        if bound <= enough:
            return bound
        return min(
            bound, math.exp(min(powers[best], 700.0)) * self.comp.closer_kappa(float(c[best]), float(variance[best]))
        )

    def _rescue(self, e: Floats, kind: np.ndarray, low: Floats, high: Floats, drowned: np.ndarray) -> None:
        """Where rounding leaves little of what a line says, the other route may know more."""
        drowned = drowned[kind[drowned] == np.where(e[drowned] >= 0, CALL, PUT)]
        if self._other is not None and len(drowned):
            lower, upper = self._by_other(e[drowned])
            low[drowned], high[drowned] = np.maximum(low[drowned], lower), np.minimum(high[drowned], upper)

    def tail(self, e: Floats) -> tuple[Floats, Floats, Floats]:
        """P(L > e), P(L ≤ e) and the density of the loss, under H0, approximately (seen losses only)."""
        seen = math.exp(self.comp.log_seen[0])
        outside = self._outside(e)
        below = np.zeros(len(e)) if outside is None else np.where(outside[0], seen, 0.0)
        above, density = seen - below, np.zeros(len(e))
        for line, index, mirrored in self._assigned(e, outside):
            x = e[index]
            if line is None:
                alpha, co, _, _ = self.fallback._rates(x)
                above[index], below[index] = alpha, co - self.comp.unseen[0]
            elif mirrored:
                part, density[index] = line.weighted_tail(-x)
                below[index] = part if line.is_call else seen + part
                above[index] = seen - below[index]
            else:
                above[index], density[index] = line.tail(x)
                below[index] = seen - above[index]
        return above, below, density

    def call_and_paid(self, e: Floats) -> tuple[Floats, Floats]:
        """call(e), nan where no line computes it, and e^e·P(L > e), minus its derivative; both approximately."""
        call, paid = np.full(len(e), np.nan), np.zeros(len(e))
        for line, index, mirrored in self._assigned(e, self._outside(e)):
            x = e[index]
            if line and line.is_call and not mirrored:
                call[index], paid[index] = line.call_and_paid(x)
            else:
                paid[index] = np.exp(np.minimum(x, 700.0)) * self.tail(x)[0]
        return call, paid

    def _assigned(
        self, e: Floats, outside: tuple[np.ndarray, np.ndarray] | None
    ) -> list[tuple[Line | None, np.ndarray, bool]]:
        inside = np.ones(len(e), dtype=bool) if outside is None else ~(outside[0] | outside[1])
        lower = e < self._middle
        found = []
        for half, mirrored in zip(self._halves, (False, True)):
            mine = np.flatnonzero(inside & (lower if mirrored else ~lower))
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

    def lacks_line(self, e: Floats, outside_too: bool = False) -> np.ndarray:
        """Which thresholds are answered by the other route; ``outside_too``, or lie outside the limits."""
        outside = self._outside(e)
        out = np.zeros(len(e), dtype=bool) if outside is None or not outside_too else outside[0] | outside[1]
        for line, index, _ in self._assigned(e, outside):
            if line is None:
                out[index] = True
        return out

    def last_sound(self, e: Floats) -> Floats:
        """Thresholds, moved towards the middle to where the line of their link has not yet drowned in rounding."""
        out = e.copy()
        for line, index, mirrored in self._assigned(e, self._outside(e)):
            half = self._halves[mirrored]
            last = (
                min(line.last, half.last) if line and line.is_sound else half.last_served(float(np.abs(e[index]).max()))
            )
            if last < math.inf:
                out[index] = np.maximum(e[index], -last) if mirrored else np.minimum(e[index], last)
        return out

    def _beside(self, e: Floats) -> Quantity:
        """Upper bounds of puts for e ≥ 0, of calls for e < 0, by the first line of the half on the other side.

        That is known where the mirror image was asked for the same losses. A sum over a line errs upwards at any
        threshold, so only its upper end is of use here; the smaller quantity follows by parity, with fewer digits.
        """
        kind, high = np.where(e >= 0, PUT, CALL), np.full(len(e), math.inf)
        for half, mirrored in zip(self._halves, (False, True)):
            mine = np.flatnonzero((e >= 0) == mirrored)
            mine = mine[np.abs(e[mine]) < 2 * half.first_end] if len(mine) else mine
            line = half.first_line if len(mine) else None
            if line is not None and line.is_call:
                away = np.abs(e[mine])
                scale = np.exp(away) if mirrored else 1.0
                high[mine] = line.bracket(-away)[1] * scale * (1 + 1e-15)
        return Quantity(kind, np.zeros(len(e)), high)

    def _by_chernoff(self, e: Floats, how: int) -> Floats:
        """Upper bounds of calls for e ≥ 0, of puts for e < 0."""
        high = np.empty_like(e)
        for half, positive in zip(self._halves, (True, False)):
            index = np.flatnonzero((e >= 0) == positive)
            if len(index):
                x = np.abs(e[index])
                tilts, top = half.tilts, half.comp.support[1]
                near = np.minimum(x, _NEARLY * top) if 0 < top < math.inf else x  # calls fall, and ends take long
                log_bound = tilts.chernoff(near) if how == ROUGH else tilts.closer_chernoff(near)
                bound = np.exp(np.minimum(log_bound, 0.0))
                high[index] = bound if positive else bound * np.exp(-x)
        return high

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
            ends = [np.maximum(end - proof, 0.0) for end in curve.profile_bounds(x)]
            scale = 1.0 if is_call else np.exp(-x)
            low[index], high[index] = ends[0] * scale * (1 - 1e-13), (ends[1] + 1e-13 * proof) * scale * (1 + 1e-13)
        return low, np.minimum(high, self._by_chernoff(e, ROUGH))


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
