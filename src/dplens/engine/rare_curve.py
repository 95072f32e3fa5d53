"""Rarely sampled Gaussian steps where no line reaches: one large loss among many small ones, and else a grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from dplens._numerics.sharing import cached_property
from dplens.curves.base import RISKY, Floats, TradeOff
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.sampled import SampledCurve, SampledMirror
from dplens.engine.enclosing import EnclosedCurve, errors_from_profile, mild_ends
from dplens.engine.one_large import OneLarge
from dplens.estimate import Certificate

Steps = Sequence[tuple[TradeOff, int]]
_CLOSE = 0.02  # relative width from which the grid, which takes long, is not asked
_RARE = 0.1  # false-positive rates above belong to sums of small losses
_NUDGE = 1e-4  # of a threshold


def rarely_sampled(steps: Steps, spread: Callable[[Steps], TradeOff]) -> TradeOff | None:
    """The curve of sampled Gaussian steps, in either direction; None for others."""
    found = [(c, n) for c, n in steps if isinstance(c, SampledCurve) and isinstance(c.base, GaussianCurve)]
    if len(found) == len(steps):
        return RareCurve(tuple(steps), spread, OneLarge(found))
    if all(isinstance(curve, SampledMirror) for curve, _ in steps):
        forward = rarely_sampled([(curve.inverse(), count) for curve, count in steps], spread)
        return forward.inverse() if forward is not None else None
    return None


@dataclass(frozen=True, eq=False)
class RareCurve(EnclosedCurve):
    """The closer of both brackets; the grid alone for the other direction, whose losses are all small."""

    steps: tuple[tuple[TradeOff, int], ...]
    spread: Callable[[Steps], TradeOff] = field(repr=False)
    large: OneLarge = field(repr=False)
    sided = True

    @cached_property
    def grid(self) -> TradeOff:
        """All losses spread onto a lattice."""
        return self.spread(self.steps)

    @property
    def certificate(self) -> Certificate:
        return self.grid.certificate

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        low, high = np.array([self.large.calls(float(e)) if e > 0 else (0.0, np.inf) for e in epsilon]).reshape(-1, 2).T
        found = high if side == RISKY else low
        wide = np.flatnonzero(~(low > (1 - _CLOSE) * high))
        if len(wide):
            best = np.minimum if side == RISKY else np.maximum
            found[wide] = best(found[wide], self.grid.bounded_profile(side, epsilon[wide]))
        return found

    def _profile(self, epsilon: Floats) -> Floats:
        return self._profile_on(RISKY, epsilon)

    def _both(self, side: int, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power and beta on one side."""
        power, beta = alpha.copy(), co.copy()
        e = self._large_slope(alpha)
        rare = ~np.isnan(e)
        unsure = ~rare
        index = np.flatnonzero(rare)
        if len(index):
            x, a, c = e[index], alpha[index], co[index]
            if side == RISKY:
                power[index] = (self.bounded_profile(RISKY, x) + np.exp(x) * a) * (1 + 1e-15)
            else:
                ends = mild_ends(partial(errors_from_profile, self), x, _NUDGE * x, a, c)
                power[index], unsure[index] = ends[0], ends[2]
            beta[index] = 1 - power[index] - side * 2e-16
        index = np.flatnonzero(unsure)
        if len(index):
            power[index] = self.grid.bounded_power(side, alpha[index], co[index])
            beta[index] = self.grid.bounded_beta(side, alpha[index], co[index])
        return power, beta

    def _large_slope(self, alpha: Floats) -> Floats:
        """Thresholds that one large loss passes; nan where such losses are not known well enough."""
        e = np.full(len(alpha), np.nan)
        rare = np.flatnonzero((alpha > 0) & (alpha < _RARE))
        if len(rare):
            loss = self.large.threshold(alpha[rare])
            e[rare] = np.where(self._knows(loss), loss, np.nan)
        return e

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        e = self._large_slope(alpha)
        other = np.isnan(e)
        if other.any():
            e[other] = self.grid._log_slope(alpha[other], co[other])
        return e

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        alpha, co, power, beta = (np.empty_like(loss) for _ in range(4))
        known = self._knows(loss)
        if known.any():
            alpha[known] = self.large.rate(loss[known])
            power[known] = self.bounded_profile(RISKY, loss[known]) + np.exp(loss[known]) * alpha[known]
            co[known], beta[known] = 1 - alpha[known], 1 - power[known]
        if not known.all():
            alpha[~known], co[~known], power[~known], beta[~known] = self.grid._rates(loss[~known])
        return alpha, co, power, beta

    def _knows(self, loss: Floats) -> np.ndarray:
        """Which calls are known well by one large loss."""
        ends = [self.large.calls(float(x)) if x > 0 else (0.0, np.inf) for x in loss]
        return np.array([low > (1 - _CLOSE) * high for low, high in ends], dtype=bool)

    def _mirrored(self) -> TradeOff:
        return self.grid.inverse()

    def _max_loss(self) -> tuple[float, float]:
        return math.inf, math.inf
