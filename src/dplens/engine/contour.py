"""Contour integrals with a proved bracket.

E_P(e^L − e^e)₊ = e^e/(2πi)·∫ e^{K(s) − s·e}/(s(s − 1)) ds over Re s = c > 1 ("call"), and
E_P min(e^L, e^e) is minus the same integral over 0 < Re s < 1 ("floor"). The trapezoidal sum over a line differs
from the integral by aliasing, truncation, the errors of K and rounding; each is bounded here.
"""

from __future__ import annotations

import math

import numpy as np

from dplens.engine.composition import Composition
from dplens.engine.laws import UNIT, Floats

_WORK = 1e7  # elementary functions that one line may cost
_NODES = 20_000
_CELLS = 2_000_000  # entries of the phase table worked on at once


class NoDecay(Exception):
    """The characteristic function does not fall off soon enough for this route."""


class Line:
    """The line Re s = c, sampled for all e in [low, high].

    Sum = Σ over all copies of the wanted quantity at e + j·period, each weighted by e^{c·j·period}; copies are never
    negative, so the sum errs upwards only, and Chernoff's bound at another real point of the same strip says by
    how much at most.
    """

    def __init__(self, comp: Composition, c: float, low: float, high: float, goal: float) -> None:
        self.c, self.low, self.high = c, low, high
        self.is_call = c > 1
        k, _, dd = comp.real(c)
        spread = math.sqrt(max(dd, 1e-300))
        # what the scaled integral amounts to at the far ends of the stretch that the line serves
        size = 0.005 / (abs(c * (c - 1)) * max(spread, 1.0 / min(abs(c), abs(c - 1))))
        self._room = goal * size
        self._copies = _copies(comp, c, k, -math.log(self._room) + 2, low, high, spread)
        period = max(self._copies[0][2] - low, self._copies[1][2] + high, 1e-3 * spread)
        self.step = 2 * math.pi / period
        self.period = period
        count = self._nodes(comp, spread)
        t = self.step * np.arange(count, dtype=float)
        s = np.asarray(c + 1j * t, dtype=complex)
        total, error = comp.evaluate(s)
        self.k, k_error = float(total[0].real), float(error[0])
        self.t = t
        weight = np.exp(total - self.k) * (self.step / math.pi)
        weight[0] *= 0.5
        self.weight = weight  # e^{K(s) − K(c)}
        self.s = s
        kernel = weight / (s * (s - 1)) * (1 if self.is_call else -1)
        self.kernel_re, self.kernel_im = kernel.real.copy(), kernel.imag.copy()
        sizes = np.abs(kernel)
        reach = math.ceil(math.log2(count + 2)) + 24
        with np.errstate(over="ignore"):
            self._noise = float(np.sum(sizes * (np.expm1(error + k_error) + reach * UNIT)))
        self._phase_noise = 2 * UNIT * float(np.sum(sizes * t))
        edge = self.step * (count - 1)
        self._cut = float(comp.envelope(c, np.array([edge]))[0]) / (math.pi * edge)
        self._k_error = k_error + 4 * UNIT * abs(self.k)

    def _nodes(self, comp: Composition, spread: float) -> int:
        """How many nodes until what is cut off no longer counts."""
        edge = 2.0 / spread
        while True:
            count = edge / self.step
            if not count * comp.cost(self.c, edge) < _WORK or count > _NODES:
                raise NoDecay
            if float(comp.envelope(self.c, np.array([edge]))[0]) / (math.pi * edge) <= self._room:
                return max(8, math.ceil(count) + 2)
            edge *= 1.2

    def _sums(self, e: Floats, re: Floats, im: Floats) -> Floats:
        """Σ Re{(re + i·im)·e^{−i·t·e}}."""
        out = np.empty(len(e))
        rows = max(1, _CELLS // len(self.t))
        for start in range(0, len(e), rows):
            phase = np.multiply.outer(e[start : start + rows], self.t)
            out[start : start + rows] = np.sum(re * np.cos(phase) + im * np.sin(phase), axis=1)
        return out

    def bracket(self, e: Floats) -> tuple[Floats, Floats]:
        """Low and high end of call(e) (c > 1) or floor(e) (0 < c < 1)."""
        value = self._sums(e, self.kernel_re, self.kernel_im)
        noise = self._noise + self._phase_noise * np.abs(e) + self._cut
        copies = np.zeros_like(e)
        for other, factor, _ in self._copies:
            if math.isfinite(other):
                gap = abs(other - self.c)
                log_copy = factor - self.k + (self.c - other) * e - gap * self.period
                copies += np.exp(np.minimum(log_copy, 700.0)) / -math.expm1(-gap * self.period)
        log_scale = self.k + (1 - self.c) * e
        scale = np.exp(np.minimum(log_scale, 700.0))
        slack = 1 + self._k_error + 4 * UNIT * (1 + np.abs((1 - self.c) * e))
        low = np.maximum(value - noise - copies, 0.0) * scale / slack
        return low, np.maximum(value + noise, 0.0) * scale * slack + 1e-307

    def tail(self, e: Floats) -> Floats:
        """P(L > e), approximately: it decays too slowly to be certified, and only guides."""
        ratio = self.weight / self.s
        return self._sums(e, ratio.real, ratio.imag) * np.exp(np.minimum(self.k - self.c * e, 700.0))

    def weighted_tail(self, e: Floats) -> Floats:
        """E[e^{−L}; L > e] for c > 1, approximately; for c < 1 that minus E[e^{−L}]."""
        ratio = self.weight / (self.s - 1)
        return self._sums(e, ratio.real, ratio.imag) * np.exp(np.minimum(self.k + (1 - self.c) * e, 700.0))

    def density(self, e: Floats) -> Floats:
        """Density of the loss under H0, approximately."""
        return self._sums(e, self.weight.real, self.weight.imag) * np.exp(np.minimum(self.k - self.c * e, 700.0))


def _kappa(c: float, is_call: bool) -> float:
    """sup over x of (e^x − 1)₊·e^{−c·x} for a call, of min(e^x, 1)·e^{−c·x} for a floor."""
    if not is_call:
        return 1.0
    a = c - 1
    return (a / c) ** a / c if a > 0 else 1.0


def _copies(
    comp: Composition, c: float, k: float, depth: float, low: float, high: float, spread: float
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """For the copies on either side: (the other real point, log kappa + K there, reach).

    The copies above e are below e^{−depth} when period ≥ reach − e, those below when period ≥ reach + e.
    """
    is_call = c > 1
    steps = np.array([0.4, 1.2, 3.0, 7.0, 16.0]) / spread
    room = 1 - c if not is_call else math.inf
    above = [c + d for d in steps if d < room] + ([1.0] if not is_call else [])
    floor = 1.0 if is_call else 0.0
    below = [c - d for d in steps if d < c - floor] + [floor]
    found = []
    for others in (above, below):
        best = (math.nan, 0.0, math.inf)
        for other in others:
            value = comp.real(other)[0]
            value += 1e-9 * abs(value) + 1e-12  # an upper bound of K, whatever its rounding
            factor = value + math.log(_kappa(other, is_call))
            reach = (factor - k + depth) / abs(other - c)
            if reach < best[2]:
                best = (other, factor, reach)
        found.append(best)
    top = comp.support[1]
    if is_call and top < found[0][2]:
        found[0] = (math.inf, 0.0, top + 1e-12 * abs(top))  # beyond the largest loss there is nothing
    return found[0], found[1]
