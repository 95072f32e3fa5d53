"""Naive references: mpmath integrals with many digits, enumeration of counts, plain simulation."""

from __future__ import annotations

import itertools
import math

import mpmath as mp
import numpy as np
from scipy import stats

from tests import effort

SEARCHING = effort.SEARCHING
DRAWS = 1_000_000 if SEARCHING else 200_000


def normal_laplace_tail(x, s, b):
    """P(S + L > x) with 60 digits, from the formula with its cancellation."""
    with mp.workdps(400 if x / s > 30 else 80):
        x, s, b = mp.mpf(x), mp.mpf(s), mp.mpf(b)
        ncdf = lambda z: mp.erfc(-z / mp.sqrt(2)) / 2  # noqa: E731
        tail = ncdf(-x / s) + mp.exp(s * s / (2 * b * b)) / 2 * (
            mp.exp(-x / b) * ncdf(x / s - s / b) - mp.exp(x / b) * ncdf(-x / s - s / b)
        )
        return +tail


def convolved_tail(x, s, tail, breaks=()):
    """∫ φ(z)·P(N > x − s·z) dz by quadrature; ``tail`` works with mpmath numbers."""
    with mp.workdps(18):
        points = sorted({*(mp.mpf(k) for k in (-40, -10, -5, -2, 0, 2, 5, 10, 40)), *map(mp.mpf, breaks)})
        return mp.quad(lambda z: mp.npdf(z) * tail(mp.mpf(x) - s * z), points)


def normal_uniform_tail(x, s):
    """P(S + U > x), U uniform on [−1, 1]: with J(z) = φ(z) − z·Φ(−z) it is s/2·{J((x − 1)/s) − J((x + 1)/s)}."""
    with mp.workdps(60):
        j = lambda z: mp.npdf(z) - z * mp.ncdf(-z)  # noqa: E731
        x, s = mp.mpf(x), mp.mpf(s)
        return s / 2 * (j((x - 1) / s) - j((x + 1) / s))


def binomial(n, p):
    """Masses as exact as mpmath makes them."""
    with mp.workdps(40):
        return [mp.binomial(n, k) * mp.mpf(p) ** k * (1 - mp.mpf(p)) ** (n - k) for k in range(n + 1)]


def geometric_mass(k, scale):
    r = math.exp(-1 / scale)
    return (1 - r) / (1 + r) * r ** abs(k)


def discrete_gaussian_mass(k, sigma):
    reach = range(-int(40 * sigma) - 2, int(40 * sigma) + 3)
    return math.exp(-k * k / (2 * sigma**2)) / math.fsum(math.exp(-j * j / (2 * sigma**2)) for j in reach)


def noisy_count(n, p, mass, reach):
    """{value: probability} of a binomial count plus whole-number noise, term by term."""
    found = {}
    counts = stats.binom.pmf(np.arange(n + 1), n, p)
    for k, j in itertools.product(range(n + 1), range(-reach, reach + 1)):
        found[k + j] = found.get(k + j, 0.0) + float(counts[k]) * mass(j)
    return found


def close(share, expected, draws, times=4.0):
    """Whether a simulated share is within some standard errors of what was computed."""
    error = math.sqrt(max(expected * (1 - expected), 1 / draws) / draws)
    return abs(share - expected) <= times * error
