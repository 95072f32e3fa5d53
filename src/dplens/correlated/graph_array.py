"""The full search over Li's graph with all edges in one array: a layer at a time, all nodes of it at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dplens._validate import Floats


@dataclass(frozen=True)
class Walked:
    """values[target, code of what is known], nan where there is no node."""

    values: Floats

    @property
    def count(self) -> int:
        """How many nodes there are."""
        return int(np.count_nonzero(~np.isnan(self.values)))

    @property
    def worst(self) -> tuple[float, int, tuple[int, ...]]:
        """The largest value with its target and known tuples; of equal ones the one that knows most."""
        n = len(self.values)
        best = float(np.nanmax(self.values))
        targets, codes = np.nonzero(self.values == best)  # nan equals nothing
        at = int(np.argmax(_sizes(n)[codes]))
        return best, int(targets[at]), tuple_of(int(codes[at]), n)

    @property
    def by_known(self) -> tuple[float, ...]:
        """The largest value by number of known tuples, 0 … n − 1."""
        n = len(self.values)
        sizes = _sizes(n)
        return tuple(float(np.nanmax(self.values[:, sizes == m])) for m in range(n))


def code_of(known: tuple[int, ...]) -> int:
    """A set of tuples as a number: tuple k stands for 2^k."""
    return sum(1 << k for k in known)


def tuple_of(code: int, n: int) -> tuple[int, ...]:
    """The set of tuples that a number stands for."""
    return tuple(k for k in range(n) if code >> k & 1)


def _sizes(n: int) -> npt.NDArray[np.int64]:
    codes = np.arange(2**n)
    return np.sum([codes >> k & 1 for k in range(n)], axis=0)


def walked(base: Floats, edges: Floats) -> Walked:
    """The chain rule of Li et al. 2019 (Algorithm 1) on edges[target, unlearned, code of what is still known]."""
    n = len(base)
    codes, sizes = np.arange(2**n), _sizes(n)
    steps = edges.transpose(1, 2, 0)  # all targets of an edge together
    values = np.full((2**n, n), np.nan)
    everything = 2**n - 1
    for i in range(n):
        values[everything ^ (1 << i), i] = base[i]
    for m in range(n - 2, -1, -1):
        layer = codes[sizes == m]
        best = np.full((len(layer), n), np.inf)
        for j in range(n):
            at = np.flatnonzero(layer >> j & 1 == 0)
            found = values[layer[at] | 1 << j]  # nan where there is no node
            found += steps[j, layer[at]]
            np.abs(found, out=found)
            best[at] = np.fmin(best[at], found)
        best[np.isinf(best)] = np.nan
        values[layer] = best
    return Walked(values.T)
