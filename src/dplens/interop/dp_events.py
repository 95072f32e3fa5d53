"""Conversion from events of dp-accounting, and back where exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from dplens import _validate
from dplens.errors import MissingExtra, Undefined
from dplens.interop.accountants import from_pld
from dplens.mechanisms.additive import Gaussian, Geometric, Laplace
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.combined import Grouped
from dplens.mechanisms.composed import DPSGD, Composed, Subsampled, compose
from dplens.mechanisms.finite import FinitePair, RandomizedResponse
from dplens.mechanisms.guarantees import ApproximateDP, GaussianDP, PrivacyProfile, RenyiDP, ZeroConcentratedDP

_RELATIONS = {"add_remove": "ADD_OR_REMOVE_ONE", "replace": "REPLACE_ONE", "replace_special": "REPLACE_SPECIAL"}
RELATIONS = tuple(_RELATIONS)
ORDERS = tuple(1 + 0.02 * 1.08**i for i in range(142))  # up to 1000
_POISSON = ("PoissonSampledDpEvent", "TruncatedSubsampledGaussianDpEvent")
_EXCHANGED = (
    "a person's answer is exchanged, not added or removed as in a Poisson sample; pass neighbours='replace', and "
    "sample without replacement if at all"
)


def from_dp_event(event: Any, *, neighbours: str = "add_remove") -> Mechanism:
    """The release described by an event of dp-accounting.

    Events do not state the neighbouring relation: ``"add_remove"`` (default) or ``"replace"`` one record, or
    ``"replace_special"``, replace one by nothing, which is treated like removal (a response becomes a random one).
    Noise multipliers are relative to the norm of one record; under ``"replace"`` the sensitivity is twice that norm.

    Exact: Gaussian, Laplace, discrete Laplace, randomised response, zCDP, Poisson sampling, sampling without
    replacement, tree aggregation, compositions, no-op, non-private. Pessimistic bounds computed by dp-accounting:
    mixtures of several Gaussians, truncated Poisson sampling, repeat-and-select, Poisson-sampled Gaussian noise under
    ``"replace"``; profiles state this in the certificate of every number, Rényi bounds in the text of an assessment.
    All other events raise an error that names them.

    >>> import dp_accounting as dpa
    >>> import dplens as dl
    >>> event = dpa.SelfComposedDpEvent(dpa.PoissonSampledDpEvent(0.01, dpa.GaussianDpEvent(1.0)), 1000)
    >>> round(dl.from_dp_event(event).tradeoff().epsilon(1e-5), 6)
    1.828237
    """
    relation = _validate.one_of("neighbours", neighbours, RELATIONS)
    made = _KINDS.get(type(event).__name__)
    if made is None or not hasattr(event, "to_named_tuple"):
        if hasattr(event, "to_named_tuple"):
            raise _unsupported(event, "it has no meaning here")
        remedy = "Pass an event such as dp_accounting.GaussianDpEvent(1.0)."
        raise _validate.reject_type("event", "to be a DpEvent of dp-accounting", event, remedy)
    return made(event, relation)


def _unsupported(event: Any, why: str) -> Undefined:
    known = ", ".join(sorted(_KINDS.keys() - {"UnsupportedDpEvent"}))
    return Undefined(f"{type(event).__name__} cannot be converted: {why}. Events that can: {known}.")


def _held(relation: str) -> str:
    return "replace" if relation == "replace" else "add_remove"


def _units(relation: str) -> float:
    """The sensitivity of a sum, in units of the norm of one record."""
    return 2.0 if relation == "replace" else 1.0


def _revealing(relation: str) -> Mechanism:
    return ApproximateDP(epsilon=math.inf, neighbours=_held(relation))


def _nothing(event: Any, relation: str) -> Mechanism:
    return ApproximateDP(epsilon=0.0, neighbours=_held(relation))


def _noisy(event: Any, relation: str) -> Mechanism:
    if event.noise_multiplier == 0:
        return _revealing(relation)
    gaussian = type(event).__name__ == "GaussianDpEvent"
    made = Gaussian(sigma=event.noise_multiplier) if gaussian else Laplace(scale=event.noise_multiplier)
    return replace(made, sensitivity=_units(relation), neighbours=_held(relation))


def _discrete_laplace(event: Any, relation: str) -> Mechanism:
    if event.noise_parameter == 0:
        return _revealing(relation)
    steps = _validate.count("DiscreteLaplaceDpEvent sensitivity", event.sensitivity) * int(_units(relation))
    return Geometric(scale=1 / event.noise_parameter, sensitivity=steps, neighbours=_held(relation))


def _response(event: Any, relation: str) -> Mechanism:
    p = _validate.probability("RandomizedResponseDpEvent noise_parameter", event.noise_parameter)
    k = _validate.count("RandomizedResponseDpEvent num_buckets", event.num_buckets)
    if relation == "add_remove":
        raise _unsupported(event, _EXCHANGED)
    if k == 1 or p == 1:
        return _nothing(event, relation)
    if relation == "replace_special":  # outcomes: the true response, any other
        truth, others = 1 - p + p / k, p * (k - 1) / k
        return FinitePair(p=[1 / k, (k - 1) / k], q=[truth, others])
    if p == 0:
        return _revealing(relation)
    return RandomizedResponse(epsilon=math.log1p(k * (1 - p) / p), categories=k, neighbours=_held(relation))


def _zcdp(event: Any, relation: str) -> Mechanism:
    if event.xi == 0:
        return ZeroConcentratedDP(rho=event.rho, neighbours=_held(relation))
    bounds = [event.xi + event.rho * order for order in ORDERS]
    return RenyiDP(orders=ORDERS, epsilons=bounds, neighbours=_held(relation))


def _composed(event: Any, relation: str) -> Mechanism:
    if not isinstance(event.events, (list, tuple)):
        raise _validate.reject_type("ComposedDpEvent", "to hold a list of events", event.events)
    parts = [from_dp_event(e, neighbours=relation) for e in event.events]
    return compose(*parts) if parts else _nothing(event, relation)


def _poisson(event: Any, relation: str) -> Mechanism:
    if event.sampling_probability == 0:
        return _nothing(event, relation)
    if relation == "replace" and type(event.event).__name__ == "GaussianDpEvent" and event.event.noise_multiplier > 0:
        return _bounded(event, relation)  # tighter than two removals
    inner = from_dp_event(event.event, neighbours="add_remove")
    sampled = inner.subsample(event.sampling_probability, scheme="poisson")
    return sampled.as_replace() if relation == "replace" else sampled


def _without_replacement(event: Any, relation: str) -> Mechanism:
    if relation != "replace":
        raise _unsupported(event, "a sample of fixed size goes with replace-one neighbours; pass neighbours='replace'")
    if event.sample_size == 0:
        return _nothing(event, relation)
    inner = from_dp_event(event.event, neighbours=relation)
    return inner.subsample(event.sample_size / event.source_dataset_size, scheme="without_replacement")


def _tree(event: Any, relation: str) -> Mechanism:
    if relation != "replace_special":
        raise _unsupported(event, "it is stated for records replaced by nothing; pass neighbours='replace_special'")
    if event.noise_multiplier == 0:
        return _revealing(relation)
    counts = event.step_counts if hasattr(event.step_counts, "__len__") else [event.step_counts]
    deepest = max([math.ceil(math.log2(steps + 1)) for steps in counts if steps > 0], default=0)
    if not deepest:
        return _nothing(event, relation)
    # one record contributes to that many nodes of a tree (Kairouz et al. 2021, Appendix D)
    return Gaussian(sigma=event.noise_multiplier, sensitivity=math.sqrt(deepest))


def _mixture(event: Any, relation: str) -> Mechanism:
    """A Poisson sample if there are two parts, one of them without the record; otherwise bounded by dp-accounting."""
    chances: dict[float, float] = {}
    moves = _validate.floats("MixtureOfGaussiansDpEvent sensitivities", event.sensitivities, ">= 0", 0.0, 1e300)
    law = _validate.law("MixtureOfGaussiansDpEvent sampling_probs", event.sampling_probs)
    if moves.shape != law.shape:
        rule = f"to have one value for each of its sampling_probs ({len(law)})"
        raise _validate.reject("MixtureOfGaussiansDpEvent sensitivities", rule, _validate.Shown(f"{moves.size}"))
    for move, chance in zip(moves, law):
        chances[float(move)] = chances.get(float(move), 0.0) + float(chance)  # merge equal parts
    moved = {move: chance for move, chance in chances.items() if move > 0 and chance > 0}
    if not moved:
        return _nothing(event, relation)
    present = min(sum(moved.values()), 1.0)
    if event.standard_deviation == 0:  # not supported by dp-accounting
        return _revealing(relation) if relation == "replace" else _revealing(relation).subsample(present)
    if relation != "replace" and len(moved) == 1:
        noisy = Gaussian(sigma=event.standard_deviation, sensitivity=max(moved))
        return noisy if present == 1 or 0.0 not in chances else noisy.subsample(present)
    return _bounded(event, relation)


def _bounded(event: Any, relation: str) -> Mechanism:
    found = _by_the_library(event, relation)
    if isinstance(found, str):
        raise _unsupported(event, f"dp-accounting itself has no bound for it ({found})")
    if isinstance(found, PrivacyProfile) and type(event).__name__ in _POISSON:
        return replace(found, samples="poisson")
    return found


def _by_the_library(event: Any, relation: str) -> Mechanism | str:
    """A pessimistic bound from dp-accounting's loss distributions, else its Rényi divergences; or why there is none."""
    try:
        import dp_accounting as dpa
        from dp_accounting.pld import PLDAccountant
        from dp_accounting.rdp import RdpAccountant
    except ImportError:
        raise MissingExtra("This event needs dp-accounting to be bounded: pip install 'dplens[interop]'") from None
    among = getattr(dpa.NeighboringRelation, _RELATIONS[relation])
    neighbours = _held(relation)
    losses = PLDAccountant(among, value_discretization_interval=1e-3)  # a finer grid takes minutes for some events
    if losses.supports(event):
        _accounted(losses, event)
        if getattr(losses, "_contains_non_dp_event", False):  # a non-private event adds no loss, only a flag
            return ApproximateDP(epsilon=math.inf, neighbours=neighbours)
        return from_pld(losses._pld, neighbours=neighbours)
    moments = RdpAccountant(neighboring_relation=among)
    if moments.supports(event):
        _accounted(moments, event)
        orders, bounds = np.asarray(moments._orders, float), np.asarray(moments._rdp, float)
        keep = np.isfinite(bounds) & (orders >= 1)
        if keep.any():
            bounds = np.maximum(bounds[keep], 0.0).tolist()
            return RenyiDP(orders=orders[keep].tolist(), epsilons=bounds, neighbours=neighbours)
    return "neither its distributions of losses nor its Rényi divergences cover it"


def _accounted(accountant: Any, event: Any) -> None:
    """Account for an event; passes on dp-accounting's messages about invalid parameters."""
    try:
        accountant.compose(event)
    except (ValueError, TypeError, ArithmeticError) as error:
        name, shown = type(event).__name__, _validate.Shown(f"{type(error).__name__}: {error}")
        raise _validate.reject(name, "to be an event that dp-accounting can account for", shown) from None


def _never(event: Any, relation: str) -> Mechanism:
    raise _unsupported(event, "it says of itself that it is not supported")


_KINDS: dict[str, Callable[[Any, str], Mechanism]] = {
    "NoOpDpEvent": _nothing,
    "NonPrivateDpEvent": lambda event, relation: _revealing(relation),
    "UnsupportedDpEvent": _never,
    "GaussianDpEvent": _noisy,
    "LaplaceDpEvent": _noisy,
    "DiscreteLaplaceDpEvent": _discrete_laplace,
    "RandomizedResponseDpEvent": _response,
    "ZCDpEvent": _zcdp,
    "ComposedDpEvent": _composed,
    "SelfComposedDpEvent": lambda event, relation: from_dp_event(event.event, neighbours=relation).repeat(event.count),
    "PoissonSampledDpEvent": _poisson,
    "SampledWithoutReplacementDpEvent": _without_replacement,
    "SingleEpochTreeAggregationDpEvent": _tree,
    "MixtureOfGaussiansDpEvent": _mixture,
    "TruncatedSubsampledGaussianDpEvent": _bounded,
    "RepeatAndSelectDpEvent": _bounded,
}


# ---- back to events ---------------------------------------------------------------------------------------------


def to_dp_event(mechanism: Mechanism) -> Any:
    """The event of dp-accounting that describes a release exactly; raises if the conversion would lose something.

    >>> import dplens as dl
    >>> dl.to_dp_event(dl.Gaussian(sigma=2.0).subsample(0.01).repeat(100)).count
    100
    """
    try:
        import dp_accounting as dpa
    except ImportError:
        raise MissingExtra("Events of dp-accounting need it: pip install 'dplens[interop]'") from None
    if not isinstance(mechanism, Mechanism):
        raise _validate.reject_type("mechanism", "to be a mechanism", mechanism)
    return _event(mechanism, dpa)


def _event(m: Mechanism, dpa: Any) -> Any:
    units = _units(m.neighbours)
    if isinstance(m, Gaussian):
        return dpa.GaussianDpEvent(m.sigma * units / m.sensitivity)
    if isinstance(m, GaussianDP):
        return dpa.GaussianDpEvent(units / m.mu) if m.mu > 0 else dpa.NoOpDpEvent()
    if isinstance(m, Laplace):
        return dpa.LaplaceDpEvent(m.scale * units / m.sensitivity)
    if isinstance(m, Geometric) and m.sensitivity % units == 0:
        return dpa.dp_event.DiscreteLaplaceDpEvent(1 / m.scale, int(m.sensitivity / units))
    if isinstance(m, RandomizedResponse) and m.neighbours == "replace":
        k, rare = m.categories, math.exp(-m.epsilon)
        return dpa.dp_event.RandomizedResponseDpEvent(k * rare / (1 + (k - 1) * rare), k)
    if isinstance(m, ZeroConcentratedDP):
        return dpa.dp_event.ZCDpEvent(m.rho)
    if isinstance(m, ApproximateDP) and m.delta == 0 and m.epsilon in (0.0, math.inf):
        return dpa.NoOpDpEvent() if m.epsilon == 0 else dpa.NonPrivateDpEvent()
    if isinstance(m, DPSGD):
        step = dpa.PoissonSampledDpEvent(m.sample_rate, dpa.GaussianDpEvent(m.noise_multiplier))
        return dpa.SelfComposedDpEvent(step, m.steps)
    if isinstance(m, Subsampled) and m.scheme == "poisson":
        return dpa.PoissonSampledDpEvent(m.rate, _event(m.mechanism, dpa))
    if isinstance(m, Composed):
        events = [(_event(part, dpa), count) for part, count in m.parts]
        made = [e if count == 1 else dpa.SelfComposedDpEvent(e, count) for e, count in events]
        return made[0] if len(made) == 1 else dpa.ComposedDpEvent(made)
    why = next(text for kind, text in _LOST.items() if isinstance(m, kind))
    raise Undefined(f"{type(m).__name__} has no equivalent event: {why}")


_LOST = {
    Subsampled: "sampling without replacement needs the sizes of data and sample, but only their ratio is known.",
    RandomizedResponse: (
        "dp-accounting has randomised response for replaced answers only; state it with neighbours='replace'."
    ),
    ApproximateDP: "dp-accounting describes mechanisms, and this is a guarantee.",
    RenyiDP: "dp-accounting describes mechanisms, and this is a guarantee.",
    Grouped: "dp-accounting has no groups; compose the event of the release and ask it for a group's guarantee.",
    Mechanism: "dp-accounting has no event for this mechanism.",
}
