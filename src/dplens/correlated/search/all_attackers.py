"""What holds against every attacker at once: the hull over all of them, or what bounds them where they are many."""

from __future__ import annotations

from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated.models.gaussian import GaussianTuples
from dplens.correlated.models.gaussian_chain import GaussianChain
from dplens.correlated.models.markov import MarkovData
from dplens.correlated.search.bounds import nothing
from dplens.correlated.search.envelope import chords, coins, knots, worst_of
from dplens.correlated.search.knowledge_sets import knowledge_sets, one_run
from dplens.correlated.views.pairs import Pair
from dplens.correlated.views.release import release
from dplens.curves.base import TradeOff
from dplens.curves.finite.enclosed import BY_BOUND, EnclosedCurve, Ends
from dplens.errors import Undefined
from dplens.mechanisms.additive import Gaussian
from dplens.mechanisms.guarantees import approximate_dp_curve
from dplens.numerics.enclosure import Bounds

_SETS = 400  # knowledge sets that are looked through without being asked to
_CURVES = {1: 120, 2: 20}  # and different pairs of laws that are then compared by curves, by the number of releases
_ROUNDING = 1e-12


def against_all(found: Any) -> TradeOff:
    """The curve by which limits are judged and noise is calibrated: no attacker on any of the models is below it."""
    curves = [_against_all(one) for one in found.each or (found,)]
    return curves[0] if len(curves) == 1 else worst_of(curves)


def _against_all(found: Any) -> TradeOff:
    made = release(found.mechanism, found.model.n, found.weights, found.query)
    normal = isinstance(found.model, GaussianTuples) and all(isinstance(m, Gaussian) for m in made.mechanisms)
    if normal and found.exhaustive:  # all curves are G_mu: who is worst anywhere is worst everywhere
        return found.view.tradeoff()
    if _count(found) <= _SETS:
        pairs = _pairs((found,))
        dear = 3 if isinstance(found.model, GaussianTuples) else 1  # curves of noise that is worked out first
        if dear * len(pairs) <= _CURVES.get(len(made.mechanisms), 1):
            try:
                return _hull(pairs)
            except Undefined:  # of some attacker nothing but bounds is known
                pass
    return _bounded(found, made)


def everyone(each: tuple[Any, ...], limit: int) -> TradeOff:
    """The hull over all attackers on the models of these ``Worst``."""
    limit, count = _validate.count("limit", limit), sum(map(_count, each))
    if count > limit:
        raise Undefined(
            f"{count} knowledge sets would each need a curve, more than the limit {limit}. Raise it, or use "
            "tradeoff(), which bounds them all, or view.tradeoff(), the curve of the worst attacker alone."
        )
    return _hull(_pairs(each))


def _pairs(each: tuple[Any, ...]) -> list[Any]:
    """What all attackers compare, once each: pairs of laws, or views that have a single one."""
    out: dict[bytes | int, Any] = {}
    for found in each:
        more = {} if found.query is None else {"query": found.query}
        for i, k in one_run(found.model.n) if _cut(found) else knowledge_sets(found.model.n):
            view = found.model.view(found.mechanism, target=i, known=k, weights=found.weights, **more)
            if not view.determined:
                out.update({pair.key: pair for pair in view.pairs} if hasattr(view, "pairs") else {len(out): view})
    return list(out.values())


def _hull(pairs: list[Any]) -> TradeOff:
    share = max(min(1.0, 4 / max(len(pairs), 1)), 1 / 64)
    curves = [one.curve(share=share) if isinstance(one, Pair) else one.tradeoff("add") for one in pairs]
    return worst_of(curves) if curves else nothing()


def _cut(found: Any) -> bool:
    """Whether what is known cuts a chain, so that no one is worse anywhere than who leaves one run unknown."""
    return isinstance(found.model, (MarkovData, GaussianChain)) and found.query is None


def _count(found: Any) -> int:
    n = found.model.n
    return n * (n + 1) * (n + 2) // 6 if _cut(found) else n * 2 ** (n - 1)


def _bounded(found: Any, made: Any) -> TradeOff:
    """Risky: the best of what the search (epsilon at delta) and the model prove of all. Mild: the worst found."""
    proved = approximate_dp_curve(found.bound * (1 + _ROUNDING), found.delta)
    above, own = [proved, *found.model.bounds(made)], found.view.tradeoff()
    top = min(float(c.epsilon_bounds(np.zeros(1)).hi[0]) for c in above)  # infinite where there are proofs
    if top <= 0:
        return nothing()
    grid = knots([*above, own], [c._max_loss() for c in above], top)
    grid = grid[grid <= top * (1 + _ROUNDING)]
    # a convex function below all of them is below the lower hull of their least
    risky = chords(grid, np.min([c.profile_bounds(grid).hi for c in above], axis=0))
    both = [own] if own.inverse() is own else [own, own.inverse()]
    least, most = Ends.worst(both), min(c.infinity_mass().hi for c in above)
    ends = Ends((min(least.top[0], top), top), Bounds(min(least.mass.lo, most), most))
    return EnclosedCurve(risky, coins(both, grid), (), BY_BOUND, (ends, ends))
