"""The noise on a published number: its law, and random draws for simulations."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.bounded import BoundedNoise
from dplens.mechanisms.combined import Grouped
from dplens.mechanisms.experiment import Noisy
from dplens.mechanisms.noise import AdditiveNoise
from dplens.mechanisms.noise_laws import StudentLaw
from dplens.numerics.laws.base import Law, unshifted
from dplens.numerics.laws.density import DensityLaw
from dplens.numerics.laws.discrete_gaussian import LatticeNoise
from dplens.numerics.laws.facts import family, noise_facts
from dplens.numerics.laws.geometric import GeometricNoise
from dplens.numerics.roots import sign_change


@dataclass(frozen=True)
class Noise(ABC):
    """Noise added to a published number, independent of the data; ``_scales`` are its fields in units of the number."""

    _scales: ClassVar[tuple[str, ...]] = ()

    def scaled(self, factor: float) -> Any:
        """The same noise in other units: ``factor`` times as large."""
        return replace(self, **{name: getattr(self, name) * factor for name in self._scales})

    @abstractmethod
    def draw(self, rng: np.random.Generator, size: Any) -> Floats:
        """Draws for simulations. Real releases should use a vetted sampler instead."""


@dataclass(frozen=True)
class NoNoise(Noise):
    """No noise: the number is published exactly."""

    def draw(self, rng: np.random.Generator, size: Any) -> Floats:
        return np.zeros(size)


@dataclass(frozen=True)
class NormalNoise(Noise):
    """N(at, sigma²)."""

    _scales = ("sigma", "at")
    sigma: float
    at: float = 0.0

    def draw(self, rng: np.random.Generator, size: Any) -> Floats:
        return rng.normal(self.at, self.sigma, size)


@dataclass(frozen=True)
class LaplaceNoise(Noise):
    """Density e^{−|x − at|/scale}/(2·scale)."""

    _scales = ("scale", "at")
    scale: float
    at: float = 0.0

    def draw(self, rng: np.random.Generator, size: Any) -> Floats:
        return rng.laplace(self.at, self.scale, size)


@dataclass(frozen=True, eq=False)
class WholeNoise(Noise):
    """Symmetric noise on the integers, times ``unit``."""

    _scales = ("unit",)
    lattice: LatticeNoise
    unit: float = 1.0

    def masses(self, reach: int) -> Floats:
        """P(k) for k = −reach … reach, normalised."""
        with np.errstate(under="ignore"):
            found = np.exp(self.lattice.log_mass(np.arange(-reach, reach + 1.0)))
        return found / found.sum()

    def draw(self, rng: np.random.Generator, size: Any) -> Floats:
        if isinstance(self.lattice, GeometricNoise):
            share = -math.expm1(-1 / self.lattice.scale)  # the difference of two geometric numbers
            return (rng.geometric(share, size) - rng.geometric(share, size)) * self.unit
        # inversion: the smallest k with P(N ≥ k + 1) ≤ u, on a random side
        u = rng.random(size)
        tail = np.minimum(u, 1 - u)
        k = self.lattice.first_below(np.maximum(np.ravel(tail), 1e-300)).reshape(tail.shape) - 1
        return np.where(u < 0.5, k, -k) * self.unit


@dataclass(frozen=True, eq=False)
class FiniteNoise(Noise):
    """Noise on the whole numbers from ``start`` on, by its masses, times ``unit``."""

    _scales = ("unit",)
    start: int
    masses: Floats
    unit: float = 1.0

    @property
    def places(self) -> Floats:
        """The values of the noise."""
        return (self.start + np.arange(len(self.masses), dtype=float)) * self.unit

    def draw(self, rng: np.random.Generator, size: Any) -> Floats:
        return rng.choice(self.places, size, p=self.masses)


@dataclass(frozen=True, eq=False)
class DensityNoise(Noise):
    """Noise with a density, times ``unit``.

    mode: an interval before which the density rises and after which it falls, or None if unknown.
    sure: whether both tails are accurate relatively, or only absolutely, to the rounding of numbers near 1.
    """

    _scales = ("unit",)
    law: Law
    mode: tuple[float, float] | None
    sure: bool
    source: Any
    unit: float = 1.0

    def sf(self, x: Floats) -> Floats:
        """P(noise > x)."""
        return np.asarray(self.law.sf(x / self.unit), float)

    def cdf(self, x: Floats) -> Floats:
        """P(noise ≤ x)."""
        return np.asarray(self.law.cdf(x / self.unit), float)

    def landmarks(self) -> list[float]:
        """Points where the density may not be smooth: the ends of its support, and modes."""
        ends = [*self.law.support(), *(self.mode or ())]
        return [self.unit * x for x in ends if math.isfinite(x)]

    def iqr(self) -> float:
        """The interquartile range."""
        low, high = np.asarray(self.law.ppf(np.array([0.25, 0.75])), float)
        return float(high - low) * self.unit

    def centre(self) -> float:
        """The median."""
        return float(np.asarray(self.law.ppf(np.array([0.5])))[0]) * self.unit

    def draw(self, rng: np.random.Generator, size: Any) -> Floats:
        if self.source is not None and hasattr(self.source, "rvs"):
            return np.asarray(self.source.rvs(size=size, random_state=rng), float) * self.unit
        u = rng.random(size)
        flat = np.ravel(u)
        return np.where(flat < 0.5, self.law.ppf(flat), self.law.isf(1 - flat)).reshape(u.shape) * self.unit


class TwoLaplaceLaw:
    """at + X − Y for independent Laplace X, Y of scales a ≥ b about 0.

    P(X − Y > x) = {a²·e^{−x/a} − b²·e^{−x/b}}/{2(a² − b²)}, x ≥ 0.
    """

    def __init__(self, first: float, second: float, at: float = 0.0) -> None:
        self.a, self.b, self.at = max(first, second), min(first, second), at

    def sf(self, x: Floats) -> Floats:
        # with d = 1/b − 1/a: e^{−x/a}·{1 + b²/(a + b)·(1 − e^{−d·x})/(a − b)}/2, and (1 − e^{−dx})/(a − b) → x/(ab)
        a, b, away = self.a, self.b, np.abs(x - self.at)
        y = (a - b) / (a * b) * away
        ratio = np.where(y > 1e-8, -np.expm1(-y) / np.where(y > 0, y, 1.0), 1 - y / 2)
        tail = 0.5 * np.exp(-away / a) * (1 + b / (a * (a + b)) * away * ratio)
        return np.where(x >= self.at, tail, 1 - tail)

    def cdf(self, x: Floats) -> Floats:
        return self.sf(2 * self.at - x)

    def ppf(self, p: Floats) -> Floats:
        p = np.asarray(p, float)
        far = np.full_like(p, 1500 * self.a)
        low, high = sign_change(lambda x: p - self.sf(self.at - x), -far, far)
        return self.at + (low + high) / 2

    def isf(self, p: Floats) -> Floats:
        return 2 * self.at - self.ppf(p)

    def support(self) -> tuple[float, float]:
        return -math.inf, math.inf


def difference(noise: Noise, first: float, second: float) -> Noise:
    """The law of first·N − second·N' for two independent noises of the same kind."""
    if isinstance(noise, NoNoise):
        return noise
    if isinstance(noise, NormalNoise):
        return NormalNoise(noise.sigma * math.hypot(first, second), noise.at * (first - second))
    if isinstance(noise, LaplaceNoise):
        at = noise.at * (first - second)
        law = TwoLaplaceLaw(noise.scale * first, noise.scale * second, at)
        return DensityNoise(law, (at, at), True, None)  # pyright: ignore[reportArgumentType]
    raise Undefined(
        "The difference of two numbers is known for Gaussian and Laplace noise on each. Use one of them, publish the "
        "difference itself (published='difference'), or simulate with dplens.SimulatedTest."
    )


def noise_of(mechanism: Any) -> Noise:
    """The noise that a mechanism adds to one published number; ``None`` means no noise."""
    if mechanism is None:
        return NoNoise()
    if isinstance(mechanism, Noise):
        return mechanism
    while isinstance(mechanism, Grouped):  # the same release, seen by a group
        mechanism = mechanism.mechanism
    if isinstance(mechanism, Gaussian):
        return NormalNoise(mechanism.sigma)
    if isinstance(mechanism, Laplace):
        return LaplaceNoise(mechanism.scale)
    if isinstance(mechanism, (Geometric, DiscreteGaussian)):
        return WholeNoise(mechanism._noise())
    if isinstance(mechanism, BoundedNoise):
        return FiniteNoise(mechanism.values[0], mechanism.masses)
    if isinstance(mechanism, Staircase):
        # a step function, decreasing on both sides of 0
        return DensityNoise(mechanism.noise_law(), (0.0, 0.0), True, None)
    if isinstance(mechanism, Noisy):  # any other family
        return _additive(mechanism.as_additive())
    if isinstance(mechanism, Mechanism):
        raise Undefined(
            f"{type(mechanism).__name__} does not add one noise to one published number, so the published number has "
            "no law to test with. Pass the mechanism of a single release, such as dplens.Gaussian(sigma=0.05); "
            "average repeated releases yourself and pass the noise of the average."
        )
    remedy = "Pass for instance dplens.Gaussian(sigma=0.05), or None for no noise."
    raise _validate.reject_type("mechanism", "to be a mechanism that adds noise to a number", mechanism, remedy)


def _additive(mechanism: AdditiveNoise) -> Noise:
    known = family(mechanism.noise)
    if known is not None and known[0] == "norm":
        return NormalNoise(known[3], known[2])
    if known is not None and known[0] == "laplace":
        return LaplaceNoise(known[3], known[2])
    law, facts = mechanism.noise_law(), noise_facts(mechanism.noise)
    mode = None
    if facts is not None and facts.symmetric_unimodal:
        mode = (facts.loc, facts.loc)
    elif facts is not None and facts.log_concave:
        mode = _mode(law)
    sure = isinstance(unshifted(law)[0], (DensityLaw, StudentLaw))
    return DensityNoise(law, mode, sure, mechanism.noise)


def _mode(law: Law) -> tuple[float, float]:
    """An interval around the mode of a log-concave density, between neighbours of the highest of many points."""
    places = np.unique(np.asarray(law.ppf(np.linspace(0.001, 0.999, 999)), float))
    low, high = places[0], places[-1]
    for _ in range(6):
        height = np.asarray(law.logpdf(places), float)
        top = int(np.argmax(height))
        low, high = places[max(top - 1, 0)], places[min(top + 1, len(places) - 1)]
        if top in (0, len(places) - 1):
            ends = law.support()
            low, high = (ends[0], high) if top == 0 else (low, ends[1])
            return float(low), float(high)
        if high - low < 1e-6 * (abs(low) + abs(high) + float(np.ptp(places))):
            break
        places = np.linspace(low, high, 41)
    return float(low), float(high)
