"""Li et al. 2019: its examples, with the leakage worked out exactly, and what becomes of its theorems.

"Impact of prior knowledge and data correlation on privacy leakage: a unified analysis".
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

import dplens as dl
from dplens.papers.records import Figure, Line, Note, labelled
from dplens.papers.sums import Floats
from dplens.papers.texts import choices, digits, figure, spaced, texts

_A, _B = choices.LI_WEAK.value
_SEED = int(choices.LI_SEED.one)
_ONE = dl.Laplace(scale=1.0)
# rows x1, columns x2; the values of x2
TABLE_2, STRONGER = (texts("printed.json")["li"][table] for table in ("table II", "example 3"))
CASES = {  # Figure 2: joint tables of s1 (rows) and s2 (columns), by correlation
    "perfectly negative": [[0.0, 0.5], [0.5, 0.0]],
    "weakly negative": [[_B, _A], [_A, _B]],
    "independent": [[0.25, 0.25], [0.25, 0.25]],
    "weakly positive": [[_A, _B], [_B, _A]],
    "perfectly positive": [[0.5, 0.0], [0.0, 0.5]],
}
COUNTEREXAMPLE = ([[0.0, 0.15, 0.0], [0.42, 0.02, 0.41]], ((0.0, 1.0), (0.0, 1.0, 5.0)))
THEOREM_3 = ([[0.0, 0.5, 0.0], [0.245, 0.0, 0.255]], ((0.0, 1.0), (0.0, 0.5, 1.0)), 1.01)


def _two(joint: Sequence[Sequence[float]], second: Sequence[float] = (0.0, 1.0)) -> dl.DiscreteData:
    return dl.DiscreteData(joint=joint, values=[[0.0, 1.0], list(second)])


def leakage(joint: Sequence[Sequence[float]], second: Sequence[float] = (0.0, 1.0), known: Sequence[int] = ()) -> float:
    """What an attacker on x1 gains from the sum with Laplace noise of scale 1."""
    return float(_two(joint, second).view(_ONE, target=0, known=known).leakage())


def _whole(joint: Sequence[Sequence[float]], second: Sequence[float]) -> float:
    """The bound for a group of both tuples: the sum of their ranges over the scale."""
    return float(_two(joint, second).view(_ONE, target=0).group_bound)


def figure_2(scale: float = choices.LI_SCALE.one) -> Figure:
    """What two attackers conclude from the output 2 about s1, in five kinds of correlation."""
    noise = dl.Laplace(scale=scale)
    rows, weak, strong = [], [], []
    for name, joint in CASES.items():
        blind, seen = (_two(joint).view(noise, target=0, pair=(0.0, 1.0), known=known) for known in ({}, {1: 1.0}))
        weak.append(float(dl.Attack(blind, prior=0.5).posterior(2.0)))
        before = joint[1][1] / (joint[0][1] + joint[1][1])  # Pr(s1 = 1 | s2 = 1)
        if seen.determined:
            strong.append(before)
        else:
            strong.append(float(dl.Attack(seen, prior=float(seen.prior)).posterior(2.0)))
        rows.append((name, "0.5", f"{weak[-1]:.4f}", f"{before:.4f}", f"{strong[-1]:.4f}"))
    correlations = [4 * joint[1][1] - 1 for joint in CASES.values()]
    return figure(
        "li-2",
        {"weak": weak, "strong": strong},
        panels=[{"lines": labelled(correlations, {"knows nothing": weak, "knows s2 = 1": strong}, points=True)}],
        rows=[rows],
        holds=(
            weak[4] > 0.85 and strong[4] == 1.0,
            abs(weak[0] - 0.5) < 1e-12 and strong[0] == 0.0,
            weak[2] > 0.5 and strong[2] <= weak[2] + 1e-12,
        ),
    )


def examples() -> Figure:
    """Table II and Examples 2 to 4: the leakage of two attackers on six joint tables."""
    tables = {**TABLE_2, **STRONGER}
    values = {k: leakage(*t) for k, t in tables.items()}
    known = {k: leakage(*TABLE_2[k], known=[1]) for k in ("a", "b")}
    whole = {k: _whole(*t) for k, t in TABLE_2.items()}
    ours = [known["a"], *(values[k] for k in ("a", "b", "a'", "b'"))]
    ours += [whole["a"], values["c"], values["d"], whole["c"] - 1, whole["d"] - 1]
    rows = []
    for name, (joint, second) in tables.items():
        table = "; ".join(" ".join(f"{p:g}" for p in row) for row in joint)
        rows.append((name, table, " ".join(f"{x:g}" for x in second), f"{values[name]:.6f}"))
    cell = values["a"] + values["b"]
    ordered = known["b"] > values["b"] > values["b'"] and known["a"] < values["a"] < values["a'"]
    return figure("li-examples", {"cell": cell}, rows=[rows], ours=ours, holds=[ordered and values["c"] < values["d"]])


def example_5(correlations: int = 41) -> Figure:
    """Two normal tuples: the weak attacker's leakage is ``|1 + rho|``, the strong one's 1."""
    places = spaced(-0.999, 0.999, correlations)
    data = [dl.GaussianData(covariance=[[1.0, rho], [rho, 1.0]], width=1.0) for rho in places]
    weak, strong = ([float(d.view(_ONE, target=0, known=known).leakage()) for d in data] for known in ([], [1]))
    gap = max(abs(w - abs(1 + rho)) for w, rho in zip(weak, places))
    # the densities themselves, over outputs out to where nothing changes any more
    seen = max(abs(_largest_log_ratio(1 + rho, math.sqrt(1 - rho * rho)) - abs(1 + rho)) for rho in places)
    return figure(
        "li-example-5",
        {"count": correlations, "gap": digits(gap, 1), "seen": digits(seen, 1)},
        panels=[{"lines": labelled(places, {"knows nothing": weak, "knows x2": strong})}],
        holds=[gap < 1e-9 and seen < 1e-6 and max(abs(s - 1) for s in strong) < 1e-9],
    )


def _largest_log_ratio(shift: float, sd: float) -> float:
    """Of the density of Laplace plus normal noise and the same density shifted, over outputs from −60 to 60."""
    from scipy import special

    def log_density(x: Floats) -> Floats:
        # the law of a sum of N(0, sd²) and a Laplace law of scale 1, up to a factor
        return np.logaddexp(special.log_ndtr(x / sd - sd) - x, special.log_ndtr(-x / sd - sd) + x)

    outputs = np.linspace(-60.0, 60.0, 12_001)
    return float(np.max(np.abs(log_density(outputs - shift) - log_density(outputs))))


def chain_rule(tables: int = int(choices.LI_TABLES.value[0]), seed: int = _SEED) -> Figure:
    """The chain rule of Theorems 2 and 5 against the exact leakage, on a counterexample and on random tables."""
    joint, values = COUNTEREXAMPLE
    exact, rule = _compared(dl.DiscreteData(joint=joint, values=values))
    rng = np.random.default_rng(seed)
    pairs = [_compared(_random_table(rng)) for _ in range(tables)]
    under = sum(r < e - 1e-9 for e, r in pairs) / tables
    three = dl.KnowledgeGraph.from_edges(lambda i, j, known: 0.1, n=3)
    xs, ys = zip(*[(e, r) for e, r in pairs if max(e, r) <= 7][:400])
    lines = (
        Line(xs, ys, series=1, points=True),
        Line((0.0, 7.0), (0.0, 7.0), label="equal", series=4, bound=True),
        Line((exact,), (rule,), series=0, points=True),
    )
    return figure(
        "li-chain-rule",
        {"exact": exact, "rule": rule, "tables": tables, "under": under},
        panels=[{"lines": lines, "notes": (Note(exact, rule, "the counterexample", marked=True),)}],
        ours=(three.count, len(three.layers)),
        rows=[_rows("x1", joint)],
        holds=[rule >= exact and under == 0],
    )


def _rows(name: str, joint: list[list[float]]) -> list[tuple[str, ...]]:
    """A joint table as texts, one row for each value of the tuple."""
    return [(f"{name} = {i}", *(f"{p:g}" for p in row)) for i, row in enumerate(joint)]


def _compared(data: dl.DiscreteData) -> tuple[float, float]:
    """Exact leakage and chain rule for the weakest attacker."""
    return float(data.view(_ONE, target=0).leakage()), float(data.graph(_ONE).value(0, ()))


def _random_table(rng: np.random.Generator) -> dl.DiscreteData:
    while True:
        first, second = int(rng.integers(2, 4)), int(rng.integers(2, 4))
        values = sorted(float(x) for x in rng.choice(6, size=second, replace=False))
        joint = rng.dirichlet(np.full(first * second, 0.4)).reshape(first, second)
        if (joint.sum(axis=1) > 1e-12).sum() >= 2:
            return dl.DiscreteData(joint=joint, values=[list(map(float, range(first))), values])


def theorem_3() -> Figure:
    """Positive correlation, and yet a negative increment: Theorem 3(3) does not hold."""
    joint, values, scale = THEOREM_3
    edge = dl.DiscreteData(joint=joint, values=values).graph(dl.Laplace(scale=scale)).edge(0, 1, ())
    rng = np.random.default_rng(_SEED)
    tables = [rng.dirichlet(np.ones(4)).reshape(2, 2) for _ in range(int(choices.LI_PAIRS.value[0]))]
    edges = [_two(table.tolist()).graph(_ONE).edge(0, 1, ()) for table in tables]  # part (2): two values each
    kept = all(math.copysign(1, e.ratio) == math.copysign(1, e.correlation or 0.0) and abs(e.ratio) <= 1 for e in edges)
    correlation, change = (f"{x:+.4f}".replace("-", "−") for x in (edge.correlation or 0.0, edge.change))
    return figure(
        "li-theorem-3",
        {"count": len(edges), "scale": scale, "correlation": correlation, "change": change},
        rows=[_rows("x_i", joint)],
        holds=(kept, not (edge.correlation is not None and edge.correlation > 0 > edge.change)),
    )
