"""Finitely many kinds of output: randomised response, uniform sampling, any two finite laws."""

from __future__ import annotations

import math

import dp_accounting as dpa

import dplens as dl
from tests.cross.peers import (
    REPLACE,
    SPECIAL,
    STEP,
    distribution,
    noise_parameter,
    on_powers_of_two,
    pair,
    pld_accountant,
    rdp_of,
)
from tests.cross.rows.shared import from_distribution
from tests.cross.table import Close, Comparison, Grid

EPSILONS = (0.0, 0.2, 0.5003, 1.0, 2.0, 4.0)
DELTAS = (0.4, 0.3, 0.1, 1e-3, 1e-6)
ROUNDED_UP = Grid(STEP, 1e-15, "losses rounded up to the grid")

ROWS: list[Comparison] = []


def profiles(mechanism, peer, law, epsilons=EPSILONS, deltas=DELTAS, within=ROUNDED_UP) -> list[Comparison]:
    """delta and epsilon against one distribution; ``law`` builds it when first asked."""
    return [
        Comparison(mechanism, "delta", peer, lambda e: law().get_delta_for_epsilon(e), epsilons, within),
        Comparison(mechanism, "epsilon", peer, lambda d: law().get_epsilon_for_delta(d), deltas, within),
    ]


# ---- randomised response ---------------------------------------------------------------------------------

for epsilon, categories in ((0.1, 2), (1.0, 2), (1.0, 10), (2.3, 5), (20.0, 3)):
    mechanism = dl.RandomizedResponse(epsilon=epsilon, categories=categories, neighbours="replace")
    p = noise_parameter(epsilon, categories)
    ROWS += profiles(
        mechanism,
        "dp-accounting: pld from_randomized_response",
        lambda p=p, categories=categories: distribution("from_randomized_response", p, categories),
    )
    ROWS.append(
        Comparison(
            mechanism,
            "renyi",
            "dp-accounting: rdp RandomizedResponseDpEvent",
            rdp_of(dpa.RandomizedResponseDpEvent(p, categories), REPLACE),
            (1.5, 2.0, 8.5, 64.0, 1024.0, math.inf),
            Close(1e-11, "a logarithm of a sum near 1: it loses two digits per factor 10 below epsilon 1"),
        )
    )

# One category against the uniform law: dyadic masses, so that both sides start from the same numbers.
TRUTH, BLANK = (0.625, 0.125, 0.125, 0.125), (0.25, 0.25, 0.25, 0.25)
ROWS += [
    Comparison(
        dl.RandomizedResponse(epsilon=1.0, neighbours="replace"),
        "epsilon",
        "dp-accounting: PLDAccountant, replace one",
        lambda delta: pld_accountant(dpa.RandomizedResponseDpEvent(noise_parameter(1.0, 2), 2), REPLACE).get_epsilon(
            delta
        ),
        (0.3, 0.01, 1e-6),
        Grid(STEP, 2e-15, "losses rounded up to the grid; composing with nothing truncates 1e-15"),
    ),
    *profiles(
        dl.FinitePair(p=BLANK, q=TRUTH),
        "dp-accounting: pld from_randomized_response, replace special",
        lambda: distribution("from_randomized_response", 0.5, 4, neighboring_relation=SPECIAL),
    ),
    Comparison(
        dl.FinitePair(p=BLANK, q=TRUTH),
        "renyi",
        "dp-accounting: rdp RandomizedResponseDpEvent, replace special",
        rdp_of(dpa.RandomizedResponseDpEvent(0.5, 4), SPECIAL),
        (1.05, 1.5, 2.0, 8.5, 64.0, 1024.0),
        Close(1e-12, "a logarithm of a short sum, the larger direction on both sides"),
    ),
]

# ---- any two finite laws ---------------------------------------------------------------------------------

PAIRS = (
    ((0.5, 0.25, 0.125, 0.125), (0.125, 0.125, 0.5, 0.25)),
    ((0.5, 0.375, 0.125, 0.0), (0.25, 0.375, 0.25, 0.125)),
    ((2.0**-20, 0.5, 0.5 - 2.0**-20), (2.0**-10, 0.75, 0.25 - 2.0**-10)),
)
for p, q in PAIRS:
    ROWS += profiles(
        dl.FinitePair(p=p, q=q),
        "dp-accounting: pld from_two_probability_mass_functions",
        lambda p=p, q=q: pair(p, q),
    )

shown = -math.expm1(-1.0)
for neighbours, laws in (
    ("replace", ((1 - shown / 5, shown / 5, 0.0), (1 - shown / 5, 0.0, shown / 5))),
    ("add_remove", ((math.exp(-1.0), shown, 0.0), (math.exp(-1.0), shown * 4 / 5, shown / 5))),
):
    ROWS += profiles(
        dl.UniformSampling(mu=1.0, n=5, neighbours=neighbours),
        "dp-accounting: pld from_two_probability_mass_functions",
        lambda laws=laws: pair(*laws),
        deltas=(0.3, 0.13, 0.1, 1e-3),
    )

# ---- riskcal: atoms that lie on the grid (those that do not are among the exclusions) ---------------------

ROWS += [
    *from_distribution(
        dl.RandomizedResponse(epsilon=2 * math.log(2)),
        "riskcal: from pld",
        lambda: on_powers_of_two(((2, 0.8), (-2, 0.2)), ((2, 0.8), (-2, 0.2))),
        absolute=1e-12,
    ),
    *from_distribution(
        dl.FinitePair(p=(6 / 7, 1 / 7), q=(3 / 7, 4 / 7)),
        "riskcal: from pld, asymmetric pair in the order it handles",
        lambda: on_powers_of_two(((-1, 3 / 7), (2, 4 / 7)), ((1, 6 / 7), (-2, 1 / 7))),
        absolute=1e-12,
    ),
]
