"""Measured attacks in an assessment: what they prove, compared with the claim."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.assessment.records import Record, by_name
from dplens.auditing.measured import REFUTED, Audit
from dplens.auditing.one_run import OneRunAudit
from dplens.registry import Result

RATES = (0.001, 0.01, 0.05, 0.1, 0.5)  # listed in tables
ONE_RUN = "one run"
_GRID = np.unique(np.round(np.concatenate([np.geomspace(1e-4, 0.01, 15), np.linspace(0.01, 1.0, 45), RATES]), 12))


@dataclass(frozen=True, kw_only=True)
class Audited(Result, Record):
    """One measured attack and its verdict on the claim of the assessment.

    Everything proved is a lower bound that holds with probability ``confidence``. band: (false-positive rate, power
    that is proved, power that was seen, power that this score may have), for pictures; empty for audits of one run,
    where ``guesses`` of ``canaries`` were made and ``measured`` and ``claimed`` are shares of right guesses.
    """

    name: str
    source: str
    confidence: float
    verdict: str
    fpr: float
    measured: float
    claimed: float
    mu: float
    epsilon: float
    delta: float
    epsilon_at_delta: float
    n_in: int = 0
    n_out: int = 0
    auc: float | None = None
    canaries: int = 0
    guesses: int = 0
    notes: tuple[str, ...] = ()
    band: tuple[tuple[float, float, float, float], ...] = ()

    @property
    def refuted(self) -> bool:
        """Whether the claim is refuted."""
        return self.verdict == REFUTED


def audited(audits: Any, claim: Any, delta: float) -> tuple[Audited, ...]:
    """The verdicts of one audit or several; a mapping gives them names."""
    return tuple(_record(name, one, claim, delta) for name, one in by_name(audits))


def _record(name: str, audit: Any, claim: Any, delta: float) -> Audited:
    remedy = "Pass what dplens.audit, audit_mechanism, audit_counts or audit_one_run found."
    _validate.instance("audit", audit, (Audit, OneRunAudit), "to be an audit, or several", remedy)
    verdict = audit.refutes(claim)
    if isinstance(audit, OneRunAudit):
        own: dict[str, Any] = {"source": ONE_RUN, "canaries": audit.canaries, "guesses": audit.guesses}
    else:
        own = {"source": audit.source, "n_in": audit.n_in, "n_out": audit.n_out, "band": _band(audit)}
        own["auc"] = None if math.isnan(audit.auc) else audit.auc
    return Audited(
        name=name or getattr(audit, "name", ""),
        confidence=audit.confidence,
        verdict=verdict.verdict,
        fpr=0.0 if math.isnan(verdict.fpr) else verdict.fpr,
        measured=verdict.measured,
        claimed=verdict.claimed,
        mu=float(audit.mu),
        epsilon=float(audit.epsilon),
        delta=delta,
        epsilon_at_delta=float(audit.epsilon_at(delta)),
        notes=audit.notes,
        **own,
    )


def _band(audit: Audit) -> tuple[tuple[float, float, float, float], ...]:
    """Proved power, observed power, and an upper bound on that of the score, over a grid of false-positive rates."""
    low = np.asarray(audit.power(_GRID))
    order = np.argsort(audit.fpr, kind="stable")
    x, y = np.append(0.0, audit.fpr[order]), np.append(0.0, np.maximum.accumulate(audit.tpr[order]))
    seen = np.interp(_GRID, np.append(x, 1.0), np.append(y, 1.0))
    order = np.argsort(audit.fpr_low, kind="stable")
    tops = np.append(np.maximum.accumulate(audit.tpr_high[order]), 1.0)
    high = tops[np.searchsorted(audit.fpr_low[order], _GRID, side="right")]
    seen, high = np.maximum(seen, low), np.maximum(np.maximum(high, seen), low)
    return tuple(zip(_GRID.tolist(), low.tolist(), seen.tolist(), high.tolist()))
