"""Masses of intervals under a law, and how little is known of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dplens._numerics.laws import Floats, Law, coarse_tails, sure_tails
from dplens._numerics.quadrature import intervals, unit_nodes

_EPS = float(np.finfo(float).eps)
_SMALL = 1e-3  # a mass, or a share of a tail, that is worth a quadrature


def interval_mass(law: Law, low: Floats, high: Floats) -> Floats:
    """P(low < X < high)."""
    return measured(law, low, high)[0]


def measured(law: Law, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """P(low < X < high), and its error beyond the rounding of a number of its size.

    From the nearer tail, or by quadrature where that is known to be closer: the tails of a narrow interval cancel, and
    a tail that is itself a difference from 1 has no digits left at an end of the support.
    """
    low, high = np.broadcast_arrays(np.asarray(low, float), np.asarray(high, float))
    first, last = law.support()
    below, above = law.cdf(high), law.sf(low)
    upper = above < below
    tail, rest = np.where(upper, above, below), np.where(upper, law.sf(high), law.cdf(low))
    real = high > low
    mass = np.where(real, np.maximum(tail - rest, 0.0), 0.0)
    coarse = coarse_tails(law)
    # of a tail that is an exponential the error grows with the exponent; nothing is subtracted from a whole tail
    error = np.where(rest > 0, (tail + rest) * 2 * _EPS * (2 - 0.5 * np.log(np.maximum(tail, 1e-320))), 0.0)
    error = np.where(real, error + (4 * _EPS if coarse else 0.0), 0.0)
    for end, sign, open_ in ((first, 1.0, high), (last, -1.0, low)):
        if not np.isfinite(end) or sure_tails(law):
            continue
        width = sign * (open_ - end)
        edge = ((low <= end) if sign > 0 else (high >= end)) & np.isfinite(width) & (width > 0) & (mass < _SMALL)
        if edge.any():
            value, doubt = edge_mass(law, end, sign * width[edge])
            # or where the two differ by no more than the rounding of a tail taken as a difference
            rounded = (doubt < (1e-6 if coarse else 1e-12) * value) & (np.abs(value - mass[edge]) < 1e-13)
            better = (doubt < 1e-13 * value) | rounded | (coarse & (doubt < error[edge]))
            _choose(mass, error, edge, value, doubt, better)
    inner = real & (low > first) & (high < last) & np.isfinite(low) & np.isfinite(high)
    if (narrow := inner & ((mass < _SMALL * tail) | (coarse & (tail < _SMALL)))).any():
        value, doubt = _density_mass(law, low[narrow], high[narrow])
        _choose(mass, error, narrow, value, doubt, doubt < error[narrow])
    return mass, error


def _choose(
    mass: Floats,
    error: Floats,
    where: npt.NDArray[np.bool_],
    value: Floats,
    doubt: Floats,
    better: npt.NDArray[np.bool_],
) -> None:
    mass[where] = np.where(better, value, mass[where])
    error[where] = np.where(better, doubt, error[where])


def _density_mass(law: Law, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """∫ density over finite intervals, with bounds on the errors.

    In t of x = low + width·t³(10 − 15t + 6t²), which rests at both ends: a cusp there is smooth in it.
    """
    width = high - low

    def place(t: Floats, row: npt.NDArray[np.intp]) -> Floats:
        # from the nearer end, next to which its floats are the finer ones
        s = np.minimum(t, 1 - t)
        part = width[row] * s**3 * (10 - s * (15 - 6 * s))
        return np.where(t < 0.5, low[row] + part, high[row] - part)

    def density(t: Floats, row: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
        with np.errstate(all="ignore"):
            log = law.logpdf(place(t, row))
            value = np.exp(log) * width[row] * 30 * (t * (1 - t)) ** 2
            return value, _EPS * value * (1 + np.where(value > 0, np.abs(log), 0.0))

    count = np.arange(len(low))
    value, error = intervals(density, (np.zeros(len(low)), np.ones(len(low)), count), len(low), 1e-14, rounds=6)
    # the places are rounded: that moves the density along its slopes
    t = np.linspace(0.0, 1.0, 12)
    with np.errstate(all="ignore"):
        seen = np.exp(law.logpdf(place(np.tile(t, len(low)), np.repeat(count, len(t))))).reshape(-1, len(t))
        slopes = np.abs(np.diff(seen, axis=1)).sum(axis=1) * np.spacing(np.maximum(np.abs(low), np.abs(high)))
    error = error + slopes
    return value, np.where(np.isfinite(error), error, np.inf)


def edge_mass(law: Law, end: float, width: Floats) -> tuple[Floats, Floats]:
    """∫ density from an end of the support, ``width`` inwards (its sign tells where), with estimates of the errors.

    In the root of the distance, which makes a density that begins like a power of it (½, 1, 2, …) smooth.
    """
    found = []
    for count in (15, 24):
        t, w = unit_nodes(count)
        x = end + width[:, None] * t**2
        with np.errstate(all="ignore"):
            density = np.exp(law.logpdf(x.ravel())).reshape(x.shape)
            found.append(np.abs(width) * ((2 * t * density) @ w))
            # the place of a node is rounded as the end is: that moves the density along its slope
            slope = np.spacing(abs(end)) * (density.max(axis=1) - density.min(axis=1))
            error = np.abs(found[-1] - found[0]) + 4 * _EPS * found[-1] + slope
    return found[1], np.where(np.isfinite(error), error, np.inf)


def shifted_edges(law: Law, by: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """(mass, error) within ``by`` > 0 of the lower and of the upper end of the support, 0 where it does not end.

    What X and X + by each have alone. Measured from the end: a difference of positions would lose the digits of
    a small shift.
    """
    first, last = law.support()
    out = [(0.0, 0.0), (0.0, 0.0)]
    for i, (end, inwards, tail) in enumerate(((first, by, law.cdf), (last, -by, law.sf))):
        if np.isfinite(end):
            at = np.array([end + inwards])
            mass = 1.0 if by >= last - first else float(tail(at)[0])
            out[i] = mass, _EPS
            if sure_tails(law):  # then only the place is rounded
                slope = float(np.exp(law.logpdf(at))[0])
                out[i] = mass, 8 * _EPS * mass + 2 * np.spacing(max(abs(end), by)) * slope
            if mass < 1e-3:
                value, error = edge_mass(law, end, np.array([inwards]))
                better = error[0] < (out[i][1] if sure_tails(law) else 1e-10 * value[0])
                out[i] = (float(value[0]), float(error[0])) if better else out[i]
    return out[0], out[1]
