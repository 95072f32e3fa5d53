"""Loss laws made from others, and those with finitely many losses."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens.engine.laws import UNIT, Complexes, Floats, LossLaw, log1p


@dataclass(frozen=True, eq=False)
class AtomicLoss(LossLaw):
    """Finitely many losses with their masses under H0."""

    p: Floats
    loss: Floats
    unseen: tuple[float, float] = (0.0, 0.0)

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return (float(self.loss.min()), float(self.loss.max())) if len(self.loss) else (0.0, 0.0)

    @property
    def scale(self) -> float:
        return float(np.max(np.abs(self.loss), initial=1e-300))

    def cost(self, c: float, t: float) -> float:
        return 2.0 * len(self.loss)

    def cumulant(self, s: Complexes) -> Complexes:
        shape = s.shape
        s = s.ravel()
        far = float(np.max(np.abs(s.real), initial=0.0)) * self.scale > 30
        if far:
            with np.errstate(divide="ignore"):
                exponent = s[:, None] * self.loss + np.log(self.p)
            top = exponent.real.max(axis=1)
            return (top + np.log(np.exp(exponent - top[:, None]).sum(axis=1))).reshape(shape)
        # Σ p·expm1(l) is known: the difference of the masses seen
        odd = self.unseen[0] - self.unseen[1]
        gap = (np.expm1(s[:, None] * self.loss) - s[:, None] * np.expm1(self.loss)) @ self.p
        return log1p(gap - self.unseen[0] + s * odd).reshape(shape)

    def error(self, s: Complexes) -> Floats:
        k = self.cumulant(s).real
        c = self.cumulant(s.real.astype(complex)).real
        small = np.minimum(np.abs(s) * self.scale, 4.0 + np.abs(s) * self.scale)
        return 8 * UNIT * (small + self.unseen[0] + self.unseen[1]) * np.exp(np.minimum(c - k, 50.0)) + UNIT**2

    def envelope(self, c: float, t: Floats) -> Floats:
        return np.ones_like(t)  # losses on a lattice come back in phase


@dataclass(frozen=True)
class FailingLoss(LossLaw):
    """A step that with probability ``kappa`` shows which world it is, otherwise is as the base."""

    base: LossLaw
    kappa: float

    @property
    def unseen(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        first, second = (self.kappa + (1 - self.kappa) * u for u in self.base.unseen)
        return first, second

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.support

    @property
    def scale(self) -> float:
        return self.base.scale

    def cost(self, c: float, t: float) -> float:
        return self.base.cost(c, t)

    def cumulant(self, s: Complexes) -> Complexes:
        return self.base.cumulant(s) + math.log1p(-self.kappa)

    def error(self, s: Complexes) -> Floats:
        return self.base.error(s) - UNIT * math.log1p(-self.kappa)

    def evaluate(self, s: Complexes) -> tuple[Complexes, Floats]:
        k, error = self.base.evaluate(s)
        return k + math.log1p(-self.kappa), error - UNIT * math.log1p(-self.kappa)

    def envelope(self, c: float, t: Floats) -> Floats:
        return self.base.envelope(c, t)

    def real(self, c: float) -> tuple[float, float, float]:
        k, d, dd = self.base.real(c)
        return k + math.log1p(-self.kappa), d, dd


@dataclass(frozen=True)
class ReversedLoss(LossLaw):
    """The same step with the two worlds exchanged: K(1 − s)."""

    base: LossLaw

    @property
    def unseen(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.unseen[::-1]  # pyright: ignore[reportReturnType]

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        low, high = self.base.support
        return -high, -low

    @property
    def scale(self) -> float:
        return self.base.scale

    def cost(self, c: float, t: float) -> float:
        return self.base.cost(1 - c, t)

    def cumulant(self, s: Complexes) -> Complexes:
        return self.base.cumulant(1 - s)

    def error(self, s: Complexes) -> Floats:
        return self.base.error(1 - s)

    def evaluate(self, s: Complexes) -> tuple[Complexes, Floats]:
        return self.base.evaluate(1 - s)

    def envelope(self, c: float, t: Floats) -> Floats:
        return self.base.envelope(1 - c, t)

    def real(self, c: float) -> tuple[float, float, float]:
        k, d, dd = self.base.real(1 - c)
        return k, -d, dd
