"""The four functions of a curve as they are asked: of a number or of an array of any shape, on the safe side."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from dplens import _validate

Floats = npt.NDArray[np.float64]

RISKY, MILD = 1, -1  # the two sides of a bracket: no less risk than the truth, no more

_BLOCK = 32768  # alphas (or epsilons, deltas) worked on at once


class Asked(ABC):
    """What answers for flat arrays on either side of a bracket, and is read on the risky one."""

    @abstractmethod
    def bounded_power(self, side: int, alpha: Floats, co: Floats) -> Floats: ...

    @abstractmethod
    def bounded_beta(self, side: int, alpha: Floats, co: Floats) -> Floats: ...

    @abstractmethod
    def bounded_profile(self, side: int, epsilon: Floats) -> Floats: ...

    @abstractmethod
    def bounded_epsilon(self, side: int, delta: Floats) -> Floats: ...

    @overload
    def __call__(self, alpha: float) -> float: ...
    @overload
    def __call__(self, alpha: npt.ArrayLike) -> Any: ...
    def __call__(self, alpha: Any) -> Any:
        """beta = f(alpha), never above the truth."""
        return elementwise(lambda a: self.bounded_beta(RISKY, a, 1 - a), _levels("alpha", alpha), alpha)

    @overload
    def power(self, alpha: float) -> float: ...
    @overload
    def power(self, alpha: npt.ArrayLike) -> Any: ...
    def power(self, alpha: Any) -> Any:
        """1 − f(alpha), the attacker's true-positive rate, with full relative accuracy; never below the truth."""
        return elementwise(lambda a: self.bounded_power(RISKY, a, 1 - a), _levels("alpha", alpha), alpha)

    @overload
    def delta(self, epsilon: float) -> float: ...
    @overload
    def delta(self, epsilon: npt.ArrayLike) -> Any: ...
    def delta(self, epsilon: Any) -> Any:
        """Privacy profile: sup over alpha of 1 − f(alpha) − e^epsilon·alpha; never below the truth.

        For a curve of both directions this is the larger of the two; for a directed curve, that direction's.
        """
        values = _validate.floats("epsilon", epsilon, ">= 0", 0.0, math.inf)
        return elementwise(lambda e: self.bounded_profile(RISKY, e), values, epsilon)

    @overload
    def epsilon(self, delta: float) -> float: ...
    @overload
    def epsilon(self, delta: npt.ArrayLike) -> Any: ...
    def epsilon(self, delta: Any) -> Any:
        """The least epsilon with delta(epsilon) ≤ delta (``inf`` if there is none); never below the truth."""
        return elementwise(lambda d: self.bounded_epsilon(RISKY, d), _levels("delta", delta), delta)


def _levels(name: str, values: Any) -> Floats:
    return _validate.floats(name, values, "in [0, 1]", 0.0, 1.0)


def elementwise(function: Callable[[Floats], Floats], values: Floats, given: Any) -> Any:
    """A function of flat arrays applied to checked ``values``; a number as it was given comes back as a float."""
    with np.errstate(over="ignore"):  # parameters next to the ends of floats: infinity is what is meant
        return _in_blocks(function, values, given)


def _in_blocks(function: Callable[[Floats], Floats], values: Floats, given: Any) -> Any:
    flat = np.atleast_1d(values).ravel()
    if len(flat) <= _BLOCK:
        out = function(flat)
    else:  # block by block, so that intermediate arrays stay in the processor's cache
        out = np.empty_like(flat)
        blocks = -(-len(flat) // _BLOCK)
        for part, block in zip(np.array_split(flat, blocks), np.array_split(out, blocks)):
            block[:] = function(part)
    if values.ndim == 0 and not isinstance(given, np.ndarray):
        return float(out[0])
    return out.reshape(values.shape)
