"""The benchmark problems as plain data, shared by dplens, the peers and the references."""

import math
from typing import NamedTuple

import numpy as np

from benchmarks.releases import Part


class Training(NamedTuple):
    """One DP-SGD run with Poisson-sampled batches."""

    sigma: float
    rate: float
    steps: int

    @property
    def part(self) -> Part:
        """The run as a release."""
        return Part("training", self.sigma, self.steps, self.rate)

    def __str__(self) -> str:
        return f"sigma {self.sigma:g}, rate {self.rate:.3g}, {self.steps} steps"


TRAININGS = (
    Training(1.0, 0.01, 1000),
    Training(0.8, 0.004, 10_000),
    Training(1.1, 256 / 60000, 14_063),
    Training(0.6, 0.001, 100_000),
)
TRAINING_DELTA = 1e-5

LAPLACE_COUNTS = (100, 1000, 10_000)  # of scale 1, sensitivity 1
LAPLACE_DELTA = 1e-6

# A thousand false-positive rates: half spread evenly, half over the small ones that matter to an attacker.
CURVE_ALPHAS = np.concatenate([np.geomspace(1e-9, 1e-2, 500), np.linspace(0.012, 0.998, 500)])
CHECKED = (0, 130, 260, 400, 499, 620, 740, 860, 999)  # those of them with a stored reference

MIXED_DELTA = 1e-5

CALIBRATED_RATE, CALIBRATED_STEPS = 0.01, 1000  # DP-SGD whose noise is looked for


def mixed(count: int) -> list[Part]:
    """`count` different releases, alternating Gaussian, Laplace and randomised response (epsilon 1/size).

    The noise grows with their number, so that the total privacy loss stays about the same.
    """
    grown = math.sqrt(count / 200)
    sizes = [(5.0 + 20.0 * i / count) * grown for i in range(count)]
    kinds = ("gaussian", "laplace", "response")
    return [Part(kinds[i % 3], 1 / size if i % 3 == 2 else size) for i, size in enumerate(sizes)]
