"""The content of a report: sections with sentences, pictures and tables, independent of the format."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from dplens.errors import Undefined
from dplens.present.charts.picture import Picture
from dplens.present.report.figures import STANDARD, figures_of
from dplens.present.report.numbers import (
    all_numbers,
    analyst_tables,
    certificates,
    limits,
    pairs,
    related_tables,
)
from dplens.present.report.tables import ReportTable, table_of
from dplens.present.rounding import given, percent, share
from dplens.present.words.language import DEFAULT
from dplens.present.words.say import Voice, Words, say
from dplens.present.words.sections import introduced

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment


GLOSSARY = (
    "named", "prior", "odds", "fpr", "power", "curve", "advantage", "epsilon", "neighbours", "unit", "certificate",
    "auc",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ReportFigure:
    """A picture and the table beside it; ``key`` identifies it in the report."""

    key: str
    picture: Picture
    caption: str = ""  # its title with its number in the report
    table: ReportTable | None = None


@dataclass(frozen=True, kw_only=True)
class ReportPart:
    """A section: sentences, pictures, tables, and how its numbers are known."""

    key: str
    heading: str
    sentences: tuple[str, ...] = ()
    figures: tuple[ReportFigure, ...] = ()
    tables: tuple[ReportTable, ...] = ()
    certificate: str = ""
    listing: str = ""  # as a file would have it


@dataclass(frozen=True, kw_only=True)
class Content:
    """Everything a report says."""

    title: str
    verdict: tuple[str, ...]
    lead: str
    worst: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    computed: tuple[ReportPart, ...]
    declared: tuple[ReportPart, ...]
    combined: tuple[ReportPart, ...]
    not_covered: tuple[str, ...]
    glossary: tuple[tuple[str, str], ...]
    numbers: tuple[ReportTable, ...]
    scenario: str
    no_scenario: str
    say: Voice = field(repr=False)
    assessment: Assessment
    words: Words = field(repr=False)

    def figures(self) -> list[ReportFigure]:
        """All pictures with their tables, in order."""
        return [figure for part in self.computed for figure in part.figures]


def content_of(assessment: Assessment, charts: tuple[str, ...], language: str = DEFAULT) -> Content:
    """What the report of an assessment says, with the pictures that are wanted and possible."""
    words, voice = say(assessment, language), Voice(assessment, language)
    figures = figures_of(assessment, voice, charts)
    scenario, no_scenario = _scenario(assessment, voice)
    return Content(
        title=words.title or voice("report-title"),
        verdict=tuple(voice.verdict()),
        lead=voice.pair(voice.main),
        worst=tuple(voice.worst()),
        facts=_facts(assessment, voice),
        warnings=words["warnings"],
        computed=_computed(assessment, words, voice, figures),
        declared=_declared(assessment, words, voice),
        combined=_combined(assessment, words, voice),
        not_covered=words["not_covered"],
        glossary=tuple((voice(f"glossary-{term}"), voice(f"glossary-{term}.meaning")) for term in GLOSSARY),
        numbers=all_numbers(assessment, voice),
        scenario=scenario,
        no_scenario=no_scenario,
        say=voice,
        assessment=assessment,
        words=words,
    )


def _facts(assessment: Assessment, voice: Voice) -> tuple[tuple[str, str], ...]:
    """Facts for every report: neighbours, unit, delta, sampling, setting, false-positive rate."""
    assumed = assessment.assumptions
    found = {
        "unit": voice("facts-unit", n=assumed.n or 0),
        "neighbours": voice("facts-neighbours"),
        "setting": voice("facts-setting"),
        "sampling": "; ".join(voice(f"facts-sampling-{scheme}") for scheme in assumed.sampling or ("none",)),
        "fpr": voice("facts-fpr"),
        "delta": voice("facts-delta", source=assumed.delta_source, delta=given(assumed.delta)),
        "version": voice("facts-version", version=assessment.version),
    }
    return tuple((voice(f"fact-{key}"), value) for key, value in found.items())


def _part(voice: Voice, key: str, sentences: Iterable[str], **more: Any) -> ReportPart:
    """A section under its heading."""
    heading = f"section-{key}" if f"section-{key}" in voice.text else f"heading-{key}"
    return ReportPart(key=key, heading=voice(heading), sentences=tuple(sentences), **more)


# ---- computed ----------------------------------------------------------------------------------------------------


def _computed(
    assessment: Assessment, words: Words, voice: Voice, figures: dict[str, Picture]
) -> tuple[ReportPart, ...]:
    numbers = count(1)

    def shown(*kinds: str) -> tuple[ReportFigure, ...]:
        found = [(kind, figures[kind]) for kind in kinds if kind in figures]
        # two drawings of one frame share one table
        tables = {kind: table_of(p.frame, voice) for kind, p in found if kind != "roc_log" or "roc" not in figures}
        titles = (voice("figure-caption", number=next(numbers), title=p.title) for _, p in found)
        return tuple(ReportFigure(key=k, picture=p, caption=c, table=tables.get(k)) for (k, p), c in zip(found, titles))

    analyses = [key for key in figures if key.startswith("analyst_power")]
    others = [key for key in figures if key not in STANDARD and key not in analyses and not key.startswith("audit")]
    made = {
        "learning": (
            (voice.pair(voice.main), *words["learning"]),
            shown("icons", "posterior", "precision_recall"),
            (pairs(assessment, voice),),
        ),
        "finding": (words["finding"], shown("roc", "roc_log", "relative_risk", *others), ()),
        "absence": (words["absence"], (), ()),
        "asked": (words["asked"], (), ()),
        "looks": (_looks(figures, voice), shown("output_laws"), ()),
        "you": (words["you"], (), ()),
        "related": (words["related"], shown("leakage"), related_tables(assessment, voice)),
        "analyst": (words["analyst"], shown(*analyses), analyst_tables(assessment, voice)),
        "audit": (words["audit"], shown(*(key for key in figures if key.startswith("audit"))), ()),
        "noise": (_noise(figures, voice), shown("power_noise"), ()),
        "epsilon": (words["epsilon"], shown("profile"), ()),
    }
    known = certificates(assessment, voice)
    return tuple(
        _part(voice, key, sentences, figures=pictures, tables=tables, certificate=known.get(key, known["release"]))
        for key, (sentences, pictures, tables) in made.items()
        if sentences or pictures
    )


def _looks(figures: dict[str, Picture], voice: Voice) -> tuple[str, ...]:
    if "output_laws" not in figures:
        return ()
    f = figures["output_laws"].frame.facts
    said = voice("looks-test", fpr=share(f["fpr"]), power=percent(f["power"], 3))
    return (voice("looks", scale=f["scale"]), said)


def _noise(figures: dict[str, Picture], voice: Voice) -> tuple[str, ...]:
    if "power_noise" not in figures:
        return ()
    frame = figures["power_noise"].frame
    found = {row["factor"]: percent(row["power"], 3) for row in frame.rows if row["fpr"] == voice.fpr}
    halved = "yes" if 0.5 in found else "no"
    return (voice("noise", halved=halved, half=found.get(0.5, ""), twice=found[2.0], now=found[1.0]),)


# ---- declared and combined ---------------------------------------------------------------------------------------


def _declared(assessment: Assessment, words: Words, voice: Voice) -> tuple[ReportPart, ...]:
    from dplens.scenario.written import as_yaml

    assumed = list(words["assumptions"])
    attacker = [s for s in assumed if s in (voice("attacker"), voice.priors())]
    rest = [s for s in assumed if s not in attacker]
    return (
        _part(voice, "released", words["published"], listing=as_yaml(assessment.release).rstrip()),
        _part(voice, "attacker", (*attacker, *_knowing(assessment, voice))),
        _part(voice, "assumptions", rest),
        _part(voice, "statements", words["declared"]),
    )


def _knowing(assessment: Assessment, voice: Voice) -> list[str]:
    """Attackers on related records: whom they attack and what they know."""
    from dplens.describe.models import read_model

    related = assessment.related
    if related is None:
        return []
    n = read_model(json.loads(related.model)).n
    return [introduced(who, related, n, voice) for who in (related.worst, *related.attackers)]


def _combined(assessment: Assessment, words: Words, voice: Voice) -> tuple[ReportPart, ...]:
    decided_by = assessment.declared.decided_by.rstrip(". ") if assessment.declared else ""
    who = voice("decided-by", decided_by=decided_by) if decided_by else voice("nobody-decides")
    table = limits(assessment, voice)
    said = words["limits"] or (voice("no-limits"),)
    parts = [_part(voice, "limits", (*said, who), tables=(table,) if table else ())]
    return (*parts, *([_part(voice, "warnings", words["warnings"])] if words["warnings"] else []))


# ---- how to reproduce it -----------------------------------------------------------------------------------------


def _scenario(assessment: Assessment, voice: Voice) -> tuple[str, str]:
    """The scenario file that reproduces the assessment, or the reason why there is none."""
    from dplens.scenario.written import as_yaml, scenario_of

    try:
        return as_yaml(scenario_of(assessment)), ""
    except Undefined as error:
        return "", voice("no-scenario", why=str(error).rstrip("."))
