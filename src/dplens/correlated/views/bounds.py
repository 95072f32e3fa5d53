"""Bounds that hold for every attacker, and the lower hull of several pairs of output laws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dplens.composition.routes import composed
from dplens.curves.base import Floats, TradeOff
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.derived.hull import both_directions
from dplens.curves.finite.enclosed import BY_BOUND, BY_LEAKAGE, EnclosedCurve, Ends
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.curves.finite.polygons import Dots, polygon_above
from dplens.mechanisms.additive import DiscreteGaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.guarantees import ApproximateDP
from dplens.numerics.enclosure import Enclosure


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


def worst_of(curves: Sequence[TradeOff]) -> TradeOff:
    """The lower hull of several curves, each in both directions; enclosed from both sides if there are several.

    The profile of the hull is the largest of the profiles. Its upper bound connects the dots on a grid of losses; its
    lower bound randomises between the tests that are best at these losses.
    """
    if len(curves) == 1:
        return both_directions(curves[0])
    both = with_mirrors(curves)
    ends = Ends.worst(both)
    grid = loss_grid(both, ends.top[1])
    profile = Enclosure.largest([curve.profile_bounds(grid) for curve in both])
    routes = {curve.route for curve in curves if isinstance(curve, EnclosedCurve)}
    route = next((r for r in (BY_LEAKAGE, BY_BOUND) if r in routes), "cells")
    return EnclosedCurve(upper_polygon(grid, profile.hi), best_tests(both, grid), (), route, (ends, ends))


def with_mirrors(curves: Sequence[TradeOff]) -> list[TradeOff]:
    """The curves in both directions; a symmetric one only once."""
    return [c for curve in curves for c in ((curve,) if curve.inverse() is curve else (curve, curve.inverse()))]


def loss_grid(curves: Sequence[TradeOff], top: float, knots: int = 4000) -> Floats:
    """Losses from 0 to ``top`` at which curves are compared, densest where most of the power is."""
    largest = 700.0  # e^loss is still a float

    def reached(delta: float) -> float:
        """The loss above which every delta is smaller than this."""
        found = max(float(c.epsilon_bounds(np.array([delta])).hi[0]) for c in curves)
        return min(found, largest)

    if math.isfinite(top):
        parts = [np.linspace(0.0, top, knots)]
    else:
        common, rare, far = (reached(delta) for delta in (1e-2, 1e-16, 1e-280))
        parts = [np.linspace(0.0, rare, knots), np.linspace(rare, max(far, rare), knots // 4)]
        if common < rare / 2:  # the losses grow fast in the tail
            parts.append(np.linspace(0.0, common, knots // 2))
    parts.append(np.array([high for _, high in (c._max_loss() for c in curves)]))
    for curve in curves:  # a polygon with few vertices has its corners on the grid
        law = curve.risky if isinstance(curve, EnclosedCurve) else curve
        if isinstance(law, PiecewiseCurve) and len(law.p) < 400:
            parts.append(law.loss)
    losses = np.unique(np.concatenate(parts))
    return losses[(losses >= 0) & (losses <= largest)]


def upper_polygon(grid: Floats, delta: Floats) -> PiecewiseCurve:
    """The symmetric curve that connects the dots of a profile's upper bounds."""
    delta = np.minimum.accumulate(delta)
    dots = Dots(grid, delta, float(delta[-1]))
    return replace(polygon_above(dots, dots), is_symmetric=True)


def best_tests(curves: Sequence[TradeOff], grid: Floats) -> PiecewiseCurve:
    """The symmetric curve of randomising between the tests that are best at the given losses."""
    rates = [(c.mild if type(c) is EnclosedCurve else c)._rates(grid) for c in curves]
    alpha, power = (np.array([r[i] for r in rates]) for i in (0, 2))
    with np.errstate(over="ignore", invalid="ignore"):
        height = np.nan_to_num(power - np.exp(grid) * alpha, nan=-1.0)
    # of equally good tests take the one with the smaller alpha: mirror images lie on the other side of loss 0
    tied = height >= height.max(axis=0) * (1 - 1e-13)
    best = np.argmin(np.where(tied, alpha, np.inf), axis=0), np.arange(len(grid))
    alpha, power = (np.maximum.accumulate(np.maximum(x[best][::-1], 0.0)) for x in (alpha, power * (1 - 1e-13)))
    p, q = np.diff(alpha, prepend=0.0), np.diff(power, prepend=0.0)
    middle = max(1.0 - alpha[-1] - power[-1], 0.0)
    first, second = np.concatenate([p, [middle], q[::-1]]), np.concatenate([q, [middle], p[::-1]])
    some = (first > 0) & (second > 0)
    lost = 1.0 - min(math.fsum(first[some]), math.fsum(second[some]))  # an underflowed mass must not prove anything
    first, second = first[some], second[some]
    at = int(np.argmin(np.abs(np.log(second) - np.log(first))))
    first[at] += max(lost, 0.0)
    second[at] += max(lost, 0.0)
    loss = np.log(second) - np.log(first)
    return PiecewiseCurve.from_pair(first, second, loss, 1e-14, 1e-12, rounding=2e-12, is_symmetric=True)
