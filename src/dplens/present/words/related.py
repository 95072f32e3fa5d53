"""Related records in words: an attacker decides between two values, not about membership."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from dplens.present.rounding import belief, given, number, share
from dplens.present.words.counts import pair
from dplens.risk.bayes import Posterior
from dplens.risk.disclosure import RelativeRisk

if TYPE_CHECKING:
    from dplens.assessment.records import Related, RelatedAttacker
    from dplens.assessment.result import Assessment

BY_LEAKAGE = "leakage"  # the route of numbers that rest on nothing else
_LISTED = 8  # known tuples that are named one by one


def related_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """What attackers learn who know how records are related: the worst first, then those the user named."""
    related = assessment.related
    if related is None:
        return []
    from dplens.describe.models import read_model  # loads the models, which few assessments need

    text, model = voice.text, json.loads(related.model)
    n = read_model(model).n
    out = [text.MODEL[model["model"]].format(n=voice(text.TUPLES[n == 1], n=f"{n:,}"))]
    for who in (related.worst, *related.attackers):
        knows = knows_words(who, n, voice)
        kind = "named" if who.name else "worst" if who is related.worst else "unnamed"
        name = who.name[:1].upper() + who.name[1:]  # begins the sentence
        introduced = voice(text.RELATED_WHO[kind], name=name, target=who.target, knows=knows)
        out += _attacker(assessment, who, introduced, voice)
        if any(a.route == BY_LEAKAGE for a in who.answers):
            out.append(text.RELATED_BY_LEAKAGE)
        if who is related.worst:
            compared = text.ATTACKERS[related.compared == 1].format(n=f"{related.compared:,}")
            bound = number(related.bound) if math.isfinite(related.bound) else text.NO_LIMIT
            what = text.RELATED_WHAT[related.delta == 0].format(delta=given(related.delta))
            out.append(text.RELATED_SURE[related.exhaustive].format(compared=compared, what=what, bound=bound))
            out += _others(related, voice)
    return out


def related_first(assessment: Assessment, voice: Any) -> list[str]:
    """What belongs on the first lines: that relations let an attacker learn more than the release by itself."""
    if assessment.related is None or "related_worse" not in assessment.warnings:
        return []
    factor = max(a.estimate.high for a in assessment.related.all_answers if a.question == RelativeRisk(fpr=0.0))
    if math.isinf(factor):
        return [voice.text.RELATED_FIRST_UNBOUNDED]
    return [voice.text.RELATED_FIRST.format(factor=number(factor))]


def _others(related: Related, voice: Any) -> list[str]:
    """What is proved of all attackers at once, where another than the worst by epsilon may be right more often."""
    prior = _prior(related.worst, voice)
    question = Posterior(prior=prior, fpr=voice.fpr)
    who, everyone = ({a.question: a.estimate for a in answers} for answers in (related.worst.answers, related.everyone))
    if question not in everyone:  # written by an earlier version
        return []
    _, after, out_of = pair(prior, who[question].high)
    most = min(math.ceil(everyone[question].high * out_of - 1e-9), out_of)
    return [voice.text.RELATED_OTHERS.format(most=f"{most:,}", out_of=f"{out_of:,}")] if most > after else []


def knows_words(who: RelatedAttacker, n: int, voice: Any) -> str:
    """What an attacker knows of the other records."""
    text, count = voice.text, len(who.known)
    if count == 0:
        return voice(text.KNOWS["none"])
    if count == n - 1 and all(value is None for _, value in who.known):
        return voice(text.KNOWS["all"])
    if count > _LISTED:
        return voice(text.KNOWS["many"], count=count)
    shown = [str(i) if value is None else f"{i} (= {given(value)})" for i, value in who.known]
    return voice(text.KNOWS["one" if count == 1 else "some"], known=text.listed(shown))


def _prior(who: RelatedAttacker, voice: Any) -> float:
    """What he believes beforehand: what the model says where it does, else the suspicion of other sentences."""
    return voice.main.prior if who.belief is None else who.belief


def _attacker(assessment: Assessment, who: RelatedAttacker, introduced: str, voice: Any) -> list[str]:
    text = voice.text
    if who.determined:
        return [text.RELATED_DETERMINED.format(who=introduced)]
    answers = {a.question: a.estimate for a in who.answers}
    prior, fpr = _prior(who, voice), voice.fpr
    question = Posterior(prior=prior, fpr=fpr)
    posterior, alone = answers[question].high, assessment.answer(question).high
    before, after, out_of = pair(prior, posterior)
    by_itself = min(math.ceil(alone * out_of - 1e-9), out_of)
    said = text.RELATED_PAIR[who.belief is not None].format(
        who=introduced,
        value="" if who.value is None else given(who.value),
        before=f"{before:,}",
        after=f"{after:,}",
        alone=f"{by_itself:,}",
        out_of=f"{out_of:,}",
        prior=belief(prior),
        fpr=share(fpr),
    )
    ratio = RelativeRisk(fpr=0.0)
    if math.isinf(answers[ratio].high):
        return [said, text.RELATED_UNBOUNDED]
    promised = assessment.answer(ratio).high
    shown = number(promised) if math.isfinite(promised) else text.NO_LIMIT
    return [said, text.RELATED_ODDS.format(factor=number(answers[ratio].high), alone=shown)]
