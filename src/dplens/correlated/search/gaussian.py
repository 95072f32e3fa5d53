"""The worst attacker on Gaussian tuples: which search finds him, what it compares, and all knowledge sets at once."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.models.gaussian import augmented
from dplens.correlated.models.gaussian_chain import GaussianChain, Score, best_runs
from dplens.correlated.search.knowledge_sets import Found, climbed, knowledge_sets, one_by_one, one_run
from dplens.correlated.views.release import Release
from dplens.errors import Undefined
from dplens.mechanisms.additive import Gaussian, Laplace
from dplens.numerics.progress import tracked

_MOST = 24  # tuples of which all knowledge sets are looked at
_BATCH = 3_000_000  # entries of one stack of matrices
_PRECISE = 14  # tuples up to which they are kept in extended precision, for tuples that nearly determine each other
_QUICK, _CURVES = 50_000, 500  # attackers looked at one by one, where that is a closed form and where it is a curve


def gaussian_worst(model: Any, made: Release, method: str, delta: float, progress: Any) -> tuple[Found, bool]:
    """The worst attacker by epsilon(delta), and whether nothing can have been missed."""
    if method in ("chain", "chain_fast"):
        raise _validate.reject("method", "to be 'exact', 'runs' or 'greedy' for Gaussian tuples", method)
    if method == "runs" and not isinstance(model, GaussianChain):
        raise _validate.reject("method", "to be 'runs' for chains only", method, "Use GaussianChain, or 'exact'.")
    score = None if made.single is None else _score(made.single, delta)
    normal = all(isinstance(m, Gaussian) for m in made.mechanisms)
    if score is None:
        found = _by_view(model, made, method, delta, normal, progress)
    else:
        found = _by_score(model, made.linear[0], method, score, progress)
    return _as_epsilon(found, delta) if normal else found, method != "greedy"


def _by_score(model: Any, weights: Floats, method: str, score: Score, progress: Any) -> Found:
    if method == "runs":
        return best_runs(model, weights, score, progress)
    if method == "greedy":
        data = model.as_data()

        def value(i: int, known: tuple[int, ...]) -> float:
            follows, spread, _ = data.response(weights[None], i, known)
            return float(score(np.abs(follows) * data.widths()[i], np.maximum(spread[0], 0.0))[0])

        return climbed(model.n, value, progress)
    if model.n > _MOST:
        remedy = "Use method='greedy', or 'runs' for a chain."
        raise _validate.reject("method", f"to be 'greedy' or 'runs' for more than {_MOST} tuples", method, remedy)
    return all_sets(model.as_data(), weights, score, progress)


def _score(mechanism: Any, delta: float) -> Score | None:
    """What grows with epsilon(delta): the shift (Laplace, delta 0), or mu (Gaussian noise, any delta)."""
    if isinstance(mechanism, Gaussian):
        return lambda shift, rest: shift / np.maximum(np.hypot(np.sqrt(rest), mechanism.sigma), 1e-300)
    if isinstance(mechanism, Laplace) and delta == 0:
        return lambda shift, rest: shift / mechanism.scale
    return None


def _as_epsilon(found: Found, delta: float) -> Found:
    """Values of mu as epsilons."""

    def epsilon(mu: float) -> float:
        if mu <= 0:
            return 0.0
        return Gaussian(sigma=1.0, sensitivity=mu).tradeoff().epsilon(delta) if delta > 0 else math.inf

    by_known = np.array([epsilon(float(x)) for x in found.by_known])
    return Found(epsilon(found.leakage), found.target, found.known, by_known, found.attackers)


def _by_view(model: Any, made: Release, method: str, delta: float, normal: bool, progress: Any) -> Found:
    """Several releases, or any noise: the view of every attacker, of every run, or of those on a climb."""
    n = model.n
    quick = normal or (delta == 0 and all(isinstance(m, Laplace) for m in made.mechanisms))

    def value(i: int, known: tuple[int, ...], _: float = 0.0) -> float:
        view = model.view(list(made.mechanisms), target=i, known=known, weights=made.linear)
        if normal:  # epsilon(delta) grows with mu
            return float(view.tradeoff().mu())
        return float(view.leakage()) if delta == 0 else float(view.tradeoff().epsilon(delta))

    if method == "greedy":
        return climbed(n, value, progress)
    count = n * (n + 1) * (n + 2) // 6 if method == "runs" else n * 2 ** (n - 1)
    if count > (_QUICK if quick else _CURVES):
        raise Undefined(
            f"{count} attackers would each need a view of their own for these releases. Use method='greedy', a single "
            "release with Gaussian noise or with Laplace noise and delta=0, or fewer tuples."
        )
    return one_by_one(n, one_run(n) if method == "runs" else knowledge_sets(n), count, value, progress)


def swept(stack: Floats, at: int) -> Floats:
    """Covariances given one more tuple, for a stack (sets, n + 1, n + 1); its own row becomes 0."""
    pivot = stack[:, at, at]
    safe = np.where(pivot > 0, pivot, 1.0)
    return stack - stack[:, :, at, None] * (stack[:, None, at, :] / safe[:, None, None])


def added(stack: Floats, at: int, weight: float) -> Floats:
    """The same with an unknown tuple put into the sum, which is entry 0."""
    out = stack.copy()
    out[:, 0, :] += weight * out[:, at, :]
    out[:, :, 0] += weight * out[:, :, at]
    return out


def all_sets(model: Any, weights: Floats, score: Score, progress: bool | None) -> Found:
    """All targets and knowledge sets of one linear query.

    A sweep takes O(n²) for each set and gives, for every target outside it, Cov(S, x_i | x_K) and Var(x_i | x_K). The
    first tuples are run through one by one, the last ones in one stack of matrices. Only unknown tuples are put into
    the sum: known ones, large as they may be, leave no rounding behind.
    """
    n = model.n
    start = augmented(model.covariance, 0 * weights[None])[None].astype(np.longdouble if n <= _PRECISE else float)
    inner = n
    while inner > 0 and 2**inner * (n + 1) ** 2 > _BATCH:
        inner -= 1
    outer = n - inner
    subsets = list(itertools.product((False, True), repeat=outer))
    bits = (np.arange(2**inner)[:, None] >> np.arange(inner)) & 1
    by_known = np.zeros(n)
    best, target, known, attackers = -1.0, 0, (), 0
    widths = model.widths()
    cache: list[tuple[tuple[bool, ...], Floats]] = [((), start)]
    for status in tracked(subsets, len(subsets), "attackers", progress):
        # matrices of shared prefixes are kept: neighbours in this order differ in their last decisions only
        while cache[-1][0] != status[: len(cache[-1][0])]:
            cache.pop()
        for j in range(len(cache[-1][0]), outer):
            last = cache[-1][1]
            cache.append((status[: j + 1], swept(last, j + 1) if status[j] else added(last, j + 1, float(weights[j]))))
        stack = cache[-1][1]
        for j in range(inner):
            at = outer + j + 1
            stack = np.concatenate([added(stack, at, float(weights[outer + j])), swept(stack, at)])
        is_known = np.concatenate(
            [np.broadcast_to(np.array(status, bool), (len(bits), outer)), bits.astype(bool)], axis=1
        )
        variance = np.einsum("kii->ki", stack)[:, 1:]
        together = stack[:, 0, 1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            follows = np.where(is_known | (variance <= 0), 0.0, together / variance)
        rest = np.maximum(stack[:, 0, 0, None] - follows * together, 0.0)
        value = np.where(is_known, -1.0, score(np.abs(follows) * widths, rest))
        counts = is_known.sum(axis=1)
        np.maximum.at(by_known, counts[counts < n], value.max(axis=1)[counts < n])
        attackers += int((~is_known).sum())
        top = int(np.argmax(value))
        if value.flat[top] > best:
            row, target = divmod(top, n)
            best, known = float(value.flat[top]), tuple(np.flatnonzero(is_known[row]).tolist())
    return Found(best, int(target), known, by_known, attackers)
