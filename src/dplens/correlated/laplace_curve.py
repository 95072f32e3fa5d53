"""Two mixtures of Laplace laws: the largest log-ratio, exactly, and their curve in closed form at every threshold."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from dplens._numerics.enclosure import Enclosure
from dplens._numerics.logits import to_logit
from dplens._numerics.moments import divergence
from dplens._numerics.quadrature import unit_nodes
from dplens._numerics.ratio_grid import Masses
from dplens._numerics.sharing import cached_property
from dplens.attack.mixtures import mixture
from dplens.correlated.axes import whole
from dplens.correlated.places import gathered, merged, merging_error
from dplens.curves.base import Floats, TradeOff
from dplens.curves.ratio import RatioCurve
from dplens.curves.ratio_tests import ThresholdTests
from dplens.estimate import Certificate
from dplens.mechanisms.additive import Geometric
from dplens.mechanisms.noise_laws import LaplaceLaw

_BLOCK = 2_000_000  # thresholds × intervals worked on at once
_ROWS = 4_000_000  # cases × places likewise
_THRESHOLDS = 1200


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
class LaplaceMixtureCurve(RatioCurve):
    """T(P, Q), P and Q mixtures of Laplace laws of one scale at finitely many ``places`` (in units of the scale).

    On each interval between neighbouring places q − λ·p = a·x + c·y with x = e^{−(r − left)}, y = e^{−(right − r)}: its
    sign changes at most once, where x² = −c·e^{−width}/a, so the best test at every threshold λ, and its two error
    rates, are closed sums over the intervals. Beyond the outermost places the ratio is constant: an atom at either end.
    Claim: exact at every threshold up to rounding; between thresholds power lies below tangents, above chords.
    """

    places: Floats = field(default_factory=lambda: np.zeros(1))
    first: Floats = field(default_factory=lambda: np.zeros(1))  # log-masses of P
    second: Floats = field(default_factory=lambda: np.zeros(1))  # log-masses of Q

    @classmethod
    def of(cls, places: Floats, p: Floats, q: Floats, scale: float) -> LaplaceMixtureCurve:
        """From masses at sorted places, which are in units of the query."""
        laws = [mixture(LaplaceLaw(scale), [*zip(places[m > 0], m[m > 0] / m.sum())]) for m in (p, q)]
        with np.errstate(divide="ignore"):
            first, second = np.log(p) - math.log(p.sum()), np.log(q) - math.log(q.sum())
        units = (places - places[0]) / scale
        return cls(laws[0], laws[1], False, (True, True), units, first, second)

    @property
    def _certificate(self) -> Certificate:
        return Certificate(
            "intervals", self.claimed_tolerance, "closed sums over the intervals between attainable values"
        )

    @cached_property
    def _pieces(self) -> Any:
        """A ratio that is positive and finite everywhere leaves nothing to be said about proofs."""
        nothing = {"p_only": Masses(), "q_only": Masses(), "unseen": 0.0, "coarse_ends": ()}
        return SimpleNamespace(**nothing, resolved=np.positive)

    @cached_property
    def _coefficients(self) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Width, and A, B of both densities, of each interval between places."""
        up = [np.exp(log_sums(self.places, m)[0][:-1]) for m in (self.first, self.second)]
        down = [np.exp(log_sums(self.places, m)[1][1:]) for m in (self.first, self.second)]
        return np.diff(self.places), up[0], down[0], up[1], down[1]

    @cached_property
    def _place_losses(self) -> Floats:
        return log_densities(self.places, self.second) - log_densities(self.places, self.first)

    @cached_property
    def _tails(self) -> tuple[Floats, Floats, Floats]:
        """(loss, mass under P, mass under Q) of the flat stretches at both ends."""
        ends = [0, -1]
        masses = [np.exp(log_densities(self.places, m)[ends]) / 2 for m in (self.first, self.second)]
        return self._place_losses[ends], masses[0], masses[1]

    def _split(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Of each threshold × interval: where q = λ·p (from its left end), and a, c with which rounding, as it is."""
        width, a_p, b_p, a_q, b_q = self._coefficients
        ratio = np.exp(np.clip(loss, -700.0, 700.0))[:, None]
        a, c = a_q - ratio * a_p, b_q - ratio * b_p
        shrink = np.exp(-width)
        with np.errstate(divide="ignore", invalid="ignore"):
            root = 0.5 * (width + np.log(np.abs(a)) - np.log(np.abs(c)))
        left, right = a + c * shrink, a * shrink + c
        # the same sign at both ends: all of the interval, or nothing of it
        above_left, above_right = left > 0, right > 0
        root = np.where(above_left == above_right, np.where(above_left, width, 0.0), np.clip(root, 0.0, width))
        falls = above_left | (above_left == above_right)  # the part from the left end to the root is above
        return root, a, c, falls, width

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        if not len(loss):
            return loss.copy(), loss.copy(), loss.copy(), loss.copy()
        rows = max(1, _BLOCK // max(len(self.places), 1))
        parts = [self._rates_of(loss[i : i + rows]) for i in range(0, len(loss), rows)]
        alpha, co, power, beta = (np.concatenate(column) for column in zip(*parts))
        return alpha, co, power, beta

    def _rates_of(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        root, _, _, falls, width = self._split(loss)
        _, a_p, b_p, a_q, b_q = self._coefficients
        rest = width - root
        shrink = np.exp(-width)
        # ∫ x from the left end to the root, from there to the right end, and the same of y
        x_low, x_high = -np.expm1(-root), np.exp(-root) * -np.expm1(-rest)
        y_low, y_high = shrink * np.expm1(np.minimum(root, 700.0)), -np.expm1(-rest)
        x_above, x_below = np.where(falls, x_low, x_high), np.where(falls, x_high, x_low)
        y_above, y_below = np.where(falls, y_low, y_high), np.where(falls, y_high, y_low)
        out = [
            (x @ a + y @ b) / 2
            for a, b in ((a_p, b_p), (a_q, b_q))
            for x, y in ((x_above, y_above), (x_below, y_below))
        ]
        at, mass_p, mass_q = self._tails
        above = at > loss[:, None]
        out = [out[0] + above @ mass_p, out[1] + ~above @ mass_p, out[2] + above @ mass_q, out[3] + ~above @ mass_q]
        return out[0], out[1], out[2], out[3]

    def _measured(self, loss: Floats) -> Floats:
        return np.concatenate([np.array(self._rates(loss)), np.zeros((4, len(loss)))])

    @cached_property
    def _table(self) -> ThresholdTests:
        known = np.unique(self._place_losses)
        if len(known) > _THRESHOLDS:
            known = known[np.linspace(0, len(known) - 1, _THRESHOLDS).astype(int)]
        low, high = float(known[0]), float(known[-1])
        even = np.linspace(low, high, 400)
        pad = 1e-9 * (1 + np.abs(known[[0, -1]]))
        # next to an attainable value the losses crowd quadratically where the ratio turns
        near = (high - low) * np.geomspace(1e-10, 1e-2, max(2, min(160, 4800 // len(known))))
        crowd = np.concatenate([np.add.outer(known, near).ravel(), np.subtract.outer(known, near).ravel()])
        crowd = crowd[(crowd > low) & (crowd < high)]
        losses = np.unique(np.concatenate([[low - pad[0]], known, even, crowd, [high + pad[1]]]))[::-1]
        return ThresholdTests(losses, *self._rates(losses))

    def _threshold(self, alpha: Floats, co: Floats) -> Floats:
        losses, known, rest = self._table.loss, self._table.alpha, self._table.co
        inside = (known > 0) & (rest > 0)
        logit = to_logit(known[inside], rest[inside])
        return np.interp(to_logit(alpha, co), np.maximum.accumulate(logit), losses[inside])

    def plateau(self, loss: float, near: float) -> float | None:
        at, error = self._place_losses, self._log_error
        level = at[1:][np.abs(np.diff(at)) <= 2 * error]  # between places the ratio goes one way
        known = np.concatenate([at[[0, -1]], level])
        nearest = known[int(np.argmin(np.abs(known - loss)))]
        return float(nearest) if abs(nearest - loss) <= near else None

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        """∫ (q − e^eps·p)⁺: sums of positive terms; where two terms nearly cancel, as a square of a hyperbolic sine."""
        rows = max(1, _BLOCK // max(len(self.places), 1))
        found = [self._profile_of(epsilon[i : i + rows]) for i in range(0, len(epsilon), rows)]
        value = np.concatenate([v for v, _ in found]) if found else np.zeros(0)
        error = np.concatenate([e for _, e in found]) if found else np.zeros(0)
        return Enclosure.around(value, 1e-14, error)

    def _profile_of(self, epsilon: Floats) -> tuple[Floats, Floats]:
        root, a, c, falls, width = self._split(epsilon)
        _, a_p, b_p, a_q, b_q = self._coefficients
        shrink = np.exp(-width)
        start, end = np.where(falls, 0.0, root), np.where(falls, root, width)
        x = np.exp(-start) * -np.expm1(start - end)
        y = shrink * np.exp(np.minimum(end, 700.0)) * -np.expm1(start - end)
        total = a * x + c * y
        size = np.abs(a) * x + np.abs(c) * y
        thin = (total < 1e-2 * size) & (a * c < 0)
        if thin.any():
            at = 0.5 * (np.broadcast_to(width, a.shape)[thin] + np.log(np.abs(a[thin] / c[thin])))
            height = np.sqrt(-a[thin] * c[thin]) * np.exp(-np.broadcast_to(width, a.shape)[thin] / 2)
            near, far = start[thin] - at, end[thin] - at
            # a·x and c·y cancel at the root; from there on they are a hyperbolic sine
            total[thin] = 4 * height * np.abs(np.sinh((near + far) / 2) * np.sinh((far - near) / 2))
        ratio = np.exp(np.clip(epsilon, -700.0, 700.0))
        at, _, mass_q = self._tails
        gap = np.maximum(-np.expm1(np.minimum(epsilon[:, None] - at, 0.0)), 0.0) @ mass_q
        value = np.maximum(total, 0.0).sum(axis=1) / 2 + gap
        # a and c are differences of sums known to rounding, and so are the losses of the flat ends
        sure = 4e-16 * (4 + self._log_error / 4e-16)
        scale = (x @ a_q + y @ b_q) / 2 + ratio * (x @ a_p + y @ b_p) / 2
        return value, sure * (scale + (at > epsilon[:, None] - sure) @ mass_q)

    @cached_property
    def _log_error(self) -> float:
        return rounding_of(self.places)

    def _max_loss(self) -> tuple[float, float]:
        top = max(float(extreme_losses(self.places, self.first, self.second)[0]), 0.0)
        return max(top - self._log_error, 0.0), top + (self._log_error if top > 0 else 0.0)

    def power_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        found = super().power_bounds(alpha, co)

        def upper() -> Floats:  # no ratio is larger than the largest
            most = alpha * math.exp(min(self._max_loss()[1], 700.0)) * (1 + 1e-14)
            return np.minimum(found.hi, np.maximum(alpha, most))

        return Enclosure(lambda: found.lo, upper)

    def beta_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        found = super().beta_bounds(alpha, co)

        def lower() -> Floats:  # and none smaller than the least
            least = co * math.exp(-min(self.inverse()._max_loss()[1], 700.0)) * (1 - 1e-14)
            return np.maximum(found.lo, least)

        return Enclosure(lower, lambda: found.hi)

    def _mirrored(self) -> TradeOff:
        return LaplaceMixtureCurve(self.q, self.p, False, (True, True), self.places, self.second, self.first)

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats, Floats]:
        """Masses under both laws and losses of fine cells, for means: Gauss–Legendre nodes, and the flat ends."""
        width, a_p, b_p, a_q, b_q = self._coefficients
        t, w = unit_nodes(24)
        step = np.maximum(np.ceil(width / 2).astype(int), 1)
        index = np.repeat(np.arange(len(width)), step)
        part = np.arange(len(index)) - np.repeat(np.cumsum(step) - step, step)
        size = (width / step)[index]
        at = (part[:, None] + t) * size[:, None]
        x, y = np.exp(-at), np.exp(at - width[index][:, None])
        dp = (a_p[index][:, None] * x + b_p[index][:, None] * y) / 2
        dq = (a_q[index][:, None] * x + b_q[index][:, None] * y) / 2
        weight = size[:, None] * w
        loss = np.log(dq) - np.log(dp)
        ends, mass_p, mass_q = self._tails
        return (
            np.concatenate([(dp * weight).ravel(), mass_p]),
            np.concatenate([(dq * weight).ravel(), mass_q]),
            np.concatenate([loss.ravel(), ends]),
        )

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        p, q, loss = self._nodes
        return math.fsum((q if present else p) * function(loss))

    def _renyi(self, order: float) -> float:
        return divergence(*self._nodes, order)
