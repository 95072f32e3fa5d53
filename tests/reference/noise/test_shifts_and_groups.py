"""Where the worst neighbour is not the extreme one, and groups of records on a lattice."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

import dplens as dl
from tests.reference.checks import on_side
from tests.reference.oracles import continuous as co
from tests.reference.oracles import discrete as di
from tests.reference.oracles.curve import Group
from tests.reference.oracles.numerics import digits, least, mpf

GAP, SD = 10.0, 0.5


class TwoNormals(stats.rv_continuous):
    """An even mixture of N(0, 0.25) and N(10, 0.25)."""

    def _pdf(self, x):
        return (stats.norm.pdf(x, 0.0, SD) + stats.norm.pdf(x, GAP, SD)) / 2

    def _cdf(self, x):
        return (ndtr(x / SD) + ndtr((x - GAP) / SD)) / 2

    def _sf(self, x):
        return (ndtr(-x / SD) + ndtr((GAP - x) / SD)) / 2


def total_variation(d):
    """Of the mixture against its shift by d, 0 < d < 10: the densities cross once between neighbouring centres."""
    law = co.two_normals(GAP, SD)
    moved = law.shift(d)
    centres = (mpf(0), d, mpf(GAP), GAP + d)
    signs = (True, False, True)  # where q rises above p, where it falls below
    cuts = [
        least(lambda x, rises=rises: (moved.pdf(x) > law.pdf(x)) == rises, a, b)
        for a, b, rises in zip(centres, centres[1:], signs)
    ]
    ends = [*cuts, mpf(GAP + 100)]
    return sum(moved.mass(a, b) - law.mass(a, b) for a, b in (ends[:2], ends[2:]))


@pytest.fixture(scope="module")
def bimodal():
    return dl.AdditiveNoise(noise=TwoNormals()(), sensitivity=GAP)


def test_the_worst_shift_may_be_smaller_than_the_sensitivity(bimodal):
    """At shift 10 the total variation is 0.50, at about half of it 1.00: no answer for the largest shift alone."""
    worst, truth = mpf("5.06931471805604986499696627667"), mpf("0.999999191041138832047791395643")
    with digits(30):
        assert abs(total_variation(worst) - truth) < mpf(10) ** -28
        assert abs(total_variation(mpf("9.999")) - 0.5) < 2e-3
    with pytest.raises(dl.DplensError, match="ContinuousPair"):
        bimodal.tradeoff()


@pytest.mark.parametrize(("scale", "d", "k"), [(1.0, 1, 2), (2.0, 3, 2), (2.0, 1, 4)])
def test_a_group_on_a_lattice_lies_between_the_composition_and_the_larger_shift(scale, d, k):
    """1 - (1 - f)^k is sound; the mechanism itself with sensitivity k d is the truth."""
    f = dl.Geometric(scale=scale, sensitivity=d).group(k).tradeoff()
    composed, truth = Group(di.geometric(scale, d), k), di.geometric(scale, k * d)
    for alpha in (1e-12, 1e-3, 0.05, 0.2, 0.5, 0.9):
        assert on_side(f.power(alpha), truth.power(mpf(alpha)), "high")
        assert on_side(f(alpha), truth.beta(mpf(alpha)), "low")
        assert f.power(alpha) <= composed.power(mpf(alpha)) * (1 + 1e-12)
        assert f(alpha) >= composed.beta(mpf(alpha)) * (1 - 1e-12)


@pytest.mark.parametrize("k", [2, 5])
def test_a_group_of_gaussians_is_a_gaussian(k):
    alphas = np.array([1e-300, 1e-30, 1e-6, 0.3, 0.99, 1 - 1e-16])
    grouped = dl.Gaussian(sigma=2.0, sensitivity=1.0).group(k).tradeoff()
    wide = dl.Gaussian(sigma=2.0, sensitivity=float(k)).tradeoff()
    np.testing.assert_allclose(grouped.power(alphas), wide.power(alphas), rtol=1e-12, atol=0)
    np.testing.assert_allclose(grouped(alphas), wide(alphas), rtol=1e-12, atol=0)


@pytest.mark.parametrize("kappa", [1e-3, 1e-12])
def test_a_group_that_may_be_given_away_has_no_epsilon_below_that_chance(kappa):
    """Two steps lift alpha = 0 to kappa and further; below that chance no epsilon will do, above it some does."""
    m = dl.Laplace(scale=1.0).fails_with(kappa).as_replace()
    assert math.isinf(dl.Epsilon(delta=kappa).of(m))
    assert math.isinf(dl.Epsilon(delta=0.0).of(m))
    assert dl.Epsilon(delta=4 * kappa).of(m) <= 2
