"""A whole release as a sum of losses: cumulant functions added, bounds multiplied."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

import numpy as np

from dplens._numerics.sharing import Shared, cached_property
from dplens.engine.laws import UNIT, Complexes, Floats, GaussianLoss, LossLaw

_ENTRIES = 200_000  # values of laws × points worked on at once
_NEAR_ONE = 1e-6


@dataclass(frozen=True, eq=False)
class Composition(Shared):
    """Independent steps, each law with how often it occurs."""

    terms: tuple[tuple[LossLaw, int], ...]

    @cached_property
    def reversed(self) -> Composition:
        """The same release with the two worlds exchanged."""
        if all(law.reversed() is law for law, _ in self.terms):
            return self
        mirror = Composition(tuple((law.reversed(), count) for law, count in self.terms))
        mirror.__dict__["reversed"] = self
        return mirror

    @cached_property
    def log_seen(self) -> tuple[float, float]:
        """log of the chance, under H0 and under H1, that no step proves its world."""
        parts = [[count * math.log1p(-law.unseen[i]) for law, count in self.terms] for i in (0, 1)]
        return math.fsum(parts[0]), math.fsum(parts[1])

    @cached_property
    def unseen(self) -> tuple[float, float]:
        """Chance that some step proves H0 (under H0), and H1 (under H1)."""
        return 0.0 - math.expm1(self.log_seen[0]), 0.0 - math.expm1(self.log_seen[1])

    @cached_property
    def rare(self) -> float:
        """Mass of outcomes, in either world, that the laws leave out."""
        return sum(count * law.rare for law, count in self.terms)

    @cached_property
    def support(self) -> tuple[float, float]:
        """Least and largest finite loss."""
        with np.errstate(over="ignore"):  # losses next to the largest float: infinity is what is meant
            low, high = ([count * law.support[i] for law, count in self.terms] for i in (0, 1))
        return math.fsum(low), math.fsum(high)

    @cached_property
    def _bundles(self) -> list[tuple[LossLaw, Floats]]:
        """Laws of one kind stacked, so that a thousand of them cost no more calls than one."""
        kinds: dict[Hashable, list[tuple[LossLaw, int]]] = {}
        for law, count in self.terms:
            kinds.setdefault(law.kind(), []).append((law, count))
        out = []
        for members in kinds.values():
            counts = np.array([float(count) for _, count in members])
            out.append(
                (
                    type(members[0][0]).stacked([law for law, _ in members]) if len(members) > 1 else members[0][0],
                    counts,
                )
            )
        return out

    @cached_property
    def gaussian(self) -> float:
        """mu of all the Gaussian loss among the terms."""
        return math.hypot(*(math.sqrt(n) * law.mu for law, n in self.terms if isinstance(law, GaussianLoss)))

    @cached_property
    def has_long_lines(self) -> bool:
        """Whether lines that need very many nodes may be taken panel by panel."""
        return any(law.has_long_lines for law, _ in self.terms)

    def cost(self, c: float, t: float) -> float:
        """Work of one value of K at c + it."""
        return sum(law.cost(c, t) for law, _ in self._bundles)

    def line_cost(self, c: float, t: float, count: float) -> float:
        """Work of so many values at equally spaced points up to c + it."""
        return sum(law.line_cost(c, t, count) for law, _ in self._bundles)

    def dearest(self, c: float, t: float) -> float:
        """The same of the law that takes longest: what grows beyond all bounds far out."""
        return max(law.cost(c, t) / len(counts) for law, counts in self._bundles)

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        """K on Re s = c, and a bound on its error."""
        total, error = np.zeros(t.shape, dtype=np.complex128), np.zeros(t.shape)
        for law, counts in self._bundles:
            block = max(1, _ENTRIES // len(counts)) if len(counts) > 1 else len(t)
            for i in range(0, len(t), block):
                part = slice(i, i + block)
                k, wrong = law.evaluate(c, t[part])
                if len(counts) == 1:
                    k, wrong = counts[0] * np.atleast_2d(k)[0], counts[0] * np.atleast_2d(wrong)[0]
                else:
                    weight = counts[:, None]
                    wrong = np.sum(weight * (wrong + 2 * UNIT * np.abs(k.real)), axis=0)
                    k = np.sum(weight * k, axis=0)
                total[part] += k
                error[part] += wrong
        return total, error + 2 * UNIT * len(self.terms) * np.abs(total.real)

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        """K, K', K'' at real points."""
        sums = np.zeros((3, len(c)))
        for law, counts in self._bundles:
            sums += [np.sum(counts[:, None] * part, axis=0) for part in law.axis(c)]
        return sums[0], sums[1], sums[2]

    def growth(self, c: float, b: float, start: float, end: float) -> float:
        """Bound on Re K(s) where |Re s − c| ≤ b and start − b ≤ Im s ≤ end + b."""
        return sum(float(np.sum(counts[:, None] * law.growth(c, b, start, end))) for law, counts in self._bundles)

    def fourth(self, c: float) -> float:
        """Σ E D⁴ under the tilt c from above, D the difference of two losses of a step."""
        return sum(float(np.sum(counts[:, None] * law.fourth(c))) for law, counts in self._bundles)

    def real(self, c: float) -> tuple[float, float, float]:
        """K, K', K'' at a real point."""
        k, d, dd = self.axis(np.array([c]))
        return float(k[0]), float(d[0]), float(dd[0])

    def renyi(self, order: float) -> float:
        """Rényi divergence of Q from P: those of the steps add up."""
        if order >= 1 and self.unseen[1] > 0:
            return math.inf
        if abs(order - 1) < _NEAR_ONE:  # K(order)/(order − 1) would be a quotient of two small numbers
            _, mean, variance = self.real(1.0)
            return max(mean + (order - 1) / 2 * variance, 0.0)
        return self.real(order)[0] / (order - 1)

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        """(relative, absolute) error of :meth:`renyi`."""
        gap = abs(order - 1)
        if gap < _NEAR_ONE:  # by the derivatives at 1
            return 1e-9, 0.0
        return 1e-11, float(self.evaluate(order, np.zeros(1))[1][0]) / gap

    def envelope(self, c: float, t: Floats) -> Floats:
        """Bound on |phi(u)| of the law tilted by c, for every u ≥ t."""
        return self._product(lambda law: law.envelope(c, t))

    def closer_envelope(self, c: float, t: Floats) -> Floats:
        """The same, where a closer bound may take longer."""
        return self._product(lambda law: law.closer_envelope(c, t))

    def envelope_between(self, c: float, t: Floats) -> Floats:
        """Bound on |phi(u)| for u between neighbours of the equally spaced t."""
        return self._product(lambda law: law.envelope_between(c, t))

    def _product(self, bounds: Callable[[LossLaw], Floats]) -> Floats:
        with np.errstate(divide="ignore"):
            return np.exp(sum(np.sum(counts[:, None] * np.log(bounds(law)), axis=0) for law, counts in self._bundles))


def composition(laws: Iterable[tuple[LossLaw, int]]) -> Composition:
    """Equal laws are counted together."""
    counts: dict[LossLaw, int] = {}
    for law, count in laws:
        counts[law] = counts.get(law, 0) + count
    return Composition(tuple(counts.items()))


@dataclass(frozen=True, eq=False)
class CompositionLoss(LossLaw):
    """A whole composition as one step of another."""

    inner: Composition

    @property
    def unseen(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.inner.unseen

    @property
    def support(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.inner.support

    def cost(self, c: float, t: float) -> float:
        return self.inner.cost(c, t)

    @property
    def rare(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.inner.rare

    @property
    def has_long_lines(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.inner.has_long_lines

    def line_cost(self, c: float, t: float, count: float) -> float:
        return self.inner.line_cost(c, t, count)

    def reversed(self) -> LossLaw:
        return CompositionLoss(self.inner.reversed)

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        return self.inner.evaluate(c, t)

    def envelope(self, c: float, t: Floats) -> Floats:
        return self.inner.envelope(c, t)

    def envelope_between(self, c: float, t: Floats) -> Floats:
        return self.inner.envelope_between(c, t)

    def closer_envelope(self, c: float, t: Floats) -> Floats:
        return self.inner.closer_envelope(c, t)

    def axis(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        return self.inner.axis(c)

    def growth(self, c: float, b: float, start: float, end: float) -> float:
        return self.inner.growth(c, b, start, end)

    def fourth(self, c: float) -> Floats | float:
        return math.inf
