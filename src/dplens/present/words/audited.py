"""Measured attacks in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dplens.present.rounding import exceeding, given, number, percent

if TYPE_CHECKING:
    from dplens.assessment.audited import Audited
    from dplens.assessment.result import Assessment


def audit_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """Verdict, size and bounds of each measured attack; what it does not show is said with it."""
    out: list[str] = []
    for one in assessment.audits:
        # the mildest release that explains an attack says nothing against it: that is no verdict
        unclaimed = assessment.mildest and not one.refuted
        verdict = voice.text.AUDIT_UNCLAIMED if unclaimed else _verdict(one, voice)
        out += [verdict, _size(one, voice), audit_assumes(one.source, voice.text), *one.notes]
    if len(assessment.audits) > 1:
        error = min(sum(1 - one.confidence for one in assessment.audits), 1.0)
        out.append(voice(voice.text.AUDIT["several"], count=f"{len(assessment.audits):,}", error=percent(error, 3)))
    return out


def audit_assumes(source: str, text: Any) -> str:
    """What a verdict rests on beyond what was measured."""
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
