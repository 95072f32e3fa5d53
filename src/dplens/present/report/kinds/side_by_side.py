"""Several assessments side by side: limits, main numbers, curves in one picture, and what changes between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from dplens import _validate
from dplens.assessment.changes import reservations
from dplens.assessment.records import Declaration
from dplens.assessment.result import Assessment
from dplens.decide.comparison.dominance import standing
from dplens.mechanisms.base import as_curve
from dplens.present.notebook.assessment import AssessmentOutline, ChangesOutline
from dplens.present.notebook.metrics import metrics_of
from dplens.present.notebook.outline import BROKEN, MET, NEUTRAL, OPEN, Outline, OutlineTable, Row
from dplens.present.report.build import verdict_of
from dplens.present.report.document import Document, Mark, Verdict
from dplens.present.report.kinds.comparison import LINES, WORDS, overlaid
from dplens.present.report.kinds.result import Pages, Pictured
from dplens.present.report.subject import Subject
from dplens.present.rounding import given, number, percent
from dplens.registry import presents
from dplens.risk.conversions import Epsilon
from dplens.risk.rates import Advantage, AttackPower

_WORST_FIRST = (Mark.BROKEN, Mark.OPEN, Mark.NONE, Mark.MET)


@dataclass(frozen=True, kw_only=True)
class SideBySide:
    """Assessments by name, from two to eight; texts are in the language of the first."""

    assessments: dict[str, Assessment]

    def __post_init__(self) -> None:
        if not 2 <= len(self.assessments) <= LINES:
            rule = f"to be from 2 to {LINES}, as many as one picture can tell apart"
            raise _validate.reject("assessments", rule, len(self.assessments), "Write several reports.")

    @property
    def language(self) -> str:
        """That of the first assessment."""
        return next(iter(self.assessments.values())).language

    def to_dict(self) -> dict[str, Any]:
        """Every assessment as plain values, by name."""
        return {name: made.to_dict() for name, made in self.assessments.items()}


@presents(SideBySide, "document")
def document(result: SideBySide, charts: tuple[str, ...], language: str) -> Document:
    """The document, with the front matter that all assessments share."""
    about = Subject(result=result, declared=_common([made.declared for made in result.assessments.values()]))
    return SideBySidePages(result, about, charts, language).document()


def _common(declared: list[Declaration | None]) -> Declaration | None:
    """What all of them state alike."""
    first, *rest = [one or Declaration() for one in declared]
    same = {f.name: getattr(first, f.name) for f in fields(first)}
    kept = {name: value for name, value in same.items() if all(getattr(one, name) == value for one in rest)}
    return Declaration(**kept) if any(kept.values()) else None


@presents(SideBySide, "outline")
class SideBySideOutline(Outline):
    """A verdict for each assessment, which of two curves protects better, and the numbers below each other."""

    @cached_property
    def outlines(self) -> dict[str, AssessmentOutline]:
        """Those of the assessments."""
        return {name: AssessmentOutline(made, self.code) for name, made in self.result.assessments.items()}

    @cached_property
    def judged(self) -> dict[str, Verdict]:
        """The verdict on the first page of each report."""
        return {name: verdict_of(made, self.code) for name, made in self.result.assessments.items()}

    def verdicts(self) -> Sequence[tuple[str, str]]:
        said = [(found.mark.value, f"{name}: {found.sentences[0]}") for name, found in self.judged.items()]
        marked = [("" if mark == Mark.NONE.value else mark, sentence) for mark, sentence in said]
        marked.sort(key=lambda pair: (BROKEN, OPEN, NEUTRAL, MET).index(pair[0]))  # what is worst comes first
        return [*marked, *((NEUTRAL, sentence) for sentence in self._relations())]

    def _relations(self) -> Iterator[str]:
        """Which of each two in a row protects better, where both tell the same apart."""
        for (a, first), (b, second) in pairwise(self.result.assessments.items()):
            reserved = reservations(first, second)
            if "neighbours" in reserved:
                continue
            found = standing(as_curve(first.mechanism, a), as_curve(second.mechanism, b))
            rates = list(dict.fromkeys(percent(x, 3) for x in found.crossings if 1e-12 < x < 1 - 1e-12))[:4]
            where = {"where": "some" if rates else "none", "rates": rates}
            said = self.text(f"compared-{found.kind}", a=a, b=b, **where)
            yield self.text("compared-by-description", said=said) if reserved else said

    def numbers(self) -> Sequence[Row]:
        return ()

    def tables(self) -> Sequence[OutlineTable]:
        named = [self.text(f"document-head-{head}") for head in ("publication", "verdict", "pair")]
        heads = [*named, self.label("advantage"), self.label("epsilon")]
        rows = [
            (name, f"{found.mark.value} {found.word}", *self._main(self.outlines[name]))
            for name, found in self.judged.items()
        ]
        related = [made.related for made in self.result.assessments.values()]
        if any(related):  # what the publication alone allows would sound better than it is
            heads.append(self.text("document-head-related"))
            bounds = [self._epsilon(number(one.bound), one.delta) if one else "–" for one in related]
            rows = [(*row, bound) for row, bound in zip(rows, bounds)]
        limits = [(name, *row) for name, one in self.outlines.items() for table in one.tables() for row in table.rows]
        limits.sort(key=lambda row: row[1])  # of the same limit below each other
        asked = [self.text("document-head-publication"), *map(self.label, ("limit", "bound", "answer", "verdict"))]
        return [
            OutlineTable("", tuple(heads), tuple(rows)),
            OutlineTable(self.text("heading-limits"), tuple(asked), tuple(limits)),
            *self._changes(),
        ]

    def _main(self, one: AssessmentOutline) -> tuple[str, ...]:
        """The main pair, the advantage and epsilon."""
        made, delta = one.result, one.result.assumptions.delta
        before, after, out_of = one.voice.pair_of(one.voice.main)
        pair = self.text("document-pair", before=before, after=after, out_of=out_of)
        advantage = one.answer(Advantage(), made.answer(Advantage()), one.voice)
        epsilon = one.answer(Epsilon(delta=delta), made.answer(Epsilon(delta=delta)), one.voice)
        return pair, advantage.text, self._epsilon(epsilon.text, delta)

    def _epsilon(self, epsilon: Any, delta: float) -> str:
        return self.text("document-epsilon", epsilon=epsilon, delta=given(delta))

    def _changes(self) -> Iterator[OutlineTable]:
        """What changes from each to the next."""
        made = list(self.result.assessments.items())
        for (a, first), (b, second) in pairwise(made):
            told = ChangesOutline(second.changes_since(first), self.code)
            for table in told.tables():
                caption = self.text("compared-from", a=a, b=b).rstrip(": \u00a0\u202f")
                yield OutlineTable(caption, table.heads, table.rows)

    def estimates(self) -> Sequence[Row]:
        rows = []
        for name, one in self.outlines.items():
            made, assumed = one.result, one.result.assumptions
            for question in (AttackPower(fpr=assumed.fpr), Advantage(), Epsilon(delta=assumed.delta)):
                row = one.answer(question, made.answer(question), one.voice)
                rows.append(Row(f"{name}: {row.label}", row.text, f"{name} {row.key}", row.value, row.estimate))
        return rows

    def metrics(self) -> dict[str, float]:
        made = self.result.assessments.items()
        passed = [(f"{name} passed", one.passed) for name, one in made if one.judged]
        refuted = [(f"{name} refuted", True) for name, one in made if one.refuted]
        return metrics_of([*passed, *refuted, *((row.key, row.value) for row in self.estimates())])


@presents(SideBySide, "pages")
class SideBySidePages(Pages):
    """The document of several assessments."""

    glossary = WORDS

    def subject(self) -> Iterable[str]:
        apart = {(made.assumptions.told_apart, made.assumptions.unit) for made in self.result.assessments.values()}
        said = self.of_kind("about", count=len(self.result.assessments))
        return [said, *([self("document-other-neighbours")] if len(apart) > 1 else [])]

    def of_kind(self, what: str, **values: Any) -> str:
        return super().of_kind(what, **{"count": len(self.result.assessments), **values})

    def verdict(self) -> Verdict:
        """The worst of their verdicts: met only if all are judged and met."""
        outline: Any = self.outline
        judged = list(outline.judged.values())
        worst = min(judged, key=lambda one: _WORST_FIRST.index(one.mark))
        mixed = worst.mark is Mark.NONE and any(one.mark is Mark.MET for one in judged)
        word = self("document-state-some-side-by-side") if mixed else worst.word
        return replace(super().verdict(), mark=worst.mark, word=word)

    def pictures(self) -> Pictured:
        return overlaid({name: made.mechanism for name, made in self.result.assessments.items()})
