"""Sample sizes of audits: how many scores or canaries are needed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import bdtr, betainc
from scipy.stats import binom

from dplens import _validate
from dplens._validate import Floats
from dplens.auditing.bands import lower_band
from dplens.auditing.one_run import _Inverse, fewest_guesses
from dplens.auditing.scores import check_confidence, error_of_a_side
from dplens.curves.base import TradeOff
from dplens.errors import Undefined
from dplens.mechanisms.base import as_curve
from dplens.numerics.logits import from_logit
from dplens.numerics.roots import boundary
from dplens.registry import Result

_ALPHAS = from_logit(np.linspace(-12, 12, 97))[0]
_NODES = np.concatenate([[1e-9], np.linspace(0.002, 0.998, 120), [1 - 1e-9]])


@dataclass(frozen=True, kw_only=True)
class AuditPlan(Result):
    """The size of an audit; ``power`` is a lower bound on the probability that it refutes the claim if ``truth`` holds.

    n: the number of scores with the target and the same number without it, or the number of canaries. runs: calls of
    the mechanism in each world if half of them are used to learn the score. fpr: the false-positive rate at which the
    attack is decisive. guesses and accuracy: for canaries, the number of guesses and the share that are correct.
    """

    n: int
    power: float
    confidence: float
    fpr: float = math.nan
    guesses: int = 0
    accuracy: float = math.nan

    @property
    def runs(self) -> int:
        """Runs in each world if the score is learned on one half and tested on the other."""
        return 2 * self.n


def plan_audit(truth: Any, claim: Any, *, power: float = 0.8, confidence: float = 0.95) -> AuditPlan:
    """The number of scores on each side that refutes a false claim with the given probability.

    truth: the actual release, a mechanism or a curve. claim: the claimed one. The plan assumes the optimal score and
    the band of :func:`audit`. A lower bound of x on mu is a refutation of ``GaussianDP(mu=x)``, and a lower
    bound of x on epsilon is one of ``ApproximateDP(epsilon=x)``.

    >>> import dplens as dl
    >>> plan = dl.plan_audit(dl.Laplace(scale=0.5), dl.Laplace(scale=1.0))
    >>> 100 < plan.n < 400 and plan.power >= 0.8
    True
    """
    level, wanted = check_confidence(confidence), _validate.open_probability("power", power)
    real, said = as_curve(truth, "truth"), as_curve(claim, "claim")
    reached = real.power_bounds(_ALPHAS, 1 - _ALPHAS).lo
    if not (reached > np.asarray(said.power(_ALPHAS))).any():
        raise Undefined(
            "No number of scores is enough: the truth leaks nowhere more than the claim allows, so an honest audit "
            "does not refute it."
        )

    def chance(n: int) -> tuple[float, float]:
        found = _refuting(n, _ALPHAS, reached, said, level)
        return float(found.max()), float(_ALPHAS[int(found.argmax())])

    n, (found, fpr) = _least(chance, wanted, start=8, most=10**8)
    return AuditPlan(n=n, power=found, confidence=level, fpr=fpr)


def _refuting(n: int, alphas: Floats, reached: Floats, claim: TradeOff, confidence: float) -> Floats:
    """For each rate, a lower bound on the chance that the counts at this single threshold refute the claim."""
    band = lower_band(n, error_of_a_side(confidence))
    # group the false positives into blocks and judge each by its largest count
    fp = np.minimum(binom.ppf(_NODES[:, None], n, alphas[None, :]), n)
    mass = np.diff(np.vstack([np.zeros_like(alphas), bdtr(fp, n, alphas[None, :])]), axis=0)
    allowed = np.asarray(claim.power(np.minimum(band.above(fp.astype(np.int64)), 1.0).ravel())).reshape(fp.shape)
    at = np.searchsorted(band.bounds, allowed, side="right")
    enough = at < len(band.ranks)
    k = band.ranks[np.minimum(at, len(band.ranks) - 1)].astype(float)
    reach = np.where(enough, betainc(k, n - k + 1, reached[None, :]), 0.0)
    return np.sum(mass * reach, axis=0)


def plan_one_run(
    claim: Any,
    *,
    truth: Any = None,
    accuracy: float | None = None,
    share: float = 1.0,
    power: float = 0.8,
    confidence: float = 0.95,
) -> AuditPlan:
    """The number of canaries that one run needs to refute a claim.

    share: the share of canaries that are guessed, the most certain first. accuracy: the probability that such a guess
    is correct; or pass ``truth``, a mechanism or curve whose best attacker makes the guesses.

    >>> import dplens as dl
    >>> dl.plan_one_run(dl.ApproximateDP(epsilon=1.0), accuracy=0.9).n < 100
    True
    """
    level, wanted = check_confidence(confidence), _validate.open_probability("power", power)
    part = _validate.real("share", share, "in (0, 1]", lambda x: 0 < x <= 1)
    if (truth is None) == (accuracy is None):
        raise _validate.reject_type("truth", "or accuracy to be given, not both", _validate.Shown("both or none"))
    if accuracy is None:
        right = _accuracy(as_curve(truth, "truth"), part)
    else:
        right = _validate.real("accuracy", accuracy, "in (1/2, 1]", lambda x: 0.5 < x <= 1)
    said = as_curve(claim, "claim")
    bound = _Inverse(said)
    # no number of guesses refutes a claim that allows their accuracy for a single guess
    if right <= _accuracy(said, part) + 1e-12:
        raise Undefined(
            f"No number of canaries is enough: guesses that are right with probability {right:.4g} are allowed."
        )

    def chance(m: int) -> tuple[float, float]:
        r = max(1, round(part * m))
        c = fewest_guesses(bound, claim, m, r, 1 - level)
        return (float(betainc(c, r - c + 1, right)) if c <= r and right < 1 else float(c <= r)), right

    m, (found, _) = _least(chance, wanted, start=4, most=2**18)
    return AuditPlan(n=m, power=found, confidence=level, guesses=max(1, round(part * m)), accuracy=right)


def _accuracy(curve: TradeOff, share: float) -> float:
    """The accuracy of guessing the likeliest members and non-members, each ``share``/2 of all canaries."""
    fpr = boundary(lambda alpha: alpha + curve.power(alpha) >= share, 1.0, 0.0)
    power = curve.power(fpr)
    return power / (fpr + power) if power > 0 else 0.5


def _least(chance: Callable[[int], tuple[float, float]], wanted: float, start: int, most: int) -> Any:
    """The smallest n, to within 2 %, that reaches the wanted chance, and the chance there."""
    low, high = start // 2, start
    while (found := chance(high))[0] < wanted:
        low, high = high, 2 * high
        if high > most:
            raise Undefined(
                f"{low} are not enough: the chance to refute the claim is then {found[0]:.3g}, {wanted:g} is wanted. "
                "Truth and claim are too close for this audit."
            )
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        at = chance(middle)
        if at[0] >= wanted:
            high, found = middle, at
        else:
            low = middle
    return high, found
