"""What the attacker looks at: the two laws of the output, and the threshold of his test."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dplens import _validate
from dplens.attack.attacker import Attack
from dplens.attack.loss import PrivacyLoss
from dplens.engine.atoms import Atoms
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
_TRIED = 200  # periods, the shortest first


def output_laws(mechanism: Any, *, fpr: float = 0.05) -> ChartFrame:
    """The law of the output without the target (H0) and with it (H1), and where the best test at ``fpr`` accuses.

    Continuous outputs have densities; whole numbers and finitely many outcomes have probabilities. Releases without a
    single output to look at (compositions, guarantees) are shown by the log-likelihood ratio, which is all that
    matters for a test: as probabilities of its values where these are few, else of intervals.
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
    """The law of the log-likelihood ratio in both worlds, as probabilities of its values or of intervals."""
    try:
        curve = mechanism.tradeoff("add")
    except (TypeError, AttributeError):
        curve = as_curve(mechanism)
    law = PrivacyLoss(curve)
    ends = [float(side.quantile(level)) for side in (law.h0, law.h1) for level in (_TAIL, 1 - _TAIL)]
    finite = [x for x in ends if math.isfinite(x)] or [-1.0, 1.0]
    atoms = law.atoms()
    rows = _bars(atoms, min(finite), max(finite)) if atoms is not None else []
    rows = rows or _intervals(law, min(finite), max(finite))
    threshold = float(law.h0.quantile(1 - fpr))
    facts = {
        "scale": "loss",
        "fpr": fpr,
        "power": AttackPower(fpr=fpr).of(curve),
        "threshold": threshold if math.isfinite(threshold) else None,
        # outputs that prove a world have no finite ratio, and no place in the picture
        "proved": (curve.inverse().infinity_mass().hi, curve.infinity_mass().hi),
    }
    return ChartFrame(kind="output_laws", rows=tuple(rows), facts=facts, certificate=curve.certificate)


def _intervals(law: PrivacyLoss, low: float, high: float) -> list[Row]:
    """Intervals of one width, for laws without gaps."""
    room = 0.04 * (high - low) or 1.0
    edges = np.linspace(low - room, high + room, _BINS + 1)
    absent, present = (np.maximum(np.diff(side.cdf(edges)), 0.0) for side in (law.h0, law.h1))
    return _both((edges[:-1] + edges[1:]) / 2, absent, present, start=edges[:-1], end=edges[1:])


def _bars(atoms: Atoms, low: float, high: float) -> list[Row]:
    """A bar for each loss where they are few; else for each interval that holds as many of them as every other."""
    near = 1e-9 * max(high - low, abs(low), abs(high))
    seen = (atoms.loss >= low - near) & (atoms.loss <= high + near)
    loss, absent, present = atoms.loss[seen], atoms.p[seen], atoms.q[seen]
    if len(loss) <= _MOST_BARS:
        half = float(np.diff(loss).min() if len(loss) > 1 else 1.0) / 2
        return _both(loss, absent, present, start=loss - half, end=loss + half)
    period = _period(loss, absent + present)
    width = period * math.ceil((high - low) / (_BINS * period))
    start = loss[0] - period + _widest_gap(loss, period)
    edges = np.arange(start, loss[-1] + width, width)
    shares = [np.histogram(atoms.loss, edges, weights=masses)[0] for masses in (atoms.p, atoms.q)]
    return _both((edges[:-1] + edges[1:]) / 2, *shares, start=edges[:-1], end=edges[1:])


def _period(loss: Floats, mass: Floats) -> float:
    """The distance by which the law, moved, falls on itself best: the spacing of a lattice, or of interleaved ones.

    Intervals of whole periods hold equally many losses. Any other width holds now one more and now one less, and shows
    peaks that the law does not have.
    """
    heaviest = int(np.argmax(mass))
    tried = np.sort(np.abs(np.delete(loss, heaviest) - loss[heaviest]))[:_TRIED]
    common = [_overlap(loss, mass, step) for step in tried]
    return float(tried[int(np.argmax(common))])


def _overlap(loss: Floats, mass: Floats, step: float) -> float:
    """The mass that the law and itself, moved by a step, have in common."""
    at = np.searchsorted(loss, loss + step - step / 1000)
    inside = at < len(loss)
    at = np.minimum(at, len(loss) - 1)
    met = inside & (np.abs(loss[at] - loss - step) < step / 1000)
    return float(np.sum(np.minimum(mass, mass[at])[met]))


def _widest_gap(loss: Floats, period: float) -> float:
    """The middle of the widest gap between losses modulo the period, counted from the first loss."""
    places = np.sort((loss - loss[0] + period / 2000) % period)
    gaps = np.diff(np.append(places, places[0] + period))
    widest = int(np.argmax(gaps))
    return float(places[widest] + gaps[widest] / 2 - period / 2000)
