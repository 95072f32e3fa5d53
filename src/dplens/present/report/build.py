"""What builders of documents share: numbers of figures and tables, front matter, signatures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dplens.present.report.document import (
    Block,
    Cell,
    Document,
    Figure,
    Front,
    Labels,
    Section,
    See,
    Signatures,
    Table,
    Verdict,
)
from dplens.registry import import_all, present

if TYPE_CHECKING:
    from dplens.assessment.records import Declaration
    from dplens.present.charts.picture import Picture
    from dplens.present.words.language import Language

FIELDS = ("organisation", "author", "reference", "date", "status", "version")


def document_of(result: Any, charts: tuple[str, ...], language: str) -> Document:
    """The document of a result; every module of ``kinds`` registers the builder of a kind of result."""
    from dplens.present.report import kinds

    import_all(kinds)
    return present(result, "document", charts, language)


def verdict_of(result: Any, language: str) -> Verdict:
    """The verdict on the first page of a result's report."""
    return next(b for b in document_of(result, (), language).summary.blocks if isinstance(b, Verdict))


@dataclass
class Numbering:
    """Counts the figures and tables of a document; remembers their names for references."""

    text: Any  # the texts, or a voice
    figures: int = 0
    tables: int = 0
    names: dict[str, str] = field(default_factory=dict)

    def figure(self, key: str, picture: Picture, table: Table | None = None) -> Figure:
        """The next figure; its table gets the next number of a table."""
        self.figures += 1
        caption = self.text("figure-caption", number=self.figures, title=picture.title)
        self.names[f"chart-{key}"] = self.text("figure-label", number=self.figures)
        return Figure(key=key, picture=picture, caption=caption, table=None if table is None else self.table(table))

    def table(self, table: Table) -> Table:
        """The table with the next number in its caption."""
        self.tables += 1
        self.names[f"table-{table.key}"] = self.text("table-label", number=self.tables)
        return replace(table, caption=self.text("table-caption", number=self.tables, title=table.caption))

    def see(self, blocks: Iterable[Block], *more: str) -> tuple[See, ...]:
        """A reference to the figures and tables among these blocks, and to others by their keys; none without any."""
        keys = [*more]
        for block in blocks:
            table = block.table if isinstance(block, Figure) else block
            keys += [f"chart-{block.key}"] if isinstance(block, Figure) else []
            keys += [f"table-{table.key}"] if isinstance(table, Table) else []
        links = tuple((self.names[key], key) for key in dict.fromkeys(keys) if key in self.names)
        if not links:
            return ()
        return (See(text=self.text("see", targets=[name for name, _ in links]), links=links),)


def numbered(sections: Sequence[Section], letters: bool = False) -> tuple[Section, ...]:
    """The sections with numbers, or with letters for annexes."""
    return tuple(replace(s, number=chr(65 + i) if letters else f"{i + 1}") for i, s in enumerate(sections))


def front_of(
    text: Language, declared: Declaration | None, *, kind: str, title: str, program: str, blank: Sequence[str] = ()
) -> Front:
    """The front matter; what was not declared is left out, or left ``blank`` to be filled in."""
    given = {name: getattr(declared, name, "") for name in FIELDS}
    fields = [(text(f"front-{name}"), text.shown(value)) for name, value in given.items() if value or name in blank]
    signing = tuple((one.name, one.role) for one in declared.signatories) if declared else ()
    return Front(
        kind=kind,
        title=text.shown(title),
        language=text.code,
        program=program,
        fields=tuple(fields),
        signatories=signing,
        **{name: text.shown(value) for name, value in given.items()},
    )


def signatures(text: Language, declared: Declaration | None) -> Signatures:
    """A line for everyone who signs; for whoever decides, or for a name to fill in, if nobody was named."""
    lines = [(text.shown(one.name), text.shown(one.role)) for one in declared.signatories] if declared else []
    decides = text.shown(declared.decided_by.rstrip(". ")) if declared else ""
    role, name, date, signature = (text(f"sign-{key}") for key in ("role", "name", "date", "signature"))
    return Signatures(labels=(role, name, date, signature), lines=tuple(lines or [("", decides)]))


def labels_of(text: Language) -> Labels:
    """The words of a page that belong to no block."""
    names = {"contents": "contents", "skip": "skip", "colophon": "colophon"}
    found = {name: text(f"report-{key}") for name, key in names.items()}
    return Labels(summary=text("heading-summary"), **found)


def finite(value: Any) -> Any:
    """Plain values as JSON can hold them: numbers that are not finite become None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(one) for one in value]
    return value


def enclosed(table: Table, heads: tuple[str, str, str]) -> Table:
    """The table with the ends and the route of its one computed column in columns of their own."""
    rows = []
    for row in table.rows:
        number = next((cell for cell in row if cell.computed), Cell(""))
        rows.append((*row, Cell(number.low), Cell(number.high), Cell(number.route)))
    return replace(table, key=f"{table.key}-known", heads=(*table.heads, *heads), rows=tuple(rows))
