"""Rényi divergences of two-sided exponential noise, continuous (Laplace) or on the integers (geometric)."""

from __future__ import annotations

import math

import numpy as np

from dplens.numerics.moments import divergence
from dplens.numerics.quadrature import unit_nodes


def exponential_divergence(epsilon0: float, order: float, steps: float = math.inf) -> float:
    """D_order between the noise and its shift, ``epsilon0`` = shift/scale.

    ``steps``: the shift, for noise on the integers. Small divergences, for which the closed form loses digits, are then
    those of Laplace noise, with a relative error of at most 5/steps² (too large).
    """
    e, h = epsilon0, order - 1
    if order < 0.5:  # the worlds are mirror images: (1 − a)·D_a = a·D_{1−a}
        return order / (1 - order) * exponential_divergence(e, 1 - order, steps)
    return _by_nodes(e, order) if e < 1 and h * e < 2 else _closed(e, h, steps)


def _closed(e: float, h: float, steps: float) -> float:
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
