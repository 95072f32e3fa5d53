"""One drawing for each kind of frame. What is drawn is in the frame; here are only axes, lines and labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from dplens.present.charts.parts import ChartAxis, Words, band, end_labels, layered, level, line, point, text, upright
from dplens.present.charts.theme import GUESS, HEIGHT, MAIN, MUTED, SERIES, SQUARE, WIDTH, Style
from dplens.present.frames.base import ChartFrame, Row


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


def roc(frame: ChartFrame, words: Words, *, log: bool = False) -> Any:
    """Power against alpha, with the attacker's operating point; ``log`` for both axes logarithmic."""
    f = frame.facts
    low = f["smallest"] if log else 0.0
    x, y = (shares(field, words, low, log=log) for field in ("alpha", "power"))
    at = (f["fpr"], float(f["power"]))
    label = words("label-point", x=at[0], y=at[1])
    labels = [(y.at(1.0), words("label-best"), MAIN), (y.at(0.93), words("label-guess"), GUESS)]
    parts = [
        line([{"alpha": low, "power": low}, {"alpha": 1.0, "power": 1.0}], x, y, GUESS),
        *band(frame.rows, x, y, "power_low", MAIN),
        line(frame.rows, x, y, MAIN),
        point(x, y, at, MAIN),
        text(x, y, (x.high, y.at(0.05)), label, align="right", dx=-4),  # always free: no attack is worse than guessing
        *end_labels(x, y, labels, SQUARE),
    ]
    return layered(parts, SQUARE + 40, SQUARE)


def tradeoff(frame: ChartFrame, words: Words) -> Any:
    """beta against alpha."""
    x, y = (shares(field, words) for field in ("alpha", "beta"))
    fpr = frame.facts["fpr"]
    at = next((row["alpha"], row["beta"]) for row in frame.rows if math.isclose(row["alpha"], fpr, rel_tol=1e-12))
    label = words("label-missed", x=at[0], y=at[1])
    parts = [
        line([{"alpha": 0.0, "beta": 1.0}, {"alpha": 1.0, "beta": 0.0}], x, y, GUESS),
        *band(frame.rows, x, y, "beta_high", MAIN),
        line(frame.rows, x, y, MAIN),
        point(x, y, at, MAIN),
        text(x, y, (0.52, 0.53), words("label-guess"), color=MUTED, dx=4),
        text(x, y, (1.0, 0.95), label, align="right", dx=-4),
    ]
    return layered(parts, SQUARE + 40, SQUARE)


def precision_recall(frame: ChartFrame, words: Words) -> Any:
    """Precision against recall, one line a prior; where each would start without the release, dotted."""
    x, y = (shares(field, words) for field in ("recall", "precision"))
    parts, labels = [], []
    for prior, style, rows, drawn in series(frame, "prior", frame.facts["priors"], x, y, "precision_low"):
        parts += [level(x, y, prior), *drawn]
        labels.append((rows[-1]["precision"], words("label-prior", prior=prior), style))
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
    for column, other, name, style in kinds:
        y = ChartAxis(column, y0.title, 0.0, 1.0, percent=True)
        parts += [*band(frame.rows, x, y, other, style), line([ends[0], *frame.rows, ends[1]], x, y, style)]
        listed.append((words(f"label-{name}"), style))
    parts += [point(x, y0, (row["prior"], row["posterior"]), MAIN) for row in frame.listed()]
    # all lines end in one corner, so their labels are a short list beside it, in the order of the lines
    listed.insert(len(listed) - 1, (words("label-no_release"), GUESS))
    places = [(1.0 - 0.085 * i, label, style) for i, (label, style) in enumerate(listed)]
    return layered([*parts, *end_labels(x, y0, places, SQUARE)], SQUARE + 40, SQUARE)


def relative_risk(frame: ChartFrame, words: Words) -> Any:
    """Factor on the odds against alpha, both logarithmic."""
    f = frame.facts
    top = max(row["ratio"] for row in frame.rows)
    limit = float(f["limit"])
    shown = math.isfinite(limit) and limit <= 30 * top
    most = max(top, limit if shown else 1.0)
    high = 10 ** (1.08 * math.log10(most)) if most > 4 else 1 + 1.25 * max(most - 1, 1e-4)
    x = shares("alpha", words, f["smallest"], log=True)
    y = ChartAxis("ratio", words("axis-ratio"), 1.0, high, log=high > 5, values=() if high > 5 else _even(1.0, high))
    at = (f["fpr"], float(f["ratio"]))
    label = words("label-ratio_point", x=at[0], ratio=at[1])
    parts = [
        *band(frame.rows, x, y, "ratio_low", MAIN),
        line(frame.rows, x, y, MAIN),
        point(x, y, at, MAIN),
        text(x, y, (x.low, y.at(0.06)), label, dx=6),  # free: the curve falls from the left
    ]
    if shown:
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
    x = ChartAxis("epsilon", words("axis-epsilon"), 0.0, f["last"])
    y = ChartAxis("delta", words("axis-delta"), min(low, top / 10), 10 ** (math.log10(top) + 0.15), log=True)
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
