"""The privacy profile: every (epsilon, delta) that holds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dplens import _validate
from dplens.mechanisms.base import as_curve
from dplens.present.frames.base import ChartFrame, merged, profiles, proof
from dplens.risk.conversions import Delta, Epsilon
from dplens.risk.disclosure import RelativeRisk, failure_mode

_BELOW = 1e-3  # the picture goes on to deltas this much smaller than the one in use
_PAST = 1.25  # and as far to the right of where only proofs are left, so that what does not fall any more is seen
_LEAST = 1e-300
_POINTS = 81


def profile(target: Any, *, delta: float = 1e-6) -> ChartFrame:
    """delta(epsilon) from epsilon = 0 to where it is a thousandth of the ``delta`` in use, ends or falls no more."""
    curve = as_curve(target, "target")
    delta = _validate.probability("delta", delta)
    at_delta, certain = Epsilon(delta=delta).of(curve), proof(curve)
    last = _last_epsilon(curve, delta, float(certain))
    inside = float(at_delta) if 0 < at_delta < last else None
    grid = np.linspace(0.0, last, _POINTS)
    wanted = [x for x in (0.0, inside) if x is not None]
    epsilon = merged(grid, [*wanted, *_round_numbers(last)])
    low, high = profiles(curve, epsilon)
    listed = [*wanted, *_round_numbers(last)]
    rows = [
        {"epsilon": float(e), "delta": float(d), "delta_low": float(d0), "listed": float(e) in listed}
        for e, d, d0 in zip(epsilon, high, low)
    ]
    for row in rows:
        if row["listed"]:  # one by one, so that a table has the very digits of the answer
            answer = Delta(epsilon=row["epsilon"]).of(curve)
            row |= {"delta": float(answer), "delta_low": answer.low}
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
    # just above the chance of a proof, below which no epsilon leads
    target = max(min(delta, 1e-2) * _BELOW, _LEAST, certain * 1.001)
    found = curve.epsilon(min(target, 1.0)) if target < 1 else 0.0
    return found * (_PAST if certain > 0 else 1.0) if 0 < found < math.inf else 1.0


def _round_numbers(last: float) -> list[float]:
    """A few round epsilons inside the picture, for its table."""
    step = 10.0 ** math.floor(math.log10(last)) if last > 0 else 1.0
    for factor in (0.2, 0.5, 1.0, 2.0):
        if last / (step * factor) <= 5:
            step *= factor
            break
    count = math.floor(last / step * (1 - 1e-12))
    return [float(f"{step * k:.12g}") for k in range(1, count + 1)]
