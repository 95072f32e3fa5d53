"""How fast the characteristic function of a tilted loss falls off, from above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dplens.engine.laws import Floats

_MOST = 9  # cells of each sort that are paired
_EACH = 4  # points in a cell
_RATIO = 1.4  # of neighbouring t
_TURN = 6.2831853  # 2π from below
_STRETCHES = 4, 16  # cells put together


class Cells(NamedTuple):
    """Neighbouring outcomes put together, for losses with a density: one row a cell, in order."""

    mass: Floats  # from below
    low: Floats  # least and largest loss
    high: Floats
    moved: Floats  # how much the density of the loss moves
    value: Floats  # that density where cells start, and at the end of the last
    hidden: Floats  # what a stretch that holds the cell may move besides

    def mirrored(self) -> Cells:
        """Of minus the loss."""
        return Cells(self.mass, -self.high, -self.low, self.moved, self.value, self.hidden)

    def variation(self) -> float:
        """Total variation of the density, from 0 to 0."""
        return float(np.sum(self.moved) + self.value[0] + self.value[-1] + self.hidden.max())

    def stretches(self, width: int) -> tuple[Floats, Floats]:
        """Mass and variation of ``width`` cells at a time, as if there were no others."""
        starts = np.arange(0, len(self.moved), width)
        inside = np.add.reduceat(self.moved, starts) + np.maximum.reduceat(self.hidden, starts)
        ends = np.append(self.value[starts[1:]], self.value[-1])
        return np.add.reduceat(self.mass, starts), inside + self.value[starts] + ends


def cells_between(step: float, loss: Floats, density: Floats, slope: Floats, bend: Floats, steep: Floats) -> Cells:
    """Cells of several points each, from values at points ``step`` apart.

    ``slope`` is the derivative of the loss. Between each point and the next, ``bend`` bounds the second derivative of
    the log-density from above, and ``steep`` the size of the derivative of log(density/slope); in every stretch at most
    three steps may hold an extremum of density/slope, the density of the loss, that the points do not show.
    """
    count = (len(loss) - 1) // _EACH * _EACH + 1
    ends, width = slice(0, count, _EACH), step * _EACH
    grouped = (-1, _EACH)
    dip = np.exp(-np.maximum(bend[: count - 1].reshape(grouped).max(axis=1), 0.0) * width**2 / 8)
    mass = width * dip * np.minimum(density[ends][1:], density[ends][:-1])
    g = np.minimum(density[:count] / slope[:count], 1e260)
    hidden = (g * np.expm1(np.minimum(step / 2 * steep[:count], 50.0)))[:-1].reshape(grouped).max(axis=1)
    moved = np.abs(np.diff(g)).reshape(grouped).sum(axis=1)
    return Cells(mass, loss[ends][:-1], loss[ends][1:], moved, g[::_EACH], 6 * hidden)


def decay(parts: Sequence[Cells], atoms: Sequence[tuple[float, float]], least: float) -> tuple[Floats, Floats]:
    """Where stretches of t start, from ``least`` on, and a bound on |phi(u)| for all u from there on.

    The loss has the densities of ``parts`` and ``atoms``, each a loss and its mass. Three bounds:

    * 1 − |phi(t)|² = E[1 − cos(t·D)], D the difference of two independent losses: masses and 1 − cos of what lies
      between two cells are rounded down.
    * |phi(t)| ≤ atoms + V/t, V the total variation of the density.
    * A stretch of outcomes of mass m adds at most m to phi, and at most V/t with V of that stretch alone: a few
      outcomes with large losses are soon out of phase, long before all the others are.
    """
    total, atom = sum(cells.variation() for cells in parts), sum(mass for _, mass in atoms)
    bottom, top = min(least, total / 4), 4 * total
    count = max(8, math.ceil(math.log(top / bottom) / math.log(_RATIO)))
    t = bottom * (top / bottom) ** (np.arange(count) / (count - 1))
    bound = np.minimum(_by_pairs(parts, atoms, t), atom + total / t)
    for width in _STRETCHES:
        lost = np.zeros_like(t)
        for mass, variation in (cells.stretches(width) for cells in parts):
            lost += np.sum(np.maximum(mass - np.multiply.outer(1 / t, variation), 0.0), axis=1)
        bound = np.minimum(bound, 1 - lost * (1 - 1e-9))
    bound[-1] = atom + total / t[-1]
    return t, np.minimum(np.maximum.accumulate(bound[::-1])[::-1] * (1 + 1e-12), 1.0)


def _by_pairs(parts: Sequence[Cells], atoms: Sequence[tuple[float, float]], t: Floats) -> Floats:
    """Any cells give a bound, and the heaviest a good one, together with those that the variance comes from."""
    at_atoms = np.array(atoms).reshape(-1, 2)
    mass = np.concatenate([at_atoms[:, 1], *(cells.mass for cells in parts)])
    low = np.concatenate([at_atoms[:, 0], *(cells.low for cells in parts)])
    high = np.concatenate([at_atoms[:, 0], *(cells.high for cells in parts)])
    middle = (low + high) / 2
    away = mass * np.abs(middle - mass @ middle / mass.sum())
    many = np.zeros(len(mass), dtype=bool)
    for weight in (mass, away, away * away / np.maximum(mass, 1e-300)):
        many[np.argpartition(weight, -_MOST)[-_MOST:] if len(weight) > _MOST else slice(None)] = True
    keep = np.flatnonzero(many)
    keep = keep[np.argsort(middle[keep])]
    mass, low, high = mass[keep], low[keep], high[keep]
    number = np.arange(len(mass))
    first, second = np.nonzero(number[:, None] < number)
    near, far = low[second] - high[first], high[second] - low[first]
    # 1 − cos rises up to π and is the same on both sides of it: what lies nearest to 0 or 2π counts
    angle = np.minimum(np.multiply.outer(t, near), _TURN - np.multiply.outer(np.append(t[1:], t[-1]), far))
    caught = (1 - np.cos(np.maximum(angle, 0.0))) @ (2 * mass[first] * mass[second])
    return np.sqrt(np.maximum(1 - caught * (1 - 1e-9), 0.0))


def at(start: Floats, bound: Floats, t: Floats) -> Floats:
    """The bound of the stretch that t lies in."""
    index = np.searchsorted(start, t, side="right") - 1
    return np.where(index < 0, 1.0, bound[np.maximum(index, 0)])
