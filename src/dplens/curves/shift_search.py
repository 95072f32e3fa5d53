"""Noise about whose shape nothing is known: the worst shift has to be searched for."""

from __future__ import annotations

import math

import numpy as np

from dplens._numerics.density_cells import refuse_unresolved
from dplens._numerics.laws import Law, jumps, kinks
from dplens.curves.base import Floats, TradeOff
from dplens.curves.between import BY_SHIFTS, EnclosedCurve
from dplens.curves.hull import hull_of
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.polygons import Dots, polygon_above

_SHIFTS = 200
_KEPT = 24  # shifts whose curves bound the result from below
_LEAST = 1e-320  # a mass that is not zero
_LEVELS = np.concatenate([10.0 ** np.linspace(-14, -2, 150), np.linspace(0.011, 0.5, 250)])
_LOSSES = np.concatenate([[0.0], np.geomspace(1e-4, 4, 500), np.arange(4.05, 60, 0.05), np.arange(60.0, 690, 0.2)])


def worst_shift(noise: Law, sensitivity: float) -> TradeOff:
    """Hull of the infimum over shifts in (0, sensitivity], with what the search may have missed.

    *Between the scanned shifts.* For a fixed set A, Q_d(A) moves by at most TV(n, n_s) when d moves by s, and bends
    by at most C2 = ½∫|n''| per unit squared. So between two scanned shifts h apart no delta exceeds the larger of
    its neighbours by more than m = min(TV(n, n_{h/2}), C2·h²/8). *Among them.* All are compared by their masses on
    the cells between quantiles, which understates a delta by at most what twice as wide cells lose. Both are added to
    the largest deltas found, and chords between them bound the profile. The hull of a few shifts bounds it from below.

    Assumption: the density has no structure finer than the grid of quantiles (400 on either side of the median, and
    each of them moved by the shift), and TV(n, n_s) does not fall with s below half a step.
    """
    points = _quantiles(noise)
    refuse_unresolved(noise, points)
    step = sensitivity / _SHIFTS
    moves = _between(noise, points, step)
    rows = [_row(noise, points, step * i) for i in range(1, _SHIFTS + 1)]
    table = np.array([delta for delta, _ in rows])
    missed = 1.01 * (moves + max(coarse for _, coarse in rows))
    up, down = np.split(np.minimum(table.max(axis=0) + missed, 1.0), 2)
    risky = polygon_above(*(Dots(_LOSSES, delta, float(delta[-1])) for delta in (up, down)))
    # the worst shift, and those that are worst at some losses
    kept = {len(rows) - 1, *np.argmax(table, axis=0)[:: table.shape[1] // _KEPT].tolist()}
    mild = hull_of([_curve(*_binned(noise, points, step * (i + 1))[1:]) for i in sorted(kept)])
    return EnclosedCurve(risky, mild, (), BY_SHIFTS)


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


def _binned(noise: Law, points: Floats, shift: float) -> tuple[Floats, Floats, Floats]:
    """Cell ends, and masses of the noise and of the shifted noise on the cells between the quantiles of both.

    A mass is zero only where the density is: elsewhere underflow would look like a proof.
    """
    x = np.unique(np.concatenate([points, points + shift]))
    masses = []
    for at in (x, x - shift):
        first, last = noise.support()
        inside = (np.append(at, math.inf) > first) & (np.append(-math.inf, at) < last)
        below, above = noise.cdf(at), noise.sf(at)
        inner = np.where(above[:-1] < below[1:], -np.diff(above), np.diff(below))
        # where tails cancel, the density times the width: a large ratio must not come from the last digits of both
        lost = np.flatnonzero(inner < 1e-9)
        with np.errstate(all="ignore"):
            density = np.exp(noise.logpdf(at[lost] + np.diff(at)[lost] / 2)) * np.diff(at)[lost]
        inner[lost] = np.nan_to_num(density, posinf=0.0)
        mass = np.concatenate([below[:1], inner, above[-1:]])
        masses.append(np.where(inside, np.maximum(mass, _LEAST), 0.0))
    return x, masses[0], masses[1]


def _curve(p: Floats, q: Floats) -> TradeOff:
    """The curve of the binned laws: by the data-processing inequality never more risk than that of the laws."""
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.log(q) - np.log(p)
    return PiecewiseCurve.from_pair(p / p.sum(), q / q.sum(), loss, 1e-13)


def _row(noise: Law, points: Floats, shift: float) -> tuple[Floats, float]:
    """Delta of one shift at each loss, both directions one after the other; what the cells blur."""
    x, p, q = _binned(noise, points, shift)
    delta = np.append(_deltas(p, q), _deltas(q, p))
    # cells about twice as wide; an end of the support or a kink is a cell's end on either grid
    fixed = np.isin(points, np.concatenate([kinks(noise), jumps(noise), noise.support()]))
    fixed[::2] = True
    wide = np.unique(np.concatenate([points[fixed], points[fixed] + shift]))
    starts = np.append(0, np.searchsorted(x, wide) + 1)
    p, q = np.add.reduceat(p, starts), np.add.reduceat(q, starts)
    blurred = np.append(_deltas(p, q), _deltas(q, p))
    return delta, float(np.max(delta - blurred))


def _deltas(p: Floats, q: Floats) -> Floats:
    """sup over sets of cells of q − e^loss·p at each loss."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(q > 0, np.log(q) - np.log(p), -math.inf)
    order = np.argsort(-ratio)
    taken = np.searchsorted(-ratio[order], -_LOSSES, side="left")
    alpha = np.concatenate([[0.0], np.cumsum(p[order])])[taken]
    power = np.concatenate([[0.0], np.cumsum(q[order])])[taken]
    return np.maximum(power - np.exp(_LOSSES) * alpha, 0.0)


def _between(noise: Law, points: Floats, step: float) -> float:
    """min(TV(n, n_{h/2}), C2·h²/8), on the grid, a tenth more for what the grid does not see."""
    first = max(_row(noise, points, step / k)[0][0] for k in (2, 4, 8))
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
