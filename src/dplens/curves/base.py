"""The trade-off curve: the one object every reading is taken from."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from dplens import _validate
from dplens._numerics import quadrature
from dplens._numerics.logits import from_logit
from dplens._numerics.search import sign_change
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
    searches_epsilon: bool = True  # with a searched profile: epsilon is found by one search too
    least_known: bool = False  # a measurement: at least so much leaks, and what else may is not known

    @property
    def profile_rounding(self) -> float:
        """Relative error of a delta: a difference of tails, so four more bits than they have."""
        return 16 * self.rounding

    # ---- what a kind of curve knows -------------------------------------------------------------------

    @abstractmethod
    def _power(self, alpha: Floats, co: Floats) -> Floats:
        """1 − f(alpha)."""

    @abstractmethod
    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        """f(alpha)."""

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
        from dplens.curves.conjugate import searched_profile

        return searched_profile(self, epsilon)

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

        def weighted(side: int, logit: Floats) -> Floats:
            alpha, co = from_logit(logit)
            return (self.bounded_power(side, alpha, co) if side else self._power(alpha, co)) * alpha * co

        side, apart, tolerance = (RISKY if self.sided else 0), 0.0, max(1e-13, 64 * self.rounding)
        if self.sided:
            wide = self.certificate.tolerance
            near = edges if wide > _CLOSE else edges[np.abs(edges) < _NEAR]  # beyond, next to nothing is left
            between = quadrature.once(lambda x: weighted(RISKY, x) - weighted(MILD, x), near)
            between = max(between, 0.0) + 4 * wide * math.exp(-float(near[-1]))
            apart, tolerance = 1.1 * between, max(tolerance, between / 100)  # no more digits than there are
        # across a jump two rules may agree by accident
        value, error = quadrature.adaptive(lambda x: weighted(side, x), np.union1d(edges, turns), tolerance=tolerance)
        error += self.rounding + (0.0 if tail else rest)
        return value + beyond - apart / 2, error + apart / 2

    def _short_reach(self) -> tuple[float, float, float] | None:
        """A logit beyond which next to nothing is left of power at one end, and of beta at the other.

        Also the area beyond it, and how far that may be off.
        """
        for reach in _REACHES:
            (rare,), (often,) = from_logit(np.array([-reach]))
            ends = np.array([rare, often])
            power, beta = self.bounded_power(RISKY, ends[:1], ends[1:]), self.bounded_beta(MILD, ends[1:], ends[:1])
            rest = float(rare * (power + beta)[0])
            if rest < _NOTHING:
                return reach, float(rare), rest
        return None

    def _mu(self) -> tuple[float, float]:
        from dplens.curves.gaussian_summary import tightest_mu

        return tightest_mu(self)

    def _renyi(self, order: float) -> float:
        from dplens.curves.divergence import renyi_from_curve

        return renyi_from_curve(self, order)

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        """E[function(loss)] under H1 (``present``) or H0, over the outputs that prove neither world."""
        from dplens.curves.divergence import expectation_from_curve

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
        """Which route gave the curve and how wide its bracket is."""
        return Certificate("exact", self.claimed_tolerance)

    @property
    def claimed_tolerance(self) -> float:
        """Relative half-width that no bracket of power, beta or delta exceeds."""
        return max(1e-12, self.profile_rounding)

    # ---- the two sides of the bracket -----------------------------------------------------------------

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._power(alpha, co) * (1 + side * self.rounding)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._beta(alpha, co) * (1 - side * self.rounding)

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        if type(self)._profile is TradeOff._profile:
            from dplens.curves.conjugate import searched_profile

            # each side by itself, as a bracket may be wider than rounding; and a search may underflow
            return searched_profile(self, epsilon, side) + (1e-300 if side == RISKY else 0.0)
        return self._profile(epsilon) * (1 + side * self.profile_rounding)

    def proof(self, side: int) -> float:
        """Power at false-positive rate 0, on one side of its bracket."""
        return min(max(self._power_at_zero() * (1 + side * self.input_rounding), 0.0), 1.0)

    def beta_at_zero(self, side: int) -> float:
        """Beta at false-positive rate 0, on one side of its bracket: what :meth:`proof` leaves."""
        proof = self.proof(side)
        # a proof, however unlikely, is not to disappear in the rounding of 1
        return math.nextafter(1.0, 0.0) if side == RISKY and proof > 0 and proof < 1e-16 else 1.0 - proof

    def bounded_power(self, side: int, alpha: Floats, co: Floats) -> Floats:
        """Power on one side of its bracket, within what any curve allows."""
        with np.errstate(all="ignore"):  # the ends alpha = 0 and 1 are put right below
            power = self._power_on(side, alpha, co)
        power = np.clip(power, alpha, 1.0)
        power = np.where(alpha <= 0, self.proof(side), np.maximum(power, self.proof(side)))
        return np.where(co <= 0, 1.0, power)

    def bounded_beta(self, side: int, alpha: Floats, co: Floats) -> Floats:
        """Beta on one side of its bracket, within what any curve allows."""
        with np.errstate(all="ignore"):  # the ends alpha = 0 and 1 are put right below
            beta = self._beta_on(side, alpha, co)
        most = self.beta_at_zero(side)
        tiny = (beta < _SUBNORMAL) & (co > 0) & (alpha > 0)
        if tiny.any():  # down there a function may have underflowed, or have few digits left
            if side == RISKY:
                beta = np.where(tiny, beta - _GRAIN, beta)
            else:  # only from where the other world has proofs is it 0
                beta = np.where(tiny & (co > self.inverse().proof(MILD)), beta + _GRAIN, beta)
        beta = np.clip(beta, 0.0, co)
        beta = np.where(alpha <= 0, most, np.minimum(beta, most))
        return np.where(co <= 0, 0.0, beta) + 0.0  # never −0

    def bounded_profile(self, side: int, epsilon: Floats) -> Floats:
        """delta of this direction for any real epsilon, on one side of its bracket."""
        out = np.empty_like(epsilon)
        up = epsilon >= 0
        floor = self.proof(side)
        top = self._max_loss()[1]
        finite = up & (epsilon < top)
        out[up] = floor
        least = LEAST if side == RISKY and math.isinf(top) else 0.0  # losses without end: never 0, only too small
        out[finite] = np.clip(self._profile_on(side, epsilon[finite]), max(floor, least), 1.0) + 0.0  # never −0
        if not up.all():
            e = epsilon[~up]
            out[~up] = (-np.expm1(e) + np.exp(e) * self.inverse().bounded_profile(side, -e)) * (1 + side * 5e-16)
        return out

    def profile_bound(self, epsilon: Floats, enough: Floats | float = math.inf) -> Floats:
        """An upper bound of delta that may be rough where a better one takes long; below ``enough`` any will do."""
        return self.bounded_profile(RISKY, epsilon)

    def bounded_error(self, side: int, loss: Floats) -> Floats:
        """min over alpha of f(alpha) + e^loss·alpha for loss ≥ 0: 1 − delta(loss), without the cancellation."""
        alpha, _, _, beta = self._rates(loss)
        with np.errstate(over="ignore", divide="ignore"):
            total = beta + np.exp(loss + np.log(alpha))
        return np.minimum(total * (1 - side * self.profile_rounding), 1.0)

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        """The least epsilon ≥ 0 with delta(epsilon) ≤ delta, from one side.

        On the risky side the returned epsilon satisfies delta(epsilon) ≤ delta; on the mild side it is the
        other end of the last bracket.
        """
        out = np.zeros_like(delta)
        top = self._max_loss()[0 if side == MILD else 1]
        floor = self.proof(side)
        none = delta < floor
        out[none] = math.inf
        at_top = ~none & (delta <= floor) & (delta < 1)
        out[at_top] = top
        rest = ~none & ~at_top & (delta < self.bounded_profile(side, np.zeros_like(delta)))
        if rest.any():
            out[rest] = self._solve_epsilon(side, delta[rest], top)
        return out

    def _solve_epsilon(self, side: int, delta: Floats, top: float) -> Floats:
        if type(self)._profile is TradeOff._profile and self.searches_epsilon:
            from dplens.curves.conjugate import searched_epsilon

            return np.clip(searched_epsilon(self, delta, side), 0.0, top)

        def excess(e: Floats) -> Floats:
            with np.errstate(divide="ignore"):
                return np.log(self.bounded_profile(side, e)) - np.log(delta)

        high = np.full_like(delta, min(1.0, top))
        for _ in range(1100):
            short = (excess(high) > 0) & (high < top)
            if not short.any():
                break
            high = np.where(short, np.minimum(2 * np.minimum(high, 8e307), top), high)
        inner, outer = sign_change(excess, np.zeros_like(delta), high)
        # the last digit of epsilon itself is only rounding
        found = np.minimum(outer * (1 + 4e-16), top) if side == RISKY else inner * (1 - 2e-15)
        return np.where(excess(np.zeros_like(delta)) > 0, found, 0.0)  # where logarithms no longer tell them apart

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
        return {f.name: self.__dict__[f.name] for f in fields(self) if f.name in self.__dict__}  # pyright: ignore

    def mu(self) -> float:
        """The least mu such that the curve lies above that of a Gaussian mechanism, G_mu; may be infinite."""
        return self._mu()[1]

    def mu_looseness(self) -> float:
        """How much is lost by quoting only mu: the least d ≥ 0 with f(alpha + d) − d ≤ G_mu(alpha) for all alpha.

        0 means that the one number says everything (Gaussian mechanism); larger is looser.
        """
        from dplens.curves.gaussian_summary import looseness

        return looseness(self)

    def renyi(self, order: float) -> float:
        """Rényi divergence of the given order, the larger of the directions the curve covers."""
        a = _validate.real("order", order, "> 0 (1 is Kullback–Leibler)", lambda x: x > 0)
        if a == math.inf:
            return float(max(c.bounded_epsilon(RISKY, np.zeros(1))[0] for c in self._components()))
        return max(c._renyi(a) for c in self._components())

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        """(relative, absolute) error of :meth:`renyi`."""
        return 16 * self.rounding, 0.0

    def bounded_renyi(self, side: int, order: float) -> float:
        """Rényi divergence on one side of its bracket: as a rule computed to rounding."""
        parts = self._components()
        if any(part is not self for part in parts):
            return max(part.bounded_renyi(side, order) for part in parts)
        if order == math.inf:
            return float(self.bounded_epsilon(side, np.zeros(1))[0])
        value = self.renyi(order)
        if math.isinf(value) and side == MILD:
            from dplens.curves.divergence import binary_renyi

            return binary_renyi(self, order)
        relative, absolute = self.renyi_rounding(order)
        return max(value * (1 + side * relative) + side * absolute, 0.0)

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

    def reading(self, side: int = RISKY) -> Reading:
        """The curve seen from one side of its bracket; what questions are asked of."""
        from dplens.curves.reading import Reading

        return Reading(self, side)
