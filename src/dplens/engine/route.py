"""From the curves of single steps to the curve of their composition: which way is taken."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dplens.curves.base import TradeOff
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.hull import HullCurve
from dplens.curves.laplace import LaplaceCurve
from dplens.curves.lattice import LatticeCurve
from dplens.curves.logistic import LogisticCurve
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.sampled import SampledCurve, SampledMirror
from dplens.curves.transforms import FailingCurve
from dplens.engine.atoms import Atoms, atoms_of
from dplens.engine.bounded_laws import LaplaceLoss, LogisticLoss
from dplens.engine.bracket import BracketCurve, ends_of
from dplens.engine.composition import Composition, CompositionLoss, composition
from dplens.engine.curve import ContourCurve
from dplens.engine.derived_laws import AtomicLoss, FailingLoss, ReversedLoss
from dplens.engine.lattice import (
    DEPTH,
    SIZE,
    LatticeLaw,
    LatticeSum,
    common_spacing,
    lattice_atoms,
    on_lattice,
)
from dplens.engine.laws import GaussianLoss, LossLaw
from dplens.engine.mixed import MixedCurve
from dplens.engine.sampled import SampledGaussianLoss
from dplens.engine.sampled_laplace import SampledLaplaceLoss
from dplens.engine.smoothed import smoothed
from dplens.engine.spline_curve import SplineCurve
from dplens.engine.spline_steps import splined
from dplens.engine.spread import spread
from dplens.engine.symmetric import SymmetricSampleLoss
from dplens.errors import Undefined

Steps = Sequence[tuple[TradeOff, int]]
_FEW = 3000  # losses of a lattice that may be worth a list
_QUICK = 20_000  # losses up to which a lattice is looked at as a whole
_NARROW = 115.0  # of others, −log of what may be lost at either end: rates below 1e-44 are wide
_PIECES = 64  # steps up to which a spline takes no longer than lines
_DECAYED = 31.0  # −log of what is next to nothing
_ATOMS = 4000  # losses of one law on a line
_MUCH = 0.02  # Gaussian loss, of a standard deviation of all
_BESIDE = 10_000  # losses beside a law of another kind
_LISTED = 300_000  # losses that are listed one by one
_LARGEST_LOSS = 700.0  # beyond, e to that power is no float
_LARGEST_SHIFT = 1e100  # beyond, squares of it, with all that comes on top, are no floats


def composed(steps: Steps) -> TradeOff:
    """T(P1 × P2 × …, Q1 × Q2 × …) from the T(Pi, Qi), each with how often it occurs.

    Gaussian curves add in closed form. Losses with finitely many values are enumerated, or summed on their lattice.
    Laws with a known cumulant function go through contour integrals; where their characteristic function does not
    fall off, few steps with atoms and level densities are summed as splines, and many different ones with a little
    Gaussian loss whose effect is bounded. For all other curves the losses are spread onto a lattice.
    """
    steps = [(curve, count) for curve, count in _together(steps) if not _tells_nothing(curve)]
    if not steps:
        return _perfect()
    if len(steps) == 1 and steps[0][1] == 1:
        return steps[0][0]
    if any(curve._power_at_zero() >= 1 for curve, _ in steps):
        return _everything()
    if any(isinstance(curve, GaussianCurve) and curve.shift > _LARGEST_SHIFT for curve, _ in steps):
        raise Undefined(
            "A Gaussian release with next to no noise reveals everything, and is not composed with others. "
            "Leave the others out, or check its noise and its sensitivity."
        )
    finite = [atoms_of(curve) for curve, _ in steps]
    known = [atoms for atoms in finite if atoms is not None]
    listed = _listed(steps, known) if len(known) == len(steps) else _sampled_lists(steps)
    if listed is not None:
        return listed
    laws = [law_of(curve) for curve, _ in steps]
    if any(law is None or (isinstance(law, AtomicLoss) and not _fits_lines(law)) for law in laws):
        return spread(steps)
    parts = composition((law, count) for law, (_, count) in zip(laws, steps) if law is not None)
    if all(isinstance(law, AtomicLoss) for law, _ in parts.terms):  # nothing that falls off
        return smoothed(steps, parts, spread) or spread(steps)
    if not _falls_off(steps):
        found = splined(steps, parts) or (_mixed(steps) if not _short(parts) else None) or _smoothed(steps, parts)
        if found is not None:
            return found
    return ContourCurve(parts, tuple(steps), without_lines)


def _smoothed(steps: Steps, parts: Composition) -> TradeOff | None:
    """Where lines do not end without Gaussian loss; a little of it is treated alike, lest it lower what is told."""
    found = smoothed(steps, parts, spread)
    if found is None:
        return None
    rest = composition((law, count) for law, count in parts.terms if not isinstance(law, GaussianLoss))
    return found if ContourCurve(rest).lacks_line(np.zeros(1))[0] else None


def without_lines(steps: Steps) -> TradeOff:
    """For thresholds at which the characteristic function does not fall off."""
    laws = [(law_of(curve), count) for curve, count in steps]
    parts = composition((law, count) for law, count in laws if law is not None)
    return splined(steps, parts) or _mixed(steps) or smoothed(steps, parts, spread) or spread(steps)


def _fits_lines(law: AtomicLoss) -> bool:
    """Few enough losses, none so large that e to it is no float."""
    return len(law.loss) <= _ATOMS and max(map(abs, law.listed)) <= _LARGEST_LOSS


def _short(parts: Composition) -> bool:
    """Whether there is so much Gaussian loss that lines are short."""
    return parts.gaussian > 0 and parts.gaussian > _MUCH * math.sqrt(parts.real(0.5)[2])


def _mixed(steps: Steps) -> TradeOff | None:
    """Losses that can be listed, beside one law in closed form.

    Only if all are symmetric: the hull of two directions asks for more points than such sums are quick at.
    """
    if any(curve.inverse() is not curve for curve, _ in steps):
        return None
    beside = [(step, atoms_of(step[0])) for step in steps]
    finite = [(step, atoms) for step, atoms in beside if atoms is not None]
    others = [step for step, atoms in beside if atoms is None]
    if not finite or len(others) != 1:
        return None
    rest, count = others[0]
    if count != 1 or not isinstance(rest, (GaussianCurve, LaplaceCurve, LogisticCurve)):
        return None
    listed = _listed([step for step, _ in finite], [atoms for _, atoms in finite])
    if type(listed) is not BracketCurve or len(listed.risky.loss) > _BESIDE:
        return None
    return MixedCurve(listed, rest, tuple(steps))


def _falls_off(steps: Steps) -> bool:
    """Whether lines are sooner worked out than a spline of many pieces, as the characteristic function falls off."""
    if sum(count for _, count in steps) <= _PIECES:
        return False
    bases = [(curve.base if isinstance(curve, FailingCurve) else curve, count) for curve, count in steps]
    smooth = any(isinstance(curve, LogisticCurve) and count > _PIECES for curve, count in bases)
    # |phi| at infinity is the mass of the atoms, 1/(1 + epsilon/2) of a Laplace step's ν
    atoms = sum(count * math.log1p(curve.epsilon0 / 2) for curve, count in bases if isinstance(curve, LaplaceCurve))
    return smooth or atoms > _DECAYED


def _together(steps: Steps) -> list[tuple[TradeOff, int]]:
    """Equal curves counted together, and Gaussian ones made one: n of them are one with √n times the shift."""
    counts: dict[Any, tuple[TradeOff, int]] = {}
    for curve, count in _taken_apart(steps):
        key = curve if isinstance(curve, (LaplaceCurve, LogisticCurve, SampledCurve)) else id(curve)
        counts[key] = (curve, counts[key][1] + count) if key in counts else (curve, count)
    shifts = [(c.shift, count) for c, count in counts.values() if isinstance(c, GaussianCurve) and count]
    rest = [(c, count) for c, count in counts.values() if count and not isinstance(c, GaussianCurve)]
    if not shifts:
        return rest
    most = max(shift for shift, _ in shifts)  # squares of the rest may underflow beside it, none by itself
    total = most * math.sqrt(math.fsum(count * (shift / most) ** 2 for shift, count in shifts))
    total = min(total, sys.float_info.max)  # only rounding could have made it infinite
    return [(GaussianCurve(total), 1), *rest]


def _taken_apart(steps: Steps) -> Iterator[tuple[TradeOff, int]]:
    """Steps that are themselves sums of few, as their steps."""
    for curve, count in steps:
        if isinstance(curve, SplineCurve):
            yield from ((step, count * number) for step, number in curve.steps)
        else:
            yield curve, count


def _perfect() -> PiecewiseCurve:
    one = np.ones(1)
    return PiecewiseCurve(one, one, np.zeros(1))


def _everything() -> PiecewiseCurve:
    """Every output proves its world, save for rounding."""
    proofs = np.array([0.0, 1.0])
    return PiecewiseCurve(proofs, proofs[::-1].copy(), np.array([math.inf, -math.inf]), 0.0, 2e-15)


def _tells_nothing(curve: TradeOff) -> bool:
    return isinstance(curve, PiecewiseCurve) and len(curve.p) == 1


def law_of(curve: TradeOff) -> LossLaw | None:
    """The loss law of a curve whose cumulant function is known."""
    match curve:
        case GaussianCurve():
            return GaussianLoss(curve.shift)
        case LaplaceCurve():
            return LaplaceLoss(curve.epsilon0)
        case LogisticCurve():
            return LogisticLoss(curve.epsilon0)
        case SampledCurve(base=GaussianCurve(shift=mu), rate=rate):
            return SampledGaussianLoss(mu, rate)
        case SampledMirror(forward=SampledCurve(base=GaussianCurve(shift=mu), rate=rate)):
            return ReversedLoss(SampledGaussianLoss(mu, rate))
        case SampledCurve(base=LaplaceCurve(epsilon0=epsilon), rate=rate):
            return SampledLaplaceLoss(epsilon, rate)
        case SampledMirror(forward=SampledCurve(base=LaplaceCurve(epsilon0=epsilon), rate=rate)):
            return ReversedLoss(SampledLaplaceLoss(epsilon, rate))
        case HullCurve(parts=(SampledCurve(base=GaussianCurve(shift=mu), rate=rate) as one, other)):
            return SymmetricSampleLoss(mu, rate) if one.inverse() is other else None
        case ContourCurve() | SplineCurve():
            return CompositionLoss(curve.composition)
        case FailingCurve():
            inner = law_of(curve.base)
            return FailingLoss(inner, curve.kappa) if inner is not None else None
    atoms = atoms_of(curve)
    if atoms is None:
        return None
    if _on_whole_numbers(curve):  # the ends of the tails are rare, but prove nothing
        return AtomicLoss(atoms.p, atoms.loss, rare=max(atoms.unseen))
    return AtomicLoss(atoms.p, atoms.loss, atoms.unseen)


def _on_whole_numbers(curve: TradeOff) -> bool:
    forward = curve.forward if isinstance(curve, SampledMirror) else curve
    return isinstance(forward.base if isinstance(forward, SampledCurve) else forward, LatticeCurve)


def _enumerated(steps: Steps, atoms: Sequence[Atoms]) -> TradeOff | None:
    """All products of the single losses, where they are few."""
    total = None
    for part, (_, count) in zip(atoms, steps):
        power = part.repeated(count)
        if power is None or (total is not None and len(total.loss) * len(power.loss) > 1_000_000):
            return None
        total = power if total is None else total.times(power)
    if total is None or len(total.loss) > _LISTED:
        return None
    # every product of masses is rounded once a doubling, every sum of losses likewise
    rounds = 4e-16 * sum(2 + count.bit_length() for _, count in steps)
    curve = total.curve(rounds * 8)
    tops, proofs = ends_of(steps)
    slack = rounds + 1e-14 + 1e-14 * float(np.max(np.abs(total.loss), initial=0.0))  # losses are sums, too
    slack += 2 * sum(
        count * curve.rounding for curve, count in steps if isinstance(curve, (SampledCurve, SampledMirror))
    )
    return BracketCurve(curve, curve, tuple(steps), tops, proofs, "enumeration", slack)


def _sampled_lists(steps: Steps) -> TradeOff | None:
    """Steps that are samples of what was listed itself, and therefore known to some units only."""
    found = [_atoms_of_sample(curve) for curve, _ in steps]
    known = [atoms for atoms in found if atoms is not None]
    return _enumerated(steps, known) if len(known) == len(steps) else None


def _atoms_of_sample(curve: TradeOff) -> Atoms | None:
    match curve:
        case SampledCurve(base=BracketCurve(route="enumeration") as base, rate=rate):
            inner = atoms_of(base.risky)
            return inner.sampled(rate) if inner is not None else None
        case SampledMirror(forward=forward):
            inner = _atoms_of_sample(forward)
            return inner.reversed() if inner is not None else None
    return atoms_of(curve)


def _listed(steps: Steps, atoms: Sequence[Atoms]) -> TradeOff | None:
    """Losses that are finitely many: each by itself where they are few, else on their lattice if they have one."""
    spacing = common_spacing(list(atoms))
    if spacing is None or sum(part.span / spacing for part in atoms) > SIZE:
        return _enumerated(steps, atoms)
    laws = [(on_lattice(part, spacing), count) for part, (_, count) in zip(atoms, steps)]
    low, high, _ = LatticeSum(laws, spacing).window()
    listed = _enumerated(steps, atoms) if high - low < _FEW else None
    if listed is not None or high - low > 8 * SIZE:
        return listed
    return _lattice_curve(tuple(steps), laws, spacing, DEPTH if high - low < _QUICK else _NARROW)


def _lattice_curve(
    steps: Steps,
    laws: list[tuple[LatticeLaw, int]],
    spacing: float,
    depth: float,
) -> BracketCurve:
    risky, mild = lattice_atoms(laws, spacing, depth)
    tops, proofs = ends_of(steps)
    slack = 1e-14 * (10 + math.sqrt(sum(count for _, count in steps)))
    slack += 4e-15 * float(np.max(np.abs(risky.loss), initial=0.0))
    rounding = 1e-15 * (10 + sum(count.bit_length() for _, count in steps))
    return BracketCurve(risky.curve(rounding), mild.curve(rounding), tuple(steps), tops, proofs, "lattice", slack)
