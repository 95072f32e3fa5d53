"""The privacy loss as a random variable under both hypotheses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import Floats, TradeOff
from dplens.curves.derived.groups import FailingCurve
from dplens.curves.finite.enclosed import EnclosedCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.curves.finite.ratio import RatioCurve
from dplens.losses.atoms import Atoms, atoms_of
from dplens.mechanisms.base import as_curve
from dplens.numerics.enclosure import elementwise
from dplens.numerics.roots import sign_change
from dplens.registry import Presented, Result

_BLUR = 1e-11  # relative difference up to which losses of a sorted ratio count as equal
_LISTED = "enumeration", "lattice"  # routes that know every loss


@dataclass(frozen=True)
class LossLaw(Presented):
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
        """The smallest x with P(l ≤ x) ≥ level; at level 0, the smallest loss. On a grid, to within its spacing."""
        levels = _validate.floats("level", level, "in [0, 1]", 0.0, 1.0)
        return elementwise(lambda x: self._quantiles(x, 1 - x), levels, level)

    def _quantiles(self, level: Floats, rate: Floats) -> Floats:
        """The quantiles at a level, the complement of the rate at which the test that rejects above them rejects."""

        def missing(loss: Floats) -> Floats:
            """level − P(l ≤ loss), from the smaller tail."""
            below, above = self._rates(loss)
            return np.where(level <= 0.5, level - below, above - rate)

        mirrored, most, inner = self.curve.inverse(), 1e300, (level > 0) & (rate > 0)
        ends = -mirrored._max_loss()[1], self.curve._max_loss()[1]
        if isinstance(self.curve, PiecewiseCurve) and np.isfinite(self.curve.loss).any():
            finite = self.curve.loss[np.isfinite(self.curve.loss)]
            ends = float(finite.min()), float(finite.max())
        least, largest = np.clip(ends, -most, most)
        low, high = (np.full(level.shape, np.clip(at, least, largest)) for at in (-1.0, 1.0))
        for _ in range(600):  # until the quantile lies in between
            short, far = inner & (missing(high) > 0) & (high < largest), inner & (missing(low) <= 0) & (low > least)
            if not (short | far).any():
                break
            high = np.where(short, np.minimum(4 * high, largest), high)
            low = np.where(far, np.maximum(4 * low, least), low)
        found = sign_change(lambda loss: np.where(inner, missing(loss), 0.0), low, high, floor=1e-15)[1]
        found = np.where(inner, found, np.where(level > 0, ends[1], ends[0]))
        found = np.where(inner & (missing(low) <= 0), ends[0], np.where(inner & (missing(high) > 0), ends[1], found))
        if not self.present:  # outputs that prove H0
            proof = mirrored._power_at_zero()
            return np.where((level <= proof) & (proof > 0), -math.inf, found)
        return np.where(rate < self.curve._power_at_zero(), math.inf, found)

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
class PrivacyLoss(Result):
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
        curve = self.curve
        if isinstance(curve, FailingCurve) and (inner := PrivacyLoss(curve.base).atoms()) is not None:
            keep = 1 - curve.kappa
            proofs = tuple(curve.kappa + keep * mass for mass in inner.infinity_masses)
            return Atoms(inner.loss, keep * inner.p, keep * inner.q, proofs)  # pyright: ignore[reportArgumentType]
        return atoms_of(curve.risky if isinstance(curve, EnclosedCurve) and curve.route in _LISTED else curve)
