"""Coins: what a Rényi inequality allows a test to achieve.

A test turns a release into a coin: heads "present" with probability alpha in one world and ``power`` in the other.
Post-processing never raises a divergence, so each bound on a Rényi divergence bounds the power at every alpha. With
rise = logit(power) − logit(alpha), the losses of heads and tails differ by exactly ``rise``.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dplens._numerics.search import sign_change

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

TOP = 700.0  # logit of a power that floats still tell from 1
_SURE = 2e-14  # half-width within which a refined root must show its change of sign


def log_power_odds(
    alpha: Floats, co: Floats, order: Floats, bound: Floats, forward: Bools, guess: Floats | None = None
) -> Floats:
    """logit of the largest power that the binary Rényi inequality allows at alpha (risky end of the bracket).

    D_order(Q‖P) ≤ bound where ``forward``, D_order(P‖Q) ≤ bound elsewhere. ``guess``: logits near the answer.
    """
    start = np.log(alpha) - np.log(co)
    end = TOP - start
    if guess is not None:
        rise, sure = _refined(alpha, co, start, np.clip(guess - start, 1e-300, end), order, bound, forward)
        if sure.all():
            return start + rise
        rest = ~sure
        out = start + rise
        out[rest] = log_power_odds(alpha[rest], co[rest], order[rest], bound[rest], forward[rest])
        return out

    def slack(rise: Floats) -> Floats:
        return bound - binary_divergence(alpha, co, start, rise, order, forward)

    free = slack(end) > 0
    _, outer = sign_change(slack, np.zeros_like(start), end)
    return np.where(free, math.inf, start + outer)


def _refined(
    alpha: Floats, co: Floats, start: Floats, rise: Floats, order: Floats, bound: Floats, forward: Bools
) -> tuple[Floats, Bools]:
    """Newton's steps from a good guess, and where the sign change proves that they arrived."""
    end = TOP - start
    for _ in range(5):
        slack = bound - binary_divergence(alpha, co, start, rise, order, forward)
        with np.errstate(all="ignore"):
            step = slack / divergence_slope(start, rise, order, forward)
        step = np.where(np.isfinite(step), np.clip(step, -0.5 * rise, rise), 0.0)
        rise = np.minimum(rise + step, end)
        if (np.abs(step) <= 1e-15 * rise).all():
            break
    width = _SURE * np.minimum(rise, 1.0) + 4e-16 * (np.abs(start) + rise)
    outer = rise + width
    inside = binary_divergence(alpha, co, start, np.maximum(rise - width, 0.0), order, forward) <= bound
    outside = binary_divergence(alpha, co, start, outer, order, forward) >= bound
    return outer, inside & outside


def divergence_slope(start: Floats, rise: Floats, order: Floats, forward: Bools) -> Floats:
    """Derivative of the binary divergence in ``rise``.

    With w the chance of heads under the law tilted to the order, it is order/(order − 1)·(w − power) forward and
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
    """D_order between the coins with heads alpha and heads power, logit(power) = logit(alpha) + rise.

    With l the losses of the outcomes, p their masses in the reference coin and q those in the other, it is
    log1p((order − 1)·m)/(order − 1) with m = Σ q·expm1((order − 1)·l)/(order − 1) − (q − p), second order in l and
    smooth at order 1. Nothing is multiplied by e^l, which has lost digits when l is large.
    """
    with np.errstate(all="ignore"):
        (p_heads, q_heads, heads), (p_tails, q_tails, tails) = outcomes(alpha, co, start, rise, forward)
        a = order - 1
        moment = _per_excess(p_heads, q_heads, heads, a) + _per_excess(p_tails, q_tails, tails, a)
        small = a * moment < 1e280
        logs = np.logaddexp(np.log(p_heads) + order * heads, np.log(p_tails) + order * tails)
        general = np.where(small, np.log1p(a * moment), logs) / a
        finite = np.where(order == 1, moment, general)
        return np.where(np.isinf(order), np.maximum(heads, tails), finite)


Outcome = tuple[Floats, Floats, Floats]


def outcomes(alpha: Floats, co: Floats, start: Floats, rise: Floats, forward: Bools) -> tuple[Outcome, Outcome]:
    """(mass in the reference coin, mass in the other, loss) of heads and of tails."""
    power, beta = expit(start + rise), expit(-start - rise)
    near = rise < 1  # close together the losses are formed from their small differences
    heads = np.where(near, np.log1p(beta * np.expm1(np.minimum(rise, 1.0))), np.log(power) - np.log(alpha))
    tails = np.where(near, np.log1p(power * np.expm1(-rise)), np.log(beta) - np.log(co))
    sign = np.where(forward, 1.0, -1.0)
    (alpha, power), (co, beta) = (
        (np.where(forward, x, y), np.where(forward, y, x)) for x, y in ((alpha, power), (co, beta))
    )
    return (alpha, power, sign * heads), (co, beta, sign * tails)


def _per_excess(p: Floats, q: Floats, loss: Floats, a: Floats) -> Floats:
    """q·expm1(a·l)/a − (q − p), at a = 0 its limit q·l − (q − p); by series where l is small."""
    near = np.abs(loss) * (1 + a) < 0.02
    if near.all():
        return p * _small_excess(loss, a)
    scaled = np.where(a == 0, loss, np.expm1(a * loss) / np.where(a == 0, 1.0, a))
    plain = np.where(loss < 1, p * (np.exp(np.minimum(loss, 1.0)) * scaled - np.expm1(loss)), q * scaled - (q - p))
    return np.where(near, p * _small_excess(loss, a), plain) if near.any() else plain


def _small_excess(loss: Floats, a: Floats) -> Floats:
    """Σ ((1 + a)^n − 1 − a)/a·loss^n/n!, each bracket (1 + a)·{1 + (1 + a) + … + (1 + a)^{n−2}}."""
    step, series, term = 1 + a, np.zeros_like(loss), loss * loss / 2
    geometric = power = np.ones_like(loss)
    for n in range(2, 10):
        series = series + term * step * geometric
        power = power * step
        geometric = geometric + power
        term = term * loss / (n + 1)
    return series


def log_slope_at(alpha: Floats, co: Floats, logit: Floats, order: Floats, forward: Bools) -> Floats:
    """log of d power/d alpha along the constraint, by implicit differentiation of its moment.

    Forward: (a−1)/a·(e^{a·h} − e^{a·t})/(e^{(a−1)·h} − e^{(a−1)·t}) with h, t the losses of heads and tails;
    backward the same with the roles of numerator and denominator exchanged.
    """
    return log_slope_of(np.log(alpha), np.log(co), logit, order, forward)


def log_slope_of(log_a: Floats, log_c: Floats, logit: Floats, order: Floats, forward: Bools) -> Floats:
    """The same from log alpha and log(1 − alpha)."""
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
