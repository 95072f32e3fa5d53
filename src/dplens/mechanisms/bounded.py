"""Whole-number noise with finitely many values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import Floats, TradeOff
from dplens.curves.derived.hull import as_pair, hull_of
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.experiment import Experiment, FiniteOutputs, without_values
from dplens.mechanisms.finite import FinitePair
from dplens.numerics.sharing import cached_property
from dplens.registry import register

_WIDEST = 100_000  # whole numbers between the smallest and the largest noise
_SHIFTS = 200  # shifts whose curves are compared


def _sensitivity(name: str, value: Any) -> int:
    return _validate.count(name, value, 1, "The noise is on whole numbers.")


@register
@dataclass(frozen=True, kw_only=True)
class BoundedNoise(Mechanism):
    """Noise on a whole number that takes ``values[i]`` with probability ``probabilities[i]``, as of a cell-key table.

    The noise is drawn independently of the data. Beyond its largest value an output proves the larger count, so the
    release is catastrophic; how often depends on the probabilities at the ends.

    Claim: if the law is log-concave, a shift by the sensitivity is the worst case, since the ratio of two shifted laws
    is monotone. Otherwise the curve is the lower convex hull of those of all shifts from 1 to the sensitivity. The
    curve covers both directions; unless the law is symmetric and a single shift is the worst, compositions take the
    worse direction and shift for each release. Statistical offices that use other laws for small counts must take the
    worst pair of them (``FinitePair``): a count of 0 that is never changed is told apart from 1 with certainty.

    Use it for tables that statistical offices perturb with a bounded law.

    >>> import dplens as dl
    >>> office = dl.BoundedNoise(values=[-2, -1, 0, 1, 2], probabilities=[0.1, 0.2, 0.4, 0.2, 0.1])
    >>> print(f"{dl.Advantage().of(office):.4f} {office.tradeoff().power(0.0):.4f}", dl.failure_mode(office).value)
    0.4000 0.1000 catastrophic
    """

    values: Sequence[int]
    probabilities: Sequence[float]
    sensitivity: int = field(default=1, metadata=_validate.checked(_sensitivity))

    def __post_init__(self) -> None:
        super().__post_init__()
        masses = _validate.law("probabilities", self.probabilities)
        values = _validate.floats("values", self.values, "to be whole and within 1e9", -1e9, 1e9)
        if values.shape != masses.shape or (values != np.floor(values)).any() or len(set(values)) < len(values):
            rule = f"to be different whole numbers, one for each of the {len(masses)} probabilities"
            raise _validate.reject("values", rule, self.values)
        if np.ptp(values) > _WIDEST:
            remedy = "Use Geometric or DiscreteGaussian noise."
            raise _validate.reject("values", f"to span at most {_WIDEST} whole numbers", self.values, remedy)
        order = np.argsort(values)
        object.__setattr__(self, "values", tuple(int(v) for v in values[order]))
        object.__setattr__(self, "probabilities", tuple(masses[order].tolist()))
        if not self.is_log_concave and self._reach > _SHIFTS:
            rule = f"to be at most {_SHIFTS} for noise that is not log-concave"
            raise _validate.reject("sensitivity", rule, self.sensitivity, "Split the query, or use other noise.")

    @cached_property
    def masses(self) -> Floats:
        """The probabilities of all whole numbers from the smallest to the largest value."""
        found = np.zeros(self.values[-1] - self.values[0] + 1)
        found[np.array(self.values) - self.values[0]] = self.probabilities
        return found

    @property
    def is_log_concave(self) -> bool:
        """Whether the law is log-concave on the whole numbers."""
        p = self.masses
        some = np.flatnonzero(p)
        inner = p[some[0] : some[-1] + 1]
        return bool((inner > 0).all() and (inner[1:-1] ** 2 >= inner[:-2] * inner[2:]).all())

    @property
    def is_symmetric(self) -> bool:
        """Whether the law is symmetric about its middle."""
        return bool((self.masses == self.masses[::-1]).all())

    @property
    def _reach(self) -> int:
        """The shift from which on nothing overlaps, if the sensitivity is larger."""
        return min(self.sensitivity, len(self.masses))

    def _shifted(self, by: int) -> FinitePair:
        empty = np.zeros(by)
        p, q = np.append(self.masses, empty), np.append(empty, self.masses)
        return FinitePair(p=p.tolist(), q=q.tolist())

    def _forward(self) -> TradeOff:
        shifts = [self._reach] if self.is_log_concave else range(1, self._reach + 1)
        return hull_of([self._shifted(by)._forward() for by in shifts])

    def _step(self) -> TradeOff:
        if self.is_symmetric and (self.is_log_concave or self.sensitivity == 1):
            return self._one_direction
        return as_pair(self.tradeoff())

    def experiment(self, values: Any = None) -> Experiment:
        without_values(values, ": outcomes 0, 1, … are the true value plus the smallest noise, plus 0, 1, …")
        pair = self._shifted(self._reach)
        return Experiment(pair._forward(), FiniteOutputs(pair._laws()[2]))
