"""What is done with a noisy result before it is published: free of privacy cost, stated, and counted in accuracy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dplens import _validate

if TYPE_CHECKING:
    from dplens.queries.base import Query


@dataclass(frozen=True, kw_only=True)
class Processing:
    """Base of post-processing steps. They use the noisy result alone, so they cannot lower privacy (Dwork et al. 2006).

    A step that looks at the data again is no post-processing.
    """

    def check(self, query: Query) -> None:
        """Raise an error if the step does not fit the query."""


@dataclass(frozen=True, kw_only=True)
class Rounding(Processing):
    """Rounding of the noisy result to multiples of ``base``. It adds at most half of it to the error.

    >>> import dplens as dl
    >>> count = dl.Count(processing=[dl.Rounding(base=5)])
    >>> print(f"{dl.ErrorWithin(query=count, margin=10, probability=0.9).of(count.release(dl.Laplace, scale=2.0)):.4f}")
    0.9765
    """

    base: float = field(metadata=_validate.checked(_validate.positive))

    def __post_init__(self) -> None:
        _validate.check_fields(self)


@dataclass(frozen=True, kw_only=True)
class NonNegative(Processing):
    """Negative results are published as 0. If true values are never negative, no error grows, but the mean rises.

    >>> import dplens as dl
    >>> dl.Histogram(cells=3, processing=[dl.NonNegative()]).processing
    (NonNegative(),)
    """

    def check(self, query: Query) -> None:
        if query._may_be_negative:
            remedy = "Leave NonNegative out, or use bounds that start at 0."
            raise _validate.reject("processing", "to hold NonNegative only for results >= 0", query.processing, remedy)


@dataclass(frozen=True, kw_only=True)
class ConsistentMargins(Processing):
    """Margins of a table are adjusted by least squares, so that they add up to each other.

    >>> import dplens as dl
    >>> table = dl.Table(dimensions={"age": 5, "region": 8}, margins=[("age",), ("region",), ()],
    ...     processing=[dl.ConsistentMargins()])
    >>> table.size
    14
    """

    def check(self, query: Query) -> None:
        if len(getattr(query, "margins", ())) < 2:
            rule = "to hold ConsistentMargins only for a Table with several margins"
            raise _validate.reject("processing", rule, type(query).__name__, "Leave it out.")


def checked_processing(name: str, value: Any) -> tuple[Processing, ...]:
    """The steps as a tuple."""
    remedy = "Pass a list such as [dplens.NonNegative()]."
    steps = _validate.instance(name, value, (list, tuple), "to be a list of post-processing steps", remedy)
    return tuple(
        _validate.instance(f"{name}[{i}]", step, Processing, "to be a post-processing step", remedy)
        for i, step in enumerate(steps)
    )
