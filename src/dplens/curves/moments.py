"""Guarantees on Rényi divergences: the curve that a set of binary inequalities leaves, at any depth."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from dplens._numerics.enclosure import Enclosure
from dplens._numerics.logits import GRID, from_logit, to_logit
from dplens._numerics.sharing import cached_property, latest
from dplens.curves.base import Floats, TradeOff
from dplens.curves.coins import TOP, Bools, log_power_odds, log_slope_at, log_slope_of
from dplens.curves.tiny_alphas import largest_power, log_rest
from dplens.estimate import Certificate

_LOWEST = -667.0  # logit of the alphas below which the smaller terms of a divergence are not representable
_NODES = GRID[(GRID > _LOWEST)][::3]
_FAR = -np.geomspace(1e305, -_LOWEST, 360)
_AXIS = np.concatenate([_FAR, _NODES])
_ROUNDS, _POINTS, _ROWS = 8, 65, 256
_SURE = 3e-14  # error of a log power; that of log alpha, in its last digits, comes on top


class Constraint(NamedTuple):
    """For some alphas: D_order(Q‖P) ≤ bound if forward, else D_order(P‖Q) ≤ bound; a logit near the power allowed."""

    rows: np.ndarray
    order: Floats
    bound: Floats
    forward: Bools
    guess: Floats


class Table(NamedTuple):
    """Along logit(alpha): logit(power), and which order is tightest (``key``); forward up to ``middle``, then backward.

    Between ``inner`` and its mirror image either may be.
    """

    axis: Floats
    odds: Floats
    key: Floats
    inner: float
    middle: float


def rates_of(logit: Floats) -> tuple[Floats, Floats]:
    """(alpha, 1 − alpha), kept off the numbers that have no logarithm."""
    alpha, co = from_logit(logit)
    return np.maximum(alpha, 1e-320), np.maximum(co, 1e-320)


class MomentGuarantee(TradeOff):
    """f(alpha) = the least beta that violates no binary Rényi inequality, in either direction.

    Post-processing turns any test into a coin, so every order bounds (alpha, beta) by itself; the curve is the
    largest of these bounds. Each bound is convex, so is their maximum. Which order is tightest at alpha is
    looked up in a table; a slightly wrong choice is still a true bound. Symmetric: where alpha < beta the forward
    divergence is the larger one, and the rest of the curve is the mirror image.
    """

    rounding = 2e-13

    @property
    def profile_rounding(self) -> float:
        return 3 * self.rounding

    @property
    def _certificate(self) -> Certificate:
        return Certificate(
            "orders", 1e-9, "the worst that the guarantee allows, by the best order per alpha from a table"
        )

    # ---- what a kind of guarantee provides -------------------------------------------------------------

    @abstractmethod
    def _forward_odds(self, logit: Floats) -> tuple[Floats, Floats]:
        """logit(power) that the forward inequalities allow, near enough to start from, and the key of the tightest."""

    @abstractmethod
    def _candidates(self, alpha: Floats, co: Floats, logit: Floats) -> Iterator[Constraint]:
        """The constraints that may be tightest at each alpha."""

    @abstractmethod
    def _far_order(self, log_alpha: Floats, log_power: Floats) -> tuple[Floats, Floats]:
        """(order, bound) for which :func:`allowed` is least."""

    @abstractmethod
    def _least_bound(self) -> float:
        """The least bound on a divergence, of whatever order."""

    # ---- the curve --------------------------------------------------------------------------------------

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
            extra = self._forward_odds(more)
            axis, odds, key = (np.insert(x, wide + 1, y) for x, y in ((axis, more), (odds, extra[0]), (key, extra[1])))
        axis, odds, key = axis[:left], np.maximum.accumulate(odds[:left]), key[:left]
        if not left:
            return Table(axis, odds, key, -math.inf, -math.inf)
        return Table(
            np.concatenate([axis, -odds[::-1]]),
            np.concatenate([odds, -axis[::-1]]),
            np.concatenate([key, key[::-1]]),
            float(axis[-1]),
            float(axis[-1] - odds[-1]) / 2,
        )

    def _directions(self, logit: Floats) -> Iterator[tuple[np.ndarray, bool]]:
        """Alphas with the direction that decides there; in the middle cell both are tried."""
        table = self._table
        forward = logit <= table.middle
        for rows, direction in ((forward, True), (~forward, False)):
            if rows.any():
                yield np.flatnonzero(rows), direction
        if len(table.axis):
            mirror = float(-table.odds[len(table.axis) // 2 - 1])
            unsure = (logit > table.inner) & (logit < mirror)
            for rows, direction in ((unsure & ~forward, True), (unsure & forward, False)):
                if rows.any():
                    yield np.flatnonzero(rows), direction

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
        if len(rest):
            a, c = alpha[rest], np.maximum(co[rest], 1e-320)
            for rows, order, bound, forward, guess in self._candidates(a, c, start[rest]):
                found = log_power_odds(a[rows], c[rows], order, bound, forward, guess)
                tighter = found < logit[rest[rows]]
                into = rest[rows[tighter]]
                logit[into] = found[tighter]
                steep = log_slope_at(a[rows], c[rows], found, order, forward)
                slope[into] = steep[tighter]
        return logit, slope

    def _far_down(self, log_alpha: Floats) -> tuple[Floats, Floats]:
        """The same where alpha is next to nothing or no float at all, from its logarithm."""
        # the tightest order while the power is negligible, then the tightest at that power
        rough = largest_power(log_alpha, *self._far_order(log_alpha, np.full_like(log_alpha, -math.inf)))
        order, bound = self._far_order(log_alpha, rough)
        log_power = largest_power(log_alpha, order, bound)
        with np.errstate(divide="ignore"):
            logit = log_power - np.log(-np.expm1(log_power))
        forward = np.ones(log_alpha.shape, dtype=bool)
        # backward: beta ≥ e^−bound, whatever the order
        least = self._least_bound()
        cap = least + math.log(-math.expm1(-least))
        capped = logit > cap
        logit = np.minimum(logit, cap)
        order, forward = np.where(capped, 1.0, order), forward & ~capped
        return logit, log_slope_of(log_alpha, np.zeros_like(log_alpha), logit, order, forward)

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

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        from dplens.curves.transforms import rates_by_slope

        return rates_by_slope(self, loss)

    def _mirrored(self) -> TradeOff:
        return self

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
