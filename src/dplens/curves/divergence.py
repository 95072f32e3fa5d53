"""Divergences read off a curve that knows no better way."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dplens._numerics import quadrature
from dplens._numerics.logits import from_logit
from dplens.curves.base import Floats, TradeOff


def renyi_from_curve(curve: TradeOff, order: float) -> float:
    """D_order(Q‖P) of a directed curve T(P, Q): E_P e^{order·l} with l = log(−f'(alpha)), alpha uniform.

    The loss law under P is that of log(−f') at a uniform alpha (Dong, Roth & Su 2022, Section 2.4). Integrated
    in logit(alpha); where the integrand has not died out at the edge of floating point, the divergence is
    infinite or cannot be told from it.
    """
    if order >= 1 and curve._power_at_zero() > 0:
        return math.inf

    def weight(logit: Floats) -> tuple[Floats, Floats]:
        return curve._log_slope(*from_logit(logit)), -np.logaddexp(0, -logit) - np.logaddexp(0, logit)

    edges = np.concatenate([np.linspace(-700, -60, 17), np.linspace(-56, 56, 57), np.linspace(60, 700, 17)])
    if order == 1:
        value, _ = quadrature.adaptive(lambda t: _kl_term(*weight(t)), edges)
        return max(value, 0.0)
    slope, log_w = weight(edges)
    exponent = order * slope + log_w
    top = float(np.max(exponent[np.isfinite(exponent)], initial=-math.inf))
    if math.isinf(top):  # no output is possible in both worlds
        return math.inf
    if max(exponent[0], exponent[-1]) > top - 30:
        return math.inf

    def term(t: Floats) -> Floats:
        loss, log_weight = weight(t)
        with np.errstate(invalid="ignore"):
            return np.where(np.isneginf(loss), 0.0, np.exp(order * loss + log_weight - top))

    value, _ = quadrature.adaptive(term, edges)
    return (top + math.log(value)) / (order - 1)


def _kl_term(loss: Floats, log_weight: Floats) -> Floats:
    finite = np.isfinite(loss)
    out = np.zeros_like(loss)
    out[finite] = loss[finite] * np.exp(loss[finite] + log_weight[finite])
    return out


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
