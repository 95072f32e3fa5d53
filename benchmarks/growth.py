"""How the cost of dplens grows with the number of steps, the number of different releases, and the tolerance."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import dplens as dl
from benchmarks import peers, work
from benchmarks.timing import forget, median_cold


@dataclass(frozen=True)
class Growth:
    """One problem size."""

    group: str
    size: str
    make: Callable[[], dl.Mechanism]
    ask: Callable[[dl.Mechanism], dl.Estimate]


@dataclass(frozen=True)
class GrowthRow:
    """Measured time and answer."""

    growth: Growth
    seconds: float
    answer: dl.Estimate


def epsilon(mechanism: dl.Mechanism) -> dl.Estimate:
    """The question used for every size."""
    return dl.Epsilon(delta=1e-5).of(mechanism)


def growths() -> Iterator[Growth]:
    """Yield all sizes."""
    for power in range(2, 9):
        run = work.Training(1.0, 0.01 * math.sqrt(1000 / 10**power), 10**power)
        make = partial(peers.our_training, run)
        yield Growth("DP-SGD, sigma 1, rate·√steps fixed", f"10^{power} steps", make, epsilon)
    for power in range(2, 9):
        yield Growth(
            "Laplace, epsilon 1/√steps per step",
            f"10^{power} steps",
            lambda n=10**power: dl.Laplace(scale=math.sqrt(n)).repeat(n),
            epsilon,
        )
    for count in (1, 3, 10, 30, 100, 300, 1000):
        yield Growth(
            "Alternating Gaussian, Laplace and randomised-response releases",
            f"{count} releases",
            partial(peers.our_mixed, count),
            epsilon,
        )
    for digits in (6, 8, 10, 12):
        yield Growth(
            f"DP-SGD, {work.TRAININGS[0]}, by tolerance",
            f"1e-{digits}",
            partial(peers.our_training, work.TRAININGS[0]),
            lambda m, d=digits: dl.Epsilon(delta=1e-5).of(m.tradeoff(tolerance=10.0**-d)),
        )


def measure_growth(growth: Growth, seconds: float) -> GrowthRow:
    """Median time of cold runs, from parameters to a certified epsilon."""
    forget()
    answer = growth.ask(growth.make())
    return GrowthRow(growth, median_cold(lambda: growth.ask(growth.make()), seconds), answer)
