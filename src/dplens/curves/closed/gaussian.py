"""G_mu: the curve of the Gaussian mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.special import erf, log_ndtr, ndtr

from dplens.curves.base import LEAST, Floats, SymmetricCurve
from dplens.estimate import Certificate
from dplens.numerics import normal
from dplens.numerics.enclosure import Bounds, Enclosure, quotient_ends

_EPS = float(np.finfo(float).eps)
_FAINT = 400 * LEAST  # absolute error of delta from underflow: it is a density times at most 19


@dataclass(frozen=True)
class GaussianCurve(SymmetricCurve):
    """f(alpha) = Φ(Φ⁻¹(1 − alpha) − shift), shift = mu > 0 (Dong, Roth & Su 2022; Kaissis et al.: mu is their psi).

    Claim: exact; symmetric. Rounding: Φ⁻¹ is accurate to 1.4 units, its sum with mu to half a unit, and the steps of Φ
    (x/√2, its square) add one more; an error of the argument x of Φ counts 1 + |x| times in its lower tail. Unless it
    is ``stated``, the shift is a quotient rounded up, towards more risk. The mild end reverses that rounding, or uses
    the lower bound ``least`` on the shift if it is less well known.
    """

    shift: float
    stated: bool = field(default=False, compare=False, repr=False)
    least: float | None = field(default=None, compare=False, repr=False)
    said: Certificate | None = field(default=None, compare=False, repr=False)  # if it represents another curve

    @property
    def _certificate(self) -> Certificate:
        return self.said or super()._certificate

    def __repr__(self) -> str:
        return f"GaussianCurve(shift={self.shift!r}{f', said={self.said!r}' if self.said else ''})"

    @property
    def claimed_tolerance(self) -> float:
        # tails underflow at Φ(−39), where an error of the shift counts 40 times, its relative error 40² times
        apart = self.shift - self._least_shift if self.least is not None else 0.0
        return 2e-12 + 120 * _EPS * self.shift + min(40 * apart + 1600 * (apart / self.shift), 1.0)

    @property
    def _least_shift(self) -> float:
        if self.stated:
            return self.shift
        return quotient_ends(self.shift)[0] if self.least is None else self.least

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        z = normal.quantile(alpha, co)
        return Enclosure(lambda: _reached(z, self._least_shift, -1), lambda: _reached(z, self.shift, +1))

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        z = -normal.quantile(alpha, co)
        return Enclosure(lambda: _reached(z, -self.shift, -1), lambda: _reached(z, -self._least_shift, +1))

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        return Enclosure(  # delta is never zero, though it may underflow
            lambda: np.maximum(_profile(epsilon, self._least_shift, -1) - _FAINT, 0.0),
            lambda: _profile(epsilon, self.shift, +1) + _FAINT,
        )

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        found = super().epsilon_bounds(delta)
        # the true value may exceed the largest float
        return Enclosure(lambda: found.lo, lambda: np.where(found.hi > 1e308, math.inf, found.hi))

    def error_bounds(self, loss: Floats) -> Enclosure:
        def end(shift: float, sign: int) -> Floats:
            if shift == 0:  # it underflowed
                return np.ones_like(loss)
            with np.errstate(over="ignore"):
                x, h = loss / shift, shift / 2
                missed, accused = ndtr(x - h), np.exp(loss + log_ndtr(-x - h))
                # the exponent of the second term is a difference of two large numbers
                slack = missed * _slack(x - h, x) + accused * (_slack(-x - h, x) + _EPS * 2 * np.abs(loss))
            return missed + accused + sign * slack

        return Enclosure(
            lambda: np.minimum(end(self.shift, -1), 1.0),
            lambda: np.minimum(np.nextafter(end(self._least_shift, +1), 1.0), 1.0),
        )

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return -self.shift * (normal.quantile(alpha, co) + self.shift / 2)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        with np.errstate(over="ignore"):
            x = loss / self.shift
        h = self.shift / 2
        return ndtr(-x - h), ndtr(x + h), ndtr(h - x), ndtr(x - h)

    def _max_loss(self) -> tuple[float, float]:
        return math.inf, math.inf

    def _auc(self) -> tuple[float, float]:
        # Φ(mu/√2) = ½ + ½·erf(mu/2)
        low, high = (0.5 + 0.5 * float(erf(shift / 2)) for shift in (self._least_shift, self.shift))
        return (low + high) / 2, (high - low) / 2 + 4 * _EPS

    def _mu(self) -> tuple[float, float]:
        return self._least_shift, quotient_ends(self.shift)[1]

    def _enclose_renyi(self, order: float) -> Bounds:
        low, high = (order / 2 * shift * shift for shift in (self._least_shift, self.shift))
        # products that overflow are only known to be large
        return Bounds(max(min(low, 1e308) * (1 - 1e-15) - LEAST, 0.0), high * (1 + 1e-15) + LEAST)


def _profile(epsilon: Floats, shift: float, sign: int) -> Floats:
    """delta(epsilon), moved up or down by its rounding error."""
    if shift == 0:  # it underflowed
        return np.zeros_like(epsilon)
    with np.errstate(over="ignore"):
        x = np.minimum(epsilon / shift, 1e100)
    a = np.minimum(shift / 2 - x, 0.0)  # the argument of Φ: a difference of numbers that may be larger
    slack = 2e-14 + _EPS * (1.5 * (2 + a * a) + (1 - a) * (x - a) / 2)
    return normal.gaussian_profile(epsilon, shift) * np.maximum(1 + sign * slack, 0.0)


def _reached(z: Floats, shift: float, sign: int) -> Floats:
    """Φ(z + shift) for the quantile z of a rate, moved up or down by its rounding error."""
    return ndtr(z + shift) * np.maximum(1 + sign * _slack(z + shift, z), 0.0)


def _slack(x: Floats, z: Floats) -> Floats:
    """Relative rounding error of Φ(x), where x is the sum of a quantile z and a shift."""
    x, z = np.clip(x, -1e100, 1e100), np.clip(z, -1e100, 1e100)
    with np.errstate(over="ignore", under="ignore"):
        # the condition number: an error of the argument counts |x| times in the lower tail, little in the upper one
        low = (1 + np.abs(np.minimum(x, 1.0))) * np.exp(0.5 - np.maximum(x, 1.0) ** 2 / 2)
        return np.minimum(_EPS * (3 + low * (1.4 * np.abs(z) + 1.5 * np.abs(x))), 1.0)
