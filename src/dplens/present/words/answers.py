"""Questions and answers in words: one phrase for each question, one way to print its answer."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from dplens.describe.questions import is_known, phrase_of, question_name
from dplens.estimate import Estimate
from dplens.present.rounding import belief, down, given, number, percent, share, up
from dplens.risk.base import Question

if TYPE_CHECKING:
    from dplens.assessment.records import LimitVerdict

_PLAIN = {"epsilon", "delta", "weight", "order", "false_positive", "false_negative"}


def question_words(question: Question, voice: Any) -> str:
    """A question as a phrase: the share of members found at a false-positive rate of 1 %."""
    phrase = voice.text.QUESTIONS.get(question_name(question)) if is_known(question) else None
    if phrase is None:
        return phrase_of(question)
    shown = dict.fromkeys(_PLAIN, given) | {"prior": belief}
    arguments = {f.name: shown.get(f.name, share)(getattr(question, f.name)) for f in fields(question)}
    words = phrase.format(**arguments)
    if voice.about != "membership":
        for membership, other in voice.text.NOT_MEMBERSHIP:
            words = words.replace(membership, other)
    return words


def answer_words(question: Question, estimate: Estimate | float, digits: int = 3) -> str:
    """An answer on its risky side, as a percentage if it is a share of people."""
    value = float(estimate)
    riskier = question.more_is_riskier
    if math.isnan(value):
        return "not defined"
    if _is_share(question):
        return percent(value, digits, more_is_riskier=riskier)
    return number(value, digits, more_is_riskier=riskier)


def bound_words(question: Question, bound: float) -> str:
    """A limit as it was given."""
    return share(bound) if _is_share(question) else given(bound)


def _is_share(question: Question) -> bool:
    return is_known(question) and question.is_share


def limit_sentence(verdict: LimitVerdict, voice: Any) -> str:
    """Whether a limit is kept."""
    text = voice.text
    about = text.ABOUT_WHOM.get(verdict.about) if verdict.about in ("release", "related") else None
    if about is None:
        about = text.ABOUT_WHOM["other"].format(name=verdict.about)
    return text.LIMIT[verdict_key(verdict, voice)].format(about=about, **verdict_words(verdict, voice))


def verdict_key(verdict: LimitVerdict, voice: Any) -> str:
    """The state of a limit: kept, open, exceeded, or refuted if a measured attack refutes the description."""
    if not verdict.met:
        return "open" if verdict.open else "exceeded"
    return "refuted" if voice.assessment.refuted else "kept"


def verdict_words(verdict: LimitVerdict, voice: Any) -> dict[str, str]:
    """A limit and the answer to its question, with enough digits to see whether it is kept."""
    text, question, bound = voice.text, verdict.requirement.question, verdict.requirement.bound
    # attackers on related records decide between two values, not about membership
    asked = voice if verdict.about == "release" else voice.on_related()
    digits = _digits(question, float(verdict.estimate), bound, verdict.met)
    return {
        "question": question_words(question, asked),
        "sign": text.AT_MOST if question.more_is_riskier else text.AT_LEAST,
        "bound": bound_words(question, bound),
        "answer": answer_words(question, verdict.estimate, digits),
    }


def _digits(question: Question, value: float, bound: float, met: bool) -> int:
    """The fewest digits, at least three, that put the printed answer on the right side of the bound."""
    round_ = up if question.more_is_riskier else down
    for digits in range(3, 16):
        shown = round_(value, digits)
        keeps = shown <= bound if question.more_is_riskier else shown >= bound
        if keeps == met:
            return digits
    return 15
