"""What an assessment is made of: small frozen records, each with its plain values."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from typing import Any

from dplens import _validate
from dplens.describe.questions import question_name, read_question, read_requirement, write_question, write_requirement
from dplens.describe.values import read, read_estimate, write_estimate, written
from dplens.estimate import Estimate
from dplens.risk.base import Question, Requirement

SETTINGS = ("central", "local")
DELTA_SOURCES = ("given", "from_n", "default")
_WIDE = 0.01  # relative
_NOTHING = 1e-14  # rounding of a probability that is next to 0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A question and its answer, with the certificate that goes with every printed number."""

    question: Question
    estimate: Estimate

    @property
    def name(self) -> str:
        """The question's name in files: ``attack_power``."""
        return question_name(self.question)

    @property
    def route(self) -> str:
        """How the number is known: ``"exact"``, or the numerical method."""
        return self.estimate.certificate.route if self.estimate.certificate else "unknown"

    @property
    def width(self) -> float:
        """high − low."""
        low, high = self.estimate.low, self.estimate.high
        return 0.0 if low == high else high - low

    @property
    def rough(self) -> bool:
        """Whether the bracket is so wide that a reader has to be told."""
        return self.width > 0 and (
            math.isinf(self.width) or self.width > max(_WIDE * abs(self.estimate.high), _NOTHING)
        )

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
        question = read_question({k: v for k, v in data.items() if k not in number})
        return cls(question=question, estimate=read_estimate(data))


ABOUT = ("release", "related", "analyst")  # whom verdicts are about, beside attackers by their names


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A limit, the answer to its question, and whether it is provably kept.

    about: ``"release"``, ``"related"`` for all attackers on related records at once, or the name of one.
    """

    requirement: Requirement
    estimate: Estimate
    about: str = "release"

    @property
    def met(self) -> bool:
        """Whether the safe side of the answer keeps the bound."""
        answer, bound = float(self.estimate), self.requirement.bound
        return answer <= bound if self.requirement.question.more_is_riskier else answer >= bound

    @property
    def open(self) -> bool:
        """Whether the bound may be kept though that is not proved: it lies within the bracket of the answer."""
        estimate, bound = self.estimate, self.requirement.bound
        may = estimate.low <= bound if self.requirement.question.more_is_riskier else estimate.high >= bound
        return may and not self.met

    @property
    def answer(self) -> Answer:
        """The answer by itself."""
        return Answer(question=self.requirement.question, estimate=self.estimate)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        limit = write_requirement(self.requirement)
        return {"limit": limit, **write_estimate(self.estimate), "about": self.about, "met": self.met}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Verdict:
        """What :meth:`to_dict` wrote."""
        requirement = read_requirement(data["limit"])
        return cls(requirement=requirement, estimate=read_estimate(data), about=data["about"])


@dataclass(frozen=True, kw_only=True)
class Attacker:
    """An attacker by what he believes beforehand; ``name`` where the user gave him one."""

    prior: float
    name: str = ""
    own: bool = False  # the user's, not one of those that are always shown

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior", _validate.prior(self.prior))


@dataclass(frozen=True, kw_only=True)
class Assumptions:
    """What every number rests on.

    neighbours: which two data sets are compared (empty for a hypothesis about a value). unit: what one record stands
    for. n: how many records, if known. delta: at which epsilon is quoted; delta_source: ``"given"``, ``"from_n"`` or
    ``"default"``. sampling: the schemes by which releases look at a random part only, and ``"unknown"`` where a
    bare guarantee does not say. setting: ``"central"`` (one
    holder of the data adds the noise) or ``"local"`` (each person does). accusing_at: the false-positive rate of the
    attacker in the pairs of numbers.
    """

    neighbours: str
    unit: str
    n: int | None
    delta: float
    delta_source: str
    sampling: tuple[str, ...]
    setting: str
    accusing_at: float

    @property
    def told_apart(self) -> str:
        """What the attacker decides between: ``neighbours``, or ``"local"`` for two true answers of one person."""
        return "local" if self.neighbours and self.setting == "local" else self.neighbours


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """What no computation can know (Fondeville, Section 5): declared by those who are responsible.

    purpose: what the data are used for. benefits: what is expected of it. nature: of the data, how sensitive they are.
    recipients: who will see what is released. decided_by, reasons: who accepts the risk, and why.
    """

    purpose: str = ""
    benefits: str = ""
    nature: str = ""
    recipients: str = ""
    decided_by: str = ""
    reasons: str = ""

    def __post_init__(self) -> None:
        for f in fields(self):
            if not isinstance(getattr(self, f.name), str):
                raise _validate.reject_type(f.name, "to be a text", getattr(self, f.name))

    def items(self) -> tuple[tuple[str, str], ...]:
        """Everything that was declared, in order."""
        return tuple((f.name, getattr(self, f.name)) for f in fields(self) if getattr(self, f.name))


@dataclass(frozen=True, kw_only=True)
class RelatedAttacker:
    """An attacker on related records: whom he targets, what he knows, and what he finds out.

    known: the indices of the tuples he knows, with their values where these were given (``None`` where not).
    determined: he knew the target beforehand. leakage: the largest log-ratio between two values of the target.
    """

    name: str
    target: int
    known: tuple[tuple[int, float | None], ...]
    determined: bool
    failure: str
    leakage: Estimate
    answers: tuple[Answer, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        out = {f.name: getattr(self, f.name) for f in fields(self)}
        out["leakage"] = write_estimate(self.leakage)
        out["answers"] = [a.to_dict() for a in self.answers]
        return {k: v if k in ("leakage", "answers") else written(v) for k, v in out.items()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> RelatedAttacker:
        """What :meth:`to_dict` wrote."""
        plain = {k: read(v) for k, v in data.items() if k not in ("leakage", "answers")}
        answers = tuple(Answer.from_dict(a) for a in data["answers"])
        return cls(**plain, leakage=read_estimate(data["leakage"]), answers=answers)


@dataclass(frozen=True, kw_only=True)
class Related:
    """What attackers learn who know how records are related.

    model: the data model as plain values (JSON text). weights: of the released sum, empty for all 1. attackers: those
    the user named. worst: the worst that was found, by ``method``; exhaustive: whether no other can be worse; bound:
    on epsilon(``delta``) of every attacker; compared: how many were; by_known: the largest epsilon(``delta``) by the
    number of known tuples. everyone: the same questions asked of all attackers at once, of whom another one may be the
    worst at each.
    """

    model: str
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
        """What is known of anyone: of all at once, of the worst, of those the user named."""
        return (*self.everyone, *(a for who in (self.worst, *self.attackers) for a in who.answers))

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        plain = ("weights", "method", "exhaustive", "bound", "compared", "delta", "by_known")
        return {
            "model": json.loads(self.model),
            "attackers": [a.to_dict() for a in self.attackers],
            "worst": self.worst.to_dict(),
            "everyone": [a.to_dict() for a in self.everyone],
            **{name: written(getattr(self, name)) for name in plain},
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Related:
        """What :meth:`to_dict` wrote."""
        made = ("model", "attackers", "worst", "everyone")
        return cls(
            model=json.dumps(data["model"]),
            attackers=tuple(RelatedAttacker.from_dict(a) for a in data["attackers"]),
            worst=RelatedAttacker.from_dict(data["worst"]),
            everyone=tuple(Answer.from_dict(a) for a in data.get("everyone", ())),
            **{k: read(v) for k, v in data.items() if k not in made},
        )


@dataclass(frozen=True, kw_only=True)
class AnalystAnswer:
    """A test of the analyst, and how often it finds what it looks for with and without the noise.

    test, reads: the test and the noise on the number it reads, as JSON text. effect, level: of the test. power: its
    float is the lower end, since power is not promised too high. min_power: what is needed, if that was said.
    """

    name: str
    test: str
    reads: str
    effect: float
    level: float
    power: Estimate
    power_without_noise: Estimate
    min_power: float | None = None

    @property
    def met(self) -> bool:
        """Whether the power that is needed is provably there."""
        return self.min_power is None or self.power.low >= self.min_power

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "name": self.name,
            "test": json.loads(self.test),
            "reads": json.loads(self.reads),
            "effect": written(self.effect),
            "level": written(self.level),
            "power": write_estimate(self.power),
            "power_without_noise": write_estimate(self.power_without_noise),
            "min_power": self.min_power,
            "met": self.met,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> AnalystAnswer:
        """What :meth:`to_dict` wrote."""
        return cls(
            name=data["name"],
            test=json.dumps(data["test"]),
            reads=json.dumps(data["reads"]),
            effect=read(data["effect"]),
            level=read(data["level"]),
            power=read_estimate(data["power"]),
            power_without_noise=read_estimate(data["power_without_noise"]),
            min_power=data["min_power"],
        )
