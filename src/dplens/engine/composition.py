"""A whole release as a sum of losses: cgfs added, bounds multiplied; and upper bounds of calls from the real axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dplens._numerics.sharing import Shared, cached_property
from dplens.engine.laws import UNIT, Complexes, Floats, GaussianLoss, LossLaw

_NEAR_ONE = 1e-6  # distance of an order of Rényi's divergence from 1 at which derivatives at 1 serve
_POINTS = 32
_FAR = 8.0  # standard deviations of t beyond which next to nothing is left, were the loss Gaussian


class Term(NamedTuple):
    """Equal steps: their law, how many there are, and whether the two worlds are exchanged."""

    law: LossLaw
    count: int
    mirrored: bool = False

    def tilt(self, c: float) -> float:
        """The tilt of the law itself: with the worlds exchanged K(s) becomes K(1 − s)."""
        return 1 - c if self.mirrored else c

    @property
    def unseen(self) -> tuple[float, float]:
        return self.law.unseen[::-1] if self.mirrored else self.law.unseen  # pyright: ignore[reportReturnType]

    @property
    def support(self) -> tuple[float, float]:
        low, high = self.law.support
        return (-high, -low) if self.mirrored else (low, high)


@dataclass(frozen=True, eq=False)
class Composition(Shared):
    """Independent steps, and the log of the chance that none of them fails outright and shows which world it is."""

    terms: tuple[Term, ...]
    log_intact: float = 0.0

    @classmethod
    def of(cls, terms: Iterable[Term], log_intact: float = 0.0) -> Composition:
        """Equal laws are counted together."""
        counts: dict[tuple[LossLaw, bool], int] = {}
        for law, count, mirrored in terms:
            key = law, mirrored and not law.is_symmetric
            counts[key] = counts.get(key, 0) + count
        return cls(tuple(Term(law, count, mirrored) for (law, mirrored), count in counts.items()), log_intact)

    @cached_property
    def reversed(self) -> Composition:
        """The same release with the two worlds exchanged."""
        if all(law.is_symmetric for law, _, _ in self.terms):
            return self
        mirror = Composition(
            tuple(term._replace(mirrored=not (term.mirrored or term.law.is_symmetric)) for term in self.terms),
            self.log_intact,
        )
        mirror.__dict__["reversed"] = self
        return mirror

    @cached_property
    def log_seen(self) -> tuple[float, float]:
        """log of the chance, under H0 and under H1, that no step proves its world."""
        parts = [[term.count * math.log1p(-term.unseen[i]) for term in self.terms] for i in (0, 1)]
        return math.fsum([*parts[0], self.log_intact]), math.fsum([*parts[1], self.log_intact])

    @cached_property
    def unseen(self) -> tuple[float, float]:
        """Chance that some step proves H0 (under H0), and H1 (under H1)."""
        return 0.0 - math.expm1(self.log_seen[0]), 0.0 - math.expm1(self.log_seen[1])

    @cached_property
    def rare(self) -> float:
        """Mass of outcomes, in either world, that the laws leave out."""
        return sum(count * law.rare for law, count, _ in self.terms)

    @cached_property
    def support(self) -> tuple[float, float]:
        """Least and largest finite loss."""
        with np.errstate(over="ignore"):  # losses next to the largest float: infinity is what is meant
            low, high = ([term.count * term.support[i] for term in self.terms] for i in (0, 1))
        return math.fsum(low), math.fsum(high)

    @cached_property
    def gaussian(self) -> float:
        """mu of all the Gaussian loss among the terms."""
        return math.hypot(*(math.sqrt(n) * law.mu for law, n, _ in self.terms if isinstance(law, GaussianLoss)))

    @cached_property
    def has_long_lines(self) -> bool:
        """Whether lines that need very many nodes may be taken panel by panel."""
        return any(law.has_long_lines for law, _, _ in self.terms)

    def cost(self, c: float, t: float) -> float:
        """Work of one value of K at c + it."""
        return sum(term.law.cost(term.tilt(c), t) for term in self.terms)

    def dearest(self, c: float, t: float) -> float:
        """The same of the law that takes longest: what grows beyond all bounds far out."""
        return max(term.law.cost(term.tilt(c), t) for term in self.terms)

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        """K on Re s = c, and a bound on its error."""
        total = np.full(t.shape, self.log_intact, dtype=np.complex128)
        error = np.full(t.shape, -UNIT * self.log_intact)
        for term in self.terms:
            k, wrong = term.law.evaluate(term.tilt(c), t)
            # K is real on the real axis: K(1 − c − it) is the conjugate of K(1 − c + it)
            total += term.count * (np.conj(k) if term.mirrored else k)
            error += term.count * (wrong + 2 * UNIT * np.abs(k.real))
        return total, error + 2 * UNIT * len(self.terms) * np.abs(total.real)

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        """K, K', K'' at real points."""
        sums = np.zeros((3, len(c)))
        sums[0] = self.log_intact
        for law, count, mirrored in self.terms:
            k, mean, variance = law.axis(1 - c if mirrored else c)
            sums += np.array([k, -mean if mirrored else mean, variance]) * count
        return sums[0], sums[1], sums[2]

    def real(self, c: float) -> tuple[float, float, float]:
        """K, K', K'' at a real point."""
        k, d, dd = self.axis(np.array([c]))
        return float(k[0]), float(d[0]), float(dd[0])

    def envelope(self, c: float, t: Floats) -> Floats:
        """Bound on |phi(u)| of the law tilted by c, for every u ≥ t."""
        with np.errstate(divide="ignore"):
            return np.exp(sum(term.count * np.log(term.law.envelope(term.tilt(c), t)) for term in self.terms))

    def growth(self, c: float, b: float, start: float, end: float) -> float:
        """Bound on Re K(s) where |Re s − c| ≤ b and start − b ≤ Im s ≤ end + b."""
        return sum(term.count * term.law.growth(term.tilt(c), b, start, end) for term in self.terms) + self.log_intact

    def renyi(self, order: float) -> float:
        """Rényi divergence of Q from P: those of the steps add up."""
        if order >= 1 and self.unseen[1] > 0:
            return math.inf
        if abs(order - 1) < _NEAR_ONE:  # K(order)/(order − 1) would be a quotient of two small numbers
            _, mean, variance = self.real(1.0)
            return max(mean + (order - 1) / 2 * variance, 0.0)
        return float(self.evaluate(order, np.zeros(1))[0][0].real) / (order - 1)

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        """(relative, absolute) error of :meth:`renyi`."""
        gap = abs(order - 1)
        if gap < _NEAR_ONE:  # by the derivatives at 1
            return 1e-9, 0.0
        return 1e-14, float(self.evaluate(order, np.zeros(1))[1][0]) / gap

    def closer_kappa(self, c: float, variance: float) -> float:
        """(1/π)·∫ |phi(t)|/|s(s − 1)| dt over t > 0, from above: no more than a line would lose by having no phases.

        As 1 − cos x ≥ x²/2 − x⁴/24, log|phi|² ≤ Σ_i log(1 − E[1 − cos(t·D_i)]) ≤ −(t²·V − t⁴·Q/24) with V the variance
        of the tilted loss and Q the sum of the E D_i⁴, D_i the difference of two losses of step i. That falls until
        t² = 12·V/Q; beyond, 1/|s(s − 1)| ≤ 1/t² is enough.
        """
        variance *= 1 - 1e-6
        fourth = sum(term.count * term.law.fourth(term.tilt(c)) for term in self.terms)
        if not (variance > 0 and 0 < fourth < math.inf):
            return math.inf
        turn = math.sqrt(12 * variance / fourth)
        end = min(turn, _FAR / math.sqrt(variance))
        t, step = np.linspace(0.0, end, _POINTS, retstep=True)
        phi = np.exp(-(t * t) * (variance - t * t * (fourth / 24)) / 2)
        kernel = phi / np.sqrt((c * c + t * t) * ((c - 1) ** 2 + t * t))  # falls, so that left ends bound it
        return (float(step) * float(kernel[:-1].sum()) + float(phi[-1]) / end + 1 / turn) / math.pi * (1 + 1e-9)


def log_kappa(c: Floats) -> Floats:
    """log of the sup over x of (e^x − 1)₊·e^{−c·x}: E_P(e^L − e^e)₊ ≤ kappa·e^{K(c) + (1 − c)·e} for c ≥ 1 (Chernoff)."""
    a = np.maximum(c - 1, 1e-300)
    return a * np.log(a / c) - np.log(c)


def from_above(k: Floats) -> Floats:
    """Upper bounds of K, whatever their rounding."""
    return k + 1e-9 * np.abs(k) + 1e-12
