"""Black-box audits: run the mechanism on two neighbouring inputs and test its outputs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.auditing.measured import Audit
from dplens.auditing.running import collect
from dplens.auditing.runs import Runs, fingerprint, function_mark, keeping, place
from dplens.auditing.scores import MEMBERS, check_confidence, counts_of, from_scores
from dplens.errors import DplensError, DplensWarning, MissingExtra
from dplens.mechanisms.base import as_curve
from dplens.telling import Told

Score = Callable[[Any], Floats]

_SEEN = "how often each output was seen"


def learn(without: Any, present: Any, aim: Callable[[Audit], float], confidence: float, seed: int) -> tuple[str, Score]:
    """The best of several kinds of score by name, judged by what each proves on held-out runs.

    without, present: outputs of the two worlds, rows of numbers or labels. aim: the quantity to maximise.
    """
    kinds = {_SEEN: _table} if without.dtype.kind not in "f" else _numbers(without, present, seed)
    chosen = next(iter(kinds))
    if len(kinds) > 1 and min(len(without), len(present)) > 1:
        absent, there = ((rows[: len(rows) // 2], rows[len(rows) // 2 :]) for rows in (without, present))

        def worth(name: str) -> float:
            # fit to one half and judge by the other, and vice versa; the scale of a score may differ between halves
            proved = []
            for fit, test in ((0, 1), (1, 0)):
                score = kinds[name](absent[fit], there[fit])
                proved.append(_proved(score(there[test]), score(absent[test]), aim, confidence))
            return float(np.mean(proved))

        chosen = max(kinds, key=worth)
    return chosen, kinds[chosen](without, present)


def _proved(inside: Floats, outside: Floats, aim: Callable[[Audit], float], confidence: float) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return aim(from_scores(inside, outside, confidence))
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
        kinds["logistic regression"] = _fitted(True, seed)
    kinds["gradient boosting"] = _fitted(False, seed)
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


def _fitted(linear: bool, seed: int) -> Callable[[Floats, Floats], Score]:
    def fit(without: Floats, present: Floats) -> Score:
        rows = np.concatenate([without, present])
        labels = np.repeat([0, 1], [len(without), len(present)])
        with _one_thread():
            from sklearn import ensemble, linear_model, pipeline, preprocessing

            model: Any = ensemble.HistGradientBoostingClassifier(max_iter=40, max_leaf_nodes=12, random_state=seed)
            if linear:
                line = linear_model.LogisticRegression(max_iter=1000, random_state=seed)
                model = pipeline.make_pipeline(preprocessing.StandardScaler(), line)
            model.fit(rows, labels)

        def decided(new: Floats) -> Floats:
            with _one_thread():
                return np.asarray(model.decision_function(new), dtype=float)

        return decided

    return fit


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


def audit_mechanism(
    run: Callable[..., Any],
    d0: Any,
    d1: Any,
    *,
    n: int = 4000,
    confidence: float = 0.95,
    score: str | Callable[[Any], float] = "learned",
    claim: Any = None,
    members: str = "higher",
    seed: int = 0,
    vectorized: bool = False,
    workers: int | None = None,
    progress: bool | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: Runs | None = None,
) -> Audit:
    """Run a mechanism on two neighbouring inputs and bound how well its outputs distinguish them.

    run: called as ``run(data, rng)`` with a NumPy generator (as ``rng=`` if keyword-only, or as ``run(data)`` if the
    function draws its own randomness), ``n`` times on ``d0`` (target absent) and ``n`` times on ``d1`` (target
    present); with ``vectorized``, as ``run(data, rng, size)``, which returns ``size`` outputs. Outputs are numbers,
    arrays of one shape, or strings.
    score: ``"learned"`` (default) selects the best of several scores on the first half of the runs and tests it on the
    second; ``"raw"`` is the output itself, a single number; a function maps an output to a number. The latter two use
    all runs, and ``members`` tells which end indicates membership, as in :func:`audit`.
    claim: a mechanism or curve for the learned score to refute; by default the score aims for large bounds.
    workers: number of joblib processes, −1 for all cores; ``joblib.parallel_config`` is respected. A function that
    draws its own randomness runs in this process only, since copies would repeat the same noise; a note says so.
    checkpoint: a file that keeps finished runs. After an error or an interruption pass the error's ``finished`` as
    ``resume``, or repeat the call with the same checkpoint: no finished run is lost.

    >>> import dplens as dl
    >>> def half_the_noise(data, rng, size):
    ...     return sum(data) + rng.laplace(0, 0.5, size)
    >>> found = dl.audit_mechanism(half_the_noise, [0, 0], [0, 1], n=4000, vectorized=True, score="raw")
    >>> print(found.refutes(dl.Laplace(scale=1.0)).verdict)
    refuted
    """
    level = check_confidence(confidence)
    _validate.one_of("members", members, MEMBERS)
    if not callable(score):
        _validate.one_of("score", score, ("learned", "raw"))
    options = {
        "vectorized": _validate.flag("vectorized", vectorized),
        "workers": _validate.workers(workers),
        "progress": None if progress is None else _validate.flag("progress", progress),
        "checkpoint": checkpoint,
    }
    n = _validate.count("n", n, 4 if score == "learned" else 1)
    goal = None if claim is None else as_curve(claim, "claim")
    how = f"{_named(run)}, {_named(score)}, {'many' if vectorized else 'one'}"
    runs = Runs(n=n, seed=seed, how=how, data=fingerprint(d0, d1), code=function_mark(run))
    notes = _resumed(runs, resume) + _resumed(runs, _saved(checkpoint, runs, d0, d1))
    with keeping(runs):
        found = collect(run, (d0, d1), runs, score=score, **options)
        notes += [Told("note-changed-data")] if fingerprint(d0, d1) != runs.data else []
        for note in notes:
            warnings.warn(note, DplensWarning, stacklevel=2)
        return _tested(runs, score, goal, level, members, (*found, *notes))


def _saved(checkpoint: str | os.PathLike[str] | None, runs: Runs, d0: Any, d1: Any) -> Runs | None:
    """The runs in the checkpoint file, if there is one; refuses data that cannot be identified later."""
    if checkpoint is None:
        return None
    path = place("checkpoint", checkpoint)
    if not runs.data:
        remedy = "Otherwise runs on other data could not be detected. Let the function create what cannot be pickled."
        rule = "to be data that can be pickled if a checkpoint is kept"
        shown = _validate.Shown(f"{type(d0).__name__} and {type(d1).__name__}")
        raise _validate.reject_type("d0 and d1", rule, shown, remedy)
    try:
        return Runs.load(path) if path.exists() else None
    except OSError as error:  # an invalid file name
        raise _validate.reject("checkpoint", f"to name a file ({error.strerror})", str(path)) from None


def _resumed(runs: Runs, earlier: Any) -> list[str]:
    """Take over the outputs of earlier runs; returns notes on what could not be checked."""
    if earlier is None:
        return []
    if not isinstance(earlier, Runs):
        raise _validate.reject_type("resume", "to be what was kept: the error's finished", earlier)
    earlier.fits(runs)
    notes: list[str] = [] if runs.data else [Told("note-unpickled")]
    if earlier.done and earlier.code not in ("", runs.code):
        notes.append(Told("note-other-code"))
        runs.code = earlier.code
    runs.kind, runs.shape = earlier.kind, earlier.shape
    for (world, start), outputs in earlier.chunks.items():
        if start < runs.n:
            runs.chunks[world, start] = outputs[: runs.n - start]
    return notes


def _tested(runs: Runs, score: Any, goal: Any, confidence: float, members: str, notes: tuple[str, ...]) -> Audit:
    without, present = runs.of(0), runs.of(1)
    if runs.n > 1 and all((rows == rows[:1]).all() for rows in (without, present)):
        notes += (Told("note-same-output"),)
    details: tuple[tuple[str, Any], ...] = (("runs", runs.n), ("seed", runs.seed))
    if score == "learned":
        half = runs.n // 2

        def aim(found: Audit) -> float:
            if goal is None:
                return found.epsilon + found.mu
            verdict = found.refutes(goal)
            return verdict.excess / np.sqrt(max(verdict.measured * (1 - verdict.claimed), 1e-12))

        name, scored = learn(without[:half], present[:half], aim, confidence, runs.seed)
        inside, outside = scored(present[half:]), scored(without[half:])
        details += (("score", name), ("learned from", half), ("tested on", runs.n - half))
        members = "higher"
    else:
        inside, outside = present[:, 0], without[:, 0]
        details += (("score", _named(score)), ("tested on", runs.n))
    if len(np.unique(np.concatenate([inside, outside]))) == 1:
        shown = _validate.Shown("the same for all of them")
        remedy = "The mechanism tells nothing, or its input is not used; there is nothing to audit."
        if runs.kind == "labels" and len(np.unique(np.concatenate([without, present]))) > 1:
            shown = _validate.Shown("texts that none of the runs to learn from had")
            remedy = "Return numbers in place of texts, or pass score=, a function from an output to a number."
        raise _validate.reject("run", "to give outputs that a score can distinguish", shown, remedy)
    return from_scores(inside, outside, confidence, members, notes=notes, source="black box", details=details)


def _named(score: Any) -> str:
    return score if isinstance(score, str) else getattr(score, "__qualname__", type(score).__name__)
