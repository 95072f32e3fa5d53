"""Several tests at once: corrections for multiple testing, for plans and for published numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri_exp

from dplens import _validate
from dplens._validate import Floats
from dplens.analyst.laws.simulation import SimulatedEstimate, seed_of, share_estimate
from dplens.analyst.laws.tails import ShiftedTail, SymmetricTail
from dplens.analyst.tests.base import AnalystTest, checked_tests
from dplens.analyst.tests.location import LocationTest
from dplens.analyst.tests.proportion import ProportionTest, TwoProportionsTest
from dplens.analyst.tests.simulated import NULL, MonteCarloTest
from dplens.analyst.tests.slope import SlopeTest
from dplens.correlated.views.queries import listed
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.registry import Result

_GRID = 161  # points from which many tail probabilities are interpolated
METHODS = ("bonferroni", "holm", "benjamini_hochberg")


@dataclass(frozen=True, kw_only=True)
class MultiplePower(Result):
    """The power of a plan with several tests.

    each: the probability of finding each effect, with the correction. guaranteed: lower bounds for any results of the
    other tests (at the level of a test if no other rejects). any, all: the probability of finding at least one effect,
    or all of them. false_alarms: the probability of at least one false rejection; false_share: the mean share of false
    rejections (both None unless some effects are absent).
    """

    each: tuple[SimulatedEstimate, ...]
    guaranteed: tuple[Estimate, ...]
    any: SimulatedEstimate
    all: SimulatedEstimate
    false_alarms: SimulatedEstimate | None
    false_share: float | None


@dataclass(frozen=True, kw_only=True)
class MultipleVerdict(Result):
    """The rejected hypotheses after correction, with the p-values before and after correction."""

    reject: tuple[bool, ...]
    p_values: tuple[Estimate, ...]
    adjusted: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class MultipleTests:
    """Several tests with a correction for multiple testing.

    method: ``"bonferroni"`` or ``"holm"`` (chance of any false rejection at most ``level``), or
    ``"benjamini_hochberg"``, statsmodels' ``"fdr_bh"`` (expected share of false rejections at most ``level``, for
    independent tests).

    >>> import dplens as dl
    >>> plan = dl.MultipleTests(tests=[dl.MeanTest(n=100, sd=0.25, effect=0.08),
    ...                                dl.MeanTest(n=100, sd=0.25, effect=0.1)], method="holm", level=0.05)
    >>> power = plan.power([dl.Gaussian(sigma=0.01)] * 2, rng=1, draws=2000)
    >>> [g <= e.high for g, e in zip(power.guaranteed, power.each)], power.all <= power.any
    ([True, True], True)
    """

    tests: Sequence[AnalystTest]
    method: str = "holm"
    level: float = 0.05

    def __post_init__(self) -> None:
        object.__setattr__(self, "tests", checked_tests(self.tests))
        if isinstance(self.method, str) and self.method == "fdr_bh":  # its name in statsmodels
            object.__setattr__(self, "method", "benjamini_hochberg")
        _validate.one_of("method", self.method, METHODS)
        object.__setattr__(self, "level", _validate.open_probability("level", self.level))

    def _mechanisms(self, mechanisms: Any) -> list[Any]:
        if mechanisms is None or not isinstance(mechanisms, Sequence):
            return [mechanisms] * len(self.tests)
        if len(mechanisms) != len(self.tests):
            raise _validate.reject("mechanisms", f"to be one, or {len(self.tests)} like the tests", mechanisms)
        return list(mechanisms)

    def least_level(self) -> float:
        """The level of each test for any results of the others: level divided by the number of tests."""
        return self.level / len(self.tests)

    def guaranteed(self, mechanisms: Any = None) -> tuple[Estimate, ...]:
        """The power of each test at ``least_level``; every correction rejects at least what Bonferroni's does."""
        level = self.least_level()
        return tuple(t.with_(level=level).power(m) for t, m in zip(self.tests, self._mechanisms(mechanisms)))

    def power(
        self, mechanisms: Any = None, *, rng: Any, draws: int = 4000, absent: Sequence[int] = ()
    ) -> MultiplePower:
        """Power with the correction, over simulated releases of independent samples.

        mechanisms: one for all, or one for each test. absent: the numbers of the tests without an effect.
        """
        given = self._mechanisms(mechanisms)
        size = _validate.count("draws", draws, 100, "Each draw is corrected by itself.", most=10_000_000)
        if isinstance(absent, str) or not isinstance(absent, Iterable):
            raise _validate.reject_type("absent", "to be a list of numbers of tests", absent)
        missing = {_validate.count("absent", i, 0) for i in absent}
        if missing and max(missing) >= len(self.tests):
            raise _validate.reject("absent", f"to hold numbers below {len(self.tests)}", absent)
        generators = np.random.default_rng(seed_of(rng)).spawn(len(self.tests))
        designs = enumerate(zip(self.tests, given, generators))
        p = np.array([simulated_p_values(t, m, i not in missing, g, size) for i, (t, m, g) in designs]).T
        reject = _adjusted(p, self.method) <= self.level
        present = [i for i in range(len(self.tests)) if i not in missing]
        found, false = reject[:, present], reject[:, sorted(missing)]
        none = not present
        return MultiplePower(
            each=tuple(_share(reject[:, i]) for i in range(len(self.tests))),
            guaranteed=self.guaranteed(given),
            any=_share(found.any(axis=1)),
            all=_share(found.all(axis=1) & (not none)),
            false_alarms=_share(false.any(axis=1)) if missing else None,
            false_share=float(np.mean(false.sum(axis=1) / np.maximum(reject.sum(axis=1), 1))) if missing else None,
        )

    def decide(self, observed: Sequence[Any], mechanisms: Any = None) -> MultipleVerdict:
        """Which hypotheses the published numbers reject."""
        rule = f"to be {len(self.tests)} published numbers"
        published = listed("observed", observed, rule)
        if len(published) != len(self.tests):
            raise _validate.reject("observed", rule, observed)
        given = self._mechanisms(mechanisms)
        p = tuple(t.p_value(x, m) for t, x, m in zip(self.tests, published, given))
        adjusted = tuple(_adjusted([float(v) for v in p], self.method).tolist())
        return MultipleVerdict(reject=tuple(a <= self.level for a in adjusted), p_values=p, adjusted=adjusted)


def _adjusted(p: Any, method: str) -> Any:
    """Adjusted p-values along the last axis; a test rejects if its adjusted p-value is at most the level."""
    p, m = np.asarray(p, float), np.shape(p)[-1]
    if method == "bonferroni":
        return np.minimum(m * p, 1.0)
    if method == "benjamini_hochberg":
        from scipy.stats import false_discovery_control

        return false_discovery_control(p, axis=-1)
    order = np.argsort(p, axis=-1)
    steps = np.maximum.accumulate(np.take_along_axis(p, order, axis=-1) * (m - np.arange(m)), axis=-1)
    return np.minimum(np.take_along_axis(steps, np.argsort(order, axis=-1), axis=-1), 1.0)


def _share(flags: Any) -> SimulatedEstimate:
    return share_estimate(int(np.count_nonzero(flags)), len(flags))


def simulated_p_values(test: AnalystTest, mechanism: Any, effective: bool, rng: Any, size: int) -> Floats:
    """p-values of ``size`` simulated releases at the planned effect or under the null hypothesis."""
    if isinstance(test, SlopeTest) and test.simulated:
        return simulated_p_values(test._simulated, mechanism, effective, rng, size)
    noise = test._noise(mechanism)
    value = test._alternative_value(test.effect) if effective else test.null
    if isinstance(test, MonteCarloTest):
        nulls = [np.sort(null) for null in test._scores(test.null, mechanism, NULL, test.draws)]
        side, seed, found = test._extreme(test.alternative, surely=True), rng.bytes(16), []
        for case in test._cases(noise):
            again = np.random.default_rng(int.from_bytes(seed, "little"))  # common random numbers
            x = np.asarray(test._job(value, noise, case)(again, size), float)
            above = np.max([len(null) - np.searchsorted(null, x, side="left") for null in nulls], axis=0)
            below = np.max([np.searchsorted(null, x, side="right") for null in nulls], axis=0)
            found.append(_sided(side, (1 + above) / (test.draws + 1), (1 + below) / (test.draws + 1)))
        shares = [np.count_nonzero(p <= test.level) for p in found]
        return found[int(np.argmin(shares) if effective else np.argmax(shares))]  # least power, most false alarms
    if isinstance(test, TwoProportionsTest):
        pair = test._pair(mechanism)
        first = rng.binomial(test.n, min(test.baseline + value, 1.0), size)
        second = rng.binomial(test.n2, test.baseline, size)
        k1, k2 = pair.unit // test.n, pair.unit // test.n2
        added = noise.draw(rng, size)
        added = added * pair.unit if test.published == "difference" else added * k1 - noise.draw(rng, size) * k2
        x = first * k1 - second * k2 + added
        common = test.common

        def worst(upper: bool) -> Any:
            return lambda places: np.array([pair.worst(float(y), upper, 0.0, common)[1] for y in places])

        tails = [_read(x, worst(upper), _GRID // 4) for upper in (True, False)]
        return _sided(test.alternative, *tails)
    if not isinstance(test, (LocationTest, ProportionTest)):
        raise Undefined(f"{type(test).__name__} cannot be simulated beside other tests.")
    law = test._law(0.0, noise)
    if isinstance(test, LocationTest):
        x = rng.normal(test.effect if effective else 0.0, test._sampling_sd(), size)
        x = x + noise.scaled(1 / test._units()).draw(rng, size)
        x = law.nearest(x) if isinstance(law, ShiftedTail) else x
    else:
        x = rng.binomial(test.n, value, size) + noise.scaled(test.n / test._units()).draw(rng, size)
    closed = isinstance(law, SymmetricTail)  # evaluated on whole arrays
    tails = (lambda v, sign=sign: law.tail(v, sign)[1] for sign in (+1, -1))
    upper, lower = (tail(x) if closed else _read(x, tail, _GRID) for tail in tails)
    return _sided(test.alternative, upper, lower)


def _sided(alternative: str, upper: Floats, lower: Floats) -> Floats:
    if alternative == "two-sided":
        return np.minimum(2 * np.minimum(upper, lower), 1.0)
    return upper if alternative == "larger" else lower


def _read(x: Floats, tail: Any, grid: int) -> Floats:
    """A monotone tail at many places, interpolated from about ``grid`` of them if there are more.

    Interpolates on the scale of normal quantiles, on which tails are nearly linear; evaluates the most extreme draws
    exactly.
    """
    distinct, where = np.unique(x, return_inverse=True)
    if len(distinct) <= grid:
        return tail(distinct)[where]
    ends = min(grid // 4, len(distinct) // 2)
    inner = np.quantile(distinct, np.linspace(0, 1, grid - 2 * ends))
    places = np.unique(np.concatenate([distinct[:ends], inner, distinct[len(distinct) - ends :]]))
    scores = ndtri_exp(np.log(np.clip(tail(places), 1e-300, 1 - 1e-16)))
    return ndtr(np.interp(x, places, scores))
