"""Curves as arrays and frames."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dplens as dl

CURVES = [
    dl.Gaussian(sigma=1.0),
    dl.Laplace(scale=1.0),
    dl.ApproximateDP(epsilon=1.0, delta=0.01),
    dl.Exponential(epsilon=2.0),
]


@pytest.mark.parametrize("mechanism", CURVES, ids=repr)
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12))
def test_a_safe_curve_lies_below_the_truth_whatever_the_points(mechanism, alpha):
    f = mechanism.tradeoff()
    found = dl.from_arrays(alpha, f(np.array(alpha))).tradeoff()
    at = np.linspace(0, 1, 201)
    assert (found(at) <= f(at) + 1e-9).all()


@pytest.mark.parametrize("mechanism", CURVES, ids=repr)
def test_many_points_give_the_curve(mechanism):
    f, alpha = mechanism.tradeoff(), np.concatenate([[0], np.geomspace(1e-9, 0.5, 2000), np.linspace(0.5, 1, 500)[1:]])
    safe, linear = dl.from_arrays(alpha, f(alpha)), dl.from_arrays(alpha, f(alpha), between="linear")
    at = np.linspace(0.001, 0.999, 97)
    assert np.abs(safe.tradeoff()(at) - f(at)).max() < 1e-4
    assert np.abs(linear.tradeoff()(at) - f(at)).max() < 1e-4
    assert "pessimistic" in safe.tradeoff().certificate.note
    assert "pessimistic" not in linear.tradeoff().certificate.note


def test_riskcal_arrays():
    from dp_accounting.pld import privacy_loss_distribution as pld
    from riskcal.analysis import get_beta_from_pld

    theirs = pld.from_gaussian_mechanism(1.0, value_discretization_interval=1e-3)
    alpha = np.linspace(0, 1, 400)
    beta = np.asarray(get_beta_from_pld(theirs, alpha))
    made = dl.from_arrays(alpha, beta).tradeoff()
    assert (made(alpha) <= beta + 1e-9).all()
    inner = slice(8, -8)  # next to 0 and 1 the first and last stretch leave much open
    assert np.abs(made(alpha) - beta)[inner].max() < 1e-3
    assert np.abs(made(alpha) - dl.Gaussian(sigma=1.0).tradeoff()(alpha))[inner].max() < 1e-3


def test_frames_in_both_forms():
    f = dl.Gaussian(sigma=1.0).tradeoff()
    epsilon = np.linspace(0, 8, 400)
    frame = pd.DataFrame({"Epsilon": epsilon, "delta": f.delta(epsilon)})
    made = dl.from_frame(frame, neighbours="replace")
    assert made.tradeoff().epsilon(1e-5) == pytest.approx(f.epsilon(1e-5), abs=1e-3)
    assert made.tradeoff().epsilon(1e-5) >= f.epsilon(1e-5)
    assert made.neighbours == "replace"
    alpha = np.linspace(0, 1, 500)
    pairs = dl.from_frame({"fpr": alpha, "fnr": f(alpha)})
    assert pairs.tradeoff()(0.3) == pytest.approx(f(0.3), abs=1e-4)
    with pytest.raises(dl.DplensError, match=r"columns \['x'\]"):
        dl.from_frame({"x": alpha})
    with pytest.raises(dl.DplensError, match="a table"):
        dl.from_frame(3)


def test_imported_guarantees_are_assessed_and_saved():
    f = dl.Gaussian(sigma=1.0).tradeoff()
    epsilon = np.linspace(0, 8, 50)
    for made in (
        dl.PrivacyProfile(epsilons=epsilon, deltas=f.delta(epsilon), origin="mine"),
        dl.from_arrays(np.linspace(0, 1, 50), f(np.linspace(0, 1, 50))),
    ):
        found = dl.assess(made)
        again = dl.Assessment.from_json(found.to_json())
        assert again.mechanism == made
        assert "guarantee_only" in found.warnings


def test_bad_input():
    bad = {
        "one value for each alpha": ([0.1], [0.1, 0.2]),
        "at most 1 - alpha": ([0.5], [0.6]),
        "falling and convex": ([0.1, 0.5, 0.9], [0.1, 0.4, 0.05]),
        "alpha in": ([1.5], [0.1]),
    }
    for said, (alpha, beta) in bad.items():
        with pytest.raises(dl.DplensError, match=said):
            dl.from_arrays(alpha, beta)
    with pytest.raises(dl.DplensError, match="between"):
        dl.from_arrays([0.1], [0.5], between="cubic")


def test_one_point_excludes_what_it_can():
    # the lines through (1, 0) and through (0, 1) and the point: f(0) >= 0.4, and 0 not before 0.625
    made = dl.from_arrays([0.5], [0.2])
    assert made.alphas == pytest.approx((0.0, 0.625, 1.0))
    assert made.betas == pytest.approx((0.4, 0.0, 0.0))


def test_a_number_that_is_missing_is_not_made_up():
    masked = np.ma.masked_array([0.4, 0.0, 0.01], mask=[False, True, False])
    with pytest.raises(dl.DplensError, match="a number in every row of delta"):
        dl.from_frame({"epsilon": [0.0, 1.0, 2.0], "delta": masked})
