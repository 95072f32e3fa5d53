"""Laws of the privacy loss of one step, by their cumulant functions.

With L = log dQ/dP, P the law under H0 and Q under H1, K(s) = log E_P[e^{s·L}; L finite]. Outcomes of one world only
(L = ±infinity) are not in K: ``unseen`` says how much they weigh in either world, so K(0) = log(1 − unseen[0]) and
K(1) = log(1 − unseen[1]). Composition adds cumulant functions.

Laws of one kind can be stacked: their parameters become a column, and every answer has one row a law.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]

LEAST = 1e-150  # sizes below count as this, in logarithms and in errors alike
UNIT = 1.2e-16  # half a unit in the last place, rounded up


class LossLaw(ABC):
    """The loss of one step in one direction."""

    unseen: tuple[float, float] = (0.0, 0.0)  # mass of outcomes that only H0, only H1 can have produced
    support: tuple[float, float] = (-math.inf, math.inf)  # of the finite losses
    rare: float = 0.0  # mass of outcomes, in either world, that are left out because floats hardly know them
    tail_mu: float = 0.0  # mu of a Gaussian upper tail of the loss
    has_long_lines: bool = False  # whether lines that need very many nodes may be taken panel by panel

    @abstractmethod
    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        """K(c + it), any branch of the logarithm, and its error: with M = e^K, log(1 + bound on |M's error|/|M|).

        Such errors add up over steps: Π(|M_i| + error_i) − Π|M_i| bounds the error of the product.
        """

    @abstractmethod
    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        """K, K', K'' at real points; the derivatives only guide the choice of lines."""

    @abstractmethod
    def envelope(self, c: float, t: Floats) -> Floats:
        """Bound on |e^{K(c + iu) − K(c)}| that holds for every u ≥ t, for increasing t."""

    def envelope_between(self, c: float, t: Floats) -> Floats:
        """Bound on |e^{K(c + iu) − K(c)}| for u between neighbours of the equally spaced t; may take longer."""
        return self.envelope(c, t)[..., :-1]

    def closer_envelope(self, c: float, t: Floats) -> Floats:
        """The same as ``envelope``, where a closer bound may take longer."""
        return self.envelope(c, t)

    def growth(self, c: float, b: float, start: float, end: float) -> Floats | float:
        """Bound on log|M(s)| where |Re s − c| ≤ b and start − b ≤ Im s ≤ end + b; a column for stacked laws.

        Of a function that differs from M on Re s = c, Im s ≥ start, by no more than what ``evaluate`` tells.
        """
        return np.max(np.atleast_2d(self.axis(np.array([c - b, c + b]))[0]), axis=1, keepdims=True) + 1e-9

    def fourth(self, c: float) -> Floats | float:
        """Bound on E D⁴ under the tilt c, D the difference of two losses; a column for stacked laws."""
        return 2 * (self.support[1] - self.support[0]) ** 2 * np.atleast_2d(self.axis(np.array([c]))[2])

    def reversed(self) -> LossLaw:
        """The law with the two worlds exchanged."""
        from dplens.engine.derived_laws import ReversedLoss

        return ReversedLoss(self)

    def cost(self, c: float, t: float) -> float:
        """Work of one value of K at c + it, in elementary functions."""
        return 4.0

    def line_cost(self, c: float, t: float, count: float) -> float:
        """Work of so many values of K at equally spaced points up to c + it."""
        return count * self.cost(c, t)

    def kind(self) -> Hashable:
        """Laws of equal kind can be stacked; a law that cannot is a kind of its own."""
        return self

    @classmethod
    def stacked(cls, laws: Sequence[LossLaw]) -> LossLaw:
        """One law with a row for each of ``laws``, which are of one kind."""
        if len(laws) > 1:
            raise NotImplementedError(f"{cls.__name__} cannot be stacked")
        return laws[0]


def log_sum(exponent: np.ndarray) -> float:
    """log Σ e^exponent."""
    top = float(np.max(exponent))
    return top + math.log(float(np.sum(np.exp(exponent - top))))


def log1p(x: Floats, y: Floats) -> Complexes:
    """log(1 + x + iy) with relative accuracy near 0 (NumPy's loses the real part there); finite everywhere."""
    out = np.empty(np.broadcast_shapes(x.shape, y.shape), dtype=complex)
    size = (1 + x) ** 2 + y * y
    small = size < 0.25
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.log1p(x * (2 + x) + y * y)
    out.real = 0.5 * np.where(small, np.log(np.maximum(size, LEAST**2)), near)
    out.imag = np.arctan2(y, 1 + x)
    return out


@dataclass(frozen=True)
class GaussianLoss(LossLaw):
    """K(s) = s(s − 1)·mu²/2, exactly."""

    mu: float

    @property
    def tail_mu(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.mu

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        half = self.mu**2 / 2
        k = (c * (c - 1) - t * t) * half + 1j * ((2 * c - 1) * half * t)
        return k, 4 * UNIT * np.abs(k)

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        half = self.mu**2 / 2
        return c * (c - 1) * half, (2 * c - 1) * half, np.full_like(c, 2 * half)

    def envelope(self, c: float, t: Floats) -> Floats:
        return np.exp(-((self.mu * t) ** 2) / 2) * (1 + 1e-14)

    def growth(self, c: float, b: float, start: float, end: float) -> Floats | float:
        most = max((c + x) * (c + x - 1) for x in (-b, b))
        return (most - max(start - b, 0.0) ** 2) * self.mu**2 / 2

    def fourth(self, c: float) -> Floats | float:
        return 12 * self.mu**4

    def reversed(self) -> LossLaw:
        return self
