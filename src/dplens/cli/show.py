"""How results are shown: panels and tables in a terminal, plain lines elsewhere, JSON on request."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from dplens.present.visible import visible
from dplens.present.words.language import DEFAULT, language
from dplens.present.words.say import Words

_REST = ("declared",)  # sections that a card leaves to the report
_HALVES = re.compile("[\ud800-\udfff]")
_JOINT = "\ue000"  # replaces a space that must not end a line


_SPOKEN: ContextVar[str | None] = ContextVar("language", default=None)


@contextmanager
def speaking(code: str | None) -> Iterator[None]:
    """Everything that is printed meanwhile is in this language; None for that of the scenario."""
    before = _SPOKEN.set(code)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def spoken(made: Any = None) -> str:
    """The code of the language to print in: the flag, or that of an assessment or scenario, or English."""
    return _SPOKEN.get() or getattr(made, "language", "") or getattr(made, "content", {}).get("language", DEFAULT)


def follow(made: Any) -> None:
    """From here on, everything printed is in the language of the assessment, unless the flag names another."""
    _SPOKEN.set(spoken(made))


def said(key: str, **values: Any) -> str:
    """A text of the commands."""
    return language(spoken())(key, **values)


def decimal(value: Any) -> str:
    """A number that is shown with all its digits, with the signs of the language."""
    return language(spoken()).figure(f"{value}")


def console() -> Any | None:
    """A console if standard output is a terminal, else None: pipes and files get plain lines."""
    if not sys.stdout.isatty():
        return None
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(highlight=False)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """In a terminal, shows what is running once that takes more than 1.5 seconds; what: the end of a text's key."""
    if not sys.stderr.isatty():
        yield
        return
    from threading import Timer

    shown: list[Any] = []

    def show() -> None:
        from rich.console import Console

        status = Console(stderr=True).status(said(f"waiting-{what}"))
        shown.append(status)
        status.start()

    timer = Timer(1.5, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join(1.0)
        for status in shown:
            status.stop()


@contextmanager
def bar(steps: int, what: str) -> Iterator[tuple[Callable[[], None], Callable[[str], None]]]:
    """A progress bar in a terminal; yields functions to call after a step and before the next one, with its name."""
    if not sys.stderr.isatty():
        yield (lambda: None), (lambda name: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<22}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=steps)
        yield (lambda: progress.advance(task)), (lambda name: progress.update(task, description=visible(name)[:22]))


@contextmanager
def unread() -> Iterator[None]:
    """Stops printing if the reader has closed the pipe (``| head``), so that the exit code still reports the limits."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(text: str) -> None:
    with unread():
        print(text)


def show_json(value: Any) -> None:
    """One JSON document on standard output."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    _print(_HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", text))  # which stand for bytes of names of files


def show_words(words: Words, *, title: str = "", full: bool = False) -> None:
    """Sentences by section, the most important first."""
    wanted = [s for s in words.sections if full or s.key not in _REST]
    heading = title or words.title
    screen = console()
    if screen is None:
        _print(str(Words(heading, tuple(wanted))))
        return
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    if heading:
        screen.print(Text(visible(heading), style="bold"))
    for section in wanted:
        body = Table.grid(padding=(0, 1))
        for sentence in section.sentences:
            body.add_row("•", _broken(visible(sentence), screen, screen.width - 6))  # the frame and the dot
        screen.print(Panel(body, title=Text(section.heading), title_align="left", padding=(0, 1)))


def _broken(line: str, screen: Any, width: int) -> Any:
    """A sentence in lines that keep a number and its percent sign together, which Rich would not."""
    from rich.text import Text

    lines = Text(line.replace(" %", f"{_JOINT}%")).wrap(screen, max(width, 1))
    return Text("\n".join(one.plain.rstrip() for one in lines).replace(_JOINT, " "), no_wrap=True, overflow="ignore")


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "") -> None:
    """A table: ruled in a terminal, tab-separated elsewhere."""
    rows = [[visible(language(spoken()).shown(cell)) for cell in row] for row in rows]
    screen = console()
    if screen is None:
        _print("\n".join([*([title] if title else []), "\t".join(columns), *("\t".join(row) for row in rows)]))
        return
    from rich.table import Table
    from rich.text import Text

    if screen.width < 72:  # one line a cell, so that no number is broken
        for row in rows:
            screen.print(Text(row[0], style="bold"))
            for name, cell in zip(columns[1:], row[1:]):
                screen.print(Text(f"  {name}: {cell}"))
        return
    table = Table(title=title or None, title_justify="left", title_style="bold")
    for i, name in enumerate(columns):
        table.add_column(name, overflow="fold", justify="left" if i == 0 else "right")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    screen.print(table)


def show_lines(lines: Sequence[str]) -> None:
    """Sentences, one a line."""
    screen = console()
    for line in (visible(language(spoken()).shown(line)) for line in lines):
        if screen is None:
            _print(line)
        else:
            screen.print(_broken(line, screen, screen.width))


def not_above(power: float) -> str:
    """A power as a percentage, not promised too high."""
    from dplens.present.rounding import percent

    return percent(power, 4, more_is_riskier=False)


def write_report(made: Any, path: Path, declared: Any = None, claim: Any = None) -> None:
    """Write the report of any result, in the language of the command."""
    from dplens.registry import present

    with waiting("report"):
        present(made, "report", path, spoken(made), declared, claim)
