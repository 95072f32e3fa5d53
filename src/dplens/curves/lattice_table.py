"""Geometric noise with a small shift: few likelihood ratios, so a table of outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field

from dplens._numerics.enclosure import Enclosure
from dplens._numerics.lattice import GeometricNoise
from dplens.curves.base import Floats, TradeOff
from dplens.curves.lattice import LatticeCurve
from dplens.curves.piecewise import PiecewiseCurve


@dataclass(frozen=True, eq=False)
class LatticeTable(PiecewiseCurve):
    """The same curve as :class:`LatticeCurve`, read from its shift + 1 segments.

    The profile is that of the lattice, which forms epsilon − loss from the parameters and never rounds the loss.
    """

    lattice: LatticeCurve = field(kw_only=True)

    @classmethod
    def of(cls, noise: GeometricNoise, shift: int) -> LatticeTable:
        p, loss = noise.atoms(shift)
        return cls(p[::-1].copy(), p, loss[::-1].copy(), 3e-16, lattice=LatticeCurve(noise, shift))

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        return self.lattice._enclose_profile(epsilon)

    def _mirrored(self) -> TradeOff:
        return self
