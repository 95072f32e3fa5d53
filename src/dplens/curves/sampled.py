"""Poisson sampling of one step: each record takes part with a given probability."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens._numerics import normal
from dplens._numerics.logits import from_logit
from dplens._numerics.search import sign_change
from dplens._numerics.sharing import cached_property
from dplens.curves.base import MILD, RISKY, Floats, TradeOff
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.kinks import has_kinks
from dplens.curves.laplace import LaplaceCurve
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.profile_mu import mu_from_profile
from dplens.curves.sampled_normal import sampled_normal_divergence, thinned
from dplens.errors import Undefined
from dplens.estimate import Certificate

_FAR = 600.0  # losses beyond are left to bounds on the base
# Beyond these, the losses of a sampled step leave the range in which it can be composed or integrated.
_LARGEST_SHIFT, _LARGEST_EPSILON = 22.0, 700.0


def sampled(curve: TradeOff, rate: float) -> TradeOff:
    """T(P, (1 − rate)·P + rate·Q) from T(P, Q): rate·f + (1 − rate)·(1 − alpha) (Dong, Roth & Su 2022, Section 4)."""
    if rate == 1:
        return curve
    if isinstance(curve, PiecewiseCurve):
        with np.errstate(over="ignore"):
            loss = thinned(curve.loss, rate)
        q = (1 - rate) * curve.p + rate * curve.q
        rounding = curve.loss_rounding + 4e-16
        return PiecewiseCurve.from_pair(curve.p, q, loss, rounding, curve.input_rounding + 1e-16, 0.0, **curve._origin)
    if (isinstance(curve, GaussianCurve) and curve.shift > _LARGEST_SHIFT) or (
        isinstance(curve, LaplaceCurve) and curve.epsilon0 > _LARGEST_EPSILON
    ):
        raise Undefined(
            "So little noise reveals whoever takes part, and its samples are not supported: Gaussian noise must be at "
            f"least 1/{_LARGEST_SHIFT:g} of the sensitivity, Laplace noise 1/{_LARGEST_EPSILON:g}. Add noise, or "
            "treat each sample as ApproximateDP(epsilon=0, delta=rate), which is no less risky."
        )
    if isinstance(curve, SampledCurve):  # a sample of a sample
        return SampledCurve(curve.base, curve.rate * rate)
    return SampledCurve(curve, rate)


def _restored(loss: Floats, rate: float) -> Floats:
    """The loss whose thinned value is given: log(1 + (e^loss − 1)/rate), −inf below what thinning can reach."""
    large = loss > 30
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.log1p(np.maximum(np.expm1(np.where(large, 0.0, loss)) / rate, -1.0))
        far = loss - math.log(rate) + np.log1p(-(1 - rate) * np.exp(-np.where(large, loss, 1.0)))
    return np.where(large, far, near)


@dataclass(frozen=True)
class SampledCurve(TradeOff):
    """Without the target: P. With it: P with probability 1 − rate, Q with probability rate. Exact."""

    base: TradeOff
    rate: float

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.rounding + 1e-15

    @property
    def certificate(self) -> Certificate:
        inner = self.base.certificate
        return Certificate(inner.route, 4 * max(inner.tolerance, self.claimed_tolerance), inner.note)

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self.rate * self.base._power(alpha, co) + (1 - self.rate) * alpha

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self.rate * self.base._beta(alpha, co) + (1 - self.rate) * co

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        power = self.rate * self.base.bounded_power(side, alpha, co) + (1 - self.rate) * alpha
        return power * (1 + side * 5e-16)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        beta = self.rate * self.base.bounded_beta(side, alpha, co) + (1 - self.rate) * co
        return beta * (1 - side * 5e-16)

    def _profile(self, epsilon: Floats) -> Floats:
        return self._profile_on(RISKY, epsilon)

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        # sup of rate·T + (1 − rate)·alpha − e^eps·alpha, a profile of the base again
        inner = _restored(epsilon, self.rate) * (1 - side * 1e-15)
        return self.rate * self.base.bounded_profile(side, inner) * (1 + side * 4e-16)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return thinned(self.base._log_slope(alpha, co), self.rate)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        alpha, co, power, beta = self.base._rates(_restored(loss, self.rate))
        q = self.rate
        return alpha, co, q * power + (1 - q) * alpha, q * beta + (1 - q) * co

    def _mirrored(self) -> TradeOff:
        return SampledMirror(self)

    def _mu(self) -> tuple[float, float]:
        return self._tightest_mu

    @cached_property
    def _tightest_mu(self) -> tuple[float, float]:
        low, high = self.base._mu()  # sampling only lowers the risk, but at the smallest alphas by less and less
        if isinstance(self.base, GaussianCurve):
            return low, high
        top = self._max_loss()[1]
        if not top < _FAR:
            return 0.0, high
        high = min(high, normal.pure_mu(top) * (1 + 1e-14))
        if has_kinks(self.base) or self.rate > 1 - 1e-12:
            return 0.0, high
        # bounded losses stay apart from those of the base at any alpha; a profile shows that at any rate
        found, bound = mu_from_profile(self, np.linspace(0.0, top, 400))
        return min(found, high), min(bound, high)

    def _max_loss(self) -> tuple[float, float]:
        low, high = (float(thinned(np.array([x]), self.rate)[0]) for x in self.base._max_loss())
        return low * (1 - 1e-15), high * (1 + 1e-15)

    def _power_at_zero(self) -> float:
        return self.rate * self.base._power_at_zero()

    def _renyi(self, order: float) -> float:
        return _divergence(self, order, forward=True)


@dataclass(frozen=True)
class SampledMirror(TradeOff):
    """The same two worlds exchanged: T((1 − rate)·P + rate·Q, P). Its losses stay below −log(1 − rate)."""

    forward: SampledCurve

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return 4 * self.forward.rounding

    @property
    def certificate(self) -> Certificate:
        return self.forward.certificate

    def _solve(self, side: int, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """(x, 1 − x) with forward(x) = alpha: this curve's beta and power.

        From alpha = forward(0) on nothing is missed: the other world's proofs are all that is left out.
        """
        f = self.forward

        def gap(logit: Floats) -> Floats:
            x, rest = from_logit(logit)
            with np.errstate(divide="ignore"):
                up = np.log(f.bounded_beta(side, x, rest)) - np.log(alpha)
                down = np.log(co) - np.log(f.bounded_power(side, x, rest))
            return np.where(alpha <= 0.5, up, down)

        edge = np.full_like(alpha, 740.0)
        positive, negative = sign_change(gap, -edge, edge, floor=1e-15)
        x, rest = from_logit(positive if side == RISKY else negative)
        none_missed = co <= f.proof(side)
        return np.where(none_missed, 0.0, x), np.where(none_missed, 1.0, rest)

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._solve(side, np.clip(alpha, 1e-320, 1.0), np.clip(co, 1e-320, 1.0))[1] * (1 + side * 4e-15)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._solve(side, np.clip(alpha, 1e-320, 1.0), np.clip(co, 1e-320, 1.0))[0] * (1 - side * 4e-15)

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self._power_on(RISKY, alpha, co)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self._beta_on(RISKY, alpha, co)

    def _profile(self, epsilon: Floats) -> Floats:
        return self._profile_on(RISKY, epsilon)

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        # sup of P(A) − e^eps·{(1 − q)·P(A) + q·Q(A)} = w·profile of P against Q, w = 1 − e^eps·(1 − q)
        q = self.forward.rate
        # the weight is a difference and carries the rounding of eps against its largest value; delta rises with it
        weight = -np.expm1(np.minimum(epsilon + math.log1p(-q), 0.0)) + side * 4e-16 * (1 + epsilon)
        out = np.zeros_like(epsilon)
        some = weight > 0
        inner = (epsilon[some] + math.log(q) - np.log(weight[some])) * (1 - side * 4e-15)
        out[some] = weight[some] * self.forward.base.inverse().bounded_profile(side, np.maximum(inner, 0.0))
        return out

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        x, rest = self._solve(RISKY, np.clip(alpha, 1e-320, 1.0), np.clip(co, 1e-320, 1.0))
        return -self.forward._log_slope(x, rest)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        alpha, co, power, beta = self.forward._rates(-loss)
        return beta, power, co, alpha

    def _mirrored(self) -> TradeOff:
        return self.forward

    def _mu(self) -> tuple[float, float]:
        return self.forward._mu()

    def _renyi(self, order: float) -> float:
        return _divergence(self.forward, order, forward=False)

    def _max_loss(self) -> tuple[float, float]:
        base = self.forward.base.inverse()
        if base._power_at_zero() > 0:
            top = -math.log1p(-self.forward.rate)
            return top * (1 - 1e-15), top * (1 + 1e-15)
        low, high = (-float(thinned(np.array([-x]), self.forward.rate)[0]) for x in base._max_loss())
        return low * (1 - 1e-15), high * (1 + 1e-15)

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        out = super().bounded_epsilon(side, delta)
        return np.minimum(out, self._max_loss()[1]) if side != MILD else out


def _divergence(curve: SampledCurve, order: float, forward: bool) -> float:
    """Rényi divergence of the two worlds, in one direction; a Gaussian base has a sum of its own, good at any order."""
    if isinstance(curve.base, GaussianCurve):
        found = sampled_normal_divergence(curve.base.shift, curve.rate, order, forward)
        if found is not None:
            return found
    from dplens.curves.divergence import renyi_from_curve

    return renyi_from_curve(curve, order, backward=not forward)
