"""Continuous laws behind one small interface, whatever object they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dplens._numerics.quadrature import unit_nodes
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
class ScipyLaw:
    """A frozen ``scipy.stats`` distribution of either generation (``norm(0, 1)`` or ``Normal(mu=0, sigma=1)``)."""

    source: Any

    def _call(self, names: tuple[str, str], x: Floats) -> Floats:
        method = getattr(self.source, names[0], None) or getattr(self.source, names[1])
        with np.errstate(all="ignore"):
            return np.asarray(method(x), dtype=float)

    def logpdf(self, x: Floats) -> Floats:
        return self._call(("logpdf", "logpdf"), x)

    def cdf(self, x: Floats) -> Floats:
        return self._call(("cdf", "cdf"), x)

    def sf(self, x: Floats) -> Floats:
        return self._call(("sf", "ccdf"), x)

    def ppf(self, p: Floats) -> Floats:
        return self._call(("ppf", "icdf"), p)

    def isf(self, p: Floats) -> Floats:
        return self._call(("isf", "iccdf"), p)

    def support(self) -> tuple[float, float]:
        low, high = self.source.support()
        return float(low), float(high)

    @cached_property
    def _landmarks(self) -> Floats:
        return quantile_landmarks(self)

    def landmarks(self) -> Floats:
        return self._landmarks


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
        return self.weights @ np.array([part.cdf(x) for part in self.parts])

    def sf(self, x: Floats) -> Floats:
        return self.weights @ np.array([part.sf(x) for part in self.parts])

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


def interval_mass(law: Law, low: Floats, high: Floats) -> Floats:
    """P(low < X < high), from the nearer tail, by quadrature where the tails would cancel."""
    low, high = np.broadcast_arrays(np.asarray(low, float), np.asarray(high, float))
    below, above = law.cdf(high), law.sf(low)
    mass = np.where(above < below, above - law.sf(high), below - law.cdf(low))
    mass = np.where(high > low, np.maximum(mass, 0.0), 0.0)
    narrow = (high > low) & (mass < 1e-3 * np.minimum(above, below)) & np.isfinite(low) & np.isfinite(high)
    if narrow.any():
        nodes, weights = unit_nodes(16)
        width = high[narrow] - low[narrow]
        x = low[narrow][:, None] + width[:, None] * nodes
        density = np.exp(law.logpdf(x.ravel()).reshape(x.shape))
        mass[narrow] = width * (density @ weights)
    return mass


def as_law(source: Any) -> Law | None:
    """The law of a frozen continuous scipy distribution, else ``None``."""
    if isinstance(source, type):
        return None
    if type(source).__name__ == "Mixture":
        parts = [as_law(component) for component in source.components]
        known = [part for part in parts if part is not None]
        return MixtureLaw(known, np.asarray(source.weights, float)) if len(known) == len(parts) else None
    if hasattr(source, "dist"):  # first generation, frozen
        return ScipyLaw(source) if hasattr(source.dist, "logpdf") else None
    if hasattr(source, "logpdf") and hasattr(source, "ccdf") and hasattr(source, "support"):
        low, high = source.support()
        return ScipyLaw(source) if low < high else None
    return None
