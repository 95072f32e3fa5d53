"""Laws with a density that is constant between steps: histograms, uniform laws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from dplens._numerics.sharing import Shared, cached_property

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StepLaw(Shared):
    """Mass ``masses[i]``, spread evenly, between ``edges[i]`` and ``edges[i + 1]``. Exact up to rounding."""

    edges: Floats
    masses: Floats

    sure_tails: ClassVar[bool] = True

    @cached_property
    def _logs(self) -> Floats:
        """Log-density left of the first edge, between the edges, and from the last one on."""
        with np.errstate(divide="ignore"):
            inner = np.log(self.masses) - np.log(np.diff(self.edges))
        return np.concatenate([[-np.inf], inner, [-np.inf]])

    @cached_property
    def _tails(self) -> tuple[Floats, Floats]:
        """Mass below and above each edge."""
        below, above = np.cumsum(self.masses), np.cumsum(self.masses[::-1])[::-1]
        return np.append(0.0, below), np.append(above, 0.0)

    def logpdf(self, x: Floats) -> Floats:
        return self._logs[np.searchsorted(self.edges, x, side="right")]

    def cdf(self, x: Floats) -> Floats:
        return np.minimum(np.interp(x, self.edges, self._tails[0]), 1.0)

    def sf(self, x: Floats) -> Floats:
        return np.minimum(np.interp(x, self.edges, self._tails[1]), 1.0)

    def ppf(self, p: Floats) -> Floats:
        return self._quantile(p, self.edges, self._tails[0], self.masses)

    def isf(self, p: Floats) -> Floats:
        return self._quantile(p, self.edges[::-1], self._tails[1][::-1], self.masses[::-1])

    def _quantile(self, p: Floats, edges: Floats, tail: Floats, masses: Floats) -> Floats:
        """Where the tail that grows along ``edges`` reaches p."""
        j = np.clip(np.searchsorted(tail, p) - 1, 0, len(masses) - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(masses[j] > 0, (p - tail[j]) / masses[j], 0.0)
        return edges[j] + np.clip(share, 0.0, 1.0) * (edges[j + 1] - edges[j])

    def support(self) -> tuple[float, float]:
        """The least interval that holds all of the mass."""
        some = np.flatnonzero(self.masses > 0)
        return float(self.edges[some[0]]), float(self.edges[some[-1] + 1])

    def landmarks(self) -> Floats:
        """Edges and middles: within a step nothing happens."""
        return np.sort(np.concatenate([self.edges, (self.edges[1:] + self.edges[:-1]) / 2]))
