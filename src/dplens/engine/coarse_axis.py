"""The real axis of a composition on a lattice: where its losses lie, and which tilts cover them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats
from dplens.engine.spreading import SpreadLaw

LARGEST_LOSS = 700.0  # e to a larger one is no float

_COVERED = 82.0  # −log of the deltas that are told apart from proofs
_ROOM = 0.15  # of the distance between the ends, on either side
_OFFSETS = 81  # tilts on either side from which Chernoff's bound may choose
_SPAN = 8.0  # standard deviations between the means of neighbouring tilts
_ALIASED = 1e-15  # mass that a tilt may push out of the window
_TILTS, _GAIN = 24, 4.0  # how many there may be, and by what power of e one more must help at the end of the window
_FINEST, _STEEPEST = 1 << 16, 1 << 15  # parts of a window, and tilts times its width: beyond, kernels are no floats
_SMALLEST = 1e-300  # variances that are none


@dataclass(frozen=True, eq=False)
class CoarseAxis:
    """K(c) = log E_P e^{c·L} of coarsely spread steps: from above, outside [0, 1], that of finer ones."""

    laws: Sequence[tuple[SpreadLaw, int]]
    variance: float = 0.0  # what spreading the steps otherwise adds at most, and how far a loss is moved by it
    widest: float = 0.0

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
    def support(self) -> tuple[float, float]:
        """The least and the largest finite loss."""
        ends = [(float(law.losses[0]) * count, float(law.losses[-1]) * count) for law, count in self.laws]
        return math.fsum(low for low, _ in ends), math.fsum(high for _, high in ends)

    @cached_property
    def _offsets(self) -> Floats:
        """How far other tilts may lie from one, for Chernoff's bound: few losses may be far larger than the others."""
        spread = math.sqrt(max(float(self.at(np.array([0.5]))[2, 0]), _SMALLEST))
        return np.geomspace(
            min(1e-4 / spread, 0.1 / (self.support[1] - self.support[0] + 1e-140)), 100 / spread, _OFFSETS
        )

    @cached_property
    def _outer(self) -> tuple[Floats, Floats]:
        """Tilts outside [0, 1], in order, and K there."""
        c = np.concatenate([-self._offsets[::-1], 1 + self._offsets])
        return c, self.at(c)[0]

    @cached_property
    def window(self) -> tuple[float, float]:
        """Losses between which all but e^−_COVERED of either world lies, and some more, as tilts move mass outwards."""
        k = self._outer[1]
        high = float(np.min((k[_OFFSETS:] + _COVERED) / self._offsets))
        low = float(np.min((k[:_OFFSETS] + _COVERED) / self._offsets[::-1]))
        room = _ROOM * (high + low) + 2 * max(law.spacing for law, _ in self.laws)
        ends = max(-low - room, self.support[0]), min(high + room, self.support[1])
        return max(ends[0], -LARGEST_LOSS), min(ends[1], LARGEST_LOSS)

    def tilt_at_depth(self, depth: float) -> float:
        """The c > 1 whose mean loss is where the call has fallen to e^−depth."""
        c = 1 + self._offsets[::2]
        k, mean, variance = self.at(c)
        reached = ((c - 1) * mean - k >= depth) | ((c > 2) & (variance * (c - 1) ** 2 < 1))
        return float(c[int(np.argmax(reached)) if reached.any() else -1])

    def tilts(self) -> list[float]:
        """Tilts whose laws together cover the window, as far as they do not push mass outside."""
        found = [0.5]
        for sign, end in ((1, self.window[1]), (-1, self.window[0])):
            c = 0.5
            while len(found) < _TILTS:
                _, mean, variance = self.at(np.array([c]))[:, 0]
                # next to an isolated atom the variance vanishes: no finer than the lattice will be
                spread = max(math.sqrt(max(variance, 0.0)), (self.window[1] - self.window[0]) / _FINEST, _SMALLEST)
                if sign * (end - mean) <= max(_SPAN / 2 * spread, 1e-6 * (self.window[1] - self.window[0])):
                    break
                least = min(_SPAN / spread, 1 / (self.window[1] - self.window[0]))
                steps = sign * np.geomspace(_SPAN / spread, least, 40)
                near = steps[np.abs(steps * (self.at(c + steps)[1] - mean)) <= _SPAN**2]
                near = near[np.abs(c + near) * (self.window[1] - self.window[0]) < _STEEPEST]
                step = next((float(step) for step in near if self._beyond(c + step, sign) < _ALIASED), 0.0)
                if abs(step * (end - mean)) < _GAIN:
                    break
                c += step
                found.append(c)
        return sorted(found)

    def _beyond(self, c: float, sign: int, k: float | None = None) -> float:
        """Mass above the window (or below it) under the tilt c, by Chernoff's bound; K(c) = k if that is known."""
        end, last = (self.window[1], self.support[1]) if sign > 0 else (self.window[0], self.support[0])
        if sign * (last - end) <= 0:
            return 0.0
        others, known = self._outer  # between 0 and 1, coarser dots do not bound finer ones
        beyond = sign * (others - c) > 0
        others, known = others[beyond], known[beyond]
        here = float(self.at(np.array([c]))[0, 0]) if k is None else k
        # E e^{cZ} ≤ 1 + ½·c(c − 1)·Var(e^Z)·sup e^{(c − 2)z}
        with np.errstate(over="ignore", invalid="ignore"):
            growth = np.exp(np.minimum((np.abs(others) + 2) * self.widest, 300.0))
            added = others * (others - 1) / 2 * self.variance * growth
        return math.exp(min(float(np.min(known + added - here - (others - c) * end, initial=0.0)), 0.0))

    def beyond(self, c: float, k: float) -> float:
        """Mass outside the window under the tilt c with K(c) = k."""
        return self._beyond(c, 1, k) + self._beyond(c, -1, k)
