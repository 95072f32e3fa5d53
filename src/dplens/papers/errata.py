"""Where the papers err: each place with what should stand there, a short proof, and numbers that are worked out anew.

The texts are in ``errata.json``, by paper and key; here are the numbers that go with them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

import dplens as dl
from dplens.papers import choices
from dplens.papers.li_simulation import excess_of
from dplens.papers.liu import laplace
from dplens.papers.records import Erratum, texts

NORMAL = NormalDist()
_ONE = dl.Laplace(scale=1.0)
Numbers = dict[str, tuple[tuple[str, float], ...]]  # by key: what each number is, and the number


def liu() -> Numbers:
    """Liu et al. 2019."""
    positive = dl.frameworks(dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]]), dl.Laplace(scale=1.0))
    negative = dl.frameworks(dl.DiscreteData(joint=[[0.01, 0.49], [0.49, 0.01]]), dl.Laplace(scale=1.0))
    floors = tuple(
        (f"F of accusing everyone, weight {w:g}", float(dl.FScore(weight=w).of(dl.Laplace(scale=1e6))))
        for w in (0.5, 0.8, 1.5, 2.0)
    )
    rare, above = (dl.Attack(dl.Laplace(scale=1.0), fpr=a).likelihood_threshold for a in (0.05, 0.9))
    sigma = dl.gaussian_sigma(epsilon=0.5, delta=1e-5, method="classical")
    return {
        "liu-floor": floors,
        "liu-deniability": (
            ("λ at α = 0.05, ε = 1, exactly", rare),
            ("as printed", math.exp(-1) / (4 * 0.05**2)),
            ("λ at α = 0.9, exactly", above),
            ("as printed", math.exp(-1) / (4 * 0.1**2)),
        ),
        "liu-alarm": (
            ("P_FA at x = 1", math.exp(-1) / 2),
            ("by the printed integral", 1 - math.exp(-1) / 2),
            ("by the printed closed form", math.e / 2),
        ),
        "liu-variance": (
            ("σ² at ε = 0.5, δ = 1e-5, ΔQ = 1", sigma**2),
            ("as printed", 2 * math.log(1.25e5) / 0.5),
        ),
        "liu-values": tuple(
            (f"power at α = 0.1, scale 1, values {d:g} apart", float(dl.AttackPower(fpr=0.1).of(laplace(d))))
            for d in (0.5, 1.0)
        ),
        "liu-blowfish": (("ε_DDP", positive.dependent), ("ε_BP", positive.blowfish or math.nan)),
        "liu-weakest": (
            ("ε_DP", negative.dp),
            ("the weakest attacker", negative.bayesian),
            ("the worst attacker (ε_DDP)", negative.dependent),
        ),
    }


def blog() -> Numbers:
    """The blog post of 2 July 2025."""
    curve = dl.GaussianDP(mu=1.0).tradeoff()
    at = 0.1
    pairs = [
        float(dl.ApproximateDP(epsilon=float(e), delta=float(curve.delta(float(e)))).tradeoff()(at))
        for e in np.linspace(0, 8, 321)
    ]
    one = dl.ApproximateDP(epsilon=1.0, delta=float(curve.delta(1.0))).tradeoff()
    return {
        "blog-envelope": (("f(0.1) at mu = 1", float(curve(at))), ("supremum", max(pairs)), ("infimum", min(pairs))),
        "blog-lemma": (("f(0.3) at mu = 1", float(curve(0.3))), ("f_{ε,δ}(0.3) at ε = 1", float(one(0.3)))),
    }


def fondeville() -> Numbers:
    """De Fondeville 2026."""
    from scipy import stats

    gaussian = dl.Gaussian(sigma=1.0)
    curve = gaussian.tradeoff()
    bounded = dl.Laplace(scale=1.0).tradeoff()
    loss = dl.Attack(gaussian).privacy_loss.h1

    def test(n: int, sd: float = 0.25) -> dl.MeanTest:
        return dl.MeanTest(n=n, sd=sd, effect=0.2, level=0.01)

    def least(n: int, sd: float, level: float = 0.01) -> float:
        return float(test(n, sd).with_(level=level).min_mu(max_power_loss=0.01, sensitivity=1 / n))

    lost = float(test(15).power()), float(test(15).power(dl.Gaussian(sigma=1 / 15)))
    few = test(500).with_(effect=0.05)
    frequent = [float(dl.AttackPower(fpr=0.3).of(m)) for m in (dl.Laplace(scale=1.0), gaussian)]
    absent = dl.FinitePair(p=[0.5, 0.5], q=[1.0, 0.0])
    skewed = dl.AdditiveNoise(noise=stats.gumbel_r(), sensitivity=1.0)
    up, both = skewed.tradeoff(direction="add"), skewed.tradeoff()
    return {
        "fondeville-inverse": (
            ("f(0.1) at μ = 1, Gaussian", float(curve(0.1))),
            ("as printed", NORMAL.cdf(NORMAL.inv_cdf(0.1) - 1)),
        ),
        "fondeville-directions": (
            ("power at α = 0.01, upwards", float(up.power(0.01))),
            ("both directions", float(both.power(0.01))),
            ("ρ, upwards", float(dl.RelativeRisk().of(up))),
            ("power/α at α = 1e-12, both directions", float(dl.RelativeRisk(fpr=1e-12).of(both))),
        ),
        "fondeville-minimum": (
            ("n = 15, level 0.01", least(15, 0.25)),
            ("n = 100", least(100, 0.25)),
            ("n = 500", least(500, 0.25)),
            ("n = 15, level 0.05", least(15, 0.25, 0.05)),
        ),
        "fondeville-variance": (
            ("n = 15, sd 0.5", least(15, 0.5)),
            ("n = 100", least(100, 0.5)),
            ("n = 500", least(500, 0.5)),
        ),
        "fondeville-unaffected": (("power without noise, n = 15, m = 0.2", lost[0]), ("with μ = 1", lost[1])),
        "fondeville-large": (
            ("power at m = 0.05 without noise", float(few.power())),
            ("with μ = 0.1", float(few.power(dl.Gaussian(sigma=0.02)))),
            ("at m = 0.2, with μ = 0.1", float(test(500).power(dl.Gaussian(sigma=0.02)))),
        ),
        "fondeville-probability": (("δ(1) at μ = 1", float(curve.delta(1.0))), ("Pr(loss > 1)", float(loss.sf(1.0)))),
        "fondeville-stronger": (("power at α = 0.3, μ = 1: Laplace", frequent[0]), ("Gaussian", frequent[1])),
        "fondeville-words": (
            ("ρ_α0 at α0 = 0.01, Gaussian, μ = 1", float(dl.RelativeRisk(fpr=0.01).of(gaussian))),
            ("power/α at α = 0.001", float(curve.power(0.001)) / 0.001),
        ),
        "fondeville-absence": (
            ("f(0), one direction", float(absent.tradeoff(direction="add")(0.0))),
            ("f(0), both", float(absent.tradeoff()(0.0))),
        ),
        "fondeville-graceful": (
            ("Laplace noise, μ = 1: f(0)", float(bounded(0.0))),
            ("f(0.001)", float(bounded(0.001))),
            ("ρ", float(dl.RelativeRisk().of(bounded))),
        ),
        "fondeville-appendix": (("(e^ε − e^−ε)/(1 − e^ε) at ε = 1", (math.e - 1 / math.e) / (1 - math.e)),),
    }


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


def li() -> Numbers:
    """Li et al. 2019."""
    return {**_theorems(), **_statements(), **_misprints()}


def _theorems() -> Numbers:
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
    return {
        "li-chain-rule": (
            ("exact leakage", float(data.view(_ONE, target=0).leakage())),
            ("chain rule", float(data.graph(_ONE).value(0, ()))),
        ),
        "li-theorem-3": (
            ("correlation", float(edge.correlation or 0.0)),
            ("increment IC", float(edge.change)),
            ("three values: correlation", float(between.graph(loud).edge(0, 1, ()).correlation or 0.0)),
            ("the largest of three increments", max(_increments(between, loud))),
        ),
        "li-corollary-1-2": (
            ("about x2, knows x3", float(bound.view(_ONE, target=1, known=[2]).leakage())),
            ("the most by who knows nothing", max(float(bound.view(_ONE, target=t).leakage()) for t in range(3))),
        ),
        "li-corollary-1-3": (
            ("about x1, knows nothing", float(tails.view(_ONE, target=0).leakage())),
            ("bottom layer", max(float(tails.view(_ONE, target=t, known=[1 - t]).leakage()) for t in range(2))),
            ("x2 = 0, 5: about x1, knows x2", float(apart.view(_ONE, target=0, known=[1]).leakage())),
            ("about x1, knows nothing", float(apart.view(_ONE, target=0).leakage())),
            ("about x2, knows x1", float(apart.view(_ONE, target=1, known=[0]).leakage())),
        ),
        "li-figure-4d": (("smallest eigenvalue", float(np.linalg.eigvalsh(matrix)[0])), ("−1/14", -1 / 14)),
    }


def _statements() -> Numbers:
    independent = dl.DiscreteData(joint=[[0.25, 0.25], [0.25, 0.25]])
    strong = independent.view(_ONE, target=0, known=[1])
    weak = independent.view(_ONE, target=0)
    equal = dl.DiscreteData(joint=[[0.5, 0.0], [0.0, 0.5]])
    return {
        "li-remark-1": (
            ("leakage, Table II(a)", _weak([[0.3, 0.2], [0.2, 0.3]])),
            ("DP(M)", 1.0),
            ("group of two", 2.0),
        ),
        "li-figure-4b": tuple(
            (f"five tuples, all edges −{m:g}, {who}", float(_alike(-m).value(0, known)))
            for who, known in (("one unknown", (2, 3, 4)), ("three unknown", (4,)), ("all unknown", ()))
            for m in (0.2, 0.8)
        ),
        "li-figure-5": tuple(
            (f"larger by this share, 12 tuples, average {a:g}, beta({c * a:g}, {c * (1 - a):g})", excess_of(a, c))
            for a in (0.5, 0.8)
            for c in (choices.LI_CONCENTRATION.one, choices.LI_SPREAD.one)
        ),
        "li-theorem-1": (
            ("leakage, knows x2", float(strong.leakage())),
            ("leakage, knows nothing", float(weak.leakage())),
            ("power at α = 0.2, knows x2", float(strong.tradeoff().power(0.2))),
            ("power at α = 0.2, knows nothing", float(weak.tradeoff().power(0.2))),
        ),
        "li-theorem-4": (
            ("leakage, x1 = x2, knows x2", float(equal.view(_ONE, target=0, known=[1]).leakage())),
            ("LS_1/λ", 1.0),
        ),
    }


def _misprints() -> Numbers:
    a, b = _weak([[0.3, 0.2], [0.2, 0.3]]), _weak([[0.2, 0.3], [0.3, 0.2]])
    return {
        "li-example-2": (("l(a)", a), ("l(b)", b), ("sum", a + b)),
        "li-example-3": (
            ("l(a'), K = ∅", _weak([[0.49, 0.01], [0.01, 0.49]])),
            ("l(b'), K = ∅", _weak([[0.01, 0.49], [0.49, 0.01]])),
        ),
        "li-table-2": (
            ("leakage, x2 = 0, 5", _weak([[0.5, 0], [0, 0.5]], [0.0, 5.0])),
            ("leakage, x2 = 0, 1", _weak([[0.5, 0], [0, 0.5]])),
        ),
        "li-lemma-3": (("Cov, Table II(a)", 0.3 - 0.25), ("as printed", 0.6 - 0.4)),
        "li-figure-4d-words": _negative(),
    }


def _negative() -> tuple[tuple[str, float], ...]:
    matrix = np.full((15, 15), -0.07)
    np.fill_diagonal(matrix, 1.0)
    data = dl.GaussianData(covariance=matrix, width=1.0)
    return (
        ("ρ = −0.07, knows nothing", float(data.view(_ONE, target=0).leakage())),
        ("knows 7", float(data.view(_ONE, target=0, known=list(range(1, 8))).leakage())),
        ("knows all 14 others", float(data.view(_ONE, target=0, known=list(range(1, 15))).leakage())),
    )


def kaissis() -> Numbers:
    """Kaissis et al. 2022."""
    curve = dl.GaussianDP(mu=1.0).tradeoff()
    batches = dl.Gaussian(sigma=1.0, neighbours="replace").subsample(0.01, scheme="without_replacement")
    limit = dl.DPSGDLimit(noise_multiplier=1.0, sample_rate=0.01, steps=100, kind="symmetrised")  # Equation 28
    says = float(dl.GaussianDP(mu=limit.mu).tradeoff().epsilon(1e-5))
    order, narrow, wide, many = 2.5, 1.0, 1.3, 3
    logs = math.log(wide / narrow)
    logs += math.log(wide**2 / (order * wide**2 + (1 - order) * narrow**2)) / (2 * (order - 1))
    return {
        "kaissis-lemma-1": (("Φ(ψ/2 − ε/ψ) at ψ = ε = 1", NORMAL.cdf(-0.5)), ("δ(1)", float(curve.delta(1.0)))),
        "kaissis-corollary-1": (("FPR(1), mean 0, σ = 1", 1 - NORMAL.cdf(1.0)), ("as printed", NORMAL.cdf(1.0))),
        "kaissis-corollary-2": (
            ("ROC(0.1) with means 0 and 1, σ₀ = 1, σ₁ = 2", NORMAL.cdf((1 + NORMAL.inv_cdf(0.1)) / 2)),
            ("with σ = σ₀", NORMAL.cdf(1 + NORMAL.inv_cdf(0.1) / 2)),
        ),
        "kaissis-corollary-10": (
            ("D_α with equal means, σ_i = 1, σ_j = 1.3, α = 2.5, d = 3", many * logs),
            ("as printed", logs),
        ),
        "kaissis-limit": (
            ("ε(1e-5), σ = 1, rate 0.01, 100 steps: Equation 28", says),
            ("certified", float(dl.Epsilon(delta=1e-5).of(batches.repeat(100)))),
        ),
        "kaissis-figure-6": _order_6(),
    }


def _order_6() -> tuple[tuple[str, float], ...]:
    places = [0.01 * k for k in range(80, 101)]
    curves = dl.conversion_curves(places, order=6.0, delta=1e-5)
    ratio, psi = min((i / float(p), psi) for i, p, psi in zip(curves.improved, curves.profile, places))
    k = places.index(psi)
    return (
        (f"ε by order 6, ψ = {psi:g}", curves.improved[k]),
        ("by the profile", float(curves.profile[k])),
        ("their ratio", ratio),
    )


_NUMBERS: dict[str, Callable[[], Numbers]] = {
    "liu": liu,
    "blog": blog,
    "fondeville": fondeville,
    "li": li,
    "kaissis": kaissis,
}


def errata_of(paper: str) -> tuple[Erratum, ...]:
    """The places of one paper, in its order."""
    numbers = _NUMBERS[paper]()
    found = tuple(
        Erratum(key=key, paper=paper, numbers=numbers.pop(key, ()), **text)
        for key, text in texts("errata.json")[paper].items()
    )
    if numbers:
        raise KeyError(f"errata.json has no text for {', '.join(numbers)}")
    return found


def errata() -> tuple[Erratum, ...]:
    """All places, in the order of the papers."""
    return tuple(erratum for paper in _NUMBERS for erratum in errata_of(paper))
