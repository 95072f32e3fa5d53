"""Two mixtures of Laplace laws: the largest log-ratio, exactly, whatever the number of places."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from dplens.correlated.axes import whole
from dplens.correlated.places import merging_error
from dplens.curves.base import Floats
from dplens.mechanisms.additive import Geometric

_ROWS = 4_000_000  # cases × places worked on at once


def log_sums(places: Floats, logs: Floats) -> tuple[Floats, Floats]:
    """Running exponential sums of mixtures at sorted ``places`` (in units of the scale), in logs.

    ``logs``: log-masses (…, m). The first is log Σ_{j ≤ k} m_j·e^{s_j − s_k}, the second log Σ_{j ≥ k} m_j·e^{s_k −
    s_j}.
    """
    up = np.logaddexp.accumulate(logs + places, axis=-1) - places
    down = np.logaddexp.accumulate((logs - places)[..., ::-1], axis=-1)[..., ::-1] + places
    return up, down


def log_densities(places: Floats, logs: Floats) -> Floats:
    """log Σ_j m_j·e^{−|s_k − s_j|} at every place: the density of the output there, times twice the scale."""
    up, down = log_sums(places, logs)
    if logs.shape[-1] == 1:
        return up
    before = np.full_like(up, -np.inf)
    before[..., 1:] = up[..., :-1] - np.diff(places)
    return np.logaddexp(before, down)


def extreme_losses(places: Floats, first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """The largest log-ratio of the ``second`` mixture to the ``first``, and of the first to the second.

    ``first``, ``second``: log-masses (…, m) at the same sorted ``places`` in units of the scale.

    Between neighbouring places both densities are A·e^{−r} + B·e^{r}: their ratio is a Möbius function of e^{2r},
    hence monotone; beyond the outermost places it is constant. The supremum is therefore attained at a place
    (``docs/decisions/0008-correlated-records.md``). Rounding: below 4e-16·(m + range/scale), in logs.
    """
    loss = log_densities(places, second) - log_densities(places, first)
    return np.max(loss, axis=-1), np.max(-loss, axis=-1)


def rounding_of(places: Floats) -> float:
    """Absolute error of a log-density at the places."""
    return 4e-16 * (8 + len(places) ** 0.5 + 2 * float(np.max(np.abs(places), initial=0.0)))


def block_leakage(mechanism: Any, block: Any, chosen: tuple[int, int] | None = None) -> tuple[float, float]:
    """The largest log-ratio over rows and pairs of values that are possible in a row, and its absolute error.

    Geometric noise: the densities of Laplace noise at whole numbers are its masses up to a constant, so the same holds.
    """
    values = range(block.laws.shape[1])
    best, error = 0.0, 0.0
    for pair in [chosen] if chosen else itertools.combinations(values, 2):
        rows = np.flatnonzero(block.possible[:, pair].all(axis=1))
        step = max(1, _ROWS // (2 * block.places.shape[1]))
        for start in range(0, len(rows), step):
            places, laws = block.joined(pair, rows[start : start + step])
            sums = whole(places[:, 0], "Geometric") if isinstance(mechanism, Geometric) else places[:, 0]
            units = (sums - sums[0]) / mechanism.scale
            moved = 2 * merging_error(float(np.max(np.abs(sums)))) / mechanism.scale
            error = max(error, rounding_of(units) + moved)
            with np.errstate(divide="ignore"):
                logs = np.log(laws)
            up, down = extreme_losses(units, logs[:, 0], logs[:, 1])
            best = max(best, float(up.max()), float(down.max()))
    return best, error
