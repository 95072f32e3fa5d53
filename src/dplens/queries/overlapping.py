"""The largest change of overlapping margins, by a search over where the cells of one unit may lie."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import numpy as np

from dplens._validate import Floats

_MOST = 60_000  # arrangements of cells that are compared; they take less than a second


@lru_cache(maxsize=256)
def searched(
    total: int, cap: int, dimensions: tuple[tuple[int, tuple[bool, ...]], ...], replaced: bool
) -> tuple[int, int] | None:
    """The largest L1 and squared L2 norm of the change of several margins; None if there is too much to compare.

    total, cap: the most that one unit adds to the full table, and to one of its cells. dimensions: the number of
    categories of each, and of which margins it is part.

    Claim: these are the exact maxima. Proof: norms are convex in the unit's contribution x (and y, if it is replaced),
    so largest at vertices of what is allowed: some cells hold ``cap``, and at most one holds the rest that makes up
    ``total``. How cells add up in a margin depends only on which of them agree in its dimensions. So it is enough to
    try, for every dimension, all ways to divide the cells into classes that agree, at most as many as it has
    categories, such that no two cells of x agree in all dimensions, nor two of y. Dimensions that are part of the same
    margins count as one.
    """
    merged: dict[tuple[bool, ...], int] = {}
    for size, margins in dimensions:
        merged[margins] = merged.get(margins, 1) * size
    ways = _contributions(total, cap)
    cells = len(ways[-1])
    items = 2 * cells if replaced else cells
    if items > 6:
        return None
    agreeing = [_agreements(items, size) for size in merged.values()]
    if np.prod([float(len(found)) for found in agreeing]) > _MOST:
        return None
    places = np.meshgrid(*(np.arange(len(found)) for found in agreeing), indexing="ij")
    equal = [found[place.ravel()] for found, place in zip(agreeing, places)]
    whole = np.logical_and.reduce(equal)
    margins = [
        np.logical_and.reduce([e for e, part in zip(equal, merged) if part[i]] or [np.ones_like(whole)])
        for i in range(len(next(iter(merged))))
    ]
    best = np.zeros(2)
    for weights in _weights(ways, replaced):
        apart = ~np.logical_or.reduce(
            [whole[:, i, j] for i, j in _pairs(weights, cells)] or [np.zeros(len(whole), bool)]
        )
        if apart.any():
            best = np.maximum(best, _norms([m[apart] for m in margins], weights))
    return int(best[0]), int(best[1])


def _contributions(total: int, cap: int) -> list[list[int]]:
    """The vertices of what one unit may add, by its cells; the last one is the largest."""
    full, rest = divmod(total, cap)
    width = full + (rest > 0)
    found = [[cap] * k + [0] * (width - k) for k in range(full + 1)]
    return [*found, [cap] * full + [rest]] if rest else found


def _weights(ways: list[list[int]], replaced: bool) -> list[Floats]:
    """The signed contributions: one added, or one that leaves and one that enters."""
    if not replaced:
        return [np.array(ways[-1], float)]  # the more, the larger
    return [np.array([*x, *(-v for v in y)], float) for i, x in enumerate(ways) for y in ways[: i + 1]]


def _pairs(weights: Floats, cells: int) -> Iterator[tuple[int, int]]:
    """The pairs of items that must be different cells: those that are added together, or removed together."""
    for start in range(0, len(weights), cells):
        yield from combinations([i for i in range(start, start + cells) if weights[i]], 2)


def _agreements(items: int, most: int) -> np.ndarray:
    """All ways in which items may agree in a dimension of ``most`` categories, as tables of pairs."""

    def labels(done: list[int]) -> Iterator[list[int]]:
        if len(done) == items:
            yield done
            return
        for label in range(min(max(done, default=-1) + 2, most)):
            yield from labels([*done, label])

    found = np.array(list(labels([])))
    return found[:, :, None] == found[:, None, :]


def _norms(margins: list[np.ndarray], weights: Floats) -> Floats:
    """The largest L1 norm and squared L2 norm over the arrangements, of all margins together."""
    l1 = squares = np.zeros(len(margins[0]))
    for same in margins:
        sums = same @ weights  # for each item, the change of the cell of the margin that it is in
        l1 = l1 + np.rint((np.abs(sums) / same.sum(axis=2)).sum(axis=1))
        squares = squares + sums @ weights
    return np.array([l1.max(), squares.max()])
