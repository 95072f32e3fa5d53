"""Privacy profile, epsilon and error sums of a curve without closed forms, by a search over alpha."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from dplens.curves.readings.points import Points, subdivided
from dplens.numerics.enclosure import Enclosure, Floats
from dplens.numerics.logits import GRID, from_logit
from dplens.numerics.roots import sign_change
from dplens.numerics.sharing import remembered

if TYPE_CHECKING:
    from dplens.curves.base import TradeOff

_DIGITS = 2.5e-16
_NEAR = GRID[np.abs(GRID) <= 40]  # tried first, as some curves are slow in the tails
# of costly curves: logits of small alphas, searched if they matter, and the relative width that is enough
_FARTHER, _ENOUGH = (np.linspace(-40.0, -22.0, 19), np.linspace(-740.0, -42.0, 120)), 1e-9

# A function of (power, alpha, parameter, sign); the sign is the direction in which it rounds.
Objective = Callable[[Floats, Floats, Floats, int], Floats]
# Log-slope of power along a level set of the objective, from its value and the parameter.
Level = Callable[[Floats, Floats], Floats]
Maximum = Callable[[Objective, Level, Floats], Enclosure]


def searched_profile(curve: TradeOff, epsilon: Floats, maximum: Maximum | None = None) -> Enclosure:
    """sup over alpha of power − e^eps·alpha for eps ≥ 0; ``maximum``: a search of the curve's own."""

    def gap(power: Floats, alpha: Floats, e: Floats, sign: int) -> Floats:
        e = e[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            log_alpha = np.log(alpha)
            far = np.exp(np.minimum(e + log_alpha - sign * _DIGITS * (e - log_alpha), 700.0))  # e^eps may overflow
        far = np.where(alpha > 0, far, 0.0)
        price = np.where(e < 700, np.exp(np.minimum(e, 700.0)) * alpha * (1 - sign * 2 * _DIGITS), far)
        return power - price

    mass, found = curve.infinity_mass(), (maximum or partial(largest, curve))(gap, lambda _, e: e, epsilon)
    return Enclosure(
        lambda: np.maximum(found.lo * (1 - 1e-15), mass.lo),
        lambda: np.maximum(found.hi * (1 + 1e-15), mass.hi) + 1e-300,  # a search may underflow
    )


def searched_epsilon(curve: TradeOff, delta: Floats, maximum: Maximum | None = None) -> Enclosure:
    """sup over alpha of log{(power − delta)/alpha}, at least 0: the smallest eps with power − e^eps·alpha ≤ delta."""

    def ratio(power: Floats, alpha: Floats, d: Floats, sign: int) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            log_alpha = np.log(alpha)
            value = np.log(power - d[:, None]) - log_alpha * (1 + sign * _DIGITS)
        return np.where(np.isnan(value), -np.inf, value)

    return (maximum or partial(largest, curve))(ratio, lambda value, _: value, delta).clipped(0.0, math.inf)


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

    def end(upper: bool) -> Floats:
        sign, e = 1 if upper else -1, np.maximum(np.nan_to_num(guess), 0.0)
        for units in (1e-15, 1e-14, 1e-13):
            with np.errstate(all="ignore"):
                off = np.log(curve.profile_bounds(e).end(upper) / delta)
                e = np.maximum(np.nan_to_num(e + off * pace + sign * units * (e + pace)), 0.0)
                rest = sign * (curve.profile_bounds(e).end(upper) - delta)
            if np.all((rest < 0) & (e > 0) & (np.abs(e - guess) < 1e-7 * guess)):
                return e * (1 + sign * 1e-15)
        return solved_epsilon(curve, delta).end(upper)

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


def largest(curve: TradeOff, objective: Objective, level: Level, parameter: Floats) -> Enclosure:
    """The maximum over alpha of an objective that is quasi-concave in alpha, with one parameter per row.

    The search uses the upper end of the power. Between the last nodes (at a kink, say) the objective is at most its
    value with the power of the cell's upper end and the alpha of its lower end, which is the upper bound. The same
    holds for alphas below the smallest float and above the largest. Any alpha gives a lower bound; the maximiser of
    the upper end is used.
    """
    if curve.is_costly:
        return _largest_between(curve, objective, parameter)

    @cache
    def search() -> Floats:
        blocks = (parameter[i : i + 256] for i in range(0, len(parameter), 256))
        return np.concatenate([np.zeros((4, 0)), *(_searched(curve, objective, block) for block in blocks)], axis=1)

    def lower() -> Floats:
        # on a straight segment many tests are optimal; the one with the smallest power has the smallest rounding error
        both = search()[1:3].T
        power = curve.power_bounds(*from_logit(both.ravel())).lo.reshape(both.shape)
        return objective(power, expit(both), parameter, -1).max(axis=1)

    return Enclosure(lower, lambda: np.maximum(search()[0], search()[3]))


def _searched(curve: TradeOff, objective: Objective, row: Floats, points: int = 129) -> Floats:
    """The maxima, their places, the first nodes that attain them, and bounds on the objective outside the search.

    Takes the best node of a table, then subdivides the two cells around it down to 1e-13 of a logit.
    """
    grid, nodes, beyond = _node_values(curve, objective, row)
    best = np.clip(np.argmax(nodes, axis=1), 1, len(grid) - 2)
    low, high = grid[best - 1], grid[best + 1]
    top, at = nodes.max(axis=1), grid[best]
    rows, cells = np.arange(len(row)), np.zeros((len(row), 1))
    for _ in range(7):
        logit = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, points)
        power = _powers(curve, logit.ravel()).reshape(logit.shape)
        alpha = expit(logit)
        value = objective(power, alpha, row, 1)
        j = np.clip(np.argmax(value, axis=1), 1, points - 2)
        top = np.maximum(top, value.max(axis=1))
        low, at, high = logit[rows, j - 1], logit[rows, j], logit[rows, j + 1]
        upper = np.stack([j, j + 1], axis=1)
        cells = objective(power[rows[:, None], upper], alpha[rows[:, None], upper - 1], row, 1)
    equal = nodes >= top[:, None] * (1 - 1e-12) - 4 * curve.rounding * _powers(curve, at)[:, None]
    return np.array([top, at, grid[np.argmax(equal, axis=1)], np.maximum(cells.max(axis=1), beyond)])


def _largest_between(curve: TradeOff, objective: Objective, row: Floats) -> Enclosure:
    """The same from few points: the objective is largest at a corner of the polygon above them, for all its alphas.

    This holds as the objective increases with power and is monotone along any line. Points are added to the cells whose
    corners exceed the largest value at a point, until these agree or only the brackets of the points differ.
    """
    points, top, enough = Points.first(curve), curve._max_loss()[1], min(_ENOUGH, curve.tolerance / 8)
    farther = list(_FARTHER)
    while True:
        alpha, power = points.above(top)
        low = objective(points.least_power, points.alpha, row, -1).max(axis=1, initial=-math.inf)
        cells = objective(power, alpha, row, 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            over = np.where(cells > 0, cells / np.maximum(low, 0.0)[:, None] - 1, 0.0).max(axis=0, initial=0.0)
            share = (alpha - points.alpha[:-1]) / np.diff(points.alpha)
            chord = points.least_power[:-1] + share * np.diff(points.least_power)
        unknown = points.power - points.least_power
        counts = np.where(power - chord > 2 * (unknown[1:] + unknown[:-1]), np.sqrt(over / (4 * enough)), 0.0)
        more = subdivided(points.at[1:-1], counts[1:-1].clip(0, 15).astype(int))
        if not len(more) or len(points.at) > 4000:
            if counts[0] < 1 or not farther:
                break
            more = farther.pop(0)
        points = points.and_also(Points.at_logits(curve, more))
    return Enclosure(low, np.maximum(cells, objective(points.power[1:], points.alpha[1:], row, 1)).max(axis=1))


def _powers(curve: TradeOff, logit: Floats) -> Floats:
    return curve.power_bounds(*from_logit(logit)).hi


def _node_values(curve: TradeOff, objective: Objective, row: Floats) -> tuple[Floats, Floats, Floats]:
    """Logits and the objective there, one row per parameter; only the centre if nothing beyond can be larger.

    Also a bound on the objective beyond: below the smallest alpha the power is at most the one there, above the largest
    alpha at most 1.
    """
    for name, grid in (("_near_power", _NEAR), ("_grid_power", GRID)):
        power, alpha = remembered(vars(curve), name, lambda g=grid: _powers(curve, g)), expit(grid)
        nodes = objective(power, alpha, row, 1)
        least = power[np.argmax(alpha > 0)]
        beyond = objective(np.array([least, 1.0]), np.array([0.0, alpha[-1]]), row, 1).max(axis=1)
        if np.all(beyond < nodes.max(axis=1)):
            break
    return grid, nodes, beyond


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
