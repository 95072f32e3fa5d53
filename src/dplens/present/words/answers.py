"""Questions and answers in words: one phrase for each question, one way to print its answer."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from dplens.describe.questions import is_known, phrase_of, question_name
from dplens.estimate import Estimate
from dplens.present.rounding import belief, down, given, number, percent, share, up
from dplens.risk.base import Question
from dplens.risk.bayes import Accuracy, FScore
from dplens.risk.disclosure import RelativeRisk
from dplens.telling import Figure

if TYPE_CHECKING:
    from dplens.assessment.records import LimitVerdict

_PLAIN = {"epsilon", "delta", "weight", "order", "false_positive", "false_negative"}


def question_words(question: Question, voice: Any) -> str:
    """A question as a phrase: the share of people in the data that an attack identifies (with 1 % false alarms)."""
    key = f"question-{question_name(question)}"
    if not is_known(question) or key not in getattr(voice, "text", voice):
        return phrase_of(question)
    shown = dict.fromkeys(_PLAIN, given) | {"prior": belief}
    more: dict[str, Any] = (
        {} if hasattr(voice, "text") else {"about": "membership", "unit": "person"}
    )  # a language's texts by themselves
    if isinstance(question, Accuracy):
        more["blind"] = belief(max(question.prior, 1 - question.prior))
    if isinstance(question, RelativeRisk):
        more["never"] = "yes" if question.fpr == 0 else "no"
    return voice(key, **more, **{f.name: shown.get(f.name, share)(getattr(question, f.name)) for f in fields(question)})


def answer_words(question: Question, estimate: Estimate | float, voice: Any = None, digits: int = 3) -> str:
    """An answer on its risky side, as a percentage if it is a share of people; in English without a voice."""
    value = float(estimate)
    riskier = question.more_is_riskier
    if math.isnan(value):
        return voice("answer-undefined") if voice else "–"
    return (percent if _is_share(question) else number)(value, digits, more_is_riskier=riskier)


def bound_words(question: Question, bound: float) -> Figure:
    """A limit as it was given."""
    return share(bound) if _is_share(question) else given(bound)


def _is_share(question: Question) -> bool:
    return is_known(question) and question.is_share


def blind(question: FScore) -> Figure:
    """The epsilon below which an F-score shows no difference, log(1 + w²) at even odds: naming everyone is best."""
    odds = question.prior / (1 - question.prior)
    return number(math.log1p(min(question.weight, 1e100) ** 2 * odds), more_is_riskier=False)


def limit_sentence(verdict: LimitVerdict, voice: Any) -> str:
    """Whether a limit is kept."""
    whom = verdict.about if verdict.about in ("release", "related") else "other"
    return voice(f"limit-{verdict_key(verdict, voice)}", whom=whom, name=verdict.about, **_verdict(verdict, voice))


def verdict_key(verdict: LimitVerdict, voice: Any) -> str:
    """The state of a limit: kept, open, exceeded, or refuted if a measured attack refutes the description."""
    if not verdict.met:
        return "open" if verdict.open else "exceeded"
    return "refuted" if voice.assessment.refuted else "kept"


def _verdict(verdict: LimitVerdict, voice: Any) -> dict[str, Any]:
    """A limit and the answer to its question, with enough digits to see whether it is kept."""
    question, bound = verdict.requirement.question, verdict.requirement.bound
    # attackers on related records decide between two values, not about membership
    asked = voice if verdict.about == "release" else voice.on_related()
    digits = _digits(question, float(verdict.estimate), bound, verdict.met)
    return {
        "question": question_words(question, asked),
        "more": "yes" if question.more_is_riskier else "no",
        "bound": bound_words(question, bound),
        "answer": answer_words(question, verdict.estimate, voice, digits),
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
