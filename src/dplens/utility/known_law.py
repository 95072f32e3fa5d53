"""Tests whose published number has a law that is known, with both tails enclosed."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.estimate import Certificate, Estimate
from dplens.utility.base import AnalystTest
from dplens.utility.noise import Noise
from dplens.utility.results import Critical, Interval
from dplens.utility.tails import TailLaw


@dataclass(frozen=True, kw_only=True)
class KnownLawTest(AnalystTest):
    """Shared by tests of means, slopes and one proportion: the tested number is what was published, in other units."""

    @abstractmethod
    def _law(self, effect: float, noise: Noise) -> TailLaw:
        """The law of the tested number when the parameter is null + effect; rises with it."""

    @abstractmethod
    def _tested(self, observed: float, noise: Noise) -> float:
        """A published number as the one that is tested."""

    @abstractmethod
    def _published(self, region: Critical, noise: Noise) -> Critical:
        """A region of the tested number in units of what is published."""

    @abstractmethod
    def _limit(self, x: float, noise: Noise, share: float, sign: int) -> float:
        """The end of an interval: the last value, from outside, at which x still lies in a tail of ``share``."""

    def _observed(self, observed: Any, noise: Noise) -> float:
        return self._tested(_validate.real("observed", observed, "to be finite", math.isfinite), noise)

    def power(self, mechanism: Any = None, *, effect: float | None = None) -> Estimate:
        noise = self._noise(mechanism)
        at = self.effect if effect is None else _validate.real("effect", effect, "to be finite", math.isfinite)
        self._alternative_value(at)
        region, widest = self._remembered("region", mechanism, lambda: self._regions(noise))
        law = self._law(at, noise)
        low = high = 0.0
        for sign, bound, inner in ((+1, region.high, widest.high), (-1, region.low, widest.low)):
            if math.isfinite(bound):
                low += float(law.tail(np.array([bound]), sign)[0][0])
                high += float(law.tail(np.array([inner]), sign)[1][0]) if math.isfinite(inner) else 1.0
        return Estimate(min(low, 1.0), low=min(low, 1.0), high=min(high, 1.0), certificate=_certificate(law, low, high))

    def critical(self, mechanism: Any = None) -> Critical:
        noise = self._noise(mechanism)
        region = self._region(noise)
        found = self._published(region, noise)
        if self._law(0.0, noise).step is not None:
            return found
        low, high = found.low, found.high
        while math.isfinite(high) and self._tested(high, noise) < region.high:  # rounded inwards by other units
            high = math.nextafter(high, math.inf)
        while math.isfinite(low) and self._tested(low, noise) > region.low:
            low = math.nextafter(low, -math.inf)
        return Critical(low=low, high=high)

    def p_value(self, observed: Any, mechanism: Any = None) -> Estimate:
        noise = self._noise(mechanism)
        x = np.array([self._observed(observed, noise)])
        law = self._law(0.0, noise)
        found = []
        if self.alternative != "smaller":
            found.append(law.upper(x))
        if self.alternative != "larger":
            found.append(law.lower(x))
        low, high = (min(1.0, len(found) * min(float(ends[i][0]) for ends in found)) for i in (0, 1))
        return Estimate(high, low=low, high=high, certificate=_certificate(law, low, high))

    def _interval(self, observed: Any, mechanism: Any, left: float, alternative: str) -> Interval:
        noise = self._noise(mechanism)
        x = self._observed(observed, noise)
        share = left / 2 if alternative == "two-sided" else left
        bottom, top = self._limits()
        law = self._law(0.0, noise)
        return Interval(
            low=self._limit(x, noise, share, +1) if alternative != "smaller" else bottom,
            high=self._limit(x, noise, share, -1) if alternative != "larger" else top,
            confidence=1 - left,
            alternative=alternative,
            certificate=Certificate(law.route, law.width, law.note),
        )

    def _regions(self, noise: Noise) -> tuple[Critical, Critical]:
        """The region as it is used, which keeps the level for sure, and one that holds that of the exact level."""
        region, law = self._region(noise), self._law(0.0, noise)
        ends = (law.least_quantile(self._share, end, sign) for end, sign in ((region.low, -1), (region.high, 1)))
        low, high = ends
        return region, Critical(low=low, high=high)

    def _region(self, noise: Noise) -> Critical:
        law = self._law(0.0, noise)
        return Critical(
            low=-math.inf if self.alternative == "larger" else law.lower_quantile(self._share),
            high=math.inf if self.alternative == "smaller" else law.upper_quantile(self._share),
        )


def _certificate(law: TailLaw, low: float, high: float) -> Certificate:
    width = 0.0 if high <= 0 else (high - low) / (2 * high)
    return Certificate(law.route, width, law.note)
