"""The tightest mu of a piecewise linear curve: one distance in normal quantiles a vertex."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri_exp

from dplens._numerics import normal
from dplens._numerics.quadrature import unit_nodes
from dplens.curves.base import Floats

if TYPE_CHECKING:
    from dplens.curves.piecewise import PiecewiseCurve

_SHORT = 0.1  # distances below this are found from the mass between the quantiles, not from their difference
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
        error = 1e-14 * gap + 4 * _ULP * (np.abs(rise) + np.abs(run)) + 2 * curve.total_rounding
    known = np.isfinite(gap)
    near = known & (gap < _SHORT)
    if near.any():
        # from the end whose rate is the smaller: the curve seen in the mirror has the same distances
        start = np.where(alpha <= beta, run, -rise)[near]
        gain, summed = (x[inner][near] for x in _gain(curve))
        gap[near] = _distance(start, gain)
        loose = gain * (8e-15 + 2 * curve.loss_rounding) + summed * (curve.total_rounding + curve.gain_slack)
        # an error of the starting quantile, a few units of its own, counts |start|·gap times
        error[near] = loose / _density(start + gap[near]) + gap[near] * (1e-15 + 8 * _ULP * start * start)
    low, high = (float((gap[known] + side * error[known]).max(initial=0.0)) for side in (-1, 1))
    if not known.all():  # masses that underflowed but are not 0: no curve of these losses lies below pure DP
        high = pure_mu(float(np.max(np.abs(curve.loss)))) * (1 + 1e-14)
    return max(low, 0.0), high


def _gain(curve: PiecewiseCurve) -> tuple[Floats, Floats]:
    """power − alpha at every vertex, and the mass it was summed over: power or 1 − alpha.

    The terms are masses times 1 − e^−|loss|, taken from the end where all of them are positive.
    """
    p, q, loss = curve.p, curve.q, curve.loss
    rising = np.cumsum(np.where(loss > 0, -q * np.expm1(-np.abs(loss)), 0.0), dtype=np.longdouble)
    falling = np.cumsum(np.where(loss < 0, -p * np.expm1(-np.abs(loss)), 0.0)[::-1], dtype=np.longdouble)[::-1]
    before = np.concatenate([[0.0], rising]).astype(float)
    after = np.concatenate([falling, [0.0]]).astype(float)
    left = np.concatenate([loss, [-math.inf]]) >= 0
    return np.where(left, before, after), np.where(left, curve.power_, curve.co)


def _distance(start: Floats, mass: Floats) -> Floats:
    """The d with Φ(start + d) − Φ(start) = mass, by Newton's steps; start ≤ 0 and d below about 0.1."""
    nodes, weights = unit_nodes(12)
    found = mass / _density(start)
    for _ in range(40):
        found = np.minimum(found, 1.0)
        between = found * (_density(start[:, None] + found[:, None] * nodes) @ weights)
        step = (mass - between) / _density(start + found)
        found = np.maximum(found + step, 0.0)
        if (np.abs(step) <= _ULP * found).all():
            break
    return found


def _density(x: Floats) -> Floats:
    return np.exp(normal.log_density(x))
