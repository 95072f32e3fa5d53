"""Which search finds the worst attacker on Gaussian tuples, and what it compares."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated.gaussian_chain import GaussianChain, best_runs
from dplens.correlated.gaussian_search import Score, all_sets, climbed
from dplens.correlated.layers import Found
from dplens.correlated.progress import tracked
from dplens.correlated.release import Release
from dplens.errors import Undefined
from dplens.mechanisms.additive import Gaussian, Laplace

_MOST = 24  # tuples of which all knowledge sets are looked at


def gaussian_worst(model: Any, made: Release, method: str, delta: float, progress: Any) -> tuple[Found, bool]:
    """The worst attacker by epsilon(delta), and whether nothing can have been missed."""
    if method in ("chain", "chain_fast"):
        raise _validate.reject("method", "to be 'exact', 'runs' or 'greedy' for Gaussian tuples", method)
    if made.single is None:
        return _one_by_one(model, made, delta, progress)
    score = _score(made.single, delta)
    if score is None:
        return _one_by_one(model, made, delta, progress)
    weights = made.linear[0]
    if method == "runs":
        if not isinstance(model, GaussianChain):
            raise _validate.reject("method", "to be 'runs' for chains only", method, "Use GaussianChain, or 'exact'.")
        return _as_epsilon(best_runs(model, weights, score, progress), made.single, delta), True
    if method == "greedy":
        return _as_epsilon(climbed(_full(model), weights, score, progress), made.single, delta), False
    if model.n > _MOST:
        remedy = "Use method='greedy', or 'runs' for a chain."
        raise _validate.reject("method", f"to be 'greedy' or 'runs' for more than {_MOST} tuples", method, remedy)
    return _as_epsilon(all_sets(_full(model), weights, score, progress), made.single, delta), True


def _full(model: Any) -> Any:
    return model.as_data() if isinstance(model, GaussianChain) else model


def _score(mechanism: Any, delta: float) -> Score | None:
    """What grows with epsilon(delta): the shift (Laplace, delta 0), or mu (Gaussian noise, any delta)."""
    if isinstance(mechanism, Gaussian):
        return lambda shift, rest: shift / np.sqrt(rest + mechanism.sigma**2)
    if isinstance(mechanism, Laplace) and delta == 0:
        return lambda shift, rest: shift / mechanism.scale
    return None


def _as_epsilon(found: Found, mechanism: Any, delta: float) -> Found:
    """Values of the score as epsilons."""
    if not isinstance(mechanism, Gaussian):
        return found

    def epsilon(mu: float) -> float:
        if mu <= 0:
            return 0.0
        return Gaussian(sigma=1.0, sensitivity=mu).tradeoff().epsilon(delta) if delta > 0 else math.inf

    by_known = np.array([epsilon(float(x)) for x in found.by_known])
    return Found(epsilon(found.leakage), found.target, found.known, by_known, found.attackers, found.error)


def _one_by_one(model: Any, made: Release, delta: float, progress: Any) -> tuple[Found, bool]:
    """Any noise: the curve of every attacker."""
    n = model.n
    if n * 2 ** (n - 1) > 500:
        raise Undefined(
            f"{n * 2 ** (n - 1)} attackers would each need a curve of their own for this noise. Use Gaussian noise, "
            "Laplace noise with delta=0, or fewer tuples."
        )
    by_known, best, target, known = np.zeros(n), -1.0, 0, ()
    sets = [
        (i, k) for i in range(n) for r in range(n) for k in itertools.combinations([j for j in range(n) if j != i], r)
    ]
    for i, k in tracked(sets, len(sets), "attackers", progress):
        view = model.view(list(made.mechanisms), target=i, known=k, weights=made.linear)
        value = float(view.leakage()) if delta == 0 else float(view.tradeoff().epsilon(delta))
        by_known[len(k)] = max(by_known[len(k)], value)
        if value > best:
            best, target, known = value, i, k
    return Found(best, target, known, by_known, len(sets), 0.0), True
