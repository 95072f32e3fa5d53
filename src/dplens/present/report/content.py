"""The content of a report: sections with sentences, pictures and tables, independent of the format."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
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
from dplens.present.words.sections import released_sentences

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment


@dataclass(frozen=True, kw_only=True)
class ReportFigure:
    """A picture and the table beside it; ``key`` identifies it in the report."""

    key: str
    picture: Picture
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
    failure: tuple[str, ...]
    standing: str
    lead: str
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
    glossed = voice.text.GLOSSED[voice.about]
    return Content(
        title=assessment.title or voice.report.TITLE,
        failure=words["failure"],
        # broken requirements are already above everything else
        standing="" if assessment.refuted or not all(voice.required) else voice.standing(),
        lead=words["learning"][assessment.attackers.index(voice.main)],
        facts=_facts(assessment, voice),
        warnings=words["warnings"],
        computed=_computed(assessment, words, voice, figures),
        declared=_declared(assessment, words, voice),
        combined=_combined(assessment, words, voice),
        not_covered=words["not_covered"],
        glossary=tuple((term, said.format(glossed=glossed)) for term, said in voice.text.GLOSSARY),
        numbers=all_numbers(assessment, voice),
        scenario=scenario,
        no_scenario=no_scenario,
        assessment=assessment,
        words=words,
    )


def _facts(assessment: Assessment, voice: Voice) -> tuple[tuple[str, str], ...]:
    """Facts for every report: neighbours, unit, delta, sampling, setting, false-positive rate."""
    assumed = assessment.assumptions
    found = {
        "neighbours": voice(voice.report.NEIGHBOURS[assumed.told_apart]),
        "unit": voice(voice.report.UNIT[assumed.n is not None], n=f"{assumed.n or 0:,}"),
        "delta": voice(voice.report.DELTA[assumed.delta_source], delta=given(assumed.delta)),
        "sampling": "; ".join(voice(voice.report.SAMPLING[scheme]) for scheme in assumed.sampling or ("",)),
        "setting": voice(voice.report.SETTING[assumed.setting]),
        "accusing_at": voice(voice.report.ACCUSING, fpr=share(assumed.accusing_at)),
        "version": voice.report.VERSION.format(version=assessment.version),
    }
    return tuple((voice.report.FACTS[key], value) for key, value in found.items())


def _part(voice: Voice, key: str, sentences: Iterable[str], **more: Any) -> ReportPart:
    """A section under its heading."""
    heading = {**voice.text.HEADINGS, **voice.report.SECTIONS}[key]
    return ReportPart(key=key, heading=heading, sentences=tuple(sentences), **more)


# ---- computed ----------------------------------------------------------------------------------------------------


def _computed(
    assessment: Assessment, words: Words, voice: Voice, figures: dict[str, Picture]
) -> tuple[ReportPart, ...]:
    def shown(*kinds: str) -> tuple[ReportFigure, ...]:
        found = [(kind, figures[kind]) for kind in kinds if kind in figures]
        # two drawings of one frame share one table
        tables = {
            kind: table_of(p.frame, voice.report) for kind, p in found if kind != "roc_log" or "roc" not in figures
        }
        return tuple(ReportFigure(key=kind, picture=p, table=tables.get(kind)) for kind, p in found)

    analyses = [key for key in figures if key.startswith("analyst_power")]
    others = [key for key in figures if key not in STANDARD and key not in analyses and not key.startswith("audit")]
    made = {
        "learning": (words["learning"], shown("icons", "posterior", "precision_recall"), (pairs(assessment, voice),)),
        "absence": (words["absence"], (), ()),
        "finding": (words["finding"], shown("roc", "roc_log", "relative_risk", *others), ()),
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
    said = voice(voice.report.LOOKS_TEST, fpr=share(f["fpr"]), power=percent(f["power"], 3))
    return (voice.report.LOOKS[f["scale"]], said)


def _noise(figures: dict[str, Picture], voice: Voice) -> tuple[str, ...]:
    fpr = voice.fpr
    if "power_noise" not in figures:
        return ()
    frame = figures["power_noise"].frame
    found = {row["factor"]: percent(row["power"], 3) for row in frame.rows if row["fpr"] == fpr}
    template = voice.report.NOISE if 0.5 in found else voice.report.NOISE_MORE
    return (voice(template, fpr=share(fpr), half=found.get(0.5), twice=found[2.0], now=found[1.0]),)


# ---- declared and combined ---------------------------------------------------------------------------------------


def _declared(assessment: Assessment, words: Words, voice: Voice) -> tuple[ReportPart, ...]:
    from dplens.scenario.written import as_yaml

    assumed = list(words["assumptions"])
    attacker = [s for s in assumed if s in (voice(voice.text.ATTACKER[voice.about]), assumed[-1])]
    rest = [s for s in assumed if s not in attacker]
    knowing = _knowing(assessment, voice)
    released = released_sentences(assessment, voice)
    return (
        _part(voice, "attacker", (*attacker, *knowing)),
        _part(voice, "assumptions", rest),
        _part(voice, "released", released, listing=as_yaml(assessment.release).rstrip()),
        _part(voice, "statements", words["declared"]),
    )


def _knowing(assessment: Assessment, voice: Voice) -> list[str]:
    """Attackers on related records: whom they attack and what they know."""
    from dplens.describe.models import read_model
    from dplens.present.words.sections import knows_words

    related = assessment.related
    if related is None:
        return []
    n = read_model(json.loads(related.model)).n
    out = []
    for who in (related.worst, *related.attackers):
        name = who.name or (voice.report.WORST if who is related.worst else voice.report.ANOTHER)
        name = name[:1].upper() + name[1:]  # begins the sentence
        out.append(voice(voice.report.KNOWING, name=name, target=who.target, knows=knows_words(who, n, voice)))
    return out


def _combined(assessment: Assessment, words: Words, voice: Voice) -> tuple[ReportPart, ...]:
    decided_by = assessment.declared.decided_by.rstrip(". ") if assessment.declared else ""
    who = voice.report.DECIDED_BY.format(decided_by=decided_by) if decided_by else voice.report.NOBODY_DECIDES
    table = limits(assessment, voice)
    said = words["limits"] or (voice.report.NO_LIMITS,)
    parts = [_part(voice, "limits", (*said, who), tables=(table,) if table else ())]
    return (*parts, *([_part(voice, "warnings", words["warnings"])] if words["warnings"] else []))


# ---- how to reproduce it -----------------------------------------------------------------------------------------


def _scenario(assessment: Assessment, voice: Voice) -> tuple[str, str]:
    """The scenario file that reproduces the assessment, or the reason why there is none."""
    from dplens.scenario.written import as_yaml, scenario_of

    try:
        return as_yaml(scenario_of(assessment)), ""
    except Undefined as error:
        return "", voice.report.NO_SCENARIO.format(why=str(error))
