"""Which line serves which threshold, for all losses from the middle upwards; and bounds that need no line."""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import NamedTuple

import numpy as np

from dplens._numerics.sharing import remembered
from dplens.engine.composition import Composition, Tilts, from_above, log_kappa
from dplens.engine.contour import Line, NoDecay
from dplens.engine.laws import Floats

_CLOSER = 4  # tilts whose laws are looked at closer at once
_MARGIN = 0.7  # least distance of a line from a pole, in units of 1/spread
_CALM = 0.7  # of the way to the tilt at which rare losses take over
_WILD = 30.0  # times the spread: the tilts beyond belong to rare losses
_LINK = 3.0  # standard deviations of the loss that one line serves
_JUMP = 8.0  # standard deviations beyond which a link is not to reach
_GAP = 4.1  # −log of what a line may fall to at the ends of a long link
_ORDINARY, _BLUR = 1e-12, 1e-9  # goal, and relative width at its ends, for which a link may be long
_NEARER, _CLEAR = (0.3, 0.1, 0.03), 1e-9  # of the way from 1 to a line that is too dim, and when it is not
_WIDEST = 1000.0  # distance between the ends of the losses from which nothing is hidden
_COARSE, _PART = 1e-8, 100.0  # a goal where a finer one cannot be met, and how many times it a line may be dim
_LINKS = 600
_BEFORE = 0.25  # standard deviations, and losses


class Links(NamedTuple):
    """The links from the middle upwards that are known: the losses at which they end.

    The first end is where the first link begins. ``tables``: those of tilts in which the ends were found.
    """

    edges: tuple[float, ...]
    tables: tuple[Tilts, ...]
    first_line: Line | None = None  # of a long link, which is not known without it

    def and_one_more(self) -> Links | None:
        """The divergence of its ends is 9 for three standard deviations.

        Where rare losses take over, means jump: a line that reaches many times as far would lose its digits.
        """
        edge = self.edges[-1]
        start = self.tables[-1].c_of(edge)
        table = self.tables[-1].reach(lambda table: _far(table, start, edge) is not None)
        end = _far(table, start, edge)
        end = float(table.mean[-1]) if end is None else end
        most = edge + max(_JUMP * table.spread_at(0.5), 2 * (edge - self.edges[0]))
        return self.and_to(min(end, most), table) if end > edge else None

    def and_to(self, edge: float, table: Tilts, line: Line | None = None) -> Links:
        """One link more, up to there."""
        return Links((*self.edges, edge), (*self.tables, table), line or self.first_line)

    def of(self, x: float) -> int:
        """Which link a threshold belongs to."""
        return max(bisect_right(self.edges, x) - 1, 0)


class Half:
    """Lines for thresholds from the middle upwards.

    Links are about three standard deviations long; the thresholds between the mean losses at the two ends of a link
    have one line. The first may be twice as long, if its line shows that few digits are lost by that. So which line
    answers does not depend on what was asked before.
    """

    def __init__(self, comp: Composition, goal: float, mirror: Half | None = None, *, wide: bool = False) -> None:
        self.comp, self.goal = comp, goal
        self.tilts = Tilts.first(comp, mirror.tilts if mirror is not None else None)
        self.middle = float(self.tilts.mean[0])
        self.spread = self.tilts.spread_at(0.5)
        # the first threshold: the middle, or a little below, lest the few thresholds there need a line more
        self.start = self.middle - (min(_BEFORE * self.spread, _BEFORE) if wide else 0.0)
        self._longest: Links | None = None
        self._lines: dict[int, Line | None] = {}
        self._kappas: dict[float, float] = {}

    def _first_links(self) -> Links:
        none = Links((self.start,), (self.tilts,))
        return (self._long_link(none) if self.goal >= _ORDINARY else None) or none

    def _long_link(self, none: Links) -> Links | None:
        """A first link that is a long one, if it can be; its line then is made at once.

        By e = K'(c') the sum over a line at c has fallen to e^{−g} of its largest, g = K(c) − K(c') − (c − c')·e. The
        line stands where g has reached the gap at the start, and its link ends where it has again.
        """
        tilts = self.tilts
        while True:
            c = _reached(tilts.k - tilts.k[0] - (tilts.c - tilts.c[0]) * tilts.mean[0], tilts.c, 0.5)
            if c is not None:
                fall = tilts.k_at(c) - tilts.k + (tilts.c - c) * tilts.mean
                last = _reached(fall, tilts.c, c)
                if last is not None:
                    break
            if tilts.ended or tilts.variance[-1] > _WILD * tilts.variance[0]:
                return None
            tilts = tilts.more
        spread, end = tilts.spread_at(c), float(np.interp(last, tilts.c, tilts.mean))
        # where few outcomes have large losses, tilts make them all that counts, and another line reaches further
        least = _far(tilts, 0.5, float(tilts.mean[0])) or -math.inf
        if c < 1 + _MARGIN / spread or spread**2 > 4 * tilts.variance[0] or end < least:
            return None
        line = self._tried(c, (self.start, end), self.goal, tilts)
        return none.and_to(end, tilts, line) if line is not None and line.blur <= _BLUR else None

    def assigned(self, x: Floats) -> list[tuple[Line | None, np.ndarray]]:
        """Lines with the indices of the thresholds they serve; None serves those that no line does."""
        top = float(x.max())
        links = self._reach(top)
        if len(x) == 1 or (links.edges[1:2] and top < links.edges[1]):
            return [(self._line(links.of(top), links), np.arange(len(x)))]
        link = np.clip(np.searchsorted(links.edges, x, side="right") - 1, 0, None)
        return [(self._line(int(k), links), np.flatnonzero(link == k)) for k in np.unique(link)]

    @property
    def first_line(self) -> Line | None:
        """The line of the first link."""
        return self._line(0, self._reach(self.start))

    def last_sound(self, line: Line | None, x: Floats) -> float:
        """The last threshold up to which the line of some, or those before it, have not drowned in rounding."""
        if line is not None and line.is_sound:
            first = self.first_line  # further out than it no line does better
            return min(line.last, first.last if first is not None else math.inf)
        links = self._reach(float(x.max()))
        lines = ((k, self._line(k - 1, links)) for k in range(links.of(float(x.max())), 0, -1))
        return links.edges[next((k for k, line in lines if line is not None and line.is_sound), 0)]

    def _reach(self, x: float) -> Links:
        """Links as far as a threshold, and perhaps further: those that are known stay as they are."""
        links = self._longest or self._first_links()
        while links.edges[-1] <= x and len(links.edges) < _LINKS and (more := links.and_one_more()) is not None:
            links = more
        self._longest = links
        return links

    def _line(self, k: int, links: Links) -> Line | None:
        return remembered(self._lines, k, lambda: self._new(k, links))

    def _new(self, k: int, links: Links) -> Line | None:
        if k == 0 and links.first_line is not None:
            return links.first_line
        if k + 1 >= len(links.edges):
            return None
        table = links.tables[k + 1]
        first, last = table.c_of(links.edges[k]), table.c_of(links.edges[k + 1])
        c = (first + last) / 2
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
        return self._clearest(c, (links.edges[k], links.edges[k + 1]), table)

    def _clearest(self, c: float, ends: tuple[float, float], tilts: Tilts) -> Line | None:
        """The line at c, or one nearer to 1 where that sees little of the thresholds at which its link begins.

        Where no line ends for the goal, one for a coarser goal still knows more than other routes.
        """
        low, high = self.comp.support
        for goal in (self.goal, _COARSE) if not _WIDEST < high - low < math.inf else (self.goal,):
            best = self._tried(c, ends, goal, tilts)
            if best is None and goal != _COARSE:
                continue
            for part in _NEARER:
                if c <= 1 or (best is not None and (best.is_long or best.dim <= max(_CLEAR, _PART * goal))):
                    break
                line = self._tried(1 + (c - 1) * part, ends, goal, tilts)
                if line is not None and (best is None or line.dim < best.dim):
                    best = line
            if best is not None:
                return best
        return None

    def _tried(self, c: float, ends: tuple[float, float], goal: float, tilts: Tilts) -> Line | None:
        try:
            return Line(tilts, c, ends, goal)
        except NoDecay:
            return None

    def chernoff(self, e: Floats) -> Floats:
        """An upper bound of calls, proved: the best of e^{K(c) + (1 − c)·e}·sup (e^x − 1)·e^{−c·x}."""
        table = self.tilts.reach_mean(float(e.max()))
        above = table.c > 1
        c, k = table.c[above], table.k[above]
        if not len(c):
            return np.ones_like(e)
        return np.exp(np.minimum(np.min(from_above(k) + log_kappa(c) + np.multiply.outer(e, 1 - c), axis=1), 0.0))

    def closer_chernoff(self, e: Floats) -> Floats:
        """The same from a few tilts among the means e, by what is known of their laws."""
        table = self.tilts.reach_mean(float(e.max()))
        ends = np.searchsorted(table.mean, [float(e.min()), float(e.max())])
        first = max(int(ends[0]) - 1, int(np.searchsorted(table.c, 1.0, side="right")))
        last = min(int(ends[1]), len(table.c) - 1)
        bound = np.zeros_like(e)
        for i in np.unique(np.linspace(first, last, _CLOSER).astype(int)).tolist() if first <= last else ():
            c, variance = float(table.c[i]), float(table.variance[i])
            kappa = remembered(self._kappas, c, lambda c=c, v=variance: self.comp.closer_kappa(c, v))
            bound = np.minimum(bound, float(from_above(table.k[i])) + math.log(kappa) + (1 - c) * e)
        return np.exp(bound)


def _far(tilts: Tilts, start: float, edge: float) -> float | None:
    """The first mean loss at which a link from ``edge``, the mean of the tilt ``start``, is long enough, if known."""
    far = np.flatnonzero(((tilts.c - start) * (tilts.mean - edge) >= _LINK**2) & (tilts.c > start))
    return float(tilts.mean[far[0]]) if len(far) else None


def _reached(values: Floats, c: Floats, start: float) -> float | None:
    """Where values, 0 at ``start`` and about quadratic in c from there on, reach the gap."""
    beyond = np.flatnonzero((values >= _GAP) & (c > start))
    if not len(beyond):
        return None
    j = int(beyond[0])
    low, at = (float(values[j - 1]), float(c[j - 1])) if c[j - 1] > start else (0.0, start)
    root, high = math.sqrt(max(low, 0.0)), math.sqrt(float(values[j]))
    return at + (float(c[j]) - at) * (math.sqrt(_GAP) - root) / (high - root)
