"""Many equal steps of two atoms and a box, by how many of them fell into the box.

With A = ½·(δ_{−a} + δ_a) and B the level law on [−a, a], the ν of n steps is a multiple of Σ_j c_j·A^{n−j}·B^j,
c_j = C(n, j)·(box/atoms)^j. By Horner's scheme in B that is one box for each j, and rows of binomial chances between.
Boxes are rare where a is small, so that few j are enough, however many steps there are.

What leaving out the j > J loses, relative to what is kept: a level step is a mean-preserving contraction of two atoms,
and calls are expectations of a convex function of the loss, so X_j = A^{n−j}·B^j has the smaller calls and puts the
larger j is. They lose no more than Σ_{j>J} c_j/Σ_{j≤J} c_j. Floors are expectations of e^{−|L − e|/2}, which a step put
elsewhere in [−a, a] changes by a factor e^a at most: they lose no more than
Σ_{j>J} c_j·e^{a·(j−J)}/Σ_{j≤J} c_j·e^{−a·(J−j)}.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import gammaln

from dplens.composition.spline.sums import Spline
from dplens.curves.base import Floats

_LOSS = 1e-17  # share that may be left out
_MOST = 200_000  # steps
_WORK = 1e8  # coefficients; about half a second


def spline_power(epsilon: float, reach: int, count: int, log_finite: float = 0.0) -> tuple[Spline, float] | None:
    """The sum of ``count`` Laplace steps and a bound on the share left out; None if that is too much work.

    ``log_finite``: log of the chance that none of them fails. Do not compute it from powers of 1 − kappa, whose rounding
    would be multiplied by the number of steps.
    """
    ratio = epsilon / 2
    boxes = _boxes(epsilon, ratio, count) if count <= _MOST else None
    if boxes is None:
        return None
    row = _binomial_row(count - boxes)
    there = np.flatnonzero(row)  # the others, more than 38 standard deviations out, underflow
    if len(there) * boxes**2 / 2 > _WORK:
        return None
    terms = [math.exp(log_finite)]
    for j in range(1, boxes + 1):
        terms.append(terms[-1] * ((count - j + 1) / j * ratio))
    row, knots = row[there], (2 * there - (count - boxes)).astype(np.int64) * reach
    spline: Spline | None = Spline.of_atoms(knots, row * terms[-1])
    for term in terms[-2::-1]:
        spline = spline.times(reach, 0.0, 1.0)
        if spline is None:  # pragma: no cover - every window ends with a cell
            return None
        row = (np.append(row, 0.0) + np.append(0.0, row)) / 2  # one coin more
        spline = replace(spline, atoms=row * term)
    # terms, rows and the chance that none fails, besides what the spline counts
    return replace(spline, rounds=spline.rounds + 6 * boxes + 8 + math.ceil(-8 * log_finite)), 2 * _LOSS


def _boxes(epsilon: float, ratio: float, count: int) -> int:
    """The least J for which what is left out does not count."""
    j = np.arange(count + 1, dtype=float)
    log_term = gammaln(count + 1.0) - gammaln(j + 1) - gammaln(count - j + 1) + j * (math.log(ratio) + epsilon)
    term = np.exp(log_term - log_term.max())
    left_out = np.append(np.cumsum(term[::-1])[-2::-1], 0.0)
    return int(np.flatnonzero(left_out <= _LOSS * np.cumsum(term))[0])


def _binomial_row(count: int) -> Floats:
    """Chances of the numbers of heads of ``count`` fair coins, each rounded once or twice."""
    half, ways, exponent = [], 1, -count  # C(count, k)·2^−count = ways·2^exponent
    for k in range(count // 2 + 1):
        half.append(math.ldexp(float(ways), exponent))
        ways = ways * (count - k) // (k + 1)
        if ways.bit_length() > 512:  # 256 digits are left, of which the quotients lose next to nothing
            ways >>= 256
            exponent += 256
    return np.array(half + half[: count + 1 - len(half)][::-1])
