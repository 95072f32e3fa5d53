"""Noise about whose shape nothing is known: the worst shift has to be searched for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dplens._numerics.enclosure import Bounds, Enclosure
from dplens._numerics.laws import Law, jumps, kinks
from dplens._numerics.ratio_grid import refuse_unresolved
from dplens.curves.base import Floats, TradeOff
from dplens.curves.hull import both_directions, hull_of
from dplens.curves.piecewise import PiecewiseCurve
from dplens.estimate import Certificate

_SHIFTS = 200
_KEPT = 12  # shifts whose curves make up the result
_AMISS = 1e-3  # how far density and distribution function may differ, summed over the cells
_LEAST = 1e-320  # a mass that is not zero
_LEVELS = np.concatenate([10.0 ** np.linspace(-14, -2, 150), np.linspace(0.011, 0.5, 250)])
_LOSSES = np.concatenate(
    [[0.0], np.geomspace(1e-4, 4, 500), np.arange(4.05, 60, 0.05), np.arange(60.0, 700, 0.2), [math.inf]]
)
_FAR = float(_LOSSES[-2])


def worst_shift(noise: Law, sensitivity: float) -> TradeOff:
    """Hull of the infimum over shifts in (0, sensitivity], with what the search may have missed.

    *Between the scanned shifts.* For a fixed set A, Q_d(A) moves by at most TV(n, n_s) when d moves by s, and bends
    by at most C2 = ½∫|n''| per unit squared. So between two scanned shifts h apart no delta exceeds the larger of
    its neighbours by more than m = min(TV(n, n_{h/2}), C2·h²/8). *Among them.* All are compared by their masses on
    the cells between quantiles, which understates a delta by at most what twice as wide cells lose; the few that
    are kept may fall short of the worst by what the table shows, and between two losses of the table by no more
    than convexity allows. All of this is added to the upper end of every power and delta.

    Assumption: the density has no structure finer than the grid of quantiles (400 on either side of the median, and
    each of them moved by the shift), and TV(n, n_s) does not fall with s below half a step.
    """
    points = _quantiles(noise)
    refuse_unresolved(noise, points, _AMISS)
    step = sensitivity / _SHIFTS
    moves = _between(noise, points, step)
    rows = [_row(noise, points, step * i) for i in range(1, _SHIFTS + 1)]
    kept, short = _cover(np.array([r.delta for r in rows]), moves)
    sag, far = _sagging([rows[i] for i in kept])
    missed = moves + short + sag + max(r.coarse for r in rows)
    base = hull_of([_curve(*_binned(noise, points, step * (i + 1))[1:]) for i in kept])
    return SearchedCurve(base, min(1.01 * missed, 1.0), min(1.01 * (missed + far), 1.0))


def _quantiles(noise: Law) -> Floats:
    """Quantiles, kinks and ends, and points between them where the density changes much from one to the next."""
    x = np.concatenate([noise.ppf(_LEVELS), noise.isf(_LEVELS), kinks(noise), jumps(noise), noise.support()])
    x = np.unique(x[np.isfinite(x)])
    most = len(x) + 400
    for _ in range(10):
        middle = x[:-1] + np.diff(x) / 2
        with np.errstate(all="ignore"):
            log = np.clip(noise.logpdf(np.concatenate([x, middle])), -700, 700)
        ends, inner = log[: len(x)], log[len(x) :]
        change = np.maximum(np.abs(inner - ends[:-1]), np.abs(inner - ends[1:]))
        rough = (change > 0.1) & (middle > x[:-1]) & (middle < x[1:]) & (np.maximum(inner, ends[1:]) > -50)
        if not rough.any() or len(x) > most:
            break
        x = np.sort(np.concatenate([x, middle[rough]]))
    return x


def _masses(noise: Law, x: Floats, median: float) -> Floats:
    """Masses of the cells between the points, the two outer ones included, each from the nearer tail.

    Where the tails cancel a mass is the density times the width: a large ratio of masses must not come from the
    last digits of a difference.
    """
    low = x < median
    below, above = noise.cdf(x[low]), noise.sf(x[~low])
    middle = 1 - (below[-1] if len(below) else 0.0) - (above[0] if len(above) else 0.0)
    masses = np.concatenate([below[:1], np.diff(below), [middle], -np.diff(above), above[-1:]])
    tails = np.concatenate([below[:1], below[1:], [1.0], above[:-1], above[-1:]])
    lost = np.flatnonzero(masses[1:-1] < 1e-9 * tails[1:-1]) + 1
    with np.errstate(all="ignore"):
        density = np.exp(noise.logpdf(x[lost - 1] + (x[lost] - x[lost - 1]) / 2))
        masses[lost] = np.nan_to_num(density * (x[lost] - x[lost - 1]), posinf=0.0)
    return np.maximum(masses, 0.0)


class _Row(NamedTuple):
    """One shift: delta at each loss, both directions one after the other; alpha there; what the cells blur."""

    delta: Floats
    alpha: Floats
    coarse: float


def _binned(noise: Law, points: Floats, shift: float) -> tuple[Floats, Floats, Floats]:
    """Cell ends, and masses of the noise and of the shifted noise on the cells between the quantiles of both.

    A mass is zero only where the density is: elsewhere underflow would look like a proof.
    """
    x = np.unique(np.concatenate([points, points + shift]))
    median = float(points[len(points) // 2])
    masses = []
    for at in (x, x - shift):
        first, last = noise.support()
        inside = (np.append(at, math.inf) > first) & (np.append(-math.inf, at) < last)
        mass = np.where(inside, _masses(noise, at, median), 0.0)
        masses.append(np.where(inside, np.maximum(mass, _LEAST), mass))
    return x, masses[0], masses[1]


def _curve(p: Floats, q: Floats) -> TradeOff:
    """The curve of the binned laws: by the data-processing inequality never more risk than that of the laws."""
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.log(q) - np.log(p)
    return PiecewiseCurve.from_pair(p / p.sum(), q / q.sum(), loss, 1e-13)


def _row(noise: Law, points: Floats, shift: float) -> _Row:
    x, p, q = _binned(noise, points, shift)
    delta, alpha = (np.concatenate(pair) for pair in zip(_deltas(p, q), _deltas(q, p)))
    # cells about twice as wide; an end of the support or a kink is a cell's end on either grid
    fixed = np.isin(points, np.concatenate([kinks(noise), jumps(noise), noise.support()]))
    fixed[::2] = True
    wide = np.unique(np.concatenate([points[fixed], points[fixed] + shift]))
    starts = np.append(0, np.searchsorted(x, wide) + 1)
    p, q = np.add.reduceat(p, starts), np.add.reduceat(q, starts)
    blurred = np.append(_deltas(p, q)[0], _deltas(q, p)[0])
    return _Row(delta, alpha, float(np.max(delta - blurred)))


def _deltas(p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """sup over sets of cells of q − e^loss·p at each loss, and the p-mass of the best set."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(q > 0, np.log(q) - np.log(p), -math.inf)
    order = np.argsort(-ratio)
    taken = np.searchsorted(-ratio[order], -_LOSSES, side="left")
    taken[-1] = np.count_nonzero(ratio == math.inf)
    alpha = np.concatenate([[0.0], np.cumsum(p[order])])[taken]
    power = np.concatenate([[0.0], np.cumsum(q[order])])[taken]
    alpha[-1] = 0.0
    with np.errstate(invalid="ignore"):
        return np.maximum(power - np.where(alpha > 0, np.exp(_LOSSES) * alpha, 0.0), 0.0), alpha


def _cover(table: Floats, slack: float) -> tuple[list[int], float]:
    """A few rows, the last among them, and by how much their maximum falls short of that of all rows."""
    most = table.max(axis=0)
    kept = [len(table) - 1]
    while True:
        short = most - table[kept].max(axis=0)
        if short.max() <= slack or len(kept) == _KEPT:
            return sorted(kept), float(short.max())
        # the row that leaves the least to be desired
        kept.append(int(np.argmin(np.max(most - np.maximum(table[kept].max(axis=0), table), axis=1))))


def _sagging(rows: list[_Row]) -> tuple[float, float]:
    """How far the largest delta of some rows may sag below the chord between two losses, and beyond the last one.

    It is convex in z = e^loss with slope −alpha: the gap under the chord is at most Δalpha·Δz/4; beyond the last
    finite loss it is what the delta still has to lose.
    """
    table, alphas = np.array([r.delta for r in rows]), np.array([r.alpha for r in rows])
    best = np.argmax(table, axis=0)
    column = np.arange(table.shape[1])
    sag, far = 0.0, 0.0
    for half in np.split(column, 2):
        delta, alpha = table[best[half], half], alphas[best[half], half]
        gaps = np.maximum(-np.diff(alpha[:-1]), 0.0) * np.diff(np.exp(_LOSSES[:-1])) / 4
        gaps = np.minimum(gaps, -np.diff(delta[:-1]))
        sag, far = max(sag, float(gaps.max())), max(far, float(delta[-2] - delta[-1]))
    return sag, far


def _between(noise: Law, points: Floats, step: float) -> float:
    """min(TV(n, n_{h/2}), C2·h²/8), on the grid, a tenth more for what the grid does not see."""
    first = max(_row(noise, points, step / k).delta[0] for k in (2, 4, 8))
    return 1.1 * min(first, _bending(noise, points) * step**2 / 8)


def _bending(noise: Law, points: Floats) -> float:
    """½∫|n''|: half the variation of the slopes between grid points; infinite where a finer grid sees far more.

    By the mean value theorem the slopes are slopes of n, so a sum over them never exceeds the integral.
    """
    found = []
    for _ in range(2):
        points = np.unique(np.concatenate([points, points[:-1] + np.diff(points) / 2]))
        ends = [end for end in noise.support() if math.isfinite(end)]
        with np.errstate(all="ignore"):
            density = np.exp(noise.logpdf(points))
            density[np.isin(points, ends)] = 0.0
            slope = np.concatenate([[0.0], np.diff(density) / np.diff(points), [0.0]])
            found.append(0.5 * float(np.abs(np.diff(slope)).sum()))
    settled = math.isfinite(found[1]) and found[1] <= 1.05 * found[0]
    return found[1] if settled else math.inf


@dataclass(frozen=True, eq=False)
class SearchedCurve(TradeOff):
    """A curve plus what a search may have missed: the upper end of every power and delta is raised by ``missed``.

    ``far``: the same for losses beyond those that were searched, and so for alpha below e^−``_FAR``.
    """

    base: TradeOff
    missed: float
    far: float

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.rounding

    @property
    def _certificate(self) -> Certificate:
        note = "worst of a grid of shifts; tolerance is absolute, density assumed resolved by its quantiles"
        return Certificate("shifts", float(self.missed), note)

    def _allowance(self, far: npt.NDArray[np.bool_]) -> Floats:
        return np.where(far, self.far, self.missed)

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        found = self.base.power_bounds(alpha, co)
        return Enclosure(lambda: found.lo, lambda: found.hi + self._allowance(_beyond(alpha, co)))

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        found = self.base.beta_bounds(alpha, co)
        return Enclosure(lambda: found.lo - self._allowance(_beyond(alpha, co)), lambda: found.hi)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        found = self.base.profile_bounds(epsilon)
        return Enclosure(lambda: found.lo, lambda: found.hi + self._allowance(epsilon > _FAR))

    def error_bounds(self, loss: Floats) -> Enclosure:
        found = self.base.error_bounds(loss)
        return Enclosure(lambda: np.maximum(found.lo - self._allowance(np.abs(loss) > _FAR), 0.0), lambda: found.hi)

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        hidden = delta <= self.missed  # for these no epsilon can be promised
        lower, upper = super().epsilon_bounds(delta), super().epsilon_bounds(np.where(hidden, 1.0, delta))
        found = Enclosure(lambda: lower.lo, lambda: np.where(hidden, math.inf, upper.hi))
        return found.rising(lambda end: np.where(end > 1e300, math.inf, end))  # the search stops short of infinity

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self.base._log_slope(alpha, co)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.base._rates(loss)

    def _mirrored(self) -> TradeOff:
        mirrored = self.base.inverse()
        return self if mirrored is self.base else SearchedCurve(mirrored, self.missed, self.far)

    def _symmetrised(self) -> TradeOff:
        return SearchedCurve(both_directions(self.base), self.missed, self.far)

    def _max_loss(self) -> tuple[float, float]:
        return self.base._max_loss()[0], math.inf

    def _power_at_zero(self) -> float:
        return self.base._power_at_zero()

    def infinity_mass(self) -> Bounds:
        # a shift that was not scanned may prove more than those that were
        ends = self._power_at_zero() > 0 or self.base.inverse()._power_at_zero() > 0
        low, high = self.base.infinity_mass()
        return Bounds(low, min(high + (self.missed if ends else 0.0), 1.0))

    def _renyi(self, order: float) -> float:
        """Safe, not tight: what was missed may be certain proof; below order 1, ∫q^a·p^(1−a) ≥ ∫min(p, q) = 1 − TV."""
        total = float(self.profile_bounds(np.zeros(1)).hi[0])
        return math.inf if order >= 1 or total >= 1 else -math.log1p(-total) / (1 - order)

    def _auc(self) -> tuple[float, float]:
        value, error = self.base._auc()
        return value, error + self.missed

    def _mu(self) -> tuple[float, float]:
        return self.base._mu()[0], math.inf  # below what was missed no power is bounded


def _beyond(alpha: Floats, co: Floats) -> npt.NDArray[np.bool_]:
    return np.minimum(alpha, co) < 2 * math.exp(-_FAR)
