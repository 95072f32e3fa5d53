"""Sampled Gaussian or Laplace steps with so little noise that they all but reveal who takes part.

Their losses go into the thousands, too far for a lattice and too rare for a line. But next to nothing is lost by
bounds: such a step reveals no more than everything, and no less than whether its output lies beyond the middle.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtrc

from dplens.curves.base import RISKY, Floats, TradeOff
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.hull import HullCurve, hull_of
from dplens.curves.laplace import LaplaceCurve
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.sampled import SampledCurve, SampledMirror, sampled

_LITTLE_LAPLACE = 700.0  # the same for Laplace noise, whose losses up to there are on a line
_LITTLE = 22.0  # shift from which the bounds are closer than a lattice: the middle misleads with chance 2e-28


def has_little_noise(curve: TradeOff) -> bool:
    """A sampled Gaussian or Laplace step that shows nearly everything of those who take part."""
    match curve:
        case SampledMirror():
            return has_little_noise(curve.forward)
        case HullCurve():
            return any(has_little_noise(part) for part in curve.parts)
        case SampledCurve(base=GaussianCurve(shift=mu)):
            return mu > _LITTLE
        case SampledCurve(base=LaplaceCurve(epsilon0=epsilon)):
            return epsilon > _LITTLE_LAPLACE
    return False


def outright(curve: TradeOff, side: int) -> TradeOff:
    """Such a step as if it showed everything (risky), or only whether the output lies beyond the middle (mild)."""
    match curve:
        case SampledMirror():
            return outright(curve.forward, side).inverse()
        case HullCurve():
            return hull_of([outright(part, side) for part in curve.parts])
        case SampledCurve(base=GaussianCurve() | LaplaceCurve() as base) if has_little_noise(curve):
            mistaken = 0.0 if side == RISKY else max(float(base._rates(np.zeros(1))[0][0]), 1e-290)
            odds = math.inf if side == RISKY else math.log1p(-mistaken) - math.log(mistaken)
            right = np.array([1 - mistaken, mistaken])
            pair = PiecewiseCurve.from_pair(right, right[::-1].copy(), np.array([-odds, odds]), 1e-14)
            return sampled(pair, curve.rate)
    return curve


@dataclass(frozen=True)
class Revealed:
    """A bound on epsilon(delta), were it told when the target took part: then k times are one Gaussian release.

    With chance at most delta/2 there are more than k such times; then let everything be known.
    """

    mu: float
    rate: float
    count: int

    def __call__(self, delta: Floats) -> Floats:
        return np.array([self._most(float(x)) if x > 0 else math.inf for x in delta])

    def _most(self, delta: float) -> float:
        low, high = -1, self.count  # more than ``high`` times never happens
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if bdtrc(middle, self.count, self.rate) <= 0.49 * delta else (middle, high)
        if high == 0:
            return 0.0
        together = GaussianCurve(min(self.mu * math.sqrt(high) * (1 + 1e-15), sys.float_info.max))
        return float(together.bounded_epsilon(RISKY, np.array([delta / 2]))[0])


def revealed_epsilon(steps: Sequence[tuple[TradeOff, int]]) -> Revealed | None:
    """That bound, where all steps are of one kind."""
    if len(steps) != 1:
        return None
    curve, count = steps[0]
    forward = curve.forward if isinstance(curve, SampledMirror) else curve
    if not (isinstance(forward, SampledCurve) and isinstance(forward.base, GaussianCurve)):
        return None
    return Revealed(forward.base.shift, forward.rate, count)
