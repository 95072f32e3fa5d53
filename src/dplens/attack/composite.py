"""Hypotheses about a value rather than about presence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens._numerics.laws import Law, MixtureLaw, ShiftedLaw
from dplens.curves.base import TradeOff
from dplens.curves.hull import both_directions
from dplens.curves.ratio import RatioCurve
from dplens.errors import Undefined
from dplens.mechanisms.experiment import ContinuousOutputs, Experiment


@dataclass(frozen=True, kw_only=True)
class ValueAbove:
    """The composite hypothesis "the value is above ``gamma``" against "it is not", for additive noise.

    ``values`` are the values the released quantity may have, ``weights`` the attacker's beliefs in them (by default
    equal). Each side is the mixture of the output laws over its values. It has a trade-off curve like a mechanism,
    so every question can be asked of it and ``Attack`` can hold its test; ``prior`` is the belief that the
    value is above gamma.

    >>> import dplens as dl
    >>> h = dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5)
    >>> h.prior, round(dl.Advantage().of(h), 6)
    (0.5, 0.58517)
    """

    mechanism: Any
    values: Sequence[float]
    gamma: float
    weights: Sequence[float] | None = None

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
        noise = getattr(self.mechanism, "noise_law", None)
        if not callable(noise) or isinstance(self.mechanism, type):
            raise Undefined(
                f"{type(self.mechanism).__name__} adds no continuous noise to a value. Use an additive mechanism."
            )
        for name, value in (("values", values), ("weights", weights)):
            object.__setattr__(self, name, tuple(value.tolist()))
        object.__setattr__(self, "gamma", gamma)

    @property
    def prior(self) -> float:
        """Pr(value > gamma) before the release."""
        return math.fsum(w for v, w in zip(self.values, self.weights or (), strict=True) if v > self.gamma)

    def _sides(self) -> tuple[Law, Law]:
        noise = self.mechanism.noise_law()
        pairs = [(v, w) for v, w in zip(self.values, self.weights or (), strict=True) if w > 0]
        return tuple(  # pyright: ignore[reportReturnType]
            _mixture(noise, [(v, w) for v, w in pairs if (v > self.gamma) is above]) for above in (False, True)
        )

    def tradeoff(self, direction: str = "both") -> TradeOff:
        """The curve: H0 "at most gamma" (``"add"``), its mirror image (``"remove"``), or both."""
        _validate.one_of("direction", direction, ("both", "add", "remove"))
        forward = RatioCurve(*self._sides())
        if direction == "both":
            return both_directions(forward)
        return forward if direction == "add" else forward.inverse()

    def experiment(self, values: Any = None) -> Experiment:
        """What the attacker observes (used by ``Attack``)."""
        if values is not None:
            raise _validate.reject("values", "to be left out: the hypothesis has its own", values)
        low, high = self._sides()
        return Experiment(RatioCurve(low, high), ContinuousOutputs(low, high, monotone=self.mechanism.log_concave))


def _mixture(noise: Law, pairs: list[tuple[float, float]]) -> Law:
    weights = np.array([w for _, w in pairs])
    parts = [ShiftedLaw(noise, v) for v, _ in pairs]
    return parts[0] if len(parts) == 1 else MixtureLaw(parts, weights / weights.sum())
