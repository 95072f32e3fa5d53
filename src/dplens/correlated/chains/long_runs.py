"""The worst run of a time-homogeneous chain: rectangles of lengths, each bounded by its shortest run."""

from __future__ import annotations

import heapq
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens.correlated.chains.lattice_cells import LatticeNoise
from dplens.correlated.chains.one_side import LeakingSide, Part, ProfiledSide, Sides, starts, together, trimmed
from dplens.correlated.models.markov import MarkovData
from dplens.correlated.search.knowledge_sets import Found
from dplens.correlated.views.query_values import extreme_losses
from dplens.numerics.progress import tracked
from dplens.numerics.sharing import cached_property

_SURE = 1e-6  # times 1 + epsilon: runs that cannot be worse by more are not told apart
_ROUNDING = 1e-12  # the same for leakages, which are exact
_PATIENCE = 600  # looks, at a run or at eight rectangles; after twice as many, each as many again widen that tenfold
_PICTURE = 600  # and besides, only to tell how much those leak who know more
_NOT, _ROUGHLY, _FULLY = 0, 1, 2
_MOST = 500.0  # epsilons that are still told apart
_STEPS = 192, 24  # of what each side tells, to a (1 + epsilon): runs that reach beyond all closely are seen roughly
_FALLING = 3  # doublings in a row that make a run no worse: longer ones hardly do
_FAR = 1.0  # runs that may exceed their cover by more are not worth a look at it


@dataclass(eq=False)
class LongRuns(ABC):
    """All runs of a homogeneous chain with equal weights, whose sums lie on a lattice.

    Lengths (l, r) to the left and right of the target form rectangles, and a rectangle is covered by its shortest run.
    For l' > l let u be the tuple at distance l + 1 on the left. Given it, what lies beyond tells nothing of the target
    and only adds noise; so the output of (l', r) is a mixture over u of outputs of (l, r) with known end u, garbled. By
    how much the weights Pr(u | v, end) of the mixture can depend on the target's state v is bounded, whatever the end
    and however far, by the largest cross-ratio e^D of the transitions over l + 1 steps. Hence the hockey-stick
    divergences obey H_{ε + D}(l', r) ≤ H_ε(l, r), any delta has ε(l', r) ≤ ε(l, r) + D(l + 1), and likewise on the
    right. D falls geometrically in a chain that mixes (``docs/decisions/0008-correlated-records.md``).
    """

    chain: MarkovData
    adds: Any
    moved: Callable[[int], float]  # what so many tuples tell at most, however they are related

    def __post_init__(self) -> None:
        self.lefts, self.rights = (Sides(self.chain, self.adds, way) for way in ("left", "right"))
        self.best, self.found, self.begin = 0.0, (("outer", 0), ("inner", 0)), 0
        self.bounds: dict[tuple[Part, Part], tuple[float, int]] = {}  # and how closely they were worked out
        self.spreads: list[float] = []
        self.power = np.eye(len(self.chain.initial), dtype=np.longdouble)
        self.tried = self.boxes = 0

    def run(self, progress: Any) -> Found:
        n = self.chain.n
        self.known = np.zeros(n)
        for _ in tracked(self._searched(), None, "runs", progress):
            pass
        self._pictured()
        (a, left), (_, right) = self.found
        i = left if a == "outer" else self.begin + 1 + left
        known = tuple(j for j in range(n) if j < i - left or j > i + right)
        most = self.moved(n)
        return Found(min(self.top, most), i, known, np.minimum(self.known, most), self.tried)

    def _searched(self) -> Iterator[None]:
        """Rectangles in order of their bounds, the largest first, until none can be worse than the worst run found."""
        n, count = self.chain.n, itertools.count()
        heap: list[Any] = []
        self._climbed()
        self._begin()
        for a, b in itertools.product(("inner", "outer"), repeat=2):
            fit = n - 1 - (a == "inner") - (b == "inner")
            if fit >= 0:
                box = (a, 0, fit), (b, 0, fit)
                heapq.heappush(heap, (-self._bound(box), next(count), box))
        while heap:
            bound, _, box = heapq.heappop(heap)
            if -bound <= self._enough():
                heapq.heappush(heap, (bound, next(count), box))
                break
            (a, l1, l2), (b, r1, r2) = box
            if l1 == l2 and r1 == r2:  # its bound is its own epsilon
                self._note(box, -bound)
                continue
            for part in self._split(box):
                if self._fits(part):
                    heapq.heappush(heap, (-self._bound(part), next(count), part))
            yield
        self.top = max([self.best, *(-bound for bound, _, _ in heap)])
        for bound, _, box in heap:
            self._note(box, -bound)

    @abstractmethod
    def _begin(self) -> None:
        """Called when a bad run is known."""

    @abstractmethod
    def _apart(self, box: Any, enough: float) -> float:
        """A bound of all runs of a rectangle, no less than ``enough``, from what their sides tell by themselves."""

    @abstractmethod
    def _enough(self) -> float:
        """Below this, runs are not told apart from the worst."""

    @abstractmethod
    def _worst_of(
        self, laws: npt.NDArray[Any], first: Any, second: Any, floor: float, alone: bool
    ) -> tuple[float, int | None]:
        """A bound of the worst of pairs of laws, no less than ``floor``, and which of them has it, if one has more."""

    def _climbed(self) -> None:
        """A bad run to begin with, so that most others need no look."""
        fit = self.chain.n - 3
        if fit < 0:
            return
        at, step = (0, 0), max(1, fit // 2)

        def look(left: int, right: int) -> float:
            if left < 0 or right < 0 or left + right > fit:
                return -1.0
            return self._epsilon(("inner", left), ("inner", right), 0.0, True)

        best, milder = look(*at), 0
        for both in (2**k - 1 for k in range(fit.bit_length())):
            value = look(both, both)
            if value > best:
                best, at, step, milder = value, (both, both), both, 0
            elif (milder := milder + 1) == _FALLING:
                break
        while step:
            moves = [(at[0] + i * step, at[1] + j * step) for i, j in itertools.product((-1, 0, 1), repeat=2)]
            value, place = max((look(*move), move) for move in moves)
            if value > best:
                best, at = value, place
            else:
                step //= 2

    def _note(self, box: Any, bound: float) -> None:
        """What attackers leak at most who know so many tuples."""
        n, ((_, l1, _), (_, r1, _)) = self.chain.n, box
        few, many = n - self._longest(box), n - 1 - (l1 + r1)
        np.maximum(self.known[few : many + 1], bound, out=self.known[few : many + 1])

    def _pictured(self) -> None:
        """Runs shorter than the worst, all of them as long as they are few: more knowledge may tell less."""
        n, worst, runs = self.chain.n, 0.0, 0
        looks = self.tried
        for unknown in range(self.found[0][1] + self.found[1][1]):
            for a, b in itertools.product(("inner", "outer"), repeat=2):
                runs += unknown + 1
                for left in range(unknown + 1):
                    if self._fits(((a, left, left), (b, unknown - left, unknown - left))):
                        worst = max(worst, self._epsilon((a, left), (b, unknown - left), worst, True))
            if (
                self.tried - looks > _PICTURE or runs > 20 * _PICTURE
            ):  # many are impossible where states determine others
                return
            self.known[n - 1 - unknown] = worst

    def _fits(self, box: Any) -> bool:
        (a, l1, l2), (b, r1, r2) = box
        fit = self.chain.n - 1 - (a == "inner") - (b == "inner")
        return l1 + r1 <= fit and (a == "inner" or b == "inner" or l2 + r2 >= fit)

    def _longest(self, box: Any) -> int:
        """How many tuples are unknown at most, the target among them."""
        (a, _, l2), (b, _, r2) = box
        return 1 + min(l2 + r2, self.chain.n - 1 - (a == "inner") - (b == "inner"))

    def _split(self, box: Any) -> Iterator[Any]:
        """In two, along the side whose lengths are covered least well."""
        cover = [min(self._shortest(*side)[1], math.log((side[2] + 1) / (side[1] + 1))) for side in box]
        at = 0 if (cover[0], box[0][2] - box[0][1]) > (cover[1], box[1][2] - box[1][1]) else 1
        kind, low, high = box[at]
        middle = min((low + high) // 2, 2 * low)
        for part in ((kind, low, middle), (kind, middle + 1, high)):
            yield (part, box[1]) if at == 0 else (box[0], part)

    def _shortest(self, kind: str, low: int, high: int) -> tuple[Part | None, float]:
        """The part that covers parts of these lengths, and by how much they can exceed it."""
        if low == high:
            return (kind, low), 0.0
        if kind == "inner":
            return (kind, low), self._spread(low + 1)
        return (("inner", low - 1), self._spread(low)) if low else (None, math.inf)

    def _spread(self, steps: int) -> float:
        """The largest cross-ratio of the transitions over so many steps, in logs."""
        while len(self.spreads) < steps:
            self.power = self.power @ self.lefts.step
            seen = self.power[:, (self.power > 0).any(axis=0)]  # states that no tuple is in by now are of no account
            if (seen <= 0).any():
                self.spreads.append(math.inf)
                continue
            logs = np.log(seen)
            ratio = logs[:, :, None] - logs[:, None, :]  # (u, v, v')
            self.spreads.append(float((ratio.max(axis=0) - ratio.min(axis=0)).max()) * (1 + 1e-12) + 1e-14)
        return self.spreads[steps - 1]

    def _bound(self, box: Any) -> float:
        (left, more), (right, yet) = (self._shortest(*side) for side in box)
        enough, alone = self._enough(), all(low == high for _, low, high in box)
        narrow, bound = all(high <= 2 * low + 1 for _, low, high in box), self.moved(self._longest(box))
        self.boxes += 1
        if narrow and bound > enough:
            bound = min(bound, self._apart(box, enough))
        far = left is None or right is None or math.isinf(more + yet) or (narrow and more + yet > _FAR)
        if far or bound <= enough:
            return bound
        told = self._epsilon(left, right, max(enough - more - yet, 0.0), alone) + more + yet  # pyright: ignore
        return min(bound, told)

    def _epsilon(self, left: Part, right: Part, floor: float, alone: bool) -> float:
        """A bound of epsilon(delta) of a run, no less than ``floor``; that of the worst so far if it is to stand alone.

        Known ends are looked at in all states if it covers others, where the chain can have them if it stands alone.
        """
        key = left, right
        before, told = self.bounds.get(key, (math.inf, _NOT))
        if before <= floor or told == _FULLY or (told and not alone):
            return max(before, floor)
        cases = self._cases(left, right, alone)
        if not cases:
            return 0.0
        self.tried += 1
        laws, first, second, begins = cases
        worst, at = self._worst_of(laws, first, second, floor, alone)
        if alone and at is not None and worst > self.best:
            self.best, self.found, self.begin = worst, key, begins[at]
        if self._positive or not alone:
            self.bounds[key] = worst, _NOT if worst == floor else _FULLY if alone else _ROUGHLY
        return worst

    @cached_property
    def _positive(self) -> bool:
        """Whether every state can be anywhere."""
        return bool((self.chain.marginals > 0).all())

    def _cases(self, left: Part, right: Part, alone: bool) -> tuple[npt.NDArray[Any], Any, Any, list[int]] | None:
        """Laws of the sum in each state of the target and of the known ends, and which of them are compared."""
        (first, can), (second, may) = self.lefts.of(left), self.rights.of(right)
        laws, pairs, begins = [], [], []
        span = first.shape[2] + second.shape[2] - 1 + int(self.adds.max())
        for u, w in itertools.product(range(len(first)), range(len(second))):
            begin = starts(self.chain, u, left[1], right) if alone and left[0] == "inner" else 0
            states = np.flatnonzero(can[u] & may[w])
            if begin is None or len(states) < 2:
                continue
            base = len(laws)
            for v in states:
                law = np.zeros(span, dtype=first.dtype)
                law[self.adds[v] : self.adds[v] + span - int(self.adds.max())] = np.convolve(first[u, v], second[w, v])
                laws.append(law)
            for x, y in itertools.combinations(range(len(states)), 2):
                pairs.append((base + x, base + y))
                begins.append(begin)
        if not pairs:
            return None
        return trimmed(np.array(laws)), *np.array(pairs).T, begins  # pyright: ignore


@dataclass(eq=False)
class RunsByLeakage(LongRuns):
    """Compared by their leakage, under Laplace or geometric noise; ``scale``: a unit of the lattice in its scale.

    A run leaks at most what its left part, the target itself and its right part leak by themselves.
    """

    scale: float

    def _begin(self) -> None:
        self.sides = [LeakingSide(side, self._shortest, self.scale) for side in (self.lefts, self.rights)]
        self.own = np.abs(self.adds[self.sides[0].pairs] @ [1, -1]) * self.scale

    def _apart(self, box: Any, enough: float) -> float:
        left, right = (side.most(*part) for side, part in zip(self.sides, box))
        return max(float((left + right + self.own).max()), enough)

    def _enough(self) -> float:
        return self.best + _ROUNDING * (1 + self.best)

    def _worst_of(
        self, laws: npt.NDArray[Any], first: Any, second: Any, floor: float, alone: bool
    ) -> tuple[float, int | None]:
        with np.errstate(divide="ignore"):
            logs = np.log(laws).astype(float)
        found = np.maximum(*extreme_losses(self.scale * np.arange(laws.shape[1]), logs[first], logs[second]))
        at = int(np.argmax(found))
        return float(found[at]), at


@dataclass(eq=False)
class RunsAtDelta(LongRuns):
    """Compared by epsilon(delta)."""

    noise: LatticeNoise
    coarse: LatticeNoise
    delta: float

    def _begin(self) -> None:
        steps = ((1 + min(self.best, _MOST)) / parts for parts in _STEPS)
        self.sides = [[ProfiledSide(side, self.coarse, s) for side in (self.lefts, self.rights)] for s in steps]

    def _apart(self, box: Any, enough: float) -> float:
        told = (together(left, right, box, enough, self.delta) for left, right in self.sides)
        return next((bound for bound in told if math.isfinite(bound)), math.inf)

    def _enough(self) -> float:
        """Ever more runs are not told apart as looks add up."""
        return self.best + _SURE * 10 ** max((self.tried + self.boxes / 8) / _PATIENCE - 2, 0.0) * (1 + self.best)

    def _worst_of(
        self, laws: npt.NDArray[Any], first: Any, second: Any, floor: float, alone: bool
    ) -> tuple[float, int | None]:
        laws = laws.astype(float)
        if floor > 0 and self.coarse is not self.noise:
            if float(self.coarse.cells(laws).tests(first, second).both().profile(floor).max()) <= self.delta:
                return floor, None
        tests = self.noise.cells(laws).tests(first, second).both()
        tolerance = 0.1 * _SURE * (1 + floor) if alone else 1e-3
        return tests.worst(self.delta, floor, lambda at, least: tests.case(at).epsilon(self.delta, least, tolerance))
