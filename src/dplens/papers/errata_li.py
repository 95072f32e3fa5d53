"""Where Li et al. 2019 err."""

from __future__ import annotations

import numpy as np

import dplens as dl
from dplens.papers import choices
from dplens.papers.li_simulation import excess_of
from dplens.papers.records import Erratum

_ONE = dl.Laplace(scale=1.0)


def _weak(joint: list[list[float]], second: list[float] | None = None) -> float:
    data = dl.DiscreteData(joint=joint, values=[[0.0, 1.0], second or [0.0, 1.0]])
    return float(data.view(_ONE, target=0).leakage())


def _alike(edge: float) -> dl.KnowledgeGraph:
    return dl.KnowledgeGraph.from_edges(lambda target, other, known: edge, n=5)


def _increments(data: dl.DiscreteData, noise: dl.Laplace) -> list[float]:
    """IC of the edge from (1, {2}) to (1, ∅) for every two values of the target."""
    joint, values = np.asarray(data.joint), data.values
    pairs = ([i, j] for j in range(len(joint)) for i in range(j))
    return [
        dl.DiscreteData(joint=joint[p] / joint[p].sum(), values=[[values[0][i] for i in p], values[1]])
        .graph(noise)
        .edge(0, 1, ())
        .change
        for p in pairs
    ]


def li() -> tuple[Erratum, ...]:
    """Li et al. 2019."""
    return (*_theorems(), *_statements(), *_misprints())


def _theorems() -> tuple[Erratum, ...]:
    data = dl.DiscreteData(joint=[[0, 0.15, 0], [0.42, 0.02, 0.41]], values=[[0, 1], [0, 1, 5]])
    spread = dl.DiscreteData(joint=[[0, 0.5, 0], [0.245, 0, 0.255]], values=[[0, 1], [0, 0.5, 1]])
    loud = dl.Laplace(scale=1.01)
    edge = spread.graph(loud).edge(0, 1, ())
    rows = np.array([[0, 1, 0], [0.2475, 0.5, 0.2525], [0.49, 0, 0.51]]) / 3
    between = dl.DiscreteData(joint=rows, values=[[0.0, 0.5, 1.0]] * 2)
    three = np.array([[[6, 836], [5, 977]], [[4, 929], [24, 7219]]]) / 10_000
    bound = dl.DiscreteData(joint=three)
    thirds = np.array([[4, 3274, 352], [14, 6118, 1], [88, 22, 127]]) / 10_000
    tails = dl.DiscreteData(joint=thirds, values=[[0.0, 0.5, 1.0]] * 2)
    apart = dl.DiscreteData(joint=[[0.01, 0.49], [0.49, 0.01]], values=[[0.0, 1.0], [0.0, 5.0]])
    matrix = np.full((15, 15), -0.8)
    np.fill_diagonal(matrix, 1.0)
    return (
        Erratum(
            key="li-chain-rule",
            paper="li",
            place="Theorems 2 and 5, Algorithms 1 and 2",
            kind="theorem",
            printed="l(i, K∖{j}) = |l(i, K) + IC|, and along paths of the graph.",
            correct="No bound: the exact leakage can be larger, and is on about half of random tables. dplens works out "
            "the supremum over all outputs; it is attained at an attainable sum.",
            why="The proof puts e^(−x_j/λ) for the law of the output, which is its left tail alone; the right tail and the "
            "middle can be worse. It also pairs the largest range of x_i with any pair of its values. Joint law with rows "
            "x1 = 0, 1 and columns x2 = 0, 1, 5: (0, .15, 0; .42, .02, .41), scale 1.",
            numbers=(
                ("exact leakage", float(data.view(_ONE, target=0).leakage())),
                ("chain rule", float(data.graph(_ONE).value(0, ()))),
            ),
        ),
        Erratum(
            key="li-theorem-3",
            paper="li",
            place="Theorem 3(3)",
            kind="theorem",
            printed="If x_j has more than two values and λ > GS(f), the increment has the sign of the correlation.",
            correct="It need not.",
            why="x_j = ½ if x_i = 0; x_j = 0 or 1 with .49 and .51 if x_i = 1; λ = 1.01. The mean of x_j rises with x_i, but "
            "e^(−x/λ) is convex, and its mean rises as well. The proof replaces e^x by 1 + x. For the same reason not even one "
            "of several increments need be positive where x_i has more than two values, though the text says that one is: "
            "put x_i = ½ between, with x_j = 0, ½, 1 at .2475, .5, .2525 (x_i uniform).",
            numbers=(
                ("correlation", float(edge.correlation or 0.0)),
                ("increment IC", float(edge.change)),
                ("three values: correlation", float(between.graph(loud).edge(0, 1, ()).correlation or 0.0)),
                ("the largest of three increments", max(_increments(between, loud))),
            ),
        ),
        Erratum(
            key="li-corollary-1-2",
            paper="li",
            place="Corollary 1(2), Section VII-B",
            kind="theorem",
            printed="When all IC > 0, the maximal leakage is obtained in the top layer, by the weakest adversary.",
            correct="An attacker who knows something may learn more than all who know nothing.",
            why="Unknown tuples add to what a sum tells, but another unknown tuple may also hide it: a path of the graph adds "
            "its own increments only. Three tuples of 0 and 1, joint counts in 10 000: 6, 836, 5, 977 for x1 = 0, then 4, 929, "
            "24, 7219 for x1 = 1 (x3 runs fastest); scale 1. All increments are positive.",
            numbers=(
                ("about x2, knows x3", float(bound.view(_ONE, target=1, known=[2]).leakage())),
                ("the most by who knows nothing", max(float(bound.view(_ONE, target=t).leakage()) for t in range(3))),
            ),
        ),
        Erratum(
            key="li-corollary-1-3",
            paper="li",
            place="Corollary 1(3)",
            kind="theorem",
            printed="When all IC < 0, the maximal leakage is obtained in the bottom layer, by the strongest adversary.",
            correct="Over all targets and by the chain rule it is. By the exact leakage the weakest adversary may learn more "
            "than all who know everything else; about one target he may by the chain rule too, where another tuple has a "
            "larger range.",
            why="|l + IC| ≤ max(l, |IC|) and |IC| ≤ LS_j/λ, so by the chain rule no node exceeds the largest LS_j/λ, which "
            "is in the bottom layer, at the tuple j; but the chain rule is no bound (above). x1, x2 = 0, ½, 1, joint counts "
            "in 10 000: 4, 3274, 352 for x1 = 0, then 14, 6118, 1 and 88, 22, 127; scale 1. All six increments are negative, "
            "the bottom layer has 1, and the sum tells more in its right tail. About one target: (.01, .49; .49, .01), "
            "x2 = 0, 5: the sum falls by about 4 when x1 rises by 1.",
            numbers=(
                ("about x1, knows nothing", float(tails.view(_ONE, target=0).leakage())),
                ("bottom layer", max(float(tails.view(_ONE, target=t, known=[1 - t]).leakage()) for t in range(2))),
                ("x2 = 0, 5: about x1, knows x2", float(apart.view(_ONE, target=0, known=[1]).leakage())),
                ("about x1, knows nothing", float(apart.view(_ONE, target=0).leakage())),
                ("about x2, knows x1", float(apart.view(_ONE, target=1, known=[0]).leakage())),
            ),
        ),
        Erratum(
            key="li-figure-4d",
            paper="li",
            place="Section VII-A and Figure 4(d)",
            kind="statement",
            printed="15 tuples with average correlations from −0.8 to 0.8; normal data with covariances of −1.",
            correct="No such data exist; the average correlation of n tuples is at least −1/(n − 1), here −1/14.",
            why="Standardised, their sum has the variance n + n(n − 1)ρ ≥ 0, ρ the average. With all correlations −0.8 the "
            "matrix has a negative eigenvalue, and "
            "covariances of −1 need variances of 14 or more.",
            numbers=(("smallest eigenvalue", float(np.linalg.eigvalsh(matrix)[0])), ("−1/14", -1 / 14)),
        ),
    )


def _statements() -> tuple[Erratum, ...]:
    independent = dl.DiscreteData(joint=[[0.25, 0.25], [0.25, 0.25]])
    strong = independent.view(_ONE, target=0, known=[1])
    weak = independent.view(_ONE, target=0)
    equal = dl.DiscreteData(joint=[[0.5, 0.0], [0.0, 0.5]])
    return (
        Erratum(
            key="li-remark-1",
            paper="li",
            place="Remark 1",
            kind="statement",
            printed="l ≤ DP(M): DP provides an upper bound of the leakage.",
            correct="The bound is that of a group of all unknown tuples and the target, Σ LS_j/λ (his Equation 16). His "
            "Equation 4 shows just that; DP(M) of Definition 1 is about one tuple.",
            why="His own Example 2: one tuple moves the sum by at most 1, DP(M) = 1, and the leakage is more.",
            numbers=(("leakage, Table II(a)", _weak([[0.3, 0.2], [0.2, 0.3]])), ("DP(M)", 1.0), ("group of two", 2.0)),
        ),
        Erratum(
            key="li-figure-4b",
            paper="li",
            place="Section VII-B, about Figure 4(b)",
            kind="statement",
            printed="Leakage increases with the average edge; Figure 4(b) shows similar results when it is negative.",
            correct="For the attackers who know most, who learn the less the more negative it is; for the others there is no "
            "order: which edges leak more alternates with the number of unknown tuples.",
            why="Along a path the chain rule adds edges and takes the absolute value. With edges −m it falls from 1 until it "
            "would pass 0, and lies between 0 and m from there on.",
            numbers=tuple(
                (f"five tuples, all edges −{m:g}, {who}", float(_alike(-m).value(0, known)))
                for who, known in (("one unknown", (2, 3, 4)), ("three unknown", (4,)), ("all unknown", ()))
                for m in (0.2, 0.8)
            ),
        ),
        Erratum(
            key="li-figure-5",
            paper="li",
            place="Section VII-B, about Figure 5",
            kind="condition",
            printed="With stronger correlation (0.5, 0.8) the fast search is very close to the full one.",
            correct="So it is if all edges are nearly equal. The paper draws them from a beta law and does not say which; with edges "
            "that differ more the fast search can say twice as much.",
            why="It keeps the n largest nodes of a layer, and those have the largest edges above them. The full search "
            "gives a node the least value over all paths to it, and most of these paths are then gone. Where all edges are the same "
            "nothing is lost.",
            numbers=tuple(
                (f"larger by this share, 12 tuples, average {a:g}, beta({c * a:g}, {c * (1 - a):g})", excess_of(a, c))
                for a in (0.5, 0.8)
                for c in (choices.LI_CONCENTRATION.one, choices.LI_SPREAD.one)
            ),
        ),
        Erratum(
            key="li-theorem-1",
            paper="li",
            place="Theorem 1",
            kind="condition",
            printed="With independent tuples prior knowledge has no impact on the leakage.",
            correct="None on the leakage, the largest log-ratio, under Laplace noise. On the attacker's power it has one: "
            "unknown tuples act as further noise.",
            why="The proof shows ≤ only. Equality comes from the tails of the Laplace law, where the ratio is e^(range/λ) "
            "whatever else is added; between them the curve of who knows less lies higher.",
            numbers=(
                ("leakage, knows x2", float(strong.leakage())),
                ("leakage, knows nothing", float(weak.leakage())),
                ("power at α = 0.2, knows x2", float(strong.tradeoff().power(0.2))),
                ("power at α = 0.2, knows nothing", float(weak.tradeoff().power(0.2))),
            ),
        ),
        Erratum(
            key="li-theorem-4",
            paper="li",
            place="Theorem 4",
            kind="condition",
            printed="Whoever knows everything else has the leakage LS_i/λ, whatever the joint law.",
            correct="If what he knows leaves one value only, the release adds nothing: leakage 0. dplens flags it.",
            why="With x1 = x2 for certain, x2 gives x1 away before anything is released.",
            numbers=(
                ("leakage, x1 = x2, knows x2", float(equal.view(_ONE, target=0, known=[1]).leakage())),
                ("LS_1/λ", 1.0),
            ),
        ),
    )


def _misprints() -> tuple[Erratum, ...]:
    a, b = _weak([[0.3, 0.2], [0.2, 0.3]]), _weak([[0.2, 0.3], [0.3, 0.2]])
    return (
        Erratum(
            key="li-example-2",
            paper="li",
            place="Example 2",
            kind="misprint",
            printed="l(b) ≈ 0.82.",
            correct="0.81.",
            why="Turning x2 around exchanges (a) and (b), and the two leakages add up to 2.",
            numbers=(("l(a)", a), ("l(b)", b), ("sum", a + b)),
        ),
        Erratum(
            key="li-example-3",
            paper="li",
            place="Example 3",
            kind="misprint",
            printed="l with prior knowledge {2} is 1.95 (a') and 0.05 (b').",
            correct="These are the leakages of the attacker who knows nothing; knowing x2 both are 1.",
            why="The sentence before and Equations 7 and 8 speak of K = ∅.",
            numbers=(
                ("l(a'), K = ∅", _weak([[0.49, 0.01], [0.01, 0.49]])),
                ("l(b'), K = ∅", _weak([[0.01, 0.49], [0.49, 0.01]])),
            ),
        ),
        Erratum(
            key="li-table-2",
            paper="li",
            place="Table II(d)",
            kind="misprint",
            printed="x2 = 0, 1.",
            correct="x2 = 0, 5.",
            why="Example 4 gives LS_2/LS_1 = 5 and a leakage of 6 for it.",
            numbers=(
                ("leakage, x2 = 0, 5", _weak([[0.5, 0], [0, 0.5]], [0.0, 5.0])),
                ("leakage, x2 = 0, 1", _weak([[0.5, 0], [0, 0.5]])),
            ),
        ),
        Erratum(
            key="li-example-1",
            paper="li",
            place="Example 1",
            kind="misprint",
            printed="The adversary may acquire the exact value of s1.",
            correct="Of s2; s1 is what he attacks.",
            why="The sentences that follow give him s2 = 1 and let him ask for s1.",
        ),
        Erratum(
            key="li-ancestor",
            paper="li",
            place="Section V-B, about edges and Equation 12",
            kind="misprint",
            printed="If an edge is negative, the ancestor, a stronger adversary, can cause more leakage. IR and LS_j/λ stand for "
            "local sensitivity and correlation, respectively.",
            correct="The ancestor is the weaker adversary, and the other one can cause more. IR stands for correlation, LS_j/λ "
            "for local sensitivity.",
            why="An ancestor knows one tuple less (Section III-A). Below Equation 13 IR is the impact of correlations.",
        ),
        Erratum(
            key="li-corollary-1",
            paper="li",
            place="Corollary 1(1), Section V-D",
            kind="misprint",
            printed="When all IC = 1, PDP degrades to group DP. The algorithm uses the chain rule (Theorem 14). There are no "
            "fewer edges than nodes.",
            correct="When all IR = 1. Equation 14, in Theorem 5. From three tuples on.",
            why="His Equation 16 sets all increment ratios IR to 1; IC = IR·LS_j/λ. There are six theorems. There are "
            "n(n − 1)·2^(n−2) edges and n·2^(n−1) nodes: two and four with two tuples.",
        ),
        Erratum(
            key="li-lemma-3",
            paper="li",
            place="Lemma 3, Equation 30, Corollary 2 (proofs)",
            kind="misprint",
            printed="Cov(x1, x2) = (x12 − x11)(y2 − y1); e^(−x_i/λ); −μ_i·Σρ_ij.",
            correct="Cov(x1, x2) = p1·p2·(x12 − x11)(y2 − y1); e^(−x_j/λ); −μ_i·ρ_ii⁻¹·Σρ_ij.",
            why="On Table II(a) p1 = p2 = ½ and y2 − y1 = 0.2. The signs, and with them the conclusions, stay.",
            numbers=(("Cov, Table II(a)", 0.3 - 0.25), ("as printed", 0.6 - 0.4)),
        ),
        Erratum(
            key="li-figure-4d-words",
            paper="li",
            place="Section VII-B, about Figure 4(d)",
            kind="misprint",
            printed="Leakage decreases with the amount of prior knowledge.",
            correct="It increases with it.",
            why="The reason given there, that more unknown tuples cancel each other out, says the opposite.",
            numbers=_negative(),
        ),
    )


def _negative() -> tuple[tuple[str, float], ...]:
    matrix = np.full((15, 15), -0.07)
    np.fill_diagonal(matrix, 1.0)
    data = dl.GaussianData(covariance=matrix, width=1.0)
    return (
        ("ρ = −0.07, knows nothing", float(data.view(_ONE, target=0).leakage())),
        ("knows 7", float(data.view(_ONE, target=0, known=list(range(1, 8))).leakage())),
        ("knows all 14 others", float(data.view(_ONE, target=0, known=list(range(1, 15))).leakage())),
    )
