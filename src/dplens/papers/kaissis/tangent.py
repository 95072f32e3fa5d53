"""Kaissis et al. 2022, Figure 4: from the ROC curve to (epsilon, delta), and the lemmas about it."""

from __future__ import annotations

import math

import dplens as dl
from dplens.papers import choices
from dplens.papers.kaissis.psi import FPR, NORMAL, TPR, gaussian, roc
from dplens.papers.records import Figure, Line, Note, Panel, figure, spaced


def figure_4(psi: float = choices.KAISSIS_PSI.one, epsilon: float = choices.KAISSIS_EPSILON.one) -> Figure:
    """The tangent to the ROC curve with slope e^epsilon meets the axis at delta."""
    release = gaussian(psi)
    delta = float(dl.Delta(epsilon=epsilon).of(release))
    touch = _below(-psi / 2 - epsilon / psi)
    height = float(dl.AttackPower(fpr=touch).of(release))
    slope = math.exp(epsilon)
    xs = spaced(0.0, (1 - delta) / slope, 40)
    curve = roc(release, "R(x)")
    above = all(y <= min(delta + slope * x, 1.0) + 1e-12 for x, y in zip(curve.x, curve.y))
    mirrored = all(y <= min(1 - (1 - delta - x) / slope, 1.0) + 1e-12 for x, y in zip(curve.x, curve.y))
    as_said = _below(psi / 2 - epsilon / psi)
    spare = _sigma_by_lemma(1.0, 1e-5) / dl.gaussian_sigma(epsilon=1.0, delta=1e-5) - 1
    return figure(
        "kaissis-4",
        {"touch": touch, "height": height, "delta": delta, "as_said": as_said, "spare": spare},
        panels=[
            Panel(
                f"ψ = {psi:g}, ε = {epsilon:g}",
                FPR,
                TPR,
                (
                    curve,
                    Line(xs, tuple(delta + slope * x for x in xs), series=1),
                    Line((0.0, 1 - delta), (1 - (1 - delta) / slope, 1.0), series=2, bound=True, label="slope exp(−ε)"),
                ),
                notes=(
                    Note(0.0, delta, f"δ = {delta:.4f}", marked=True),
                    Note(touch, height, "touches here", marked=True),
                    Note(xs[-3], delta + slope * xs[-3], "slope exp(ε)"),
                ),
            )
        ],
        holds=(above and mirrored and abs(delta + slope * touch - height) < 1e-9, as_said <= delta),
    )


def _below(z: float) -> float:
    """Φ(z), also far out where 1 + erf is nothing."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def _sigma_by_lemma(epsilon: float, delta: float) -> float:
    """The noise at which Φ(psi/2 − epsilon/psi) = delta."""
    z = NORMAL.inv_cdf(delta)
    return 1 / (z + math.sqrt(z * z + 2 * epsilon))
