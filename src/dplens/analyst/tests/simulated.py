"""A test for anything: the user simulates the data, the null law is simulated with the noise."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.analyst.laws.noise import Noise
from dplens.analyst.tests.monte_carlo import ALTERNATIVE, NULL, MonteCarloTest


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
            self._set("limits", _limits_of(self.limits, self.null, self.effect))
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


def _limits_of(limits: Any, null: float, effect: float) -> tuple[float, float]:
    two = _validate.pair("limits", limits, "to be a pair (lo, hi)")
    low, high = (_validate.real("limits", x, "to be two numbers", lambda v: True) for x in two)
    if not low <= min(null, null + effect) <= max(null, null + effect) <= high:
        raise _validate.reject("limits", "with lo <= null, null + effect <= hi", limits, "Either end may be infinite.")
    return low, high


def _numbers(found: Any, name: str = "statistic") -> Floats:
    try:
        return np.asarray("" if found is None else found, float)  # numpy takes None for nan
    except (TypeError, ValueError):
        raise _validate.reject_type(name, "to be a number or an array of numbers", found) from None
