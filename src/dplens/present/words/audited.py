"""Measured attacks in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dplens.present.rounding import given, number, percent

if TYPE_CHECKING:
    from dplens.assessment.audited import Audited
    from dplens.assessment.result import Assessment


def audit_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """Verdict, size and bounds of each measured attack; what it does not show is said with it."""
    out: list[str] = []
    for one in assessment.audits:
        out += [_verdict(one, voice), _size(one, voice), *one.notes]
    return out


def audit_first(assessment: Assessment, voice: Any) -> list[str]:
    """What belongs on the first lines: that the numbers describe what was claimed, not what happens."""
    return [voice.text.AUDIT_FIRST] if any(one.refuted for one in assessment.audits) else []


def _low(x: float) -> str:
    return percent(x, 3, more_is_riskier=False)


def _verdict(one: Audited, voice: Any) -> str:
    kind = "run_" if one.source == "one run" else ""
    said = "refuted" if one.refuted else "not_refuted" if one.claimed <= 1 else "too_few"
    text = voice.text.AUDIT[f"{kind}{said}"]
    who = voice.text.AUDIT_NAMED.format(name=one.name) if one.name else voice.text.AUDIT_WHO
    told = {"confidence": f"{100 * one.confidence:.6g} %", "who": who, "guesses": f"{one.guesses:,}"}
    return voice(text, fpr=percent(one.fpr, 3), measured=_low(one.measured), claimed=percent(one.claimed, 3), **told)


def _size(one: Audited, voice: Any) -> str:
    text = voice.text.AUDIT["run_size" if one.source == "one run" else "size"]
    bounds = {
        "epsilon": number(one.epsilon_at_delta, more_is_riskier=False),
        "pure": number(one.epsilon, more_is_riskier=False),
        "mu": number(one.mu, more_is_riskier=False),
    }
    counts = {"n_in": f"{one.n_in:,}", "n_out": f"{one.n_out:,}", "canaries": f"{one.canaries:,}"}
    return voice(text, delta=given(one.delta), **bounds, **counts)
