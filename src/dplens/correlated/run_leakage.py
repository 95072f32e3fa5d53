"""The worst run of a time-homogeneous chain by its leakage, under Laplace or geometric noise: exactly."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens._validate import Floats
from dplens.correlated.laplace_mixtures import extreme_losses, rounding_of
from dplens.correlated.layers import Found
from dplens.correlated.markov import MarkovData
from dplens.correlated.progress import tracked
from dplens.correlated.run_laws import added, starts

_SURE = 1e-12  # a run that cannot exceed the worst by more than this is not looked at


@dataclass(frozen=True, eq=False)
class _Side:
    """One part of a run: its sums given the target's state and the state of the known tuple at its other end.

    law: (ends, states, S) normalised over S; possible: (ends, states); most: (states, states) the largest log-ratio of
    the noisy sum between two states; far: how much more than its parent (one tuple shorter) it can add.
    """

    law: npt.NDArray[Any]
    possible: npt.NDArray[np.bool_]
    most: Floats
    far: Floats


def leakage_of_runs(chain: MarkovData, unit: float, per_unit: float, progress: Any) -> Found:
    """Only the lengths to the left and right, and whether they touch an end of the chain, matter.

    Two sound bounds prune: a run leaks at most what its left part, the target itself and its right part leak by
    themselves; and with one more unknown tuple u it leaks at most log max_u Pr(u | v)/Pr(u | v') more than before, as
    its law is a mixture over u (``docs/decisions/0008-correlated-records.md``).
    """
    n, step = chain.n, chain.transition[0] if chain.n > 1 else np.eye(len(chain.initial))
    values = chain.values[0]
    adds = np.round((values - values.min()) / unit).astype(int)
    scale = per_unit * unit
    own = np.abs(np.subtract.outer(adds, adds)) * scale
    lefts = _sides(step, adds, scale, n, "left", chain.initial)
    rights = _sides(step, adds, scale, n, "right", None)
    search = _Search(lefts, rights, own, adds, scale, chain)
    return search.run(progress)


def _sides(step: Floats, adds: Any, scale: float, n: int, way: str, initial: Floats | None) -> dict[str, list[_Side]]:
    """Parts of every length: "inner" ends at a known tuple, "outer" at an end of the chain."""
    k = len(step)
    free = np.eye(k, dtype=np.longdouble)[:, None, :]  # (from, S, state of the latest tuple)
    first = None if initial is None else initial.astype(np.longdouble)
    start = free  # towards an end of the chain; on the right the rows are the target's states
    matrix = step.astype(np.longdouble)
    power = np.eye(k)
    inner, outer = [], []
    for length in range(n):
        if length < n - 1:
            joint = free @ matrix  # (from, S, to): ``length`` tuples between
            # left: from = known end, to = target; right: from = target, to = known end
            law = joint.transpose(0, 2, 1) if way == "left" else joint.transpose(2, 0, 1)
            after = power @ step
            inner.append(_side(law, scale, _growth(power, step, way)))
            power = after
        if first is not None:
            reached = first[None, None, :] if length == 0 else start @ matrix
            far = _ratio((first[:, None] * power_of(step, length)).T.astype(float)) if length else np.zeros((k, k))
            outer.append(_side(reached.transpose(0, 2, 1), scale, far))
            start = added(reached, adds)
        else:
            far = _ratio(power_of(step, length)) if length else np.zeros((k, k))
            outer.append(_side(start.sum(axis=2)[None], scale, far))
            start = added(start @ matrix, adds)
        free = added(free @ matrix, adds)
    return {"inner": inner, "outer": outer}


def power_of(step: Floats, count: int) -> Floats:
    """step to a power."""
    return np.linalg.matrix_power(step, count)


def _ratio(laws: Floats) -> Floats:
    """log max_u laws[v, u]/laws[v', u] of normalised rows."""
    total = laws.sum(axis=1, keepdims=True)
    share = laws / np.where(total > 0, total, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.log(share)[:, None, :] - np.log(share)[None, :, :]
    return np.max(np.nan_to_num(loss, nan=-np.inf), axis=2)


def _growth(power: Floats, step: Floats, way: str) -> Floats:
    """How much one more unknown tuple, next to a known end, can add: the worst over that end.

    ``power``: transitions over the distance from the target to the tuple (length steps), ``step``: one more to the end.
    """
    k = len(step)
    worst = np.full((k, k), -np.inf)
    for end in range(k):
        if way == "left":  # end → u → … → target v: Pr(u | end, v) ∝ step[end, u]·power[u, v]
            laws = (step[end][:, None] * power).T
        else:  # target v → … → u → end
            laws = power * step[:, end][None, :]
        worst = np.maximum(worst, _ratio(laws))
    return worst


def _side(law: npt.NDArray[Any], scale: float, far: Floats) -> _Side:
    total = law.sum(axis=2)
    possible = total > 0
    share = law / np.where(possible, total, 1)[:, :, None]
    places = np.arange(law.shape[2]) * scale
    with np.errstate(divide="ignore"):
        logs = np.log(share).astype(np.float64)
    k = law.shape[1]
    most = np.full((k, k), -np.inf)
    for end in range(len(law)):
        for v, w in itertools.combinations(np.flatnonzero(possible[end]), 2):
            up, down = extreme_losses(places, logs[end, w], logs[end, v])
            most[v, w], most[w, v] = max(most[v, w], float(up)), max(most[w, v], float(down))
    return _Side(share, possible, most, far)


@dataclass(eq=False)
class _Search:
    lefts: dict[str, list[_Side]]
    rights: dict[str, list[_Side]]
    own: Floats
    adds: Any
    scale: float
    chain: MarkovData

    def run(self, progress: Any) -> Found:
        n = self.chain.n
        self.best, self.found, self.start, self.tried = -1.0, ("inner", 0, "inner", 0), 0, 0
        self.known = np.zeros(n)
        self.error = rounding_of(np.arange(float(n * int(self.adds.max()))) * self.scale) + _SURE
        kinds = [(a, b) for a in ("inner", "outer") for b in ("inner", "outer")]
        # the most promising of each kind first, so that much can be left out
        for a, b in kinds:
            pairs = self._pairs(a, b)
            if len(pairs):
                sums = self._sums(a, b)
                for at in (pairs[int(np.argmax(sums[pairs[:, 0], pairs[:, 1]]))], pairs[0], pairs[-1]):
                    self._look(a, int(at[0]), b, int(at[1]))
        inside = self._swept("inner", "inner", None, progress)
        for a, b in kinds[1:]:
            self._swept(a, b, inside, progress)
        a, left, b, right = self.found
        i = left if a == "outer" else self.start + 1 + left
        known = tuple(j for j in range(n) if j < i - left or j > i + right)
        return Found(max(self.best, 0.0), i, known, self.known, self.tried, self.error)

    def _pairs(self, a: str, b: str) -> npt.NDArray[np.int64]:
        """Lengths to the left and right that fit the chain."""
        n = self.chain.n
        fit = {
            ("inner", "inner"): n - 3,
            ("outer", "inner"): n - 2,
            ("inner", "outer"): n - 2,
            ("outer", "outer"): n - 1,
        }[a, b]
        if fit < 0:
            return np.zeros((0, 2), dtype=np.int64)
        left, right = np.meshgrid(np.arange(fit + 1), np.arange(fit + 1), indexing="ij")
        fits = left + right == fit if (a, b) == ("outer", "outer") else left + right <= fit
        pairs = np.stack([left[fits], right[fits]], axis=1)
        return pairs[np.argsort(pairs.sum(axis=1), kind="stable")]

    def _sums(self, a: str, b: str) -> Floats:
        """Left part, target and right part by themselves."""
        left = np.array([s.most for s in self.lefts[a]])
        right = np.array([s.most for s in self.rights[b]])
        if not len(left) or not len(right):
            return np.zeros((len(left), len(right)))
        out = np.full((len(left), len(right)), -np.inf)
        for v, w in itertools.permutations(range(len(self.own)), 2):
            np.maximum(out, left[:, None, v, w] + right[None, :, v, w] + self.own[v, w], out=out)
        return np.maximum(out, 0.0)

    def _swept(self, a: str, b: str, inside: Floats | None, progress: Any) -> Floats:
        """Bounds of all runs of one kind, from short ones to long ones; those that may be the worst are looked at."""
        n, pairs = self.chain.n, self._pairs(a, b)
        bounds = np.full((n + 1, n + 1), np.inf)
        if not len(pairs):
            return bounds
        sums = self._sums(a, b)
        states = list(itertools.permutations(range(len(self.own)), 2))
        grow = [
            np.array([max((float(s.far[v, w]) for v, w in states), default=0.0) for s in side[kind]])
            for side, kind in ((self.lefts, a), (self.rights, b))
        ]
        slack = _SURE * (1 + abs(self.best))
        for left, right in tracked(pairs.tolist(), len(pairs), f"runs {a}–{b}", progress):
            bound = sums[left, right]
            above = bounds if a == "inner" or inside is None else inside
            if left > 0 and a == "inner":
                bound = min(bound, bounds[left - 1, right] + grow[0][left])
            elif left > 0 and b == "inner" and inside is not None:
                bound = min(bound, above[left - 1, right] + grow[0][left])
            if right > 0 and b == "inner":
                bound = min(bound, bounds[left, right - 1] + grow[1][right])
            elif right > 0 and a == "inner" and inside is not None:
                bound = min(bound, inside[left, right - 1] + grow[1][right])
            if bound > self.best + slack:
                bound = self._look(a, left, b, right)
            bounds[left, right] = bound
            at = n - 1 - left - right
            self.known[at] = max(self.known[at], min(bound, self.best))
        return bounds

    def _look(self, a: str, left: int, b: str, right: int) -> float:
        """The leakage of a run, over all states of its ends."""
        first, second = self.lefts[a][left], self.rights[b][right]
        self.tried += 1
        worst, start = 0.0, 0
        k = len(self.own)
        for u, w in itertools.product(range(len(first.law)), range(len(second.law))):
            begin = starts(self.chain, u, left, (b, right)) if a == "inner" else 0
            if begin is None:
                continue
            states = np.flatnonzero(first.possible[u] & second.possible[w])
            if len(states) < 2:
                continue
            span = first.law.shape[2] + second.law.shape[2] - 1 + int(self.adds.max())
            logs = np.full((k, span), -np.inf)
            for v in states:
                law = np.convolve(first.law[u, v], second.law[w, v])
                with np.errstate(divide="ignore"):
                    logs[v, self.adds[v] : self.adds[v] + len(law)] = np.log(law)
            places = np.arange(span) * self.scale
            for v, x in itertools.combinations(states, 2):
                found = max(float(e) for e in extreme_losses(places, logs[v], logs[x]))
                if found > worst:
                    worst, start = found, begin
        if worst > self.best:
            self.best, self.found, self.start = worst, (a, left, b, right), start
        return worst
