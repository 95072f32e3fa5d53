"""De Fondeville 2026, continued: what is left for the analyst (Figure 5 and the minimum mu of Section 5.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Figure, Line, Panel, Printed, Scale, figure, listed, spaced

SIZES = (15, 100, 500)
SD, EFFECT, LEVEL = 0.25, 0.2, 0.01  # printed below Figure 5
MINIMUM = {15: "7.9", 100: "0.28", 500: "0.048"}
BINARY_SD = 0.5  # a binary variable has a variance of at most 0.25


def figure_5(sizes: Sequence[int] = SIZES, mus: Sequence[float] = choices.FONDEVILLE_ANALYST_MUS.value) -> Figure:
    """Power functions of the z-test of a mean, and its ROC curves, with and without Gaussian noise."""
    every = (math.inf, *mus)
    effects = spaced(0.0, choices.FONDEVILLE_MEANS.one, 101)
    # near level 0 the power rises at once, but from 0: only a catastrophic failure begins higher
    levels = (*spaced(1e-18, 1e-3, 46, log=True), *spaced(0.002, 0.998, 126))
    frame = dl.fondeville_analysis(
        sd=SD, effect=EFFECT, level=LEVEL, sizes=sizes, mus=every, effects=effects, levels=levels
    )
    panels = []
    means, rates = Scale("True mean m", 0.0, choices.FONDEVILLE_MEANS.one), Scale("Level α")
    for rows, x, what, scale in ((frame.power, "effect", "Power", means), (frame.roc, "level", "ROC", rates)):
        for n in sizes:
            lines = []
            for k, mu in enumerate(every):
                kept = [row for row in rows if row["n"] == n and row["mu"] == mu]
                label = "no noise" if math.isinf(mu) else f"μ = {mu:g}"
                xs, ys = (tuple(row[c] for row in kept) for c in (x, "power"))
                if x == "level":  # a test that never rejects, and one that always does
                    xs, ys = (0.0, *xs, 1.0), (0.0, *ys, 1.0)
                lines.append(Line(xs, ys, label=label, series=k))
            panels.append(Panel(f"{what}, n = {n}", scale, Scale("Power"), tuple(lines)))
    bare = {n: _power(n, math.inf) for n in SIZES}
    one = {n: _power(n, 1.0) for n in SIZES}
    large = [_power(500, mu) / bare[500] for mu in (1.0, 0.1, 0.01)]
    few = [_power(500, mu, 0.05) for mu in (math.inf, 0.1)]
    return figure(
        "fondeville-5",
        {
            "lost": listed(f"from {bare[n]:.3f} to {one[n]:.3f} (n = {n})" for n in SIZES),
            "left": listed(f"{x:.1%} (μ = {mu:g})" for x, mu in zip(large, (1.0, 0.1, 0.01))),
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
    test = _test(n, effect=effect)
    return float(test.power() if math.isinf(mu) else test.power(dl.Gaussian(sigma=1 / (n * mu))))


def minimum_mu(sizes: Sequence[int] = SIZES) -> Figure:
    """The least mu at which the test keeps 99 % of its power."""
    misprint = (
        "Section 5.2 says level 0.05 and a loss in the type II error; the printed numbers are those of level 0.01 "
        "(as in Figure 5) and a relative loss of power of 1 %"
    )
    printed, rows, kept = [], [], True
    for n in sizes:
        least = _least(n, SD, LEVEL)
        as_said = _least(n, SD, 0.05)
        binary = _least(n, BINARY_SD, LEVEL)
        if n in MINIMUM:
            printed.append(Printed(f"minimum μ, n = {n}", MINIMUM[n], least, correction=misprint))
        powers = _power(n, math.inf), _power(n, least)
        # the normal law itself: what the test finds of a mean of 0.2
        directly = [_beyond(n, noise) for noise in (0.0, 1 / (n * least))]
        kept &= abs(directly[1] / directly[0] - 0.99) < 1e-9 and abs(directly[1] - powers[1]) < 1e-9
        rows.append(
            (str(n), MINIMUM.get(n, "–"), f"{least:.4f}", f"{powers[0]:.4f}", f"{powers[1]:.4f}", f"{as_said:.4f}", f"{binary:.4f}")
        )  # fmt: skip
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


def _least(n: int, sd: float, level: float) -> float:
    return float(_test(n, sd=sd, level=level).min_mu(max_power_loss=0.01, sensitivity=1 / n))
