"""Draws panels with the marks and colours of ``present.charts``."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

from dplens.papers.records import Area, Line, Panel, Scale
from dplens.present.charts.export import svg
from dplens.present.charts.parts import ChartAxis, band, channels, end_labels, layered, line, mark, point, text, upright
from dplens.present.charts.parts import area as between
from dplens.present.charts.theme import CONFIG, GUESS, PAPER, SERIES, Style

_SIZES = {1: (400, 260), 2: (310, 225), 3: (235, 195)}  # width and height by pictures side by side


def style_of(series: int, *, bound: bool = False, solid: bool = False) -> Style:
    """The style of a line: eight colours with their own dashes; thin dashes for bounds, and solid lines beside those."""
    known = SERIES[series % len(SERIES)]
    if bound:
        return Style(known.colour, (3, 3), 1.3)
    if solid:
        return Style(known.colour, SERIES[0].dash, known.width)
    # beyond eight lines a colour comes again, with the dashes of another
    return Style(known.colour, SERIES[(series + series // len(SERIES)) % len(SERIES)].dash, known.width)


def _axis(name: str, scale: Scale) -> ChartAxis:
    return ChartAxis(name, scale.title, scale.low, scale.high, log=scale.log)


def _rows(shape: Line | Area) -> list[dict[str, Any]]:
    return [{"x": a, "y": b} for a, b in zip(shape.x, shape.y)]


def specification(panel: Panel, columns: int = 2) -> dict[str, Any]:
    """The picture in the words of Vega-Lite."""
    width, height = _SIZES[min(columns, 3)]
    left = _apart_at_first(panel, height)
    room = 12 + 6.6 * max((len(shape.label) for shape in panel.lines), default=0)
    x, y = _axis("x", panel.x), replace(_axis("y", panel.y), offset=room if left else 0.0)
    parts: list[Any] = []
    labels = []
    for k, area in enumerate(panel.areas):
        surface = [{**row, "floor": 0.0} for row in _rows(area)]
        parts.append(between(surface, x, y, "floor", style_of(area.series).colour, opacity=0.28, clip=True))
        labels.append((y.at(0.97 - 0.09 * k), area.label, style_of(area.series)))
    parts += [upright(x, y, at, GUESS) for at in panel.uprights]
    beside = any(shape.bound for shape in panel.lines)  # dashes then mean bounds, and labels identify lines
    for shape in panel.lines:
        look = style_of(shape.series, bound=shape.bound, solid=beside)
        rows = _rows(shape)
        if shape.spread:
            low = [{**row, "y": row["y"] - s, "high": row["y"] + s} for row, s in zip(rows, shape.spread)]
            parts += band(low, x, y, "high", look)
        if not shape.points or shape.label:
            parts.append(line(rows, x, y, look))
        if shape.points:
            size, opacity = (50, 1.0) if len(rows) < 40 else (14, 0.55)
            dots = {"fill": look.colour, "stroke": look.colour, "size": size, "opacity": opacity}
            parts.append(mark("point", rows, channels(x, y), **dots, clip=len(rows) >= 40))
        if shape.label:
            labels.append((_height(shape, y, left), shape.label, look))
    for note in panel.notes:
        if note.marked:
            parts.append(point(x, y, (note.x, note.y), SERIES[4]))
        if note.text:
            aside = 0 if note.align != "left" else 10 if note.marked else 4
            # lines pass behind the words, not through them
            for edge in ({"stroke": PAPER, "strokeWidth": 3}, {}):
                parts.append(text(x, y, (note.x, note.y), note.text, align=note.align, dx=aside, **edge))
    parts += end_labels(x, y, labels, height, left=left)
    chart = layered(parts, width, height)
    spec = chart.to_dict()
    spec["config"] = CONFIG
    spec["padding"] = {"left": 5, "top": 5, "bottom": 5, "right": 16}  # a reader's font may be wider
    return spec


def _places(shape: Line, y: ChartAxis) -> list[float]:
    """How high the points of a line are drawn, from 0 to 1."""
    return [min(max(y.place(at), 0.0), 1.0) if y.holds(at) else 0.0 for at in shape.y]


def _height(shape: Line, y: ChartAxis, left: bool) -> float:
    """The height of a line's label: that of its end, adjusted so that lines that meet there keep their order."""
    places = _places(shape, y)
    return y.at(0.99 * places[0 if left else -1] + 0.01 * sum(places) / len(places))


def _apart_at_first(panel: Panel, height: float) -> bool:
    """Whether many lines start apart but end too close together for labels at their ends."""
    lines = [_places(shape, _axis("y", panel.y)) for shape in panel.lines if shape.label]
    if len(lines) < 4 or panel.areas:  # colours suffice for a few; names of areas are on the right
        return False
    first, last = (min(b - a for a, b in pairwise(sorted(line[end] for line in lines))) * height for end in (0, -1))
    return last < 13 and first > 2 * last + 3


def picture(panel: Panel, columns: int, prefix: str) -> str:
    """The picture as SVG that can stand in a page; its description is an attribute of the frame around it."""
    drawn = svg(specification(panel, columns), prefix)
    return drawn.replace("<svg ", '<svg aria-hidden="true" ', 1)
