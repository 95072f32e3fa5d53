"""The hull of both directions of a finite composition, against a hull of all tests by brute force."""

import itertools
import math

import numpy as np
import pytest

import dplens as dl

PAIRS = {
    "coin": ([0.75, 0.25], [0.375, 0.625]),
    "three": ([0.5, 0.25, 0.25], [0.25, 0.125, 0.625]),
    "skewed": ([0.9, 0.08, 0.02], [0.3, 0.3, 0.4]),
}
PRIORS = (0.05, 0.2020603015075377, 0.4, 0.5, 0.7, 0.93)
RATES = (1e-6, 0.0004, 0.0085, 0.1, 0.5, 0.9)


def vertices(p, q, n):
    """(alpha, power) of the threshold tests of n independent steps, of one direction."""
    masses = {}
    for counts in itertools.product(range(n + 1), repeat=len(p)):
        if sum(counts) != n:
            continue
        ways = math.factorial(n) // math.prod(math.factorial(k) for k in counts)
        a, b = (ways * math.prod(x**k for x, k in zip(law, counts)) for law in (p, q))
        masses[counts] = (a, b)
    ordered = sorted(masses.values(), key=lambda m: -m[1] / m[0])
    sums = np.cumsum(np.array([(0.0, 0.0), *ordered]), axis=0)
    return [tuple(row) for row in sums]


def both_directions(p, q, n):
    """The concave majorant of the ROC of either direction."""
    points = sorted({*vertices(p, q, n), *vertices(q, p, n)})
    hull = []
    for x, y in points:
        while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (x - hull[-1][0]) <= (y - hull[-1][1]) * (
            hull[-1][0] - hull[-2][0]
        ):
            hull.pop()
        hull.append((x, y))
    return np.array(hull)


@pytest.mark.parametrize("route", [None, "lattice", "grid"])
@pytest.mark.parametrize("n", [2, 5, 8])
@pytest.mark.parametrize("name", PAIRS)
def test_no_answer_misses_the_hull(name, n, route):
    p, q = PAIRS[name]
    release = dl.compose(dl.FinitePair(p=p, q=q).repeat(n), route=route)
    try:
        release.tradeoff()
    except dl.DplensError:
        pytest.skip("the losses have no lattice")
    alpha, power = both_directions(p, q, n).T

    def holds(estimate, truth):
        assert estimate.low <= truth * (1 + 1e-12) + 1e-15, (estimate, truth)
        assert truth * (1 - 1e-12) - 1e-15 <= estimate.high, (estimate, truth)

    for fpr in RATES:
        holds(dl.AttackPower(fpr=fpr).of(release), float(np.interp(fpr, alpha, power)))
    for prior in PRIORS:
        holds(dl.Accuracy(prior=prior).of(release), float(np.max(prior * power + (1 - prior) * (1 - alpha))))
    holds(dl.Advantage().of(release), float(np.max(power - alpha)))
    holds(dl.AUC().of(release), float(np.diff(alpha) @ (power[1:] + power[:-1])) / 2)


@pytest.mark.parametrize("order", [0.5, 1.0, 2.0, 8.0])
def test_sampling_without_replacement_is_one_pair_of_worlds(order):
    """What a single release tells is what each of two tells: divergences add up."""
    release = dl.RandomizedResponse(epsilon=1.0, categories=10, neighbours="replace")
    sampled = release.subsample(0.25, scheme="without_replacement")
    one, two = dl.Renyi(order=order).of(sampled), dl.Renyi(order=order).of(sampled.repeat(2))
    assert one == pytest.approx(two / 2, rel=1e-9)


def test_divergences_do_not_depend_on_the_route():
    release = dl.Exponential(epsilon=1.8).repeat(6)
    found = [dl.Renyi(order=1.0).of(dl.compose(release, route=route)) for route in (None, "grid")]
    assert found[0] == pytest.approx(found[1], rel=1e-8)
    failing = dl.Geometric(scale=4.376277740726922).fails_with(1e-3).repeat(3)
    assert dl.Renyi(order=0.5).of(failing) == pytest.approx(0.04507889509888, rel=1e-11)


def test_groups_of_a_pure_guarantee_keep_the_digits_of_a_delta_near_the_largest_loss():
    found = dl.Delta(epsilon=1.0207650632480065).of(dl.RandomizedResponse(epsilon=0.5103831076300592).group(2))
    assert found.low <= 7.19887668074e-7 * (1 + 1e-12)
    assert found == pytest.approx(7.19887668074e-7, rel=1e-11)


def test_losses_that_nearly_share_a_lattice_are_known_to_be_off():
    release = dl.compose(
        dl.RandomizedResponse(epsilon=1.0).repeat(4000), dl.RandomizedResponse(epsilon=0.99999999999991)
    )
    assert dl.Delta(epsilon=2000.0).of(release).high >= 0.00320754176760917


@pytest.mark.parametrize(("epsilon", "categories", "count"), [(30.0, 2, 1), (36.0, 2, 2), (20.0, 3, 1)])
def test_both_directions_lie_below_either_where_almost_nothing_is_hidden(epsilon, categories, count):
    """Deltas near 1 agree to all digits while what is left differs a hundredfold."""
    pair = dl.FinitePair(p=[0.1897570992048181, 0.8102429007951819], q=[0.9855713004905435, 0.0144286995094565])
    responses = dl.RandomizedResponse(epsilon=epsilon, categories=categories)
    release = dl.compose(responses.repeat(2), pair.repeat(count))
    alpha = np.concatenate([np.geomspace(1e-25, 0.5, 400), 1 - np.geomspace(1e-12, 0.5, 100)])
    either = [release.tradeoff(direction)(alpha) for direction in ("add", "remove")]
    assert np.all(release.tradeoff()(alpha) <= np.minimum(*either) * (1 + 1e-11))


def test_losses_of_one_sign_beside_a_little_noise_are_composed():
    """Tilted masses are far smaller than the weights that they differ from by −1."""
    pair = dl.FinitePair(p=[0.5, 0.5, 0.0], q=[0.475, 0.475, 0.05])
    few = dl.Delta(epsilon=0.1).of(dl.compose(pair.repeat(5), dl.Gaussian(sigma=90.0)))
    more = dl.Delta(epsilon=0.1).of(dl.compose(pair.repeat(5), dl.Gaussian(sigma=10.0)))
    assert 1 - 0.95**5 <= few.high <= more.high
    assert few.high - few.low < 1e-9
