"""The pictures of an assessment, with its settings."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from dplens.describe.releases import read_release
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.present.charts.picture import Picture
from dplens.present.frames import kinds
from dplens.present.frames.base import ChartFrame
from dplens.present.frames.noise import noise_parameter
from dplens.present.words.counts import pair
from dplens.risk.bayes import Posterior
from dplens.risk.conversions import Epsilon

if TYPE_CHECKING:
    from dplens.assessment.records import Related
    from dplens.assessment.result import Assessment
    from dplens.present.words.say import Voice

STANDARD = (
    "icons",
    "posterior",
    "precision_recall",
    "roc",
    "roc_log",
    "relative_risk",
    "output_laws",
    "leakage",
    "analyst_power",
    "audit",
    "power_noise",
    "profile",
)
ALL = (*STANDARD, "fscore")
_RATES = (0.001, 0.1)
_FACTORS = (
    0.5,
    0.7,
    1.0,
    1.4,
    2.0,
    2.8,
    4.0,
)  # multiples of the present noise; fewer than in a chart of its own, for speed


def figures_of(assessment: Assessment, voice: Voice, charts: tuple[str, ...]) -> dict[str, Picture]:
    """The pictures by name, without those that do not apply (no noise to change, no data model)."""
    frames: dict[str, ChartFrame] = {}
    out = {}
    for kind in charts:
        if kind == "power_noise" and charts == STANDARD and _takes_long(assessment):
            continue
        source = "roc" if kind in ("roc_log", "tradeoff") else kind
        settings = _settings(source, assessment, voice)
        if kind == "analyst_power":
            out |= _analyses(assessment, voice)
        if kind == "audit":
            out |= _audits(assessment, voice)
        if settings is None:
            continue
        try:
            if source not in frames:
                target = settings.pop("target", None)
                frames[source] = kinds.frame(source, assessment.mechanism if target is None else target, **settings)
        except Undefined:
            continue
        replaced = assessment.assumptions.told_apart == "replace"
        about = "related" if kind == "leakage" else "replaced" if replaced else voice.about
        out[kind] = _picture(kind, frames[source], about, assessment, voice, mildest=assessment.mildest)
    return out


def _picture(kind: str, frame: ChartFrame, about: str, made: Assessment, voice: Voice, **more: Any) -> Picture:
    return Picture(kind=kind, frame=frame, about=about, unit=made.assumptions.unit, language=voice.language, **more)


def _takes_long(assessment: Assessment) -> bool:
    """Whether another amount of noise would take seconds, as for releases on the grid."""
    return any(a.route == "grid" for a in assessment.answers)


def _analyses(assessment: Assessment, voice: Voice) -> dict[str, Picture]:
    """One picture for each test of the analyst that a file can hold."""
    if not assessment.analyst:
        return {}
    from dplens.describe.analyses import read_test

    out = {}
    for i, answer in enumerate(assessment.analyst):
        test, noise = json.loads(answer.test), json.loads(answer.reads)
        if "opaque" in (test["test"], noise["mechanism"]):
            continue  # not writable; the table has its numbers anyway
        made = kinds.frame("analyst_power", read_test(test), mechanism=read_release(noise))
        out[f"analyst_power_{i + 1}"] = _picture("analyst_power", made, "analyst", assessment, voice)
    return out


def _audits(assessment: Assessment, voice: Voice) -> dict[str, Picture]:
    """One picture for each measured attack that has a curve."""
    out = {}
    for i, record in enumerate(assessment.audits):
        if record.band:
            made = kinds.frame("audit", record, claim=assessment.mechanism)
            out[f"audit_{i + 1}"] = _picture("audit", made, voice.about, assessment, voice)
    return out


def _settings(kind: str, assessment: Assessment, voice: Voice) -> dict[str, Any] | None:
    """The settings of a frame; None if it does not apply to the assessment."""
    fpr, delta = voice.fpr, assessment.assumptions.delta
    priors = [who.prior for who in assessment.attackers]
    if kind == "leakage":
        return None if assessment.related is None else _leakage(assessment.related, assessment)
    if kind in ("analyst_power", "audit"):
        return None
    return {
        "icons": {"prior": _icon_prior(assessment, voice), "fpr": fpr},
        "posterior": {"fpr": fpr, "priors": priors},
        "precision_recall": {"priors": priors, "fpr": fpr},
        "roc": {"fpr": fpr},
        "relative_risk": {"fpr": fpr},
        "output_laws": {"fpr": fpr},
        "power_noise": {"fprs": sorted({fpr, *_RATES}), "factors": _factors(assessment)},
        "profile": {"delta": delta},
        "fscore": {"prior": voice.main.prior, "delta": delta},
    }.get(kind, {})


def _factors(assessment: Assessment) -> list[float]:
    """Factors on the noise: from a half, or from 1 if the halved noise is below 0.25 in sampled steps.

    Those take seconds each, and show no more than that everything is revealed.
    """
    noise = noise_parameter(assessment.mechanism)
    sampled = any(scheme != "unknown" for scheme in assessment.assumptions.sampling)
    little = sampled and noise is not None and noise[1] * _FACTORS[0] < 0.25
    return [factor for factor in _FACTORS if factor >= 1 or not little]


def _icon_prior(assessment: Assessment, voice: Voice) -> float:
    """The main attacker's prior, or another attacker's if a thousand people cannot show that one."""
    for who in (voice.main, *assessment.attackers):
        answer = assessment.answer(Posterior(prior=who.prior, fpr=voice.fpr))
        if pair(who.prior, answer.high)[2] <= 1000:
            return who.prior
    return voice.main.prior


def _leakage(related: Related, assessment: Assessment) -> dict[str, Any]:
    """The result of the search for the worst attacker, in the form of ``Worst``."""
    asked = {a.question: a.estimate for a in related.worst.answers}
    largest = max(related.by_known, default=0.0)
    otherwise = related.worst.leakage if related.delta == 0 else Estimate(largest, low=0.0, high=largest)
    epsilon = asked.get(Epsilon(delta=related.delta), otherwise)
    found = SimpleNamespace(
        by_known=related.by_known,
        leakage=related.worst.leakage,
        epsilon=epsilon,
        delta=related.delta,
        known=related.worst.known,
        bound=related.bound,
        exhaustive=related.exhaustive,
    )
    return {"target": found, "mechanism": assessment.mechanism}
