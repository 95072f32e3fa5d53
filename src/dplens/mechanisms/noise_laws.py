"""The noise laws of the named mechanisms, computed from special functions."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, ndtr, ndtri, stdtr, stdtrit

from dplens.curves.base import Floats
from dplens.numerics import normal
from dplens.numerics.laws.base import Law


@dataclass(frozen=True)
class NormalLaw(Law):
    """N(0, sigma²)."""

    sigma: float

    def logpdf(self, x: Floats) -> Floats:
        return normal.log_density(x / self.sigma) - math.log(self.sigma)

    def cdf(self, x: Floats) -> Floats:
        return ndtr(x / self.sigma)

    def sf(self, x: Floats) -> Floats:
        return ndtr(-x / self.sigma)

    def ppf(self, p: Floats) -> Floats:
        return self.sigma * ndtri(p)

    def isf(self, p: Floats) -> Floats:
        return -self.sigma * ndtri(p)

    def log_ratio(self, x: Floats, by: float) -> Floats:
        shift = by / self.sigma
        with np.errstate(over="ignore"):
            return shift * (x / self.sigma - shift / 2)


class _SymmetricLaw(Law):
    """A law symmetric about 0, given by its upper tail and the inverse of the tail."""

    @abstractmethod
    def _tail(self, x: Floats) -> Floats:
        """P(X > x) for x ≥ 0."""

    @abstractmethod
    def _tail_inverse(self, p: Floats) -> Floats:
        """x ≥ 0 with P(X > x) = p, for p ≤ ½."""

    def sf(self, x: Floats) -> Floats:
        tail = self._tail(np.abs(x))
        return np.where(x >= 0, tail, 1 - tail)

    def cdf(self, x: Floats) -> Floats:
        return self.sf(-x)

    def isf(self, p: Floats) -> Floats:
        x = self._tail_inverse(np.minimum(p, 1 - p))
        return np.where(p <= 0.5, x, -x)

    def ppf(self, p: Floats) -> Floats:
        return -self.isf(p)


def laplace_loss(offset: Floats, shift: Floats | float, scale: float) -> Floats:
    """(|y| − |y − shift|)/scale: linear between 0 and the shift, constant outside."""
    half = np.abs(shift) / 2
    return 2 * np.clip(np.sign(shift) * (offset - np.asarray(shift) / 2), -half, half) / scale


@dataclass(frozen=True)
class LaplaceLaw(_SymmetricLaw):
    """Density e^{−|x|/scale}/(2·scale)."""

    scale: float

    def kinks(self) -> Floats:
        return np.zeros(1)

    def logpdf(self, x: Floats) -> Floats:
        return -np.abs(x) / self.scale - math.log(2 * self.scale)

    def log_ratio(self, x: Floats, by: float) -> Floats:
        return laplace_loss(x, by, self.scale)

    def _tail(self, x: Floats) -> Floats:
        return 0.5 * np.exp(-x / self.scale)

    def _tail_inverse(self, p: Floats) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):
            return -self.scale * np.log(2 * p)


@dataclass(frozen=True)
class StudentLaw(_SymmetricLaw):
    """Student's t with df degrees of freedom, times scale; df = 1 is the Cauchy law."""

    df: float
    scale: float

    def logpdf(self, x: Floats) -> Floats:
        half = (self.df + 1) / 2
        constant = gammaln(half) - gammaln(self.df / 2) - 0.5 * math.log(self.df * math.pi) - math.log(self.scale)
        # log(1 + x²/df)/2 = log hypot(1, x/√df), which does not overflow
        return constant - 2 * half * np.log(np.hypot(1.0, x / (self.scale * math.sqrt(self.df))))

    def log_ratio(self, x: Floats, by: float) -> Floats:
        """−(df + 1)/2·log{(1 + z'²)/(1 + z²)}, z' = z − d, computed from d·(d − 2z)/(1 + z²)."""
        unit = self.scale * math.sqrt(self.df)
        z, d = x / unit, by / unit
        far = np.hypot(1.0, z)
        change = (d / far) * ((d - 2 * z) / far)
        # near the centre of the shifted law this argument is close to −1, and the plain quotient is more accurate
        plain = 2 * np.log(np.hypot(1.0, z - d) / far)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return -(self.df + 1) / 2 * np.where(change > -0.5, np.log1p(change), plain)

    def _tail(self, x: Floats) -> Floats:
        if self.df == 1:
            return np.arctan2(1.0, x / self.scale) / math.pi
        return stdtr(self.df, -x / self.scale)

    def _tail_inverse(self, p: Floats) -> Floats:
        if self.df == 1:
            with np.errstate(divide="ignore"):
                return self.scale / np.tan(math.pi * p)
        return -self.scale * stdtrit(self.df, p)


@dataclass(frozen=True, eq=False)
class ScaledLaw(Law):
    """The law of factor·X."""

    base: Law
    factor: float

    def logpdf(self, x: Floats) -> Floats:
        return self.base.logpdf(x / self.factor) - math.log(self.factor)

    def cdf(self, x: Floats) -> Floats:
        return self.base.cdf(x / self.factor)

    def sf(self, x: Floats) -> Floats:
        return self.base.sf(x / self.factor)

    def ppf(self, p: Floats) -> Floats:
        return self.base.ppf(p) * self.factor

    def isf(self, p: Floats) -> Floats:
        return self.base.isf(p) * self.factor

    def support(self) -> tuple[float, float]:
        low, high = self.base.support()
        return low * self.factor, high * self.factor

    def kinks(self) -> Floats:
        inner = self.base.kinks()
        scaled = inner * self.factor
        return scaled[scaled / self.factor == inner]

    def jumps(self) -> Floats:
        return self.base.jumps() * self.factor

    def is_step(self) -> bool:
        return self.base.is_step()


@dataclass(frozen=True)
class StaircaseLaw(_SymmetricLaw):
    """Geng & Viswanath (2014): steps of width sensitivity, each lower by e^−epsilon, a fraction gamma of it high."""

    epsilon: float
    sensitivity: float
    gamma: float

    @property
    def height(self) -> float:
        """Density on the first tread."""
        e = math.exp(-self.epsilon)
        return -math.expm1(-self.epsilon) / (2 * self.sensitivity * (self.gamma + e * (1 - self.gamma)))

    def _cell(self, x: Floats) -> tuple[Floats, Floats]:
        units = np.abs(x) / self.sensitivity
        cell = np.floor(units)
        return cell, units - cell

    def logpdf(self, x: Floats) -> Floats:
        cell, within = self._cell(x)
        return math.log(self.height) - self.epsilon * (cell + (within >= self.gamma))

    def _tail(self, x: Floats) -> Floats:
        cell, within = self._cell(x)
        low = math.exp(-self.epsilon)
        left = np.maximum(self.gamma - within, 0.0) + low * (1 - np.maximum(within, self.gamma))
        return np.exp(-self.epsilon * cell) * (self.height * self.sensitivity * left + low / 2)

    def _tail_inverse(self, p: Floats) -> Floats:
        # too flat to number the cells, or so steep that the lower step has no mass
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            cell = np.maximum(np.ceil(-np.log(2 * p) / self.epsilon) - 1, 0.0)
            low = math.exp(-self.epsilon)
            left = (p * np.exp(self.epsilon * cell) - low / 2) / (self.height * self.sensitivity)
            second = low * (1 - self.gamma)
            within = np.where(left > second, self.gamma - (left - second), 1 - left / low)
            found = self.sensitivity * (cell + np.clip(within, 0.0, 1.0))
        return np.where(np.isinf(cell), math.inf, found)
