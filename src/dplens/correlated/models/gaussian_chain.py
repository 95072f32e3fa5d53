"""Gaussian Markov chains: AR(1) and inhomogeneous chains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated.models.gaussian import GaussianData, GaussianTuples, per_tuple
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import register


@register
@dataclass(frozen=True, kw_only=True, eq=False)
class GaussianChain(Shared, GaussianTuples):
    """A Gaussian Markov chain: jointly normal tuples, each of which depends only on the previous one.

    correlations: those of neighbours, n − 1 numbers in (−1, 1); sds: standard deviations. The correlation of two tuples
    is the product of those between them. width, mean: as for :class:`GaussianData`. ``GaussianChain.ar1`` creates
    stationary chains. A chain has at most 2000 tuples.

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
        _check_length("correlations", len(rho) + 1)
        object.__setattr__(self, "correlations", rho)
        for name, above in (("sds", 0.0), ("width", 0.0), ("mean", -math.inf)):
            given = getattr(self, name)
            object.__setattr__(self, name, per_tuple(name, 0.0 if given is None else given, self.n, above))
        least, most = 1e-150, 1e75  # covariances, and sums of their products, are still floats
        if not ((self.sds >= least) & (self.sds <= most)).all():
            rule = f"to be between {least:g} and {most:g}"
            raise _validate.reject("sds", rule, self.sds.tolist(), "Measure the tuples in another unit.")

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

    def as_data(self) -> GaussianData:
        return self._data

    @cached_property
    def _data(self) -> GaussianData:
        r = np.eye(self.n)
        for i in range(self.n):
            r[i, i + 1 :] = r[i + 1 :, i] = np.cumprod(self.correlations[i:])
        return GaussianData(covariance=r * np.outer(self.sds, self.sds), width=self.width, mean=self.mean)


def _check_length(name: str, n: int, most: int = 2000) -> None:
    """All covariances are computed, and searches for the worst attacker take n³ steps."""
    if n > most:
        remedy = "Tuples far apart have nothing to do with each other: take the part of the chain about the target."
        raise _validate.reject(name, f"to make a chain of at most {most} tuples", _validate.Shown(str(n)), remedy)
