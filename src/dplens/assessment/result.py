"""The immutable result of an assessment, which all presentations read."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

from dplens import _validate
from dplens.assessment.records import (
    AnalystAnswer,
    Answer,
    Assumptions,
    Attacker,
    Declaration,
    LimitVerdict,
    Record,
    Related,
    read_field,
)
from dplens.assessment.structure import responding
from dplens.describe.questions import is_known, stored
from dplens.describe.releases import read_release
from dplens.errors import DplensError, DplensWarning, InvalidValue, Undefined
from dplens.estimate import Estimate
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import Result, Tabular, present
from dplens.risk.base import Question
from dplens.risk.disclosure import FailureMode
from dplens.telling import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

    from dplens.assessment.audited import Audited
    from dplens.assessment.changes import Changes

FORMAT = "dplens assessment 1"
# parts that belong together, so that a file may not change one of them
_SEALED = (
    "version", "mildest", "language", "release", "attackers", "assumptions", "failure", "answers", "limits", "related",
    "analyst", "audits", "declared", "passed", "warnings", "scenario",
)  # fmt: skip
_OWN = "Classes of your own are known once the module that registers them is imported."
_REMEDY = "Pass what Assessment.to_json() wrote."


@dataclass(frozen=True, kw_only=True, eq=False)
class Assessment(Result, Tabular, Shared, Record):
    """What a release means: inputs, assumptions, every answer with its certificate, limits with their verdicts.

    Made by :func:`dplens.assess`; equal to another if everything in it is. ``described`` is the release as JSON text,
    ``mechanism`` the object it describes; ``scenario`` the file it was made from, likewise as JSON text.

    >>> import dplens as dl
    >>> a = dl.assess(dl.Gaussian(sigma=2.0), adversary=dl.Adversary(prior=0.1))
    >>> print(f"{a.answer(dl.AttackPower(fpr=0.01)):.4f}", a.failure.name)
    0.0339 GRACEFUL
    >>> dl.Assessment.from_json(a.to_json()) == a
    True
    """

    title: str
    described: str
    attackers: tuple[Attacker, ...]
    assumptions: Assumptions
    failure: FailureMode
    answers: tuple[Answer, ...]
    limits: tuple[LimitVerdict, ...] = ()
    related: Related | None = None
    analyst: tuple[AnalystAnswer, ...] = ()
    audits: tuple[Audited, ...] = ()
    mildest: bool = False  # no description of the release: the mildest that explains a measured attack
    declared: Declaration | None = None
    language: str = LANGUAGES[0]
    version: str = ""
    scenario: str = ""
    _original: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _validate.one_of("language", self.language, LANGUAGES)

    @property
    def release(self) -> dict[str, Any]:
        """The release as plain values."""
        return json.loads(self.described)

    @cached_property
    def mechanism(self) -> Any:
        """The release as a mechanism or hypothesis, for further questions."""
        return self._original if self._original is not None else read_release(self.release)

    def answer(self, question: Question) -> Estimate:
        """The answer to a question of this assessment."""
        remedy = "Pass for instance dplens.Advantage()."
        _validate.instance("question", question, Question, "to be a Question", remedy)
        for a in self.answers:
            if a.question == question or (not is_known(question) and a.question == stored(question)):
                return a.estimate
        raise Undefined(
            f"{question} was not asked in this assessment. Pass it to assess in questions=[…], or ask the mechanism: "
            "question.of(assessment.mechanism)."
        )

    @property
    def passed(self) -> bool:
        """Whether every limit is provably kept, every test has its required power, and no audit refutes the release.

        False if nothing is claimed and the release is only the mildest that explains a measured attack.
        """
        kept = not self.mildest and all(v.met for v in self.limits) and all(a.met for a in self.analyst)
        return kept and not self.refuted

    @property
    def judged(self) -> bool:
        """Whether there is a limit, or a power that a test of the analyst needs."""
        return bool(self.limits) or any(a.min_power is not None for a in self.analyst)

    @property
    def refuted(self) -> bool:
        """Whether a measured attack refutes the description of the release."""
        return any(a.refuted for a in self.audits)

    @property
    def answers_apart(self) -> bool:
        """Whether what was stated for one record added or removed is taken for two true answers of one person.

        So it is in the local setting, where nobody is added or removed; values in [−1, 1] are 2 apart, not 1.
        """
        local = self.assumptions.told_apart == "local" and self.assumptions.neighbours == "add_remove"
        return local and responding(self.mechanism) != "all"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Codes of warnings; ``words()`` has them as sentences."""
        from dplens.assessment.warnings import warnings_of

        return warnings_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, with digests that reveal later changes."""
        whole = {
            "format": FORMAT,
            "version": self.version,
            "title": self.title,
            **({"mildest": True} if self.mildest else {}),
            **({"language": self.language} if self.language != LANGUAGES[0] else {}),
            "release": self.release,
            "attackers": [a.to_dict() for a in self.attackers],
            "assumptions": self.assumptions.to_dict(),
            "failure": self.failure.value,
            "answers": [a.to_dict() for a in self.answers],
            "limits": [v.to_dict() for v in self.limits],
            "related": self.related.to_dict() if self.related else None,
            "analyst": [a.to_dict() for a in self.analyst],
            **({"audits": [a.to_dict() for a in self.audits]} if self.audits else {}),
            "declared": self.declared.to_dict() if self.declared else None,
            "passed": self.passed,
            "warnings": list(self.warnings),
            "scenario": json.loads(self.scenario) if self.scenario else None,
        }
        return whole | {"digests": digests(whole)}

    def to_json(self, indent: int | None = 2) -> str:
        """Everything as JSON, on one line if ``indent`` is None; infinities are the strings "inf" and "-inf"."""
        if indent is not None:
            indent = _validate.count("indent", indent, 0, "None puts all on one line.", most=80)
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Assessment:
        """What :meth:`to_dict` wrote."""
        if not (isinstance(data, dict) and isinstance(data.get("format"), str) and data["format"] == FORMAT):
            shown = data.get("format") if isinstance(data, dict) else data
            raise _validate.reject("assessment", f"to have the format {FORMAT!r}", shown, _REMEDY)
        if _validate.has_lone_surrogates(data):
            shown = _validate.Shown("half of one (such as \\ud800)")
            raise _validate.reject("assessment", "to hold whole characters", shown, _REMEDY)
        try:
            sealed, found = data.get("digests"), digests(data)
            if not isinstance(sealed, dict):
                raise _validate.reject_type("assessment", "to have the key 'digests', one for each part", sealed)
            altered = next((part for part in {**found, **sealed} if found.get(part) != sealed.get(part)), None)
            with warnings.catch_warnings():  # the assessment holds its own warnings
                warnings.simplefilter("ignore", DplensWarning)
                if altered is None:
                    return cls._read(data)
        except DplensError as error:
            raise InvalidValue(f"In a saved assessment: {error} {_REMEDY} {_OWN}") from None
        except (KeyError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as error:
            shown = _validate.Shown(f"{type(error).__name__}: {error}")
            raise _validate.reject("assessment", "to be complete", shown, _REMEDY) from None
        rule = "to be as saved with the rest of the assessment"
        remedy = "Its parts belong together: assess the release again (dplens assess)."
        raise _validate.reject(altered, rule, _validate.Shown("an edited version"), remedy)

    @classmethod
    def _read(cls, data: dict[str, Any]) -> Assessment:
        if data.get("audits"):
            import_module("dplens.assessment.audited")  # makes the records of audits known
        own = {f.name: str(f.type) for f in fields(cls) if f.name in data and f.name not in ("failure", "scenario")}
        _validate.text("title", data["title"])
        return cls(
            described=json.dumps(data["release"], allow_nan=False),
            failure=FailureMode(data["failure"]),
            scenario=json.dumps(data["scenario"], allow_nan=False) if data["scenario"] is not None else "",
            _original=read_release(data["release"]),
            **{name: read_field(kind, name, data[name]) for name, kind in own.items()},
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Assessment:
        """What :meth:`to_json` wrote, without loss."""
        _validate.instance("text", text, (str, bytes, bytearray), "to be JSON text", _REMEDY)
        try:
            data = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise _validate.reject("assessment", "to be JSON", _validate.Shown(str(error)), _REMEDY) from None
        return cls.from_dict(data)

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Assessment) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.described, self.title, self.assumptions))

    def words(self, *, language: str | None = None) -> str:
        """The assessment in sentences, the most important first; ``dplens.present.words.say`` has them by section.

        language: of the sentences; by default that of the assessment.
        """
        return present(self, "words", language)

    def report(
        self, path: str | PathLike[str], *, language: str | None = None, declared: Declaration | None = None
    ) -> Path:
        """Writes the report; the suffix decides: ``.html``, ``.pdf``, ``.md``, ``.json``. Whole, or not at all.

        language: of the sentences; by default that of the assessment. declared: in place of what the assessment holds.
        """
        return present(self, "report", path, language, declared)

    def changes_since(self, before: Assessment) -> Changes:
        """What changed from another assessment to this one: inputs and answers; ``str()`` says it in words."""
        from dplens.assessment.changes import changes

        return changes(before, self)


def checked_assessment(value: Any) -> Assessment:
    """The assessment, if it is one."""
    remedy = "Pass what dplens.assess(…) returned."
    return _validate.instance("assessment", value, Assessment, "to be an Assessment", remedy)


def digests(whole: Mapping[str, Any]) -> dict[str, str]:
    """A short fingerprint of each sealed part: whatever the order of keys, and for 1 the same as for 1.0."""
    parts = {part: json.dumps(_integral(whole[part]), sort_keys=True) for part in _SEALED if part in whole}
    return {part: hashlib.sha256(text.encode()).hexdigest()[:16] for part, text in parts.items()}


def _integral(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _integral(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_integral(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def installed_version() -> str:
    """The version of dplens that is installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("dplens")
    except PackageNotFoundError:
        return "unknown"


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number in JSON")
