"""Curves enclosed by two others, usually polygons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.curves.readings.mu import tightest_mu
from dplens.estimate import Certificate
from dplens.numerics.enclosure import Bounds, Enclosure, opposed
from dplens.numerics.logits import from_logit
from dplens.numerics.sharing import cached_property

# where the certificate measures the width
_LOGITS, _LOSSES = np.linspace(-27.6, 27.6, 3001), np.append(0.0, np.geomspace(1e-6, 10.0, 2000))
BY_LEAKAGE, BY_BOUND = "leakage", "bound"
_NOTES = {
    "cells": "between two finite laws; width of rates from 1e-12 and deltas from 1e-6 on",
    BY_LEAKAGE: "no output tells more than the leakage, which bounds the risk; fewer releases bound it from below",
    BY_BOUND: "what holds for every attacker bounds the risk from above, the worst that was found from below",
}


def imports_among(steps: Iterable[tuple[TradeOff, int]], said: Certificate) -> Certificate:
    """The certificate of a composition, preceded by the origins of steps imported from other libraries."""
    found = [step for step, _ in steps]
    while any(hasattr(step, "base") for step in found):  # sampled, or with a chance of failure
        found = [getattr(step, "base", step) for step in found]
    notes = dict.fromkeys(step.note for step in found if isinstance(step, PiecewiseCurve) and step.note)
    return replace(said, note="; ".join([*notes, said.note])) if notes else said


class Ends(NamedTuple):
    """Bounds on the largest finite loss and on the infinity mass, in one direction."""

    top: tuple[float, float]
    mass: Bounds

    @classmethod
    def composed(cls, steps: Sequence[tuple[TradeOff, int]]) -> Ends:
        """The ends of a composition, from its steps."""
        low, high = (
            -math.expm1(math.fsum(n * math.log1p(-min(mass, 1 - 1e-16)) for mass, n in masses))
            for masses in zip(*([(end, n) for end in step.infinity_mass()] for step, n in steps))
        )
        mass = Bounds(max(low, 0.0) * (1 - 1e-13) + 0.0, min(max(high, 0.0) * (1 + 1e-13), 1.0) + 0.0)  # never −0
        low, high = (math.fsum(n * step._max_loss()[i] for step, n in steps) for i in (0, 1))
        if mass.hi > 0:  # with infinity mass, all finite losses may be below 0
            low = 0.0
        return cls((low * (1 - 1e-14), high * (1 + 1e-14)), mass)

    @classmethod
    def between(cls, risky: TradeOff, mild: TradeOff, top: tuple[float, float] = (0.0, math.inf)) -> Ends:
        """The ends of a curve between two others, given at most bounds on the largest loss."""
        return cls(top, Bounds(mild.infinity_mass().lo, risky.infinity_mass().hi))

    @classmethod
    def worst(cls, curves: Sequence[TradeOff]) -> Ends:
        """The ends of the hull of several curves."""
        tops, masses = zip(*(curve._max_loss() for curve in curves)), zip(*(c.infinity_mass() for c in curves))
        low, high = map(max, tops)
        return cls((low, high), Bounds(*map(max, masses)))


@dataclass(frozen=True, eq=False)
class EnclosedCurve(TradeOff):
    """risky ≤ f ≤ mild: each end of an enclosure is read from the curve that bounds it.

    A polygon counts very rare losses as infinite; ``ends`` has the true largest loss and infinity mass of either
    direction. If the curve is ``composed`` of its ``steps``, these, mu and Rényi divergences follow from the steps.
    """

    risky: TradeOff
    mild: TradeOff
    steps: tuple[tuple[TradeOff, int], ...]
    route: str
    ends: tuple[Ends, Ends] | None = None
    composed: bool = False
    directions: tuple[TradeOff, ...] = ()  # the directions covered, if several
    finer: Callable[[float], TradeOff] | None = None  # recomputes it to a tolerance
    is_polygon = True
    _has_kinks = True

    @property
    def _certificate(self) -> Certificate:
        why = self.directions[0].certificate.why if self.directions else ""
        if self.route in _NOTES:
            return Certificate(self.route, self._width, _NOTES[self.route], why)
        found = self.profile_bounds(np.zeros(1))
        width = float((found.hi - found.lo)[0] / max(found.hi[0], 1e-300)) / 2
        found = Certificate(self.route, max(width, 1e-12), "between two curves; width at epsilon 0", why)
        return imports_among(self.steps, found)

    @cached_property
    @np.errstate(all="ignore")
    def _width(self) -> float:
        """The largest relative width over rates from 1e-12 and deltas from 1e-6 on."""
        losses = self.risky._log_slope(*from_logit(_LOGITS))
        epsilon = np.unique(np.append(np.abs(losses[np.isfinite(losses)]), _LOSSES))
        delta = self.profile_bounds(np.append(0.0, epsilon[epsilon < self._max_loss()[0]]))
        rates = [bounds[bounds.hi > 1e-12] for bounds in self.both_bounds(*from_logit(_LOGITS))]
        read = [*rates, delta[delta.hi > 1e-6]]
        widths = [np.max(np.nan_to_num((hi - lo) / hi), initial=0.0) for lo, hi in read]
        return max(float(max(widths)), self.rounding, 1e-12)  # twice the observed, as it is widest in between

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(self.risky.rounding, self.mild.rounding)

    @property
    def is_costly(self) -> bool:
        return self.risky.is_costly

    # ---- the ends of the losses ---------------------------------------------------------------------------

    @cached_property
    def _ends(self) -> tuple[Ends, Ends]:
        if self.ends is not None:
            return self.ends
        if self.composed:
            return Ends.composed(self.steps), Ends.composed([(step.inverse(), count) for step, count in self.steps])
        return Ends.between(self.risky, self.mild), Ends.between(self.risky.inverse(), self.mild.inverse())

    def infinity_mass(self) -> Bounds:
        return self._ends[0].mass

    def _max_loss(self) -> tuple[float, float]:
        return self._ends[0].top

    def _power_at_zero(self) -> float:
        return max((part._power_at_zero() for part in self.directions), default=self.infinity_mass().hi)

    # ---- readings -----------------------------------------------------------------------------------------

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        lower, upper = self.mild.both_bounds(alpha, co), self.risky.both_bounds(alpha, co)

        def above() -> tuple[Floats, Floats]:  # no loss is larger than the largest
            (here, mass), (there, proof) = self._ends
            power, beta = upper[0].hi, upper[1].lo
            if here[1] <= 700:
                power = np.minimum(power, (mass.hi + math.exp(here[1]) * alpha) * (1 + 1e-13))
            beta = np.maximum(beta, math.exp(-min(there[1], 800.0)) * (co - proof.hi) * (1 - 1e-13))
            return _from_small(power, beta, 2e-16)

        def below() -> tuple[Floats, Floats]:
            return _from_small(lower[0].lo, lower[1].hi, -2e-16)

        return opposed(above, below)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        return Enclosure.spanning(self.mild.profile_bounds(epsilon), self.risky.profile_bounds(epsilon))

    def error_bounds(self, loss: Floats) -> Enclosure:
        return Enclosure.spanning(self.risky.error_bounds(loss), self.mild.error_bounds(loss))

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        lower, upper = self.mild.epsilon_bounds(delta), self.risky.epsilon_bounds(delta)
        (low_top, high_top), mass = self._max_loss(), self.infinity_mass()

        def end(found: Floats, mass: float, top: float) -> Floats:
            found = np.where(delta == mass, top, np.minimum(found, high_top))
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
        apart = float(self.profile_bounds(np.zeros(1)).hi[0])  # no power exceeds alpha by more
        low, high = low - below, min(high + above, 0.5 + apart * (1 - apart / 2) + 1e-15)
        return (high + low) / 2, max(high - low, 0.0) / 2

    def _mu(self) -> tuple[float, float]:
        if self.directions:  # a Gaussian curve is convex: it lies below the hull if it lies below every part
            bounds = [part._mu() for part in self.directions]
            return max(b[0] for b in bounds), max(b[1] for b in bounds)
        low, high = self.mild._mu()[0], self.risky._mu()[1]
        if not self.composed or self.infinity_mass().hi > 0 or self.inverse().infinity_mass().hi > 0:
            return low, high
        bounds = tightest_mu(self, self.steps)  # in the far tails the steps give better bounds
        # masses that underflowed on the mild side prove nothing
        return max(low if low < math.inf else 0.0, bounds[0]), min(high, bounds[1])

    def _enclose_renyi(self, order: float) -> Bounds:
        if self.composed:  # divergences add up
            return added_renyi(self.steps, order)
        return Bounds(self.mild.renyi_bounds(order).lo, self.risky.renyi_bounds(order).hi)

    def refined(self, tolerance: float) -> TradeOff:
        return self if self.finer is None else self.finer(tolerance)

    # ---- the other direction ------------------------------------------------------------------------------

    def _components(self) -> tuple[TradeOff, ...]:
        return self.directions or (self,)

    def _mirrored(self) -> TradeOff:
        risky, mild = self.risky.inverse(), self.mild.inverse()
        if self.directions or (risky is self.risky and mild is self.mild):
            return self
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        ends = None if self.ends is None else (self.ends[1], self.ends[0])
        return EnclosedCurve(risky, mild, steps, self.route, ends, self.composed)

    def _symmetrised(self) -> TradeOff:
        """The worse of both directions; each polygon is symmetrised separately."""
        risky, mild, sides = self.risky._symmetrised(), self.mild._symmetrised(), (self, self.inverse())
        ends = Ends.worst(sides)
        return EnclosedCurve(risky, mild, self.steps, self.route, (ends, ends), self.composed, sides)


def added_renyi(steps: Iterable[tuple[TradeOff, int]], order: float) -> Bounds:
    """Bounds on the divergence of independent steps, as sums of the steps' bounds."""
    ends = [(count * bound.lo, count * bound.hi) for bound, count in ((c.renyi_bounds(order), n) for c, n in steps)]
    low, high = (math.fsum(end) for end in zip(*ends))
    return Bounds(low * (1 - 1e-15), high * (1 + 1e-15))


def _from_small(power: Floats, beta: Floats, rounding: float) -> tuple[Floats, Floats]:
    """Power and beta, computed from the smaller one: partial sums of rounded masses need not reach 1."""
    return np.where(beta < 0.5, 1 - beta + rounding, power), np.where(power < 0.5, 1 - power - rounding, beta)
