"""Releases: additive noise on linear queries, or on any query of discrete data."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.noise import AdditiveNoise
from dplens.numerics.laws.facts import family

ADDITIVE = (Laplace, Gaussian, Geometric, DiscreteGaussian, Staircase, AdditiveNoise)
_REMEDY = "Related records are analysed for noise added to a query: pass for instance dplens.Laplace(scale=1.0)."
_SEVERAL = "Pass several releases on the same data as a list, one noise each: [dplens.Laplace(scale=1.0)] * 3."


@dataclass(frozen=True, eq=False)
class NoisyQueries:
    """One noise for each query. ``weights``: (releases, tuples), or None if there is a ``query``."""

    mechanisms: tuple[Any, ...]
    weights: Floats | None
    query: Callable[[Floats], Any] | None = None

    @property
    def single(self) -> Any | None:
        """The mechanism, if there is one release."""
        return self.mechanisms[0] if len(self.mechanisms) == 1 else None

    def check_size(self, largest: Floats, most: float = 1e10, least: float = 1e-100) -> None:
        """Refuse queries that are too large or too small for their noise.

        Sums closer than 6e-14 of the largest are merged, which must be far below the noise. Smaller queries than the
        least reveal less than floats can add up.
        """
        with np.errstate(over="ignore", under="ignore"):
            sizes = np.array(largest) / [_noise_scale(mechanism) for mechanism in self.mechanisms]
        rule, found, remedy = "", 0.0, ""
        if (sizes > most).any():
            rule, found = f"at most {most:.0e}", float(sizes[sizes > most][0])
            remedy = "Count values from a nearer origin, or use more noise: this much hides nothing."
        elif ((np.array(largest) > 0) & (sizes < least)).any():
            rule, found = f"at least {least:.0e}", float(sizes.min())
            remedy = "Use less noise: so much hides everything."
        if remedy:
            rule = f"to make queries of {rule} times the spread of the noise"
            raise _validate.reject("weights and values", rule, found, remedy)

    @property
    def linear(self) -> Floats:
        """The weights of a linear query."""
        if self.weights is None:
            raise _validate.reject("query", "to be left out here", self.query, "Pass weights for a linear query.")
        return self.weights


def release(mechanism: Any, count: int, weights: Any = None, query: Any = None) -> NoisyQueries:
    """A checked release on ``count`` tuples.

    mechanism: one additive mechanism or a list of them. Only its noise is used; the model and the weights, not the
    mechanism's sensitivity, determine how far a tuple moves the query.
    """
    many = isinstance(mechanism, Sequence) and not isinstance(mechanism, (str, bytes))
    given = list(mechanism) if many else [mechanism]
    if not given:
        raise _validate.reject("mechanism", "to be a mechanism or a list of at least one", mechanism, _REMEDY)
    for i, m in enumerate(given):
        if isinstance(m, type) or not isinstance(m, ADDITIVE):
            name = f"mechanism[{i}]" if many else "mechanism"
            parts = m._parts() if isinstance(m, Mechanism) else ()
            several = sum(count for _, count in parts) > 1 and all(isinstance(part, ADDITIVE) for part, _ in parts)
            raise _validate.reject_type(name, "to add noise to a number", m, _SEVERAL if several else _REMEDY)
    mechanisms = tuple(_named(m) for m in given)
    if query is not None:
        if weights is not None:
            raise _validate.reject("query", "only without weights", query, "Pass one of the two.")
        if not callable(query):
            raise _validate.reject_type("query", "to be a function of the tuples' values", query)
        remedy = "Write for instance query=lambda x: max(x[0], x[1])."
        check_arguments("query", query, (None,), "to take one array, the values of all tuples", remedy)
        return NoisyQueries(mechanisms, None, query)
    return NoisyQueries(mechanisms, _weights(weights, len(mechanisms), count))


def check_arguments(name: str, function: Callable[..., Any], arguments: Any, rule: str, remedy: str = "") -> None:
    """Refuse a function that cannot be called with such arguments, and a class, whose instances are not numbers."""
    if isinstance(function, type):
        raise _validate.reject_type(name, rule, function, remedy)
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        raise _validate.reject_type(name, rule, function, remedy) from None
    except ValueError:  # a builtin without a signature
        pass


def _weights(weights: Any, releases: int, count: int) -> Floats:
    if weights is None:
        return np.ones((releases, count))
    array = _validate.as_array("weights", weights)
    if array.ndim == 1:
        array = np.broadcast_to(array, (releases, len(array)))
    rule = f"to hold one weight for each of the {count} tuples"
    if array.shape != (releases, count):
        rule += f", a row for each of the {releases} releases" if releases > 1 else ""
        raise _validate.reject("weights", rule, weights, "The sum has weights 1, the mean 1/n; 0 leaves a tuple out.")
    if not np.isfinite(array).all():
        raise _validate.reject("weights", "to be finite", weights)
    size = np.abs(array[array != 0])
    if ((size < 1e-100) | (size > 1e100)).any():  # squares, and sums of squares, must be floats
        raise _validate.reject("weights", "to be 0 or between 1e-100 and 1e100 in size", weights, "Change the units.")
    return np.array(array, float)


def _noise_scale(mechanism: Any) -> float:
    """The scale or sigma, or half the interquartile range."""
    for name in ("scale", "sigma"):
        if hasattr(mechanism, name):
            return float(getattr(mechanism, name))
    quarter = np.array([0.25])
    law = mechanism.noise_law()
    return float(law.isf(quarter)[0] - law.ppf(quarter)[0]) / 2


def _named(mechanism: Any) -> Any:
    """Normal and Laplace distributions as the mechanisms of that name; their location makes no difference."""
    if isinstance(mechanism, AdditiveNoise):
        known = family(mechanism.noise)
        named = {"norm": lambda scale: Gaussian(sigma=scale), "laplace": lambda scale: Laplace(scale=scale)}
        if known is not None and known[0] in named:
            return named[known[0]](known[3])
    return mechanism


def listed(name: str, values: Any, rule: str, remedy: str = "") -> list[Any]:
    """The items of a list, an array or another collection; refuses strings and single values."""
    single = isinstance(values, (str, bytes)) or (isinstance(values, np.ndarray) and not values.ndim)
    if single or isinstance(values, type) or not isinstance(values, Iterable):
        raise _validate.reject_type(name, rule, values, remedy)
    return list(values)


def index(name: str, value: Any, rule: str) -> int:
    """A whole number that serves as an index."""
    if not _validate.is_integer(value):
        raise _validate.reject_type(name, rule, value)
    return int(value)
