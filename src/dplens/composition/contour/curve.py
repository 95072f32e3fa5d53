"""The curve of a composition, read from contour integrals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dplens.composition.contour.line_readings import CALL, FLOOR, LineReadings
from dplens.composition.contour.thresholds import Saddlepoints, log_odds, near_epsilons, thresholds
from dplens.curves.base import Floats, TradeOff
from dplens.curves.closed.bounded import LogisticCurve
from dplens.curves.derived.sampled import SampledCurve
from dplens.curves.finite.enclosed import added_renyi, imports_among
from dplens.curves.readings.mu import tightest_mu
from dplens.curves.readings.profile import confirmed_epsilon
from dplens.curves.readings.renyi import known_renyi
from dplens.estimate import Certificate
from dplens.losses.total import Composition
from dplens.numerics.enclosure import Bounds, Enclosure, opposed
from dplens.numerics.sharing import cached_property

_UNITS = 1e-15  # a few units in the last place


class TangentBrackets(NamedTuple):
    """Power and beta, each from both sides."""

    power: tuple[Floats, Floats]
    beta: tuple[Floats, Floats]
    by_power: np.ndarray  # where the power is the small one and keeps its digits


@dataclass(frozen=True, eq=False)
class ContourCurve(TradeOff):
    """T(P, Q) of a composition.

    For any threshold e the line of slope −e^e with intercept 1 − delta(e) lies below f, so the risky side is safe
    for any e; at the e of the best test the line is a tangent. The mild side follows from three neighbouring
    thresholds: delta(e) + e^e·alpha is convex in e^e, so secants bound its minimum from below.
    """

    composition: Composition
    steps: tuple[tuple[TradeOff, int], ...] = ()
    # another route, for thresholds at which the characteristic function does not fall off
    make_fallback: Callable[[Sequence[tuple[TradeOff, int]]], TradeOff] | None = None
    goal: float = 1e-12
    rounding = 1e-12
    _is_costly = True

    @cached_property
    def _readings(self) -> LineReadings:
        if isinstance(self.origin, ContourCurve) and self.origin is not self:  # the same lines
            return self.origin._readings.mirrored
        make_fallback = self.make_fallback
        return LineReadings(self.composition, self.goal, (lambda: make_fallback(self.steps)) if make_fallback else None)

    @property
    def spread(self) -> float:
        """Standard deviation of the loss under the tilt ½."""
        return self._readings.chains[0].spread

    @property
    def _certificate(self) -> Certificate:
        low, high = (float(x[0]) for x in self._calls(np.zeros(1)))
        width = (high - low) / max(high, 1e-300) / 2
        if self.lacks_line(np.zeros(1))[0]:
            found = Certificate(self._readings.fallback.certificate.route, width, "width at epsilon 0")
        else:
            note = "integrals of the cumulant function, errors bounded term by term; wider at rates below 1e-13"
            # rare large losses: deep tails are known less closely
            if self.has_rare_losses:
                note += "; width at epsilon 0"
            found = Certificate("contour", max(width, 1e-9), note)
        return imports_among(self.steps, found)

    @property
    def has_rare_losses(self) -> bool:
        """Whether records are sampled at small rates."""
        return any(isinstance(step, SampledCurve) and step.rate < 1e-3 for step, _ in self.steps)

    # ---- the two sides --------------------------------------------------------------------------------

    def _brackets(self, e: Floats, alpha: Floats, co: Floats) -> TangentBrackets:
        """Brackets of the tangent at a threshold e, read at alpha."""
        kind, low, high = self._readings.at(e)
        proof_h0, proof_h1 = self.composition.infinity_masses
        with np.errstate(over="ignore"):
            slope = np.exp(np.minimum(e, 700.0))
        is_call, is_floor = kind == CALL, kind == FLOOR
        # a call gives the power, a floor or a put gives beta; sums and differences are moved by their own rounding
        spent = slope * alpha
        gain = [(proof_h1 + v + spent) * (1 + sign * _UNITS) for v, sign in ((low, -1), (high, 1))]
        left = slope * np.maximum(co - proof_h0, 0.0)
        miss = []
        for a, b, sign in ((low, high, -1), (high, low, 1)):
            blur = sign * _UNITS * np.where(is_floor, a + spent, left + b)
            miss.append(np.where(is_floor, a - spent, left - b) + blur)
        power = tuple(np.where(is_call, g, 1 - m) for g, m in zip(gain, miss[::-1]))
        beta = tuple(np.where(is_call, 1 - g, m) for g, m in zip(gain[::-1], miss))
        return TangentBrackets(power, beta, is_call)  # pyright: ignore[reportArgumentType]

    def lacks_line(self, e: Floats) -> np.ndarray:
        """Which thresholds are left to the fallback."""
        return self._readings.lacks_line(e)

    def tangent(self, e: Floats, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Upper bound on power and lower bound on beta from the line of slope −e^e, for any e."""
        found = self._brackets(e, alpha, co)
        return found.power[1] * (1 + _UNITS), found.beta[0] * (1 - _UNITS)

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        mass = self.infinity_mass()
        inner = (alpha > 0) & (co > self.composition.infinity_masses[0])
        thresholds: list[Floats] = []

        def end(side: int, mass: float) -> tuple[Floats, Floats]:
            """Inside, the test has a threshold. Alpha 0 detects only the mass at infinity, beyond all is detected."""
            power, beta = np.where(alpha <= 0, mass, 1.0), np.where(alpha <= 0, 1 - mass, 0.0)
            if inner.any():
                if not thresholds:
                    thresholds.append(self._slopes(alpha[inner], co[inner]))
                power[inner], beta[inner] = self._side(side, thresholds[0], alpha[inner], co[inner])
            return power, beta

        return opposed(lambda: end(1, mass.hi), lambda: end(0, mass.lo))

    def _side(self, side: int, e: Floats, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from above and beta from below by tangents (side 1), or the reverse by secants (side 0)."""
        by_fallback = self.lacks_line(e)
        power, beta = alpha.copy(), co.copy()
        mine = np.flatnonzero(~by_fallback)
        if len(mine) and side:
            power[mine], beta[mine] = self.tangent(e[mine], alpha[mine], co[mine])
            power, beta = self._within_support(power, beta, alpha, co)
        elif len(mine):
            odds = log_odds(self._readings, alpha[mine], co[mine])[2]
            nudge = 1.5e-7 * Saddlepoints.around(self._readings, odds).spread(e[mine])
            power[mine], beta[mine], failed = self._between_secants(e[mine], nudge, alpha[mine], co[mine])
            by_fallback[mine[failed]] = self.make_fallback is not None
        if by_fallback.any():
            powers, betas = self._readings.fallback.both_bounds(alpha[by_fallback], co[by_fallback])
            power[by_fallback], beta[by_fallback] = (powers.hi, betas.lo) if side else (powers.lo, betas.hi)
        return power, beta

    def _within_support(self, power: Floats, beta: Floats, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Improve bounds at rates that may belong to the end of the losses, where lines have few digits."""
        if self.composition.rare or min(alpha.min(), co.min()) >= 1e-10:
            return power, beta
        (top, mass), (end, foot) = ((c._max_loss()[1], c.infinity_mass().hi) for c in (self, self.inverse()))
        with np.errstate(over="ignore"):
            power = np.minimum(power, (mass + np.exp(top + np.log(alpha))) * (1 + 1e-12))
        return power, np.maximum(beta, (co - foot) * (math.exp(-end) * (1 - 1e-12)))

    def _between_secants(
        self, e: Floats, nudge: Floats, alpha: Floats, co: Floats
    ) -> tuple[Floats, Floats, np.ndarray]:
        """Power from below, beta from above, and the indices where neither was found.

        For any threshold e, delta(e) + e^e·alpha is at least the power at alpha, and equal for the best e. It is convex
        in e^e, so if the middle one of three neighbouring thresholds is certainly lowest, they enclose the minimum, and
        the secants through them bound it from below. ``nudge``: the first distance between neighbours.
        """
        power, beta = alpha.copy(), co.copy()
        open_ = np.arange(len(e))
        for widen in 2.0 ** np.arange(19):
            (p0, b0, _), (p1, b1, is_call), (p2, b2, _) = (
                self._brackets(e[open_] + x * nudge[open_], alpha[open_], co[open_]) for x in (-widen, 0.0, widen)
            )
            ratio = np.exp(-widen * nudge[open_])  # (x2 − x1)/(x3 − x2), x = e^e
            least = p1[0] + np.minimum(np.minimum(ratio * (p1[0] - p2[1]), (p1[0] - p0[1]) / ratio), 0.0)
            most = b1[1] + np.maximum(np.maximum(ratio * (b1[1] - b2[0]), (b1[1] - b0[0]) / ratio), 0.0)
            by_power, by_beta = (p0[0] >= p1[1]) & (p2[0] >= p1[1]), (b0[1] <= b1[0]) & (b2[1] <= b1[0])
            sure = np.where(is_call, by_power, by_beta)
            index = open_[sure]
            # one minus the other, moved by its rounding
            power[index] = np.where(is_call, least, 1 - most - 2e-16)[sure]
            beta[index] = np.where(is_call, 1 - least + 2e-16, most)[sure]
            open_ = open_[~sure]
            if not len(open_):
                break
        return power, beta, open_

    def profile_upper(self, epsilon: Floats, enough: Floats | float = math.inf) -> Floats:
        """By bounds that need no line of their own, the fastest first."""
        at_infinity = self.composition.infinity_masses[1] * (1 + 1e-15)
        enough = np.broadcast_to(enough, epsilon.shape)
        out, open_ = np.full(len(epsilon), math.inf), np.arange(len(epsilon))
        if np.isfinite(enough).all():
            out = at_infinity + self._readings.by_parity(epsilon)
            open_ = np.flatnonzero(~(out <= enough))
        if len(open_):
            out[open_] = np.minimum(out[open_], at_infinity + self._readings.call_bounds(epsilon[open_]))
        return out

    def _calls(self, e: Floats) -> tuple[Floats, Floats]:
        """E(e^L − e^e)₊ from both sides, whichever quantity its line computes."""
        kind, low, high = self._readings.at(e)
        finite_h0, finite_h1 = (math.exp(x) for x in self.composition.log_finite)
        with np.errstate(over="ignore"):
            worth = np.exp(np.minimum(e, 700.0)) * finite_h0
        is_call, is_floor = kind == CALL, kind == FLOOR
        lower = np.where(is_call, low, np.where(is_floor, finite_h1 - high, finite_h1 - worth + low))
        upper = np.where(is_call, high, np.where(is_floor, finite_h1 - low, finite_h1 - worth + high))
        blur = np.where(
            is_call, 0.0, _UNITS * (finite_h1 + np.where(is_floor, 0.0, worth))
        )  # differences of such numbers
        return np.maximum(lower - blur, 0.0), upper + blur

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        low, high = self._calls(epsilon)
        mass = self.composition.infinity_masses[1]
        return Enclosure(mass * (1 - 1e-15) + low, mass * (1 + 1e-15) + high)

    def error_bounds(self, loss: Floats) -> Enclosure:
        kind, low, high = self._readings.at(loss)
        calls = self._calls(loss)
        seen = math.exp(self.composition.log_finite[1])
        ends = (np.where(kind == FLOOR, floor, seen - call) for floor, call in ((low, calls[1]), (high, calls[0])))
        return Enclosure(*ends).clipped(0.0, 1.0)

    # ---- epsilon --------------------------------------------------------------------------------------

    def _solve_epsilon(self, delta: Floats) -> Enclosure:
        calls = np.maximum(delta - self.infinity_mass().mid, 1e-320)
        guess, pace = near_epsilons(self._readings, calls, self._max_loss()[1])
        with np.errstate(over="ignore"):
            return confirmed_epsilon(self, delta, guess, pace * delta / calls)

    # ---- the rest -------------------------------------------------------------------------------------

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        out = np.where(alpha <= 0, math.inf, -math.inf)
        inner = (alpha > 0) & (co > self.composition.infinity_masses[0])
        out[inner] = self._slopes(alpha[inner], co[inner])
        return out

    def _slopes(self, alpha: Floats, co: Floats) -> Floats:
        """Thresholds, from the fallback where there is no line to improve them."""
        e = thresholds(self._readings, alpha, co)
        by_fallback = self._readings.lacks_line(e) | (self._readings.outside(e) != 0)
        if by_fallback.any() and self.make_fallback is not None:
            slopes = self._readings.fallback._log_slope(alpha[by_fallback], co[by_fallback])
            e[by_fallback] = self._readings.inside_support(slopes)
        return e

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        loss = np.clip(loss, -1e300, 1e300)  # an infinite threshold is one beyond all losses
        above, below, _ = self._readings.tail(loss)
        alpha, co = np.clip(above, 0.0, 1.0), np.clip(below + self.composition.infinity_masses[0], 0.0, 1.0)
        found = self._brackets(loss, alpha, co)
        return alpha, co, np.clip(found.power[1], alpha, 1.0), np.clip(found.beta[0], 0.0, co)

    def leans_right(self) -> bool:
        """By the tail of the loss: the longer one is likely the riskier."""
        variance = self._readings.chains[0].tilts.more.variance
        return bool(variance[1] >= variance[0])

    def _mirrored(self) -> TradeOff:
        if self.steps and all(step.inverse() is step for step, _ in self.steps):
            return self
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        return ContourCurve(self.composition.reversed, steps, self.make_fallback, self.goal)

    def refined(self, tolerance: float) -> TradeOff:
        # a reading is a few integrals, each a few units of its goal wide; the power's bracket is the widest of all
        goal = min(max(5e-4 * tolerance, 1e-15), 1e-8)
        curve = ContourCurve(self.composition, self.steps, self.make_fallback, goal)
        if self.make_fallback is not None:  # the fallback is the same, and takes long
            lines = LineReadings(self.composition, goal, lambda: self._readings.fallback)
            object.__setattr__(curve, "_readings", lines)
        return curve

    def _max_loss(self) -> tuple[float, float]:
        top = max(self.composition.support[1], 0.0)
        return top * (1 - 1e-14), top * (1 + 1e-14)

    def _power_at_zero(self) -> float:
        return self.composition.infinity_masses[1]

    def _mu(self) -> tuple[float, float]:
        if not self.steps or max(self.composition.infinity_masses) > 0:
            return super()._mu()
        # full shifts in every step decide at the smallest alphas
        tails = math.fsum(count * law.tail_mu**2 for law, count, _ in self.composition.terms)
        return tightest_mu(self, self.steps, math.sqrt(tails) * (1 - 1e-15))

    @property
    def input_rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return 2e-15 if max(self.composition.infinity_masses) > 0 else 0.0

    def _enclose_renyi(self, order: float) -> Bounds:
        # large orders look at what the laws leave out, and of a bounded range only the worst pair at each order counts
        if self.composition.rare or any(isinstance(s, LogisticCurve) and s.bounded_range for s, _ in self.steps):
            return added_renyi(self.steps, order)
        return known_renyi(self, order, self.composition.renyi(order), *self.composition.renyi_rounding(order))
