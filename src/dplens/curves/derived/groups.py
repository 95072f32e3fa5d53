"""Curves for groups of records, and for mechanisms that sometimes fail completely."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeGuard

import numpy as np

from dplens import _validate
from dplens.curves.base import Floats, SymmetricCurve, TradeOff
from dplens.curves.closed.bounded import LaplaceCurve, LogisticCurve
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.derived.hull import both_directions
from dplens.curves.finite.closure import piecewise_group
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.curves.guarantees.renyi import RenyiCurve
from dplens.curves.readings.mu import moderate_mu, tightest_mu
from dplens.errors import InvalidValue
from dplens.estimate import Certificate
from dplens.numerics.enclosure import Bounds, Enclosure, multiple_above, opposed
from dplens.numerics.sharing import cached_property


def grouped(curve: TradeOff, size: int, most_steps: int = 16) -> TradeOff:
    """1 − (1 − f)^{∘size}: the curve for data sets that differ in ``size`` records.

    The path between the data sets may add and remove records, so the symmetric curve is iterated. Families closed
    under this (shift families with a monotone likelihood ratio) keep their closed form. A large group under rho-zCDP
    has size²·rho-zCDP (Bun & Steinke 2016, Proposition 27), a few percent looser than iteration but fast at any size.
    Any other curve is composed with itself one record at a time, for at most ``most_steps`` records.
    """
    if size == 1:
        return curve
    if isinstance(curve, GroupedCurve):
        return grouped(curve.base, curve.size * size)
    if isinstance(curve, RenyiCurve) and curve.rho is not None and size > most_steps // 2:
        rho = curve.rho * (1 + 4e-16) * float(min(size, 10**150)) ** 2  # rounded up
        if rho >= 1e290:  # its products with orders must not overflow
            raise _too_large(size)
        return RenyiCurve(rho=rho)
    if isinstance(curve, GaussianCurve):
        return GaussianCurve(multiple_above(curve.shift, size), said=curve.said)
    if isinstance(curve, LaplaceCurve):
        return LaplaceCurve(multiple_above(curve.epsilon0, size))
    if isinstance(curve, LogisticCurve):
        return LogisticCurve(multiple_above(curve.epsilon0, size))
    if isinstance(curve, PiecewiseCurve) and curve.lattice is not None:
        curve = curve.lattice
    if isinstance(curve, LatticeCurve):
        largest = 10**300  # larger integers are not representable as floats
        if curve.shift * size > largest:
            remedy = "No data set has so many records."
            raise _validate.reject("size", f"<= {largest // curve.shift:.0e} for this noise", size, remedy)
        return LatticeCurve(curve.noise, curve.shift * size)
    symmetric = both_directions(curve)
    if isinstance(symmetric, PiecewiseCurve):
        found = piecewise_group(symmetric, size)
        if found is None:
            raise _too_large(size)
        return found
    if size > most_steps:
        raise _too_large(size, most_steps)
    return GroupedCurve(symmetric, size)


def _too_large(size: int, most: int | None = None) -> InvalidValue:
    rule = "to be a smaller group for this curve" if most is None else f"<= {most} for this curve"
    remedy = (
        "Larger groups have closed forms under Gaussian, Laplace and geometric noise, pure guarantees and zCDP: bound "
        "the release by one of these first, for instance dl.GaussianDP(mu=dl.Mu().of(m).high).group(size)."
    )
    return _validate.reject("size", rule, size, remedy)


def _is_table(curve: TradeOff) -> TypeGuard[PiecewiseCurve]:
    """Whether masses and losses describe it completely."""
    return isinstance(curve, PiecewiseCurve) and not curve.parts and curve.lattice is None


def failing(curve: TradeOff, probability: float) -> TradeOff:
    """(1 − kappa)·f(alpha/(1 − kappa)), 0 from alpha = 1 − kappa on."""
    if probability == 0:
        return curve
    if _is_table(curve):
        keep, proof = 1 - probability, np.array([probability])
        none, worlds = np.zeros(1), np.array([math.inf, -math.inf])
        return replace(
            curve,
            p=np.concatenate([none, keep * curve.p, proof]),
            q=np.concatenate([proof, keep * curve.q, none]),
            loss=np.concatenate([worlds[:1], curve.loss, worlds[1:]]),
            input_rounding=curve.input_rounding + (4e-16 if any(np.isinf(curve.loss)) else 0.0),  # proofs are now sums
            rounding=curve.rounding + 1e-15,
        )
    return FailingCurve(curve, probability)


@dataclass(frozen=True)
class GroupedCurve(SymmetricCurve):
    """The ``size``-fold composition of 1 − f with itself, f symmetric. Sound for any f; symmetric."""

    base: TradeOff
    size: int

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.rounding * self.size * 4

    def _walked(self, upper: bool, alpha: Floats, co: Floats, steps: int) -> tuple[Floats, Floats]:
        """Power and beta after some steps, each with the same end of the power."""
        for _ in range(steps):
            power, beta = self.base.both_bounds(alpha, co)
            alpha, co = power.end(upper), beta.end(not upper)
        return alpha, co

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        power, beta = self.base.both_bounds(alpha, co)

        def walk(upper: bool) -> tuple[Floats, Floats]:
            return self._walked(upper, power.end(upper), beta.end(not upper), self.size - 1)

        return opposed(partial(walk, True), partial(walk, False))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        total = np.zeros_like(alpha)
        for _ in range(self.size):
            with np.errstate(invalid="ignore"):
                total = total + self.base._log_slope(alpha, co)
            alpha, co = self._walked(True, alpha, co, 1)
        return np.where(np.isnan(total), -math.inf, total)  # if one step is flat, so is the composition

    def _max_loss(self) -> tuple[float, float]:
        low, high = self.base._max_loss()
        return low * self.size * (1 - 4e-16), high if math.isinf(high) else multiple_above(high, self.size)

    def _power_at_zero(self) -> float:
        return self.infinity_mass().mid

    def infinity_mass(self) -> Bounds:
        return self._from_zero[0]

    def beta_at_zero(self) -> Bounds:
        return self._from_zero[1]

    @cached_property
    def _from_zero(self) -> tuple[Bounds, Bounds]:
        """Power and beta at false-positive rate 0."""
        mass, beta = self.base.infinity_mass(), self.base.beta_at_zero()
        ends = []
        for upper in (False, True):
            zero, rest = np.array([mass[upper]]), np.array([beta[not upper]])
            ends.append([float(rate[0]) for rate in self._walked(upper, zero, rest, self.size - 1 if zero > 0 else 0)])
        (low, missed), (high, least) = ends
        return Bounds(low, high), Bounds(least, missed)

    def renyi_upper(self, order: float) -> float:
        return self._divergence(order, self.size) if self.is_costly and math.isfinite(order) else math.inf

    def _divergence(self, order: float, size: int) -> float:
        """Upper bound on the divergence of a group from those of single records.

        The curve of a group belongs to laws P, R, Q with the same order of likelihood ratios, where T(R, Q) is the
        curve of all records but one and T(P, R) that of the last. Then D_a(Q‖P) is at most
        (a − 1/p)/(a − 1)·D_{pa}(Q‖R) + D_{q(a − 1/p)}(R‖P) with 1/p + 1/q = 1 (Mironov 2017, Proposition 11).
        This p is the best for Gaussian noise, with which the bound is tight. If the curve of a record covers several
        directions, its profile is at most the sum of theirs, and so is e^{(a − 1)·D_a} − 1.
        """
        order = max(order, 1 + 1e-6)  # divergences increase with the order
        if size == 1:
            most = [(order - 1) * part.renyi_bounds(order).hi for part in self.base._components()]
            return math.log1p(math.fsum(map(math.expm1, most))) / (order - 1) if max(most) < 700 else math.inf
        p = 1 + (order - 1) / (order * (size - 1))
        rest = order - 1 / p
        first, last = self._divergence(p * order, size - 1), self._divergence(rest * p / (p - 1), 1)
        return (rest / (order - 1) * first + last) * (1 + 1e-9)

    def _mu(self) -> tuple[float, float]:
        # if f ≥ G_mu, the curve of the group lies above G_{size·mu}
        bound = self.base._mu()[1] * self.size * (1 + 1e-15)
        if self.base.is_costly:
            return min(moderate_mu(self), bound), bound
        low, high = tightest_mu(self)
        return min(low, bound), min(high, bound)

    @property
    def _certificate(self) -> Certificate:
        inner = self.base.certificate
        widest = max(self.size * inner.tolerance, self.claimed_tolerance)
        return Certificate(inner.route, widest, "group curve: sound for any group, tight for shift families")


def without_failures(curve: TradeOff) -> tuple[TradeOff, float]:
    """The curve without the probability of a proof, which is equal in both worlds; and that probability."""
    if isinstance(curve, FailingCurve):
        base, kappa = without_failures(curve.base)
        return base, kappa + curve.kappa - kappa * curve.kappa
    if _is_table(curve):
        finite, kappa = np.isfinite(curve.loss), curve._power_at_zero()
        if 0 < kappa < 1 and curve.inverse() is curve:
            keep = 1 - kappa
            p, q, loss = curve.p[finite] / keep, curve.q[finite] / keep, curve.loss[finite]
            return replace(curve, p=p, q=q, loss=loss, input_rounding=curve.input_rounding + 2e-16), kappa
    return curve, 0.0


@dataclass(frozen=True)
class FailingCurve(TradeOff):
    """With probability ``kappa`` the hypothesis is revealed, otherwise the mechanism runs. Exact."""

    base: TradeOff
    kappa: float

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.base.rounding + 1e-15

    def _scaled(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        keep = 1 - self.kappa
        if keep == 0:
            return np.ones_like(alpha), np.zeros_like(co)
        lost = (1 - keep) - self.kappa  # the exact rounding error of 1 − kappa
        # whichever of alpha and 1 − alpha is exact
        left = np.where(alpha <= 0.5, (keep - alpha) + lost, co - self.kappa)
        return np.minimum(alpha / keep, 1.0), np.clip(left / keep, 0.0, 1.0)

    def _moved(self, sign: int, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """The same, moved up or down by its rounding error."""
        a, c = self._scaled(alpha, co)
        return np.minimum(a * (1 + sign * 6e-16), 1.0), np.minimum(c * (1 - sign * 6e-16), 1.0)

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        inner = Enclosure.spanning(*(self.base.power_bounds(*self._moved(sign, alpha, co)) for sign in (-1, 1)))
        return inner.rising(lambda end: self.kappa + (1 - self.kappa) * end).widened(1e-15)

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        inner = Enclosure.spanning(*(self.base.beta_bounds(*self._moved(sign, alpha, co)) for sign in (1, -1)))
        return inner.rising(lambda end: (1 - self.kappa) * end).widened(1e-15)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        inner = self.base.profile_bounds(epsilon)
        return inner.rising(lambda end: self.kappa + (1 - self.kappa) * end).widened(1e-15)

    def _solve_epsilon(self, delta: Floats) -> Enclosure:
        rest = np.maximum(delta - self.kappa, 0.0) / (1 - self.kappa)
        moved = (np.clip(rest * (1 + sign * 1e-15), 0.0, 1.0) for sign in (1, -1))
        return Enclosure.spanning(*map(self.base.epsilon_bounds, moved))

    def error_bounds(self, loss: Floats) -> Enclosure:
        return self.base.error_bounds(loss).rising(lambda end: (1 - self.kappa) * end).widened(1e-15)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        a, c = self._scaled(alpha, co)
        return np.where(c > 0, self.base._log_slope(a, c), -math.inf)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        keep = 1 - self.kappa
        alpha, co, power, beta = self.base._rates(loss)
        return keep * alpha, self.kappa + keep * co, self.kappa + keep * power, keep * beta

    def _mirrored(self) -> TradeOff:
        mirrored = self.base.inverse()
        return self if mirrored is self.base else FailingCurve(mirrored, self.kappa)

    def _symmetrised(self) -> TradeOff:
        # failures scale the profiles of both directions alike, so take the hull of the base
        return failing(both_directions(self.base), self.kappa)

    def _max_loss(self) -> tuple[float, float]:
        return self.base._max_loss()

    def _power_at_zero(self) -> float:
        return self.kappa + (1 - self.kappa) * self.base._power_at_zero()

    def infinity_mass(self) -> Bounds:
        low, high = (self.kappa + (1 - self.kappa) * end for end in self.base.infinity_mass())
        return Bounds(low * (1 - 4e-16), min(high * (1 + 4e-16), 1.0))

    def beta_at_zero(self) -> Bounds:
        if self.infinity_mass().hi <= 0.5:
            return super().beta_at_zero()
        low, high = ((1 - self.kappa) * end for end in self.base.beta_at_zero())
        return Bounds(low * (1 - 1e-15), min(high * (1 + 1e-15), 1.0))

    def _auc(self) -> tuple[float, float]:
        value, error = self.base._auc()
        keep = 1 - self.kappa
        return 1 - keep * keep * (1 - value), error

    def _components(self) -> tuple[TradeOff, ...]:
        return tuple(FailingCurve(c, self.kappa) if c is not self.base else self for c in self.base._components())

    def _enclose_renyi(self, order: float) -> Bounds:
        if order >= 1 or self.kappa == 1:
            return Bounds(math.inf, math.inf)
        low, high = (end + math.log1p(-self.kappa) / (order - 1) for end in self.base.renyi_bounds(order))
        return Bounds(low * (1 - 1e-15), high * (1 + 1e-15))

    @property
    def _certificate(self) -> Certificate:
        inner = self.base.certificate
        return replace(inner, tolerance=max(inner.tolerance, self.claimed_tolerance))
