"""Audits without the scores themselves: from counts at one threshold, ROC points, or precision and recall."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.special import betaincinv

from dplens import _validate
from dplens._validate import Floats
from dplens.auditing.bands import lower_band
from dplens.auditing.measured import Audit
from dplens.auditing.scores import check_confidence, error_of_a_side, noted_reversal, rates, sample_size
from dplens.telling import Told

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
    sizes = sample_size("n_in", n_in), sample_size("n_out", n_out)
    tp = _validate.count("true_positives", true_positives, 0)
    fp = _validate.count("false_positives", false_positives, 0)
    for name, k, n in (("true_positives", tp, sizes[0]), ("false_positives", fp, sizes[1])):
        if k > n:
            raise _validate.reject(name, f"to be at most the number of runs ({n})", k)
    return _audit(np.array([tp]), np.array([fp]), *sizes, level, fixed=True, source="counts")


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
    if x.shape != y.shape or x.ndim != 1 or not len(x):
        raise _validate.reject("tpr", f"to have one rate for each fpr ({x.size})", tpr)
    inside, outside = sample_size("n_in", n_in), sample_size("n_out", n_out)
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
    inside, outside = sample_size("n_in", n_in), sample_size("n_out", n_out)
    share = inside / (inside + outside) if prior is None else _validate.prior(prior)
    made = np.atleast_1d(_validate.floats("precision", precision, "in (0, 1]", 5e-324, 1.0))
    found = np.atleast_1d(_validate.floats("recall", recall, "in [0, 1]", 0.0, 1.0))
    if made.shape != found.shape or made.ndim != 1 or not len(made):
        raise _validate.reject("recall", f"to have one value for each precision ({made.size})", recall)
    hidden = _hidden(digits)
    low = np.maximum(made - hidden, 1e-300)
    odds = share / (1 - share)
    least = odds * np.maximum(found - hidden, 0) * (1 / np.clip(made + hidden, 1e-300, 1) - 1)
    if (least > 1 + _ROUNDING).any():
        j = int(np.argmax(least))
        bound = odds * found[j] / (odds * found[j] + 1)
        remedy = (
            "Less would accuse more non-members than there are. If it was computed for another share of members, say "
            "which by prior=; if it was rounded, to how many decimals by digits=."
        )
        rule = f"to be at least {bound:.3g} at recall {found[j]:g} and prior {share:.3g}"
        raise _validate.reject("precision", rule, float(made[j]), remedy)
    fpr = np.minimum(odds * np.minimum(found + hidden, 1) * (1 / low - 1), 1.0)
    given = {"n_in": inside, "n_out": outside, "confidence": confidence, "fixed_beforehand": fixed_beforehand}
    points = audit_points(fpr, np.maximum(found - hidden, 0), **given)
    return replace(points, source="precision and recall")


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
