"""Chooses the line of integration for each threshold, and brackets the profile and the curve there.

For a threshold e: call(e) = E_P(e^L − e^e)₊, floor(e) = E_P min(e^L, e^e), put(e) = E_P(e^e − e^L)₊. With Q' and P' the
masses of H1 and H0 at finite losses, call + floor = Q' and put + floor = e^e·P'. Each is computed where it is small:
calls above the middle of the loss, puts below it as calls with H0 and H1 exchanged, floors where neither is small.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from dplens.composition.contour.line import ContourLine, NoDecay, NoPanels
from dplens.curves.base import TradeOff
from dplens.losses.base import Floats
from dplens.losses.total import COSTLY, Composition, Tilts, from_above, log_kappa
from dplens.numerics.sharing import cached_property, remembered

CALL, FLOOR, PUT = 0, 1, 2


class Links(NamedTuple):
    """The links from the middle upwards that are known so far: the losses at which they end.

    The first end is the start of the first link. ``tables``: the tables of tilts in which the ends were found.
    """

    edges: tuple[float, ...]
    tables: tuple[Tilts, ...]

    def and_one_more(self, length: float) -> Links | None:
        """Add a link of ``length`` standard deviations, the root of the divergence between the laws at its ends.

        Where rare losses take over, mean losses jump. A line for such a link would lose digits, so its length in losses
        is bounded as well.
        """
        edge = self.edges[-1]
        start = self.tables[-1].c_of(edge)

        def far_enough(table: Tilts) -> np.ndarray:
            return ((table.c - start) * (table.mean - edge) >= length**2) & (table.c > start)

        table = self.tables[-1].reach(lambda table: bool(far_enough(table).any()))
        far = table.mean[far_enough(table)]
        end = float(far[0] if len(far) else table.mean[-1])
        furthest = edge + max(8.0 * table.spread_at(0.5), 2 * (edge - self.edges[0]))
        return Links((*self.edges, min(end, furthest)), (*self.tables, table)) if end > edge else None

    def of(self, x: float) -> int:
        """The link that a threshold belongs to."""
        return max(bisect_right(self.edges, x) - 1, 0)


class LineChain:
    """Lines for thresholds from the middle of the loss upwards.

    Links are about four standard deviations long, the first a little longer. Thresholds between the mean losses at the
    two ends of a link share one line, so that answers do not depend on earlier questions.
    """

    def __init__(self, comp: Composition, goal: float, mirror: LineChain | None = None, *, wide: bool = False) -> None:
        self.comp, self.goal = comp, goal
        self.tilts = Tilts.first(comp, mirror.tilts if mirror is not None else None)
        self.middle = float(self.tilts.mean[0])
        self.spread = self.tilts.spread_at(0.5)
        # if ``wide``, start a little below the middle, so that the few thresholds there need no extra line
        self.start = self.middle - (0.45 * min(self.spread, 1.0) if wide else 0.0)
        self._longest = Links((self.start,), (self.tilts,))
        self._lines: dict[int, ContourLine | None] = {}
        self._places: dict[int, tuple[float, Tilts]] = {}

    def assigned(self, x: Floats) -> list[tuple[ContourLine | None, np.ndarray]]:
        """Lines with the indices of the thresholds they are for; None where there is no line."""
        top = float(x.max())
        links = self._reach(top)
        if len(x) == 1 or (links.edges[1:2] and top < links.edges[1]):
            return [(self._line(links.of(top), links), np.arange(len(x)))]
        link = np.clip(np.searchsorted(links.edges, x, side="right") - 1, 0, None)
        return [(self._line(int(k), links), np.flatnonzero(link == k)) for k in np.unique(link)]

    def first_line(self, x: float) -> ContourLine | None:
        """The line of the first link, if a threshold is near enough to it."""
        links = self._reach(self.start)
        return self._line(0, links) if len(links.edges) > 1 and x < 2 * links.edges[1] else None

    def _reach(self, x: float, most: int = 600) -> Links:
        """Links up to a threshold, and perhaps beyond it. Known links do not change."""
        links = self._longest
        while links.edges[-1] <= x and len(links.edges) < most:
            ordinary = 5.5 if len(links.edges) == 1 else 4.0
            more = links.and_one_more(ordinary if self.goal >= 1e-12 else 3.0)  # finer lines reach less far
            if more is None:
                break
            links = more
        self._longest = links
        return links

    def _line(self, k: int, links: Links) -> ContourLine | None:
        return remembered(self._lines, k, lambda: self._new(k, links))

    def _new(self, k: int, links: Links) -> ContourLine | None:
        if k + 1 >= len(links.edges):
            return None
        (c, table), ends = self._place_of(k, links), links.edges[k : k + 2]
        # integrals in panels hold for any threshold: use a line before that loses no more than half a digit here
        for j in range(max(0, k - 4), k) if self.comp.has_long_lines else ():
            other = self._place_of(j, links)[0]
            if all(table.k_at(other) - table.k_at(c) - (other - c) * e < 1 for e in ends):
                line = self._line(j, links)
                if line is not None and line.is_long:
                    return line
        return self._clearest(c, ends, table)

    def _place_of(self, k: int, links: Links) -> tuple[float, Tilts]:
        """Where the line of a link should be, and a table of tilts that reaches it."""
        return remembered(self._places, k, lambda: self._place(k, links))

    def _place(self, k: int, links: Links) -> tuple[float, Tilts]:
        table = links.tables[k + 1]
        low, high = links.edges[k : k + 2]
        first, last = table.c_of(low), table.c_of(high)
        # at e = K'(c') the sum over a line at c falls to e^{K(c') − K(c) − (c' − c)·e}: make it equal at both ends
        c = np.linspace(first, last, 9)
        k_of = np.array([table.k_at(x) for x in c])
        falls = np.array([k_of - k_of[0] - (c - first) * low, k_of - k_of[-1] - (c - last) * high])
        c = float(c[np.argmin(falls.max(axis=0))])
        spread = table.spread_at(c)
        if c >= 1 - 2.8 / spread:
            c = max(c, 1 + 0.7 / spread)  # at a distance from the pole at 1
            table = table.reach(lambda table: table.c[-1] >= c)
            # where few outcomes have large losses, these soon dominate larger tilts: do not go that far
            if table.spread_at(c) > 30 * spread:
                part = 0.7  # of the way to the tilt at which rare losses take over
                table = table.reach(lambda table: table.c[-1] >= 1 + (c - 1) / part)
                calm = 1 + part * (table.calm_from(first) - 1)
                c = calm if 1 < calm < c else c
        return c, table

    def _clearest(self, c: float, ends: tuple[float, ...], tilts: Tilts) -> ContourLine | None:
        """The line at c, or one nearer to 1 if that has a large error at the start of its link.

        If no line reaches the goal, one with a coarser goal is still more accurate than other routes, unless losses
        differ so much that nothing is hidden.
        """
        low, high = self.comp.support
        goals = (self.goal,) if 1000 < high - low < math.inf else (self.goal, 1e-8)
        for goal in goals:
            best, panels = None, True
            for part in (1.0, 0.3, 0.1, 0.03) if c > 1 else (1.0,):
                if best is not None and (best.is_long or best.start_error <= max(1e-9, 100 * goal)):
                    break
                if part < 1 and best is None and goal != goals[-1]:
                    break
                try:
                    line = ContourLine(tilts, 1 + (c - 1) * part, ends, goal, panels=panels)
                except NoDecay as why:
                    panels = panels and not isinstance(why, NoPanels)  # if they fail, they also fail for nearer lines
                    if best is not None:  # nearer lines would reach even less far
                        break
                    continue
                if best is None or line.start_error < best.start_error:
                    best = line
            if best is not None:
                return best
        return None


class Quantity(NamedTuple):
    """A bracket of call, floor or put (``kind``) at each threshold."""

    kind: np.ndarray
    low: Floats
    high: Floats


class LineReadings:
    """Brackets of call, floor or put at any thresholds, from as few lines as possible.

    ``fallback`` makes the curve for thresholds without a line.
    """

    def __init__(self, comp: Composition, goal: float = 1e-12, fallback: Callable[[], TradeOff] | None = None) -> None:
        self.comp, self._make_fallback = comp, fallback
        symmetric = comp.reversed is comp
        upper = LineChain(comp, goal, wide=not symmetric)
        # for the losses above the middle, and for those below it with H0 and H1 exchanged
        self.chains = upper, upper if symmetric else LineChain(comp.reversed, goal, upper)
        self.middle = upper.start

    @cached_property
    def mirrored(self) -> LineReadings:
        """The same lines with H0 and H1 exchanged."""
        mirror = LineReadings.__new__(LineReadings)
        mirror.comp, mirror.chains, mirror.middle = self.comp.reversed, self.chains[::-1], -self.middle
        mirror._make_fallback = (lambda: self.fallback.inverse()) if self._make_fallback is not None else None
        mirror.__dict__["mirrored"] = self
        return mirror

    @cached_property
    def fallback(self) -> TradeOff:
        """The curve by another route, for thresholds at which the characteristic function does not decay."""
        if self._make_fallback is None:
            raise NoDecay
        return self._make_fallback()

    # ---- the support ----------------------------------------------------------------------------------

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Thresholds beyond which puts, and calls, underflow (Chernoff), or the ends of the support."""
        low, high = self.comp.support
        return max(low, -_vanishing(self.comp.reversed)), min(high, _vanishing(self.comp))

    def inside_support(self, e: Floats) -> Floats:
        """Move thresholds beyond the support, or next to an end of it, to where no loss is left despite rounding."""
        low, high = self.comp.support
        if math.isfinite(high):
            e = np.where(e >= high - _margin(high), high + _margin(high), e)
        return np.where(e <= low + _margin(low), low - _margin(low), e) if math.isfinite(low) else e

    def outside(self, e: Floats) -> np.ndarray:
        """1 where e lies above the limits, −1 below them. Near the middle the limits need not be computed."""
        out = np.zeros(len(e), dtype=int)
        near, (low, high) = 12 * self.chains[0].spread, self.comp.support
        far = (np.abs(e - self.middle) >= near) | (e <= low) | (e >= high)
        if far.any():
            out[e >= self.limits[1]], out[e <= self.limits[0]] = 1, -1
        return out

    def _assigned(self, e: Floats) -> Iterator[tuple[ContourLine | None, np.ndarray, bool]]:
        """Lines, or None, with the indices of their thresholds, and whether H0 and H1 are exchanged."""
        inside, lower = self.outside(e) == 0, e < self.middle
        for chain, mirrored in zip(self.chains, (False, True)):
            mine = np.flatnonzero(inside & (lower == mirrored))
            if len(mine):
                for line, index in chain.assigned(-e[mine] if mirrored else e[mine]):
                    yield line, mine[index], mirrored

    def lacks_line(self, e: Floats) -> np.ndarray:
        """Which thresholds are left to the fallback."""
        out = np.zeros(len(e), dtype=bool)
        for line, index, _ in self._assigned(e):
            out[index] = line is None
        return out

    # ---- brackets -------------------------------------------------------------------------------------

    def at(self, e: Floats) -> Quantity:
        """For each threshold, the quantity that its line computes, or a call or put by the fallback."""
        kind, low, high = self._beyond(e)
        for line, index, mirrored in self._assigned(e):
            x = e[index]
            direct = np.where(x >= 0, CALL, PUT)  # what the fallback computes
            if line is None:
                kind[index] = direct
                low[index], high[index] = self._by_fallback(x)
                continue
            kind[index] = FLOOR if not line.is_call else PUT if mirrored else CALL
            lower, upper = line.bracket(-x if mirrored else x)
            # exchanging H0 and H1 divides by e^L, and so by e^e at the threshold
            scale = np.exp(np.minimum(x, 700.0)) if mirrored else 1.0
            low[index], high[index] = scale * lower * (1 - 1e-15), scale * upper * (1 + 1e-15)
            wide = (lower < 0.5 * upper) & (upper > 1e-300) & (kind[index] == direct)
            if self._make_fallback is not None and wide.any():
                (lower, upper), wide = self._by_fallback(x[wide]), index[wide]
                low[wide], high[wide] = np.maximum(low[wide], lower), np.minimum(high[wide], upper)
        return Quantity(kind, low, high)

    def _beyond(self, e: Floats) -> Quantity:
        """Calls and puts outside the limits, which vanish or underflow there; 0 inside them."""
        outside = self.outside(e)
        kind, low, high = np.where(outside > 0, CALL, PUT), np.zeros(len(e)), np.zeros(len(e))
        if outside.any():
            (least, most), (bottom, top) = self.comp.support, self.limits
            slope = np.exp(np.minimum(e, 700.0))
            high = np.where(outside > 0, _left(e, most, top), _left(-e, -least, -bottom) * slope)
            high = np.where(outside != 0, high + self.comp.rare * np.where(outside > 0, 1.0, slope), 0.0)
        return Quantity(kind, low, high)

    def _by_fallback(self, e: Floats) -> tuple[Floats, Floats]:
        """Calls for e ≥ 0, puts for e < 0."""
        low, high = np.empty_like(e), np.empty_like(e)
        for side, readings in enumerate((self, self.mirrored)):
            index = np.flatnonzero((e >= 0) == (side == 0))
            if len(index):
                x, at_infinity = np.abs(e[index]), self.comp.infinity_masses[1 - side]
                scale = np.exp(-x) if side else 1.0
                lower, upper = readings.fallback.profile_bounds(x)
                low[index] = np.maximum(lower - at_infinity, 0.0) * scale * (1 - 1e-13)
                upper = (np.maximum(upper - at_infinity, 0.0) + 1e-13 * at_infinity) * (1 + 1e-13)
                high[index] = np.minimum(upper, readings.call_bounds(x)) * scale
        return low, high

    # ---- bounds that need no line ---------------------------------------------------------------------

    def call_bounds(self, e: Floats) -> Floats:
        """Upper bounds of calls at losses e ≥ 0 from the real axis.

        They use tilts close to those of the mirror image, whose table is known if it was read at the same losses.
        """
        top = self.comp.support[1]
        e = np.minimum(e, 0.98 * top) if 0 < top < math.inf else e  # calls fall, and tables up to the end are long
        last = float(e.max())
        guide = self.chains[1].tilts.reach(lambda table: bool(table.mean[-1] >= last))
        most = guide.c_of(last) - 1
        first = max(guide.c_of(float(e.min())) - 1, 0.01 * most)
        if most <= 0 or self.comp.dearest(1 + 1.7 * most, 0.0) >= COSTLY:
            return np.ones_like(e)
        c = 1 + np.geomspace(0.6 * first, 1.7 * most, 7 + math.ceil(4 * math.log(most / first)))
        logs = from_above(self.comp.cgf(c)[0]) + np.multiply.outer(e, 1 - c) + log_kappa(c)
        return np.exp(np.minimum(logs.min(axis=1), 0.0))

    def by_parity(self, e: Floats) -> Floats:
        """Upper bounds of calls at losses e ≥ 0 from the first line of the mirror image.

        The sum over a line errs upwards at any threshold, so at −e it bounds the mirror image's call(−e). By parity
        call(e) = Q' + e^e·(call(−e) − P'), which has fewer digits the larger e is.
        """
        line = self.chains[1].first_line(float(e.min()))
        if line is None or not line.is_call:
            return np.full(len(e), math.inf)
        slope, finite = np.exp(np.minimum(e, 700.0)), np.exp(self.comp.log_finite)
        paid = slope * line.upper(-e)
        return finite[1] + paid - slope * finite[0] + 2e-15 * (1 + paid)

    # ---- approximations that guide searches -----------------------------------------------------------

    def tail(self, e: Floats) -> tuple[Floats, Floats, Floats]:
        """P(L > e), P(L ≤ e) and the density of the loss under H0, approximately (finite losses only)."""
        finite = math.exp(self.comp.log_finite[0])
        below = np.where(self.outside(e) > 0, finite, 0.0)
        above, density = finite - below, np.zeros(len(e))
        for line, index, mirrored in self._assigned(e):
            x = e[index]
            if line is None:
                alpha, co, _, _ = self.fallback._rates(x)
                above[index], below[index] = alpha, co - self.comp.infinity_masses[0]
                continue
            tail, weighted, dense = line.tails(-x if mirrored else x)
            if mirrored:
                below[index] = weighted if line.is_call else weighted + finite
                density[index] = dense * np.exp(np.minimum(-x, 700.0))
                above[index] = finite - below[index]
            else:
                above[index], below[index], density[index] = tail, finite - tail, dense
        return above, below, density

    def call_and_paid(self, e: Floats) -> tuple[Floats, Floats]:
        """call(e) and minus its derivative e^e·P(L > e), approximately; NaN where no line computes them."""
        call, paid = np.full((2, len(e)), np.nan)
        for line, index, mirrored in self._assigned(e):
            if line is not None and line.is_call and not mirrored:
                call[index], paid[index] = line.call_and_paid(e[index])
        return call, paid


def _left(e: Floats, top: float, limit: float) -> Floats:
    """Bound on a call beyond the limit: it underflows there, or e^L is at most e^top, with top known to rounding."""
    if limit < top or math.isinf(top):
        return 1e-307 * np.exp(np.clip(e, -700.0, 0.0))
    # (e^L − e^e)₊ ≤ e^L·(1 − e^{e − top}), and E e^L ≤ 1
    return np.maximum(-np.expm1(np.minimum(e - top - _margin(top), 0.0)), 0.0)


def _margin(end: float) -> float:
    """Bound on the rounding of the end of the support, which is a sum."""
    return 1e-14 * (1 + abs(end))


def _vanishing(comp: Composition, depth: float = 735.0) -> float:
    """A threshold above which E(e^L − e^e)₊ < e^−depth."""
    spread = math.sqrt(max(comp.cgf_at(1.0)[2], 1e-300))
    tilt = np.array([x for x in 2.0 ** np.array([3, 5, 7, 10]) / spread if comp.dearest(1 + x, 0.0) < COSTLY])
    if not len(tilt):
        return math.inf
    k = comp.cgf(1 + tilt)[0]
    return float(np.min(np.where(np.isfinite(k), (k + depth) / tilt, math.inf)))
