"""Li's weighted hierarchical graph: all attackers with their values by the published chain rule."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.models.discrete import Tuples
from dplens.correlated.models.gaussian import per_tuple
from dplens.correlated.views.queries import check_arguments, index, listed, release
from dplens.errors import Undefined
from dplens.mechanisms.additive import Laplace
from dplens.numerics.progress import tracked
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import Discreet, Result

Node = tuple[int, tuple[int, ...]]

_EDGE = (0, 0, ()), "to take three arguments: target, unlearned and known"
_Changes = Callable[[int, int, tuple[int, ...]], Floats]  # the set Γ of an edge


@dataclass(frozen=True)
class Edge:
    """An edge to the attacker (target, known) from the one who also knows ``unlearned``.

    change: Li's IC, the element of Γ that the chain rule takes. ratio: IR = IC·scale/range of the unlearned tuple.
    correlation: of the target and the unlearned tuple given the other known tuples, the one largest in size over their
    values; None for graphs made from edges.
    """

    target: int
    known: tuple[int, ...]
    unlearned: int
    change: float
    ratio: float
    correlation: float | None


@dataclass(frozen=True, kw_only=True, eq=False)
class KnowledgeGraph(Result, Discreet, Shared):
    """Nodes (target, known) in layers by the number of unknown tuples; edges to attackers who know one tuple less.

    The value of a node is the leakage of that attacker by the chain rule of Li et al. 2019 (Theorems 2 and 5): it is
    range/scale in the first layer and ``|value + IC|`` along an edge, the minimum over paths (Algorithm 1), or only
    from the n largest nodes of each layer (Algorithm 2, ``fast``). **It is not a bound**: it considers only one tail of
    the output, and combines the largest range with any pair of values. Use ``data.view(…).leakage()`` for decisions.

    >>> import dplens as dl
    >>> data = dl.DiscreteData(joint=[[0, .15, 0], [.42, .02, .41]], values=[[0, 1], [0, 1, 5]])
    >>> g = data.graph(dl.Laplace(scale=1.0))
    >>> round(g.value(0, ()), 4), round(data.view(dl.Laplace(scale=1.0), target=0).leakage(), 4)
    (0.6812, 4.2787)
    """

    _hooks = ("changes", "correlations", "progress")
    n: int
    base: tuple[float, ...]  # range/scale of each tuple: the values of the first layer
    fast: bool = False
    progress: bool | None = field(repr=False, default=None)
    changes: _Changes = field(repr=False)
    correlations: Callable[[int, int, tuple[int, ...]], float] | None = field(repr=False, default=None)
    _array: Floats | None = field(repr=False, default=None)  # of edges

    def __post_init__(self) -> None:
        object.__setattr__(self, "fast", _validate.flag("fast", self.fast))
        object.__setattr__(self, "n", _count(self.n, self.fast))
        object.__setattr__(self, "base", tuple(per_tuple("base", self.base, self.n, 0.0).tolist()))
        if self.progress is not None:
            _validate.flag("progress", self.progress)
        if not callable(self.changes):
            remedy = "Use KnowledgeGraph.of or KnowledgeGraph.from_edges."
            raise _validate.reject_type("changes", "to be a function (target, unlearned, known)", self.changes, remedy)
        check_arguments("changes", self.changes, *_EDGE)
        if self._array is None:
            _ = self._known  # reports missing edges

    # ---- made from a model, or from given edges -----------------------------------------------------------------

    @classmethod
    def of(
        cls, model: Any, mechanism: Any, *, weights: Any = None, fast: bool = False, progress: bool | None = None
    ) -> KnowledgeGraph:
        """The graph of a discrete model under Laplace noise on a linear query."""
        if not isinstance(model, Tuples):
            raise _validate.reject_type("model", "to be discrete data", model, "Pass for instance dplens.DiscreteData.")
        made = release(mechanism, model.n, weights)
        if made.single is None or not isinstance(made.single, Laplace):
            raise Undefined("Li's chain rule is for one linear query with Laplace noise.")
        scale = made.single.scale
        base = tuple(float(r) / scale for r in model.ranges(made)[0])
        table = model.as_data()
        rule = _Rule(table.joint, table.values, made.linear[0], scale)
        functions = {"changes": rule.changes, "correlations": rule.correlation}
        return cls(n=model.n, base=base, fast=fast, progress=progress, **functions)

    @classmethod
    def from_edges(
        cls,
        edges: Mapping[tuple[int, int, tuple[int, ...]], float] | Callable[[int, int, tuple[int, ...]], float] | Floats,
        *, n: int, base: Any = 1.0, fast: bool = False,
    ) -> KnowledgeGraph:  # fmt: skip
        """The graph with given edge values, as in Li's simulations.

        edges: IC by (target, unlearned tuple, tuples still known), as a mapping, a function or an array
        ``[target, unlearned, code]`` in whose code the known tuple k counts 2^k. An array is searched a layer at a
        time, thousands of times faster. base: values of the first layer, range/scale: one number or one for each tuple.
        n: at most 18 tuples, or 200 with ``fast``.

        >>> import dplens as dl, numpy as np
        >>> value, target, known = dl.KnowledgeGraph.from_edges(np.full((15, 15, 2**15), 0.2), n=15).worst
        >>> round(value, 6), known  # 1 + 14·0.2, over 245 760 attackers
        (3.8, ())
        """
        count = _count(n, _validate.flag("fast", fast))
        array = None
        if isinstance(edges, np.ndarray):
            edges = _validate.as_array("edges", edges)
            if edges.shape != (count, count, 2**count):
                raise _validate.reject("edges", f"to have the shape {(count, count, 2**count)}", edges.shape)
            if not np.isfinite(edges).all():
                raise _validate.reject("edges", "to be finite", "an array with other values")
            array = None if fast else edges
        elif callable(edges):
            check_arguments("edges", edges, *_EDGE)
        elif not isinstance(edges, Mapping):
            rule = "to be a mapping from (target, unlearned, known), a function of them or an array"
            raise _validate.reject_type("edges", rule, edges)

        def change(target: int, unlearned: int, known: tuple[int, ...]) -> Floats:
            key = (target, unlearned, known)
            if isinstance(edges, np.ndarray):
                return edges[target, unlearned, sum(1 << k for k in known)].reshape(1)
            try:
                value = edges(*key) if callable(edges) else edges[key]
            except KeyError:
                remedy = "Keys are (target, unlearned, known), known in increasing order."
                raise _validate.reject("edges", "to have a value for every edge", key, remedy) from None
            return np.array([_validate.real(f"edges[{key}]", value, "to be finite", math.isfinite)])

        return cls(n=count, base=base, fast=fast, changes=change, _array=array)

    # ---- the chain rule ------------------------------------------------------------------------------------------

    @cached_property
    def _known(self) -> dict[Node, float]:
        """The values by node."""
        if self._array is not None:
            return _walked(np.array(self.base), self._array)
        n = self.n
        layer = {(i, tuple(j for j in range(n) if j != i)): self.base[i] for i in range(n)}
        found = dict(layer)
        for _ in range(n - 1):
            following: dict[Node, float] = {}
            for (i, known), value in tracked(layer.items(), len(layer), "nodes of a layer", self.progress):
                for j in known:
                    node = (i, tuple(x for x in known if x != j))
                    along = abs(value + self._change(value, i, j, node[1]))
                    following[node] = min(following.get(node, math.inf), along)
            if self.fast:
                kept = sorted(following, key=lambda node: -following[node])[:n]
                following = {node: following[node] for node in kept}
            found.update(following)
            layer = following
        return found

    def _change(self, value: float, target: int, unlearned: int, known: tuple[int, ...]) -> float:
        options = self.changes(target, unlearned, known)
        return float(options[int(np.argmax(np.abs(value + options)))]) if len(options) else 0.0

    # ---- nodes and edges --------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """The number of nodes with a value."""
        return len(self._known)

    @property
    def nodes(self) -> dict[Node, float]:
        """All nodes (target, known) with their values."""
        return dict(self._known)

    @property
    def layers(self) -> tuple[dict[Node, float], ...]:
        """The nodes by layer: in layer 0 everything else is known, in the last nothing."""
        out: tuple[dict[Node, float], ...] = tuple({} for _ in range(self.n))
        for (i, known), value in self._known.items():
            out[self.n - 1 - len(known)][i, known] = value
        return out

    @property
    def by_known(self) -> tuple[float, ...]:
        """The largest value by number of known tuples, 0 … n − 1 (Li's Figure 4)."""
        return tuple(max(layer.values(), default=0.0) for layer in reversed(self.layers))

    @property
    def worst(self) -> tuple[float, int, tuple[int, ...]]:
        """The result of Algorithm 1 (or 2): the largest value with its target and knowledge set."""
        (i, known), value = max(self._known.items(), key=lambda item: (item[1], len(item[0][1])))
        return value, i, known

    def value(self, target: int, known: Any = ()) -> float:
        """The value of one attacker by the chain rule."""
        return self._known[self._node(target, known)]

    def _node(self, target: int, known: Any) -> Node:
        rule = f"to be the index of one of the {self.n} tuples"
        node = index("target", target, rule), _indices(known)
        if node not in self._known:
            remedy = "A fast graph keeps the n largest nodes of a layer." if self.fast else ""
            raise _validate.reject("node", f"to be (target, known) among {self.n} tuples", node, remedy)
        return node

    def path(self, target: int, known: Any = ()) -> tuple[Edge, ...]:
        """The edges that give a node its value, from the first layer on."""
        i, after = self._node(target, known)
        edges: list[Edge] = []

        def along(j: int) -> float:
            value = self._known.get((i, tuple(sorted((*after, j)))), math.inf)
            return abs(value + self._change(value, i, j, after))

        while len(after) < self.n - 1:
            j = min((j for j in range(self.n) if j != i and j not in after), key=along)
            edges.append(self.edge(i, j, after))
            after = tuple(sorted((*after, j)))
        return tuple(reversed(edges))

    def edge(self, target: int, unlearned: int, known: Any = ()) -> Edge:
        """The edge to (target, known) from the attacker who also knows ``unlearned``."""
        after = _indices(known)
        unlearned = index("unlearned", unlearned, f"to be the index of one of the {self.n} tuples")
        before = self._node(target, (*after, unlearned))
        change = self._change(self._known[before], target, unlearned, after)
        span = self.base[unlearned]
        found = None if self.correlations is None else self.correlations(target, unlearned, after)
        return Edge(target, after, unlearned, change, change / span if span else 0.0, found)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """All edges between nodes that have a value."""
        return tuple(
            self.edge(i, j, known)
            for i, known in self._known
            for j in range(self.n)
            if j != i and j not in known and (i, tuple(sorted((*known, j)))) in self._known
        )


def _count(n: Any, fast: bool, most: int = 18, most_fast: int = 200) -> int:
    """The number of tuples of a graph, if it is small enough to be walked."""
    count = _validate.count("n", n)
    if not fast and count > most:
        nodes = f"{count * 2 ** (count - 1)} nodes" if count < 60 else "more nodes than can be walked"
        raise Undefined(f"A graph of {count} tuples has {nodes}. Use fast=True, or at most {most} tuples.")
    if count > most_fast:
        raise _validate.reject("n", f"to be at most {most_fast} with fast=True", n, f"All nodes: at most {most}.")
    return count


def _indices(known: Any) -> tuple[int, ...]:
    """A knowledge set in increasing order."""
    found = listed("known", known, "to be a list of indices")
    return tuple(sorted(index("known", j, "to hold indices of tuples") for j in found))


def _walked(base: Floats, edges: Floats) -> dict[Node, float]:
    """The values of Algorithm 1 for edges[target, unlearned, code of the known tuples after that], layer by layer."""
    n = len(base)
    codes = np.arange(2**n)
    sizes = np.sum([codes >> k & 1 for k in range(n)], axis=0)
    steps = edges.transpose(1, 2, 0)  # all targets of an edge together
    values = np.full((2**n, n), np.nan)
    for i in range(n):
        values[2**n - 1 ^ (1 << i), i] = base[i]
    for m in range(n - 2, -1, -1):
        layer = codes[sizes == m]
        best = np.full((len(layer), n), np.inf)
        for j in range(n):
            at = np.flatnonzero(layer >> j & 1 == 0)
            found = values[layer[at] | 1 << j] + steps[j, layer[at]]
            best[at] = np.fmin(best[at], np.abs(found))
        best[np.isinf(best)] = np.nan
        values[layer] = best
    sets = [tuple(k for k in range(n) if code >> k & 1) for code in range(2**n)]
    return {(int(i), sets[code]): float(values[code, i]) for code, i in zip(*np.nonzero(~np.isnan(values)))}


class _Rule:
    """Edge values of a joint table."""

    def __init__(self, joint: Floats, values: Any, weights: Floats, scale: float) -> None:
        self.joint, self.scale = joint, scale
        self.adds = [np.asarray(v, float) * w for v, w in zip(values, weights)]

    def _pairwise(self, i: int, j: int, known: tuple[int, ...]) -> Floats:
        """(rows, x_i, x_j): the joint masses for each combination of the known values."""
        rest = tuple(a for a in range(self.joint.ndim) if a not in (i, j, *known))
        shape = self.joint.shape
        return (
            self.joint.transpose((*known, i, j, *rest))
            .reshape(math.prod(shape[a] for a in known), shape[i], shape[j], -1)
            .sum(axis=3)
        )

    def changes(self, i: int, j: int, known: tuple[int, ...]) -> Floats:
        """Γ (Li, Equations 9 and 10): over pairs of values of the target and over the values of the known tuples."""
        table = self._pairwise(i, j, known)[:, np.argsort(self.adds[i], kind="stable")]
        mass = table.sum(axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.log(table @ np.exp(-(self.adds[j] - self.adds[j].min()) / self.scale) / mass)
        found = [np.zeros(0)]
        for a, b in itertools.combinations(range(mass.shape[1]), 2):
            both = (mass[:, a] > 0) & (mass[:, b] > 0)
            found.append((mean[:, a] - mean[:, b])[both])
        return np.concatenate(found)

    def correlation(self, i: int, j: int, known: tuple[int, ...]) -> float:
        """Pearson's correlation of a_i·x_i and a_j·x_j given the known tuples, the largest in size."""
        table = self._pairwise(i, j, known)
        table = table[table.sum(axis=(1, 2)) > 0]
        table = table / table.sum(axis=(1, 2), keepdims=True)
        x, y = self.adds[i], self.adds[j]
        p, q = table.sum(axis=2), table.sum(axis=1)
        covariance = np.einsum("rij,i,j->r", table, x, y) - (p @ x) * (q @ y)
        variance = (p @ x**2 - (p @ x) ** 2) * (q @ y**2 - (q @ y) ** 2)
        some = variance > 1e-30
        found = np.clip(covariance[some] / np.sqrt(variance[some]), -1, 1)
        return float(found[int(np.argmax(np.abs(found)))]) if len(found) else 0.0
