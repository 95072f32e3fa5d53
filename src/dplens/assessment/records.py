"""The parts of an assessment: small frozen records that are written as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from dplens import _validate
from dplens.assessment.fields import Json, Record, as_json, listed, mapped
from dplens.describe.questions import (
    is_known,
    question_name,
    read_question,
    read_requirement,
    write_question,
    write_requirement,
)
from dplens.describe.releases import read_release, write_release
from dplens.describe.values import read_estimate, write_estimate
from dplens.estimate import Estimate
from dplens.mechanisms.base import NEIGHBOURS
from dplens.risk.base import Question, Requirement
from dplens.risk.disclosure import FailureMode

SETTINGS = ("central", "local")
DELTA_SOURCES = ("given", "from_n", "default")
SAMPLING = ("poisson", "without_replacement", "one_in_clear", "unknown")


@dataclass(frozen=True, kw_only=True)
class Answer(Record):
    """A question and its answer, with the certificate that goes with every printed number."""

    question: Question
    estimate: Estimate

    def __post_init__(self) -> None:
        _validate.instance("question", self.question, Question, "to be a Question")
        super().__post_init__()

    @property
    def name(self) -> str:
        """The question's name in files: ``attack_power``."""
        return question_name(self.question)

    @property
    def route(self) -> str:
        """How the number is known: ``"exact"``, or the numerical method."""
        return self.estimate.route

    @property
    def width(self) -> float:
        """high − low."""
        low, high = self.estimate.low, self.estimate.high
        return 0.0 if low == high else high - low

    @property
    def rough(self) -> bool:
        """Whether the bracket is wider than 1 % of its upper end, and than the rounding of a probability near 0."""
        return self.width > 0 and (math.isinf(self.width) or self.width > max(0.01 * abs(self.estimate.high), 1e-14))

    @property
    def note(self) -> str:
        """What the certificate rests on beyond arithmetic."""
        return self.estimate.certificate.note if self.estimate.certificate else ""

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {**write_question(self.question), **write_estimate(self.estimate)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Answer:
        """What :meth:`to_dict` wrote."""
        number = ("value", "low", "high", "certificate")
        own = {k: v for k, v in mapped("answer", data).items() if k not in number}
        question = read_question(own, answered=True)
        return cls(question=question, estimate=_possible(question, read_estimate(data, str(question))))


def _possible(question: Question, estimate: Estimate) -> Estimate:
    """An answer from a file, checked against the range of its question."""
    if is_known(question) and not (estimate.low >= 0 and estimate.high <= question.ceiling * (1 + 1e-9)):
        shown = _validate.Shown(f"{estimate.low!r} to {estimate.high!r}")
        raise _validate.reject(f"the answer to {question}", f"in [0, {question.ceiling:g}]", shown)
    return estimate


def by_name(given: Any) -> list[tuple[str, Any]]:
    """One or several objects with their names; only mappings give names."""
    if isinstance(given, Mapping):
        return [(str(name), one) for name, one in given.items()]
    several = given if isinstance(given, Sequence) and not isinstance(given, (str, bytes)) else [given]
    return [("", one) for one in several]


def answers_from(name: str, data: Any) -> tuple[Answer, ...]:
    """The answers that were written."""
    return tuple(Answer.from_dict(a) for a in listed(name, data))


ABOUT = ("release", "related", "analyst")  # whom verdicts are about, beside attackers by their names


@dataclass(frozen=True, kw_only=True)
class LimitVerdict(Record):
    """A limit with the answer to its question, and whether it is provably kept.

    about: ``"release"``, ``"related"`` for all attackers on related records at once, or the name of one.
    """

    requirement: Requirement
    estimate: Estimate
    about: str = "release"

    def __post_init__(self) -> None:
        _validate.instance("requirement", self.requirement, Requirement, "to be a Requirement")
        super().__post_init__()

    @property
    def met(self) -> bool:
        """Whether the safe side of the answer keeps the bound."""
        answer, bound = float(self.estimate), self.requirement.bound
        return answer <= bound if self.requirement.question.more_is_riskier else answer >= bound

    @property
    def open(self) -> bool:
        """Whether the bound lies within the bracket of the answer, so that it may be kept but that is not proved."""
        estimate, bound = self.estimate, self.requirement.bound
        may = estimate.low <= bound if self.requirement.question.more_is_riskier else estimate.high >= bound
        return may and not self.met

    @property
    def answer(self) -> Answer:
        """The answer without the limit."""
        return Answer(question=self.requirement.question, estimate=self.estimate)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        limit = write_requirement(self.requirement)
        return {"limit": limit, **write_estimate(self.estimate), "about": self.about, "met": self.met}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> LimitVerdict:
        """What :meth:`to_dict` wrote."""
        found = mapped("limit", data, ("limit", "about"))
        requirement = read_requirement(found["limit"], answered=True)
        question = requirement.question
        estimate = _possible(question, read_estimate(found, str(question)))
        return cls(requirement=requirement, estimate=estimate, about=found["about"])


@dataclass(frozen=True, kw_only=True)
class Attacker(Record):
    """An attacker and his prior belief; ``name`` if the user gave one."""

    prior: float
    name: str = ""
    own: bool = False  # the user's, not one of those that are always shown

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior", _validate.prior(self.prior))
        super().__post_init__()


@dataclass(frozen=True, kw_only=True)
class Assumptions(Record):
    """What every number rests on.

    neighbours: which two data sets are compared (empty for a hypothesis about a value). unit: what one record stands
    for. n: how many records, if known. delta: at which epsilon is quoted; delta_source: ``"given"``, ``"from_n"`` or
    ``"default"``. sampling: the schemes by which releases look at a random part only, and ``"unknown"`` where a
    bare guarantee does not say. setting: ``"central"`` (one holder of the data adds the noise) or ``"local"`` (each
    person does). fpr: the false-positive rate of the attacker in the pairs of numbers.
    """

    neighbours: str
    unit: str
    n: int | None
    delta: float
    delta_source: str
    sampling: tuple[str, ...]
    setting: str
    fpr: float

    def __post_init__(self) -> None:
        super().__post_init__()
        _validate.one_of("neighbours", self.neighbours, ("", *NEIGHBOURS))
        if not self.unit.strip():
            raise _validate.reject("unit", "to be a word for what one record stands for", self.unit)
        if self.n is not None:
            _validate.count("n", self.n)
        _validate.real("delta", self.delta, "in [0, 1)", lambda x: 0 <= x < 1)
        _validate.one_of("delta_source", self.delta_source, DELTA_SOURCES)
        for scheme in self.sampling:
            _validate.one_of("sampling", scheme, SAMPLING)
        _validate.one_of("setting", self.setting, SETTINGS)
        _validate.open_probability("fpr", self.fpr)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Assumptions:
        """What :meth:`to_dict` wrote, or an earlier version with another name for ``fpr``."""
        found = mapped("assumptions", data)
        return super().from_dict({"fpr" if key == "accusing_at" else key: value for key, value in found.items()})

    @property
    def accusing_at(self) -> float:
        """The former name of ``fpr``."""
        _validate.deprecated("accusing_at", "fpr")
        return self.fpr

    @property
    def told_apart(self) -> str:
        """What the attacker distinguishes: ``neighbours``, or ``"local"`` for two true answers of one person."""
        return "local" if self.neighbours and self.setting == "local" else self.neighbours


@dataclass(frozen=True, kw_only=True)
class Declaration(Record):
    """Statements by those responsible, which no computation can replace (Fondeville, Section 5).

    purpose: what the data are used for. benefits: what is expected of it. nature: of the data, how sensitive they are.
    recipients: who will see what is released. decided_by, reasons: who accepts the risk, and why.
    """

    purpose: str = ""
    benefits: str = ""
    nature: str = ""
    recipients: str = ""
    decided_by: str = ""
    reasons: str = ""

    def items(self) -> tuple[tuple[str, str], ...]:
        """Everything that was declared, in order."""
        return tuple((f.name, getattr(self, f.name)) for f in fields(self) if getattr(self, f.name))


@dataclass(frozen=True, kw_only=True)
class RelatedAttacker(Record):
    """An attacker on related records: whom he targets, what he knows, and what he finds out.

    known: the indices of the tuples he knows, with their values where these were given (``None`` where not).
    determined: he knew the target beforehand. leakage: the largest log-ratio between two values of the target.
    value, belief: where the model leaves two values of the target given what he knows, the larger one and its
    probability before the release.
    """

    name: str
    target: int
    known: tuple[tuple[int, float | None], ...]
    determined: bool
    failure: str
    leakage: Estimate
    answers: tuple[Answer, ...]
    value: float | None = None
    belief: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _validate.one_of("failure", self.failure, tuple(mode.value for mode in FailureMode))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> RelatedAttacker:
        """What :meth:`to_dict` wrote."""
        found = cls._values("attacker", data)
        found["answers"] = answers_from("answers", data["answers"])
        return cls(**found)


@dataclass(frozen=True, kw_only=True)
class Related(Record):
    """What attackers learn from related records.

    model: the data model as plain values (JSON text). weights: of the released sum, empty for all 1. attackers: those
    the user named. worst: the worst that was found, by ``method``; exhaustive: whether no other can be worse; bound:
    on epsilon(``delta``) of every attacker; compared: how many were; by_known: the largest epsilon(``delta``) by the
    number of known tuples. everyone: the same questions asked of all attackers at once, of whom another one may be the
    worst at each.
    """

    model: Json
    weights: tuple[float, ...]
    attackers: tuple[RelatedAttacker, ...]
    worst: RelatedAttacker
    method: str
    exhaustive: bool
    bound: float
    compared: int
    delta: float
    by_known: tuple[float, ...]
    everyone: tuple[Answer, ...] = ()

    @property
    def all_answers(self) -> tuple[Answer, ...]:
        """Answers about all attackers at once, the worst one, and those the user named."""
        return (*self.everyone, *(a for who in (self.worst, *self.attackers) for a in who.answers))

    @property
    def beliefs(self) -> tuple[float, ...]:
        """Prior beliefs from the model, for each attacker who has one."""
        return tuple(who.belief for who in (self.worst, *self.attackers) if who.belief is not None)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Related:
        """What :meth:`to_dict` wrote."""
        from dplens.describe.models import read_model  # loads the models, which few assessments need

        found = cls._values("related", data, optional=("everyone",))  # earlier versions did not write it
        n = read_model(data["model"]).n
        made = {
            "model": as_json(data["model"]),
            "attackers": tuple(RelatedAttacker.from_dict(a) for a in listed("attackers", data["attackers"])),
            "worst": RelatedAttacker.from_dict(data["worst"]),
            "everyone": answers_from("everyone", data.get("everyone", ())),
        }
        for who in (made["worst"], *made["attackers"]):
            for index in (who.target, *(i for i, _ in who.known)):
                if index >= n:
                    raise _validate.reject("target and known", f"to be indices of {n} tuples", index)
        return cls(**(found | made))


@dataclass(frozen=True, kw_only=True)
class AnalystAnswer(Record):
    """A test of the analyst with its power with and without the noise.

    test, reads: the test and the noise on the number it reads, as JSON text. effect, level: of the test. power: its
    float is the lower end, since power is not promised too high. min_power: what is needed, if that was said.
    """

    name: str
    test: Json
    reads: Json
    effect: float
    level: float
    power: Estimate
    power_without_noise: Estimate
    min_power: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_power is not None:
            _validate.open_probability("min_power", self.min_power)

    @property
    def met(self) -> bool:
        """Whether the required power is provably reached."""
        return self.min_power is None or self.power.low >= self.min_power

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return super().to_dict() | {"met": self.met}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> AnalystAnswer:
        """What :meth:`to_dict` wrote."""
        from dplens.describe.analyses import rewritten_test

        found = cls._values("analyst", data, more=("met",))
        for key in ("power", "power_without_noise"):
            for end in (found[key].low, found[key].high):
                _validate.probability(key, end)
        found["test"] = as_json(rewritten_test(data["test"]))
        found["reads"] = as_json(write_release(read_release(data["reads"])))
        return cls(**found)
