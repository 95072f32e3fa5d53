"""Outputs of a query whose true value has finitely many possibilities: their laws, and the best test on them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import logsumexp

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.views.output_cells import divisible, step_cells
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.experiment import ContinuousOutputs, Outputs, WholeTest, finite_outputs
from dplens.numerics.laws.base import Law, MixtureLaw, ShiftedLaw, interval_mass
from dplens.numerics.laws.facts import loss_supremum_is_finite, noise_facts
from dplens.numerics.roots import sign_change
from dplens.numerics.sharing import cached_property

if TYPE_CHECKING:
    from dplens.correlated.views.pairs import MixturePair

Side = list[tuple[float, float]]  # true values with their weights, which sum to 1

_WHOLE = (Geometric, DiscreteGaussian)
_WORK = 2e7  # outputs × places that a search for turning points may evaluate


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
        (a, _), (b, _), (c, _), (d, _) = min(low), max(low), min(high), max(high)
        return a <= c and d <= b, c <= a and b <= d
    facts = noise_facts(getattr(mechanism, "noise", None))
    if facts is None:
        return None, None
    first, second = (max(low), max(high)), (min(high), min(low))
    forward, backward = (
        loss_supremum_is_finite(replace(facts, loc=a[0]), replace(facts, loc=b[0])) for a, b in (first, second)
    )
    return forward, backward


@dataclass(frozen=True, eq=False)
class MixtureOutputs(Outputs):
    """Outputs of one release, or rows of outputs of several, compared by their log-likelihood ratio.

    One release has a threshold on the output if the ratio is monotone. For log-concave noise it is if the ratio of the
    masses rises with the place (Karlin 1968, variation diminishing). Otherwise the ratio is evaluated: at the places
    for Laplace noise, which is monotone between them, at all values for noise on whole numbers or on steps, and on a
    dense grid for other noise.
    """

    pair: MixturePair

    @property
    def _single(self) -> Any | None:
        return self.pair.mechanisms[0] if len(self.pair.mechanisms) == 1 else None

    def statistic(self, output: object) -> Floats:
        values = finite_outputs(output)
        count = len(self.pair.mechanisms)
        if count > 1 and (values.ndim == 0 or values.shape[-1] != count):
            rule = f"to hold one output for each of the {count} releases in its last axis"
            raise _validate.reject("output", rule, output)
        for i, mechanism in enumerate(self.pair.mechanisms):
            seen = values[..., i] if count > 1 else values
            if isinstance(mechanism, _WHOLE) and (seen != np.floor(seen)).any():
                raise _validate.reject("output", f"to hold whole numbers: {type(mechanism).__name__} noise", output)
        return values

    def loss(self, statistic: Floats) -> Floats:
        count = len(self.pair.mechanisms)
        flat = statistic.reshape(-1, count)
        rows = max(1, int(_WORK / 10 / len(self.pair.places)))  # keeps arrays small
        loss = np.concatenate([self._losses(flat[i : i + rows]) for i in range(0, len(flat), rows)] or [np.zeros(0)])
        if np.isnan(loss).any():
            raise _validate.reject("output", "to be possible in one of the worlds", statistic)
        return loss.reshape(statistic.shape if count == 1 else statistic.shape[:-1])

    def _losses(self, outputs: Floats) -> Floats:
        pair = self.pair
        logs = np.zeros((len(outputs), len(pair.places)))
        with np.errstate(all="ignore"):
            for i, mechanism in enumerate(pair.mechanisms):
                offset = np.subtract.outer(outputs[:, i], pair.places[:, i])
                logs += mechanism.log_likelihood(offset.ravel()).reshape(offset.shape)
            first, second = (np.asarray(logsumexp(logs + np.log(m), axis=1)) for m in (pair.p, pair.q))
            return second - first

    # ---- where the ratio is monotone ------------------------------------------------------------------------

    @cached_property
    def direction(self) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        if self._single is None:
            return 0
        with np.errstate(divide="ignore"):
            found = _trend(np.log(self.pair.q) - np.log(self.pair.p), 1e-13) if self._single.log_concave else 0
        if found or self._points is None:
            return found
        with np.errstate(all="ignore"):
            largest = float(np.max(np.abs(self._single.log_likelihood(self._points - self.pair.places[0, 0]))))
            losses = self._losses(self._points[:, None])
        return _trend(losses, 1e-14 * (1 + largest)) if np.isfinite(losses).all() else 0

    @cached_property
    def _points(self) -> Floats | None:
        """Outputs in increasing order between which the log-ratio is monotone; None if not known."""
        mechanism, places = self._single, self.pair.places[:, 0]
        if isinstance(mechanism, Laplace):
            return np.sort(places)
        if isinstance(mechanism, _WHOLE):
            beyond = math.ceil(38 * mechanism.sigma) if isinstance(mechanism, DiscreteGaussian) else 0
            count = np.ptp(places) + 2 * beyond + 1
            if count * len(places) > _WORK:
                return None
            return np.arange(places.min() - beyond, places.max() + beyond + 1)
        if isinstance(mechanism, Staircase):
            return step_cells(mechanism.noise_law(), places)[0]
        if not divisible(mechanism):  # pyright: ignore[reportArgumentType]
            return None
        law, levels = mechanism.noise_law(), np.array([1e-250, 1e-17])  # pyright: ignore
        far, near = law.ppf(levels) + places.min(), (law.isf(levels) + places.max())[::-1]
        count = int(min(20_000, max(_WORK / len(places), 1000)))
        ends = [(*far, count // 4), (far[1], near[0], count), (*near, count // 4)]
        return np.unique(np.concatenate([*(np.linspace(a, b, m) for a, b, m in ends), places]))

    @cached_property
    def _line(self) -> ContinuousOutputs | WholeTest:
        """The test on one release whose ratio is monotone: on whole numbers, or of two laws with densities."""
        if isinstance(self._single, _WHOLE):
            return WholeTest(self._single._noise(), self.pair.places[:, 0], self.pair.p, self.direction)
        noise = self._single.noise_law()  # pyright: ignore[reportOptionalMemberAccess]
        first, second = (mixture(noise, side) for side in self.pair.sides)
        return ContinuousOutputs(first, second, self.direction)

    def threshold(self, alpha: float) -> float:
        if self._single is None:
            raise Undefined("Outputs of several releases have no single threshold. Use likelihood_threshold or decide.")
        return self._line.threshold(alpha) if self.direction else super().threshold(alpha)

    def rejection(self, statistic: Floats, alpha: float) -> Floats | None:
        return self._line.rejection(statistic, alpha) if self.direction else None

    # ---- the ratio at which the best test decides ------------------------------------------------------------

    def log_threshold(self, alpha: float) -> float | None:
        """The log-ratio threshold for noise with a smooth density; None if it must be taken from the curve."""
        mechanism = self._single
        if mechanism is None or isinstance(mechanism, (*_WHOLE, Laplace, Staircase)) or not 0 < alpha < 1:
            return None
        if self.direction:
            at = self.threshold(alpha)
            return float(self.loss(np.array(at))) if math.isfinite(at) else None
        points = self._points
        if points is None:
            return None
        losses = self._losses(points[:, None])
        low, high = np.array([losses.min() - 1.0]), np.array([losses.max()])
        return float(sign_change(lambda at: self._rate(float(at[0]), points, losses) - alpha, low, high)[1][0])

    def _rate(self, at: float, points: Floats, losses: Floats) -> Floats:
        """The probability, under H0, that the log-ratio exceeds ``at``."""
        above = losses > at
        turns = np.flatnonzero(above[1:] != above[:-1])
        sign = np.where(above[turns], 1.0, -1.0)
        roots = np.zeros(0)
        if len(turns):
            roots = sign_change(lambda x: sign * (self._losses(x[:, None]) - at), points[turns], points[turns + 1])[0]
        ends = np.concatenate([[-math.inf], roots, [math.inf]])
        inside = np.arange(len(ends) - 1) % 2 == (0 if above[0] else 1)
        law = mixture(self._single.noise_law(), self.pair.sides[0])  # pyright: ignore[reportOptionalMemberAccess]
        return np.array([math.fsum(interval_mass(law, ends[:-1][inside], ends[1:][inside]))])


def _trend(losses: Floats, rounding: float) -> int:
    """1 if the losses increase and −1 if they decrease, up to rounding; 0 if neither."""
    with np.errstate(invalid="ignore"):
        step = np.where(losses[1:] == losses[:-1], 0.0, np.diff(losses))
    up, down = bool((step > rounding).any()), bool((step < -rounding).any())
    return 0 if up and down else -1 if down else 1
