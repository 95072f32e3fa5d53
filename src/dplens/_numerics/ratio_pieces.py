"""The stretches on which the log-ratio of two densities rises or falls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dplens._numerics import quadrature
from dplens._numerics.laws import Law, ShiftedLaw, interval_mass, kinks, shifted_edges
from dplens._numerics.search import golden_maximum, sign_change

Floats = npt.NDArray[np.float64]
Interval = tuple[Floats, Floats]

_EPS = float(np.finfo(float).eps)
_UNRESOLVED = 1e-11  # losses this close to a turning value belong to sets too narrow to measure


class RatioPieces:
    """log q/p on the common support of two laws, cut into monotone stretches.

    The grid holds quantiles of both laws from 1e-300 to 1 − 1e-300; turning points seen on it are refined.
    """

    def __init__(self, p: Law, q: Law) -> None:
        self.p, self.q = p, q
        self.start = max(p.support()[0], q.support()[0])
        self.end = max(min(p.support()[1], q.support()[1]), self.start)
        # mass where only one of the two laws lives
        if isinstance(q, ShiftedLaw) and q.base is p and q.by > 0:
            (self.p_only, _), (self.q_only, self.q_only_error) = shifted_edges(p, q.by)
        elif isinstance(p, ShiftedLaw) and p.base is q and p.by > 0:
            (self.q_only, self.q_only_error), (self.p_only, _) = shifted_edges(q, p.by)
        else:
            ends = np.array([-math.inf]), np.array([self.start]), np.array([self.end]), np.array([math.inf])
            outside = [interval_mass(law, *ends[:2]) + interval_mass(law, *ends[2:]) for law in (p, q)]
            self.p_only, self.q_only = float(outside[0][0]), float(outside[1][0])
            self.q_only_error = _EPS if self.q_only else 0.0
        self.x, self.losses = self._grid()
        self.pieces = self._cut()

    def loss(self, x: Floats) -> Floats:
        """log q(x)/p(x)."""
        flat = x.ravel()
        with np.errstate(all="ignore"):
            return (self.q.logpdf(flat) - self.p.logpdf(flat)).reshape(x.shape)

    def _grid(self) -> tuple[Floats, Floats]:
        self.kinks = np.concatenate([kinks(self.p), kinks(self.q)])
        x = np.unique(np.concatenate([self.p.landmarks(), self.q.landmarks(), self.kinks]))
        x = x[(x > self.start) & (x < self.end)]
        logs = self.p.logpdf(x), self.q.logpdf(x)
        known = np.isfinite(logs[0]) & np.isfinite(logs[1])
        # the last digits of two log-densities are noise in their difference
        self._noise = 8 * _EPS * (1 + np.abs(logs[0][known]) + np.abs(logs[1][known]))
        return x[known], logs[1][known] - logs[0][known]

    def _cut(self) -> list[tuple[Floats, Floats]]:
        """Monotone stretches as (x, loss) nodes; loss made exactly monotone on each."""
        if len(self.x) < 2:
            return []
        step = np.diff(self.losses)
        quiet = np.abs(step) <= self._noise[1:] + self._noise[:-1]
        direction = np.where(quiet, 0, np.sign(step)).astype(int)
        x, losses = list(self.x), list(self.losses)
        turns: list[int] = []
        current = 0
        last_move = 0
        for i, d in enumerate(direction):
            if d and current and d != current:
                turns.append((last_move + 1 + i) // 2 if i > last_move + 1 else i)
            if d:
                current, last_move = d, i
        nodes = self._refined(turns, direction)
        bounds = [0, *turns, len(x) - 1]
        pieces = []
        for i, (a, b) in enumerate(pairwise(bounds)):
            xs, ls = np.array(x[a : b + 1]), np.array(losses[a : b + 1])
            if i > 0:
                xs[0], ls[0] = nodes[i - 1]
            if i < len(turns):
                xs[-1], ls[-1] = nodes[i]
            keep = np.concatenate([[True], np.diff(xs) > 0])
            xs, ls = xs[keep], ls[keep]
            rising = ls[-1] >= ls[0]
            pieces.append((xs, np.maximum.accumulate(ls) if rising else np.minimum.accumulate(ls)))
        return pieces

    def _refined(self, turns: list[int], direction: np.ndarray) -> list[tuple[float, float]]:
        if not turns:
            return []
        at = np.array(turns)
        low, high = self.x[np.maximum(at - 1, 0)], self.x[np.minimum(at + 1, len(self.x) - 1)]
        sign = np.where(self.losses[at] >= np.minimum(self.loss(low), self.loss(high)), 1.0, -1.0)
        where, value = golden_maximum(lambda x: sign * self.loss(x), low, high)
        better = value > sign * self.losses[at]
        return [
            (float(w), float(s * v)) if b else (float(self.x[i]), float(self.losses[i]))
            for w, v, s, b, i in zip(where, value, sign, better, turns)
        ]

    @cached_property
    def _turning_losses(self) -> Floats:
        return np.unique(np.concatenate([piece[1][[0, -1]] for piece in self.pieces]))

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
        losses = np.unique(np.concatenate([piece[1] for piece in self.pieces])) if self.pieces else np.zeros(1)
        if len(losses) < 2:
            return np.array([losses[0] - 1e-9, losses[0], losses[0] + 1e-9])
        middle = (losses[1:] + losses[:-1]) / 2
        pad = 1e-9 * (1 + np.abs(losses[[0, -1]]))
        # close to a turning point the losses crowd quadratically: follow them there
        near = np.geomspace(_UNRESOLVED * 2, 1e-2, 60)
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
        for x, losses in self.pieces:
            i = int(np.argmax(losses))
            at, top = float(x[i]), float(losses[i])
            near = at + np.array([0, -8, -4, -2, 2, 4, 8]) * np.spacing(abs(at))
            near = near[(near > self.start) & (near < self.end)]
            logs = self.p.logpdf(near), self.q.logpdf(near)
            with np.errstate(invalid="ignore"):
                change = np.abs(logs[1] - logs[0] - top)
            known = np.isfinite(change)
            slack = 1e-15 * (1 + abs(top)) + 4 * _EPS * float(
                np.max(np.abs(logs[0][known]) + np.abs(logs[1][known]), initial=0.0)
            )
            if not np.isin(at, self.kinks):
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
            return float(np.nansum(np.exp(self.q.logpdf(at)) * 16 * np.spacing(np.abs(at)) * slack)) if len(at) else 0.0

    def panels(self, threshold: Floats, most: int = 16) -> tuple[Floats, Floats, npt.NDArray[np.intp], Floats]:
        """The set above each threshold in panels (start, end, number of the threshold), and the q-mass left out.

        An interval is cut at up to ``most`` nodes of the grid, as it may span hundreds of orders of magnitude; what
        lies beyond the outermost nodes of an infinite one is left out.
        """
        starts, ends, numbers = [], [], []
        rest = np.zeros_like(threshold)
        for ((low, high), _), (x, _) in zip(self.split(threshold), self.pieces):
            some = np.flatnonzero(high > low)
            low, high = low[some], high[some]
            left = np.where(np.isinf(low), self.q.cdf(np.full_like(low, x[0])), 0.0)
            right = np.where(np.isinf(high), self.q.sf(np.full_like(high, x[-1])), 0.0)
            rest[some] += left + right
            low, high = np.maximum(low, min(x[0], self.x[0]) if math.isinf(self.start) else self.start), high
            high = np.minimum(high, max(x[-1], self.x[-1]) if math.isinf(self.end) else self.end)
            first, last = np.searchsorted(x, low, side="right"), np.searchsorted(x, high, side="left")
            part = np.linspace(0, 1, most)
            index = np.rint(first[:, None] + (last - 1 - first)[:, None] * part).astype(int)
            inner = np.clip(x[np.clip(index, 0, len(x) - 1)], low[:, None], high[:, None])
            edges = np.sort(np.concatenate([low[:, None], inner, high[:, None]], axis=1), axis=1)
            starts.append(edges[:, :-1].ravel())
            ends.append(edges[:, 1:].ravel())
            numbers.append(np.repeat(some, edges.shape[1] - 1))
        if not starts:
            return np.empty(0), np.empty(0), np.empty(0, dtype=np.intp), rest
        return np.concatenate(starts), np.concatenate(ends), np.concatenate(numbers), rest

    def split(self, threshold: Floats) -> Iterator[tuple[Interval, Interval]]:
        """For each stretch, the interval on which the log-ratio exceeds the threshold, and the rest of it."""
        for i, (x, losses) in enumerate(self.pieces):
            first, last = i == 0, i == len(self.pieces) - 1
            start = np.full_like(threshold, self.start if first else x[0])
            end = np.full_like(threshold, self.end if last else x[-1])
            rising = losses[-1] >= losses[0]
            cut = self._crossing(x, losses if rising else losses[::-1], threshold, rising, start, end)
            left, right = (start, cut), (cut, end)
            yield (right, left) if rising else (left, right)

    def _crossing(self, x: Floats, ordered: Floats, e: Floats, rising: bool, start: Floats, end: Floats) -> Floats:
        """Where the log-ratio passes e on one stretch; its start or end where it does not."""
        nodes = x if rising else x[::-1]
        j = np.searchsorted(ordered, e, side="right")
        cut = np.where(j == 0, start if rising else end, end if rising else start)
        on_node = (j > 0) & (j < len(ordered)) & (ordered[j - 1] == e)
        cut[on_node] = nodes[j[on_node] - 1]
        inside = (j > 0) & (j < len(ordered)) & ~on_node
        if inside.any():
            level, jj = e[inside], j[inside]
            low, high = nodes[jj - 1], nodes[jj]  # log-ratio ≤ e at low, > e at high
            left, right = sign_change(lambda y: self.loss(y) - level, high, low, limit=60)
            cut[inside] = (left + right) / 2
        return cut

    @cached_property
    def _edges(self) -> Floats:
        turning = np.concatenate([piece[0][[0, -1]] for piece in self.pieces])
        edges = np.unique(np.concatenate([self.x[::4], turning]))
        ends = [e for e in (self.start, self.end) if math.isfinite(e)]
        return np.unique(np.concatenate([edges, ends]))

    def expect(self, function: Callable[[Floats], Floats], law: Law) -> float:
        """E[function(log q/p)] under one of the two laws, over the common support."""

        def integrand(x: Floats) -> Floats:
            loss, density = self.loss(x), np.exp(law.logpdf(x))
            out = np.zeros_like(x)
            some = (density > 0) & np.isfinite(loss)
            out[some] = function(loss[some]) * density[some]
            return out

        return quadrature.adaptive(integrand, self._edges)[0]

    def renyi(self, order: float) -> float:
        """D_order(Q‖P) by quadrature; infinite where the integrand does not die out in the tails."""
        if not self.pieces:
            return math.inf
        log_p, log_q = self.p.logpdf(self.x), self.q.logpdf(self.x)
        if order == 1:
            value, _ = quadrature.adaptive(lambda x: np.exp(self.q.logpdf(x)) * self.loss(x), self._edges)
            return max(value, 0.0)
        exponent = order * log_q + (1 - order) * log_p
        # mass in logs of the tail cells: density times cell width
        cell = exponent[:-1] + np.log(np.diff(self.x))
        top = float(np.max(exponent))
        heaviest = float(np.max(cell))
        unbounded = [
            math.isinf(self.start) and cell[0] > heaviest - 25,
            math.isinf(self.end) and cell[-1] > heaviest - 25,
        ]
        if any(unbounded):
            return math.inf
        moment, _ = quadrature.adaptive(lambda x: np.exp(self._exponent(x, order) - top), self._edges)
        total = top + math.log(moment)
        if abs(total) < 0.5 and self.p_only == 0 and self.q_only == 0:
            excess, _ = quadrature.adaptive(lambda x: self._excess(x, order), self._edges)
            total = math.log1p(excess)
        return total / (order - 1)

    def _exponent(self, x: Floats, order: float) -> Floats:
        return order * self.q.logpdf(x) + (1 - order) * self.p.logpdf(x)

    def _excess(self, x: Floats, order: float) -> Floats:
        """p·{expm1(order·l) − order·expm1(l)}: integrates to the moment minus 1, term by term of second order."""
        loss = self.loss(x)
        log_p = self.p.logpdf(x)
        with np.errstate(over="ignore", invalid="ignore"):
            value = np.exp(log_p) * (np.expm1(order * loss) - order * np.expm1(loss))
            far = np.exp(log_p + order * loss) - order * np.exp(log_p + loss)
        return np.where(np.abs(loss) * max(order, 1) < 100, value, far)
