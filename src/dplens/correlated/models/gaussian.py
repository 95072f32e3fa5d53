"""Jointly Gaussian tuples."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.search.bounds import most_response, moved, moved_epsilon
from dplens.correlated.views.base import viewed
from dplens.correlated.views.gaussian import GaussianView
from dplens.correlated.views.release import Release, release
from dplens.mechanisms.additive import DiscreteGaussian, Geometric, Staircase
from dplens.numerics.sharing import Shared, latest
from dplens.registry import MODELS, register

if TYPE_CHECKING:
    from dplens.correlated.search.worst import Worst
    from dplens.curves.base import TradeOff


Long = npt.NDArray[np.longdouble]

_LONG, _FLOAT = np.finfo(np.longdouble).eps, np.finfo(float).eps
_STEPS = 3  # of refinement; each gains the digits that the matrix leaves to a float
_LARGEST = 1e150  # sums of products of covariances are floats
_CANCELS = 4e-15  # of the terms of a sum: what the rounding of the covariances themselves may leave of it


class GaussianTuples(ABC):
    """What Gaussian models share: views, the worst attacker."""

    registry = MODELS

    @property
    @abstractmethod
    def n(self) -> int:
        """How many tuples there are."""

    @abstractmethod
    def widths(self) -> Floats:
        """How far apart two values of each tuple may be."""

    @abstractmethod
    def as_data(self) -> GaussianData:
        """The same tuples by their whole covariance matrix."""

    def view(
        self,
        mechanism: Any,
        *,
        target: int,
        known: Any = None,
        weights: Any = None,
        pair: Sequence[float] | None = None,
    ) -> GaussianView:
        """The release as seen by an attacker on ``target`` who knows the tuples in ``known``.

        Arguments as for discrete data. What the known tuples are moves both worlds alike, so their values matter for
        beliefs only. Without a ``pair`` the two values are ``width`` apart.

        >>> import dplens as dl
        >>> data = dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 1.0]], width=1.0)
        >>> weak = data.view(dl.Laplace(scale=1.0), target=0)
        >>> round(weak.leakage(), 6), round(data.view(dl.Gaussian(sigma=1.0), target=0).tradeoff().mu(), 6)
        (1.5, 1.133893)
        """
        made = release(mechanism, self.n, weights)
        for one in made.mechanisms:
            if isinstance(one, (Geometric, DiscreteGaussian, Staircase)):
                rule = "to add noise with a log-concave density: the query is a real number here"
                raise _validate.reject_type("mechanism", rule, one, "Pass for instance dplens.Laplace(scale=1.0).")
        more = {"mechanism": mechanism, "weights": weights}
        return GaussianView(**viewed(self, made, target=target, known=known, pair=pair, **more))

    def _pair(self, target: int, pair: Any) -> tuple[float, float]:
        two = _validate.pair("pair", pair, "to be two values of the target")
        first, second = (_validate.real("pair", v, "to hold finite numbers", math.isfinite) for v in two)
        width = float(self.widths()[target])
        if not 0 < abs(second - first) <= width * (1 + 1e-12):
            raise _validate.reject("pair", f"to be two values at most the width {width!r} apart", pair)
        return first, second

    def worst(
        self,
        mechanism: Any,
        method: str | None = None,
        *,
        weights: Any = None,
        delta: float | None = None,
        progress: bool | None = None,
    ) -> Worst:
        """The worst attacker over all targets and all knowledge sets.

        method: ``"exact"`` (default) looks at all of them (up to about 22 tuples), ``"runs"`` (default for chains) at
        what can be worst in a chain, ``"greedy"`` climbs, for larger models. delta, progress: as for discrete data.
        """
        from dplens.correlated.search.worst import worst

        return worst(self, mechanism, method, weights=weights, delta=delta, progress=progress)

    def bound(self, made: Release, delta: float) -> float:
        """epsilon(delta) of every attacker at most: unknown tuples follow the target as far as they ever do."""
        if delta == 0:
            spans = most_response(self.as_data().covariance, made.linear)[0] * self.widths()
            return max(moved_epsilon(made.mechanisms, span, delta) for span in spans.T)
        return min(float(curve.epsilon(delta)) for curve in self.bounds(made))

    def bounds(self, made: Release) -> list[TradeOff]:
        """Curves, each of which lies below that of every attacker."""
        follows, beside = most_response(self.as_data().covariance, made.linear)
        spans, own = follows * self.widths(), np.abs(made.linear) * self.widths()
        told = float(np.max(beside * self.widths()))  # who sees the unknown tuples besides knows more
        return [moved(made.mechanisms, spans.max(axis=1)), moved(made.mechanisms, own.max(axis=1), told)]


@register
@dataclass(frozen=True, kw_only=True, eq=False)
class GaussianData(Shared, GaussianTuples):
    """Tuples that are jointly normal with the given ``covariance``; two values of a tuple are at most ``width`` apart.

    width: one number or one for each tuple (Li's M). mean: used for beliefs only. The shift of the query between two
    values of the target is ``width·|g|``, g = Cov(S, x_i | x_K)/Var(x_i | x_K) (Li et al. 2019, Theorem 6).

    >>> import dplens as dl
    >>> data = dl.GaussianData(covariance=[[1.0, -0.5], [-0.5, 1.0]], width=1.0)
    >>> found = data.worst(dl.Laplace(scale=1.0))
    >>> round(found.leakage, 9), len(found.known)  # negative correlation: who knows more learns more
    (1.0, 1)
    """

    covariance: Any
    width: Any = 1.0
    mean: Any = None
    rows: int | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", None if self.rows is None else _validate.count("rows", self.rows))
        matrix = _validate.as_array("covariance", self.covariance)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
            raise _validate.reject("covariance", "to be a square matrix", self.covariance)
        if not (np.abs(matrix) <= _LARGEST).all():  # also true of nan
            remedy = "Measure the tuples in a larger unit." if np.isfinite(matrix).all() else ""
            raise _validate.reject("covariance", f"to hold numbers up to {_LARGEST:g} in size", self.covariance, remedy)
        if np.max(np.abs(matrix - matrix.T)) > 1e-9 * np.max(np.abs(matrix)):
            raise _validate.reject("covariance", "to be symmetric", self.covariance)
        matrix = (matrix + matrix.T) / 2
        if (np.diag(matrix) <= 0).any():
            raise _validate.reject(
                "covariance", "to have variances > 0", np.diag(matrix).tolist(), "Drop constant tuples."
            )
        sd = np.sqrt(np.diag(matrix))
        least = float(np.linalg.eigvalsh(matrix / np.outer(sd, sd))[0])
        if least < 1e-10:
            found = f"a singular matrix (least eigenvalue of the correlations {least:.3g})"
            remedy = "Some tuple is a linear function of others: leave it out, and add its weight to theirs."
            if least < -1e-10:
                found = f"a matrix whose correlations have the eigenvalue {least:.6g}"
                remedy = (
                    "No data have these correlations together: equal correlations of n tuples cannot be below -1/(n-1)."
                )
            raise _validate.reject("covariance", "to be positive definite", _validate.Shown(found), remedy)
        object.__setattr__(self, "covariance", matrix)
        n = len(matrix)
        widths = _validate.as_array("width", self.width)
        if widths.ndim == 0:
            widths = np.full(n, float(widths))
        if widths.shape != (n,) or not ((widths > 0) & np.isfinite(widths)).all():
            raise _validate.reject("width", f"to be > 0: one number, or one for each of the {n} tuples", self.width)
        object.__setattr__(self, "width", widths)
        mean = np.zeros(n) if self.mean is None else _validate.as_array("mean", self.mean)
        if mean.shape != (n,) or not np.isfinite(mean).all():
            raise _validate.reject("mean", f"to hold {n} finite numbers", self.mean)
        object.__setattr__(self, "mean", mean)

    def __repr__(self) -> str:
        return f"GaussianData({self.n} tuples)"

    @property
    def n(self) -> int:
        return len(self.covariance)

    def widths(self) -> Floats:
        return self.width

    def as_data(self) -> GaussianData:
        return self

    def response(self, weights: Floats, target: int, known: tuple[int, ...]) -> tuple[Floats, Floats, float]:
        """How the queries follow the target, Cov(S, x_i | x_K)/Var(x_i | x_K); Cov(S | x_i, x_K); Var(x_i | x_K)."""
        unknown, matrix, size = self._given(target, known)
        variance, slope, rest = _split(matrix)
        loose = weights[:, unknown]
        follows = weights[:, target] + loose @ slope
        most = np.abs(weights[:, target]) + np.abs(loose) @ (size[:-1] / variance)
        follows = np.where(np.abs(follows) <= _CANCELS * most, 0.0, follows).astype(float)  # what cancels is rounding
        return follows, (loose @ rest @ loose.T).astype(float), float(variance)

    def root(self, weights: Floats, target: int, known: tuple[int, ...]) -> Floats:
        """B with B·Bᵀ = Cov(S | x_i, x_K): it keeps what rounding takes from the product."""
        unknown, matrix, _ = self._given(target, known)
        return (weights[:, unknown] @ cholesky(_split(matrix)[2])).astype(float)

    def unsure(self, weights: Floats, target: int, known: tuple[int, ...]) -> Floats:
        """How far rounding may have moved the first of ``response``, more where tuples nearly determine each other."""
        unknown, matrix, size = self._given(target, known)
        if not unknown:
            return np.zeros(len(weights))
        variance, slope, _ = _split(matrix)
        share = size / variance  # of the terms to what they leave; the last is that of the variance itself
        off = np.abs(weights[:, target]) + np.abs(weights[:, unknown]) @ (share[:-1] + share[-1] * np.abs(slope))
        last = np.abs(weights[:, target] + weights[:, unknown] @ slope) * _FLOAT
        return (off * _LONG * (self.n + 4) + last).astype(float)

    def vague(self, target: int, known: tuple[int, ...]) -> Floats:
        """v with abs(error of Cov(x given x_i, x_K)) ≤ v·vᵀ: the rounding error of the conditional covariance."""
        unknown, matrix, _ = self._given(target, known)
        slope = np.abs(_split(matrix)[1])
        # of the terms that make up the covariances with the known tuples, and then with the target
        whole = np.sqrt(self._terms(unknown, known)) + slope * np.sqrt(self._terms([target], known)[0])
        out = np.zeros(self.n)
        out[unknown] = whole * np.sqrt(8 * _LONG * (self.n + 4))
        return out

    def _terms(self, tuples: list[int], known: tuple[int, ...]) -> Long:
        """How large the terms of Var(x_j | x_K) are for each of the tuples."""
        own = np.diag(self.covariance)[tuples].astype(np.longdouble)
        if not known or not tuples:
            return own
        inner = self.covariance[np.ix_(known, known)]
        slopes = np.abs(solved(inner, self.covariance[np.ix_(known, tuples)]))
        return own + np.sum(slopes * (np.abs(inner) @ slopes), axis=0)

    def _given(self, target: int, known: tuple[int, ...]) -> tuple[list[int], Long, Long]:
        """The unknown tuples but the target; their covariance and, last, its own, given the known tuples; term sizes.

        The known tuples are left out of every sum: large as they may be, they hide nothing. The sizes are those of the
        terms that made up the covariances with the target.
        """
        return latest(self, "_latest", (target, known), lambda: self._conditioned(target, known))  # asked several times

    def _conditioned(self, target: int, known: tuple[int, ...]) -> tuple[list[int], Long, Long]:
        inside_known = set(known)
        unknown = [j for j in range(self.n) if j != target and j not in inside_known]
        inside = [*unknown, target]
        matrix = self.covariance[np.ix_(inside, inside)].astype(np.longdouble)
        size = np.abs(matrix[:, -1])
        if known:
            cross = self.covariance[np.ix_(inside, known)]
            inner = self.covariance[np.ix_(known, known)]
            slopes = solved(inner, cross.T)
            matrix = matrix - cross @ slopes
            size = size + np.abs(slopes.T) @ (np.abs(inner) @ np.abs(slopes[:, -1]))
        return unknown, matrix, size

    def expected(self, weights: Floats, given: dict[int, float]) -> Floats:
        """Mean of (queries…, tuples…) given the known values."""
        full = augmented(self.covariance, weights)
        mean = np.concatenate([weights @ self.mean, self.mean])
        if not given:
            return mean
        at = [len(weights) + j for j in given]
        gap = np.array([given[j] - self.mean[j] for j in given])
        return mean + full[:, at] @ np.linalg.solve(full[np.ix_(at, at)], gap)


def _split(matrix: Long) -> tuple[np.longdouble, Long, Long]:
    """Of the covariance of unknown tuples and, last, the target: its variance, how they follow it, the rest of them."""
    variance = matrix[-1, -1]
    slope = matrix[:-1, -1] / variance
    return variance, slope, matrix[:-1, :-1] - np.outer(slope, slope) * variance


def augmented(covariance: Floats, weights: Floats) -> Floats:
    """Covariance of the queries and the tuples together."""
    cross = weights @ covariance
    return np.block([[cross @ weights.T, cross], [cross.T, covariance]])


def solved(matrix: Floats, right: Floats) -> Long:
    """matrix⁻¹·right of a covariance matrix, by solutions in floats of what is left over in extended precision."""
    sd = np.exp2(np.round(np.log2(np.diag(matrix)) / 2))  # powers of two: no unit hides another, and nothing is rounded
    unit = matrix / np.outer(sd, sd)
    goal = (right / sd[:, None]).astype(np.longdouble)
    exact = unit.astype(np.longdouble)
    found = np.zeros_like(goal)
    for _ in range(_STEPS):
        found = found + np.linalg.solve(unit, (goal - exact @ found).astype(float))
    return found / sd[:, None]


def cholesky(matrix: Long) -> Long:
    """L with L·Lᵀ = matrix; directions without variance become 0."""
    out = np.zeros_like(matrix)
    for k in range(len(matrix)):  # column by column: sums along rows, which long matrices are quickest in
        rest = matrix[k:, k] - out[k:, :k] @ out[k, :k]
        if rest[0] > 0:
            out[k:, k] = rest / np.sqrt(rest[0])
    return out
