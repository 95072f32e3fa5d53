"""Searches through attackers: one by one, or by a climb where they are too many."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.correlated.progress import tracked


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
