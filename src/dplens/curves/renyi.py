"""The curve of a Rényi or zero-concentrated guarantee: all that its divergences still allow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dplens._numerics.interpolation import clamped_interpolation
from dplens._numerics.logits import GRID, from_logit, to_logit
from dplens._numerics.search import golden_maximum, sign_change
from dplens.curves.base import Floats, TradeOff
from dplens.estimate import Certificate

Bools = npt.NDArray[np.bool_]
# (order, bound, forward) for each alpha: D_order(Q‖P) ≤ bound if forward, else D_order(P‖Q) ≤ bound.
Constraint = tuple[Floats, Floats, Bools]


def log_power_odds(
    alpha: Floats, co: Floats, order: Floats, bound: Floats, forward: Bools, within: tuple[Floats, Floats] | None = None
) -> Floats:
    """logit of the largest power that the binary Rényi inequality allows at alpha (risky end of the bracket).

    ``within``: logits that should hold the answer, to save steps where they do.
    """
    log_a, log_c = np.log(alpha), np.log(co)
    start = log_a - log_c

    def slack(logit: Floats) -> Floats:
        return bound - _binary_divergence(log_a, log_c, logit, order, forward)

    end = np.full_like(start, 745.0)
    low, top = within or (start, end)
    low = np.maximum(low, start)
    low = np.where(slack(low) > 0, low, start)
    top = np.where(slack(top) > 0, end, top)
    free = slack(top) > 0
    _, outer = sign_change(slack, low, top)
    return np.where(free, math.inf, outer)


def _binary_divergence(log_a: Floats, log_c: Floats, logit: Floats, order: Floats, forward: Bools) -> Floats:
    """D_order between the coins with heads alpha and heads power, power given by its logit."""
    log_t, log_b = -np.logaddexp(0, -logit), -np.logaddexp(0, logit)
    sign = np.where(forward, 1.0, -1.0)
    heads, tails = sign * (log_t - log_a), sign * (log_b - log_c)  # losses of the two outcomes
    first, second = np.where(forward, log_t, log_a), np.where(forward, log_b, log_c)
    with np.errstate(all="ignore"):
        kl = np.exp(first) * heads + np.exp(second) * tails
        a = order - 1
        general = np.logaddexp(first + a * heads, second + a * tails) / a
        return np.where(np.isinf(order), np.maximum(heads, tails), np.where(order == 1, kl, general))


def _log_slope_at(alpha: Floats, co: Floats, logit: Floats, order: Floats, forward: Bools) -> Floats:
    """log of d power/d alpha along the constraint, by implicit differentiation of its moment.

    Forward: (a−1)/a·(e^{a·h} − e^{a·t})/(e^{(a−1)·h} − e^{(a−1)·t}) with h, t the losses of heads and tails;
    backward the same with the roles of numerator and denominator exchanged.
    """
    log_a, log_c = np.log(alpha), np.log(co)
    log_t, log_b = -np.logaddexp(0, -logit), -np.logaddexp(0, logit)
    heads, tails = log_t - log_a, log_b - log_c
    high, low = np.where(forward, heads, -tails), np.where(forward, tails, -heads)
    sign = np.where(forward, 1.0, -1.0)
    with np.errstate(all="ignore"):
        a = order - 1
        general = np.log(a / order) + _log_difference(order * high, order * low) - _log_difference(a * high, a * low)
        kl = _log_difference(high, low) - np.log(high - low)
        pure = np.where(heads > -tails, heads, tails)
        return np.where(np.isinf(order), pure, sign * np.where(order == 1, kl, general))


def _log_difference(x: Floats, y: Floats) -> Floats:
    """log(e^x − e^y) for x > y."""
    return x + np.log(-np.expm1(y - x))


class _Guarantee(TradeOff):
    """f(alpha) = the least beta that violates no binary Rényi inequality, in either direction.

    Post-processing turns any test into a coin, so every order bounds (alpha, beta) by itself; the curve is the
    largest of these bounds. Each bound is convex, so is their maximum. Which order is tightest at alpha is
    looked up in a table; a slightly wrong choice is still a true bound. Symmetric.
    """

    rounding = 2e-13

    @property
    def certificate(self) -> Certificate:
        return Certificate("orders", 1e-9, "best order per alpha from a table; every order is a valid bound")

    def _candidates(self, logit: Floats) -> list[Constraint]:
        """The constraints that may be tightest at each alpha."""
        raise NotImplementedError

    @cached_property
    def _power_on_grid(self) -> Floats:
        """logit(power) of the tightest bound at each node of the grid."""
        alpha, co = (np.maximum(x, 1e-320) for x in from_logit(GRID))
        found = [log_power_odds(alpha, co, *constraint) for constraint in self._candidates(GRID)]
        return np.minimum(np.min(found, axis=0), 745.0)

    def _tightest(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """logit(power) and log-slope of the tightest bound at alpha."""
        alpha, co = np.maximum(alpha, 1e-320), np.maximum(co, 1e-320)
        where = to_logit(alpha, co)
        right = np.clip(np.searchsorted(GRID, where), 1, len(GRID) - 1)
        # the curve rises, so the table's neighbours bracket it
        within = self._power_on_grid[right - 1] - 1e-9, np.minimum(self._power_on_grid[right] + 1e-9, 745.0)
        logit, slope = np.full_like(alpha, math.inf), np.full_like(alpha, -math.inf)
        for order, bound, forward in self._candidates(where):
            found = log_power_odds(alpha, co, order, bound, forward, within)
            tighter = found < logit
            logit = np.where(tighter, found, logit)
            slope = np.where(tighter, _log_slope_at(alpha, co, found, order, forward), slope)
        return logit, slope

    def _mirrored(self) -> TradeOff:
        return self

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return expit(self._tightest(alpha, co)[0])

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return expit(-self._tightest(alpha, co)[0])

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self._tightest(alpha, co)[1]

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        from dplens.curves.transforms import rates_by_slope

        return rates_by_slope(self, loss)


@dataclass(frozen=True)
class RenyiCurve(_Guarantee):
    """Given orders ≥ 1 (infinity allowed) with their bounds."""

    orders: tuple[float, ...]
    bounds: tuple[float, ...]

    @cached_property
    def _constraints(self) -> tuple[Floats, Floats, Bools]:
        orders, bounds = np.array(self.orders), np.array(self.bounds)
        both = np.repeat([True, False], len(orders))
        return np.tile(orders, 2), np.tile(bounds, 2), both

    @cached_property
    def _tightest_on_grid(self) -> np.ndarray:
        """Index of the tightest constraint at each node of the grid."""
        alpha, co = (np.maximum(x, 1e-320) for x in from_logit(GRID))
        found = [
            log_power_odds(alpha, co, np.full_like(alpha, a), np.full_like(alpha, b), np.full(alpha.shape, f))
            for a, b, f in zip(*self._constraints)
        ]
        return np.argmin(found, axis=0)

    def _candidates(self, logit: Floats) -> list[Constraint]:
        right = np.clip(np.searchsorted(GRID, logit), 1, len(GRID) - 1)
        chosen = [self._tightest_on_grid[right - 1], self._tightest_on_grid[right]]
        if np.array_equal(chosen[0], chosen[1]):
            chosen.pop()
        orders, bounds, forward = self._constraints
        return [(orders[i], bounds[i], forward[i]) for i in chosen]

    def _max_loss(self) -> tuple[float, float]:
        pure = [bound for order, bound in zip(self.orders, self.bounds) if order == math.inf]
        top = min(pure, default=math.inf)
        return top, top

    def _renyi(self, order: float) -> float:
        return _interpolated_bound(np.array(self.orders), np.array(self.bounds), order)


@dataclass(frozen=True)
class ConcentratedCurve(_Guarantee):
    """rho-zCDP: D_order ≤ rho·order for every order > 1 (Bun & Steinke 2016)."""

    rho: float

    @cached_property
    def _best_orders(self) -> tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]:
        """log(order − 1) of the tightest order by logit(alpha), for each direction."""
        grid = GRID[::2]
        alpha, co = (np.maximum(x, 1e-320) for x in from_logit(grid))

        def table(forward: bool) -> Callable[[Floats], Floats]:
            direction = np.full(grid.shape, forward)

            def tightness(log_excess: Floats) -> Floats:
                order = 1 + np.exp(log_excess)
                return -np.minimum(log_power_odds(alpha, co, order, self.rho * order, direction), 1e4)

            best, _ = golden_maximum(tightness, np.full_like(grid, -16.0), np.full_like(grid, 16.0), iterations=45)
            return clamped_interpolation(grid, best)

        return table(True), table(False)

    def _candidates(self, logit: Floats) -> list[Constraint]:
        found: list[Constraint] = []
        for forward, guess in zip((True, False), self._best_orders):
            order = 1 + np.exp(guess(logit))
            found.append((order, self.rho * order, np.full(logit.shape, forward)))
        return found

    def _max_loss(self) -> tuple[float, float]:
        return math.inf, math.inf

    def _renyi(self, order: float) -> float:
        return self.rho * order


def _interpolated_bound(orders: Floats, bounds: Floats, order: float) -> float:
    """The least bound on D_order that follows from the given ones (and D_1·0 = 0)."""
    above = orders >= order
    found = [float(b) for b in bounds[above]]  # monotone in the order
    if order > 1:
        # (a − 1)·D_a is convex in a, and 0 at a = 1
        known = [
            (1.0, 0.0),
            *((float(a), (float(a) - 1) * float(b)) for a, b in zip(orders, bounds) if 1 < a < math.inf),
        ]
        for a0, m0 in known:
            for a1, m1 in known:
                if a0 <= order <= a1 and a0 < a1:
                    weight = (order - a0) / (a1 - a0)
                    found.append(((1 - weight) * m0 + weight * m1) / (order - 1))
    return min(found, default=math.inf)
