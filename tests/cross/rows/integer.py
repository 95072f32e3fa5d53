"""Noise on whole numbers: discrete Gaussian and two-sided geometric (discrete Laplace)."""

from __future__ import annotations

from dp_accounting import dp_event
from dp_accounting.pld import privacy_loss_mechanism as losses

import dplens as dl
from tests.cross.peers import DOTS, STEP, distribution, pld_accountant
from tests.cross.rows.shared import ROUNDING_TAIL, from_distribution, gaussian_depths, profile
from tests.cross.table import Close, Comparison, Grid

EPSILONS = (0.0, 0.2, 0.5003, 1.0, 2.0)
DELTAS = (0.3, 0.1, 1e-3, 1e-6, 1e-10)
SUMS = Close(1e-11, "sums of at most a few hundred masses in doubles, no grid", absolute=5e-16)

ROWS: list[Comparison] = []

for sigma, shift in ((20.0, 1), (2.0, 1), (0.5, 1), (1.3, 3)):
    mechanism = dl.DiscreteGaussian(sigma=sigma, sensitivity=shift)
    ROWS += profile(
        mechanism,
        "from_discrete_gaussian_mechanism",
        sigma,
        shift,
        epsilons=gaussian_depths(shift / sigma)[:5],
        deltas=DELTAS,
        tail=ROUNDING_TAIL,  # the noise is cut where 1e-30 of it is left; rounding is the larger part
    )
    ROWS.append(
        Comparison(
            mechanism,
            "delta",
            "dp-accounting: DiscreteGaussianPrivacyLoss.get_delta_for_epsilon",
            losses.DiscreteGaussianPrivacyLoss(sigma, shift).get_delta_for_epsilon,
            gaussian_depths(shift / sigma)[:5],
            SUMS,
        )
    )

for scale, shift in ((20.0, 1), (2.0, 1), (0.7, 1), (3.0, 5)):
    mechanism = dl.Geometric(scale=scale, sensitivity=shift)
    ROWS += profile(
        mechanism,
        "from_discrete_laplace_mechanism",
        1 / scale,
        shift,
        epsilons=EPSILONS,
        deltas=DELTAS,
        tail=ROUNDING_TAIL,
    )
    ROWS.append(
        Comparison(
            mechanism,
            "delta",
            "dp-accounting: DiscreteLaplacePrivacyLoss.get_delta_for_epsilon",
            losses.DiscreteLaplacePrivacyLoss(1 / scale, shift).get_delta_for_epsilon,
            EPSILONS,
            SUMS,
        )
    )

ROWS += [
    Comparison(
        dl.Geometric(scale=2.0, sensitivity=3),
        "epsilon",
        "dp-accounting: PLDAccountant DiscreteLaplaceDpEvent",
        lambda delta: pld_accountant(dp_event.DiscreteLaplaceDpEvent(0.5, 3)).get_epsilon(delta),
        (0.3, 0.01, 1e-6),
        Grid(STEP, 3e-15, "losses rounded up to the grid; composing with nothing truncates 1e-15"),
    ),
    Comparison(
        dl.DiscreteGaussian(sigma=2.0),
        "loss of an output",
        "dp-accounting: DiscreteGaussianPrivacyLoss.privacy_loss",
        lambda k: losses.DiscreteGaussianPrivacyLoss(2.0).privacy_loss(-int(k)),
        (-20, 0, 1, 5, 20),
        Close(1e-12, "a closed form; the sign of the output is reversed there"),
    ),
    *from_distribution(
        dl.DiscreteGaussian(sigma=2.0),
        "riskcal: from pld, connect the dots",
        lambda: distribution("from_discrete_gaussian_mechanism", 2.0, 1, **DOTS),
    ),
    *from_distribution(
        dl.Geometric(scale=2.0),
        "riskcal: from pld, connect the dots",
        lambda: distribution("from_discrete_laplace_mechanism", 0.5, 1, **DOTS),
    ),
    *from_distribution(
        dl.Geometric(scale=0.7),
        "riskcal: from pld, connect the dots",
        lambda: distribution("from_discrete_laplace_mechanism", 1 / 0.7, 1, **DOTS),
    ),
]
