"""Every attacker on a discrete model, by all knowledge sets."""

from __future__ import annotations

from typing import Any

from dplens.correlated.laplace_mixtures import block_leakage
from dplens.correlated.layers import lattice_steps, layered
from dplens.correlated.markov import MarkovData
from dplens.correlated.release import Release
from dplens.correlated.screen import Known, case_epsilon
from dplens.correlated.searching import Found, knowledge_sets, one_by_one
from dplens.errors import Undefined
from dplens.mechanisms.additive import Geometric, Laplace

_MOST = 4e9  # entries looked at by a search through all knowledge sets
_CURVES = 20_000  # attackers compared by curves


def enumerated(model: Any, made: Release, delta: float, progress: Any) -> Found:
    """All targets and knowledge sets of a discrete model."""
    table = model.as_data() if isinstance(model, MarkovData) else model
    n, count = table.n, table.n * 2 ** (table.n - 1)
    exact = isinstance(made.single, (Laplace, Geometric)) and delta == 0
    if exact and made.weights is not None and isinstance(made.single, Laplace):
        steps = lattice_steps(table, made.weights[0], made.single.scale)
        if steps is not None:
            return layered(table, steps, progress)
    if count * table.joint.size > _MOST or (not exact and count > _CURVES):
        raise Undefined(
            f"{count} knowledge sets over {table.joint.size} cells are too many for this query and "
            "noise. Use method='greedy', which finds a bad attacker and bounds the worst, or weights on a common "
            "lattice."
        )
    looked: Known = {}
    return one_by_one(
        n,
        knowledge_sets(n),
        count,
        lambda i, k, floor: value_of(table, made, i, k, delta, floor, looked),
        progress,
    )


def value_of(
    model: Any, made: Release, target: int, known: tuple[int, ...], delta: float, floor: float, looked: Known
) -> float:
    """epsilon(delta) of one attacker, or ``floor`` where it is no larger than that and delta > 0.

    looked: pairs of laws that were looked at before, for one delta.
    """
    if delta == 0 and isinstance(made.single, (Laplace, Geometric)):
        return max(block_leakage(made.single, block)[0] for block in model.blocks(made, target, known, None))
    if delta == 0:
        query = {"query": made.query} if made.weights is None else {"weights": made.weights}
        return float(model.view(list(made.mechanisms), target=target, known=known, **query).leakage())
    for block in model.blocks(made, target, known, None):
        floor = case_epsilon(made.mechanisms, block, delta, floor, looked)
    return floor
