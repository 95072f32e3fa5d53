"""The base class of questions, and requirements on their answers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dplens import _validate
from dplens.curves.base import LEAST, TradeOff
from dplens.curves.reading import Reading
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.base import as_curve
from dplens.registry import QUESTIONS, Discreet, Registry


@dataclass(frozen=True)
class Guess:
    """The ``answer`` of an attacker who ignores the output, and the ``loss`` up to which no test improves on it.

    If no privacy loss exceeds ``loss``, guessing is the best test: the curve lies on one side of the line through the
    guess, and the answer is known exactly. It is rounded to the nearest float, as a bound is when it is typed
    (2/3 is below two thirds). With ``loss`` 0 guessing is best only for a release that reveals nothing, with infinity
    for any without proofs. ``other_way``: the ratios are those of absence over presence.
    """

    answer: float
    loss: float = 0.0
    other_way: bool = False

    def is_best(self, curve: TradeOff) -> bool:
        """Whether guessing is provably best: losses are rounded up and ``loss`` is rounded down."""
        way = curve.inverse() if self.other_way else curve
        # input masses that were rounded may exceed it by this much
        return way._max_loss()[1] + 4 * way.input_rounding <= self.loss and way.infinity_mass().hi == 0


@dataclass(frozen=True, kw_only=True)
class Question(Discreet, ABC):
    """A reading of a trade-off curve.

    A new question is a frozen dataclass with a method ``_read``, which returns a number from one side of a curve and is
    monotone in the curve; ``more_is_riskier`` gives the direction. Reports name the question by the first sentence of
    its docstring. With a ``_guess``, answers that are no better than guessing are exact.
    """

    registry: ClassVar[Registry] = QUESTIONS
    _hooks = ("arithmetic", "ceiling", "floor", "is_share")
    more_is_riskier: ClassVar[bool] = True
    is_share: ClassVar[bool] = False  # the answer is a share of people, printed as a percentage
    arithmetic: ClassVar[float] = 0.0  # relative rounding error of the question's own sums and quotients
    ceiling: ClassVar[float] = math.inf  # the largest possible answer
    floor: ClassVar[float] = 0.0  # the smallest possible answer

    def __post_init__(self) -> None:
        _validate.check_fields(self)

    @abstractmethod
    def _read(self, curve: Reading) -> float:
        """The answer on one side of the bracket."""

    def _guess(self) -> Guess | None:
        """The answer that guessing reaches, and when no test improves on it; None if unknown."""
        return None

    def _safe_side(self, curve: TradeOff) -> float:
        """The value of :meth:`of`, without the other end."""
        guess = self._guess()
        if guess is not None and guess.is_best(curve):
            return guess.answer
        answer = self._number(self._read(curve.readings()[0]))
        return self._widened(answer, answer)[0] if self.arithmetic else answer

    def of(self, target: Any) -> Estimate:
        """The answer for a mechanism, a curve, or anything with a ``tradeoff()``: an ``Estimate`` at its safe end."""
        curve = as_curve(target, "target")
        guess = self._guess()
        if guess is not None and guess.is_best(curve):
            return Estimate(guess.answer, low=guess.answer, high=guess.answer, certificate=lambda: curve.certificate)
        with np.errstate(over="ignore"):  # extreme parameters may overflow; infinity is then correct
            risky, mild = (self._number(self._read(reading)) for reading in curve.readings())
        if self.arithmetic:
            risky, mild = self._widened(risky, mild)
        if math.isnan(risky) or math.isnan(mild):  # NaN compares with no bound, so it would seem proven
            raise Undefined(
                f"{self} has no answer in floating-point range for this {type(target).__name__}. Check its parameters: "
                "noise or sensitivity may be extreme."
            )
        if min(risky, mild) < self.floor - 1e-9 * (1 + abs(self.floor)):
            remedy = f"Set the class variable floor of {type(self).__name__} to its smallest answer."
            raise _validate.reject("_read", f"to return at least floor = {self.floor:g}", min(risky, mild), remedy)
        low, high = (mild, risky) if self.more_is_riskier else (risky, mild)
        # rounding in the question's own arithmetic may swap two ends that are in fact equal
        risky = max(risky, self.floor)
        low, high = max(min(low, risky), self.floor), max(high, risky)
        return Estimate(risky, low=low, high=high, certificate=lambda: curve.certificate)

    def _number(self, answer: Any) -> float:
        """The result of ``_read``, checked to be a number."""
        if type(answer) is float:
            return answer
        return _validate.number("_read", answer, f"to return a number for {type(self).__name__}")

    def _widened(self, risky: float, mild: float) -> tuple[float, float]:
        """Both ends widened by the question's own rounding error, within the ceiling."""
        sign = 1 if self.more_is_riskier else -1
        risky = self._moved(risky, sign) if risky != 1 or self.ceiling > 1 else risky  # an answer of 1 stays 1
        return min(risky, self.ceiling), min(self._moved(mild, -sign), self.ceiling)

    def _moved(self, answer: float, sign: int) -> float:
        """The answer moved up or down by the question's rounding error, at least by the smallest float."""
        grain = LEAST if 0 < answer < 1e-300 else 0.0
        return max(answer * (1 + sign * self.arithmetic) + sign * grain, 0.0)

    def at_most(self, bound: float) -> Requirement:
        """The requirement that the answer is at most ``bound`` (for questions where more is riskier)."""
        return self._limited("at_most", bound)

    def at_least(self, bound: float) -> Requirement:
        """The requirement that the answer is at least ``bound`` (for questions where less is riskier)."""
        return self._limited("at_least", bound)

    def _limited(self, name: str, bound: float) -> Requirement:
        fits, fitted = ("at_most", "more") if self.more_is_riskier else ("at_least", "less")
        if name != fits:
            other = "less" if self.more_is_riskier else "more"
            rule = f"only where {other} is riskier; {fitted} is riskier for {type(self).__name__}"
            raise _validate.reject(name, rule, bound, f"Use {fits}.")
        self._reject_unbreakable(name, _bound(bound))
        return Requirement(question=self, bound=_bound(bound))

    def _reject_unbreakable(self, name: str, bound: float) -> None:
        """Reject bounds that every answer meets, such as 10 for 10 %; an answer rounded up is accepted as a bound."""
        if self.more_is_riskier and bound > self.ceiling * (1 + 1e-9):
            remedy = f"10 % is written 0.1; no answer to {self} is larger than {self.ceiling:g}."
            raise _validate.reject(name, f"in [0, {self.ceiling:g}]", bound, remedy)


class Share(Question):
    """A question whose answer is a share of people, at most 1."""

    is_share = True
    ceiling = 1.0


def _bound(value: Any) -> float:
    return _validate.real("bound", value, "to be a number", lambda x: not math.isnan(x))


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """A question with a limit: the safe end of the answer must not pass ``bound``."""

    question: Question
    bound: float

    def __post_init__(self) -> None:
        remedy = "Pass for instance dplens.Advantage()."
        _validate.instance("question", self.question, Question, "to be a question", remedy)
        object.__setattr__(self, "bound", _bound(self.bound))
        self.question._reject_unbreakable("bound", self.bound)

    def met_by(self, target: Any) -> bool:
        """Whether the requirement provably holds."""
        return self._met_at(float(self.question.of(target)))

    def _met_at(self, answer: float) -> bool:
        return answer <= self.bound if self.question.more_is_riskier else answer >= self.bound
