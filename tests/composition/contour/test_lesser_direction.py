"""Both directions of sampled steps: the lesser one is not worked out where a rough bound settles it."""

import math

import pytest

import dplens as dl


@pytest.mark.parametrize(("sigma", "rate", "steps"), [(1.0, 0.1, 200), (3.0, 0.5, 20)])
def test_delta_is_the_larger_of_both_directions(sigma, rate, steps):
    release = dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps)
    for epsilon in (0.0, 0.3, 1.0):
        found = dl.Delta(epsilon=epsilon).of(release)
        single = [dl.Delta(epsilon=epsilon).of(release.tradeoff(direction=d)) for d in ("add", "remove")]
        assert found.low <= max(s.high for s in single)
        assert found.high >= max(s.low for s in single)
        assert found.high == pytest.approx(max(s.high for s in single), rel=1e-12)


def test_a_threshold_next_to_the_end_of_the_lesser_losses_needs_no_grid():
    release = dl.DPSGD(noise_multiplier=0.9, sample_rate=0.01, steps=100)
    end = -100 * math.log1p(-0.01)  # 1.005: no loss of the lesser direction is larger
    curve = release.tradeoff()
    assert 0 < curve.delta(0.995 * end) < 2e-5
    assert not any("fallback" in part._readings.__dict__ for part in curve.parts)
