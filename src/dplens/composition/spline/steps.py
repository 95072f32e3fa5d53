"""From steps to the spline of their losses, where they are few enough."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dplens.composition.spline.curve import SplineCurve
from dplens.composition.spline.powers import spline_power
from dplens.composition.spline.sums import Spline
from dplens.curves.base import TradeOff
from dplens.curves.closed.laplace import LaplaceCurve
from dplens.curves.closed.logistic import LogisticCurve
from dplens.curves.derived.groups import FailingCurve
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.losses.atoms import Atoms, atoms_of
from dplens.losses.total import Composition
from dplens.numerics.enclosure import float_above

Steps = Sequence[tuple[TradeOff, int]]

_BITS = 60  # of the largest loss, in units
_SAME = 2**11  # units at which knots are equal save for the rounding of the parameters
_NARROWEST = 2**24  # units; a narrower box is next to nothing beside the others
_BOXES = 200  # steps with a density
_ATOMS = 256  # losses of the others together
_CELLS = 2000
_WORK = 8e6  # operations; with as many cells, about a tenth of a second
_WIDEST = 8.0  # loss on one cell, so that exponentials are short series
_LARGEST = 500.0  # loss, and −log of the chance that nothing is proved, so that few masses under- or overflow
_INPUT = 4e-16  # relative rounding of an epsilon, itself a quotient


class Box(NamedTuple):
    """ν of a step without its factor e^{−epsilon/2}: two atoms of the same mass, and a box between them."""

    epsilon: float
    atom: float
    box: float


def splined(steps: Steps, composition: Composition) -> SplineCurve | None:
    """The curve of Laplace, bounded-range and finite steps; None for others, or where these are too many."""
    boxes = sorted((box, count) for box, count in ((_box(curve), count) for curve, count in steps) if box is not None)
    others = [(curve, count) for curve, count in steps if _box(curve) is None]
    if not boxes or any(box.box <= 0 for box, _ in boxes):
        return None
    equal = len(boxes) == 1 and not others and boxes[0][0].atom > 0
    if not equal and sum(count for _, count in boxes) > _BOXES:
        return None
    finite = _finite(others) if others else None
    if others and finite is None:
        return None
    total = math.fsum(count * box.epsilon for box, count in boxes)
    spread = float(np.max(np.abs(finite.loss), initial=0.0)) if finite is not None else 0.0
    if total < 1e-250 or total + spread > _LARGEST or composition.log_finite[0] < -_LARGEST:
        return None
    unit = math.ldexp(1.0, math.frexp(total + spread)[1] - _BITS)
    left_out = 0.0
    if equal:
        box, count = boxes[0]
        found = spline_power(box.epsilon, round(box.epsilon / unit), count, composition.log_finite[0])
        spline, left_out = found if found is not None else (None, 0.0)
    else:
        spline = _composed(boxes, _start(finite, spread, unit), unit)
    if spline is None or spline.moved * unit > 1e-12 * total:
        return None
    spline = spline.split(max(int(min(_WIDEST / unit, 2.0**62)), 1))
    # losses: what was moved, the units; of finite steps, sums made one where they are close, and losses as given
    number = sum(count for _, count in steps)
    merged = 2e-14 if sum(count for _, count in others) > 1 else 4e-16
    reach = (spline.moved + number) * unit + merged * spread + _looseness(others)
    reaches = reach + _INPUT * total, reach
    # masses: every operation, exponents of the size of all losses, masses of finite steps as given
    roundings = spline.rounds + 12 * (spline.masses.shape[1] + 120) + 8 * number.bit_length()
    given = math.fsum(4e-15 + 3.2e-15 * count.bit_length() for _, count in others)
    # sums from either end over atoms, cells and the gaps between, in long floats, which are not long everywhere
    sums = 4 * len(spline.knots) * float(np.finfo(np.longdouble).eps)
    blur = 1.2e-16 * roundings + sums + 4e-16 * (total + spread) + given + sum(reaches) + left_out
    tops = _tops(boxes, finite, reach)
    return SplineCurve(spline, unit, total + spread, blur, reaches, tops, composition, tuple(steps))


def _finite(steps: Steps) -> Atoms | None:
    """The finite steps together, where they have few losses."""
    found = None
    for curve, count in steps:
        atoms = atoms_of(curve) if isinstance(curve, (PiecewiseCurve, LatticeCurve)) else None
        if atoms is None or count * (len(atoms.loss) - 1) >= _ATOMS:
            return None
        repeated = atoms.repeated(count)
        found = repeated if found is None or repeated is None else found.times(repeated)
        if found is None or len(found.loss) > _ATOMS:
            return None
    return found


def _box(curve: TradeOff) -> Box | None:
    match curve:
        case LaplaceCurve(epsilon0=epsilon):
            return Box(epsilon, 0.5, epsilon / 2)
        case LogisticCurve(epsilon0=epsilon):
            return Box(epsilon, 0.0, epsilon / -math.expm1(-epsilon))
        case FailingCurve(base=base, kappa=kappa):
            box = _box(base)
            return Box(box.epsilon, (1 - kappa) * box.atom, (1 - kappa) * box.box) if box is not None else None
    return None


def _start(finite: Atoms | None, spread: float, unit: float) -> Spline | None:
    """The finite steps alone; a factor e^{spread/2} keeps their ν from underflowing."""
    if finite is None:
        return Spline.of_atoms(np.zeros(1, dtype=np.int64), np.ones(1))
    if not len(finite.loss) or min(finite.p.min(), finite.q.min()) < 1e-280:
        return None
    knots, place = np.unique(np.rint(finite.loss / unit).astype(np.int64), return_inverse=True)
    atoms = np.zeros(len(knots))
    np.add.at(atoms, place, np.sqrt(finite.p) * np.sqrt(finite.q) * math.exp(spread / 2))
    return Spline.of_atoms(knots, atoms)


def _composed(boxes: list[tuple[Box, int]], spline: Spline | None, unit: float) -> Spline | None:
    """All steps with a density, narrow ones first, unless that is too much work."""
    if spline is None or not _few_knots(boxes, spline, unit):
        return None
    work = 0.0
    for box, count in boxes:
        reach = round(box.epsilon / unit)
        if reach < _NARROWEST:
            return None
        for _ in range(count):
            knots = len(spline.knots)
            spline = spline.times(reach, box.atom, box.box)
            if spline is None:
                return None
            spline = spline.gathered(_SAME)
            size = spline.masses.size
            work += size if len(spline.knots) == knots + 1 else size * spline.masses.shape[1]
            if work > _WORK or len(spline.masses) > _CELLS:
                return None
    return spline


def _few_knots(boxes: list[tuple[Box, int]], spline: Spline, unit: float) -> bool:
    """Whether sums and differences of the losses are not too many, which shows sooner than by working them out."""
    knots = spline.knots
    for box, count in boxes:
        reach = round(box.epsilon / unit)
        for _ in range(count):
            knots = np.unique(np.concatenate([knots - reach, knots + reach]) // _SAME * _SAME)
            if len(knots) > 2 * _CELLS:
                return False
    return True


def _looseness(steps: Steps) -> float:
    """How far losses of finite steps may be off by their own account."""
    return math.fsum(
        count
        * (
            getattr(curve, "loss_rounding", 0.0) * max(side._max_loss()[1] for side in (curve, curve.inverse()))
            + getattr(curve, "total_rounding", 0.0)
        )
        for curve, count in steps
    )


def _tops(
    boxes: list[tuple[Box, int]], finite: Atoms | None, reach: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Bounds on the largest loss of either direction; of epsilons, their sum rounded up."""
    top = float_above(sum((count * Fraction(box.epsilon) for box, count in boxes), Fraction(0)))
    if finite is None:
        ends = top * (1 - 2 * _INPUT), top
        return ends, ends
    ends = [max(top + extreme, 0.0) for extreme in (float(finite.loss[-1]), -float(finite.loss[0]))]
    slack = [reach + 4 * sys.float_info.epsilon * end for end in ends]
    return (max(ends[0] - slack[0], 0.0), ends[0] + slack[0]), (max(ends[1] - slack[1], 0.0), ends[1] + slack[1])
