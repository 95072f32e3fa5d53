"""Mechanisms with finitely many outputs, up to symmetry."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import Floats, TradeOff
from dplens.curves.finite.piecewise import PiecewiseCurve, revealing_curve
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.experiment import Experiment, FiniteOutputs, without_values
from dplens.registry import register


@dataclass(frozen=True, kw_only=True)
class FiniteMechanism(Mechanism):
    """Base of mechanisms given by two finite laws."""

    @abstractmethod
    def _laws(self) -> tuple[Floats, Floats, Floats]:
        """(p, q, log q/p) by outcome."""

    def _forward(self) -> TradeOff:
        return PiecewiseCurve.from_pair(*self._laws())

    def experiment(self, values: Any = None) -> Experiment:
        without_values(values, ": the outcomes carry no query value")
        return Experiment(self._forward(), FiniteOutputs(self._laws()[2]))


@register
@dataclass(frozen=True, kw_only=True)
class FinitePair(FiniteMechanism):
    """Any two finite output laws, by outcome: ``p`` without the target, ``q`` with it.

    Use it for any release whose outputs can be listed.

    >>> f = FinitePair(p=[0.75, 0.25], q=[0.25, 0.75]).tradeoff()
    >>> round(f.delta(0.0), 12)
    0.5
    """

    p: Sequence[float]
    q: Sequence[float]

    def __repr__(self) -> str:
        told = _validate.columns_shown({"p": self.p, "q": self.q})
        return f"FinitePair(neighbours={self.neighbours!r}, {told})"

    def __post_init__(self) -> None:
        super().__post_init__()
        p, q = _validate.law("p", self.p), _validate.law("q", self.q)
        if len(p) != len(q):
            raise _validate.reject("q", f"to have as many outcomes as p ({len(p)})", self.q)
        object.__setattr__(self, "p", tuple(p.tolist()))
        object.__setattr__(self, "q", tuple(q.tolist()))

    def _laws(self) -> tuple[Floats, Floats, Floats]:
        p, q = np.array(self.p), np.array(self.q)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # branches that are not taken
            ratio = q / p
            # the logarithm of the quotient keeps digits that a difference of large logarithms loses
            loss = np.where((ratio > 1e-300) & (ratio < 1e300), np.log(ratio), np.log(q) - np.log(p))
            # close to 1 the ratio keeps more digits in this form
            loss = np.where((p > 0) & (np.abs(q - p) < 0.5 * p), np.log1p((q - p) / p), loss)
        return p, q, loss

    def _forward(self) -> TradeOff:
        return PiecewiseCurve.from_pair(*self._laws(), loss_rounding=1e-15, input_rounding=6e-16, total_rounding=6e-16)


@register
@dataclass(frozen=True, kw_only=True)
class RandomizedResponse(FiniteMechanism):
    """Reports the truth with probability e^epsilon/(e^epsilon + categories − 1), else another category (Warner 1965).

    Outcomes are the categories. H0: the truth is 0; H1: it is 1. By symmetry every other pair gives the same curve.

    Use it for surveys and telemetry in which every person randomises their own answer.

    >>> import dplens as dl
    >>> coin = dl.RandomizedResponse(epsilon=1.0)
    >>> print(f"{coin.tradeoff()(0.1):.4f} {dl.Advantage().of(coin):.4f}")
    0.7282 0.4621
    """

    epsilon: float = field(metadata=_validate.checked(_validate.nonnegative))
    categories: int = field(default=2, metadata=_validate.checked(partial(_validate.count, minimum=2)))

    def _laws(self) -> tuple[Floats, Floats, Floats]:
        """For three kinds of outcome: the category of H0, that of H1, and all others, which carry no information."""
        others, shrink = self.categories - 2, math.exp(-self.epsilon)
        truth = 1 / (1 + (self.categories - 1) * shrink)
        p = np.array([truth, truth * shrink, truth * shrink * others])
        loss = np.array([-self.epsilon, self.epsilon, 0.0])
        kinds = slice(None) if others else slice(2)
        return p[kinds], p[[1, 0, 2]][kinds], loss[kinds]

    def experiment(self, values: Any = None) -> Experiment:
        known = super().experiment(values)
        return Experiment(known.curve, FiniteOutputs(self._laws()[2], self.categories))


@register
@dataclass(frozen=True, kw_only=True)
class UniformSampling(FiniteMechanism):
    """Releases a constant with probability e^−mu, else one of ``n`` records at random (Fondeville, Example 3).

    ``n`` includes the target. Outcomes for add/remove: 0 the constant, 1 another record, 2 the target's record;
    for replace: 0 any outcome the two worlds share, 1 the target's old record, 2 its new one. Catastrophic: a released
    record is proof.

    Use it for noise on a random sample of fixed size.

    >>> import dplens as dl
    >>> sampled = dl.UniformSampling(mu=1.0, n=5, neighbours="replace")
    >>> print(f"{sampled.tradeoff().power(0.0):.4f}", dl.failure_mode(sampled).value)
    0.1264 catastrophic
    """

    mu: float = field(metadata=_validate.checked(_validate.positive))
    n: int

    def __post_init__(self) -> None:
        super().__post_init__()
        least = 2 if self.neighbours == "add_remove" else 1
        remedy = "Without the target at least one record must remain." if least == 2 else ""
        object.__setattr__(self, "n", _validate.count("n", self.n, least, remedy))

    def _laws(self) -> tuple[Floats, Floats, Floats]:
        shown = -math.expm1(-self.mu)
        exposed = shown / self.n
        if self.neighbours == "replace":
            # 1 − exposed, as a sum without cancellation
            shared = (self.n - 1) / self.n + math.exp(-self.mu) / self.n
            p = np.array([shared, exposed, 0.0])
            q = np.array([shared, 0.0, exposed])
            return p, q, np.array([0.0, -math.inf, math.inf])
        constant, others = math.exp(-self.mu), shown * (self.n - 1) / self.n
        p = np.array([constant, shown, 0.0])
        q = np.array([constant, others, exposed])
        return p, q, np.array([0.0, math.log1p(-1 / self.n), math.inf])

    def _forward(self) -> TradeOff:
        p, q, loss = self._laws()
        if self.neighbours == "add_remove":
            return PiecewiseCurve.from_pair(p, q, loss, loss_rounding=1e-15, input_rounding=1e-15)
        shared = (self.n - 1 + Fraction(math.exp(-self.mu))) / self.n
        return revealing_curve(shared, Fraction(-math.expm1(-self.mu)) / self.n, 4.5e-16)
