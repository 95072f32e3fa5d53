"""Noise about whose shape nothing is known: the worst shift has to be searched for."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens._numerics.laws import Law, ShiftedLaw
from dplens.curves.base import RISKY, Floats, TradeOff
from dplens.curves.hull import both_directions, hull_of
from dplens.curves.ratio import RatioCurve
from dplens.estimate import Certificate

_SHIFTS = 200
_POINTS = 8001


def worst_shift(noise: Law, sensitivity: float) -> TradeOff:
    """Hull of the infimum over shifts in (0, sensitivity], with what the grid of shifts may have missed.

    For a fixed set A, Q_d(A) moves by at most C1 = ½∫|n'| per unit of d and bends by at most C2 = ½∫|n''|.
    So between two scanned shifts h apart no delta exceeds the larger of its neighbours by more than
    m = min(C1·h/2, C2·h²/8). A few shifts are kept that are within m of the worst at every scanned loss; twice m
    is added to every power and delta on the risky side.
    """
    x, density = _density(noise, sensitivity)
    missed = _missed(x, density, sensitivity / _SHIFTS)
    worst = _cover(x, density, sensitivity * np.arange(1, _SHIFTS + 1) / _SHIFTS, missed)
    parts = [RatioCurve(noise, ShiftedLaw(noise, float(d))) for d in worst]
    return SearchedCurve(hull_of(parts), 2 * missed)


def _density(noise: Law, sensitivity: float) -> tuple[Floats, Floats]:
    tail = np.array([1e-9])
    low, high = float(noise.ppf(tail)[0]), float(noise.isf(tail)[0])
    x = np.linspace(low - sensitivity, high + 2 * sensitivity, _POINTS)
    with np.errstate(all="ignore"):
        return x, np.nan_to_num(np.exp(noise.logpdf(x)))


def _cover(x: Floats, density: Floats, shifts: Floats, slack: float) -> Floats:
    """A few shifts, the largest among them, whose deltas come within ``slack`` of the worst, by sums on a grid."""
    losses = np.concatenate([[0.0], np.geomspace(1e-3, 30, 40)])
    table = np.empty((len(shifts), 2 * len(losses)))
    width = x[1] - x[0]
    for i, d in enumerate(shifts):
        moved = np.interp(x - d, x, density, left=0.0, right=0.0)
        for j, e in enumerate(np.exp(losses)):
            table[i, 2 * j] = np.maximum(moved - e * density, 0.0).sum() * width
            table[i, 2 * j + 1] = np.maximum(density - e * moved, 0.0).sum() * width
    short = table.max(axis=0) - slack
    kept = [len(shifts) - 1]
    while (table[kept].max(axis=0) < short).any():
        open_ = table[kept].max(axis=0) < short
        kept.append(int(np.argmax((table[:, open_] >= short[open_]).sum(axis=1))))
    return shifts[sorted(kept)]


def _missed(x: Floats, density: Floats, step: float) -> float:
    width = x[1] - x[0]
    first = 0.5 * np.abs(np.diff(density)).sum()
    second = 0.5 * np.abs(np.diff(density, 2)).sum() / width
    return float(min(1.1 * first * step / 2, 1.1 * second * step**2 / 8))


@dataclass(frozen=True, eq=False)
class SearchedCurve(TradeOff):
    """A curve plus what a search may have missed: on the risky side every power and delta is raised by ``missed``."""

    base: TradeOff
    missed: float

    searches_epsilon = False

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.rounding

    @property
    def certificate(self) -> Certificate:
        return Certificate(
            "shifts", self.missed, "worst of a grid of shifts; tolerance is absolute, density assumed smooth"
        )

    def _raise(self, side: int) -> float:
        return self.missed if side == RISKY else 0.0

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self.base._power(alpha, co)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self.base._beta(alpha, co)

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self.base.bounded_power(side, alpha, co) + self._raise(side)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self.base.bounded_beta(side, alpha, co) - self._raise(side)

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        return self.base.bounded_profile(side, epsilon) + self._raise(side)

    def bounded_error(self, side: int, loss: Floats) -> Floats:
        return np.maximum(self.base.bounded_error(side, loss) - self._raise(side), 0.0)

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        # below what may have been missed no epsilon can be promised
        hidden = delta <= self._raise(side)
        return np.where(hidden, math.inf, super().bounded_epsilon(side, np.where(hidden, 1.0, delta)))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self.base._log_slope(alpha, co)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.base._rates(loss)

    def _mirrored(self) -> TradeOff:
        mirrored = self.base.inverse()
        return self if mirrored is self.base else SearchedCurve(mirrored, self.missed)

    def _symmetrised(self) -> TradeOff:
        return SearchedCurve(both_directions(self.base), self.missed)

    def _max_loss(self) -> tuple[float, float]:
        return self.base._max_loss()[0], math.inf

    def _power_at_zero(self) -> float:
        return self.base._power_at_zero()

    def _components(self) -> tuple[TradeOff, ...]:
        return self.base._components()
