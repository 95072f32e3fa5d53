"""What a Rényi inequality leaves to alphas that are next to nothing or no floats at all, from their logarithms."""

from __future__ import annotations

import math

import numpy as np

from dplens._numerics.search import sign_change
from dplens.curves.base import Floats


def log_rest(log_share: Floats) -> Floats:
    """log(1 − share), −infinity where the share is 1 or more."""
    with np.errstate(divide="ignore"):
        return np.log(-np.expm1(np.minimum(log_share, 0.0)))


def allowed(log_alpha: Floats, log_power: Floats, order: Floats, bound: Floats) -> Floats:
    """The largest log power that the forward inequality leaves for a tiny alpha, put in terms of itself.

    power^a ≤ alpha^{a−1}·{e^{(a−1)·bound} − (1 − power)^a}: put in on the right, a power that is too large gives one
    that still is.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        spare = (order - 1) * bound
        log_beta = np.log(-np.expm1(log_power))
        found = (1 - 1 / order) * log_alpha + (spare + np.log(-np.expm1(order * log_beta - spare))) / order
    return np.where(np.isnan(found), math.inf, found)


def largest_power(log_alpha: Floats, order: Floats, bound: Floats) -> Floats:
    """The log power at which an order's forward inequality is met, for a tiny alpha; no less than the truth."""
    pure, alone = np.isinf(order), order == 1
    a = np.where(pure | alone, 2.0, order)

    def spare(log_power: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            log_beta = np.log(-np.expm1(log_power))
            # Kullback–Leibler: power·log(power/alpha) + beta·log beta ≤ bound
            beta_part = np.where(log_power < 0, -np.expm1(log_power) * log_beta, 0.0)
            kl = bound - np.exp(log_power) * (log_power - log_alpha) - beta_part
            other = allowed(log_alpha, log_power, a, bound) - log_power
        return np.where(alone, kl, other)

    with np.errstate(divide="ignore"):
        least = np.where(
            alone,
            np.log(bound) - np.log(-log_alpha) - 1,
            allowed(log_alpha, np.full_like(log_alpha, -math.inf), a, bound),
        )
        least = np.minimum(least, 0.0)
    none = np.zeros_like(log_alpha)
    free = (least >= 0) | (spare(none) > 0)
    _, found = sign_change(spare, np.where(free, -1.0, least - 1e-9 * (1 + np.abs(least))), none)
    found = np.where(free, 0.0, found)
    return np.where(pure, np.minimum(log_alpha + bound, 0.0), found)
