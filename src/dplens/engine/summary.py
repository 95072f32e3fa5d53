"""The tightest mu of a composition, from those of its steps.

Where every step's curve lies above G_mu, the composition's lies above G with the root of the summed squares. And
where the loss of a step has a Gaussian tail, full shifts in every step decide at the smallest alphas, however rare: the
mu that is needed there tends to the root of the summed squares of the tails' own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from dplens._numerics import normal
from dplens.curves.base import MILD, TradeOff
from dplens.engine.derived_laws import ReversedLoss
from dplens.engine.laws import GaussianLoss, LossLaw
from dplens.engine.sampled import SampledGaussianLoss
from dplens.engine.symmetric import SymmetricSampleLoss

_CLOSE = 1e-12  # relative distance at which both bounds count as equal


def composed_mu(
    curve: TradeOff, laws: Sequence[tuple[LossLaw, int]], steps: Sequence[tuple[TradeOff, int]]
) -> tuple[float, float]:
    """Bounds on the least mu with f ≥ G_mu, from the steps and those of their loss laws that are known."""
    high = math.sqrt(math.fsum(count * step._mu()[1] ** 2 for step, count in steps)) * (1 + 1e-15)
    low = math.sqrt(math.fsum(count * _tail_mu(law) ** 2 for law, count in laws)) * (1 - 1e-15)
    if low >= high * (1 - _CLOSE):
        return low, high
    z = np.linspace(-4.0, 4.0, 33)  # a look at the curve itself, where it is cheap
    for side in (curve, curve.inverse()):
        alpha, co = ndtr(z), ndtr(-z)
        gap = normal.quantile(side.bounded_power(MILD, alpha, co), side.bounded_beta(MILD, alpha, co)) - z
        low = max(low, float(np.max(gap[np.isfinite(gap)], initial=0.0)))
    return min(low, high), high


def _tail_mu(law: LossLaw) -> float:
    law = law.base if isinstance(law, ReversedLoss) else law
    return law.mu if isinstance(law, (GaussianLoss, SampledGaussianLoss, SymmetricSampleLoss)) else 0.0
