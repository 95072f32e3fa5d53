"""Loss laws made from others, and those with finitely many losses."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens.engine.laws import LEAST, UNIT, Complexes, Floats, LossLaw, log1p

_AT_ONCE = 1_000_000  # losses × points
_EVEN, _PRODUCTS = 256, 10  # points from which products pay, and how much sooner they are done
_NEAR = 1.0  # angles below which 1 − cos would lose digits


@dataclass(frozen=True, eq=False)
class AtomicLoss(LossLaw):
    """Finitely many losses with their masses under H0; stacked laws are rows, filled up with losses of no mass."""

    p: Floats
    loss: Floats
    unseen: Any = (0.0, 0.0)
    rare: float = 0.0

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return (-math.inf, math.inf) if self.rare else self.listed

    @property
    def listed(self) -> tuple[float, float]:
        """The least and the largest loss of the list."""
        return (float(self.loss.min()), float(self.loss.max())) if len(self.loss) else (0.0, 0.0)

    def fourth(self, c: float) -> Floats | float:
        low, high = self.listed
        return 2 * (high - low) ** 2 * np.atleast_2d(self.axis(np.array([c]))[2])

    def kind(self) -> Hashable:
        return AtomicLoss if len(self.loss) <= 8 and not self.rare else self

    @classmethod
    def stacked(cls, laws: Sequence[LossLaw]) -> LossLaw:
        atoms = [law for law in laws if isinstance(law, AtomicLoss)]
        width = max(len(law.loss) for law in atoms)
        p, loss = np.zeros((len(atoms), width)), np.zeros((len(atoms), width))
        for row, law in enumerate(atoms):
            p[row, : len(law.p)], loss[row, : len(law.loss)] = law.p, law.loss
        unseen = np.array([law.unseen for law in atoms])
        return cls(p, loss, (unseen[:, :1], unseen[:, 1:]))

    def cost(self, c: float, t: float) -> float:
        return 2.0 * np.size(self.loss)

    def line_cost(self, c: float, t: float, count: float) -> float:
        return count * self.cost(c, t) / (_PRODUCTS if self._by_products(count) else 1)

    def _by_products(self, count: float) -> bool:
        return self.loss.ndim == 1 and len(self.loss) >= 8 and count >= _EVEN

    def _turned(self, weight: Floats, t: Floats) -> Complexes:
        """Σ weight·(e^{itl} − 1) at equally spaced t: every e^{itl} is a product of two of the √count many.

        Rounding of t, and of the products, is less than that of the angles themselves.
        """
        step = float(t[-1] - t[0]) / (len(t) - 1)
        inner = math.ceil(math.sqrt(len(t)))
        outer = -(-len(t) // inner)
        coarse = np.exp(1j * np.outer(t[0] + step * inner * np.arange(outer), self.loss)) * weight
        fine = np.exp(1j * np.outer(self.loss, step * np.arange(inner)))
        return np.asarray(coarse @ fine, dtype=np.complex128).ravel()[: len(t)] - 1

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        block = max(1, _AT_ONCE // np.size(self.loss))
        even = self._by_products(len(t)) and _evenly_spaced(t)
        if len(t) > block and not even:
            parts = [self.evaluate(c, t[i : i + block]) for i in range(0, len(t), block)]
            return np.concatenate([k for k, _ in parts], axis=-1), np.concatenate([e for _, e in parts], axis=-1)
        k0 = self.axis(np.array([c]))[0]
        p, loss = np.expand_dims(self.p, -2), np.expand_dims(self.loss, -2)
        with np.errstate(divide="ignore"):
            weight = np.exp(c * loss + np.log(p) - np.expand_dims(k0, -1))
        turned_re, turned_im = self._sums(weight, loss, t, even)
        # relative to M(c): Σ weight·(e^{itl} − 1), and Σ weight is 1 save for rounding
        k = k0 + log1p(turned_re, turned_im)
        scale = np.max(np.abs(self.loss), axis=-1, keepdims=self.loss.ndim == 2, initial=1e-300)
        count = 8 + 2 * self.loss.shape[-1]
        units = count * UNIT * (np.abs(c) + np.abs(t)) * scale
        error = units / np.maximum(np.hypot(1 + turned_re, turned_im), LEAST)
        return k, np.log1p(error + 4 * UNIT * np.abs(k0))

    def _sums(self, weight: Floats, loss: Floats, t: Floats, even: bool) -> tuple[Floats, Floats]:
        """Σ weight·(e^{itl} − 1), real and imaginary part."""
        far = self._turned(weight[0], t) if even else None
        near = t if far is None else t[t * np.max(np.abs(self.loss)) < _NEAR]
        angle = near[:, None] * loss
        half = np.sin(angle / 2)
        re, im = -2 * np.sum(weight * half * half, axis=-1), 2 * np.sum(weight * half * np.cos(angle / 2), axis=-1)
        if far is None:
            return re, im
        far[: len(near)] = re + 1j * im
        return far.real, far.imag

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        loss = np.expand_dims(self.loss, -2)
        with np.errstate(divide="ignore"):
            exponent = c[:, None] * loss + np.log(np.expand_dims(self.p, -2))
        top = exponent.max(axis=-1, keepdims=True)
        weight = np.exp(exponent - top)
        total = weight.sum(axis=-1)
        p = np.expand_dims(self.p, -2)
        odd = self.unseen[0] - self.unseen[1]
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            gap = np.sum(p * (np.expm1(c[:, None] * loss) - c[:, None] * np.expm1(loss)), axis=-1)
            gap = gap - self.unseen[0] + c * odd
            # where the gap is not small, the sum itself is as good
            near = np.isfinite(gap) & (np.abs(gap) < 0.5)
            k = np.where(near, np.log1p(np.where(near, gap, 0.0)), top[..., 0] + np.log(total))
        mean = np.sum(weight * loss, axis=-1) / total
        spread = np.sum(weight * (loss - mean[..., None]) ** 2, axis=-1) / total
        return k, mean, spread

    def envelope(self, c: float, t: Floats) -> Floats:
        return np.ones(self.loss.shape[:-1] + t.shape)  # losses on a lattice come back in phase


def _evenly_spaced(t: Floats) -> bool:
    """From 0, or a number above it, upwards."""
    first, last = float(t[0]), float(t[-1])
    even = first + (last - first) / (len(t) - 1) * np.arange(len(t))
    return 0 <= first < last and bool(np.max(np.abs(t - even)) <= 4 * UNIT * last)


@dataclass(frozen=True)
class DerivedLoss(LossLaw):
    """A law made from another."""

    base: LossLaw

    @property
    def rare(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.rare

    @property
    def has_long_lines(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.has_long_lines


@dataclass(frozen=True)
class FailingLoss(DerivedLoss):
    """A step that with probability ``kappa`` shows which world it is, otherwise is as the base."""

    kappa: float

    @property
    def unseen(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        first, second = (self.kappa + (1 - self.kappa) * u for u in self.base.unseen)
        return first, second

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.support

    def cost(self, c: float, t: float) -> float:
        return self.base.cost(c, t)

    def line_cost(self, c: float, t: float, count: float) -> float:
        return self.base.line_cost(c, t, count)

    def reversed(self) -> LossLaw:
        return FailingLoss(self.base.reversed(), self.kappa)

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        k, error = self.base.evaluate(c, t)
        return k + math.log1p(-self.kappa), error - UNIT * math.log1p(-self.kappa)

    def envelope(self, c: float, t: Floats) -> Floats:
        return self.base.envelope(c, t)

    def envelope_between(self, c: float, t: Floats) -> Floats:
        return self.base.envelope_between(c, t)

    def closer_envelope(self, c: float, t: Floats) -> Floats:
        return self.base.closer_envelope(c, t)

    def growth(self, c: float, b: float, start: float, end: float) -> Floats | float:
        return self.base.growth(c, b, start, end) + math.log1p(-self.kappa)

    def fourth(self, c: float) -> Floats | float:
        return self.base.fourth(c)

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        k, d, dd = self.base.axis(c)
        return k + math.log1p(-self.kappa), d, dd


@dataclass(frozen=True)
class ReversedLoss(DerivedLoss):
    """The same step with the two worlds exchanged: K(1 − s)."""

    @property
    def tail_mu(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.tail_mu

    @property
    def unseen(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.unseen[::-1]  # pyright: ignore[reportReturnType]

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        low, high = self.base.support
        return -high, -low

    def kind(self) -> Hashable:
        inner = self.base.kind()
        return self if inner is self.base else (ReversedLoss, inner)

    @classmethod
    def stacked(cls, laws: Sequence[LossLaw]) -> LossLaw:
        bases = [law.base for law in laws if isinstance(law, ReversedLoss)]
        return cls(type(bases[0]).stacked(bases))

    def cost(self, c: float, t: float) -> float:
        return self.base.cost(1 - c, t)

    def line_cost(self, c: float, t: float, count: float) -> float:
        return self.base.line_cost(1 - c, t, count)

    def reversed(self) -> LossLaw:
        return self.base

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        # K is real on the real axis: K(1 − c − it) is the conjugate of K(1 − c + it)
        k, error = self.base.evaluate(1 - c, t)
        return np.conj(k), error

    def envelope(self, c: float, t: Floats) -> Floats:
        return self.base.envelope(1 - c, t)

    def envelope_between(self, c: float, t: Floats) -> Floats:
        return self.base.envelope_between(1 - c, t)

    def closer_envelope(self, c: float, t: Floats) -> Floats:
        return self.base.closer_envelope(1 - c, t)

    def growth(self, c: float, b: float, start: float, end: float) -> Floats | float:
        return self.base.growth(1 - c, b, start, end)

    def fourth(self, c: float) -> Floats | float:
        return self.base.fourth(1 - c)

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        k, d, dd = self.base.axis(1 - c)
        return k, -d, dd
