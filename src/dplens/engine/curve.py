"""The curve of a composition, read from contour integrals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dplens.curves.base import MILD, RISKY, Floats, TradeOff
from dplens.engine.composition import Composition
from dplens.engine.readings import CALL, FLOOR, Readings
from dplens.engine.thresholds import Thresholds
from dplens.estimate import Certificate

_UNITS = 1e-15  # a few units in the last place
_NUDGE = 5e-6  # half-width, in spreads, of the three thresholds that enclose a minimum


class _Errors(NamedTuple):
    """Brackets of the tangent at a threshold e, read at alpha: 1 − beta ≤ power + …, each from both sides."""

    power: tuple[Floats, Floats]
    beta: tuple[Floats, Floats]
    by_power: np.ndarray  # where the power is the small one and keeps its digits


@dataclass(frozen=True, eq=False)
class ContourCurve(TradeOff):
    """T(P, Q) of a composition.

    For any threshold e the line of slope −e^e with intercept 1 − delta(e) lies below f, so whatever e is used, the
    risky side is safe; at the e of the best test it touches. The mild side follows from three neighbouring
    thresholds: delta(e) + e^e·alpha is convex in e^e, so secants bound its minimum from below.
    """

    composition: Composition
    steps: tuple[tuple[TradeOff, int], ...] = ()
    # another route, for thresholds at which the characteristic function does not fall off
    otherwise: Callable[[Sequence[tuple[TradeOff, int]]], TradeOff] | None = None
    goal: float = 1e-12
    rounding = 1e-12
    depth = 30.0

    @cached_property
    def _readings(self) -> Readings:
        otherwise = self.otherwise
        return Readings(self.composition, self.goal, (lambda: otherwise(self.steps)) if otherwise else None)

    @cached_property
    def _thresholds(self) -> Thresholds:
        return Thresholds(self.composition, self._readings)

    @property
    def certificate(self) -> Certificate:
        low, high = (float(x[0]) for x in self._calls(np.zeros(1)))
        width = (high - low) / max(high, 1e-300) / 2
        if self._readings.lacks_a_line(0.0):
            return Certificate(self._readings.fallback.certificate.route, width, "width at epsilon 0")
        return Certificate(
            "contour", max(width, 1e-9), "integrals of the cumulant function, errors bounded term by term"
        )

    # ---- the two sides --------------------------------------------------------------------------------

    def _errors(self, e: Floats, alpha: Floats, co: Floats) -> _Errors:
        kind, low, high = self._readings.at(e)
        proof_h0, proof_h1 = self.composition.unseen
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
        return _Errors(power, beta, is_call)  # pyright: ignore[reportArgumentType]

    def _both(self, side: int, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power and beta on one side."""
        e = self._thresholds.at(alpha, co)
        middle = self._errors(e, alpha, co)
        if side == RISKY:
            return middle.power[1] * (1 + _UNITS), middle.beta[0] * (1 - _UNITS)
        power, beta = alpha.copy(), co.copy()
        open_ = np.ones(len(e), dtype=bool)
        for widen in (1.0, 10.0, 100.0, 1000.0):
            nudge = widen * _NUDGE * self._thresholds.spread(e[open_])
            found, sure = self._enclosed(e[open_], nudge, alpha[open_], co[open_])
            index = np.flatnonzero(open_)[sure]
            power[index], beta[index] = found[0][sure], found[1][sure]
            open_[index] = False
            if not open_.any():
                break
        if open_.any() and self.otherwise is not None:
            other = self._readings.fallback
            power[open_] = other.bounded_power(MILD, alpha[open_], co[open_])
            beta[open_] = other.bounded_beta(MILD, alpha[open_], co[open_])
        return power, beta

    def _enclosed(
        self, e: Floats, nudge: Floats, alpha: Floats, co: Floats
    ) -> tuple[tuple[Floats, Floats], np.ndarray]:
        """Power from below and beta from above by secants, and where the three thresholds enclose the optimum."""
        before, here, after = (self._errors(x, alpha, co) for x in (e - nudge, e, e + nudge))
        ratio = np.exp(-nudge)  # (x2 − x1)/(x3 − x2), x = e^e
        p0, p1, p2 = before.power, here.power, after.power
        b0, b1, b2 = before.beta, here.beta, after.beta
        power = p1[0] + np.minimum(np.minimum(ratio * (p1[0] - p2[1]), (p1[0] - p0[1]) / ratio), 0.0)
        beta = b1[1] + np.maximum(np.maximum(ratio * (b1[1] - b2[0]), (b1[1] - b0[0]) / ratio), 0.0)
        by_power = (p0[0] >= p1[1]) & (p2[0] >= p1[1])
        by_beta = (b0[1] <= b1[0]) & (b2[1] <= b1[0])
        sure = np.where(here.by_power, by_power, by_beta)
        power = np.where(here.by_power, power, 1 - beta)
        beta = np.where(here.by_power, 1 - power, beta)
        return (power, beta), sure

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._inside(alpha, co, lambda a, c: self._both(side, a, c)[0], 1.0)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._inside(alpha, co, lambda a, c: self._both(side, a, c)[1], 0.0)

    def _inside(self, alpha: Floats, co: Floats, read, end: float) -> Floats:
        """Read where the test still has a threshold; beyond, every target is caught."""
        out = np.full(len(alpha), end)
        inner = (alpha > 0) & (co > self.composition.unseen[0])
        if inner.any():
            out[inner] = read(alpha[inner], co[inner])
        return out

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self._power_on(RISKY, alpha, co)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self._beta_on(RISKY, alpha, co)

    def _calls(self, e: Floats) -> tuple[Floats, Floats]:
        """E(e^L − e^e)₊ from both sides, whichever quantity its line computes."""
        kind, low, high = self._readings.at(e)
        seen_h0, seen_h1 = (math.exp(x) for x in self.composition.log_seen)
        with np.errstate(over="ignore"):
            worth = np.exp(np.minimum(e, 700.0)) * seen_h0
        is_call, is_floor = kind == CALL, kind == FLOOR
        lower = np.where(is_call, low, np.where(is_floor, seen_h1 - high, seen_h1 - worth + low))
        upper = np.where(is_call, high, np.where(is_floor, seen_h1 - low, seen_h1 - worth + high))
        blur = np.where(is_call, 0.0, _UNITS * (seen_h1 + worth))  # differences of numbers of this size
        return np.maximum(lower - blur, 0.0), upper + blur

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        low, high = self._calls(epsilon)
        return self.composition.unseen[1] * (1 + 1e-15 * side) + (high if side == RISKY else low)

    def _profile(self, epsilon: Floats) -> Floats:
        return self._profile_on(RISKY, epsilon)

    def bounded_error(self, side: int, loss: Floats) -> Floats:
        kind, low, high = self._readings.at(loss)
        is_floor = kind == FLOOR
        wanted = low if side == RISKY else high
        calls = self._calls(loss)[1 if side == RISKY else 0]
        out = np.where(is_floor, wanted, math.exp(self.composition.log_seen[1]) - calls)
        return np.clip(out, 0.0, 1.0)

    # ---- epsilon --------------------------------------------------------------------------------------

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        top, proof = self._max_loss()[0 if side == MILD else 1], self.proof(side)
        out = np.where(delta < proof, math.inf, top)
        for i in np.flatnonzero((delta > proof) & (delta < 1)):
            out[i] = self._epsilon(side, float(delta[i] - proof), top)
        out[delta >= 1] = 0.0
        return out

    def _epsilon(self, side: int, delta: float, top: float) -> float:
        """An e with call_high(e) ≤ delta (risky), or with call_low(e) ≥ delta (mild)."""
        end = 1 if side == RISKY else 0

        def excess(e: float) -> float:
            value = float(self._calls(np.array([e]))[end][0])
            return math.log(max(value, 1e-320) / delta)

        low, high = 0.0, top
        e = min(max(self._first_epsilon(delta), 0.0), top)
        if e == 0 and excess(0.0) <= 0:
            return 0.0
        for _ in range(60):
            here = excess(e)
            low, high = (max(low, e), high) if here > 0 else (low, min(high, e))
            # the derivative of a call is −e^e·P(L > e)
            slope = e + math.log(max(float(self._readings.tail(np.array([e]))[0][0]), 1e-320) / delta) - here
            new = e + here * math.exp(-min(max(slope, -4.0), 700.0))
            if not low < new < high:
                new = (low + high) / 2 if math.isfinite(high) else 2 * e + 1
            done = abs(new - e) <= 2e-14 * max(e, 1e-3)
            e = new
            if done:
                break
        step = 4e-14 * max(e, 1e-3)
        while side == RISKY and excess(e) > 0 and e < top:
            e, step = min(e + step, top), 2 * step
        while side == MILD and excess(e) < 0 and e > 0:
            e, step = max(e - step, 0.0), 2 * step
        return e

    def _first_epsilon(self, delta: float) -> float:
        """Near the answer: exact were the loss Gaussian."""
        comp, target = self.composition, math.log(delta)
        low, high = 0.5, 1.0 + 1 / math.sqrt(max(comp.real(1.0)[2], 1e-300))
        while comp.log_call(high) > target and high < 1e7:
            low, high = high, 1 + 2 * (high - 1)
        for _ in range(8):
            middle = (low + high) / 2
            low, high = (middle, high) if comp.log_call(middle) > target else (low, middle)
        return comp.real((low + high) / 2)[1]

    # ---- the rest -------------------------------------------------------------------------------------

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        out = np.where(alpha <= 0, math.inf, -math.inf)
        inner = (alpha > 0) & (co > self.composition.unseen[0])
        out[inner] = self._thresholds.at(alpha[inner], co[inner])
        return out

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        loss = np.clip(loss, -1e300, 1e300)  # an infinite threshold is one beyond all losses
        above, below, _ = self._readings.tail(loss)
        alpha, co = np.clip(above, 0.0, 1.0), np.clip(below + self.composition.unseen[0], 0.0, 1.0)
        found = self._errors(loss, alpha, co)
        return alpha, co, np.clip(found.power[1], alpha, 1.0), np.clip(found.beta[0], 0.0, co)

    def _auc(self) -> tuple[float, float]:
        value, error = super()._auc()  # of the risky side
        return value, error + 2 * self.certificate.tolerance

    def _mirrored(self) -> TradeOff:
        if self.steps and all(step.inverse() is step for step, _ in self.steps):
            return self
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        return ContourCurve(self.composition.reversed, steps, self.otherwise, self.goal)

    def _max_loss(self) -> tuple[float, float]:
        top = max(self.composition.support[1], 0.0)
        return top * (1 - 1e-14), top * (1 + 1e-14)

    def _power_at_zero(self) -> float:
        return self.composition.unseen[1]

    def _renyi(self, order: float) -> float:
        if order >= 1 and self.composition.unseen[1] > 0:
            return math.inf
        if order == 1:
            return max(self.composition.real(1.0)[1], 0.0)
        return float(self.composition.evaluate(np.array([order + 0j]))[0].real[0]) / (order - 1)
