"""Bounded losses: Laplace and logistic noise, and finitely many losses."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial.legendre import leggauss

from dplens.errors import Undefined
from dplens.losses.base import DEPTH, UNIT, Floats, NodeLaw, Nodes
from dplens.numerics.sharing import cached_property

_POINTS, _FEWER = 24, 14  # of Gauss–Legendre quadrature per panel; fewer where one such panel is enough
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

        Infinite if one panel of fewer points is enough. On an ellipse around a panel of width w, with semi-axes
        w/4·(r ± 1/r), the integrand e^{(s − ½)·L} is at most
        e^{t·y + |c − ½|·x} times its value on the panel, with y the smaller semi-axis and x the distance by which the
        larger one exceeds the panel. The error is at most 64/15·w/2·r^{−2n}/(1 − r^{−2}) times that (Trefethen 2008,
        Theorem 4.5), and the maximum of the integrand at most 1 + |c − ½|·2·epsilon0 times its mean.
        """
        steep = abs(c - 0.5)

        def widest(points: int, r: float) -> float:
            room = 2 * points * math.log(r) - DEPTH - 3 - math.log1p(steep * 2 * self.epsilon0)
            return room / (t * (r - 1 / r) / 4 + steep * ((r + 1 / r) / 4 - 0.5) + 1e-300)

        if widest(_FEWER, 20.0) >= 2 * self.epsilon0:
            return math.inf
        width = max(widest(_POINTS, r) for r in (4.0, 6.0, 9.0))
        if not width > 0:
            raise Undefined(
                f"Releases whose losses reach {self.epsilon0:.3g} hide nothing, and are not composed with others. "
                "Leave the others out, or check their noise and their sensitivity."
            )
        return min(width, 2 * self.epsilon0)

    def nodes(self, first: float, last: float, grade: float) -> Nodes:
        together = bounded_nodes([self], math.ceil(2 * self.epsilon0 / grade))
        return Nodes(*(row[0, together.log_weight[0] > -math.inf] for row in together))

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

    @staticmethod
    @abstractmethod
    def envelopes(epsilon0: Floats, c: float, t: Floats) -> Floats:
        """``envelope`` for many epsilon0, a column."""

    def envelope(self, c: float, t: Floats) -> Floats:
        return self.envelopes(np.array([[self.epsilon0]]), c, t)[0]


def _rounded_up(epsilon0: Floats, c: float, bound: Floats) -> Floats:
    """A bound rounded up to cover the rounding of exponents of size (|c| + 1)·epsilon0."""
    return np.minimum(bound * (1 + 1e-11 + 8 * UNIT * (abs(c) + 1) * epsilon0), 1.0)


def bounded_nodes(laws: Sequence[BoundedLoss], panels: int) -> Nodes:
    """The nodes of each law on so many panels, or on one of fewer points (0); the last two are the ends."""
    x, log_weight = _rule(panels)
    epsilon0, density = np.array([(law.epsilon0, law._log_density) for law in laws]).T[:, :, None]
    loss = epsilon0 * x
    inner = log_weight + (np.log(epsilon0) + density) - loss[:, :-2] / 2
    log_weight = np.concatenate([inner, np.array([law._log_ends for law in laws])], axis=1)
    # the weights of the rule have errors of some units
    weight_error = 3.0 + epsilon0 / 2 + np.abs(log_weight) / 2
    return Nodes(loss, log_weight, np.broadcast_to(epsilon0 / 2, loss.shape), weight_error)


@lru_cache(maxsize=64)
def _rule(panels: int) -> tuple[Floats, Floats]:
    """Points of [−1, 1] and its ends, and the logs of the weights of the points."""
    points, weights = leggauss(_POINTS if panels else _FEWER)
    edges = np.linspace(-1.0, 1.0, max(panels, 1) + 1)
    half = (edges[1] - edges[0]) / 2
    x = ((edges[:-1] + half)[:, None] + half * points).ravel()
    return np.append(x, [-1.0, 1.0]), np.tile(np.log(half * weights), len(edges) - 1)


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

    @staticmethod
    def envelopes(epsilon0: Floats, c: float, t: Floats) -> Floats:
        # |M| ≤ {|s|·e^{(c − 1)·epsilon0} + |s − 1|·e^{−c·epsilon0}}/|2s − 1|, and both quotients are monotone in t
        e, u = epsilon0, abs(c - 0.5) * epsilon0
        k = u - e / 2 + np.log((1 + np.exp(-2 * u)) / 2 + e / 2 * _scaled_sinhc(u))

        def quotient(a: float) -> Floats:
            return np.maximum(np.sqrt((a * a + t * t) / ((2 * c - 1) ** 2 + 4 * t * t)), 0.5)

        return _rounded_up(e, c, quotient(c) * np.exp((c - 1) * e - k) + quotient(c - 1) * np.exp(-c * e - k))


@dataclass(frozen=True)
class LogisticLoss(BoundedLoss):
    """M(s) = sinhc(u)/sinhc(epsilon0/2), u = (s − ½)·epsilon0: the loss of logistic noise, bounded range."""

    @property
    def _log_density(self) -> float:
        return -math.log(2) - self.epsilon0 / 2 - math.log(-math.expm1(-self.epsilon0))

    @staticmethod
    def envelopes(epsilon0: Floats, c: float, t: Floats) -> Floats:
        u = abs(c - 0.5) * epsilon0
        # |sinh u| ≤ cosh(Re u)
        return _rounded_up(epsilon0, c, (1 + np.exp(-2 * u)) / (2 * epsilon0 * _scaled_sinhc(u)) / t)


def _scaled_sinhc(u: Floats) -> Floats:
    """e^{−u}·sinh(u)/u for u ≥ 0."""
    return np.where(u > 1e-300, -np.expm1(-2 * u) / np.maximum(2 * u, 1e-300), 1.0)


@dataclass(frozen=True, eq=False)
class AtomicLoss(NodeLaw):
    """Finitely many losses, in increasing order, with their masses under H0."""

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

    @cached_property
    def listed(self) -> tuple[float, float]:
        """The smallest and the largest loss in the list."""
        loss = self.loss[self.p > 0]
        return float(loss[0]), float(loss[-1])

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
