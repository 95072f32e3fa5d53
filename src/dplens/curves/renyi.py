"""Guarantees on Rényi divergences: the curve that a set of binary inequalities leaves, at any depth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from dplens._numerics.enclosure import Enclosure
from dplens._numerics.logits import GRID, to_logit
from dplens._numerics.search import golden_maximum, sign_change
from dplens._numerics.sharing import cached_property, latest
from dplens.curves.base import Floats, TradeOff
from dplens.curves.coins import (
    TOP,
    Bools,
    allowed,
    binary_divergence,
    divergence_slope,
    largest_power,
    log_power_odds,
    log_rest,
    log_slope,
    polished,
    rates_of,
)
from dplens.curves.piecewise_mu import pure_mu
from dplens.curves.readings.mu import tightest_mu
from dplens.estimate import Certificate

_LOWEST = -667.0  # logit of the alphas below which the smaller terms of a divergence are not representable
_NODES = GRID[(GRID > _LOWEST)][::3]
_AXIS = np.concatenate([-np.geomspace(1e305, -_LOWEST, 360), _NODES])
_ROUNDS, _POINTS, _ROWS = 8, 65, 256
_SURE = 3e-14  # error of a log power; that of log alpha, in its last digits, comes on top
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

    def _least_bound(self) -> float:
        return min(self.bounds) if self.rho is None else self.rho

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
        start = to_logit(alpha, np.maximum(co, 1e-320))
        tiny = start < _LOWEST
        logit, slope = np.full_like(alpha, math.inf), np.full_like(alpha, -math.inf)
        if tiny.any():
            logit[tiny], slope[tiny] = self._far_down(np.log(np.maximum(alpha[tiny], 1e-323)))
        rest = np.flatnonzero(~tiny)
        a, c = alpha[rest], np.maximum(co[rest], 1e-320)
        for rows, order, bound, forward, guess in self._candidates(a, c, start[rest]) if len(rest) else ():
            found = log_power_odds(a[rows], c[rows], order, bound, forward, guess)
            tighter = found < logit[rest[rows]]
            into, rows = rest[rows[tighter]], rows[tighter]
            logit[into] = found[tighter]
            slope[into] = log_slope(np.log(a[rows]), np.log(c[rows]), logit[into], order[tighter], forward[tighter])
        return logit, slope

    def _far_down(self, log_alpha: Floats) -> tuple[Floats, Floats]:
        """The same where alpha is next to nothing or no float at all, from its logarithm."""
        # the tightest order while the power is negligible, then the tightest at that power
        rough = largest_power(log_alpha, *self._far_order(log_alpha, np.full_like(log_alpha, -math.inf)))
        order, bound = self._far_order(log_alpha, rough)
        log_power = largest_power(log_alpha, order, bound)
        logit = log_power - log_rest(log_power)
        # backward: beta ≥ e^−bound, whatever the order
        least = self._least_bound()
        cap = least + math.log(-math.expm1(-least))
        forward = logit <= cap
        logit = np.minimum(logit, cap)
        return logit, log_slope(log_alpha, np.zeros_like(log_alpha), logit, np.where(forward, order, 1.0), forward)

    def _far_order(self, log_alpha: Floats, log_power: Floats) -> tuple[Floats, Floats]:
        """(order, bound) for which :func:`allowed` is least."""
        if (rho := self.rho) is not None:
            # stationary where the power is negligible and rho·order² is not; then near it
            with np.errstate(over="ignore"):
                rough = np.minimum(np.sqrt(-log_alpha) / math.sqrt(rho), 1e300)

            def tight(log_excess: Floats) -> Floats:
                order = 1 + np.exp(log_excess)
                return -allowed(log_alpha, log_power, order, rho * order)

            low = np.full_like(rough, math.log(1e-8))
            order = 1 + np.exp(golden_maximum(tight, low, np.log(4 * rough + 1), iterations=60)[0])
            return order, rho * order
        orders, bounds = self._listed
        pure = np.isinf(orders)
        found = allowed(log_alpha[:, None], log_power[:, None], np.where(pure, 2.0, orders), bounds)
        found = np.where(pure, log_alpha[:, None] + bounds, found)
        # order 1 bounds the power by bound/log(1/alpha), roughly: more than any other order for a tiny alpha
        best = np.argmin(np.where(orders == 1, 0.0, found), axis=1)
        return orders[best], bounds[best]

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        logit = self._tightest(alpha, co)[0]
        return Enclosure(lambda: self._moved(-1, logit), lambda: self._moved(+1, logit))

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        logit = self._tightest(alpha, co)[0]
        # a logit above the top was not looked for: all that is known is that beta is smaller than there
        return Enclosure(lambda: self._moved(-1, -logit), lambda: self._moved(+1, -np.minimum(logit, TOP)))

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

    @cached_property
    def _kinks(self) -> Floats:
        """Logits of alpha where the direction changes, and where one order of a list takes over from the next."""
        axis, odds, key, inner, _ = self._table
        if not len(axis):
            return np.zeros(0)
        half = len(axis) // 2
        mirror = np.array([-odds[half - 1]])
        _, centre = sign_change(lambda x: -x - self._tightest(*rates_of(x))[0], np.array([inner]), mirror, floor=1e-14)
        cells = np.flatnonzero(np.diff(key[:half])) if self.rho is None else np.zeros(0, dtype=int)
        if not len(cells):
            return centre

        def odds_of(which: Floats, logit: Floats) -> Floats:
            order, bound = (x[which.astype(int)] for x in self._listed)
            guess, forward = np.interp(logit, axis, odds), np.ones(len(logit), dtype=bool)
            return log_power_odds(*rates_of(logit), order, bound, forward, guess)

        before, after = key[cells], key[cells + 1]
        _, turns = sign_change(
            lambda x: odds_of(after, x) - odds_of(before, x), axis[cells], axis[cells + 1], floor=1e-14
        )
        return np.concatenate([turns, centre, -odds_of(after, turns)])

    def _mu(self) -> tuple[float, float]:
        top = self._max_loss()[1]
        if self.rho is None and math.isinf(top):
            # an inequality of order a leaves powers like alpha^{1−1/a} to the smallest alphas, more than any Gaussian
            return math.inf, math.inf
        low, high = tightest_mu(self)
        return low, min(high, pure_mu(top) * (1 + 1e-14)) if math.isfinite(top) else high

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

    # ---- profile and epsilon: searched over log alpha, far below the floats ----------------------------

    def _log_power(self, logit: Floats) -> Floats:
        """log power where alpha has the given logit, however small."""
        out = np.empty_like(logit)
        far = logit < _LOWEST
        if far.any():
            out[far] = self._far_down(logit[far])[0]
        if not far.all():
            out[~far] = self._tightest(*rates_of(logit[~far]))[0]
        return -np.logaddexp(0, -out)

    @cached_property
    def _log_powers(self) -> Floats:
        return self._log_power(_AXIS)

    def _maximum(
        self, function: Callable[[Floats, Floats, Floats], Floats], at: Floats, most_of_all: float = math.inf
    ) -> tuple[Floats, Floats, Floats]:
        """The largest value over alpha of a function of (log power, log alpha), the log power and its error there.

        It must be quasi-concave in alpha. The best node of a table is found first, then the two cells around it
        are divided again and again, so that even a kink is met. ``most_of_all``: no value is larger.
        """
        top, log_power, log_alpha = (np.empty_like(at) for _ in range(3))
        for start in range(0, len(at), _ROWS):
            row = at[start : start + _ROWS, None]
            nodes = function(self._log_powers, -np.logaddexp(0, -_AXIS), row)
            best = np.clip(np.argmax(nodes, axis=1), 1, len(_AXIS) - 2)
            low, high = _AXIS[best - 1], _AXIS[best + 1]
            rows = np.arange(len(row))
            value, powers, logit = nodes, *(np.broadcast_to(x, nodes.shape) for x in (self._log_powers, _AXIS))
            for _ in range(0 if (nodes.max(axis=1) >= most_of_all).all() else _ROUNDS):
                logit = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, _POINTS)
                powers = self._log_power(logit.ravel()).reshape(logit.shape)
                value = function(powers, -np.logaddexp(0, -logit), row)
                j = np.clip(np.argmax(value, axis=1), 1, _POINTS - 2)
                low, high = logit[rows, j - 1], logit[rows, j + 1]
                most = value[rows, j]
                level = most - 1e-15 * (1 + np.abs(most)) <= np.minimum(value[rows, j - 1], value[rows, j + 1])
                if (level | np.isneginf(most)).all():
                    break
            j = np.argmax(value, axis=1)
            for out, found in ((top, value), (log_power, powers), (log_alpha, np.minimum(logit, 0.0))):
                out[start : start + _ROWS] = found[rows, j]
        return top, log_power, _SURE + 1e-15 * np.abs(log_alpha)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        def gain(log_power: Floats, log_alpha: Floats, e: Floats) -> Floats:
            return log_power + log_rest(e + log_alpha - log_power)

        value, log_power, loose = self._maximum(gain, epsilon, most_of_all=0.0)
        # delta is a difference: it carries the rounding of the power; and the last digit of what underflows
        return Enclosure.around(np.exp(value), self.profile_rounding, loose * np.exp(log_power) + 1e-323)

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        def ratio(log_power: Floats, log_alpha: Floats, log_delta: Floats) -> Floats:
            return log_power + log_rest(log_delta - log_power) - log_alpha

        some, (low, high) = delta > 0, self._max_loss()
        target = np.log(delta[some])
        value, log_power, loose = self._maximum(ratio, target)
        # the power's error counts power/(power − delta) times, and epsilon has digits of its own
        with np.errstate(over="ignore", invalid="ignore"):
            counts = np.exp(-log_rest(target - log_power))
            digits = 1e-15 * np.abs(value) * np.minimum(counts, 1e3)
            error = self.profile_rounding + np.minimum(loose, self.rounding) * counts + digits

        def end(sign: int, top: float) -> Floats:
            out = np.full_like(delta, top)
            with np.errstate(invalid="ignore"):
                out[some] = np.where(value > 0, np.clip(value + sign * error, 0.0, high), 0.0)
            return out

        return Enclosure(lambda: end(-1, low), lambda: end(+1, high))
