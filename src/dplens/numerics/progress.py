"""Progress bars for long searches on a terminal, with clean interruption."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def tracked(items: Iterable[Item], total: int | None, what: str, show: bool | None) -> Iterator[Item]:
    """Iterate over the items with a progress bar.

    show: whether to show it; if None, it appears for long runs when standard error is a terminal, and counts what is
    left. The bar needs rich; without it there is none. Ctrl-C removes the bar and propagates.
    """
    items, start = iter(items), time.monotonic()
    if not show:
        hidden = show is False or not sys.stderr.isatty()
        for done, item in enumerate(items, 1):
            yield item
            if not hidden and time.monotonic() - start > 2:
                total = None if total is None else total - done
                break
        else:
            return
    try:
        from rich.console import Console
        from rich.progress import track
    except ImportError:
        yield from items
    else:
        yield from track(items, what, total, console=Console(stderr=True), transient=True)
