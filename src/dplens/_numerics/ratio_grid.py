"""Where two densities are both positive, and a grid there that resolves them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dplens._numerics.laws import (
    Floats,
    Law,
    ShiftedLaw,
    jumps,
    kinks,
    log_ratio,
    sure_tails,
    unshifted,
)
from dplens._numerics.masses import interval_mass, shifted_edges
from dplens._numerics.quadrature import unit_nodes
from dplens._numerics.sharing import cached_property
from dplens.errors import Undefined

States = npt.NDArray[np.int64]

_EPS = float(np.finfo(float).eps)
_FAINT = -600.0  # a log-density this low ends by underflow, not because the density ends
_NOTHING = -690.0  # the log of a mass that need not be looked after
_HIDDEN = 1e-320  # stands for a mass too small for a float
_PROBES = (0.2764, 0.6321)  # places within a cell that are looked at, in no simple ratio to it
_CELLS = 20_000
_ZONE = 4.0  # floats next to an end of the support
_APPROACH = 0.5 ** np.arange(1.0, 60.0)  # steps towards it
_BLUR = 1e-6  # mass whose loss may be misjudged
_AMISS = 1e-3  # how far density and distribution function may differ, summed over the cells

_UNRESOLVED = (
    "The densities change too often, or too abruptly, to be resolved by the quantiles of the laws, so the likelihood "
    "ratio cannot be sorted. Give densities with steps as scipy.stats.rv_histogram or as a Mixture of Uniform laws, "
    "or use coarser laws."
)


@dataclass(frozen=True)
class Room:
    """An interval on which both densities are positive: grid, log q/p on it and the rounding errors of that."""

    start: float
    end: float
    x: Floats
    losses: Floats
    noise: Floats


@dataclass
class Masses:
    """Mass that only one of the laws has: for certain; and where the other density is, perhaps, only too small.

    ``error``: of the certain mass.
    """

    sure: float = 0.0
    faint: float = 0.0
    error: float = 0.0


@dataclass
class RatioGrid:
    """The rooms of a pair of laws, and the masses outside them.

    The grid holds quantiles of both laws from 1e-300 to 1 − 1e-300, kinks and both sides of every known jump. A
    density that the grid does not resolve is refused: what lies between its points would be filed under the wrong
    losses. ``monotone``: known by theorem that log q/p rises, so that nothing can hide between the points.
    """

    p: Law
    q: Law
    monotone: bool = False
    p_only: Masses = field(default_factory=Masses)
    q_only: Masses = field(default_factory=Masses)
    rooms: list[Room] = field(default_factory=list)

    def __post_init__(self) -> None:
        p, q = self.p, self.q
        (self._base, at), (other, to) = unshifted(p), unshifted(q)
        self._place, self._shift = at, (to - at if self._base is other or self._base == other else None)
        self.start = max(p.support()[0], q.support()[0])
        self.end = max(min(p.support()[1], q.support()[1]), self.start)
        self._outside()
        self.kinks = np.concatenate([kinks(p), kinks(q)])
        self._survey()

    def loss(self, x: Floats) -> Floats:
        """log q(x)/p(x)."""
        flat = x.ravel()
        with np.errstate(all="ignore"):
            known = None
            if self._shift is not None:
                known = log_ratio(self._base, flat - self._place, self._shift)
            loss = self.q.logpdf(flat) - self.p.logpdf(flat) if known is None else known
            return loss.reshape(x.shape)

    def _outside(self) -> None:
        """Mass beyond the support of the other law."""
        p, q = self.p, self.q
        if isinstance(q, ShiftedLaw) and q.base is p and q.by > 0:
            edges = shifted_edges(p, q.by)
        elif isinstance(p, ShiftedLaw) and p.base is q and p.by > 0:
            edges = shifted_edges(q, p.by)[::-1]
        else:
            ends = np.array([-math.inf]), np.array([self.start]), np.array([self.end]), np.array([math.inf])
            outside = [interval_mass(law, *ends[:2]) + interval_mass(law, *ends[2:]) for law in (p, q)]
            edges = [(float(mass[0]), _EPS if mass[0] else 0.0) for mass in outside]
        for here, (mass, error), law, other in zip((self.p_only, self.q_only), edges, (p, q), (q, p)):
            here.sure, here.error = mass, error
            beyond = law.support()[0] < other.support()[0] or law.support()[1] > other.support()[1]
            if beyond and mass == 0:
                here.faint = _HIDDEN

    def _survey(self) -> None:
        joints = np.concatenate([jumps(self.p), jumps(self.q)])
        joints = np.concatenate([joints, np.nextafter(joints, -math.inf), np.nextafter(joints, math.inf)])
        x = np.unique(np.concatenate([self.p.landmarks(), self.q.landmarks(), self.kinks, joints]))
        x = x[(x > self.start) & (x < self.end)]
        x = np.unique(np.concatenate([x, *(self._last_steps(x, end) for end in (self.start, self.end))]))
        with np.errstate(all="ignore"):
            logs = self.p.logpdf(x), self.q.logpdf(x)
        known = ~(np.isnan(logs[0] + logs[1]) | np.isposinf(logs[0]) | np.isposinf(logs[1]))
        known |= np.isneginf(logs[0]) | np.isneginf(logs[1])
        x = x[known]
        state = self._state(x)
        cuts = np.flatnonzero(np.diff(state)) if len(x) else np.empty(0, int)
        left, right = self._borders(x[cuts], x[cuts + 1])
        starts, ends = np.append(self.start, right), np.append(left, self.end)
        kinds = state[np.append(0, cuts + 1)] if len(x) else np.empty(0, np.int64)
        starts, ends, kinds = self._without_faint_ends(starts, ends, kinds)
        for start, end, kind in zip(starts, ends, kinds):
            if kind == 0:
                self._furnish(start, end, x[(x >= start) & (x <= end)])
            else:
                self._apart(start, end, kind)

    def _last_steps(self, x: Floats, end: float) -> Floats:
        """Places from the outermost one towards an end, which quantiles do not reach where a tail is a difference."""
        if not (math.isfinite(end) and len(x)):
            return np.empty(0)
        inward = 1.0 if end == self.start else -1.0
        near = float(np.min(np.abs(x - end)))
        closest = max(float(np.spacing(abs(end))), 1e-300)
        if not near > closest:
            return np.empty(0)
        step = np.geomspace(closest, near, 2 + int(math.log2(near / closest)))[:-1]
        found = end + inward * step
        with np.errstate(all="ignore"):
            worth = np.maximum(self.p.logpdf(found), self.q.logpdf(found)) + np.log(step) > _NOTHING
        return found[worth & (found > self.start) & (found < self.end)]

    def _state(self, x: Floats) -> States:
        """0: both densities are positive; 1: only q; 2: only p; 3: neither."""
        with np.errstate(all="ignore"):
            return np.isneginf(self.p.logpdf(x)).astype(int) + 2 * np.isneginf(self.q.logpdf(x)).astype(int)

    def _borders(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Neighbouring floats between which the state changes from that at ``low``."""
        first = self._state(low)
        while len(low):
            middle = low + (high - low) / 2
            open_ = (middle > low) & (middle < high)
            if not open_.any():
                break
            same = self._state(middle) == first
            low, high = np.where(open_ & same, middle, low), np.where(open_ & ~same, middle, high)
        return low, high

    def _faint(self, law: Law, at: float) -> bool:
        """Whether the density of a law dies out towards a place, rather than ends there."""
        if not math.isfinite(at):
            return True
        near = np.array([np.nextafter(at, -math.inf), at, np.nextafter(at, math.inf)])
        with np.errstate(all="ignore"):
            logs = law.logpdf(near)
        return float(np.nanmax(logs)) < _FAINT

    def _without_faint_ends(self, starts: Floats, ends: Floats, kinds: States) -> tuple[Floats, Floats, States]:
        """Beyond the last place where a float can hold both densities, the outermost room goes on."""
        while len(kinds) > 1 and kinds[0] and kinds[1] == 0 and self._vague(ends[0], kinds[0]):
            starts, ends, kinds = np.append(starts[0], starts[2:]), ends[1:], kinds[1:]
        while len(kinds) > 1 and kinds[-1] and kinds[-2] == 0 and self._vague(starts[-1], kinds[-1]):
            starts, ends, kinds = starts[:-1], np.append(ends[:-2], ends[-1]), kinds[:-1]
        return starts, ends, kinds

    def _vague(self, at: float, kind: int) -> bool:
        return any(self._faint(law, at) for law, bit in ((self.p, 1), (self.q, 2)) if kind & bit)

    def _apart(self, start: float, end: float, kind: int) -> None:
        """A stretch on which one density is zero, or seems so."""
        if kind == 3:
            return
        law, other, here = (self.q, self.p, self.q_only) if kind == 1 else (self.p, self.q, self.p_only)
        mass = float(interval_mass(law, np.array([start]), np.array([end]))[0])
        if self._faint(other, start) or self._faint(other, end):
            here.faint += mass
        else:
            here.sure += mass
            here.error += (1 if sure_tails(law) else 4) * _EPS

    def _furnish(self, start: float, end: float, x: Floats) -> None:
        if len(x) < 2:
            if end > start:
                x = np.linspace(start, end, 4)[1:-1] if math.isfinite(end - start) else x
            if len(x) < 2:
                return
        if not self.monotone:
            x = self._resolved(x)
        x = _towards(_towards(x, start), end)
        with np.errstate(all="ignore"):
            logs = self.p.logpdf(x), self.q.logpdf(x)
        losses = self.loss(x)
        known = np.isfinite(losses) & np.isfinite(logs[0]) & np.isfinite(logs[1])
        if known.sum() < 2:
            return
        # the last digits of two log-densities are noise in their difference, unless that has a form of its own
        spread = np.abs(losses) if self.closed else np.abs(logs[0]) + np.abs(logs[1]) + 1
        self.rooms.append(Room(start, end, x[known], losses[known], 8 * _EPS * spread[known]))

    @cached_property
    def closed(self) -> bool:
        """Whether log q/p has a form of its own, with relative accuracy."""
        return self._shift is not None and log_ratio(self._base, np.zeros(1), self._shift) is not None

    def _resolved(self, x: Floats) -> Floats:
        """The grid with more points where the loss leaves the range that its neighbours show."""
        blurred = 0.0
        for _ in range(8):
            x, unsure, blurred = self._refined(x)
            if not unsure or len(x) > _CELLS:
                break
        if blurred > _BLUR:
            raise Undefined(_UNRESOLVED)
        for law in (self.p, self.q):
            refuse_unresolved(law, x, _AMISS)
        return x

    def _refined(self, x: Floats) -> tuple[Floats, bool, float]:
        losses, width = self.loss(x), np.diff(x)
        low, high = np.minimum(losses[:-1], losses[1:]), np.maximum(losses[:-1], losses[1:])
        inner = np.array([x[:-1] + part * width for part in _PROBES])
        seen = self.loss(inner)
        with np.errstate(all="ignore"):
            mass = np.abs(np.diff(self.p.cdf(x))) + np.abs(np.diff(self.q.cdf(x)))
            beyond = np.nan_to_num(np.maximum(low - seen, seen - high).max(axis=0), posinf=1.0, neginf=0.0)
        blur = mass * np.clip(beyond - 1e-9 * (1 + np.abs(low) + np.abs(high)), 0.0, 1.0)
        more = blur > 1e-12
        points = inner[:, more].ravel()
        return np.unique(np.concatenate([x, points])), bool(more.any()), float(np.nansum(blur))


def _towards(x: Floats, end: float) -> Floats:
    """More places towards a finite end, but none within a few floats of it, where nothing is known of the ratio."""
    if not math.isfinite(end):
        return x
    zone = _ZONE * np.spacing(abs(end))
    kept = x[np.abs(x - end) >= zone]
    if not len(kept):
        return x
    near = float(kept[np.argmin(np.abs(kept - end))])
    more = end + (near - end) * _APPROACH
    return np.unique(np.append(kept, more[np.abs(more - end) >= zone]))


def refuse_unresolved(law: Law, x: Floats, most: float) -> None:
    """An error where the density, by a rule with a few points on each cell, is not that of the distribution function.

    A comb finer than the cells shows: its teeth meet the points of the rule now and again, its masses are even.
    """
    nodes, weights = unit_nodes(6)
    width = np.diff(x)
    with np.errstate(all="ignore"):
        density = np.exp(law.logpdf((x[:-1, None] + width[:, None] * nodes).ravel())).reshape(-1, len(nodes))
        gap = np.abs(width * (density @ weights) - np.diff(law.cdf(x)))
    gap[np.isin(x[:-1], kinks(law)) | np.isin(x[1:], kinks(law))] = 0.0  # poles
    if float(np.sum(gap[np.isfinite(gap)])) > most:
        raise Undefined(_UNRESOLVED)
