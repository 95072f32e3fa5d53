"""The same computations in dplens and in other libraries, each used as documented and with its own defaults.

Every function starts from scratch. Imports are inside the functions, so a peer that is not installed, or does not run
with the installed numpy and scipy, affects only its own rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import dplens as dl
from benchmarks import work
from benchmarks.releases import ORDERS, Part, Setting, release, renyi_bounds
from benchmarks.work import Training


class Inexpressible(Exception):
    """Raised for a setting that a peer cannot express."""


# ---- dplens ---------------------------------------------------------------------------------------------


def our_training(run: Training) -> dl.Mechanism:
    """DP-SGD."""
    return release(run.part)


def our_laplace(count: int) -> dl.Mechanism:
    """Repeated Laplace releases of scale 1."""
    return release(Part("laplace", 1.0, count))


def our_mixed(count: int) -> dl.Mechanism:
    """A composition of `count` different releases."""
    return dl.compose(*(release(part) for part in work.mixed(count)))


def our_curve(run: Training) -> Any:
    """The trade-off curve of DP-SGD."""
    return our_training(run).tradeoff()(work.CURVE_ALPHAS)


# ---- dp-accounting: privacy-loss distributions on its default grid, 1e-4 ----------------------------------


def accounting_training(run: Training) -> float:
    """Epsilon of DP-SGD."""
    return loss_distribution([run.part]).get_epsilon_for_delta(work.TRAINING_DELTA)


def accounting_laplace(count: int) -> float:
    """Epsilon of repeated Laplace releases."""
    return loss_distribution([Part("laplace", 1.0, count)]).get_epsilon_for_delta(work.LAPLACE_DELTA)


def accounting_mixed(count: int) -> float:
    """Epsilon of `count` different releases."""
    return loss_distribution(work.mixed(count)).get_epsilon_for_delta(work.MIXED_DELTA)


def accounting_epsilon(setting: Setting) -> float:
    """Epsilon of a setting, from Rényi divergences if nothing else is known."""
    import numpy as np
    from dp_accounting.rdp import RdpAccountant, rdp_privacy_accountant

    total = _bounded_moments(setting)
    if total is None:
        return loss_distribution(in_parts(setting)).get_epsilon_for_delta(setting.delta)
    orders: Any = np.asarray(RdpAccountant()._orders if total.kind == "zcdp" else ORDERS, float)
    divergences: Any = total.count * np.asarray(total.size * orders if total.kind == "zcdp" else renyi_bounds(total))
    return float(rdp_privacy_accountant.compute_epsilon(orders, divergences, setting.delta)[0])


def in_parts(setting: Setting) -> list[Part]:
    """The releases of a setting, for peers that describe records only by a sensitivity."""
    if setting.as_replace or (setting.neighbours == "replace" and any(part.rate < 1 for part in setting.parts)):
        raise Inexpressible("replaced records in samples")
    if setting.group == 1:
        return list(setting.parts)
    grown = []
    for part in setting.parts:
        alone = part.count == 1 and part.kind in ("laplace", "geometric", "discrete gaussian")
        if len(setting.parts) > 1 or not (alone or part.kind == "gaussian"):
            raise Inexpressible("groups, except under noise of a known sensitivity")
        grown.append(replace(part, sensitivity=part.sensitivity * setting.group))
    return grown


def _bounded_moments(setting: Setting) -> Part | None:
    """The Rényi guarantee of a setting that consists of nothing else, or None."""
    if len(setting.parts) > 1 or setting.group > 1:
        return None
    return next((part for part in setting.parts if part.kind in ("zcdp", "renyi")), None)


def loss_distribution(parts: Sequence[Part]) -> Any:
    """The privacy-loss distribution of the releases, composed in order."""
    makers = _makers()
    total = None
    for part in parts:
        if part.kind not in makers or (part.rate < 1 and part.kind in _UNSAMPLED):
            raise Inexpressible(part.kind if part.rate == 1 else f"sampled {part.kind}")
        one = makers[part.kind](part)
        one = one if part.count == 1 else one.self_compose(part.count)
        total = one if total is None else total.compose(one)
    if total is None:
        raise ValueError("nothing to compose")
    return total


_UNSAMPLED = ("response", "guarantee", "gdp")


def _makers() -> dict[str, Callable[[Part], Any]]:
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    def sampled(maker: Callable[..., Any]) -> Callable[[Part], Any]:
        return lambda part: maker(part.size, sensitivity=part.sensitivity, sampling_prob=part.rate)

    def discrete_laplace(part: Part) -> Any:
        return pld.from_discrete_laplace_mechanism(1 / part.size, sensitivity=part.sensitivity, sampling_prob=part.rate)

    def response(part: Part) -> Any:
        k = int(part.more or 2)
        # its parameter is the chance of answering at random, truth included
        return pld.from_randomized_response(k / (math.exp(part.size) + k - 1), k)

    def guarantee(part: Part) -> Any:
        return pld.from_privacy_parameters(common.DifferentialPrivacyParameters(part.size, part.more))

    return {
        "training": sampled(pld.from_gaussian_mechanism),
        "gaussian": sampled(pld.from_gaussian_mechanism),
        "laplace": sampled(pld.from_laplace_mechanism),
        "discrete gaussian": sampled(pld.from_discrete_gaussian_mechanism),
        "geometric": discrete_laplace,
        "response": response,
        "guarantee": guarantee,
        "gdp": lambda part: pld.from_gaussian_mechanism(1 / part.size),
    }


# ---- riskcal: a trade-off curve from dp-accounting's distribution, or from a guarantee -------------------


def riskcal_curve(run: Training) -> Any:
    """The trade-off curve of DP-SGD."""
    from riskcal import analysis

    return analysis.get_beta_from_pld(loss_distribution([run.part]), alpha=work.CURVE_ALPHAS)


def riskcal_betas(setting: Setting, alphas: Any) -> Any:
    """The trade-off curve of a setting."""
    import numpy as np
    from riskcal import analysis

    total = _bounded_moments(setting)
    if total is None:
        return analysis.get_beta_from_pld(loss_distribution(in_parts(setting)), alpha=alphas)
    if total.kind == "zcdp":
        return analysis.get_beta_from_zcdp(total.count * total.size, alphas)
    bounds = zip(ORDERS, renyi_bounds(total), strict=True)
    found = [np.asarray(analysis.get_beta_from_rdp(total.count * x, alphas, order)) for order, x in bounds]
    return np.max(np.stack(found), axis=0)


# ---- prv-accountant: with the error of 0.1 in epsilon that its documentation calls typical ----------------


def prv_training(run: Training) -> float:
    """Epsilon of DP-SGD."""
    return _prv([run.part], work.TRAINING_DELTA)


def prv_epsilon(setting: Setting) -> float:
    """Epsilon of a setting."""
    return _prv(in_parts(setting), setting.delta)


def _prv(parts: Sequence[Part], delta: float) -> float:
    """The upper of its three estimates, because only that one is a guarantee."""
    from prv_accountant import PRVAccountant

    counts = [part.count for part in parts]
    accountant = PRVAccountant(
        prvs=[_random_variable(part) for part in parts],
        max_self_compositions=counts,
        eps_error=0.1,
        delta_error=delta / 1000,
    )
    _, _, upper = accountant.compute_epsilon(delta=delta, num_self_compositions=counts)
    return float(upper)


def _random_variable(part: Part) -> Any:
    import prv_accountant as prv
    from prv_accountant.privacy_random_variables import ApproximateDPMechanism

    ratio = part.size / part.sensitivity
    if part.kind in ("training", "gaussian"):
        if part.rate < 1:
            return prv.PoissonSubsampledGaussianMechanism(noise_multiplier=ratio, sampling_probability=part.rate)
        return prv.GaussianMechanism(noise_multiplier=ratio)
    if part.kind == "laplace" and part.rate == 1:
        return prv.LaplaceMechanism(mu=1 / ratio)
    if part.kind == "guarantee" and part.rate == 1:
        return ApproximateDPMechanism(epsilon=part.size, delta=part.more)
    if part.kind == "gdp":
        return prv.GaussianMechanism(noise_multiplier=1 / part.size)
    raise Inexpressible(part.kind)
