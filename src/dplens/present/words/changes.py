"""What changed between two assessments, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dplens.describe.questions import read_requirement
from dplens.present.words.answers import answer_words, bound_words, question_words
from dplens.present.words.language import DEFAULT

if TYPE_CHECKING:
    from dplens.assessment.changes import Changes


def say_changes(changes: Changes, language: str = DEFAULT) -> str:
    """The changes, the most important first: risk, failure mode, limits, inputs, answers."""
    from dplens.present.words.say import Voice

    voice = Voice(changes.after, language)
    text = voice.text
    moved = [c for c in changes.answers if c.risk != "same"]
    if not (moved or changes.inputs or changes.limits):
        return text.CHANGED_NOTHING
    out = [text.CHANGED_RISK[changes.risk]]
    if changes.failure[0] != changes.failure[1]:
        out.append(text.CHANGED_FAILURE.format(before=changes.failure[0], after=changes.failure[1]))
    out += [_limit(limit, met, voice) for limit, met in changes.limits]
    out += [_input(c, text) for c in changes.inputs]
    for c in moved:
        words = question_words(c.question, voice)
        before, after = answer_words(c.question, c.before), answer_words(c.question, c.after)
        digits = 3
        while before == after and digits < 15:  # provably different, so some digit shows it
            digits += 1
            before, after = (answer_words(c.question, x, digits) for x in (c.before, c.after))
        shown = words[0].upper() + words[1:]
        out.append(text.CHANGED_ANSWER.format(question=shown, before=before, after=after))
    return "\n".join(out)


def _limit(limit: dict[str, Any], met: bool, voice: Any) -> str:
    requirement = read_requirement({k: v for k, v in limit.items() if k != "about"})
    question = requirement.question
    return voice.text.CHANGED_LIMIT[met].format(
        question=question_words(question, voice),
        sign=voice.text.AT_MOST if question.more_is_riskier else voice.text.AT_LEAST,
        bound=bound_words(question, requirement.bound),
    )


def _input(change: Any, text: Any) -> str:
    if change.before is None:
        return text.CHANGED_NEW.format(place=change.place, after=_shown(change.after))
    if change.after is None:
        return text.CHANGED_GONE.format(place=change.place, before=_shown(change.before))
    return text.CHANGED_INPUT.format(place=change.place, before=_shown(change.before), after=_shown(change.after))


def _shown(value: Any) -> str:
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    return shown if len(shown) <= 80 else shown[:77] + "…"
