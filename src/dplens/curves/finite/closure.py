"""Hulls and groups of piecewise linear curves, which are piecewise linear again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.numerics.laws.geometric import GeometricNoise

_TIE = 1e-14  # relative difference up to which two curves count as equal


def piecewise_hull(parts: tuple[PiecewiseCurve, ...]) -> PiecewiseCurve:
    """The largest convex function below all ``parts``: segments of theirs with their losses, and bridges. Exact."""
    said = max(parts, key=lambda c: len(c.note))
    symmetric = all(any(c.inverse() is other for other in parts) for c in parts)
    return replace(reduce(_of_two, parts), parts=parts, route=said.route, note=said.note, is_symmetric=symmetric)


def signed_delta(curve: TradeOff, loss: Floats) -> Floats:
    """delta(l) for l ≥ 0; for l < 0 the mirror image's delta(−l), which gives the same order of curves."""
    if curve.inverse() is curve:
        return curve.profile_bounds(np.abs(loss)).hi
    out, up = np.empty_like(loss), loss >= 0
    out[up], out[~up] = curve.profile_bounds(loss[up]).hi, curve.inverse().profile_bounds(-loss[~up]).hi
    return out


def least_error(parts: Sequence[TradeOff], loss: Floats) -> Floats:
    """A lower bound on 1 − delta, with all its digits if the part with the largest delta has a formula."""
    return np.min(
        [1 - c.profile_upper(loss) - 2e-16 if c.searches_profile else c.error_bounds(loss).lo for c in parts], axis=0
    )


def _of_two(one: PiecewiseCurve, two: PiecewiseCurve) -> PiecewiseCurve:
    """The hull of two curves: at each loss it touches the curve with the larger delta.

    Between two losses neither curve has a vertex, and deltas are linear in e^loss. So the deltas cross at most once,
    and the bridge joins the vertices at which the two curves have these slopes.
    """
    curves = one, two
    losses = np.unique(np.concatenate([one.loss, two.loss, [math.inf, -math.inf]]))[::-1]
    deltas, rest = np.array([signed_delta(c, losses) for c in curves]), np.array([_rest(c, losses) for c in curves])
    # where deltas are near 1, only what is left has digits
    near = (deltas.max(axis=0) > 0.5) & np.isfinite(rest).all(axis=0)
    apart = np.where(near, rest[0] - rest[1], deltas[1] - deltas[0])
    size = np.where(near, rest, deltas).max(axis=0)
    clear = np.abs(apart) > _TIE * size  # otherwise they differ by rounding
    tied = float(np.max(np.abs(apart) / np.maximum(size, 5e-324), where=~clear, initial=0.0))
    last = np.maximum.accumulate(np.where(clear, np.arange(len(losses)), np.argmax(clear)))
    best = (apart[last] > 0).astype(int)  # on ties, the one that was better before
    segments, start, now = [], 0, int(best[0])
    for j, wanted in enumerate(best[1:].tolist()):
        if wanted == now:
            continue
        # if both touch the same line, its first vertex is that of the old curve
        left = int(np.searchsorted(curves[now]._rising, -losses[j], side="right" if clear[j] else "left"))
        right = int(np.searchsorted(curves[wanted]._rising, -losses[j], side="right"))
        bridge = _bridge(curves[now], left, curves[wanted], right, losses[j : j + 2])
        while bridge is None and math.isinf(losses[j + 1]) and left > start:  # proofs of H0 always count
            left -= 1
            bridge = _bridge(curves[now], left, curves[wanted], right, losses[j : j + 2])
        if bridge is not None:  # otherwise they differ by rounding only
            segments += [_segments(curves[now], start, left), bridge]
            start, now = right, wanted
    bridges = len(segments) // 2  # their masses are differences of rounded vertices
    segments.append(_segments(curves[now], start, None))
    p, q, loss = (np.concatenate(rows) for rows in zip(*segments))
    some = (p > 0) | (q > 0)
    return PiecewiseCurve(
        p[some],
        q[some],
        loss[some],
        max(c.loss_rounding for c in curves) + 1e-15,
        max(c.input_rounding for c in curves),
        max(c.total_rounding for c in curves) + 4e-16 * bridges,
        rounding=max(4e-16 * (4 + bridges), *(c.rounding for c in curves)) + min(tied, _TIE),
    )


def _rest(curve: PiecewiseCurve, loss: Floats) -> Floats:
    """1 − delta(l) with all its digits; for l < 0 that of the mirror image."""
    out, up = 1 - signed_delta(curve, loss), loss >= 0
    for side, directed in ((up, curve), (~up, curve.inverse())):
        some = np.flatnonzero(side & np.isfinite(loss))
        found = directed.error_bounds(np.abs(loss[some])).hi
        out[some] = np.where(found <= out[some] + 1e-9, found, out[some])  # where alphas underflow, sums are unknown
    return out


def _segments(curve: PiecewiseCurve, start: int, end: int | None) -> tuple[Floats, Floats, Floats]:
    return curve.p[start:end], curve.q[start:end], curve.loss[start:end]


def _bridge(
    before: PiecewiseCurve, left: int, after: PiecewiseCurve, right: int, between: Floats
) -> tuple[Floats, Floats, Floats] | None:
    """Masses and loss of the segment from a vertex of one curve to one of another; None if the latter is not beyond.

    Differences are computed from the end of the axis that keeps the digits. between: the adjacent losses.
    """
    steps = []
    for low, high in (("alpha", "co"), ("power_", "beta_")):
        (a, b), (c, d) = ((getattr(before, name)[left], getattr(after, name)[right]) for name in (low, high))
        small, large = (a, b) if b <= 0.5 else (d, c)
        steps.append(float(large - small) if abs(large - small) > 4e-16 * large else 0.0)
    run, rise = steps
    if min(steps) < 0:
        return None
    if min(steps) > 0:
        # equal masses belong to a bridge between mirror images, of slope −1
        loss = 0.0 if abs(rise - run) <= 32e-16 else math.log(rise) - math.log(run)
    else:  # a step has underflowed
        loss = math.copysign(math.inf, rise - run)
    return np.array([run]), np.array([rise]), np.clip([loss], between[1], between[0])


# ---- groups --------------------------------------------------------------------------------------------


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


def _multiples(single: Floats, sums: Floats) -> bool:
    """Whether all sums are exact multiples of the single original loss."""
    finite = [np.abs(x[np.isfinite(x) & (x != 0)]) for x in (single, sums)]
    if not len(finite[0]) or (finite[0] != finite[0][0]).any():
        return False
    loss, times = float(finite[0][0]), np.rint(finite[1] / finite[0][0])
    exact = float(times.max(initial=0.0)) * loss.as_integer_ratio()[0] < 2**53  # products of at most 53 bits
    return exact and bool((times * loss == finite[1]).all())
