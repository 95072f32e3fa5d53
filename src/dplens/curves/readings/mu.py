"""One number for a whole curve: the tightest mu of Gaussian DP, and how much that number hides.

mu is the largest distance Φ⁻¹(power) − Φ⁻¹(alpha) along the curve (Dong, Roth & Su 2022, Section 2.3). Any test bounds
it from below. From above it is bounded by a polygon that no power exceeds: the power of a Gaussian mechanism is concave
in alpha, so it lies above the polygon if it does so at every vertex.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr, ndtri_exp

from dplens.curves.base import Floats, TradeOff
from dplens.curves.readings.points import LOOSE, Points
from dplens.numerics import normal
from dplens.numerics.sharing import remembered

if TYPE_CHECKING:
    from dplens.curves.finite.piecewise import PiecewiseCurve

Steps = Sequence[tuple[TradeOff, int]]

_TAIL, _BEFORE = np.linspace(-37.5, -36.0, 12), np.linspace(-34.0, -33.0, 12)  # far out, and not quite so far


def tightest_mu(curve: TradeOff, steps: Steps = (), least: float = 0.0) -> tuple[float, float]:
    """Bounds on the least mu with f ≥ G_mu.

    The losses of a curve with ``steps`` are the sums of theirs: if every step lies above a Gaussian curve, the sum lies
    above that with the root of the summed squares. ``least``: what is known to be needed at the smallest alphas.
    """
    if curve.origin is not curve:  # solve for one of two mirror images, so that both give the same digits
        return tightest_mu(curve.origin, [(step.inverse(), count) for step, count in steps], least)
    return remembered(vars(curve), "_found_mu", lambda: _bounds(curve, steps, least))


def _bounds(curve: TradeOff, steps: Steps, low: float) -> tuple[float, float]:
    if curve._power_at_zero() > 0 or curve.inverse()._power_at_zero() > 0:
        return math.inf, math.inf
    high = math.sqrt(math.fsum(count * step._mu()[1] ** 2 for step, count in steps)) if steps else math.inf
    if low >= high * (1 - 1e-12):
        return low, high * (1 + 1e-15)
    mirrored = [(step.inverse(), count) for step, count in steps]
    most = 0.0
    for side, parts in [(curve, steps), (curve.inverse(), mirrored)][: 1 if curve.inverse() is curve else 2]:
        low, found = _one_side(side, parts, low)
        most = max(most, found)
    high = min(most, high * (1 + 1e-15))
    return min(low, high), high


def _points(curve: TradeOff, z: Floats) -> Points:
    """Points of the curve at alpha = Φ(z)."""
    return Points.of(curve, z, ndtr(z), ndtr(-z))


def _least(points: Points) -> float:
    """The largest distance of quantiles at some points, from below."""
    below = _distance(points.at, points.least_power, points.most_beta, -1)
    return float(np.max(below[np.isfinite(below)], initial=0.0))


def _most(points: Points) -> Floats:
    """The distance of quantiles at each point, from above."""
    return _distance(points.at, points.power, points.beta, +1)


def _corners(points: Points) -> tuple[Floats, Floats]:
    """The distance at the corner of the polygon between each two points, from above, and its z."""
    meet, gain = points.corners()
    alpha = (points.alpha[:-1] + meet) * (1 - LOOSE)
    z = np.clip(normal.quantile(alpha, 1 - alpha), points.at[:-1], points.at[1:])
    power = np.minimum(points.power[:-1] + gain, points.power[1:])
    return _distance(z, power, np.maximum(points.beta[:-1] - gain, points.beta[1:]), +1), z


def _distance(z: Floats, power: Floats, beta: Floats, sign: int) -> Floats:
    """Φ⁻¹(power) − z, moved up or down by its rounding."""
    rise = normal.quantile(power, beta)
    return rise - z + sign * LOOSE * (np.abs(rise) + np.abs(z))


def _one_side(
    curve: TradeOff, steps: Steps, low: float, *, enough: float = 5e-11, rounds: int = 20
) -> tuple[float, float]:
    """Bounds on the mu that alphas up to ½ need, to a relative width of ``enough``; ``low`` is needed in any case."""
    end = 0.3  # Φ⁻¹ of the largest alpha: beyond ½ the mirror image is searched
    ends = steps or ([(curve, 1)] if math.isfinite(curve._max_loss()[1]) else [])
    low = max(low, _least(_points(curve, np.linspace(-1.0, end, 8))))
    start = float(_TAIL[-1])
    if ends:  # ``_beyond`` covers the smaller alphas
        starts = -np.arange(3.0, 38.0, 0.5)
        start = float(starts[np.argmax(np.append(_beyond(ndtr(starts[:-1]), ends) <= low, True))])
    points = _points(curve, 1 + end - np.geomspace(1 + end - start, 1.0, 48))
    tail = float(_beyond(points.alpha[:1], ends)[0]) if ends else _tail(curve, points)
    high = math.inf
    for _ in range(rounds):
        low, top = max(low, _least(points)), max(float(_most(points).max()), tail)
        corners, z = _corners(points)
        corners = np.minimum(corners, _beyond(points.alpha[1:], ends)) if ends else corners
        most = max(float(corners.max()), top, low)
        wide = np.flatnonzero(corners > max(low, top) * (1 + enough))
        settled = most >= high or not len(wide)  # or the brackets of the powers are the limit
        high = min(most, high)
        if settled:
            break
        wide = wide[np.argsort(-corners[wide])][:32]
        parts = [np.linspace(points.at[wide], z[wide], 5), np.linspace(z[wide], points.at[wide + 1], 5)]
        points = points.and_also(_points(curve, np.setdiff1d(parts, points.at)))
    return low, max(high, low)


def _beyond(alpha: Floats, steps: Steps) -> Floats:
    """What no smaller alpha needs more than: losses with an end reach it, the others are as of Gaussian mechanisms.

    Then power ≤ Φ(m + Φ⁻¹(e^M·alpha)), M the sum of the ends and m of the others. The mu for that grows with alpha,
    since Φ over its density grows.
    """
    tops = [step._max_loss()[1] for step, _ in steps]
    end = math.fsum(count * top for (_, count), top in zip(steps, tops) if math.isfinite(top))
    rest = math.fsum(count * step._mu()[1] ** 2 for (step, count), top in zip(steps, tops) if math.isinf(top))
    with np.errstate(divide="ignore"):
        run, reached = np.log(alpha), end + np.log(alpha)
    rise, run = ndtri_exp(np.minimum(reached, 0.0)), ndtri_exp(run)
    return np.where(reached < 0, math.sqrt(rest) + (rise - run) + 1e-13 * (np.abs(rise) + np.abs(run)), math.inf)


def _tail(curve: TradeOff, points: Points) -> float:
    """What may be needed beyond the smallest alpha of floats; infinite where that surely still grows.

    It is level where f is Gaussian. Where brackets may hide growth between two points far out, and the distance nears
    its limit as fast as 1/|z| or faster, it grows by no more than so many times as much beyond them.
    """
    rest, far = float(_most(points)[points.at > _BEFORE[0]].max()), _points(curve, _TAIL)
    if _least(far) > rest + 1e-13 * (1 + rest):
        return math.inf
    hidden = np.maximum(_most(far) - _least(_points(curve, _BEFORE)), 0.0)
    return float(np.min(_most(far) + 20 * hidden))


def moderate_mu(curve: TradeOff) -> float:
    """A lower bound from some moderate alphas, in both directions."""
    return max(_least(_points(side, np.linspace(-8.0, 8.0, 33))) for side in {curve, curve.inverse()})


def vertex_mu(curve: PiecewiseCurve) -> tuple[float, float]:
    """The tightest mu of a piecewise linear curve without proofs: the largest distance at a vertex.

    A rate whose relative error is r moves its quantile by no more than 1.26·r, as Mills' ratio is at most √(π/2).
    """
    alpha, co, power, beta = (x[1:-1] for x in (curve.alpha, curve.co, curve.power_, curve.beta_))
    run = normal.quantile(alpha, co)
    with np.errstate(invalid="ignore"):
        ends = [_distance(run, power, beta, sign) for sign in (-1, 1)]
    known = np.isfinite(ends[1])
    error = 2.6 * (curve.rounding + curve.total_rounding)
    low, high = (float(np.max(end[known], initial=0.0)) for end in ends)
    if not known.all():  # masses that underflowed but are not 0: no curve of these losses lies below pure DP
        high = normal.pure_mu(float(np.max(np.abs(curve.loss)))) * (1 + 1e-14)
    return max(low - error, 0.0), high + error


def looseness(curve: TradeOff, lines: int = 200) -> float:
    """The least d ≥ 0 with f(alpha + d) − d ≤ G_mu(alpha) for all alpha, mu the tightest (to 1e-8).

    A supporting line 1 − delta − e^eps·alpha of f is moved to one with delta + (1 + e^eps)·d, and one convex curve lies
    below another if its profile is nowhere smaller: d is the largest of (delta_mu − delta)/(1 + e^eps).
    """
    mu = curve.mu()

    def needed(side: TradeOff, epsilon: Floats) -> Floats:
        gaussian = normal.gaussian_profile(epsilon, mu) if math.isfinite(mu) else 1.0
        return (gaussian - side.profile_bounds(epsilon).lo) / (1 + np.exp(epsilon))

    found = 0.0
    for side in {curve, curve.inverse()}:
        epsilon = np.linspace(0.0, 36.0, lines)  # beyond, nothing is loose by 1e-15
        for _ in range(5):
            values = needed(side, epsilon)
            found, best = max(found, float(values.max())), int(values.argmax())
            epsilon = np.linspace(epsilon[max(best - 1, 0)], epsilon[min(best + 1, lines - 1)], lines)
    return found if found > 1e-12 else 0.0  # less may be rounding
