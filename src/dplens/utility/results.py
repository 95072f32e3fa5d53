"""What a test of the analyst answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dplens.estimate import Certificate, Estimate


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A confidence interval; unpacks into ``low, high``.

    confidence: the share of releases whose interval holds the truth, at least. alternative: ``"two-sided"``, or the
    one-sided test of which it holds the values that are not rejected (one end is then infinite or a limit).
    """

    low: float
    high: float
    confidence: float
    alternative: str = "two-sided"
    certificate: Certificate | None = None

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, kw_only=True)
class Critical:
    """Where a test begins to reject: at published numbers ≤ ``low`` or ≥ ``high`` (infinite where it never does)."""

    low: float
    high: float

    def rejects(self, observed: float) -> bool:
        """Whether a published number lies in the region."""
        return observed <= self.low or observed >= self.high


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a published noisy number says about the hypothesis; true where it is rejected.

    p_value: its float is the safe side, an upper bound. interval: two-sided, at confidence 1 − level. sentence: for
    readers who do not test hypotheses.
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
