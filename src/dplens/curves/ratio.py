"""Any two continuous output laws: the likelihood ratio, monotone or not, sorted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dplens._numerics import quadrature
from dplens._numerics.interpolation import clamped_interpolation
from dplens._numerics.laws import Law, interval_mass
from dplens._numerics.logits import to_logit
from dplens._numerics.ratio_pieces import RatioPieces
from dplens.curves.base import Floats, TradeOff
from dplens.estimate import Certificate

_ROUND = 4e-15  # relative error of the masses of intervals
_DIGITS = 4.5e-16  # relative error of a log-density
_MANY = 20_000  # alphas from which on a dense table pays


@dataclass(frozen=True, eq=False)
class RatioCurve(TradeOff):
    """T(P, Q) for two continuous laws.

    The line is cut where log q/p turns (Neyman–Pearson: the best test takes the outputs with the largest
    ratio first). For a threshold on the ratio the set of outputs above it is a union of intervals, whose masses
    come from the laws' own distribution functions. At a given alpha the curve is read from the tangent at a
    nearby threshold, which lies below f whatever the threshold, and to second order on it.

    Claim: numerical, relative accuracy 1e-11 of smooth laws; turning points narrower than the grid of
    quantiles could be missed. ``loss_bounded``: known by theorem whether log q/p is bounded above (None: not
    known) for (P, Q) and for (Q, P). ``symmetric``: known that T(P, Q) = T(Q, P).
    """

    p: Law
    q: Law
    symmetric: bool = False
    loss_bounded: tuple[bool | None, bool | None] = (None, None)
    rounding = 1e-11
    input_rounding = 1e-14

    @property
    def certificate(self) -> Certificate:
        return Certificate(
            "sorted", self.claimed_tolerance, "likelihood ratio sorted on a grid of quantiles of both laws"
        )

    @cached_property
    def _pieces(self) -> RatioPieces:
        return RatioPieces(self.p, self.q)

    @cached_property
    def _table(self) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Thresholds, decreasing, with (alpha, co, power, beta) at each."""
        losses = self._pieces.thresholds()[::-1]
        return losses, *self._rates(losses)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        alpha, power = np.zeros_like(loss), np.full_like(loss, self._power_at_zero())
        co, beta = np.full_like(loss, self._pieces.p_only), np.zeros_like(loss)
        for above, below in self._pieces.split(loss):
            alpha = alpha + interval_mass(self.p, *above)
            power = power + interval_mass(self.q, *above)
            co = co + interval_mass(self.p, *below)
            beta = beta + interval_mass(self.q, *below)
        return alpha, co, power, beta

    @cached_property
    def _threshold_by_logit(self) -> Callable[[Floats], Floats]:
        """Threshold as a smooth function of logit(alpha), constant beyond the table."""
        losses, alpha, co, _, _ = self._table
        inside = (alpha > 0) & (co > 0)
        logit = to_logit(alpha[inside], co[inside])
        rising = np.ones(len(logit), dtype=bool)
        rising[1:] = logit[1:] > np.maximum.accumulate(logit)[:-1]
        return clamped_interpolation(logit[rising], losses[inside][rising])

    def _threshold(self, alpha: Floats, co: Floats) -> Floats:
        """A threshold whose test has about the false-positive rate alpha."""
        return self._pieces.resolved(self._threshold_by_logit(to_logit(alpha, co)))

    def _tangents(self, alpha: Floats, co: Floats) -> list[tuple[Floats, tuple[Floats, Floats, Floats, Floats]]]:
        """Thresholds near the right one with their rates: one solved for, and the table's neighbours.

        A long array is worth a dense table, whose neighbours alone are close enough.
        """
        loss = self._threshold(alpha, co)
        many = len(alpha) > _MANY
        losses, *rates = self._dense_table if many else self._table
        j = np.clip(np.searchsorted(-losses, -loss), 1, len(losses) - 1)
        around = (j - 1, j, np.minimum(j + 1, len(losses) - 1))
        near = [(losses[i], (rates[0][i], rates[1][i], rates[2][i], rates[3][i])) for i in around]
        return near if many else [(loss, self._rates(loss)), *near]

    @cached_property
    def _dense_table(self) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        known = self._table[0]
        dense = np.linspace(known[-1], known[0], 1 << 16)
        losses = np.unique(self._pieces.resolved(np.concatenate([known, dense])))[::-1]
        return losses, *self._rates(losses)

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self._power_on(0, alpha, co)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self._beta_on(0, alpha, co)

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        low = alpha <= co
        rows = [
            (p + _scaled(loss, np.where(low, alpha - a, c - co)), _ROUND * (p + _scaled(loss, np.where(low, a, c))))
            for loss, (a, c, p, _) in self._tangents(alpha, co)
        ]
        line, slack = _least(rows)
        return np.clip((line + side * slack) * (1 + side * self.rounding), alpha, 1.0)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        low = alpha <= co
        rows = [
            (_scaled(loss, np.where(low, alpha - a, c - co)) - b, _ROUND * (b + _scaled(loss, np.where(low, a, c))))
            for loss, (a, c, _, b) in self._tangents(alpha, co)
        ]
        line, slack = _least(rows)
        return np.clip(-(line + side * slack) * (1 - side * self.rounding), 0.0, co)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self._threshold(alpha, co)

    def _profile(self, epsilon: Floats) -> Floats:
        return self._profile_on(0, epsilon)

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        """delta as power − e^eps·alpha, by quadrature where that cancels; moved by the error of whichever is used."""
        alpha, _, power, _ = self._rates(epsilon)
        price = _scaled(epsilon, alpha)
        out, error = power - price, _ROUND * (power + price)
        thin = out <= 1e-3 * power
        if thin.any():
            value, slack = self._thin_profile(epsilon[thin])
            better = slack < error[thin]
            out[thin], error[thin] = np.where(better, value, out[thin]), np.where(better, slack, error[thin])
            # outputs whose l may be on either side of eps: none of them adds more than the width of that doubt
            doubt = 1e-14 * (1 + epsilon[thin])
            near = self._rates(epsilon[thin] - doubt)[2] - self._rates(epsilon[thin] + doubt)[2]
            error[thin] += 2 * doubt * np.maximum(near, 0.0)
        error = error + self._pieces.unseen
        return np.maximum(np.maximum(out, 0.0) * (1 + side * self.rounding) + side * error, 0.0)

    def _thin_profile(self, epsilon: Floats) -> tuple[Floats, Floats]:
        """∫ q·(1 − e^{eps − l}) over the set l > eps, with a bound on its error.

        The error holds that of the quadrature, the last digits of l and the mass beyond the grid.
        """
        starts, ends, numbers, rest = self._pieces.panels(epsilon)

        def gain(x: Floats, number: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
            log_p, log_q = self.p.logpdf(x), self.q.logpdf(x)
            with np.errstate(all="ignore"):
                density = np.exp(log_q)
                short = np.minimum(epsilon[number] - (log_q - log_p), 0.0)
                noise = np.exp(short) * _DIGITS * (1 + np.abs(log_p) + np.abs(log_q))
                value, slack = density * -np.expm1(short), density * noise
            return np.where(density > 0, value, 0.0), np.where(density > 0, slack, 0.0)

        value, error = quadrature.intervals(gain, (starts, ends, numbers), len(epsilon), tolerance=1e-12)
        error = np.where(np.isfinite(value), error, math.inf)
        return value + self._power_at_zero(), error + rest + self._pieces.q_only_error

    def _mirrored(self) -> TradeOff:
        if self.symmetric:
            return self
        return RatioCurve(self.q, self.p, False, (self.loss_bounded[1], self.loss_bounded[0]))

    def _power_at_zero(self) -> float:
        return self._pieces.q_only

    def proof(self, side: int) -> float:
        mass, error = self._power_at_zero(), self._pieces.q_only_error
        if mass <= 0:
            return 0.0
        # a mass that was seen is not zero, however few of its digits are known
        return min(max(mass * (1 + side * self.input_rounding) + side * error, 1e-320), 1.0)

    def _max_loss(self) -> tuple[float, float]:
        bounded = self.loss_bounded[0]
        low, high = (max(bound, 0.0) for bound in self._pieces.largest_loss())
        if bounded:
            return low, high
        return (math.inf, math.inf) if bounded is False else (low, math.inf)

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        return self._pieces.expect(function, self.q if present else self.p)

    def _renyi(self, order: float) -> float:
        if order >= 1 and self._power_at_zero() > 0:
            return math.inf
        return self._pieces.renyi(order)


def _least(rows: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Of several lines with their rounding errors, the one whose upper end is least."""
    lines, slacks = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    best = np.argmin(lines + slacks, axis=0)
    column = np.arange(lines.shape[1])
    return lines[best, column], slacks[best, column]


def _scaled(loss: Floats, step: Floats) -> Floats:
    """e^loss·step without overflow."""
    with np.errstate(divide="ignore", over="ignore"):
        return np.sign(step) * np.exp(loss + np.log(np.abs(step)))
