"""Curves of any two continuous output laws, enclosed by two polygons made from cells of the outputs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from dplens import _validate
from dplens.curves.base import Floats, TradeOff
from dplens.curves.finite.enclosed import EnclosedCurve
from dplens.curves.finite.polygons import Dots, dots_of, polygon_above, polygon_below
from dplens.curves.limits import guarded
from dplens.curves.readings.mu import tightest_mu
from dplens.curves.readings.renyi import known_renyi
from dplens.numerics.enclosure import Bounds, multiple_above
from dplens.numerics.laws.base import Law, ShiftedLaw
from dplens.numerics.laws.cells import RULES, DensityPair, Known
from dplens.numerics.moments import divergence
from dplens.numerics.sharing import cached_property

_UNSURE = 1e-3  # relative difference between two rules from which on neither is trusted
_STEEPEST = 640.0  # larger losses count as infinite from above, and as this value from below


@dataclass(frozen=True, eq=False)
class RatioCurve(EnclosedCurve):
    """T(P, Q) for two continuous laws, between two finite pairs.

    The outputs are divided into cells (:class:`~dplens.numerics.laws.cells.DensityPair`). The mild curve is that of an
    attacker who sees only the cell. For the risky curve, each cell's masses are split between the two ends of its range
    of privacy losses such that both masses are preserved, and the attacker also sees the end (Blackwell 1953).

    Claim: certified, up to features of the densities that no finite set of values can show. The relative width is
    usually below 1e-6 for rates and deltas from 1e-12 on. It is larger if floats barely resolve a set of outputs, at a
    cusp or an end of the support; mass there counts as proof in the risky curve only. Outputs at which exactly one
    density is 0 are proofs. ``shift``: if positive, Q is P shifted by this amount, and no smaller shift is worse.
    """

    pair: DensityPair = field(kw_only=True)
    shift: float = field(kw_only=True, default=0.0)
    is_polygon = False
    input_rounding = 1e-14

    @classmethod
    def of(
        cls,
        p: Law,
        q: Law,
        symmetric: bool = False,
        bounded: Known = (None, None),
        *,
        monotone: bool = False,
        shift: float = 0.0,
    ) -> RatioCurve:
        """The curve of two laws; ``symmetric``: T(P, Q) = T(Q, P) is known; ``monotone``: log q/p is known to be."""
        pair = DensityPair(p, q, monotone, bounded)
        sides = [pair, pair if symmetric else pair.exchanged()]
        risky, mild = polygon_above(*map(_above, sides)), polygon_below(*map(_below, sides))
        return cls(risky, mild, (), "cells", pair=pair, shift=shift)

    @classmethod
    def moved(cls, noise: Law, shift: float, bounded: Known, *, symmetric: bool, log_concave: bool) -> RatioCurve:
        """The curve of noise that is log-concave, or symmetric and unimodal, so that the largest shift is the worst.

        For log-concave noise the ratio is monotone and a smaller shift is no worse (Dong, Roth & Su 2022, Proposition
        A.3; Fondeville §2.2 with its misprint corrected). Otherwise (Cauchy, t), for eps ≥ 0 the set on which
        n(x − d) > e^eps·n(x) lies beyond d/2, where n decreases, so its advantage grows with d. A group is therefore
        a single larger shift, which is exact.
        """
        return cls.of(noise, ShiftedLaw(noise, shift), symmetric, bounded, monotone=log_concave, shift=shift)

    def group(self, size: int) -> TradeOff:
        """The curve for a group of ``size`` records."""
        size = _validate.count("size", size)
        if size == 1 or not self.shift:
            return super().group(size)
        if self.origin is not self:
            return self.origin.group(size).inverse()
        pair, symmetric = self.pair, self.inverse() is self
        shift = multiple_above(self.shift, size)
        found = RatioCurve.moved(pair.p, shift, pair.bounded, symmetric=symmetric, log_concave=pair.monotone)
        return guarded(found, self.tolerance)

    # ---- properties of the laws -------------------------------------------------------------------------

    def _max_loss(self) -> tuple[float, float]:
        bounded, c = self.pair.bounded[0], self.pair.cells
        if bounded is False:
            return math.inf, math.inf
        seen = np.isfinite(c.mean)
        low = max(float(np.max((c.mean - c.mean_error)[seen], initial=0.0)), self.pair.largest_seen())
        high = max(float(np.max(c.high[seen], initial=0.0)), 0.0)
        return low, high if bounded and not self.pair.infinity_mass[1] else math.inf

    def _power_at_zero(self) -> float:
        return self.pair.infinity_mass[0]

    def infinity_mass(self) -> Bounds:
        (sure, faint, error), c = self.pair.infinity_mass, self.pair.cells
        # near an end of a support the ratio may be unbounded
        unsettled = (np.isposinf(c.high) & np.isfinite(c.mean))[: len(c.x) - 1]
        most = sure + faint + float(np.sum(c.q[: len(c.x) - 1][unsettled]))
        if most <= 0:
            return Bounds(0.0, 0.0)
        # an observed mass is not zero, however inaccurate
        return Bounds(
            max(sure * (1 - self.input_rounding) - error, 0.0),
            min(max(most * (1 + self.input_rounding) + error, 1e-320), 1.0),
        )

    def _mu(self) -> tuple[float, float]:
        low, high = tightest_mu(self)
        return low, math.inf if max(side.infinity_mass().hi for side in (self, self.inverse())) > 0 else high

    @cached_property
    def _nodes(self) -> list[tuple[Floats, Floats, Floats]]:
        """Masses under both laws and losses at the nodes of two rules, for means of smooth functions."""
        x = self.pair.cells.x
        log_p, log_q, loss = self.pair.nodes(x[:-1], x[1:])
        known = np.isfinite(log_p) & np.isfinite(log_q) & np.isfinite(loss)
        p, q = (np.where(known, np.exp(np.where(known, log, 0.0)), 0.0) for log in (log_p, log_q))
        return [((p * w)[known], (q * w)[known], loss[known]) for w in RULES]

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        p, q, loss = self._nodes[1]
        return float(np.sum((q if present else p) * function(loss)))

    def _divergences(self, order: float) -> tuple[float, float]:
        """By both rules."""
        (sure, faint, _), missing = self.pair.infinity_mass, self.pair.exchanged().infinity_mass[0]
        _, q, loss = self._nodes[1]
        if not len(loss) or (order >= 1 and max(sure, faint) > 0):
            return math.inf, math.inf
        with np.errstate(all="ignore"):
            term = np.log(q) + (np.log(np.abs(loss)) if order == 1 else (order - 1) * loss)
        outer = 10  # nodes at either end; their terms must have decayed to e^−11
        if max(np.max(term[:outer]), np.max(term[-outer:])) >= np.max(term) - 11:
            return math.inf, math.inf  # most of the moment may lie beyond the cells
        alone = np.array([missing, 0.0]), np.array([0.0, sure]), np.array([-math.inf, math.inf])
        whole = [[np.append(x, y) for x, y in zip(nodes, alone)] for nodes in self._nodes]
        coarse, fine = (divergence(p, q, loss, order) for p, q, loss in whole)
        return coarse, fine

    def _enclose_renyi(self, order: float) -> Bounds:
        coarse, fine = self._divergences(order)
        if math.isinf(fine) and order > 1:
            return known_renyi(self, order, fine, 0.0)
        low, high = self.mild.renyi_bounds(order).lo, self.risky.renyi_bounds(order).hi
        if not abs(fine - coarse) <= _UNSURE * fine:
            return Bounds(low, math.inf if order >= 1 else high)
        error = 2 * abs(fine - coarse) + 1e-8 * fine
        return Bounds(max(low, fine - error), min(high, fine + error))

    def _mirrored(self) -> TradeOff:
        risky, mild = self.risky.inverse(), self.mild.inverse()
        if risky is self.risky and mild is self.mild:
            return self
        return replace(self, risky=risky, mild=mild, pair=self.pair.exchanged())

    # ---- tests on the outputs themselves ----------------------------------------------------------------

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.pair.rates(loss)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        found = self.risky._log_slope(alpha, co)
        return np.where(np.isinf(found), self.mild._log_slope(alpha, co), found)

    @np.errstate(invalid="ignore")
    def on_plateau(self, loss: Floats, near: Floats) -> np.ndarray:
        """Whether a loss within ``near`` of each of these is constant on an interval of outputs."""
        c = self.pair.cells
        flat = np.sort(c.mean[np.isfinite(c.mean) & (c.high - c.low <= 1e-12 * (1 + np.abs(c.mean)))])
        return np.searchsorted(flat, loss - near) < np.searchsorted(flat, loss + near, side="right")


@np.errstate(all="ignore")
def _above(pair: DensityPair) -> Dots:
    """Delta of cells whose masses are split between both ends of their losses; unbounded losses count as proofs."""
    c = pair.cells
    q, mean = c.q + c.q_error, np.clip(c.mean + c.mean_error, c.low, c.high)
    infinite = c.high > _STEEPEST
    share = np.exp(c.high - mean) * np.expm1(mean - c.low) / np.expm1(c.high - c.low)
    share = np.clip(np.where(c.high - c.low > 1e-14, np.nan_to_num(share, nan=1.0), 1.0), 0.0, 1.0)
    share = np.where(np.isneginf(c.low), 1.0, share)
    mass = np.concatenate([q * share, q * (1 - share)])[~np.tile(infinite, 2)]
    return dots_of(
        mass, np.append(c.high, c.low)[~np.tile(infinite, 2)], float(np.sum(q[infinite])) + pair.infinity_mass[1]
    )


def _below(pair: DensityPair) -> Dots:
    """Delta of an attacker who sees only the cell."""
    c, (sure, _, error) = pair.cells, pair.infinity_mass
    seen = ~np.isposinf(c.mean)
    loss = np.minimum(np.maximum(c.mean - c.mean_error, c.low), _STEEPEST)
    return dots_of(np.maximum(c.q - c.q_error, 0.0)[seen], loss[seen], max(sure - error, 0.0))
