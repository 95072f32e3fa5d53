"""Tests whose null law is simulated, including the noise; one for data that the user simulates."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.analyst.laws.noise import Noise
from dplens.analyst.laws.simulation import (
    Sampler,
    SimulatedEstimate,
    draws_of,
    seed_of,
    share_bracket,
    share_estimate,
)
from dplens.analyst.tests.base import AnalystTest, IntervalEnd, Published
from dplens.analyst.tests.results import Critical, Verdict
from dplens.errors import DplensError, ToleranceNotMet, Undefined
from dplens.estimate import Certificate
from dplens.numerics.roots import boundary

NULL, ALTERNATIVE = 0, 1  # streams of random numbers


@dataclass(frozen=True, kw_only=True)
class MonteCarloTest(AnalystTest):
    """Common base of tests whose laws are simulated.

    draws: number of simulated data sets for each law. target_error: the largest standard error of a power; draws are
    added until it is reached, up to ``most_draws``. rng: the seed, or a NumPy Generator; answers depend on the seed,
    not on the number of workers. workers: number of processes, by default one, or all cores if that is faster; joblib's
    ``parallel_config`` is respected. progress: whether to show a progress bar, by default for long runs on a terminal.
    """

    _kinds: ClassVar = {None: Published(whole=True)}  # the user's statistic may be an integer

    draws: int = 10_000
    target_error: float | None = None
    most_draws: int = 10_000_000
    rng: Any
    workers: int | None = None
    progress: bool | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("draws", draws_of(self.draws))
        self._set("most_draws", draws_of(self.most_draws, "most_draws"))
        if math.floor(self._share * (self.draws + 1)) < 1:
            least = math.ceil(1 / self._share) - 1
            rule = f">= {least} at level {self.level:g}"
            raise _validate.reject("draws", rule, self.draws, "With fewer no simulated p-value is small enough.")
        if self.target_error is not None:
            self._set("target_error", _validate.positive("target_error", self.target_error))
        self._set("workers", _validate.workers(self.workers))
        self._set("progress", None if self.progress is None else _validate.flag("progress", self.progress))
        self._set("rng", seed_of(self.rng))
        self._set("_sampler", Sampler(self.rng, self.workers, self.progress))

    @property
    def simulated(self) -> bool:
        return True

    @abstractmethod
    def _job(self, value: float, noise: Noise, case: Any = None) -> Callable[[np.random.Generator, int], Any]:
        """Draws the tested number for a value of the parameter."""

    def _cases(self, noise: Noise) -> tuple[Any, ...]:
        """Values of nuisance parameters: the level holds for each of them, and power is the smallest."""
        return (None,)

    def _score(self, observed: Any, mechanism: Any) -> float:
        """The tested number of a published one."""
        return _validate.real("observed", observed, "to be a number", lambda x: not math.isnan(x))

    def _limits(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def _rises(self, *, surely: bool) -> bool:
        """Whether the tested number increases with the parameter; with ``surely``, raises if that is unclear."""
        return True

    def _scores(self, value: float, mechanism: Any, stream: int, draws: int) -> list[Floats]:
        """Draws of the tested number in each case, with common random numbers."""
        noise = self._noise(mechanism)
        what = f"simulating {type(self).__name__}"
        return [
            self._sampler.draw(  # pyright: ignore[reportAttributeAccessIssue]
                (value, mechanism, stream, case), stream, self._job(value, noise, case), draws, what
            )
            for case in self._cases(noise)
        ]

    def critical(self, mechanism: Any = None) -> Critical:
        """The critical values from the simulated null law; the level holds including the simulation error.

        With m null draws the test rejects if (1 + #{draws at least as extreme})/(m + 1) ≤ level. Over null draws and
        data, this has probability at most the level, with or without ties (Davison & Hinkley 1997, §4.2).
        """
        return self._critical(mechanism, self.draws)

    def _critical(self, mechanism: Any, draws: int) -> Critical:
        nulls = [np.sort(null) for null in self._scores(self.null, mechanism, NULL, draws)]
        k = math.floor(self._share * (draws + 1) * (1 + 1e-12))
        extreme = self._extreme(self.alternative, surely=False)
        top, bottom = max(float(null[-k]) for null in nulls), min(float(null[k - 1]) for null in nulls)
        high = math.inf if extreme == "smaller" else math.nextafter(top, math.inf)
        low = -math.inf if extreme == "larger" else math.nextafter(bottom, -math.inf)
        return Critical(low=low, high=high)

    def _extreme(self, alternative: str, *, surely: bool) -> str:
        """The side of tested numbers that indicates parameters on the given side."""
        if alternative == "two-sided" or self._rises(surely=surely):
            return alternative
        return "smaller" if alternative == "larger" else "larger"

    def level_bracket(self, mechanism: Any = None) -> tuple[float, float]:
        """A bracket for the rejection probability of these critical values; it misses once in 1000 runs at most."""
        region = self._critical(mechanism, self.draws)
        nulls = self._scores(self.null, mechanism, NULL, self.draws)
        return share_bracket(max(region.count(null) for null in nulls), self.draws)

    def power(self, mechanism: Any = None, *, effect: float | None = None) -> SimulatedEstimate:
        """The share of simulated data sets at the planned effect that reject; the float is the lower end."""
        at = self.effect if effect is None else _validate.real("effect", effect, "to be finite", math.isfinite)
        value = self._alternative_value(at)
        draws = self.draws
        while True:
            region = self._critical(mechanism, draws)
            hits = min(region.count(scores) for scores in self._scores(value, mechanism, ALTERNATIVE, draws))
            found = share_estimate(hits, draws)
            if self.target_error is None or found.error <= self.target_error:
                return found
            wanted = math.ceil(1.05 * found.error**2 / self.target_error**2 * draws)
            if wanted > self.most_draws:
                raise ToleranceNotMet(
                    f"A standard error of {self.target_error:g} takes about {wanted} draws, and most_draws is "
                    f"{self.most_draws}; with {draws} it is {found.error:.2g}. Allow more draws or a larger error.",
                    found.error,
                )
            draws = wanted

    def p_value(self, observed: Any, mechanism: Any = None) -> SimulatedEstimate:
        """(1 + number of null draws at least as extreme)/(draws + 1), valid despite the simulation error."""
        return self._p_at(self._score(observed, mechanism), self.null, mechanism, self.alternative)

    def _p_at(self, score: float, value: float, mechanism: Any, alternative: str) -> SimulatedEstimate:
        nulls = self._scores(value, mechanism, NULL, self.draws)
        extreme = self._extreme(alternative, surely=True)
        above = max(int(np.count_nonzero(null >= score)) for null in nulls)
        below = max(int(np.count_nonzero(null <= score)) for null in nulls)
        hits = {"larger": above, "smaller": below, "two-sided": min(above, below)}[extreme]
        sides = 2 if extreme == "two-sided" else 1
        low, high = share_bracket(hits, self.draws)
        valid = min(1.0, sides * (1 + hits) / (self.draws + 1))
        return SimulatedEstimate(
            valid,
            low=min(1.0, sides * low),
            high=min(1.0, max(sides * high, valid)),
            point=min(1.0, sides * hits / self.draws),
            draws=self.draws,
        )

    def decide(self, observed: Any, mechanism: Any = None, *, interval: bool = True) -> Verdict:
        enough = self.level / 2 * (self.draws + 1) >= 1  # for an interval at confidence 1 − level
        return super().decide(observed, mechanism, interval=_validate.flag("interval", interval) and enough)

    def _ends_of(self, observed: Any, mechanism: Any, left: float, sides: int) -> tuple[IntervalEnd, Certificate]:
        """The parameters at which the published number is not rejected, simulated with common random numbers.

        Assumes that the tested number is monotone in the parameter.
        """
        share = left / sides * (1 + 1e-12)
        if share * (self.draws + 1) < 1:
            rule = f"at most {1 - sides / (self.draws + 1):g} with {self.draws} draws"
            raise _validate.reject("confidence", rule, 1 - left, "More draws allow more.")
        score = self._score(observed, mechanism)
        certificate = Certificate("simulation", 1 / math.sqrt(self.draws), f"{self.draws} draws at each value")
        return lambda sign: self._end(score, mechanism, share, "larger" if sign > 0 else "smaller"), certificate

    def _end(self, score: float, mechanism: Any, share: float, side: str) -> float:
        def outside(value: float) -> bool:
            try:
                return float(self._p_at(score, value, mechanism, side)) <= share
            except DplensError:
                raise
            except (ValueError, ArithmeticError) as error:
                raise Undefined(
                    f"The end of an interval is looked for among all values, and at {value:g} the simulation fails "
                    f"({error}). Say with limits=(lo, hi) which values are possible, or ask decide with interval=False."
                ) from error

        (bottom, top), sign = self._limits(), -1 if side == "larger" else 1
        out, here = outside(self.null), self.null
        step = abs(self.effect) * (-sign if out else sign)  # outwards until rejection, or inwards until acceptance
        for _ in range(60):
            there = min(max(here + step, bottom), top)
            if there == here:
                return here
            if outside(there) != out:
                return boundary(outside, *((here, there) if out else (there, here)), 1e-4)
            here, step = there, 2 * step
        if not out:
            return bottom if sign < 0 else top
        raise Undefined(
            f"Out to {here:.2g} no value of the parameter makes the observed number a likely one, so there is no "
            "interval. Does the tested number depend on the parameter? decide with interval=False gives the p-value."
        )


@dataclass(frozen=True, kw_only=True)
class SimulatedTest(MonteCarloTest):
    """A test of any published statistic, by simulation.

    simulate(rng, n, value): a data set of n records for a value of the parameter (``null`` or ``null + effect``).
    statistic(data): what is published, a number or an array; the mechanism's noise is added to each entry.
    score(published): the tested number, any function of the published noisy numbers, by default the number itself.
    batched: simulate(rng, n, value, size) creates ``size`` data sets at once, and statistic and score process all of
    them along the first axis. limits: the range of the parameter, if data cannot be simulated outside of it; intervals
    stay within. rises: whether the tested number increases with the parameter, as a mean does, or decreases, as waiting
    times do with a rate; by default determined by simulation at both planned values. ``alternative`` and intervals
    refer to the parameter in either case; intervals assume that the tested number is monotone.

    >>> import numpy as np, dplens as dl
    >>> t = dl.SimulatedTest(simulate=lambda rng, n, m: rng.exponential(1 + m, n), statistic=np.median,
    ...                      n=200, effect=0.4, draws=2000, rng=1)
    >>> p = t.power(dl.Laplace(scale=0.02))
    >>> 0.85 < p.low <= p.point <= p.high < 0.95, p.draws
    (True, 2000)
    """

    simulate: Callable[..., Any]
    statistic: Callable[[Any], Any]
    score: Callable[[Any], Any] | None = None
    batched: bool = False
    limits: tuple[float, float] | None = None
    rises: bool | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("batched", _validate.flag("batched", self.batched))
        if self.limits is not None:
            two = _validate.pair("limits", self.limits, "to be a pair (lo, hi)")
            low, high = (_validate.real("limits", x, "to be two numbers", lambda v: True) for x in two)
            if not low <= min(self.null, self.null + self.effect) <= max(self.null, self.null + self.effect) <= high:
                rule = "with lo <= null, null + effect <= hi"
                raise _validate.reject("limits", rule, self.limits, "Either end may be infinite.")
            self._set("limits", (low, high))
        for name in ("simulate", "statistic", "score"):
            given = getattr(self, name)
            if not (callable(given) or (name == "score" and given is None)):
                raise _validate.reject_type(name, "to be a function", given)
        if self.rises is not None and not isinstance(self.rises, bool):
            raise _validate.reject_type("rises", "to be True or False, or None where it is to be found out", self.rises)

    def _job(self, value: float, noise: Noise, case: Any = None) -> Job:
        return Job(self.simulate, self.statistic, self.score, self.batched, self.n, value, noise)

    def _limits(self) -> tuple[float, float]:
        return (-math.inf, math.inf) if self.limits is None else self.limits

    def _rises(self, *, surely: bool) -> bool:
        """As declared, or by comparing simulations without noise at both planned values."""
        if self.rises is not None:
            return self.rises
        lead, error = self._remembered("lead", None, self._lead)
        if surely and abs(lead) <= 4 * error:  # standard errors
            raise _validate.reject(
                "rises",
                "to be given",
                None,
                f"Simulations at {self.null:g} and at {self.null + self.effect:g} do not tell whether the tested "
                "number rises or falls with the parameter. Say it with rises=True or rises=False.",
            )
        return lead >= 0

    def _lead(self, draws: int = 1000) -> tuple[float, float]:
        """P(larger) − P(smaller) of the tested number at the planned effect, and the standard error for equal laws."""
        null = np.sort(self._scores(self.null, None, NULL, draws)[0])
        other = self._scores(self.null + self.effect, None, ALTERNATIVE, draws)[0]
        ranks = np.searchsorted(null, other, "left") + np.searchsorted(null, other, "right")
        return float(np.mean(ranks)) / draws - 1, math.sqrt(2 / (3 * draws))

    def _numbers_changed(self, neighbours: str) -> int:
        """All of them, in the worst case; one data set shows how many there are."""
        rng = np.random.default_rng(self.rng)
        data = self.simulate(rng, self.n, self.null, 1) if self.batched else self.simulate(rng, self.n, self.null)
        return max(1, int(np.size(self.statistic(data))))

    def _score(self, observed: Any, mechanism: Any) -> float:
        tested = observed
        if self.score is not None:
            given = _validate.as_array("observed", observed)
            if not np.isfinite(given).all():
                raise _validate.reject("observed", "to be finite numbers", observed)
            tested = np.ravel(self.score(given[None]))[0] if self.batched else self.score(given)
        return super()._score(tested, mechanism)


@dataclass(frozen=True)
class Job:
    """Draws from one law; sent to workers."""

    simulate: Callable[..., Any]
    statistic: Callable[[Any], Any]
    score: Callable[[Any], Any] | None
    batched: bool
    n: int
    value: float
    noise: Noise

    @np.errstate(all="ignore")  # NaN and infinity are refused later
    def __call__(self, rng: np.random.Generator, size: int) -> Any:
        if not self.batched:
            return np.array([self._tested(rng, ()) for _ in range(size)])
        most = max(1, 5_000_000 // self.n)  # records in memory
        return np.concatenate([self._tested(rng, (min(most, size - i),)) for i in range(0, size, most)])

    def _tested(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        """The tested number of one data set, or of each data set in a batch."""
        published = _numbers(self.statistic(self.simulate(rng, self.n, self.value, *shape)))
        noisy = published + self.noise.draw(rng, published.shape)
        tested = noisy if self.score is None else _numbers(self.score(noisy), "score")
        if tested.shape != shape:
            rule = "to give one number for each data set" if shape else "to be one number"
            remedy = "" if shape else "Pass score=, which makes one number of the published ones."
            raise _validate.reject_type("statistic", rule, _validate.Shown(f"an array of shape {tested.shape}"), remedy)
        return tested


def _numbers(found: Any, name: str = "statistic") -> Floats:
    try:
        return np.asarray("" if found is None else found, float)  # numpy takes None for nan
    except (TypeError, ValueError):
        raise _validate.reject_type(name, "to be a number or an array of numbers", found) from None
