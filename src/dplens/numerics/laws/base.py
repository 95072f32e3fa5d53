"""The interface of continuous laws, and laws made from others."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dplens.numerics.enclosure import Floats
from dplens.numerics.roots import sign_change
from dplens.numerics.sharing import Shared, cached_property

_LEVELS = np.concatenate(
    [10.0 ** np.linspace(-300, -16, 140), 10.0 ** np.linspace(-15.8, -2, 150), np.linspace(0.011, 0.5, 160)]
)


class Law(Shared, ABC):
    """A continuous law on the line: its density, tails and quantiles, and known properties of these."""

    @abstractmethod
    def logpdf(self, x: Floats) -> Floats: ...

    @abstractmethod
    def cdf(self, x: Floats) -> Floats: ...

    @abstractmethod
    def sf(self, x: Floats) -> Floats: ...

    @abstractmethod
    def ppf(self, p: Floats) -> Floats: ...

    @abstractmethod
    def isf(self, p: Floats) -> Floats: ...

    def support(self) -> tuple[float, float]:
        """The smallest interval that contains all of the mass."""
        return -math.inf, math.inf

    def kinks(self) -> Floats:
        """Points where the density may have a corner or a cusp, if they are exact floats."""
        return np.zeros(0)

    def jumps(self) -> Floats:
        """Points where the density jumps, up to rounding: steps, and ends of parts."""
        return np.zeros(0)

    def is_step(self) -> bool:
        """Whether the density is constant between its jumps."""
        return False

    def log_ratio(self, x: Floats, by: float) -> Floats | None:
        """log n(x − by) − log n(x) if the law has a closed form, which keeps the digits of small shifts; else None."""
        return None

    @cached_property
    def landmarks(self) -> Floats:
        """Quantiles from 1e-300 to 1 − 1e-300 in increasing order, which show the scales of the law."""
        x = np.unique(np.concatenate([self.ppf(_LEVELS), self.isf(_LEVELS)]))
        return x[np.isfinite(x)]


@dataclass(frozen=True, eq=False)
class ShiftedLaw(Law):
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

    def kinks(self) -> Floats:
        inner = self.base.kinks()
        moved = inner + self.by
        return moved[moved - self.by == inner]

    def jumps(self) -> Floats:
        return self.base.jumps() + self.by

    def is_step(self) -> bool:
        return self.base.is_step()

    def log_ratio(self, x: Floats, by: float) -> Floats | None:
        return self.base.log_ratio(x - self.by, by)

    @cached_property
    def landmarks(self) -> Floats:
        return self.base.landmarks + self.by


@dataclass(frozen=True, eq=False)
class MixtureLaw(Law):
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

    def kinks(self) -> Floats:
        return np.concatenate([part.kinks() for part in self.parts])

    def jumps(self) -> Floats:
        ends = [end for part in self.parts for end in part.support() if np.isfinite(end)]
        return np.concatenate([ends, *(part.jumps() for part in self.parts)])

    def is_step(self) -> bool:
        return all(part.is_step() for part in self.parts)

    @cached_property
    def landmarks(self) -> Floats:
        return np.unique(np.concatenate([part.landmarks for part in self.parts]))


def _invert(excess: Callable[[Floats], Floats], ends: Floats) -> Floats:
    low, high = ends.min(axis=0), ends.max(axis=0)
    fixed = (low == high) | ~np.isfinite(low) | ~np.isfinite(high)
    low, high = np.where(fixed, 0.0, low), np.where(fixed, 0.0, high)
    left, right = sign_change(lambda x: np.where(fixed, 0.0, excess(x)), low, high)
    return np.where(fixed, ends.min(axis=0), (left + right) / 2)


def interval_mass(law: Law, low: Floats, high: Floats) -> Floats:
    """P(low < X < high), from the nearer tail."""
    below, above = law.cdf(high), law.sf(low)
    return np.maximum(np.where(above < below, above - law.sf(high), below - law.cdf(low)), 0.0)


def unshifted(law: Law) -> tuple[Law, float]:
    """A law written as another law and a shift of it."""
    by = 0.0
    while isinstance(law, ShiftedLaw):
        law, by = law.base, by + law.by
    return law, by
