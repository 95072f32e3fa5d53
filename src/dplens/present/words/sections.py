"""Sections of an assessment in words: related records, the analyst's tests, measured attacks, what is published."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from dplens.describe.releases import EXTRAS, read_release
from dplens.errors import DplensError, DplensWarning
from dplens.present.rounding import belief, exceeding, given, number, percent, share
from dplens.present.words.counts import ceil, floor
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

    name = json.loads(related.model)["model"]
    model = read_model(json.loads(related.model))
    n = model.n
    own_words = docstring_phrase(model)
    known = f"model-{name}" in voice.text
    out = [voice(f"model-{name}", n=n) if known else f"{own_words[:1].upper()}{own_words[1:]}."]
    for who in (related.worst, *related.attackers):
        out.append(introduced(who, related, n, voice))
        out += _attacker(assessment, who, voice)
        if any(a.route == BY_LEAKAGE for a in who.answers):
            out.append(voice("related-by-leakage"))
        if who is related.worst:
            more = {"compared": related.compared, "exhaustive": _yes(related.exhaustive)}
            more |= {"bounded": _yes(math.isfinite(related.bound)), "bound": number(related.bound)}
            out.append(voice("related-sure", delta=given(related.delta), **more))
            out += _others(related, voice)
            out += [voice("related-fewer")] if len(who.known) < n - 1 else []
    return out


def related_first(assessment: Assessment, voice: Any) -> list[str]:
    """A first line if relations let an attacker learn more than the publication alone."""
    if assessment.related is None or "related_worse" not in assessment.warnings:
        return []
    factor = related_factor(assessment)
    if math.isinf(factor):
        return [voice("verdict-related-unbounded")]
    return [voice("verdict-related", factor=number(factor))]


def related_factor(assessment: Assessment) -> float:
    """The largest factor on the odds of any attacker who knows how records are related; 1 without such attackers."""
    answers = assessment.related.all_answers if assessment.related else ()
    return max((a.estimate.high for a in answers if a.question == RelativeRisk(fpr=0.0)), default=1.0)


def introduced(who: RelatedAttacker, related: Related, n: int, voice: Any) -> str:
    """Whose record an attacker attacks, and what they know of the others."""
    name = who.name[:1].upper() + who.name[1:]  # begins the sentence
    kind = "named" if name else "worst" if who is related.worst else "unnamed"
    count = len(who.known)
    knows = "none" if count == 0 else "many" if count > 8 else "one" if count == 1 else "some"
    if 0 < count == n - 1 and all(value is None for _, value in who.known):
        knows = "all"
    known = [voice("related-place", place=i + 1, value="none" if v is None else given(v)) for i, v in who.known]
    more = {"name": name, "kind": kind, "knows": knows, "count": count, "known": known if count <= 8 else ""}
    return voice("related-who", target=who.target + 1, exhaustive=_yes(related.exhaustive), **more)


def _others(related: Related, voice: Any) -> list[str]:
    """The bound on all attackers, if one other than the worst by epsilon may be surer."""
    question = Posterior(prior=_prior(related.worst, voice), fpr=voice.fpr)
    who, everyone = ({a.question: a.estimate for a in answers} for answers in (related.worst.answers, related.everyone))
    if question not in everyone:  # written by an earlier version
        return []
    most, after = percent(everyone[question].high, 3), percent(who[question].high, 3)
    return [voice("related-others", most=most)] if most != after else []


def _prior(who: RelatedAttacker, voice: Any) -> float:
    """Their prior belief: from the model if it has one, or else the main attacker's."""
    return voice.main.prior if who.belief is None else who.belief


def _attacker(assessment: Assessment, who: RelatedAttacker, voice: Any) -> list[str]:
    if who.determined:
        return [voice("related-determined")]
    answers = {a.question: a.estimate for a in who.answers}
    prior = _prior(who, voice)
    question = Posterior(prior=prior, fpr=voice.fpr)
    after, alone = (percent(x, 3) for x in (answers[question].high, assessment.answer(question).high))
    more = {"value": "" if who.value is None else given(who.value), "before": belief(prior)}
    said = voice("related-example" if who.belief is None else "related-belief", after=after, alone=alone, **more)
    ratio = RelativeRisk(fpr=0.0)
    if math.isinf(answers[ratio].high):
        return [said, voice("related-unbounded")]
    promised, factor = assessment.answer(ratio).high, number(answers[ratio].high)
    return [said, voice("related-odds", factor=factor, alone=number(promised), bounded=_yes(math.isfinite(promised)))]


def _yes(condition: bool) -> str:
    return "yes" if condition else "no"


# ---- the analyst: counts of studies, never promised too high --------------------------------------------------------


def analyst_sentences(assessment: Assessment, voice: Any, *, plans: bool = True) -> list[str]:
    """For each test, its power with and without the noise, and the sources of its plan if ``plans`` are wanted."""
    return [sentence for one in assessment.analyst for sentence in _analysis(one, voice, plans)]


def _analysis(one: AnalystAnswer, voice: Any, plans: bool) -> list[str]:
    before, after = one.power_without_noise.high, one.power.low
    out_of = 100 if ceil(before * 100) > floor(after * 100) + 1 or after > 0.999 else 1000
    said = voice(
        "analyst",
        named=_yes(bool(one.name)),
        name=one.name[:1].upper() + one.name[1:],
        out_of=out_of,
        effect=given(one.effect),
        after=floor(after * out_of),
        before=ceil(before * out_of),
        level=share(one.level),
    )
    key = "analyst-kept" if one.met else "analyst-missed"
    needed = [] if one.min_power is None else [voice(key, needed=share(one.min_power))]
    return [said, *needed, *(_plan(json.loads(one.test), voice) if plans else [])]


def _plan(test: dict[str, Any], voice: Any) -> list[str]:
    sourced: dict[tuple[str, str], list[str]] = {}
    for name in _PLANNED:
        if name not in test:
            continue
        bare = {"value": test[name], "source": "not_stated", "note": ""}
        planned = test[name] if isinstance(test[name], dict) else bare
        value, note = planned["value"], planned["note"]
        shown = given(value) if isinstance(value, (int, float)) else f"{value}"
        sourced.setdefault((planned["source"], note), []).append(voice("analyst-value", name=name, value=shown))
    return [
        voice("analyst-plan", values=values, source=source, note=note, noted=_yes(bool(note)), first=_yes(i == 0))
        for i, ((source, note), values) in enumerate(sourced.items())
    ]


# ---- measured attacks ------------------------------------------------------------------------------------------------


def audit_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """Verdict, size, bounds and caveats of each measured attack."""
    out: list[str] = []
    for one in assessment.audits:
        # the mildest release that explains an attack is no claim, so there is no verdict
        unclaimed = assessment.mildest and not one.refuted
        verdict = voice("audit-unclaimed") if unclaimed else _verdict(one, voice)
        out += [verdict, _size(one, voice), audit_assumes(one.source, voice), *map(voice.text.shown, one.notes)]
    if len(assessment.audits) > 1:
        error = min(sum(1 - one.confidence for one in assessment.audits), 1.0)
        out.append(voice("audit-several", count=len(assessment.audits), error=percent(error, 3)))
    return out


def audit_assumes(source: str, text: Any) -> str:
    """The assumptions of a verdict."""
    kind = {"counts": "counts", "points": "points", "precision and recall": "points", "one run": "run"}
    return text(f"audit-assumes-{kind.get(source, 'scores')}")


def _verdict(one: Audited, voice: Any) -> str:
    said = "refuted" if one.refuted else "not_refuted" if one.claimed <= 1 else "too_few"
    told: dict[str, Any] = {"confidence": share(one.confidence), "named": _yes(bool(one.name)), "name": one.name}
    if one.source == "one run":
        shares = {"right": one.measured, "takes": one.claimed, "guesses": 1.0}
        counts = {key: round(part * one.guesses) for key, part in shares.items() if math.isfinite(part)}
        return voice(f"audit-run-{said}", **{"takes": 0, **counts}, **told)
    measured, claimed = exceeding(one.measured, one.claimed) if one.refuted else ("", "")  # of no other is it said
    return voice(f"audit-{said}", rate=percent(one.fpr, 3), measured=measured, claimed=claimed, **told)


def _size(one: Audited, voice: Any) -> str:
    bounds = {
        "epsilon": number(one.epsilon_at_delta, more_is_riskier=False),
        "pure": number(one.epsilon, more_is_riskier=False),
        "mu": number(one.mu, more_is_riskier=False),
    }
    counts = {"n_in": one.n_in, "n_out": one.n_out, "canaries": one.canaries}
    return voice(
        "audit-run-size" if one.source == "one run" else "audit-size", delta=given(one.delta), **bounds, **counts
    )


# ---- what is published -----------------------------------------------------------------------------------------------

_SHARES = ("sample_rate", "rate", "fails_with", "probability")
_MORE = {"sample_rate": "sampled", "repeat": "repeated", "fails_with": "fails", "group": "group"}


def published_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """A sentence for each release; unwritable ones are shown by their description."""
    from dplens.scenario.written import scenario_of

    if assessment.mildest:
        return [voice("published-mildest")]
    try:
        releases = scenario_of(assessment)["releases"]
    except DplensError:  # nobody can write it, or somebody edited the saved scenario
        return [voice("published-other", what=assessment.release.get("shown", assessment.release["mechanism"]))]
    return [_sentence(release, voice) for release in releases]


def _sentence(release: dict[str, Any], voice: Any, *, grouped: bool = False) -> str:
    """A release in words, and those that it is made of; grouped: inside one in which a unit has several records."""
    name, about = release["mechanism"], {"about": voice.about}
    if not (grouped or release.get("group")):  # in this release a unit has one record
        about["several"] = "no"
    if name not in MECHANISMS:  # made of others, or a hypothesis about a value
        replaced = name == "grouped" and release.get("neighbours") not in (None, release["of"].get("neighbours"))
        said = voice(f"release-{'replaced' if replaced else name}", **about, **_shown(release))
    else:
        own = {f.name for f in fields(MECHANISMS[name])}
        with warnings.catch_warnings():  # the assessment holds its own warnings
            warnings.simplefilter("ignore", DplensWarning)
            made = read_release({k: v for k, v in release.items() if k == "mechanism" or k in own})
        values = {key: getattr(made, key) for key in own}
        known = f"release-{name}" in voice.text
        own_words = docstring_phrase(made, skip=("neighbours", "sensitivity"))
        if name == "randomized_response":
            values["truth"] = 1 / (1 + (values["categories"] - 1) * math.exp(-values["epsilon"]))
        said = voice(f"release-{name}", **about, **_shown(values)) if known else own_words
        if values.get("sensitivity") is not None:
            key = "release-sensitive-apart" if voice.assessment.answers_apart else "release-sensitive"
            said = voice(key, **about, what=said, sensitivity=given(values["sensitivity"]))
        release = {k: v for k, v in release.items() if k not in own}
    for extra in EXTRAS:
        if release.get(extra) is not None and extra in _MORE:
            said = voice(f"release-{_MORE[extra]}", **about, what=said, **_shown(release))
    called = release.get("name")
    inner = [_sentence(one, voice, grouped=grouped or name == "grouped") for one in _inside(release)]
    return " ".join([voice("published", named=_yes(bool(called)), name=called or "", what=said), *inner])


def _inside(release: dict[str, Any]) -> list[dict[str, Any]]:
    """The releases that one is made of."""
    if "parts" not in release:
        return [release["of"]] if "of" in release else []
    parts = [(part["of"], part["times"]) for part in release["parts"]]
    return [{**one, "repeat": times} if times > 1 else one for one, times in parts]


def _shown(values: dict[str, Any]) -> dict[str, Any]:
    """Values in words: numbers as given, lists by their length, laws by their name."""
    renamed = {"size": "size_here", "about": "asked"}
    return {renamed.get(key, key): _value(key, value) for key, value in values.items() if key not in ("unit", "name")}


def _value(key: str, value: Any) -> Any:
    if hasattr(value, "dist"):
        return value.dist.name
    if isinstance(value, (tuple, list)) or hasattr(value, "shape"):
        return len(value)
    if isinstance(value, float):
        return percent(value, 3) if key == "truth" else share(value) if key in _SHARES else given(value)
    return value if isinstance(value, int) else str(value)
