"""Hypotheses about a value rather than about presence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import Floats, TradeOff
from dplens.curves.derived.hull import both_directions
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Geometric, Staircase
from dplens.mechanisms.base import DIRECTIONS, as_curve
from dplens.mechanisms.experiment import ContinuousOutputs, Experiment, without_values
from dplens.mechanisms.noise import known_noise
from dplens.numerics.sharing import Shared, cached_property

_MOST = 10_000  # largest number of steps between the outermost values, for noise with steps
_WHOLE = (Geometric, DiscreteGaussian)


@dataclass(frozen=True, kw_only=True)
class ValueAbove(Shared):
    """The composite hypothesis "the value is above ``gamma``" against "it is not", for additive noise.

    ``values`` are the possible values of the released quantity, ``weights`` the attacker's prior beliefs in them (equal
    by default). Each hypothesis is the mixture of the output laws over its values. Like a mechanism it has a trade-off
    curve, so it works with every question and with ``Attack``; ``prior`` is the belief that the
    value is above gamma. Noise on whole numbers requires whole values.

    >>> import dplens as dl
    >>> h = dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5)
    >>> h.prior, round(dl.Advantage().of(h), 6)
    (0.5, 0.58517)
    """

    mechanism: Any
    values: Sequence[float]
    gamma: float
    weights: Sequence[float] | None = None

    def __repr__(self) -> str:
        told = _validate.columns_shown({"values": self.values, "weights": self.weights or ()})
        return f"ValueAbove(mechanism={self.mechanism!r}, {told}, gamma={self.gamma!r})"

    def __post_init__(self) -> None:
        values = _validate.as_array("values", self.values)
        if values.ndim != 1 or values.size < 2 or not np.isfinite(values).all():
            raise _validate.reject("values", "to be a list of at least two finite values", self.values)
        weights = (
            np.full(values.size, 1 / values.size) if self.weights is None else _validate.law("weights", self.weights)
        )
        if weights.shape != values.shape:
            raise _validate.reject("weights", f"to have one weight per value ({values.size})", self.weights)
        gamma = _validate.real("gamma", self.gamma, "to be finite", math.isfinite)
        above = values > gamma
        if not 0 < weights[above].sum() < 1:
            raise _validate.reject("gamma", "to have possible values on both sides", gamma)
        self._check_noise(values)
        for name, value in (("values", values), ("weights", weights)):
            object.__setattr__(self, name, tuple(value.tolist()))
        object.__setattr__(self, "gamma", gamma)

    @property
    def prior(self) -> float:
        """Pr(value > gamma) before the release."""
        return math.fsum(w for v, w in zip(self.values, self.weights or (), strict=True) if v > self.gamma)

    @cached_property
    def _noise(self) -> Any:
        return known_noise(self.mechanism)

    def _check_noise(self, values: Floats) -> None:
        if isinstance(self.mechanism, type):
            remedy = "Pass for instance dplens.Laplace(scale=1.0)."
            raise _validate.reject_type("mechanism", "to be a mechanism, not a class", self.mechanism, remedy)
        if self._noise is None:
            raise Undefined(f"{type(self.mechanism).__name__} adds no noise to a value. Use an additive mechanism.")
        far = float(np.ptp(values))
        if isinstance(self.mechanism, Staircase) and far > _MOST * self.mechanism.sensitivity:
            raise _validate.reject("values", f"to be at most {_MOST} sensitivities apart", self.values)
        if isinstance(self.mechanism, _WHOLE) and ((values != np.floor(values)).any() or far > _MOST):
            rule = f"to be whole numbers, at most {_MOST} apart, for noise on whole numbers"
            raise _validate.reject("values", rule, self.values)

    @cached_property
    def _known(self) -> Experiment:
        from dplens.correlated.views.outputs import mixture  # here: assessments check for this class, and rarely use it
        from dplens.correlated.views.pairs import MixturePair

        values, weights = np.array(self.values), np.array(self.weights)
        places = np.unique(values)
        masses = np.array([weights[values == place].sum() for place in places])
        sides = (np.where(side, masses, 0.0) for side in (places <= self.gamma, places > self.gamma))
        pair = MixturePair.of((self._noise,), places[:, None], *(side / side.sum() for side in sides))
        curve = pair.curve()
        if isinstance(self._noise, _WHOLE):
            return pair.experiment(curve)
        p, q = (mixture(self._noise.noise_law(), side) for side in pair.sides)
        return Experiment(curve, ContinuousOutputs(p, q, direction=int(self._noise.log_concave)))

    @cached_property
    def _curves(self) -> dict[str, TradeOff]:
        forward = as_curve(self._known.curve)
        return {"add": forward, "remove": forward.inverse(), "both": both_directions(forward)}

    def tradeoff(self, direction: str = "both") -> TradeOff:
        """The trade-off curve with H0 "at most gamma" (``"add"``), with H0 "above" (``"remove"``), or for both."""
        return self._curves[_validate.one_of("direction", direction, DIRECTIONS)]

    def experiment(self, values: Any = None) -> Experiment:
        """The outputs that the attacker observes (used by ``Attack``)."""
        without_values(values, ": the hypothesis has its own")
        return self._known
