"""Linear systems in extended precision: tuples that nearly determine each other leave little of their variances."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dplens._validate import Floats

Long = npt.NDArray[np.longdouble]

_STEPS = 3  # of refinement; each gains the digits that the matrix leaves to a float


def solved(matrix: Floats, right: Floats) -> Long:
    """matrix⁻¹·right of a covariance matrix, by solutions in floats of what is left over in extended precision."""
    sd = np.exp2(np.round(np.log2(np.diag(matrix)) / 2))  # powers of two: no unit hides another, and nothing is rounded
    unit = matrix / np.outer(sd, sd)
    goal = (right / sd[:, None]).astype(np.longdouble)
    exact = unit.astype(np.longdouble)
    found = np.zeros_like(goal)
    for _ in range(_STEPS):
        found = found + np.linalg.solve(unit, (goal - exact @ found).astype(float))
    return found / sd[:, None]


def cholesky(matrix: Long) -> Long:
    """L with L·Lᵀ = matrix; directions without variance become 0."""
    rest, out = matrix.copy(), np.zeros_like(matrix)
    for k in range(len(matrix)):
        if rest[k, k] > 0:
            out[k:, k] = rest[k:, k] / np.sqrt(rest[k, k])
            rest[k:, k:] -= np.outer(out[k:, k], out[k:, k])
    return out
