"""How the peers are called: privacy-loss distributions built once, Rényi accountants, small conversions."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import dp_accounting as dpa
from dp_accounting import pld, rdp
from dp_accounting.pld import common
from dp_accounting.pld import privacy_loss_distribution as distributions

ADD_REMOVE = dpa.NeighboringRelation.ADD_OR_REMOVE_ONE
REPLACE = dpa.NeighboringRelation.REPLACE_ONE
SPECIAL = dpa.NeighboringRelation.REPLACE_SPECIAL

STEP = 1e-3  # the grid of the privacy loss; the brackets are exact for any

# Three ways to put a loss on the grid: chords of the profile, rounding up, rounding down.
DOTS = {"use_connect_dots": True}
UP = {"use_connect_dots": False}
DOWN = {"use_connect_dots": False, "pessimistic_estimate": False}


@cache
def _distribution(maker: str, arguments: tuple, options: tuple) -> Any:
    return getattr(distributions, maker)(*arguments, **dict(options))


def distribution(maker: str, *arguments: Any, **options: Any) -> Any:
    """``privacy_loss_distribution.<maker>``, built once for the same arguments."""
    options.setdefault("value_discretization_interval", STEP)
    return _distribution(maker, arguments, tuple(sorted(options.items())))


@cache
def pair(lower: tuple[float, ...], upper: tuple[float, ...], step: float = STEP) -> Any:
    """The distribution of two finite laws, both directions."""
    logs = [{i: math.log(p) if p else -math.inf for i, p in enumerate(law)} for law in (lower, upper)]
    return distributions.from_two_probability_mass_functions(*logs, value_discretization_interval=step, symmetric=False)


def guarantee(epsilon: float, delta: float) -> Any:
    """An (epsilon, delta) pair in dp-accounting's own type."""
    return common.DifferentialPrivacyParameters(epsilon, delta)


@cache
def promised(epsilon: float, delta: float) -> Any:
    """The worst distribution that an (epsilon, delta) guarantee allows."""
    return distributions.from_privacy_parameters(guarantee(epsilon, delta), value_discretization_interval=STEP)


@cache
def on_powers_of_two(remove: tuple, add: tuple) -> Any:
    """A pair whose losses are whole multiples of log 2, given as (multiple, mass): no rounding anywhere."""
    return distributions.PrivacyLossDistribution.create_from_rounded_probability(
        dict(remove),
        0.0,
        math.log(2),
        rounded_probability_mass_function_add=dict(add),
        infinity_mass_add=0.0,
        symmetric=False,
    )


def noise_parameter(epsilon: float, categories: int) -> float:
    """dp-accounting's randomised response: with this probability the answer is drawn from all categories."""
    return categories / (math.exp(epsilon) + categories - 1)


def pld_accountant(event: Any, neighbours: Any = ADD_REMOVE) -> Any:
    """A PLD accountant that has seen one event."""
    return pld.PLDAccountant(neighbours, value_discretization_interval=STEP).compose(event)


def rdp_accountant(event: Any, orders: Any = None, neighbours: Any = ADD_REMOVE) -> Any:
    """A Rényi accountant that has seen one event."""
    return rdp.RdpAccountant(orders, neighbours).compose(event)


def rdp_of(event: Any, neighbours: Any = ADD_REMOVE) -> Callable[[float], float]:
    """The Rényi divergence of one event as a function of the order."""
    return lambda order: float(rdp_accountant(event, [order], neighbours).rdp[0])


def above(law: Any, x: float) -> float:
    """P(loss > x) in a distribution's "remove" direction, at a multiple of its grid."""
    dense = law._pmf_remove.to_dense_pmf()
    first = round(x / dense._discretization) + 1 - dense._lower_loss
    return float(dense._infinity_mass + dense._probs[max(first, 0) :].sum())
