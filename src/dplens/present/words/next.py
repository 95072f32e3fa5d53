"""What to do next, who decides, and the first lines where a result can prove something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dplens.present.rounding import number, one_in, percent
from dplens.risk.disclosure import FailureMode
from dplens.risk.rates import AttackPower

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment


def next_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """The next step, and who decides."""
    whom = assessment.declared.decided_by if assessment.declared else ""
    return [voice(f"next-{_step(assessment)}"), voice("next-who", whom=whom or "none")]


def _step(assessment: Assessment) -> str:
    """The next step; the gravest reason for one comes first."""
    if assessment.refuted:
        return "refuted"
    if assessment.mildest:
        return "mildest"
    if any(not (v.met or v.open) for v in assessment.limits):
        return "exceeded"
    if any(v.open for v in assessment.limits):
        return "open"
    if not all(one.met for one in assessment.analyst):
        return "power"
    if assessment.failure is FailureMode.CATASTROPHIC:
        return "exposed"
    return "kept" if assessment.limits else "none"


def exposed_first(assessment: Assessment, voice: Any) -> list[str]:
    """A first line if a result can prove something: the chance for each person, and how many that can be."""
    if assessment.failure is not FailureMode.CATASTROPHIC or assessment.refuted:
        return []
    proof, n = assessment.answer(AttackPower(fpr=0.0)).high, assessment.assumptions.n or 0
    # for records of several to a person, the chance of each person is no count of records
    many = number(n * proof) if n * proof >= 1 and voice.filled["several"] == "no" else "none"
    return [voice("verdict-exposed", chance=percent(proof, 3), one_in=one_in(proof), n=n, many=many)]
