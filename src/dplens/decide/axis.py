"""The line on which a parameter is searched: its logarithm, itself, or whole numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Axis:
    """From ``low`` to ``high``; ``place`` is the coordinate in which steps are taken.

    ``zero``: 0 belongs to the line as well, below ``low``; no logarithm leads there.
    """

    low: float
    high: float
    integer: bool
    logarithmic: bool
    tolerance: float
    zero: bool = False

    def place(self, x: float) -> float:
        """Where a parameter lies."""
        return math.log(max(x, 0.5) if self.integer else x) if self.logarithmic else x

    def parameter(self, place: float) -> float:
        """What lies at a place, within the ends."""
        if not self.logarithmic:
            return min(max(place, self.low), self.high)
        if place >= self.place(self.high):
            return self.high
        return self.low if place <= self.place(self.low) else min(max(math.exp(place), self.low), self.high)

    def width(self, x: float) -> float:
        """How far apart, as places, two parameters at x may be at the end of a search."""
        if self.integer:
            return 1 / max(abs(x), 1.0) if self.logarithmic else 1.0
        return self.tolerance if self.logarithmic else self.tolerance * max(abs(x), 1e-300)

    def adjacent(self, x: float, other: float) -> bool:
        """Whether nothing worth trying lies between."""
        if self.integer:
            return abs(x - other) <= 1
        return abs(x - other) <= self.tolerance * max(abs(x), abs(other)) or math.nextafter(x, other) == other

    def whole(self, x: float, down: bool | None = None) -> float:
        """The parameter itself, or the whole number next to it (on the given side)."""
        if not self.integer:
            return x
        return round(x) if down is None else math.floor(x) if down else math.ceil(x)

    def shortest(self, x: float, other: float) -> float | None:
        """The number strictly between two with the fewest digits: where domains like to end."""
        low, high = min(x, other), max(x, other)
        if self.integer:
            return None
        for digits in range(15):
            for trial in (float(f"{end:.{digits}e}") for end in (low, (low + high) / 2, high)):
                if low < trial < high:
                    return trial
        return None

    def between(self, x: float, other: float) -> float:
        """A parameter strictly between two, a round one if there is one."""
        low, high = min(x, other), max(x, other)
        if not self.integer and self.logarithmic:
            ten = 10.0 ** math.floor(math.log10(high) + 1e-12)
            if low < ten < high:
                return ten
        middle = self.parameter((self.place(low) + self.place(high)) / 2)
        if self.integer:
            return min(max(round(middle), low + 1), high - 1)
        return middle if low < middle < high else low + (high - low) / 2
