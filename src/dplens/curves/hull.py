"""Several curves at once: the worst of several pairs of worlds, the best of several guarantees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dplens._numerics.logits import from_logit, to_logit
from dplens._numerics.search import sign_change
from dplens.curves.base import RISKY, Floats, TradeOff
from dplens.curves.piecewise import PiecewiseCurve, piecewise_hull
from dplens.estimate import Certificate

_GRID = 160


def both_directions(curve: TradeOff) -> TradeOff:
    """The symmetrised curve: hull from below of f and its mirror image."""
    return curve if curve.inverse() is curve else curve._symmetrised()


def hull_of(curves: Sequence[TradeOff]) -> TradeOff:
    """The largest trade-off curve below all of ``curves``: any of these pairs may be the real one.

    Its profile is the largest of theirs, as conjugation turns the hull of a minimum into a maximum.
    """
    parts: list[TradeOff] = []
    for curve in curves:
        for part in curve.parts if isinstance(curve, HullCurve) else (curve,):
            if not any(part is other for other in parts):
                parts.append(part)
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(c, PiecewiseCurve) for c in parts):
        return piecewise_hull(tuple(c for c in parts if isinstance(c, PiecewiseCurve)))
    return HullCurve(tuple(parts))


@dataclass(frozen=True, eq=False)
class HullCurve(TradeOff):
    """Hull from below of several curves.

    For each slope e^l the hull touches the part with the largest delta(l). ``knots`` are the losses at which
    the touching part changes; there the hull is a straight line. The stretches between knots are arcs of the
    parts themselves. A line of slope e^l at height delta(l) lies below f whatever l is, so a knot found with
    an error makes the curve safe, not wrong.
    """

    parts: tuple[TradeOff, ...]
    _heights: dict[tuple[int, float], float] = field(init=False, repr=False, default_factory=dict)

    @cached_property
    def arcs(self) -> tuple[_Arc, ...]:
        """The stretches of the hull, found when a point of the curve is first asked for: profiles need none."""
        return _arcs(self.parts)

    @property
    def input_rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(c.input_rounding for c in self.parts)

    @property
    def depth(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return min(c.depth for c in self.parts)

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(c.rounding for c in self.parts) + 4e-15

    @property
    def certificate(self) -> Certificate:
        inner = max((c.certificate for c in self.parts), key=lambda c: c.tolerance)
        return Certificate(inner.route, max(inner.tolerance, self.claimed_tolerance), inner.note)

    # Along the hull: arc, line, arc, line, … from alpha = 0 (steep) to alpha = 1 (flat).

    def _stretch(self, side: int, alpha: Floats, co: Floats, beta: bool) -> Floats:
        """Power (or beta) of the hull: on arcs that of the part, on lines the tangent at the knot."""
        logit = to_logit(alpha, co)
        # whatever the knots: never safer than any part by itself
        reads = [(c.bounded_beta if beta else c.bounded_power)(side, alpha, co) for c in self.parts]
        out = np.min(reads, axis=0) if beta else np.max(reads, axis=0)
        for arc, following in zip(self.arcs[:-1], self.arcs[1:]):
            between = (logit > arc.end) & (logit < following.start)
            if between.any():
                line = self._line(side, arc.flat, alpha[between], co[between], beta)
                out[between] = np.minimum(out[between], line) if beta else np.maximum(out[between], line)
        return out

    def _line(self, side: int, loss: float, alpha: Floats, co: Floats, beta: bool) -> Floats:
        if loss <= 0:
            # mirror image: alpha ≥ e^−l·(…) read from the other end of the axis
            miss = math.exp(loss) * np.maximum(co - self._height(side, loss), 0.0)
            return miss if beta else 1 - miss
        rise = self._height(side, loss) + math.exp(min(loss, 700.0)) * alpha
        return np.maximum(1 - rise, 0.0) if beta else np.minimum(rise, 1.0)

    def _height(self, side: int, loss: float) -> float:
        """delta at a knot (of the mirrored curves for a negative loss), remembered."""
        known = self._heights
        if (side, loss) not in known:
            curves = self.parts if loss > 0 else tuple(c.inverse() for c in self.parts)
            known[side, loss] = max(float(c.bounded_profile(side, np.array([abs(loss)]))[0]) for c in curves)
        return known[side, loss]

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self._stretch(RISKY, alpha, co, beta=False)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self._stretch(RISKY, alpha, co, beta=True)

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._stretch(side, alpha, co, beta=False)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._stretch(side, alpha, co, beta=True)

    def _profile(self, epsilon: Floats) -> Floats:
        return self._profile_on(RISKY, epsilon)

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        return np.max([c.bounded_profile(side, epsilon) for c in self.parts], axis=0)

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        return np.max([c.bounded_epsilon(side, delta) for c in self.parts], axis=0)

    def _auc(self) -> tuple[float, float]:
        value, error = super()._auc()  # of the risky side
        wide = [c.certificate.tolerance for c in self.parts if c.depth < 600]  # known by brackets only
        return value, error + 2 * max(wide, default=0.0)

    def _touching(self, loss: Floats) -> np.ndarray:
        knots = np.array([arc.steep for arc in self.arcs[1:]])
        return np.searchsorted(-knots, -loss, side="left")

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        logit = to_logit(alpha, co)
        out = np.empty_like(alpha)
        for arc in self.arcs:
            inside = logit >= arc.start
            out[inside] = np.maximum(arc.part._log_slope(alpha[inside], co[inside]), arc.flat)
        return out

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        index = self._touching(loss)
        out = tuple(np.empty_like(loss) for _ in range(4))
        for i, arc in enumerate(self.arcs):
            here = index == i
            for target, values in zip(out, arc.part._rates(loss[here])):
                target[here] = values
        return out[0], out[1], out[2], out[3]

    def _mirrored(self) -> TradeOff:
        mirrored = tuple(c.inverse() for c in self.parts)
        same = all(any(m is c for c in self.parts) for m in mirrored)
        return self if same else HullCurve(mirrored)

    def _max_loss(self) -> tuple[float, float]:
        bounds = [c._max_loss() for c in self.parts]
        return max(b[0] for b in bounds), max(b[1] for b in bounds)

    def _power_at_zero(self) -> float:
        return max(c._power_at_zero() for c in self.parts)

    def _components(self) -> tuple[TradeOff, ...]:
        return tuple(inner for c in self.parts for inner in c._components())


class _Arc(NamedTuple):
    """A stretch of the hull that belongs to one part: its losses from steep to flat, its logits of alpha."""

    part: TradeOff
    steep: float
    flat: float
    start: float
    end: float

    @classmethod
    def of(cls, part: TradeOff, steep: float, flat: float) -> _Arc:
        start = -math.inf if math.isinf(steep) else _logit_of(part, steep)
        end = math.inf if math.isinf(flat) else _logit_of(part, flat)
        return cls(part, steep, flat, start, end)


def _arcs(parts: tuple[TradeOff, ...]) -> tuple[_Arc, ...]:
    """The arcs of the hull, by comparing profiles over a grid of losses."""
    losses = _loss_grid(parts)
    table = np.array([_signed_profile(c, losses) for c in parts])
    best = np.argmax(table, axis=0)
    # parts that agree to rounding count as one: the first stays in charge
    agree = 1e-13 + 8 * max(c.rounding for c in parts)
    for j in range(1, len(losses)):
        stay = table[best[j - 1], j]
        if table[best[j], j] <= stay + agree * abs(stay):
            best[j] = best[j - 1]
    changes = [j for j in range(len(losses) - 2, -1, -1) if best[j] != best[j + 1]]  # from the steep end down
    arcs: list[_Arc] = []
    steep = math.inf
    for j in changes:
        before, after = parts[best[j + 1]], parts[best[j]]
        # with many changes (parts that nearly agree) the grid itself is fine enough
        knot = _knot(before, after, losses[j], losses[j + 1]) if len(changes) <= 8 else losses[j]
        arcs.append(_Arc.of(before, steep, knot))
        steep = knot
    arcs.append(_Arc.of(parts[best[0]], steep, -math.inf))
    return tuple(arcs)


def _loss_grid(parts: tuple[TradeOff, ...]) -> Floats:
    logit = np.concatenate([np.linspace(-690, -40, _GRID // 2), np.linspace(-39, 39, _GRID), np.linspace(40, 690, 60)])
    reach = min(c.depth for c in parts)
    alpha, co = from_logit(logit if reach > 600 else np.linspace(-reach, reach, _GRID // 2))
    slopes = np.concatenate([c._log_slope(alpha, co) for c in parts])
    finite = slopes[np.isfinite(slopes)]
    ends = [b for c in parts for b in (c._max_loss()[0], -c.inverse()._max_loss()[0]) if math.isfinite(b)]
    grid = np.unique(np.concatenate([finite, ends, [0.0]]))
    return np.unique(np.concatenate([grid, (grid[1:] + grid[:-1]) / 2]))


def _signed_profile(curve: TradeOff, loss: Floats) -> Floats:
    """delta(l) for l ≥ 0; for l < 0 the mirror's delta(−l), which orders curves in the same way."""
    out = np.empty_like(loss)
    up = loss >= 0
    out[up] = curve.bounded_profile(RISKY, loss[up])
    out[~up] = curve.inverse().bounded_profile(RISKY, -loss[~up])
    return out


def _knot(before: TradeOff, after: TradeOff, low: float, high: float) -> float:
    def excess(loss: Floats) -> Floats:
        return _signed_profile(after, loss) - _signed_profile(before, loss)

    if low < 0 < high or excess(np.array([low]))[0] <= 0:  # 0 is always on the grid
        return low
    enough = 1e-3 * max(before.rounding, after.rounding) + 1e-15  # profiles tell knots apart no better
    left, right = sign_change(excess, np.array([low]), np.array([high]), width=enough, floor=enough, limit=80)
    return float((left[0] + right[0]) / 2)


def _logit_of(curve: TradeOff, loss: float) -> float:
    alpha, co, _, _ = curve._rates(np.array([loss]))
    return float(to_logit(alpha, co)[0])


@dataclass(frozen=True, eq=False)
class SupremumCurve(TradeOff):
    """The best of several guarantees that hold for the same mechanism: the largest of the curves.

    A maximum of convex functions is convex, and each of them is below the truth.
    """

    parts: tuple[TradeOff, ...]

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(c.rounding for c in self.parts) + 1e-15

    @property
    def certificate(self) -> Certificate:
        inner = max((c.certificate for c in self.parts), key=lambda c: c.tolerance)
        return Certificate(inner.route, self.claimed_tolerance, "best of several guarantees on one mechanism")

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return np.min([c._power(alpha, co) for c in self.parts], axis=0)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return np.max([c._beta(alpha, co) for c in self.parts], axis=0)

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return np.min([c.bounded_power(side, alpha, co) for c in self.parts], axis=0)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return np.max([c.bounded_beta(side, alpha, co) for c in self.parts], axis=0)

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        found = self._profile(epsilon) * (1 + side * self.profile_rounding)
        found = np.where(found < 1e-280, np.inf, found)  # too near underflow for a search
        return np.minimum(found, np.min([c.bounded_profile(side, epsilon) for c in self.parts], axis=0))

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        found = np.where(delta < 1e-270, np.inf, super().bounded_epsilon(side, delta))
        return np.minimum(found, np.min([c.bounded_epsilon(side, delta) for c in self.parts], axis=0))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        # where parts tie, the right derivative of the maximum is that of the flattest
        power = np.array([c._power(alpha, co) for c in self.parts])
        slope = np.array([c._log_slope(alpha, co) for c in self.parts])
        return np.min(np.where(power <= power.min(axis=0), slope, math.inf), axis=0)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        from dplens.curves.transforms import rates_by_slope

        return rates_by_slope(self, loss)

    def _mirrored(self) -> TradeOff:
        mirrored = tuple(c.inverse() for c in self.parts)
        same = all(m is c for m, c in zip(mirrored, self.parts))
        return self if same else SupremumCurve(mirrored)

    def _max_loss(self) -> tuple[float, float]:
        # only the parts with the least mass of proofs bound the power near alpha = 0
        least = self._power_at_zero()
        bounds = [c._max_loss() for c in self.parts if c._power_at_zero() <= least]
        return min(b[0] for b in bounds), min(b[1] for b in bounds)

    def _power_at_zero(self) -> float:
        return min(c._power_at_zero() for c in self.parts)

    def _renyi(self, order: float) -> float:
        return min(c.renyi(order) for c in self.parts)
