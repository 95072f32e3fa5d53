"""Bounded losses: Laplace and logistic noise, and finitely many losses."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.legendre import leggauss

from dplens.errors import Undefined
from dplens.losses.base import DEPTH, UNIT, Floats, NodeLaw, Nodes
from dplens.numerics.sharing import cached_property

_POINTS = 24  # of Gauss–Legendre quadrature per panel
_RULE = leggauss(_POINTS)
_FEW = 32  # losses of a law that is evaluated together with others


@dataclass(frozen=True)
class BoundedLoss(NodeLaw):
    """Losses in [−epsilon0, epsilon0] with a density proportional to e^{−L/2}, and possibly atoms at the ends."""

    epsilon0: float
    is_symmetric = True
    is_small = True  # at moderate tilts a law has few nodes

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return -self.epsilon0, self.epsilon0

    def cost(self, c: float, t: float) -> float:
        return _POINTS * max(2 * self.epsilon0 / self.grade(c, t), 1.0) / 5

    def grade(self, c: float, t: float) -> float:
        """Width of panels for which the error of Gauss–Legendre quadrature is below e^{−DEPTH}·M(c).

        On an ellipse around a panel of width w, with semi-axes w/4·(r ± 1/r), the integrand e^{(s − ½)·L} is at most
        e^{t·y + |c − ½|·x} times its value on the panel, with y the smaller semi-axis and x the distance by which the
        larger one exceeds the panel. The error is at most 64/15·w/2·r^{−2n}/(1 − r^{−2}) times that (Trefethen 2008,
        Theorem 4.5), and the maximum of the integrand at most 1 + |c − ½|·2·epsilon0 times its mean.
        """
        steep, widest = abs(c - 0.5), 0.0
        for r in (4.0, 6.0, 9.0):
            room = 2 * _POINTS * math.log(r) - DEPTH - 3 - math.log1p(steep * 2 * self.epsilon0)
            widest = max(widest, room / (t * (r - 1 / r) / 4 + steep * ((r + 1 / r) / 4 - 0.5) + 1e-300))
        if not widest > 0:
            raise Undefined(
                f"Releases whose losses reach {self.epsilon0:.3g} hide nothing, and are not composed with others. "
                "Leave the others out, or check their noise and their sensitivity."
            )
        return min(widest, 2 * self.epsilon0)

    def nodes(self, first: float, last: float, grade: float) -> Nodes:
        edges = np.linspace(*self.support, math.ceil(2 * self.epsilon0 / grade) + 1)
        half = (edges[1] - edges[0]) / 2
        points, weights = _RULE
        loss = ((edges[:-1] + half)[:, None] + half * points).ravel()
        log_weight = np.tile(np.log(half * weights), len(edges) - 1) - loss / 2 + self._log_density
        loss, log_weight = np.append(loss, self.support), np.append(log_weight, self._log_ends)
        keep = log_weight > -math.inf
        loss, log_weight = loss[keep], log_weight[keep]
        # the weights of the rule have errors of some units
        weight_error = 3.0 + self.epsilon0 / 2 + np.abs(log_weight) / 2
        return Nodes(loss, log_weight, np.full_like(loss, self.epsilon0 / 2), weight_error)

    @property
    def reach(self) -> float:
        """The largest absolute loss."""
        return self.epsilon0

    @property
    @abstractmethod
    def _log_density(self) -> float:
        """Log of the density at 0."""

    @property
    def _log_ends(self) -> tuple[float, float]:
        """Logs of the masses at both ends."""
        return -math.inf, -math.inf

    def _rounded_up(self, c: float, bound: Floats) -> Floats:
        """A bound rounded up to cover the rounding of exponents of size (|c| + 1)·epsilon0."""
        return np.minimum(bound * (1 + 1e-11 + 8 * UNIT * (abs(c) + 1) * self.epsilon0), 1.0)


@dataclass(frozen=True)
class LaplaceLoss(BoundedLoss):
    """M(s) = {s·e^{(s − 1)·epsilon0} + (s − 1)·e^{−s·epsilon0}}/(2s − 1).

    That is e^{−epsilon0/2}·{cosh u + epsilon0/2·sinhc u} with u = (s − ½)·epsilon0.
    """

    @property
    def _log_density(self) -> float:
        return -math.log(4) - self.epsilon0 / 2

    @property
    def _log_ends(self) -> tuple[float, float]:
        return -math.log(2), -math.log(2) - self.epsilon0

    def envelope(self, c: float, t: Floats) -> Floats:
        # |M| ≤ {|s|·e^{(c − 1)·epsilon0} + |s − 1|·e^{−c·epsilon0}}/|2s − 1|, and both quotients are monotone in t
        e, u = self.epsilon0, abs(c - 0.5) * self.epsilon0
        k = u - e / 2 + math.log((1 + math.exp(-2 * u)) / 2 + e / 2 * _scaled_sinhc(u))

        def quotient(a: float) -> Floats:
            return np.maximum(np.sqrt((a * a + t * t) / ((2 * c - 1) ** 2 + 4 * t * t)), 0.5)

        bound = quotient(c) * math.exp((c - 1) * e - k) + quotient(c - 1) * math.exp(-c * e - k)
        return self._rounded_up(c, bound)


@dataclass(frozen=True)
class LogisticLoss(BoundedLoss):
    """M(s) = sinhc(u)/sinhc(epsilon0/2), u = (s − ½)·epsilon0: the loss of logistic noise, bounded range."""

    @property
    def _log_density(self) -> float:
        return -math.log(2) - self.epsilon0 / 2 - math.log(-math.expm1(-self.epsilon0))

    def envelope(self, c: float, t: Floats) -> Floats:
        # |sinh u| ≤ cosh(Re u)
        e, u = self.epsilon0, abs(c - 0.5) * self.epsilon0
        return self._rounded_up(c, (1 + math.exp(-2 * u)) / (2 * e * _scaled_sinhc(u)) / t)


def _scaled_sinhc(u: float) -> float:
    """e^{−u}·sinh(u)/u for u ≥ 0."""
    return -math.expm1(-2 * u) / (2 * u) if u > 1e-300 else 1.0


@dataclass(frozen=True, eq=False)
class AtomicLoss(NodeLaw):
    """Finitely many losses with their masses under H0."""

    p: Floats
    loss: Floats
    infinity_masses: tuple[float, float] = (0.0, 0.0)
    rare: float = 0.0
    is_symmetric: bool = False

    @cached_property
    def _nodes(self) -> Nodes:
        some = self.p > 0
        loss = self.loss[some]
        log_weight = np.log(self.p[some])
        return Nodes(loss, log_weight, np.abs(loss), 1.0 + np.abs(log_weight) / 2)

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return (-math.inf, math.inf) if self.rare else self.listed

    @property
    def listed(self) -> tuple[float, float]:
        """The smallest and the largest loss in the list."""
        loss = self._nodes.loss
        return float(loss.min()), float(loss.max())

    @property
    def reach(self) -> float:
        """The largest absolute loss."""
        return max(map(abs, self.listed))

    @property
    def is_small(self) -> bool:
        """Whether there are few losses."""
        return len(self.p) <= _FEW

    def cost(self, c: float, t: float) -> float:
        return len(self._nodes.loss) / 5

    def grade(self, c: float, t: float) -> float:
        return 1.0

    def nodes(self, first: float, last: float, grade: float) -> Nodes:
        return self._nodes

    def envelope(self, c: float, t: Floats) -> Floats:
        return np.ones_like(t)  # losses on a lattice return in phase
