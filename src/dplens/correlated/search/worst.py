"""The worst attacker over all targets, all knowledge sets, and all models that are considered possible."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated.models.chains import GaussianChain, MarkovData
from dplens.correlated.models.discrete import Model, Tuples
from dplens.correlated.models.gaussian import GaussianTuples
from dplens.correlated.search.knowledge_sets import Found, attackers, climbed
from dplens.correlated.views.base import View
from dplens.correlated.views.bounds import best_tests, loss_grid, no_information, upper_polygon, with_mirrors, worst_of
from dplens.correlated.views.discrete import DiscreteView
from dplens.correlated.views.pairs import MixturePair
from dplens.correlated.views.queries import NoisyQueries, release
from dplens.curves.base import TradeOff
from dplens.curves.finite.enclosed import BY_BOUND, EnclosedCurve, Ends
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.additive import Gaussian, Geometric, Laplace
from dplens.mechanisms.base import DIRECTIONS
from dplens.mechanisms.guarantees import approximate_dp_curve
from dplens.numerics.enclosure import Bounds
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import Result
from dplens.risk.conversions import Epsilon

EXAMINED = 400  # up to this many knowledge sets a curve examines every attacker by default
METHODS = ("exact", "chain", "chain_fast", "runs", "greedy")


@dataclass(frozen=True, kw_only=True, eq=False)
class Worst(Result, Shared):
    """The worst attacker found, and bounds for all others.

    leakage: the attacker's leakage, with its rounding error. target, known: the attacker's target and known tuples.
    epsilon: epsilon(delta), by which attackers were compared (the leakage if delta is 0). method: the search used;
    ``exhaustive``: whether no other attacker can be worse. bound: an upper bound on epsilon(delta) of every attacker:
    from the search if it is exhaustive, else Li's Equation 16 for discrete tuples and :func:`most_response` for
    Gaussian ones. by_known: the largest epsilon(delta) by number of known tuples, 0 … n − 1 (Li's Figure 4); with
    ``"runs"``, over all attackers who know at least that many; if the search is not exhaustive, over the attackers
    compared (0 if there are none). attackers: how many were compared. chain_value, chain_error: the value of Li's chain
    rule, if that was the method, and its difference from the exact leakage (negative: it understates); None if too
    expensive. view: this attacker, who accepts every question. model: the model attacked; ``model_index`` is its
    index if there are several, and ``each`` holds the worst attacker on each of them.
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
    model_index: int = 0
    chain_value: float | None = None
    chain_error: float | None = None
    each: tuple[Worst, ...] = field(repr=False, default=())

    model = property(attrgetter("view.model"), doc="The model of this attacker.")
    mechanism = property(attrgetter("view.mechanism"), doc="The mechanism, or the list of them.")
    weights = property(attrgetter("view.weights"), doc="The weights of the linear query, if given.")
    query = property(attrgetter("view.query"), doc="The query, if it is a function.")

    def tradeoff(self, direction: str = "both") -> TradeOff:
        """A curve that holds against every attacker, for questions and for calibration.

        The curve of the worst attacker alone is ``view.tradeoff()``. That attacker is the worst at epsilon(delta);
        elsewhere on the curve others may be worse. So this is :meth:`everyone` if attackers are few, else a bracket:
        risk is bounded above by ``bound`` and the model, below by the worst attacker. direction: has no effect.
        """
        _validate.one_of("direction", direction, DIRECTIONS)
        return self._against_all

    @cached_property
    def _against_all(self) -> TradeOff:
        curves = [_curve_against_all(one) for one in self.each or (self,)]
        return curves[0] if len(curves) == 1 else worst_of(curves)

    def everyone(self, limit: int = 4000) -> TradeOff:
        """The lower hull over every attacker on every model: exact where :meth:`tradeoff` may be a bound, but slower.

        Up to ``limit`` knowledge sets; in chains only those that leave one run unknown count, as no other is worse.
        """
        each, limit = self.each or (self,), _validate.count("limit", limit)
        count = sum(one._count() for one in each)
        if count > limit:
            raise Undefined(
                f"{count} knowledge sets would each need a curve, more than the limit {limit}. Raise it, or use "
                "tradeoff(), which bounds them all, or view.tradeoff(), the curve of the worst attacker alone."
            )
        return _hull(_cases(each))

    def _count(self) -> int:
        """The number of knowledge sets, or in a chain of those that leave one run unknown."""
        return attackers(self.model.n, _is_cut(self.model, self.query))[1]

    @property
    def sentence(self) -> str:
        """The result in plain words."""
        what = "leakage" if self.delta == 0 else f"epsilon at delta {self.delta:g}"
        sure = f"no attacker has a larger {what}"
        if not self.exhaustive:
            sure = f"others may have a larger {what}, up to {self.bound:.4g} at most"
        elif self.epsilon.high > self.epsilon.low + 1e-3 * (1 + self.epsilon.low):
            sure = f"no attacker has an epsilon above {self.bound:.4g} at delta {self.delta:g}"
        who = self.view.sentence
        text = f"{who} Of {self.attackers} attackers compared, this one is the worst; {sure}."
        if self.chain_value is not None:
            text += f" The published chain rule says {self.chain_value:.4g}, which is not a bound."
        return text

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain values, for a table or a picture."""
        numbers = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("view", "each")}
        by_known = [{"known": k, "epsilon": e} for k, e in enumerate(self.by_known)]
        plain = {"leakage": float(self.leakage), "epsilon": float(self.epsilon)}
        return {**numbers, **plain, "known": list(self.known), "by_known": by_known}


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
    """Find the worst attacker on a model, or on any of a list of models (Li's Theta, the set of possible laws).

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
        if not isinstance(model, Model):
            remedy = "Pass for instance dplens.DiscreteData(joint=[[.3, .2], [.2, .3]])."
            raise _validate.reject_type(f"models[{i}]" if many else "models", "to be a data model", model, remedy)
    if delta is not None:
        delta = _validate.real("delta", delta, "in [0, 1)", lambda x: 0 <= x < 1)
    progress = None if progress is None else _validate.flag("progress", progress)

    def searched(at: float | None) -> list[Worst]:
        return [_one(m, i, mechanism, method, weights, query, at, progress) for i, m in enumerate(given)]

    found = searched(delta)
    if len({f.delta for f in found}) > 1:  # the leakage is infinite on some models: compare all at one delta
        found = searched(max(f.delta for f in found))
    best = max(found, key=lambda f: f.epsilon)
    if len(found) == 1:
        return best
    by_known = tuple(map(max, itertools.zip_longest(*(f.by_known for f in found), fillvalue=0.0)))
    total, exhaustive = sum(f.attackers for f in found), all(f.exhaustive for f in found)
    bound = max(f.bound for f in found)
    return replace(best, bound=bound, by_known=by_known, attackers=total, exhaustive=exhaustive, each=tuple(found))


def _one(
    model: Any,
    index: int,
    mechanism: Any,
    method: str | None,
    weights: Any,
    query: Any,
    delta: float | None,
    progress: Any,
) -> Worst:
    made = release(mechanism, model.n, weights, query)
    if method is None:
        method = "runs" if _is_cut(model, query) else "exact"
    at = delta if delta is not None else (1e-5 if _unbounded(made) else 0.0)
    chain_value = chain_error = None
    if method in ("chain", "chain_fast"):
        found, chain_value, chain_error = _chain(model, made, method, progress)
        exhaustive = False
    else:
        found, exhaustive = _searched(model, made, method, at, progress)
    options = {"weights": weights} if query is None else {"query": query}
    view = model.view(mechanism, target=found.target, known=found.known, **options)
    leakage = view.leakage()
    epsilon = leakage if at == 0 else _epsilon(view, at, found.leakage if exhaustive else 0.0)
    bound = float(epsilon) if exhaustive else max(model.bound(made, at), epsilon.low)
    if bound < epsilon:  # the attacker's own enclosure is wider
        epsilon = Estimate(bound, low=epsilon.low, high=bound, certificate=lambda: view.tradeoff().certificate)
    by_known = found.by_known
    if method == "runs":  # an attacker who leaves several runs unknown leaks no more than one who knows the others
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
        model_index=index,
        chain_value=chain_value,
        chain_error=chain_error,
    )


def _is_cut(model: Any, query: Any) -> bool:
    """Whether known tuples cut a chain, so that the worst attackers leave one run unknown."""
    return isinstance(model, (MarkovData, GaussianChain)) and query is None


def _unbounded(made: NoisyQueries) -> bool:
    """Whether the noise has unbounded leakage about a tuple that moves the query."""
    used = [m for i, m in enumerate(made.mechanisms) if made.weights is None or made.weights[i].any()]
    used = [m for m in used if not isinstance(m, (Laplace, Geometric))]
    return any(hasattr(m, "sigma") or not math.isfinite(m.tradeoff().epsilon(0.0)) for m in used)


def _epsilon(view: View, delta: float, searched: float) -> Estimate:
    """epsilon(delta) of this attacker; its upper end is at least that of the search over all of them."""
    found = Epsilon(delta=delta).of(view)
    high = max(found.high, searched)
    return Estimate(high, low=found.low, high=high, certificate=lambda: view.tradeoff().certificate)


def _chain(model: Any, made: NoisyQueries, method: str, progress: Any) -> tuple[Found, float, float | None]:
    if not isinstance(model, Tuples) or made.single is None or not isinstance(made.single, Laplace):
        raise Undefined("Li's chain rule is for discrete data, one linear query and Laplace noise. Use method='exact'.")
    from dplens.correlated.models.graph import KnowledgeGraph

    fast = method == "chain_fast"
    graph = KnowledgeGraph.of(model, made.single, weights=made.linear[0], fast=fast, progress=progress)
    value, target, known = graph.worst
    found = Found(np.array(graph.by_known), value, target, known, graph.count)
    if model.n > 12:
        return found, value, None
    return found, value, value - _searched(model, made, "exact", 0.0, progress)[0].leakage


def _searched(model: Any, made: NoisyQueries, method: str, delta: float, progress: Any) -> tuple[Found, bool]:
    """The search, and whether it is exhaustive."""
    if isinstance(model, GaussianTuples):
        from dplens.correlated.search.gaussian import gaussian_worst

        return gaussian_worst(model, made, method, delta, progress)
    from dplens.correlated.search.discrete import attacker_epsilon, enumerated, runs

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
    seen: dict[bytes, float] = {}
    return climbed(model.n, lambda i, k: attacker_epsilon(model, made, i, k, delta, 0.0, seen), progress), False


# ---- curves that hold against every attacker: the lower hull over all of them, or bounds if they are many ----------


def _curve_against_all(found: Worst) -> TradeOff:
    made, gaussian = found.view.release, isinstance(found.model, GaussianTuples)
    if gaussian and found.exhaustive and all(isinstance(m, Gaussian) for m in made.mechanisms):
        return found.view.tradeoff()  # all curves are G_mu, so the worst is the worst everywhere
    if found._count() <= EXAMINED:
        cases = _cases((found,))
        affordable = {1: 120, 2: 20}.get(len(made.mechanisms), 1) / (3 if gaussian else 1)
        if len(cases) <= affordable:
            try:
                return _hull(cases)
            except Undefined:  # some attacker has only bounds
                pass
    return _bounded(found, made)


def _cases(each: Sequence[Worst]) -> list[Any]:
    """The distinct pairs of laws that attackers compare, or views that have a single pair."""
    out: dict[bytes | int, Any] = {}
    for found in each:
        options = {"weights": found.weights} if found.query is None else {"query": found.query}
        for i, known in attackers(found.model.n, _is_cut(found.model, found.query))[0]:
            view = found.model.view(found.mechanism, target=i, known=known, **options)
            if not view.determined:
                out.update(
                    {pair.key: pair for pair in view.pairs} if isinstance(view, DiscreteView) else {len(out): view}
                )
    return list(out.values())


def _hull(cases: list[Any]) -> TradeOff:
    share = max(min(1.0, 4 / max(len(cases), 1)), 1 / 64)
    curves = [one.curve(share=share) if isinstance(one, MixturePair) else one.tradeoff("add") for one in cases]
    return worst_of(curves) if curves else no_information()


def _bounded(found: Worst, made: NoisyQueries) -> TradeOff:
    """Upper bound on risk: the search (epsilon at delta) and the model. Lower bound: the worst attacker found."""
    raised = 1 + 1e-12
    above, own = [approximate_dp_curve(found.bound * raised, found.delta)], found.view.tradeoff()
    above += found.model.bounds(made)
    top = min(float(c.epsilon_bounds(np.zeros(1)).hi[0]) for c in above)  # infinite if there is mass at infinity
    if top <= 0:
        return no_information()
    grid = loss_grid([*above, own], top)
    grid = grid[grid <= top * raised]
    # the profile of every attacker is convex and below all of these, so it is below the lower hull of their minimum
    risky = upper_polygon(grid, np.min([c.profile_bounds(grid).hi for c in above], axis=0))
    both = with_mirrors([own])
    least, most = Ends.worst(both), min(c.infinity_mass().hi for c in above)
    ends = Ends((min(least.top[0], top), top), Bounds(min(least.mass.lo, most), most))
    return EnclosedCurve(risky, best_tests(both, grid), (), BY_BOUND, (ends, ends))
