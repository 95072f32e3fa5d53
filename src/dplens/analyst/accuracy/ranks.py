"""Rank errors of quantiles."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from dplens import _validate
from dplens.analyst.accuracy.base import Promise, exactly, share
from dplens.analyst.accuracy.within import ErrorWithin
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.composed import Composed
from dplens.mechanisms.guarantees import Exponential
from dplens.queries.quantiles import Quantile


@dataclass(frozen=True, kw_only=True)
class RankError(Promise):
    """The ranks of all published quantiles are within ``margin`` records of the best points of the grid.

    The rank error of a point c at probability p is abs((1 − p)·(records below c) − p·(records above c)); the best point
    of the grid has the smallest. Values between the points of the grid are beyond this promise, so choose a fine grid.

    Exponential mechanism: of m points, one is the best. The others are chosen with the largest probability of an error
    beyond the margin if all of them are just beyond it: (m − 1)·w/(1 + (m − 1)·w) with
    w = exp(−epsilon·margin/(2·utility)). So the answer is the worst case over all data, and several probabilities are
    independent.

    Noisy counts: the quantile is the point whose noisy count is closest to p times the noisy count at the last point,
    which stands for the number of records (at or below a point counts as below). If all counts err by at most e, this
    difference errs by (1 + p)·e at every point, so the chosen one is within 2·(1 + p)·e of the best.

    >>> import dplens as dl
    >>> q = dl.Quantile(probabilities=[0.5], grid=range(0, 101))
    >>> release = q.release(dl.Exponential, epsilon=1.0)
    >>> print(f"{dl.RankError(query=q, margin=10, probability=0.95).of(release):.4f}")
    0.9955
    """

    margin: float = field(metadata=_validate.checked(_validate.nonnegative))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.query, Quantile):
            raise _validate.reject("query", "to be a Quantile", self.query)

    def of(self, mechanism: Any) -> Estimate:
        query = self.query
        if not isinstance(query, Quantile):
            raise _validate.reject("query", "to be a Quantile", self.query)
        if query.processing:
            raise Undefined("State the requirement for the query without processing.")
        parts = [part for part, _ in mechanism.parts] if isinstance(mechanism, Composed) else [mechanism]
        epsilons = [part.epsilon for part in parts if isinstance(part, Exponential)]
        if parts and len(epsilons) == len(parts):
            return self._chosen(query, min(epsilons))
        margin = exactly(self.margin) / (2 * (1 + exactly(max(query.probabilities))))
        found = ErrorWithin(query=query, margin=0.0, probability=self.probability)
        low = found._within(mechanism, margin, len(query.grid)).low
        return share(low, 1.0, None, "a lower bound, from errors of all counts")

    def _chosen(self, query: Quantile, epsilon: float) -> Estimate:
        """The probability in the worst case, for choices at the given epsilon each."""
        others, kept = len(query.grid) - 1, 1.0
        for utility in query.utilities:
            bad = others * math.exp(-epsilon * self.margin / (2 * utility) * (1 - 1e-15)) * (1 + 1e-14)
            kept *= 1 / (1 + bad)
        low = max(kept * (1 - 1e-15 * (4 + len(query.utilities))), 0.0)
        return share(low, 1.0, None, "the worst case over all data sets")
