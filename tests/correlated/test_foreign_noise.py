"""A noise class that the package does not know is accepted wherever ``AdditiveNoise`` of the same law is."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import dplens as dl
from dplens.assessment.related import related_noises
from dplens.mechanisms.additive import Additive
from dplens.mechanisms.experiment import Noisy
from dplens.numerics.laws.base import Law

TUPLES = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]], values=[[0, 1], [0, 1]])
TEST = dl.MeanTest(n=100, sd=1.0, effect=0.5)


@dataclass(frozen=True, kw_only=True)
class Triangular(Noisy, Additive):
    """Triangular noise between −half and half, whose law SciPy knows."""

    half: float = 3.0

    @property
    def known(self):
        noise = stats.triang(0.5, loc=-self.half, scale=2 * self.half)
        return dl.AdditiveNoise(noise=noise, sensitivity=self.sensitivity)

    def noise_law(self):
        return self.known.noise_law()

    def _forward(self):
        return self.known._forward()


@dataclass(frozen=True)
class TriangularLaw(Law):
    """The same law, written out."""

    half: float

    def logpdf(self, x):
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(1 - np.abs(x) / self.half, 0.0) / self.half)

    def sf(self, x):
        tail = np.maximum(1 - np.abs(x) / self.half, 0.0) ** 2 / 2
        return np.where(np.asarray(x) >= 0, tail, 1 - tail)

    def cdf(self, x):
        return self.sf(-np.asarray(x))

    def isf(self, p):
        p = np.asarray(p)
        return self.half * np.where(p <= 0.5, 1 - np.sqrt(2 * p), np.sqrt(2 * np.maximum(1 - p, 0.0)) - 1)

    def ppf(self, p):
        return -self.isf(p)

    def support(self):
        return -self.half, self.half

    def kinks(self):
        return np.zeros(1)


@dataclass(frozen=True, kw_only=True)
class WrittenOut(Triangular):
    """Triangular noise whose law SciPy does not know."""

    def noise_law(self):
        return TriangularLaw(self.half)


@dataclass(frozen=True, eq=False)
class CauchyLaw(Law):
    """A law without a mean."""

    def logpdf(self, x):
        return -np.log1p(np.square(x)) - math.log(math.pi)

    def sf(self, x):
        return np.arctan2(1.0, x) / math.pi

    def cdf(self, x):
        return self.sf(-np.asarray(x))

    def isf(self, p):
        with np.errstate(divide="ignore"):
            return 1 / np.tan(math.pi * np.asarray(p))

    def ppf(self, p):
        return -self.isf(p)


KNOWN = Triangular().known
OWN = {"SciPy's law": Triangular(), "a law of one's own": WrittenOut()}
ANSWERS = {
    "worst attacker": lambda noise: TUPLES.worst(noise, delta=0.1).epsilon,
    "one attacker": lambda noise: dl.AttackPower(fpr=0.05).of(TUPLES.view(noise, target=0)),
    "hypothesis on a value": lambda noise: dl.Advantage().of(dl.ValueAbove(mechanism=noise, values=[0, 1, 2], gamma=1)),
    "variance": lambda noise: dl.noise_error(noise).variance,
    "mean absolute error": lambda noise: dl.noise_error(noise).mean_absolute,
    "95 % of the noise": lambda noise: dl.noise_error(noise).interval,
    "chart of the noise": lambda noise: dl.frame("power_noise", noise, fprs=[0.05], factors=[1.0, 2.0]).rows[-1][
        "power"
    ],
    "analyst's power": TEST.power,
    "analyst's p-value": lambda noise: TEST.p_value(0.7, noise),
}


@pytest.mark.parametrize("own", OWN)
@pytest.mark.parametrize("room", ANSWERS)
def test_a_new_noise_class_is_answered_as_the_same_noise_without_a_class(room, own):
    assert float(ANSWERS[room](OWN[own])) == pytest.approx(float(ANSWERS[room](KNOWN)), rel=1e-6)


def test_a_new_noise_class_is_taken_beside_data():
    own = Triangular(sensitivity=2.0, neighbours="replace")
    (noise,) = related_noises(own)
    assert (noise.sensitivity, noise.neighbours) == (2.0, "replace")
    with pytest.raises(dl.DplensError, match="to add noise to a number"):
        related_noises(dl.RandomizedResponse(epsilon=1.0))


def test_a_law_without_moments_has_infinite_errors():
    @dataclass(frozen=True, kw_only=True)
    class Heavy(Noisy, dl.Mechanism):
        def noise_law(self):
            return CauchyLaw()

        def _forward(self):
            return self.as_additive()._forward()

    found, known = dl.noise_error(Heavy()), dl.noise_error(dl.AdditiveNoise(noise=stats.cauchy()))
    assert found.variance == found.mean_absolute == math.inf
    assert found.interval == pytest.approx(known.interval, rel=1e-9)


def test_a_ranking_has_the_error_of_a_new_class():
    (entry,) = dl.rank({"own": lambda x: Triangular(half=x)}, meet=dl.Advantage().at_most(0.3)).entries
    assert entry.fit is not None
    assert not entry.why


def test_a_class_can_name_its_distribution():
    @dataclass(frozen=True, kw_only=True)
    class Logistic(WrittenOut):
        def as_additive(self):
            return dl.AdditiveNoise(noise=stats.logistic(scale=self.half), sensitivity=self.sensitivity)

    noise = dl.AdditiveNoise(noise=stats.logistic(scale=3.0))
    assert dl.noise_error(Logistic()) == dl.noise_error(noise)
    assert TUPLES.view(Logistic(), target=0).release.single == noise
