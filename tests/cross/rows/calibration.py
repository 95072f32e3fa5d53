"""Noise that a peer chose for a target: read by us, the target is met, and not by much more than its search wastes."""

from __future__ import annotations

import dp_accounting as dpa
from dp_accounting.pld import accountant
from dp_accounting.pld import privacy_loss_mechanism as losses
from riskcal.calibration import dpsgd

import dplens as dl
from tests.cross.peers import STEP, guarantee
from tests.cross.table import Bound, Close, Comparison

SAFE_SEARCH = "its search errs on the private side"


def met(label, mechanism, delta, peer, epsilons, within) -> Comparison:
    """delta at the target epsilon: the target is a bound that our reading stays below."""
    return Comparison(mechanism, "delta", peer, lambda _: delta, epsilons, Bound(within, SAFE_SEARCH), label=label)


ROWS: list[Comparison] = [
    Comparison(
        lambda delta: dl.Gaussian(sigma=dpa.get_sigma_gaussian(1.0, delta)),
        "epsilon",
        "dp-accounting: get_sigma_gaussian",
        lambda _: 1.0,
        (1e-2, 1e-5, 1e-10, 1e-30),
        Close(1e-10, "its root search stops at 1e-12 in sigma"),
        label="Gaussian at the peer's sigma for epsilon 1",
    ),
    met(
        "Gaussian at the peer's sigma for delta 1e-5",
        lambda e: dl.Gaussian(
            sigma=losses.GaussianPrivacyLoss.from_privacy_guarantee(guarantee(e, 1e-5)).standard_deviation
        ),
        1e-5,
        "dp-accounting: GaussianPrivacyLoss.from_privacy_guarantee",
        (0.1, 1.0, 5.0),
        1e-4,
    ),
    met(
        "DiscreteGaussian at the peer's sigma for delta 1e-5",
        lambda e: dl.DiscreteGaussian(
            sigma=losses.DiscreteGaussianPrivacyLoss.from_privacy_guarantee(guarantee(e, 1e-5))._sigma
        ),
        1e-5,
        "dp-accounting: DiscreteGaussianPrivacyLoss.from_privacy_guarantee",
        (0.1, 1.0, 5.0),
        1e-3,
    ),
    met(
        "Laplace at the peer's scale for delta 1e-5",
        lambda e: dl.Laplace(scale=accountant.get_smallest_laplace_noise(guarantee(e, 1e-5))),
        1e-5,
        "dp-accounting: get_smallest_laplace_noise",
        (0.1, 1.0, 5.0),
        0.05,
    ),
    met(
        "Geometric at the peer's scale for delta 1e-5",
        lambda e: dl.Geometric(scale=1 / accountant.get_smallest_discrete_laplace_noise(guarantee(e, 1e-5))),
        1e-5,
        "dp-accounting: get_smallest_discrete_laplace_noise",
        (0.1, 1.0, 5.0),
        0.1,
    ),
    Comparison(
        lambda target: dl.Gaussian(
            sigma=dpsgd.find_noise_multiplier_for_advantage(
                advantage=target, sample_rate=1.0, num_steps=1, grid_step=STEP
            )
        ),
        "advantage",
        "riskcal: find_noise_multiplier_for_advantage, one full step",
        lambda target: target,
        (0.3,),
        Bound(0.02, "its bisection stops at 1e-3 in the advantage, on the private side"),
        label="Gaussian at the peer's noise for an advantage",
    ),
]
