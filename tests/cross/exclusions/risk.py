"""Where riskcal is not to be compared with."""

from __future__ import annotations

import riskcal.analysis as risk

import dplens as dl
from tests.cross import peers
from tests.cross.exclusions.shared import NUMBER, concentrated, lines_about, one_order
from tests.cross.peers import UP, distribution, noise_parameter
from tests.cross.table import RISKCAL
from tests.reference.cases.pairs import gaussian
from tests.reference.oracles import discrete
from tests.reference.oracles.numerics import mp, mpf

COMPLEMENT = "1 minus a number near 1"
OFF_GRID = "the two halves of the pair are rounded to different grid points and no longer match"
OVERFLOW = "alpha^(1 − order) or its mirror image overflows (the version without compiled code raises OverflowError)"
SKEWED = dl.FinitePair(p=(6 / 7, 1 / 7), q=(3 / 7, 4 / 7))

line = lines_about(RISKCAL)
LINES = [
    line(
        dl.GaussianDP(mu=1.0),
        "power",
        "1 − get_beta_from_gdp",
        lambda alpha: 1 - risk.get_beta_from_gdp(1.0, alpha),
        at=1e-30,
        truth=lambda alpha: gaussian(1).power(mpf(alpha)),
        digits=0,
        errs="low",
        reason=f"{COMPLEMENT}: there is no other way to the power",
    ),
    line(
        dl.GaussianDP(mu=1e-8),
        "advantage",
        "get_advantage_from_gdp",
        lambda _: risk.get_advantage_from_gdp(1e-8),
        at=0.0,
        truth=lambda _: gaussian(mpf(1e-8)).delta(mpf(0)),
        digits=8.5,
        reason="a difference of two numbers near a half",
    ),
    line(
        dl.GaussianDP(mu=1.0),
        "bayes error",
        "get_bayes_risk_from_gdp",
        lambda prior: risk.get_bayes_risk_from_gdp(1.0, prior),
        at=1e-12,
        truth=lambda prior: gaussian(1).cost(mpf(prior)),
        digits=4.7,
        reason=COMPLEMENT,
    ),
    line(
        dl.ApproximateDP(epsilon=1e-10),
        "advantage",
        "get_advantage_from_adp",
        lambda _: risk.get_advantage_from_adp(1e-10, 0.0),
        at=0.0,
        truth=lambda _: mp.tanh(mpf(1e-10) / 2),
        digits=7.1,
        reason="e^epsilon − 1 by subtraction",
    ),
    line(
        dl.ApproximateDP(epsilon=800.0, delta=1e-5),
        "advantage",
        "get_advantage_from_adp",
        lambda _: risk.get_advantage_from_adp(800.0, 1e-5),
        at=0.0,
        truth=lambda _: discrete.approximate_dp(800, 1e-5).delta(mpf(0)),
        gives=("nan",),
        reason="infinity over infinity",
    ),
    line(
        dl.Gaussian(sigma=1.0),
        "power",
        "1 − get_beta_from_pld, connect the dots",
        lambda alpha: (
            1
            - risk.get_beta_from_pld(
                distribution("from_gaussian_mechanism", 1.0, value_discretization_interval=1e-4), alpha
            )
        ),
        at=1e-6,
        truth=lambda alpha: gaussian(1).power(mpf(alpha)),
        digits=1.9,
        errs="low",
        reason="rounding in the chords' masses, summed over the tail: the attack looks 1 % weaker than it is",
    ),
    line(
        dl.Geometric(scale=0.7),
        "beta",
        "get_beta_from_pld, buckets",
        lambda alpha: risk.get_beta_from_pld(distribution("from_discrete_laplace_mechanism", 1 / 0.7, 1, **UP), alpha),
        at=0.01,
        truth=lambda alpha: discrete.geometric(0.7, 1).beta(mpf(alpha)),
        digits=0.1,
        errs="low",
        reason=OFF_GRID,
    ),
    line(
        dl.RandomizedResponse(epsilon=2.3005, categories=5),
        "beta",
        "get_beta_from_pld",
        lambda alpha: risk.get_beta_from_pld(
            distribution("from_randomized_response", noise_parameter(2.3005, 5), 5), alpha
        ),
        at=0.01,
        truth=lambda alpha: discrete.randomised_response(2.3005, 5).beta(mpf(alpha)),
        digits=0.17,
        errs="low",
        reason=OFF_GRID,
    ),
    line(
        SKEWED,
        "beta",
        "get_beta_from_pld, asymmetric pair",
        lambda alpha: risk.get_beta_from_pld(
            peers.on_powers_of_two(((1, 6 / 7), (-2, 1 / 7)), ((-1, 3 / 7), (2, 4 / 7))), alpha
        ),
        at=(0.1, 0.3),
        truth=lambda alpha: discrete.Atoms(SKEWED.p, SKEWED.q).both().beta(mpf(alpha)),
        digits=0.32,
        errs="high",
        reason="takes the larger of the two directions where the guarantee is the smaller",
    ),
    line(
        dl.RenyiDP(orders=[2.0], epsilons=[30.0]),
        "beta",
        "get_beta_from_rdp",
        lambda alpha: risk.get_beta_from_rdp(epsilon=30.0, alpha=alpha, order=2.0),
        at=0.05,
        truth=lambda alpha: one_order(2, 30).beta(mpf(alpha)),
        digits=-5.8,
        errs="high",
        reason="the upper end of a bracket of 1e-7 around 1e-13",
    ),
    line(
        dl.RenyiDP(orders=[64.0], epsilons=[5.0]),
        "beta",
        "get_beta_from_rdp",
        lambda alpha: risk.get_beta_from_rdp(epsilon=5.0, alpha=alpha, order=64.0),
        at=1e-3,
        truth=lambda alpha: one_order(64, 5).beta(mpf(alpha)),
        digits=0,
        errs="low",
        reason="gives up, with 0, where (order − 1)·epsilon reaches 200",
    ),
    line(
        dl.RenyiDP(orders=[240.0], epsilons=[0.24]),
        "beta",
        "get_beta_from_rdp",
        lambda alpha: risk.get_beta_from_rdp(epsilon=0.24, alpha=alpha, order=240.0),
        at=0.05,
        truth=lambda alpha: one_order(240, mpf(0.24)).beta(mpf(alpha)),
        digits=1.8,
        errs="high",
        gives=(NUMBER, "OverflowError"),
        reason=f"{OVERFLOW}; the answer is 1 − alpha, no risk at all",
    ),
    line(
        dl.RenyiDP(orders=[200.0], epsilons=[0.2]),
        "beta",
        "get_beta_from_rdp",
        lambda alpha: risk.get_beta_from_rdp(epsilon=0.2, alpha=alpha, order=200.0),
        at=0.99,
        truth=lambda alpha: one_order(200, mpf(0.2)).beta(mpf(alpha)),
        digits=0,
        errs="low",
        gives=(NUMBER, "OverflowError"),
        reason=OVERFLOW,
    ),
    line(
        dl.ZeroConcentratedDP(rho=0.001),
        "beta",
        "get_beta_from_zcdp",
        lambda alpha: risk.get_beta_from_zcdp(0.001, alpha),
        at=0.05,
        truth=lambda alpha: concentrated(0.001, "51.31931808909127").beta(mpf(alpha)),
        digits=2.2,
        errs="high",
        gives=(NUMBER, "OverflowError"),
        reason=f"{OVERFLOW}; the answer is 1 − alpha, which not even the Gaussian mechanism of that rho reaches",
    ),
    line(
        dl.ZeroConcentratedDP(rho=0.5),
        "power",
        "1 − get_beta_from_zcdp",
        lambda alpha: 1 - risk.get_beta_from_zcdp(0.5, alpha),
        at=1e-10,
        truth=lambda alpha: concentrated(0.5, "6.786140406305546").power(mpf(alpha)),
        digits=0,
        errs="low",
        reason="alpha below 1e-9 is taken for 0",
    ),
]
