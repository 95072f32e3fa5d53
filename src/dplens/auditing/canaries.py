"""From guesses or scores about canaries to what they prove."""

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
from dplens.auditing.scores import MEMBERS, check_confidence, checked_scores, sample_size
from dplens.errors import DplensWarning

_MENU = 7  # numbers of guesses that are tried if none is fixed
_ODD = 1e-3  # so few right guesses that chance has them so rarely are told
_UNFAIR = 1e-4  # coins that fair ones would show so rarely are taken for unfair


_ONLY_IN = (
    "No canary was guessed to be out: a guess of 0 is taken for none. If 0 was to say so, pass truth values, or −1 in "
    "its place."
)


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
    """What one training run with many canaries proves (Steinke, Nasr & Jagielski 2023; Mahloujifar et al. 2024).

    Each canary must have been put in by a fair coin of its own, and the attacker must not have seen the coins.
    Three ways to give what happened:

    * ``included`` (a truth value for each canary) and ``guesses``: 1 or True for "in", −1 for "out", 0 for no guess
      (with booleans every canary is guessed);
    * ``included`` and ``scores``, higher for "in" (or as ``members`` says, as in :func:`audit`). ``guess`` fixes before
      how many of the highest scores are guessed "in" and as many of the lowest "out" (or a pair of both numbers).
      Without it several numbers are tried, each with its share of the error. ``scores`` may be the path of a CSV or
      Parquet file with a row for each canary: ``column`` names its scores, and ``included`` the column of truth values
      (by default "included");
    * ``correct`` right ones of ``guesses`` guesses (both counts), out of ``canaries``.

    How many guesses are made must not depend on the outcome of the run: fix it before (or leave it to ``scores``).

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
        made = sample_size("guesses", guesses)
        right = _validate.count("correct", correct, 0)
        total = made if canaries is None else sample_size("canaries", canaries)
        if right > made:
            raise _validate.reject("correct", f"to be at most the number of guesses ({made})", right)
        if made > total:
            raise _validate.reject("guesses", f"to be at most the number of canaries ({total})", made)
        return _told(_audit(total, [(made, right)], level))
    if isinstance(scores, (str, Path)):
        from dplens.auditing.on_disk import canaries_from_file

        _unused("scores", guesses=guesses)
        if included is not None and not isinstance(included, str):
            rule = "to name the column of truth values where scores are in a file"
            raise _validate.reject_type("included", rule, included)
        included, scores = canaries_from_file(scores, included or "included", column)
    if included is None:
        remedy = "Give included with guesses or scores, or the counts correct, guesses and canaries."
        raise _validate.reject_type("included", "to say of each canary whether it was put in", None, remedy)
    truth = _truth(included)
    if canaries is not None and _validate.count("canaries", canaries) != len(truth):
        raise _validate.reject("canaries", f"to be as many as included has ({len(truth)})", canaries)
    if (guesses is None) == (scores is None):
        raise _validate.reject_type("guesses", "or scores to be given, not both", _validate.Shown("both or none"))
    if guesses is not None:
        _unused("guesses", guess=guess)
        said = _guesses(guesses, len(truth))
        made = int(np.count_nonzero(said))
        if not made:
            raise _validate.reject("guesses", "to hold at least one guess", _validate.Shown("only abstentions"))
        right = int(np.sum((said != 0) & ((said > 0) == truth)))
        found = _audit(len(truth), [(made, right)], level)
        if made < len(said) and (said >= 0).all():
            found = replace(found, notes=(*found.notes, _ONLY_IN))
        return _told(found)
    values = checked_scores("scores", scores)
    if len(values) != len(truth):
        raise _validate.reject("scores", f"to have one number for each canary ({len(truth)})", len(values))
    return _told(_from_scores(truth, values, guess, members, level))


def _from_scores(truth: npt.NDArray[np.bool_], scores: Any, guess: Any, members: str, confidence: float) -> OneRunAudit:
    m = len(truth)
    if guess is None:
        sizes = sorted({max(1, round(m / 2 / 2**i)) for i in range(_MENU)})
        pairs = [(k, k) for k in sizes if 2 * k <= m] or [(1, 0)]
    else:
        several = isinstance(guess, (list, tuple)) or (isinstance(guess, np.ndarray) and guess.ndim > 0)
        given = tuple(guess) if several else (guess, guess)
        if len(given) != 2:
            raise _validate.reject("guess", "to be a number or a pair of numbers", guess)
        pairs = [(_validate.count("guess", given[0], 0), _validate.count("guess", given[1], 0))]
        if not 0 < sum(pairs[0]) <= m:
            raise _validate.reject("guess", f"to make between 1 and {m} guesses in all", guess)
    # equal scores in an order of our own: that of the canaries may know the coins (those put in listed first, say)
    shuffled = np.random.default_rng(m).permutation(m)
    tried = []
    for sign in {"higher": (1,), "lower": (-1,), "either": (1, -1)}[members]:
        order = shuffled[np.argsort(-sign * scores[shuffled], kind="stable")]
        for high, low in pairs:
            right = int(truth[order[:high]].sum()) + int((~truth[order[m - low :]]).sum())
            tried.append((high + low, right))
    return _audit(m, tried, confidence)


def _audit(canaries: int, tried: list[tuple[int, int]], confidence: float) -> OneRunAudit:
    """The audit of (guesses, correct) of the same run; the pair that proves most stands for it."""

    def alone(pair: tuple[int, int]) -> float:
        return OneRunAudit(canaries=canaries, guesses=pair[0], correct=pair[1], confidence=confidence).epsilon

    best = max(tried, key=alone) if len(tried) > 1 else tried[0]
    return OneRunAudit(
        canaries=canaries,
        guesses=best[0],
        correct=best[1],
        confidence=confidence,
        tries=len(tried),
        menu=tuple(tried) if len(tried) > 1 else (),
        notes=_reversed(tried, min(1 - confidence, _ODD) / len(tried)),
    )


def _reversed(tried: list[tuple[int, int]], error: float) -> tuple[str, ...]:
    """Says that guesses are wrong more often than by chance; turns nothing."""
    wrong = [_as_few(right, made) for made, right in tried]
    if any(_as_few(made - right, made) < error for made, right in tried) or min(wrong) >= error:
        return ()
    made, right = tried[int(np.argmin(wrong))]
    text = (
        f"The guesses look reversed: {right} of {made} were right, fewer than by blind guessing. Nothing was turned "
        "round, so nothing is proved. If the coins were written down the wrong way, exchange them; if a lower score "
        "speaks for a canary that was put in, say so by members (lower or higher), for a reason other than these "
        "results."
    )
    return (text,)


def _as_few(right: int, made: int) -> float:
    """The chance of so few right guesses or fewer, by blind guessing."""
    return float(betainc(made - right, right + 1, 0.5)) if right < made else 1.0


def _told(found: OneRunAudit) -> OneRunAudit:
    for note in found.notes:
        warnings.warn(note, DplensWarning, stacklevel=3)
    return found


def _unused(name: str, **others: Any) -> None:
    """Refuses what says the same a second time: one of the two would be ignored."""
    for other, value in others.items():
        if value is not None:
            raise _validate.reject_type(other, f"not to be given with {name}", value, "See the three ways to call it.")


def _truth(included: Any) -> npt.NDArray[np.bool_]:
    if np.ma.is_masked(included):
        raise _validate.reject(
            "included", "to say of each canary whether it was put in", _validate.Shown("masked ones")
        )
    try:
        array = np.asarray(included)
    except ValueError:
        raise _validate.reject_type("included", "to hold one truth value for each canary", included) from None
    if array.ndim != 1 or not len(array):
        raise _validate.reject("included", "to hold one truth value for each canary", included)
    if array.dtype != bool:
        numbers = _validate.as_array("included", array, "0 or 1")
        if not np.isin(numbers, (0, 1)).all():
            bad = numbers[~np.isin(numbers, (0, 1))][0]
            raise _validate.reject("included", "to hold 0 (left out) and 1 (put in)", float(bad))
        array = numbers == 1
    put, m = int(array.sum()), len(array)
    if 2 * _as_few(min(put, m - put), m) < _UNFAIR:
        remedy = "Where most are put in (or left out) guesses are right without any leak: the bounds do not hold."
        raise _validate.reject(
            "included", "to come from a fair coin for each canary", _validate.Shown(f"{put} of {m} put in"), remedy
        )
    return array


def _guesses(guesses: Any, canaries: int) -> npt.NDArray[np.float64]:
    array = np.asarray(guesses)
    if array.dtype == bool:
        array = np.where(array, 1.0, -1.0)
    said = _validate.as_array("guesses", array, "1 (in), -1 (out) or 0 (no guess)")
    if said.shape != (canaries,):
        raise _validate.reject(
            "guesses", f"to have one entry for each canary ({canaries})", _validate.Shown(f"{said.shape}")
        )
    if not np.isin(said, (-1, 0, 1)).all():
        bad = said[~np.isin(said, (-1, 0, 1))][0]
        raise _validate.reject("guesses", "to hold 1 (in), -1 (out) and 0 (no guess)", float(bad))
    return said
