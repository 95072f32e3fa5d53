"""Common parts of both doors: families, limits, risks, the order of preference, assumptions."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dplens import _validate
from dplens.analyst.planning.noise_limits import FAMILIES, NoiseFamily, noise_family
from dplens.analyst.planning.protection import Sensitivity, Spent
from dplens.analyst.tests.base import AnalystTest
from dplens.decide.calibration.calibrate import Calibration, calibrate, requirements_of
from dplens.decide.calibration.unreachable import FamilyError, Unreachable
from dplens.decide.comparison.dominance import standing
from dplens.decide.doors.concessions import Ranges, concessions
from dplens.decide.doors.decision import Concession, Decision, Option, amount
from dplens.decide.doors.review import analyst_sentence, attacker_sentence, bound_words, towards_risk, unreachable_words
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.base import as_curve
from dplens.risk.base import Question, Requirement
from dplens.risk.bayes import Posterior
from dplens.risk.conversions import Epsilon, Mu
from dplens.risk.disclosure import MILDEST_FIRST, FailureMode, RelativeRisk, failure_mode
from dplens.risk.rates import Advantage, AttackPower
from dplens.telling import Figure, Told

TIE = 0.005  # powers that differ by less are equal when shown as percents


def families_of(families: Any, test: AnalystTest | None, sensitivity: float) -> tuple[NoiseFamily, ...]:
    """Families by name or as functions; by default all that fit what is published."""
    if families is None:
        whole = test._kind.integer if test is not None else False
        return tuple(f for f in FAMILIES.values() if not f.whole or (whole and sensitivity == math.floor(sensitivity)))
    rule = "to be names of families or functions of an amount of noise"
    if isinstance(families, Mapping) and families:
        for name, make in families.items():
            if not callable(make) or isinstance(make, type):
                raise _validate.reject_type(f"families[{name!r}]", "to be a function of an amount of noise", make)
        return tuple(noise_family(make, name) for name, make in families.items())
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


def limits_of(limit: Any) -> tuple[Requirement, ...]:
    """The tolerable risk as a tuple of requirements."""
    return requirements_of("limit", limit, "dplens.RelativeRisk(fpr=0.01).at_most(5)")


def neighbours_of(test: AnalystTest | None, neighbours: Any) -> str:
    """The given relation, or the one that the test's sensitivity refers to."""
    if neighbours is None:
        return test.neighbours if test is not None else "add_remove"
    return _validate.one_of("neighbours", neighbours, ("add_remove", "replace"))


def readings(
    mechanism: Any, limit: tuple[Requirement, ...], prior: float, fpr: float
) -> tuple[tuple[Question, Estimate], ...]:
    """Answers to the limited questions and to the usual ones."""
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
    questions = dict.fromkeys((*(r.question for r in limit), *usual))
    return tuple((q, q.of(curve)) for q in questions)


def left_out(kind: NoiseFamily, why: str, **known: Any) -> Option:
    """An inadmissible family, with the reason and other known fields."""
    return Option(family=kind.name, admissible=False, why=why, parameter=kind.parameter, **known)


@dataclass(frozen=True)
class Door:
    """The common inputs of both doors: limits, sensitivity, test, and required power."""

    limits: tuple[Requirement, ...]
    size: Sensitivity
    wanted: float | None
    prior: float
    fpr: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior", _validate.prior(self.prior))
        object.__setattr__(self, "fpr", _validate.open_probability("fpr", self.fpr))

    @cached_property
    def overspent(self) -> str | None:
        """A sentence, if earlier releases alone break a limit."""
        return overspent(self.size.spent, self.size.neighbours, self.limits)

    def least(self, kind: NoiseFamily) -> Calibration | str:
        """The least noise that meets the limits, or a sentence on why there is none."""
        if self.overspent is not None:
            return self.overspent
        start = max(self.size.of(kind), 1e-290)
        try:
            return calibrate(lambda x: self.size.seen(kind, x), meet=self.limits, start=start)
        except (Undefined, FamilyError) as error:
            return unreachable_words(error) if isinstance(error, Unreachable) else str(error)

    def option(self, kind: NoiseFamily, noise: float, seen: Any, **more: Any) -> Option:
        """A family at an amount of noise: the risk from an attacker who sees ``seen``, and the analyst's power."""
        test, mechanism, mode = self.size.test, self.size.make(kind, noise), failure_mode(seen)
        if test is not None:
            power, without = test.power(mechanism), test.power()
            sentence = analyst_sentence(test, power, without)
            more |= {"power": power, "power_without_noise": without, "analyst": sentence}
        return Option(
            family=kind.name,
            parameter=kind.parameter,
            noise=noise,
            mechanism=mechanism,
            seen=seen,
            failure=mode,
            risks=readings(seen, self.limits, self.prior, self.fpr),
            attacker=attacker_sentence(seen, mode, self.prior, self.fpr, self.size.spent),
            **{"admissible": True, "why": "", **more},
        )

    def concessions(self, ranges: Ranges) -> tuple[Concession, ...]:
        """The changes with which one of the families would suit both sides."""
        if self.size.test is None or self.wanted is None:
            return ()
        return concessions(self.size.test, ranges, self.size, self.wanted, self.limits)

    def decision(self, shown: Option | None, **found: Any) -> Decision:
        """The decision; its range of noise is that of the option ``shown``."""
        test = self.size.test
        return Decision(
            feasible=None if shown is None else shown.feasible,
            limit=self.limits,
            wanted_power=self.wanted,
            planning=() if test is None else tuple(test.sources().items()),
            assumptions=assumptions_of(self.size),
            **found,
        )


def overspent(spent: Spent, neighbours: str, limits: tuple[Requirement, ...]) -> Told | None:
    """A sentence, if the releases that planning values were read from break a limit by themselves."""
    alone = spent.alone(neighbours)
    broken = [] if alone is None else [r for r in limits if not r.met_by(alone)]
    if not broken:
        return None
    answers = {r.question: r.question.of(alone) for r in broken}
    return Told("decide-overspent", violations=violations(broken, answers), **spent.told)


def violations(broken: Sequence[Requirement], answers: Mapping[Question, Estimate]) -> list[Told]:
    """The broken limits with the answers that break them."""
    told = [(r.question, towards_risk(r.question, float(answers[r.question])), r.bound) for r in broken]
    return [Told("decide-violation", question=q, answer=x, bound=bound_words(q, bound)) for q, x, bound in told]


def severity(option: Option) -> int:
    """How severely it can fail: 0 if it cannot."""
    return MILDEST_FIRST.index(option.failure or FailureMode.UNDETERMINED)


def ranked(options: Iterable[Option], *, by_power: bool = False) -> list[Option]:
    """Options in the order in which both doors recommend them.

    The mildest failure mode comes first. Within a mode, ``by_power`` orders by power if that differs by at least
    ``TIE``; ties are broken by the strength of the guarantee.
    """

    def order(first: Option, second: Option) -> int:
        if severity(first) != severity(second):
            return severity(first) - severity(second)
        if by_power and first.power is not None and second.power is not None:
            gain = float(first.power) - float(second.power)
            if abs(gain) >= TIE:
                return -1 if gain > 0 else 1
        return _stronger(first, second)

    return sorted(options, key=functools.cmp_to_key(order))


def _stronger(first: Option, second: Option) -> int:
    """−1 if the first gives the stronger guarantee, 1 if the second does: by their curves, else by the advantage.

    Earlier releases can be ignored, since composition preserves the order of curves (Dong, Roth & Su 2022, Section
    3.1).
    """
    kind = standing(as_curve(first.mechanism), as_curve(second.mechanism)).kind
    if kind in ("safer", "riskier"):
        return -1 if kind == "safer" else 1
    a, b = (float(o.risk(Advantage) or 0.0) for o in (first, second))
    return (a > b) - (a < b)


def assumptions_of(size: Sensitivity) -> tuple[str, ...]:
    """The assumptions behind the attacker's numbers, as sentences."""
    most, root = (Figure(amount(size.in_norm(norm), at_least=True, digits=6)) for norm in (1, 2))
    key = "assume-neighbours" if size.in_norm(2) == size.in_norm(1) else "assume-neighbours-several"
    told = Told(key, neighbours=size.neighbours, most=most, root=root)
    found: tuple[str, ...] = (told, Told("assume-unit"), Told("assume-deltas"))
    if size.test is not None:
        found += tuple(filter(None, (size.test._model(), size.test._proviso())))
        found = (*size.spent.counted(), *found)
    if size.neighbours == "add_remove" and size.test is not None and size.test._kind.divided:
        return (*found, _divided(size.test))
    return found


def _divided(test: AnalystTest) -> Told:
    """How to divide if there are fewer records than planned, as the sensitivity of a mean requires."""
    n, n2, bounds = (getattr(test, name, None) for name in ("n", "n2", "bounds"))
    centre = "null" if test._null_is_possible() else "any" if bounds is None else "bounds"
    low, high = ("", "") if bounds is None else (Figure(f"{end:g}") for end in bounds)
    more = {"groups": "no" if n2 is None else "yes", "low": low, "high": high, "null": Figure(f"{test.null:g}")}
    return Told("assume-divided", centre=centre, n=Figure(n), n2=Figure(n2), **more)
