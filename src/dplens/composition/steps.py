"""The steps of a composition, normalised, with what is known of each of them."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from dplens.composition.contour.curve import ContourCurve
from dplens.composition.spline.curve import SplineCurve
from dplens.curves.base import TradeOff
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.closed.laplace import LaplaceCurve
from dplens.curves.closed.logistic import LogisticCurve
from dplens.curves.derived.groups import FailingCurve
from dplens.curves.derived.hull import HullCurve
from dplens.curves.derived.sampled import SampledCurve
from dplens.curves.finite.enclosed import EnclosedCurve
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.losses.atoms import Atoms, atoms_of
from dplens.losses.base import GaussianLoss
from dplens.losses.bounded import AtomicLoss, LaplaceLoss, LogisticLoss
from dplens.losses.sampled import SampledGaussianLoss
from dplens.losses.total import Composition, Term
from dplens.losses.without_replacement import SymmetricSampleLoss
from dplens.numerics.laws.discrete_gaussian import DiscreteNormalNoise
from dplens.numerics.sharing import Shared, cached_property

Terms = tuple[tuple[TradeOff, int], ...]

_MOST_ATOMS = 4000  # losses of one law whose cumulant function is still quick
_WIDE = 400.0  # standard deviation of a sum of whole numbers that is no longer listed at once
_LARGEST_LOSS = 700.0  # e to a larger one is no float


@dataclass(frozen=True, eq=False)
class Steps(Shared):
    """Curves of single steps, each with how often it occurs.

    Equal curves are counted together, Gaussian ones are one, and those that tell nothing are left out.
    """

    terms: Terms

    @classmethod
    def of(cls, steps: Iterable[tuple[TradeOff, int]]) -> Steps:
        """From steps as they come."""
        return cls(tuple((curve, count) for curve, count in _together(steps) if not _tells_nothing(curve)))

    @property
    def count(self) -> int:
        """How many steps there are in all."""
        return sum(count for _, count in self.terms)

    @property
    def is_symmetric(self) -> bool:
        """Whether every step's curve is its own mirror image."""
        return all(curve.inverse() is curve for curve, _ in self.terms)

    @cached_property
    def atoms(self) -> tuple[Atoms, ...] | None:
        """The losses of every step; None if one of them has infinitely many."""
        found = [atoms_of(curve) for curve, _ in self.terms]
        known = [atoms for atoms in found if atoms is not None]
        return tuple(known) if len(known) == len(found) else None

    @cached_property
    def enumerable(self) -> tuple[Atoms, ...] | None:
        """The same, also for samples of what was itself enumerated, which is known to some units only."""
        if self.atoms is not None:
            return self.atoms
        found = [_atoms_of_sample(curve) for curve, _ in self.terms]
        known = [atoms for atoms in found if atoms is not None]
        return tuple(known) if len(known) == len(found) else None

    @cached_property
    def composition(self) -> Composition | None:
        """The sum of the steps' cumulant functions; None if one of them is not known, or too long a sum itself."""
        terms: list[Term] = []
        log_intact = 0.0
        for curve, count in self.terms:
            found = composition_of(curve)
            if found is None:
                return None
            terms += [term._replace(times=term.times * count) for term in found.terms]
            log_intact += count * found.log_intact
        return Composition.of(terms, log_intact)

    @cached_property
    def is_atomic(self) -> bool:
        """Whether no step has a density, so that the characteristic function does not fall off."""
        parts = self.composition
        return parts is not None and all(isinstance(term.law, AtomicLoss) for term in parts.terms)


def _together(steps: Iterable[tuple[TradeOff, int]]) -> list[tuple[TradeOff, int]]:
    """Equal curves counted together, and Gaussian ones made one: n of them are one with √n times the shift."""
    counts: dict[Any, tuple[TradeOff, int]] = {}
    for curve, count in _taken_apart(steps):
        key = curve if isinstance(curve, (LaplaceCurve, LatticeCurve, LogisticCurve, SampledCurve)) else id(curve)
        counts[key] = (curve, counts[key][1] + count) if key in counts else (curve, count)
    shifts = [(c.shift, count) for c, count in counts.values() if isinstance(c, GaussianCurve) and count]
    rest = [(c, count) for c, count in counts.values() if count and not isinstance(c, GaussianCurve)]
    if not shifts:
        return [_as_one(*rest[0])] if len(rest) == 1 else rest  # beside others, few losses of many steps are closer
    most = max(shift for shift, _ in shifts)  # squares of the rest may underflow beside it, none by itself
    total = most * math.sqrt(math.fsum(count * (shift / most) ** 2 for shift, count in shifts))
    total = min(total, sys.float_info.max)  # only rounding could have made it infinite
    return [(GaussianCurve(total), 1), *rest]


def _as_one(curve: TradeOff, count: int) -> tuple[TradeOff, int]:
    """Equal discrete Gaussian steps as one, of their sum: √count times as wide, and shifted count times as far.

    The loss depends on the outputs by their sum alone. Its law is Σ e^{−|y|²/(2·sigma²)} over the vectors y of whole
    numbers with that sum: by Poisson's formula the discrete Gaussian times 1 + θ, where |θ| ≤ (1 + 2·Σ e^{−π²sigma²k²})
    to the count, less 1. (A vector of the dual lattice is some z less its mean; taken from its median, no more than
    half of z has one sign, and |z|²/2 of its square is left.) Where that is below all digits, nothing is lost.
    """
    if isinstance(curve, LatticeCurve) and isinstance(curve.noise, DiscreteNormalNoise) and count > 1:
        sigma = curve.noise.sigma
        wide = sigma * math.sqrt(count)
        if wide > _WIDE and 3 * count * math.exp(-min((math.pi * sigma) ** 2, 700.0)) < 1e-18:
            return LatticeCurve(DiscreteNormalNoise(wide), curve.shift * count), 1
    return curve, count


def _taken_apart(steps: Iterable[tuple[TradeOff, int]]) -> Iterator[tuple[TradeOff, int]]:
    """Steps that are themselves sums of few, as their steps."""
    for curve, count in steps:
        if isinstance(curve, SplineCurve):
            yield from ((step, count * number) for step, number in curve.steps)
        else:
            yield curve, count


def _tells_nothing(curve: TradeOff) -> bool:
    return isinstance(curve, PiecewiseCurve) and len(curve.p) == 1


def _is_long(law: AtomicLoss) -> bool:
    return len(law.loss) > _MOST_ATOMS or max(map(abs, law.listed)) > _LARGEST_LOSS


def composition_of(curve: TradeOff) -> Composition | None:
    """One step, or the steps it consists of, by their laws; None if a cgf is not known, or too long a sum."""
    match curve:
        case GaussianCurve():
            return Composition((Term(GaussianLoss(curve.shift), 1),))
        case LaplaceCurve():
            return Composition((Term(LaplaceLoss(curve.epsilon0), 1),))
        case LogisticCurve():
            return Composition((Term(LogisticLoss(curve.epsilon0), 1),))
        case SampledCurve(base=GaussianCurve(shift=mu), rate=rate):
            return Composition((Term(SampledGaussianLoss(mu, rate), 1, curve.backward),))
        case HullCurve(parts=(SampledCurve(base=GaussianCurve(shift=mu), rate=rate, backward=False) as one, other)):
            return Composition((Term(SymmetricSampleLoss(mu, rate), 1),)) if one.inverse() is other else None
        case ContourCurve() | SplineCurve():
            return curve.composition
        case FailingCurve():
            inner = composition_of(curve.base)
            return replace(inner, log_intact=inner.log_intact + math.log1p(-curve.kappa)) if inner is not None else None
    atoms = atoms_of(curve)
    if atoms is None:
        return None
    if _on_whole_numbers(curve):  # the ends of the tails are rare, but prove nothing
        law = AtomicLoss(atoms.p, atoms.loss, rare=max(atoms.unseen))
    else:
        law = AtomicLoss(atoms.p, atoms.loss, atoms.unseen)
    return None if _is_long(law) else Composition((Term(law, 1),))


def _on_whole_numbers(curve: TradeOff) -> bool:
    return isinstance(curve.base if isinstance(curve, SampledCurve) else curve, LatticeCurve)


def _atoms_of_sample(curve: TradeOff) -> Atoms | None:
    match curve:
        case SampledCurve(base=EnclosedCurve(route="enumeration") as base, rate=rate):
            inner = atoms_of(base.risky)
            return inner.sampled(rate, curve.backward) if inner is not None else None
    return atoms_of(curve)
