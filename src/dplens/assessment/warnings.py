"""What a reader has to be warned of, as codes; the words for them are in ``present.words``."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from dplens.assessment.structure import guaranteed, responding
from dplens.describe.releases import Opaque, read_release, write_release
from dplens.mechanisms.base import NEIGHBOURS, Mechanism
from dplens.mechanisms.combined import Grouped
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
    "plan_not_counted",
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
        "plan_not_counted": bool(uncounted(assessment)),
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


def uncounted(assessment: Assessment) -> tuple[str, ...]:
    """Values of the analyst's plans that were read from releases which are not among what is assessed.

    Tests that rest on equal values are taken to rest on one release of them; within a test each has its own.
    """
    release = assessment.mechanism
    while isinstance(release, Grouped):  # the same releases, seen by a group
        release = release.mechanism
    left = _parts(release)
    left.subtract({one.reads for one in assessment.analyst})  # the numbers that are tested are others
    plans = [_estimates(json.loads(one.test)) for one in assessment.analyst]
    missing: list[str] = []
    for estimate in dict.fromkeys(chain(*plans)):
        paid = json.loads(estimate).get("release")
        parts = _parts(None if paid is None else read_release(paid), getattr(release, "neighbours", ""))
        for _ in range(max(len(plan.get(estimate, ())) for plan in plans)):
            left.subtract(parts)
        if not parts or any(left[part] < 0 for part in parts):
            missing += chain(*(plan.get(estimate, ()) for plan in plans))
    return tuple(dict.fromkeys(missing))


def _estimates(plan: dict[str, Any]) -> dict[str, list[str]]:
    """Private estimates with the names of the values that they are."""
    found: dict[str, list[str]] = {}
    for name, value in plan.items():
        if isinstance(value, dict) and value.get("source") == "private_estimate":
            found.setdefault(json.dumps(value), []).append(name)
    return found


def _parts(release: Any, neighbours: str = "") -> Counter[str]:
    """What is released, described for those neighbours, and how often; nothing where that is not known."""
    if not isinstance(release, Mechanism):
        return Counter()
    seen = release.as_replace() if neighbours == "replace" else release
    return Counter({json.dumps(write_release(m)): count for m, count in seen._parts()})


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
