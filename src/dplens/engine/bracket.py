"""A curve known from both sides by two finite pairs of laws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dplens._numerics.enclosure import Enclosure, opposed
from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats, TradeOff
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.piecewise_hull import piecewise_hull
from dplens.curves.profile_lines import imports_among
from dplens.curves.readings.mu_of_steps import composed_mu
from dplens.estimate import Certificate

_LONG = 20_000  # vertices of a polygon whose hull with its mirror image takes long


@dataclass(frozen=True, eq=False)
class BracketCurve(TradeOff):
    """risky ≤ f ≤ mild, with what is known exactly besides: the steps, the extreme losses, the proofs.

    ``tops``: largest finite loss of either direction; ``proofs``: chance of an output that proves H1, and H0.
    """

    risky: PiecewiseCurve
    mild: PiecewiseCurve
    steps: tuple[tuple[TradeOff, int], ...]
    tops: tuple[float, float]
    proofs: tuple[float, float]
    route: str
    slack: float = 1e-13  # relative rounding of the masses
    is_polygon = True
    directions: tuple[BracketCurve, ...] = field(default=(), kw_only=True)  # whose hull it is, if it covers several

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.slack

    @property
    def _certificate(self) -> Certificate:
        low, high = (float(end[0]) for end in self.profile_bounds(np.zeros(1)))
        width = (high - low) / max(high, 1e-300) / 2
        note = "bracket of two finite laws; width at epsilon 0"
        return imports_among(self.steps, Certificate(self.route, max(width, self.slack, 1e-12), note))

    @property
    def input_rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.slack

    def _mu(self) -> tuple[float, float]:
        if self.directions:  # a Gaussian curve is convex: it lies below the hull if it lies below every part
            bounds = [part._mu() for part in self.directions]
            return max(low for low, _ in bounds), max(high for _, high in bounds)
        low, high = super()._mu()[0], self.risky._mu()[1] * (1 + self.slack)  # of a polygon, at one of its vertices
        if not self.steps or max(self.proofs) > 0:
            return min(low, high), high
        low = min(low, high)
        # far out, where what is next to impossible was counted as a proof, the steps themselves know more
        bounds = composed_mu(self, self.steps)
        return (low, high) if high <= bounds[1] else bounds

    # Masses known with an error are all rounded up in the risky law, all down in the mild one. Counted from the steep
    # end that bounds the power, counted from the flat end it bounds beta; a mixture of both would bound nothing.

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        if self.risky is self.mild:  # masses known to rounding, each by itself
            power, beta = self.risky.both_bounds(alpha, co)
            return power.widened(self.slack), beta.widened(self.slack)
        return opposed(lambda: self._from_above(alpha, co), lambda: self._from_below(alpha, co))

    def _from_above(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from above and beta from below."""
        power, beta = self._counted(self.risky, alpha, co)
        power, beta = power * (1 + self.slack), beta * (1 - self.slack)
        # each from its own end only: masses that add up to a little more than 1 would show beyond the middle
        both = power, beta
        power = np.where(both[1] < 0.5, np.minimum(both[0], 1 - both[1] + 2e-16), both[0])
        beta = np.where(both[0] < 0.5, 1 - both[0] - 2e-16, both[1])
        # whatever was lost at the ends of the table: no loss is larger than the largest
        power = np.minimum(power, (self.proofs[0] + math.exp(min(self.tops[0], 700.0)) * alpha) * (1 + 1e-13))
        beta = np.maximum(beta, math.exp(-min(self.tops[1], 800.0)) * (co - self.proofs[1]) * (1 - 1e-13))
        return power, beta

    def _from_below(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from below and beta from above."""
        power, beta = self._counted(self.mild, alpha, co)
        beta = np.where(co > self._sums[1][2][0], np.inf, beta)  # more than all masses
        power, beta = power * (1 - self.slack), beta * (1 + self.slack)
        return np.maximum(power, 1 - beta - 2e-16), np.minimum(beta, 1 - power + 2e-16)

    @cached_property
    def _sums(self) -> tuple[tuple[Floats, Floats, Floats, Floats], ...]:
        """Partial sums of the masses as they are, not made to add up to 1: under H0, H1 from either end."""
        return _partial_sums(self.risky), _partial_sums(self.mild)

    def _counted(self, law: PiecewiseCurve, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power counted from the steepest loss, beta from the flattest."""
        reached, caught, left, missed = self._sums[law is not self.risky]
        last = len(law.p) - 1
        k = np.clip(np.searchsorted(reached, alpha, side="right") - 1, 0, last)
        power = caught[k] + law._rise(k, alpha - reached[k])
        k = np.clip(len(law.p) - np.searchsorted(left[::-1], co, side="left"), 0, last)
        return power, missed[k + 1] + law._rise(k, co - left[k + 1])

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        if self.directions:  # they keep the digits that masses of a hull, which are differences, have lost
            return Enclosure.largest([part.profile_bounds(epsilon) for part in self.directions])
        lower, upper = self.mild.profile_bounds(epsilon), self.risky.profile_bounds(epsilon)
        return Enclosure(lambda: lower.lo, lambda: upper.hi).widened(self.slack)

    def error_bounds(self, loss: Floats) -> Enclosure:
        if self.directions:
            return Enclosure.smallest([part.error_bounds(loss) for part in self.directions])
        if self.risky is self.mild:
            return self.risky.error_bounds(loss).widened(self.slack).clipped(0.0, 1.0)
        delta = self.profile_bounds(loss)  # rates of masses that are rounded to one side do not add up to an error
        return delta.falling(lambda end: 1 - end).widened(1e-15, 1e-16).clipped(0.0, 1.0)

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        if self.directions:
            return Enclosure.largest([part.epsilon_bounds(delta) for part in self.directions])
        (low_top, high_top), mass = self._max_loss(), self.infinity_mass()
        lower = self.mild.epsilon_bounds(np.minimum(delta * (1 + self.slack), 1.0))
        upper = self.risky.epsilon_bounds(delta * (1 - self.slack))

        def end(found: Floats, mass: float, top: float) -> Floats:
            return np.where(delta < mass, math.inf, np.minimum(found, top))

        return Enclosure(lambda: end(lower.lo, mass.lo, low_top), lambda: end(upper.hi, mass.hi, high_top))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return np.clip(self.risky._log_slope(alpha, co), -self.tops[1], self.tops[0])

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.risky._rates(loss)

    def _symmetrised(self) -> TradeOff:
        """The hull of two polygons is one, where these are known to rounding."""
        mirror = self.inverse()
        if self.risky is not self.mild or type(mirror) is not BracketCurve or len(self.risky.p) > _LONG:
            return super()._symmetrised()
        hull = piecewise_hull((self.risky, mirror.risky))
        top, mass = max(self.tops), max(self.proofs)
        kept = self.steps, (top, top), (mass, mass), self.route, self.slack
        return BracketCurve(hull, hull, *kept, directions=(self, mirror))

    def _components(self) -> tuple[TradeOff, ...]:
        return self.directions or (self,)

    def _mirrored(self) -> TradeOff:
        if self.directions or all(
            step.inverse() is step for step, _ in self.steps
        ):  # then either side of it bounds both directions
            return self
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        risky, mild = self.risky.inverse(), self.mild.inverse()
        if not (isinstance(risky, PiecewiseCurve) and isinstance(mild, PiecewiseCurve)):  # pragma: no cover
            raise TypeError("the mirror image of a finite pair is one")
        tops, proofs = (self.tops[1], self.tops[0]), (self.proofs[1], self.proofs[0])
        return BracketCurve(risky, mild, steps, tops, proofs, self.route, self.slack)

    def _max_loss(self) -> tuple[float, float]:
        return self.tops[0] * (1 - 1e-14), self.tops[0] * (1 + 1e-14)

    def _power_at_zero(self) -> float:
        return self.proofs[0]

    def _auc(self) -> tuple[float, float]:
        high, low = self.risky._auc()[0], self.mild._auc()[0]
        return (high + low) / 2, (high - low) / 2 + self.slack

    def _renyi(self, order: float) -> float:
        return math.fsum(count * step._renyi(order) for step, count in self.steps)  # divergences add up


def _partial_sums(law: PiecewiseCurve) -> tuple[Floats, Floats, Floats, Floats]:
    steep = [np.cumsum(m, dtype=np.longdouble).astype(float) for m in (law.p, law.q)]
    flat = [np.cumsum(m[::-1], dtype=np.longdouble).astype(float)[::-1] for m in (law.p, law.q)]
    sums = [np.append(0.0, x) for x in steep] + [np.append(x, 0.0) for x in flat]
    return sums[0], sums[1], sums[2], sums[3]


SIDES = (lambda curve: curve, lambda curve: curve.inverse())  # of a curve: itself, and with the worlds exchanged


def ends_of(steps: Sequence[tuple[TradeOff, int]]) -> tuple[tuple[float, float], tuple[float, float]]:
    """(largest finite loss of either direction, chance of a proof of H1 and of H0)."""
    tops = [math.fsum(count * side(curve)._max_loss()[1] for curve, count in steps) for side in SIDES]
    proofs = [
        -math.expm1(
            math.fsum(count * math.log1p(-min(side(curve)._power_at_zero(), 1 - 1e-16)) for curve, count in steps)
        )
        for side in SIDES
    ]
    return (tops[0], tops[1]), (proofs[0], proofs[1])
