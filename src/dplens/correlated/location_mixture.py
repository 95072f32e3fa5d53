"""The law of an output: noise about a value that is itself drawn from finitely many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens._numerics.laws import Law
from dplens._numerics.search import sign_change
from dplens._validate import Floats

_BLOCK = 4_000_000  # entries of outputs × places worked on at once


@dataclass(frozen=True, eq=False)
class LocationMixture:
    """Σ_k weights_k · law of (noise + places_k); weights are positive and sum to 1, places are sorted."""

    noise: Law
    places: Floats
    weights: Floats

    def _summed(self, function: Callable[[Floats], Floats], x: Floats) -> Floats:
        flat = np.asarray(x, float).ravel()
        out = np.empty_like(flat)
        rows = max(1, _BLOCK // len(self.places))
        for start in range(0, len(flat), rows):
            offset = np.subtract.outer(flat[start : start + rows], self.places)
            values = function(offset.ravel()).reshape(offset.shape)
            out[start : start + rows] = values @ self.weights
        return out.reshape(np.shape(x))

    def cdf(self, x: Floats) -> Floats:
        return self._summed(self.noise.cdf, x)

    def sf(self, x: Floats) -> Floats:
        return self._summed(self.noise.sf, x)

    def logpdf(self, x: Floats) -> Floats:
        flat = np.asarray(x, float).ravel()
        out = np.empty_like(flat)
        rows = max(1, _BLOCK // len(self.places))
        share = np.log(self.weights)
        for start in range(0, len(flat), rows):
            offset = np.subtract.outer(flat[start : start + rows], self.places)
            logs = self.noise.logpdf(offset.ravel()).reshape(offset.shape) + share
            top = logs.max(axis=1)
            shift = np.where(np.isfinite(top), top, 0.0)
            with np.errstate(divide="ignore"):
                out[start : start + rows] = shift + np.log(np.exp(logs - shift[:, None]).sum(axis=1))
        return out.reshape(np.shape(x))

    def ppf(self, p: Floats) -> Floats:
        return self._inverted(lambda x: p - self.cdf(x), self.noise.ppf(np.asarray(p, float)))

    def isf(self, p: Floats) -> Floats:
        return self._inverted(lambda x: self.sf(x) - p, self.noise.isf(np.asarray(p, float)))

    def _inverted(self, excess: Callable[[Floats], Floats], of_noise: Floats) -> Floats:
        low, high = of_noise + self.places[0], of_noise + self.places[-1]
        fixed = ~np.isfinite(low) | (low == high)
        low, high = np.where(fixed, 0.0, low), np.where(fixed, 0.0, high)
        left, right = sign_change(lambda x: np.where(fixed, 0.0, excess(x)), low, high)
        return np.where(fixed, of_noise + self.places[0], (left + right) / 2)

    def support(self) -> tuple[float, float]:
        low, high = self.noise.support()
        return low + float(self.places[0]), high + float(self.places[-1])

    def landmarks(self) -> Floats:
        inner = self.noise.landmarks()
        return np.unique(np.add.outer(inner, self.places).ravel())

    @property
    def kinks(self) -> Floats:
        """Corners and cusps of the density."""
        inner = np.array(getattr(self.noise, "kinks", ()), float)
        return np.add.outer(inner, self.places).ravel()
