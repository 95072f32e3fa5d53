"""What every trade-off curve must be and do, whatever it comes from."""

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dplens as dl
from tests.contracts.catalogue import (
    ALPHAS,
    DELTAS,
    EPSILONS,
    FAMILIES,
    FINITE_PAIR,
    MECHANISMS,
    at_most,
    close,
    contract,
    curve_of,
    laborious_contract,
    law,
    mechanism_contract,
    slack,
    thinned,
)

MIDDLE = np.array([1e-6, 1e-3, 0.05, 0.3, 0.5, 0.8, 0.99])  # where numbers are compared absolutely
SOME_EPSILONS = np.array([0.0, 1e-3, 0.3, 1.0, 4.0, 30.0])
TINY = 1e-300  # below it numbers are only asked to be small

every_family = pytest.mark.parametrize("family", FAMILIES, ids=str)
every_mechanism = pytest.mark.parametrize("family", MECHANISMS, ids=str)


def no_riskier(mild, risky, alphas=ALPHAS, epsilons=SOME_EPSILONS, floor=TINY):
    """The curve ``mild`` nowhere lies below ``risky``, read as beta, as power and as delta."""
    error = slack(mild, risky)
    at_most(risky(alphas), mild(alphas) * (1 + error) + floor, alphas)
    at_most(mild.power(alphas) * (1 - error), risky.power(alphas) + floor, alphas)
    at_most(mild.delta(epsilons) * (1 - 100 * error), risky.delta(epsilons) + floor, epsilons)


def mass_rounding(f):
    """What deltas of finite pairs may be off by: masses given as floats add up to 1 only nearly, and losses round."""
    if not getattr(f, "total_rounding", 0.0):
        return 0.0
    return 20 * (f.total_rounding + f.loss_rounding * max(1.0, np.max(f.loss[np.isfinite(f.loss)], initial=0.0)))


def same(first, second, alphas=ALPHAS):
    error = slack(first, second)
    close(first(alphas), second(alphas), error, TINY, alphas)
    close(first.power(alphas), second.power(alphas), error, TINY, alphas)


def is_convex(f):
    """Beta lies below its chords and power above them, relatively to each."""
    a, b, c = ALPHAS[:-2], ALPHAS[1:-1], ALPHAS[2:]
    left, right = (c - b) / (c - a), (b - a) / (c - a)
    beta, power = f(ALPHAS), f.power(ALPHAS)
    at_most(beta[1:-1], (left * beta[:-2] + right * beta[2:]) * (1 + 2 * slack(f)) + TINY, b)
    at_most((left * power[:-2] + right * power[2:]) * (1 - 2 * slack(f)), power[1:-1], b)


# ---- shape ---------------------------------------------------------------------------------------------


@contract
def test_values_lie_between_certainty_and_guessing(subject):
    f = curve_of(subject)
    beta, power = f(ALPHAS), f.power(ALPHAS)
    at_most(0, beta)
    at_most(beta, 1 - ALPHAS)
    at_most(ALPHAS, power)
    at_most(power, 1)


@contract
def test_ends_are_exact(subject):
    f = curve_of(subject)
    assert f(1.0) == 0
    assert f.power(1.0) == 1
    assert f(0.0) + f.power(0.0) == pytest.approx(1, rel=0, abs=slack(f))
    assert f.power(0.0) <= f.power(1e-300)


@contract
def test_beta_falls_and_power_rises(subject):
    f = curve_of(subject)
    beta, power = f(ALPHAS), f.power(ALPHAS)
    at_most(beta[1:], beta[:-1] * (1 + slack(f)), ALPHAS[1:])
    at_most(power[:-1] * (1 - slack(f)), power[1:], ALPHAS[1:])


@contract
def test_beta_is_convex_and_power_concave(subject):
    is_convex(curve_of(subject))


@contract
def test_power_is_the_complement_of_beta(subject):
    f = curve_of(subject)
    close(f.power(ALPHAS) + f(ALPHAS), 1, 0.0, 2 * slack(f))


# ---- the two directions --------------------------------------------------------------------------------


def undone(f, g):
    """g(f(alpha)) = alpha, except where f(alpha) underflows."""
    error = 4 * slack(f)
    alphas, beta = ALPHAS, f(ALPHAS)
    there = beta > TINY
    back = g(beta[there])
    at_most(back, alphas[there] + error, alphas[there])
    at_most(alphas[there] - error, back, alphas[there])
    # elsewhere beta may only be as small as that
    reached = g(TINY)
    if reached < 1:
        at_most(reached, alphas[~there] + error, alphas[~there])


@contract
def test_inverse_mirrors_the_curve(subject):
    f = curve_of(subject)
    assert f.inverse().inverse() is f
    undone(f, f.inverse())
    undone(f.inverse(), f)


@mechanism_contract
def test_each_direction_is_mirrored_by_the_other(mechanism):
    add, remove = mechanism.tradeoff(direction="add"), mechanism.tradeoff(direction="remove")
    assert add.inverse().inverse() is add
    same(add.inverse(), remove)
    undone(add, remove)
    undone(remove, add)


@mechanism_contract
def test_both_directions_make_a_symmetric_curve(mechanism):
    f = mechanism.tradeoff()
    same(f.inverse(), f)
    undone(f, f)


@mechanism_contract
def test_both_directions_are_covered_and_no_more(mechanism):
    f, add, remove = (mechanism.tradeoff(direction=d) for d in ("both", "add", "remove"))
    if f is add is remove:
        return
    no_riskier(add, f, floor=max(TINY, mass_rounding(f)))
    no_riskier(remove, f, floor=max(TINY, mass_rounding(f)))
    # the hull of a minimum has the larger of the two profiles
    larger = np.maximum(add.delta(SOME_EPSILONS), remove.delta(SOME_EPSILONS))
    close(f.delta(SOME_EPSILONS), larger, 100 * slack(f), max(TINY, mass_rounding(f)), SOME_EPSILONS)


# ---- profile and curve say the same --------------------------------------------------------------------


def best_gap(f, epsilons):
    """sup over alpha of power − e^eps·alpha from readings of the power alone, and the power where it is met.

    The gap is concave in alpha, so the two cells around the best node of a grid hold the best alpha.
    """
    low, high = np.full_like(epsilons, -735.0), np.full_like(epsilons, 36.0)
    value, power_there = np.full_like(epsilons, f.power(0.0)), np.full_like(epsilons, f.power(0.0))
    rows = np.arange(len(epsilons))
    for _ in range(14):
        logit = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, 17)
        alpha = np.exp(-np.logaddexp(0, -logit))
        power = f.power(alpha)
        with np.errstate(over="ignore"):
            gap = power - np.exp(epsilons[:, None] - np.logaddexp(0, -logit))
        j = 16 - np.argmax(gap[:, ::-1], axis=1)  # on a plateau of rounding, the best lies further on
        better = gap[rows, j] > value
        value = np.where(better, gap[rows, j], value)
        power_there = np.where(better, power[rows, j], power_there)
        low, high = logit[rows, np.maximum(j - 1, 0)], logit[rows, np.minimum(j + 1, 16)]
    return value, power_there


@laborious_contract
def test_delta_is_the_largest_gap_of_the_curve(subject):
    f = curve_of(subject)
    value, power = best_gap(f, SOME_EPSILONS)
    delta = f.delta(SOME_EPSILONS)
    far = 1e-30 if f.certificate.route in CELLS else TINY
    at_most(value - slack(f) * power, delta + far, SOME_EPSILONS)
    at_most(delta, value + 100 * slack(f) * power + 1e-9 * power + far, SOME_EPSILONS)


@contract
def test_curve_is_the_envelope_of_its_profile(subject):
    """f(alpha) = sup over eps of f_{eps,delta(eps)}(alpha).

    No line of the profile lies above the curve, and the one with the curve's own slope at alpha touches it there.
    The slope comes from chords: long ones are exact along a straight line, short ones along an arc.
    """
    f = curve_of(subject)
    a = MIDDLE[:, None]
    ends = a + a * (1 - a) * np.array([-1e-2, -1e-4, -1e-6, 1e-6, 1e-4, 1e-2])
    rise = np.diff(np.where(a <= 0.5, f.power(ends), -f(ends))) / np.diff(ends)
    slopes = np.concatenate([rise[:, [0, 4]], (rise[:, :2] + rise[:, :2:-1]) / 2, np.full_like(a, 1.0)], axis=1)
    slopes = np.maximum(slopes, 1e-300)
    steep, losses = slopes >= 1, np.abs(np.log(slopes))
    forward, backward = np.zeros_like(slopes), np.zeros_like(slopes)
    forward[steep], backward[~steep] = f.delta(losses[steep]), f.inverse().delta(losses[~steep])
    # each line read as a power in the lower half, as a beta in the upper
    power = np.where(steep, forward + slopes * a, 1 - slopes + slopes * (backward + a))
    beta = np.where(steep, 1 - forward - slopes * a, slopes * (1 - a - backward))
    low = MIDDLE <= 0.5
    at_most(f.power(a[low]) * (1 - 4 * slack(f)), power[low] + 1e-15, a[low])
    at_most(np.minimum(power[low].min(axis=1), 1.0), f.power(MIDDLE[low]) * (1 + 1e-6) + 1e-15, MIDDLE[low])
    at_most(beta[~low], f(a[~low]) * (1 + 4 * slack(f)) + 1e-15, a[~low])
    at_most(f(MIDDLE[~low]) * (1 - 1e-6), np.maximum(beta[~low].max(axis=1), 0.0) + 1e-15, MIDDLE[~low])


@contract
def test_delta_falls_from_the_advantage_to_what_is_proof(subject):
    f = curve_of(subject)
    delta = f.delta(EPSILONS)
    at_most(0, delta, EPSILONS)
    at_most(delta, 1, EPSILONS)
    at_most(delta[1:], delta[:-1] * (1 + 100 * slack(f)), EPSILONS[1:])
    assert delta[-1] == f.power(0.0)


@contract
def test_epsilon_is_the_least_that_keeps_delta(subject):
    f = curve_of(subject)
    error = 100 * slack(f)
    deltas = thinned(DELTAS, f)
    epsilon = f.epsilon(deltas)
    at_most(0, epsilon, deltas)
    at_most(epsilon[1:], epsilon[:-1] * (1 + error), deltas[1:])
    assert epsilon[-1] == 0
    finite = np.isfinite(epsilon)
    # the last digit of an epsilon can be worth more than a delta as small as 1e-300 is asked to be accurate
    at_most(f.delta(epsilon[finite] * (1 + 1e-12)), deltas[finite] * (1 + error), deltas[finite])
    # one that is smaller by a hair does not do
    less = finite & (epsilon > 1e-9)
    at_most(deltas[less] * (1 - error), f.delta(epsilon[less] * (1 - 1e-6)), deltas[less])
    # none is given only where none exists
    at_most(deltas[~finite], f.power(0.0), deltas[~finite])


@contract
def test_epsilon_undoes_delta(subject):
    f = curve_of(subject)
    epsilons = thinned(SOME_EPSILONS, f)
    delta = f.delta(epsilons)
    there = (delta > TINY) | (epsilons == 0)
    at_most(f.epsilon(delta[there]), epsilons[there] * (1 + 1e-9) + 1e-9, epsilons[there])


# ---- what makes a release riskier, and what cannot -----------------------------------------------------


@laborious_contract
def test_a_group_is_never_safer_than_one(subject):
    f = curve_of(subject)
    same(f.group(1), f)
    pair = f.group(2)
    no_riskier(f, pair, alphas=ALPHAS[::3], epsilons=thinned(SOME_EPSILONS[:3], f))
    assert pair.certificate.route


@every_family
def test_groups_of_groups_are_groups(family):
    if family.slow:
        pytest.skip("takes long, and the law is the same for every curve")
    f = curve_of(family.example)
    same(f.group(2).group(3), f.group(6))


@every_mechanism
def test_a_mechanism_in_groups_has_the_curve_in_groups(family):
    m = family.example
    same(m.group(3).tradeoff(), m.tradeoff().group(3))
    assert m.group(3).neighbours == m.neighbours


@laborious_contract
def test_failing_is_the_mixture_with_the_secret(subject):
    f = curve_of(subject)
    for kappa in (0.0, 1e-9, 0.25):
        failing = f.fails_with(kappa)
        no_riskier(f, failing)
        assert failing.power(0.0) == pytest.approx(kappa + (1 - kappa) * f.power(0.0), rel=1e-12)
        inside = ALPHAS[1 - kappa >= ALPHAS]
        expected = (1 - kappa) * f(np.minimum(inside / (1 - kappa), 1.0))
        close(failing(inside), expected, slack(f), 1e-15, inside)
        assert (failing(ALPHAS[1 - kappa < ALPHAS]) == 0).all()
        expected = kappa + (1 - kappa) * f.delta(SOME_EPSILONS)
        close(failing.delta(SOME_EPSILONS), expected, 100 * slack(f), TINY, SOME_EPSILONS)
    certain = f.fails_with(1.0)
    assert (certain(ALPHAS) == 0).all()
    assert (certain.power(ALPHAS) == 1).all()


@every_mechanism
def test_a_failing_mechanism_has_the_failing_curve(family):
    m = family.example
    same(m.fails_with(0.125).tradeoff(), m.tradeoff().fails_with(0.125))
    assert m.fails_with(0.125).neighbours == m.neighbours


@laborious_contract
def test_replacing_is_never_safer_than_adding_or_removing(subject):
    mechanism = subject
    if isinstance(mechanism, dl.TradeOff):
        return
    replaced = mechanism.as_replace()
    assert replaced.neighbours == "replace"
    assert replaced.as_replace() is replaced
    if mechanism.neighbours == "replace":
        assert replaced is mechanism
    f = mechanism.tradeoff()
    no_riskier(f, replaced.tradeoff(), alphas=ALPHAS[::3], epsilons=thinned(SOME_EPSILONS[:3], f))


# Guarantees to be combined with: one that crosses most curves, one whose two directions differ.
OTHERS = (
    dl.ApproximateDP(epsilon=1.0, delta=1e-3).tradeoff(),
    dl.FinitePair(p=[0.75, 0.25, 0.0], q=[0.5, 0.375, 0.125]).tradeoff(direction="add"),
)


@laborious_contract
def test_the_best_of_guarantees_is_no_riskier_than_any(subject):
    f = curve_of(subject)
    for other in OTHERS:
        best = dl.supremum(subject, other)
        for part in (f, curve_of(other)):
            no_riskier(best, part, epsilons=thinned(SOME_EPSILONS[1:4], f))
        expected = np.maximum(f(ALPHAS), curve_of(other)(ALPHAS))
        close(best(ALPHAS), expected, slack(f), TINY)


@laborious_contract
def test_the_worst_of_pairs_is_riskier_than_each(subject):
    f = curve_of(subject)
    for other in OTHERS:
        worst = dl.infimum(subject, other)
        for part in (f, curve_of(other)):
            no_riskier(part, worst)
        larger = np.maximum(f.delta(SOME_EPSILONS), curve_of(other).delta(SOME_EPSILONS))
        close(worst.delta(SOME_EPSILONS), larger, 100 * slack(worst), TINY, SOME_EPSILONS)
        is_convex(worst)


@every_family
def test_one_alone_is_its_own_best_and_worst(family):
    subject = family.example
    same(dl.supremum(subject), curve_of(subject))
    same(dl.infimum(subject), curve_of(subject))
    same(dl.infimum(subject, subject), curve_of(subject))


@given(laws=FINITE_PAIR, data=st.data())
def test_merging_outcomes_never_raises_risk(laws, data):
    p, q = (np.array(x) for x in laws)
    group = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(p), max_size=len(p))))
    merged = [np.array([x[group == g].sum() for g in range(4)]) for x in (p, q)]
    whole, seen = dl.FinitePair(p=p, q=q), dl.FinitePair(p=merged[0], q=merged[1])
    for direction in ("add", "remove", "both"):
        # adding up masses rounds them, and that is not post-processing
        no_riskier(seen.tradeoff(direction=direction), whole.tradeoff(direction=direction), floor=4e-15)


@given(laws=FINITE_PAIR, data=st.data())
def test_random_post_processing_never_raises_risk(laws, data):
    p, q = (np.array(x) for x in laws)
    channel = np.array([data.draw(law(3, bits=10)) for _ in p])
    whole, seen = dl.FinitePair(p=p, q=q), dl.FinitePair(p=p @ channel, q=q @ channel)
    for direction in ("add", "remove", "both"):
        # adding up masses rounds them, and that is not post-processing
        no_riskier(seen.tradeoff(direction=direction), whole.tradeoff(direction=direction), floor=4e-15)


@given(laws=FINITE_PAIR, data=st.data())
def test_the_names_of_outcomes_do_not_matter(laws, data):
    order = data.draw(st.permutations(range(len(laws[0]))))
    renamed = dl.FinitePair(p=[laws[0][i] for i in order], q=[laws[1][i] for i in order])
    same(renamed.tradeoff(), dl.FinitePair(p=laws[0], q=laws[1]).tradeoff())


CELLS = ("cells",)  # between two finite laws

# ---- certificate ---------------------------------------------------------------------------------------


@contract
def test_certificate_names_its_route_and_claims_little_error(subject):
    certificate = curve_of(subject).certificate
    assert isinstance(certificate, dl.Certificate)
    assert isinstance(certificate.route, str)
    assert certificate.route
    assert 0 < certificate.tolerance <= (1e-4 if certificate.route in CELLS else 1e-9)
    if certificate.route == "exact":
        assert certificate.tolerance <= 1e-11


@contract
def test_the_bracket_is_no_wider_than_the_certificate_says(subject):
    f = curve_of(subject)
    risky, mild = f.readings()
    width = 2 * f.certificate.tolerance * 1.01 + 4e-16
    cells = f.certificate.route in CELLS  # which claim less far out, as numerical curves do
    least = 1e-12 if cells else math.exp(-30.0 if f.is_costly else -690.0)
    for alpha in thinned(ALPHAS[1:-1:3], f):
        low, high = mild.power(alpha), risky.power(alpha)
        assert low <= high
        assert high <= low * (1 + width) or not least <= alpha <= 1 - least, alpha
        low, high = risky.beta(alpha), mild.beta(alpha)
        assert low <= high, alpha
        # beta is the alpha of the worlds exchanged, so it has the same floor
        unclaimed = (cells or f.is_costly) and (low < least or alpha > 1 - least)
        assert high <= low * (1 + width) + max(TINY, mass_rounding(f)) or unclaimed, alpha
    low, high = mild.deltas(SOME_EPSILONS), risky.deltas(SOME_EPSILONS)
    at_most(low, high + TINY, SOME_EPSILONS)
    # a Rényi guarantee's deepest deltas come from a conversion, as its certificate says
    floor = 1e-140 if f.certificate.route == "orders" else 1e-15 if cells else 4 * TINY
    floor = max(floor, mass_rounding(f))
    # next to the largest loss delta falls off steeply, and so far losses themselves are rounded
    low = np.maximum(low, mild.deltas(SOME_EPSILONS * (1 - 1e-13)))
    at_most(high, low * (1 + width) + floor, SOME_EPSILONS)


# ---- numbers and arrays --------------------------------------------------------------------------------

READINGS = {"beta": lambda f: f, "power": lambda f: f.power, "delta": lambda f: f.delta, "epsilon": lambda f: f.epsilon}
every_reading = pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS)
SCALARS = [0.25, 0, 1, np.float64(0.25), np.float32(0.25), np.float16(0.25), np.longdouble(0.25), np.int64(1)]

SHAPES = [(), (1,), (2, 0, 3), (0,), (2, 3), (3,), (2, 1, 2)]


@every_reading
@every_family
def test_a_number_gives_a_float(family, reading):
    ask = reading(curve_of(family.example))
    for value in SCALARS[3::4] if family.slow else SCALARS:
        found = ask(value)
        assert type(found) is float, repr(value)
        assert found == ask(float(value))


@every_reading
@every_family
def test_an_array_gives_an_array_of_its_shape(family, reading):
    ask = reading(curve_of(family.example))
    expected = ask(0.25)
    for shape in SHAPES[::2] if family.slow else SHAPES:
        values = np.full(shape, 0.25)
        found = ask(values)
        assert isinstance(found, np.ndarray), shape
        assert found.shape == shape
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, expected, rtol=1e-9)
        assert (values == 0.25).all()


@every_reading
@every_family
def test_any_real_dtype_layout_and_sequence_is_read_alike(family, reading):
    ask = reading(curve_of(family.example))
    values = np.array([[0.0, 0.125, 0.5], [0.75, 0.875, 1.0]])
    expected = ask(values)
    assert expected.shape == values.shape
    np.testing.assert_array_equal(ask(values.tolist()), expected)
    if family.slow:
        return
    for dtype in (np.float16, np.float32, np.longdouble):
        found = ask(values.astype(dtype))
        assert found.dtype == np.float64
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(ask(tuple(map(tuple, values))), expected)
    np.testing.assert_array_equal(ask(np.asfortranarray(values)), expected)
    np.testing.assert_array_equal(ask(values[:, ::-1])[:, ::-1], expected)
    np.testing.assert_array_equal(ask(np.array([0, 1])), ask(np.array([0.0, 1.0])))
    frozen = values.copy()
    frozen.setflags(write=False)
    np.testing.assert_array_equal(ask(frozen), expected)


@every_family
def test_each_number_is_read_as_if_alone(family):
    f = curve_of(family.example)
    step = 3 if family.slow else 1
    some = (ALPHAS[::4], SOME_EPSILONS, DELTAS[:-1])
    alphas, epsilons, deltas = (thinned(values, f)[::step] for values in some)
    error = slack(f)
    close([f(a) for a in alphas], f(alphas), error, TINY, alphas)
    close([f.power(a) for a in alphas], f.power(alphas), error, TINY, alphas)
    close([f.delta(e) for e in epsilons], f.delta(epsilons), 100 * error, TINY, epsilons)
    close([f.epsilon(d) for d in deltas], f.epsilon(deltas), 100 * error, TINY, deltas)


@every_family
def test_summaries_of_the_curve_are_numbers(family):
    f = curve_of(family.example)
    assert len(repr(f)) < 300
    mu = f.mu()
    assert type(mu) is float
    assert mu >= 0
    for order in (0.5, 1.0, 2.0, 10.0, math.inf):
        assert type(f.renyi(order)) is float
        assert f.renyi(order) >= 0
    assert f.renyi(2.0) <= f.renyi(10.0) * (1 + 1e-9)
    if not family.slow:
        assert type(f.mu_looseness()) is float
        assert 0 <= f.mu_looseness() <= 1


@every_family
def test_readings_do_not_depend_on_what_was_asked_before(family):
    make = family.make
    first, second = curve_of(make(**family.fixed)), curve_of(make(**family.fixed))
    second.epsilon(1e-5), second.inverse()(0.3), second.delta(0.5)
    np.testing.assert_array_equal(first(ALPHAS), second(ALPHAS))
    np.testing.assert_array_equal(first.power(ALPHAS), second.power(ALPHAS))
    np.testing.assert_array_equal(first.delta(SOME_EPSILONS), second.delta(SOME_EPSILONS))
    assert first.epsilon(1e-5) == second.epsilon(1e-5)


@every_family
def test_a_curve_is_its_own_tradeoff(family):
    f = curve_of(family.example)
    assert isinstance(f, dl.TradeOff)
    assert f.tradeoff() is f


# ---- mechanisms as descriptions ------------------------------------------------------------------------


def fields_of(m):
    return {field.name: getattr(m, field.name) for field in dataclasses.fields(m)}


@every_mechanism
def test_mechanisms_are_frozen(family):
    m = family.make(**family.fixed)
    for name in [*fields_of(m), "something_new"]:
        with pytest.raises(AttributeError):
            setattr(m, name, 1.0)
    with pytest.raises(AttributeError):
        del m.neighbours


@every_mechanism
def test_mechanisms_are_built_by_keyword_only(family):
    m = family.make(**family.fixed)
    with pytest.raises(TypeError):
        type(m)(*fields_of(m).values())
    again = type(m)(**fields_of(m))
    assert again == m


@every_mechanism
def test_mechanisms_are_equal_by_value(family):
    first, second = family.make(**family.fixed), family.make(**family.fixed)
    assert first == second
    assert hash(first) == hash(second)
    assert len({first, second}) == 1
    assert first != object()
    assert first.fails_with(0.5) != first
    # reading a curve leaves no trace on the description
    second.tradeoff()(0.1)
    assert first == second
    assert hash(first) == hash(second)


@every_mechanism
def test_mechanisms_can_be_copied_and_sent_elsewhere(family):
    m = family.make(**family.fixed)
    fresh = pickle.dumps(m)
    expected = m.tradeoff()(MIDDLE)
    m.tradeoff().epsilon(1e-5), m.tradeoff().inverse()(0.1)
    for twin in (pickle.loads(fresh), pickle.loads(pickle.dumps(m)), copy.copy(m), copy.deepcopy(m)):
        assert twin == m
        np.testing.assert_array_equal(twin.tradeoff()(MIDDLE), expected)


@every_family
def test_curves_can_be_copied_and_sent_elsewhere(family):
    f = curve_of(family.make(**family.fixed))
    expected = f(MIDDLE)
    f.epsilon(1e-5), f.inverse()(0.1)
    for twin in (pickle.loads(pickle.dumps(f)), copy.copy(f), copy.deepcopy(f)):
        np.testing.assert_array_equal(twin(MIDDLE), expected)
        # the mirror image of a hull is made anew: its last digit may differ
        np.testing.assert_allclose(twin.inverse()(MIDDLE), f.inverse()(MIDDLE), rtol=1e-15)


@every_mechanism
def test_repr_tells_what_was_released(family):
    m = family.make(**family.fixed)
    shown = repr(m)
    assert shown.startswith(type(m).__name__ + "(")
    for name, value in fields_of(m).items():
        assert f"{name}=" in shown
        if isinstance(value, (int, float, str)):
            assert repr(value) in shown
    assert " at 0x" not in shown
    assert shown == repr(family.make(**family.fixed))
