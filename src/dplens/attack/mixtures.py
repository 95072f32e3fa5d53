"""Mixtures of one noise law over several true values, and the curves between two of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import logsumexp

from dplens import _validate
from dplens.curves.base import Floats, TradeOff
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.errors import Undefined
from dplens.mechanisms.additive import Gaussian, Laplace
from dplens.mechanisms.experiment import Experiment, FiniteOutputs
from dplens.mechanisms.noise_laws import StaircaseLaw
from dplens.numerics.laws.base import Law, MixtureLaw, ShiftedLaw
from dplens.numerics.laws.facts import loss_supremum_is_finite, noise_facts
from dplens.numerics.laws.geometric import GeometricNoise

Side = list[tuple[float, float]]  # true values with their weights, which sum to 1


def mixture(noise: Law, side: Side) -> Law:
    """The law of the output when the true value is drawn from a side."""
    parts = [ShiftedLaw(noise, v) for v, _ in side]
    return parts[0] if len(parts) == 1 else MixtureLaw(parts, np.array([w for _, w in side]))


def mirrored(mechanism: Any, low: Side, high: Side) -> bool:
    """Whether the sides mirror each other and the noise is symmetric, which makes the curve symmetric."""
    facts = noise_facts(getattr(mechanism, "noise", None))
    even = isinstance(mechanism, (Gaussian, Laplace)) or (facts is not None and facts.symmetric_unimodal)
    ends = min(low)[0] + max(high)[0]
    return even and sorted((ends - v, w) for v, w in low) == sorted(high)


def bounded_losses(mechanism: Any, low: Side, high: Side) -> tuple[bool | None, bool | None]:
    """Whether log q/p and log p/q are provably bounded above.

    A ratio of mixtures lies between the smallest and largest ratio of their parts, so it is bounded if all of
    these are (Laplace). Otherwise the outermost values decide, since they determine the tails.
    """
    if isinstance(mechanism, Laplace):
        return True, True
    if isinstance(mechanism, Gaussian):
        return False, False
    facts = noise_facts(getattr(mechanism, "noise", None))
    if facts is None:
        return None, None
    first, second = (max(low), max(high)), (min(high), min(low))
    forward, backward = (
        loss_supremum_is_finite(replace(facts, loc=a[0]), replace(facts, loc=b[0])) for a, b in (first, second)
    )
    return forward, backward


def whole_numbers(scale: float, low: Side, high: Side) -> Experiment:
    """Geometric noise: the ratio is constant beyond the outermost values, so finitely many outcomes suffice."""
    noise = GeometricNoise(scale)
    start, end = min(low)[0], max(high)[0]
    k = np.arange(start, end + 1)

    def law(side: Side) -> tuple[Floats, Floats]:
        """Masses with both tails lumped at the ends, and log-densities up to a common constant."""
        mass, logs = np.zeros_like(k), []
        for value, weight in side:
            part = math.tanh(0.5 / scale) * np.exp(-np.abs(k - value) / scale)
            part[0], part[-1] = noise.upper(np.array([value - start, end - value]))
            mass += weight * part
            logs.append(math.log(weight) - np.abs(k - value) / scale)
        return mass, np.asarray(logsumexp(logs, axis=0))

    (p, log_p), (q, log_q) = law(low), law(high)
    loss = np.maximum.accumulate(log_q - log_p)  # it increases, up to rounding
    rounding = 1e-15 * (2 + (end - start) / scale)
    curve = PiecewiseCurve.from_pair(p, q, loss, loss_rounding=rounding, input_rounding=rounding)
    return Experiment(curve, _WholeOutputs(loss, start))


def step_cells(noise: StaircaseLaw, values: Floats) -> tuple[Floats, Floats]:
    """Midpoints of the steps of the output density around all values, and their effective widths.

    Beyond the outermost values every further step divides all densities by e^epsilon and leaves the ratios unchanged,
    so one period represents the whole tail.
    """
    step = noise.sensitivity
    start, end = values.min() - step, values.max() + step
    count = math.ceil((end - start) / step) + 1
    places = step * np.add.outer(np.arange(-count, count + 1), [0.0, noise.gamma, -noise.gamma]).ravel()
    edges = np.unique(np.concatenate([[start, start + step, end - step, end], np.add.outer(values, places).ravel()]))
    edges = edges[(edges >= start) & (edges <= end)]
    # steps that coincide up to rounding do not make a cell
    edges = edges[np.concatenate([[True], np.diff(edges) > 1e-12 * (np.abs(edges[1:]) + step)])]
    middle, width = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    tails = (middle < start + step) | (middle > end - step)
    return middle, np.where(tails, width / -math.expm1(-noise.epsilon), width)


def step_curve(noise: StaircaseLaw, p: Law, q: Law, low: Side, high: Side) -> TradeOff:
    """Staircase noise: both densities are constant between consecutive steps of their parts."""
    values = np.array([v for v, _ in (*low, *high)])
    middle, width = step_cells(noise, values)
    logs = p.logpdf(middle), q.logpdf(middle)
    masses = [np.exp(log) * width for log in logs]
    rounding = 1e-15 * (4 + noise.epsilon * (math.ceil(np.ptp(values) / noise.sensitivity) + 3))
    return PiecewiseCurve.from_pair(masses[0], masses[1], logs[1] - logs[0], rounding, rounding)


@dataclass(frozen=True, eq=False)
class _WholeOutputs(FiniteOutputs):
    """Integer outputs; the ratio is constant from the first and last listed outputs outwards."""

    start: float = 0.0

    def __init__(self, losses: Floats, start: float) -> None:
        object.__setattr__(self, "losses", losses)
        object.__setattr__(self, "start", start)

    def statistic(self, output: object) -> Floats:
        values = _validate.as_array("output", output)
        if not (np.isfinite(values).all() and (values == np.floor(values)).all()):
            raise _validate.reject("output", "to hold whole numbers", output)
        return np.clip(values - self.start, 0, len(self.losses) - 1)

    def threshold(self, alpha: float) -> float:
        raise Undefined("For mixtures on the whole numbers only likelihood_threshold is known. Use that.")
