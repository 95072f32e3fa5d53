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

    candidates: the query's value for each record that could stand behind the output; for Gaussian and Laplace noise
    also vectors, one row each. The real record is among the k, and all pairs of them must have likelihoods within
    gamma of each other (Liu, Definition 4, after Bindschaedler et al. 2017). ``true``: the index of the real record;
    by default the likeliest one, whom an attacker would name.

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
    if np.isinf(real):  # a record that cannot produce the output explains nothing; one with a pole there is alone
        return int(np.sum(logs == real)) if real > 0 else 0
    # a largest set holds all likelihoods from its least to gamma times that: one set for each least
    logs = np.sort(logs[np.isfinite(logs)])
    last = np.searchsorted(logs, logs + np.log(gamma) + 1e-12 * (1 + np.abs(logs)), side="right")
    holds = (logs <= real) & (real <= logs[last - 1])
    return int(np.max((last - np.arange(len(logs)))[holds]))


def _log_likelihoods(mechanism: Any, output: npt.ArrayLike, candidates: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """log-density of the output around each candidate."""
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
            "Ask about one number at a time."
        )
    if at.shape != values.shape[1:] or not np.isfinite(at).all():
        wanted = "a finite number" if values.ndim == 1 else f"a finite vector of length {values.shape[1]}"
        raise _validate.reject("output", f"to be {wanted}, as the candidates are", output)
    logs = np.asarray(density((at - values).ravel()), dtype=float)
    return logs.reshape(len(values), -1).sum(axis=1)
