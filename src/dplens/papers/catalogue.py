"""All papers with their figures, in order, and the search for them by name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from dplens import _validate
from dplens.papers.records import Figure
from dplens.papers.texts import texts


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper as it is cited."""

    key: str
    short: str
    cited: str


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A figure that can be made: its name, the function that makes it, and how many steps a progress bar counts."""

    key: str
    paper: str
    what: str
    made_by: str
    steps: int = 1

    @property
    def make(self) -> Callable[..., Figure]:
        """The function, loaded when it is asked for."""
        module, function = self.made_by.rsplit(".", 1)
        return getattr(import_module(f"dplens.papers.{module}"), function)

    def made(self, tick: Callable[[], None] = lambda: None) -> Figure:
        """The figure; ``tick`` is called after each step."""
        if self.steps > 1:
            return self.make(tick=tick)
        figure = self.make()
        tick()
        return figure


PAPERS = {key: Paper(key=key, **cited) for key, cited in texts()["papers"].items()}
ENTRIES = tuple(
    Entry(key=key, paper=key.split("-")[0], what=said["what"], made_by=said["made_by"], steps=said.get("steps", 1))
    for key, said in texts()["figures"].items()
)


def asked(name: str | None) -> tuple[Entry, ...]:
    """The figures that a name stands for: one figure, all of a paper, or all (None or ``all``).

    >>> [entry.key for entry in asked("Kaissis figure 6")], len(asked("blog"))
    (['kaissis-6'], 1)
    """
    words = re.split(r"[\s_-]+", str(name).lower().strip())
    cited = next((key for key, paper in PAPERS.items() if words == paper.short.lower().split()), None)
    if cited is not None:
        words = [cited]
    if name is None or words == ["all"]:
        return ENTRIES
    wanted = "-".join(word for word in words if word not in ("", "figure", "fig", "fig."))
    wanted = texts()["within"].get(wanted, wanted)  # places that are shown within another figure
    found = tuple(entry for entry in ENTRIES if wanted in (entry.key, entry.paper))
    if not found:
        known = [*PAPERS, *(entry.key for entry in ENTRIES)]
        close = difflib.get_close_matches(wanted, known, n=3, cutoff=0.6)
        hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else f"Papers: {', '.join(PAPERS)}."
        raise _validate.reject("paper or figure", "to be a known name", name, f"{hint} --list shows all.")
    return found
