"""Rényi divergences of curves without closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logsumexp

from dplens.numerics import quadrature
from dplens.numerics.enclosure import Bounds, Floats
from dplens.numerics.logits import from_logit
from dplens.numerics.moments import surplus, unshared

if TYPE_CHECKING:
    from dplens.curves.base import TradeOff


def renyi_from_curve(curve: TradeOff, order: float) -> float:
    """D_order(Q‖P) of a directed curve T(P, Q): E_P e^{order·l} with l = log(−f'(alpha)), alpha uniform.

    A sample with the worlds exchanged has its D_order from the other direction, where slopes are known, as
    D_order(P‖Q) = log E_P e^{(1 − order)·l}/(order − 1); there no output is possible under P alone.

    Under P the loss is distributed as log(−f') at a uniform alpha (Dong, Roth & Su 2022, Section 2.4). The integral is
    over logit(alpha); if the integrand has not decayed at the limits of floating point, the divergence is
    infinite or indistinguishable from it.
    """
    backward = getattr(curve, "backward", False)
    curve = curve.inverse() if backward else curve
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
        with np.errstate(over="ignore"):
            return np.where(finite, np.exp(power * np.where(finite, loss, 0.0) + log_weight - top), 0.0)

    def beyond(t: Floats) -> Floats:
        loss, log_p = weight(t)
        p, finite = np.exp(log_p), np.isfinite(loss)
        out = np.where(np.isneginf(loss), p, 0.0)  # outputs possible under H0 only
        p, q, shared = p[finite], np.exp(log_p[finite] + loss[finite]), loss[finite]
        out[finite] = surplus(q, p, -shared, h) if backward else surplus(p, q, shared, h)
        return out

    only = curve._power_at_zero()  # the mass of outputs possible under Q alone
    if order == 1:
        return max(quadrature.adaptive(beyond, edges) + (only if backward else 0.0), 0.0)
    value = quadrature.adaptive(plain, edges)
    if not 0 < value < math.inf:  # the order is too large for its integrand
        return math.inf
    if abs(top + math.log(value)) > 0.5:
        return (top + math.log(value)) / h
    lost = unshared(only, 0.0, h) if backward else unshared(0.0, only, h)
    moment = h * quadrature.adaptive(beyond, edges) - lost
    return math.log1p(moment) / h if -1 < moment < math.inf else math.inf


def enclosed_renyi(curve: TradeOff, order: float) -> Bounds:
    """Bounds on D_order(Q‖P) of a directed curve with kinks, which quadrature for smooth integrands may miss.

    The outputs are grouped into cells of alpha. Their masses give a lower bound (data processing inequality).
    Within a cell the likelihood ratio lies between the slopes at its ends; given its mean, the divergence is largest
    if only the two end values occur, which is exact for a cell with a single kink. If points are expensive, there are
    fewer cells, and the means of neighbouring cells replace the slopes at the ends.
    """
    if order >= 1 and curve._power_at_zero() > 0:
        return Bounds(math.inf, math.inf)
    far, near = np.linspace(60, 700, 65 if curve.is_costly else 1281), np.linspace(-60, 60, 12_001)
    logit = np.concatenate([-far[::-1], near[5:-5:5] if curve.is_costly else near[1:-1], far])
    if _is_rare(curve):
        logit = np.linspace(-20, 20, 321)
    alpha, co = from_logit(logit)
    power, beta = curve.both_bounds(alpha, co)
    slope = None if curve.is_costly else curve._log_slope(alpha, co)
    low, _ = _divergence_of_cells(curve, order, alpha, co, power.lo, beta.hi, None)
    _, high = _divergence_of_cells(curve, order, alpha, co, power.hi, beta.lo, slope)
    return Bounds(max(low * (1 - 1e-12), 0.0), high * (1 + 1e-12))


def _is_rare(curve: TradeOff) -> bool:
    """Whether a few outcomes have large losses and are so rare that points at the smallest alphas are expensive."""
    return getattr(curve, "has_rare_losses", False) or any(map(_is_rare, curve._sources()))


def _divergence_of_cells(
    curve: TradeOff, order: float, alpha: Floats, co: Floats, power: Floats, beta: Floats, slope: Floats | None
) -> tuple[float, float]:
    """The divergence of the masses of cells alone, and the largest that the slopes at their ends allow."""
    p = np.concatenate([alpha[:1], np.where(alpha[1:] <= 0.5, np.diff(alpha), -np.diff(co)), co[-1:]])
    rise = np.where(power[1:] <= 0.5, np.diff(power), -np.diff(beta))
    q = np.concatenate([power[:1] - curve._power_at_zero(), rise, beta[-1:]])
    with np.errstate(all="ignore"):
        mean = np.log(np.maximum(q, 0.0)) - np.log(p)
        before, after = (mean[:-1], mean[1:]) if slope is None else (slope, slope)
        steep = np.append(curve._max_loss()[1], np.maximum.accumulate(before[::-1])[::-1])
        flat = np.append(np.minimum.accumulate(after), -curve.inverse()._max_loss()[1])
        steep, flat = np.maximum(steep, mean), np.minimum(flat, mean)
        share = np.exp(mean - steep) * np.expm1(flat - mean) / np.expm1(flat - steep)  # mass at the steep end
        share = np.where(np.isneginf(mean), 0.0, np.where(steep > flat, share, 1.0)).clip(0.0, 1.0)
        ends = (np.log(share), steep), (np.log1p(-share), flat)
        if order == 1:
            return _sum(q * mean), _sum(np.sum([p * np.exp(w + loss) * loss for w, loss in ends], axis=0))
        least = np.where(np.isneginf(mean), -math.inf, np.log(p) + order * mean)
        most = np.log(p) + np.logaddexp(*(np.where(w > -math.inf, w + order * loss, w) for w, loss in ends))
    # unbounded losses beyond the last points are not seen: their contribution must have decayed well before
    edge = np.max(most[:-1][alpha <= max(alpha[0], 1e-200)])
    truncated = order > 1 and math.isinf(curve._max_loss()[1]) and edge > np.max(most) - 40
    slack = 1e-14 / abs(order - 1)
    low, high = (float(np.asarray(logsumexp(terms))) / (order - 1) for terms in (least, most))
    return low - slack, math.inf if truncated else high + slack


def narrowed_renyi(curve: TradeOff, order: float) -> Bounds:
    """Bounds on D_order(Q‖P) of a directed curve: from cells, narrowed by quadrature if kinks are few, points cheap."""
    low, high = enclosed_renyi(curve, order)
    high = min(high, curve.renyi_upper(order))
    value = math.nan if curve.has_kinks or curve.is_costly else renyi_from_curve(curve, order)
    if not low <= value <= high:
        return Bounds(low, high)
    # panels are halved at the few points where slopes jump, until these panels are negligible
    return Bounds(max(low, value * (1 - 2e-7)), min(high, value * (1 + 2e-7)))


def _sum(terms: Floats) -> float:
    return math.fsum(terms[~np.isnan(terms)])  # 0·∞ for outputs that do not occur


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

    return quadrature.adaptive(integrand, edges, tolerance=max(1e-12, 64 * curve.rounding))


def known_renyi(curve: TradeOff, order: float, value: float, relative: float, absolute: float = 0.0) -> Bounds:
    """Bounds on D_order(Q‖P) from a computed value and its error.

    If it overflowed, or cancellation left no digits, single tests bound it from below: by data processing,
    D_order ≥ log(power^order·alpha^(1 − order))/(order − 1) for order > 1.
    """
    if 0 <= value < math.inf:
        return Bounds.around(value, relative, absolute)
    if order >= 1 and curve.infinity_mass().lo > 0:
        return Bounds(math.inf, math.inf)
    if order <= 1:
        return Bounds(0.0, math.inf)
    alpha = np.geomspace(1e-290, 0.5, 300)
    with np.errstate(divide="ignore"):
        power = np.log(curve.power_bounds(alpha, 1 - alpha).lo)
    return Bounds(max(float(np.max(power - np.log(alpha) + power / (order - 1))) * (1 - 1e-12), 0.0), math.inf)
