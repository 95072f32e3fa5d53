"""Releases: additive noise on linear queries or any query of discrete data, and the attainable values of the query."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._validate import Floats
from dplens.mechanisms.additive import Gaussian, Geometric, Laplace
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.noise import AdditiveNoise, known_noise
from dplens.numerics.laws.facts import family

_REMEDY = "Related records are analysed for noise added to a query: pass for instance dplens.Laplace(scale=1.0)."
_SEVERAL = "Pass several releases on the same data as a list, one noise each: [dplens.Laplace(scale=1.0)] * 3."


@dataclass(frozen=True, eq=False)
class NoisyQueries:
    """One noise mechanism per query. ``weights``: (releases, tuples), or None if there is a ``query``."""

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
        far, near = sizes > most, (np.array(largest) > 0) & (sizes < least)
        nearer = "Count values from a nearer origin, or use more noise: this much hides nothing."
        less = "Use less noise: so much hides everything."
        for wrong, limit, remedy in ((far, f"at most {most:.0e}", nearer), (near, f"at least {least:.0e}", less)):
            if wrong.any():
                rule = f"to make queries of {limit} times the spread of the noise"
                raise _validate.reject("weights and values", rule, float(sizes[wrong][0]), remedy)

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
    noises = []
    for i, m in enumerate(given):
        noise = known_noise(m)
        if noise is None:
            name = f"mechanism[{i}]" if many else "mechanism"
            parts = m._parts() if isinstance(m, Mechanism) else ()
            several = sum(count for _, count in parts) > 1 and all(known_noise(part) is not None for part, _ in parts)
            raise _validate.reject_type(name, "to add noise to a number", m, _SEVERAL if several else _REMEDY)
        noises.append(_named(noise))
    if query is not None:
        if weights is not None:
            raise _validate.reject("query", "only without weights", query, "Pass one of the two.")
        if not callable(query):
            raise _validate.reject_type("query", "to be a function of the tuples' values", query)
        remedy = "Write for instance query=lambda x: max(x[0], x[1])."
        check_arguments("query", query, (None,), "to take one array, the values of all tuples", remedy)
        return NoisyQueries(tuple(noises), None, query)
    return NoisyQueries(tuple(noises), _weights(weights, len(noises), count))


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


Ints = npt.NDArray[np.int64]

# Rounding of sums such as 0.1 + 0.2, relative to their span and to the largest of them; and the distance, in such
# grains, up to which sums are merged.
_OF_SPAN, _OF_LARGEST, _GRAINS = 2.0**-49, 2.0**-50, 3.0


def grain_of(values: Floats) -> Floats:
    """The largest distance between two equal values due to rounding, for each column of ``values`` (N, d)."""
    largest = np.max(np.abs(values), axis=0, initial=0.0)
    grain = np.maximum(np.ptp(values, axis=0) * _OF_SPAN, largest * _OF_LARGEST)
    return np.where(grain > 0, grain, 1.0)


def merging_error(largest: float) -> float:
    """The largest error of sums of up to this size after rounding and two merges."""
    return 2 * _GRAINS * max(2 * _OF_SPAN, _OF_LARGEST) * largest


def merged(values: Floats) -> tuple[Floats, Ints]:
    """Distinct rows of ``values`` (N, d) in increasing order, and the index of each row among them.

    Rows that differ only by rounding are merged into the first of them. A long chain of close neighbours is split every
    few grains, so no row moves further than that.
    """
    grain = grain_of(values)
    if values.shape[1] == 1:
        order = np.argsort(values[:, 0], kind="stable")
        away = (values[order, 0] - values[order[0], 0]) / grain[0]
        fresh = np.concatenate([[True], np.diff(away) > 1.5])
        starts = np.flatnonzero(fresh)
        part = np.floor((away - away[starts][np.cumsum(fresh) - 1]) / _GRAINS)
        fresh[1:] |= part[1:] != part[:-1]
        inverse = np.empty(len(order), dtype=np.int64)
        inverse[order] = np.cumsum(fresh) - 1
        return values[order[fresh]], inverse
    keys = np.round((values - values.min(axis=0)) / grain)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return values[first], inverse.ravel().astype(np.int64)


def rounded(values: Floats) -> Floats:
    """The leading 42 bits of each number: equal for numbers of any size that differ only by rounding."""
    share, power = np.frexp(values)
    return np.ldexp(np.round(np.ldexp(share, 42)), power - 42) + 0.0


def gathered(masses: Floats, inverse: Ints, count: int) -> Floats:
    """Masses (…, N) summed over entries with the same index: (…, count)."""
    flat = masses.reshape(-1, masses.shape[-1])
    order = np.argsort(inverse, kind="stable")
    starts = np.searchsorted(inverse[order], np.arange(count))
    return np.add.reduceat(flat[:, order], starts, axis=1).reshape(*masses.shape[:-1], count)


def common_unit(values: Floats, largest_denominator: int = 10_000) -> float | None:
    """The largest unit of which all ``values`` are whole multiples, up to rounding; None if there is none."""
    found = np.unique(np.abs(values))
    found = found[found > 0]
    if not len(found):
        return 1.0
    if len(found) > 4096:
        return None
    base = float(found[-1])
    shares = [Fraction(value / base).limit_denominator(largest_denominator) for value in found.tolist()]
    if any(abs(float(s) * base - value) > 4e-15 * base or s == 0 for s, value in zip(shares, found)):
        return None
    parts = math.lcm(*(s.denominator for s in shares))  # as one of the shares is 1, their largest unit is 1/parts
    return base / parts if parts <= largest_denominator else None


def whole(places: Floats, name: str) -> Floats:
    """The places as whole numbers."""
    rounded = np.round(places)
    if (np.abs(places - rounded) > 1e-9).any():
        worst = float(places.flat[int(np.argmax(np.abs(places - rounded)))])
        rule = f"to make the query a whole number for {name} noise"
        remedy = "Use whole weights and values, or Laplace or Gaussian noise."
        raise _validate.reject("weights and values", rule, worst, remedy)
    return rounded


def log_densities(places: Floats, logs: Floats) -> Floats:
    """log Σ_j m_j·e^{−|s_k − s_j|} at every place, which is the density of the output there up to a constant.

    ``places`` are sorted and in units of the scale; ``logs`` are log-masses (…, m).
    """
    up = np.logaddexp.accumulate(logs + places, axis=-1) - places  # Σ_{j ≤ k} m_j·e^{s_j − s_k}
    down = np.logaddexp.accumulate((logs - places)[..., ::-1], axis=-1)[..., ::-1] + places
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

    Geometric noise: its masses are the densities of Laplace noise at whole numbers up to a constant, so the same holds.
    """
    best, error = 0.0, 0.0
    for pair in [chosen] if chosen else itertools.combinations(range(block.laws.shape[1]), 2):
        rows = np.flatnonzero(block.possible[:, pair].all(axis=1))
        step = max(1, 2_000_000 // block.places.shape[1])  # keeps arrays small
        for start in range(0, len(rows), step):
            places, laws = block.joined(pair, rows[start : start + step])
            sums = whole(places[:, 0], "Geometric") if isinstance(mechanism, Geometric) else places[:, 0]
            units = (sums - sums[0]) / mechanism.scale
            merging = 2 * merging_error(float(np.max(np.abs(sums)))) / mechanism.scale
            error = max(error, rounding_of(units) + merging)
            with np.errstate(divide="ignore"):
                logs = np.log(laws)
            best = max(best, float(np.maximum(*extreme_losses(units, logs[:, 0], logs[:, 1])).max()))
    return best, error
