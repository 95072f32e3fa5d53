"""Frames about attackers: errors, precision, (epsilon, delta), measured attacks, and the effect of knowledge."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dplens import _validate
from dplens.assessment.audited import RATES, Audited, audited
from dplens.attack.histogram import Histogram
from dplens.auditing.measured import Audit
from dplens.errors import Undefined
from dplens.estimate import Certificate
from dplens.mechanisms.base import as_curve
from dplens.present.frames import base
from dplens.present.frames.base import ChartFrame, merged, proof
from dplens.risk.bayes import Posterior, Precision, precision
from dplens.risk.conversions import Delta, Epsilon
from dplens.risk.disclosure import RelativeRisk, failure_mode
from dplens.risk.rates import Advantage, AttackPower

RECALLS = (0.5,)  # shares of targets found that tables list


def tradeoff(target: Any, *, fpr: float = 0.01, smallest: float = base.SMALLEST) -> ChartFrame:
    """alpha, power and beta of the best attack, with the attacker's operating point at ``fpr``.

    smallest: the least alpha above 0; alpha = 0 itself is the first row (what an output can prove), alpha = 1 the last.
    """
    curve, fpr, least, alpha, listed = base.rates_of(target, fpr, smallest)
    alpha = np.append(0.0, alpha)
    (power_low, power), (beta, beta_high) = curve.power_bounds(alpha, 1 - alpha), curve.beta_bounds(alpha, 1 - alpha)
    rows = base.table(
        alpha=alpha, power=power, power_low=power_low, beta=beta, beta_high=beta_high, listed=[False, *listed]
    )
    base.answer_listed(rows, curve, "power", lambda row: AttackPower(fpr=row["alpha"]))
    facts = {
        "fpr": fpr,
        "power": AttackPower(fpr=fpr).of(curve),
        "beta": next(row["beta"] for row in rows if math.isclose(row["alpha"], fpr, rel_tol=1e-12)),
        "advantage": Advantage().of(curve),
        "proof": base.proof(curve),
        "failure": failure_mode(curve).value,
        "smallest": least,
    }
    return ChartFrame(kind="roc", rows=tuple(rows), facts=facts, certificate=curve.certificate)


def comparison(releases: Any, *, fpr: float = 0.01) -> ChartFrame:
    """What the best attack on each of several releases identifies at ``fpr``, in the order given."""
    remedy = 'Pass for instance {"A": dplens.Laplace(scale=1.0), "B": dplens.Laplace(scale=2.0)}.'
    _validate.instance("target", releases, Mapping, "to be several releases by their names", remedy)
    rows = []
    for name, release in releases.items():
        answer = AttackPower(fpr=fpr).of(as_curve(release, "target"))
        row = {"release": name, "power": float(answer), "power_low": answer.low, "listed": True}
        rows.append(({**row, "route": answer.route}, answer.certificate))
    worst = max(rows, key=lambda row: row[0]["power"])[1]
    return ChartFrame(kind="comparison", rows=tuple(r for r, _ in rows), facts={"fpr": fpr}, certificate=worst)


def precision_recall(target: Any, *, priors: Sequence[float] = base.PRIORS, fpr: float = 0.01) -> ChartFrame:
    """Share of named cases that are right against share of targets found, one line for each prior.

    fpr: of the attack that is marked on each line.
    """
    curve, fpr = as_curve(target, "target"), _validate.open_probability("fpr", fpr)
    kept = base.priors_of(priors)
    bends = [r for r in base.corners(curve)[1] if 1e-3 < r < 1 - 1e-9]
    grid = np.concatenate([np.geomspace(1e-3, 0.02, 8), np.linspace(0.02, 1, 50)])
    recall = base.merged(grid, [*bends, *RECALLS])
    fprs = curve.inverse().beta_bounds(1 - recall, recall)
    rows = []
    for prior in kept:
        for i, r in enumerate(recall):
            high, low = (precision(prior, float(fpr[i]), float(r)) for fpr in fprs)
            row = {"prior": prior, "recall": float(r), "listed": base.is_one_of(float(r), RECALLS)}
            rows.append(row | {"precision": high, "precision_low": min(low, high)})
    base.answer_listed(rows, curve, "precision", lambda row: Precision(recall=row["recall"], prior=row["prior"]))
    marked = [Posterior(prior=prior, fpr=fpr).of(curve) for prior in kept]
    facts = {
        "priors": list(kept),
        "fpr": fpr,
        "power": AttackPower(fpr=fpr).of(curve),
        "marked": marked,
        "precision": marked[0],
    }
    facts |= {"proof": base.proof(curve), "failure": failure_mode(curve).value}
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
    low, high = curve.power_bounds(alpha, 1 - alpha)
    rows = base.table(alpha=alpha, power=high, power_low=low, listed=[base.is_one_of(a, RATES) for a in alpha])
    base.answer_listed(rows, curve, "power", lambda row: AttackPower(fpr=row["alpha"]))
    route = f"{curve.certificate.route}, measured"
    for row, (_, proved, seen, top) in zip(rows, record.band):
        row |= {"claimed": row["power"], "claimed_low": row["power_low"], "route": route}
        row |= {"measured": proved, "measured_high": 1.0, "seen": seen, "reach": top}
    facts = {name: getattr(record, name) for name in ("verdict", "confidence", "fpr", "measured", "claimed")}
    facts |= {"name": record.name} if record.name else {}
    return ChartFrame(kind="audit", rows=tuple(rows), facts=facts, certificate=curve.certificate)


def profile(target: Any, *, delta: float = 1e-6) -> ChartFrame:
    """delta(epsilon) from epsilon = 0 to where it is a thousandth of the ``delta`` in use, ends or falls no more."""
    curve = as_curve(target, "target")
    delta = _validate.probability("delta", delta)
    at_delta, certain = Epsilon(delta=delta).of(curve), proof(curve)
    last = _last_epsilon(curve, delta, float(certain))
    wanted = [0.0, *([float(at_delta)] if 0 < at_delta < last else []), *_round_numbers(last)]
    bends = [e for e in base.corners(curve)[2] if 0 < e < last]
    # delta falls to 0 next to the largest loss, on a logarithmic axis ever more steeply
    epsilon = merged(np.append(np.linspace(0.0, last, 81), last * (1 - np.geomspace(1e-9, 0.1, 41))), [*bends, *wanted])
    low, high = curve.profile_bounds(epsilon)
    rows = base.table(epsilon=epsilon, delta=high, delta_low=low, listed=np.isin(epsilon, wanted))
    base.answer_listed(rows, curve, "delta", lambda row: Delta(epsilon=row["epsilon"]))
    limit = RelativeRisk(fpr=0.0).of(curve)
    facts = {
        "delta": delta,
        "epsilon": at_delta,
        "proof": certain,
        "ends_at": Epsilon(delta=0.0).of(curve) if math.isfinite(limit) else None,
        "failure": failure_mode(curve).value,
        "last": last,
    }
    return ChartFrame(kind="profile", rows=tuple(rows), facts=facts, certificate=curve.certificate)


def _last_epsilon(curve: Any, delta: float, certain: float) -> float:
    """Where the picture ends: at the largest loss, at a small delta, or where only proofs are left."""
    end = curve.epsilon(0.0)
    if math.isfinite(end):
        return end if end > 0 else 1.0
    # a thousandth of the delta in use, but above the infinity mass, below which no epsilon leads
    target = max(min(delta, 1e-2) * 1e-3, 1e-300, certain * 1.001)
    found = curve.epsilon(min(target, 1.0)) if target < 1 else 0.0
    # go on beyond the infinity mass to show that the curve falls no further
    return found * (1.25 if certain > 0 else 1.0) if 0 < found < math.inf else 1.0


def _round_numbers(last: float) -> list[float]:
    """A few round epsilons inside the picture, for its table."""
    step = 10.0 ** math.floor(math.log10(last)) if last > 0 else 1.0
    for factor in (0.2, 0.5, 1.0, 2.0):
        if last / (step * factor) <= 5:
            step *= factor
            break
    count = math.floor(last / step * (1 - 1e-12))
    return [float(f"{step * k:.12g}") for k in range(1, count + 1)]


def output_laws(mechanism: Any, *, fpr: float = 0.05) -> ChartFrame:
    """The law of the output without the target (H0) and with it (H1), and where the best test names the target.

    Continuous outputs have densities; whole numbers and finitely many outcomes have probabilities. Releases without a
    single output (compositions, guarantees) are shown by their log-likelihood ratio, which is all that matters for a
    test: probabilities of its values if these are few, otherwise of intervals.
    """
    fpr = _validate.open_probability("fpr", fpr)
    drawn = Histogram.of(mechanism, fpr)
    curve, threshold = drawn.curve, drawn.threshold
    worlds = {"absent": drawn.absent, "present": drawn.present}
    rows = [{"world": world, **row} for world, columns in worlds.items() for row in base.table(**columns)]
    facts = {"scale": drawn.scale, "fpr": fpr, "power": AttackPower(fpr=fpr).of(curve)}
    facts["threshold"] = threshold if math.isfinite(threshold) else None
    if drawn.scale == "loss":  # outputs that prove a world have no finite ratio, and no place in the picture
        facts["proved"] = (curve.inverse().infinity_mass().hi, curve.infinity_mass().hi)
    return ChartFrame(kind="output_laws", rows=tuple(rows), facts=facts, certificate=curve.certificate)


_NEEDED = ("by_known", "leakage", "epsilon", "delta", "known", "bound", "exhaustive")


def leakage_by_knowledge(worst: Any, *, mechanism: Any = None) -> ChartFrame:
    """The worst attacker's epsilon(delta) by the number of records they know (Li et al. 2019, Figure 4).

    worst: what ``data.worst(…)`` found. mechanism: whose epsilon(delta) on unrelated records is shown beside it; by
    default the one that was attacked.
    """
    if any(not hasattr(worst, name) for name in _NEEDED):
        remedy = "Pass what data.worst(mechanism) returns."
        raise _validate.reject_type("worst", "to be a worst attacker (dplens.Worst)", worst, remedy)
    own = len(worst.known)
    # a 0 marks numbers of known records that the search skipped
    compared = [k for k, e in enumerate(worst.by_known) if e != 0 or k == own]
    # searches keep upper ends only; 0 is a valid lower end for the others
    rows = [
        {"known": k, "epsilon": float(e), "epsilon_low": worst.epsilon.low if k == own else 0.0, "listed": True}
        for k, e in enumerate(worst.by_known)
        if k in compared and math.isfinite(e)
    ]
    for row in rows[6:-1]:  # tables list the first six, the worst and the last
        row["listed"] = row["known"] == own
    certificate = worst.leakage.certificate or Certificate("search", 0.0)
    beside = getattr(worst, "mechanism", None) if mechanism is None else mechanism
    unrelated = as_curve(beside).epsilon(worst.delta) if callable(getattr(beside, "tradeoff", None)) else math.inf
    facts = {
        "leakage": worst.leakage,
        "epsilon": worst.epsilon,
        "delta": worst.delta,
        "known": own,
        "bound": worst.bound,
        "exhaustive": worst.exhaustive,
        "skipped": len(worst.by_known) - len(compared),
        "unrelated": unrelated if math.isfinite(unrelated) else None,
    }
    return ChartFrame(kind="leakage", rows=tuple(rows), facts=facts, certificate=certificate)
