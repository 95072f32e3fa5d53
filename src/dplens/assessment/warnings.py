"""What a reader has to be warned of, as codes; the words for them are in ``present.words``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dplens.assessment.structure import guaranteed, responding
from dplens.describe.releases import Opaque
from dplens.mechanisms.base import NEIGHBOURS
from dplens.risk.disclosure import FailureMode
from dplens.risk.rates import AttackPower

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment

CODES = (
    "mildest",
    "claim_refuted",
    "limit_exceeded",
    "limit_open",
    "power_missed",
    "catastrophic",
    "undetermined",
    "answers_apart",
    "responses_seen",
    "delta_not_below_one_in_n",
    "proof_not_below_one_in_n",
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
        "claim_refuted": assessment.refuted,
        "limit_exceeded": not all(v.met or v.open for v in assessment.limits),
        "limit_open": any(v.open for v in assessment.limits),
        "power_missed": not all(a.met for a in assessment.analyst),
        "catastrophic": assessment.failure is FailureMode.CATASTROPHIC,
        "undetermined": assessment.failure is FailureMode.UNDETERMINED,
        "answers_apart": assessment.answers_apart,
        "responses_seen": assumed.told_apart in NEIGHBOURS and responding(assessment.mechanism) != "none",
        "delta_not_below_one_in_n": assumed.n is not None and assumed.delta * assumed.n >= 1,
        "proof_not_below_one_in_n": assumed.n is not None and _proof(assessment) * assumed.n >= 1,
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


def _proof(assessment: Assessment) -> float:
    """The chance of an output that proves its world: the release's own delta, whatever the delta of the epsilon."""
    return assessment.answer(AttackPower(fpr=0.0)).high


def _related_worse(assessment: Assessment) -> bool:
    """Whether an attacker on related records does provably better than the release by itself allows."""
    if assessment.related is None:
        return False
    own = {a.question: a.estimate for a in assessment.answers}
    both = ((own[a.question], a.estimate) for a in assessment.related.all_answers if a.question in own)
    return any(theirs.low > alone.high for alone, theirs in both)


def _guaranteed(assessment: Assessment) -> str:
    release = assessment.mechanism
    return "none" if isinstance(release, Opaque) or assessment.mildest else guaranteed(release)
