"""The unknown tuples on one side of a target in a homogeneous chain: the laws of their sum, and their leakage."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens._validate import Floats
from dplens.correlated.models.chains import MarkovData
from dplens.correlated.search.lattice_noise import Cells
from dplens.correlated.views.queries import extreme_losses

Part = tuple[str, int]  # "inner" (ends at a known tuple) or "outer" (at an end of the chain), and its length
Range = tuple[str, int, int]  # the same with the smallest and the largest length
Cover = Callable[[str, int, int], tuple[Part | None, float]]  # the part that covers a range, and the excess
Law = tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]  # (ends, states, S) and which states are possible (ends, states)


class SideLaws:
    """Laws of the sum given the target's state and that of the known tuple at the other end.

    Normalised, in extended precision; each length is computed when it is first needed.
    """

    def __init__(self, chain: MarkovData, adds: Any, left: bool) -> None:
        k = len(chain.initial)
        self.step = (chain.transition[0] if chain.n > 1 else np.eye(k)).astype(np.longdouble)
        self.adds, self.left, self.chain = adds, left, chain
        self.free = np.eye(k, dtype=np.longdouble)[:, None, :]  # (from, S, state of the latest tuple)
        self.laws: dict[str, tuple[list[Law], Iterator[npt.NDArray[Any]]]] = {
            "inner": ([], self._inner()),
            "outer": ([], self._outer()),
        }

    def of(self, part: Part) -> Law:
        """The laws of a part, and which states of the target are possible."""
        kind, length = part
        known, more = self.laws[kind]
        while len(known) <= length:
            law = next(more)
            total = law.sum(axis=2)
            known.append((law / np.where(total > 0, total, 1)[:, :, None], total > 0))
        return known[length]

    def _inner(self) -> Iterator[npt.NDArray[Any]]:
        state = self.free
        while True:
            joint = state @ self.step  # (from, S, to): on the left the target comes last, on the right first
            yield joint.transpose(0, 2, 1) if self.left else joint.transpose(2, 0, 1)
            state = self._with_one_more(joint)

    def _outer(self) -> Iterator[npt.NDArray[Any]]:
        state = self.chain.initial.astype(np.longdouble)[None, None, :] if self.left else self.free
        while True:
            yield state.transpose(0, 2, 1) if self.left else state.sum(axis=2)[None]
            state = self._with_one_more(state) @ self.step if self.left else self._with_one_more(state @ self.step)

    def _with_one_more(self, state: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Add the latest tuple to the sum."""
        size = state.shape[1]
        out = np.zeros((state.shape[0], size + int(self.adds.max()), state.shape[2]), dtype=state.dtype)
        for x, by in enumerate(self.adds):
            out[:, by : by + size, x] += state[:, :, x]
        return out


class OneSide(ABC):
    """The leakage of one side of the run by itself, as arrays that increase elementwise with it."""

    def __init__(self, laws: SideLaws) -> None:
        self.laws = laws
        self.pairs = np.array(list(itertools.permutations(range(len(laws.step)), 2)))  # (v, v')
        self.found: dict[Range, Floats] = {}

    def most(self, kind: str, low: int, high: int) -> Floats:
        """An upper bound on the arrays of all parts with these lengths."""
        key = kind, low, high
        if key not in self.found:
            self.found[key] = self._of(kind, low) if low == high else self._of_several(kind, low, high)
        return self.found[key]

    def _of_several(self, kind: str, low: int, high: int) -> Floats:
        middle = (low + high) // 2
        return np.maximum(self.most(kind, low, middle), self.most(kind, middle + 1, high))

    @abstractmethod
    def _of(self, kind: str, length: int) -> Floats:
        """The array of parts of one length."""


class SideLeakage(OneSide):
    """The largest log-ratio for each pair of states of the target, under Laplace or geometric noise."""

    def __init__(self, laws: SideLaws, cover: Cover, scale: float) -> None:
        super().__init__(laws)
        self.cover, self.scale = cover, scale

    def _of_several(self, kind: str, low: int, high: int) -> Floats:
        shortest, excess = self.cover(kind, low, high)
        if high - low >= 64 and shortest is not None and excess < 0.1:  # many lengths that leak nearly the same
            return self.most(shortest[0], shortest[1], shortest[1]) + excess
        return super()._of_several(kind, low, high)

    def _of(self, kind: str, length: int) -> Floats:
        law, possible = self.laws.of((kind, length))
        with np.errstate(divide="ignore", invalid="ignore"):  # nan for impossible states
            logs, places = np.log(law).astype(float), self.scale * np.arange(law.shape[2])
            up = extreme_losses(places, logs[:, self.pairs[:, 1]], logs[:, self.pairs[:, 0]])[0]
        return np.where(possible[:, self.pairs].all(axis=2), up, -np.inf).max(axis=0)


class SideProfile(OneSide):
    """h(ε) = ∫(P_v − e^ε·P_v')⁺ of one side of the run plus the noise, at knots 0, s, 2s, ….

    Arrays (ends, pairs (v, v'), 2, knots), without and with the target's own value; far below 0 if one of the states is
    impossible.
    """

    def __init__(self, laws: SideLaws, noise: Cells, step: float) -> None:
        super().__init__(laws)
        self.noise, self.step, self.knots = noise, step, step * np.arange(256.0)

    def _of(self, kind: str, length: int) -> Floats:
        law, possible = self.laws.of((kind, length))
        ends, states, size = law.shape
        own = np.zeros((ends, states, 2, size + int(self.laws.adds.max())))
        own[:, :, 0, :size] = law
        for v, by in enumerate(self.laws.adds):
            own[:, v, 1, by : by + size] = law[:, v]
        at = np.arange(ends * states * 2).reshape(ends, states, 2)
        cells = self.noise(trimmed(own.reshape(at.size, -1)))
        tests = cells.tests(*(at[:, self.pairs[:, i]].ravel() for i in (1, 0)))
        out = tests.profiles(self.knots).reshape(ends, len(self.pairs), 2, len(self.knots))
        out[~possible[:, self.pairs].all(axis=2)] = -1e200
        return out


def two_sided_bound(left: SideProfile, right: SideProfile, box: Any, least: float, delta: float) -> float:
    """A bound on epsilon(delta) of all runs in a rectangle of lengths, or ``least`` if that is larger.

    Replace one side at a time: with P = L·R and Q = L'·R between P and P' = L'·R' (convolutions, with noise), P ≤
    e^a·Q + h_L(a) and Q ≤ e^b·P' + h_R(b) on every set, as the other side only adds to the noise. So H_{a + b} ≤
    h_L(a) + e^a·h_R(b), for all a, b ≥ 0, in either order, and with the target's own value on either side.
    """
    one, two = left.most(*box[0])[:, None], right.most(*box[1])[None, :]

    def exceeds(epsilon: float) -> bool:
        return _two_sided_profile(one, two, left.knots, epsilon) > delta

    high = float(left.knots[-2])
    if least >= high or exceeds(high):
        return math.inf
    if not exceeds(least):
        return least
    while high - least > left.step / 4:
        middle = (least + high) / 2
        least, high = (middle, high) if exceeds(middle) else (least, middle)
    return high


def _two_sided_profile(one: Floats, two: Floats, knots: Floats, epsilon: float) -> float:
    """The minimum over a of h_L(a) + e^a·h_R(epsilon − a), in the worst case."""
    step = float(knots[1])
    first = min(int(epsilon / step), len(knots) - 2)
    part = np.expm1(epsilon - knots[first]) / np.expm1(step)  # h is convex in e^ε, so it lies below its chord
    factor = np.exp(knots[: first + 1])
    worst = np.full(np.broadcast_shapes(one.shape, two.shape)[:3], np.inf)
    for x, y in ((one, two), (two, one)):
        rest = (1 - part) * y[..., first::-1] + part * y[..., first + 1 : 0 : -1]
        for own in (0, 1):
            bound = x[..., own, : first + 1] + factor * rest[..., 1 - own, :]
            np.minimum(worst, bound.min(axis=-1), out=worst)
    return float(worst.max(initial=0.0))


def trimmed(laws: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Drop sums at either end that none of these laws attains, which are most if tuples determine each other."""
    attained = np.flatnonzero(laws.any(axis=0))
    return laws[:, attained[0] : attained[-1] + 1] if len(attained) else laws[:, :1]
