"""OpenDP's measurements and profiles."""

import math

import numpy as np
import opendp.prelude as dp
import pytest

import dplens as dl

dp.enable_features("contrib", "idealized-numerics", "honest-but-curious")
SCALAR = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def test_pure_measurements():
    made = dl.from_opendp(dp.m.make_laplace(*SCALAR, scale=2.0), d_in=1.0)
    assert isinstance(made, dl.ApproximateDP)
    assert made.epsilon == pytest.approx(0.5)
    assert made.neighbours == "add_remove"
    answer = dl.from_opendp(dp.m.make_randomized_response_bool(prob=0.75))
    assert answer.epsilon == pytest.approx(math.log(3))
    assert answer.neighbours == "replace"


def test_a_pipeline_on_a_data_set_carries_its_neighbours():
    space = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0), nan=False)), dp.symmetric_distance()
    made = dl.from_opendp(space >> dp.t.then_sum() >> dp.m.then_gaussian(scale=2.0))
    assert isinstance(made, dl.ZeroConcentratedDP)
    assert made.rho == pytest.approx(0.125, rel=1e-6)
    assert made.neighbours == "add_remove"
    swapped = dl.from_opendp(
        dp.c.make_approximate(dp.m.make_laplace(*SCALAR, scale=2.0)), d_in=1.0, neighbours="replace"
    )
    assert swapped.neighbours == "replace"


def _sum(size=None):
    return (
        (dp.vector_domain(dp.atom_domain(bounds=(0, 10)), size=size), dp.symmetric_distance())
        >> dp.t.then_sum()
        >> dp.m.then_laplace(scale=10.0)
    )


def test_a_replaced_record_is_one_removed_and_one_added():
    made = dl.from_opendp(_sum(), neighbours="replace")
    assert (made.epsilon, made.neighbours) == (2.0, "replace")
    with pytest.raises(dl.errors.InvalidValue, match="d_in >= 2 where records are replaced, got 1"):
        dl.from_opendp(_sum(), 1, neighbours="replace")
    with pytest.raises(dl.errors.InvalidValue, match="to be 'replace', as the input metric"):
        dl.from_opendp(dp.m.make_randomized_response_bool(prob=0.75), neighbours="add_remove")


def test_data_of_a_known_size_have_no_neighbours_one_record_apart():
    # at distance 1 the map says 0, since no two such data sets exist; that is no guarantee
    made = dl.from_opendp(_sum(size=100))
    assert (made.epsilon, made.neighbours) == (1.0, "replace")
    for given in ({"d_in": 1}, {"neighbours": "add_remove"}):
        with pytest.raises(dl.errors.InvalidValue):
            dl.from_opendp(_sum(size=100), **given)


def test_approximate_kinds():
    gaussian = dp.m.make_gaussian(*SCALAR, scale=2.0)
    profile = dp.c.make_zCDP_to_approxDP(gaussian)
    fixed = dl.from_opendp(dp.c.make_fix_delta(profile, 1e-5), d_in=1.0)
    assert fixed.delta == 1e-5
    assert fixed.epsilon == pytest.approx(profile.map(1.0).epsilon(1e-5))
    moments = dl.from_opendp(dp.c.make_approximate(gaussian), d_in=1.0)
    assert moments.rho == pytest.approx(0.125)


def test_profiles_have_the_epsilon_of_the_library():
    measurement = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*SCALAR, scale=2.0))
    theirs = measurement.map(1.0)
    for made in (dl.from_opendp(measurement, d_in=1.0), dl.from_opendp(theirs)):
        for delta in (1e-3, 1e-5, 1e-8):
            ours = made.tradeoff().epsilon(delta)
            assert theirs.epsilon(delta) - 1e-9 <= ours <= theirs.epsilon(delta) + 1e-3
        assert "pessimistic bound" in made.tradeoff().certificate.note
    # the guarantee is weaker than the mechanism behind it: OpenDP proves zCDP, of which the profile is made
    assert dl.from_opendp(theirs).tradeoff().epsilon(1e-5) > dl.Gaussian(sigma=2.0).tradeoff().epsilon(1e-5)


def test_a_profile_of_ones_own():
    theirs = dp.new_privacy_profile(lambda epsilon: max(0.0, 0.3 * math.exp(-epsilon) - 0.01))
    made = dl.from_opendp(theirs, neighbours="replace")
    assert made.neighbours == "replace"
    assert made.tradeoff().delta(0.0) == pytest.approx(0.29)
    assert made.tradeoff().delta(1.0) == pytest.approx(0.3 / math.e - 0.01, rel=1e-4)


def test_bad_input():
    with pytest.raises(dl.DplensError, match="OpenDP measurement"):
        dl.from_opendp(np.ones(3))
    with pytest.raises(dl.DplensError, match=r"d_in.*AbsoluteDistance"):
        dl.from_opendp(dp.m.make_laplace(*SCALAR, scale=2.0), d_in="far")
    with pytest.raises(dl.DplensError, match="neighbours"):
        dl.from_opendp(dp.m.make_laplace(*SCALAR, scale=2.0), d_in=1.0, neighbours="x")
    with pytest.raises(dl.DplensError, match="sensitivity"):  # 1 would be a guess
        dl.from_opendp(dp.m.make_laplace(*SCALAR, scale=2.0))


def _context(**loss):
    return dp.Context.compositor(
        data=[1.0] * 10,
        privacy_unit=dp.unit_of(contributions=3),
        privacy_loss=dp.loss_of(**loss),
        split_evenly_over=2,
        domain=dp.vector_domain(dp.atom_domain(T=float, nan=False)),
    )


def test_queries_and_contexts_know_their_privacy_unit():
    context = _context(epsilon=1.0)
    query = context.query().clamp((0.0, 1.0)).sum().laplace()
    # a person has three records: at distance 1 the map says a third of what it costs that person
    assert dl.from_opendp(query) == dl.ApproximateDP(epsilon=0.5)
    assert dl.from_opendp(query, 1).epsilon == pytest.approx(0.5 / 3, rel=1e-6)
    assert dl.from_opendp(query, neighbours="replace").epsilon == pytest.approx(1.0, rel=1e-6)  # three out, three in
    assert dl.from_opendp(context) == dl.ApproximateDP(epsilon=1.0)
    assert dl.from_opendp(_context(epsilon=1.0, delta=1e-7)) == dl.ApproximateDP(epsilon=1.0, delta=1e-7)
    with pytest.raises(dl.errors.InvalidValue, match="not yet a measurement"):
        dl.from_opendp(context.query().clamp((0.0, 1.0)))


def test_renyi_curves():
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    own = dp.m.make_user_measurement(
        *space, dp.renyi_divergence(), lambda x: 0, lambda d: lambda order: order * d * 0.125
    )
    made = dl.from_opendp(own).tradeoff()
    whole = dl.ZeroConcentratedDP(rho=0.125).tradeoff()  # the same at every order, of which some were asked
    for delta in (1e-3, 1e-6):
        assert whole.epsilon(delta) - 1e-9 <= made.epsilon(delta) <= 1.001 * whole.epsilon(delta)
