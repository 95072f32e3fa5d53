"""A curve known to lie between two others, most often two polygons."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens._numerics.enclosure import Bounds, Enclosure
from dplens._numerics.logits import from_logit
from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats, TradeOff
from dplens.curves.polygons import both_directions_of
from dplens.curves.profile_lines import imports_among
from dplens.curves.readings.mu_of_steps import composed_mu
from dplens.estimate import Certificate

_LOGITS, _LOSSES = np.linspace(-27.6, 27.6, 3001), np.linspace(0.0, 10.0, 2001)  # what a certificate looks at
_CLAIMED = 1e-6  # least delta of which it speaks
_NOTE = "between tangents and chords of the profile; width of power and beta from alpha = 1e-12, delta from 1e-6 on"


@dataclass(frozen=True, eq=False)
class EnclosedCurve(TradeOff):
    """risky ≤ f ≤ mild: each end of an enclosure is read from the curve that bounds it.

    ``steps`` are the true ones. If it is ``composed`` of them, the largest loss, the mass at infinity, mu and Rényi
    divergences follow from theirs; otherwise ``top`` encloses the largest loss.
    """

    risky: TradeOff
    mild: TradeOff
    steps: tuple[tuple[TradeOff, int], ...]
    route: str
    top: tuple[float, float] = (0.0, math.inf)
    composed: bool = False
    directions: tuple[EnclosedCurve, ...] = ()  # whose worse one it is, if it covers several
    is_polygon = True

    @property
    def _certificate(self) -> Certificate:
        if self.route == "cells":
            return Certificate(self.route, self._width, _NOTE)
        found = self.profile_bounds(np.zeros(1))
        width = float((found.hi - found.lo)[0] / max(found.hi[0], 1e-300)) / 2
        found = Certificate(self.route, max(width, 1e-12), "between two curves; width at epsilon 0")
        return imports_among(self.steps, found)

    @cached_property
    @np.errstate(all="ignore")
    def _width(self) -> float:
        """The relative width where it is widest: power and beta from alpha = 1e-12, delta from 1e-6 on."""
        losses = self.risky._log_slope(*from_logit(_LOGITS))
        epsilon = np.unique(np.append(np.abs(losses[np.isfinite(losses)]), _LOSSES))
        delta = self.profile_bounds(np.append(0.0, epsilon[epsilon < self._max_loss()[0]]))
        read = [*self.both_bounds(*from_logit(_LOGITS)), delta[delta.hi > _CLAIMED]]
        widths = [np.max(np.nan_to_num((hi - lo) / hi), initial=0.0) for lo, hi in read]
        return max(float(max(widths)), self.rounding, 1e-12)  # twice what was seen, as it is widest between these

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(self.risky.rounding, self.mild.rounding)

    @property
    def is_costly(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.risky.is_costly

    # ---- the ends of the losses ---------------------------------------------------------------------------

    def infinity_mass(self) -> Bounds:
        if self.directions:
            return Bounds(*(max(ends) for ends in zip(*(part.infinity_mass() for part in self.directions))))
        if not self.composed:
            return Bounds(self.mild.infinity_mass().lo, self.risky.infinity_mass().hi)
        return self._composed_mass

    @cached_property
    def _composed_mass(self) -> Bounds:
        """A polygon counts as infinite what is too rare for it; the steps know what really is."""
        low, high = (
            -math.expm1(math.fsum(n * math.log1p(-min(mass, 1 - 1e-16)) for mass, n in masses))
            for masses in zip(*([(end, n) for end in step.infinity_mass()] for step, n in self.steps))
        )
        return Bounds(max(low, 0.0) * (1 - 1e-13), min(max(high, 0.0) * (1 + 1e-13), 1.0))

    def _max_loss(self) -> tuple[float, float]:
        if self.directions:
            ends = [part._max_loss() for part in self.directions]
            return max(low for low, _ in ends), max(high for _, high in ends)
        if not self.composed:
            return self.top
        low, high = (math.fsum(n * step._max_loss()[i] for step, n in self.steps) for i in (0, 1))
        if self._composed_mass.hi > 0:  # beside a mass at infinity finite losses may all be below 0
            low = 0.0
        return low * (1 - 1e-14), high * (1 + 1e-14)

    def _power_at_zero(self) -> float:
        if self.directions:
            return max(part._power_at_zero() for part in self.directions)
        return self.infinity_mass().hi

    # ---- readings -----------------------------------------------------------------------------------------

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        lower, upper = self.mild.both_bounds(alpha, co), self.risky.both_bounds(alpha, co)
        if not self.composed:
            return _spanned(lower[0], upper[0]), _spanned(upper[1], lower[1])

        def power() -> Floats:  # no loss is larger than the largest
            steepest = math.exp(min(self._max_loss()[1], 700.0)) * alpha
            return np.minimum(upper[0].hi, (self.infinity_mass().hi + steepest) * (1 + 1e-13))

        def beta() -> Floats:
            mirror = self.inverse()
            flattest = math.exp(-min(mirror._max_loss()[1], 800.0))
            return np.maximum(upper[1].lo, flattest * (co - mirror.infinity_mass().hi) * (1 - 1e-13))

        return Enclosure(lambda: lower[0].lo, power), Enclosure(beta, lambda: lower[1].hi)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        return _spanned(self.mild.profile_bounds(epsilon), self.risky.profile_bounds(epsilon))

    def error_bounds(self, loss: Floats) -> Enclosure:
        return _spanned(self.risky.error_bounds(loss), self.mild.error_bounds(loss))

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        lower, upper = self.mild.epsilon_bounds(delta), self.risky.epsilon_bounds(delta)
        (low_top, high_top), mass = self._max_loss(), self.infinity_mass()

        def end(found: Floats, mass: float, top: float) -> Floats:
            found = np.where(delta == mass, top, np.minimum(found, top))
            return np.where(delta < mass, math.inf, found)

        return Enclosure(lambda: end(lower.lo, mass.lo, low_top), lambda: end(upper.hi, mass.hi, high_top))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self.risky._log_slope(alpha, co)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.risky._rates(loss)

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        return self.risky._expect(function, present)

    def _auc(self) -> tuple[float, float]:
        (high, above), (low, below) = self.risky._auc(), self.mild._auc()
        return (high + low) / 2, (high - low) / 2 + above + below

    def _mu(self) -> tuple[float, float]:
        if self.directions:  # a Gaussian curve is convex: it lies below the hull if it lies below every part
            bounds = [part._mu() for part in self.directions]
            return max(b[0] for b in bounds), max(b[1] for b in bounds)
        low, high = self.mild._mu()[0], self.risky._mu()[1]
        if not self.composed or self.infinity_mass().hi > 0 or self.inverse().infinity_mass().hi > 0:
            return low, high
        bounds = composed_mu(self, self.steps)  # far out the steps themselves know more
        return max(low, bounds[0]), min(high, bounds[1])

    def _renyi(self, order: float) -> float:
        if self.composed:  # divergences add up
            return math.fsum(count * step._renyi(order) for step, count in self.steps)
        return self.risky._renyi(order)

    def renyi_bounds(self, order: float) -> Bounds:
        if self.directions:
            return super().renyi_bounds(order)
        if math.isinf(order):
            found = self.epsilon_bounds(np.zeros(1))
            return Bounds(float(found.lo[0]), float(found.hi[0]))
        if self.composed:
            return super().renyi_bounds(order)
        return Bounds(self.mild.renyi_bounds(order).lo, self.risky.renyi_bounds(order).hi)

    # ---- the other direction ------------------------------------------------------------------------------

    def _components(self) -> tuple[TradeOff, ...]:
        return self.directions or (self,)

    def _mirrored(self) -> TradeOff:
        risky, mild = self.risky.inverse(), self.mild.inverse()
        if self.directions or (risky is self.risky and mild is self.mild):
            return self
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        return EnclosedCurve(risky, mild, steps, self.route, self.top, self.composed)

    def _symmetrised(self) -> TradeOff:
        """The worse of both directions, each polygon made symmetric by itself."""
        risky, mild = both_directions_of(self.risky, above=True), both_directions_of(self.mild, above=False)
        mirror = self.inverse()
        if risky is None or mild is None or not isinstance(mirror, EnclosedCurve):
            return super()._symmetrised()
        return EnclosedCurve(risky, mild, self.steps, self.route, self.top, self.composed, (self, mirror))


def _spanned(lower: Enclosure, upper: Enclosure) -> Enclosure:
    """From the lower end of one number to the upper end of another."""
    return Enclosure(lambda: lower.lo, lambda: upper.hi)
