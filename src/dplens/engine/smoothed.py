"""Compositions whose characteristic function does not fall off, with a little Gaussian loss added so that it does.

A hundred Laplace releases of a hundred small scales have neither few losses nor a density: no line over them ends, no
spline has few pieces. With one Gaussian release of a tiny mu = tau beside them lines end at t ≈ 8/tau. What that adds
is risk, so the upper ends stand; and it is known from the sum over the same line how little it can be.

With p_u the density under H0 of the loss plus N(−u/2, u), call_u(e) rises in u by ½·e^e·p_u(e) (the heat equation of
option prices). The kernel of p_u is at most √(U/u)·e^{U/8} times that of p_U for u ≤ U, wherever the masses are, so

    call_U(e) − U·e^{U/8}·e^e·p_U(e)  ≤  call(e)  ≤  call_U(e),   U = tau²,

atoms or not; with Gaussian loss mu < tau there already, U = tau² − mu² does. Floors are bounded from the other side by
the same, puts as calls of the two worlds exchanged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dplens.curves.base import TradeOff
from dplens.curves.profile_lines import imports_among
from dplens.engine.composition import Composition
from dplens.engine.curve import ContourCurve
from dplens.engine.laws import GaussianLoss
from dplens.estimate import Certificate

_FARTHEST = 1e6  # t at which a law's K is no dearer than near 0, or dearer beyond all bounds
_ALREADY = 1e2  # t at which most of the latter are, which is sooner known
_NODES, _WORK = 30_000, 1e7  # of a line, and elementary functions for all of them
_DEARER = 4.0  # times as dear far out: a law of which that is not known
_FEWEST = 300  # nodes below which other routes know more
_WIDE = 18.0  # nodes of a line times tau, in standard deviations
_GOAL = 1e-10
_LARGEST = 0.25


@dataclass(frozen=True, eq=False)
class SmoothedCurve(ContourCurve):
    """T(P, Q) of a composition, enclosed by that of the same with one Gaussian release more."""

    goal: float = _GOAL
    exact: Composition | None = None  # without it

    @property
    def _certificate(self) -> Certificate:
        low, high = (float(x[0]) for x in self._calls(np.zeros(1)))
        found = Certificate("smoothed", (high - low) / max(high, 1e-300) / 2, "width at epsilon 0")
        return imports_among(self.steps, found)

    def _max_loss(self) -> tuple[float, float]:
        top = max(self.exact.support[1], 0.0) if self.exact else math.inf
        return top * (1 - 1e-14), top * (1 + 1e-14)

    def _renyi(self, order: float) -> float:
        return math.fsum(count * step._renyi(order) for step, count in self.steps)  # without the Gaussian loss

    def _mirrored(self) -> TradeOff:
        if self.exact is None or self.exact.reversed is self.exact:
            return self
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        mirror = SmoothedCurve(self.composition.reversed, steps, self.otherwise, self.goal, self.exact.reversed)
        object.__setattr__(mirror, "_readings", self._readings.mirrored)
        return mirror


def smoothed(
    steps: Sequence[tuple[TradeOff, int]],
    comp: Composition,
    otherwise: Callable[[Sequence[tuple[TradeOff, int]]], TradeOff],
) -> SmoothedCurve | None:
    """The curve by this route; None where K takes long far out, there are too many different laws, or lines end anyway.

    Gaussian loss that is there already is raised to tau, not added to, so that no more of it is reported as less risk.
    """
    rest = tuple((law, count) for law, count in comp.terms if not isinstance(law, GaussianLoss))
    mu = comp.gaussian
    tau = _tau(Composition(rest)) if rest else None
    if tau is None or not mu < tau < _LARGEST:  # or nothing is left to hide
        return None
    more = math.sqrt((tau - mu) * (tau + mu))
    return SmoothedCurve(Composition((*rest, (GaussianLoss(tau), 1)), more), tuple(steps), otherwise, exact=comp)


def _tau(parts: Composition) -> float | None:
    """As little Gaussian loss as can be afforded."""
    if any(parts.dearest(2.0, t) > _DEARER * parts.dearest(2.0, 1.0) for t in (_ALREADY, _FARTHEST)):
        return None
    nodes = min(_NODES, _WORK / parts.line_cost(2.0, _FARTHEST, _NODES) * _NODES)
    return _WIDE * math.sqrt(parts.real(0.5)[2]) / nodes if nodes >= _FEWEST else None
