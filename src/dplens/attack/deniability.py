"""Plausible deniability of one output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dplens import _validate
from dplens.errors import Undefined


def deniability(
    mechanism: Any, *, output: float, candidates: Sequence[float], gamma: float, true: int | None = None
) -> int:
    """The largest k for which the output is (k, gamma)-deniable: k candidates explain it within a factor gamma.

    candidates: the query's value for each record that could stand behind the output. All pairs among the k must
    have likelihoods within gamma of each other (Liu, Definition 4, after Bindschaedler et al. 2017). ``true``: the
    index of the real record, which then must be among the k; by default the largest such set of all.

    >>> import dplens as dl
    >>> dl.deniability(dl.Laplace(scale=1.0), output=0.5, candidates=[0.0, 1.0, 5.0], gamma=2.0)
    2
    """
    density = getattr(mechanism, "log_likelihood", None)
    if not callable(density) or isinstance(mechanism, type):
        raise Undefined(f"{type(mechanism).__name__} has no density around a true value. Use an additive mechanism.")
    gamma = _validate.real("gamma", gamma, ">= 1", lambda x: x >= 1)
    values = _validate.as_array("candidates", candidates)
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all():
        raise _validate.reject("candidates", "to be a non-empty list of finite query values", candidates)
    at = _validate.real("output", output, "to be finite", lambda x: abs(x) < np.inf)
    logs = np.asarray(density(at - values), dtype=float)
    slack = 1e-12 * (1 + np.abs(logs))
    if true is not None:
        index = _validate.count("true", true, 0)
        if index >= len(values):
            raise _validate.reject("true", f"to be the index of a candidate, 0 … {len(values) - 1}", true)
        if np.isneginf(logs[index]):
            return 0
    order = np.argsort(logs, kind="stable")
    order = order[np.isfinite(logs[order])]  # a record that cannot produce the output explains nothing
    first = np.arange(len(order))
    last = np.searchsorted(logs[order], logs[order] + np.log(gamma) + slack[order], side="right")
    if true is not None:
        place = int(np.flatnonzero(order == true)[0])
        around = (first <= place) & (place < last)
        first, last = first[around], last[around]
    return int(np.max(last - first, initial=0))
