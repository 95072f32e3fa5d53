"""Every knowledge set of jointly Gaussian tuples: conditioning on one tuple after the other, many sets at once."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.correlated.gaussian import augmented
from dplens.correlated.layers import Found
from dplens.correlated.progress import tracked

Score = Callable[[Floats, Floats], Floats]  # from shift and variance of the rest to what is compared

_BATCH = 3_000_000  # entries of one stack of matrices
_PRECISE = 14  # tuples up to which they are kept in extended precision, for tuples that nearly determine each other


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
    return Found(best, int(target), known, by_known, attackers, 0.0)


def climbed(n: int, value: Callable[[int, tuple[int, ...]], float], progress: bool | None) -> Found:
    """A climb for every target: from the strongest and the weakest attacker, one tuple at a time. Not exhaustive."""
    by_known = np.zeros(n)
    best, target, known, attackers = -1.0, 0, (), 0

    def value_of(i: int, inside: frozenset[int]) -> float:
        found = value(i, tuple(sorted(inside)))
        by_known[len(inside)] = max(by_known[len(inside)], found)
        return found

    for i in tracked(range(n), n, "targets", progress):
        others = frozenset(range(n)) - {i}
        for begin in (others, frozenset()):
            here, now = begin, value_of(i, begin)
            attackers += 1
            while True:
                near = [here ^ {j} for j in others]
                values = [value_of(i, k) for k in near]
                attackers += len(near)
                if not values or max(values) <= now * (1 + 1e-12):
                    break
                here, now = near[int(np.argmax(values))], max(values)
            if now > best:
                best, target, known = now, i, tuple(sorted(here))
    return Found(best, target, known, by_known, attackers, 0.0)
