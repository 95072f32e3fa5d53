"""Sums of the unknown tuples to one side of a target in a time-homogeneous chain."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dplens.correlated.markov import MarkovData

Part = tuple[str, int]  # "inner" (ends at a known tuple) or "outer" (at an end of the chain), and its length


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
