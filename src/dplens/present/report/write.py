"""Writes reports in the format of a file's name, completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from dplens import _validate
from dplens.present.charts.export import write_whole
from dplens.present.charts.picture import CHARTS
from dplens.present.report import as_json, html, markdown
from dplens.present.report.build import document_of
from dplens.present.report.figures import ALL, STANDARD
from dplens.present.words.language import DEFAULT


def write_report(
    result: Any,
    path: str | os.PathLike[str],
    *,
    charts: str | Sequence[str] = "standard",
    language: str | None = None,
) -> Path:
    """Writes the report of a result; the suffix decides: ``.html``, ``.md`` or ``.json``. Whole, or not at all.

    charts: ``"standard"``, ``"all"``, or the names of the pictures that are wanted, none for an empty
    list. language: of the texts; by default that of the result.
    """
    _validate.instance("path", path, (str, os.PathLike), "to be the name of a file")
    suffix = Path(path).suffix.lower()
    _validate.one_of("the suffix of path", suffix, tuple(FORMATS))
    return write_whole(path, FORMATS[suffix](result, charts=charts, language=language).encode())


def report_html(result: Any, *, charts: str | Sequence[str] = "standard", language: str | None = None) -> str:
    """The report as one HTML page that holds everything it shows."""
    wanted = _wanted(charts)
    with ThreadPoolExecutor(1) as pool:
        ready = pool.submit(html.warm) if wanted else None  # it starts up while the numbers are worked out
        return html.render(document_of(result, wanted, _chosen(result, language)), ready, pool)


def report_markdown(result: Any, *, charts: str | Sequence[str] = (), language: str | None = None) -> str:
    """The report as a model card in Markdown: front matter and at most sixty lines; it has no pictures."""
    _wanted(charts)
    return markdown.render(document_of(result, (), _chosen(result, language)))


def report_json(result: Any, *, charts: str | Sequence[str] = "standard", language: str | None = None) -> str:
    """The result as JSON, with its front matter, its words and the frames of its pictures; it can be read back."""
    return as_json.render(document_of(result, _wanted(charts), _chosen(result, language)))


FORMATS = {".html": report_html, ".md": report_markdown, ".json": report_json}


def _chosen(result: Any, language: str | None) -> str:
    return getattr(result, "language", DEFAULT) if language is None else language


def _wanted(charts: Any) -> tuple[str, ...]:
    if isinstance(charts, str):
        return {"standard": STANDARD, "all": ALL}[_validate.one_of("charts", charts, ("standard", "all"))]
    _validate.instance("charts", charts, Sequence, "to be 'standard', 'all' or a list of names")
    return tuple(_validate.one_of("charts", kind, CHARTS) for kind in charts)
