"""Contour integrals with proven brackets.

E_P(e^L − e^e)₊ = e^e/(2πi)·∫ e^{K(s) − s·e}/(s(s − 1)) ds over Re s = c > 1 ("call"), and
E_P min(e^L, e^e) is minus the same integral over 0 < Re s < 1 ("floor"). The trapezoidal sum over a line differs
from the integral by aliasing, truncation, the errors of K and rounding; each is bounded here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from dplens.composition.contour.panels import Panels
from dplens.losses.base import UNIT, Complexes, Floats
from dplens.losses.total import COSTLY, Composition, Tilts, from_above, log_kappa

LONGEST = 100_000  # largest number of nodes in a sum


class NoDecay(Exception):
    """The characteristic function does not decay fast enough for this route."""


class NoPanels(NoDecay):
    """Panels do not help either."""


class _Copies(NamedTuple):
    """Bound on the copies on one side of e: they are negligible if period ≥ reach ∓ e."""

    other: float  # the real point of Chernoff's bound; infinite if there is nothing to bound
    factor: float  # log kappa + K there
    reach: float


class ContourLine:
    """The line Re s = c, sampled for all e in [low, high].

    The sum adds up copies of the quantity at e + j·period, each weighted by e^{c·j·period}. Copies are never negative,
    so the sum is an upper bound, with an error of at most Chernoff's bound at another real point of the same strip. If
    the sum would be long, the integral is computed in panels, without copies. ``goal`` is the target error, relative to
    the scaled integral at the ends.
    """

    def __init__(self, tilts: Tilts, c: float, ends: tuple[float, ...], goal: float, *, panels: bool = True) -> None:
        comp, spread, self.c = tilts.comp, tilts.spread_at(c), c
        (low, high), self.is_call, self._rare = ends, c > 1, 1e-307 + comp.rare
        # the scaled integral at the ends
        size = 0.005 / (abs(c * (c - 1)) * max(spread, 1.0 / min(abs(c), abs(c - 1))))
        self._room = goal * size
        # lines too long for an acceptable cost, or losses so large that the integral underflows
        if comp.dearest(c, 2.0 / spread) > 4 * COSTLY or not self._room > 0:
            raise NoDecay
        self._copies: Sequence[_Copies] = _copies(tilts, c, -math.log(self._room) + 2, spread)
        self.period = max(self._copies[0].reach - low, self._copies[1].reach + high, 1e-3 * spread)
        self.step = 2 * math.pi / self.period
        count, self._cut = self._extent(comp, spread)
        panels = panels and count > 4000 and comp.has_long_lines  # from this length on they are faster
        self._panels = self._in_panels(comp, count * self.step) if panels else None
        self._farthest = max(abs(low), abs(high)) * (1 + 1e-12)
        if self._panels is not None:
            self._copies, self._cut = (), self._cut + self._room
        elif count > LONGEST or count * comp.cost(c, count * self.step) > 1e8:
            raise NoPanels if panels else NoDecay
        self._sample(comp, count, (low + high) / 2)
        # relative error at the start of the link
        self.start_error = self._noise / max(abs(float(self._sums(np.array([low]), self._kernel[None])[0, 0])), 1e-300)
        if not (math.isfinite(self._noise) and (self.start_error < 1e-3 or self.is_long)):
            raise NoDecay

    def _sample(self, comp: Composition, count: int, center: float) -> None:
        """Evaluate the integrand e^{K(s) − K(c)} at the nodes, with phases relative to the center, and its errors."""
        c = self.c
        t = self.step * np.arange(count, dtype=float) if self._panels is None else self._panels.t
        total, error = comp.evaluate(c, t)
        first, uncertain = comp.evaluate(c, np.zeros(1)) if self._panels is not None else (total, error)
        self.k, k_error = float(first[0].real), float(uncertain[0])
        self._center = center if self._panels is None else 0.0
        weight = np.exp(total - (self.k + 1j * self._center * t)) / math.pi
        if self._panels is None:
            weight *= self.step
            weight[0] *= 0.5
        self._weight, self._s = weight, c + 1j * t
        self._kernel = weight / (self._s * (self._s - 1)) * (1 if self.is_call else -1)
        self._k_error = k_error + 4 * UNIT * abs(self.k)
        # |Π(M + error) − ΠM|, which holds even if the product vanishes and its error does not
        logs = total.real - self.k
        wrong = np.exp(np.minimum(logs + error + k_error, 700.0)) - np.exp(np.minimum(logs, 700.0))
        self._bound_noise(t, wrong / (math.pi * np.abs(self._s * (self._s - 1))))

    def _bound_noise(self, t: Floats, wrong: Floats) -> None:
        """Bound the error of sums over the line, without copies; ``wrong`` bounds the errors of values at the nodes."""
        sizes = np.abs(self._kernel)
        # see _power_sums; the error of a direct sum is below its count
        units = 3 * np.arange(len(t)) + 10 * math.ceil(math.sqrt(len(t))) + 24 + len(t) / 2
        if self._panels is None:
            self._noise = float(np.sum(self.step * wrong + sizes * units * UNIT))
            self._phase_noise = 2 * UNIT * float(np.sum(sizes * t))
        else:
            panels = self._panels
            self._noise_within = cache(lambda most: panels.bound(wrong, most) + panels.rounding(sizes, most))
            self._noise = self._noise_within(self._farthest)
            self._phase_noise = self._panels.bound(3 * UNIT * sizes * self._panels.reach, math.inf)

    @property
    def is_long(self) -> bool:
        """Whether its integrals are computed in panels."""
        return self._panels is not None

    def _extent(self, comp: Composition, spread: float) -> tuple[int, float]:
        """The number of nodes after which the rest is negligible, and a bound on the rest."""
        # a Gaussian loss would need √(−2·log(room))
        first = math.sqrt(2 * max(-math.log(self._room), 1.0)) / spread
        edges = np.asarray(first * 1.2 ** np.arange(110), dtype=float)
        if not comp.has_long_lines:
            edges = edges[edges / self.step <= LONGEST]
        if not len(edges):
            raise NoDecay
        cut = comp.envelope(self.c, edges) / (math.pi * edges)
        enough = np.flatnonzero(cut <= self._room)
        if not len(enough):
            raise NoDecay
        return max(8, math.ceil(float(edges[enough[0]]) / self.step) + 2), float(cut[enough[0]])

    def _in_panels(self, comp: Composition, end: float) -> Panels | None:
        """Panels up to ``end``, if a moderate number is enough."""
        c, k = self.c, comp.cgf_at(self.c)[0]
        beside = min(abs(c), abs(c - 1))  # distance from the poles

        def growth(b: float, start: float, stop: float) -> float:
            away = max(beside - b, start - b)
            if not away > 0:
                return math.inf
            return comp.growth(c, b, start, stop) - k - 2 * math.log(away)

        return Panels.covering(end, beside, growth, -math.log(self._room))

    def _sums(self, e: Floats, rows: Complexes) -> Floats:
        """Σ_k Re{rows[·, k]·e^{−i·t_k·(e − center)}}, one row of results per row."""
        if self._panels is not None:
            return self._panels.sums(rows, e - self._center)
        out = np.empty((len(rows), len(e)))
        for start in range(0, len(e), 2000):
            part = slice(start, start + 2000)
            out[:, part] = _power_sums(rows, self.step * (e[part] - self._center))
        return out

    def bracket(self, e: Floats) -> tuple[Floats, Floats]:
        """Lower and upper bound on call(e) (c > 1) or floor(e) (0 < c < 1)."""
        value, noise, scale, slack = self._scaled(e)
        copies = np.zeros_like(e)
        for other, factor, _ in self._copies:
            if math.isfinite(other):
                gap = abs(other - self.c)
                log_copy = factor - self.k + (self.c - other) * e - gap * self.period
                copies += np.exp(np.minimum(log_copy, 700.0)) / -math.expm1(-gap * self.period)
        low = np.maximum(value - noise - copies, 0.0) * scale / slack
        return low, np.maximum(value + noise, 0.0) * scale * slack + self._rare

    def upper(self, e: Floats) -> Floats:
        """The upper bound at any threshold, as copies only add to the sum."""
        value, noise, scale, slack = self._scaled(e)
        return np.maximum(value + noise, 0.0) * scale * slack + self._rare

    def _scaled(self, e: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """The sum, a bound on its error without copies, the scale of both, and the relative error of the scale."""
        value, tilt = self._sums(e, self._kernel[None])[0], (1 - self.c) * e
        noise = self._phase_noise * (abs(self._center) + np.abs(e - self._center)) + (self._noise + self._cut)
        if self._panels is not None:
            # beyond the link, it grows
            doublings = np.ceil(np.log2(np.maximum(np.abs(e) / self._farthest * (1 + 1e-13), 1.0)))
            levels, place = np.unique(doublings, return_inverse=True)
            noise += np.array([self._noise_within(self._farthest * 2.0**x) for x in levels])[place] - self._noise
        slack = (1 + self._k_error + 4 * UNIT) + 4 * UNIT * np.abs(tilt)
        return value, noise, np.exp(np.minimum(self.k + tilt, 700.0)), slack

    def tails(self, e: Floats) -> Floats:
        """P(L > e), E[e^L; L > e] and the density of the loss, approximately; on the line of a floor minus E e^L.

        They guide searches, but the integrands decay too slowly for a bracket.
        """
        rows = np.array([self._weight / self._s, self._weight / (self._s - 1), self._weight], dtype=complex)
        scale = np.exp(np.minimum(self.k - self.c * e, 700.0))
        return self._sums(e, rows) * np.array([scale, np.exp(np.minimum(self.k + (1 - self.c) * e, 700.0)), scale])

    def call_and_paid(self, e: Floats) -> Floats:
        """call(e) and minus its derivative e^e·P(L > e), approximately."""
        rows = np.array([self._kernel, self._weight / self._s], dtype=complex)
        return self._sums(e, rows) * np.exp(np.minimum(self.k + (1 - self.c) * e, 700.0))


def _power_sums(rows: Complexes, angle: Floats) -> Floats:
    """Re Σ_k rows[·, k]·z^k, z = e^{−i·angle}: small powers of z, then Horner's scheme in a large one.

    A product has an error of 2.3 units, term k of less than 3k + 10·√count + 24 units, sums of a block included. For a
    few angles the sum is computed directly.
    """
    count = rows.shape[1]
    if len(angle) <= 2:
        phase = np.multiply.outer(np.arange(count), angle)
        return rows.real @ np.cos(phase) + rows.imag @ np.sin(phase)
    block = math.ceil(math.sqrt(count))
    groups = -(-count // block)
    padded = np.zeros((len(rows), groups * block), dtype=complex)
    padded[:, :count] = rows
    # matrix products small enough for one thread: on a busy machine threads wait for each other
    width = min(max(1, 20_000 // padded.size), len(angle))
    z = np.ones(-(-len(angle) // width) * width, dtype=complex)
    z[: len(angle)] = np.cos(angle) - 1j * np.sin(angle)
    z = z.reshape(-1, width)
    powers = np.empty((len(z), block, width), dtype=complex)
    powers[:, 0] = 1.0
    for k in range(1, block):
        np.multiply(powers[:, k - 1], z, out=powers[:, k])
    inner = (padded.reshape(-1, block) @ powers).reshape(len(z), len(rows), groups, width)
    large = (powers[:, -1] * z)[:, None]
    total = inner[:, :, -1]
    for g in range(groups - 2, -1, -1):
        total = total * large + inner[:, :, g]
    return np.real(total).transpose(1, 0, 2).reshape(len(rows), -1)[:, : len(angle)]


def _copies(tilts: Tilts, c: float, depth: float, spread: float) -> tuple[_Copies, _Copies]:
    """The copies above e and those below, each below e^{−depth} from its reach on."""
    comp, is_call = tilts.comp, c > 1
    if is_call and not tilts.ended and tilts.c[-1] - c <= 3 / spread:
        tilts = tilts.more
    # tilts between the poles, and the poles themselves, where K is the log of the mass at finite losses
    strip = tilts.c > 1 if is_call else tilts.c < 1
    others = np.append(tilts.c[strip], [1.0] if is_call else [0.0, 1.0])
    values = from_above(np.append(tilts.k[strip], comp.log_finite[1:] if is_call else comp.log_finite))
    factors = values + log_kappa(others) if is_call else values  # for a floor, sup min(e^x, 1)·e^{−c·x} is 1
    with np.errstate(invalid="ignore", divide="ignore"):
        reaches = np.where(np.isfinite(factors), (factors - tilts.k_at(c) + depth) / np.abs(others - c), math.inf)
    found = []
    for side in (others > c, others < c):
        best = int(np.argmin(np.where(side, reaches, math.inf)))
        if not side[best]:
            raise NoDecay
        found.append(_Copies(float(others[best]), float(factors[best]), float(reaches[best])))
    top = comp.support[1]
    if is_call and top < found[0].reach:
        found[0] = _Copies(math.inf, 0.0, top + 1e-12 * abs(top))  # no loss is larger
    return found[0], found[1]
