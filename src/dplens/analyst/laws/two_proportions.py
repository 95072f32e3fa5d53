"""Exact tests of two proportions, maximised over the unknown common proportion.

Under the null hypothesis both groups share an unknown proportion p. The rejection probability U(p) is bounded over all
p in the declared range, not at an estimate, in cells [m − r, m + r]:

* Coupling. Within a cell the first count is stochastically at most that of the largest proportion and the second at
  least that of the smallest, so U is at most the probability with these two.
* Interpolation. U is evaluated at N Chebyshev nodes, and the polynomial through them is off by at most
  r^N/(2^{N−1}·N!)·max|U^{(N)}|. The likelihood of each record is linear in p, with score s_i = (x_i − p_i)/(p_i·q_i):
  U^{(N)} = N!·E[f·e_N(s)] for the probability f of rejection given the data and the elementary symmetric polynomial
  e_N. Its terms are uncorrelated: E[e_N²] ≤ I^N/N! with I = Σ 1/(p_i·q_i). As f² ≤ f, |U^{(N)}| ≤ √(U·N!·I^N)
  (Cauchy–Schwarz). A polynomial of degree d, minus any constant, is at most its largest modulus at M Chebyshev nodes
  divided by cos(d·π/(2M)) (Ehlich & Zeller 1964).

The smaller of the two bounds is used. Cells are halved until the bound is close to the largest value found.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dplens._validate import Floats
from dplens.analyst.laws.tails import bracket
from dplens.numerics.roots import sign_change

if TYPE_CHECKING:
    from dplens.analyst.laws.two_counts import TwoCounts

TOLERANCE = 1e-3  # relative width of the enclosure of the maximum
_NODES = 16  # Chebyshev nodes in a cell


def enclose(
    pair: TwoCounts, x: float, upper: bool, shift: float, ends: tuple[float, float], limit: float, most: int
) -> tuple[float, float]:
    """Both ends of the largest P(T ≥ x), or P(T ≤ x), over p2 between ``ends`` and p1 = p2 + shift."""
    a, b = _first_cells(pair, shift, *ends)
    low, top, high, count = 0.0, 0.0, 0.0, 0  # the largest values found, the proven bound
    _, lost = pair.error()
    while True:
        middle = np.clip((a + b) / 2, 0, 1)
        seen = pair.tail(x, upper, np.clip(middle + shift, 0, 1), middle)
        low, top = max(low, float(seen[0].max())), max(top, float(seen[1].max()))
        count += len(a)
        target = top * (1 + TOLERANCE) + 16 * lost if math.isinf(limit) else limit
        seen, tops = _cells(pair, x, upper, shift, a, b, target)
        low, top = max(low, seen[0]), max(top, seen[1])
        wide = tops > target
        high = max(high, float(tops[~wide].max(initial=0.0)))
        if not wide.any() or top > limit * (1 - 1e-6) or count > most or float((b - a)[wide].max()) < 1e-13:
            return low, max(high, float(tops[wide].max(initial=0.0)), low)
        a, b = a[wide], b[wide]
        middle = (a + b) / 2
        a, b = np.sort(np.concatenate([a, middle])), np.sort(np.concatenate([middle, b]))


def _first_cells(pair: TwoCounts, shift: float, start: float, end: float) -> tuple[Floats, Floats]:
    """Cells with about the same r·√I, narrow near 0 and 1."""
    if not end > start:
        return np.array([start]), np.array([end])
    angles = np.arcsin(np.sqrt(np.clip([start, end, start + shift, end + shift], 0.0, 1.0)))
    parts = 2 + math.ceil(0.35 * math.sqrt(pair.n1 + pair.n2) * max(np.diff(angles)[[0, 2]]))
    edges = np.sin(np.linspace(angles[0], angles[1], parts + 1)) ** 2
    edges[0], edges[-1] = start, end
    return edges[:-1], edges[1:]


def _cells(
    pair: TwoCounts, x: float, upper: bool, shift: float, a: Floats, b: Floats, target: float
) -> tuple[tuple[float, float], Floats]:
    """Both ends of the largest probability found, and a bound for each cell, refined if above the target."""
    # coupling: the endpoints of the cell that make rejection likeliest
    one, two = (b, a) if upper else (a, b)
    tops = pair.tail(x, upper, np.clip(one + shift, 0, 1), np.clip(two, 0, 1))[1]
    m, r = (a + b) / 2, (b - a) / 2
    with np.errstate(all="ignore"):
        information = sum(
            n * np.maximum(1 / (u * (1 - u)), 1 / (v * (1 - v)))
            for n, u, v in ((pair.n1, a + shift, b + shift), (pair.n2, a, b))
        )
        remainder = (r * np.sqrt(information)) ** _NODES / (math.sqrt(math.factorial(_NODES)) * 2 ** (_NODES - 1))
        smooth = (tops > target) & (information > 0) & (remainder < 0.1 * np.sqrt(tops))  # else interpolation fails
    if not smooth.any():
        return (0.0, 0.0), tops
    nodes, basis, worse = _interpolation()
    places = m[smooth, None] + r[smooth, None] * nodes
    flat = np.clip(places, 0, 1).ravel()
    ends = pair.tail(x, upper, np.clip(flat + shift, 0, 1), flat)
    between = ends[1].reshape(places.shape) @ basis  # of upper ends, hence twice the error
    most, least, largest = between.max(axis=1), between.min(axis=1), ends[1].reshape(places.shape).max(axis=1)
    error, lost = pair.error()
    rounding = 8 * (largest * error + lost) + 1e-14 * largest
    sums = (most + least) / 2 + (most - least) / 2 * worse + rounding
    for _ in range(6):  # each bound makes the remainder smaller
        tops[smooth] = np.minimum(tops[smooth], sums + np.sqrt(tops[smooth]) * remainder[smooth])
    return (float(ends[0].max()), float(ends[1].max())), tops


@lru_cache(maxsize=1)
def _interpolation(samples: int = 1024) -> tuple[Floats, Floats, float]:
    """Chebyshev nodes in [−1, 1], the matrix from values there to ``samples`` values, and the factor for the gaps."""
    at = math.pi * (2 * np.arange(_NODES) + 1) / (2 * _NODES)
    dense = math.pi * (2 * np.arange(samples) + 1) / (2 * samples)
    degrees = np.arange(_NODES)
    # the polynomial through the values is Σ c_k·T_k, c_k = (2 − [k = 0])/N·Σ value·cos(k·angle)
    coefficients = np.cos(np.outer(at, degrees)) * (2.0 / _NODES)
    coefficients[:, 0] /= 2
    worse = 1 / math.cos((_NODES - 1) * math.pi / (2 * samples))
    return np.cos(at), coefficients @ np.cos(np.outer(degrees, dense)), worse


def critical_of_density(pair: TwoCounts, upper: bool, level: float, common: tuple[float, float]) -> float:
    """The critical value on a grid of proportions, moved outwards until the proof succeeds."""
    sign, unit = (1 if upper else -1), pair.start()
    aim = math.log(max(level * (1 - 5e-4) - 16 * pair.error()[1], level / 2))  # a margin makes the proof easy

    def excess(x: float) -> float:
        return log(pair.largest_on_grid(x, upper, 0.0, common)) - aim

    near, far = bracket(excess, sign, unit)
    _, found = sign_change(
        lambda x: np.array([excess(float(v)) for v in x]), np.array([near]), np.array([far]), width=1e-6
    )
    x = float(found[0])
    hazard = max((excess(x - sign * 1e-3 * unit) - excess(x)) / (1e-3 * unit), 1e-3 / unit)
    step = 3e-5 * max(abs(x), pair.noise.scale)
    while True:
        low, high = pair.worst(x, upper, 0.0, common, level)
        if high <= level:
            return x
        x += sign * max(step, (log(low) - aim) / hazard)
        step *= 2


def log(x: float) -> float:
    """log x, finite at 0."""
    return math.log(max(x, 5e-324))
