"""Utility first: from a required power to the risk that must be accepted."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from dplens.analyst.planning.noise_limits import NoiseFamily, Unsolvable, most_noise, wanted_power
from dplens.analyst.planning.protection import Sensitivity, refused
from dplens.analyst.planning.solving import solve
from dplens.analyst.tests.base import AnalystTest, checked_test
from dplens.decide.doors import shared as doors
from dplens.decide.doors.concessions import effect_words, nearest, no_effect
from dplens.decide.doors.decision import Concession, Decision, NoiseRange, Option, amount
from dplens.decide.doors.review import (
    needed_power,
    percents,
    power_without_noise,
    rounded_down,
    three_digits,
    towards_risk,
)
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.risk.base import Question, Requirement
from dplens.risk.conversions import Epsilon, Mu
from dplens.risk.rates import Advantage
from dplens.telling import Figure, Told


def utility_first(
    test: AnalystTest,
    *,
    family: Any = None,
    min_power: float | None = None,
    max_power_loss: float | None = None,
    sensitivity: float | None = None,
    limit: Requirement | Any = None,
    neighbours: str | None = None,
    prior: float = 0.1,
    fpr: float = 0.01,
) -> Decision:
    """The most noise that a test tolerates, and the disclosure risk that must then be accepted.

    family: one or several names, or functions of an amount of noise; by default all that fit what is published.
    min_power: the required power; or max_power_loss: the share of the power without noise that may be lost (Fondeville
    §5.2). sensitivity: of the published number, by default from the test's bounds. limit: an optional tolerable risk;
    families that exceed it are not recommended, and the feasible range of noise begins where it is met. neighbours,
    prior, fpr: see ``privacy_first``.

    The family with the mildest failure mode at that power is recommended, as in ``privacy_first``; within a mode, the
    one with the strongest guarantee (by the trade-off curve, then by the advantage).

    >>> import dplens as dl
    >>> t = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1))
    >>> d = dl.utility_first(t, family="gaussian", max_power_loss=0.01)
    >>> round(d.recommended.risk(dl.Mu), 4), round(d.recommended.noise, 5)
    (0.286, 0.03497)
    """
    checked_test(test)
    wanted = wanted_power(test, max_power_loss, min_power)
    size = Sensitivity(test, sensitivity, doors.neighbours_of(test, neighbours))
    kinds = doors.families_of(family, test, size.in_norm(1))
    door = doors.Door(() if limit is None else doors.limits_of(limit), size, wanted, prior, fpr)
    return _decision(test, door, wanted, kinds, max_power_loss)


def _option(test: AnalystTest, door: doors.Door, wanted: float, kind: NoiseFamily) -> Option:
    """A family at the most noise that leaves the power, or the reason why it is out."""
    size = door.size
    why = refused(kind, size)
    if why is not None:
        return doors.left_out(kind, why)
    fit = door.least(kind) if door.limits else None
    low = 0.0 if fit is None else math.inf if isinstance(fit, str) else float(fit.value)
    try:
        most = most_noise(test, lambda x: size.make(kind, x), wanted)
    except Unsolvable as error:
        why = str(error)
        if error.reason == "power without noise":
            why = Told("decide-too-weak", power=rounded_down(error.best or 0.0), needed=needed_power(wanted))
        return doors.left_out(kind, why, feasible=NoiseRange(parameter=kind.parameter, low=low, high=0.0))
    feasible = NoiseRange(parameter=kind.parameter, low=low, high=most)
    found = door.option(kind, most, size.seen(kind, most), feasible=feasible)
    exceeded = [r for r in door.limits if not r.met_by(found.seen)]
    told = {"parameter": kind.parameter, "amount": Figure(amount(most, at_least=False))}
    if isinstance(fit, str):
        why = fit
    elif exceeded:
        broken = doors.violations(exceeded, dict(found.risks))
        why = Told("decide-too-much", violations=broken, **told, **size.spent.told)
    else:
        why = Told("decide-leaves", power=rounded_down(float(found.power or 0)), **told)
    return replace(found, admissible=not isinstance(fit, str) and not exceeded, why=why)


def _decision(
    test: AnalystTest, door: doors.Door, wanted: float, kinds: tuple[NoiseFamily, ...], loss: float | None
) -> Decision:
    size, options = door.size, [_option(test, door, wanted, kind) for kind in kinds]
    good = doors.ranked(o for o in options if o.admissible)
    some = doors.ranked(o for o in options if not o.admissible and o.mechanism is not None)
    rest = [o for o in options if not o.admissible and o.mechanism is None]
    without = test.power()
    reasons: list[Told] = [_needs(wanted, loss, without)]
    reasons += [Told("decide-reason", family=o.family, why=o.why) for o in (*good, *some, *rest)]
    best = shown = good[0] if good else None
    conceded: tuple[Any, ...] = ()
    if best is not None:
        told = {"mu": three_digits(float(best.risk(Mu) or 0)), "epsilon": three_digits(float(best.risk(Epsilon) or 0))}
        reasons += [*_grounds(best, good[1:]), Told("decide-accepted", **told, **size.spent.told)]
    else:
        reasons.append(Told("decide-none-serves"))
        named = {k.name: k for k in kinds}
        ranges = [(named[o.family], o.feasible) for o in some if o.feasible is not None]
        conceded = door.concessions(ranges) if some else _even_without(test, wanted)
        near = nearest(ranges, size, door.limits)
        shown = some[near] if near is not None else next((o for o in rest if o.feasible is not None), None)
    return door.decision(
        shown,
        door="utility_first",
        options=(*good, *some, *rest),
        recommended=best,
        reasons=tuple(reasons),
        concessions=conceded,
    )


def _needs(wanted: float, loss: float | None, without: Estimate) -> Told:
    """The required power, and what a relative loss refers to: the upper end without noise, if that is simulated."""
    told = {"needed": needed_power(wanted), "known": power_without_noise(without)}
    if loss is None:
        return Told("decide-needs", **told)
    low, high = percents(without)
    most = Figure(f"{100 * without.high:.4g} %") if low < high else told["known"]
    return Told("decide-needs-less", loss=Figure(f"{100 * float(loss):.6g} %"), most=most, **told)


def _grounds(best: Option, others: list[Option]) -> list[Told]:
    """Why an option is preferred, naming the first measure by which another one is better."""
    if not others:
        return [Told("decide-best-only", family=best.family)]

    def risk(option: Option, q: Question) -> float:
        return float(dict(option.risks)[q]) * (1 if q.more_is_riskier else -1)

    like = [o for o in others if doors.severity(o) == doors.severity(best)]
    rivals = ((q, min(like or others, key=lambda o: risk(o, q))) for q, _ in best.risks)
    better = (
        (q, o, *(towards_risk(q, abs(risk(x, q))) for x in (o, best)))
        for q, o in rivals
        if risk(o, q) < risk(best, q) and not math.isclose(risk(o, q), risk(best, q), rel_tol=0.005)
    )
    less = next((one for one in better if one[2] != one[3]), None)  # visible in three digits
    if less is None:
        key = "decide-best-alone" if not like else "decide-best-all" if like == others else "decide-best-mild"
        return [Told(key, family=best.family)]
    question, rival, theirs, own = less
    advantage = towards_risk(Advantage(), float(best.risk(Advantage) or 0))
    said = Told("decide-best-alone", family=best.family)
    if like:
        mildest = "no" if like == others else "yes"
        said = Told("decide-best-advantage", family=best.family, mildest=mildest, advantage=advantage)
    told = {"rival": rival.family, "family": best.family, "theirs": theirs, "own": own}
    return [said, Told("decide-not-best", question=question, **told)]


def _even_without(test: AnalystTest, wanted: float) -> tuple[Concession, ...]:
    """The n or effect that would be needed if the power is too low even without noise."""
    found = []
    for what in ("n", "effect"):
        now = getattr(test, what)
        try:
            needed = float(solve(test, power=wanted, **{what: None}).value)
            shown = f"{needed:.0f}" if what == "n" else effect_words(needed, 6)
            said = Told(f"concede-without-{what}", needed=Figure(shown), now=Figure(f"{now:g}"))
        except Undefined as error:
            needed, said = None, Told("concede-without-unknown", what=what, why=str(error))
            if what == "effect" and isinstance(error, Unsolvable) and error.reason == "largest effect":
                said = Told("concede-without-most", why=no_effect(test))
        found.append(Concession(what=what, now=float(now), needed=needed, sentence=said))
    return tuple(found)
