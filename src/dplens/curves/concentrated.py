"""The curve of a zero-concentrated guarantee: all that its divergences, one for every order, still allow."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_ndtr, ndtri_exp

from dplens._numerics.interpolation import clamped_interpolation
from dplens._numerics.search import golden_maximum
from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats
from dplens.curves.coins import TOP, Bools, binary_divergence, divergence_slope, log_power_odds, outcomes
from dplens.curves.moments import Constraint, MomentGuarantee, rates_of
from dplens.curves.tiny_alphas import allowed

_ORDERS = np.exp(np.concatenate([[0.0], np.geomspace(1e-4, 14.0, 24)]))


@dataclass(frozen=True)
class ConcentratedCurve(MomentGuarantee):
    """rho-zCDP: D_order ≤ rho·order for every order > 1 (Bun & Steinke 2016).

    The tightest order of each direction is read from a table, and put right by Newton's steps where it is used.
    """

    rho: float

    def _forward_odds(self, logit: Floats) -> tuple[Floats, Floats]:
        """Newton's steps from a Gaussian of the same rho, a pass over all orders where they do not arrive."""
        alpha, co = rates_of(logit)
        mu = math.sqrt(2 * self.rho)
        z = ndtri_exp(-np.logaddexp(0, -logit))
        order, odds = np.maximum(-1.2 * z / mu, 1.001), log_ndtr(z + mu) - log_ndtr(-z - mu)
        odds, ahead = np.clip(odds, logit + 1e-12 * mu, TOP), np.ones(logit.shape, dtype=bool)
        for _ in range(3):
            order, odds = self._polished(alpha, co, logit, order, odds, ahead)
        with np.errstate(all="ignore"):
            excess = binary_divergence(alpha, co, logit, odds - logit, order, ahead) - self.rho * order
            lost = ~(np.abs(excess) <= 1e-6 * self.rho * order) | (odds >= TOP)
            for a in _ORDERS:  # or arrived at a bound that is not the tightest
                excess = binary_divergence(alpha, co, logit, odds - logit, np.full_like(logit, a), ahead) - self.rho * a
                lost |= ~(excess <= 1e-6 * self.rho * a)
        log_order = np.log(order)
        if lost.any():
            odds[lost], log_order[lost] = self._scan(logit[lost])
        return odds, log_order

    def _scan(self, logit: Floats) -> tuple[Floats, Floats]:
        """logit(power) and log(order) of the tightest bound: a pass over all orders, then ever smaller steps."""
        alpha, co = rates_of(logit)
        start, ahead = np.log(alpha) - np.log(co), np.ones(logit.shape, dtype=bool)
        best, chosen = np.full_like(logit, TOP), np.zeros_like(logit)

        def improve(log_order: Floats) -> None:
            order = np.exp(log_order)
            found = binary_divergence(alpha, co, start, best - start, order, ahead)
            hit = found > self.rho * order  # only there is this order tighter than the best so far
            if hit.any():
                a = order[hit]
                guess = best[hit] if (best < TOP).all() else None
                odds = log_power_odds(alpha[hit], co[hit], a, self.rho * a, ahead[hit], guess)
                best[hit] = np.minimum(odds, best[hit])
                chosen[hit] = log_order[hit]

        for order in _ORDERS:
            improve(np.full_like(logit, math.log(order)))
        for step in 0.2 * 0.5 ** np.arange(3):
            for sign in (1, -1):
                improve(np.maximum(chosen * (1 + sign * step), 0.0))
        return best, chosen

    @cached_property
    def _interpolated(self) -> tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]:
        """log(order) and logit(power) between the nodes of the table."""
        axis, odds, log_order, _, _ = self._table
        keep = np.concatenate([[True], np.diff(axis) > 0]) if len(axis) else np.zeros(0, dtype=bool)
        return clamped_interpolation(axis[keep], log_order[keep]), clamped_interpolation(axis[keep], odds[keep])

    def _candidates(self, alpha: Floats, co: Floats, logit: Floats) -> Iterator[Constraint]:
        orders, odds = self._interpolated
        for rows, forward in self._directions(logit):
            a, c, at, ahead = alpha[rows], co[rows], logit[rows], np.full(len(rows), forward)
            order, guess = np.ones(len(rows)), np.full(len(rows), TOP)
            if len(self._table.axis):
                order, guess = self._polished(a, c, at, np.exp(np.maximum(orders(at), 0.0)), odds(at), ahead)
            yield Constraint(rows, order, self.rho * order, ahead, guess)

    def _polished(
        self, alpha: Floats, co: Floats, start: Floats, order: Floats, guess: Floats, forward: Bools
    ) -> tuple[Floats, Floats]:
        """Newton's steps towards the order at which the bound stops tightening, and the logit(power) there.

        With a = order − 1, K = a·D the log-moment of the coin and F = D − rho·order, both F and its derivative in
        the order vanish there. An optimum at the end is at order 1, the Kullback–Leibler divergence.
        """
        sign, given = np.where(forward, 1.0, -1.0), order
        rise = guess - start
        for _ in range(15):
            with np.errstate(all="ignore"):
                step = (self.rho * order - binary_divergence(alpha, co, start, rise, order, forward)) / (
                    divergence_slope(start, rise, order, forward)
                )
                rise = rise + np.where(np.isfinite(step), np.clip(step, -0.3 * rise, 0.3 * rise), 0.0)
                (_, _, heads), (_, _, tails) = outcomes(alpha, co, start, rise, np.ones_like(forward))
                a, s = order - 1, np.where(forward, order, 1 - order)
                weight, rest = expit(start + s * rise), expit(-start - s * rise)
                excess = binary_divergence(alpha, co, start, rise, order, forward) - self.rho * order
                # K' − rho·(2·order − 1) = F + a·F', and the same again for F''
                slope = (sign * (weight * heads + rest * tails) - self.rho * (2 * order - 1) - excess) / a
                bend = (weight * rest * rise * rise - 2 * self.rho - 2 * slope) / a
                step = np.where(bend < 0, -slope / bend, np.sign(slope))
                step = np.where(np.isfinite(step), np.clip(step, -0.9 * a, 0.5 * a + 1e-3), 0.0)
            order = np.where(a + step < 1e-7, 1.0, order + step)
            if (np.abs(step) <= 1e-8 * a).all():  # the bound is stationary in the order: this is close enough
                break
        with np.errstate(all="ignore"):  # where the steps went astray, the order they started from is tighter
            excess = [binary_divergence(alpha, co, start, rise, a, forward) - self.rho * a for a in (order, given)]
        return np.where(excess[1] > excess[0] + 1e-9 * self.rho * given, given, order), start + rise

    def _max_loss(self) -> tuple[float, float]:
        return math.inf, math.inf

    def _far_order(self, log_alpha: Floats, log_power: Floats) -> tuple[Floats, Floats]:
        # stationary where the power is negligible and rho·order² is not; then near it
        with np.errstate(over="ignore"):
            rough = np.minimum(np.sqrt(-log_alpha) / math.sqrt(self.rho), 1e300)

        def tight(log_excess: Floats) -> Floats:
            order = 1 + np.exp(log_excess)
            return -allowed(log_alpha, log_power, order, self.rho * order)

        log_excess, _ = golden_maximum(tight, np.full_like(rough, math.log(1e-8)), np.log(4 * rough + 1), iterations=60)
        order = 1 + np.exp(log_excess)
        return order, self.rho * order

    def _least_bound(self) -> float:
        return self.rho

    def _renyi(self, order: float) -> float:
        return self.rho * order
