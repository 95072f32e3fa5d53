"""Tuples that form a Markov chain with finitely many states."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.models.discrete import IMPOSSIBLE, Block, DiscreteData, Tuples
from dplens.correlated.views.query_values import added, gathered
from dplens.correlated.views.release import Release
from dplens.errors import Undefined
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import register

_ROWS = 100_000  # combinations of known values of one attacker
_LONGEST = 1_000_000
_WORK = 5e7  # sums that the law of a run of unknown tuples may take, one tuple after the other
_SHORTER = "Tuples that far apart have nothing to do with each other: take a part of the chain."
_TABLE = 2**22  # cells of the joint table up to which a chain is also a table


@register
@dataclass(frozen=True, kw_only=True, eq=False)
class MarkovData(Shared, Tuples):
    """A chain x_0, x_1, … of ``length`` tuples: the law of each depends on the one before only.

    initial: law of x_0. transition: a matrix, row = from, column = to, or a list of length − 1 such matrices where the
    chain changes with time. length: at most a million. values: of the states, shared by all tuples; by default 0, 1, …

    >>> import dplens as dl
    >>> chain = dl.MarkovData(initial=[.5, .5], transition=[[.8, .2], [.2, .8]], length=200)
    >>> found = chain.worst(dl.Laplace(scale=2.0), method="runs")
    >>> round(found.leakage, 4), len(found.known)
    (1.8009, 185)
    """

    initial: Any
    transition: Any
    values: Any = None
    length: int | None = None

    def __post_init__(self) -> None:
        start = _validate.law("initial", self.initial)
        k = len(start)
        steps = _validate.as_array("transition", self.transition)
        if steps.shape[-2:] != (k, k) or steps.ndim not in (2, 3):
            rule = f"to be a {k}×{k} matrix, or a list of them, as the initial law has {k} states"
            raise _validate.reject("transition", rule, self.transition)
        self._check_rows(steps)
        if steps.ndim == 2:
            if self.length is None:
                raise _validate.reject("length", "to be given with one transition matrix", self.length)
            n = _validate.count("length", self.length)
            if n > _LONGEST:
                raise _validate.reject("length", f"to be at most {_LONGEST}", self.length, _SHORTER)
            homogeneous = True
            steps = np.broadcast_to(steps / steps.sum(axis=-1, keepdims=True), (n - 1, k, k))
        else:
            n = len(steps) + 1
            if self.length is not None and _validate.count("length", self.length) != n:
                raise _validate.reject("length", f"to be {n}, as there are {n - 1} transitions", self.length)
            homogeneous = bool((steps == steps[:1]).all())
            steps = steps / steps.sum(axis=-1, keepdims=True)
        values = np.arange(k, dtype=float) if self.values is None else _validate.as_array("values", self.values)
        if values.shape != (k,) or not np.isfinite(values).all() or len(np.unique(values)) != k:
            raise _validate.reject("values", f"to hold {k} different finite values, one for each state", self.values)
        for name, value in (("initial", start), ("transition", steps), ("values", (values,) * n), ("length", n)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "homogeneous", homogeneous)

    homogeneous: bool = False

    def _check_rows(self, steps: Floats) -> None:
        if not np.isfinite(steps).all() or (steps < 0).any():
            raise _validate.reject(
                "transition", "to hold finite probabilities >= 0", self.transition, "Rows are shares that sum to 1."
            )
        with np.errstate(over="ignore"):
            sums = steps.sum(axis=-1)
        if (np.abs(sums - 1) > 1e-9).any():
            bad = float(sums.flat[int(np.argmax(np.abs(sums - 1)))])
            raise _validate.reject("transition", "to have rows that sum to 1", bad, "Divide each row by its sum.")

    def __repr__(self) -> str:
        return f"MarkovData({self.n} tuples with {len(self.initial)} states)"

    @cached_property
    def marginals(self) -> Floats:
        """The law of every tuple, a row each."""
        out = [self.initial]
        for step in self.transition:
            out.append(out[-1] @ step)
        return np.array(out)

    def as_data(self) -> DiscreteData:
        """The same tuples by their joint table, for short chains."""
        return self._data

    @cached_property
    def _data(self) -> DiscreteData:
        if len(self.initial) ** self.n > _TABLE:
            raise Undefined(f"The joint table of {self!r} is too large. Ask the chain itself, with method='runs'.")
        table = self.initial
        for step in self.transition:
            table = table[..., :, None] * step
        return DiscreteData(joint=table, values=self.values)

    def reach(self, a: int, b: int) -> Floats:
        """Pr(x_b = column | x_a = row), a ≤ b."""
        out = np.eye(len(self.initial))
        for step in self.transition[a:b]:
            out = out @ step
        return out

    # ---- the cases of an attacker ------------------------------------------------------------------------------

    def blocks(self, made: Release, target: int, known: tuple[int, ...], given: dict[int, float] | None) -> list[Block]:
        if made.weights is None:  # any function of the tuples: by enumeration
            return self.as_data().blocks(made, target, known, given)
        made.resolved(self.sizes(made))
        (a, b), *others = self._runs(target, known)
        parts = [(a, target - 1), (target + 1, b), *others]
        sums = [self._sums(made.linear, *part) for part in parts]
        places, joins = sums[0][0], []
        for more, _ in sums[1:]:
            places, inverse = added(places, more)
            joins.append((inverse, len(places)))
        ends = sorted({j for first, last in parts for j in (first - 1, last + 1) if 0 <= j < self.n} - {target})
        k = len(self.initial)
        if given:
            cases = [{j: self.index_of(j, given[j], f"known[{j}]") for j in known}]
        elif k ** len(ends) > _ROWS:
            raise Undefined(
                f"{len(ends)} known tuples border on unknown ones, too many to try all their values. Give their values "
                "(known={index: value}), or ask for the worst attacker, who leaves a single run unknown."
            )
        else:
            cases = [dict(zip(ends, at)) for at in itertools.product(range(k), repeat=len(ends))]
        found = (self._law([masses for _, masses in sums], parts, joins, case) for case in cases)
        laws = [law for law in found if law is not None]
        if not laws:
            raise _validate.reject("known", "to be possible in the model", given, IMPOSSIBLE)
        own = np.outer(self.values[target], made.linear[:, target])
        return [Block(np.array(laws), own[:, None, :] + places[None, :, :])]

    def _runs(self, target: int, known: tuple[int, ...]) -> list[tuple[int, int]]:
        """Maximal runs of unknown tuples, the target counting as unknown; the one with the target first."""
        inside = set(known)
        free = [j for j in range(self.n) if j not in inside]
        runs: list[tuple[int, int]] = []
        for j in free:
            if runs and runs[-1][1] == j - 1:
                runs[-1] = (runs[-1][0], j)
            else:
                runs.append((j, j))
        return sorted(runs, key=lambda run: not run[0] <= target <= run[1])

    def _sums(self, weights: Floats, a: int, b: int) -> tuple[Floats, Floats]:
        """Attainable sums (S, releases) of tuples a … b, and their masses (state of a − 1, S, state of b + 1).

        The masses are joint with the state of b + 1, given that of a − 1; beyond the ends of the chain there is one
        state.
        """
        k = len(self.initial)
        places, state, work = np.zeros((1, len(weights))), np.eye(k if a else 1)[:, None, :], 0
        for t in range(a, b + 1):
            state = state @ self._step(t)
            work += state.size
            if work > _WORK:
                raise Undefined(
                    f"{b - a + 1} unknown tuples in a row are too many: their sum takes too many values. Name known "
                    "tuples on both sides of the target (known=...), or take a part of the chain."
                )
            places, inverse = added(places, np.multiply.outer(self.values[t], weights[:, t]))
            new = np.zeros((len(state), len(places), k))
            for x, at in enumerate(inverse.reshape(-1, k).T):
                np.add.at(new[:, :, x].T, at, state[:, :, x].T)
            state = new
        return places, state @ self._step(b + 1)

    def _step(self, t: int) -> Floats:
        """From the state before tuple t to its own."""
        if t == 0:
            return self.initial[None, :]
        return self.transition[t - 1] if t < self.n else np.ones((len(self.initial), 1))

    def _law(self, masses: list[Floats], parts: list[Any], joins: list[Any], index: dict[int, int]) -> Floats | None:
        """(states, S): masses of the target and of all sums, given the states of known tuples; None if impossible."""
        order = sorted(index)
        steps = [float(self.reach(a, b)[index[a], index[b]]) for a, b in itertools.pairwise(order)]
        steps += [float(self.marginals[order[0]][index[order[0]]])] if order else []
        if not all(chance > 0 for chance in steps):
            return None
        ends = [(index.get(a - 1, 0), index.get(b + 1, 0)) for a, b in parts]
        rest = [mass[u, :, w] / mass[u, :, w].sum() for mass, (u, w) in zip(masses[2:], ends[2:])]
        law = masses[0][ends[0][0]].T  # up to the target; from there on, and what only adds noise
        for more, (inverse, count) in zip([masses[1][:, None, :, ends[1][1]], *rest], joins):
            law = gathered((law[:, :, None] * more).reshape(len(law), -1), inverse, count)
        return law / law.sum() if law.sum() > 0 else None

    def marginal(self, target: int, given: dict[int, float]) -> Floats:
        index = {j: self.index_of(j, v, f"known[{j}]") for j, v in given.items()}
        before = max((j for j in index if j < target), default=None)
        after = min((j for j in index if j > target), default=None)
        law = self.marginals[target] if before is None else self.reach(before, target)[index[before]]
        if after is not None:
            law = law * self.reach(target, after)[:, index[after]]
        if law.sum() <= 0:
            raise _validate.reject("known", "to be possible in the model", given, IMPOSSIBLE)
        return law / law.sum()
