"""The worst of several pairs of laws: the lower convex hull of their curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.finite.closure import least_error, piecewise_hull, signed_delta
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.curves.guarantees.supremum import CombinedCurve
from dplens.curves.readings.sandwich import area
from dplens.numerics.enclosure import Enclosure, opposed
from dplens.numerics.logits import GRID, from_logit, to_logit
from dplens.numerics.roots import sign_change
from dplens.numerics.sharing import Memo, cached_property, remembered

_LOGITS, _FEW_LOGITS = GRID[np.abs(GRID) <= 690][::4], np.linspace(-30.0, 30.0, 60)  # of alpha; few if costly


def both_directions(curve: TradeOff) -> TradeOff:
    """The symmetrised curve: the lower convex hull of f and its mirror image."""
    return curve if curve.inverse() is curve else curve._symmetrised()


def as_pair(curve: TradeOff) -> TradeOff:
    """A symmetrised curve to be composed as one pair of laws, not as the worse of two directions."""
    if isinstance(curve, PiecewiseCurve) and curve.parts:
        return replace(curve, parts=())
    return replace(curve, is_pair=True) if isinstance(curve, HullCurve) else curve


def hull_of(curves: Sequence[TradeOff]) -> TradeOff:
    """The largest trade-off curve below all of ``curves``, of which any may be the actual one.

    Its profile is the maximum of theirs, since conjugation turns the hull of a minimum into a maximum.
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


class Arc(NamedTuple):
    """An interval of the hull that belongs to one part: its losses from steep to flat, its logits of alpha."""

    part: TradeOff
    steep: float
    flat: float
    start: float
    end: float


def _arcs_at(parts: Sequence[TradeOff], knots: Sequence[float]) -> tuple[Arc, ...]:
    """The arcs of parts that alternate at decreasing losses."""
    ends, starts = (
        [float(to_logit(*part._rates(np.array([knot]))[:2])[0]) for part, knot in zip(touching, knots)]
        for touching in (parts, parts[1:])
    )
    ends, starts = [*ends, math.inf], [-math.inf, *starts]
    return tuple(map(Arc, parts, [math.inf, *knots], [*knots, -math.inf], starts, ends))


@dataclass(frozen=True, eq=False)
class HullCurve(CombinedCurve):
    """The lower convex hull of several curves.

    For each slope e^l the hull touches the part with the largest delta(l). *Knots* are the losses at which the touching
    part changes; there the hull is a straight line. Between knots it consists of arcs of the parts.

    The upper bound on power uses tangents: the line of slope e^l through the largest delta(l) lies above every part's
    ROC curve, and so above the hull, for any l. A wrong knot or arc widens the enclosure but never invalidates it.
    Only parts whose deltas require a search over the whole curve are evaluated directly on the arcs found.
    The lower bound on power is the largest power of any part, or of a randomised choice between two of their tests.

    Of two mirror images, one is assumed to lead: to have the larger delta at all losses above 0, so that 0 is the only
    knot. The tangents show whether this holds where the curve is evaluated. If not, all arcs are searched for.
    """

    parts: tuple[TradeOff, ...]
    is_pair: bool = False  # the hull represents one pair of laws, not the worst of several
    is_worst = True
    _tests = Memo()

    @property
    def input_rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(c.input_rounding for c in self.parts)

    @property
    def _searches(self) -> bool:
        """Whether some part's delta requires a search over its whole curve."""
        return any(c.searches_profile for c in self.parts) and not any(c.is_polygon for c in self.parts)

    # ---- profile and epsilon ------------------------------------------------------------------------------

    @property
    def _is_mirrored(self) -> bool:
        """Whether the parts are two mirror images, which have the same delta at 0."""
        return len(self.parts) == 2 and self.parts[0].inverse() is self.parts[1]

    @cached_property
    def _ordered(self) -> tuple[TradeOff, ...]:
        """The parts; of two mirror images, the likely leader first."""
        return self.parts[::-1] if self._is_mirrored and not self.parts[0].leans_right() else self.parts

    def _largest_delta(
        self, epsilon: Floats, led: Enclosure, read: Callable[[Enclosure], Floats]
    ) -> tuple[Floats, np.ndarray]:
        """One end of the largest delta, and the part that has it; near ties count for the first part.

        ``led``: the delta of the first part. Others are evaluated only if a rough bound is not enough.
        """
        found, best = read(led).copy(), np.zeros(len(epsilon), dtype=int)
        open_ = np.flatnonzero(epsilon > 0) if self._is_mirrored else np.arange(len(epsilon))
        for i, part in enumerate(self._ordered[1:], 1):
            more = open_[part.profile_upper(epsilon[open_], found[open_]) > found[open_]] if len(open_) else open_
            if len(more):
                delta = read(part.profile_bounds(epsilon[more]))
                best[more[delta > found[more] * (1 + 1e-9)]] = i
                found[more] = np.maximum(found[more], delta)
        return found, best

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        led = self._ordered[0].profile_bounds(epsilon)
        return Enclosure(
            lambda: self._largest_delta(epsilon, led, lambda delta: delta.lo)[0],
            lambda: self._largest_delta(epsilon, led, lambda delta: delta.hi)[0],
        )

    def error_bounds(self, loss: Floats) -> Enclosure:
        return Enclosure.smallest([c.error_bounds(loss) for c in self.parts])

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        first = self._ordered[0].epsilon_bounds(delta)

        @cache
        def others() -> list[tuple[np.ndarray, Enclosure]]:
            """The epsilons of the other parts, without those that surely meet delta where the first one does."""
            found, at = [], np.where(first.hi <= first.lo * (1 + 1e-6), first.hi, first.lo)
            for part in self._ordered[1:]:
                more = np.flatnonzero(np.isfinite(at))
                for bound in (type(part).profile_upper, TradeOff.profile_upper):
                    more = more[~(bound(part, at[more], delta[more]) <= delta[more])] if len(more) else more
                if len(more):
                    found.append((more, part.epsilon_bounds(delta[more])))
            return found

        def end(upper: bool) -> Floats:
            found = first.end(upper).copy()
            for more, epsilon in others():
                found[more] = np.maximum(found[more], epsilon.end(upper))
            return found

        return Enclosure(lambda: end(False), lambda: end(True))

    # ---- arcs and tangents --------------------------------------------------------------------------------

    @cached_property
    def _assumed_arcs(self) -> tuple[Arc, ...]:
        """The arcs of mirror images if one of them leads."""
        lead, other = self._ordered
        alpha, co, power, beta = lead._rates(np.zeros(1))
        end, start = float(to_logit(alpha, co)[0]), float(to_logit(beta, power)[0])
        return Arc(lead, math.inf, 0.0, -math.inf, end), Arc(other, 0.0, -math.inf, start, math.inf)

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """The arcs of the hull: the assumed ones if the first part leads on a grid of losses, else found on a grid."""
        alpha, co = from_logit(_FEW_LOGITS if self.is_costly else _LOGITS)
        if self._leads(alpha, co) is not None:
            return self._assumed_arcs
        slopes = np.concatenate([self._inside(c._log_slope(alpha, co)) for c in self.parts])
        losses = np.unique(np.append(slopes, 0.0))
        losses = np.unique(np.append(losses, (losses[1:] + losses[:-1]) / 2))
        table = np.array([signed_delta(c, losses) for c in self.parts])
        agree = 1e-13 + 8 * self.rounding
        best = np.argmax(table >= table.max(axis=0) * (1 - agree), axis=0)
        changes = np.flatnonzero(np.diff(best))[::-1]  # from steep to flat
        touching = [self.parts[best[-1]], *(self.parts[best[j]] for j in changes)]
        if len(changes) > 8:  # the parts nearly agree: no need to search for knots
            return _arcs_at(touching, losses[changes].tolist())
        pairs = zip(pairwise(touching), changes)
        return _arcs_at(touching, [_knot(before, after, losses[j : j + 2]) for (before, after), j in pairs])

    def _inside(self, loss: Floats) -> Floats:
        """Losses clipped to the largest, and moved to an end if close to it, beyond which everything is known."""
        near, steepest = 1e-13, 700.0  # e^700 is a float
        sides = (self, self.inverse())
        for sign, side in zip((1, -1), sides):
            for end in (part._max_loss()[1] for part in getattr(side, "parts", ())):
                if end <= steepest:
                    loss = np.where(np.abs(sign * loss - end) <= near * end, sign * end, loss)
        top, bottom = (min(side._max_loss()[1], steepest) for side in sides)
        loss = np.where(loss >= top * (1 - near), top, np.where(loss <= -bottom * (1 - near), -bottom, loss))
        return np.nan_to_num(loss)

    def _leads(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats] | None:
        """Log-slopes of tangents and their deltas if the parts are mirror images and the first leads there."""
        if not self._is_mirrored or self._searches:
            return None
        loss = self._inside(_slopes(self._assumed_arcs, alpha, co))
        loss[(alpha <= 0) | (co <= 0)] = 0.0  # rates there are known, and distant lines are expensive
        epsilon = np.abs(loss)
        led = self._ordered[0].profile_bounds(epsilon)
        delta, best = self._largest_delta(epsilon, led, lambda delta: delta.hi)
        return None if best.any() else (loss, delta)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self._inside(_slopes(self.arcs, alpha, co))

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        best = np.argmax([signed_delta(c, loss) for c in self.parts], axis=0)
        alpha, co, power, beta = np.array([c._rates(loss) for c in self.parts])[best, :, np.arange(len(loss))].T
        return alpha, co, power, beta

    # ---- power and beta -----------------------------------------------------------------------------------

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        power = Enclosure.largest([c.power_bounds(alpha, co) for c in self.parts])
        beta = Enclosure.smallest([c.beta_bounds(alpha, co) for c in self.parts])
        led = cache(lambda: self._leads(alpha, co))
        polygons = any(c.is_polygon for c in self.parts)

        def upper() -> tuple[Floats, Floats]:
            loss, delta = led() or (self._log_slope(alpha, co), None)
            if self._searches:  # deltas are expensive: evaluate a part directly on its arc, use lines only between arcs
                most, least = power.hi.copy(), beta.lo.copy()
                line = np.flatnonzero(np.isin(loss, [arc.flat for arc in self.arcs]))
                rise, miss = self._line(loss[line], None, alpha[line], co[line])
                most[line], least[line] = np.maximum(most[line], rise), np.minimum(least[line], miss)
                return most, least
            most, least = self._line(loss, delta, alpha, co)
            for part in self.parts if polygons else ():  # they may cross between the knots found
                (reached, missed), loose = lower(), 2 * self.profile_rounding
                rest = np.flatnonzero((most > reached * (1 + loose)) | (least < missed * (1 - loose)))
                if not len(rest):
                    break
                loss = self._inside(part._log_slope(alpha[rest], co[rest]))
                rise, miss = self._line(loss, None, alpha[rest], co[rest])
                most[rest], least[rest] = np.minimum(most[rest], rise), np.maximum(least[rest], miss)
            return most, least

        @cache
        def lower() -> tuple[Floats, Floats]:
            reached, missed = self._by_tests(self._assumed_arcs if led() else self.arcs, alpha, co)
            if not self._is_mirrored or polygons:
                return np.maximum(power.lo, reached), np.minimum(beta.hi, missed)
            return reached, missed

        return opposed(upper, lower)

    def _line(self, loss: Floats, delta: Floats | None, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Upper bound on power and lower bound on beta from the lines of given slopes through the largest delta."""
        delta = signed_delta(self, loss) if delta is None else delta
        rest = (1 - delta) * (1 - 4e-16)
        for side, parts in ((loss > 0, self.parts), (loss <= 0, [c.inverse() for c in self.parts])):
            near = np.flatnonzero(side & (delta > 0.5))
            if len(near):  # near 1, delta has few digits of the rest
                rest[near] = np.maximum(rest[near], least_error(parts, np.abs(loss[near])))
        up, slope, loose = loss > 0, np.exp(loss), 3e-16 * (2 + np.abs(loss))
        rise = np.minimum((delta + slope * alpha) * (1 + loose), 1.0)
        # the mirror image, from the other end of the axis
        fall = slope * np.maximum(co * (1 - loose) - delta, rest - alpha * (1 + loose)) * (1 - 1e-15)
        miss = np.maximum(np.where(up, rest - slope * alpha * (1 + loose), fall), 0.0)
        # the subtraction has a rounding error of up to half a unit of 1
        return np.where(up, rise, np.minimum(np.nextafter(1 - miss * (1 - 1e-15), 2.0), 1.0)), miss

    def _by_tests(self, arcs: tuple[Arc, ...], alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Lower bound on power and upper bound on beta: a part's own test on its arc, a mixture of two on the lines."""
        logit, index = to_logit(alpha, co), _arc_of(arcs, alpha, co)
        power, beta = np.zeros_like(alpha), np.ones_like(co)
        for i, arc in enumerate(arcs):
            mine = np.flatnonzero((index == i) & (logit <= arc.end))
            if len(mine):
                found = arc.part.both_bounds(alpha[mine], co[mine])
                power[mine], beta[mine] = found[0].lo, found[1].hi
        for i, (arc, following) in enumerate(pairwise(arcs)):
            mine = np.flatnonzero((index == i) & (logit > arc.end))
            if not len(mine):
                continue
            a0, c0, p0, b0 = self._test(arc.part, arc.end)
            a1, c1, p1, b1 = self._test(following.part, following.start)
            width, low = a1 - a0 if a1 <= 0.5 else c0 - c1, alpha[mine] <= 0.5
            share = np.clip(np.where(low, alpha[mine] - a0, c0 - co[mine]) / width, 0.0, 1.0)
            rest = np.clip(np.where(low, a1 - alpha[mine], co[mine] - c1) / width, 0.0, 1.0)
            power[mine] = (rest * p0 + share * p1) * (1 - 4e-16) - 4e-16 * abs(p1 - p0)
            beta[mine] = (rest * b0 + share * b1) * (1 + 4e-16) + 4e-16 * abs(b1 - b0)
        return power, beta

    def _test(self, part: TradeOff, logit: float) -> tuple[float, ...]:
        """alpha, 1 − alpha, lower bound on power and upper bound on beta of one test of a part; cached."""

        def read() -> tuple[float, ...]:
            alpha, co = from_logit(np.array([logit]))
            power, beta = part.both_bounds(alpha, co)
            return float(alpha[0]), float(co[0]), float(power.lo[0]), float(beta.hi[0])

        return remembered(self._tests, (id(part), logit), read)

    # ---- the rest, part by part ---------------------------------------------------------------------------

    def _auc(self) -> tuple[float, float]:
        return remembered(vars(self), "_known_area", lambda: area(self, self.parts))

    def _mu(self) -> tuple[float, float]:
        # a Gaussian curve is convex: it lies below the hull if it lies below every part
        lows, highs = zip(*(c._mu() for c in self.parts))
        return max(lows), max(highs)

    def _max_loss(self) -> tuple[float, float]:
        lows, highs = zip(*(c._max_loss() for c in self.parts))
        return max(lows), max(highs)

    def _components(self) -> tuple[TradeOff, ...]:
        if self.is_pair:
            return (self,)
        return tuple(inner for c in self.parts for inner in c._components())


def _arc_of(arcs: tuple[Arc, ...], alpha: Floats, co: Floats) -> np.ndarray:
    """The index of the arc on which each alpha lies, or after which its line follows."""
    return np.searchsorted([arc.start for arc in arcs[1:]], to_logit(alpha, co), side="right")


def _slopes(arcs: tuple[Arc, ...], alpha: Floats, co: Floats) -> Floats:
    """Log-slopes along the arcs, and of the lines between one arc and the next."""
    index, out = _arc_of(arcs, alpha, co), np.empty_like(alpha)
    for i, arc in enumerate(arcs):
        mine = np.flatnonzero(index == i)
        if len(mine):
            out[mine] = np.clip(arc.part._log_slope(alpha[mine], co[mine]), arc.flat, arc.steep)
    return out


def _knot(before: TradeOff, after: TradeOff, ends: Floats) -> float:
    """The loss between two others at which the touching part changes."""

    def excess(loss: Floats) -> Floats:
        return signed_delta(after, loss) - signed_delta(before, loss)

    low, high = excess(ends)
    if low <= 0 or high >= 0:  # equal there
        return float(ends[0] if low <= 0 else ends[1])
    enough = 1e-3 * max(before.rounding, after.rounding) + 1e-15  # the accuracy that deltas allow
    left, right = sign_change(excess, ends[:1], ends[1:], width=enough, floor=enough, limit=80)
    return float((left[0] + right[0]) / 2)
