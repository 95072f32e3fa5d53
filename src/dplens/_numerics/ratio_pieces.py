"""The stretches on which the log-ratio of two densities rises or falls."""

from __future__ import annotations

import math
from copy import copy
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dplens._numerics.laws import Law
from dplens._numerics.masses import interval_mass
from dplens._numerics.ratio_grid import RatioGrid, Room
from dplens._numerics.search import golden_maximum, sign_change
from dplens._numerics.sharing import cached_property
from dplens.errors import Undefined

Floats = npt.NDArray[np.float64]
Interval = tuple[Floats, Floats]

_EPS = float(np.finfo(float).eps)
_MOST = 300  # stretches
_ALL_BUT_ONE = 4  # steps between nodes
SETTLED = 1e-6  # a ratio that moves less than this next to an end of the support has a limit there


class Stretch(NamedTuple):
    """Nodes between which log q/p is monotone; ``start`` and ``end`` may lie beyond the outermost ones."""

    x: Floats
    losses: Floats
    start: float
    end: float

    @property
    def rising(self) -> bool:
        return bool(self.losses[-1] >= self.losses[0])

    def outer(self) -> list[tuple[float, float, float, bool]]:
        """Ends beyond the nodes: the end, the outermost node, its loss, and whether losses rise from there on."""
        x, losses = self.x, self.losses
        sides = (self.start, x[0], losses[0], not self.rising), (self.end, x[-1], losses[-1], self.rising)
        return [(end, float(node), float(loss), up) for end, node, loss, up in sides if end != node]


class RatioPieces:
    """log q/p where both densities are positive, cut into monotone stretches; turning points are refined."""

    sign = 1  # −1: the laws are exchanged

    def __init__(self, p: Law, q: Law, monotone: bool = False) -> None:
        self.p, self.q = p, q
        self.grid = RatioGrid(p, q, monotone)
        self.p_only, self.q_only = self.grid.p_only, self.grid.q_only
        self.pieces = [piece for room in self.grid.rooms for piece in self._cut(room)]
        if len(self.pieces) > _MOST:
            raise Undefined(
                f"The likelihood ratio turns more than {_MOST} times, too often to be sorted. Use coarser laws, or "
                "give both as scipy.stats.rv_histogram or Mixtures of Uniform laws, which are compared exactly."
            )

    def loss(self, x: Floats) -> Floats:
        """log q(x)/p(x)."""
        return self.sign * self.grid.loss(x)

    def exchanged(self) -> RatioPieces:
        """The same with the two laws exchanged."""
        other = copy(self)
        other.p, other.q, other.p_only, other.q_only = self.q, self.p, self.q_only, self.p_only
        other.sign, other.pieces = -self.sign, [piece._replace(losses=-piece.losses) for piece in self.pieces]
        for name in ("medians", "_peaks"):
            vars(other).pop(name, None)
        return other

    @cached_property
    def medians(self) -> tuple[float, float]:
        """Of both laws: places on whose sides one of their tails is small."""
        first, second = (float(law.ppf(np.array([0.5]))[0]) for law in (self.p, self.q))
        return first, second

    def unsettled(self, everywhere: bool = False) -> float:
        """Mass of Q next to an end of the support at which the ratio goes up without a limit, as far as it shows.

        ``everywhere``: beyond the outermost nodes of endless laws as well.
        """
        found = 0.0
        for piece in self.pieces:
            for end, node, _, up in piece.outer():
                if up and (everywhere if math.isinf(end) else not self.settled(end, node) < SETTLED):
                    found += float(interval_mass(self.q, np.array([min(end, node)]), np.array([max(end, node)]))[0])
        return found

    def settled(self, end: float, node: float) -> float:
        """How much the ratio changes next to a node near the end of the support."""
        near = self.loss(np.array([node, 2 * node - end]))
        return abs(float(near[1] - near[0]))

    def _cut(self, room: Room) -> list[Stretch]:
        """Monotone stretches; the loss is made exactly monotone on each."""
        step = np.diff(room.losses)
        quiet = np.abs(step) <= room.noise[1:] + room.noise[:-1]
        direction = np.where(quiet, 0, np.sign(step)).astype(int)
        turns: list[int] = []
        around: list[tuple[int, int, int]] = []  # of each turn: nodes before and after it, 1 for a peak, −1 for a dip
        current = 0
        last_move = 0
        for i in np.flatnonzero(direction).tolist():
            d = int(direction[i])
            if current and d != current:
                at = (last_move + 1 + i) // 2
                turns.append(at)
                # nodes that are all but one are passed over; on a plateau one place is as good as another
                few = i - last_move <= _ALL_BUT_ONE
                around.append((last_move, i + 1, current) if few else (at - 1, at + 1, current))
            current, last_move = d, i
        nodes = self._refined(room, turns, around)
        bounds = [0, *turns, len(room.x) - 1]
        pieces = []
        for i, (a, b) in enumerate(pairwise(bounds)):
            xs, ls = room.x[a : b + 1].copy(), room.losses[a : b + 1].copy()
            if i > 0:
                xs[0], ls[0] = nodes[i - 1]
            if i < len(turns):
                xs[-1], ls[-1] = nodes[i]
            keep = (xs > xs[0]) & (xs < xs[-1])
            keep[0], keep[-1] = True, xs[-1] > xs[0]
            xs, ls = xs[keep], ls[keep]
            rising = ls[-1] >= ls[0]
            start, end = room.start if i == 0 else xs[0], room.end if i == len(turns) else xs[-1]
            ls = np.maximum.accumulate(ls) if rising else np.minimum.accumulate(ls)
            pieces.append(Stretch(xs, ls, float(start), float(end)))
        return pieces

    def _refined(self, room: Room, turns: list[int], around: list[tuple[int, int, int]]) -> list[tuple[float, float]]:
        if not turns:
            return []
        x, losses, at = room.x, room.losses, np.array(turns)
        before, after, sign = np.array(around).T
        low, high = x[before], x[after]
        where, value = golden_maximum(lambda y: np.nan_to_num(sign * self.loss(y), nan=-math.inf), low, high)
        better = value > sign * losses[at]
        return [
            (float(w), float(s * v)) if b else (float(x[i]), float(losses[i]))
            for w, v, s, b, i in zip(where, value, sign, better, turns)
        ]

    @cached_property
    def _peaks(self) -> list[tuple[float, float, float]]:
        """Of each stretch: where the log-ratio is largest, the value seen and how much larger it may be.

        Between neighbouring floats a smooth function changes by a rounding error, a cusp by far more: so the slack
        is a multiple of the change over a few floats, except at a kink that is known and itself on the grid.
        """
        out = []
        for x, losses, start, end in self.pieces:
            i = int(np.argmax(losses))
            at, top = float(x[i]), float(losses[i])
            near = at + np.array([0, -8, -4, -2, 2, 4, 8]) * np.spacing(abs(at))
            near = near[(near > start) & (near < end)]
            logs = self.p.logpdf(near), self.q.logpdf(near)
            with np.errstate(invalid="ignore"):
                change = np.abs(logs[1] - logs[0] - top)
            known = np.isfinite(change)
            slack = 1e-15 * (1 + abs(top)) + 4 * _EPS * float(
                np.max(np.abs(logs[0][known]) + np.abs(logs[1][known]), initial=0.0)
            )
            if not np.isin(at, self.grid.kinks):
                slack += 2 * float(np.max(change[known], initial=0.0))
            out.append((at, top, slack))
        return out

    def largest_loss(self) -> tuple[float, float]:
        """Bounds on the largest log-ratio on the grid, turning points included."""
        if not self.pieces:
            return -math.inf, -math.inf
        return max(top - slack for _, top, slack in self._peaks), max(top + slack for _, top, slack in self._peaks)

    def split(self, threshold: Floats) -> tuple[Interval, Interval]:
        """The intervals on which the log-ratio exceeds each threshold, one row a stretch, and the rest of these."""
        cut = self.crossings(threshold)
        start, end, rising = (
            np.array([column]).T for column in zip(*((s.start, s.end, s.rising) for s in self.pieces), strict=True)
        )
        start, end = np.broadcast_to(start, cut.shape), np.broadcast_to(end, cut.shape)
        above = np.where(rising, cut, start), np.where(rising, end, cut)
        below = np.where(rising, start, cut), np.where(rising, cut, end)
        return above, below

    def crossings(self, e: Floats) -> Floats:
        """Where the log-ratio passes e on each stretch; its start or end where it does not."""
        cut = np.empty((len(self.pieces), len(e)))
        rows, columns, lows, highs = [], [], [], []
        for i, piece in enumerate(self.pieces):
            ordered, nodes = (piece.losses, piece.x) if piece.rising else (piece.losses[::-1], piece.x[::-1])
            first, last = (piece.start, piece.end) if piece.rising else (piece.end, piece.start)
            j = np.searchsorted(ordered, e, side="right")
            cut[i] = np.where(j == 0, first, last)
            within = (j > 0) & (j < len(ordered))
            on_node = within & (ordered[j - 1] == e)
            cut[i, on_node] = nodes[j[on_node] - 1]
            inside = np.flatnonzero(within & ~on_node)
            rows.append(np.full(len(inside), i))
            columns.append(inside)
            lows.append(nodes[j[inside] - 1])  # log-ratio ≤ e there
            highs.append(nodes[j[inside]])
        if rows and sum(map(len, rows)):
            row, column, low, high = (np.concatenate(part) for part in (rows, columns, lows, highs))
            level = e[column]
            left, right = sign_change(lambda y: self.loss(y) - level, high, low, limit=60)
            cut[row, column] = (left + right) / 2
        return cut

    def diverges(self, order: float) -> bool:
        """Whether ∫ q^order·p^(1 − order), or ∫ q·|log q/p| at order 1, does not die out at an end.

        Towards infinity the mass of the outermost cells must have died out; towards an end of the support the
        integrand must grow more slowly than 1/distance, and what lies within a float of it must not count.
        """
        if not self.pieces:
            return True
        x = np.concatenate([piece.x for piece in self.pieces])
        with np.errstate(all="ignore"):
            log_p, log_q, loss = self.p.logpdf(x), self.q.logpdf(x), self.loss(x)
            log_term = log_q + np.log(np.abs(loss)) if order == 1 else order * log_q + (1 - order) * log_p
            log_term = np.nan_to_num(log_term, nan=-math.inf)
            cell = log_term + np.log(np.gradient(x))  # its mass in logs: density times width
        heaviest = float(np.max(cell))
        first, last = self.pieces[0].start, self.pieces[-1].end
        for end, outermost, term, at in ((first, cell[0], log_term, x), (last, cell[-1], log_term[::-1], x[::-1])):
            if math.isinf(end) and outermost > heaviest - 25:
                return True
            if math.isfinite(end) and (outermost > heaviest - 11 or _steep_at(np.abs(at - end), term)):
                return True
        return False


def _steep_at(distance: Floats, log_term: Floats) -> bool:
    """Whether a term grows like 1/distance or faster, from points in order of their distance."""
    i = int(np.argmax(distance > 0))
    far = np.flatnonzero(distance >= 1e3 * distance[i])
    if not len(far) or not math.isfinite(log_term[i]):
        return False
    growth = log_term[i] - log_term[far[0]]
    return growth >= 0.99 * math.log(distance[far[0]] / distance[i])
