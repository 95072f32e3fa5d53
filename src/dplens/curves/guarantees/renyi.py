"""Guarantees on Rényi divergences: the worst curve that satisfies a set of binary inequalities, also in far tails."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from dplens.curves.base import Floats, SymmetricCurve
from dplens.curves.guarantees.coins import (
    TOP,
    Bools,
    binary_divergence,
    divergence_slope,
    log_power_odds,
    log_slope,
    polished,
    rough_divergence,
)
from dplens.curves.readings.mu import tightest_mu
from dplens.estimate import Certificate
from dplens.numerics import normal
from dplens.numerics.enclosure import Bounds, Enclosure
from dplens.numerics.logits import from_logit, to_logit
from dplens.numerics.roots import sign_change
from dplens.numerics.sharing import cached_property, latest

_LEAST = 1e-289  # alphas below which the smaller terms of a divergence are not representable
_NODES = np.concatenate([-np.geomspace(667, 32, 10), np.linspace(-30, -8, 12), np.linspace(-7.5, 0, 16)])


@dataclass(frozen=True)
class RenyiCurve(SymmetricCurve):
    """f(alpha) = the smallest beta that satisfies all binary Rényi inequalities, in both directions.

    Given orders ≥ 1 (infinity allowed) with their bounds, or ``rho`` of a zCDP guarantee:
    D_order ≤ rho·order for every order > 1 (Bun & Steinke 2016).

    Post-processing turns any test into a coin, so every order bounds (alpha, beta) by itself; the curve is the
    largest of these bounds, and convex because each bound is. The tightest order at alpha is looked up in a table
    (and for zCDP refined by Newton's method); a slightly wrong choice still gives a valid bound.
    Symmetric: for alpha < beta the forward divergence is the larger one, and the rest of the curve is the mirror
    image.
    """

    orders: tuple[float, ...] = ()
    bounds: tuple[float, ...] = ()
    rho: float | None = None
    rounding = 2e-13
    searches_profile = True  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]

    @property
    def profile_rounding(self) -> float:
        return 3 * self.rounding

    @property
    def _certificate(self) -> Certificate:
        return Certificate(
            "orders", 1e-9, "the worst that the guarantee allows, by the best order per alpha from a table"
        )

    @cached_property
    def _listed(self) -> tuple[Floats, Floats]:
        """Orders with their bounds; as alpha grows the tightest forward inequality moves down this list."""
        if self.rho is not None:  # near alpha = 0 the tightest order is about √(log(1/alpha)/rho)
            orders = 1 + np.append(0.0, np.power(10.0, np.arange(-2, 2 - min(math.log10(self.rho) / 2, 0.0), 0.2)))
            return orders, self.rho * orders
        orders, bounds = np.array(self.orders), np.array(self.bounds)
        rank = np.argsort(orders, kind="stable")
        return orders[rank], bounds[rank]

    @property
    def _divergence(self) -> Callable[..., Floats]:
        """The divergence that guides searches: rough unless that is too rough for small bounds."""
        return rough_divergence if self._listed[1].min() > 1e-6 else binary_divergence

    # ---- the table -------------------------------------------------------------------------------------

    def _forward_odds(self, logit: Floats) -> tuple[Floats, Floats]:
        """The approximate logit(power) that the forward inequalities allow, and the key of the tightest.

        There the largest ratio D/bound is 1; its square root is nearly linear in the rise.
        """
        orders, bounds = (column[:, None] for column in self._listed)
        alpha, co = (np.maximum(rate, 1e-320) for rate in from_logit(logit))
        ahead, top = np.ones(len(alpha), dtype=bool), TOP - logit

        @np.errstate(all="ignore")
        def ratios(rise: Floats) -> Floats:
            found = self._divergence(alpha[None], co[None], logit[None], rise[None], orders, ahead[None]) / bounds
            return np.maximum(np.nan_to_num(found, nan=0.0), 0.0)

        def slack(rise: Floats) -> Floats:
            return 1 - np.sqrt(ratios(rise).max(axis=0))

        with np.errstate(all="ignore"):
            # start from D ≈ order·alpha·(1 − alpha)·rise²/2 for small losses, and from heads alone for large ones
            near = np.sqrt(2 * bounds / (np.minimum(orders, 1e3) * alpha * co))
            power = np.minimum((1 - 1 / orders) * (np.log(alpha) + bounds), -1e-3)
            rise = np.nanmin(np.minimum(near, power - np.log(-np.expm1(power)) - logit), axis=0)
            for _ in range(10):
                rise = np.clip(rise, 1e-300, top)
                found = ratios(rise)
                index, most = found.argmax(axis=0), found.max(axis=0)
                if np.all((np.abs(most - 1) < 1e-3) | ((rise == top) & (most < 1))):
                    break
                slope = divergence_slope(logit, rise, orders[index, 0], ahead) / bounds[index, 0]
                rise = rise * (1 + np.clip(2 * (np.sqrt(most) - most) / (slope * rise), -0.9, 3.0))
            else:
                rise = np.where(slack(top) > 0, top, sign_change(slack, np.zeros_like(top), top, width=1e-5)[0])
                index = ratios(rise).argmax(axis=0)
        if self.rho is None:
            return logit + rise, index
        order, rise = polished(alpha, co, logit, orders[index, 0], rise, ahead, self.rho, self._divergence)
        return logit + rise, order

    @cached_property
    def _table(self) -> tuple[Floats, Floats, Floats]:
        """logit(alpha), logit(power) and the key of the tightest forward inequality, to just beyond beta = alpha."""
        axis = _NODES
        odds, key = self._forward_odds(axis)
        while True:
            count = int(np.argmax(np.append(odds >= -axis, True))) + 1
            axis, odds, key = axis[:count], odds[:count], key[:count]
            if count < 2 or axis[-1] - axis[-2] < 0.6:
                odds[-1] = min(odds[-1], 1 - axis[-1])  # beyond the diagonal power may rise to 1 at once
                return axis, np.maximum.accumulate(odds), key
            more = np.linspace(axis[-2], axis[-1], 10)[1:-1]
            axis, odds, key = (
                np.insert(x, -1, y) for x, y in zip((axis, odds, key), (more, *self._forward_odds(more)))
            )

    def _candidates(self, alpha: Floats, co: Floats, logit: Floats) -> tuple[np.ndarray, Floats, Floats, Bools, Floats]:
        """The inequalities that may be tightest: rows of alpha, orders, bounds, directions, and the rises they allow.

        A backward inequality at (alpha, power) is the forward one at (beta, 1 − alpha).
        """
        axis, odds, key = self._table
        found = []
        for forward, at, to, keys in ((True, axis, odds, key), (False, -odds[::-1], -axis[::-1], key[::-1])):
            rows = np.flatnonzero(logit <= at[-1] if forward else (logit >= at[0]) & (logit < TOP))
            x = logit[rows]
            rise = np.interp(x, at, to - at)
            if self.rho is None:
                right = np.clip(np.searchsorted(at, x), min(1, len(at) - 1), len(at) - 1)
                ends = keys[np.maximum(right - 1, 0)], keys[right]
                first, count = np.minimum(*ends), np.abs(ends[1] - ends[0]) + 1
                each = np.repeat(np.arange(len(rows)), count)
                chosen = first[each] + np.arange(len(each)) - np.repeat(np.cumsum(count) - count, count)
                rows, rise = rows[each], rise[each]
            else:
                chosen = np.interp(x, at, keys)
            found.append((rows, chosen, np.full(len(rows), forward), rise))
        rows, chosen, ahead, rise = (np.concatenate(columns) for columns in zip(*found))
        a, c, start = alpha[rows], co[rows], logit[rows]
        rise = np.clip(rise, 1e-300, TOP - start)
        if self.rho is not None:
            order, rise = polished(a, c, start, chosen, rise, ahead, self.rho, self._divergence)
            least = np.full(len(alpha), math.inf)
            np.minimum.at(least, rows, rise)
            close = ~(rise > 1.1 * least[rows])
            return rows[close], order[close], self.rho * order[close], ahead[close], rise[close]
        orders, bounds = self._listed
        return rows, orders[chosen], bounds[chosen], ahead, rise

    # ---- the curve -------------------------------------------------------------------------------------

    def _tightest(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """logit(power) and log-slope of the tightest bound at alpha; cached, as power and beta are often both read."""
        return latest(self, "_latest", (alpha.tobytes(), co.tobytes()), lambda: self._solved(alpha, co))

    def _solved(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        a, c = np.maximum(alpha, _LEAST), np.maximum(co, 1e-320)
        start = to_logit(a, c)
        rows, order, bound, forward, rise = self._candidates(a, c, start)
        a, c, start = a[rows], c[rows], start[rows]
        found = log_power_odds(a, c, start, rise, order, bound, forward)
        slopes = log_slope(np.log(a), np.log(c), found, order, forward)
        last = np.lexsort((-found, rows))  # for each alpha keep the smallest, which comes last
        logit, slope = np.full_like(alpha, math.inf), np.full_like(alpha, -math.inf)
        logit[rows[last]], slope[rows[last]] = found[last], slopes[last]
        return logit, slope

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        logit = self._tightest(alpha, co)[0]
        # power is at least proportional, by randomising the test with the smallest alpha
        part = np.minimum(alpha / _LEAST, 1.0)
        return Enclosure(
            lambda: part * self._moved(-1, logit, alpha),
            lambda: np.minimum(self._moved(+1, logit, alpha), self._far_power(alpha)),
        )

    def _far_power(self, alpha: Floats) -> Floats:
        """Bound on the power at the smallest alphas: power^a·alpha^(1 − a) ≤ e^((a − 1)·bound) − (1 − power)^a."""
        out, far = np.ones_like(alpha), alpha < _LEAST
        log_alpha = np.log(np.maximum(alpha[far], 1e-323))[:, None]
        orders, bounds = self._listed
        if self.rho is not None:  # the order that minimises it
            orders = np.maximum(np.sqrt(-log_alpha / self.rho), 1.0)
            bounds = self.rho * orders
        rough = (1 - 1 / orders) * (log_alpha + bounds)
        with np.errstate(all="ignore"):  # then subtract the share of tails in the moment, at least 1 − a·power
            spare = np.expm1(np.minimum((orders - 1) * bounds, 700.0)) + orders * np.exp(rough)
            found = np.fmin(rough, (1 - 1 / orders) * log_alpha + np.log(spare) / orders)
        found = np.where((orders - 1) * bounds < 700, found, rough)
        out[far] = np.exp(np.min(found, axis=1) * (1 - 1e-15)).clip(0.0, 1.0)
        return out

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        logit = self._tightest(alpha, co)[0]
        # logits above the top were not searched: beta is only known to be smaller than there
        most = np.where(alpha < _LEAST, 1.0, 0.0)
        return Enclosure(
            lambda: self._moved(-1, -logit, co),
            lambda: np.maximum(self._moved(+1, -np.minimum(logit, TOP), co), most),
        )

    def _moved(self, sign: int, logit: Floats, other: Floats | float = 1.0) -> Floats:
        """A rate moved up or down by its rounding error, dominated by that of large logits in the lower tail.

        other: the rate on the other axis, whose logarithm rounds too.
        """
        loose = 4e-16 * np.minimum(np.abs(logit), TOP) * expit(-logit) - 4e-16 * np.log(np.maximum(other, _LEAST))
        return expit(logit) * (1 + sign * (self.rounding + loose))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self._tightest(alpha, co)[1]

    def _max_loss(self) -> tuple[float, float]:
        top = min((bound for order, bound in zip(self.orders, self.bounds) if order == math.inf), default=math.inf)
        return top, top

    def _mu(self) -> tuple[float, float]:
        top = self._max_loss()[1]
        if self.rho is None and math.isinf(top):
            # an inequality of order a allows power ~ alpha^{1−1/a} at the smallest alphas, more than any Gaussian curve
            return math.inf, math.inf
        low, high = tightest_mu(self)
        return low, min(high, normal.pure_mu(top) * (1 + 1e-14)) if math.isfinite(top) else high

    def _enclose_renyi(self, order: float) -> Bounds:
        return Bounds.around(self.implied_renyi(order), 1e-15)

    def implied_renyi(self, order: float) -> float:
        """The smallest bound on D_order implied by the given ones (and by D_1·0 = 0)."""
        if self.rho is not None:
            return self.rho * order
        known = list(zip(self.orders, self.bounds))
        found = [bound for a, bound in known if a >= order]  # monotone in the order
        # (a − 1)·D_a is convex in a, and 0 at a = 1
        moments = [(1.0, 0.0), *((a, (a - 1) * bound) for a, bound in known if 1 < a < math.inf)]
        for a0, m0 in moments if order > 1 else ():
            for a1, m1 in moments:
                if a0 <= order <= a1 and a0 < a1:
                    weight = (order - a0) / (a1 - a0)
                    found.append(((1 - weight) * m0 + weight * m1) / (order - 1))
        return min(found, default=math.inf)
