"""How fast the characteristic function of a tilted loss falls off, from above."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dplens.engine.laws import Floats

_MOST = 18  # cells that are used


class Cells(NamedTuple):
    """Outcomes put together: their masses (from below), and the least and largest loss in each."""

    mass: Floats
    low: Floats
    high: Floats

    def heaviest(self) -> Cells:
        """Any cells give a bound, and the heaviest a good one."""
        keep = np.sort(np.argsort(self.mass)[-_MOST:])
        return Cells(self.mass[keep], self.low[keep], self.high[keep])


def decay(cells: Cells, variation: float, atom: float, least: float) -> tuple[Floats, Floats]:
    """Where stretches of t start, from ``least`` on, and a bound on |phi(u)| for all u from there on.

    Two bounds. 1 − |phi(t)|² = E[1 − cos(t·D)], D the difference of two independent losses: outcomes are put into
    cells in increasing order of the loss, their masses and 1 − cos of what lies between two cells are rounded down.
    And |phi(t)| ≤ atom + V/t, V the total variation of the density of the loss.
    """
    mass, low, high = cells.heaviest()
    first, second = np.triu_indices(len(mass), 1)
    weight = 2 * mass[first] * mass[second]
    near, far = np.maximum(low[second] - high[first], 0.0), high[second] - low[first]
    bottom, top = min(least, variation / 4), 4 * variation
    t = np.geomspace(bottom, top, max(8, math.ceil(math.log(top / bottom) / math.log(1.2))))
    ends = np.append(t[1:], t[-1])
    from_low, from_high = np.multiply.outer(t, near), np.multiply.outer(ends, far)
    gap = np.minimum(1 - np.cos(from_low), 1 - np.cos(from_high))
    caught = np.sum(np.where(from_high < 2 * math.pi, gap, 0.0) * weight, axis=1)
    bound = np.minimum(np.sqrt(np.maximum(1 - caught * (1 - 1e-9), 0.0)), atom + variation / t)
    bound[-1] = atom + variation / t[-1]
    return t, np.minimum(np.maximum.accumulate(bound[::-1])[::-1] * (1 + 1e-12), 1.0)


def at(start: Floats, bound: Floats, t: Floats) -> Floats:
    """The bound of the stretch that t lies in."""
    index = np.searchsorted(start, t, side="right") - 1
    return np.where(index < 0, 1.0, bound[np.maximum(index, 0)])
