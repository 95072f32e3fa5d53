"""Several laws with few nodes each, evaluated together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dplens.losses.base import UNIT, Complexes, Floats, NodeLaw, Nodes, StepLoss
from dplens.losses.bounded import AtomicLoss, BoundedLoss
from dplens.numerics.sharing import latest

REACH = 20.0  # tilts times losses for which moments need no scaling
_MOST = 250  # laws in a stack, which bounds the memory
FEWEST = 4  # laws worth a stack
_VOID = -2000.0  # log-weight of nodes that only fill a row


SmallLaw = BoundedLoss | AtomicLoss


class Stack(NodeLaw):
    """The sum of independent losses of steps, as a law. The nodes of each step are a row of one array.

    It is for tilts c with |c|·reach < REACH, for which the moments of each step need no scaling.
    """

    def __init__(self, steps: Sequence[tuple[SmallLaw, int]]) -> None:
        """``steps``: in the order of their largest losses."""
        self._laws, self._times = [law for law, _ in steps], np.array([float(times) for _, times in steps])
        masses = np.array([law.infinity_masses for law in self._laws])
        self.infinity_masses = masses[:, 0], masses[:, 1]  # pyright: ignore[reportAttributeAccessIssue]
        self.is_symmetric = all(law.is_symmetric for law in self._laws)
        self.reach = self._laws[-1].reach

    def grade(self, c: float, t: float) -> float:
        return self._laws[-1].grade(c, t)

    def nodes(self, first: float, last: float, grade: float) -> Nodes:
        panels = max(1, math.ceil(2 * self.reach / grade))
        return latest(self, "_latest_rows", panels, lambda: self._rows(panels))

    def _rows(self, panels: int) -> Nodes:
        """The nodes of each law, on as many panels as the one of the largest losses needs."""
        rows = [law.nodes(0.0, 0.0, 2 * law.reach / panels) for law in self._laws]
        out = np.zeros((4, len(rows), max(len(row.loss) for row in rows)))
        out[1] = _VOID
        for i, row in enumerate(rows):
            out[:, i, : len(row.loss)] = row
        return Nodes(*out)

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        k, error = super().evaluate(c, t)
        return self._times @ k, self._times @ (error + 2 * UNIT * np.abs(k.real))

    def cgf(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        k, mean, variance = super().cgf(c)
        return self._times @ k, self._times @ mean, self._times @ variance

    def envelope(self, c: float, t: Floats) -> Floats:
        return np.exp(sum(n * np.log(law.envelope(c, t)) for law, n in zip(self._laws, self._times)))

    def cost(self, c: float, t: float) -> float:
        return len(self._laws) * self._laws[-1].cost(c, t)


def stacked(steps: Sequence[tuple[StepLoss, int]]) -> list[tuple[StepLoss, int]]:
    """The same steps with laws of one kind that have few nodes in stacks."""
    found: list[tuple[StepLoss, int]] = list(steps)
    for kind in (BoundedLoss, AtomicLoss):
        small = [(law, n) for law, n in found if isinstance(law, kind) and law.is_small]
        if len(small) < FEWEST:
            continue
        small.sort(key=lambda step: step[0].reach)
        rest = [(law, n) for law, n in found if not (isinstance(law, kind) and law.is_small)]
        parts = np.array_split(np.arange(len(small)), -(-len(small) // _MOST))
        found = [*rest, *((Stack([small[i] for i in part]), 1) for part in parts)]
    return found
