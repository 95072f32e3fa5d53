"""The curve of a release that shows the target as it is with some probability, and else tells nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens._numerics.enclosure import Enclosure
from dplens._numerics.lattice import two_product
from dplens.curves.base import Floats
from dplens.curves.piecewise import PiecewiseCurve


@dataclass(frozen=True, eq=False)
class RevealingCurve(PiecewiseCurve):
    """f = max(0, 1 − d − alpha), d = (whole + rest)/unit: beta from unit·(1 − alpha), exactly, less whole and rest.

    Formed from a rounded d, a beta near the foot of the curve would have no digits. ``unit`` and ``whole`` are exact,
    ``rest`` is known to rounding: near the foot its last digits are what is known of beta.
    """

    unit: float = 1.0
    whole: float = 0.0
    rest: float = 0.0

    @classmethod
    def of(cls, shared: float, alone: float, unit: float, whole: float, rest: float = 0.0) -> RevealingCurve:
        """From d (``alone``) and 1 − d (``shared``), each good to its last digits."""
        p = np.array([0.0, shared, alone])
        curve = PiecewiseCurve.from_pair(p, p[::-1].copy(), np.array([math.inf, 0.0, -math.inf]))
        return cls(curve.p, curve.q, curve.loss, 1e-15, 1e-15, unit=unit, whole=whole, rest=rest)

    def _beta_and_slack(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """1 − d − alpha, negative beyond the foot, and its rounding."""
        low, left = alpha <= 0.5, self.unit - self.whole
        product, lost = two_product(np.where(low, alpha, co), self.unit)
        beyond = np.where(low, (left - product) - lost, (product - self.whole) + lost)
        slack = abs(self.rest) + np.abs(beyond) + np.abs(beyond - self.rest)
        if self.whole < self.unit / 2:  # else their difference is exact
            slack += np.where(low, abs(left), 0.0)
        return (beyond - self.rest) / self.unit, 4.5e-16 * slack / self.unit

    def beta_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        beta, slack = self._beta_and_slack(alpha, co)
        return Enclosure(beta - slack, beta + slack).clipped(0.0, co)
