"""The risk card: an assessment on one screen, the most important first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.assessment.assess import assess
from dplens.assessment.result import Assessment, checked_assessment
from dplens.numerics.sharing import Shared, cached_property
from dplens.present.words.language import DEFAULT, language
from dplens.present.words.say import Voice, Words, say
from dplens.registry import Result
from dplens.risk.conversions import Epsilon

_SECTIONS = (
    "summary", "limits", "next", "learning", "finding", "you", "related", "analyst", "audit", "warnings",
    "published", "assumptions", "not_covered", "epsilon",
)  # fmt: skip


@dataclass(frozen=True)
class RiskCard(Result, Shared):
    """The lines of a risk card, read from an assessment; ``str()`` gives it as plain text under headings.

    language: of the words. pairs: (prior, right by chance, right with the publication, out of) for an attacker at the
    assessment's rate of false alarms. epsilon: at the assessment's delta.
    """

    assessment: Assessment
    language: str = DEFAULT

    def __post_init__(self) -> None:
        checked_assessment(self.assessment)
        language(self.language)

    @cached_property
    def words(self) -> Words:  # pyright: ignore[reportIncompatibleMethodOverride]
        """All sentences of the assessment."""
        return say(self.assessment, self.language)

    @property
    def title(self) -> str:
        """The assessment's title, or "Risk card"."""
        return self.words.title or language(self.language)("card-title")

    @property
    def failure(self) -> str:
        """The worst case: whether a result can prove something."""
        return " ".join(self._voice.worst())

    @property
    def _voice(self) -> Voice:
        return Voice(self.assessment, self.language)

    @property
    def pairs(self) -> tuple[tuple[float, int, int, int], ...]:
        """For each prior: how many are named rightly by chance and with the publication, and out of how many."""
        return tuple((who.prior, *self._voice.pair_of(who)) for who in self.assessment.attackers)

    @property
    def epsilon(self) -> float:
        """At the assessment's delta."""
        return float(self.assessment.answer(Epsilon(delta=self.assessment.assumptions.delta)))

    def learning(self) -> list[str]:
        """How often named people are in the data, by chance and with the publication, and whether that is limited."""
        return [self._voice.pair(self._voice.main), *self.words["learning"]]

    def finding(self) -> list[str]:
        """The share of people that the best attack identifies, at each rate of false alarms."""
        return list(self.words["finding"])

    def assumptions(self) -> list[str]:
        """The protected unit, neighbours, delta and the other assumptions."""
        return list(self.words["assumptions"])

    def epsilon_sentence(self) -> str:
        """Epsilon, which comes last."""
        return self.words["epsilon"][1]

    def sentences(self) -> list[str]:
        """The card, one sentence a line, in the order in which it should be read."""
        return [line for key in _SECTIONS for line in self.words[key]]

    def __str__(self) -> str:
        return str(Words(self.title, self.words.only(*_SECTIONS).sections))


@_validate.renamed(accusing_at="fpr")
def risk_card(
    mechanism: Any,
    *,
    delta: float,
    unit: str = "person",
    title: str = "",
    fpr: float = 0.01,
    setting: str | None = None,
    language: str = DEFAULT,
) -> RiskCard:
    """The risk card of a release, or of a hypothesis about a value.

    delta: at which epsilon is quoted, below 1/n for n records. unit: what one record stands for. fpr: the attacker's
    rate of false alarms. setting: as for :func:`assess`. language: of the words. Counts are rounded towards more risk.
    ``RiskCard(assessment)`` is the card of an assessment that is there already.

    >>> import dplens as dl
    >>> card = dl.risk_card(dl.Laplace(scale=1.0), delta=1e-6)
    >>> card.pairs[1]
    (0.1, 10, 24, 100)
    """
    _validate.instance("title", title, str, "to be a line of text")
    made = assess(mechanism, delta=delta, unit=unit, title=title, fpr=fpr, setting=setting)
    return RiskCard(made, language)
