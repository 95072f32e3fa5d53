"""Pairs of counts over a common denominator, rounded so that changes are never understated."""

from __future__ import annotations

import math

from dplens.present.rounding import down, number, up

_EXACT = 1e-9  # relative rounding error of a count
_LARGEST = 10**6


def ceil(x: float) -> int:
    """Round up, ignoring rounding errors."""
    return math.ceil(x - _EXACT * max(1.0, abs(x)))


def floor(x: float) -> int:
    """Round down, ignoring rounding errors."""
    return math.floor(x + _EXACT * max(1.0, abs(x)))


def pair(before: float, after: float) -> tuple[int, int, int]:
    """(before, after, out of) for two shares, over 100, or 1000 where 100 hides or exaggerates the change.

    The first is rounded down and the second up, so that the change is never understated; nor is near certainty made
    certainty where a larger whole can tell them apart. Where nothing changes, nor do the counts.

    >>> pair(0.1, 0.2321), pair(0.5, 0.504), pair(0.00002, 0.0001), pair(0.98, 0.9963)
    ((10, 24, 100), (500, 504, 1000), (2, 10, 100000), (980, 997, 1000))
    >>> pair(1 / 3, 0.6), pair(1 / 3, 1 / 3)
    ((333, 600, 1000), (334, 334, 1000))
    """
    out_of = short_of_all(after)
    while out_of < 10**15 and not _shows(before, after, out_of):
        out_of *= 10
        if _counted(before, out_of):
            break
    if after <= before:
        return ceil(before * out_of), ceil(before * out_of), out_of
    return floor(before * out_of), min(ceil(after * out_of), out_of), out_of


def short_of_all(share: float, out_of: int = 100) -> int:
    """The least whole, ``out_of`` or a power of ten times it, of which a share rounded up is not all.

    A million is the largest: what it cannot tell from certainty is left as it is.

    >>> short_of_all(0.5), short_of_all(0.99184), short_of_all(0.99907), short_of_all(1.0)
    (100, 1000, 10000, 100)
    """
    wholes = (out_of * 10**power for power in range(7) if out_of * 10**power <= _LARGEST)
    return next((whole for whole in wholes if ceil(share * whole) < whole), out_of)


def _shows(before: float, after: float, out_of: int) -> bool:
    """Whether the baseline is a count of ``out_of``, and rounding adds neither all of the change nor a quarter."""
    seen = ceil(after * out_of) > floor(before * out_of) + 1 and ceil(after * out_of) <= 1.25 * after * out_of
    return _counted(before, out_of) and (seen or after <= before)


def _counted(before: float, out_of: int) -> bool:
    """Whether the baseline is a whole number ≥ 1 of ``out_of``; from 1000 on, within 1 % of one."""
    x = before * out_of
    whole = abs(x - round(x)) <= _EXACT * max(1.0, abs(x))
    return floor(x) >= 1 and (whole or (out_of >= 1000 and x - floor(x) <= 0.01 * x))


def odds(share: float, *, risky: bool) -> tuple[str, str]:
    """Odds as ("for" or "against" or "sure", the larger number); ``risky``: rounded towards more certainty."""
    if share >= 1:
        return "sure", ""
    if share > 0.5:
        ratio = share / (1 - share)
        return "for", number((up if risky else down)(ratio, 3))
    ratio = (1 - share) / share if share > 0 else math.inf
    return "against", number((down if risky else up)(ratio, 3), more_is_riskier=not risky)
