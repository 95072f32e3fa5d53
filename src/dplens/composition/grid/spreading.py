"""Single steps spread onto a lattice of losses: connect-the-dots, with what the spreading can add.

Spreading moves each loss l to its two neighbours on the lattice so that its masses under H0 and H1 stay: given l, the
moved loss is l + Z with E_P[e^Z] = 1. That only adds risk, and no lattice law with these profiles at its points adds
less (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.errors import Undefined
from dplens.losses.atoms import Atoms
from dplens.numerics.sharing import cached_property

SIDES = (lambda curve: curve, lambda curve: curve.inverse())  # of a curve: itself, and with the worlds exchanged
_SAME = 4e-15  # relative rounding of a loss


@dataclass(frozen=True, eq=False)
class SpreadLaw:
    """Masses under H0 at multiples of a spacing."""

    spacing: float
    infinity: tuple[float, float]  # mass under H0 at minus infinity, and under H1 at plus infinity
    variance: float  # largest variance under H0 of e^Z, given a loss
    share: float  # error of the profile relative to its value one point before
    lost: float  # absolute error of the profile besides that
    first: int  # the first lattice point that can have a mass
    masses: Floats  # from there on
    every: int = 1  # lattice points from one dot to the next
    origin: float = 0.0  # the loss at lattice point 0

    @property
    def ends(self) -> tuple[float, float]:
        """The first and the last loss that can have a mass."""
        first, last = (self.spacing * place for place in (self.first, self.first + len(self.masses) - 1))
        return self.origin + first, self.origin + last

    @cached_property
    def index(self) -> np.ndarray:
        """Lattice points with a mass."""
        return np.flatnonzero(self.masses) + self.first

    @cached_property
    def losses(self) -> Floats:
        """Where the masses lie."""
        return self.origin + self.spacing * self.index.astype(float)

    @cached_property
    def log_p(self) -> Floats:
        """Logarithms of the masses."""
        return np.log(self.masses[self.index - self.first])


def spread_atoms(atoms: Atoms, spacing: float, reach: float) -> SpreadLaw:
    """Spread finitely many losses. Those beyond ``reach`` are counted at infinity."""
    near = (np.abs(atoms.loss) <= reach) & (atoms.p > 0)
    loss, p = atoms.loss[near], atoms.p[near]
    below = np.floor(loss / spacing)
    above = np.clip(loss - below * spacing, 0.0, spacing)
    index = below.astype(np.int64)
    first = int(index.min(initial=0))
    share = np.minimum(np.expm1(above) / math.expm1(spacing), 1.0)
    places, parts = np.append(index, index + 1) - first, np.append(p * (1 - share), p * share)
    masses = np.asarray(np.bincount(places, parts, 1), dtype=float)
    variance = float(np.max(-np.expm1(-above) * np.expm1(spacing - above), initial=0.0))
    beyond = float(np.sum(atoms.p[~near])), float(np.sum(atoms.q[~near]))
    infinity = atoms.infinity_masses[0] + beyond[0], atoms.infinity_masses[1] + beyond[1]
    return SpreadLaw(spacing, infinity, variance, 4e-15, sum(beyond), first, masses)


def spread_curve(curve: TradeOff, spacing: float, reach: int, every: int = 1) -> SpreadLaw:
    """Any curve: its profile at every ``every``-th point, |index| ≤ reach·every, connected by straight lines in e^e.

    The upper ends of the profile are used, so the law is never safer than the curve. Losses above 0 come from the
    curve, those below from its mirror image, so that both tails keep their digits.
    """
    k = np.arange(reach + 1, dtype=float)
    wide = every * spacing
    growth = np.exp(k * wide)
    step = growth[:-1] * math.expm1(wide)
    sides, noise = [], []
    directions = [curve] if curve.inverse() is curve else [side(curve) for side in SIDES]
    for one in directions:
        # in blocks, which need less memory
        blocks = [tuple(one.profile_bounds(part * wide)) for part in np.array_split(k, -(-len(k) // 8192))]
        below, above = (np.concatenate(end) for end in zip(*blocks))
        slope = np.maximum(-np.diff(above), 0.0) / step
        # slopes fall with k; where differences drown in rounding, what is known further out counts
        slope = np.maximum.accumulate(slope[::-1])[::-1]
        delta = above[-1] + np.append(np.cumsum((slope * step)[::-1])[::-1], 0.0)
        sides.append((delta, slope))
        noise.append((*_noise(delta, below), _beyond(one, reach * wide)))
    if len(directions) == 1:
        sides, noise = [sides[0], tuple(x.copy() for x in sides[0])], 2 * noise
    top = max(float(delta[0]) for delta, _ in sides)  # delta(0) of both directions, which rounding may tell apart
    for delta, slope in sides:
        slope[0] += (top - delta[0]) / step[0]
        delta[0] = top
    (up, alpha), (down, beta) = sides
    masses_up = -np.diff(alpha, append=0.0)
    masses_down = -np.diff(beta, append=0.0) * growth[1:]
    middle = 1 - alpha[0] - beta[0] - top
    p = np.zeros(2 * reach * every + 1)
    p[reach * every + every :: every] = masses_up
    p[reach * every - every :: -every] = masses_down
    p[reach * every] = max(middle, 0.0)
    # an end of the losses that rounding has put just beyond the last dot is moved by so much, of the cell before
    share = max(found[0] for found in noise) + max(-middle, 0.0) + 1e-15 + _SAME * reach
    lost = sum(found[1] + found[2] for found in noise)
    variance = 4 * math.sinh(wide / 4) ** 2
    infinity = float(down[-1]), float(up[-1])
    some = np.flatnonzero(p) if p.any() else np.array([reach * every])
    first, masses = int(some[0]), p[some[0] : some[-1] + 1]
    return SpreadLaw(spacing, infinity, variance, share, lost, first - reach * every, masses, every)


def _beyond(curve: TradeOff, reach: float) -> float:
    """Bound on the chance of a finite loss beyond the reach, in either world: delta(e) ≥ (1 − e^{e − x})·Q(L > x)."""
    if reach * (1 + _SAME) >= curve._max_loss()[1]:
        return 0.0
    gap = min(1.0, 0.1 * reach)
    delta = float(curve.profile_bounds(np.array([reach - gap])).hi[0]) - curve.infinity_mass().lo
    return delta / -math.expm1(-gap)


def _noise(above: Floats, below: Floats) -> tuple[float, float]:
    """How far a profile may be overstated: relative to its value one point before, and by a fixed amount."""
    before = np.append(above[0], above[:-1])
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.nan_to_num((above - below) / before, posinf=1.0)
    known = above - below
    best = (1.0, 0.0)
    for level in 10.0 ** np.arange(-14, 0):
        over = share > level
        lost = float(np.max(known[over], initial=0.0))
        if lost <= 1e-40:
            return float(np.max(share[~over], initial=0.0)), lost
        if level + 1e9 * lost < best[0] + 1e9 * best[1]:
            best = (float(level), lost)
    return best


def reach_of(curve: TradeOff, count: int, rare: float) -> float:
    """The largest loss that needs a dot: the largest of all, or one exceeded with probability below ``rare``/count."""
    found = []
    for side in SIDES:
        one = side(curve)
        top = one._max_loss()[1]
        if math.isinf(top):
            low, mass = one.infinity_mass()
            for part in (1e-13, 1e-11, 1e-9):  # so that the losses beyond are hidden by an inexact mass at infinity
                delta = mass + 10 * (mass - low) + part * mass + rare / count
                top = float(one.epsilon_bounds(np.array([delta])).hi[0])
                if math.isfinite(top):
                    break
        found.append(top)
    return max(*found, 1e-12)


@dataclass(frozen=True)
class Smoothing:
    """The kernel of the claim in ``connect_the_dots.py``: U', and the factor w of e^e·p_U'."""

    variance: float
    factor: float

    @classmethod
    def least(cls, total: float, h: float, spacing: float) -> Smoothing:
        """The U and U' that make the claim's w least, among some; h: how far a loss is moved at most."""
        best, base = None, max(total, h * h / 50)  # kernels much narrower than a move compare badly
        for a, gap in itertools.product((0.15, 0.3, 0.5, 0.8, 1.3, 2.0), (0.3, 0.5, 0.8, 1.2, 2.0, 4.0)):
            u, more = a * base, (a + gap) * base
            b = h + total * math.exp(3 * h) / 2 + (more - u) / 2
            exponent = b * b / (2 * (more - u)) + total * math.exp(2 * h) / (2 * more)
            if exponent > 600:
                continue
            growth = math.sqrt(more / u) * math.exp(exponent)
            w = growth * (u * math.exp(u / 8) + total * math.exp(2 * h) / 2)
            w *= (1 + spacing) * math.exp(spacing**2 / (8 * more)) * (1 + 1e-9)  # between lattice points
            if best is None or w < best.factor:
                best = cls(more, w)
        if best is None:
            raise Undefined("These steps cannot be spread finely enough to be composed. Check their noise.")
        return best

    def kernel(self, c: float, spacing: float, size: int) -> Floats:
        """The density of N(−U'/2, U') at multiples of the spacing, tilted by c and wrapped around."""
        far = 12 * math.sqrt(self.variance) + abs(c) * self.variance
        reach = min(math.ceil(far / spacing) + 1, size // 2 - 1)
        y = spacing * np.arange(-reach, reach + 1)
        values = np.exp(c * y - (y + self.variance / 2) ** 2 / (2 * self.variance))
        out = np.zeros(size)
        out[np.arange(-reach, reach + 1)] = values / math.sqrt(2 * math.pi * self.variance)
        return out
