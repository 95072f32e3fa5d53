"""Integrals over long lines in panels, with few nodes for any length of the line.

If most losses are tiny and a few are large, the characteristic function changes fast near 0 and slowly far out, so
panels grow with t. Where e^{−i·t·e} varies little within a panel, the Gauss–Legendre rule is used. Elsewhere the
rest of the integrand is interpolated at the same points in Legendre polynomials P_k, and its product with
e^{−i·t·e} has an exact integral (Filon's rule), ∫ P_k(x)·e^{−iωx} dx = 2·(−i)^k·j_k(ω) over [−1, 1] with spherical
Bessel functions j_k. So the nodes do not depend on the threshold e. Up to moderate ω the polynomial is instead
evaluated at more points and integrated by the Gauss–Legendre rule, which is faster than Bessel functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.polynomial import legendre

from dplens.losses.base import UNIT, Complexes, Floats

_POINTS = 64  # per panel
_LEBESGUE = 16.0  # bound on the Lebesgue constant of interpolation at so many Legendre points
_TURN = 40.0  # angle of half a panel up to which the Gauss–Legendre rule is accurate, for all of _RHO
# angle up to which a polynomial is integrated by a finer rule; for ω ≤ 128 the error of that is below
# 4.8·e^{ω·(ρ − 1/ρ)/2}·ρ^{63 − 2·136} < e^−57 of its largest value on an ellipse with ρ = 3 (see ``covering``)
_MODERATE, _FINE = 128.0, 136
_RHO = (1.35, 1.7, 2.1, 2.6, 3.3)  # sums of the semi-axes of ellipses around a panel, in half widths

Growth = Callable[[float, float, float], float]


class Panels(NamedTuple):
    """Panels from 0 upwards."""

    middle: Floats
    half: Floats

    @classmethod
    def covering(cls, end: float, first: float, growth: Growth, depth: float) -> Panels | None:
        """Panels up to ``end`` whose total interpolation error is below e^−depth; None if there would be too many.

        growth(b, start, stop): bound on the logarithm of the integrand where t lies within b of the panel. Take
        ellipses of semi-axes half·(rho ± 1/rho)/2 around a panel. Interpolation at n Legendre points has an error below
        (1 + Lebesgue constant)·2·e^growth·rho^{1 − n}/(rho − 1). Quadrature at these points has an error below
        64/15·half·e^growth·rho^{−2n}/(1 − rho^−2), with e^{−i·t·e} included in e^growth, which is less (Trefethen 2013,
        Approximation Theory and Approximation Practice, Theorems 8.2 and 19.3).
        """
        # sums of widths are exact, and panels of the same width share tables
        edges, width, rho = [0.0], 2.0 ** math.floor(math.log2(first)), _RHO[0]
        while edges[-1] < end:
            start, wanted = edges[-1], width
            while not (found := cls._serving(rho, start, width, growth, depth + 8)):
                width /= 2
                if width < 1e-6 * first:
                    return None
            edges.append(start + width)
            rho, width = found, width * (2 if width == wanted else 1)  # try the next one as wide, if wider ones fail
            # at most 150 panels; 100 should have covered 0.3 %
            if len(edges) > 150 or (len(edges) > 100 and edges[-1] < 0.003 * end):
                return None
        ends = np.array(edges)
        return cls((ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2)

    @staticmethod
    def _serving(last: float, start: float, width: float, growth: Growth, depth: float) -> float:
        """An ellipse that bounds the error of a panel, near the ``last`` one that did; 0 if there is none."""
        for rho in sorted(_RHO, key=lambda rho: abs(rho - last))[:3]:
            b = width / 4 * (rho - 1 / rho)
            known = math.log(2 * (1 + _LEBESGUE) * width * rho / (rho - 1)) - _POINTS * math.log(rho) + depth
            if known < 0 and known + growth(b, start, start + width) < 0:
                return rho
        return 0.0

    @property
    def t(self) -> Floats:
        """The nodes, in order."""
        return (self.middle[:, None] + self.half[:, None] * _legendre().x).ravel()

    @property
    def reach(self) -> Floats:
        """The end of the panel of each node: phases are sums whose terms are at most this times the threshold."""
        return np.repeat(self.middle + self.half, _POINTS)

    def _turning(self, farthest: float) -> int:
        """The first panel on which e^{−i·t·e} may oscillate too fast for the rule."""
        turning = np.flatnonzero(self.half * farthest > _TURN)
        return int(turning[0]) if len(turning) else len(self.half)

    def sums(self, rows: Complexes, e: Floats) -> Floats:
        """Re ∫ row·e^{−i·t·e} dt from values at the nodes, one row of results per row."""
        values = rows.reshape(len(rows), -1, _POINTS) * self.half[:, None]
        out = np.empty((len(rows), len(e)))
        rule = _legendre()
        for mine in _alike(np.abs(e), _TURN / float(self.half.max()), 200_000 // values[0].size):
            x = e[mine]
            turn = self.half * float(np.abs(x).max())
            slow, middling = turn <= _TURN, (turn > _TURN) & (turn <= _MODERATE)
            out[:, mine] = self._filon(values, x, turn > _MODERATE)
            if slow.any():
                out[:, mine] += self._integrated(values[:, slow] * rule.weight, rule.x, x, slow)
            if middling.any():
                out[:, mine] += self._integrated(values[:, middling] @ rule.finer, rule.fine, x, middling)
        return out

    def _integrated(self, weighted: Complexes, nodes: Floats, x: Floats, panels: np.ndarray) -> Floats:
        """Sums over the nodes of some panels, multiplied by e^{−i·t·e}.

        e^{−i·t·e} is a product of one factor for the middle of the panel and one for the node, which is the same for
        panels of the same width, and for opposite nodes up to a sign.
        """
        rows, count = len(weighted), len(nodes) // 2
        widths, place = np.unique(self.half[panels], return_inverse=True)
        angle = np.multiply.outer(np.multiply.outer(widths, nodes[count:]), x)
        cosine, sine = np.cos(angle)[place], np.sin(angle)[place]  # panels, nodes, thresholds
        right, left = weighted[:, :, count:], weighted[:, :, count - 1 :: -1]
        even, odd = (np.moveaxis(part, 0, 1) for part in (right + left, right - left))
        parts = np.concatenate([even.real, even.imag], axis=1) @ cosine
        parts += np.concatenate([odd.imag, -odd.real], axis=1) @ sine
        turned = np.multiply.outer(self.middle[panels], x)[:, None]
        return (parts[:, :rows] * np.cos(turned) + parts[:, rows:] * np.sin(turned)).sum(axis=0)

    def _filon(self, values: Complexes, x: Floats, panels: np.ndarray) -> Floats:
        """The integrals over panels with fast oscillation, by Bessel functions."""
        if not panels.any():
            return np.zeros((len(values), len(x)))
        omega = np.multiply.outer(self.half[panels], np.abs(x))
        bessel = np.moveaxis(_bessel(omega), 0, 1)  # panels, degrees, thresholds
        turns = 2 * (-1j) ** np.arange(_POINTS)
        turned = bessel * np.where(x < 0, turns.conj()[:, None], turns[:, None])
        parts = (values[:, panels] @ _legendre().coefficients)[:, :, None] @ turned
        return (parts[:, :, 0] * np.exp(-1j * np.multiply.outer(self.middle[panels], x))).real.sum(axis=1)

    def bound(self, errors: Floats, farthest: float) -> float:
        """Error of an integral from errors of the values at the nodes; farthest: the largest absolute threshold."""
        first, errors = self._turning(farthest), errors.reshape(-1, _POINTS) * self.half[:, None]
        direct = float(np.sum(errors[:first] @ _legendre().weight))
        return (direct + 2 * _LEBESGUE * float(np.sum(errors[first:].max(axis=1)))) * (1 + 1e-12)

    def rounding(self, sizes: Floats, farthest: float) -> float:
        """Rounding error of an integral, from the sizes of the values; farthest: as for ``bound``."""
        first, sizes = self._turning(farthest), sizes.reshape(-1, _POINTS) * self.half[:, None]
        direct = float(np.sum(sizes @ _legendre().weight))
        turned = float(np.sum(sizes[first:] @ np.abs(_legendre().coefficients)))
        return (_POINTS + 40) * UNIT * (direct + 2 * turned)


def _alike(size: Floats, small: float, most: int) -> Iterator[np.ndarray]:
    """Groups of at most ``most`` indices of numbers that are small, or within a factor of 2 of each other."""
    order = np.argsort(size)
    class_of = np.ceil(np.log2(np.maximum(size[order] / small, 1.0)))
    for part in np.split(order, np.flatnonzero(np.diff(class_of)) + 1):
        yield from (part[i : i + max(most, 1)] for i in range(0, len(part), max(most, 1)))


def _bessel(omega: Floats) -> Floats:
    """j_k(ω) for all k below _POINTS, along the first axis, by the recurrence, which is stable for ω > k."""
    out = np.empty((_POINTS, *omega.shape))
    out[0] = np.sin(omega) / omega
    out[1] = (out[0] - np.cos(omega)) / omega
    for k in range(1, _POINTS - 1):
        out[k + 1] = (2 * k + 1) / omega * out[k] - out[k - 1]
    return out


class _Legendre(NamedTuple):
    """Legendre points on [−1, 1], their weights, and the matrix from values there to coefficients.

    fine, finer: more such points, and the matrix from values to weighted values of the polynomial there.
    """

    x: Floats
    weight: Floats
    coefficients: Floats
    fine: Floats
    finer: Floats


@lru_cache(maxsize=1)
def _legendre() -> _Legendre:
    x, weight = legendre.leggauss(_POINTS)
    fine, weights = legendre.leggauss(_FINE)
    degree = np.arange(_POINTS)
    coefficients = weight[:, None] * legendre.legvander(x, _POINTS - 1) * (degree + 0.5)
    finer = coefficients @ legendre.legvander(fine, _POINTS - 1).T * weights
    return _Legendre(x, weight, coefficients, fine, finer)
