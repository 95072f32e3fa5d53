"""A measured attack beside the claim: both curves over the same false-positive rates."""

from __future__ import annotations

from typing import Any

import numpy as np

from dplens import _validate
from dplens.assessment.audited import RATES, Audited, audited
from dplens.auditing.measured import Audit
from dplens.errors import Undefined
from dplens.mechanisms.base import as_curve
from dplens.present.frames.base import ChartFrame, Row, is_one_of, powers
from dplens.risk.rates import AttackPower


def audit_band(target: Any, *, claim: Any) -> ChartFrame:
    """What the claim allows at most, and the band of a measured attack: proved, seen, and what its score may reach.

    target: an audit, or its record in an assessment. ``measured`` is proved, so its bracket is open to above.
    """
    curve = as_curve(claim, "claim")
    record = audited(target, curve, 0.0)[0] if isinstance(target, Audit) else target
    if not isinstance(record, Audited):
        raise _validate.reject_type("target", "to be an audit", target, "Pass what dplens.audit(…) found.")
    if not record.band:
        raise Undefined("An audit of one run counts right guesses: it has no curve to draw.")
    alpha = np.array([row[0] for row in record.band])
    low, high = powers(curve, alpha)
    route = curve.certificate.route
    rows: list[Row] = []
    for a, p0, p1, (_, proved, seen, top) in zip(alpha.tolist(), low, high, record.band):
        row = {"alpha": a, "power": float(p1), "power_low": float(p0), "listed": is_one_of(a, RATES)}
        if row["listed"]:
            answer = AttackPower(fpr=a).of(curve)
            row |= {"power": float(answer), "power_low": answer.low}
        row |= {"claimed": row["power"], "claimed_low": row["power_low"], "route": f"{route}, measured"}
        rows.append({**row, "measured": proved, "measured_high": 1.0, "seen": seen, "reach": top})
    facts = {
        "verdict": record.verdict,
        "confidence": record.confidence,
        "fpr": record.fpr,
        "measured": record.measured,
        "claimed": record.claimed,
    } | ({"name": record.name} if record.name else {})
    return ChartFrame(kind="audit", rows=tuple(rows), facts=facts, certificate=curve.certificate)
