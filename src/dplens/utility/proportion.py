"""The exact test of one proportion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dplens import _validate
from dplens.utility.base import AnalystTest
from dplens.utility.binomial import ERROR, binomial_masses
from dplens.utility.laws import count_plus
from dplens.utility.noise import Noise, NoNoise
from dplens.utility.results import Critical
from dplens.utility.tails import TailLaw

_LARGEST = 10**9


@dataclass(frozen=True, kw_only=True)
class ProportionTest(AnalystTest):
    """Is a proportion different from ``null``? The exact binomial test on a published noisy count or proportion.

    n: number of records. effect: true proportion minus ``null``. published: ``"count"`` (noise of any kind, sensitivity
    1) or ``"proportion"`` (noise with a density, sensitivity 1/n). The null law is that of a binomial count plus the
    noise, summed term by term. On whole numbers the level is in general not reached: the critical value is the least
    one that keeps it. Intervals are those of Clopper and Pearson (1934), with the noise.

    >>> import dplens as dl
    >>> t = dl.ProportionTest(n=50, null=0.3, effect=0.2)
    >>> print(f"{t.power():.6f} {t.power(dl.Geometric(scale=2.0)):.6f}")
    0.898681 0.717930
    >>> t.critical(dl.Geometric(scale=2.0)).high
    23.0
    """

    n: int
    null: float = 0.5
    published: str = "count"

    def __post_init__(self) -> None:
        super().__post_init__()
        n = _validate.count("n", self.n, 1, "A test needs data: n is the number of records.")
        if n > _LARGEST:
            raise _validate.reject("n", f"<= {_LARGEST:g}", n, "For more records use dplens.MeanTest with sd 0.5.")
        self._set("n", n)
        self._set("null", _validate.open_probability("null", self.null, "The hypothesised proportion."))
        _validate.one_of("published", self.published, ("count", "proportion"))
        self._alternative_value(self.effect)

    def _limits(self) -> tuple[float, float]:
        return 0.0, 1.0

    def _publishes_whole_numbers(self) -> bool:
        return self.published == "count"

    def _units(self) -> float:
        return float(self.n) if self.published == "count" else 1.0

    def _law(self, value: float, noise: Noise) -> TailLaw:
        start, masses = _masses(self.n, value)
        return count_plus(masses, start, noise.scaled(self.n / self._units()), ERROR)

    def _observed(self, observed: Any, noise: Noise) -> float:
        x = super()._observed(observed, noise) * (self.n / self._units())
        if isinstance(noise, NoNoise) and self.published == "proportion":
            x = round(x) if abs(x - round(x)) < 1e-9 * self.n else x
        if self._law(self.null, noise).step is not None and x != math.floor(x):
            raise _validate.reject("observed", "to be a whole number, as the count and its noise are", observed)
        if isinstance(noise, NoNoise) and not 0 <= x <= self.n:
            raise _validate.reject("observed", f"between 0 and n = {self.n} records", observed)
        return x

    def _published(self, region: Critical) -> Critical:
        units = self._units() / self.n
        return Critical(low=region.low * units, high=region.high * units)

    def sensitivity_at(self, n: int | None = None) -> float:
        return 1.0 if self.published == "count" else 1.0 / (self.n if n is None else n)

    def _planned(self) -> tuple[str, ...]:
        return ("n", "effect")

    def _what(self) -> str:
        return "the proportion"


@lru_cache(maxsize=64)
def _masses(n: int, p: float) -> Any:
    return binomial_masses(n, p)
