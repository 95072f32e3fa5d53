"""Counts, and histograms of disjoint cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dplens import _validate
from dplens.queries.base import Query
from dplens.queries.norms import Norms, one_table
from dplens.registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Count(Query):
    """How many records have a property.

    A unit of up to r records adds between 0 and r. So it changes the count by at most r, if it is added or removed
    (0 against r) and if it is replaced (r records with the property against none). Sharp in both.

    Use it for one number of records, or of units with max_records=1.

    >>> import dplens as dl
    >>> dl.Count().release(dl.Geometric, scale=2.0)
    Geometric(neighbours='add_remove', sensitivity=1, scale=2.0)
    """

    @property
    def size(self) -> int:
        """One number."""
        return 1

    @property
    def is_whole(self) -> bool:
        return True

    def _norms(self, neighbours: str) -> Norms:
        total, _ = self.unit.contribution("a count", None)
        norms = Norms.of([total])
        return Norms(norms.l1, norms.l2_squared, norms.linf, blocks=(total, 1))


_MOST_CELLS = 10**12


def number_of_cells(name: str, value: Any) -> int:
    """A number of cells that floats can count."""
    return _validate.count(name, value, 1, "It is the number of cells that are published.", most=_MOST_CELLS)


def _cells(name: str, value: Any) -> int | None:
    return None if value is None else number_of_cells(name, value)


@register
@dataclass(frozen=True, kw_only=True)
class Histogram(Query):
    """Counts of records in disjoint cells.

    cells: how many; the list of cells is public and includes those that happen to be empty. ``None`` if it depends on
    the data, which needs ``Suppressed``.

    A record is in one cell or in none. The unit's bounds give the most that it adds to all cells together (T) and to
    one of them (c). Added or removed: L1 is T, L∞ is c, and L2 is the root of the sum of squares of full cells and a
    rest; one record has (1, 1, 1). Replaced: a unit can leave cells and enter others, and L1 doubles, L2 grows by √2
    and L∞ stays, as long as there are enough cells. All are sharp. Proof: ``dplens.queries.norms.one_table``.

    Use it for a frequency table of one variable.

    >>> import dplens as dl
    >>> diagnoses = dl.Unit(name="patient", max_cells=3)
    >>> q = dl.Histogram(cells=20, unit=diagnoses)
    >>> print(q.l1, round(q.l2, 4), q.as_replace().l1, round(q.as_replace().l2, 4))
    3.0 1.7321 6.0 2.4495
    """

    cells: int | None = field(metadata=_validate.checked(_cells))

    @property
    def size(self) -> int | None:
        """The number of cells."""
        return self.cells

    @property
    def _has_public_list(self) -> bool:
        return self.cells is not None

    @property
    def is_whole(self) -> bool:
        return True

    def _norms(self, neighbours: str) -> Norms:
        total, cap = self.unit.contribution("a histogram", self.cells)
        return one_table(total, cap, self.cells, neighbours == "replace")
