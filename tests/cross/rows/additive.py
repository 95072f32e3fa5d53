"""Noise with a density: Gaussian, Laplace, and the same laws given as scipy distributions."""

from __future__ import annotations

import math

import dp_accounting as dpa
from dp_accounting.pld import privacy_loss_mechanism as losses
from riskcal.accountants import CTDAccountant
from scipy import stats

import dplens as dl
from tests.cross import peers
from tests.cross.peers import DOTS, REPLACE, STEP, UP, distribution, pld_accountant, rdp_of
from tests.cross.rows.shared import (
    GAUSSIAN_TAIL,
    ON_GRID,
    ROUNDING_TAIL,
    from_distribution,
    gaussian_depths,
    profile,
)
from tests.cross.table import Close, Comparison, Grid

ROWS: list[Comparison] = []

# ---- Gaussian --------------------------------------------------------------------------------------------

for sigma, sensitivity in ((10.0, 1.0), (1.0, 1.0), (0.7, 1.5)):
    mechanism = dl.Gaussian(sigma=sigma, sensitivity=sensitivity)
    ROWS += profile(
        mechanism,
        "from_gaussian_mechanism",
        sigma,
        sensitivity,
        epsilons=gaussian_depths(mechanism.mu),
        deltas=(0.5, 0.1, 1e-3, 1e-6, 1e-10, 1e-15),
        tail=GAUSSIAN_TAIL,
    )

EXACT_PROFILE = Close(1e-10, "a difference of two tails in doubles, no grid")
for sigma in (100.0, 1.0, 0.1, 0.02):
    mechanism = dl.Gaussian(sigma=sigma)
    ROWS += [
        Comparison(
            mechanism,
            "delta",
            "dp-accounting: GaussianPrivacyLoss.get_delta_for_epsilon",
            losses.GaussianPrivacyLoss(sigma).get_delta_for_epsilon,
            gaussian_depths(mechanism.mu)[:5],
            EXACT_PROFILE,
        ),
        Comparison(
            mechanism,
            "epsilon",
            "dp-accounting: get_epsilon_gaussian",
            lambda delta, sigma=sigma: dpa.get_epsilon_gaussian(sigma, delta),
            (0.9, 0.1, 1e-5, 1e-15, 1e-30, 1e-100, 1e-300),
            Close(1e-11, "its root search stops at 1e-12 absolute", absolute=2e-12),
        ),
        Comparison(
            mechanism,
            "renyi",
            "dp-accounting: rdp GaussianDpEvent",
            rdp_of(dpa.GaussianDpEvent(sigma)),
            (1.0, 1.05, 2.0, 8.5, 64.0, 1024.0, math.inf),
            Close(1e-14, "a closed form on both sides"),
        ),
    ]

GAUSSIAN = dl.Gaussian(sigma=1.0)
REPLACED = dl.Gaussian(sigma=1.0).as_replace()
ROWS += [
    Comparison(
        REPLACED,
        "epsilon",
        "dp-accounting: PLDAccountant, replace one",
        lambda delta: pld_accountant(dpa.GaussianDpEvent(1.0), REPLACE).get_epsilon(delta),
        (0.5, 1e-5, 1e-10),
        Grid(STEP, 2e-15, "chords from above; composing with nothing truncates 1e-15"),
    ),
    Comparison(
        GAUSSIAN.group(3),
        "delta",
        "dp-accounting: pld from_gaussian_mechanism at three times the sensitivity",
        lambda e: distribution("from_gaussian_mechanism", 1.0, 3.0, **DOTS).get_delta_for_epsilon(e),
        gaussian_depths(3.0),
        Grid(STEP, GAUSSIAN_TAIL, "chords from above"),
    ),
    Comparison(
        GAUSSIAN.fails_with(2.0**-10),
        "delta",
        "dp-accounting: pld from_gaussian_mechanism composed with (0, kappa)",
        lambda e: (
            distribution("from_gaussian_mechanism", 1.0, **DOTS)
            .compose(peers.promised(0.0, 2.0**-10))
            .get_delta_for_epsilon(e)
        ),
        (0.0, 0.5, 3.0, 8.0),
        Grid(STEP, 2e-15, "chords from above; composing truncates 1e-15"),
    ),
    Comparison(
        GAUSSIAN,
        "loss of an output",
        "dp-accounting: GaussianPrivacyLoss.privacy_loss",
        lambda x: losses.GaussianPrivacyLoss(1.0).privacy_loss(-x),
        (-30.0, -1.0, 0.0, 0.5, 3.0, 30.0),
        Close(1e-12, "a closed form; the sign of the output is reversed there", absolute=1e-12),
    ),
    Comparison(
        GAUSSIAN,
        "P(loss > x) under H1",
        "dp-accounting: pld from_gaussian_mechanism, buckets",
        lambda x: peers.above(distribution("from_gaussian_mechanism", 1.0, **UP), x),
        (-4.0, -1.0, 0.0, 0.5, 3.0),
        Close(1e-10, "at a grid point rounding up moves no mass across; sums of 1e4 masses", absolute=1e-14),
    ),
]

# ---- Laplace ---------------------------------------------------------------------------------------------

for scale, sensitivity in ((10.0, 1.0), (1.0, 1.0), (0.3, 1.0), (2.0, 3.0)):
    mechanism = dl.Laplace(scale=scale, sensitivity=sensitivity)
    e0 = mechanism.epsilon
    ROWS += profile(
        mechanism,
        "from_laplace_mechanism",
        scale,
        sensitivity,
        epsilons=(0.0, e0 / 3, e0 / 2, 0.9 * e0 + 3e-5, 0.9999 * e0, e0, 1.1 * e0),
        deltas=(0.3, 0.01, 1e-5, 1e-10),
        tail=ROUNDING_TAIL,
    )
    ROWS.append(
        Comparison(
            mechanism,
            "delta",
            "dp-accounting: LaplacePrivacyLoss.get_delta_for_epsilon",
            losses.LaplacePrivacyLoss(scale, sensitivity).get_delta_for_epsilon,
            (0.0, e0 / 3, e0 / 2, 0.9 * e0, e0),
            Close(1e-12, "a difference of two tails in doubles, no grid", absolute=5e-16),
        )
    )

for scale in (100.0, 1.0, 0.1, 0.02):
    ROWS.append(
        Comparison(
            dl.Laplace(scale=scale),
            "renyi",
            "dp-accounting: rdp LaplaceDpEvent",
            rdp_of(dpa.LaplaceDpEvent(scale)),
            (1.0, 1.05, 1.5, 2.0, 8.5, 64.0, 1024.0),
            Close(1e-12, "a closed form on both sides, which loses two digits per factor 10 in the scale"),
        )
    )
ROWS += [
    Comparison(
        dl.Laplace(scale=1.0).as_replace(),
        "delta",
        "dp-accounting: pld from_laplace_mechanism at twice the sensitivity",
        lambda e: distribution("from_laplace_mechanism", 1.0, 2.0, **DOTS).get_delta_for_epsilon(e),
        (0.0, 0.7, 1.9),
        Grid(STEP, ROUNDING_TAIL, "chords from above"),
    ),
    Comparison(
        dl.Laplace(scale=1.0).group(2),
        "delta",
        "dp-accounting: pld from_laplace_mechanism at twice the sensitivity",
        lambda e: distribution("from_laplace_mechanism", 1.0, 2.0, **DOTS).get_delta_for_epsilon(e),
        (0.0, 0.7, 1.9),
        Grid(STEP, ROUNDING_TAIL, "chords from above; for Laplace noise the group bound is attained"),
    ),
    Comparison(
        dl.Laplace(scale=0.5),
        "loss of an output",
        "dp-accounting: LaplacePrivacyLoss.privacy_loss",
        lambda x: losses.LaplacePrivacyLoss(0.5).privacy_loss(-x),
        (-30.0, 0.0, 0.25, 0.5, 0.9, 1.0, 30.0),
        Close(1e-12, "a closed form; the sign of the output is reversed there", absolute=1e-12),
    ),
]

# ---- the same laws as scipy distributions ----------------------------------------------------------------

ROWS += [
    Comparison(
        dl.AdditiveNoise(noise=stats.norm(scale=2.0), sensitivity=1.0),
        "delta",
        "dp-accounting: GaussianPrivacyLoss.get_delta_for_epsilon",
        losses.GaussianPrivacyLoss(2.0).get_delta_for_epsilon,
        gaussian_depths(0.5)[:5],
        Close(1e-9, "general noise is promised to 1e-9"),
        label="AdditiveNoise(normal, scale 2)",
    ),
    Comparison(
        dl.AdditiveNoise(noise=stats.laplace(scale=2.0), sensitivity=1.0),
        "delta",
        "dp-accounting: LaplacePrivacyLoss.get_delta_for_epsilon",
        losses.LaplacePrivacyLoss(2.0).get_delta_for_epsilon,
        (0.0, 0.2, 0.49),
        Close(1e-9, "general noise is promised to 1e-9"),
        label="AdditiveNoise(laplace, scale 2)",
    ),
    Comparison(
        dl.ContinuousPair(p=stats.norm(0, 1), q=stats.norm(1, 1)),
        "delta",
        "dp-accounting: GaussianPrivacyLoss.get_delta_for_epsilon",
        losses.GaussianPrivacyLoss(1.0).get_delta_for_epsilon,
        gaussian_depths(1.0)[:5],
        Close(1e-9, "general pairs are promised to 1e-9"),
        label="ContinuousPair(N(0, 1), N(1, 1))",
    ),
]

# ---- riskcal ---------------------------------------------------------------------------------------------

ROWS += [
    *from_distribution(
        GAUSSIAN,
        "riskcal: from pld, connect the dots",
        lambda: distribution("from_gaussian_mechanism", 1.0, 1.0, **DOTS),
    ),
    *from_distribution(
        dl.Gaussian(sigma=10.0),
        "riskcal: from pld, connect the dots",
        lambda: distribution("from_gaussian_mechanism", 10.0, 1.0, **DOTS),
    ),
    *from_distribution(
        dl.Laplace(scale=1.0),
        "riskcal: from pld, connect the dots",
        lambda: distribution("from_laplace_mechanism", 1.0, 1.0, **DOTS),
    ),
    *from_distribution(
        dl.Laplace(scale=0.3),
        "riskcal: from pld, connect the dots",
        lambda: distribution("from_laplace_mechanism", 0.3, 1.0, **DOTS),
    ),
]


def one_step(noise_multiplier: float) -> CTDAccountant:
    """riskcal's DP-SGD accountant after one step on all the data: a Gaussian mechanism."""
    accountant = CTDAccountant()
    accountant.step(noise_multiplier=noise_multiplier, sample_rate=1.0)
    return accountant


ROWS += [
    Comparison(
        dl.Gaussian(sigma=2.0),
        "epsilon",
        "riskcal: CTDAccountant, one full step",
        lambda delta: one_step(2.0).get_epsilon(delta=delta, grid_step=STEP),
        (0.1, 1e-5, 1e-10),
        Grid(STEP, 2e-15, "chords from above; composing once truncates 1e-15"),
    ),
    Comparison(
        dl.Gaussian(sigma=2.0),
        "beta",
        "riskcal: CTDAccountant, one full step",
        lambda alpha: one_step(2.0).get_beta(alpha=alpha, grid_step=STEP),
        (0.01, 0.3, 0.9),
        Close(0.0, ON_GRID, absolute=STEP),
    ),
]
