"""What both doors share: families, limits, readings of risk."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dplens import _validate
from dplens.decide.decision import Option
from dplens.decide.dominance import standing
from dplens.decide.review import analyst_sentence, attacker_sentence, question_words, towards_risk
from dplens.decide.unreachable import number
from dplens.estimate import Estimate
from dplens.mechanisms.base import as_curve
from dplens.risk.base import Question, Requirement
from dplens.risk.bayes import Posterior
from dplens.risk.conversions import Epsilon, Mu
from dplens.risk.disclosure import FailureMode, RelativeRisk, failure_mode
from dplens.risk.rates import Advantage, AttackPower
from dplens.utility.base import AnalystTest
from dplens.utility.limits import FAMILIES, NoiseFamily, noise_family
from dplens.utility.protection import Sensitivity
from dplens.utility.spent import Spent

RANK = {
    FailureMode.NONE: 0,
    FailureMode.GRACEFUL: 1,
    FailureMode.UNDETERMINED: 2,
    FailureMode.CATASTROPHIC: 3,
}
TIE = 0.005  # powers that differ by less are the same to a reader of percents


def families_of(families: Any, test: AnalystTest | None, sensitivity: float) -> tuple[NoiseFamily, ...]:
    """Families by name, or given as functions; by default all that fit what is published."""
    if families is None:
        whole = test._kind.surely if test is not None else False
        return tuple(f for f in FAMILIES.values() if not f.whole or (whole and sensitivity == math.floor(sensitivity)))
    rule = "to be names of families or functions of an amount of noise"
    if isinstance(families, Mapping) and families:
        for name, make in families.items():
            if not callable(make) or isinstance(make, type):
                raise _validate.reject_type(f"families[{name!r}]", "to be a function of an amount of noise", make)
        return tuple(
            NoiseFamily(str(name), "noise", lambda x, d, m, make=make: make(x)) for name, make in families.items()
        )
    if isinstance(families, str) or callable(families):
        return (noise_family(families),)
    if not isinstance(families, Sequence) or not families:
        raise _validate.reject_type("families", rule, families)
    found = tuple(noise_family(f) for f in families)
    names = [f.name for f in found]
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        remedy = "Pass functions as a mapping from names to them."
        raise _validate.reject("families", "to have names of their own", twice[0], remedy)
    return found


def limits_of(limit: Any, name: str = "limit") -> tuple[Requirement, ...]:
    """One requirement or several."""
    if isinstance(limit, Requirement):
        return (limit,)
    remedy = "Pass for instance dplens.RelativeRisk(fpr=0.01).at_most(5)."
    if isinstance(limit, (str, bytes)) or not isinstance(limit, Sequence) or not limit:
        raise _validate.reject_type(name, "to be a requirement, or several", limit, remedy)
    for i, r in enumerate(limit):
        if not isinstance(r, Requirement):
            raise _validate.reject_type(f"{name}[{i}]", "to be a requirement", r, remedy)
    return tuple(limit)


def neighbours_of(test: AnalystTest | None, neighbours: Any) -> str:
    """Given, or those that the test's sensitivity refers to."""
    if neighbours is None:
        return test.neighbours if test is not None else "add_remove"
    return _validate.one_of("neighbours", neighbours, ("add_remove", "replace"))


def readings(
    mechanism: Any, limit: tuple[Requirement, ...], prior: float, fpr: float
) -> tuple[tuple[Question, Estimate], ...]:
    """What the attacker can do: the questions that were limited, then the usual ones."""
    curve = as_curve(mechanism)
    usual = (
        AttackPower(fpr=fpr),
        RelativeRisk(fpr=fpr),
        RelativeRisk(),
        Posterior(prior=prior, fpr=fpr),
        Advantage(),
        Mu(),
        Epsilon(),
        Epsilon(delta=1e-6),
    )
    asked = dict.fromkeys((*(r.question for r in limit), *usual))
    return tuple((q, q.of(curve)) for q in asked)


def left_out(kind: NoiseFamily, why: str, **known: Any) -> Option:
    """A family that may not be used, and why; ``known``: what is said of it all the same."""
    return Option(family=kind.name, admissible=False, why=why, parameter=kind.parameter, **known)


def option_at(
    kind: NoiseFamily,
    noise: float,
    seen: Any,
    size: Sensitivity,
    limits: tuple[Requirement, ...],
    prior: float,
    fpr: float,
    **more: Any,
) -> Option:
    """A family at an amount of noise: what it means to the attacker, who sees ``seen``, and to the analyst."""
    test, mechanism, mode = size.test, size.make(kind, noise), failure_mode(seen)
    if test is not None:
        power, without = test.power(mechanism), test.power()
        said = analyst_sentence(test, power, without)
        more |= {"power": power, "power_without_noise": without, "analyst": said}
    return Option(
        family=kind.name,
        parameter=kind.parameter,
        noise=noise,
        mechanism=mechanism,
        seen=seen,
        failure=mode,
        risks=readings(seen, limits, prior, fpr),
        attacker=attacker_sentence(seen, mode, prior, fpr, size.spent.said),
        **{"admissible": True, "why": "", **more},
    )


def overspent(spent: Spent, neighbours: str, limits: tuple[Requirement, ...]) -> str | None:
    """Why no noise keeps the limits: what the plan's values were read from breaks one of them by itself."""
    alone = spent.alone(neighbours)
    broken = [] if alone is None else [r for r in limits if not r.met_by(alone)]
    if not broken:
        return None
    reached = (
        f"{question_words(q)} is {towards_risk(q, float(q.of(alone)))}, not {number(bound)}"
        for q, bound in ((r.question, r.bound) for r in broken)
    )
    return f"The release of {spent.said} alone breaks the limit: {'; '.join(reached)}."


def rank(option: Option) -> int:
    """How gravely it can fail: 0 where it cannot."""
    return RANK[option.failure or FailureMode.UNDETERMINED]


def ranked(options: Iterable[Option], *, by_power: bool = False) -> list[Option]:
    """Options in the order in which both doors recommend them.

    How they fail comes first: not at all, gracefully, in an unknown way, catastrophically. Among those that fail alike
    comes what the door looks for: with ``by_power`` the more power, as far as it differs by ``TIE``, then in any case
    the stronger guarantee.
    """

    def order(first: Option, second: Option) -> int:
        if rank(first) != rank(second):
            return 1 if rank(first) > rank(second) else -1
        a, b = (None if o.power is None else float(o.power) for o in (first, second))
        if by_power and a is not None and b is not None and abs(a - b) >= TIE:
            return -1 if a > b else 1
        return _stronger(first, second)

    return sorted(options, key=functools.cmp_to_key(order))


def _stronger(first: Option, second: Option) -> int:
    """−1 where the first gives the stronger guarantee, 1 where the second does, of two that fail alike.

    It is proven by curves, else by the advantage. What was released before stands beside both, and a curve above
    another stays above it in company (Dong, Roth & Su 2022, Section 3.1).
    """
    kind = standing(as_curve(first.mechanism), as_curve(second.mechanism)).kind
    if kind in ("safer", "riskier"):
        return -1 if kind == "safer" else 1
    a, b = (float(o.risk(Advantage) or 0.0) for o in (first, second))
    return (a > b) - (a < b)
