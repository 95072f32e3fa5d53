"""A look around where a search went, for families that rise and fall."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from dplens.decide.oracle import Point
from dplens.decide.search import Search
from dplens.decide.unreachable import FamilyError
from dplens.mechanisms.base import Mechanism

_AWAY = (1.2, 4.0)  # how far on either side, in logs of the parameter
_FAR = 12.0  # where a border was found: what turns only there was not seen on the way
_HALF = np.array([0.5])
_PARTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # of a bracket


def survey(search: Search, *points: Point, everywhere: bool = False) -> bool:
    """Try parameters on both sides of the points: whether any was new. Raises where the family is not monotone.

    A search goes where it expects the border and sees little else. Single curves are quickly asked; those of
    compositions take long and are asked only where their single steps rise and fall, or ``everywhere``, before a
    requirement is called unreachable.
    """
    if not search.sign:
        return False
    oracle, before = search.oracle, len(search.oracle.points)
    values = [v for v in _around(search, points, everywhere) if v not in oracle.points and v not in oracle.outside]
    if not everywhere:
        if any(_steps(p.mechanism) is not None for p in points):
            values = _turning(search, points, values)
        elif any(p.curve.certificate.route != "exact" for p in points):
            return False
    for value in values:
        try:
            point = oracle.at(value)
        except FamilyError:  # a mistake where no answer was asked for
            continue
        if point is not None:
            search.check_order(point)
    search.border()
    return len(oracle.points) > before


def _around(search: Search, points: tuple[Point, ...], everywhere: bool) -> list[float]:
    axis = search.axis
    values = [axis.low + part * (axis.high - axis.low) for part in _PARTS] if search.given_ends else []
    if axis.logarithmic:
        values = values[-1:] + ([] if axis.zero else values[:1])  # the ends
        values += [
            axis.parameter(axis.place(p.value) + side * away)
            for p in points
            for away in (_AWAY if everywhere else (*_AWAY, _FAR))
            for side in (-1, +1)
            if p.value > 0
        ]
    return list(dict.fromkeys(axis.whole(v) for v in values))


def _turning(search: Search, points: tuple[Point, ...], values: list[float]) -> list[float]:
    """Those of the values next to which the steps of a composition turn; nothing is composed for that."""
    made = {p.value: p.mechanism for p in points} | {v: search.oracle.unasked(v) for v in values}
    told = {v: x for v, mechanism in made.items() if (x := _steps(mechanism)) is not None}
    order = sorted(told, key=lambda v: search.sign * v)
    turns = {v for pair in itertools.pairwise(order) if told[pair[0]] > told[pair[1]] * (1 + 1e-9) for v in pair}
    return [v for v in values if v in turns]


def _steps(mechanism: Any) -> float | None:
    """Roughly how much the steps of a composition tell together: powers at a false-positive rate of ½, as squares."""
    parts = mechanism._parts() if isinstance(mechanism, Mechanism) else ()
    if not parts or (len(parts) == 1 and parts[0][0] is mechanism):
        return None
    try:
        return math.fsum(n * (float(m._step().power_bounds(_HALF, _HALF).hi[0]) - 0.5) ** 2 for m, n in parts)
    except Exception:  # it would be seen where an answer is asked for
        return None
