"""Reconstruction and attribute inference, against attackers who do as well as they can."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr, ndtri
from scipy.stats import laplace, norm

import dplens as dl


@pytest.mark.parametrize("values", [2, 3, 10])
@pytest.mark.parametrize("sigma", [0.3, 1.0, 5.0])
def test_no_guess_of_one_of_several_equally_likely_values_beats_the_bound(values, sigma):
    """The best attacker guesses the likeliest value; another record in [0, 1] may replace the target's."""
    places = np.linspace(0.0, 1.0, values)
    peaks, _ = quad(lambda y: norm.pdf(y, places, sigma).max(), -8 * sigma, 1 + 8 * sigma, limit=400)
    release = dl.Gaussian(sigma=sigma, sensitivity=1.0, neighbours="replace")
    assert peaks / values <= dl.Reconstruction(baseline=1 / values).of(release)


@pytest.mark.parametrize("scale", [0.3, 1.0, 5.0])
@pytest.mark.parametrize("share", [0.5, 0.8, 0.99])
def test_no_guess_of_an_attribute_beats_the_bound(scale, share):
    """Laplace noise on a count: guess the attribute if the likelihood ratio exceeds the odds against it."""
    best = max(
        share * laplace.cdf(y, 0, scale) + (1 - share) * laplace.sf(y, 1, scale) for y in np.linspace(-9.0, 10.0, 4001)
    )
    assert best <= dl.AttributeInference(baseline=share).of(dl.Laplace(scale=scale, neighbours="replace"))


@pytest.mark.parametrize("baseline", [1e-9, 1e-3, 0.2, 0.999])
def test_gaussian_success_has_a_closed_form(baseline):
    success = ndtr(ndtri(baseline) + 0.5)
    release = dl.Gaussian(sigma=2.0)
    assert dl.Reconstruction(baseline=baseline).of(release) == pytest.approx(success, rel=1e-12)
    gain = dl.AttributeInference(baseline=baseline).advantage.of(release)
    assert gain.low <= gain.high
    assert gain == pytest.approx(success - baseline, rel=1e-9)


def test_the_bound_is_reached():
    """Randomised response: the guess that the record is the answer given is right with probability e/(1 + e)."""
    release = dl.RandomizedResponse(epsilon=1.0, neighbours="replace")
    baseline = 1 / (1 + math.e)  # how often the same answer comes from the other record
    assert dl.AttributeInference(baseline=baseline).of(release) == pytest.approx(1 - baseline, rel=1e-12)


def test_limits_calibrate_noise():
    limit = dl.Reconstruction(baseline=0.01).at_most(0.05)
    fit = dl.calibrate(lambda sigma: dl.Gaussian(sigma=sigma), [limit])
    assert fit.achieved[0].high <= 0.05
    assert fit.achieved[0] == pytest.approx(0.05, rel=1e-6)


def test_a_release_that_reveals_nothing_leaves_the_baseline():
    nothing = dl.ApproximateDP(epsilon=0.0, delta=0.0)
    assert dl.Reconstruction(baseline=1 / 3).of(nothing) == 1 / 3
    assert dl.InferenceAdvantage(baseline=1 / 3).of(nothing) == 0


@pytest.mark.parametrize("baseline", [-0.1, 1.1, math.nan, "a", None])
def test_a_baseline_is_a_probability(baseline):
    with pytest.raises((ValueError, TypeError), match="baseline"):
        dl.Reconstruction(baseline=baseline)


def test_an_assessment_answers_it_and_is_read_back():
    asked = dl.Reconstruction(baseline=1e-6)
    assessment = dl.assess(dl.Gaussian(sigma=1.0), questions=[asked], limits=[asked.at_most(1e-3)])
    assert assessment.answer(asked).high == asked.of(dl.Gaussian(sigma=1.0)).high
    assert dl.Assessment.from_json(assessment.to_json()).answer(asked) == assessment.answer(asked)
