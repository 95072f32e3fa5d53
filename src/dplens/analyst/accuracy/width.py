"""Widths of confidence intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from dplens import _validate
from dplens.analyst.accuracy.base import AccuracyRequirement, processed, published_noise
from dplens.analyst.laws.noise import NoNoise, NormalNoise
from dplens.analyst.laws.published import alone
from dplens.analyst.laws.tails import TailLaw
from dplens.errors import Undefined
from dplens.estimate import Certificate, Estimate


@dataclass(frozen=True, kw_only=True)
class IntervalWidth(AccuracyRequirement):
    """A confidence interval for the true value of a number, around the published one, is at most ``width`` wide.

    confidence: the interval covers with at least this probability over the noise; both tails have an equal share. It is
    for what the data say, not for a population: ``dplens.MeanTest`` and others add sampling error. The answer is the
    width; rounding adds its base.

    >>> import dplens as dl
    >>> q = dl.Count()
    >>> promise = dl.IntervalWidth(query=q, width=10, confidence=0.95)
    >>> release = q.release(dl.Gaussian, sigma=2.0)
    >>> print(f"{promise.of(release):.4f}", promise.met_by(release))
    7.8399 True
    """

    width: float = field(metadata=_validate.checked(_validate.positive))
    confidence: float = field(default=0.95, metadata=_validate.checked(_validate.open_probability))

    def of(self, mechanism: Any) -> Estimate:
        noise, steps = published_noise(mechanism), processed(self.query)
        if steps.adjusted and not isinstance(noise, (NoNoise, NormalNoise)):
            raise Undefined(
                "The interval after ConsistentMargins is known for Gaussian noise only. Use it, or ask for ErrorWithin."
            )
        law, level = alone(noise), (1 - self.confidence) / 2
        extra = float(2 * steps.shift)
        high = sum(sign * _end(law, level, sign, 1) for sign in (1, -1)) + extra
        low = sum(sign * _end(law, level, sign, 0) for sign in (1, -1)) + extra
        low, high = max(min(low, high), 0.0) * (1 - 4e-16), max(high, 0.0) * (1 + 4e-16)
        if law.step is not None and not extra:
            low = high = float(round(high))
        note = steps.note and "an upper bound: post-processing may lower errors further"
        return Estimate(high, low=low, high=high, certificate=Certificate(law.route, high - low, note or law.note))

    def met_by(self, mechanism: Any) -> bool:
        """Whether the interval provably is narrow enough."""
        return float(self.of(mechanism)) <= self.width


def _end(law: TailLaw, level: float, sign: int, end: int) -> float:
    """The end of an interval for the noise on one side: beyond it lies at most the level."""
    found = law.quantile(level, sign, end)
    if not math.isfinite(found):
        raise Undefined("The tails of this noise are not known to be small enough. Use a lower confidence.")
    return found if law.step is None else found - sign * law.step
