"""Polynomials on a cell in the Bernstein basis. Coefficients are never negative, so nothing cancels.

A row of ``masses`` m describes the density (n + 1)·Σ m_k·B_k(s) for s in [0, 1], B_k(s) = C(n, k)·s^k·(1 − s)^{n−k};
each B_k integrates to 1/(n + 1), so the row sums to the mass of the cell. ``scaled`` rows hold the coefficients of
s^k·(1 − s)^{n−k} themselves.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dplens.curves.base import Floats


@lru_cache(maxsize=256)
def binomials(n: int) -> Floats:
    """C(n, 0), …, C(n, n)."""
    return np.array([float(math.comb(n, k)) for k in range(n + 1)])


def part(rows: Floats, start: Floats, stop: Floats, width: Floats) -> Floats:
    """The same densities on [start, stop] of cells of the given widths (de Casteljau, once from either side)."""
    found, last = rows.copy(), rows.shape[1] - 1
    s, t = (stop / width)[:, None], ((width - stop) / width)[:, None]
    for r in range(1, last + 1):
        found[:, r:] = t * found[:, r - 1 : -1] + s * found[:, r:]
    s, t = (start / stop)[:, None], ((stop - start) / stop)[:, None]
    for r in range(1, last + 1):
        found[:, : last + 1 - r] = t * found[:, : last + 1 - r] + s * found[:, 1 : last + 2 - r]
    return found * ((stop - start) / width)[:, None]


def elevated(masses: Floats) -> Floats:
    """The same densities, written with one degree more."""
    n = masses.shape[1]
    found = np.zeros((len(masses), n + 1))
    found[:, :-1] = np.arange(n, 0, -1.0) * masses
    found[:, 1:] += np.arange(1.0, n + 1) * masses
    return found / (n + 1)


def heads(masses: Floats) -> Floats:
    """Coefficients, of one degree more, of the mass before s."""
    found = np.zeros((len(masses), masses.shape[1] + 1))
    np.cumsum(masses, axis=1, out=found[:, 1:])
    return found


def tails(masses: Floats) -> Floats:
    """Coefficients, of one degree more, of the mass after s."""
    return heads(masses[:, ::-1])[:, ::-1]


def terms_needed(rate: float) -> int:
    """A degree from which on the series of e^rate adds less than 1e-18."""
    term, j = 1.0, 0
    while term > 1e-19 or j < 2 * rate:
        j += 1
        term *= rate / j
    return j


@lru_cache(maxsize=32)
def _monomials(n: int) -> Floats:
    """Row j: s^j/j! as a scaled row of degree n, that is C(n − j, i − j)/j!."""
    table = np.zeros((n + 1, n + 1))
    for j in range(n + 1):
        table[j, j:] = binomials(n - j) / math.factorial(j)
    return table


def exponentials(rates: Floats, degree: int) -> Floats:
    """Scaled rows of e^{rate·s}, rate ≥ 0: its series, whose terms are all positive."""
    return rates[:, None] ** np.arange(degree + 1.0) @ _monomials(degree)


def products(one: Floats, other: Floats) -> Floats:
    """Scaled rows of the products of scaled rows."""
    if one.shape[1] > other.shape[1]:
        one, other = other, one
    n = other.shape[1]
    found = np.zeros((len(one), one.shape[1] + n - 1))
    for i in range(one.shape[1]):
        found[:, i : i + n] += one[:, i : i + 1] * other
    return found


def evaluate(scaled: Floats, s: Floats, t: Floats) -> Floats:
    """Σ_k scaled[…, k]·s^k·t^{n−k} for t = 1 − s, both given."""
    n = scaled.shape[-1] - 1
    shape = s.shape + (1,) * (scaled.ndim - 2)
    if len(s) * n < 6000:  # faster with all powers at once
        k = np.arange(n + 1.0)
        weights = s[:, None] ** k * t[:, None] ** (n - k)
        return np.sum(scaled * weights.reshape(*shape, n + 1), axis=-1)
    columns = np.ascontiguousarray(np.moveaxis(scaled, -1, 0))
    s, t, power = s.reshape(shape), t.reshape(shape), np.ones(shape)
    total = columns[n].copy()
    for column in columns[n - 1 :: -1] if n else ():  # Horner's scheme
        power = power * t
        total *= s
        total += column * power
    return total
