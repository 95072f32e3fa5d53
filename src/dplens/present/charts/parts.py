"""Axes, marks and labels that all pictures use."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap
from typing import Any

from dplens.present.charts.export import altair
from dplens.present.charts.theme import GUESS, HEIGHT, INK, PAPER, Style

# Probabilities on logarithmic axes: percentages, with powers of ten from 0.00001 % down.
_TENS = "replace(format(datum.value, '.0e'), '+', '')"
_PERCENT_LOG = (
    "(datum.value >= 0.99e-6 ? format(100*datum.value, '~r') : replace(format(100*datum.value, '.0e'), '+', '')) + ' %'"
)


_UPWARDS = 42  # letters of a title that are no longer than an axis is high

Words = Callable[..., str]  # the texts of a language, for what a picture is about


@dataclass(frozen=True)
class ChartAxis:
    """One axis: the column it shows, its title, its ends, and how it is written."""

    field: str
    title: str
    low: float
    high: float
    log: bool = False
    percent: bool = False
    values: tuple[float, ...] = ()
    whole: bool = False
    offset: float = 0.0  # pixels between the axis and the picture

    def options(self) -> dict[str, Any]:
        """Scale and axis in the words of Vega-Lite."""
        axis: dict[str, Any] = {"title": self.title, "tickCount": 6, "labelOverlap": True, "labelFlush": False}
        if self.percent and self.log:
            axis["labelExpr"] = _PERCENT_LOG
        elif self.percent:
            axis["labelExpr"] = "format(100*datum.value, '~r') + ' %'"
        elif self.log:
            axis["labelExpr"] = f"datum.value >= 0.99e-3 && datum.value < 1e5 ? format(datum.value, '~r') : {_TENS}"
        elif self.whole:
            axis["format"] = "d"
        if self.offset:
            axis["offset"] = self.offset
        if self.values:
            axis["values"] = list(self.values)
        elif self.log:
            axis["values"] = decades(self.low, self.high)
        kind = "log" if self.log else "linear"
        return {"scale": {"domain": [self.low, self.high], "type": kind, "nice": False}, "axis": axis}

    def holds(self, value: Any) -> bool:
        """Whether a value can be drawn on this axis."""
        return value is not None and math.isfinite(value) and (value > 0 or not self.log)

    def place(self, value: float) -> float:
        """Where a value lies, 0 at the low end and 1 at the high end."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def at(self, place: float) -> float:
        """The value at a place."""
        if self.log:
            return self.low * (self.high / self.low) ** place
        return self.low + place * (self.high - self.low)


def decades(low: float, high: float) -> list[float]:
    """Powers of ten for the ticks of a logarithmic axis, at most eight; over less than two decades 1, 2 and 5."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last - first < 2:
        found = [float(f"{m}e{k}") for k in range(first - 1, last + 1) for m in (1, 2, 5)]
        return [x for x in found if low * (1 - 1e-9) <= x <= high * (1 + 1e-9)]
    step = max(math.ceil((last - first) / 8), 1)
    return [10.0**k for k in range(last, first - 1, -step)]


def channels(x: ChartAxis, y: ChartAxis) -> dict[str, Any]:
    """Both axes in the words of Vega-Lite."""
    across, upwards = x.options(), y.options()
    lines = wrap(y.title, _UPWARDS)
    if len(lines) > 1:
        upwards["axis"]["title"] = lines
    return {
        "x": {"field": x.field, "type": "quantitative", **across},
        "y": {"field": y.field, "type": "quantitative", **upwards},
    }


def mark(kind: str, rows: Iterable[dict[str, Any]], encoding: dict[str, Any], **look: Any) -> Any:
    """One mark of Vega-Lite (``"point"``, ``"rect"``, …) for each row, placed by its encoding."""
    alt = altair()
    # Altair copies what it knows whenever it puts a chart into another: so rows are a tuple, and the rest is plain
    data = alt.Data(values=tuple(rows))
    return alt.Chart(data, mark={"type": kind, **look}, encoding=alt.FacetedEncoding(**encoding))


def line(rows: Iterable[dict[str, Any]], x: ChartAxis, y: ChartAxis, style: Style, *, step: bool = False) -> Any:
    """A line through the rows, in order of x."""
    kept = [row for row in rows if x.holds(row.get(x.field)) and y.holds(row.get(y.field))]
    # clip only lines that leave the picture, so that lines along the edge keep their width
    leaves = any(not (-1e-9 <= axis.place(row[axis.field]) <= 1 + 1e-9) for row in kept for axis in (x, y))
    more = {"interpolate": "step-after"} if step else {}
    shown = [{a.field: row[a.field] for a in (x, y)} for row in kept]
    return mark("line", shown, channels(x, y), **style.stroke, clip=leaves, **more)


def band(rows: Sequence[dict[str, Any]], x: ChartAxis, y: ChartAxis, other: str, style: Style) -> list[Any]:
    """The bracket between a column and its other end, if it is wider than 0.4 % of the axis somewhere."""
    second = ChartAxis(other, y.title, y.low, y.high, y.log, y.percent)
    kept = [row for row in rows if y.holds(row.get(y.field)) and second.holds(row.get(other))]
    if not any(abs(y.place(row[y.field]) - y.place(row[other])) > 0.004 for row in kept):
        return []
    shown = [{k: row[k] for k in (x.field, y.field, other)} for row in kept if x.holds(row[x.field])]
    return [area(shown, x, y, other, style.colour, opacity=0.18, clip=True)]


def area(rows: Iterable[dict[str, Any]], x: ChartAxis, y: ChartAxis, other: str, colour: str, **look: Any) -> Any:
    """The surface between two columns."""
    return mark("area", rows, {**channels(x, y), "y2": {"field": other}}, color=colour, **look)


def point(x: ChartAxis, y: ChartAxis, at: tuple[float, float], style: Style) -> Any:
    """One point that stands out."""
    look = {"fill": PAPER, "stroke": style.colour, "size": 70, "strokeWidth": 2}
    return mark("point", [{x.field: at[0], y.field: at[1]}], channels(x, y), opacity=1, **look)


def text(x: ChartAxis, y: ChartAxis, at: tuple[float, float], words: str | list[str], **look: Any) -> Any:
    """Words at a place; a list is several lines."""
    look = {"align": "left", "baseline": "middle", "color": INK, "lineHeight": 13, **look}
    return mark("text", [{x.field: at[0], y.field: at[1]}], channels(x, y), text=words, **look)


def upright(x: ChartAxis, y: ChartAxis, at: float, style: Style = GUESS) -> Any:
    """A vertical line across the picture."""
    return mark("rule", [{x.field: at}], {"x": channels(x, y)["x"]}, **style.stroke)


def level(x: ChartAxis, y: ChartAxis, at: float, style: Style = GUESS) -> Any:
    """A horizontal line across the picture."""
    return line([{x.field: x.low, y.field: at}, {x.field: x.high, y.field: at}], x, y, style)


def end_labels(
    x: ChartAxis,
    y: ChartAxis,
    labels: Sequence[tuple[float, str, Style]],
    height: float = HEIGHT,
    *,
    left: bool = False,
) -> list[Any]:
    """Direct labels beside the picture, at the ends of their lines, moved apart if they would touch.

    left: at the beginning of lines, in the room that the offset of the y axis leaves; else right of the picture.
    """
    at, side = (x.low, {"align": "right", "dx": -7}) if left else (x.high, {"dx": 7})
    lines = [(min(max(y.place(to), 0.0), 1.0) * height, words.split("\n"), style) for to, words, style in labels]
    lines.sort(key=lambda item: item[0])
    places = _apart([p for p, _, _ in lines], [13.0 * len(words) for _, words, _ in lines], height)
    return [
        text(x, y, (at, y.at(place / height)), words, **side, dy=-6.5 * (len(words) - 1), color=style.colour)
        for place, (_, words, style) in zip(places, lines)
    ]


def key(x: ChartAxis, y: ChartAxis, entries: Sequence[tuple[str, Style]], at: float, top: float = 1.0) -> list[Any]:
    """Names of lines, each beside a piece of its line, below each other from the right place ``at`` down."""
    out = []
    for said, style in entries:
        ends = [{x.field: x.at(x.place(at) + more), y.field: y.at(top)} for more in (0.0, 0.08)]
        drawn = line(ends, x, y, style)
        drawn.mark["clip"] = False
        rows = said.split("\n")
        out += [drawn, text(x, y, (ends[1][x.field], y.at(top)), rows if rows[1:] else said, dx=6, color=style.colour)]
        top -= (13 * len(rows) + 9) / HEIGHT
    return out


def _apart(wanted: list[float], sizes: list[float], height: float) -> list[float]:
    """Increasing places near the wanted ones, with labels at least 15 pixels and their own sizes apart."""
    places = list(wanted)
    gaps = [max((a + b) / 2 + 2, 15.0) for a, b in pairwise(sizes)]
    for i, gap in enumerate(gaps):
        places[i + 1] = max(places[i + 1], places[i] + gap)
    limit = height + 6
    for i, gap in zip(range(len(places) - 1, -1, -1), [*gaps[::-1], 0.0]):
        places[i] = min(places[i], limit)
        limit = places[i] - gap
    return places


def layered(parts: Iterable[Any], width: int, height: int) -> Any:
    """The parts on top of each other."""
    return altair().layer(*parts).properties(width=width, height=height)
