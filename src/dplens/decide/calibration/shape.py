"""What a search does not see by itself: families that rise and fall, and parts that do not use the parameter."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from dplens.decide.calibration.oracle import Point
from dplens.decide.calibration.search import Search
from dplens.decide.calibration.unreachable import FamilyError, Unreachable, ends, number, worded
from dplens.errors import DplensError
from dplens.estimate import Estimate
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import compose
from dplens.risk.base import Requirement

_ROUNDING = 1e-14  # relative: a bound so close to an answer leaves nothing
_SHOWN = 3  # parts that are named in a message
_AWAY = (1.2, 4.0)  # how far on either side, in logs of the parameter
_FAR = 12.0  # where a border was found: what turns only there was not seen on the way
_NEARER = 8  # times that a parameter which the family refuses is moved away from the end
_COMPARED = 4  # parameters whose releases are compared to find those that stay the same
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
        if any(_steps(oracle.mechanism(p.value)) is not None for p in points):
            values = _turning(search, points, values)
        elif any(oracle.curve(p.value).certificate.route != "exact" for p in points):
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
    made = {p.value: search.oracle.mechanism(p.value) for p in points} | {v: search.oracle.unasked(v) for v in values}
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


def constant_part(search: Search) -> Mechanism | None:
    """The releases that stay the same at parameters that were tried and at the safest end of all parameters.

    Risk grows from that end on, so every parameter shows at least as much as they do. None where there are none, or
    where the family makes nothing of the end.
    """
    axis, sign = search.axis, search.sign
    last = [value for value, safe in ((axis.low, sign >= 0), (axis.high, sign <= 0)) if safe]
    tried = [point.value for point in search.ordered() if point.value not in last][:_COMPARED]
    ends_made = [_next_to(search, value) for value in last]
    made = [m for m in (*ends_made, *map(search.oracle.mechanism, tried)) if isinstance(m, Mechanism)]
    if not any(isinstance(m, Mechanism) for m in ends_made) or len(made) < 2:
        return None
    try:
        first, *others = (m._parts() for m in made)
    except DplensError:
        return None
    counts = [
        (m, min(n, *(sum(k for other, k in parts if other is m or bool(other == m)) for parts in others)))
        for m, n in first
    ]
    same = [m.repeat(n) for m, n in counts if n]
    unused = all(sum(n for _, n in parts) == sum(n for _, n in counts) for parts in (first, *others))
    if not same or unused:  # a family that does not use its parameter is told so
        return None
    return compose(*same)


def _next_to(search: Search, end: float) -> Mechanism | None:
    """What the family makes of the end of all parameters, or of one as near to it as it takes."""
    nearest = min(search.oracle.points, key=lambda value: abs(value - end), default=end)
    for _ in range(_NEARER):
        made = search.oracle.unasked(end)
        if isinstance(made, Mechanism) or not min(end, nearest) < max(end, nearest):
            return made
        end = search.axis.between(end, nearest)
    return None


def reject_used_up(search: Search) -> None:
    """Raise where what does not depend on the parameter leaves nothing of a bound."""
    rest = constant_part(search)
    if rest is None:
        return
    for r in search.oracle.meet:
        try:
            alone = r.question.of(rest)
        except DplensError:  # it is told where a parameter is asked for
            continue
        if not r.met_by(rest) or _reaches(alone, r):
            shown = [f"{m!r}" + (f", {n} times" if n > 1 else "") for m, n in rest._parts()]
            named = " with ".join(shown[:_SHOWN])
            named += f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
            raise Unreachable(
                f"No parameter provably meets {worded(r, alone)}. What does not depend on the parameter, such as "
                f"earlier releases, has used it up: {named} alone gives {number(alone, r.bound)}.",
                r,
                float(alone),
                None,
            )


def _reaches(alone: Estimate, r: Requirement) -> bool:
    """Whether an answer that is worse than guessing comes within rounding of a bound."""
    best = ends(r.question)[0]
    told = alone.low > best.high if r.question.more_is_riskier else alone.high < best.low
    return told and abs(float(alone) - r.bound) <= _ROUNDING * abs(r.bound)
