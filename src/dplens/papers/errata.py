"""Where the papers err: each place with what should stand there, a short proof, and numbers that are worked out anew."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

import dplens as dl
from dplens.papers.errata_fondeville import fondeville
from dplens.papers.errata_li import li
from dplens.papers.liu import laplace
from dplens.papers.records import Erratum

NORMAL = NormalDist()


def liu() -> tuple[Erratum, ...]:
    """Liu et al. 2019."""
    positive = dl.frameworks(dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]]), dl.Laplace(scale=1.0))
    negative = dl.frameworks(dl.DiscreteData(joint=[[0.01, 0.49], [0.49, 0.01]]), dl.Laplace(scale=1.0))
    floors = tuple(
        (f"F of accusing everyone, weight {w:g}", float(dl.FScore(weight=w).of(dl.Laplace(scale=1e6))))
        for w in (0.5, 0.8, 1.5, 2.0)
    )
    rare, above = (dl.Attack(dl.Laplace(scale=1.0), fpr=a).likelihood_threshold for a in (0.05, 0.9))
    sigma = dl.gaussian_sigma(epsilon=0.5, delta=1e-5, method="classical")
    return (
        Erratum(
            key="liu-floor",
            paper="liu",
            place="Table 1, four cells",
            kind="misprint",
            printed="Weights 0.5, 0.8, 1.5 and 2 have an epsilon for the bounds 0.55, 0.62, 0.76 and 0.83.",
            correct="No epsilon meets these bounds; the cells should be dashes.",
            why="Accusing everyone has recall 1 and precision ½, hence the F-score (1 + w²)/(2 + w²) under every epsilon. "
            "In these four cells that is above the bound already. Printed is the turning point log(1 + w²). The first six "
            "bounds are these floors of the six weights with two digits; four of them came out a little too low.",
            numbers=floors,
        ),
        Erratum(
            key="liu-deniability",
            paper="liu",
            place="Section 4.1.5, λ for small and large false-alarm rates",
            kind="misprint",
            printed="λ = e^−ε/(4α²) up to ½, e^−ε/(4(1 − α)²) above.",
            correct="λ = e^ε below e^−ε/2, e^−ε above ½; as printed between them.",
            why="Above ½ the threshold θ lies left of Q(D'), below e^−ε/2 right of Q(D); there the likelihood ratio is e^−ε and "
            "e^ε everywhere (his Equation 7). The printed forms would pass every bound as α → 0 and α → 1.",
            numbers=(
                ("λ at α = 0.05, ε = 1, exactly", rare),
                ("as printed", math.exp(-1) / (4 * 0.05**2)),
                ("λ at α = 0.9, exactly", above),
                ("as printed", math.exp(-1) / (4 * 0.1**2)),
            ),
        ),
        Erratum(
            key="liu-alarm",
            paper="liu",
            place="Proofs of Theorems 3 and 6",
            kind="misprint",
            printed="P_FA = 1 − ∫ from θ to ∞ of the density on D', and P_TD likewise. With x = (θ − Q(D'))·ε/ΔQ it is "
            "1 − ½e^(−x) for x < 0 and ½e^(+x) from there.",
            correct="P_FA = ∫ from θ to ∞, without 1 −; and 1 − ½e^(+x) for x < 0, ½e^(−x) from there.",
            why="The decision is h1 above θ, and a stricter θ has fewer false alarms. His Equations 6 and 14 follow from "
            "the corrected forms.",
            numbers=(
                ("P_FA at x = 1", math.exp(-1) / 2),
                ("by the printed integral", 1 - math.exp(-1) / 2),
                ("by the printed closed form", math.e / 2),
            ),
        ),
        Erratum(
            key="liu-variance",
            paper="liu",
            place="Equation 29 and Appendix 10.4",
            kind="misprint",
            printed="Exponents −(o − Q)²/(4·log(1.25/δ)·ΔQ/ε), noise N(2·log(1.25/δ)·ΔQ/ε).",
            correct="2σ² = 4·log(1.25/δ)·(ΔQ/ε)², since σ = √(2·log(1.25/δ))·ΔQ/ε (his Section 4.3).",
            why="The square of ΔQ/ε is missing: σ and σ² are mixed. The threshold of Theorem 6 uses σ and is right.",
            numbers=(
                ("σ² at ε = 0.5, δ = 1e-5, ΔQ = 1", sigma**2),
                ("as printed", 2 * math.log(1.25e5) / 0.5),
            ),
        ),
        Erratum(
            key="liu-values",
            paper="liu",
            place="Section 4.2, records with many values",
            kind="misprint",
            printed="Distinguishing any two values of a record is not worse than distinguishing the extreme ones.",
            correct="It is not better: the extreme pair is the worst case, as the conclusion there has it.",
            why="The noise is the same, and values closer to each other move the output by less.",
            numbers=tuple(
                (f"power at α = 0.1, scale 1, values {d:g} apart", float(dl.AttackPower(fpr=0.1).of(laplace(d))))
                for d in (0.5, 1.0)
            ),
        ),
        Erratum(
            key="liu-blowfish",
            paper="liu",
            place="Theorem 7, ε_DDP ≤ ε_BP",
            kind="statement",
            printed="At the same performance of the attacker dependent DP has an epsilon no larger than Blowfish privacy, "
            "whose neighbours can differ in any number of tuples.",
            correct="They can where constraints tie records together for certain; the proof has such constraints in mind. On "
            "records that are correlated without them Blowfish compares databases that differ in one record, as DP does.",
            why="Two binary records with the joint law (0.3, 0.2; 0.2, 0.3): every combination is possible, so no "
            "constraint holds and ε_BP = ε_DP, but an attacker who knows nothing else learns more.",
            numbers=(("ε_DDP", positive.dependent), ("ε_BP", positive.blowfish or math.nan)),
        ),
        Erratum(
            key="liu-weakest",
            paper="liu",
            place="Theorem 7, ε_DP ≤ ε_DDP",
            kind="condition",
            printed="ε_DP ≤ ε_DDP, since neighbours in DP differ in one tuple only.",
            correct="So it is for the supremum over everything an attacker may know, as dplens takes it. For one attacker alone "
            "who knows nothing, negative correlation turns the order around.",
            why="Joint law (0.01, 0.49; 0.49, 0.01): the sum is 1 nearly always, whatever x1 is.",
            numbers=(
                ("ε_DP", negative.dp),
                ("the weakest attacker", negative.bayesian),
                ("the worst attacker (ε_DDP)", negative.dependent),
            ),
        ),
        Erratum(
            key="liu-interval",
            paper="liu",
            place="Appendix 10.5.1, third interval; Appendix 10.3",
            kind="misprint",
            printed="The third interval is [Q(D'), ∞), and f increases on (−∞, Q(D')]; the result is Equation 12. Where f is "
            "least, the corresponding minimum value for the F-score is given.",
            correct="It is [Q(D), ∞), and f increases there; the result is Equation 18. It is the maximum of the F-score.",
            why="The three intervals are those of Appendix 10.3; Equation 32 is the derivative right of Q(D). Equation 12 is "
            "the case without prior. The F-score is (1 + w²)/(1 + f), so it is largest where f is least.",
        ),
    )


def blog() -> tuple[Erratum, ...]:
    """The blog post of 2 July 2025."""
    curve = dl.GaussianDP(mu=1.0).tradeoff()
    at = 0.1
    pairs = [
        float(dl.ApproximateDP(epsilon=float(e), delta=float(curve.delta(float(e)))).tradeoff()(at))
        for e in np.linspace(0, 8, 321)
    ]
    one = dl.ApproximateDP(epsilon=1.0, delta=float(curve.delta(1.0))).tradeoff()
    return (
        Erratum(
            key="blog-envelope",
            paper="blog",
            place="Last paragraph",
            kind="misprint",
            printed="The trade-off function is the lower envelope of all (ε, δ)-based trade-off functions.",
            correct="It is their upper envelope: f(α) = sup over ε of f_{ε,δ(ε)}(α).",
            why="Each pair is a bound from below on the false negatives, and the attacker must respect all of them. Of "
            "ROC curves, 1 − f, it is the lower envelope. As ε grows a single bound falls to 0, so the lower envelope of "
            "trade-off functions says nothing.",
            numbers=(("f(0.1) at mu = 1", float(curve(at))), ("supremum", max(pairs)), ("infimum", min(pairs))),
        ),
        Erratum(
            key="blog-names",
            paper="blog",
            place="Second paragraph",
            kind="misprint",
            printed="Type I errors are FNR, type II errors are FPR.",
            correct="Type I: FPR, the record is not there and is claimed to be. Type II: FNR.",
            why="The explanations in brackets are right, only the names are exchanged; Lemma 3.4 calls α the false "
            "positive rate.",
        ),
        Erratum(
            key="blog-lemma",
            paper="blog",
            place="Lemma 3.4",
            kind="statement",
            printed="If M is (ε, δ)-DP, the trade-off function is f_{ε,δ}.",
            correct="The trade-off function is at least f_{ε,δ}; it equals it for the worst such M only.",
            why="The Gaussian mechanism with mu = 1 is (1, 0.1269)-DP, and its curve lies above.",
            numbers=(("f(0.3) at mu = 1", float(curve(0.3))), ("f_{ε,δ}(0.3) at ε = 1", float(one(0.3)))),
        ),
    )


def kaissis() -> tuple[Erratum, ...]:
    """Kaissis et al. 2022."""
    curve = dl.GaussianDP(mu=1.0).tradeoff()
    batches = dl.Gaussian(sigma=1.0, neighbours="replace").subsample(0.01, scheme="without_replacement")
    limit = dl.DPSGDLimit(noise_multiplier=1.0, sample_rate=0.01, steps=100, kind="symmetrised")  # Equation 28
    says = float(dl.GaussianDP(mu=limit.mu).tradeoff().epsilon(1e-5))
    order, narrow, wide, many = 2.5, 1.0, 1.3, 3
    logs = math.log(wide / narrow)
    logs += math.log(wide**2 / (order * wide**2 + (1 - order) * narrow**2)) / (2 * (order - 1))
    return (
        Erratum(
            key="kaissis-lemma-1",
            paper="kaissis",
            place="Lemma 1, Equations 9 and 11; end of the proof of Lemma 4",
            kind="theorem",
            printed="If M is (ε, δ)-DP, then Φ(ψ/2 − ε/ψ) ≤ δ.",
            correct="Φ(ψ/2 − ε/ψ) ≤ δ is sufficient, not necessary. The profile is that minus e^ε·Φ(−ψ/2 − ε/ψ), as in "
            "Corollary 13.",
            why="Pr(loss ≥ ε) ≤ δ implies (ε, δ)-DP; the converse fails. Lemma 4 itself holds: the tangent has "
            "intercept δ(ε). What its proof arrives at is the height at which the tangent touches the ROC curve.",
            numbers=(("Φ(ψ/2 − ε/ψ) at ψ = ε = 1", NORMAL.cdf(-0.5)), ("δ(1)", float(curve.delta(1.0)))),
        ),
        Erratum(
            key="kaissis-corollary-1",
            paper="kaissis",
            place="Corollary 1",
            kind="misprint",
            printed="FPR(c) = ∫ from −∞ to c of the density on D'; TPR(c) = 1 − Φ_{f(D')}(t), FPR(c) = 1 − Φ_{f(D)}(t).",
            correct="Both integrals run from c to ∞, and the two ends of a line speak of the same database, at c: TPR of D and "
            "FPR of D', or the other way around if D is the null hypothesis, as a page before.",
            why="Rates of one cut-off count outputs on the same side of it. As printed the false-positive rate would grow "
            "when the cut-off becomes stricter.",
            numbers=(("FPR(1), mean 0, σ = 1", 1 - NORMAL.cdf(1.0)), ("as printed", NORMAL.cdf(1.0))),
        ),
        Erratum(
            key="kaissis-corollary-2",
            paper="kaissis",
            place="Corollary 2, Equation 12",
            kind="misprint",
            printed="ROC(t) = Φ(a + b·Φ⁻¹(t)), a = |μ₁ − μ₀|/σ, b = σ₀/σ₁.",
            correct="a = |μ₁ − μ₀|/σ₁; and so in Corollary 3.",
            why="There is no σ beside σ₀ and σ₁. The cut-off with false-positive rate t is c = μ₀ − σ₀·Φ⁻¹(t), for μ₁ > μ₀, and "
            "Pr(Y > c) = Φ((μ₁ − c)/σ₁): both terms are divided by σ₁. Lemmas 2 and 3 have σ₀ = σ₁ and stay as they are.",
            numbers=(
                ("ROC(0.1) with means 0 and 1, σ₀ = 1, σ₁ = 2", NORMAL.cdf((1 + NORMAL.inv_cdf(0.1)) / 2)),
                ("with σ = σ₀", NORMAL.cdf(1 + NORMAL.inv_cdf(0.1) / 2)),
            ),
        ),
        Erratum(
            key="kaissis-corollary-10",
            paper="kaissis",
            place="Corollary 10",
            kind="misprint",
            printed="D_α = log(σ_j/σ_i) + log(σ_{j}²/(ασ_{j}² + (1 − α)σ_{i}²))/(2(α − 1)) + a term with the means, in any dimension.",
            correct="Both logarithms have the factor d, the dimension. (They hold where ασ_{j}² + (1 − α)σ_{i}² > 0; elsewhere the "
            "divergence is infinite.)",
            why="With covariances σ²I the d coordinates are independent, and the divergences of independent coordinates add up: "
            "the term with the means does so by itself, the logarithms do not. The proof of Lemma 7 has σ_i = σ_j, so that both "
            "are 0.",
            numbers=(
                ("D_α with equal means, σ_i = 1, σ_j = 1.3, α = 2.5, d = 3", many * logs),
                ("as printed", logs),
            ),
        ),
        Erratum(
            key="kaissis-limit",
            paper="kaissis",
            place="Corollary 9, Equation 28",
            kind="condition",
            printed="DP-SGD is ψ-GDP with the limiting ψ; asymptotic, yet reasonable for large databases and many iterations.",
            correct="So it is, as an approximation. A limit is no guarantee: with few steps or a small delta it promises too much "
            "privacy.",
            why="The curve of finitely many steps lies below the limit near α = 0. Equation 28 is for batches of fixed size; "
            "where each record joins a batch by chance (Poisson sampling) the limit is s·√(e^(1/σ²) − 1).",
            numbers=(
                ("ε(1e-5), σ = 1, rate 0.01, 100 steps: Equation 28", says),
                ("certified", float(dl.Epsilon(delta=1e-5).of(batches.repeat(100)))),
            ),
        ),
        Erratum(
            key="kaissis-figure-6",
            paper="kaissis",
            place="Figure 6 and Section 5, improved conversion of order 6",
            kind="statement",
            printed="For low values of ψ around 1 it matches the privacy profile almost perfectly within a narrow interval.",
            correct="It comes within 8.1 % of it, and nowhere closer.",
            why="At δ = 1e-5 and order 6 the epsilon of the improved conversion is 3ψ² + 1.762, that of the profile is smaller for "
            "every ψ. The least ratio of the two is at ψ = 0.89; on an axis that reaches up to 30 the two lines seem to touch there.",
            numbers=_order_6(),
        ),
        Erratum(
            key="kaissis-lemma-5",
            paper="kaissis",
            place="Before Equation 9; proof of Lemma 5; Lemma 6; Corollary 10",
            kind="misprint",
            printed="The magnitude of the privacy loss is bounded by e^ε; Φ(μ + Φ⁻¹(x)) = 1 − (−Φ⁻¹(x) − μ); “ψ-GDP if and only if ψ ≤ μ”; covariances σI.",
            correct="By ε; 1 − Φ(−Φ⁻¹(x) − μ); “μ-GDP if and only if ψ ≤ μ”; covariances σ²I.",
            why="The loss is a logarithm (his Equation 8). Φ is missing in two lines of the proof; Lemma 6 is its own proof's "
            "last line with μ; the covariances follow from Definition 2.",
        ),
        Erratum(
            key="kaissis-lemma-7",
            paper="kaissis",
            place="Lemma 7; Equation 31; end of the proof of Lemma 5",
            kind="misprint",
            printed="(α, ρ)-RDP if and only if it also satisfies (α, αψ²/2)-RDP; ε = arg min of δ(x) − δ_g; R is reflected "
            "and its x-coordinates transposed by +1.",
            correct="(α, ρ)-RDP if and only if ρ ≥ αψ²/2; ε is the zero of δ(x) − δ_g; its y-coordinates.",
            why="Every Gaussian mechanism satisfies (α, αψ²/2)-RDP, so as printed it would satisfy every ρ. δ(x) − δ_g falls "
            "for ever and has no minimum. 1 − R(x) is a reflection moved up.",
        ),
        Erratum(
            key="kaissis-transform",
            paper="kaissis",
            place="Proof of Lemma 4, Equation 20",
            kind="misprint",
            printed="R*(t) = t·y − R(y); the transform exists since R is strictly increasing.",
            correct="δ(ε) = sup over x of R(x) − e^ε·x; what is needed is that R is concave.",
            why="Concavity makes tangents lie above the curve. A ROC curve of any best test is concave (coins may be "
            "tossed); being increasing is neither needed nor enough.",
        ),
    )


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


PAGES: dict[str, Callable[[], tuple[Erratum, ...]]] = {
    "liu": liu, "blog": blog, "fondeville": fondeville, "li": li, "kaissis": kaissis,
}  # fmt: skip


def errata() -> tuple[Erratum, ...]:
    """All places, in the order of the papers."""
    return tuple(erratum for page in PAGES.values() for erratum in page())
