"""log E_P[e^{order·l}] of a discrete law, without the cancellation that small losses invite."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def log_moment(p: Floats, loss: Floats, order: float) -> float:
    """log Σ p·e^{order·loss}, for losses with Σ p·e^loss = 1, |loss| finite and p > 0.

    Where the sum is near 1 it is formed as 1 + Σ p·{expm1(order·l) − order·expm1(l)}: the subtracted terms
    add up to 0, and each bracket is of second order in l.
    """
    exponent = order * loss + np.log(p)
    top = float(np.max(exponent))
    total = top + math.log(math.fsum(np.exp(exponent - top)))
    if abs(total) > 0.5 or np.max(np.abs(loss)) > 30:
        return total
    return math.log1p(math.fsum(p * excess_moment(loss, order)))


def excess_moment(loss: Floats, order: float) -> Floats:
    """expm1(order·l) − order·expm1(l), which is of second order in l."""
    plain = np.expm1(order * loss) - order * np.expm1(loss)
    small = np.abs(loss) * max(order, 1.0) < 0.05
    if not small.any():
        return plain
    near = np.where(small, loss, 0.0)
    series = np.zeros_like(loss)
    for n in range(11, 1, -1):
        series += (order**n - order) * near**n / math.factorial(n)
    return np.where(small, series, plain)


def mean_loss(q: Floats, loss: Floats) -> float:
    """Σ q·loss for losses with Σ q·e^{−loss} = 1 (Kullback–Leibler), as Σ q·{loss + expm1(−loss)}."""
    return math.fsum(q * excess_of_mean(loss))


def excess_of_mean(loss: Floats) -> Floats:
    """l + expm1(−l), which is of second order in l."""
    with np.errstate(over="ignore"):
        plain = loss + np.expm1(-loss)
    small = np.clip(loss, -0.05, 0.05)
    series = np.zeros_like(loss)
    for n in range(11, 1, -1):
        series += (-small) ** n / math.factorial(n)
    return np.where(np.abs(loss) < 0.05, series, plain)
