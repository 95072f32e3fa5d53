"""Simulated errors of tables whose margins are adjusted to each other."""

from __future__ import annotations

import math

import numpy as np

from dplens._validate import Floats
from dplens.analyst.laws.noise import Noise
from dplens.analyst.laws.simulation import SimulatedEstimate, share_bracket
from dplens.errors import Undefined
from dplens.queries.base import Query
from dplens.queries.processing import NonNegative, Rounding
from dplens.queries.tables import Table

_DRAWS, _CHUNK = 100_000, 2_000
_LARGEST = 1_000_000  # entries of the matrix of sums


def simulated_share(query: Query, noise: Noise, margin: float, *, every: bool) -> SimulatedEstimate:
    """How often errors after adjustment, and rounding, are at most the margin: all of them, or the worst single one.

    The noise is drawn from a fixed seed, so that an answer can be repeated. Rounding is counted by half its base;
    negative results are left as they are, which does not lower errors.
    """
    if not isinstance(query, Table):
        raise Undefined("Only the margins of a Table can be adjusted to each other.")
    step = sum(float(p.base) / 2 for p in query.processing if isinstance(p, Rounding))
    project, rng = _projection(query), np.random.default_rng(20)
    hits = np.zeros(1 if every else query.size, int)
    for _ in range(_DRAWS // _CHUNK):
        errors = np.abs(project @ noise.draw(rng, (query.size, _CHUNK))) + step
        within = errors <= margin * (1 + 1e-12)
        hits += within.all(axis=0).sum() if every else within.sum(axis=1)
    worst = int(hits.min())
    low, high = share_bracket(worst, _DRAWS, 1e-3 / len(hits))  # any of the numbers may look like the worst by chance
    note = ""
    if any(isinstance(p, (NonNegative, Rounding)) for p in query.processing):
        high, note = 1.0, "a lower bound: errors are simulated before they are rounded or made non-negative"
    return SimulatedEstimate(low, low=low, high=high, point=worst / _DRAWS, draws=_DRAWS, note=note)


def _projection(table: Table) -> Floats:
    """The orthogonal projection on the published tables that add up: those that some full table makes."""
    sizes = list(table.dimensions.values())
    full = math.prod(sizes)
    if table.size * full > _LARGEST:
        raise Undefined(
            "The table is too large for a simulation of adjusted margins. Use Gaussian noise, for which a bound is "
            "known, or state the requirement without ConsistentMargins."
        )
    labels = np.indices(sizes).reshape(len(sizes), full)
    names, rows = list(table.dimensions), []
    for margin in table.margins:
        where = [names.index(name) for name in margin]
        cells = (
            np.ravel_multi_index([labels[i] for i in where], [sizes[i] for i in where])
            if where
            else np.zeros(full, int)
        )
        rows.append(np.eye(table.shapes[margin])[:, cells])
    sums = np.vstack(rows)
    basis, lengths, _ = np.linalg.svd(sums, full_matrices=False)
    kept = basis[:, lengths > 1e-9 * lengths[0]]
    return kept @ kept.T
