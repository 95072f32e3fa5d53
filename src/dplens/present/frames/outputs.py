"""What the attacker looks at: the two laws of the output, and the threshold of his test."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dplens import _validate
from dplens.attack.attacker import Attack
from dplens.attack.loss import PrivacyLoss
from dplens.curves.base import RISKY
from dplens.errors import Undefined
from dplens.mechanisms.base import as_curve
from dplens.mechanisms.experiment import ContinuousOutputs, LatticeOutputs
from dplens.mechanisms.finite import FiniteMechanism
from dplens.present.frames.base import ChartFrame, Floats, Row
from dplens.risk.rates import AttackPower

_POINTS = 241
_BINS = 60
_TAIL = 5e-4  # share of either law that may lie outside the picture
_MOST_BARS = 80


def output_laws(mechanism: Any, *, fpr: float = 0.05) -> ChartFrame:
    """The law of the output without the target (H0) and with it (H1), and where the best test at ``fpr`` accuses.

    Continuous outputs have densities; whole numbers and finitely many outcomes have probabilities. Releases without a
    single output to look at (compositions, guarantees) are shown by the log-likelihood ratio, which is all that
    matters for a test, as probabilities of intervals.
    """
    fpr = _validate.open_probability("fpr", fpr)
    attack = _attack(mechanism, fpr)
    if attack is None:
        return _losses(mechanism, fpr)
    outputs = attack._experiment.outputs
    if isinstance(outputs, ContinuousOutputs):
        rows, scale = _densities(outputs), "density"
    elif isinstance(outputs, LatticeOutputs):
        rows, scale = _masses(outputs), "whole"
    elif isinstance(mechanism, FiniteMechanism) and _count(mechanism, outputs) <= _MOST_BARS:
        rows, scale = _outcomes(mechanism, _count(mechanism, outputs)), "outcomes"
    else:
        return _losses(mechanism, fpr)
    curve = attack._curve
    facts = {"scale": scale, "fpr": fpr, "power": AttackPower(fpr=fpr).of(curve), "threshold": _threshold(attack)}
    return ChartFrame(kind="output_laws", rows=tuple(rows), facts=facts, certificate=curve.certificate)


def _attack(mechanism: Any, fpr: float) -> Attack | None:
    """The attacker's test on single outputs; None where there are none, or where their law is not known."""
    if not callable(getattr(mechanism, "experiment", None)):
        return None
    try:
        attack = Attack(mechanism, fpr=fpr)
        return attack if attack.power >= 0 else None
    except Undefined:
        return None


def _threshold(attack: Attack) -> float | None:
    try:
        found = attack.threshold
    except Undefined:
        return None
    return found if math.isfinite(found) else None


def _both(output: Floats, absent: Floats, present: Floats, **more: Floats) -> list[Row]:
    """Two rows for each output, one a world."""
    return [
        {"world": world, "output": float(x), "probability": float(p), **{k: float(v[i]) for k, v in more.items()}}
        for world, law in (("absent", absent), ("present", present))
        for i, (x, p) in enumerate(zip(output, law))
    ]


def _densities(outputs: ContinuousOutputs) -> list[Row]:
    tail = np.array([_TAIL])
    with np.errstate(all="ignore"):  # ends of a support, where densities jump or vanish
        low = min(float(law.ppf(tail)[0]) for law in (outputs.p, outputs.q))
        high = max(float(law.isf(tail)[0]) for law in (outputs.p, outputs.q))
        middles = [float(law.ppf(np.array([0.5]))[0]) for law in (outputs.p, outputs.q)]
        x = np.unique(np.concatenate([np.linspace(low, high, _POINTS), middles]))
        absent, present = (np.exp(law.logpdf(x)) for law in (outputs.p, outputs.q))
    kept = np.isfinite(absent) & np.isfinite(present)
    return _both(x[kept], absent[kept], present[kept])


def _masses(outputs: LatticeOutputs) -> list[Row]:
    noise, shift = outputs.noise, outputs.shift
    reach = float(noise.first_below(np.array([_TAIL]))[0])
    stride = max(
        math.ceil((2 * reach + shift) / _MOST_BARS), 1
    )  # one bar for several whole numbers where they are many
    start = np.arange(-reach, reach + shift + 1, stride)

    def share(moved: float) -> Floats:
        return _between(noise, start - moved, start + stride - moved)

    return _both(outputs.origin + start + (stride - 1) / 2, share(0.0), share(float(shift)))


def _between(noise: Any, first: Floats, beyond: Floats) -> Floats:
    """P(first ≤ N < beyond), from the smaller tail of symmetric noise."""
    right = noise.upper(first) - noise.upper(beyond)
    left = noise.upper(1 - beyond) - noise.upper(1 - first)
    return np.where(first > 0, right, left)


def _count(mechanism: FiniteMechanism, outputs: Any) -> int:
    """How many outcomes there are."""
    return getattr(outputs, "count", None) or len(mechanism._laws()[0])


def _outcomes(mechanism: FiniteMechanism, count: int) -> list[Row]:
    """Each outcome by itself; those from the last one listed on are alike and share its probability."""
    laws = mechanism._laws()[:2]
    alike = count - len(laws[0]) + 1
    absent, present = (np.append(law[:-1], np.repeat(law[-1] / alike, alike)) for law in laws)
    return _both(np.arange(count, dtype=float), absent, present)


def _losses(mechanism: Any, fpr: float) -> ChartFrame:
    """The law of the log-likelihood ratio in both worlds, as probabilities of intervals."""
    try:
        curve = mechanism.tradeoff("add")
    except (TypeError, AttributeError):
        curve = as_curve(mechanism)
    law = PrivacyLoss(curve)
    ends = [float(side.quantile(level)) for side in (law.h0, law.h1) for level in (_TAIL, 1 - _TAIL)]
    finite = [x for x in ends if math.isfinite(x)] or [-1.0, 1.0]
    low, high = min(finite), max(finite)
    room = 0.04 * (high - low) or 1.0
    edges = np.linspace(low - room, high + room, _BINS + 1)
    shares = [np.maximum(np.diff(side.cdf(edges)), 0.0) for side in (law.h0, law.h1)]
    rows = _both((edges[:-1] + edges[1:]) / 2, shares[0], shares[1], start=edges[:-1], end=edges[1:])
    threshold = float(law.h0.quantile(1 - fpr))
    facts = {
        "scale": "loss",
        "fpr": fpr,
        "power": AttackPower(fpr=fpr).of(curve),
        "threshold": threshold if math.isfinite(threshold) else None,
        # outputs that prove a world have no finite ratio, and no place in the picture
        "proved": (curve.inverse().proof(RISKY), curve.proof(RISKY)),
    }
    return ChartFrame(kind="output_laws", rows=tuple(rows), facts=facts, certificate=curve.certificate)
