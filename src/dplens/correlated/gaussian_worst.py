"""Which search finds the worst attacker on Gaussian tuples, and what it compares."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated.gaussian_chain import GaussianChain, best_runs
from dplens.correlated.gaussian_search import Score, all_sets, climbed
from dplens.correlated.layers import Found
from dplens.correlated.progress import tracked
from dplens.correlated.release import Release
from dplens.correlated.subsets import knowledge_sets
from dplens.errors import Undefined
from dplens.mechanisms.additive import Gaussian, Laplace

_MOST = 24  # tuples of which all knowledge sets are looked at
_QUICK, _CURVES = 50_000, 500  # attackers looked at one by one, where that is a closed form and where it is a curve


def gaussian_worst(model: Any, made: Release, method: str, delta: float, progress: Any) -> tuple[Found, bool]:
    """The worst attacker by epsilon(delta), and whether nothing can have been missed."""
    if method in ("chain", "chain_fast"):
        raise _validate.reject("method", "to be 'exact', 'runs' or 'greedy' for Gaussian tuples", method)
    if method == "runs" and not isinstance(model, GaussianChain):
        raise _validate.reject("method", "to be 'runs' for chains only", method, "Use GaussianChain, or 'exact'.")
    score = None if made.single is None else _score(made.single, delta)
    if made.single is None or score is None:
        return _one_by_one(model, made, method, delta, progress)
    weights = made.linear[0]
    if method == "runs":
        return _as_epsilon(best_runs(model, weights, score, progress), made.single, delta), True
    if method == "greedy":
        data = model.as_data()

        def value(i: int, known: tuple[int, ...]) -> float:
            follows, spread, _ = data.response(weights[None], i, known)
            return float(score(np.abs(follows) * data.widths()[i], np.maximum(spread[0], 0.0))[0])

        return _as_epsilon(climbed(model.n, value, progress), made.single, delta), False
    if model.n > _MOST:
        remedy = "Use method='greedy', or 'runs' for a chain."
        raise _validate.reject("method", f"to be 'greedy' or 'runs' for more than {_MOST} tuples", method, remedy)
    return _as_epsilon(all_sets(model.as_data(), weights, score, progress), made.single, delta), True


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


def _one_by_one(model: Any, made: Release, method: str, delta: float, progress: Any) -> tuple[Found, bool]:
    """Several releases, or any noise: the view of every attacker, of every run, or of those on a climb."""
    n = model.n
    normal = all(isinstance(m, Gaussian) for m in made.mechanisms)
    quick = normal or (delta == 0 and all(isinstance(m, Laplace) for m in made.mechanisms))

    def value(i: int, known: tuple[int, ...]) -> float:
        view = model.view(list(made.mechanisms), target=i, known=known, weights=made.linear)
        if normal:  # epsilon(delta) grows with mu
            return float(view.tradeoff().mu())
        return float(view.leakage()) if delta == 0 else float(view.tradeoff().epsilon(delta))

    if method == "greedy":
        return _as_epsilon(climbed(n, value, progress), made.mechanisms[0] if normal else None, delta), False
    count = n * (n + 1) * (n + 2) // 6 if method == "runs" else n * 2 ** (n - 1)
    if count > (_QUICK if quick else _CURVES):
        raise Undefined(
            f"{count} attackers would each need a view of their own for these releases. Use method='greedy', a single "
            "release with Gaussian noise or with Laplace noise and delta=0, or fewer tuples."
        )
    by_known, best, target, known = np.zeros(n), -1.0, 0, ()
    sets = one_run(n) if method == "runs" else knowledge_sets(n)
    for i, k in tracked(sets, count, "attackers", progress):
        found = value(i, k)
        by_known[len(k)] = max(by_known[len(k)], found)
        if found > best:
            best, target, known = found, i, k
    found = Found(best, target, known, by_known, count, 0.0)
    return _as_epsilon(found, made.mechanisms[0] if normal else None, delta), True


def one_run(n: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Everything known but one run around the target."""
    for i in range(n):
        for a, b in itertools.product(range(i + 1), range(i, n)):
            yield i, tuple(j for j in range(n) if not a <= j <= b)
