"""Log-concave noise: the likelihood ratio is monotone and the curve is two special functions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens._numerics.laws import Law, ReflectedLaw, ShiftedLaw, interval_mass
from dplens.curves.base import Floats, TradeOff
from dplens.curves.ratio import RatioCurve
from dplens.estimate import Certificate


@dataclass(frozen=True, eq=False)
class ShiftCurve(RatioCurve):
    """f(alpha) = F(F⁻¹(1 − alpha) − shift) for noise with log-concave density and CDF F.

    Log-concavity makes the ratio monotone, so every threshold on the output is optimal, and makes a smaller
    shift no worse (Dong, Roth & Su 2022, Proposition A.3; Fondeville §2.2 with its misprint corrected).
    Accuracy is that of the law's own functions; both sides are moved by the rounding of the output as well.
    """

    shift: float = 0.0

    @classmethod
    def of(cls, noise: Law, shift: float, symmetric: bool, bounded: tuple[bool | None, bool | None]) -> ShiftCurve:
        return cls(noise, ShiftedLaw(noise, shift), symmetric, bounded, shift)

    @property
    def certificate(self) -> Certificate:
        return Certificate("shift", self.claimed_tolerance, "log-concave noise; as accurate as the law's own functions")

    def _output(self, alpha: Floats, co: Floats) -> Floats:
        """The output exceeded with probability alpha under H0, polished by a Newton step on the log of its tail."""
        low = alpha <= co
        tail = np.minimum(alpha, co)
        x = np.where(low, self.p.isf(np.minimum(alpha, 0.5)), self.p.ppf(np.minimum(co, 0.5)))
        with np.errstate(all="ignore"):
            reached = np.where(low, self._upper(x), self._lower(x))
            step = reached * (np.log(reached) - np.log(tail)) * np.exp(-self.p.logpdf(x))
        step = np.where(low, step, -step)
        return np.where(np.isfinite(step), x + step, x)

    def _upper(self, x: Floats) -> Floats:
        """P(noise > x), from the end of the support where it has one."""
        last = self.p.support()[1]
        return interval_mass(self.p, x, np.full_like(x, last)) if math.isfinite(last) else self.p.sf(x)

    def _lower(self, x: Floats) -> Floats:
        first = self.p.support()[0]
        return interval_mass(self.p, np.full_like(x, first), x) if math.isfinite(first) else self.p.cdf(x)

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self._upper(self._output(alpha, co) - self.shift)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self._lower(self._output(alpha, co) - self.shift)

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        x = self._output(alpha, co)
        return self._upper(x - self.shift) * (1 + side * self.rounding) + side * self._place(x)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        x = self._output(alpha, co)
        return self._lower(x - self.shift) * (1 - side * self.rounding) - side * self._place(x)

    def _place(self, x: Floats) -> Floats:
        """What the rounding of the output and of its distance to the shift can move: density times a few floats."""
        places = 4 * np.spacing(np.maximum(np.abs(x), self.shift))
        return np.nan_to_num(np.exp(self.p.logpdf(x - self.shift)) * places)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self._pieces.loss(self._output(alpha, co))

    def _mirrored(self) -> TradeOff:
        if self.symmetric:
            return self
        return ShiftCurve.of(ReflectedLaw(self.p), self.shift, False, (self.loss_bounded[1], self.loss_bounded[0]))
