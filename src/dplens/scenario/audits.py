"""Measured attacks in scenario files, from numbers or from files of scores."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from dplens import _validate
from dplens.errors import DplensWarning

# The keys that make up each kind of entry, and those it may have beside.
KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "scores": (("scores_in", "scores_out"), ("column", "members")),
    "labelled scores": (("scores", "label"), ("column", "members")),
    "counts": (("true_positives", "false_positives", "n_in", "n_out"), ()),
    "points": (("fpr", "tpr", "n_in", "n_out"), ("fixed_beforehand", "digits")),
    "precision and recall": (("precision", "recall", "n_in", "n_out"), ("fixed_beforehand", "digits", "prior")),
    "one run": (("correct", "guesses"), ("canaries",)),
    "canaries": (("canary_scores",), ("included", "column", "members", "guess")),
}

FILES = ("scores", "scores_in", "scores_out", "canary_scores")  # the keys that name files


def read_audit(data: dict[str, Any], source: str = "") -> Any:
    """The audit that an entry of a scenario describes; paths are relative to the file."""
    with warnings.catch_warnings():  # warnings of an audit are in its notes, which are shown with its verdict
        warnings.simplefilter("ignore", DplensWarning)
        return _read(data, source)


def _read(data: dict[str, Any], source: str) -> Any:
    from dplens.auditing.canaries import audit_one_run
    from dplens.auditing.scores import audit, audit_counts, audit_points, audit_precision_recall

    given = {k: v for k, v in data.items() if v is not None and k != "name"}
    confidence = given.pop("confidence", 0.95)
    kind = next((k for k, (needed, _) in KINDS.items() if all(n in given for n in needed)), None)
    known = set() if kind is None else {*KINDS[kind][0], *KINDS[kind][1]}
    if kind is None or not set(given) <= known:
        listed = "; ".join(", ".join(needed) for needed, _ in KINDS.values())
        shown = _validate.Shown(f"the keys {', '.join(sorted(given)) or 'none'}")
        raise _validate.reject("audit", f"to be given one of these together: {listed}", shown)
    folder = Path(source).parent if source else Path()
    given |= {key: folder / given[key] for key in FILES if key in given}
    if kind in ("one run", "canaries"):
        scores = {"scores": given.pop("canary_scores")} if kind == "canaries" else {}
        return audit_one_run(**scores, **given, confidence=confidence)
    if kind == "counts":
        return audit_counts(**given, confidence=confidence)
    if kind in ("scores", "labelled scores"):
        inside, outside = given.pop("scores_in", given.pop("scores", None)), given.pop("scores_out", None)
        return audit(inside, outside, confidence, **given)
    made = audit_points if kind == "points" else audit_precision_recall
    first, second = (given.pop(key) for key in KINDS[kind][0][:2])
    return made(first, second, **given, confidence=confidence)
