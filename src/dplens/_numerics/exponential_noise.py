"""Rényi divergences of two-sided exponential noise, continuous (Laplace) or on whole numbers (geometric)."""

from __future__ import annotations

import math

FEW = 64  # steps up to which a sum over all outcomes is as quick as the closed form


def exponential_divergence(epsilon0: float, order: float, steps: float = math.inf) -> float:
    """D_order between the noise and its shift, ``epsilon0`` = shift/scale.

    ``steps``: the shift, more than FEW, where the noise is on whole numbers.
    With v = eps0/2, u = (a − ½)·eps0, and both divided by the steps (w0, w), the moment is
    e^{−v}·{cosh u + tanh w0/tanh w·sinh u}, where v/u stands for the quotient in the continuous case. It is 1 at u = v;
    h = a − 1 is divided out before anything cancels.
    """
    e = epsilon0
    if order < 0.5:  # the worlds are mirror images: (1 − a)·D_a = a·D_{1−a}
        return order / (1 - order) * _divergence(e, -order, steps)
    return _divergence(e, order - 1, steps)


def _divergence(e: float, h: float, steps: float) -> float:
    return _from_logarithm(e, h, steps) if e >= 1 or h * e >= 2 else _from_series(e, h, steps)


def _from_logarithm(e: float, h: float, steps: float) -> float:
    """e + log1p(−h·s)/h, s = (1 − tanh w0/tanh w)·(1 − e^{−2u})/(2h): the moment is e^{h·e} at most."""
    lean = 0.5 + h
    u, d = lean * e, e / steps
    if d == 0:  # 1 − v/u = h/(a − ½)
        share = -math.expm1(-2 * u) / (2 * lean) if u > 0 else e
    else:
        # 1 − tanh w0/tanh w = sinh(h·d)/(cosh w0·sinh w), where w = u/steps and w0 = d/2
        damped = math.exp(max(-2 * h * d, 0.0) - d) / (1 + math.exp(-d))
        waves = math.expm1(-2 * u) / math.expm1(-2 * lean * d) if lean > 0 else steps
        share = damped * 2 * d * _mean_decay(2 * abs(h) * d) * waves
    return e - share if h == 0 else e + math.log1p(-h * share) / h


def _from_series(e: float, h: float, steps: float) -> float:
    """log1p(h·x)/h, x the sum of positive terms that the moment minus 1, over h, consists of."""
    a, v, u = 1 + h, e / 2, (0.5 + h) * e
    # (sinhc u − sinhc v)/h by the series of sinhc: u² − v² = a·h·e²
    total, power, factorial = 0.0, 1.0, 1.0
    for k in range(1, 20):
        factorial *= 2 * k * (2 * k + 1)
        total += power / factorial
        power = power * u * u + (v * v) ** k
    gap = a * e * e * total
    # the same of w·coth w, of which w0·coth w0 is divided out; w and w0 are small, as the steps are many
    d = e / steps
    w2, v2 = (u / steps) ** 2, (v / steps) ** 2
    wave, start = (1 + x / 3 - x * x / 45 + 2 * x**3 / 945 for x in (w2, v2))
    bend = a * d * d * (1 / 3 - (w2 + v2) / 45 + 2 * (w2 * w2 + w2 * v2 + v2 * v2) / 945)
    rest = (gap * wave + _sinhc(v) * bend) / start
    x = math.exp(-v) * (math.sinh(a * e / 2) * e * _sinhc(h * e / 2) + v * rest)
    return x if h == 0 else math.log1p(h * x) / h


def _mean_decay(x: float) -> float:
    """(1 − e^−x)/x."""
    return -math.expm1(-x) / x if x > 0 else 1.0


def _sinhc(x: float) -> float:
    return math.sinh(x) / x if abs(x) > 1e-5 else 1 + x * x / 6
