"""From steps to the spline of their losses, where they are few enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dplens.composition.spline.curve import SplineCurve
from dplens.composition.spline.sums import Spline, spline_power
from dplens.curves.base import TradeOff
from dplens.curves.closed.bounded import LaplaceCurve, LogisticCurve
from dplens.curves.derived.groups import FailingCurve
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.losses.atoms import Atoms, atoms_of
from dplens.losses.total import Composition
from dplens.numerics.enclosure import float_above

Terms = Sequence[tuple[TradeOff, int]]

_LARGEST = 500.0  # loss, and −log of the mass at finite losses, so that few masses overflow or underflow


class Box(NamedTuple):
    """ν of a step without its factor e^{−epsilon/2}: two atoms of the same mass, and a box between them."""

    epsilon: float
    atom: float
    box: float

    @classmethod
    def of(cls, curve: TradeOff) -> Box | None:
        """None for curves without a level density."""
        match curve:
            case LaplaceCurve(epsilon0=epsilon):
                return cls(epsilon, 0.5, epsilon / 2)
            case LogisticCurve(epsilon0=epsilon):
                return cls(epsilon, 0.0, epsilon / -math.expm1(-epsilon))
            case FailingCurve(base=base, kappa=kappa):
                box = cls.of(base)
                return cls(box.epsilon, (1 - kappa) * box.atom, (1 - kappa) * box.box) if box is not None else None
        return None


def splined(steps: Terms, composition: Composition) -> SplineCurve | None:
    """The curve of Laplace, bounded-range and finite steps; None for other steps, or for too many."""
    found = [(Box.of(curve), curve, count) for curve, count in steps]
    boxes = sorted((box, count) for box, _, count in found if box is not None)
    others = [(curve, count) for box, curve, count in found if box is None]
    finite = _finite(others)
    if not boxes or finite is None or any(box.box <= 0 for box, _ in boxes):
        return None
    total, spread = math.fsum(count * box.epsilon for box, count in boxes), finite.reach
    if total < 1e-250 or total + spread > _LARGEST or composition.log_finite[0] < -_LARGEST:
        return None
    unit = math.ldexp(1.0, math.frexp(total + spread)[1] - 60)  # 60 bits for the largest loss
    if len(boxes) == 1 and not others and boxes[0][0].atom > 0:
        box, count = boxes[0]
        spline, dropped = spline_power(box.epsilon, round(box.epsilon / unit), count, composition.log_finite[0])
    else:
        spline, dropped = _composed(boxes, _start(finite, unit), unit), 0.0
    if spline is None or spline.moved * unit > 1e-12 * total:
        return None
    spline = spline.split(max(int(min(8 / unit, 2.0**62)), 1))  # so that exponentials on a cell are short series
    # losses: what was moved, the units; of finite steps, merged sums, and losses as given
    number = sum(count for _, count in steps)
    merged = 2e-14 if sum(count for _, count in others) > 1 else 4e-16
    reach = (spline.moved + number) * unit + merged * spread + _rounding_of_losses(others)
    reaches = reach + 4e-16 * total, reach  # an epsilon is a rounded quotient
    # masses: every operation, exponents of the size of all losses, masses of finite steps as given
    roundings = spline.rounds + 12 * (spline.masses.shape[1] + 120) + 8 * number.bit_length()
    given = math.fsum(4e-15 + 3.2e-15 * count.bit_length() for _, count in others)
    # sums from either end over atoms, cells and gaps, in long floats, which are not longer on every machine
    sums = 4 * len(spline.knots) * float(np.finfo(np.longdouble).eps)
    blur = 1.2e-16 * roundings + sums + 4e-16 * (total + spread) + given + sum(reaches) + dropped
    tops = _largest_losses(boxes, finite if others else None, reach)
    return SplineCurve(spline, unit, total + spread, blur, reaches, tops, composition, tuple(steps))


def _finite(steps: Terms, most: int = 256) -> Atoms | None:
    """The composition of the finite steps, or None if it has more than ``most`` losses."""
    found: Atoms | None = Atoms(np.zeros(1), np.ones(1), np.ones(1))
    for curve, count in steps:
        atoms = atoms_of(curve) if isinstance(curve, (PiecewiseCurve, LatticeCurve)) else None
        if found is None or atoms is None or count * (len(atoms.loss) - 1) >= most:
            return None
        repeated = atoms.repeated(count)
        found = found.times(repeated) if repeated is not None else None
    return found if found is not None and len(found.loss) <= most else None


def _start(finite: Atoms, unit: float) -> Spline | None:
    """The finite steps alone; a factor e^{spread/2} keeps their ν from underflowing."""
    if not len(finite.loss) or min(finite.p.min(), finite.q.min()) < 1e-280:
        return None
    knots, place = np.unique(np.rint(finite.loss / unit).astype(np.int64), return_inverse=True)
    atoms = np.zeros(len(knots))
    np.add.at(atoms, place, np.sqrt(finite.p) * np.sqrt(finite.q) * math.exp(finite.reach / 2))
    return Spline.of_atoms(knots, atoms)


def _composed(boxes: list[tuple[Box, int]], spline: Spline | None, unit: float) -> Spline | None:
    """All steps with a density, narrow ones first. None if that takes more than about a tenth of a second.

    Boxes narrower than 2^24 units, which are negligible beside the others, are refused too.
    """
    work, most = 0.0, 2000
    if spline is None or sum(count for _, count in boxes) > 200 or not _few_knots(boxes, spline, unit, 2 * most):
        return None
    for box, count in boxes:
        reach = round(box.epsilon / unit)
        for _ in range(count):
            spline = spline.times(reach, box.atom, box.box) if spline is not None and reach >= 2**24 else None
            if spline is None:
                return None
            knots = len(spline.knots)
            spline = spline.gathered(2**11)  # units by which equal knots differ through the rounding of parameters
            work += spline.masses.size * (1 if len(spline.knots) == knots + 1 else spline.masses.shape[1])
            if work > 8e6 or len(spline.masses) > most:
                return None
    return spline


def _few_knots(boxes: list[tuple[Box, int]], spline: Spline, unit: float, most: int) -> bool:
    """Whether the sums and differences of the losses are few, which is much faster to find out than the spline."""
    knots = spline.knots
    for box, count in boxes:
        reach = round(box.epsilon / unit)
        for _ in range(count):
            knots = np.unique(np.concatenate([knots - reach, knots + reach]) // 2**11) * 2**11
            if len(knots) > most:
                return False
    return True


def _rounding_of_losses(steps: Terms) -> float:
    """Bound on the errors of the losses of finite steps, as their curves state them."""
    return math.fsum(
        count
        * (
            getattr(curve, "loss_rounding", 0.0) * max(side._max_loss()[1] for side in (curve, curve.inverse()))
            + getattr(curve, "total_rounding", 0.0)
        )
        for curve, count in steps
    )


def _largest_losses(
    boxes: list[tuple[Box, int]], finite: Atoms | None, reach: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Bounds on the largest loss of either direction. The upper one of epsilons is their sum rounded up."""
    top = float_above(sum((count * Fraction(box.epsilon) for box, count in boxes), Fraction(0)))
    if finite is None:
        ends = top * (1 - 8e-16), top
        return ends, ends
    ends = [max(top + extreme, 0.0) for extreme in (float(finite.loss[-1]), -float(finite.loss[0]))]
    first, second = ((max(x - off, 0.0), x + off) for x, off in ((x, reach + 9e-16 * x) for x in ends))
    return first, second
