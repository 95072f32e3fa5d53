"""The sum of a normal variable and any noise with a density, enclosed without trusting a quadrature rule.

P(S + N > x) = E g(Z) with g(z) = P(N > x − s·z), Z standard normal: g rises in z. The line is cut into cells. In a
cell of mass p the contribution lies between p·g(left) and p·g(right). Where the density of the noise only falls or
only rises over the cell, g is convex or concave there, and with the conditional mean m of Z the contribution lies
between p·g(m) (Jensen) and p times the chord at m: the gap then falls with the square of the cell. Cells with the
widest gaps are cut further until the sum of all gaps is small relative to the answer.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dplens._numerics.normal import log_density
from dplens._numerics.quadrature import unit_nodes
from dplens._validate import Floats
from dplens.utility.noise import DensityNoise
from dplens.utility.tails import Bracket, TailLaw

_END = 38.5  # beyond lies less than the smallest float
_ROUNDING = 1e-12  # relative: of masses, conditional means and tails of well-known laws
_UNSURE = 4e-15  # absolute: tails taken as one minus a number near one
_FLOOR = 5e-324
_ROUGH = 1e-4  # relative: where the search for a quantile begins


@lru_cache(maxsize=1)
def _first_edges() -> Floats:
    return np.unique(np.concatenate([np.linspace(-_END, _END, 770), np.linspace(-9, 9, 1441)]))


def _cells(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Mass and conditional mean of a standard normal variable in each cell, from positive terms only."""
    t, w = unit_nodes(12)
    h = (b - a)[:, None]
    with np.errstate(under="ignore"):
        inner = np.exp(-h * t * (a[:, None] + h * t / 2)) * w
    whole = inner.sum(axis=1)
    with np.errstate(under="ignore"):
        mass = np.exp(log_density(a)) * (b - a) * whole
    return mass, a + (b - a) * ((inner @ t) / whole)


@lru_cache(maxsize=1)
def _first_cells() -> tuple[Floats, Floats, Floats, Floats]:
    edges = _first_edges()
    return edges[:-1], edges[1:], *_cells(edges[:-1], edges[1:])


class ConvolvedTail(TailLaw):
    """N(0, s²) plus noise with a density, enclosed to ``tolerance`` or as closely as ``most`` cells allow.

    With s = 0, the noise by itself.
    """

    def __init__(self, s: float, noise: DensityNoise, tolerance: float = 1e-8, most: int = 120_000) -> None:
        self.s, self.noise, self.tolerance, self.most = s, noise, tolerance, most
        self.centre, self.spread = noise.centre(), math.hypot(s, noise.spread())
        if not noise.sure:
            self.note = "The noise's own tails are known to about 1e-15 absolutely."
        if s > 0:
            self.route, self.width = "convolution", 1e-12
        if s > 0 and noise.mode is None:  # the gap falls only with the cell itself: more cells bring little
            self.most, self.width = min(most, 20_000), 1e-7

    def _quantile(self, level: float, sign: int) -> float:
        """First with few cells, then with all of them: a secant, and steps outwards until the level is kept."""
        if self.s == 0:
            return TailLaw._quantile(self, level, sign)
        rough = ConvolvedTail(self.s, self.noise, max(self.tolerance, _ROUGH), min(self.most, 20_000))
        x = TailLaw._quantile(rough, level, sign)
        if not math.isfinite(x) or self.noise.mode is None:
            return x

        def excess(at: float) -> float:
            return math.log(float(self.tail(np.array([at]), sign)[1][0])) - math.log(level)

        over, step = excess(x), 1e-4 * self.spread
        slope = (excess(x - sign * step) - over) / step  # how fast the tail falls
        best = x if over <= 0 else None
        if slope > 0:
            x = x + sign * (over + 4 * self.tolerance) / slope
            for _ in range(60):
                if excess(x) <= 0:
                    return x
                x += sign * 4 * self.tolerance / slope
        return best if best is not None else TailLaw._quantile(self, level, sign)

    def tail(self, x: Floats, sign: int) -> Bracket:
        if self.s == 0:
            low = high = self.noise.sf(x) if sign > 0 else self.noise.cdf(x)
        else:
            found = np.array([self._one(float(v), sign) for v in np.ravel(x)]).reshape((*x.shape, 2))
            low, high = found[..., 0], found[..., 1] + _FLOOR
        unsure = 0.0 if self.noise.sure else _UNSURE
        return np.maximum(low * (1 - _ROUNDING) - unsure, 0.0), np.minimum(high * (1 + _ROUNDING) + unsure, 1.0)

    def _one(self, x: float, sign: float) -> tuple[float, float]:
        """P(S + N > x), or P(S + N < x) by the mirror image: P(S − N > −x)."""
        noise, s = self.noise, self.s

        def g(z: Floats) -> Floats:
            with np.errstate(all="ignore"):
                return noise.sf(x - s * z) if sign > 0 else noise.cdf(x + s * z)

        a, b, mass, mean = _first_cells()
        cuts = [sign * (x - place) / s for place in noise.landmarks()]
        cuts = np.unique([c for c in cuts if -_END < c < _END])
        if len(cuts):
            edges = np.unique(np.concatenate([a, b[-1:], cuts]))
            a, b = edges[:-1], edges[1:]
            mass, mean = _cells(a, b)
        ends = g(np.append(a, b[-1]))
        low, high = self._bounds(g, a, b, mass, mean, ends[:-1], ends[1:], x, sign)
        done_low, done_high, count = 0.0, 0.0, len(a)
        while True:
            total = done_low + low.sum()
            gap = done_high - done_low + (high - low).sum()
            if gap <= self.tolerance * total or count > self.most:
                break
            wide = (high - low) > 0.25 * self.tolerance * total / max(len(a), 1)
            wide &= (b - a) > 1e-12
            if not wide.any():
                break
            done_low += float(low[~wide].sum())
            done_high += float(high[~wide].sum())
            parts = 4
            fractions = np.arange(parts) / parts
            left = (a[wide, None] + (b - a)[wide, None] * fractions).ravel()
            right = np.append(left[1:], 0.0)
            right[parts - 1 :: parts] = b[wide]
            a, b = left, right
            mass, mean = _cells(a, b)
            low, high = self._bounds(g, a, b, mass, mean, g(a), g(b), x, sign)
            count += len(a)
        return done_low + float(low.sum()), done_high + float(high.sum())

    def _bounds(self, g, a, b, mass, mean, at_a, at_b, x: float, sign: float) -> Bracket:
        """What each cell contributes at least and at most."""
        low, high = mass * at_a, mass * at_b
        if self.noise.mode is None:
            return low, np.maximum(high, low)
        # as z grows the noise that is needed falls, sign·(x − s·z): first above the mode, where g is convex
        first, last = (sign * self.noise.unit * m for m in self.noise.mode)
        first, last = min(first, last), max(first, last)
        at = sign * x
        convex = at - self.s * b >= last
        concave = at - self.s * a <= first
        shaped = convex | concave
        middle = np.where(shaped, g(np.where(shaped, mean, a)), 0.0)
        with np.errstate(invalid="ignore"):
            share = np.clip((mean - a) / (b - a), 0.0, 1.0)
        chord = at_a + (at_b - at_a) * share
        low = np.where(convex, mass * middle, np.where(concave, mass * chord, low))
        high = np.where(convex, mass * chord, np.where(concave, mass * middle, high))
        # rounding of the places may exchange two ends that are all but equal
        return np.minimum(low, high), np.maximum(low, high)
