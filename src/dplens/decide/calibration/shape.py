"""Checks beyond the search itself: non-monotone families, and parts that do not use the parameter."""

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

_HALF = np.array([0.5])


def survey(search: Search, *points: Point, everywhere: bool = False) -> bool:
    """Try parameters on both sides of the points; returns whether any was new, raises if the family is not monotone.

    The search itself only visits parameters near the expected border. Single curves are cheap to evaluate. Compositions
    are not: they are evaluated only where their steps are seen to rise and fall, or, with ``everywhere``, before a
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
        except FamilyError:  # the user did not ask about this parameter
            continue
        if point is not None:
            search.check_order(point)
    search.border()
    return len(oracle.points) > before


def _around(search: Search, points: tuple[Point, ...], everywhere: bool) -> list[float]:
    axis = search.axis
    values = [axis.low + k / 5 * (axis.high - axis.low) for k in range(6)] if search.given_ends else []
    if axis.logarithmic:
        values = values[-1:] + ([] if axis.zero else values[:1])  # the ends
        values += [
            axis.parameter(axis.place(p.value) + side * away)
            for p in points
            for away in ((1.2, 4.0) if everywhere else (1.2, 4.0, 12.0))
            for side in (-1, +1)
            if p.value > 0
        ]
    return list(dict.fromkeys(axis.whole(v) for v in values))


def _turning(search: Search, points: tuple[Point, ...], values: list[float]) -> list[float]:
    """The values next to which the leakage of a composition's steps turns; nothing is composed to find out."""
    made = {p.value: search.oracle.mechanism(p.value) for p in points} | {v: search.oracle.member(v) for v in values}
    leaked = {v: x for v, mechanism in made.items() if (x := _steps(mechanism)) is not None}
    order = sorted(leaked, key=lambda v: search.sign * v)
    turns = {v for pair in itertools.pairwise(order) if leaked[pair[0]] > leaked[pair[1]] * (1 + 1e-9) for v in pair}
    return [v for v in values if v in turns]


def _steps(mechanism: Any) -> float | None:
    """A rough measure of a composition's leakage: squared advantages of its steps at a false-positive rate of ½."""
    parts = mechanism._parts() if isinstance(mechanism, Mechanism) else ()
    if not parts or (len(parts) == 1 and parts[0][0] is mechanism):
        return None
    try:
        return math.fsum(n * (float(m._step().power_bounds(_HALF, _HALF).hi[0]) - 0.5) ** 2 for m, n in parts)
    except Exception:  # reported when the parameter is evaluated
        return None


def constant_part(search: Search) -> Mechanism | None:
    """The releases common to the tried parameters and the safest end of all parameters.

    Risk grows from that end on, so every member of the family leaks at least as much as they do. None if there are no
    such releases, or if the family is undefined at that end.
    """
    axis, sign = search.axis, search.sign
    last = [value for value, safe in ((axis.low, sign >= 0), (axis.high, sign <= 0)) if safe]
    tried = [point.value for point in search.ordered() if point.value not in last][:4]
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
    if not same or unused:  # a family that ignores its parameter is reported elsewhere
        return None
    return compose(*same)


def _next_to(search: Search, end: float) -> Mechanism | None:
    """The member at the end of all parameters, or at one of eight ever closer to the tried ones."""
    nearest = min(search.oracle.points, key=lambda value: abs(value - end), default=end)
    for _ in range(8):
        made = search.oracle.member(end)
        if isinstance(made, Mechanism) or not min(end, nearest) < max(end, nearest):
            return made
        end = search.axis.midpoint(end, nearest)
    return None


def reject_used_up(search: Search) -> None:
    """Raise if releases that do not depend on the parameter exhaust a bound."""
    rest = constant_part(search)
    if rest is None:
        return
    for r in search.oracle.meet:
        try:
            alone = r.question.of(rest)
        except DplensError:  # reported when a parameter is evaluated
            continue
        if not r.met_by(rest) or _reaches(alone, r):
            shown = [f"{m!r}" + (f", {n} times" if n > 1 else "") for m, n in rest._parts()]
            named = " with ".join(shown[:3])
            named += f" and {len(shown) - 3} more" if len(shown) > 3 else ""
            raise Unreachable(
                f"No parameter provably meets {worded(r, alone)}. What does not depend on the parameter, such as "
                f"earlier releases, has used it up: {named} alone gives {number(alone, r.bound)}.",
                r,
                float(alone),
                None,
            )


def _reaches(alone: Estimate, r: Requirement) -> bool:
    """Whether an answer that exceeds guessing equals the bound up to rounding."""
    best = ends(r.question)[0]
    leaks = alone.low > best.high if r.question.more_is_riskier else alone.high < best.low
    return leaks and math.isclose(float(alone), r.bound, rel_tol=1e-14)
