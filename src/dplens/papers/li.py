"""Li et al. 2019: his examples, and what becomes of his theorems when the leakage is worked out exactly.

"Impact of prior knowledge and data correlation on privacy leakage: a unified analysis".
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Claim, Figure, Line, Note, Panel, Printed, Scale, Table, digits, spaced

_A, _B = choices.LI_WEAK.value
TABLE_2 = {  # rows x1, columns x2; the values of x2
    "a": ([[0.3, 0.2], [0.2, 0.3]], (0.0, 1.0)),
    "b": ([[0.2, 0.3], [0.3, 0.2]], (0.0, 1.0)),
    "c": ([[0.5, 0.0], [0.0, 0.5]], (0.0, 1.0)),
    "d": ([[0.5, 0.0], [0.0, 0.5]], (0.0, 5.0)),
}
STRONGER = {
    "a'": ([[0.49, 0.01], [0.01, 0.49]], (0.0, 1.0)),
    "b'": ([[0.01, 0.49], [0.49, 0.01]], (0.0, 1.0)),
}
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


def _leakage(joint: Sequence[Sequence[float]], second: Sequence[float], known: Sequence[int] = ()) -> float:
    return float(_two(joint, second).view(dl.Laplace(scale=1.0), target=0, known=list(known)).leakage())


def _whole(joint: Sequence[Sequence[float]], second: Sequence[float]) -> float:
    """The bound for a group of both tuples: the sum of their ranges over the scale."""
    return float(_two(joint, second).view(dl.Laplace(scale=1.0), target=0).group_bound)


def figure_2(scale: float = choices.LI_SCALE.one) -> Figure:
    """What two attackers conclude from the output 2 about s1, in five kinds of correlation."""
    noise = dl.Laplace(scale=scale)
    rows, weak, strong, correlations = [], [], [], []
    for name, joint in CASES.items():
        data = _two(joint)
        blind = dl.Attack(data.view(noise, target=0, pair=(0.0, 1.0), known={}), fpr=0.05, prior=0.5)
        weak.append(float(blind.posterior(2.0)))
        before = joint[1][1] / (joint[0][1] + joint[1][1])  # Pr(s1 = 1 | s2 = 1)
        knowing = data.view(noise, target=0, known={1: 1.0})
        if knowing.determined:
            strong.append(before)
        else:
            seen = data.view(noise, target=0, pair=(0.0, 1.0), known={1: 1.0})
            strong.append(float(dl.Attack(seen, fpr=0.05, prior=float(seen.prior)).posterior(2.0)))
        correlations.append(4 * joint[1][1] - 1)
        rows.append((name, "0.5", f"{weak[-1]:.4f}", f"{before:.4f}", f"{strong[-1]:.4f}"))
    return Figure(
        key="li-2",
        name="Figure 2 and Example 1",
        title="What two attackers learn from the same output",
        supports="How much an output tells depends on how records are related and on what the attacker knows.",
        panels=(
            Panel(
                title="Belief in s1 = 1 after the output 2",
                x=Scale(title="Correlation of s1 and s2", low=-1.0, high=1.0),
                y=Scale(title="Pr(s1 = 1 | output 2)", low=0.0, high=1.02),
                lines=(
                    Line(x=tuple(correlations), y=tuple(weak), label="knows nothing", series=0, points=True),
                    Line(x=tuple(correlations), y=tuple(strong), label="knows s2 = 1", series=1, points=True),
                ),
            ),
        ),
        columns=1,
        tables=(
            Table(
                caption="Belief in s1 = 1: before and after the output 2",
                heads=("correlation", "knows nothing: before", "after", "knows s2 = 1: before", "after"),
                rows=tuple(rows),
            ),
        ),
        claims=(
            Claim(
                says="Case 1: both infer s1 = 1, the weak attacker with high confidence, the strong one for certain.",
                holds=weak[4] > 0.85 and strong[4] == 1.0,
                found=f"{weak[4]:.4f} and {strong[4]:g}.",
            ),
            Claim(
                says="Case 2: the weak attacker infers nothing; with s2 = 1 he can claim s1 = 0.",
                holds=abs(weak[0] - 0.5) < 1e-12 and strong[0] == 0.0,
                found=f"{weak[0]:.4f} and {strong[0]:g}.",
            ),
            Claim(
                says="Case 3: without knowledge s1 = 1 is likelier; the knowledge of s2 = 1 adds no confidence.",
                holds=weak[2] > 0.5 and strong[2] <= weak[2] + 1e-12,
                found=f"{weak[2]:.4f} without and {strong[2]:.4f} with it.",
            ),
        ),
        choices=(choices.LI_SCALE, choices.LI_WEAK),
        learned=(
            "Example 1 lets the attacker know s1 itself at first; what he knows is s2.",
            "With weak correlation the strong attacker is moved by two things: by what s2 says of s1 before the output, "
            "and by the output. The leakage counts the second alone.",
        ),
    )


def examples(scale: float = 1.0) -> Figure:
    """Table II and Examples 2 to 4: the leakage of two attackers on six joint tables."""
    values = {k: _leakage(*t) for k, t in {**TABLE_2, **STRONGER}.items()}
    known = {k: _leakage(*TABLE_2[k], [1]) for k in ("a", "b")}
    domain = "Table II(d) prints x2 = 0, 1; Example 4 speaks of a five times larger domain, x2 = 0, 5"
    subscript = "Example 3 prints l with prior knowledge {2}; the numbers are those of the attacker who knows nothing"
    printed = (
        Printed(what="Example 2: knows x2, table (a)", printed="1", ours=known["a"]),
        Printed(what="Example 2: knows nothing, table (a)", printed="1.19", ours=values["a"]),
        Printed(
            what="Example 2: knows nothing, table (b)",
            printed="0.82",
            ours=values["b"],
            corrected="0.81",
            correction="Example 2 prints 0.82; the value is 0.8146, and with that of (a) it adds up to 2",
        ),
        Printed(what="Example 3: table (a')", printed="1.95", ours=values["a'"], correction=subscript),
        Printed(what="Example 3: table (b')", printed="0.05", ours=values["b'"], correction=subscript),
        Printed(what="Example 2: both tuples as a whole", printed="2", ours=_whole(*TABLE_2["a"])),
        Printed(what="Example 4: table (c)", printed="2", ours=values["c"]),
        Printed(
            what="Example 4: table (d)",
            printed="6",
            ours=values["d"],
            correction=domain,
        ),
        Printed(what="Example 4: LS2/LS1, table (c)", printed="1", ours=_whole(*TABLE_2["c"]) - 1),
        Printed(what="Example 4: LS2/LS1, table (d)", printed="5", ours=_whole(*TABLE_2["d"]) - 1, correction=domain),
    )
    rows = []
    for name, (joint, second) in {**TABLE_2, **STRONGER}.items():
        table = "; ".join(" ".join(f"{p:g}" for p in row) for row in joint)
        rows.append((name, table, " ".join(f"{x:g}" for x in second), f"{values[name]:.6f}"))
    cell = values["a"] + values["b"]
    return Figure(
        key="li-examples",
        name="Table II and Examples 2 to 4",
        title="Three things that decide the leakage",
        supports="Prior knowledge, correlation and the ranges of the other tuples all change the leakage.",
        tables=(
            Table(
                caption="Leakage about x1 of an attacker who knows nothing; Laplace noise of scale 1 on x1 + x2",
                heads=("table", "joint law (rows x1)", "values of x2", "leakage"),
                rows=tuple(rows),
            ),
        ),
        printed=printed,
        claims=(
            Claim(
                says="l(a) > l knowing x2, l(b) < l knowing x2 (5, 6); l(a') > l(a), l(b') < l(b) (7, 8); l(c) < l(d).",
                holds=known["b"] > values["b"] > values["b'"]
                and known["a"] < values["a"] < values["a'"]
                and values["c"] < values["d"],
                found="All five orderings hold.",
            ),
        ),
        learned=(
            f"Turning x2 around turns (a) into (b), and the two leakages add up to {cell:.6f}: what positive "
            "correlation adds, negative correlation takes away.",
        ),
    )


def example_5(correlations: int = 41) -> Figure:
    """Two normal tuples: the weak attacker's leakage is ``|1 + rho|``, the strong one's 1."""
    noise = dl.Laplace(scale=1.0)
    places = spaced(-0.999, 0.999, correlations)
    weak, strong = [], []
    for rho in places:
        data = dl.GaussianData(covariance=[[1.0, rho], [rho, 1.0]], width=1.0)
        weak.append(float(data.view(noise, target=0).leakage()))
        strong.append(float(data.view(noise, target=0, known=[1]).leakage()))
    gap = max(abs(w - abs(1 + rho)) for w, rho in zip(weak, places))
    return Figure(
        key="li-example-5",
        name="Example 5 and Corollary 2",
        title="Two normal tuples",
        supports="With positive correlation the weak attacker gains most, with negative correlation the strong one.",
        panels=(
            Panel(
                title="Leakage in units of M/λ",
                x=Scale(title="Correlation of x1 and x2", low=-1.0, high=1.0),
                y=Scale(title="Leakage", low=0.0, high=2.0),
                lines=(
                    Line(x=places, y=tuple(weak), label="knows nothing", series=0),
                    Line(x=places, y=tuple(strong), label="knows x2", series=1),
                ),
            ),
        ),
        columns=1,
        claims=(
            Claim(
                says="l = |1 + ρ|·M/λ for the weakest attacker, M/λ for the strongest.",
                holds=gap < 1e-9 and max(abs(s - 1) for s in strong) < 1e-9,
                found=f"Ours differ by at most {digits(gap, 1)} over {correlations} correlations.",
            ),
        ),
    )


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
    return Figure(
        key="li-chain-rule",
        name="Theorems 2 and 5",
        title="The chain rule is not a bound",
        supports="The leakage of a weaker attacker is that of a stronger one plus one edge of the graph.",
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
        learned=(
            "The rule looks at one tail of the output only (the factor e^(−x/λ)). The exact supremum is attained at one "
            "of the attainable sums, so it costs no more to work it out.",
        ),
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
    return Figure(
        key="li-theorem-3",
        name="Theorem 3",
        title="The sign of the correlation and the sign of the edge",
        supports="Positive correlation raises the leakage of weaker attackers, negative correlation lowers it.",
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
                f"{edge.change:+.4f}.",
            ),
        ),
        choices=(choices.LI_PAIRS, choices.LI_SEED),
        learned=(
            "The proof replaces e^x by 1 + x. The exponential is convex: a spread-out x_j has a larger mean of "
            "e^(−x/λ) than one at its centre, and that outweighs a small difference of means.",
        ),
    )
