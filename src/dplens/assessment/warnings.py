"""Codes of warnings; ``present.words`` has the sentences."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
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

# Whether a code applies, by code, the gravest first.
_APPLIES: dict[str, Callable[[Assessment], bool]] = {
    "mildest": lambda a: a.mildest,
    "claim_refuted": lambda a: a.refuted,
    "limit_exceeded": lambda a: not all(v.met or v.open for v in a.limits),
    "limit_open": lambda a: any(v.open for v in a.limits),
    "power_missed": lambda a: not all(one.met for one in a.analyst),
    "plan_not_counted": lambda a: bool(uncounted(a)),
    "catastrophic": lambda a: a.failure is FailureMode.CATASTROPHIC,
    "undetermined": lambda a: a.failure is FailureMode.UNDETERMINED,
    "answers_apart": lambda a: a.answers_apart,
    "responses_seen": lambda a: a.assumptions.told_apart in NEIGHBOURS and responding(a.mechanism) != "none",
    "delta_not_below_one_in_n": lambda a: (a.assumptions.n or 0) * a.assumptions.delta >= 1,
    # an output that proves its world: the release's own delta, whatever the delta of the epsilon
    "proof_not_below_one_in_n": lambda a: (a.assumptions.n or 0) * a.answer(AttackPower(fpr=0.0)).high >= 1,
    "poisson_batches": lambda a: "poisson" in a.assumptions.sampling,
    "uniform_batches": lambda a: "without_replacement" in a.assumptions.sampling,
    "unknown_batches": lambda a: "unknown" in a.assumptions.sampling,
    "related_worse": lambda a: _related_worse(a),
    "search_not_exhaustive": lambda a: a.related is not None and not a.related.exhaustive,
    "relations_not_modelled": lambda a: a.related is None,
    "guarantee_only": lambda a: _guaranteed(a) == "all",
    "guarantee_in_part": lambda a: _guaranteed(a) == "part",
    "roughly_known": lambda a: any(answer.rough for answer in a.answers),
}
CODES = tuple(_APPLIES)


def warnings_of(assessment: Assessment) -> tuple[str, ...]:
    """The codes that apply, the most serious first."""
    return tuple(code for code, applies in _APPLIES.items() if applies(assessment))


def uncounted(assessment: Assessment) -> tuple[str, ...]:
    """Values in the analyst's plans that come from releases outside the assessment.

    Equal values in several tests count as one release; values within one test count separately.
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
    """Private estimates, each with the names of the values that use it."""
    found: dict[str, list[str]] = {}
    for name, value in plan.items():
        if isinstance(value, dict) and value.get("source") == "private_estimate":
            found.setdefault(json.dumps(value), []).append(name)
    return found


def _parts(release: Any, neighbours: str = "") -> Counter[str]:
    """How often each part is released, described for these neighbours; empty if unknown."""
    if not isinstance(release, Mechanism):
        return Counter()
    seen = release.as_replace() if neighbours == "replace" else release
    return Counter({json.dumps(write_release(m)): count for m, count in seen._parts()})


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
