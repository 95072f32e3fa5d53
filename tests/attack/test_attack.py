"""The attacker's test as an object: thresholds, coins, posteriors, misinformed attackers, deniability."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr, ndtri

import dplens as dl


def test_gaussian_threshold_and_likelihood_threshold():
    t = dl.Attack(dl.Gaussian(sigma=2.0, sensitivity=3.0), fpr=0.01)
    theta = -2 * ndtri(0.01)
    assert t.threshold == pytest.approx(theta, rel=1e-14)
    assert t.likelihood_threshold == pytest.approx(math.exp((3 * theta - 4.5) / 4), rel=1e-13)


@pytest.mark.parametrize(
    ("alpha", "expected"),
    [(0.01, math.e), (0.3, math.exp(-1) / 0.36), (0.6, math.exp(-1))],  # clipped, middle, above one half
)
def test_plausible_deniability_of_laplace(alpha, expected):
    assert dl.Attack(dl.Laplace(scale=1.0), fpr=alpha).likelihood_threshold == pytest.approx(expected, rel=1e-13)


def test_true_values_move_the_threshold_and_weaken_the_test():
    far = dl.Attack(dl.Laplace(scale=1.0), fpr=0.05, values=(10.0, 11.0))
    near = dl.Attack(dl.Laplace(scale=1.0), fpr=0.05, values=(10.0, 10.5))
    assert far.threshold == pytest.approx(10 + math.log(10))
    assert near.power < far.power
    falling = dl.Attack(dl.Laplace(scale=1.0), fpr=0.05, values=(10.0, 9.0))
    assert falling.power == far.power
    assert falling.decide([5.0, 15.0]).tolist() == [True, False]


@pytest.mark.parametrize("fpr", [0.05, 0.7])
def test_where_the_value_falls_the_threshold_is_an_output_and_accusations_lie_below_it(fpr):
    t = dl.Attack(dl.Gaussian(sigma=1.0), fpr=fpr, values=(1.0, 0.5))
    assert t.threshold == pytest.approx(stats.norm.ppf(fpr, loc=1.0), rel=1e-14)
    assert (t.decides_above, dl.Attack(dl.Gaussian(sigma=1.0)).decides_above) == (False, True)
    assert t.decide([t.threshold - 0.1, t.threshold + 0.1]).tolist() == [True, False]
    k = np.arange(-400, 400)
    t = dl.Attack(dl.Geometric(scale=1.0, sensitivity=3), fpr=fpr, values=(5, 3))
    mass, chance = stats.dlaplace.pmf(k - 5, 1.0), t.rejection(k)
    assert ((chance == 1) == (k < t.threshold)).all()
    assert ((chance == 0) == (k > t.threshold)).all()
    assert mass @ chance == pytest.approx(fpr, rel=1e-12)
    assert stats.dlaplace.pmf(k - 3, 1.0) @ chance == pytest.approx(t.power, rel=1e-12)


def test_a_correlated_target_that_lowers_the_output_has_a_threshold_too():
    data = dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 1.0]], width=1.0)
    view = data.view(dl.Gaussian(sigma=1.0), target=0, known={1: 0.0}, pair=(0.5, -0.5))
    t = dl.Attack(view, fpr=0.1)
    assert not t.decides_above
    assert t.decide([t.threshold - 1e-9, t.threshold + 1e-9]).tolist() == [True, False]


def test_vector_outputs_of_gaussian_noise():
    v0, v1 = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.6, 3.8])
    t = dl.Attack(dl.Gaussian(sigma=0.7), fpr=0.05, prior=0.3, values=(v0, v1))
    x = np.array([[1.2, 2.2, 3.9], [0.0, 1.0, 2.0]])
    ratio = np.exp((np.sum((x - v0) ** 2, axis=1) - np.sum((x - v1) ** 2, axis=1)) / (2 * 0.49))
    assert t.likelihood_ratio(x) == pytest.approx(ratio, rel=1e-12)
    assert t.posterior(x) == pytest.approx(0.3 * ratio / (0.7 + 0.3 * ratio), rel=1e-12)
    assert t.power == pytest.approx(float(ndtr(ndtri(0.05) + 1 / 0.7)), rel=1e-12)


def test_vector_outputs_of_laplace_noise():
    one = dl.Attack(dl.Laplace(scale=1.0), fpr=0.05, values=([1.0, 2.0], [1.0, 3.0]))
    assert one.power == pytest.approx(dl.Attack(dl.Laplace(scale=1.0), fpr=0.05).power)
    both = dl.Attack(dl.Laplace(scale=1.0), fpr=0.05, values=([1.0, 2.0], [1.5, 2.5]))
    assert both.likelihood_ratio([1.0, 2.0]) == pytest.approx(math.exp(-1))
    many = [np.zeros(60), np.arange(60) / 1800]
    with pytest.raises(dl.DplensError, match="different amounts"):
        dl.Attack(dl.Laplace(scale=1.0), values=many).decide(np.zeros(60))


@pytest.mark.parametrize(
    "values", [(1.0, 3.5), (1.0, 1.0), (1.0,), ([1, 2], [1, 2, 3]), "ab", ([1.0, math.nan], [1, 2])]
)
def test_impossible_true_values_are_refused(values):
    with pytest.raises(dl.DplensError, match="values"):
        dl.Attack(dl.Gaussian(sigma=1.0), fpr=0.05, values=values)


def test_the_coin_is_thrown_only_at_the_atom():
    t = dl.Attack(dl.RandomizedResponse(epsilon=1.0, categories=3), fpr=0.1)
    chance = t.rejection([0, 1, 2])
    truth = math.e / (math.e + 2)
    assert chance == pytest.approx([0, 0.1 / (truth / math.e), 0])
    rng = np.random.default_rng(0)
    assert abs(np.mean([t.decide(1, rng=rng) for _ in range(4000)]) - chance[1]) < 0.03


def test_guarantees_have_no_outputs():
    with pytest.raises(dl.DplensError, match="guarantee"):
        dl.Attack(dl.ApproximateDP(epsilon=1.0), fpr=0.1)


def test_no_output_threshold_where_the_ratio_is_not_monotone():
    import scipy.stats as st

    t = dl.Attack(dl.AdditiveNoise(noise=st.cauchy()), fpr=0.1)
    with pytest.raises(dl.DplensError, match="monotone"):
        _ = t.threshold
    assert t.likelihood_threshold > 1


@pytest.mark.parametrize("output", ["x", None, math.nan, [1, "a"]])
def test_bad_outputs_are_refused(output):
    with pytest.raises(dl.DplensError, match="output"):
        dl.Attack(dl.Gaussian(sigma=1.0), fpr=0.1).decide(output)


@pytest.mark.parametrize("output", [3, -1, 0.5])
def test_outcomes_that_do_not_exist_are_refused(output):
    with pytest.raises(dl.DplensError, match="output"):
        dl.Attack(dl.FinitePair(p=[0.2, 0.3, 0.5], q=[0.6, 0.3, 0.1]), fpr=0.1).posterior(output)


def test_a_misinformed_attacker_does_worse_than_an_informed_one():
    m = dl.Gaussian(sigma=1.0)
    misled = dl.Attack.bayes(m, prior=0.05)
    informed = dl.Attack.bayes(m, prior=0.5)
    assert informed.accuracy() == pytest.approx(dl.Accuracy(prior=0.5).of(m), rel=1e-12)
    assert misled.accuracy(prior=0.5) < informed.accuracy() - 0.1
    # by hand: the threshold on the ratio is 19, so the output must exceed log(19) + 1/2
    cut = math.log(19) + 0.5
    assert misled.accuracy(prior=0.5) == pytest.approx(0.5 * ndtr(cut) + 0.5 * ndtr(1 - cut), rel=1e-12)
    assert misled.precision(prior=0.5) == pytest.approx(ndtr(1 - cut) / (ndtr(1 - cut) + ndtr(-cut)), rel=1e-12)


def test_deniability_counts_records_within_a_factor_of_each_other():
    m = dl.Laplace(scale=1.0)
    candidates = [0.0, 0.5, 1.0, 1.5, 4.0]
    # likelihoods e^0, e^-0.5, e^-1, e^-1.5, e^-4 at output 0
    assert dl.deniability(m, output=0.0, candidates=candidates, gamma=math.exp(1.0)) == 3
    assert dl.deniability(m, output=0.0, candidates=candidates, gamma=math.exp(1.5)) == 4
    assert dl.deniability(m, output=0.0, candidates=candidates, gamma=math.exp(1.0), true=4) == 1
    assert dl.deniability(m, output=0.0, candidates=candidates, gamma=math.exp(4.0), true=4) == 5
    with pytest.raises(dl.DplensError, match="gamma"):
        dl.deniability(m, output=0.0, candidates=candidates, gamma=0.5)
    with pytest.raises(dl.DplensError, match="candidates"):
        dl.deniability(m, output=0.0, candidates=[], gamma=2)


def test_value_above_needs_values_on_both_sides():
    for bad in ({"values": [0, 1], "gamma": 2}, {"values": [0], "gamma": 0}, {"values": [0, 1], "gamma": math.nan}):
        with pytest.raises(dl.DplensError, match=r"gamma|values"):
            dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), **bad)
    with pytest.raises(dl.DplensError, match="weights"):
        dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1], weights=[0.2, 0.3, 0.5], gamma=0.5)
    h = dl.ValueAbove(mechanism=dl.Gaussian(sigma=1.0), values=[0, 1], weights=[0.75, 0.25], gamma=0.5)
    assert h.prior == 0.25
    assert dl.Advantage().of(h) == pytest.approx(2 * ndtr(0.5) - 1, rel=1e-6)


def test_attacks_on_equal_values_are_equal():
    m, start, end = dl.Gaussian(sigma=1.0), np.zeros(2), np.array([0.6, 0.8])
    t = dl.Attack(m, values=(start, end))
    assert t == dl.Attack(m, values=([0, 0], [0.6, 0.8]))
    assert hash(t) == hash(dl.Attack(m, values=([0, 0], [0.6, 0.8])))
    assert t != dl.Attack(m, values=([0, 0], [0.8, 0.6]))
    spread = dl.Attack(dl.Laplace(scale=1.0, sensitivity=2.0), values=(start, end))
    before = spread.likelihood_ratio([1.0, 1.0])
    end[:] = 0.0  # what the caller does with his arrays later is his affair
    assert spread.likelihood_ratio([1.0, 1.0]) == before


@pytest.mark.parametrize(
    "m", [dl.Gaussian(sigma=2.0), dl.Geometric(scale=2.0), dl.AdditiveNoise(noise=stats.logistic(scale=2.0))]
)
def test_groups_of_groups_are_attacked_as_one(m):
    assert dl.Attack(m.group(2).group(3)).power == pytest.approx(m.group(6).tradeoff().power(0.05), rel=1e-12)
