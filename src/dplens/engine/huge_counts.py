"""Compositions of more steps, or larger losses, than any route takes: enclosed by what is quickly known."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dplens._numerics.enclosure import Bounds
from dplens.curves.base import TradeOff
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.large_group import NO_PRIVACY
from dplens.engine.between import BetweenCurve

_MOST = 10**15  # steps beyond which no route goes one by one, and sums of counts lose digits
_FEW, _ENOUGH = 1000, 30.0  # so many of each, and a Gaussian shift so large, are no riskier than all of them
_LARGEST_SHIFT, _LARGEST_MU = 1e100, 1e150  # beyond, squares of them, with all that comes on top, are no floats
_SUMMED = 1e-14  # relative, of sums and roots

Steps = Sequence[tuple[TradeOff, int]]


@dataclass(frozen=True, eq=False)
class HugeComposition(BetweenCurve):
    """Between the composition of fewer steps and G_mu: a curve above G_mu stays so in company, where squares of mu add.

    Dong, Roth & Su 2022, Corollary 3.3. Where a step has no such mu everything may be told.
    """

    def _mirrored(self) -> TradeOff:
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        return HugeComposition(self.risky.inverse(), self.mild.inverse(), steps, self.route)

    def _max_loss(self) -> tuple[float, float]:
        most = _sum(step._max_loss()[1] * count for step, count in _floats(self.steps))
        return self.mild._max_loss()[0], most * (1 + _SUMMED)

    def _power_at_zero(self) -> float:
        return self.risky._power_at_zero()

    def _mu(self) -> tuple[float, float]:
        return min(self.mild._mu()[0], self.risky._mu()[1]), self.risky._mu()[1]

    def _renyi(self, order: float) -> float:
        return _sum(step._renyi(order) * count for step, count in _floats(self.steps))

    def renyi_bounds(self, order: float) -> Bounds:
        high = _sum(step.renyi_bounds(order).hi * count for step, count in _floats(self.steps)) * (1 + _SUMMED)
        return Bounds(self.mild.renyi_bounds(order).lo, high)


def is_beyond_routes(steps: Steps) -> bool:
    """Whether there are more steps, or larger losses, than any route takes."""
    if sum(count for _, count in steps) > _MOST:
        return True
    return any(isinstance(step, GaussianCurve) and step.shift > _LARGEST_SHIFT for step, _ in steps)


def enclosed(steps: Steps, composed: Callable[[Steps], TradeOff]) -> TradeOff:
    """The curve of very many steps, by the route that takes fewer of them."""
    mu = 0.0
    for step, count in steps:
        one = min(max(step._mu()[1], step.inverse()._mu()[1]), sys.float_info.max)
        mu = math.hypot(mu, one * (math.isqrt(count) + 1))
    mu *= 1 + _SUMMED
    mild = composed([(_mild(step), min(count, _FEW)) for step, count in steps])
    return HugeComposition(GaussianCurve(mu) if mu < _LARGEST_MU else NO_PRIVACY, mild, tuple(steps), "enclosure")


def _mild(step: TradeOff) -> TradeOff:
    return GaussianCurve(_ENOUGH) if isinstance(step, GaussianCurve) and step.shift > _ENOUGH else step


def _floats(steps: Steps) -> list[tuple[TradeOff, float]]:
    return [(step, float(min(count, int(sys.float_info.max)))) for step, count in steps]


def _sum(values: object) -> float:
    try:
        return math.fsum(values)  # pyright: ignore[reportArgumentType]
    except OverflowError:
        return math.inf
