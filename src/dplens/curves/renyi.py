"""The curve of a Rényi or zero-concentrated guarantee: all that its divergences still allow."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit

from dplens._numerics.logits import GRID, from_logit, to_logit
from dplens._numerics.search import sign_change
from dplens.curves.base import RISKY, Floats, TradeOff
from dplens.curves.coins import (
    TOP,
    Bools,
    binary_divergence,
    divergence_slope,
    log_power_odds,
    log_slope_at,
)
from dplens.estimate import Certificate

_DEEP = 1e-140  # deltas above it are decided at alphas that floats can hold
_TINY = 1e-290  # below it the smaller terms of a divergence are not representable
NODES = GRID[::3]
# (order, bound, forward, guess) for each alpha: D_order(Q‖P) ≤ bound if forward, else D_order(P‖Q) ≤ bound, and
# a logit near the largest power that it allows.
Constraint = tuple[Floats, Floats, Bools, Floats]


def rates_of(logit: Floats) -> tuple[Floats, Floats]:
    """(alpha, 1 − alpha), kept off the numbers that have no logarithm."""
    alpha, co = from_logit(logit)
    return np.maximum(alpha, 1e-320), np.maximum(co, 1e-320)


class MomentGuarantee(TradeOff):
    """f(alpha) = the least beta that violates no binary Rényi inequality, in either direction.

    Post-processing turns any test into a coin, so every order bounds (alpha, beta) by itself; the curve is the
    largest of these bounds. Each bound is convex, so is their maximum. Which order is tightest at alpha is
    looked up in a table; a slightly wrong choice is still a true bound. Symmetric.
    """

    rounding = 2e-13

    @property
    def profile_rounding(self) -> float:
        return 3 * self.rounding

    @property
    def certificate(self) -> Certificate:
        return Certificate(
            "orders", 1e-9, "best order per alpha from a table; below delta 1e-140 one order's conversion"
        )

    @abstractmethod
    def _candidates(self, alpha: Floats, co: Floats, logit: Floats) -> Iterator[Constraint]:
        """The constraints that may be tightest at each alpha."""

    def _tightest(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """logit(power) and log-slope of the tightest bound at alpha."""
        tiny = alpha < _TINY
        if tiny.any():
            logit, slope = np.empty_like(alpha), np.empty_like(alpha)
            logit[tiny], slope[tiny] = self._far_down(np.log(np.maximum(alpha[tiny], 1e-323)))
            if not tiny.all():
                logit[~tiny], slope[~tiny] = self._tightest(alpha[~tiny], co[~tiny])
            return logit, slope
        co = np.maximum(co, 1e-320)
        logit, slope = np.full_like(alpha, math.inf), np.full_like(alpha, -math.inf)
        for order, bound, forward, guess in self._candidates(alpha, co, to_logit(alpha, co)):
            found = log_power_odds(alpha, co, order, bound, forward, guess)
            tighter = found < logit
            logit = np.where(tighter, found, logit)
            slope = np.where(tighter, log_slope_at(alpha, co, found, order, forward), slope)
        return logit, slope

    @abstractmethod
    def _best_far_order(self, log_alpha: Floats) -> tuple[Floats, Floats]:
        """(order, bound) whose forward inequality is tightest for a tiny alpha."""

    def _far_down(self, log_alpha: Floats) -> tuple[Floats, Floats]:
        """The same where alpha is next to nothing, in logs.

        power^a ≤ alpha^{a−1}·{e^{(a−1)·bound} − (1 − power)^a}; put in on the right, any power that is too
        large gives one that still is, so the iteration comes down to the answer from above.
        """
        order, bound = self._best_far_order(log_alpha)
        pure = np.isinf(order)
        a = np.where(pure, 2.0, order)
        share, log_power = (a - 1) / a, np.zeros_like(log_alpha)
        with np.errstate(divide="ignore"):
            for _ in range(6):
                allowed = np.expm1(np.minimum((a - 1) * bound, 700.0)) - np.expm1(a * np.log1p(-np.exp(log_power)))
                log_power = np.minimum(share * log_alpha + np.log(allowed) / a, 0.0)
            log_power = np.where(pure, np.minimum(log_alpha + bound, 0.0), log_power)
            slope = np.log(np.where(pure, 1.0, share)) + log_power - log_alpha
            logit = log_power - np.log1p(-np.exp(log_power))
        alone = order == 1  # says too little down here; the power at a larger alpha is a bound
        if alone.any():
            edge = np.full(int(alone.sum()), _TINY)
            logit[alone], slope[alone] = self._tightest(edge, 1 - edge)
        return logit, slope

    def _mirrored(self) -> TradeOff:
        return self

    @abstractmethod
    def _log_conversion(self, epsilon: Floats) -> Floats:
        """log of the delta that one order implies, best of all (Canonne, Kamath & Steinke 2020, Proposition 12)."""

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        out = self._profile(epsilon) * (1 + side * self.profile_rounding)
        # Deeper down the best alpha is below the smallest float; there only the conversion is a bound.
        deep = out < _DEEP
        if side == RISKY and deep.any():
            out[deep] = np.minimum(np.exp(self._log_conversion(epsilon[deep])), _DEEP)
        return out

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        out = super().bounded_epsilon(side, np.maximum(delta, _DEEP))
        deep = (delta < _DEEP) & (delta > 0)
        if deep.any() and side == RISKY:
            target = np.log(delta[deep])
            high = np.full_like(target, 1.0)
            while (self._log_conversion(high) > target).any():
                high = high * 2
            found = sign_change(lambda e: self._log_conversion(e) - target, np.zeros_like(target), high)[1]
            out[deep] = np.maximum(found, out[deep])
        out[delta == 0] = self._max_loss()[1 if side == RISKY else 0]
        return out

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
class RenyiCurve(MomentGuarantee):
    """Given orders ≥ 1 (infinity allowed) with their bounds."""

    orders: tuple[float, ...]
    bounds: tuple[float, ...]

    @cached_property
    def _constraints(self) -> tuple[Floats, Floats, Bools]:
        """Both directions, by s = order (forward) and s = 1 − order (backward).

        As alpha grows the tightest one moves along this list.
        """
        orders, bounds = np.array(self.orders), np.array(self.bounds)
        forward = np.repeat([True, False], len(orders))
        orders, bounds = np.tile(orders, 2), np.tile(bounds, 2)
        rank = np.argsort(np.where(forward, orders, 1 - orders), kind="stable")
        return orders[rank], bounds[rank], forward[rank]

    @cached_property
    def _on_nodes(self) -> tuple[Floats, np.ndarray]:
        return self._search(*rates_of(NODES))

    def _search(self, alpha: Floats, co: Floats) -> tuple[Floats, np.ndarray]:
        """logit(power) and index of the tightest constraint, near enough to start from.

        The root of the largest of all excesses D − bound, by Newton's steps.
        """
        orders, bounds, forward = self._constraints
        start = np.log(alpha) - np.log(co)
        rise, index = TOP - start, np.full(len(alpha), -1)
        for i in np.unique(np.linspace(0, len(orders) - 1, 6).astype(int)):
            order, bound, direction = (np.full_like(alpha, x) for x in (orders[i], bounds[i], forward[i]))
            rise = np.minimum(rise, log_power_odds(alpha, co, order, bound, direction > 0) - start)
        for _ in range(40):
            excess = binary_divergence(alpha, co, start, rise, orders[:, None], forward[:, None]) - bounds[:, None]
            worst = np.argmax(np.where(np.isnan(excess), -math.inf, excess), axis=0)
            slope = divergence_slope(start, rise, orders[worst], forward[worst])
            with np.errstate(all="ignore"):
                step = np.clip(excess[worst, np.arange(len(alpha))] / slope, -rise, rise / 2)
            step = np.where(np.isfinite(step), step, 0.0)
            rise = np.minimum(rise - step, TOP - start)
            if (np.abs(step) <= 1e-9 * rise).all() and np.array_equal(worst, index):
                break
            index = worst
        return start + rise, index

    def _candidates(self, alpha: Floats, co: Floats, logit: Floats) -> Iterator[Constraint]:
        odds, index = self._on_nodes
        right = np.clip(np.searchsorted(NODES, logit), 1, len(NODES) - 1)
        first, last = np.minimum(index[right - 1], index[right]), np.maximum(index[right - 1], index[right])
        guess = np.interp(logit, NODES, odds)
        far = last - first > 4  # from one direction to the other, or a sparse table: look at all of them
        if far.any():
            guess[far], first[far] = self._search(alpha[far], co[far])
            last = np.where(far, first, last)
        orders, bounds, forward = self._constraints
        for step in range(int(np.max(last - first, initial=0)) + 1):
            i = np.minimum(first + step, last)
            yield orders[i], bounds[i], forward[i], guess

    def _max_loss(self) -> tuple[float, float]:
        pure = [bound for order, bound in zip(self.orders, self.bounds) if order == math.inf]
        top = min(pure, default=math.inf)
        return top, top

    def _log_conversion(self, epsilon: Floats) -> Floats:
        usable = [(a, b) for a, b in zip(self.orders, self.bounds) if 1 < a < math.inf]
        found = [(a - 1) * (b - epsilon) + (a - 1) * math.log1p(-1 / a) - math.log(a) for a, b in usable]
        return np.min(found, axis=0) if found else np.zeros_like(epsilon)

    def _best_far_order(self, log_alpha: Floats) -> tuple[Floats, Floats]:
        orders, bounds = np.array(self.orders), np.array(self.bounds)
        finite = np.where(np.isinf(orders), 2.0, orders)
        with np.errstate(divide="ignore"):
            spare = np.log(np.expm1(np.minimum((finite - 1) * bounds, 700.0))) / finite
        share, spare = np.where(np.isinf(orders), 1.0, 1 - 1 / finite), np.where(np.isinf(orders), bounds, spare)
        known = orders > 1  # order 1 says nothing about the smallest alphas
        best = np.argmin(np.where(known, share * log_alpha[:, None] + spare, math.inf), axis=1)
        return np.where(known.any(), orders[best], 1.0), bounds[best]

    def _renyi(self, order: float) -> float:
        return _interpolated_bound(np.array(self.orders), np.array(self.bounds), order)


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
