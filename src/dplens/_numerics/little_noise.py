"""Averages over the loss of a Poisson-sampled Gaussian step with little noise.

With u = mu·x − mu²/2 the loss is log(1 − q + q·e^u). When mu is large, few outcomes have nearly all of the divergence,
so few that their false-positive rate is no float any more: the average is taken over the outcomes themselves. They lie
around 0, and around a·mu when weighted by e^{a·loss}; near the latter x = a·mu + z, so that nothing cancels.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

Floats = npt.NDArray[np.float64]

_REACH = 10.0  # standard deviations; what lies beyond weighs less than e^{−50}
_COARSE = 0.1
_MOST = 400_000


class LittleNoise:
    """x is standard normal under H0, and with probability ``rate`` moved by ``mu`` under H1."""

    def __init__(self, mu: float, rate: float) -> None:
        self.mu, self.rate = mu, rate
        self._odds = math.log1p(-rate) - math.log(rate)

    def serves(self, order: float) -> bool:
        """Whether outcomes around 0 and around order·mu lie apart, and outcomes are better than rates."""
        return self.mu >= 25 and order * self.mu > 2 * _REACH + 1

    def _loss(self, u: Floats) -> Floats:
        high = np.maximum(u, 0.0)
        far = high + math.log(self.rate) + np.log1p(np.exp(np.minimum(self._odds - high, 700.0)))
        return np.where(u > 0, far, np.log1p(self.rate * np.expm1(np.minimum(u, 0.0))))

    def _around(self, centre: float) -> tuple[Floats, Floats, Floats]:
        """z, log-weights of a standard normal there, and the losses at x = centre·mu + z."""
        turn = (self._odds / self.mu + self.mu / 2) - centre * self.mu  # where taking part becomes likely
        step = _COARSE if abs(turn) > 2 * _REACH else max(0.25 / self.mu, 2 * _REACH / _MOST)
        z = np.asarray(step * np.arange(-math.ceil(_REACH / step), math.ceil(_REACH / step) + 1), dtype=np.float64)
        with np.errstate(over="ignore"):  # a square beyond the largest float
            u = (centre - 0.5) * (self.mu * self.mu) + self.mu * z
        return z, math.log(step / math.sqrt(2 * math.pi)) - z * z / 2, self._loss(u)

    def divergence(self, order: float) -> float:
        """Rényi divergence of the given order of H1 from H0."""
        gap = order - 1
        if math.isinf(order * gap * (self.mu * self.mu)):
            if gap > 0:
                return math.inf
            _, weight, loss = self._around(0.0)
            return math.log1p(float(np.exp(weight) @ np.expm1(order * loss))) / gap
        # beyond: q^a·e^{a(a − 1)·mu²/2}·E[(e^{loss}/(q·e^u))^a]
        z, weight, loss = self._around(order)
        if abs(gap) * float(np.max(loss)) <= 1:  # E_1[expm1(gap·loss)], over the two parts of H1
            total = self.average(lambda x: np.expm1(gap * x) / gap if gap else x, present=True)
            return math.log1p(gap * total) / gap if gap else total
        u = (order - 0.5) * self.mu**2 + self.mu * z
        far = float(np.asarray(logsumexp(weight + order * (loss - u)))) + order * gap * self.mu**2 / 2
        _, weight, loss = self._around(0.0)
        near = float(np.exp(weight) @ np.expm1(order * loss))  # M − 1 without what lies beyond
        return (math.log1p(near + math.exp(far)) if far < 0 else far + math.log1p((1 + near) * math.exp(-far))) / gap

    def average(self, function: Callable[[Floats], Floats], *, present: bool) -> float:
        """E[function(loss)] under H1 or H0."""
        _, weight, loss = self._around(0.0)
        calm = float(np.exp(weight) @ function(loss))
        if not present:
            return calm
        _, weight, loss = self._around(1.0)
        return (1 - self.rate) * calm + self.rate * float(np.exp(weight) @ function(loss))
