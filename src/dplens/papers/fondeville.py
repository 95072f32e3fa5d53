"""De Fondeville 2026, "Balancing the privacy-utility trade-off: How to draw reliable conclusions from private data".

What the attacker gains (Figures 1 to 4), how mechanisms fail (Table 1), and what is left for the analyst (Figure 5 and
the minimum mu of Section 5.2).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np

import dplens as dl
from dplens.papers.records import Figure, Line, Note, Panel, Printed, Scale, labelled
from dplens.papers.sums import CELLS, Sums, normal_cells
from dplens.papers.texts import choices, digits, figure, spaced

MUS = (0.1, 1.0, 2.5)  # printed below Figures 2 and 3
RATE, RARE = Scale("False-positive rate α"), Scale("False-positive rate α", 1e-4, 1.0, log=True)
RECORDS = int(choices.FONDEVILLE_RECORDS.one)  # printed for Figure 1
SAMPLING = "Uniform random sampling"
FAMILIES = {
    "Laplace": lambda mu: dl.Laplace(scale=1.0, sensitivity=mu),
    "Gaussian": lambda mu: dl.Gaussian(sigma=1.0, sensitivity=mu),
    SAMPLING: lambda mu: dl.UniformSampling(mu=mu, n=RECORDS, neighbours="replace"),
}
_ALPHAS = (0.0, *spaced(1e-4, 0.02, 20), *spaced(0.03, 0.97, 95), *spaced(0.98, 1.0, 9))
SIZES = (15, 100, 500)
SD, EFFECT, LEVEL = 0.25, 0.2, 0.01  # printed below Figure 5
MINIMUM = {15: "7.9", 100: "0.28", 500: "0.048"}
BINARY_SD = 0.5  # a binary variable has a variance of at most 0.25


def _powers(mechanism: Any, alphas: Sequence[float]) -> tuple[float, ...]:
    return tuple(mechanism.tradeoff().power(np.array(alphas)).tolist())


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
            lines += [Line(_ALPHAS, exact, label=f"μ = {mu:g}", series=k), Line(_ALPHAS, bound, series=k, bound=True)]
        panels.append(Panel(family, RATE, Scale("Power 1 − β"), tuple(lines)))
    samples = [FAMILIES[SAMPLING](mu) for mu in mus]
    aucs = [float(dl.AUC().of(sample)) for sample in samples]
    proofs = [float(sample.tradeoff().power(0.0)) for sample in samples]
    absent, present = (shares.tolist() for shares in normal_cells(1.0))
    cells = dl.FinitePair(p=absent, q=present).tradeoff(direction="add")
    sorted_, direct = float(cells(0.1)), float(FAMILIES["Gaussian"](1.0).tradeoff()(0.1))
    widest = max(tight, key=lambda item: item[2])
    narrowest = min((item for item in tight if item[0] != SAMPLING), key=lambda item: item[2])
    skewed = dl.AdditiveNoise(noise=stats.gumbel_r(), sensitivity=1.0)
    upwards, either = (float(curve.power(0.01)) for curve in (skewed.tradeoff(direction="add"), skewed.tradeoff()))
    # F{F⁻¹(α) − μ} and its mirror image, by the normal law itself
    shifted = tuple(NormalDist().cdf(NormalDist().inv_cdf(1 - a) - 1) for a in (0.1, 0.9))
    areas = ", ".join(f"{a:.3f} (μ = {mu:g})" for a, mu in zip(aucs, mus))
    proved = ", ".join(f"{proof:.3f}" for proof in proofs)
    catastrophic = dl.failure_mode(samples[-1]) is dl.FailureMode.CATASTROPHIC
    return figure(
        "fondeville-1",
        {"RECORDS": RECORDS, "CELLS": CELLS, **locals()},
        panels=panels,
        holds=(
            looser and narrowest[2] > 1e-6,
            catastrophic and min(proofs) > 0 and min(aucs) < 0.55,
            (all(abs(shifted[0] - f) < 1e-5 for f in (sorted_, direct)), either > upwards + 1e-9),
        ),
    )


def figure_2(mus: Sequence[float] = MUS, priors: Sequence[float] = choices.FONDEVILLE_PRIORS.value) -> Figure:
    """The belief after a successful attack, against the false-positive rate at which it was made."""
    alphas = spaced(choices.FONDEVILLE_AXIS.one, 1.0, 120, log=True)
    least, largest, panels = min(priors), max(mus), []
    for (family, make), mu in itertools.product(FAMILIES.items(), mus):
        powers = _powers(make(mu), alphas)
        beliefs = {f"{p:.0%}": [p * t / ((1 - p) * a + p * t) for a, t in zip(alphas, powers)] for p in priors}
        panels.append(Panel(f"{family}, μ = {mu:g}", RARE, Scale("Posterior"), labelled(alphas, beliefs)))
    certain = {family: float(dl.MaxPosterior(prior=least).of(make(largest))) for family, make in FAMILIES.items()}
    here = dl.Posterior(prior=priors[0], fpr=alphas[40]).of(FAMILIES["Gaussian"](mus[-1]))
    meets = all(abs(line.y[-1] - p) < 1e-12 for panel in panels for line, p in zip(panel.lines, priors))
    same = abs(float(here) - panels[2 * len(mus) - 1].lines[0].y[40]) < 1e-12
    modes = [dl.failure_mode(make(1.0)).name for make in FAMILIES.values()]
    seen = [failure_seen(make(1.0)) for make in FAMILIES.values()]
    sure = ", ".join(f"{c:.3f} ({family})" for family, c in certain.items())
    return figure(
        "fondeville-2",
        {"certain": sure, "least": 100 * least, "largest": largest},
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
    for family, mu in itertools.product(("Laplace", "Gaussian"), mus):
        ratio = tuple(float(dl.RelativeRisk(fpr=a).of(FAMILIES[family](mu))) for a in alphas)
        top = max(ratio) - 1
        scale = Scale("Relative risk", 1.0, 1 + 1.12 * top)
        note = Note(1e-4, 1 + 1.07 * top, f"{top + 1:.4g} at α = 1e-4")
        panels.append(Panel(f"{family}, μ = {mu:g}", RARE, scale, (Line(alphas, ratio),), notes=(note,)))
    laplace, gaussian = (
        [float(dl.RelativeRisk().of(FAMILIES[family](mu))) for mu in mus] for family in ("Laplace", "Gaussian")
    )
    summed = [Sums(stats.laplace(0), stats.laplace(mu), low=-9.0, high=mu + 9.0).largest_ratio() for mu in mus]
    growing = {a: float(FAMILIES["Gaussian"](1.0).tradeoff().power(a)) / a for a in (1e-10, 1e-100, 1e-300)}
    return figure(
        "fondeville-3",
        {
            "laplace": ", ".join(f"{r:.4f} at μ = {mu:g}" for r, mu in zip(laplace, mus)),
            "at": digits(float(dl.RelativeRisk(fpr=0.01).of(FAMILIES["Gaussian"](1.0)))),
            "growing": ", ".join(f"{r:.1e} at α = {a:g}" for a, r in growing.items()),
        },
        panels=panels,
        holds=(
            all(abs(math.log(r) - mu) < 1e-9 for found in (laplace, summed) for r, mu in zip(found, mus)),
            all(math.isinf(r) for r in gaussian) and all(b > 10 * a for a, b in itertools.pairwise(growing.values())),
        ),
    )


def figure_4(fprs: Sequence[float] = choices.FONDEVILLE_FPRS.value) -> Figure:
    """The power of the best attack against mu."""
    top = choices.FONDEVILLE_LARGEST.one
    mus = (0.001, *spaced(0.05, top, 120))
    powers = {(r["family"], r["mu"], r["fpr"]): r["power"] for r in dl.fondeville_power(mus=mus, fprs=fprs)}
    panels = []
    for family in ("laplace", "gaussian"):
        found = labelled(mus, {f"α₀ = {a:g}": [powers[family, mu, a] for mu in mus] for a in fprs})
        panels.append(Panel(family.capitalize(), Scale("μ", 0.0, top), Scale("Power of the best attack"), found))
    stronger = all(powers["laplace", m, a] <= powers["gaussian", m, a] for m in mus for a in fprs)
    at_five = min(float(dl.AttackPower(fpr=a).of(FAMILIES["Gaussian"](5.0))) for a in fprs)
    frequent = [float(dl.AttackPower(fpr=0.3).of(FAMILIES[f](1.0))) for f in ("Laplace", "Gaussian")]
    return figure(
        "fondeville-4",
        {"at_five": at_five, "least": min(fprs), "frequent": frequent},
        panels=panels,
        holds=(at_five > 0.95, (stronger, frequent[0] > frequent[1])),
    )


def table_1(noises: Sequence[float] = choices.FONDEVILLE_NOISES.value) -> Figure:
    """Mechanisms by how they fail."""
    from scipy import stats

    degrees, power = noises
    releases: dict[str, Any] = {
        "Laplace, μ = 1": FAMILIES["Laplace"](1.0),
        "Randomised response, ε = 1": dl.RandomizedResponse(epsilon=1.0, categories=2),
        "Exponential mechanism, ε = 1": dl.Exponential(epsilon=1.0),
        "Logistic noise": dl.AdditiveNoise(noise=stats.logistic(), sensitivity=1.0),
        "Cauchy noise": dl.AdditiveNoise(noise=stats.cauchy(), sensitivity=1.0),
        f"Student's t noise, {degrees:g} degrees": dl.AdditiveNoise(noise=stats.t(degrees), sensitivity=1.0),
        "Gaussian, μ = 1": FAMILIES["Gaussian"](1.0),
        f"Generalised normal noise, power {power:g}": dl.AdditiveNoise(noise=stats.gennorm(power), sensitivity=1.0),
        "Uniform random sampling, μ = 1, n = 5": FAMILIES[SAMPLING](1.0),
        "(1, 1e-6)-DP and nothing more": dl.ApproximateDP(epsilon=1.0, delta=1e-6),
        "Uniform noise": dl.AdditiveNoise(noise=stats.uniform(-2, 4), sensitivity=1.0),
        "Laplace that fails once in a million": FAMILIES["Laplace"](1.0).fails_with(1e-6),
    }
    rows, consistent = [], True
    for name, release in releases.items():
        proof, rho = float(release.tradeoff().power(0.0)), float(dl.RelativeRisk().of(release))
        mode = dl.failure_mode(release)
        by_table = "NONE" if math.isfinite(rho) else "GRACEFUL" if proof == 0 else "CATASTROPHIC"
        # beliefs decide what a failure is (Definition 6), not the two columns beside it
        consistent &= mode.name == by_table == failure_seen(release)
        at = float(dl.RelativeRisk(fpr=0.01).of(release))
        rows.append((name, digits(1 - proof, 7), digits(rho), digits(at), mode.name.lower()))
    return figure("fondeville-table-1", {"count": len(rows)}, rows=[rows], holds=[consistent])


def figure_5(sizes: Sequence[int] = SIZES, mus: Sequence[float] = choices.FONDEVILLE_ANALYST_MUS.value) -> Figure:
    """Power functions of the z-test of a mean, and its ROC curves, with and without Gaussian noise."""
    every = {math.inf: "no noise", **{mu: f"μ = {mu:g}" for mu in mus}}
    means, rates = Scale("True mean m", 0.0, choices.FONDEVILLE_MEANS.one), Scale("Level α")
    # near level 0 the power rises at once, but from 0: only a catastrophic failure begins higher
    levels = (*spaced(1e-18, 1e-3, 46, log=True), *spaced(0.002, 0.998, 126))
    printed = {"sd": SD, "effect": EFFECT, "level": LEVEL}
    frame = dl.fondeville_analysis(
        sizes=sizes, mus=tuple(every), effects=spaced(0.0, means.high, 101), levels=levels, **printed
    )
    panels = []
    for rows, x, what, scale in ((frame.power, "effect", "Power", means), (frame.roc, "level", "ROC", rates)):
        for n in sizes:
            lines = []
            for k, (mu, label) in enumerate(every.items()):
                line = Line.of([r for r in rows if r["n"] == n and r["mu"] == mu], x, "power", label=label, series=k)
                # a test that never rejects, and one that always does
                ends = {} if x == "effect" else {"x": (0.0, *line.x, 1.0), "y": (0.0, *line.y, 1.0)}
                lines.append(replace(line, **ends))
            panels.append(Panel(f"{what}, n = {n}", scale, Scale("Power"), tuple(lines)))
    bare, one = ({n: _power(n, mu) for n in SIZES} for mu in (math.inf, 1.0))
    large = [_power(500, mu) / bare[500] for mu in (1.0, 0.1, 0.01)]
    few = [_power(500, mu, 0.05) for mu in (math.inf, 0.1)]
    return figure(
        "fondeville-5",
        {
            "lost": ", ".join(f"from {bare[n]:.3f} to {one[n]:.3f} (n = {n})" for n in SIZES),
            "left": ", ".join(f"{x:.1%} (μ = {mu:g})" for x, mu in zip(large, (1.0, 0.1, 0.01))),
            "few": few,
        },
        panels=panels,
        holds=(
            all(one[n] > 0.99 * bare[n] for n in SIZES),
            (large[0] > 0.99 and large[1] > 0.99 and large[2] < 0.5, few[1] < 0.9 * few[0]),
        ),
    )


def _test(n: int, *, sd: float = SD, effect: float = EFFECT, level: float = LEVEL) -> dl.MeanTest:
    return dl.MeanTest(n=n, sd=sd, effect=effect, level=level)


def _power(n: int, mu: float, effect: float = EFFECT) -> float:
    return float(_test(n, effect=effect).power(None if math.isinf(mu) else dl.Gaussian(sigma=1 / (n * mu))))


def minimum_mu(sizes: Sequence[int] = SIZES) -> Figure:
    """The least mu at which the test keeps 99 % of its power."""
    misprint = (
        "Section 5.2 says level 0.05 and a loss in the type II error; the printed numbers are those of level 0.01 "
        "(as in Figure 5) and a relative loss of power of 1 %"
    )
    printed, rows, kept = [], [], True
    for n in sizes:
        least, as_said, binary = least_mu(n), least_mu(n, level=0.05), least_mu(n, sd=BINARY_SD)
        if n in MINIMUM:
            printed.append(Printed(f"minimum μ, n = {n}", MINIMUM[n], least, correction=misprint))
        powers = _power(n, math.inf), _power(n, least)
        # the normal law itself: what the test finds of a mean of 0.2
        directly = [_beyond(n, noise) for noise in (0.0, 1 / (n * least))]
        kept &= abs(directly[1] / directly[0] - 0.99) < 1e-9 and abs(directly[1] - powers[1]) < 1e-9
        rows.append((str(n), MINIMUM.get(n, "–"), *(f"{x:.4f}" for x in (least, *powers, as_said, binary))))
    enough = float(_test(100).min_mu(min_power=0.8, sensitivity=1 / 100))
    return figure(
        "fondeville-minimum-mu",
        {"enough": enough},
        rows=[rows],
        printed=printed,
        holds=(kept, _power(100, enough) >= 0.8 > _power(100, 0.999 * enough)),
    )


def _beyond(n: int, noise: float) -> float:
    """The share of noisy means of n values, true mean 0.2, above the (1 − level)-quantile of those with true mean 0."""
    spread = math.hypot(SD / math.sqrt(n), noise)
    return 1 - NormalDist(EFFECT, spread).cdf(NormalDist(0.0, spread).inv_cdf(1 - LEVEL))


def least_mu(n: int, **settings: float) -> float:
    """The least mu at which the test loses 1 % of its power."""
    return float(_test(n, **settings).min_mu(max_power_loss=0.01, sensitivity=1 / n))
