"""Guarantees without a mechanism: the worst case that they allow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import TradeOff
from dplens.curves.closed.bounded import LogisticCurve
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.curves.finite.polygons import points_curve, profile_curve
from dplens.curves.guarantees.renyi import RenyiCurve
from dplens.mechanisms.base import Mechanism
from dplens.numerics.sharing import cached_property
from dplens.registry import register

_LEAST_RHO = 1e-15  # below this, rounding errors dominate the curve of a zCDP guarantee


def _rho(name: str, value: Any) -> float:
    rho = _validate.nonnegative(name, value)
    if 0 < rho < _LEAST_RHO:
        remedy = f"Use rho={_LEAST_RHO:g}: it is weaker, and neither is distinguishable from no release at all."
        raise _validate.reject(name, f"to be 0 or at least {_LEAST_RHO:g}", value, remedy)
    return rho


def approximate_dp_curve(epsilon: float, delta: float) -> PiecewiseCurve:
    """max{0, 1 − delta − e^eps·alpha, e^−eps·(1 − delta − alpha)}, as the pair of Kairouz, Oh & Viswanath (2017)."""
    if math.isinf(epsilon):
        epsilon, delta = 0.0, 1.0
    likely = 1 / (1 + math.exp(-epsilon))
    p = np.array([0.0, (1 - delta) * math.exp(-epsilon) * likely, (1 - delta) * likely, delta])
    loss = np.array([math.inf, epsilon, -epsilon, -math.inf])
    if delta == 0:
        p, loss = p[1:3], loss[1:3]
    elif delta == 1:
        p, loss = p[[0, 3]], loss[[0, 3]]
    return PiecewiseCurve(p, p[::-1].copy(), loss)


@register
@dataclass(frozen=True, kw_only=True)
class ApproximateDP(Mechanism):
    """An (epsilon, delta)-DP guarantee, with nothing else known. Catastrophic if delta > 0.

    Use it if only epsilon and delta are published. The release itself, if known, gives lower risks.

    >>> import dplens as dl
    >>> promise = dl.ApproximateDP(epsilon=1.0, delta=1e-5)
    >>> print(f"{promise.tradeoff()(0.05):.6f} {dl.Advantage().of(promise):.4f}", dl.failure_mode(promise).value)
    0.864076 0.4621 catastrophic
    """

    epsilon: float = field(metadata=_validate.checked(_validate.at_least_zero))
    delta: float = field(default=0.0, metadata=_validate.checked(_validate.probability))

    def _forward(self) -> TradeOff:
        return replace(approximate_dp_curve(self.epsilon, self.delta), note="the worst that the guarantee allows")


@register
@dataclass(frozen=True, kw_only=True)
class GaussianDP(Mechanism):
    """A mu-GDP guarantee: at least as hard to attack as the Gaussian mechanism with that mu (Dong, Roth & Su 2022).

    Use it if only mu is published.

    >>> import dplens as dl
    >>> print(f"{dl.GaussianDP(mu=1.0).tradeoff()(0.05):.4f} {dl.Epsilon(delta=1e-5).of(dl.GaussianDP(mu=1.0)):.4f}")
    0.7405 4.3772
    """

    mu: float = field(metadata=_validate.checked(_validate.nonnegative))

    def _forward(self) -> TradeOff:
        return GaussianCurve(self.mu, stated=True) if self.mu > 0 else approximate_dp_curve(0.0, 0.0)


@register
@dataclass(frozen=True, kw_only=True)
class RenyiDP(Mechanism):
    """Rényi DP: D_order ≤ epsilon in both directions, for each of the given orders ≥ 1 (Mironov 2017).

    The curve is the smallest beta that satisfies all binary Rényi inequalities, which is tighter than a conversion
    to one (epsilon, delta) pair.

    Use it if an accountant reports Rényi divergences.

    >>> import dplens as dl
    >>> promise = dl.RenyiDP(orders=[2.0, 4.0, 8.0], epsilons=[1.0, 2.0, 4.0])  # those of Gaussian noise with mu = 1
    >>> print(f"{promise.tradeoff()(0.05):.4f} {dl.GaussianDP(mu=1.0).tradeoff()(0.05):.4f}")
    0.6643 0.7405
    """

    orders: Sequence[float]
    epsilons: Sequence[float]

    def __repr__(self) -> str:
        told = _validate.columns_shown({"orders": self.orders, "epsilons": self.epsilons})
        return f"RenyiDP(neighbours={self.neighbours!r}, {told})"

    def __post_init__(self) -> None:
        super().__post_init__()
        orders = _validate.floats("orders", self.orders, ">= 1", 1.0, math.inf)
        epsilons = _validate.floats("epsilons", self.epsilons, ">= 0", 0.0, math.inf)
        if orders.ndim != 1 or orders.size == 0:
            raise _validate.reject("orders", "to be a non-empty list of orders", self.orders)
        if epsilons.shape != orders.shape:
            raise _validate.reject("epsilons", f"to have one bound per order ({orders.size})", self.epsilons)
        object.__setattr__(self, "orders", tuple(orders.tolist()))
        object.__setattr__(self, "epsilons", tuple(epsilons.tolist()))

    def _forward(self) -> TradeOff:
        known = [(a, e) for a, e in zip(self.orders, self.epsilons) if e < math.inf]
        if not known:
            return approximate_dp_curve(math.inf, 0.0)
        if any(e == 0 for _, e in known):
            return approximate_dp_curve(0.0, 0.0)
        return RenyiCurve(tuple(a for a, _ in known), tuple(e for _, e in known))


@register
@dataclass(frozen=True, kw_only=True)
class ZeroConcentratedDP(Mechanism):
    """A rho-zCDP guarantee: D_order ≤ rho·order for every order > 1 (Bun & Steinke 2016).

    Use it if only rho is published, as for the US Census of 2020.

    >>> import dplens as dl
    >>> print(f"{dl.ZeroConcentratedDP(rho=0.5).tradeoff().renyi(2.0):.4f}")
    1.0000
    """

    rho: float = field(metadata=_validate.checked(_rho))

    def _forward(self) -> TradeOff:
        return RenyiCurve(rho=self.rho) if self.rho > 0 else approximate_dp_curve(0.0, 0.0)


@register
@dataclass(frozen=True, kw_only=True)
class Exponential(Mechanism):
    """The exponential mechanism, or any other mechanism of bounded range ``epsilon``.

    Its privacy losses lie in an interval of length epsilon, which is stronger than epsilon-DP:
    f = (1 − alpha)/(1 + (e^epsilon − 1)·alpha), with advantage tanh(epsilon/4) (Durfee & Rogers 2019).
    Its Rényi divergence is that of the worst single mechanism, smaller than that of the curve, which covers all.

    Use it for the choice of one item from a list by a score, such as the best model or a private quantile.

    >>> import dplens as dl
    >>> choice, pure = dl.Exponential(epsilon=1.0), dl.ApproximateDP(epsilon=1.0)
    >>> print(f"{choice.tradeoff()(0.1):.4f} {dl.Advantage().of(choice):.4f} {dl.Advantage().of(pure):.4f}")
    0.7680 0.2449 0.4621
    """

    epsilon: float = field(metadata=_validate.checked(_validate.nonnegative))

    def _forward(self) -> TradeOff:
        return LogisticCurve(self.epsilon, bounded_range=True) if self.epsilon > 0 else approximate_dp_curve(0.0, 0.0)


_UNEVEN = 1e-9  # how far rounded corners may deviate from a convex curve


@register
@dataclass(frozen=True, kw_only=True)
class PrivacyProfile(Mechanism):
    """A privacy profile known at some epsilons: (epsilons[i], deltas[i]) is guaranteed for every i.

    The curve is the worst one that satisfies them all. ``deltas_back``: the profile of absent against present, if
    ``deltas`` is only that of present against absent; compositions keep the two apart, which is tighter.
    ``origin`` describes the source of the numbers and appears in the certificate of every answer. ``samples``:
    the sampling scheme that the numbers assume, if known.

    Use it if a library reports several pairs of epsilon and delta.

    >>> m = PrivacyProfile(epsilons=[0.0, 1.0, 2.0], deltas=[0.4, 0.1, 0.01])
    >>> round(m.tradeoff().delta(1.0), 12), round(m.tradeoff().epsilon(0.01), 9)
    (0.1, 2.0)
    """

    epsilons: Sequence[float]
    deltas: Sequence[float]
    origin: str = ""
    samples: str = ""
    deltas_back: Sequence[float] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        _validate.one_of("samples", self.samples, ("", "poisson", "without_replacement"))
        epsilons = _validate.floats("epsilons", self.epsilons, ">= 0 and finite", 0.0, 1e300)
        if epsilons.ndim != 1 or epsilons.size == 0:
            raise _validate.reject("epsilons", "to be a non-empty list", self.epsilons)
        order = np.argsort(epsilons, kind="stable")
        object.__setattr__(self, "epsilons", tuple(epsilons[order].tolist()))
        _validate.text("origin", self.origin)
        none = isinstance(self.deltas_back, (tuple, list)) and not self.deltas_back
        for name in ("deltas",) if none else ("deltas", "deltas_back"):
            deltas = _validate.floats(name, getattr(self, name), "in [0, 1]", 0.0, 1.0)
            if deltas.shape != epsilons.shape:
                raise _validate.reject(name, f"to have one value per epsilon ({epsilons.size})", getattr(self, name))
            object.__setattr__(self, name, tuple(deltas[order].tolist()))

    @cached_property
    def _both_directions(self) -> TradeOff:
        if not self.deltas_back:
            return self._one_direction
        # a guarantee at one epsilon holds for all larger ones
        falling = [np.minimum.accumulate(deltas) for deltas in (self.deltas, self.deltas_back)]
        return self._curve(np.max(falling, axis=0))

    def _forward(self) -> TradeOff:
        return self._curve(np.array(self.deltas), np.array(self.deltas_back) if self.deltas_back else None)

    def _curve(self, deltas: np.ndarray, back: np.ndarray | None = None) -> TradeOff:
        note = self.origin or "the worst that the profile allows"
        return profile_curve(np.array(self.epsilons), deltas, note, back)

    def __repr__(self) -> str:
        columns = {"epsilons": self.epsilons, "deltas": self.deltas, "deltas_back": self.deltas_back}
        return _shown(self, **columns)[:-1] + f", samples={self.samples!r})"


def _shown(release: PrivacyProfile | TradeOffPoints, **columns: Sequence[float]) -> str:
    """All numbers if there are few, otherwise their count."""
    told = _validate.columns_shown(columns)
    return f"{type(release).__name__}(neighbours={release.neighbours!r}, {told}, origin={release.origin!r})"


@register
@dataclass(frozen=True, kw_only=True)
class TradeOffPoints(Mechanism):
    """A piecewise linear trade-off curve given by its corners: beta[i] = f(alpha[i]).

    Alphas run from 0 to 1; betas decrease and are convex. ``origin`` describes the source of the numbers.

    Use it for a guarantee that is known at some error rates.

    >>> import dplens as dl
    >>> f = dl.TradeOffPoints(alphas=[0, 0.2, 1], betas=[1, 0.2, 0]).tradeoff()
    >>> print(f"{f(0.1):.4f} {f.delta(0.0):.4f}")
    0.6000 0.6000
    """

    alphas: Sequence[float]
    betas: Sequence[float]
    origin: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        _validate.text("origin", self.origin)
        x = _validate.floats("alphas", self.alphas, "in [0, 1]", 0.0, 1.0)
        y = _validate.floats("betas", self.betas, "in [0, 1]", 0.0, 1.0)
        if x.ndim != 1 or x.size < 2 or x[0] != 0 or x[-1] != 1 or (np.diff(x) <= 0).any():
            raise _validate.reject("alphas", "to rise from 0 to 1", self.alphas)
        if y.shape != x.shape or y[-1] != 0 or (np.diff(y) > 0).any():
            raise _validate.reject("betas", f"to fall to 0, one value per alpha ({x.size})", self.betas)
        chord = (y[:-2] * (x[2:] - x[1:-1]) + y[2:] * (x[1:-1] - x[:-2])) / (x[2:] - x[:-2])
        if (y[1:-1] - chord > _UNEVEN).any():
            raise _validate.reject("betas", "to be convex in alphas", self.betas, "No test's errors lie above a chord.")
        object.__setattr__(self, "alphas", tuple(x.tolist()))
        object.__setattr__(self, "betas", tuple(y.tolist()))

    def _forward(self) -> TradeOff:
        return points_curve(np.array(self.alphas), np.array(self.betas), self.origin)

    def __repr__(self) -> str:
        return _shown(self, alphas=self.alphas, betas=self.betas)
