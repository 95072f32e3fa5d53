"""Tests with a known law: any law, or a parameter plus normal sampling error plus noise."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from dplens import _validate
from dplens._validate import Floats
from dplens.analyst.laws.noise import Noise, WholeNoise
from dplens.analyst.laws.published import normal_plus
from dplens.analyst.laws.tails import ShiftedTail, TailLaw, normal_laplace_tail, normal_tail
from dplens.analyst.tests.base import AnalystTest, IntervalEnd
from dplens.analyst.tests.results import Critical
from dplens.estimate import Certificate, Estimate
from dplens.numerics.laws import normal_laplace
from dplens.telling import Told


@dataclass(frozen=True, kw_only=True)
class KnownLawTest(AnalystTest):
    """Common base of tests of means, slopes and one proportion: tests the published number in other units."""

    @abstractmethod
    def _law(self, effect: float, noise: Noise) -> TailLaw:
        """The law of the tested number if the parameter is null + effect; stochastically increasing."""

    @abstractmethod
    def _tested(self, observed: float, noise: Noise) -> float:
        """The tested number of a published one."""

    @abstractmethod
    def _published(self, region: Critical, noise: Noise) -> Critical:
        """A critical region in units of the published number."""

    @abstractmethod
    def _limit(self, x: float, noise: Noise, share: float, sign: int) -> float:
        """The end of an interval: the last value, from outside, at which x still lies in a tail of ``share``."""

    def _observed(self, observed: Any, noise: Noise) -> float:
        return self._tested(_validate.real("observed", observed, "to be one finite number", math.isfinite), noise)

    def power(self, mechanism: Any = None, *, effect: float | None = None) -> Estimate:
        noise = self._noise(mechanism)
        at = self.effect if effect is None else _validate.real("effect", effect, "to be finite", math.isfinite)
        self._alternative_value(at)
        region, widest = self._remembered("region", mechanism, lambda: [self._region(noise, end) for end in (1, 0)])
        law = self._law(at, noise)
        low = high = 0.0
        for sign, bound, inner in ((+1, region.high, widest.high), (-1, region.low, widest.low)):
            if math.isfinite(bound):
                low += float(law.tail(np.array([bound]), sign)[0][0])
                high += float(law.tail(np.array([inner]), sign)[1][0]) if math.isfinite(inner) else 1.0
        return Estimate(min(low, 1.0), low=min(low, 1.0), high=min(high, 1.0), certificate=_certificate(law, low, high))

    def critical(self, mechanism: Any = None) -> Critical:
        noise = self._noise(mechanism)
        region = self._region(noise)
        found = self._published(region, noise)
        if self._law(0.0, noise).step is not None:
            return found
        low, high = found.low, found.high
        while math.isfinite(high) and self._tested(high, noise) < region.high:  # undo rounding in the change of units
            high = math.nextafter(high, math.inf)
        while math.isfinite(low) and self._tested(low, noise) > region.low:
            low = math.nextafter(low, -math.inf)
        return Critical(low=low, high=high)

    def p_value(self, observed: Any, mechanism: Any = None) -> Estimate:
        noise = self._noise(mechanism)
        x = np.array([self._observed(observed, noise)])
        law = self._law(0.0, noise)
        found = [law.tail(x, sign) for sign in self._sides]
        low, high = (min(1.0, len(found) * min(float(ends[i][0]) for ends in found)) for i in (0, 1))
        return Estimate(high, low=low, high=high, certificate=_certificate(law, low, high))

    def _ends_of(self, observed: Any, mechanism: Any, left: float, sides: int) -> tuple[IntervalEnd, Certificate]:
        noise = self._noise(mechanism)
        x, law = self._observed(observed, noise), self._law(0.0, noise)
        certificate = Certificate(law.route, law.width, law.note)
        return lambda sign: self._limit(x, noise, left / sides, sign), certificate

    def _region(self, noise: Noise, end: int = 1) -> Critical:
        """The region that is used, which keeps the level for certain; with ``end`` 0, a larger one that attains it."""
        law = self._law(0.0, noise)
        ends = {sign: law.quantile(self._share, sign, end) for sign in self._sides}
        return Critical(low=ends.get(-1, -math.inf), high=ends.get(+1, math.inf))


def _certificate(law: TailLaw, low: float, high: float) -> Certificate:
    width = 0.0 if high <= 0 else (high - low) / (2 * high)
    return Certificate(law.route, width, law.note)


@dataclass(frozen=True, kw_only=True)
class LocationTest(KnownLawTest):
    """Common base of tests of means, differences and slopes: T = parameter + N(0, s²) + noise."""

    @abstractmethod
    def _sampling_sd(self, n: Any = None) -> Any:
        """s, for the plan's n or for others."""

    @abstractmethod
    def _units(self, n: Any = None) -> Any:
        """Units of the published number per unit of the parameter."""

    def _limits(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def _model(self) -> str:
        return Told("assume-normal", **self._named())

    def _base(self, noise: Noise) -> TailLaw:
        """The law of sampling error plus noise, in units of the parameter."""
        return normal_plus(self._sampling_sd(), noise.scaled(1 / self._units()))

    # the tested number is the published one minus the null value, which avoids cancellation

    def _law(self, effect: float, noise: Noise) -> TailLaw:
        base = self._base(noise)
        if isinstance(noise, WholeNoise):
            return ShiftedTail(base, effect, 1 / self._units(), self.null)
        return ShiftedTail(base, effect) if effect else base

    def _tested(self, observed: float, noise: Noise) -> float:
        if isinstance(noise, WholeNoise) and observed != math.floor(observed):
            raise _validate.reject("observed", "to be a whole number, as the sum and its noise are", observed)
        return observed / self._units() - self.null

    def _published(self, region: Critical, noise: Noise) -> Critical:
        ends = [(end + self.null) * self._units() for end in (region.low, region.high)]
        if isinstance(noise, WholeNoise):
            ends = [float(np.rint(end)) for end in ends]
        return Critical(low=ends[0], high=ends[1])

    def _limit(self, x: float, noise: Noise, share: float, sign: int) -> float:
        base = self._base(noise)
        half = 0.5 / self._units() if isinstance(noise, WholeNoise) else 0.0
        return self.null + (x - (base.quantile(share, sign) + sign * half))

    def powers(
        self,
        family: str | None = None,
        noise: Any = 0.0,
        *,
        effect: Any = None,
        n: Any = None,
        level: Any = None,
    ) -> Floats:
        """Power of many designs at once: arrays of effects, sizes, levels and noises, broadcast against each other.

        family: ``"gaussian"`` (noise is sigma) or ``"laplace"`` (noise is scale); ``None`` for no noise. The other
        arguments default to the plan's values. Results are lower ends, reduced by the error of the formulas.

        >>> import dplens as dl
        >>> t = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01)
        >>> t.powers("gaussian", [0.01, 0.1], n=[[15], [100]]).round(4).tolist()
        [[0.769, 0.2591], [1.0, 0.3497]]
        """
        if family is not None:
            _validate.one_of("family", family, ("gaussian", "laplace"))
        most = float(np.finfo(float).max)
        e = _validate.floats("effect", self.effect if effect is None else effect, "finite", -most, most)
        size = _validate.floats("n", self.n if n is None else n, ">= 1 and finite", 1, most)
        chance = _validate.floats("level", self.level if level is None else level, "in (0, 1)", 1e-300, 1 - 1e-16)
        amounts = _validate.floats("noise", noise, ">= 0 and finite", 0.0, most)
        try:
            np.broadcast_shapes(e.shape, size.shape, chance.shape, amounts.shape)
        except ValueError:
            shapes = _validate.Shown(f"{amounts.shape}, {e.shape}, {size.shape}, {chance.shape}")
            remedy = "Arrays of different lengths need axes of their own: n[:, None]."
            rule = "to have shapes that fit together"
            raise _validate.reject("noise, effect, n and level", rule, shapes, remedy) from None
        wide = amounts / self._units(size)
        s = self._sampling_sd(size)
        share = chance / len(self._sides)
        if family == "laplace":
            s, wide = np.broadcast_arrays(s, wide)
            wide = np.maximum(wide, 1e-9 * s)  # less noise is numerically none
            law, c = normal_laplace_tail(s, wide), normal_laplace.upper_quantile(share, s, wide)
        else:
            sd, z = np.hypot(s, wide if family else 0.0 * wide), -ndtri(share)
            law, c = normal_tail(sd), (z + 4 * normal_laplace.EPS * np.abs(z)) * sd
        return np.sum([law.tail(c - sign * e, +1)[0] for sign in self._sides], axis=0)
