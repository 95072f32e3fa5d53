"""Curves that hold against every attacker: the lower hull over all of them, or bounds if they are many."""

from __future__ import annotations

from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated.models.chains import GaussianChain, MarkovData
from dplens.correlated.models.gaussian import GaussianTuples
from dplens.correlated.search.knowledge_sets import knowledge_sets, one_run
from dplens.correlated.views.bounds import best_tests, loss_grid, no_information, upper_polygon, with_mirrors, worst_of
from dplens.correlated.views.pairs import MixturePair
from dplens.curves.base import TradeOff
from dplens.curves.finite.enclosed import BY_BOUND, EnclosedCurve, Ends
from dplens.errors import Undefined
from dplens.mechanisms.additive import Gaussian
from dplens.mechanisms.guarantees import approximate_dp_curve
from dplens.numerics.enclosure import Bounds

EXAMINED = 400  # up to this many knowledge sets a curve examines every attacker by default


def against_all(found: Any) -> TradeOff:
    """The curve for limits and calibration: no attacker on any of the models lies below it."""
    curves = [_against_all(one) for one in found.each or (found,)]
    return curves[0] if len(curves) == 1 else worst_of(curves)


def _against_all(found: Any) -> TradeOff:
    made, gaussian = found.view.release, isinstance(found.model, GaussianTuples)
    if gaussian and found.exhaustive and all(isinstance(m, Gaussian) for m in made.mechanisms):
        return found.view.tradeoff()  # all curves are G_mu, so the worst is the worst everywhere
    if _count(found) <= EXAMINED:
        cases = _cases((found,))
        affordable = {1: 120, 2: 20}.get(len(made.mechanisms), 1) / (3 if gaussian else 1)
        if len(cases) <= affordable:
            try:
                return _hull(cases)
            except Undefined:  # some attacker has only bounds
                pass
    return _bounded(found, made)


def hull_over_all(each: tuple[Any, ...], limit: int) -> TradeOff:
    """The lower hull over all attackers on the models of these ``Worst``."""
    limit, count = _validate.count("limit", limit), sum(map(_count, each))
    if count > limit:
        raise Undefined(
            f"{count} knowledge sets would each need a curve, more than the limit {limit}. Raise it, or use "
            "tradeoff(), which bounds them all, or view.tradeoff(), the curve of the worst attacker alone."
        )
    return _hull(_cases(each))


def _cases(each: tuple[Any, ...]) -> list[Any]:
    """The distinct pairs of laws that attackers compare, or views that have a single pair."""
    out: dict[bytes | int, Any] = {}
    for found in each:
        n = found.model.n
        for i, known in one_run(n) if _is_cut(found) else knowledge_sets(n):
            view = found.view._another(i, known)
            if not view.determined:
                out.update({pair.key: pair for pair in view.pairs} if hasattr(view, "pairs") else {len(out): view})
    return list(out.values())


def _hull(cases: list[Any]) -> TradeOff:
    share = max(min(1.0, 4 / max(len(cases), 1)), 1 / 64)
    curves = [one.curve(share=share) if isinstance(one, MixturePair) else one.tradeoff("add") for one in cases]
    return worst_of(curves) if curves else no_information()


def _is_cut(found: Any) -> bool:
    """Whether known tuples cut a chain, so that the worst attackers leave one run unknown."""
    return isinstance(found.model, (MarkovData, GaussianChain)) and found.query is None


def _count(found: Any) -> int:
    n = found.model.n
    return n * (n + 1) * (n + 2) // 6 if _is_cut(found) else n * 2 ** (n - 1)


def _bounded(found: Any, made: Any) -> TradeOff:
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
