"""A look around where a search went, for families that rise and fall."""

from __future__ import annotations

from dplens.decide.oracle import Point
from dplens.decide.search import Search
from dplens.decide.unreachable import FamilyError

_AWAY = (1.2, 4.0)  # how far on either side, in logs of the parameter
_PARTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # of a bracket


def survey(search: Search, *points: Point, everywhere: bool = False) -> bool:
    """Try parameters on both sides of the points: whether any was new. Raises where the family is not monotone.

    A search goes where it expects the border and sees little else. Single curves are quickly asked; those of
    compositions take long and are surveyed only if ``everywhere``, before a requirement is called unreachable.
    """
    if not search.sign or not (everywhere or all(p.curve.certificate.route == "exact" for p in points)):
        return False
    axis, before = search.axis, len(search.oracle.points)
    values = [axis.low + part * (axis.high - axis.low) for part in _PARTS] if search.given_ends else []
    if axis.logarithmic:
        values = values[-1:] + ([] if axis.zero else values[:1])  # the ends
        values += [
            axis.parameter(axis.place(p.value) + side * away)
            for p in points
            for away in _AWAY
            for side in (-1, +1)
            if p.value > 0
        ]
    for value in dict.fromkeys(axis.whole(v) for v in values):
        if value in search.oracle.points or value in search.oracle.outside:
            continue
        try:
            point = search.oracle.at(value)
        except FamilyError:  # a mistake where no answer was asked for
            continue
        if point is not None:
            search.check_order(point)
    search.border()
    return len(search.oracle.points) > before
