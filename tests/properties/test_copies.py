"""Copies and pickles of mechanisms that hold distributions: the same release, not only something that loads."""

import copy
import pickle

import numpy as np
import pytest
from scipy import stats

import dplens as dl

RATES = np.array([1e-6, 0.1]), np.array([1 - 1e-6, 0.9])


class TwoSided(stats.rv_continuous):
    """A user's own law, by its density alone."""

    def _pdf(self, x):
        return np.exp(-np.abs(x)) / 2


def histogram():
    return stats.rv_histogram((np.array([1.0, 5.0, 2.0, 0.0, 3.0]), np.arange(6.0)))()


def two_normals():
    parts = [stats.Normal(mu=0.0, sigma=0.5), stats.Normal(mu=3.0, sigma=0.25)]
    return stats.Mixture(parts, weights=[0.5, 0.5])


MAKERS = {
    "normal of the second generation": lambda: dl.AdditiveNoise(noise=stats.Normal(mu=0.0, sigma=0.25)),
    "mixture": lambda: dl.ContinuousPair(p=stats.Normal(mu=0.0, sigma=2.0), q=two_normals()),
    "by density": lambda: dl.AdditiveNoise(noise=stats.skewnorm(2.0)),
    "own": lambda: dl.ContinuousPair(p=TwoSided(name="two-sided")(), q=TwoSided(name="two-sided")(loc=1.0)),
    "histogram": lambda: dl.ContinuousPair(p=histogram(), q=stats.uniform(0.0, 5.0)),
}


def pickled(thing):
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("name", MAKERS)
def test_a_copy_is_the_same_release(name):
    m = MAKERS[name]()
    attack = dl.Attack(m, fpr=0.05)
    again = [pickled(m), copy.copy(m), copy.deepcopy(m)]
    power = attack.power
    again += [pickled(m), pickled(attack).mechanism, pickled(copy.deepcopy(pickled(attack))).mechanism]
    for other in again:
        assert other == m
        assert hash(other) == hash(m)
        assert repr(other) == repr(m)
    assert again[-1].tradeoff("add").power(0.05) == power
    assert pickled(m.tradeoff("add")).power(0.05) == power


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_made_alike_is_equal_and_hashes_stay(name):
    m = MAKERS[name]()
    before = hash(m)
    np.random.rand()  # noqa: NPY002 (the state that scipy's laws share)
    m.tradeoff("add").power(0.05)
    assert hash(m) == before == hash(MAKERS[name]())
    assert m == MAKERS[name]()
    assert m != dl.AdditiveNoise(noise=stats.norm())
    assert "object at" not in repr(m)


def test_a_mirror_image_stays_one():
    noise = dl.AdditiveNoise(noise=stats.gumbel_r())
    curve = noise.tradeoff("remove")
    copies = [pickled(curve), copy.copy(curve), copy.deepcopy(curve), noise.tradeoff("remove", tolerance=0.01)]
    for other in copies:
        assert other.inverse().inverse() is other
        assert other.group(2).power(RATES[0]) == pytest.approx(curve.group(2).power(RATES[0]), rel=1e-12)
    with pytest.raises(dl.ToleranceNotMet):
        noise.tradeoff("remove", tolerance=1e-12).group(2).power(RATES[0])


TABLE = dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]])
CHAIN = dl.MarkovData(initial=[0.5, 0.2, 0.3], transition=[[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.1, 0.1, 0.8]], length=4)


@pytest.mark.parametrize("data", [TABLE, CHAIN], ids=["table", "chain"])
@pytest.mark.parametrize("noise", [dl.Laplace(scale=1.0), dl.Gaussian(sigma=1.0), dl.Geometric(scale=1.0)])
@pytest.mark.parametrize("known", [None, [1]])
def test_a_used_view_answers_alike_after_a_journey(data, noise, known):
    view = data.view(noise, target=0, known=known)
    before = dl.AUC().of(view)
    for again in (pickled(view), copy.deepcopy(view), pickled(pickled(view))):
        found = dl.AUC().of(again)
        assert (float(found), found.low, found.high) == (float(before), before.low, before.high)


def test_parts_that_mirror_each_other_still_do_after_a_journey():
    hull = dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=100).tradeoff()
    for again in (hull, pickled(hull), copy.copy(hull), copy.deepcopy(hull)):
        first, second = again.parts
        assert first.inverse() is second
        assert second.inverse() is first
        assert again.inverse() is again


def test_curves_between_two_answer_alike_after_a_journey():
    curve = TABLE.view(dl.Laplace(scale=1.0), target=0).tradeoff()
    for again in (pickled(curve), copy.copy(curve), copy.deepcopy(curve)):
        assert again.inverse() is again
        for ask in (lambda c: c.power_bounds(*RATES), lambda c: c.epsilon_bounds(RATES[0])):
            assert [list(end) for end in ask(again)] == [list(end) for end in ask(curve)]
