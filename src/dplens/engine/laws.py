"""Laws of the privacy loss of one step, by their cumulant functions.

With L = log dQ/dP, P the law under H0 and Q under H1, K(s) = log E_P[e^{s·L}; L finite]. Outcomes of one world only
(L = ±infinity) are not in K: ``unseen`` says how much they weigh in either world, so K(0) = log(1 − unseen[0]) and
K(1) = log(1 − unseen[1]). Composition adds cumulant functions.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]

UNIT = 1.2e-16  # half a unit in the last place, rounded up


class LossLaw(ABC):
    """The loss of one step in one direction."""

    unseen: tuple[float, float] = (0.0, 0.0)  # mass of outcomes that only H0, only H1 can have produced
    support: tuple[float, float] = (-math.inf, math.inf)  # of the finite losses

    @abstractmethod
    def cumulant(self, s: Complexes) -> Complexes:
        """K(s); any branch of the logarithm."""

    @abstractmethod
    def error(self, s: Complexes) -> Floats:
        """Bound on the absolute error of :meth:`cumulant` (modulo 2πi)."""

    def evaluate(self, s: Complexes) -> tuple[Complexes, Floats]:
        """K and its error bound together."""
        return self.cumulant(s), self.error(s)

    @abstractmethod
    def envelope(self, c: float, t: Floats) -> Floats:
        """Bound on |e^{K(c + iu) − K(c)}| that holds for every u ≥ t."""

    def real(self, c: float) -> tuple[float, float, float]:
        """K, K', K'' at a real point; the derivatives only guide the choice of lines."""
        step = 1e-4 * (1 + abs(c)) / (1 + self.scale * (1 + abs(c)))
        points = np.array([c - step, c, c + step])
        first = self.cumulant(np.asarray(points + 1e-30j, dtype=complex)).imag / 1e-30
        return (
            float(self.cumulant(np.array([complex(c)])).real[0]),
            float(first[1]),
            float((first[2] - first[0]) / step / 2),
        )

    @property
    @abstractmethod
    def scale(self) -> float:
        """Size of a typical loss."""

    def cost(self, c: float, t: float) -> float:
        """Work of one value of K at c + it, in elementary functions."""
        return 4.0


def log1p(z: Complexes) -> Complexes:
    """log(1 + z) with relative accuracy near 0 (NumPy's loses the real part there)."""
    x, y = z.real, z.imag
    return 0.5 * np.log1p(x * (2 + x) + y * y) + 1j * np.arctan2(y, 1 + x)


def sinhc(u: Complexes) -> Complexes:
    """sinh(u)/u."""
    small = np.abs(u) < 1e-3
    safe = np.where(small, 1.0, u)
    return np.where(small, 1 + u * u / 6 * (1 + u * u / 20), np.sinh(safe) / safe)


def sinhc_gap(u: Complexes, v: float, squares: Complexes) -> Complexes:
    """sinhc(u) − sinhc(v), ``squares`` = u² − v² given without cancellation."""
    near = (np.abs(u) < 1) & (abs(v) < 1)
    a, b = np.where(near, u * u, 0.0), v * v
    total, power, factorial = np.zeros_like(u), np.ones_like(u), 1.0
    # u^{2k} − v^{2k} = (u² − v²)·Σ u^{2i}·v^{2j}, i + j = k − 1
    for k in range(1, 12):
        factorial *= 2 * k * (2 * k + 1)
        total = total + power / factorial
        power = power * a + b**k
    return np.where(near, squares * total, sinhc(u) - math.sinh(v) / v if v else sinhc(u) - 1)


def _sinhc_ratios(u: float) -> tuple[float, float, float]:
    """sinhc u and its first two derivatives, divided by cosh u."""
    if abs(u) < 1e-2:
        return (1 + u * u / 6) / math.cosh(u), (u / 3 + u**3 / 30) / math.cosh(u), (1 / 3 + u * u / 10) / math.cosh(u)
    tanh = math.tanh(u)
    return tanh / u, (1 - tanh / u) / u, (tanh - 2 * (1 - tanh / u) / u) / u


@dataclass(frozen=True)
class GaussianLoss(LossLaw):
    """K(s) = s(s − 1)·mu²/2, exactly."""

    mu: float

    @property
    def scale(self) -> float:
        return self.mu

    def cumulant(self, s: Complexes) -> Complexes:
        return s * (s - 1) * (self.mu**2 / 2)

    def error(self, s: Complexes) -> Floats:
        return 4 * UNIT * np.abs(self.cumulant(s))

    def envelope(self, c: float, t: Floats) -> Floats:
        return np.exp(-((self.mu * t) ** 2) / 2) * (1 + 1e-14)

    def real(self, c: float) -> tuple[float, float, float]:
        half = self.mu**2 / 2
        return c * (c - 1) * half, (2 * c - 1) * half, 2 * half


@dataclass(frozen=True)
class _BoundedLoss(LossLaw):
    """Losses from −epsilon0 to epsilon0 with a moment in closed form."""

    epsilon0: float

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return -self.epsilon0, self.epsilon0

    @property
    def scale(self) -> float:
        return self.epsilon0

    def error(self, s: Complexes) -> Floats:
        # a few units of the largest term, which is that of the real point of the line, against |M|
        terms = np.minimum(np.abs(s * (s - 1)) * self.epsilon0**2, 4.0 + np.abs(s) * self.epsilon0)
        shrunk = np.exp(np.minimum((self.cumulant(s.real.astype(complex)) - self.cumulant(s)).real, 50.0))
        return 8 * UNIT * terms * shrunk + UNIT**2


@dataclass(frozen=True)
class LaplaceLoss(_BoundedLoss):
    """M(s) = e^{−v}·(cosh u + v·sinh(u)/u), v = epsilon0/2, u = (s − ½)·epsilon0: atoms at both ends and a density."""

    def cumulant(self, s: Complexes) -> Complexes:
        e = self.epsilon0
        v, u = e / 2, (s - 0.5) * e
        big = np.abs(u.real) > 20
        tame = np.where(big, 0.0, u)
        # M − 1, so that a thousand million steps lose nothing
        cosh_gap = 2 * np.sinh(s * e / 2 * ~big) * np.sinh((s - 1) * e / 2 * ~big)
        gap = math.exp(-v) * (cosh_gap + v * sinhc_gap(tame, v, s * (s - 1) * e * e * ~big))
        with np.errstate(all="ignore"):
            sign = np.where(u.real < 0, -1.0, 1.0)
            w = sign * u
            far = w - v - math.log(2) + np.log(1 + v / w + np.exp(-2 * w) * (1 - v / w))
            direct = np.log(np.cosh(tame) + v * sinhc(tame)) - v
            return np.where(big, far, np.where(np.abs(1 + gap) < 0.5, direct, log1p(gap)))

    def real(self, c: float) -> tuple[float, float, float]:
        e = self.epsilon0
        v, u = e / 2, (c - 0.5) * e
        flat, first, second = _sinhc_ratios(u)
        # M ∝ cosh u + v·sinhc u, everything divided by cosh u
        m, d, dd = 1 + v * flat, math.tanh(u) + v * first, 1 + v * second
        return float(self.cumulant(np.array([complex(c)])).real[0]), e * d / m, e * e * max(dd / m - (d / m) ** 2, 0.0)

    def envelope(self, c: float, t: Floats) -> Floats:
        # |M| ≤ {|s|·e^{(c−1)·eps0} + |s − 1|·e^{−c·eps0}}/|2s − 1|, and both quotients are monotone in t
        e = self.epsilon0
        k = self.cumulant(np.array([c + 0j])).real[0]

        def quotient(a: float) -> Floats:
            return np.maximum(np.sqrt((a * a + t * t) / ((2 * c - 1) ** 2 + 4 * t * t)), 0.5)

        bound = quotient(c) * math.exp((c - 1) * e - k) + quotient(c - 1) * math.exp(-c * e - k)
        return np.minimum(bound * (1 + 1e-13), 1.0)


@dataclass(frozen=True)
class LogisticLoss(_BoundedLoss):
    """M(s) = sinhc(u)/sinhc(v), v = epsilon0/2, u = (s − ½)·epsilon0: the loss of logistic noise, bounded range."""

    def cumulant(self, s: Complexes) -> Complexes:
        e = self.epsilon0
        v, u = e / 2, (s - 0.5) * e
        big = np.abs(u.real) > 20
        base = math.sinh(v) / v if v < 300 else math.inf
        log_base = math.log(base) if v < 300 else v - math.log(2 * v)
        tame = np.where(big, 0.0, u)
        gap = sinhc_gap(tame, v, s * (s - 1) * e * e * ~big) / base if v < 300 else np.full_like(u, -1.0)
        with np.errstate(all="ignore"):
            w = np.where(u.real < 0, -1.0, 1.0) * u
            far = w - np.log(2 * w) + np.log(-np.expm1(-2 * w)) - log_base
            direct = np.log(sinhc(tame)) - log_base
            return np.where(big, far, np.where(np.abs(1 + gap) < 0.5, direct, log1p(gap)))

    def real(self, c: float) -> tuple[float, float, float]:
        e = self.epsilon0
        flat, first, second = _sinhc_ratios((c - 0.5) * e)
        d = first / flat
        return float(self.cumulant(np.array([complex(c)])).real[0]), e * d, e * e * max(second / flat - d * d, 0.0)

    def envelope(self, c: float, t: Floats) -> Floats:
        # |sinh u| ≤ cosh(Re u)
        e = self.epsilon0
        k = self.cumulant(np.array([c + 0j])).real[0]
        log_sinhc = math.log(math.sinh(e / 2) / (e / 2)) if e < 600 else e / 2 - math.log(e)
        reach = abs(c - 0.5) * e
        log_cosh = reach + math.log1p(math.exp(-2 * reach)) - math.log(2)
        with np.errstate(divide="ignore"):
            bound = math.exp(log_cosh - log_sinhc - k) / (e * t)
        return np.minimum(bound * (1 + 1e-13), 1.0)
