"""Compositions of finitely many losses: listed one by one, or summed on their common lattice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dplens.composition.lattice import (
    DEPTH,
    SIZE,
    LatticeLaw,
    LatticeSum,
    common_spacing,
    lattice_atoms,
    off_lattice,
    on_lattice,
)
from dplens.composition.steps import Steps, Terms
from dplens.curves.derived.sampled import SampledCurve
from dplens.curves.finite.enclosed import EnclosedCurve
from dplens.curves.finite.polygons import rounded_outwards
from dplens.losses.atoms import Atoms
from dplens.numerics.sharing import remembered

_LISTED = 300_000  # losses that are listed one by one
_PRODUCTS = 1_000_000  # pairs of losses that are multiplied at once
_MOVED = 1e-9  # losses may be moved so far in all
_FEW = 3000  # losses of a lattice that are as quickly listed
_WHOLE = 20_000  # losses of a lattice up to which tails are followed to the smallest float
_NARROW = 115.0  # beyond: −log of what may be lost at either end, so that rates below 1e-44 are wide


def enumerated(terms: Terms, atoms: Sequence[Atoms]) -> EnclosedCurve | None:
    """All sums of single losses with their masses; None where they are too many."""
    total = None
    for part, (_, count) in zip(atoms, terms):
        power = part.repeated(count)
        if power is None or (total is not None and len(total.loss) * len(power.loss) > _PRODUCTS):
            return None
        total = power if total is None else total.times(power)
    if total is None or len(total.loss) > _LISTED:
        return None
    # every product of masses is rounded once a doubling, every sum of losses likewise
    rounds = 4e-16 * sum(2 + count.bit_length() for _, count in terms)
    slack = rounds + 1e-14 + 1e-14 * float(np.max(np.abs(total.loss), initial=0.0))  # losses are sums, too
    slack += 2 * sum(count * step.rounding for step, count in terms if isinstance(step, SampledCurve))
    curve = replace(total.curve(rounds * 8), rounding=slack, is_symmetric=_symmetric(terms))
    return EnclosedCurve(curve, curve, terms, "enumeration", composed=True)


def _symmetric(terms: Terms) -> bool:
    return all(curve.inverse() is curve for curve, _ in terms)


def most_sums(atoms: Sequence[Atoms], terms: Terms) -> float:
    """How many different sums the losses can have: those of n equal steps with m losses are C(n + m − 1, n)."""
    logs = [_log_choose(float(count + len(part.loss) - 1), float(count)) for part, (_, count) in zip(atoms, terms)]
    return math.exp(min(math.fsum(logs), 700.0))


def _log_choose(n: float, k: float) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) if n >= k else 0.0


@dataclass(frozen=True)
class OnLattice:
    """The steps' losses on their common lattice, and how many losses their sum has in view."""

    laws: list[tuple[LatticeLaw, int]]
    spacing: float
    size: int
    moved: float  # how far the lattice may have moved a sum of losses

    @classmethod
    def of(cls, steps: Steps) -> OnLattice | None:
        """None where there is no common lattice, or one with too many losses."""
        return remembered(vars(steps), "_on_lattice", lambda: cls._made(steps))

    @classmethod
    def _made(cls, steps: Steps) -> OnLattice | None:
        atoms = steps.atoms
        spacing = common_spacing(list(atoms)) if atoms is not None else None
        if atoms is None or spacing is None or sum(part.span / spacing for part in atoms) > SIZE:
            return None
        laws = [(on_lattice(part, spacing), count) for part, (_, count) in zip(atoms, steps.terms)]
        low, high, _ = LatticeSum(laws, spacing).window()
        moved = math.fsum(count * off_lattice(part, spacing) for part, (_, count) in zip(atoms, steps.terms))
        return cls(laws, spacing, high - low, moved) if high - low <= 8 * SIZE and moved < _MOVED else None

    def curve(self, terms: Terms) -> EnclosedCurve:
        """The sum, by one tilted Fourier transform."""
        depth = DEPTH if self.size < _WHOLE else _NARROW
        risky, mild = lattice_atoms(self.laws, self.spacing, depth)
        slack = 1e-14 * (10 + math.sqrt(sum(count for _, count in terms)))
        slack += 4e-15 * float(np.max(np.abs(risky.loss), initial=0.0)) + self.moved
        rounding = 1e-15 * (10 + sum(count.bit_length() for _, count in terms))
        known = {"rounding": slack, "is_symmetric": _symmetric(terms)}
        laws = (replace(atoms.curve(rounding, self.moved), **known) for atoms in (risky, mild))
        return EnclosedCurve(*rounded_outwards(*laws), terms, "lattice", composed=True)
