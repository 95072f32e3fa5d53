"""The base class of mechanisms: a frozen description with a trade-off curve."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from dplens import _validate
from dplens.curves.base import TradeOff
from dplens.curves.derived.hull import both_directions
from dplens.curves.limits import guarded
from dplens.errors import Undefined
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import MECHANISMS, Discreet, Registry

if TYPE_CHECKING:
    from dplens.mechanisms.experiment import Experiment

NEIGHBOURS = ("add_remove", "replace")
DIRECTIONS = ("both", "add", "remove")


@dataclass(frozen=True, kw_only=True)
class Mechanism(Discreet, Shared, ABC):
    """Base class of releases: keyword-only, validated, immutable. The curve covers both directions of neighbours.

    neighbours: the relation its sensitivity refers to, ``"add_remove"`` (one record added or removed) or ``"replace"``.
    """

    registry: ClassVar[Registry] = MECHANISMS
    _hooks = ("as_additive", "log_concave", "log_likelihood", "noise_law")
    _unobserved: ClassVar[str] = ""  # why there are no single outputs to attack, if it is not a guarantee
    neighbours: str = "add_remove"

    def __post_init__(self) -> None:
        _validate.one_of("neighbours", self.neighbours, NEIGHBOURS)
        _validate.check_fields(self)

    @abstractmethod
    def _forward(self) -> TradeOff:
        """T(P, Q), where P is the output law without the target (H0) and Q the law with it (H1)."""

    @cached_property
    def _one_direction(self) -> TradeOff:
        curve = self._forward()
        if not isinstance(curve, TradeOff):
            name = type(self).__name__
            raise _validate.reject_type("_forward", f"to return a trade-off curve for {name}", curve)
        return curve

    @cached_property
    def _both_directions(self) -> TradeOff:
        return both_directions(self._one_direction)

    def tradeoff(
        self, direction: str = "both", *, tolerance: float | None = None, route: str | None = None
    ) -> TradeOff:
        """The trade-off curve.

        direction: ``"both"`` (default) is the guarantee; ``"add"`` is T(P, Q), the test of "absent" against
        "present"; ``"remove"`` is T(Q, P). A curve in one direction is not a guarantee by itself.
        tolerance: the largest error allowed in any reading (relative for power, beta and delta, absolute for epsilon);
        a less accurate reading raises ``ToleranceNotMet``. By default, check an answer's ``low`` and ``high`` instead.
        route: forces one method of composition, as in ``compose``.
        """
        if route is not None:
            from dplens.mechanisms.composed import compose

            return compose(self, route=route).tradeoff(direction, tolerance=tolerance)
        _validate.one_of("direction", direction, DIRECTIONS)
        if tolerance is not None:
            level = _validate.real("tolerance", tolerance, "in (0, 1)", lambda x: 0 < x < 1)
            made = {"both": both_directions, "add": lambda curve: curve, "remove": TradeOff.inverse}[direction]
            return guarded(made(self._one_direction.refined(level)), level)
        if direction == "both":
            return self._both_directions
        return self._one_direction if direction == "add" else self._one_direction.inverse()

    def group(self, size: int) -> Mechanism:
        """The release with its guarantee stated for groups of ``size`` records instead of one."""
        from dplens.mechanisms.combined import Grouped

        return Grouped(mechanism=self, size=size, neighbours=self.neighbours)

    def fails_with(self, probability: float) -> Mechanism:
        """The same release, which now reveals the secret outright with the given probability."""
        from dplens.mechanisms.combined import Failing

        return Failing(mechanism=self, probability=probability, neighbours=self.neighbours)

    def repeat(self, count: int) -> Mechanism:
        """The release repeated ``count`` times with fresh randomness; 0 repetitions give perfect privacy."""
        from dplens.mechanisms.composed import repeated

        return repeated(self, count)

    def subsample(self, rate: float, scheme: str = "poisson") -> Mechanism:
        """The release run on a random sample of the records.

        rate: the probability that a record is in the sample. scheme: ``"poisson"`` (records are sampled independently;
        for add-or-remove neighbours) or ``"without_replacement"`` (a fixed sample size; for replace-one neighbours).
        """
        from dplens.mechanisms.composed import Subsampled

        return Subsampled(mechanism=self, rate=rate, scheme=scheme, neighbours=self.neighbours)

    def _parts(self) -> tuple[tuple[Mechanism, int], ...]:
        """The single releases that make it up, each with its count."""
        return ((self, 1),)

    def _step(self) -> TradeOff:
        """T(P, Q) as one step of a composition: a pair that is worst whatever the earlier outputs were."""
        return self._one_direction

    def as_replace(self) -> Mechanism:
        """The same release for replace-one neighbours, as one removal and one addition (a group of 2)."""
        if self.neighbours == "replace":
            return self
        from dplens.mechanisms.combined import Grouped

        return Grouped(mechanism=self, size=2, neighbours="replace")

    def experiment(self, values: Any = None) -> Experiment:
        """The outputs an attacker can observe, with their laws in both worlds (used by ``Attack``)."""
        why = self._unobserved or f"{type(self).__name__} is a guarantee: it does not say which outputs are observed."
        raise Undefined(
            f"{why} Attack a single release, or read the law of the log-likelihood ratio: "
            "exp(dplens.PrivacyLoss.of(m).h0.quantile(1 - fpr)) is the threshold of the best test."
        )


def checked_mechanism(name: str, value: Any) -> Mechanism:
    """Return the value if it is a mechanism, else raise."""
    if not isinstance(value, Mechanism):
        raise _validate.reject_type(name, "to be a mechanism", value)
    return value


def as_curve(source: Any, name: str = "mechanism") -> TradeOff:
    """The trade-off curve of a curve, a mechanism, or anything else with a ``tradeoff()``."""
    method = getattr(source, "tradeoff", None)
    curve = method() if callable(method) and not isinstance(source, type) else None
    if not isinstance(curve, TradeOff):
        remedy = "Pass for instance dplens.Gaussian(sigma=2.0)."
        raise _validate.reject_type(name, "to be a mechanism or a trade-off curve", source, remedy)
    return curve
