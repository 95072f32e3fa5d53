"""Searches for sign changes, and for the border of a condition."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dplens.numerics.enclosure import Floats

Function = Callable[[Floats], Floats]

_EPS = float(np.finfo(float).eps)


def sign_change(
    function: Function,
    low: Floats,
    high: Floats,
    *,
    width: float = 4 * _EPS,
    floor: Floats | float = 0.0,
    limit: int = 200,
) -> tuple[Floats, Floats]:
    """Shrink each bracket [low, high] with function(low) > 0 ≥ function(high) to relative ``width``.

    Returns both ends, which keep their signs, so that the caller can choose the safe side. Steps are
    inverse quadratic interpolations if sound and bisections otherwise (Chandrupatla 1997), with at most
    about ``limit`` calls. ``floor`` is an absolute width that also suffices.
    """
    a, b = np.array(low, dtype=float), np.array(high, dtype=float)
    fa, fb = function(a), function(b)
    c, fc = a.copy(), fa.copy()  # the third point: the end replaced last
    step = np.full_like(a, 0.5)
    # b is the newest point, (a, b) always is a bracket, and the sign of fa shows which end is positive.
    for _ in range(limit):
        span = np.abs(b - a)
        scale = np.maximum(np.abs(a), np.abs(b))
        enough = np.maximum(width * scale, floor)
        active = (span > enough) & (fa != fb)
        if not active.any():
            break
        t = np.clip(step, 0.5 * enough / np.where(span > 0, span, 1.0), 1.0)
        t = np.minimum(t, 1 - 0.5 * enough / np.where(span > 0, span, 1.0))
        x = np.where(active, a + t * (b - a), a)
        stuck = active & ((x == a) | (x == b))
        active &= ~stuck
        if not active.any():
            break
        fx = function(x)
        same = (fx > 0) == (fa > 0)
        # same sign as a: x replaces a, and the old a becomes the third point; otherwise a becomes the far end.
        c_new = np.where(same, a, b)
        fc_new = np.where(same, fa, fb)
        b_new = np.where(same, b, a)
        fb_new = np.where(same, fb, fa)
        a, fa = np.where(active, x, a), np.where(active, fx, fa)
        b, fb = np.where(active, b_new, b), np.where(active, fb_new, fb)
        c, fc = np.where(active, c_new, c), np.where(active, fc_new, fc)
        step = _inverse_quadratic(a, b, c, fa, fb, fc)
    positive = fa > 0
    return np.where(positive, a, b), np.where(positive, b, a)


def _inverse_quadratic(a: Floats, b: Floats, c: Floats, fa: Floats, fb: Floats, fc: Floats) -> Floats:
    """Chandrupatla's step as a fraction of the bracket; one half if interpolation is not sound."""
    with np.errstate(all="ignore"):
        xi = (a - b) / (c - b)
        phi = (fa - fb) / (fc - fb)
        sound = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
        t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
    return np.where(sound & np.isfinite(t), t, 0.5)


def boundary(holds: Callable[[float], bool], inside: float, outside: float, width: float = 1e-13) -> float:
    """The last number from ``inside``, where ``holds`` is true, towards ``outside``, where it is false."""
    for _ in range(200):
        middle = inside + (outside - inside) / 2
        if middle in (inside, outside) or abs(outside - inside) <= width * max(abs(inside), abs(outside)):
            break
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def crossing(excess: Callable[[float], float], inside: float, outside: float, width: float = 1e-12) -> float:
    """Like ``boundary`` for a continuous excess, positive inside and negative outside, in fewer steps."""
    if excess(inside) <= 0:
        return inside
    found, _ = sign_change(
        lambda x: np.array([excess(float(v)) for v in x]), np.array([inside]), np.array([outside]), width=width
    )
    return float(found[0])
