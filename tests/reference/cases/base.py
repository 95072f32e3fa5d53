"""Grids, the questions asked everywhere, and what one case of the comparison is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.reference.oracles.numerics import digits, mpf
from tests.reference.oracles.readings import read

PARAMETERS = (1e-4, 1e-2, 0.3, 1.0, 3.0, 10.0, 50.0)
ALPHAS = (1e-300, 1e-100, 1e-30, 1e-12, 1e-6, 0.01, 0.3, 0.5, 0.7, 0.99, 1 - 1e-9, 1 - 1e-16)
DELTAS = (1e-300, 1e-200, 1e-100, 1e-30, 1e-15, 1e-5, 1e-2, 0.5, 0.9)
QUESTIONS = (
    ("Advantage", {}),
    ("AUC", {}),
    ("AttackPower", {"fpr": 1e-3}),
    ("Accuracy", {"prior": 0.5}),
    ("Accuracy", {"prior": 0.1}),
    ("Cost", {"false_positive": 1.0, "false_negative": 1.0, "prior": 0.5}),
    ("Cost", {"false_positive": 1.0, "false_negative": 10.0, "prior": 0.05}),
    ("Precision", {"recall": 0.5, "prior": 0.5}),
    ("Precision", {"recall": 1e-3, "prior": 0.01}),
    ("Precision", {"recall": 0.0, "prior": 0.01}),
    ("FScore", {"weight": 1.0, "prior": 0.5}),
    ("FScore", {"weight": 0.5, "prior": 0.1}),
    ("FScore", {"weight": 2.0, "prior": 0.01}),
    ("Posterior", {"prior": 0.01, "fpr": 1e-3}),
    ("Posterior", {"prior": 0.01, "fpr": 0.0}),
    ("MaxPosterior", {"prior": 0.2}),
    ("PosteriorAfterNegative", {"prior": 0.9, "fpr": 0.1}),
    ("RelativeRisk", {"fpr": 0.0, "prior": 0.0}),
    ("RelativeRisk", {"fpr": 1e-3, "prior": 0.0}),
    ("RelativeRisk", {"fpr": 1e-12, "prior": 0.1}),
    ("Epsilon", {"delta": 1e-5}),
    ("Epsilon", {"delta": 0.0}),
    ("Delta", {"epsilon": 0.1}),
    ("Delta", {"epsilon": 1.0}),
    ("Mu", {}),
    ("Renyi", {"order": 2.0}),
    ("Renyi", {"order": 8.5}),
    ("MinFPR", {"fnr": 0.0}),
    ("MinFPR", {"fnr": 0.2}),
)


def questions(*without):
    """All questions but those named."""
    return tuple(q for q in QUESTIONS if q[0] not in without)


@dataclass(frozen=True)
class Case:
    """One mechanism (or one direction of it) with its oracle and the arguments to compare at."""

    oracle: Callable
    make: Callable  # from the package to a mechanism
    direction: str = "both"
    alphas: tuple = ALPHAS
    epsilons: tuple = ()
    deltas: tuple = DELTAS
    questions: tuple = QUESTIONS
    tolerance: float = 1e-12
    delta_tolerance: float = 1e-10
    dps: int = 60
    live: bool = True  # cheap enough to recompute a sample in the tests
    stored: bool = True  # else cheap enough to be computed whenever the tests run

    def requests(self):
        """Every (quantity, arguments) that this case needs, in a fixed order."""
        return {
            "power": self.alphas,
            "beta": self.alphas,
            "delta": self.epsilons,
            "epsilon": self.deltas,
            "questions": self.questions,
        }


def depths(mu):
    """Epsilons at which the delta of a Gaussian runs from its largest value to below 1e-300."""
    return (0.0, *(float(mu * mu / 2 + mu * z) for z in (0, 1, 3, 6, 12, 24, 36)), 1.0, 20.0)


def steps(e):
    """Epsilons up to the largest loss e and beyond; the last but two asks for e - epsilon with full accuracy."""
    return (0.0, e / 4, e / 2, e * 0.999, e * (1 - 1e-9), e, 2 * e)


def rough_steps(e):
    """The same where the largest loss is itself a rounded quotient."""
    return (0.0, e / 4, e / 2, e * 0.999, 2 * e)


def directed(curve, direction):
    return curve if direction == "add" else curve.mirror()


def compute(case, quantities=None):
    """Every value a case asks for, as mpf."""
    with digits(case.dps):
        curve = case.oracle()
        result = {}
        for quantity, arguments in case.requests().items():
            if quantities is not None and quantity not in quantities:
                continue
            if quantity == "questions":
                result[quantity] = [read(curve, name, kwargs) for name, kwargs in arguments]
            else:
                result[quantity] = [getattr(curve, quantity)(mpf(x)) for x in arguments]
    return result
