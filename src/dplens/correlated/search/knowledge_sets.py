"""Searches through attackers: one by one, by a climb, or for Laplace noise on a lattice all at once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens._validate import Floats
from dplens.correlated.views.queries import common_unit
from dplens.numerics.progress import tracked

Ints = npt.NDArray[np.int64]
Attacker = tuple[int, tuple[int, ...]]  # the target and the known tuples


@dataclass
class Found:
    """The worst of the attackers compared so far: leakage (or epsilon), target and known tuples.

    by_known: the largest leakage by number of known tuples. attackers: how many were compared.
    """

    by_known: Floats
    leakage: float = -1.0
    target: int = 0
    known: tuple[int, ...] = ()
    attackers: int = 0
    margin: float = field(default=0.0, repr=False)  # relative: values that are larger by less do not count

    def add(self, values: Floats, known: Ints) -> int | None:
        """Compare attackers who know so many tuples; the index of the worst if it is worse than all before."""
        np.maximum.at(self.by_known, known.ravel(), values.ravel())
        self.attackers += values.size
        top = int(np.argmax(values))
        if not values.flat[top] > self.leakage * (1 + self.margin):
            return None
        self.leakage = float(values.flat[top])
        return top

    def add_one(self, value: float, target: int, known: tuple[int, ...]) -> None:
        """Compare one attacker."""
        if self.add(np.array([value]), np.array([len(known)])) is not None:
            self.target, self.known = target, known


def knowledge_sets(n: int) -> Iterator[Attacker]:
    """Every target with every set of known tuples."""
    for i in range(n):
        others = [j for j in range(n) if j != i]
        for size in range(n):
            for k in itertools.combinations(others, size):
                yield i, k


def one_run(n: int) -> Iterator[Attacker]:
    """Every target with everything known except one run around it: n(n + 1)(n + 2)/6 attackers."""
    for i in range(n):
        for a, b in itertools.product(range(i + 1), range(i, n)):
            yield i, tuple(j for j in range(n) if not a <= j <= b)


def attackers(n: int, runs: bool) -> tuple[Iterator[Attacker], int]:
    """All attackers, or those who leave one run unknown, and their number."""
    return (one_run(n), n * (n + 1) * (n + 2) // 6) if runs else (knowledge_sets(n), n * 2 ** (n - 1))


def one_by_one(
    n: int, runs: bool, value: Callable[[int, tuple[int, ...], float], float], progress: bool | None
) -> Found:
    """The worst of all attackers; ``value`` may return the floor it is given instead of anything smaller.

    The floor is the largest value among those who know as many tuples.
    """
    found = Found(np.zeros(n))
    for i, k in tracked(*attackers(n, runs), "attackers", progress):
        found.add_one(value(i, k, float(found.by_known[len(k)])), i, k)
    return found


def climbed(n: int, value: Callable[[int, tuple[int, ...]], float], progress: bool | None) -> Found:
    """A climb for every target, from the strongest and the weakest attacker, one tuple at a time. Not exhaustive."""
    found = Found(np.zeros(n), margin=1e-12)
    for i in tracked(range(n), n, "targets", progress):
        others = frozenset(range(n)) - {i}
        seen: dict[frozenset[int], float] = {}

        def at(inside: frozenset[int], i: int = i, seen: dict[frozenset[int], float] = seen) -> float:
            if inside not in seen:
                known = tuple(sorted(inside))
                seen[inside] = value(i, known)
                found.add_one(seen[inside], i, known)
            return seen[inside]

        for here in (others, frozenset()):
            while True:
                near = max((here ^ {j} for j in others), key=at, default=here)
                if at(near) <= at(here) * (1 + 1e-12):
                    break
                here = near
    return found


def lattice_steps(model: Any, weights: Floats, scale: float) -> tuple[float, list[Ints]] | None:
    """A unit, in scales, and what each value of each tuple adds to the query in it; None without a usable lattice."""
    adds = [np.asarray(v) * w for v, w in zip(model.values, weights)]
    adds = [a - a.min() for a in adds]
    unit = common_unit(np.concatenate(adds))
    if unit is None:
        return None
    steps = [np.round(a / unit).astype(np.int64) for a in adds]
    span = sum(int(s.max()) for s in steps)
    farthest = span + max(int(s.max()) for s in steps)
    states = math.prod(k + 1 for k in model.joint.shape)
    # exponentials must not underflow, and the lattice pays only if it has far fewer points than there are sums
    if farthest * unit / scale > 600 or span > 4096 or states * (span + 2) > 6e9:
        return None
    return unit / scale, steps


def layered(model: Any, unit: float, moves: list[Ints], progress: bool | None) -> Found:
    """All targets, all knowledge sets, all known values.

    Every tuple has one more state, "unknown", whose array is the sum over its values, each shifted by what it adds to
    the query. Densities of the output at all points of the lattice are one product with e^{−|distance|/scale}. An
    attacker on tuple i compares two values of i at equal states of all others
    (``docs/decisions/0008-correlated-records.md``).
    """
    shape, span, fixed = model.joint.shape, sum(int(m.max()) for m in moves) + 1, 0
    # the states of the first tuples, known or unknown, are fixed beforehand so that arrays stay small
    while math.prod(shape[:fixed]) * math.prod(k + 1 for k in shape[fixed:]) * span > 6_000_000 and fixed < len(shape):
        fixed += 1
    found, zeros = Found(np.zeros(model.n)), bool((model.joint == 0).any())
    for unknown in tracked(itertools.product((False, True), repeat=fixed), 2**fixed, "attackers", progress):
        logs, counts = _densities(model.joint, moves, unit, unknown)
        for i in range(model.n):
            if i < fixed and unknown[i]:
                continue
            leakage, others = _compared(logs, moves, i, zeros), [j for j in range(model.n) if j != i]
            top = found.add(leakage, model.n - 1 - np.take(counts, 0, axis=i))
            if top is not None:
                states = zip(others, np.unravel_index(top, leakage.shape))
                found.target = i
                found.known = tuple(j for j, x in states if not (unknown[j] if j < fixed else x == shape[j]))
    return found


def _densities(joint: Floats, moves: list[Ints], unit: float, fixed: tuple[bool, ...]) -> tuple[Floats, Ints]:
    """log-densities (lattice, states…), and the number of unknown tuples (states…)."""
    masses = joint[None]  # the first axis is the sum of the unknown tuples
    counts = np.zeros((1,) * joint.ndim, dtype=np.int64)
    for j, move in enumerate(moves):
        values = np.split(masses, joint.shape[j], axis=j + 1)
        total = np.zeros((masses.shape[0] + int(move.max()), *values[0].shape[1:]))
        for value, by in zip(values, move):
            total[by : by + len(value)] += value
        if j < len(fixed):
            masses = total if fixed[j] else masses
            counts = counts + int(fixed[j])
            continue
        kept = np.zeros((len(total), *masses.shape[1:]))
        kept[: len(masses)] = masses
        masses = np.concatenate([kept, total], axis=j + 1)
        state = np.arange(joint.shape[j] + 1).reshape(-1, *(1,) * (joint.ndim - 1 - j))
        counts = counts + (state == joint.shape[j])
    reach = max(int(m.max()) for m in moves)
    places = np.arange(-reach, masses.shape[0] + reach)
    kernel = np.exp(-unit * np.abs(np.subtract.outer(places, np.arange(masses.shape[0]))))
    total = masses.sum(axis=0)
    masses = masses / np.where(total > 0, total, 1.0)  # rare states must not underflow far from their places
    with np.errstate(divide="ignore"):
        flat = kernel @ masses.reshape(masses.shape[0], -1)
        np.log(flat, out=flat)
    flat[:, total.ravel() <= 0] = np.nan
    return flat.reshape(len(places), *masses.shape[1:]), np.broadcast_to(counts, masses.shape[1:])


def _compared(logs: Floats, moves: list[Ints], i: int, zeros: bool) -> Floats:
    """The leakage about tuple i in every state of the others; ``zeros``: some combinations are impossible."""
    values = [logs[(slice(None),) * (i + 1) + (v,)] for v in range(len(moves[i]))]
    leakage, buffer = np.zeros(values[0].shape[1:]), np.empty(values[0].shape[1:])
    larger, smaller = (np.fmax, np.fmin) if zeros else (np.maximum, np.minimum)
    for a, b in itertools.combinations(range(len(values)), 2):
        low, high = np.full(leakage.shape, np.inf), np.full(leakage.shape, -np.inf)
        for t in range(int(moves[i].max()), len(logs)):
            np.subtract(values[b][t - moves[i][b]], values[a][t - moves[i][a]], out=buffer)
            larger(high, buffer, out=high)
            smaller(low, buffer, out=low)
        larger(high, np.negative(low, out=low), out=high)
        np.maximum(leakage, np.nan_to_num(high, nan=0.0, posinf=np.inf, neginf=0.0) if zeros else high, out=leakage)
    return leakage
