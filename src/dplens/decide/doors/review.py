"""Sentences for a review board, one about the attacker and one about the analyst, as counts out of 100."""

from __future__ import annotations

import math
from typing import Any

from dplens.analyst.planning.protection import Spent
from dplens.analyst.tests.base import AnalystTest
from dplens.decide.calibration.unreachable import Unreachable, number
from dplens.decide.doors.decision import amount
from dplens.estimate import Estimate
from dplens.risk.base import Question, Requirement
from dplens.risk.bayes import Posterior
from dplens.risk.disclosure import FailureMode
from dplens.telling import Figure, Told

_SEARCHED = 1e-6  # percent: error of a searched power, which may fall just short of a round number


def limit_words(r: Requirement) -> Told:
    """A requirement in words."""
    more = "yes" if r.question.more_is_riskier else "no"
    return Told("decide-limit-one", question=r.question, more=more, bound=bound_words(r.question, r.bound))


def unreachable_words(error: Unreachable) -> str:
    """Why no amount of noise meets a limit."""
    r = error.requirement
    if error.value is None:  # earlier releases have used it up, or guessing alone reaches it
        return str(error)
    asked = {"question": r.question, "more": "yes" if r.question.more_is_riskier else "no"}
    reached = {
        "nearest": towards_risk(r.question, error.nearest),
        "endless": "no" if math.isfinite(error.nearest) else "yes",
    }
    return Told("decide-unreachable", bound=bound_words(r.question, r.bound), **asked, **reached)


def bound_words(q: Question, bound: float) -> Figure:
    """A limit as it was given, a share of people in percent."""
    return Figure(f"{number(100 * bound)} %" if q.is_share else number(bound))


def towards_risk(q: Question, x: float) -> Figure:
    """An answer with three digits, rounded towards higher risk; a share of people in percent."""
    if q.is_share:
        return Figure(f"{three_digits(100 * x, up=q.more_is_riskier)} %")
    return three_digits(x, up=q.more_is_riskier)


def three_digits(x: float, *, up: bool = True) -> Figure:
    """A number with three digits, rounded up or down."""
    if not math.isfinite(x) or x <= 0:
        return Figure("∞" if x > 0 else "0")
    return Figure(amount(x, at_least=up, digits=3))


def rounded_down(power: float, digits: int | None = None) -> Figure:
    """A power in percent, rounded down; by default with more digits near 1."""
    if digits is None:
        digits = 0 if power < 0.99 else 1 if power < 0.999 else 2
    shown = math.floor((100 * power + _SEARCHED) * 10**digits) / 10**digits
    return Figure(f"{shown:.{digits}f} %" if shown < 100 or power >= 1 else "99.99 %")


def power_without_noise(without: Estimate) -> Figure:
    """The power without noise in percent: one number, or a range if it is simulated."""
    low, high = percents(without)
    if low < high:
        return Figure(f"{low}–{high} %")
    return rounded_down(without.low, 1 if without.low < 0.99 else None)


def percents(power: Estimate) -> tuple[int, int]:
    """Whole percents around a power; twice the nearest one if it is known to a tenth of a percent."""
    if power.high - power.low < 1e-3:
        return round(100 * power.low), round(100 * power.low)
    return math.floor(100 * power.low + _SEARCHED), min(math.ceil(100 * power.high - _SEARCHED), 100)


def needed_power(power: float) -> Figure:
    """A required power in percent, never 100."""
    shown = f"{100 * power:.4g} %"
    return Figure(shown if shown != "100 %" else f"{100 * power:.12g} %")


def attacker_sentence(mechanism: Any, mode: FailureMode, prior: float, fpr: float, spent: Spent) -> Told:
    """How often named people are in the data, by chance and with the release, rounded towards higher risk.

    spent: earlier releases, if ``mechanism`` includes them. A possible proof comes first.
    """
    posterior = float(Posterior(prior=prior, fpr=fpr).of(mechanism))
    out_of = 100 if math.ceil(100 * posterior - 1e-9) > math.floor(100 * prior + 1e-9) + 1 else 1000
    while out_of * prior < 1 and out_of < 10**12:  # avoid a baseline of 0 people
        out_of *= 10
    before, after = math.floor(out_of * prior + 1e-9), min(math.ceil(out_of * posterior - 1e-9), out_of)
    rates = {"prior": _percent(prior), "fpr": _percent(fpr)}
    said = Told("decide-attacker", out_of=out_of, before=before, after=after, **rates, **spent.told)
    worst = Told("decide-worst", failure=mode.value)
    return Told("several", sentences=[worst, said] if mode is FailureMode.CATASTROPHIC else [said, worst])


def analyst_sentence(test: AnalystTest, power: Estimate, without: Estimate) -> Told:
    """How often the planned effect is found, with the noise (rounded down) and without."""
    after = min(math.floor(100 * float(power) + _SEARCHED), 100 if power >= 1 else 99)
    low, high = percents(without)
    before = Figure(f"{low}" if low == high else f"{low}–{high}")
    more = {"odd": "yes" if after > high else "no", "level": _percent(test.level)}
    return Told("decide-analyst", effect=Figure(f"{test.effect:g}"), after=after, before=before, **more)


def _percent(x: float) -> Figure:
    return Figure(f"{100 * float(x):.6g} %")
