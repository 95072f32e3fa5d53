"""The tightest mu of a piecewise linear curve: one distance in normal quantiles a vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri_exp

from dplens._numerics import normal

if TYPE_CHECKING:
    from dplens.curves.piecewise import PiecewiseCurve

_ULP = 2.3e-16


def pure_mu(epsilon: float) -> float:
    """−2Φ⁻¹(1/(1 + e^epsilon)), by logarithms where that probability is too small for a float."""
    return normal.pure_mu(epsilon) if epsilon < 690 else -2 * float(ndtri_exp(-epsilon))


def piecewise_mu(curve: PiecewiseCurve) -> tuple[float, float]:
    """Bounds on the tightest mu of a curve without proofs.

    f is linear and G_mu convex between vertices: the tightest mu is found at a vertex.
    """
    inner = slice(1, -1)
    alpha, co, power, beta = (x[inner] for x in (curve.alpha, curve.co, curve.power_, curve.beta_))
    rise, run = normal.quantile(power, beta), normal.quantile(alpha, co)
    with np.errstate(invalid="ignore"):
        gap = rise - run
        # a relative error of a rate counts at most 1.3 times in its quantile, and less further out
        error = 8 * _ULP * (1 + np.abs(rise) + np.abs(run)) + 2 * (curve.rounding + curve.total_rounding)
    known = np.isfinite(gap)
    low, high = (float((gap[known] + side * error[known]).max(initial=0.0)) for side in (-1, 1))
    top = pure_mu(float(np.max(np.abs(curve.loss)))) * (1 + 1e-14)
    # masses that underflowed but are not 0: no curve of these losses lies below pure DP
    return max(low, 0.0), min(high, top) if known.all() else top
