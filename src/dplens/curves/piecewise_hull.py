"""The hull of several piecewise linear curves, which is one too."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dplens.curves.piecewise import PiecewiseCurve


def piecewise_hull(parts: tuple[PiecewiseCurve, ...]) -> PiecewiseCurve:
    """Largest convex function below all ``parts``: the concave majorant of all ROC vertices.

    Exact. A segment that is one of a part's own keeps that part's loss; only bridges between parts are new.
    """
    rows = [
        np.stack([c.alpha, c.co, c.power_, c.beta_, np.full(len(c.alpha), i), np.arange(len(c.alpha))], axis=1)
        for i, c in enumerate(parts)
    ]
    points = np.concatenate(rows)
    points = points[np.lexsort((points[:, 2], -points[:, 3], -points[:, 1], points[:, 0]))]
    kept: list[np.ndarray] = []
    for point in points:
        if kept and point[2] <= kept[-1][2] and point[3] >= kept[-1][3] and (point[1] > 0 or kept[-1][1] <= 0):
            continue  # no higher than one to its left, and not the corner at which every curve ends
        while len(kept) > 1 and not _turns_down(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    proof = max(parts, key=lambda c: c._power_at_zero())
    foot = max(parts, key=lambda c: c.inverse()._power_at_zero())
    certain, lost = proof._power_at_zero(), foot.inverse()._power_at_zero()
    # a proof is one also beside losses so large that their alphas (or betas) have underflowed
    if certain > 0 and kept[1][0] <= 0 and kept[1][2] > certain:
        kept.insert(1, np.array([0.0, 1.0, certain, proof.beta_at_zero().mid, parts.index(proof), -1]))
    if lost > 0 and kept[-2][3] <= 0 and kept[-2][1] > lost:
        kept.insert(-1, np.array([foot.inverse().beta_at_zero().mid, lost, 1.0, 0.0, parts.index(foot), -1]))
    vertices = np.array(kept)
    steps = [_difference(a, b) for a, b in pairwise(vertices)]
    p, q = (np.array([step[i] for step in steps]) for i in (0, 1))
    with np.errstate(divide="ignore"):
        loss = np.log(q) - np.log(p)
    # a hull can be no steeper than its parts (and where masses underflowed, it is as steep as they are)
    finite = np.concatenate([c.loss[np.isfinite(c.loss)] for c in parts])
    loss = np.clip(loss, np.min(finite, initial=0.0), np.max(finite, initial=0.0))
    loss[(p <= 0) & (vertices[1:, 2] <= certain)] = np.inf
    loss[(q <= 0) & (vertices[:-1, 1] <= lost)] = -np.inf
    for i, (a, b) in enumerate(pairwise(vertices)):
        own = _own_loss(parts, a, b)
        if own is not None:
            loss[i] = own
        elif min(p[i], q[i]) > 1e-9 and abs(loss[i]) <= 32e-16 * (1 / p[i] + 1 / q[i]):
            loss[i] = 0.0  # a bridge between mirror images has slope 1
    loss = np.minimum.accumulate(loss)
    rounding = max(c.loss_rounding for c in parts) + 1e-15
    proofs, totals = max(c.input_rounding for c in parts), max(c.total_rounding for c in parts)
    said = max(parts, key=lambda c: len(c.note))
    return PiecewiseCurve(
        p,
        q,
        loss,
        rounding,
        proofs,
        totals,
        route=said.route,
        note=said.note,
        rounding=max(c.rounding for c in parts),
        parts=parts,
    )


def _own_loss(parts: tuple[PiecewiseCurve, ...], a: np.ndarray, b: np.ndarray) -> float | None:
    """The loss of the part that runs from vertex a to vertex b, if one does."""
    for i, k in ((int(a[4]), int(a[5])), (int(b[4]), int(b[5]) - 1)):
        part = parts[i]
        if not 0 <= k < len(part.p):
            continue
        ends = ((x[k], x[k + 1]) for x in (part.alpha, part.co, part.power_, part.beta_))
        if all(abs(x - a[j]) <= 4e-16 * x and abs(y - b[j]) <= 4e-16 * y for j, (x, y) in enumerate(ends)):
            return float(part.loss[k])
    return None


def _difference(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """(alpha, power) steps from vertex a to b, from whichever end of the axis keeps the digits."""
    run = b[0] - a[0] if b[0] <= 0.5 else a[1] - b[1]
    rise = b[2] - a[2] if b[2] <= 0.5 else a[3] - b[3]
    return max(float(run), 0.0), max(float(rise), 0.0)


def _turns_down(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> bool:
    (run1, rise1), (run2, rise2) = _difference(a, b), _difference(b, c)
    first, second = max(run1, rise1), max(run2, rise2)  # products of tiny steps would underflow
    if first == 0 or second == 0:
        return False
    return (rise1 / first) * (run2 / second) > (rise2 / second) * (run1 / first) * (1 + 1e-15)
