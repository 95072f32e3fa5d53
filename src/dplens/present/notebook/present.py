"""Outlines of cards, sentences, frames and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dplens.estimate import Estimate
from dplens.present.card import RiskCard
from dplens.present.charts.picture import Picture
from dplens.present.frames.base import ChartFrame
from dplens.present.notebook.assessment import AssessmentOutline
from dplens.present.notebook.names import brief, fitted, several
from dplens.present.notebook.outline import NEUTRAL, SOME_ROWS, Outline, OutlineTable, Row
from dplens.present.words.say import Section, Words
from dplens.registry import presents


@presents(RiskCard, "outline")
class RiskCardOutline(AssessmentOutline):
    """The assessment of the card, in its language."""

    def __init__(self, result: RiskCard, code: str | None = None) -> None:
        self.card = result
        super().__init__(result.assessment, result.language)

    def name(self) -> str:
        return self.card.title


@presents(Words, "outline")
class WordsOutline(Outline):
    """Sentences under their headings."""

    def name(self) -> str:
        return self.result.title

    def short(self) -> str:
        return f"{len(self.result.sentences())} sentences in {len(self.result.sections)} sections"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(NEUTRAL, sentence) for section in self.result.sections[:1] for sentence in section.sentences]

    def numbers(self) -> Sequence[Row]:
        return ()

    def tables(self) -> Sequence[OutlineTable]:
        return [
            OutlineTable(section.heading, (), tuple((sentence,) for sentence in section.sentences))
            for section in self.result.sections[1:]
        ]


@presents(Section, "outline")
class SectionOutline(Outline):
    """Sentences under a heading."""

    def name(self) -> str:
        return self.result.heading

    def short(self) -> str:
        return f"{len(self.result.sentences)} sentences"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(NEUTRAL, sentence) for sentence in self.result.sentences]

    def numbers(self) -> Sequence[Row]:
        return ()


@presents(ChartFrame, "outline")
class ChartFrameOutline(Outline):
    """The facts of a picture, and rows from its table."""

    def name(self) -> str:
        return self.result.kind

    def short(self) -> str:
        return f"{len(self.result.rows)} rows of {fitted(self._names(), ', ', 80)}"

    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.result.rows for name in row if name != "listed"))

    def numbers(self) -> Sequence[Row]:
        facts = {k: v for k, v in self.result.facts.items() if isinstance(v, (bool, int, float)) and k != "releases"}
        return [self.as_given(name, value) for name, value in facts.items()]

    def tables(self) -> Sequence[OutlineTable]:
        names = self._names()[:7]
        rows = several(self.result.listed() or list(self.result.rows), SOME_ROWS)
        cells = tuple(tuple(self.as_given("", _plain(row.get(name))).text for name in names) for row in rows)
        return [OutlineTable("", tuple(names), cells, len(self.result.rows))]

    def columns(self) -> dict[str, list[Any]]:
        names = dict.fromkeys(name for row in self.result.rows for name in row)
        return {name: [_plain(row.get(name)) for row in self.result.rows] for name in names}


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Estimate) else value


@presents(Picture, "outline")
class PictureOutline(Outline):
    """What the picture is; a notebook shows the picture itself."""

    def name(self) -> str:
        return self.result.kind

    def short(self) -> str:
        return brief(self.result.title, 100)

    def numbers(self) -> Sequence[Row]:
        return ()
