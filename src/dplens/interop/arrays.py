"""Trade-off curves and profiles as arrays or data frames, for instance from riskcal."""

from __future__ import annotations

from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.curves.readings.points import concave_hull
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.guarantees import PrivacyProfile, TradeOffPoints

_NAMES = {
    "alpha": ("alpha", "alphas", "fpr"),
    "beta": ("beta", "betas", "fnr"),
    "epsilon": ("epsilon", "epsilons", "eps"),
    "delta": ("delta", "deltas"),
}


def from_arrays(
    alpha: Any, beta: Any, *, between: str = "safe", neighbours: str = "add_remove", origin: str = ""
) -> TradeOffPoints:
    """The guarantee given by points (alpha, beta) on a trade-off curve, for instance from riskcal.

    between: how the curve continues between the points. ``"safe"`` (default) takes the lower bound of all convex curves
    through them, a pessimistic bound that also covers both ends; ``"linear"`` interpolates, for arrays that hold every
    corner of a piecewise linear curve.

    >>> import dplens as dl
    >>> f = dl.Gaussian(sigma=1.0).tradeoff()
    >>> alpha = [i / 1000 for i in range(1001)]
    >>> m = dl.from_arrays(alpha, f(alpha))
    >>> 0 <= f(0.25) - m.tradeoff()(0.25) < 1e-5
    True
    """
    x = _validate.floats("alpha", alpha, "in [0, 1]", 0.0, 1.0)
    y = _validate.floats("beta", beta, "in [0, 1]", 0.0, 1.0)
    if x.ndim != 1 or not len(x) or x.shape != y.shape:
        raise _validate.reject("beta", f"to have one value for each alpha ({x.size})", _validate.Shown(f"{y.size}"))
    _validate.text("origin", origin)
    _validate.one_of("between", between, ("safe", "linear"))
    x, y = _curve(x, y)
    if between == "safe":
        x, y = _below(x, y)
    said = "straight between them" if between == "linear" else "between them what no convex curve can fall below"
    given = origin or f"{'points' if between == 'linear' else 'pessimistic bound: points'} of a trade-off curve, {said}"
    return TradeOffPoints(alphas=x.tolist(), betas=y.tolist(), origin=given, neighbours=neighbours)


def from_frame(frame: Any, *, between: str = "safe", neighbours: str = "add_remove", origin: str = "") -> Mechanism:
    """The guarantee in a data frame (or mapping of columns): ``alpha`` and ``beta``, or ``epsilon`` and ``delta``.

    The names fpr, fnr, eps and plurals are also recognised. Each (epsilon, delta) of a profile counts as a guarantee.

    >>> import dplens as dl
    >>> curve = dl.from_frame({"epsilon": [0.0, 1.0], "delta": [0.4, 0.1]}).tradeoff()
    >>> print(f"{curve(0.1):.4f}")
    0.6282
    """
    try:
        columns = {str(name).lower(): name for name in frame.keys()}  # noqa: SIM118 - frames have keys()
    except AttributeError:
        remedy = "Pass a data frame, or a mapping from column to numbers."
        raise _validate.reject_type("frame", "to be a table", frame, remedy) from None

    def column(kind: str) -> Any:
        name = next((columns[n] for n in _NAMES[kind] if n in columns), None)
        if name is None:
            return None
        found = frame[name]
        if np.ma.is_masked(found):  # masked values are missing
            raise _validate.reject("frame", f"to have a number in every row of {name}", _validate.Shown("missing ones"))
        return _validate.as_array(f"column {name}", found)

    _validate.text("origin", origin)
    alpha, beta, epsilon, delta = (column(kind) for kind in _NAMES)
    if alpha is not None and beta is not None:
        return from_arrays(alpha, beta, between=between, neighbours=neighbours, origin=origin)
    if epsilon is not None and delta is not None:
        given = origin or "pessimistic bound: points of a privacy profile, the worst that they allow"
        return PrivacyProfile(epsilons=epsilon, deltas=delta, origin=given, neighbours=neighbours)
    shown = _validate.Shown(f"columns {sorted(map(str, columns.values()))}")
    raise _validate.reject("frame", "to have columns alpha and beta, or epsilon and delta", shown)


def _curve(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The points sorted from alpha 0 to alpha 1; refuses points that are not on a trade-off curve."""
    above = y > 1 - x + 1e-9
    if above.any():
        at = int(np.argmax(above))
        remedy = "A blind guess has beta = 1 − alpha. Are these rates of success? Then pass 1 − them."
        raise _validate.reject("beta", f"to be at most 1 - alpha (alpha = {x[at]:g})", float(y[at]), remedy)
    near = (x > 0) & (x < 1e-290)  # too close to 0 for a slope
    x, y = x[~near], y[~near]
    order = np.lexsort((y, x))
    x, y = x[order], np.minimum(y[order], 1 - x[order])
    x, least = np.unique(x, return_index=True)
    y = y[least]  # the least beta of each alpha
    if not len(x) or x[0] > 0:
        x, y = np.append(0.0, x), np.append(1.0, y)
    if x[-1] < 1:
        x, y = np.append(x, 1.0), np.append(y, 0.0)
    slope = np.diff(y) / np.diff(x)
    rounding = 1e-9 / np.diff(x)
    if (slope > rounding).any() or (np.diff(slope) < -1e-6 * np.abs(slope[1:]) - rounding[1:] - rounding[:-1]).any():
        remedy = "On a trade-off curve beta falls as alpha grows, ever more slowly."
        shown = _validate.Shown("points that are not")
        raise _validate.reject("beta", "to be falling and convex in alpha", shown, remedy)
    return x, np.minimum.accumulate(y)


def _below(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Corners of a convex curve below every convex curve through the points.

    Between two points such a curve lies above the lines through the two points before and the two points after. These
    meet once between each pair of points; the lower hull of their intersections is the bound.
    """
    slope = np.diff(y) / np.diff(x)
    if len(slope) < 2:
        return np.array([0.0, 1.0]), np.array([0.0, 0.0])  # too few points to exclude anything
    inner = slice(1, -1)
    loose = 1e-15 / np.diff(x)  # rounding error of a slope, from that of a beta near 1
    before, after = slope[:-2] - loose[:-2], slope[2:] + loose[2:]
    x1, y1, x2, y2 = x[1:-2], y[1:-2], x[2:-1], y[2:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        at = (y2 - y1 + before * x1 - after * x2) / (before - after)
    at = np.where(after > before, np.clip(at, x1, x2), x1)
    low = np.maximum(y1 + before * (at - x1), y2 + after * (at - x2))
    low = np.minimum(low, y1 + slope[inner] * (at - x1))
    first = max(y[1] + (slope[1] + loose[1]) * (x[0] - x[1]), 0.0)
    xs, ys = np.concatenate([[0.0], at, [1.0]]), np.concatenate([[first], low, [0.0]])
    last = slope[-2] - loose[-2]
    if y[-2] + last * (1 - x[-2]) < 0:  # the line before the last stretch reaches 0 before alpha 1
        xs, ys = np.insert(xs, -1, min(x[-2] - y[-2] / last, 1.0)), np.insert(ys, -1, 0.0)
    ys = np.clip(ys, 0.0, 1 - xs)
    corners = concave_hull(xs, -ys)
    return xs[corners], ys[corners]
