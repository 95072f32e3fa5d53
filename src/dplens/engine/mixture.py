"""Finitely many losses beside one law that has no end of them: weighted sums of what is known of that law.

With losses l_k of masses q_k under H1, delta(e) = proof + Σ q_k·delta_R(e − l_k), where R is the curve of the other
law: a sum of positive terms, each known with all its digits, at any depth of either tail. Everything else follows from
delta: power(alpha) is the least of delta(e) + e^e·alpha, from above at any e; from below it is that of a coin between
two tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens._numerics.enclosure import Enclosure, opposed
from dplens._numerics.logits import to_logit
from dplens._numerics.search import sign_change
from dplens._numerics.sharing import cached_property, remembered
from dplens.curves.base import Floats, TradeOff
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.laplace import LaplaceCurve
from dplens.curves.logistic import LogisticCurve
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.profile_lines import imports_among
from dplens.engine.atoms import atoms_of
from dplens.engine.bracket import BracketCurve
from dplens.engine.enclosing import errors_from_profile
from dplens.engine.finite import finite_curve
from dplens.engine.spline_curve import share_of
from dplens.engine.steps import Steps
from dplens.estimate import Certificate

_MOST_LOSSES = 10_000  # beside a law of another kind
_AT_ONCE = 1_000_000  # losses × thresholds
_ROWS = 300  # of the table of thresholds
_TESTS = 2000  # whose polygon the area is taken of, besides those at atoms
_CORNERS = (0.0, 1.0, 0.0, 1.0), (1.0, 0.0, 1.0, 0.0)  # rates of who never accuses, and of who always does
_SOLVED = 1e-9  # of a threshold; what a tangent loses for it is of second order
_CLIMB, _STEEP = np.linspace(-6.0, 6.0, 25), 20_000  # standard deviations, and how many such thresholds
_UNITS = 4e-16
_RARE = 1e-300  # what lies beyond the table


@dataclass(frozen=True, eq=False)
class MixtureCurve(TradeOff):
    """T(P, Q) of ``finite`` and ``rest`` together, both symmetric.

    The rest proves nothing, and its profile and rates are known in closed form.
    """

    finite: BracketCurve
    rest: TradeOff
    steps: tuple[tuple[TradeOff, int], ...]
    is_bracket = True

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.finite.slack + 2 * self.rest.rounding + 1e-14

    @property
    def input_rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.finite.input_rounding + self.rest.input_rounding

    @property
    def _certificate(self) -> Certificate:
        low, high = (float(end[0]) for end in self.profile_bounds(np.zeros(1)))
        width = (high - low) / max(high, 1e-300) / 2
        found = Certificate("mixture", max(width, 1e-12), "sums of positive terms; width at epsilon 0")
        return imports_among(self.steps, found)

    # ---- sums over the losses -------------------------------------------------------------------------

    def _over(self, e: Floats, loss: Floats, weight: Floats, function: Callable[[Floats], Floats]) -> Floats:
        """Σ weight·function(e − loss)."""
        out, rows = np.empty_like(e), max(1, _AT_ONCE // max(len(loss), 1))
        for i in range(0, len(e), rows):
            x = np.subtract.outer(e[i : i + rows], loss)
            out[i : i + rows] = function(x.ravel()).reshape(x.shape) @ weight
        return out

    def _moved(self, sign: int, e: Floats, loss: Floats) -> Floats:
        """Thresholds, so far to one side as losses, which are sums, may be off."""
        reach = float(np.max(np.abs(loss), initial=0.0))
        return e - sign * (self.finite.slack + _UNITS * (np.abs(e) + reach))

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        def end(sign: int, law: PiecewiseCurve, read: Callable[[Enclosure], Floats]) -> Floats:
            loss, _, q = _masses(law)
            at = self._moved(sign, epsilon, loss)
            calls = self._over(at, loss, q, lambda x: read(self.rest.profile_bounds(x)))
            mass = float(np.sum(law.q[np.isposinf(law.loss)]))
            return (mass + calls) * (1 + sign * (self.finite.slack + 1e-15))

        return Enclosure(
            lambda: end(-1, self.finite.mild, lambda delta: delta.lo),
            lambda: end(+1, self.finite.risky, lambda delta: delta.hi),
        )

    def error_bounds(self, loss: Floats) -> Enclosure:
        def end(sign: int, law: PiecewiseCurve, upper: bool) -> Floats:
            at, _, q = _masses(law)
            total = self._over(self._moved(-sign, loss, at), at, q, lambda x: _error(self.rest, x, upper))
            return np.clip(total * (1 + sign * (self.finite.slack + 1e-15)), 0.0, 1.0)

        return Enclosure(lambda: end(-1, self.finite.mild, False), lambda: end(+1, self.finite.risky, True))

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self._tests(loss, self.finite.risky, self.finite.risky)

    def _tests(
        self, e: Floats, accusing: PiecewiseCurve, right: PiecewiseCurve
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """(alpha, co, power, beta) of thresholds; alpha and beta by the masses of one law, co and power of another."""
        found = []
        for i, law in enumerate((accusing, right, right, accusing)):
            loss, p, q = _masses(law)
            found.append(self._over(e, loss, p if i < 2 else q, lambda x, i=i: self.rest._rates(x)[i]))
        # what proves H0 is never accused, what proves H1 always is
        co = found[1] + np.sum(right.p[np.isneginf(right.loss)])
        power = found[2] + np.sum(right.q[np.isposinf(right.loss)])
        return found[0], np.minimum(co, 1.0), np.minimum(power, 1.0), found[3]

    # ---- power and beta -------------------------------------------------------------------------------

    @cached_property
    def _kinks(self) -> Floats:
        """Thresholds at which the loss has atoms, in increasing order: where either law is at an end of its own."""
        loss = _masses(self.finite.risky)[0]
        top = self.rest._max_loss()[1]
        return np.unique(np.concatenate([loss - top, loss + top])) if math.isfinite(top) else np.zeros(0)

    @cached_property
    def _steps_up(self) -> Floats:
        """Thresholds about the losses at which a rest without end that tells little lets alpha climb steeply."""
        loss = _masses(self.finite.risky)[0]
        if not isinstance(self.rest, GaussianCurve) or len(loss) * len(_CLIMB) > _STEEP:
            return np.zeros(0)
        return np.add.outer(loss, self.rest.shift * _CLIMB).ravel()

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        """Falling thresholds, and logits of alpha there."""
        loss = _masses(self.finite.risky)[0]
        reach = float(self.rest.epsilon_bounds(np.full(1, _RARE)).hi[0]) + 1e-9
        e = np.linspace(float(loss.max()) + reach, float(loss.min()) - reach, _ROWS)
        return e, self._odds(e)

    def _odds(self, e: Floats) -> Floats:
        loss, p, _ = _masses(self.finite.risky)
        alpha, co = (self._over(e, loss, p, lambda x, i=i: self.rest._rates(x)[i]) for i in (0, 1))
        with np.errstate(divide="ignore"):
            return to_logit(alpha, co)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        low, high = self._around(alpha, co)
        return (low + high) / 2

    def _around(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Thresholds next to each other between whose tests alpha lies."""
        e, odds = self._table
        lower = np.maximum(co - self.finite.inverse().infinity_mass().lo, 0.0)
        with np.errstate(divide="ignore"):
            wanted = to_logit(alpha, lower)
        after = np.clip(np.searchsorted(np.maximum.accumulate(odds), wanted), 1, len(e) - 1)
        low, high = e[after].copy(), e[after - 1].copy()
        open_ = np.flatnonzero((odds[after - 1] < wanted) & (wanted < odds[after]))
        if len(open_):
            goal = wanted[open_]
            low[open_], high[open_] = sign_change(
                lambda x: self._odds(x) - goal, low[open_], high[open_], floor=_SOLVED
            )
        return low, high

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        around: list[tuple[Floats, Floats]] = []

        def thresholds() -> tuple[Floats, Floats]:
            if not around:
                around.append(self._around(alpha, co))
            return around[0]

        return opposed(lambda: self._tangents(*thresholds(), alpha, co), lambda: self._chord(*thresholds(), alpha, co))

    def _tangents(self, low: Floats, high: Floats, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from above and beta from below."""
        e, kinks = (low + high) / 2, self._kinks
        tried = [e]
        if len(kinks):  # at an atom the rate may jump across alpha
            i = np.searchsorted(kinks, e)
            tried += [kinks[np.minimum(i, len(kinks) - 1)], kinks[np.maximum(i - 1, 0)]]
        errors = [errors_from_profile(self, x, alpha, co) for x in tried]
        return np.min([x.power[1] for x in errors], axis=0), np.max([x.beta[0] for x in errors], axis=0)

    def _chord(self, low: Floats, high: Floats, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from below and beta from above: of a coin between two tests."""
        k = 1 + self.rounding
        # alpha and beta are no larger, co and power no smaller
        less, more = (self._tests(e, self.finite.risky, self.finite.mild) for e in (high, low))
        (a0, c0, p0, b0), (a1, c1, p1, b1) = ((a * k, c / k, p / k, b * k) for a, c, p, b in (less, more))
        share = share_of(alpha, a0, a1)
        power = np.where(alpha < a0, p0 * (alpha / np.maximum(a0, 1e-320)), (1 - share) * p0 + share * p1)
        share = share_of(co, c1, c0)
        beta = np.where(co > c0, co, share * b0 + (1 - share) * b1)
        power, beta = power * (1 - _UNITS), beta * (1 + _UNITS)
        return np.maximum(power, 1 - beta - _UNITS), np.minimum(beta, 1 - power + _UNITS)

    # ---- the rest -------------------------------------------------------------------------------------

    def _mirrored(self) -> TradeOff:
        return self

    def _max_loss(self) -> tuple[float, float]:
        (low, high), (least, most) = self.finite._max_loss(), self.rest._max_loss()
        return low + least, high + most

    def _power_at_zero(self) -> float:
        return self.finite._power_at_zero()

    def _auc(self) -> tuple[float, float]:
        """Between the polygon through tests and that of the tangents at them: a ROC is concave."""
        first, last = float(self._table[0][-1]), float(self._table[0][0])
        e = np.unique(np.concatenate([self._kinks, self._steps_up, np.linspace(first, last, _TESTS)]))[::-1]
        alpha, co, power, beta = (np.concatenate([[a], x, [b]]) for x, a, b in zip(self._rates(e), *_CORNERS))
        low = alpha[1:] <= co[1:]
        width = np.maximum(np.where(low, np.diff(alpha), -np.diff(co)), 0.0)
        rise = np.maximum(np.where(power[1:] <= beta[1:], np.diff(power), -np.diff(beta)), 0.0)
        inside = float(width @ (power[:-1] + power[1:])) / 2
        # triangles between a chord and the tangents at its ends, of slopes before ≥ rise/width ≥ after
        before, after = np.exp(np.append(e[0], e)), np.exp(np.append(e, e[-1]))
        with np.errstate(all="ignore"):
            gap = np.maximum(before * width - rise, 0.0) * np.maximum(rise - after * width, 0.0) / (before - after)
        missed = float(np.sum(np.nan_to_num(gap, posinf=0.0))) / 2
        rounded = 4 * (self.rounding + self.finite.certificate.tolerance)
        return inside + missed / 2, missed / 2 + rounded

    def _mu(self) -> tuple[float, float]:
        from dplens.engine.summary import composed_mu

        return super()._mu() if self._power_at_zero() > 0 else composed_mu(self, (), self.steps)

    def _renyi(self, order: float) -> float:
        return math.fsum(count * step._renyi(order) for step, count in self.steps)  # divergences add up


def _masses(law: PiecewiseCurve) -> tuple[Floats, Floats, Floats]:
    """Losses and their masses under both worlds."""
    seen = np.isfinite(law.loss)
    return law.loss[seen], law.p[seen], law.q[seen]


def _error(curve: TradeOff, x: Floats, upper: bool) -> Floats:
    """1 − delta(x) for any x, from above or from below."""
    up = x >= 0
    out = np.empty_like(x)
    out[up] = curve.error_bounds(x[up]).end(upper)
    out[~up] = np.exp(x[~up]) * curve.inverse().error_bounds(-x[~up]).end(upper)
    return out


def mixture(steps: Steps) -> MixtureCurve | None:
    """Losses that can be listed, beside one law in closed form; None where that is not what the steps are.

    Only if all are symmetric: the hull of two directions asks for more points than such sums are quick at.
    """
    return remembered(vars(steps), "_mixture", lambda: _mixture(steps))


def _mixture(steps: Steps) -> MixtureCurve | None:
    known = [(term, atoms_of(term[0])) for term in steps.terms]
    finite = tuple(term for term, atoms in known if atoms is not None)
    others = [term for term, atoms in known if atoms is None]
    if not finite or len(others) != 1 or not steps.is_symmetric:
        return None
    rest, count = others[0]
    if count != 1 or not isinstance(rest, (GaussianCurve, LaplaceCurve, LogisticCurve)):
        return None
    listed = finite_curve(Steps(finite))
    if listed is None or len(listed.risky.loss) > _MOST_LOSSES:
        return None
    return MixtureCurve(listed, rest, steps.terms)
