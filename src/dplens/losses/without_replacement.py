"""The loss of a Gaussian step on records sampled without replacement, symmetrised.

rate·f + (1 − rate)·Id, with f the Gaussian curve, is the curve of the Poisson-sampled step; call its losses L. Its hull
with its mirror image follows it where L > 0, the mirror image where L < 0, and has slope −1 in between. Reason: at
e^epsilon = 1 + rate·z, z ≥ 0, the two profiles are rate·D(1 + z) and rate·w·D((1 + rate·z)/w) with
w = 1 − z·(1 − rate) and D the profile of f as a function of e^epsilon; the second has the smaller factor and the larger
argument.

So the losses are those with L > 0 under H0, their mirror images, and 0 otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import erf

from dplens.losses.base import DEPTH, Floats, Nodes
from dplens.losses.sampled import CONSTANT, REACH, ROOT, SampledGaussianLoss, grid


@dataclass(frozen=True)
class SymmetricSampleLoss(SampledGaussianLoss):
    """One step of noise multiplier 1/mu on a share ``rate`` of the records, both directions at once.

    x = mu/2 + log(1 + e^u) maps the real line to the outcomes with L > 0, and a line above it to a path that leaves
    L = 0 at an angle and then becomes horizontal; the trapezoidal rule in u works on both.
    """

    is_symmetric = True

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return -math.inf, math.inf

    @property
    def still(self) -> float:
        """Mass of loss 0 under both hypotheses: 1 minus the masses of L > 0 and of its mirror image."""
        return (1 - self.rate) * float(erf(self.mu / math.sqrt(8)))

    def cost(self, c: float, t: float) -> float:
        low, high = self._ends(c)
        return 2 * (high - low) / max(abs(self.grade(c, t)), 1e-300) / 5

    def _excess(self, c: float, v: float) -> float:
        """Log of the growth of the integrand, without e^{i·t·L}, from the real line to |Im u| = v ≤ π/2.

        log|1 + e^u| falls by at most dip = −log cos(v/2), and by less than ½ of 1/x far out; |dx/du| grows
        by e^dip, the Gaussian weight by v²/2 and x·dip, negative powers of e^L by cos(mu·v/2) and e^{mu·dip}.
        """
        dip, power = -math.log(math.cos(v / 2)), max(-c, c - 1, 0.0)
        return (
            v * v / 2 + (1 + self.mu / 2) * dip + 0.52 + power * (self.mu * dip - math.log(math.cos(self.mu * v / 2)))
        )

    def _spacing(self, c: float, t: float) -> float:
        v = min(1.4, 0.8 * math.pi / self.mu, math.sqrt(16 / max(-c, c - 1, 1e-9)) / self.mu)
        return 2 * math.pi * v / (DEPTH + 3 + self._excess(c, v) + t * self.mu * v)

    def _height(self, c: float) -> float:
        return min(0.75, 0.45 * math.pi / self.mu, math.sqrt(8 / max(-c, c - 1, 1e-9)) / self.mu)

    def _raised_spacing(self, c: float) -> float:
        y = self._height(c)
        return 2 * math.pi * y / (DEPTH + 3 + self._excess(c, 2 * y))

    def _ends(self, c: float) -> tuple[float, float]:
        return -DEPTH - 2, REACH + self.mu * max(c, 1 - c, 1.0)

    def nodes(self, first: float, last: float, grade: float) -> Nodes:
        worst = first if abs(first - 0.5) > abs(last - 0.5) else last
        spacing, is_raised = abs(grade), grade < 0
        u = grid(*self._ends(worst), spacing)
        if not is_raised:
            along = np.logaddexp(0.0, u)
            loss, log_slope = self.loss(self.mu / 2 + along), u - along
        else:
            z = u + 1j * self._height(worst)
            along = np.where(u > 0, z, 0.0) + np.log1p(np.exp(np.where(u > 0, -z, z)))
            loss, log_slope = self.complex_loss(self.mu * along), z - along
        x = self.mu / 2 + along
        log_weight = log_slope - x * x / 2 + (math.log(spacing) - ROOT)
        loss_error = np.abs(loss) + self.mu * np.minimum(self.shares(x.real) * 2, 2.0) * np.abs(along)
        weight_error = CONSTANT + np.abs(log_weight)
        still = max(self.still, 1e-300)
        return Nodes(
            np.concatenate([loss, -np.conj(loss), [0.0]]),
            np.concatenate([log_weight, np.conj(log_weight + loss), [math.log(still)]]),
            np.concatenate([loss_error, loss_error, [0.0]]),
            np.concatenate([weight_error, weight_error + np.abs(loss), [-math.log(still)]]),
        )

    def cells(self, c: float) -> tuple[Floats, Floats, Floats]:
        """The cells of both signs and the one of loss 0."""
        k, start, end = self.raised(c).log_mass, self.mu / 2, self.mu / 2 + self._ends(c)[1]
        mass, low, high = self.cells_between(c, start, end, k)
        mirrored, near, far = self.cells_between(1 - c, start, end, k)
        return (
            np.concatenate([mass, mirrored, [self.still * math.exp(-k)]]),
            np.concatenate([low, -far, [0.0]]),
            np.concatenate([high, -near, [0.0]]),
        )
