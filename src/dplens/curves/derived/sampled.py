"""Poisson sampling of one step: each record is sampled independently with a given probability."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import lambertw, logsumexp

from dplens.curves.base import Floats, TradeOff
from dplens.curves.closed.bounded import LaplaceCurve, LogisticCurve
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.curves.readings.mu import tightest_mu
from dplens.curves.readings.renyi import known_renyi, renyi_from_curve
from dplens.errors import Undefined
from dplens.estimate import Certificate
from dplens.numerics.enclosure import Bounds, Enclosure, opposed
from dplens.numerics.logits import from_logit
from dplens.numerics.moments import divergence
from dplens.numerics.roots import sign_change
from dplens.numerics.sharing import latest


def sampled(curve: TradeOff, rate: float) -> TradeOff:
    """T(P, (1 − rate)·P + rate·Q) from T(P, Q): rate·f + (1 − rate)·(1 − alpha) (Dong, Roth & Su 2022, Section 4)."""
    if rate == 1:
        return curve
    if isinstance(curve, PiecewiseCurve):
        with np.errstate(over="ignore"):
            loss = thinned(curve.loss, rate)
        q = (1 - rate) * curve.p + rate * curve.q
        roundings = curve.loss_rounding + 4e-16, curve.input_rounding + 4e-16, curve.total_rounding
        known = {"rounding": curve.rounding + 1e-15, "route": curve.route, "note": curve.note}
        return PiecewiseCurve.from_pair(curve.p, q, loss, *roundings, **known)
    # beyond these, losses leave the range in which sampled steps can be composed or integrated
    largest_shift, largest_epsilon = 22.0, 700.0
    if (isinstance(curve, GaussianCurve) and curve.shift > largest_shift) or (
        isinstance(curve, LaplaceCurve) and curve.epsilon0 > largest_epsilon
    ):
        raise Undefined(
            "So little noise reveals every sampled record, which is not supported: Gaussian noise must be at "
            f"least 1/{largest_shift:g} of the sensitivity, Laplace noise 1/{largest_epsilon:g}. Add noise, or "
            "treat each sample as ApproximateDP(epsilon=0, delta=rate), which is no less risky."
        )
    if isinstance(curve, SampledCurve) and not curve.backward:  # a sample of a sample
        return SampledCurve(curve.base, curve.rate * rate)
    return SampledCurve(curve, rate)


def _restored(loss: Floats, rate: float) -> Floats:
    """The inverse of ``thinned``: log(1 + (e^loss − 1)/rate), −inf below the range of ``thinned``."""
    large = loss > 30
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.log1p(np.maximum(np.expm1(np.where(large, 0.0, loss)) / rate, -1.0))
        far = loss - math.log(rate) + np.log1p(-(1 - rate) * np.exp(-np.where(large, loss, 1.0)))
    return np.where(large, far, near)


@dataclass(frozen=True)
class SampledCurve(TradeOff):
    """Without the target: P. With it: P with probability 1 − rate, Q with probability rate. Exact.

    ``backward``: the two worlds exchanged, T((1 − rate)·P + rate·Q, P), whose losses stay below −log(1 − rate).
    """

    base: TradeOff
    rate: float
    backward: bool = False

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return (self.base.rounding + 1e-15) * (4 if self.backward else 1)

    @property
    def _certificate(self) -> Certificate:
        inner = self.base.certificate
        return replace(inner, tolerance=4 * max(inner.tolerance, self.claimed_tolerance))

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        if self.backward:
            return self._solved(alpha, co)
        power, beta = self.base.both_bounds(alpha, co)
        return self._thinned(power, alpha), self._thinned(beta, co)

    def _thinned(self, taking_part: Enclosure, staying_out: Floats) -> Enclosure:
        return taking_part.rising(lambda end: self.rate * end + (1 - self.rate) * staying_out).widened(5e-16)

    def _solved(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        """Power and beta backward; cached, as the slope is often read with them."""
        return latest(self, "_latest", (alpha.tobytes(), co.tobytes()), lambda: self._inverted(alpha, co))

    def _inverted(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        """Backward, beta is the x with forward(x) = alpha.

        From alpha = forward(0) on, beta is 0: the test accepts H0 only for outputs that prove it.
        """
        f, mass = self.inverse(), self.inverse().infinity_mass()
        # logits of beta, which is known at both ends
        least, most = np.where(alpha <= 0, 740.0, -740.0), np.where(co <= 0, -740.0, 740.0)
        alpha, co = np.clip(alpha, 1e-320, 1.0), np.clip(co, 1e-320, 1.0)

        def solve(risky: bool) -> tuple[Floats, Floats]:
            def gap(logit: Floats) -> Floats:
                power, beta = f.both_bounds(*from_logit(logit))
                with np.errstate(divide="ignore"):
                    up = np.log(beta.lo if risky else beta.hi) - np.log(alpha)
                    down = np.log(co) - np.log(power.hi if risky else power.lo)
                return np.where(alpha <= 0.5, up, down)

            positive, negative = sign_change(gap, least, most, floor=1e-15)
            x, rest = from_logit(positive if risky else negative)
            none_missed = co <= mass[risky]
            return np.where(none_missed, 1.0, rest), np.where(none_missed, 0.0, x)

        power, beta = opposed(lambda: solve(True), lambda: solve(False))
        loose = 4e-15 + 4e-16 * np.abs(np.log(np.minimum(alpha, co)))  # the logarithms are compared
        return power.widened(loose), beta.widened(loose)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        if self.backward:
            return self._backward_profile(epsilon)
        # sup of rate·T + (1 − rate)·alpha − e^eps·alpha, a profile of the base again
        inner = _restored(epsilon, self.rate)
        found = Enclosure.spanning(*(self.base.profile_bounds(inner * (1 + sign * 1e-15)) for sign in (1, -1)))
        return found.rising(lambda end: self.rate * end).widened(4e-16)

    def _backward_profile(self, epsilon: Floats) -> Enclosure:
        """sup of P(A) − e^eps·{(1 − q)·P(A) + q·Q(A)} = w·profile of P against Q, w = 1 − e^eps·(1 − q)."""
        q, base = self.rate, self.base.inverse()

        def end(sign: int, read: Callable[[Enclosure], Floats]) -> Floats:
            # the weight is a difference, with the rounding error of its largest term; delta increases with it
            weight = -np.expm1(np.minimum(epsilon + math.log1p(-q), 0.0)) + sign * 4e-16 * (1 + epsilon)
            out, some = np.zeros_like(epsilon), weight > 0
            inner = (epsilon[some] + math.log(q) - np.log(weight[some])) * (1 - sign * 4e-15)
            out[some] = weight[some] * read(base.profile_bounds(np.maximum(inner, 0.0)))
            return out

        return Enclosure(lambda: end(-1, lambda x: x.lo), lambda: end(+1, lambda x: x.hi))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        if self.backward:
            power, beta = self._solved(alpha, co)
            return -self.inverse()._log_slope(beta.lo, np.minimum(power.hi, 1.0))
        return thinned(self.base._log_slope(alpha, co), self.rate)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        if self.backward:
            alpha, co, power, beta = self.inverse()._rates(-loss)
            return beta, power, co, alpha
        alpha, co, power, beta = self.base._rates(_restored(loss, self.rate))
        q = self.rate
        return alpha, co, q * power + (1 - q) * alpha, q * beta + (1 - q) * co

    def _mirrored(self) -> TradeOff:
        return replace(self, backward=not self.backward)

    def _mu(self) -> tuple[float, float]:
        least, most = self.base._mu()  # sampling lowers the risk, but ever less at the smallest alphas
        if isinstance(self.base, GaussianCurve) or math.isinf(most):
            return least if math.isfinite(most) else 0.0, most
        low, high = tightest_mu(self)
        bounded = math.isfinite(self._max_loss()[1] + self.inverse()._max_loss()[1])
        return min(low, most), min(high, most) if bounded else most

    def _max_loss(self) -> tuple[float, float]:
        base, sign = (self.base.inverse(), -1) if self.backward else (self.base, 1)
        tops = (math.inf, math.inf) if self.backward and base._power_at_zero() > 0 else base._max_loss()
        low, high = (sign * float(thinned(np.array([sign * x]), self.rate)[0]) for x in tops)
        return low * (1 - 1e-15), high * (1 + 1e-15)

    def _power_at_zero(self) -> float:
        return 0.0 if self.backward else self.rate * self.base._power_at_zero()

    def _enclose_renyi(self, order: float) -> Bounds:
        if not isinstance(self.base, (GaussianCurve, LaplaceCurve, LogisticCurve)):
            return super()._enclose_renyi(order)
        found = None  # a Gaussian base has its own sum, accurate at any order
        if isinstance(self.base, GaussianCurve):
            found = sampled_normal_divergence(self.base.shift, self.rate, order, not self.backward)
        return known_renyi(self, order, renyi_from_curve(self, order) if found is None else found, 16 * self.rounding)


# ---- divergences of a sampled Gaussian step ---------------------------------------------------------------


def sampled_normal_divergence(mu: float, rate: float, order: float, forward: bool) -> float | None:
    """D_order of (1 − rate)·N(0, 1) + rate·N(mu, 1) from N(0, 1) if forward, else the reverse; None if too expensive.

    E e^{c·l} under N(0, 1), l = log(1 − rate + rate·e^{mu·x − mu²/2}), by the trapezoidal rule in x, with c = order
    forward and 1 − order backward. The integrand is analytic for |Im x| < π/mu. On the line Im x = d it is at most
    e^{d²/2} times its value on the axis if c ≥ 0, as |1 − rate + rate·e^{s + it}| is largest at t = 0; if c < 0, at
    most cos(mu·d/2)^c times that. So a step of 2πd/(42 + d²/2) has an error below e^−40 (Trefethen & Weideman 2014,
    Theorem 5.1).
    """
    x = _nodes(mu, rate, order if forward else 1 - order)
    if x is None:
        return None
    step = x[1] - x[0]
    loss = thinned(mu * x - mu * mu / 2, rate)
    log_p = -x * x / 2 + math.log(step) - 0.5 * math.log(2 * math.pi)
    if order > 1:
        moment = float(np.asarray(logsumexp(log_p + (order if forward else 1 - order) * loss)))
        if abs(moment) > 0.5:
            return moment / (order - 1)
    p, q = np.exp(log_p), np.exp(log_p + loss)
    return divergence(p, q, loss, order) if forward else divergence(q, p, -loss, order)


def _nodes(mu: float, rate: float, power: float, digits: float = 40.0, reach: float = 12.0) -> Floats | None:
    """Nodes for a sum with relative error e^−digits, up to ``reach`` standard deviations beyond the masses."""
    low, high, depth = 0.0, max(power, 1.0) * mu, min(3.0 / mu, 6.0)
    if power < 0:
        # at the peak x = power·mu·share, and the share of those sampled is at most odds·e^{mu·x − mu²/2}
        odds = rate / (1 - rate)
        low, high = -float(lambertw(-power * mu * mu * odds * math.exp(-mu * mu / 2)).real) / mu, mu
        depth = min(math.pi / 2 / mu, math.sqrt(8 / -power) / mu, 6.0)
    step = 2 * math.pi * depth / (digits + 2 + depth * depth / 2)
    count = (high - low + 2 * reach) / step if step > 0 else math.inf
    return low - reach + step * np.arange(math.ceil(count) + 1, dtype=np.float64) if count <= 2_000_000 else None


def thinned(loss: Floats, rate: float) -> Floats:
    """log(1 − rate + rate·e^loss), to relative accuracy near 0 and without overflow."""
    large = loss > 30
    if rate <= 0.5 and not large.any():
        return np.log1p(rate * np.expm1(loss))
    moved = rate * np.expm1(np.where(large, 0.0, loss))
    near = np.log1p(moved)
    if rate > 0.5:  # near −1 digits would cancel; 1 − rate is exact
        near = np.where(moved < -0.5, np.log((1 - rate) + rate * np.exp(np.minimum(loss, 0.0))), near)
    return np.where(
        large, loss + math.log(rate) + np.log1p((1 - rate) / rate * np.exp(-np.where(large, loss, 1.0))), near
    )
