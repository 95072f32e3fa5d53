"""Tables of counts by several dimensions, and margins of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dplens import _validate
from dplens.queries.base import Query
from dplens.queries.counts import number_of_cells
from dplens.queries.norms import Norms, several_margins
from dplens.queries.overlapping import searched
from dplens.registry import register

Margin = tuple[str, ...]


def _dimensions(name: str, value: Any) -> dict[str, int]:
    given = _validate.mapping(name, value, "names to numbers of categories")
    if not given:
        raise _validate.reject(name, "to hold at least one dimension", value, "For one number use Count.")
    return {
        _validate.text(f"the name of a dimension in {name}", key): number_of_cells(f"{name}[{key!r}]", size)
        for key, size in given.items()
    }


def _margins(value: Any, dimensions: Mapping[str, int]) -> tuple[Margin, ...]:
    """The margins as tuples of names in the order of the dimensions."""
    remedy = "Pass for instance margins=[('region',), ()], where () is the total; leave it out for the full table."
    listed = _validate.instance("margins", value, Sequence, "to be a list of tuples of dimensions", remedy)
    if isinstance(value, str) or not listed:
        raise _validate.reject("margins", "to be a list of at least one tuple of dimensions", value, remedy)
    found: list[Margin] = []
    for i, margin in enumerate(listed):
        place = f"margins[{i}]"
        if isinstance(margin, str) or not isinstance(margin, (tuple, list)):
            written = f"Write ({margin!r},)." if isinstance(margin, str) else remedy
            raise _validate.reject_type(place, "to be a tuple of names of dimensions", margin, written)
        for part in margin:
            if not isinstance(part, str) or part not in dimensions:
                rule = "to name dimensions of the table: " + ", ".join(map(repr, dimensions))
                raise _validate.reject(place, rule, part, "Add it to dimensions, or leave it out.")
        if len(set(margin)) < len(margin):
            raise _validate.reject(place, "to name each dimension once", margin)
        ordered = tuple(part for part in dimensions if part in margin)
        if ordered in found:
            raise _validate.reject(place, "to be named once", margin, "Publishing it twice costs twice as much.")
        found.append(ordered)
    return tuple(found)


@register
@dataclass(frozen=True, kw_only=True)
class Table(Query):
    """Counts by several dimensions, or any of the margins of that table, all released together.

    dimensions: their numbers of categories by name. margins: which sums of the table are published, each a tuple of
    names; ``()`` is the total. By default the full table. The unit's bounds refer to the cells of the full table,
    whether it is published or not.

    A unit that adds T to the full table adds T to each of the n margins. If all T may be in one cell (as with
    max_cells=1, or no bound per cell), L1 is T·n, L2 is T·√n and L∞ is T for added or removed units. Replaced units
    move in every margin of more than one cell, n2 of them: n becomes max(n, 2·n2). With several cells a unit and a
    bound per cell, margins that overlap are searched for the worst arrangement of a unit's cells, if these are few (up
    to six, or three if replaced). For more, L2 (and, replaced, also L1) is an upper bound unless the margins are nested
    or there is only one; ``sensitivity().sharp`` tells. Proofs: ``dplens.queries.norms.several_margins`` and
    ``dplens.queries.overlapping``.

    Use it for the tables of a census or a register.

    >>> import dplens as dl
    >>> resident = dl.Unit(name="resident", max_cells=1)
    >>> t = dl.Table(dimensions={"age": 5, "region": 8}, margins=[("age",), ("region",), ()], unit=resident)
    >>> t.size, t.l1, round(t.l2, 4), t.as_replace().l1, t.as_replace().l2
    (14, 3.0, 1.7321, 4.0, 2.0)
    """

    dimensions: Mapping[str, int] = field(hash=False, metadata=_validate.checked(_dimensions))
    margins: Sequence[Margin] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimensions", _dimensions("dimensions", self.dimensions))
        number_of_cells("dimensions", self._cells(tuple(self.dimensions)))
        full = (tuple(self.dimensions),)
        empty = isinstance(self.margins, (tuple, list)) and not self.margins
        object.__setattr__(self, "margins", full if empty else _margins(self.margins, self.dimensions))
        super().__post_init__()

    def _cells(self, margin: Margin) -> int:
        return math.prod(self.dimensions[name] for name in margin)

    @property
    def shapes(self) -> dict[Margin, int]:
        """The number of cells of each published margin."""
        return {margin: self._cells(margin) for margin in self.margins}

    @property
    def size(self) -> int:
        """The number of published cells."""
        return sum(self.shapes.values())

    @property
    def is_whole(self) -> bool:
        return True

    def _norms(self, neighbours: str) -> Norms:
        full = self._cells(tuple(self.dimensions))
        total, cap = self.unit.contribution("a table", full)
        shapes = [(cells, full // cells) for cells in self.shapes.values()]
        by_size = sorted(self.margins, key=len)
        nested = all(set(a) <= set(b) for a, b in pairwise(by_size))
        norms = several_margins(total, cap, shapes, nested, neighbours == "replace")
        if norms.sharp:
            return norms
        membership = tuple((size, tuple(name in m for m in self.margins)) for name, size in self.dimensions.items())
        found = searched(total, cap, membership, neighbours == "replace")
        if found is not None:
            return Norms(Fraction(found[0]), Fraction(found[1]), norms.linf)
        return self._moved(norms, -(-total // cap)) if neighbours == "replace" else norms

    def _moved(self, norms: Norms, cells: int) -> Norms:
        """Closer bounds for replaced units, whose contribution fills so many cells.

        Claim: L1 and squared L2 are at most twice those for added or removed units. Proof: the change of a margin is u
        − v with u, v ≥ 0, so its squared norm is at most that of u plus that of v. Attained if no margin is the total
        and every dimension has twice as many categories as there are cells: the unit that enters fills cells like those
        of the unit that leaves, with other categories throughout.
        """
        one = self._norms("add_remove")
        used = {name for margin in self.margins for name in margin}
        roomy = () not in self.margins and all(self.dimensions[name] >= 2 * cells for name in used)
        bounds = min(norms.l1, 2 * one.l1), min(norms.l2_squared, 2 * one.l2_squared)
        return Norms(*bounds, norms.linf, sharp=one.sharp and roomy)
