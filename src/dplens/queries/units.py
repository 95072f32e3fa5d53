"""The unit of protection, and how much one unit can contribute."""

from __future__ import annotations

from dataclasses import dataclass

from dplens import _validate
from dplens.errors import InvalidValue

RECORD = "record"
_MOST = 10**9  # records of one unit; more than that is no bound


@dataclass(frozen=True, kw_only=True)
class Unit:
    """Whose data are protected, and how much one of them can contribute.

    name: a record, a person, a household, a device, a user-day. Its bounds hold for every admissible data set, so they
    are enforced before anything is computed, without looking at the result. Give those that you enforce.

    max_records: the most records of one unit. Each record is counted in one cell of a table.
    max_cells: the most cells of a table (before its margins are taken) in which one unit is counted.
    max_per_cell: the most that one unit adds to one cell. By default ``max_records``, and 1 if that is not given: then
    a cell counts units, each once.
    exact: whether every unit has exactly ``max_records`` records. If not, it may have fewer, or none.

    With no bound, a ``"record"`` is exactly one record. Any other unit must state the bounds that a query needs.

    >>> import dplens as dl
    >>> visits = dl.Unit(name="patient", max_records=5)
    >>> dl.Count(unit=visits).l1, dl.Sum(bounds=(0, 30), unit=visits).l1
    (5.0, 150.0)
    """

    name: str = RECORD
    max_records: int | None = None
    max_cells: int | None = None
    max_per_cell: int | None = None
    exact: bool = False

    def __post_init__(self) -> None:
        if not _validate.text("name", self.name).strip():
            raise _validate.reject("name", "to say whose data are protected, such as 'person'", self.name)
        for name in ("max_records", "max_cells", "max_per_cell"):
            given = getattr(self, name)
            if given is not None:
                remedy = "It is the most that one unit contributes; leave it out if it is not enforced."
                object.__setattr__(self, name, _validate.count(name, given, 1, remedy, most=_MOST))
        object.__setattr__(self, "exact", _validate.flag("exact", self.exact))
        records, cells = self.max_records, self.max_cells
        if self.name == RECORD and records is not None and records > 1:
            remedy = "Name the unit that has several records, for instance Unit(name='person', max_records=…)."
            raise _validate.reject("max_records", "to be 1 for the unit 'record'", records, remedy)
        if records is not None and cells is not None and cells > records:
            remedy = "A record is counted in one cell. If a record can count in several, leave max_records out."
            raise _validate.reject("max_cells", f"to be at most max_records = {records}", cells, remedy)
        if self.exact and records is None:
            raise _validate.reject("exact", "to come with max_records, the number that every unit has", True)

    @property
    def is_exact(self) -> bool:
        """Whether all units have the same number of records, which is then no secret."""
        return self.exact or (self.name == RECORD and self._single)

    @property
    def _single(self) -> bool:
        """Whether it is one record by definition."""
        bounds = self.max_records, self.max_cells, self.max_per_cell
        return self.name == RECORD and (self.max_records == 1 or bounds == (None, None, None))

    def records(self, query: str) -> int:
        """The most records of one unit."""
        if self.max_records is not None:
            return self.max_records
        if self._single:
            return 1
        if self.max_cells is not None and self.max_per_cell is not None:
            return self.max_cells * self.max_per_cell
        raise self._missing(query, "max_records", f"the most records of one {self.name}")

    def contribution(self, query: str, cells: int | None) -> tuple[int, int]:
        """The most that one unit adds to all cells together, and to one cell, of so many cells (None: unknown)."""
        records = 1 if self._single else self.max_records
        if records is None and self.max_cells is None and (self.max_per_cell is None or cells is None):
            raise self._missing(query, "max_cells or max_records", f"in how many cells one {self.name} is counted")
        most = self.max_per_cell if self.max_per_cell is not None else records if records is not None else 1
        reach = [n for n in (self.max_cells, cells) if n is not None]
        totals = [most * min(reach)] if reach else []
        total = min(totals + ([records] if records is not None else []))
        return total, min(most, total)

    def _missing(self, query: str, bound: str, meaning: str) -> InvalidValue:
        remedy = (
            f"Pass for instance Unit(name={self.name!r}, max_{'cells' if 'cells' in bound else 'records'}=1), "
            "and enforce it before anything is computed."
        )
        return _validate.reject("unit", f"to have {bound}, {meaning}, which {query} needs", self, remedy)


def checked_unit(name: str, value: object) -> Unit:
    """The value if it is a unit, else an error."""
    remedy = "Pass for instance dplens.Unit(name='person', max_records=1)."
    return _validate.instance(name, value, Unit, "to be a Unit", remedy)
