"""A one-sided simultaneous confidence band for a distribution function, narrow in the tails.

Let V₁ ≤ … ≤ Vₙ be the order statistics of n uniform variables. The band is a sequence c_k with P(V_k ≥ c_k for all k)
≥ 1 − error. If k of n scores reach a threshold, the chance of such a score is at least c_k, for any distribution of
the scores and any threshold, even one chosen from the data: a score at or above t corresponds to a V at or below that
chance, and ties only increase the count. Applied to the scores below t, the same statement gives the upper bound
1 − c_{n−k}.

c_k is the quantile of V_k (a beta distribution) at the same *local level* for every k, so the band is as tight in the
far tail as in the middle (Berk & Jones 1979; Aldor-Noiman et al. 2013). The local level follows from an upper bound on
the chance that some V_k lies below c_k, proved in ``docs/decisions/0013``: uniform order statistics are MTP2 (Karlin &
Rinott 1980), hence P(all V_k ≥ c_k) ≥ P(V_{k₁} ≥ c₁)·∏ P(V_{k_j} ≥ c_j | the previous one) (Glaz & Johnson 1984), and
each factor is a sum over binomial counts, bounded from the safe side.
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


@dataclass(frozen=True)
class LowerBand:
    """c_k for n scores: if k of them reach a threshold, the chance of reaching it is at least ``at(k)``.

    With probability 1 − ``error`` all bounds hold at once; each one alone fails with probability ``level``. Counts
    between ``ranks`` use the bound of the next lower rank.
    """

    n: int
    error: float
    level: float
    ranks: Ints
    bounds: Floats

    def at(self, count: npt.ArrayLike) -> Floats:
        """Lower bound on the chance of reaching a threshold that ``count`` of n scores reach."""
        k = np.asarray(count)
        padded = np.concatenate([[0.0], self.bounds])
        return padded[np.searchsorted(self.ranks, k, side="right")]

    def above(self, count: npt.ArrayLike) -> Floats:
        """Upper bound on the same chance."""
        return 1.0 - self.at(self.n - np.asarray(count))


@lru_cache(maxsize=256)
def lower_band(n: int, error: float) -> LowerBand:
    """The band for n scores; all its bounds hold with probability at least 1 − error."""
    ranks = grid_ranks(n)
    level = _local_level(n, error, ranks)
    return LowerBand(n, error, level, ranks, rank_bounds(n, ranks, level))


def grid_ranks(n: int, spacing: float = 0.4, most: int = 2000) -> Ints:
    """At most ``most`` ranks from 1 to n, about ``spacing`` standard deviations apart; more would gain nothing."""
    spacing = max(spacing, math.pi * math.sqrt(n) / most)
    angle = spacing / (2 * math.sqrt(n))  # √(k(1 − k/n)) is a constant step in arcsin √(k/n)
    steps = np.arange(0, math.ceil(math.pi / 2 / angle) + 1) * angle
    ranks = np.rint(n * np.sin(np.minimum(steps, math.pi / 2)) ** 2)
    return np.unique(np.clip(ranks, 1, n)).astype(np.int64)


def rank_bounds(n: int, ranks: Ints, level: float) -> Floats:
    """The quantiles of uniform order statistics at the given level, rounded down."""
    bounds = betaincinv(ranks.astype(float), (n + 1 - ranks).astype(float), level)
    return np.maximum.accumulate(bounds * (1 - 1e-13))


def crossing(n: int, ranks: Ints, bounds: Floats, blocks: int = 24) -> float:
    """An upper bound on the chance that some V_k lies below its bound; each factor sums over blocks of counts."""
    slack = 1 + 1e-9  # for the relative error of the incomplete beta functions
    k, c = ranks.astype(float), bounds
    first = float(betainc(k[0], n + 1 - k[0], c[0]))
    if len(k) == 1:
        return first * slack
    before, after = k[:-1], k[1:]
    alone = betainc(before, n + 1 - before, c[:-1])  # P(V below its bound), that is P(N(c) ≥ k)
    gap = after - before
    # counts below k − 1, by their distance from it; the last block holds everything out of reach
    reach = np.minimum(6 * np.sqrt(gap) + 10, before)
    edges = np.floor(reach[:, None] * np.linspace(0, 1, blocks + 1))  # block b holds edges[b] … edges[b+1] − 1
    most = before[:, None] - 1 - edges  # the largest count of a block makes a crossing likeliest
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
    # reached[b] = P(N ≥ most_b + 1), so differences are the masses of the blocks; the last block takes the rest
    mass = np.diff(np.concatenate([reached, np.ones((len(gap), 1))], axis=1), axis=1)
    factor = np.sum(np.maximum(mass, 0.0) * crosses, axis=1) / (1 - alone)
    total = math.log1p(-min(first, 1 - 1e-16)) + float(np.sum(np.log1p(-np.minimum(factor, 1 - 1e-16))))
    return -math.expm1(total) * slack


def _local_level(n: int, error: float, ranks: Ints, close: float = 0.99) -> float:
    """A local level whose band fails with probability at most ``error``, and at least ``close`` times that."""

    def excess(log_level: float) -> float:
        return math.log(max(crossing(n, ranks, rank_bounds(n, ranks, math.exp(log_level))), 1e-320)) - math.log(error)

    bonferroni = math.log(error / len(ranks))  # always enough
    at = max(math.log(error / (7.5 * (n / 10) ** 0.42)), bonferroni)  # fitted to the levels of many n
    for _ in range(40):
        found = excess(at)
        if math.log(close) < found <= 0:
            return math.exp(at)
        at += 0.3 * math.log(close) - found  # the crossing probability is nearly proportional to the level
        if at < bonferroni:
            break
    return math.exp(bonferroni) * (1 - 1e-9)
