"""The power of the exact test of a proportion at many sizes at once: it rises and falls a little with n."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import betainc

from dplens.utility.proportion import ProportionTest

_AROUND = 64  # times √n: so many sizes below a first guess are looked at
_BLOCK, _CLOSE = 4096, 1e-7  # sizes looked at together, and how far off their power may be


def candidates(test: ProportionTest, wanted: float, guess: int) -> Iterator[int]:
    """The sizes up to a guess, in increasing order, that reach the power without noise, or nearly do.

    Power falls by no more than one outcome's chance, about n^(−1/2), and what n gains is about 1/n for each record:
    sizes that lie further below a guess than some √n have less power. Up to 4096 records all of them are looked at.
    """
    for start in range(max(1, guess - math.ceil(_AROUND * math.sqrt(guess))), guess + 1, _BLOCK):
        sizes = np.arange(start, min(start + _BLOCK, guess + 1), dtype=float)
        yield from sizes[_powers(test, sizes) >= wanted - _CLOSE].astype(int).tolist()


def _powers(test: ProportionTest, sizes: Any) -> Any:
    """Without noise, to about 1e-9."""
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
