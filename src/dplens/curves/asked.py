"""The four functions of a curve as they are asked: of a number or of an array of any shape, on the safe side."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._numerics.enclosure import Enclosure

Floats = npt.NDArray[np.float64]

RISKY, MILD = 1, -1  # the two sides of a bracket: no less risk than the truth, no more

_BLOCK = 32768  # alphas (or epsilons, deltas) worked on at once


class Asked(ABC):
    """What answers flat arrays with enclosures; users read the end that overstates the attacker."""

    @abstractmethod
    def power_bounds(self, alpha: Floats, co: Floats) -> Enclosure: ...

    @abstractmethod
    def beta_bounds(self, alpha: Floats, co: Floats) -> Enclosure: ...

    @abstractmethod
    def profile_bounds(self, epsilon: Floats) -> Enclosure: ...

    @abstractmethod
    def epsilon_bounds(self, delta: Floats) -> Enclosure: ...

    @overload
    def __call__(self, alpha: float) -> float: ...
    @overload
    def __call__(self, alpha: npt.ArrayLike) -> Any: ...
    def __call__(self, alpha: Any) -> Any:
        """beta = f(alpha), never above the truth."""
        return elementwise(lambda a: self.beta_bounds(a, 1 - a).lo, _levels("alpha", alpha), alpha)

    @overload
    def power(self, alpha: float) -> float: ...
    @overload
    def power(self, alpha: npt.ArrayLike) -> Any: ...
    def power(self, alpha: Any) -> Any:
        """1 − f(alpha), the attacker's true-positive rate, with full relative accuracy; never below the truth."""
        return elementwise(lambda a: self.power_bounds(a, 1 - a).hi, _levels("alpha", alpha), alpha)

    @overload
    def delta(self, epsilon: float) -> float: ...
    @overload
    def delta(self, epsilon: npt.ArrayLike) -> Any: ...
    def delta(self, epsilon: Any) -> Any:
        """Privacy profile: sup over alpha of 1 − f(alpha) − e^epsilon·alpha; never below the truth.

        For a curve of both directions this is the larger of the two; for a directed curve, that direction's.
        """
        values = _validate.floats("epsilon", epsilon, ">= 0", 0.0, math.inf)
        return elementwise(lambda e: self.profile_bounds(e).hi, values, epsilon)

    @overload
    def epsilon(self, delta: float) -> float: ...
    @overload
    def epsilon(self, delta: npt.ArrayLike) -> Any: ...
    def epsilon(self, delta: Any) -> Any:
        """The least epsilon with delta(epsilon) ≤ delta (``inf`` if there is none); never below the truth."""
        return elementwise(lambda d: self.epsilon_bounds(d).hi, _levels("delta", delta), delta)


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
