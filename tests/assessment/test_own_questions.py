"""Questions of a class that dplens does not have: asked, told in words, kept in files."""

import json
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import dplens as dl
from dplens.assessment.result import digests
from dplens.errors import InvalidType, InvalidValue


@dataclass(frozen=True, kw_only=True)
class Gain(dl.Question):
    """What the attacker gains by a bet. The rest of this is for those who read code.

    So is {this}.
    """

    stake: float = 2.0

    def _read(self, curve: Any) -> float:
        return self.stake * dl.Advantage()._read(curve)


@dataclass(frozen=True, kw_only=True)
class ErrorsLeft(dl.Question):
    more_is_riskier: ClassVar[bool] = False

    def _read(self, curve: Any) -> float:
        return 1 - dl.Advantage()._read(curve)


@dataclass(frozen=True, kw_only=True)
class Advantage(dl.Question):
    """Half the attacker's advantage."""

    def _read(self, curve: Any) -> float:
        return dl.Advantage()._read(curve) / 2


class TenthOfPower(dl.AttackPower):
    """A tenth of the power."""

    def _read(self, curve: Any) -> float:
        return super()._read(curve) / 10


OWN = [Gain(), ErrorsLeft(), Advantage(), TenthOfPower(fpr=0.2)]
RELEASE = dl.Laplace(scale=1.0)


def assessed() -> dl.Assessment:
    return dl.assess(RELEASE, questions=OWN, limits=[Gain(stake=3.0).at_most(0.5), ErrorsLeft().at_least(0.9)])


def test_own_questions_are_told_in_words():
    words = assessed().words()
    assert "What the attacker gains by a bet (stake 2.0): at most 0.787." in words
    assert "Half the attacker's advantage: at most 0.197." in words
    assert "A tenth of the power (fpr 0.2): at most 0.0" in words
    assert "Broken: what the attacker gains by a bet (stake 3.0). Limit: at most 0.5; result: 1.19." in words
    assert "Broken: errors left. Limit: at least 0.9; result: 0.606." in words


@pytest.mark.parametrize("suffix", [".html", ".md", ".json"])
def test_own_questions_are_in_reports_with_their_brackets(suffix, tmp_path):
    text = assessed().report(tmp_path / f"report{suffix}").read_text()
    assert "what the attacker gains by a bet (stake 2.0)" in text.lower()
    if suffix != ".json":
        assert "cannot be written to a file" in text  # why there is no scenario


def test_answers_to_own_questions_are_kept():
    made = assessed()
    again = dl.Assessment.from_json(made.to_json())
    assert again == made
    assert again.words() == made.words()
    for question in OWN:
        assert again.answer(question) == question.of(RELEASE)
    assert again.answer(dl.Advantage()) == dl.Advantage().of(RELEASE)
    assert not again.limits[0].met
    assert not again.limits[1].met
    assert dl.Assessment.from_json(again.to_json()) == made


def test_a_question_that_was_read_cannot_be_asked_again():
    again = dl.Assessment.from_json(assessed().to_json())
    question = next(a.question for a in again.answers if a.name == "gain")
    with pytest.raises(dl.DplensError, match=r"Gain\(stake=2.0\).*its own class"):
        question.of(RELEASE)


def test_a_question_that_no_class_has_is_refused_by_its_name():
    data = json.loads(dl.assess(RELEASE).to_json())
    data["answers"][0]["question"] = "gain"
    data["digests"] = digests(data)
    with pytest.raises(dl.DplensError, match="'gain'"):
        dl.Assessment.from_dict(data)


class Holding(dl.Question):
    """Holds what equality does not see."""

    def __init__(self, size: float) -> None:
        object.__setattr__(self, "size", size)

    def _read(self, curve: Any) -> float:
        return self.size  # pyright: ignore[reportAttributeAccessIssue]


@dataclass(frozen=True, kw_only=True)
class Listing(dl.Question):
    """A question about a list."""

    rates: list[float]

    def _read(self, curve: Any) -> float:
        return len(self.rates)


@pytest.mark.parametrize("question", [Holding(1.0), Listing(rates=[0.1])], ids=lambda q: type(q).__name__)
def test_questions_that_cannot_be_told_apart_are_refused(question):
    with pytest.raises(InvalidType, match=r"questions\[0\] to be a frozen dataclass"):
        dl.assess(RELEASE, questions=[question])
    with pytest.raises(InvalidType, match=r"limits\[0\] to be a frozen dataclass"):
        dl.assess(RELEASE, limits=[question.at_most(1.0)])


def answering(answer: Any) -> dl.Question:
    @dataclass(frozen=True, kw_only=True)
    class Returns(dl.Question):
        """Whatever it is told to."""

        size: Any = 10**5000

        def _read(self, curve: Any) -> Any:
            return answer

    return Returns()


@pytest.mark.parametrize("answer", [None, "much", 1j, [1.0, 2.0]])
def test_an_answer_that_is_no_number_is_refused(answer):
    with pytest.raises(InvalidType, match="_read to return"):
        dl.assess(RELEASE, questions=[answering(answer)])


def test_an_answer_below_the_least_is_refused():
    with pytest.raises(InvalidValue, match="floor"):
        answering(-3.0).of(RELEASE)


def test_arguments_that_python_cannot_print_are_described():
    a = dl.assess(RELEASE, questions=[answering(0.5)])
    assert "digits" in a.words() or "cannot be printed" in a.words()
    assert dl.Assessment.from_json(a.to_json()).words() == a.words()
