"""The privacy loss of a composition: the sum of the steps' cgfs, and tables of its tilts on the real axis.

Under the tilt c the loss has mean K'(c) and variance K''(c).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import erfcx

from dplens.losses.base import UNIT, Complexes, Floats, GaussianLoss, StepLoss
from dplens.losses.stack import FEWEST, REACH, Stack, stacked
from dplens.numerics.sharing import Shared, cached_property, remembered

COSTLY = 5000.0  # cost of one value of one law's K beyond which tables stop


class Term(NamedTuple):
    """Equal steps: their law, how many there are, and whether H0 and H1 are exchanged."""

    law: StepLoss
    times: int
    mirrored: bool = False

    def tilt(self, c: float) -> float:
        """The tilt of the law itself: exchanging H0 and H1 turns K(s) into K(1 − s)."""
        return 1 - c if self.mirrored else c

    @property
    def infinity_masses(self) -> tuple[float, float]:
        return self.law.infinity_masses[::-1] if self.mirrored else self.law.infinity_masses  # pyright: ignore[reportReturnType]

    @property
    def support(self) -> tuple[float, float]:
        low, high = self.law.support
        return (-high, -low) if self.mirrored else (low, high)


@dataclass(frozen=True, eq=False)
class Composition(Shared):
    """Independent steps. ``log_intact``: log of the probability that none of them fails and reveals the hypothesis."""

    terms: tuple[Term, ...]
    log_intact: float = 0.0

    @classmethod
    def of(cls, terms: Iterable[Term], log_intact: float = 0.0) -> Composition:
        """The composition of the terms, with equal laws merged."""
        counts: dict[tuple[StepLoss, bool], int] = {}
        for law, count, mirrored in terms:
            key = law, mirrored and not law.is_symmetric
            counts[key] = counts.get(key, 0) + count
        return cls(tuple(Term(law, count, mirrored) for (law, mirrored), count in counts.items()), log_intact)

    @cached_property
    def reversed(self) -> Composition:
        """The same release with H0 and H1 exchanged."""
        if all(law.is_symmetric for law, _, _ in self.terms):
            return self
        mirror = Composition(
            tuple(term._replace(mirrored=not (term.mirrored or term.law.is_symmetric)) for term in self.terms),
            self.log_intact,
        )
        mirror.__dict__["reversed"] = self
        return mirror

    @cached_property
    def log_finite(self) -> tuple[float, float]:
        """Logs of the masses of finite losses, under H0 and under H1."""
        parts = [[term.times * math.log1p(-term.infinity_masses[i]) for term in self.terms] for i in (0, 1)]
        return math.fsum([*parts[0], self.log_intact]), math.fsum([*parts[1], self.log_intact])

    @cached_property
    def infinity_masses(self) -> tuple[float, float]:
        """Mass under H0 at a loss of minus infinity, and under H1 at plus infinity."""
        return 0.0 - math.expm1(self.log_finite[0]), 0.0 - math.expm1(self.log_finite[1])

    @cached_property
    def rare(self) -> float:
        """Mass of outcomes, under either hypothesis, that the laws omit."""
        return sum(count * law.rare for law, count, _ in self.terms)

    @cached_property
    def support(self) -> tuple[float, float]:
        """Smallest and largest finite loss."""
        with np.errstate(over="ignore"):  # extreme losses may overflow; infinity is then correct
            low, high = ([term.times * term.support[i] for term in self.terms] for i in (0, 1))
        return math.fsum(low), math.fsum(high)

    @cached_property
    def gaussian(self) -> float:
        """mu of all Gaussian terms together."""
        return math.hypot(*(math.sqrt(n) * law.mu for law, n, _ in self.terms if isinstance(law, GaussianLoss)))

    @cached_property
    def has_long_lines(self) -> bool:
        """Whether lines that need very many nodes may be integrated by panels."""
        return any(law.has_long_lines for law, _, _ in self.terms)

    @cached_property
    def _stacked(self) -> tuple[Term, ...]:
        """The terms, those of few nodes in stacks."""
        found: list[Term] = []
        for mirrored in (False, True):
            steps = stacked([(law, times) for law, times, other_way in self.terms if other_way == mirrored])
            found += [Term(law, times, mirrored) for law, times in steps]
        return tuple(found)

    def _terms_for(self, c: float) -> tuple[Term, ...]:
        """The terms, stacked if that is possible for tilts up to c."""
        if len(self.terms) < FEWEST:
            return self.terms
        reach = max((term.law.reach for term in self._stacked if isinstance(term.law, Stack)), default=0.0)
        return self._stacked if (abs(c) + 1) * reach < REACH else self.terms

    def cost(self, c: float, t: float) -> float:
        """Cost of one value of K at c + it."""
        return sum(term.law.cost(term.tilt(c), t) for term in self._terms_for(c))

    def dearest(self, c: float, t: float) -> float:
        """The cost for the most expensive law, which is unbounded for extreme tilts."""
        return max(term.law.cost(term.tilt(c), t) for term in self._terms_for(c))

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        """K on Re s = c, and a bound on its error."""
        total = np.full(t.shape, self.log_intact, dtype=np.complex128)
        error = np.full(t.shape, -UNIT * self.log_intact)
        for term in self._terms_for(c):
            k, wrong = term.law.evaluate(term.tilt(c), t)
            # K is real on the real axis: K(1 − c − it) is the conjugate of K(1 − c + it)
            total += term.times * (np.conj(k) if term.mirrored else k)
            error += term.times * (wrong + 2 * UNIT * np.abs(k.real))
        return total, error + 2 * UNIT * len(self.terms) * np.abs(total.real)

    def cgf(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        """K, K', K'' at real points."""
        sums = np.zeros((3, len(c)))
        sums[0] = self.log_intact
        for law, count, mirrored in self._terms_for(float(np.abs(c).max())):
            k, mean, variance = law.cgf(1 - c if mirrored else c)
            sums += np.array([k, -mean if mirrored else mean, variance]) * count
        return sums[0], sums[1], sums[2]

    def cgf_at(self, c: float) -> tuple[float, float, float]:
        """K, K', K'' at a real point."""
        k, d, dd = self.cgf(np.array([c]))
        return float(k[0]), float(d[0]), float(dd[0])

    def envelope(self, c: float, t: Floats) -> Floats:
        """Bound on |phi(u)| of the law tilted by c, for every u ≥ t."""
        with np.errstate(divide="ignore"):
            return np.exp(sum(term.times * np.log(term.law.envelope(term.tilt(c), t)) for term in self._terms_for(c)))

    def growth(self, c: float, b: float, start: float, end: float) -> float:
        """Bound on Re K(s) where |Re s − c| ≤ b and start − b ≤ Im s ≤ end + b."""
        return sum(term.times * term.law.growth(term.tilt(c), b, start, end) for term in self.terms) + self.log_intact

    def renyi(self, order: float) -> float:
        """Rényi divergence of Q from P, the sum of those of the steps."""
        if order >= 1 and self.infinity_masses[1] > 0:
            return math.inf
        if _is_near_one(order):  # K(order)/(order − 1) is a quotient of two small numbers
            _, mean, variance = self.cgf_at(1.0)
            return max(mean + (order - 1) / 2 * variance, 0.0)
        return float(self.evaluate(order, np.zeros(1))[0][0].real) / (order - 1)

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        """(relative, absolute) error of :meth:`renyi`."""
        if _is_near_one(order):
            return 1e-9, 0.0
        return 1e-14, float(self.evaluate(order, np.zeros(1))[1][0]) / abs(order - 1)


def _is_near_one(order: float) -> bool:
    """Whether a Rényi divergence follows from the derivatives of K at 1."""
    return abs(order - 1) < 1e-6


class Tilts:
    """Tilts from ½ upwards, at most about 0.6 standard deviations apart, with K, K' and K'' there.

    A table is immutable: ``more`` is the next larger one, and ``reach`` finds the first that has what is needed. Tables
    only guide the choice of lines and starting values, so nothing here needs to be exact.
    """

    def __init__(self, comp: Composition, c: Floats, k: Floats, mean: Floats, variance: Floats) -> None:
        self.comp, self.c, self.k, self.mean, self.variance = comp, c, k, mean, variance

    @classmethod
    def first(cls, comp: Composition, mirror: Tilts | None = None) -> Tilts:
        """The table with the single tilt ½. ``mirror``: that of H0 and H1 exchanged, which has the same K there."""
        c = np.array([0.5])
        if mirror is not None:
            return cls(comp, c, mirror.k[:1], -mirror.mean[:1], mirror.variance[:1])
        k, mean, variance = comp.cgf(c)
        return cls(comp, c, k, np.zeros(1) if comp.reversed is comp else mean, variance)

    @cached_property
    def ended(self) -> bool:
        """Whether larger tables are useless, or too costly."""
        return bool(self.c[-1] >= 1e7 or len(self.c) >= 3000 or self.comp.dearest(float(self.c[-1]), 0.0) > COSTLY)

    def reach(self, enough: Callable[[Tilts], bool]) -> Tilts:
        """The first table that is large enough, or the last one."""
        table = self
        while not table.ended and not enough(table):
            table = table.more
        return table

    def reach_odds(self, level: float, *, weighted: bool = False) -> Tilts:
        """The first table that reaches log-odds below ``level`` of losses above the mean."""
        return self.reach(lambda table: table.log_odds(weighted=weighted)[-1] <= level)

    @cached_property
    def more(self) -> Tilts:
        """The table with up to 16 more tilts, (c' − c)·(K'(c') − K'(c)) between neighbours being about 0.9²."""
        apart, most = 0.9, 16
        c, mean = float(self.c[-1]), float(self.mean[-1])
        step = min(apart / math.sqrt(max(float(self.variance[-1]), 1e-300)), max(abs(c), 8.0))
        while True:
            points = np.asarray(c + step * np.arange(1, most + 1), dtype=float)
            if self.comp.dearest(float(points[-1]), 0.0) >= 2 * COSTLY:  # larger tilts cost more
                points = points[: max(1, sum(self.comp.dearest(float(x), 0.0) < 2 * COSTLY for x in points))]
            k, means, variances = self.comp.cgf(points)
            with np.errstate(invalid="ignore"):
                gaps = step * (means - np.append(mean, means[:-1]))
                wild = np.flatnonzero(~(gaps <= 3 * apart**2))
            keep = max(int(wild[0]) if len(wild) else len(points), int(step < 1e-12))
            if keep:
                break
            step /= 4
        means = np.maximum.accumulate(np.maximum(means[:keep], mean))
        new = points[:keep], k[:keep], means, variances[:keep]
        return Tilts(self.comp, *map(np.append, (self.c, self.k, self.mean, self.variance), new))

    def spread_at(self, c: float) -> float:
        """Standard deviation of the loss under the tilt c."""
        return math.sqrt(max(float(np.interp(c, self.c, self.variance)), 1e-300))

    def k_at(self, c: float) -> float:
        """Approximation of K at c, from the mean and variance of the nearest tilt."""
        i = int(np.searchsorted(self.c, c))
        i -= i == len(self.c) or (i > 0 and c - self.c[i - 1] < self.c[i] - c)
        gap = c - float(self.c[i])
        return float(self.k[i] + gap * (self.mean[i] + gap / 2 * self.variance[i]))

    def c_of(self, loss: float) -> float:
        """Approximation of the tilt whose mean is ``loss``."""
        return float(np.interp(loss, self.mean, self.c))

    def calm_from(self, first: float) -> float:
        """Approximation of the first tilt after ``first`` at which the variance has grown fourfold."""
        start = int(np.searchsorted(self.c, first))
        if start >= len(self.c) or not self.variance[start] > 0:  # the variance underflowed
            return math.inf
        grown = self.variance[start:] / self.variance[start]
        wild = np.flatnonzero(grown > 4)
        if not len(wild):
            return math.inf
        i = int(wild[0])
        return float(np.interp(math.log(4), np.log(grown[i - 1 : i + 1]), self.c[start + i - 1 : start + i + 1]))

    # ---- saddlepoint approximations, for a nearly Gaussian loss --------------------------------------------

    def log_odds(self, *, weighted: bool = False) -> Floats:
        """Log-odds of L > K'(c) under H0, approximately; ``weighted`` by e^L, under H1."""
        return remembered(
            self.__dict__, "_odds_h1" if weighted else "_odds_h0", lambda: self._log_odds(float(weighted))
        )

    def _log_odds(self, shift: float) -> Floats:
        tilt = self.c - shift
        with np.errstate(divide="ignore"):  # roots so large that the tail is 0
            log_tail = self.k - tilt * self.mean + np.log(0.5 * erfcx(np.abs(tilt) * self._roots))
        log_tail = np.minimum(log_tail, math.log(0.5))
        return np.copysign(log_tail - np.log1p(-np.exp(log_tail)), -tilt)

    @cached_property
    def log_call(self) -> Floats:
        """log E(e^L − e^e)₊ at e = K'(c), approximately."""
        gap = 0.5 * (erfcx((self.c - 1) * self._roots) - erfcx(self.c * self._roots))
        return self.k + (1 - self.c) * self.mean + np.log(np.maximum(gap, 1e-300))

    @cached_property
    def _roots(self) -> Floats:
        return np.sqrt(np.maximum(self.variance, 0.0) / 2)


def log_kappa(c: Floats) -> Floats:
    """log of sup (e^x − 1)₊·e^{−c·x}, for a Chernoff bound: E_P(e^L − e^e)₊ ≤ kappa·e^{K(c) + (1 − c)·e}, c ≥ 1."""
    a = np.maximum(c - 1, 1e-300)
    return a * np.log(a / c) - np.log(c)


def from_above(k: Floats) -> Floats:
    """Values of K rounded up to be upper bounds."""
    return k + 1e-9 * np.abs(k) + 1e-12
