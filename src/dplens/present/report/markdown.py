"""Documents as model cards in Markdown: front matter for programs, then the card, in few lines."""

from __future__ import annotations

import json
import math
from typing import Any

from dplens.present.report.document import (
    Block,
    Bullets,
    Cell,
    Definitions,
    Document,
    Facts,
    Figure,
    Front,
    Listing,
    Pair,
    Paragraph,
    See,
    Signatures,
    Table,
    Verdict,
)

_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>#|~"} | {"\r": " "})
# readers that know no front matter take it for Markdown, so what is written by its number there steers nothing
_STEERING = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&`[]"})
_FIELDS = ("organisation", "author", "reference", "date", "status", "version")


def render(document: Document) -> str:
    """The card: the front matter as YAML, the title, and a few sections."""
    lines = [*_front(document), f"# {escaped(document.front.title)}", ""]
    for i, section in enumerate(document.card):
        lines += [f"## {escaped(section.heading)}"] if i else []
        for block in section.blocks:
            lines += [*_block(block), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _front(document: Document) -> list[str]:
    """Values for programs, as YAML that is JSON on every line, so that no text can end it."""
    front: Front = document.front
    stated = {name: getattr(front, name) for name in _FIELDS if getattr(front, name)}
    signing = {"signatories": [f"{name}, {role}" if role else name for name, role in front.signatories]}
    values = {
        "title": front.title,
        "language": front.language,
        **stated,
        **(signing if front.signatories else {}),
        **document.metadata,
    }
    return ["---", *(f"{key}: {_yaml(value)}" for key, value in values.items()), "---", ""]


def _yaml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_yaml, value))}]"
    if isinstance(value, float) and math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    if isinstance(value, float) and "e" in repr(value) and "." not in repr(value):
        return repr(value).replace("e", ".0e")  # or YAML takes 1e-06 for text
    return json.dumps(value, ensure_ascii=False).translate(_STEERING)


def _block(block: Block) -> list[str]:
    """The lines of a block; pictures are left to other formats, and so is what is signed by hand."""
    if isinstance(block, Paragraph | See):
        return [escaped(block.text)]
    if isinstance(block, Bullets):
        return [f"- {escaped(item)}" for item in block.items]
    if isinstance(block, Facts | Definitions):
        return [f"- **{escaped(name)}**: {escaped(value)}" for name, value in block.items]
    if isinstance(block, Verdict):
        return [f"**{block.mark.value} {escaped(block.word)}.** {escaped(' '.join(block.sentences))}"]
    if isinstance(block, Pair):
        return [escaped(block.sentence)]
    if isinstance(block, Listing):
        return fenced(block.text, block.language)
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Figure):
        return _table(block.table) if block.table else []
    if isinstance(block, Signatures):
        return [f"- {escaped(', '.join(part for part in line if part))}" for line in block.lines if any(line)]
    raise TypeError(f"{type(block).__name__} is no block")


def _table(table: Table) -> list[str]:
    rules = ["---:" if numeric else "---" for numeric in table.numeric]
    rows = [table.heads, *(tuple(map(_cell, row)) for row in table.rows)]
    first, *rest = [
        "| " + " | ".join(escaped(cell) if row is table.heads else cell for cell in row) + " |" for row in rows
    ]
    return [first, "| " + " | ".join(rules) + " |", *rest]


def _cell(cell: Cell) -> str:
    return escaped(f"{cell.mark.value} {cell.text}" if cell.mark else cell.text)


def escaped(text: Any) -> str:
    """Text with all Markdown characters escaped, on one line."""
    return " ".join(str(text).translate(_SPECIAL).split())


def fenced(text: str, language: str = "") -> list[str]:
    """A block of code whose fence is longer than any in it."""
    body = text.rstrip("\n")
    fence = "```"
    while fence in body:
        fence += "`"
    return [f"{fence}{language}", *body.split("\n"), fence]
