"""Any two continuous output laws: the likelihood ratio, monotone or not, sorted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dplens._numerics.enclosure import Bounds, Enclosure
from dplens._numerics.interpolation import clamped_interpolation
from dplens._numerics.laws import Law
from dplens._numerics.logits import to_logit
from dplens._numerics.masses import measured
from dplens._numerics.ratio_ends import hidden_gain
from dplens._numerics.ratio_integrals import ratio_divergence, thin_profile
from dplens._numerics.ratio_pieces import RatioPieces
from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats, TradeOff
from dplens.curves.ratio_cells import Cells, cells_between
from dplens.curves.ratio_tests import Rows, ThresholdTests, blur, half_ratio, least
from dplens.curves.readings.mu_from_profile import mu_from_profile
from dplens.estimate import Certificate

Tangents = list[tuple[ThresholdTests, Rows]]

_COIN = 3.2e-14  # relative error of a coin between two tests
_CLOSE = 4e-12  # relative error of a reading, or width of a range of thresholds, that is none
_STEEP = 700.0  # a loss beyond those that floats show next to an end
_LEVEL = 1e-12  # relative change of a log-ratio from node to node that is none
_MANY = 10_000  # alphas from which on a dense table pays


@dataclass(frozen=True, eq=False)
class RatioCurve(TradeOff):
    """T(P, Q) for two continuous laws.

    The line is cut where log q/p turns (Neyman–Pearson: the best test takes the outputs with the largest
    ratio first). For a threshold on the ratio the set of outputs above it is a union of intervals, whose masses
    come from the laws' own distribution functions. At a given alpha the curve is read from the tangent at a
    nearby threshold, which lies below f whatever the threshold, and to second order on it.

    That bounds the power from above; a coin between two tests bounds it from below.

    Claim: numerical, relative accuracy 1e-11 of smooth laws. Brackets widen at alphas whose sets of outputs are so
    narrow, at a cusp or at an end of the support, that floats hardly tell their ends apart. Densities that the grid of
    quantiles, kinks and jumps does not resolve are refused; a density that is 0 where the other is not makes proof, one
    that underflows there counts as proof on the risky side only. ``loss_bounded``: known by theorem whether log q/p is
    bounded above (None: not known) for (P, Q) and for (Q, P). ``symmetric``: known that T(P, Q) = T(Q, P).
    """

    p: Law
    q: Law
    symmetric: bool = False
    loss_bounded: tuple[bool | None, bool | None] = (None, None)
    rounding = 1e-11
    input_rounding = 1e-14
    monotone: ClassVar[bool] = False  # known by theorem that log q/p rises

    @property
    def _certificate(self) -> Certificate:
        return Certificate(
            "sorted", self.claimed_tolerance, "likelihood ratio sorted on a grid of quantiles of both laws"
        )

    @cached_property
    def _pieces(self) -> RatioPieces:
        return RatioPieces(self.p, self.q, self.monotone)

    @cached_property
    def _table(self) -> ThresholdTests:
        """Tests by falling thresholds."""
        return self._tests(self._pieces.thresholds()[::-1])

    def _tests(self, loss: Floats) -> ThresholdTests:
        return self._with_hidden(loss, self._measured(loss))

    def _with_hidden(self, loss: Floats, rates: Floats) -> ThresholdTests:
        alpha, co, power, beta = rates[:4]
        return ThresholdTests(loss, alpha, co, power, beta, self._hidden(loss, power, co), rates[4:])

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        alpha, co, power, beta = self._measured(loss)[:4]
        return alpha, co, power, beta

    def _measured(self, loss: Floats) -> Floats:
        """Rows of alpha, 1 − alpha, power and beta, and of their errors beyond the usual rounding."""
        pieces = self._pieces
        rates = np.zeros((8, len(loss)))
        for i, apart in ((1, pieces.p_only), (2, pieces.q_only)):
            rates[i], rates[4 + i] = apart.sure + apart.faint, apart.error
        if pieces.pieces:
            above, below = pieces.split(loss)
            for i, (law, part) in enumerate(((self.p, above), (self.p, below), (self.q, above), (self.q, below))):
                mass, error = measured(law, *part)
                rates[i] += mass.sum(axis=0)
                rates[4 + i] += error.sum(axis=0)
        return rates

    @cached_property
    def _threshold_by_logit(self) -> Callable[[Floats], Floats]:
        """Threshold as a smooth function of logit(alpha), constant beyond the table."""
        losses, alpha, co = self._table.loss, self._table.alpha, self._table.co
        inside = (alpha > 0) & (co > 0)
        logit = to_logit(alpha[inside], co[inside])
        rising = np.ones(len(logit), dtype=bool)
        rising[1:] = logit[1:] > np.maximum.accumulate(logit)[:-1]
        return clamped_interpolation(logit[rising], losses[inside][rising])

    def _threshold(self, alpha: Floats, co: Floats) -> Floats:
        """A threshold whose test has about the false-positive rate alpha.

        Where the ratio is constant on much of the outputs, alpha jumps and interpolation is far off: no further than
        the table's rows about alpha.
        """
        losses = self._table.loss
        before, after = self._table.about(alpha, co)
        found = self._pieces.resolved(self._threshold_by_logit(to_logit(alpha, co)))
        return np.clip(found, losses[after], losses[before])

    def _known_near(self, table: ThresholdTests, rows: tuple[Rows, Rows]) -> Tangents:
        """Tests of a table, and those next to coarse ends."""
        ends = self._before_ends
        return [(table, i) for i in rows] + [(ends, np.full_like(rows[0], i)) for i in range(len(ends.loss))]

    @cached_property
    def _before_ends(self) -> ThresholdTests:
        """Thresholds next to a coarse end that leave all that is hidden there on its right side."""
        ends = [] if self.monotone else self._pieces.coarse_ends
        return self._tests(np.array([end.loss - end.rate * step for end in ends for step in (0.1, 2.0, 4.0)]))

    @cached_property
    def _cells(self) -> Cells:
        """What a long array is worth: so many tests that cubics between them are close enough."""
        return cells_between(self._table, lambda loss: self._tests(self._pieces.resolved(loss)))

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        return self._enclose(alpha, co, as_power=True)

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        return self._enclose(alpha, co, as_power=False)

    def _enclose(self, alpha: Floats, co: Floats, as_power: bool) -> Enclosure:
        """Power or beta; a long array from cells, and one by one what these do not tell as well."""
        if len(alpha) <= _MANY:
            return self._enclose_solved(alpha, co, as_power)
        tests, rows = self._cells.tests, self._cells.tests.about(alpha, co)
        known, alike, left = self._cells.serve(rows)
        near = self._known_near(tests, (rows[0][alike], rows[1][alike]))
        parts = (
            (known, self._cells.read(rows[0][known], alpha[known], co[known], as_power, self.rounding)),
            (alike, self._enclose_near(alpha[alike], co[alike], near, lambda: near, as_power)),
            (left, self._enclose_solved(alpha[left], co[left], as_power)),
        )

        def joined(end: Callable[[Enclosure], Floats]) -> Floats:
            out = np.empty_like(alpha)
            for where, part in parts:
                out[where] = end(part)
            return out

        return Enclosure(lambda: joined(lambda part: part.lo), lambda: joined(lambda part: part.hi))

    def _enclose_solved(self, alpha: Floats, co: Floats, as_power: bool) -> Enclosure:
        near, each = self._known_near(self._table, self._table.about(alpha, co)), np.arange(len(alpha))
        met, closer = self._met(alpha, co)
        return self._enclose_near(alpha, co, [(met, each), *near], lambda: [(closer(), each), *near], as_power)

    def _enclose_near(
        self, alpha: Floats, co: Floats, tests: Tangents, closer: Callable[[], Tangents], as_power: bool
    ) -> Enclosure:
        """Power or beta from tests whose rates are near: tangents at them from one side, a chord from the other."""

        def upper() -> Floats:
            line, slack = least([each.line(rows, alpha, co, as_power, seen=False) for each, rows in tests])
            return line + slack

        def lower() -> Floats:
            between = closer()
            line, slack = least([each.line(rows, alpha, co, as_power, seen=True) for each, rows in between])
            power, beta = self._chord(alpha, co, between)
            return np.minimum(line - slack, power if as_power else -beta)

        found = Enclosure(lower, upper)  # of the power, or of −beta
        return (found if as_power else found.falling(np.negative)).widened(self.rounding)

    def _hidden(self, loss: Floats, power: Floats, co: Floats) -> Floats | None:
        """What ends of the support hide between their last floats."""
        ends = [] if self.monotone else self._pieces.coarse_ends
        if not ends:
            return None
        p_only, q_only = (apart.sure + apart.faint for apart in (self._pieces.p_only, self._pieces.q_only))
        return hidden_gain(ends, loss, np.maximum(power - q_only, 0.0), np.maximum(co - p_only, 0.0))

    @property
    def _hides_proofs(self) -> bool:
        """Whether losses beyond all that floats show may not be rare."""
        return not self.monotone and any(end.rate > 0 for end in self._pieces.coarse_ends)

    def _chord(self, alpha: Floats, co: Floats, tangents: Tangents) -> tuple[Floats, Floats]:
        """Power and beta of a coin between two tests that there are.

        One accuses less often than alpha and the other more often.
        """
        low, column = alpha <= co, np.arange(len(alpha))
        rates = [tests.surely(i, low) for tests, i in tangents]
        never, always = ((a, 1 - a, p, 1 - p) for a, p in ((0.0, self.infinity_mass().lo), (1.0, 1.0)))
        a, c, p, b = (
            np.array([np.broadcast_to(r[i], alpha.shape) for r in (never, *rates, always)], float) for i in range(4)
        )
        before = np.where(low, a <= alpha, c >= co)  # tests that accuse no more often
        left = np.argmax(np.where(before, np.where(low, a, -c), -math.inf), axis=0), column
        right = np.argmin(np.where(before, math.inf, np.where(low, a, -c)), axis=0), column
        with np.errstate(all="ignore"):
            more = np.where(low, (alpha - a[left]) / (a[right] - a[left]), (c[left] - co) / (c[left] - c[right]))
            less = np.where(low, (a[right] - alpha) / (a[right] - a[left]), (co - c[right]) / (c[left] - c[right]))
        more, less = (np.clip(np.nan_to_num(share, nan=other), 0.0, 1.0) for share, other in ((more, 0.0), (less, 1.0)))
        # outputs whose ratio is beyond floats count for tests that accuse often enough
        faint = np.where(alpha < 1e-250, self._pieces.q_only.faint, 0.0)
        power, beta = (less * y[left] + more * y[right] for y in (p, b))
        return power * (1 - _COIN) - faint, beta * (1 + _COIN) + faint

    @np.errstate(all="ignore")  # ends of the curve, where logits are infinite
    def _met(self, alpha: Floats, co: Floats) -> tuple[ThresholdTests, Callable[[], ThresholdTests]]:
        """Tests that accuse as often as alpha, close enough for a tangent; and how to get close enough for a chord."""
        table = self._table
        losses, a, c = table.loss, table.alpha, table.co
        before, after = table.about(alpha, co)
        steep, flat = losses[before], losses[after]
        loss, goal = losses[before], to_logit(alpha, co)
        rates = np.concatenate([np.array([a, c, table.power, table.beta]), table.errors])[:, before]
        # on an atom of the loss, or where sets are too narrow to measure, the rows of the table say it all
        wide = np.flatnonzero(steep - flat > _CLOSE)
        loss[wide] = self._threshold(alpha[wide], co[wide])
        rates[:, wide] = self._measured(loss[wide])
        miss = to_logit(*rates[:2]) - goal
        slope = (steep - flat) / (to_logit(a[before], c[before]) - to_logit(a[after], c[after]))
        slope = np.where(np.isfinite(slope) & (slope < 0), slope, -1.0)

        @np.errstate(all="ignore")
        def solve(start: tuple[Floats, ...], chord: bool) -> tuple[Floats, ...]:
            loss, miss, slope, failed, rates = (x.copy() for x in start)
            for _ in range(6):
                # the error of a tangent is of second order, that of a chord of first
                off = np.abs(miss) * ((steep - flat) if chord else np.abs(miss * slope))
                far = np.flatnonzero(np.isfinite(miss) & (steep - flat > _CLOSE) & (off > _CLOSE) & (failed < 4))
                if not len(far):
                    break
                moved = np.clip(loss[far] - miss[far] * slope[far], flat[far], steep[far])
                found = self._measured(moved)
                left = to_logit(*found[:2]) - goal[far]
                secant = (moved - loss[far]) / (left - miss[far])
                slope[far] = np.where(np.isfinite(secant) & (secant < 0), secant, slope[far])
                closer = np.abs(left) < np.abs(miss[far])
                failed[far] += ~closer  # four times: floats do not tell such sets apart any better
                far = far[closer]
                loss[far], miss[far], rates[:, far] = moved[closer], left[closer], found[:, closer]
            return loss, miss, slope, failed, rates

        def tests(solved: tuple[Floats, ...]) -> ThresholdTests:
            return self._with_hidden(solved[0], solved[-1])

        near = solve((loss, miss, slope, np.zeros_like(loss), rates), chord=False)
        return tests(near), lambda: tests(solve(near, chord=True))

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self._threshold(alpha, co)

    def plateau(self, loss: float, near: float) -> float | None:
        """A log-ratio that is constant on a stretch of outputs, if there is one that ``near`` to ``loss``."""
        for stretch in self._pieces.pieces:
            losses = stretch.losses
            close = np.abs(losses - loss) <= near
            level = close[1:] & close[:-1] & (np.abs(np.diff(losses)) <= _LEVEL * (1 + abs(loss)))
            if level.any():
                return float(np.median(losses[1:][level]))
        return None

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        """delta as power − e^eps·alpha, by quadrature where that cancels; with the error of whichever is used."""
        alpha, co, power, _, alpha_error, _, power_error, _ = self._measured(epsilon)
        out = power - _scaled(epsilon, alpha)
        error = blur(power) + power_error + _scaled(epsilon, blur(alpha) + alpha_error)
        lost = (alpha < 1e-290) & (epsilon > 600)  # too small a number to be multiplied by too large a one
        error[lost] = power[lost]
        thin = (out <= 1e-3 * power) | lost
        if thin.any():
            value, slack = thin_profile(self._pieces, epsilon[thin])
            better = slack < error[thin]
            out[thin], error[thin] = np.where(better, value, out[thin]), np.where(better, slack, error[thin])
            # outputs whose l may be on either side of eps: none of them adds more than the width of that doubt
            doubt = 1e-14 * (epsilon[thin] + (self._pieces.scale if self._pieces.grid.closed else 1.0))
            near = self._rates(epsilon[thin] - doubt)[2] - self._rates(epsilon[thin] + doubt)[2]
            error[thin] += 2 * doubt * np.maximum(near, 0.0)
        known = Enclosure.around(np.maximum(out, 0.0), self.rounding, error + self._pieces.unseen)

        def upper() -> Floats:
            hidden = self._hidden(epsilon, power, co)
            return known.hi if hidden is None else known.hi + hidden

        return Enclosure(lambda: known.lo, upper)

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        search = super().epsilon_bounds
        found = search(delta)
        if not self._hides_proofs:
            return found

        def upper() -> Floats:
            some = delta > self.profile_bounds(np.array([_STEEP])).hi  # below that no epsilon can be promised
            return np.where(some, search(np.where(some, delta, 1.0)).hi, math.inf)

        return Enclosure(lambda: found.lo, upper)

    def _mirrored(self) -> TradeOff:
        if self.symmetric:
            return self
        return RatioCurve(self.q, self.p, False, (self.loss_bounded[1], self.loss_bounded[0]))

    def _power_at_zero(self) -> float:
        return self._pieces.q_only.sure

    def infinity_mass(self) -> Bounds:
        apart = self._pieces.q_only
        most = apart.sure + apart.faint
        if most <= 0:
            return Bounds(0.0, 0.0)
        # a mass that was seen is not zero, however few of its digits are known
        return Bounds(
            max(apart.sure * (1 - self.input_rounding) - apart.error, 0.0),
            min(max(most * (1 + self.input_rounding) + apart.error, 1e-320), 1.0),
        )

    def _max_loss(self) -> tuple[float, float]:
        bounded = self.loss_bounded[0]
        low, high = (max(bound, 0.0) for bound in self._pieces.largest_loss())
        if bounded and not self._pieces.q_only.faint:
            return low, high
        return (math.inf, math.inf) if bounded is False else (low, math.inf)

    def _mu(self) -> tuple[float, float]:
        low, high = super()._mu()
        faint = self._pieces.q_only.faint or self._pieces.p_only.faint  # proof that is too rare for floats
        if faint or self._hides_proofs or any(end.rate < 0 for end in self._pieces.coarse_ends):
            return low, math.inf
        if not high - low > 1e-10 * high or math.isinf(high):
            return low, high
        bounds = mu_from_profile(self, self._table.loss)
        return max(low, bounds[0]), min(high, bounds[1])

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        return self._pieces.expect(function, self.q if present else self.p)

    def _renyi(self, order: float) -> float:
        if order >= 1 and (self._pieces.q_only.sure + self._pieces.q_only.faint > 0 or self._hides_proofs):
            return math.inf
        return ratio_divergence(self._pieces, order)


def _scaled(loss: Floats, step: Floats) -> Floats:
    half = half_ratio(loss)
    with np.errstate(over="ignore"):
        return step * half * half
