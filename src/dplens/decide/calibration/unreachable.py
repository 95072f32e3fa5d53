"""Requirements that cannot be met, and families that do not behave; between which ends answers lie."""

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

_FAINT = GaussianCurve(1e-3)  # tells next to nothing, and once in a very long while anything
_RARER: dict[type[Question], str] = {
    Precision: "at a recall above {}",
    MaxPosterior: "Posterior at a false-positive rate above {}",
    PosteriorAfterNegative: "with 1 − fpr above {}",
}


class Unreachable(Undefined):
    """No parameter provably meets a requirement.

    ``requirement`` is the one that fails, ``nearest`` the bound that could still be met, ``value`` the parameter that
    meets it (``None`` where no release at all could do better, or what does not depend on the parameter has used the
    bound up).

    >>> import dplens as dl
    >>> try:
    ...     dl.calibrate(lambda e: dl.Laplace(scale=1 / e), meet=[dl.FScore().at_most(0.6)])
    ... except dl.Unreachable as why:
    ...     print(round(why.nearest, 6))
    0.666667
    """

    def __init__(self, message: str, requirement: Requirement, nearest: float, value: float | None) -> None:
        super().__init__(message)
        self.requirement = requirement
        self.nearest = nearest
        self.value = value

    def __reduce__(self):
        return type(self), (self.args[0], self.requirement, self.nearest, self.value)


class Unrestricted(Undefined):
    """Every parameter meets the requirements; ``end`` is where risk grows to, None where no answer changed."""

    def __init__(self, message: str, end: float | None) -> None:
        super().__init__(message)
        self.end = end

    def __reduce__(self):
        return type(self), (self.args[0], self.end)


class FamilyError(DplensError, ValueError):
    """A family is not monotone, has no curve somewhere, or raises; ``value`` is the parameter where it was seen."""

    def __init__(self, message: str, value: float) -> None:
        super().__init__(message)
        self.value = value

    def __reduce__(self):
        return type(self), (self.args[0], self.value)


def perfect() -> TradeOff:
    """f(alpha) = 1 − alpha: nothing is learned."""
    return approximate_dp_curve(0.0, 0.0)


def ends(question: Question) -> tuple[Estimate, Estimate]:
    """The answers where nothing is learned and where everything is; worked out once for each question."""
    try:
        return _ends(question)
    except TypeError:  # a question that cannot be remembered
        return _ends.__wrapped__(question)


@lru_cache(maxsize=256)
def _ends(question: Question) -> tuple[Estimate, Estimate]:
    return question.of(perfect()), question.of(approximate_dp_curve(math.inf, 0.0))


def natural_scale(question: Question) -> Callable[[float], float]:
    """An increasing function of risk: the log of the way from perfect privacy over the way to none.

    On it the answers of most families are nearly straight lines in the log of the parameter, so a search needs few of
    them. It only guides; whether a requirement is met is decided on the answer itself.
    """
    least, most = map(float, ends(question))

    def scale(answer: float) -> float:
        done = abs(answer - least)
        left = abs(most - answer) if math.isfinite(most) else 1.0
        beyond = (answer > most) if most > least else (answer < most)
        if beyond or left == 0 or math.isinf(done):
            return math.inf
        ahead = (answer > least) if most > least else (answer < least)
        return math.log(done) - math.log(left) if ahead else -math.inf

    return scale


def breaks(answer: Estimate, r: Requirement) -> bool:
    """Whether an answer surely breaks a bound."""
    return answer.low > r.bound if r.question.more_is_riskier else answer.high < r.bound


def why(curve: TradeOff, r: Requirement, nearest: float) -> str:
    """What about the release, or the bound, keeps a family from meeting it: a sentence, or nothing."""
    least, most = ends(r.question)
    at_worst = nearest >= most if r.question.more_is_riskier else nearest <= most
    rarer = _RARER.get(type(r.question), "at a false-positive rate or a delta above {}")
    mode = failure_mode(curve)
    if mode is FailureMode.CATASTROPHIC:
        share = min(max(c.infinity_mass().hi for c in (curve, curve.inverse())), 1.0)
        alone = r.question.of(perfect().fails_with(share))  # a release that tells nothing else
        if breaks(alone, r):
            return (
                f" The release fails catastrophically: with probability {share:.3g} an output proves who is in the "
                f"data, and that alone gives {number(alone)}."
                + (f" Ask {rarer.format('that')}." if at_worst and share < 1 else "")
            )
    if mode is FailureMode.GRACEFUL and at_worst and r.question.of(_FAINT) == most:
        return (
            f" Arbitrarily strong evidence is possible, if rare: ask {rarer.format(0)}, or take noise that bounds it, "
            "such as Laplace noise."
        )
    if r.bound == least:
        return " Guessing alone reaches that bound, and some outputs always improve on a guess: leave some room."
    return ""


def worded(requirement: Requirement, beside: float = math.nan) -> str:
    """A requirement as one would say it, told apart from an answer ``beside`` it."""
    sign = "<=" if requirement.question.more_is_riskier else ">="
    return f"{requirement.question} {sign} {number(requirement.bound, beside)}"


def number(x: float, beside: float = math.nan) -> str:
    """A parameter or an answer as it is printed in messages, with all digits if ``beside`` it looks the same."""
    if not math.isfinite(x):
        return str(float(x))
    return f"{x:.12g}" if x == beside or f"{x:.12g}" != f"{beside:.12g}" else repr(float(x))


def made(family: Callable[[float], Any], value: float) -> TradeOff:
    """The curve of what a family makes of one parameter; an error says which."""
    if not callable(family):
        raise _validate.reject_type("family", "to be a function of one number", family)
    try:
        return as_curve(family(value), "what family returns")
    except Exception as error:
        raise FamilyError(f"At the parameter {number(value)} of the family: {error}", value) from error
