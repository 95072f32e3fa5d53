"""The sum of spread steps on their lattice, by tilted Fourier transforms, and its profile at every few lattice points.

Under a tilt c, masses p become p·e^{c·x − K(c)}, so that losses near K'(c) stand out from rounding errors. Each tilt
only needs a window for the losses that are likely under it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dplens.composition.grid.axis import CoarseAxis
from dplens.composition.grid.products import Product, StepMasses, round_length, tilted_masses, unwrapped
from dplens.composition.grid.spreading import Smoothing, SpreadLaw
from dplens.curves.base import Floats
from dplens.curves.finite.polygons import Dots

Laws = Sequence[tuple[SpreadLaw, int]]
Rows = tuple[Floats, Floats, Floats]

_VAST = 1e200  # stands in for errors that overflow


class Tilted(NamedTuple):
    """Masses of the whole under one tilt from the lattice point ``low`` on, scaled to add up to 1, and their errors."""

    c: float
    k: float
    low: int
    masses: Floats
    gap: Floats  # w times the density of the claim, from above
    error: float  # root of the sum of the squared errors of the masses
    blur: float  # relative error of e^k, which all of them share


class TiltedSum:
    """The whole, from a few tilts, each for the losses that are likeliest under it."""

    def __init__(self, laws: Laws, spacing: float, each: int, axis: CoarseAxis) -> None:
        self.laws, self.spacing, self.each, self.axis = laws, spacing, each, axis
        self.cells = [int(max(sign * end / spacing, 0.0) + 1e-6) // each + 1 for sign, end in zip((-1, 1), axis.window)]
        self.widest = max(law.every for law, _ in laws)
        origin = math.fsum(times * law.origin for law, times in laws)
        self.first = math.floor(origin / spacing)
        offset = max(origin - spacing * self.first, 0.0)  # of lattice point 0 of the whole
        self.offsets = spacing - offset if offset > 0 else 0.0, offset  # downwards and upwards
        self.is_exact = each == 1 and axis.variance == 0.0

    # ---- under one tilt ---------------------------------------------------------------------------------------

    def tilted(self, c: float, depth: float = 38.0) -> Tilted:
        """The whole under the tilt c, in a window beyond which lies a mass of about e^−depth."""
        times = [count for _, count in self.laws]
        values, ks, errors = zip(*(tilted_masses(c, law.losses, law.log_p) for law, _ in self.laws))
        k, blur = (math.fsum(map(operator.mul, times, x)) for x in (ks, errors))
        # cells that an end of the window cuts are not used
        low, high = (round(end / self.spacing) for end in self.axis.ends(c, k, depth))
        low, high = low - self.each - 1, high + self.each + 1
        parts = (StepMasses(law.index, masses, count) for (law, count), masses in zip(self.laws, values))
        product = Product.of(parts, round_length(high - low + 1))
        product.first += self.first
        del values  # arrays are long here, and freed as soon as possible
        ends = (low + self.each) * self.spacing, (low + product.size - 1 - self.each) * self.spacing
        return self._read(c, k, blur, low, product, self.axis.beyond(c, k, ends))

    @np.errstate(over="ignore", invalid="ignore")  # overflowing kernels are no information
    def _read(self, c: float, k: float, blur: float, low: int, product: Product, outside: float) -> Tilted:
        """Masses and gaps by the transform back; ``outside``: mass outside the window, which is wrapped into it."""
        size, unit = product.size, product.unit
        error = product.error() + outside + 1e-300
        product.bound = product.bound[:0]
        masses = unwrapped(np.fft.irfft(product.value, size), low - product.first)
        np.maximum(masses, 0.0, out=masses)
        total = math.fsum(times * law.variance for law, times in self.laws)
        if total <= 0:
            return Tilted(c, k, low, masses, np.zeros(size), error, blur)
        smoothing = Smoothing.least(total, self.widest * self.spacing, self.spacing)
        kernel = smoothing.kernel(c, self.spacing, size)
        ends = float(kernel.min(where=kernel > 0, initial=math.inf))  # beyond them the kernel is smaller still
        more = error * float(np.linalg.norm(kernel)) + (unit + outside) * float(kernel.max()) + ends
        kernel = np.fft.rfft(kernel)
        kernel *= product.value
        product.value = product.value[:0]
        gap = unwrapped(np.fft.irfft(kernel, size), low - product.first)
        np.maximum(gap, 0.0, out=gap)
        gap += more
        np.nan_to_num(gap, copy=False, nan=_VAST, posinf=_VAST)
        gap *= (1 + 2 * blur) * smoothing.factor
        return Tilted(c, k, low, masses, gap, error, blur)

    # ---- the profiles -----------------------------------------------------------------------------------------

    def bounds(self, least: tuple[float, float], symmetric: bool) -> tuple[tuple[Dots, Dots], tuple[Dots, Dots]]:
        """Dots above and dots below the profiles of both directions; ``least``: masses at infinity from below."""
        parts: list[Tilted] = []
        rows: dict[int, list[Rows]] = {1: []} if symmetric else {1: [], -1: []}
        for c in self.axis.tilts():
            if c >= 0.5 or not symmetric:
                part = self.tilted(c)
                for sign, found in rows.items():
                    found.append(self._rows(part, sign))
                parts.append(part._replace(masses=np.zeros(0), gap=np.zeros(0)))  # they are long, cells are fewer
        sides = [self._side(parts, found, sign, mass) for (sign, found), mass in zip(rows.items(), least)]
        (up, up_below), (down, down_below) = sides[0], sides[-1]
        return (up, down), (up_below, down_below)

    def _side(self, parts: Sequence[Tilted], rows: Sequence[Rows], sign: int, least: float) -> tuple[Dots, Dots]:
        """Dots above and below the profile of one direction.

        Upwards from a loss of 0 with masses under H0; downwards with H0 and H1 exchanged. The profile is known at the
        ends of cells. Lines between them are above it. Below it is the profile of a law whose outcomes are merged
        within each cell, which is the law itself if cells hold single losses.
        """
        count, width = self.cells[sign > 0], self.each * self.spacing
        start = width * np.arange(count, dtype=float)
        every = [part.k - (part.c if sign > 0 else 1 - part.c) * start for part in parts]
        best = np.argmin(every, axis=0)
        scale = np.exp(np.clip(np.choose(best, every), -720.0, 700.0))
        mass, rise, gap = (np.choose(best, values) * scale for values in zip(*rows))
        cells = ProfileCells(start, width, mass, rise)
        growth = cells.growth
        # by the Cauchy–Schwarz inequality, over the lattice points of all cells beyond, or the tails of all these cells
        weights = scale * math.sqrt(self.each)
        errors = np.array([part.error * math.exp(min(max(part.c, 1 - part.c) * width, 700.0)) for part in parts])
        by_tails = _sum_from(growth * cells.run * _rooted(errors, best, weights))
        error = np.minimum(_rooted(errors, best, growth * weights), by_tails)
        error += 2 * max(part.blur for part in parts) * cells.call[:-1]
        infinity = self._infinity(1 if sign > 0 else 0)
        noise = error + self._noise(cells, infinity)
        # overflowing errors are no information
        less = np.nan_to_num(noise + gap * growth * math.exp(width), nan=_VAST, posinf=_VAST)
        less = _largest_around(less)
        corners, below = cells.merged(self.offsets[sign > 0] if self.is_exact else None)
        if self.is_exact:  # merged cells are the law itself
            ends, above = corners, below + np.append(noise[0], noise)
        else:
            ends, above = np.append(start, count * width), cells.call + np.append(error, 0.0)
        above = np.minimum(np.nan_to_num(above + infinity, nan=1.0), 1.0)
        below = below - np.append(less[0], less) + least
        up, down = (np.append(True, np.diff(x) > 0) for x in (ends, corners))
        return Dots(ends[up], above[up], infinity), Dots(corners[down], _without_dips(below[down], least), least)

    def _rows(self, part: Tilted, sign: int) -> Rows:
        """For every cell outwards from 0: mass, E(e^{x − e} − 1) with e its start, and the largest gap.

        All without the factor e^{k − c·e}.
        """
        c, count = part.c if sign > 0 else 1 - part.c, self.cells[sign > 0]
        first, offset = part.low, self.offsets[sign > 0]
        if sign < 0:
            first = -(part.low + len(part.masses) - 1) - (offset > 0)
        cell = max(-(-first // self.each), 0)  # the first one that lies within the window
        last = max(min((first + len(part.masses)) // self.each, count), cell)
        within = slice(cell * self.each - first, last * self.each - first)
        masses, gaps = (x[::sign][within].reshape(-1, self.each) for x in (part.masses, part.gap))
        inner = offset + self.spacing * np.arange(self.each, dtype=float)
        mass, rise, gap = np.zeros(count), np.zeros(count), np.full(count, part.gap.min())
        with np.errstate(over="ignore"):
            mass[cell:last] = masses @ np.exp(-c * inner)
            rise[cell:last] = masses @ (np.expm1(inner) * np.exp(-c * inner))
        gap[cell:last] = gaps.max(axis=1, initial=0.0) * math.exp(min(abs(c) * self.each * self.spacing, 700.0))
        return mass, rise, gap

    def _infinity(self, world: int) -> float:
        """Upper bound on a mass at infinity: that of the steps, and what lies beyond the last cells."""
        seen = math.fsum(times * math.log1p(-min(law.infinity[world], 1 - 1e-16)) for law, times in self.laws)
        width = self.each * self.spacing
        beyond = self.axis.beyond(float(world), 0.0, (-self.cells[0] * width, self.cells[1] * width))
        return min(-math.expm1(seen) * (1 + 1e-13) + beyond, 1.0)

    def _noise(self, cells: ProfileCells, infinity: float) -> Floats:
        """Bound on the contribution of errors in the steps' profiles: Σ share·delta(e − shift) and Σ lost."""
        share = math.fsum(times * law.share for law, times in self.laws)
        lost = math.fsum(times * law.lost for law, times in self.laws)
        shift = self.widest * self.spacing
        at = np.searchsorted(cells.start, cells.start - shift, side="right") - 1
        # calls below 0 are at most that much larger
        before = np.where(at >= 0, cells.call[np.maximum(at, 0)], cells.call[0] - math.expm1(-shift))
        return share * (before + infinity) + lost


class ProfileCells:
    """Cells of losses from 0 on: start, width, mass under H0, and E(e^{x − start} − 1)."""

    def __init__(self, start: Floats, width: float, mass: Floats, rise: Floats) -> None:
        self.start, self.width, self.mass, self.rise = start, width, mass, rise
        self.growth, self.run = np.exp(np.minimum(start, 709.0)), math.expm1(width)
        self.tail = np.append(_sum_from(mass), 0.0)
        self.call = np.append(_sum_from(self.growth * (rise + self.run * self.tail[1:])), 0.0)

    def merged(self, offset: float | None) -> tuple[Floats, Floats]:
        """0 and the mean losses of cells with merged outcomes, and the calls of such a law there.

        ``offset``: where the only loss of a cell lies.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.where(self.mass > 0, np.minimum(self.rise / self.mass, self.run), 0.0)
        loss = np.nan_to_num(mean) if offset is None else math.expm1(offset)
        call = self.call[1:] + self.tail[1:] * self.growth * (self.run - loss)
        corners = self.start + (np.minimum(np.log1p(loss), self.width * (1 - 1e-9)) if offset is None else offset)
        return np.append(0.0, corners), np.append(self.call[0], call)


def _largest_around(values: Floats) -> Floats:
    """The largest of every value and its two neighbours."""
    out = values.copy()
    out[1:] = np.maximum(out[1:], values[:-1])
    out[:-1] = np.maximum(out[:-1], values[1:])
    return out


def _without_dips(bound: Floats, least: float) -> Floats:
    """Raise a piecewise linear lower bound of a decreasing function to its values further out.

    From the last point before a dip on, the bound is level. Lines into a dip would not be bounds once it is filled.
    Below ``least``, which holds everywhere, nothing is a dip.
    """
    later = np.maximum.accumulate(bound[::-1])[::-1]
    dips = np.append((bound[1:] < later[1:]) & (later[1:] > least), False)
    return np.where(later > least, np.where(dips, np.append(later[1:], later[-1]), later), bound)


def _sum_from(terms: Floats) -> Floats:
    return np.cumsum(terms[::-1])[::-1]


def _rooted(errors: Floats, best: np.ndarray, weight: Floats) -> Floats:
    """Σ over tilts of error·√Σ weight² over the cells from each on that the tilt is for."""
    total = np.zeros(len(weight))
    for tilt in np.unique(best):
        with np.errstate(over="ignore"):
            total += float(errors[tilt]) * np.sqrt(_sum_from(np.where(best == tilt, weight, 0.0) ** 2))
    return total
