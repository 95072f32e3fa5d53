"""Which line serves which threshold, and what it says of the profile and the curve.

For a threshold e: call(e) = E_P(e^L − e^e)₊, floor(e) = E_P min(e^L, e^e), put(e) = E_P(e^e − e^L)₊, and
call + floor = P(seen under H1), put + floor = e^e·P(seen under H0). Each is computed where it is small: calls above the
middle of the loss, puts below it as calls of the two worlds exchanged, floors where neither is small.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from dplens.composition.contour.line import Line, NoDecay, NoPanels
from dplens.curves.base import TradeOff
from dplens.losses.base import Floats
from dplens.losses.total import COSTLY, Composition, Tilts, from_above, log_kappa
from dplens.numerics.sharing import cached_property, remembered

CALL, FLOOR, PUT = 0, 1, 2
_NEARLY = 0.98  # of the largest loss: tilts whose means lie beyond are many
_AROUND, _LEAST = (0.6, 1.7), 0.01  # times the distance of tilts from 1, and of the least from the largest
_MARGIN = 0.7  # least distance of a line from a pole, in units of 1/spread
_CALM = 0.7  # of the way to the tilt at which rare losses take over
_WILD = 30.0  # times the spread: the tilts beyond belong to rare losses
_ORDINARY = 1e-12  # goal from which a line may serve ...
_FIRST, _LINK, _SHORT = 5.5, 4.0, 3.0  # ... so many standard deviations: the first line, others, and finer ones
_PLACES = 17  # of a line that are looked at
_JUMP = 8.0  # standard deviations beyond which a link is not to reach
_NEARER, _CLEAR = (
    (0.3, 0.1, 0.03),
    1e-9,
)  # of the way from 1 to a line that errs much where its link begins, and what is little
_MODERATE, _SHORTER = 1000, 0.7  # nodes above which a line is tried that much nearer to 1, where it may be shorter
_WIDEST = 1000.0  # distance between the ends of the losses from which nothing is hidden
_COARSE, _PART = 1e-8, 100.0  # a goal where a finer one cannot be met, and how many times it a line may err
_LINKS = 600
_BEFORE = 0.25  # standard deviations, and losses


class Links(NamedTuple):
    """The links from the middle upwards that are known: the losses at which they end.

    The first end is where the first link begins. ``tables``: those of tilts in which the ends were found.
    """

    edges: tuple[float, ...]
    tables: tuple[Tilts, ...]

    def and_one_more(self, length: float) -> Links | None:
        """One link more, so many standard deviations long: the divergence of its ends is the square of that.

        Where rare losses take over, means jump: a line that reaches many times as far would lose its digits.
        """
        edge = self.edges[-1]
        start = self.tables[-1].c_of(edge)
        table = self.tables[-1].reach(lambda table: len(_far(table, start, edge, length)) > 0)
        far = _far(table, start, edge, length)
        end = float(far[0] if len(far) else table.mean[-1])
        most = edge + max(_JUMP * table.spread_at(0.5), 2 * (edge - self.edges[0]))
        return Links((*self.edges, min(end, most)), (*self.tables, table)) if end > edge else None

    def of(self, x: float) -> int:
        """Which link a threshold belongs to."""
        return max(bisect_right(self.edges, x) - 1, 0)


class LineChain:
    """Lines for thresholds from the middle upwards.

    Links are about four standard deviations long, the first a little longer. The thresholds between the mean losses at
    the two ends of a link share one line, so the line that answers does not depend on earlier questions.
    """

    def __init__(self, comp: Composition, goal: float, mirror: LineChain | None = None, *, wide: bool = False) -> None:
        self.comp, self.goal = comp, goal
        self.tilts = Tilts.first(comp, mirror.tilts if mirror is not None else None)
        self.middle = float(self.tilts.mean[0])
        self.spread = self.tilts.spread_at(0.5)
        # the first threshold: the middle, or a little below, lest the few thresholds there need a line more
        self.start = self.middle - (min(_BEFORE * self.spread, _BEFORE) if wide else 0.0)
        self._longest: Links | None = None
        self._lines: dict[int, Line | None] = {}

    def assigned(self, x: Floats) -> list[tuple[Line | None, np.ndarray]]:
        """Lines with the indices of the thresholds they serve; None serves those that no line does."""
        top = float(x.max())
        links = self._reach(top)
        if len(x) == 1 or (links.edges[1:2] and top < links.edges[1]):
            return [(self._line(links.of(top), links), np.arange(len(x)))]
        link = np.clip(np.searchsorted(links.edges, x, side="right") - 1, 0, None)
        return [(self._line(int(k), links), np.flatnonzero(link == k)) for k in np.unique(link)]

    def beside(self, x: float) -> Line | None:
        """The line of the first link, if that is near enough to a threshold to tell something of it."""
        links = self._reach(self.start)
        return self._line(0, links) if len(links.edges) > 1 and x < 2 * links.edges[1] else None

    def _reach(self, x: float) -> Links:
        """Links as far as a threshold, and perhaps further: those that are known stay as they are."""
        links = self._longest or Links((self.start,), (self.tilts,))
        while links.edges[-1] <= x and len(links.edges) < _LINKS:
            ordinary = _FIRST if len(links.edges) == 1 else _LINK
            more = links.and_one_more(ordinary if self.goal >= _ORDINARY else _SHORT)
            if more is None:
                break
            links = more
        self._longest = links
        return links

    def _line(self, k: int, links: Links) -> Line | None:
        return remembered(self._lines, k, lambda: self._new(k, links))

    def _new(self, k: int, links: Links) -> Line | None:
        if k + 1 >= len(links.edges):
            return None
        table = links.tables[k + 1]
        low, high = links.edges[k : k + 2]
        first, last = table.c_of(low), table.c_of(high)
        # by e the sum over a line at c falls to e^{K(c') − K(c) − (c' − c)·e}, e = K'(c'): to the same at both ends
        c = np.linspace(first, last, _PLACES)
        k_of = np.array([table.k_at(x) for x in c])
        falls = np.array([k_of - k_of[0] - (c - first) * low, k_of - k_of[-1] - (c - last) * high])
        c = float(c[np.argmin(falls.max(axis=0))])
        spread = table.spread_at(c)
        if c >= 1 - 2.8 / spread:
            c = max(c, 1 + _MARGIN / spread)
            table = table.reach(lambda table: table.c[-1] >= c)
            # where few outcomes have large losses, tilts soon make them all that counts: not so far
            if table.spread_at(c) > _WILD * spread:
                further = 1 + (c - 1) / _CALM
                table = table.reach(lambda table: table.c[-1] >= further)
                calm = 1 + _CALM * (table.calm_from(first) - 1)
                if 1 < calm < c:
                    c = calm
        return self._clearest(c, (low, high), table)

    def _clearest(self, c: float, ends: tuple[float, float], tilts: Tilts) -> Line | None:
        """The line at c, or one nearer to 1 where that sees little of the thresholds at which its link begins.

        Where no line ends for the goal, one for a coarser goal still knows more than other routes.
        """
        low, high = self.comp.support
        goals = (self.goal,) if _WIDEST < high - low < math.inf else (self.goal, _COARSE)
        for goal in goals:
            best, panels = None, True
            if c > 1 and math.isfinite(high):  # next to the largest loss atoms are all that counts: nearer to 1 less so
                for x in (c, 1 + _SHORTER * (c - 1)):
                    best = best or _tried(tilts, x, ends, goal, most=_MODERATE, panels=False)
            try:
                best = best or Line(tilts, c, ends, goal)
            except NoDecay as why:
                panels = not isinstance(why, NoPanels)  # where they do not serve, nor do they for nearer lines
            if best is None and goal != goals[-1]:
                continue
            for part in _NEARER:
                if c <= 1 or (best is not None and (best.is_long or best.start_error <= max(_CLEAR, _PART * goal))):
                    break
                line = _tried(tilts, 1 + (c - 1) * part, ends, goal, panels=panels)
                if line is not None and (best is None or line.start_error < best.start_error):
                    best = line
            if best is not None:
                return best
        return None


def _tried(tilts: Tilts, c: float, ends: tuple[float, float], goal: float, **limits: Any) -> Line | None:
    try:
        return Line(tilts, c, ends, goal, **limits)
    except NoDecay:
        return None


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
        upper = LineChain(comp, goal, wide=not symmetric)
        # for the losses above the middle, and for those below it with the worlds exchanged
        self.chains = upper, upper if symmetric else LineChain(comp.reversed, goal, upper)
        self.middle = upper.start

    @cached_property
    def mirrored(self) -> Readings:
        """The two worlds exchanged: the same lines in other roles."""
        mirror = Readings.__new__(Readings)
        mirror.comp, mirror.chains, mirror.middle = self.comp.reversed, self.chains[::-1], -self.middle
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
        near, (low, high) = 12 * self.chains[0].spread, self.comp.support
        far = (np.abs(e - self.middle) >= near) | (e <= low) | (e >= high)
        if far.any():
            out[e >= self.limits[1]], out[e <= self.limits[0]] = 1, -1
        return out

    def _assigned(self, e: Floats) -> Iterator[tuple[Line | None, np.ndarray, bool]]:
        """Lines, or None, with the indices of their thresholds, and whether the two worlds are exchanged."""
        inside, lower = self.outside(e) == 0, e < self.middle
        for chain, mirrored in zip(self.chains, (False, True)):
            mine = np.flatnonzero(inside & (lower == mirrored))
            if len(mine):
                for line, index in chain.assigned(-e[mine] if mirrored else e[mine]):
                    yield line, mine[index], mirrored

    def lacks_line(self, e: Floats) -> np.ndarray:
        """Which thresholds are answered by the other route."""
        out = np.zeros(len(e), dtype=bool)
        for line, index, _ in self._assigned(e):
            out[index] = line is None
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
        for side in (0, 1):
            index = np.flatnonzero((e >= 0) == (side == 0))
            if len(index):
                curve, proof = (self.fallback, self.fallback.inverse())[side], self.comp.infinity_masses[1 - side]
                x = np.abs(e[index])
                scale = np.exp(-x) if side else 1.0
                lower, upper = curve.profile_bounds(x)
                low[index] = np.maximum(lower - proof, 0.0) * scale * (1 - 1e-13)
                upper = (np.maximum(upper - proof, 0.0) + 1e-13 * proof) * (1 + 1e-13)
                high[index] = np.minimum(upper, (self, self.mirrored)[side].call_bounds(x)) * scale
        return low, high

    # ---- bounds that need no line ---------------------------------------------------------------------

    def call_bounds(self, e: Floats, enough: Floats | float = math.inf) -> Floats:
        """Upper bounds of calls at losses e ≥ 0 from the real axis, rough where that is enough.

        At tilts about those that the mirror image takes, whose table is known where it was asked for the same losses.
        """
        top = self.comp.support[1]
        e = np.minimum(e, _NEARLY * top) if 0 < top < math.inf else e  # calls fall, and ends take long
        last = float(e.max())
        guide = self.chains[1].tilts.reach_mean(last)
        most = guide.c_of(last) - 1
        first = max(guide.c_of(float(e.min())) - 1, _LEAST * most)
        if most <= 0 or self.comp.dearest(1 + _AROUND[1] * most, 0.0) >= COSTLY:
            return np.ones_like(e)
        count = 7 + math.ceil(4 * math.log(most / first))
        c = 1 + np.geomspace(_AROUND[0] * first, _AROUND[1] * most, count)
        k, _, variance = self.comp.axis(c)
        powers = from_above(k) + np.multiply.outer(e, 1 - c)
        bounds = powers + log_kappa(c)
        best = np.argmin(bounds, axis=1)
        bound = np.exp(np.minimum(bounds[np.arange(len(e)), best], 0.0))
        more = bound > enough
        for i in np.unique(best[more]).tolist():
            mine = np.flatnonzero(more & (best == i))
            kappa = self.comp.closer_kappa(float(c[i]), float(variance[i]))
            bound[mine] = np.minimum(bound[mine], np.exp(np.minimum(powers[mine, i], 700.0)) * kappa)
        return bound

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
                above[index], below[index] = alpha, co - self.comp.infinity_masses[0]
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

    def by_parity(self, e: Floats) -> Floats:
        """Upper bounds of calls at losses e ≥ 0 from the first line of the mirror image.

        The sum over a line errs upwards at any threshold, so that at −e it bounds the mirror image's call(−e), and by
        parity call(e) = P(seen under H1) + e^e·(call(−e) − P(seen under H0)), with fewer digits the larger e is.
        """
        line = self.chains[1].beside(float(e.min()))
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


def _far(tilts: Tilts, start: float, edge: float, length: float) -> Floats:
    """Mean losses at which a link from ``edge``, the mean of the tilt ``start``, is long enough."""
    return tilts.mean[((tilts.c - start) * (tilts.mean - edge) >= length**2) & (tilts.c > start)]
