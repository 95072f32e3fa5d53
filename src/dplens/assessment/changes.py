"""Changes between two assessments."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from dplens import _validate
from dplens.assessment.records import Answer
from dplens.describe.questions import write_question
from dplens.describe.releases import short_form
from dplens.describe.values import write_estimate, written
from dplens.estimate import Estimate
from dplens.registry import Presented, Result, Tabular, present
from dplens.risk.base import Question
from dplens.risk.disclosure import MILDEST_FIRST, FailureMode

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment


@dataclass(frozen=True, kw_only=True)
class InputChange(Presented):
    """An input that differs, by its place (``release.sigma``); None if it is missing on one side."""

    place: str
    before: Any
    after: Any


@dataclass(frozen=True, kw_only=True)
class AnswerChange(Result):
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

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        ends = {"before": write_estimate(self.before), "after": write_estimate(self.after)}
        return {**write_question(self.question), **ends, "risk": self.risk}

    @property
    def factor(self) -> float:
        """after/before; NaN if undefined."""
        if float(self.before) == 0 or math.isinf(self.before) or math.isinf(self.after):
            return math.nan
        return float(self.after) / float(self.before)


@dataclass(frozen=True, kw_only=True)
class Changes(Result, Tabular):
    """What changed between two assessments. ``str()`` says it in words.

    inputs: what differs in release, assumptions, attackers, limits, tests, data model and declarations. failure: the
    modes before and after. answers: the questions that both answered. gone, new: those that only one did. related: the
    same about the worst attacker on related records, where both have one. powers: (name, before, after) of the
    analyst's tests that both have. limits: limits whose verdict changed, with whether each is met now. risk:
    ``"higher"``, ``"lower"``, ``"same"`` or ``"mixed"``, by the descriptions alone where there are ``reservations``.
    """

    inputs: tuple[InputChange, ...]
    failure: tuple[str, str]
    answers: tuple[AnswerChange, ...]
    gone: tuple[Answer, ...]
    new: tuple[Answer, ...]
    limits: tuple[tuple[dict[str, Any], bool], ...]
    related: tuple[AnswerChange, ...]
    powers: tuple[tuple[str, Estimate, Estimate], ...]
    before: Assessment
    after: Assessment

    @property
    def risk(self) -> str:
        """The direction in which the answers and the failure mode moved."""
        seen = {c.risk for c in (*self.answers, *self.related)} - {"same"}
        old, new = (MILDEST_FIRST.index(FailureMode(mode)) for mode in self.failure)
        if new != old:  # better answers do not offset a worse failure mode
            seen.add("higher" if new > old else "lower")
        return seen.pop() if len(seen) == 1 else "mixed" if seen else "same"

    @property
    def reservations(self) -> tuple[str, ...]:
        """Why ``risk`` is not the whole truth, see :func:`reservations`."""
        codes = reservations(self.before, self.after)
        moved = any(c.risk != "same" for c in self.related)  # then the bound only says the same again
        return tuple(code for code in codes if not (moved and code == "related_bound"))

    @property
    def missed(self) -> tuple[dict[str, Any], ...]:
        """Limits that only the second assessment was held against, and does not provably keep."""
        before = {(repr(v.requirement), v.about) for v in self.before.limits}
        new = (v for v in self.after.limits if (repr(v.requirement), v.about) not in before)
        return tuple(v.to_dict()["limit"] | {"about": v.about} for v in new if not v.met)

    @property
    def nothing(self) -> bool:
        """Whether everything is as it was."""
        moved = (c for c in (*self.answers, *self.related) if c.risk != "same")
        powers = (old.high < new.low or new.high < old.low for _, old, new in self.powers)
        told = (self.before.audits, self.before.mildest) != (self.after.audits, self.after.mildest)
        told = told or "related_bound" in self.reservations
        return not (told or any(moved) or any(powers) or self.inputs or self.limits or self.gone or self.new)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "risk": self.risk,
            "reservations": list(self.reservations),
            "inputs": [{k: written(v) for k, v in asdict(c).items()} for c in self.inputs],
            "failure": {"before": self.failure[0], "after": self.failure[1]},
            "answers": [c.to_dict() for c in self.answers],
            "related": [c.to_dict() for c in self.related],
            "powers": [
                {"test": name, "before": write_estimate(old), "after": write_estimate(new)}
                for name, old, new in self.powers
            ],
            "gone": [a.to_dict() for a in self.gone],
            "new": [a.to_dict() for a in self.new],
            "limits": [{"limit": limit, "met": met} for limit, met in self.limits],
        }

    def words(self, *, language: str | None = None) -> str:
        """The changes in sentences, the most important first; by default in the language of the second assessment."""
        return present(self, "words", language)

    def __str__(self) -> str:
        return self.words()


def changes(before: Assessment, after: Assessment) -> Changes:
    """What changed from one assessment to another."""
    from dplens.assessment.result import Assessment

    for name, one in (("before", before), ("after", after)):
        _validate.instance(name, one, Assessment, "to be an Assessment", "Pass what dplens.assess(…) returned.")
    first = {a.question: a for a in before.answers}
    second = {a.question: a for a in after.answers}
    return Changes(
        inputs=tuple(_inputs(before, after)),
        failure=(before.failure.value, after.failure.value),
        answers=_answers(before.answers, after.answers),
        gone=tuple(a for q, a in first.items() if q not in second),
        new=tuple(a for q, a in second.items() if q not in first),
        limits=tuple(_limits(before, after)),
        related=_answers(*(a.related.worst.answers if a.related else () for a in (before, after))),
        powers=tuple(_powers(before, after)),
        before=before,
        after=after,
    )


def reservations(before: Assessment, after: Assessment) -> tuple[str, ...]:
    """Why the curves of two releases do not tell everything about the change from one to the other, worst first.

    ``"refuted_before"``, ``"refuted_after"``, ``"refuted_both"``: a measured attack refutes a description.
    ``"mildest"``: nothing was claimed on one side. ``"related_before"``, ``"related_after"``: only one of them counts
    related records; ``"related_bound"``: both do, with other bounds. ``"neighbours"``: they are about other units or
    neighbours.
    """

    def side(first: bool, second: bool) -> str:
        return "both" if first and second else "before" if first else "after" if second else ""

    attacked = side(before.refuted, after.refuted)
    related = side(before.related is not None, after.related is not None)
    if before.related and after.related:
        bounds = [(one.bound, one.delta) for one in (before.related, after.related)]
        related = "bound" if bounds[0] != bounds[1] else ""
    asked = [(one.assumptions.told_apart, one.assumptions.unit) for one in (before, after)]
    return (
        *([f"refuted_{attacked}"] if attacked else []),
        *(["mildest"] if before.mildest or after.mildest else []),
        *([f"related_{related}"] if related else []),
        *(["neighbours"] if asked[0] != asked[1] else []),
    )


def _answers(before: tuple[Answer, ...], after: tuple[Answer, ...]) -> tuple[AnswerChange, ...]:
    """The questions that both answered."""
    second = {a.question: a.estimate for a in after}
    both = [(a.question, a.estimate, second[a.question]) for a in before if a.question in second]
    return tuple(AnswerChange(question=q, before=old, after=new) for q, old, new in both)


def _powers(before: Assessment, after: Assessment) -> list[tuple[str, Estimate, Estimate]]:
    """The analyst's tests that both have, by name or else by number."""
    first, second = ({a.name or f"test {i + 1}": a.power for i, a in enumerate(x.analyst)} for x in (before, after))
    return [(name, power, second[name]) for name, power in first.items() if name in second]


def _inputs(before: Assessment, after: Assessment) -> list[InputChange]:
    parts = ("title", "releases", "assumptions", "attackers", "limits", "analyst", "declared", "version")
    first, second = before.to_dict(), after.to_dict()
    first["releases"], second["releases"] = _named_releases(before), _named_releases(after)
    for d in (first, second):  # the user's own attackers; the others are always shown
        d["attackers"] = {a["name"] or f"prior {a['prior']:g}": a["prior"] for a in d["attackers"] if a["own"]}
        d["analyst"] = {
            a["name"] or f"test {i + 1}": a["test"] | {"reads": a["reads"], "min_power": a["min_power"]}
            for i, a in enumerate(d["analyst"])
        }
        d["limits"] = {
            _limit_name(v["limit"]): v["limit"].get("at_most", v["limit"].get("at_least"))
            for v in d["limits"]
            if v["about"] == "release"
        }
    flat = [_flat({k: d[k] for k in parts}) for d in (first, second)]
    for d, source in zip(flat, (first, second)):
        related = source["related"] or {}
        d.update(_flat(related.get("model", {}), "data"))
        d.update(_flat({"weights": related.get("weights") or None, "method": related.get("method")}, "data"))
        for i, who in enumerate(related.get("attackers", ())):
            shown = {"target": who["target"], "known": [k for k, _ in who["known"]]}
            d.update(_flat(shown, f"data.attackers.{who['name'] or i + 1}"))
    alone = len(first["releases"]) == len(second["releases"]) == 1
    named = first["releases"].keys() == second["releases"].keys() and before.scenario and after.scenario
    if alone and not named:  # a single release needs no name
        starts = [f"releases.{name}." for d in (first, second) for name in d["releases"]]
        flat = [
            {f"release.{p.removeprefix(start)}" if p.startswith(start) else p: v for p, v in f.items()}
            for f, start in zip(flat, starts)
        ]
    places = list(dict.fromkeys([*flat[0], *flat[1]]))
    for place in [p for p in places if p.endswith(".mechanism")]:
        kind, start = (d.get(place) for d in flat), place.removesuffix("mechanism")
        if len(set(kind)) > 1:  # arguments of different kinds are not comparable
            places = [p for p in places if p == place or not p.startswith(start)]
    found = [(p, *(None if d.get(p) == "" else d.get(p) for d in flat)) for p in places]
    return [InputChange(place=p, before=old, after=new) for p, old, new in found if old != new]


def _named_releases(assessment: Assessment) -> dict[str, dict[str, Any]]:
    """Releases by their names in the scenario, or by their kinds."""
    release = assessment.release
    parts = release["parts"] if release["mechanism"] == "composed" else [{"of": release, "times": 1}]
    values = [short_form(part["of"]) | {"repeat": part["times"]} for part in parts]
    names = [str(value["mechanism"]) for value in values]
    if assessment.scenario:
        listed = json.loads(assessment.scenario).get("releases") or ()
        if len(listed) == len(values):  # the release merges equal ones, which have several names
            names = [str(one.get("name") or name) for one, name in zip(listed, names)]
    counted = {name: names.count(name) for name in names}
    seen: Counter[str] = Counter()
    out = {}
    for name, value in zip(names, values):
        seen[name] += 1
        out[f"{name} {seen[name]}" if counted[name] > 1 else name] = value
    return out


def _limit_name(limit: dict[str, Any]) -> str:
    """The question of a limit: attack_power(fpr=0.01)."""
    if "shown" in limit:  # a question of someone's own
        return limit["shown"]
    own = ", ".join(f"{k}={v:g}" for k, v in limit.items() if k not in ("question", "at_most", "at_least"))
    return f"{limit['question']}({own})" if own else limit["question"]


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
