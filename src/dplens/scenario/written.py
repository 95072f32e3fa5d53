"""The scenario that reproduces an assessment, and scenarios as YAML."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import TYPE_CHECKING, Any

from dplens.assessment.assess import standard_questions
from dplens.describe.questions import is_known, phrase_of, write_question, write_requirement
from dplens.describe.releases import short_form
from dplens.describe.values import read_numbers
from dplens.errors import Undefined
from dplens.scenario.source import NUMBER, yaml_library
from dplens.telling import LANGUAGES

if TYPE_CHECKING:
    from dplens.assessment.records import AnalystAnswer, Related
    from dplens.assessment.result import Assessment


def scenario_of(assessment: Assessment) -> dict[str, Any]:
    """The scenario that reproduces an assessment: the one it came from, or one made from its inputs."""
    if assessment.scenario:
        return json.loads(assessment.scenario)
    if assessment.mildest:
        raise Undefined("A scenario file cannot describe the mildest release that explains a measured attack.")
    assumed, release = assessment.assumptions, assessment.release
    if release["mechanism"] == "opaque":
        raise Undefined(f"The release {release['shown']} cannot be written to a file.")
    for a in assessment.answers:
        if not is_known(a.question):
            raise Undefined(f"A question of your own ({phrase_of(a.question)}) cannot be written to a file.")
    if assessment.audits:
        raise Undefined("The scores of a measured attack are not in the assessment; a scenario file names their files.")
    releases = _releases(release)
    analyst = [_analysis(a, releases) for a in assessment.analyst]
    return _given(
        title=assessment.title,
        unit=assumed.unit,
        n=assumed.n,
        delta=assumed.delta if assumed.delta_source == "given" else None,
        setting=assumed.setting,
        fpr=assumed.fpr,
        language=assessment.language if assessment.language != LANGUAGES[0] else None,
        # in the local setting nobody is added or removed, so no file says so
        releases=_without(releases, "neighbours") if assessment.answers_apart else releases,
        adversaries=[_given(name=a.name, prior=a.prior) for a in assessment.attackers if a.own],
        questions=_asked(assessment),
        limits=[write_requirement(v.requirement) for v in assessment.limits if v.about == "release"],
        analyst=analyst,
        data=_data(assessment.related) if assessment.related else None,
        declared=_given(**assessment.declared.to_dict()) if assessment.declared else None,
    )


def _given(**values: Any) -> dict[str, Any]:
    """The values without those that a file leaves out."""
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}


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
    at = [i for i, r in enumerate(releases) if {k: v for k, v in r.items() if k not in ("name", "repeat")} == reads]
    if not at:
        raise Undefined("A test reads a number that is not among the releases, so no file can say so.")
    read = releases[at[0]].setdefault("name", f"release {at[0] + 1}") if len(releases) > 1 else None
    return _given(name=one.name, **test, release=read, min_power=one.min_power)


def _asked(assessment: Assessment) -> list[dict[str, Any]]:
    """The questions beyond the standard ones and those of limits."""
    known = set(standard_questions(assessment.attackers, assessment.assumptions, assessment.related))
    known |= {v.requirement.question for v in assessment.limits}
    return [write_question(a.question) for a in assessment.answers if a.question not in known]


def _data(related: Related) -> dict[str, Any]:
    attackers = [
        _given(name=who.name)
        | {"target": who.target, "known": [i for i, value in who.known if value is None] or dict(who.known) or []}
        for who in related.attackers
    ]
    beside = _given(weights=list(related.weights), method=related.method, attackers=attackers)
    return json.loads(related.model) | beside


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
