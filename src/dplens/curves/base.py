"""The trade-off curve, from which every other number is computed.

Methods ending in ``_bounds`` return a lower and an upper bound (:class:`~dplens.numerics.enclosure.Enclosure` for
arrays, :class:`~dplens.numerics.enclosure.Bounds` for single numbers) and accept any argument. The private methods
behind them, ``_enclose_power`` and so on, are what a subclass implements; they are only called for arguments in the
interior of the domain. Public methods such as :meth:`TradeOff.power` return the safe end, which never understates the
risk.

Generic algorithms for everything that follows from power and beta are in ``readings/``; a subclass overrides those for
which it has a closed form.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens.curves.limits import checked, guarded, possible_beta, possible_power
from dplens.curves.reading import Reading
from dplens.curves.readings import profile
from dplens.curves.readings.mu import looseness, tightest_mu
from dplens.curves.readings.renyi import expectation_from_curve, narrowed_renyi
from dplens.estimate import Certificate
from dplens.numerics.enclosure import Bounds, Enclosure, Floats, elementwise
from dplens.numerics.sharing import remembered

LEAST = 5e-324  # the smallest positive float: a lower bound on any positive number that underflowed
_ANNOTATIONS = ("_why", "tolerance")  # attributes other than fields that copies and mirror images keep


class TradeOff(ABC):
    """f(alpha): the smallest false-negative rate of any test with false-positive rate at most alpha.

    f is convex and non-increasing with 0 ≤ f(alpha) ≤ 1 − alpha (Dong, Roth & Su 2022, Proposition 2.2).
    Public results are on the safe side: ``f(alpha)`` is at most the true value; ``power``, ``delta`` and
    ``epsilon`` are at least the true value. Numbers return numbers, arrays return arrays of the same shape.

    >>> import dplens as dl
    >>> f = dl.Gaussian(sigma=1.0).tradeoff()
    >>> round(f(0.05), 6), round(f.power(1e-6), 10)
    (0.740489, 8.72176e-05)

    A subclass implements ``_enclose_power`` and ``_enclose_beta`` (or ``_enclose_both``), ``_log_slope``, ``_mirrored``
    and ``_max_loss``, and ``_rates`` if it has a formula. Every alpha comes with ``co`` = 1 − alpha, both accurate, so
    that no digits are lost at either end of the axis. For the same reason, power and beta are computed separately.
    """

    rounding: float = 2e-15  # relative rounding error of power and beta
    input_rounding: float = 0.0  # relative error of the mass at infinity
    grain: float = 1e-307  # absolute error of rates below 1e-300
    tolerance: float = math.inf  # the widest bracket that may be returned, see ``within``
    _is_costly: bool = False  # points are expensive
    _has_kinks: bool = False  # slopes may jump at many alphas, even if those of its sources do not
    is_polygon: bool = False  # two polygons may cross anywhere, many times

    # ---- what a subclass implements -------------------------------------------------------------------

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        """1 − f(alpha) for 0 < alpha < 1."""
        return self._enclose_both(alpha, co)[0]

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        """f(alpha) for 0 < alpha < 1."""
        return self._enclose_both(alpha, co)[1]

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        """Power and beta, for a subclass that computes both at once."""
        return self._enclose_power(alpha, co), self._enclose_beta(alpha, co)

    @abstractmethod
    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        """Log of −f'(alpha) from the right, the optimal test's threshold; only guides searches, not a bound."""

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """(alpha, 1 − alpha, power, beta) of the test "log-likelihood ratio > ``loss``", as accurate as possible."""
        return profile.rates_by_slope(self, loss)

    @abstractmethod
    def _mirrored(self) -> TradeOff:
        """The curve with the two worlds exchanged; ``self`` if it is symmetric."""

    @abstractmethod
    def _max_loss(self) -> tuple[float, float]:
        """Bounds on the largest finite privacy loss; the upper one is ``inf`` if unknown."""

    def _power_at_zero(self) -> float:
        """The infinity mass: the probability under H1 of outputs impossible under H0, as accurate as possible."""
        return 0.0

    def _sources(self) -> list[TradeOff]:
        """The curves from which this one was made."""
        found = getattr(self, "parts", None) or [getattr(self, "base", None)]
        return [curve for curve in found if isinstance(curve, TradeOff)]

    @property
    def is_costly(self) -> bool:
        """Whether points are too expensive to search far tails by default."""
        return self._is_costly or any(curve.is_costly for curve in self._sources())

    @property
    def has_kinks(self) -> bool:
        """Whether slopes may jump at many alphas, as they do for finite laws, so that quadrature may miss a jump."""
        return self._has_kinks or any(curve.has_kinks for curve in self._sources())

    def _components(self) -> tuple[TradeOff, ...]:
        """The pairs of distributions behind the curve, one per direction."""
        return (self,)

    @property
    def searches_profile(self) -> bool:
        """Whether delta is searched for over all alphas, which is far more expensive than a power."""
        return type(self)._enclose_profile is TradeOff._enclose_profile

    def leans_right(self) -> bool:
        """A guess whether this direction has the larger delta for epsilon > 0; a wrong one only costs time."""
        return True

    def refined(self, tolerance: float) -> TradeOff:
        """The same curve, recomputed to ``tolerance`` if its accuracy can be chosen."""
        return self

    @property
    def _certificate(self) -> Certificate:
        return Certificate("exact", self.claimed_tolerance)

    @property
    def claimed_tolerance(self) -> float:
        """A bound on the relative half-width of brackets of power, beta and delta."""
        return max(4 * profile.ENOUGH if self.searches_profile else 1e-12, self.profile_rounding)

    @property
    def profile_rounding(self) -> float:
        """Relative rounding error of delta, a difference of tails that loses four bits."""
        return 16 * self.rounding

    # ---- readings that a subclass overrides if it has a closed form -----------------------------------

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        """delta(epsilon) for 0 ≤ epsilon < max_loss: sup over alpha of power − e^epsilon·alpha."""
        return profile.searched_profile(self, epsilon)

    def _solve_epsilon(self, delta: Floats) -> Enclosure:
        """The smallest epsilon with delta(epsilon) ≤ delta, for infinity mass < delta < delta(0)."""
        return profile.searched_epsilon(self, delta) if self.searches_profile else profile.solved_epsilon(self, delta)

    def _auc(self) -> tuple[float, float]:
        """The area under the ROC curve, and a bound on its absolute error."""
        from dplens.curves.readings.sandwich import area

        return remembered(vars(self), "_known_area", lambda: area(self))

    def _mu(self) -> tuple[float, float]:
        return tightest_mu(self)

    def _enclose_renyi(self, order: float) -> Bounds:
        """Rényi divergence of a finite order, for this direction alone."""
        return narrowed_renyi(self, order)

    def renyi_upper(self, order: float) -> float:
        """A quick upper bound on the Rényi divergence, if there is one."""
        return math.inf

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        """E[function(loss)] under H1 (``present``) or H0, over outputs with a finite loss."""
        return expectation_from_curve(self, function, present)

    def _symmetrised(self) -> TradeOff:
        """The largest convex function below this curve and its mirror image."""
        from dplens.curves.derived.hull import hull_of

        return hull_of((self, self.inverse()))

    # ---- lower and upper bounds, for any argument -------------------------------------------------------

    def infinity_mass(self) -> Bounds:
        """The infinity mass: power at false-positive rate 0."""
        low, high = Bounds.around(self._power_at_zero(), self.input_rounding)
        return Bounds(low, min(high, 1.0))

    def beta_at_zero(self) -> Bounds:
        """Beta at false-positive rate 0: 1 minus the infinity mass."""
        low, high = self.infinity_mass()  # 1 − low must not round a tiny mass away
        return Bounds(math.nextafter(1.0, 0.0) if 0 < high < 1e-16 else 1.0 - high, 1.0 - low)

    @np.errstate(all="ignore")  # possible_power sets the values at alpha = 0 and 1
    def power_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        """Power for any alpha in [0, 1], clipped to what every trade-off curve satisfies."""
        return possible_power(self, self._enclose_power(alpha, co), alpha, co)

    @np.errstate(all="ignore")
    def beta_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        """Beta for any alpha in [0, 1], clipped to what every trade-off curve satisfies."""
        return possible_beta(self, self._enclose_beta(alpha, co), alpha, co)

    @np.errstate(all="ignore")
    def both_bounds(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        """Power and beta for any alpha in [0, 1]; cheaper than two calls if one computation yields both."""
        power, beta = self._enclose_both(alpha, co)
        return possible_power(self, power, alpha, co), possible_beta(self, beta, alpha, co)

    def profile_bounds(self, epsilon: Floats) -> Enclosure:
        """delta(epsilon) of this direction, for any real epsilon."""
        nonnegative, (sure, top), mass = epsilon >= 0, self._max_loss(), self.infinity_mass()
        below = nonnegative & (epsilon < top)
        inner = self._enclose_profile(epsilon[below])
        mirrored = self.inverse().profile_bounds(-epsilon[~nonnegative]) if not nonnegative.all() else None

        def end(read: Callable[[Enclosure], Floats], least: float, rounding: float) -> Floats:
            out = np.full_like(epsilon, least)
            # below the largest loss delta is positive, even if it underflows
            floor = np.where(epsilon[below] < sure * (1 - 1e-12), max(least, LEAST), least) if rounding > 0 else least
            # delta cannot exceed that of a law with all its mass at the largest loss
            most = 1.0 if rounding < 0 else least - np.expm1(epsilon[below] - top) + 4e-16 * (1 + top)
            out[below] = np.clip(read(inner), floor, np.minimum(most, 1.0)) + 0.0  # never −0
            if mirrored is not None:
                e = epsilon[~nonnegative]
                out[~nonnegative] = (-np.expm1(e) + np.exp(e) * read(mirrored)) * (1 + rounding)
            return out

        return Enclosure(lambda: end(lambda x: x.lo, mass.lo, -5e-16), lambda: end(lambda x: x.hi, mass.hi, 5e-16))

    def profile_upper(self, epsilon: Floats, enough: Floats | float = math.inf) -> Floats:
        """An upper bound on delta, possibly a cheap one; any bound below ``enough`` will do."""
        return profile.rough_profile(self, epsilon) if self.searches_profile else self.profile_bounds(epsilon).hi

    def error_bounds(self, loss: Floats) -> Enclosure:
        """min over alpha of f(alpha) + e^loss·alpha for loss ≥ 0, that is 1 − delta(loss) without cancellation."""
        return profile.error_sums(self, loss, type(self)._rates is TradeOff._rates)

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        """The smallest epsilon ≥ 0 with delta(epsilon) ≤ delta.

        At the upper end delta is at most the given one; at the lower end it still exceeds it.
        """
        mass, top = self.infinity_mass(), self._max_loss()
        # a search finds an epsilon of 0 by itself
        at_zero = Enclosure(np.ones(1), np.ones(1)) if self.searches_profile else self.profile_bounds(np.zeros(1))
        solved: dict[bytes, Enclosure] = {}

        def end(read: Callable[[Enclosure], Floats], mass: float, top: float) -> Floats:
            out = np.where(delta < mass, math.inf, 0.0)
            out[(delta == mass) & (delta < 1)] = top
            rest = (delta > mass) & (delta < 1)
            rest &= (delta < read(at_zero)[0]) if rest.any() else False  # compute the profile only if needed
            if rest.any():
                found = remembered(solved, rest.tobytes(), lambda: self._solve_epsilon(delta[rest]))
                out[rest] = np.clip(read(found), 0.0, top)
            return out

        return Enclosure(lambda: end(lambda x: x.lo, mass.lo, top[0]), lambda: end(lambda x: x.hi, mass.hi, top[1]))

    def renyi_bounds(self, order: float) -> Bounds:
        """Rényi divergence of the given order, usually accurate to rounding."""
        if any(part is not self for part in self._components()):
            return Bounds(*map(max, zip(*(part.renyi_bounds(order) for part in self._components()))))
        if order == math.inf:
            return Bounds(*(float(end[0]) for end in self.epsilon_bounds(np.zeros(1))))
        return self._enclose_renyi(order)

    def readings(self) -> tuple[Reading, Reading]:
        """The risky and the mild end of the curve as plain numbers; questions are evaluated on both."""
        return Reading(self, upper=True), Reading(self, upper=False)

    def within(self, what: str, at: Floats, found: Enclosure) -> Enclosure:
        """Return the answer if its ends are within ``tolerance`` of each other; otherwise raise ToleranceNotMet."""
        return found if math.isinf(self.tolerance) else checked(self, what, at, found)

    # ---- public methods: the safe end ---------------------------------------------------------------------

    @overload
    def __call__(self, alpha: float) -> float: ...
    @overload
    def __call__(self, alpha: npt.ArrayLike) -> Any: ...
    def __call__(self, alpha: Any) -> Any:
        """beta = f(alpha), never above the true value."""
        values = _validate.floats("alpha", alpha, "in [0, 1]", 0.0, 1.0)
        return elementwise(lambda a: self.within("beta", a, self.beta_bounds(a, 1 - a)).lo, values, alpha)

    @overload
    def power(self, alpha: float) -> float: ...
    @overload
    def power(self, alpha: npt.ArrayLike) -> Any: ...
    def power(self, alpha: Any) -> Any:
        """1 − f(alpha), the attacker's true-positive rate, to relative accuracy; never below the true value."""
        values = _validate.floats("alpha", alpha, "in [0, 1]", 0.0, 1.0)
        return elementwise(lambda a: self.within("power", a, self.power_bounds(a, 1 - a)).hi, values, alpha)

    @overload
    def delta(self, epsilon: float) -> float: ...
    @overload
    def delta(self, epsilon: npt.ArrayLike) -> Any: ...
    def delta(self, epsilon: Any) -> Any:
        """The privacy profile: sup over alpha of 1 − f(alpha) − e^epsilon·alpha; never below the true value.

        For a symmetric curve this is the larger delta of the two directions, otherwise the delta of its own direction.
        """
        values = _validate.floats("epsilon", epsilon, ">= 0", 0.0, math.inf)
        return elementwise(lambda e: self.within("delta", e, self.profile_bounds(e)).hi, values, epsilon)

    @overload
    def epsilon(self, delta: float) -> float: ...
    @overload
    def epsilon(self, delta: npt.ArrayLike) -> Any: ...
    def epsilon(self, delta: Any) -> Any:
        """The smallest epsilon with delta(epsilon) ≤ delta (``inf`` if none); never below the true value."""
        values = _validate.floats("delta", delta, "in [0, 1]", 0.0, 1.0)
        return elementwise(lambda d: self.within("epsilon", d, self.epsilon_bounds(d)).hi, values, delta)

    def mu(self) -> float:
        """The smallest mu such that the curve lies above G_mu, that of a Gaussian mechanism; may be infinite."""
        return self.readings()[0].mu()

    def mu_looseness(self) -> float:
        """What quoting only mu loses: the least d ≥ 0 with f(alpha + d) − d ≤ G_mu(alpha) for all alpha."""
        return looseness(self)

    def renyi(self, order: float) -> float:
        """Rényi divergence of the given order, the largest over the directions covered; never below the true value."""
        return self.renyi_bounds(_validate.real("order", order, "> 0 (1 is Kullback–Leibler)", lambda x: x > 0)).hi

    def inverse(self) -> TradeOff:
        """The curve with the two worlds exchanged: T(Q, P), the mirror image of T(P, Q).

        The inverse of the inverse is the same object; a symmetric curve is its own inverse.
        """

        def mirrored() -> TradeOff:
            found = self._mirrored()
            if found is not self:
                kept = {name: vars(self)[name] for name in _ANNOTATIONS if name in vars(self)}
                vars(found).update(kept, _mirror=self, _origin=self)
            return found

        return remembered(vars(self), "_mirror", mirrored)

    @property
    def origin(self) -> TradeOff:
        """The curve of which this one is the mirror image, or the curve itself."""
        return vars(self).get("_origin", self)

    def group(self, size: int) -> TradeOff:
        """The curve for a group of ``size`` records: 1 − (1 − f)^{∘size} (Dong, Roth & Su 2022, Theorem 2.14)."""
        from dplens.curves.derived.groups import grouped

        return guarded(grouped(self, _validate.count("size", size)), self.tolerance)

    def fails_with(self, probability: float) -> TradeOff:
        """The curve if the release reveals the secret with the given probability (Kaissis et al., Figure 5)."""
        from dplens.curves.derived.groups import failing

        return guarded(failing(self, _validate.probability("probability", probability)), self.tolerance)

    def tradeoff(self) -> TradeOff:
        """The curve itself, so that curves are accepted wherever mechanisms are."""
        return self

    @property
    def certificate(self) -> Certificate:
        """How the curve was computed, why that way, and how wide its brackets are."""
        said, why = self._certificate, vars(self).get("_why")
        return replace(said, tolerance=min(said.tolerance, self.tolerance), why=why or said.why)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__repr__ = vars(cls).get("__repr__", TradeOff.__repr__)  # that of a dataclass would print whole arrays

    def __repr__(self) -> str:
        """The class with its own numbers, how many steps or segments it has, and the curves that it was made from."""
        own = [(f, getattr(self, f.name)) for f in getattr(self, "__dataclass_fields__", {}).values() if f.repr]
        plain = [(f, x) for f, x in own if isinstance(x, (int, float, str)) and "rounding" not in f.name]
        told = [f"{f.name}={x!r}" for f, x in plain if x != f.default]
        told += [f"{sum(count for _, count in x)} steps" for f, x in own if f.name == "steps" and x]
        told += [f"{len(x)} segments" for f, x in own if f.name == "loss"]
        told += map(repr, self._sources())
        return f"<{type(self).__name__}: {', '.join(told)}>" if told else f"<{type(self).__name__}>"

    def __getstate__(self) -> dict[str, Any]:
        kept = [*(f.name for f in fields(self)), *_ANNOTATIONS, "_origin"]  # no cached values  # pyright: ignore[reportArgumentType]
        return {name: self.__dict__[name] for name in kept if name in self.__dict__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if "_origin" in state and vars(self.origin).setdefault("_mirror", self) is self:
            vars(self)["_mirror"] = self.origin


class SymmetricCurve(TradeOff):
    """A curve that is its own mirror image."""

    def _mirrored(self) -> TradeOff:
        return self
