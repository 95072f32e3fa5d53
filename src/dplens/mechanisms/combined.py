"""Mechanisms made from others."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from dplens import _validate
from dplens.curves.base import TradeOff
from dplens.curves.derived.hull import hull_of
from dplens.curves.guarantees.supremum import SupremumCurve
from dplens.mechanisms.additive import Additive
from dplens.mechanisms.base import Mechanism, as_curve, checked_mechanism
from dplens.mechanisms.experiment import Experiment
from dplens.mechanisms.noise import AdditiveNoise


@dataclass(frozen=True, kw_only=True)
class Grouped(Mechanism):
    """A release with its guarantee stated for groups of ``size`` records: 1 − (1 − f)^{∘size}."""

    _unobserved = "The curve of a group (group, as_replace) bounds every such release: it has no outputs of its own."
    mechanism: Mechanism = field(metadata=_validate.checked(checked_mechanism))
    size: int = field(metadata=_validate.checked(_validate.count))

    def _forward(self) -> TradeOff:
        return self.mechanism.tradeoff().group(self.size)

    def experiment(self, values: Any = None) -> Experiment:
        inner, size = self.mechanism, self.size
        while isinstance(inner, Grouped):
            inner, size = inner.mechanism, size * inner.size
        if isinstance(inner, Additive) or (isinstance(inner, AdditiveNoise) and inner.log_concave):
            return replace(inner, sensitivity=size * inner.sensitivity).experiment(values)
        return super().experiment(values)


@dataclass(frozen=True, kw_only=True)
class Failing(Mechanism):
    """A release that reveals the secret outright with the given probability: f → (1 − k)·f(alpha/(1 − k))."""

    _unobserved = "A release that may fail (fails_with) reveals an output or the secret itself, which share no scale."
    mechanism: Mechanism = field(metadata=_validate.checked(checked_mechanism))
    probability: float = field(metadata=_validate.checked(_validate.probability))

    def _forward(self) -> TradeOff:
        return self.mechanism.tradeoff("add").fails_with(self.probability)

    def _step(self) -> TradeOff:
        return self.mechanism._step().fails_with(self.probability)


def supremum(*guarantees: Any) -> TradeOff:
    """The curve of one mechanism that satisfies several guarantees at once: the best of them at every alpha.

    All must use the same neighbours: a guarantee for add-or-remove neighbours is weaker for replaced records.

    >>> import dplens as dl
    >>> f = dl.supremum(dl.ApproximateDP(epsilon=1.0), dl.GaussianDP(mu=0.5))
    >>> f(0.01) >= dl.GaussianDP(mu=0.5).tradeoff()(0.01)
    True
    """
    curves = _curves("guarantees", guarantees)
    return curves[0] if len(curves) == 1 else SupremumCurve(curves)


def infimum(*pairs: Any) -> TradeOff:
    """The curve when any of several pairs of laws may be the actual one: the lower convex hull of their curves.

    All must use the same neighbours, since a curve holds only for its own.

    >>> import dplens as dl
    >>> either = dl.infimum(dl.Laplace(scale=1.0), dl.Gaussian(sigma=1.0))  # at every rate, the worse of the two
    >>> print(f"{either(0.01):.4f} {either(0.3):.4f}")
    0.9076 0.3066
    """
    return hull_of(_curves("pairs", pairs))


def _curves(name: str, sources: tuple[Any, ...]) -> tuple[TradeOff, ...]:
    if not sources:
        raise _validate.reject(name, "to be at least one mechanism or curve", sources)
    curves = tuple(as_curve(source, f"{name}[{i}]") for i, source in enumerate(sources))
    if len({source.neighbours for source in sources if isinstance(source, Mechanism)}) > 1:
        remedy = "Use as_replace() on those for add-or-remove neighbours."
        raise _validate.reject(name, "to have the same neighbours", sources, remedy)
    return curves
