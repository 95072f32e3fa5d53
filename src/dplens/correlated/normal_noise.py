"""The law of noise plus an independent normal error: what an attacker sees who averages over Gaussian tuples."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtri

from dplens._numerics.laws import Law, quantile_landmarks
from dplens._numerics.quadrature import unit_nodes
from dplens._numerics.search import sign_change

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class NormalLaplaceLaw:
    """N(0, sd²) + Lap(scale): log-concave, as a convolution of log-concave laws.

    With z = x/sd and h = sd/scale, the density is (L₊ + L₋)/(2·scale), log L± = h²/2 ∓ x/scale + log Φ(±z − h), and
    P(X > x) = Φ(−z) + ½(L₊ − L₋) (Reed & Jorgensen 2004; Fondeville §4). All in logs: the factors overflow alone.
    """

    sd: float
    scale: float

    def _parts(self, x: Floats) -> tuple[Floats, Floats]:
        x = np.clip(x, -1e300, 1e300)
        z, h = x / self.sd, self.sd / self.scale
        return h * h / 2 - x / self.scale + log_ndtr(z - h), h * h / 2 + x / self.scale + log_ndtr(-z - h)

    def logpdf(self, x: Floats) -> Floats:
        return np.logaddexp(*self._parts(x)) - math.log(2 * self.scale)

    def sf(self, x: Floats) -> Floats:
        at = np.abs(x)
        above, below = self._parts(at)
        # for x ≥ 0: Φ(−z) − ½L₋ is positive and smaller than ½L₊, which carries the tail
        tail = np.exp(log_ndtr(-at / self.sd)) + 0.5 * (np.exp(above) - np.exp(below))
        return np.where(x >= 0, tail, 1 - tail)

    def cdf(self, x: Floats) -> Floats:
        return self.sf(-x)

    def isf(self, p: Floats) -> Floats:
        small = np.minimum(p, 1 - p)
        with np.errstate(divide="ignore"):
            high = 40 * self.sd + self.scale * np.maximum(-np.log(small), 0.0) + self.sd**2 / self.scale
        fixed = ~np.isfinite(high)
        high = np.where(fixed, 1.0, high)
        goal = np.log(np.where(fixed, 0.5, small))

        def excess(x: Floats) -> Floats:
            with np.errstate(divide="ignore"):
                return np.log(np.maximum(self.sf(x), 1e-320)) - goal

        left, right = sign_change(excess, np.full_like(high, -self.sd), high)
        x = np.where(fixed, np.inf, (left + right) / 2)
        return np.where(p <= 0.5, x, -x)

    def ppf(self, p: Floats) -> Floats:
        return -self.isf(p)

    def support(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def landmarks(self) -> Floats:
        return quantile_landmarks(self)


@dataclass(frozen=True, eq=False)
class SmoothedLaw:
    """N(0, sd²) + noise, by quadrature over the normal error, for noise without a closed form.

    A convolution of log-concave laws is log-concave. Quantiles are bounds only, to place cells by.
    """

    noise: Law
    sd: float

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats]:
        """Nodes of the normal error with their log-weights, out to 39 standard deviations."""
        t, w = unit_nodes(12)
        edges = np.concatenate([np.arange(-39.0, -6, 1.5), np.arange(-6, 6.0, 0.5), np.arange(6, 39.1, 1.5)])
        z = (edges[:-1, None] + np.diff(edges)[:, None] * t).ravel()
        log_w = np.log((np.diff(edges)[:, None] * w).ravel()) - z * z / 2 - 0.5 * math.log(2 * math.pi)
        return self.sd * z, log_w

    def _mean(self, log_function: Callable[[Floats], Floats], x: Floats) -> Floats:
        """log of the mean of exp(log_function(x − error))."""
        at, log_w = self._nodes
        flat = x.ravel()
        out = np.empty_like(flat)
        rows = max(1, 2_000_000 // len(at))
        for i in range(0, len(flat), rows):
            offset = np.subtract.outer(flat[i : i + rows], at)
            with np.errstate(all="ignore"):
                logs = log_function(offset.ravel()).reshape(offset.shape) + log_w
            top = logs.max(axis=1)
            shift = np.where(np.isfinite(top), top, 0.0)
            with np.errstate(divide="ignore"):
                out[i : i + rows] = shift + np.log(np.exp(logs - shift[:, None]).sum(axis=1))
        return out.reshape(x.shape)

    def logpdf(self, x: Floats) -> Floats:
        return self._mean(self.noise.logpdf, x)

    def cdf(self, x: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.exp(np.minimum(self._mean(lambda y: np.log(self.noise.cdf(y)), x), 0.0))

    def sf(self, x: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.exp(np.minimum(self._mean(lambda y: np.log(self.noise.sf(y)), x), 0.0))

    def ppf(self, p: Floats) -> Floats:
        return self.noise.ppf(p) + self.sd * ndtri(p)

    def isf(self, p: Floats) -> Floats:
        return self.noise.isf(p) - self.sd * ndtri(p)

    def support(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def landmarks(self) -> Floats:
        return quantile_landmarks(self)
