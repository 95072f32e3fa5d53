"""The steps of a composition, normalised, with their losses and cgfs."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from dplens.composition.contour.curve import ContourCurve
from dplens.composition.spline.curve import SplineCurve
from dplens.curves.base import TradeOff
from dplens.curves.closed.bounded import LaplaceCurve, LogisticCurve
from dplens.curves.closed.gaussian import GaussianCurve
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

_COMPARED = {LaplaceCurve, LatticeCurve, LogisticCurve, SampledCurve}  # equal if their parameters are
_WIDEST_LISTED = 400.0  # standard deviation up to which a sum of whole numbers is listed output by output


@dataclass(frozen=True, eq=False)
class Steps(Shared):
    """Curves of single steps, each with its count.

    Equal curves and Gaussian ones are merged, and those without any privacy loss are dropped.
    """

    terms: Terms

    @classmethod
    def of(cls, steps: Iterable[tuple[TradeOff, int]]) -> Steps:
        """Normalise steps."""
        terms = _merged(steps)
        return cls(tuple((c, n) for c, n in terms if not (isinstance(c, PiecewiseCurve) and len(c.p) == 1)))

    @property
    def count(self) -> int:
        """The total number of steps."""
        return sum(count for _, count in self.terms)

    @cached_property
    def is_symmetric(self) -> bool:
        """Whether every step's curve is its own inverse."""
        return all(curve.inverse() is curve for curve, _ in self.terms)

    @cached_property
    def bases(self) -> Terms:
        """The terms without their chance of failure."""
        return tuple((curve.base if isinstance(curve, FailingCurve) else curve, count) for curve, count in self.terms)

    @cached_property
    def atoms(self) -> tuple[Atoms, ...] | None:
        """The losses of every step; None if a step has infinitely many."""
        return self._all(atoms_of)

    @cached_property
    def enumerable(self) -> tuple[Atoms, ...] | None:
        """The same, also for samples of compositions that were enumerated, whose masses carry a rounding error."""
        return self.atoms or self._all(_atoms_of_sample)

    def _all(self, atoms: Callable[[TradeOff], Atoms | None]) -> tuple[Atoms, ...] | None:
        found = [atoms(curve) for curve, _ in self.terms]
        known = [part for part in found if part is not None]
        return tuple(known) if len(known) == len(found) else None

    @cached_property
    def composition(self) -> Composition | None:
        """The sum of the steps' cgfs; None if one of them is unknown or is itself too long a sum."""
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
        """Whether no step has a density, so that the characteristic function does not decay."""
        parts = self.composition
        return parts is not None and all(isinstance(term.law, AtomicLoss) for term in parts.terms)


def _merged(steps: Iterable[tuple[TradeOff, int]]) -> list[tuple[TradeOff, int]]:
    """Merge equal curves and Gaussian ones: n of the latter are one with √n times the shift."""
    counts: dict[Any, tuple[TradeOff, int]] = {}
    for whole, times in steps:
        for curve, count in whole.steps if isinstance(whole, SplineCurve) else ((whole, 1),):
            key = curve if type(curve) in _COMPARED else id(curve)
            counts[key] = curve, counts.get(key, (curve, 0))[1] + count * times
    shifts = [(c.shift, count) for c, count in counts.values() if isinstance(c, GaussianCurve) and count]
    rest = [(c, count) for c, count in counts.values() if count and not isinstance(c, GaussianCurve)]
    if not shifts:
        # beside other steps, a few losses many times give narrower brackets
        return [_discrete_gaussian(*rest[0])] if len(rest) == 1 else rest
    largest = max(shift for shift, _ in shifts)  # scaled by it, squares neither overflow nor all underflow
    total = largest * math.sqrt(math.fsum(count * (shift / largest) ** 2 for shift, count in shifts))
    return [(GaussianCurve(min(total, sys.float_info.max)), 1), *rest]  # only rounding could make it infinite


def _discrete_gaussian(curve: TradeOff, count: int) -> tuple[TradeOff, int]:
    """Merge equal discrete Gaussian steps into their sum: √count times as wide, and shifted count times as far.

    The loss depends on the outputs only through their sum. Its law is Σ e^{−|y|²/(2·sigma²)} over the integer vectors y
    with that sum: by Poisson's formula the discrete Gaussian times 1 + θ, where |θ| ≤ (1 + 2·Σ e^{−π²sigma²k²})^count
    − 1. (A vector of the dual lattice is some z minus its mean. If the median of z is subtracted first, at most half of
    its entries have one sign, and at least |z|²/2 of its square remains.) If θ is below rounding, nothing is lost.
    """
    if isinstance(curve, LatticeCurve) and isinstance(curve.noise, DiscreteNormalNoise) and count > 1:
        sigma = curve.noise.sigma
        theta = 3 * count * math.exp(-min((math.pi * sigma) ** 2, 700.0))
        if sigma * math.sqrt(count) > _WIDEST_LISTED and theta < 1e-18:
            return LatticeCurve(DiscreteNormalNoise(sigma * math.sqrt(count)), curve.shift * count), 1
    return curve, count


def composition_of(curve: TradeOff) -> Composition | None:
    """The cgf of a step, or of the steps it consists of; None if it is unknown or too long a sum."""
    match curve:
        case PiecewiseCurve():
            pass
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
    if atoms is None or len(atoms.loss) > 4000 or atoms.reach > 700:  # a slow sum, or one that overflows
        return None
    if isinstance(curve.base if isinstance(curve, SampledCurve) else curve, LatticeCurve):
        # the ends of the tails are rare, but do not lie at infinity
        law = AtomicLoss(atoms.p, atoms.loss, (0.0, 0.0), max(atoms.infinity_masses), atoms.is_symmetric)
    else:
        law = AtomicLoss(atoms.p, atoms.loss, atoms.infinity_masses, is_symmetric=atoms.is_symmetric)
    return Composition((Term(law, 1),))


def _atoms_of_sample(curve: TradeOff) -> Atoms | None:
    match curve:
        case SampledCurve(base=EnclosedCurve(route="enumeration") as base, rate=rate):
            inner = atoms_of(base.risky)
            return inner.sampled(rate, curve.backward) if inner is not None else None
    return atoms_of(curve)
