"""The attack at its ends: false-positive rates 0 and 1, ends of supports, outputs far out."""

import math

import numpy as np
import pytest
import scipy.stats as st

import dplens as dl

FULL = {  # every output is possible in both worlds: nothing is proof
    "staircase": dl.Staircase(epsilon=1.0),
    "geometric": dl.Geometric(scale=1.0),
    "discrete gaussian": dl.DiscreteGaussian(sigma=2.0),
    "gaussian": dl.Gaussian(sigma=1.0),
    "laplace": dl.Laplace(scale=1.0),
    "t3": dl.AdditiveNoise(noise=st.t(3)),
    "gumbel": dl.AdditiveNoise(noise=st.gumbel_r()),
    "value above": dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5),
}
FAR = [-800.0, 0.0, 1.0, 2.0, 800.0]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", FULL)
def test_nobody_is_accused_at_rate_0_and_everybody_at_rate_1(name):
    outputs = [-5.0, 0.0, 1.0, 5.0] if name == "gumbel" else FAR
    assert not dl.Attack(FULL[name], fpr=0).decide(outputs).any()
    assert dl.Attack(FULL[name], fpr=1).decide(outputs).all()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["staircase", "geometric", "discrete gaussian", "gaussian", "laplace", "gumbel"])
def test_thresholds_at_the_ends(name):
    assert dl.Attack(FULL[name], fpr=0).threshold == math.inf
    assert dl.Attack(FULL[name], fpr=1).threshold == -math.inf


def test_an_output_that_proves_presence_is_accused_at_rate_0():
    assert dl.Attack(dl.AdditiveNoise(noise=st.truncnorm(-2, 2)), fpr=0).decide([0.0, 1.99, 2.5]).tolist() == [0, 0, 1]
    assert dl.Attack(dl.UniformSampling(mu=1.0, n=5), fpr=0).decide([0, 1, 2]).tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("mechanism", "least", "largest"),
    [
        (dl.DiscreteGaussian(sigma=2.0), 0.0, math.inf),
        (dl.Gaussian(sigma=1.0), 0.0, math.inf),
        (dl.Geometric(scale=1.0), math.exp(-1), math.e),
        (dl.Laplace(scale=1.0), math.exp(-1), math.e),
        (dl.AdditiveNoise(noise=st.gumbel_r()), 0.0, math.e),
        (dl.AdditiveNoise(noise=st.truncnorm(-2, 2)), 0.0, math.exp(1.5)),  # 2·x − 1 over 2 at x = 2
        (FULL["value above"], math.exp(-2), math.exp(2)),
        (dl.FinitePair(p=[0.2, 0.8, 0], q=[0.1, 0.7, 0.2]), 0.5, 0.875),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, (dl.ValueAbove, dl.Mechanism)) else None,
)
def test_likelihood_thresholds_at_the_ends(mechanism, least, largest):
    assert dl.Attack(mechanism, fpr=0).likelihood_threshold == pytest.approx(largest, rel=1e-11)
    assert dl.Attack(mechanism, fpr=1).likelihood_threshold == pytest.approx(least, rel=1e-11)


def test_likelihood_threshold_next_to_the_end_of_a_support():
    attack = dl.Attack(dl.AdditiveNoise(noise=st.truncnorm(-2, 2)), fpr=1e-300)
    assert attack.likelihood_threshold == pytest.approx(math.exp(1.5), rel=1e-11)


@pytest.mark.parametrize("read", ["decide", "rejection", "likelihood_ratio", "posterior"])
@pytest.mark.parametrize("name", FULL)
def test_infinite_outputs_are_refused_by_every_reading(name, read):
    for output in (math.inf, -math.inf, [0.0, math.inf]):
        with pytest.raises(dl.DplensError, match="output"):
            getattr(dl.Attack(FULL[name]), read)(output)


def test_infinite_vectors_are_refused():
    attack = dl.Attack(dl.Laplace(scale=1.0), values=([0.0, 0.0], [0.5, 0.5]))
    with pytest.raises(dl.DplensError, match="output"):
        attack.posterior([math.nan, 0.0])


def test_outputs_outside_both_supports_are_refused():
    attack = dl.Attack(dl.AdditiveNoise(noise=st.uniform(-2, 4)))
    for read in (attack.decide, attack.posterior):
        with pytest.raises(dl.DplensError, match="possible"):
            read(7.0)


@pytest.mark.filterwarnings("error")
def test_far_outputs_keep_their_digits():
    laplace, gaussian = dl.Attack(dl.Laplace(scale=1.0)), dl.Attack(dl.Gaussian(sigma=1.0))
    assert laplace.likelihood_ratio([1e20, -1e300]) == pytest.approx([math.e, math.exp(-1)], rel=1e-14)
    assert gaussian.posterior([1e200, -1e200]).tolist() == [1.0, 0.0]
    falling = dl.Attack(dl.ContinuousPair(p=st.laplace(0), q=st.laplace(-1.0)))
    assert falling.likelihood_ratio([1e20, -1e20]) == pytest.approx([math.exp(-1), math.e], rel=1e-14)


@pytest.mark.parametrize("rng", ["x", [], {}, 0, 5, np.random])
def test_what_is_no_generator_is_refused(rng):
    with pytest.raises(dl.DplensError, match="rng"):
        dl.Attack(dl.Laplace(scale=1.0)).decide(1.0, rng=rng)


def test_many_categories_need_three_kinds_of_outcome():
    attack = dl.Attack(dl.RandomizedResponse(epsilon=1.0, categories=10**12), fpr=1e-13)
    assert attack.likelihood_ratio([0, 1, 2, 10**12 - 1]) == pytest.approx([math.exp(-1), math.e, 1, 1])
    with pytest.raises(dl.DplensError, match="output"):
        attack.decide(10**12)
    # the truth with probability e/(e + 10¹² − 1): power e times alpha up to there
    assert attack.power == pytest.approx(1e-13 * math.e, rel=1e-12)


@pytest.mark.parametrize(
    "mechanism", [dl.Geometric(scale=1.3, sensitivity=3), dl.DiscreteGaussian(sigma=1.5, sensitivity=3)]
)
def test_whole_numbers_may_fall_from_one_world_to_the_other(mechanism):
    """The mirror image of the same question: an output x above 5 is one as far below 5."""
    outputs = np.arange(-9, 20)
    for fpr in (0.0, 0.03, 0.6, 1.0):
        rising = dl.Attack(mechanism, fpr=fpr, values=(5, 8))
        falling = dl.Attack(mechanism, fpr=fpr, values=(5, 2))
        assert np.array_equal(falling.rejection(10 - outputs), rising.rejection(outputs))
        assert np.array_equal(falling.likelihood_ratio(10 - outputs), rising.likelihood_ratio(outputs))
        assert falling.power == rising.power


UNOBSERVED = {
    "ApproximateDP is a guarantee": dl.ApproximateDP(epsilon=1.0, delta=1e-3),
    "fails_with": dl.Laplace(scale=1.0).fails_with(0.1),
    "repeat": dl.Laplace(scale=1.0).repeat(3),
    "subsample": dl.Laplace(scale=1.0).subsample(0.1),
    "group": dl.RandomizedResponse(epsilon=1.0).group(2),
}


@pytest.mark.parametrize(("words", "mechanism"), UNOBSERVED.items(), ids=UNOBSERVED)
def test_what_cannot_be_attacked_names_a_way_that_works(words, mechanism):
    with pytest.raises(dl.DplensError, match=words) as refused:
        dl.Attack(mechanism)
    assert "PrivacyLoss.of(m).h0.quantile(1 - fpr)" in str(refused.value)
    loss = dl.PrivacyLoss.of(mechanism).h0
    assert loss.cdf(loss.quantile(1 - 0.05)) >= 1 - 0.05 - 1e-6
