"""Any releases, composed on a lattice of losses by Fourier transforms and enclosed from both sides in one pass.

Steps are spread onto the lattice (``spreading.py``), tilted and transformed; powers and products of the transforms give
the masses of the whole (``tilted_sum.py``). The result is never safer than the truth. How much riskier it can be
follows from theory.

**Claim.** Let T be the composition, R the same with some steps spread, h how far a loss is moved at most, W the sum
over these steps of the largest variance of e^Z, call(e) = E_P(e^L − e^e)₊, and p_U(e) the density at e, under H0, of
R's loss plus an independent N(−U/2, U). For any 0 < U < U',

    call_R(e) − w·e^e·p_U'(e) ≤ call_T(e) ≤ call_R(e),   w = G·(U·e^{U/8} + ½·W·e^{2h}),
    G = √(U'/U)·exp{B²/(2(U' − U)) + W·e^{2h}/(2U')},   B = h + ½·W·e^{3h} + (U' − U)/2.

**Proof.** call_T ≤ call_R by Jensen's inequality. Write f_U for the density of N(−U/2, U), and add such a loss to T and
to R; call_R ≤ call_{R,U} for the same reason.

1. call_{T,U} − U·e^{U/8}·e^e·p_{T,U}(e) ≤ call_T: call_{T,u}(e) rises in u by ½·e^e·p_{T,u}(e) (the heat equation of
   option prices), and for u ≤ U the kernel f_u is at most √(U/u)·e^{U/8} times f_U.
2. Replace the losses of T by those of R one by one. In v = e^Z a call with N besides is convex, with second derivative
   v^{−2}·f_U. One replacement adds at most ½·Var(e^Z)·e^{2h}·e^e·E sup f_U(e − S − z) over |z| ≤ h, S the sum of the
   losses as they are before it.
3. Kernels compare: f_U(x − z) ≤ √(U'/U)·exp{b²/(2(U' − U))}·f_U'(x) with b = |z| + (U' − U)/2.
4. Given all losses of T, those still to be replaced move the sum by r with mean between −½·W·e^{3h} and 0 and variance
   at most W·e^{2h}. By Jensen's inequality for log f_U', E f_U'(x − r) ≥ f_U'(x − E r)·exp{−Var r/(2U')}.

By 3 and 4, E sup f_U(e − S − z) ≤ G·p_U'(e), also for S = L_T, which bounds p_{T,U}(e); insert that in 1 and 2. ∎

Puts differ from calls by what T and R share, so the same gap bounds them. Between lattice points e^e·p_U'(e) exceeds
the straight line in e^e by a factor below (1 + spacing)·e^{spacing²/(8U')}, as log f_U' bends by 1/U'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplens.composition.grid.axis import LARGEST_LOSS, CoarseAxis
from dplens.composition.grid.spreading import SIDES, Smoothing, SpreadLaw, reach_of, spread_atoms, spread_curve
from dplens.composition.grid.tilted_sum import TiltedSum
from dplens.curves.base import TradeOff
from dplens.curves.closed.bounded import LaplaceCurve, LogisticCurve
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.derived.groups import FailingCurve
from dplens.curves.derived.sampled import SampledCurve
from dplens.curves.finite.enclosed import EnclosedCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.curves.finite.polygons import polygon_above, polygon_below, revealing
from dplens.curves.guarantees.renyi import RenyiCurve
from dplens.curves.guarantees.supremum import SupremumCurve
from dplens.errors import Undefined
from dplens.losses.atoms import Atoms, atoms_of

Terms = Sequence[tuple[TradeOff, int]]
_Sources = Sequence[tuple["_Source", int]]

USUAL_WIDTH = 1e-6  # relative width of a power at a false-positive rate of about 1e-5, as bounded beforehand
_RARE = 1e-60  # chance of the losses beyond the reach of a step
_SMALLEST = 1e-140  # stands in for losses of 0
_LISTED = 40_000  # losses of equal finite steps that are multiplied out before they are spread


def connected(steps: Terms, tolerance: float = USUAL_WIDTH, fewest: int | None = None) -> EnclosedCurve:
    """The composition between two polygons of at least ``fewest`` dots.

    tolerance: the relative width wanted at moderate deltas. It is not met if that would take too many points.
    """
    infinity = infinity_from_below(steps)
    if max(infinity) > 1 - 1e-9:  # nothing else counts beside it
        return EnclosedCurve(revealing(1.0, 1.0), revealing(*infinity), tuple(steps), "grid", composed=True)
    sources = _sources(steps)
    dots = min(max(256 // len(sources), 32), 128)  # for a first look
    axis = CoarseAxis([(source.spread(source.reach / dots, every=1), count) for source, count in sources])
    spacing, cell = _spacing(axis, sources, tolerance, fewest)
    spacing = _fitting(max(spacing, max(source.reach for source, _ in sources) / (1 << 21)), sources)
    laws = [(source.spread(spacing), count) for source, count in sources]
    axis.refine(laws)
    each = max(int(cell / spacing), 1) if tolerance >= USUAL_WIDTH else 1
    return summed(steps, TiltedSum(laws, spacing, each, axis), "grid")


def summed(steps: Terms, total: TiltedSum, route: str) -> EnclosedCurve:
    """The curve of a sum."""
    symmetric = all(curve.inverse() is curve for curve, _ in steps)
    above, below = total.bounds(infinity_from_below(steps), symmetric)
    return EnclosedCurve(polygon_above(*above), polygon_below(*below), tuple(steps), route, composed=True)


def _spacing(axis: CoarseAxis, sources: _Sources, tolerance: float, fewest: int | None) -> tuple[float, float]:
    """A spacing, and a distance between points of the profile, for a width of a power of about the tolerance.

    W is at most n·h²/4, and a cell of the width d adds d²/8 to it.
    """
    n = sum(count for _, count in sources)
    small = 1e-4 / math.sqrt(n)
    factor = Smoothing.least(n * small**2 / 4, small, small).factor / small**2
    steep = tolerance / axis.steepness(11.5)  # at rates and deltas of about 1e-5
    window = max(max(axis.window[1], 0.0) - min(axis.window[0], 0.0), _SMALLEST)  # 0 is part of every lattice
    most = 1 << (19 if tolerance >= USUAL_WIDTH else 21)
    spacing, cell = math.sqrt(steep / factor), math.sqrt(4 * steep)
    least = min(max((1 << 18) // (2 + len(sources)), 1 << 13), 1 << 17)  # many laws share the time that few laws take
    return min(max(spacing, window / most), window / (fewest or least)), min(cell, window / (fewest or 1 << 12))


def _fitting(spacing: float, sources: _Sources) -> float:
    """A spacing no larger that divides the largest loss of the widest bounded step, where much mass may lie.

    It is rounded up, so that the last dot does not fall short of that loss.
    """
    widest = max((source.reach for source, _ in sources if source.is_bounded), default=0.0)
    return widest / math.ceil(widest / spacing) * (1 + 1e-15) if widest > spacing else spacing


def infinity_from_below(steps: Terms) -> tuple[float, float]:
    """The mass at infinity under H1, and under H0."""
    found = []
    for side in SIDES:
        seen = math.fsum(count * math.log1p(-min(side(c).infinity_mass().lo, 1 - 1e-16)) for c, count in steps)
        found.append(-math.expm1(seen) * (1 - 1e-13))
    return found[0], found[1]


# ---- the steps to be spread -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Source:
    """A step to be spread, or several finite ones multiplied out."""

    of: Atoms | TradeOff
    reach: float

    @property
    def is_bounded(self) -> bool:
        """Whether there is a largest loss."""
        return isinstance(self.of, TradeOff) and math.isfinite(self.of._max_loss()[1])

    def spread(self, spacing: float, every: int | None = None) -> SpreadLaw:
        """The step on a lattice."""
        if isinstance(self.of, Atoms):
            return spread_atoms(self.of, spacing, self.reach)
        dots = self.reach / spacing
        each = every or max(1, math.ceil(dots / _affordable_dots(self.of)))
        return spread_curve(self.of, spacing, max(1, math.ceil(dots / each - 1e-9)), each)


def _affordable_dots(curve: TradeOff) -> int:
    """Dots on either side of a curve: many where the profile has a closed form, few where it takes a search."""
    if curve.is_costly:
        return 40_000
    if isinstance(curve, (GaussianCurve, LaplaceCurve, LogisticCurve, SampledCurve, FailingCurve, PiecewiseCurve)):
        return 250_000
    return 3000 if isinstance(curve, (RenyiCurve, SupremumCurve)) else 20_000


def _sources(steps: Terms) -> list[tuple[_Source, int]]:
    found: list[tuple[_Source, int]] = []
    small: list[Atoms] = []
    for curve, count in steps:
        atoms = atoms_of(curve)
        if atoms is None or len(atoms.loss) > _LISTED:
            found.append((_Source(curve, _checked(reach_of(curve, count, _RARE))), count))
            continue
        whole = atoms.repeated(count) if count == 1 or count * atoms.reach < LARGEST_LOSS else None
        if whole is not None and len(whole.loss) <= _LISTED:
            small.append(_without_rare(whole))
        else:
            found.append((_listed(_without_rare(atoms)), count))
    return found + [(_listed(atoms), 1) for atoms in _multiplied_out(small)]


def _multiplied_out(laws: list[Atoms], most: int = 2000) -> list[Atoms]:
    """Compose small laws, as a composition is spread only once."""
    out: list[Atoms] = []
    for law in sorted(laws, key=lambda law: len(law.loss)):
        product = None
        if out and len(out[-1].loss) * len(law.loss) <= most and out[-1].reach + law.reach < LARGEST_LOSS:
            product = out.pop().times(law, merge=False)
        out.append(law if product is None else _without_rare(product))
    return out


def _without_rare(law: Atoms) -> Atoms:
    """Count losses with almost no mass under either hypothesis as infinite."""
    rare = np.maximum(law.p, law.q) < _RARE / 1e6
    if not rare.any():
        return law
    lost = float(np.sum(law.p[rare])), float(np.sum(law.q[rare]))
    infinity_masses = law.infinity_masses[0] + lost[0], law.infinity_masses[1] + lost[1]
    return Atoms(law.loss[~rare], law.p[~rare], law.q[~rare], infinity_masses)


def _listed(atoms: Atoms) -> _Source:
    return _Source(atoms, _checked(atoms.reach))


def _checked(reach: float) -> float:
    if reach > LARGEST_LOSS:
        raise Undefined(
            f"Steps whose losses reach {reach:.3g} hide almost nothing, and their compositions are not enclosed by "
            "this route. Treat such a release as one of the data themselves, or check its noise and its sensitivity."
        )
    return max(reach, _SMALLEST)
