"""Analyst benchmarks: many designs at once, single tests under each noise, simulations on one and two workers."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import dplens as dl

DESIGNS = 100_000
MANY_SECONDS = 1.0  # what so many closed-form designs may take
DRAWS = 40_000


@dataclass(frozen=True)
class AnalystGoal:
    """One job. ``limit`` is the time allowed in seconds, if there is a target."""

    group: str
    name: str
    limit: float | None = None
    large: bool = False

    @property
    def job(self) -> str:
        """Name of the job on the command line of its own interpreter."""
        return f"{self.group}:{self.name}"


@dataclass(frozen=True)
class AnalystRow:
    """Measured time and answer of one job."""

    goal: AnalystGoal
    seconds: float
    answer: float

    @property
    def verdict(self) -> str:
        """Whether the target was met."""
        if self.goal.limit is None:
            return ""
        return "ok" if self.seconds < self.goal.limit else "**not yet**"


def analyst_goals() -> Iterator[AnalystGoal]:
    """Yield all jobs."""
    for name in ("none", "gaussian", "laplace"):
        yield AnalystGoal("designs", name, MANY_SECONDS)
    for name in TESTS:
        yield AnalystGoal("power", name, large=name.endswith("1000"))
    for workers in (1, 2):
        yield AnalystGoal("simulation", str(workers), large=True)


def _designs(name: str) -> float:
    """Mean power of 100 000 designs with different sizes, effects and noise."""
    test = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01)
    part = np.linspace(0, 1, DESIGNS)
    noise = 0.001 + 0.2 * part
    powers = test.powers(
        None if name == "none" else name, noise, n=np.arange(10, 10 + DESIGNS), effect=0.01 + 0.3 * part[::-1]
    )
    return float(powers.mean())


def _student() -> dl.AdditiveNoise:
    from scipy import stats

    return dl.AdditiveNoise(noise=stats.t(3, scale=0.05))


_MEAN = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01)

TESTS: dict[str, Callable[[], float]] = {
    "mean, Laplace": lambda: float(_MEAN.power(dl.Laplace(scale=0.05))),
    "mean, staircase": lambda: float(_MEAN.power(dl.Staircase(epsilon=0.5, sensitivity=0.01))),
    "mean, Student t": lambda: float(_MEAN.power(_student())),
    "proportion of 10 000, geometric": lambda: float(
        dl.ProportionTest(n=10_000, null=0.3, effect=0.01).power(dl.Geometric(scale=5.0))
    ),
    "two proportions of 100, geometric": lambda: float(
        dl.TwoProportionsTest(n=100, baseline=0.3, effect=0.2).power(dl.Geometric(scale=2.0))
    ),
    "two proportions of 300, Laplace": lambda: float(
        dl.TwoProportionsTest(n=300, baseline=0.3, effect=0.1).power(dl.Laplace(scale=2.0))
    ),
    "two proportions of 1000": lambda: float(
        dl.TwoProportionsTest(n=1000, baseline=0.3, effect=0.05).power(dl.Laplace(scale=2.0))
    ),
}


def _median(rng: np.random.Generator, n: int, mean: float) -> np.ndarray:
    return rng.exponential(1 + mean, n)


def _simulation(workers: str) -> float:
    """Power of a test of the median of 2000 records, with 40 000 data sets under each hypothesis."""
    test = dl.SimulatedTest(
        simulate=_median, statistic=np.median, n=2000, effect=0.1, draws=DRAWS, rng=1, workers=int(workers)
    )
    return test.power(dl.Laplace(scale=0.02)).point


def work(job: str) -> float:
    """Compute the answer of one job."""
    group, name = job.split(":")
    if group == "designs":
        return _designs(name)
    return TESTS[name]() if group == "power" else _simulation(name)


def measure_analyst(goal: AnalystGoal) -> AnalystRow:
    """Run one job in its own interpreter."""
    command = [sys.executable, "-m", "benchmarks.analyst", goal.job]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return AnalystRow(goal, **json.loads(run.stdout.splitlines()[-1]))


def main() -> None:
    """Run one job, or run all jobs and print a table."""
    if len(sys.argv) < 2:
        from benchmarks.report import analyst_lines

        rows = []
        for goal in analyst_goals():
            rows.append(measure_analyst(goal))
            print(f"{goal.job}: {rows[-1].seconds:.3f} s", flush=True)
        print("\n".join(analyst_lines(rows)))
        return
    from scipy import special  # as in a session that has asked something before

    special.ndtr(0.0)
    start = time.perf_counter()
    answer = work(sys.argv[1])
    print(json.dumps({"seconds": time.perf_counter() - start, "answer": answer}))


if __name__ == "__main__":
    main()
