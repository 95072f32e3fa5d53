"""The risk card: an assessment on one screen, the most important first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.assessment.assess import assess
from dplens.assessment.result import Assessment, checked_assessment
from dplens.numerics.sharing import Shared, cached_property
from dplens.present.words.say import Voice, Words, say
from dplens.risk.conversions import Epsilon


@dataclass(frozen=True)
class RiskCard(Shared):
    """The lines of a risk card, read from an assessment; ``str()`` gives it as plain text.

    pairs: (prior, right without the release, right with it, out of) for an attacker who accuses at the assessment's
    false-positive rate. epsilon: at the assessment's delta.
    """

    assessment: Assessment

    def __post_init__(self) -> None:
        checked_assessment(self.assessment)

    @cached_property
    def words(self) -> Words:
        """All sentences of the assessment."""
        return say(self.assessment)

    @property
    def title(self) -> str:
        """The assessment's title, or "Risk card"."""
        return self.assessment.title or "Risk card"

    @property
    def failure(self) -> str:
        """Bad news if there is any, and the failure mode, in words."""
        return " ".join(self.words["failure"])

    @property
    def pairs(self) -> tuple[tuple[float, int, int, int], ...]:
        """For each prior: right accusations without and with the release, and out of how many."""
        voice = Voice(self.assessment)
        return tuple((who.prior, *voice.pair_of(who)) for who in self.assessment.attackers)

    @property
    def epsilon(self) -> float:
        """At the assessment's delta."""
        return float(self.assessment.answer(Epsilon(delta=self.assessment.assumptions.delta)))

    def learning(self) -> list[str]:
        """The value of an accusation without and with the release for each prior, and whether it is limited."""
        return list(self.words["learning"])

    def finding(self) -> list[str]:
        """The attacker's power at each false-positive rate."""
        return list(self.words["finding"])

    def assumptions(self) -> list[str]:
        """Delta, neighbours, privacy unit and the other assumptions."""
        return list(self.words["assumptions"])

    def epsilon_sentence(self) -> str:
        """Epsilon, which comes last."""
        return self.words["epsilon"][0]

    def sentences(self) -> list[str]:
        """The card, one sentence a line, in the order in which it should be read."""
        return [self.failure, *self.learning(), *self.finding(), *self.assumptions(), self.epsilon_sentence()]

    def __str__(self) -> str:
        return "\n".join([self.title, *self.sentences()])


def risk_card(
    mechanism: Any,
    *,
    delta: float,
    unit: str = "person",
    title: str = "Risk card",
    accusing_at: float = 0.01,
    setting: str | None = None,
) -> RiskCard:
    """The risk card of a release, or of a hypothesis about a value.

    delta: at which epsilon is quoted, below 1/n for n records. unit: what one record stands for. accusing_at: the
    false-positive rate of the attacker who accuses. setting: as for :func:`assess`. Counts are rounded towards more
    risk. ``RiskCard(assessment)`` is the card of an assessment that is there already.

    >>> import dplens as dl
    >>> card = dl.risk_card(dl.Laplace(scale=1.0), delta=1e-6)
    >>> card.pairs[1]
    (0.1, 10, 24, 100)
    """
    _validate.instance("title", title, str, "to be a line of text")
    made = assess(mechanism, delta=delta, unit=unit, title=title, accusing_at=accusing_at, setting=setting)
    return RiskCard(made)
