"""Normal tails with full relative accuracy."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import erfcx, erfinv, log_ndtr, ndtr, ndtri, ndtri_exp

from dplens.numerics.enclosure import Floats
from dplens.numerics.quadrature import unit_nodes

_SQRT2 = math.sqrt(2)


def quantile(p: Floats, co: Floats) -> Floats:
    """Φ⁻¹(p) from p and its complement, accurate in both tails with one call of ``ndtri``."""
    z = ndtri(np.minimum(p, co))
    return np.where(p <= co, z, -z)


def mills(x: Floats) -> Floats:
    """Mills' ratio Φ(−x)/φ(x); overflows to infinity for x below −38."""
    return math.sqrt(math.pi / 2) * erfcx(x / _SQRT2)


def mills_drop(x: Floats, width: Floats | float) -> Floats:
    """mills(x) − mills(x + width) for width > 0 without cancellation.

    −mills'(x) = 1 − x·mills(x) is smooth: short intervals are integrated, long ones differenced.
    """
    width = np.broadcast_to(np.asarray(width, float), x.shape)
    out = mills(x) - mills(x + width)
    short = width < 0.5
    if short.any():
        nodes, weights = unit_nodes(12)
        y = x[short][:, None] + width[short][:, None] * nodes
        out[short] = width[short] * ((1 - y * mills(y)) @ weights)
    return out


def pure_mu(epsilon: float) -> float:
    """−2Φ⁻¹(1/(1 + e^epsilon)), computed by the inverse that keeps its digits."""
    if epsilon < 2:
        return 2 * _SQRT2 * float(erfinv(math.tanh(epsilon / 2)))
    return -2 * float(ndtri(1 / (1 + math.exp(epsilon))) if epsilon < 690 else ndtri_exp(-epsilon))


def log_density(x: Floats) -> Floats:
    """log φ(x)."""
    with np.errstate(over="ignore"):
        return -0.5 * x * x - 0.5 * math.log(2 * math.pi)


def gaussian_profile(epsilon: Floats, mu: Floats | float) -> Floats:
    """delta(eps) = Φ(a) − e^eps·Φ(a − mu), a = mu/2 − eps/mu, with relative accuracy for any size.

    As e^eps·φ(a − mu) = φ(a), it equals φ(a)·{mills(−a) − mills(mu − a)} (Balle & Wang 2018, Theorem 5).
    """
    with np.errstate(over="ignore"):  # eps/mu beyond the largest float: delta is 0
        a = mu / 2 - epsilon / mu
    mu = np.broadcast_to(np.asarray(mu, float), a.shape)
    out = np.zeros_like(a)
    # The Mills form is used in the tail and for small mu; for a > 2 the two terms differ enough.
    tail = (a < 2) & np.isfinite(a)
    out[tail] = np.exp(log_density(a[tail])) * mills_drop(-a[tail], mu[tail])
    body = (a >= 2) & (mu >= a)  # e^eps may overflow while the tail underflows: keep them together
    out[body] = ndtr(a[body]) - np.exp(log_density(a[body])) * mills(mu[body] - a[body])
    body = (a >= 2) & (mu < a)
    out[body] = ndtr(a[body]) - np.exp(epsilon[body] + log_ndtr(a[body] - mu[body]))
    return out
