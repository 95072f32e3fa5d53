"""Sections of an assessment in words: related records, the analyst's tests, measured attacks, what was released."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from dplens.describe.releases import EXTRAS, read_release
from dplens.errors import DplensWarning, Undefined
from dplens.present.rounding import belief, exceeding, given, number, percent, share
from dplens.present.words.counts import ceil, floor, pair
from dplens.registry import MECHANISMS, docstring_phrase
from dplens.risk.bayes import Posterior
from dplens.risk.disclosure import RelativeRisk

if TYPE_CHECKING:
    from dplens.assessment.audited import Audited
    from dplens.assessment.records import AnalystAnswer, Related, RelatedAttacker
    from dplens.assessment.result import Assessment

BY_LEAKAGE = "leakage"  # the route of numbers that follow from the leakage alone
_PLANNED = (
    "n",
    "sd",
    "sd2",
    "sd_x",
    "mean_x",
    "mean_y",
    "effect",
    "baseline",
    "null",
    "bounds",
    "x_bounds",
    "y_bounds",
    "ratio",
    "probabilities",
)


# ---- related records: an attacker decides between two values, not about membership ----------------------------------


def related_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """What attackers learn who know how records are related: the worst first, then those the user named."""
    related = assessment.related
    if related is None:
        return []
    from dplens.describe.models import read_model  # loads the models, which few assessments need

    text, name = voice.text, json.loads(related.model)["model"]
    model = read_model(json.loads(related.model))
    n = model.n
    said = text.MODEL.get(name) or f"{docstring_phrase(model)}."
    out = [said.format(n=voice(text.TUPLES[n == 1], n=f"{n:,}"))]
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
    """A first line if relations let an attacker learn more than the release alone."""
    if assessment.related is None or "related_worse" not in assessment.warnings:
        return []
    factor = max(a.estimate.high for a in assessment.related.all_answers if a.question == RelativeRisk(fpr=0.0))
    if math.isinf(factor):
        return [voice.text.RELATED_FIRST_UNBOUNDED]
    return [voice.text.RELATED_FIRST.format(factor=number(factor))]


def _others(related: Related, voice: Any) -> list[str]:
    """The bound on all attackers, if one other than the worst by epsilon may be right more often."""
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
    if count > 8:
        return voice(text.KNOWS["many"], count=count)
    shown = [str(i) if value is None else f"{i} (= {given(value)})" for i, value in who.known]
    return voice(text.KNOWS["one" if count == 1 else "some"], known=text.listed(shown))


def _prior(who: RelatedAttacker, voice: Any) -> float:
    """His prior belief: from the model if it has one, or else the main attacker's."""
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


# ---- the analyst: counts of studies, never promised too high --------------------------------------------------------


def analyst_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """For each test, its power with and without the noise, and the sources of its plan."""
    return [sentence for one in assessment.analyst for sentence in _analysis(one, voice)]


def _analysis(one: AnalystAnswer, voice: Any) -> list[str]:
    text = voice.text
    before, after = one.power_without_noise.high, one.power.low
    out_of = 100 if ceil(before * 100) > floor(after * 100) + 1 or after > 0.999 else 1000
    name = one.name or text.ANALYST_WHO
    said = text.ANALYST.format(
        who=name[0].upper() + name[1:],
        out_of=f"{out_of:,}",
        effect=given(one.effect),
        after=f"{floor(after * out_of):,}",
        before=f"{ceil(before * out_of):,}",
        level=share(one.level),
    )
    needed = []
    if one.min_power is not None:
        needed = [text.ANALYST_NEEDED[one.met].format(needed=share(one.min_power))]
    return [said, *needed, *_plan(json.loads(one.test), text)]


def _plan(test: dict[str, Any], text: Any) -> list[str]:
    values = []
    for name in _PLANNED:
        if name not in test:
            continue
        bare = {"value": test[name], "source": "not_stated", "note": ""}
        planned = test[name] if isinstance(test[name], dict) else bare
        note = f": {planned['note']}" if planned["note"] else ""
        value = planned["value"]
        shown = given(value) if isinstance(value, (int, float)) else f"{value}"
        values.append(
            text.ANALYST_VALUE.format(name=name, value=shown, source=text.SOURCES[planned["source"]], note=note)
        )
    return [text.ANALYST_PLAN.format(values=text.listed(values))] if values else []


# ---- measured attacks ------------------------------------------------------------------------------------------------


def audit_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """Verdict, size, bounds and caveats of each measured attack."""
    out: list[str] = []
    for one in assessment.audits:
        # the mildest release that explains an attack is no claim, so there is no verdict
        unclaimed = assessment.mildest and not one.refuted
        verdict = voice.text.AUDIT_UNCLAIMED if unclaimed else _verdict(one, voice)
        out += [verdict, _size(one, voice), audit_assumes(one.source, voice.text), *one.notes]
    if len(assessment.audits) > 1:
        error = min(sum(1 - one.confidence for one in assessment.audits), 1.0)
        out.append(voice(voice.text.AUDIT["several"], count=f"{len(assessment.audits):,}", error=percent(error, 3)))
    return out


def audit_assumes(source: str, text: Any) -> str:
    """The assumptions of a verdict."""
    kind = {"counts": "counts", "points": "points", "precision and recall": "points", "one run": "one run"}
    return text.AUDIT_ASSUMES[kind.get(source, "scores")]


def _verdict(one: Audited, voice: Any) -> str:
    said = "refuted" if one.refuted else "not_refuted" if one.claimed <= 1 else "too_few"
    told = {"confidence": f"{100 * one.confidence:.6g} %"}
    if one.source == "one run":
        told["which"] = voice.text.AUDIT_WHICH.format(name=one.name) if one.name else ""
        shares = {"right": one.measured, "takes": one.claimed, "guesses": 1.0}
        told |= {key: f"{round(part * one.guesses):,}" for key, part in shares.items()}
        return voice(voice.text.AUDIT[f"run_{said}"], **told)
    measured, claimed = exceeding(one.measured, one.claimed) if one.refuted else ("", "")  # of no other is it said
    who = voice.text.AUDIT_NAMED.format(name=one.name) if one.name else voice.text.AUDIT_WHO
    return voice(voice.text.AUDIT[said], who=who, fpr=percent(one.fpr, 3), measured=measured, claimed=claimed, **told)


def _size(one: Audited, voice: Any) -> str:
    text = voice.text.AUDIT["run_size" if one.source == "one run" else "size"]
    bounds = {
        "epsilon": number(one.epsilon_at_delta, more_is_riskier=False),
        "pure": number(one.epsilon, more_is_riskier=False),
        "mu": number(one.mu, more_is_riskier=False),
    }
    counts = {"n_in": f"{one.n_in:,}", "n_out": f"{one.n_out:,}", "canaries": f"{one.canaries:,}"}
    return voice(text, delta=given(one.delta), **bounds, **counts)


_SHARES = ("sample_rate",)


def released_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """A sentence for each release; unwritable ones are shown by their description."""
    from dplens.scenario.written import scenario_of

    if assessment.mildest:
        return [voice.text.MILDEST_RELEASE]
    try:
        releases = scenario_of(assessment)["releases"]
    except Undefined:
        return [voice(voice.text.RELEASE_OTHER, what=assessment.release.get("shown", assessment.release["mechanism"]))]
    return [_sentence(release, voice) for release in releases]


def _sentence(release: dict[str, Any], voice: Any) -> str:
    text, name, each = voice.text, release["mechanism"], {}
    if not release.get("group"):  # in this release a unit has one record
        each = {"record": voice.filled["unit"], "records": voice.filled["units"]}
    if name not in MECHANISMS:  # made of others, or a hypothesis about a value
        replaced = name == "grouped" and release.get("neighbours") not in (None, release["of"].get("neighbours"))
        template = text.RELEASE_REPLACED if replaced else text.RELEASE_MADE[name]
        said = voice(template, **each, **_shown(release))
    else:
        own = {f.name for f in fields(MECHANISMS[name])}
        with warnings.catch_warnings():  # the assessment holds its own warnings
            warnings.simplefilter("ignore", DplensWarning)
            made = read_release({k: v for k, v in release.items() if k == "mechanism" or k in own})
        values = {key: getattr(made, key) for key in own}
        phrase = text.RELEASES.get(name)
        own_words = docstring_phrase(made, skip=("neighbours", "sensitivity"))
        said = voice(phrase, **each, **_shown(values)) if phrase else own_words
        if values.get("sensitivity") is not None:
            about = "answers_apart" if voice.assessment.answers_apart else voice.about
            said += voice(text.RELEASE_SENSITIVITY[about], **each, sensitivity=given(values["sensitivity"]))
        release = {k: v for k, v in release.items() if k not in own}
    for extra in EXTRAS:
        if release.get(extra) is not None and extra in text.RELEASE_MORE:
            said += voice(text.RELEASE_MORE[extra], **each, **_shown(release))
    called = release.get("name")
    return f"{called}: {said}." if called else f"{said[0].upper()}{said[1:]}."


def _shown(values: dict[str, Any]) -> dict[str, str]:
    """Values in words: numbers as given, lists by their length, laws by their name."""
    return {key: _value(key, value) for key, value in values.items()}


def _value(key: str, value: Any) -> str:
    if hasattr(value, "dist"):
        return value.dist.name
    if isinstance(value, (tuple, list)) or hasattr(value, "shape"):
        return str(len(value))
    if isinstance(value, float):
        return share(value) if key in _SHARES else given(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
