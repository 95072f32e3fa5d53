"""Many (epsilon, delta) guarantees on one release, as other libraries report them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplens import _validate
from dplens.curves.base import TradeOff
from dplens.curves.finite.polygons import points_curve, profile_curve
from dplens.mechanisms.base import Mechanism
from dplens.numerics.sharing import cached_property
from dplens.registry import register

_UNEVEN = 1e-9  # how far rounded corners may deviate from a convex curve


@register
@dataclass(frozen=True, kw_only=True)
class PrivacyProfile(Mechanism):
    """A privacy profile known at some epsilons: (epsilons[i], deltas[i]) is guaranteed for every i.

    The curve is the worst one that satisfies them all. ``deltas_back``: the profile of absent against present, if
    ``deltas`` is only that of present against absent; compositions keep the two apart, which is tighter.
    ``origin`` describes the source of the numbers and appears in the certificate of every answer. ``samples``:
    the sampling scheme that the numbers assume, if known.

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
    named = [f"{k}={v!r}" if len(v) <= 12 else f"{k}=({v[0]:g}, …, {v[-1]:g}: {len(v)})" for k, v in columns.items()]
    return f"{type(release).__name__}(neighbours={release.neighbours!r}, {', '.join(named)}, origin={release.origin!r})"


@register
@dataclass(frozen=True, kw_only=True)
class TradeOffPoints(Mechanism):
    """A piecewise linear trade-off curve given by its corners: beta[i] = f(alpha[i]).

    Alphas run from 0 to 1; betas decrease and are convex. ``origin`` describes the source of the numbers.

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
