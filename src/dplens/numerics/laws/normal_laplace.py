"""The sum of a normal and a Laplace variable: vectorised tails and quantiles, in logarithms."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr, ndtri

from dplens._validate import Floats
from dplens.numerics.laws.base import Law
from dplens.numerics.normal import log_density, mills
from dplens.numerics.roots import sign_change

EPS = float(np.finfo(float).eps)
_FAR = 5.0  # this far beyond s²/b, in units of s, only the Laplace part matters


def log_upper(x: Floats, s: Floats | float, b: Floats | float) -> Floats:
    """log P(S + L > x) for S ~ N(0, s²) and Laplace L of scale b, with relative accuracy of the tail at any x.

    With z = x/s, c = s/b and Mills' ratio m: for z ≥ 0 the tail is φ(z)·{m(z) − m(c + z)/2 + m(c − z)/2}. The first
    two terms sum to at least half of the first, since m decreases; m(c − z) is computed in logs if it overflows. This
    is Φ(−z) + ½e^{c²/2}{e^{−x/b}Φ(z − c) − e^{x/b}Φ(−z − c)} (Reed & Jorgensen 2004), with φ(z) factored out.
    """
    x, s, b = np.broadcast_arrays(np.asarray(x, float), np.asarray(s, float), np.asarray(b, float))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore", under="ignore"):
        z, c = np.abs(x) / s, s / b
        own = log_density(z) + np.log(mills(z) - 0.5 * mills(c + z))
        near = log_density(z) + np.log(0.5 * mills(np.maximum(c - z, -_FAR)))
        far = c * (c / 2 - z) + log_ndtr(z - c) - math.log(2)
        tail = np.logaddexp(own, np.where(c - z > -_FAR, near, far))
    tail = np.minimum(tail, -math.log(2))
    return np.where(x >= 0, tail, np.log1p(-np.exp(tail)))


def slack(x: Floats, s: Floats | float, b: Floats | float = 0.0) -> Floats:
    """A bound on the relative rounding error of such a tail; b = 0: of a normal tail.

    The point z = x/s is rounded, and the hazard of the sum, in units of s, is at most that of the normal part, z + 1;
    from c + 5 on, c = s/b, it is c up to 1e-5. Exponents of size z², or z·c from there on, are rounded. For x < 0
    the tail is 1 minus that of |x|: the same error times that tail, and z²·tail stays below 16 up to c + 5.
    """
    with np.errstate(divide="ignore", over="ignore"):
        z = np.minimum(np.abs(np.asarray(x, float)) / s, 1e100)
        c = np.divide(s, b)
    size = z * np.where(z <= c + _FAR, z, c)
    return 8 * EPS * (4 + np.where(np.asarray(x) < 0, np.minimum(size, 16.0), size))


def upper_quantile(level: Floats | float, s: Floats | float, b: Floats | float) -> Floats:
    """The smallest x with P(S + L > x) ≤ level, rounded up so that the level holds."""
    level, s, b = np.broadcast_arrays(np.asarray(level, float), np.asarray(s, float), np.asarray(b, float))
    shape = level.shape
    level, s, b = (np.ravel(v).astype(float) for v in (level, s, b))
    tail = np.minimum(level, 1 - level)
    # one of the two variables must exceed half of x
    reach = 2 * np.maximum(-s * ndtri(tail / 2), b * np.abs(np.log(tail))) + s + b
    log_level = np.log(level)

    def excess(x: Floats) -> Floats:
        return log_upper(x, s, b) + slack(x, s, b) - log_level

    start = np.where(level < 0.5, -EPS * (s + b), -reach)
    end = np.where(level < 0.5, reach, 1e-12 * (s + b))
    _, right = sign_change(excess, start, end, width=2e-15)
    return right.reshape(shape)


@dataclass(frozen=True)
class NormalLaplaceLaw(Law):
    """N(0, sd²) + Lap(scale): log-concave, as a convolution of log-concave laws.

    With z = x/sd and h = sd/scale, the density is (L₊ + L₋)/(2·scale), log L± = h²/2 ∓ x/scale + log Φ(±z − h) (Reed &
    Jorgensen 2004; Fondeville §4).
    """

    sd: float
    scale: float

    def logpdf(self, x: Floats) -> Floats:
        x = np.clip(x, -1e300, 1e300)
        z, h = x / self.sd, self.sd / self.scale
        parts = h * h / 2 - x / self.scale + log_ndtr(z - h), h * h / 2 + x / self.scale + log_ndtr(-z - h)
        return np.logaddexp(*parts) - math.log(2 * self.scale)

    def sf(self, x: Floats) -> Floats:
        return np.exp(log_upper(x, self.sd, self.scale))

    def cdf(self, x: Floats) -> Floats:
        return self.sf(-x)

    def isf(self, p: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.where(p > 0, upper_quantile(np.clip(p, 1e-320, 1 - 1e-16), self.sd, self.scale), np.inf)

    def ppf(self, p: Floats) -> Floats:
        return -self.isf(p)
