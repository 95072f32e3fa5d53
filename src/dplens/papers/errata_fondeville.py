"""Where de Fondeville 2026 errs."""

from __future__ import annotations

import math
from statistics import NormalDist

import dplens as dl
from dplens.papers.records import Erratum

NORMAL = NormalDist()


def fondeville() -> tuple[Erratum, ...]:
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
    return (
        Erratum(
            key="fondeville-inverse",
            paper="fondeville",
            place="Section 2.2, trade-off function of log-concave noise",
            kind="misprint",
            printed="f(α) = F{F⁻¹(α) − μ}.",
            correct="f(α) = F{F⁻¹(1 − α) − μ}, as in his Appendix A.",
            why="The test accuses above the (1 − α)-quantile. As printed f would grow with α.",
            numbers=(
                ("f(0.1) at μ = 1, Gaussian", float(curve(0.1))),
                ("as printed", NORMAL.cdf(NORMAL.inv_cdf(0.1) - 1)),
            ),
        ),
        Erratum(
            key="fondeville-directions",
            paper="fondeville",
            place="Section 2.2, Corollary 1 and Section 3.2.2, log-concave noise",
            kind="condition",
            printed="f(α) = F{F⁻¹(1 − α) − μ} (corrected as above), and the relative disclosure risk is bounded if, and only "
            "if, the upper tail of the noise has a bounded ratio F̄(x − μ)/F̄(x).",
            correct="So it is for symmetric noise, as in his examples. Asymmetric noise needs both directions: the lower tail must "
            "have a bounded ratio too, and f is no more than the same formula for the noise turned around.",
            why="His Definition 2 takes all pairs of databases, in both orders. With Gumbel noise, F(x) = exp(−e^−x), and μ = 1 "
            "a target that moves the output up is found with power 1 − (1 − α)^e, at most e times α; one that moves it "
            "down with power α^(1/e), which is beyond every multiple of α. So ρ = ∞, and the mechanism fails gracefully.",
            numbers=(
                ("power at α = 0.01, upwards", float(up.power(0.01))),
                ("both directions", float(both.power(0.01))),
                ("ρ, upwards", float(dl.RelativeRisk().of(up))),
                ("power/α at α = 1e-12, both directions", float(dl.RelativeRisk(fpr=1e-12).of(both))),
            ),
        ),
        Erratum(
            key="fondeville-definitions",
            paper="fondeville",
            place="Definitions 2 and 6",
            kind="misprint",
            printed="f(α) = inf{β_T(α_φ) ≤ α}; a mechanism fails if for all p_prior ∈ [0; 1] the supremum of the posterior is 1.",
            correct="f(α) = inf{β_T(φ) : α_T(φ) ≤ α}; for all priors between 0 and 1, both left out.",
            why="The least type II error is looked for among tests whose type I error is at most α. A prior of 0 stays 0 and "
            "one of 1 stays 1, whatever is seen.",
        ),
        Erratum(
            key="fondeville-minimum",
            paper="fondeville",
            place="Section 5.2, the minimum μ",
            kind="misprint",
            printed="The type II error at level 0.05 may grow by 1 %: μ = 7.9, 0.28, 0.048.",
            correct="The numbers are those of level 0.01 and a relative loss of power of 1 %.",
            why="With level 0.05 the same rule gives other numbers. With the type II error it would ask far more: for "
            "n = 500 that error is below 1e-54 without noise, and 1 % of it is nothing.",
            numbers=(
                ("n = 15, level 0.01", least(15, 0.25)),
                ("n = 100", least(100, 0.25)),
                ("n = 500", least(500, 0.25)),
                ("n = 15, level 0.05", least(15, 0.25, 0.05)),
            ),
        ),
        Erratum(
            key="fondeville-beta",
            paper="fondeville",
            place="Section 5.2",
            kind="misprint",
            printed="A power of at least 0.8, i.e., β ≥ 0.8.",
            correct="β ≤ 0.2.",
            why="β is the type II error throughout; the power is 1 − β.",
        ),
        Erratum(
            key="fondeville-variance",
            paper="fondeville",
            place="Figure 5 and Section 5.2",
            kind="condition",
            printed="Binary data with σ = 0.25; for a binary variable a variance of 0.25 is a known upper bound.",
            correct="Both are right, and not the same: the bound is a standard deviation of 0.5, and has other minimum μ.",
            why="Var = p(1 − p) ≤ ¼, so sd ≤ ½. The figure and the minimum μ use 0.25 as the standard deviation. With 0.5 "
            "n = 100 and n = 500 need more, n = 15 less: there is less power to be lost.",
            numbers=(("n = 15, sd 0.5", least(15, 0.5)), ("n = 100", least(100, 0.5)), ("n = 500", least(500, 0.5))),
        ),
        Erratum(
            key="fondeville-unaffected",
            paper="fondeville",
            place="Section 4, about Figure 5",
            kind="statement",
            printed="Power remains virtually unaffected for μ ≥ 1, across all sample sizes.",
            correct="Not with n = 15.",
            why="There the noise of μ = 1 has a variance of 1/225, more than the 1/240 of the mean itself. His own minimum "
            "μ for n = 15 is 7.9.",
            numbers=(("power without noise, n = 15, m = 0.2", lost[0]), ("with μ = 1", lost[1])),
        ),
        Erratum(
            key="fondeville-large",
            paper="fondeville",
            place="Section 4, about Figure 5",
            kind="condition",
            printed="With n = 500 there is a substantial loss in power only when μ = 0.01.",
            correct="So it is at m = 0.2, and for larger means; smaller ones are lost with μ = 0.1 already.",
            why="The noise of μ = 0.1 has a standard deviation of 0.02, that of the mean is 0.0112: a mean that the test just "
            "finds without noise is found by chance with it.",
            numbers=(
                ("power at m = 0.05 without noise", float(few.power())),
                ("with μ = 0.1", float(few.power(dl.Gaussian(sigma=0.02)))),
                ("at m = 0.2, with μ = 0.1", float(test(500).power(dl.Gaussian(sigma=0.02)))),
            ),
        ),
        Erratum(
            key="fondeville-probability",
            paper="fondeville",
            place="Section 2.2, approximate DP",
            kind="statement",
            printed="(ε, δ)-DP guarantees that (1) holds with probability at least 1 − δ.",
            correct="It does not: the loss may exceed ε with a larger probability than δ.",
            why="δ(ε) = Pr(loss > ε on D) − e^ε·Pr(loss > ε on D'); the second term is subtracted. (Kaissis et al. say "
            "the same before their Equation 9.)",
            numbers=(("δ(1) at μ = 1", float(curve.delta(1.0))), ("Pr(loss > 1)", float(loss.sf(1.0)))),
        ),
        Erratum(
            key="fondeville-stronger",
            paper="fondeville",
            place="Section 3.2.2, about Figure 4",
            kind="condition",
            printed="The Laplace mechanism consistently provides stronger protection.",
            correct="At the small false-positive rates drawn; not at large ones.",
            why="At equal μ and small μ the advantages are about μ/2 and 0.4·μ: Laplace has the larger one.",
            numbers=(("power at α = 0.3, μ = 1: Laplace", frequent[0]), ("Gaussian", frequent[1])),
        ),
        Erratum(
            key="fondeville-words",
            paper="fondeville",
            place="Sections 3.2.1 and 3.2.2",
            kind="misprint",
            printed="Uniform random sampling discloses a record with probability p/n. ρ_α0 is the bound for confidence level at "
            "most α0.",
            correct="With probability (1 − e^−μ)/n it discloses the target's record, with 1 − e^−μ some record. For levels of at "
            "least α0.",
            why="There is no p in his Example 3. The supremum that follows runs over [α0; 1], and below α0 the ratio is "
            "larger, for Gaussian noise without limit.",
            numbers=(
                ("ρ_α0 at α0 = 0.01, Gaussian, μ = 1", float(dl.RelativeRisk(fpr=0.01).of(gaussian))),
                ("power/α at α = 0.001", float(curve.power(0.001)) / 0.001),
            ),
        ),
        Erratum(
            key="fondeville-absence",
            paper="fondeville",
            place="Definition 6, Theorem 1 and Table 1",
            kind="condition",
            printed="Failure is a posterior of 1, catastrophic if and only if f(0) < 1.",
            correct="So it is if f holds for both orders of the two databases (his Definition 2 takes all pairs). For the "
            "attack (5) alone the other end of the curve counts too: where f reaches 0 before α = 1, an output can prove absence, "
            "with a posterior of 0.",
            why="Without the target two outputs are equally likely, with it only the first occurs. f(0) = 1, and yet the "
            "second output proves that the target is not in the data. Section 3.1 names 0 beside 1. dplens takes both "
            "directions.",
            numbers=(
                ("f(0), one direction", float(absent.tradeoff(direction="add")(0.0))),
                ("f(0), both", float(absent.tradeoff()(0.0))),
            ),
        ),
        Erratum(
            key="fondeville-graceful",
            paper="fondeville",
            place="Theorem 1, second part",
            kind="condition",
            printed="Gracefully failing mechanisms satisfy f(α) < 1 for all α > 0, and f(α) → 1 as α → 0.",
            correct="They do, and so do mechanisms that do not fail at all. What tells them apart is ρ, as in his Table 1.",
            why="1 − f(α) ≥ α for every mechanism, and f(0) = 1 with a continuous f holds for Laplace noise, whose posteriors "
            "are bounded.",
            numbers=(
                ("Laplace noise, μ = 1: f(0)", float(bounded(0.0))),
                ("f(0.001)", float(bounded(0.001))),
                ("ρ", float(dl.RelativeRisk().of(bounded))),
            ),
        ),
        Erratum(
            key="fondeville-appendix",
            paper="fondeville",
            place="Appendix A",
            kind="misprint",
            printed="p_prior > 1; f is lower bounded by 1 − α; f is upper bounded by (3) for α < (e^ε − e^−ε)/(1 − e^ε).",
            correct="p_prior < 1; f is at most 1 − α; f is at least 1 − e^ε·α for every α.",
            why="Guessing reaches 1 − α, so no best test does worse; the bound (3) is from below. The printed limit for α "
            "is negative.",
            numbers=(("(e^ε − e^−ε)/(1 − e^ε) at ε = 1", (math.e - 1 / math.e) / (1 - math.e)),),
        ),
    )
