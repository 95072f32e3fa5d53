"""A claim against a measurement: refuted, or not refuted; never confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dplens.mechanisms.base import as_curve

if TYPE_CHECKING:
    from dplens.auditing.measured import Audit

REFUTED, NOT_REFUTED = "refuted", "not refuted"
ASSUMES = "This takes scores to be independent and the attack to be fixed beforehand."


@dataclass(frozen=True, kw_only=True)
class Refutation:
    """The verdict on a claim. True where the claim is refuted.

    fpr: the false-positive rate at which measurement and claim are furthest apart. measured: the true-positive rate
    that the attack provably reaches there. claimed: the most that the claim allows there. confidence: with this
    probability a true claim is not refuted. If the claim is not refuted, ``excess`` is negative or 0.
    """

    verdict: str
    confidence: float
    fpr: float
    measured: float
    claimed: float
    claim: str = ""

    @property
    def refuted(self) -> bool:
        """Whether the claim is refuted."""
        return self.verdict == REFUTED

    @property
    def excess(self) -> float:
        """By how much the measured power exceeds the claimed one."""
        return self.measured - self.claimed

    def __bool__(self) -> bool:
        return self.refuted

    def __str__(self) -> str:
        at = f"{100 * self.confidence:g} % confidence"
        if self.refuted:
            measured, claimed = _told_apart(self.measured, self.claimed)
            return (
                f"Refuted at {at}: at a false-positive rate of {self.fpr:.4g} the attack finds at least "
                f"{measured} % of the members, the claim allows at most {claimed} %. {ASSUMES}"
            )
        return (
            f"Not refuted at {at}. That is no confirmation: this attack proves no more than the claim allows; "
            f"another attack, or more samples, may. {ASSUMES}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain values."""
        names = ("verdict", "confidence", "fpr", "measured", "claimed", "excess", "claim")
        return {name: getattr(self, name) for name in names}


def _told_apart(*shares: float) -> list[str]:
    """Percentages in four digits, or as many as show that they are not the same."""
    for digits in range(4, 16):
        texts = [f"{100 * share:.{digits}g}" for share in shares]
        if len(set(texts)) == len(texts):
            return texts
    return [f"{100 * share:.16g}" for share in shares]


def refutation(audit: Audit, claim: Any) -> Refutation:
    """The verdict at the corners of what is proved; elsewhere a convex claim that holds at the corners holds too."""
    curve = as_curve(claim, "claim")
    fpr, tpr = audit._points
    inner = slice(1, -1) if len(fpr) > 2 else slice(0, 1)
    fpr, tpr = fpr[inner], tpr[inner]
    allowed = np.asarray(curve.power(fpr))  # the claim's riskier side: what it allows at most
    excess = tpr - allowed
    # of all refuted points the one that is worst beside what may be by chance; else the nearest to being refuted
    at = int(np.argmax(excess / np.sqrt(np.maximum(tpr * (1 - allowed), 1e-300))))
    verdict = REFUTED if excess[at] > 0 else NOT_REFUTED
    return Refutation(
        verdict=verdict,
        confidence=audit.confidence,
        fpr=float(fpr[at]),
        measured=float(tpr[at]),
        claimed=float(allowed[at]),
        claim=repr(claim) if len(repr(claim)) < 400 else type(claim).__name__,
    )
