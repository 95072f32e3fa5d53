"""The curve of a zero-concentrated guarantee: all that its divergences, one for every order, still allow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit

from dplens._numerics.interpolation import branched_interpolation
from dplens.curves.base import Floats
from dplens.curves.coins import TOP, Bools, binary_divergence, divergence_slope, log_power_odds, outcomes
from dplens.curves.renyi import NODES, Constraint, MomentGuarantee, rates_of


@dataclass(frozen=True)
class ConcentratedCurve(MomentGuarantee):
    """rho-zCDP: D_order ≤ rho·order for every order > 1 (Bun & Steinke 2016).

    The tightest order of each direction is read from a table, and put right by Newton's steps where it is used.
    """

    rho: float

    @cached_property
    def _best_orders(self) -> dict[bool, tuple]:
        """For each direction: interpolations of log(order) and of logit(power)."""
        tables = {}
        for forward in (True, False):
            log_order, odds = self._scan(NODES, forward)
            tables[forward] = branched_interpolation(NODES, log_order, jump=0.4), odds
        return tables

    def _scan(self, logit: Floats, forward: bool) -> tuple[Floats, Floats]:
        """log(order) and logit(power) of the tightest bound: a pass over all orders, then ever smaller steps."""
        alpha, co = rates_of(logit)
        start, direction = np.log(alpha) - np.log(co), np.full(logit.shape, forward)
        best, chosen = np.full_like(logit, TOP), np.zeros_like(logit)

        def improve(log_order: Floats) -> None:
            order = np.exp(log_order)
            found = binary_divergence(alpha, co, start, best - start, order, direction)
            hit = found > self.rho * order  # only there is this order tighter than the best so far
            if hit.any():
                a = order[hit]
                guess = best[hit] if (best < TOP).all() else None
                odds = log_power_odds(alpha[hit], co[hit], a, self.rho * a, direction[hit], guess)
                best[hit] = np.minimum(odds, best[hit])
                chosen[hit] = log_order[hit]

        for log_order in np.concatenate([[0.0], np.geomspace(1e-4, 14.0, 24)]):
            improve(np.full_like(logit, log_order))
        for step in 0.2 * 0.5 ** np.arange(3):
            for sign in (1, -1):
                improve(np.maximum(chosen * (1 + sign * step), 0.0))
        return chosen, best

    def _candidates(self, alpha: Floats, co: Floats, logit: Floats) -> Iterator[Constraint]:
        for forward, (orders, odds) in self._best_orders.items():
            direction = np.full(logit.shape, forward)
            log_order, other = orders(logit)
            guess = np.interp(logit, NODES, odds)
            jump = np.abs(log_order - other) > 1e-3
            if jump.any():  # between two branches the table is no guide
                log_order = np.array(log_order)
                log_order[jump], guess[jump] = self._scan(logit[jump], forward)
            order, guess = self._polished(alpha, co, logit, np.exp(np.clip(log_order, 0.0, 14.0)), guess, direction)
            yield order, self.rho * order, direction, guess

    def _polished(
        self, alpha: Floats, co: Floats, start: Floats, order: Floats, guess: Floats, forward: Bools
    ) -> tuple[Floats, Floats]:
        """Newton's steps towards the order at which the bound stops tightening, and the logit(power) there.

        With a = order − 1, K = a·D the log-moment of the coin and F = D − rho·order, both F and its derivative in
        the order vanish there. An optimum at the end is at order 1, the Kullback–Leibler divergence.
        """
        sign = np.where(forward, 1.0, -1.0)
        rise = guess - start
        for _ in range(5):
            with np.errstate(all="ignore"):
                step = (self.rho * order - binary_divergence(alpha, co, start, rise, order, forward)) / (
                    divergence_slope(start, rise, order, forward)
                )
                rise = rise + np.where(np.isfinite(step), np.clip(step, -0.3 * rise, 0.3 * rise), 0.0)
                (_, heads), (_, tails) = outcomes(alpha, co, start, rise, np.ones_like(forward))
                a, s = order - 1, np.where(forward, order, 1 - order)
                weight, rest = expit(start + s * rise), expit(-start - s * rise)
                excess = binary_divergence(alpha, co, start, rise, order, forward) - self.rho * order
                # K' − rho·(2·order − 1) = F + a·F', and the same again for F''
                slope = (sign * (weight * heads + rest * tails) - self.rho * (2 * order - 1) - excess) / a
                bend = (weight * rest * rise * rise - 2 * self.rho - 2 * slope) / a
                step = np.where(bend < 0, -slope / bend, np.sign(slope))
                step = np.where(np.isfinite(step), np.clip(step, -0.9 * a, 0.5 * a + 1e-3), 0.0)
            order = np.where(a + step < 1e-7, 1.0, order + step)
        return order, start + rise

    def _max_loss(self) -> tuple[float, float]:
        return math.inf, math.inf

    def _log_conversion(self, epsilon: Floats) -> Floats:
        a = 1 + np.geomspace(1e-3, 1e6, 2000)[:, None]
        found = (a - 1) * (self.rho * a - epsilon) + (a - 1) * np.log1p(-1 / a) - np.log(a)
        return np.minimum(np.min(found, axis=0), 0.0)

    def _best_far_order(self, log_alpha: Floats) -> tuple[Floats, Floats]:
        order = np.maximum(np.sqrt(-log_alpha / self.rho), 1.0)
        return order, self.rho * order

    def _renyi(self, order: float) -> float:
        return self.rho * order
