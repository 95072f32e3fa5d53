"""Two assessments side by side: what changed."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from dplens import _validate
from dplens.assessment.records import Answer
from dplens.describe.questions import write_question
from dplens.describe.values import write_estimate, written
from dplens.estimate import Estimate
from dplens.risk.base import Question

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment


@dataclass(frozen=True, kw_only=True)
class InputChange:
    """An input that differs, by its place (``release.sigma``); None where it was not there."""

    place: str
    before: Any
    after: Any


@dataclass(frozen=True, kw_only=True)
class AnswerChange:
    """A question that both answered. ``risk``: ``"higher"``, ``"lower"`` (both provably) or ``"same"``."""

    question: Question
    before: Estimate
    after: Estimate

    @property
    def risk(self) -> str:
        """Whether the brackets say that the risk rose or fell."""
        if self.before.high < self.after.low:
            return "higher" if self.question.more_is_riskier else "lower"
        if self.after.high < self.before.low:
            return "lower" if self.question.more_is_riskier else "higher"
        return "same"

    @property
    def factor(self) -> float:
        """after over before; NaN where that says nothing."""
        if float(self.before) == 0 or math.isinf(self.before) or math.isinf(self.after):
            return math.nan
        return float(self.after) / float(self.before)


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What changed between two assessments. ``str()`` says it in words.

    inputs: what differs in release, assumptions, attackers and declarations. failure: the modes before and after.
    answers: the questions that both answered. gone, new: those that only one did. limits: limits whose verdict
    changed, with whether each is met now. risk: ``"higher"``, ``"lower"``, ``"same"`` or ``"mixed"``.
    """

    inputs: tuple[InputChange, ...]
    failure: tuple[str, str]
    answers: tuple[AnswerChange, ...]
    gone: tuple[Answer, ...]
    new: tuple[Answer, ...]
    limits: tuple[tuple[dict[str, Any], bool], ...]
    before: Assessment
    after: Assessment

    @property
    def risk(self) -> str:
        """In which direction the answers moved, all taken together."""
        seen = {c.risk for c in self.answers} - {"same"}
        return seen.pop() if len(seen) == 1 else "mixed" if seen else "same"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "risk": self.risk,
            "inputs": [{k: written(v) for k, v in asdict(c).items()} for c in self.inputs],
            "failure": {"before": self.failure[0], "after": self.failure[1]},
            "answers": [
                {
                    **write_question(c.question),
                    "before": write_estimate(c.before),
                    "after": write_estimate(c.after),
                    "risk": c.risk,
                }
                for c in self.answers
            ],
            "gone": [a.to_dict() for a in self.gone],
            "new": [a.to_dict() for a in self.new],
            "limits": [{"limit": limit, "met": met} for limit, met in self.limits],
        }

    def __str__(self) -> str:
        from dplens.present.words.changes import say_changes

        return say_changes(self)


def changes(before: Assessment, after: Assessment) -> Changes:
    """What changed from one assessment to another."""
    from dplens.assessment.result import Assessment

    for name, one in (("before", before), ("after", after)):
        if not isinstance(one, Assessment):
            raise _validate.reject_type(name, "to be an Assessment", one, "Pass what dplens.assess(…) returned.")
    first = {a.question: a for a in before.answers}
    second = {a.question: a for a in after.answers}
    return Changes(
        inputs=tuple(_inputs(before, after)),
        failure=(before.failure.value, after.failure.value),
        answers=tuple(
            AnswerChange(question=q, before=a.estimate, after=second[q].estimate)
            for q, a in first.items()
            if q in second
        ),
        gone=tuple(a for q, a in first.items() if q not in second),
        new=tuple(a for q, a in second.items() if q not in first),
        limits=tuple(_limits(before, after)),
        before=before,
        after=after,
    )


def _inputs(before: Assessment, after: Assessment) -> list[InputChange]:
    parts = ("title", "release", "assumptions", "attackers", "declared", "version")
    first, second = before.to_dict(), after.to_dict()
    for d in (first, second):  # the user's own attackers; the others are always shown
        d["attackers"] = {a["name"] or f"prior {a['prior']:g}": a["prior"] for a in d["attackers"] if a["own"]}
    flat = [_flat({k: d[k] for k in parts}) for d in (first, second)]
    for d, source in zip(flat, (first, second)):
        d.update(_flat(source["related"]["model"], "data") if source["related"] else {})
    places = list(dict.fromkeys([*flat[0], *flat[1]]))
    if first["release"]["mechanism"] != second["release"]["mechanism"]:  # another kind: its arguments do not compare
        places = [p for p in places if p == "release.mechanism" or not p.startswith("release.")]
    found = [(p, *(None if d.get(p) == "" else d.get(p) for d in flat)) for p in places]
    return [InputChange(place=p, before=old, after=new) for p, old, new in found if old != new]


def _flat(value: Any, place: str = "") -> dict[str, Any]:
    """Nested values by their places."""
    if isinstance(value, dict):
        return {
            k: v for key, inner in value.items() for k, v in _flat(inner, f"{place}.{key}" if place else key).items()
        }
    if isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value):
        return {k: v for i, inner in enumerate(value) for k, v in _flat(inner, f"{place}[{i}]").items()}
    return {place: value}


def _limits(before: Assessment, after: Assessment) -> list[tuple[dict[str, Any], bool]]:
    first = {(repr(v.requirement), v.about): v.met for v in before.limits}
    second = {(repr(v.requirement), v.about): v for v in after.limits}
    changed = [v for key, v in second.items() if first.get(key, v.met) != v.met]
    return [(v.to_dict()["limit"] | {"about": v.about}, v.met) for v in changed]
