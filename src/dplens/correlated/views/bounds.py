"""Bounds that hold for every attacker, from the largest possible shifts of queries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.composition.routes import composed
from dplens.curves.base import TradeOff
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.mechanisms.additive import DiscreteGaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.guarantees import ApproximateDP


def no_information() -> TradeOff:
    """The curve of an attacker who learns nothing."""
    return PiecewiseCurve.from_pair(np.ones(1), np.ones(1), np.zeros(1))


def moved_epsilon(mechanisms: Sequence[Any], spans: Floats, delta: float) -> float:
    """An upper bound on epsilon(delta) of releases whose queries differ by at most ``spans`` under the two laws.

    Both output laws are mixtures of the noise around places of which any two lie within the span, and the
    hockey-stick divergence of mixtures is at most the largest of any of their parts (joint convexity).
    """
    if delta == 0:
        return float(sum(_leakage(m, float(span)) for m, span in zip(mechanisms, spans) if span > 0))
    return float(moved(mechanisms, spans).epsilon(delta))


def moved(mechanisms: Sequence[Any], spans: Floats, mu: float = 0.0) -> TradeOff:
    """A curve below that of every such attacker, even of one who also sees a Gaussian release of this mu."""
    curves = [(_curve(m, float(span)), 1) for m, span in zip(mechanisms, spans) if span > 0]
    curves += [(GaussianCurve(mu), 1)] if mu else []
    if not curves:
        return no_information()
    return curves[0][0] if len(curves) == 1 else composed(curves)


def _leakage(mechanism: Any, span: float) -> float:
    if isinstance(mechanism, (Laplace, Geometric)):
        return span / mechanism.scale
    if isinstance(mechanism, Staircase):  # one step for each sensitivity, or part of one
        return mechanism.epsilon * math.ceil(span / mechanism.sensitivity * (1 - 1e-12))
    return math.inf if hasattr(mechanism, "sigma") else float(_curve(mechanism, span).epsilon(0.0))


def _curve(mechanism: Any, span: float) -> TradeOff:
    if isinstance(mechanism, Staircase):
        return ApproximateDP(epsilon=_leakage(mechanism, span), delta=0.0).tradeoff()
    whole = isinstance(mechanism, (Geometric, DiscreteGaussian))
    return replace(mechanism, sensitivity=math.ceil(span * (1 - 1e-12)) if whole else span).tradeoff()


def most_response(covariance: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Upper bounds (releases, n) on |g|, g = Cov(S, x_i | x_K)/Var(x_i | x_K), over all knowledge sets K.

    With Λ the inverse of the covariance, U the unknown tuples except i and a the weights, g = a_i − a_U·Λ_UU⁻¹·Λ_Ui.
    The smaller of two bounds counts:

    * by Cauchy–Schwarz, |a_i| + √(v·w): w = Λ_ii − 1/Var(x_i) is an upper bound on Λ_iU·Λ_UU⁻¹·Λ_Ui, and v, the sum
      of the positive terms of a·Cov(x | x_i)·a, one on a_U·Λ_UU⁻¹·a_U;
    * |a_i| + Σ_j |a_j|·N_ji/N_ii, N the inverse of Λ with −|Λ_jk| beside its diagonal, where that is positive definite:
      Λ_UU⁻¹ is a sum over walks through U, all of which are walks through all tuples too (Malioutov, Johnson & Willsky
      2006). It is attained by the weakest attacker where weights and partial correlations are positive.

    Also returns √w (n,): the largest shift of the other tuples with x_i, in conditional standard deviations.
    """
    slack = 64 * np.finfo(float).eps  # error of an inverse, times its size and the condition of the matrix
    sd = np.sqrt(np.diag(covariance))
    matrix, n = covariance / np.outer(sd, sd), len(sd)
    unit = np.abs(weights) * sd  # in units of each tuple's standard deviation
    least = float(np.linalg.eigvalsh(matrix)[0])
    inverse = np.linalg.inv(matrix)
    raised = 1 + slack * n / least
    follows = np.sqrt(np.maximum(np.diag(inverse) * raised - 1, 0.0))
    signed = weights * sd
    out = np.empty(unit.shape)
    for i in range(n):
        rest = matrix - np.outer(matrix[i], matrix[i])
        size = [np.maximum(np.outer(a, a) * rest, 0.0).sum() for a in signed]
        out[:, i] = unit[:, i] + np.sqrt(size) * follows[i]
    scale = np.sqrt(np.diag(inverse))
    walks = np.abs(inverse / np.outer(scale, scale)) - np.eye(n)
    room = 1 - float(np.linalg.eigvalsh(walks)[-1]) - slack * n / least
    if room > 1e-6:
        reached = np.linalg.inv(np.eye(n) - walks) * (scale[None, :] / scale[:, None])
        share = reached / np.diag(reached)
        np.fill_diagonal(share, 1.0)
        out = np.minimum(out, unit @ share * (1 + slack * n * (1 / room + 1 / least)))
    return out / sd, follows / sd
