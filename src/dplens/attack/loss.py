"""The privacy loss as a random variable under both hypotheses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import Floats, TradeOff
from dplens.curves.continuous.ratio import RatioCurve
from dplens.curves.derived.groups import FailingCurve
from dplens.curves.finite.enclosed import EnclosedCurve
from dplens.losses.atoms import Atoms, atoms_of
from dplens.mechanisms.base import as_curve
from dplens.mechanisms.experiment import log_threshold
from dplens.numerics.enclosure import elementwise
from dplens.numerics.roots import sign_change

_BLUR = 1e-11  # relative difference up to which losses of a sorted ratio count as equal
_DIGIT = 2.3e-16
_LISTED = "enumeration", "lattice"  # routes that know every loss


@dataclass(frozen=True)
class LossLaw:
    """The distribution of l = log dQ/dP under one hypothesis, computed from the curve T(P, Q).

    Under H0 the loss is log(−f'(U)) with U uniform; under H1 the power is uniform (Dong, Roth & Su 2022, §2.4).
    Outputs that prove their world carry infinity mass: at −infinity under H0, at +infinity under H1.
    """

    curve: TradeOff
    present: bool

    def __post_init__(self) -> None:
        object.__setattr__(self, "curve", as_curve(self.curve, "curve"))
        if not isinstance(self.present, bool):
            raise _validate.reject_type("present", "to be True or False", self.present)

    def cdf(self, loss: Any) -> Any:
        """P(l ≤ loss)."""
        return self._at(loss, 0)

    def sf(self, loss: Any) -> Any:
        """P(l > loss), with relative accuracy."""
        return self._at(loss, 1)

    def _at(self, loss: Any, which: int) -> Any:
        values = _validate.as_array("loss", loss)
        if np.isnan(values).any():
            raise _validate.reject("loss", "to hold no NaN", loss)
        return elementwise(lambda x: self._both(x)[which], values, loss)

    def _both(self, loss: Floats) -> tuple[Floats, Floats]:
        """P(l ≤ loss) and P(l > loss)."""
        at = np.clip(loss, -1e300, 1e300)
        if isinstance(self.curve, RatioCurve):
            # on a plateau (the tails of Laplace noise) the last digits of the ratio fluctuate: count all of it
            wide = _BLUR * (1 + np.abs(at))
            at = np.where(self.curve.on_plateau(at, wide), at + 3 * wide, at)
        below, above = self._rates(at)
        # beyond every finite loss only the outputs that prove H1 remain
        certain = self.curve._power_at_zero() if self.present else 0.0
        top = loss >= self.curve._max_loss()[1]
        below, above = np.where(top, 1 - certain, below), np.where(top, certain, above)
        return np.where(loss == math.inf, 1.0, below), np.where(loss == math.inf, 0.0, above)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats]:
        rates = self.curve._rates(loss)
        below, above = (rates[3], rates[2]) if self.present else (rates[1], rates[0])
        # near 1, compute the complement of the small tail
        return np.where(above < 0.5, 1 - above, below), np.where(below < 0.5, 1 - below, above)

    def quantile(self, level: Any) -> Any:
        """The smallest x with P(l ≤ x) ≥ level, rounded up; at level 0, the smallest loss."""
        levels = _validate.floats("level", level, "in [0, 1]", 0.0, 1.0)
        return elementwise(lambda x: self._quantiles(x, 1 - x), levels, level)

    def _quantiles(self, level: Floats, rate: Floats) -> Floats:
        """The quantiles at a level, the complement of the rate at which the test that rejects above them rejects."""
        alpha, co = rate, level
        if self.present:
            mirrored = self.curve.inverse()
            alpha, co = mirrored.beta_bounds(co, alpha).lo, mirrored.power_bounds(co, alpha).hi
        at = log_threshold(self.curve, alpha, co)
        if isinstance(self.curve, RatioCurve):
            at = self._refined(at, level, rate)
        # if rounding left it too small: increase the last digits, then cross the step if there is one
        for step in (*(_DIGIT * 4.0**i for i in range(8)), math.nan):
            short = (at < math.inf) & (self._missing(at, level, rate) > 0)
            if not short.any():
                break
            if math.isnan(step):
                higher = log_threshold(self.curve, alpha[short] * (1 - 1e-14), co[short] + 1e-14 * alpha[short])
                at[short] = np.maximum(at[short], higher)
            else:
                movable = short & np.isfinite(at)
                at[movable] += step * (1 + np.abs(at[movable]))
        certain = self.curve._power_at_zero() if self.present else 0.0
        return np.where(level > 1 - certain, math.inf, at)

    def _missing(self, loss: Floats, level: Floats, rate: Floats, exact: bool = False) -> Floats:
        """level − P(l ≤ loss), from the smaller tail; ``exact``: without the correction for plateaus."""
        below, above = self._rates(loss) if exact else self._both(loss)
        return np.where(level <= 0.5, level - below, above - rate)

    def _refined(self, at: Floats, level: Floats, rate: Floats) -> Floats:
        """Interpolated quantiles refined by a search around them."""
        inner = np.isfinite(at) & (level > 0) & (rate > 0)
        x, want, rest = at[inner], level[inner], rate[inner]
        if not len(x):
            return at

        def missing(y: Floats) -> Floats:
            return self._missing(y, want, rest, exact=True)

        reach = 1e-9 * (1 + np.abs(x))
        low, high = x - reach, x + reach
        for _ in range(40):
            lower, higher = missing(low) <= 0, missing(high) > 0
            if not (lower.any() or higher.any()):
                break
            reach = 4 * reach
            low, high = np.where(lower, low - reach, low), np.where(higher, high + reach, high)
        found = sign_change(missing, low, high)[1]
        at = at.copy()
        # mass at minus infinity: there is no lower end, and none is needed
        at[inner] = np.where(missing(low) <= 0, -math.inf, np.where(missing(high) > 0, x, found))
        return at

    @property
    def mean(self) -> float:
        """E[l]; under H1 the Kullback–Leibler divergence of Q from P. Infinite where an output is proof."""
        if self._certain() > 0:
            return math.inf if self.present else -math.inf
        return self.curve._expect(lambda x: x, self.present)

    @property
    def variance(self) -> float:
        """Var[l]; infinite where an output is proof."""
        if self._certain() > 0:
            return math.inf
        mean = self.mean
        return self.curve._expect(lambda x: (x - mean) ** 2, self.present)

    def _certain(self) -> float:
        curve = self.curve if self.present else self.curve.inverse()
        return curve._power_at_zero()


@dataclass(frozen=True)
class PrivacyLoss:
    """The privacy loss l = log dQ/dP: its distributions under H0 (``h0``) and H1 (``h1``).

    >>> import dplens as dl
    >>> law = dl.Attack(dl.Gaussian(sigma=1.0), fpr=0.05).privacy_loss
    >>> round(law.h0.mean, 9), round(law.h1.mean, 9), round(law.h1.variance, 9)
    (-0.5, 0.5, 1.0)
    """

    curve: TradeOff

    def __post_init__(self) -> None:
        object.__setattr__(self, "curve", as_curve(self.curve, "curve"))

    @classmethod
    def of(cls, source: Any) -> PrivacyLoss:
        """The privacy loss of a mechanism's or guarantee's curve."""
        return cls(as_curve(source))

    @property
    def h0(self) -> LossLaw:
        """The distribution when the target is absent."""
        return LossLaw(self.curve, present=False)

    @property
    def h1(self) -> LossLaw:
        """The distribution when the target is present."""
        return LossLaw(self.curve, present=True)

    def atoms(self) -> Atoms | None:
        """Every loss with its masses, if there are finitely many and the curve lists them; else None."""
        return _atoms(self.curve)


def _atoms(curve: TradeOff) -> Atoms | None:
    if isinstance(curve, FailingCurve) and (inner := _atoms(curve.base)) is not None:
        keep = 1 - curve.kappa
        proofs = tuple(curve.kappa + keep * mass for mass in inner.infinity_masses)
        return Atoms(inner.loss, keep * inner.p, keep * inner.q, proofs)  # pyright: ignore[reportArgumentType]
    return atoms_of(curve.risky if isinstance(curve, EnclosedCurve) and curve.route in _LISTED else curve)
