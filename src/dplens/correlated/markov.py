"""Tuples that form a Markov chain with finitely many states."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens._numerics.sharing import Shared, cached_property
from dplens._validate import Floats
from dplens.correlated.discrete import IMPOSSIBLE, Block, DiscreteData, Tuples
from dplens.correlated.places import gathered, merged
from dplens.correlated.release import Release
from dplens.errors import Undefined

_ROWS = 100_000  # combinations of known values of one attacker
_LONGEST = 1_000_000
_SHORTER = "Tuples that far apart have nothing to do with each other: take a part of the chain."
_TABLE = 2**22  # cells of the joint table up to which a chain is also a table


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
        weights = made.linear
        made.resolved(self.sizes(made))
        runs = self._runs(target, known)
        if given:
            index = {j: self.index_of(j, given[j], f"known[{j}]") for j in known}
            row = self._row(weights, target, runs, index)
            if row is None:
                raise _validate.reject("known", "to be possible in the model", given, IMPOSSIBLE)
            return [Block(np.zeros((1, 0), dtype=np.int64), row[0][None], row[1])]
        ends = sorted({j for a, b in runs for j in (a - 1, b + 1) if 0 <= j < self.n} - {target})
        k = len(self.initial)
        if k ** len(ends) > _ROWS:
            raise Undefined(
                f"{len(ends)} known tuples border on unknown ones, too many to try all their values. Give their values "
                "(known={index: value}), or ask for the worst attacker, who leaves a single run unknown."
            )
        cases = list(itertools.product(range(k), repeat=len(ends)))
        rows = [self._row(weights, target, runs, dict(zip(ends, at))) for at in cases]
        kept = [(at, row) for at, row in zip(cases, rows) if row is not None]
        laws = np.array([row[0] for _, row in kept])
        return [Block(np.array([at for at, _ in kept], dtype=np.int64).reshape(len(kept), -1), laws, kept[0][1][1])]

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

    def _row(
        self, weights: Floats, target: int, runs: list[tuple[int, int]], index: dict[int, int]
    ) -> tuple[Floats, Floats] | None:
        """(states, S) masses and (states, S, releases) places for given states of known tuples; None if impossible."""
        order = sorted(index)
        steps = [float(self.reach(a, b)[index[a], index[b]]) for a, b in itertools.pairwise(order)]
        steps += [float(self.marginals[order[0]][index[order[0]]])] if order else []
        if not all(chance > 0 for chance in steps):
            return None
        a, b = runs[0]
        before, left = self.segment(weights, a, target - 1, index.get(a - 1), towards=target)
        after, right = self.segment(weights, target + 1, b, None, end=index.get(b + 1), begin=target)
        total, inverse = merged((before[:, None, :] + after[None, :, :]).reshape(-1, len(weights)))
        both = left[:, :, None] * right[:, None, :]  # (states, S1, S2)
        law = gathered(both.reshape(len(both), -1), inverse, len(total))
        for a, b in runs[1:]:
            noise, mass = self.segment(weights, a, b, index.get(a - 1), end=index.get(b + 1))
            total, inverse = merged((total[:, None, :] + noise[None, :, :]).reshape(-1, len(weights)))
            joint = law[:, :, None] * (mass.sum(axis=0) / mass.sum())[None, None, :]
            law = gathered(joint.reshape(len(law), -1), inverse, len(total))
        if law.sum() <= 0:
            return None
        own = np.outer(self.values[target], weights[:, target])
        return law / law.sum(), own[:, None, :] + total[None, :, :]

    def segment(
        self,
        weights: Floats,
        a: int,
        b: int,
        start: int | None,
        *,
        towards: int | None = None,
        begin: int | None = None,
        end: int | None = None,
    ) -> tuple[Floats, Floats]:
        """Attainable sums of tuples a … b (S, releases) and their masses (states, S).

        start: state of the tuple before a. towards: the masses are joint with the state of this next tuple (rows).
        begin: the rows are the states of this tuple, which comes just before a. end: state of the tuple after b.
        """
        k = len(self.initial)
        places = np.zeros((1, len(weights)))
        if begin is not None:
            state = np.eye(k)[:, None, :]  # (row, S, state of the latest tuple)
            latest = begin
        elif start is not None:
            state, latest = np.eye(k)[start][None, None, :], a - 1
        else:
            state, latest = None, -1
        for t in range(a, b + 1):
            state = self.initial[None, None, :] if state is None else state @ self.transition[latest]
            latest = t
            moved = places[:, None, :] + np.outer(self.values[t], weights[:, t])[None, :, :]
            places, inverse = merged(moved.reshape(-1, len(weights)))
            new = np.zeros((len(state), len(places), k))
            for x in range(k):
                np.add.at(new[:, :, x].T, inverse.reshape(-1, k)[:, x], state[:, :, x].T)
            state = new
        if towards is not None:
            state = self.initial[None, None, :] if state is None else state @ self.transition[latest]
            return places, state[0].T  # (states of the next tuple, S)
        if state is None:
            return places, np.ones((1, 1))
        if end is not None:
            return places, state @ self.transition[latest][:, end]
        return places, state.sum(axis=2)

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
