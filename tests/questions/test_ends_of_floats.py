"""Parameters at both ends of the floats: answers without a warning, ordered, and never nan."""

import math

import numpy as np
import pytest

import dplens as dl

RELEASES = [
    *(dl.DiscreteGaussian(sigma=sigma) for sigma in (5e-324, 1e307, 1.7e308)),
    *(dl.Geometric(scale=scale) for scale in (5e-324, 1.7e308)),
    *(kind(epsilon=e) for kind in (dl.RandomizedResponse, dl.Staircase, dl.Exponential) for e in (5e-324, 1e308)),
    dl.GaussianDP(mu=5e-324),
    dl.ZeroConcentratedDP(rho=1e-15),
]
QUESTIONS = [
    dl.Advantage(),
    dl.AUC(),
    dl.Accuracy(prior=1e-9),
    dl.MinFPR(fnr=0.1),
    dl.Delta(epsilon=1e-308),
    dl.Delta(epsilon=1e308),
    dl.RelativeRisk(),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("release", RELEASES, ids=repr)
def test_answers_at_the_ends_of_floats(release):
    for form in [release] if isinstance(release, dl.ZeroConcentratedDP) else [release, release.group(3)]:
        for question in QUESTIONS:
            found = question.of(form)
            assert found.low <= found <= found.high, (form, question)


def test_wide_discrete_noise_is_gaussian_noise():
    """P(N = k) differs from the normal density by a factor 1 + O(1/sigma²)."""
    wide, normal = dl.DiscreteGaussian(sigma=1e307), dl.Gaussian(sigma=1e307)
    for question in (dl.Advantage(), dl.Mu(), dl.Epsilon(delta=1e-310)):
        assert math.isclose(question.of(wide), question.of(normal), rel_tol=1e-12)


@pytest.mark.parametrize(("combine", "name"), [(dl.infimum, "pairs"), (dl.supremum, "guarantees")])
def test_what_cannot_be_combined_is_named_by_its_place(combine, name):
    with pytest.raises(TypeError, match=rf"Expected {name}\[1\] to be a mechanism or a trade-off curve, got 1\."):
        combine(dl.Gaussian(sigma=1.0), 1)


@pytest.mark.parametrize("mu", [0.003, 1.7, 39.0, 912.0])
def test_no_bracket_of_a_gaussian_is_wider_than_its_certificate(mu):
    curve = dl.Gaussian(sigma=0.7, sensitivity=0.7 * mu).tradeoff()
    alpha = np.geomspace(1e-300, 0.5, 60)
    far = np.array([mu * (mu / 2 + x) for x in np.linspace(0, 36, 40)])
    found = curve.power_bounds(alpha, 1 - alpha), curve.beta_bounds(1 - alpha, alpha), curve.profile_bounds(far)
    for low, high in found:
        seen = np.minimum(low, high) > 1e-300
        assert np.all(np.abs(high - low)[seen] <= curve.certificate.tolerance * (low + high)[seen])
