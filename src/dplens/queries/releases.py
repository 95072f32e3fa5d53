"""What each kind of noise needs to know of a query, and why its curve then holds for vectors, too.

* Gaussian: the L2 norm. The likelihood ratio of two shifted normal laws depends on the output along the line between
  them only, so the curve is the scalar one with the length of the change (Dong, Roth & Su 2022, Theorem 2.7). Exact.
* Laplace, geometric, and other symmetric log-concave noise, independent on each number: the L1 norm. Merging the
changes
  of several numbers into one reveals more (the proof in ``Query._changes`` holds for densities as well). Attained if
  one number may change by all of the L1 norm; otherwise an upper bound, as for a table with several margins.
* Discrete Gaussian: in several dimensions neither the L2 norm nor the L1 norm gives a scalar curve that is known to be
the
  worst. (Canonne, Kamath & Steinke 2020 prove zCDP with the L2 norm, which is weaker than a curve.) The release is
  composed of one discrete Gaussian for each number that changes, with the amounts of ``Query._changes``. That is exact
  where a unit changes each number by at most 1, or may put all that it has into one, and an upper bound elsewhere.
* Bounded noise: composed in the same way, number by number; changes are merged only if the law is symmetric and
  log-concave.
* Staircase: not log-concave, so several small changes may reveal more than one large one; for one number only.
* Exponential: a choice instead of noise; only for queries with a utility, such as ``Quantile``.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dplens import _validate
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.bounded import BoundedNoise
from dplens.mechanisms.composed import compose
from dplens.mechanisms.noise import AdditiveNoise

if TYPE_CHECKING:
    from dplens.queries.base import Query

_OWN = ("sensitivity", "neighbours")


def released(query: Query, mechanism: type[Mechanism], noise: dict[str, Any], *, any_list: bool = False) -> Mechanism:
    """The mechanism of the given class that publishes a query; ``any_list`` if its cells may depend on the data."""
    rule = "to be a class of noise: " + ", ".join(kind.__name__ for kind in _RELEASES)
    if not isinstance(mechanism, type):
        remedy = "Pass the class and its arguments, such as query.release(dplens.Gaussian, sigma=2.0)."
        raise _validate.reject_type("mechanism", rule, mechanism, remedy)
    if mechanism not in _RELEASES:
        remedy = "For another mechanism, pass query.l1 or query.l2 as its sensitivity yourself."
        raise _validate.reject("mechanism", rule, mechanism, remedy)
    if not (query._has_public_list or any_list):
        remedy = "The list of cells would reveal who is in the data: state the number of cells, or use Suppressed."
        raise _validate.reject("cells", "to be a public list", None, remedy)
    known = [name for name in inspect.signature(mechanism).parameters if name not in _OWN]
    return _RELEASES[mechanism](query, given_noise(mechanism, noise, known))


def given_noise(kind: type[Mechanism], noise: dict[str, Any], known: Sequence[str]) -> dict[str, Any]:
    """The arguments of the noise, checked to be complete and none that follows from the query."""
    for name in noise:
        if name in _OWN:
            remedy = "State neighbours in the query." if name == "neighbours" else "State the bounds in the query."
            raise _validate.reject(name, "to be left out, since it follows from the query", noise[name], remedy)
        if name not in known:
            raise _validate.reject(name, f"to be an argument of {kind.__name__}: {', '.join(known)}", noise[name])
    for name, parameter in inspect.signature(kind).parameters.items():
        if parameter.default is parameter.empty and name not in noise:
            remedy = f"Pass for instance query.release(dplens.{kind.__name__}, {name}=2.0)."
            raise _validate.reject(name, f"to be given for {kind.__name__}", None, remedy)
    return noise


def _known(query: Query, norm: str) -> float:
    """A sensitivity that the noise needs."""
    value = getattr(query, norm)
    if not math.isfinite(value):
        remedy = f"Pass {norm} to the query, or size, the number of numbers, from which a bound follows."
        raise _validate.reject(norm, "to be known for this noise", value, remedy)
    return value


def _gaussian(query: Query, noise: dict[str, Any]) -> Mechanism:
    return Gaussian(**noise, sensitivity=_known(query, "l2"), neighbours=query.neighbours)


def _laplace(query: Query, noise: dict[str, Any]) -> Mechanism:
    return Laplace(**noise, sensitivity=_known(query, "l1"), neighbours=query.neighbours)


def _geometric(query: Query, noise: dict[str, Any]) -> Mechanism:
    _must_be_whole(query, "Geometric", "Laplace")
    return Geometric(**noise, sensitivity=int(_known(query, "l1")), neighbours=query.neighbours)


def _discrete_gaussian(query: Query, noise: dict[str, Any]) -> Mechanism:
    _must_be_whole(query, "DiscreteGaussian", "Gaussian")
    steps = [
        DiscreteGaussian(**noise, sensitivity=amount, neighbours=query.neighbours).repeat(count)
        for amount, count in query._changes()
    ]
    return steps[0] if len(steps) == 1 else compose(*steps)


def _bounded(query: Query, noise: dict[str, Any]) -> Mechanism:
    _must_be_whole(query, "BoundedNoise", "Gaussian")
    law = BoundedNoise(**noise)
    changes = query._changes(merging=law.is_log_concave and law.is_symmetric)
    steps = [
        BoundedNoise(**noise, sensitivity=amount, neighbours=query.neighbours).repeat(count)
        for amount, count in changes
    ]
    return steps[0] if len(steps) == 1 else compose(*steps)


def _staircase(query: Query, noise: dict[str, Any]) -> Mechanism:
    if query.size != 1:
        remedy = "Use Laplace or Geometric noise, or publish one number."
        found = _validate.Shown(f"{query.size or 'a list of'} numbers")
        raise _validate.reject("query", "to be one number for staircase noise", found, remedy)
    return Staircase(**noise, sensitivity=_known(query, "l1"), neighbours=query.neighbours)


def _additive(query: Query, noise: dict[str, Any]) -> Mechanism:
    from dplens.numerics.laws.facts import noise_facts

    made = AdditiveNoise(**noise, sensitivity=_known(query, "l1"), neighbours=query.neighbours)
    facts = noise_facts(noise["noise"])
    if query.size != 1 and not (facts is not None and facts.log_concave and facts.symmetric_unimodal):
        remedy = "Use Laplace, Gaussian or logistic noise, or publish one number."
        raise _validate.reject("noise", "to be symmetric and log-concave on several numbers", noise["noise"], remedy)
    return made


def _must_be_whole(query: Query, kind: str, other: str) -> None:
    if not query.is_whole:
        remedy = f"Use {other}; or, if the data are whole numbers with whole bounds, say whole=True in the query."
        raise _validate.reject("query", f"to publish whole numbers for {kind} noise", query, remedy)


_RELEASES: dict[type[Mechanism], Callable[[Query, dict[str, Any]], Mechanism]] = {
    Gaussian: _gaussian,
    Laplace: _laplace,
    Geometric: _geometric,
    DiscreteGaussian: _discrete_gaussian,
    BoundedNoise: _bounded,
    Staircase: _staircase,
    AdditiveNoise: _additive,
}
