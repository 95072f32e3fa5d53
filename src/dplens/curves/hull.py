"""The worst of several pairs of worlds: the hull from below of their curves."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens._numerics.logits import to_logit
from dplens._numerics.sharing import Memo, latest, remembered
from dplens.curves.arcs import Arc, compared, find_arcs
from dplens.curves.base import MILD, RISKY, Floats, TradeOff
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.piecewise_hull import piecewise_hull
from dplens.estimate import Certificate

_SAME = 1 - 1e-9
_NEAR = 22.0  # logits of alpha up to which arcs of costly curves are found at first


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
        return self._arcs_to(self.depth)

    def _arcs_to(self, reach: float) -> tuple[Arc, ...]:
        """Found when a point of the curve is first asked for: profiles need none."""
        return remembered(self._found, reach, lambda: find_arcs(self.parts, *self._compared(reach)))

    def _compared(self, reach: float) -> tuple[Floats, Floats]:
        """Losses that logits of alpha up to ``reach`` belong to, and the profiles of the parts there."""
        return compared(self.parts, reach)

    def _tiers(self, logit: Floats) -> Iterator[tuple[np.ndarray, tuple[Arc, ...]]]:
        """Points with the arcs that serve them; where curves are costly, those far out only when asked for."""
        near = np.abs(logit) <= _NEAR
        if self.depth > 600:
            near[:] = False
        if near.any():
            yield near, self._arcs_to(_NEAR)
        if not near.all():
            yield ~near, self.arcs

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
        for here, arcs in self._tiers(logit):
            for arc, following in itertools.pairwise(arcs):
                between = here & (logit > arc.end) & (logit < following.start)
                if between.any():
                    line = self._line(side, arc.flat, alpha[between], co[between], beta)
                    out[between] = np.minimum(out[between], line) if beta else np.maximum(out[between], line)
        return out

    def _line(self, side: int, loss: float, alpha: Floats, co: Floats, beta: bool) -> Floats:
        loose = side * 3e-16 * (2 + abs(loss))  # the roundings of this line
        if side == MILD:  # a knot that is not quite right lifts the line
            loose -= max(c.profile_rounding for c in self.parts)
        if loss <= 0:
            # mirror image: alpha ≥ e^−l·(…) read from the other end of the axis
            miss = math.exp(loss) * np.maximum(co * (1 - loose) - self._height(side, loss), 0.0)
            return miss if beta else 1 - miss * (1 - side * 1e-15)
        rise = (self._height(side, loss) + math.exp(min(loss, 700.0)) * alpha) * (1 + loose)
        return np.maximum(1 - rise, 0.0) if beta else np.minimum(rise, 1.0)

    def _height(self, side: int, loss: float) -> float:
        """delta at a knot (of the mirrored curves for a negative loss), remembered."""

        def height() -> float:
            curves = self.parts if loss > 0 else tuple(c.inverse() for c in self.parts)
            return max(float(c.bounded_profile(side, np.array([abs(loss)]))[0]) for c in curves)

        return remembered(self._heights, (side, loss), height)

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
        risky = latest(self, "_risky_epsilon", delta.tobytes(), lambda: self._largest_epsilon(RISKY, delta))
        return risky[0].copy() if side == RISKY else self._largest_epsilon(side, delta, risky)[0]

    def _largest_epsilon(
        self, side: int, delta: Floats, risky: tuple[Floats, dict[int, Floats]] | None = None
    ) -> tuple[Floats, dict[int, Floats]]:
        """The largest of the parts', and those who need no more than the parts before them, with what these do.

        risky: the same for the risky side. Who is outdone there by what the mild side finds as well, is here too.
        """
        found = self.parts[0].bounded_epsilon(side, delta)
        outdone: dict[int, Floats] = {}
        for i, part in enumerate(self.parts[1:]):
            if risky is not None and i in risky[1] and np.all(found >= risky[1][i] * _SAME):
                continue
            # a part that already meets delta there need not be searched
            more = np.flatnonzero(~(part.profile_bound(found, delta) <= delta))
            more = more[~(part.bounded_profile(RISKY, found[more]) <= delta[more])] if len(more) else more
            found[more] = np.maximum(found[more], part.bounded_epsilon(side, delta[more]))
            if not len(more):
                outdone[i] = found.copy()
        return found, outdone

    @property
    def sided(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.depth > 600 or all(c.sided for c in self.parts)

    def _turns(self) -> Floats:
        # kinks of the parts, and where arcs end in lines
        ends = [end for arc in self.arcs for end in (arc.start, arc.end) if math.isfinite(end)]
        return np.concatenate([ends, *(c._turns() for c in self.parts)])

    def _auc(self) -> tuple[float, float]:
        value, error = super()._auc()  # of costly curves on the risky side alone
        wide = [
            c.certificate.tolerance for c in self.parts if not (self.sided or c.depth > 600)
        ]  # known by brackets only
        return value, error + 2 * max(wide, default=0.0)

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
                if inside.any():
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

    def proof(self, side: int) -> float:
        return max(c.proof(side) for c in self.parts)

    def beta_at_zero(self, side: int) -> float:
        return min(c.beta_at_zero(side) for c in self.parts)

    def _components(self) -> tuple[TradeOff, ...]:
        return tuple(inner for c in self.parts for inner in c._components())
