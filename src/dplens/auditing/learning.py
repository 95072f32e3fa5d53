"""Learn a score from runs that are not used for the test itself."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.auditing.measured import Audit
from dplens.auditing.scores import counts_of, from_counts
from dplens.errors import DplensError, MissingExtra

Score = Callable[[Any], Floats]

_SEEN = "how often each output was seen"


@dataclass(frozen=True)
class Learned:
    """A function from outputs to scores, and its name."""

    name: str
    score: Score


def learn(without: Any, present: Any, aim: Callable[[Audit], float], confidence: float, seed: int) -> Learned:
    """The best of several kinds of score, judged by what each proves on held-out runs.

    without, present: outputs of the two worlds, rows of numbers or labels. aim: the quantity to maximise.
    """
    kinds = {_SEEN: _table} if without.dtype.kind not in "f" else _numbers(without, present, seed)
    chosen = next(iter(kinds))
    if len(kinds) > 1 and min(len(without), len(present)) > 1:

        def worth(name: str) -> float:
            # the scale of a score may differ between folds, so judge each fold by itself
            proved = []
            for (a, b), (c, d) in zip(_folds(len(without)), _folds(len(present))):
                score = kinds[name](without[a], present[c])
                proved.append(_proved(score(present[d]), score(without[b]), aim, confidence))
            return float(np.mean(proved))

        chosen = max(kinds, key=worth)
    return Learned(chosen, kinds[chosen](without, present))


def _folds(count: int) -> tuple[tuple[slice, slice], ...]:
    """Two folds: fit to one half and judge by the other, and vice versa."""
    first, last = slice(0, count // 2), slice(count // 2, None)
    return (first, last), (last, first)


def _proved(inside: Floats, outside: Floats, aim: Callable[[Audit], float], confidence: float) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return aim(from_counts(lambda sign: counts_of(sign * inside, sign * outside), confidence))
        except DplensError:  # all scores are equal
            return -1.0


def _numbers(without: Floats, present: Floats, seed: int) -> dict[str, Callable[[Any, Any], Score]]:
    kinds: dict[str, Callable[[Any, Any], Score]] = {}
    areas = [counts_of(present[:, j], without[:, j]).auc for j in range(without.shape[1])]
    for j in np.argsort(-np.abs(np.array(areas) - 0.5), kind="stable")[:4].tolist():
        kinds["the output itself" if without.shape[1] == 1 else f"number {j} of the output"] = _coordinate(j)
    rows = np.concatenate([without, present])
    if len(np.unique(rows, axis=0)) <= len(rows) / 8:
        kinds[_SEEN] = _table
    if without.shape[1] > 1:
        kinds["logistic regression"] = _fitted(_logistic, seed)
    kinds["gradient boosting"] = _fitted(_boosting, seed)
    return kinds


def _coordinate(j: int) -> Callable[[Floats, Floats], Score]:
    def fit(without: Floats, present: Floats) -> Score:
        up = counts_of(present[:, j], without[:, j]).auc >= 0.5
        return lambda rows: rows[:, j] if up else -rows[:, j]

    return fit


def _table(without: Any, present: Any) -> Score:
    """The log ratio of how often an output was seen with and without the target; every count starts at one half."""

    def keys(rows: Any) -> list[Any]:
        return rows.tolist() if rows.ndim == 1 else [row.tobytes() for row in np.ascontiguousarray(rows) + 0.0]

    counts: dict[Any, list[float]] = {}
    for side, rows in ((0, without), (1, present)):
        for key in keys(rows):
            counts.setdefault(key, [0.5, 0.5])[side] += 1
    ratio = {key: np.log(c1 / len(present)) - np.log(c0 / len(without)) for key, (c0, c1) in counts.items()}
    return lambda rows: np.array([ratio.get(key, 0.0) for key in keys(rows)])


def _fitted(made: Callable[[int], Any], seed: int) -> Callable[[Floats, Floats], Score]:
    def fit(without: Floats, present: Floats) -> Score:
        rows = np.concatenate([without, present])
        labels = np.repeat([0, 1], [len(without), len(present)])
        with _one_thread():
            model = made(seed).fit(rows, labels)

        def decided(new: Floats) -> Floats:
            with _one_thread():
                return np.asarray(model.decision_function(new), dtype=float)

        return decided

    return fit


def _logistic(seed: int) -> Any:
    from sklearn import linear_model, pipeline, preprocessing

    model = linear_model.LogisticRegression(max_iter=1000, random_state=seed)
    return pipeline.make_pipeline(preprocessing.StandardScaler(), model)


def _boosting(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=40, max_leaf_nodes=12, random_state=seed)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Fit with one thread: with so few rows, synchronising several threads costs more than it saves."""
    try:
        import sklearn  # noqa: F401 - report a missing installation here
        from threadpoolctl import threadpool_limits  # a dependency of scikit-learn
    except ImportError:
        raise MissingExtra("Learning a score needs scikit-learn: pip install 'dplens[audit]'") from None
    with threadpool_limits(1):
        yield
