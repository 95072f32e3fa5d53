"""The real axis: tilts, the mean losses that belong to them, and how far out they matter.

Under the tilt c the loss has mean K'(c) and variance K''(c). Everything here guides the choice of lines and starting
values; nothing rests on it.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from scipy.special import erfcx

from dplens._numerics.sharing import cached_property, remembered
from dplens.engine.composition import Composition, from_above, log_kappa
from dplens.engine.laws import Floats

FAR = 1e7  # tilts beyond it change nothing any more
_APART = 0.9  # standard deviations between neighbouring tilts
_CHUNK = 16  # tilts evaluated at once
_MOST = 3000
_CLOSER = 4  # tilts whose laws are looked at closer at once
COSTLY = 5000.0  # work of one value of one law's K that is too much for a table


class Tilts:
    """Tilts from ½ upwards, at most about 0.6 standard deviations apart, with K, K' and K'' there.

    A table does not change. ``more`` is the next larger one, and ``reach`` and its like give the first of all, from
    this one on, that has what is needed.
    """

    def __init__(self, comp: Composition, c: Floats, k: Floats, mean: Floats, variance: Floats) -> None:
        self._comp, self.c, self.k, self.mean, self.variance = comp, c, k, mean, variance
        self._factors: dict[int, float] = {}

    @classmethod
    def first(cls, comp: Composition, mirror: Tilts | None = None) -> Tilts:
        """The table of one tilt, ½; ``mirror``: the one of the two worlds exchanged, whose middle is the same."""
        c = np.array([0.5])
        if mirror is None:
            k, mean, variance = comp.axis(c)
            return cls(comp, c, k, np.zeros(1) if comp.reversed is comp else mean, variance)
        return cls(comp, c, mirror.k[:1], -mirror.mean[:1], mirror.variance[:1])

    @cached_property
    def ended(self) -> bool:
        """Whether more tilts would change nothing."""
        return bool(self.c[-1] >= FAR or len(self.c) >= _MOST or self._comp.dearest(float(self.c[-1]), 0.0) > COSTLY)

    def reach_call(self, log_level: float) -> Tilts:
        """With calls at the means below e^log_level."""
        table = self
        while (table.c[-1] < 1 or table.log_call[-1] > log_level) and not table.ended:
            table = table.more
        return table

    def reach(self, c: float) -> Tilts:
        """With a tilt among those known."""
        table = self
        while table.c[-1] < c and not table.ended:
            table = table.more
        return table

    def reach_mean(self, loss: float) -> Tilts:
        """With a mean loss of at least ``loss``."""
        table = self
        while table.mean[-1] < loss and not table.ended:
            table = table.more
        return table

    def reach_odds(self, level: float, *, weighted: bool = False) -> Tilts:
        """With log-odds of losses above the means below ``level``."""
        table = self
        while table.log_odds(weighted=weighted)[-1] > level and not table.ended:
            table = table.more
        return table

    @cached_property
    def more(self) -> Tilts:
        """Some tilts more: (c' − c)·(K'(c') − K'(c)), the divergence between neighbours, is about 0.6²."""
        c, mean = float(self.c[-1]), float(self.mean[-1])
        step = _APART / math.sqrt(max(float(self.variance[-1]), 1e-300))
        step = min(step, max(abs(c), 8.0))
        while True:
            points = np.asarray(c + step * np.arange(1, _CHUNK + 1), dtype=float)
            if self._comp.dearest(float(points[-1]), 0.0) >= 2 * COSTLY:  # the further out the dearer
                points = points[: max(1, sum(self._comp.dearest(float(x), 0.0) < 2 * COSTLY for x in points))]
            k, means, variances = self._comp.axis(points)
            with np.errstate(invalid="ignore"):
                gaps = step * (means - np.append(mean, means[:-1]))
                wild = np.flatnonzero(~(gaps <= 3 * _APART**2))
            keep = int(wild[0]) if len(wild) else len(points)
            if keep or step < 1e-12:
                break
            step /= 4
        keep = max(keep, 1)
        means = np.maximum.accumulate(np.maximum(means[:keep], mean))
        larger = Tilts(
            self._comp,
            np.append(self.c, points[:keep]),
            np.append(self.k, k[:keep]),
            np.append(self.mean, means),
            np.append(self.variance, variances[:keep]),
        )
        larger._factors = self._factors  # those of the tilts that both have
        return larger

    def spread_at(self, c: float) -> float:
        """Standard deviation of the loss under the tilt c."""
        return math.sqrt(max(float(np.interp(c, self.c, self.variance)), 1e-300))

    def c_of(self, loss: float) -> float:
        """The tilt with that mean, about."""
        return float(np.interp(loss, self.mean, self.c))

    def k_at(self, c: float) -> float:
        """K at c, about: from the nearest tilt, with its mean and variance."""
        i = int(np.searchsorted(self.c, c))
        i -= i == len(self.c) or (i > 0 and c - self.c[i - 1] < self.c[i] - c)
        gap = c - float(self.c[i])
        return float(self.k[i] + gap * (self.mean[i] + gap / 2 * self.variance[i]))

    def calm_from(self, first: float) -> float:
        """The tilt, from a given one on, at which the variance has grown fourfold, about."""
        start = int(np.searchsorted(self.c, first))
        if start >= len(self.c) or not self.variance[start] > 0:  # it underflowed
            return math.inf
        grown = self.variance[start:] / self.variance[start]
        wild = np.flatnonzero(grown > 4)
        if not len(wild):
            return math.inf
        i = int(wild[0])
        return float(np.interp(math.log(4), np.log(grown[i - 1 : i + 1]), self.c[start + i - 1 : start + i + 1]))

    # ---- what they would mean were the loss Gaussian ---------------------------------------------------

    def log_odds(self, *, weighted: bool = False) -> Floats:
        """Log-odds of L > K'(c) under H0, approximately; ``weighted`` by e^L, under H1."""
        return self._odds_h1 if weighted else self._odds_h0

    @cached_property
    def _odds_h0(self) -> Floats:
        return self._log_odds(0.0)

    @cached_property
    def _odds_h1(self) -> Floats:
        return self._log_odds(1.0)

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

    def chernoff(self, e: Floats) -> Floats:
        """An upper bound of log E(e^L − e^e)₊, proved: the best of e^{K(c) + (1 − c)·e}·sup (e^x − 1)·e^{−c·x}."""
        table = self.reach_mean(float(e.max()))
        above = table.c > 1
        c, k = table.c[above], table.k[above]
        if not len(c):
            return np.zeros_like(e)
        return np.min(from_above(k) + log_kappa(c) + np.multiply.outer(e, 1 - c), axis=1)

    def closer_chernoff(self, e: Floats) -> Floats:
        """The same from a few tilts among the means e, by what is known of their laws."""
        table = self.reach_mean(float(e.max()))
        ends = np.searchsorted(table.mean, [float(e.min()), float(e.max())])
        first = max(int(ends[0]) - 1, int(np.searchsorted(table.c, 1.0, side="right")))
        last = min(int(ends[1]), len(table.c) - 1)
        bound = np.full_like(e, math.inf)
        for i in np.unique(np.linspace(first, last, _CLOSER).astype(int)).tolist() if first <= last else ():
            factor = remembered(self._factors, i, partial(table._closer_factor, i))
            bound = np.minimum(bound, factor + (1 - table.c[i]) * e)
        return bound

    def _closer_factor(self, i: int) -> float:
        """K + log kappa of a tilt."""
        kappa = self._comp.closer_kappa(float(self.c[i]), float(self.variance[i]))
        return float(from_above(self.k[i])) + math.log(kappa)

    @cached_property
    def _roots(self) -> Floats:
        return np.sqrt(np.maximum(self.variance, 0.0) / 2)
