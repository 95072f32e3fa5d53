"""Tuples with finitely many values and any joint law."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.search.bounds import moved, moved_epsilon
from dplens.correlated.views.base import viewed
from dplens.correlated.views.discrete import DiscreteView
from dplens.correlated.views.query_values import gathered, merged
from dplens.correlated.views.release import Release, listed, release
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import MODELS, register

if TYPE_CHECKING:
    from dplens.correlated.models.graph import KnowledgeGraph
    from dplens.correlated.search.worst import Worst
    from dplens.curves.base import TradeOff


IMPOSSIBLE = "Its probability is 0: no attacker knows that. Change a value, or the model."
_LARGEST = 2**26  # cells of a joint table
_AXES = 30  # tuples of a table: numpy has few more axes
_NO_TABLE = "Use MarkovData or GaussianData, which need no table."


@dataclass(frozen=True, eq=False)
class Block:
    """All cases of one target and one knowledge set that share the attainable values of the query.

    laws: (R, k, S) joint masses of (known values, target, value of the query given both); places: (k, S, releases)
    that value.
    """

    laws: Floats
    places: Floats

    @property
    def possible(self) -> npt.NDArray[np.bool_]:
        """(R, k): which values of the target have positive probability in each row."""
        return self.laws.sum(axis=2) > 0

    def joined(self, values: Sequence[int], rows: Any = slice(None)) -> tuple[Floats, Floats]:
        """Places (M, releases) of some values of the target, and the law of the place (R, values, M) given each."""
        values = list(values)
        places, inverse = merged(self.places[values].reshape(-1, self.places.shape[2]))
        laws = self.laws[rows][:, values]
        out = np.zeros((*laws.shape[:2], len(places)))
        for i, at in enumerate(inverse.reshape(len(values), -1)):
            np.add.at(out[:, i].T, at, laws[:, i].T)
        total = out.sum(axis=2, keepdims=True)
        return places, out / np.where(total > 0, total, 1.0)


class Tuples(ABC):
    """What discrete models share: tuples with values, views, the worst attacker."""

    registry = MODELS
    values: tuple[Floats, ...]

    @property
    def n(self) -> int:
        """How many tuples there are."""
        return len(self.values)

    @abstractmethod
    def blocks(self, made: Release, target: int, known: tuple[int, ...], given: dict[int, float] | None) -> list[Block]:
        """The cases of one attacker; without given values one row for each possible combination."""

    @abstractmethod
    def marginal(self, target: int, given: dict[int, float]) -> Floats:
        """Pr(target = each of its values | the given values)."""

    def index_of(self, tuple_: int, value: float, name: str) -> int:
        """The index of a value of a tuple."""
        near = np.flatnonzero(np.abs(self.values[tuple_] - value) <= 1e-12 * (1 + abs(value)))
        if not len(near):
            rule = f"to be one of the values {self.values[tuple_].tolist()} of tuple {tuple_}"
            raise _validate.reject(name, rule, value, "Name one of them.")
        return int(near[0])

    def ranges(self, made: Release) -> Floats:
        """(releases, n): the most each tuple by itself can move each linear query."""
        span = np.array([float(np.ptp(v)) for v in self.values])
        return np.abs(made.linear) * span

    def sizes(self, made: Release) -> Floats:
        """(releases,): how large each linear query can be."""
        return np.abs(made.linear) @ np.array([float(np.max(np.abs(v))) for v in self.values])

    def view(
        self,
        mechanism: Any,
        *,
        target: int,
        known: Any = None,
        weights: Any = None,
        query: Callable[[Floats], Any] | None = None,
        pair: Sequence[float] | None = None,
    ) -> DiscreteView:
        """The release as seen by an attacker on ``target`` who knows the tuples in ``known``.

        mechanism: additive noise, or a list of mechanisms for several releases on the same data. known: indices (the
        worst over their values) or a mapping from index to value. weights: of the linear query, by default a sum; one
        row for each release. query: any function from an array of the tuples' values to the released number (or to one
        number for each release) instead of weights. pair: two values of the target to compare (default: all pairs).

        >>> import dplens as dl
        >>> data = dl.DiscreteData(joint=[[.3, .2], [.2, .3]], values=[[0, 1], [0, 1]])
        >>> weak = data.view(dl.Laplace(scale=1.0), target=0)
        >>> round(weak.leakage(), 4), round(dl.Advantage().of(weak), 4)
        (1.1854, 0.3793)
        """
        made = release(mechanism, self.n, weights, query)
        more = {"mechanism": mechanism, "weights": weights, "query": query}
        return DiscreteView(**viewed(self, made, target=target, known=known, pair=pair, **more))

    def _pair(self, target: int, pair: Any) -> tuple[float, float]:
        two = _validate.pair("pair", pair, "to be two values of the target")
        given = (_validate.real("pair", v, "to hold numbers", math.isfinite) for v in two)
        found = [float(self.values[target][self.index_of(target, v, "pair")]) for v in given]
        if found[0] == found[1]:
            raise _validate.reject("pair", "to be two different values", pair)
        return found[0], found[1]

    def worst(
        self,
        mechanism: Any,
        method: str | None = None,
        *,
        weights: Any = None,
        query: Callable[[Floats], Any] | None = None,
        delta: float | None = None,
        progress: bool | None = None,
    ) -> Worst:
        """The worst attacker over all targets and all knowledge sets.

        method: ``"exact"`` (default) looks at all of them; ``"runs"`` (Markov chains, and the default there for linear
        queries) at what can be worst in a chain, everything known but one run around the target; ``"greedy"`` climbs,
        for models too large for the others; ``"chain"`` and ``"chain_fast"`` are Li's Algorithms 1 and 2 as published,
        which are **not** bounds. delta: attackers are compared by epsilon(delta); by default 0, the leakage, or 1e-5
        where that is infinite. progress: show a bar (by default on a terminal, when it takes long).

        >>> import dplens as dl
        >>> data = dl.DiscreteData(joint=[[.49, .01], [.01, .49]], values=[[0, 1], [0, 1]])
        >>> found = data.worst(dl.Laplace(scale=1.0))
        >>> round(found.leakage, 4), found.target, found.known
        (1.9535, 0, ())
        """
        from dplens.correlated.search.worst import worst

        return worst(self, mechanism, method, weights=weights, query=query, delta=delta, progress=progress)

    def bound(self, made: Release, delta: float) -> float:
        """epsilon(delta) of every attacker at most: all tuples move with the target (Li et al. 2019, Equation 16)."""
        return moved_epsilon(made.mechanisms, self._spans(made), delta)

    def bounds(self, made: Release) -> list[TradeOff]:
        """Curves, each of which lies below that of every attacker."""
        return [moved(made.mechanisms, self._spans(made))]

    def _spans(self, made: Release) -> Floats:
        asked: dict[str, Any] = {"query": made.query} if made.weights is None else {"weights": made.weights}
        return self.view(list(made.mechanisms), target=0, **asked).spans

    def graph(self, mechanism: Any, *, weights: Any = None) -> KnowledgeGraph:
        """Li's weighted hierarchical graph of all attackers, with the values that his chain rule gives them."""
        from dplens.correlated.models.graph import KnowledgeGraph

        return KnowledgeGraph.of(self, mechanism, weights=weights)


@register
@dataclass(frozen=True, kw_only=True, eq=False)
class DiscreteData(Shared, Tuples):
    """Tuples x_0 … x_{n−1} with finitely many values and the joint law ``joint``.

    joint: an array with one axis for each tuple, probabilities that sum to 1. values: what the tuples may be, a list
    for each, in the order of the axes; by default 0, 1, 2, …

    >>> import dplens as dl
    >>> twins = dl.DiscreteData(joint=[[.5, 0], [0, .5]])
    >>> round(twins.worst(dl.Laplace(scale=1.0)).leakage, 9)  # they move together: twice the promise
    2.0
    """

    joint: Any
    values: Any = None
    rows: int | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", None if self.rows is None else _validate.count("rows", self.rows))
        table = _validate.as_array("joint", self.joint, "that sum to 1")
        if table.ndim == 0 or table.size == 0:
            raise _validate.reject("joint", "to be a table with one axis for each tuple", self.joint)
        if table.size > _LARGEST:
            found = _validate.Shown(str(table.size))
            raise _validate.reject("joint", f"to have at most {_LARGEST} cells", found, _NO_TABLE)
        if not np.isfinite(table).all() or (table < 0).any():
            bad = table[~(np.isfinite(table) & (table >= 0))]
            raise _validate.reject(
                "joint", "to hold finite probabilities >= 0", float(bad.flat[0]), "Cells are shares."
            )
        total = _validate.total_of(table.ravel())
        if abs(total - 1) > 1e-9:
            raise _validate.reject("joint", "to sum to 1", total, "Divide by the sum if it is a table of counts.")
        table = table / total
        table.setflags(write=False)
        object.__setattr__(self, "joint", table)
        object.__setattr__(self, "values", checked_values(self.values, table.shape))

    @classmethod
    def independent(cls, marginals: Sequence[Any], *, values: Any = None) -> DiscreteData:
        """Tuples that have nothing to do with each other: prior knowledge then changes nothing (Li, Theorem 1)."""
        table = np.ones(())
        rule = "to hold the law of each tuple"
        for i, marginal in enumerate(listed("marginals", marginals, rule, "Pass for instance [[.5, .5], [.2, .8]].")):
            law = _validate.law(f"marginals[{i}]", marginal)
            if table.size * law.size > _LARGEST or table.ndim >= _AXES:
                found = _validate.Shown(f"{table.size * law.size} with the first {i + 1}")
                raise _validate.reject("marginals", f"to make a table of at most {_LARGEST} cells", found, _NO_TABLE)
            table = np.multiply.outer(table, law)
        return cls(joint=table, values=values)

    def __repr__(self) -> str:
        return f"DiscreteData({self.n} tuples with {'×'.join(map(str, self.joint.shape))} values)"

    # ---- the cases of an attacker ------------------------------------------------------------------------------

    def blocks(self, made: Release, target: int, known: tuple[int, ...], given: dict[int, float] | None) -> list[Block]:
        unknown = tuple(j for j in range(self.n) if j != target and j not in known)
        shape = self.joint.shape
        moved = self.joint.transpose((*known, target, *unknown)).reshape(
            -1, shape[target], math.prod(shape[j] for j in unknown)
        )
        sizes = [shape[j] for j in known]
        if given:
            index = [self.index_of(j, given[j], f"known[{j}]") for j in known]
            keep = np.array([int(np.ravel_multi_index(index, sizes))])
        else:
            keep = np.flatnonzero(moved.sum(axis=(1, 2)) > 0)
        moved = moved[keep]
        if not (moved.sum(axis=(1, 2)) > 0).all():
            raise _validate.reject("known", "to be possible in the model", given, IMPOSSIBLE)
        if made.weights is None:
            rows = zip(*np.unravel_index(keep, sizes)) if known else [()]
            return [self._asked(made, target, known, row, law) for row, law in zip(rows, moved)]
        made.resolved(self.sizes(made))
        offsets, inverse = merged(self._sums(made.weights, unknown))
        laws = gathered(moved, inverse, len(offsets))
        own = np.outer(self.values[target], made.weights[:, target]).reshape(shape[target], -1)
        return [Block(laws, own[:, None, :] + offsets[None, :, :])]

    def _sums(self, weights: Floats, unknown: tuple[int, ...]) -> Floats:
        """(combinations of the unknown tuples, releases): what they add to the queries."""
        total = np.zeros((1, len(weights)))
        for j in unknown:
            step = np.outer(self.values[j], weights[:, j])
            total = (total[:, None, :] + step[None, :, :]).reshape(-1, len(weights))
        return total

    def _asked(self, made: Release, target: int, known: tuple[int, ...], row: Any, law: Floats) -> Block:
        """One row of a query that is any function."""
        answers = self._answers(made)
        index: list[Any] = [slice(None)] * self.n
        for j, at in zip(known, row):
            index[j] = at
        part = answers[tuple(index)]
        rest = [j for j in range(self.n) if j not in known]
        part = np.moveaxis(part, rest.index(target), 0).reshape(len(law), -1, len(made.mechanisms))
        return Block(law[None], part)

    def _answers(self, made: Release) -> Floats:
        """The query at every combination of values: an array with one axis for each tuple and one for the releases."""
        known = self.__dict__.get("_asked_of")
        if known is not None and known[0] is made.query and known[1] == len(made.mechanisms):
            return known[2]
        shape, count = self.joint.shape, len(made.mechanisms)
        out = np.empty((*shape, count))
        for index in np.ndindex(*shape):
            x = np.array([v[i] for v, i in zip(self.values, index)])
            answer = _validate.as_array("query", made.query(x), booleans=True) if made.query else x  # pyright: ignore
            if answer.size != count or not np.isfinite(answer).all():
                raise _validate.reject("query", f"to return {count} finite number{'s'[: count > 1]}", answer.tolist())
            out[index] = answer.ravel()
        made.resolved(np.max(np.abs(out.reshape(-1, count)), axis=0))
        object.__setattr__(self, "_asked_of", (made.query, count, out))
        return out

    def marginal(self, target: int, given: dict[int, float]) -> Floats:
        index: list[Any] = [slice(None)] * self.n
        for j, value in given.items():
            index[j] = self.index_of(j, value, f"known[{j}]")
        left = self.joint[tuple(index)]
        rest = [j for j in range(self.n) if j not in given]
        mass = left.sum(axis=tuple(a for a, j in enumerate(rest) if j != target))
        if mass.sum() <= 0:
            raise _validate.reject("known", "to be possible in the model", given, IMPOSSIBLE)
        return mass / mass.sum()

    @cached_property
    def correlation(self) -> Floats:
        """Pearson correlations of the tuples; nan where one of them is constant."""
        means, second = np.zeros(self.n), np.zeros((self.n, self.n))
        for i in range(self.n):
            axes = tuple(j for j in range(self.n) if j != i)
            means[i] = self.joint.sum(axis=axes) @ self.values[i]
            second[i, i] = self.joint.sum(axis=axes) @ self.values[i] ** 2
            for j in range(i):
                both = self.joint.sum(axis=tuple(k for k in range(self.n) if k not in (i, j)))
                second[i, j] = second[j, i] = self.values[j] @ both @ self.values[i]
        covariance = second - np.outer(means, means)
        sd = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            return covariance / np.outer(sd, sd)


def checked_values(values: Any, shape: tuple[int, ...]) -> tuple[Floats, ...]:
    """One array of distinct finite values for each axis."""
    if values is None:
        return tuple(np.arange(k, dtype=float) for k in shape)
    rule = f"to hold a list of values for each of the {len(shape)} tuples"
    each = listed("values", values, rule)
    if len(each) != len(shape):
        raise _validate.reject("values", rule, values)
    out = []
    for i, (one, k) in enumerate(zip(each, shape)):
        array = _validate.as_array(f"values[{i}]", one)
        if array.ndim != 1 or len(array) != k:
            raise _validate.reject(f"values[{i}]", f"to hold {k} values, as axis {i} of the table does", one)
        if not np.isfinite(array).all() or len(np.unique(array)) != k:
            raise _validate.reject(f"values[{i}]", "to be finite and different from each other", one)
        out.append(array.copy())
    return tuple(out)
