"""Frames about beliefs: posterior against prior, relative risk, and counted people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dplens import _validate
from dplens.errors import Undefined
from dplens.mechanisms.base import as_curve
from dplens.present.frames import base
from dplens.present.frames.base import ChartFrame
from dplens.present.words.counts import pair
from dplens.risk.bayes import MaxPosterior, Posterior, PosteriorAfterNegative
from dplens.risk.disclosure import RelativeRisk, failure_mode

_ICONS_ACROSS = {100: 10, 1000: 40}


def posterior(target: Any, *, fpr: float = 0.01, priors: Sequence[float] = base.PRIORS) -> ChartFrame:
    """Belief after being named, after being ruled out, and after the most telling output, against the belief before.

    fpr: the share of those without the record whom the attacker wrongly names, and, in another test, the share of
    them whom they rightly rule out. priors: those that the table lists.
    """
    curve = as_curve(target, "target")
    fpr, kept = _validate.open_probability("fpr", fpr), base.priors_of(priors)
    ends = np.geomspace(1e-3, 0.1, 17)
    prior = base.merged(np.concatenate([ends, np.linspace(0.1, 0.9, 33), 1 - ends]), kept)
    rows = []
    for p in prior.tolist():
        named, most = Posterior(prior=p, fpr=fpr).of(curve), MaxPosterior(prior=p).of(curve)
        cleared = PosteriorAfterNegative(prior=p, fpr=1 - fpr).of(curve)
        row = {"prior": p, "posterior": float(named), "posterior_low": named.low}
        row |= {"negative": float(cleared), "negative_high": cleared.high, "most": float(most), "most_low": most.low}
        rows.append({**row, "listed": base.is_one_of(p, kept)})
    facts = {"fpr": fpr, "priors": sorted(kept), "failure": failure_mode(curve).value, "proof": base.proof(curve)}
    return ChartFrame(kind="posterior", rows=tuple(rows), facts=facts, certificate=curve.certificate)


def relative_risk(target: Any, *, fpr: float = 0.01, smallest: float = base.SMALLEST) -> ChartFrame:
    """By which factor being named raises the odds, (1 − f(alpha))/alpha, against alpha."""
    curve, fpr, least, alpha, listed = base.rates_of(target, fpr, smallest)
    low, high = curve.power_bounds(alpha, 1 - alpha)
    rows = base.table(alpha=alpha, ratio=high / alpha, ratio_low=low / alpha, listed=listed)
    base.answer_listed(rows, curve, "ratio", lambda row: RelativeRisk(fpr=row["alpha"]))
    facts = {
        "fpr": fpr,
        "ratio": RelativeRisk(fpr=fpr).of(curve),
        "limit": RelativeRisk(fpr=0.0).of(curve),
        "failure": failure_mode(curve).value,
        "proof": base.proof(curve),
        "smallest": least,
    }
    return ChartFrame(kind="relative_risk", rows=tuple(rows), facts=facts, certificate=curve.certificate)


def icons(target: Any, *, prior: float = 0.1, fpr: float = 0.01) -> ChartFrame:
    """Two arrays of people whom the attacker names, in one order: without the release, and with it.

    Of 100 people, or of 1000 where 100 hides the change. The first are those named rightly; in the second array those
    named rightly thanks to the release follow, then those named wrongly. Counts are rounded towards more risk.
    """
    curve = as_curve(target, "target")
    prior, fpr = _validate.prior(prior), _validate.open_probability("fpr", fpr)
    answer = Posterior(prior=prior, fpr=fpr).of(curve)
    before, after, out_of = pair(prior, float(answer))
    if out_of not in _ICONS_ACROSS:
        raise Undefined(
            f"No array of 1000 shows a prior of {prior:g}: it takes {out_of}. Choose one in whole tenths of a percent."
        )
    across = _ICONS_ACROSS[out_of]
    rows = []
    for panel, right in (("without", before), ("with", after)):
        for index in range(out_of):
            row, column = divmod(index, across)
            kind = "right" if index < min(before, right) else "added" if index < right else "wrong"
            rows.append({"panel": panel, "index": index, "row": row, "column": column, "person": kind})
    facts = {
        "prior": prior,
        "fpr": fpr,
        "posterior": answer,
        "before": before,
        "after": after,
        "out_of": out_of,
        "failure": failure_mode(curve).value,
    }
    return ChartFrame(kind="icons", rows=tuple(rows), facts=facts, certificate=curve.certificate)
