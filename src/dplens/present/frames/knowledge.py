"""What related records add: leakage by how many other records the attacker knows."""

from __future__ import annotations

import math
from typing import Any

from dplens import _validate
from dplens.estimate import Certificate
from dplens.mechanisms.base import as_curve
from dplens.present.frames.base import ChartFrame

_LISTED = 6  # numbers of known records that a table lists, beside the worst and the last
_NEEDED = ("by_known", "leakage", "epsilon", "delta", "known", "bound", "exhaustive")


def leakage_by_knowledge(worst: Any, *, mechanism: Any = None) -> ChartFrame:
    """The worst attacker's epsilon(delta) by the number of records he knows (Li et al. 2019, Figure 4).

    worst: what ``data.worst(…)`` found. mechanism: whose epsilon(delta) on unrelated records is shown beside it; by
    default the one that was attacked.
    """
    if any(not hasattr(worst, name) for name in _NEEDED):
        remedy = "Pass what data.worst(mechanism) returns."
        raise _validate.reject_type("worst", "to be a worst attacker (dplens.Worst)", worst, remedy)
    own = len(worst.known)
    # a search need not look at every number of known records; where it did not, there is a 0 that is no finding
    compared = [k for k, e in enumerate(worst.by_known) if e != 0 or k == own]
    # searches keep the upper ends only; for whom nothing more is known, 0 is a lower end that always holds
    rows = [
        {"known": k, "epsilon": float(e), "epsilon_low": worst.epsilon.low if k == own else 0.0, "listed": True}
        for k, e in enumerate(worst.by_known)
        if k in compared and math.isfinite(e)
    ]
    for row in rows[_LISTED:-1]:
        row["listed"] = row["known"] == own
    certificate = worst.leakage.certificate or Certificate("search", 0.0)
    facts = {
        "leakage": worst.leakage,
        "epsilon": worst.epsilon,
        "delta": worst.delta,
        "known": len(worst.known),
        "bound": worst.bound,
        "exhaustive": worst.exhaustive,
        "skipped": len(worst.by_known) - len(compared),
        "unrelated": _unrelated(getattr(worst, "mechanism", None) if mechanism is None else mechanism, worst.delta),
    }
    return ChartFrame(kind="leakage", rows=tuple(rows), facts=facts, certificate=certificate)


def _unrelated(mechanism: Any, delta: float) -> float | None:
    """epsilon(delta) of the mechanism where each record stands alone; None where it has no curve or no epsilon."""
    if not callable(getattr(mechanism, "tradeoff", None)):
        return None
    found = as_curve(mechanism).epsilon(delta)
    return found if math.isfinite(found) else None
