"""What a model card has of an assessment: few sections of few lines, and numbers for programs that list cards."""

from __future__ import annotations

from typing import Any

from dplens.assessment.result import Assessment
from dplens.present.report.document import Facts, Paragraph, Section, Table, Verdict
from dplens.present.report.numbers import main_numbers, short_limits
from dplens.present.rounding import up
from dplens.present.words.say import Voice, Words
from dplens.risk.conversions import Epsilon
from dplens.risk.rates import Advantage

COMMAND = "dplens report scenario.yaml --output report.html"
PYTHON = 'import dplens as dl\ndl.load_scenario("scenario.yaml").assess().report("report.html")'
TAGS = ("differential-privacy", "privacy")
_SENTENCES = 6  # of one subject
_LIMITS = 4


def card(made: Assessment, voice: Voice, words: Words, verdict: Verdict, no_scenario: str) -> tuple[Section, ...]:
    """Verdict, limits, main numbers, publication, what is not covered, and how to reproduce it if anything can."""
    how = [no_scenario, voice("kept-by-markdown")]
    if not no_scenario:
        how = [voice("how-to-reproduce", command=COMMAND, version=made.version)]
    table = short_limits(made, voice, _LIMITS)
    told = {key: " ".join(words[key][:_SENTENCES]) for key in ("analyst", "related", "audit", "warnings")}
    facts = tuple((voice(f"heading-{key}"), said) for key, said in told.items() if said)
    more = (Facts(items=facts),) if facts else ()
    parts: dict[str, tuple[Any, ...]] = {
        "summary": (verdict, *_joined([voice.pair(voice.main), *voice.worst()]), *more),
        "limits": (table,) if table else (),
        "main": (main_numbers(made, voice),),
        "published": _joined([*words["published"][:_SENTENCES], voice("unit-protected", n=made.assumptions.n or 0)]),
        "not_covered": _joined(words["not_covered"]),
        "reproduce": _joined(how),
    }
    return tuple(
        Section(
            key=key, heading=voice(f"{'section' if f'section-{key}' in voice.text else 'heading'}-{key}"), blocks=blocks
        )
        for key, blocks in parts.items()
        if blocks
    )


def metadata(made: Assessment) -> dict[str, Any]:
    """Numbers and tags under the names that programs know; numbers are rounded towards more risk."""
    assumed = made.assumptions
    limits = {"limits_met": made.passed} if made.limits or made.analyst else {}
    return {
        "tags": list(TAGS),
        "dplens_version": made.version,
        "epsilon": up(float(made.answer(Epsilon(delta=assumed.delta))), 6),
        "delta": assumed.delta,
        **({"epsilon_related": up(made.related.bound, 6)} if made.related else {}),
        "advantage": up(float(made.answer(Advantage())), 6),
        "neighbours": assumed.told_apart or "value",
        "unit": assumed.unit,
        **({"records": assumed.n} if assumed.n else {}),
        **limits,
        **({"refuted": True} if made.refuted else {}),
    }


def _joined(sentences: Any) -> tuple[Paragraph | Table, ...]:
    """The sentences in one paragraph."""
    said = " ".join(one for one in sentences if one)
    return (Paragraph(text=said),) if said else ()
