"""The largest leakage over many cases at once, for Laplace and geometric noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from dplens.correlated.axes import whole
from dplens.correlated.laplace_mixtures import extreme_losses, rounding_of
from dplens.correlated.places import gathered, merged, merging_error
from dplens.mechanisms.additive import Geometric

_BLOCK = 4_000_000


def block_leakage(mechanism: Any, block: Any, chosen: tuple[int, int] | None = None) -> tuple[float, float]:
    """The largest log-ratio over rows and pairs of values that are possible in a row, and its absolute error.

    Geometric noise: the densities of Laplace noise at whole numbers are its masses up to a constant, so the same holds.
    """
    count = block.laws.shape[1]
    pairs = [chosen] if chosen else [(a, b) for a in range(count) for b in range(a + 1, count)]
    possible = block.possible
    best, error = 0.0, 0.0
    for a, b in pairs:
        rows = np.flatnonzero(possible[:, a] & possible[:, b])
        if not len(rows):
            continue
        both = np.concatenate([block.places[a], block.places[b]])[:, :1]
        if isinstance(mechanism, Geometric):
            both = whole(both, "Geometric")
        places, inverse = merged(both)
        units = (places[:, 0] - places[0, 0]) / mechanism.scale
        moved = 2 * merging_error(float(np.max(np.abs(both)))) / mechanism.scale
        error = max(error, rounding_of(units) + moved)
        size = len(block.places[a])
        step = max(1, _BLOCK // max(len(places), 1))
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            logs = []
            for v, index in ((a, inverse[:size]), (b, inverse[size:])):
                full = np.zeros((len(some), len(places)))
                law = block.laws[some, v]
                share = law / law.sum(axis=1, keepdims=True)
                reached, first = np.unique(index, return_inverse=True)
                full[:, reached] = gathered(share, first, len(reached))
                with np.errstate(divide="ignore"):
                    logs.append(np.log(full))
            up, down = extreme_losses(units, logs[0], logs[1])
            best = max(best, float(up.max()), float(down.max()))
    return best, error
