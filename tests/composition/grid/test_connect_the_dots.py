"""Connect-the-dots: the truth lies between both polygons, however coarse the lattice is."""

import functools

import numpy as np
import pytest
from scipy import stats

import dplens as dl
from dplens.composition.grid import connect_the_dots
from dplens.composition.grid.connect_the_dots import connected
from dplens.composition.grid.products import Product, StepMasses
from dplens.composition.steps import Steps

LOSSES = np.linspace(0.0, 6.0, 301)
RATES = np.concatenate([np.geomspace(1e-9, 0.5, 60), 1 - np.geomspace(0.5, 1e-9, 60)[1:]])


def steps_of(*releases):
    return Steps.of([(m._step(), count) for m, count in dl.compose(*releases)._parts()]).terms


def outcomes(pairs):
    """All outcomes of some finite pairs one after the other: masses in both worlds."""
    product = functools.partial(functools.reduce, lambda a, b: np.multiply.outer(a, b).ravel())
    return product([p for p, _ in pairs]), product([q for _, q in pairs])


def profile(p, q, epsilon):
    return np.maximum(q - np.exp(epsilon)[:, None] * p, 0.0).sum(axis=1)


def roc(p, q, alpha):
    """Power by sorting: outcomes in order of the likelihood ratio, with a coin at the last."""
    order = np.argsort(-(q / p))
    return np.interp(alpha, np.append(0.0, np.cumsum(p[order])), np.append(0.0, np.cumsum(q[order])))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("fewest", [24, 200, 3000])
def test_random_pairs_lie_between_the_polygons(seed, fewest, monkeypatch):
    monkeypatch.setattr(connect_the_dots, "_LISTED", 1)  # spread every step, as if there were too many to multiply out
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 6, size=int(rng.integers(2, 6)))
    pairs = [(rng.dirichlet(np.ones(k)), rng.dirichlet(np.ones(k))) for k in sizes]
    p, q = outcomes(pairs)
    steps = [(dl.FinitePair(p=a, q=b)._step(), 1) for a, b in pairs]
    curve = connected(steps, tolerance=1.0, fewest=fewest)
    for here, (a, b) in ((curve, (p, q)), (curve.inverse(), (q, p))):
        truth, delta = profile(a, b, LOSSES), here.profile_bounds(LOSSES)
        assert np.all(delta.lo <= truth * (1 + 1e-12) + 1e-16)
        assert np.all(truth <= delta.hi * (1 + 1e-12) + 1e-16)
        truth, power = roc(a, b, RATES), here.power_bounds(RATES, 1 - RATES)
        assert np.all(power.lo <= truth * (1 + 1e-11))
        assert np.all(truth <= power.hi * (1 + 1e-11))
    both = curve._symmetrised()
    larger = np.maximum(profile(p, q, LOSSES), profile(q, p, LOSSES))
    delta = both.profile_bounds(LOSSES)
    assert np.all(delta.lo <= larger * (1 + 1e-12) + 1e-16)
    assert np.all(larger <= delta.hi * (1 + 1e-12) + 1e-16)


@pytest.mark.parametrize("fewest", [40, 400, 8000])
@pytest.mark.parametrize("count", [2, 10, 200])
def test_gaussian_noise_lies_between_the_polygons(fewest, count):
    """n steps of mu/√n are one of mu, in closed form."""
    truth = dl.Gaussian(sigma=1.0).tradeoff()
    curve = connected([(dl.Gaussian(sigma=count**0.5).tradeoff(), count)], tolerance=1.0, fewest=fewest)
    delta, exact = curve.profile_bounds(LOSSES), truth.profile_bounds(LOSSES)
    assert np.all(delta.lo <= exact.hi)
    assert np.all(exact.lo <= delta.hi)
    power, exact = curve.power_bounds(RATES, 1 - RATES), truth.power_bounds(RATES, 1 - RATES)
    assert np.all(power.lo <= exact.hi)
    assert np.all(exact.lo <= power.hi)


def test_widths_fall_with_the_square_of_the_spacing():
    steps = steps_of(dl.Gaussian(sigma=1.0), dl.AdditiveNoise(noise=stats.logistic(scale=1.5)))
    widths = []
    for fewest in (2000, 8000):
        delta = connected(steps, tolerance=1.0, fewest=fewest).profile_bounds(np.array([1.0]))
        widths.append(float((delta.hi - delta.lo)[0]))
    assert widths[1] < widths[0] / 12


TABLES = {
    "census levels": [dl.DiscreteGaussian(sigma=s) for s in (1.3, 2.1, 3.7, 5.2, 8.9)],
    "counts beside a mean": [dl.DiscreteGaussian(sigma=3.0), dl.Laplace(scale=2.0), dl.Geometric(scale=2.0)],
    "sampled Laplace": [dl.Laplace(scale=1.0).subsample(0.03).repeat(100)],
    "heavy tails": [dl.AdditiveNoise(noise=stats.t(3)).repeat(3)],
}


@pytest.mark.parametrize("name", TABLES)
def test_what_people_publish_is_known_closely(name):
    m = dl.compose(*TABLES[name])
    for question in (dl.Epsilon(delta=1e-6), dl.Advantage(), dl.AUC()):
        found = question.of(m)
        assert found.certificate.route == "grid"
        assert found.high - found.low <= 3e-5 * found.high
    power = dl.AttackPower(fpr=0.01).of(m)
    assert power.high - power.low <= 1e-4 * power.high


def test_a_release_without_proofs_has_none_beyond_the_lattice():
    f = dl.compose(dl.DiscreteGaussian(sigma=3.0), dl.Laplace(scale=2.0)).tradeoff()
    assert f.infinity_mass() == (0.0, 0.0)
    assert dl.failure_mode(dl.compose(dl.DiscreteGaussian(sigma=3.0), dl.Laplace(scale=2.0))) is dl.FailureMode.GRACEFUL
    assert np.isfinite(f.mu())


ONE_SIDED = dl.FinitePair(p=[0.0, 1.0], q=[0.5, 0.5])  # half of those present are proved to be


@pytest.mark.parametrize(
    "beside",
    [
        dl.Laplace(scale=10.0).subsample(0.1).repeat(2),
        dl.AdditiveNoise(noise=stats.t(3, scale=10.0)).repeat(2),
        dl.FinitePair(p=[0.0, 1.0], q=[0.0, 1.0]),
    ],
)
def test_beside_a_proof_all_finite_losses_may_lie_below_zero(beside):
    """Whoever is not proved to be present is twice as likely absent: nothing else tells more than that."""
    found = dl.Advantage().of(dl.compose(ONE_SIDED, beside, route="grid"))
    assert found.low <= 0.5 <= found.high
    assert found.high - found.low < 1e-9


@pytest.mark.parametrize("proved", [0.5, 0.9])
def test_a_proof_beside_a_sampled_release_is_a_mixture(proved):
    """power(alpha) = proved + (1 − proved)·power of the other release, as alpha is its own."""
    other = dl.Laplace(scale=0.1).subsample(0.01)
    both = dl.compose(other, dl.FinitePair(p=[0.0, 1.0], q=[proved, 1 - proved])).tradeoff(direction="add")
    alpha = np.array([1e-6, 0.01, 0.1, 0.3, 0.8])
    alone = other.tradeoff(direction="add").power_bounds(alpha, 1 - alpha)
    found = both.power_bounds(alpha, 1 - alpha)
    assert np.all(found.lo <= (proved + (1 - proved) * alone.hi) * (1 + 1e-14))
    assert np.all(found.hi >= (proved + (1 - proved) * alone.lo) * (1 - 1e-14))
    assert np.all(found.hi - found.lo < 1e-3)


def test_isolated_atoms_keep_their_lower_end():
    found = dl.Advantage().of(dl.compose(dl.DiscreteGaussian(sigma=0.3), dl.Laplace(scale=1.0).repeat(3)))
    assert found.high - found.low < 1e-5


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("filled", [1.0, 0.02])
def test_products_of_many_laws_err_by_no_more_than_they_say(seed, filled):
    """Dense laws are summed by short transforms, sparse ones at the few frequencies that smooth laws have left."""
    rng = np.random.default_rng(seed)
    bell = np.exp(-(np.arange(-400, 401) ** 2) / 3200)
    parts, first = [StepMasses(np.arange(801), bell / bell.sum(), times=2)], 0
    whole = np.convolve(*2 * [parts[0].values.astype(np.longdouble)])
    for length in rng.integers(60, 200, size=16):
        at = np.unique(np.append(0, np.flatnonzero(rng.random(length) < filled)))
        values = rng.dirichlet(np.ones(len(at)))
        times, start = int(rng.integers(1, 3)), int(rng.integers(-300, 300))
        parts.append(StepMasses(at + start, values, times))
        row = np.zeros(length, dtype=np.longdouble)
        row[at] = values
        for _ in range(times):
            whole, first = np.convolve(whole, row), first + start
    product = Product.of(parts, 8192)
    found = np.roll(np.fft.irfft(product.value, 8192), product.first - first)[: len(whole)]
    assert len(whole) < 8192
    assert np.linalg.norm((found - whole).astype(float)) <= product.error() < 1e-10
