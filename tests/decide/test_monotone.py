"""Families that rise and fall are seen, wherever the search went."""

import math

import pytest

import dplens as dl

RISES_AND_FALLS = {
    "noise least at 1": lambda s: dl.Gaussian(sigma=abs(s - 1) + 0.1),
    "noise least at 3": lambda s: dl.Gaussian(sigma=abs(s - 3) + 0.1),
    "noise most at 1": lambda s: dl.Gaussian(sigma=s if s < 1 else 1 / s),
    "risk most at 1": lambda x: dl.GaussianDP(mu=x * (2 - x)),
    "risk least at 1": lambda x: dl.GaussianDP(mu=abs(math.log(x)) + 0.01),
    "waves": lambda x: dl.GaussianDP(mu=1.5 + math.sin(x)),
}


@pytest.mark.parametrize("name", RISES_AND_FALLS)
@pytest.mark.parametrize("bracket", [None, (0.01, 20.0)])
@pytest.mark.parametrize("bound", [0.05, 0.1, 0.3])
def test_families_that_rise_and_fall_are_seen(name, bracket, bound):
    with pytest.raises(dl.FamilyError, match=r"not monotone.*parameter \d"):
        dl.calibrate(RISES_AND_FALLS[name], meet=[dl.Advantage().at_most(bound)], bracket=bracket)


def test_mistakes_far_from_the_answer_do_not_matter():
    def family(x):
        assert 0.5 < x < 10
        return dl.Gaussian(sigma=x)

    fit = dl.calibrate(family, meet=[dl.Advantage().at_most(0.1)])
    assert fit.value * 0.2513226938 == pytest.approx(1, rel=1e-8)


def test_looking_around_asks_no_composition():
    fit = dl.calibrate(lambda s: dl.Laplace(scale=s).repeat(30), meet=[dl.Advantage().at_most(0.3)])
    assert fit.evaluations <= 8
