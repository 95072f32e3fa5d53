"""Distributions of the privacy loss of one step, given by cumulant generating functions (cgf).

With L = log dQ/dP, P the law under H0 and Q under H1, K(s) = log M(s) and M(s) = E_P[e^{s·L}; L finite]. Infinite
losses are excluded, so M(0) = 1 − infinity_masses[0] and M(1) = 1 − infinity_masses[1]. Composition adds cgfs.

All laws except the Gaussian one are sums over nodes: the losses themselves if there are finitely many, otherwise the
nodes of a quadrature with an error bound.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]

LEAST = 1e-150  # lower bound on moduli in logarithms and errors
UNIT = 1.2e-16  # half a unit in the last place, rounded up
DEPTH = 46.0  # −log of the relative error of a quadrature, and of its truncation
PANEL = 64  # points of a panel of a long line
_CHUNK = 8  # nodes are summed in chunks of this size first
_NEAR = 0.25  # largest argument for which expm1(x) − x is computed by its series
_SERIES = [1 / math.factorial(k) for k in range(2, 15)]  # the remainder is below 1e-18 of the sum
_SECOND = 72  # error of expm1(x) − x in units: 8·8.4, the subtraction, and two for the rounding of x
_EXPONENT = 4  # rounding error of an exponential, in units, per term of its exponent


class StepLoss(ABC):
    """The loss of one step in one direction."""

    infinity_masses: tuple[float, float] = (0.0, 0.0)  # under H0 at minus infinity, under H1 at plus infinity
    support: tuple[float, float] = (-math.inf, math.inf)  # of the finite losses
    rare: float = 0.0  # mass, under either hypothesis, of outcomes omitted because it nearly underflows
    tail_mu: float = 0.0  # mu of a Gaussian upper tail of the loss
    is_symmetric: bool = False  # whether exchanging H0 and H1 gives the same law
    has_long_lines: bool = False  # whether lines that need very many nodes may be integrated by panels

    @abstractmethod
    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        """K(c + it), on any branch of the logarithm, and its error: log(1 + bound on |error of M|/|M|).

        Such errors add up over steps: Π(|M_i| + error_i) − Π|M_i| bounds the error of the product.
        """

    @abstractmethod
    def cgf(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        """K, K', K'' at real points; the derivatives only guide the choice of lines."""

    @abstractmethod
    def envelope(self, c: float, t: Floats) -> Floats:
        """Bound on |e^{K(c + iu) − K(c)}| that holds for every u ≥ t, for increasing t."""

    @abstractmethod
    def cost(self, c: float, t: float) -> float:
        """Cost of one value of K at c + it, in elementary function calls."""

    def growth(self, c: float, b: float, start: float, end: float) -> float:
        """Bound on log|M(s)| where |Re s − c| ≤ b and start − b ≤ Im s ≤ end + b.

        M may be replaced by a function that differs from it on Re s = c, Im s ≥ start, by less than the error.
        """
        return float(np.max(self.cgf(np.array([c - b, c + b]))[0])) + 1e-9


@dataclass(frozen=True)
class GaussianLoss(StepLoss):
    """K(s) = s(s − 1)·mu²/2, exactly."""

    mu: float
    is_symmetric = True

    @property
    def tail_mu(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.mu

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        half = self.mu**2 / 2
        k = (c * (c - 1) - t * t) * half + 1j * ((2 * c - 1) * half * t)
        return k, 4 * UNIT * np.abs(k)

    def cgf(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        half = self.mu**2 / 2
        return c * (c - 1) * half, (2 * c - 1) * half, np.full_like(c, 2 * half)

    def envelope(self, c: float, t: Floats) -> Floats:
        return np.exp(-((self.mu * t) ** 2) / 2) * (1 + 1e-14)

    def cost(self, c: float, t: float) -> float:
        return 4.0

    def growth(self, c: float, b: float, start: float, end: float) -> float:
        most = max((c + x) * (c + x - 1) for x in (-b, b))
        return (most - max(start - b, 0.0) ** 2) * self.mu**2 / 2


class Nodes(NamedTuple):
    """Losses and the logarithms of their weights under H0, along the last axis; several laws have a row each.

    Complex losses, with Im ≥ 0, belong to a path of integration above the real axis.
    """

    loss: Floats | Complexes
    log_weight: Floats | Complexes
    loss_error: Floats  # error of the losses, in units of 4·UNIT
    weight_error: Floats  # error of the logarithms of the weights, in units of 4·UNIT


class NodeLaw(StepLoss):
    """A law whose moments are sums over nodes."""

    @abstractmethod
    def grade(self, c: float, t: float) -> float:
        """The approximate spacing of nodes required for Re s = c up to |Im s| = t."""

    @abstractmethod
    def nodes(self, first: float, last: float, grade: float) -> Nodes:
        """Nodes for all tilts between two; the error of the sum is below 2·e^{−DEPTH}·M(c)."""

    def nodes_for(self, first: float, last: float, t: float) -> Nodes:
        """Nodes for all tilts between two, up to |Im s| = t."""
        return self.nodes(first, last, min(self.grade(first, t), self.grade(last, t)))

    def quadrature(self, c: float, t: float) -> Quadrature:
        """The quadrature for Re s = c up to |Im s| = t."""
        return _quadrature(self, c, self.grade(c, t))

    def evaluate(self, c: float, t: Floats) -> tuple[Complexes, Floats]:
        if t[-1] < 600 and len(t) <= 400:
            return self.quadrature(c, float(t[-1])).evaluate(t)
        parts = []
        last = t if len(t) % PANEL else np.repeat(t[PANEL - 1 :: PANEL], PANEL)
        band = np.floor(np.log10(np.maximum(last, 60.0) / 60.0))  # large t may need more nodes than small ones
        for part in np.split(t, np.flatnonzero(np.diff(band)) + 1):
            for i in range(0, len(part), 6 * PANEL):
                some = part[i : i + 6 * PANEL]
                parts.append(self.quadrature(c, float(some[-1])).beyond(float(some[0])).evaluate(some))
        k, error = (np.concatenate(x, axis=-1) for x in zip(*parts))
        return k, error

    def cgf(self, c: Floats) -> tuple[Floats, Floats, Floats]:
        first, last = float(c.min()), float(c.max())
        loss, log_weight, *_ = self.nodes_for(first, last, 0.0)
        loss, log_weight = loss.real[..., None, :], log_weight.real[..., None, :]
        exponent = c[:, None] * loss
        raised = exponent + log_weight
        top = raised.max(axis=-1, keepdims=True)
        mass = k = tilted = np.zeros(1)
        if float(max(np.abs(exponent).max(), np.abs(loss).max())) < 600 and float(top.max()) < 20:
            # M − 1 from terms that do not cancel
            at_h0, at_h1 = (np.asarray(x)[..., None] for x in self.infinity_masses)
            weight = np.exp(log_weight)
            gaps = np.expm1(exponent)
            gaps *= weight
            tilted = gaps + weight
            gaps -= c[:, None] * (weight * np.expm1(loss))
            gap = gaps.sum(axis=-1) - at_h0 + c * (at_h0 - at_h1)
            mass = tilted.sum(axis=-1)
            k = np.where(gap > -0.5, np.log1p(np.maximum(gap, -0.5)), np.log(np.maximum(mass, 1e-300)))
        if not mass.min() > 1e-8:  # M is large, or so small that only the sum of its terms has digits
            tilted = np.exp(raised - top)
            mass = tilted.sum(axis=-1)
            k = top[..., 0] + np.log(mass)
        mean = (tilted @ loss.swapaxes(-1, -2))[..., 0] / mass
        gaps = loss - mean[..., None]
        with np.errstate(over="ignore", invalid="ignore"):  # squares of the largest losses overflow
            gaps *= gaps
            gaps *= tilted
        return k, mean, gaps.sum(axis=-1) / mass


class Quadrature(NamedTuple):
    """Nodes on Re s = c, everything scaled by e^{−top}; top is 0 unless the moments are large.

    With (a, b) the infinity masses, M(s) − 1 = Σ weight·[expm1(s·L) − s·expm1(L)] − a + s·(a − b): first-order
    terms in the loss cancel exactly, and so does their rounding. Sums keep the axis of the nodes, with length one.
    """

    top: float
    loss: Floats | Complexes
    tilted: Floats | Complexes  # weights·e^{c·loss − top}
    gap: Floats  # M(c) − 1
    sum_error: Floats | Complexes  # Σ weights·expm1(loss) minus its exact value, by quadrature; it is subtracted
    mass: Floats  # M(c)
    rounding: Floats  # Σ of the absolute values of the terms whose sum is the gap
    phase: Floats  # Σ of the absolute values of the terms multiplied by t
    exponent_error: Floats  # Σ of the effects of rounded exponents, in units
    phase_error: Floats  # the same for the terms multiplied by t
    fallen: complex = 0.0  # Σ tilted of the nodes left out
    damped: tuple[Floats, Floats, Floats] | None = None  # the t up to which terms above the axis vary, and by how much

    @classmethod
    def of(cls, nodes: Nodes, c: float, infinity_masses: tuple[float, float]) -> Quadrature:
        """The quadrature from nodes for the tilt c. Several laws at once must have a top of 0."""
        loss, log_weight, loss_error, weight_error = nodes
        exponent, tilt, far = c * loss + log_weight, abs(c), np.abs(loss)
        top = float(exponent.real.max())
        parts = tilt * loss_error + np.abs(exponent) / _EXPONENT + weight_error
        if top >= 20:
            keep = exponent.real > top - DEPTH - 10
            loss, far, parts, loss_error = loss[keep], far[keep], parts[keep] + top, loss_error[keep]
            tilted = np.exp(exponent[keep] - top)
            size, mass = np.abs(tilted), np.real(_total(tilted))
            gap, sum_error, rounding = mass - math.exp(-top), 0.0 * mass, _total(size) * (1 + tilt)
            phase, phase_error, exponent_error = sum_error, sum_error, _total(size * parts)
        else:
            top, (at_h0, at_h1) = 0.0, (np.asarray(x)[..., None] for x in infinity_masses)
            weight, tilted, reweighted = np.exp(log_weight), np.exp(exponent), np.exp(log_weight + loss)
            size = np.abs(tilted)
            own, own_error = _nonlinear(c * loss, weight, tilted, weight_error)
            other, other_error = _nonlinear(loss, weight, reweighted, weight_error)
            terms = own - c * other
            near = far <= _NEAR
            rise = np.where(near, weight * np.expm1(np.where(near, loss, 0.0)), reweighted - weight)
            rise_size = np.where(near, np.abs(rise), np.abs(reweighted) + np.abs(weight))
            gap = np.real(_total(terms)) - at_h0 + c * (at_h0 - at_h1)
            sum_error = _total(rise) - (at_h0 - at_h1)
            mass, rounding, phase = 1 + gap, _total(np.abs(terms)) + at_h0 + at_h1, _total(np.abs(rise))
            exponent_error = _total(own_error + tilt * (other_error + np.abs(tilted - reweighted) * loss_error))
            phase_error = _total(np.abs(reweighted) * loss_error + (2 + weight_error) * rise_size)
        moving, moving_error = size * far, size * (loss_error + far * parts)
        damped = None
        if np.iscomplexobj(loss):
            with np.errstate(divide="ignore", over="ignore"):
                damped = 2 / loss.imag, moving, moving_error
        else:
            phase, phase_error = phase + _total(moving), phase_error + _total(moving_error)
        return cls(top, loss, tilted, gap, sum_error, mass, rounding, phase, exponent_error, phase_error, damped=damped)

    def beyond(self, t: float) -> Quadrature:
        """The same for larger t only, without the nodes whose terms have decayed to e^{−DEPTH}·M(c) together."""
        if not np.iscomplexobj(self.loss):
            return self
        kept = np.abs(self.tilted) * np.exp(-t * self.loss.imag) > math.exp(-DEPTH) * self.mass / len(self.loss)
        return self._replace(loss=self.loss[kept], tilted=self.tilted[kept], fallen=complex(self.tilted[~kept].sum()))

    def error(self, t: Floats) -> Floats:
        """Error of M(c + it)·e^{−top}: rounding and quadrature error."""
        # complex products of _CHUNK terms, then pairwise sums of the chunks: eight at a time within blocks of 128
        units = 2 * _CHUNK + min(self.loss.shape[-1] / _CHUNK, 128) / 8 + 16
        error = UNIT * (units * self.rounding + _EXPONENT * self.exponent_error) + 7 * math.exp(-DEPTH) * self.mass
        error = error + t * (UNIT * (units * self.phase + _EXPONENT * self.phase_error))
        if self.damped is None:
            return error
        until, moving, moving_error = self.damped  # t·|L|·e^{−t·Im L} ≤ |L|·min(t, 2/Im L), and so is |e^{i·t·L} − 1|
        return error + UNIT * (np.minimum.outer(t, until) @ (units * moving + _EXPONENT * moving_error))

    def evaluate(self, t: Floats) -> tuple[Complexes, Floats]:
        """K(c + it) and its error."""
        moved = _turned(self.loss, self.tilted, t) - self.fallen - 1j * t * self.sum_error
        re, im, scale = self.gap + moved.real, moved.imag, math.exp(-self.top)
        k = log1p(re, im) if self.top == 0 else log1p(scale - 1 + re, im) + self.top
        return k, np.log1p(self.error(t) / np.maximum(np.hypot(scale + re, im), LEAST))


class RaisedPath(NamedTuple):
    """Nodes above the real axis, where terms decay with t instead of oscillating ever faster; scaled by e^{−top}."""

    top: float
    loss: Complexes
    tilted: Complexes  # weights·e^{c·loss − top}
    mass: float  # M(c), to rounding

    @classmethod
    def of(cls, nodes: Nodes, c: float) -> RaisedPath:
        """The path for the tilt c."""
        exponent = c * nodes.loss + nodes.log_weight
        top = float(exponent.real.max())
        tilted = np.exp(exponent - top)
        return cls(top, nodes.loss.astype(complex), tilted, float(tilted.sum().real))

    @property
    def log_mass(self) -> float:
        """K(c)."""
        return self.top + math.log(self.mass)

    def damping(self, t: Floats) -> Floats:
        """Bound on |M(c + iu)|/M(c) for every u ≥ t: Σ |weight|·e^{−u·Im L}."""
        least, size = 12 * math.exp(-DEPTH), np.abs(self.tilted) / self.mass
        out = np.full(len(t), 2 * least)
        for i in range(0, len(t), 16):
            part = slice(i, i + 16)
            out[part] = np.exp(-np.multiply.outer(t[part], self.loss.imag)) @ size + least
            if out[part][-1] < 2 * least:
                break
        return np.minimum(out * (1 + 1e-11), 1.0)


def _total(terms: np.ndarray) -> np.ndarray:
    """The sum over the nodes."""
    return terms.sum(axis=-1, keepdims=True)


@lru_cache(maxsize=128)
def _quadrature(law: NodeLaw, c: float, grade: float) -> Quadrature:
    return Quadrature.of(law.nodes(c, c, grade), c, law.infinity_masses)


def _nonlinear(x: np.ndarray, weight: np.ndarray, raised: np.ndarray, log_error: Floats) -> tuple[np.ndarray, Floats]:
    """weight·(expm1(x) − x) and its error, in units of 4·UNIT; raised = weight·e^x.

    ``log_error``: the error of the logarithm of the weight, in the same units. Losses count as exact.
    """
    near = np.abs(x) <= _NEAR
    small = np.where(near, x, 0.0)
    series = np.full_like(small, _SERIES[-1])
    for coefficient in _SERIES[-2::-1]:
        series *= small
        series += coefficient
    series *= weight * small * small
    size = np.abs(x)
    near_error = np.abs(series) * (log_error + (_SECOND + size) / _EXPONENT)
    if near.all():
        return series, near_error
    far_error = np.abs(raised) * (2 * log_error + size + 2) + np.abs(weight) * (1 + size) * (log_error + 2)
    return np.where(near, series, raised - weight * (1 + x)), np.where(near, near_error, far_error)


def _turned(loss: Floats | Complexes, weight: Floats | Complexes, t: Floats) -> Complexes:
    """Σ weight·(e^{i·t·loss} − 1); t are equally spaced, or panels whose points are spaced alike, or anything."""
    step, near = (t[-1] - t[0]) / max(len(t) - 1, 1), 8 * UNIT * t[-1]
    if not np.any(np.abs(np.diff(t) - step) > near):
        fine = max(1, round(math.sqrt(len(t))))
        coarse = t[0] + step * fine * np.arange(-(-len(t) // fine))
        return _of_sums(coarse, step * np.arange(fine), loss, weight)[..., : len(t)]
    if len(t) % PANEL:
        return _pairwise(_minus_one(t[:, None] * loss[..., None, :]) * weight[..., None, :])
    rows = t.reshape(-1, PANEL)
    beyond = rows - rows[:, :1]
    same = np.flatnonzero(np.any(np.abs(np.diff(beyond, axis=0)) > near, axis=1)) + 1
    groups = np.split(np.arange(len(rows)), same)
    return np.concatenate([_of_sums(rows[g, 0], beyond[g[0]], loss, weight) for g in groups], axis=-1)


def _of_sums(coarse: Floats, fine: Floats, loss: Floats | Complexes, weight: Floats | Complexes) -> Complexes:
    """Σ weight·(e^{i·t·loss} − 1) for all sums t = a + b of a coarse and a fine number.

    e^{i(a + b)l} − 1 = A·B + A + B with A = e^{ial} − 1, B = e^{ibl} − 1: a few matrix products instead of a table of
    sines.
    """
    *laws, count = loss.shape
    chunk = min(_CHUNK, count)
    padded = np.zeros((2, *laws, count + -count % chunk), dtype=np.result_type(loss, weight))
    padded[..., :count] = loss, weight
    loss, weight = padded.reshape(2, *laws, -1, 1, chunk)
    # an additional row of ones in each, so that the products also contain the sums of A and B
    a = _minus_one_and_one(coarse[:, None] * loss) * weight
    b = _minus_one_and_one(fine[:, None] * loss)
    parts = a @ b.swapaxes(-1, -2)
    parts = parts[..., :-1, :-1] + parts[..., :-1, -1:] + parts[..., -1:, :-1]
    return _pairwise(np.moveaxis(parts, -3, -1)).reshape(*laws, -1)


def _pairwise(terms: Complexes) -> Complexes:
    """Pairwise sums along the last axis."""
    return np.ascontiguousarray(terms).sum(axis=-1)


def _minus_one_and_one(angle: Floats | Complexes) -> Complexes:
    """e^{i·angle} − 1, and a row of ones."""
    *chunks, rows, width = angle.shape
    out = np.ones((*chunks, rows + 1, width), dtype=complex)
    out[..., :-1, :] = _minus_one(angle)
    return out


def _minus_one(angle: Floats | Complexes) -> Complexes:
    """e^{i·angle} − 1 for Im angle ≥ 0: both parts to some units of its modulus, and faster than NumPy's expm1."""
    half = angle.real / 2
    sine, cosine = np.sin(half), np.cos(half)
    real, imag = -2 * sine * sine, 2 * sine * cosine
    if np.iscomplexobj(angle):  # with r = e^{−Im angle}: r·cos − 1 = (r − 1)·cos + cos − 1
        fall = np.expm1(-angle.imag)
        real, imag = real + fall * (1 + real), imag * (1 + fall)
    return real + 1j * imag


def log1p(x: Floats, y: Floats) -> Complexes:
    """log(1 + x + iy) with relative accuracy near 0, where NumPy's log1p loses the real part; finite everywhere."""
    out = np.empty(np.broadcast_shapes(x.shape, y.shape), dtype=complex)
    size = (1 + x) ** 2 + y * y
    small = size < 0.25
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.log1p(x * (2 + x) + y * y)
    out.real = 0.5 * np.where(small, np.log(np.maximum(size, LEAST**2)), near)
    out.imag = np.arctan2(y, 1 + x)
    return out
