"""The hull of several piecewise linear curves, which is also piecewise linear."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import reduce

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.finite.piecewise import PiecewiseCurve


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


def _of_two(one: PiecewiseCurve, two: PiecewiseCurve) -> PiecewiseCurve:
    """The hull of two curves: at each loss it touches the curve with the larger delta.

    Between two losses neither curve has a vertex, and deltas are linear in e^loss. So the deltas cross at most once,
    and the bridge joins the vertices at which the two curves have these slopes.
    """
    curves = one, two
    losses = np.unique(np.concatenate([one.loss, two.loss, [math.inf, -math.inf]]))[::-1]
    deltas = np.array([signed_delta(c, losses) for c in curves])
    apart = deltas[1] - deltas[0]
    clear = np.abs(apart) > 1e-14 * deltas.max(axis=0)  # otherwise they differ by rounding
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
    segments.append(_segments(curves[now], start, None))
    p, q, loss = (np.concatenate(rows) for rows in zip(*segments))
    some = (p > 0) | (q > 0)
    return PiecewiseCurve(
        p[some],
        q[some],
        loss[some],
        max(c.loss_rounding for c in curves) + 1e-15,
        max(c.input_rounding for c in curves),
        max(c.total_rounding for c in curves),
        rounding=max(c.rounding for c in curves),
    )


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


def lower_hull(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The corners of the convex hull of points from below; of points with the same x, the first one counts."""
    corners: list[tuple[float, float]] = []
    for a, b in zip(x.tolist(), y.tolist()):
        if corners and a <= corners[-1][0]:
            continue
        while len(corners) > 1:
            (x0, y0), (x1, y1) = corners[-2:]
            if (y1 - y0) * (a - x0) < (b - y0) * (x1 - x0):
                break
            corners.pop()
        corners.append((a, b))
    found = np.array(corners)
    return found[:, 0], found[:, 1]
