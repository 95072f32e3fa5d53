"""Rényi divergences as sums of nonnegative terms, accurate near order 1 and for similar laws."""

from __future__ import annotations

import math

import numpy as np

from dplens.numerics.enclosure import Floats
from dplens.numerics.quadrature import unit_nodes

_SINH = [1 / math.factorial(n) for n in range(15, 1, -2)]  # of (sinh(y) − y)/y³ in powers of y²


def divergence(p: Floats, q: Floats, loss: Floats, order: float) -> float:
    """D_order(Q‖P) of finite laws; ``loss`` = log q/p is infinite at outcomes of one world only.

    Masses may have underflowed to 0 where the loss is finite. Below order ½ the worlds are exchanged:
    (1 − a)·D_a(Q‖P) = a·D_{1−a}(P‖Q), and 1 − (1 − a) is exact.
    """
    if order < 0.5:
        return _log_moment(q, p, -loss, -order) / (order - 1)
    if order >= 1 and q[np.isposinf(loss)].any():
        return math.inf
    if order == 1:
        shared = np.isfinite(loss)
        return _total(surplus(p[shared], q[shared], loss[shared], 0.0)) + _total(p[~shared])
    return _log_moment(p, q, loss, order - 1) / (order - 1)


def _total(terms: Floats) -> float:
    return float(np.sum(terms)) if len(terms) > 10_000 else math.fsum(terms)


def _log_moment(p: Floats, q: Floats, loss: Floats, h: float) -> float:
    """log Σ q·e^{h·loss} over the outcomes possible in both worlds, for h ≥ −½."""
    shared = np.isfinite(loss)
    only_p, only_q = (_total(x[~shared]) for x in (p, q))
    p, q, loss = p[shared], q[shared], loss[shared]
    with np.errstate(divide="ignore", over="ignore"):  # products that overflow are infinite or nearly so
        exponent = np.where(q > 0, np.log(q), np.log(p) + loss) + h * loss
    top = float(np.max(exponent, initial=-math.inf))
    if math.isinf(top):
        return top
    total = top + math.log(_total(np.exp(exponent - top)))
    if abs(total) > 0.5:  # a plain sum is accurate
        return total
    return math.log1p(h * _total(surplus(p, q, loss, h)) - unshared(only_p, only_q, h))


def unshared(only_p: float, only_q: float, h: float) -> float:
    """The contribution to the moment of outcomes possible in one world only."""
    return (1 + h) * only_q - h * only_p


def surplus(p: Floats, q: Floats, loss: Floats, h: Floats | float) -> Floats:
    """q·expm1(h·l)/h + p − q (q·l + p − q at h = 0), for finite losses and h > −1: never negative.

    As Σ q = Σ p, h times their sum is the moment Σ q·e^{h·l} minus 1. Each is of second order in l; for h ≥ −½
    none is a difference of much larger numbers once the first-order terms are dropped.
    """
    growth, zero = h * loss, np.equal(h, 0.0)
    near = (np.abs(loss) < 1) & (growth < 30)
    small = np.where(near, loss, 0.0)
    curved = q * (_beyond_linear(h * small) / np.where(zero, 1.0, h) + _beyond_linear(-small))
    if near.all():
        return curved
    with np.errstate(all="ignore"):
        # terms that would overflow have a small mass
        large = np.exp(growth + np.where(q > 0, np.log(q), np.log(p) + loss)) - q
        gain = np.where(growth < 30, q * np.expm1(np.minimum(growth, 30.0)), large) / np.where(zero, 1.0, h)
        gain = np.where(zero, np.where(q > 0, q * loss, 0.0), gain)
        moved = np.where(loss < 0, -p * np.expm1(loss), q * np.expm1(-loss))
    return np.where(near, curved, gain + moved)


def _beyond_linear(x: Floats) -> Floats:
    """e^x − 1 − x; for small x as 2·{expm1(y)·sinh(y) + (sinh(y) − y)} with y = x/2."""
    near = np.abs(x) < 1
    y = np.where(near, x / 2, 0.0)
    square, series = y * y, np.zeros_like(y)
    for coefficient in _SINH:
        series = series * square + coefficient
    found = 2 * (np.expm1(y) * np.sinh(y) + y * square * series)
    if near.all():
        return found
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(near, found, np.expm1(x) - x)


def exponential_divergence(epsilon0: float, order: float, steps: float = math.inf) -> float:
    """D_order between two-sided exponential noise (Laplace, geometric) and its shift, ``epsilon0`` = shift/scale.

    ``steps``: the shift, for noise on the integers. Small divergences, for which the closed form loses digits, are then
    those of Laplace noise, with a relative error of at most 5/steps² (too large).
    """
    e, h = epsilon0, order - 1
    if order < 0.5:  # the worlds are mirror images: (1 − a)·D_a = a·D_{1−a}
        return order / (1 - order) * exponential_divergence(e, 1 - order, steps)
    return _by_nodes(e, order) if e < 1 and h * e < 2 else _in_closed_form(e, h, steps)


def _in_closed_form(e: float, h: float, steps: float) -> float:
    """e + log1p(−h·s)/h, s = (1 − tanh w0/tanh w)·(1 − e^{−2u})/(2h), where h = order − 1.

    With v = e/2, u = (order − ½)·e, and both divided by the steps (w0, w), the moment is
    e^{−v}·{cosh u + tanh w0/tanh w·sinh u}; in the continuous case the quotient is v/u.
    """
    lean = 0.5 + h
    u, d = lean * e, e / steps
    if d == 0:  # 1 − v/u = h/(a − ½)
        share = -math.expm1(-2 * u) / (2 * lean) if u > 0 else e
    else:
        # 1 − tanh w0/tanh w = sinh(h·d)/(cosh w0·sinh w), where w = u/steps and w0 = d/2
        damped = math.exp(max(-2 * h * d, 0.0) - d) / (1 + math.exp(-d))
        waves = math.expm1(-2 * u) / math.expm1(-2 * lean * d) if lean > 0 else steps
        decay = 2 * abs(h) * d
        share = damped * 2 * d * (-math.expm1(-decay) / decay if decay > 0 else 1.0) * waves
    return e - share if h == 0 else e + math.log1p(-h * share) / h


def _by_nodes(e: float, order: float) -> float:
    """From the law of the loss: atoms at both ends, and the density e^{−(loss + e)/2}/4 between them."""
    x, weight = unit_nodes(24)
    loss = np.concatenate([[-e], e * (2 * x - 1), [e]])
    p = np.concatenate([[0.5], weight * e / 2, [0.5]]) * np.exp(-(loss + e) / 2)
    return divergence(p, p * np.exp(loss), loss, order)
