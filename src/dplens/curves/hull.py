"""The worst of several pairs of worlds: the hull from below of their curves."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dplens._numerics.enclosure import Bounds, Enclosure, opposed
from dplens._numerics.logits import from_logit, to_logit
from dplens._numerics.sharing import Memo, remembered
from dplens.curves.arcs import Arc, compared, find_arcs
from dplens.curves.base import Floats, TradeOff
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.piecewise_hull import piecewise_hull
from dplens.curves.readings.renyi import narrowed_renyi
from dplens.estimate import Certificate

_SAME = 1 - 1e-9
_REACH, _COSTLY_REACH = 690.0, 30.0  # logits of alpha to which it is worth looking for where two curves cross
_STEEPEST = 700.0  # losses beyond have no float for their slope
_NEAR = 22.0  # logits of alpha up to which arcs of costly curves are found at first


def both_directions(curve: TradeOff) -> TradeOff:
    """The symmetrised curve: hull from below of f and its mirror image."""
    return curve if curve.inverse() is curve else curve._symmetrised()


def as_pair(curve: TradeOff) -> TradeOff:
    """A symmetrised curve that is itself the pair of worlds to compose, not the worse of two directions."""
    if isinstance(curve, PiecewiseCurve) and curve.parts:
        return replace(curve, parts=(), is_symmetric=curve.inverse() is curve)
    return replace(curve, is_pair=True) if isinstance(curve, HullCurve) else curve


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
    is_pair: bool = False  # the hull is itself one pair of worlds, not the worst of several
    _heights = Memo()
    _found = Memo()

    def __getstate__(self) -> dict[str, Any]:
        # a mirror image goes as the place of its original: arcs are found by the symmetry of the two
        places = {id(c): i for i, c in enumerate(self.parts)}
        parts = tuple(c if c.origin is c else places.get(id(c.origin), c) for c in self.parts)
        return {**super().__getstate__(), "parts": parts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        parts = state["parts"]
        state = {**state, "parts": tuple(parts[c].inverse() if isinstance(c, int) else c for c in parts)}
        for name, value in state.items():
            object.__setattr__(self, name, value)

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The stretches of the hull."""
        return self._arcs_to(_COSTLY_REACH if self.is_costly else _REACH)

    def _arcs_to(self, reach: float) -> tuple[Arc, ...]:
        """Found when a point of the curve is first asked for: profiles need none."""
        return remembered(self._found, reach, lambda: find_arcs(self.parts, *self._compared(reach)))

    def _compared(self, reach: float) -> tuple[Floats, Floats]:
        """Losses that logits of alpha up to ``reach`` belong to, and the profiles of the parts there."""
        return compared(self.parts, reach)

    def _tiers(self, logit: Floats) -> Iterator[tuple[np.ndarray, tuple[Arc, ...]]]:
        """Points with the arcs that serve them; where curves are costly, those far out only when asked for."""
        near = np.abs(logit) <= _NEAR
        if not self.is_costly:
            near[:] = False
        if near.any():
            yield near, self._arcs_to(_NEAR)
        if not near.all():
            yield ~near, self.arcs

    @property
    def input_rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(c.input_rounding for c in self.parts)

    @property
    def is_costly(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return any(c.is_costly for c in self.parts)

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(c.rounding for c in self.parts) + 4e-15

    @property
    def _certificate(self) -> Certificate:
        inner = max((c.certificate for c in self.parts), key=lambda c: c.tolerance)
        return replace(inner, tolerance=max(inner.tolerance, self.claimed_tolerance))

    # Along the hull: arc, line, arc, line, … from alpha = 0 (steep) to alpha = 1 (flat).

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        powers, betas = zip(*(c.both_bounds(alpha, co) for c in self.parts))
        power, beta = Enclosure.largest(powers), Enclosure.smallest(betas)

        def upper() -> tuple[Floats, Floats]:
            rise, miss = self._lines_above(alpha, co)
            return np.maximum(power.hi, rise), np.minimum(beta.lo, miss)

        def lower() -> tuple[Floats, Floats]:
            reached, missed = self._coins_below(alpha, co)
            return np.maximum(power.lo, reached), np.minimum(beta.hi, missed)

        return opposed(upper, lower)

    def _lines_above(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from above and beta from below, by lines that touch the hull.

        The line of slope e^l through the largest delta(l) lies above every part's ROC, whatever l is, and so above the
        hull. The parts themselves lie below it where a knot was missed.
        """
        losses = [np.nan_to_num(np.clip(self._log_slope(alpha, co), -_STEEPEST, _STEEPEST))]
        for top in (max(c._max_loss()[1] for c in self.parts), -max(c.inverse()._max_loss()[1] for c in self.parts)):
            if abs(top) < _STEEPEST:  # no loss is larger
                losses.append(np.full_like(alpha, top))
        lines = [self._line(loss, alpha, co) for loss in losses]
        return np.min([power for power, _ in lines], axis=0), np.max([beta for _, beta in lines], axis=0)

    def _line(self, loss: Floats, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power and beta on the line of a slope."""
        up, height = loss > 0, np.empty_like(loss)
        height[up] = np.max([c.profile_bounds(loss[up]).hi for c in self.parts], axis=0)
        height[~up] = np.max([c.inverse().profile_bounds(-loss[~up]).hi for c in self.parts], axis=0)
        loose = 3e-16 * (2 + np.abs(loss))
        slope = np.exp(loss)
        rise = np.minimum((height + slope * alpha) * (1 + loose), 1.0)
        # mirror image: read from the other end of the axis
        miss = slope * np.maximum(co * (1 - loose) - height, 0.0) * (1 - 1e-15)
        return np.where(up, rise, 1 - miss * (1 - 1e-15)), np.where(up, np.maximum(1 - rise - 1e-16, 0.0), miss)

    def _coins_below(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from below and beta from above between arcs: of a coin between tests of the parts on either side."""
        logit = to_logit(alpha, co)
        reached, missed = np.zeros_like(alpha), np.ones_like(co)
        for here, arcs in self._tiers(logit):
            for arc, following in itertools.pairwise(arcs):
                between = here & (logit > arc.end) & (logit < following.start)
                if not between.any():
                    continue
                (a0, c0, p0, b0), (a1, c1, p1, b1) = self._ends_of_line(arc, following)
                width, low = a1 - a0 if a1 <= 0.5 else c0 - c1, alpha[between] <= 0.5
                share = np.where(low, alpha[between] - a0, c0 - co[between]) / width
                rest = np.where(low, a1 - alpha[between], co[between] - c1) / width
                share, rest = np.clip(share, 0.0, 1.0), np.clip(rest, 0.0, 1.0)
                reached[between] = (rest * p0 + share * p1) * (1 - 4e-16) - 4e-16 * abs(p1 - p0)
                missed[between] = (rest * b0 + share * b1) * (1 + 4e-16) + 4e-16 * abs(b1 - b0)
        return reached, missed

    def _ends_of_line(self, arc: Arc, following: Arc) -> list[tuple[float, float, float, float]]:
        """(alpha, co, power from below, beta from above) at both ends of the line between two arcs, remembered."""

        def ends() -> list[tuple[float, float, float, float]]:
            found = []
            for part, at in ((arc.part, arc.end), (following.part, following.start)):
                alpha, co = from_logit(np.array([at]))
                power, beta = part.both_bounds(alpha, co)
                found.append((float(alpha[0]), float(co[0]), float(power.lo[0]), float(beta.hi[0])))
            return found

        return remembered(self._heights, (arc.end, following.start), ends)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        return Enclosure.largest([c.profile_bounds(epsilon) for c in self.parts])

    def error_bounds(self, loss: Floats) -> Enclosure:
        return Enclosure.smallest([c.error_bounds(loss) for c in self.parts])

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        known: dict[str, tuple[Floats, dict[int, Floats]]] = {}
        first = self.parts[0].epsilon_bounds(delta)

        def upper() -> tuple[Floats, dict[int, Floats]]:
            return remembered(known, "upper", lambda: self._largest_epsilon(delta, first, lambda found: found.hi, {}))

        return Enclosure(
            lambda: self._largest_epsilon(delta, first, lambda found: found.lo, upper()[1])[0], lambda: upper()[0]
        )

    def _largest_epsilon(
        self, delta: Floats, first: Enclosure, end: Callable[[Enclosure], Floats], outdone_above: dict[int, Floats]
    ) -> tuple[Floats, dict[int, Floats]]:
        """One end of the largest epsilon, and which parts are outdone by those before them, with what these need.

        outdone_above: the same for the upper end. A part outdone there by what the lower end finds too, is so here.
        """
        found = end(first).copy()
        outdone: dict[int, Floats] = {}
        for i, part in enumerate(self.parts[1:]):
            if i in outdone_above and np.all(found >= outdone_above[i] * _SAME):
                continue
            # a part that already meets delta there need not be searched
            more = np.flatnonzero(np.isfinite(found))
            more = more[~(part.profile_upper(found[more], delta[more]) <= delta[more])] if len(more) else more
            more = more[~(part.profile_bounds(found[more]).hi <= delta[more])] if len(more) else more
            found[more] = np.maximum(found[more], end(part.epsilon_bounds(delta[more])))
            if not len(more):
                outdone[i] = found.copy()
        return found, outdone

    def _mu(self) -> tuple[float, float]:
        # a Gaussian curve is convex: it lies below the hull if it lies below every part
        bounds = [c._mu() for c in self.parts]
        return max(b[0] for b in bounds), max(b[1] for b in bounds)

    def _touching(self, loss: Floats) -> np.ndarray:
        knots = np.array([arc.steep for arc in self.arcs[1:]])
        return np.searchsorted(-knots, -loss, side="left")

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        logit = to_logit(alpha, co)
        out = np.empty_like(alpha)
        for here, arcs in self._tiers(logit):
            starts = [arc.start for arc in arcs]
            index = np.searchsorted(starts[1:], logit, side="right")
            for i, arc in enumerate(arcs):
                inside = here & (index == i)
                out[inside] = arc.flat
                on_arc = inside & (logit <= arc.end)
                if on_arc.any():
                    out[on_arc] = np.maximum(arc.part._log_slope(alpha[on_arc], co[on_arc]), arc.flat)
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
        return self if same else replace(self, parts=mirrored)

    def _max_loss(self) -> tuple[float, float]:
        bounds = [c._max_loss() for c in self.parts]
        return max(b[0] for b in bounds), max(b[1] for b in bounds)

    def _power_at_zero(self) -> float:
        return max(c._power_at_zero() for c in self.parts)

    def infinity_mass(self) -> Bounds:
        return Bounds(*(max(ends) for ends in zip(*(c.infinity_mass() for c in self.parts))))

    def beta_at_zero(self) -> Bounds:
        return Bounds(*(min(ends) for ends in zip(*(c.beta_at_zero() for c in self.parts))))

    def renyi_bounds(self, order: float) -> Bounds:
        if not self.is_pair or math.isinf(order):
            return super().renyi_bounds(order)
        return narrowed_renyi(self, order)

    def _components(self) -> tuple[TradeOff, ...]:
        if self.is_pair:
            return (self,)
        return tuple(inner for c in self.parts for inner in c._components())
