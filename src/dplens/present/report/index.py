"""The page that lists the reports of a folder with their verdicts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dplens.present.charts.export import write_whole
from dplens.present.report.build import verdict_of
from dplens.present.report.document import Mark
from dplens.present.report.html import stylesheet, template_environment, unbroken
from dplens.present.visible import visible
from dplens.present.words.language import Language


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A line of the page: a title, a verdict by shape and word, a sentence, and files by name with their addresses."""

    title: str
    mark: Mark
    word: str
    said: str
    read: bool = True
    files: tuple[tuple[str, str], ...] = ()


def entry_of(result: Any, title: str, files: Sequence[Path], language: str) -> Entry:
    """The line of a result whose reports are written, with the verdict that stands on their first page."""
    found = verdict_of(result, language)
    links = tuple((visible(path.name), quote(os.fsencode(path.name))) for path in files)
    return Entry(title=visible(title), mark=found.mark, word=found.word, said=found.sentences[0], files=links)


def failed(title: str, why: str, text: Language) -> Entry:
    """The line of a file that could not be read."""
    return Entry(title=visible(title), mark=Mark.BROKEN, word=text("index-failed"), said=visible(why), read=False)


def write_index(path: Path, entries: Sequence[Entry], text: Language) -> Path:
    """Writes the page, whole or not at all."""
    environment = template_environment("Reports need", escape=True)
    environment.filters["nb"] = unbroken
    heads = [text(f"index-head-{head}") for head in ("title", "verdict", "said", "files")]
    filled = environment.get_template("index.html").render(
        language=text.code,
        title=text("index-title"),
        intro=text("index-intro", count=len(entries), read=sum(entry.read for entry in entries)),
        heads=heads,
        entries=entries,
        style=stylesheet("style.css", "report.css"),
    )
    return write_whole(path, filled.encode())
