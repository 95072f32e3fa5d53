"""The loss of a Poisson-sampled Laplace step, by a quadrature with a proved error.

Without sampling the loss l is −epsilon with probability ½, epsilon with probability e^{−epsilon}/2, and has density
e^{−(l + epsilon)/2}/4 between, all under H0. With sampling it is L = log(1 − q + q·e^l).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import expit

from dplens.curves.sampled_normal import thinned
from dplens.engine.decay import at, cells_between, decay
from dplens.engine.laws import Floats
from dplens.engine.nodes import DEPTH, NodeLaw, NodeLine, Weights, legendre, tilted_axis, tilted_line

_POINTS = 24  # of Gauss and Legendre in every panel
_MOST = 1_000_000  # such steps, beyond which decay is not looked for
_FINE = 120  # steps between the two atoms from which decay is bounded, at least


@dataclass(frozen=True)
class SampledLaplaceLoss(NodeLaw):
    """One step of the given epsilon in which each record takes part with probability ``rate``."""

    epsilon: float
    rate: float

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        low, high = self.loss(np.array([-self.epsilon, self.epsilon]))
        return float(low), float(high)

    def loss(self, x: Floats) -> Floats:
        """L of l."""
        return thinned(x, self.rate)

    def shares(self, x: Floats) -> Floats:
        """The posterior chance that the record took part: the derivative of L."""
        return expit(x + math.log(self.rate) - math.log1p(-self.rate))

    def _panel(self, c: float, t: float) -> float:
        """Width of panels in which Gauss–Legendre quadrature errs by less than e^{−DEPTH}·M(c).

        On an ellipse around a panel of width w, with semi-axes w/4·(r ± 1/r), the smaller y and the larger reaching
        x ≤ 1 beyond the panel, the integrand grows by at most e^{t·y·v}·cos(y/2)^{min(c, 0)}, v twice the largest share
        (and no more than 1), and along it by e^{(|c|·v + ½)·(w + 2x)}. The error is at most that times
        64/15·w/2·r^{−2n}/(1 − r^{−2}) (Trefethen 2008, Theorem 4.5); 4 more in the exponent cover the constants.
        """
        v = min(2 * float(self.shares(np.array([self.epsilon + 1]))[0]), 1.0)
        width = 2 * self.epsilon
        while True:
            for r in (2.5, 4.0, 6.0, 9.0):
                y, x = width / 4 * (r - 1 / r), width / 4 * (r + 1 / r) - width / 2
                if y > 2.4 or x > 1:
                    continue
                growth = t * y * v - max(-c, 0.0) * math.log(math.cos(y / 2)) + (abs(c) * v + 0.5) * (width + 2 * x)
                if 2 * _POINTS * math.log(r) > DEPTH + 4 + growth:
                    return width
            width *= 0.8

    def cost(self, c: float, t: float) -> float:
        return _POINTS * math.ceil(2 * self.epsilon / self._panel(c, t)) / 5

    def _nodes(self, c: float, t: float) -> tuple[Floats, Floats]:
        """Losses, the two atoms last, and the logarithms of their weights under H0."""
        edges = np.linspace(-self.epsilon, self.epsilon, math.ceil(2 * self.epsilon / self._panel(c, t)) + 1)
        half = (edges[1] - edges[0]) / 2
        points, weights = legendre(_POINTS)
        x = ((edges[:-1] + half)[:, None] + half * points).ravel()
        inner = np.tile(np.log(half * weights / 4), len(edges) - 1) - (x + self.epsilon) / 2
        ends = np.array([-self.epsilon, self.epsilon])
        return self.loss(np.append(x, ends)), np.append(inner, [-math.log(2), -self.epsilon - math.log(2)])

    def line(self, c: float, t: float) -> NodeLine:
        return _line(self, c, t)

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        far = float(c[np.argmax(np.abs(c))])
        return tilted_axis(*self._nodes(far, 0.0), c)

    def envelope(self, c: float, t: Floats) -> Floats:
        if _cells(self, c) > _MOST:  # no characteristic function exceeds 1
            return np.ones_like(t)
        return at(*_decay(self, c, float(t[0])), t)


@lru_cache(maxsize=64)
def _line(law: SampledLaplaceLoss, c: float, t: float) -> NodeLine:
    loss, log_weight = law._nodes(c, t)
    shaky = np.abs(loss) + law.epsilon * float(law.shares(np.array([law.epsilon]))[0]) + (loss < -0.5)
    return tilted_line(loss, shaky, Weights(log_weight, np.abs(log_weight)), c)


def _cells(law: SampledLaplaceLoss, c: float) -> int:
    return max(_FINE, 4 * math.ceil(2 * law.epsilon * (1 + abs(c)) / 4))


def _decay(law: SampledLaplaceLoss, c: float, least: float) -> tuple[Floats, Floats]:
    """Between the atoms: with w the chance of having taken part, L' = w and L'' = w·(1 − w).

    The second derivative of the log-density is c·L'', the derivative of log(density/L') is c·w − ½ − (1 − w), with
    one zero at most.
    """
    k = float(law.axis(np.array([c]))[0][0])
    steps = _cells(law, c)
    x, step = np.linspace(-law.epsilon, law.epsilon, steps + 1, retstep=True)
    loss, w = law.loss(x), law.shares(np.append(x, x[-1] + step))
    density = np.exp(c * loss - (x + law.epsilon) / 2 - k) / 4
    parts = cells_between(float(step), loss, density, w[:-1], c * np.minimum(w[1:], 0.25), abs(c) * w[1:] + 1.5)
    atoms = np.exp(c * loss[[0, -1]] + np.array([0.0, -law.epsilon]) - k) / 2
    return decay([parts], [(float(loss[0]), float(atoms[0])), (float(loss[-1]), float(atoms[1]))], least)
