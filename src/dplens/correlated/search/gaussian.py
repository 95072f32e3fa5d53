"""The worst attacker on Gaussian tuples: all knowledge sets by sweeps, all runs of a chain, or views one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.models.chains import GaussianChain
from dplens.correlated.models.gaussian import augmented
from dplens.correlated.search.knowledge_sets import Found, attackers, climbed, one_by_one
from dplens.correlated.views.queries import NoisyQueries
from dplens.errors import Undefined
from dplens.mechanisms.additive import Gaussian, Laplace
from dplens.numerics.progress import tracked

Score = Callable[[Floats, Floats], Floats]  # of the shift and the variance of the rest; grows with epsilon(delta)


def gaussian_worst(model: Any, made: NoisyQueries, method: str, delta: float, progress: Any) -> tuple[Found, bool]:
    """The worst attacker by epsilon(delta), and whether the search is exhaustive."""
    if method in ("chain", "chain_fast"):
        raise _validate.reject("method", "to be 'exact', 'runs' or 'greedy' for Gaussian tuples", method)
    if method == "runs" and not isinstance(model, GaussianChain):
        raise _validate.reject("method", "to be 'runs' for chains only", method, "Use GaussianChain, or 'exact'.")
    normal = all(isinstance(m, Gaussian) for m in made.mechanisms)
    score = None if made.single is None else _score(made.single, delta)
    n = model.n

    def value(i: int, known: tuple[int, ...], _: float = 0.0) -> float:
        if score is not None:
            response, rest, _ = model.as_data().response(made.linear, i, known)
            return float(score(np.abs(response) * model.width[i], np.maximum(rest[0], 0.0))[0])
        view = model.view(list(made.mechanisms), target=i, known=known, weights=made.linear)
        if normal:  # epsilon(delta) grows with mu
            return float(view.tradeoff().mu())
        return float(view.leakage()) if delta == 0 else float(view.tradeoff().epsilon(delta))

    if method == "greedy":
        found = climbed(n, value, progress)
    elif score is not None:
        found = (best_runs if method == "runs" else all_sets)(model, made.linear[0], score, progress)
    else:
        _, count = attackers(n, method == "runs")
        closed_form = normal or (delta == 0 and all(isinstance(m, Laplace) for m in made.mechanisms))
        if count > (50_000 if closed_form else 500):
            raise Undefined(
                f"{count} attackers would each need a view of their own for these releases. Use method='greedy', a "
                "single release with Gaussian noise or with Laplace noise and delta=0, or fewer tuples."
            )
        found = one_by_one(n, method == "runs", value, progress)
    if normal:  # attackers were compared by mu
        found.leakage = _epsilon(found.leakage, delta)
        found.by_known = np.array([_epsilon(float(mu), delta) for mu in found.by_known])
    return found, method != "greedy"


def _epsilon(mu: float, delta: float) -> float:
    if mu <= 0:
        return 0.0
    return Gaussian(sigma=1.0, sensitivity=mu).tradeoff().epsilon(delta) if delta > 0 else math.inf


def _score(mechanism: Any, delta: float) -> Score | None:
    """mu for Gaussian noise, the leakage for Laplace noise at delta 0."""
    if isinstance(mechanism, Gaussian):
        return lambda shift, rest: shift / np.maximum(np.hypot(np.sqrt(rest), mechanism.sigma), 1e-300)
    if isinstance(mechanism, Laplace) and delta == 0:
        return lambda shift, rest: shift / mechanism.scale
    return None


# ---- all knowledge sets ---------------------------------------------------------------------------------------------


def swept(stack: Floats, at: int) -> Floats:
    """Covariances (sets, n + 1, n + 1) given one more tuple; its own row becomes 0."""
    pivot = stack[:, at, at]
    safe = np.where(pivot > 0, pivot, 1.0)
    return stack - stack[:, :, at, None] * (stack[:, None, at, :] / safe[:, None, None])


def summed(stack: Floats, at: int, weight: float) -> Floats:
    """The covariances with one more unknown tuple in the sum, which is entry 0."""
    out = stack.copy()
    out[:, 0, :] += weight * out[:, at, :]
    out[:, :, 0] += weight * out[:, :, at]
    return out


def all_sets(model: Any, weights: Floats, score: Score, progress: bool | None) -> Found:
    """All targets and knowledge sets of one linear query.

    A sweep takes O(n²) for each set and gives, for every target outside it, Cov(S, x_i | x_K) and Var(x_i | x_K). The
    first tuples are decided one after the other, the last ones in one stack of matrices. Only unknown tuples enter the
    sum, so large known ones leave no rounding behind.
    """
    n, batch, most = model.n, 3_000_000, 24  # entries of a stack; tuples
    if n > most:
        remedy = "Use method='greedy', or 'runs' for a chain."
        raise _validate.reject("method", f"to be 'greedy' or 'runs' for more than {most} tuples", "exact", remedy)
    # extended precision is affordable for few tuples, and helps if they nearly determine each other
    start = augmented(model.as_data().covariance, 0 * weights[None])[None].astype(np.longdouble if n <= 14 else float)
    inner = n
    while inner > 0 and 2**inner * (n + 1) ** 2 > batch:
        inner -= 1
    outer, widths = n - inner, model.width

    def decided(stack: Floats, known: tuple[bool, ...]) -> Iterator[tuple[Floats, tuple[bool, ...]]]:
        j = len(known)
        if j == outer:
            yield stack, known
        else:
            yield from decided(summed(stack, j + 1, float(weights[j])), (*known, False))
            yield from decided(swept(stack, j + 1), (*known, True))

    bits = ((np.arange(2**inner)[:, None] >> np.arange(inner)) & 1).astype(bool)
    found = Found(np.zeros(n))
    for stack, first in tracked(decided(start, ()), 2**outer, "attackers", progress):
        for j in range(outer, n):
            stack = np.concatenate([summed(stack, j + 1, float(weights[j])), swept(stack, j + 1)])
        is_known = np.concatenate([np.tile(np.array(first, bool), (len(bits), 1)), bits], axis=1)
        variance, with_sum = np.einsum("kii->ki", stack)[:, 1:], stack[:, 0, 1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            response = np.where(is_known | (variance <= 0), 0.0, with_sum / variance)
        rest = np.maximum(stack[:, 0, 0, None] - response * with_sum, 0.0)
        rows, targets = np.nonzero(~is_known)
        if len(rows):
            top = found.add(score(np.abs(response) * widths, rest)[rows, targets], is_known.sum(axis=1)[rows])
            if top is not None:
                found.target, found.known = int(targets[top]), tuple(np.flatnonzero(is_known[rows[top]]).tolist())
    return found


# ---- all runs of a chain --------------------------------------------------------------------------------------------


def best_runs(chain: GaussianChain, weights: Floats, score: Score, progress: bool | None) -> Found:
    """The worst attacker among those who know everything except one run around the target; no other is worse.

    A known tuple cuts the chain, and unknown tuples beyond the cuts only add noise. Given the target, the parts of the
    run to its left and right are independent. Each adds its share to the response g and to the variance of the rest, so
    every run is a sum of one left and one right part (``docs/decisions/0008-correlated-records.md``).
    """
    n, rho, sds = chain.n, chain.correlations, chain.sds
    found = Found(np.zeros(n), margin=1e-13)
    left, right = _sides(rho, sds, weights), _sides(rho[::-1], sds[::-1], weights[::-1])
    for i in tracked(range(n), n, "targets", progress):
        (lg, lv), (rg, rv) = (x[i, : i + 1] for x in left), (x[n - 1 - i, : n - i] for x in right)
        shift = np.abs(weights[i] + np.add.outer(lg, rg)) * chain.width[i]
        value = score(shift, np.add.outer(lv, rv))  # [l, r]: l tuples unknown on the left, r on the right

        top = found.add(value, n - 1 - np.add.outer(np.arange(len(lg)), np.arange(len(rg))))
        if top is not None:
            a, b = divmod(top, len(rg))
            found.target, found.known = i, (*range(i - a), *range(i + b + 1, n))
    return found


def _sides(rho: Floats, sds: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Response and variance of the l tuples before each target, if the tuple before those is known; zero from there on.

    With unit variances, tuples i − l … i − 1 given x_i and x_{i−l−1} form a bridge: its sum is the free sum of the
    tuples up to there, conditioned on one more tuple. z_k = x_{i−k}/sd counts backwards. Row i, column l.
    """
    n, scales = len(sds), weights * sds  # weights of the z in the sum
    response, variance = np.zeros((n, n)), np.zeros((n, n))
    # for targets k … n − 1: correlation of z_k with z_0, and S_k = Σ_{1 ≤ m ≤ k} scale_m z_m given z_0, with its slope,
    # variance, and covariance with z_k
    r, slope, var, cov = np.ones(n), np.zeros(n), np.zeros(n), np.zeros(n)
    for k in range(1, n):
        r, slope, var, cov = r[1:], slope[1:], var[1:], cov[1:]
        back, scale, sd = rho[: n - k], scales[: n - k], sds[k:]
        with_next = back * cov  # covariance of S_{k−1} with z_k given z_0
        r = r * back
        own = 1 - r**2  # variance of z_k given z_0
        gain = with_next / own  # with z_k known, the response of S_{k−1} to z_0 loses the indirect path
        response[k:, k - 1] = (slope - gain * r) / sd
        variance[k:, k - 1] = np.maximum(var - gain * with_next, 0.0)
        slope = slope + scale * r
        var = var + (2 * scale * with_next + scale**2 * own)
        cov = with_next + scale * own
        response[k, k], variance[k, k] = slope[0] / sd[0], max(var[0], 0.0)  # all of them unknown
    return response, variance
