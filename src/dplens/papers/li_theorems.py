"""Li et al. 2019, continued: what becomes of his theorems when the leakage is worked out exactly."""

from __future__ import annotations

import math

import numpy as np

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Claim, Figure, Line, Note, Panel, Printed, Scale, Table, figure

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
        panels=(
            Panel(
                title="Random tables of two tuples",
                x=Scale(title="Exact leakage", low=0.0, high=7.0),
                y=Scale(title="Chain rule", low=0.0, high=7.0),
                lines=(
                    Line(x=tuple(e for e, _ in shown), y=tuple(r for _, r in shown), series=1, points=True),
                    Line(x=(0.0, 7.0), y=(0.0, 7.0), label="equal", series=4, bound=True),
                    Line(x=(exact,), y=(rule,), series=0, points=True),
                ),
                notes=(Note(x=exact, y=rule, text="the counterexample", marked=True),),
            ),
        ),
        columns=1,
        printed=(
            Printed(what="Figure 3: nodes of the graph of three tuples", printed="12", ours=three.count),
            Printed(what="Figure 3: its layers", printed="3", ours=len(three.layers)),
        ),
        tables=(
            Table(
                caption="The counterexample: rows x1 = 0, 1; columns x2 = 0, 1, 5; scale 1; the attacker knows nothing",
                heads=("", "x2 = 0", "x2 = 1", "x2 = 5"),
                rows=tuple((f"x1 = {i}", *(f"{p:g}" for p in row)) for i, row in enumerate(joint)),
            ),
        ),
        claims=(
            Claim(
                says="l(i, K without j) = |l(i, K) + IC| bounds the leakage (Theorem 2, and along paths Theorem 5).",
                holds=rule >= exact and under == 0,
                found=f"On the counterexample the exact leakage is {exact:.4f}, the chain rule says {rule:.4f}. On "
                f"{tables} random tables it says too little on {under:.0%}.",
            ),
        ),
        choices=(choices.LI_TABLES, choices.LI_SEED),
    )


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
    return figure(
        "li-theorem-3",
        tables=(
            Table(
                caption=f"The counterexample to part (3): rows x_i = 0, 1; columns x_j = 0, ½, 1; scale {scale:g}",
                heads=("", "x_j = 0", "x_j = ½", "x_j = 1"),
                rows=tuple((f"x_i = {i}", *(f"{p:g}" for p in row)) for i, row in enumerate(joint)),
            ),
        ),
        claims=(
            Claim(
                says="(2) With two values each, the increment ratio has the sign of the correlation and lies in [−1, 1].",
                holds=all(kept),
                found=f"On all of {len(kept)} random tables.",
            ),
            Claim(
                says="(3) The same holds if x_j has more than two values and λ > GS(f).",
                holds=not (edge.correlation is not None and edge.correlation > 0 > edge.change),
                found=f"λ = {scale:g} > GS = 1, the correlation is {edge.correlation:+.4f} and the increment "
                f"{edge.change:+.4f}.".replace("-", "−"),
            ),
        ),
        choices=(choices.LI_PAIRS, choices.LI_SEED),
    )
