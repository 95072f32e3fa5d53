"""What is seen of a query whose true value is drawn from finitely many: the best test on outputs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import logsumexp

from dplens import _validate
from dplens._validate import Floats
from dplens.attack.mixtures import mixture, step_cells
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.experiment import ContinuousOutputs, Outputs, finite_outputs
from dplens.numerics.laws.base import interval_mass
from dplens.numerics.roots import sign_change
from dplens.numerics.sharing import cached_property

if TYPE_CHECKING:
    from dplens.correlated.views.pairs import Pair


_LATTICE = (Geometric, DiscreteGaussian)
_SAME = 1e-14  # times 1 + the largest exponent: log-ratios that differ by rounding only
_POINTS = 20_000  # outputs between which a log-ratio is followed
_WORK = 2e7  # outputs × places
_DEEP = 1e-250  # quantiles beyond which nothing is followed


@dataclass(frozen=True, eq=False)
class MixtureOutputs(Outputs):
    """Outputs of one release, or rows of outputs of several, compared by their log-likelihood ratio.

    One release has a threshold on the output where the ratio is monotone. It is for log-concave noise if the ratio of
    the masses rises with the place (Karlin 1968, variation diminishing), and may be in other cases: for Laplace noise
    it goes one way between places, for noise on whole numbers or on steps all values are looked at, and for other
    noise many.
    """

    pair: Pair

    @property
    def _single(self) -> Any | None:
        return self.pair.mechanisms[0] if len(self.pair.mechanisms) == 1 else None

    def statistic(self, output: object) -> Floats:
        values = finite_outputs(output)
        count = len(self.pair.mechanisms)
        if count > 1 and (values.ndim == 0 or values.shape[-1] != count):
            raise _validate.reject(
                "output", f"to hold one output for each of the {count} releases in its last axis", output
            )
        for i, mechanism in enumerate(self.pair.mechanisms):
            seen = values[..., i] if count > 1 else values
            if isinstance(mechanism, _LATTICE) and (seen != np.floor(seen)).any():
                raise _validate.reject("output", f"to hold whole numbers: {type(mechanism).__name__} noise", output)
        return values

    def loss(self, statistic: Floats) -> Floats:
        pair = self.pair
        flat = statistic.reshape(-1, len(pair.mechanisms))
        loss = np.empty(len(flat))
        rows = max(1, int(_WORK / 10 / len(pair.places)))
        for start in range(0, len(flat), rows):
            loss[start : start + rows] = self._losses(flat[start : start + rows])
        if np.isnan(loss).any():
            raise _validate.reject("output", "to be possible in one of the worlds", statistic)
        return loss.reshape(statistic.shape if len(pair.mechanisms) == 1 else statistic.shape[:-1])

    def _losses(self, outputs: Floats) -> Floats:
        pair = self.pair
        logs = np.zeros((len(outputs), len(pair.places)))
        for i, mechanism in enumerate(pair.mechanisms):
            offset = np.subtract.outer(outputs[:, i], pair.places[:, i])
            with np.errstate(all="ignore"):
                logs += mechanism.log_likelihood(offset.ravel()).reshape(offset.shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = (np.asarray(logsumexp(logs + np.log(m), axis=1)) for m in (pair.p, pair.q))
            return second - first

    # ---- where the ratio goes one way -----------------------------------------------------------------------

    @cached_property
    def direction(self) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        if self._single is None:
            return 0
        with np.errstate(divide="ignore"):
            found = _goes(np.log(self.pair.q) - np.log(self.pair.p), 1e-13) if self._single.log_concave else 0
        if found:
            return found
        points = self._points
        if points is None:
            return 0
        with np.errstate(all="ignore"):
            largest = float(np.max(np.abs(self._single.log_likelihood(points - self.pair.places[0, 0]))))
            losses = self._losses(points[:, None])
        return _goes(losses, _SAME * (1 + largest)) if np.isfinite(losses).all() else 0

    @cached_property
    def _points(self) -> Floats | None:
        """Outputs in increasing order that show where the log-ratio turns; None where none do."""
        mechanism, places = self._single, self.pair.places[:, 0]
        if isinstance(mechanism, Laplace):
            return np.sort(places)
        if isinstance(mechanism, _LATTICE):
            beyond = math.ceil(38 * mechanism.sigma) if isinstance(mechanism, DiscreteGaussian) else 0
            count = np.ptp(places) + 2 * beyond + 1
            if count * len(places) > _WORK:
                return None
            return np.arange(places.min() - beyond, places.max() + beyond + 1)
        if isinstance(mechanism, Staircase):
            return step_cells(mechanism.noise_law(), places)[0]
        law = mechanism.noise_law()  # pyright: ignore[reportOptionalMemberAccess]
        if not mechanism.log_concave or not all(map(math.isinf, law.support())):  # pyright: ignore
            return None
        levels = np.array([_DEEP, 1e-17])
        far, near = law.ppf(levels) + places.min(), (law.isf(levels) + places.max())[::-1]
        count = int(min(_POINTS, max(_WORK / len(places), 1000)))
        ends = [(*far, count // 4), (far[1], near[0], count), (*near, count // 4)]
        return np.unique(np.concatenate([*(np.linspace(a, b, m) for a, b, m in ends), places]))

    @cached_property
    def _line(self) -> ContinuousOutputs:
        """A release with a density, as one law in either world."""
        noise = self._single.noise_law()  # pyright: ignore[reportOptionalMemberAccess]
        first, second = (mixture(noise, side) for side in self.pair.sides())
        return ContinuousOutputs(first, second, self.direction)

    def threshold(self, alpha: float) -> float:
        if self._single is None:
            raise Undefined("Outputs of several releases have no single threshold. Use likelihood_threshold or decide.")
        if not self.direction:
            return super().threshold(alpha)
        return self._last(alpha)[0] if isinstance(self._single, _LATTICE) else self._line.threshold(alpha)

    def rejection(self, statistic: Floats, alpha: float) -> Floats | None:
        if not self.direction:
            return None
        if not isinstance(self._single, _LATTICE):
            return self._line.rejection(statistic, alpha)
        if alpha <= 0 or alpha >= 1:
            return np.full_like(statistic, alpha)
        at, coin = self._last(alpha)
        beyond = self.direction * (statistic - at)
        return np.where(beyond > 0, 1.0, np.where(beyond == 0, coin, 0.0))

    def _last(self, alpha: float) -> tuple[float, float]:
        """The whole number beyond which H1 is decided, and the chance of that on seeing it."""
        sign = self.direction
        if alpha <= 0 or alpha >= 1:
            return sign * (math.inf if alpha <= 0 else -math.inf), 0.0
        noise, places = self._single._noise(), sign * self.pair.places[:, 0]  # pyright: ignore

        def upper(k: float) -> float:
            return float(noise.upper(k - places) @ self.pair.p)

        first = float(noise.first_below(np.array([np.clip(min(alpha, 1 - alpha), 1e-320, 0.5)]))[0])
        first = first if alpha <= 0.5 else 2 - first  # of the noise by itself
        low, high = places.min() + first - 2, places.max() + first + 1  # upper(low) > alpha ≥ upper(high)
        while high - low > 1:
            middle = math.floor((low + high) / 2)
            low, high = (middle, high) if upper(middle) > alpha else (low, middle)
        at, before = upper(high), upper(low)
        coin = float(np.clip((alpha - at) / (before - at), 0.0, 1.0)) if before > at else 0.0
        return sign * low, coin

    # ---- the ratio at which the best test decides ------------------------------------------------------------

    def log_threshold(self, alpha: float) -> float | None:
        """The log-ratio at which the test decides, for noise with a smooth density; None where the curve knows it."""
        mechanism = self._single
        if mechanism is None or isinstance(mechanism, (*_LATTICE, Laplace, Staircase)) or not 0 < alpha < 1:
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
        """How often, under H0, the log-ratio is above ``at``."""
        above = losses > at
        turns = np.flatnonzero(above[1:] != above[:-1])
        sign = np.where(above[turns], 1.0, -1.0)
        roots = np.zeros(0)
        if len(turns):
            roots = sign_change(lambda x: sign * (self._losses(x[:, None]) - at), points[turns], points[turns + 1])[0]
        ends = np.concatenate([[-math.inf], roots, [math.inf]])
        inside = np.arange(len(ends) - 1) % 2 == (0 if above[0] else 1)
        return np.array([math.fsum(interval_mass(self._line.p, ends[:-1][inside], ends[1:][inside]))])


def _goes(losses: Floats, same: float) -> int:
    """1 where they rise and −1 where they fall, up to differences that are ``same`` as none; 0 where they do both."""
    with np.errstate(invalid="ignore"):
        step = np.where(losses[1:] == losses[:-1], 0.0, np.diff(losses))
    up, down = bool((step > same).any()), bool((step < -same).any())
    return 0 if up and down else -1 if down else 1
