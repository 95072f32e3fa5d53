"""Which of many cases can leak more than what was found already: all cases of an attacker at once, in coarse cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.correlated.axes import cut
from dplens.correlated.lattice_cells import CellTests
from dplens.correlated.pairs import Pair
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace

Known = dict[bytes, float]  # epsilon(delta) of pairs that were looked at

_CELLS = 600  # of the outputs, for all cases of an attacker
_FINE = 12_000  # and for the epsilon of one of them
_COARSE = 1e-3  # share of the usual work by which a case is left out
SMALL = 1e-9  # deltas below are lost in the rounding of sums over cells
_MOST = 2e7  # entries of one array
_CLOSE = 1e-10  # how closely an epsilon is searched


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
    bound = _largest(screen, best)
    while True:
        bound[~left] = -1.0
        at = int(np.argmax(bound))
        if bound[at] <= delta:
            return best
        left[at] = False
        value = _epsilon(pair_of(cases[at]), delta, known)
        if value > best:
            best, bound = value, _largest(screen, value)


def _exceeds(pair: Pair, epsilon: float, delta: float) -> bool:
    """Whether a pair may have more than this epsilon(delta)."""
    coarse = pair.curve(share=_COARSE)
    at = np.array([epsilon])
    return any(float(one.profile_bounds(at).hi[0]) > delta for one in (coarse, coarse.inverse()))


def _epsilon(pair: Pair, delta: float, known: Known) -> float:
    """epsilon(delta) of a pair in its worse direction, from the risky side."""
    key = pair.key
    if key not in known:
        cells = min(_FINE, int(_MOST / len(pair.places)))
        one = _screen(pair.mechanisms, pair.places[None], np.array([[pair.p, pair.q]]), [(0, 0, 1)], cells)
        known[key] = (
            one.epsilon(delta, 0.0, _CLOSE) if one and delta >= SMALL and not pair.same else _of_curve(pair, delta)
        )
    return known[key]


def _of_curve(pair: Pair, delta: float) -> float:
    curve, at = pair.curve(share=0.5), np.array([delta])
    return max(float(one.epsilon_bounds(at).hi[0]) for one in (curve, curve.inverse()))


def _largest(screen: CellTests, epsilon: float) -> Floats:
    """A bound of delta(epsilon) of each case, in its worse direction."""
    return screen.profile(epsilon).reshape(2, -1).max(axis=0)


def _screen(
    mechanisms: tuple[Any, ...], places: Floats, laws: Floats, cases: list[Any], cells: int = _CELLS
) -> CellTests | None:
    """Of places (values or 1, S, releases) and laws (rows, values, S); None where there are no cells for the noise."""
    count = places.shape[0] * places.shape[1]
    noise = mechanisms[0] if len(mechanisms) == 1 else None
    if not isinstance(noise, (Laplace, Gaussian, Geometric, DiscreteGaussian)):
        return None
    axis = cut(noise, places[..., 0].ravel(), cells)
    if max(count, 6 * len(cases)) * axis.count > _MOST:
        return None
    row, *worlds = np.array(cases).T

    def seen(kernel: Floats) -> Floats:
        """(2, cases, cells): what the laws of each case, in both its worlds, make of it."""
        split = kernel.reshape(-1, laws.shape[2], axis.count)  # places that each value has for itself, or all share
        split = np.broadcast_to(split, (laws.shape[1], *split.shape[1:]))
        out = np.empty((2, len(cases), axis.count))
        for world, values in enumerate(worlds):
            for v in range(laws.shape[1]):
                at = np.flatnonzero(values == v)
                out[world, at] = laws[row[at], v] @ split[v]
        return out

    with np.errstate(divide="ignore", invalid="ignore"):  # nan where both are too small for floats
        heights = (np.log(seen(np.exp(log - log.max(axis=0)))) for log in (axis.left, axis.right))
        ends = [second - first for first, second in heights]
    gap, (p, q) = np.where(axis.open_, np.inf, axis.excess), seen(axis.mass)
    return CellTests.of(p, q, ends, gap, gap).both()
