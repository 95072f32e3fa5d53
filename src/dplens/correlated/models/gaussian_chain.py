"""Gaussian Markov chains: AR(1) and its inhomogeneous relatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.models.gaussian import GaussianData, GaussianTuples
from dplens.correlated.search.knowledge_sets import Found
from dplens.numerics.progress import tracked
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import register

Score = Callable[[Floats, Floats], Floats]  # from shift and variance of the rest to what is compared

_SDS = 1e-150, 1e75  # of which covariances are made
_LONGEST = 2000  # tuples: all covariances are made, and worst attackers are searched for in n³ steps


@register
@dataclass(frozen=True, kw_only=True, eq=False)
class GaussianChain(Shared, GaussianTuples):
    """Jointly normal tuples of which each depends on the one before only.

    correlations: of neighbours, n − 1 numbers in (−1, 1); sds: standard deviations; the correlation of two tuples is
    the product of those between them. width, mean: as for :class:`GaussianData`. ``GaussianChain.ar1`` makes the
    stationary one. A chain has at most 2000 tuples.

    >>> import dplens as dl
    >>> chain = dl.GaussianChain.ar1(correlation=0.5, length=200)
    >>> found = chain.worst(dl.Laplace(scale=1.0))
    >>> round(found.leakage, 6)  # 1 + 2·(0.5 + 0.25 + …)
    3.0
    """

    correlations: Any
    sds: Any = 1.0
    width: Any = 1.0
    mean: Any = None

    def __post_init__(self) -> None:
        rho = _validate.as_array("correlations", self.correlations)
        if rho.ndim != 1 or not ((np.abs(rho) < 1) & np.isfinite(rho)).all():
            remedy = "Correlation ±1 makes two tuples one: leave one out and add its weight to the other's."
            raise _validate.reject("correlations", "to be numbers strictly between -1 and 1", self.correlations, remedy)
        n = len(rho) + 1
        _check_length("correlations", n)
        object.__setattr__(self, "correlations", rho)
        for name, least in (("sds", 0.0), ("width", 0.0), ("mean", -math.inf)):
            given = getattr(self, name)
            array = _validate.as_array(name, 0.0 if given is None else given)
            array = np.full(n, float(array)) if array.ndim == 0 else array
            if array.shape != (n,) or not ((array > least) & np.isfinite(array)).all():
                rule = f"to be {'finite' if least < 0 else '> 0 and finite'}: one number, or one for each of {n} tuples"
                raise _validate.reject(name, rule, given)
            if name == "sds" and not ((array >= _SDS[0]) & (array <= _SDS[1])).all():
                rule = f"to be between {_SDS[0]:g} and {_SDS[1]:g}"
                raise _validate.reject(name, rule, given, "Measure the tuples in another unit.")
            object.__setattr__(self, name, array)

    @classmethod
    def ar1(cls, *, correlation: float, length: int, sd: float = 1.0, width: float = 1.0) -> GaussianChain:
        """The stationary chain x_t = correlation·x_{t−1} + noise."""
        rule = "strictly between -1 and 1"
        rho = _validate.real("correlation", correlation, rule, lambda x: -1 < x < 1)
        count = _validate.count("length", length)
        _check_length("length", count)
        return cls(correlations=np.full(count - 1, rho), sds=_validate.positive("sd", sd), width=width)

    def __repr__(self) -> str:
        return f"GaussianChain({self.n} tuples)"

    @property
    def n(self) -> int:
        return len(self.correlations) + 1

    def widths(self) -> Floats:
        return self.width

    def as_data(self) -> GaussianData:
        return self._data

    @cached_property
    def _data(self) -> GaussianData:
        n = self.n
        r = np.eye(n)
        for i in range(n):
            r[i, i + 1 :] = np.cumprod(self.correlations[i:])
        r = np.triu(r) + np.triu(r, 1).T
        return GaussianData(covariance=r * np.outer(self.sds, self.sds), width=self.width, mean=self.mean)


def _check_length(name: str, n: int) -> None:
    if n > _LONGEST:
        remedy = "Tuples far apart have nothing to do with each other: take the part of the chain about the target."
        raise _validate.reject(name, f"to make a chain of at most {_LONGEST} tuples", _validate.Shown(str(n)), remedy)


def best_runs(chain: GaussianChain, weights: Floats, score: Score, progress: bool | None) -> Found:
    """The worst attacker among those who know all but one run around the target; no other is worse.

    Knowing a tuple cuts the chain, and unknown tuples beyond the cuts only add noise. Given the target, the parts of
    the run to its left and right are independent: each adds its own share to the response g and to the variance of the
    rest, so all runs of a target are sums of one left and one right part
    (``docs/decisions/0008-correlated-records.md``).
    """
    n = chain.n
    by_known = np.zeros(n)
    best, target, known, attackers = -1.0, 0, (), 0
    rho, sds = chain.correlations, chain.sds
    for i in tracked(range(n), n, "targets", progress):
        (lg, lv), (rg, rv) = _side(rho, sds, weights, i), _side(rho[::-1], sds[::-1], weights[::-1], n - 1 - i)
        shift = np.abs(weights[i] + lg[:, None] + rg[None, :]) * chain.width[i]
        value = score(shift, lv[:, None] + rv[None, :])
        attackers += value.size
        # entry [l, r]: l tuples unknown on the left, r on the right
        count = n - 1 - np.add.outer(np.arange(len(lg)), np.arange(len(rg)))
        np.maximum.at(by_known, count.ravel(), value.ravel())
        top = int(np.argmax(value))
        if value.flat[top] > best * (1 + 1e-13):
            a, b = divmod(top, value.shape[1])
            best, target = float(value.flat[top]), i
            known = tuple(j for j in range(n) if j < i - a or j > i + b)
    return Found(best, target, known, by_known, attackers)


def _side(rho: Floats, sds: Floats, weights: Floats, i: int) -> tuple[Floats, Floats]:
    """Response and variance of the l tuples before target i, l = 0 … i, where the tuple before those is known.

    With unit variances, tuples i − l … i − 1 given x_i and x_{i−l−1} form a bridge: its sum is the free sum of the
    tuples up to there, conditioned on one more tuple. Entry k counts backwards: z_k = x_{i−k}/sd.
    """
    back = rho[:i][::-1]
    r = np.concatenate([[1.0], np.cumprod(back)])  # correlations with the target
    scale = (weights[: i + 1] * sds[: i + 1])[::-1]  # weight of z_k in the sum
    response, variance = np.zeros(i + 1), np.zeros(i + 1)
    # S_k = Σ_{1 ≤ m ≤ k} scale_m z_m given z_0: slope, variance, covariance with z_k
    slope = var = cov = 0.0
    for k in range(1, i + 1):
        with_next = float(back[k - 1]) * cov  # covariance of S_{k−1} with z_k given z_0
        own = 1 - r[k] ** 2  # variance of z_k given z_0
        gain = with_next / own  # z_k known: the response of S_{k−1} to z_0 changes by the indirect path
        response[k - 1] = (slope - gain * r[k]) / sds[i]
        variance[k - 1] = max(var - gain * with_next, 0.0)
        slope += scale[k] * r[k]
        var += 2 * scale[k] * with_next + scale[k] ** 2 * own
        cov = with_next + scale[k] * own
    response[i], variance[i] = slope / sds[i], max(var, 0.0)  # all of them unknown: no one is left before them
    return response, variance
