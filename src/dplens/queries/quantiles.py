"""Quantiles on a public grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dplens import _validate
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.guarantees import Exponential
from dplens.queries.base import Query
from dplens.queries.norms import Norms, number_above
from dplens.queries.releases import given_noise
from dplens.registry import register


def _probabilities(name: str, value: Any) -> tuple[float, ...]:
    array = np.atleast_1d(_validate.as_array(name, value))
    if array.ndim != 1 or not array.size or not ((array > 0) & (array < 1)).all():
        remedy = "The median is 0.5. For the smallest or largest value, no quantile protects."
        raise _validate.reject(name, "to be one or more numbers in the open interval (0, 1)", value, remedy)
    return tuple(array.tolist())


def _grid(name: str, value: Any) -> tuple[float, ...]:
    remedy = "Pass the possible answers, chosen before the data are seen, such as range(0, 101, 5)."
    array = _validate.floats(name, list(value) if isinstance(value, range) else value, "to be finite", -1e300, 1e300)
    if array.ndim != 1 or array.size < 2 or (np.diff(array) <= 0).any():
        raise _validate.reject(name, "to be at least two rising numbers", value, remedy)
    return tuple(array.tolist())


@register
@dataclass(frozen=True, kw_only=True)
class Quantile(Query):
    """Quantiles, each answered by a point of a public ``grid``.

    By the exponential mechanism: ``release(dplens.Exponential, epsilon=…)`` chooses for every probability p a point c
    of the grid with probability proportional to exp(epsilon·u(c)/(2·utility)), where
    u(c) = −abs((1 − p)·(records below c) − p·(records above c)).

    Claim: one unit of up to r records changes u(c) by at most ``utility``, r·max(p, 1 − p) if it is added or removed
    and r if it is replaced. Proof: the signed sum changes by 1 − p, −p or 0 with each record added; replacing moves a
    record from one side to the other at most, which changes it by (1 − p) + p. The loss at c is
    epsilon·(change of u(c))/(2·utility) plus a constant, so losses lie in a range of epsilon: the release has bounded
    range epsilon (Durfee & Rogers 2019). The range is sharp, as points on both sides of the new record may move in
    opposite directions. Several probabilities are several releases.

    By noisy counts: with any other noise the numbers of records at or below each point of the grid are published, and
    quantiles are read from them. One record changes all m of these counts by 1 if it is added, removed, or
    moved from one end to the other: L1 is r·m, L2 is r·√m and L∞ is r. Sharp.

    Use it for medians and other quantiles.

    >>> import dplens as dl
    >>> q = dl.Quantile(probabilities=[0.1, 0.5], grid=range(0, 101))
    >>> q.utilities, q.release(dl.Exponential, epsilon=0.5).tradeoff().epsilon(0.0)
    ((0.9, 0.5), 1.0)
    """

    probabilities: Sequence[float] = field(metadata=_validate.checked(_probabilities))
    grid: Sequence[float] = field(metadata=_validate.checked(_grid))

    @property
    def size(self) -> int:
        """The number of cumulative counts, one for each point of the grid."""
        return len(self.grid)

    @property
    def is_whole(self) -> bool:
        return True

    @property
    def utilities(self) -> tuple[float, ...]:
        """For each probability, the most that one unit changes the utility of a point."""
        r = self.unit.records("a quantile")
        if self.neighbours == "replace":
            return (float(r),) * len(self.probabilities)
        return tuple(number_above(r * max(Fraction(p), 1 - Fraction(p))) for p in self.probabilities)

    def _norms(self, neighbours: str) -> Norms:
        r, m = self.unit.records("a quantile"), len(self.grid)
        return Norms(Fraction(r * m), Fraction(r * r * m), Fraction(r), blocks=(r, m))

    def release(self, mechanism: type[Mechanism], **noise: Any) -> Mechanism:
        """The mechanism that publishes the quantiles: ``Exponential``, or noise on the cumulative counts.

        >>> import dplens as dl
        >>> dl.Quantile(probabilities=0.5, grid=[0, 1, 2, 3]).release(dl.Gaussian, sigma=4.0).mu
        0.5
        """
        if mechanism is not Exponential:
            return super().release(mechanism, **noise)
        given = given_noise(Exponential, noise, ("epsilon",))
        return Exponential(**given, neighbours=self.neighbours).repeat(len(self.probabilities))
