"""The model of a document: front matter, a summary of one page, sections and annexes, made of small frozen blocks.

Builders in ``kinds`` make a document from a result, one for each kind of result; renderers print any document. All
text is worded and all numbers are rounded before they come here, so renderers compute nothing and know no result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dplens.present.charts.picture import Picture


class Mark(Enum):
    """The shape of a verdict, which always stands beside its word."""

    MET = "✓"
    BROKEN = "✗"
    OPEN = "?"
    NONE = "–"


# ---- cells and tables ------------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"[−-]?[\d.,\s\u202f\u00a0]*\d(e-?\d+)?[\s\u00a0\u202f]?%?|∞|–")


@dataclass(frozen=True)
class Cell:
    """One cell. Computed numbers have a bracket and a route; inputs and counts have none."""

    text: str
    low: str = ""
    high: str = ""
    route: str = ""
    exact: tuple[float, float] | None = None
    of: int | None = None  # a count of people: of how many
    safe: str = "high"  # the printed number must not lie inside this end
    mark: Mark | None = None

    @property
    def computed(self) -> bool:
        """Whether it is a number that was computed."""
        return bool(self.route)

    @property
    def numeric(self) -> bool:
        """Whether it stands under its neighbours as a number."""
        return self.computed or bool(_NUMBER.fullmatch(self.text))


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table with its numbered caption; ``key`` identifies it in the document."""

    key: str
    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def numeric(self) -> tuple[bool, ...]:
        """For each column, whether all of it are numbers."""
        return tuple(all(cell.numeric for cell in column) for column in zip(*self.rows))


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A picture under its numbered caption, with the table that belongs beside it."""

    key: str
    picture: Picture
    caption: str
    table: Table | None = None


# ---- blocks of text --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """Running text. role: "lead" for what is read first, "note" for what is read last."""

    text: str
    role: str = ""


@dataclass(frozen=True, kw_only=True)
class Bullets:
    """Sentences of equal rank."""

    items: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Names with their values; an empty value is a line to fill in by hand."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Definitions:
    """Words with their meanings."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether what was required holds, in a word with its shape, and in sentences."""

    mark: Mark
    word: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two counts of the same whole, in a sentence, each under its name, and as rows of icons if there are any."""

    sentence: str
    counts: tuple[tuple[str, str], ...]
    figure: Figure | None = None


@dataclass(frozen=True, kw_only=True)
class Signatures:
    """Lines to sign on. labels: of role, name, date and signature. lines: (name, role), either of them may be empty."""

    labels: tuple[str, str, str, str]
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class See:
    """A reference; links: the names that occur in the text, each with the key of what it names."""

    text: str
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Listing:
    """Lines as a file or a terminal has them. language: "yaml", "sh" or "python"."""

    text: str
    language: str = ""
    key: str = ""


Block = Paragraph | Bullets | Facts | Definitions | Verdict | Pair | Signatures | See | Listing | Table | Figure


# ---- the document ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Section:
    """Blocks under a heading, then subsections; ``number`` is empty where nothing is counted."""

    key: str
    heading: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    number: str = ""


@dataclass(frozen=True, kw_only=True)
class Front:
    """What a title page says: as values, and in ``fields`` under their names as they are printed."""

    kind: str
    title: str
    language: str
    organisation: str = ""
    author: str = ""
    reference: str = ""
    date: str = ""
    status: str = ""
    version: str = ""
    signatories: tuple[tuple[str, str], ...] = ()
    program: str = ""  # that made it, with its version
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The words of a page that belong to no block."""

    contents: str
    skip: str
    summary: str
    colophon: str


@dataclass(frozen=True, kw_only=True)
class Document:
    """Everything a report says, in order.

    card: what a model card has of it. metadata: numbers and tags for programs that list cards. data: the result as
    plain values. words: its sentences by section.
    """

    front: Front
    labels: Labels
    summary: Section
    sections: tuple[Section, ...]
    annexes: tuple[Section, ...] = ()
    card: tuple[Section, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)
    words: Mapping[str, list[str]] = field(default_factory=dict, repr=False)

    def everything(self) -> Iterator[Section]:
        """All sections and subsections in order, without the card."""
        waiting = [self.summary, *self.sections, *self.annexes]
        while waiting:
            section = waiting.pop(0)
            yield section
            waiting[:0] = section.sections

    def blocks(self) -> Iterator[Block]:
        """All blocks in order, without the card."""
        for section in self.everything():
            yield from section.blocks

    def figures(self) -> list[Figure]:
        """All figures in order, also those of pairs."""
        own = (block.figure if isinstance(block, Pair) else block for block in self.blocks())
        return [figure for figure in own if isinstance(figure, Figure)]
