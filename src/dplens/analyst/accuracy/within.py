"""Errors within a margin: of one number, of all at once, and relative to the size of a cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dplens import _validate
from dplens.analyst.accuracy.adjusted import simulated_share
from dplens.analyst.accuracy.base import (
    Processed,
    Promise,
    all_of,
    exactly,
    outside,
    processed,
    published_noise,
    share,
)
from dplens.analyst.laws.noise import NoNoise, NormalNoise
from dplens.analyst.laws.published import alone
from dplens.errors import Undefined
from dplens.estimate import Estimate


def _margin(name: str, value: Any) -> float:
    return _validate.nonnegative(name, value, "It is the largest error that is acceptable.")


@dataclass(frozen=True, kw_only=True)
class ErrorWithin(Promise):
    """The error of a published number is at most ``margin``, with at least the given ``probability``.

    The answer is P(abs(noise) ≤ margin) for one number of the query, exact but for rounding. Post-processing is counted
    in: rounding adds at most half its base to the error, other steps do not raise it, and then the answer is a lower
    bound. Other accuracy than that of noise (sampling, clipping, non-response) is not in it.

    >>> import dplens as dl
    >>> q = dl.Count()
    >>> promise = dl.ErrorWithin(query=q, margin=5, probability=0.95)
    >>> release = q.release(dl.Gaussian, sigma=2.0)
    >>> print(f"{promise.of(release):.4f}", promise.met_by(release))
    0.9876 True
    """

    margin: float = field(metadata=_validate.checked(_margin))

    def of(self, mechanism: Any) -> Estimate:
        return self._within(mechanism, exactly(self.margin), 1)

    def _within(self, mechanism: Any, margin: Fraction, count: int) -> Estimate:
        """Probability that so many independent errors are all at most the margin."""
        noise, steps = published_noise(mechanism), processed(self.query)
        if steps.adjusted and not isinstance(noise, (NoNoise, NormalNoise)):
            return simulated_share(self.query, noise, float(margin), every=count > 1)
        law = alone(noise)
        low = all_of(outside(law, margin - steps.shift), count)[0] if margin >= steps.shift else 0.0
        return share(low, self._most(law, margin, count, steps), law, steps.note)

    def _most(self, law: Any, margin: Fraction, count: int, steps: Processed) -> float:
        """The upper end, without what post-processing may hide."""
        if steps.adjusted:
            return 1.0
        sides = (1,) if steps.one_sided else (1, -1)
        return all_of(outside(law, margin + steps.shift, sides=sides), count)[1]


@dataclass(frozen=True, kw_only=True)
class AllWithin(ErrorWithin):
    """All errors of a query are at most ``margin`` at the same time, with at least the given ``probability``.

    The noise on the numbers is independent, so the answer is P(abs(noise) ≤ margin) to the power of their number, exact
    but for rounding. If margins are adjusted by least squares after Gaussian noise, it is a lower bound: the error
    before is the one after plus independent noise, which lowers the probability of every symmetric convex set (Anderson
    1955). After other noise the answer is simulated.

    >>> import dplens as dl
    >>> table = dl.Table(dimensions={"age": 5, "region": 8}, unit=dl.Unit(name="resident", max_cells=1))
    >>> promise = dl.AllWithin(query=table, margin=10, probability=0.95)
    >>> print(f"{promise.of(table.release(dl.Gaussian, sigma=3.0)):.4f}")
    0.9662
    """

    def of(self, mechanism: Any) -> Estimate:
        size = self.query.size
        if size is None:
            raise Undefined("The number of published numbers is not known. Give the query its size, or its cells.")
        return self._within(mechanism, exactly(self.margin), size)


@dataclass(frozen=True, kw_only=True)
class RelativeError(Promise):
    """The error of each number of size ``above`` or more is at most ``margin`` times it.

    margin: 0.1 for 10 %. The promise, with at least the given ``probability``, is for each such cell by itself; the
    answer is that at the size ``above``, the worst.

    >>> import dplens as dl
    >>> q = dl.Histogram(cells=12)
    >>> promise = dl.RelativeError(query=q, margin=0.1, above=100, probability=0.95)
    >>> print(f"{promise.of(q.release(dl.Laplace, scale=2.0)):.4f}")
    0.9933
    """

    margin: float = field(metadata=_validate.checked(_validate.positive))
    above: float = field(metadata=_validate.checked(_validate.positive))

    def of(self, mechanism: Any) -> Estimate:
        margin = exactly(self.margin) * exactly(self.above)
        plain = ErrorWithin(query=self.query, margin=0.0, probability=self.probability)
        return plain._within(mechanism, margin, 1)
