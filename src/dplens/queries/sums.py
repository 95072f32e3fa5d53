"""Sums and means of bounded values."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dplens import _validate
from dplens.queries.base import Query, bounds_of, magnitudes
from dplens.queries.norms import Norms, largest
from dplens.registry import register

Pairs = tuple[tuple[float, float], ...]


def _ranges(bounds: Pairs) -> list[Fraction]:
    return [Fraction(high) - Fraction(low) for low, high in bounds]


def _bounds(name: str, value: Any) -> Any:
    """The bounds as given: one pair, or a tuple of pairs."""
    pairs = bounds_of(name, value)
    return pairs[0] if _validate.as_array(name, value).ndim == 1 else pairs


@dataclass(frozen=True, kw_only=True)
class _OfValues(Query):
    """A query of one or more bounded columns."""

    bounds: Any = field(metadata=_validate.checked(_bounds))

    @property
    def pairs(self) -> Pairs:
        """The bounds of each column."""
        return bounds_of("bounds", self.bounds)

    @property
    def size(self) -> int:
        """The number of columns."""
        return len(self.pairs)

    @property
    def _may_be_negative(self) -> bool:
        return any(low < 0 for low, _ in self.pairs)


@register
@dataclass(frozen=True, kw_only=True)
class Sum(_OfValues):
    """The sum of values clipped to ``bounds``, or the sums of several columns with a list of bounds.

    A unit of up to r records adds t values in [lo, hi] to each column, 0 ≤ t ≤ r. Added or removed, the sum changes by
    at most r·max(abs(lo), abs(hi)). Replaced by s values, it changes by t·v − s·w for means v, w in [lo, hi]; every
    norm of that is convex in (t, s), so largest at (r, 0), as above, or at (r, r), where it is that of r·(hi − lo). For
    one column the larger of the two is max(0, r·hi) − min(0, r·lo). If every unit has exactly r records
    (``Unit(exact=True)``, or a record), only (r, r) is left. All are sharp: r equal values at the bounds.

    whole: whether the values and bounds are whole numbers.

    Use it for totals; clip the values to bounds that are known before the data are seen.

    >>> import dplens as dl
    >>> household = dl.Unit(name="household", max_records=5)
    >>> q = dl.Sum(bounds=(10, 12), unit=household)
    >>> q.l1, q.as_replace().l1, dl.Sum(bounds=(10, 12), neighbours="replace").l1
    (60.0, 60.0, 2.0)
    """

    whole: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "whole", _validate.flag("whole", self.whole))
        if self.whole and any(x != int(x) for pair in self.pairs for x in pair):
            raise _validate.reject("bounds", "to be whole numbers, as the values are", self.bounds)

    @property
    def is_whole(self) -> bool:
        return self.whole

    def _norms(self, neighbours: str) -> Norms:
        r = self.unit.records("a sum")
        gone = Norms.of(magnitudes(self.pairs)).times(r)
        if neighbours == "add_remove":
            return gone
        moved = Norms.of(_ranges(self.pairs)).times(r)
        return moved if self.unit.is_exact else largest([gone, moved])


def _size(name: str, value: Any) -> int:
    remedy = "It is the public number of records; if it is a secret, publish Sum and Count, and divide."
    return _validate.count(name, value, 1, remedy, most=10**15)


@register
@dataclass(frozen=True, kw_only=True)
class Mean(_OfValues):
    """The sum of values clipped to ``bounds``, divided by a public number ``n``; for several columns with a list.

    Replaced: n is the number of records in both data sets, so a unit keeps its number of records, t ≤ r, and the mean
    changes by at most r·(hi − lo)/n. Added or removed: the number of records changes, so this is the sum over the
    constant n, which changes by r·max(abs(lo), abs(hi))/n. Both are sharp: r equal values at the bounds.

    Use it for a mean of a public number of records. Otherwise publish Sum and Count with noise, and divide.

    >>> import dplens as dl
    >>> q = dl.Mean(bounds=(10, 30), n=500)
    >>> print(f"{q.l1:.4f} {q.as_replace().l1:.4f}")
    0.0600 0.0400
    """

    n: int = field(metadata=_validate.checked(_size))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unit.records("a mean") > self.n:
            rule = f"to be at least the number of records of one {self.unit.name}, {self.unit.records('a mean')}"
            raise _validate.reject("n", rule, self.n)

    def _norms(self, neighbours: str) -> Norms:
        changes = _ranges(self.pairs) if neighbours == "replace" else magnitudes(self.pairs)
        return Norms.of(changes).times(Fraction(self.unit.records("a mean"), self.n))
