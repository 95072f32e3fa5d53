"""The pictures of a document as SVG; their converter starts up while the document is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from dplens.present.charts.export import converter
from dplens.present.report.document import Document

Draw = Callable[[Document], dict[str, str]]


@contextmanager
def drawing(wanted: bool) -> Iterator[Draw]:
    """A function that draws every picture of a document by its key; none are drawn if none is wanted."""
    with ThreadPoolExecutor(1) as pool:
        ready = pool.submit(_start) if wanted else None

        def draw(document: Document) -> dict[str, str]:
            if ready is None:
                return {}
            ready.result()  # raises before any drawing if the converter is missing
            # one is converted while the next is put together
            waiting = {f.key: pool.submit(f.picture.converter(prefix=f"{f.key}-")) for f in document.figures()}
            return {key: drawn.result() for key, drawn in waiting.items()}

        yield draw


def _start() -> None:
    """Starts the converter of pictures, which takes most of a second once."""
    converter().vegalite_to_svg({"mark": "point", "data": {"values": []}}, allowed_base_urls=[])
