"""Jointly Gaussian tuples."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.models.discrete import Model
from dplens.correlated.views.base import view_arguments
from dplens.correlated.views.bounds import most_response, moved, moved_epsilon
from dplens.correlated.views.gaussian import GaussianView
from dplens.correlated.views.queries import NoisyQueries, release
from dplens.mechanisms.additive import DiscreteGaussian, Geometric, Staircase
from dplens.numerics.sharing import Shared, latest
from dplens.registry import register

if TYPE_CHECKING:
    from dplens.curves.base import TradeOff


Long = npt.NDArray[np.longdouble]

_LONG_EPS = np.finfo(np.longdouble).eps


class GaussianTuples(Model):
    """Base of the Gaussian models."""

    width: Any  # the largest distance of two values of each tuple

    @abstractmethod
    def as_data(self) -> GaussianData:
        """The same tuples with their whole covariance matrix."""

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

        Arguments as for discrete data. The values of known tuples shift both laws alike, so they matter only for
        beliefs. Without a ``pair`` the two values are ``width`` apart.

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
        given = view_arguments(self, made, target=target, known=known, pair=pair)
        return GaussianView(mechanism=mechanism, weights=weights, **given)

    def _pair(self, target: int, pair: Any) -> tuple[float, float]:
        two = _validate.pair("pair", pair, "to be two values of the target")
        first, second = (_validate.real("pair", v, "to hold finite numbers", math.isfinite) for v in two)
        width = float(self.width[target])
        if not 0 < abs(second - first) <= width * (1 + 1e-12):
            raise _validate.reject("pair", f"to be two values at most the width {width!r} apart", pair)
        return first, second

    def bound(self, made: NoisyQueries, delta: float) -> float:
        """An upper bound on epsilon(delta) of every attacker: unknown tuples follow the target as far as possible."""
        if delta == 0:
            spans = most_response(self.as_data().covariance, made.linear)[0] * self.width
            return max(moved_epsilon(made.mechanisms, span, delta) for span in spans.T)
        return min(float(curve.epsilon(delta)) for curve in self.bounds(made))

    def bounds(self, made: NoisyQueries) -> list[TradeOff]:
        """Curves that lie below the curve of every attacker."""
        response, others = most_response(self.as_data().covariance, made.linear)
        spans, own = response * self.width, np.abs(made.linear) * self.width
        mu = float(np.max(others * self.width))  # an attacker who also sees the unknown tuples learns more
        return [moved(made.mechanisms, spans.max(axis=1)), moved(made.mechanisms, own.max(axis=1), mu)]


@register
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GaussianData(Shared, GaussianTuples):
    """Tuples that are jointly normal with the given ``covariance``; two values of a tuple are at most ``width`` apart.

    width: one number or one for each tuple (Li's M). mean: only used for beliefs. The shift of the query between two
    values of the target is ``width·|g|``, g = Cov(S, x_i | x_K)/Var(x_i | x_K) (Li et al. 2019, Theorem 6).

    >>> import dplens as dl
    >>> data = dl.GaussianData(covariance=[[1.0, -0.5], [-0.5, 1.0]], width=1.0)
    >>> found = data.worst(dl.Laplace(scale=1.0))
    >>> round(found.leakage, 9), len(found.known)  # negative correlation: more knowledge reveals more
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
        largest = 1e150  # sums of products are still floats
        if not (np.abs(matrix) <= largest).all():  # also true of nan
            remedy = "Measure the tuples in a larger unit." if np.isfinite(matrix).all() else ""
            raise _validate.reject("covariance", f"to hold numbers up to {largest:g} in size", self.covariance, remedy)
        if np.max(np.abs(matrix - matrix.T)) > 1e-9 * np.max(np.abs(matrix)):
            raise _validate.reject("covariance", "to be symmetric", self.covariance)
        matrix = (matrix + matrix.T) / 2
        if (np.diag(matrix) <= 0).any():
            variances = np.diag(matrix).tolist()
            raise _validate.reject("covariance", "to have variances > 0", variances, "Drop constant tuples.")
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
        object.__setattr__(self, "width", per_tuple("width", self.width, self.n))
        object.__setattr__(self, "mean", per_tuple("mean", 0.0 if self.mean is None else self.mean, self.n, -math.inf))

    @property
    def n(self) -> int:
        return len(self.covariance)

    def as_data(self) -> GaussianData:
        return self

    def response(self, weights: Floats, target: int, known: tuple[int, ...]) -> tuple[Floats, Floats, float]:
        """Cov(S, x_i | x_K)/Var(x_i | x_K) of the queries S; Cov(S | x_i, x_K); Var(x_i | x_K)."""
        given = self._given(target, known)
        loose = weights[:, given.unknown]
        found = weights[:, target] + loose @ given.slope
        terms = np.abs(weights[:, target]) + np.abs(loose) @ (given.terms[:-1] / given.variance)
        # what cancels up to the rounding of the covariances is 0
        found = np.where(np.abs(found) <= 4e-15 * terms, 0.0, found).astype(float)
        return found, (loose @ given.rest @ loose.T).astype(float), float(given.variance)

    def response_error(self, weights: Floats, target: int, known: tuple[int, ...]) -> Floats:
        """Bounds on the rounding error of the response, larger if tuples nearly determine each other."""
        given = self._given(target, known)
        if not given.unknown:
            return np.zeros(len(weights))
        share, loose = given.terms / given.variance, weights[:, given.unknown]
        off = np.abs(weights[:, target]) + np.abs(loose) @ (share[:-1] + share[-1] * np.abs(given.slope))
        last = np.abs(weights[:, target] + loose @ given.slope) * np.finfo(float).eps
        return (off * _LONG_EPS * (self.n + 4) + last).astype(float)

    def root(self, weights: Floats, target: int, known: tuple[int, ...]) -> Floats:
        """B with B·Bᵀ = Cov(S | x_i, x_K); it keeps digits that the product loses to rounding."""
        given = self._given(target, known)
        return (weights[:, given.unknown] @ cholesky(given.rest)).astype(float)

    def covariance_error(self, target: int, known: tuple[int, ...]) -> Floats:
        """v with abs(error of Cov(x given x_i, x_K)) ≤ v·vᵀ."""
        given = self._given(target, known)
        size = np.sqrt(given.own[:-1]) + np.abs(given.slope) * np.sqrt(given.own[-1])
        out = np.zeros(self.n)
        out[given.unknown] = size * np.sqrt(8 * _LONG_EPS * (self.n + 4))
        return out

    def _given(self, target: int, known: tuple[int, ...]) -> Conditional:
        return latest(self, "_latest", (target, known), lambda: self._conditional(target, known))

    def _conditional(self, target: int, known: tuple[int, ...]) -> Conditional:
        """Known tuples are not part of any sum, so large ones do not cause rounding errors in the others."""
        unknown = sorted({*range(self.n)} - {target, *known})
        inside = [*unknown, target]
        matrix = self.covariance[np.ix_(inside, inside)].astype(np.longdouble)
        terms, own = np.abs(matrix[:, -1]), np.diag(matrix)
        if known:
            cross, inner = self.covariance[np.ix_(inside, known)], self.covariance[np.ix_(known, known)]
            slopes = solved(inner, cross.T)
            matrix = matrix - cross @ slopes
            size = np.abs(slopes).astype(float)
            products = np.abs(inner) @ size
            terms, own = terms + size.T @ products[:, -1], own + np.sum(size * products, axis=0)
        variance = matrix[-1, -1]
        slope = matrix[:-1, -1] / variance
        return Conditional(unknown, variance, slope, matrix[:-1, :-1] - np.outer(slope, slope) * variance, terms, own)

    def expected(self, weights: Floats, given: dict[int, float]) -> Floats:
        """Mean of (queries…, tuples…) given the known values."""
        full = augmented(self.covariance, weights)
        mean = np.concatenate([weights @ self.mean, self.mean])
        if not given:
            return mean
        at = [len(weights) + j for j in given]
        gap = np.array([given[j] - self.mean[j] for j in given])
        return mean + full[:, at] @ np.linalg.solve(full[np.ix_(at, at)], gap)


class Conditional(NamedTuple):
    """Tuples given the known ones, in extended precision; in ``terms`` and ``own`` the target is the last."""

    unknown: list[int]  # without the target
    variance: np.longdouble  # of the target
    slope: Long  # of the unknown tuples on the target
    rest: Long  # covariance of the unknown tuples given the target
    terms: Long  # sizes of the terms that make up the covariances with the target
    own: Long  # and the variances


def per_tuple(name: str, given: Any, n: int, least: float = 5e-324) -> Floats:
    """One finite number for each tuple, from a list of them or from one for all."""
    array = _validate.as_array(name, given)
    array = np.full(n, float(array)) if array.ndim == 0 else array
    if array.shape != (n,) or not ((array >= least) & np.isfinite(array)).all():
        size = {0.0: ">= 0", -math.inf: "finite"}.get(least, "> 0 and finite")
        raise _validate.reject(name, f"to be {size}: one number, or one for each of the {n} tuples", given)
    return array


def augmented(covariance: Floats, weights: Floats) -> Floats:
    """Covariance of the queries and the tuples together."""
    cross = weights @ covariance
    return np.block([[cross @ weights.T, cross], [cross.T, covariance]])


def solved(matrix: Floats, right: Floats) -> Long:
    """matrix⁻¹·right of a covariance matrix: solved in floats, refined with residuals in extended precision."""
    sd = np.exp2(np.round(np.log2(np.diag(matrix)) / 2))  # powers of two equalise the units without rounding
    unit = matrix / np.outer(sd, sd)
    goal = (right / sd[:, None]).astype(np.longdouble)
    exact = unit.astype(np.longdouble)
    found = np.zeros_like(goal)
    for _ in range(3):  # each step gains the digits that the condition of the matrix leaves to a float
        found = found + np.linalg.solve(unit, (goal - exact @ found).astype(float))
    return found / sd[:, None]


def cholesky(matrix: Long) -> Long:
    """L with L·Lᵀ = matrix; directions without variance become 0. LAPACK has no extended precision."""
    out = np.zeros_like(matrix)
    for k in range(len(matrix)):  # by columns, with sums along rows: fastest in extended precision
        rest = matrix[k:, k] - out[k:, :k] @ out[k, :k]
        if rest[0] > 0:
            out[k:, k] = rest / np.sqrt(rest[0])
    return out
