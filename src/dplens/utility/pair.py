"""Two proportions: exact, with the unknown common proportion at its worst.

Under the null hypothesis both groups share a proportion p that is not known. The rejection probability U(p) is bounded
over all p in the declared range, not at an estimate, in cells [m − r, m + r]:

* Coupling. In the cell the first count is at most that of the largest proportion and the second at least that of the
  smallest, so U is at most the probability with those two.
* Taylor. U(p) ≤ U(m) + r·|U'(m)| + r²/2·max|U''|. With the score s_i = (x_i − p_i)/(p_i·q_i) of each record, U'' =
  E[f·Σ_{i≠j} s_i·s_j] for the probability f of rejection given the data. The sum has mean square 2·{I² − Σ I_i²}, I_i =
  1/(p_i·q_i), as its terms are uncorrelated; f² ≤ f. Hence |U''| ≤ √(2·U)·I (Cauchy–Schwarz).

The lower of the two bounds counts. Cells are halved until the bound is close to the largest value seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens.errors import Undefined
from dplens.utility.binomial import rows_error, some_rows
from dplens.utility.searching import boundary
from dplens.utility.tails import TailLaw

Floats = npt.NDArray[np.float64]

_MOST = 30_000_000  # pairs of counts that are looked at one by one
_ENTRIES = 2_000_000  # masses held at a time
_CELLS, _FEW_CELLS, _TOGETHER = 4_000, 1_000, 24
_TINY = 1e-60  # masses below are left out, and tails not told apart: arithmetic near the smallest floats is slow
_FEW_PAIRS, _PAYS = 40_000, 20  # pairs, and pairs for each number on the line, from which on transforms pay
_NOTHING = -40.0  # logarithm of the size below which a term of a transform is left out
_FOURIER, _SMALL = 1e-11, 1e-7  # absolute error of transforms, and probabilities that are too small for them
TOLERANCE = 1e-3  # relative: how closely the worst case is enclosed


@dataclass(frozen=True, eq=False)
class Pair:
    """Counts X1 ~ Bin(n1, p1), X2 ~ Bin(n2, p2), and T = X1·k1 − X2·k2 + W with k1 = n2/g, k2 = n1/g, g = gcd.

    T is the difference of the proportions times n1·n2/g: whole numbers, so ties are ties. ``noise``: the law of W.
    """

    n1: int
    n2: int
    noise: TailLaw
    _tables: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if (self.n1 + 1) * (self.n2 + 1) > _MOST:
            raise Undefined(
                f"Two groups of {self.n1} and {self.n2} have too many pairs of counts to look at one by one. Use "
                "dplens.TwoMeansTest with sd = 0.5, which for groups of this size is close and keeps the level."
            )

    @property
    def unit(self) -> int:
        """n1·n2/g: T is measured in its inverse."""
        return self.n1 * self.n2 // math.gcd(self.n1, self.n2)

    @property
    def _steps(self) -> tuple[int, int]:
        """k1 and k2: what one more count in either group changes."""
        g = math.gcd(self.n1, self.n2)
        return self.n2 // g, self.n1 // g

    def _tails(self, x: float, upper: bool) -> tuple[Floats, float, float]:
        """P(W ≥ x − t), or P(W ≤ x − t), from above, at every t that the counts can make.

        Then the least low/high and the largest high − low: a mean of lows is above the mean of highs times the one,
        and above the mean of highs less the other.
        """
        key = (x, upper, "tails")
        known = self._tables.get(key)
        if known is None:
            k1, k2 = self._steps
            distinct = np.arange(-self.n2 * k2, self.n1 * k1 + 1.0)
            low, high = (self.noise.upper if upper else self.noise.lower)(x - distinct)
            counts = high > 1e-30 * high.max() if high.max() > 0 else high > 0
            ratio = float((low[counts] / high[counts]).min()) if counts.any() else 1.0
            known = np.maximum(high, _TINY), ratio, float((high - low).max())
            self._tables.clear()  # one at a time: they are large
            self._tables[key] = known
        return known

    def _table(self, x: float, upper: bool) -> Floats:
        """The same for each pair of counts."""
        known = self._tables.get((x, upper))
        if known is None:
            tails = self._tails(x, upper)[0]
            k1, k2 = self._steps
            places = np.arange(self.n1 + 1)[:, None] * k1 - np.arange(self.n2 + 1) * k2 + self.n2 * k2
            known = tails[places]
            self._tables[x, upper] = known
        return known

    @property
    def quick(self) -> bool:
        """Whether sums by Fourier transforms pay: many pairs, on a line that is short beside their number."""
        return (self.n1 + 1) * (self.n2 + 1) > max(_FEW_PAIRS, _PAYS * 2 * self.unit)

    def tail(self, x: float, upper: bool, p1: Floats, p2: Floats) -> tuple[Floats, Floats]:
        """P(T ≥ x), or P(T ≤ x), at pairs of proportions, from below and from above."""
        return self._ends(x, upper, p1, p2, fine=True)

    def _ends(self, x: float, upper: bool, p1: Floats, p2: Floats, fine: bool) -> tuple[Floats, Floats]:
        high, _ = self._value(x, upper, p1, p2, False, fine)
        tails, ratio, gap = self._tails(x, upper)
        error, lost = self._error(fine)
        low = np.maximum(high * ratio - 1e-30 * float(tails.max()), high - gap)
        low = np.maximum(low - high * error - lost, 0.0)
        return low, np.minimum(high * (1 + error) + lost, 1.0)

    def _error(self, fine: bool) -> tuple[float, float]:
        """Relative and absolute error of a probability."""
        lost = 0.0 if fine or not self.quick else _FOURIER
        return rows_error(self.n1) + rows_error(self.n2), lost + 2 * (self.n1 + self.n2) * _TINY

    def _value(self, x: float, upper: bool, p1: Floats, p2: Floats, slopes: bool, fine: bool) -> tuple[Floats, Floats]:
        """The probability and its derivative when both proportions grow; ``fine``: with relative accuracy."""
        if not fine and self.quick:
            return self._by_transform(x, upper, p1, p2, slopes)
        table = self._table(x, upper)
        value, slope = np.empty(len(p1)), np.zeros(len(p1))
        rows = max(1, min(_TOGETHER, _ENTRIES // (self.n1 + self.n2)))
        for start in range(0, len(p1), rows):  # neighbours share the counts that have any mass
            part = slice(start, start + rows)
            a, b = p1[part, None], p2[part, None]
            (first, i), (second, j) = some_rows(self.n1, p1[part], _TINY), some_rows(self.n2, p2[part], _TINY)
            inner = table[int(i[0]) : int(i[-1]) + 1, int(j[0]) : int(j[-1]) + 1]
            mixed = first @ inner
            value[part] = np.einsum("ij,ij->i", mixed, second)
            if slopes:
                with np.errstate(all="ignore"):
                    along = (first * ((i - self.n1 * a) / (a * (1 - a)))) @ inner
                    across = second * ((j - self.n2 * b) / (b * (1 - b)))
                    slope[part] = np.einsum("ij,ij->i", along, second) + np.einsum("ij,ij->i", mixed, across)
        return value, slope

    def _by_transform(self, x: float, upper: bool, p1: Floats, p2: Floats, slopes: bool) -> tuple[Floats, Floats]:
        """Σ P(t)·tail(t) over t = k1·i − k2·j as a product of transforms; wrong by less than 1e-11.

        That of a binomial count is (q + p·e^{−iθ})^n, of size {1 − 4pq·sin²(θ/2)}^{n/2}: few angles count.
        """
        tails = self._tails(x, upper)[0]
        (k1, k2), (n1, n2) = self._steps, (self.n1, self.n2)
        length = 1 << (len(tails) - 1).bit_length()
        target = np.conj(np.fft.rfft(np.roll(np.pad(tails, (0, length - len(tails))), -n2 * k2)))
        weights = np.full(len(target), 2.0 / length)
        weights[[0, -1]] /= 2
        target = target * weights
        angles = [2 * math.pi / length * (np.arange(len(target)) * k % length) for k in (k1, k2)]
        squares = [4 * np.sin(angle / 2) ** 2 for angle in angles]
        value, slope = np.empty(len(p1)), np.zeros(len(p1))
        together = max(1, min(_TOGETHER, _ENTRIES // len(target)))
        for start in range(0, len(p1), together):  # neighbours share the angles that count
            part = slice(start, start + together)
            groups = [(p[part], n) for p, n in ((p1, n1), (p2, n2))]
            one, two = (n / 2 * float((p * (1 - p)).min()) * s for (p, n), s in zip(groups, squares))
            near = np.flatnonzero(one + two < -_NOTHING)  # log(1 − u) ≤ −u
            with np.errstate(divide="ignore"):
                one, two = (n / 2 * np.log1p(-(p * (1 - p))[:, None] * s[near]) for (p, n), s in zip(groups, squares))
            logs: Floats = one + two
            row, column = np.nonzero(logs > _NOTHING)
            at = near[column]
            turned = [(p[row], np.exp(-1j * angle[at]), n) for (p, n), angle in zip(groups, angles)]
            ones = [1 - p + p * e for p, e, _ in turned]
            turn = n1 * np.angle(ones[0]) - n2 * np.angle(ones[1])
            terms: Any = np.exp(logs[row, column] + 1j * turn) * target[at]
            size = len(groups[0][0])
            value[part] = np.bincount(row, terms.real, size)
            if slopes:
                first, second = (n * (e - 1) / one for (_, e, n), one in zip(turned, ones))
                slope[part] = np.bincount(row, (terms * (first + np.conj(second))).real, size)
        return np.maximum(value, 0.0), slope

    def worst(
        self,
        x: float,
        upper: bool,
        shift: float,
        common: tuple[float, float],
        limit: float = math.inf,
        most: int = _CELLS,
    ) -> tuple[float, float]:
        """The largest P(T ≥ x) over p2 in ``common`` and p1 = p2 + shift in it too, between two ends.

        limit: stop as soon as it is known on which side of it the largest value lies. most: cells to look at.
        """
        start, end = max(common[0], common[0] - shift), min(common[1], common[1] - shift)
        if start > end:
            return 0.0, 0.0
        fine = not self.quick or limit < _SMALL
        found = self._enclose(x, upper, shift, (start, end), limit, most, fine)
        if not fine and math.isinf(limit) and found[0] < _SMALL:
            return self._enclose(x, upper, shift, (start, end), limit, most, True)
        return found

    def _enclose(
        self, x: float, upper: bool, shift: float, ends: tuple[float, float], limit: float, most: int, fine: bool
    ) -> tuple[float, float]:
        start, end = ends
        edges = np.linspace(start, end, 33) if end > start else np.array([start, end])
        a, b = edges[:-1], edges[1:]
        low, high, count = 0.0, 0.0, 0
        while True:
            seen, tops = self._cells(x, upper, shift, a, b, fine)
            low = max(low, float(seen.max()))
            count += len(a)
            target = max(low * (1 + TOLERANCE), limit if low <= limit < math.inf else 0.0)
            wide = tops > target
            high = max(high, float(tops[~wide].max(initial=0.0)))
            if not wide.any() or (limit < math.inf and low > limit):
                return low, max(high, float(tops[wide].max(initial=0.0)), low)
            if count > most or float((b - a)[wide].max()) < 1e-13:
                return low, max(high, float(tops[wide].max()))
            a, b = a[wide], b[wide]
            middle = (a + b) / 2
            a, b = np.sort(np.concatenate([a, middle])), np.sort(np.concatenate([middle, b]))

    def _cells(self, x: float, upper: bool, shift: float, a: Floats, b: Floats, fine: bool) -> tuple[Floats, Floats]:
        """The probability in the middle of each cell, from below, and a bound over all of it."""
        error, lost = self._error(fine)
        _, ratio, gap = self._tails(x, upper)
        m, r = (a + b) / 2, (b - a) / 2
        p1, p2 = np.clip(m + shift, 0, 1), np.clip(m, 0, 1)
        value, slope = self._value(x, upper, p1, p2, True, fine)
        one, two = (b, a) if upper else (a, b)  # the first group leans towards rejection, the second away from it
        coupled = self._ends(x, upper, np.clip(one + shift, 0, 1), np.clip(two, 0, 1), fine)[1]
        with np.errstate(all="ignore"):
            information = sum(
                n * np.maximum(1 / (u * (1 - u)), 1 / (v * (1 - v)))
                for n, u, v in ((self.n1, a + shift, b + shift), (self.n2, a, b))
            )
            size = self.n1 + self.n2
            steep = size / np.minimum(p2 * (1 - p2), p1 * (1 - p1))  # at least as large as any score
            rough = np.abs(slope) + (8 * error * value + 10 * lost) * steep
            taylor = value * (1 + 2 * error) + lost + r * rough + r * r / 2 * np.sqrt(2 * coupled) * information
        tops = np.fmin(coupled, np.where(np.isfinite(taylor) & (information > 0), taylor, np.inf))
        return np.maximum(np.maximum(value * ratio, value - gap) - value * error - lost, 0.0), tops

    def critical(self, upper: bool, level: float, common: tuple[float, float]) -> float:
        """The first x with P(T ≥ x), or P(T ≤ x), proven to be at most the level at every common proportion.

        First at some proportions, then outwards in steps that grow until the proof succeeds.
        """
        whole, sign = self.noise.step is not None, 1 if upper else -1
        aim = level if whole else level * (1 - TOLERANCE / 2)  # what is left makes the proof easy
        x = self._search(lambda x: self._seen(x, upper, 0.0, common, level < _SMALL) <= aim, upper, whole)
        step = 1.0 if whole else 3e-5 * max(abs(x), self.noise.spread)
        failed = None
        while not self._proven(x, upper, common, level):
            failed, x, step = x, x + sign * step, 2 * step
        while whole and failed is not None and abs(x - failed) > 1:  # steps grew: back to the first that is proven
            middle = failed + sign * (abs(x - failed) // 2)
            failed, x = (failed, middle) if self._proven(middle, upper, common, level) else (middle, x)
        return x

    def _proven(self, x: float, upper: bool, common: tuple[float, float], level: float) -> bool:
        return self.worst(x, upper, 0.0, common, level)[1] <= level

    def limit(self, x: float, upper: bool, share: float, common: tuple[float, float], width: float = 1e-5) -> float:
        """The end of a confidence interval for the difference: beyond it x is proven to lie in a tail of ``share``."""
        reach = common[1] - common[0]
        outer, inner = (-reach, reach) if upper else (reach, -reach)
        if self.worst(x, upper, outer, common, share)[1] > share:
            return outer
        fine = share < _SMALL
        if self._seen(x, upper, inner, common, fine) <= share:
            return inner
        aim = share * (1 - TOLERANCE / 2)
        end = boundary(lambda shift: self._seen(x, upper, shift, common, fine) <= aim, outer, inner, width)
        step = 1e-5
        while abs(end - outer) > step:
            if self.worst(x, upper, end, common, share, _FEW_CELLS)[1] <= share:
                return end
            end, step = end + math.copysign(step, outer - inner), 2 * step
        return outer

    def _seen(self, x: float, upper: bool, shift: float, common: tuple[float, float], fine: bool) -> float:
        """The largest probability at some proportions."""
        start, end = max(common[0], common[0] - shift), min(common[1], common[1] - shift)
        grid = np.linspace(start, max(end, start), 25)
        return float(self._ends(x, upper, np.clip(grid + shift, 0, 1), grid, fine)[1].max())

    def _search(self, keeps: Callable[[float], bool], upper: bool, whole: bool) -> float:
        """The first number, from the middle outwards, at which the level is kept."""
        sign = 1 if upper else -1
        step = max(1.0, self.noise.spread, self.unit / math.sqrt(min(self.n1, self.n2)))
        step = math.ceil(step) if whole else step
        near, far = 0.0, float(sign * step)
        while not keeps(far):
            near, far = far, 2 * far
            if abs(far) > 1e300:
                raise Undefined("No critical value keeps the level: the noise has no tail that is known to end.")
        if keeps(near):
            near = -far  # more than half of all releases reject: a level above one half
            while keeps(near):
                near *= 2
        for _ in range(200):
            if abs(far - near) <= (1 if whole else 1e-7 * (abs(near) + abs(far))):
                break
            middle = near + (far - near) / 2
            middle = math.floor(middle) if whole else middle
            if middle in (near, far):
                break
            near, far = (near, middle) if keeps(middle) else (middle, far)
        return float(far)
