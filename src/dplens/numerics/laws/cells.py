"""Cells of the outputs of two continuous laws: their masses by quadrature, and the range of log q/p in each."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from dplens.errors import Undefined
from dplens.numerics.laws.base import Floats, Law, interval_mass, unshifted
from dplens.numerics.roots import sign_change
from dplens.numerics.sharing import cached_property

Bools = npt.NDArray[np.bool_]
Known = tuple[bool | None, bool | None]

_EPS = float(np.finfo(float).eps)
# Lobatto's rule with five nodes on [0, 1], and Simpson's with three of them, to estimate the error.
_NODES = np.array([0.0, 0.5 - math.sqrt(3 / 28), 0.5, 0.5 + math.sqrt(3 / 28), 1.0])
RULES = np.array([1 / 6, 0, 4 / 6, 0, 1 / 6]), np.array([9, 49, 64, 49, 9]) / 180
_FACTOR = 10.0
_GRAIN = 1e4  # number of floats in a cell from which on its nodes are practically exact
_RARE = 1e-290  # cells with less mass are not subdivided
_APPROACH = np.append(0.0, 0.5 ** np.arange(0.0, 62.0))  # steps towards a corner, or an end of a support
_TAIL = 1.5 ** np.arange(4.0, 1700.0)  # and outwards, for power-law tails
_STEEPEST = 640.0  # losses beyond it count as proof
# Relative width of deltas and rates from these sizes on, and relative error of masses.
_LEVELS, _WIDTHS = np.array([1e-80, 1e-40, 1e-18]), np.array([3e-1, 1e-4, 1e-5, 1.5e-7])
_SMOOTH = np.array([1e-2, 1e-4, 1e-7, 1e-12])

_UNRESOLVED = (
    "The densities change too often, or too abruptly, to be resolved by cells between the quantiles of the laws. Give "
    "densities with steps as scipy.stats.rv_histogram or as a Mixture of Uniform laws, or use coarser laws."
)


@dataclass(frozen=True, eq=False)
class Cells:
    """Masses of cells under both laws with their errors, and log q/p: bounds, log of the quotient of the masses.

    ``x``: the edges. The tails beyond the outermost edges are two further cells if they have mass.
    """

    x: Floats
    p: Floats
    q: Floats
    p_error: Floats
    q_error: Floats
    low: Floats
    high: Floats
    mean: Floats
    mean_error: Floats

    def exchanged(self) -> Cells:
        """The same with the two laws exchanged."""
        masses = self.q, self.p, self.q_error, self.p_error
        return Cells(self.x, *masses, -self.high, -self.low, -self.mean, self.mean_error)


@dataclass(frozen=True, eq=False)
class DensityPair:
    """Two laws, divided into cells so fine that the range of log q/p in each is negligible.

    Claim: certified, up to features that no finite set of values can show. A cell is resolved if two Gauss–Legendre
    rules agree; if their differences sum to more than 1e-6, the laws are rejected. Within a cell log q/p lies between
    its values at the edges or, if it turns there, within the range at the nodes extended by a quarter.
    ``monotone``: whether it provably never turns. ``bounded``: whether log q/p and log p/q are provably bounded above
    (None: unknown).
    """

    p: Law
    q: Law
    monotone: bool = False
    bounded: Known = (None, None)

    def exchanged(self) -> DensityPair:
        """The same with the two laws exchanged."""
        other = DensityPair(self.q, self.p, self.monotone, (self.bounded[1], self.bounded[0]))
        vars(other)["cells"] = self.cells.exchanged()
        return other

    @cached_property
    def _shift(self) -> tuple[Law, float, float] | None:
        """If both are shifts of one law: that law, the location of P, and the shift from P to Q."""
        (base, at), (other, to) = unshifted(self.p), unshifted(self.q)
        return (base, at, to - at) if base is other or base == other else None

    @cached_property
    def closed(self) -> bool:
        """Whether log q/p has a closed form with relative accuracy."""
        return self._shift is not None and self._shift[0].log_ratio(np.zeros(1), self._shift[2]) is not None

    @np.errstate(all="ignore")
    def loss(self, x: Floats) -> Floats:
        """log q(x)/p(x)."""
        return self._logs(x)[2]

    @np.errstate(all="ignore")
    def _logs(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        flat = x.ravel()
        log_p, log_q = self.p.logpdf(flat), self.q.logpdf(flat)
        loss = log_q - log_p
        if self.closed and self._shift is not None:
            base, at, by = self._shift
            known = base.log_ratio(flat - at, by)
            loss = loss if known is None else known
        return log_p.reshape(x.shape), log_q.reshape(x.shape), loss.reshape(x.shape)

    @np.errstate(all="ignore")
    def nodes(self, low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
        """Log-densities, multiplied by the widths of the cells, and losses at the nodes; one row per cell."""
        if np.array_equal(low[1:], high[:-1]):  # neighbours share a node
            inner = self._logs(low[:, None] + (high - low)[:, None] * _NODES[1:-1])
            ends = self._logs(np.append(low, high[-1:]))
            log_p, log_q, loss = (np.concatenate([x[:-1, None], y, x[1:, None]], axis=1) for x, y in zip(ends, inner))
        else:
            log_p, log_q, loss = self._logs(low[:, None] + (high - low)[:, None] * _NODES)
        unit = np.log(high - low)[:, None]
        return log_p + unit, log_q + unit, loss

    # ---- the cells ---------------------------------------------------------------------------------------------

    @cached_property
    def cells(self) -> Cells:
        """The cells, as many as needed."""
        x = self._first_edges()
        found, unresolved = self._measured(x)
        rounds, most_finer, finer = 14, 2, 0  # the last rounds narrow the range of losses
        for i in range(rounds):
            if unresolved.any() and i < rounds - most_finer:  # first make densities smooth within cells
                parts = np.where(unresolved, 3, 1)
            else:
                parts, finer = _parts(found)[: len(x) - 1], finer + 1
            if finer > most_finer or np.all(parts <= min(finer, 2)) or len(x) + np.sum(parts - 1) > 120_000:
                break
            row = np.repeat(np.arange(len(parts)), parts)
            share = (np.arange(len(row)) - (np.cumsum(parts) - parts)[row]) / parts[row]
            x = np.unique(np.append(x[row] + share * np.diff(x)[row], x[-1]))
            found, unresolved = self._measured(x)
        fine, some = _floats(x) > _GRAIN, np.unique(np.linspace(0, len(x) - 1, 400).astype(int))
        if float(np.sum((found.p_error + found.q_error)[: len(fine)][fine])) > 1e-6:
            raise Undefined(_UNRESOLVED)
        for law, mass in ((self.p, found.p), (self.q, found.q)):
            _refuse(law, x[some], np.diff(np.append(0.0, np.cumsum(mass))[some]))
        # losses known to be bounded are bounded by the observed values
        low, high = found.low, found.high
        seen = [float(np.max(end[np.isfinite(end)], initial=0.0)) for end in (high, -low)]
        tops = [top if bounded else math.inf for top, bounded in zip(seen, self.bounded)]
        high = np.where(np.isposinf(found.mean), high, np.minimum(high, tops[0]))
        low = np.where(np.isneginf(found.mean), low, np.maximum(low, -tops[1]))
        return replace(found, low=low, high=high)

    @cached_property
    def _corners(self) -> Floats:
        """Ends of the supports, and known corners, cusps and jumps of the densities."""
        ends = np.array([*self.p.support(), *self.q.support()])
        known = [places for law in (self.p, self.q) for places in (law.kinks(), law.jumps())]
        return np.concatenate([ends[np.isfinite(ends)], *known])

    @np.errstate(all="ignore")  # values that are not finite are dropped
    def _first_edges(self) -> Floats:
        ends, corners = np.array([*self.p.support(), *self.q.support()]), self._corners
        near = np.concatenate([corners, np.nextafter(corners, -math.inf), np.nextafter(corners, math.inf)])
        low, middle, high = self.p.ppf(np.array([0.25, 0.5, 0.75]))
        close, far = (high - low) * np.append(-_APPROACH, _APPROACH), middle + (high - low) * np.append(-_TAIL, _TAIL)
        if len(corners) < 100:
            near = np.append(near, corners[:, None] + close)
        x = np.unique(np.concatenate([self.p.landmarks, self.q.landmarks]))
        x = np.unique(np.concatenate([x, near, far[(far > x[0]) & (far < x[-1])]]))
        return x[(x >= ends[[0, 2]].min()) & (x <= ends[[1, 3]].max()) & np.isfinite(x)]

    @np.errstate(all="ignore")
    def _measured(self, x: Floats) -> tuple[Cells, Bools]:
        """The cells between the edges and beyond them, and which of the former are unresolved."""
        nodes = self.nodes(x[:-1], x[1:])
        (log_p, log_q, mean), (other_p, other_q, other) = (_totals(*nodes, weights) for weights in RULES[::-1])
        p, q = (self._mass(law, x, *logs) for law, *logs in ((self.p, nodes[0], log_p), (self.q, nodes[1], log_q)))
        apart = [np.nan_to_num(np.abs(np.expm1(a - b)), nan=1.0) for a, b in ((other_p, log_p), (other_q, log_q))]
        # if the smaller rule converges, the larger one converges twice as fast; this bound is QUADPACK's
        converged = [np.fmin(_FACTOR * d**1.5, d) for d in apart]
        # nodes are rounded, which matters as much as the densities change
        floats = _floats(x)
        blur = [np.nan_to_num(np.ptp(y, axis=1), nan=1.0, posinf=1.0) / floats for y in nodes]
        errors = [m * np.minimum(d + 4 * _EPS + y, 1.0) for d, m, y in zip(converged, (p, q), blur)]
        rough = [
            (floats > _GRAIN) & (d > _SMOOTH[np.searchsorted(_LEVELS, m)]) & (a > 10 * y) & (m > _RARE)
            for d, m, a, y in zip(converged, (p, q), apart, blur)
        ]
        depth = np.nan_to_num(np.fmax(np.abs(log_p), np.abs(log_q)), posinf=0.0)
        noise = 8 * _EPS * (np.abs(mean) if self.closed else 1 + depth)
        low, high = self._ranges(x, nodes[2], noise)
        # mass that only one law has may end one float earlier or later
        alone = np.isinf(mean)
        errors = [np.where(alone, e + m * np.minimum(2 / floats, 1.0), e) for e, m in zip(errors, (p, q))]
        mixed = ~np.isfinite(nodes[2][:, 1:-1]).all(axis=1) & ~alone & (p + q > 0)
        unsure = np.abs(mean - other)
        unsure = np.nan_to_num(np.fmin(_FACTOR * unsure**1.5, unsure), nan=math.inf, posinf=math.inf)
        mean_error = np.where(alone, 0.0, unsure + noise + blur[2])
        inner = Cells(x, p, q, errors[0], errors[1], low, high, mean, mean_error)
        return self._with_tails(inner), rough[0] | rough[1] | (mixed & (floats > 4) & (p + q > _RARE))

    def _mass(self, law: Law, x: Floats, logs: Floats, log_mass: Floats) -> Floats:
        """Masses of cells; near a pole, from the distribution function."""
        mass, pole = np.exp(log_mass), np.flatnonzero(~(logs < math.inf).all(axis=1))
        mass[pole] = interval_mass(law, x[pole], x[pole + 1])
        return mass

    @np.errstate(all="ignore")
    def _ranges(self, x: Floats, seen: Floats, noise: Floats) -> tuple[Floats, Floats]:
        """Bounds on the losses in each cell."""
        steps = np.diff(seen, axis=1)
        low, high = np.fmin.reduce(seen, axis=1), np.fmax.reduce(seen, axis=1)
        span = high - low
        # at an end of the support where both densities vanish, the ratio may or may not have a limit
        unknown, settled = np.isnan(seen[:, [0, -1]]).any(axis=1), np.ptp(seen[:, 1:-1], axis=1) < 1e-6
        if not self.monotone:
            turns = ~((steps >= -noise[:, None]).all(axis=1) | (steps <= noise[:, None]).all(axis=1))
            first, last = (np.where(np.abs(step) > noise, np.sign(step), 0.0) for step in (steps[:, 0], steps[:, -1]))
            flips = (first[1:] * last[:-1] <= 0) & (np.fmin(_floats(x)[1:], _floats(x)[:-1]) > _GRAIN)
            flips &= ~np.isin(x[1:-1], self._corners)
            turns |= np.append(False, flips) | np.append(flips, False)
            low, high = low - np.where(turns, span / 4, 0.0), high + np.where(turns, span / 4, 0.0)
        wide = np.where(unknown, np.where(settled & (_floats(x) > _GRAIN), 4 * span, math.inf), 0.0) + noise
        return np.nan_to_num(low - wide, nan=-math.inf, neginf=-math.inf), np.nan_to_num(
            high + wide, nan=math.inf, posinf=math.inf
        )

    @np.errstate(all="ignore")
    def _with_tails(self, inner: Cells) -> Cells:
        """Add the tails beyond the outermost edges, in which the ratio continues its trend."""
        x = inner.x
        p, q = (np.append(law.cdf(x[:1]), law.sf(x[-1:])) for law in (self.p, self.q))
        last, before = self.loss(x[[0, -1]]), self.loss(x[[1, -2]])
        low = np.where(last > before, last, -math.inf)
        high = np.where(last < before, last, math.inf)
        mean = np.nan_to_num(np.clip(np.log(q) - np.log(p), low, high), posinf=0.0, neginf=0.0)
        tails = p, q, 1e-13 * p, 1e-13 * q, low, high, mean, np.full(2, math.inf)
        some = (p > 0) | (q > 0)
        return Cells(x, *(np.append(getattr(inner, f.name), y[some]) for f, y in zip(fields(inner)[1:], tails)))

    # ---- tests on the outputs themselves -----------------------------------------------------------------------

    def rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """(alpha, 1 − alpha, power, beta) of the tests "log q/p above ``loss``", which may split cells."""
        c = self.cells
        up, down = np.argsort(c.low), np.argsort(c.high)
        above, below = np.searchsorted(c.low[up], loss), np.searchsorted(c.high[down], loss, side="right")
        sums = [np.append(np.cumsum(m[up][::-1])[::-1], 0.0)[above] for m in (c.p, c.q)]
        rest = [np.append(0.0, np.cumsum(m[down]))[below] for m in (c.p, c.q)]
        order = np.argsort(loss)
        first = np.searchsorted(loss[order], c.low, side="right")
        count = np.maximum(np.searchsorted(loss[order], c.high, side="left") - first, 0)
        cell = np.repeat(np.arange(len(c.p)), count)
        row = order[np.repeat(first, count) + np.arange(len(cell)) - np.repeat(np.cumsum(count) - count, count)]
        for totals, parts in zip((sums, rest), self._cut(cell, loss[row])):
            for total, part in zip(totals, parts):
                np.add.at(total, row, part)
        return sums[0], rest[0], sums[1], rest[1]

    @np.errstate(all="ignore")
    def _cut(self, cell: npt.NDArray[np.intp], loss: Floats) -> tuple[list[Floats], list[Floats]]:
        """Masses under both laws of the parts of cells where log q/p is above a threshold, and of the rest."""
        c = self.cells
        higher = c.mean[cell] > loss
        above, below = ([np.where(side, m[cell], 0.0) for m in (c.p, c.q)] for side in (higher, ~higher))
        ends = self.loss(c.x)
        inner = np.minimum(cell, len(c.x) - 2)
        left, right = ends[inner] > loss, ends[inner + 1] > loss
        some = np.flatnonzero(
            (cell == inner) & (left != right) & (c.high[cell] - c.low[cell] > 1e-12 * (1 + np.abs(loss)))
        )
        i, at, falls = inner[some], loss[some], left[some]
        low, high = c.x[i], c.x[i + 1]
        first, last = np.where(falls, low, high), np.where(falls, high, low)
        positive, negative = sign_change(lambda y: self.loss(y) - at, first, last)
        where = (positive + negative) / 2
        parts = [
            [np.exp(t) for t in _totals(*self.nodes(a, b), RULES[1])[:2]] for a, b in ((low, where), (where, high))
        ]
        for law in (0, 1):
            above[law][some] = np.nan_to_num(np.where(falls, parts[0][law], parts[1][law]))
            below[law][some] = np.nan_to_num(np.where(falls, parts[1][law], parts[0][law]))
        return above, below

    @np.errstate(all="ignore")
    def largest_seen(self) -> float:
        """A loss that is certainly attained, away from jumps of the densities."""
        x = self.cells.x[1:-1]
        x = x[~np.isin(x, [*self.p.support(), *self.q.support(), *self.p.jumps(), *self.q.jumps()])]
        loss = self.loss(x)
        noise = np.abs(loss) if self.closed else 1 + np.abs(self.p.logpdf(x)) + np.abs(self.q.logpdf(x))
        return float(np.max((loss - 8 * _EPS * noise)[np.isfinite(loss)], initial=0.0))

    @cached_property
    def infinity_mass(self) -> tuple[float, float, float]:
        """Mass of Q outside the support of P: the certain part, the part where P may only underflow, and the error."""
        cells = self.cells
        alone = np.flatnonzero(np.isposinf(cells.mean) & (cells.q > 0))
        start, end = self.p.support()
        outside = (cells.x[np.minimum(alone + 1, len(cells.x) - 1)] <= start) | (cells.x[alone] >= end)
        with np.errstate(all="ignore"):
            logs = self.p.logpdf(cells.x)
        finite = np.flatnonzero(np.isfinite(logs))
        sure = outside.copy()
        if len(finite):
            left = finite[np.clip(np.searchsorted(finite, alone, side="right") - 1, 0, None)]
            right = finite[np.clip(np.searchsorted(finite, alone + 1), None, len(finite) - 1)]
            sure |= np.minimum(logs[left], logs[right]) >= -30  # lower densities may become 0 by rounding
        mass, error = cells.q[alone], cells.q_error[alone]
        faint = float(np.sum(mass[~sure]))
        beyond = self.q.support()[0] < start or self.q.support()[1] > end
        if beyond and not outside.any():
            faint += 1e-320  # too small for a float
        certain, unsure = float(np.sum(mass[sure])), float(np.sum(error[sure]))
        return (certain, faint, unsure) if certain > unsure else (0.0, faint + certain + unsure, 0.0)


def _refuse(law: Law, x: Floats, mass: Floats) -> None:
    """Raise if masses from the density disagree with the distribution function.

    This detects densities that oscillate within cells: their values at the nodes vary while the masses do not.
    """
    with np.errstate(all="ignore"):
        gap = np.abs(mass - np.diff(law.cdf(x)))
    if float(np.sum(gap[np.isfinite(gap)])) > 1e-3:
        raise Undefined(_UNRESOLVED)


def _floats(x: Floats) -> Floats:
    """The number of floats in each cell."""
    return np.diff(x) / np.spacing(np.maximum(np.abs(x[1:]), np.abs(x[:-1])))


def _totals(log_p: Floats, log_q: Floats, loss: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Logs of the masses of cells under both laws, and of their quotient, from the nodes of a rule."""
    first, second = _log_sum(log_p, weights), _log_sum(log_q, weights)
    near = np.max(np.abs(loss), axis=1) < 1  # as a mean of small numbers, which keeps the digits of small shifts
    small = np.where(near[:, None], loss, 0.0)
    mean = np.log1p((np.exp(log_p - first[:, None]) * np.expm1(small)) @ weights)
    return first, second, np.where(near, mean, second - first)


def _log_sum(logs: Floats, weights: Floats) -> Floats:
    top = np.max(logs, axis=1)
    shift = np.where(np.isfinite(top), top, 0.0)
    return shift + np.log(np.exp(logs - shift[:, None]) @ weights)


def _parts(cells: Cells, usual: int = 60_000) -> npt.NDArray[np.intp]:
    """The number of parts into which to divide each cell; the error falls with its square."""
    (found, rare), (other, unlikely) = _wanted(cells), _wanted(cells.exchanged())
    rare = np.where(found > other, rare, unlikely)
    found = np.maximum(found, other)
    found = found * np.clip(usual / 2 / max(float(np.sum(found)), 1.0), 1.0, 4.0)  # finer if that is cheap
    for kind, most in ((rare, usual / 2), (found > 0, usual)):  # reduce the resolution of rare outputs first
        found = np.where(kind, found / max(float(np.sum(found[kind])) / most, 1.0), found)
    return np.clip(np.ceil(found), 1, 1000).astype(np.intp)


@np.errstate(all="ignore")
def _wanted(cells: Cells) -> tuple[Floats, Bools]:
    """Each cell's share in the width of delta, a quarter of its mass times its range of losses; and which are rare."""
    order = np.argsort(-np.nan_to_num(cells.mean))
    loss, p, q = (x[order] for x in (np.nan_to_num(cells.mean), cells.p, cells.q))
    alpha, power, beta = np.cumsum(p), np.cumsum(q), np.cumsum(q[::-1])[::-1]
    price = np.exp(np.minimum(loss, _STEEPEST)) * alpha
    top = float(np.max(loss, initial=0.0))
    size = np.maximum(power - price, 1e-2 * power * min(top, 1.0))
    size = np.minimum(size, np.minimum(beta, 2 * price))
    span = np.minimum((cells.high - cells.low)[order], 2.0)
    gap = q * span / 4
    found = np.sqrt(gap / size / _WIDTHS[np.searchsorted(_LEVELS, size)])
    found = np.where((loss >= 0) & (loss < _STEEPEST) & np.isfinite(found), found, 0.0)
    back = np.argsort(order)
    rare = np.array((size < _LEVELS[-1]) | (alpha < 1e-25), dtype=bool)
    return found[back], rare[back]
