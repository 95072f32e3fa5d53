"""The curve of a composition whose losses are a spline."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens.composition.spline.rates import SplineRates, TestRates
from dplens.composition.spline.sums import Spline, Whole
from dplens.curves.base import Floats, TradeOff
from dplens.curves.closed.bounded import LogisticCurve
from dplens.curves.finite.enclosed import added_renyi, imports_among
from dplens.curves.readings.profile import confirmed_epsilon
from dplens.curves.readings.renyi import known_renyi
from dplens.estimate import Certificate
from dplens.losses.total import Composition
from dplens.numerics.enclosure import Bounds, Enclosure, opposed
from dplens.numerics.sharing import cached_property, latest

_UNITS = 4e-16
_TINY = 1e-290  # masses at smaller rates may have underflowed; calls lack e^L times as much


@dataclass(frozen=True, eq=False)
class SplineCurve(TradeOff):
    """T(P, Q) for atoms and piecewise polynomial densities.

    There is a coupling of computed losses L' and true ones L with |L − L'| ≤ eta, whose masses differ by a factor of
    1 + r at most. call(e) = 2·e^{e/2}·∫ sinh((L − e)/2)₊ dν, so call(e) ≤ (1 + r)·e^{eta/2}·call'(e − eta), and
    hence power(alpha) ≤ k·power'(alpha) with k = (1 + r)·e^eta. Likewise floor(e) = e^{e/2}·∫ e^{−|L − e|/2} dν gives
    f(alpha) ≥ f'(k·alpha)/k, and put(e) the same with 1 − alpha. All three hold with both exchanged. ``blur`` is k − 1
    plus the rounding of a reading, ``reach`` is eta for the mild and for the risky side: an epsilon that was
    rounded up counts only for the former.

    On the risky side f' is read by its tangent at a threshold near the best one, on the mild side by the chord between
    two tests that enclose alpha; where the best test has a coin, at an atom, both are f' itself.
    """

    spline: Spline
    unit: float  # loss of one unit of the knots
    scale: float  # ν carries a factor e^{scale/2}
    blur: float
    reach: tuple[float, float]
    tops: tuple[tuple[float, float], tuple[float, float]]  # bounds on the largest loss of either direction
    composition: Composition
    steps: tuple[tuple[TradeOff, int], ...]

    @cached_property
    def rates(self) -> SplineRates:
        return SplineRates(self.spline, self.unit, self.scale, self.composition.infinity_masses)

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.blur

    @property
    def input_rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        if max(self.composition.infinity_masses) <= 0:
            return 0.0
        return 2e-15 + math.fsum(count * step.input_rounding for step, count in self.steps)

    @property
    def _certificate(self) -> Certificate:
        found = Certificate("spline", self.claimed_tolerance, "sums of positive terms, roundings counted")
        return imports_among(self.steps, found)

    # ---- power and beta -------------------------------------------------------------------------------

    def _thresholds(self, alpha: Floats, co: Floats) -> Whole:
        """Thresholds of tests close to these rates, cached because power, beta and slope are often read in turn."""
        return latest(self, "_latest", (alpha.tobytes(), co.tobytes()), lambda: self.rates.thresholds(alpha, co))

    def _tangent(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from above and beta from below.

        By tangents of power', of f', and of f' as a function of 1 − alpha, with rates moved by their rounding.
        """
        k, at = 1 + self.blur, self.rates.at(self._thresholds(alpha, co))
        slope = np.exp(at.loss)
        power = k * at.power + slope * (k * alpha - at.alpha / k)
        spared = co - k * at.co
        beta = at.beta / k + slope * np.maximum(at.alpha / k - alpha, np.minimum(spared, spared / k))
        return np.minimum(power, 1 - beta + _UNITS), np.maximum(beta, 1 - power - _UNITS)

    def _chord(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from below and beta from above: the best chord between tests close to alpha and across atoms."""
        step = max(1e-9, 16 * self.blur) * np.minimum(alpha, co)
        first = self.rates.thresholds(alpha - step, co + step)
        last = self.rates.thresholds(alpha + step, co - step)
        before, after, behind, beyond = (self.rates.at(e) for e in (first + 1, last - 1, first - 1, last + 1))
        found = [self._between(alpha, co, *tests) for tests in ((before, after), (before, behind), (beyond, after))]
        power, beta = np.max([x[0] for x in found], axis=0), np.min([x[1] for x in found], axis=0)
        return np.maximum(power, 1 - beta - _UNITS), np.minimum(beta, 1 - power + _UNITS)

    def _between(self, alpha: Floats, co: Floats, less: TestRates, more: TestRates) -> tuple[Floats, Floats]:
        """The chord between two tests, with their rates moved to the mild side by a factor k."""
        k = 1 + self.blur
        share = share_of(alpha, k * less.alpha, k * more.alpha)
        power = ((1 - share) * less.power + share * more.power) / k
        beta = np.where(alpha >= k * less.alpha, (1 - share) * less.beta + share * more.beta, math.inf)
        share = share_of(co, more.co / k, less.co / k)
        beta_too = np.where(co <= less.co / k, share * less.beta + (1 - share) * more.beta, math.inf)
        beta = k * np.minimum(beta, beta_too)
        # left of both tests, the power is at least proportional to alpha
        power = np.where(alpha < k * less.alpha, less.power * (alpha / (k * less.alpha)) / k, power)
        return power * (1 - _UNITS), beta * (1 + _UNITS)

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        mass, hidden = self.infinity_mass(), self.composition.infinity_masses[0]
        # masses lose digits at tiny rates; power rises with alpha and beta with 1 − alpha
        a, c = np.maximum(alpha, _TINY), np.maximum(co, _TINY)

        def end(read: Callable[[Floats, Floats], tuple[Floats, Floats]], mass: float) -> tuple[Floats, Floats]:
            power, beta = np.where(alpha <= 0, mass, 1.0), np.where(alpha <= 0, 1 - mass, 0.0)
            some = (alpha > 0) & (co > hidden)
            if some.any():
                power[some], beta[some] = read(a[some], c[some])
            return power, beta

        def upper() -> tuple[Floats, Floats]:
            power, beta = end(self._tangent, mass.hi)
            most = (mass.hi + np.exp(self.tops[0][1]) * alpha) * (1 + 4 * self.blur)  # no loss exceeds the largest
            power = np.where(alpha < a, np.minimum(power, most), power)
            return power, np.where(co < c, np.exp(-self.tops[1][1]) * co * (1 - 4 * self.blur), beta)

        def lower() -> tuple[Floats, Floats]:
            power, beta = end(self._chord, mass.lo)
            power = np.where(alpha < a, np.maximum(power * (alpha / a) * (1 - _UNITS), mass.lo), power)
            return power, np.where(alpha < a, 1.0, beta)

        return opposed(upper, lower)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        at_h0, at_h1 = self.composition.infinity_masses
        slope = np.where((co <= at_h0) & (at_h0 > 0), -math.inf, self._thresholds(alpha, co) * self.unit)
        return np.where((alpha <= 0) & (at_h1 > 0), math.inf, slope)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.rates.at(self.rates.whole(loss))[:4]

    # ---- the profile ----------------------------------------------------------------------------------

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        mass = self.infinity_mass()

        def end(sign: int, mass: float) -> Floats:
            # thresholds in units, moved by the error of the losses
            at = self.rates.whole(epsilon) - sign * (math.ceil(self.reach[sign > 0] / self.unit) + 1)
            calls = self.rates.calls(at) * (1 + sign * (self.blur + _UNITS))
            return mass + np.maximum(calls + sign * _TINY, 0.0)

        return Enclosure(lambda: end(-1, mass.lo), lambda: end(+1, mass.hi))

    def _solve_epsilon(self, delta: Floats) -> Enclosure:
        near = self.rates.where_calls(np.maximum(delta - self.infinity_mass().mid, 0.0))
        with np.errstate(all="ignore"):  # calls fall by e^eps·alpha
            pace = delta / (np.exp(near) * self.rates.at(self.rates.whole(near)).alpha)
        return confirmed_epsilon(self, delta, near, pace)

    # ---- the rest -------------------------------------------------------------------------------------

    def _mirrored(self) -> TradeOff:
        if all(step.inverse() is step for step, _ in self.steps):
            return self
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        kept = self.unit, self.scale, self.blur, self.reach, (self.tops[1], self.tops[0])
        return SplineCurve(self.spline.reversed(), *kept, self.composition.reversed, steps)

    def _max_loss(self) -> tuple[float, float]:
        return self.tops[0]

    def _power_at_zero(self) -> float:
        return self.composition.infinity_masses[1]

    def _enclose_renyi(self, order: float) -> Bounds:
        if any(isinstance(step, LogisticCurve) and step.bounded_range for step, _ in self.steps):
            return added_renyi(self.steps, order)  # the worst pair at each order
        return known_renyi(self, order, self.composition.renyi(order), *self.composition.renyi_rounding(order))


def share_of(x: Floats, start: Floats, end: Floats) -> Floats:
    """The position of x between start and end, from 0 to 1."""
    with np.errstate(all="ignore"):
        return np.clip(np.nan_to_num((x - start) / (end - start), nan=0.0), 0.0, 1.0)
