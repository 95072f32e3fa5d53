"""The one immutable result that every presenter reads."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

from dplens import _validate
from dplens.assessment.records import AnalystAnswer, Answer, Assumptions, Attacker, Declaration, Related, Verdict
from dplens.assessment.structure import responding
from dplens.describe.questions import question_name
from dplens.describe.releases import read_release
from dplens.describe.values import read, written
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.risk.base import Question
from dplens.risk.disclosure import FailureMode

if TYPE_CHECKING:
    from pathlib import Path

    from dplens.assessment.audited import Audited
    from dplens.assessment.changes import Changes

FORMAT = "dplens assessment 1"


@dataclass(frozen=True, kw_only=True, eq=False)
class Assessment:
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
    limits: tuple[Verdict, ...] = ()
    related: Related | None = None
    analyst: tuple[AnalystAnswer, ...] = ()
    audits: tuple[Audited, ...] = ()
    mildest: bool = False  # no description of the release: the mildest that explains a measured attack
    declared: Declaration | None = None
    version: str = ""
    scenario: str = ""
    _original: Any = field(default=None, repr=False)

    # ---- reading ---------------------------------------------------------------------------------------------

    @property
    def release(self) -> dict[str, Any]:
        """The release as plain values."""
        return json.loads(self.described)

    @cached_property
    def mechanism(self) -> Any:
        """The release as a mechanism (or hypothesis), to be asked anything else."""
        return self._original if self._original is not None else read_release(self.release)

    def answer(self, question: Question) -> Estimate:
        """The answer to a question that was asked."""
        for a in self.answers:
            if a.question == question:
                return a.estimate
        raise Undefined(
            f"{question} was not asked in this assessment. Pass it to assess in questions=[…], or ask the mechanism: "
            "question.of(assessment.mechanism)."
        )

    @property
    def passed(self) -> bool:
        """Whether every limit is provably kept, the analyst has the power that she needs, and no audit refutes it.

        Never where nothing is claimed, and only the mildest release is known that explains a measured attack.
        """
        kept = not self.mildest and all(v.met for v in self.limits) and all(a.met for a in self.analyst)
        return kept and not self.refuted

    @property
    def refuted(self) -> bool:
        """Whether a measured attack refutes the release as it is described."""
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
        """Codes of what a reader has to be warned of; the words for them are in ``words()``."""
        from dplens.assessment.warnings import warnings_of

        return warnings_of(self)

    # ---- plain values ----------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "format": FORMAT,
            "version": self.version,
            "title": self.title,
            **({"mildest": True} if self.mildest else {}),
            "release": self.release,
            "attackers": [asdict(a) for a in self.attackers],
            "assumptions": {k: written(v) for k, v in asdict(self.assumptions).items()},
            "failure": self.failure.value,
            "answers": [a.to_dict() for a in self.answers],
            "limits": [v.to_dict() for v in self.limits],
            "related": self.related.to_dict() if self.related else None,
            "analyst": [a.to_dict() for a in self.analyst],
            **({"audits": [a.to_dict() for a in self.audits]} if self.audits else {}),
            "declared": asdict(self.declared) if self.declared else None,
            "passed": self.passed,
            "warnings": list(self.warnings),
            "scenario": json.loads(self.scenario) if self.scenario else None,
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Everything as JSON; infinities are the strings "inf" and "-inf"."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Assessment:
        """What :meth:`to_dict` wrote."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            shown = data.get("format") if isinstance(data, dict) else data
            remedy = "Pass what Assessment.to_json() wrote."
            raise _validate.reject("assessment", f"to have the format {FORMAT!r}", shown, remedy)
        try:
            return cls._read(data)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            shown = _validate.Shown(f"{type(error).__name__}: {error}")
            raise _validate.reject(
                "assessment", "to be complete", shown, "Pass what Assessment.to_json() wrote."
            ) from None

    @classmethod
    def _read(cls, data: dict[str, Any]) -> Assessment:
        assumptions = {k: read(v) for k, v in data["assumptions"].items()}
        return cls(
            title=data["title"],
            described=json.dumps(data["release"]),
            attackers=tuple(Attacker(**a) for a in data["attackers"]),
            assumptions=Assumptions(**assumptions),
            failure=FailureMode(data["failure"]),
            answers=tuple(Answer.from_dict(a) for a in data["answers"]),
            limits=tuple(Verdict.from_dict(v) for v in data["limits"]),
            related=Related.from_dict(data["related"]) if data["related"] else None,
            analyst=tuple(AnalystAnswer.from_dict(a) for a in data["analyst"]),
            audits=_audits(data.get("audits") or ()),
            mildest=bool(data.get("mildest", False)),
            declared=Declaration(**data["declared"]) if data["declared"] else None,
            version=data["version"],
            scenario=json.dumps(data["scenario"]) if data.get("scenario") else "",
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Assessment:
        """What :meth:`to_json` wrote, without loss."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise _validate.reject("assessment", "to be JSON", _validate.Shown(str(error))) from None
        return cls.from_dict(data)

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Assessment) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.described, self.title, self.assumptions))

    # ---- presenting ------------------------------------------------------------------------------------------

    def words(self) -> str:
        """The assessment in sentences, the most important first; ``dplens.present.words.say`` has them by section."""
        from dplens.present.words.say import say

        return str(say(self))

    def report(self, path: str | PathLike[str]) -> Path:
        """Writes the report; the suffix decides: ``.html``, ``.md`` or ``.json``. Whole, or not at all."""
        from dplens.present.report import write_report

        return write_report(self, path)

    def changes_since(self, before: Assessment) -> Changes:
        """What changed from another assessment to this one: inputs and answers; ``str()`` says it in words."""
        from dplens.assessment.changes import changes

        return changes(before, self)


def _audits(records: Any) -> tuple[Audited, ...]:
    if not records:
        return ()
    from dplens.assessment.audited import Audited

    return tuple(Audited.from_dict(r) for r in records)


def asked(answers: tuple[Answer, ...], name: str) -> tuple[Answer, ...]:
    """The answers to questions of one name."""
    return tuple(a for a in answers if question_name(a.question) == name)
