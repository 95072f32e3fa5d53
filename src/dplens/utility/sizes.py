"""The smallest number of records for the exact test of a proportion, whose power rises and falls a little with n.

The randomised test, which also rejects some of the outcomes next to the critical value so that the level is reached,
has at least the power of the exact one, at every n. Without noise no test of its level has more against larger
proportions (Neyman & Pearson), so it can only gain by more records: below the n at which *it* reaches the power,
nothing does. From there on the first n that reaches it is looked for. The wrong side of a two-sided test has least
power among all tests of its level, which can only fall with more records.

With noise that does not depend on n the same is seen in all cases, but not proven. For noise with a density the two
tests are one, and there is nothing to look for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import betainc

from dplens.utility.noise import NoNoise
from dplens.utility.proportion import ProportionTest

_BLOCK, _CLOSE = 4096, 1e-7  # sizes looked at together, and how far off their power may be
_LOOKS, _WORK = 40, 30_000_000  # sizes looked at one by one: at least, and times their number of records


def least_size(test: ProportionTest, make: Callable[[int], Any], wanted: float, enough: int) -> int:
    """The smallest n that reaches the power; ``enough`` is one that does.

    With whole-number noise and large n only some sizes are looked at, from the first that may do; if none of them does,
    halving finds one that does while its predecessor does not.
    """

    def reaches(n: int) -> bool:
        return float(test.with_(n=n).power(make(n))) >= wanted

    def may(n: int) -> bool:
        return _bound(test.with_(n=n), make(n), test.effect > 0) + other >= wanted

    low, other = max(enough // 2, 1), test.level / 2 if test.alternative == "two-sided" else 0.0
    while low > 1 and may(low):
        low //= 2
    if other and low > 1:
        other = _bound(test.with_(n=low), make(low), test.effect < 0)
    first = 1 if low == 1 and may(1) else _first(may, low, enough)
    if isinstance(test._noise(make(first)), NoNoise):
        for start in range(first, enough, _BLOCK):
            sizes = np.arange(start, min(start + _BLOCK, enough), dtype=float)
            for n in sizes[_powers(test, sizes) >= wanted - _CLOSE]:
                if reaches(int(n)):
                    return int(n)
        return enough
    for n in range(first, min(enough, first + max(_LOOKS, _WORK // enough))):
        if reaches(n):
            return n
    return _first(reaches, first, enough)


def _first(holds: Callable[[int], bool], outside: int, inside: int) -> int:
    while inside - outside > 1:
        middle = (outside + inside) // 2
        outside, inside = (outside, middle) if holds(middle) else (middle, inside)
    return inside


def _bound(test: ProportionTest, mechanism: Any, upper: bool) -> float:
    """Not less than the power of the randomised test on one side."""
    noise, share = test._noise(mechanism), test._share
    null, law = test._law(0.0, noise), test._law(test.effect, noise)
    c = null.upper_quantile(share) if upper else null.lower_quantile(share)
    if not math.isfinite(c):
        return 1.0
    inner = c - (null.step or 0.0) * (1 if upper else -1)
    ends = [(one.upper if upper else one.lower)(np.array([c, inner])) for one in (null, law)]
    (low0, high0), (low1, high1) = ends
    if null.step is None:
        return float(high1[0])
    between = float(low0[1] - high0[0])
    coin = min(1.0, (share - float(low0[0])) / between) if between > 0 else 1.0
    return float(high1[0] + max(coin, 0.0) * (high1[1] - low1[0]))


def _powers(test: ProportionTest, sizes: Any) -> Any:
    """Without noise, at many sizes, to about 1e-9."""
    found = np.zeros(len(sizes))
    for upper in (True, False):
        if test.alternative == ("smaller" if upper else "larger"):
            continue
        p0, p1 = test.null, test.null + test.effect
        if not upper:
            p0, p1 = 1 - p0, 1 - p1
        c = _critical(sizes, p0, test._share)
        found += _upper(c, sizes, p1)
    return found


def _upper(c: Any, sizes: Any, p: float) -> Any:
    """P(X ≥ c)."""
    inner = np.clip(c, 1, sizes)
    return np.where(c > sizes, 0.0, np.where(c < 1, 1.0, betainc(inner, sizes - inner + 1, p)))


def _critical(sizes: Any, p: float, share: float) -> Any:
    """The least c with P(X ≥ c) ≤ share, by halving."""
    low, high = np.zeros(len(sizes)), sizes + 1.0
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        keeps = _upper(middle, sizes, p) <= share * (1 + 1e-10)
        low, high = np.where(keeps, low, middle), np.where(keeps, middle, high)
    return high
