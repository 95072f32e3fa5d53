"""Several laws with few nodes each, evaluated together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dplens.losses.base import UNIT, Complexes, Floats, NodeLaw, Nodes, StepLoss
from dplens.losses.bounded import AtomicLoss, BoundedLoss, bounded_nodes
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
        panels = math.ceil(2 * self.reach / grade)  # the one of the largest losses needs most
        return latest(self, "_latest_rows", panels, lambda: self._rows(panels))

    def _rows(self, panels: int) -> Nodes:
        bounded = [law for law in self._laws if isinstance(law, BoundedLoss)]
        if bounded:
            rows = bounded_nodes(bounded, panels)
            return rows._replace(log_weight=np.maximum(rows.log_weight, _VOID))
        laws = [law for law in self._laws if isinstance(law, AtomicLoss)]
        loss, p = np.zeros((2, len(laws), max(len(law.p) for law in laws)))
        for i, law in enumerate(laws):
            loss[i, : len(law.p)], p[i, : len(law.p)] = law.loss, law.p
        with np.errstate(divide="ignore"):
            log_weight = np.maximum(np.log(p), _VOID)
        return Nodes(loss, log_weight, np.abs(loss), 1.0 + np.abs(log_weight) / 2)

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        k, error = super().evaluate(c, t)
        return self._times @ k, self._times @ (error + 2 * UNIT * np.abs(k.real))

    def cgf(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        k, mean, variance = super().cgf(c)
        return self._times @ k, self._times @ mean, self._times @ variance

    def envelope(self, c: float, t: Floats) -> Floats:
        out = np.zeros(len(t))  # laws of finitely many losses have an envelope of 1
        for kind in {type(law) for law in self._laws if isinstance(law, BoundedLoss)}:
            mine = [i for i, law in enumerate(self._laws) if type(law) is kind]
            epsilon0 = np.array([[self._laws[i].reach] for i in mine])
            out += self._times[mine] @ np.log(kind.envelopes(epsilon0, c, t))
        return np.exp(out)

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
