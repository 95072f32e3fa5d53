"""The scenario that reproduces an assessment, and scenarios as YAML."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from dplens.assessment.assess import standard_questions
from dplens.describe.questions import is_known, phrase_of, write_question, write_requirement
from dplens.describe.releases import short_form
from dplens.errors import Undefined
from dplens.scenario.check import checked, read_numbers
from dplens.scenario.source import NUMBER, Located, yaml_library
from dplens.telling import LANGUAGES

if TYPE_CHECKING:
    from dplens.assessment.records import AnalystAnswer
    from dplens.assessment.result import Assessment


def scenario_of(assessment: Assessment) -> dict[str, Any]:
    """The scenario that reproduces an assessment: the one it came from, or one made from its inputs."""
    if assessment.scenario:
        content = json.loads(assessment.scenario)
        with suppress(ImportError):  # without pydantic, show it unchecked
            checked(Located(content, "the scenario of the assessment"))
        return content
    if assessment.mildest:
        raise Undefined("The mildest release that explains a measured attack is no description for a file to state.")
    assumed, release = assessment.assumptions, assessment.release
    if release["mechanism"] == "opaque":
        raise Undefined(f"The release {release['shown']} cannot be written to a file.")
    out: dict[str, Any] = {"title": assessment.title} if assessment.title else {}
    out["unit"] = assumed.unit
    out |= {"n": assumed.n} if assumed.n is not None else {}
    out |= {"delta": assumed.delta} if assumed.delta_source == "given" else {}
    out |= {"setting": assumed.setting, "fpr": assumed.fpr}
    out |= {"language": assessment.language} if assessment.language != LANGUAGES[0] else {}
    out["releases"] = _releases(release)
    own = [a for a in assessment.attackers if a.own]
    if own:
        out["adversaries"] = [({"name": a.name} if a.name else {}) | {"prior": a.prior} for a in own]
    for a in assessment.answers:
        if not is_known(a.question):
            raise Undefined(f"A question of your own ({phrase_of(a.question)}) cannot be written to a file.")
    asked = _asked(assessment)
    out |= {"questions": asked} if asked else {}
    limits = [write_requirement(v.requirement) for v in assessment.limits if v.about == "release"]
    out |= {"limits": limits} if limits else {}
    out |= {"analyst": [_analysis(a, out["releases"]) for a in assessment.analyst]} if assessment.analyst else {}
    out |= {"data": _data(assessment)} if assessment.related else {}
    if assessment.audits:
        raise Undefined("The scores of a measured attack are not in the assessment; a scenario file names their files.")
    out |= {"declared": dict(assessment.declared.items())} if assessment.declared else {}
    if assessment.answers_apart:  # nobody is added or removed, so no file says so
        out["releases"] = _without(out["releases"], "neighbours")
    return out


def _without(value: Any, key: str) -> Any:
    """The same values without a key, at any depth."""
    if isinstance(value, dict):
        return {k: _without(v, key) for k, v in value.items() if k != key}
    return [_without(v, key) for v in value] if isinstance(value, list) else value


def _releases(release: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts of a composition one by one, in the short form if that is equivalent."""
    if release["mechanism"] != "composed":
        return [_short(release, 1)]
    parts = [_short(part["of"], part["times"]) for part in release["parts"]]
    return parts if parts and all(part["times"] > 0 for part in release["parts"]) else [release]


def _short(release: dict[str, Any], times: int) -> dict[str, Any]:
    return short_form(release) | ({"repeat": times} if times != 1 else {})


def _analysis(one: AnalystAnswer, releases: list[dict[str, Any]]) -> dict[str, Any]:
    """A test with the release that it reads; the release gets a name if there are several."""
    test, reads = json.loads(one.test), json.loads(one.reads)
    if test["test"] == "opaque":
        raise Undefined(f"The test {test['shown']} cannot be written to a file.")
    out: dict[str, Any] = ({"name": one.name} if one.name else {}) | test
    at = [i for i, r in enumerate(releases) if {k: v for k, v in r.items() if k not in ("name", "repeat")} == reads]
    if not at:
        raise Undefined("A test reads a number that is not among the releases, so no file can say so.")
    if len(releases) > 1:
        out["release"] = releases[at[0]].setdefault("name", f"release {at[0] + 1}")
    return out | ({"min_power": one.min_power} if one.min_power is not None else {})


def _asked(assessment: Assessment) -> list[dict[str, Any]]:
    """The questions beyond the standard ones and those of limits."""
    known = set(standard_questions(assessment.attackers, assessment.assumptions, assessment.related))
    known |= {v.requirement.question for v in assessment.limits}
    return [write_question(a.question) for a in assessment.answers if a.question not in known]


def _data(assessment: Assessment) -> dict[str, Any]:
    related = assessment.related
    if related is None:
        return {}
    attackers = [
        ({"name": who.name} if who.name else {})
        | {"target": who.target, "known": [i for i, value in who.known if value is None] or dict(who.known) or []}
        for who in related.attackers
    ]
    return (
        json.loads(related.model)
        | ({"weights": list(related.weights)} if related.weights else {})
        | {"method": related.method}
        | ({"attackers": attackers} if attackers else {})
    )


def as_yaml(value: Any) -> str:
    """Plain values as YAML; reading it gives the same values."""
    return yaml_library().dump(
        read_numbers(value), Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=math.inf
    )


@cache
def _dumper() -> Any:
    class Dumper(yaml_library().SafeDumper):
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
            return super().increase_indent(flow, False)  # indent lists, as most people write them

        def represent_list(self, data: list[Any]) -> Any:
            flat = not any(isinstance(one, dict) for one in data) and len(str(data)) <= 100
            return self.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=flat)

    Dumper.add_representer(list, Dumper.represent_list)
    # 1e-06 is a number here but not in YAML 1.1, so quote texts that read like it
    Dumper.add_implicit_resolver("tag:yaml.org,2002:float", NUMBER, list("-+.0123456789"))
    return Dumper
