"""Which of many cases can leak more than what was found already: all cases of an attacker at once, in coarse cells."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.correlated.axes import cut
from dplens.correlated.pairs import Pair
from dplens.curves.base import RISKY
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace

Known = dict[bytes, float]  # epsilon(delta) of pairs that were looked at

_CELLS = 600  # of the outputs, for all cases of an attacker
_FINE = 12_000  # and for the epsilon of one of them
_COARSE = 1e-3  # share of the usual work by which a case is left out
SMALL = 1e-9  # deltas below are lost in the rounding of sums over cells
_MOST = 2e7  # entries of one array
_NARROW = 1e-9  # spans of log-ratios that count as one value
_ROUNDING = 1e-12


def case_epsilon(mechanisms: tuple[Any, ...], block: Any, delta: float, floor: float, known: Known) -> float:
    """The largest epsilon(delta) > ``floor`` of the cases of a block, from the risky side; ``floor`` if there is none.

    A case is left out only if an attacker who knows more than this one, by cells coarser than usual, stays below what
    was found: so none that is worse can be missed.
    """
    possible = block.possible
    pairs = [(a, b) for a in range(possible.shape[1]) for b in range(a + 1, possible.shape[1])]
    cases = [(int(row), a, b) for a, b in pairs for row in np.flatnonzero(possible[:, a] & possible[:, b])]
    if not cases:
        return floor
    total = block.laws.sum(axis=2, keepdims=True)
    laws = block.laws / np.where(total > 0, total, 1.0)
    best, screen = floor, _screen(mechanisms, block.places, laws, cases)

    def pair_of(case: tuple[int, int, int]) -> Pair:
        row, a, b = case
        return Pair.of(mechanisms, (block.places[a], laws[row, a]), (block.places[b], laws[row, b]))

    if screen is None or delta < SMALL:
        for pair in map(pair_of, cases):
            if pair.key in known or _exceeds(pair, best, delta):
                best = max(best, _epsilon(pair, delta, known))
        return best
    left = np.ones(len(cases), dtype=bool)
    bound = screen.profile(best)
    while True:
        bound[~left] = -1.0
        at = int(np.argmax(bound))
        if bound[at] <= delta:
            return best
        left[at] = False
        value = _epsilon(pair_of(cases[at]), delta, known)
        if value > best:
            best, bound = value, screen.profile(value)


def _exceeds(pair: Pair, epsilon: float, delta: float) -> bool:
    """Whether a pair may have more than this epsilon(delta)."""
    coarse = pair.curve(share=_COARSE)
    at = np.array([epsilon])
    return any(float(one.bounded_profile(RISKY, at)[0]) > delta for one in (coarse, coarse.inverse()))


def _epsilon(pair: Pair, delta: float, known: Known) -> float:
    """epsilon(delta) of a pair in its worse direction, from the risky side."""
    key = pair.key
    if key not in known:
        cells = min(_FINE, int(_MOST / len(pair.places)))
        one = _screen(pair.mechanisms, pair.places[None], np.array([[pair.p, pair.q]]), [(0, 0, 1)], cells)
        known[key] = one.epsilon(delta) if one and delta >= SMALL and not pair.same else _of_curve(pair, delta)
    return known[key]


def _of_curve(pair: Pair, delta: float) -> float:
    curve, at = pair.curve(share=0.5), np.array([delta])
    return max(float(one.bounded_epsilon(RISKY, at)[0]) for one in (curve, curve.inverse()))


def _screen(
    mechanisms: tuple[Any, ...], places: Floats, laws: Floats, cases: list[Any], cells: int = _CELLS
) -> _Screen | None:
    """Of places (values or 1, S, releases) and laws (rows, values, S); None where there are no cells for the noise."""
    count = places.shape[0] * places.shape[1]
    noise = mechanisms[0] if len(mechanisms) == 1 else None
    if not isinstance(noise, (Laplace, Gaussian, Geometric, DiscreteGaussian)):
        return None
    axis = cut(noise, places[..., 0].ravel(), cells)
    if max(count, 6 * len(cases)) * axis.count > _MOST:
        return None
    return _Screen(axis, laws, cases)


class _Screen:
    """Masses of the cells in both worlds of every case, and the span of the log-ratio in each."""

    def __init__(self, axis: Any, laws: Floats, cases: list[tuple[int, int, int]]) -> None:
        k = laws.shape[1]
        mass = _by_value(axis.mass, laws)
        row, a, b = np.array(cases).T
        self.p, self.q = (np.empty((len(cases), axis.count)) for _ in range(2))
        low, high = np.full(self.p.shape, np.inf), np.full(self.p.shape, -np.inf)
        worlds = [(v, np.flatnonzero(x == v)) for x in (a, b) for v in range(k)]
        for number, (v, at) in enumerate(worlds):
            (self.p if number < k else self.q)[at] = laws[row[at], v] @ mass[v]
        for log in (axis.left, axis.right):
            height = _by_value(np.exp(log - log.max(axis=0)), laws)
            first, second = np.empty(low.shape), np.empty(low.shape)
            for number, (v, at) in enumerate(worlds):
                (first if number < k else second)[at] = laws[row[at], v] @ height[v]
            with np.errstate(divide="ignore", invalid="ignore"):
                loss = np.log(second) - np.log(first)
            low, high = np.minimum(low, loss), np.maximum(high, loss)  # nan where both are too small for floats
        wide = axis.excess + _ROUNDING * (1 + np.abs(np.nan_to_num(low)))
        self.low, self.high = low - wide, high + wide
        unsure = ~(np.isfinite(self.low) & np.isfinite(self.high)) | axis.open_
        self.low[unsure], self.high[unsure] = -np.inf, np.inf

    def epsilon(self, delta: float) -> float:
        """An upper bound of every case at this delta."""
        low, high = 0.0, 1.0
        while float(self.profile(high).max()) > delta:
            low, high = high, 2 * high
            if high > 700:
                return math.inf
        while high - low > 1e-10 * (1 + high):
            middle = (low + high) / 2
            low, high = (middle, high) if float(self.profile(middle).max()) > delta else (low, middle)
        return high

    def profile(self, epsilon: float) -> Floats:
        """For each case a bound of delta(epsilon) in both directions."""
        return np.maximum(
            profile_of(self.p, self.q, self.low, self.high, epsilon),
            profile_of(self.q, self.p, -self.high, -self.low, epsilon),
        )


def _by_value(array: Floats, laws: Floats) -> Floats:
    """(values, S, cells), for places that each value has for itself or all of them share."""
    split = array.reshape(-1, laws.shape[2], array.shape[1])
    return np.broadcast_to(split, (laws.shape[1], *split.shape[1:]))


def profile_of(p: Floats, q: Floats, low: Floats, high: Floats, epsilon: float) -> Floats:
    """Σ over cells of the largest ∫(dq − e^eps·dp)⁺ with log-ratios inside the span: the masses at its two ends."""
    out = np.maximum(q - np.exp(min(epsilon, 700.0)) * p, 0.0)
    out[high <= epsilon] = 0.0
    at = (low < epsilon) & (epsilon < high)
    lo, hi, mass = low[at], high[at], q[at]
    with np.errstate(over="ignore", invalid="ignore"):
        share = -np.expm1(epsilon - hi) / -np.expm1(np.minimum(lo - hi, -_NARROW))
        split = np.maximum(mass - np.exp(lo) * p[at], 0.0) * share
    out[at] = np.clip(np.nan_to_num(split, nan=np.inf, posinf=np.inf), out[at], mass) + _NARROW * mass
    return out.sum(axis=1) * (1 + _ROUNDING) + 1e-14
