"""Noise about the points 0, h, 2h, … of a lattice: outputs in cells on one grid, for many laws at once."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace

FINE, COARSE = 0.005, 0.2  # width of cells of normal noise, in sigma
_DEEP, _FAINT = 12.0, 1e-20  # sigmas beyond which it is left out, less than 1e-31; densities below are taken for proof
_LAPLACE = 0.015  # width of cells, in scale
WIDEST = 16.0  # distances of lattice points, in sigma or scale; beyond, the noise hides nothing
POINTS = 100.0  # sigma of discrete noise, whose cells are single outputs
LONGEST = 1000  # distance of lattice points under geometric noise, likewise
_ROUND = 1e-13
_WIDE = 1e-12  # of log-ratios, by rounding
_NARROW = 1e-9  # spans of log-ratios that count as one value


@dataclass(frozen=True, eq=False)
class CellTests:
    """What is known of the cells in every case, a row each: P, Q, and the span of log Q/P."""

    p: Floats
    q: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, p: Floats, q: Floats, ends: Any, below: Floats, above: Floats) -> CellTests:
        """From masses, the log-ratios at both ends of each cell, and how far it may leave their span."""
        with np.errstate(invalid="ignore"):  # densities too small for floats are taken for proof
            low, high = np.minimum(*ends), np.maximum(*ends)
            wide = _WIDE * (1 + np.abs(low))
            low, high = low - wide - below, high + wide + above
        unsure = ~(np.isfinite(low) & np.isfinite(high))
        low[unsure], high[unsure] = -np.inf, np.inf
        return cls(p, q, low, high)

    def both(self) -> CellTests:
        """The same cases, and after them those with the two laws exchanged."""
        pairs = (self.p, self.q), (self.q, self.p), (self.low, -self.high), (self.high, -self.low)
        return CellTests(*(np.concatenate(pair) for pair in pairs))

    def case(self, at: int) -> CellTests:
        """One case in both its directions."""
        return CellTests(*(x[at :: len(self.p) // 2] for x in (self.p, self.q, self.low, self.high)))

    def worst(self, delta: float, floor: float, epsilon: Callable[[int, float], float]) -> tuple[float, int | None]:
        """The largest epsilon(delta) of all cases, in both directions, and whose it is; ``floor`` if none is larger.

        ``epsilon`` works that of one case out, given what is known of others. A case is left out only if it stays
        below what was found, so none that is worse can be missed.
        """
        best, which, left = floor, None, np.ones(len(self.p) // 2, dtype=bool)
        bound = self.profile(best).reshape(2, -1).max(axis=0)
        while True:
            bound[~left] = -1.0
            at = int(np.argmax(bound))
            if bound[at] <= delta:
                return best, which
            left[at] = False
            value = epsilon(at, best)
            if value > best:
                best, which, bound = value, at, self.profile(value).reshape(2, -1).max(axis=0)

    def profile(self, epsilon: float) -> Floats:
        """Σ over cells of the largest ∫(dq − e^eps·dp)⁺ with log-ratios inside the span: masses at its two ends."""
        out = np.maximum(self.q - np.exp(min(epsilon, 700.0)) * self.p, 0.0)
        out[self.high <= epsilon] = 0.0
        at = (self.low < epsilon) & (epsilon < self.high)
        lo, hi, mass = self.low[at], self.high[at], self.q[at]
        with np.errstate(over="ignore", invalid="ignore"):
            share = -np.expm1(epsilon - hi) / -np.expm1(np.minimum(lo - hi, -_NARROW))
            split = np.maximum(mass - np.exp(lo) * self.p[at], 0.0) * share
        out[at] = np.clip(np.nan_to_num(split, nan=np.inf, posinf=np.inf), out[at], mass) + _NARROW * mass
        return out.sum(axis=1) * (1 + _WIDE) + 1e-14

    def profiles(self, epsilons: Floats) -> Floats:
        """A bound of the profile of each row at many epsilons, relative to the mass that counts: small ones stay small.

        The masses of each cell at the two ends of its span, sorted, and added up from the largest log-ratio.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            width = np.maximum(self.high - self.low, _NARROW)
            up = (self.q - np.exp(self.low) * self.p) / -np.expm1(-width)
            up = np.clip(np.where(np.isfinite(self.low), up, self.q), 0.0, self.q)
        q, loss = self.q, self.high
        if (width[np.isfinite(width)] > _NARROW).any():  # else all mass may stay at the upper end
            q, loss = np.concatenate([up, self.q - up], axis=1), np.concatenate([self.high, self.low], axis=1)
        order = np.argsort(-loss, axis=1)
        q, loss = np.take_along_axis(q, order, axis=1), np.take_along_axis(loss, order, axis=1)
        power, alpha = np.cumsum(q, axis=1), np.cumsum(q * np.exp(-np.maximum(loss, 0.0)), axis=1)
        out = np.empty((len(q), len(epsilons)))
        for row in range(len(q)):
            count = np.searchsorted(-loss[row], -epsilons)
            a, b = (np.append(0.0, side[row])[count] for side in (power, alpha))
            out[row] = a * (1 + 4 * _NARROW) - np.exp(epsilons) * b  # also for what was moved within narrow spans
        return np.maximum(out, 0.0)

    def epsilon(self, delta: float, low: float, tolerance: float) -> float:
        """An upper bound of all rows at a delta, which lies above ``low``."""
        step = max(tolerance, 1e-3)
        high = low + step
        while float(self.profile(high).max()) > delta:
            low, step = high, 4 * step
            high = low + step
            if high > 700:
                return math.inf
        while high - low > tolerance:
            middle = (low + high) / 2
            low, high = (middle, high) if float(self.profile(middle).max()) > delta else (low, middle)
        return high


@dataclass(frozen=True, eq=False)
class Cells:
    """Of N laws on C cells: masses, log-densities at both ends, and by how much they can lie below their chord."""

    mass: Floats
    left: Floats
    right: Floats
    gap: Floats

    def tests(self, first: Any, second: Any) -> CellTests:
        """Those between the laws ``first`` and the laws ``second``."""
        with np.errstate(invalid="ignore"):
            ends = [side[second] - side[first] for side in (self.left, self.right)]
        return CellTests.of(self.mass[first], self.mass[second], ends, self.gap[second], self.gap[first])


class LatticeNoise(ABC):
    """Noise about the points of a lattice."""

    @abstractmethod
    def cells(self, laws: Floats) -> Cells:
        """The outputs under laws (N, S) of the lattice point."""


def lattice_noise(mechanism: Any, unit: float, width: float = FINE) -> LatticeNoise | None:
    """The noise about multiples of a unit of the query; None where this is not worked out."""
    if isinstance(mechanism, Gaussian) and unit / mechanism.sigma <= WIDEST:
        return NormalCells(unit / mechanism.sigma, width)
    if isinstance(mechanism, Laplace) and unit / mechanism.scale <= WIDEST:
        return LaplaceCells(unit / mechanism.scale)
    whole = round(unit)
    if isinstance(mechanism, Geometric) and 1 <= whole <= LONGEST and abs(unit - whole) <= 1e-9:
        return GeometricCells(whole, mechanism.scale)
    if isinstance(mechanism, DiscreteGaussian) and abs(unit - whole) <= 1e-9 and mechanism.sigma <= POINTS:
        return NormalCells(whole / mechanism.sigma, 0.0, whole) if 1 <= whole <= WIDEST * mechanism.sigma else None
    return None


class NormalCells(LatticeNoise):
    """Unit normal noise; with ``whole``, on the multiples of h/whole only, each of which is a cell.

    log density + r²/2 is convex, as the logarithm of a sum of exponentials of r: on a cell of width s it lies below its
    chord, and above it less s/4 times the change of its slope. The log-ratio of two such laws lies therefore between
    its values at the ends, but for these gaps: however far apart the places are.
    """

    def __init__(self, h: float, width: float, whole: int | None = None) -> None:
        self.h, self.whole = h, whole
        self.reach = math.ceil(_DEEP / h)  # lattice points within which noise counts
        self.stride, self.parts = (1, whole) if whole else (max(1, int(width / h)), max(1, math.ceil(h / width)))
        self.width = h * self.stride / self.parts
        self.before = -(-self.reach // self.stride)  # periods before the first lattice point
        at = h * np.arange(-self.reach, self.stride + self.reach + 1)
        kernel = self._kernel(at[:, None] - self.width * np.arange(self.parts + 1))
        self.window: Floats = np.concatenate(kernel, axis=1)

    def cells(self, laws: Floats) -> Cells:
        """Each period of cells sees the lattice points around it only, in the same way as all others."""
        size, first = laws.shape[1], self.before * self.stride + self.reach
        periods = self.before + -(-(size - 1 + self.reach) // self.stride)
        padded = np.zeros((len(laws), first + max(size, (periods - self.before) * self.stride + self.reach + 1)))
        padded[:, first : first + size] = laws
        seen = np.lib.stride_tricks.sliding_window_view(padded, len(self.window), axis=1)
        seen = np.ascontiguousarray(seen[:, :: self.stride][:, :periods])
        return self._made(np.moveaxis((seen @ self.window).reshape(len(laws), periods, 3, self.parts + 1), 2, 0))

    def _kernel(self, away: Floats) -> tuple[Floats, Floats, Floats]:
        """At edges so far from the places: mass of the cell that begins there, density and its slope."""
        from scipy.special import ndtr

        dens = np.exp(-0.5 * away**2) / math.sqrt(2 * math.pi)
        if self.whole:  # every output is a cell
            unit = self.h / self.whole
            every = unit * np.arange(-math.ceil(38 / unit), math.ceil(38 / unit) + 1)
            height = dens * math.sqrt(2 * math.pi) / math.fsum(np.exp(-0.5 * every**2))
            return height, height, height
        after = away - self.width
        mass = np.where(after > 0, ndtr(-after) - ndtr(-away), ndtr(away) - ndtr(after))
        return np.maximum(mass, 0.0), dens, away * dens

    def _made(self, found: Any) -> Cells:
        """From masses, densities and slopes (N, groups of cells, edges)."""
        mass, dens, slope = found
        ends = mass[..., :-1], dens[..., :-1], dens[..., 1:], slope[..., :-1], slope[..., 1:]
        mass, low, high, slope_low, slope_high = (end.reshape(len(mass), -1) for end in ends)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            gap = np.maximum(slope_high / high - slope_low / low + self.width, 0.0) * (self.width / 4) + _ROUND
            left, right = np.log(low), np.log(high)
        if self.whole:
            right, gap = left, np.zeros(gap.shape)
        gap[(low < _FAINT) | (high < _FAINT)] = np.inf
        return Cells(mass, left, right, gap)


class LaplaceCells(LatticeNoise):
    """Unit Laplace noise: between lattice points every density is A·e^−r + B·e^r, so ratios go one way there."""

    def __init__(self, h: float) -> None:
        self.h, self.parts = h, max(1, math.ceil(h / _LAPLACE))
        self.width = h / self.parts

    def cells(self, laws: Floats) -> Cells:
        up, down = _running(laws, self.h)
        x = self.width * np.arange(self.parts + 1)
        rise = up[:, :-1, None] * np.exp(-x)  # what lies to the left of a cell
        fall = down[:, 1:, None] * np.exp(-x[::-1])
        mass = 0.5 * -np.expm1(-self.width) * (rise[..., :-1] + fall[..., 1:])
        inner = mass, *_ends(rise + fall)
        mass, left, right = (  # beyond all places the ratio is constant
            np.concatenate([end(down[:, :1]), part.reshape(len(laws), -1), end(up[:, -1:])], axis=1)
            for part, end in zip(inner, (lambda v: 0.5 * v, _log, _log))
        )
        return Cells(mass, left, right, np.zeros(mass.shape))


class GeometricCells(LatticeNoise):
    """Geometric noise: the outputs are whole numbers; beyond all places the ratio is constant."""

    def __init__(self, whole: int, scale: float) -> None:
        self.whole, self.scale = whole, scale

    def cells(self, laws: Floats) -> Cells:
        up, down = _running(laws, self.whole / self.scale)
        x = np.arange(self.whole) / self.scale
        inner = up[:, :-1, None] * np.exp(-x) + down[:, 1:, None] * np.exp(x - self.whole / self.scale)
        height = np.concatenate([inner.reshape(len(laws), -1), up[:, -1:]], axis=1)
        mass = math.tanh(0.5 / self.scale) * height
        mass[:, [0, -1]] /= -math.expm1(-1 / self.scale)
        logs = _log(height)
        return Cells(mass, logs, logs, np.zeros(mass.shape))


def _running(laws: Floats, h: float) -> tuple[Floats, Floats]:
    """Σ_{j ≤ k} m_j·e^{−(k − j)h} and Σ_{j ≥ k} m_j·e^{−(j − k)h}."""
    from scipy.signal import lfilter

    rule = [1.0], [1.0, -math.exp(-h)]
    return np.asarray(lfilter(*rule, laws, axis=1)), np.asarray(lfilter(*rule, laws[:, ::-1], axis=1))[:, ::-1]


def _ends(height: Floats) -> tuple[Floats, Floats]:
    logs = _log(height)
    return logs[..., :-1], logs[..., 1:]


def _log(height: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(height)
