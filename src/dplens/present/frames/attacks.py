"""What the attacker can do: his errors against each other, his precision against his recall, what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dplens import _validate
from dplens.assessment.audited import RATES, Audited, audited
from dplens.auditing.measured import Audit
from dplens.errors import Undefined
from dplens.mechanisms.base import as_curve
from dplens.present.frames import base
from dplens.present.frames.base import ChartFrame
from dplens.risk.bayes import Precision, precision
from dplens.risk.disclosure import failure_mode
from dplens.risk.rates import Advantage, AttackPower

RECALLS = (0.5,)  # shares of targets found that tables list


def tradeoff(target: Any, *, fpr: float = 0.01, smallest: float = base.SMALLEST) -> ChartFrame:
    """alpha, power and beta of the best attack, with the attacker's operating point at ``fpr``.

    smallest: the least alpha above 0; alpha = 0 itself is the first row (what an output can prove), alpha = 1 the last.
    """
    curve = as_curve(target, "target")
    fpr = _validate.open_probability("fpr", fpr)
    smallest = _validate.real("smallest", smallest, "in (0, 0.01)", lambda x: 0 < x < 0.01)
    wanted = (*base.RATES, fpr)
    alpha = np.concatenate([[0.0], base.rates_to_draw(min(smallest, fpr), wanted), [1.0]])
    (power_low, power), (beta, beta_high) = base.powers(curve, alpha), base.betas(curve, alpha)
    rows = [
        {
            "alpha": float(a),
            "power": float(t),
            "power_low": float(t0),
            "beta": float(b),
            "beta_high": float(b1),
            "listed": base.is_one_of(float(a), wanted),
        }
        for a, t, t0, b, b1 in zip(alpha, power, power_low, beta, beta_high)
    ]
    for row in rows:
        if row["listed"]:  # one by one, so that a table has the very digits of the answer
            answer = AttackPower(fpr=row["alpha"]).of(curve)
            row |= {"power": float(answer), "power_low": answer.low}
    facts = {
        "fpr": fpr,
        "power": AttackPower(fpr=fpr).of(curve),
        "advantage": Advantage().of(curve),
        "proof": base.proof(curve),
        "failure": failure_mode(curve).value,
        "smallest": min(smallest, fpr),
    }
    return ChartFrame(kind="roc", rows=tuple(rows), facts=facts, certificate=curve.certificate)


def precision_recall(target: Any, *, priors: Sequence[float] = base.PRIORS) -> ChartFrame:
    """Share of accusations that are right against share of targets found, one line for each prior."""
    curve = as_curve(target, "target")
    kept = base.priors_of(priors)
    recall = base.merged(np.concatenate([np.geomspace(1e-3, 0.02, 8), np.linspace(0.02, 1, 50)]), RECALLS)
    fprs = curve.inverse().beta_bounds(1 - recall, recall)
    rows = []
    for prior in kept:
        for i, r in enumerate(recall):
            row = {"prior": prior, "recall": float(r), "listed": base.is_one_of(float(r), RECALLS)}
            if row["listed"]:
                answer = Precision(recall=float(r), prior=prior).of(curve)
                row |= {"precision": float(answer), "precision_low": answer.low}
            else:
                high, low = (precision(prior, float(fpr[i]), float(r)) for fpr in fprs)
                row |= {"precision": high, "precision_low": min(low, high)}
            rows.append(row)
    facts = {"priors": list(kept), "proof": base.proof(curve), "failure": failure_mode(curve).value}
    return ChartFrame(kind="precision_recall", rows=tuple(rows), facts=facts, certificate=curve.certificate)


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
    low, high = base.powers(curve, alpha)
    route = curve.certificate.route
    rows: list[base.Row] = []
    for a, p0, p1, (_, proved, seen, top) in zip(alpha.tolist(), low, high, record.band):
        row = {"alpha": a, "power": float(p1), "power_low": float(p0), "listed": base.is_one_of(a, RATES)}
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
