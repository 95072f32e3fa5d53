"""What both doors share: families, readings of risk, what would have to give."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dplens import _validate
from dplens.decide.decision import Concession, Option
from dplens.decide.dominance import standing
from dplens.decide.review import question_words, towards_risk
from dplens.decide.unreachable import number
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.base import as_curve
from dplens.risk.base import Question, Requirement
from dplens.risk.bayes import Posterior
from dplens.risk.conversions import Epsilon, Mu
from dplens.risk.disclosure import FailureMode, RelativeRisk
from dplens.risk.rates import Advantage, AttackPower
from dplens.utility.base import AnalystTest
from dplens.utility.limits import FAMILIES, NoiseFamily, Unsolvable, most_noise, noise_family
from dplens.utility.protection import Sensitivity
from dplens.utility.solving import solve

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
        whole = test._surely_whole() if test is not None else False
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


def is_grave(option: Option) -> bool:
    """Whether it can fail catastrophically, or may for all that is known."""
    return RANK[option.failure or FailureMode.UNDETERMINED] > RANK[FailureMode.GRACEFUL]


def stronger(first: Option, second: Option) -> int:
    """−1 where the first gives the stronger guarantee, 1 where the second does.

    What can fail catastrophically, or may for all that is known, comes last; then it is proven by curves, else by the
    advantage, which such a failure hardly shows in.
    """
    if is_grave(first) != is_grave(second):
        return 1 if is_grave(first) else -1
    kind = standing(as_curve(first.mechanism), as_curve(second.mechanism)).kind
    if kind in ("safer", "riskier"):
        return -1 if kind == "safer" else 1
    a, b = (float(o.risk(Advantage) or 0.0) for o in (first, second))
    return (a > b) - (a < b)


def concessions(
    test: AnalystTest,
    option: Option,
    kind: NoiseFamily,
    size: Sensitivity,
    wanted: float,
    limit: tuple[Requirement, ...],
) -> tuple[Concession, ...]:
    """By how much n, the effect or the limit would have to give for this option to serve both sides."""
    noise = float(option.noise or 0.0)
    found = [_more_records(test, kind, size, noise, wanted), _larger_effect(test, option.mechanism, wanted)]
    return tuple(c for c in (*found, *looser_limit(test, kind, size, wanted, limit)) if c is not None)


def _more_records(
    test: AnalystTest, kind: NoiseFamily, size: Sensitivity, noise: float, wanted: float
) -> Concession | None:
    n = getattr(test, "n", None)
    if n is None:
        return None

    def make(records: int) -> Any:
        factor = size.at(records)
        return kind(noise * factor, size.of(kind) * factor, size.neighbours)

    try:
        needed = int(solve(test, n=None, power=wanted, noise=make).value)
    except Unsolvable as error:
        said = f"No number of records would do, for the noise does not shrink with them: {n} is not what is missing."
        if error.reason != "noise":
            said = f"The number of records that would do was not found. {error}"
        return Concession(what="n", now=n, needed=None, sentence=said)
    except (Undefined, ArithmeticError) as error:
        said = f"The number of records that would do was not found. {error}"
        return Concession(what="n", now=n, needed=None, sentence=said)
    said = f"{needed} records instead of {n} would do ({needed / n:.3g} times as many), the limit staying as it is."
    return Concession(what="n", now=n, needed=needed, sentence=said)


def _larger_effect(test: AnalystTest, mechanism: Any, wanted: float) -> Concession:
    try:
        needed = float(solve(test, effect=None, power=wanted, noise=mechanism).value)
    except (Undefined, ArithmeticError):
        return Concession(what="effect", now=test.effect, needed=None, sentence=no_effect(test))
    said = f"An effect of {needed:.4g} instead of {test.effect:g} would be found that surely under the limit."
    return Concession(what="effect", now=test.effect, needed=needed, sentence=said)


def no_effect(test: AnalystTest) -> str:
    """Where even the largest effect would be missed too often."""
    most = test.largest_effect()
    if not math.isfinite(most):
        return "No effect is large enough to be found that surely."
    return f"No effect within the range would do: not even the largest that is possible, {most:.4g}."


def looser_limit(
    test: AnalystTest, kind: NoiseFamily, size: Sensitivity, wanted: float, limit: tuple[Requirement, ...]
) -> list[Concession]:
    """What the limits would have to be at the most noise that leaves the analyst the power."""
    try:
        mechanism = size.make(kind, most_noise(test, lambda x: size.make(kind, x), wanted))
    except Unsolvable:
        return [
            Concession(
                what="limit",
                now=r.bound,
                needed=None,
                sentence=f"No limit would do: even without noise the power is below {wanted:g}.",
            )
            for r in limit[:1]
        ]
    found = []
    for r in limit:
        needed = float(r.question.of(mechanism))
        if needed <= r.bound if r.question.more_is_riskier else needed >= r.bound:
            continue
        said = (
            f"The limit would have to give: {question_words(r.question)} would be {towards_risk(r.question, needed)} "
            f"instead of {number(r.bound)}."
        )
        found.append(Concession(what="limit", now=r.bound, needed=needed, sentence=said))
    return found
