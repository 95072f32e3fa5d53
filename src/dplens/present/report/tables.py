"""Tables beside pictures: the listed rows of a frame. Every number keeps its bracket and route."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from dplens.estimate import Estimate
from dplens.present.frames.base import ChartFrame
from dplens.present.report.document import Cell, Table
from dplens.present.rounding import belief, ends, given, number, percent, share, times


def written(rows: Iterable[Sequence[Cell]], voice: Any) -> tuple[tuple[Cell, ...], ...]:
    """The rows with their numbers as the language writes them."""
    say = voice.text.shown
    return tuple(tuple(replace(c, text=say(c.text), low=say(c.low), high=say(c.high)) for c in row) for row in rows)


def computed(text: str, value: float, low: float, high: float, route: str) -> Cell:
    """A number with its bracket, rounded outwards; ``value`` is the end on the safe side."""
    printed = ends(low, high, 6, percent=text.endswith("%"))
    safe = "high" if value == high else "low"
    return Cell(text, *printed, route or "unknown", (float(low), float(high)), safe=safe)


def estimate_cell(text: str, estimate: Estimate) -> Cell:
    """An estimate, printed as ``text``."""
    return computed(text, float(estimate), estimate.low, estimate.high, estimate.route)


# For each kind of frame: how to print its input columns and its computed columns.
_Shown = Callable[[float], str]
_INPUTS: dict[str, dict[str, _Shown]] = {
    "roc": {"alpha": share},
    "precision_recall": {"prior": belief, "recall": share},
    "posterior": {"prior": belief},
    "relative_risk": {"alpha": share},
    "profile": {"epsilon": lambda x: number(x, 6)},
    "power_noise": {"fpr": share, "noise": given},
    "fscore": {"factor": given},
    "leakage": {"known": given},
    "analyst_power": {"noise": given},
    "audit": {"alpha": share},
}
_COMPUTED: dict[str, dict[str, _Shown]] = {
    "roc": {"power": lambda x: percent(x, 3), "beta": lambda x: percent(x, 3, more_is_riskier=False)},
    "precision_recall": {"precision": lambda x: percent(x, 3)},
    "posterior": {
        "posterior": lambda x: percent(x, 3),
        "negative": lambda x: percent(x, 3, more_is_riskier=False),
        "most": lambda x: percent(x, 3),
    },
    "relative_risk": {"ratio": times},
    "profile": {"delta": number},
    "power_noise": {"power": lambda x: percent(x, 3)},
    "fscore": {"epsilon": number, "fscore": number},
    "leakage": {"epsilon": number},
    "analyst_power": {"power": lambda x: percent(x, 3, more_is_riskier=False)},
    "audit": {"claimed": lambda x: percent(x, 3), "measured": lambda x: percent(x, 3, more_is_riskier=False)},
}


def table_of(key: str, frame: ChartFrame, voice: Any) -> Table | None:
    """The table of a frame's listed rows, under a key; None for frames whose picture needs none."""
    if frame.kind == "output_laws":
        return _test_table(key, frame, voice)
    rows = [row for row in frame.listed() if row.get("series", "release") == "release"]
    if frame.kind not in _INPUTS or not rows:
        return None
    inputs, answers = _INPUTS[frame.kind], _COMPUTED[frame.kind]
    heads = [voice(f"head-{name}") for name in (*inputs, *answers)]
    cells = [
        (
            *(Cell(shown(row[name])) for name, shown in inputs.items()),
            *(_answer(row, name, shown, route) for name, shown in answers.items()),
        )
        for row in rows
        for route in [row.get("route", frame.certificate.route)]
    ]
    name = frame.facts.get("name")
    caption = voice(f"table-{frame.kind}-named", name=name) if name else voice(f"table-{frame.kind}")
    return Table(key=key, caption=caption, heads=tuple(heads), rows=written(cells, voice))


def _answer(row: dict[str, Any], name: str, shown: _Shown, route: str) -> Cell:
    value = row[name]
    low, high = row.get(f"{name}_low", value), row.get(f"{name}_high", value)
    return computed(shown(value), value, low, high, route)


def _test_table(key: str, frame: ChartFrame, voice: Any) -> Table:
    f = frame.facts
    heads = tuple(voice(f"head-{name}") for name in ("fpr", "power"))
    power = estimate_cell(percent(f["power"], 3), f["power"])
    row = (Cell(share(f["fpr"])), power)
    return Table(key=key, caption=voice("table-output_laws"), heads=heads, rows=written((row,), voice))
