"""Any releases, composed on a lattice of losses by Fourier transforms and enclosed from both sides in one pass.

Every step is spread onto the lattice (``spreading.py``), tilted and transformed; powers and products of the transforms
give the masses of the whole. The result is never safer than the truth. How much riskier it can be follows from theory.

**Claim.** Let T be the composition, R the one of the spread steps, h how far a loss is moved at most, W the sum over
steps of the largest variance of e^Z, call(e) = E_P(e^L − e^e)₊, and p_U(e) the density at e, under H0, of R's loss plus
an independent N(−U/2, U). For any 0 < U < U',

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
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.between import EnclosedCurve
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.laplace import LaplaceCurve
from dplens.curves.logistic import LogisticCurve
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.polygons import Dots, polygon_above, polygon_below, revealing
from dplens.curves.renyi import RenyiCurve
from dplens.curves.sampled import SampledCurve
from dplens.curves.supremum import SupremumCurve
from dplens.curves.transforms import FailingCurve
from dplens.engine.atoms import Atoms, atoms_of
from dplens.engine.coarse_axis import LARGEST_LOSS, CoarseAxis
from dplens.engine.lattice import power, round_length
from dplens.engine.laws import UNIT
from dplens.engine.spreading import SIDES, Smoothing, SpreadLaw, reach_of, spread_atoms, spread_curve
from dplens.errors import Undefined

Steps = Sequence[tuple[TradeOff, int]]
Laws = Sequence[tuple[SpreadLaw, int]]

USUAL_WIDTH = 5e-7  # relative width at a delta of e^−DEPTH
_DEPTH = 18.0  # −log of the delta down to which the tolerance is meant
_RARE = 1e-60  # chance of the losses beyond the reach of a step
_COARSE = 200  # dots on either side in a first look
_FEWEST, _MOST = 1 << 16, (1 << 18, 1 << 19)  # lattice points of the whole: at least, at most for many laws and few
_FINEST = 1 << 21  # the same where a tolerance is asked for
_POINTS = 1 << 22  # of all laws together, between the two
_LISTED = 40_000  # losses of small finite laws multiplied out before they are spread
_CLOSED = GaussianCurve, LaplaceCurve, LogisticCurve, SampledCurve, FailingCurve, PiecewiseCurve
# Dots on either side of a curve: many where the profile is in closed form, few where it is searched for.
_DOTS = ((_CLOSED, 250_000), ((RenyiCurve, SupremumCurve), 3000), (TradeOff, 20_000))
_SMALLEST = 1e-140  # losses that are none
_LONGEST = 1 << 21  # lattice points of one step on either side
_VAST = 1e200
_UNSURE = 1e-5  # relative rounding of all masses from which they say nothing
_CERTAIN = 1 - 1e-9  # mass at infinity beside which nothing else counts


def connected(steps: Steps, tolerance: float = USUAL_WIDTH, fewest: int = _FEWEST) -> EnclosedCurve:
    """The composition between two polygons of at least ``fewest`` dots.

    tolerance: the relative width that is meant at moderate deltas, where that can be afforded.
    """
    infinity = _infinity_from_below(steps)
    if max(infinity) > _CERTAIN:
        return EnclosedCurve(revealing(1.0, 1.0), revealing(*infinity), tuple(steps), "grid", composed=True)
    if sum(count for _, count in steps) * UNIT > _UNSURE:
        return _by_mu(steps, infinity)
    sources = _sources(steps)
    rough = CoarseAxis([(source.spread(source.reach / _COARSE, every=1), count) for source, count in sources])
    count = sum(count for _, count in sources)
    most = min(max(_POINTS // len(sources), _MOST[0]), _MOST[1]) if tolerance >= USUAL_WIDTH else _FINEST
    spacing = max(
        _spacing(rough, count, tolerance, (fewest, most)), max(source.reach for source, _ in sources) / _LONGEST
    )
    spacing = _fitting(spacing, sources)
    laws = [(source.spread(spacing), count) for source, count in sources]
    rough = replace(rough, variance=_variance(laws), widest=max(law.every for law, _ in laws) * spacing)
    whole = _Sum(laws, spacing, rough)
    symmetric = all(curve.inverse() is curve for curve, _ in steps)
    above, below = whole.bounds(rough.tilts(), infinity, symmetric)
    return EnclosedCurve(polygon_above(*above), polygon_below(*below), tuple(steps), "grid", composed=True)


def _by_mu(steps: Steps, infinity: tuple[float, float]) -> EnclosedCurve:
    """So many steps that rounding leaves nothing of a sum: no riskier than Gaussian releases of their mu."""
    mu = math.sqrt(math.fsum(count * step._mu()[1] ** 2 for step, count in steps)) * (1 + 1e-14)
    above = GaussianCurve(mu) if math.isfinite(mu) else revealing(1.0, 1.0)
    return EnclosedCurve(above, revealing(*infinity), tuple(steps), "grid", composed=True)


def _spacing(rough: CoarseAxis, n: int, tolerance: float, points: tuple[int, int]) -> float:
    """A spacing whose width at a moderate delta is about the tolerance, within what a transform can hold.

    e^e·p_U'(e) is about c·(c − 1)·call(e), c the tilt whose mean loss is e, and W at most n·h²/4.
    """
    small = 1e-4 / math.sqrt(n)
    factor = Smoothing.least(n * small**2 / 4, small, small).factor / small**2
    c = rough.tilt_at_depth(_DEPTH)
    wanted = math.sqrt(tolerance / (factor * c * (c - 1)))
    window = max(max(rough.window[1], 0.0) - min(rough.window[0], 0.0), _SMALLEST)  # 0 is part of every lattice
    return min(max(wanted, window / points[1]), window / points[0])


def _fitting(spacing: float, sources: Sequence[tuple[_Source, int]]) -> float:
    """A spacing no larger, of which the widest step with an end has a whole number: much mass lies at such ends.

    Just above, so that the last dot does not fall short of the end.
    """
    widest = max((source.reach for source, _ in sources if source.ends), default=0.0)
    return widest / math.ceil(widest / spacing) * (1 + 1e-15) if widest > spacing else spacing


def _infinity_from_below(steps: Steps) -> tuple[float, float]:
    """The mass at infinity under H1, and under H0."""
    found = []
    for side in SIDES:
        seen = math.fsum(count * math.log1p(-min(side(c).infinity_mass().lo, 1 - 1e-16)) for c, count in steps)
        found.append(-math.expm1(seen) * (1 - 1e-13))
    return found[0], found[1]


# ---- what is spread ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Source:
    """A step, or several finite ones multiplied out."""

    of: Atoms | TradeOff
    reach: float

    @property
    def ends(self) -> bool:
        """Whether its losses have an end."""
        return isinstance(self.of, TradeOff) and math.isfinite(self.of._max_loss()[1])

    def spread(self, spacing: float, every: int | None = None) -> SpreadLaw:
        """On a lattice."""
        if isinstance(self.of, Atoms):
            return spread_atoms(self.of, spacing, self.reach)
        dots = self.reach / spacing
        most = next(dots for kinds, dots in _DOTS if isinstance(self.of, kinds))
        each = every or max(1, math.ceil(dots / most))
        return spread_curve(self.of, spacing, max(1, math.ceil(dots / each - 1e-9)), each)


def _sources(steps: Steps) -> list[tuple[_Source, int]]:
    found: list[tuple[_Source, int]] = []
    small: list[Atoms] = []
    for curve, count in steps:
        atoms = atoms_of(curve)
        if atoms is None or len(atoms.loss) > _LISTED:
            found.append((_Source(curve, _checked(reach_of(curve, count, _RARE))), count))
            continue
        within = count * np.max(np.abs(atoms.loss), initial=0.0) < LARGEST_LOSS
        whole = atoms.repeated(count) if count > 1 and within else atoms
        if whole is not None and len(whole.loss) <= _LISTED and (count == 1 or within):
            small.append(_without_rare(whole))
        else:
            found.append((_Source(atoms, _reach_of_atoms(atoms, count)), count))
    found += [(_Source(atoms, _reach_of_atoms(atoms, 1)), 1) for atoms in _multiplied_out(small)]
    return found


def _multiplied_out(laws: list[Atoms]) -> list[Atoms]:
    """Fewer laws with more losses: what is multiplied out is spread only once."""
    out: list[Atoms] = []
    for law in sorted(laws, key=lambda law: len(law.loss)):
        reach = sum(float(np.max(np.abs(x.loss), initial=0.0)) for x in (law, *out[-1:]))
        if out and len(out[-1].loss) * len(law.loss) <= _LISTED and reach < LARGEST_LOSS:
            out[-1] = _without_rare(out[-1].times(law, exact=False))
        else:
            out.append(law)
    return out


def _without_rare(law: Atoms) -> Atoms:
    """Losses with next to no mass in either world count as infinite."""
    rare = np.maximum(law.p, law.q) < _RARE / 1e6
    if not rare.any():
        return law
    lost = float(np.sum(law.p[rare])), float(np.sum(law.q[rare]))
    unseen = law.unseen[0] + lost[0], law.unseen[1] + lost[1]
    return Atoms(law.loss[~rare], law.p[~rare], law.q[~rare], unseen)


def _reach_of_atoms(law: Atoms, count: int) -> float:
    order = np.argsort(-np.abs(law.loss))
    tail = np.cumsum(np.maximum(law.p, law.q)[order])
    first = int(np.searchsorted(tail, _RARE / count))
    return _checked(float(np.abs(law.loss[order[min(first, len(order) - 1)]])) if len(order) else 0.0)


def _checked(reach: float) -> float:
    if reach > LARGEST_LOSS:
        raise Undefined(
            f"Steps whose losses reach {reach:.3g} hide next to nothing, and their compositions are not enclosed by "
            "this route. Treat such a release as one of the data themselves, or check its noise and its sensitivity."
        )
    return max(reach, _SMALLEST)


# ---- the sum ------------------------------------------------------------------------------------------------------


def _variance(laws: Laws) -> float:
    return math.fsum(count * law.variance for law, count in laws)


class _Tilted(NamedTuple):
    """Masses of the whole under one tilt, scaled to add up to 1, and what is known of their error."""

    c: float
    k: float
    masses: Floats
    density: Floats  # of the loss with the kernel of the claim besides, from above
    error: float  # root of the sum of the squared errors of the masses
    blur: float  # relative error of e^k, which all of them share


class _Sum:
    """The whole on its lattice, from a few tilts, each of which serves the losses that are likeliest under it."""

    def __init__(self, laws: Laws, spacing: float, axis: CoarseAxis) -> None:
        self.laws, self.spacing, self.axis = laws, spacing, axis
        self.first = sum(law.first * count for law, count in laws)
        last = sum((law.first + len(law.p) - 1) * count for law, count in laws)
        ends = (axis.window[0] > axis.support[0], axis.window[1] < axis.support[1])  # or all losses are in it
        self.low = max(math.floor(axis.window[0] / spacing), self.first) if ends[0] else self.first
        high = min(math.ceil(axis.window[1] / spacing), last) if ends[1] else last
        self.low, high = min(self.low, -1), max(high, 1)
        self.count = high - self.low + 1
        self.size = round_length(self.count + 1)
        self.widest = max(law.every for law, _ in laws)
        total = _variance(laws)
        self.smoothing = Smoothing.least(total, self.widest * spacing, spacing) if total > 0 else None

    def tilted(self, c: float) -> _Tilted:
        """The whole under the tilt c."""
        half = self.size // 2 + 1
        value, bound, k, blur = np.ones(half, dtype=complex), np.ones(half), 0.0, 0.0
        unit = 8 * UNIT * (math.log2(self.size) + 4)  # of a Fourier sum of masses that add up to 1
        each = unit + 8 * UNIT  # and of a factor of a power: a complex product errs by √5 units
        for law, times in self.laws:
            tilt, log_p = c * law.losses, law.log_p
            exponent = tilt + log_p
            top = float(exponent.max())
            weight = np.exp(exponent - top)
            total = float(weight.sum())
            k += times * (top + math.log(total))
            some = weight > 0
            sizes = float(weight[some] @ (np.abs(tilt[some]) - log_p[some])) / total  # of what exponents are sums of
            blur += times * UNIT * (8 + 4 * sizes + 2 * abs(top))
            phi = np.fft.rfft(_wrapped(weight / total, self.size), self.size)
            with np.errstate(over="ignore", under="ignore"):
                bound *= power(np.abs(phi) + each, times)
                value *= power(phi, times)
        with np.errstate(over="ignore", under="ignore"):
            wrong = np.minimum(bound - np.abs(value), 2.0) + unit * np.abs(value)
        # by Parseval's theorem, and what lies outside the window and is wrapped into it
        outside = self.axis.beyond(c, k)
        error = math.sqrt(2 * float(wrong @ wrong) / self.size) + outside + 1e-300
        masses = np.maximum(self._inside(np.fft.irfft(value, self.size)), 0.0)
        if self.smoothing is None:
            return _Tilted(c, k, masses, np.zeros(self.count), error, blur)
        kernel = self.smoothing.kernel(c, self.spacing, self.size)
        density = self._inside(np.fft.irfft(value * np.fft.rfft(kernel), self.size))
        ends = float(kernel[kernel > 0].min())  # beyond them the kernel is smaller still
        more = error * float(np.linalg.norm(kernel)) + (unit + outside) * float(kernel.max()) + ends
        density = np.nan_to_num(np.maximum(density, 0.0) + more, nan=_VAST, posinf=_VAST)
        return _Tilted(c, k, masses, density * (1 + 2 * blur), error, blur)

    def _inside(self, wrapped: Floats) -> Floats:
        return np.roll(wrapped, -((self.low - self.first) % self.size))[: self.count]

    def bounds(
        self, tilts: Sequence[float], least: tuple[float, float], symmetric: bool
    ) -> tuple[tuple[Dots, Dots], tuple[Dots, Dots]]:
        """Dots above and dots below the profiles of both directions; ``least``: masses at infinity from below."""
        parts = [self.tilted(c) for c in tilts if c >= 0.5 or not symmetric]
        up = self._side(parts, 1, least[0])
        down = up if symmetric else self._side(parts, -1, least[1])
        return (up[0], down[0]), (up[1], down[1])

    def _side(self, parts: Sequence[_Tilted], sign: int, least: float) -> tuple[Dots, Dots]:
        """Dots above and below the profile of one direction.

        Upwards from a loss of 0 with masses under H0; downwards the worlds are exchanged, and so are the masses.
        """
        part = slice(-self.low, None, sign)
        x = (self.spacing * np.arange(self.low, self.low + self.count, dtype=float))[part]
        every = [each.k - each.c * x for each in parts]
        best = np.argmin(every, axis=0)
        logs = np.choose(best, every)
        masses = np.choose(best, [each.masses[part] for each in parts])
        density = np.choose(best, [each.density[part] for each in parts])
        scale, grown = (np.exp(np.clip(logs + shift, -720.0, 700.0)) for shift in ((0.0, x), (x, 0.0))[sign < 0])
        e = np.abs(x)
        tail = _sum_beyond(masses * scale)
        call = _sum_from(np.exp(e) * math.expm1(self.spacing) * tail)
        errors = np.array([each.error for each in parts])
        error = _rooted(errors, best, grown) + 2 * max(each.blur for each in parts) * call
        infinity = self._infinity(1 if sign > 0 else 0)
        gap = self._noise(call, infinity)
        if self.smoothing is not None:
            gap = gap + self.smoothing.factor * density * grown
        # errors that leave the floats say nothing
        above = np.minimum(np.nan_to_num(call + error + infinity, nan=1.0), 1.0)
        below = np.nan_to_num(call - error - gap + least, nan=least, neginf=least)
        return Dots(e, above, infinity), Dots(e, _without_dips(below), least)

    def _infinity(self, world: int) -> float:
        """The mass at infinity of a world from above: that of the spread steps, and what lies outside the window."""
        seen = math.fsum(count * math.log1p(-min(law.infinity[world], 1 - 1e-16)) for law, count in self.laws)
        return min(-math.expm1(seen) * (1 + 1e-13) + self.axis.beyond(float(world), 0.0), 1.0)

    def _noise(self, call: Floats, infinity: float) -> Floats:
        """What noisy profiles of the steps can have added: Σ share·delta(e − shift) and Σ lost."""
        share = math.fsum(count * law.share for law, count in self.laws)
        lost = math.fsum(count * law.lost for law, count in self.laws)
        shift = self.widest
        rise = -np.expm1(-self.spacing * np.arange(shift, 0, -1.0))  # calls below 0 are at most that much larger
        before = np.concatenate([call[0] + rise, call[:-shift]]) if shift < len(call) else call[0] + rise[: len(call)]
        return share * (before + infinity) + lost


def _without_dips(bound: Floats) -> Floats:
    """A lower bound of a falling function, linear between points, raised to what is known further out.

    From the last point before a dip on, the bound is level; lines into a dip would not be bounds once it is filled.
    """
    later = np.maximum.accumulate(bound[::-1])[::-1]
    dips = np.append(bound[1:] < later[1:], False)
    return np.where(dips, np.append(later[1:], later[-1]), later)


def _wrapped(weight: Floats, size: int) -> Floats:
    if len(weight) <= size:
        return weight
    return np.asarray(np.bincount(np.arange(len(weight)) % size, weight, size), dtype=float)


def _sum_from(terms: Floats) -> Floats:
    return np.cumsum(terms[::-1])[::-1]


def _sum_beyond(terms: Floats) -> Floats:
    return np.append(_sum_from(terms)[1:], 0.0)


def _rooted(errors: Floats, best: np.ndarray, weight: Floats) -> Floats:
    """Σ over tilts of error·√Σ weight² over the losses beyond that the tilt serves (Cauchy and Schwarz)."""
    total = np.zeros(len(weight))
    for tilt in np.unique(best):
        mine = best == tilt
        with np.errstate(over="ignore"):
            total += float(errors[tilt]) * np.sqrt(_sum_beyond(np.where(mine, weight, 0.0) ** 2))
    return total
