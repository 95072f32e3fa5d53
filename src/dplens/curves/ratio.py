"""Any two continuous output laws, between two polygons made from the rates of their best tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from dplens import _validate
from dplens._numerics.enclosure import Bounds
from dplens._numerics.laws import Law, ShiftedLaw
from dplens._numerics.masses import measured
from dplens._numerics.moments import divergence
from dplens._numerics.quadrature import unit_nodes
from dplens._numerics.quotients import multiple_above
from dplens._numerics.ratio_pieces import RatioPieces
from dplens._numerics.sharing import cached_property
from dplens._numerics.threshold_rates import STEEPEST, ThresholdRates, threshold_rates
from dplens.curves.base import Floats, TradeOff
from dplens.curves.between import EnclosedCurve
from dplens.curves.polygons import Dots, polygon_above, polygon_below
from dplens.curves.readings.mu import grid_mu
from dplens.curves.readings.mu_from_profile import mu_from_profile

_LEVEL = 1e-12  # relative change of a log-ratio from node to node that is none
_UNSURE = 1e-3  # relative difference between two rules from which neither is to be trusted
_OUTER, _FADED = 24, 11.0  # nodes next to the ends, and −log of what they may have of an integral
_DIGITS = 1e-8  # relative error of a divergence, besides what two rules show
_LOSSES = 400  # thresholds between which the search for mu starts
Known = tuple[bool | None, bool | None]


@dataclass(frozen=True, eq=False)
class RatioCurve(EnclosedCurve):
    """T(P, Q) for two continuous laws, between two finite pairs.

    The line is cut where log q/p turns. At many thresholds the best test is a set of intervals whose masses the
    distribution functions tell (:func:`~dplens._numerics.threshold_rates.threshold_rates`), which gives delta at its
    loss and the tangent there. Chords of the profile bound the risk from above, tangents from below.

    Claim: certified but for what no finite set of values shows; relative width below 1e-6 for rates from 1e-12 and
    deltas from 1e-12 on, as a rule. It is wider where floats hardly tell the ends of a set of outputs apart, at a cusp
    or an end of the support: mass there counts as proof on the upper side only. Densities that the grid of quantiles,
    kinks and jumps does not resolve are refused; a density that is 0 where the other is not makes proof.
    ``loss_bounded``: known by theorem whether log q/p is bounded above (None: not known) for (P, Q) and for (Q, P).
    ``shift``: if positive, Q is P moved so far, and no smaller shift is worse.
    """

    pieces: RatioPieces = field(kw_only=True)
    loss_bounded: Known = field(kw_only=True, default=(None, None))
    shift: float = field(kw_only=True, default=0.0)
    is_polygon = False
    input_rounding = 1e-14

    @classmethod
    def of(cls, p: Law, q: Law, symmetric: bool = False, bounded: Known = (None, None)) -> RatioCurve:
        """The curve of any two laws; ``symmetric``: known that T(P, Q) = T(Q, P)."""
        return cls.sorted(RatioPieces(p, q), symmetric, bounded)

    @classmethod
    def moved(cls, noise: Law, shift: float, bounded: Known, *, symmetric: bool, log_concave: bool) -> RatioCurve:
        """Noise that is log-concave, or symmetric and unimodal, of which the largest shift is the worst.

        Log-concavity makes the ratio monotone and a smaller shift no worse (Dong, Roth & Su 2022, Proposition A.3;
        Fondeville §2.2 with its misprint corrected). In the other case (Cauchy, t), for eps ≥ 0 the set on which
        n(x − d) > e^eps·n(x) lies beyond d/2, where n falls, so that its advantage grows with d. A group is therefore
        one shift, which is exact.
        """
        pieces = RatioPieces(noise, ShiftedLaw(noise, shift), log_concave)
        return cls.sorted(pieces, symmetric, bounded, shift)

    @classmethod
    def sorted(cls, pieces: RatioPieces, symmetric: bool, bounded: Known, shift: float = 0.0) -> RatioCurve:
        """From the stretches on which the ratio goes one way."""
        forward = threshold_rates(pieces, symmetric)
        sides = [(forward, pieces, bounded[0])]
        sides += sides if symmetric else [(forward.exchanged(), pieces.exchanged(), bounded[1])]
        risky = polygon_above(*(_above(*side) for side in sides))
        mild = polygon_below(*(_below(rates, part) for rates, part, _ in sides))
        return cls(risky, mild, (), "cells", pieces=pieces, loss_bounded=bounded, shift=shift)

    def group(self, size: int) -> TradeOff:
        """The curve for a group of ``size`` records."""
        size = _validate.count("size", size)
        if size == 1 or not self.shift:
            return super().group(size)
        if self.origin is not self:
            return self.origin.group(size).inverse()
        pieces, shift = self.pieces, multiple_above(self.shift, size)
        symmetric = self.inverse() is self
        return RatioCurve.moved(
            pieces.p, shift, self.loss_bounded, symmetric=symmetric, log_concave=pieces.grid.monotone
        )

    # ---- what the laws themselves know ------------------------------------------------------------------

    def _max_loss(self) -> tuple[float, float]:
        bounded = self.loss_bounded[0]
        low, high = (max(bound, 0.0) for bound in self.pieces.largest_loss())
        if bounded and not self.pieces.q_only.faint:
            return low, high
        return (math.inf, math.inf) if bounded is False else (low, math.inf)

    def _power_at_zero(self) -> float:
        return self.pieces.q_only.sure

    def infinity_mass(self) -> Bounds:
        apart = self.pieces.q_only
        most = apart.sure + apart.faint + self.pieces.unsettled()
        if most <= 0:
            return Bounds(0.0, 0.0)
        # a mass that was seen is not zero, however few of its digits are known
        return Bounds(
            max(apart.sure * (1 - self.input_rounding) - apart.error, 0.0),
            min(max(most * (1 + self.input_rounding) + apart.error, 1e-320), 1.0),
        )

    def _mu(self) -> tuple[float, float]:
        sides = [self] if self.inverse() is self else [self, self.inverse()]
        known = [grid_mu(side)[0] for side in sides]
        low, high, tail = (max(ends) for ends in zip(*known))
        if math.isinf(high) or any(side.infinity_mass().hi > 0 for side in sides):
            return low, math.inf
        losses = self.risky.loss[np.isfinite(self.risky.loss)]  # pyright: ignore[reportAttributeAccessIssue]
        bounds = mu_from_profile(self, losses[np.linspace(0, len(losses) - 1, _LOSSES).astype(int)])
        return max(low, bounds[0]), max(bounds[1], tail)

    @cached_property
    def _nodes(self) -> list[tuple[Floats, Floats, Floats]]:
        """Masses under both laws and losses of nodes of two rules, for means of smooth functions."""
        found = []
        low, high = (np.concatenate([s.x[part] for s in self.pieces.pieces]) for part in (slice(-1), slice(1, None)))
        for count in (8, 12):
            t, w = unit_nodes(count)
            x, weight = (low[:, None] + (high - low)[:, None] * t).ravel(), ((high - low)[:, None] * w).ravel()
            with np.errstate(all="ignore"):
                log_p, log_q, loss = self.pieces.p.logpdf(x), self.pieces.q.logpdf(x), self.pieces.loss(x)
                p, q = weight * np.exp(log_p), weight * np.exp(log_q)
            known = np.isfinite(loss) & np.isfinite(p) & np.isfinite(q)
            found.append((p[known], q[known], loss[known]))
        return found

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        p, q, loss = self._nodes[1]
        return float(np.sum((q if present else p) * function(loss)))

    def _renyi(self, order: float) -> float:
        coarse, fine = self._divergences(order)
        return math.inf if order >= 1 and not abs(fine - coarse) <= _UNSURE * fine else fine

    def _divergences(self, order: float) -> tuple[float, float]:
        """By both rules."""
        proof = self.pieces.p_only.sure, self.pieces.q_only.sure
        if self.pieces.diverges(order) or (order >= 1 and max(proof[1], self.pieces.q_only.faint) > 0):
            return math.inf, math.inf
        alone = np.array([proof[0], 0.0]), np.array([0.0, proof[1]]), np.array([-math.inf, math.inf])
        _, q, loss = self._nodes[1]
        with np.errstate(all="ignore"):
            term = np.log(q) + (order - 1) * loss
        if order > 1 and max(np.max(term[:_OUTER]), np.max(term[-_OUTER:])) >= np.max(term) - _FADED:
            return math.inf, math.inf  # most of it lies beyond the quantiles
        whole = [[np.append(x, y) for x, y in zip(nodes, alone)] for nodes in self._nodes]
        coarse, fine = (divergence(p, q, loss, order) for p, q, loss in whole)
        return coarse, fine

    def renyi_bounds(self, order: float) -> Bounds:
        coarse, fine = self._divergences(order) if order < math.inf else (math.inf, math.inf)
        if order == math.inf or (math.isinf(fine) and order > 1):
            return TradeOff.renyi_bounds(self, order)
        if abs(fine - coarse) > _UNSURE * fine:
            return Bounds(self.mild._renyi(order), math.inf if order >= 1 else self.risky._renyi(order))
        low, high = self.mild._renyi(order), self.risky._renyi(order)
        error = 2 * abs(fine - coarse) + _DIGITS * fine
        return Bounds(max(low, fine - error), min(high, fine + error)) if math.isfinite(fine) else Bounds(low, fine)

    def _mirrored(self) -> TradeOff:
        risky, mild = self.risky.inverse(), self.mild.inverse()
        if risky is self.risky and mild is self.mild:
            return self
        bounded = self.loss_bounded[1], self.loss_bounded[0]
        return replace(self, risky=risky, mild=mild, pieces=self.pieces.exchanged(), loss_bounded=bounded)

    # ---- tests on the outputs themselves ----------------------------------------------------------------

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        pieces, rates = self.pieces, np.zeros((4, len(loss)))
        rates[1], rates[2] = (x.sure + x.faint for x in (pieces.p_only, pieces.q_only))
        if pieces.pieces:
            above, below = pieces.split(loss)
            for i, (law, part) in enumerate((law, part) for law in (pieces.p, pieces.q) for part in (above, below)):
                rates[i] += measured(law, *part)[0].sum(axis=0)
        return rates[0], rates[1], rates[2], rates[3]

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        found = self.risky._log_slope(alpha, co)
        return np.where(np.isinf(found), self.mild._log_slope(alpha, co), found)

    def plateau(self, loss: float, near: float) -> float | None:
        """A log-ratio that is constant on a stretch of outputs, if there is one that ``near`` to ``loss``."""
        for stretch in self.pieces.pieces:
            losses = stretch.losses
            close = np.abs(losses - loss) <= near
            level = close[1:] & close[:-1] & (np.abs(np.diff(losses)) <= _LEVEL * (1 + abs(loss)))
            if level.any():
                return float(np.median(losses[1:][level]))
        return None


def _above(rates: ThresholdRates, pieces: RatioPieces, bounded: bool | None) -> Dots:
    """Upper bounds of delta at the thresholds above 0; beyond the last one it is 0 if that is known."""
    proof = pieces.q_only.sure + pieces.q_only.faint + pieces.q_only.error
    up = rates.loss >= 0
    epsilon = rates.loss[up]
    delta = rates.high[up]
    top = max(pieces.largest_loss()[1], 0.0)
    if bounded and not pieces.q_only.faint:
        delta[(epsilon >= top) & (epsilon > 0)] = proof  # at 0, losses that rounding hides may still count
        if 0 < top < 700 and top > epsilon[-1]:
            epsilon, delta = np.append(epsilon, top), np.append(delta, proof)
    elif epsilon[-1] < top < STEEPEST:  # no loss that was seen is larger, whatever its last digits
        hidden = proof + pieces.unsettled(everywhere=True)
        epsilon, delta = np.append(epsilon, top), np.append(delta, min(hidden, delta[-1]))
    delta = np.clip(delta, proof, 1.0)
    return Dots(epsilon, delta, float(delta[-1]))


def _below(rates: ThresholdRates, pieces: RatioPieces) -> Dots:
    """Where the tangents of delta at neighbouring thresholds above 0 meet, and no more than either there.

    A line between two such points is then no higher than the tangent that they share.
    """
    proof = max(pieces.q_only.sure - pieces.q_only.error, 0.0)
    up = rates.loss >= 0
    epsilon, alpha = rates.loss[up], rates.alpha[up]
    delta = np.where(alpha > 0, rates.low[up], proof)  # an alpha that underflows is none to start a tangent from
    with np.errstate(all="ignore"):
        run = np.exp(epsilon[:-1]) * np.expm1(np.diff(epsilon))
        share = (delta[:-1] - delta[1:] - alpha[1:] * run) / (-np.diff(alpha) * run)
        share = np.clip(np.nan_to_num(share, nan=0.5), 0.0, 1.0)
        value = np.minimum(delta[:-1] - alpha[:-1] * share * run, delta[1:] + alpha[1:] * (1 - share) * run)
        at = epsilon[:-1] + np.log1p(share * np.expm1(np.diff(epsilon)))
        last = epsilon[-1] + np.log1p((delta[-1] - proof) / alpha[-1] * np.exp(-epsilon[-1]))
    at, value = np.append(epsilon[0], at), np.append(delta[0], value)
    if last > at[-1]:
        at, value = np.append(at, last), np.append(value, proof)
    order = np.lexsort((value, at))
    at, kept = np.unique(at[order], return_index=True)
    return Dots(at, value[order][kept], proof)
