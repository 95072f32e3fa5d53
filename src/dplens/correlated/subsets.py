"""Every attacker one by one, and a climb where they are too many."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from dplens.correlated.layers import Found, lattice_steps, layered
from dplens.correlated.markov import MarkovData
from dplens.correlated.progress import tracked
from dplens.correlated.release import Release
from dplens.correlated.rows import block_leakage
from dplens.correlated.screen import Known, case_epsilon
from dplens.errors import Undefined
from dplens.mechanisms.additive import Geometric, Laplace

_MOST = 4e9  # entries looked at by a search through all knowledge sets
_CURVES = 20_000  # attackers compared by curves


def enumerated(model: Any, made: Release, delta: float, progress: Any) -> tuple[Found, bool]:
    """All targets and knowledge sets of a discrete model."""
    table = model.as_data() if isinstance(model, MarkovData) else model
    n = table.n
    exact = made.single is not None and isinstance(made.single, (Laplace, Geometric)) and delta == 0
    if exact and made.weights is not None and isinstance(made.single, Laplace):
        steps = lattice_steps(table, made.weights[0], made.single.scale)
        if steps is not None:
            return layered(table, steps, progress), True
    work = n * 2 ** (n - 1) * table.joint.size
    if work > _MOST or (not exact and n * 2 ** (n - 1) > _CURVES):
        raise Undefined(
            f"{n * 2 ** (n - 1)} knowledge sets over {table.joint.size} cells are too many for this query and "
            "noise. Use method='greedy', which finds a bad attacker and bounds the worst, or weights on a common "
            "lattice."
        )
    by_known, best, target, known = np.zeros(n), -1.0, 0, ()
    error, sets, looked = 0.0, list(knowledge_sets(n)), {}
    for i, k in tracked(sets, len(sets), "attackers", progress):
        value, off = value_of(table, made, i, k, delta, float(by_known[len(k)]), looked)
        error = max(error, off)
        by_known[len(k)] = max(by_known[len(k)], value)
        if value > best:
            best, target, known = value, i, k
    return Found(best, target, known, by_known, len(sets), error), True


def knowledge_sets(n: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every target and what may be known beside it."""
    for i in range(n):
        others = [j for j in range(n) if j != i]
        for size in range(n):
            for k in itertools.combinations(others, size):
                yield i, k


def value_of(
    model: Any,
    made: Release,
    target: int,
    known: tuple[int, ...],
    delta: float,
    floor: float = 0.0,
    looked: Known | None = None,
) -> tuple[float, float]:
    """epsilon(delta) of one attacker, or ``floor`` where it is no larger than that and delta > 0; and its error.

    looked: pairs of laws that were looked at before, for one delta.
    """
    if made.single is not None and isinstance(made.single, (Laplace, Geometric)) and delta == 0:
        found = [block_leakage(made.single, block) for block in model.blocks(made, target, known, None)]
        return max(f[0] for f in found), max(f[1] for f in found)
    if delta == 0:
        query = {"query": made.query} if made.weights is None else {"weights": made.weights}
        return float(model.view(list(made.mechanisms), target=target, known=known, **query).leakage()), 0.0
    best, looked = floor, {} if looked is None else looked
    for block in model.blocks(made, target, known, None):
        best = case_epsilon(made.mechanisms, block, delta, best, looked)
    return best, 0.0


def greedy(model: Any, made: Release, delta: float, progress: Any) -> Found:
    """A climb for every target, from the strongest and the weakest attacker, one tuple at a time. Not exhaustive."""
    n = model.n
    by_known, best, target, known, tried = np.zeros(n), -1.0, 0, (), 0
    looked: Known = {}
    for i in tracked(range(n), n, "targets", progress):
        others = frozenset(range(n)) - {i}
        seen: dict[frozenset[int], float] = {}

        def at(inside: frozenset[int], i: int = i, seen: dict[frozenset[int], float] = seen) -> float:
            if inside not in seen:
                seen[inside] = value_of(model, made, i, tuple(sorted(inside)), delta, 0.0, looked)[0]
                by_known[len(inside)] = max(by_known[len(inside)], seen[inside])
            return seen[inside]

        for begin in (others, frozenset()):
            here = begin
            while True:
                near = max((here ^ {j} for j in others), key=at, default=here)
                if at(near) <= at(here) * (1 + 1e-12):
                    break
                here = near
            if at(here) > best:
                best, target, known = at(here), i, tuple(sorted(here))
        tried += len(seen)
    return Found(best, target, known, by_known, tried, 0.0)
