"""The loss of a Poisson-sampled Gaussian step, by quadrature with a proven error bound.

x is standard normal under H0 and L(x) = log(1 − q + q·e^{mu·x − mu²/2}).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dplens.curves.derived.sampled import thinned
from dplens.errors import Undefined
from dplens.losses.base import DEPTH, LEAST, Complexes, Floats, NodeLaw, Nodes, RaisedPath, log1p

REACH = 9.7  # standard deviations beyond every peak; e^{−REACH²/2} < e^{−DEPTH}
ROOT = 0.5 * math.log(2 * math.pi)
CONSTANT = 3.0  # error of the constants in logarithms of weights, in units of 4·UNIT
_PAIRED = 9  # cells of each sort that are paired
_CELL = 0.2  # width of cells, in standard deviations of the noise


@dataclass(frozen=True)
class SampledGaussianLoss(NodeLaw):
    """One step of noise multiplier 1/mu in which each record is sampled with probability ``rate``."""

    mu: float
    rate: float
    has_long_lines = True

    @property
    def tail_mu(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.mu

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return math.log1p(-self.rate) if self.rate < 1 else -math.inf, math.inf

    def cost(self, c: float, t: float) -> float:
        low, high = self._ends(c) if c < 0 else (-REACH, self.mu * c + REACH)
        return (high - low) / max(abs(self.grade(c, t)), 1e-300) / 5  # most values come from products

    def loss(self, x: Floats) -> Floats:
        """L(x)."""
        return thinned(self.mu * x - self.mu**2 / 2, self.rate)

    def shares(self, x: Floats) -> Floats:
        """L'(x)/mu: the posterior probability that the record was sampled."""
        return self.rate / (self.rate + (1 - self.rate) * np.exp(np.minimum(self.mu * (self.mu / 2 - x), 700.0)))

    # ---- nodes ----------------------------------------------------------------------------------------

    def grade(self, c: float, t: float) -> float:
        """The node spacing; negative for a path above the real axis, used for t > 0 if its spacing is much wider."""
        real = self._spacing(c, t)
        if t == 0 or 2 * real >= (raised := self._raised_spacing(c)):
            return _short(real)
        return -_short(raised)

    def _spacing(self, c: float, t: float) -> float:
        """Node spacing for which the error of the trapezoidal rule is below e^{−DEPTH}·M(c) at c ± it.

        In the strip |Im x| ≤ y < π/mu the integrand is analytic; on its edge |e^{s·L}| grows by at most e^{|t|·mu·y}
        and, for c < 0, by ``_swelling``, the Gaussian weight by e^{y²/2}; the error is at most
        2·M(c)·e^{y²/2 + |t|·mu·y + swelling}/(e^{2π·y/spacing} − 1)
        (Trefethen & Weideman 2014, Theorem 5.1).
        """

        def spacing(widest: float, bend: float) -> float:
            # approximately optimal: a wider strip would lose more to the growth of weight and integrand
            y = min(widest * math.pi / self.mu, math.sqrt(DEPTH / (0.5 + max(-c, 0.0) * bend * self.mu**2)))
            excess = y * y / 2 + t * self.mu * y + self._swelling(c, self.mu * y)
            return 2 * math.pi * y / (DEPTH + 2 + excess)

        return max(spacing(0.8, 1 / 8), spacing(0.5, self._odds / 2))

    @property
    def _odds(self) -> float:
        return self.rate / max(1 - self.rate, 1e-300)

    def _swelling(self, c: float, angle: float) -> float:
        """Bound on the log of E|e^{c·L(x + iy)}|/M(c), angle = mu·y < π: 0 for c ≥ 0.

        For c < 0 it is |c| times the smaller of −log cos(angle/2), as |1 − q + q·e^{iθ + z}| is at least
        cos(θ/2)·(1 − q + q·e^z), and, for angles up to π/2, log((1 − r)/(1 − q)) with r = q·cos θ: the modulus is
        also at least 1 − q + r·e^z, hence at least (1 − q)/(1 − r)·(1 − r + r·e^z), and M(c) increases with the rate.
        """
        if c >= 0:
            return 0.0
        by_half = -math.log(math.cos(angle / 2))
        by_rate = math.log1p(self._odds * (1 - math.cos(angle))) if angle <= math.pi / 2 else math.inf
        return -c * min(by_half, by_rate)

    def _height(self, c: float) -> float:
        """The height of the path above the real axis, with few binary digits, so that its products are exact."""
        heights = ((0.45, max(-c, 1e-9)), (0.249, max(-c * 4 * self._odds, 1e-9)))
        return _short(max(min(1.0, part * math.pi / self.mu, math.sqrt(16 / c) / self.mu) for part, c in heights))

    def _raised_spacing(self, c: float) -> float:
        """The same on the path Im x = y, for every t ≥ 0.

        For 0 ≤ Im x ≤ 2y < π/mu, the imaginary part of L lies between 0 and π, so that |e^{s·L}| ≤ |e^{c·L}|: on the
        edges of that strip the integrand does not grow with t.
        """
        y = self._height(c)
        excess = 2 * y * y + self._swelling(c, 2 * self.mu * y)
        return 2 * math.pi * y / (DEPTH + 2 + excess)

    def _ends(self, c: float) -> tuple[float, float]:
        """Points beyond which the integrand is below e^{−DEPTH} of its peak and decays ever faster."""
        return _ends(self, c)

    def nodes(self, first: float, last: float, grade: float) -> Nodes:
        spacing, is_raised = abs(grade), grade < 0
        x = grid(self._ends(first)[0], self._ends(last)[1], spacing)
        if is_raised:
            return self._raised_nodes(x, self._height(first))
        loss = self.loss(x)
        # losses well below 0 are logarithms of sums, with errors of some units for any loss
        loss_error = np.abs(loss) + 0.5 * self.shares(x) * self.mu * (np.abs(x) + self.mu / 2) + (loss < -0.5)
        log_weight = -x * x / 2 + (math.log(spacing) - ROOT)
        return Nodes(loss, log_weight, loss_error, CONSTANT - 0.25 * log_weight)

    def _raised_nodes(self, x: Floats, y: float) -> Nodes:
        log_weight = -x * x / 2 - 1j * y * x + (y * y / 2 + math.log(x[1] - x[0]) - ROOT)
        loss = self.complex_loss(self.mu * x - self.mu**2 / 2 + 1j * (self.mu * y))
        share = np.minimum(2 * self.shares(x) / math.cos(self.mu * y / 2), 2.0)
        loss_error = np.abs(loss) + 0.5 * share * self.mu * (np.abs(x) + self.mu / 2) + (loss.real < -0.5)
        return Nodes(loss, log_weight, loss_error, CONSTANT + 0.5 * np.abs(log_weight))

    def complex_loss(self, z: np.ndarray) -> Complexes:
        """log(1 − q + q·e^z)."""
        far = np.real(z) > 30  # there e^z dominates
        near = self.rate * np.expm1(np.where(far, 0.0, z))
        rest = (1 - self.rate) / self.rate * np.exp(-np.where(far, z, 1.0))
        return np.where(far, z + math.log(self.rate) + rest, log1p(near.real, near.imag)).astype(np.complex128)

    def raised(self, c: float) -> RaisedPath:
        """Nodes above the real axis."""
        return _raised(self, c)

    # ---- bounds ---------------------------------------------------------------------------------------

    def envelope(self, c: float, t: Floats) -> Floats:
        """The envelope from nodes above the real axis, and from pairs of cells of outcomes between neighbouring t."""
        bound = self.raised(c).damping(t)
        some = np.flatnonzero(bound[:-1] > 0.3)  # smaller factors per step need no better bound
        if len(some):
            first = np.arange(0, some[-1] + 1, 2)
            pairs = _by_pairs(self.cells(c), t[first], t[np.minimum(first + 2, len(t) - 1)])
            bound[some] = np.minimum(bound[some], pairs[some // 2])
        return np.maximum.accumulate(bound[::-1])[::-1]

    def cells(self, c: float) -> tuple[Floats, Floats, Floats]:
        """Lower bound on the mass, smallest and largest loss of cells of outcomes under the tilt c."""
        return self.cells_between(c, *self._ends(c), self.raised(c).log_mass)

    def cells_between(self, c: float, low: float, high: float, k: float) -> tuple[Floats, Floats, Floats]:
        """The same for outcomes between ``low`` and ``high``; k = K(c).

        With w the posterior probability of being sampled, which increases with x, L' = mu·w and L'' = mu²·w·(1 − w).
        The second derivative of the log-density, −1 + c·L'', bounds its dip between the ends of a cell.
        """
        x = low + _CELL * np.arange(math.ceil((high - low) / _CELL) + 1, dtype=np.float64)
        loss = self.loss(x)
        density = np.exp(c * loss - x * x / 2 - (ROOT + k))
        bend = max(c, 0.0) * self.mu**2 * np.minimum(self.shares(x[1:]), 0.25) - 1
        dip = np.exp(-np.maximum(bend, 0.0) * _CELL**2 / 8) * (1 - 1e-9)
        return _CELL * dip * np.minimum(density[1:], density[:-1]), loss[:-1], loss[1:]

    @np.errstate(all="ignore")  # bounds that overflow are infinite
    def growth(self, c: float, b: float, start: float, end: float) -> float:
        """Bound from the sum over nodes that have not decayed at ``start``, expanded at eight points of the line.

        With m = M'/M at a point s0 and z = (s − s0)·(L − m),
        |M(s)| ≤ |e^{(s − s0)·m}|·(|M(s0)| + ½·Σ |w·e^{s0·L}·z²|·e^|z|).
        """
        line = self.raised(c)
        kept = np.abs(line.tilted) * np.exp(-start * line.loss.imag) > math.exp(-DEPTH) * line.mass / len(line.loss)
        loss, apart = line.loss[kept], (end - start + 2 * b) / 16
        t = start - b + apart * np.arange(1, 16, 2)
        turned = line.tilted[kept] * np.exp(1j * np.multiply.outer(t, loss))
        here = turned.sum(axis=1)
        m = np.where(np.abs(here) > LEAST, (turned @ loss) / here, 0.0).astype(np.complex128)
        away = np.abs(loss - m[:, None])
        z = math.hypot(b, apart) * away
        first = np.where(m == 0, np.abs(turned @ loss) * math.hypot(b, apart), 0.0)
        beyond = np.abs(here) + first + np.sum(np.abs(turned) * z * z / 2 * np.exp(np.minimum(z, 700.0)), axis=1)
        found = line.top + float(np.max(b * np.abs(m.real) + apart * np.abs(m.imag) + np.log(beyond)))
        return math.inf if math.isnan(found) else found


@lru_cache(maxsize=64)
def _raised(law: SampledGaussianLoss, c: float) -> RaisedPath:
    return RaisedPath.of(law.nodes(c, c, -_short(law._raised_spacing(c))), c)


@lru_cache(maxsize=64)
def _ends(law: SampledGaussianLoss, c: float) -> tuple[float, float]:
    low = -REACH
    if c < 0:  # the peak lies where x = c·L'(x) < 0
        force, odds = -c * law.mu, max((1 - law.rate) / law.rate, 0.0)
        while low > -1e4 and -low - REACH < force / (1 + odds * math.exp(min(law.mu * (law.mu / 2 - low), 700.0))):
            low -= 1.0
    high = law.mu * max(c, 1.0) + REACH
    if REACH < high < 3000 and law.rate * math.exp(min(law.mu * (REACH - law.mu / 2), 700.0)) < 0.1:
        # a second peak, if any, is far out; the range must cover e^L as well as e^{c·L}
        x, edge = np.arange(REACH, high + 0.1, 0.1), float(law.loss(np.zeros(1))[0])
        loss = law.loss(x)
        grown = np.maximum(np.maximum(c * loss, c * edge) - c * edge, np.maximum(loss - edge, 0.0))
        there = np.flatnonzero(grown - x * x / 2 > -(REACH**2) / 2)
        high = float(x[there[-1]]) + 0.2 if len(there) else REACH
    return low, high


def _short(spacing: float) -> float:
    """The spacing rounded down to a few binary digits, so that squares of a thousand multiples are exact."""
    unit = 2.0 ** (math.frexp(spacing)[1] - 16)
    return math.floor(spacing / unit) * unit


def grid(low: float, high: float, spacing: float) -> Floats:
    """Multiples of the spacing between ``low`` and ``high``."""
    if not (spacing > 0 and math.isfinite(low / spacing) and math.isfinite(high / spacing)):
        raise Undefined("Sampled Gaussian noise this extreme has losses outside the range of floats. Check its noise.")
    if (high - low) / spacing > 20_000_000:
        raise Undefined("Sampled Gaussian noise has no Rényi divergence of that order that fits into memory.")
    return np.arange(math.floor(low / spacing), math.ceil(high / spacing) + 1, dtype=float) * spacing


def _by_pairs(cells: tuple[Floats, Floats, Floats], start: Floats, end: Floats) -> Floats:
    """Bounds on |phi(t)| for start ≤ t ≤ end: 1 − |phi(t)|² = E[1 − cos(t·D)], D the difference of two losses.

    Masses of two cells, and 1 − cos of the difference of their losses, are bounded from below. Any cells give a
    bound; the heaviest and those that contribute most to the variance give a good one.
    """
    mass, low, high = cells
    middle = (low + high) / 2
    away = mass * np.abs(middle - mass @ middle / mass.sum())
    many = np.zeros(len(mass), dtype=bool)
    for weight in (mass, away, away * away / np.maximum(mass, 1e-300)):
        many[np.argpartition(weight, -_PAIRED)[-_PAIRED:]] = True
    keep = np.flatnonzero(many)
    keep = keep[np.argsort(middle[keep])]
    mass, low, high = mass[keep], low[keep], high[keep]
    first, second = np.triu_indices(len(mass), 1)
    near, far = low[second] - high[first], high[second] - low[first]
    # 1 − cos increases up to π and is symmetric about it: the difference closest to 0 or 2π is the worst
    angle = np.minimum(np.multiply.outer(start, near), 6.2831853 - np.multiply.outer(end, far))
    caught = (1 - np.cos(np.maximum(angle, 0.0))) @ (2 * mass[first] * mass[second])
    return np.sqrt(np.maximum(1 - caught * (1 - 1e-9), 0.0))
