"""De Fondeville 2026, "Balancing the privacy-utility trade-off": what the attacker gains (Figures 1 to 4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Claim, Figure, Line, Note, Panel, Scale, digits, spaced

MUS = (0.1, 1.0, 2.5)  # printed below Figures 2 and 3
RECORDS = int(choices.FONDEVILLE_RECORDS.one)  # printed for Figure 1
FAMILIES = {
    "Laplace": lambda mu: dl.Laplace(scale=1.0, sensitivity=mu),
    "Gaussian": lambda mu: dl.Gaussian(sigma=1.0, sensitivity=mu),
    "Uniform random sampling": lambda mu: dl.UniformSampling(mu=mu, n=RECORDS, neighbours="replace"),
}
_ALPHAS = (0.0, *spaced(1e-4, 0.02, 20), *spaced(0.03, 0.97, 95), *spaced(0.98, 1.0, 9))


def _powers(mechanism: Any, alphas: Sequence[float]) -> tuple[float, ...]:
    curve = mechanism.tradeoff()
    return tuple(float(curve.power(a)) for a in alphas)


def figure_1(
    mus: Sequence[float] = choices.FONDEVILLE_MUS.value, delta: float = choices.FONDEVILLE_DELTA.one
) -> Figure:
    """ROC curves of three mechanisms, and the pure or approximate DP bounds that each of them meets."""
    panels, looser, tight = [], True, []
    for family, make in FAMILIES.items():
        lines = []
        for k, mu in enumerate(mus):
            release = make(mu)
            exact = _powers(release, _ALPHAS)
            at = {"Laplace": 0.0, "Gaussian": delta}.get(family, (1 - math.exp(-mu)) / RECORDS)
            epsilon = float(dl.Epsilon(delta=at * (1 + 1e-12)).of(release))
            bound = _powers(dl.ApproximateDP(epsilon=epsilon, delta=at), _ALPHAS)
            looser &= all(b >= p - 1e-9 for p, b in zip(exact, bound))
            tight.append((family, mu, max(b - p for p, b in zip(exact, bound))))
            lines += [
                Line(x=_ALPHAS, y=exact, label=f"μ = {mu:g}", series=k),
                Line(x=_ALPHAS, y=bound, series=k, bound=True),
            ]
        panels.append(
            Panel(
                title=family,
                x=Scale(title="False-positive rate α", low=0.0, high=1.0),
                y=Scale(title="Power 1 − β", low=0.0, high=1.0),
                lines=tuple(lines),
            )
        )
    sampling = FAMILIES["Uniform random sampling"](mus[-1])
    auc, proof = float(dl.AUC().of(sampling)), float(sampling.tradeoff().power(0.0))
    widest = max(tight, key=lambda item: item[2])
    return Figure(
        key="fondeville-1",
        name="Figure 1",
        title="What each mechanism lets an attacker do",
        supports="Trade-off functions say more than the epsilon and delta that summarise them.",
        panels=tuple(panels),
        columns=3,
        claims=(
            Claim(
                says="The pure and approximate DP bounds (dashed) are generally looser than the trade-off functions.",
                holds=looser,
                found=f"They are never below; the widest gap is {widest[2]:.3f} ({widest[0]}, μ = {widest[1]:g}). "
                "For uniform random sampling they coincide.",
            ),
            Claim(
                says="Uniform random sampling may stay close to the diagonal while being prone to catastrophic failure.",
                holds=dl.failure_mode(sampling) is dl.FailureMode.CATASTROPHIC and auc < 0.7,
                found=f"At μ = {mus[-1]:g} and n = {RECORDS} its AUC is {auc:.3f}, yet with probability {proof:.3f} the "
                "output proves membership.",
            ),
            Claim(
                says="For log-concave noise f(α) = F{F⁻¹(α) − μ} (Section 2.2).",
                holds=abs(_shifted(0.1, 1.0) - float(FAMILIES["Gaussian"](1.0).tradeoff()(0.1))) < 1e-12,
                found=f"With F⁻¹(1 − α) it gives {_shifted(0.1, 1.0):.4f} at α = 0.1, μ = 1, as our curve does; as "
                f"printed it would give {_shifted(0.9, 1.0):.4f}.",
                correction="Section 2.2 prints F⁻¹(α) for F⁻¹(1 − α); his Appendix A has it right",
            ),
        ),
        choices=(choices.FONDEVILLE_MUS, choices.FONDEVILLE_DELTA),
        learned=("AUC alone would call the third mechanism the safest of the three.",),
    )  # fmt: skip


def _shifted(alpha: float, mu: float) -> float:
    from statistics import NormalDist

    return NormalDist().cdf(NormalDist().inv_cdf(1 - alpha) - mu)


def figure_2(mus: Sequence[float] = MUS, priors: Sequence[float] = choices.FONDEVILLE_PRIORS.value) -> Figure:
    """The belief after a successful attack, against the false-positive rate at which it was made."""
    alphas = spaced(choices.FONDEVILLE_AXIS.one, 1.0, 120, log=True)
    panels = []
    certain: dict[str, float] = {}
    least, largest = min(priors), max(mus)
    for family, make in FAMILIES.items():
        certain[family] = float(dl.MaxPosterior(prior=least).of(make(largest)))
        for mu in mus:
            release = make(mu)
            powers = _powers(release, alphas)
            lines = tuple(
                Line(
                    x=alphas,
                    y=tuple(p * t / ((1 - p) * a + p * t) for a, t in zip(alphas, powers)),
                    label=f"{p:.0%}",
                    series=k,
                )
                for k, p in enumerate(priors)
            )
            panels.append(
                Panel(
                    title=f"{family}, μ = {mu:g}",
                    x=Scale(title="False-positive rate α", low=1e-4, high=1.0, log=True),
                    y=Scale(title="Posterior", low=0.0, high=1.0),
                    lines=lines,
                )
            )
    here = dl.Posterior(prior=priors[0], fpr=alphas[40]).of(FAMILIES["Gaussian"](mus[-1]))
    meets = all(abs(line.y[-1] - p) < 1e-12 for panel in panels for line, p in zip(panel.lines, priors))
    same = abs(float(here) - panels[2 * len(mus) - 1].lines[0].y[40]) < 1e-12
    modes = [dl.failure_mode(make(1.0)).name for make in FAMILIES.values()]
    return Figure(
        key="fondeville-2",
        name="Figure 2",
        title="What the attacker believes after a successful attack",
        supports="Failure is a property of the whole curve: certain, nearly certain, or bounded belief.",
        panels=tuple(panels),
        columns=3,
        claims=(
            Claim(
                says="Sampling fails catastrophically, the Gaussian gracefully, Laplace not at all (Theorem 1).",
                holds=modes == ["NONE", "GRACEFUL", "CATASTROPHIC"],
                found=f"From a prior of {100 * least:g} % the belief can reach at most "
                + ", ".join(f"{certain[f]:.3f} ({f})" for f in FAMILIES)
                + f" at μ = {largest:g}; the Gaussian only tends to 1.",
            ),
            Claim(
                says="The posterior coincides with the prior at α = 1.",
                holds=meets and same,
                found="All lines end at their prior.",
            ),
        ),
        choices=(choices.FONDEVILLE_PRIORS, choices.FONDEVILLE_AXIS, choices.FONDEVILLE_RECORDS),
        learned=(
            "On a logarithmic axis the difference shows: Laplace levels off; the Gaussian keeps rising and never arrives; "
            "sampling arrives. At α = 0, left of every such axis, its posterior is 1, and with probability (1 − e^−μ)/n the "
            "attacker gets there.",
        ),
    )


def figure_3(mus: Sequence[float] = MUS) -> Figure:
    """How many times likelier membership has become, against the false-positive rate."""
    alphas = spaced(choices.FONDEVILLE_AXIS.one, 1.0, 120, log=True)
    panels = []
    for family in ("Laplace", "Gaussian"):
        for mu in mus:
            release = FAMILIES[family](mu)
            ratio = tuple(float(dl.RelativeRisk(fpr=a).of(release)) for a in alphas)
            top = max(ratio)
            panels.append(
                Panel(
                    title=f"{family}, μ = {mu:g}",
                    x=Scale(title="False-positive rate α", low=1e-4, high=1.0, log=True),
                    y=Scale(title="Relative risk", low=1.0, high=1 + 1.12 * (top - 1)),
                    lines=(Line(x=alphas, y=ratio),),
                    notes=(Note(x=1e-4, y=1 + 1.07 * (top - 1), text=f"{top:.4g} at α = 1e-4"),),
                )
            )
    laplace = [float(dl.RelativeRisk().of(FAMILIES["Laplace"](mu))) for mu in mus]
    gaussian = [float(dl.RelativeRisk().of(FAMILIES["Gaussian"](mu))) for mu in mus]
    return Figure(
        key="fondeville-3",
        name="Figure 3",
        title="Relative disclosure risk",
        supports="Laplace noise bounds the factor by which belief can grow; Gaussian noise does so at a given level.",
        panels=tuple(panels),
        columns=3,
        claims=(
            Claim(
                says="The Laplace mechanism satisfies ε = μ = log ρ.",
                holds=all(abs(math.log(r) - mu) < 1e-9 for r, mu in zip(laplace, mus)),
                found="ρ = " + ", ".join(f"{r:.4f} at μ = {mu:g}" for r, mu in zip(laplace, mus)) + ".",
            ),
            Claim(
                says="The Gaussian mechanism has unbounded relative disclosure risk.",
                holds=all(math.isinf(r) for r in gaussian),
                found="Infinite at every μ; at α ≥ 0.01 and μ = 1 it is "
                + digits(float(dl.RelativeRisk(fpr=0.01).of(FAMILIES["Gaussian"](1.0))))
                + ".",
            ),
        ),
        choices=(choices.FONDEVILLE_AXIS,),
        learned=(
            "Each picture has its own height. Left of α = 1e-4 Laplace stays where it is, the Gaussian has no limit.",
        ),
    )


def figure_4(fprs: Sequence[float] = choices.FONDEVILLE_FPRS.value) -> Figure:
    """The power of the best attack against mu."""
    mus = (0.001, *spaced(0.05, choices.FONDEVILLE_LARGEST.one, 120))
    frame = dl.fondeville_power(mus=mus, fprs=fprs)
    rows = list(frame)
    panels = []
    for family in ("laplace", "gaussian"):
        lines = tuple(
            Line(
                x=mus,
                y=tuple(r["power"] for r in rows if r["family"] == family and r["fpr"] == a),
                label=f"α₀ = {a:g}",
                series=k,
            )
            for k, a in enumerate(fprs)
        )
        panels.append(
            Panel(
                title=family.capitalize(),
                x=Scale(title="μ", low=0.0, high=choices.FONDEVILLE_LARGEST.one),
                y=Scale(title="Power of the best attack", low=0.0, high=1.0),
                lines=lines,
            )
        )
    powers = {(r["family"], r["mu"], r["fpr"]): r["power"] for r in rows}
    stronger = all(powers["laplace", m, a] <= powers["gaussian", m, a] for m in mus for a in fprs)
    at_five = min(float(dl.AttackPower(fpr=a).of(FAMILIES["Gaussian"](5.0))) for a in fprs)
    frequent = [float(dl.AttackPower(fpr=0.3).of(FAMILIES[f](1.0))) for f in ("Laplace", "Gaussian")]
    return Figure(
        key="fondeville-4",
        name="Figure 4",
        title="Power of the best attack",
        supports="A limit on the attacker's power at a false-positive rate picks mu.",
        panels=tuple(panels),
        claims=(
            Claim(
                says="The Gaussian mechanism does not offer reasonable guarantees for μ ≥ 5.",
                holds=at_five > 0.95,
                found=f"At μ = 5 its power is at least {at_five:.3f}, even at a false-positive rate of {min(fprs):g}.",
            ),
            Claim(
                says="The Laplace mechanism consistently provides stronger protection.",
                holds=stronger,
                found="At all rates and μ drawn here it does.",
            ),
        ),
        choices=(choices.FONDEVILLE_FPRS, choices.FONDEVILLE_LARGEST),
        learned=(
            "Beyond the rates drawn the order turns: at α = 0.3 and μ = 1 the attack on Laplace has power "
            f"{frequent[0]:.4f}, that on the Gaussian {frequent[1]:.4f}. Laplace is safer against rare accusations, the "
            "Gaussian against frequent ones. Equal μ is not equal noise: the variances are 2/μ² and 1/μ².",
        ),
    )
