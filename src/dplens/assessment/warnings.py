"""What a reader has to be warned of, as codes; the words for them are in ``present.words``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dplens.assessment.records import Verdict
from dplens.assessment.structure import guaranteed
from dplens.describe.releases import Opaque
from dplens.risk.disclosure import FailureMode

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment

CODES = (
    "mildest",
    "claim_refuted",
    "limit_exceeded",
    "limit_kept_by_named_only",
    "power_missed",
    "catastrophic",
    "undetermined",
    "delta_not_below_one_in_n",
    "poisson_batches",
    "uniform_batches",
    "unknown_batches",
    "related_worse",
    "search_not_exhaustive",
    "relations_not_modelled",
    "guarantee_only",
    "guarantee_in_part",
    "roughly_known",
)


def warnings_of(assessment: Assessment) -> tuple[str, ...]:
    """The codes that apply, the gravest first."""
    assumed, related = assessment.assumptions, assessment.related
    applies = {
        "mildest": assessment.mildest,
        "claim_refuted": any(a.refuted for a in assessment.audits),
        "limit_exceeded": not all(v.met for v in assessment.limits),
        "limit_kept_by_named_only": bool(exceeded_by_the_worst(assessment)),
        "power_missed": not all(a.met for a in assessment.analyst),
        "catastrophic": assessment.failure is FailureMode.CATASTROPHIC,
        "undetermined": assessment.failure is FailureMode.UNDETERMINED,
        "delta_not_below_one_in_n": assumed.n is not None and assumed.delta * assumed.n >= 1,
        "poisson_batches": "poisson" in assumed.sampling,
        "uniform_batches": "without_replacement" in assumed.sampling,
        "unknown_batches": "unknown" in assumed.sampling,
        "related_worse": related is not None and _related_worse(assessment),
        "search_not_exhaustive": related is not None and not related.exhaustive,
        "relations_not_modelled": related is None,
        "guarantee_only": _guaranteed(assessment) == "all",
        "guarantee_in_part": _guaranteed(assessment) == "part",
        "roughly_known": any(a.rough for a in assessment.answers),
    }
    return tuple(code for code in CODES if applies[code])


def exceeded_by_the_worst(assessment: Assessment) -> tuple[Verdict, ...]:
    """Limits that the release and the named attackers on related records keep and the worst of all exceeds."""
    if assessment.related is None or not assessment.related.attackers:
        return ()
    found = {a.question: a.estimate for a in assessment.related.worst.answers}
    exceeded = {v.requirement for v in assessment.limits if not v.met}
    kept = dict.fromkeys(v.requirement for v in assessment.limits if v.requirement not in exceeded)
    judged = (Verdict(requirement=r, estimate=found[r.question], about="related") for r in kept if r.question in found)
    return tuple(v for v in judged if not v.met)


def _related_worse(assessment: Assessment) -> bool:
    """Whether an attacker on related records does provably better than the release by itself allows."""
    if assessment.related is None:
        return False
    own = {a.question: a.estimate for a in assessment.answers}
    everyone = (assessment.related.worst, *assessment.related.attackers)
    both = ((own[a.question], a.estimate) for who in everyone for a in who.answers if a.question in own)
    return any(theirs.low > alone.high for alone, theirs in both)


def _guaranteed(assessment: Assessment) -> str:
    release = assessment.mechanism
    return "none" if isinstance(release, Opaque) or assessment.mildest else guaranteed(release)
