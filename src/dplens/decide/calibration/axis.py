"""The axis on which a parameter is searched, and predictions of where answers cross their bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dplens.decide.calibration.oracle import Point


@dataclass(frozen=True)
class ParameterAxis:
    """Parameters from ``low`` to ``high``; ``place`` is the coordinate of the search, often a logarithm.

    ``zero``: whether the axis also contains 0, which has no logarithm.
    """

    low: float
    high: float
    integer: bool
    logarithmic: bool
    tolerance: float
    zero: bool = False

    def place(self, x: float) -> float:
        """The coordinate of a parameter."""
        return math.log(max(x, 0.5) if self.integer else x) if self.logarithmic else x

    def parameter(self, place: float) -> float:
        """The parameter at a coordinate, within the ends."""
        if self.logarithmic:
            if place >= self.place(self.high):  # where exp may overflow
                return self.high
            place = math.exp(place)
        return min(max(place, self.low), self.high)

    def width(self, x: float) -> float:
        """The distance, in coordinates, of two parameters near x at which a search ends."""
        if self.integer:
            return 1 / max(abs(x), 1.0) if self.logarithmic else 1.0
        return self.tolerance if self.logarithmic else self.tolerance * max(abs(x), 1e-300)

    def adjacent(self, x: float, other: float) -> bool:
        """Whether two parameters are so close that the search ends."""
        if self.integer:
            return abs(x - other) <= 1
        return abs(x - other) <= self.tolerance * max(abs(x), abs(other)) or math.nextafter(x, other) == other

    def whole(self, x: float, down: bool | None = None) -> float:
        """The parameter itself, or the nearest whole number (on the given side) for integer axes."""
        if not self.integer:
            return x
        return round(x) if down is None else math.floor(x) if down else math.ceil(x)

    def shortest(self, x: float, other: float) -> float | None:
        """The number with the fewest digits strictly between two; domains tend to end at such numbers."""
        low, high = min(x, other), max(x, other)
        if self.integer:
            return None
        for digits in range(15):
            for trial in (float(f"{end:.{digits}e}") for end in (low, (low + high) / 2, high)):
                if low < trial < high:
                    return trial
        return None

    def midpoint(self, x: float, other: float) -> float:
        """A parameter strictly between two, a power of ten if there is one."""
        low, high = min(x, other), max(x, other)
        if self.logarithmic:
            ten = 10.0 ** math.floor(math.log10(high) + 1e-12)
            if low < ten < high:
                return ten
        middle = self.parameter((self.place(low) + self.place(high)) / 2)
        if self.integer:
            return min(max(round(middle), low + 1), high - 1)
        return middle if low < middle < high else low + (high - low) / 2


def predicted(points: Sequence[Point], place: Callable[[float], float], count: int) -> tuple[float, float] | None:
    """(place, uncertainty) of the first bound crossed as risk grows, from up to six points; None without data."""
    crossings = []
    for i in range(count):
        known = {p.heights[i]: place(p.value) for p in points if math.isfinite(p.heights.get(i, math.nan))}
        if known:
            crossings.append(_crossing(sorted(known.items(), key=lambda item: abs(item[0]))[:6]))
    return min(crossings, default=None)


def _crossing(known: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The place where the height is 0, by Neville's scheme for the inverse function at the order that changes least.

    With one point, assume slope 1, as for Gaussian-like noise.
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
