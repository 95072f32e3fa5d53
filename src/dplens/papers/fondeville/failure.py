"""De Fondeville 2026, continued: how mechanisms fail (Table 1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import dplens as dl
from dplens.papers import choices
from dplens.papers.fondeville.attacker import FAMILIES, failure_seen
from dplens.papers.records import Figure, digits, figure


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
        "Uniform random sampling, μ = 1, n = 5": FAMILIES["Uniform random sampling"](1.0),
        "(1, 1e-6)-DP and nothing more": dl.ApproximateDP(epsilon=1.0, delta=1e-6),
        "Uniform noise": dl.AdditiveNoise(noise=stats.uniform(-2, 4), sensitivity=1.0),
        "Laplace that fails once in a million": FAMILIES["Laplace"](1.0).fails_with(1e-6),
    }
    rows, consistent = [], True
    for name, release in releases.items():
        curve = release.tradeoff()
        proof, rho = float(curve.power(0.0)), float(dl.RelativeRisk().of(release))
        mode = dl.failure_mode(release)
        by_table = "NONE" if math.isfinite(rho) else "GRACEFUL" if proof == 0 else "CATASTROPHIC"
        # beliefs decide what a failure is (Definition 6), not the two columns beside it
        consistent &= mode.name == by_table == failure_seen(release)
        at = float(dl.RelativeRisk(fpr=0.01).of(release))
        rows.append((name, digits(1 - proof, 7), digits(rho), digits(at), mode.name.lower()))
    return figure("fondeville-table-1", {"count": len(rows)}, rows=[rows], holds=[consistent])
