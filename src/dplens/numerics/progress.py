"""Progress bars for long searches on a terminal, with clean interruption."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

Item = TypeVar("Item")


def tracked(items: Iterable[Item], total: int | None, what: str, show: bool | None) -> Iterator[Item]:
    """Iterate over the items with a progress bar.

    show: whether to show it; if None, it appears for long runs when standard error is a terminal. The bar needs rich;
    without it there is none. Ctrl-C removes the bar and propagates.
    """
    if show is False or (show is None and not sys.stderr.isatty()):
        yield from items
        return
    start, bar, task = time.monotonic(), None, None
    try:
        for done, item in enumerate(items):
            if bar is None and (show or time.monotonic() - start > 2):
                bar = _bar()
                if bar is None:
                    show = False
                    yield item
                    continue
                task = bar.add_task(what, total=total, completed=done)
                bar.start()
            if bar is not None:
                bar.update(task, completed=done)
            yield item
    finally:
        if bar is not None:
            bar.stop()


def _bar() -> Any | None:
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:
        return None
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)
