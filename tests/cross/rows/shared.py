"""What several families share: tolerances of a grid, and readings of one privacy-loss distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import riskcal.analysis as risk

from tests.cross.peers import DOTS, DOWN, STEP, UP, distribution
from tests.cross.table import Close, Comparison, Grid

GAUSSIAN_TAIL = 4e-22  # e^-50 and the mass beyond it, what log_mass_truncation_bound gives away
ROUNDING_TAIL = 1e-15  # no truncation, but differences of numbers near 1

WAYS = (
    ("connect the dots", DOTS, "chords of the profile between grid points, from above"),
    ("buckets, pessimistic", UP, "losses rounded up to the grid"),
    ("buckets, optimistic", DOWN, "losses rounded down to the grid"),
)


def profile(mechanism: Any, maker: str, *arguments: float, epsilons: tuple, deltas: tuple, tail: float) -> list:
    """delta and epsilon against a privacy-loss distribution, discretised in each of the three ways."""
    rows = []
    for way, options, reason in WAYS:
        law = f"dp-accounting: pld {maker}, {way}"
        within = Grid(STEP, tail, reason, pessimistic="optimistic" not in way)

        def delta(x, options=options):
            return distribution(maker, *arguments, **options).get_delta_for_epsilon(x)

        def epsilon(x, options=options):
            return distribution(maker, *arguments, **options).get_epsilon_for_delta(x)

        rows.append(Comparison(mechanism, "delta", law, delta, epsilons, within))
        rows.append(Comparison(mechanism, "epsilon", law, epsilon, deltas, within))
    return rows


def gaussian_depths(mu: float) -> tuple:
    """Epsilons down to a delta of about 1e-15, on the grid and off it."""
    return (0.0, *(mu * mu / 2 + mu * z for z in (0.0, 1.0, 3.1, 5.0, 7.0)))


ALPHAS = (1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.95, 0.999)
PRIORS = (0.01, 0.1, 0.5, 0.9, 0.99)
ON_GRID = "a loss moved by one grid step changes a probability by a factor of at most e^step"


def from_distribution(mechanism: Any, peer: str, law: Callable[[], Any], absolute: float = STEP) -> list[Comparison]:
    """riskcal's three readings of a pessimistic privacy-loss distribution; ``law`` builds it when first asked."""
    reason = ON_GRID if absolute == STEP else "every loss is a multiple of the grid: rounding only"
    beta = Close(0.0, reason, absolute)
    advantage = Close(0.0, reason, absolute, side="above")
    error = Close(0.0, reason, absolute, side="below")
    return [
        Comparison(mechanism, "beta", peer, lambda a: risk.get_beta_from_pld(law(), a), ALPHAS, beta),
        Comparison(mechanism, "advantage", peer, lambda _: risk.get_advantage_from_pld(law()), (0.0,), advantage),
        Comparison(mechanism, "bayes error", peer, lambda p: risk.get_bayes_risk_from_pld(law(), p), PRIORS, error),
    ]
