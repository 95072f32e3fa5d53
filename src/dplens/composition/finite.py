"""Compositions with finitely many losses: enumerated, or summed on their common lattice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dplens.composition.grid.axis import CoarseAxis
from dplens.composition.grid.connect_the_dots import summed
from dplens.composition.grid.spreading import SpreadLaw, spread_atoms
from dplens.composition.grid.tilted_sum import TiltedSum
from dplens.composition.steps import Steps, Terms
from dplens.curves.derived.sampled import SampledCurve
from dplens.curves.finite.enclosed import EnclosedCurve
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


def common_spacing(laws: Sequence[Atoms], widest: float = 1e9) -> float | None:
    """The spacing of a lattice that holds each law's losses (each with an origin of its own), if there is one.

    ``widest``: the largest ratio of two gaps between neighbouring losses.
    """
    with np.errstate(over="ignore"):
        gaps = np.concatenate([np.zeros(1), *(np.diff(law.loss) for law in laws)])
    gaps = gaps[gaps > 0]
    if not len(gaps):
        return 1.0
    smallest, rounding = float(gaps.min()), 4e-16 * max(law.reach for law in laws)
    if math.isinf(gaps.max()) or gaps.max() / widest > smallest:
        return None
    for divisor in range(1, 13):
        whole = np.round(gaps / (smallest / divisor))
        spacing = float(gaps.sum() / whole.sum())
        if np.all(np.abs(gaps - whole * spacing) < 1e-13 * np.maximum(gaps, spacing) + rounding):
            return spacing
    return None


def lattice_sum(steps: Steps) -> TiltedSum | None:
    """The steps on their common lattice, or None if they have none or if their sum has too many losses."""
    return remembered(vars(steps), "_lattice_sum", lambda: _lattice_sum(steps))


def _lattice_sum(steps: Steps, most_unsure: float = 1e-5) -> TiltedSum | None:
    """None also if rounding and losses beside the lattice may change the profile by a share of ``most_unsure``."""
    spacing = common_spacing(steps.atoms or ())
    if steps.atoms is None or spacing is None or sum(law.span for law in steps.atoms) > spacing * (1 << 19):
        return None
    laws: list[tuple[SpreadLaw, int]] = []
    coarse: list[tuple[SpreadLaw, int]] = []
    for law, (_, count) in zip(steps.atoms, steps.terms):
        index = np.round((law.loss - law.loss[0]) / spacing).astype(int)
        moved = float(np.max(np.abs(law.loss - law.loss[0] - spacing * index))) + 3e-16 * law.reach
        # a moved loss changes the profile by such a share of its value one point before
        share = 4e-15 + moved * (1 - 1 / math.expm1(-spacing))
        p = np.asarray(np.bincount(index, law.p), dtype=float)  # equal losses add up
        laws.append((SpreadLaw(spacing, law.infinity_masses, 0.0, share, 0.0, 0, p, origin=law.loss[0]), count))
        coarse.append((spread_atoms(law, law.reach / 128, law.reach), count) if len(p) > 256 else laws[-1])
    axis = CoarseAxis(coarse, depth=115.0, apart=2.5)
    axis.refine(laws)
    unsure = math.fsum(count * law.share for law, count in laws)
    window = axis.window[1] - axis.window[0]
    return TiltedSum(laws, spacing, 1, axis) if unsure < most_unsure and window <= spacing * (1 << 18) else None


def on_lattice(steps: Steps) -> EnclosedCurve | None:
    """The sum by tilted Fourier transforms. Rates below 1e-44 are lost."""
    total = lattice_sum(steps)
    return summed(steps.terms, total, "lattice") if total is not None else None
