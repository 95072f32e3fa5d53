"""De Fondeville 2026, "Balancing the privacy-utility trade-off": what the attacker gains (Figures 1 to 4)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Figure, Line, Note, Panel, Scale, digits, figure, listed, spaced
from dplens.papers.sums import Sums

MUS = (0.1, 1.0, 2.5)  # printed below Figures 2 and 3
CELLS = 2000
RARE = Scale("False-positive rate α", 1e-4, 1.0, log=True)
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
    from scipy import stats

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
                Line(_ALPHAS, exact, label=f"μ = {mu:g}", series=k),
                Line(_ALPHAS, bound, series=k, bound=True),
            ]
        panels.append(Panel(family, Scale("False-positive rate α"), Scale("Power 1 − β"), tuple(lines)))
    sampling = FAMILIES["Uniform random sampling"](mus[-1])
    aucs = [float(dl.AUC().of(FAMILIES["Uniform random sampling"](mu))) for mu in mus]
    proofs = [float(FAMILIES["Uniform random sampling"](mu).tradeoff().power(0.0)) for mu in mus]
    cells = dl.FinitePair(p=_cells(0.0), q=_cells(1.0)).tradeoff(direction="add")
    sorted_, direct = float(cells(0.1)), float(FAMILIES["Gaussian"](1.0).tradeoff()(0.1))
    widest = max(tight, key=lambda item: item[2])
    narrowest = min((item for item in tight if item[0] != "Uniform random sampling"), key=lambda item: item[2])
    skewed = dl.AdditiveNoise(noise=stats.gumbel_r(), sensitivity=1.0)
    upwards, either = (float(curve.power(0.01)) for curve in (skewed.tradeoff(direction="add"), skewed.tradeoff()))
    shifted = _shifted(0.1, 1.0), _shifted(0.9, 1.0)
    areas = listed(f"{a:.3f} (μ = {mu:g})" for a, mu in zip(aucs, mus))
    proved = listed(f"{proof:.3f}" for proof in proofs)
    return figure(
        "fondeville-1",
        {"RECORDS": RECORDS, "CELLS": CELLS, **locals()},
        panels=panels,
        holds=(
            looser and narrowest[2] > 1e-6,
            dl.failure_mode(sampling) is dl.FailureMode.CATASTROPHIC and min(proofs) > 0 and min(aucs) < 0.55,
            (all(abs(shifted[0] - f) < 1e-5 for f in (sorted_, direct)), either > upwards + 1e-9),
        ),
    )


def _cells(mean: float) -> list[float]:
    """The shares of a normal law in narrow cells, for a test that sorts them by their likelihood ratio."""
    from scipy import stats

    edges = [-9.0 + 19.0 * k / CELLS for k in range(CELLS + 1)]
    law = stats.norm(mean, 1.0)
    parts = [
        float(law.cdf(b) - law.cdf(a) if b < mean else law.sf(a) - law.sf(b)) for a, b in itertools.pairwise(edges)
    ]
    return [part / sum(parts) for part in parts]


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
                    alphas,
                    tuple(p * t / ((1 - p) * a + p * t) for a, t in zip(alphas, powers)),
                    label=f"{p:.0%}",
                    series=k,
                )
                for k, p in enumerate(priors)
            )
            panels.append(Panel(f"{family}, μ = {mu:g}", RARE, Scale("Posterior"), lines))
    here = dl.Posterior(prior=priors[0], fpr=alphas[40]).of(FAMILIES["Gaussian"](mus[-1]))
    meets = all(abs(line.y[-1] - p) < 1e-12 for panel in panels for line, p in zip(panel.lines, priors))
    same = abs(float(here) - panels[2 * len(mus) - 1].lines[0].y[40]) < 1e-12
    modes = [dl.failure_mode(make(1.0)).name for make in FAMILIES.values()]
    seen = [failure_seen(make(1.0)) for make in FAMILIES.values()]
    return figure(
        "fondeville-2",
        {"certain": listed(f"{certain[f]:.3f} ({f})" for f in FAMILIES), "least": 100 * least, "largest": largest},
        panels=panels,
        holds=(modes == seen == ["NONE", "GRACEFUL", "CATASTROPHIC"], meets and same),
    )


def failure_seen(release: Any) -> str:
    """How a release fails, from what the attacker believes (Definition 6): power/α at ever smaller rates, and at 0."""
    curve = release.tradeoff()
    if float(curve.power(0.0)) > 0:
        return "CATASTROPHIC"
    before, after = (float(curve.power(a)) / a for a in (1e-100, 1e-200))
    return "NONE" if after < before * (1 + 1e-6) else "GRACEFUL"


def figure_3(mus: Sequence[float] = MUS) -> Figure:
    """How many times likelier membership has become, against the false-positive rate."""
    from scipy import stats

    alphas = spaced(choices.FONDEVILLE_AXIS.one, 1.0, 120, log=True)
    panels = []
    for family in ("Laplace", "Gaussian"):
        for mu in mus:
            release = FAMILIES[family](mu)
            ratio = tuple(float(dl.RelativeRisk(fpr=a).of(release)) for a in alphas)
            top = max(ratio)
            panels.append(
                Panel(
                    f"{family}, μ = {mu:g}",
                    RARE,
                    Scale("Relative risk", 1.0, 1 + 1.12 * (top - 1)),
                    (Line(alphas, ratio),),
                    notes=(Note(1e-4, 1 + 1.07 * (top - 1), f"{top:.4g} at α = 1e-4"),),
                )
            )
    laplace = [float(dl.RelativeRisk().of(FAMILIES["Laplace"](mu))) for mu in mus]
    gaussian = [float(dl.RelativeRisk().of(FAMILIES["Gaussian"](mu))) for mu in mus]
    summed = [Sums(stats.laplace(0), stats.laplace(mu), low=-9.0, high=mu + 9.0).largest_ratio() for mu in mus]
    growing = {a: float(FAMILIES["Gaussian"](1.0).tradeoff().power(a)) / a for a in (1e-10, 1e-100, 1e-300)}
    return figure(
        "fondeville-3",
        {
            "laplace": listed(f"{r:.4f} at μ = {mu:g}" for r, mu in zip(laplace, mus)),
            "at": digits(float(dl.RelativeRisk(fpr=0.01).of(FAMILIES["Gaussian"](1.0)))),
            "growing": listed(f"{r:.1e} at α = {a:g}" for a, r in growing.items()),
        },
        panels=panels,
        holds=(
            all(abs(math.log(r) - mu) < 1e-9 for found in (laplace, summed) for r, mu in zip(found, mus)),
            all(math.isinf(r) for r in gaussian) and all(b > 10 * a for a, b in itertools.pairwise(growing.values())),
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
            Line.of(
                [r for r in rows if r["family"] == family and r["fpr"] == a],
                "mu",
                "power",
                label=f"α₀ = {a:g}",
                series=k,
            )
            for k, a in enumerate(fprs)
        )
        panels.append(
            Panel(
                family.capitalize(),
                Scale("μ", 0.0, choices.FONDEVILLE_LARGEST.one),
                Scale("Power of the best attack"),
                lines,
            )
        )
    powers = {(r["family"], r["mu"], r["fpr"]): r["power"] for r in rows}
    stronger = all(powers["laplace", m, a] <= powers["gaussian", m, a] for m in mus for a in fprs)
    at_five = min(float(dl.AttackPower(fpr=a).of(FAMILIES["Gaussian"](5.0))) for a in fprs)
    frequent = [float(dl.AttackPower(fpr=0.3).of(FAMILIES[f](1.0))) for f in ("Laplace", "Gaussian")]
    return figure(
        "fondeville-4",
        {"at_five": at_five, "least": min(fprs), "frequent": frequent},
        panels=panels,
        holds=(at_five > 0.95, (stronger, frequent[0] > frequent[1])),
    )
