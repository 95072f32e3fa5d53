"""The gate between a stored answer and today's: they overlap, and today's is no wider than it was, or than 1e-6."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("answers.tsv")
NARROW = 1e-6  # relative to the smaller of x and 1 − x: narrow enough for anyone


@dataclass(frozen=True)
class Row:
    """One stored answer; ``error`` names the exception of a question that has none."""

    name: str
    low: float | None
    high: float | None
    seconds: float
    error: str = ""

    def line(self) -> str:
        ends = (self.error, "") if self.low is None else (repr(self.low), repr(self.high))
        return f"{self.name}\t{ends[0]}\t{ends[1]}\t{self.seconds:.4f}\n"


def stored() -> list[Row]:
    """The frozen answers."""
    if not FILE.exists():
        return []
    rows = []
    for line in FILE.read_text().splitlines()[1:]:
        name, low, high, seconds = line.split("\t")
        known = bool(high)
        ends = (float(low), float(high)) if known else (None, None)
        rows.append(Row(name, *ends, float(seconds), "" if known else low))
    return rows


def fault(old: Row, new: Row) -> str | None:
    """What keeps today's answer from passing, if anything."""
    if old.low is None or old.high is None or new.low is None or new.high is None:
        return None if old.error == new.error else f"was {old.error or 'an answer'}, is {new.error or 'an answer'}"
    if old.name.startswith("curve("):  # one end only, on the risky side
        return None if abs(new.high - old.high) <= NARROW * old.high else f"was {old.high}, is {new.high}"
    if not (new.low <= old.high and old.low <= new.high):
        return f"was [{old.low!r}, {old.high!r}], is [{new.low!r}, {new.high!r}]: they do not overlap"
    allowed = max(_width(old), NARROW)
    if _width(new) > allowed * (1 + 1e-9):
        return f"width {_width(new):.3g}, allowed {allowed:.3g}"
    return None


def _width(row: Row) -> float:
    assert row.low is not None
    assert row.high is not None
    if row.low == row.high or math.isinf(row.low):
        return 0.0
    size = min(row.high, 1 - row.low) if row.high < 1 else row.high
    return (row.high - row.low) / max(size, 1e-300)
