"""Privacy profile, epsilon and error sums of a curve without closed forms, by a search over alpha."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from dplens.curves.readings.points import Points, subdivided
from dplens.numerics.enclosure import Enclosure, Floats
from dplens.numerics.logits import from_logit
from dplens.numerics.roots import sign_change

if TYPE_CHECKING:
    from dplens.curves.base import TradeOff

_DIGITS = 2.5e-16
# logits of small alphas, searched if they matter, and the relative width that is enough
_FARTHER, ENOUGH = (np.linspace(-40.0, -22.0, 19), np.linspace(-708.0, -42.0, 112)), 2.5e-12

# A function of (power, alpha, parameter, sign); the sign is the direction in which it rounds.
Objective = Callable[[Floats, Floats, Floats, int], Floats]


def searched_profile(curve: TradeOff, epsilon: Floats) -> Enclosure:
    """sup over alpha of power − e^eps·alpha for eps ≥ 0."""

    def gap(power: Floats, alpha: Floats, e: Floats, sign: int) -> Floats:
        price, far = np.exp(np.minimum(e, 700.0))[:, None] * alpha * (1 - sign * 2 * _DIGITS), e > 700
        if far.any():  # e^eps may overflow
            with np.errstate(divide="ignore", invalid="ignore"):
                e, log_alpha = e[far, None], np.log(alpha)
                price[far] = np.exp(np.minimum(e + log_alpha - sign * _DIGITS * (e - log_alpha), 700.0))
            price[far] = np.where(alpha > 0, price[far], 0.0)
        return power - price

    mass, found = curve.infinity_mass(), largest(curve, gap, epsilon)
    return Enclosure(
        lambda: np.maximum(found.lo * (1 - 1e-15), mass.lo),
        lambda: np.maximum(found.hi * (1 + 1e-15), mass.hi) + 1e-300,  # a search may underflow
    )


def rough_profile(curve: TradeOff, epsilon: Floats) -> Floats:
    """A quick upper bound on delta, from the corners of the polygon above a few points."""
    alpha, power = Points.first(curve).above(curve._max_loss()[1])
    return np.max(power - np.exp(np.minimum(epsilon, 700.0))[:, None] * alpha, axis=1, initial=0.0)


def searched_epsilon(curve: TradeOff, delta: Floats) -> Enclosure:
    """sup over alpha of log{(power − delta)/alpha}, at least 0: the smallest eps with power − e^eps·alpha ≤ delta."""

    def ratio(power: Floats, alpha: Floats, d: Floats, sign: int) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            log_alpha = np.log(alpha)
            value = np.log(power - d[:, None]) - log_alpha * (1 + sign * _DIGITS)
        return np.where(np.isnan(value), -np.inf, value)

    return largest(curve, ratio, delta).clipped(0.0, math.inf)


def solved_epsilon(curve: TradeOff, delta: Floats) -> Enclosure:
    """The smallest eps with delta(eps) ≤ delta, for a profile that is cheap to evaluate.

    The upper end meets delta; at the lower end the profile still exceeds it.
    """
    low_top, high_top = curve._max_loss()

    def upper() -> Floats:
        outer = _crossing(lambda e: curve.profile_bounds(e).hi, delta, high_top)[1]
        return np.minimum(outer * (1 + 4e-16), high_top)  # for the rounding of epsilon itself

    def lower() -> Floats:
        return _crossing(lambda e: curve.profile_bounds(e).lo, delta, low_top)[0] * (1 - 2e-15)

    return Enclosure(lower, upper)


def confirmed_epsilon(curve: TradeOff, delta: Floats, guess: Floats, pace: Floats) -> Enclosure:
    """The same from a guess, moved until the bounds of the profile confirm it.

    ``pace``: the change of epsilon as log delta falls by one.
    """
    top = np.array(curve._max_loss())[:, None]

    @cache
    @np.errstate(all="ignore")
    def ends() -> Floats:
        """The lower and the upper end, in rows; NaN where the guess does not lead there."""
        at = np.clip(np.nan_to_num(np.stack([guess, guess])), 0.0, top)
        read, sign = np.stack(tuple(curve.profile_bounds(at[0]))), np.array([[-1.0], [1.0]])
        out = np.full_like(at, math.nan)
        for units in max(1e-15, curve.rounding / 20) * 10.0 ** np.arange(4):
            at = at + np.log(read / delta) * pace + sign * units * (at + pace)
            at = np.clip(np.nan_to_num(at), 0.0, top)
            found = curve.profile_bounds(at.ravel())
            read = np.stack([found.lo[: len(delta)], found.hi[len(delta) :]])
            rest = sign * np.log(delta / read)
            sure = (rest > 0) & (pace > 0) & (rest * pace < 1e-9 * at) & (at > 0) & (at < top)
            out = np.where(np.isnan(out) & sure, at * (1 + sign * 1e-15), out)
            if not np.isnan(out).any():
                break
        return out

    def end(upper: bool) -> Floats:
        found = ends()[int(upper)]
        lost = np.isnan(found)
        if lost.any():
            found[lost] = solved_epsilon(curve, delta[lost]).end(upper)
        return found

    return Enclosure(lambda: end(False), lambda: end(True))


def _crossing(profile: Callable[[Floats], Floats], delta: Floats, top: float) -> tuple[Floats, Floats]:
    """A bracket of the point at which a profile falls below delta: the last epsilon above it and the first below."""

    def excess(e: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.log(profile(e)) - np.log(delta)

    high = np.full_like(delta, min(1.0, top))
    for _ in range(1100):
        short = (excess(high) > 0) & (high < top)
        if not short.any():
            break
        high = np.where(short, np.minimum(2 * np.minimum(high, 8e307), top), high)
    inner, outer = sign_change(excess, np.zeros_like(delta), high)
    some = excess(np.zeros_like(delta)) > 0  # elsewhere the logarithms are equal
    return np.where(some, inner, 0.0), np.where(some, outer, 0.0)


def largest(curve: TradeOff, objective: Objective, parameter: Floats) -> Enclosure:
    """The maximum over alpha of an objective that is quasi-concave in alpha, with one parameter per row.

    A few neighbouring rows at a time, whose maxima are close together.
    """
    ends, order = np.empty((2, len(parameter))), np.argsort(parameter)
    for i in range(0, len(order), 50):
        rows = order[i : i + 50]
        ends[:, rows] = _largest_of_few(curve, objective, parameter[rows])
    return Enclosure(*ends)


def _largest_of_few(curve: TradeOff, objective: Objective, row: Floats) -> tuple[Floats, Floats]:
    """Bounds on the maxima: the largest value at a point, and at a corner of the polygon above the points.

    The latter holds as the objective increases with power and is monotone along any line. Points are added to the cells
    whose corners exceed the largest value at a point, until these agree or only the brackets of the points differ.
    """
    points, top, enough = Points.first(curve), curve._max_loss()[1], 1e-9 if curve.is_costly else ENOUGH
    enough, farther = min(enough, curve.tolerance / 8), list(_FARTHER)
    most = 15 if curve.is_costly or len(row) > 4 else 63
    while True:
        alpha, power = points.above(top)
        low = objective(points.least_power, points.alpha, row, -1).max(axis=1, initial=-math.inf)
        cells = objective(power, alpha, row, 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            over = np.where(cells > 0, cells / np.maximum(low, 0.0)[:, None] - 1, 0.0).max(axis=0, initial=0.0)
            share = (alpha - points.alpha[:-1]) / np.diff(points.alpha)
            chord = points.least_power[:-1] + share * np.diff(points.least_power)
        unknown = points.power - points.least_power
        wide = (over > 4 * enough) & (power - chord > 2 * (unknown[1:] + unknown[:-1]))
        counts = np.where(wide, np.sqrt(over / enough), 0.0)
        more = subdivided(points.at[1:-1], counts[1:-1].clip(0, most).astype(int))
        if not len(more) or len(points.at) > 4000:
            if not over[0] > 4 * enough or not farther:
                break
            more = farther.pop(0)
        points = points.and_also(Points.at_logits(curve, more))
    return low, np.maximum(cells, objective(points.power[1:], points.alpha[1:], row, 1)).max(axis=1)


def rates_by_slope(curve: TradeOff, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The rates at the point of the curve where its log-slope falls to ``loss``, by a search over alpha."""

    def excess(logit: Floats) -> Floats:
        return curve._log_slope(*from_logit(logit)) - loss

    bottom, top = np.full_like(loss, -740.0), np.full_like(loss, 740.0)
    # outside the range of slopes the test never or always rejects
    never = excess(bottom) <= 0
    always = excess(top) > 0
    _, high = sign_change(excess, bottom, top)
    alpha, co = from_logit(np.where(never, bottom, np.where(always, top, high)))
    alpha, co = np.where(never, 0.0, alpha), np.where(never, 1.0, co)
    alpha, co = np.where(always, 1.0, alpha), np.where(always, 0.0, co)
    power = np.where(never, curve._power_at_zero(), curve.power_bounds(alpha, co).hi)
    return alpha, co, power, curve.beta_bounds(alpha, co).lo


def error_sums(curve: TradeOff, loss: Floats, searched: bool) -> Enclosure:
    """min over alpha of f(alpha) + e^loss·alpha for loss ≥ 0, at the rates of the test with that threshold.

    The sum at any alpha is an upper bound. Rates that were ``searched`` for rely on approximate slopes, so the minimum
    may be elsewhere; the profile then gives the lower bound.
    """

    @cache
    def terms() -> tuple[Floats, ...]:
        alpha, co, _, beta = curve._rates(loss)
        with np.errstate(over="ignore", divide="ignore"):
            return alpha, co, beta, np.exp(loss + np.log(alpha))

    def lower() -> Floats:
        if searched:
            return 1 - curve.profile_bounds(loss).hi - 2e-16
        _, _, beta, accused = terms()
        return (beta + accused) * (1 - curve.profile_rounding)

    def upper() -> Floats:
        alpha, co, _, accused = terms()
        return (curve.beta_bounds(alpha, co).hi + accused) * (1 + curve.profile_rounding)

    return Enclosure(lower, upper).clipped(0.0, 1.0)
