"""Mixtures of one noise over several true values: their pairs of laws and curves."""

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
    """Whether one side is the other's mirror image and the noise its own, so that the curve is symmetric."""
    facts = noise_facts(getattr(mechanism, "noise", None))
    even = isinstance(mechanism, (Gaussian, Laplace)) or (facts is not None and facts.symmetric_unimodal)
    ends = min(low)[0] + max(high)[0]
    return even and sorted((ends - v, w) for v, w in low) == sorted(high)


def bounded_losses(mechanism: Any, low: Side, high: Side) -> tuple[bool | None, bool | None]:
    """Whether log q/p and log p/q are bounded above, by theorem.

    A ratio of mixtures lies between the least and the largest ratio of their parts, so it is bounded where all of
    these are (Laplace). Otherwise the outermost values decide: they carry the tails.
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
    """Geometric noise: the ratio is constant from the outermost values on, so the outcomes are finitely many."""
    noise = GeometricNoise(scale)
    start, end = min(low)[0], max(high)[0]
    k = np.arange(start, end + 1)

    def law(side: Side) -> tuple[Floats, Floats]:
        """Masses with both tails put at the ends, and log-densities up to a common constant."""
        mass, logs = np.zeros_like(k), []
        for value, weight in side:
            part = math.tanh(0.5 / scale) * np.exp(-np.abs(k - value) / scale)
            part[0], part[-1] = noise.upper(np.array([value - start, end - value]))
            mass += weight * part
            logs.append(math.log(weight) - np.abs(k - value) / scale)
        return mass, np.asarray(logsumexp(logs, axis=0))

    (p, log_p), (q, log_q) = law(low), law(high)
    loss = np.maximum.accumulate(log_q - log_p)  # it rises; the last digits may not
    rounding = 1e-15 * (2 + (end - start) / scale)
    curve = PiecewiseCurve.from_pair(p, q, loss, loss_rounding=rounding, input_rounding=rounding)
    return Experiment(curve, _WholeOutputs(loss, start))


def step_cells(noise: StaircaseLaw, values: Floats) -> tuple[Floats, Floats]:
    """Middles of the outputs' steps about all values, and the widths that stand for them.

    Beyond the outermost values a step further divides every density by e^epsilon and leaves the ratios as they are,
    so one period stands for the whole tail.
    """
    step = noise.sensitivity
    start, end = values.min() - step, values.max() + step
    count = math.ceil((end - start) / step) + 1
    places = step * np.add.outer(np.arange(-count, count + 1), [0.0, noise.gamma, -noise.gamma]).ravel()
    edges = np.unique(np.concatenate([[start, start + step, end - step, end], np.add.outer(values, places).ravel()]))
    edges = edges[(edges >= start) & (edges <= end)]
    # steps that meet in truth and differ by rounding make no cell of their own
    edges = edges[np.concatenate([[True], np.diff(edges) > 1e-12 * (np.abs(edges[1:]) + step)])]
    middle, width = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    tails = (middle < start + step) | (middle > end - step)
    return middle, np.where(tails, width / -math.expm1(-noise.epsilon), width)


def step_curve(noise: StaircaseLaw, p: Law, q: Law, low: Side, high: Side) -> TradeOff:
    """Staircase noise: both densities are constant between the steps of their parts."""
    values = np.array([v for v, _ in (*low, *high)])
    middle, width = step_cells(noise, values)
    logs = p.logpdf(middle), q.logpdf(middle)
    masses = [np.exp(log) * width for log in logs]
    rounding = 1e-15 * (4 + noise.epsilon * (math.ceil(np.ptp(values) / noise.sensitivity) + 3))
    return PiecewiseCurve.from_pair(masses[0], masses[1], logs[1] - logs[0], rounding, rounding)


@dataclass(frozen=True, eq=False)
class _WholeOutputs(FiniteOutputs):
    """Whole-number outputs, whose ratio is constant from the first and the last of those listed on."""

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
