"""Two mixtures of Laplace laws: the largest log-ratio, exactly, and their curve, whatever the number of places."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dplens._numerics.ratio_grid import Masses
from dplens._numerics.ratio_pieces import RatioPieces, Stretch
from dplens._numerics.sharing import Shared, cached_property
from dplens.correlated.axes import whole
from dplens.correlated.places import gathered, merged, merging_error
from dplens.curves.base import Floats
from dplens.curves.ratio import RatioCurve
from dplens.mechanisms.additive import Geometric

_NODES = 2000  # between all places
_FAR = 1e4  # so far out no float shows a tail
_LOG2 = math.log(2)
_ROWS = 4_000_000  # cases × places worked on at once


def log_sums(places: Floats, logs: Floats) -> tuple[Floats, Floats]:
    """Running exponential sums of mixtures at sorted ``places`` (in units of the scale), in logs.

    ``logs``: log-masses (…, m). The first is log Σ_{j ≤ k} m_j·e^{s_j − s_k}, the second log Σ_{j ≥ k} m_j·e^{s_k −
    s_j}.
    """
    up = np.logaddexp.accumulate(logs + places, axis=-1) - places
    down = np.logaddexp.accumulate((logs - places)[..., ::-1], axis=-1)[..., ::-1] + places
    return up, down


def log_densities(places: Floats, logs: Floats) -> Floats:
    """log Σ_j m_j·e^{−|s_k − s_j|} at every place: the density of the output there, times twice the scale."""
    up, down = log_sums(places, logs)
    if logs.shape[-1] == 1:
        return up
    before = np.full_like(up, -np.inf)
    before[..., 1:] = up[..., :-1] - np.diff(places)
    return np.logaddexp(before, down)


def extreme_losses(places: Floats, first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """The largest log-ratio of the ``second`` mixture to the ``first``, and of the first to the second.

    ``first``, ``second``: log-masses (…, m) at the same sorted ``places`` in units of the scale.

    Between neighbouring places both densities are A·e^{−r} + B·e^{r}: their ratio is a Möbius function of e^{2r},
    hence monotone; beyond the outermost places it is constant. The supremum is therefore attained at a place
    (``docs/decisions/0008-correlated-records.md``). Rounding: below 4e-16·(m + range/scale), in logs.
    """
    loss = log_densities(places, second) - log_densities(places, first)
    return np.max(loss, axis=-1), np.max(-loss, axis=-1)


def rounding_of(places: Floats) -> float:
    """Absolute error of a log-density at the places."""
    return 4e-16 * (8 + len(places) ** 0.5 + 2 * float(np.max(np.abs(places), initial=0.0)))


def block_leakage(mechanism: Any, block: Any, chosen: tuple[int, int] | None = None) -> tuple[float, float]:
    """The largest log-ratio over rows and pairs of values that are possible in a row, and its absolute error.

    Geometric noise: the densities of Laplace noise at whole numbers are its masses up to a constant, so the same holds.
    """
    count = block.laws.shape[1]
    pairs = [chosen] if chosen else [(a, b) for a in range(count) for b in range(a + 1, count)]
    possible = block.possible
    best, error = 0.0, 0.0
    for a, b in pairs:
        rows = np.flatnonzero(possible[:, a] & possible[:, b])
        if not len(rows):
            continue
        both = np.concatenate([block.places[a], block.places[b]])[:, :1]
        if isinstance(mechanism, Geometric):
            both = whole(both, "Geometric")
        places, inverse = merged(both)
        units = (places[:, 0] - places[0, 0]) / mechanism.scale
        moved = 2 * merging_error(float(np.max(np.abs(both)))) / mechanism.scale
        error = max(error, rounding_of(units) + moved)
        size = len(block.places[a])
        step = max(1, _ROWS // max(len(places), 1))
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            logs = []
            for v, index in ((a, inverse[:size]), (b, inverse[size:])):
                full = np.zeros((len(some), len(places)))
                law = block.laws[some, v]
                share = law / law.sum(axis=1, keepdims=True)
                reached, first = np.unique(index, return_inverse=True)
                full[:, reached] = gathered(share, first, len(reached))
                with np.errstate(divide="ignore"):
                    logs.append(np.log(full))
            up, down = extreme_losses(units, logs[0], logs[1])
            best = max(best, float(up.max()), float(down.max()))
    return best, error


@dataclass(frozen=True, eq=False)
class SortedLaplaces(Shared):
    """A mixture of Laplace laws of scale 1 at sorted ``places``, with log-masses ``logs``.

    Between two places its density is a sum of two exponentials, so that no function takes longer for many places.
    """

    places: Floats
    logs: Floats

    @cached_property
    def _sides(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Of each interval, the outer ones included: log-densities at its ends of what lies left and right; masses."""
        up, down = log_sums(self.places, self.logs)
        mass = np.exp(self.logs)
        below, above = np.append(0.0, np.cumsum(mass)), np.append(np.cumsum(mass[::-1])[::-1], 0.0)
        return np.append(-math.inf, up) - _LOG2, np.append(down, -math.inf) - _LOG2, below, above

    def _parts(self, x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Logs of the tails at x of what lies left of it, and right, and the masses of both."""
        x = np.clip(x, self.places[0] - _FAR, self.places[-1] + _FAR)
        k = np.searchsorted(self.places, x, side="right")
        left, right, below, above = (side[k] for side in self._sides)
        before, after = np.append(0.0, self.places)[k], np.append(self.places, 0.0)[k]
        return left - (x - before), right - (after - x), below, above

    def logpdf(self, x: Floats) -> Floats:
        left, right, _, _ = self._parts(x)
        return np.logaddexp(left, right)

    def cdf(self, x: Floats) -> Floats:
        left, right, below, _ = self._parts(x)
        return np.maximum(below - np.exp(left), 0.0) + np.exp(right)

    def sf(self, x: Floats) -> Floats:
        left, right, _, above = self._parts(x)
        return np.exp(left) + np.maximum(above - np.exp(right), 0.0)

    def ppf(self, p: Floats) -> Floats:
        """Only near: the place beyond which less than 1 − p lies."""
        return self.places[np.searchsorted(self._sides[2], p).clip(1, len(self.places)) - 1]

    def support(self) -> tuple[float, float]:
        return -math.inf, math.inf


class _LaplacePieces(RatioPieces):
    """log q/p goes one way between neighbouring places and is constant beyond: a Möbius function of e^{2x}."""

    def __init__(self, places: Floats, p: SortedLaplaces, q: SortedLaplaces) -> None:
        self.p, self.q, self.places = p, q, places
        self.p_only, self.q_only, self.grid = Masses(), Masses(), _Laplaces(p, q)
        at = self.loss(places)
        inner = np.linspace(0.0, 1.0, max(_NODES // len(places), 2))
        self.pieces = []
        for (a, b), losses in zip(pairwise(places), pairwise(at)):
            x = np.append(a + (b - a) * inner[:-1], b)
            found = np.append(self.loss(x[:-1]), losses[1])
            order = np.maximum if losses[1] >= losses[0] else np.minimum
            self.pieces.append(Stretch(x, order.accumulate(found), float(a), float(b)))
        for x, loss, far in ((places[:1], at[:1], -math.inf), (places[-1:], at[-1:], math.inf)):
            flat = np.sort(np.append(x, x + math.copysign(_FAR, far)))
            self.pieces.append(Stretch(flat, np.repeat(loss, 2), *sorted((float(x[0]), far))))

    def largest_loss(self) -> tuple[float, float]:
        first, second = self.p.logs, self.q.logs
        top, error = max(float(extreme_losses(self.places, first, second)[0]), 0.0), rounding_of(self.places)
        return max(top - error, 0.0), top + (error if top > 0 else 0.0)

    def diverges(self, order: float) -> bool:
        return False


@dataclass(frozen=True)
class _Laplaces:
    """What stands for the grid of quantiles."""

    p: SortedLaplaces
    q: SortedLaplaces
    closed: bool = False
    monotone: bool = False

    def loss(self, x: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            return self.q.logpdf(x) - self.p.logpdf(x)


def laplace_mixtures(places: Floats, p: Floats, q: Floats, scale: float) -> RatioCurve:
    """T(P, Q), P and Q mixtures of Laplace laws of one scale with masses at finitely many sorted places.

    On each interval between neighbouring places both densities are A·e^{−r} + B·e^{r}: the ratio goes one way there,
    and beyond the outermost places it is constant (``docs/decisions/0008-correlated-records.md``). So turning
    points need no search, and the largest loss is known.
    """
    with np.errstate(divide="ignore"):
        first, second = np.log(p) - math.log(p.sum()), np.log(q) - math.log(q.sum())
    units = (places - places[0]) / scale
    pieces = _LaplacePieces(units, SortedLaplaces(units, first), SortedLaplaces(units, second))
    return RatioCurve.sorted(pieces, False, (True, True))
