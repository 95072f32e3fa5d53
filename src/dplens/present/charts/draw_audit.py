"""The claimed curve and the measured band in one picture."""

from __future__ import annotations

from typing import Any

from dplens.present.charts.export import altair
from dplens.present.charts.parts import Axis, end_labels, layered, line, point
from dplens.present.charts.theme import GUESS, MAIN, SERIES
from dplens.present.frames.base import ChartFrame

_SQUARE = 280


def audit(frame: ChartFrame, about: dict[str, str], words: Any) -> Any:
    """Power against alpha: what the claim allows, and what was measured with its band; a refuting point is marked."""
    alt = altair()
    x = Axis("alpha", words.AXES["alpha"].format(**about), 0.0, 1.0, percent=True)
    y = Axis("power", words.AXES["power"].format(**about), 0.0, 1.0, percent=True)
    corner: dict[str, Any] = {"alpha": 0.0, "measured": 0.0, "seen": 0.0, "reach": 0.0, "power": 0.0}
    rows = [corner, *frame.rows]
    style = SERIES[1]
    area = alt.Data(values=[{"alpha": r["alpha"], "power": r["measured"], "reach": r["reach"]} for r in rows])
    band = (
        alt.Chart(area)
        .mark_area(color=style.colour, opacity=0.2)
        .encode(
            x=alt.X(field="alpha", type="quantitative", **x.options()),
            y=alt.Y(field="power", type="quantitative", **y.options()),
            y2=alt.Y2(field="reach"),
        )
    )
    proved = [{"alpha": r["alpha"], "power": r["measured"]} for r in rows]
    parts = [
        band,
        line([{"alpha": 0.0, "power": 0.0}, {"alpha": 1.0, "power": 1.0}], x, y, GUESS),
        line(frame.rows, x, y, MAIN),
        line(proved, x, y, style),
    ]
    if frame.facts["verdict"] == "refuted":
        parts.append(point(x, y, (frame.facts["fpr"], frame.facts["measured"]), style, hollow=True))
    labels = [(1.0, words.LABELS["claimed"], MAIN), (0.92, words.LABELS["measured"], style)]
    labels.append((0.84, words.LABELS["guess"], GUESS))
    return layered([*parts, *end_labels(x, y, labels, _SQUARE)], _SQUARE + 40, _SQUARE)
