"""The tightest mu of Gaussian DP of a curve, and how loose it is.

mu is the largest distance Φ⁻¹(power) − Φ⁻¹(alpha) along the curve (Dong, Roth & Su 2022, Section 2.3). Any test bounds
it from below. The upper bound uses a polygon above the power: the power of a Gaussian mechanism is concave
in alpha, so it lies above the polygon if it does so at every vertex.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr, ndtri_exp

from dplens.curves.readings.points import LOOSE, Points
from dplens.numerics import normal
from dplens.numerics.enclosure import Floats
from dplens.numerics.sharing import remembered

if TYPE_CHECKING:
    from dplens.curves.base import TradeOff
    from dplens.curves.finite.piecewise import PiecewiseCurve

Steps = Sequence[tuple["TradeOff", int]]

_TAIL, _BEFORE = np.linspace(-37.5, -36.0, 12), np.linspace(-34.0, -33.0, 12)  # far out, and not quite as far


def tightest_mu(curve: TradeOff, steps: Steps = (), least: float = 0.0) -> tuple[float, float]:
    """Bounds on the smallest mu with f ≥ G_mu.

    If ``curve`` composes ``steps`` and each lies above a Gaussian curve, the composition lies above the Gaussian curve
    whose mu is the root of the summed squares. ``least``: a known lower bound, needed at the smallest alphas.
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
    """Lower bound on the largest distance of quantiles at some points."""
    below = _distance(points.at, points.least_power, points.most_beta, -1)
    return float(np.max(below[np.isfinite(below)], initial=0.0))


def _most(points: Points) -> Floats:
    """Upper bound on the distance of quantiles at each point."""
    return _distance(points.at, points.power, points.beta, +1)


def _corners(points: Points) -> tuple[Floats, Floats]:
    """Upper bound on the distance at the polygon's corner between each two points, and its z."""
    meet, gain = points.corners()
    alpha = (points.alpha[:-1] + meet) * (1 - LOOSE)
    z = np.clip(normal.quantile(alpha, 1 - alpha), points.at[:-1], points.at[1:])
    power = np.minimum(points.power[:-1] + gain, points.power[1:])
    return _distance(z, power, np.maximum(points.beta[:-1] - gain, points.beta[1:]), +1), z


def _distance(z: Floats, power: Floats, beta: Floats, sign: int) -> Floats:
    """Φ⁻¹(power) − z, moved up or down by its rounding error."""
    rise = normal.quantile(power, beta)
    with np.errstate(invalid="ignore"):  # quantiles of 0 and 1 are infinite
        found = rise - z + sign * LOOSE * (np.abs(rise) + np.abs(z))
    return np.where(np.isnan(found), -math.inf, found)


def _one_side(
    curve: TradeOff, steps: Steps, low: float, *, enough: float = 5e-11, rounds: int = 20
) -> tuple[float, float]:
    """Bounds on the mu required by alphas up to ½, to a relative width of ``enough``; ``low``: a known lower bound."""
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
        settled = most >= high or not len(wide)  # or limited by the brackets of the powers
        high = min(most, high)
        if settled:
            break
        wide = wide[np.argsort(-corners[wide])][:32]
        parts = [np.linspace(points.at[wide], z[wide], 5), np.linspace(z[wide], points.at[wide + 1], 5)]
        points = points.and_also(_points(curve, np.setdiff1d(parts, points.at)))
    return low, max(high, low)


def _beyond(alpha: Floats, steps: Steps) -> Floats:
    """Upper bound on the mu required by any smaller alpha: bounded losses count with their bound, others as Gaussian.

    Then power ≤ Φ(m + Φ⁻¹(e^M·alpha)), with M the sum of the bounds and m the mu of the others. The mu required for
    that increases with alpha, since Φ divided by its density does.
    """
    tops = [step._max_loss()[1] for step, _ in steps]
    end = math.fsum(count * top for (_, count), top in zip(steps, tops) if math.isfinite(top))
    rest = math.fsum(count * step._mu()[1] ** 2 for (step, count), top in zip(steps, tops) if math.isinf(top))
    with np.errstate(divide="ignore"):
        run, reached = np.log(alpha), end + np.log(alpha)
    rise, run = ndtri_exp(np.minimum(reached, 0.0)), ndtri_exp(run)
    return np.where(reached < 0, math.sqrt(rest) + (rise - run) + 1e-13 * (np.abs(rise) + np.abs(run)), math.inf)


def _tail(curve: TradeOff, points: Points) -> float:
    """Upper bound on the mu required beyond the smallest floating-point alpha; infinite if it provably still grows.

    The distance is constant where f is Gaussian. If the brackets may hide growth between two points far out, and the
    distance converges at rate 1/|z| or faster, the growth beyond them is at most a multiple of it.
    """
    rest, far = float(_most(points)[points.at > _BEFORE[0]].max()), _points(curve, _TAIL)
    if _least(far) > rest + 1e-13 * (1 + rest):
        return math.inf
    hidden = np.maximum(_most(far) - _least(_points(curve, _BEFORE)), 0.0)
    return float(np.min(_most(far) + 20 * hidden))


def moderate_mu(curve: TradeOff) -> float:
    """A lower bound on mu from some moderate alphas, in both directions."""
    return max(_least(_points(side, np.linspace(-8.0, 8.0, 33))) for side in {curve, curve.inverse()})


def vertex_mu(curve: PiecewiseCurve) -> tuple[float, float]:
    """The tightest mu of a piecewise linear curve without infinity mass: the largest distance at a vertex.

    A relative error r of a rate moves its quantile by at most 1.26·r, as Mills' ratio is at most √(π/2).
    """
    alpha, co, power, beta = (x[1:-1] for x in (curve.alpha, curve.co, curve.power_, curve.beta_))
    run = normal.quantile(alpha, co)
    with np.errstate(invalid="ignore"):
        ends = [_distance(run, power, beta, sign) for sign in (-1, 1)]
    known = np.isfinite(ends[1])
    error = 2.6 * (curve.rounding + curve.total_rounding)
    low, high = (float(np.max(end[known], initial=0.0)) for end in ends)
    if not known.all():  # some masses underflowed: use that no curve with these losses lies below pure DP
        high = normal.pure_mu(float(np.max(np.abs(curve.loss)))) * (1 + 1e-14)
    return max(low - error, 0.0), high + error


def looseness(curve: TradeOff, lines: int = 200) -> float:
    """The smallest d ≥ 0 with f(alpha + d) − d ≤ G_mu(alpha) for all alpha, mu the tightest (to 1e-8).

    The shift turns a supporting line 1 − delta − e^eps·alpha of f into one with delta + (1 + e^eps)·d. A convex curve
    lies below another if its profile is nowhere smaller, so d is the maximum of (delta_mu − delta)/(1 + e^eps).
    """
    mu = curve.mu()

    def needed(side: TradeOff, epsilon: Floats) -> Floats:
        gaussian = normal.gaussian_profile(epsilon, mu) if math.isfinite(mu) else 1.0
        return (gaussian - side.profile_bounds(epsilon).lo) / (1 + np.exp(epsilon))

    found = 0.0
    for side in {curve, curve.inverse()}:
        epsilon = np.linspace(0.0, 36.0, lines)  # beyond, the looseness is below 1e-15
        for _ in range(5):
            values = needed(side, epsilon)
            found, best = max(found, float(values.max())), int(values.argmax())
            epsilon = np.linspace(epsilon[max(best - 1, 0)], epsilon[min(best + 1, lines - 1)], lines)
    return found if found > 1e-12 else 0.0  # smaller values may be rounding errors
