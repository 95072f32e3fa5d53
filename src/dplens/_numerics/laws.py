"""Continuous laws behind one small interface, and the laws made from others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dplens._numerics.quadrature import intervals, unit_nodes
from dplens._numerics.search import sign_change

Floats = npt.NDArray[np.float64]

_EPS = float(np.finfo(float).eps)


class Law(Protocol):
    """A continuous law on the line."""

    def logpdf(self, x: Floats) -> Floats: ...
    def cdf(self, x: Floats) -> Floats: ...
    def sf(self, x: Floats) -> Floats: ...
    def ppf(self, p: Floats) -> Floats: ...
    def isf(self, p: Floats) -> Floats: ...
    def support(self) -> tuple[float, float]: ...

    def landmarks(self) -> Floats:
        """Quantiles from 1e-300 to 1 − 1e-300 in increasing order: where the law has something to tell."""
        ...


_LEVELS = np.concatenate(
    [10.0 ** np.linspace(-300, -16, 140), 10.0 ** np.linspace(-15.8, -2, 150), np.linspace(0.011, 0.5, 160)]
)


@dataclass(frozen=True, eq=False)
class ShiftedLaw:
    """The law of X + by."""

    base: Law
    by: float

    def logpdf(self, x: Floats) -> Floats:
        return self.base.logpdf(x - self.by)

    def cdf(self, x: Floats) -> Floats:
        return self.base.cdf(x - self.by)

    def sf(self, x: Floats) -> Floats:
        return self.base.sf(x - self.by)

    def ppf(self, p: Floats) -> Floats:
        return self.base.ppf(p) + self.by

    def isf(self, p: Floats) -> Floats:
        return self.base.isf(p) + self.by

    def support(self) -> tuple[float, float]:
        low, high = self.base.support()
        return low + self.by, high + self.by

    def landmarks(self) -> Floats:
        return self.base.landmarks() + self.by


@dataclass(frozen=True, eq=False)
class ReflectedLaw:
    """The law of −X."""

    base: Law

    def logpdf(self, x: Floats) -> Floats:
        return self.base.logpdf(-x)

    def cdf(self, x: Floats) -> Floats:
        return self.base.sf(-x)

    def sf(self, x: Floats) -> Floats:
        return self.base.cdf(-x)

    def ppf(self, p: Floats) -> Floats:
        return -self.base.isf(p)

    def isf(self, p: Floats) -> Floats:
        return -self.base.ppf(p)

    def support(self) -> tuple[float, float]:
        low, high = self.base.support()
        return -high, -low

    def landmarks(self) -> Floats:
        return -self.base.landmarks()[::-1]


@dataclass(frozen=True, eq=False)
class MixtureLaw:
    """A finite mixture; weights are positive and sum to 1."""

    parts: Sequence[Law]
    weights: Floats

    def logpdf(self, x: Floats) -> Floats:
        logs = np.array([part.logpdf(x) for part in self.parts]) + np.log(self.weights)[:, None]
        top = np.max(logs, axis=0)
        shift = np.where(np.isfinite(top), top, 0.0)
        with np.errstate(divide="ignore"):
            return shift + np.log(np.sum(np.exp(logs - shift), axis=0))

    def cdf(self, x: Floats) -> Floats:
        return np.tensordot(self.weights, [part.cdf(x) for part in self.parts], axes=1)

    def sf(self, x: Floats) -> Floats:
        return np.tensordot(self.weights, [part.sf(x) for part in self.parts], axes=1)

    def ppf(self, p: Floats) -> Floats:
        ends = np.array([part.ppf(p) for part in self.parts])
        return _invert(lambda x: p - self.cdf(x), ends)

    def isf(self, p: Floats) -> Floats:
        ends = np.array([part.isf(p) for part in self.parts])
        return _invert(lambda x: self.sf(x) - p, ends)

    def support(self) -> tuple[float, float]:
        ends = [part.support() for part in self.parts]
        return min(e[0] for e in ends), max(e[1] for e in ends)

    def landmarks(self) -> Floats:
        return np.unique(np.concatenate([part.landmarks() for part in self.parts]))


def _invert(excess: Any, ends: Floats) -> Floats:
    low, high = ends.min(axis=0), ends.max(axis=0)
    fixed = (low == high) | ~np.isfinite(low) | ~np.isfinite(high)
    low, high = np.where(fixed, 0.0, low), np.where(fixed, 0.0, high)
    left, right = sign_change(lambda x: np.where(fixed, 0.0, excess(x)), low, high)
    return np.where(fixed, ends.min(axis=0), (left + right) / 2)


def quantile_landmarks(law: Law) -> Floats:
    """Landmarks of a law that has quantiles of its own."""
    x = np.unique(np.concatenate([law.ppf(_LEVELS), law.isf(_LEVELS)]))
    return x[np.isfinite(x)]


def kinks(law: Law) -> Floats:
    """Where the density is known to have, perhaps, a corner or a cusp, as far as a float can say it exactly."""
    if isinstance(law, ShiftedLaw):
        inner = kinks(law.base)
        moved = inner + law.by
        return moved[moved - law.by == inner]
    if isinstance(law, ReflectedLaw):
        return -kinks(law.base)
    if isinstance(law, MixtureLaw):
        return np.concatenate([kinks(part) for part in law.parts])
    return np.array(getattr(law, "kinks", ()), float)


def jumps(law: Law) -> Floats:
    """Where the density is known to jump within the support, up to rounding: steps, and ends of parts."""
    if isinstance(law, ShiftedLaw):
        return jumps(law.base) + law.by
    if isinstance(law, ReflectedLaw):
        return -jumps(law.base)
    if isinstance(law, MixtureLaw):
        ends = [end for part in law.parts for end in part.support() if np.isfinite(end)]
        return np.concatenate([ends, *(jumps(part) for part in law.parts)])
    return np.array(getattr(law, "edges", ()), float)


def steps(law: Law) -> Floats | None:
    """The edges between which the density is constant; ``None`` where it is not."""
    if isinstance(law, (ShiftedLaw, ReflectedLaw)):
        return None if steps(law.base) is None else np.sort(jumps(law))
    if isinstance(law, MixtureLaw):
        return None if any(steps(part) is None for part in law.parts) else np.unique(jumps(law))
    return getattr(law, "edges", None)


def sure_tails(law: Law) -> bool:
    """Whether cdf and sf both keep their relative accuracy up to the ends of the support."""
    base = law.base if isinstance(law, (ShiftedLaw, ReflectedLaw)) else law
    return sure_tails(base) if base is not law else getattr(law, "sure_tails", False)


def log_ratio(law: Law, x: Floats, by: float) -> Floats | None:
    """log n(x − by) − log n(x) for a law that has it in closed form: a small shift then keeps its digits."""
    if isinstance(law, ShiftedLaw):
        return log_ratio(law.base, x - law.by, by)
    if isinstance(law, ReflectedLaw):
        return log_ratio(law.base, -x, -by)
    formula = getattr(law, "log_ratio", None)
    return None if formula is None else formula(x, by)


def unshifted(law: Law) -> tuple[Law, float]:
    """A law as another one and a shift of it."""
    by = 0.0
    while isinstance(law, ShiftedLaw):
        law, by = law.base, by + law.by
    return law, by


def interval_mass(law: Law, low: Floats, high: Floats) -> Floats:
    """P(low < X < high), from the nearer tail, by quadrature where the tails would cancel.

    They do in a narrow interval, and at an end of the support for laws whose tail there is a difference.
    Quadrature replaces the difference only where its error is the smaller one.
    """
    low, high = np.broadcast_arrays(np.asarray(low, float), np.asarray(high, float))
    first, last = law.support()
    below, above = law.cdf(high), law.sf(low)
    mass = np.where(above < below, above - law.sf(high), below - law.cdf(low))
    mass = np.where(high > low, np.maximum(mass, 0.0), 0.0)
    for end, sign, open_ in ((first, 1.0, high), (last, -1.0, low)):
        if not np.isfinite(end) or sure_tails(law):
            continue
        width = sign * (open_ - end)
        edge = ((low <= end) if sign > 0 else (high >= end)) & np.isfinite(width) & (width > 0) & (mass < 1e-3)
        if edge.any():
            value, error = _edge_mass(law, end, sign * width[edge])
            # or where the two differ by no more than the rounding of a tail taken as a difference
            rounded = (error < 1e-6 * value) & (np.abs(value - mass[edge]) < 1e-13)
            mass[edge] = np.where((error < 1e-13 * value) | rounded, value, mass[edge])
    tail = np.minimum(above, below)
    inner = (high > low) & (low > first) & (high < last) & np.isfinite(low) & np.isfinite(high)
    if (narrow := inner & (mass < 1e-3 * tail)).any():
        value, error = _density_mass(law, low[narrow], high[narrow])
        better = (error < 2e-16 * tail[narrow]) & (error < 1e-13 * value)
        mass[narrow] = np.where(better, value, mass[narrow])
    return mass


def _density_mass(law: Law, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """∫ density over finite intervals, with bounds on the errors."""

    def density(x: Floats, _: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
        with np.errstate(all="ignore"):
            log = law.logpdf(x)
            value = np.exp(log)
            return value, _EPS * value * (1 + np.where(value > 0, np.abs(log), 0.0))

    return intervals(density, (low, high, np.arange(len(low))), len(low), tolerance=1e-14, rounds=6)


def _edge_mass(law: Law, end: float, width: Floats) -> tuple[Floats, Floats]:
    """∫ density from an end of the support, ``width`` inwards (its sign tells where), with estimates of the errors.

    In the root of the distance, which makes a density that begins like a power of it (½, 1, 2, …) smooth.
    """
    found = []
    for count in (15, 24):
        t, w = unit_nodes(count)
        x = end + width[:, None] * t**2
        with np.errstate(all="ignore"):
            density = np.exp(law.logpdf(x.ravel())).reshape(x.shape)
            found.append(np.abs(width) * ((2 * t * density) @ w))
            # the place of a node is rounded as the end is: that moves the density along its slope
            slope = np.spacing(abs(end)) * (density.max(axis=1) - density.min(axis=1))
            error = np.abs(found[-1] - found[0]) + 4 * _EPS * found[-1] + slope
    return found[1], np.where(np.isfinite(error), error, np.inf)


def shifted_edges(law: Law, by: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """(mass, error) within ``by`` > 0 of the lower and of the upper end of the support, 0 where it does not end.

    What X and X + by each have alone. Measured from the end: a difference of positions would lose the digits of
    a small shift.
    """
    first, last = law.support()
    out = [(0.0, 0.0), (0.0, 0.0)]
    for i, (end, inwards, tail) in enumerate(((first, by, law.cdf), (last, -by, law.sf))):
        if np.isfinite(end):
            at = np.array([end + inwards])
            mass = 1.0 if by >= last - first else float(tail(at)[0])
            out[i] = mass, _EPS
            if sure_tails(law):  # then only the place is rounded
                slope = float(np.exp(law.logpdf(at))[0])
                out[i] = mass, 8 * _EPS * mass + 2 * np.spacing(max(abs(end), by)) * slope
            if mass < 1e-3:
                value, error = _edge_mass(law, end, np.array([inwards]))
                better = error[0] < (out[i][1] if sure_tails(law) else 1e-10 * value[0])
                out[i] = (float(value[0]), float(error[0])) if better else out[i]
    return out[0], out[1]
