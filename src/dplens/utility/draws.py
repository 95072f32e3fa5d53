"""Draws of what will be published, and p-values of many of them at once, for plans of several tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri_exp

from dplens._validate import Floats
from dplens.errors import Undefined
from dplens.utility.base import AnalystTest
from dplens.utility.known_law import KnownLawTest
from dplens.utility.location import LocationTest
from dplens.utility.monte_carlo import NULL, MonteCarloTest
from dplens.utility.proportion import ProportionTest
from dplens.utility.slope import SlopeTest
from dplens.utility.tails import ShiftedTail, SymmetricTail
from dplens.utility.two_proportions import TwoProportionsTest

_EXACT, _GRID = 400, 161  # so many different values are worked out one by one; more are read from so many


def simulated_p_values(test: AnalystTest, mechanism: Any, effective: bool, rng: Any, size: int) -> Floats:
    """p-values of ``size`` simulated releases, at the planned effect or under the null hypothesis."""
    if isinstance(test, SlopeTest) and test._route() is not None:
        return simulated_p_values(test._simulated, mechanism, effective, rng, size)
    noise = test._noise(mechanism)
    value = test._alternative_value(test.effect) if effective else test.null
    if isinstance(test, MonteCarloTest):
        nulls = [np.sort(null) for null in test._scores(test.null, mechanism, NULL, test.draws)]
        side, seed, found = test._extreme(test.alternative, surely=True), rng.bytes(16), []
        for case in test._cases(noise):
            again = np.random.default_rng(int.from_bytes(seed, "little"))  # the same random numbers in every case
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
        x = first * k1 - second * k2 + _pair_noise(test, mechanism, k1, k2, rng, size)
        common = test.common

        def worst(upper: bool) -> Any:
            return lambda places: np.array([pair.worst(float(y), upper, 0.0, common)[1] for y in places])

        tails = [_read(x, worst(upper), _GRID // 4) for upper in (True, False)]
        return _sided(test.alternative, *tails)
    if not isinstance(test, KnownLawTest):
        raise Undefined(f"{type(test).__name__} cannot be simulated beside other tests.")
    law = test._law(0.0, noise)
    if isinstance(test, LocationTest):
        x = (
            (test.effect if effective else 0.0)
            + rng.normal(0, test._sampling_sd(), size)
            + noise.scaled(1 / test._units()).draw(rng, size)
        )
        x = law.nearest(x) if isinstance(law, ShiftedTail) else x
    elif isinstance(test, ProportionTest):
        x = rng.binomial(test.n, value, size) + noise.scaled(test.n / test._units()).draw(rng, size)
    else:
        raise Undefined(f"{type(test).__name__} cannot be simulated beside other tests.")
    closed = isinstance(law, SymmetricTail)  # worked out on whole arrays
    tails = (lambda v, tail=tail: tail(v)[1] for tail in (law.upper, law.lower))
    upper, lower = (tail(x) if closed else _read(x, tail, _GRID) for tail in tails)
    return _sided(test.alternative, upper, lower)


def _pair_noise(test: TwoProportionsTest, mechanism: Any, k1: int, k2: int, rng: Any, size: int) -> Floats:
    from dplens.utility.noise import noise_of

    noise = noise_of(mechanism)
    if test.published == "difference":
        return noise.draw(rng, size) * (test.n * k1)
    return noise.draw(rng, size) * k1 - noise.draw(rng, size) * k2


def _sided(alternative: str, upper: Floats, lower: Floats) -> Floats:
    if alternative == "two-sided":
        return np.minimum(2 * np.minimum(upper, lower), 1.0)
    return upper if alternative == "larger" else lower


def _read(x: Floats, tail: Any, grid: int) -> Floats:
    """A monotone tail at many places: one by one, or between places where it is known.

    Between places it is read on the scale of normal quantiles, where tails are nearly straight; the most extreme draws
    are worked out one by one.
    """
    distinct, where = np.unique(x, return_inverse=True)
    if len(distinct) <= min(_EXACT, grid):
        return tail(distinct)[where]
    ends = min(grid // 4, len(distinct) // 2)
    inner = np.quantile(distinct, np.linspace(0, 1, grid - 2 * ends))
    places = np.unique(np.concatenate([distinct[:ends], inner, distinct[len(distinct) - ends :]]))
    scores = ndtri_exp(np.log(np.clip(tail(places), 1e-300, 1 - 1e-16)))
    return ndtr(np.interp(x, places, scores))
