"""Coins: the power that a Rényi inequality allows a test.

A test turns a release into a coin with heads for "present", of probability alpha in one world and ``power`` in the
other. Post-processing never increases divergences, so a bound on a Rényi divergence bounds the power at any alpha. With
rise = logit(power) − logit(alpha), the losses of heads and tails differ by exactly ``rise``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dplens.numerics.enclosure import Floats
from dplens.numerics.moments import surplus
from dplens.numerics.roots import sign_change

Bools = npt.NDArray[np.bool_]

TOP = 700.0  # logit of a power still distinct from 1 in floating point


def log_power_odds(
    alpha: Floats, co: Floats, start: Floats, rise: Floats, order: Floats, bound: Floats, forward: Bools
) -> Floats:
    """Logit of the largest power that the binary Rényi inequality allows at alpha, rounded up.

    The inequality is D_order(Q‖P) ≤ bound if ``forward``, else D_order(P‖Q) ≤ bound. Solved by Newton's method from
    ``rise``, checked by the signs on both sides of the result; a bracketing search is used if the check fails.
    """
    end = TOP - start
    rise = np.clip(rise, 1e-300, end)
    for _ in range(12):
        slack = bound - binary_divergence(alpha, co, start, rise, order, forward)
        with np.errstate(all="ignore"):
            step = slack / divergence_slope(start, rise, order, forward)
        step = np.where(np.isfinite(step), np.clip(step, -0.5 * rise, rise), 0.0)
        rise = np.minimum(rise + step, end)
        if (np.abs(step) <= 1e-8 * rise).all():  # convergence is quadratic
            break
    width = 2e-14 * np.minimum(rise, 1.0) + 4e-16 * (np.abs(start) + rise)
    outer = rise + width
    both = np.stack([np.maximum(rise - width, 0.0), outer])
    below, above = binary_divergence(alpha[None], co[None], start, both, order, forward)
    sure = (below <= bound) & (above >= bound)
    if not sure.all():
        rest = ~sure
        columns = [x[rest] for x in (alpha, co, start, end, order, bound)]
        outer[rest] = _searched_rise(*columns, forward=forward[rest])
    return start + outer


def _searched_rise(
    alpha: Floats, co: Floats, start: Floats, end: Floats, order: Floats, bound: Floats, forward: Bools
) -> Floats:
    """The upper end of a bracket of the rise; infinite if even the largest is allowed."""

    def slack(rise: Floats) -> Floats:
        return bound - binary_divergence(alpha, co, start, rise, order, forward)

    free = slack(end) > 0
    if free.all():
        return np.full_like(start, math.inf)
    return np.where(free, math.inf, sign_change(slack, np.zeros_like(start), end)[1])


def divergence_slope(start: Floats, rise: Floats, order: Floats, forward: Bools) -> Floats:
    """Derivative of the binary divergence with respect to ``rise``.

    With w the probability of heads under the law tilted to the order, it is order/(order − 1)·(w − power) forward and
    power − w backward; each difference of logistic values is written as a product.
    """
    with np.errstate(all="ignore"):
        a = order - 1
        power, beta = expit(start + rise), expit(-start - rise)
        share = np.where(a == 0, rise, -np.expm1(-a * rise) / np.where(a == 0, 1.0, a))
        finite = order * expit(start + order * rise) * beta * share
        onward = np.where(np.isinf(order), beta, finite)
        return np.where(forward, onward, power * expit(a * rise - start) * -np.expm1(-order * rise))


def binary_divergence(alpha: Floats, co: Floats, start: Floats, rise: Floats, order: Floats, forward: Bools) -> Floats:
    """D_order between the coins with heads probabilities alpha and power, logit(power) = logit(alpha) + rise.

    With losses l and masses p and q of the outcomes under the reference coin and the other, it is
    log1p((order − 1)·m)/(order − 1) with m = Σ q·expm1((order − 1)·l)/(order − 1) − (q − p), of second order in l and
    smooth at order 1. The formula avoids e^l, which is inaccurate for large l.
    """
    with np.errstate(all="ignore"):
        loss = np.where(forward, 1.0, -1.0) * losses(alpha, co, start, rise)
        absent, present = np.stack([alpha, co]), np.stack([expit(start + rise), expit(-start - rise)])
        p, q = np.where(forward, absent, present), np.where(forward, present, absent)
        a = order - 1
        moment = surplus(p, q, loss, a).sum(axis=0)
        small = a * moment < 1e280
        logs = moment if small.all() else np.logaddexp(*(np.log(p) + order * loss))
        general = np.where(small, np.log1p(a * moment), logs) / a
        finite = np.where(order == 1, moment, general)
        return np.where(np.isinf(order), loss.max(axis=0), finite)


def rough_divergence(alpha: Floats, co: Floats, start: Floats, rise: Floats, order: Floats, forward: Bools) -> Floats:
    """:func:`binary_divergence` in a fraction of the time, to guide searches; small values suffer cancellation.

    With K the cgf of a coin with heads probability alpha and s the order (forward) or 1 − order (backward),
    it is (K(s·rise) − s·K(rise))/(order − 1).
    """
    some = np.clip(order, 1 + 1e-6, 1e12)
    s, log_p, log_co = np.where(forward, some, 1 - some), np.log(alpha), np.log(co)
    plain = np.logaddexp(log_co, log_p + rise)
    value = (np.logaddexp(log_co, log_p + s * rise) - s * plain) / (some - 1)
    if np.any(order != some):
        kl = np.where(forward, expit(start + rise) * rise - plain, plain - alpha * rise)
        value = np.where(order < some, kl, value)
    return np.where(order * rise < 1e-4, order * alpha * co * rise * rise / 2, value)


def losses(alpha: Floats, co: Floats, start: Floats, rise: Floats) -> Floats:
    """Losses of heads and of tails; computed from small differences if the coins are similar."""
    power, beta, near = expit(start + rise), expit(-start - rise), rise < 1
    heads = np.where(near, np.log1p(beta * np.expm1(np.minimum(rise, 1.0))), np.log(power) - np.log(alpha))
    tails = np.where(near, np.log1p(power * np.expm1(-rise)), np.log(beta) - np.log(co))
    return np.stack(np.broadcast_arrays(heads, tails))


def log_slope(log_a: Floats, log_c: Floats, logit: Floats, order: Floats, forward: Bools) -> Floats:
    """Log of d power/d alpha along the constraint, by implicit differentiation of its moment.

    From log alpha and log(1 − alpha). Forward: (a−1)/a·(e^{a·h} − e^{a·t})/(e^{(a−1)·h} − e^{(a−1)·t}) with the losses
    h, t of heads and tails; backward with numerator and denominator exchanged.
    """
    log_t, log_b = -np.logaddexp(0, -logit), -np.logaddexp(0, logit)
    heads, tails = log_t - log_a, log_b - log_c
    high, low = np.where(forward, heads, -tails), np.where(forward, tails, -heads)
    sign = np.where(forward, 1.0, -1.0)
    with np.errstate(all="ignore"):
        a = order - 1
        general = np.log(a / order) + _log_difference(order * high, order * low) - _log_difference(a * high, a * low)
        kl = _log_difference(high, low) - np.log(high - low)
        pure = np.where(heads > -tails, heads, tails)
        return np.where(np.isinf(order), pure, sign * np.where(order == 1, kl, general))


def _log_difference(x: Floats, y: Floats) -> Floats:
    """log(e^x − e^y) for x > y."""
    return x + np.log(-np.expm1(y - x))


def polished(
    alpha: Floats,
    co: Floats,
    start: Floats,
    order: Floats,
    rise: Floats,
    forward: Bools,
    rho: float,
    divergence: Callable[..., Floats],
) -> tuple[Floats, Floats]:
    """Newton's steps to the order at which the zCDP bound is tightest, and to the rise that it allows.

    With a = order − 1, K = a·D the log-moment of the coin and F = D − rho·order, both F and its derivative with respect
    to the order vanish there. An optimum at the end is at order 1, the Kullback–Leibler divergence.
    """
    sign, given = np.where(forward, 1.0, -1.0), order
    excess = divergence(alpha, co, start, rise, order, forward) - rho * order
    for _ in range(15):
        with np.errstate(all="ignore"):
            step = -excess / divergence_slope(start, rise, order, forward)
            moved = np.where(np.isfinite(step), np.clip(step, -0.3 * rise, 0.3 * rise), 0.0)
            rise = rise + moved
            heads, tails = losses(alpha, co, start, rise)
            a, s = order - 1, np.where(forward, order, 1 - order)
            weight, rest = expit(start + s * rise), expit(-start - s * rise)
            excess = divergence(alpha, co, start, rise, order, forward) - rho * order
            # K' − rho·(2·order − 1) = F + a·F', and the same again for F''
            slope = (sign * (weight * heads + rest * tails) - rho * (2 * order - 1) - excess) / a
            bend = (weight * rest * rise * rise - 2 * rho - 2 * slope) / a
            step = np.where(bend < 0, -slope / bend, np.sign(slope))
            ends = (a < 1e-7) | ((a < 0.05) & (a + step < 0))
            step = np.where(np.isfinite(step), np.clip(step, -0.9 * a, 0.5 * a + 1e-3), 0.0)
        order = np.where(ends, 1.0, order + step)
        close = ends | (np.abs(step) <= 1e-5 * a) | (np.abs(moved) <= 1e-9 * rise)  # enough, as the bound is stationary
        if (close & (np.abs(moved) <= 1e-3 * rise) | (start + rise > TOP)).all():
            break
        excess = divergence(alpha, co, start, rise, order, forward) - rho * order
    with np.errstate(all="ignore"):  # if Newton diverged, the initial order is tighter
        before = divergence(alpha, co, start, rise, given, forward) - rho * given
    return np.where(before > excess + 1e-9 * rho * given, given, order), rise
