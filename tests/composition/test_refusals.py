"""Settings that nobody runs are refused, each with a remedy."""

import pytest

import dplens as dl


@pytest.mark.parametrize("noise", [dl.Gaussian(sigma=0.04), dl.Gaussian(sigma=1e-300), dl.Laplace(scale=1e-3)], ids=repr)
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
