"""From guesses or scores about canaries to what they prove."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens.auditing.one_run import OneRunAudit
from dplens.auditing.scores import check_confidence, checked_scores

_MENU = 7  # numbers of guesses that are tried if none is fixed


def audit_one_run(
    *,
    included: Any = None,
    guesses: Any = None,
    scores: Any = None,
    correct: int | None = None,
    canaries: int | None = None,
    guess: int | Sequence[int] | None = None,
    confidence: float = 0.95,
) -> OneRunAudit:
    """What one training run with many canaries proves (Steinke, Nasr & Jagielski 2023; Mahloujifar et al. 2024).

    Each canary must have been put in by a fair coin of its own, and the attacker must not have seen the coins.
    Three ways to give what happened:

    * ``included`` (a truth value for each canary) and ``guesses``: 1 or True for "in", −1 for "out", 0 for no guess
      (with booleans every canary is guessed);
    * ``included`` and ``scores``, higher for "in"; ``guess`` fixes beforehand how many of the highest scores are
      guessed "in" and as many of the lowest "out" (or a pair of both numbers). Without it several numbers are tried,
      each with its share of the error;
    * ``correct`` right ones of ``guesses`` guesses (both counts), out of ``canaries``.

    How many guesses are made must not depend on the outcome of the run: fix it before (or leave it to ``scores``).
    """
    level = check_confidence(confidence)
    if correct is not None:
        made = _validate.count("guesses", guesses)
        right = _validate.count("correct", correct, 0)
        total = made if canaries is None else _validate.count("canaries", canaries)
        if right > made:
            raise _validate.reject("correct", f"to be at most the number of guesses ({made})", right)
        if made > total:
            raise _validate.reject("guesses", f"to be at most the number of canaries ({total})", made)
        return OneRunAudit(canaries=total, guesses=made, correct=right, confidence=level)
    if included is None:
        remedy = "Give included with guesses or scores, or the counts correct, guesses and canaries."
        raise _validate.reject_type("included", "to say of each canary whether it was put in", None, remedy)
    truth = _truth(included)
    if (guesses is None) == (scores is None):
        raise _validate.reject_type("guesses", "or scores to be given, not both", _validate.Shown("both or none"))
    if guesses is not None:
        said = _guesses(guesses, len(truth))
        made = int(np.count_nonzero(said))
        if not made:
            raise _validate.reject("guesses", "to hold at least one guess", _validate.Shown("only abstentions"))
        right = int(np.sum((said != 0) & ((said > 0) == truth)))
        return OneRunAudit(canaries=len(truth), guesses=made, correct=right, confidence=level)
    values = checked_scores("scores", scores)
    if len(values) != len(truth):
        raise _validate.reject("scores", f"to have one number for each canary ({len(truth)})", len(values))
    return _from_scores(truth, values, guess, level)


def _from_scores(truth: npt.NDArray[np.bool_], scores: Any, guess: Any, confidence: float) -> OneRunAudit:
    m = len(truth)
    if guess is None:
        sizes = sorted({max(1, round(m / 2 / 2**i)) for i in range(_MENU)})
        pairs = [(k, k) for k in sizes if 2 * k <= m] or [(1, 0)]
    else:
        given = (guess, guess) if np.ndim(guess) == 0 else tuple(guess)  # pyright: ignore[reportArgumentType]
        if len(given) != 2:
            raise _validate.reject("guess", "to be a number or a pair of numbers", guess)
        pairs = [(_validate.count("guess", given[0], 0), _validate.count("guess", given[1], 0))]
        if not 0 < sum(pairs[0]) <= m:
            raise _validate.reject("guess", f"to make between 1 and {m} guesses in all", guess)
    # equal scores in an order of our own: that of the canaries may know the coins (those put in listed first, say)
    shuffled = np.random.default_rng(m).permutation(m)
    order = shuffled[np.argsort(-scores[shuffled], kind="stable")]
    tried = []
    for high, low in pairs:
        right = int(truth[order[:high]].sum()) + int((~truth[order[m - low :]]).sum())
        tried.append((high + low, right))
    best = max(tried, key=lambda t: OneRunAudit(canaries=m, guesses=t[0], correct=t[1], confidence=confidence).epsilon)
    return OneRunAudit(
        canaries=m,
        guesses=best[0],
        correct=best[1],
        confidence=confidence,
        tries=len(tried),
        menu=tuple(tried) if len(tried) > 1 else (),
    )


def _truth(included: Any) -> npt.NDArray[np.bool_]:
    array = np.asarray(included)
    if array.ndim != 1 or not len(array):
        raise _validate.reject("included", "to hold one truth value for each canary", included)
    if array.dtype != bool:
        numbers = _validate.as_array("included", array, "0 or 1")
        if not np.isin(numbers, (0, 1)).all():
            bad = numbers[~np.isin(numbers, (0, 1))][0]
            raise _validate.reject("included", "to hold 0 (left out) and 1 (put in)", float(bad))
        array = numbers == 1
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
