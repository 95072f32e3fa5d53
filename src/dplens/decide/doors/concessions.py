"""If no noise suits both sides: the smallest changes of n, effect or limit with which one of the families does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dplens.analyst.planning.noise_limits import NoiseFamily, Unsolvable, precision_of
from dplens.analyst.planning.protection import Sensitivity
from dplens.analyst.planning.solving import solve
from dplens.analyst.tests.base import AnalystTest
from dplens.decide.doors.decision import Concession, NoiseRange, amount
from dplens.decide.doors.review import bound_words, towards_risk
from dplens.errors import Undefined
from dplens.risk.base import Requirement
from dplens.telling import Figure, Told

Ranges = Sequence[tuple[NoiseFamily, NoiseRange]]


def concessions(
    test: AnalystTest, ranges: Ranges, size: Sensitivity, wanted: float, limit: tuple[Requirement, ...]
) -> tuple[Concession, ...]:
    """The smallest changes of n, the effect or the limit with which one of the families suits both sides.

    ranges: for each family the least noise that meets the limit and the most that leaves the power.
    """
    at_limit = [(k, r.low, size.make(k, r.low)) for k, r in ranges if math.isfinite(r.low)]
    at_limit.sort(key=lambda one: -float(test.power(one[2])))  # likely candidates first
    found = [_more_records(test, at_limit, size, wanted), _larger_effect(test, at_limit, wanted)]
    return tuple(c for c in (*found, *_looser_limit(ranges, size, wanted, limit)) if c is not None)


def nearest(ranges: Ranges, size: Sensitivity, limit: tuple[Requirement, ...]) -> int | None:
    """The family nearest to the limit at the most noise that leaves the power; None if none leaves it."""
    left = [i for i, (_, r) in enumerate(ranges) if r.high > 0]

    def excess(i: int) -> tuple[float, float]:
        kind, noise = ranges[i]
        far = [_excess(r, size.seen(kind, noise.high)) for r in limit]
        return max(ratio for ratio, _ in far), max(risk for _, risk in far)

    return min(left, key=excess) if left and limit else None


def _excess(r: Requirement, mechanism: Any) -> tuple[float, float]:
    """The ratio of a risk to its bound, and the risk; inverted if smaller answers are riskier."""
    risk, bound = float(r.question.of(mechanism)), r.bound
    if not r.question.more_is_riskier:
        return (bound / risk if risk > 0 else math.inf), -risk
    return (risk / bound if bound > 0 else math.inf), risk


def _more_records(
    test: AnalystTest, at_limit: list[tuple[NoiseFamily, float, Any]], size: Sensitivity, wanted: float
) -> Concession | None:
    best = None
    for kind, noise, _ in at_limit:

        def make(records: int, kind: NoiseFamily = kind, noise: float = noise) -> Any:
            factor = size.at(records)
            return kind(noise * factor, size.of(kind) * factor, size.neighbours)

        if best is not None and best.needed is not None:
            fewer = int(best.needed) - 1
            if fewer < 3 or float(test.with_(n=fewer).power(make(fewer))) < wanted:
                continue  # not better than the best family so far
        found = _records(test, kind, size, make, wanted)
        best = found if best is None or found.needed is not None else best
    return best


def _records(test: AnalystTest, kind: NoiseFamily, size: Sensitivity, make: Any, wanted: float) -> Concession:
    n = test.n
    try:
        needed = int(solve(test, n=None, power=wanted, noise=make).value)
    except (Undefined, ArithmeticError) as error:
        said = [Told("concede-records-unknown", why=str(error))]
        if isinstance(error, Unsolvable) and error.reason == "noise":
            said = [Told("concede-records-none")]
        if size.given is not None and size.at(2 * n) == 1:
            said.append(Told("concede-records-fixed", sensitivity=Figure(f"{size.given:g}")))
        said = Told("several", sentences=said)
        return Concession(what="n", now=n, needed=None, sentence=said)
    times = Figure(amount(needed / n, at_least=True, digits=3))
    said = Told("concede-records", family=kind.name, needed=Figure(needed), now=Figure(n), times=times)
    return Concession(what="n", now=n, needed=needed, sentence=said, family=kind.name)


def _larger_effect(
    test: AnalystTest, at_limit: list[tuple[NoiseFamily, float, Any]], wanted: float
) -> Concession | None:
    best: tuple[float, str] | None = None
    for kind, _, mechanism in at_limit:
        if best is not None:
            smaller = best[0] * (1 - 2 * precision_of(test))
            if float(test.power(mechanism, effect=smaller)) < wanted:
                continue
        try:
            best = float(solve(test, effect=None, power=wanted, noise=mechanism).value), kind.name
        except (Undefined, ArithmeticError):
            continue
    if best is None:
        return Concession(what="effect", now=test.effect, needed=None, sentence=no_effect(test)) if at_limit else None
    needed, family = best
    told = {"needed": effect_words(needed), "now": Figure(f"{test.effect:g}")}
    said = Told("concede-effect", family=family, **told)
    return Concession(what="effect", now=test.effect, needed=needed, sentence=said, family=family)


def effect_words(needed: float, digits: int = 4) -> Figure:
    """A sufficient effect, rounded away from 0."""
    return Figure(amount(needed, at_least=needed > 0, digits=digits))


def no_effect(test: AnalystTest) -> Told:
    """A sentence for when even the largest effect would be missed too often."""
    most = test.largest_effect()
    if not math.isfinite(most):
        return Told("concede-effect-none")
    return Told("concede-effect-most", most=Figure(f"{most:.4g}"))


def _looser_limit(ranges: Ranges, size: Sensitivity, wanted: float, limit: tuple[Requirement, ...]) -> list[Concession]:
    """The limits that would be met at the most noise that leaves the analyst the power."""
    best = nearest(ranges, size, limit)
    if best is None:
        said = Told("concede-limit-none", power=Figure(f"{100 * wanted:g} %"))
        return [Concession(what="limit", now=r.bound, needed=None, sentence=said) for r in limit[:1]]
    kind, noise = ranges[best]
    seen, found = size.seen(kind, noise.high), []
    for r in limit:
        needed = float(r.question.of(seen))
        if r._met_at(needed):
            continue
        told = {"needed": towards_risk(r.question, needed), "bound": bound_words(r.question, r.bound)}
        said = Told("concede-limit", family=kind.name, question=r.question, **told)
        found.append(Concession(what="limit", now=r.bound, needed=needed, sentence=said, family=kind.name))
    return found
