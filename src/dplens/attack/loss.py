"""The privacy loss as a random variable under both hypotheses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import Floats, TradeOff, elementwise
from dplens.mechanisms.base import as_curve


@dataclass(frozen=True)
class LossLaw:
    """The law of l = log dQ/dP under one hypothesis, read from the curve T(P, Q).

    Under H0 the loss is log(−f'(U)) with U uniform; under H1 the uniform is the power (Dong, Roth & Su 2022, §2.4).
    Mass at −infinity (H0) or +infinity (H1) is possible: outputs that prove their world.
    """

    curve: TradeOff
    present: bool

    def cdf(self, loss: Any) -> Any:
        """P(l ≤ loss)."""
        return self._at(loss, 3 if self.present else 1)

    def sf(self, loss: Any) -> Any:
        """P(l > loss), with relative accuracy."""
        return self._at(loss, 2 if self.present else 0)

    def _at(self, loss: Any, which: int) -> Any:
        values = _validate.as_array("loss", loss)
        if np.isnan(values).any():
            raise _validate.reject("loss", "to hold no NaN", loss)
        return elementwise(lambda x: self._bounded(x, which), values, loss)

    def _bounded(self, loss: Floats, which: int) -> Floats:
        out = np.asarray(self.curve._rates(np.clip(loss, -1e300, 1e300))[which], dtype=float)
        if which in (0, 2):  # beyond every finite loss only the outputs that prove H1 remain
            certain = self.curve._power_at_zero() if self.present else 0.0
            return np.where(loss == math.inf, 0.0, np.where(loss >= self.curve._max_loss()[1], certain, out))
        return np.where(loss == math.inf, 1.0, out)

    def quantile(self, level: Any) -> Any:
        """The least x with P(l ≤ x) ≥ level."""
        return elementwise(self._quantiles, _validate.floats("level", level, "in [0, 1]", 0.0, 1.0), level)

    def _quantiles(self, level: Floats) -> Floats:
        # P(l ≤ x) = level: the tests above x accuse a share 1 − level of this world
        alpha, co = 1 - level, level
        if self.present:
            mirrored = self.curve.inverse()
            alpha, co = mirrored.bounded_beta(0, co, alpha), mirrored.bounded_power(0, co, alpha)
        at = self.curve._log_slope(np.clip(alpha, 1e-320, None), np.clip(co, 1e-320, None))
        certain = self.curve._power_at_zero() if self.present else 0.0
        return np.where(level > 1 - certain, math.inf, at)

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
    """The privacy loss l = log dQ/dP: its law under H0 (``h0``) and under H1 (``h1``).

    >>> import dplens as dl
    >>> law = dl.Attack(dl.Gaussian(sigma=1.0), fpr=0.05).privacy_loss
    >>> round(law.h0.mean, 9), round(law.h1.mean, 9), round(law.h1.variance, 9)
    (-0.5, 0.5, 1.0)
    """

    curve: TradeOff

    @classmethod
    def of(cls, source: Any) -> PrivacyLoss:
        """The privacy loss of a mechanism's or guarantee's curve."""
        return cls(as_curve(source))

    @property
    def h0(self) -> LossLaw:
        """The law when the target is absent."""
        return LossLaw(self.curve, present=False)

    @property
    def h1(self) -> LossLaw:
        """The law when the target is present."""
        return LossLaw(self.curve, present=True)
