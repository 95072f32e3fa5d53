"""One attacker on jointly Gaussian tuples: the shift of his query, hidden by unknown records and the noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.composition.routes import composed
from dplens.correlated.search.bounds import nothing
from dplens.correlated.views.axes import smoothed_axis
from dplens.correlated.views.base import View
from dplens.correlated.views.cells import cell_curve
from dplens.correlated.views.normal_noise import SmoothedLaw
from dplens.correlated.views.outputs import MixtureOutputs
from dplens.correlated.views.pairs import Pair
from dplens.correlated.views.release import Release
from dplens.curves.base import TradeOff
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.continuous.ratio import RatioCurve
from dplens.curves.derived.hull import hull_of
from dplens.curves.finite.enclosed import EnclosedCurve, Ends
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

_UNITS = 4e-15
_CLOSE = 1e-15  # ends of a shift that are this close are one for curves that are less exact
_NOTHING = 1e-12  # of a shift: an unknown part that small hides nothing
_SINGULAR = 1e-9  # of the largest eigenvalue: below, a direction counts as one in which nothing is hidden


def together(mechanism: Any, sd: float) -> Law:
    """The noise and a normal unknown part with standard deviation ``sd``, added up."""
    if sd == 0:
        return mechanism.noise_law()
    if isinstance(mechanism, Laplace):
        return NormalLaplaceLaw(sd, mechanism.scale)
    if isinstance(mechanism, Gaussian):
        return NormalLaw(math.hypot(sd, mechanism.sigma))
    if not mechanism.log_concave:
        raise Undefined(
            "Outputs on partly unknown Gaussian tuples are judged for log-concave noise, where a larger output always "
            "speaks for the larger value. Use Laplace, Gaussian or another log-concave law."
        )
    return SmoothedLaw(mechanism.noise_law(), sd)


def one_curve(mechanism: Any, by: float, sd: float) -> TradeOff:
    """One release: a shift ``by`` hidden by its noise and by what is unknown of the query."""
    if sd <= _NOTHING * abs(by):
        return replace(mechanism, sensitivity=abs(by)).tradeoff("add" if by > 0 else "remove")
    if not mechanism.log_concave:
        # more is known to who is told the unknown part, or the noise; that shifts below the largest may tell more is
        # part of the first of the two curves
        bare = replace(mechanism, sensitivity=abs(by)).tradeoff()
        risky = SupremumCurve((bare, GaussianCurve(abs(by) / sd)))
        ends = Ends.between(risky, nothing(), (0.0, bare._max_loss()[1]))
        return EnclosedCurve(risky, nothing(), ((bare, 1),), "shared unknown part", (ends, ends))
    noise = together(mechanism, sd)
    if isinstance(noise, SmoothedLaw):
        axis = smoothed_axis(mechanism, noise, np.array([0.0, by]))
        return cell_curve([axis], np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    if isinstance(noise, NormalLaw):
        return GaussianCurve(abs(by) / noise.sigma)
    return RatioCurve.moved(noise, abs(by), (True, True), symmetric=True, log_concave=True)


@np.errstate(over="ignore", divide="ignore", invalid="ignore")  # next to no noise: told where an answer is asked for
def gaussian_curve(made: Release, ends: tuple[Floats, Floats], root: Floats, vague: Floats) -> TradeOff:
    """Gaussian noise on every release: G_mu, mu between what the ends of the shift and the errors of ``root`` allow.

    mu is a distance, so no further apart than the ends are in units of the noise; mu² changes with the covariance of
    the tuples by uᵀ·error·u, u the weights times the inverse of the queries' covariance times the shift, and |error| ≤
    vague·vagueᵀ.
    """
    mechanisms, (least, most) = made.mechanisms, ends
    mu, axis, error = _along(mechanisms, most, root)
    sigma = np.array([m.sigma for m in mechanisms])
    error += float(np.abs(axis @ made.linear) @ vague) ** 2 / (2 * mu) if mu > 0 else 0.0
    apart = float(np.linalg.norm((most - least) / sigma))
    if len(sigma) == 1:
        apart *= mu / max(abs(float(most[0])) / float(sigma[0]), 5e-324)  # a share of the shift is one of mu
    return GaussianCurve(mu + error, least=max(mu - error - apart * (1 + _UNITS), 5e-324))


def several_curve(mechanisms: Sequence[Any], shift: Floats, root: Floats) -> TradeOff:
    """Several releases with one unknown part: exact where nothing is unknown, else enclosed.

    root·rootᵀ is the covariance of the unknown part.

    From the risky side: who is told the unknown part sees independent releases hidden by their noise alone; who is told
    the noise that is not Gaussian sees normal laws. Both know more than the attacker. From the mild side: who looks
    only at one of the releases knows less.
    """
    spread = root @ root.T
    sd = np.sqrt(np.diag(spread))
    if len(mechanisms) == 1:
        return one_curve(mechanisms[0], float(shift[0]), float(sd[0]))
    # a release that does not follow the target may still tell of the unknown part
    moved = [(m, float(s), float(x)) for m, s, x in zip(mechanisms, shift, sd) if s != 0]
    bare = [(one_curve(mechanism, by, 0.0), 1) for mechanism, by, _ in moved]
    independent = composed(bare)
    if not spread.any():
        return independent
    told_noise = hidden_mu(mechanisms, shift, spread)
    finite = math.isfinite(told_noise)
    risky = SupremumCurve((independent, GaussianCurve(told_noise))) if finite else independent
    mild = hull_of([one_curve(*one) for one in moved])
    # far out along the shift the log-density of log-concave noise falls as steeply as it does without what is normal
    exact = all(m.log_concave for m, _, _ in moved)

    def ends(side: Callable[[TradeOff], TradeOff]) -> Ends:
        low, high = side(independent)._max_loss()
        least = (high if math.isinf(high) else low) if exact else 0.0
        return Ends.between(side(risky), side(mild), (least, high))

    both = ends(lambda curve: curve), ends(lambda curve: curve.inverse())
    return EnclosedCurve(risky, mild, tuple(bare), "shared unknown part", both)


def _along(mechanisms: Sequence[Any], shift: Floats, root: Floats) -> tuple[float, Floats, float]:
    """Gaussian noise everywhere: mu, mu² = shiftᵀ(root·rootᵀ + noise)⁻¹shift; that inverse times the shift; rounding.

    mu² is the least |(shift − root·z)/sigma|² + |z|²: what is left of a projection, which stays exact where the unknown
    part is so large that beside it rounding would hide the noise.
    """
    sigma = np.array([m.sigma for m in mechanisms])
    if len(sigma) == 1:
        total = math.hypot(*root[0], float(sigma[0]))
        mu = abs(float(shift[0])) / total
        return mu, shift / total / total, _UNITS * mu
    scaled = root / sigma[:, None]
    basis = np.linalg.qr(np.concatenate([scaled, np.eye(root.shape[1])]))[0]
    left = np.concatenate([shift / sigma, np.zeros(root.shape[1])])
    for _ in range(2):  # once more for what rounding leaves along the basis
        left = left - basis @ (basis.T @ left)
    mu = float(np.linalg.norm(left))
    hidden = np.linalg.norm(scaled) * np.linalg.norm(left[len(sigma) :])
    size = mu + float(np.linalg.norm(shift / sigma) + hidden)
    return mu, left[: len(sigma)] / sigma, _UNITS * size


def hidden_mu(mechanisms: Sequence[Any], shift: Floats, spread: Floats) -> float:
    """mu of the shift where only the unknown part and Gaussian noise hide it; infinite where nothing does."""
    total = spread + np.diag([m.sigma**2 if isinstance(m, Gaussian) else 0.0 for m in mechanisms])
    # in directions without variance the shift must vanish; those with little are told apart from them by rounding only
    sd = np.sqrt(np.maximum(np.diag(total), 0.0))
    if (shift[sd == 0] != 0).any():
        return math.inf
    some = sd > 0
    sd, total, shift = sd[some], total[np.ix_(some, some)], shift[some]
    values, axes = np.linalg.eigh(total / np.outer(sd, sd))
    along = axes.T @ (shift / sd)
    blurred = 1e-14 * math.sqrt(float(np.sum((shift / sd) ** 2)))
    hidden = values > _SINGULAR * values[-1]
    if (np.abs(along[~hidden]) > blurred).any():
        return math.inf
    return math.sqrt(float(np.sum((np.abs(along[hidden]) + blurred) ** 2 / values[hidden]))) * (1 + 1e-6)


def several_outputs(mechanisms: Sequence[Any], mean: Floats, shift: Floats, root: Floats) -> Outputs:
    """What an attacker sees of several releases, where the ratio of the densities is known."""
    law = NormalLaw(1.0)
    if not shift.any():  # nothing follows the target: no output tells anything
        return ProjectedOutputs(law, law, 1, mean, np.zeros(len(mean)))
    if all(isinstance(m, Gaussian) for m in mechanisms):
        mu, axis, _ = _along(mechanisms, shift, root)
        return ProjectedOutputs(law, ShiftedLaw(law, mu), 1, mean, np.asarray(axis / mu, dtype=float))
    if root.any():
        raise Undefined(
            "Tests on several releases of partly unknown Gaussian tuples are worked out for Gaussian noise on all of "
            "them. Use Gaussian noise, or look at each release by itself."
        )
    one, other = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    return MixtureOutputs(Pair(tuple(mechanisms), np.array([mean, mean + shift]), one, other))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GaussianView(View):
    """One attacker on Gaussian data; see :class:`View`.

    Given the target and what he knows, the rest of the query is normal with covariance ``spread``; two values of the
    target ``width`` apart move it by ``shift``. Laplace noise: leakage Σ|shift|/scale over the releases; the curve of
    one is that of a shift of normal-Laplace noise, which is log-concave. Gaussian noise: exactly G_mu, mu² =
    shiftᵀ(spread + noise)⁻¹shift.
    """

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

    @cached_property
    def root(self) -> Floats:
        """``spread`` is its product with its mirror image."""
        return self.model.as_data().root(*self._asked)

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
        sides = (risky, mild), (risky.inverse(), mild.inverse())
        one, other = (Ends.between(*side, (side[1]._max_loss()[0], side[0]._max_loss()[1])) for side in sides)
        return EnclosedCurve(risky, mild, (), "shift", (one, other))

    @property
    def prior(self) -> float:
        first, second = self._settle("The prior belongs to a pair of values.")
        weights = self.release.linear
        mean = self.model.as_data().expected(weights, self.given or {})[len(weights) + self.target]
        variance = self.model.as_data().response(weights, self.target, tuple(sorted(self.known)))[2]
        log_odds = ((first - mean) ** 2 - (second - mean) ** 2) / (2 * variance)
        return 1 / (1 + math.exp(min(-log_odds, 700.0)))

    def _experiment(self) -> Experiment:
        weights, first = self.release.linear, (self.pair or (0.0, 0.0))[0]
        mean = self.model.as_data().expected(weights, {**(self.given or {}), self.target: first})[: len(weights)]
        mechanism = self.release.single
        if mechanism is None:
            outputs = several_outputs(self.release.mechanisms, mean, self.shift, self.root)
            return Experiment(self._curve, outputs)
        noise = together(mechanism, math.sqrt(max(float(self.spread[0, 0]), 0.0)))
        by = float(self.shift[0])
        first, second = ShiftedLaw(noise, float(mean[0])), ShiftedLaw(noise, float(mean[0]) + by)
        # where nothing moves, any threshold is as good as another
        return Experiment(self._curve, ContinuousOutputs(first, second, monotone=-1 if by < 0 else 1))
