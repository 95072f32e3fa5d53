"""A whole release as a sum of losses: cumulant functions added, bounds multiplied."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import erfcx

from dplens.engine.derived_laws import ReversedLoss
from dplens.engine.laws import Complexes, Floats, LossLaw

_FAR = 1e7  # tilts beyond it change nothing any more


@dataclass(frozen=True, eq=False)
class Composition:
    """Independent steps, each law with how often it occurs."""

    terms: tuple[tuple[LossLaw, int], ...]

    @cached_property
    def reversed(self) -> Composition:
        """The same release with the two worlds exchanged."""
        swapped = tuple(
            (law.base if isinstance(law, ReversedLoss) else ReversedLoss(law), count) for law, count in self.terms
        )
        mirror = Composition(swapped)
        mirror.__dict__["reversed"] = self
        return mirror

    @cached_property
    def log_seen(self) -> tuple[float, float]:
        """log of the chance, under H0 and under H1, that no step proves its world."""
        parts = [[count * math.log1p(-law.unseen[i]) for law, count in self.terms] for i in (0, 1)]
        return math.fsum(parts[0]), math.fsum(parts[1])

    @property
    def unseen(self) -> tuple[float, float]:
        """Chance that some step proves H0 (under H0), and H1 (under H1)."""
        return -math.expm1(self.log_seen[0]), -math.expm1(self.log_seen[1])

    @cached_property
    def support(self) -> tuple[float, float]:
        """Least and largest finite loss."""
        low, high = ([count * law.support[i] for law, count in self.terms] for i in (0, 1))
        return math.fsum(low), math.fsum(high)

    def cost(self, c: float, t: float) -> float:
        """Work of one value of K at c + it."""
        return sum(law.cost(c, t) for law, _ in self.terms)

    def evaluate(self, s: Complexes) -> tuple[Complexes, Floats]:
        """K and a bound on its error."""
        total, error = np.zeros(s.shape, dtype=np.complex128), np.zeros(s.shape)
        for law, count in self.terms:
            k, wrong = law.evaluate(s)
            total += count * k
            error += count * wrong
        return total, error + 2e-16 * len(self.terms) * np.abs(np.real(total))

    def real(self, c: float) -> tuple[float, float, float]:
        """K, K', K'' at a real point, remembered."""
        known = self._reals
        if c not in known:
            known[c] = tuple(
                math.fsum(parts) for parts in zip(*([count * x for x in law.real(c)] for law, count in self.terms))
            )
        return known[c]

    @cached_property
    def _reals(self) -> dict:
        return {}

    def envelope(self, c: float, t: Floats) -> Floats:
        """Bound on |phi(u)| of the law tilted by c, for every u ≥ t."""
        logs = np.zeros_like(t)
        with np.errstate(divide="ignore"):
            for law, count in self.terms:
                logs += count * np.log(law.envelope(c, t))
        return np.exp(logs)

    def tilt(self, e: float) -> float:
        """c with K'(c) = e: the tilt that makes e the mean loss."""
        low, high, c = -_FAR, _FAR, 0.5
        for _ in range(200):
            _, d, dd = self.real(c)
            if d > e:
                high = c
            else:
                low = c
            step = (e - d) / dd if dd > 0 else math.inf
            room = 2 * abs(c - 0.5) + 1 / math.sqrt(max(dd, 1e-20))
            new = c + min(max(step, -room), room)
            if not low < new < high:
                new = (low + high) / 2 if max(abs(low), abs(high)) < _FAR else c + math.copysign(room, e - d)
            if abs(new - c) * math.sqrt(max(dd, 0.0)) < 0.01 or abs(new) >= _FAR:
                return min(max(new, -_FAR), _FAR)
            c = new
        return c

    # ---- approximations that guide the choice of lines; exact for a Gaussian loss ----------------------

    def log_tail(self, c: float) -> float:
        """log P(L > K'(c)) for c ≥ 0, log P(L ≤ K'(c)) for c < 0."""
        k, d, dd = self.real(c)
        return k - c * d + math.log(0.5 * erfcx(abs(c) * math.sqrt(max(dd, 0.0) / 2)))

    def log_call(self, c: float) -> float:
        """log E(e^L − e^e)₊ at e = K'(c), for c > ½."""
        k, d, dd = self.real(c)
        root = math.sqrt(max(dd, 0.0) / 2)
        gap = 0.5 * (erfcx((c - 1) * root) - erfcx(c * root))
        return k + (1 - c) * d + math.log(max(gap, 1e-300))


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

    @property
    def scale(self) -> float:
        return math.sqrt(max(self.inner.real(0.5)[2], 1e-300))

    def cost(self, c: float, t: float) -> float:
        return self.inner.cost(c, t)

    def cumulant(self, s: Complexes) -> Complexes:
        return self.inner.evaluate(s)[0]

    def error(self, s: Complexes) -> Floats:
        return self.inner.evaluate(s)[1]

    def evaluate(self, s: Complexes) -> tuple[Complexes, Floats]:
        return self.inner.evaluate(s)

    def envelope(self, c: float, t: Floats) -> Floats:
        return self.inner.envelope(c, t)

    def real(self, c: float) -> tuple[float, float, float]:
        return self.inner.real(c)
