"""Related-records benchmarks: the worst attacker on models of increasing size, each in its own interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import dplens as dl

SECONDS, BYTES = 60.0, 2 * 2**30  # what the largest of each kind may take


@dataclass(frozen=True)
class CorrelatedGoal:
    """One search for the worst attacker. ``limit`` is the time allowed in seconds, for sizes with a target."""

    group: str
    size: int
    limit: float | None = None
    large: bool = False

    @property
    def job(self) -> str:
        """Name of the job on the command line of its own interpreter."""
        return f"{self.group}:{self.size}"


@dataclass(frozen=True)
class CorrelatedRow:
    """Measured time and memory, and the result."""

    goal: CorrelatedGoal
    seconds: float
    memory: int
    leakage: float
    attackers: int

    @property
    def verdict(self) -> str:
        """Whether the targets were met."""
        if self.goal.limit is None:
            return ""
        return "ok" if self.seconds < self.goal.limit and self.memory < BYTES else "**not yet**"


def correlated_goals() -> Iterator[CorrelatedGoal]:
    """Yield all models and sizes."""
    for n in (6, 9, 12, 15):
        yield CorrelatedGoal("binary", n, SECONDS if n == 15 else None, n > 12)
    for n in (8, 12, 16, 20):
        yield CorrelatedGoal("gaussian", n, SECONDS if n == 20 else None, n > 16)
    for n in (30, 100, 300, 1000):
        yield CorrelatedGoal("chain", n, SECONDS if n == 1000 else None, n > 300)
    for n in (30, 100, 300, 1000):
        yield CorrelatedGoal("mixing chain", n, SECONDS if n == 1000 else None, n > 300)
    for n in (30, 100, 300, 1000):
        yield CorrelatedGoal("chain, normal noise", n, SECONDS if n == 1000 else None, n > 300)
    for n in (30, 100, 300, 1000):
        yield CorrelatedGoal("slow chain, normal noise", n, SECONDS if n == 1000 else None, n > 300)
    for n in (30, 100, 300, 1000):
        yield CorrelatedGoal("autoregression", n, SECONDS if n == 1000 else None, n > 300)


def _binary(n: int) -> dl.Worst:
    table = np.random.default_rng(n).dirichlet(np.ones(2**n)).reshape((2,) * n)
    return dl.DiscreteData(joint=table).worst(dl.Laplace(scale=1.0))


def _gaussian(n: int) -> dl.Worst:
    a = np.random.default_rng(n).normal(size=(n, n + 5))
    return dl.GaussianData(covariance=a @ a.T).worst(dl.Gaussian(sigma=1.0))


def _chain(n: int) -> dl.Worst:
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.9, 0.1], [0.4, 0.6]], length=n)
    return chain.worst(dl.Laplace(scale=1.0), method="runs")


def _mixing(n: int) -> dl.Worst:
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.2, 0.8], [0.8, 0.2]], length=n)
    return chain.worst(dl.Laplace(scale=2.0), method="runs")


def _normal_noise(n: int) -> dl.Worst:
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.9, 0.1], [0.4, 0.6]], length=n)
    return chain.worst(dl.Gaussian(sigma=5.0), method="runs", delta=1e-5)


def _slow(n: int) -> dl.Worst:
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.999, 0.001], [0.001, 0.999]], length=n)
    return chain.worst(dl.Gaussian(sigma=20.0), method="runs", delta=1e-6)


def _autoregression(n: int) -> dl.Worst:
    return dl.GaussianChain.ar1(correlation=0.7, length=n).worst(dl.Gaussian(sigma=1.0), method="runs")


WORK: dict[str, Callable[[int], dl.Worst]] = {
    "binary": _binary,
    "gaussian": _gaussian,
    "chain": _chain,
    "mixing chain": _mixing,
    "chain, normal noise": _normal_noise,
    "slow chain, normal noise": _slow,
    "autoregression": _autoregression,
}


def measure_correlated(goal: CorrelatedGoal) -> CorrelatedRow:
    """Run one search in its own interpreter."""
    command = [sys.executable, "-m", "benchmarks.correlated", goal.job]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return CorrelatedRow(goal, **json.loads(run.stdout.splitlines()[-1]))


def main() -> None:
    """Run one job, or run all jobs and print a table."""
    if len(sys.argv) < 2:
        from benchmarks.report import correlated_lines

        rows = []
        for goal in correlated_goals():
            rows.append(measure_correlated(goal))
            print(f"{goal.job}: {rows[-1].seconds:.2f} s", flush=True)
        print("\n".join(correlated_lines(rows)))
        return
    from benchmarks.memory import resident

    group, size = sys.argv[1].split(":")
    before, start = resident("VmRSS"), time.perf_counter()
    found = WORK[group](int(size))
    seconds = time.perf_counter() - start
    answer = {"seconds": seconds, "memory": resident("VmHWM") - before}
    print(json.dumps({**answer, "leakage": float(found.epsilon), "attackers": int(found.attackers)}))


if __name__ == "__main__":
    main()
