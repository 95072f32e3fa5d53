"""Error rates of the best tests between two continuous laws, at many thresholds at once."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dplens._numerics.laws import Floats, Law, coarse_tails, sure_tails
from dplens._numerics.masses import edge_mass, interval_mass
from dplens._numerics.ratio_pieces import SETTLED, RatioPieces
from dplens._numerics.search import sign_change

Indices = npt.NDArray[np.intp]

_EPS = float(np.finfo(float).eps)
_DIGITS = 1e-14  # relative error of a tail, besides what its exponent loses
STEEPEST = 640.0  # losses beyond it count as proof
_SMALL = 1e-3  # a tail that a rule at the end of the support may know better
_CLOSE = 1e-2  # residual of a crossing by the step between thresholds: its square counts
_NEAR = 0.25 ** np.arange(2.0, 16.0)  # steps from the outermost thresholds, next to which rates change quickly
_STEP, _FIRST = 1e-9, 1e-4  # least step between thresholds, and from 0, by the largest one or 1
_EVEN = np.arange(-60.0, 60.0, 0.2)  # thresholds of a first look where quantiles are far apart
_ROUGH, _USUAL, _MOST = 4000, 20_000, 80_000  # thresholds of a first look, as a rule, and at most
_EASIER = [(1.5, 1.0)] * 10 + [(1.2, 1.2)] * 30  # fewer parts for rare and for other outputs, time after time
_WORK = 400_000  # thresholds times the stretches that they cross
# Relative width that is meant for deltas of at least so much: rare outputs are told less well.
_LEVELS, _WIDTHS = np.array([1e-60, 1e-33, 1e-14]), np.array([1e-1, 1e-3, 9e-7, 6e-7])
_SHARE = 1e-2  # of the power and the largest loss: a delta below it is one next to that loss, and counts as so much


class ThresholdRates(NamedTuple):
    """Rates of the tests "log q/p above ``loss``", each from the end of the axis that keeps its digits.

    ``low``, ``high``: bounds of delta at the losses; ``mirrored``: with P and Q exchanged, at minus the losses.
    """

    loss: Floats
    alpha: Floats
    co: Floats
    power: Floats
    beta: Floats
    low: Floats
    high: Floats
    mirrored: tuple[Floats, Floats]

    def exchanged(self) -> ThresholdRates:
        """The same with the two worlds exchanged."""
        loss, alpha, co, power, beta, low, high = (x[::-1] for x in self[:-1])
        less, more = (x[::-1] for x in self.mirrored)
        return ThresholdRates(-loss, beta, power, co, alpha, less, more, (low, high))


def threshold_rates(pieces: RatioPieces, symmetric: bool) -> ThresholdRates:
    """Rates at so many thresholds that the tangents of delta are hardly apart from its chords.

    Between two thresholds they differ by at most a quarter of the change of alpha times that of e^loss. ``symmetric``:
    losses below 0 are of no interest.
    """
    loss = np.unique(np.concatenate([np.zeros(1), *(piece.losses for piece in pieces.pieces)]))
    loss = np.unique(np.append(loss, _EVEN[(loss[0] < _EVEN) & (loss[-1] > _EVEN)]))
    loss = loss[(np.abs(loss) <= STEEPEST) & ((loss >= 0) | (not symmetric))]
    if len(loss) > _ROUGH:
        loss = np.unique(np.append(loss[np.linspace(0, len(loss) - 1, _ROUGH).astype(int)], 0.0))
    near = [loss[-1] - np.ptp(loss) * _NEAR, *([] if symmetric else [loss[0] + np.ptp(loss) * _NEAR])]
    loss = _apart(np.unique(np.concatenate([loss, *near])))
    rough = rates_at(pieces, loss)
    if len(loss) < 2:
        return rough
    wanted = np.maximum(_wanted(rough), _wanted(rough.exchanged())[::-1])
    crossed = np.zeros(len(loss))
    for low, high in _spans(pieces, loss):
        crossed[low:high] += 1
    rare = np.minimum(rough.power, rough.co)[:-1] < _LEVELS[-1]
    wanted = wanted * np.clip(_USUAL / np.sum(np.maximum(wanted, 1.0)), 1.0, 4.0)  # closer where that costs little
    for easier in _EASIER:  # if there would be too many, all are told less well, rare outputs first
        parts = np.maximum(wanted, 1.0)
        if np.sum(parts) < _MOST and np.sum(parts * crossed[:-1]) < _WORK:
            break
        wanted = wanted / np.where(rare, easier[0], easier[1])
    parts = np.clip(np.ceil(wanted), 1.0, _MOST).astype(np.intp)
    row = np.repeat(np.arange(len(parts)), parts)
    share = (np.arange(len(row)) - (np.cumsum(parts) - parts)[row]) / parts[row]
    return rates_at(pieces, np.unique(np.append(loss[:-1][row] + share * np.diff(loss)[row], loss[-1])))


def _apart(loss: Floats) -> Floats:
    """Thresholds, 0 and the outermost ones among them, that are no nearer to each other than floats allow."""
    size = min(float(np.max(np.abs(loss))), 1.0)
    bins = np.floor(loss / (_STEP * size)) if size > 0 else loss
    kept = np.append(True, np.diff(bins) > 0) & (np.abs(loss) > _FIRST * size)
    kept[[0, -1]] = True
    return loss[kept | (loss == 0)]


@np.errstate(all="ignore")
def _wanted(rates: ThresholdRates) -> Floats:
    """Into how many parts each step between thresholds above 0 is to be cut."""
    loss, alpha, power = rates.loss, rates.alpha, rates.power
    price = np.exp(loss) * alpha
    size = np.maximum(power - price, _SHARE * power * min(float(loss[-1]), 1.0))
    size = np.minimum(size, np.minimum(rates.beta, 2 * price))
    size = np.maximum(size[1:], size[:-1] / 4)
    gap = -np.diff(alpha) * np.exp(loss[:-1]) * np.expm1(np.diff(loss)) / 4
    found = np.sqrt(gap / size / _WIDTHS[np.searchsorted(_LEVELS, size)])
    return np.where(loss[:-1] >= 0, np.clip(np.nan_to_num(found, nan=1.0, posinf=1.0), 1.0, 1e3), 1.0)


def _spans(pieces: RatioPieces, loss: Floats) -> list[tuple[int, int]]:
    """Of each stretch, the thresholds that it crosses: from the first one to before the last one."""
    ends = np.array([(min(s.losses[0], s.losses[-1]), max(s.losses[0], s.losses[-1])) for s in pieces.pieces])
    return [(int(low), int(high)) for low, high in np.searchsorted(loss, ends.reshape(-1, 2))]


@np.errstate(all="ignore")
def rates_at(pieces: RatioPieces, loss: Floats) -> ThresholdRates:
    """Rates at increasing thresholds, from the masses of the bins of losses between them.

    A stretch crosses a threshold once, near the place that is found. What lies between the two places counts for next
    to nothing in delta, as the densities are in the ratio of the threshold there. Masses are differences of tails; in
    their sums all tails but the outermost cancel, so that a rate has the errors of the tails at the ends of its set.
    """
    count, spans = len(loss), _spans(pieces, loss)
    found, off, level = _crossings(pieces, loss, spans)
    size = np.array([high - low for low, high in spans], dtype=np.intp)
    last = np.cumsum(size + 2) - 1  # of each stretch, which goes from its least loss on
    first = last - size - 1
    x, bins = np.empty(len(found) + 2 * len(size)), np.empty(len(found) + 2 * len(size), dtype=np.intp)
    inner = np.ones(len(x), dtype=bool)
    inner[first] = inner[last] = False
    x[inner], bins[inner] = found, level
    for piece, (low, high), a, b in zip(pieces.pieces, spans, first, last):
        x[[a, b]] = (piece.start, piece.end) if piece.rising else (piece.end, piece.start)
        bins[[a, b]] = low, high
    joined = np.ones(max(len(x) - 1, 0), dtype=bool)
    joined[last[:-1]] = False
    sign = np.repeat([1.0 if piece.rising else -1.0 for piece in pieces.pieces], size + 1)
    cell = np.where(inner, bins + 1, bins)[:-1][joined]  # a threshold is the upper end of its bin
    rates, errors, logs, totals = [], [], [], []
    for law, median in zip((pieces.p, pieces.q), pieces.medians):
        tail, error = _tails(law, x, median)
        logs.append(law.logpdf(found))
        place = 2 * np.spacing(np.maximum(np.abs(found), np.max(np.abs(pieces.medians))))
        error[inner] += np.nan_to_num(np.exp(logs[-1]) * place, posinf=1.0)
        lower = x < median
        apart = np.where(lower[:-1], 1.0, -1.0) * (1 - tail[1:] - tail[:-1])
        mass = np.where(lower[1:] != lower[:-1], apart, np.where(lower[1:], 1.0, -1.0) * np.diff(tail))[joined]
        total = np.bincount(cell, sign * mass, count + 1).astype(np.longdouble)
        ends = np.bincount(bins[~inner], error[~inner], count + 1)
        crossed = np.bincount(level, error[inner], count)
        totals.append(total)
        rates.append((np.cumsum(total[::-1])[::-1][1:], np.cumsum(total)[:-1]))
        errors.append((crossed + np.cumsum(ends[::-1])[::-1][1:], crossed + np.cumsum(ends)[:-1]))
    odd = np.exp([log + np.log(off) for log in logs])
    missed = np.bincount(level, np.nan_to_num(np.abs(odd[1] - odd[0] * np.exp(loss[level]))), count)
    (alpha, co), (power, beta) = rates
    co, power = co + pieces.p_only.sure, power + pieces.q_only.sure
    hidden, mirrored = _hidden(pieces, loss)
    # losses are known up to their last digits: outputs of the bins next to a threshold may be on its other side
    noise = np.full(count, 64 * _EPS)
    np.fmax.at(noise, level, 8 * _EPS * (8 + np.abs(logs[0]) + np.abs(logs[1])))
    noise = 8 * _EPS * np.abs(loss) if pieces.grid.closed else np.fmin(noise, 1.0)
    missed = missed + noise * (np.exp(loss) * (totals[0][1:] + totals[0][:-1])).astype(float)
    up = np.exp(loss)
    doubt = errors[1][0] + up * errors[0][0] + missed + hidden + pieces.q_only.error
    other = errors[0][1] + (errors[1][1] + missed) / up + mirrored + pieces.p_only.error
    alpha, co, power, beta = (x.astype(float) for x in (alpha, co, power, beta))
    loose = [error + np.bincount(level, mass, count) for error, mass in zip((errors[0][0], errors[1][1]), odd)]
    bounds = _deltas(loss, alpha, loose[0], power - up * alpha, doubt + 4 * _EPS * power, noise)
    back = [x[::-1] for x in (-loss, beta, loose[1], co - beta / up, other + 4 * _EPS * co, noise)]
    low, high = _deltas(*back)
    return ThresholdRates(loss, alpha, co, power, beta, *bounds, (low[::-1], high[::-1]))


def _deltas(
    loss: Floats, alpha: Floats, loose: Floats, delta: Floats, doubt: Floats, noise: Floats
) -> tuple[Floats, Floats]:
    """Bounds of delta: as a difference of rates, or as ∫ alpha d(e^loss), which is wider but has no cancellation.

    ``noise``: of the losses, by which the integral may start earlier or later.
    """
    run = np.exp(loss[:-1]) * np.expm1(np.diff(loss))
    low, high = np.maximum(delta - doubt, 0.0), np.maximum(delta, 0.0) + doubt
    less, more = np.maximum(alpha - loose, 0.0)[1:] * run, (alpha + loose)[:-1] * run
    unsure = noise * np.exp(loss) * np.append(1.0, alpha[:-1])
    less, more = (np.cumsum(x[::-1])[::-1] for x in (less, more))
    low[:-1] = np.maximum(low[:-1], less * (1 - 1e-11) - unsure[:-1])
    high[:-1] = np.minimum(high[:-1], high[-1] + more * (1 + 1e-11) + unsure[:-1])
    return low, high


@np.errstate(all="ignore")
def _crossings(pieces: RatioPieces, loss: Floats, spans: list[tuple[int, int]]) -> tuple[Floats, Floats, Indices]:
    """Where each stretch crosses thresholds, how far off these places may be, and which thresholds they are."""
    level = np.concatenate([np.zeros(0, np.intp), *(np.arange(low, high) for low, high in spans)])
    nearest = [np.zeros((4, 0))]
    for piece, (low, high) in zip(pieces.pieces, spans):
        if high > low:
            order = slice(None) if piece.rising else slice(None, None, -1)
            losses, nodes = piece.losses[order], piece.x[order]
            k = np.clip(np.searchsorted(losses, loss[low:high], side="right"), 1, len(losses) - 1)
            nearest.append(np.array([nodes[k - 1], nodes[k], losses[k - 1], losses[k]]))
    a, b, at_a, at_b = np.concatenate(nearest, axis=1)
    gaps = np.diff(loss, prepend=-math.inf, append=math.inf)
    goal, step = loss[level], np.minimum(gaps[1:], gaps[:-1])[level]
    x = a + (b - a) * np.clip(np.nan_to_num((goal - at_a) / (at_b - at_a)), 0.0, 1.0)
    seen = pieces.loss(x)
    off, some = np.zeros_like(x), np.arange(len(x))
    for last in (False, False, False, True):
        rest = seen - goal[some]
        bracket = a, x[some], b, at_a, seen, at_b
        slopes = np.fmax.reduce(np.abs([_slope(bracket, 0, 2), _slope(bracket, 0, 1), _slope(bracket, 1, 2)]))
        off[some] = np.fmin(2 * np.abs(rest) * slopes, np.abs(b - a))
        far = ~(np.abs(rest) <= _CLOSE * step[some])
        if last or not far.any():
            break
        some = some[far]
        a, b, at_a, at_b, seen, rest = (y[far] for y in (a, b, at_a, at_b, seen, rest))
        bracket = a, x[some], b, at_a, seen, at_b
        # a parabola for the place, through three known losses
        bend = (_slope(bracket, 1, 2) - _slope(bracket, 0, 1)) / (at_b - at_a)
        guess = x[some] - rest * (_slope(bracket, 0, 1) + bend * (goal[some] - at_a))
        under = rest < 0
        a, at_a, b, at_b = (
            np.where(under, x[some], a),
            np.where(under, seen, at_a),
            np.where(under, b, x[some]),
            np.where(under, at_b, seen),
        )
        inside = (np.minimum(a, b) < guess) & (guess < np.maximum(a, b))
        x[some] = np.where(inside, guess, (a + b) / 2)
        seen = pieces.loss(x[some])
    if far.any():
        left, right = sign_change(lambda y: pieces.loss(y) - goal[some[far]], b[far], a[far], limit=60)
        x[some[far]], off[some[far]] = (left + right) / 2, np.abs(left - right) + 2 * np.spacing(np.abs(left))
    return x, off, level


def _slope(points: tuple[Floats, ...], i: int, j: int) -> Floats:
    return (points[j] - points[i]) / (points[j + 3] - points[i + 3])


def _tails(law: Law, x: Floats, median: float) -> tuple[Floats, Floats]:
    """The tail at x on its side of the median, and its error."""
    tail, lower = np.empty_like(x), x < median
    tail[lower], tail[~lower] = law.cdf(x[lower]), law.sf(x[~lower])
    error = tail * (_DIGITS + 4 * _EPS * np.abs(np.log(np.maximum(tail, 1e-320))))
    coarse = coarse_tails(law)
    error[coarse & (x > law.support()[0]) & (x < law.support()[1])] += 4 * _EPS
    if not coarse or sure_tails(law):
        return tail, error
    for end, side in zip(law.support(), (lower, ~lower)):
        rows = np.flatnonzero(side & (tail < _SMALL) & (x != end))
        if math.isfinite(end) and len(rows):
            value, doubt = edge_mass(law, end, x[rows] - end)
            doubt = doubt + _DIGITS * value
            better = doubt < error[rows]
            tail[rows], error[rows] = np.where(better, (value, doubt), (tail[rows], error[rows]))
    return tail, error


def _hidden(pieces: RatioPieces, loss: Floats) -> tuple[Floats, Floats]:
    """What delta, and the mirrored one, may miss beyond the outermost nodes, where the ratio is not known.

    If it goes up from there, higher thresholds miss the outputs of H1, or count some in vain; else the lower ones.
    """
    found, up = np.zeros((2, len(loss))), np.exp(loss)
    for piece in pieces.pieces:
        for end, node, inner, outward in piece.outer():
            ends = np.array([min(end, node)]), np.array([max(end, node)])
            p, q = (float(interval_mass(law, *ends)[0]) for law in (pieces.p, pieces.q))
            if math.isfinite(end) and (change := pieces.settled(end, node)) < SETTLED:
                p, q = p * change, q * change
            beyond = loss >= inner if outward else loss < inner
            both = [np.full_like(loss, q), q / up] if outward else [up * p, np.full_like(loss, p)]
            found += np.where(beyond, both, 0.0)
    return found[0], found[1]
