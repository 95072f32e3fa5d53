"""Errors about requirements that cannot be met and families that misbehave; the range of a question's answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from dplens import _validate
from dplens.curves.base import TradeOff
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.errors import DplensError, Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.base import as_curve
from dplens.mechanisms.guarantees import approximate_dp_curve
from dplens.risk.base import Question, Requirement
from dplens.risk.bayes import MaxPosterior, PosteriorAfterNegative, Precision
from dplens.risk.disclosure import FailureMode, failure_mode

_RARER: dict[type[Question], str] = {
    Precision: "at a recall above {}",
    MaxPosterior: "Posterior at a false-positive rate above {}",
    PosteriorAfterNegative: "with 1 − fpr above {}",
}


class Unreachable(Undefined):
    """No parameter provably meets a requirement.

    ``requirement`` is the one that fails, ``nearest`` the nearest bound that can be met, ``value`` the parameter that
    meets it (``None`` if no release can do better, or if releases that do not depend on the parameter exhaust the
    bound).

    >>> import dplens as dl
    >>> try:
    ...     dl.calibrate(lambda e: dl.Laplace(scale=1 / e), meet=[dl.FScore().at_most(0.6)])
    ... except dl.Unreachable as why:
    ...     print(round(why.nearest, 6))
    0.666667
    """

    # defaults, so that errors can be pickled

    def __init__(self, message: str, requirement: Any = None, nearest: float = math.nan, value: Any = None) -> None:
        super().__init__(message)
        self.requirement: Requirement = requirement
        self.nearest = nearest
        self.value: float | None = value


class Unrestricted(Undefined):
    """Every parameter meets the requirements; risk grows towards ``end``, None if no answer changed."""

    def __init__(self, message: str, end: float | None = None) -> None:
        super().__init__(message)
        self.end = end


class FamilyError(DplensError, ValueError):
    """A family is not monotone, lacks a curve, or raises at the parameter ``value``."""

    def __init__(self, message: str, value: float = math.nan) -> None:
        super().__init__(message)
        self.value = value


def ends(question: Question) -> tuple[Estimate, Estimate]:
    """The answers for a release that reveals nothing and for one that reveals everything."""
    try:
        return _ends(question)
    except TypeError:  # an unhashable question
        return _ends.__wrapped__(question)


@lru_cache(maxsize=256)
def _ends(question: Question) -> tuple[Estimate, Estimate]:
    return question.of(approximate_dp_curve(0.0, 0.0)), question.of(approximate_dp_curve(math.inf, 0.0))


def natural_scale(question: Question) -> Callable[[float], float]:
    """An increasing function of risk: log of the distance from perfect privacy over the distance to none.

    On this scale most answers are nearly linear in the log of the parameter, which makes searches short. It only guides
    them; whether a requirement is met is decided by the answer itself.
    """
    least, most = map(float, ends(question))

    sign = 1 if most > least else -1

    def scale(answer: float) -> float:
        done, left = sign * (answer - least), sign * (most - answer) if math.isfinite(most) else 1.0
        if left <= 0 or math.isinf(done):
            return math.inf if done > 0 else -math.inf
        return math.log(done) - math.log(left) if done > 0 else -math.inf

    return scale


def breaks(answer: Estimate, r: Requirement) -> bool:
    """Whether an answer provably breaks a bound."""
    return answer.low > r.bound if r.question.more_is_riskier else answer.high < r.bound


def why(curve: TradeOff, r: Requirement, nearest: float) -> str:
    """A sentence on why a family cannot meet a bound, if the reason is known."""
    least, most = ends(r.question)
    at_worst = nearest >= most if r.question.more_is_riskier else nearest <= most
    rarer = _RARER.get(type(r.question), "at a false-positive rate or a delta above {}")
    mode = failure_mode(curve)
    if mode is FailureMode.CATASTROPHIC:
        share = min(max(c.infinity_mass().hi for c in (curve, curve.inverse())), 1.0)
        alone = r.question.of(approximate_dp_curve(0.0, 0.0).fails_with(share))  # a release that leaks nothing else
        if breaks(alone, r):
            return (
                f" The release can prove something: with probability {share:.3g} an output proves who is in the "
                f"data, and that alone gives {number(alone)}."
                + (f" Ask {rarer.format('that')}." if at_worst and share < 1 else "")
            )
    # even the faintest Gaussian release has the worst answer, since its rarest outputs are arbitrarily strong evidence
    if mode is FailureMode.GRACEFUL and at_worst and r.question.of(GaussianCurve(1e-3)) == most:
        return (
            f" Arbitrarily strong evidence is possible, if rare: ask {rarer.format(0)}, or take noise that bounds it, "
            "such as Laplace noise."
        )
    if r.bound == least:
        return " Guessing alone reaches that bound, and some outputs always improve on a guess: leave some room."
    return ""


def worded(requirement: Requirement, beside: float = math.nan) -> str:
    """A requirement in words, with enough digits to differ from an answer ``beside`` it."""
    sign = "<=" if requirement.question.more_is_riskier else ">="
    return f"{requirement.question} {sign} {number(requirement.bound, beside)}"


def number(x: float, beside: float = math.nan) -> str:
    """A number as printed in messages, with all digits if twelve do not distinguish it from ``beside``."""
    if not math.isfinite(x):
        return str(float(x))
    return f"{x:.12g}" if x == beside or f"{x:.12g}" != f"{beside:.12g}" else repr(float(x))


def made(family: Callable[[float], Any], value: float) -> TradeOff:
    """The curve of a family at one parameter; errors name the parameter."""
    if not callable(family):
        raise _validate.reject_type("family", "to be a function of one number", family)
    try:
        return as_curve(family(value), "what family returns")
    except Exception as error:
        raise FamilyError(f"At the parameter {number(value)} of the family: {error}", value) from error
