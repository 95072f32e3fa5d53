"""Groups of records under a piecewise linear curve: piecewise linear again, exactly."""

from __future__ import annotations

import math

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.numerics.laws.geometric import GeometricNoise


def piecewise_group(curve: PiecewiseCurve, size: int, most_vertices: int = 300_000) -> TradeOff | None:
    """1 − (1 − f)^{∘size} for a symmetric piecewise linear f.

    With g = 1 − f, the vertices of h∘k are those of k and the points that k maps to a vertex of h; the loss of a
    segment is the sum of the losses it passes through. Proofs remain proofs: where g is positive at 0, so are its
    iterates. Powers of g are formed by squaring, so the work grows with the number of vertices; None if there are too
    many. A pure guarantee is that of geometric noise with sensitivity 1, whose groups are shifts.
    """
    known = curve.loss_rounding == 0 and curve.total_rounding == 0  # the loss is a parameter
    if len(curve.p) == 2 and known and np.isfinite(curve.loss[0]) and curve.loss[0] == -curve.loss[1] > 0:
        # smaller groups sum the loss itself, since the scale 1/loss is rounded
        if size > 10_000 or float(curve.loss[0]) > 1e300 / size:
            return LatticeCurve(GeometricNoise(1 / float(curve.loss[0])), size)
    # sums of losses that cancel exactly may leave rounding errors: those of one record, times the records
    nearly = 4e-15 * float(np.max(np.abs(curve.loss[np.isfinite(curve.loss)]), initial=0.0))
    total, power, left = None, curve, size
    walked, doubled = 0, 1  # the group sizes of ``total`` and ``power``
    while left:
        if left % 2:
            walked += doubled
            total = power if total is None else _composed(power, total, nearly * walked)
        left //= 2
        if left:
            doubled *= 2
            power = _composed(power, power, nearly * doubled)
            if power.beta_at_zero().hi == 0:  # everything is revealed, also for larger groups
                total, size, left = power, doubled, 0
        if max(len(power.p), len(total.p) if total is not None else 0) > most_vertices:  # squaring more takes seconds
            return None
    found = total or curve
    steepest = float(np.max(np.abs(found.loss[np.isfinite(found.loss)]), initial=0.0))
    rounding = 4e-15 * (1 + math.log2(size)) + 4e-16 * steepest  # of each squaring, and of e^loss
    return PiecewiseCurve(
        found.p,
        found.q,
        found.loss,
        curve.loss_rounding + (0.0 if _multiples(curve.loss, found.loss) else 2e-16 * size),
        size * (curve.input_rounding + 1e-15),
        size * curve.total_rounding,
        rounding=rounding,
        is_symmetric=True,
        route=curve.route,
        note=curve.note,
    )


def _multiples(single: Floats, sums: Floats) -> bool:
    """Whether all sums are exact multiples of the single original loss."""
    finite = [np.abs(x[np.isfinite(x) & (x != 0)]) for x in (single, sums)]
    if not len(finite[0]) or (finite[0] != finite[0][0]).any():
        return False
    loss, times = float(finite[0][0]), np.rint(finite[1] / finite[0][0])
    exact = float(times.max(initial=0.0)) * loss.as_integer_ratio()[0] < 2**53  # products of at most 53 bits
    return exact and bool((times * loss == finite[1]).all())


def _composed(outer: PiecewiseCurve, inner: PiecewiseCurve, nearly: float) -> PiecewiseCurve:
    """The curve whose ROC is that of ``outer`` after that of ``inner``, both symmetric; losses ≤ ``nearly`` are 0."""
    # (x, 1 − x, power, beta) at the vertices of inner and at the points that inner maps to vertices of outer;
    # g⁻¹(y) = f⁻¹(1 − y), and f is its own inverse
    rows = [
        (inner.alpha, inner.co, *_rounded(outer, inner.power_, inner.beta_)),
        (*_rounded(inner, outer.co, outer.alpha)[::-1], outer.power_, outer.beta_),
    ]
    x, co, power, beta = (np.concatenate(parts) for parts in zip(*rows))
    # sort from left to right by the smaller of x and 1 − x; break ties by height
    rank = np.lexsort((power, -beta, np.where(x >= 0.5, -co, -1.0), np.minimum(x, 0.5)))
    x, co, power, beta = (values[rank] for values in (x, co, power, beta))
    # identify segments by the vertices passed, however close these are
    passed = np.cumsum(rank < len(inner.alpha))
    i, j = (np.clip(n - 1, 0, len(c.p) - 1) for n, c in ((passed, inner), (np.arange(len(x)) + 1 - passed, outer)))
    p, q = _steps(x, co), _steps(power, beta)
    with np.errstate(invalid="ignore", over="ignore"):
        loss = inner.loss[i[:-1]] + outer.loss[j[:-1]]
    loss[np.isnan(loss)] = -np.inf  # nothing is left to gain, however steep a later step
    q[np.isneginf(loss)] = 0.0
    keep = (p > 0) | (q > 0)
    return _from_flat_half(p[keep], q[keep], loss[keep], nearly)


def _rounded(curve: PiecewiseCurve, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
    return curve.rounded_power(alpha, co), curve.rounded_beta(alpha, co)


def _from_flat_half(p: Floats, q: Floats, loss: Floats, nearly: float) -> PiecewiseCurve:
    """The symmetric curve with these segments of negative loss; the others are their mirror images.

    On the steep half alphas may underflow, and whole segments with them. Their mirror images keep the masses in
    1 − alpha, and if beta underflows only q is lost, not the loss. A loss that is 0 up to rounding
    (``nearly``) belongs to the middle segment, which is its own mirror image.
    """
    flat, middle = loss < -nearly, np.abs(loss) <= nearly
    p, q = (np.concatenate([y[flat], x[middle], x[flat]]) for x, y in ((p, q), (q, p)))
    loss = np.concatenate([-loss[flat], loss[middle], loss[flat]])
    order = np.argsort(-loss, kind="stable")
    return PiecewiseCurve(p[order], q[order], loss[order])


def _steps(x: Floats, co: Floats) -> Floats:
    """Differences of neighbours, computed from the end that keeps the digits."""
    return np.maximum(np.where(x[1:] <= 0.5, np.diff(x), -np.diff(co)), 0.0)
