"""What each side of a run tells by itself, at every delta: bounds of many runs without a look at any of them."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.correlated.cell_tests import CellTests
from dplens.correlated.lattice_cells import LatticeNoise
from dplens.correlated.run_laws import Sides, trimmed

Range = tuple[str, int, int]  # "inner" or "outer", and from which to which length

_KNOTS = 256
_NEVER = -1e200  # far below any bound, for what is impossible


class OneSide:
    """h(ε) = ∫(P_v − e^ε·P_v')⁺ of one side of the run and the noise, for lengths of that side, at knots 0, s, 2s, ….

    Arrays (ends, pairs (v, v'), 2, knots), without and with the target's own value; far below 0 where one of the states
    is impossible.
    """

    def __init__(self, sides: Sides, noise: LatticeNoise, step: float) -> None:
        self.sides, self.noise, self.step = sides, noise, step
        self.knots: Floats = step * np.arange(float(_KNOTS))
        self.found: dict[Range, Floats] = {}
        self.like: OneSide | None = None  # the other side, where both are alike between known ends

    def most(self, kind: str, low: int, high: int) -> Floats:
        """The largest of parts of these lengths."""
        key = kind, low, high
        if self.like is not None and kind == "inner":
            return self.like.most(*key)
        if key not in self.found:
            middle = (low + high) // 2
            self.found[key] = (
                self._of(kind, low)
                if low == high
                else np.maximum(self.most(kind, low, middle), self.most(kind, middle + 1, high))
            )
        return self.found[key]

    def _of(self, kind: str, length: int) -> Floats:
        law, possible = self.sides.of((kind, length))
        ends, states, size = law.shape
        own = np.zeros((ends, states, 2, size + int(self.sides.adds.max())))
        own[:, :, 0, :size] = law
        for v, by in enumerate(self.sides.adds):
            own[:, v, 1, by : by + size] = law[:, v]
        at = np.arange(ends * states * 2).reshape(ends, states, 2)
        pairs = np.array(list(itertools.permutations(range(states), 2)))
        cells = self.noise.cells(trimmed(own.reshape(len(at.ravel()), -1)))
        tests = CellTests.of(cells, at[:, pairs[:, 1]].ravel(), at[:, pairs[:, 0]].ravel(), both=False)
        out = tests.profiles(self.knots).reshape(ends, len(pairs), 2, _KNOTS)
        out[~(possible[:, pairs[:, 0]] & possible[:, pairs[:, 1]])] = _NEVER
        return out


def together(left: OneSide, right: OneSide, box: Any, least: float, delta: float) -> float:
    """A bound of epsilon(delta) of all runs in a rectangle of lengths, no less than ``least``.

    Replace one side at a time: with P = L·R and Q = L'·R between P and P' = L'·R' (convolutions, with noise), P ≤
    e^a·Q + h_L(a) and Q ≤ e^b·P' + h_R(b) on every set, as the other side only adds to the noise. So H_{a + b} ≤
    h_L(a) + e^a·h_R(b), for all a, b ≥ 0, in either order, and with the target's own value on either side.
    """
    one, two = left.most(*box[0])[:, None], right.most(*box[1])[None, :]
    high = float(left.knots[-2])
    if least >= high or _profile(one, two, left.knots, high) > delta:
        return math.inf
    if _profile(one, two, left.knots, least) <= delta:
        return least
    while high - least > left.step / 4:
        middle = (least + high) / 2
        least, high = (middle, high) if _profile(one, two, left.knots, middle) > delta else (least, middle)
    return high


def _profile(one: Floats, two: Floats, knots: Floats, epsilon: float) -> float:
    """The least of h_L(a) + e^a·h_R(epsilon − a) in the worst case."""
    step = float(knots[1])
    first = min(int(epsilon / step), len(knots) - 2)
    part = np.expm1(epsilon - knots[first]) / np.expm1(step)  # h is convex in e^ε: between knots below its chord
    grow = np.exp(knots[: first + 1])
    worst = np.full(np.broadcast_shapes(one.shape, two.shape)[:3], np.inf)
    for x, y in ((one, two), (two, one)):
        rest = (1 - part) * y[..., first::-1] + part * y[..., first + 1 : 0 : -1]
        for mine in (0, 1):
            bound = x[..., mine, : first + 1] + grow * rest[..., 1 - mine, :]
            np.minimum(worst, bound.min(axis=-1), out=worst)
    return float(worst.max(initial=0.0))
