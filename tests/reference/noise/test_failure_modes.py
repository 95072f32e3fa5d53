"""How each mechanism fails when it fails (Fondeville, Table 1)."""

import pytest
from scipy import stats

import dplens as dl

NONE, GRACEFUL, CATASTROPHIC = (getattr(dl.FailureMode, n) for n in ("NONE", "GRACEFUL", "CATASTROPHIC"))


def noise(law):
    return dl.AdditiveNoise(noise=law, sensitivity=0.5)


MODES = [
    (dl.Gaussian(sigma=1.0, sensitivity=1.0), GRACEFUL),
    (dl.GaussianDP(mu=0.1), GRACEFUL),
    (dl.DiscreteGaussian(sigma=2.0, sensitivity=1), GRACEFUL),
    (dl.Laplace(scale=1.0, sensitivity=1.0), NONE),
    (dl.Geometric(scale=1.0, sensitivity=1), NONE),
    (dl.Staircase(epsilon=1.0, sensitivity=1.0), NONE),
    (dl.RandomizedResponse(epsilon=1.0, categories=5), NONE),
    (dl.Exponential(epsilon=1.0), NONE),
    (dl.ApproximateDP(epsilon=1.0, delta=0.0), NONE),
    (dl.ApproximateDP(epsilon=1.0, delta=1e-300), CATASTROPHIC),
    (dl.ZeroConcentratedDP(rho=0.5), GRACEFUL),
    (dl.RenyiDP(orders=[2.0, 8.0], epsilons=[0.1, 0.5]), GRACEFUL),
    (dl.UniformSampling(mu=1.0, n=5), CATASTROPHIC),
    (dl.UniformSampling(mu=1e-4, n=1000, neighbours="replace"), CATASTROPHIC),
    (dl.FinitePair(p=[0.5, 0.5], q=[0.25, 0.75]), NONE),
    (dl.FinitePair(p=[0.5, 0.5, 0.0], q=[0.5, 0.25, 0.25]), CATASTROPHIC),
    (dl.FinitePair(p=[0.5, 0.25, 0.25], q=[0.5, 0.5, 0.0]), CATASTROPHIC),
    (dl.Laplace(scale=1.0, sensitivity=1.0).group(3), NONE),
    (dl.Gaussian(sigma=1.0, sensitivity=1.0).group(3), GRACEFUL),
    (dl.Laplace(scale=1.0, sensitivity=1.0).fails_with(1e-12), CATASTROPHIC),
    (noise(stats.cauchy()), NONE),
    (noise(stats.t(3)), NONE),
    (noise(stats.logistic()), NONE),
    (noise(stats.gennorm(1.5)), GRACEFUL),
    (noise(stats.uniform(-0.5, 1.0)), CATASTROPHIC),
    (noise(stats.truncnorm(-2.0, 2.0)), CATASTROPHIC),
    (noise(stats.truncnorm(-6.0, 6.0)), CATASTROPHIC),
]


@pytest.mark.parametrize(("mechanism", "mode"), MODES, ids=lambda x: type(x).__name__)
def test_failure_mode(mechanism, mode):
    assert dl.failure_mode(mechanism) is mode


@pytest.mark.parametrize(
    "pair",
    [
        dl.ContinuousPair(p=stats.norm(0.0, 1.0), q=stats.norm(1.0, 2.0)),
        dl.AdditiveNoise(noise=stats.gumbel_r(), sensitivity=1.0),
    ],
    ids=lambda x: type(x).__name__,
)
def test_a_doubtful_case_is_not_guessed(pair):
    """Both are graceful; to say that it cannot be told is honest, anything else is wrong."""
    assert dl.failure_mode(pair) in {GRACEFUL, dl.FailureMode.UNDETERMINED}


def test_catastrophic_with_an_auc_near_one_half():
    """Fondeville, Section 2.2: AUC alone would call it harmless."""
    sampling = dl.UniformSampling(mu=1.0, n=1000)
    assert 0.5 < dl.AUC().of(sampling) < 0.51
    assert dl.failure_mode(sampling) is CATASTROPHIC
    assert dl.MaxPosterior(prior=0.01).of(sampling) == 1
