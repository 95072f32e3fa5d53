"""Guarantees on Rényi divergences: the curve that a set of binary inequalities leaves, at any depth."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from dplens.curves.base import Floats, TradeOff
from dplens.curves.guarantees.coins import (
    TOP,
    Bools,
    binary_divergence,
    divergence_slope,
    log_power_odds,
    log_slope,
    polished,
    rates_of,
)
from dplens.curves.readings.mu import tightest_mu
from dplens.estimate import Certificate
from dplens.numerics import normal
from dplens.numerics.enclosure import Bounds, Enclosure
from dplens.numerics.logits import GRID, to_logit
from dplens.numerics.sharing import cached_property, latest

_LEAST = 1e-289  # alphas below which the smaller terms of a divergence are not representable
_NODES = GRID[GRID > -667][::3]
_COARSE = 0.2  # decades between the orders from which Newton's steps find those of a concentrated guarantee


class Table(NamedTuple):
    """Along logit(alpha): logit(power), and which order is tightest (``key``); forward up to ``middle``, then backward.

    Between ``inner`` and its mirror image either may be.
    """

    axis: Floats
    odds: Floats
    key: Floats
    inner: float = -math.inf
    middle: float = -math.inf


@dataclass(frozen=True)
class RenyiCurve(TradeOff):
    """f(alpha) = the least beta that violates no binary Rényi inequality, in either direction.

    Given are orders ≥ 1 (infinity allowed) with their bounds; or ``rho`` of a zero-concentrated guarantee,
    D_order ≤ rho·order for every order > 1 (Bun & Steinke 2016).

    Post-processing turns any test into a coin, so every order bounds (alpha, beta) by itself; the curve is the
    largest of these bounds. Each bound is convex, so is their maximum. Which order is tightest at alpha is
    looked up in a table (and under zCDP put right by Newton's steps); a slightly wrong choice is still a true bound.
    Symmetric: where alpha < beta the forward divergence is the larger one, and the rest of the curve is the mirror
    image.
    """

    orders: tuple[float, ...] = ()
    bounds: tuple[float, ...] = ()
    rho: float | None = None
    rounding = 2e-13
    searches_profile = True

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
        if self.rho is not None:  # next to alpha = 0 it is about √(log(1/alpha)/rho)
            orders = 1 + np.append(0.0, np.power(10.0, np.arange(-4, 2 - min(math.log10(self.rho) / 2, 0.0), _COARSE)))
            return orders, self.rho * orders
        orders, bounds = np.array(self.orders), np.array(self.bounds)
        rank = np.argsort(orders, kind="stable")
        return orders[rank], bounds[rank]

    # ---- the table -------------------------------------------------------------------------------------

    def _rough_odds(self, alpha: Floats, co: Floats) -> Floats:
        """logit(power) that a few of the forward inequalities allow, or somewhat more."""
        orders, bounds = self._listed
        some = np.unique(np.linspace(0, len(orders) - 1, 6).astype(int))
        rows, each = np.tile(np.arange(len(alpha)), len(some)), np.repeat(some, len(alpha))
        ahead = np.ones(len(rows), dtype=bool)
        found = log_power_odds(alpha[rows], co[rows], orders[each], bounds[each], ahead, width=1e-2)
        return np.min(found.reshape(len(some), -1), axis=0)

    def _forward_odds(self, logit: Floats, above: Floats | None = None) -> tuple[Floats, Floats]:
        """logit(power) that the forward inequalities allow, near enough to start from, and the key of the tightest.

        The root of the largest of all excesses D − bound, by Newton's steps from ``above`` it.
        """
        orders, bounds = self._listed
        alpha, co = rates_of(logit)
        start, ahead = to_logit(alpha, co), np.ones(len(alpha), dtype=bool)
        top = self._rough_odds(alpha, co) if above is None else above
        rise, index = np.minimum(top, TOP) - start, np.full(len(alpha), -1)
        for _ in range(10):
            excess = binary_divergence(alpha, co, start, rise, orders[:, None], ahead) - bounds[:, None]
            worst = np.argmax(np.where(np.isnan(excess), -math.inf, excess), axis=0)
            slope = divergence_slope(start, rise, orders[worst], ahead)
            with np.errstate(all="ignore"):
                step = np.clip(excess[worst, np.arange(len(alpha))] / slope, -rise, rise / 2)
            step = np.where(np.isfinite(step), step, 0.0)
            rise = np.minimum(rise - step, TOP - start)
            if (np.abs(step) <= 1e-6 * rise).all() and np.array_equal(worst, index):
                break
            index = worst
        if self.rho is None:
            return start + rise, index
        order, odds = polished(alpha, co, start, orders[index], start + rise, ahead, self.rho)
        return odds, np.log(order)

    @cached_property
    def _table(self) -> Table:
        axis = _NODES[_NODES <= 0]
        odds, key = self._forward_odds(axis)
        left = 0
        for _ in range(8):
            left = int(np.argmax(np.append(odds, math.inf) >= np.append(-axis, 0.0)))  # where alpha < beta ends
            # the mirror image is read along the odds, so these may not leap either; and both halves should meet
            leap = np.diff(odds[: left + 1]) > 1.5
            leap[-1:] = True
            wide = np.flatnonzero(leap & (np.diff(axis[: left + 1]) > 0.02))
            if not len(wide):
                break
            more = (axis[wide] + axis[wide + 1]) / 2
            extra = self._forward_odds(more, odds[wide + 1])
            axis, odds, key = (np.insert(x, wide + 1, y) for x, y in ((axis, more), (odds, extra[0]), (key, extra[1])))
        axis, odds, key = axis[:left], np.maximum.accumulate(odds[:left]), key[:left]
        if not left:
            return Table(axis, odds, key)
        mirrored = [np.concatenate(x) for x in ((axis, -odds[::-1]), (odds, -axis[::-1]), (key, key[::-1]))]
        return Table(mirrored[0], mirrored[1], mirrored[2], float(axis[-1]), float(axis[-1] - odds[-1]) / 2)

    def _directions(self, logit: Floats) -> Iterator[tuple[np.ndarray, bool]]:
        """Alphas with the direction that decides there; in the middle cell both are tried."""
        table = self._table
        forward = logit <= table.middle
        mirror = float(-table.odds[len(table.axis) // 2 - 1]) if len(table.axis) else -math.inf
        unsure = (logit > table.inner) & (logit < mirror)
        for rows, direction in ((forward | unsure, True), (~forward | unsure, False)):
            if rows.any():
                yield np.flatnonzero(rows), direction

    def _candidates(
        self, alpha: Floats, co: Floats, logit: Floats
    ) -> Iterator[tuple[np.ndarray, Floats, Floats, Bools, Floats]]:
        """The constraints that may be tightest, each for some of the alphas.

        Rows, order, bound, whether D(Q‖P) is bounded (else D(P‖Q)), and a logit near the power allowed.
        """
        axis, odds, key, _, _ = self._table
        for rows, forward in self._directions(logit):
            at, ahead = logit[rows], np.full(len(rows), forward)
            guess = np.interp(at, axis, odds) if len(axis) else np.full(len(rows), TOP)
            if self.rho is not None:
                order = np.ones(len(rows))
                if len(axis):
                    order = np.exp(np.maximum(np.interp(at, axis, key), 0.0))
                    order, guess = polished(alpha[rows], co[rows], at, order, guess, ahead, self.rho)
                yield rows, order, self.rho * order, ahead, guess
                continue
            orders, bounds = self._listed
            right = np.clip(np.searchsorted(axis, at), 1, len(axis) - 1)
            ends = (key[right - 1].astype(int), key[right].astype(int)) if len(axis) else (np.full(len(rows), -1),) * 2
            first, last = np.minimum(*ends), np.maximum(*ends)
            for step in range(int(np.max(last - first, initial=0)) + 1):
                some = np.flatnonzero(first + step <= last)
                i = first[some] + step
                yield rows[some], orders[i], bounds[i], ahead[some], guess[some]

    # ---- the curve -------------------------------------------------------------------------------------

    def _tightest(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """logit(power) and log-slope of the tightest bound at alpha; power, beta and slope are often read in turn."""
        return latest(self, "_latest", (alpha.tobytes(), co.tobytes()), lambda: self._solved(alpha, co))

    def _solved(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        a, c = np.maximum(alpha, _LEAST), np.maximum(co, 1e-320)
        logit, slope = np.full_like(alpha, math.inf), np.full_like(alpha, -math.inf)
        for rows, order, bound, forward, guess in self._candidates(a, c, to_logit(a, c)):
            found = log_power_odds(a[rows], c[rows], order, bound, forward, guess)
            tighter = found < logit[rows]
            rows = rows[tighter]
            logit[rows] = found[tighter]
            slope[rows] = log_slope(np.log(a[rows]), np.log(c[rows]), logit[rows], order[tighter], forward[tighter])
        return logit, slope

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        logit = self._tightest(alpha, co)[0]
        # the test with the least alpha and a coin do no worse than in proportion
        part = np.minimum(alpha / _LEAST, 1.0)
        return Enclosure(
            lambda: part * self._moved(-1, logit), lambda: np.minimum(self._moved(+1, logit), self._far_power(alpha))
        )

    def _far_power(self, alpha: Floats) -> Floats:
        """For the smallest alphas a bound on the power: power^a·alpha^(1 − a) ≤ e^((a − 1)·bound) − (1 − power)^a."""
        out, far = np.ones_like(alpha), alpha < _LEAST
        log_alpha = np.log(np.maximum(alpha[far], 1e-323))[:, None]
        orders, bounds = self._listed
        if self.rho is not None:  # where this is least
            orders = np.maximum(np.sqrt(-log_alpha / self.rho), 1.0)
            bounds = self.rho * orders
        rough = (1 - 1 / orders) * (log_alpha + bounds)
        with np.errstate(all="ignore"):  # then what tails take of the moment: 1 − a·power at least
            spare = np.expm1(np.minimum((orders - 1) * bounds, 700.0)) + orders * np.exp(rough)
            found = np.fmin(rough, (1 - 1 / orders) * log_alpha + np.log(spare) / orders)
        found = np.where((orders - 1) * bounds < 700, found, rough)
        out[far] = np.exp(np.min(found, axis=1) * (1 - 1e-15)).clip(0.0, 1.0)
        return out

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        logit = self._tightest(alpha, co)[0]
        # a logit above the top was not looked for: all that is known is that beta is smaller than there
        most = np.where(alpha < _LEAST, 1.0, 0.0)
        return Enclosure(
            lambda: self._moved(-1, -logit), lambda: np.maximum(self._moved(+1, -np.minimum(logit, TOP)), most)
        )

    def _moved(self, sign: int, logit: Floats) -> Floats:
        """A rate moved up or down by its rounding: the last digits of a large logit count in the lower tail."""
        loose = 4e-16 * np.minimum(np.abs(logit), TOP) * expit(-logit)
        return expit(logit) * (1 + sign * (self.rounding + loose))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self._tightest(alpha, co)[1]

    def _mirrored(self) -> TradeOff:
        return self

    def _max_loss(self) -> tuple[float, float]:
        top = min((bound for order, bound in zip(self.orders, self.bounds) if order == math.inf), default=math.inf)
        return top, top

    def _mu(self) -> tuple[float, float]:
        top = self._max_loss()[1]
        if self.rho is None and math.isinf(top):
            # an inequality of order a leaves powers like alpha^{1−1/a} to the smallest alphas, more than any Gaussian
            return math.inf, math.inf
        low, high = tightest_mu(self)
        return low, min(high, normal.pure_mu(top) * (1 + 1e-14)) if math.isfinite(top) else high

    def renyi_bounds(self, order: float) -> Bounds:
        return Bounds.around(self.renyi(order), self.rounding)

    def _renyi(self, order: float) -> float:
        """The least bound on D_order that follows from the given ones (and D_1·0 = 0)."""
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
