"""A private 60-digit context, bisection, golden-section search and the normal law."""

from contextlib import contextmanager

import mpmath

mp = mpmath.mp.clone()
mp.dps = 60
mpf = mp.mpf
inf = mp.inf


@contextmanager
def digits(dps):
    """Work with another number of digits for a while."""
    before, mp.dps = mp.dps, dps
    try:
        yield
    finally:
        mp.dps = before


def least(holds, low, high):
    """The least point of [low, high] where a monotone predicate holds, `high` if it holds nowhere below."""
    low, high = mpf(low), mpf(high)
    for _ in range(mp.prec + 40):
        middle = (low + high) / 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def maximum(value, low, high, scan=48):
    """The maximum of a function on [low, high]: a scan, then golden sections around the best point."""
    low, high = mpf(low), mpf(high)
    points = [low + (high - low) * i / scan for i in range(scan + 1)]
    values = [value(x) for x in points]
    best = max(range(scan + 1), key=lambda i: values[i])
    a, b = points[max(best - 1, 0)], points[min(best + 1, scan)]
    ratio = (mp.sqrt(5) - 1) / 2
    x, y = b - ratio * (b - a), a + ratio * (b - a)
    fx, fy = value(x), value(y)
    for _ in range(4 * mp.dps):
        if fx > fy:
            b, y, fy = y, x, fx
            x = b - ratio * (b - a)
            fx = value(x)
        else:
            a, x, fx = x, y, fy
            y = a + ratio * (b - a)
            fy = value(y)
    return max([fx, fy, *values])


def ncdf(x):
    """The normal distribution function, accurate in the lower tail."""
    return mp.erfc(-x / mp.sqrt(2)) / 2


def _lower_quantile(p):
    """Newton on log Phi (concave, increasing) from the left of the root, for p <= 1/2."""
    z = -mp.sqrt(-2 * mp.log(p))
    while True:
        below = ncdf(z)
        step = (mp.log(below) - mp.log(p)) * below / mp.npdf(z)
        z -= step
        if abs(step) < mpf(10) ** (5 - mp.dps) * (1 + abs(z)):
            return z


def quantile(below, above):
    """The normal quantile with mass `below` under it and `above` over it, from the smaller of the two."""
    return _lower_quantile(below) if below <= above else -_lower_quantile(above)
