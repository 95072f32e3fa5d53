"""Many equal steps of two atoms and a box, by the number of steps that fall into the box.

With A = ½·(δ_{−a} + δ_a) and B uniform on [−a, a], the ν of n steps is a multiple of Σ_j c_j·A^{n−j}·B^j,
c_j = C(n, j)·(box/atoms)^j. By Horner's scheme in B that is one box for each j, with binomial weights in between.
If a is small, boxes are rare, so that few j suffice for any number of steps.

The share lost by dropping the j > J: a uniform step is a mean-preserving contraction of two atoms,
and calls are expectations of a convex function of the loss, so X_j = A^{n−j}·B^j has smaller calls and puts for
larger j. They lose at most Σ_{j>J} c_j/Σ_{j≤J} c_j. Floors are expectations of e^{−|L − e|/2}, which moving a step
within [−a, a] changes by at most a factor e^a: they lose at most
Σ_{j>J} c_j·e^{a·(j−J)}/Σ_{j≤J} c_j·e^{−a·(J−j)}.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import gammaln

from dplens.composition.spline.sums import Spline
from dplens.curves.base import Floats

_DROPPED = 1e-17  # share that may be dropped


def spline_power(epsilon: float, reach: int, count: int, log_finite: float = 0.0) -> tuple[Spline | None, float]:
    """The sum of ``count`` Laplace steps, or None if it takes more than half a second, and a bound on what it drops.

    ``log_finite``: log of the chance that none of them fails. Powers of 1 − kappa would multiply its rounding by count.
    """
    if count > 200_000:
        return None, 0.0
    ratio = epsilon / 2
    boxes = _boxes(epsilon, ratio, count)
    row = _binomial_row(count - boxes)
    there = np.flatnonzero(row)  # the others, more than 38 standard deviations out, underflow
    if len(there) * boxes**2 / 2 > 1e8:
        return None, 0.0
    terms = [math.exp(log_finite)]
    for j in range(1, boxes + 1):
        terms.append(terms[-1] * ((count - j + 1) / j * ratio))
    row, knots = row[there], (2 * there - (count - boxes)).astype(np.int64) * reach
    spline: Spline | None = Spline.of_atoms(knots, row * terms[-1])
    for term in terms[-2::-1]:
        spline = spline.times(reach, 0.0, 1.0)
        if spline is None:  # pragma: no cover - every window ends with a cell
            return None, 0.0
        row = (np.append(row, 0.0) + np.append(0.0, row)) / 2  # one more coin
        spline = replace(spline, atoms=row * term)
    # terms, rows and the probability that none fails, in addition to the roundings the spline counts
    return replace(spline, rounds=spline.rounds + 6 * boxes + 8 + math.ceil(-8 * log_finite)), 2 * _DROPPED


def _boxes(epsilon: float, ratio: float, count: int) -> int:
    """The smallest J for which the dropped terms are negligible."""
    j = np.arange(count + 1, dtype=float)
    log_term = gammaln(count + 1.0) - gammaln(j + 1) - gammaln(count - j + 1) + j * (math.log(ratio) + epsilon)
    term = np.exp(log_term - log_term.max())
    dropped = np.append(np.cumsum(term[::-1])[-2::-1], 0.0)
    return int(np.flatnonzero(dropped <= _DROPPED * np.cumsum(term))[0])


def _binomial_row(count: int) -> Floats:
    """Chances of the numbers of heads of ``count`` fair coins, each rounded once or twice."""
    half, ways, exponent = [], 1, -count  # C(count, k)·2^−count = ways·2^exponent
    for k in range(count // 2 + 1):
        half.append(math.ldexp(float(ways), exponent))
        ways = ways * (count - k) // (k + 1)
        if ways.bit_length() > 512:  # the remaining 256 bits are far more than the quotients lose
            ways >>= 256
            exponent += 256
    return np.array(half + half[: count + 1 - len(half)][::-1])
