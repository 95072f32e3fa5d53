"""Upper bounds of calls from the real axis alone: E_P(e^L − e^e)₊ ≤ kappa·e^{K(c) + (1 − c)·e} for every c > 1."""

from __future__ import annotations

import math

import numpy as np

from dplens.engine.composition import Composition
from dplens.engine.laws import Floats

_POINTS = 32
_FAR = 8.0  # standard deviations of t beyond which next to nothing is left, were the loss Gaussian


def log_kappa(c: Floats) -> Floats:
    """log of the sup over x of (e^x − 1)₊·e^{−c·x}, c ≥ 1: Chernoff's bound, whatever the law."""
    a = np.maximum(c - 1, 1e-300)
    return a * np.log(a / c) - np.log(c)


def from_above(k: Floats) -> Floats:
    """Upper bounds of K, whatever their rounding."""
    return k + 1e-9 * np.abs(k) + 1e-12


def closer_kappa(comp: Composition, c: float, variance: float) -> float:
    """(1/π)·∫ |phi(t)|/|s(s − 1)| dt over t > 0, from above: no more than a line would lose by having no phases.

    As 1 − cos x ≥ x²/2 − x⁴/24, log|phi|² ≤ Σ_i log(1 − E[1 − cos(t·D_i)]) ≤ −(t²·V − t⁴·Q/24) with V the variance of
    the tilted loss and Q the sum of the E D_i⁴. That falls until t² = 12·V/Q; beyond, 1/|s(s − 1)| ≤ 1/t² is enough.
    """
    variance, fourth = variance * (1 - 1e-6), comp.fourth(c)
    if not (variance > 0 and 0 < fourth < math.inf):
        return math.inf
    turn = math.sqrt(12 * variance / fourth)
    end = min(turn, _FAR / math.sqrt(variance))
    t, step = np.linspace(0.0, end, _POINTS, retstep=True)
    phi = np.exp(-(t * t) * (variance - t * t * (fourth / 24)) / 2)
    kernel = phi / np.sqrt((c * c + t * t) * ((c - 1) ** 2 + t * t))  # falls, so that left ends bound it
    return (float(step) * float(kernel[:-1].sum()) + float(phi[-1]) / end + 1 / turn) / math.pi * (1 + 1e-9)
