"""The base class of queries: a frozen description of what is computed, with its sensitivity."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from dplens import _validate
from dplens.mechanisms.base import NEIGHBOURS, Mechanism
from dplens.queries.norms import Norms, number_above, root_above
from dplens.queries.processing import Processing, checked_processing
from dplens.queries.units import Unit, checked_unit
from dplens.registry import QUERIES, Registry

Self = TypeVar("Self", bound="Query")
_DISTINCT = 50  # distinct amounts of change that are composed within seconds


@dataclass(frozen=True)
class Sensitivity:
    """How much one unit can change a result: its L1, L2 and L∞ norms, rounded up to floats.

    sharp: whether all three are attained by some neighbours; otherwise at least one may be only an upper bound.
    """

    l1: float
    l2: float
    linf: float
    sharp: bool


@dataclass(frozen=True, kw_only=True)
class Query(ABC):
    """Base class of what is published, before noise: keyword-only, validated, immutable.

    unit: whose data are protected, and how much one of them can contribute; by default one record.
    neighbours: ``"add_remove"`` (data with and without one unit) or ``"replace"`` (one unit's data differ).
    processing: what is done with the noisy result, such as ``NonNegative()``. It costs no privacy and is stated.

    A new query derives from this class, gives ``size`` and ``_norms``, and is registered with ``@dplens.register``.
    """

    registry: ClassVar[Registry] = QUERIES
    unit: Unit = field(default=Unit(), metadata=_validate.checked(checked_unit))
    neighbours: str = "add_remove"
    processing: tuple[Processing, ...] = field(default=(), metadata=_validate.checked(checked_processing))

    def __post_init__(self) -> None:
        _validate.one_of("neighbours", self.neighbours, NEIGHBOURS)
        _validate.check_fields(self)
        for step in self.processing:
            step.check(self)
        if not math.isfinite(self.linf):
            raise _validate.reject(type(self).__name__, "to have a sensitivity that is a float", self.linf)

    @property
    @abstractmethod
    def size(self) -> int | None:
        """How many numbers are published; None if that depends on the data."""

    @property
    def is_whole(self) -> bool:
        """Whether all the numbers are whole."""
        return False

    @property
    def _may_be_negative(self) -> bool:
        """Whether a true result may be below 0."""
        return False

    @property
    def _has_public_list(self) -> bool:
        """Whether it is known beforehand which numbers are published."""
        return True

    @abstractmethod
    def _norms(self, neighbours: str) -> Norms:
        """The largest norms of the change between neighbours."""

    def sensitivity(self, neighbours: str | None = None) -> Sensitivity:
        """L1, L2 and L∞ sensitivity, by default for the query's own neighbours."""
        relation = self.neighbours if neighbours is None else _validate.one_of("neighbours", neighbours, NEIGHBOURS)
        norms = self._norms(relation)  # exact, and rounded once
        found = number_above(norms.l1), root_above(norms.l2_squared), number_above(norms.linf)
        return Sensitivity(*found, sharp=norms.sharp)

    @property
    def l1(self) -> float:
        """L1 sensitivity: the largest sum of absolute changes."""
        return self.sensitivity().l1

    @property
    def l2(self) -> float:
        """L2 sensitivity: the largest length of the change as a vector."""
        return self.sensitivity().l2

    @property
    def linf(self) -> float:
        """L∞ sensitivity: the largest change of one of the numbers."""
        return self.sensitivity().linf

    def as_replace(self: Self) -> Self:
        """The same query for replaced units, with the sensitivity derived for them, which is often less than twice."""
        return self if self.neighbours == "replace" else replace(self, neighbours="replace")

    def release(self, mechanism: type[Mechanism], **noise: Any) -> Mechanism:
        """The mechanism that publishes this query with noise, at the sensitivity that its kind of noise needs.

        mechanism: ``Gaussian`` (L2), ``Laplace`` (L1), ``AdditiveNoise`` (L1; symmetric log-concave noise),
        ``Geometric``, ``DiscreteGaussian`` and ``BoundedNoise`` (whole numbers), ``Staircase`` (one number). Each
        number gets noise of its own. noise: its arguments, such as ``sigma=2.0``; sensitivity and neighbours are filled
        in.

        >>> import dplens as dl
        >>> dl.Histogram(cells=12, neighbours="replace").release(dl.Laplace, scale=4.0)
        Laplace(neighbours='replace', sensitivity=2.0, scale=4.0)
        """
        from dplens.queries.releases import released

        return released(self, mechanism, noise)

    def _changes(self, *, merging: bool = True) -> tuple[tuple[int, int], ...]:
        """Whole amounts and counts; no change reveals more than changing so many numbers by these amounts.

        Claim: that holds for independent noise on each number whose law is symmetric and log-concave on the integers.
        Let a ≥ b ≥ … be the absolute changes (signs do not matter, as the law is symmetric), and f_a the curve of a
        change by a in one number.

        1. Raising a change reveals more: f_a decreases in a, and a composition reveals more if a part does.
        2. Merging two changes a and b into one of a + b reveals more. Let P, Q and R be the laws if nothing changes, if
           the first number changes by a, and if the second one changes by b as well. Then T(P, Q) = f_a and
           T(Q, R) = f_b, so T(P, R) ≥ f_b(1 − f_a) (Dong, Roth & Su 2022, proof of Theorem 2.14). For log-concave noise
           the best tests of any two shifts are thresholds, randomised on a point. The test of level alpha has power
           1 − f_a(alpha) against a shift of a, which is the level of the same threshold, moved by a; against a further
           shift of b its error is f_b(1 − f_a(alpha)). It is also the best test against a + b, so f_b(1 − f_a) is
           f_{a+b}.

        Hence (i): if one number may change by all of the L1 norm, that is the worst. (ii) Otherwise the i-th largest
        change is at most L∞, L1/i and √(L2²/i), and changing the numbers by these bounds is at least as bad by 1. If
        L∞ = 1, this is attained. ``Norms.blocks`` is closer where a query knows it. Without ``merging``, only 1 and
        (ii) are used, which hold for all noise whose curve for an amount covers smaller ones.
        """
        norms = self._norms(self.neighbours)
        total, largest = math.floor(norms.l1), math.floor(norms.linf)
        if merging and norms.blocks is not None:
            return (norms.blocks,)
        if merging and largest >= total:
            return ((total, 1),)
        return _dominating(norms, total if self.size is None else min(total, self.size))


def _dominating(norms: Norms, most: int) -> tuple[tuple[int, int], ...]:
    """The bounds on the largest, second largest, … of at most ``most`` changes, with their counts."""
    total, squares, largest = (math.floor(x) for x in (norms.l1, norms.l2_squared, norms.linf))

    def bound(i: int) -> int:
        return min(largest, total // i, math.isqrt(squares // i))

    found: list[tuple[int, int]] = []
    i = 1
    while i <= most and (amount := bound(i)) >= 1:
        last = min(most, total // amount, squares // (amount * amount))  # up to here the bound is at least this amount
        last = max(i, last)
        found.append((amount, last - i + 1))
        i = last + 1
        if len(found) > _DISTINCT:
            rule = f"to change by at most {_DISTINCT} different amounts for this noise"
            remedy = "Use Gaussian or Geometric noise, or a smaller max_per_cell."
            raise _validate.reject("query", rule, _validate.Shown(f"changes of up to {largest}"), remedy)
    return tuple(found)


def bounds_of(name: str, value: Any) -> tuple[tuple[float, float], ...]:
    """One pair (low, high), or several, checked: finite, low below high."""
    remedy = "Pass (low, high), known before the data are seen; values are clipped to them."
    array = _validate.floats(name, value, "to be finite", -1e300, 1e300)
    if array.shape[-1:] != (2,) or array.ndim not in (1, 2) or array.size == 0:
        raise _validate.reject(name, "to be a pair (low, high), or a list of such pairs", value, remedy)
    pairs = array.reshape(-1, 2).tolist()
    for i, (low, high) in enumerate(pairs):
        if not low < high:
            place = name if array.ndim == 1 else f"{name}[{i}]"
            raise _validate.reject(place, "to be (low, high) with low < high", (low, high), remedy)
    return tuple((low, high) for low, high in pairs)


def magnitudes(bounds: Sequence[tuple[float, float]]) -> list[Fraction]:
    """The largest absolute value within each pair of bounds."""
    return [Fraction(max(abs(low), abs(high))) for low, high in bounds]


def checked_query(name: str, value: Any) -> Query:
    """The value if it is a query, else an error."""
    remedy = "Pass for instance dplens.Histogram(cells=12)."
    return _validate.instance(name, value, Query, "to be a query", remedy)
