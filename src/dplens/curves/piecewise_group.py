"""Groups of records under a piecewise linear curve: piecewise linear again, exactly."""

from __future__ import annotations

import numpy as np

from dplens.curves.base import Floats
from dplens.curves.piecewise import PiecewiseCurve

_Point = tuple[Floats, Floats]  # (x, 1 − x)


def piecewise_group(curve: PiecewiseCurve, size: int) -> PiecewiseCurve:
    """1 − (1 − f)^{∘size} for a symmetric piecewise linear f.

    With g = 1 − f the vertices of g∘…∘g are those points whose walk x, g(x), g(g(x)), … meets a vertex of g before
    its last step; the loss of a segment is the sum of the losses it walks along. A proof stays a proof: what g
    lifts from 0 in one step is lifted by the whole walk.
    """
    x, co = _vertices(curve, size)
    power, beta = _walk(curve, x, co, size)
    p, q = _steps(x, co), _steps(power, beta)
    middle = (x[:-1] + x[1:]) / 2, (co[:-1] + co[1:]) / 2
    loss = np.zeros(len(p))
    at = middle
    for _ in range(size):
        loss = loss + curve._log_slope(*at)
        at = _walk(curve, *at, 1)
    loss[np.isnan(loss)] = -np.inf  # nothing is left to lift, however steep a later step would be
    q[np.isneginf(loss)] = 0.0
    keep = p > 0  # vertices that floats cannot tell apart
    p, q, loss = p[keep], q[keep], loss[keep]
    if power[0] > 0:  # the proof
        p, q, loss = (np.concatenate([[first], rest]) for first, rest in ((0.0, p), (power[0], q), (np.inf, loss)))
    order = np.argsort(-loss, kind="stable")
    rounding = curve.loss_rounding + 2e-16 * size
    return PiecewiseCurve(p[order], q[order], loss[order], rounding, size * (curve.input_rounding + 1e-15))


def _vertices(curve: PiecewiseCurve, size: int) -> _Point:
    found = [(curve.alpha, curve.co)]
    for _ in range(size - 1):
        x, co = found[-1]
        # g⁻¹(y) = f⁻¹(1 − y), and f is its own inverse
        found.append((curve._beta(co, x), curve._power(co, x)))
    x, co = (np.concatenate([point[i] for point in found]) for i in (0, 1))
    ends = (x <= 0) | (co <= 0)
    x, co = np.append(x[~ends], [0.0, 1.0]), np.append(co[~ends], [1.0, 0.0])
    rank = np.lexsort((-co, x))
    return x[rank], co[rank]


def _walk(curve: PiecewiseCurve, x: Floats, co: Floats, size: int) -> _Point:
    for _ in range(size):
        x, co = curve._power(x, co), curve._beta(x, co)
    return x, co


def _steps(x: Floats, co: Floats) -> Floats:
    """Differences of neighbours, from the end that keeps the digits."""
    return np.maximum(np.where(x[1:] <= 0.5, np.diff(x), -np.diff(co)), 0.0)
