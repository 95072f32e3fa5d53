"""A decision: what is admissible, what it means to the attacker and to the analyst, what is recommended."""

from __future__ import annotations

import decimal
import math
from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.analyst.planning.sources import PlanningValue
from dplens.decide.plain import plain
from dplens.estimate import Estimate
from dplens.risk.base import Question, Requirement
from dplens.risk.disclosure import FailureMode

_SEARCHED = 1e-9  # relative: how closely amounts are searched


@dataclass(frozen=True, kw_only=True)
class NoiseRange:
    """Amounts of noise, in the family's parameter: at least ``low`` for the limit, at most ``high`` for the analyst.

    low is 0 where no limit was set, high infinite where no power was asked for and 0 where there is too little of it
    even without noise. Empty where the two do not meet.
    """

    parameter: str
    low: float
    high: float

    @property
    def empty(self) -> bool:
        """Whether no amount of noise serves both."""
        return not self.low <= self.high or self.high <= 0

    def __contains__(self, noise: float) -> bool:
        return self.low <= noise <= self.high and not self.empty


@dataclass(frozen=True, kw_only=True)
class Concession:
    """Something that would have to give for a range not to be empty.

    what: ``"n"``, ``"effect"`` or ``"limit"``. now and needed: its value, and the least that would do (None: none
    would), of all families that were looked at. family: the one with which it would do.
    """

    what: str
    now: float
    needed: float | None
    sentence: str
    family: str | None = None


@dataclass(frozen=True, kw_only=True)
class Option:
    """One family of noise, at the amount that was asked for.

    mechanism: the noise. seen: all that an attacker sees, where the plan rests on releases that were made before
    (``PlanningValue.release``): the mechanism together with these; failure and risks are those of it.

    admissible: whether it may be used at all; if not, ``why`` says why not and the rest may be None. parameter and
    noise: the amount. failure: how it fails. risks: questions about the attacker and their answers. power: what is left
    to the analyst, beside power_without_noise. feasible: the range of noise that serves both. attacker, analyst: one
    sentence each for a review board.
    """

    family: str
    admissible: bool
    why: str
    parameter: str = "noise"
    noise: float | None = None
    mechanism: Any = None
    seen: Any = None
    failure: FailureMode | None = None
    risks: tuple[tuple[Question, Estimate], ...] = ()
    power: Estimate | None = None
    power_without_noise: Estimate | None = None
    feasible: NoiseRange | None = None
    attacker: str = ""
    analyst: str = ""

    def risk(self, kind: type[Question]) -> Estimate | None:
        """The answer to the first question of a kind, for instance ``dplens.Mu``."""
        if not (isinstance(kind, type) and issubclass(kind, Question)):
            raise _validate.reject_type("kind", "to be a kind of question such as dplens.Mu", kind)
        return next((answer for question, answer in self.risks if isinstance(question, kind)), None)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        found = plain(self)
        found["risks"] = [{**plain(q), "answer": plain(a)} for q, a in self.risks]
        return found


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The end of a negotiation between risk and use, from either door.

    door: ``"privacy_first"`` or ``"utility_first"``. options: one for each family, the recommended one first, then by
    what they offer, then those that are not admissible. recommended: None where no family serves both sides. feasible:
    the range of noise of the recommended option, or of the one that comes nearest to the limit; None where no family
    fits what is published, or the limit and its answers exclude all of them. reasons: sentences that say how the
    answer came about. concessions: what would have to give where the range is empty, each with the family that asks
    for least. planning: the values that the analyst's numbers rest on, with their sources. assumptions: what else the
    numbers rest on.
    """

    door: str
    options: tuple[Option, ...]
    recommended: Option | None
    feasible: NoiseRange | None
    reasons: tuple[str, ...]
    concessions: tuple[Concession, ...] = ()
    limit: tuple[Requirement, ...] = ()
    wanted_power: float | None = None
    planning: tuple[tuple[str, PlanningValue], ...] = ()
    assumptions: tuple[str, ...] = ()

    @property
    def mechanism(self) -> Any:
        """The recommended mechanism, or None."""
        return None if self.recommended is None else self.recommended.mechanism

    def sentences(self) -> list[str]:
        """The decision for readers who know neither tests nor differential privacy."""
        lines = list(self.reasons)
        if self.recommended is not None:
            lines += [line for line in (self.recommended.attacker, self.recommended.analyst) if line]
        lines += [c.sentence for c in self.concessions]
        lines += [value.sentence(name) for name, value in self.planning]
        return lines + list(self.assumptions)

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        found = plain(self)
        found["options"] = [o.to_dict() for o in self.options]
        found["recommended"] = None if self.recommended is None else self.recommended.family
        found["planning"] = {name: plain(value) for name, value in self.planning}
        return found


def amount(x: float, *, at_least: bool, digits: int = 4) -> str:
    """An amount of noise as it would be said: the least that serves is rounded up, the most that serves down.

    >>> amount(0.621335, at_least=True), amount(0.0349683, at_least=False)
    ('0.6214', '0.03496')

    What a search leaves beside a round number, a relative 1e-9, is not told.
    """
    if math.isinf(x):
        return "any"
    direction = decimal.ROUND_CEILING if at_least else decimal.ROUND_FLOOR
    near = float(f"{x:.{digits}g}")
    found = near if math.isclose(near, x, rel_tol=_SEARCHED) else x
    return f"{float(decimal.Context(prec=digits, rounding=direction).create_decimal(repr(float(found)))):.{digits}g}"
