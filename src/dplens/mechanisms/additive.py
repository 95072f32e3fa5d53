"""Noise added to a number: the named families and any noise with a density."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from dplens import _validate
from dplens.curves.base import Floats, TradeOff
from dplens.curves.closed.bounded import LaplaceCurve
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve, lattice_table
from dplens.errors import Undefined
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.experiment import (
    ContinuousOutputs,
    Experiment,
    LatticeOutputs,
    LossOnlyOutputs,
    Noisy,
    Outputs,
    ProjectedOutputs,
    without_values,
)
from dplens.mechanisms.noise_laws import LaplaceLaw, NormalLaw, StaircaseLaw
from dplens.numerics.enclosure import quotient_above
from dplens.numerics.laws.base import Law, ShiftedLaw
from dplens.numerics.laws.discrete_gaussian import DiscreteNormalNoise, LatticeNoise
from dplens.numerics.laws.geometric import GeometricNoise
from dplens.registry import register

_FEW = 1000  # up to this many outcomes a table is faster than formulas
_DIFFERENT = 50  # distinct amounts of change that can be composed within seconds
_SMOOTH = 1e100  # from this sigma on, discrete and continuous Gaussian noise agree in every digit
_WIDEST = 1e300  # largest scale at which outputs and their sums are representable as floats


def _sensitivity(name: str, value: Any) -> float:
    remedy = "Sensitivity is the most one record can change the released value; it is not 0 for a useful query."
    return _validate.positive(name, value, remedy)


@dataclass(frozen=True, kw_only=True)
class Additive(Mechanism):
    """Base of mechanisms whose sensitivity scales with the group size: log-concave noise on a number."""

    log_concave: ClassVar[bool] = True  # whether the likelihood ratio increases with the output
    sensitivity: float = field(default=1.0, metadata=_validate.checked(_sensitivity))

    def as_replace(self) -> Mechanism:
        """The same noise for replace-one neighbours: exactly twice the sensitivity, since the noise is log-concave."""
        if self.neighbours == "replace":
            return self
        return replace(self, sensitivity=2 * self.sensitivity, neighbours="replace")


def _length(change: Floats, norm: int) -> float:
    """The L1 or L2 norm of a change."""
    return math.hypot(*change) if norm == 2 else float(np.abs(change).sum())


def _true_values(values: Any, sensitivity: float, norm: int) -> tuple[np.ndarray, np.ndarray]:
    """The query's values in the two worlds, checked to differ by at most the sensitivity."""
    if values is None:
        return np.zeros(()), np.array(float(sensitivity))
    try:
        first, second = values
    except (TypeError, ValueError):
        raise _validate.reject("values", "to be a pair (value under H0, value under H1)", values) from None
    v0, v1 = (np.array(_validate.as_array(f"values[{i}]", v)) for i, v in enumerate((first, second)))  # our own
    if v0.shape != v1.shape or v0.ndim > 1:
        raise _validate.reject("values", "to be two numbers or two vectors of the same length", values)
    with np.errstate(over="ignore", invalid="ignore"):  # values too far apart are refused
        distance = _length(np.atleast_1d(v1 - v0), norm)
    if not 0 < distance <= sensitivity * (1 + 1e-12):
        raise _validate.reject("values", f"to differ, by at most the sensitivity {sensitivity!r} in L{norm}", values)
    return v0, v1


@register
@dataclass(frozen=True, kw_only=True)
class Gaussian(Noisy, Additive):
    """Gaussian noise of standard deviation ``sigma`` on a number or vector of L2 sensitivity ``sensitivity``.

    mu = sensitivity/sigma; f(alpha) = Φ(Φ⁻¹(1 − alpha) − mu). For a vector the scalar curve is the worst case
    and is attained (Dong, Roth & Su 2022, Theorem 2.7; Kaissis et al., the sensitivity index).

    Use it for sums, means, tables and gradients of several dimensions, and whatever is released many times.

    >>> Gaussian(sigma=2.0, sensitivity=1.0).mu
    0.5
    """

    sigma: float = field(metadata=_validate.checked(_validate.positive))

    @property
    def mu(self) -> float:
        """sensitivity/sigma."""
        return self.sensitivity / self.sigma

    def _forward(self) -> TradeOff:
        return GaussianCurve(quotient_above(self.sensitivity, self.sigma))

    def experiment(self, values: Any = None) -> Experiment:
        v0, v1 = _true_values(values, self.sensitivity, 2)
        distance = _length(np.atleast_1d(v1 - v0), 2)
        return Experiment(replace(self, sensitivity=distance)._forward(), _along(self.noise_law(), v0, v1, distance))

    def noise_law(self) -> Law:
        """N(0, sigma²)."""
        return NormalLaw(self.sigma)


@register
@dataclass(frozen=True, kw_only=True)
class Laplace(Noisy, Additive):
    """Laplace noise of the given ``scale`` on a number or vector of L1 sensitivity ``sensitivity``.

    epsilon = sensitivity/scale. For a vector the scalar curve is the worst case (Liu, Theorems 3 and 5).

    Use it for one or a few numbers when the largest privacy loss must be bounded.

    >>> Laplace(scale=2.0, sensitivity=1.0).epsilon
    0.5
    """

    scale: float = field(metadata=_validate.checked(_validate.positive))

    @property
    def epsilon(self) -> float:
        """sensitivity/scale: the pure-DP parameter."""
        return self.sensitivity / self.scale

    def _forward(self) -> TradeOff:
        return LaplaceCurve(quotient_above(self.sensitivity, self.scale))

    def experiment(self, values: Any = None) -> Experiment:
        v0, v1 = _true_values(values, self.sensitivity, 1)
        moved = np.flatnonzero(v1 != v0) if v0.ndim else np.zeros(1, int)
        if len(moved) > 1:
            return Experiment(partial(self._together, np.abs(v1 - v0)[moved]), LossOnlyOutputs(self.scale, (v0, v1)))
        distance = float(np.abs(v1 - v0).sum())
        return Experiment(replace(self, sensitivity=distance)._forward(), _along(self.noise_law(), v0, v1, distance))

    def _together(self, distances: Floats) -> TradeOff:
        """T(P, Q) when several coordinates change: one release per coordinate, composed (the noise is independent)."""
        from dplens.mechanisms.composed import compose

        sizes, counts = np.unique(distances, return_counts=True)
        if len(sizes) > _DIFFERENT:
            raise Undefined(
                f"More than {_DIFFERENT} coordinates change by different amounts: too many for the law of their ratio. "
                "likelihood_ratio and posterior work; for a test take the worst case, all change in one coordinate."
            )
        each = (replace(self, sensitivity=float(d)).repeat(int(n)) for d, n in zip(sizes, counts))
        return compose(*each).tradeoff("add")

    def noise_law(self) -> Law:
        """Lap(0, scale)."""
        return LaplaceLaw(self.scale)


def _along(noise: Law, v0: np.ndarray, v1: np.ndarray, distance: float) -> Outputs:
    """Outputs projected onto the line from v0 to v1; scalar outputs are kept as they are."""
    if v0.ndim == 0:
        return ContinuousOutputs(ShiftedLaw(noise, float(v0)), ShiftedLaw(noise, float(v1)), 1 if v1 > v0 else -1)
    return ProjectedOutputs(noise, ShiftedLaw(noise, distance), 1, v0, (v1 - v0) / distance)


@dataclass(frozen=True, kw_only=True)
class _Lattice(Additive):
    """Integer noise on an integer query, with integer sensitivity."""

    sensitivity: int = field(
        default=1, metadata=_validate.checked(partial(_validate.count, remedy="The noise is on whole numbers."))
    )

    @abstractmethod
    def _noise(self) -> LatticeNoise:
        """The law of the added noise."""

    def _forward(self) -> TradeOff:
        return LatticeCurve(self._noise(), self.sensitivity)

    def experiment(self, values: Any = None) -> Experiment:
        v0, v1 = _true_values(values, self.sensitivity, 1)
        if v0.ndim or v0 != np.floor(v0) or v1 != np.floor(v1):
            raise _validate.reject("values", "to be two whole numbers", values)
        shift, noise = int(v1 - v0), self._noise()
        return Experiment(LatticeCurve(noise, abs(shift)), LatticeOutputs(noise, shift, int(v0)))

    def log_likelihood(self, offset: Floats) -> Floats:
        """Log-mass, up to a constant, of an output at each integer offset from the true value."""
        whole = _validate.floats("offset", offset, "to be finite", -1e300, 1e300)
        if (whole != np.floor(whole)).any():
            raise _validate.reject("output - candidates", "to be whole numbers", offset)
        return self._noise().log_mass(whole)


@register
@dataclass(frozen=True, kw_only=True)
class Geometric(_Lattice):
    """Two-sided geometric noise, P(k) ∝ e^{−|k|/scale}, on an integer (Ghosh et al. 2009).

    Use it for counts that must stay whole numbers, with a bounded privacy loss.

    >>> import dplens as dl
    >>> f = dl.Geometric(scale=1.0).tradeoff()
    >>> print(f"{f.epsilon(0.0):.4f} {f.delta(0.0):.4f} {dl.ApproximateDP(epsilon=1.0).tradeoff().delta(0.0):.4f}")
    1.0000 0.4621 0.4621
    """

    scale: float = field(metadata=_validate.checked(_validate.positive))

    @property
    def epsilon(self) -> float:
        """sensitivity/scale: the pure-DP parameter."""
        return self.sensitivity / self.scale

    def _noise(self) -> LatticeNoise:
        return GeometricNoise(self.scale)

    def _forward(self) -> TradeOff:
        if self.sensitivity > _FEW:
            return super()._forward()
        return lattice_table(GeometricNoise(self.scale), self.sensitivity)


@register
@dataclass(frozen=True, kw_only=True)
class DiscreteGaussian(_Lattice):
    """Discrete Gaussian noise, P(k) ∝ e^{−k²/(2·sigma²)}, on an integer (Canonne, Kamath & Steinke 2020).

    Use it for tables of counts that must stay whole numbers, as a census publishes.

    >>> import dplens as dl
    >>> f = dl.DiscreteGaussian(sigma=2.0).tradeoff()
    >>> print(f"{f.epsilon(1e-5):.4f} {dl.Gaussian(sigma=2.0).tradeoff().epsilon(1e-5):.4f}")
    2.0113 1.9931
    """

    sigma: float = field(metadata=_validate.checked(_validate.positive))

    def _noise(self) -> LatticeNoise:
        return DiscreteNormalNoise(self.sigma)

    def _forward(self) -> TradeOff:
        if self.sigma > _SMOOTH:
            return GaussianCurve(quotient_above(self.sensitivity, self.sigma))
        return super()._forward()


@register
@dataclass(frozen=True, kw_only=True)
class Staircase(Noisy, Mechanism):
    """Staircase noise (Geng & Viswanath 2014), which has the least error of all pure-DP noise at ``epsilon``.

    gamma: the fraction of each step that is high. The default, 1/(1 + e^{epsilon/2}), minimises the mean absolute
    error. For a shift by the sensitivity, the privacy loss takes only the values −epsilon, 0 and epsilon;
    a smaller shift only moves mass to 0, so the sensitivity is the worst case.

    Use it for a single number if epsilon is fixed and large; for small epsilon Laplace noise is as good.

    >>> import dplens as dl
    >>> release = dl.Staircase(epsilon=1.0)
    >>> print(f"{release.tradeoff().epsilon(0.0):.4f} {dl.Advantage().of(release):.4f}")
    1.0000 0.4404
    """

    log_concave: ClassVar[bool] = False  # though the ratio at the full sensitivity is monotone
    epsilon: float = field(metadata=_validate.checked(_validate.positive))
    sensitivity: float = field(default=1.0, metadata=_validate.checked(_sensitivity))
    gamma: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "gamma", _validate.probability("gamma", self._share))

    def noise_law(self) -> StaircaseLaw:
        """The staircase density."""
        if not self.sensitivity < _WIDEST * self.epsilon:
            raise Undefined(f"The outputs of {self} lie farther apart than floats. Use a larger epsilon.")
        return StaircaseLaw(self.epsilon, self.sensitivity, self._share)

    @property
    def _share(self) -> float:
        return self.gamma if self.gamma is not None else 1 / (1 + math.exp(min(self.epsilon / 2, 700.0)))

    def _forward(self) -> TradeOff:
        # Shifted by the sensitivity, the treads at the ends of the first step overlap: the loss is epsilon on
        # the last min(gamma, 1 − gamma) of the step and beyond it, −epsilon by symmetry, and 0 in between.
        shrink, gamma = math.exp(-self.epsilon), self._share
        tread = StaircaseLaw(self.epsilon, 1.0, gamma).height  # in units of the sensitivity, which may be any float
        top = shrink * (tread * min(gamma, 1 - gamma) + 0.5)
        middle = tread * abs(1 - 2 * gamma) * (shrink if gamma <= 0.5 else 1.0)
        p = np.array([top, middle, tread * min(gamma, 1 - gamma) + 0.5])
        return PiecewiseCurve.from_pair(p, p[::-1].copy(), np.array([self.epsilon, 0.0, -self.epsilon]))

    def experiment(self, values: Any = None) -> Experiment:
        without_values(values, " for staircase noise: outputs are relative to H0")
        law = self.noise_law()
        return Experiment(self._forward(), ContinuousOutputs(law, ShiftedLaw(law, self.sensitivity), direction=1))
