"""The cgf of a composition on a lattice: where its losses lie, and which tilts cover them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplens.composition.grid.products import cgf_sum
from dplens.composition.grid.spreading import SpreadLaw
from dplens.curves.base import Floats
from dplens.numerics.sharing import cached_property

LARGEST_LOSS = 700.0  # e to a larger one overflows

_OFFSETS = 49  # tilts on either side for Chernoff's bound
_TINY = 1e-300  # stands in for a variance of 0


@dataclass(eq=False)
class CoarseAxis:
    """K(c) = log E_P e^{c·L} of coarsely spread steps. Outside [0, 1] it bounds that of finer ones from above."""

    laws: Sequence[tuple[SpreadLaw, int]]
    depth: float = 82.0  # −log of the mass beyond the window
    apart: float = 10.0  # standard deviations between tilts
    variance: float = 0.0  # of the whole, at most, that spreading the steps differently adds
    widest: float = 0.0  # the largest distance by which that moves a loss

    def __post_init__(self) -> None:
        self.support = _support(self.laws)

    def refine(self, laws: Sequence[tuple[SpreadLaw, int]]) -> None:
        """Make the bounds hold for these finer laws."""
        self.variance = math.fsum(count * law.variance for law, count in laws)
        self.widest = max(law.every * law.spacing for law, _ in laws)
        self.support = _support(laws)

    def cgf(self, c: Floats) -> Floats:
        """Rows of K, K' and K'' at real points."""
        return cgf_sum(((law.losses, law.log_p, count) for law, count in self.laws), c)

    @cached_property
    def _offsets(self) -> Floats:
        """Distances of the tilts for Chernoff's bound from [0, 1]: a few losses may be far larger than the rest."""
        spread = math.sqrt(max(float(self.cgf(np.array([0.5]))[2, 0]), _TINY))
        least = min(1e-4 / spread, 0.1 / (self.support[1] - self.support[0] + 1e-140))
        return np.geomspace(least, 100 / spread, _OFFSETS)

    @cached_property
    def _outer(self) -> tuple[Floats, Floats]:
        """Tilts outside [0, 1] in increasing order, and K there."""
        c = np.concatenate([-self._offsets[::-1], 1 + self._offsets])
        return c, self.cgf(c)[0]

    @property
    def window(self) -> tuple[float, float]:
        """Losses that enclose all but e^−depth of the mass of either world; the rest is counted at infinity."""
        return self._within(self.depth)

    def _within(self, depth: float) -> tuple[float, float]:
        k = self._outer[1]
        with np.errstate(over="ignore"):  # tilts that are too large bound nothing
            low = -float(np.min((k[:_OFFSETS] + depth) / self._offsets[::-1]))
            high = float(np.min((k[_OFFSETS:] + depth) / self._offsets))
        return max(low, self.support[0], -LARGEST_LOSS), min(high, self.support[1], LARGEST_LOSS)

    @property
    def limits(self) -> tuple[float, float]:
        """The window and half its width on either side, as tilts move mass outwards."""
        room = 0.5 * (self.window[1] - self.window[0])
        return max(self.window[0] - room, self.support[0]), min(self.window[1] + room, self.support[1])

    def ends(self, c: float, k: float, depth: float) -> tuple[float, float]:
        """Losses within the limits that enclose all but about e^−depth under the tilt c. K(c) is about k."""
        others, known = self._outer
        reach = (known - k + depth) / np.where(others == c, np.inf, others - c)
        low = float(np.max(reach[others < c], initial=self.limits[0]))
        return low, max(float(np.min(reach[others > c], initial=self.limits[1])), low)

    def steepness(self, depth: float) -> float:
        """How much more, relatively, a power or an epsilon changes than e^e·(density) does.

        With c the tilt whose mean loss is e, that is c − 1 at a false-positive rate of about e^−depth and c/e at such a
        delta. Next to an atom at the end, larger tilts change nothing; there the variance in units of 1/(c − 1)²
        vanishes.
        """
        c = 1 + self._offsets[::2]
        k, mean, variance = self.cgf(c)
        useful = (variance * (c - 1) ** 2 >= 0.1) & (mean > 0)
        if not useful.any():
            return 1.0
        c, k, mean, variance = (x[useful] for x in (c, k, mean, variance))
        rate = float(np.interp(depth, c * mean - k, c - 1))
        return max(rate, 1 / math.sqrt(variance[0]), float(np.interp(depth, (c - 1) * mean - k, c / mean)))

    def tilts(self) -> list[float]:
        """Tilts whose windows cover the losses that matter.

        One or two laws get a tilt in the middle. More laws take longer, so their first tilts lie on either side of it.
        """
        few = len(self.laws) <= 2
        found = [0.5] if few else []
        needed = self._within(self.depth - (12 if few else 46))
        for sign, end in ((1, needed[1]), (-1, needed[0])):
            c, apart = 0.5, self.apart if few else 3.5
            k, mean, variance = (float(x) for x in self.cgf(np.array([c]))[:, 0])
            moved = few
            while len(found) < 240 / self.apart and self._depth(c, k, end, sign) > 1.8 * self.apart:
                following = self._next_tilt(c, mean, variance, sign * apart)
                # one more must help at the end of the window
                if following is None or abs(following[0] - c) * abs(end - mean) < self.apart - 6:
                    break
                c, k, mean, variance = following
                found.append(c)
                moved, apart = True, self.apart
            if not moved:
                found.append(c)
        return sorted(set(found))

    def _next_tilt(self, c: float, mean: float, variance: float, apart: float) -> tuple[float, ...] | None:
        """The furthest of some tilts whose law still overlaps with that of c and stays within the limits.

        With K, K' and K'' there. The kernel overflows for more than 2^15 tilts times the width of the window.
        """
        width = self.window[1] - self.window[0]
        # next to an isolated atom the variance vanishes; the lattice will not be finer than 2^−16 of the window
        spread = max(math.sqrt(max(variance, 0.0)), width / 2**16, _TINY)
        largest = abs(apart) / spread
        steps = math.copysign(1, apart) * np.geomspace(largest, min(largest, 1 / width), 16)
        found = np.array([c + steps, *self.cgf(c + steps)])
        near = (np.abs(steps * (found[2] - mean)) <= 1.1 * apart**2) & (np.abs(c + steps) * width < 2**15)
        for i in np.flatnonzero(near):
            if self.beyond(found[0, i], found[1, i], self.limits) < 1e-15:
                return tuple(found[:, i].tolist())
        return None

    def _depth(self, c: float, k: float, loss: float, sign: int, more: Floats | float = 0.0) -> float:
        """−log of the mass beyond a loss under the tilt c, by Chernoff's bound; ``more``: on K at the outer tilts."""
        others, known = self._outer  # not between 0 and 1, where coarser dots do not bound finer ones
        outer = sign * (others - c) > 0
        return -float(np.min((known + more - k - (others - c) * loss)[outer], initial=0.0))

    @np.errstate(over="ignore", invalid="ignore")
    def beyond(self, c: float, k: float, ends: tuple[float, float]) -> float:
        """Mass outside two losses under the tilt c with K(c) = k."""
        others = self._outer[0]
        # E e^{cZ} ≤ 1 + ½·c(c − 1)·Var(e^Z)·sup e^{(c − 2)z}
        growth = np.exp(np.minimum((np.abs(others) + 2) * self.widest, 300.0))
        more = others * (others - 1) / 2 * self.variance * growth
        sides = zip((-1, 1), ends, self.support)
        return sum(
            math.exp(-self._depth(c, k, end, sign, more)) for sign, end, last in sides if sign * (last - end) > 0
        )


def _support(laws: Sequence[tuple[SpreadLaw, int]]) -> tuple[float, float]:
    """The smallest and the largest finite loss."""
    low, high = (math.fsum(count * law.ends[i] for law, count in laws) for i in (0, 1))
    return low, high
