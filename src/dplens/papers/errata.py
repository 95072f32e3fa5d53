"""Errors in the papers, each with its correction, a short proof and recomputed numbers.

The texts and the names of the numbers are in ``errata.json``, by paper and key; the functions here compute the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

import dplens as dl
from dplens.papers.fondeville import least_mu
from dplens.papers.li import COUNTEREXAMPLE, STRONGER, TABLE_2, THEOREM_3, leakage
from dplens.papers.li_simulation import TUPLES, by_layer, excess_of, least_eigenvalue
from dplens.papers.liu import laplace
from dplens.papers.records import Erratum
from dplens.papers.texts import choices, texts

NORMAL = NormalDist()
_ONE = dl.Laplace(scale=1.0)
Numbers = dict[str, tuple[Any, ...]]  # by key; a number that errata.json has no name for brings its own


def liu() -> Numbers:
    """Liu et al. 2019."""
    positive, negative = (
        dl.frameworks(dl.DiscreteData(joint=joint), _ONE)
        for joint in ([[0.3, 0.2], [0.2, 0.3]], [[0.01, 0.49], [0.49, 0.01]])
    )
    rare, above = (dl.Attack(_ONE, fpr=a).likelihood_threshold for a in (0.05, 0.9))
    sigma = dl.gaussian_sigma(epsilon=0.5, delta=1e-5, method="classical")
    return {
        "liu-floor": tuple(float(dl.FScore(weight=w).of(dl.Laplace(scale=1e6))) for w in (0.5, 0.8, 1.5, 2.0)),
        "liu-deniability": (rare, math.exp(-1) / (4 * 0.05**2), above, math.exp(-1) / (4 * 0.1**2)),
        "liu-alarm": (math.exp(-1) / 2, 1 - math.exp(-1) / 2, math.e / 2),
        "liu-variance": (sigma**2, 2 * math.log(1.25e5) / 0.5),
        "liu-values": tuple(float(dl.AttackPower(fpr=0.1).of(laplace(d))) for d in (0.5, 1.0)),
        "liu-blowfish": (positive.dependent, positive.blowfish or math.nan),
        "liu-weakest": (negative.dp, negative.bayesian, negative.dependent),
    }


def blog() -> Numbers:
    """The blog post of 2 July 2025."""
    curve = dl.GaussianDP(mu=1.0).tradeoff()

    def pair(epsilon: float, alpha: float) -> float:
        return float(dl.ApproximateDP(epsilon=epsilon, delta=float(curve.delta(epsilon))).tradeoff()(alpha))

    pairs = [pair(float(e), 0.1) for e in np.linspace(0, 8, 321)]
    return {
        "blog-envelope": (float(curve(0.1)), max(pairs), min(pairs)),
        "blog-lemma": (float(curve(0.3)), pair(1.0, 0.3)),
    }


def fondeville() -> Numbers:
    """De Fondeville 2026."""
    from scipy import stats

    gaussian = dl.Gaussian(sigma=1.0)
    curve, bounded = gaussian.tradeoff(), _ONE.tradeoff()
    loss = dl.Attack(gaussian).privacy_loss.h1

    def power(n: int, effect: float, sigma: float | None = None) -> float:
        test = dl.MeanTest(n=n, sd=0.25, effect=effect, level=0.01)
        return float(test.power(None if sigma is None else dl.Gaussian(sigma=sigma)))

    absent = dl.FinitePair(p=[0.5, 0.5], q=[1.0, 0.0])
    skewed = dl.AdditiveNoise(noise=stats.gumbel_r(), sensitivity=1.0)
    up, both = skewed.tradeoff(direction="add"), skewed.tradeoff()
    return {
        "fondeville-inverse": (float(curve(0.1)), NORMAL.cdf(NORMAL.inv_cdf(0.1) - 1)),
        "fondeville-directions": (
            float(up.power(0.01)),
            float(both.power(0.01)),
            float(dl.RelativeRisk().of(up)),
            float(dl.RelativeRisk(fpr=1e-12).of(both)),
        ),
        "fondeville-minimum": (*map(least_mu, (15, 100, 500)), least_mu(15, level=0.05)),
        "fondeville-variance": tuple(least_mu(n, sd=0.5) for n in (15, 100, 500)),
        "fondeville-unaffected": (power(15, 0.2), power(15, 0.2, 1 / 15)),
        "fondeville-large": (power(500, 0.05), power(500, 0.05, 0.02), power(500, 0.2, 0.02)),
        "fondeville-probability": (float(curve.delta(1.0)), float(loss.sf(1.0))),
        "fondeville-stronger": tuple(float(dl.AttackPower(fpr=0.3).of(m)) for m in (_ONE, gaussian)),
        "fondeville-words": (float(dl.RelativeRisk(fpr=0.01).of(gaussian)), float(curve.power(0.001)) / 0.001),
        "fondeville-absence": (float(absent.tradeoff(direction="add")(0.0)), float(absent.tradeoff()(0.0))),
        "fondeville-graceful": (float(bounded(0.0)), float(bounded(0.001)), float(dl.RelativeRisk().of(bounded))),
        "fondeville-appendix": ((math.e - 1 / math.e) / (1 - math.e),),
    }


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
    joint, values = COUNTEREXAMPLE
    data = dl.DiscreteData(joint=joint, values=values)
    joint, values, scale = THEOREM_3
    loud = dl.Laplace(scale=scale)
    edge = dl.DiscreteData(joint=joint, values=values).graph(loud).edge(0, 1, ())
    rows = np.array([[0, 1, 0], [0.2475, 0.5, 0.2525], [0.49, 0, 0.51]]) / 3
    between = dl.DiscreteData(joint=rows, values=[[0.0, 0.5, 1.0]] * 2)
    three = np.array([[[6, 836], [5, 977]], [[4, 929], [24, 7219]]]) / 10_000
    bound = dl.DiscreteData(joint=three)
    thirds = np.array([[4, 3274, 352], [14, 6118, 1], [88, 22, 127]]) / 10_000
    tails = dl.DiscreteData(joint=thirds, values=[[0.0, 0.5, 1.0]] * 2)
    apart = dl.DiscreteData(joint=[[0.01, 0.49], [0.49, 0.01]], values=[[0.0, 1.0], [0.0, 5.0]])
    return {
        "li-chain-rule": (float(data.view(_ONE, target=0).leakage()), float(data.graph(_ONE).value(0, ()))),
        "li-theorem-3": (
            float(edge.correlation or 0.0),
            float(edge.change),
            float(between.graph(loud).edge(0, 1, ()).correlation or 0.0),
            max(_increments(between, loud)),
        ),
        "li-corollary-1-2": (
            float(bound.view(_ONE, target=1, known=[2]).leakage()),
            max(float(bound.view(_ONE, target=t).leakage()) for t in range(3)),
        ),
        "li-corollary-1-3": (
            float(tails.view(_ONE, target=0).leakage()),
            max(float(tails.view(_ONE, target=t, known=[1 - t]).leakage()) for t in range(2)),
            float(apart.view(_ONE, target=0, known=[1]).leakage()),
            float(apart.view(_ONE, target=0).leakage()),
            float(apart.view(_ONE, target=1, known=[0]).leakage()),
        ),
        "li-figure-4d": (least_eigenvalue(TUPLES, -0.8), -1 / (TUPLES - 1)),
    }


def _statements() -> Numbers:
    independent = dl.DiscreteData(joint=[[0.25, 0.25], [0.25, 0.25]])
    strong = independent.view(_ONE, target=0, known=[1])
    weak = independent.view(_ONE, target=0)
    equal = dl.DiscreteData(joint=[[0.5, 0.0], [0.0, 0.5]])
    return {
        "li-remark-1": (leakage(*TABLE_2["a"]), 1.0, 2.0),
        "li-figure-4b": tuple(
            float(dl.KnowledgeGraph.from_edges(lambda i, j, k, m=m: -m, n=5).value(0, known))
            for known in ((2, 3, 4), (4,), ())
            for m in (0.2, 0.8)
        ),
        "li-figure-5": tuple(
            (f"larger by this share, 12 tuples, average {a:g}, beta({c * a:g}, {c * (1 - a):g})", excess_of(a, c))
            for a in (0.5, 0.8)
            for c in (choices.LI_CONCENTRATION.one, choices.LI_SPREAD.one)
        ),
        "li-theorem-1": (
            float(strong.leakage()),
            float(weak.leakage()),
            float(strong.tradeoff().power(0.2)),
            float(weak.tradeoff().power(0.2)),
        ),
        "li-theorem-4": (float(equal.view(_ONE, target=0, known=[1]).leakage()), 1.0),
    }


def _misprints() -> Numbers:
    a, b, c, d = (leakage(*table) for table in TABLE_2.values())
    layers = by_layer(TUPLES, -0.07)
    return {
        "li-example-2": (a, b, a + b),
        "li-example-3": tuple(leakage(*table) for table in STRONGER.values()),
        "li-table-2": (d, c),
        "li-lemma-3": (0.3 - 0.25, 0.6 - 0.4),
        "li-figure-4d-words": (layers[14], layers[7], layers[0]),
    }


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
        "kaissis-lemma-1": (NORMAL.cdf(-0.5), float(curve.delta(1.0))),
        "kaissis-corollary-1": (1 - NORMAL.cdf(1.0), NORMAL.cdf(1.0)),
        "kaissis-corollary-2": (NORMAL.cdf((1 + NORMAL.inv_cdf(0.1)) / 2), NORMAL.cdf(1 + NORMAL.inv_cdf(0.1) / 2)),
        "kaissis-corollary-10": (many * logs, logs),
        "kaissis-limit": (says, float(dl.Epsilon(delta=1e-5).of(batches.repeat(100)))),
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


_NUMBERS: dict[str, Callable[[], Numbers]] = {of.__name__: of for of in (liu, blog, fondeville, li, kaissis)}


def errata_of(paper: str) -> tuple[Erratum, ...]:
    """The places of one paper, in its order."""
    numbers = _NUMBERS[paper]()
    found = []
    for key, said in texts("errata.json")[paper].items():
        words, values = dict(said), numbers.pop(key, ())
        named = tuple(zip(words.pop("numbers"), values, strict=True)) if "numbers" in words else values
        found.append(Erratum(key=key, paper=paper, numbers=named, **words))
    if numbers:
        raise KeyError(f"errata.json has no text for {', '.join(numbers)}")
    return tuple(found)


def errata() -> tuple[Erratum, ...]:
    """All places, in the order of the papers."""
    return tuple(erratum for paper in _NUMBERS for erratum in errata_of(paper))
