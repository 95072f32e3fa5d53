"""Searches through attackers: one by one, or by a climb where they are too many."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens._validate import Floats
from dplens.correlated.views.query_values import common_unit
from dplens.numerics.progress import tracked

_CELLS = 6_000_000  # entries of one array
_SPAN = 600.0  # in units of the scale: beyond, exponentials underflow
_MOST = 6e9


@dataclass(frozen=True)
class Found:
    """The worst of many attackers: leakage, target, known indices, by number of known tuples, how many there were."""

    leakage: float
    target: int
    known: tuple[int, ...]
    by_known: Floats
    attackers: int


def knowledge_sets(n: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every target and what may be known beside it."""
    for i in range(n):
        others = [j for j in range(n) if j != i]
        for size in range(n):
            for k in itertools.combinations(others, size):
                yield i, k


def one_run(n: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every target, everything known but one run around it."""
    for i in range(n):
        for a, b in itertools.product(range(i + 1), range(i, n)):
            yield i, tuple(j for j in range(n) if not a <= j <= b)


def one_by_one(
    n: int, sets: Iterable[Any], count: int, value: Callable[[int, tuple[int, ...], float], float], progress: Any
) -> Found:
    """The worst of ``count`` attackers; ``value`` may stop at what was found of those who know as many tuples."""
    by_known, best, target, known = np.zeros(n), -1.0, 0, ()
    for i, k in tracked(sets, count, "attackers", progress):
        found = value(i, k, float(by_known[len(k)]))
        by_known[len(k)] = max(by_known[len(k)], found)
        if found > best:
            best, target, known = found, i, k
    return Found(best, target, known, by_known, count)


def climbed(n: int, value: Callable[[int, tuple[int, ...]], float], progress: bool | None) -> Found:
    """A climb for every target, from the strongest and the weakest attacker, one tuple at a time. Not exhaustive."""
    by_known, best, target, known, tried = np.zeros(n), -1.0, 0, (), 0
    for i in tracked(range(n), n, "targets", progress):
        others = frozenset(range(n)) - {i}
        seen: dict[frozenset[int], float] = {}

        def at(inside: frozenset[int], i: int = i, seen: dict[frozenset[int], float] = seen) -> float:
            if inside not in seen:
                seen[inside] = value(i, tuple(sorted(inside)))
                by_known[len(inside)] = max(by_known[len(inside)], seen[inside])
            return seen[inside]

        for here in (others, frozenset()):
            while True:
                near = max((here ^ {j} for j in others), key=at, default=here)
                if at(near) <= at(here) * (1 + 1e-12):
                    break
                here = near
            if at(here) > best:
                best, target, known = at(here), i, tuple(sorted(here))
        tried += len(seen)
    return Found(best, target, known, by_known, tried)


def lattice_steps(model: Any, weights: Floats, scale: float) -> tuple[float, list[npt.NDArray[np.int64]]] | None:
    """A unit, in scales, and what each value of each tuple adds to the query in it; None without a usable lattice."""
    adds = [np.asarray(v) * w for v, w in zip(model.values, weights)]
    adds = [a - a.min() for a in adds]
    unit = common_unit(np.concatenate(adds))
    if unit is None:
        return None
    steps = [np.round(a / unit).astype(np.int64) for a in adds]
    span = sum(int(s.max()) for s in steps)
    farthest = span + max(int(s.max()) for s in steps)  # outputs are looked at that far from the other end
    states = math.prod(k + 1 for k in model.joint.shape)
    # the lattice pays where it has far fewer points than there are sums, and where nothing underflows
    if farthest * unit / scale > _SPAN or span > 4096 or states * (span + 2) > _MOST:
        return None
    return unit / scale, steps


def layered(model: Any, unit: float, moves: list[Any], progress: bool | None) -> Found:
    """All targets, all knowledge sets, all known values.

    Every tuple has one more state, "unknown", whose array is the sum over its values, each moved by what it adds to the
    query. Densities of the output at all points of the lattice are one product with e^{−|distance|/scale}; an attacker
    on tuple i compares two values of i at equal states of all others (``docs/decisions/0008-correlated-records.md``).
    """
    n = model.n
    best = Found(0.0, 0, (), np.zeros(n), 0)
    by_known, attackers = np.zeros(n), 0
    prefixes = list(_prefixes(model, moves))
    zeros = bool((model.joint == 0).any())
    for inner, status in tracked(prefixes, len(prefixes), "attackers", progress):
        logs, unknown = _densities(model.joint, moves, unit, inner, status)
        for i in range(n):
            if i < inner and status[i]:
                continue
            leak, counts = _compared(logs, unknown, moves, i, zeros)
            attackers += leak.size
            np.maximum.at(by_known, n - 1 - counts.ravel(), leak.ravel())
            top = int(np.argmax(leak))
            if leak.flat[top] > best.leakage or attackers == leak.size:
                others = [j for j in range(n) if j != i]
                at = np.unravel_index(top, leak.shape)
                known = tuple(j for j, x in zip(others, at) if not _is_unknown(j, int(x), model, inner, status))
                best = Found(float(leak.flat[top]), i, known, by_known, attackers)
    return Found(best.leakage, best.target, best.known, by_known, attackers)


def _is_unknown(j: int, state: int, model: Any, inner: int, status: tuple[bool, ...]) -> bool:
    return status[j] if j < inner else state == model.joint.shape[j]


def _prefixes(model: Any, moves: list[Any]) -> Iterator[tuple[int, tuple[bool, ...]]]:
    """(how many tuples are fixed to known or unknown beforehand, which of them are unknown)."""
    shape = model.joint.shape
    span = sum(int(m.max()) for m in moves) + 1
    inner = 0
    while inner < len(shape) and math.prod(shape[:inner]) * math.prod(k + 1 for k in shape[inner:]) * span > _CELLS:
        inner += 1
    for status in itertools.product((False, True), repeat=inner):
        yield inner, status


def _densities(
    joint: Floats, moves: list[Any], unit: float, inner: int, status: tuple[bool, ...]
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """log-densities (lattice, states…) and unknown tuples per state."""
    masses = joint[None]  # the first axis is the sum of the unknown tuples
    counts = np.zeros((1,) * joint.ndim, dtype=np.int64)
    for j, move in enumerate(moves):
        axis = j + 1
        span = masses.shape[0] + int(move.max())
        values = np.split(masses, joint.shape[j], axis=axis)
        total = np.zeros((span, *values[0].shape[1:]))
        for value, by in zip(values, move):
            total[by : by + len(value)] += value
        shape = [1] * joint.ndim
        if j < inner:
            masses = total if status[j] else masses
            counts = counts + int(status[j])
            continue
        kept = np.zeros((span, *masses.shape[1:]))
        kept[: len(masses)] = masses
        masses = np.concatenate([kept, total], axis=axis)
        shape[j] = joint.shape[j] + 1
        counts = counts + (np.arange(joint.shape[j] + 1) == joint.shape[j]).reshape(shape)
    reach = max(int(m.max()) for m in moves)
    places = np.arange(-reach, masses.shape[0] + reach)
    kernel = np.exp(-unit * np.abs(np.subtract.outer(places, np.arange(masses.shape[0]))))
    total = masses.sum(axis=0)
    masses = masses / np.where(total > 0, total, 1.0)  # rare states must not underflow beside far places
    with np.errstate(divide="ignore"):
        flat = kernel @ masses.reshape(masses.shape[0], -1)
        np.log(flat, out=flat)
    flat[:, total.ravel() <= 0] = np.nan
    return flat.reshape(len(places), *masses.shape[1:]), np.broadcast_to(counts, masses.shape[1:])


def _compared(
    logs: Floats, unknown: npt.NDArray[np.int64], moves: list[Any], i: int, zeros: bool
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The leakage about tuple i in every state of the others, and how many tuples are unknown there."""
    axis = i + 1
    counts = np.take(unknown, 0, axis=i)
    leak = np.zeros(counts.shape)
    larger, less = (np.fmax, np.fmin) if zeros else (np.maximum, np.minimum)
    length = logs.shape[0] - int(moves[i].max())
    start = int(moves[i].max())
    buffer = np.empty(counts.shape)
    for a, b in itertools.combinations(range(len(moves[i])), 2):
        first, second = (logs[(slice(None),) * axis + (v,)] for v in (a, b))
        low, high = np.full(counts.shape, np.inf), np.full(counts.shape, -np.inf)
        for t in range(start, length + start):
            np.subtract(second[t - moves[i][b]], first[t - moves[i][a]], out=buffer)
            larger(high, buffer, out=high)
            less(low, buffer, out=low)
        np.negative(low, out=low)
        larger(high, low, out=high)
        np.maximum(leak, np.nan_to_num(high, nan=0.0, posinf=np.inf, neginf=0.0) if zeros else high, out=leak)
    return leak, counts
