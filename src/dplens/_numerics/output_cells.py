"""Outputs cut into so many cells that neighbouring ones are hardly told apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dplens._numerics.laws import Floats, Law, coarse_tails
from dplens._numerics.masses import interval_mass
from dplens._numerics.ratio_pieces import RatioPieces, Stretch

Indices = npt.NDArray[np.intp]

_EPS = float(np.finfo(float).eps)
_SIMPSON = np.array([1.0, 4.0, 1.0]) / 6
_HALVES = np.array([[5.0, 8.0, -1.0], [-1.0, 8.0, 5.0]]) / 24  # the same parabola, integrated over either half
_FLAT = 1.2e-2  # change of log-densities across a cell up to which halves are told apart
_FIFTH = 0.1  # Simpson's error by the bend and the square of the change, many times what an exponential needs
_ALIKE = 4.0  # log of the ratio of widths up to which neighbours are compared
_COUNTS = 1e-15  # mass times span of a cell, relative to rates or deltas, that is not to be misjudged
_ROUNDS, _PARTS, _MOST = 8, 32, 120_000  # of cutting; parts of a cell each time; cells in all
_AT_LEAST, _WORTH = 4, 1.02  # rounds, and how many more cells make a further one worth its time
_ENOUGH = 0.3  # parts that a cell may lack
_EASIER = [(1.25, 1.0)] * 12 + [(1.25, 1.25)] * 28  # fewer parts for rare and for other outputs, time after time
# mass times span of losses within a cell, relative to rates or deltas of at least so much
_LEVELS, _GAPS = np.array([1e-60, 1e-33, 1e-14]), np.array([1e-1, 1e-3, 5e-6, 1.1e-6])
_WORSE = 1000.0  # how much smaller the error of a mean is to be than its span: errors add up
_FLATS = np.array([1.0, 0.2, 0.03, 0.02])  # change of log-densities that is enough for Simpson's rule, by level
_SMOOTH = 1e-10  # relative error of a mass from which on the distribution function is asked
_ROUGH = 0.15  # Simpson's error by the difference between the bends of neighbouring cells, at a square-root cusp
_ZONE = 4.0  # floats next to an end of the support on which nothing is known of the ratio
_APPROACH = 0.5 ** np.arange(1.0, 60.0)  # steps towards an end
_SETTLED = 1e-6  # a ratio that moves less than this next to the zone has a limit
_COARSE = 0.5  # a span of losses within which means are not to be trusted
_VAGUE = 1e-3  # relative error of a mass, or of 1 + |loss|, from which on nothing is said about the ratio
_TINY = 1e-290  # a mass that has lost digits to underflow
_NOTHING = 1e-200  # mass beyond the outermost quantiles that need not be looked after


@dataclass(frozen=True, eq=False)
class OutputCells:
    """Cells of the outputs that both laws have: masses, and the span of log q/p in each.

    ``loss``: log of the mean ratio; ``noise``: absolute error of the losses; ``error``: relative error of the masses;
    ``halved``: the same for a cell and its neighbour that cancels in their sum.
    ``nodes``: masses under P and Q and losses of three nodes a cell, for means of smooth functions of the loss.
    """

    p: Floats
    q: Floats
    loss: Floats
    low: Floats
    high: Floats
    noise: Floats
    error: Floats
    halved: Floats
    nodes: tuple[Floats, Floats, Floats]


@dataclass(frozen=True, eq=False)
class _Cut:
    """Cells between places x[0] < x[1] < x[2], one column each, with log p, log q and log q/p there."""

    x: Floats
    log_p: Floats
    log_q: Floats
    loss: Floats
    closed: bool  # the losses have relative accuracy

    def under(self, rule: Floats) -> tuple[Floats, Floats]:
        """log of the masses under P by a rule with these weights, and log of the mean of q/p."""
        top = _most(self.log_p)
        with np.errstate(all="ignore"):
            weight = rule[:, None] * np.exp(self.log_p - top)
            total = weight[0] + weight[1] + weight[2]
            mass = top + np.log(self.x[2] - self.x[0]) + np.log(total)
            excess = weight[0] * np.expm1(self.loss[0] - self.loss[1]) + weight[2] * np.expm1(
                self.loss[2] - self.loss[1]
            )
            mean = self.loss[1] + np.log1p(excess / total)
        mean = np.clip(np.where(np.isfinite(mean), mean, self.loss[1]), -_most(-self.loss), _most(self.loss))
        return np.where(np.isfinite(mass), mass, -math.inf), mean

    @property
    def change(self) -> Floats:
        """How much log p and log q change at most."""
        return _most(self.log_p) + _most(-self.log_p) + self.span

    def rule_errors(self) -> tuple[Floats, Floats]:
        """How far Simpson's rule may be off for the masses, relative, and for the means of the ratio.

        Its error is of fifth order for a smooth function, and a share of how the function bends next to a cusp. In
        either case it is a small part of what the bends of three neighbouring cells differ by.
        """
        width, log_p = self.x[2] - self.x[0], self.log_p
        with np.errstate(all="ignore"):
            before, after = log_p[0] - log_p[1], log_p[2] - log_p[1]
            up, down = np.expm1(self.loss[0] - self.loss[1]), np.expm1(self.loss[2] - self.loss[1])
            bends = np.expm1(before) + np.expm1(after), np.exp(before) * up + np.exp(after) * down
            # what a bend would be in the cell before
            scale = np.exp(np.diff(log_p[1])) * (width[:-1] / width[1:]) ** 2
            scale[np.abs(np.diff(np.log(width))) > _ALIKE] = 0.0
            found = []
            for bend in bends:
                off = np.zeros((2, len(bend)))
                off[0, :-1], off[1, 1:] = scale * bend[1:], np.where(scale > 0, bend[:-1] / scale, 0.0)
                off = bend - off
                smooth = np.abs(off.sum(axis=0))
                even = np.append(scale, 0.0) * np.append(0.0, scale) > 0
                off = np.where(even, smooth, np.abs(off).max(axis=0, initial=0.0))
                found.append(np.nan_to_num(_ROUGH * off + _FIFTH * self.change**2 * np.abs(bend), nan=math.inf))
        return found[0], found[1]

    @property
    def span(self) -> Floats:
        """How much log q/p changes."""
        return _most(self.loss) + _most(-self.loss)

    def split(self, pieces: RatioPieces, parts: Indices) -> _Cut:
        """Each cell in so many parts of equal width."""
        size = 2 * parts + 1
        start = np.cumsum(size) - size
        row = np.repeat(np.arange(len(parts)), size)
        at = np.arange(len(row)) - start[row]
        x = self.x[0][row] + (self.x[2] - self.x[0])[row] * (at / (2 * parts[row]))
        logs = np.empty((3, len(x)))
        known = np.array([self.log_p, self.log_q, self.loss])
        whole = parts == 1
        for end, index, rows in (
            (0, start, slice(None)),
            (1, (start + 1)[whole], whole),
            (2, start + size - 1, slice(None)),
        ):
            x[index], logs[:, index] = self.x[end][rows], known[:, end, rows]
        inner = (at > 0) & (at < size[row] - 1)
        new = inner & ~whole[row]
        logs[:, new] = _densities(pieces, x[new])
        first = np.flatnonzero(inner & (at % 2 == 1)) - 1
        points = np.array([first, first + 1, first + 2])
        log_p, log_q, loss = logs[:, points]
        return _Cut(x[points], log_p, log_q, loss, self.closed)

    def take(self, rows: npt.NDArray[np.bool_], sign: int = 1) -> _Cut:
        """Some of the cells, with the laws exchanged if ``sign`` is negative."""
        logs = (self.log_p, self.log_q) if sign > 0 else (self.log_q, self.log_p)
        first, second = (log[:, rows] for log in logs)
        return _Cut(self.x[:, rows], first, second, sign * self.loss[:, rows], self.closed)


class _Outer(NamedTuple):
    """What lies between the outermost node of a stretch and its end: masses, the loss at the node, the span."""

    p: float
    q: float
    loss: float
    low: float
    high: float


def cells_of(pieces: RatioPieces) -> OutputCells:
    """All outputs that both laws have, cut until no cell spans more losses than its share of the rates allows.

    Masses come from Simpson's rule where it agrees with the distribution function, else from whichever of both errs
    less. Next to an end of the support at which the ratio has no limit, and beyond quantiles that do not reach far
    enough, the span of a cell is infinite.
    """
    columns, outer = [np.empty((3, 0))], []
    even = pieces.crossings(np.zeros(1))[:, 0]  # there delta(0) is told exactly
    for piece, at in zip(pieces.pieces, even):
        x = _clear(piece)
        x = np.unique(np.append(x, np.clip(at, x[0], x[-1])))
        outer += [_beyond(pieces, x, end, inward) for end, inward in ((piece.start, 1), (piece.end, -1))]
        columns.append(np.array([x[:-1], (x[:-1] + x[1:]) / 2, x[1:]]))
    outer = [cell for cell in outer if cell is not None]
    x = np.concatenate(columns, axis=1)
    log_p, log_q, loss = _densities(pieces, x.ravel()).reshape(3, *x.shape)
    cut = _Cut(x, log_p, log_q, loss, pieces.grid.closed)
    for number in range(_ROUNDS):
        wanted, rare = _needed(cut, outer)
        for easier in _EASIER:  # if there would be too many, all are told less well, rare outputs first
            if np.maximum(wanted, 1.0).sum() < _MOST:
                break
            wanted = wanted / np.where(rare, easier[0], easier[1])
        parts = np.clip(np.ceil(wanted - _ENOUGH), 1, _PARTS).astype(np.intp)
        if not parts.sum() > len(parts) * (1.0 if number < _AT_LEAST else _WORTH) or parts.sum() > 2 * _MOST:
            break
        cut = cut.split(pieces, parts)
    return _measured(pieces, cut, outer)


def _clear(piece: Stretch) -> Floats:
    """The nodes of a stretch, and more towards an end where it has one, but none within a few floats of that."""
    x = piece.x
    for edge, inner in ((piece.start, x[0]), (piece.end, x[-1])):
        if math.isfinite(edge) and edge != inner:
            zone = _ZONE * np.spacing(abs(edge))
            kept = x[np.abs(x - edge) >= zone]
            if not len(kept):
                return piece.x[:1]
            near = kept[np.argmin(np.abs(kept - edge))]
            x = np.append(kept, edge + (near - edge) * _APPROACH)
            x = x[np.abs(x - edge) >= zone]
    return np.unique(x)


def _beyond(pieces: RatioPieces, x: Floats, end: float, inward: int) -> _Outer | None:
    near = float(x[0] if inward > 0 else x[-1])
    if end == near:
        return None
    low, high = (np.array([v]) for v in sorted((end, near)))
    p, q = (float(interval_mass(law, low, high)[0]) for law in (pieces.p, pieces.q))
    places = np.array([near, 2 * near - end if math.isfinite(end) else near])
    losses = pieces.loss(places)
    change = abs(float(losses[1] - losses[0]))
    at = float(losses[0])
    if max(p, q) < _NOTHING or (math.isfinite(end) and change < _SETTLED):
        return _Outer(p, q, at, at - change, at + change)
    return _Outer(p, q, math.log(q) - math.log(p) if min(p, q) > 0 else at, -math.inf, math.inf)


@np.errstate(all="ignore")
def _needed(cut: _Cut, outer: list[_Outer]) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Into how many parts each cell is to be cut, and which cells are rare in either world.

    Within a cell power and delta are unknown by up to a quarter of its mass times its span of losses. That is to be
    small beside the power and beta at false-positive rates that are not too small, beside delta, and the same in the
    mirror image.
    """
    mass, mean = cut.under(_SIMPSON)
    other = cut.take(np.ones(len(mean), dtype=bool), -1).under(_SIMPSON)[0]
    p, q = (np.append(np.exp(log), [cell[i] for cell in outer]) for i, log in enumerate((mass, other)))
    loss = np.append(mean, [cell.loss for cell in outer])
    span = np.append(cut.span, np.zeros(len(outer)))
    down = np.argsort(-loss, kind="stable")
    doubt = np.append(np.minimum(cut.rule_errors()[1], cut.span), np.zeros(len(outer)))
    change = np.append(cut.change, np.zeros(len(outer)))
    wanted, rare = np.ones(len(p)), np.ones(len(p), dtype=bool)
    for order, steep, flat, sign in ((down, q[down], p[down], 1.0), (down[::-1], p[down[::-1]], q[down[::-1]], -1.0)):
        taken, paid, at, blur = np.cumsum(steep), np.cumsum(flat), sign * loss[order], steep * span[order]
        left, unpaid = np.cumsum(steep[::-1])[::-1], np.cumsum(flat[::-1])[::-1]
        rises = -np.expm1(np.diff(at)) * np.exp(at[:-1] + np.log(paid[:-1]))
        delta = np.where(at > 0, np.cumsum(np.append(0.0, np.nan_to_num(rises))) + blur, math.inf)
        rare[order] &= np.minimum(taken, left) < _LEVELS[-1]
        for size, depth in ((np.minimum(taken, left), np.minimum(paid, unpaid)), (delta, delta)):
            level = np.searchsorted(_LEVELS, depth)
            found = np.sqrt(np.maximum(blur, _WORSE * steep * doubt[order]) / size / _GAPS[level])
            found = np.fmax(found, np.where(blur / size > _COUNTS, change[order] / _FLATS[level], 1.0))
            wanted[order] = np.fmax(wanted[order], found)
    count = len(mean)
    room = (cut.x[2] - cut.x[0]) / (_ZONE * np.spacing(np.maximum(np.abs(cut.x[0]), np.abs(cut.x[2]))))
    wanted = np.where(cut.span < 4 * _noise(cut), 1.0, wanted[:count])
    return np.clip(np.minimum(wanted, room), 1.0, 1e3), rare[:count]


@np.errstate(all="ignore")
def _measured(pieces: RatioPieces, cut: _Cut, outer: list[_Outer]) -> OutputCells:
    """The cells with masses and errors; each from the law under which it is the more likely."""
    columns: list[tuple[Floats, ...]] = [(*np.array(outer).reshape(-1, 5).T, *np.zeros((3, len(outer))))]
    nodes = []
    for law, rows, sign in ((pieces.p, cut.loss[1] <= 0, 1), (pieces.q, ~(cut.loss[1] <= 0), -1)):
        part = cut.take(rows, sign)
        mass, other, found = _of_law(law, pieces.q if sign > 0 else pieces.p, part)
        for p, q, loss, low, high, *rest in found:
            columns.append((p, q, loss, low, high, *rest) if sign > 0 else (q, p, -loss, -high, -low, *rest))
        nodes.append((mass, other, part.loss) if sign > 0 else (other, mass, -part.loss))
    means = tuple(np.concatenate([x.ravel() for x in column]) for column in zip(*nodes))
    return OutputCells(*(np.concatenate(column) for column in zip(*columns)), means)  # pyright: ignore


def _of_law(law: Law, other: Law, cut: _Cut) -> tuple[Floats, Floats, list[tuple[Floats, ...]]]:
    """Masses of the nodes under a law and under the other, and columns of cells, halved where that costs nothing."""
    (log_mass, mean), (rough, doubt) = cut.under(_SIMPSON), cut.rule_errors()
    size = np.spacing(np.maximum(np.abs(cut.x[0]), np.abs(cut.x[2]))) / (cut.x[2] - cut.x[0])
    error = _EPS * (4 + np.abs(cut.log_p[1])) + np.minimum(cut.change, 1.0) * size + rough
    off = ~(rough < _SMOOTH)
    if off.any():
        by_tails, wrong = _by_tails(law, cut.x[0][off], cut.x[2][off])
        better = (wrong < rough[off] * by_tails) & (by_tails > _TINY)
        log_mass[off] = np.where(better, np.log(by_tails), log_mass[off])
        error[off] = np.where(better, error[off] - rough[off] + wrong / by_tails, error[off])
    noise = _noise(cut) + cut.span * size
    rare = log_mass < math.log(_NOTHING)
    vague = ~((noise < _VAGUE * (1 + np.abs(mean))) & (error < _VAGUE) | rare)
    flat = (cut.change < _FLAT) & ~off & ~vague
    columns = []
    for rows, points in ((~flat, (0, 1, 2)), (flat, (0, 1)), (flat, (1, 2))):
        part = cut.take(rows)
        mass, middle = (log_mass[rows], mean[rows]) if len(points) == 3 else part.under(_HALVES[points[0]])
        low, high, wide = part.loss[points, :].min(axis=0), part.loss[points, :].max(axis=0), noise[rows]
        middle = np.clip(middle, low, high)
        low, high = (np.where(vague[rows], side * math.inf, x + side * wide) for side, x in ((-1, low), (1, high)))
        wide = np.nan_to_num(np.where(vague[rows], _VAGUE, wide + np.fmin(doubt[rows], high - low)), nan=_VAGUE)
        there = np.exp(mass + middle)
        if (coarse := part.span > _COARSE).any():  # too wide for a mean: the other law is asked itself
            own, off_by = _by_tails(other, part.x[0][coarse], part.x[2][coarse])
            seen = own > _TINY
            there[coarse] = np.where(seen, own, there[coarse])
            mean_there = np.clip(np.log(own) - mass[coarse], low[coarse], high[coarse])
            middle[coarse] = np.where(seen, mean_there, middle[coarse])
            wide[coarse] = np.where(seen, noise[rows][coarse] + off_by / own, wide[coarse])
        third = part.change**3 / 48 if len(points) == 2 else np.zeros(len(mass))  # error of a half, relative
        wrong, wide = np.fmin(error[rows], 1.0), np.fmin(wide, 1.0)
        columns.append((np.exp(mass), there, middle, low, high, wide, wrong, third))
    weight = _SIMPSON[:, None] * np.exp(cut.log_p - _most(cut.log_p))
    mass = np.exp(log_mass) * weight / weight.sum(axis=0)
    return mass, mass * np.exp(cut.loss), columns


def _noise(cut: _Cut) -> Floats:
    """Rounding errors of the losses: the last digits of two log-densities, unless their difference has its own form."""
    spread = np.abs(cut.loss[1]) if cut.closed else np.abs(cut.log_p[1]) + np.abs(cut.log_q[1]) + 1
    return 8 * _EPS * spread


def _by_tails(law: Law, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """P(low < X < high) as a difference in the nearer tail, and its rounding error."""
    below, above = law.cdf(high), law.sf(low)
    upper = above < below
    tail, rest = np.where(upper, above, below), np.where(upper, law.sf(high), law.cdf(low))
    error = 4 * _EPS * tail * (2 - np.log(np.maximum(tail, 1e-320)) / 4) + (4 * _EPS if coarse_tails(law) else 0.0)
    return np.maximum(tail - rest, 0.0), error


def _most(rows: Floats) -> Floats:
    return np.maximum(np.maximum(rows[0], rows[1]), rows[2])


def _densities(pieces: RatioPieces, x: Floats) -> Floats:
    """Rows of log p, log q and log q/p."""
    with np.errstate(all="ignore"):
        log_p, log_q = pieces.p.logpdf(x), pieces.q.logpdf(x)
        return np.array([log_p, log_q, pieces.loss(x) if pieces.grid.closed else log_q - log_p])
