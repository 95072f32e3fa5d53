"""Sums of products of bounded columns: what regressions and covariances are computed from."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from dplens import _validate
from dplens.queries.base import Query, bounds_of
from dplens.queries.norms import Norms, largest, smallest
from dplens.registry import register

Pairs = tuple[tuple[float, float], ...]
Product = tuple[int, ...]  # indices of the columns that are multiplied; () is 1


def _columns(name: str, value: Any) -> Pairs:
    if _validate.as_array(name, value).ndim == 1:
        remedy = "Write bounds=[(low, high)] for one column."
        raise _validate.reject(name, "to be a list of pairs (low, high), one for each column", value, remedy)
    return bounds_of(name, value)


@dataclass(frozen=True, kw_only=True)
class _Moments(Query):
    """Sums over records of products of at most two bounded columns.

    Let z be a record, M_j the largest absolute value of column j, φ(z) the vector of the products, r the most records.

    Added or removed: the change is a sum of at most r vectors φ(z), and each entry of φ is at most the product of its
    M_j. All entries attain that at the corner with abs(z_j) = M_j, so the norms are r times those of these products.
    Sharp.

    Replaced: the change is t·u − s·v, where u and v are means of vectors φ(z). Norms are convex in (t, s), so largest
    at (r, 0), as above, or at (r, r). There each entry changes by at most r times the range of its product over the
    box, and the norms are at most twice those above. The smaller of the two is an upper bound, in general not
    attained, as the columns of one record fix all its products at once. If the number of records is exact, only (r, r)
    is left.
    """

    bounds: Sequence[tuple[float, float]] = field(metadata=_validate.checked(_columns))

    @property
    @abstractmethod
    def _box(self) -> Pairs:
        """The bounds of all columns."""

    @property
    @abstractmethod
    def products(self) -> list[Product]:
        """What is summed up: the indices of the columns of each product."""

    @property
    def size(self) -> int:
        """The number of sums."""
        return len(self.products)

    @property
    def _may_be_negative(self) -> bool:
        return any(low < 0 for low, _ in self._box)

    def _norms(self, neighbours: str) -> Norms:
        r = self.unit.records(f"a {type(self).__name__.lower()}")
        ranges = [_range(product, self._box) for product in self.products]
        gone = Norms.of(max(abs(low), abs(high)) for low, high in ranges).times(r)
        if neighbours == "add_remove":
            return gone
        moved = smallest([Norms.of(high - low for low, high in ranges).times(r), gone.times(2)])
        return moved if self.unit.is_exact else largest([gone, moved])


def _range(product: Product, box: Pairs) -> tuple[Fraction, Fraction]:
    """The smallest and the largest value of a product over the box."""
    ends = [tuple(map(Fraction, box[j])) for j in product]
    if not ends:
        return Fraction(1), Fraction(1)
    if len(ends) == 1:
        return ends[0][0], ends[0][1]
    corners = [a * b for a in ends[0] for b in ends[1]]
    low, high = min(corners), max(corners)
    if product[0] == product[1]:
        low = Fraction(0) if ends[0][0] <= 0 <= ends[0][1] else min(ends[0][0] ** 2, ends[0][1] ** 2)
    return low, high


def _response(name: str, value: Any) -> tuple[float, float]:
    pairs = bounds_of(name, value)
    if len(pairs) != 1:
        raise _validate.reject(name, "to be one pair (low, high)", value)
    return pairs[0]


@register
@dataclass(frozen=True, kw_only=True)
class Regression(_Moments):
    """The sufficient statistics of a linear regression: the distinct entries of X'X, and X'y.

    bounds: a pair (low, high) for each covariate. response: the pair for the response y. intercept: whether X has a
    column of ones. The order is that of ``products``, with the covariates first and the response last. The residual
    variance needs the sum of y² as well: add ``Sum(bounds=(0, largest y²))``.

    For added or removed units the sensitivity is sharp; for replaced ones it is an upper bound. Proof:
    ``dplens.queries.moments``. Scale all columns to similar bounds, as they share the noise.

    Use it for the coefficients of a linear model, which are post-processing of these sums.

    >>> import dplens as dl
    >>> q = dl.Regression(bounds=[(0, 1)], response=(-1, 1))
    >>> q.products, q.l1, round(q.l2, 4)
    ([(), (0,), (0, 0), (1,), (0, 1)], 5.0, 2.2361)
    """

    response: tuple[float, float] = field(metadata=_validate.checked(_response))
    intercept: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "intercept", _validate.flag("intercept", self.intercept))
        super().__post_init__()

    @property
    def _box(self) -> Pairs:
        return (*self.bounds, self.response)

    @property
    def products(self) -> list[Product]:
        """What is summed up: the indices of the columns of each product, the response last."""
        k = len(self.bounds)
        columns: list[Product] = [()] * self.intercept + [(j,) for j in range(k)]
        squares = [tuple(sorted(a + b)) for a, b in combinations_with_replacement(columns, 2)]
        return squares + [(*column, k) for column in columns]


@register
@dataclass(frozen=True, kw_only=True)
class Covariance(_Moments):
    """The sums from which means, variances and covariances follow: of ones, of each column, and of each product of two.

    bounds: a pair (low, high) for each column. Subtract a public centre from each column first: the sensitivity of
    products grows with the largest absolute values.

    For added or removed units the sensitivity is sharp; for replaced ones it is an upper bound. Proof:
    ``dplens.queries.moments``.

    Use it for a covariance or correlation matrix, which is post-processing of these sums.

    >>> import dplens as dl
    >>> q = dl.Covariance(bounds=[(-1, 1), (-2, 2)])
    >>> q.products, q.l1
    ([(), (0,), (1,), (0, 0), (0, 1), (1, 1)], 11.0)
    """

    @property
    def _box(self) -> Pairs:
        return tuple(self.bounds)

    @property
    def products(self) -> list[Product]:
        """What is summed up: the indices of the columns of each product."""
        columns = range(len(self.bounds))
        return [(), *((j,) for j in columns), *combinations_with_replacement(columns, 2)]
