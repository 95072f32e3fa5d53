"""Noise about the points 0, h, 2h, … of a lattice: outputs in cells on one grid, for many laws at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from dplens._validate import Floats
from dplens.correlated.cell_tests import CellTests
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace

_LAPLACE = 0.1  # width of cells, in scale
WIDEST = 16.0  # distances of lattice points, in sigma or scale; beyond, the noise hides nothing
POINTS = 100.0  # sigma of discrete noise, whose cells are single outputs
LONGEST = 1000  # distance of lattice points under geometric noise, likewise
_PARTS = 32  # of a cell that is looked at more closely
_ROUND = 1e-13


@dataclass(frozen=True)
class Detail:
    """How closely normal noise is looked at.

    width: of cells, in sigma. deep: standard deviations beyond which noise is left out. faint: densities below which
    what was left out counts; such cells are taken for proof.
    """

    width: float
    deep: float
    faint: float


FINE = Detail(0.04, 38.0, 1e-290)
COARSE = Detail(0.2, 12.0, 1e-20)  # what is left out is below 1e-31


@dataclass(frozen=True, eq=False)
class Cells:
    """Of N laws on C cells: masses, log-densities at both ends, and by how much they can lie below their chord."""

    mass: Floats
    left: Floats
    right: Floats
    gap: Floats
    start: Floats  # (C,) where the cells begin; nan where one cannot be divided
    width: float

    def tests(self, first: Any, second: Any) -> CellTests:
        """Those between the laws ``first`` and the laws ``second``."""
        with np.errstate(invalid="ignore"):
            ends = [side[second] - side[first] for side in (self.left, self.right)]
        return CellTests.of(self.mass[first], self.mass[second], ends, self.gap[second], self.gap[first])


class LatticeNoise(Protocol):
    """Noise about the points of a lattice."""

    def cells(self, laws: Floats) -> Cells:
        """The outputs under laws (N, S) of the lattice point."""
        ...

    def divided(self, laws: Floats, start: Floats, width: float) -> Cells:
        """The cells that begin at ``start`` in parts; not asked of cells whose start is nan."""
        ...


class WholeNumbers:
    """Noise on whole numbers: every cell is one output, at which a ratio has one value."""

    def divided(self, laws: Floats, start: Floats, width: float) -> Cells:
        """One output has no parts."""
        nothing = np.zeros((len(laws), 0))
        return Cells(nothing, nothing, nothing, nothing, nothing[0], width)


def lattice_noise(mechanism: Any, unit: float, detail: Detail = FINE) -> LatticeNoise | None:
    """The noise about multiples of a unit of the query; None where this is not worked out."""
    if isinstance(mechanism, Gaussian) and unit / mechanism.sigma <= WIDEST:
        return NormalCells(unit / mechanism.sigma, detail)
    if isinstance(mechanism, Laplace) and unit / mechanism.scale <= WIDEST:
        return LaplaceCells(unit / mechanism.scale)
    whole = round(unit)
    if isinstance(mechanism, Geometric) and 1 <= whole <= LONGEST and abs(unit - whole) <= 1e-9:
        return GeometricCells(whole, mechanism.scale)
    if isinstance(mechanism, DiscreteGaussian) and abs(unit - whole) <= 1e-9 and mechanism.sigma <= POINTS:
        return DiscreteNormalCells(whole, mechanism.sigma, detail) if 1 <= whole <= WIDEST * mechanism.sigma else None
    return None


class NormalCells:
    """Unit normal noise.

    log density + r²/2 is convex, as the logarithm of a sum of exponentials of r: on a cell of width s it lies below its
    chord, and above it less s/4 times the change of its slope. The log-ratio of two such laws lies therefore between
    its values at the ends, but for these gaps: however far apart the places are.
    """

    def __init__(self, h: float, detail: Detail) -> None:
        self.h, self.faint = h, detail.faint
        self.reach = math.ceil(detail.deep / h)  # lattice points within which noise counts
        self.stride, self.parts = max(1, int(detail.width / h)), max(1, math.ceil(h / detail.width))
        self.width = h * self.stride / self.parts
        self._dense: tuple[int, int, Floats] | None = None
        self._window: Floats | None = None

    def cells(self, laws: Floats) -> Cells:
        size = laws.shape[1]
        before = -(-self.reach // self.stride)  # periods before the first lattice point
        periods = before + -(-(size - 1 + self.reach) // self.stride)
        start = -before * self.stride * self.h
        found = self._near(laws, start, periods) if size <= self.reach else self._windows(laws, before, periods)
        count = periods * self.parts
        return _normal_cells(found[0], found[1:], start + self.width * np.arange(count), self.width, self.faint)

    def _near(self, laws: Floats, start: float, periods: int) -> tuple[Floats, ...]:
        """All lattice points within reach of each other: one matrix for all cells, kept for the next laws."""
        size, count = laws.shape[1], periods * self.parts
        dense = self._dense
        if dense is None or dense[0] < size:
            most = min(2 * size, self.reach)
            cells = (-(-self.reach // self.stride) + -(-(most - 1 + self.reach) // self.stride)) * self.parts
            x = start + self.width * np.arange(cells + 1)
            dense = most, cells, self._kernel(self.h * np.arange(most)[:, None] - x[None, :])
            self._dense = dense
        _, cells, kernel = dense
        kernel = kernel[:size].reshape(size, -1, cells + 1)
        mass, dens, slope = self._three([laws @ kernel[:, i, : count + 1] for i in range(kernel.shape[1])])
        return mass[:, :-1], dens[:, :-1], dens[:, 1:], slope[:, :-1], slope[:, 1:]

    def _windows(self, laws: Floats, before: int, periods: int) -> tuple[Floats, ...]:
        """Each period of cells sees the lattice points around it only, in the same way as all others."""
        if self._window is None:
            at = np.arange(-self.reach, self.stride + self.reach + 1)
            self._window = self._kernel(self.h * at[:, None] - self.width * np.arange(self.parts + 1)[None, :])
        wide, size = len(self._window), laws.shape[1]
        first = before * self.stride + self.reach
        padded = np.zeros((len(laws), first + max(size, (periods - before) * self.stride + self.reach + 1)))
        padded[:, first : first + size] = laws
        seen = np.lib.stride_tricks.sliding_window_view(padded, wide, axis=1)[:, :: self.stride][:, :periods]
        out = (np.ascontiguousarray(seen) @ self._window).reshape(len(laws), periods, -1, self.parts + 1)
        mass, dens, slope = self._three([out[:, :, i] for i in range(out.shape[2])])
        parts = mass[..., :-1], dens[..., :-1], dens[..., 1:], slope[..., :-1], slope[..., 1:]
        return tuple(part.reshape(len(laws), -1) for part in parts)

    @staticmethod
    def _three(found: list[Floats]) -> list[Floats]:
        """Mass, density and slope; on whole numbers there is one height for all."""
        return found * (3 // len(found))

    def _kernel(self, away: Floats) -> Floats:
        """(places, 3·edges): mass of the cell that begins at an edge, density there, and its slope."""
        from scipy.special import ndtr

        after = away - self.width
        mass = np.where(after > 0, ndtr(-after) - ndtr(-away), ndtr(away) - ndtr(after))
        dens = np.exp(-0.5 * away**2) / math.sqrt(2 * math.pi)
        return np.concatenate([np.maximum(mass, 0.0), dens, away * dens], axis=1)

    def divided(self, laws: Floats, start: Floats, width: float) -> Cells:
        from scipy.special import ndtr

        size, fine = laws.shape[1], width / _PARTS
        count = min(size, 2 * self.reach + math.ceil(width / self.h) + 2)
        first = np.clip(np.floor(start / self.h).astype(int) - self.reach, 0, size - count)
        at = first[:, None] + np.arange(count)
        x = start[:, None] + fine * np.arange(_PARTS + 1)
        away = self.h * at[:, None, :] - x[:, :, None]  # (cells, edges, places)
        kernel = np.exp(-0.5 * away**2) / math.sqrt(2 * math.pi)
        after, ahead = away[:, 1:], away[:, :-1]
        mass = np.where(after > 0, ndtr(-after) - ndtr(-ahead), ndtr(ahead) - ndtr(after))
        law = laws[:, at]
        masses, dens, slope = (np.einsum("ncp,cep->nce", law, k) for k in (mass, kernel, away * kernel))
        parts = masses, dens[..., :-1], dens[..., 1:], slope[..., :-1], slope[..., 1:]
        mass, *ends = (p.reshape(len(laws), -1) for p in parts)
        return _normal_cells(mass, ends, x[:, :-1].ravel(), fine, self.faint)


def _normal_cells(mass: Floats, ends: Sequence[Floats], start: Floats, width: float, faint: float) -> Cells:
    low, high, slope_low, slope_high = ends
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        change = slope_high / high - slope_low / low + width
        gap = np.maximum(change, 0.0) * (width / 4) + _ROUND
        left, right = np.log(low), np.log(high)
    gap[(low < faint) | (high < faint)] = np.inf
    return Cells(mass, left, right, gap, start, width)


class DiscreteNormalCells(WholeNumbers, NormalCells):
    """The same on whole numbers: each output is a cell, at which the ratio has one value."""

    def __init__(self, whole: int, sigma: float, detail: Detail) -> None:
        super().__init__(whole / sigma, detail)
        self.stride, self.parts, self.width = 1, whole, 1 / sigma
        near = np.arange(-math.ceil(FINE.deep * sigma), math.ceil(FINE.deep * sigma) + 1)
        self.total = math.fsum(np.exp(-0.5 * (near / sigma) ** 2))

    def cells(self, laws: Floats) -> Cells:
        found = super().cells(laws)
        gap = np.where(np.isinf(found.gap), np.inf, 0.0)
        return Cells(found.mass, found.left, found.left, gap, np.full(len(found.start), np.nan), found.width)

    def _kernel(self, away: Floats) -> Floats:
        return np.exp(-0.5 * away**2) / self.total


class LaplaceCells:
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
        start = np.concatenate([[np.nan], self.width * np.arange(mass.shape[1] - 2), [np.nan]])
        return Cells(mass, left, right, np.zeros(mass.shape), start, self.width)

    def divided(self, laws: Floats, start: Floats, width: float) -> Cells:
        fine = width / _PARTS
        x = start[:, None] + fine * np.arange(_PARTS + 1)
        places = self.h * np.arange(laws.shape[1])
        away = np.abs(x[:, :, None] - places)
        before = places < (start + width / 2)[:, None, None]
        rise, fall = (np.einsum("np,cep->nce", laws, np.exp(-away) * side) for side in (before, ~before))
        mass = 0.5 * -np.expm1(-fine) * (rise[..., :-1] + fall[..., 1:])
        mass, left, right = (part.reshape(len(laws), -1) for part in (mass, *_ends(rise + fall)))
        return Cells(mass, left, right, np.zeros(mass.shape), x[:, :-1].ravel(), fine)


class GeometricCells(WholeNumbers):
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
        return Cells(mass, logs, logs, np.zeros(mass.shape), np.full(mass.shape[1], np.nan), 1.0)


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
