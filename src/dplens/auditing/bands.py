"""A one-sided band for a distribution that holds at every threshold at once, narrow in the tails.

Let V₁ ≤ … ≤ Vₙ be n ordered uniform numbers. The band is a sequence c_k with P(V_k ≥ c_k for all k) ≥ 1 − error.
With it, a count of k scores at or above a threshold proves that the chance of such a score is at least c_k, whatever
the law of the scores, whatever the threshold and however it was chosen: a score at or above t is a V at or below that
chance, so ties only make the count larger. An upper bound is 1 − c_{n−k}, by the same statement on the scores below.

c_k is the quantile of V_k (a beta law) at one *local level* for all k: equal chance of a mistake everywhere, so the
band is as narrow in the far tail as in the middle (Berk & Jones 1979; Aldor-Noiman et al. 2013). The local level is
chosen by an upper bound of the chance that some V_k lies below c_k, proved in ``docs/decisions/0013``: ordered uniform
numbers are MTP2 (Karlin & Rinott 1980), hence P(all V_k ≥ c_k) ≥ P(V_{k₁} ≥ c₁)·∏ P(V_{k_j} ≥ c_j | the one before)
(Glaz & Johnson 1984), and each factor is a sum over binomial counts, bounded from the safe side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv

from dplens._validate import Floats

Ints = npt.NDArray[np.int64]

_SPACING = 0.4  # of ranks with a bound of their own, in standard deviations
_MOST = 2000  # ranks with a bound of their own; more would cost time and gain nothing that is visible
_BLOCKS = 24  # of counts, in a factor of the product
_CLOSE = 0.99  # a crossing probability this close to what is allowed is close enough
_SLACK = 1e-9  # relative error allowed to the incomplete beta functions, charged to the bound


@dataclass(frozen=True)
class LowerBand:
    """c_k for n scores: the chance of a score at or above a threshold that k scores reach is at least ``at(k)``.

    All statements of a band hold at once with probability 1 − ``error``. ``level`` is the chance that a single one
    fails. Between ``ranks`` the bound of the next lower rank serves.
    """

    n: int
    error: float
    level: float
    ranks: Ints
    bounds: Floats

    def at(self, count: npt.ArrayLike) -> Floats:
        """Lower bound on the chance of a score that ``count`` of n reach."""
        k = np.asarray(count)
        padded = np.concatenate([[0.0], self.bounds])
        return padded[np.searchsorted(self.ranks, k, side="right")]

    def above(self, count: npt.ArrayLike) -> Floats:
        """Upper bound on that chance."""
        return 1.0 - self.at(self.n - np.asarray(count))


@lru_cache(maxsize=256)
def lower_band(n: int, error: float) -> LowerBand:
    """The band for n scores whose statements all hold with probability at least 1 − error."""
    ranks = grid_ranks(n)
    level = _local_level(n, error, ranks)
    return LowerBand(n, error, level, ranks, rank_bounds(n, ranks, level))


def grid_ranks(n: int) -> Ints:
    """Ranks 1 … n, each less than a fraction of its standard deviation from the next."""
    spacing = max(_SPACING, math.pi * math.sqrt(n) / _MOST)
    angle = spacing / (2 * math.sqrt(n))  # √(k(1 − k/n)) is a constant step in arcsin √(k/n)
    steps = np.arange(0, math.ceil(math.pi / 2 / angle) + 1) * angle
    ranks = np.rint(n * np.sin(np.minimum(steps, math.pi / 2)) ** 2)
    return np.unique(np.clip(ranks, 1, n)).astype(np.int64)


def rank_bounds(n: int, ranks: Ints, level: float) -> Floats:
    """The quantiles of ordered uniform numbers at the given level, rounded downwards."""
    bounds = betaincinv(ranks.astype(float), (n + 1 - ranks).astype(float), level)
    return np.maximum.accumulate(bounds * (1 - 1e-13))


def crossing(n: int, ranks: Ints, bounds: Floats) -> float:
    """An upper bound of the chance that some V_k lies below its bound."""
    k, c = ranks.astype(float), bounds
    first = float(betainc(k[0], n + 1 - k[0], c[0]))
    if len(k) == 1:
        return first * (1 + _SLACK)
    before, after = k[:-1], k[1:]
    alone = betainc(before, n + 1 - before, c[:-1])  # P(V below its bound), that is P(N(c) ≥ k)
    gap = after - before
    # given at most k − 1 numbers below c, so many of them short of k − 1: o; beyond the reach one block holds the rest
    reach = np.minimum(6 * np.sqrt(gap) + 10, before)
    edges = np.floor(reach[:, None] * np.linspace(0, 1, _BLOCKS + 1))  # offsets; block b holds edges[b] … edges[b+1]−1
    most = before[:, None] - 1 - edges  # the largest count of a block, for which going on to cross is likeliest
    with np.errstate(invalid="ignore", divide="ignore"):
        reached = np.where(most >= 0, betainc(np.maximum(most + 1, 1), n - np.maximum(most, 0), c[:-1, None]), 1.0)
        share = (c[1:] - c[:-1]) / (1 - c[:-1])
        need = after[:, None] - most
        left = n - most
        crosses = np.where(
            (most >= 0) & (need <= left),
            betainc(np.maximum(need, 1), np.maximum(left - need + 1, 1), share[:, None]),
            0.0,
        )
    # reached[b] = P(N ≥ most_b + 1); a block's mass is the growth to the next edge, the last block has all the rest
    mass = np.diff(np.concatenate([reached, np.ones((len(gap), 1))], axis=1), axis=1)
    factor = np.sum(np.maximum(mass, 0.0) * crosses, axis=1) / (1 - alone)
    total = math.log1p(-min(first, 1 - 1e-16)) + float(np.sum(np.log1p(-np.minimum(factor, 1 - 1e-16))))
    return -math.expm1(total) * (1 + _SLACK)


def _local_level(n: int, error: float, ranks: Ints) -> float:
    """The largest local level (nearly) whose band fails with probability at most ``error``."""

    def excess(log_level: float) -> float:
        return math.log(max(crossing(n, ranks, rank_bounds(n, ranks, math.exp(log_level))), 1e-320)) - math.log(error)

    low = math.log(error / len(ranks))  # Bonferroni: always enough
    high = math.log(error)  # a single rank needs this
    if len(ranks) == 1 or excess(low) > 0:
        return math.exp(low) * (1 - 1e-9)
    at, best = max(math.log(error / (7.5 * (n / 10) ** 0.42)), low), low  # where it was found to lie
    for _ in range(40):
        found = excess(at)
        if found <= 0:
            best, low = max(best, at), max(low, at)
            if found > math.log(_CLOSE):
                break
        else:
            high = min(high, at)
        step = at - found + 0.3 * math.log(_CLOSE)  # the crossing probability is nearly proportional to the level
        at = step if low < step < high else (low + high) / 2
        if high - low < 1e-3:
            break
    return math.exp(best)
