"""Losses between −epsilon0 and epsilon0 with a moment in closed form: Laplace and logistic noise.

With v = epsilon0/2 and u = (s − ½)·epsilon0, both moments are even functions of u: the two directions are the same.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens.engine.laws import UNIT, Complexes, Floats, LossLaw, log1p

_LARGE = 15.0  # real parts of u from which only one of e^u, e^{−u} counts
_POLE, _WIDE = 0.25, 1.3  # distance from 0 or 1, and epsilon0, at which K is small but its terms are not


@dataclass(frozen=True)
class BoundedLoss(LossLaw):
    """Common to both; ``epsilon0`` is a number, or a column for stacked laws."""

    epsilon0: Any

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return -self.epsilon0, self.epsilon0

    def kind(self) -> Hashable:
        return type(self)

    @classmethod
    def stacked(cls, laws: Sequence[LossLaw]) -> LossLaw:
        return cls(np.array([[law.epsilon0] for law in laws]))  # pyright: ignore[reportAttributeAccessIssue]

    def cost(self, c: float, t: float) -> float:
        return 4.0 * np.size(self.epsilon0)

    def reversed(self) -> LossLaw:
        return self

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        e = self.epsilon0
        k: Complexes
        far = np.ravel((np.abs(c - 0.5) * e >= _LARGE) | (e >= 600))
        if far.all():
            k = self._far(c, t)
        elif far.any():  # row by row what suits it
            k = np.empty((len(e), len(t)), dtype=complex)
            k[far], k[~far] = type(self)(e[far])._far(c, t), type(self)(e[~far])._moderate(c, t)
        else:
            k = self._moderate(c, t)
        k = self._put_right(k, self._by_pole(c) + 1j * (t if c >= 0.5 else -t))
        at_axis = self.axis(np.array([c]))[0]
        # a few units of the largest term, which is that of the real point of the line, against |M|
        size = np.hypot(c, t)
        terms = np.minimum(size * np.hypot(c - 1, t) * e * e, 4.0 + size * e)
        shrunk = np.exp(np.minimum(at_axis - k.real, 700.0))
        return k, np.log1p(12 * UNIT * terms * shrunk + UNIT**2)

    @staticmethod
    def _by_pole(c: Any) -> Any:
        """Re s − 1; below ½, where K(s) = K(1 − s), −Re s."""
        return np.where(c >= 0.5, c - 1, -np.asarray(c))

    def _put_right(self, k: Any, by: Any) -> Any:
        """K by how far s is from 1, where that is small beside the terms it would otherwise be a difference of."""
        if np.max(self.epsilon0) < _WIDE:
            return k
        near = (np.abs(by) < _POLE) & (self.epsilon0 >= _WIDE)
        if not near.any():
            return k
        found = self._beside_pole(np.where(np.abs(by) < _POLE, by, 0.0), np.maximum(self.epsilon0, _WIDE))
        return np.where(near, found if np.iscomplexobj(k) else found.real, k)

    @abstractmethod
    def _beside_pole(self, by: Any, e: Any) -> Complexes:
        """K(1 + by) with an error in proportion to |by|, for |by| < ¼."""

    def _moderate(self, c: float, t: Floats) -> Complexes:
        """By M − 1, so that a thousand million steps lose nothing."""
        e = self.epsilon0
        half_sine, half_cosine = np.sin(t * (e / 2)), np.cos(t * (e / 2))
        # sinh(s·e/2)·sinh((s − 1)·e/2)·2 = cosh u − cosh v
        s1, c1 = np.sinh(c * e / 2), np.cosh(c * e / 2)
        s2, c2 = np.sinh((c - 1) * e / 2), np.cosh((c - 1) * e / 2)
        square = half_sine * half_sine
        gap_re = 2 * (s1 * s2 * half_cosine * half_cosine - c1 * c2 * square)
        gap_im = 2 * (s1 * c2 + c1 * s2) * (half_sine * half_cosine)
        re, im = self._gap(c, t, half_sine, half_cosine, gap_re, gap_im)
        k = log1p(re, im)
        small = np.hypot(1 + re, im) < 0.1  # there M itself is the better known
        if small.any():
            k = np.where(small, self._far(c, t), k)
        return k

    @abstractmethod
    def _gap(
        self, c: float, t: Floats, half_sine: Floats, half_cosine: Floats, re: Floats, im: Floats
    ) -> tuple[Floats, Floats]:
        """M − 1, given cosh u − cosh v."""

    @abstractmethod
    def _far(self, c: float, t: Floats) -> Complexes:
        """K itself, without overflow."""

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        e = self.epsilon0
        with np.errstate(over="ignore", invalid="ignore"):  # squares of the largest losses are no floats
            u = (c - 0.5) * e
            k, d, dd = self._axis(np.abs(u), e / 2, c * (c - 1) * (e * e))
            k = self._put_right(k, self._by_pole(c))
            return k, e * np.where(u < 0, -d, d), e * e * np.maximum(dd, 0.0)

    @abstractmethod
    def _axis(self, u: Floats, v: Any, squares: Floats) -> tuple[Floats, Floats, Floats]:
        """K and its first two derivatives by u ≥ 0; ``squares`` = u² − v² without cancellation."""


def _sinhc(u: Any) -> Any:
    """sinh(u)/u."""
    small = np.abs(u) < 1e-3
    safe = np.where(small, 1.0, u)
    return np.where(small, 1 + u * u / 6 * (1 + u * u / 20), np.sinh(safe) / safe)


def _sinhc_gap(u: Any, v: Any, squares: Any) -> Any:
    """sinhc(u) − sinhc(v), ``squares`` = u² − v² given without cancellation."""
    near = (np.abs(u) < 1) & (np.abs(v) < 1)
    far = _sinhc(u) - _sinhc(v)
    if not near.any():
        return far
    a, b = np.where(near, u * u, 0.0), np.where(near, v * v, 0.0)
    # u^{2k} − v^{2k} = (u² − v²)·Σ u^{2i}·v^{2j}, i + j = k − 1
    total, power, other, factorial = np.zeros_like(a), np.ones_like(a), np.ones_like(b), 1.0
    for k in range(1, 12):
        factorial *= 2 * k * (2 * k + 1)
        total = total + power / factorial
        other = other * b
        power = power * a + other
    return np.where(near, squares * total, far)


def _ratios(u: Floats) -> tuple[Floats, Floats, Floats]:
    """sinhc u and its first two derivatives, divided by cosh u, for u ≥ 0."""
    small = u < 1e-2
    safe = np.where(small, 1.0, u)
    tanh = np.tanh(safe)
    w = np.where(small, u, 0.0)
    near = 1 / np.cosh(w)
    flat = np.where(small, (1 + w * w / 6) * near, tanh / safe)
    first = np.where(small, (w / 3 + w**3 / 30) * near, (1 - tanh / safe) / safe)
    second = np.where(small, (1 / 3 + w * w / 10) * near, (tanh - 2 * (1 - tanh / safe) / safe) / safe)
    return flat, first, second


def _log_cosh(u: Any) -> Any:
    return u + np.log1p(np.exp(-2 * u)) - math.log(2)


@dataclass(frozen=True)
class LaplaceLoss(BoundedLoss):
    """M(s) = e^{−v}·(cosh u + v·sinh(u)/u): atoms at both ends and a density between them."""

    def _gap(
        self, c: float, t: Floats, half_sine: Floats, half_cosine: Floats, re: Floats, im: Floats
    ) -> tuple[Floats, Floats]:
        e = self.epsilon0
        v, a, b = e / 2, (c - 0.5) * e, t * e
        squares_re, squares_im = (c * (c - 1) - t * t) * (e * e), (2 * c - 1) * t * (e * e)
        if np.all(np.abs(a) < 1) and np.all(v < 1) and np.all(np.abs(b) < 1):
            gap = _sinhc_gap(a + 1j * b, v, squares_re + 1j * squares_im)
            more_re, more_im = gap.real, gap.imag
        else:
            # sinh u by the half angles; sinh(u)/u − sinh(v)/v
            sine, cosine = 2 * half_sine * half_cosine, 1 - 2 * half_sine * half_sine
            x, y = np.sinh(a) * cosine, np.cosh(a) * sine
            size = a * a + b * b
            tiny = size < 1e-6
            size = np.where(tiny, 1.0, size)
            flat = _sinhc(v)
            more_re = np.where(tiny, 1.0 + (a * a - b * b) / 6, (x * a + y * b) / size) - flat
            more_im = np.where(tiny, a * b / 3, (y * a - x * b) / size)
            near = (np.hypot(a, b) < 1) & (v < 1)
            if np.any(near):
                gap = _sinhc_gap(a + 1j * b, v + 0 * b, squares_re + 1j * squares_im)
                more_re, more_im = np.where(near, gap.real, more_re), np.where(near, gap.imag, more_im)
        shrink = np.exp(-v)
        return shrink * (re + v * more_re), shrink * (im + v * more_im)

    def _far(self, c: float, t: Floats) -> Complexes:
        v = self.epsilon0 / 2
        w = np.abs((c - 0.5) * self.epsilon0) + 1j * (t * self.epsilon0) * (1 if c >= 0.5 else -1)
        with np.errstate(all="ignore"):
            inner = 1 + v / w + np.exp(-2 * w) * (1 - v / w)
            found = w - v - math.log(2) + np.log(inner)
        return np.where(np.abs(w) < 1e-8, np.log1p(v) - v, found)

    def _beside_pole(self, by: Any, e: Any) -> Complexes:
        # M = e^{by·e}·{1 + by/(1 + 2·by)·(e^{−(1 + 2·by)·e} − 1)}
        rest = by / (1 + 2 * by) * np.expm1(-(1 + 2 * by) * e)
        return by * e + log1p(np.real(rest), np.imag(rest))

    def _axis(self, u: Floats, v: Any, squares: Floats) -> tuple[Floats, Floats, Floats]:
        flat, first, second = _ratios(u)
        # M ∝ cosh u + v·sinhc u, everything divided by cosh u
        m, d, dd = 1 + v * flat, np.tanh(u) + v * first, 1 + v * second
        small, low = np.minimum(u, _LARGE), np.minimum(v, _LARGE)
        # (u − v)/2 = (u² − v²)/(2·(u + v)), capped where the other form is taken
        cosh_gap = 2 * np.sinh((small + low) / 2) * np.sinh(np.clip(squares / (2 * (u + v)), -_LARGE, _LARGE))
        gap = np.exp(-low) * (cosh_gap + low * _sinhc_gap(small, low, squares))
        near = (u < _LARGE) & (v < _LARGE)
        k = np.where(near, np.log1p(np.maximum(gap, -0.999999)), _log_cosh(u) - v + np.log(m))
        return k, d / m, dd / m - (d / m) ** 2

    def envelope(self, c: float, t: Floats) -> Floats:
        # |M| ≤ {|s|·e^{(c−1)·eps0} + |s − 1|·e^{−c·eps0}}/|2s − 1|, and both quotients are monotone in t
        e = self.epsilon0
        k = self.axis(np.array([c]))[0]

        def quotient(a: float) -> Floats:
            return np.maximum(np.sqrt((a * a + t * t) / ((2 * c - 1) ** 2 + 4 * t * t)), 0.5)

        bound = quotient(c) * np.exp((c - 1) * e - k) + quotient(c - 1) * np.exp(-c * e - k)
        return np.minimum(bound * _exponents_rounded(c, e), 1.0)


@dataclass(frozen=True)
class LogisticLoss(BoundedLoss):
    """M(s) = sinhc(u)/sinhc(v): the loss of logistic noise, bounded range."""

    def _gap(
        self, c: float, t: Floats, half_sine: Floats, half_cosine: Floats, re: Floats, im: Floats
    ) -> tuple[Floats, Floats]:
        e = self.epsilon0
        squares = (c * (c - 1) - t * t) * (e * e) + 1j * ((2 * c - 1) * t * (e * e))
        with np.errstate(over="ignore"):
            gap = _sinhc_gap((c - 0.5) * e + 1j * (t * e), e / 2 + 0 * t, squares) / _sinhc(e / 2)
        return gap.real, gap.imag

    def _far(self, c: float, t: Floats) -> Complexes:
        w = np.abs((c - 0.5) * self.epsilon0) + 1j * (t * self.epsilon0) * (1 if c >= 0.5 else -1)
        with np.errstate(all="ignore"):
            found = w - np.log(2 * w) + np.log(-np.expm1(-2 * w)) - _log_sinhc(self.epsilon0 / 2)
        return np.where(np.abs(w) < 1e-8, -_log_sinhc(self.epsilon0 / 2), found)

    def _beside_pole(self, by: Any, e: Any) -> Complexes:
        # M = e^{by·e}/(1 + 2·by)·{1 − (e^{−2·by·e} − 1)/(e^e − 1)}; from e = 200 on the last is nothing
        small = np.minimum(e, 200.0)
        rest = np.where(e < 200, -np.expm1(-2 * by * small) / np.expm1(small), 0.0)
        return by * e - log1p(2 * np.real(by), 2 * np.imag(by)) + log1p(np.real(rest), np.imag(rest))

    def _axis(self, u: Floats, v: Any, squares: Floats) -> tuple[Floats, Floats, Floats]:
        flat, first, second = _ratios(u)
        d = first / flat
        small, low = np.minimum(u, _LARGE), np.minimum(v, _LARGE)
        gap = _sinhc_gap(small, low, squares) / _sinhc(low)
        near = (u < _LARGE) & (v < _LARGE)
        k = np.where(near, np.log1p(np.maximum(gap, -0.999999)), _log_sinhc(u) - _log_sinhc(v))
        return k, d, second / flat - d * d

    def envelope(self, c: float, t: Floats) -> Floats:
        # |sinh u| ≤ cosh(Re u)
        e = self.epsilon0
        k = self.axis(np.array([c]))[0]
        log_cosh = _log_cosh(np.abs(c - 0.5) * e)
        with np.errstate(divide="ignore"):
            bound = np.exp(log_cosh - _log_sinhc(e / 2) - k) / (e * t)
        return np.minimum(bound * _exponents_rounded(c, e), 1.0)


def _exponents_rounded(c: float, e: Any) -> Any:
    """Above 1 by more than the rounding of exponents of the size (|c| + 1)·e moves an exponential."""
    return 1 + 1e-13 + 8 * UNIT * (abs(c) + 1) * e


def _log_sinhc(u: Any) -> Any:
    u = np.asarray(u, dtype=float)
    safe = np.maximum(u, 1e-3)
    return np.where(u < 1e-3, u * u / 6, safe + np.log(-np.expm1(-2 * safe)) - np.log(2 * safe))
