"""Queries on disjoint parts of the data, such as regions: parallel composition where it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dplens import _validate
from dplens.mechanisms.base import NEIGHBOURS
from dplens.queries.base import Query, checked_query
from dplens.queries.norms import Norms
from dplens.queries.units import Unit, checked_unit
from dplens.registry import register


def _parts(name: str, value: Any) -> dict[Any, Query]:
    given = _validate.mapping(name, value, "values of the variable to queries")
    if not given:
        raise _validate.reject(name, "to hold at least one part", value)
    seen: dict[Any, Any] = {}
    for key, query in given.items():
        checked_query(f"{name}[{key!r}]", query)
        for value_of_part in key if isinstance(key, tuple) else (key,):
            if value_of_part in seen:
                rule = f"to be disjoint from the part {seen[value_of_part]!r}; both hold {value_of_part!r}"
                remedy = "Overlapping parts are separate releases: compose them."
                raise _validate.reject(f"{name}[{key!r}]", rule, key, remedy)
            seen[value_of_part] = key
    return given


@register
@dataclass(frozen=True, kw_only=True)
class Disjoint(Query):
    """Queries on disjoint parts of the data, published together, with the same noise for all.

    by: the variable that separates the parts. parts: the query for each of its values, or for tuples of values.
    max_parts: in how many parts one unit can have data; its bounds hold within each of them. fixed: whether a unit
    never changes its part, whoever replaces it; then the part is no secret.

    Added or removed, a unit changes up to ``max_parts`` parts, so the largest ones add up: L1 norms, squared L2 norms,
    and for L∞ the largest. With max_parts=1 only the worst part counts (parallel composition). Replaced, a unit leaves
    parts and enters others, each of which changes as if it were removed or added, or stays and changes as if replaced.
    With max_parts=1 that is the worst of one part under replacement and the sum of two parts. Only if parts are
    ``fixed`` it is the worst part alone. Proof: the parts' changes are vectors in different coordinates, so these norms
    add up; a part that stays takes one place before and one after, a part that is left or entered takes one of these
    2·max_parts places. Sharp, if the parts' own sensitivities are.

    Use it for the same statistic by region, or for different statistics of separate groups.

    >>> import dplens as dl
    >>> mean = dl.Sum(bounds=(0, 10))
    >>> q = dl.Disjoint(by="region", parts={"north": mean, "south": mean, ("east", "west"): dl.Sum(bounds=(0, 12))})
    >>> q.l1, q.as_replace().l1, dl.Disjoint(by="region", parts=q.parts, neighbours="replace", fixed=True).l1
    (12.0, 22.0, 12.0)
    """

    by: str
    parts: Mapping[Any, Query] = field(hash=False, metadata=_validate.checked(_parts))
    max_parts: int = field(default=1, metadata=_validate.checked(_validate.count))
    fixed: bool = field(default=False, metadata=_validate.checked(_validate.flag))

    def __post_init__(self) -> None:
        _validate.text("by", self.by, "Name the variable whose values separate the parts, such as 'region'.")
        parts = _parts("parts", self.parts)
        share_relation(self, "parts", tuple(parts.values()))
        super().__post_init__()

    @property
    def size(self) -> int | None:
        """How many numbers are published in all parts together."""
        sizes = [query.size for query in self.parts.values()]
        return None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def is_whole(self) -> bool:
        return all(query.is_whole for query in self.parts.values())

    @property
    def _has_public_list(self) -> bool:
        return all(query._has_public_list for query in self.parts.values())

    @property
    def _may_be_negative(self) -> bool:
        return any(query._may_be_negative for query in self.parts.values())

    def _norms(self, neighbours: str) -> Norms:
        replaced = [query._norms("replace") for query in self.parts.values()] if neighbours == "replace" else []
        if replaced and self.fixed:
            return _joined([[(norms, 1)] for norms in replaced], self.max_parts)
        alone = [query._norms("add_remove") for query in self.parts.values()]
        if not replaced:
            return _joined([[(norms, 1)] for norms in alone], self.max_parts)
        return _joined([[(one, 1), (two, 2)] for one, two in zip(alone, replaced)], 2 * self.max_parts)


def _joined(parts: Sequence[Sequence[tuple[Norms, int]]], places: int) -> Norms:
    """The largest norms if each part changes in one of its ways or not at all; a way takes some of the places."""
    ways = [norms for part in parts for norms, _ in part]
    return Norms(
        _best([[(norms.l1, taken) for norms, taken in part] for part in parts], places),
        _best([[(norms.l2_squared, taken) for norms, taken in part] for part in parts], places),
        max(norms.linf for norms in ways),
        all(norms.sharp for norms in ways),
    )


def _best(parts: Iterable[Sequence[tuple[Fraction, int]]], places: int) -> Fraction:
    """The largest sum of one value, or none, of each part that takes at most so many places."""
    best = [Fraction(0)]  # by places
    for part in parts:
        size = min(len(best) - 1 + max(taken for _, taken in part), places) + 1
        best = [
            max(
                [best[min(free, len(best) - 1)]]
                + [best[min(free - taken, len(best) - 1)] + value for value, taken in part if taken <= free]
            )
            for free in range(size)
        ]
    return best[-1]


def share_relation(query: Query, name: str, inner: tuple[Query, ...]) -> None:
    """Give a query the unit and the relation of its inner queries, which must agree.

    An outer query may be for replaced units although the inner ones are stated for added and removed ones.
    """
    checked_unit("unit", query.unit)
    units = {q.unit for q in inner} | ({query.unit} - {Unit()})
    if len(units) > 1:
        remedy = "State the same unit in all of them."
        raise _validate.reject(name, "to have the same unit", sorted(unit.name for unit in units), remedy)
    relations = {q.neighbours for q in inner}
    if len(relations) > 1:
        raise _validate.reject(
            name, "to have the same neighbours", sorted(relations), "Use as_replace() on the others."
        )
    _validate.one_of("neighbours", query.neighbours, NEIGHBOURS)
    object.__setattr__(query, "unit", units.pop())
    if query.neighbours == "add_remove":
        object.__setattr__(query, "neighbours", relations.pop())
