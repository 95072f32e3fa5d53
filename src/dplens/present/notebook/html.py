"""Results as light HTML: no script, nothing from elsewhere, the page's own colours, light or dark."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

from dplens.present.notebook.names import brief
from dplens.present.notebook.outline import NEUTRAL, Outline, OutlineTable, kind_words
from dplens.telling import Figure

_ROWS = 10  # of a table; the rest is counted
_SHORT_CELL = 24  # letters that stay on one line
_CELL, _SENTENCE = 130, 600  # letters of a cell in a table, and of a sentence in a list
_LOUD = 120  # letters of a verdict in bold
_LINE = "rgba(128,128,128,.4)"  # seen on white and on black
_NUMBER = re.compile(r"^[-−≤≥<>]?[\d.,\u00a0\u202f]*(e-?\d+)?([\u00a0 ]%)?$|^[–∞]$")
_FRAME = f"max-width:48em;margin:.4em 0;padding:.15em 0 .15em 1.1em;border-left:3px solid {_LINE};line-height:1.45"
_TABLE = (
    "border-collapse:collapse;table-layout:auto;min-width:24em;margin:.6em 0 .5em;background:none;border:0;"
    "font-size:inherit;color:inherit;font-variant-numeric:tabular-nums"
)


def html_of(outline: Outline) -> str:
    """One result: what it is, its verdict, its main numbers, and further tables."""
    name = outline.name()
    parts = [f'<div style="font-size:.85em;opacity:.75">{_safe(kind_words(outline), outline)}</div>']
    if name:
        title = "font-weight:600;font-size:1.15em;overflow-wrap:anywhere;margin-bottom:.15em"
        parts.append(f'<div dir="auto" style="{title}">{_safe(brief(name, 160), outline)}</div>')
    parts += [_verdict(mark, sentence, outline) for mark, sentence in outline.verdicts()]
    rows = tuple((row.label, row.text) for row in outline.numbers())
    if rows:
        parts.append(_table(OutlineTable("", (), rows), outline))
    parts += [_table(table, outline) for table in outline.tables() if table.rows]
    return f'<div lang="{outline.code}" style="{_FRAME}">{"".join(parts)}</div>'


def _verdict(mark: str, sentence: str, outline: Outline) -> str:
    """A sentence behind its mark; what is not kept stands out."""
    weight = ";font-weight:600" if mark != NEUTRAL and len(sentence) < _LOUD else ""
    sign = "" if mark == NEUTRAL else f'<span style="font-weight:700">{mark}</span>&nbsp;'
    style = f"margin:.35em 0;max-width:42em;overflow-wrap:anywhere{weight}"
    return f'<div dir="auto" style="{style}">{sign}{_safe(sentence, outline)}</div>'


def _table(table: OutlineTable, outline: Outline) -> str:
    most = _CELL if len(table.rows[0]) > 1 else _SENTENCE
    rows = [[_text(cell, most, outline) for cell in row] for row in table.rows]
    kept = rows if len(rows) <= _ROWS + 1 else rows[:_ROWS]
    right = [i > 0 and all(_NUMBER.match(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    out = [f'<div style="overflow-x:auto"><table style="{_TABLE}">']
    if table.caption:
        caption = "caption-side:top;text-align:left;padding:0 0 .2em;color:inherit;font-weight:600"
        out.append(f'<caption style="{caption}">{_safe(table.caption, outline)}</caption>')
    if table.heads:
        cells = "".join(_cell("th", head, right[i], outline) for i, head in enumerate(table.heads))
        out.append(f'<thead><tr style="background:none;border-bottom:1px solid {_LINE}">{cells}</tr></thead>')
    out.append("<tbody>")
    out += [_row(row, right, outline, last=i == len(rows) - 1) for i, row in enumerate(kept)]
    out.append("</tbody></table></div>")
    if len(kept) < (total := max(table.total, len(rows))):
        text = _safe(outline.text("book-some-rows", shown=len(kept), count=total), outline)
        out.append(f'<div style="font-size:.85em;opacity:.75;margin-bottom:.4em">{text}</div>')
    return "".join(out)


def _row(row: Sequence[Any], right: Sequence[bool], outline: Outline, *, last: bool) -> str:
    line = "" if last else f";border-bottom:1px solid {_LINE.replace('.4', '.18')}"
    cells = "".join(_cell("td", cell, right[i], outline) for i, cell in enumerate(row))
    return f'<tr style="background:none{line}">{cells}</tr>'


def _cell(tag: str, text: Any, right: bool, outline: Outline) -> str:
    style = [f"text-align:{'right' if right else 'left'};vertical-align:top;padding:.2em 1.2em .2em 0;border:0"]
    if right or len(str(text)) <= _SHORT_CELL:
        style.append("white-space:nowrap")
    else:
        style.append("min-width:9em;max-width:30em;white-space:normal;overflow-wrap:anywhere")
    if tag == "th":
        style.append("font-weight:600;font-size:.9em")
    scope = ' scope="col"' if tag == "th" else ""
    return f'<{tag}{scope} dir="auto" style="{";".join(style)}">{_safe(text, outline)}</{tag}>'


def _text(cell: Any, most: int, outline: Outline) -> str:
    return outline.text.shown(cell) if isinstance(cell, Figure) else brief(cell, most)


def _safe(text: Any, outline: Outline) -> str:
    return html.escape(str(outline.text.shown(text)).replace(" %", "\u00a0%"))
