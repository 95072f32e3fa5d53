"""Where the answers of a family cross their bounds, from the parameters tried so far."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from dplens.decide.oracle import Point

_POINTS = 6  # a prediction rests on so many values at most


def predicted(points: Sequence[Point], place: Callable[[float], float], count: int) -> tuple[float, float] | None:
    """(place, uncertainty) of the first bound that is crossed as risk grows; None if nothing is known."""
    crossings = []
    for i in range(count):
        known = {p.heights[i]: place(p.value) for p in points if math.isfinite(p.heights.get(i, math.nan))}
        if known:
            crossings.append(_crossing(sorted(known.items(), key=lambda item: abs(item[0]))[:_POINTS]))
    return min(crossings, default=None)


def _crossing(known: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where the height is 0: Neville's scheme for the inverse function, at the order that changes least.

    The first guess takes the height to grow like the place, as it does for noise on the scale of a Gaussian.
    """
    heights, column = [h for h, _ in known], [p for _, p in known]
    best, change = column[0] - heights[0], math.inf
    last = best
    for order in range(1, len(column)):
        column = [
            (heights[j + order] * column[j] - heights[j] * column[j + 1]) / (heights[j + order] - heights[j])
            for j in range(len(column) - 1)
        ]
        if abs(column[0] - last) <= change:
            best, change = column[0], abs(column[0] - last)
        last = column[0]
    return best, change
