"""Tuples with finitely many values and any joint law."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.views.base import view_arguments
from dplens.correlated.views.bounds import moved, moved_epsilon
from dplens.correlated.views.discrete import DiscreteView
from dplens.correlated.views.queries import NoisyQueries, gathered, listed, merged, release
from dplens.numerics.sharing import Shared, cached_property, latest
from dplens.registry import MODELS, Discreet, register

if TYPE_CHECKING:
    from dplens.correlated.models.graph import KnowledgeGraph
    from dplens.correlated.search.worst import Worst
    from dplens.curves.base import TradeOff


IMPOSSIBLE = "Its probability is 0: no attacker knows that. Change a value, or the model."
_MOST_CELLS = 2**26  # of a joint table
_NO_TABLE = "Use MarkovData or GaussianData, which need no table."
Given = dict[int, float] | None  # values of known tuples; None if all possible ones count


@dataclass(frozen=True, eq=False)
class Block:
    """All cases of one target and one knowledge set, on the same attainable values of the query.

    laws: (R, k, S) joint masses of the known values, the target and the query. places: (k, S, releases) values of the
    query.
    """

    laws: Floats
    places: Floats

    @property
    def possible(self) -> npt.NDArray[np.bool_]:
        """(R, k): which values of the target have positive probability in each row."""
        return self.laws.sum(axis=2) > 0

    def joined(self, values: Sequence[int], rows: Any = slice(None)) -> tuple[Floats, Floats]:
        """Places (M, releases) for some values of the target, and the law (R, values, M) of the place given each."""
        values = list(values)
        places, inverse = merged(self.places[values].reshape(-1, self.places.shape[2]))
        laws = self.laws[rows][:, values]
        out = np.zeros((*laws.shape[:2], len(places)))
        for i, at in enumerate(inverse.reshape(len(values), -1)):
            np.add.at(out[:, i].T, at, laws[:, i].T)
        total = out.sum(axis=2, keepdims=True)
        return places, out / np.where(total > 0, total, 1.0)


class Model(Discreet, ABC):
    """Base of the data models: how many tuples there are, and the worst attacker."""

    registry = MODELS
    _hooks = (
        *("blocks", "index_of", "ranges", "reach", "sizes"),  # of discrete tuples
        *("covariance_error", "expected", "response", "response_error", "root", "widths"),  # of Gaussian ones
    )

    @property
    @abstractmethod
    def n(self) -> int:
        """How many tuples there are."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n} tuples)"

    @abstractmethod
    def view(self, mechanism: Any, *, target: int, known: Any = None, weights: Any = None, pair: Any = None) -> Any:
        """The release as seen by one attacker."""

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

        method: ``"exact"`` (default) examines all of them, among Gaussian tuples up to about 22; ``"runs"`` (the
        default for linear queries on chains) those that can be worst in a chain, who know everything except one run
        around the target; ``"greedy"`` climbs, for models too large for the others; ``"chain"`` and ``"chain_fast"``
        are Li's Algorithms 1 and 2 as published, for discrete data, which are **not** bounds. query: for discrete data.
        delta: attackers are compared by epsilon(delta); by default 0, the leakage, or 1e-5 if that is infinite.
        progress: show a bar (by default on a terminal, if it takes long).

        >>> import dplens as dl
        >>> data = dl.DiscreteData(joint=[[.49, .01], [.01, .49]], values=[[0, 1], [0, 1]])
        >>> found = data.worst(dl.Laplace(scale=1.0))
        >>> round(found.leakage, 4), found.target, found.known
        (1.9535, 0, ())
        """
        from dplens.correlated.search.worst import worst

        return worst(self, mechanism, method, weights=weights, query=query, delta=delta, progress=progress)


class Tuples(Model):
    """Base of the discrete models: tuples with values, and views of them."""

    values: tuple[Floats, ...]

    @property
    def n(self) -> int:
        return len(self.values)

    @abstractmethod
    def as_data(self) -> DiscreteData:
        """The same tuples with their joint table."""

    @abstractmethod
    def blocks(self, made: NoisyQueries, target: int, known: tuple[int, ...], given: Given) -> list[Block]:
        """The cases of one attacker: the given values, or a row for each possible combination."""

    def index_of(self, tuple_: int, value: float, name: str) -> int:
        """The index of a value of a tuple."""
        near = np.flatnonzero(np.abs(self.values[tuple_] - value) <= 1e-12 * (1 + abs(value)))
        if not len(near):
            rule = f"to be one of the values {self.values[tuple_].tolist()} of tuple {tuple_}"
            raise _validate.reject(name, rule, value, "Name one of them.")
        return int(near[0])

    def ranges(self, made: NoisyQueries) -> Floats:
        """(releases, n): how far each tuple alone can move each linear query."""
        span = np.array([float(np.ptp(v)) for v in self.values])
        return np.abs(made.linear) * span

    def sizes(self, made: NoisyQueries) -> Floats:
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
        given = view_arguments(self, made, target=target, known=known, pair=pair)
        return DiscreteView(mechanism=mechanism, weights=weights, query=query, **given)

    def _pair(self, target: int, pair: Any) -> tuple[float, float]:
        two = _validate.pair("pair", pair, "to be two values of the target")
        given = (_validate.real("pair", v, "to hold numbers", math.isfinite) for v in two)
        found = [float(self.values[target][self.index_of(target, v, "pair")]) for v in given]
        if found[0] == found[1]:
            raise _validate.reject("pair", "to be two different values", pair)
        return found[0], found[1]

    def bound(self, made: NoisyQueries, delta: float) -> float:
        """An upper bound on epsilon(delta) of every attacker: all tuples move (Li et al. 2019, Equation 16)."""
        return moved_epsilon(made.mechanisms, self._spans(made), delta)

    def bounds(self, made: NoisyQueries) -> list[TradeOff]:
        """Curves that lie below the curve of every attacker."""
        return [moved(made.mechanisms, self._spans(made))]

    def _spans(self, made: NoisyQueries) -> Floats:
        return self.view(list(made.mechanisms), target=0, weights=made.weights, query=made.query).spans

    def graph(self, mechanism: Any, *, weights: Any = None) -> KnowledgeGraph:
        """Li's weighted hierarchical graph of all attackers, with their values by the chain rule."""
        from dplens.correlated.models.graph import KnowledgeGraph

        return KnowledgeGraph.of(self, mechanism, weights=weights)


@register
@dataclass(frozen=True, kw_only=True, eq=False)
class DiscreteData(Shared, Tuples):
    """Tuples x_0 … x_{n−1} with finitely many values and the joint law ``joint``.

    joint: an array of probabilities that sum to 1, one axis for each tuple. values: a list of values for each tuple, in
    the order of the axes; by default 0, 1, 2, …

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
        if table.size > _MOST_CELLS:
            found = _validate.Shown(str(table.size))
            raise _validate.reject("joint", f"to have at most {_MOST_CELLS} cells", found, _NO_TABLE)
        if not np.isfinite(table).all() or (table < 0).any():
            bad = float(table[~(np.isfinite(table) & (table >= 0))].flat[0])
            raise _validate.reject("joint", "to hold finite probabilities >= 0", bad, "Cells are shares.")
        total = _validate.total_of(table.ravel())
        if abs(total - 1) > 1e-9:
            raise _validate.reject("joint", "to sum to 1", total, "Divide by the sum if it is a table of counts.")
        table = table / total
        table.setflags(write=False)
        object.__setattr__(self, "joint", table)
        object.__setattr__(self, "values", checked_values(self.values, table.shape))

    @classmethod
    def independent(cls, marginals: Sequence[Any], *, values: Any = None) -> DiscreteData:
        """Independent tuples, for which prior knowledge changes nothing (Li, Theorem 1)."""
        table = np.ones(())
        rule = "to hold the law of each tuple"  # at most 30: NumPy allows few more axes
        for i, marginal in enumerate(listed("marginals", marginals, rule, "Pass for instance [[.5, .5], [.2, .8]].")):
            law = _validate.law(f"marginals[{i}]", marginal)
            if table.size * law.size > _MOST_CELLS or table.ndim >= 30:
                found = _validate.Shown(f"{table.size * law.size} with the first {i + 1}")
                raise _validate.reject("marginals", f"to make a table of at most {_MOST_CELLS} cells", found, _NO_TABLE)
            table = np.multiply.outer(table, law)
        if not table.ndim:
            raise _validate.reject("marginals", f"{rule}, and at least one", marginals)
        return cls(joint=table, values=values)

    def __repr__(self) -> str:
        return f"DiscreteData({self.n} tuples with {'×'.join(map(str, self.joint.shape))} values)"

    def as_data(self) -> DiscreteData:
        return self

    def blocks(self, made: NoisyQueries, target: int, known: tuple[int, ...], given: Given) -> list[Block]:
        unknown = tuple(j for j in range(self.n) if j != target and j not in known)
        shape, releases = self.joint.shape, len(made.mechanisms)
        sizes, order = [shape[j] for j in known], (*known, target, *unknown)
        laws = self.joint.transpose(order).reshape(math.prod(sizes), shape[target], -1)
        if given:
            index = [self.index_of(j, given[j], f"known[{j}]") for j in known]
            keep = np.array([int(np.ravel_multi_index(index, sizes))])
        else:
            keep = np.flatnonzero(laws.sum(axis=(1, 2)) > 0)
        laws = laws[keep]
        if not (laws.sum(axis=(1, 2)) > 0).all():
            raise _validate.reject("known", "to be possible in the model", given, IMPOSSIBLE)
        if made.weights is None:
            answers = self._answers(made).transpose(*order, self.n).reshape(-1, *laws.shape[1:], releases)
            return [Block(law[None], answers[row]) for row, law in zip(keep, laws)]
        made.check_size(self.sizes(made))
        sums = np.zeros((1, releases))
        for j in unknown:
            sums = (sums[:, None, :] + np.outer(self.values[j], made.weights[:, j])[None]).reshape(-1, releases)
        offsets, inverse = merged(sums)
        own = np.outer(self.values[target], made.weights[:, target])
        return [Block(gathered(laws, inverse, len(offsets)), own[:, None, :] + offsets[None, :, :])]

    def _answers(self, made: NoisyQueries) -> Floats:
        """The query at every combination of values: an array with one axis for each tuple and one for the releases."""
        query, shape, count = made.query, self.joint.shape, len(made.mechanisms)

        def evaluated() -> Floats:
            out = np.empty((*shape, count))
            for index in np.ndindex(*shape):
                x = np.array([v[i] for v, i in zip(self.values, index)])
                answer = _validate.as_array("query", query(x), booleans=True)  # pyright: ignore[reportOptionalCall]
                if answer.size != count or not np.isfinite(answer).all():
                    rule = f"to return {count} finite number{'s'[: count > 1]}"
                    raise _validate.reject("query", rule, answer.tolist())
                out[index] = answer.ravel()
            made.check_size(np.max(np.abs(out.reshape(-1, count)), axis=0))
            return out

        return latest(self, "_query", (query, count), evaluated)

    @cached_property
    def correlation(self) -> Floats:
        """Pearson correlations of the tuples; nan if one of them is constant."""
        covariance = np.zeros((self.n, self.n))
        for i, j in itertools.combinations_with_replacement(range(self.n), 2):
            both = self.joint.sum(axis=tuple(k for k in range(self.n) if k not in (i, j)))
            both = np.diag(both) if i == j else both
            x, y = self.values[i], self.values[j]
            covariance[i, j] = covariance[j, i] = x @ both @ y - (x @ both.sum(axis=1)) * (both.sum(axis=0) @ y)
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
