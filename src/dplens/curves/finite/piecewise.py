"""Piecewise linear curves: exact curves of any two finite output laws."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dplens.curves.base import LEAST, Floats, TradeOff
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.readings.mu import vertex_mu
from dplens.curves.readings.profile import confirmed_epsilon
from dplens.curves.readings.renyi import known_renyi
from dplens.estimate import Certificate
from dplens.numerics import normal
from dplens.numerics.enclosure import Bounds, Enclosure
from dplens.numerics.laws.geometric import GeometricNoise
from dplens.numerics.moments import divergence
from dplens.numerics.sharing import cached_property


@dataclass(frozen=True, eq=False)
class PiecewiseCurve(TradeOff):
    """T(P, Q) for finite laws: vertices are partial sums in the order of the likelihood ratio.

    The best test rejects outcomes in decreasing order of q/p, randomised at the last one (Neyman & Pearson 1933).
    ``p`` and ``q`` are the masses in that order; ``loss`` = log q/p is given separately, since masses may
    underflow while their ratio is known. Sums run from both ends, so both tails keep their digits. Exact.
    """

    p: Floats
    q: Floats
    loss: Floats
    loss_rounding: float = 0.0  # relative error of the losses; 0 where they are parameters
    input_rounding: float = 0.0  # relative error of the mass of proofs
    total_rounding: float = 0.0  # deviation of the total mass from 1, which shifts every loss by as much
    _: KW_ONLY
    route: str = "exact"  # for the certificate; its note says where the masses come from
    note: str = ""
    rounding: float = 4e-15
    grain: float = TradeOff.grain
    is_symmetric: bool = False  # known to be symmetric, though masses or losses may differ by rounding
    parts: tuple[PiecewiseCurve, ...] = ()  # the pairs of laws of which any may be the actual one; empty: this one
    lattice: LatticeCurve | None = None  # gives a more accurate profile, with epsilon − loss from the parameters
    is_polygon = True

    @property
    def has_kinks(self) -> bool:
        return len(self.p) > 20  # a search cannot miss fewer

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        for name in ("p", "q", "loss"):  # sums must not depend on the memory layout
            set_(self, name, np.ascontiguousarray(getattr(self, name)))

    # The vertices, each from the end of the axis that keeps its digits.

    @cached_property
    def alpha(self) -> Floats:
        return _partial_sums(self.p)

    @cached_property
    def power_(self) -> Floats:
        return _partial_sums(self.q)

    @cached_property
    def co(self) -> Floats:
        return _partial_sums(self.p[::-1])[::-1]

    @cached_property
    def beta_(self) -> Floats:
        return _partial_sums(self.q[::-1])[::-1]

    @classmethod
    def from_pair(cls, p: Floats, q: Floats, loss: Floats, *roundings: float, **fields: Any) -> PiecewiseCurve:
        """From two laws on the same outcomes, in any order; outcomes impossible under both are dropped."""
        order = np.argsort(-loss, kind="stable")
        order = order[(p[order] > 0) | (q[order] > 0)]
        return cls(p[order], q[order], loss[order], *roundings, **fields)

    # The segment k runs from vertex k to k + 1 and has slope e^loss[k].

    @cached_property
    def _rising(self) -> Floats:
        return -self.loss

    @cached_property
    def _normal(self) -> np.ndarray:
        """Whether both masses have all their digits; e^loss has fewer if the loss is large."""
        return (np.minimum(self.p, self.q) > 1e-290) & np.isfinite(self.loss)

    def _segment(self, alpha: Floats, co: Floats) -> np.ndarray:
        """The segment of each alpha; near alpha = 1 by 1 − alpha, which alone separates vertices there."""
        low = np.searchsorted(self.alpha, alpha, side="right") - 1
        high = len(self.p) - np.searchsorted(self.co[::-1], co, side="left")
        return np.clip(np.where(alpha <= 0.5, low, high), 0, len(self.p) - 1)

    def _from_vertex(self, k: np.ndarray, alpha: Floats, co: Floats, backwards: bool) -> Floats:
        """The rise of the curve from the start of segment k to alpha, or from alpha to its end."""
        low = alpha <= 0.5
        if backwards:
            return self._rise(k, np.where(low, self.alpha[k + 1] - alpha, co - self.co[k + 1]))
        return self._rise(k, np.where(low, alpha - self.alpha[k], self.co[k] - co))

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        return Enclosure.around(self.rounded_power(alpha, co), self.rounding)

    def rounded_power(self, alpha: Floats, co: Floats) -> Floats:
        """1 − f(alpha) in floating point."""
        k = self._segment(alpha, co)
        return self.power_[k] + self._from_vertex(k, alpha, co, backwards=False)

    def rounded_beta(self, alpha: Floats, co: Floats) -> Floats:
        """f(alpha) in floating point."""
        k = self._segment(alpha, co)
        return self.beta_[1:][k] + self._from_vertex(k, alpha, co, backwards=True)

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        low, loose = alpha <= 0.5, 1e-15 + self.input_rounding
        k = self._segment(alpha, co)
        # if beta is small compared with the step to the next vertex, that vertex's rounding dominates
        each = np.arange(len(self.p))
        digits = np.where(low, self._rise(each, loose * self.alpha[1:])[k], self._rise(each, loose * self.co[1:])[k])
        known = Enclosure.around(self.rounded_beta(alpha, co), self.rounding, digits)

        def upper() -> Floats:  # just beyond a vertex, alpha may belong to the steeper segment before it
            behind = np.where(low, self.alpha[k], self.co[k])
            over = loose * behind - np.where(low, alpha - self.alpha[k], self.co[k] - co)
            steeper = self.beta_[k] + self._rise(np.maximum(k - 1, 0), over)
            return np.where((k > 0) & (over > 0), np.maximum(known.hi, steeper), known.hi)

        return Enclosure(lambda: known.lo, upper)

    def _rise(self, k: np.ndarray, step: Floats) -> Floats:
        """step·e^loss along segment k, at most its total rise."""
        step = np.maximum(step, 0.0)
        with np.errstate(all="ignore"):
            rise, odd = step * (self.q[k] / self.p[k]), ~self._normal[k]
            rise[odd] = np.exp(np.log(step[odd]) + self.loss[k[odd]])
        return np.where(step > 0, np.minimum(rise, self.q[k]), 0.0)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self.loss[self._segment(alpha, co)]

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        k = np.searchsorted(self._rising, -loss, side="left")
        return self.alpha[k], self.co[k], self.power_[k], self.beta_[k]

    @cached_property
    def _vertex_profile(self) -> tuple[Floats, Floats, Floats]:
        """−l for every loss l in decreasing order from infinity, delta(l), and e^l·P(loss ≥ l) under H0."""
        finite = np.isfinite(self.loss)
        delta, price = vertex_profile(self.loss[finite], self.q[finite])
        return (
            np.append(-math.inf, -self.loss[finite]),
            np.append(0.0, delta) + self._power_at_zero(),
            np.append(0.0, price),
        )

    def _profile_sum(self, epsilon: Floats) -> Floats:
        """The hockey-stick divergence E(1 − e^(epsilon − loss))₊ under H1; linear in e^epsilon between losses."""
        rising, delta, price = self._vertex_profile
        above = np.searchsorted(rising, -epsilon, side="left") - 1  # the last loss above epsilon
        return delta[above] - np.expm1(np.minimum(epsilon + rising[above], 0.0)) * price[above]

    def _solve_epsilon(self, delta: Floats) -> Enclosure:
        """From the segment of the profile that holds delta."""
        rising, known, price = self._vertex_profile
        above = np.maximum(np.searchsorted(known, delta, side="right") - 1, 0)
        with np.errstate(all="ignore"):
            guess = np.log1p((known[above] - delta) / price[above]) - rising[above]
            pace = delta / (price[above] * np.exp(guess + rising[above]))
        return confirmed_epsilon(self, delta, guess, pace)

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        finite = np.isfinite(self.loss)
        return math.fsum((self.q if present else self.p)[finite] * function(self.loss[finite]))

    def _mirrored(self) -> TradeOff:
        same = (self.p == self.q[::-1]).all() and (self.loss == -self.loss[::-1]).all()
        if self.is_symmetric or (same and not self.parts):
            return self
        parts = tuple(m for m in (part.inverse() for part in self.parts) if isinstance(m, PiecewiseCurve))
        return replace(self, p=self.q[::-1], q=self.p[::-1], loss=-self.loss[::-1], parts=parts)

    def _components(self) -> tuple[TradeOff, ...]:
        return self.parts or (self,)

    @property
    def _certificate(self) -> Certificate:
        return Certificate(self.route, self.claimed_tolerance, self.note)

    def _max_loss(self) -> tuple[float, float]:
        first = int(np.searchsorted(self._rising, -math.inf, side="right"))  # the largest finite loss
        top = max(float(self.loss[first]), 0.0) if first < len(self.loss) else 0.0
        slack = self.loss_rounding * top + (self.total_rounding if top > 0 else 0.0)
        return max(top - slack, 0.0), top + slack

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        if self.lattice is not None:
            return self.lattice._enclose_profile(epsilon)
        # a sum of positive terms, each with the rounding error of its loss; a loss just below may in fact lie above
        found = self._profile_sum(epsilon)
        loose = min(self.loss_rounding * self._max_loss()[1] + self.total_rounding, 1e300)  # times 0 it is 0

        def upper() -> Floats:
            above = (epsilon - self.total_rounding) * (1 - self.loss_rounding)
            return found * (1 + self.rounding) + self._rates(above)[2] * loose

        return Enclosure(lambda: found * (1 - self.rounding) - self._rates(epsilon)[2] * loose, upper)

    def _power_at_zero(self) -> float:
        return float(self.power_[np.searchsorted(self._rising, -math.inf, side="right")])

    def beta_at_zero(self) -> Bounds:
        if self._power_at_zero() <= 0.5:
            return super().beta_at_zero()
        left = float(self.beta_[np.searchsorted(self._rising, -math.inf, side="right")])
        return Bounds.around(left, self.rounding + self.input_rounding)

    def _auc(self) -> tuple[float, float]:
        return float(self.p @ (self.power_[:-1] + self.q / 2)), self.rounding

    def _mu(self) -> tuple[float, float]:
        if self.parts:  # G_mu is convex: it lies below the hull if it lies below every part
            lows, highs = zip(*(part._mu() for part in self.parts))
            return max(lows), max(highs)
        if self._power_at_zero() > 0 or self.inverse()._power_at_zero() > 0:
            return math.inf, math.inf
        if len(self.p) == 2 and self.inverse() is self:  # pure DP of that loss
            mu = normal.pure_mu(float(self.loss[0]))
            return mu * (1 - 1e-14), mu * (1 + 1e-14)
        return vertex_mu(self)

    def _enclose_renyi(self, order: float) -> Bounds:
        found, absolute = divergence(self.p, self.q, self.loss, order), 0.0
        if self.total_rounding and math.isfinite(found):
            # where that matters the divergence is order/2·E[loss²], and moves by order·E|loss| times as much
            absolute = self.total_rounding * (math.sqrt(2 * order * max(found, 0.0)) + order * self.total_rounding)
        return known_renyi(self, order, found, 16 * self.rounding, absolute)


def lattice_table(noise: GeometricNoise, shift: int) -> PiecewiseCurve:
    """Geometric noise with a small shift: its lattice curve as a table of shift + 1 segments."""
    p, loss = noise.atoms(shift)
    lattice = LatticeCurve(noise, shift)
    return PiecewiseCurve(p[::-1].copy(), p, loss[::-1].copy(), 3e-16, is_symmetric=True, lattice=lattice)


def revealing_curve(shared: Fraction, alone: Fraction, loose: float = 0.0) -> PiecewiseCurve:
    """f = max(0, 1 − d − alpha): the release shows the target with probability d, and otherwise reveals nothing.

    Computed from d (``alone``), 1 − d (``shared``) and their relative error.
    """
    p, loss = np.array([0.0, float(shared), float(alone)]), np.array([math.inf, 0.0, -math.inf])
    return PiecewiseCurve.from_pair(p, p[::-1].copy(), loss, 0.0, 4e-16 + loose, rounding=1e-15, grain=LEAST)


def vertex_profile(loss: Floats, q: Floats) -> tuple[Floats, Floats]:
    """delta(l) at decreasing losses with masses q under H1, and the price e^l·P(loss ≥ l) under H0.

    From one loss l to the next, l', delta increases by (1 − e^(l' − l)) times the price at l: all terms are positive.
    The price follows from q alone, even if p underflowed; blocks of losses prevent overflow of e^loss.
    """
    price = np.empty(len(loss), dtype=np.longdouble)
    block = np.floor(loss / 300)  # within a block, ratios of slopes do not overflow
    starts = np.flatnonzero(np.diff(block, prepend=math.nan) != 0)
    for start, end in zip(starts, [*starts[1:], len(loss)]):
        carried = price[start - 1] * np.exp(loss[start] - loss[start - 1]) if start else 0.0
        below = np.exp(loss[start:end] - loss[start])
        price[start:end] = below * (carried + np.cumsum(q[start:end].astype(np.longdouble) / below))
    rises = -np.expm1(np.diff(loss)) * price[:-1]
    delta = np.append(np.zeros(1, np.longdouble), np.cumsum(rises))[: len(loss)]
    return delta.astype(float), price.astype(float)


def _partial_sums(masses: Floats) -> Floats:
    """0, m0, m0 + m1, …, summed in extended precision."""
    sums = np.cumsum(masses, dtype=np.longdouble).astype(np.float64)
    sums[-1] = 1.0  # up to rounding; both ends must meet the corners exactly
    return np.concatenate([[0.0], np.minimum(sums, 1.0)])
