"""The worst run of a time-homogeneous chain: rectangles of lengths, each bounded by its shortest run."""

from __future__ import annotations

import heapq
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from dplens.correlated.models.chains import MarkovData
from dplens.correlated.search.knowledge_sets import Found
from dplens.correlated.search.lattice_noise import Cells
from dplens.correlated.search.one_side import Part, SideLaws, SideLeakage, SideProfile, trimmed, two_sided_bound
from dplens.correlated.views.queries import extreme_losses
from dplens.numerics.progress import tracked
from dplens.numerics.sharing import cached_property

_TOLERANCE = 1e-6  # times 1 + epsilon: a run that cannot exceed the worst by more need not be evaluated


@dataclass(eq=False)
class LongRuns(ABC):
    """All runs of a homogeneous chain with equal weights, whose sums lie on a lattice.

    Lengths (l, r) to the left and right of the target form rectangles, and a rectangle is covered by its shortest run.
    For l' > l let u be the tuple at distance l + 1 on the left. Given u, everything beyond is independent of the target
    and only adds noise. So the output of (l', r) is a mixture over u of outputs of (l, r) with known end u, garbled.
    The weights Pr(u | v, end) of the mixture depend on the target's state v by at most the largest cross-ratio e^D of
    the transitions over l + 1 steps, for any end at any distance. Hence the hockey-stick divergences
    satisfy H_{ε + D}(l', r) ≤ H_ε(l, r), and ε(l', r) ≤ ε(l, r) + D(l + 1) at every delta; likewise on the right. D
    decreases geometrically in a mixing chain (``docs/decisions/0008-correlated-records.md``).
    """

    chain: MarkovData
    adds: Any
    group_bound: Callable[[int], float]  # bound for a number of tuples with any dependence

    def __post_init__(self) -> None:
        self.lefts, self.rights = (SideLaws(self.chain, self.adds, left) for left in (True, False))
        self.best, self.found, self.begin = 0.0, (("outer", 0), ("inner", 0)), 0
        self.evaluated: dict[tuple[Part, Part], tuple[float, bool, bool]] = {}  # bound, whether it is final, and alone
        self.cross_ratios: list[float] = []
        self.power = np.eye(len(self.chain.initial), dtype=np.longdouble)
        self.tried = self.boxes = 0

    def run(self, progress: Any) -> Found:
        """Search for the worst run."""
        n = self.chain.n
        self.by_known = np.zeros(n)
        for _ in tracked(self._searched(), None, "runs", progress):
            pass
        self._refine_by_known()
        (a, left), (_, right) = self.found
        i = left if a == "outer" else self.begin + 1 + left
        known = (*range(i - left), *range(i + right + 1, n))
        most = self.group_bound(n)
        return Found(np.minimum(self.by_known, most), min(self.top, most), i, known, self.tried)

    def _searched(self) -> Iterator[None]:
        """Split the rectangle with the largest bound, until none can be worse than the worst run found."""
        n, count = self.chain.n, itertools.count()
        heap: list[Any] = []

        def push(box: Any) -> None:
            heapq.heappush(heap, (-self._bound(box), next(count), box))

        self._find_bad_run()
        self._begin()
        for a, b in itertools.product(("inner", "outer"), repeat=2):
            fit = n - 1 - (a == "inner") - (b == "inner")
            if fit >= 0:
                push(((a, 0, fit), (b, 0, fit)))
        while heap and -heap[0][0] > self._threshold():
            bound, _, box = heapq.heappop(heap)
            if all(low == high for _, low, high in box):  # the bound is its own epsilon
                self._note(box, -bound)
                continue
            for part in filter(self._fits, self._split(box)):
                push(part)
            yield
        self.top = max([self.best, *(-bound for bound, _, _ in heap)])
        for bound, _, box in heap:
            self._note(box, -bound)

    @abstractmethod
    def _begin(self) -> None:
        """Called after a bad run was found."""

    @abstractmethod
    def _by_sides(self, box: Any, enough: float) -> float:
        """A bound on all runs of a rectangle from its two sides, or ``enough`` if that is larger."""

    @abstractmethod
    def _threshold(self) -> float:
        """Rectangles with bounds up to here are not searched further."""

    @abstractmethod
    def _worst_of(
        self, laws: npt.NDArray[Any], first: Any, second: Any, floor: float, alone: bool
    ) -> tuple[float, int | None]:
        """A bound on the worst pair of laws and which it is; ``floor`` and None if none exceeds that."""

    def _find_bad_run(self) -> None:
        """Find a bad run among ever longer ones, so that most others need not be evaluated."""
        fit, milder = self.chain.n - 3, 0
        for length in itertools.takewhile(lambda length: 2 * length <= fit, (2**k - 1 for k in itertools.count())):
            before = self.best
            self._epsilon(("inner", length), ("inner", length), 0.0, True)
            milder = 0 if self.best > before else milder + 1
            if milder == 3:  # longer runs are hardly worse
                break

    def _note(self, box: Any, bound: float) -> None:
        """Raise the bounds by number of known tuples."""
        n, ((_, l1, _), (_, r1, _)) = self.chain.n, box
        few, many = n - self._longest(box), n - 1 - (l1 + r1)
        np.maximum(self.by_known[few : many + 1], bound, out=self.by_known[few : many + 1])

    def _refine_by_known(self, most: int = 600) -> None:
        """Evaluate the runs shorter than the worst, as long as these are few: more knowledge may reveal less."""
        n, worst, runs, before = self.chain.n, 0.0, 0, self.tried
        for unknown in range(self.found[0][1] + self.found[1][1]):
            for a, b in itertools.product(("inner", "outer"), repeat=2):
                runs += unknown + 1
                for left in range(unknown + 1):
                    if self._fits(((a, left, left), (b, unknown - left, unknown - left))):
                        worst = max(worst, self._epsilon((a, left), (b, unknown - left), worst, True))
            if self.tried - before > most or runs > 20 * most:  # many runs may be impossible
                return
            self.by_known[n - 1 - unknown] = worst

    def _fits(self, box: Any) -> bool:
        (a, l1, l2), (b, r1, r2) = box
        fit = self.chain.n - 1 - (a == "inner") - (b == "inner")
        return l1 + r1 <= fit and (a == "inner" or b == "inner" or l2 + r2 >= fit)

    def _longest(self, box: Any) -> int:
        """The largest number of unknown tuples, including the target."""
        (a, _, l2), (b, _, r2) = box
        return 1 + min(l2 + r2, self.chain.n - 1 - (a == "inner") - (b == "inner"))

    def _split(self, box: Any) -> Iterator[Any]:
        """Split in two along the side whose lengths are covered worst."""
        cover = [min(self._shortest(*side)[1], math.log((side[2] + 1) / (side[1] + 1))) for side in box]
        at = 0 if (cover[0], box[0][2] - box[0][1]) > (cover[1], box[1][2] - box[1][1]) else 1
        kind, low, high = box[at]
        middle = min((low + high) // 2, 2 * low)
        for part in ((kind, low, middle), (kind, middle + 1, high)):
            yield (part, box[1]) if at == 0 else (box[0], part)

    def _shortest(self, kind: str, low: int, high: int) -> tuple[Part | None, float]:
        """The part that covers parts of these lengths, and a bound on how far they can exceed it."""
        if low == high:
            return (kind, low), 0.0
        if kind == "inner":
            return (kind, low), self._cross_ratio(low + 1)
        return (("inner", low - 1), self._cross_ratio(low)) if low else (None, math.inf)

    def _cross_ratio(self, steps: int) -> float:
        """The largest cross-ratio of the transitions over so many steps, in logs."""
        while len(self.cross_ratios) < steps:
            self.power = self.power @ self.lefts.step
            seen = self.power[:, (self.power > 0).any(axis=0)]  # the other states are never reached
            if (seen <= 0).any():
                self.cross_ratios.append(math.inf)
                continue
            logs = np.log(seen)
            ratio = logs[:, :, None] - logs[:, None, :]  # (u, v, v')
            self.cross_ratios.append(float((ratio.max(axis=0) - ratio.min(axis=0)).max()) * (1 + 1e-12) + 1e-14)
        return self.cross_ratios[steps - 1]

    def _bound(self, box: Any) -> float:
        (left, first), (right, second) = (self._shortest(*side) for side in box)
        enough, excess = self._threshold(), first + second
        alone, narrow = all(low == high for _, low, high in box), all(high <= 2 * low + 1 for _, low, high in box)
        bound = self.group_bound(self._longest(box))
        self.boxes += 1
        if narrow and bound > enough:
            bound = min(bound, self._by_sides(box, enough))
        # a run that the others may exceed by more than 1 is not worth evaluating
        far = left is None or right is None or math.isinf(excess) or (narrow and excess > 1)
        if far or bound <= enough:
            return bound
        return min(bound, self._epsilon(left, right, max(enough - excess, 0.0), alone) + excess)  # pyright: ignore

    def _epsilon(self, left: Part, right: Part, floor: float, alone: bool) -> float:
        """A bound on epsilon(delta) of a run, or ``floor`` if that is larger.

        If it is to stand ``alone``, its known ends are in states that the chain can have there, and it may become the
        worst. If it covers others, they are in any states.
        """
        key = left, right
        before, final, stood_alone = self.evaluated.get(key, (math.inf, False, False))
        if before <= floor or (final and (stood_alone or not alone)):
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
            self.evaluated[key] = worst, worst != floor, alone
        return worst

    @cached_property
    def _positive(self) -> bool:
        """Whether every state is possible everywhere."""
        return bool((self.chain.marginals > 0).all())

    def _cases(self, left: Part, right: Part, alone: bool) -> tuple[npt.NDArray[Any], Any, Any, list[int]] | None:
        """Laws of the sum for each state of the target and of the known ends, and which pairs are compared."""
        (first, can), (second, may) = self.lefts.of(left), self.rights.of(right)
        laws, pairs, begins = [], [], []
        span = first.shape[2] + second.shape[2] - 1
        for u, w in itertools.product(range(len(first)), range(len(second))):
            begin = self._start(u, left[1], right) if alone and left[0] == "inner" else 0
            states = np.flatnonzero(can[u] & may[w])
            if begin is None or len(states) < 2:
                continue
            base = len(laws)
            for v in states:
                law = np.zeros(span + int(self.adds.max()), dtype=first.dtype)
                law[self.adds[v] : self.adds[v] + span] = np.convolve(first[u, v], second[w, v])
                laws.append(law)
            for x, y in itertools.combinations(range(base, len(laws)), 2):
                pairs.append((x, y))
                begins.append(begin)
        if not pairs:
            return None
        return trimmed(np.array(laws)), *np.array(pairs).T, begins  # pyright: ignore[reportReturnType]

    def _start(self, state: int, left: int, right: Part) -> int | None:
        """A place at which the known tuple before a run can be in this state; None if there is none.

        If the run ends the chain there is only one place, where a chain with zeros may not be in the state.
        """
        latest = self.chain.n - 2 - left - right[1]
        if right[0] == "outer":
            return latest if self.chain.marginals[latest, state] > 0 else None
        reached = self.chain.marginals[: max(latest, 0), state] > 0
        return int(np.argmax(reached)) if reached.any() else None


@dataclass(eq=False)
class RunsByLeakage(LongRuns):
    """Runs compared by leakage, under Laplace or geometric noise; ``scale``: the lattice unit in scales of the noise.

    A run leaks at most the sum of what its left part, the target and its right part leak alone.
    """

    scale: float

    def _begin(self) -> None:
        self.sides = [SideLeakage(side, self._shortest, self.scale) for side in (self.lefts, self.rights)]
        self.own = np.abs(self.adds[self.sides[0].pairs] @ [1, -1]) * self.scale

    def _by_sides(self, box: Any, enough: float) -> float:
        left, right = (side.most(*part) for side, part in zip(self.sides, box))
        return max(float((left + right + self.own).max()), enough)

    def _threshold(self) -> float:
        return self.best + 1e-12 * (1 + self.best)  # leakages are exact up to rounding

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
    """Runs compared by epsilon(delta)."""

    noise: Cells
    coarse: Cells
    delta: float
    patience: ClassVar[int] = 600  # evaluations (a run, or eight rectangles) that widen the tolerance tenfold

    def _begin(self) -> None:
        # the profiles of the sides have narrow knots for most bounds, and wide ones for runs far worse than the best
        steps = ((1 + min(self.best, 500.0)) / parts for parts in (192, 24))
        self.sides = [[SideProfile(side, self.coarse, s) for side in (self.lefts, self.rights)] for s in steps]

    def _by_sides(self, box: Any, enough: float) -> float:
        bounds = (two_sided_bound(left, right, box, enough, self.delta) for left, right in self.sides)
        return next((bound for bound in bounds if math.isfinite(bound)), math.inf)

    def _threshold(self) -> float:
        """The tolerance grows with the number of evaluations, after the first 1,200."""
        wider = max((self.tried + self.boxes / 8) / self.patience - 2, 0.0)
        return self.best + _TOLERANCE * 10**wider * (1 + self.best)

    def _worst_of(
        self, laws: npt.NDArray[Any], first: Any, second: Any, floor: float, alone: bool
    ) -> tuple[float, int | None]:
        laws = laws.astype(float)
        if floor > 0 and self.coarse is not self.noise:
            if float(self.coarse(laws).tests(first, second).both().profile(floor).max()) <= self.delta:
                return floor, None
        tests = self.noise(laws).tests(first, second).both()
        tolerance = 0.1 * _TOLERANCE * (1 + floor) if alone else 1e-3
        return tests.worst(self.delta, floor, lambda at, least: tests.case(at).epsilon(self.delta, least, tolerance))
