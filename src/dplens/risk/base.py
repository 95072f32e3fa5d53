"""What a question is, and what it means to require an answer."""

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
from dplens.registry import QUESTIONS, Registry


@dataclass(frozen=True)
class Guess:
    """The ``answer`` of an attacker who does not look, and up to which ``loss`` no attacker who looks does better.

    The best test is to guess where no log-likelihood ratio exceeds ``loss``: then the curve lies on one side of the
    line through the guess, and its answer is known exactly. It is rounded to the nearest float, which is also what one
    writes for it as a bound (2/3 is below two thirds). A ``loss`` of 0 means a release that tells nothing, infinity one
    that only must not prove. ``other_way``: ratios of absence over presence count.
    """

    answer: float
    loss: float = 0.0
    other_way: bool = False

    def is_best(self, curve: TradeOff) -> bool:
        """Whether that is proven: by losses rounded up against a ``loss`` rounded down."""
        way = curve.inverse() if self.other_way else curve
        # masses that were rounded before they came may tell that little more
        return way._max_loss()[1] + 4 * way.input_rounding <= self.loss and way.infinity_mass().hi == 0


@dataclass(frozen=True, kw_only=True)
class Question(ABC):
    """A reading of a trade-off curve.

    A new question is a frozen dataclass with ``_read``: a number from one side of a curve, monotone in the
    curve. ``more_is_riskier`` says in which direction; the rest follows. Words and reports call it by the first
    sentence of its docstring. With a ``_guess``, answers that are no better than guessing are exact.
    """

    registry: ClassVar[Registry] = QUESTIONS
    more_is_riskier: ClassVar[bool] = True
    is_share: ClassVar[bool] = False  # the answer is a share of people, printed as a percentage
    arithmetic: ClassVar[float] = 0.0  # relative rounding error of the question's own sums and quotients
    ceiling: ClassVar[float] = math.inf  # no answer is larger
    floor: ClassVar[float] = 0.0  # nor smaller

    def __post_init__(self) -> None:
        _validate.check_fields(self)

    @abstractmethod
    def _read(self, curve: Reading) -> float:
        """The answer on one side of the bracket."""

    def _guess(self) -> Guess | None:
        """What guessing reaches, and where nothing does better."""
        return None

    def _safe_side(self, curve: TradeOff) -> float:
        """The number that :meth:`of` is, without its other end."""
        guess = self._guess()
        if guess is not None and guess.is_best(curve):
            return guess.answer
        answer = self._number(self._read(curve.readings()[0]))
        return self._widened(answer, answer)[0] if self.arithmetic else answer

    def of(self, target: Any) -> Estimate:
        """The answer for a mechanism, a curve, or anything with a ``tradeoff()``: an ``Estimate``, safe side first."""
        curve = as_curve(target, "target")
        guess = self._guess()
        if guess is not None and guess.is_best(curve):
            return Estimate(guess.answer, low=guess.answer, high=guess.answer, certificate=lambda: curve.certificate)
        with np.errstate(over="ignore"):  # parameters next to the ends of floats: infinity is what is meant
            risky, mild = (self._number(self._read(reading)) for reading in curve.readings())
        if self.arithmetic:
            risky, mild = self._widened(risky, mild)
        if math.isnan(risky) or math.isnan(mild):  # no bound compares with it, so it would pass for proven
            raise Undefined(
                f"{self} has no answer that floats can hold for this {type(target).__name__}. Check its parameters: "
                "noise or sensitivity may be extreme."
            )
        if min(risky, mild) < self.floor - 1e-9 * (1 + abs(self.floor)):
            remedy = f"Set the class variable floor of {type(self).__name__} to its least answer."
            raise _validate.reject("_read", f"to return at least floor = {self.floor:g}", min(risky, mild), remedy)
        low, high = (mild, risky) if self.more_is_riskier else (risky, mild)
        # rounding of the question's own arithmetic may cross two ends that are equal in truth
        risky = max(risky, self.floor)
        low, high = max(min(low, risky), self.floor), max(high, risky)
        return Estimate(risky, low=low, high=high, certificate=lambda: curve.certificate)

    def _number(self, answer: Any) -> float:
        """What ``_read`` returned, if it is a number."""
        if type(answer) is float:
            return answer
        return _validate.number("_read", answer, f"to return a number for {type(self).__name__}")

    def _widened(self, risky: float, mild: float) -> tuple[float, float]:
        """Both ends moved apart by the question's own rounding, within the ceiling."""
        sign = 1 if self.more_is_riskier else -1
        risky = self._moved(risky, sign) if risky != 1 or self.ceiling > 1 else risky  # certainty stays certainty
        return min(risky, self.ceiling), min(self._moved(mild, -sign), self.ceiling)

    def _moved(self, answer: float, sign: int) -> float:
        """Up or down by the question's rounding, which for the smallest floats is one of their grains."""
        grain = LEAST if 0 < answer < 1e-300 else 0.0
        return max(answer * (1 + sign * self.arithmetic) + sign * grain, 0.0)

    def at_most(self, bound: float) -> Requirement:
        """The requirement that the answer be at most ``bound`` (for questions where more is riskier)."""
        if not self.more_is_riskier:
            raise _validate.reject(
                "at_most",
                f"only where more is riskier; less is riskier for {type(self).__name__}",
                bound,
                "Use at_least.",
            )
        self._reject_unbreakable("at_most", _bound(bound))
        return Requirement(question=self, bound=_bound(bound))

    def _reject_unbreakable(self, name: str, bound: float) -> None:
        """10 for 10 % would let everything pass; an answer itself may be a bound, and be rounded up."""
        if self.more_is_riskier and bound > self.ceiling * (1 + 1e-9):
            remedy = f"10 % is written 0.1; no answer to {self} is larger than {self.ceiling:g}."
            raise _validate.reject(name, f"in [0, {self.ceiling:g}]", bound, remedy)

    def at_least(self, bound: float) -> Requirement:
        """The requirement that the answer be at least ``bound`` (for questions where less is riskier)."""
        if self.more_is_riskier:
            raise _validate.reject(
                "at_least",
                f"only where less is riskier; more is riskier for {type(self).__name__}",
                bound,
                "Use at_most.",
            )
        return Requirement(question=self, bound=_bound(bound))


def _bound(value: Any) -> float:
    return _validate.real("bound", value, "to be a number", lambda x: not math.isnan(x))


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """A question with a limit: the answer's safe side must not pass ``bound``."""

    question: Question
    bound: float

    def __post_init__(self) -> None:
        if not isinstance(self.question, Question):
            remedy = "Pass for instance dplens.Advantage()."
            raise _validate.reject_type("question", "to be a question", self.question, remedy)
        object.__setattr__(self, "bound", _bound(self.bound))
        self.question._reject_unbreakable("bound", self.bound)

    def met_by(self, target: Any) -> bool:
        """Whether the requirement provably holds."""
        return self._met_at(float(self.question.of(target)))

    def _met_at(self, answer: float) -> bool:
        return answer <= self.bound if self.question.more_is_riskier else answer >= self.bound
