"""Tests of one mean and of two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dplens import _validate
from dplens.analyst.laws.noise import Noise, difference
from dplens.analyst.planning.sources import bounds_of, finite_pair, worst_case_sd
from dplens.analyst.tests.base import Published
from dplens.analyst.tests.location import LocationTest
from dplens.registry import register

_SD = "A planning value: public, worst-case or privately estimated. With bounds=(lo, hi) it may be left out."


@dataclass(frozen=True, kw_only=True)
class _MeansTest(LocationTest):
    """Common base of tests of one mean and of two: values with a declared spread, perhaps within bounds."""

    sd: float | None = None
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.bounds is not None:
            self._set("bounds", bounds_of("bounds", self.bounds))
            if self.sd is None:
                self._set("sd", worst_case_sd(self.bounds))
        super().__post_init__()
        self._set("sd", self._possible_sd("sd", self.sd))
        if self.bounds is not None and abs(self.effect) > (width := self.bounds[1] - self.bounds[0]):
            raise _validate.reject("effect", f"at most the width of bounds, {width:g}, in size", self.effect)

    def _possible_sd(self, name: str, given: Any) -> float:
        sd = _validate.positive(name, given, _SD)
        if self.bounds is not None and sd > (most := worst_case_sd(self.bounds).value) * (1 + 1e-9):
            remedy = "Values within bounds cannot spread more (Popoviciu 1935)."
            raise _validate.reject(name, f"at most half the width of bounds, {most:g}", sd, remedy)
        return sd


@register
@dataclass(frozen=True, kw_only=True)
class MeanTest(_MeansTest):
    """Is the mean of n values different from ``null``? A z-test on the published noisy mean or sum.

    n: number of records. sd: standard deviation of one value, declared rather than estimated from the data. bounds:
    (lo, hi) of every value; they give the sensitivity (hi − lo)/n of the mean under replace-one neighbours, and the
    worst-case sd if sd is omitted. published: ``"mean"`` or ``"sum"``, the number that noise is added to. Sampling
    error is normal with standard deviation sd/√n (Fondeville Equation 9; with Laplace noise the null law is
    normal-Laplace). A sum with whole-number noise is an integer, and its law gets a continuity correction.

    >>> import dplens as dl
    >>> t = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, alternative="larger")
    >>> print(f"{t.power():.6f} {t.power(dl.Gaussian(sigma=0.05)):.6f} {t.power(dl.Laplace(scale=0.05)):.6f}")
    1.000000 0.894599 0.487060
    >>> verdict = t.decide(0.21, dl.Gaussian(sigma=0.05))
    >>> bool(verdict), f"{verdict.p_value:.2g}"
    (True, '8.6e-05')
    """

    _what = "the mean"
    _kinds: ClassVar = {  # a sum may be an integer
        "mean": Published(divided=True),
        "sum": Published(whole=True, instead="the mean (published='mean')"),
    }

    published: str = "mean"

    def _sampling_sd(self, n: Any = None) -> Any:
        return (self.sd or 0.0) / np.sqrt(np.asarray(self.n if n is None else n, float))

    def _units(self, n: Any = None) -> Any:
        return 1.0 if self.published == "mean" else self.n if n is None else n

    def _null_is_possible(self) -> bool:
        return self.bounds is None or self.bounds[0] <= self.null <= self.bounds[1]

    def largest_effect(self) -> float:
        if self.bounds is None:
            return super().largest_effect()
        low, high = self.bounds
        room = high - self.null if self.effect > 0 else self.null - low
        return math.copysign(max(min(room, high - low), abs(self.effect)), self.effect)

    def _sensitivity(self, n: int, neighbours: str, norm: int) -> float | None:
        if self.bounds is None:
            return None
        low, high = self.bounds
        if self.published == "sum":
            return high - low if neighbours == "replace" else max(abs(low), abs(high))
        return (high - low) / n  # also between n and n − 1 or n + 1 records


@register
@dataclass(frozen=True, kw_only=True)
class TwoMeansTest(_MeansTest):
    """Do two groups have the same mean? A z-test on published noisy means or on their noisy difference.

    n: records of the first group; the second has ratio·n, rounded up. sd, sd2: standard deviations of one value in
    either group; sd2 defaults to sd, and sd to the worst case if bounds = (lo, hi) of every value are given. effect:
    first mean minus second. published: ``"difference"`` with one noise, or ``"means"``, each with its own noise;
    observed values are then pairs.

    >>> import dplens as dl
    >>> t = dl.TwoMeansTest(n=60, sd=0.3, effect=0.15, alternative="two-sided")
    >>> print(f"{t.power():.6f} {t.power(dl.Laplace(scale=0.02)):.6f}")
    0.781908 0.682173
    """

    _planned = ("n", "ratio", "sd", "sd2", "effect")
    _what = "the difference of the means"
    _kinds: ClassVar = {kind: Published(divided=True) for kind in ("difference", "means")}

    ratio: float = 1.0
    sd2: float | None = None
    published: str = "difference"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("ratio", checked_ratio(self.ratio))
        if self.sd2 is None and "sd" in (known := dict(self.planning)):
            self._set("planning", (*self.planning, ("sd2", known["sd"])))  # the same source
        self._set("sd2", self.sd if self.sd2 is None else self._possible_sd("sd2", self.sd2))

    @property
    def n2(self) -> int:
        """Records of the second group."""
        return int(second_size(self.n, self.ratio))

    def _sampling_sd(self, n: Any = None) -> Any:
        size = np.asarray(self.n if n is None else n, float)
        first, second = self.sd or 0.0, self.sd2 or 0.0
        return np.hypot(first / np.sqrt(size), second / np.sqrt(second_size(size, self.ratio)))

    def _units(self, n: Any = None) -> float:
        return 1.0

    def _noise(self, mechanism: Any) -> Noise:
        noise = super()._noise(mechanism)
        return difference(noise, 1.0, 1.0) if self.published == "means" else noise

    def _observed(self, observed: Any, noise: Noise) -> float:
        if self.published == "means":
            remedy = "Pass the two published numbers."
            first, second = finite_pair("observed", observed, "to be a pair (first, second)", remedy)
            observed = first - second
        return super()._observed(observed, noise)

    def powers(self, family: str | None = None, noise: Any = 0.0, **design: Any) -> Any:
        """Power of many designs at once; see ``MeanTest.powers``. Two noisy means: Gaussian noise only."""
        if self.published == "means":
            if family == "laplace":
                raise _validate.reject("family", "'gaussian' or None for two noisy means", family, "Use power.")
            noise = np.asarray(noise, float) * math.sqrt(2)
        return super().powers(family, noise, **design)

    def largest_effect(self) -> float:
        if self.bounds is None:
            return super().largest_effect()
        return math.copysign(self.bounds[1] - self.bounds[0], self.effect)

    def _sensitivity(self, n: int, neighbours: str, norm: int) -> float | None:
        if self.bounds is None:
            return None
        return (self.bounds[1] - self.bounds[0]) / min(n, int(second_size(n, self.ratio)))


def checked_ratio(ratio: Any) -> float:
    """The size of the second group relative to the first."""
    remedy = "The second group has ratio times n records."
    return _validate.real("ratio", ratio, "> 0 and at most 1e6", lambda x: 0 < x <= 1e6, remedy)


def second_size(n: Any, ratio: float) -> Any:
    """ratio·n rounded up, ignoring rounding errors of the product."""
    return np.maximum(np.ceil(np.asarray(n, float) * ratio * (1 - 1e-12)), 1.0)
