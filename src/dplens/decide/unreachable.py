"""Requirements that cannot be met, and families that do not behave."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dplens import _validate
from dplens.curves.base import TradeOff
from dplens.errors import DplensError, Undefined
from dplens.mechanisms.base import as_curve
from dplens.risk.base import Requirement


class Unreachable(Undefined):
    """No parameter provably meets a requirement.

    ``requirement`` is the one that fails, ``nearest`` the bound that could still be met, ``value`` the parameter that
    meets it (``None`` where no release at all could do better).

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


class FamilyError(DplensError, ValueError):
    """A family is not monotone, has no curve somewhere, or raises; ``value`` is the parameter where it was seen."""

    def __init__(self, message: str, value: float) -> None:
        super().__init__(message)
        self.value = value

    def __reduce__(self):
        return type(self), (self.args[0], self.value)


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
