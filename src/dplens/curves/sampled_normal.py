"""Rényi divergences of a Poisson-sampled Gaussian step, at any order."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit, logsumexp

from dplens._numerics.moments import divergence
from dplens.curves.base import Floats

_MOST = 2_000_000  # points of a sum
_DIGITS = 40.0  # the sum is wrong by e^−40 of itself
_REACH = 12.0  # standard deviations beyond which nothing is left


def sampled_normal_divergence(mu: float, rate: float, order: float, forward: bool) -> float | None:
    """D_order of (1 − rate)·N(0, 1) + rate·N(mu, 1) from N(0, 1) if forward, else the other way; None if too long.

    E e^{c·l} under N(0, 1), l = log(1 − rate + rate·e^{mu·x − mu²/2}), by the trapezoidal rule in x, with c = order
    forward and 1 − order backward. The integrand is analytic where |Im x| < π/mu. On the line Im x = d it is at most
    e^{d²/2} times what it is on the axis if c ≥ 0, as |1 − rate + rate·e^{s + it}| is largest at t = 0; if c < 0 at
    most cos(mu·d/2)^c times that. So a step of 2πd/(42 + d²/2) leaves less than e^−40 (Trefethen & Weideman 2014,
    Theorem 5.1).
    """
    x = _nodes(mu, rate, order if forward else 1 - order)
    if x is None:
        return None
    step = x[1] - x[0]
    loss = thinned(mu * x - mu * mu / 2, rate)
    log_p = -x * x / 2 + math.log(step) - 0.5 * math.log(2 * math.pi)
    if order > 1:
        moment = float(np.asarray(logsumexp(log_p + (order if forward else 1 - order) * loss)))
        if abs(moment) > 0.5:
            return moment / (order - 1)
    p, q = np.exp(log_p), np.exp(log_p + loss)
    return divergence(p, q, loss, order) if forward else divergence(q, p, -loss, order)


def _nodes(mu: float, rate: float, power: float) -> Floats | None:
    """Where the integrand and both laws have their mass, so densely that the rule is exact."""
    low, high, depth = 0.0, max(power, 1.0) * mu, min(3.0 / mu, 6.0)
    if power < 0:
        low, high = _peak(mu, rate, power), mu
        depth = min(math.pi / 2 / mu, math.sqrt(8 / -power) / mu, 6.0)
    step = 2 * math.pi * depth / (_DIGITS + 2 + depth * depth / 2)
    count = (high - low + 2 * _REACH) / step if step > 0 else math.inf
    return low - _REACH + step * np.arange(math.ceil(count) + 1, dtype=np.float64) if count <= _MOST else None


def _peak(mu: float, rate: float, power: float) -> float:
    """Where the exponent power·l − x²/2 is largest, for power < 0: it is concave, and the place is negative."""
    low, high = power * mu, 0.0
    for _ in range(60):
        x = (low + high) / 2
        share = float(expit(math.log(rate) - math.log1p(-rate) + mu * x - mu * mu / 2))
        low, high = (x, high) if power * mu * share > x else (low, x)
    return low


def thinned(loss: Floats, rate: float) -> Floats:
    """log(1 − rate + rate·e^loss), with relative accuracy near 0 and without overflow."""
    large = loss > 30
    if rate <= 0.5 and not large.any():
        return np.log1p(rate * np.expm1(loss))
    moved = rate * np.expm1(np.where(large, 0.0, loss))
    near = np.log1p(moved)
    if rate > 0.5:  # next to −1 digits would cancel; 1 − rate is exact
        near = np.where(moved < -0.5, np.log((1 - rate) + rate * np.exp(np.minimum(loss, 0.0))), near)
    return np.where(
        large, loss + math.log(rate) + np.log1p((1 - rate) / rate * np.exp(-np.where(large, loss, 1.0))), near
    )
