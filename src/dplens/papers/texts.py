"""Figures and captions from the texts in ``figures.json`` and ``choices.json``, and numbers as texts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from dplens.papers.records import Choice, Claim, Figure, Panel, Printed, Scale, Table


@cache
def texts(file: str = "figures.json") -> dict[str, Any]:
    """Data beside this module: papers and figures, or ``errata.json``, ``choices.json`` or ``printed.json``."""
    return json.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))


# Parameters that the papers do not state, by name: ``choices.LIU_EPSILONS`` has its values and its caption.
choices = SimpleNamespace(
    **{name: Choice(value=tuple(said["value"]), says=said["says"]) for name, said in texts("choices.json").items()}
)


def figure(
    key: str,
    numbers: Mapping[str, Any] = MappingProxyType({}),
    *,
    holds: Iterable[bool | tuple[bool, bool]] = (),
    rows: Iterable[Iterable[tuple[str, ...]]] = (),
    panels: Iterable[Any] = (),
    printed: Iterable[Printed] = (),
    ours: Iterable[float] = (),
) -> Figure:
    """A figure from what was computed for it and the texts that stand under its key, filled in with its ``numbers``.

    holds: for each claim whether it holds; a pair also says whether that takes the condition that its texts name.
    rows: of each table. panels: whole ones, or the shapes of those that have texts (see :func:`_panel`). ours: the
    numbers to be held against the printed ones in the texts.
    """
    said = texts()["figures"][key]
    claims = []
    for found, words in zip(holds, said.get("claims", ()), strict=True):
        kept, conditional = found if isinstance(found, tuple) else (found, "condition" in words)
        filled = {name: text.format(**numbers) for name, text in words.items() if name != "condition" or conditional}
        claims.append(Claim(holds=kept, **filled))
    tables = tuple(
        Table(caption=words["caption"].format(**numbers), heads=tuple(words["heads"]), rows=tuple(lines))
        for words, lines in zip(said.get("tables", ()), rows, strict=True)
    )
    if "panels" in said:
        panels = (_panel(words, numbers, shapes) for words, shapes in zip(said["panels"], panels, strict=True))
    held = (
        Printed(ours=number, **{name: text.format(**numbers) for name, text in words.items()})
        for number, words in zip(ours, said.get("printed", ()), strict=True)
    )
    return Figure(
        key=key,
        **{name: said[name] for name in ("name", "title", "supports", "columns") if name in said},
        panels=tuple(panels),
        tables=tables,
        printed=(*printed, *held),
        claims=tuple(claims),
        choices=tuple(getattr(choices, name) for name in said.get("choices", ())),
        learned=tuple(text.format(**numbers) for text in said.get("learned", ())),
    )


def _panel(words: Mapping[str, Any], numbers: Mapping[str, Any], shapes: Mapping[str, Any]) -> Panel:
    """A panel with its title and axes from the texts; ``shapes`` may also set the ends of the axes ``x`` and ``y``."""
    scales = {axis: Scale(words[axis][0], *shapes.get(axis, words[axis][1:])) for axis in ("x", "y")}
    return Panel(words["title"].format(**numbers), **{**shapes, **scales})


def spaced(low: float, high: float, count: int, *, log: bool = False) -> tuple[float, ...]:
    """Evenly spaced places, ends included; ``log``: by equal factors."""
    return tuple((np.geomspace if log else np.linspace)(low, high, count).tolist())


def digits(value: float, places: int = 4) -> str:
    """A number for a table: four significant digits, infinity as a sign."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.{places}g}".replace("-", "−")


def plain(value: float) -> str:
    """A parameter as it is written by hand: 1e-5, not 1e-05."""
    return f"{value:g}".replace("e-0", "e-")
