"""Results of the analyst's tests, and their formatting."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens.estimate import Certificate, Estimate
from dplens.registry import Result
from dplens.telling import Figure


@dataclass(frozen=True, kw_only=True)
class Interval(Result):
    """A confidence interval, which can be unpacked or indexed like a pair ``low, high``.

    confidence: a lower bound on the coverage. alternative: ``"two-sided"``, or the one-sided test whose acceptance
    region the interval is (one end is then infinite or a limit).
    """

    low: float
    high: float
    confidence: float
    alternative: str = "two-sided"
    certificate: Certificate | None = None

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, end: int) -> float:
        return (self.low, self.high)[end]

    def __contains__(self, value: float) -> bool:
        x = _validate.real("value", value, "to be a number", lambda x: True)
        return self.low <= x <= self.high


@dataclass(frozen=True, kw_only=True)
class Critical(Result):
    """A critical region: published numbers ≤ ``low`` or ≥ ``high`` (infinite if there are none)."""

    low: float
    high: float

    def rejects(self, observed: float) -> bool:
        """Whether a published number lies in the region."""
        x = _validate.real("observed", observed, "to be a number", lambda x: True)
        return x <= self.low or x >= self.high

    def count(self, observed: npt.NDArray[np.float64]) -> int:
        """The number of published numbers in the region."""
        x = _validate.as_array("observed", observed)
        return int(np.count_nonzero((x <= self.low) | (x >= self.high)))


@dataclass(frozen=True, kw_only=True)
class Verdict(Result):
    """The verdict on the null hypothesis from a published noisy number; true if it is rejected.

    p_value: its float is an upper bound. interval: two-sided, at confidence 1 − level. sentence: for readers without
    statistical training.
    """

    reject: bool
    p_value: Estimate
    interval: Interval | None
    level: float
    sentence: str

    def __bool__(self) -> bool:
        return self.reject

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        ends = None if self.interval is None else [self.interval.low, self.interval.high]
        return {
            "reject": self.reject,
            "p_value": self.p_value.to_dict(),
            "interval": ends,
            "level": self.level,
            "sentence": self.sentence,
        }


def digits_of(interval: Interval) -> int:
    """The digits needed to show an interval far from 0 without widening it visibly."""
    largest, width = max(abs(interval.low), abs(interval.high)), interval.high - interval.low
    if not (math.isfinite(largest) and width > 0):
        return 4
    return min(15, 4 + max(0, math.floor(math.log10(largest) - math.log10(width))))


def percent(confidence: float) -> Figure:
    """A confidence in percent, never 100."""
    shown = f"{100 * confidence:g} %"
    return Figure(shown if shown != "100 %" else "99.9999 %")


def outwards(x: float, sign: int, digits: int = 4) -> str:
    """A number with ``digits`` digits, rounded up (+1) or down (−1), so that bounds stay valid."""
    if not math.isfinite(x) or x == 0:
        return f"{x:g}"
    rounded = Context(prec=digits, rounding=ROUND_CEILING if sign > 0 else ROUND_FLOOR).create_decimal(repr(float(x)))
    return f"{float(rounded):.{digits}g}"
