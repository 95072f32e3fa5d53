"""The real axis of a composition on a lattice: where its losses lie, and which tilts cover them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplens.composition.grid.spreading import SpreadLaw
from dplens.curves.base import Floats
from dplens.numerics.sharing import cached_property

LARGEST_LOSS = 700.0  # e to a larger one is no float

_COVERED = 82.0  # −log of the deltas that are told apart from proofs
_NEEDED, _FEW = (70.0, 36.0), 2  # the same of those that are known closely: of so few laws, and of more
_ROOM = 0.5  # of the distance between the ends, on either side
_ALIASED = 1e-15  # mass that a tilt may push out of the limits
_OFFSETS = 49  # tilts on either side from which Chernoff's bound may choose
_FIRST, _SPAN = 3.5, 10.0  # standard deviations from a loss of 0 to the first tilt, and from one to the next
_REST = 18.0  # −log of the mass beyond what is needed, under the last one
_STEPS = 16  # step sizes from which the next tilt is chosen
_TILTS, _GAIN = 24, 4.0  # how many there may be, and by what power of e one more must help at the end of the window
_FINEST, _STEEPEST = 1 << 16, 1 << 15  # parts of a window, and tilts times its width: beyond, kernels are no floats
_TOLD = 0.1  # variances of a tilt in units of 1/(c − 1)², from which on it is told from c = 1
_SMALLEST = 1e-300  # variances that are none


@dataclass(eq=False)
class CoarseAxis:
    """K(c) = log E_P e^{c·L} of coarsely spread steps: from above, outside [0, 1], that of finer ones."""

    laws: Sequence[tuple[SpreadLaw, int]]
    variance: float = 0.0  # what spreading the steps otherwise adds at most, and how far a loss is moved by it
    widest: float = 0.0

    def __post_init__(self) -> None:
        self.support = _support(self.laws)

    def refine(self, laws: Sequence[tuple[SpreadLaw, int]]) -> None:
        """Bounds hold for these laws from now on, which are finer."""
        self.variance = math.fsum(count * law.variance for law, count in laws)
        self.widest = max(law.every * law.spacing for law, _ in laws)
        self.support = _support(laws)

    def at(self, c: Floats) -> Floats:
        """Rows of K, K' and K'' at real points."""
        total = np.zeros((3, len(c)))
        for law, count in self.laws:
            x = law.losses
            exponent = np.multiply.outer(c, x) + law.log_p
            top = exponent.max(axis=1)
            weight = np.exp(exponent - top[:, None])
            mass = weight.sum(axis=1)
            mean = weight @ x / mass
            square = np.sum(weight * (x - mean[:, None]) ** 2, axis=1)
            total += count * np.array([top + np.log(mass), mean, square / mass])
        return total

    @cached_property
    def _offsets(self) -> Floats:
        """How far other tilts may lie from one, for Chernoff's bound: few losses may be far larger than the others."""
        spread = math.sqrt(max(float(self.at(np.array([0.5]))[2, 0]), _SMALLEST))
        least = min(1e-4 / spread, 0.1 / (self.support[1] - self.support[0] + 1e-140))
        return np.geomspace(least, 100 / spread, _OFFSETS)

    @cached_property
    def _outer(self) -> tuple[Floats, Floats]:
        """Tilts outside [0, 1], in order, and K there."""
        c = np.concatenate([-self._offsets[::-1], 1 + self._offsets])
        return c, self.at(c)[0]

    @property
    def window(self) -> tuple[float, float]:
        """Losses between which all but e^−_COVERED of either world lies."""
        return self._within(_COVERED)

    def _within(self, depth: float) -> tuple[float, float]:
        k = self._outer[1]
        low = -float(np.min((k[:_OFFSETS] + depth) / self._offsets[::-1]))
        high = float(np.min((k[_OFFSETS:] + depth) / self._offsets))
        return max(low, self.support[0], -LARGEST_LOSS), min(high, self.support[1], LARGEST_LOSS)

    @property
    def limits(self) -> tuple[float, float]:
        """The window and some more, as tilts move mass outwards."""
        room = _ROOM * (self.window[1] - self.window[0])
        return max(self.window[0] - room, self.support[0]), min(self.window[1] + room, self.support[1])

    def ends(self, c: float, k: float, depth: float) -> tuple[float, float]:
        """Losses within the limits, between which all but about e^−depth lies under the tilt c; K(c) is about k."""
        others, known = self._outer
        reach = (known - k + depth) / np.where(others == c, np.inf, others - c)
        low = float(np.max(reach[others < c], initial=self.limits[0]))
        return low, max(float(np.min(reach[others > c], initial=self.limits[1])), low)

    def steepness(self, depth: float) -> float:
        """How much more, relatively, a power or an epsilon changes than e^e·(density) does.

        With the tilt c whose mean loss is e: c − 1 at a false-positive rate, c/e at a delta, both about e^−depth. Next
        to an atom at the end, larger tilts change nothing.
        """
        c = 1 + self._offsets[::2]
        k, mean, variance = self.at(c)
        open_ = (variance * (c - 1) ** 2 >= _TOLD) & (mean > 0)
        if not open_.any():
            return 1.0
        c, k, mean, variance = (x[open_] for x in (c, k, mean, variance))
        rate = float(np.interp(depth, c * mean - k, c - 1))
        return max(rate, 1 / math.sqrt(variance[0]), float(np.interp(depth, (c - 1) * mean - k, c / mean)))

    def tilts(self) -> list[float]:
        """Tilts whose laws together cover what is needed of the window.

        Few laws have one in the middle. Of more, which take longer, the first ones lie on either side of it.
        """
        few = len(self.laws) <= _FEW
        found = [0.5] if few else []
        width = self.window[1] - self.window[0]
        for sign, end in zip((1, -1), self._within(_NEEDED[not few])[::-1]):
            c, span = 0.5, _SPAN if few else _FIRST
            k, mean, variance = self.at(np.array([c]))[:, 0]
            while len(found) < _TILTS and self._depth(c, k, end, sign) > _REST:
                # next to an isolated atom the variance vanishes: no finer than the lattice will be
                spread = max(math.sqrt(max(variance, 0.0)), width / _FINEST, _SMALLEST)
                steps = sign * np.geomspace(span / spread, min(span / spread, 1 / width), _STEPS)
                ks, means, variances = self.at(c + steps)
                near = np.abs(steps * (means - mean)) <= 1.1 * span**2
                near &= np.abs(c + steps) * width < _STEEPEST
                fit = (i for i in np.flatnonzero(near) if self.beyond(c + steps[i], ks[i], self.limits) < _ALIASED)
                at = next(fit, None)
                if at is None or abs(steps[at] * (end - mean)) < _GAIN:
                    break
                c, k, mean, variance = (float(x) for x in (c + steps[at], ks[at], means[at], variances[at]))
                found.append(c)
                span = _SPAN
            if span == _FIRST:
                found.append(c)
        return sorted(set(found))

    def _depth(self, c: float, k: float, loss: float, sign: int) -> float:
        """−log of the mass beyond a loss under the tilt c, by Chernoff's bound."""
        others, known = self._outer
        outer = sign * (others - c) > 0
        return -float(np.min(known[outer] - k - (others[outer] - c) * loss, initial=0.0))

    def beyond(self, c: float, k: float, ends: tuple[float, float]) -> float:
        """Mass outside two losses under the tilt c with K(c) = k, by Chernoff's bound."""
        others, known = self._outer  # between 0 and 1, coarser dots do not bound finer ones
        # E e^{cZ} ≤ 1 + ½·c(c − 1)·Var(e^Z)·sup e^{(c − 2)z}
        with np.errstate(over="ignore", invalid="ignore"):
            growth = np.exp(np.minimum((np.abs(others) + 2) * self.widest, 300.0))
            known = known + others * (others - 1) / 2 * self.variance * growth
        total = 0.0
        for sign, end, last in ((-1, ends[0], self.support[0]), (1, ends[1], self.support[1])):
            if sign * (last - end) <= 0:
                continue
            outer = sign * (others - c) > 0
            logs = known[outer] - k - (others[outer] - c) * end
            total += math.exp(min(float(np.min(logs, initial=0.0)), 0.0))
        return total


def _support(laws: Sequence[tuple[SpreadLaw, int]]) -> tuple[float, float]:
    """The least and the largest finite loss."""
    low, high = (math.fsum(count * law.ends[i] for law, count in laws) for i in (0, 1))
    return low, high
