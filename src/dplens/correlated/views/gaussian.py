"""One attacker on jointly Gaussian tuples: a shift of the query, hidden by unknown records and the noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.composition.routes import composed
from dplens.correlated.views.base import View
from dplens.correlated.views.bounds import no_information
from dplens.correlated.views.outputs import MixtureOutputs
from dplens.correlated.views.pairs import MixturePair
from dplens.correlated.views.queries import NoisyQueries
from dplens.curves.base import TradeOff
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.derived.hull import hull_of
from dplens.curves.finite.enclosed import EnclosedCurve, Ends
from dplens.curves.finite.ratio import RatioCurve
from dplens.curves.guarantees.supremum import SupremumCurve
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.additive import Gaussian, Laplace
from dplens.mechanisms.experiment import ContinuousOutputs, Experiment, Outputs, ProjectedOutputs
from dplens.mechanisms.noise_laws import NormalLaw
from dplens.numerics.enclosure import float_above, float_below
from dplens.numerics.laws.base import Law, ShiftedLaw
from dplens.numerics.laws.normal_laplace import NormalLaplaceLaw
from dplens.numerics.sharing import cached_property
from dplens.risk.conversions import Epsilon

_ROUNDING = 4e-15  # of mu, relative to the size of the terms it is computed from


def smoothed(mechanism: Any, sd: float) -> Law | None:
    """The law of the noise plus a normal unknown part with standard deviation ``sd``; None without a closed form."""
    if sd == 0:
        return mechanism.noise_law()
    if isinstance(mechanism, Laplace):
        return NormalLaplaceLaw(sd, mechanism.scale)
    return NormalLaw(math.hypot(sd, mechanism.sigma)) if isinstance(mechanism, Gaussian) else None


def one_curve(mechanism: Any, by: float, sd: float) -> TradeOff | None:
    """One release: a shift ``by`` hidden by its noise and the unknown part of the query; None without a closed form."""
    if sd <= 1e-12 * abs(by):  # hides nothing
        return replace(mechanism, sensitivity=abs(by)).tradeoff("add" if by > 0 else "remove")
    noise = smoothed(mechanism, sd)
    if noise is None or isinstance(noise, NormalLaw):
        return noise and GaussianCurve(abs(by) / noise.sigma)
    return RatioCurve.moved(noise, abs(by), (True, True), symmetric=True, log_concave=True)


@np.errstate(over="ignore", divide="ignore", invalid="ignore")  # almost no noise is rejected by the questions
def gaussian_curve(made: NoisyQueries, ends: tuple[Floats, Floats], root: Floats, vague: Floats) -> TradeOff:
    """Gaussian noise on every release: G_mu, with the error of mu that the ends of the shift and of ``root`` allow.

    mu is a distance, so it changes by no more than the shift does in units of the noise. mu² changes with the
    covariance of the tuples by uᵀ·error·u, where u = weights·axis (see :func:`_projected`) and |error| ≤ vague·vagueᵀ.
    """
    mechanisms, (least, most) = made.mechanisms, ends
    mu, axis, error = _projected(mechanisms, most, root)
    sigma = np.array([m.sigma for m in mechanisms])
    error += float(np.abs(axis @ made.linear) @ vague) ** 2 / (2 * mu) if mu > 0 else 0.0
    apart = float(np.linalg.norm((most - least) / sigma))
    if len(sigma) == 1:
        apart *= mu / max(abs(float(most[0])) / float(sigma[0]), 5e-324)  # mu is proportional to the shift
    return GaussianCurve(mu + error, least=max(mu - error - apart * (1 + _ROUNDING), 5e-324))


def several_curve(mechanisms: Sequence[Any], shift: Floats, root: Floats) -> TradeOff:
    """Releases with a common unknown part of covariance root·rootᵀ: exact if it is 0 or known, else enclosed.

    Upper bound on risk: an attacker who also sees the unknown part faces independent releases, and one who also sees
    the noise that is not Gaussian faces normal laws. Lower bound: one who sees a single release, in closed form.
    """
    spread = root @ root.T
    sd = np.sqrt(np.diag(spread))
    # a release that does not move with the target may still reveal something about the unknown part
    moving = [(m, float(s), float(x)) for m, s, x in zip(mechanisms, shift, sd) if s != 0]
    alone = [curve for one in moving if (curve := one_curve(*one)) is not None]
    if len(mechanisms) == len(alone) == 1:
        return alone[0]
    bare = [(curve, 1) for m, by, _ in moving if (curve := one_curve(m, by, 0.0)) is not None]
    independent = composed(bare) if len(bare) > 1 else bare[0][0]
    if not spread.any():
        return independent
    mu = hidden_mu(mechanisms, shift, spread)
    risky = SupremumCurve((independent, GaussianCurve(mu))) if math.isfinite(mu) else independent
    mild = hull_of(alone) if alone else no_information()
    # far out along the shift, the log-density under log-concave noise falls as steeply as without the normal part
    exact = all(m.log_concave for m, _, _ in moving)

    def ends(side: Callable[[TradeOff], TradeOff]) -> Ends:
        low, high = side(independent)._max_loss()
        if math.isinf(high) or side(independent).infinity_mass().hi > 0:
            low = high = math.inf
        least = low if exact else 0.0
        return Ends.between(side(risky), side(mild), (least, high))

    both = ends(lambda curve: curve), ends(lambda curve: curve.inverse())
    return EnclosedCurve(risky, mild, tuple(bare), "shared unknown part", both)


def _projected(mechanisms: Sequence[Any], shift: Floats, root: Floats) -> tuple[float, Floats, float]:
    """Gaussian noise everywhere: mu; axis = (root·rootᵀ + noise)⁻¹·shift, where mu² = shiftᵀ·axis; the error of mu.

    mu² is the minimum of |(shift − root·z)/sigma|² + |z|² over z, the residual of a projection. This stays exact if the
    unknown part is so large that rounding in the covariance would hide the noise.
    """
    sigma = np.array([m.sigma for m in mechanisms])
    if len(sigma) == 1:
        total = math.hypot(*root[0], float(sigma[0]))
        mu = abs(float(shift[0])) / total
        return mu, shift / total / total, _ROUNDING * mu
    scaled = root / sigma[:, None]
    basis = np.linalg.qr(np.concatenate([scaled, np.eye(root.shape[1])]))[0]
    left = np.concatenate([shift / sigma, np.zeros(root.shape[1])])
    for _ in range(2):  # the second pass removes what rounding leaves along the basis
        left = left - basis @ (basis.T @ left)
    mu = float(np.linalg.norm(left))
    hidden = np.linalg.norm(scaled) * np.linalg.norm(left[len(sigma) :])
    return mu, left[: len(sigma)] / sigma, _ROUNDING * float(mu + np.linalg.norm(shift / sigma) + hidden)


def hidden_mu(mechanisms: Sequence[Any], shift: Floats, spread: Floats, singular: float = 1e-9) -> float:
    """mu of the shift if hidden only by the unknown part and Gaussian noise; infinite if some direction is not hidden.

    Directions whose variance is below ``singular`` times the largest count as not hidden.
    """
    total = spread + np.diag([m.sigma**2 if isinstance(m, Gaussian) else 0.0 for m in mechanisms])
    sd = np.sqrt(np.maximum(np.diag(total), 0.0))
    if (shift[sd == 0] != 0).any():
        return math.inf
    some = sd > 0
    sd, total, shift = sd[some], total[np.ix_(some, some)], shift[some]
    values, axes = np.linalg.eigh(total / np.outer(sd, sd))
    along = axes.T @ (shift / sd)
    blurred = 1e-14 * math.sqrt(float(np.sum((shift / sd) ** 2)))
    hidden = values > singular * values[-1]
    if (np.abs(along[~hidden]) > blurred).any():
        return math.inf
    return math.sqrt(float(np.sum((np.abs(along[hidden]) + blurred) ** 2 / values[hidden]))) * (1 + 1e-6)


def several_outputs(mechanisms: Sequence[Any], mean: Floats, shift: Floats, root: Floats) -> Outputs:
    """The outputs of several releases, if the ratio of the densities is known."""
    law = NormalLaw(1.0)
    if not shift.any():  # no output reveals anything
        return ProjectedOutputs(law, law, 1, mean, np.zeros(len(mean)))
    if all(isinstance(m, Gaussian) for m in mechanisms):
        mu, axis, _ = _projected(mechanisms, shift, root)
        return ProjectedOutputs(law, ShiftedLaw(law, mu), 1, mean, np.asarray(axis / mu, dtype=float))
    if root.any():
        raise Undefined(
            "Tests on several releases of partly unknown Gaussian tuples require Gaussian noise on all of "
            "them. Use Gaussian noise, or look at each release by itself."
        )
    one, other = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    return MixtureOutputs(MixturePair(tuple(mechanisms), np.array([mean, mean + shift]), one, other))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GaussianView(View):
    """One attacker on Gaussian data; see :class:`View`.

    Given the target and the known tuples, the rest of the query is normal with covariance ``spread``; two values of the
    target ``width`` apart move it by ``shift``. Laplace noise: the leakage is Σ|shift|/scale over the releases, and the
    curve of one release is that of a shift of normal-Laplace noise, which is log-concave. Gaussian noise: exactly G_mu,
    mu² = shiftᵀ(spread + noise)⁻¹shift.
    """

    @property
    def _case(self) -> tuple[Floats, int, tuple[int, ...]]:
        return self.release.linear, self.target, tuple(sorted(self.known))

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        """The smallest and the largest size of the shifts that rounding allows."""
        data = self.model.as_data()
        response, error = data.response(*self._case)[0], data.response_error(*self._case)
        width = Fraction(float(self.model.width[self.target]))
        if self.pair:
            width = Fraction(self.pair[1]) - Fraction(self.pair[0])
        least, most = [], []
        for g, off in zip(response.tolist(), error.tolist()):
            sign = math.copysign(1.0, g) * math.copysign(1.0, width)
            size, doubt = abs(Fraction(g) * width), Fraction(off) * abs(width)
            least.append(sign * float_below(max(size - doubt, Fraction(0))))
            most.append(sign * float_above(size + doubt) if g else 0.0)
        return np.array(least), np.array(most)

    @property
    def shift(self) -> Floats:
        """The largest shift of the mean of each query between the two values."""
        return self._ends[1]

    @property
    def spread(self) -> Floats:
        """Covariance of the queries given the target and the known tuples."""
        return self.root @ self.root.T

    @cached_property
    def root(self) -> Floats:
        """A matrix B with B·Bᵀ = ``spread``."""
        return self.model.as_data().root(*self._case)

    @cached_property
    def _leakage(self) -> Estimate:
        shift, mechanisms = self.shift, self.release.mechanisms
        if not shift.any():
            return Estimate(0.0, low=0.0, high=0.0)
        if all(isinstance(m, Laplace) for m in mechanisms):
            # the log-density of the outputs has slopes up to 1/scale, attained far out along the shift
            least, value = (sum(abs(float(s)) / m.scale for s, m in zip(end, mechanisms)) for end in self._ends)
            return Estimate(value * (1 + 1e-14), low=max(least * (1 - 1e-13), 0.0), high=value * (1 + 1e-14))
        return Epsilon().of(self._both)

    @property
    def group_bound(self) -> float:
        """Infinite if any tuple is unknown: Gaussian tuples are not bounded."""
        unknown = self.model.n - 1 - len(self.known)
        return math.inf if unknown else float(self.leakage())

    def _forward(self) -> TradeOff:
        if not self.shift.any():
            return no_information()
        mechanisms, (least, most) = self.release.mechanisms, self._ends
        if all(isinstance(m, Gaussian) for m in mechanisms):
            error = self.model.as_data().covariance_error(*self._case[1:])
            return gaussian_curve(self.release, (least, most), self.root, error)
        risky = several_curve(mechanisms, most, self.root)
        if (np.abs(least) >= np.abs(most) * (1 - 1e-15)).all():
            return risky
        mild = several_curve(mechanisms, least, self.root) if least.any() else no_information()
        sides = (risky, mild), (risky.inverse(), mild.inverse())
        one, other = (Ends.between(*side, (side[1]._max_loss()[0], side[0]._max_loss()[1])) for side in sides)
        return EnclosedCurve(risky, mild, (), "shift", (one, other))

    @property
    def prior(self) -> float:
        first, second = self._settle("The prior belongs to a pair of values.")
        weights = self.release.linear
        data = self.model.as_data()
        mean = data.expected(weights, self.given or {})[len(weights) + self.target]
        variance = data.response(*self._case)[2]
        log_odds = ((first - mean) ** 2 - (second - mean) ** 2) / (2 * variance)
        return 1 / (1 + math.exp(min(-log_odds, 700.0)))

    def _experiment(self) -> Experiment:
        weights, first = self.release.linear, (self.pair or (0.0, 0.0))[0]
        mean = self.model.as_data().expected(weights, {**(self.given or {}), self.target: first})[: len(weights)]
        mechanism = self.release.single
        if mechanism is None:
            outputs = several_outputs(self.release.mechanisms, mean, self.shift, self.root)
            return Experiment(self._curve, outputs)
        noise = smoothed(mechanism, math.sqrt(max(float(self.spread[0, 0]), 0.0)))
        if noise is None:
            raise Undefined(
                "Outputs on partly unknown Gaussian tuples are judged for Laplace and Gaussian noise, where the law of "
                "the noise and the unknown tuples together is known. Use one of these, or name all others as known."
            )
        by = float(self.shift[0])
        first, second = ShiftedLaw(noise, float(mean[0])), ShiftedLaw(noise, float(mean[0]) + by)
        return Experiment(self._curve, ContinuousOutputs(first, second, direction=-1 if by < 0 else 1))
