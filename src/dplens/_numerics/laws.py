"""Continuous laws behind one small interface, and the laws made from others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dplens._numerics.search import sign_change

Floats = npt.NDArray[np.float64]


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
    if isinstance(law, MixtureLaw):
        return np.concatenate([kinks(part) for part in law.parts])
    return np.array(getattr(law, "kinks", ()), float)


def jumps(law: Law) -> Floats:
    """Where the density is known to jump within the support, up to rounding: steps, and ends of parts."""
    if isinstance(law, ShiftedLaw):
        return jumps(law.base) + law.by
    if isinstance(law, MixtureLaw):
        ends = [end for part in law.parts for end in part.support() if np.isfinite(end)]
        return np.concatenate([ends, *(jumps(part) for part in law.parts)])
    return np.array(getattr(law, "edges", ()), float)


def steps(law: Law) -> Floats | None:
    """The edges between which the density is constant; ``None`` where it is not."""
    if isinstance(law, ShiftedLaw):
        return None if steps(law.base) is None else np.sort(jumps(law))
    if isinstance(law, MixtureLaw):
        return None if any(steps(part) is None for part in law.parts) else np.unique(jumps(law))
    return getattr(law, "edges", None)


def sure_tails(law: Law) -> bool:
    """Whether cdf and sf both keep their relative accuracy up to the ends of the support."""
    base = law.base if isinstance(law, ShiftedLaw) else law
    return sure_tails(base) if base is not law else getattr(law, "sure_tails", False)


def log_ratio(law: Law, x: Floats, by: float) -> Floats | None:
    """log n(x − by) − log n(x) for a law that has it in closed form: a small shift then keeps its digits."""
    if isinstance(law, ShiftedLaw):
        return log_ratio(law.base, x - law.by, by)
    formula = getattr(law, "log_ratio", None)
    return None if formula is None else formula(x, by)


def interval_mass(law: Law, low: Floats, high: Floats) -> Floats:
    """P(low < X < high), from the nearer tail."""
    below, above = law.cdf(high), law.sf(low)
    return np.maximum(np.where(above < below, above - law.sf(high), below - law.cdf(low)), 0.0)


def unshifted(law: Law) -> tuple[Law, float]:
    """A law as another one and a shift of it."""
    by = 0.0
    while isinstance(law, ShiftedLaw):
        law, by = law.base, by + law.by
    return law, by
