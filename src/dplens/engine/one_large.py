"""Many small losses and one large one: calls of rarely sampled Gaussian steps, far beyond where small losses add up to.

If a record takes part once in a million times, nearly every step tells next to nothing, and a large loss of many steps
is one large loss of one of them: its logarithm of mass is convex, so that no tilt, and no line, has its peak there. So
the outcomes are told apart by how many steps have a loss above a cut a. With C the call of one step, S the sum of all
other losses, and psi(S) = e^S·C(e − S), which is (one large loss)'s call at e − S as long as e − S ≥ a,

    call(e)  =  [none above a]  +  n·E[psi(S); all others ≤ a]  +  [two or more],

* none: Chernoff's bound on sums of losses that are at most a;
* two or more: at most the sum over pairs of what they tell, and what all the others do besides;
* exactly one: psi is convex in e^S, and next to w(S) = e^{θ(S − m)}·cosh(η(S − m)) around the mean m of the tilted
  sum of the small others. Their ratio is enclosed between points: chords of psi lie above it, and chords of w above w
  by at most e^{D²/8} (Hoeffding's lemma, D the step times θ + η); the chords of neighbouring cells lie below psi, and a
  linear function over a convex one has its least value at an end. E w is made of moments of single steps. Others of
  medium size, and sums outside of where the ratio was looked at, are bounded from above by moments as well.

Moments E[e^{θL}; L ≤ cut] are sums over cells of x: z^θ, z = e^L, is convex for θ ≥ 1 and for θ ≤ 0, so that the mean
of z in a cell bounds it from below and the chord over the cell from above.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from dplens._numerics.sharing import Memo, Shared, cached_property, remembered
from dplens.curves.base import MILD, RISKY, Floats
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.sampled import SampledCurve
from dplens.engine.chernoff import log_kappa

_CELL, _FIRST, _LAST = 0.01, -9.0, 38.0  # of x, in standard deviations
_DIGITS = 1e-12  # relative: what sums of such cells are known to
_ENOUGH = 3e-4  # relative width that other cuts need not improve on
_SHARES = 0.65, 0.5, 0.8  # of e, at which a loss counts as large
_REACHES = 11.0, 7.0, 15.0  # standard deviations of the sum of the others up to which the ratio is looked at
_SMALLER = 3.0  # times smaller than that reach: a small loss
_POINTS = 1200
_ROUGH = 400
_TURNS = 3
_TILTS = np.geomspace(0.3, 60.0, 40)  # of θ
_ORDERS = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])  # over the standard deviation
_LARGE = 690.0
_ROUNDING = 1e-9
_FINEST = 1e-12  # spread of sums below which e^S hardly differ as floats


class Steps:
    """Equal steps: cells of x with their masses, and the losses at their ends."""

    def __init__(self, curve: SampledCurve, count: int) -> None:
        if not isinstance(curve.base, GaussianCurve):
            raise TypeError("only Gaussian steps have these cells")
        self.curve, self.count = curve, count
        mu, q = curve.base.shift, curve.rate
        x = np.arange(round(_FIRST / _CELL), round(_LAST / _CELL) + 1, dtype=np.float64) * _CELL
        p, shifted = _masses(x), _masses(x - mu)
        ends = np.expm1(np.minimum(mu * x - mu * mu / 2, _LARGE))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            mean = np.nan_to_num(shifted / p - 1, nan=-1.0, posinf=_LARGE)
            mean = np.clip(mean, ends[:-1], ends[1:])
            self.share = np.clip(np.nan_to_num((mean - ends[:-1]) / np.diff(ends), nan=1.0), 0.0, 1.0)
        self.p, self.loss, self.middle = p, np.log1p(q * ends), np.log1p(q * mean)
        self.above = ndtr(-x)
        self.gain = q * (ndtr(mu - x) - self.above)  # how much likelier under H1
        self.least = math.log1p(-q)

    def cut(self, loss: float) -> int:
        """The last end of a cell at which the loss is no larger."""
        return max(int(np.searchsorted(self.loss, loss, side="right")) - 1, 0)

    def moment(self, theta: Floats, cut: int, side: int) -> Floats:
        """log E[e^{theta·L}; L ≤ its value at the cut], from one side, for theta ≥ 1 or ≤ 0."""
        largest = np.maximum(theta * self.loss[cut], theta * self.least)
        left = np.expm1(np.minimum(np.multiply.outer(theta, [self.least, self.loss[0]]), _LARGE)) * ndtr(_FIRST)
        if side == RISKY:
            ends = np.expm1(np.minimum(np.multiply.outer(theta, self.loss[: cut + 1]), _LARGE))
            share = self.share[:cut]
            total = ((1 - share) * ends[:, :-1] + share * ends[:, 1:]) @ self.p[:cut] + left.max(axis=1)
            total[largest > _LARGE] = math.inf
        else:
            middle = np.expm1(np.minimum(np.multiply.outer(theta, self.middle[:cut]), _LARGE))
            total = middle @ self.p[:cut] + left.min(axis=1)
        total = total + side * _DIGITS * np.abs(total) - self.above[cut] * (1 - side * _DIGITS)
        with np.errstate(divide="ignore"):
            return np.log1p(np.maximum(total, -1.0))

    def between(self, theta: float, first: int, last: int) -> float:
        """E[e^{theta·L}] from above, over the cells between two cuts."""
        if first >= last:
            return 0.0
        if theta * float(self.loss[last]) > _LARGE:
            return math.inf
        ends = np.exp(theta * self.loss[first : last + 1])
        share = self.share[first:last]
        return float(((1 - share) * ends[:-1] + share * ends[1:]) @ self.p[first:last]) * (1 + 10 * _DIGITS)


def _masses(x: Floats) -> Floats:
    """Of the cells between neighbouring x, from the nearer tail."""
    below, above = ndtr(x), ndtr(-x)
    return np.where(x[1:] > 0, above[:-1] - above[1:], below[1:] - below[:-1])


class OneLarge(Shared):
    """Brackets of calls of all steps together."""

    _known = Memo()

    def __init__(self, steps: Sequence[tuple[SampledCurve, int]]) -> None:
        self.steps = [Steps(curve, count) for curve, count in steps]

    @cached_property
    def least(self) -> float:
        """The least sum there is."""
        return math.fsum(step.count * step.least for step in self.steps)

    def calls(self, e: float) -> tuple[float, float]:
        """Low and high end of call(e), e > 0."""
        return remembered(self._known, e, lambda: self._calls(e))

    def _calls(self, e: float) -> tuple[float, float]:
        low, high = 0.0, math.inf
        for share, reach in itertools.product(_SHARES, _REACHES):
            found = self._split(e, share * e, reach)
            low, high = max(low, found[0]), min(high, found[1])
            if low > (1 - _ENOUGH) * high:
                break
        return low, high

    def threshold(self, alpha: Floats) -> Floats:
        """About where losses are as rare as alpha, if one large loss makes them."""
        loss, rate = self._table
        return np.interp(-np.log(alpha), -np.log(rate), loss)

    def rate(self, loss: Floats) -> Floats:
        """About how rare such losses are."""
        table, rate = self._table
        return np.exp(np.interp(loss, table, np.log(rate)))

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        loss = self.steps[0].loss
        rate = sum(step.count * np.interp(loss, step.loss, step.above) for step in self.steps)
        return loss, np.maximum(rate, 1e-300)

    def _log_moments(self, theta: Floats, cuts: Sequence[int], but: Steps | None, side: int = RISKY) -> Floats:
        """Of the sum of all steps, or of all but one."""
        total = np.zeros(len(theta))
        for step, cut in zip(self.steps, cuts):
            number = step.count - (step is but)
            if number:
                total += number * step.moment(theta, cut, side)
        return total

    def _split(self, e: float, large: float, reach: float) -> tuple[float, float]:
        cuts = [step.cut(large) for step in self.steps]
        if any(cut + 1 >= len(step.loss) for cut, step in zip(cuts, self.steps)):
            return 0.0, math.inf
        low, high, tilt = 0.0, 0.0, 1.0
        for step, cut in zip(self.steps, cuts):
            found = _Single(self, step, cut, cuts, e, large, reach)
            if not found.usable:
                return 0.0, math.inf
            low, high, tilt = low + step.count * found.low, high + step.count * found.high, max(tilt, found.theta)
        theta = np.maximum(tilt * _TILTS, 1.0)
        none = log_kappa(theta) + self._log_moments(theta, cuts, None) - (theta - 1) * e
        high += _least(none) + self._two_or_more(cuts)
        if not math.isfinite(low + high):
            return 0.0, math.inf
        return low * (1 - _ROUNDING), high * (1 + _ROUNDING)

    def _two_or_more(self, cuts: Sequence[int]) -> float:
        """For a pair x = e^{L1 + L2} and the others y = e^S, (x·y − 1)₊ ≤ (x − 1)·y + (y − 1)₊ and E y = 1."""
        chance = sum(step.count * float(step.above[cut]) for step, cut in zip(self.steps, cuts))
        gain = sum(step.count * float(step.gain[cut]) for step, cut in zip(self.steps, cuts))
        return (gain * (2 * chance + gain) + chance**2 * self._apart) / 2

    @cached_property
    def _apart(self) -> float:
        """Total variation of all steps, from above: those of the steps add up."""
        zero = np.zeros(1)
        return min(sum(s.count * float(s.curve.bounded_profile(RISKY, zero)[0]) for s in self.steps), 1.0)


class _Single:
    """E[psi(S); all others at most the cut], where one step of a kind has a large loss."""

    def __init__(
        self, all_: OneLarge, step: Steps, cut: int, cuts: Sequence[int], e: float, large: float, reach: float
    ) -> None:
        self._all, self._step, self._cut, self._cuts, self._e, self._large = all_, step, cut, cuts, e, large
        self._tune()
        end = min(self.mean + reach * self.spread, e - large)
        self.usable = (
            self.theta - self.eta >= 1
            and end > max(self.mean + 2 * self.spread, 0.0)
            and self.mean > all_.least
            and self.spread > _FINEST
        )
        if not self.usable:
            return
        first = max(self.mean - reach * self.spread, all_.least)
        small = (end - self.mean) / _SMALLER
        self._small = [min(other.cut(small), most) for other, most in zip(all_.steps, cuts)]
        most, least = self._ratios(np.linspace(first, end, _POINTS))
        before, after = self._outside(first, end)
        self.high = most * self._weights(RISKY) + before + after + self._medium() + self._beyond()
        self.low = least * max(self._weights(MILD) - self._not_looked_at(first, end), 0.0)

    def _psi(self, total: Floats, side: int) -> Floats:
        return np.exp(total) * self._step.curve.bounded_profile(side, self._e - total)

    def _tune(self) -> None:
        """θ, η and the mean and standard deviation of the tilted sum of small others: they only guide."""
        self.mean, self.spread, apart = 0.0, 0.0, 1e-4 * self._e
        if not apart > 0:  # no loss is large beside that
            self.theta = self.eta = self.spread = math.nan
            return
        small = [other.cut(self._e / 8) for other in self._all.steps]
        for _ in range(_TURNS):
            logs = np.log(np.maximum(self._psi(self.mean + apart * np.array([-1.0, 0.0, 1.0]), RISKY), 1e-320))
            self.theta = max(float(logs[2] - logs[0]) / (2 * apart), 1.0)
            self.eta = math.sqrt(max(float(logs[2] - 2 * logs[1] + logs[0]), 0.0)) / apart
            near = self.theta * np.array([1.0, 1.02, 1.04])
            k = self._all._log_moments(near, small, self._step)
            if not np.isfinite(k).all() or abs(float(k[2])) > _LARGE:
                self.spread = math.nan  # nothing like small losses and a large one
                return
            step = near[1] - near[0]
            self.mean = min(float(k[2] - k[0]) / (2 * step), self._e / 2)
            self.spread = math.sqrt(max(float(k[2] - 2 * k[1] + k[0]) / step**2, 0.0))
            apart = min(max(self.spread / 2, 1e-4 * self._e), self._e / 4)

    def _weight(self, total: Floats) -> Floats:
        away = total - self.mean
        return np.exp(self.theta * away) * np.cosh(self.eta * away)

    def _ratios(self, total: Floats) -> tuple[float, float]:
        """Largest psi/w between the points, and least one between the inner ones."""
        above, below, weight, z = self._psi(total, RISKY), self._psi(total, MILD), self._weight(total), np.exp(total)
        step = (self.theta + self.eta) * float(total[1] - total[0])
        most = float(np.max(above / weight)) * math.exp(step * step / 8)
        # in the cell from j to j + 1: the chord of j − 1 and j, and that of j + 1 and j + 2
        left, right = below[1:-2], below[2:-1]
        flat = (left - above[:-3]) / (z[1:-2] - z[:-3])
        steep = (above[3:] - right) / (z[3:] - z[2:-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            cross = (right - left + flat * z[1:-2] - steep * z[2:-1]) / (flat - steep)
        cross = np.clip(np.where(steep > flat, cross, z[1:-2]), z[1:-2], z[2:-1])
        lines = np.maximum(left + flat * (cross - z[1:-2]), right - steep * (z[2:-1] - cross))
        least = min(np.min(lines / self._weight(np.log(cross))), np.min(below[1:-1] / weight[1:-1]))
        return most, max(float(least), 0.0)

    def _moments(self, theta: Floats, side: int = RISKY, *, small: bool = True) -> Floats:
        return self._all._log_moments(theta, self._small if small else self._cuts, self._step, side)

    def _weights(self, side: int) -> float:
        theta = self.theta + np.array([self.eta, -self.eta])
        logs = self._moments(theta, side) - theta * self.mean
        return sum(_exp(float(x)) for x in logs) / 2

    def _outside(self, first: float, end: float) -> tuple[float, float]:
        """Sums of small others outside of where the ratio was looked at: below psi is at most psi(first)."""
        orders = _ORDERS / self.spread
        below = _least(self._moments(-orders) + orders * first) if first > self._all.least else 0.0
        return float(self._psi(np.array([first]), RISKY)[0]) * below, self._above(end, orders, small=True)

    def _above(self, end: float, orders: Floats, *, small: bool) -> float:
        """E[psi(S); S > end] from above, as (e^{S + L} − e^e)₊ ≤ (e^L − 1)·e^S + (e^S − 1)."""
        theta = 1 + np.append(orders, 1 / math.expm1(end) + orders)  # from the second half on, (e^S − 1)·e^{−θS} falls
        bounds = self._moments(theta, small=small) - theta * end
        half = len(orders)
        caught = _least(bounds[:half]) * math.exp(end), _least(bounds[half:]) * math.expm1(end)
        return float(self._step.gain[self._cut]) * caught[0] + float(self._step.above[self._cut]) * caught[1]

    def _not_looked_at(self, first: float, end: float) -> float:
        """E[w] over sums outside of the inner points, from above."""
        apart = (end - first) / (_POINTS - 1)
        first, end = first + apart, end - apart
        orders = _ORDERS / self.spread
        theta = self.theta + self.eta
        above = _least(self._moments(theta + orders) - theta * self.mean - orders * end)
        theta = self.theta - self.eta
        below = _least(self._moments(-orders) + (theta + orders) * first - theta * self.mean)
        return above + below

    def _medium(self) -> float:
        """Some other loss of medium size: psi is at most H·e^{θ·S}, and for very small sums that at the first point."""
        end = self._e - self._large
        total = np.linspace(max(self._all.least, self.mean - 0.5 * self._e), end, _ROUGH)
        psi, apart = self._psi(total, RISKY), float(total[1] - total[0])
        found = []
        for theta in self.theta * np.array([1.0, 1.3, 1.7, 2.2, 3.0]):
            most = float(np.max(np.log(np.maximum(psi, 1e-320)) - theta * total)) + theta * apart
            rest = most + float(self._moments(np.array([theta]), small=False)[0])
            if not math.isfinite(rest):
                continue
            parts = (
                other.count
                * other.between(theta, first, last)
                * _exp(rest - float(other.moment(np.array([theta]), last, RISKY)[0]))
                for other, first, last in zip(self._all.steps, self._small, self._cuts)
            )
            found.append(sum(parts))
        chance = sum(
            other.count * float(other.above[first] - other.above[last])
            for other, first, last in zip(self._all.steps, self._small, self._cuts)
        )
        return min(found, default=math.inf) + float(psi[0]) * chance * (1 + _ROUNDING)

    def _beyond(self) -> float:
        """Sums of the others above e − a."""
        return self._above(self._e - self._large, self.theta * _TILTS, small=False)


def _least(logs: Floats) -> float:
    """The least of several bounds."""
    return _exp(float(np.min(logs)))


def _exp(x: float) -> float:
    """e^x, infinite rather than too small."""
    return math.exp(x) if x <= _LARGE else math.inf
