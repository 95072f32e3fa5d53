"""Both laws of what an attacker sees, in a form that can be drawn: densities, or probabilities of bars."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens.attack.attacker import Attack
from dplens.attack.loss import PrivacyLoss
from dplens.curves.base import Floats, TradeOff
from dplens.errors import Undefined
from dplens.mechanisms.base import as_curve
from dplens.mechanisms.experiment import ContinuousOutputs, LatticeOutputs
from dplens.mechanisms.finite import FiniteMechanism

_TAIL = 5e-4  # share of either law that may lie outside the picture
_MOST_BARS = 80  # more would be narrower than their outlines
_Columns = dict[str, Floats]


@dataclass(frozen=True)
class Histogram:
    """Both laws of the output, or of the log-likelihood ratio where there is no single output.

    scale: "density", "whole" (numbers), "outcomes" or "loss". absent, present: under H0 and H1, columns of outputs and
    probabilities, and where bars start and end. threshold: where the best test starts to name the target, infinite
    where that is no single place. curve: of that test.
    """

    scale: str
    absent: _Columns
    present: _Columns
    threshold: float
    curve: TradeOff

    @classmethod
    def of(cls, mechanism: Any, fpr: float) -> Histogram:
        """The laws of a mechanism, and the threshold at a false-positive rate."""
        if not callable(getattr(mechanism, "experiment", None)):
            return cls.of_losses(mechanism, fpr)
        try:
            attack = Attack(mechanism, fpr=fpr)
            drawn = _outputs(mechanism, attack._experiment.outputs) if attack.power >= 0 else None
        except Undefined:  # there are no single outputs, or their law is unknown
            return cls.of_losses(mechanism, fpr)
        if drawn is None:
            return cls.of_losses(mechanism, fpr)
        try:
            threshold = attack.threshold
        except Undefined:
            threshold = math.inf
        return cls(*drawn, threshold, attack._curve)

    @classmethod
    def of_losses(cls, mechanism: Any, fpr: float) -> Histogram:
        """The laws of the log-likelihood ratio, as probabilities of its values or of intervals."""
        try:
            curve = mechanism.tradeoff("add")
        except (TypeError, AttributeError):
            curve = as_curve(mechanism)
        law = PrivacyLoss(curve)
        place, start, end = _bars(law)
        shares = [np.maximum(side.cdf(end) - side.cdf(start), 0.0) for side in (law.h0, law.h1)]
        return cls("loss", *_both(place, *shares, start=start, end=end), float(law.h0.quantile(1 - fpr)), curve)


def _outputs(mechanism: Any, outputs: Any) -> tuple[str, _Columns, _Columns] | None:
    """The laws of single outputs; None where they cannot be drawn."""
    if isinstance(outputs, ContinuousOutputs):
        return "density", *_densities(outputs)
    if isinstance(outputs, LatticeOutputs):
        return "whole", *_masses(outputs)
    if isinstance(mechanism, FiniteMechanism):
        laws = mechanism._laws()[:2]
        count = getattr(outputs, "count", None) or len(laws[0])
        if count <= _MOST_BARS:  # outcomes after the last listed one share its probability equally
            alike = count - len(laws[0]) + 1
            shares = (np.append(law[:-1], np.repeat(law[-1] / alike, alike)) for law in laws)
            return "outcomes", *_both(np.arange(count, dtype=float), *shares)
    return None


def _both(output: Floats, absent: Floats, present: Floats, **more: Floats) -> tuple[_Columns, _Columns]:
    """The columns of both worlds, with their outputs in common."""
    return {"output": output, "probability": absent, **more}, {"output": output, "probability": present, **more}


def _densities(outputs: ContinuousOutputs) -> tuple[_Columns, _Columns]:
    laws, tail = (outputs.p, outputs.q), np.array([_TAIL])
    with np.errstate(all="ignore"):  # ends of a support, where densities jump or vanish
        low = min(float(law.ppf(tail)[0]) for law in laws)
        high = max(float(law.isf(tail)[0]) for law in laws)
        middles = [float(law.ppf(np.array([0.5]))[0]) for law in laws]
        x = np.unique(np.concatenate([np.linspace(low, high, 241), middles]))
        absent, present = (np.exp(law.logpdf(x)) for law in laws)
    kept = np.isfinite(absent) & np.isfinite(present)
    return _both(x[kept], absent[kept], present[kept])


def _masses(outputs: LatticeOutputs) -> tuple[_Columns, _Columns]:
    """Bars about the middle of each law, so that both show their common shape."""
    noise, shift = outputs.noise, outputs.shift
    reach = float(noise.first_below(np.array([_TAIL]))[0])
    low, high = min(shift, 0) - reach, max(shift, 0) + reach
    stride = float(math.ceil((high - low) / _MOST_BARS) | 1)  # of whole numbers that share a bar: odd, with a middle

    def about(moved: int) -> _Columns:
        near, far = round((low - moved) / stride), round((high - moved) / stride)
        middle: Floats = stride * np.arange(near, far + 1, dtype=np.float64)
        first, beyond = middle - (stride - 1) / 2, middle + (stride + 1) / 2
        # P(first ≤ N < beyond), from the smaller tail of symmetric noise
        right = noise.upper(first) - noise.upper(beyond)
        left = noise.upper(1 - beyond) - noise.upper(1 - first)
        output, share = outputs.origin + moved + middle, np.where(first > 0, right, left)
        return {"output": output, "probability": share, "start": output - stride / 2, "end": output + stride / 2}

    return about(0), about(shift)


def _bars(law: PrivacyLoss) -> tuple[Floats, Floats, Floats]:
    """Places, starts and ends of bars: one for each loss if the law has few, otherwise bars of equal width.

    The masses of many narrow cells decide, so this works for every kind of curve.
    """
    ends = [float(side.quantile(level)) for side in (law.h0, law.h1) for level in (_TAIL, 1 - _TAIL)]
    finite = [x for x in ends if math.isfinite(x)] or [0.0]
    low, high = min(finite), max(finite)
    room = 0.04 * (high - low) if high - low > 1e-9 * max(abs(low), abs(high)) else 1.0
    cells = 2**14 if law.atoms() is not None else 2**11  # masses of step functions are cheap
    edges = np.linspace(low - room, high + room, cells + 1)
    masses = np.array([np.maximum(np.diff(side.cdf(edges)), 0.0) for side in (law.h0, law.h1)])
    losses = _single_losses(law, edges, masses)
    if losses is None:
        cuts = _even_cuts(edges, masses)
        return (cuts[:-1] + cuts[1:]) / 2, cuts[:-1], cuts[1:]
    gaps = np.diff(losses) if len(losses) > 1 else np.ones(1)
    left, right = np.append(gaps[0], gaps)[: len(losses)], np.append(gaps, gaps[-1])[: len(losses)]
    most = 3 * np.minimum(left, right)  # a loss that stands alone is not drawn as if it filled the gap beside it
    return losses, losses - np.minimum(left, most) / 2, losses + np.minimum(right, most) / 2


def _single_losses(law: PrivacyLoss, edges: Floats, masses: Floats) -> Floats | None:
    """The losses of a law with few of them, merged where no picture could separate them; else None."""
    span = edges[-1] - edges[0]
    held = np.flatnonzero(masses.sum(axis=0) > 1e-7)  # below it is rounding
    if not len(held):
        return np.array([edges[0] + span / 2])
    apart = np.flatnonzero(np.diff(edges[held]) > span / 1000)
    first, last = held[np.append(0, apart + 1)], held[np.append(apart, len(held) - 1)] + 1
    if len(first) > _MOST_BARS or np.max(edges[last] - edges[first]) > span / 100:
        return None
    sides = (law.h0, law.h1)
    below, upto = (np.array([side.cdf(edges[i]) for side in sides]) for i in (first, last))
    found = np.array([side.quantile(level) for side, level in zip(sides, (below + upto) / 2)])
    return np.where(np.diff(upto - below, axis=0)[0] > 0, found[1], found[0])  # from the world that has more there


def _even_cuts(edges: Floats, masses: Floats) -> Floats:
    """Evenly spaced cuts that cut a periodic law at the same phase everywhere.

    Where losses lie on or around a lattice, bars of most widths hold sometimes more and sometimes fewer of them, and
    show peaks that the law does not have. The lattice is a line in the spectrum. Bars of width w multiply a line at
    frequency f by sinc(f w) and alias it if f > 1/(2w), so choose the width that leaves least of it, near the usual
    number of bars. The phase of the line shows where the gaps are.
    """
    span, cells, padded = edges[-1] - edges[0], masses.shape[1], 16
    usual = span / 60
    waves = np.fft.rfft(masses, padded * cells)
    size = np.mean(np.abs(waves), axis=0)  # of each world by itself: clusters may lean to one side in one of them
    # lines below 1 % show in no bars; the strongest 200 of the others decide
    peaks = np.flatnonzero((size[1:-1] >= size[:-2]) & (size[1:-1] >= size[2:]) & (size[1:-1] > 0.01)) + 1
    peaks = peaks[np.argsort(-size[peaks], kind="stable")[:200]]
    spacing = span * padded / peaks
    whole, part = (np.maximum(np.round(x), 1) for x in (usual / spacing, spacing / usual))
    width = np.concatenate([spacing * whole, spacing / part])
    cycles = width[:, None] / spacing
    left = np.max(np.where(cycles > 0.5, size[peaks] * np.abs(np.sinc(cycles)), 0.0), axis=1, initial=0.0)
    fits = np.flatnonzero((width > usual / 2) & (width < 5 * usual))
    if not len(fits):
        return np.linspace(edges[0], edges[-1], 61)
    best = fits[np.argmin((left + 0.05 * np.abs(np.log(width / usual)))[fits])]
    rough = spacing[best % len(peaks)]
    exact = rough if rough < usual / 2 else span / cells * _refined(waves, rough * cells / span, padded)
    step = width[best] * exact / rough
    middles = (edges[:-1] + edges[1:]) / 2
    turn = np.angle(np.sum(masses @ np.exp(2j * math.pi * (middles - edges[0]) / exact))) / (2 * math.pi)
    gap = turn * exact + min(exact, step) / 2
    first = edges[0] + gap - step * math.ceil(gap / step)
    return first + step * np.arange(math.ceil((edges[-1] - first) / step) + 1)


def _refined(waves: Any, distance: float, padded: int) -> float:
    """The shift in cells at which a law correlates best with itself, near the one that its spectrum suggests.

    The line in the spectrum is slightly off where clusters are wide and few.
    """
    common = np.fft.irfft(np.sum(np.abs(waves) ** 2, axis=0))
    reach, most = int(distance / 10), waves.shape[1] / padded
    times = 2 ** np.arange(max(math.floor(math.log2(most / distance)), 0) + 1)  # ever longer, ever closer
    for many in times:
        near = int(many * distance) + np.arange(-reach, reach + 1)
        top = int(np.argmax(common[near]))
        if 0 < top < 2 * reach:
            distance = float(near[top] / many)
    return distance
