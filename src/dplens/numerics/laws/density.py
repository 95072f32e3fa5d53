"""Laws given only by a density: tails and quantiles from cumulative masses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplens.numerics.enclosure import Floats
from dplens.numerics.laws.base import Law
from dplens.numerics.quadrature import unit_nodes
from dplens.numerics.roots import sign_change
from dplens.numerics.sharing import cached_property

_POINTS = 20  # of the rule within a panel
_GRADES = np.append(0.0, 10.0 ** np.arange(-40, 101, 0.25))


@dataclass(frozen=True, eq=False)
class DensityLaw(Law):
    """The law with the given log-density, in panels on which a Gauss–Legendre rule is exact to rounding.

    Each tail is summed over panels from its own end, so it has the relative accuracy of the density. Initial panels
    are geometrically spaced from ``centre`` and from the ends of the support, in units of
    ``scale``; a density with much finer structure elsewhere does not integrate to 1 (see ``total``).
    """

    stated: Law
    ends: tuple[float, float]
    centre: float
    scale: float
    corners: tuple[float, ...] = ()

    @cached_property
    def _panels(self) -> tuple[Floats, Floats, Floats]:
        """Starts, ends and masses of the panels with mass, from left to right."""
        marks = [self.centre, *self.corners, *(end for end in self.ends if np.isfinite(end))]
        edges = np.concatenate([mark + sign * self.scale * _GRADES for mark in marks for sign in (-1.0, 1.0)])
        edges = np.unique(np.concatenate([np.clip(edges, *self.ends), [e for e in self.ends if np.isfinite(e)]]))
        low, high = edges[:-1], edges[1:]
        found: list[tuple[Floats, Floats, Floats]] = []
        for remaining in range(50, -1, -1):
            coarse, fine = self._masses(low, high, 11), self._masses(low, high, _POINTS)
            # relative to the panel's own mass, so that the tails keep their digits
            with np.errstate(all="ignore"):
                digits = 2e-14 + 4.5e-16 * np.abs(np.log(fine / (high - low)))  # at most those of an exponential
            done = np.abs(fine - coarse) <= np.where(fine > 0, digits, 0.0) * fine
            done |= (high - low) <= 8e-16 * np.maximum(np.abs(low), np.abs(high))
            if remaining == 0 or (~done).sum() > 20_000:
                done[:] = True
            found.append((low[done], high[done], fine[done]))
            if done.all():
                break
            low, high = low[~done], high[~done]
            middle = low + (high - low) / 2
            low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        low, high, mass = (np.concatenate(column) for column in zip(*found))
        order = np.argsort(low)
        order = order[mass[order] > 0]
        return low[order], high[order], mass[order]

    def _masses(self, low: Floats, high: Floats, count: int) -> Floats:
        x, w = unit_nodes(count)
        points = low[:, None] + (high - low)[:, None] * x
        wide = np.maximum(high - low, 1.0)[:, None]  # far out a density underflows long before the mass does
        with np.errstate(all="ignore"):
            density = np.exp(self.stated.logpdf(points.ravel()).reshape(points.shape) + np.log(wide))
        return (high - low) / wide[:, 0] * (np.where(np.isfinite(density), density, 0.0) @ w)

    @cached_property
    def total(self) -> float:
        """∫ density, which is 1 if the law was resolved."""
        return float(np.sum(self._panels[2]))

    @cached_property
    def _tails(self) -> tuple[Floats, Floats]:
        """Mass below the start of each panel and above its end."""
        mass = self._panels[2] / self.total
        below, above = np.cumsum(mass), np.cumsum(mass[::-1])[::-1]
        return np.append(0.0, below[:-1]), np.append(above[1:], 0.0)

    def logpdf(self, x: Floats) -> Floats:
        with np.errstate(all="ignore"):
            inside = (x >= self.ends[0]) & (x <= self.ends[1])
            return np.where(inside, self.stated.logpdf(x) - np.log(self.total), -np.inf)

    def cdf(self, x: Floats) -> Floats:
        return self._tail(x, upper=False)

    def sf(self, x: Floats) -> Floats:
        return self._tail(x, upper=True)

    def _tail(self, x: Floats, upper: bool) -> Floats:
        low, high, mass = self._panels
        shape, x = np.shape(x), np.ravel(x)
        j = np.clip(np.searchsorted(low, x, side="right") - 1, 0, len(low) - 1)
        at = np.clip(x, low[j], high[j])
        outer = self._tails[int(upper)][j]
        part = self._masses(at, high[j], _POINTS) if upper else self._masses(low[j], at, _POINTS)
        part = np.where(at == (low[j] if upper else high[j]), mass[j], part)  # all of the panel
        return np.minimum(outer + part / self.total, 1.0).reshape(shape)

    def ppf(self, p: Floats) -> Floats:
        return self._quantile(p, upper=False)

    def isf(self, p: Floats) -> Floats:
        return self._quantile(p, upper=True)

    def _quantile(self, p: Floats, upper: bool) -> Floats:
        low, high, _ = self._panels
        shape, p = np.shape(p), np.ravel(p)
        outer = self._tails[int(upper)]
        j = len(low) - 1 - np.searchsorted(outer[::-1], p, side="right") + 1 if upper else np.searchsorted(outer, p) - 1
        j = np.clip(j, 0, len(low) - 1)

        def excess(x: Floats) -> Floats:
            with np.errstate(divide="ignore"):
                return np.log(self._tail(x, upper)) - np.log(p)

        # the end of the panel with the larger tail comes first
        ends = (low[j], high[j]) if upper else (high[j], low[j])
        left, right = sign_change(excess, *ends, width=2e-16, limit=60)
        x = np.where(p <= 0, high[-1] if upper else low[0], (left + right) / 2)
        x = np.where(p >= 1, low[0] if upper else high[-1], x)
        return x.reshape(shape)

    def support(self) -> tuple[float, float]:
        return self.ends

    def kinks(self) -> Floats:
        return np.array(self.corners, float)
