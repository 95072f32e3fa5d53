"""Sentences for a review board: one for the attacker, one for the analyst; counts over one denominator."""

from __future__ import annotations

import math
from typing import Any

from dplens.decide.unreachable import number
from dplens.estimate import Estimate
from dplens.risk.base import Question, Requirement
from dplens.risk.bayes import MaxPosterior, Posterior
from dplens.risk.conversions import Delta, Epsilon, Mu
from dplens.risk.disclosure import FailureMode, RelativeRisk
from dplens.risk.rates import Advantage, AttackPower
from dplens.utility.base import AnalystTest

_FAILS = {
    FailureMode.NONE: "No output ever multiplies the odds by more than a fixed factor.",
    FailureMode.GRACEFUL: "Stronger evidence is possible, but the stronger the rarer, and none is proof.",
    FailureMode.CATASTROPHIC: "With some probability an output proves that a person is, or is not, in the data.",
    FailureMode.UNDETERMINED: "Whether stronger evidence is possible is not known.",
}


def question_words(q: Question) -> str:
    """What a question asks, for readers who have not met it before."""
    if isinstance(q, RelativeRisk):
        floor = f" that accuses at least {_percent(q.fpr)} of those who are not in the data" if q.fpr else ""
        return f"the factor by which any attack{floor} can raise a suspicion"
    if isinstance(q, AttackPower):
        return f"the share of members that an attack finds which accuses {_percent(q.fpr)} of non-members"
    if isinstance(q, Posterior):
        return (
            f"the certainty of an accusation on a suspicion of {_percent(q.prior)}, at {_percent(q.fpr)} false alarms"
        )
    if isinstance(q, MaxPosterior):
        return f"the greatest certainty of any accusation on a suspicion of {_percent(q.prior)}"
    if isinstance(q, Advantage):
        return "the attacker's advantage (true minus false alarms)"
    if isinstance(q, Mu):
        return "mu (Gaussian differential privacy)"
    if isinstance(q, Epsilon):
        return "epsilon" + (f" at delta {q.delta:g}" if q.delta else " (pure differential privacy)")
    if isinstance(q, Delta):
        return f"delta at epsilon {q.epsilon:g}"
    return repr(q)


def limit_words(r: Requirement) -> str:
    """A requirement for the same readers."""
    side = "at most" if r.question.more_is_riskier else "at least"
    return f"{question_words(r.question)} is {side} {number(r.bound)}"


def rounded_up(x: float) -> str:
    """A risk with three digits, rounded towards more of it."""
    if not math.isfinite(x) or x <= 0:
        return "unbounded" if x > 0 else "0"
    unit = 10.0 ** (math.floor(math.log10(x)) - 2)
    return f"{math.ceil(x / unit - 1e-6) * unit:.3g}"


def rounded_down(power: float) -> str:
    """A power in percent, rounded down, with more digits where it is near 1."""
    digits = 0 if power < 0.99 else 1 if power < 0.999 else 2
    return f"{math.floor(100 * power * 10**digits + 1e-6) / 10**digits:.{digits}f} %"


def attacker_sentence(mechanism: Any, mode: FailureMode, prior: float, fpr: float) -> str:
    """What an accusation is worth without and with the release; rounded towards more risk."""
    posterior = float(Posterior(prior=prior, fpr=fpr).of(mechanism))
    out_of = 100 if math.ceil(100 * posterior - 1e-9) > math.floor(100 * prior + 1e-9) + 1 else 1000
    while out_of * prior < 1 and out_of < 10**12:  # a baseline of nobody hides what is added to it
        out_of *= 10
    before, after = math.floor(out_of * prior + 1e-9), min(math.ceil(out_of * posterior - 1e-9), out_of)
    said = (
        f"Of {out_of:,} people accused on a suspicion of {_percent(prior)}, an attacker who accuses {_percent(fpr)} of "
        f"those who are not in the data is right about {before:,} without the release, and about "
        f"{after:,} with it."
    )
    # what fails catastrophically says so first
    return f"{_FAILS[mode]} {said}" if mode is FailureMode.CATASTROPHIC else f"{said} {_FAILS[mode]}"


def analyst_sentence(test: AnalystTest, power: Estimate, without: Estimate) -> str:
    """How often the planned effect is found; rounded down."""
    return (
        f"Of 100 studies of this plan in which the effect is {test.effect:g}, about {_of_100(power)} find it through "
        f"the noise, and {_of_100(without)} would without noise; where there is no effect, at most "
        f"{_percent(test.level)} of studies claim one."
    )


def _of_100(power: Estimate) -> int:
    return math.floor(100 * float(power) + 1e-9)


def _percent(x: float) -> str:
    return f"{100 * x:.6g} %"
