"""The tightest mu of a composition, from those of its steps and from its own profile.

Where every step's curve lies above G_mu, the composition's lies above G with the root of the summed squares. And
where the loss of a step has a Gaussian tail, full shifts in every step decide at the smallest alphas, however rare: the
mu that is needed there tends to the root of the summed squares of the tails' own. What lies between these two is found
on the lines of slope −e^eps that support the curve.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri_exp

from dplens._numerics import normal
from dplens._numerics.sharing import remembered
from dplens.curves.base import Floats, TradeOff
from dplens.curves.polygons import touched
from dplens.curves.readings.mu_from_profile import least_mu

_CLOSE = 1e-12  # relative distance at which both bounds count as equal
_ENOUGH = 5e-11  # relative distance at which the search ends
_ULP = 2.3e-16
_DEEPEST, _LAST = 37.5, 650.0  # |Φ⁻¹| of the smallest alpha of floats, and the largest epsilon that is looked at
_LEAST = 1e-300  # what is added to deltas below would look like a proof
_FAR = (1e-30, 1e-100, 1e-290)  # alphas from which on what is known of the steps may do
_WORTH = 0.98  # of the bound from the steps alone: what lies above is not worth a search
_LINES, _WORST, _PARTS, _ROUNDS = 49, 8, 6, 30  # lines at first; cells in a round, into how many parts, how often


def composed_mu(curve: TradeOff, steps: Sequence[tuple[TradeOff, int]], least: float = 0.0) -> tuple[float, float]:
    """Bounds on the least mu with f ≥ G_mu, from the steps; ``least``: what is needed at the smallest alphas."""
    if curve.origin is not curve:  # of mirror images one is asked, lest the last digit depend on which came first
        return curve.origin._mu()
    return remembered(vars(curve), "_composed_mu", lambda: _bounds(curve, steps, least))


def _bounds(curve: TradeOff, steps: Sequence[tuple[TradeOff, int]], low: float) -> tuple[float, float]:
    high = math.sqrt(math.fsum(count * step._mu()[1] ** 2 for step, count in steps)) * (1 + 1e-15)
    if low >= high * (1 - _CLOSE):
        return low, high
    mirrored = [(step.inverse(), count) for step, count in steps]
    sides = [(curve, steps), (curve.inverse(), mirrored)][: 1 if curve.inverse() is curve else 2]
    most = 0.0
    for side, parts in sides:
        low, found = _on_lines(side, parts, low, high)
        most = max(most, found)
    return min(low, high), min(max(most, low), high)


def _on_lines(curve: TradeOff, steps: Sequence[tuple[TradeOff, int]], low: float, high: float) -> tuple[float, float]:
    """Bounds on the least mu that is needed where f' ≤ −1; it is known to be in [low, high].

    f lies above all lines 1 − delta(eps) − e^eps·alpha, and G_mu is convex: it lies below the polygon of some of them
    if it does so at the corners (delta rounded up leaves this true). Corners are too low by the square of the distance
    of their lines, so a few looks next to the worst ones are enough; all others stay with rough bounds of delta. A
    single delta, rounded down, gives the lower end.
    """
    top = curve._max_loss()[1]
    low = max(low, least_mu(curve, np.zeros(1)))
    # the smallest alphas are left to what is known beyond: the larger the first of them, the less work
    left = [(alpha, _beyond(alpha, steps)) for alpha in _FAR]
    far, enough = next((x for x in left if x[1] <= low), next((x for x in left if x[1] < _WORTH * high), (0.0, high)))
    if not far:
        return low, high
    epsilon = np.linspace(0.0, min(_DEEPEST * high, top, _LAST), _LINES)
    rough = np.where(epsilon < top, curve.profile_upper(epsilon), 0.0)
    table, known, most = dict(zip(epsilon.tolist(), rough.tolist())), {top}, high
    for _ in range(_ROUNDS):
        lines, delta = np.array([(e, d) for e, d in sorted(table.items()) if d > _LEAST or e >= top]).T
        ends, slope = touched(lines, delta)
        corners = np.append(0, ends[slope > 0])
        lines, delta = lines[corners], delta[corners]
        needed = _at_corners(lines, delta, far, steps)
        most = min(float(needed.max(initial=0.0)), most)
        wide = np.flatnonzero(needed > max(low * (1 + _ENOUGH), enough))
        wide = wide[np.argsort(-needed[wide])][:_WORST]
        pairs = np.stack([lines[wide], lines[wide + 1]])
        exact = np.isin(pairs, list(known))
        start, end = pairs[:, exact.all(axis=0)]
        within = np.linspace(start, end, _PARTS + 1)[1:-1]
        epsilon = np.setdiff1d(np.append(pairs[~exact], within), list(known))
        if not len(epsilon):
            break
        low = max(low, least_mu(curve, epsilon))
        known.update(epsilon.tolist())
        table.update(zip(epsilon.tolist(), curve.profile_bounds(epsilon).hi.tolist()))
    return low, most


def _at_corners(epsilon: Floats, delta: Floats, far: float, steps: Sequence[tuple[TradeOff, int]]) -> Floats:
    """The mu that the corner between each two lines needs, up to one as ``far``, and there all that lies beyond."""
    slope = np.exp(epsilon[:-1])
    alpha = (delta[:-1] - delta[1:]) / (slope * np.expm1(np.diff(epsilon)))
    last = int(np.searchsorted(-alpha, -far))
    slope, alpha, delta = slope[: last + 1], alpha[: last + 1], delta[: last + 2]
    power = np.minimum(delta[:-1] + slope * alpha * (1 + 8 * _ULP), 1.0) * (1 + 4 * _ULP)
    run = normal.quantile(alpha * (1 - 8 * _ULP), 1 - alpha)
    rise = normal.quantile(power, np.maximum(1 - power, 0.0))
    with np.errstate(invalid="ignore"):
        needed = rise - run + 8 * _ULP * (np.abs(rise) + np.abs(run))
    if len(needed):
        needed[-1] = max(needed[-1], _beyond(float(alpha[-1]), steps))
    return np.where(np.isnan(needed), math.inf, needed)


def _beyond(alpha: float, steps: Sequence[tuple[TradeOff, int]]) -> float:
    """What no alpha up to this one exceeds: losses with an end reach it, the others are as of Gaussian mechanisms.

    Then power ≤ Φ(m + Φ⁻¹(e^M·alpha)), M the sum of the ends and m of the others. The mu for that grows with alpha,
    since Φ over its density grows.
    """
    tops = [step._max_loss()[1] for step, _ in steps]
    end = math.fsum(count * top for (_, count), top in zip(steps, tops) if math.isfinite(top))
    rest = math.fsum(count * step._mu()[1] ** 2 for (step, count), top in zip(steps, tops) if math.isinf(top))
    reached = end + math.log(alpha) if alpha > 0 else math.nan
    if not reached < 0:
        return math.inf
    rise, run = float(ndtri_exp(reached)), float(ndtri_exp(math.log(alpha)))
    return math.sqrt(rest) + (rise - run) + 1e-13 * (abs(rise) + abs(run))
