"""What an attacker observes: outputs with a likelihood ratio, and the best test on them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._numerics.lattice import LatticeNoise
from dplens._numerics.laws import Law
from dplens.curves.base import TradeOff
from dplens.errors import Undefined

Floats = npt.NDArray[np.float64]


class Outputs(ABC):
    """Observable outputs. ``statistic`` reduces an output to what the tests look at."""

    @abstractmethod
    def statistic(self, output: object) -> Floats:
        """The observed outputs, checked, as an array of what is compared with the threshold."""

    @abstractmethod
    def loss(self, statistic: Floats) -> Floats:
        """log-likelihood ratio log q/p of each output."""

    def threshold(self, alpha: float) -> float:
        """The output above which the best test at false-positive rate alpha decides H1."""
        raise Undefined(
            "The likelihood ratio is not monotone in the output, so no threshold on the output is optimal. "
            "Use likelihood_threshold."
        )

    def rejection(self, statistic: Floats, alpha: float, curve: TradeOff) -> Floats:
        """Probability with which the best test decides H1 for each output (a coin at an atom)."""
        lam = float(curve._log_slope(np.array([alpha]), np.array([1 - alpha]))[0])
        loss = self.loss(statistic)
        slack = 1e-11 * (1 + abs(lam)) if np.isfinite(lam) else 0.0
        tie = np.abs(loss - lam) <= slack if np.isfinite(lam) else loss == lam
        above = float(curve._rates(np.array([lam + slack]))[0][0])
        below = float(curve._rates(np.array([np.nextafter(lam - slack, -np.inf)]))[0][0])
        coin = np.clip((alpha - above) / (below - above), 0.0, 1.0) if below > above else 0.0
        return np.where(tie, coin, (loss > lam).astype(float))


@dataclass(frozen=True, eq=False)
class ContinuousOutputs(Outputs):
    """Real outputs with laws p (H0) and q (H1); ``monotone``: the ratio rises with the output."""

    p: Law
    q: Law
    monotone: bool

    def statistic(self, output: object) -> Floats:
        values = _validate.as_array("output", output)
        if np.isnan(values).any():
            raise _validate.reject("output", "to hold no NaN", output)
        return values

    def loss(self, statistic: Floats) -> Floats:
        flat = statistic.ravel()
        with np.errstate(invalid="ignore"):
            loss = self.q.logpdf(flat) - self.p.logpdf(flat)
        return loss.reshape(statistic.shape)

    def threshold(self, alpha: float) -> float:
        if not self.monotone:
            return super().threshold(alpha)
        level = np.array([min(alpha, 1 - alpha)])
        return float((self.p.isf(level) if alpha <= 0.5 else self.p.ppf(level))[0])

    def rejection(self, statistic: Floats, alpha: float, curve: TradeOff) -> Floats:
        if not self.monotone:
            return super().rejection(statistic, alpha, curve)
        return (statistic > self.threshold(alpha)).astype(float)


@dataclass(frozen=True, eq=False)
class ProjectedOutputs(ContinuousOutputs):
    """Vector outputs whose ratio depends only on their component along the line between the two true values."""

    origin: Floats
    axis: Floats

    def statistic(self, output: object) -> Floats:
        values = super().statistic(output)
        if values.ndim == 0 or values.shape[-1] != len(self.axis):
            raise _validate.reject("output", f"to hold vectors of length {len(self.axis)} in its last axis", output)
        return (values - self.origin) @ self.axis


@dataclass(frozen=True, eq=False)
class LatticeOutputs(Outputs):
    """Whole-number outputs: noise about ``origin`` (H0) or about ``origin + shift`` (H1)."""

    noise: LatticeNoise
    shift: int
    origin: int = 0

    def statistic(self, output: object) -> Floats:
        values = _validate.as_array("output", output)
        if not (np.isfinite(values).all() and (values == np.floor(values)).all()):
            raise _validate.reject("output", "to hold whole numbers", output)
        return values

    def loss(self, statistic: Floats) -> Floats:
        return self.noise.log_ratio(statistic - self.origin, self.shift)

    def _first(self, alpha: float) -> float:
        """The least offset k with P(N ≥ k) ≤ alpha: from there on the test decides H1."""
        small = np.array([np.clip(min(alpha, 1 - alpha), 1e-320, 0.5)])
        m = float(self.noise.first_below(small)[0])
        return m if alpha <= 0.5 else 2 - m

    def threshold(self, alpha: float) -> float:
        return self.origin + self._first(alpha) - 1

    def rejection(self, statistic: Floats, alpha: float, curve: TradeOff) -> Floats:
        k = np.array([self._first(alpha)])
        at, below = float(self.noise.upper(k)[0]), float(self.noise.upper(k - 1)[0])
        coin = np.clip((alpha - at) / (below - at), 0.0, 1.0) if below > at else 0.0
        last = statistic - self.origin - (k[0] - 1)
        return np.where(last > 0, 1.0, np.where(last == 0, coin, 0.0))


@dataclass(frozen=True, eq=False)
class FiniteOutputs(Outputs):
    """Outcomes numbered 0, 1, …, each with its log-likelihood ratio (NaN where impossible in both worlds)."""

    losses: Floats

    def statistic(self, output: object) -> Floats:
        values = _validate.as_array("output", output)
        count = len(self.losses)
        fits = (values == np.floor(values)) & (values >= 0) & (values < count)
        if not fits.all():
            raise _validate.reject("output", f"to be outcome numbers 0 … {count - 1}", output)
        if np.isnan(self.losses[values.astype(int)]).any():
            raise _validate.reject("output", "to be an outcome that is possible in one of the worlds", output)
        return values

    def loss(self, statistic: Floats) -> Floats:
        return self.losses[statistic.astype(int)]


@dataclass(frozen=True, eq=False)
class LossOnlyOutputs(Outputs):
    """Vector outputs whose coordinates each carry Laplace noise and differ in several places."""

    scale: float
    values: tuple[Floats, Floats]

    def statistic(self, output: object) -> Floats:
        array = _validate.as_array("output", output)
        if array.ndim == 0 or array.shape[-1] != len(self.values[0]):
            raise _validate.reject(
                "output", f"to hold vectors of length {len(self.values[0])} in its last axis", output
            )
        return array

    def loss(self, statistic: Floats) -> Floats:
        v0, v1 = self.values
        return (np.abs(statistic - v0) - np.abs(statistic - v1)).sum(axis=-1) / self.scale


@dataclass(frozen=True, eq=False)
class Experiment:
    """The test an attacker faces: the curve T(P, Q) and the outputs. ``curve`` None: its law is not known here."""

    curve: TradeOff | None
    outputs: Outputs
