"""Li et al. 2019, continued: what becomes of his theorems when the leakage is worked out exactly."""

from __future__ import annotations

import math

import numpy as np

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Figure, Line, Note, Panel, Printed, Scale, figure

COUNTEREXAMPLE = ([[0.0, 0.15, 0.0], [0.42, 0.02, 0.41]], ((0.0, 1.0), (0.0, 1.0, 5.0)))
THEOREM_3 = ([[0.0, 0.5, 0.0], [0.245, 0.0, 0.255]], ((0.0, 1.0), (0.0, 0.5, 1.0)), 1.01)


def chain_rule(tables: int = int(choices.LI_TABLES.value[0]), seed: int = int(choices.LI_SEED.one)) -> Figure:
    """The chain rule of Theorems 2 and 5 against the exact leakage, on a counterexample and on random tables."""
    joint, values = COUNTEREXAMPLE
    noise = dl.Laplace(scale=1.0)
    data = dl.DiscreteData(joint=joint, values=values)
    exact = float(data.view(noise, target=0).leakage())
    rule = data.graph(noise).value(0, ())
    rng = np.random.default_rng(seed)
    pairs = [_compared(rng) for _ in range(tables)]
    under = sum(r < e - 1e-9 for e, r in pairs) / tables
    three = dl.KnowledgeGraph.from_edges(lambda i, j, known: 0.1, n=3)
    shown = [(e, r) for e, r in pairs if max(e, r) <= 7][:400]
    return figure(
        "li-chain-rule",
        {"exact": exact, "rule": rule, "tables": tables, "under": under},
        panels=[
            Panel(
                "Random tables of two tuples",
                Scale("Exact leakage", 0.0, 7.0),
                Scale("Chain rule", 0.0, 7.0),
                (
                    Line(tuple(e for e, _ in shown), tuple(r for _, r in shown), series=1, points=True),
                    Line((0.0, 7.0), (0.0, 7.0), label="equal", series=4, bound=True),
                    Line((exact,), (rule,), series=0, points=True),
                ),
                notes=(Note(exact, rule, "the counterexample", marked=True),),
            )
        ],
        printed=(
            Printed("Figure 3: nodes of the graph of three tuples", "12", three.count),
            Printed("Figure 3: its layers", "3", len(three.layers)),
        ),
        rows=[_rows("x1", joint)],
        holds=[rule >= exact and under == 0],
    )


def _rows(name: str, joint: list[list[float]]) -> list[tuple[str, ...]]:
    """A joint table as texts, one row for each value of the tuple."""
    return [(f"{name} = {i}", *(f"{p:g}" for p in row)) for i, row in enumerate(joint)]


def _compared(rng: np.random.Generator) -> tuple[float, float]:
    """Exact leakage and chain rule for the weakest attacker on a random table."""
    while True:
        first, second = int(rng.integers(2, 4)), int(rng.integers(2, 4))
        values = sorted(float(x) for x in rng.choice(6, size=second, replace=False))
        joint = rng.dirichlet(np.full(first * second, 0.4)).reshape(first, second)
        if (joint.sum(axis=1) > 1e-12).sum() >= 2:
            break
    data = dl.DiscreteData(joint=joint, values=[list(map(float, range(first))), values])
    noise = dl.Laplace(scale=1.0)
    return float(data.view(noise, target=0).leakage()), float(data.graph(noise).value(0, ()))


def theorem_3() -> Figure:
    """Positive correlation, and yet a negative increment: Theorem 3(3) does not hold."""
    joint, values, scale = THEOREM_3
    data = dl.DiscreteData(joint=joint, values=values)
    edge = data.graph(dl.Laplace(scale=scale)).edge(0, 1, ())
    rng = np.random.default_rng(int(choices.LI_SEED.one))
    kept = []
    for _ in range(int(choices.LI_PAIRS.value[0])):  # part (2): two values each
        p = rng.dirichlet(np.ones(4)).reshape(2, 2)
        found = dl.DiscreteData(joint=p, values=[[0.0, 1.0], [0.0, 1.0]]).graph(dl.Laplace(scale=1.0)).edge(0, 1, ())
        kept.append(
            math.copysign(1, found.ratio) == math.copysign(1, found.correlation or 0.0) and abs(found.ratio) <= 1
        )
    correlation, change = (f"{x:+.4f}".replace("-", "−") for x in (edge.correlation or 0.0, edge.change))
    return figure(
        "li-theorem-3",
        {"count": len(kept), "scale": scale, "correlation": correlation, "change": change},
        rows=[_rows("x_i", joint)],
        holds=(all(kept), not (edge.correlation is not None and edge.correlation > 0 > edge.change)),
    )
