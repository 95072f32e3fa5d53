"""All contributions that one unit may make to a small data set, by enumeration, and the norms of what they change."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest


def records_in_cells(unit, cells):
    """Every admissible tuple of cells, one for each record of a unit."""
    most = unit.max_records if unit.max_records is not None else None
    per_cell = unit.max_per_cell
    if most is None and per_cell is None:
        per_cell = 1  # each cell counts units
    if (unit.max_records, unit.max_cells, unit.max_per_cell) == (None, None, None):
        most = 1  # a record
    longest = most if most is not None else per_cell * min(unit.max_cells or cells, cells)
    for size in range(longest + 1):
        for chosen in itertools.combinations_with_replacement(range(cells), size):
            counts = [chosen.count(cell) for cell in set(chosen)]
            if unit.max_cells is not None and len(counts) > unit.max_cells:
                continue
            if per_cell is not None and any(n > per_cell for n in counts):
                continue
            yield chosen


def largest_norms(vectors, nothing, neighbours):
    """(L1, squared L2, L∞), exactly: of each vector against nothing, or of all pairs."""
    pairs = [(v, nothing) for v in vectors] if neighbours == "add_remove" else itertools.combinations(vectors, 2)
    l1 = squares = linf = Fraction(0)
    for first, second in pairs:
        changes = [abs(Fraction(a) - Fraction(b)) for a, b in zip(first, second)]
        l1, linf = max(l1, sum(changes)), max(linf, max(changes))
        squares = max(squares, sum(c * c for c in changes))
    return l1, squares, linf


def compare(query, found, *, attained=None):
    """The query's sensitivity against that of an enumeration: never less, and equal where it claims to be sharp."""
    said = query.sensitivity()
    l1, squares, linf = found
    sharp = said.sharp if attained is None else attained
    assert Fraction(said.l1) >= l1
    assert Fraction(said.l2) ** 2 >= squares
    assert Fraction(said.linf) >= linf
    if sharp:
        assert said.l1 == pytest.approx(float(l1), rel=1e-15)
        assert said.l2 == pytest.approx(math.sqrt(squares), rel=1e-15)
        assert said.linf == pytest.approx(float(linf), rel=1e-15)
    return said
