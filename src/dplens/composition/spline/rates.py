"""Error rates and profiles of a spline of losses, at the knots and between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dplens.composition.spline.bernstein import binomials, evaluate, exponentials, heads, products, tails, terms_needed
from dplens.composition.spline.sums import Spline, Whole
from dplens.curves.base import Floats
from dplens.numerics.roots import sign_change

_LEAST = 1e-320  # keeps logarithms finite


class TestRates(NamedTuple):
    """Error rates of tests, and the losses above which they reject H0."""

    alpha: Floats
    co: Floats
    power: Floats
    beta: Floats
    loss: Floats


@dataclass(frozen=True, eq=False)
class CellPolynomials:
    """Masses within cells: scaled rows (see composition/spline/bernstein.py), as functions of the place s from 0 to 1.

    ``rates``, for each cell: masses of H0 after and before s, then those of H1. ``calls``: E_P(e^L − e^e)₊ of the
    cell's losses with e at s. ``steepest``: bound on the density of H0.
    """

    rates: Floats
    calls: Floats
    steepest: Floats

    @classmethod
    def of(cls, masses: Floats, low: Floats, width: Floats, scale: float) -> CellPolynomials:
        """ν carries a factor e^{scale/2} so far."""
        widest = float(width.max(initial=0.0))
        terms, n = terms_needed(widest / 2), masses.shape[1] - 1
        scaled = masses * binomials(n) * (n + 1)
        growth = exponentials(width / 2, terms)
        # e^{∓l/2}, each from the end of the cell where it is least, so that its series has positive terms
        sides = [
            products(scaled, growth[:, ::-1]) * np.exp(-(low + width + scale) / 2)[:, None],
            products(scaled, growth) * np.exp((low - scale) / 2)[:, None],
        ]
        n += terms
        p, q = (side / (binomials(n) * (n + 1)) for side in sides)
        rates = np.stack([tails(p), heads(p), tails(q), heads(q)], axis=1) * binomials(n + 1)
        # call(e) = ∫ e^y·P(L > y) dy from e on
        more = terms_needed(widest)
        paid = products(rates[:, 0], exponentials(width, more)) * (width * np.exp(low))[:, None]
        n += 1 + more
        calls = tails(paid / (binomials(n) * (n + 1))) * binomials(n + 1)
        return cls(rates, calls, p.max(axis=1, initial=0.0) * p.shape[1])


class SplineRates:
    """A spline of losses as a curve of tests: atoms and cells from the largest loss down, sums from either end."""

    def __init__(self, spline: Spline, unit: float, scale: float, infinity_masses: tuple[float, float]) -> None:
        knots = spline.knots
        filled = np.flatnonzero(spline.masses.sum(axis=1) > 0)
        self.unit = unit
        self.cells = CellPolynomials.of(
            spline.masses[filled], _losses(knots[filled], unit), _losses(np.diff(knots)[filled], unit), scale
        )
        atoms = np.flatnonzero(spline.atoms > 0)
        order = np.argsort(-np.concatenate([2 * atoms, 2 * filled + 1]))
        self.cell = np.concatenate([np.full(len(atoms), -1), np.arange(len(filled))])[order]
        self.top: Whole = np.concatenate([knots[atoms], knots[filled + 1]])[order]
        self.bottom: Whole = np.concatenate([knots[atoms], knots[filled]])[order]
        place, weight = knots[atoms] * unit, spline.atoms[atoms]
        whole = self.cells.rates[:, [0, 2], 0]  # all of a cell lies after its start
        self.p = np.concatenate([weight * np.exp(-(place + scale) / 2), whole[:, 0]])[order]
        self.q = np.concatenate([weight * np.exp((place - scale) / 2), whole[:, 1]])[order]
        self.alpha, self.power = _sums(self.p, 0.0), _sums(self.q, infinity_masses[1])
        self.co, self.beta = _sums(self.p[::-1], infinity_masses[0])[::-1], _sums(self.q[::-1], 0.0)[::-1]
        self._arrange_calls()

    def _arrange_calls(self) -> None:
        """Calls at the top and at the bottom of every piece, and e^e·alpha there."""
        is_cell = self.cell >= 0
        self.paid_top = np.exp(self.top * self.unit) * self.alpha[:-1]
        self.paid_bottom = np.exp(self.bottom * self.unit) * self.alpha[1:]
        within = -np.expm1((self.bottom - self.top) * self.unit) * self.paid_top
        within[is_cell] += self.cells.calls[self.cell[is_cell], 0]
        gaps = -np.expm1((self.top[1:] - self.bottom[:-1]) * self.unit) * self.paid_bottom[:-1]
        steps = np.concatenate([[0.0], np.stack([within, np.append(gaps, 0.0)], axis=1).ravel()])
        calls = np.cumsum(steps, dtype=np.longdouble).astype(float)
        self.call_top, self.call_bottom = calls[:-2:2], calls[1::2]

    # ---- at thresholds ----------------------------------------------------------------------------------

    def whole(self, loss: Floats) -> Whole:
        """Losses in units."""
        return np.floor(np.clip(loss / self.unit, -4e18, 4e18)).astype(np.int64)

    def _piece(self, e: Whole) -> tuple[np.ndarray, np.ndarray]:
        """How many pieces lie above e at least in part, and the indices where the last one is cut by e."""
        count = np.searchsorted(-self.top, -e, side="left")
        last = np.maximum(count - 1, 0)
        return count, np.flatnonzero((count > 0) & (self.cell[last] >= 0) & (self.bottom[last] < e))

    def _place(self, piece: np.ndarray, e: Whole) -> tuple[Floats, Floats]:
        width = (self.top[piece] - self.bottom[piece]).astype(float)
        return (e - self.bottom[piece]) / width, (self.top[piece] - e) / width

    def at(self, e: Whole) -> TestRates:
        """The tests "loss above e"."""
        count, inner = self._piece(e)
        found = [x[count] for x in (self.alpha, self.co, self.power, self.beta)]
        if len(inner):
            piece = count[inner] - 1
            for values, part in zip(found, self._inside(piece, *self._place(piece, e[inner]))):
                values[inner] = part
        alpha, co, power, beta = found
        return TestRates(alpha, co, power, beta, _losses(e, self.unit))

    def _inside(self, piece: np.ndarray, s: Floats, t: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        parts = evaluate(self.cells.rates[self.cell[piece]], s, t)
        after, before = self.alpha[piece] + parts[:, 0], self.co[piece + 1] + parts[:, 1]
        return after, before, self.power[piece] + parts[:, 2], self.beta[piece + 1] + parts[:, 3]

    def calls(self, e: Whole) -> Floats:
        """E_P(e^L − e^e)₊, a sum of positive terms."""
        count, inner = self._piece(e)
        last = np.maximum(count - 1, 0)
        gap = np.minimum((e - self.bottom[last]) * self.unit, 0.0)
        found = np.where(count > 0, self.call_bottom[last] - np.expm1(gap) * self.paid_bottom[last], 0.0)
        if len(inner):
            piece = count[inner] - 1
            rise = -np.expm1((e[inner] - self.top[piece]) * self.unit) * self.paid_top[piece]
            own = evaluate(self.cells.calls[self.cell[piece]], *self._place(piece, e[inner]))
            found[inner] = self.call_top[piece] + rise + own
        return found

    def where_calls(self, wanted: Floats) -> Floats:
        """A threshold with E_P(e^L − e^e)₊ close to ``wanted``."""
        piece = np.minimum(np.searchsorted(self.call_bottom, wanted), len(self.top) - 1)  # where calls reach it first
        high = np.where(piece > 0, self.bottom[np.maximum(piece - 1, 0)], self.top[0])

        ends = _losses(self.bottom[piece], self.unit), _losses(high, self.unit)
        above, below = sign_change(lambda loss: self.calls(self.whole(loss)) - wanted, *ends)
        return (above + below) / 2

    # ---- at rates ---------------------------------------------------------------------------------------

    def _piece_at(self, alpha: Floats, co: Floats) -> np.ndarray:
        count = len(self.p)
        piece = np.searchsorted(self.alpha, alpha, side="right") - 1
        other = count - np.searchsorted(self.co[::-1], co, side="left")
        return np.clip(np.where(alpha <= 0.5, piece, other), 0, count - 1)

    def thresholds(self, alpha: Floats, co: Floats) -> Whole:
        """Thresholds above which H0 has a mass close to alpha.

        Where the test is randomised at an atom, that is its loss, or one unit less if alpha > ½.
        """
        piece = self._piece_at(alpha, co)
        found = self.top[piece] - (alpha > 0.5)
        inner = np.flatnonzero(self.cell[piece] >= 0)
        if len(inner):
            k, low = piece[inner], alpha[inner] <= 0.5
            mass = np.where(low, alpha[inner] - self.alpha[k], co[inner] - self.co[k + 1])
            room = np.floor(self._solved(k, mass, low) * (self.top[k] - self.bottom[k])).astype(np.int64)
            found[inner] = np.where(low, self.top[k] - room, self.bottom[k] + room)
        return found

    def _solved(self, piece: np.ndarray, mass: Floats, low: np.ndarray) -> Floats:
        """How far from the top of a cell (``low``) or from its bottom H0 has the given mass, as a share of the cell.

        Logarithms make power laws straight.
        """
        cell = self.cell[piece]
        rows = self.cells.rates[cell, np.where(low, 0, 1)]
        rows = np.where(low[:, None], rows[:, ::-1], rows)  # as functions of the distance from the nearer end
        wanted = np.log(np.maximum(mass, _LEAST))

        def short(log_distance: Floats) -> Floats:
            near = np.exp(log_distance)
            return wanted - np.log(np.maximum(evaluate(rows, near, -np.expm1(log_distance)), _LEAST))

        least = np.log(np.maximum(0.5 * mass / self.cells.steepest[cell], _LEAST))
        far = sign_change(short, np.minimum(least, -1e-3), np.zeros(len(cell)), floor=1e-14)[1]
        return np.where(mass > 0, np.exp(far), 0.0)


def _sums(masses: Floats, start: float) -> Floats:
    return np.cumsum(np.append(start, masses), dtype=np.longdouble).astype(float)


def _losses(places: Whole, unit: float) -> Floats:
    return places.astype(np.float64) * unit
