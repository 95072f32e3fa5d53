"""What of a family does not depend on its parameter, such as earlier releases, and whether that uses up a limit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dplens.decide.oracle import Oracle
from dplens.decide.scales import ends
from dplens.decide.search import Search
from dplens.decide.unreachable import Unreachable, number, worded
from dplens.errors import DplensError
from dplens.estimate import Estimate
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import compose
from dplens.risk.base import Requirement

_ROUNDING = 1e-14  # relative: a bound so close to an answer leaves nothing
_SHOWN = 3  # parts that are named in a message


def constant_part(search: Search) -> Mechanism | None:
    """The releases that stay the same at a parameter that was tried and at the safest end of all parameters.

    Risk grows from that end on, so every parameter shows at least as much as they do. None where there are none, or
    where the family makes nothing of the end.
    """
    tried = search.ordered()[0].mechanism
    axis, sign = search.axis, search.sign
    last = [value for value, safe in ((axis.low, sign >= 0), (axis.high, sign <= 0)) if safe]
    made = [tried, *(search.oracle.unasked(value) for value in last)]
    if not all(isinstance(m, Mechanism) for m in made):
        return None
    try:
        first, *others = (m._parts() for m in made)
    except DplensError:
        return None
    same = [m.repeat(n) for m, n in first if all(_holds(parts, m, n) for parts in others)]
    if not same or len(same) == len(first):  # a family that does not use its parameter is told so
        return None
    return compose(*same)


def _holds(parts: Iterable[tuple[Mechanism, int]], mechanism: Mechanism, count: int) -> bool:
    return any(m is mechanism or (n == count and bool(m == mechanism)) for m, n in parts)


def reject_used_up(oracle: Oracle, search: Search) -> None:
    """Raise where what does not depend on the parameter leaves nothing of a bound."""
    rest = constant_part(search)
    if rest is None:
        return
    for r in oracle.meet:
        try:
            alone = r.question.of(rest)
        except DplensError:  # it is told where a parameter is asked for
            continue
        if not r.met_by(rest) or _reaches(alone, r):
            raise Unreachable(
                f"No parameter provably meets {worded(r, alone)}. What does not depend on the parameter, such as "
                f"earlier releases, has used it up: {_named(rest)} alone gives {number(alone, r.bound)}.",
                r,
                float(alone),
                None,
            )


def _reaches(alone: Estimate, r: Requirement) -> bool:
    """Whether an answer that is worse than guessing comes within rounding of a bound."""
    best = ends(r.question)[0]
    told = alone.low > best.high if r.question.more_is_riskier else alone.high < best.low
    return told and abs(float(alone) - r.bound) <= _ROUNDING * abs(r.bound)


def _named(release: Any) -> str:
    shown = [f"{m!r}" + (f", {n} times" if n > 1 else "") for m, n in release._parts()]
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return f"{' with '.join(shown[:_SHOWN])}{more}"
