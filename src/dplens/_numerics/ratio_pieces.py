"""The stretches on which the log-ratio of two densities rises or falls."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dplens._numerics import quadrature
from dplens._numerics.laws import Law
from dplens._numerics.ratio_ends import CoarseEnd, coarse_ends
from dplens._numerics.ratio_grid import RatioGrid, Room
from dplens._numerics.search import golden_maximum, sign_change
from dplens._numerics.sharing import cached_property
from dplens.errors import Undefined

Floats = npt.NDArray[np.float64]
Interval = tuple[Floats, Floats]

_EPS = float(np.finfo(float).eps)
_UNRESOLVED = 1e-11  # losses this close to a turning value belong to sets too narrow to measure
_LAYERS = np.array([1e-6, 1e-4, 1e-2])
_MOST = 300  # stretches
_ALL_BUT_ONE = 4  # steps between nodes


class Stretch(NamedTuple):
    """Nodes between which log q/p is monotone; ``start`` and ``end`` may lie beyond the outermost ones."""

    x: Floats
    losses: Floats
    start: float
    end: float

    @property
    def rising(self) -> bool:
        return bool(self.losses[-1] >= self.losses[0])


class RatioPieces:
    """log q/p where both densities are positive, cut into monotone stretches; turning points are refined."""

    def __init__(self, p: Law, q: Law, monotone: bool = False) -> None:
        self.p, self.q = p, q
        self.grid = RatioGrid(p, q, monotone)
        self.loss = self.grid.loss
        self.p_only, self.q_only = self.grid.p_only, self.grid.q_only
        self.pieces = [piece for room in self.grid.rooms for piece in self._cut(room)]
        if len(self.pieces) > _MOST:
            raise Undefined(
                f"The likelihood ratio turns more than {_MOST} times, too often to be sorted. Use coarser laws, or "
                "give both as scipy.stats.rv_histogram or Mixtures of Uniform laws, which are compared exactly."
            )

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
    def coarse_ends(self) -> list[CoarseEnd]:
        return coarse_ends(self.grid)

    @cached_property
    def _turning_losses(self) -> Floats:
        return np.unique(np.concatenate([piece.losses[[0, -1]] for piece in self.pieces]))

    @cached_property
    def scale(self) -> float:
        """The largest loss that turns, or 1: what losses are to be compared with."""
        return min(float(np.max(np.abs(self._turning_losses), initial=0.0)), 1.0)

    def resolved(self, loss: Floats) -> Floats:
        """Thresholds moved onto a turning value that they nearly equal.

        Next to a turning point the set above the threshold is so narrow that its ends cannot be told apart;
        at the turning value itself it is empty, which is exact.
        """
        if not self.pieces:
            return loss
        turning = self._turning_losses
        j = np.clip(np.searchsorted(turning, loss), 1, max(len(turning) - 1, 1))
        candidates = turning[np.minimum(j, len(turning) - 1)], turning[j - 1]
        nearest = np.where(np.abs(candidates[0] - loss) < np.abs(candidates[1] - loss), *candidates)
        return np.where(np.abs(nearest - loss) < _UNRESOLVED * (1 + np.abs(loss)), nearest, loss)

    def thresholds(self) -> Floats:
        """Increasing thresholds at which a table of rates is worth having."""
        losses = np.unique(np.concatenate([piece.losses for piece in self.pieces])) if self.pieces else np.zeros(1)
        if len(losses) < 2:
            return np.array([losses[0] - 1e-9, losses[0], losses[0] + 1e-9])
        middle = (losses[1:] + losses[:-1]) / 2
        pad = 1e-9 * (1 + np.abs(losses[[0, -1]]))
        # close to a turning point the losses crowd quadratically: follow them there
        near = np.geomspace(_UNRESOLVED * 2, 1e-2, min(60, max(4, 3000 // len(self._turning_losses))))
        crowd = [t + sign * near * (1 + abs(t)) for t in self._turning_losses for sign in (-1, 1)]
        inside = np.concatenate(crowd)
        inside = inside[(inside > losses[0]) & (inside < losses[-1])]
        found = np.concatenate([[losses[0] - pad[0]], losses, middle, inside, [losses[-1] + pad[1]]])
        return np.unique(self.resolved(found))

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

    @cached_property
    def unseen(self) -> float:
        """Bound on the delta that belongs to what cusps rise above the values seen: a few floats wide."""
        at = np.array([peak[0] for peak in self._peaks])
        slack = np.array([peak[2] for peak in self._peaks])
        with np.errstate(over="ignore", invalid="ignore"):
            mass = np.exp(self.q.logpdf(at)) * 16 * np.spacing(np.abs(at))
            # no set adds more to delta than its mass, however large the loss on it
            return float(np.nansum(mass * np.minimum(slack, 1.0))) if len(at) else 0.0

    def panels(self, threshold: Floats, most: int = 16) -> tuple[Floats, Floats, npt.NDArray[np.intp], Floats]:
        """The set above each threshold in panels (start, end, number of the threshold), and the q-mass left out.

        An interval is cut at up to ``most`` nodes of the grid, as it may span hundreds of orders of magnitude; what
        lies beyond the outermost nodes of an infinite one is left out.
        """
        starts, ends, numbers = [], [], []
        rest = np.zeros_like(threshold)
        for (x, _, start, end), low, high in zip(self.pieces, *self.split(threshold)[0]):
            some = np.flatnonzero(high > low)
            low, high = low[some], high[some]
            left = np.where(np.isinf(low), self.q.cdf(np.full_like(low, x[0])), 0.0)
            right = np.where(np.isinf(high), self.q.sf(np.full_like(high, x[-1])), 0.0)
            rest[some] += left + right
            low = np.maximum(low, start if math.isfinite(start) else x[0])
            high = np.minimum(high, end if math.isfinite(end) else x[-1])
            first, last = np.searchsorted(x, low, side="right"), np.searchsorted(x, high, side="left")
            part = np.linspace(0, 1, most)
            index = np.rint(first[:, None] + (last - 1 - first)[:, None] * part).astype(int)
            inner = np.clip(x[np.clip(index, 0, len(x) - 1)], low[:, None], high[:, None])
            edges = np.sort(np.concatenate([low[:, None], inner, high[:, None]], axis=1), axis=1)
            # next to the threshold the integrand may rise within a thin layer, which a rule must not step over
            first, last = edges[:, 1:2] - edges[:, :1], edges[:, -1:] - edges[:, -2:-1]
            layers = edges[:, :1] + first * _LAYERS, edges[:, -1:] - last * _LAYERS
            edges = np.sort(np.concatenate([edges, *layers], axis=1), axis=1)
            starts.append(edges[:, :-1].ravel())
            ends.append(edges[:, 1:].ravel())
            numbers.append(np.repeat(some, edges.shape[1] - 1))
        if not starts:
            return np.empty(0), np.empty(0), np.empty(0, dtype=np.intp), rest
        return np.concatenate(starts), np.concatenate(ends), np.concatenate(numbers), rest

    def split(self, threshold: Floats) -> tuple[Interval, Interval]:
        """The intervals on which the log-ratio exceeds each threshold, one row a stretch, and the rest of these."""
        cut = self._crossings(threshold)
        start, end, rising = (
            np.array([column]).T for column in zip(*((s.start, s.end, s.rising) for s in self.pieces), strict=True)
        )
        start, end = np.broadcast_to(start, cut.shape), np.broadcast_to(end, cut.shape)
        above = np.where(rising, cut, start), np.where(rising, end, cut)
        below = np.where(rising, start, cut), np.where(rising, cut, end)
        return above, below

    def _crossings(self, e: Floats) -> Floats:
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

    @cached_property
    def everywhere(self) -> tuple[Floats, Floats]:
        """Starts and ends of the panels of an integral over all stretches."""
        found = []
        for x, _, start, end in self.pieces:
            ends = [edge for edge in (start, end) if math.isfinite(edge)]
            found.append(np.unique(np.concatenate([x[::4], x[-1:], ends])))
        return np.concatenate([e[:-1] for e in found]), np.concatenate([e[1:] for e in found])

    def expect(self, function: Callable[[Floats], Floats], law: Law) -> float:
        """E[function(log q/p)] under one of the two laws, over the common support."""

        def integrand(x: Floats) -> Floats:
            loss, density = self.loss(x), np.exp(law.logpdf(x))
            out = np.zeros_like(x)
            some = (density > 0) & np.isfinite(loss)
            out[some] = function(loss[some]) * density[some]
            return out

        return quadrature.adaptive(integrand, panels=self.everywhere)[0] if self.pieces else 0.0
