"""Changes between two assessments in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dplens.describe.questions import read_requirement
from dplens.present.rounding import percent
from dplens.present.words.answers import answer_words, bound_words, question_words
from dplens.present.words.language import DEFAULT

if TYPE_CHECKING:
    from dplens.assessment.changes import Changes


def say_changes(changes: Changes, language: str = DEFAULT) -> str:
    """The changes, the most important first: risk, failure mode, limits, inputs, answers."""
    from dplens.present.words.say import Voice

    voice = Voice(changes.after, language)
    text = voice.text
    moved, related = ([c for c in both if c.risk != "same"] for both in (changes.answers, changes.related))
    powers = [(name, old, new) for name, old, new in changes.powers if old.high < new.low or new.high < old.low]
    if not (moved or related or powers or changes.inputs or changes.limits or changes.gone or changes.new):
        return text.CHANGED_NOTHING
    out = [text.CHANGED_RISK[changes.risk]]
    if changes.before.assumptions.told_apart != changes.after.assumptions.told_apart:
        out.append(text.CHANGED_NEIGHBOURS)
    if changes.failure[0] != changes.failure[1]:
        modes = {"before": text.FAILURE_NAMES[changes.failure[0]], "after": text.FAILURE_NAMES[changes.failure[1]]}
        out.append(text.CHANGED_FAILURE.format(**modes))
    out += [_limit(limit, met, voice) for limit, met in changes.limits]
    out += [_input(c, text) for c in changes.inputs]
    out += [_answer(c, voice, text.CHANGED_ANSWER) for c in moved]
    out += [_answer(c, voice.on_related(), text.CHANGED_RELATED) for c in related]
    for name, old, new in powers:
        told = [percent(power.low, 4, more_is_riskier=False) for power in (old, new)]
        out.append(text.CHANGED_POWER.format(name=name, before=told[0], after=told[1]))
    for template, answers in ((text.CHANGED_ASKED, changes.new), (text.CHANGED_UNASKED, changes.gone)):
        out += [template.format(question=question_words(a.question, voice)) for a in answers]
    return "\n".join(out)


def _answer(change: Any, voice: Any, template: str) -> str:
    words = question_words(change.question, voice)
    before, after = (answer_words(change.question, x) for x in (change.before, change.after))
    digits = 3
    while before == after and digits < 15:  # they differ provably, so enough digits show it
        digits += 1
        before, after = (answer_words(change.question, x, digits) for x in (change.before, change.after))
    return template.format(question=words[0].upper() + words[1:], before=before, after=after)


def _limit(limit: dict[str, Any], met: bool, voice: Any) -> str:
    requirement = read_requirement({k: v for k, v in limit.items() if k != "about"}, answered=True)
    question = requirement.question
    return voice.text.CHANGED_LIMIT[met].format(
        question=question_words(question, voice),
        sign=voice.text.AT_MOST if question.more_is_riskier else voice.text.AT_LEAST,
        bound=bound_words(question, requirement.bound),
    )


def _input(change: Any, text: Any) -> str:
    before, after = _shown(change.before, text), _shown(change.after, text)
    if change.before is None:
        return text.CHANGED_NEW.format(place=change.place, after=after)
    if change.after is None:
        return text.CHANGED_GONE.format(place=change.place, before=before)
    return text.CHANGED_INPUT.format(place=change.place, before=before, after=after)


def _shown(value: Any, text: Any) -> str:
    if isinstance(value, float):
        shown = f"{value:.15g}".replace("e-0", "e-").replace("e+0", "e+")
    elif isinstance(value, list) and all(isinstance(one, str) for one in value):
        shown = ", ".join(value) or text.CHANGED_NONE
    else:
        shown = str(value).removesuffix(".")  # the sentence has its own full stop
    return shown if len(shown) <= 80 else shown[:77] + "…"
