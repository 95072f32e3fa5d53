"""Binomial masses, and tail probabilities of the noisy difference of two counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dplens._validate import Floats
from dplens.analyst.laws.tails import TailLaw, bracket
from dplens.errors import Undefined
from dplens.numerics.roots import boundary, crossing
from dplens.numerics.sharing import Memo, Shared, latest, remembered

Row = tuple[int, Floats]

_MOST_RECORDS = 2_000_000  # in both groups; sums over more counts take minutes
_TINY = 1e-60  # masses and tails below are dropped: arithmetic with subnormal floats is slow
TOLERANCE = 1e-3  # relative width of the enclosure of the maximum
_NODES = 16  # Chebyshev nodes in a cell


def masses_error(n: int) -> float:
    """Relative error of binomial masses, measured against 60 digits for up to 10^9 trials."""
    return 4e-13 + 2e-14 * math.sqrt(n)


def binomial_masses(n: int, p: float, least: float = 1e-340) -> Row:
    """(start, masses): P(X = start), P(X = start + 1), … for X ~ Bin(n, p), without tails of less than ``least``.

    The mass beyond t on either side is at most e^{−t²/(2·var + 2t/3)} (Bernstein). Masses are products of the ratios of
    neighbours, normalised to sum 1.
    """
    if p <= 0 or p >= 1:
        return (0 if p <= 0 else n), np.ones(1)
    third = -math.log(least) / 3 if least > 1e-300 else 262.0
    reach = third + math.sqrt(third * third + 6 * third * n * p * (1 - p))
    low, high = max(0, math.floor(n * p - reach)), min(n, math.ceil(n * p + reach))
    middle = min(max(math.floor((n + 1) * p), low), high)
    k = np.arange(low, high + 1.0)
    with np.errstate(under="ignore"):
        up = (n - k[middle - low : -1]) / k[middle - low + 1 :] * (p / (1 - p))
        down = k[1 : middle - low + 1] / (n - k[: middle - low]) * ((1 - p) / p)
        shape = np.concatenate([np.cumprod(down[::-1])[::-1], [1.0], np.cumprod(up)])
        return low, shape / shape.sum()


@dataclass(frozen=True, eq=False)
class TwoCounts(Shared):
    """Counts X1 ~ Bin(n1, p1), X2 ~ Bin(n2, p2), and T = X1·k1 − X2·k2 + W with k1 = n2/g, k2 = n1/g, g = gcd.

    T is the difference of the proportions times n1·n2/g, an integer without noise, so that ties are exact. noise: the
    law of W. masses: for whole-number noise on each count, or none, those of −r … r; missing: what they may leave out.
    """

    n1: int
    n2: int
    noise: TailLaw
    masses: Floats | None = None
    missing: float = 0.0
    _rows = Memo()

    def __post_init__(self) -> None:
        many = self.n1 + self.n2 > _MOST_RECORDS
        if many or (self.masses is None and self.unit > 4_000_000):
            raise Undefined(
                f"Two groups of {self.n1} and {self.n2} have too many pairs of counts to look at one by one. Use "
                "dplens.TwoMeansTest with sd = 0.5, whose normal law is close for groups of this size"
                + ("." if many else ", or group sizes with a large common divisor.")
            )

    @property
    def unit(self) -> int:
        """n1·n2/g: one unit of T is 1/``unit`` in the difference of proportions."""
        return self.n1 * self.n2 // math.gcd(self.n1, self.n2)

    @property
    def _steps(self) -> tuple[int, int]:
        """k1 and k2: the change of T per count in either group."""
        g = math.gcd(self.n1, self.n2)
        return self.n2 // g, self.n1 // g

    def _tails(self, x: float, upper: bool) -> tuple[Floats, float, float]:
        """Upper ends of P(W ≥ x − t), or P(W ≤ x − t), at every value t between the extremes of the counts.

        Also the smallest low/high and the largest high − low: any mean of the lower ends is at least the mean of the
        upper ends times the former, and at least that mean minus the latter. Only the latest tables are kept.
        """

        def make() -> tuple[Floats, float, float]:
            low, high = self.noise.tail(x - np.arange(-self.unit, self.unit + 1.0), 1 if upper else -1)
            positive = high > _TINY
            ratio = float((low[positive] / high[positive]).min()) if positive.any() else 1.0
            return np.maximum(high, _TINY), ratio, float((high - low).max())

        return latest(self, "_latest", (x, upper), make)

    @property
    def quick(self) -> bool:
        """Whether Fourier transforms are faster than sums over pairs: there are many pairs, but few different sums.

        Sums along one count, if available, are faster still.
        """
        return self.masses is None and (self.n1 + 1) * (self.n2 + 1) > max(40_000, 40 * self.unit)

    def tail(self, x: float, upper: bool, p1: Floats, p2: Floats) -> tuple[Floats, Floats]:
        """Both ends of P(T ≥ x), or P(T ≤ x), at pairs of proportions."""
        if self.masses is not None:
            high, ratio, gap = self._along(x, upper, p1, p2, self.masses), 1.0, 0.0
        else:
            tails, ratio, gap = self._tails(x, upper)
            high = (self._by_transform if self.quick else self._by_pairs)(tails, p1, p2)
        error, lost = self.error()
        low = np.maximum(high * ratio - _TINY, high - gap)
        low = np.maximum(low - high * error - lost, 0.0)
        return low, np.minimum(high * (1 + error) + lost, 1.0)

    def error(self) -> tuple[float, float]:
        """Relative and absolute error of a probability."""
        if self.masses is not None:
            terms = self.n1 + self.n2 + 4 * len(self.masses)
            return 4e-12 + 2e-15 * terms, 2 * self.missing + 2 * terms * _TINY
        lost = 1e-11 if self.quick else 0.0  # of transforms
        return masses_error(self.n1) + masses_error(self.n2), lost + 2 * (self.n1 + self.n2) * _TINY

    def _along(self, x: float, upper: bool, p1: Floats, p2: Floats, noise: Floats) -> Floats:
        """P(A·k1 − B·k2 ≥ x), or P(… ≤ x), for an integer x and noisy counts A and B, summed along A.

        A·k1 − B·k2 ≥ x means B ≤ (k1·A − x)/k2, so it is Σ P(A = a)·P(B ≤ ⌊(k1·a − x)/k2⌋), with one term per value of
        A. All terms are positive, so sums keep their relative accuracy.
        """
        k1, k2 = self._steps
        value = np.empty(len(p1))
        for at, (p, q) in enumerate(zip(p1.tolist(), p2.tolist())):
            (start, a), (first, b) = self._row(self.n1, p, noise), self._row(self.n2, q, noise)
            far = k1 * (start + np.arange(len(a))) - int(x)
            if upper:  # j ≤ far/k2: the number of masses from the first on
                many, sums = far // k2 - first + 1, np.cumsum(b)
            else:  # j ≥ far/k2: the number of masses up to the last
                many, sums = first + len(b) + far // -k2, np.cumsum(b[::-1])
            value[at] = a @ np.concatenate([[0.0], sums])[np.clip(many, 0, len(b))]
        return np.minimum(value, 1.0)

    def _row(self, n: int, p: float, noise: Floats) -> Row:
        """(start, masses) of a noisy count; up to four million masses are kept for other x."""

        def make() -> Row:
            start, masses = binomial_masses(n, p, _TINY)
            return (start - len(noise) // 2, np.convolve(masses, noise)) if len(noise) > 1 else (start, masses)

        most = max(4_000_000 // (max(self.n1, self.n2) + len(noise)), 2)
        return remembered(self._rows, (n, p), make, most)

    def _by_pairs(self, tails: Floats, p1: Floats, p2: Floats) -> Floats:
        """Σ P(i)·P(j)·tail(k1·i − k2·j) over pairs of counts, with the tails of all pairs as a strided view."""
        (k1, k2), size, value = self._steps, tails.itemsize, np.empty(len(p1))
        for at, (p, q) in enumerate(zip(p1.tolist(), p2.tolist())):
            (i, a), (j, b) = binomial_masses(self.n1, p, _TINY), binomial_masses(self.n2, q, _TINY)
            shape, strides = (len(a), len(b)), (k1 * size, -k2 * size)
            table = np.lib.stride_tricks.as_strided(
                tails[self.unit + k1 * i - k2 * j :], shape, strides, writeable=False
            )
            value[at] = a @ table @ b
        return value

    def _by_transform(self, tails: Floats, p1: Floats, p2: Floats) -> Floats:
        """Σ P(t)·tail(t) over t = k1·i − k2·j, from the transforms of both laws, with an error below 1e-11.

        The masses that are left out sum to less than 1e-12; rounding in the transforms was measured at 1e-14.
        """
        from scipy.signal import fftconvolve

        (k1, k2), value = self._steps, np.empty(len(p1))
        for at, (p, q) in enumerate(zip(p1.tolist(), p2.tolist())):
            (i, a), (j, b) = binomial_masses(self.n1, p, 1e-13), binomial_masses(self.n2, q, 1e-13)
            first, second = np.zeros(k1 * (len(a) - 1) + 1), np.zeros(k2 * (len(b) - 1) + 1)
            first[::k1], second[::k2] = a, b[::-1]
            masses = fftconvolve(first, second)
            start = self.unit + k1 * i - k2 * (j + len(b) - 1)
            value[at] = masses @ tails[start : start + len(masses)]
        return np.maximum(value, 0.0)

    def worst(
        self,
        x: float,
        upper: bool,
        shift: float,
        common: tuple[float, float],
        limit: float = math.inf,
        most: int = 4_000,
    ) -> tuple[float, float]:
        """Both ends of the largest P(T ≥ x) over p2 and p1 = p2 + shift, both in ``common``.

        limit: stop once it is clear on which side of it the maximum lies. most: the number of cells to evaluate.

        This probability U is bounded for every p = p2, not at an estimate, in cells [m − r, m + r]:

        * Coupling. Within a cell the first count is stochastically at most that of the largest proportion and the
          second at least that of the smallest, so U is at most the probability with these two.
        * Interpolation. U is evaluated at N Chebyshev nodes, and the polynomial through them is off by at most
          r^N/(2^{N−1}·N!)·max|U^{(N)}|. The likelihood of each record is linear in p, with score s_i =
          (x_i − p_i)/(p_i·q_i): U^{(N)} = N!·E[f·e_N(s)] for the probability f of rejection given the data and the
          elementary symmetric polynomial e_N. Its terms are uncorrelated: E[e_N²] ≤ I^N/N! with I = Σ 1/(p_i·q_i). As
          f² ≤ f, |U^{(N)}| ≤ √(U·N!·I^N) (Cauchy–Schwarz). A polynomial of degree d, minus any constant, is at most its
          largest modulus at M Chebyshev nodes divided by cos(d·π/(2M)) (Ehlich & Zeller 1964).

        The smaller of the two bounds is used. Cells are halved until the bound is close to the largest value found.
        """
        start, end = max(common[0], common[0] - shift), min(common[1], common[1] - shift)
        if start > end:
            return 0.0, 0.0
        a, b = _first_cells(self, shift, start, end)
        low, top, high, count = 0.0, 0.0, 0.0, 0  # the largest values found, the proven bound
        _, lost = self.error()
        while True:
            middle = np.clip((a + b) / 2, 0, 1)
            seen = self.tail(x, upper, np.clip(middle + shift, 0, 1), middle)
            low, top = max(low, float(seen[0].max())), max(top, float(seen[1].max()))
            count += len(a)
            target = top * (1 + TOLERANCE) + 16 * lost if math.isinf(limit) else limit
            seen, tops = _cells(self, x, upper, shift, a, b, target)
            low, top = max(low, seen[0]), max(top, seen[1])
            wide = tops > target
            high = max(high, float(tops[~wide].max(initial=0.0)))
            if not wide.any() or top > limit * (1 - 1e-6) or count > most or float((b - a)[wide].max()) < 1e-13:
                return low, max(high, float(tops[wide].max(initial=0.0)), low)
            a, b = a[wide], b[wide]
            middle = (a + b) / 2
            a, b = np.sort(np.concatenate([a, middle])), np.sort(np.concatenate([middle, b]))

    def critical(self, upper: bool, level: float, common: tuple[float, float]) -> float:
        """The first x with P(T ≥ x), or P(T ≤ x), proven to be at most the level at every common proportion.

        Starts from a grid of proportions and moves outwards in growing steps until the proof succeeds. Without a
        lattice it aims a little below the level, which makes the proof easy.
        """
        sign, whole = 1 if upper else -1, self.noise.step is not None
        aim = level if whole else max(level * (1 - TOLERANCE / 2) - 16 * self.error()[1], level / 2)

        def excess(x: float) -> float:
            return math.log(max(self.largest_on_grid(x, upper, 0.0, common), 5e-324) / aim)

        typical = max(1.0, self.noise.scale, self.unit / math.sqrt(min(self.n1, self.n2)))
        near, x = bracket(excess, sign, math.ceil(typical))
        while whole and abs(x - near) > 1:
            middle = near + (x - near) // 2
            near, x = (near, middle) if excess(middle) <= 0 else (middle, x)
        if not whole:
            x = crossing(excess, near, x, 1e-6)
        step, failed = 1.0 if whole else 3e-5 * max(abs(x), self.noise.scale), None
        while not self.proven(x, upper, common, level):
            failed, x, step = x, x + sign * step, 2 * step
        while whole and failed is not None and abs(x - failed) > 1:  # steps grew: bisect back
            middle = failed + sign * (abs(x - failed) // 2)
            failed, x = (failed, middle) if self.proven(middle, upper, common, level) else (middle, x)
        return x

    def proven(self, x: float, upper: bool, common: tuple[float, float], level: float) -> bool:
        """Whether P(T ≥ x), or P(T ≤ x), is proven to be at most the level at every common proportion."""
        return self.worst(x, upper, 0.0, common, level)[1] <= level

    def limit(self, x: float, upper: bool, share: float, common: tuple[float, float], width: float = 1e-5) -> float:
        """The end of a confidence interval for the difference; beyond it x provably lies in a tail of ``share``."""
        reach = common[1] - common[0]
        outer, inner = (-reach, reach) if upper else (reach, -reach)
        if self.worst(x, upper, outer, common, share)[1] > share:
            return outer
        if self.largest_on_grid(x, upper, inner, common) <= share:
            return inner
        aim = share * (1 - TOLERANCE / 2)
        end = boundary(lambda shift: self.largest_on_grid(x, upper, shift, common) <= aim, outer, inner, width)
        step = 1e-5
        while abs(end - outer) > step:
            if self.worst(x, upper, end, common, share, 1_000)[1] <= share:
                return end
            end, step = end + math.copysign(step, outer - inner), 2 * step
        return outer

    def largest_on_grid(
        self, x: float, upper: bool, shift: float, common: tuple[float, float], points: int = 25
    ) -> float:
        """The largest probability on a grid of proportions."""
        start, end = max(common[0], common[0] - shift), min(common[1], common[1] - shift)
        grid = np.linspace(start, max(end, start), points)
        return float(self.tail(x, upper, np.clip(grid + shift, 0, 1), grid)[1].max())


def _first_cells(pair: TwoCounts, shift: float, start: float, end: float) -> tuple[Floats, Floats]:
    """Cells with about the same r·√I, narrow near 0 and 1."""
    if not end > start:
        return np.array([start]), np.array([end])
    angles = np.arcsin(np.sqrt(np.clip([start, end, start + shift, end + shift], 0.0, 1.0)))
    parts = 2 + math.ceil(0.35 * math.sqrt(pair.n1 + pair.n2) * max(np.diff(angles)[[0, 2]]))
    edges = np.sin(np.linspace(angles[0], angles[1], parts + 1)) ** 2
    edges[0], edges[-1] = start, end
    return edges[:-1], edges[1:]


def _cells(
    pair: TwoCounts, x: float, upper: bool, shift: float, a: Floats, b: Floats, target: float
) -> tuple[tuple[float, float], Floats]:
    """Both ends of the largest probability found, and a bound for each cell, refined if above the target."""
    # coupling: the endpoints of the cell that make rejection likeliest
    one, two = (b, a) if upper else (a, b)
    tops = pair.tail(x, upper, np.clip(one + shift, 0, 1), np.clip(two, 0, 1))[1]
    m, r = (a + b) / 2, (b - a) / 2
    with np.errstate(all="ignore"):
        information = sum(
            n * np.maximum(1 / (u * (1 - u)), 1 / (v * (1 - v)))
            for n, u, v in ((pair.n1, a + shift, b + shift), (pair.n2, a, b))
        )
        remainder = (r * np.sqrt(information)) ** _NODES / (math.sqrt(math.factorial(_NODES)) * 2 ** (_NODES - 1))
        smooth = (tops > target) & (information > 0) & (remainder < 0.1 * np.sqrt(tops))  # else interpolation fails
    if not smooth.any():
        return (0.0, 0.0), tops
    nodes, basis, worse = _interpolation()
    places = m[smooth, None] + r[smooth, None] * nodes
    flat = np.clip(places, 0, 1).ravel()
    ends = pair.tail(x, upper, np.clip(flat + shift, 0, 1), flat)
    between = ends[1].reshape(places.shape) @ basis  # of upper ends, hence twice the error
    most, least, largest = between.max(axis=1), between.min(axis=1), ends[1].reshape(places.shape).max(axis=1)
    error, lost = pair.error()
    rounding = 8 * (largest * error + lost) + 1e-14 * largest
    sums = (most + least) / 2 + (most - least) / 2 * worse + rounding
    for _ in range(6):  # each bound makes the remainder smaller
        tops[smooth] = np.minimum(tops[smooth], sums + np.sqrt(tops[smooth]) * remainder[smooth])
    return (float(ends[0].max()), float(ends[1].max())), tops


@lru_cache(maxsize=1)
def _interpolation(samples: int = 1024) -> tuple[Floats, Floats, float]:
    """Chebyshev nodes in [−1, 1], the matrix from values there to ``samples`` values, and the factor for the gaps."""
    from numpy.polynomial.chebyshev import chebpts1, chebvander

    nodes = chebpts1(_NODES)
    # the polynomial through the values is Σ c_k·T_k, c_k = (2 − [k = 0])/N·Σ value·T_k(node)
    coefficients = chebvander(nodes, _NODES - 1) * (2.0 / _NODES)
    coefficients[:, 0] /= 2
    worse = 1 / math.cos((_NODES - 1) * math.pi / (2 * samples))
    return nodes, coefficients @ chebvander(chebpts1(samples), _NODES - 1).T, worse
