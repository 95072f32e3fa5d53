"""Losses of any curves spread onto one lattice: the way that is open to every composition."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dplens.curves.base import TradeOff
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.laplace import LaplaceCurve
from dplens.curves.logistic import LogisticCurve
from dplens.curves.sampled import SampledCurve, SampledMirror
from dplens.engine.bracket import SIDES, ends_of
from dplens.engine.grid import GridCurve, together
from dplens.engine.lattice import SIZE, LatticeSum, lattice_atoms, spread_out
from dplens.engine.tabled import tabled
from dplens.errors import Undefined

Steps = Sequence[tuple[TradeOff, int]]
_FINE = 10_000  # tangents of either sign for a curve spread onto a lattice
_GRID_DEPTH = 230.0  # −log of what counts as proof at the ends of such a lattice
_COARSER, _TRIED = 3, 100_000  # how much coarser a lattice may be that fits better, and how many are looked at
_FINEST = 100_000  # for curves whose profile costs next to nothing
_COARSEST = 1.0  # spacing for steps that tell less: a lattice wider than a step still encloses it
_LARGEST_LOSS = 700.0  # beyond, e to that power is no float


def spread(steps: Steps) -> TradeOff:
    """Any curves: the risky side on a lattice, the mild side by what spreading can have added."""
    asked = [(tabled(curve), count) for curve, count in steps]
    reaches = [_reach(curve, count) for curve, count in asked]
    widest = max(reaches)
    if widest > _LARGEST_LOSS:
        raise Undefined(
            f"Steps whose losses reach {widest:.3g} hide next to nothing, and their compositions are not enclosed by "
            "this route. Treat such a release as one of the data themselves, or check its noise and its sensitivity."
        )
    coarse = widest / 100
    rough = [(spread_out(c, coarse, max(math.ceil(r / coarse), 1))[0], n) for (c, n), r in zip(asked, reaches)]
    low, high, _ = LatticeSum(rough, coarse, _GRID_DEPTH).window()
    cheap = all(
        isinstance(curve, (LaplaceCurve, LogisticCurve)) or samples_gaussian(curve) or tabled(curve) is not curve
        for curve, _ in steps
    )
    spacing = max((high - low + 1) * coarse / SIZE, widest / (_FINEST if cheap else _FINE))
    while True:
        spacing = _fitting(spacing, widest, steps) if spacing < widest else spacing
        parts = [spread_out(c, spacing, max(math.ceil(r / spacing - 1e-9), 1)) for (c, _), r in zip(asked, reaches)]
        laws = [(law, count) for (law, _), (_, count) in zip(parts, steps)]
        low, high, _ = LatticeSum(laws, spacing, _GRID_DEPTH).window()
        if high - low <= 2 * SIZE:
            break
        if spacing >= max(widest, _COARSEST):
            raise Undefined(
                f"A composition of {sum(count for _, count in steps):.3g} steps spreads its losses too far to be "
                "enclosed by this route. Compose fewer steps, or steps that tell less."
            )
        spacing *= (high - low) / SIZE  # the coarse look was too short
    counts = [count for _, count in steps]
    risky, mild = lattice_atoms(laws, spacing, _GRID_DEPTH)
    excesses = tuple(together([found[i] for _, found in parts], counts) for i in (0, 1))
    tops, proofs = ends_of(steps)
    slack = 1e-13 * (10 + math.sqrt(sum(counts)))
    slack += 1e-15 * float(np.max(np.abs(risky.loss), initial=0.0))
    ends = risky.curve(1e-14), mild.curve(1e-14)
    return GridCurve(*ends, tuple(steps), tops, proofs, "grid", slack, (excesses[0], excesses[1]))


def _fitting(finest: float, widest: float, steps: Steps) -> float:
    """A spacing at which the widest law ends on the lattice, and the others do as nearly as possible.

    Often much mass lies at the ends of a law. Between two points of the lattice it is spread over both, which adds
    variance, and scales are often simple multiples of each other.
    """
    most = math.ceil(widest / finest)
    parts = np.arange(max(most // _COARSER, 1), most + 1, dtype=float)[-_TRIED:]
    added = np.zeros(len(parts))
    for curve, count in steps:
        for side in SIDES:
            top = side(curve)._max_loss()[1]
            end = parts * (top / widest) if math.isfinite(top) else parts
            off = np.abs(end - np.round(end))
            added += count * (off * (1 - off) + min(top, 1.0) / 12)  # what is not at the end lies anywhere
    return widest / float(parts[np.argmin(added / parts**2)])


def samples_gaussian(curve: TradeOff) -> bool:
    """Whether it is one step of DP-SGD, in either direction."""
    one = curve.forward if isinstance(curve, SampledMirror) else curve
    return isinstance(one, SampledCurve) and isinstance(one.base, GaussianCurve)


def _reach(curve: TradeOff, count: int) -> float:
    """The largest loss worth a tangent: the largest there is, or one that is hardly ever exceeded."""
    found = []
    for side in SIDES:
        one = side(curve)
        top = one._max_loss()[1]
        if math.isinf(top):
            mass = one.infinity_mass().hi
            top = float(one.epsilon_bounds(np.array([mass + 1e-60 / count + 1e-13 * mass])).hi[0])
        found.append(top)
    return max(*found, 1e-12)
