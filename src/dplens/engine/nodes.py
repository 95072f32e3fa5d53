"""Loss laws known by quadrature: finitely many nodes stand for a continuous law, the more the larger t is."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import leggauss

from dplens.engine.laws import LEAST, UNIT, Complexes, Floats, LossLaw, log1p

DEPTH = 46.0  # −log of the quadrature's error and of what is cut off at its ends
REACH = 9.7  # standard deviations beyond every peak; e^{−REACH²/2} < e^{−DEPTH}
_BLOCK = 400  # points of a line worked on at once
_CHUNK = 8  # nodes summed before the sums are
_LARGE = 30.0  # exponents from which subtracting 1 changes nothing
_NEAR = 0.25
_SERIES = [1 / math.factorial(k) for k in range(2, 15)]  # what is left out is below 1e-18 of the sum
_SECOND = 72  # units: 8·8.4 and the difference, and two for what the rounding of x does
_CENTERS = 8  # points of a panel from which growth is bounded
_EXPONENT = 4  # units of rounding of an exponential for one of its exponent's parts


class NodeLine(NamedTuple):
    """A quadrature on Re s = c, everything scaled by e^{−top}; top is 0 unless the moments are large.

    Losses are complex, with Im ≥ 0, where the integral is taken along a path above the real axis.
    """

    top: float
    loss: Floats | Complexes
    tilted: Floats | Complexes  # weights·e^{c·loss − top}
    one: float  # e^{−top}
    gap: float  # M(c) − 1
    drift: complex  # Σ weights·expm1(loss): nothing but the error of the quadrature, taken off again
    mass: float  # M(c)
    rounding: float  # Σ of the sizes of the terms whose sum is the gap
    phase: float  # Σ of the sizes of the terms that t multiplies
    wobble: float  # Σ of what the rounding of exponents moves, in units, and the same for what t multiplies
    sway: float
    damped: tuple[Floats, Floats, Floats] | None = None  # up to which t terms above the axis move, and by how much

    def error(self, t: Floats) -> Floats:
        """Of M(c + it)·e^{−top}: rounding, and what the quadrature leaves out."""
        # complex products of _CHUNK terms, then pairwise sums of the chunks: eight at a time within blocks of 128
        units = 2 * _CHUNK + min(len(self.loss) / _CHUNK, 128) / 8 + 16
        error = units * UNIT * (self.rounding + t * self.phase) + 6 * math.exp(-DEPTH) * self.mass
        error += _EXPONENT * UNIT * (self.wobble + t * self.sway)
        if self.damped is None:
            return error
        until, moving, shaking = self.damped  # t·|L|·e^{−t·Im L} ≤ |L|·min(t, 2/Im L), and so is |e^{i·t·L} − 1|
        return error + UNIT * (np.minimum.outer(t, until) @ (units * moving + _EXPONENT * shaking))


class NodeLaw(LossLaw):
    """A law whose moments are sums over nodes."""

    has_long_lines = True

    @abstractmethod
    def line(self, c: float, t: float) -> NodeLine:
        """Nodes that serve Re s = c up to |Im s| = t, where the quadrature errs by less than 2·e^{−DEPTH}·M(c)."""

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        out, error = np.empty(t.shape, dtype=complex), np.empty(t.shape)
        # large t may need more nodes than small ones
        band = np.floor(np.log10(np.maximum(t, 60.0) / 60.0)).astype(int)
        edges = [0, *(np.flatnonzero(np.diff(band)) + 1), len(t)]
        for start, end in itertools.pairwise(edges):
            for i in range(start, end, _BLOCK):
                part = slice(i, min(i + _BLOCK, end))
                out[part], error[part] = self._block(c, t[part])
        return out, error

    def envelope_between(self, c: float, t: Floats) -> Floats:
        """√(1 − |phi(t)|²) moves no faster than σ·t, σ the standard deviation of the tilted loss.

        1 − |phi|² = E[1 − cos(t·D)] = g, D the difference of two independent losses, so
        |g'| ≤ E|D·sin(t·D)| ≤ √(E D²·E sin²(t·D)) ≤ √(2σ²·2g), and |(√g)'| ≤ σ.
        """
        line = self.line(c, float(t[-1]))
        apart = turned(line.loss, line.tilted, t) / line.mass
        wrong = 2 * line.error(t) / line.mass
        g = np.clip(-2 * apart.real - np.abs(apart) ** 2 - 4 * wrong, 0.0, 1.0)
        deviation = math.sqrt(max(float(self.axis(np.array([c]))[2][0]), 0.0)) * (1 + 1e-6)
        between = (np.sqrt(g[1:]) + np.sqrt(g[:-1]) - deviation * (t[1] - t[0])) / 2
        return np.sqrt(1 - np.maximum(between, 0.0) ** 2 * (1 - 1e-12))

    @abstractmethod
    def raised(self, c: float, t: float) -> NodeLine:
        """The same on a path above the real axis, where terms lose their phase instead of turning ever faster."""

    @np.errstate(all="ignore")  # bounds that leave the floats are infinite
    def growth(self, c: float, b: float, start: float, end: float) -> float:
        """By the sum over nodes without those that are out of phase from ``start`` on, around some points of the line.

        With m = M'/M at a point s0 and z = (s − s0)·(L − m),
        |M(s)| ≤ |e^{(s − s0)·m}|·(|M(s0)| + ½·Σ |w·e^{s0·L}·z²|·e^|z|).
        """
        line = self.raised(c, end + b)
        kept = np.abs(line.tilted) * np.exp(-start * line.loss.imag) > math.exp(-DEPTH) * line.mass / len(line.loss)
        loss, apart = line.loss[kept], (end - start + 2 * b) / (2 * _CENTERS)
        t = start - b + apart * np.arange(1, 2 * _CENTERS, 2)
        turned = line.tilted[kept] * np.exp(1j * np.multiply.outer(t, loss))
        here = turned.sum(axis=1)
        m = np.where(np.abs(here) > LEAST, (turned @ loss) / here, 0.0).astype(np.complex128)
        away = np.abs(loss - m[:, None])
        z = math.hypot(b, apart) * away
        first = np.where(m == 0, np.abs(turned @ loss) * math.hypot(b, apart), 0.0)
        beyond = np.abs(here) + first + np.sum(np.abs(turned) * z * z / 2 * np.exp(np.minimum(z, 700.0)), axis=1)
        found = line.top + float(np.max(b * np.abs(m.real) + apart * np.abs(m.imag) + np.log(beyond)))
        return math.inf if math.isnan(found) else found

    def fourth(self, c: float) -> Floats | float:
        line = self.line(c, 0.0)
        with np.errstate(divide="ignore"):
            return fourth_of_difference(np.real(line.loss), np.log(np.real(line.tilted)))

    def _block(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        line = self.line(c, float(t[-1]))
        moved = turned(line.loss, line.tilted, t) - 1j * t * line.drift
        re, im = line.gap + moved.real, moved.imag
        k = log1p(re, im) if line.top == 0 else log1p(line.one - 1 + re, im) + line.top
        return k, np.log1p(line.error(t) / np.maximum(np.hypot(line.one + re, im), LEAST))


@lru_cache(maxsize=4)
def legendre(points: int) -> tuple[Floats, Floats]:
    """Gauss and Legendre's points and weights on [−1, 1]."""
    return leggauss(points)


class Weights(NamedTuple):
    """Weights factor·e^log of nodes; ``blur``: how large the numbers are whose rounding the logarithms carry."""

    log: Floats
    blur: Floats | float
    factor: float = 1.0


def tilted_line(loss: Floats, shaky: Floats, weights: Weights, c: float) -> NodeLine:
    """Nodes of a law with E e^L = 1, every outcome seen: M − 1 = Σ weight·[expm1(s·L) − s·expm1(L)].

    ``shaky`` says how large the numbers are that a loss was made of: its error is less than four units of that.
    """
    log_weight, blur, factor = weights
    scaled = c * loss
    exponent = scaled + log_weight
    top = float(exponent.max())
    far, tilt = np.abs(loss), abs(c)
    sum_blur = blur + np.abs(exponent) / _EXPONENT  # the sum in the exponent is rounded once more
    if top < 20:
        weight, tilted = factor * np.exp(log_weight), factor * np.exp(exponent)
        reweighted = factor * np.exp(log_weight + loss)
        moving = tilted * far
        second = _expm1(loss, weight, reweighted)
        drift, phase = float(second.sum()), float(moving.sum() + np.abs(second).sum())
        sway = float(tilted @ shaky + moving @ (tilt * shaky + sum_blur))
        sway += float(reweighted @ shaky + ((2 + blur) * np.abs(second)).sum())  # of the drift
        # what is of first order in the loss cancels exactly, and its rounding with it
        own, other = _beyond_linear(np.minimum(np.array([scaled, loss]), _LARGE))
        other *= c
        terms = weight * (own - other)
        off = (2 + blur) * np.abs(terms)
        off += weight * ((_SECOND + np.abs(scaled)) * own + (_SECOND + far) * np.abs(other)) / _EXPONENT
        if max(float(scaled.max()), float(loss.max())) > _LARGE:
            # there the weight may be too small to be multiplied, and exponents are added, which rounds their sum
            large = (scaled > _LARGE) | (loss > _LARGE)
            raised = tilted - c * reweighted + weight * (c - 1)
            terms = np.where(large, raised, terms)
            firm = 2 + sum_blur + np.abs(log_weight + loss)
            off = np.where(large, firm * (tilted + tilt * reweighted + (1 + tilt) * weight), off)
        # a loss that is off moves both parts
        wobble = float(off.sum()) + tilt * float(np.abs(tilted - reweighted) @ shaky)
        gap, rounding = float(terms.sum()), float(np.abs(terms).sum())
        return NodeLine(0.0, loss, tilted, 1.0, gap, drift, 1 + gap, rounding, phase, wobble, sway)
    keep = exponent > top - DEPTH - 10
    loss, tilted, far = loss[keep], factor * np.exp(exponent[keep] - top), far[keep]
    parts = (tilt * shaky + sum_blur + (top - exponent) / _EXPONENT)[keep]
    mass, one = float(np.sum(tilted)), math.exp(-top)
    sizes, phase = mass * (1 + tilt), float(np.sum(tilted * far))
    wobble, sway = float(tilted @ parts), float(tilted @ (shaky[keep] + far * parts))
    return NodeLine(top, loss, tilted, one, mass - one, 0.0, mass, sizes, phase, wobble, sway)


def raised_line(loss: Complexes, shaky: Floats, log_weight: Complexes, c: float) -> NodeLine:
    """The same for nodes on a path above the real axis."""
    exponent, tilt = c * loss + log_weight, abs(c)
    top, far = float(exponent.real.max()), np.abs(loss)
    parts = tilt * shaky + np.abs(exponent) / _EXPONENT
    if top >= 20:
        keep = exponent.real > top - DEPTH - 10
        loss, tilted, far = loss[keep], np.exp(exponent[keep] - top), far[keep]
        mass, one, size = float(tilted.sum().real), math.exp(-top), np.abs(tilted)
        parts = parts[keep] + (top + np.abs(exponent[keep])) / _EXPONENT
        damped = until_damped(loss), size * far, size * (shaky[keep] + far * parts)
        rounding, wobble = float(size.sum()) * (1 + tilt), float(size @ parts)
        return NodeLine(top, loss, tilted, one, mass - one, 0.0, mass, rounding, 0.0, wobble, 0.0, damped)
    weight, tilted, reweighted = np.exp(log_weight), np.exp(exponent), np.exp(log_weight + loss)
    (own, first), (other, second) = (
        _weighed_beyond(x, weight, raised) for x, raised in ((c * loss, tilted), (loss, reweighted))
    )
    terms, sizes = own - c * other, first + tilt * second
    near = far <= _NEAR
    second = np.where(near, weight * np.expm1(np.where(near, loss, 0.0)), reweighted - weight)
    off = (_SECOND + tilt * far + far + np.abs(log_weight)) * sizes / _EXPONENT
    wobble = float(off.sum()) + tilt * float(np.abs(tilted - reweighted) @ shaky)
    drifting = np.where(near, np.abs(second), np.abs(reweighted) + np.abs(weight))
    sway = float(np.abs(reweighted) @ shaky + (2 + np.abs(log_weight)) @ drifting)
    damped = until_damped(loss), np.abs(tilted) * far, np.abs(tilted) * (shaky + far * parts)
    gap, drift, rounding = float(terms.sum().real), complex(second.sum()), float(sizes.sum())
    phase = float(np.abs(second).sum())
    return NodeLine(0.0, loss, tilted, 1.0, gap, drift, 1 + gap, rounding, phase, wobble, sway, damped)


def until_damped(loss: Complexes) -> Floats:
    """Up to which t a term moves before it is damped."""
    with np.errstate(divide="ignore", over="ignore"):
        return 2 / loss.imag


def _weighed_beyond(x: Complexes, weight: Complexes, raised: Complexes) -> tuple[Complexes, Floats]:
    """weight·(expm1(x) − x), and the sizes of what it is made of; raised = weight·e^x."""
    near = np.abs(x) <= _NEAR
    series = weight * _series(np.where(near, x, 0.0))
    far, size = raised - weight * (1 + x), np.abs(raised) + np.abs(weight) * (1 + np.abs(x))
    return np.where(near, series, far), np.where(near, np.abs(series), size)


def _beyond_linear(x: Floats) -> Floats:
    """expm1(x) − x, never negative, to ``_SECOND`` units and one for each unit of x.

    Near 0 by its series; further out |expm1(x)| is at most 8.4 times as much, and is known to eight units.
    """
    out = _series(np.clip(x, -_NEAR, _NEAR))
    far = np.abs(x) > _NEAR
    out[far] = np.expm1(x[far]) - x[far]
    return out


def _series(x: np.ndarray) -> np.ndarray:
    """expm1(x) − x for |x| ≤ _NEAR."""
    out = np.full_like(x, _SERIES[-1])
    for coefficient in _SERIES[-2::-1]:
        out *= x
        out += coefficient
    return out * x * x


def _expm1(exponent: Floats, weight: Floats, raised: Floats) -> Floats:
    """weight·expm1(exponent) without overflow where the weight is next to nothing; raised = weight·e^exponent."""
    if float(exponent.max()) <= _LARGE:
        return weight * np.expm1(exponent)
    return np.where(exponent > _LARGE, raised - weight, weight * np.expm1(np.minimum(exponent, _LARGE)))


def tilted_axis(loss: Floats, log_weight: Floats, c: Floats) -> tuple[Floats, Floats, Floats]:
    """K, K' and K'' of such a law at real points."""
    exponent = np.multiply.outer(c, loss)
    raised = exponent + log_weight
    top = raised.max(axis=1)
    if float(np.abs(exponent[:, -1]).max()) < 600 and float(top.max()) < 20:
        # M − 1 by terms that do not cancel
        weight = np.exp(log_weight)
        gaps = np.expm1(exponent) * weight
        tilted = gaps + weight
        k = np.log1p((gaps - np.multiply.outer(c, weight * np.expm1(loss))).sum(axis=1))
    else:
        tilted = np.exp(raised - top[:, None])
        k = top + np.log(tilted.sum(axis=1))
    mass = tilted.sum(axis=1)
    mean = tilted @ loss / mass
    gaps = loss - mean[:, None]
    gaps *= gaps
    gaps *= tilted
    return k, mean, gaps.sum(axis=1) / mass


def fourth_of_difference(loss: Floats, log_weight: Floats) -> float:
    """E D⁴ from above, D the difference of two independent losses whose weights need not add up to 1."""
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    square = (loss - weight @ loss) ** 2
    second, fourth = weight @ square, weight @ (square * square)
    return float(2 * fourth + 6 * second**2) * (1 + 1e-6)


def turned(loss: Floats | Complexes, weight: Floats | Complexes, t: Floats) -> Complexes:
    """Σ weight·(e^{i·t·loss} − 1).

    Equally spaced t are a + b with a from a coarse and b from a fine row, and e^{i(a + b)l} − 1 = A·B + A + B with
    A = e^{ial} − 1, B = e^{ibl} − 1: some matrix products instead of a table of sines.
    """
    step = (t[-1] - t[0]) / max(len(t) - 1, 1)
    if np.any(np.abs(np.diff(t) - step) > 8 * UNIT * t[-1]):
        return _pairwise(np.expm1(1j * np.multiply.outer(t, loss)) * weight)  # pyright: ignore[reportArgumentType]
    fine = max(1, round(math.sqrt(len(t))))
    rows = -(-len(t) // fine)
    padded = np.zeros((2, len(loss) + -len(loss) % _CHUNK), dtype=np.result_type(loss, weight))
    padded[:, : len(loss)] = loss, weight
    loss, weight = padded.reshape(2, -1, 1, _CHUNK)
    # a further row of ones each, so that the products hold the sums of A and B alone as well
    a = _minus_one_and_one((t[0] + step * fine * np.arange(rows))[:, None] * loss) * weight
    b = _minus_one_and_one((step * np.arange(fine))[:, None] * loss)
    parts = a @ b.transpose(0, 2, 1)
    parts = parts[:, :-1, :-1] + parts[:, :-1, -1:] + parts[:, -1:, :-1]
    return _pairwise(parts.transpose(1, 2, 0)).ravel()[: len(t)]


def _pairwise(terms: Complexes) -> Complexes:
    """Sums along the last axis, which are taken pairwise there."""
    return np.ascontiguousarray(terms).sum(axis=-1)


def _minus_one_and_one(angle: Floats | Complexes) -> Complexes:
    """e^{i·angle} − 1, and a row of ones."""
    chunks, rows, width = angle.shape
    out = np.empty((chunks, rows + 1, width), dtype=complex)
    if np.iscomplexobj(angle):
        out[:, :-1] = np.expm1(1j * angle)
    else:
        half = np.sin(angle / 2)
        out[:, :-1].real = -2 * half * half
        out[:, :-1].imag = np.sin(angle)
    out[:, -1] = 1.0
    return out
