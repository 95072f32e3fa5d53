"""Guarantees without a mechanism: (epsilon, delta), mu-GDP, Rényi, zero-concentrated."""

from __future__ import annotations

import dp_accounting as dpa
import riskcal.analysis as risk

import dplens as dl
from tests.cross.peers import STEP, promised, rdp_accountant
from tests.cross.rows.finite import profiles
from tests.cross.rows.shared import ALPHAS, PRIORS, from_distribution
from tests.cross.table import Bound, Close, Comparison, Grid

DOUBLES = Close(1e-12, "a closed form on both sides", absolute=1e-15)

SEARCHED = "riskcal 1.5"  # before, beta was looked up on a grid of 1e-3

ROWS: list[Comparison] = []

# ---- (epsilon, delta) ------------------------------------------------------------------------------------

for epsilon, delta in ((1.0, 1e-5), (0.51234567, 0.01), (0.0, 0.125), (3.0, 0.0)):
    mechanism = dl.ApproximateDP(epsilon=epsilon, delta=delta)
    ROWS += profiles(
        mechanism,
        "dp-accounting: pld from_privacy_parameters",
        lambda epsilon=epsilon, delta=delta: promised(epsilon, delta),
        deltas=(0.4, 0.2, 0.02, 1e-3, delta),  # the last: the guarantee's own delta gives its own epsilon
        within=Grid(STEP, 0.0, "two losses rounded up to the grid, nothing truncated"),
    )
    ROWS += [
        Comparison(
            mechanism,
            "beta",
            "riskcal: get_beta_from_adp",
            lambda alpha, epsilon=epsilon, delta=delta: risk.get_beta_from_adp(epsilon, delta, alpha),
            (0.0, 1e-6, *ALPHAS, 1.0),
            DOUBLES,
        ),
        Comparison(
            mechanism,
            "advantage",
            "riskcal: get_advantage_from_adp",
            lambda _, epsilon=epsilon, delta=delta: risk.get_advantage_from_adp(epsilon, delta),
            (0.0,),
            DOUBLES,
        ),
    ]
ROWS += from_distribution(dl.ApproximateDP(epsilon=1.0, delta=0.01), "riskcal: from pld", lambda: promised(1.0, 0.01))

ROWS.append(
    Comparison(
        lambda alpha: dl.ApproximateDP(
            epsilon=float(risk.get_epsilon_from_err_rates(delta=1e-5, alpha=alpha, beta=0.3)), delta=1e-5
        ),
        "beta",
        "riskcal: get_epsilon_from_err_rates",
        lambda alpha: 0.3,
        (1e-3, 0.05, 0.3, 0.65),
        Close(1e-12, "the guarantee through the point (alpha, 0.3) gives 0.3 back"),
        label="ApproximateDP at riskcal's epsilon",
    )
)

# ---- mu-GDP ----------------------------------------------------------------------------------------------

for mu in (1e-3, 0.3, 1.0, 3.0):
    mechanism = dl.GaussianDP(mu=mu)
    ROWS += [
        Comparison(
            mechanism,
            "beta",
            "riskcal: get_beta_from_gdp",
            lambda alpha, mu=mu: risk.get_beta_from_gdp(mu, alpha),
            (1e-300, 1e-12, *ALPHAS),
            DOUBLES,
        ),
        Comparison(
            mechanism,
            "advantage",
            "riskcal: get_advantage_from_gdp",
            lambda _, mu=mu: risk.get_advantage_from_gdp(mu),
            (0.0,),
            Close(1e-12, "a difference of two tails: it loses a digit per factor 10 below mu 1"),
        ),
        Comparison(
            mechanism,
            "bayes error",
            "riskcal: get_bayes_risk_from_gdp",
            lambda prior, mu=mu: risk.get_bayes_risk_from_gdp(mu, prior),
            PRIORS,
            Close(1e-12, "1 minus a delta of up to 0.9 on both sides", absolute=1e-13),
        ),
    ]
ROWS.append(
    Comparison(
        dl.GaussianDP(mu=10.0),
        "bayes error",
        "riskcal: get_bayes_risk_from_gdp",
        lambda prior: risk.get_bayes_risk_from_gdp(10.0, prior),
        (0.1, 0.5, 0.9),
        Close(3e-9, "its 1 minus a delta of 1 − 6e-7 keeps nine digits"),
    )
)

# ---- Rényi -----------------------------------------------------------------------------------------------

for order, epsilon in ((1.0, 0.5), (1.5, 0.1), (2.0, 0.5), (2.0, 1e-6), (8.5, 1.0), (32.0, 5.0)):
    ROWS.append(
        Comparison(
            dl.RenyiDP(orders=[order], epsilons=[epsilon]),
            "beta",
            "riskcal: get_beta_from_rdp",
            lambda alpha, order=order, epsilon=epsilon: risk.get_beta_from_rdp(
                epsilon=epsilon, alpha=alpha, order=order, tol=1e-10
            ),
            (0.05, 0.3, 0.7, 0.99),
            Close(0.0, "its bisection returns the upper end of a bracket of 1e-10", 2e-10, side="above"),
            since=SEARCHED,
        )
    )

# Orders and epsilons of a Gaussian with sigma = 1, and what dp-accounting makes of them.
ORDERS = (1.5, 2.0, 4.0, 8.0, 16.0)
RENYI = dl.RenyiDP(orders=ORDERS, epsilons=[order / 2 for order in ORDERS])
CONCENTRATED = {rho: dl.ZeroConcentratedDP(rho=rho) for rho in (0.1, 0.5, 5.0)}
BOUND = "its conversion is valid, not tight: one order at a time, by a bound that is good for small delta"
ROWS += [
    Comparison(
        RENYI,
        "epsilon",
        "dp-accounting: rdp get_epsilon",
        lambda delta: rdp_accountant(dpa.GaussianDpEvent(1.0), list(ORDERS)).get_epsilon(delta),
        (0.01, 1e-5, 1e-10),
        Bound(0.05, BOUND),
    ),
    Comparison(
        RENYI,
        "delta",
        "dp-accounting: rdp get_delta",
        lambda epsilon: rdp_accountant(dpa.GaussianDpEvent(1.0), list(ORDERS)).get_delta(epsilon),
        (0.5, 2.0, 5.0, 10.0),
        Bound(0.5, BOUND),
    ),
    Comparison(
        CONCENTRATED[0.5],
        "delta",
        "dp-accounting: rdp ZCDpEvent, default orders",
        lambda epsilon: rdp_accountant(dpa.ZCDpEvent(0.5)).get_delta(epsilon),
        (0.5, 2.0, 5.0, 10.0),
        Bound(0.5, BOUND),
    ),
]

# ---- zero-concentrated -----------------------------------------------------------------------------------

BEST_OF_GRID = "the best of 1000 orders on a grid, so at most the supremum; its bisection adds up to 1e-9"
ROWS += [
    Comparison(
        mechanism,
        "beta",
        "riskcal: get_beta_from_zcdp",
        lambda alpha, rho=rho: risk.get_beta_from_zcdp(rho, float(alpha)),
        (1e-3, 0.05, 0.3, 0.95),
        Close(0.0, BEST_OF_GRID, absolute=2e-5),
        since=SEARCHED,
    )
    for rho, mechanism in CONCENTRATED.items()
]
ROWS.append(
    Comparison(
        CONCENTRATED[0.5],
        "advantage",
        "riskcal: get_advantage_from_zcdp",
        lambda _: risk.get_advantage_from_zcdp(0.5, grid_size=60),
        (0.0,),
        Close(0.0, "the best of 60 orders; the advantage is attained at order 1, which is among them", 1e-7),
        since=SEARCHED,
    )
)
