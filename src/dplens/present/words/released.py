"""What was released, in plain words: one sentence for each release of the scenario, under the name it has there."""

from __future__ import annotations

import warnings
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from dplens.describe.releases import EXTRAS, MECHANISMS, read_release
from dplens.errors import DplensWarning, Undefined
from dplens.present.rounding import given, share

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment

_SHARES = ("sample_rate",)


def released_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """A sentence for each release; what no file can hold is shown by its own description."""
    from dplens.scenario.written import scenario_of

    if assessment.mildest:
        return [voice.text.MILDEST_RELEASE]
    try:
        releases = scenario_of(assessment)["releases"]
    except Undefined:
        return [voice(voice.text.RELEASE_OTHER, what=assessment.release.get("shown", assessment.release["mechanism"]))]
    return [_sentence(release, voice) for release in releases]


def _sentence(release: dict[str, Any], voice: Any) -> str:
    text, name, each = voice.text, release["mechanism"], {}
    if not release.get("group"):  # of this release a unit has one record, whatever it has of others
        each = {"record": voice.filled["unit"], "records": voice.filled["units"]}
    if name not in MECHANISMS:  # made of others, or a hypothesis about a value
        replaced = name == "grouped" and release.get("neighbours") not in (None, release["of"].get("neighbours"))
        template = text.RELEASE_REPLACED if replaced else text.RELEASE_MADE[name]
        said = voice(template, **each, **_shown(release))
    else:
        own = {f.name for f in fields(MECHANISMS[name])}
        with warnings.catch_warnings():  # what there is to warn of stands in the assessment
            warnings.simplefilter("ignore", DplensWarning)
            made = read_release({k: v for k, v in release.items() if k == "mechanism" or k in own})
        values = {key: getattr(made, key) for key in own}
        said = voice(text.RELEASES[name], **each, **_shown(values))
        if values.get("sensitivity") is not None:
            about = "answers_apart" if voice.assessment.answers_apart else voice.about
            said += voice(text.RELEASE_SENSITIVITY[about], **each, sensitivity=given(values["sensitivity"]))
        release = {k: v for k, v in release.items() if k not in own}
    for extra in EXTRAS:
        if release.get(extra) is not None and extra in text.RELEASE_MORE:
            said += voice(text.RELEASE_MORE[extra], **each, **_shown(release))
    called = release.get("name")
    return f"{called}: {said}." if called else f"{said[0].upper()}{said[1:]}."


def _shown(values: dict[str, Any]) -> dict[str, str]:
    """Numbers as they were given; lists by how many they hold; laws by their name."""
    return {key: _value(key, value) for key, value in values.items()}


def _value(key: str, value: Any) -> str:
    if hasattr(value, "dist"):
        return value.dist.name
    if isinstance(value, (tuple, list)) or hasattr(value, "shape"):
        return str(len(value))
    if isinstance(value, float):
        return share(value) if key in _SHARES else given(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
