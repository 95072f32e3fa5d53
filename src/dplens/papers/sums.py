"""Independent checks of formulas: sums over two densities on a fine grid.

No formula for a curve, an area or a divergence appears here, so formulas shared by the library and a paper are not
checked against themselves.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


CELLS = 2000


def normal_cells(shift: float) -> tuple[Floats, Floats]:
    """The shares of N(0, 1) and N(shift, 1) in narrow cells, for tests that sort them by their likelihood ratio."""
    from scipy import stats

    edges = np.linspace(-9.0, shift + 9.0, CELLS + 1)
    shares = []
    for law in (stats.norm(0.0, 1.0), stats.norm(shift, 1.0)):  # from whichever end is nearer: no cell may vanish
        parts = np.where(edges[1:] < law.mean(), np.diff(law.cdf(edges)), -np.diff(law.sf(edges)))
        shares.append(parts / parts.sum())
    return shares[0], shares[1]


class Sums:
    """The best test between two laws whose likelihood ratio grows with the output, from their densities alone.

    absent, present: laws as in scipy.stats, of the output without and with the target. low, high: where the grid begins
    and ends; beyond it lies nothing that counts.

    >>> from scipy import stats
    >>> sums = Sums(stats.norm(0, 1), stats.norm(1, 1), low=-10, high=11)
    >>> round(sums.auc(), 6), round(sums.power(0.1), 6)
    (0.76025, 0.389144)
    """

    def __init__(self, absent: Any, present: Any, *, low: float, high: float) -> None:
        outputs = np.linspace(low, high, math.ceil((high - low) / 2e-4) + 1)
        self._width = float(outputs[1] - outputs[0])
        self._logs = absent.logpdf(outputs), present.logpdf(outputs)
        self._absent, self._present = (np.exp(log) for log in self._logs)
        self._loss = self._logs[1] - self._logs[0]
        self._tails = self._above(self._absent), self._above(self._present)

    def _above(self, density: Floats) -> Floats:
        """The area to the right of each place."""
        parts = self._width * (density[1:] + density[:-1]) / 2
        return np.append(np.cumsum(parts[::-1])[::-1], 0.0)

    def _area(self, heights: Floats) -> float:
        return self._width * float(heights.sum() - (heights[0] + heights[-1]) / 2)

    def power(self, fpr: float) -> float:
        """The share of the present law above the cut-off that this share of the absent law exceeds."""
        return float(np.interp(fpr, self._tails[0][::-1], self._tails[1][::-1]))

    def auc(self) -> float:
        """The probability that an output with the target is larger than one without."""
        return self._area(self._present * (1 - self._tails[0]))

    def delta(self, epsilon: float) -> float:
        """The area by which one density exceeds e^epsilon times the other."""
        return self._area(np.maximum(self._present - math.exp(epsilon) * self._absent, 0.0))

    def renyi(self, order: float) -> float:
        """The Rényi divergence of the present law from the absent one."""
        exponent = order * self._logs[1] - (order - 1) * self._logs[0]
        top = float(exponent.max())
        return (top + math.log(self._area(np.exp(exponent - top)))) / (order - 1)

    def loss(self) -> tuple[float, float]:
        """Mean and variance of the privacy loss under the present law."""
        mean = self._area(self._present * self._loss)
        return mean, self._area(self._present * (self._loss - mean) ** 2)

    def loss_below(self, value: float) -> float:
        """The probability, under the present law, that the privacy loss is at most this value."""
        return 1 - float(np.interp(value, self._loss, self._tails[1]))

    def largest_ratio(self) -> float:
        """The largest likelihood ratio on the grid."""
        return math.exp(float(self._loss.max()))
