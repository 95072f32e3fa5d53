"""Compositions with finitely many losses: enumerated, or summed on their common lattice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dplens.composition.lattice import LatticeSum, bounding_atoms
from dplens.composition.steps import Steps, Terms
from dplens.curves.derived.sampled import SampledCurve
from dplens.curves.finite.enclosed import EnclosedCurve
from dplens.curves.finite.polygons import rounded_outwards
from dplens.losses.atoms import Atoms
from dplens.numerics.sharing import remembered


def enumerated(steps: Steps, most: int = 300_000) -> EnclosedCurve | None:
    """All sums of single losses with their masses, or None if there are more than ``most``."""
    total: Atoms | None = Atoms(np.zeros(1), np.ones(1), np.ones(1))
    for atoms, (_, count) in zip(steps.enumerable or (), steps.terms):
        power = atoms.repeated(count)
        total = total.times(power) if total is not None and power is not None else None
    if total is None or len(total.loss) > most:
        return None
    # every product of masses is rounded once per doubling, and so is every sum of losses
    rounds = 4e-16 * sum(2 + count.bit_length() for _, count in steps.terms)
    slack = rounds + 1e-14 + 1e-14 * total.reach
    slack += 2 * sum(count * step.rounding for step, count in steps.terms if isinstance(step, SampledCurve))
    curve = replace(total.curve(rounds * 8), rounding=slack, is_symmetric=steps.is_symmetric)
    return EnclosedCurve(curve, curve, steps.terms, "enumeration", composed=True)


def most_sums(atoms: Sequence[Atoms], terms: Terms) -> float:
    """Upper bound on the number of different sums: n equal steps with m losses have C(n + m − 1, n)."""
    logs = [
        math.lgamma(n + m) - math.lgamma(m) - math.lgamma(n + 1)
        for n, m in ((float(count), float(len(part.loss))) for part, (_, count) in zip(atoms, terms))
        if m
    ]
    return math.exp(min(math.fsum(logs), 700.0))


def lattice_sum(steps: Steps) -> LatticeSum | None:
    """The steps on their common lattice, or None if they have none or if their sum has too many losses."""
    return remembered(vars(steps), "_lattice_sum", lambda: _lattice_sum(steps))


def _lattice_sum(steps: Steps, most_moved: float = 1e-9) -> LatticeSum | None:
    total = LatticeSum.of(steps.atoms, [count for _, count in steps.terms]) if steps.atoms is not None else None
    return total if total is not None and total.moved < most_moved and total.size <= 1 << 22 else None


def on_lattice(steps: Steps, total: LatticeSum) -> EnclosedCurve:
    """The sum by tilted Fourier transforms. Large lattices lose their tails below rates of 1e-44."""
    risky, mild = bounding_atoms(total if total.size < 20_000 else replace(total, depth=115.0))
    slack = 1e-14 * (10 + math.sqrt(steps.count)) + 4e-15 * risky.reach + total.moved
    rounding = 1e-15 * (10 + sum(count.bit_length() for _, count in steps.terms))
    laws = (
        replace(atoms.curve(rounding, total.moved), rounding=slack, is_symmetric=steps.is_symmetric)
        for atoms in (risky, mild)
    )
    return EnclosedCurve(*rounded_outwards(*laws), steps.terms, "lattice", composed=True)
