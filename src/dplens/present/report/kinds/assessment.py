"""The document of an assessment: page one, the sections, the annexes, and what a model card has of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import chain

from dplens.assessment.result import Assessment
from dplens.errors import Undefined
from dplens.present.charts.picture import Picture
from dplens.present.report.build import Numbering, enclosed, front_of, labels_of, numbered, signatures
from dplens.present.report.document import (
    Block,
    Bullets,
    Definitions,
    Document,
    Facts,
    Figure,
    Front,
    Listing,
    Pair,
    Paragraph,
    Section,
    Table,
    Verdict,
)
from dplens.present.report.figures import STANDARD, figures_of
from dplens.present.report.kinds import assessment_card
from dplens.present.report.numbers import (
    MARKS,
    all_numbers,
    analyst_answers,
    analyst_tables,
    certificates,
    limits,
    pairs,
    related_tables,
    short_limits,
)
from dplens.present.report.tables import table_of
from dplens.present.rounding import given, percent, share
from dplens.present.words.say import Voice, say
from dplens.present.words.sections import analyst_sentences, introduced, related_first
from dplens.registry import presents
from dplens.risk.disclosure import FailureMode

GLOSSARY = (
    "named", "prior", "odds", "fpr", "power", "curve", "advantage", "epsilon", "neighbours", "unit", "certificate",
    "auc",
)  # fmt: skip
_TOLD = (
    "mildest", "claim_refuted", "limit_exceeded", "limit_open", "power_missed", "related_worse", "catastrophic",
)  # fmt: skip
_ON_PAGE_ONE = 4  # sentences of one subject: the rest follows in its section


@presents(Assessment, "document")
def document(assessment: Assessment, charts: tuple[str, ...], language: str) -> Document:
    """The document of an assessment, with the pictures that are wanted and possible."""
    return _Builder(assessment, charts, language).document()


class _Builder:
    """Makes the parts of the document in their order, so that figures and tables are numbered as they are read."""

    def __init__(self, assessment: Assessment, charts: tuple[str, ...], language: str) -> None:
        self.made, self.words, self.voice = assessment, say(assessment, language), Voice(assessment, language)
        self.text = self.voice.text
        self.pictures = figures_of(assessment, self.voice, charts)
        self.numbers = Numbering(self.voice)

    def document(self) -> Document:
        """Everything, in order."""
        front, summary = self.front(), self.summary()
        made = [
            self.published(), self.risk(), self.accuracy(), self.worst(), self.related(), self.audit(),
            self.assumptions(), self.not_covered(), self.decision(), self.glossary(),
        ]  # fmt: skip
        sections = numbered([s for s in made if s.blocks or s.sections])
        scenario, why = _scenario(self.made, self.voice)
        return Document(
            front=front,
            labels=labels_of(self.text),
            summary=summary,
            sections=sections,
            annexes=numbered([self.known(sections), self.reproduced(scenario, why)], letters=True),
            card=assessment_card.card(self.made, self.voice, self.words, self.verdict(), why),
            metadata=assessment_card.metadata(self.made),
            data=self.made.to_dict(),
            words={s.key: list(s.sentences) for s in self.words.sections},
        )

    # ---- parts of sections ----------------------------------------------------------------------------------------

    def section(self, key: str, *blocks: Block, sections: Iterable[Section] = ()) -> Section:
        """A section under its heading."""
        heading = self.voice(f"section-{key}" if f"section-{key}" in self.text else f"heading-{key}")
        return Section(key=key, heading=heading, blocks=blocks, sections=tuple(s for s in sections if s.blocks))

    def told(
        self, key: str, sentences: Iterable[str], *shown: str, tables: Iterable[Table] = (), above: Iterable[str] = ()
    ) -> Section:
        """Sentences with a reference to the figures and tables that follow, and to those above by their keys."""
        figures = self.figures(*shown)
        below = [*figures, *(self.numbers.table(table) for table in tables)]
        said = _text(sentences)
        return (
            self.section(key, *said, *self.numbers.see(below, *above), *below) if said or below else self.section(key)
        )

    def figures(self, *wanted: str) -> list[Figure]:
        """Pictures by their names, with their tables; two drawings of one frame share one table."""
        out = []
        for key in wanted:
            if key in self.pictures:
                picture = self.pictures[key]
                alone = key != "roc_log" or "roc" not in self.pictures
                out.append(
                    self.numbers.figure(key, picture, table_of(key, picture.frame, self.voice) if alone else None)
                )
        return out

    # ---- page one -------------------------------------------------------------------------------------------------

    def front(self) -> Front:
        """The front matter."""
        return front_of(
            self.text,
            self.made.declared,
            kind=self.voice("report-kind"),
            title=self.words.title or self.voice("report-title"),
            program=self.voice("facts-version", version=self.made.version),
            blank=("date",),
        )

    def summary(self) -> Section:
        """What stands alone: front matter, verdict, publication, main pair, limits, worst case, accuracy, decision."""
        table = short_limits(self.made, self.voice)
        shown = self.figures("icons")
        parts = [
            self.part("published", *self.published_in_short()),
            self.part("learning", self.pair(shown[0] if shown else None)),
            self.part("limits", *(self.limits_in_short(table) if table else ())),
            self.part("worst", *_text([" ".join(self.voice.worst())])),
            self.part("analyst", Paragraph(text=self.accuracy_in_short())),
            self.part("warnings", *_text(self.warnings_in_short())),
            self.part("declared", *self.decided(), signatures(self.text, self.made.declared)),
        ]
        return self.section(
            "summary",
            Facts(items=self.front().fields),
            self.verdict(),
            sections=[part for part in parts if part.blocks],
        )

    def part(self, key: str, *blocks: Block) -> Section:
        """A part of page one, under the heading of its section."""
        return Section(key=f"summary-{key}", heading=self.voice(f"heading-{key}"), blocks=blocks)

    def verdict(self) -> Verdict:
        """The verdict by word and shape; the worst is the first."""
        made, voice = self.made, self.voice
        needed = [a.met for a in made.analyst if a.min_power is not None]
        broken = any(not (v.met or v.open) for v in made.limits) or not all(needed)
        state = (
            "refuted" if made.refuted
            else "mildest" if made.mildest
            else "exceeded" if broken
            else "open" if any(v.open for v in made.limits)
            else "none" if not (made.limits or needed)
            else "exposed" if made.failure is FailureMode.CATASTROPHIC
            else "noted" if voice.unprotected or related_first(made, voice)
            else "kept"
        )  # fmt: skip
        mark = MARKS.get(state, MARKS["open"] if state in ("exposed", "noted", "mildest") else MARKS["none"])
        return Verdict(mark=mark, word=voice(f"verdict-state-{state}"), sentences=tuple(voice.verdict()))

    def published_in_short(self) -> tuple[Block, ...]:
        """The first publications, and whom they are about."""
        said = self.words["published"]
        rest = len(said) - _ON_PAGE_ONE
        more = [self.voice("more-published", count=rest)] if rest > 0 else []
        return _text([*said[:_ON_PAGE_ONE], *more, self.voice("unit-protected", n=self.made.assumptions.n or 0)])

    def pair(self, icons: Figure | None) -> Pair:
        """The main pair with its icons; the icons may show another attacker, and say so themselves."""
        before, after, out_of = self.voice.pair_of(self.voice.main)
        counts = (
            (self.voice("pair-before"), self.voice("pair-count", count=before, out_of=out_of, most="no")),
            (self.voice("pair-after"), self.voice("pair-count", count=after, out_of=out_of, most="yes")),
        )
        return Pair(sentence=self.voice.pair(self.voice.main), counts=counts, figure=icons)

    def limits_in_short(self, table: Table) -> tuple[Block, ...]:
        """The limits that are not met first; a long list goes on in its section."""
        rest = len(self.made.limits) - len(table.rows)
        more = (Paragraph(text=self.voice("more-limits", count=rest), role="note"),) if rest else ()
        return (self.numbers.table(table), *more)

    def accuracy_in_short(self) -> str:
        """The first sentence about each of the analyst's tests."""
        if not self.made.analyst:
            return self.voice("no-accuracy")
        return " ".join(analyst_sentences(self.made, self.voice, plans=False)[:_ON_PAGE_ONE])

    def warnings_in_short(self) -> list[str]:
        """The warnings that neither the verdict nor the worst case has told."""
        said = zip(self.made.warnings, self.words["warnings"])
        return [sentence for code, sentence in said if code not in _TOLD]

    def decided(self) -> tuple[Block, ...]:
        """Who decides and why, as declared."""
        if self.made.declared is None or not (self.made.declared.decided_by or self.made.declared.reasons):
            return (Paragraph(text=self.voice("nobody-decides")),)
        broken = any(not (v.met or v.open) for v in self.made.limits)
        notes = [self.voice("declared-unchecked"), *([self.voice("declared-unchecked-broken")] if broken else [])]
        return (self.declared("decided_by", "reasons"), Paragraph(text=" ".join(notes), role="note"))

    def declared(self, *wanted: str) -> Facts:
        """Statements under their names."""
        found = self.made.declared.items() if self.made.declared else ()
        return Facts(items=tuple((self.voice(f"declared-{k}"), self.text.shown(v)) for k, v in found if k in wanted))

    # ---- sections -------------------------------------------------------------------------------------------------

    def published(self) -> Section:
        """What is published, for what and to whom."""
        stated = self.declared("purpose", "benefits", "nature", "recipients")
        said = self.voice.declared()
        missing = said[len(self.made.declared.items()) if self.made.declared else 0 :]
        facts = (stated,) if stated.items else ()
        released = [sentence for sentence in self.words["published"] if sentence not in self.voice.recipients()]
        return self.section("published", *_text(released), *facts, *_text(missing))

    def risk(self) -> Section:
        """The attacker's gain, and everything else that is said about one person."""
        words, first = (
            self.words,
            self.told(
                "learning",
                (self.voice.pair(self.voice.main), *self.words["learning"]),
                "posterior",
                "precision_recall",
                tables=(pairs(self.made, self.voice),),
                above=("chart-icons",),
            ),
        )
        others = [k for k in self.pictures if k not in STANDARD and not k.startswith(("analyst_power", "audit"))]
        more = [
            self.told("finding", words["finding"], "roc", "roc_log", "relative_risk", *others),
            self.told("looks", _looks(self.pictures, self.voice), "output_laws"),
            self.told("absence", words["absence"]),
            self.told("you", words["you"]),
            self.told("asked", words["asked"]),
            self.told("noise", _noise(self.pictures, self.voice), "power_noise"),
        ]
        return self.section("learning", *first.blocks, sections=more)

    def accuracy(self) -> Section:
        """The analyst's tests."""
        shown = [key for key in self.pictures if key.startswith("analyst_power")]
        said = self.words["analyst"] if self.made.analyst else ()
        return self.told("analyst", said, *shown, tables=analyst_tables(self.made, self.voice))

    def worst(self) -> Section:
        """Whether a result can prove something; then epsilon and delta."""
        more = self.told("epsilon", self.words["epsilon"], "profile")
        return self.section("worst", *_text(self.voice.worst()), sections=[more])

    def related(self) -> Section:
        """Attackers who know how records are related."""
        tables = related_tables(self.made, self.voice)
        return self.told("related", self.words["related"], "leakage", tables=tables)

    def audit(self) -> Section:
        """Measured attacks."""
        return self.told("audit", self.words["audit"], *(key for key in self.pictures if key.startswith("audit")))

    def assumptions(self) -> Section:
        """What every number rests on."""
        assumed = list(self.words["assumptions"])
        attacker = [s for s in assumed if s in (self.voice("attacker"), self.voice.priors())]
        rest = [s for s in assumed if s not in attacker]
        who = self.section("attacker", *_text([*attacker, *_knowing(self.made, self.voice)]))
        more = [who, self.section("warnings", *_text(self.words["warnings"]))]
        return self.section("assumptions", Facts(items=_facts(self.made, self.voice)), *_text(rest), sections=more)

    def not_covered(self) -> Section:
        """What the numbers do not say."""
        intro = Paragraph(text=self.voice("intro-not_covered"))
        return self.section("not_covered", intro, *_text(self.words["not_covered"]))

    def decision(self) -> Section:
        """Limits with their verdicts, and who decides."""
        table = limits(self.made, self.voice)
        tables = [self.numbers.table(table)] if table else []
        said = _text(self.words["limits"] or (() if table else (self.voice("no-limits"),)))
        return self.section("declared", *said, *self.numbers.see(tables), *tables, *self.decided())

    def glossary(self) -> Section:
        """Words and their meanings."""
        items = tuple((self.voice(f"glossary-{term}"), self.voice(f"glossary-{term}.meaning")) for term in GLOSSARY)
        return self.section("glossary", Definitions(items=items))

    # ---- annexes --------------------------------------------------------------------------------------------------

    def known(self, sections: Iterable[Section]) -> Section:
        """How the numbers of each section are known, and every answer between its ends."""
        found = certificates(self.made, self.voice)
        headings = {s.key: s.heading for s in chain(sections, *(s.sections for s in sections))}
        names = {
            "release": "learning",
            "epsilon": "epsilon",
            "related": "related",
            "analyst": "analyst",
            "audit": "audit",
        }
        facts = tuple((headings[at], found[key]) for key, at in names.items() if found[key] and at in headings)
        heads = (self.voice("head-low"), self.voice("head-high"), self.voice("head-route"))
        tables = (
            *all_numbers(self.made, self.voice),
            *related_tables(self.made, self.voice),
            *analyst_answers(self.made, self.voice),
        )
        shown = [self.numbers.table(enclosed(t, heads)) for t in tables]
        return self.section("numbers", Paragraph(text=self.voice("intro-numbers")), Facts(items=facts), *shown)

    def reproduced(self, scenario: str, why: str) -> Section:
        """The scenario file and how to run it, or the reason why there is none."""
        if not scenario:
            return self.section("reproduce", Paragraph(text=why), Paragraph(text=self.voice("kept-by-html")))
        return self.section(
            "reproduce",
            Paragraph(text=self.voice("intro-reproduce")),
            Listing(key="scenario", text=scenario.rstrip(), language="yaml"),
            Listing(text=assessment_card.COMMAND, language="sh"),
            Listing(text=assessment_card.PYTHON, language="python"),
        )


def _text(sentences: Iterable[str]) -> tuple[Block, ...]:
    """One sentence as a paragraph, several as a list."""
    said = tuple(sentence for sentence in sentences if sentence)
    if len(said) < 2:
        return tuple(Paragraph(text=one) for one in said)
    return (Bullets(items=said),)


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


def _looks(pictures: dict[str, Picture], voice: Voice) -> tuple[str, ...]:
    if "output_laws" not in pictures:
        return ()
    f = pictures["output_laws"].frame.facts
    said = voice("looks-test", fpr=share(f["fpr"]), power=percent(f["power"], 3))
    return (voice("looks", scale=f["scale"]), said)


def _noise(pictures: dict[str, Picture], voice: Voice) -> tuple[str, ...]:
    if "power_noise" not in pictures:
        return ()
    frame = pictures["power_noise"].frame
    found = {row["factor"]: percent(row["power"], 3) for row in frame.rows if row["fpr"] == voice.fpr}
    halved = "yes" if 0.5 in found else "no"
    return (voice("noise", halved=halved, half=found.get(0.5, ""), twice=found[2.0], now=found[1.0]),)


def _knowing(assessment: Assessment, voice: Voice) -> list[str]:
    """Attackers on related records: whom they attack and what they know."""
    from dplens.describe.models import read_model

    related = assessment.related
    if related is None:
        return []
    n = read_model(json.loads(related.model)).n
    return [introduced(who, related, n, voice) for who in (related.worst, *related.attackers)]


def _scenario(assessment: Assessment, voice: Voice) -> tuple[str, str]:
    """The scenario file that reproduces the assessment, or the reason why there is none."""
    from dplens.scenario.written import as_yaml, scenario_of

    try:
        return as_yaml(scenario_of(assessment)), ""
    except Undefined as error:
        return "", voice("no-scenario", why=str(error).rstrip("."))
