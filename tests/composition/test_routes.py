"""Every route that accepts a composition encloses the same truth."""

import numpy as np
import pytest

import dplens as dl
from dplens.composition.routes import ENOUGH, NAMES, ROUTES, TOLERANCE, ranked
from dplens.composition.steps import Steps
from dplens.errors import InvalidType, InvalidValue, Undefined
from tests.frozen.cases import COMPOSITIONS, MECHANISMS, made

EPSILON = np.array([0.0, 0.1, 0.5, 1.0, 2.5])
ALPHA = np.array([1e-12, 1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999])
# Composed, so that every frozen mechanism is a step of something as well.
STORED = [*COMPOSITIONS, *(f"{text}.repeat(2)" for text in MECHANISMS)]


def steps_of(release: dl.Mechanism) -> Steps | None:
    try:
        return Steps.of([(m._step(), count) for m, count in release._parts()])
    except dl.DplensError:
        return None


@pytest.mark.verify
@pytest.mark.parametrize("text", STORED)
def test_all_accepting_routes_agree(text):
    steps = steps_of(made(text))
    if steps is None:
        pytest.skip("has no pair of laws to compose")
    found = {}
    for route in ROUTES:
        if not route.accepts(steps):
            continue
        try:
            curve = route.curve(steps)
        except Undefined:  # refused in words
            continue
        if curve is not None and not (route.name == "contour" and curve.lacks_line(np.append(-EPSILON, EPSILON)).any()):
            found[route.name] = curve
    assert found
    for directed in (found, {name: curve.inverse() for name, curve in found.items()}):
        deltas = {name: curve.profile_bounds(EPSILON) for name, curve in directed.items()}
        rates = {name: curve.both_bounds(ALPHA, 1 - ALPHA) for name, curve in directed.items()}
        for numbers in (deltas, {n: r[0] for n, r in rates.items()}, {n: r[1] for n, r in rates.items()}):
            highest_low = np.max([number.lo for number in numbers.values()], axis=0)
            least_high = np.min([number.hi for number in numbers.values()], axis=0)
            assert (highest_low <= least_high * (1 + 1e-15)).all(), {n: list(x) for n, x in numbers.items()}


@pytest.mark.parametrize("name", NAMES)
def test_a_route_can_be_forced_or_is_refused_in_words(name):
    release = dl.compose(dl.Laplace(scale=2.0), dl.RandomizedResponse(epsilon=0.5), route=name)
    if name in {"spline", "grid"}:
        certificate = release.tradeoff().certificate
        assert (certificate.route, certificate.why) == (name, "as asked")
        free = dl.compose(dl.Laplace(scale=2.0), dl.RandomizedResponse(epsilon=0.5))
        ours, theirs = dl.Delta(epsilon=0.3).of(release), dl.Delta(epsilon=0.3).of(free)
        assert ours.low <= theirs.high
        assert theirs.low <= ours.high
    else:
        with pytest.raises(InvalidValue, match="route"):
            release.tradeoff()


def test_a_route_is_named_with_its_reason():
    certificate = dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=1000).tradeoff().certificate
    assert (certificate.route, certificate.why) == ("contour", f"cheapest route within {TOLERANCE:g}")
    student = dl.AdditiveNoise(noise=__import__("scipy.stats").stats.t(3)).repeat(2).tradeoff().certificate
    assert (student.route, student.why) == ("grid", f"cheapest route within {ENOUGH:g}")


def test_both_directions_keep_the_reason():
    run = dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=100)
    assert run.tradeoff(route="grid").certificate.why == "as asked"


def test_a_refused_route_names_only_routes_that_work():
    release = dl.compose(dl.Laplace(scale=2.0).repeat(20), dl.Gaussian(sigma=4.0).repeat(5), route="closed")
    with pytest.raises(InvalidValue, match="'contour', 'grid' or None") as caught:
        release.tradeoff()
    assert "spline" not in str(caught.value)


def test_a_contour_without_lines_is_refused_rather_than_replaced():
    release = dl.Laplace(scale=2.0).repeat(20)
    with pytest.raises(InvalidValue, match="'grid'") as caught:
        release.tradeoff(route="contour")
    assert str(caught.value).count("'contour'") == 1  # what was asked, and no remedy


def test_a_contour_with_lines_can_be_forced():
    certificate = dl.Laplace(scale=2.0).repeat(100).tradeoff(route="contour").certificate
    assert (certificate.route, certificate.why) == ("contour", "as asked")


def test_routes_are_ranked_by_cost_among_those_that_promise_the_tolerance():
    steps = Steps.of([(dl.Laplace(scale=2.0)._step(), 3)])
    names = [route.name for route in ranked(steps)]
    assert names[0] == "spline"
    assert len(set(names)) == len(names)


def test_an_unknown_route_is_refused():
    with pytest.raises(InvalidValue, match="route"):
        dl.compose(dl.Laplace(scale=1.0), route="magic")
    with pytest.raises(InvalidType, match="route"):
        dl.Laplace(scale=1.0).repeat(3).tradeoff(route=3)


def test_a_forced_route_survives_files():
    release = dl.compose(dl.Laplace(scale=2.0), dl.Laplace(scale=3.0), route="grid")
    a = dl.assess(release)
    assert dl.Assessment.from_json(a.to_json()) == a
    assert dl.Assessment.from_json(a.to_json()).mechanism.route == "grid"
