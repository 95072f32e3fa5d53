"""Sentences for a review board, one about the attacker and one about the analyst, as counts out of 100."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dplens.analyst.tests.base import AnalystTest
from dplens.decide.calibration.unreachable import number
from dplens.decide.doors.decision import amount
from dplens.estimate import Estimate
from dplens.registry import docstring_phrase
from dplens.risk.base import Question, Requirement
from dplens.risk.bayes import Accuracy, Cost, FScore, MaxPosterior, Posterior, PosteriorAfterNegative, Precision
from dplens.risk.conversions import Delta, Epsilon, Mu, Renyi
from dplens.risk.disclosure import FailureMode, RelativeRisk
from dplens.risk.rates import AUC, Advantage, AttackPower, MinFPR

_FAILS = {
    FailureMode.NONE: "No output ever multiplies the odds by more than a fixed factor.",
    FailureMode.GRACEFUL: "Stronger evidence is possible, but the stronger the rarer, and none is proof.",
    FailureMode.CATASTROPHIC: "With some probability an output proves that a person is, or is not, in the data.",
    FailureMode.UNDETERMINED: "Whether stronger evidence is possible is not known.",
}

_SEARCHED = 1e-6  # percent: error of a searched power, which may fall just short of a round number

_WORDS: dict[type[Question], Callable[[Any], str]] = {
    RelativeRisk: lambda q: (
        "the factor by which any attack"
        + (f" that accuses at least {_percent(q.fpr)} of those who are not in the data" if q.fpr else "")
        + " can raise a suspicion"
        + (f" of {_percent(q.prior)}" if q.prior else "")
    ),
    AttackPower: lambda q: f"the share of members that an attack finds which accuses {_percent(q.fpr)} of non-members",
    Posterior: lambda q: (
        f"the certainty of an accusation on a suspicion of {_percent(q.prior)}, at {_percent(q.fpr)} false alarms"
    ),
    MaxPosterior: lambda q: f"the greatest certainty of any accusation on a suspicion of {_percent(q.prior)}",
    PosteriorAfterNegative: lambda q: (
        f"the doubt that is left when someone under a suspicion of {_percent(q.prior)} is cleared, at "
        f"{_percent(q.fpr)} false alarms"
    ),
    Precision: lambda q: (
        f"the share of right accusations, on suspicions of {_percent(q.prior)}, when {_percent(q.recall)} of members "
        "are found"
    ),
    Accuracy: lambda q: f"the share of right decisions on suspicions of {_percent(q.prior)}",
    FScore: lambda q: f"the best F-score (weight {q.weight:g}) on suspicions of {_percent(q.prior)}",
    Cost: lambda q: f"the attacker's least expected cost on suspicions of {_percent(q.prior)}",
    MinFPR: lambda q: f"the share of non-members that is accused by an attack that misses {_percent(q.fnr)} of members",
    AUC: lambda q: "the area under the attacker's ROC curve",
    Advantage: lambda q: "the attacker's advantage (true minus false alarms)",
    Mu: lambda q: "mu (Gaussian differential privacy)",
    Epsilon: lambda q: "epsilon" + (f" at delta {q.delta:g}" if q.delta else " (pure differential privacy)"),
    Delta: lambda q: f"delta at epsilon {q.epsilon:g}",
    Renyi: lambda q: f"the Rényi divergence of order {q.order:g}",
}


def question_words(q: Question) -> str:
    """A question in words, for readers who do not know it."""
    return _WORDS[type(q)](q) if type(q) in _WORDS else docstring_phrase(q)


def limit_words(r: Requirement) -> str:
    """A requirement in words."""
    side = "at most" if r.question.more_is_riskier else "at least"
    return f"{question_words(r.question)} is {side} {number(r.bound)}"


def towards_risk(q: Question, x: float) -> str:
    """An answer with three digits, rounded towards higher risk."""
    return _three_digits(x, up=q.more_is_riskier)


def rounded_up(x: float) -> str:
    """A risk with three digits, rounded up."""
    return _three_digits(x, up=True)


def _three_digits(x: float, *, up: bool) -> str:
    if not math.isfinite(x) or x <= 0:
        return "unbounded" if x > 0 else "0"
    return amount(x, at_least=up, digits=3)


def rounded_down(power: float, digits: int | None = None) -> str:
    """A power in percent, rounded down; by default with more digits near 1."""
    if digits is None:
        digits = 0 if power < 0.99 else 1 if power < 0.999 else 2
    shown = math.floor((100 * power + _SEARCHED) * 10**digits) / 10**digits
    return f"{shown:.{digits}f} %" if shown < 100 or power >= 1 else "more than 99.99 %"


def power_without_noise(without: Estimate) -> str:
    """The power without noise in percent: one number, or a range if it is simulated."""
    low, high = percents(without)
    if low < high:
        return f"between {low} and {high} %"
    return rounded_down(without.low, 1 if without.low < 0.99 else None)


def percents(power: Estimate) -> tuple[int, int]:
    """Whole percents around a power; twice the nearest one if it is known to a tenth of a percent."""
    if power.high - power.low < 1e-3:
        return round(100 * power.low), round(100 * power.low)
    return math.floor(100 * power.low + _SEARCHED), min(math.ceil(100 * power.high - _SEARCHED), 100)


def needed_power(power: float) -> str:
    """A required power in percent, never 100."""
    shown = f"{100 * power:.4g} %"
    return shown if shown != "100 %" else "more than 99.99 %"


def attacker_sentence(mechanism: Any, mode: FailureMode, prior: float, fpr: float, spent: str = "") -> str:
    """The reliability of an accusation without and with the release, rounded towards higher risk.

    spent: names of earlier released values, if ``mechanism`` includes their releases.
    """
    posterior = float(Posterior(prior=prior, fpr=fpr).of(mechanism))
    out_of = 100 if math.ceil(100 * posterior - 1e-9) > math.floor(100 * prior + 1e-9) + 1 else 1000
    while out_of * prior < 1 and out_of < 10**12:  # avoid a baseline of 0 people
        out_of *= 10
    before, after = math.floor(out_of * prior + 1e-9), min(math.ceil(out_of * posterior - 1e-9), out_of)
    said = (
        f"Of {out_of:,} people accused on a suspicion of {_percent(prior)}, an attacker who accuses {_percent(fpr)} of "
        f"those who are not in the data is right about {before:,} without the release, and about "
        f"{after:,} with it{f' and the release of {spent}' if spent else ''}."
    )
    # catastrophic failure comes first
    return f"{_FAILS[mode]} {said}" if mode is FailureMode.CATASTROPHIC else f"{said} {_FAILS[mode]}"


def analyst_sentence(test: AnalystTest, power: Estimate, without: Estimate) -> str:
    """How often the planned effect is found, with the noise (rounded down) and without."""
    after = min(math.floor(100 * float(power) + _SEARCHED), 100 if power >= 1 else 99)
    low, high = percents(without)
    before = f"{low}" if low == high else f"between {low} and {high}"
    more = " (a count without noise cannot use up all of its level)" if after > high else ""
    return (
        f"Of 100 studies of this plan in which the effect is {test.effect:g}, about {after} find it through "
        f"the noise, and {before} would without noise{more}; where there is no effect, at most "
        f"{_percent(test.level)} of studies claim one."
    )


def _percent(x: float) -> str:
    return f"{100 * float(x):.6g} %"
