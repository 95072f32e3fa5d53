"""Pictures that are not lines over a rate: output laws, people counted, knowledge, the analyst; and measured bands."""

from __future__ import annotations

import math
from textwrap import wrap
from typing import Any

from dplens.present.charts.draw import series, shares
from dplens.present.charts.export import altair
from dplens.present.charts.parts import (
    ChartAxis,
    Words,
    area,
    channels,
    end_labels,
    key,
    layered,
    level,
    line,
    mark,
    point,
    text,
    upright,
)
from dplens.present.charts.theme import BLUE, GUESS, HEIGHT, INK, MAIN, MUTED, PAPER, SERIES, SQUARE, VERMILLION, WIDTH
from dplens.present.frames.base import ChartFrame

_ICON = {100: (12.5, 64), 1000: (4.6, 8)}  # pixels from one to the next, and the size of its mark


def output_laws(frame: ChartFrame, words: Words) -> Any:
    """Both laws of the output, and the part of the outputs on which the attacker names."""
    f = frame.facts
    scale, outputs = f["scale"], frame.column("output")
    width = (max(outputs) - min(outputs)) / max(len(outputs) / 2 - 1, 1)
    bars = scale != "density"
    room = width / 2 if bars else 0.0
    low, high = min(outputs) - room, max(outputs) + room
    if scale in ("loss", "whole"):
        low, high = min(frame.column("start")), max(frame.column("end"))
    values = tuple(sorted(set(outputs))) if scale == "outcomes" and len(set(outputs)) <= 20 else ()
    title = {"outcomes": words("axis-outcome"), "loss": words("axis-loss")}.get(scale, words("axis-output"))
    x = ChartAxis("output", title, low, high, values=values, whole=scale in ("whole", "outcomes"))
    top = max(frame.column("probability")) or 1.0
    y = ChartAxis("probability", words("axis-probability" if bars else "axis-density"), 0.0, 1.08 * top)
    parts: list[Any] = []
    if f["threshold"] is not None and low < f["threshold"] < high:
        encoding = {"x": channels(x, y)["x"], "x2": {"field": "to"}}
        parts.append(mark("rect", [{"output": f["threshold"], "to": high}], encoding, color=VERMILLION, opacity=0.1))
        parts.append(upright(x, y, f["threshold"], SERIES[4]))
        # above the picture, below the names of the laws, which may be long
        parts.append(text(x, y, (x.high, y.at(1.07)), words("label-names"), align="right"))
    for world, style in (("absent", SERIES[0]), ("present", SERIES[1])):
        rows = [row for row in frame.rows if row["world"] == world]
        parts.append(_bars(rows, x, y, style, width) if bars else line(rows, x, y, style))
    absent, present = f.get("proved", (0.0, 0.0))
    if absent or present:
        label = words("label-proved", absent=absent, present=present)
        parts.append(text(x, y, (x.high, y.at(1.28)), label, align="right"))  # above all other words
    named = [(words(f"pic-{name}"), style) for name, style in (("without", SERIES[0]), ("with", SERIES[1]))]
    return layered([*parts, *key(x, y, named, low, 1.22)], WIDTH, HEIGHT)


def _bars(rows: list[dict[str, Any]], x: ChartAxis, y: ChartAxis, style: Any, width: float) -> Any:
    """The outline of bars, to show two laws behind each other; drops to 0 between separate bars."""
    ends = [(row.get("start", row["output"] - width / 2), row.get("end", row["output"] + width / 2)) for row in rows]
    outline = [{"output": ends[0][0], "probability": 0.0}]
    for i, (row, (start, end)) in enumerate(zip(rows, ends)):
        outline.append({"output": start, "probability": row["probability"]})
        last = i == len(rows) - 1
        if last or ends[i + 1][0] - end > 1e-6 * (end - start):
            outline.append({"output": end, "probability": row["probability"] if last else 0.0})
    return line(outline, x, y, style, step=True)


def icons(frame: ChartFrame, words: Words) -> Any:
    """Two arrays side by side in the same order; kinds differ in fill and shape."""
    alt, f = altair(), frame.facts
    step, size = _ICON[f["out_of"]]
    looks = {
        "right": {"fill": BLUE, "stroke": BLUE, "shape": "square"},
        "added": {"fill": VERMILLION, "stroke": VERMILLION, "shape": "diamond"},
        "wrong": {"fill": PAPER, "stroke": MUTED, "shape": "circle"},
    }
    panels = []
    for panel in ("without", "with"):
        rows = [row for row in frame.rows if row["panel"] == panel]
        across, down = max(r["column"] for r in rows) + 1, max(r["row"] for r in rows) + 1
        count = f["before"] if panel == "without" else f["after"]
        x, y = ChartAxis("column", "", -0.5, across - 0.5), ChartAxis("row", "", down - 0.5, -0.5)
        parts = []
        for kind, look in looks.items():
            places = [{"column": r["column"], "row": r["row"]} for r in rows if r["person"] == kind]
            parts.append(mark("point", places, _bare(x, y), opacity=1, size=size, strokeWidth=0.8, **look))
        counted = words("label-count", count=count, out_of=f["out_of"])
        shown = ("right", "wrong") if panel == "without" else ("right", "added", "wrong")
        parts += _key([(words(f"label-{kind}"), looks[kind]) for kind in shown], x, y, step * down)
        title = alt.TitleParams(text=words(f"label-{panel}"), subtitle=counted)
        panels.append(alt.layer(*parts).properties(width=step * across, height=step * down, title=title))
    return alt.hconcat(*panels, spacing=48)


def _bare(x: ChartAxis, y: ChartAxis) -> dict[str, Any]:
    """Both axes, hidden."""
    shown = {"x": (x.field, x.options()["scale"]), "y": (y.field, y.options()["scale"])}
    return {k: {"field": f, "type": "quantitative", "scale": scale, "axis": None} for k, (f, scale) in shown.items()}


def _key(kinds: list[tuple[str, Any]], x: ChartAxis, y: ChartAxis, height: float) -> list[Any]:
    """The legend of the marks, below an array."""
    out, encode = [], _bare(x, y)
    for i, (label, look) in enumerate(kinds):
        below = 1.0 + (14 + 16 * i) / height  # as a fraction of the picture's height, from the top
        at = {"column": x.at(0.0), "row": y.low + (y.high - y.low) * (1 - below)}
        out.append(mark("point", [at], encode, opacity=1, size=60, strokeWidth=0.8, xOffset=6, **look))
        out.append(mark("text", [at], encode, text=label, align="left", baseline="middle", dx=16))
    return out


def leakage(frame: ChartFrame, words: Words) -> Any:
    """epsilon of the worst attacker by the number of records they know."""
    f = frame.facts
    top = max([row["epsilon"] for row in frame.rows] + [f["unrelated"] or 0.0]) * 1.12 or 1.0
    last = max(max(frame.column("known")), 1)
    ticks = tuple(float(k) for k in range(0, last + 1, max(math.ceil(last / 10), 1)))
    x = ChartAxis("known", words("axis-known"), -0.5, last + 0.5, values=ticks, whole=True)
    y = ChartAxis("epsilon", words("axis-leakage"), 0.0, top)
    stems = [{"known": row["known"], "epsilon": row["epsilon"], "zero": 0.0} for row in frame.rows]
    encode, colour = channels(x, y), MAIN.colour
    parts = [
        mark("rule", stems, {**encode, "y2": {"field": "zero"}}, color=colour, strokeWidth=2),
        mark("point", stems, encode, fill=colour, stroke=colour, size=50, opacity=1),
    ]
    if f["unrelated"] is not None:
        label = words("label-unrelated", epsilon=f["unrelated"])
        parts += [level(x, y, f["unrelated"]), *end_labels(x, y, [(f["unrelated"], label, GUESS)])]
    if math.isfinite(f["epsilon"]):
        parts.append(point(x, y, (f["known"], float(f["epsilon"])), MAIN))
    free = -math.inf  # labels have room from here on, as a share of the axis; the table has every number
    for row in sorted(frame.rows, key=lambda row: row["known"]):
        if x.place(row["known"]) >= free:
            at = (row["known"], row["epsilon"])
            parts.append(text(x, y, at, words("label-number", x=row["epsilon"]), align="center", dy=-11, color=INK))
            free = x.place(row["known"]) + 40 / WIDTH
    return layered(parts, WIDTH, HEIGHT)


def comparison(frame: ChartFrame, words: Words) -> Any:
    """One lane for each release, from guessing to what the best attack identifies."""
    fpr, lanes = frame.facts["fpr"], len(frame.rows)
    x = ChartAxis("power", words("axis-power"), 0.0, min(1.0, 1.25 * max(frame.column("power"))), percent=True)
    y = ChartAxis("lane", "", -0.5, lanes - 0.5)
    parts: list[Any] = [text(x, y, (fpr, y.at(1.0)), words("label-guess"), dx=3, dy=-8, color=MUTED)]
    parts.append(text(x, y, (x.high, y.at(1.0)), words("label-fpr", fpr=fpr), align="right", dy=-8, color=MUTED))
    for lane, row in enumerate(reversed(frame.rows)):
        name = wrap(row["release"], 24, max_lines=2, placeholder=" …")
        parts += [
            line([{"power": fpr, "lane": lane}, {"power": row["power"], "lane": lane}], x, y, MAIN),
            point(x, y, (row["power"], lane), MAIN),
            text(x, y, (row["power"], lane), words("label-share", x=row["power"]), dx=9),
            text(x, y, (0.0, lane), name, align="right", dx=-8, dy=-6.5 * (len(name) - 1)),
        ]
    for part in parts:
        part.encoding["y"] = _bare(x, y)["y"]
    return layered([upright(x, y, fpr), *parts], WIDTH, 34 * lanes)


def analyst_power(frame: ChartFrame, words: Words) -> Any:
    """Power of the analyst's test against the true effect, one line an amount of noise."""
    effects, planned = frame.column("effect"), frame.facts["effect"]
    x = ChartAxis("effect", words("axis-effect"), min(effects), max(effects))
    y = ChartAxis("power", words("axis-analyst_power"), 0.0, 1.0, percent=True)
    parts: list[Any] = [upright(x, y, planned)]
    labels = []
    for name, style, rows, drawn in series(
        frame, "series", list(dict.fromkeys(frame.column("series"))), x, y, "power_high"
    ):
        parts += [*drawn, point(x, y, (planned, float(frame.facts[f"power_{name}"])), style)]
        labels.append((rows[-1]["power"], words(f"label-{name}"), style))
    parts.append(text(x, y, (planned, 0.0), words("label-planned"), dx=5, dy=-8, color=MUTED))
    return layered([*parts, *end_labels(x, y, labels)], WIDTH, HEIGHT)


def feasible(frame: ChartFrame, words: Words) -> Any:
    """One lane for each family with too little, suitable and too much noise; the chosen amount is a point."""
    ends = [row[k] for row in frame.rows for k in ("low", "high", "noise") if row[k] is not None and row[k] < math.inf]
    low, high = (min(ends) / 3, max(ends) * 3) if ends else (0.1, 10.0)
    height = 46 * max(len(frame.rows), 1)
    parameters = {row["parameter"] for row in frame.rows}
    only = words("axis-amount_of", parameter=next(iter(parameters))) if len(parameters) == 1 else None
    x = ChartAxis("noise", only or words("axis-amount"), low, high, log=True)
    y = ChartAxis("lane", "", 0.0, float(max(len(frame.rows), 1)))
    parts: list[Any] = []
    named: set[str] = set()  # zones on either side are named once, where the words fit inside
    encode = {**channels(x, y), "y": _bare(x, y)["y"]}
    for i, row in enumerate(frame.rows):
        bottom = len(frame.rows) - 1 - i
        first, last = min(row["low"] or low, high), row["high"] or (high if row["unbounded"] else low)
        # (from, to, colour, how dense, words): zones differ in density and words, not in colour alone
        between = (INK, 0.45, "nothing") if row["empty"] else (BLUE, 0.55, "serves")
        cuts = sorted((first, last))
        zones = ((VERMILLION, 0.12, "too_little"), between, (MUTED, 0.25, "too_much"))
        for start, end, (colour, density, zone) in zip((low, *cuts), (*cuts, high), zones):
            if not start < end:
                continue
            lane = {"noise": start, "to": end, "lane": bottom + 0.12, "top": bottom + 0.6}
            box = {**encode, "x2": {"field": "to"}, "y2": {"field": "top"}}
            parts.append(mark("rect", [lane], box, color=colour, opacity=density))
            chosen = "-chosen" if zone == "serves" and row["recommended"] else ""
            said, middle = words(f"label-{zone}{chosen}"), math.sqrt(start * end)
            # a letter takes at most 5.1 pixels, and points stand at the ends
            wide = (x.place(end) - x.place(start)) * (WIDTH + 40) > 5.1 * len(said) + 18
            if zone in ("serves", "nothing"):
                parts.append(_words(said, middle, bottom + 0.6, encode, align="center", baseline="bottom", dy=-2))
            elif wide and zone not in named:
                named.add(zone)
                parts.append(_words(said, middle, bottom + 0.36, encode, align="center"))
        parts.append(_words(row["family"], low, bottom + 0.36, encode, align="right", dx=-8))
        if row["noise"] is not None and not row["empty"] and low < row["noise"] < high:
            at, shape = {"noise": row["noise"], "lane": bottom + 0.36}, "diamond" if row["recommended"] else "circle"
            look = {"fill": PAPER, "stroke": INK, "size": 90, "strokeWidth": 2, "opacity": 1, "shape": shape}
            parts.append(mark("point", [at], encode, **look))
    return layered(parts, WIDTH + 40, height)


def _words(said: str, at: float, lane: float, encode: dict[str, Any], **look: Any) -> Any:
    look = {"baseline": "middle", "color": INK, **look}
    return mark("text", [{"noise": at, "lane": lane}], encode, text=said, **look)


def audit(frame: ChartFrame, words: Words) -> Any:
    """Power against alpha: what the claim allows, and what was measured with its band; a refuting point is marked."""
    x, y = (shares(field, words) for field in ("alpha", "power"))
    corner, style = {"alpha": 0.0, "power": 0.0, "reach": 0.0}, SERIES[1]
    proved = [corner, *({"alpha": r["alpha"], "power": r["measured"], "reach": r["reach"]} for r in frame.rows)]
    parts = [
        area(proved, x, y, "reach", style.colour, opacity=0.2),
        line([corner, {"alpha": 1.0, "power": 1.0}], x, y, GUESS),
        line(frame.rows, x, y, MAIN),
        line(proved, x, y, style),
    ]
    if frame.facts["verdict"] == "refuted":
        parts.append(point(x, y, (frame.facts["fpr"], frame.facts["measured"]), style))
    kinds = ((1.0, "claimed", MAIN), (0.92, "measured", style), (0.84, "guess", GUESS))
    labels = [(at, words(f"label-{name}"), look) for at, name, look in kinds]
    return layered([*parts, *end_labels(x, y, labels, SQUARE)], SQUARE + 40, SQUARE)
