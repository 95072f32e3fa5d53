"""What the analyst still sees, in words: counts of studies, never promised too high."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from dplens.present.rounding import given, share
from dplens.present.words.counts import ceil, floor

if TYPE_CHECKING:
    from dplens.assessment.records import AnalystAnswer
    from dplens.assessment.result import Assessment

_PLANNED = (
    "n",
    "sd",
    "sd2",
    "sd_x",
    "mean_x",
    "mean_y",
    "effect",
    "baseline",
    "null",
    "bounds",
    "x_bounds",
    "y_bounds",
    "ratio",
    "probabilities",
)


def analyst_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """For each test: how often it finds the effect with and without the noise, and what the plan rests on."""
    return [sentence for one in assessment.analyst for sentence in _told(one, voice)]


def _told(one: AnalystAnswer, voice: Any) -> list[str]:
    text = voice.text
    before, after = one.power_without_noise.high, one.power.low
    out_of = 100 if ceil(before * 100) > floor(after * 100) + 1 or after > 0.999 else 1000
    name = one.name or text.ANALYST_WHO
    said = text.ANALYST.format(
        who=name[0].upper() + name[1:],
        out_of=f"{out_of:,}",
        effect=given(one.effect),
        after=f"{floor(after * out_of):,}",
        before=f"{ceil(before * out_of):,}",
        level=share(one.level),
    )
    needed = []
    if one.min_power is not None:
        needed = [text.ANALYST_NEEDED[one.met].format(needed=share(one.min_power))]
    return [said, *needed, *_plan(json.loads(one.test), text)]


def _plan(test: dict[str, Any], text: Any) -> list[str]:
    values = []
    for name in _PLANNED:
        if name not in test:
            continue
        planned = test[name] if isinstance(test[name], dict) else {"value": test[name], "source": "", "note": ""}
        note = f": {planned['note']}" if planned["note"] else ""
        value = planned["value"]
        shown = given(value) if isinstance(value, (int, float)) else f"{value}"
        values.append(
            text.ANALYST_VALUE.format(name=name, value=shown, source=text.SOURCES[planned["source"]], note=note)
        )
    return [text.ANALYST_PLAN.format(values=text.listed(values))] if values else []
