"""What related records add: leakage by how many other records the attacker knows."""

from __future__ import annotations

import math
from typing import Any

from dplens import _validate
from dplens.estimate import Certificate
from dplens.mechanisms.base import as_curve
from dplens.present.frames.base import Frame

_NEEDED = ("by_known", "leakage", "epsilon", "delta", "known", "bound", "exhaustive")


def leakage_by_knowledge(worst: Any, *, mechanism: Any = None) -> Frame:
    """The worst attacker's epsilon(delta) by the number of records he knows (Li et al. 2019, Figure 4).

    worst: what ``data.worst(…)`` found. mechanism: whose epsilon(delta) on unrelated records is shown beside it; by
    default the one that was attacked.
    """
    if any(not hasattr(worst, name) for name in _NEEDED):
        remedy = "Pass what data.worst(mechanism) returns."
        raise _validate.reject_type("worst", "to be a worst attacker (dplens.Worst)", worst, remedy)
    own = len(worst.known)
    # searches keep the upper ends only; for whom nothing more is known, 0 is a lower end that always holds
    rows = [
        {"known": k, "epsilon": float(e), "epsilon_low": worst.epsilon.low if k == own else 0.0, "listed": True}
        for k, e in enumerate(worst.by_known)
        if math.isfinite(e)
    ]
    certificate = worst.leakage.certificate or Certificate("search", 0.0)
    facts = {
        "leakage": worst.leakage,
        "epsilon": worst.epsilon,
        "delta": worst.delta,
        "known": len(worst.known),
        "bound": worst.bound,
        "exhaustive": worst.exhaustive,
        "unrelated": _unrelated(getattr(worst, "mechanism", None) if mechanism is None else mechanism, worst.delta),
    }
    return Frame(kind="leakage", rows=tuple(rows), facts=facts, certificate=certificate)


def _unrelated(mechanism: Any, delta: float) -> float | None:
    """epsilon(delta) of the mechanism where each record stands alone; None where it has no curve or no epsilon."""
    if not callable(getattr(mechanism, "tradeoff", None)):
        return None
    found = as_curve(mechanism).epsilon(delta)
    return found if math.isfinite(found) else None
