"""Decisions: which noise is admissible, what it means for attacker and analyst, and what is recommended."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.analyst.planning.sources import PlanningValue
from dplens.analyst.tests.results import outwards
from dplens.decide.plain import plain
from dplens.estimate import Estimate
from dplens.registry import Result, Tabular
from dplens.risk.base import Question, Requirement
from dplens.risk.disclosure import FailureMode
from dplens.telling import LANGUAGES, Told


@dataclass(frozen=True, kw_only=True)
class NoiseRange(Result):
    """Amounts of noise in the family's parameter: at least ``low`` for the limit, at most ``high`` for the analyst.

    low is 0 without a limit; high is infinite without a required power, and 0 if the power is too low without noise.
    """

    parameter: str
    low: float
    high: float

    @property
    def empty(self) -> bool:
        """Whether no amount of noise is acceptable to both sides."""
        return not self.low <= self.high or self.high <= 0

    def __contains__(self, noise: float) -> bool:
        return self.low <= noise <= self.high and not self.empty


@dataclass(frozen=True, kw_only=True)
class Concession(Result):
    """A change to the plan that would make a range of noise non-empty.

    what: ``"n"``, ``"effect"`` or ``"limit"``. now: its current value. needed: the nearest value that suffices with any
    family, None if there is none. family: the family for which it suffices.
    """

    what: str
    now: float
    needed: float | None
    sentence: str
    family: str | None = None


@dataclass(frozen=True, kw_only=True)
class Option(Result):
    """One family of noise at the required amount.

    admissible: whether it may be used; if not, ``why`` gives the reason and other fields may be None. parameter, noise:
    the amount. mechanism: the noise itself. seen: everything an attacker sees, the mechanism composed with earlier
    releases that the plan rests on (``PlanningValue.release``); failure and risks refer to it. failure: how it fails.
    risks: questions about the attacker with their answers. power, power_without_noise: those of the analyst's test.
    feasible: the range of noise acceptable to both sides. attacker, analyst: sentences for a review board.
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
class Decision(Result, Tabular):
    """The result of weighing risk against utility, from either door.

    door: ``"privacy_first"`` or ``"utility_first"``. options: one per family, the recommended one first, then in order
    of preference, inadmissible ones last. recommended: None if no family suits both sides. feasible: the range of
    noise of the recommended option, or of the one nearest to the limit; None if no family fits the published number, or
    the limit and the answers exclude all of them. reasons: sentences that explain the result. concessions: changes that
    would make an empty range non-empty, each with the family that needs the smallest one. planning: the values that the
    analyst's numbers rest on, with their sources. assumptions: everything else that the numbers rest on.
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

    def words(self, *, language: str | None = None) -> str:
        """The decision in sentences of a language, one a line."""
        return "\n".join(
            one.words(language or LANGUAGES[0]) if isinstance(one, Told) else one for one in self.sentences()
        )

    def sentences(self) -> list[str]:
        """The decision in sentences, for readers who know neither tests nor differential privacy."""
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
    """An amount of noise in words: lower limits are rounded up, upper limits down.

    >>> amount(0.621335, at_least=True), amount(0.0349683, at_least=False)
    ('0.6214', '0.03496')

    Differences from a round number below the tolerance of searches, a relative 1e-9, are ignored.
    """
    if math.isinf(x):
        return "any"
    near = float(f"{x:.{digits}g}")
    return outwards(near if math.isclose(near, x, rel_tol=1e-9) else x, 1 if at_least else -1, digits)
