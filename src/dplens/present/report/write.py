"""Writes reports in the format of a file's name, completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dplens import _validate
from dplens.present.charts.export import write_whole
from dplens.present.charts.picture import CHARTS
from dplens.present.report import as_json, html, markdown, pdf
from dplens.present.report.build import document_of
from dplens.present.report.drawings import drawing
from dplens.present.report.figures import ALL, STANDARD
from dplens.present.words.language import DEFAULT


def write_report(
    result: Any,
    path: str | os.PathLike[str],
    *,
    charts: str | Sequence[str] = "standard",
    language: str | None = None,
) -> Path:
    """Writes the report of a result; the suffix decides. Whole, or not at all.

    path: ending in ``.html``, ``.pdf``, ``.md`` or ``.json``. charts: ``"standard"``, ``"all"``, or the names of the
    pictures that are wanted, none for an empty list. language: of the texts; by default that of the result.
    """
    _validate.instance("path", path, (str, os.PathLike), "to be the name of a file")
    suffix = Path(path).suffix.lower()
    _validate.one_of("the suffix of path", suffix, tuple(FORMATS))
    made = FORMATS[suffix](result, charts=charts, language=language)
    return write_whole(path, made if isinstance(made, bytes) else made.encode())


def report_html(result: Any, *, charts: str | Sequence[str] = "standard", language: str | None = None) -> str:
    """The report as one HTML page that holds everything it shows."""
    wanted = _wanted(charts)
    with drawing(bool(wanted)) as draw:
        return html.render(document_of(result, wanted, _chosen(result, language)), draw)


def report_pdf(result: Any, *, charts: str | Sequence[str] = "standard", language: str | None = None) -> bytes:
    """The report as a tagged PDF on A4, with the contents of the HTML page; the same result gives the same bytes."""
    wanted = _wanted(charts)
    with drawing(bool(wanted)) as draw:
        return pdf.render(document_of(result, wanted, _chosen(result, language)), draw)


def report_markdown(result: Any, *, charts: str | Sequence[str] = (), language: str | None = None) -> str:
    """The report as a model card in Markdown: front matter and at most sixty lines; it has no pictures."""
    _wanted(charts)
    return markdown.render(document_of(result, (), _chosen(result, language)))


def report_json(result: Any, *, charts: str | Sequence[str] = "standard", language: str | None = None) -> str:
    """The result as JSON, with its front matter, its words and the frames of its pictures; it can be read back."""
    return as_json.render(document_of(result, _wanted(charts), _chosen(result, language)))


FORMATS = {".html": report_html, ".pdf": report_pdf, ".md": report_markdown, ".json": report_json}


def _chosen(result: Any, language: str | None) -> str:
    return getattr(result, "language", DEFAULT) if language is None else language


def _wanted(charts: Any) -> tuple[str, ...]:
    if isinstance(charts, str):
        return {"standard": STANDARD, "all": ALL}[_validate.one_of("charts", charts, ("standard", "all"))]
    _validate.instance("charts", charts, Sequence, "to be 'standard', 'all' or a list of names")
    return tuple(_validate.one_of("charts", kind, CHARTS) for kind in charts)
