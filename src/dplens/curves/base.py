"""The trade-off curve: the one object every reading is taken from."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dplens import _validate
from dplens._numerics import quadrature
from dplens._numerics.enclosure import Bounds, Enclosure
from dplens._numerics.logits import from_logit
from dplens._numerics.sharing import remembered
from dplens.curves.asked import MILD, RISKY, Asked, Floats
from dplens.estimate import Certificate

if TYPE_CHECKING:
    from dplens.curves.reading import Reading

LEAST = 5e-324  # the smallest float: what is not 0 is no less, however far it underflowed

_ROUNDING = 2e-15
_SUBNORMAL, _GRAIN = 1e-300, 1e-307  # rates below the first may be off by the second
_REACHES, _NOTHING = (20.0, 30.0), 1e-16  # logits of alpha that an area may end at, if so little is left
_NEAR, _CLOSE = 16.0, 1e-6  # logits between which an area comes about, if power is known so closely beyond


class TradeOff(Asked):
    """f(alpha): the least false-negative rate of any test with false-positive rate at most alpha.

    f is convex, non-increasing and 0 ≤ f(alpha) ≤ 1 − alpha (Dong, Roth & Su 2022, Proposition 2.2).
    Everything public is on the safe side: ``f(alpha)`` is at most the truth, ``power``, ``delta`` and
    ``epsilon`` are at least the truth. Numbers in give numbers, arrays give arrays of the same shape.

    >>> import dplens as dl
    >>> f = dl.Gaussian(sigma=1.0).tradeoff()
    >>> round(f(0.05), 6), round(f.power(1e-6), 10)
    (0.740489, 8.72176e-05)

    A kind of curve provides ``_power``, ``_beta``, ``_log_slope``, ``_rates``, ``_mirrored`` and ``_max_loss``,
    in best floating-point accuracy; ``rounding`` bounds the relative error it makes, and the base class
    turns the values to the side that is asked for. Arguments come as the pair (alpha, 1 − alpha), both
    exact, so that neither end loses digits.
    """

    rounding: float = _ROUNDING
    input_rounding: float = 0.0
    depth: float = 690.0  # how far, in logits of alpha, it is worth looking for where two curves cross
    sided: bool = False  # known by a bracket wider than rounding: integrals are taken on both of its sides
    least_known: bool = False  # a measurement: at least so much leaks, and what else may is not known

    @property
    def profile_rounding(self) -> float:
        """Relative error of a delta: a difference of tails, so four more bits than they have."""
        return 16 * self.rounding

    # ---- what a kind of curve knows -------------------------------------------------------------------

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        """1 − f(alpha)."""
        return self._enclose_power(alpha, co).hi

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        """f(alpha)."""
        return self._enclose_beta(alpha, co).lo

    @abstractmethod
    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        """log of −f'(alpha) (from the right): the log-likelihood-ratio threshold of the optimal test."""

    @abstractmethod
    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """(alpha, 1 − alpha, power, beta) of the test "log-likelihood ratio above ``loss``"."""

    @abstractmethod
    def _mirrored(self) -> TradeOff:
        """The curve with the two worlds exchanged; ``self`` if it is symmetric."""

    @abstractmethod
    def _max_loss(self) -> tuple[float, float]:
        """Bounds on the largest finite log-likelihood ratio (``inf`` above where it is not known)."""

    def _power_at_zero(self) -> float:
        """The probability of an output that proves H1: power at false-positive rate 0."""
        return 0.0

    def _profile(self, epsilon: Floats) -> Floats:
        """sup over alpha of power − e^eps·alpha, for eps ≥ 0."""
        return self._enclose_profile(epsilon).hi

    def _turns(self) -> Floats:
        """Logits of alpha at which the slope jumps, as far as they are known."""
        return np.zeros(0)

    def _auc(self) -> tuple[float, float]:
        """Area under the ROC curve and a bound on its error, by quadrature of the power."""
        return remembered(vars(self), "_known_area", self._area)  # both ends of a bracket are asked for in turn

    def _area(self) -> tuple[float, float]:
        reach, beyond, rest = min(self.depth + 10, 60.0), 0.0, 2 * math.exp(-min(self.depth + 10, 60.0))
        if self.sided and (near := self._short_reach()) is not None:
            reach, beyond, rest = near
        tail = [-700.0] if self.depth > 600 else []
        wings = min(30, round(0.75 * reach))  # about as long each, whatever the reach
        edges = [tail, np.linspace(-reach, -2, wings), np.linspace(-1.5, 2, 8), np.linspace(3, reach, wings)]
        edges = np.concatenate(edges)
        turns = self._turns()
        turns = turns[np.abs(turns) < reach]

        def weighted(logit: Floats) -> Floats:
            alpha, co = from_logit(logit)
            return self.power_bounds(alpha, co).hi * alpha * co

        def width(logit: Floats) -> Floats:
            alpha, co = from_logit(logit)
            power = self.power_bounds(alpha, co)
            return (power.hi - power.lo) * alpha * co

        apart, tolerance = 0.0, max(1e-13, 64 * self.rounding)
        if self.sided:
            wide = self.certificate.tolerance
            near = edges if wide > _CLOSE else edges[np.abs(edges) < _NEAR]  # beyond, next to nothing is left
            between = quadrature.once(width, near)
            between = max(between, 0.0) + 4 * wide * math.exp(-float(near[-1]))
            apart, tolerance = 1.1 * between, max(tolerance, between / 100)  # no more digits than there are
        # across a jump two rules may agree by accident
        value, error = quadrature.adaptive(weighted, np.union1d(edges, turns), tolerance=tolerance)
        error += self.rounding + (0.0 if tail else rest)
        return value + beyond - apart / 2, error + apart / 2

    def _short_reach(self) -> tuple[float, float, float] | None:
        """A logit beyond which next to nothing is left of power at one end, and of beta at the other.

        Also the area beyond it, and how far that may be off.
        """
        for reach in _REACHES:
            (rare,), (often,) = from_logit(np.array([-reach]))
            ends = np.array([rare, often])
            power, beta = self.power_bounds(ends[:1], ends[1:]).hi, self.beta_bounds(ends[1:], ends[:1]).hi
            rest = float(rare * (power + beta)[0])
            if rest < _NOTHING:
                return reach, float(rare), rest
        return None

    def _mu(self) -> tuple[float, float]:
        from dplens.curves.readings.mu import tightest_mu

        return tightest_mu(self)

    def _renyi(self, order: float) -> float:
        from dplens.curves.readings.renyi import renyi_from_curve

        return renyi_from_curve(self, order)

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        """E[function(loss)] under H1 (``present``) or H0, over the outputs that prove neither world."""
        from dplens.curves.readings.renyi import expectation_from_curve

        return expectation_from_curve(self, function, present)

    def _symmetrised(self) -> TradeOff:
        """Hull from below of this curve and its mirror image."""
        from dplens.curves.hull import hull_of

        return hull_of((self, self.inverse()))

    def refined(self, tolerance: float) -> TradeOff:
        """The same curve worked out as closely as the tolerance needs, where that can be chosen."""
        return self

    def _components(self) -> tuple[TradeOff, ...]:
        """The single pairs of worlds behind the curve, one direction each."""
        return (self,)

    @property
    def certificate(self) -> Certificate:
        """Which route gave the curve, why it was taken, and how wide its bracket is."""
        why = vars(self).get("_why")
        return replace(self._certificate, why=why) if why else self._certificate

    @property
    def _certificate(self) -> Certificate:
        return Certificate("exact", self.claimed_tolerance)

    @property
    def claimed_tolerance(self) -> float:
        """Relative half-width that no bracket of power, beta or delta exceeds."""
        return max(1e-12, self.profile_rounding)

    # ---- both ends of a number ------------------------------------------------------------------------

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        """1 − f(alpha) for 0 < alpha < 1."""
        if type(self)._enclose_both is not TradeOff._enclose_both:
            return self._enclose_both(alpha, co)[0]
        return Enclosure(lambda: self._power_on(MILD, alpha, co), lambda: self._power_on(RISKY, alpha, co))

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        """f(alpha) for 0 < alpha < 1."""
        if type(self)._enclose_both is not TradeOff._enclose_both:
            return self._enclose_both(alpha, co)[1]
        return Enclosure(lambda: self._beta_on(RISKY, alpha, co), lambda: self._beta_on(MILD, alpha, co))

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        """Power and beta, where these are found together."""
        return self._enclose_power(alpha, co), self._enclose_beta(alpha, co)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        """delta(epsilon) for 0 ≤ epsilon < max_loss: sup over alpha of power − e^epsilon·alpha."""
        if type(self)._profile_on is not TradeOff._profile_on or type(self)._profile is not TradeOff._profile:
            return Enclosure(lambda: self._profile_on(MILD, epsilon), lambda: self._profile_on(RISKY, epsilon))
        from dplens.curves.readings.profile import searched_profile

        return searched_profile(self, epsilon)

    def infinity_mass(self) -> Bounds:
        """The probability of an output that proves H1: power at false-positive rate 0."""
        if type(self).proof is not TradeOff.proof:
            return Bounds(self.proof(MILD), self.proof(RISKY))
        mass = self._power_at_zero()
        return Bounds(*(min(max(mass * (1 + side * self.input_rounding), 0.0), 1.0) for side in (MILD, RISKY)))

    def beta_at_zero(self) -> Bounds:
        """Beta at false-positive rate 0: what :meth:`infinity_mass` leaves."""
        lo, hi = self.infinity_mass()
        # however small the mass is, it must not vanish in the rounding of 1
        return Bounds(math.nextafter(1.0, 0.0) if 0 < hi < 1e-16 else 1.0 - hi, 1.0 - lo)

    def power_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        """Power for any alpha in [0, 1], within what every curve allows."""
        if type(self).bounded_power is not TradeOff.bounded_power:
            return Enclosure(lambda: self.bounded_power(MILD, alpha, co), lambda: self.bounded_power(RISKY, alpha, co))
        return self._generic_power(alpha, co)

    def _generic_power(self, alpha: Floats, co: Floats) -> Enclosure:
        with np.errstate(all="ignore"):  # the ends alpha = 0 and 1 are put right
            return self._within_power(self._enclose_power(alpha, co), alpha, co)

    def _within_power(self, power: Enclosure, alpha: Floats, co: Floats) -> Enclosure:
        mass = self.infinity_mass()

        def end(read: Callable[[], Floats], least: float) -> Floats:
            with np.errstate(all="ignore"):
                found = np.clip(read(), alpha, 1.0)
            found = np.where(alpha <= 0, least, np.maximum(found, least))
            return np.where(co <= 0, 1.0, found)

        return Enclosure(lambda: end(lambda: power.lo, mass.lo), lambda: end(lambda: power.hi, mass.hi))

    def beta_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        """Beta for any alpha in [0, 1], within what every curve allows."""
        if type(self).bounded_beta is not TradeOff.bounded_beta:
            return Enclosure(lambda: self.bounded_beta(RISKY, alpha, co), lambda: self.bounded_beta(MILD, alpha, co))
        return self._generic_beta(alpha, co)

    def _generic_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        with np.errstate(all="ignore"):  # the ends alpha = 0 and 1 are put right
            return self._within_beta(self._enclose_beta(alpha, co), alpha, co)

    def _within_beta(self, beta: Enclosure, alpha: Floats, co: Floats) -> Enclosure:
        most = self.beta_at_zero()

        def end(read: Callable[[], Floats], most: float, grain: Callable[[], Floats | float]) -> Floats:
            with np.errstate(all="ignore"):
                found = read()
            tiny = (found < _SUBNORMAL) & (co > 0) & (alpha > 0)
            if tiny.any():  # a function may have underflowed, or have few digits left
                found = np.where(tiny, found + grain(), found)
            found = np.clip(found, 0.0, co)
            found = np.where(alpha <= 0, most, np.minimum(found, most))
            return np.where(co <= 0, 0.0, found) + 0.0  # never −0

        def grain_above() -> Floats:
            # beta is 0 only where outputs that prove H0 reach to
            return np.where(co > self.inverse().infinity_mass().lo, _GRAIN, 0.0)

        return Enclosure(
            lambda: end(lambda: beta.lo, most.lo, lambda: -_GRAIN), lambda: end(lambda: beta.hi, most.hi, grain_above)
        )

    def both_bounds(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        """Power and beta for any alpha in [0, 1]: no more work than one of them where they are found together."""
        if type(self)._enclose_both is TradeOff._enclose_both:
            return self.power_bounds(alpha, co), self.beta_bounds(alpha, co)
        with np.errstate(all="ignore"):  # the ends alpha = 0 and 1 are put right
            power, beta = self._enclose_both(alpha, co)
        return self._within_power(power, alpha, co), self._within_beta(beta, alpha, co)

    def profile_bounds(self, epsilon: Floats) -> Enclosure:
        """delta of this direction for any real epsilon."""
        if type(self).bounded_profile is not TradeOff.bounded_profile:
            return Enclosure(lambda: self.bounded_profile(MILD, epsilon), lambda: self.bounded_profile(RISKY, epsilon))
        return self._generic_profile(epsilon)

    def _generic_profile(self, epsilon: Floats) -> Enclosure:
        nonnegative, top, mass = epsilon >= 0, self._max_loss()[1], self.infinity_mass()
        below = nonnegative & (epsilon < top)
        inner = self._enclose_profile(epsilon[below])
        mirrored = self.inverse().profile_bounds(-epsilon[~nonnegative]) if not nonnegative.all() else None

        def end(read: Callable[[Enclosure], Floats], least: float, rounding: float) -> Floats:
            out = np.full_like(epsilon, least)
            # where losses have no upper end delta is never 0, only too small for a float
            floor = max(least, LEAST) if rounding > 0 and math.isinf(top) else least
            out[below] = np.clip(read(inner), floor, 1.0) + 0.0  # never −0
            if mirrored is not None:
                e = epsilon[~nonnegative]
                out[~nonnegative] = (-np.expm1(e) + np.exp(e) * read(mirrored)) * (1 + rounding)
            return out

        return Enclosure(lambda: end(lambda x: x.lo, mass.lo, -5e-16), lambda: end(lambda x: x.hi, mass.hi, 5e-16))

    def profile_upper(self, epsilon: Floats, enough: Floats | float = math.inf) -> Floats:
        """An upper bound of delta that may be rough where a better one takes long; below ``enough`` any will do."""
        return self.profile_bounds(epsilon).hi

    def error_bounds(self, loss: Floats) -> Enclosure:
        """min over alpha of f(alpha) + e^loss·alpha for loss ≥ 0: 1 − delta(loss), without the cancellation."""
        if type(self).bounded_error is not TradeOff.bounded_error:
            return Enclosure(lambda: self.bounded_error(RISKY, loss), lambda: self.bounded_error(MILD, loss))
        return self._generic_error(loss)

    def _generic_error(self, loss: Floats) -> Enclosure:
        alpha, _, _, beta = self._rates(loss)
        with np.errstate(over="ignore", divide="ignore"):
            total = beta + np.exp(loss + np.log(alpha))
        return Enclosure.around(total, self.profile_rounding).clipped(0.0, 1.0)

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        """The least epsilon ≥ 0 with delta(epsilon) ≤ delta.

        The upper end is an epsilon whose delta is at most the given one, the lower end the last that exceeds it.
        """
        if type(self).bounded_epsilon is not TradeOff.bounded_epsilon:
            return Enclosure(lambda: self.bounded_epsilon(MILD, delta), lambda: self.bounded_epsilon(RISKY, delta))
        return self._generic_epsilon(delta)

    def _generic_epsilon(self, delta: Floats) -> Enclosure:
        mass, top = self.infinity_mass(), self._max_loss()
        at_zero = self.profile_bounds(np.zeros(1))

        def end(solved: Callable[[Floats], Floats], mass: float, top: float, at_zero: float) -> Floats:
            out = np.where(delta < mass, math.inf, 0.0)
            at_top = (delta >= mass) & (delta <= mass) & (delta < 1)
            out[at_top] = top
            rest = (delta > mass) & (delta < at_zero)
            if rest.any():
                out[rest] = np.clip(solved(delta[rest]), 0.0, top)
            return out

        return Enclosure(
            lambda: end(lambda d: self._solve_epsilon(d).lo, mass.lo, top[0], float(at_zero.lo[0])),
            lambda: end(lambda d: self._solve_epsilon(d).hi, mass.hi, top[1], float(at_zero.hi[0])),
        )

    def _solve_epsilon(self, delta: Floats) -> Enclosure:
        """The least epsilon with delta(epsilon) ≤ delta, for deltas between the mass at infinity and delta(0)."""
        from dplens.curves.readings.profile import searched_epsilon, solved_epsilon

        known = any(
            getattr(type(self), name) is not getattr(TradeOff, name)
            for name in ("_enclose_profile", "_profile_on", "_profile")
        )
        return solved_epsilon(self, delta) if known else searched_epsilon(self, delta)

    # ---- what is not converted yet --------------------------------------------------------------------

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._power(alpha, co) * (1 + side * self.rounding)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._beta(alpha, co) * (1 - side * self.rounding)

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        if type(self)._enclose_profile is not TradeOff._enclose_profile:
            return _end(self._enclose_profile(epsilon), side)
        if type(self)._profile is TradeOff._profile:
            from dplens.curves.readings.profile import searched_profile

            return _end(searched_profile(self, epsilon), side)
        return self._profile(epsilon) * (1 + side * self.profile_rounding)

    def proof(self, side: int) -> float:
        return self.infinity_mass()[side == RISKY]

    def reading(self, side: int = RISKY) -> Reading:
        return self.readings()[side != RISKY]

    def bounded_power(self, side: int, alpha: Floats, co: Floats) -> Floats:
        found = self._generic_power if type(self).power_bounds is TradeOff.power_bounds else self.power_bounds
        return _end(found(alpha, co), side)

    def bounded_beta(self, side: int, alpha: Floats, co: Floats) -> Floats:
        found = self._generic_beta if type(self).beta_bounds is TradeOff.beta_bounds else self.beta_bounds
        return _end(found(alpha, co), -side)

    def bounded_profile(self, side: int, epsilon: Floats) -> Floats:
        found = self._generic_profile if type(self).profile_bounds is TradeOff.profile_bounds else self.profile_bounds
        return _end(found(epsilon), side)

    def bounded_error(self, side: int, loss: Floats) -> Floats:
        found = self._generic_error if type(self).error_bounds is TradeOff.error_bounds else self.error_bounds
        return _end(found(loss), -side)

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        found = self._generic_epsilon if type(self).epsilon_bounds is TradeOff.epsilon_bounds else self.epsilon_bounds
        return _end(found(delta), side)

    # ---- public readings ------------------------------------------------------------------------------

    def inverse(self) -> TradeOff:
        """The same pair of worlds with their roles exchanged: T(Q, P), the mirror image of T(P, Q).

        The inverse of the inverse is the very same object; a symmetric curve is its own inverse.
        """
        return remembered(vars(self), "_mirror", self._mirrored_back)

    def _mirrored_back(self) -> TradeOff:
        mirrored = self._mirrored()
        if mirrored is not self:
            vars(mirrored)["_mirror"] = vars(mirrored)["_origin"] = self
        return mirrored

    @property
    def origin(self) -> TradeOff:
        """The curve that this one was made from as its mirror image, or itself."""
        return vars(self).get("_origin", self)

    def __getstate__(self) -> dict[str, Any]:
        # what is remembered besides the description is made anew where it is needed
        kept = [*(f.name for f in fields(self)), "_why"]  # pyright: ignore[reportArgumentType]
        return {name: self.__dict__[name] for name in kept if name in self.__dict__}

    def mu(self) -> float:
        """The least mu such that the curve lies above that of a Gaussian mechanism, G_mu; may be infinite."""
        return self._mu()[1]

    def mu_looseness(self) -> float:
        """How much is lost by quoting only mu: the least d ≥ 0 with f(alpha + d) − d ≤ G_mu(alpha) for all alpha.

        0 means that the one number says everything (Gaussian mechanism); larger is looser.
        """
        from dplens.curves.readings.mu import looseness

        return looseness(self)

    def renyi(self, order: float) -> float:
        """Rényi divergence of the given order, the larger of the directions the curve covers."""
        a = _validate.real("order", order, "> 0 (1 is Kullback–Leibler)", lambda x: x > 0)
        if a == math.inf:
            return float(max(c.epsilon_bounds(np.zeros(1)).hi[0] for c in self._components()))
        return max(c._renyi(a) for c in self._components())

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        """(relative, absolute) error of :meth:`renyi`."""
        return 16 * self.rounding, 0.0

    def renyi_bounds(self, order: float) -> Bounds:
        """Rényi divergence with both ends: as a rule computed to rounding."""
        parts = self._components()
        if any(part is not self for part in parts):
            ends = [part.renyi_bounds(order) for part in parts]
            return Bounds(max(b.lo for b in ends), max(b.hi for b in ends))
        if order == math.inf:
            found = self.epsilon_bounds(np.zeros(1))
            return Bounds(float(found.lo[0]), float(found.hi[0]))
        value = self.renyi(order)
        if math.isinf(value):
            from dplens.curves.readings.renyi import binary_renyi

            return Bounds(binary_renyi(self, order), value)
        return Bounds.around(value, *self.renyi_rounding(order))

    def group(self, size: int) -> TradeOff:
        """The curve for a group of ``size`` records: 1 − (1 − f)^{∘size} (Dong, Roth & Su 2022, Theorem 2.14)."""
        from dplens.curves.transforms import grouped

        return grouped(self, _validate.count("size", size))

    def fails_with(self, probability: float) -> TradeOff:
        """The curve when the secret itself is revealed with the given probability (Kaissis et al., Figure 5)."""
        from dplens.curves.transforms import failing

        return failing(self, _validate.probability("probability", probability))

    def tradeoff(self) -> TradeOff:
        """The curve itself, so that a curve can stand wherever a mechanism can."""
        return self

    def readings(self) -> tuple[Reading, Reading]:
        """The curve as plain numbers: no less risk than the truth, and no more; what questions are asked of."""
        from dplens.curves.reading import Reading

        return Reading(self, upper=True), Reading(self, upper=False)


def _end(number: Enclosure, side: int) -> Floats:
    return number.lo if side == MILD else number.hi
