"""The sum of spread steps on their lattice: tilted Fourier transforms, read as profiles at every few lattice points.

Under a tilt c, masses p become p·e^{c·x − K(c)}, so that a transform tells the losses near K'(c) apart from rounding.
Each tilt needs a window no longer than what is likely under it. Steps are transformed one after another, those that
smooth most first. Once the product of their transforms has vanished beyond a low frequency, listed losses need no
longer be spread: their own transforms at low frequencies are found on a coarse lattice by B-splines, which reproduce
e^{itx} up to an error of (t/t')^order, t' the least frequency that the coarse lattice takes for t (Unser 1999).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dplens.curves.base import Floats
from dplens.curves.polygons import Dots
from dplens.engine.coarse_axis import CoarseAxis
from dplens.engine.laws import UNIT
from dplens.engine.products import FEW, Product, Weights, placed, round_length
from dplens.engine.spreading import Smoothing, SpreadLaw

Laws = Sequence[tuple[SpreadLaw, int]]

_BATCH = 3  # transforms at once
_SHORTER = 6  # how much shorter a lattice is on which some steps are summed first
_ORDER, _FINER = 12, 16  # of B-splines, and how much finer than the frequencies their lattice is: errors of 2e-14
_SPLINE_ERROR = 2.2 * (_FINER - 1.0) ** -_ORDER
_ALIASED = 38.0  # −log of the mass of a tilt that may lie outside its window
_ATOMIC = 3.0  # times the tolerance: the width that a cell may add to a power, relatively, ...
_RARE = 1e-14  # ... above this power
_VAST = 1e200


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
    """The whole, from a few tilts, each of which serves the losses that are likeliest under it."""

    def __init__(self, laws: Laws, spacing: float, each: int, axis: CoarseAxis, tolerance: float) -> None:
        # steps that have to be spread come first, then those with most losses, whose transforms vanish soonest
        self.laws = sorted(laws, key=lambda term: (term[0].listed is not None, -len(term[0].unspread[0])))
        self.spacing, self.each, self.axis, self.tolerance = spacing, each, axis, tolerance
        self.cells = [int(max(sign * end / spacing, 0.0) + 1e-6) // each + 1 for sign, end in zip((-1, 1), axis.window)]
        self.widest = max(law.every for law, _ in laws)

    # ---- under one tilt ---------------------------------------------------------------------------------------

    def tilted(self, c: float) -> Tilted:
        """The whole under the tilt c."""
        weights = [Weights.of(c, *law.unspread) for law, _ in self.laws]
        k = math.fsum(times * found.k for found, (_, times) in zip(weights, self.laws))
        # cells that are cut by an end of the window count for nothing
        low, high = (round(end / self.spacing) for end in self.axis.ends(c, k, _ALIASED))
        low, high = low - self.each - 1, high + self.each + 1
        product, spread = Product(round_length(high - low + 1)), 0
        while spread < len(self.laws):
            if self.laws[spread][0].listed is not None and product.kept() <= FEW * product.size:
                break
            rows: list[Floats] = []
            counts: list[int] = []
            while len(rows) < _BATCH and spread < len(self.laws):
                count = self._fitting(spread, product.size)
                block = self.laws[spread : spread + count]
                for at, (law, _) in enumerate(block, spread):
                    weights[at] = Weights.of(c, law.losses, law.log_p) if law.listed is not None else weights[at]
                row, times = _summed(product, block, weights[spread : spread + count])
                rows, counts, spread = [*rows, row], [*counts, times], spread + count
            product.times(np.fft.rfft(np.stack(rows)), counts)
        if spread < len(self.laws):
            product.drop(product.kept())
            places = [law.unspread[0] / self.spacing for law, _ in self.laws[spread:]]
            reach = max(float(np.max(np.abs(x), initial=0.0)) for x in places)
            moved = 2 * math.pi * len(product.value) / product.size * 4 * UNIT * reach  # by what places are rounded
            found = _at_low_frequencies(places, weights[spread:], product.size, len(product.value))
            product.times(found, [times for _, times in self.laws[spread:]], _SPLINE_ERROR + moved)
        k, blur = (
            math.fsum(times * found[i] for found, (_, times) in zip(weights, self.laws)) for i in (1, 2)
        )  # spreading has moved them
        ends = (low + self.each) * self.spacing, (low + product.size - 1 - self.each) * self.spacing
        return self._read(c, k, blur, low, product, self.axis.beyond(c, k, ends), self.laws[:spread])

    def _fitting(self, start: int, size: int) -> int:
        """How many steps are short enough to be summed on a shorter lattice first."""
        total, count = 0, 0
        for law, times in self.laws[start:]:
            total += times * (law.ends[1] - law.ends[0])
            if total > size // _SHORTER and count:
                break
            count += 1
        return count

    def _read(
        self, c: float, k: float, blur: float, low: int, product: Product, outside: float, spread: Laws
    ) -> Tilted:
        """Masses and gaps by the transform back; ``outside``: mass outside the window, which is wrapped into it."""
        size, unit = product.size, product.unit
        error = product.error() + outside + 1e-300
        masses = _inside(np.fft.irfft(product.value, size), low)
        total = math.fsum(times * law.variance for law, times in spread)
        if total <= 0:
            return Tilted(c, k, low, np.maximum(masses, 0.0), np.zeros(size), error, blur)
        widest = max(law.every for law, _ in spread)
        smoothing = Smoothing.least(total, widest * self.spacing, self.spacing)
        kernel = smoothing.kernel(c, self.spacing, size)
        density = _inside(np.fft.irfft(product.value * np.fft.rfft(kernel)[: len(product.value)], size), low)
        ends = float(kernel[kernel > 0].min())  # beyond them the kernel is smaller still
        more = error * float(np.linalg.norm(kernel)) + (unit + outside) * float(kernel.max()) + ends
        density = np.nan_to_num(np.maximum(density, 0.0) + more, nan=_VAST, posinf=_VAST)
        gap = density * ((1 + 2 * blur) * smoothing.factor)
        return Tilted(c, k, low, np.maximum(masses, 0.0), gap, error, blur)

    # ---- the profiles -----------------------------------------------------------------------------------------

    def bounds(
        self, tilts: Sequence[float], least: tuple[float, float], symmetric: bool
    ) -> tuple[tuple[Dots, Dots], tuple[Dots, Dots]]:
        """Dots above and dots below the profiles of both directions; ``least``: masses at infinity from below."""
        parts = [self.tilted(c) for c in tilts if c >= 0.5 or not symmetric]
        up = self._side(parts, 1, least[0])
        down = up if symmetric else self._side(parts, -1, least[1])
        return (up[0], down[0]), (up[1], down[1])

    def _side(self, parts: Sequence[Tilted], sign: int, least: float) -> tuple[Dots, Dots]:
        """Dots above and below the profile of one direction.

        Upwards from a loss of 0 with masses under H0; downwards the worlds are exchanged, and so are the masses. The
        profile is known at the ends of cells. Lines between them are above it. Below it is the profile of a law whose
        outcomes within a cell are told apart no longer.
        """
        count, width = self.cells[sign > 0], self.each * self.spacing
        start = width * np.arange(count, dtype=float)
        every = [part.k - (part.c if sign > 0 else 1 - part.c) * start for part in parts]
        best = np.argmin(every, axis=0)
        scale = np.exp(np.clip(np.choose(best, every), -720.0, 700.0))
        rows = [self._rows(part, sign, count) for part in parts]
        mass, rise, gap = (np.choose(best, values) * scale for values in zip(*(found[:3] for found in rows)))
        cells = _Cells(start, np.full(count, width), mass, rise)
        apart = (
            np.flatnonzero(cells.width_of_power() > _ATOMIC * self.tolerance)
            if self.each > 1
            else np.zeros(0, dtype=int)
        )
        if len(apart):  # atoms: every lattice point is a cell
            inner = np.array([found[3][:, apart] for found in rows])[best[apart], :, np.arange(len(apart))]
            cells, whole = cells.split(apart, inner * scale[apart, None], self.spacing)
            best, scale, gap = best[whole], scale[whole], gap[whole]
        growth, call = np.exp(np.minimum(cells.start, 709.0)), cells.call
        # by the inequality of Cauchy and Schwarz, over the lattice points of all cells beyond
        weights = growth * scale * math.sqrt(self.each)
        errors = np.array([part.error * math.exp(min(max(part.c, 1 - part.c) * width, 700.0)) for part in parts])
        error = _rooted(errors, best, weights) + 2 * max(part.blur for part in parts) * call[:-1]
        infinity = self._infinity(1 if sign > 0 else 0)
        # errors that leave the floats say nothing
        above = np.minimum(np.nan_to_num(call + np.append(error, 0.0) + infinity, nan=1.0), 1.0)
        less = error + self._noise(cells, infinity) + gap * growth * math.exp(width)
        less = _largest_around(np.nan_to_num(less, nan=_VAST, posinf=_VAST))
        corners, below = cells.merged()
        below = below - np.append(less[0], less) + least
        new = np.append(True, np.diff(corners) > 0)
        ends = np.append(cells.start, count * width)
        return Dots(ends, above, infinity), Dots(corners[new], _without_dips(below[new]), least)

    def _rows(self, part: Tilted, sign: int, count: int) -> tuple[Floats, Floats, Floats, Floats]:
        """Of every cell outwards from 0: mass, E(e^{x − e} − 1) with e where it starts, largest gap; all masses.

        Without the factor e^{k − c·e}. All masses: a column a cell.
        """
        c = part.c if sign > 0 else 1 - part.c
        first = part.low if sign > 0 else -(part.low + len(part.masses) - 1)
        cell = max(-(-first // self.each), 0)  # the first one that lies within the window
        last = max(min((first + len(part.masses)) // self.each, count), cell)
        within = slice(cell * self.each - first, last * self.each - first)
        masses, gaps = (x[::sign][within].reshape(-1, self.each) for x in (part.masses, part.gap))
        inner = self.spacing * np.arange(self.each, dtype=float)
        every, gap = np.zeros((self.each, count)), np.full(count, part.gap.min())
        with np.errstate(over="ignore"):
            every[:, cell:last] = (masses * np.exp(-c * inner)).T
        gap[cell:last] = gaps.max(axis=1, initial=0.0) * math.exp(min(abs(c) * self.each * self.spacing, 700.0))
        return every.sum(axis=0), np.expm1(inner) @ every, gap, every

    def _infinity(self, world: int) -> float:
        """The mass at infinity of a world from above: that of the steps, and what lies beyond the last cells."""
        seen = math.fsum(times * math.log1p(-min(law.infinity[world], 1 - 1e-16)) for law, times in self.laws)
        width = self.each * self.spacing
        beyond = self.axis.beyond(float(world), 0.0, (-self.cells[0] * width, self.cells[1] * width))
        return min(-math.expm1(seen) * (1 + 1e-13) + beyond, 1.0)

    def _noise(self, cells: _Cells, infinity: float) -> Floats:
        """What noisy profiles of the steps can have added: Σ share·delta(e − shift) and Σ lost."""
        share = math.fsum(times * law.share for law, times in self.laws)
        lost = math.fsum(times * law.lost for law, times in self.laws)
        shift = self.widest * self.spacing
        at = np.searchsorted(cells.start, cells.start - shift, side="right") - 1
        # calls below 0 are at most that much larger
        before = np.where(at >= 0, cells.call[np.maximum(at, 0)], cells.call[0] - math.expm1(-shift))
        return share * (before + infinity) + lost


class _Cells:
    """Losses from 0 on, cell by cell: where they start, how wide they are, mass under H0, and E(e^{x − start} − 1)."""

    def __init__(self, start: Floats, width: Floats, mass: Floats, rise: Floats) -> None:
        self.start, self.width, self.mass, self.rise = start, width, mass, rise
        self.growth, self.run = np.exp(np.minimum(start, 709.0)), np.expm1(width)
        self.tail = np.append(_sum_from(mass), 0.0)
        self.call = np.append(_sum_from(self.growth * (rise + self.run * self.tail[1:])), 0.0)

    def width_of_power(self) -> Floats:
        """How far apart a cell puts the lines above and below the profile, relative to the power at its start."""
        apart = self.growth * self.run * self.mass / 4
        return apart / np.maximum(self.call[:-1] + self.growth * self.tail[:-1], _RARE)

    def split(self, which: np.ndarray, inner: Floats, spacing: float) -> tuple[_Cells, np.ndarray]:
        """Some cells as one a lattice point, with the masses ``inner``; and to which cell each belonged."""
        each = inner.shape[1]
        parts = np.ones(len(self.start), dtype=int)
        parts[which] = each
        whole = np.repeat(np.arange(len(parts)), parts)
        within = np.arange(len(whole)) - np.repeat(np.cumsum(parts) - parts, parts)
        fine = parts[whole] > 1
        mass = self.mass[whole]
        mass[fine] = inner.ravel()
        width = np.where(fine, spacing, self.width[whole])
        return _Cells(self.start[whole] + within * spacing, width, mass, np.where(fine, 0.0, self.rise[whole])), whole

    def merged(self) -> tuple[Floats, Floats]:
        """0 and the losses of cells whose outcomes are no longer told apart, and calls there of such a law."""
        with np.errstate(divide="ignore", invalid="ignore"):
            loss = np.nan_to_num(np.where(self.mass > 0, np.minimum(self.rise / self.mass, self.run), 0.0))
        call = self.call[1:] + self.tail[1:] * self.growth * (self.run - loss)
        corners = self.start + np.minimum(np.log1p(loss), self.width * (1 - 1e-9))
        return np.append(0.0, corners), np.append(self.call[0], call)


def _summed(product: Product, block: Laws, weights: Sequence[Weights]) -> tuple[Floats, int]:
    """Masses of spread steps, and how often they occur; several are summed on a lattice just long enough."""
    if len(block) == 1:
        return placed(block[0][0].index % product.size, weights[0].values, product.size), block[0][1]
    first = sum(times * law.ends[0] for law, times in block)
    short = Product(round_length(sum(times * (law.ends[1] - law.ends[0]) for law, times in block) + 1))
    rows = [placed(law.index - law.ends[0], w.values, short.size) for (law, _), w in zip(block, weights)]
    short.times(np.fft.rfft(np.stack(rows)), [times for _, times in block])
    product.shorter += short.error()
    row = np.zeros(product.size)
    row[(first + np.arange(short.size)) % product.size] = np.fft.irfft(short.value, short.size)
    return row, 1


def _at_low_frequencies(places: Sequence[Floats], weights: Sequence[Weights], size: int, kept: int) -> np.ndarray:
    """Transforms of masses at any places of a lattice of ``size`` points, at the first frequencies only."""
    coarse = size
    while coarse % 2 == 0 and coarse // 2 >= _FINER * kept and coarse > 4 * _ORDER:
        coarse //= 2
    x = np.concatenate(places) % size * (coarse / size)
    row = np.repeat(np.arange(len(places)), [len(part) for part in places])
    below = np.floor(x)
    splines = _b_splines(x - below)
    point = (below.astype(np.int64) + _ORDER // 2 - np.arange(_ORDER)[:, None]) % coarse
    masses = splines * np.concatenate([part.values for part in weights])
    spread = np.bincount((row * coarse + point).ravel(), masses.ravel(), len(places) * coarse)
    found = np.fft.rfft(spread.reshape(len(places), coarse))[:, :kept]
    return found / np.sinc(np.arange(kept) / coarse) ** _ORDER


def _b_splines(share: Floats) -> Floats:
    """The cardinal B-spline of that order at share, share + 1, …, row by row: sums of positive terms."""
    rows = np.ones((1, len(share)))
    for order in range(2, _ORDER + 1):
        x = share + np.arange(order)[:, None]
        rows = (np.pad(rows, ((0, 1), (0, 0))) * x + np.pad(rows, ((1, 0), (0, 0))) * (order - x)) / (order - 1)
    return rows


def _inside(wrapped: Floats, low: int) -> Floats:
    return np.roll(wrapped, -(low % len(wrapped)))


def _largest_around(values: Floats) -> Floats:
    """The largest of every value and its two neighbours."""
    out = values.copy()
    out[1:] = np.maximum(out[1:], values[:-1])
    out[:-1] = np.maximum(out[:-1], values[1:])
    return out


def _without_dips(bound: Floats) -> Floats:
    """A lower bound of a falling function, linear between points, raised to what is known further out.

    From the last point before a dip on, the bound is level; lines into a dip would not be bounds once it is filled.
    """
    later = np.maximum.accumulate(bound[::-1])[::-1]
    dips = np.append(bound[1:] < later[1:], False)
    return np.where(dips, np.append(later[1:], later[-1]), later)


def _sum_from(terms: Floats) -> Floats:
    return np.cumsum(terms[::-1])[::-1]


def _rooted(errors: Floats, best: np.ndarray, weight: Floats) -> Floats:
    """Σ over tilts of error·√Σ weight² over the cells from each on that the tilt serves."""
    total = np.zeros(len(weight))
    for tilt in np.unique(best):
        with np.errstate(over="ignore"):
            total += float(errors[tilt]) * np.sqrt(_sum_from(np.where(best == tilt, weight, 0.0) ** 2))
    return total
