"""One drawing for each kind of frame. What is drawn is in the frame; here are only axes, lines and labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from dplens.present.charts.parts import (
    ChartAxis,
    Words,
    band,
    end_labels,
    key,
    layered,
    level,
    line,
    point,
    text,
    upright,
)
from dplens.present.charts.theme import GUESS, HEIGHT, MAIN, MUTED, SERIES, SQUARE, WIDTH, Style
from dplens.present.frames.base import ChartFrame, Row

RIGHT = {"align": "right", "dx": -4}


def shares(field: str, words: Words, low: float = 0.0, *, log: bool = False) -> ChartAxis:
    """An axis in percent, up to 1, with the title of its column."""
    return ChartAxis(field, words(f"axis-{field}"), low, 1.0, log, percent=True)


def series(
    frame: ChartFrame, column: str, values: Sequence[Any], x: ChartAxis, y: ChartAxis, other: str
) -> Iterator[tuple[Any, Style, list[Row], list[Any]]]:
    """For each value of a column: the value, the style of its line, its rows, and its line with its band."""
    for i, value in enumerate(values):
        style = SERIES[i % len(SERIES)]
        rows = sorted((row for row in frame.rows if row[column] == value), key=lambda row: row[x.field])
        yield value, style, rows, [*band(rows, x, y, other, style), line(rows, x, y, style)]


def curves(
    frame: ChartFrame, words: Words, x: ChartAxis, y: ChartAxis, other: str, said: str, *at: str, **room: Any
) -> list[Any]:
    """One line for each release, with its operating point.

    said: the key of the words about the point; ``at`` names the facts that place it. The words about a single release
    stand in the free place that ``room`` describes; those about several beside the picture, under the name of each.
    """
    parts, named, several = [], [], "releases" in frame.facts
    for (name, one), style in zip(frame.releases().items(), SERIES):
        style = style if several else MAIN
        rows = [row for row in one.rows if row.get("series") != "guarantee"]
        place = tuple(float({**(one.listed() or [{}])[0], **one.facts}[fact]) for fact in at)
        parts += [*band(rows, x, y, other, style), line(rows, x, y, style)]
        if place[0] <= x.high and y.holds(place[1]):
            parts.append(point(x, y, (place[0], place[1]), style))
        label = words(f"label-{said}", x=place[0], y=place[1])
        named.append(("\n".join([*wrap(name, 30), label]), style))
    if several:
        return [*parts, *key(x, y, named, x.at(1.04))]
    return [*parts, text(x, y, words=named[0][0], **room)]


def roc(frame: ChartFrame, words: Words, *, log: bool = False, column: str = "power") -> Any:
    """Power (or beta) against alpha, with the attacker's operating point; ``log`` for both axes logarithmic."""
    missed = column == "beta"
    low = frame.facts["smallest"] if log else 0.0
    x, y = (shares(field, words, low, log=log) for field in ("alpha", column))
    ends = [{"alpha": low, column: 1.0 - low if missed else low}, {"alpha": 1.0, column: 1.0 - missed}]
    other, said = ("beta_high", "missed") if missed else ("power_low", "point")
    # always free: no attack is worse than guessing
    room = {"at": (x.high, y.at(0.95 if missed else 0.05)), **RIGHT}
    parts = [line(ends, x, y, GUESS), *curves(frame, words, x, y, other, said, "fpr", column, **room)]
    if missed or "releases" in frame.facts:
        at = (0.52, 0.53) if missed else (x.at(0.64), y.at(0.6))
        parts.append(text(x, y, at, words("label-guess"), color=MUTED, dx=4))
    else:
        labels = [(y.at(1.0), words("label-best"), MAIN), (y.at(0.93), words("label-guess"), GUESS)]
        parts += end_labels(x, y, labels, SQUARE)
    return layered(parts, SQUARE + 40, SQUARE)


def precision_recall(frame: ChartFrame, words: Words) -> Any:
    """Precision against recall, one line a prior; where each would start without the release, dotted."""
    x, y = (shares(field, words) for field in ("recall", "precision"))
    f = frame.facts
    if "releases" in f:
        lines = curves(frame, words, x, y, "precision_low", "point_named", "power", "precision")
        return layered([level(x, y, f["priors"][0]), *lines], WIDTH, HEIGHT)
    parts, labels = [], []
    marked = dict(zip(f["priors"], f["marked"]))
    for prior, style, rows, drawn in series(frame, "prior", f["priors"], x, y, "precision_low"):
        parts += [level(x, y, prior), *drawn, point(x, y, (float(f["power"]), float(marked[prior])), style)]
        labels.append((rows[-1]["precision"], words("label-prior", prior=prior), style))
    parts.append(text(x, y, (1.0, 1.04), words("label-point", x=f["fpr"], y=float(f["power"])), **RIGHT))
    return layered([*parts, *end_labels(x, y, labels)], WIDTH, HEIGHT)


def posterior(frame: ChartFrame, words: Words) -> Any:
    """Belief after against belief before: named, ruled out, and the very most."""
    x, y0 = (shares(field, words) for field in ("prior", "posterior"))
    ends = [{"prior": 0.0, "posterior": 0.0, "negative": 0.0}]
    ends.append({"prior": 1.0, "posterior": 1.0, "negative": 1.0, "most": 1.0})
    kinds = [("posterior", "posterior_low", "named", MAIN), ("negative", "negative_high", "ruled_out", SERIES[2])]
    if frame.facts["failure"] == "none":
        kinds.insert(0, ("most", "most_low", "most", SERIES[1]))
    parts, listed = [line(ends, x, y0, GUESS)], []
    if "releases" in frame.facts:
        lines = curves(frame, words, x, y0, "posterior_low", "belief", "prior", "posterior")
        return layered([*parts, *lines], SQUARE + 40, SQUARE)
    for column, other, name, style in reversed(kinds):  # dashes on top of a full line, as they may be the same
        y = ChartAxis(column, y0.title, 0.0, 1.0, percent=True)
        parts += [*band(frame.rows, x, y, other, style), line([ends[0], *frame.rows, ends[1]], x, y, style)]
        listed.insert(0, (words(f"label-{name}"), style))
    parts += [point(x, y0, (row["prior"], row["posterior"]), MAIN) for row in frame.listed()]
    # all lines end in one corner, so their labels are a short list beside it, in the order of the lines
    listed.insert(len(listed) - 1, (words("label-no_release"), GUESS))
    places = [(1.0 - 0.085 * i, label, style) for i, (label, style) in enumerate(listed)]
    return layered([*parts, *end_labels(x, y0, places, SQUARE)], SQUARE + 40, SQUARE)


def relative_risk(frame: ChartFrame, words: Words) -> Any:
    """Factor on the odds against alpha, both logarithmic."""
    f = frame.facts
    top = max(row["ratio"] for row in frame.rows)
    limit = max(float(one.facts["limit"]) for one in frame.releases().values())
    shown = math.isfinite(limit) and limit <= 30 * top
    most = max(top, limit if shown else 1.0)
    high = 10 ** (1.08 * math.log10(most)) if most > 4 else 1 + 1.25 * max(most - 1, 1e-4)
    x = shares("alpha", words, f["smallest"], log=True)
    y = ChartAxis("ratio", words("axis-ratio"), 1.0, high, log=high > 5, values=() if high > 5 else _even(1.0, high))
    room = {"at": (x.low, y.at(0.06)), "dx": 6}  # free: the curve falls from the left
    parts = curves(frame, words, x, y, "ratio_low", "ratio_point", "fpr", "ratio", **room)
    if shown and "releases" not in f:
        label = words("label-limit", limit=limit)
        parts += [level(x, y, limit), text(x, y, (1.0, limit), label, align="right", dy=-8, color=MUTED)]
    return layered(parts, WIDTH, HEIGHT)


def _even(low: float, high: float) -> tuple[float, ...]:
    """Five ticks in round steps."""
    step = 10.0 ** math.floor(math.log10((high - low) / 4))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= 5)
    return tuple(float(f"{low + k * step:.12g}") for k in range(int((high - low) / step * (1 + 1e-9)) + 1))


def profile(frame: ChartFrame, words: Words) -> Any:
    """delta, logarithmic, against epsilon."""
    f = frame.facts
    deltas = [row["delta"] for row in frame.rows if row["delta"] > 0]
    least = min([*deltas, f["delta"] or 1.0, float(f["proof"]) or 1.0]) if deltas else 1e-9
    top = max([*deltas, f["delta"], 1e-12]) if deltas else 1.0
    low = max(10 ** (math.floor(math.log10(least)) - 0.2), 1e-320)
    if f["ends_at"] is not None and deltas:  # the fall to 0 at the end is steep: what matters is above the delta in use
        low = max(low, 10 ** (math.floor(math.log10(min(f["delta"] or top, top))) - 3.0))
    x = ChartAxis("epsilon", words("axis-epsilon"), 0.0, max(one.facts["last"] for one in frame.releases().values()))
    y = ChartAxis("delta", words("axis-delta"), min(low, top / 10), 10 ** (math.log10(top) + 0.15), log=True)
    if "releases" in f:
        used = [level(x, y, f["delta"])] if f["delta"] > 0 else []
        lines = curves(frame, words, x, y, "delta_low", "epsilon", "epsilon", "delta")
        return layered([*used, *lines], WIDTH, HEIGHT)
    parts = [*band(frame.rows, x, y, "delta_low", MAIN), line(frame.rows, x, y, MAIN)]
    if f["delta"] > 0:
        parts.append(level(x, y, f["delta"]))
    e = float(f["epsilon"])
    if 0 <= e <= f["last"] and y.holds(f["delta"]):
        at = (e, f["delta"])
        label = words("label-profile_point", delta=f["delta"], epsilon=e)
        side = {"align": "left", "dx": 9} if x.place(e) < 0.5 else {"align": "right", "dx": -9}
        dy = -10 if y.place(f["delta"]) < 0.1 else 11
        parts += [point(x, y, at, MAIN), text(x, y, at, label, **side, dy=dy)]
    elif math.isinf(e) and f["delta"] > 0:
        label = words("label-profile_none", delta=f["delta"])
        parts.append(text(x, y, (x.high, f["delta"]), label, align="right", dx=-6, dy=-9, color=MUTED))
    if f["ends_at"] is not None:
        parts.append(upright(x, y, float(f["ends_at"])))
        label = words("label-ends_at", epsilon=float(f["ends_at"]))
        parts.append(text(x, y, (float(f["ends_at"]), y.at(0.96)), label, dx=6, color=MUTED))
    if float(f["proof"]) > 0:
        label = words("label-proof", proof=float(f["proof"]))
        parts.append(text(x, y, (x.low, float(f["proof"])), label, dx=6, dy=-9))
    return layered(parts, WIDTH, HEIGHT)


def fscore(frame: ChartFrame, words: Words) -> Any:
    """The best F-score against epsilon."""
    f = frame.facts
    release = [row for row in frame.rows if row["series"] == "release"]
    guarantee = [row for row in frame.rows if row["series"] == "guarantee"]
    largest = max(row["epsilon"] for row in frame.rows)
    least = min([*(row["fscore_low"] for row in frame.rows), f["everyone"]])
    x = ChartAxis("epsilon", words("axis-epsilon_at", delta=f["delta"]), 0.0, largest)
    y = ChartAxis("fscore", words("axis-fscore"), math.floor(least * 10 - 1e-9) / 10, 1.0)
    score = float(f["score"])
    if "releases" in f:
        lines = curves(frame, words, x, y, "fscore_low", "score", "epsilon", "score")
        said = text(x, y, (x.high, f["everyone"]), words("label-everyone"), dy=8, **RIGHT)
        return layered([level(x, y, f["everyone"]), *lines, said], WIDTH, HEIGHT)
    parts = [level(x, y, f["everyone"]), line(guarantee, x, y, SERIES[1])]
    labels = [(f["everyone"], words("label-everyone"), GUESS)]
    labels.append((guarantee[-1]["fscore"], words("label-guarantee"), SERIES[1]))
    if len(release) > 1:
        parts += [*band(release, x, y, "fscore_low", MAIN), line(release, x, y, MAIN)]
        labels.append((release[-1]["fscore"], words("label-release"), MAIN))
    elif not release:  # no epsilon at this delta: the score stands by itself
        parts.append(level(x, y, score, MAIN))
        labels.append((score, words("label-release_alone"), MAIN))
    if math.isfinite(f["epsilon"]):
        at = (float(f["epsilon"]), score)
        parts += [point(x, y, at, MAIN), text(x, y, at, words("label-now"), dx=8, dy=10)]
    return layered([*parts, *end_labels(x, y, labels)], WIDTH, HEIGHT)


def power_noise(frame: ChartFrame, words: Words) -> Any:
    """Power of the best attack against the noise, one line a false-positive rate."""
    f = frame.facts
    noise = frame.column("noise")
    name = f["parameter"]
    title = words("axis-noise", parameter=words(f"parameter-{name}")) if name else words("axis-noise_factor")
    ticks = tuple(float(f"{f['present'] * k:.6g}") for k in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0))
    x = ChartAxis("noise", title, min(noise), max(noise), log=True, values=ticks)
    y = shares("power", words)
    parts: list[Any] = [upright(x, y, f["present"])]
    labels, now = [], dict(zip(f["fprs"], f["powers"]))
    for fpr, style, rows, drawn in series(frame, "fpr", f["fprs"], x, y, "power_low"):
        parts += [*drawn, point(x, y, (f["present"], float(now[fpr])), style)]
        labels.append((rows[-1]["power"], words("label-fpr", fpr=fpr), style))
    parts.append(text(x, y, (f["present"], 1.0), words("label-now"), dx=5, dy=6, color=MUTED))
    return layered([*parts, *end_labels(x, y, labels)], WIDTH, HEIGHT)
