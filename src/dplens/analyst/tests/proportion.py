"""The exact test of one proportion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from dplens import _validate
from dplens.analyst.laws.binomial import binomial_masses, masses_error
from dplens.analyst.laws.border import crossing
from dplens.analyst.laws.noise import Noise, NoNoise, WholeNoise
from dplens.analyst.laws.published import SumTail, TableTail, alone
from dplens.analyst.laws.tails import TailLaw
from dplens.analyst.tests.base import Published
from dplens.analyst.tests.location import KnownLawTest
from dplens.analyst.tests.results import Critical
from dplens.registry import register

_masses = lru_cache(maxsize=64)(binomial_masses)


@register
@dataclass(frozen=True, kw_only=True)
class ProportionTest(KnownLawTest):
    """Is a proportion different from ``null``? The exact binomial test on a published noisy count or proportion.

    n: number of records. effect: true proportion minus ``null``. published: ``"count"`` (any noise, sensitivity 1) or
    ``"proportion"`` (noise with a density, sensitivity 1/n). The null law is that of a binomial count plus the noise,
    summed term by term. On whole numbers the level is generally not attained; the critical value is the smallest that
    keeps it. Intervals follow Clopper and Pearson (1934), with the noise. If n is only a bound and the noise does not
    smooth out the steps of a proportion, tails are maximised over the numbers of records around it.

    >>> import dplens as dl
    >>> t = dl.ProportionTest(n=50, null=0.3, effect=0.2)
    >>> print(f"{t.power():.6f} {t.power(dl.Geometric(scale=2.0)):.6f}")
    0.898681 0.717930
    >>> t.critical(dl.Geometric(scale=2.0)).high
    23.0
    """

    _planned = ("n", "effect")
    _what = "the proportion"
    _kinds: ClassVar = {
        "count": Published(whole=True, surely=True, instead="the proportion (published='proportion')"),
        "proportion": Published(divided=True),
    }

    null: float = 0.5
    published: str = "count"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n > 10**9:
            raise _validate.reject("n", "<= 1e+09", self.n, "For more records use dplens.MeanTest with sd 0.5.")
        self._set("null", _validate.open_probability("null", self.null, "The hypothesised proportion."))
        self._alternative_value(self.effect)

    def _limits(self) -> tuple[float, float]:
        return 0.0, 1.0

    def _units(self) -> float:
        return float(self.n) if self.published == "count" else 1.0

    def _law(self, effect: float, noise: Noise) -> TailLaw:
        value = self._alternative_value(effect)
        return self._law_at(value, noise, self._sizes(noise, fewer=True) if effect == 0 else ())

    def _law_at(self, proportion: float, noise: Noise, sizes: Sequence[int] = ()) -> TailLaw:
        wide = noise.scaled(self.n / self._units())
        if len(sizes) <= 1:
            start, masses = _masses(self.n, proportion)
            if isinstance(noise, NoNoise):
                return TableTail(start, masses, error=masses_error(self.n))
            return SumTail(start + np.arange(len(masses), dtype=float), masses, alone(wide), masses_error(self.n))
        places, masses, starts, missing = [], [], [0], 1e-30
        for size in sizes:  # published: null + Σ (x − null)/max(n, size)
            start, mass = binomial_masses(size, proportion, missing)
            k = start + np.arange(len(mass))
            places.append(self.n * (k / size) if size >= self.n else self.null * (self.n - size) + k)
            masses.append(mass)
            starts.append(starts[-1] + len(mass))
        every, error = (np.concatenate(places), np.concatenate(masses)), masses_error(max(sizes))
        return SumTail(*every, alone(wide), error, missing, starts[:-1])

    def _sizes(self, noise: Noise, *, fewer: bool) -> Sequence[int]:
        """The numbers of records whose tails may exceed those with n records, if n is only a bound.

        Other numbers give a less dispersed result, Σ (x − null)/max(n, their number) in convex order, so its tails are
        smaller under noise of two records or more, which smooths out the steps. Under less noise a step may lie just
        beyond a critical value, which adds as much as half a record, while d records more or fewer reduce the spread by
        d/2n. So all numbers within twice √(n/(p·q)), and at most 200, are checked.
        """
        bound = dict(self.planning).get("n")
        if bound is None or bound.declared or isinstance(noise, NoNoise):
            return ()
        if alone(noise.scaled(self.n / self._units())).scale >= 2:
            return ()
        reach = min(math.ceil(2 * math.sqrt(self.n / (self.null * (1 - self.null)))), 200)
        return range(max(1, self.n - reach) if fewer else self.n, self.n + reach + 1)

    def _tested(self, observed: float, noise: Noise) -> float:
        x = observed * (self.n / self._units())
        if isinstance(noise, NoNoise) and self.published == "proportion":
            x = round(x) if abs(x - round(x)) <= 4e-16 * (abs(x) + 1) else x  # k/n·n
        if isinstance(noise, (NoNoise, WholeNoise)) and x != math.floor(x):
            raise _validate.reject(
                "observed", "to be a whole number of records, as the count and its noise are", observed
            )
        if isinstance(noise, NoNoise) and not 0 <= x <= self.n:
            raise _validate.reject("observed", f"between 0 and n = {self.n} records", observed)
        return x

    def _published(self, region: Critical, noise: Noise) -> Critical:
        units = self._units()
        return Critical(low=region.low * units / self.n, high=region.high * units / self.n)

    def _limit(self, x: float, noise: Noise, share: float, sign: int) -> float:
        sizes = self._sizes(noise, fewer=False)

        def excess(proportion: float) -> float:
            law = self._law_at(proportion, noise, sizes)
            tail = law.upper if sign > 0 else law.lower
            return math.log(share) - math.log(max(float(tail(np.array([x]))[1][0]), 5e-324))

        outer, inner = (0.0, 1.0) if sign > 0 else (1.0, 0.0)
        if excess(outer) <= 0:
            return outer
        if excess(inner) > 0:
            return inner
        return crossing(excess, outer, inner, 1e-11)

    def _null_is_possible(self) -> bool:
        return True

    def _sensitivity(self, n: int, neighbours: str, norm: int) -> float:
        return 1.0 if self.published == "count" else 1.0 / n
