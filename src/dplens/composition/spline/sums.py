"""Sums of losses with atoms and a level density: atoms and a piecewise polynomial, without cancellation.

With dν = e^{L/2} dP = e^{−L/2} dQ, composing steps convolves their ν. For a Laplace step of epsilon a that is
e^{−a/2}·(½·δ_{−a} + ½·δ_a + ¼·1_{[−a, a]}), for a step of bounded range e^{−a/2}/(2·(1 − e^{−a}))·1_{[−a, a]}: two
atoms and a box. The mass that a window of the box's width sees is the tail of the cell it leaves, the head of the cell
it enters and all between: sums of positive numbers, so every mass keeps its digits, also at the ends of the support.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from dplens.composition.spline.bernstein import elevated, heads, part, tails
from dplens.curves.base import Floats

Whole = npt.NDArray[np.int64]

_DROPPED = 1e-17  # share of many equal steps that may be dropped


@dataclass(frozen=True, eq=False)
class Spline:
    """Atoms at knots, and polynomial densities on the cells between them.

    Knots are whole numbers of a unit, so their sums and differences are exact. ``moved`` bounds, in units, how far
    merging neighbouring knots has moved any mass; ``rounds`` counts the rounding errors that a mass has accumulated.
    """

    knots: Whole
    atoms: Floats
    masses: Floats  # a row for each cell; see composition/spline/bernstein.py
    moved: int = 0
    rounds: int = 0

    @classmethod
    def of_atoms(cls, knots: Whole, atoms: Floats) -> Spline:
        """Atoms without any density."""
        return cls(knots, atoms, np.zeros((len(knots) - 1, 1)))

    def on(self, grid: Whole) -> tuple[Floats, bool]:
        """The density on the cells of a grid that holds all of the knots it spans, and whether that cut any cell."""
        degree = self.masses.shape[1] - 1
        cell = np.searchsorted(self.knots, grid[:-1], side="right") - 1
        inside = np.flatnonzero((cell >= 0) & (cell < len(self.masses)))
        cell = cell[inside]
        start, stop = grid[inside] - self.knots[cell], grid[inside + 1] - self.knots[cell]
        width = self.knots[cell + 1] - self.knots[cell]
        found = self.masses[cell]
        cut = np.flatnonzero(((start > 0) | (stop < width)) & (found.sum(axis=1) > 0))
        if len(cut):
            found[cut] = part(found[cut], *(x[cut].astype(float) for x in (start, stop, width)))
        out = np.zeros((len(grid) - 1, degree + 1))
        out[inside] = found
        return out, len(cut) > 0

    def times(self, reach: int, atom: float, box: float) -> Spline | None:
        """One more step: atoms of mass ``atom`` at ±reach and mass ``box`` spread between.

        None if a cell is wider than the box. Composing narrow boxes first avoids that (see :meth:`_between`).
        """
        cut = cut_too = False
        if (np.diff(self.knots) == 2 * reach).all():  # repeated steps: every window ends with a cell
            grid, none = np.append(self.knots - reach, self.knots[-1] + reach), np.zeros((1, self.masses.shape[1]))
            left, entered = np.concatenate([none, self.masses]), np.concatenate([self.masses, none])
            between = self.atoms
        else:
            grid = np.unique(np.concatenate([self.knots - reach, self.knots + reach]))
            (left, cut), (entered, cut_too) = self.on(grid - reach), self.on(grid + reach)
            between = self._between(grid, reach, left, entered)
        if between is None:
            return None
        count = self.masses.shape[1] + 1
        share = np.diff(grid) / (2.0 * reach) * (box / count)
        masses = share[:, None] * (tails(left) + heads(entered) + between[:, None])
        atoms = np.zeros(len(grid))
        if atom:
            masses += atom * elevated(left + entered)
            for moved in (self.knots - reach, self.knots + reach):
                atoms[np.searchsorted(grid, moved)] += atom * self.atoms
        # the partial sums, the stretches between, de Casteljau's scheme from both sides
        rounds = self.rounds + count + (40 if between.any() else 12) + (4 * count if cut or cut_too else 0)
        return Spline(grid, atoms, masses, self.moved, rounds)

    def _between(self, grid: Whole, reach: int, left: Floats, entered: Floats) -> Floats | None:
        """The mass of the cells that a window around any point of a cell of the new grid covers entirely.

        Each end of the window moves within one cell. If no knot lies between these two cells, the old cell around them
        is wider than the window, and empty: cells with a density are no wider than the widest box so far.
        """
        first = np.searchsorted(self.knots, grid[1:] - reach, side="left")
        last = np.searchsorted(self.knots, grid[:-1] + reach, side="right") - 1
        some = first <= last
        if (left[~some] > 0).any() or (entered[~some] > 0).any():
            return None
        own = np.arange(len(grid) - 1)
        knot = self.knots[np.minimum(first, len(self.knots) - 1)]
        found = _sums(self.atoms, first, last + 1)
        found += _sums(left.sum(axis=1), own + 1, np.searchsorted(grid - reach, knot))
        found += _sums(entered.sum(axis=1), np.searchsorted(grid + reach, knot), own)
        return np.where(some, found, 0.0)

    def gathered(self, close: int) -> Spline:
        """Merge knots closer than ``close``: cells move with their ends, and those without a width become atoms."""
        gap = np.diff(self.knots)
        apart = gap > close
        if apart.all():
            return self
        starts = np.flatnonzero(np.concatenate([[True], apart]))
        ends = np.append(starts[1:], len(self.knots)) - 1
        middle = self.knots[(starts + ends) // 2]
        moved = int(np.max(np.maximum(middle - self.knots[starts], self.knots[ends] - middle)))
        atoms = np.add.reduceat(self.atoms, starts)
        np.add.at(atoms, np.cumsum(apart)[~apart], self.masses[~apart].sum(axis=1))
        return Spline(middle, atoms, self.masses[apart], self.moved + moved, self.rounds + 4)

    def split(self, width: int) -> Spline:
        """Split cells wider than ``width``."""
        gap = np.diff(self.knots)
        pieces = np.where(self.masses.sum(axis=1) > 0, -(-gap // width), 1)
        if (pieces <= 1).all():
            return self
        ends = [self.knots[-1:]]
        for low, high, count in zip(self.knots[:-1], self.knots[1:], pieces):
            ends.append(low + (high - low) // count * np.arange(count))
        grid = np.sort(np.concatenate(ends))
        atoms = np.zeros(len(grid))
        atoms[np.searchsorted(grid, self.knots)] = self.atoms
        rounds = self.rounds + 4 * self.masses.shape[1]
        return replace(self, knots=grid, atoms=atoms, masses=self.on(grid)[0], rounds=rounds)

    def reversed(self) -> Spline:
        """H0 and H1 exchanged."""
        return replace(self, knots=-self.knots[::-1], atoms=self.atoms[::-1], masses=self.masses[::-1, ::-1])


def _sums(values: Floats, start: np.ndarray, stop: np.ndarray) -> Floats:
    """values[start] + … + values[stop − 1] for many stretches at once, each added up by itself."""
    if not len(values):
        return np.zeros(len(start))
    padded = np.append(values, 0.0)
    ends = np.stack([start, np.maximum(stop, start)], axis=1).ravel()
    found = np.add.reduceat(padded, np.minimum(ends, len(values)))[::2]
    return np.where(stop > start, found, 0.0)


# ---- many equal steps -------------------------------------------------------------------------------------------


def spline_power(epsilon: float, reach: int, count: int, log_finite: float = 0.0) -> tuple[Spline | None, float]:
    """The sum of ``count`` Laplace steps, or None if it takes more than half a second, and a bound on what it drops.

    With A = ½·(δ_{−a} + δ_a) and B uniform on [−a, a], the ν of n steps is a multiple of Σ_j c_j·A^{n−j}·B^j,
    c_j = C(n, j)·(box/atoms)^j. By Horner's scheme in B that is one box for each j, with binomial weights in between.
    If a is small, boxes are rare, so that few j suffice for any number of steps.

    The share lost by dropping the j > J: a uniform step is a mean-preserving contraction of two atoms,
    and calls are expectations of a convex function of the loss, so X_j = A^{n−j}·B^j has smaller calls and puts for
    larger j. They lose at most Σ_{j>J} c_j/Σ_{j≤J} c_j. Floors are expectations of e^{−|L − e|/2}, which moving a step
    within [−a, a] changes by at most a factor e^a: they lose at most
    Σ_{j>J} c_j·e^{a·(j−J)}/Σ_{j≤J} c_j·e^{−a·(J−j)}.

    ``log_finite``: log of the chance that none of them fails. Powers of 1 − kappa would multiply its rounding by count.
    """
    if count > 200_000:
        return None, 0.0
    ratio = epsilon / 2
    boxes = _boxes(epsilon, count)
    row = _binomial_row(count - boxes)
    there = np.flatnonzero(row)  # the others, more than 38 standard deviations out, underflow
    if len(there) * boxes**2 / 2 > 1e8:
        return None, 0.0
    terms = [math.exp(log_finite)]
    for j in range(1, boxes + 1):
        terms.append(terms[-1] * ((count - j + 1) / j * ratio))
    row, knots = row[there], (2 * there - (count - boxes)).astype(np.int64) * reach
    spline: Spline | None = Spline.of_atoms(knots, row * terms[-1])
    for term in terms[-2::-1]:
        spline = spline.times(reach, 0.0, 1.0)
        if spline is None:  # pragma: no cover - every window ends with a cell
            return None, 0.0
        row = (np.append(row, 0.0) + np.append(0.0, row)) / 2  # one more coin
        spline = replace(spline, atoms=row * term)
    # terms, rows and the probability that none fails, in addition to the roundings the spline counts
    return replace(spline, rounds=spline.rounds + 6 * boxes + 8 + math.ceil(-8 * log_finite)), 2 * _DROPPED


def _boxes(epsilon: float, count: int) -> int:
    """The smallest J for which the dropped terms are negligible."""
    j = np.arange(count + 1, dtype=float)
    log_term = gammaln(count + 1.0) - gammaln(j + 1) - gammaln(count - j + 1) + j * (math.log(epsilon / 2) + epsilon)
    term = np.exp(log_term - log_term.max())
    dropped = np.append(np.cumsum(term[::-1])[-2::-1], 0.0)
    return int(np.flatnonzero(dropped <= _DROPPED * np.cumsum(term))[0])


def _binomial_row(count: int) -> Floats:
    """Chances of the numbers of heads of ``count`` fair coins, each rounded once or twice."""
    half, ways, exponent = [], 1, -count  # C(count, k)·2^−count = ways·2^exponent
    for k in range(count // 2 + 1):
        half.append(math.ldexp(float(ways), exponent))
        ways = ways * (count - k) // (k + 1)
        if ways.bit_length() > 512:  # the remaining 256 bits are far more than the quotients lose
            ways >>= 256
            exponent += 256
    return np.array(half + half[: count + 1 - len(half)][::-1])
