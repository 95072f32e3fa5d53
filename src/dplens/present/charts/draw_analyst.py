"""Pictures of the analyst's side."""

from __future__ import annotations

import math
from typing import Any

from dplens.present.charts.export import altair
from dplens.present.charts.parts import Axis, band, end_labels, layered, line, point, text, upright
from dplens.present.charts.theme import BLUE, HEIGHT, INK, MUTED, PAPER, SERIES, VERMILLION, WIDTH
from dplens.present.frames.base import ChartFrame

_LANE = 46  # pixels of height for each family
_LETTER = 5.1  # pixels of width for each letter, a little more than it takes
_ROOM = 3.0  # how many times beyond its ends the picture of a range goes on


def analyst_power(frame: ChartFrame, about: dict[str, str], words: Any) -> Any:
    """Power of the analyst's test against the true effect, one line an amount of noise."""
    effects = frame.column("effect")
    x = Axis("effect", words.AXES["effect"], min(effects), max(effects))
    y = Axis("power", words.AXES["analyst_power"], 0.0, 1.0, percent=True)
    parts: list[Any] = [upright(x, y, frame.facts["effect"])]
    labels = []
    names = list(dict.fromkeys(frame.column("series")))
    for name, style in zip(names, SERIES):
        rows = sorted((row for row in frame.rows if row["series"] == name), key=lambda row: row["effect"])
        parts += [*band(rows, x, y, "power_high", style), line(rows, x, y, style)]
        parts.append(point(x, y, (frame.facts["effect"], float(frame.facts[f"power_{name}"])), style, hollow=True))
        labels.append((rows[-1]["power"], words.LABELS[name], style))
    parts.append(text(x, y, (frame.facts["effect"], 0.0), words.LABELS["planned"], dx=5, dy=-8, color=MUTED))
    return layered([*parts, *end_labels(x, y, labels)], WIDTH, HEIGHT)


def feasible(frame: ChartFrame, about: dict[str, str], words: Any) -> Any:
    """One lane a family: what is too little noise, what serves both, what is too much; the chosen amount as a point."""
    alt = altair()
    ends = [row[k] for row in frame.rows for k in ("low", "high", "noise") if row[k] is not None and row[k] < math.inf]
    low, high = (min(ends) / _ROOM, max(ends) * _ROOM) if ends else (0.1, 10.0)
    height = _LANE * max(len(frame.rows), 1)
    parameters = {row["parameter"] for row in frame.rows}
    only = words.AXES["amount_of"].format(parameter=next(iter(parameters))) if len(parameters) == 1 else None
    x = Axis("noise", only or words.AXES["amount"], low, high, log=True)
    y = Axis("lane", "", 0.0, float(max(len(frame.rows), 1)))
    parts: list[Any] = []
    named: set[str] = set()  # zones on either side are named once, inside, where the words have room
    channel = {"type": "quantitative", "scale": y.options()["scale"], "axis": None}
    for i, row in enumerate(frame.rows):
        bottom = len(frame.rows) - 1 - i
        first, last = min(row["low"] or low, high), row["high"] or (high if row["unbounded"] else low)
        # (from, to, colour, how dense, words): zones differ in density and words, not in colour alone
        zones = (
            [(low, last, VERMILLION, 0.12, "too_little"), (last, first, INK, 0.45, "nothing"),
             (first, high, MUTED, 0.25, "too_much")]
            if row["empty"]
            else [(low, first, VERMILLION, 0.12, "too_little"), (first, last, BLUE, 0.55, "serves"),
                  (last, high, MUTED, 0.25, "too_much")]
        )  # fmt: skip
        for start, end, colour, density, key in zones:
            if not start < end:
                continue
            data = alt.Data(values=[{"noise": start, "to": end, "lane": bottom + 0.12, "top": bottom + 0.6}])
            parts.append(
                alt.Chart(data)
                .mark_rect(color=colour, opacity=density)
                .encode(
                    x=alt.X(field="noise", type="quantitative", **x.options()),
                    x2=alt.X2(field="to"),
                    y=alt.Y(field="lane", **channel),
                    y2=alt.Y2(field="top"),
                )
            )
            said, middle = words.LABELS[key], math.sqrt(start * end)
            wide = (x.place(end) - x.place(start)) * (WIDTH + 40) > _LETTER * len(said) + 18  # points stand at ends
            if key in ("serves", "nothing"):
                said += f"; {words.LABELS['chosen']}" if row["recommended"] else ""
                shade = {"align": "center", "color": INK, "baseline": "bottom", "dy": -2}
                parts.append(_words(alt, said, middle, bottom + 0.6, x, channel, shade))
            elif wide and key not in named:
                named.add(key)
                parts.append(_words(alt, said, middle, bottom + 0.36, x, channel, {"align": "center"}))
        parts.append(_words(alt, row["family"], low, bottom + 0.36, x, channel, {"align": "right", "dx": -8}))
        if row["noise"] is not None and not row["empty"] and low < row["noise"] < high:
            data = alt.Data(values=[{"noise": row["noise"], "lane": bottom + 0.36}])
            shape = "diamond" if row["recommended"] else "circle"
            mark = alt.Chart(data).mark_point(fill=PAPER, stroke=INK, size=90, strokeWidth=2, opacity=1, shape=shape)
            parts.append(
                mark.encode(
                    x=alt.X(field="noise", type="quantitative", **x.options()), y=alt.Y(field="lane", **channel)
                )
            )
    return layered(parts, WIDTH + 40, height)


def _words(alt: Any, said: str, at: float, lane: float, x: Axis, channel: dict[str, Any], mark: dict[str, Any]) -> Any:
    data = alt.Data(values=[{"noise": at, "lane": lane}])
    options = {"baseline": "middle", "color": INK, **mark}
    chart = alt.Chart(data).mark_text(text=said, **options)
    return chart.encode(x=alt.X(field="noise", type="quantitative", **x.options()), y=alt.Y(field="lane", **channel))
