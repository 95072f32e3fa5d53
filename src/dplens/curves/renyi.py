"""The curve of a Rényi or zero-concentrated guarantee: all that its divergences still allow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dplens._numerics.interpolation import branched_interpolation
from dplens._numerics.logits import GRID, from_logit, to_logit
from dplens._numerics.search import sign_change
from dplens.curves.base import RISKY, Floats, TradeOff
from dplens.estimate import Certificate

_DEEP = 1e-140  # deltas above it are decided at alphas that floats can hold
_TOP = 700.0  # logit of a power that floats still tell from 1
Bools = npt.NDArray[np.bool_]
# (order, bound, forward) for each alpha: D_order(Q‖P) ≤ bound if forward, else D_order(P‖Q) ≤ bound.
Constraint = tuple[Floats, Floats, Bools]
_Branches = Callable[[Floats], tuple[Floats, Floats]]


def log_power_odds(
    alpha: Floats, co: Floats, order: Floats, bound: Floats, forward: Bools, within: tuple[Floats, Floats] | None = None
) -> Floats:
    """logit of the largest power that the binary Rényi inequality allows at alpha (risky end of the bracket).

    ``within``: logits that should hold the answer, to save steps where they do.
    """
    start = np.log(alpha) - np.log(co)

    def slack(rise: Floats) -> Floats:
        return bound - _binary_divergence(alpha, co, start, rise, order, forward)

    zero, end = np.zeros_like(start), _TOP - start
    low, top = (zero, end) if within is None else (np.maximum(within[0] - start, 0.0), within[1] - start)
    low = np.where(slack(low) > 0, low, zero)
    top = np.where(slack(top) > 0, end, top)
    free = slack(top) > 0
    _, outer = sign_change(slack, low, top)
    return np.where(free, math.inf, start + outer)


def _binary_divergence(alpha: Floats, co: Floats, start: Floats, rise: Floats, order: Floats, forward: Bools) -> Floats:
    """D_order between the coins with heads alpha and heads power, logit(power) = logit(alpha) + rise.

    With h, t the losses of the outcomes and p their masses in the reference coin, it is log1p(m)/(order − 1) with
    m = Σ p·{e^l·expm1((order − 1)·l) − (order − 1)·expm1(l)}, second order in l and smooth at order 1.
    """
    with np.errstate(all="ignore"):
        (p_heads, heads), (p_tails, tails) = _outcomes(alpha, co, start, rise, forward)
        a = order - 1
        moment = p_heads * _per_excess(heads, a) + p_tails * _per_excess(tails, a)
        small = a * moment < 1e280
        logs = np.logaddexp(np.log(p_heads) + order * heads, np.log(p_tails) + order * tails)
        general = np.where(small, np.log1p(a * moment), logs) / a
        finite = np.where(order == 1, moment, general)
        return np.where(np.isinf(order), np.maximum(heads, tails), finite)


def _outcomes(
    alpha: Floats, co: Floats, start: Floats, rise: Floats, forward: Bools
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """(mass in the reference coin, loss) of heads and of tails."""
    power, beta = expit(start + rise), expit(-start - rise)
    near = rise < 1  # close together the losses are formed from their small differences
    heads = np.where(near, np.log1p(beta * np.expm1(np.minimum(rise, 1.0))), np.log(power) - np.log(alpha))
    tails = np.where(near, np.log1p(power * np.expm1(-rise)), np.log(beta) - np.log(co))
    sign = np.where(forward, 1.0, -1.0)
    return (np.where(forward, alpha, power), sign * heads), (np.where(forward, co, beta), sign * tails)


def _per_excess(loss: Floats, a: Floats) -> Floats:
    """{e^l·expm1(a·l) − a·expm1(l)}/a, at a = 0 its limit l·e^l − expm1(l); by series where l is small."""
    scaled = np.where(a == 0, loss, np.expm1(a * loss) / np.where(a == 0, 1.0, a))
    plain = np.exp(loss) * scaled - np.expm1(loss)
    series = np.zeros_like(loss)
    power = loss * loss / 2
    # ((1 + a)^n − 1 − a)/a = (1 + a)·((1 + a)^{n−1} − 1)/a, summed as a geometric series
    geometric = np.ones_like(loss)
    for n in range(2, 10):
        series = series + power * (1 + a) * geometric
        geometric = geometric + (1 + a) ** (n - 1)
        power = power * loss / (n + 1)
    return np.where(np.abs(loss) * (1 + a) < 0.02, series, plain)


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
    def profile_rounding(self) -> float:
        return 3 * self.rounding

    @property
    def certificate(self) -> Certificate:
        return Certificate(
            "orders", 1e-9, "best order per alpha from a table; below delta 1e-140 one order's conversion"
        )

    def _candidates(self, logit: Floats) -> list[Constraint]:
        """The constraints that may be tightest at each alpha."""
        raise NotImplementedError

    @cached_property
    def _power_on_grid(self) -> Floats:
        """logit(power) of the tightest bound at each node of the grid."""
        alpha, co = (np.maximum(x, 1e-320) for x in from_logit(GRID))
        found = [log_power_odds(alpha, co, *constraint) for constraint in self._candidates(GRID)]
        return np.minimum(np.min(found, axis=0), _TOP)

    def _tightest(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """logit(power) and log-slope of the tightest bound at alpha."""
        alpha, co = np.maximum(alpha, 1e-320), np.maximum(co, 1e-320)
        where = to_logit(alpha, co)
        right = np.clip(np.searchsorted(GRID, where), 1, len(GRID) - 1)
        # the curve rises, so the table's neighbours bracket it
        within = self._power_on_grid[right - 1] - 1e-9, np.minimum(self._power_on_grid[right] + 1e-9, _TOP)
        logit, slope = np.full_like(alpha, math.inf), np.full_like(alpha, -math.inf)
        for order, bound, forward in self._candidates(where):
            found = log_power_odds(alpha, co, order, bound, forward, within)
            tighter = found < logit
            logit = np.where(tighter, found, logit)
            slope = np.where(tighter, _log_slope_at(alpha, co, found, order, forward), slope)
        return logit, slope

    def _mirrored(self) -> TradeOff:
        return self

    def _log_conversion(self, epsilon: Floats) -> Floats:
        """log of the delta that one order implies, best of all (Canonne, Kamath & Steinke 2020, Proposition 12)."""
        raise NotImplementedError

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
        start = np.log(alpha) - np.log(co)
        best, index = np.full_like(GRID, _TOP), np.zeros(len(GRID), dtype=int)
        for i, (a, b, f) in enumerate(zip(*self._constraints)):
            order, bound, forward = np.full_like(GRID, a), np.full_like(GRID, b), np.full(GRID.shape, f)
            # only where the best so far violates this constraint is it tighter
            hit = _binary_divergence(alpha, co, start, best - start, order, forward) > bound
            if hit.any():
                found = log_power_odds(alpha[hit], co[hit], order[hit], bound[hit], forward[hit])
                best[hit] = np.minimum(found, best[hit])
                index[hit] = i
        return index

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

    def _log_conversion(self, epsilon: Floats) -> Floats:
        usable = [(a, b) for a, b in zip(self.orders, self.bounds) if 1 < a < math.inf]
        found = [(a - 1) * (b - epsilon) + (a - 1) * math.log1p(-1 / a) - math.log(a) for a, b in usable]
        return np.min(found, axis=0) if found else np.zeros_like(epsilon)

    def _renyi(self, order: float) -> float:
        return _interpolated_bound(np.array(self.orders), np.array(self.bounds), order)


@dataclass(frozen=True)
class ConcentratedCurve(_Guarantee):
    """rho-zCDP: D_order ≤ rho·order for every order > 1 (Bun & Steinke 2016).

    log(order) of the tightest bound is found on a table for each direction, interpolated, and improved by one
    parabolic step where it is used.
    """

    rho: float

    def _odds(self, logit: Floats, log_order: Floats, forward: bool) -> Floats:
        """logit(power) allowed by one order at each alpha."""
        alpha, co = (np.maximum(x, 1e-320) for x in from_logit(logit))
        order = np.exp(log_order)
        return log_power_odds(alpha, co, order, self.rho * order, np.full(logit.shape, forward))

    @cached_property
    def _best_orders(self) -> tuple[_Branches, _Branches]:
        grid = GRID[::3]
        tables = (branched_interpolation(grid, self._scan(grid, forward), jump=0.4) for forward in (True, False))
        return tuple(tables)  # pyright: ignore[reportReturnType]

    def _scan(self, grid: Floats, forward: bool) -> Floats:
        """log(order) of the tightest bound at each node: a coarse pass over all orders, then ever smaller steps."""
        alpha, co = (np.maximum(x, 1e-320) for x in from_logit(grid))
        start, direction = np.log(alpha) - np.log(co), np.full(grid.shape, forward)
        best, chosen = np.full_like(grid, _TOP), np.zeros_like(grid)

        def improve(log_order: Floats) -> None:
            order = np.exp(log_order)
            found = _binary_divergence(alpha, co, start, best - start, order, direction)
            hit = found > self.rho * order  # only there is this order tighter than the best so far
            if hit.any():
                best[hit] = np.minimum(self._odds(grid[hit], log_order[hit], forward), best[hit])
                chosen[hit] = log_order[hit]

        for log_order in np.concatenate([[0.0], np.geomspace(1e-5, 14.0, 40)]):
            improve(np.full_like(grid, log_order))
        for step in 0.2 * 0.5 ** np.arange(5):
            for sign in (1, -1):
                improve(np.maximum(chosen * (1 + sign * step), 0.0))
        return chosen

    def _candidates(self, logit: Floats) -> list[Constraint]:
        found: list[Constraint] = []
        for forward, guess in zip((True, False), self._best_orders):
            log_order, other = guess(logit)
            jump = log_order != other
            if jump.any():  # between two branches the table is no guide
                log_order = log_order.copy()
                log_order[jump] = self._scan(logit[jump], forward)
            order = np.exp(self._polished(logit, np.clip(log_order, 0.0, 14.0), forward))
            found.append((order, self.rho * order, np.full(logit.shape, forward)))
        return found

    def _polished(self, logit: Floats, log_order: Floats, forward: bool) -> Floats:
        """A few secant steps towards the order at which the bound stops tightening."""
        x0, x1 = log_order, log_order * 1.01 + 1e-6
        g0, g1 = self._tightening(logit, x0, forward), self._tightening(logit, x1, forward)
        for _ in range(4):
            with np.errstate(all="ignore"):
                step = g1 * (x1 - x0) / (g1 - g0)
            step = np.where(np.isfinite(step), np.clip(step, -0.1 * x1 - 1e-4, 0.1 * x1 + 1e-4), 0.0)
            x0, g0, x1 = x1, g1, np.maximum(x1 - step, 0.0)
            g1 = self._tightening(logit, x1, forward)
        return x1

    def _tightening(self, logit: Floats, log_order: Floats, forward: bool) -> Floats:
        """Derivative in the order of (order − 1)·(divergence − rho·order) at the power the order allows."""
        alpha, co = (np.maximum(x, 1e-320) for x in from_logit(logit))
        order = np.exp(log_order)
        rise = self._odds(logit, log_order, forward) - logit
        with np.errstate(all="ignore"):
            (p, heads), (r, tails) = _outcomes(alpha, co, logit, rise, np.full(logit.shape, forward))
            weight = expit(np.log(p) - np.log(r) + order * (heads - tails))
            return weight * heads + (1 - weight) * tails - self.rho * (2 * order - 1)

    def _max_loss(self) -> tuple[float, float]:
        return math.inf, math.inf

    def _log_conversion(self, epsilon: Floats) -> Floats:
        a = 1 + np.geomspace(1e-3, 1e6, 2000)[:, None]
        found = (a - 1) * (self.rho * a - epsilon) + (a - 1) * np.log1p(-1 / a) - np.log(a)
        return np.minimum(np.min(found, axis=0), 0.0)

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
