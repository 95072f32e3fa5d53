"""The exact tests of one proportion and of two."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from dplens import _validate
from dplens.analyst.laws.noise import Noise, NoNoise, WholeNoise, difference, noise_of
from dplens.analyst.laws.published import SumTail, TableTail, alone, reach_of
from dplens.analyst.laws.tails import TailLaw
from dplens.analyst.laws.two_counts import TOLERANCE, TwoCounts, binomial_masses, masses_error
from dplens.analyst.planning.sources import bounds_of, finite_pair
from dplens.analyst.tests.base import AnalystTest, IntervalEnd, Published
from dplens.analyst.tests.location import KnownLawTest
from dplens.analyst.tests.mean import checked_ratio, second_size
from dplens.analyst.tests.results import Critical
from dplens.errors import Undefined
from dplens.estimate import Certificate, Estimate
from dplens.numerics.roots import crossing
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
        "count": Published(whole=True, integer=True, instead="the proportion (published='proportion')"),
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
            rule = "to be a whole number of records, as the count and its noise are"
            raise _validate.reject("observed", rule, observed)
        if isinstance(noise, NoNoise) and not 0 <= x <= self.n:
            raise _validate.reject("observed", f"between 0 and n = {self.n} records", observed)
        return x

    def _published(self, region: Critical, noise: Noise) -> Critical:
        units = self._units()
        return Critical(low=region.low * units / self.n, high=region.high * units / self.n)

    def _limit(self, x: float, noise: Noise, share: float, sign: int) -> float:
        sizes = self._sizes(noise, fewer=False)

        def excess(proportion: float) -> float:
            tail = self._law_at(proportion, noise, sizes).tail(np.array([x]), sign)
            return math.log(share) - math.log(max(float(tail[1][0]), 5e-324))

        outer, inner = (0.0, 1.0) if sign > 0 else (1.0, 0.0)
        return inner if excess(inner) > 0 else crossing(excess, outer, inner, 1e-11)

    def _null_is_possible(self) -> bool:
        return True

    def _sensitivity(self, n: int, neighbours: str, norm: int) -> float:
        return 1.0 if self.published == "count" else 1.0 / n


_LEAST_MASS = 1e-60  # smaller masses of noise are dropped


@register
@dataclass(frozen=True, kw_only=True)
class TwoProportionsTest(AnalystTest):
    """Do two groups have the same proportion? An exact unconditional test on published noisy counts.

    n: records of the first group; the second has ratio·n, rounded up. baseline: planned proportion of the second group.
    effect: first proportion minus second. common: the range in which the proportions are known to lie; the level
    provably holds for every common proportion in it (Barnard 1947). published: ``"counts"``, each with its own noise
    (observed values are pairs), or the ``"difference"`` of the proportions with one noise.

    >>> import dplens as dl
    >>> t = dl.TwoProportionsTest(n=80, baseline=0.3, effect=0.2)
    >>> print(f"{t.power():.4f} {t.power(dl.Geometric(scale=2.0)):.4f}")
    0.8180 0.6888
    """

    _planned = ("n", "ratio", "baseline", "effect")
    _what = "the difference of the proportions"
    _why_n = "A test needs data: n is the size of the first group."
    _kinds: ClassVar = {
        "counts": Published(whole=True, integer=True, instead="the difference (published='difference')"),
        "difference": Published(divided=True),
    }

    ratio: float = 1.0
    baseline: float
    common: tuple[float, float] = (0.0, 1.0)
    published: str = "counts"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("ratio", checked_ratio(self.ratio))
        self._set("baseline", _validate.probability("baseline", self.baseline, "The second group's proportion."))
        low, high = bounds_of("common", self.common)
        if not (low >= 0 and high <= 1):
            raise _validate.reject("common", "within [0, 1]", self.common, "A range of proportions.")
        self._set("common", (low, high))
        if not low <= self.baseline <= high:
            rule = f"within common, [{low:g}, {high:g}]"
            raise _validate.reject("baseline", rule, self.baseline, "Both proportions are known to lie there.")
        if self.null != 0:
            raise _validate.reject("null", "to be 0", self.null, "The null hypothesis is that both are equal.")
        self._alternative_value(self.effect)

    @property
    def n2(self) -> int:
        """Records of the second group."""
        return int(second_size(self.n, self.ratio))

    def _limits(self) -> tuple[float, float]:
        reach = self.common[1] - self.common[0]
        return -reach, reach

    def _alternative_value(self, effect: float) -> float:
        least, most = (end - self.baseline for end in self.common)
        if not least - 1e-12 <= effect <= most + 1e-12:
            remedy = "Both proportions are known to lie in common."
            raise _validate.reject("effect", f"in [{least:g}, {most:g}]", effect, remedy)
        return effect

    def largest_effect(self) -> float:
        return self.common[1 if self.effect > 0 else 0] - self.baseline

    def _units(self) -> float:
        return float(self.n) if self.published == "counts" else 1.0

    def _pair(self, mechanism: Any, more: int = 0, more2: int = 0) -> TwoCounts:
        noise = self._noise(mechanism)
        n1, n2 = self.n + more, self.n2 + more2
        g = math.gcd(n1, n2)
        k1, k2 = n2 // g, n1 // g
        if isinstance(noise, NoNoise):
            return TwoCounts(n1, n2, alone(noise), np.ones(1))
        if self.published == "difference":
            return TwoCounts(n1, n2, alone(noise.scaled(n1 * k1)))
        if not isinstance(noise, WholeNoise):
            return TwoCounts(n1, n2, alone(difference(noise, k1, k2)))
        masses, missing = _whole_masses(noise)
        if len(masses) > 20_000:  # sums take too long
            return TwoCounts(n1, n2, _whole_difference(noise, k1, k2))
        # sums along one count use only the spread of the noise's own law
        return TwoCounts(n1, n2, alone(noise), masses, missing)

    def _pairs(self, mechanism: Any) -> list[TwoCounts]:
        """The pairs for which the level must hold: the planned one, and slightly larger ones if n is only a bound.

        More records make the difference less dispersed, but also change its steps. Under noise of less than two records
        a step may lie just beyond a critical value, see ``ProportionTest._sizes``.
        """
        bound = dict(self.planning).get("n")
        known = bound is None or bound.declared or mechanism is None
        if known or alone(self._noise(mechanism)).scale * min(self.n, self.n2) >= 2:
            return [self._pair(mechanism)]
        return [self._pair(mechanism, i, j) for i in range(3) for j in range(3)]

    def _accept(self, mechanism: Any) -> None:
        self._pair(mechanism)

    def _key(self, observed: Any, pair: TwoCounts, mechanism: Any) -> float:
        """A published value in the units of the pair."""
        whole = pair.noise.step is not None
        if self.published == "counts":
            a, b = finite_pair("observed", observed, "to be a pair of published counts")
            if whole and (a != math.floor(a) or b != math.floor(b)):
                raise _validate.reject("observed", "to be two whole numbers, as counts and noise are", observed)
            if isinstance(noise_of(mechanism), NoNoise) and not (0 <= a <= self.n and 0 <= b <= self.n2):
                raise _validate.reject("observed", f"between 0 and the group sizes {self.n} and {self.n2}", observed)
            g = math.gcd(self.n, self.n2)
            return a * (self.n2 // g) - b * (self.n // g)
        x = _validate.real("observed", observed, "to be finite", math.isfinite) * pair.unit
        if whole and abs(x - round(x)) > 1e-6:
            raise _validate.reject("observed", "to be a difference of two proportions of the groups", observed)
        return float(round(x)) if whole else x

    def _ends(self, mechanism: Any) -> tuple[float, float]:
        """The critical values in units of the planned pair, proven to keep the level at every common proportion."""
        pairs = self._pairs(mechanism)
        low, high = -math.inf, math.inf
        if self.alternative != "larger":
            low = min(p.critical(False, self._share, self.common) * (pairs[0].unit / p.unit) for p in pairs)
        if self.alternative != "smaller":
            high = max(p.critical(True, self._share, self.common) * (pairs[0].unit / p.unit) for p in pairs)
        return low, high

    def critical(self, mechanism: Any = None) -> Critical:
        """The differences of published proportions at which the null hypothesis is rejected."""
        unit, (low, high) = self._pair(mechanism).unit, self._ends(mechanism)
        return Critical(low=low / unit, high=high / unit)

    def power(self, mechanism: Any = None, *, effect: float | None = None) -> Estimate:
        pair = self._remembered("pair", mechanism, lambda: self._pair(mechanism), most=1)  # with large tables
        at = self.effect if effect is None else _validate.real("effect", effect, "to be finite", math.isfinite)
        second = np.array([self.baseline])
        first = np.clip([self.baseline + self._alternative_value(at)], 0.0, 1.0)
        low = high = 0.0
        for bound, upper in zip(self._remembered("ends", mechanism, lambda: self._ends(mechanism)), (False, True)):
            if math.isfinite(bound):
                ends = pair.tail(bound, upper, first, second)
                low, high = low + float(ends[0][0]), high + float(ends[1][0])
        low, high = min(low, 1.0), min(high, 1.0)
        return Estimate(low, low=low, high=high, certificate=Certificate("exact", (high - low) / 2, self._note()))

    def _note(self) -> str:
        low, high = self.common
        return f"The level holds for every common proportion in [{low:g}, {high:g}]."

    def p_value(self, observed: Any, mechanism: Any = None) -> Estimate:
        """The largest p-value over all common proportions in the declared range; the float is the upper end."""
        pairs = [(pair, self._key(observed, pair, mechanism)) for pair in self._pairs(mechanism)]
        found = [tuple(map(max, zip(*(self._worst(pair, x, sign > 0) for pair, x in pairs)))) for sign in self._sides]
        low, high = (min(1.0, len(found) * min(ends[i] for ends in found)) for i in (0, 1))
        return Estimate(high, low=low, high=high, certificate=Certificate("exact", TOLERANCE, self._note()))

    def _worst(self, pair: TwoCounts, x: float, upper: bool) -> tuple[float, float]:
        """Both ends of the largest tail, consistent with critical values if the level lies between them."""
        low, high = pair.worst(x, upper, 0.0, self.common)
        if low <= self._share < high and pair.proven(x, upper, self.common, self._share):
            high = self._share
        return low, high

    def _ends_of(self, observed: Any, mechanism: Any, left: float, sides: int) -> tuple[IntervalEnd, Certificate]:
        """The ends of the differences that are not rejected for some proportions of the two groups."""
        pairs = [(pair, self._key(observed, pair, mechanism)) for pair in self._pairs(mechanism)]

        def end(sign: int) -> float:
            limits = [pair.limit(x, sign > 0, left / sides, self.common) for pair, x in pairs]
            return min(limits) if sign > 0 else max(limits)

        return end, Certificate("exact", 1e-5, self._note())  # the tolerance of ``TwoCounts.limit``

    def _sensitivity(self, n: int, neighbours: str, norm: int) -> float:
        return 1.0 if self.published == "counts" else 1.0 / min(n, int(second_size(n, self.ratio)))


def _whole_masses(noise: WholeNoise) -> tuple[Any, float]:
    """The masses of the noise around 0, and the mass beyond the table they were taken from."""
    if noise.unit != 1:
        raise _validate.reject("mechanism", "to have noise on whole numbers", noise)
    reach, missing = reach_of(noise)
    masses = noise.masses(reach)
    return masses[masses > _LEAST_MASS], missing


def _whole_difference(noise: WholeNoise, first: int, second: int) -> TailLaw:
    """The law of first·N − second·N' on the integers."""
    from scipy.signal import fftconvolve

    masses, missing = _whole_masses(noise)
    reach = (len(masses) - 1) // 2
    length = 2 * reach * (first + second) + 1
    if length > 20_000_000:
        raise Undefined(
            f"The difference of two counts with whole-number noise of spread {noise.lattice.spread:g} each, in groups "
            f"of {first} to {second}, has too many values to be tabulated. At that width it does not differ from "
            "its continuous counterpart: use dplens.Laplace or dplens.Gaussian, or groups of the same size."
        )
    a, b = np.zeros(2 * reach * first + 1), np.zeros(2 * reach * second + 1)
    a[::first], b[::second] = masses, masses
    both = np.maximum(fftconvolve(a, b), 0.0)
    # the error of each mass is below 1e-14 times the norms of both factors
    unsure = 1e-14 * float(np.linalg.norm(masses)) ** 2 * length
    return TableTail(-reach * (first + second), both, missing=missing + 2 * _LEAST_MASS * length, unsure=unsure)
