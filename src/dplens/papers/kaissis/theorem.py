"""Kaissis et al. 2022, the closing theorem: five statements about a Gaussian mechanism, there and back."""

from __future__ import annotations

import math

import numpy as np

import dplens as dl
from dplens.papers import choices
from dplens.papers.kaissis.psi import NORMAL, gaussian_sums
from dplens.papers.records import Figure, digits, figure


def closing_theorem(draws: int = int(choices.KAISSIS_DRAWS.value[0])) -> Figure:
    """Five statements about a Gaussian mechanism, each worked out from psi, and psi again from each.

    The statements are formulas; what they are held against are sums over the two densities, and the library.
    """
    rng = np.random.default_rng(int(choices.KAISSIS_DRAWS.value[1]))
    psis = [float(x) for x in np.exp(rng.uniform(math.log(0.05), math.log(5.0), draws))]
    worst: dict[str, float] = dict.fromkeys(("profile", "GDP", "Rényi", "ROC", "AUC"), 0.0)
    back, library = dict(worst), dict(worst)
    for psi in psis:
        release = dl.Gaussian(sigma=1.0, sensitivity=psi)
        curve = release.tradeoff()
        e, a, x = 0.5 * psi, 1 + float(rng.uniform(0.1, 10)), float(rng.uniform(0.01, 0.2))
        delta = NORMAL.cdf(psi / 2 - e / psi) - math.exp(e) * NORMAL.cdf(-psi / 2 - e / psi)
        power = NORMAL.cdf(psi + NORMAL.inv_cdf(x))
        area = NORMAL.cdf(psi / math.sqrt(2))
        said = {"profile": delta, "GDP": psi, "Rényi": a * psi * psi / 2, "ROC": power, "AUC": area}
        sums = gaussian_sums(psi, a)
        half = sums.power(0.5)  # of N(0, 1) and N(mu, 1) it is Φ(mu)
        summed = {
            "profile": sums.delta(e),
            "GDP": NORMAL.inv_cdf(half),
            "Rényi": sums.renyi(a),
            "ROC": sums.power(x),
            "AUC": sums.auc(),
        }
        ours = {
            "profile": float(dl.Delta(epsilon=e).of(release)),
            "GDP": float(curve.mu()),
            "Rényi": float(curve.renyi(a)),
            "ROC": float(curve.power(x)),
            "AUC": float(dl.AUC().of(release)),
        }
        found = {
            "profile": 1 / dl.gaussian_sigma(epsilon=e, delta=summed["profile"]),
            "GDP": float(dl.mu_from_power(power=half, fpr=0.5)),
            "Rényi": math.sqrt(2 * summed["Rényi"] / a),
            "ROC": float(dl.mu_from_power(power=summed["ROC"], fpr=x)),
            "AUC": float(dl.mu_from_auc(summed["AUC"])),
        }
        for name, statement in said.items():
            worst[name] = max(worst[name], abs(summed[name] / statement - 1))
            library[name] = max(library[name], abs(ours[name] / statement - 1))
            back[name] = max(back[name], abs(found[name] / psi - 1))
    formulas = {
        "profile": "δ(ε) = Φ(ψ/2 − ε/ψ) − e^ε·Φ(−ψ/2 − ε/ψ)",
        "GDP": "ψ-GDP",
        "Rényi": "(α, α·ψ²/2)-RDP",
        "ROC": "R(x) = Φ(ψ + Φ⁻¹(x))",
        "AUC": "AUC = Φ(ψ/√2)",
    }
    rows = tuple(
        (name, formulas[name], f"{worst[name]:.0e}", f"{library[name]:.0e}", f"{back[name]:.0e}") for name in worst
    )
    return figure(
        "kaissis-theorem",
        {"draws": draws, "worst": digits(max(worst.values()), 1), "back": digits(max(back.values()), 1)},
        rows=[rows],
        holds=[max(*worst.values(), *back.values()) < 1e-5 and max(library.values()) < 1e-7],
    )
