"""A curve known from both sides by two finite pairs of laws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplens._numerics.sharing import cached_property
from dplens.curves.base import MILD, RISKY, Floats, TradeOff
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.profile_lines import imports_among
from dplens.estimate import Certificate


@dataclass(frozen=True, eq=False)
class BracketCurve(TradeOff):
    """risky ≤ f ≤ mild, with what is known exactly besides: the steps, the extreme losses, the proofs.

    ``tops``: largest finite loss of either direction; ``proofs``: chance of an output that proves H1, and H0.
    """

    risky: PiecewiseCurve
    mild: PiecewiseCurve
    steps: tuple[tuple[TradeOff, int], ...]
    tops: tuple[float, float]
    proofs: tuple[float, float]
    route: str
    slack: float = 1e-13  # relative rounding of the masses

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.slack

    @property
    def certificate(self) -> Certificate:
        ends = [float(self.bounded_profile(side, np.zeros(1))[0]) for side in (1, -1)]
        width = (ends[0] - ends[1]) / max(ends[0], 1e-300) / 2
        note = "bracket of two finite laws; width at epsilon 0"
        return imports_among(self.steps, Certificate(self.route, max(width, self.slack, 1e-12), note))

    @property
    def input_rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.slack

    def _mu(self) -> tuple[float, float]:
        low, high = super()._mu()
        if not self.steps or max(self.proofs) > 0:
            return low, high
        # far out, where what is next to impossible was counted as a proof, the steps themselves know more
        from dplens.engine.summary import composed_mu

        bounds = composed_mu(self, (), self.steps)
        return (low, high) if high <= bounds[1] else bounds

    def _side(self, side: int) -> PiecewiseCurve:
        return self.mild if side == MILD else self.risky

    # Masses known with an error are all rounded up on the risky side, all down on the mild one. Counted from the steep
    # end that bounds the power, counted from the flat end it bounds beta; a mixture of both would bound nothing.

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        if self.risky is self.mild:  # masses known to rounding, each by itself
            return self.risky.bounded_power(side, alpha, co) * (1 + side * self.slack)
        side = side or RISKY  # nothing is known between the two
        power, beta = self._from_ends(side, alpha, co)
        power, rest = power * (1 + side * self.slack), 1 - beta * (1 - side * self.slack) + side * 2e-16
        power = np.minimum(power, rest) if side == RISKY else np.maximum(power, rest)
        if side == RISKY:  # whatever was lost at the ends of the table: no loss is larger than the largest
            power = np.minimum(power, (self.proofs[0] + math.exp(min(self.tops[0], 700.0)) * alpha) * (1 + 1e-13))
        return power

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        if self.risky is self.mild:
            return self.risky.bounded_beta(side, alpha, co) * (1 - side * self.slack)
        side = side or RISKY  # nothing is known between the two
        power, beta = self._from_ends(side, alpha, co)
        beta, rest = beta * (1 - side * self.slack), 1 - power * (1 + side * self.slack) - side * 2e-16
        beta = np.maximum(beta, rest) if side == RISKY else np.minimum(beta, rest)
        if side == RISKY:
            beta = np.maximum(beta, math.exp(-min(self.tops[1], 800.0)) * (co - self.proofs[1]) * (1 - 1e-13))
        return beta

    @cached_property
    def _sums(self) -> dict[int, tuple[Floats, Floats, Floats, Floats]]:
        """Partial sums of the masses as they are, not made to add up to 1: under H0, H1 from either end."""
        found = {}
        for side in (RISKY, MILD):
            curve = self._side(side)
            steep = [np.cumsum(m, dtype=np.longdouble).astype(float) for m in (curve.p, curve.q)]
            flat = [np.cumsum(m[::-1], dtype=np.longdouble).astype(float)[::-1] for m in (curve.p, curve.q)]
            sums = [np.append(0.0, x) for x in steep] + [np.append(x, 0.0) for x in flat]
            found[side] = (sums[0], sums[1], sums[2], sums[3])
        return found

    def _from_ends(self, side: int, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power counted from the steepest loss, beta from the flattest."""
        curve = self._side(side)
        reached, caught, left, missed = self._sums[side or RISKY]
        last = len(curve.p) - 1
        k = np.clip(np.searchsorted(reached, alpha, side="right") - 1, 0, last)
        power = caught[k] + curve._rise(k, alpha - reached[k])
        k = np.clip(len(curve.p) - np.searchsorted(left[::-1], co, side="left"), 0, last)
        beta = missed[k + 1] + curve._rise(k, co - left[k + 1])
        if side == MILD:
            beta = np.where(co > left[0], np.inf, beta)  # beyond what the masses rounded down add up to
        return power, beta

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self._power_on(RISKY, alpha, co)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self._beta_on(RISKY, alpha, co)

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        return self._side(side).bounded_profile(side, epsilon) * (1 + side * self.slack)

    def _profile(self, epsilon: Floats) -> Floats:
        return self._profile_on(RISKY, epsilon)

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        found = self._side(side).bounded_epsilon(side, delta * (1 - side * self.slack))
        top = self._max_loss()[1 if side == RISKY else 0]
        found = np.minimum(found, np.where(delta >= self.proof(side), top, math.inf))
        return np.where(delta < self.proof(side), math.inf, found)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return np.clip(self.risky._log_slope(alpha, co), -self.tops[1], self.tops[0])

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.risky._rates(loss)

    def _mirrored(self) -> TradeOff:
        if all(step.inverse() is step for step, _ in self.steps):  # then either side of it bounds both directions
            return self
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        risky, mild = self.risky.inverse(), self.mild.inverse()
        if not (isinstance(risky, PiecewiseCurve) and isinstance(mild, PiecewiseCurve)):  # pragma: no cover
            raise TypeError("the mirror image of a finite pair is one")
        tops, proofs = (self.tops[1], self.tops[0]), (self.proofs[1], self.proofs[0])
        return BracketCurve(risky, mild, steps, tops, proofs, self.route, self.slack)

    def _max_loss(self) -> tuple[float, float]:
        return self.tops[0] * (1 - 1e-14), self.tops[0] * (1 + 1e-14)

    def _power_at_zero(self) -> float:
        return self.proofs[0]

    def _auc(self) -> tuple[float, float]:
        high, low = self.risky._auc()[0], self.mild._auc()[0]
        return (high + low) / 2, (high - low) / 2 + self.slack

    def _renyi(self, order: float) -> float:
        return math.fsum(count * step._renyi(order) for step, count in self.steps)  # divergences add up


SIDES = (lambda curve: curve, lambda curve: curve.inverse())  # of a curve: itself, and with the worlds exchanged


def ends_of(steps: Sequence[tuple[TradeOff, int]]) -> tuple[tuple[float, float], tuple[float, float]]:
    """(largest finite loss of either direction, chance of a proof of H1 and of H0)."""
    tops = [math.fsum(count * side(curve)._max_loss()[1] for curve, count in steps) for side in SIDES]
    proofs = [
        -math.expm1(
            math.fsum(count * math.log1p(-min(side(curve)._power_at_zero(), 1 - 1e-16)) for curve, count in steps)
        )
        for side in SIDES
    ]
    return (tops[0], tops[1]), (proofs[0], proofs[1])
