"""Divergences read off a curve that knows no better way."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dplens._numerics import quadrature
from dplens._numerics.logits import from_logit
from dplens._numerics.moments import surplus, unshared
from dplens.curves.base import MILD, Floats, TradeOff


def renyi_from_curve(curve: TradeOff, order: float, *, backward: bool = False) -> float:
    """D_order(Q‖P) of a directed curve T(P, Q): E_P e^{order·l} with l = log(−f'(alpha)), alpha uniform.

    Backward it is D_order(P‖Q), from E_P e^{(1 − order)·l}, where no output is possible under P alone.

    The loss law under P is that of log(−f') at a uniform alpha (Dong, Roth & Su 2022, Section 2.4). Integrated
    in logit(alpha); where the integrand has not died out at the edge of floating point, the divergence is
    infinite or cannot be told from it.
    """
    if order >= 1 and curve._power_at_zero() > 0 and not backward:
        return math.inf
    power = 1 - order if backward else order

    def weight(logit: Floats) -> tuple[Floats, Floats]:
        return curve._log_slope(*from_logit(logit)), -np.logaddexp(0, -logit) - np.logaddexp(0, logit)

    edges = np.concatenate([np.linspace(-700, -60, 17), np.linspace(-56, 56, 57), np.linspace(60, 700, 17)])
    slope, log_w = weight(edges)
    h = order - 1
    with np.errstate(invalid="ignore"):
        exponent = np.where(np.isfinite(slope), power * slope + log_w, -math.inf)
    top = float(np.max(exponent))
    if math.isinf(top):  # no output is possible in both worlds
        return math.inf
    if order != 1 and max(exponent[0], exponent[-1]) > top - 30:
        return math.inf

    def plain(t: Floats) -> Floats:
        loss, log_weight = weight(t)
        finite = np.isfinite(loss)
        return np.where(finite, np.exp(power * np.where(finite, loss, 0.0) + log_weight - top), 0.0)

    def beyond(t: Floats) -> Floats:
        loss, log_p = weight(t)
        p, finite = np.exp(log_p), np.isfinite(loss)
        out = np.where(np.isneginf(loss), p, 0.0)  # what only H0 puts out
        p, q, shared = p[finite], np.exp(log_p[finite] + loss[finite]), loss[finite]
        out[finite] = surplus(q, p, -shared, h) if backward else surplus(p, q, shared, h)
        return out

    only = curve._power_at_zero()  # what is possible under Q alone
    if order == 1:
        return max(quadrature.adaptive(beyond, edges)[0] + (only if backward else 0.0), 0.0)
    value, _ = quadrature.adaptive(plain, edges)
    if abs(top + math.log(value)) > 0.5:
        return (top + math.log(value)) / h
    lost = unshared(only, 0.0, h) if backward else unshared(0.0, only, h)
    moment = h * quadrature.adaptive(beyond, edges)[0] - lost
    return math.log1p(moment) / h


def expectation_from_curve(curve: TradeOff, function: Callable[[Floats], Floats], present: bool) -> float:
    """E[function(l)], l = log(−f'(alpha)) with alpha uniform under H0; under H1 weighted by e^l."""
    edges = np.concatenate([np.linspace(-700, -50, 14), np.linspace(-46, 46, 93), np.linspace(50, 700, 14)])

    def integrand(logit: Floats) -> Floats:
        loss = curve._log_slope(*from_logit(logit))
        weight = np.exp((loss if present else 0.0) - np.logaddexp(0, -logit) - np.logaddexp(0, logit))
        some = weight > 0
        out = np.zeros_like(loss)
        out[some] = function(loss[some]) * weight[some]
        return out

    return quadrature.adaptive(integrand, edges, tolerance=max(1e-12, 64 * curve.rounding))[0]


def binary_renyi(curve: TradeOff, order: float) -> float:
    """A divergence that is surely reached, where its value came out infinite: that of single tests.

    No test tells more than the outputs, so D_order ≥ log(power^order·alpha^(1 − order))/(order − 1) for order > 1.
    """
    from dplens.curves.moments import MomentGuarantee

    parts = curve._components()
    proven = any(c.proof(MILD) > 0 for c in parts) and order >= 1
    if proven or not 1 < order < math.inf or any(isinstance(c, MomentGuarantee) for c in parts):
        return math.inf
    alpha = np.geomspace(1e-290, 0.5, 300)
    with np.errstate(divide="ignore"):
        logs = [np.log(c.bounded_power(MILD, alpha, 1 - alpha)) for c in parts]
    return max(0.0, *(float(np.max(p - np.log(alpha) + p / (order - 1))) * (1 - 1e-12) for p in logs))
