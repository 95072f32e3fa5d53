"""The document of any result, made from its outline: what the notebook shows, in the order of a report.

A kind of result that has more to say is a class below :class:`Pages` under ``@presents(Kind, "pages")``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from dplens.assessment.result import Assessment, installed_version
from dplens.decide.plain import plain
from dplens.errors import Undefined
from dplens.present.card import RiskCard
from dplens.present.charts.picture import Picture, chart
from dplens.present.notebook import outline as notebook
from dplens.present.notebook.names import brief, capitalised
from dplens.present.notebook.outline import Outline, OutlineTable, Row, kind_words, outline_of
from dplens.present.report.build import Numbering, document_of, finite, front_of, labels_of, numbered, signatures
from dplens.present.report.document import (
    Block,
    Bullets,
    Cell,
    Definitions,
    Document,
    Facts,
    Figure,
    Front,
    Mark,
    Paragraph,
    Section,
    Table,
    Verdict,
)
from dplens.present.report.figures import ALL, STANDARD
from dplens.present.report.kinds.assessment_card import TAGS
from dplens.present.report.subject import Subject
from dplens.present.report.tables import estimate_cell, table_of, written
from dplens.registry import Result, present, presents, snake

_MARKS = {
    notebook.BROKEN: Mark.BROKEN, notebook.OPEN: Mark.OPEN, notebook.MET: Mark.MET, notebook.NEUTRAL: Mark.NONE,
}  # fmt: skip
MEMBERS = {
    "about": "membership", "apart": "add_remove", "unit": "person", "gamma": "", "setting": "central", "several": "no",
    "size": 1, "mildest": "no", "fpr": "1 %",
}  # fmt: skip
_ON_PAGE_ONE = 8  # rows of a table, and sentences of the verdict
_FEW = 3  # assumptions that page one has room for
_ON_CARD = 12  # rows of a table, and numbers in front matter
_LONG = 400  # letters of a cell

Pictured = Mapping[str, tuple[str, Any, dict[str, Any]]]  # by key: kind, target and settings of a chart


@presents(Result, "document")
def document(result: Any, charts: tuple[str, ...], language: str) -> Document:
    """The document of any result that has no other."""
    return subject(Subject(result=result), charts, language)


@presents(Subject, "document")
def subject(about: Subject, charts: tuple[str, ...], language: str) -> Document:
    """The document of a result with its front matter."""
    made = about.result.assessment if isinstance(about.result, RiskCard) else about.result
    if isinstance(made, Assessment):
        return document_of(replace(made, declared=about.declared), charts, language)
    return present(about.result, "pages", about, charts, language).document()


@presents(RiskCard, "document")
def card(made: RiskCard, charts: tuple[str, ...], language: str) -> Document:
    """The document of the assessment behind a risk card."""
    return document_of(made.assessment, charts, language)


@presents(Result, "pages")
class Pages:
    """Makes the parts of a document; kinds of results fill in what is special about them."""

    decides: ClassVar[bool] = False  # whether somebody has to decide, and sign
    glossary: ClassVar[tuple[str, ...]] = ()
    named: ClassVar[bool] = True  # whether the name of a result is its title
    first: ClassVar[bool] = False  # whether the first table stands on page one although there are main numbers

    def __init__(self, result: Any, about: Subject, charts: tuple[str, ...], language: str) -> None:
        self.result, self.about, self.charts = result, about, charts
        self.outline: Outline = outline_of(result, language)
        self.text = self.outline.text
        self.numbers = Numbering(self.text)

    def __call__(self, key: str, **values: Any) -> str:
        """A text."""
        return self.text(key, **values)

    # ---- what kinds of results fill in ----------------------------------------------------------------------------

    def subject(self) -> Iterable[str]:
        """Sentences on what the result is about."""
        return [self.of_kind("about")]

    def pictures(self) -> Pictured:
        """The charts of this kind of result, by key."""
        return {}

    def more(self) -> Iterator[Section]:
        """Further sections, before the assumptions."""
        yield from ()

    def assumptions(self) -> Iterable[str]:
        """What the numbers rest on."""
        return ()

    def not_covered(self) -> Iterable[str]:
        """What the numbers do not say."""
        return [self.of_kind("not-covered")]

    # ---- texts and tables -----------------------------------------------------------------------------------------

    def of_kind(self, what: str, **values: Any) -> str:
        """The text of this kind of result, or else that of all results."""
        for kind in type(self.result).__mro__:
            key = f"document-{what}-{snake(kind.__name__).replace('_', '-')}"
            if key in self.text:
                return self.text(key, **values)
        return self.text(f"document-{what}", **values)

    def section(self, key: str, *blocks: Block, heading: str = "", sections: Iterable[Section] = ()) -> Section:
        """A section under its heading."""
        named = next((name for name in (f"section-{key}", f"heading-{key}") if name in self.text), f"document-h-{key}")
        heading = heading or self.text(named, **MEMBERS)
        return Section(key=key, heading=heading, blocks=blocks, sections=tuple(s for s in sections if s.blocks))

    def shown(self, key: str, *blocks: Block, above: Iterable[str] = (), heading: str = "") -> Section:
        """A section in which a reference to its figures and tables stands before them."""
        at = next((i for i, b in enumerate(blocks) if isinstance(b, (Figure, Table))), len(blocks))
        see = self.numbers.see(blocks[at:], *above)
        return self.section(key, *blocks[:at], *see, *blocks[at:], heading=heading)

    def table(self, key: str, made: OutlineTable, most: int = 10**6) -> Table:
        """A table of the outline as one of the document."""
        said = capitalised(made.caption) if made.caption else self.of_kind(f"table-{min(int(key[-1]), 3)}")
        heads = made.heads or ("",) * len(made.rows[0])
        rows = written([[self._cell(value) for value in row] for row in made.rows[:most]], self)
        return self.numbers.table(Table(key=key, caption=said, heads=heads, rows=rows))

    def _cell(self, value: Any) -> Cell:
        """A cell; a verdict is told by its shape."""
        text = self.text.shown(value)
        sign, _, word = str(text).partition(" ")
        mark = next((mark for mark in Mark if mark.value == sign), None)
        if word and mark is not None:
            return Cell(word, mark=mark)
        return Cell(brief(str(text), _LONG))

    def rows(self, key: str, caption: str, rows: Sequence[Row]) -> Table:
        """Numbers below each other, those that have a bracket with it."""
        plain = [self._cell(row.text) for row in rows]
        whole = all(cell.numeric for cell in plain)  # or else nothing stands under its neighbours as a number
        made = [
            (Cell(titled(row)), _bracketed(row) if whole and row.estimate is not None else cell)
            for row, cell in zip(rows, plain)
        ]
        heads = (self.text("document-head-what"), self.text("document-head-value"))
        return self.numbers.table(Table(key=key, caption=caption, heads=heads, rows=written(made, self)))

    def figures(self, *keys: str) -> list[Figure]:
        """Figures with the tables of what they show; where none are named, all that page one does not have."""
        out = []
        for key in keys or list(self.drawn)[1:]:
            picture = self.drawn[key]
            alone = None if "releases" in picture.frame.facts else table_of(key, picture.frame, self)
            out.append(self.numbers.figure(key, picture, alone))
        return out

    def first_figure(self) -> list[Figure]:
        """The figure on page one; what its table holds follows in a section."""
        return [self.numbers.figure(key, picture) for key, picture in list(self.drawn.items())[:1]]

    def first_table(self) -> list[Table]:
        """The table of the figure on page one."""
        found = [
            table_of(key, picture.frame, self)
            for key, picture in list(self.drawn.items())[:1]
            if "releases" not in picture.frame.facts
        ]
        return [self.numbers.table(table) for table in found if table is not None]

    @cached_property
    def drawn(self) -> dict[str, Picture]:
        """The pictures that are wanted and possible."""
        out: dict[str, Picture] = {}
        for key, (kind, target, settings) in self.pictures().items() if self.charts else ():
            if self.charts in (STANDARD, ALL) or kind in self.charts:
                try:
                    out[key] = chart(kind, target, language=self.text.code, **settings)
                except Undefined:
                    continue
        return out

    @cached_property
    def tables(self) -> list[OutlineTable]:
        """The tables of the outline that have rows."""
        return [table for table in self.outline.tables() if table.rows]

    # ---- page one -------------------------------------------------------------------------------------------------

    def front(self) -> Front:
        """The front matter."""
        kind = kind_words(self.outline)
        title = self.about.title or (self.named and self.outline.name()) or self.of_kind("title", kind=kind)
        program = self.text("facts-version", version=installed_version())
        return front_of(self.text, self.about.declared, kind=kind, title=title, program=program, blank=("date",))

    def verdict(self) -> Verdict:
        """The verdict by word and shape; the worst of several marks stands for all."""
        said = self.outline.verdicts()
        marks = [mark for mark, _ in said]
        worst = next((mark for mark in _MARKS if mark in marks), notebook.NEUTRAL)
        word = self.of_kind(f"state-{_MARKS[worst].name.lower()}")
        return Verdict(mark=_MARKS[worst], word=word, sentences=tuple(one for _, one in said[:_ON_PAGE_ONE]))

    def summary(self) -> Section:
        """What stands alone: front matter, verdict, subject, main numbers, decision."""
        numbers: list[Block] = []
        said = list(self.assumptions())
        if rows := self.outline.numbers():
            numbers.append(self.rows("main", self.of_kind("table-main"), rows))
        if self.tables and (self.first or not rows):
            numbers.append(self.table("table-1", self.tables[0], _ON_PAGE_ONE))
            if len(self.tables[0].rows) > _ON_PAGE_ONE:
                said = self.text("document-more-rows", shown=_ON_PAGE_ONE, count=len(self.tables[0].rows))
                numbers.append(Paragraph(text=said, role="note"))
        parts = [
            ("about", text_of(self.subject())),
            ("main", (*numbers, *self.first_figure())),
            ("assumptions", text_of(said if len(said) <= _FEW else ())),
            ("declared", self.decided()),
        ]
        found = [replace(self.section(key, *blocks), key=f"summary-{key}") for key, blocks in parts if blocks]
        return self.section("summary", Facts(items=self.front().fields), self.verdict(), sections=found)

    def decided(self) -> tuple[Block, ...]:
        """Who decides and why, with lines to sign on; nothing where nobody has to."""
        stated = self.declared("decided_by", "reasons")
        declared = self.about.declared
        if not (self.decides or stated.items or (declared and declared.signatories)):
            return ()
        told = stated if stated.items else Paragraph(text=self.text("nobody-decides"))
        return (told, signatures(self.text, declared))

    def declared(self, *wanted: str) -> Facts:
        """Statements under their names."""
        found = self.about.declared.items() if self.about.declared else ()
        return Facts(items=tuple((self.text(f"declared-{k}"), self.text.shown(v)) for k, v in found if k in wanted))

    # ---- sections -------------------------------------------------------------------------------------------------

    def document(self) -> Document:
        """Everything, in order."""
        front, summary = self.front(), self.summary()
        made = [self.stated(), self.results(), *self.more(), self.rest(), self.outside(), self.meanings()]
        annexes = [self.known()]
        return Document(
            front=front,
            labels=labels_of(self.text),
            summary=summary,
            sections=numbered([s for s in made if s.blocks or s.sections]),
            annexes=numbered([s for s in annexes if s.blocks], letters=True),
            card=self.card(summary),
            metadata=self.metadata(),
            data=finite(self.data()),
            words={"summary": [sentence for _, sentence in self.outline.verdicts()]},
        )

    def stated(self) -> Section:
        """What was declared about the publication."""
        facts = self.declared("purpose", "benefits", "nature", "recipients")
        if facts.items:
            return self.section("published", facts)
        return self.section("published", *text_of([self.text("document-not-stated")] if self.decides else ()))

    def results(self) -> Section:
        """The tables that page one does not have whole, and the figures."""
        on_page_one = self.first or not self.outline.numbers()
        drawn = [*self.figures(), *self.first_table()]
        shown = []
        for i, one in enumerate(self.tables):
            if i or not on_page_one:
                shown.append(self.table(f"table-{i + 1}", one))
            elif len(one.rows) > _ON_PAGE_ONE:
                shown.append(self.table("whole-1", one))
        said = [sentence for _, sentence in self.outline.verdicts()[_ON_PAGE_ONE:]]
        return self.shown("results", *text_of(said), *drawn, *shown)

    def rest(self) -> Section:
        """What every number rests on, if page one has no room for it."""
        said = list(self.assumptions())
        return self.section("assumptions", *(text_of(said) if len(said) > _FEW else ()))

    def outside(self) -> Section:
        """What the numbers do not say."""
        return self.section("not_covered", *text_of(self.not_covered()))

    def meanings(self) -> Section:
        """Words and their meanings."""
        said = [(f"glossary-{term}", f"glossary-{term}.meaning") for term in self.glossary]
        items = tuple((self.text(name, **MEMBERS), self.text(meaning, **MEMBERS)) for name, meaning in said)
        return self.section("glossary", *((Definitions(items=items),) if items else ()))

    def known(self) -> Section:
        """Every answer between its ends, with how it is known."""
        heads = ("document-head-what", "document-head-value", "head-low", "head-high", "head-route")
        rows: list[tuple[Cell, ...]] = []
        for row in self.outline.estimates():
            cell = written([(_bracketed(row),)], self)[0][0]
            rows.append((Cell(titled(row)), cell, Cell(cell.low), Cell(cell.high), Cell(cell.route)))
        if not rows:
            return self.section("numbers")
        whole = Table(
            key="known",
            caption=self.text("table-answers"),
            heads=tuple(self.text(head) for head in heads),
            rows=tuple(rows),
        )
        routes = dict.fromkeys(row[1].route for row in rows)
        how = [self.text(f"route-{name}") for name in routes if f"route-{name}" in self.text]
        said = text_of([self.text("intro-numbers")])
        return self.section("numbers", *said, *text_of(how), self.numbers.table(whole))

    # ---- other formats --------------------------------------------------------------------------------------------

    def card(self, summary: Section) -> tuple[Section, ...]:
        """Verdict, subject, main numbers, what it rests on and what it does not cover."""
        kept = [replace(part, blocks=tuple(map(_short, part.blocks))) for part in summary.sections]
        verdict = Section(key="summary", heading=summary.heading, blocks=(self.verdict(),))
        outside = self.section("not_covered", *text_of(self.not_covered()))
        return tuple(s for s in (verdict, *kept, outside) if s.blocks and s.key != "summary-declared")

    def metadata(self) -> dict[str, Any]:
        """Numbers and tags for programs."""
        numbers = dict(list(self.outline.metrics().items())[:_ON_CARD])
        return {"tags": list(TAGS), "dplens_version": installed_version(), **numbers}

    def data(self) -> dict[str, Any]:
        """The result as plain values, with its metrics."""
        whole = self.result.to_dict() if hasattr(self.result, "to_dict") else {}
        declared = {} if self.about.declared is None else {"declared": self.about.declared.to_dict()}
        kind = snake(type(self.result).__name__)
        return {"kind": kind, "metrics": self.outline.metrics(), "result": plain(whole), **declared}


def titled(row: Row) -> str:
    """The label of a row as the start of a line; a letter such as n stays as it is."""
    return row.label if len(row.label) == 1 else capitalised(row.label)


def text_of(sentences: Iterable[str]) -> tuple[Block, ...]:
    """One sentence as a paragraph, several as a list."""
    said = tuple(sentence for sentence in sentences if sentence)
    return (Bullets(items=said),) if len(said) > 1 else tuple(Paragraph(text=one) for one in said)


def _bracketed(row: Row) -> Cell:
    if row.estimate is None or not isinstance(row.text, str):
        return Cell(str(row.text))
    return estimate_cell(row.text, row.estimate)


def _short(block: Block) -> Block:
    """The block as a card has it: of a long table its first rows."""
    return replace(block, rows=block.rows[:_ON_CARD]) if isinstance(block, Table) else block
