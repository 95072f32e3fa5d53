"""Checks beyond the search itself: non-monotone families, and parts that do not use the parameter."""

from __future__ import annotations

import math

from dplens.decide.calibration.oracle import Oracle, Point
from dplens.decide.calibration.search import Search
from dplens.decide.calibration.unreachable import FamilyError, Unreachable, ends, number, worded
from dplens.errors import DplensError
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import compose


def survey(search: Search, *points: Point, everywhere: bool = False) -> bool:
    """Try parameters on both sides of the points; returns whether any was new, raises if the family is not monotone.

    The search itself only visits parameters near the expected border. Closed forms are cheap to evaluate. Compositions
    are not: they are evaluated only with ``everywhere``, before a requirement is called unreachable.
    """
    oracle, axis, before = search.oracle, search.axis, len(search.oracle.points)
    if not search.sign or not (everywhere or all(_is_cheap(oracle, p.value) for p in points)):
        return False
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
    for value in dict.fromkeys(axis.whole(v) for v in values):
        try:
            point = None if value in oracle.points else oracle.at(value)
        except FamilyError:  # the user did not ask about this parameter
            continue
        if point is not None:
            search.check_order(point)
    search.border()
    return len(oracle.points) > before


def _is_cheap(oracle: Oracle, value: float) -> bool:
    mechanism = oracle.mechanism(value)
    parts = mechanism._parts() if isinstance(mechanism, Mechanism) else ()
    single = not parts or (len(parts) == 1 and parts[0][0] is mechanism)
    return single and oracle.curve(value).certificate.route == "exact"


def constant_part(search: Search) -> Mechanism | None:
    """The releases common to the tried parameters and the safest end of all parameters.

    Risk grows from that end on, so every member of the family leaks at least as much as they do. None if there are no
    such releases, or if the family is undefined at that end.
    """
    axis, sign = search.axis, search.sign
    last = [value for value, safe in ((axis.low, sign >= 0), (axis.high, sign <= 0)) if safe]
    tried = [point.value for point in search.ordered() if point.value not in last][:4]
    ends_made = [m for value in last if (m := _next_to(search, value)) is not None]
    made = ends_made + [m for m in map(search.oracle.mechanism, tried) if isinstance(m, Mechanism)]
    if not ends_made or len(made) < 2:
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
        # whether an answer that exceeds guessing equals the bound up to rounding
        best = ends(r.question)[0]
        leaks = alone.low > best.high if r.question.more_is_riskier else alone.high < best.low
        if not r.met_by(rest) or (leaks and math.isclose(float(alone), r.bound, rel_tol=1e-14)):
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
