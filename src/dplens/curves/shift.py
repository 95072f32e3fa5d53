"""Log-concave noise: the worst shift is the largest one, and the ratio rises with the output."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from dplens._numerics.enclosure import Enclosure
from dplens._numerics.laws import Law, ReflectedLaw, ShiftedLaw, sure_tails
from dplens._numerics.masses import interval_mass
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

    monotone: ClassVar[bool] = True

    @classmethod
    def of(cls, noise: Law, shift: float, symmetric: bool, bounded: tuple[bool | None, bool | None]) -> ShiftCurve:
        return cls(noise, ShiftedLaw(noise, shift), symmetric, bounded, shift)

    @property
    def _certificate(self) -> Certificate:
        return Certificate(
            "shift",
            self.claimed_tolerance,
            "log-concave noise: power and beta as accurate as the law's own functions, delta by cells",
        )

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return 1e-11

    def _output(self, alpha: Floats, co: Floats) -> Floats:
        """The output exceeded with probability alpha under H0."""
        return self._solved(alpha, co)[0]

    def _solved(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """That output, polished by Newton steps on the log of its tail, and how far off it may still be.

        One step is enough for quantiles that are good but for their last digits. Next to an end of the support
        some laws have only half of them.
        """
        low = alpha <= co
        tail = np.minimum(alpha, co)
        x = np.where(low, self.p.isf(np.minimum(alpha, 0.5)), self.p.ppf(np.minimum(co, 0.5)))
        ends = self.p.support()
        if not any(math.isfinite(end) for end in ends):
            return x + self._newton(x, low, tail), np.zeros_like(x)
        if sure_tails(self.p):
            x = np.clip(x, np.nextafter(ends[0], math.inf), np.nextafter(ends[1], -math.inf))
            step = self._newton(x, low, tail)
            return np.clip(x + step, *ends), np.zeros_like(x)
        step = np.zeros_like(x)
        for _ in range(12):
            # a quantile on the end itself has no tail to compare
            x = np.clip(x, np.nextafter(ends[0], math.inf), np.nextafter(ends[1], -math.inf))
            step = self._newton(x, low, tail)
            x = x + step
            if (np.abs(step) <= 2 * np.spacing(np.abs(x))).all():
                break
        return x, np.abs(step)

    def _newton(self, x: Floats, low: npt.NDArray[np.bool_], tail: Floats) -> Floats:
        with np.errstate(all="ignore"):
            reached = np.where(low, self._upper(x), self._lower(x))
            step = reached * (np.log(reached) - np.log(tail)) * np.exp(-self.p.logpdf(x))
        return np.where(np.isfinite(step), np.where(low, step, -step), 0.0)

    def _upper(self, x: Floats) -> Floats:
        """P(noise > x), from the end of the support where it has one."""
        last = self.p.support()[1]
        plain = math.isinf(last) or sure_tails(self.p)
        return self.p.sf(x) if plain else interval_mass(self.p, x, np.full_like(x, last))

    def _lower(self, x: Floats) -> Floats:
        first = self.p.support()[0]
        plain = math.isinf(first) or sure_tails(self.p)
        return self.p.cdf(x) if plain else interval_mass(self.p, np.full_like(x, first), x)

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        x, off = self._solved(alpha, co)
        place = self._place(x, off)
        power, beta = self._upper(x - self.shift), self._lower(x - self.shift)
        return Enclosure.around(power, self.rounding, place), Enclosure.around(beta, self.rounding, place)

    def _place(self, x: Floats, off: Floats) -> Floats:
        """What an output that is off, or rounded, can move: the density times that and a few floats."""
        places = 4 * np.spacing(np.maximum(np.abs(x), self.shift)) + off
        return np.nan_to_num(np.exp(self.p.logpdf(x - self.shift)) * places)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self._pieces.loss(self._output(alpha, co))

    def _mirrored(self) -> TradeOff:
        if self.symmetric:
            return self
        return ShiftCurve.of(ReflectedLaw(self.p), self.shift, False, (self.loss_bounded[1], self.loss_bounded[0]))
