"""The unknown tuples on one side of a target in a homogeneous chain: laws of their sum, and what they tell alone."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens._validate import Floats
from dplens.correlated.chains.lattice_cells import LatticeNoise
from dplens.correlated.models.markov import MarkovData
from dplens.correlated.views.query_values import extreme_losses

Part = tuple[str, int]  # "inner" (ends at a known tuple) or "outer" (at an end of the chain), and its length
Range = tuple[str, int, int]  # the same, and from which to which length
Cover = Callable[[str, int, int], tuple[Part | None, float]]  # what covers a range, and how far it is exceeded

_KNOTS = 256
_MANY, _ALIKE = 64, 0.1  # lengths that are not looked at one by one if no leakage differs by more
_NEVER = -1e200  # far below any bound, for what is impossible


class OneSide(ABC):
    """What parts of the run on one side of the target tell by themselves: arrays of which the larger tells more."""

    def __init__(self, sides: Sides) -> None:
        self.sides = sides
        self.pairs = np.array(list(itertools.permutations(range(len(sides.step)), 2)))  # (v, v')
        self.found: dict[Range, Floats] = {}

    def most(self, kind: str, low: int, high: int) -> Floats:
        """The largest of parts of these lengths, or a bound where they are many and nearly alike."""
        key = kind, low, high
        if key not in self.found:
            self.found[key] = self._of(kind, low) if low == high else self._most_of_several(kind, low, high)
        return self.found[key]

    def _most_of_several(self, kind: str, low: int, high: int) -> Floats:
        middle = (low + high) // 2
        return np.maximum(self.most(kind, low, middle), self.most(kind, middle + 1, high))

    @abstractmethod
    def _of(self, kind: str, length: int) -> Floats:
        """What parts of one length tell."""


class LeakingSide(OneSide):
    """The largest log-ratio for each pair of states of the target, under Laplace or geometric noise."""

    def __init__(self, sides: Sides, shortest: Cover, scale: float) -> None:
        super().__init__(sides)
        self.shortest, self.scale = shortest, scale

    def _most_of_several(self, kind: str, low: int, high: int) -> Floats:
        cover, more = self.shortest(kind, low, high)
        if high - low >= _MANY and cover is not None and more < _ALIKE:
            return self.most(cover[0], cover[1], cover[1]) + more
        return super()._most_of_several(kind, low, high)

    def _of(self, kind: str, length: int) -> Floats:
        law, possible = self.sides.of((kind, length))
        with np.errstate(divide="ignore", invalid="ignore"):  # nan where a state is impossible
            logs, places = np.log(law).astype(float), self.scale * np.arange(law.shape[2])
            up = extreme_losses(places, logs[:, self.pairs[:, 1]], logs[:, self.pairs[:, 0]])[0]
        return np.where(possible[:, self.pairs].all(axis=2), up, -np.inf).max(axis=0)


class ProfiledSide(OneSide):
    """h(ε) = ∫(P_v − e^ε·P_v')⁺ of one side of the run and the noise, at knots 0, s, 2s, ….

    Arrays (ends, pairs (v, v'), 2, knots), without and with the target's own value; far below 0 where one of the states
    is impossible.
    """

    def __init__(self, sides: Sides, noise: LatticeNoise, step: float) -> None:
        super().__init__(sides)
        self.noise, self.step = noise, step
        self.knots: Floats = step * np.arange(float(_KNOTS))

    def _of(self, kind: str, length: int) -> Floats:
        law, possible = self.sides.of((kind, length))
        ends, states, size = law.shape
        own = np.zeros((ends, states, 2, size + int(self.sides.adds.max())))
        own[:, :, 0, :size] = law
        for v, by in enumerate(self.sides.adds):
            own[:, v, 1, by : by + size] = law[:, v]
        at = np.arange(ends * states * 2).reshape(ends, states, 2)
        cells = self.noise.cells(trimmed(own.reshape(at.size, -1)))
        tests = cells.tests(*(at[:, self.pairs[:, i]].ravel() for i in (1, 0)))
        out = tests.profiles(self.knots).reshape(ends, len(self.pairs), 2, _KNOTS)
        out[~possible[:, self.pairs].all(axis=2)] = _NEVER
        return out


def together(left: ProfiledSide, right: ProfiledSide, box: Any, least: float, delta: float) -> float:
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


class Sides:
    """Laws (ends, states, S) of the sum, given the target's state and that of the known tuple at the other end.

    Each is normalised, in extended precision; lengths are worked out as they are asked for.
    """

    def __init__(self, chain: MarkovData, adds: Any, way: str) -> None:
        k = len(chain.initial)
        self.step = (chain.transition[0] if chain.n > 1 else np.eye(k)).astype(np.longdouble)
        self.adds, self.way = adds, way
        self.free = np.eye(k, dtype=np.longdouble)[:, None, :]  # (from, S, state of the latest tuple)
        self.start = chain.initial.astype(np.longdouble)[None, None, :] if way == "left" else self.free
        self.laws: dict[str, list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]]] = {"inner": [], "outer": []}

    def of(self, part: Part) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """The laws of a part, and which states of the target are possible."""
        kind, length = part
        while len(self.laws[kind]) <= length:
            getattr(self, f"_{kind}")()
        return self.laws[kind][length]

    def _inner(self) -> None:
        joint = self.free @ self.step  # (from, S, to): on the left the target is reached last, on the right first
        self._keep("inner", joint.transpose(0, 2, 1) if self.way == "left" else joint.transpose(2, 0, 1))
        self.free = added(joint, self.adds)

    def _outer(self) -> None:
        if self.way == "left":
            self._keep("outer", self.start.transpose(0, 2, 1))
            self.start = added(self.start, self.adds) @ self.step
        else:
            self._keep("outer", self.start.sum(axis=2)[None])
            self.start = added(self.start @ self.step, self.adds)

    def _keep(self, kind: str, law: npt.NDArray[Any]) -> None:
        total = law.sum(axis=2)
        share = law / np.where(total > 0, total, 1)[:, :, None]
        self.laws[kind].append((share, total > 0))


def added(state: npt.NDArray[Any], adds: Any) -> npt.NDArray[Any]:
    """The latest tuple goes into the sum."""
    out = np.zeros((state.shape[0], state.shape[1] + int(adds.max()), state.shape[2]), dtype=state.dtype)
    for x, by in enumerate(adds):
        out[:, by : by + state.shape[1], x] += state[:, :, x]
    return out


def trimmed(laws: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Without sums at either end that none of these laws attains: where tuples determine others they are most."""
    attained = np.flatnonzero(laws.any(axis=0))
    return laws[:, attained[0] : attained[-1] + 1] if len(attained) else laws[:, :1]


def starts(chain: MarkovData, state: int, left: int, right: Part) -> int | None:
    """Where the known tuple before a run may be in this state: anywhere, or at one place if the run ends the chain.

    None if it cannot be in it there. A chain with zeros may not, however often it is elsewhere.
    """
    latest = chain.n - 2 - left - right[1]
    if right[0] == "outer":
        return latest if chain.marginals[latest, state] > 0 else None
    reached = chain.marginals[: max(latest, 0), state] > 0
    return int(np.argmax(reached)) if reached.any() else None
