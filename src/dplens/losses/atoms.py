"""Privacy losses with finitely many values, composed exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.derived.sampled import SampledCurve, thinned
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.numerics.laws.geometric import GeometricNoise
from dplens.numerics.sharing import remembered

MOST_LOSSES = 20_000  # largest number of losses in a composition that lists them


@dataclass(frozen=True, eq=False)
class Atoms:
    """Finitely many losses in increasing order, with their masses under H0 and H1.

    ``infinity_masses``: the mass under H0 at a loss of minus infinity, and the mass under H1 at plus infinity.
    """

    loss: Floats
    p: Floats
    q: Floats
    infinity_masses: tuple[float, float] = (0.0, 0.0)

    @property
    def span(self) -> float:
        """Distance between the smallest and the largest loss."""
        return float(self.loss[-1] - self.loss[0]) if len(self.loss) else 0.0

    @property
    def reach(self) -> float:
        """The largest absolute loss."""
        return max(float(-self.loss[0]), float(self.loss[-1])) if len(self.loss) else 0.0

    @property
    def is_symmetric(self) -> bool:
        """Whether exchanging H0 and H1 gives exactly the same losses and masses."""
        same = (self.loss == -self.loss[::-1]).all() and (self.p == self.q[::-1]).all()
        return bool(same) and self.infinity_masses[0] == self.infinity_masses[1]

    def times(self, other: Atoms, *, merge: bool = True) -> Atoms | None:
        """The composition of two steps, or None if that takes too many products."""
        if len(self.loss) * len(other.loss) > 200_000:
            return None
        loss = np.add.outer(self.loss, other.loss).ravel()
        p, q = (np.multiply.outer(a, b).ravel() for a, b in ((self.p, other.p), (self.q, other.q)))
        at_h0, at_h1 = (a + (1 - a) * b for a, b in zip(self.infinity_masses, other.infinity_masses))
        found = Atoms(loss, p, q, (at_h0, at_h1))
        return found.merged() if merge else found

    def merged(self) -> Atoms:
        """Merge losses that differ only by rounding, and drop losses whose masses underflowed."""
        if not len(self.loss):
            return self
        order = np.argsort(self.loss)
        loss = self.loss[order]
        rounding = 8e-15 * self.reach  # of a sum of the same losses in another order
        starts = np.flatnonzero(np.concatenate([[True], np.diff(loss) > rounding]))
        p, q = (np.add.reduceat(mass[order], starts) for mass in (self.p, self.q))
        keep = (p > 0) | (q > 0)
        return Atoms(loss[starts][keep], p[keep], q[keep], self.infinity_masses)

    def repeated(self, count: int) -> Atoms | None:
        """The composition of ``count`` equal steps, or None if it has too many losses."""
        if count == 1:
            return self
        half = self.repeated(count // 2)
        found = half.times(half) if half is not None else None
        if found is not None and count % 2:
            found = found.times(self)
        return found if found is not None and len(found.loss) <= MOST_LOSSES else None

    def sampled(self, rate: float, backward: bool) -> Atoms:
        """Poisson subsampling of a step. A loss of minus infinity becomes the smallest finite loss."""
        q = (1 - rate) * self.p + rate * self.q
        loss, p = thinned(self.loss, rate), self.p
        at_h0, at_h1 = self.infinity_masses
        if at_h0 > 0:
            loss, p, q = np.append(math.log1p(-rate), loss), np.append(at_h0, p), np.append((1 - rate) * at_h0, q)
        forward = Atoms(loss, p, q, (0.0, rate * at_h1)).merged()
        return forward.reversed() if backward else forward

    def reversed(self) -> Atoms:
        """The same step with H0 and H1 exchanged."""
        return Atoms(-self.loss[::-1], self.q[::-1], self.p[::-1], (self.infinity_masses[1], self.infinity_masses[0]))

    def curve(self, rounding: float, moved: float = 0.0) -> PiecewiseCurve:
        """The curve of this pair. ``moved`` bounds the error of each loss, besides its rounding."""
        loss = np.concatenate([[math.inf], self.loss[::-1], [-math.inf]])
        p = np.concatenate([[0.0], self.p[::-1], self.infinity_masses[:1]])
        q = np.concatenate([self.infinity_masses[1:], self.q[::-1], [0.0]])
        return PiecewiseCurve.from_pair(p, q, loss, rounding, rounding, moved)


def atoms_of(curve: TradeOff) -> Atoms | None:
    """The losses of a curve that has finitely many; None for other curves."""
    return remembered(vars(curve), "_atoms", lambda: _atoms_of(curve))


def _atoms_of(curve: TradeOff) -> Atoms | None:
    match curve:
        case PiecewiseCurve():
            finite = np.isfinite(curve.loss)
            if finite.all():
                return Atoms(curve.loss[::-1], curve.p[::-1], curve.q[::-1])
            loss, p, q = (x[finite][::-1] for x in (curve.loss, curve.p, curve.q))
            at_h0 = float(np.sum(curve.p[np.isneginf(curve.loss)]))
            at_h1 = float(np.sum(curve.q[np.isposinf(curve.loss)]))
            return Atoms(loss, p, q, (at_h0, at_h1))
        case LatticeCurve():
            return _lattice_atoms(curve)
        case SampledCurve(base=base, rate=rate):
            atoms = atoms_of(base)
            return None if atoms is None else atoms.sampled(rate, curve.backward)
    return None


def _lattice_atoms(curve: LatticeCurve) -> Atoms | None:
    """Whole-number noise, with equal losses merged. Tails below 1e-290 are counted at infinity."""
    noise, shift = curve.noise, curve.shift
    if isinstance(noise, GeometricNoise):  # all outputs below 0, and all above the shift, have the same loss
        if shift > MOST_LOSSES:
            return None
        p, loss = noise.atoms(shift)
        return Atoms(loss, p, p[::-1].copy())
    top = float(noise.first_below(np.array([1e-290]))[0])
    if top + shift > 4 * MOST_LOSSES:
        return None
    k = np.arange(-top, top + shift + 1)
    logs = noise.log_mass(k), noise.log_mass(k - shift)
    p, q = (np.exp(log_mass - logs[0].max()) for log_mass in logs)
    rest = float(noise.upper(np.array([top + 1.0]))[0])
    return Atoms(noise.log_ratio(k, shift), p / np.sum(p), q / np.sum(q), (rest, rest))
