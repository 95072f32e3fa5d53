"""The law of noise plus an independent normal error, as seen by an attacker who averages over Gaussian tuples."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr, ndtri

from dplens._validate import Floats
from dplens.numerics.laws.base import Law
from dplens.numerics.quadrature import unit_nodes
from dplens.numerics.roots import golden_maximum, sign_change
from dplens.numerics.sharing import cached_property

_NODES, _WEIGHTS = np.array(unit_nodes(8))
# Edges of panels, in units of the distance over which an integrand falls by a factor e from its peak, and of the sd.
_PANELS = np.array([0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 30, 40, 60.0])
_STEPS = np.array([-8, -6, -4, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4, 6, 8.0])
_REACH = 60.0  # standard deviations beyond which the normal error is below the smallest float


def _peak(height: Callable[[Floats], Floats], count: int) -> Floats:
    """The argmax in [0, 1] of unimodal functions, row by row; they rise towards 1 where they are −inf."""
    return 1 - golden_maximum(lambda t: height(1 - t), np.zeros(count), np.ones(count), 45)[0]


@dataclass(frozen=True, eq=False)
class SmoothedLaw(Law):
    """N(0, sd²) + log-concave noise without a closed form, by quadrature over the normal error e.

    A convolution of log-concave laws is log-concave. So is each integrand, in e: it has one peak and falls ever faster
    on both sides. Panels grow from the peak, in units of the distance over which the integrand falls by a factor e, and
    so adapt to its width and location. Further edges are the ends of the noise and, ever finer, its mode, where noise
    such as e^(−|y|^1.2) is not smooth.
    """

    noise: Law
    sd: float

    @cached_property
    def mode(self) -> float:
        """The mode of the noise."""
        low, high = (float(q(np.array([1e-12]))[0]) for q in (self.noise.ppf, self.noise.isf))
        at = _peak(lambda t: self.noise.logpdf(low + (high - low) * t), 1)
        return float(low + (high - low) * at[0])

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """The ends of the noise, or points beyond which its density is negligible for every output."""
        out = []
        for end, quantile in zip(self.noise.support(), (self.noise.ppf, self.noise.isf)):
            at = float(quantile(np.array([1e-300]))[0])
            out.append(end if math.isfinite(end) else at + (at - self.mode) + math.copysign(_REACH * self.sd, end))
        return out[0], out[1]

    @cached_property
    def _near_mode(self) -> Floats:
        """Offsets from the mode, ever closer to it."""
        low, high = self.noise.ppf(np.array([0.25, 0.75]))
        steps = (high - low) * 3.0 ** -np.arange(14)
        return np.concatenate([-steps, [0.0], steps])

    def _integral(self, log_factor: Callable[[Floats], Floats], x: Floats, ends: tuple[float, float]) -> Floats:
        """log of ∫ noise(x − e)·exp(log_factor(e/sd)) de, for a factor that is negligible outside ``ends``."""
        panels = 2 * len(_PANELS) + len(_STEPS) + len(self._near_mode)
        rows, flat = max(1, 2_000_000 // (panels * len(_NODES))), x.ravel()  # keeps arrays small
        parts = [self._rows(log_factor, flat[i : i + rows], ends) for i in range(0, len(flat), rows)]
        return np.concatenate(parts or [flat]).reshape(x.shape)

    def _rows(self, log_factor: Callable[[Floats], Floats], x: Floats, ends: tuple[float, float]) -> Floats:
        first, last = (self.sd * end for end in ends)
        low, high = np.maximum(x - self._ends[1], first), np.minimum(x - self._ends[0], last)
        low = np.minimum(low, high)

        def height(e: Floats) -> Floats:
            column = x.reshape(-1, *(1,) * (e.ndim - 1))
            with np.errstate(all="ignore"):
                return self.noise.logpdf((column - e).ravel()).reshape(e.shape) + log_factor(e / self.sd)

        # the peak lies between those of the two factors
        begin = np.clip(0.0 if first == -last else first if math.isfinite(last) else last, low, high)
        end = np.clip(x - self.mode, low, high)
        top = begin + (end - begin) * _peak(lambda t: height(begin + (end - begin) * t), len(x))
        most = height(top)
        edges = [(x - self.mode)[:, None] - self._near_mode, np.tile(self.sd * _STEPS, (len(x), 1))]
        for sign, room in ((-1.0, top - low), (1.0, high - top)):
            wide = np.maximum(room, 1e-300)
            near = 1e-13 * wide
            for _ in range(30):  # bisect, in logs, for where it has fallen by a factor e
                middle = np.sqrt(near * wide)
                fallen = ~(height(top + sign * middle) > most - 1)
                near, wide = np.where(fallen, near, middle), np.where(fallen, middle, wide)
            edges.append(top[:, None] + sign * wide[:, None] * _PANELS)
        edge = np.sort(np.clip(np.concatenate(edges, axis=1), low[:, None], high[:, None]), axis=1)
        width = np.diff(edge, axis=1)[:, :, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.nan_to_num(height(edge[:, :-1, None] + width * _NODES) + np.log(width * _WEIGHTS), nan=-np.inf)
            shift = np.nan_to_num(logs.max(axis=(1, 2)), neginf=0.0)
            return shift + np.log(np.exp(logs - shift[:, None, None]).sum(axis=(1, 2)))

    def logpdf(self, x: Floats) -> Floats:
        found = self._integral(lambda z: -z * z / 2, x, (-_REACH, _REACH))
        return found - math.log(self.sd) - 0.5 * math.log(2 * math.pi)

    def cdf(self, x: Floats) -> Floats:
        return np.exp(np.minimum(self._integral(log_ndtr, x, (-_REACH, math.inf)), 0.0))

    def sf(self, x: Floats) -> Floats:
        return np.exp(np.minimum(self._integral(lambda z: log_ndtr(-z), x, (-math.inf, _REACH)), 0.0))

    def ppf(self, p: Floats) -> Floats:
        return self._quantile(lambda x: p - self.cdf(x), p, 1 - p)

    def isf(self, p: Floats) -> Floats:
        return self._quantile(lambda x: self.sf(x) - p, 1 - p, p)

    def _quantile(self, excess: Callable[[Floats], Floats], below: Floats, above: Floats) -> Floats:
        """Search between sums of quantiles: X + E > a + b only if X > a or E > b, and likewise for ≤."""
        low = self.noise.ppf(below / 2) + self.sd * ndtri(below / 2)
        high = self.noise.isf(above / 2) - self.sd * ndtri(above / 2)
        left, right = sign_change(excess, low, high)
        return (left + right) / 2
