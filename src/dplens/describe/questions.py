"""Questions and requirements as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from dplens import _validate, risk
from dplens.describe.names import check_keys, known, needed, tagged
from dplens.describe.values import read, written
from dplens.errors import Undefined
from dplens.registry import QUESTIONS, docstring_phrase, import_all, snake
from dplens.risk.base import Question, Requirement

import_all(risk)

_BOUNDS = ("at_most", "at_least")
_OPAQUE = "opaque"


def _true_or_false(name: str, value: Any) -> bool:
    return _validate.instance(name, value, bool, "to be true or false")


@dataclass(frozen=True, kw_only=True)
class OpaqueQuestion(Question):
    """A question of an unregistered class, read from a file: its answer is known but cannot be computed again.

    name: of its class, as in files. shown: the question itself. phrase: what it asks. riskier: whether more is.
    """

    name: str = field(metadata=_validate.checked(_validate.text))
    shown: str = field(metadata=_validate.checked(_validate.text))
    phrase: str = field(metadata=_validate.checked(_validate.text))
    riskier: bool = field(metadata=_validate.checked(_true_or_false))

    @property
    def more_is_riskier(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """As the question's class says."""
        return self.riskier

    def _read(self, curve: Any) -> float:
        raise Undefined(f"Only the answer to {self.shown} is known here. Ask an object of its own class.")


def is_known(question: Question) -> bool:
    """Whether the question is of a registered class, which files can name."""
    return QUESTIONS.name_of(type(question)) is not None


def stored(question: Question) -> Question:
    """The question as it would be read back from a file."""
    if is_known(question) or isinstance(question, OpaqueQuestion):
        return question
    return OpaqueQuestion(
        name=question_name(question),
        shown=_validate.shown(question),
        phrase=phrase_of(question),
        riskier=bool(question.more_is_riskier),
    )


def phrase_of(question: Question) -> str:
    """A phrase for questions that no language has words for."""
    return question.phrase if isinstance(question, OpaqueQuestion) else docstring_phrase(question)


def question_name(question: Question) -> str:
    """The name of a question in files."""
    if isinstance(question, OpaqueQuestion):
        return question.name
    return QUESTIONS.name_of(type(question)) or snake(type(question).__name__)


def write_question(question: Question) -> dict[str, Any]:
    """A question as ``{"question": "attack_power", "fpr": 0.01}``; unregistered classes with their description."""
    kept = stored(question)
    if isinstance(kept, OpaqueQuestion):
        kept_values = {"name": kept.name, "shown": kept.shown, "phrase": kept.phrase, "more_is_riskier": kept.riskier}
        return {"question": _OPAQUE, **kept_values}
    own = {f.name: written(getattr(question, f.name)) for f in fields(question)}
    return {"question": question_name(question), **own}


def read_question(data: dict[str, Any], *, answered: bool = False) -> Question:
    """A question from its plain values; an unknown name or key raises an error that suggests the closest one.

    ``answered``: it was written with its answer, so it must be complete and may be of an unregistered class.
    """
    name, given = tagged("question", data, "question")
    _validate.text("question", name)
    if answered and name == _OPAQUE:
        keys = ("name", "shown", "phrase", "more_is_riskier")
        check_keys("question", given, keys, keys)
        return OpaqueQuestion(riskier=given.pop("more_is_riskier"), **given)
    made = known("question", name, QUESTIONS)
    own = {f.name: f for f in fields(made)}
    check_keys(f"the question {name}", given, own, own if answered else needed(own))
    return made(**{k: read(v) for k, v in given.items()})


def write_requirement(requirement: Requirement) -> dict[str, Any]:
    """A question with its limit: ``{"question": "advantage", "at_most": 0.1}``."""
    limit = _BOUNDS[0] if requirement.question.more_is_riskier else _BOUNDS[1]
    return {**write_question(requirement.question), limit: written(requirement.bound)}


def read_requirement(data: dict[str, Any], *, answered: bool = False) -> Requirement:
    """A requirement as :func:`write_requirement` or a person wrote it."""
    _validate.instance("limit", data, dict, "to be a mapping with a question and a bound")
    given = [name for name in _BOUNDS if name in data]
    if len(given) != 1:
        raise _validate.reject("limit", "to have one bound, at_most or at_least", data)
    question = read_question({k: v for k, v in data.items() if k not in _BOUNDS}, answered=answered)
    return getattr(question, given[0])(read(data[given[0]]))


def sensible(requirement: Requirement, name: str = "the bound") -> Requirement:
    """The same requirement, unless its bound lies outside [0, 1] for a probability: 10 for 10 % would let all pass."""
    question, bound = requirement.question, requirement.bound
    if question.ceiling == 1 and not 0 <= bound <= 1:
        remedy = f"10 % is written 0.1; {question_name(question)} lies between 0 and 1."
        raise _validate.reject(name, "in [0, 1]", bound, remedy)
    return requirement
