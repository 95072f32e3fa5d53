"""From proved points of an ROC curve to a trade-off curve that the true one cannot lie above."""

from __future__ import annotations

import numpy as np

from dplens._validate import Floats
from dplens.curves.base import TradeOff
from dplens.curves.piecewise import PiecewiseCurve


def concave_points(fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
    """Corners, from (0, 0) to (1, 1), of the least concave curve above the points and the diagonal.

    Attacks can be mixed by a coin, so whatever lies under the hull of what was achieved can be achieved too.
    """
    keep = (tpr > fpr) & (fpr < 1)
    x = np.concatenate([[0.0], fpr[keep], [1.0]])
    y = np.concatenate([[0.0], tpr[keep], [1.0]])
    order = np.lexsort((y, x))
    corners: list[tuple[float, float]] = []
    for a, b in zip(x[order].tolist(), y[order].tolist()):
        while len(corners) > 1:
            (x0, y0), (x1, y1) = corners[-2:]
            if (x1 - x0) * (b - y0) - (y1 - y0) * (a - x0) < 0:  # a turn to the right: the corner stays
                break
            corners.pop()
        if corners and corners[-1][0] == a and a == 0.0 and b > corners[-1][1]:
            corners.append((a, b))  # a proof: power at false-positive rate 0
        elif corners and corners[-1][0] == a:
            corners[-1] = (a, max(b, corners[-1][1]))
        else:
            corners.append((a, b))
    found = np.array(corners)
    return found[:, 0], found[:, 1]


def measured_curve(fpr: Floats, tpr: Floats, confidence: float) -> TradeOff:
    """The piecewise linear trade-off curve through the corners of a hull, which are proved points.

    With the stated confidence the true curve lies on or below it.
    """
    p, q = np.diff(fpr), np.diff(tpr)
    with np.errstate(divide="ignore"):
        loss = np.log(q) - np.log(p)
    keep = (p > 0) | (q > 0)
    p, q, loss = p[keep], q[keep], loss[keep]
    loss = np.minimum.accumulate(loss)  # equal slopes may differ in their last digits
    note = f"measured: a lower bound on what leaks, with confidence {confidence:g}"
    return PiecewiseCurve(p, q, loss, 1e-12, 1e-12, 1e-12, route="measured", note=note, is_measured=True)
