"""One-run audits from guesses or scores of canaries."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import betainc

from dplens import _validate
from dplens.auditing.one_run import OneRunAudit
from dplens.auditing.scores import MEMBERS, check_confidence, checked_scores
from dplens.errors import DplensWarning
from dplens.telling import Told


def audit_one_run(
    *,
    included: Any = None,
    guesses: Any = None,
    scores: Any = None,
    correct: int | None = None,
    canaries: int | None = None,
    guess: int | Sequence[int] | None = None,
    confidence: float = 0.95,
    members: str = "higher",
    column: str = "score",
) -> OneRunAudit:
    """Audit one training run with many canaries (Steinke, Nasr & Jagielski 2023; Mahloujifar et al. 2024).

    Each canary must be included by an independent fair coin, and the attacker must not have seen the coins. There are
    three ways to state the outcome:

    * ``included`` (a truth value for each canary) and ``guesses``: 1 or True for "in", −1 for "out", 0 for no guess
      (with booleans every canary is guessed);
    * ``included`` and ``scores``, higher for "in" (or as ``members`` says, see :func:`audit`). ``guess`` fixes in
      advance how many of the highest scores are guessed "in" and how many of the lowest "out" (one number, or a pair).
      Without it several numbers are tried, each with a share of the error. ``scores`` may be the path of a CSV, JSONL
      or Parquet file with a row per canary: ``column`` names the scores, ``included`` the truth values;
    * ``correct`` guesses out of ``guesses`` (both counts) about ``canaries`` canaries.

    The number of guesses must not depend on the outcome of the run: fix it in advance, or pass ``scores``.

    >>> import dplens as dl
    >>> found = dl.audit_one_run(correct=95, guesses=100, canaries=1000)
    >>> print(f"{found.epsilon:.2f}")
    2.17
    """
    level = check_confidence(confidence)
    if _validate.one_of("members", members, MEMBERS) != "higher" and scores is None:
        raise _validate.reject("members", "to be given with scores", members)
    if correct is not None:
        _unused("correct", included=included, scores=scores, guess=guess)
        found = _from_counts(correct, guesses, canaries, level)
    else:
        if isinstance(scores, (str, Path)):
            from dplens.auditing.on_disk import canaries_from_file

            _unused("scores", guesses=guesses)
            if included is not None and not isinstance(included, str):
                rule = "to name the column of truth values where scores are in a file"
                raise _validate.reject_type("included", rule, included)
            included, scores = canaries_from_file(scores, included or "included", column)
        truth = _truth(included)
        if canaries is not None and _validate.count("canaries", canaries) != len(truth):
            raise _validate.reject("canaries", f"to be as many as included has ({len(truth)})", canaries)
        if (guesses is None) == (scores is None):
            raise _validate.reject_type("guesses", "or scores to be given, not both", _validate.Shown("both or none"))
        if guesses is not None:
            _unused("guesses", guess=guess)
            found = _from_guesses(truth, guesses, level)
        else:
            found = _from_scores(truth, checked_scores("scores", scores), guess, members, level)
    for note in found.notes:
        warnings.warn(note, DplensWarning, stacklevel=2)
    return found


def _from_counts(correct: Any, guesses: Any, canaries: Any, confidence: float) -> OneRunAudit:
    made = _validate.count("guesses", guesses, most=2**53)
    right = _validate.count("correct", correct, 0)
    total = made if canaries is None else _validate.count("canaries", canaries, most=2**53)
    if right > made:
        raise _validate.reject("correct", f"to be at most the number of guesses ({made})", right)
    if made > total:
        raise _validate.reject("guesses", f"to be at most the number of canaries ({total})", made)
    return _audit(total, [(made, right)], confidence)


def _from_guesses(truth: npt.NDArray[np.bool_], guesses: Any, confidence: float) -> OneRunAudit:
    signs = _signs(guesses, len(truth))
    made = int(np.count_nonzero(signs))
    if not made:
        raise _validate.reject("guesses", "to hold at least one guess", _validate.Shown("only abstentions"))
    right = int(np.sum((signs != 0) & ((signs > 0) == truth)))
    found = _audit(len(truth), [(made, right)], confidence)
    only_in = made < len(signs) and (signs >= 0).all()
    return replace(found, notes=(*found.notes, Told("note-only-in"))) if only_in else found


def _from_scores(truth: npt.NDArray[np.bool_], scores: Any, guess: Any, members: str, confidence: float) -> OneRunAudit:
    m = len(truth)
    if len(scores) != m:
        raise _validate.reject("scores", f"to have one number for each canary ({m})", len(scores))
    if guess is None:
        sizes = sorted({max(1, round(m / 2 / 2**i)) for i in range(7)})
        pairs = [(k, k) for k in sizes if 2 * k <= m] or [(1, 0)]
    else:
        several = isinstance(guess, (list, tuple)) or np.ndim(guess) > 0
        given = [_validate.count("guess", one, 0) for one in (guess if several else (guess, guess))]
        if len(given) != 2:
            raise _validate.reject("guess", "to be a number or a pair of numbers", guess)
        pairs = [(given[0], given[1])]
        if not 0 < sum(pairs[0]) <= m:
            raise _validate.reject("guess", f"to make between 1 and {m} guesses in all", guess)
    # break ties at random: the order of the canaries may reveal the coins (say, if included ones come first)
    shuffled = np.random.default_rng(m).permutation(m)
    tried = []
    for sign in {"higher": (1,), "lower": (-1,), "either": (1, -1)}[members]:
        order = shuffled[np.argsort(-sign * scores[shuffled], kind="stable")]
        for high, low in pairs:
            right = int(truth[order[:high]].sum()) + int((~truth[order[m - low :]]).sum())
            tried.append((high + low, right))
    return _audit(m, tried, confidence)


def _audit(canaries: int, tried: list[tuple[int, int]], confidence: float) -> OneRunAudit:
    """The audit of several (guesses, correct) of one run, represented by the pair that proves most."""
    alone = [OneRunAudit(canaries=canaries, guesses=r, correct=c, confidence=confidence) for r, c in tried]
    best = max(alone, key=lambda one: one.epsilon) if len(tried) > 1 else alone[0]
    menu = tuple(tried) if len(tried) > 1 else ()
    notes = _reversed(tried, min(1 - confidence, 1e-3) / len(tried))
    return replace(best, tries=len(tried), menu=menu, notes=notes)


def _reversed(tried: list[tuple[int, int]], error: float) -> tuple[str, ...]:
    """A note if guesses are wrong significantly more often than by chance; the guesses stay as they are."""
    wrong = [_binomial_tail(right, made) for made, right in tried]
    if any(_binomial_tail(made - right, made) < error for made, right in tried) or min(wrong) >= error:
        return ()
    made, right = tried[int(np.argmin(wrong))]
    return (Told("note-reversed-guesses", right=right, made=made),)


def _binomial_tail(right: int, made: int) -> float:
    """The chance of at most ``right`` correct guesses out of ``made`` by tossing a fair coin."""
    return float(betainc(made - right, right + 1, 0.5)) if right < made else 1.0


def _unused(name: str, **others: Any) -> None:
    """Refuse redundant arguments, one of which would be ignored."""
    for other, value in others.items():
        if value is not None:
            raise _validate.reject_type(other, f"not to be given with {name}", value, "See the three ways to call it.")


def _truth(included: Any, unfair: float = 1e-4) -> npt.NDArray[np.bool_]:
    """Which canaries were included; refuses a share that fair coins would show with a chance below ``unfair``."""
    rule = "to say of each canary whether it was put in"
    if included is None:
        remedy = "Give included with guesses or scores, or the counts correct, guesses and canaries."
        raise _validate.reject_type("included", rule, None, remedy)
    if np.ma.is_masked(included):
        raise _validate.reject("included", rule, _validate.Shown("masked ones"))
    try:
        array = np.asarray(included)
    except ValueError:
        raise _validate.reject_type("included", "to hold one truth value for each canary", included) from None
    if array.ndim != 1 or not len(array):
        raise _validate.reject("included", "to hold one truth value for each canary", included)
    if array.dtype != bool:
        numbers = _validate.as_array("included", array, "0 or 1")
        _only("included", numbers, (0, 1), "to hold 0 (left out) and 1 (put in)")
        array = numbers == 1
    put, m = int(array.sum()), len(array)
    if 2 * _binomial_tail(min(put, m - put), m) < unfair:
        remedy = "Where most are put in (or left out) guesses are right without any leak: the bounds do not hold."
        shown = _validate.Shown(f"{put} of {m} put in")
        raise _validate.reject("included", "to come from a fair coin for each canary", shown, remedy)
    return array


def _signs(guesses: Any, canaries: int) -> npt.NDArray[np.float64]:
    """The guesses as 1, −1 or 0."""
    array = np.asarray(guesses)
    if array.dtype == bool:
        array = np.where(array, 1.0, -1.0)
    signs = _validate.as_array("guesses", array, "1 (in), -1 (out) or 0 (no guess)")
    if signs.shape != (canaries,):
        rule = f"to have one entry for each canary ({canaries})"
        raise _validate.reject("guesses", rule, _validate.Shown(f"{signs.shape}"))
    _only("guesses", signs, (-1, 0, 1), "to hold 1 (in), -1 (out) and 0 (no guess)")
    return signs


def _only(name: str, numbers: npt.NDArray[np.float64], allowed: tuple[int, ...], rule: str) -> None:
    bad = numbers[~np.isin(numbers, allowed)]
    if len(bad):
        raise _validate.reject(name, rule, float(bad[0]))
