"""The curve of a Rényi guarantee: all that its divergences still allow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats
from dplens.curves.coins import TOP, binary_divergence, divergence_slope, log_power_odds
from dplens.curves.moments import Constraint, MomentGuarantee, rates_of
from dplens.curves.piecewise_mu import pure_mu
from dplens.curves.readings.mu import tightest_mu
from dplens.curves.tiny_alphas import allowed


@dataclass(frozen=True)
class RenyiCurve(MomentGuarantee):
    """Given orders ≥ 1 (infinity allowed) with their bounds."""

    orders: tuple[float, ...]
    bounds: tuple[float, ...]

    @cached_property
    def _sorted(self) -> tuple[Floats, Floats]:
        """Orders with their bounds; as alpha grows the tightest forward inequality moves down this list."""
        orders, bounds = np.array(self.orders), np.array(self.bounds)
        rank = np.argsort(orders, kind="stable")
        return orders[rank], bounds[rank]

    def _forward_odds(self, logit: Floats) -> tuple[Floats, Floats]:
        """The root of the largest of all excesses D − bound, by Newton's steps."""
        orders, bounds = self._sorted
        alpha, co = rates_of(logit)
        start, ahead = np.log(alpha) - np.log(co), np.ones(len(alpha), dtype=bool)
        rise, index = TOP - start, np.full(len(alpha), -1)
        for i in np.unique(np.linspace(0, len(orders) - 1, 6).astype(int)):
            order, bound = np.full_like(alpha, orders[i]), np.full_like(alpha, bounds[i])
            rise = np.minimum(rise, log_power_odds(alpha, co, order, bound, ahead) - start)
        for _ in range(40):
            excess = binary_divergence(alpha, co, start, rise, orders[:, None], ahead) - bounds[:, None]
            worst = np.argmax(np.where(np.isnan(excess), -math.inf, excess), axis=0)
            slope = divergence_slope(start, rise, orders[worst], ahead)
            with np.errstate(all="ignore"):
                step = np.clip(excess[worst, np.arange(len(alpha))] / slope, -rise, rise / 2)
            step = np.where(np.isfinite(step), step, 0.0)
            rise = np.minimum(rise - step, TOP - start)
            if (np.abs(step) <= 1e-9 * rise).all() and np.array_equal(worst, index):
                break
            index = worst
        return start + rise, index

    def _candidates(self, alpha: Floats, co: Floats, logit: Floats) -> Iterator[Constraint]:
        orders, bounds = self._sorted
        axis, odds, key, _, _ = self._table
        for rows, forward in self._directions(logit):
            at, ahead = logit[rows], np.full(len(rows), forward)
            if not len(axis):
                every = np.full(len(rows), -1)
                yield Constraint(rows, orders[every], bounds[every], ahead, np.full(len(rows), TOP))
                continue
            right = np.clip(np.searchsorted(axis, at), 1, len(axis) - 1)
            ends = key[right - 1].astype(int), key[right].astype(int)
            first, last = np.minimum(*ends), np.maximum(*ends)
            guess = np.interp(at, axis, odds)
            for step in range(int(np.max(last - first, initial=0)) + 1):
                some = np.flatnonzero(first + step <= last)
                i = first[some] + step
                yield Constraint(rows[some], orders[i], bounds[i], ahead[some], guess[some])

    def _far_order(self, log_alpha: Floats, log_power: Floats) -> tuple[Floats, Floats]:
        orders, bounds = self._sorted
        pure = np.isinf(orders)
        a = np.where(pure, 2.0, orders)
        found = allowed(log_alpha[:, None], log_power[:, None], a, bounds)
        found = np.where(pure, log_alpha[:, None] + bounds, found)
        # order 1 bounds the power by bound/log(1/alpha), roughly: more than any other order for a tiny alpha
        best = np.argmin(np.where(orders == 1, 0.0, found), axis=1)
        return orders[best], bounds[best]

    def _least_bound(self) -> float:
        return min(self.bounds)

    def _max_loss(self) -> tuple[float, float]:
        pure = [bound for order, bound in zip(self.orders, self.bounds) if order == math.inf]
        top = min(pure, default=math.inf)
        return top, top

    def _mu(self) -> tuple[float, float]:
        top = self._max_loss()[1]
        if math.isinf(top):
            # an inequality of order a leaves powers like alpha^{1−1/a} to the smallest alphas, more than any Gaussian
            return math.inf, math.inf
        low, high = tightest_mu(self)
        return low, min(high, pure_mu(top) * (1 + 1e-14))

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
