"""All papers with their figures, in order, and the names they are asked for by."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass

from dplens import _validate
from dplens.papers import (
    blog,
    fondeville,
    fondeville_analyst,
    fondeville_failure,
    kaissis,
    kaissis_conversion,
    kaissis_tangent,
    kaissis_theorem,
    li,
    li_simulation,
    li_theorems,
    liu,
    liu_knowledge,
)
from dplens.papers.records import Figure, texts


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper as it is cited."""

    key: str
    short: str
    cited: str


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A figure that can be made: its name, and how many steps a progress bar counts for it."""

    key: str
    paper: str
    what: str
    make: Callable[..., Figure]
    steps: int = 1

    def made(self, tick: Callable[[], None] | None = None) -> Figure:
        """The figure; ``tick`` is called after each step."""
        if tick is None:
            return self.make()
        if self.steps > 1:
            return self.make(tick=tick)
        figure = self.make()
        tick()
        return figure


PAPERS = {key: Paper(key=key, **cited) for key, cited in texts()["papers"].items()}
_MAKE: dict[str, Callable[..., Figure]] = {
    "liu-3": liu.figure_3,
    "liu-4": liu.figure_4,
    "liu-5": liu_knowledge.figure_5,
    "liu-6": liu_knowledge.figure_6,
    "liu-7": liu_knowledge.figure_7,
    "liu-8": liu_knowledge.figure_8,
    "liu-table-1": liu.table_1,
    "liu-theorem-3": liu.theorem_3,
    "liu-theorem-7": liu_knowledge.theorem_7,
    "blog-envelope": blog.envelope,
    "fondeville-1": fondeville.figure_1,
    "fondeville-2": fondeville.figure_2,
    "fondeville-3": fondeville.figure_3,
    "fondeville-4": fondeville.figure_4,
    "fondeville-5": fondeville_analyst.figure_5,
    "fondeville-table-1": fondeville_failure.table_1,
    "fondeville-minimum-mu": fondeville_analyst.minimum_mu,
    "li-2": li.figure_2,
    "li-examples": li.examples,
    "li-example-5": li.example_5,
    "li-chain-rule": li_theorems.chain_rule,
    "li-theorem-3": li_theorems.theorem_3,
    "li-4": li_simulation.figure_4,
    "li-5": li_simulation.figure_5,
    "kaissis-1": kaissis.figure_1,
    "kaissis-2": kaissis.figure_2,
    "kaissis-3": kaissis.figure_3,
    "kaissis-4": kaissis_tangent.figure_4,
    "kaissis-5": kaissis.figure_5,
    "kaissis-6": kaissis_conversion.figure_6,
    "kaissis-theorem": kaissis_theorem.closing_theorem,
}
_STEPS = {"li-5": li_simulation.TUPLES * len(li_simulation.FIGURE_5)}
ENTRIES = tuple(
    Entry(key=key, paper=key.split("-")[0], what=texts()["figures"][key]["what"], make=make, steps=_STEPS.get(key, 1))
    for key, make in _MAKE.items()
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
