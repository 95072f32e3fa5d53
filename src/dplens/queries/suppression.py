"""Suppression of small counts by a threshold on the noisy counts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import ndtr

from dplens import _validate
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.bounded import BoundedNoise
from dplens.mechanisms.composed import Composed
from dplens.queries.base import Query, checked_query
from dplens.queries.norms import Norms
from dplens.queries.parts import share_relation
from dplens.queries.releases import released
from dplens.registry import register

_TRUE = (
    "Suppression by true counts has no guarantee: without any noise, one person decides whether a cell is shown. "
    "Suppress by the noisy counts: counts='noisy'."
)


@register
@dataclass(frozen=True, kw_only=True)
class Suppressed(Query):
    """Counts of which only those are published whose noisy value is at least ``threshold``.

    table: a Histogram or Table. On a public list of cells this is post-processing, and free. With
    ``Histogram(cells=None)`` the cells that exist depend on the data; then the release may reveal that a cell exists.

    Claim: with m cells and c per cell for one unit, the release with noise N on a list of cells that depends on the
    data is the one on a fixed list, which fails with probability delta = 1 − (1 − P(N ≥ threshold − c))^m. Proof: cells
    that exist in one data set only hold nothing but the unit's records, at most c in each of at most m. Unless one of
    them is published, which happens with at most this probability, the output is that of the cells which exist in both.
    So each output law is (1 − delta) times a law of the release on these cells plus delta times another one, and the
    errors satisfy beta ≥ (1 − delta)·f(alpha/(1 − delta)) (``fails_with``). Rounded up.

    Use it for lists of cells that are too long to publish, such as search terms or postcodes by product.

    >>> import dplens as dl
    >>> person = dl.Unit(name="person", max_cells=3)
    >>> q = dl.Suppressed(table=dl.Histogram(cells=None, unit=person), threshold=60)
    >>> release = q.release(dl.Laplace, scale=3.0)
    >>> print(f"{release.probability:.2e} {dl.Epsilon(delta=1e-6).of(release):.4f}")
    4.31e-09 1.0000
    """

    table: Query = field(metadata=_validate.checked(checked_query))
    threshold: float = field(metadata=_validate.checked(_validate.positive))
    counts: str = "noisy"

    def __post_init__(self) -> None:
        if _validate.one_of("counts", self.counts, ("noisy", "true")) == "true":
            raise Undefined(_TRUE)
        inner = checked_query("table", self.table)
        if not hasattr(inner, "cells") and not hasattr(inner, "dimensions"):
            raise _validate.reject("table", "to be a Histogram or a Table", inner)
        share_relation(self, "table", (inner,))
        object.__setattr__(self, "table", inner.as_replace() if self.neighbours == "replace" else inner)
        super().__post_init__()

    @property
    def size(self) -> int | None:
        """The number of cells, suppressed ones included."""
        return self.table.size

    @property
    def is_whole(self) -> bool:
        return True

    @property
    def _has_public_list(self) -> bool:
        return self.table._has_public_list

    def _norms(self, neighbours: str) -> Norms:
        return self.table._norms(neighbours)

    def release(self, mechanism: type[Mechanism], **noise: Any) -> Mechanism:
        """The mechanism that publishes the counts with noise and suppresses the small ones."""
        if self._has_public_list:
            return self.table.release(mechanism, **noise)
        release = released(self.table, mechanism, noise, any_list=True)
        total, cap = self.unit.contribution("suppression", None)
        cells = min(total, self.unit.max_cells or total)
        shown = tail_above(release, self.threshold - cap)
        return release.fails_with(1.0 if shown >= 1 else _up(-math.expm1(cells * math.log1p(-shown))))


def _up(probability: float) -> float:
    return min(probability * (1 + 1e-14) + 5e-324, 1.0)


def tail_above(mechanism: Mechanism, x: float) -> float:
    """An upper bound on P(noise ≥ x), for the noise on each number of a release."""
    while isinstance(mechanism, Composed):  # equal noise on several numbers
        mechanism = mechanism.parts[0][0]
    if isinstance(mechanism, Gaussian):
        z = x / mechanism.sigma
        return min(float(ndtr(-z)) * (1 + 1e-14 * (1 + z * z)) + 5e-324, 1.0)
    if isinstance(mechanism, Laplace):
        z = abs(x) / mechanism.scale
        tail = 0.5 * math.exp(-z) * (1 + 1e-15 * (2 + z)) if x >= 0 else 1 - 0.5 * math.exp(-z) * (1 - 1e-15 * (2 + z))
        return min(tail + 5e-324, 1.0)
    if isinstance(mechanism, (Geometric, DiscreteGaussian)):
        noise, k = mechanism._noise(), np.array([float(math.ceil(x))])
        with np.errstate(over="ignore"):  # noise so small that nothing is left in the tail
            condition = float(noise.condition(k)[0]) if k[0] > 0 else 1.0
            return min(float(noise.upper(k)[0]) * (1 + 4e-15 * (2 + min(condition, 1e100))) + 5e-324, 1.0)
    if isinstance(mechanism, BoundedNoise):
        beyond = [p for value, p in zip(mechanism.values, mechanism.probabilities) if value >= x]
        return min(math.fsum(beyond) * (1 + 1e-15), 1.0)
    remedy = "Use Gaussian, Laplace, Geometric, DiscreteGaussian or BoundedNoise."
    raise _validate.reject("mechanism", "to add noise whose tail is known closely", type(mechanism).__name__, remedy)
