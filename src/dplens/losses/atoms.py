"""Finitely many losses: products of small laws, exactly."""

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

MANY = 20_000  # losses that a product is allowed to have


@dataclass(frozen=True, eq=False)
class Atoms:
    """Losses in increasing order, their masses under H0 and H1, and the masses of proofs."""

    loss: Floats
    p: Floats
    q: Floats
    unseen: tuple[float, float] = (0.0, 0.0)

    @property
    def span(self) -> float:
        """Distance between the least and the largest loss."""
        return float(self.loss[-1] - self.loss[0]) if len(self.loss) else 0.0

    def times(self, other: Atoms, *, exact: bool = True) -> Atoms:
        """Both steps after one another; equal losses are taken together."""
        loss = np.add.outer(self.loss, other.loss).ravel()
        p, q = (np.multiply.outer(a, b).ravel() for a, b in ((self.p, other.p), (self.q, other.q)))
        unseen = tuple(a + (1 - a) * b for a, b in zip(self.unseen, other.unseen))
        found = Atoms(loss, p, q, unseen)  # pyright: ignore[reportArgumentType]
        return found.merged() if exact else found

    def merged(self) -> Atoms:
        """Losses that differ by rounding only become one; what underflowed altogether is dropped."""
        order = np.argsort(self.loss, kind="stable")
        loss, p, q = self.loss[order], self.p[order], self.q[order]
        if not len(loss):
            return self
        close = 8e-15 * float(np.max(np.abs(loss)))  # sums of equal losses in another order differ by less
        starts = np.flatnonzero(np.concatenate([[True], np.diff(loss) > close]))
        sums = [np.add.reduceat(x, starts) for x in (p, q)]
        keep = (sums[0] > 0) | (sums[1] > 0)
        return Atoms(loss[starts][keep], sums[0][keep], sums[1][keep], self.unseen)

    def repeated(self, count: int) -> Atoms | None:
        """``count`` such steps, or None where that has too many losses."""
        result, square = None, self
        while count:
            if count & 1:
                if result is not None and len(result.loss) * len(square.loss) > 50 * MANY:
                    return None
                result = square if result is None else result.times(square)
            count >>= 1
            if count:
                if len(square.loss) ** 2 > 50 * MANY:
                    return None
                square = square.times(square)
            if max(len(square.loss), len(result.loss) if result else 0) > MANY:
                return None
        return result

    def sampled(self, rate: float, backward: bool) -> Atoms:
        """Of a step in which a record takes part at a rate: what proved H0 becomes the least loss."""
        q = (1 - rate) * self.p + rate * self.q
        loss, p = thinned(self.loss, rate), self.p
        if self.unseen[0] > 0:
            loss, p = np.append(math.log1p(-rate), loss), np.append(self.unseen[0], p)
            q = np.append((1 - rate) * self.unseen[0], q)
        forward = Atoms(loss, p, q, (0.0, rate * self.unseen[1])).merged()
        return forward.reversed() if backward else forward

    def reversed(self) -> Atoms:
        """The two worlds exchanged."""
        return Atoms(-self.loss[::-1], self.q[::-1], self.p[::-1], (self.unseen[1], self.unseen[0]))

    def curve(self, rounding: float, moved: float = 0.0) -> PiecewiseCurve:
        """The curve of this finite pair of laws; ``moved``: how far every loss may be off, besides its rounding."""
        proofs = np.array([math.inf, -math.inf])
        loss = np.concatenate([proofs[:1], self.loss[::-1], proofs[1:]])
        p = np.concatenate([[0.0], self.p[::-1], [self.unseen[0]]])
        q = np.concatenate([[self.unseen[1]], self.q[::-1], [0.0]])
        return PiecewiseCurve.from_pair(p, q, loss, rounding, rounding, moved)


def atoms_of(curve: TradeOff) -> Atoms | None:
    """The losses of a curve that has finitely many; None otherwise."""
    return remembered(vars(curve), "_atoms", lambda: _atoms_of(curve))


def _atoms_of(curve: TradeOff) -> Atoms | None:
    if isinstance(curve, PiecewiseCurve):
        if math.isfinite(curve.loss[0]) and math.isfinite(curve.loss[-1]):  # they are sorted
            return Atoms(curve.loss[::-1], curve.p[::-1], curve.q[::-1])
        finite = np.isfinite(curve.loss)
        proof_h0 = float(np.sum(curve.p[np.isneginf(curve.loss)]))
        proof_h1 = float(np.sum(curve.q[np.isposinf(curve.loss)]))
        return Atoms(curve.loss[finite][::-1], curve.p[finite][::-1], curve.q[finite][::-1], (proof_h0, proof_h1))
    match curve:
        case LatticeCurve():
            return _lattice_atoms(curve)
        case SampledCurve(base=base, rate=rate):
            atoms = atoms_of(base)
            return None if atoms is None else atoms.sampled(rate, curve.backward)
    return None


def _lattice_atoms(curve: LatticeCurve) -> Atoms | None:
    """Integer noise: outputs with the same loss are taken together, and tails below 1e-290 count as proofs."""
    noise, shift = curve.noise, curve.shift
    top = float(noise.first_below(np.array([1e-290]))[0])
    if isinstance(noise, GeometricNoise):  # beyond 0 and shift all outputs have the extreme losses
        if shift > MANY:
            return None
        p, loss = noise.atoms(shift)
        return Atoms(loss, p, p[::-1].copy())
    if top + shift > 4 * MANY:
        return None
    k = np.arange(-top, top + shift + 1)
    log_mass = noise.log_mass(k)
    p = np.exp(log_mass - log_mass.max())
    p /= np.sum(p)
    q = np.exp(noise.log_mass(k - shift) - log_mass.max())
    q /= np.sum(q)
    rest = float(noise.upper(np.array([top + 1.0]))[0])
    return Atoms(noise.log_ratio(k, shift), p, q, (rest, rest))
