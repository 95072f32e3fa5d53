"""Survey settings as data, in families modelled on real deployments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from benchmarks.releases import Part, Setting
from benchmarks.work import mixed

# ---- training -------------------------------------------------------------------------------------------------------


def training(family: str, rows: Iterable[tuple[str, float, float, int, float]]) -> Iterator[Setting]:
    """Settings from rows of (name, noise multiplier, rate, steps, delta)."""
    for what, noise, rate, steps, delta in rows:
        name = f"{what}: noise {noise:g}, rate {rate:.3g}, {steps} steps"
        yield Setting(family, name, (Part("training", noise, steps, rate),), delta)


FEDERATED = (
    ("next word, McMahan et al. 2018", 1.0, 5000 / 763_430, 4120, 1e-9),
    ("next word, larger population", 1.0, 1e4 / 1e8, 4120, 1e-9),
    ("10 million devices, 100 a round", 0.5, 1e-5, 2000, 1e-8),
    ("10 million devices, 1000 a round", 0.5, 1e-4, 2000, 1e-8),
    ("10 million devices, 1000 a round", 0.7, 1e-4, 2000, 1e-8),
    ("10 million devices, 6500 a round", 0.8, 6.5e-4, 2000, 1e-8),
    ("100 million devices, 10 a round", 0.3, 1e-7, 1000, 1e-9),
    ("100 million devices, 100 a round", 0.4, 1e-6, 10_000, 1e-9),
    ("100 million devices, 1000 a round", 0.6, 1e-5, 100_000, 1e-9),
    ("100 million devices, 10000 a round", 0.8, 1e-4, 1_000_000, 1e-9),
    ("1 million devices, 100 a round", 0.3, 1e-4, 500, 1e-7),
    ("1 million devices, 1000 a round", 0.4, 1e-3, 1000, 1e-7),
    ("1 million devices, 10000 a round", 1.5, 0.01, 3000, 1e-7),
    ("100 thousand devices, 50 a round", 0.5, 5e-4, 1500, 1e-6),
    ("100 thousand devices, 500 a round", 0.8, 5e-3, 1500, 1e-6),
    ("3400 writers, 50 a round", 0.7, 50 / 3400, 1000, 1e-4),
    ("3400 writers, 100 a round", 1.2, 100 / 3400, 1500, 1e-4),
    ("342 thousand forum users, 50 a round", 0.6, 50 / 342_477, 1500, 1e-6),
    ("342 thousand forum users, 1000 a round", 1.0, 1000 / 342_477, 1600, 1e-6),
    ("20 hospitals, 10 a round", 4.0, 0.5, 100, 1e-2),
    ("500 schools, 50 a round", 2.0, 0.1, 200, 1e-3),
    ("few rounds of very many", 0.5, 1e-5, 10, 1e-8),
    ("one round of very many", 0.4, 1e-6, 1, 1e-9),
    ("rare and noisy", 3.0, 1e-5, 100_000, 1e-9),
)
CENTRAL = (
    ("digits, Abadi et al. 2016", 4.0, 0.01, 10_000, 1e-5),
    ("digits, Abadi et al. 2016, less noise", 2.0, 0.01, 10_000, 1e-5),
    ("digits, 15 epochs", 1.3, 250 / 60_000, 3600, 1e-5),
    ("digits, 60 epochs", 1.1, 256 / 60_000, 14_063, 1e-5),
    ("digits, 15 epochs, little noise", 0.7, 256 / 60_000, 3516, 1e-5),
    ("photos, batch 4096", 3.0, 4096 / 50_000, 2468, 1e-5),
    ("photos, batch 4096, noisy", 10.0, 4096 / 50_000, 875, 1e-5),
    ("photos, batch 1024", 1.2, 1024 / 50_000, 2400, 1e-5),
    ("photos, batch 16384, full noise", 20.0, 16_384 / 50_000, 1000, 1e-5),
    ("1.3 million photos, batch 16384", 2.5, 16_384 / 1_281_167, 71_589, 8e-7),
    ("1.3 million photos, batch 1024", 0.6, 1024 / 1_281_167, 112_590, 8e-7),
    ("language model from scratch", 0.614, 4e-5, 100_000, 1.1e-10),
    ("language model, fine tuned, large batch", 0.8, 1024 / 67_349, 200, 1e-6),
    ("language model, fine tuned, 10 epochs", 0.6, 1000 / 42_061, 420, 1e-6),
    ("language model, fine tuned, 3 epochs", 0.65, 512 / 392_702, 2300, 1e-6),
    ("language model, one epoch", 0.4, 256 / 1e6, 3906, 1e-7),
    ("recommendations", 0.9, 8192 / 2e7, 24_000, 1e-8),
    ("clicks, a day", 0.5, 16_384 / 4e7, 2441, 1e-8),
    ("income survey, small", 1.5, 128 / 32_561, 2544, 1e-5),
    ("income survey, very private", 8.0, 128 / 32_561, 2544, 1e-5),
    ("clinical images, 5 epochs", 0.9, 64 / 2000, 156, 1e-4),
    ("clinical images, 100 epochs", 3.0, 64 / 2000, 3125, 1e-4),
    ("whole batch, few steps", 5.0, 0.5, 10, 1e-5),
    ("whole batch, many steps", 20.0, 0.5, 10_000, 1e-5),
    ("ten steps", 1.0, 0.1, 10, 1e-5),
    ("one step", 0.8, 0.01, 1, 1e-5),
    ("two steps", 0.5, 0.05, 2, 1e-5),
    ("very little noise", 0.3, 0.001, 1000, 1e-6),
    ("very little noise, often", 0.3, 0.01, 1000, 1e-6),
    ("a million steps", 1.0, 1e-3, 1_000_000, 1e-6),
    ("a million rare steps", 0.5, 1e-5, 1_000_000, 1e-7),
    ("a hundred thousand steps", 0.6, 0.001, 100_000, 1e-5),
)
PHASES: tuple[tuple[str, tuple[tuple[float, float, int], ...]], ...] = (
    ("noise falls in two phases", ((1.2, 0.01, 2000), (0.8, 0.01, 1000))),
    ("noise falls in four phases", tuple((1.6 - 0.2 * i, 0.004, 2500) for i in range(4))),
    ("noise falls in twenty phases", tuple((2.0 - 0.06 * i, 0.01, 250) for i in range(20))),
    ("batch grows in three phases", ((1.0, 0.002, 5000), (1.0, 0.008, 1500), (1.0, 0.03, 300))),
    ("batch doubles six times", tuple((0.9, 0.0005 * 2**i, 2000 >> i) for i in range(7))),
    ("warm-up, training, cool-down", ((2.0, 0.01, 100), (1.0, 0.01, 3000), (3.0, 0.01, 500))),
    ("pre-training and fine tuning", ((0.6, 1e-4, 50_000), (1.5, 0.02, 400))),
    ("three populations, rare", ((0.6, 1e-5, 3000), (0.5, 1e-4, 1000), (0.8, 1e-3, 500))),
    ("a hundred noise levels", tuple((1.0 + 0.02 * i, 0.005, 50) for i in range(100))),
    ("cyclic noise of five levels", tuple((0.8 + 0.3 * i, 0.01, 400) for i in range(5))),
    ("whole batch at the end", ((1.0, 0.01, 1000), (20.0, 1.0, 50))),
    ("search over twelve noises", tuple((0.7 + 0.15 * i, 0.01, 300) for i in range(12))),
    ("adaptive clipping beside each step", ((1.0, 0.005, 3000), (20.0, 0.005, 3000))),
    ("federated, noise falls", ((1.0, 1e-4, 1000), (0.7, 1e-4, 1000), (0.5, 1e-4, 500))),
)


def schedules() -> Iterator[Setting]:
    """Training in phases."""
    for name, phases in PHASES:
        parts = [Part("training" if rate < 1 else "gaussian", noise, n, rate) for noise, rate, n in phases]
        yield Setting("schedules", name, tuple(parts))


# ---- tables ---------------------------------------------------------------------------------------------------------

CENSUS_SHARES = (104, 1440, 447, 687, 1256, 165)  # of 4099: nation, state, county, tract, block group, block


def levels(rhos: Iterable[float], **more: int) -> tuple[Part, ...]:
    """Discrete Gaussians with the given zero-concentrated privacy budgets."""
    step = more.get("sensitivity", 1)
    return tuple(Part("discrete gaussian", step / math.sqrt(2 * rho), **more) for rho in rhos)


def census() -> Iterator[Setting]:
    """Tables at many levels, each with its own discrete Gaussian noise."""

    def table(name: str, parts: Iterable[Part], delta: float = 1e-10) -> Setting:
        return Setting("census tables", name, tuple(parts), delta)

    for total in (2.56, 0.07, 0.5, 10.0):
        shares = [total * share / sum(CENSUS_SHARES) for share in CENSUS_SHARES]
        yield table(f"six levels, shares of a redistricting file, rho {total:g}", levels(shares))
    shares = [2.56 * share / sum(CENSUS_SHARES) / 11 for share in CENSUS_SHARES]
    yield table("six levels of eleven queries each", [replace(part, count=11) for part in levels(shares)])
    yield table("five levels, sigma 2 to 10", [Part("discrete gaussian", s) for s in (2.0, 3.0, 5.0, 7.0, 10.0)], 1e-6)
    yield table("five levels, half whole sigma", [Part("discrete gaussian", s) for s in (1.5, 2.5, 3.5, 4.5, 5.5)])
    yield table("five levels, little noise", [Part("discrete gaussian", s) for s in (0.5, 0.7, 0.9, 1.1, 1.3)])
    yield table("five levels, much noise", [Part("discrete gaussian", s) for s in (20.0, 35.0, 60.0, 90.0, 150.0)])
    for count in (8, 10, 15, 20, 30, 40, 60):
        sigmas = [2.0 + 18.0 * i / (count - 1) for i in range(count)]
        yield table(f"{count} levels, sigma 2 to 20", [Part("discrete gaussian", s) for s in sigmas])
    for count in (10, 25, 60):
        sigmas = [3.0 * 40 ** (i / (count - 1)) for i in range(count)]
        yield table(f"{count} levels, sigma 3 to 120 by factors", [Part("discrete gaussian", s) for s in sigmas])
    yield table("twelve levels, households of two", levels([0.05 + 0.02 * i for i in range(12)], sensitivity=2))
    yield table("ten geometric levels", [Part("geometric", 2.0 + 1.7 * i) for i in range(10)])
    yield table("page views, three tables", [*levels((0.015, 0.01)), Part("geometric", 4.0)], 1e-7)
    means = [Part("gaussian", 10.0), Part("gaussian", 14.0)]
    yield table("six counts and two means", [*(Part("discrete gaussian", 4.0 + i) for i in range(6)), *means])


# ---- telemetry and counting -----------------------------------------------------------------------------------------


def telemetry() -> Iterator[Setting]:
    """Reports that people randomise on their own devices."""
    rows: tuple[tuple[str, tuple[Part, ...]], ...] = (
        ("one bit, once", (Part("response", 1.0),)),
        ("one bit, a week", (Part("response", 1.0, 7),)),
        ("one bit, a month", (Part("response", 0.5, 30),)),
        ("one bit, a year", (Part("response", 0.2, 365),)),
        ("one bit, hourly for a year", (Part("response", 0.05, 8760),)),
        ("words among 65536", (Part("response", 4.0, 1, more=65_536),)),
        ("words among 1024, a month", (Part("response", 2.0, 30, more=1024),)),
        ("emoji among 2600, a week", (Part("response", 4.0, 7, more=2600),)),
        ("four answers, a quarter", (Part("response", 0.25, 90, more=4),)),
        ("usage time, Laplace, daily", (Part("laplace", 4.0, 30),)),
        ("usage time, Laplace, once", (Part("laplace", 0.5),)),
        ("usage time, Laplace, hourly", (Part("laplace", 100.0, 8760),)),
        ("counters, geometric, daily", (Part("geometric", 5.0, 30),)),
        ("counters, geometric, a year", (Part("geometric", 30.0, 365),)),
        ("three questions of one bit", tuple(Part("response", e, 10) for e in (0.2, 0.5, 1.0))),
        ("a bit and a duration", (Part("response", 1.0, 7), Part("laplace", 5.0, 7))),
        (
            "a bit, a counter and a duration",
            (Part("response", 0.7, 5), Part("geometric", 6.0, 5), Part("laplace", 8.0)),
        ),
        ("memoised bit and fresh bits", (Part("response", 2.0), Part("response", 0.1, 200))),
        ("a word and nine bits", (Part("response", 3.0, more=128), Part("response", 0.4, 9))),
    )
    return (Setting("local telemetry", name, parts, 1e-6) for name, parts in rows)


def counting() -> Iterator[Setting]:
    """Noisy counts, sums and means."""
    rows: tuple[tuple[str, tuple[Part, ...]], ...] = (
        ("one count, geometric", (Part("geometric", 1.0),)),
        ("one count, Laplace", (Part("laplace", 1.0),)),
        ("one count, discrete Gaussian", (Part("discrete gaussian", 2.0),)),
        ("mobility, six counts a day for a month", (Part("laplace", 1 / 0.44, 180),)),
        ("dashboard, 100 counts", (Part("laplace", 10.0, 100),)),
        ("dashboard, 10000 counts", (Part("laplace", 150.0, 10_000),)),
        ("dashboard, geometric, 1000 counts", (Part("geometric", 40.0, 1000),)),
        ("dashboard, Gaussian, 1000 means", (Part("gaussian", 60.0, 1000),)),
        ("dashboard, discrete Gaussian, 5000 counts", (Part("discrete gaussian", 120.0, 5000),)),
        ("counts and means", (Part("geometric", 3.0, 5), Part("gaussian", 4.0, 3))),
        ("two counts and a sum", (Part("geometric", 2.0), Part("laplace", 3.0), Part("gaussian", 3.0))),
        ("histogram of both kinds", (Part("discrete gaussian", 3.0), Part("laplace", 4.0), Part("geometric", 5.0))),
        ("sums of up to five", (Part("geometric", 8.0, 3, sensitivity=5),)),
        ("labour market report", (Part("laplace", 5.0, 12), Part("gaussian", 8.0, 4))),
        ("fifteen scales of Laplace", tuple(Part("laplace", 3.0 + i) for i in range(15))),
        ("fifteen scales of geometric", tuple(Part("geometric", 3.0 + 0.5 * i) for i in range(15))),
        ("thirty releases by turns", tuple(mixed(30))),
    )
    return (Setting("counting", name, parts, 1e-6) for name, parts in rows)


def beside_training() -> Iterator[Setting]:
    """Statistics published together with a trained model."""
    digits, federated = Part("training", 1.1, 3600, 250 / 60_000), Part("training", 0.7, 2000, 1e-4)
    rows: tuple[tuple[str, tuple[Part, ...]], ...] = (
        ("digits and one Laplace count", (digits, Part("laplace", 2.0))),
        ("digits and one geometric count", (digits, Part("geometric", 2.0))),
        ("digits and ten Laplace counts", (digits, Part("laplace", 10.0, 10))),
        ("digits and a discrete Gaussian count", (digits, Part("discrete gaussian", 5.0))),
        ("digits, a mean and a count", (digits, Part("gaussian", 6.0), Part("geometric", 4.0))),
        ("digits and labels by response", (digits, Part("response", 0.5))),
        ("digits and 1000 validations", (digits, Part("gaussian", 100.0, 1000))),
        ("federated and one Laplace count", (federated, Part("laplace", 5.0))),
        ("federated and geometric counters", (federated, Part("geometric", 10.0, 7))),
        ("federated and a census table", (federated, *levels((0.02, 0.05, 0.01)))),
        ("federated and means", (federated, Part("gaussian", 8.0, 4))),
        ("large batch and a histogram", (Part("training", 3.0, 2468, 0.082), Part("laplace", 3.0))),
        ("model and a bare guarantee", (digits, Part("guarantee", 0.5, more=1e-8))),
    )
    return (Setting("counting beside training", name, parts) for name, parts in rows)


# ---- guarantees, groups, replacement, other noise -------------------------------------------------------------------


def guarantees() -> Iterator[Setting]:
    """Guarantees without a known mechanism."""
    rows: tuple[tuple[str, tuple[Part, ...]], ...] = (
        ("epsilon 1, delta 1e-9", (Part("guarantee", 1.0, more=1e-9),)),
        ("epsilon 14.4, delta 1.2e-9", (Part("guarantee", 14.4, more=1.2e-9),)),
        ("epsilon 9.98, pure", (Part("guarantee", 9.98),)),
        ("epsilon 0.1, thirty times", (Part("guarantee", 0.1, 30, more=1e-9),)),
        ("epsilon 0.01, ten thousand times", (Part("guarantee", 0.01, 10_000, more=1e-12),)),
        ("five different promises", tuple(Part("guarantee", 0.1 + 0.2 * i, more=1e-9) for i in range(5))),
        ("promises by year", (Part("guarantee", 4.0, 1), Part("guarantee", 2.0, 3), Part("guarantee", 0.5, 8))),
        ("a promise beside Gaussian noise", (Part("guarantee", 0.5, more=1e-9), Part("gaussian", 3.0))),
        ("mu 1", (Part("gdp", 1.0),)),
        ("mu 0.3, twelve times", (Part("gdp", 0.3, 12),)),
        ("rho 0.81, keyboard", (Part("zcdp", 0.81),)),
        ("rho 2.63, redistricting", (Part("zcdp", 2.63),)),
        ("rho 0.015, page views", (Part("zcdp", 0.015),)),
        ("rho 0.1, ten times", (Part("zcdp", 0.1, 10),)),
        ("rho 0.2 beside Laplace noise", (Part("zcdp", 0.2), Part("laplace", 3.0))),
        ("Rényi, as Gaussian noise", (Part("renyi", 0.1, more=1000.0),)),
        ("Rényi, little noise", (Part("renyi", 1.0, more=1000.0),)),
        ("Rényi, as after sampling", (Part("renyi", 0.02, more=8.0),)),
        ("Rényi, five times", (Part("renyi", 0.02, 5, more=1000.0),)),
        ("choice among candidates, ten times", (Part("exponential", 0.5, 10),)),
    )
    return (Setting("bare guarantees", name, parts) for name, parts in rows)


def grouped() -> Iterator[Setting]:
    """Households, families, and several devices of one person."""
    rows: tuple[tuple[str, int, tuple[Part, ...]], ...] = (
        ("Gaussian, household of 4", 4, (Part("gaussian", 8.0),)),
        ("Gaussian means, 20 records a person", 20, (Part("gaussian", 100.0, 10),)),
        ("Laplace, household of 4", 4, (Part("laplace", 8.0),)),
        ("geometric, household of 6", 6, (Part("geometric", 10.0),)),
        ("discrete Gaussian, household of 3", 3, (Part("discrete gaussian", 6.0),)),
        ("randomised response, couple", 2, (Part("response", 0.5, 10),)),
        ("promise, household of 5", 5, (Part("guarantee", 0.2, more=1e-12),)),
        ("rho 0.1, household of 3", 3, (Part("zcdp", 0.1),)),
        ("digits, two photos", 2, (Part("training", 2.0, 3600, 250 / 60_000),)),
        ("digits, ten photos", 10, (Part("training", 4.0, 3600, 250 / 60_000),)),
        ("federated, three devices", 3, (Part("training", 1.0, 2000, 1e-4),)),
        ("Laplace counts, couple", 2, (Part("laplace", 20.0, 50),)),
        ("census table, household of 2", 2, levels((0.02, 0.05, 0.1, 0.03, 0.2))),
    )
    return (Setting("groups", name, parts, group=size) for name, size, parts in rows)


def replaced() -> Iterator[Setting]:
    """One record replaced by another, and samples of fixed size."""
    fixed: tuple[tuple[str, tuple[Part, ...]], ...] = (
        ("Gaussian mean, sensitivity 2", (Part("gaussian", 4.0, 1, 1.0, 2),)),
        ("counts, sensitivity 2", (Part("geometric", 4.0, 10, 1.0, 2),)),
        ("histogram, discrete Gaussian", (Part("discrete gaussian", 6.0, 5, 1.0, 2),)),
        ("fixed batches, 1 step", (Part("gaussian", 2.0, 1, 0.01),)),
        ("fixed batches, 100 steps", (Part("gaussian", 2.0, 100, 0.01),)),
        ("fixed batches, 1000 steps", (Part("gaussian", 2.0, 1000, 0.01, 2),)),
        ("fixed batches, 10000 steps", (Part("gaussian", 1.5, 10_000, 0.002),)),
        ("fixed samples, Laplace count", (Part("laplace", 1.0, 1, 0.05),)),
        ("fixed samples, 50 Laplace counts", (Part("laplace", 3.0, 50, 0.05),)),
        ("fixed samples, response", (Part("response", 2.0, 20, 0.1),)),
        ("uniform sample of 1000", (Part("uniform sampling", 1.0, more=1000),)),
    )
    for name, parts in fixed:
        yield Setting("replacement", name, parts, neighbours="replace")
    training_runs = (("digits", Part("training", 2.0, 3600, 250 / 60_000)), ("rare", Part("training", 0.8, 1000, 1e-4)))
    for name, part in training_runs:
        yield Setting("replacement", f"{name}, read for replaced records", (part,), as_replace=True)


def other_noise() -> Iterator[Setting]:
    """Sampled counts, heavy tails, staircase noise."""
    rows: tuple[tuple[str, tuple[Part, ...]], ...] = (
        ("Laplace sampled at 3 %, once", (Part("laplace", 1.0, 1, 0.03),)),
        ("Laplace sampled at 3 %, 10 times", (Part("laplace", 1.0, 10, 0.03),)),
        ("Laplace sampled at 3 %, 1000 times", (Part("laplace", 1.0, 1000, 0.03),)),
        ("Laplace sampled at 0.1 %, 1000 times", (Part("laplace", 0.5, 1000, 0.001),)),
        ("geometric sampled at 5 %, 100 times", (Part("geometric", 1.0, 100, 0.05),)),
        ("discrete Gaussian sampled at 1 %, 500 times", (Part("discrete gaussian", 1.0, 500, 0.01),)),
        ("response sampled at 10 %, 50 times", (Part("response", 2.0, 50, 0.1),)),
        ("Student noise, once", (Part("student", 2.0, more=3),)),
        ("Student noise, three times", (Part("student", 2.0, 3, more=3),)),
        ("Student noise, thirty times", (Part("student", 8.0, 30, more=4),)),
        ("logistic noise, ten times", (Part("logistic", 5.0, 10),)),
        ("Cauchy noise, five times", (Part("cauchy", 4.0, 5),)),
        ("staircase, once", (Part("staircase", 1.0),)),
        ("staircase, twenty times", (Part("staircase", 0.2, 20),)),
        ("Student beside Gaussian", (Part("student", 4.0, 2, more=3), Part("gaussian", 4.0, 5))),
    )
    return (Setting("other noise", name, parts) for name, parts in rows)


def settings() -> list[Setting]:
    """All settings."""
    return [
        *training("federated training", FEDERATED),
        *training("central training", CENTRAL),
        *schedules(),
        *census(),
        *telemetry(),
        *counting(),
        *beside_training(),
        *guarantees(),
        *grouped(),
        *replaced(),
        *other_noise(),
    ]
