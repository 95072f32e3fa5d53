"""One attacker on jointly Gaussian tuples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dplens import _validate
from dplens._numerics.laws import ShiftedLaw
from dplens._numerics.quotients import float_above, float_below
from dplens._numerics.sharing import cached_property
from dplens._validate import Floats
from dplens.correlated.bounds import nothing
from dplens.correlated.gaussian_releases import gaussian_curve, several_curve, several_outputs, together
from dplens.correlated.normal_noise import SearchedLaw, SmoothedLaw
from dplens.correlated.release import Release
from dplens.correlated.view import View
from dplens.curves.base import TradeOff
from dplens.curves.between import EnclosedCurve
from dplens.estimate import Estimate
from dplens.mechanisms.additive import Gaussian, Laplace
from dplens.mechanisms.experiment import ContinuousOutputs, Experiment

_CLOSE = 1e-15  # ends of a shift that are this close are one for curves that are less exact


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GaussianView(View):
    """One attacker on Gaussian data; see :class:`View`.

    Given the target and what he knows, the rest of the query is normal with covariance ``spread``; two values of the
    target ``width`` apart move it by ``shift``. Laplace noise: leakage Σ|shift|/scale over the releases; the curve of
    one is that of a shift of normal-Laplace noise, which is log-concave. Gaussian noise: exactly G_mu, mu² =
    shiftᵀ(spread + noise)⁻¹shift.
    """

    release: Release
    given: dict[int, float] | None

    @property
    def _asked(self) -> tuple[Floats, int, tuple[int, ...]]:
        return self.release.linear, self.target, tuple(sorted(self.known))

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        """The least and the most, in size, that the shifts can be: all that rounding left unsure of them."""
        follows, unsure = self.model.as_data().response(*self._asked)[0], self.model.as_data().unsure(*self._asked)
        width = Fraction(float(self.model.widths()[self.target]))
        if self.pair:
            width = Fraction(self.pair[1]) - Fraction(self.pair[0])
        least, most = [], []
        for g, off in zip(follows.tolist(), unsure.tolist()):
            sign = math.copysign(1.0, g) * math.copysign(1.0, width)
            size, doubt = abs(Fraction(g) * width), Fraction(off) * abs(width)
            least.append(sign * float_below(max(size - doubt, Fraction(0))))
            most.append(sign * float_above(size + doubt) if g else 0.0)
        return np.array(least), np.array(most)

    @property
    def shift(self) -> Floats:
        """How far the mean of each query moves between the two values, at most."""
        return self._ends[1]

    @property
    def spread(self) -> Floats:
        """Covariance of the queries given the target and what is known."""
        return self.root @ self.root.T

    @property
    def root(self) -> Floats:
        """``spread`` is its product with its mirror image."""
        return self._root

    @cached_property
    def _root(self) -> Floats:
        return self.model.as_data().root(*self._asked)

    @property
    def determined(self) -> bool:
        return False

    @cached_property
    def _leakage(self) -> Estimate:
        shift, mechanisms = self.shift, self.release.mechanisms
        if not shift.any():
            return Estimate(0.0, low=0.0, high=0.0)
        if all(isinstance(m, Laplace) for m in mechanisms):
            # each slope of the log-density of the outputs is at most 1/scale, and is that far out along the shift
            least, value = (sum(abs(float(s)) / m.scale for s, m in zip(end, mechanisms)) for end in self._ends)
            return Estimate(value * (1 + 1e-14), low=max(least * (1 - 1e-13), 0.0), high=value * (1 + 1e-14))
        curve = self._both
        low, high = (float(end[0]) for end in curve.epsilon_bounds(np.zeros(1)))
        return Estimate(high, low=min(low, high), high=high, certificate=lambda: curve.certificate)

    def leakage(self) -> Estimate:
        return self._leakage

    @property
    def group_bound(self) -> float:
        """Infinite: Gaussian tuples are not bounded, so an unknown one may be anywhere."""
        unknown = self.model.n - 1 - len(self.known)
        return math.inf if unknown else float(self.leakage())

    def _forward(self) -> TradeOff:
        if not self.shift.any():
            return nothing()
        mechanisms, (least, most) = self.release.mechanisms, self._ends
        if all(isinstance(m, Gaussian) for m in mechanisms):
            return gaussian_curve(self.release, (least, most), self.root, self.model.as_data().vague(*self._asked[1:]))
        risky = several_curve(mechanisms, most, self.root)
        if (np.abs(least) >= np.abs(most) * (1 - _CLOSE)).all():
            return risky
        mild = several_curve(mechanisms, least, self.root) if least.any() else nothing()
        return EnclosedCurve(risky, mild, (), "shift", (mild._max_loss()[0], risky._max_loss()[1]))

    @property
    def _settled(self) -> bool:
        return self.pair is not None and (not self.known or self.given is not None)

    @property
    def prior(self) -> float:
        if not self._settled or self.pair is None:
            raise self._refuse("The prior belongs to a pair of values.")
        weights = self.release.linear
        mean = self.model.as_data().expected(weights, self.given or {})[len(weights) + self.target]
        variance = self.model.as_data().response(weights, self.target, tuple(sorted(self.known)))[2]
        log_odds = ((self.pair[0] - mean) ** 2 - (self.pair[1] - mean) ** 2) / (2 * variance)
        return 1 / (1 + math.exp(min(-log_odds, 700.0)))

    def experiment(self, values: Any = None) -> Experiment:
        """The test of the pair's first value (H0) against its second (H1), on outputs as they are released."""
        if values is not None:
            raise _validate.reject("values", "to be left out: the view has its own", values)
        if not self._settled or self.pair is None:
            raise self._refuse("A test compares two values.")
        weights = self.release.linear
        mean = self.model.as_data().expected(weights, {**(self.given or {}), self.target: self.pair[0]})[: len(weights)]
        mechanism = self.release.single
        if mechanism is None:
            outputs = several_outputs(self.release.mechanisms, mean, self.shift, self.root)
            return Experiment(self._curve, outputs)
        noise = together(mechanism, math.sqrt(max(float(self.spread[0, 0]), 0.0)))
        if isinstance(noise, SmoothedLaw):
            noise = SearchedLaw(noise.noise, noise.sd)
        by = float(self.shift[0])
        first, second = ShiftedLaw(noise, float(mean[0])), ShiftedLaw(noise, float(mean[0]) + by)
        # where nothing moves, any threshold is as good as another
        return Experiment(self._curve, ContinuousOutputs(first, second, monotone=-1 if by < 0 else 1))
