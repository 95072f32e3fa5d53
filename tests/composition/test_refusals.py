"""Settings that nobody runs are refused, each with a remedy."""

import pytest

import dplens as dl
from dplens.errors import InvalidValue


@pytest.mark.parametrize(
    "noise", [dl.Gaussian(sigma=0.04), dl.Gaussian(sigma=1e-300), dl.Laplace(scale=1e-3)], ids=repr
)
def test_samples_with_next_to_no_noise(noise):
    step = noise.subsample(0.1)
    for release in (step, step.repeat(10), dl.compose(step, dl.Gaussian(sigma=1.0))):
        with pytest.raises(dl.DplensError, match=r"So little noise .* ApproximateDP\(epsilon=0, delta=rate\)"):
            dl.Advantage().of(release)


def test_the_remedy_for_little_noise_is_no_less_risky():
    """Just above the limit the step is still known, and its stand-in is as risky."""
    step = dl.Gaussian(sigma=0.046).subsample(0.1)
    stand_in = dl.ApproximateDP(epsilon=0.0, delta=0.1)
    for times in (1, 10):
        known, bound = (dl.Advantage().of(m.repeat(times)) for m in (step, stand_in))
        assert known.low <= bound.high
        assert bound.high == pytest.approx(1 - 0.9**times, rel=1e-9)


@pytest.mark.parametrize("step", [dl.Laplace(scale=1.0), dl.Gaussian(sigma=1e9), dl.Geometric(scale=2.0)], ids=repr)
def test_more_than_a_million_billion_releases(step):
    for make in (lambda: step.repeat(10**16), lambda: step.repeat(10**10).repeat(10**10)):
        with pytest.raises(InvalidValue, match=r"at most 1e\+15 releases in all.*sigma/sqrt\(n\)"):
            make()
    with pytest.raises(InvalidValue, match="Expected steps to make at most"):
        dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=10**16)
    assert dl.Advantage().of(dl.Gaussian(sigma=1e9).repeat(10**15)).high <= 1


def test_a_gaussian_release_without_noise_beside_another():
    with pytest.raises(dl.DplensError, match="almost no noise reveals everything"):
        dl.Advantage().of(dl.compose(dl.Gaussian(sigma=1e-160), dl.Laplace(scale=1.0)))


@pytest.mark.parametrize(
    ("release", "size"),
    [
        (dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=100), 17),
        (dl.Gaussian(sigma=1.0).subsample(0.01), 10**9),
        (dl.ZeroConcentratedDP(rho=0.01), 10**160),
    ],
    ids=["training", "sampled Gaussian", "zCDP"],
)
def test_groups_too_large_to_be_walked(release, size):
    with pytest.raises(InvalidValue, match=r"Expected size .*GaussianDP"):
        dl.Advantage().of(release.group(size))
    assert dl.Advantage().of(release.group(2)).high <= 1


def test_the_remedy_for_large_groups_is_no_less_risky():
    release = dl.DPSGD(noise_multiplier=4.0, sample_rate=0.01, steps=100)
    bound = dl.GaussianDP(mu=dl.Mu().of(release).high)
    for size in (2, 5):
        assert dl.Advantage().of(release.group(size)).low <= dl.Advantage().of(bound.group(size)).high


def test_samples_too_rare_to_be_told_from_none():
    for release in (
        dl.DPSGD(noise_multiplier=1.0, sample_rate=3e-155, steps=100),
        dl.compose(dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=1.0).subsample(1e-30)),
    ):
        with pytest.raises(dl.DplensError, match=r"rates below 1e-15 .* ApproximateDP\(epsilon=0, delta=rate\)"):
            dl.AttackPower(fpr=0.01).of(release)
    found = dl.Advantage().of(dl.Laplace(scale=1.0).subsample(1e-30).repeat(100))
    assert 0 <= found.low <= found.high < 1e-15
    assert dl.AUC().of(dl.Laplace(scale=1.0).subsample(1e-30).repeat(100)).high < 0.5 + 1e-11
