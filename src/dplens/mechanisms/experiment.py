"""What an attacker observes: outputs with a likelihood ratio, and the best test on them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens.curves.base import TradeOff
from dplens.errors import Undefined
from dplens.mechanisms.noise_laws import laplace_loss
from dplens.numerics.laws.base import Law
from dplens.numerics.laws.cells import DensityPair
from dplens.numerics.laws.discrete_gaussian import LatticeNoise
from dplens.numerics.laws.scipy import ScipyLaw
from dplens.numerics.sharing import Shared, cached_property

Floats = npt.NDArray[np.float64]


def finite_outputs(output: object, length: int | None = None) -> Floats:
    """Observed outputs as an array of finite numbers; with a ``length``, vectors in its last axis."""
    values = _validate.as_array("output", output)
    if not np.isfinite(values).all():
        raise _validate.reject("output", "to hold finite numbers", output, "Noise is finite with certainty.")
    if length is not None and (values.ndim == 0 or values.shape[-1] != length):
        raise _validate.reject("output", f"to hold vectors of length {length} in its last axis", output)
    return values


def _impossible(output: object) -> Exception:
    return _validate.reject(
        "output", "to be possible in one of the worlds", output, "In both its density is 0, or too small for a float."
    )


def without_values(values: object, reason: str) -> None:
    """Refuse true values where outputs have none or their own."""
    if values is not None:
        raise _validate.reject("values", f"to be left out{reason}", values)


def source_of(law: Law) -> Any:
    """The SciPy distribution behind a law, whose shape may be known; the law itself if there is none."""
    return law.source if isinstance(law, ScipyLaw) else law


class Noisy(ABC):
    """A mechanism that adds noise with a density to a number or to each number of a vector.

    A new family of noise needs no more than its law to work wherever ``AdditiveNoise`` does.
    """

    @abstractmethod
    def noise_law(self) -> Law:
        """The law of the noise."""

    def as_additive(self) -> Any:
        """The same noise as an ``AdditiveNoise``, for code that does not know its class.

        Override it if the law has a name in SciPy, so that its known shape is used.
        """
        from dplens.mechanisms.noise import AdditiveNoise

        given = {name: getattr(self, name) for name in ("sensitivity", "neighbours") if hasattr(self, name)}
        return AdditiveNoise(noise=source_of(self.noise_law()), **given)

    def log_likelihood(self, offset: Floats) -> Floats:
        """Log-density of an output at each offset from the true value."""
        with np.errstate(over="ignore"):  # far out, where the density is 0
            return self.noise_law().logpdf(_validate.floats("offset", offset, "to be finite", -1e300, 1e300))


class Outputs(ABC):
    """Observable outputs. ``statistic`` reduces an output to the test statistic.

    direction: 1 if the ratio increases with the statistic, −1 if it decreases, 0 if neither is known.
    """

    direction: Any

    @abstractmethod
    def statistic(self, output: object) -> Floats:
        """The test statistic of the observed outputs, after checking them."""

    @abstractmethod
    def loss(self, statistic: Floats) -> Floats:
        """Log-likelihood ratio log q/p of each output."""

    def threshold(self, alpha: float) -> float:
        """The output above which (below which, if the ratio decreases) the best test at rate alpha decides H1."""
        raise Undefined(
            "The likelihood ratio is not monotone in the output, so no threshold on the output is optimal. "
            "Use likelihood_threshold."
        )

    def rejection(self, statistic: Floats, alpha: float) -> Floats | None:
        """Probability that the best test decides H1 for each output; None where this needs the likelihood ratio."""
        return None

    def log_threshold(self, alpha: float) -> float | None:
        """Log-ratio threshold of the best test, if the outputs determine it more accurately than the curve."""
        return None


@dataclass(frozen=True, eq=False)
class ContinuousOutputs(Outputs):
    """Real outputs with laws p (H0) and q (H1)."""

    p: Law
    q: Law
    direction: int

    def statistic(self, output: object) -> Floats:
        values = finite_outputs(output)
        low, high = (pick(p, q) for pick, p, q in zip((min, max), self.p.support(), self.q.support()))
        if not ((values >= low) & (values <= high)).all():
            raise _impossible(output)
        return values

    def loss(self, statistic: Floats) -> Floats:
        flat = statistic.ravel()
        loss = DensityPair(self.p, self.q, False, (None, None)).loss(flat)
        if np.isnan(loss).any():
            raise _impossible(float(flat[np.isnan(loss)][0]))
        return loss.reshape(statistic.shape)

    def threshold(self, alpha: float) -> float:
        if not self.direction:
            return super().threshold(alpha)
        if alpha <= 0:
            return self.p.support()[1 if self.direction > 0 else 0]
        if alpha >= 1:
            return -self.direction * math.inf
        level = np.array([min(alpha, 1 - alpha)])
        with np.errstate(all="ignore"):
            return float((self.p.isf(level) if (alpha <= 0.5) == (self.direction > 0) else self.p.ppf(level))[0])

    def rejection(self, statistic: Floats, alpha: float) -> Floats | None:
        if not self.direction:
            return None
        at = self.threshold(alpha)
        return (statistic > at if self.direction > 0 else statistic < at).astype(float)


@dataclass(frozen=True, eq=False)
class ProjectedOutputs(ContinuousOutputs):
    """Vector outputs whose ratio depends only on their component along the line between the two true values."""

    origin: Floats
    axis: Floats

    def statistic(self, output: object) -> Floats:
        return (finite_outputs(output, len(self.axis)) - self.origin) @ self.axis


@dataclass(frozen=True, eq=False)
class WholeTest:
    """The best test on whole numbers: noise around ``places`` under H0; the ratio rises (``sign`` 1) or falls (−1)."""

    noise: LatticeNoise
    places: Floats
    masses: Floats
    sign: int

    def _randomised(self, alpha: float) -> tuple[float, float]:
        """The integer beyond which the test decides H1, and the probability that it does so at that integer."""
        if alpha <= 0 or alpha >= 1:  # no integer output proves either world
            return self.sign * (math.inf if alpha <= 0 else -math.inf), 0.0
        places = self.sign * self.places

        def upper(k: float) -> float:
            return float(self.noise.upper(k - places) @ self.masses)

        first = float(self.noise.first_below(np.array([np.clip(min(alpha, 1 - alpha), 1e-320, 0.5)]))[0])
        first = first if alpha <= 0.5 else 2 - first  # of the noise alone
        low, high = places.min() + first - 2, places.max() + first + 1  # upper(low) > alpha ≥ upper(high)
        while high - low > 1:
            middle = math.floor((low + high) / 2)
            low, high = (middle, high) if upper(middle) > alpha else (low, middle)
        at, before = upper(high), upper(low)
        coin = float(np.clip((alpha - at) / (before - at), 0.0, 1.0)) if before > at else 0.0
        return self.sign * low, coin

    def threshold(self, alpha: float) -> float:
        """The integer beyond which the test decides H1."""
        return self._randomised(alpha)[0]

    def rejection(self, statistic: Floats, alpha: float) -> Floats:
        """The probability that the test decides H1 for each output."""
        if alpha <= 0 or alpha >= 1:
            return np.full_like(statistic, alpha)
        at, coin = self._randomised(alpha)
        beyond = self.sign * (statistic - at)
        return np.where(beyond > 0, 1.0, np.where(beyond == 0, coin, 0.0))


@dataclass(frozen=True, eq=False)
class LatticeOutputs(Outputs):
    """Whole-number outputs: symmetric noise about ``origin`` (H0) or about ``origin + shift`` (H1)."""

    noise: LatticeNoise
    shift: int
    origin: int = 0

    @property
    def direction(self) -> int:
        return 1 if self.shift > 0 else -1

    def statistic(self, output: object) -> Floats:
        values = _validate.as_array("output", output)
        if not (np.isfinite(values).all() and (values == np.floor(values)).all()):
            raise _validate.reject("output", "to hold whole numbers", output)
        return values

    def loss(self, statistic: Floats) -> Floats:
        return self.noise.log_ratio(self.direction * (statistic - self.origin), abs(self.shift))

    @property
    def _test(self) -> WholeTest:
        return WholeTest(self.noise, np.array([float(self.origin)]), np.ones(1), self.direction)

    def threshold(self, alpha: float) -> float:
        return self._test.threshold(alpha)

    def rejection(self, statistic: Floats, alpha: float) -> Floats:
        return self._test.rejection(statistic, alpha)


@dataclass(frozen=True, eq=False)
class FiniteOutputs(Outputs):
    """Outcomes numbered 0, 1, …, each with its log-likelihood ratio (NaN where impossible in both worlds).

    ``count``: the number of outcomes, if all from the last listed one on are alike.
    """

    direction = 0
    losses: Floats
    count: int | None = None

    def statistic(self, output: object) -> Floats:
        values = _validate.as_array("output", output)
        count = self.count or len(self.losses)
        fits = (values == np.floor(values)) & (values >= 0) & (values < count)
        if not fits.all():
            raise _validate.reject("output", f"to be outcome numbers 0 … {count - 1}", output)
        if np.isnan(self.loss(values)).any():
            raise _validate.reject("output", "to be an outcome that is possible in one of the worlds", output)
        return values

    def loss(self, statistic: Floats) -> Floats:
        return self.losses[np.minimum(statistic, len(self.losses) - 1).astype(int)]


@dataclass(frozen=True, eq=False)
class LossOnlyOutputs(Outputs):
    """Vector outputs with Laplace noise on each coordinate, whose true values differ in several coordinates."""

    direction = 0
    scale: float
    values: tuple[Floats, Floats]

    def statistic(self, output: object) -> Floats:
        return finite_outputs(output, len(self.values[0]))

    def loss(self, statistic: Floats) -> Floats:
        v0, v1 = self.values
        return laplace_loss(statistic - v0, v1 - v0, self.scale).sum(axis=-1)


@dataclass(frozen=True, eq=False)
class Experiment(Shared):
    """The attacker's testing problem: the outputs, and the curve T(P, Q) or a function that makes it on first use."""

    known: TradeOff | Callable[[], TradeOff]
    outputs: Outputs

    @cached_property
    def curve(self) -> TradeOff:
        return self.known if isinstance(self.known, TradeOff) else self.known()
