"""Audits from scores in memory or in files, from counts, and from published points."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from dplens import _validate
from dplens._validate import Floats
from dplens.auditing.bands import grid_ranks, lower_band
from dplens.auditing.measured import Audit
from dplens.errors import DplensWarning
from dplens.telling import Figure, Told

Ints = npt.NDArray[np.int64]

Bound = Callable[[Any], Floats]

MEMBERS = ("higher", "lower", "either")


def audit(
    scores_in: Any,
    scores_out: Any = None,
    confidence: float = 0.95,
    *,
    members: str = "higher",
    column: str = "score",
    label: str = "",
) -> Audit:
    """Audit an attack by its scores.

    scores_in, scores_out: the attacker's score for each independent run (or record) with and without the target in the
    data; arrays, or paths to CSV, JSONL or Parquet files whose ``column`` holds them (read with DuckDB). If
    one file holds both, omit ``scores_out`` and name in ``label`` the column that is 1 with the target and 0 without.
    The scores of each side must be independent draws from one distribution, and the attack must not have been tuned on
    them.
    confidence: the probability with which all bounds hold, at every threshold at once.
    members: whether ``"higher"`` (default) or ``"lower"`` scores indicate membership, or ``"either"`` if that is not
    known in advance: both are then tried, each with half the error. Never choose it by looking at the scores.

    >>> import dplens as dl
    >>> dl.audit([3.1, 2.5, 2.2, 4.0], [0.3, 1.1, 0.2, 1.4]).power(0.6) > 0
    True
    """
    level = check_confidence(confidence)
    _validate.one_of("members", members, MEMBERS)
    for name, text in (("column", column), ("label", label)):
        if not isinstance(text, str):
            raise _validate.reject_type(name, "to be the name of a column", text)
    if label and label == column:
        raise _validate.reject("column", "to hold scores, not the labels", column, "Name the column of the scores.")
    if label and (not isinstance(scores_in, (str, Path)) or scores_out is not None):
        shown = scores_in if scores_out is None else _validate.Shown("scores_out as well")
        raise _validate.reject_type("scores_in", "to be the one file that label goes with", shown)
    if isinstance(scores_in, (str, Path)) or isinstance(scores_out, (str, Path)):
        from dplens.auditing.on_disk import scores_from_files

        scores_in, scores_out = scores_from_files(scores_in, scores_out, column, label)
    inside, outside = checked_scores("scores_in", scores_in), checked_scores("scores_out", scores_out)
    return from_scores(inside, outside, level, members)


def check_confidence(confidence: Any) -> float:
    """A probability strictly between 0 and 1."""
    remedy = "0.95 means that a true claim is refuted at most once in 20 audits."
    return _validate.open_probability("confidence", confidence, remedy)


def error_of_a_side(confidence: float, tries: int = 1) -> float:
    """The error probability for the bounds of each of two independent samples such that both hold at ``confidence``.

    tries: the number of such pairs that share the allowed error.
    """
    allowed = min((1 - confidence) / tries, 1 - 1e-9)  # 1 would be no bound at all
    return -math.expm1(math.log1p(-allowed) / 2)


def checked_scores(name: str, values: Any) -> Floats:
    """A non-empty one-dimensional array of finite numbers."""
    given = np.asarray(values) if hasattr(values, "to_numpy") else values
    if isinstance(given, np.ndarray) and given.dtype.kind == "b":  # guesses are scores with two values
        given = given.astype(float)
    array = _validate.as_array(name, given)
    if array.ndim != 1:
        rule = "to be a one-dimensional list of scores"
        raise _validate.reject(name, rule, _validate.Shown(f"an array of shape {array.shape}"), "One number a run.")
    if not len(array):
        raise _validate.reject(name, "to hold at least one score", _validate.Shown("none"))
    bad = ~np.isfinite(array)
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        remedy = (
            f"{int(bad.sum())} of {len(array)} are not finite, the first at index {at}. Give such runs the score that "
            "the attacker would act on (for log(0), any number below all others); dropping them would bias the audit."
        )
        raise _validate.reject(name, "to hold finite scores", float(array[at]), remedy)
    return array


@dataclass(frozen=True)
class Counted:
    """The number of scores on each side that reach each threshold, strictest first; thresholds may depend on scores."""

    thresholds: Floats
    tp: Ints
    fp: Ints
    auc: float


def counts_of(inside: Floats, outside: Floats) -> Counted:
    """The counts at every threshold where a bound changes."""
    inside, outside = np.sort(inside)[::-1], np.sort(outside)[::-1]
    wanted = [inside[grid_ranks(len(inside)) - 1], outside[grid_ranks(len(outside)) - 1]]
    thresholds = np.unique(np.concatenate(wanted))[::-1]
    tp = np.searchsorted(-inside, -thresholds, side="right")
    fp = np.searchsorted(-outside, -thresholds, side="right")
    # Mann–Whitney: pairs in order, ties counted half
    below = np.searchsorted(outside[::-1], inside, side="left") + np.searchsorted(outside[::-1], inside, side="right")
    auc = float(below.sum(dtype=float)) / (2.0 * len(inside) * len(outside))
    return Counted(thresholds, tp, fp, auc)


def from_scores(inside: Floats, outside: Floats, confidence: float, members: str = "higher", **more: Any) -> Audit:
    """The audit of checked scores with and without the target."""
    signs = {"higher": (1,), "lower": (-1,), "either": (1, -1)}[members]
    found = [counts_of(sign * inside, sign * outside) for sign in signs]
    first = found[0]
    if len(first.thresholds) == 1:
        remedy = "An attack that gives every run the same score decides nothing; look at how the scores were made."
        raise _validate.reject("scores", "not to be all the same number", signs[0] * float(first.thresholds[0]), remedy)
    sizes, error = (len(inside), len(outside)), error_of_a_side(confidence, len(signs))
    least = [lower_band(n, error).at for n in sizes]
    tables = [rates(one.tp, one.fp, *sizes, *least) for one in found]
    parts = [{"thresholds": sign * one.thresholds, **part} for sign, one, part in zip(signs, found, tables)]
    made = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    notes, auc = more.pop("notes", ()), first.auc
    if len(signs) == 1:
        notes += noted_reversal(made, "note-reversed-scores", auc=Figure(f"{auc:.3g}"))
    else:
        notes += (Told("note-both"),)
        auc = max(auc, 1 - auc)
    return Audit(confidence=confidence, n_in=sizes[0], n_out=sizes[1], auc=auc, notes=notes, **made, **more)


def rates(tp: Any, fp: Any, n_in: int, n_out: int, least_in: Bound, least_out: Bound) -> dict[str, Any]:
    """Both rates with their bounds, given the lower bounds on the chance of a count on either side."""
    return {
        "fpr": fp / n_out,
        "tpr": tp / n_in,
        "fpr_high": np.minimum((1.0 - least_out(n_out - fp)) * (1 + 4e-16), 1.0),
        "tpr_low": least_in(tp),
        "fpr_low": least_out(fp),
        "tpr_high": np.minimum((1.0 - least_in(n_in - tp)) * (1 + 4e-16), 1.0),
    }


def noted_reversal(made: dict[str, Any], key: str, **values: Any) -> tuple[str, ...]:
    """A note, also issued as a warning, if members are provably named less often than others."""
    proved = float(np.max(made["tpr_low"] - made["fpr_high"]))
    if float(np.max(made["fpr_low"] - made["tpr_high"])) <= max(proved, 0.0):
        return ()
    note = Told(key, **values)
    warnings.warn(note, DplensWarning, stacklevel=4)
    return (note,)


_ROUNDING = 1e-6  # how far rate · n may be from an integer because the rate is rounded


def audit_counts(
    *, true_positives: int, n_in: int, false_positives: int, n_out: int, confidence: float = 0.95
) -> Audit:
    """Audit counts at one threshold that was fixed before the scores were seen.

    Exact binomial bounds (Clopper & Pearson 1934) on both rates, each with half of the allowed error.

    >>> import dplens as dl
    >>> round(dl.audit_counts(true_positives=600, n_in=1000, false_positives=20, n_out=1000).epsilon, 3)
    2.92
    """
    level = check_confidence(confidence)
    sizes = _sizes(n_in, n_out)
    tp = _validate.count("true_positives", true_positives, 0)
    fp = _validate.count("false_positives", false_positives, 0)
    for name, k, n in (("true_positives", tp, sizes[0]), ("false_positives", fp, sizes[1])):
        if k > n:
            raise _validate.reject(name, f"to be at most the number of runs ({n})", k)
    return _audit(np.array([tp]), np.array([fp]), *sizes, level, fixed=True, source="counts")


def _sizes(n_in: Any, n_out: Any) -> tuple[int, int]:
    """The numbers of scores on both sides, small enough to be exact as floats."""
    return _validate.count("n_in", n_in, most=2**53), _validate.count("n_out", n_out, most=2**53)


def audit_points(
    fpr: Any,
    tpr: Any,
    *,
    n_in: int,
    n_out: int,
    confidence: float = 0.95,
    fixed_beforehand: bool = False,
    digits: int | None = None,
) -> Audit:
    """Audit published points of an ROC curve.

    fpr, tpr: rates at one or several thresholds. n_in, n_out: the numbers of scores of members and non-members from
    which they were computed. fixed_beforehand: whether the thresholds were fixed before the scores were seen; if not
    (default), the band for all thresholds is used, which holds for any choice. digits: decimals to which the rates were
    rounded; rounding is resolved against the attack.

    >>> import dplens as dl
    >>> found = dl.audit_points(0.01, 0.2, n_in=1000, n_out=1000, fixed_beforehand=True)
    >>> print(f"{found.epsilon:.2f}")
    2.26
    """
    level, fixed = check_confidence(confidence), _validate.flag("fixed_beforehand", fixed_beforehand)
    x = np.atleast_1d(_validate.floats("fpr", fpr, "in [0, 1]", 0.0, 1.0))
    y = np.atleast_1d(_validate.floats("tpr", tpr, "in [0, 1]", 0.0, 1.0))
    _same_length(x, y, "tpr", f"one rate for each fpr ({x.size})", tpr)
    inside, outside = _sizes(n_in, n_out)
    hidden = _hidden(digits)
    tp = np.floor(np.maximum((y - hidden) * inside, 0) + _ROUNDING)
    fp = np.ceil(np.minimum((x + hidden) * outside, outside) - _ROUNDING)
    if hidden:
        # the worst of the counts that round to the printed rate; if none does, n is not the real one
        least, most = np.ceil((y - hidden) * inside - _ROUNDING), np.floor((x + hidden) * outside + _ROUNDING)
        tp = np.where(least <= (y + hidden) * inside + _ROUNDING, np.maximum(tp, least), tp)
        fp = np.where(most >= (x - hidden) * outside - _ROUNDING, most, fp)
    counts = np.clip(tp, 0, inside).astype(np.int64), np.clip(fp, 0, outside).astype(np.int64)
    return _audit(*counts, inside, outside, level, fixed=fixed, source="points")


def audit_precision_recall(
    precision: Any,
    recall: Any,
    *,
    n_in: int,
    n_out: int,
    prior: float | None = None,
    confidence: float = 0.95,
    fixed_beforehand: bool = False,
    digits: int | None = None,
) -> Audit:
    """Audit published points of a precision–recall curve (Liu et al. 2019, §5.3.1).

    precision, recall: at one or several thresholds. prior: the share of members for which precision was computed, by
    default that of the scores, n_in/(n_in + n_out); precision is at least prior·recall/(prior·recall + 1 − prior). The
    other arguments are those of :func:`audit_points`.

    >>> import dplens as dl
    >>> found = dl.audit_precision_recall(0.95, 0.2, n_in=1000, n_out=1000, fixed_beforehand=True)
    >>> print(f"{found.epsilon:.2f}")
    2.19
    """
    inside, outside = _sizes(n_in, n_out)
    share = inside / (inside + outside) if prior is None else _validate.prior(prior)
    made = np.atleast_1d(_validate.floats("precision", precision, "in (0, 1]", 5e-324, 1.0))
    found = np.atleast_1d(_validate.floats("recall", recall, "in [0, 1]", 0.0, 1.0))
    _same_length(made, found, "recall", f"one value for each precision ({made.size})", recall)
    hidden = _hidden(digits)
    low = np.maximum(made - hidden, 1e-300)
    odds = share / (1 - share)
    least = odds * np.maximum(found - hidden, 0) * (1 / np.clip(made + hidden, 1e-300, 1) - 1)
    if (least > 1 + _ROUNDING).any():
        j = int(np.argmax(least))
        bound = odds * found[j] / (odds * found[j] + 1)
        remedy = (
            "Less would name more non-members than there are. If it was computed for another share of members, say "
            "which by prior=; if it was rounded, to how many decimals by digits=."
        )
        rule = f"to be at least {bound:.3g} at recall {found[j]:g} and prior {share:.3g}"
        raise _validate.reject("precision", rule, float(made[j]), remedy)
    fpr = np.minimum(odds * np.minimum(found + hidden, 1) * (1 / low - 1), 1.0)
    given = {"n_in": inside, "n_out": outside, "confidence": confidence, "fixed_beforehand": fixed_beforehand}
    points = audit_points(fpr, np.maximum(found - hidden, 0), **given)
    return replace(points, source="precision and recall")


def _same_length(first: Floats, second: Floats, name: str, what: str, given: Any) -> None:
    if first.shape != second.shape or first.ndim != 1 or not len(first):
        raise _validate.reject(name, f"to have {what}", given)


def _hidden(digits: int | None) -> float:
    """The largest rounding error of a rate with ``digits`` decimals."""
    return 0.0 if digits is None else 0.5 * 10.0 ** -_validate.count("digits", digits, 0)


def _audit(tp: Any, fp: Any, n_in: int, n_out: int, confidence: float, *, fixed: bool, source: str) -> Audit:
    error, notes = error_of_a_side(confidence), ()
    if fixed:
        each = error / len(tp)

        def least(k: Any, n: int) -> Floats:
            k = np.asarray(k, float)
            return np.where(k > 0, betaincinv(np.maximum(k, 1), n + 1 - np.maximum(k, 1), each) * (1 - 1e-13), 0.0)

        bounds = partial(least, n=n_in), partial(least, n=n_out)
        notes = (Told("note-fixed"),)
    else:
        bounds = lower_band(n_in, error).at, lower_band(n_out, error).at
    made = rates(tp, fp, n_in, n_out, *bounds)
    notes += noted_reversal(made, "note-reversed-rates")
    return Audit(confidence=confidence, n_in=n_in, n_out=n_out, source=source, notes=notes, **made)
