"""Changes between two assessments in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dplens.describe.questions import read_requirement
from dplens.present.rounding import percent
from dplens.present.words.answers import answer_words, bound_words, question_words
from dplens.present.words.language import DEFAULT
from dplens.telling import Figure

if TYPE_CHECKING:
    from dplens.assessment.changes import Changes


def say_changes(changes: Changes, language: str = DEFAULT) -> str:
    """The changes, the most important first: risk, limits, worst case, inputs, answers."""
    from dplens.present.words.say import Voice

    if changes.nothing:
        return Voice(changes.after, language)("changed-nothing")
    voice = Voice(changes.after, language)
    moved, related = ([c for c in both if c.risk != "same"] for both in (changes.answers, changes.related))
    powers = [(name, old, new) for name, old, new in changes.powers if old.high < new.low or new.high < old.low]
    out = verdict_on(changes, language)
    out += [_input(c, voice) for c in changes.inputs]
    out += [_answer(c, voice, "changed-answer") for c in moved]
    out += [_answer(c, voice.on_related(), "changed-related") for c in related]
    for name, old, new in powers:
        told = [percent(power.low, 4, more_is_riskier=False) for power in (old, new)]
        out.append(voice("changed-power", name=name, before=told[0], after=told[1]))
    for key, answers in (("changed-asked", changes.new), ("changed-unasked", changes.gone)):
        out += [voice(key, question=question_words(a.question, voice)) for a in answers]
    return "\n".join(out)


def verdict_on(changes: Changes, language: str = DEFAULT) -> list[str]:
    """What became of the risk, the limits and the worst case; measured attacks and related records come first."""
    from dplens.present.words.say import Voice

    voice = Voice(changes.after, language)
    if changes.nothing:
        return [voice("changed-nothing")]
    codes = changes.reservations
    alone = codes or (changes.risk == "same" and (changes.limits or changes.missed))
    out = [voice(f"changed-{code.replace('_', '-')}") for code in codes if code != "neighbours"]
    out.append(voice("changed-by-description" if alone else "changed-risk", risk=changes.risk))
    if "neighbours" in codes:
        out.append(voice("changed-neighbours"))
    out += [_limit(limit, met, voice) for limit, met in changes.limits]
    out += [_limit(limit, False, voice, "changed-missed") for limit in changes.missed]
    if changes.failure[0] != changes.failure[1]:
        out.append(voice("changed-failure", before=changes.failure[0], after=changes.failure[1]))
    return out


def _answer(change: Any, voice: Any, key: str) -> str:
    words, digits = question_words(change.question, voice), 3
    if key == "changed-answer":
        words = words[0].upper() + words[1:]
    while True:
        before, after = (answer_words(change.question, x, voice, digits) for x in (change.before, change.after))
        if before != after or digits >= 15:  # they differ provably, so enough digits show it
            return voice(key, question=words, before=before, after=after)
        digits += 1


def _limit(limit: dict[str, Any], met: bool, voice: Any, key: str = "changed-limit") -> str:
    requirement = read_requirement({k: v for k, v in limit.items() if k != "about"}, answered=True)
    question = requirement.question
    voice = voice if limit["about"] == "release" else voice.on_related()
    more = {"more": "yes" if question.more_is_riskier else "no", "bound": bound_words(question, requirement.bound)}
    return voice(key, met="yes" if met else "no", question=question_words(question, voice), **more)


def _input(change: Any, voice: Any) -> str:
    before, after = _shown(change.before, voice), _shown(change.after, voice)
    key = "new" if change.before is None else "gone" if change.after is None else "input"
    return voice(f"changed-{key}", place=change.place, before=before, after=after)


def _shown(value: Any, voice: Any) -> str:
    if isinstance(value, float):
        return Figure(f"{value:.15g}".replace("e-0", "e-").replace("e+0", "e+"))
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        shown = ", ".join(value) or voice("changed-none")
    else:
        shown = str(value).removesuffix(".")  # the sentence has its own full stop
    return shown if len(shown) <= 80 else shown[:77] + "…"
