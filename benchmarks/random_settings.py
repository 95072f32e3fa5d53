"""Check dplens on random settings of the survey's kind against dp-accounting's optimistic distributions.

Run with `python -m benchmarks.random_settings --count 500`. An optimistic privacy-loss distribution understates the
loss, so an epsilon of ours below the one it implies would understate the risk.
"""

from __future__ import annotations

import argparse
import logging
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import dplens as dl
from benchmarks.releases import Part, Setting

SLACK = 1e-9  # of an epsilon, for rounding in the reference
NOISE = 1e-13  # absolute error of a delta in the reference, from its Fourier transforms
DELTAS = (1e-3, 1e-5, 1e-7)


def drawn(rng: np.random.Generator) -> Setting:
    """A random setting: training, a schedule, tables, counts, telemetry or a mixture of them."""
    families = (_training, _training, _schedule, _tables, _counts, _answers, _mixture)
    family = families[rng.integers(len(families))]
    parts = tuple(family(rng))
    return Setting(family.__name__.strip("_"), ", ".join(map(str, parts)), parts)


def _spread(rng: np.random.Generator, low: float, high: float, digits: int = 3) -> float:
    """A number spread evenly over orders of magnitude, rounded as people state it."""
    value = math.exp(rng.uniform(math.log(low), math.log(high)))
    return float(f"{value:.{digits}g}")


def _training(rng: np.random.Generator) -> Iterator[Part]:
    yield Part("training", _spread(rng, 0.5, 5), int(_spread(rng, 10, 20_000)), _spread(rng, 1e-5, 0.1))


def _schedule(rng: np.random.Generator) -> Iterator[Part]:
    for _ in range(rng.integers(2, 4)):
        yield from _training(rng)


def _tables(rng: np.random.Generator) -> Iterator[Part]:
    for _ in range(rng.integers(2, 12)):
        yield Part("discrete gaussian", _spread(rng, 1, 40), int(rng.integers(1, 5)))


def _counts(rng: np.random.Generator) -> Iterator[Part]:
    for _ in range(rng.integers(1, 6)):
        yield Part(str(rng.choice(["laplace", "geometric"])), _spread(rng, 0.5, 30), int(rng.integers(1, 8)))


def _answers(rng: np.random.Generator) -> Iterator[Part]:
    yield Part("response", _spread(rng, 0.1, 3), int(_spread(rng, 1, 500)), more=float(rng.integers(2, 12)))


def _mixture(rng: np.random.Generator) -> Iterator[Part]:
    families: list[Callable[[np.random.Generator], Iterator[Part]]] = [_training, _tables, _counts, _answers]
    for k in rng.choice(len(families), size=2, replace=False):
        yield from families[k](rng)
    yield Part("gaussian", _spread(rng, 1, 20))


def optimistic(parts: tuple[Part, ...]) -> Any:
    """A privacy-loss distribution that is dominated by the true one."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    def one(part: Part) -> Any:
        scale = {"sensitivity": part.sensitivity, "pessimistic_estimate": False}
        match part.kind:
            case "training":
                return pld.from_gaussian_mechanism(part.size, sampling_prob=part.rate, pessimistic_estimate=False)
            case "gaussian":
                return pld.from_gaussian_mechanism(part.size, **scale)
            case "laplace":
                return pld.from_laplace_mechanism(part.size, **scale)
            case "geometric":
                return pld.from_discrete_laplace_mechanism(1 / part.size, **scale)
            case "discrete gaussian":
                return pld.from_discrete_gaussian_mechanism(part.size, **scale)
            case "response":
                k = int(part.more)
                return pld.from_randomized_response(k / (math.exp(part.size) + k - 1), k, pessimistic_estimate=False)
        raise ValueError(f"no distribution of kind {part.kind!r}")

    total = None
    for part in parts:
        law = one(part).self_compose(part.count)
        total = law if total is None else total.compose(law)
    return total


def misses(setting: Setting) -> list[str]:
    """Where our epsilon lies below the optimistic one, or our bounds are no bounds."""
    mechanism, law = setting.mechanism(), optimistic(setting.parts)
    found = []
    for delta in DELTAS:
        ours, least = dl.Epsilon(delta=delta).of(mechanism), law.get_epsilon_for_delta(delta + NOISE)
        if not ours.low <= ours.high or ours < least * (1 - SLACK) - 1e-12:
            found.append(f"{setting.name}: epsilon({delta}) in [{ours.low}, {ours.high}], at least {least}")
    return found


def main() -> None:
    """Draw settings, check them and print what fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    logging.disable(logging.WARNING)  # the reference warns about every optimistic distribution
    rng, start, failed = np.random.default_rng(options.seed), time.perf_counter(), 0
    for _ in range(options.count):
        for line in misses(drawn(rng)):
            failed += 1
            print(line, flush=True)
    print(f"{options.count} settings, {failed} answers below the reference, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
