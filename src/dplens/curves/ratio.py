"""Any two continuous output laws: their outputs cut into cells, between two finite pairs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from dplens import _validate
from dplens._numerics.enclosure import Bounds, Enclosure, opposed
from dplens._numerics.laws import Law, ShiftedLaw
from dplens._numerics.logits import from_logit
from dplens._numerics.masses import measured
from dplens._numerics.output_cells import OutputCells, cells_of
from dplens._numerics.ratio_pieces import RatioPieces
from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats, TradeOff
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.readings.mu import grid_mu
from dplens.curves.readings.mu_from_profile import mu_from_profile
from dplens.estimate import Certificate

_SURE = 2e-13  # relative rounding of the masses, besides the errors that are known
_HUGE = 1e15  # a loss about which nothing is said
_LEVEL = 1e-12  # relative change of a log-ratio from node to node that is none
_LOGITS, _LOOKS, _CLAIMED = np.linspace(-27.6, 27.6, 3001), 3000, 1e-12  # what a certificate looks at
_NOTE = "outputs cut into cells; half-width of power and beta from alpha = 1e-12, and of delta from 1e-12 on"
_LOSSES = 400  # thresholds between which the search for mu starts


class EnclosingPairs(NamedTuple):
    """Two finite pairs between which the curve lies, and what is not known of their masses and losses.

    ``slacks``: relative errors of the partial sums of masses from either end of ``mild``. ``doubts``: minus the losses,
    each at its upper end, what their errors add up to in alpha (e^epsilon of which is in delta), and what errors of the
    masses add to q − p; the same mirrored. ``sure``: relative rounding of a delta, besides. ``hidden``: masses under H1
    and H0 that ``risky`` counts as proof, though they need not be.
    """

    risky: PiecewiseCurve
    mild: PiecewiseCurve
    slacks: tuple[Floats, Floats]
    doubts: tuple[tuple[Floats, Floats, Floats], tuple[Floats, Floats, Floats]]
    sure: float
    hidden: tuple[float, float]

    def mirrored(self) -> EnclosingPairs:
        """The same with the two worlds exchanged."""
        risky, mild = (PiecewiseCurve(c.q[::-1], c.p[::-1], -c.loss[::-1]) for c in (self.risky, self.mild))
        (top, bottom), (up, down), (first, second) = self.slacks, self.doubts, self.hidden
        return EnclosingPairs(risky, mild, (bottom, top), (down, up), self.sure, (second, first))

    def doubt(self, epsilon: Floats) -> Floats:
        """Absolute error of delta, for epsilon ≥ 0: of the masses and of the losses above epsilon, or nearly so."""
        falling, losses, masses = self.doubts[0]
        above = np.searchsorted(falling, -epsilon, side="left")
        with np.errstate(over="ignore", invalid="ignore"):
            return np.nan_to_num(np.exp(epsilon) * losses[above], nan=0.0, posinf=1.0) + masses[above]


@np.errstate(all="ignore")
def enclosing_pairs(
    cells: OutputCells, only: tuple[Bounds, Bounds], bounded: tuple[bool, bool], stretches: int
) -> EnclosingPairs:
    """Finite pairs on either side of T(P, Q), from cells of its outputs.

    Mild: outcomes of a cell are put together (data processing). Risky: each cell's masses move to the ends of its span
    of ratios so that both are kept, a mean-preserving spread of any ratio inside (Blackwell 1953; "connect the dots",
    Doroshenko et al. 2022). ``only``: masses that P, and Q, have alone. ``bounded``: known that log q/p has an upper, a
    lower bound. ``stretches``: on how many log q/p goes one way: a threshold cuts no more pairs of halves.
    """
    some = (cells.p > 0) | (cells.q > 0)
    columns = cells.p, cells.q, cells.loss, cells.low, cells.high, cells.noise, cells.error, cells.halved
    p, q, loss, low, high, noise, error, halved = (x[some] for x in columns)
    unknown = ~(np.abs(loss) < _HUGE)
    loss = np.clip(np.nan_to_num(loss, nan=0.0), -_HUGE, _HUGE)
    low[unknown], high[unknown] = -math.inf, math.inf
    order = np.argsort(-loss, kind="stable")
    p, q, loss, low, high, noise, error, halved = (x[order] for x in (p, q, loss, low, high, noise, error, halved))
    if bounded[0]:
        high = np.minimum(high, np.max(high[np.isfinite(high)], initial=-math.inf))
    if bounded[1]:
        low = np.maximum(low, np.min(low[np.isfinite(low)], initial=math.inf))
    mild = _framed(p, q, loss, (only[0].lo, only[1].lo))
    risky = _framed(*_spread(p, q, loss, low, high), (only[0].hi, only[1].hi))
    wrong = np.zeros((2, len(mild.p)))
    inner, up = np.isfinite(mild.loss), loss > 0  # a cell is measured under the law that makes it more likely
    wrong[:, inner] = (error + noise * up) * p, (error + noise * ~up) * q
    ends = (mild.alpha, mild.power_), (mild.co[::-1], mild.beta_[::-1])
    nearest = (np.minimum(x[1:], y[:-1])[inner] for x, y in ((mild.alpha, mild.co), (mild.power_, mild.beta_)))
    cut = stretches * max(float(np.max(np.nan_to_num(halved * m / x), initial=0.0)) for m, x in zip((p, q), nearest))
    slacks = [
        _SURE + 2 * (cut + np.nan_to_num(np.fmax(*(_sums(x[::step]) / y for x, y in zip(wrong, ys)))))
        for step, ys in zip((1, -1), ends)
    ]
    doubts = _doubts(loss, noise, error, p, q), _doubts(-loss, noise, error, q, p)
    hidden = tuple(float(c[np.isinf(risky.loss)].sum()) - b.lo for c, b in ((risky.q, only[1]), (risky.p, only[0])))
    return EnclosingPairs(risky, mild, (slacks[0], slacks[1]), doubts, _SURE + 2 * cut, (hidden[0], hidden[1]))


def _framed(p: Floats, q: Floats, loss: Floats, alone: tuple[float, float]) -> PiecewiseCurve:
    """The pair of these outcomes and of those that one law has alone."""
    p, q, loss = np.append(p, [alone[0], 0.0]), np.append(q, [0.0, alone[1]]), np.append(loss, [-math.inf, math.inf])
    return PiecewiseCurve.from_pair(p, q, loss)


@np.errstate(all="ignore")
def _spread(p: Floats, q: Floats, loss: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    """Masses moved to both ends of the spans, which may be infinite."""
    loss = np.clip(loss, low, high)
    whole, up, down = np.expm1(low - high), np.expm1(low - loss), np.expm1(loss - high)
    flat = whole == 0
    steep = np.where(flat, 0.5, up / whole)  # share of q at the upper end
    level = np.where(flat, 0.5, down / whole)  # share of p at the lower end
    parts = (
        (np.where(flat, 0.5, steep * np.exp(loss - high)) * p, level * p),
        (steep * q, np.where(flat, 0.5, level * np.exp(low - loss)) * q),
        (high, low),
    )
    first, second, losses = (np.concatenate(pair) for pair in parts)
    return first, second, losses


def _doubts(loss: Floats, noise: Floats, error: Floats, p: Floats, q: Floats) -> tuple[Floats, Floats, Floats]:
    key = -loss - noise
    order = np.argsort(key, kind="stable")
    gain = -q * np.expm1(-np.maximum(loss, 0.0))
    return key[order], 2 * _sums((noise * p)[order]), 2 * _sums((error * gain)[order])


def _sums(x: Floats) -> Floats:
    return np.append(0.0, np.cumsum(x))


@dataclass(frozen=True, eq=False)
class RatioCurve(TradeOff):
    """T(P, Q) for two continuous laws, between two finite pairs.

    The line is cut where log q/p turns, and between into many thousand cells in each of which the ratio lies between
    its values at the ends. Putting the outputs of a cell together bounds the risk from below; spreading them over the
    two extreme ratios, with the same masses, bounds it from above (:func:`enclosing_pairs`). Every reading is then one
    of two finite pairs.

    Claim: certified but for what no finite set of values shows; relative width below 1e-6 for rates from 1e-12 and
    deltas from 1e-30 on, as a rule far less. It is wider where sets of outputs are so narrow, at a cusp or an end of
    the support, that floats hardly tell their ends apart: mass there counts as proof on the upper side only. Densities
    that the grid of quantiles, kinks and jumps does not resolve are refused; a density that is 0 where the other is not
    makes proof. ``loss_bounded``: known by theorem whether log q/p is bounded above (None: not known) for (P, Q) and
    for (Q, P). ``symmetric``: known that T(P, Q) = T(Q, P). ``shift``: if positive, Q is P moved so far,
    and P symmetric and unimodal.
    """

    p: Law
    q: Law
    symmetric: bool = False
    loss_bounded: tuple[bool | None, bool | None] = (None, None)
    shift: float = 0.0
    forward: RatioCurve | None = field(default=None, kw_only=True)  # the curve whose mirror image this one is
    is_bracket = True
    input_rounding = 1e-14
    monotone: ClassVar[bool] = False  # known by theorem that log q/p rises

    @classmethod
    def unimodal(cls, noise: Law, shift: float, bounded: tuple[bool | None, bool | None]) -> RatioCurve:
        """Noise that is symmetric and unimodal, though perhaps not log-concave (Cauchy, t).

        A larger shift is never safer: for eps ≥ 0 the set on which n(x − d) > e^eps·n(x) lies beyond d/2, where n
        falls, so that its advantage grows with d. A group is therefore one shift, which is exact.
        """
        return cls(noise, ShiftedLaw(noise, shift), True, bounded, shift)

    def group(self, size: int) -> TradeOff:
        """The curve for a group of ``size`` records."""
        size = _validate.count("size", size)
        if size == 1 or not self.shift:
            return super().group(size)
        return RatioCurve.unimodal(self.p, math.nextafter(self.shift * size, math.inf), self.loss_bounded)

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        k = int(np.searchsorted(self._pairs.mild.alpha, 0.5))
        top, bottom = self._pairs.slacks
        return float(max(top[k], bottom[len(bottom) - 1 - k]))

    @property
    def claimed_tolerance(self) -> float:
        return self._width

    @property
    def _certificate(self) -> Certificate:
        return Certificate("cells", self._width, _NOTE)

    @cached_property
    @np.errstate(all="ignore")
    def _width(self) -> float:
        """Half the relative width where it is widest, of power and beta from alpha = 1e-12 and delta from 1e-12 on."""
        losses = self._pairs.mild.loss
        epsilon = np.unique(np.abs(losses[np.isfinite(losses)][:: max(len(losses) // _LOOKS, 1)]))
        epsilon = np.append(0.0, epsilon[epsilon < self._max_loss()[0]])
        delta = self.profile_bounds(epsilon)
        read = [*self.both_bounds(*from_logit(_LOGITS)), delta[delta.hi > _CLAIMED]]
        widths = [np.max(np.nan_to_num((hi - lo) / hi), initial=0.0) for lo, hi in read]
        return max(float(max(widths)), self.rounding, 1e-12)  # twice what was seen, as cells are widest in the middle

    @cached_property
    def _pieces(self) -> RatioPieces:
        return RatioPieces(self.p, self.q, self.monotone)

    @cached_property
    def _cells(self) -> OutputCells:
        return cells_of(self._pieces)

    @cached_property
    def _pairs(self) -> EnclosingPairs:
        if self.forward is not None:
            return self.forward._pairs.mirrored()
        bounded = bool(self.loss_bounded[0]), bool(self.loss_bounded[1])
        return enclosing_pairs(self._cells, self._alone, bounded, len(self._pieces.pieces))

    @property
    def _alone(self) -> tuple[Bounds, Bounds]:
        """What only P, and only Q, can produce."""
        apart = self._pieces.p_only, self._pieces.q_only
        return Bounds(apart[0].sure, apart[0].sure + apart[0].faint), Bounds(
            apart[1].sure, apart[1].sure + apart[1].faint
        )

    # ---- readings of the two pairs ---------------------------------------------------------------------

    def _enclose_both(self, alpha: Floats, co: Floats) -> tuple[Enclosure, Enclosure]:
        risky, mild, slacks = self._pairs[:3]
        k = mild._segment(alpha, co)
        top, bottom = slacks[0][k + 1], slacks[1][len(mild.p) - k]

        def read(pair: PiecewiseCurve, sign: float) -> tuple[Floats, Floats]:
            # masses that are off by a factor move the vertices along both axes
            more, less = 1 + sign * top, 1 - sign * bottom
            at = np.minimum(alpha * more, 1.0), np.minimum(co * less, 1.0)
            power, beta = pair.rounded_power(*at) * more, pair.rounded_beta(*at) * less
            least, most = (np.minimum, np.maximum) if sign > 0 else (np.maximum, np.minimum)
            return least(power, 1 - beta + sign * 2e-16), most(beta, 1 - power - sign * 2e-16)

        return opposed(lambda: read(risky, 1.0), lambda: read(mild, -1.0))

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        risky, mild = self._pairs[:2]
        sure, doubt = self._pairs.sure, self._pairs.doubt(epsilon)
        return Enclosure(
            lambda: np.maximum(mild._profile_sum(epsilon) * (1 - sure) - doubt, 0.0),
            lambda: risky._profile_sum(epsilon) * (1 + sure) + doubt,
        )

    def error_bounds(self, loss: Floats) -> Enclosure:
        lower, upper = (pair.error_bounds(loss) for pair in self._pairs[:2])
        return Enclosure(lambda: lower.lo, lambda: upper.hi).widened(2 * self.rounding).clipped(0.0, 1.0)

    def _auc(self) -> tuple[float, float]:
        high, low = self._pairs.risky._auc()[0], self._pairs.mild._auc()[0]
        return (high + low) / 2, (high - low) / 2 + 2 * self.rounding

    def _mu(self) -> tuple[float, float]:
        sides = [self] if self.inverse() is self else [self, self.inverse()]
        known = [grid_mu(side)[0] for side in sides]
        low, high = max(low for low, _ in known), max(high for _, high in known)
        if math.isinf(high) or max(self._pairs.hidden) > 0:  # or proof that is too rare for floats
            return low, math.inf
        losses = self._pairs.mild.loss[np.isfinite(self._pairs.mild.loss)]
        bounds = mu_from_profile(self, losses[np.linspace(0, len(losses) - 1, _LOSSES).astype(int)])
        return max(low, bounds[0]), bounds[1]

    def _renyi(self, order: float) -> float:
        return math.inf if self._pieces.diverges(order) else self._pairs.risky._renyi(order)

    def renyi_bounds(self, order: float) -> Bounds:
        high = self._renyi(order) if order < math.inf else math.inf
        if order == math.inf or (math.isinf(high) and order > 1):
            return super().renyi_bounds(order)
        slack = 8 * self.rounding
        return Bounds(self._pairs.mild._renyi(order) * (1 - slack), high * (1 + slack))

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        p, q, loss = self._cells.nodes
        mass = q if present else p
        some = (mass > 0) & np.isfinite(loss)
        return float(np.sum(mass[some] * function(loss[some])))

    def _max_loss(self) -> tuple[float, float]:
        bounded = self.loss_bounded[0]
        low, high = (max(bound, 0.0) for bound in self._pieces.largest_loss())
        if bounded and not self._pieces.q_only.faint:
            return low, high
        return (math.inf, math.inf) if bounded is False else (low, math.inf)

    def _power_at_zero(self) -> float:
        return self._pieces.q_only.sure

    def infinity_mass(self) -> Bounds:
        apart, hidden = self._pieces.q_only, self._pairs.hidden[0]
        most = apart.sure + hidden
        if most <= 0:
            return Bounds(0.0, 0.0)
        # a mass that was seen is not zero, however few of its digits are known
        return Bounds(
            max(apart.sure * (1 - self.input_rounding) - apart.error, 0.0),
            min(max(most * (1 + self.input_rounding) + apart.error, 1e-320), 1.0),
        )

    def _mirrored(self) -> TradeOff:
        if self.symmetric:
            return self
        return RatioCurve(self.q, self.p, False, (self.loss_bounded[1], self.loss_bounded[0]), forward=self)

    # ---- tests on the outputs themselves ---------------------------------------------------------------

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        pieces = self._pieces
        rates = np.zeros((4, len(loss)))
        rates[1], rates[2] = self._alone[0].hi, self._alone[1].hi
        if pieces.pieces:
            above, below = pieces.split(loss)
            for i, (law, part) in enumerate(((self.p, above), (self.p, below), (self.q, above), (self.q, below))):
                rates[i] += measured(law, *part)[0].sum(axis=0)
        return rates[0], rates[1], rates[2], rates[3]

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self._pairs.mild._log_slope(alpha, co)

    def plateau(self, loss: float, near: float) -> float | None:
        """A log-ratio that is constant on a stretch of outputs, if there is one that ``near`` to ``loss``."""
        for stretch in self._pieces.pieces:
            losses = stretch.losses
            close = np.abs(losses - loss) <= near
            level = close[1:] & close[:-1] & (np.abs(np.diff(losses)) <= _LEVEL * (1 + abs(loss)))
            if level.any():
                return float(np.median(losses[1:][level]))
        return None
