"""The same work done by dplens and by other libraries, each in its documented way and with its own defaults.

Every function builds everything anew. The imports are inside, so that a peer that is not installed, or does not run
with the installed numpy and scipy, costs only its own rows.
"""

from __future__ import annotations

import math
from typing import Any

import dplens as dl
from benchmarks import work
from benchmarks.work import Training

# ---- dplens ---------------------------------------------------------------------------------------------


def our_training(run: Training) -> dl.Mechanism:
    """DP-SGD."""
    return dl.DPSGD(noise_multiplier=run.sigma, sample_rate=run.rate, steps=run.steps)


def our_laplace(count: int) -> dl.Mechanism:
    """Many Laplace releases of scale 1."""
    return dl.Laplace(scale=1.0, sensitivity=1.0).repeat(count)


def our_mixed(count: int) -> dl.Mechanism:
    """So many different releases."""
    makers = {
        "Gaussian": lambda x: dl.Gaussian(sigma=x),
        "Laplace": lambda x: dl.Laplace(scale=x),
        "RandomizedResponse": lambda x: dl.RandomizedResponse(epsilon=1 / x),
    }
    return dl.compose(*(makers[kind](size) for kind, size in work.mixed(count)))


def our_curve(run: Training) -> Any:
    """The trade-off curve of DP-SGD."""
    return our_training(run).tradeoff()(work.CURVE_ALPHAS)


# ---- dp-accounting: privacy-loss distributions on its default grid, 1e-4 ----------------------------------


def accounting_training(run: Training) -> float:
    """Epsilon of DP-SGD."""
    return _training_distribution(run).get_epsilon_for_delta(work.TRAINING_DELTA)


def _training_distribution(run: Training) -> Any:
    from dp_accounting.pld import privacy_loss_distribution as pld

    return pld.from_gaussian_mechanism(run.sigma, sampling_prob=run.rate).self_compose(run.steps)


def accounting_laplace(count: int) -> float:
    """Epsilon of many Laplace releases."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    return pld.from_laplace_mechanism(1.0).self_compose(count).get_epsilon_for_delta(work.LAPLACE_DELTA)


def accounting_mixed(count: int) -> float:
    """Epsilon of so many different releases."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    makers = {
        "Gaussian": lambda x: pld.from_gaussian_mechanism(x),
        "Laplace": lambda x: pld.from_laplace_mechanism(x),
        # its parameter is the chance of answering at random, truth included
        "RandomizedResponse": lambda x: pld.from_randomized_response(2 / (1 + math.exp(1 / x)), 2),
    }
    total = None
    for kind, size in work.mixed(count):
        one = makers[kind](size)
        total = one if total is None else total.compose(one)
    if total is None:
        raise ValueError("nothing to compose")
    return total.get_epsilon_for_delta(work.MIXED_DELTA)


# ---- riskcal: a trade-off curve from dp-accounting's distribution ----------------------------------------


def riskcal_curve(run: Training) -> Any:
    """The trade-off curve of DP-SGD."""
    from riskcal import analysis

    return analysis.get_beta_from_pld(_training_distribution(run), alpha=work.CURVE_ALPHAS)


# ---- prv-accountant: with the error of 0.1 in epsilon that its documentation calls typical ----------------


def prv_training(run: Training) -> float:
    """Epsilon of DP-SGD: the upper of its three figures, as only that is a guarantee."""
    from prv_accountant import PoissonSubsampledGaussianMechanism, PRVAccountant

    one = PoissonSubsampledGaussianMechanism(noise_multiplier=run.sigma, sampling_probability=run.rate)
    accountant = PRVAccountant(
        prvs=[one],
        max_self_compositions=[run.steps],
        eps_error=0.1,
        delta_error=work.TRAINING_DELTA / 1000,
    )
    _, _, upper = accountant.compute_epsilon(delta=work.TRAINING_DELTA, num_self_compositions=[run.steps])
    return float(upper)
