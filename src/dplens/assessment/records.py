"""The parts of an assessment: small frozen records that are written as plain values."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from dplens import _validate
from dplens.describe.questions import (
    is_known,
    question_name,
    read_question,
    read_requirement,
    write_question,
    write_requirement,
)
from dplens.describe.values import read, read_estimate, write_estimate, written
from dplens.estimate import Estimate
from dplens.registry import Result
from dplens.risk.base import Question, Requirement

if TYPE_CHECKING:
    from typing_extensions import Self

SETTINGS = ("central", "local")


Json = str  # plain values as JSON text
_KINDS: dict[str, type[Record]] = {}  # classes of records by name, as annotations have them


@dataclass(frozen=True)
class Record:
    """Base of frozen dataclasses that are written as plain values and read back.

    Fields annotated as ``Json`` hold JSON text and are written as the values in it.
    """

    def __init_subclass__(cls) -> None:
        _KINDS[cls.__name__] = cls

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        values = ((f, getattr(self, f.name)) for f in fields(self))
        return {f.name: json.loads(value) if f.type == "Json" else _plain(value) for f, value in values}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """What :meth:`to_dict` wrote. A missing key was lost: its default would stand for something else."""
        _validate.instance("data", data, Mapping, "to be a mapping")
        lacking = next((f.name for f in fields(cls) if f.name not in data), None)
        if lacking is not None:
            raise _validate.reject("data", f"to have the key {lacking!r}", data, "Pass what to_dict() wrote.")
        return cls(**{f.name: read_field(str(f.type), f.name, data[f.name]) for f in fields(cls)})


def _plain(value: Any) -> Any:
    if isinstance(value, Estimate):
        return write_estimate(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value.to_dict() if hasattr(value, "to_dict") else written(value)


def read_field(declared: str, name: str, value: Any) -> Any:
    """A field from plain values, by its annotation."""
    kind = _KINDS.get(declared.removeprefix("tuple[").removesuffix(", ...]").removesuffix(" | None"))
    if kind is not None and declared.startswith("tuple["):
        return tuple(kind.from_dict(one) for one in value)
    if kind is not None:
        return None if value is None else kind.from_dict(value)
    if declared == "Json":
        return json.dumps(value, allow_nan=False)
    if declared in ("str", "tuple[str, ...]"):  # the text "inf" is not a number
        return tuple(value) if isinstance(value, list) else value
    return read_estimate(value, name) if declared == "Estimate" else read(value)


@dataclass(frozen=True, kw_only=True)
class Answer(Result, Record):
    """A question and its answer, with the certificate that goes with every printed number."""

    question: Question
    estimate: Estimate

    def __post_init__(self) -> None:
        _validate.instance("question", self.question, Question, "to be a Question")
        _validate.instance("estimate", self.estimate, Estimate, "to be an Estimate")

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
        return {**write_question(self.question), **write_estimate(self.estimate)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Answer:
        """What :meth:`to_dict` wrote."""
        _validate.instance("answer", data, Mapping, "to be a mapping")
        own = {k: v for k, v in data.items() if k not in ("value", "low", "high", "certificate")}
        question = read_question(own, answered=True)
        estimate = read_estimate(data, str(question))
        if is_known(question) and not (estimate.low >= 0 and estimate.high <= question.ceiling * (1 + 1e-9)):
            shown = _validate.Shown(f"{estimate.low!r} to {estimate.high!r}")
            raise _validate.reject(f"the answer to {question}", f"in [0, {question.ceiling:g}]", shown)
        return cls(question=question, estimate=estimate)


def by_name(given: Any) -> list[tuple[str, Any]]:
    """One or several objects with their names; only mappings give names."""
    if isinstance(given, Mapping):
        return [(str(name), one) for name, one in given.items()]
    several = given if isinstance(given, Sequence) and not isinstance(given, (str, bytes)) else [given]
    return [("", one) for one in several]


ABOUT = ("release", "related", "analyst")  # whom verdicts are about, beside attackers by their names


@dataclass(frozen=True, kw_only=True)
class LimitVerdict(Result, Record):
    """A limit with the answer to its question, and whether it is provably kept.

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
        """Whether the bound lies within the bracket of the answer, so that it may be kept but that is not proved."""
        estimate, bound = self.estimate, self.requirement.bound
        may = estimate.low <= bound if self.requirement.question.more_is_riskier else estimate.high >= bound
        return may and not self.met

    @property
    def answer(self) -> Answer:
        """The answer without the limit."""
        return Answer(question=self.requirement.question, estimate=self.estimate)

    def to_dict(self) -> dict[str, Any]:
        limit = write_requirement(self.requirement)
        return {"limit": limit, **write_estimate(self.estimate), "about": self.about, "met": self.met}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> LimitVerdict:
        """What :meth:`to_dict` wrote."""
        requirement = read_requirement(data["limit"], answered=True)
        return cls(requirement=requirement, estimate=read_estimate(data), about=data["about"])


@dataclass(frozen=True, kw_only=True)
class Attacker(Record):
    """An attacker and their prior belief; ``name`` if the user gave one."""

    prior: float
    name: str = ""
    own: bool = False  # the user's, not one of those that are always shown


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

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Assumptions:
        """What :meth:`to_dict` wrote, or an earlier version with another name for ``fpr``."""
        return super().from_dict({"fpr" if key == "accusing_at" else key: value for key, value in data.items()})

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
class Signatory(Record):
    """Someone who signs a report, with their role."""

    name: str
    role: str = ""

    def __post_init__(self) -> None:
        for f in fields(self):
            _validate.text(f.name, getattr(self, f.name))
        if not self.name.strip():
            raise _validate.reject("name", "to be the name of someone who signs", self.name)


@dataclass(frozen=True, kw_only=True)
class Declaration(Record):
    """Statements by those responsible, which no computation can replace (Fondeville, Section 5).

    purpose: what the data are used for. benefits: what is expected of it. nature: of the data, how sensitive they are.
    recipients: who will see what is released. decided_by, reasons: who accepts the risk, and why. The rest stands on
    the first page of a report, as it is given: organisation, author, reference, date, status (such as "draft"),
    version, and the signatories.
    """

    purpose: str = ""
    benefits: str = ""
    nature: str = ""
    recipients: str = ""
    decided_by: str = ""
    reasons: str = ""
    organisation: str = ""
    author: str = ""
    reference: str = ""
    date: str = ""
    status: str = ""
    version: str = ""
    signatories: tuple[Signatory, ...] = ()

    def __post_init__(self) -> None:
        for f in fields(self)[:-1]:
            _validate.text(f.name, getattr(self, f.name))
        rule, remedy = "to be a sequence of dplens.Signatory", "Write [dplens.Signatory(name=…, role=…)]."
        signing = _validate.instance("signatories", self.signatories, (tuple, list), rule, remedy)
        for one in signing:
            _validate.instance("signatories", one, Signatory, rule, remedy)
        object.__setattr__(self, "signatories", tuple(signing))

    def items(self) -> tuple[tuple[str, str], ...]:
        """The statements that were made, in order."""
        return tuple((name, getattr(self, name)) for name in STATEMENTS if getattr(self, name))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; what stands on the first page only if it was given."""
        return {key: value for key, value in super().to_dict().items() if value or key in STATEMENTS}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Declaration:
        """What :meth:`to_dict` wrote."""
        if isinstance(data, Mapping) and all(name in data for name in STATEMENTS):
            data = {**dict.fromkeys(_ON_FIRST_PAGE, ""), "signatories": [], **data}
        return super().from_dict(data)


STATEMENTS = ("purpose", "benefits", "nature", "recipients", "decided_by", "reasons")
_ON_FIRST_PAGE = ("organisation", "author", "reference", "date", "status", "version")


@dataclass(frozen=True, kw_only=True)
class RelatedAttacker(Result, Record):
    """An attacker on related records: whom they target, what they know, and what they find out.

    known: the indices of the tuples they know, with their values where these were given (``None`` where not).
    determined: they knew the target beforehand. leakage: the largest log-ratio between two values of the target.
    value, belief: where the model leaves two values of the target given what they know, the larger one and its
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


@dataclass(frozen=True, kw_only=True)
class Related(Result, Record):
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


@dataclass(frozen=True, kw_only=True)
class AnalystAnswer(Result, Record):
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

    @property
    def met(self) -> bool:
        """Whether the required power is provably reached."""
        return self.min_power is None or self.power.low >= self.min_power

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | {"met": self.met}
