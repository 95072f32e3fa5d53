"""The worst attacker: over all targets, all knowledge sets, and all models that are thought possible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated.models.discrete import Tuples
from dplens.correlated.models.gaussian import GaussianTuples
from dplens.correlated.models.gaussian_chain import GaussianChain
from dplens.correlated.models.markov import MarkovData
from dplens.correlated.search.knowledge_sets import Found, climbed
from dplens.correlated.views.base import View
from dplens.correlated.views.release import Release, release
from dplens.curves.base import TradeOff
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.additive import Geometric, Laplace
from dplens.mechanisms.base import DIRECTIONS
from dplens.numerics.sharing import Shared, cached_property

METHODS = ("exact", "chain", "chain_fast", "runs", "greedy")
_DELTA = 1e-5
_APART = 1e-3  # times 1 + epsilon: brackets that are this wide are told


@dataclass(frozen=True, kw_only=True, eq=False)
class Worst(Shared):
    """The worst attacker that was found, and how far one can trust that.

    leakage: his leakage, with its rounding. target, known: who he is. epsilon: what attackers were compared by,
    epsilon(delta) (the leakage itself where delta is 0). method: how he was found; ``exhaustive``: whether no other can
    be worse. bound: a sound upper bound on epsilon(delta) of every attacker: the search itself where it is exhaustive,
    else Li's Equation 16 for discrete tuples and :func:`most_response` for Gaussian ones. by_known: the largest
    epsilon(delta) by number of known tuples, 0 … n − 1 (Li's Figure 4); with ``"runs"`` that of all who know at least
    so many, which is no less; of the attackers that were looked at where the search is not exhaustive (0: of none).
    attackers: how many were compared. chain_value, chain_error: what Li's chain rule says where that was asked for,
    and how far it is from the exact leakage of all attackers (negative: it understates); None where that is not
    affordable. view: this attacker, to be asked anything. model: the model he attacks, one of several perhaps;
    ``model_index`` says which, and ``each`` holds the worst on every one of them.
    """

    leakage: Estimate
    target: int
    known: tuple[int, ...]
    epsilon: Estimate
    delta: float
    method: str
    exhaustive: bool
    bound: float
    by_known: tuple[float, ...] = field(repr=False)
    attackers: int
    view: View = field(repr=False)
    model: Any = field(repr=False)
    mechanism: Any = field(repr=False)
    weights: Any = field(repr=False, default=None)
    query: Any = field(repr=False, default=None)
    model_index: int = 0
    chain_value: float | None = None
    chain_error: float | None = None
    each: tuple[Worst, ...] = field(repr=False, default=())

    def tradeoff(self, direction: str = "both") -> TradeOff:
        """What holds against every attacker, so that anything can be asked of all and noise be calibrated to all.

        The curve of the worst attacker alone is ``view.tradeoff()``. He is the worst at epsilon(delta); at other points
        of the curve another one may be. So this is :meth:`everyone` where attackers are few, else a bracket: what
        ``bound`` and the model allow any of them, and from below what the worst does. direction: any, they are alike.
        """
        _validate.one_of("direction", direction, DIRECTIONS)
        return self._against_all

    @cached_property
    def _against_all(self) -> TradeOff:
        from dplens.correlated.search.all_attackers import against_all

        return against_all(self)

    def everyone(self, limit: int = 4000) -> TradeOff:
        """The hull over every attacker on every model, exact where :meth:`tradeoff` may be a bound, and slower.

        Up to ``limit`` knowledge sets; of chains only those count that leave one run unknown, as no other is worse.
        """
        from dplens.correlated.search.all_attackers import everyone

        return everyone(self.each or (self,), limit)

    @property
    def sentence(self) -> str:
        """The result in plain words."""
        what = "leakage" if self.delta == 0 else f"epsilon at delta {self.delta:g}"
        sure = f"no attacker has a larger {what}"
        if not self.exhaustive:
            sure = f"others may have a larger {what}, up to {self.bound:.4g} at most"
        elif self.epsilon.high > self.epsilon.low + _APART * (1 + self.epsilon.low):
            sure = f"no attacker has an epsilon above {self.bound:.4g} at delta {self.delta:g}"
        who = self.view.sentence
        text = f"{who} Of {self.attackers} attackers compared, he is the worst; {sure}."
        if self.chain_value is not None:
            text += f" The published chain rule says {self.chain_value:.4g}, which is not a bound."
        return text

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain values, for a table or a picture."""
        return {
            "leakage": float(self.leakage),
            "target": self.target,
            "known": list(self.known),
            "epsilon": float(self.epsilon),
            "delta": self.delta,
            "method": self.method,
            "exhaustive": self.exhaustive,
            "bound": self.bound,
            "by_known": [{"known": k, "epsilon": e} for k, e in enumerate(self.by_known)],
            "attackers": self.attackers,
            "model_index": self.model_index,
            "chain_value": self.chain_value,
            "chain_error": self.chain_error,
        }


def worst(
    models: Any,
    mechanism: Any,
    method: str | None = None,
    *,
    weights: Any = None,
    query: Any = None,
    delta: float | None = None,
    progress: bool | None = None,
) -> Worst:
    """The worst attacker on a model, or on any of a list of models (Li's Theta: all laws that are thought possible).

    Arguments as for the ``worst`` method of a model.

    >>> import dplens as dl
    >>> maybe = [dl.DiscreteData(joint=[[.3, .2], [.2, .3]]), dl.DiscreteData(joint=[[.4, .1], [.1, .4]])]
    >>> found = dl.worst(maybe, dl.Laplace(scale=1.0))
    >>> round(found.leakage, 4), found.model_index
    (1.5694, 1)
    """
    if method is not None:
        _validate.one_of("method", method, METHODS)
    many = isinstance(models, Sequence)
    given = list(models) if many else [models]
    if not given:
        raise _validate.reject("models", "to hold at least one model", models)
    for i, model in enumerate(given):
        if not isinstance(model, (Tuples, GaussianTuples)):
            remedy = "Pass for instance dplens.DiscreteData(joint=[[.3, .2], [.2, .3]])."
            raise _validate.reject_type(f"models[{i}]" if many else "models", "to be a data model", model, remedy)
    if delta is not None:
        delta = _validate.real("delta", delta, "in [0, 1)", lambda x: 0 <= x < 1)
    progress = None if progress is None else _validate.flag("progress", progress)
    found = [_one(model, i, mechanism, method, weights, query, delta, progress) for i, model in enumerate(given)]
    if len({f.delta for f in found}) > 1:  # one model keeps leakage finite, another does not: compare at one delta
        found = [_one(m, i, mechanism, method, weights, query, _DELTA, progress) for i, m in enumerate(given)]
    best = max(found, key=lambda f: f.epsilon)
    if len(found) == 1:
        return best
    bound = max(f.bound for f in found)
    by_known = tuple(
        max(f.by_known[k] for f in found if k < len(f.by_known)) for k in range(max(len(f.by_known) for f in found))
    )
    total, exhaustive = sum(f.attackers for f in found), all(f.exhaustive for f in found)
    return replace(best, bound=bound, by_known=by_known, attackers=total, exhaustive=exhaustive, each=tuple(found))


def _one(
    model: Any,
    index: int,
    mechanism: Any,
    asked: str | None,
    weights: Any,
    query: Any,
    delta: float | None,
    progress: Any,
) -> Worst:
    made = release(mechanism, model.n, weights, query)
    method = asked or ("runs" if isinstance(model, (MarkovData, GaussianChain)) and query is None else "exact")
    bounded = all(isinstance(m, (Laplace, Geometric)) for m in made.mechanisms)
    at = delta if delta is not None else (0.0 if bounded or not _unbounded(made) else _DELTA)
    chain_value = chain_error = None
    if method in ("chain", "chain_fast"):
        found, chain_value, chain_error = _chain(model, made, method, progress)
        exhaustive = False
    else:
        found, exhaustive = _searched(model, made, method, at, progress)
    more = {} if query is None else {"query": query}
    view = model.view(mechanism, target=found.target, known=found.known, weights=weights, **more)
    leakage = view.leakage()
    epsilon = leakage if at == 0 else _epsilon(view, at, found.leakage if exhaustive else 0.0)
    bound = float(epsilon) if exhaustive else max(model.bound(made, at), epsilon.low)
    if bound < epsilon:  # where his own curve is enclosed less closely
        epsilon = Estimate(bound, low=epsilon.low, high=bound, certificate=lambda: view.tradeoff().certificate)
    by_known = found.by_known
    if method == "runs":  # who leaves more than one run unknown leaks no more than one who knows the other runs too
        by_known = np.maximum.accumulate(by_known[::-1])[::-1]
    return Worst(
        leakage=leakage,
        target=found.target,
        known=found.known,
        epsilon=epsilon,
        delta=at,
        method=method,
        exhaustive=exhaustive,
        bound=bound,
        by_known=tuple(float(x) for x in by_known),
        attackers=found.attackers,
        view=view,
        model=model,
        mechanism=mechanism,
        weights=weights,
        query=query,
        model_index=index,
        chain_value=chain_value,
        chain_error=chain_error,
    )


def _unbounded(made: Release) -> bool:
    """Whether noise like this leaks without bound about a tuple that moves the query."""
    asked = [m for i, m in enumerate(made.mechanisms) if made.weights is None or made.weights[i].any()]
    return any(hasattr(m, "sigma") or not math.isfinite(m.tradeoff().epsilon(0.0)) for m in asked)


def _epsilon(view: View, delta: float, searched: float) -> Estimate:
    """epsilon(delta) of this attacker, and no less than what the search says of all of them, from the risky side."""
    curve = view.tradeoff()
    low, high = (float(end[0]) for end in curve.epsilon_bounds(np.array([delta])))
    high = max(high, searched)
    return Estimate(high, low=min(low, high), high=high, certificate=lambda: curve.certificate)


def _chain(model: Any, made: Release, method: str, progress: Any) -> tuple[Found, float, float | None]:
    if not isinstance(model, Tuples) or made.single is None or not isinstance(made.single, Laplace):
        raise Undefined("Li's chain rule is for discrete data, one linear query and Laplace noise. Use method='exact'.")
    from dplens.correlated.models.graph import KnowledgeGraph

    graph = KnowledgeGraph.of(
        model, made.single, weights=made.linear[0], fast=method == "chain_fast", progress=progress
    )
    value, target, known = graph.worst
    exact: float | None = None
    if model.n <= 12:
        exact = _searched(model, made, "exact", 0.0, progress)[0].leakage
    found = Found(value, target, known, np.array(graph.by_known), graph.count)
    return found, value, None if exact is None else value - exact


def _searched(model: Any, made: Release, method: str, delta: float, progress: Any) -> tuple[Found, bool]:
    """The search itself, and whether nothing can have been missed."""
    if isinstance(model, GaussianTuples):
        from dplens.correlated.search.gaussian import gaussian_worst

        return gaussian_worst(model, made, method, delta, progress)
    from dplens.correlated.search.discrete import enumerated, runs, value_of

    if method == "runs":
        if not isinstance(model, MarkovData):
            remedy = "Knowing a tuple cuts a chain and nothing else; use method='exact'."
            raise _validate.reject("method", "to be 'runs' for Markov chains only", method, remedy)
        if made.weights is None:
            remedy = "In a chain the rest of a sum is noise, the rest of any function is not; use method='exact'."
            raise _validate.reject("method", "to be 'exact' or 'greedy' with a query", method, remedy)
        return runs(model, made, delta, progress), True
    if method != "greedy":
        return enumerated(model, made, delta, progress), True
    looked: dict[bytes, float] = {}
    return climbed(model.n, lambda i, k: value_of(model, made, i, k, delta, 0.0, looked), progress), False
