"""Plausible deniability of one output."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens.errors import Undefined
from dplens.mechanisms.additive import Gaussian, Laplace


def deniability(
    mechanism: Any, *, output: npt.ArrayLike, candidates: npt.ArrayLike, gamma: float, true: int | None = None
) -> int:
    """The largest k for which the output is (k, gamma)-deniable: k candidates explain it within a factor gamma.

    candidates: the query's value for each record that could have produced the output; for Gaussian and Laplace noise
    also vectors, one row each. The real record must be among the k, and the likelihoods of any two of them must lie
    within a factor gamma (Liu, Definition 4, after Bindschaedler et al. 2017). ``true``: the index of the real record,
    by default the most likely one, which an attacker would name.

    >>> import dplens as dl
    >>> dl.deniability(dl.Laplace(scale=1.0), output=0.5, candidates=[0.0, 1.0, 5.0], gamma=2.0)
    2
    >>> dl.deniability(dl.Laplace(scale=1.0), output=0.5, candidates=[0.0, 1.0, 5.0], gamma=2.0, true=2)
    1
    """
    gamma = _validate.real("gamma", gamma, ">= 1", lambda x: x >= 1)
    logs = _log_likelihoods(mechanism, output, candidates)
    index = int(np.argmax(logs)) if true is None else _validate.count("true", true, 0)
    if index >= len(logs):
        raise _validate.reject("true", f"to be the index of a candidate, 0 … {len(logs) - 1}", true)
    real = logs[index]
    if np.isinf(real):  # likelihood 0 explains nothing; an infinite one stands alone
        return int(np.sum(logs == real)) if real > 0 else 0
    # the largest set contains all likelihoods from some minimum up to gamma times it; try every minimum
    logs = np.sort(logs[np.isfinite(logs)])
    last = np.searchsorted(logs, logs + np.log(gamma) + 1e-12 * (1 + np.abs(logs)), side="right")
    holds = (logs <= real) & (real <= logs[last - 1])
    return int(np.max((last - np.arange(len(logs)))[holds]))


def _log_likelihoods(mechanism: Any, output: npt.ArrayLike, candidates: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Log-density of the output given each candidate."""
    if isinstance(mechanism, type):
        remedy = "Pass for instance dplens.Laplace(scale=1.0)."
        raise _validate.reject_type("mechanism", "to be a mechanism, not a class", mechanism, remedy)
    density = getattr(mechanism, "log_likelihood", None)
    if not callable(density):
        inner = " Ask it of view.mechanism." if hasattr(mechanism, "model") else " Use an additive mechanism."
        raise Undefined(f"{type(mechanism).__name__} has no density around a true value.{inner}")
    values, at = _validate.as_array("candidates", candidates), _validate.as_array("output", output)
    if values.ndim not in (1, 2) or values.size == 0 or not np.isfinite(values).all():
        raise _validate.reject("candidates", "to be a non-empty list of finite query values", candidates)
    if values.ndim == 2 and not isinstance(mechanism, Gaussian | Laplace):
        raise Undefined(
            f"Candidates of {type(mechanism).__name__} must be numbers: vectors are for Gaussian and Laplace noise. "
            "Pass one number at a time."
        )
    if at.shape != values.shape[1:] or not np.isfinite(at).all():
        wanted = "a finite number" if values.ndim == 1 else f"a finite vector of length {values.shape[1]}"
        raise _validate.reject("output", f"to be {wanted}, as the candidates are", output)
    logs = np.asarray(density((at - values).ravel()), dtype=float)
    return logs.reshape(len(values), -1).sum(axis=1)
