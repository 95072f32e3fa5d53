"""A view's curve against simulated attacks, exact references and the other routes to it."""

import math

import numpy as np
import pytest
from scipy import stats

import dplens as dl
from dplens.correlated.views.pairs import MixturePair
from tests import effort
from tests.correlated.oracles import laws

SEARCH = effort.SEARCHING
DRAWS = 10**6


def models(count):
    """Small models, a third of them with ternary tuples, and a noise for each."""
    rng = np.random.default_rng(50)
    noises = [
        dl.Laplace(scale=1.0),
        dl.Gaussian(sigma=1.2),
        dl.Geometric(scale=1.5),
        dl.DiscreteGaussian(sigma=1.5),
        dl.AdditiveNoise(noise=stats.logistic(scale=0.7)),
    ]
    for i in range(count):
        shape = (3,) * int(rng.integers(2, 4)) if i % 3 == 0 else (2,) * int(rng.integers(2, 5))
        joint = rng.dirichlet(np.full(int(np.prod(shape)), 0.7)).reshape(shape)
        yield joint, noises[i % len(noises)], rng


def noise_of(mechanism, size, rng):
    if isinstance(mechanism, dl.Laplace):
        return rng.laplace(scale=mechanism.scale, size=size)
    if isinstance(mechanism, dl.Gaussian):
        return rng.normal(scale=mechanism.sigma, size=size)
    if isinstance(mechanism, dl.AdditiveNoise):
        return rng.logistic(scale=0.7, size=size)
    if isinstance(mechanism, dl.Geometric):
        p = -np.expm1(-1 / mechanism.scale)
        return (rng.geometric(p, size) - rng.geometric(p, size)).astype(float)
    k = np.arange(-60, 61)
    mass = np.exp(-(k**2) / (2 * mechanism.sigma**2))
    return rng.choice(k, size, p=mass / mass.sum()).astype(float)


def log_densities(mechanism, r, found):
    """log-densities (or masses) of the output in each world, from the definition."""
    shape = {
        dl.Laplace: lambda x: -np.abs(x) / mechanism.scale,
        dl.Geometric: lambda x: -np.abs(x) / mechanism.scale,
        dl.Gaussian: lambda x: -(x**2) / (2 * mechanism.sigma**2),
        dl.DiscreteGaussian: lambda x: -(x**2) / (2 * mechanism.sigma**2),
        dl.AdditiveNoise: lambda x: stats.logistic.logpdf(x, scale=0.7),
    }[type(mechanism)]
    return [np.log(np.exp(shape(r[:, None] - s)) @ m) for s, m in found]


def read(values, grid, at):
    """Values on an even grid, straight between its points: np.interp without its search."""
    steps = (at - grid[0]) / (grid[1] - grid[0])
    left = np.clip(steps.astype(np.int64), 0, len(grid) - 2)
    return values[left] + np.clip(steps - left, 0, 1) * (values[left + 1] - values[left])


@pytest.mark.verify
def test_curves_agree_with_simulated_attacks():
    """Outputs are drawn from the model, the likelihood ratio decides: its error rates must lie on the curve."""
    off = []
    for joint, mechanism, rng in models(50):
        n = joint.ndim
        values = [np.arange(k, dtype=float) for k in joint.shape]
        known = tuple(j for j in range(1, n) if rng.random() < 0.3)
        found = next(iter(laws(joint, values, np.ones(n), 0, known)))
        a, b = min(found), max(found)
        data = dl.DiscreteData(joint=joint)
        view = data.view(mechanism, target=0, known=dict.fromkeys(known, 0.0) or None, pair=(a, b))
        grid = np.arange(-25, 35, 1.0 if isinstance(mechanism, (dl.Geometric, dl.DiscreteGaussian)) else 2e-3)
        first, second = log_densities(mechanism, grid, [found[a], found[b]])
        drawn = []
        for v in (a, b):
            sums = np.repeat(found[v][0], rng.multinomial(DRAWS, found[v][1]))
            drawn.append(read(second - first, grid, sums + noise_of(mechanism, DRAWS, rng)))
        curve = view.tradeoff("add")
        # an atom of the ratio is taken whole: which of its floats round up differs between the worlds (Mironov 2012)
        for level in np.quantile(drawn[0][:20000], [0.5, 0.9]) - 1e-9:
            alpha, power = (float(np.mean(d > level)) for d in drawn)
            low, high = (
                float(curve.power_bounds(np.array([alpha]), np.array([1 - alpha])).end(s > 0)[0]) for s in (-1, 1)
            )
            assert high - low < 1e-3
            error = np.sqrt((power * (1 - power) + np.exp(2 * level) * alpha * (1 - alpha)) / DRAWS) + 1e-6
            off.append(max(power - high, low - power, 0.0) / error)
    # 3 standard errors; of 100 comparisons one may lie beyond by chance, none far
    assert sum(x > 3 for x in off) <= 1
    assert max(off) < 4


def test_every_route_gives_the_same_laplace_curve():
    rng = np.random.default_rng(2)
    places = np.sort(rng.uniform(0, 6, 9))[:, None]
    p, q = rng.dirichlet(np.ones(9), 2)
    pair = MixturePair((dl.Laplace(scale=0.8),), places, p, q)
    exact, cells = pair.curve(), pair.curve(share=0.5)
    assert type(exact) is not type(cells)
    alpha = np.array([1e-9, 1e-3, 0.05, 0.3, 0.9])
    for side in (1, -1):
        close = exact.power_bounds(alpha, 1 - alpha).end(side > 0)
        rough = [cells.power_bounds(alpha, 1 - alpha).end(s > 0) for s in (1, -1)]
        assert (rough[1] <= close * (1 + 1e-6)).all()
        assert (close <= rough[0] * (1 + 1e-6)).all()
    # and a dense sum over outputs
    r = np.linspace(-40, 50, 400_001)
    densities = [np.exp(-np.abs(r[:, None] - places[:, 0]) / 0.8) @ m / 1.6 for m in (p, q)]
    for e in (0.0, 0.1, 0.4):
        gap = np.maximum(densities[1] - np.exp(e) * densities[0], 0)
        delta = float(np.sum((gap[1:] + gap[:-1]) / 2) * (r[1] - r[0]))
        assert exact.delta(e) == pytest.approx(delta, abs=1e-7)


def test_gaussian_data_curves():
    data = dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 2.0]], width=1.5)
    view = data.view(dl.Laplace(scale=0.7), target=0)
    rng = np.random.default_rng(9)
    noise = rng.laplace(scale=0.7, size=DRAWS) + rng.normal(scale=float(view.spread[0, 0]) ** 0.5, size=DRAWS)
    f = view.tradeoff()
    for alpha in (0.01, 0.2):
        threshold = np.quantile(noise, 1 - alpha)
        power = float(np.mean(noise + float(view.shift[0]) > threshold))
        slope = np.exp(float(view.leakage()))
        error = 3 * ((power * (1 - power) + slope**2 * alpha * (1 - alpha)) / DRAWS) ** 0.5
        assert f.power(alpha) == pytest.approx(power, abs=error)
    mu = data.view(dl.Gaussian(sigma=2.0), target=0, known=[1]).tradeoff().mu()
    assert mu == pytest.approx(1.5 / 2.0, rel=1e-12)
    weak = data.view(dl.Gaussian(sigma=2.0), target=0).tradeoff().mu()
    assert weak == pytest.approx(1.5 * 1.5 / (2.0 - 0.25 + 4.0) ** 0.5, rel=1e-12)


def test_other_noise_on_gaussian_data_is_enclosed():
    view = dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 2.0]], width=1.5).view(
        dl.AdditiveNoise(noise=stats.logistic(scale=0.5)), target=0
    )
    x = np.arange(-30, 30, 0.01)
    densities = [law.pdf(x) for law in (stats.norm(scale=1.75**0.5), stats.logistic(scale=0.5))]
    both = 0.01 * np.convolve(*densities, "same")
    truth = 0.5 * 0.01 * float(np.sum(np.abs(both[225:] - both[:-225])))  # two values move the sum by 2.25
    found = dl.Advantage().of(view)
    assert found.low <= truth <= found.high < dl.Advantage().of(dl.GaussianDP(mu=2.25 / 1.75**0.5)) + 1e-5
    leakage = view.leakage()
    assert leakage.low <= 4.5 <= leakage.high <= 4.5 * (1 + 1e-12)


def test_the_curve_of_a_view_is_the_worst_over_pairs_and_known_values():
    rng = np.random.default_rng(12)
    data = dl.DiscreteData(joint=rng.dirichlet(np.ones(12)).reshape(3, 4))
    view = data.view(dl.Laplace(scale=1.0), target=0, known=[1])
    alpha = np.array([1e-4, 0.05, 0.5])
    whole = view.tradeoff().power(alpha)
    for x in range(4):
        for pair in ((0, 1), (2, 0)):
            one = data.view(dl.Laplace(scale=1.0), target=0, known={1: x}, pair=pair).tradeoff()
            assert (one.power_bounds(alpha, 1 - alpha).lo <= whole * (1 + 1e-9)).all()
    assert view.tradeoff().epsilon(0.0) == pytest.approx(float(view.leakage()), abs=1e-9)


def test_posteriors_of_figure_2():
    """Output 2, attackers who know nothing or x_1 = 1; perfect, weak and no correlation (Li, Figure 2)."""
    laplace = dl.Laplace(scale=1.0)
    for joint in (
        [[0.5, 0], [0, 0.5]],
        [[0.3, 0.2], [0.2, 0.3]],
        [[0.25, 0.25], [0.25, 0.25]],
        [[0.2, 0.3], [0.3, 0.2]],
    ):
        table = np.array(joint)
        view = dl.DiscreteData(joint=table).view(laplace, target=0, pair=(0, 1))
        weight = np.exp(-np.abs(2 - np.add.outer([0, 1], [0, 1])))
        truth = (table * weight)[1].sum() / (table * weight).sum()
        assert dl.Attack(view, prior=view.prior).posterior(2.0) == pytest.approx(truth, rel=1e-12)
        assert view.posterior_law(2.0)[1.0] == pytest.approx(truth, rel=1e-12)
    strong = dl.DiscreteData(joint=[[0.5, 0], [0, 0.5]]).view(laplace, target=0, known={1: 1})
    assert strong.determined
    assert strong.leakage() == 0
    assert strong.prior_law == {0.0: 0.0, 1.0: 1.0}


def test_calibration_aims_at_views_and_at_the_worst():
    data = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])
    fit = dl.calibrate(lambda s: data.view(dl.Laplace(scale=s), target=0), meet=[dl.Advantage().at_most(0.1)])
    assert fit.achieved[0] <= 0.1
    assert dl.Advantage().of(data.view(dl.Laplace(scale=fit.value * (1 - 1e-8)), target=0)).high > 0.1
    worst = dl.calibrate(lambda s: data.worst(dl.Laplace(scale=s)), meet=[dl.Epsilon(delta=0.0).at_most(1.0)])
    assert float(data.worst(dl.Laplace(scale=worst.value)).leakage) <= 1 + 1e-12
    gauss = dl.GaussianData(covariance=[[1, 0.5], [0.5, 1]])
    fit = dl.calibrate(lambda s: gauss.worst(dl.Gaussian(sigma=s)), meet=[dl.Mu().at_most(0.5)])
    assert fit.value == pytest.approx((1.5**2 / 0.25 - 0.75) ** 0.5, rel=1e-6)


def test_releases_share_the_unknown_tuples():
    """Two Gaussian releases of one sum are one release with less noise; two Laplace releases are no composition."""
    rng = np.random.default_rng(1)
    data = dl.DiscreteData(joint=rng.dirichlet(np.ones(8)).reshape(2, 2, 2))
    twice = data.view([dl.Gaussian(sigma=2.0)] * 2, target=0)
    once = data.view(dl.Gaussian(sigma=2.0 / 2**0.5), target=0)
    assert dl.Advantage().of(twice) == pytest.approx(float(dl.Advantage().of(once)), abs=1e-6)
    both = data.view([dl.Laplace(scale=2.0)] * 2, target=0, pair=(0, 1))
    outputs = both.experiment().outputs
    found = next(iter(laws(data.joint, data.values, np.ones(3), 0, ())))
    size = 400_000
    drawn = []
    for v in (0, 1):
        sums = np.repeat(found[v][0], rng.multinomial(size, found[v][1]))
        drawn.append(outputs.loss(sums[:, None] + rng.laplace(scale=2.0, size=(size, 2))))
    advantage = float(np.mean(drawn[1] > 0) - np.mean(drawn[0] > 0))
    found = dl.Advantage().of(both)
    assert found.low - 0.004 <= advantage <= found.high + 0.004
    assert found.high - found.low < 1e-3


def test_releases_share_unknown_gaussian_tuples():
    """Laplace noise: enclosed, against the best test by quadrature over the shared unknown part."""
    rng = np.random.default_rng(3)
    data = dl.GaussianData(covariance=0.4 + 0.6 * np.eye(4), width=1.0)
    view = data.view([dl.Laplace(scale=1.0), dl.Laplace(scale=2.0)], target=0, known=(1,), weights=np.ones((2, 4)))
    sd, shift, size = float(np.sqrt(view.spread[0, 0])), view.shift, 40_000
    node, weight = np.polynomial.hermite_e.hermegauss(120)

    def log_density(y, mean):
        gap = np.abs(y[:, :, None] - mean[:, None] - sd * node)
        return np.log(np.exp(-gap[:, 0] - gap[:, 1] / 2) @ weight)

    drawn = []
    for mean in (np.zeros(2), shift):
        y = mean + sd * rng.normal(size=(size, 1)) + rng.laplace(scale=[1.0, 2.0], size=(size, 2))
        drawn.append(
            np.concatenate([log_density(part, shift) - log_density(part, 0 * shift) for part in np.split(y, 20)])
        )
    advantage = float(np.mean(drawn[1] > 0) - np.mean(drawn[0] > 0))
    found = dl.Advantage().of(view)
    assert found.low - 0.01 <= advantage <= found.high + 0.01
    power, found = float(np.mean(drawn[1] > np.quantile(drawn[0], 0.95))), dl.AttackPower(fpr=0.05).of(view)
    assert found.low - 0.01 <= power <= found.high + 0.01
    # a release that does not follow the target tells of what is unknown
    twin = dl.GaussianData(covariance=np.eye(2), width=1.0)
    noises = [dl.Laplace(scale=0.1), dl.Laplace(scale=0.01)]
    both = twin.view(noises, target=0, weights=[[1, 1], [0, 1]])
    assert dl.Advantage().of(both).high >= 0.9
    assert float(view.leakage()) == pytest.approx(abs(shift[0]) + abs(shift[1]) / 2, rel=1e-12)


def test_beliefs_after_several_releases_of_gaussian_tuples():
    data = dl.GaussianData(covariance=0.4 + 0.6 * np.eye(3), width=2.0)
    weights, y = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 2.0]]), np.array([1.7, -0.4])
    noises = [dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=0.5)]
    view = data.view(noises, target=0, known={1: 0.3}, weights=weights, pair=(-0.5, 1.0))
    # by conditioning the joint normal law of (target, known, outputs) directly
    joint = np.block([[data.covariance, data.covariance @ weights.T], [weights @ data.covariance, np.zeros((2, 2))]])
    joint[3:, 3:] = weights @ data.covariance @ weights.T + np.diag([1.0, 0.25])
    gain = joint[np.ix_([3, 4], [0, 1])] @ np.linalg.inv(joint[:2, :2])
    left = joint[3:, 3:] - gain @ joint[np.ix_([0, 1], [3, 4])]
    densities = [stats.multivariate_normal(gain @ [v, 0.3], left).pdf(y) for v in (-0.5, 1.0)]
    expected = densities[1] / sum(densities)
    assert dl.Attack(view, prior=0.5).posterior(y) == pytest.approx(expected, rel=1e-10)
    # nothing unknown: Laplace noise on each, by hand
    known = data.view([dl.Laplace(scale=1.0)] * 2, target=0, known={1: 0.3, 2: 1.0}, weights=weights, pair=(-0.5, 1.0))
    ratio = [np.exp(-np.abs(y - weights @ [v, 0.3, 1.0]).sum()) for v in (-0.5, 1.0)]
    assert dl.Attack(known, prior=0.5).posterior(y) == pytest.approx(ratio[1] / sum(ratio), rel=1e-12)
    unknown = data.view([dl.Laplace(scale=1.0)] * 2, target=0, weights=weights, pair=(-0.5, 1.0))
    with pytest.raises(dl.DplensError, match="Gaussian noise on all"):
        dl.Attack(unknown, prior=0.5).posterior(y)


def test_any_query_by_enumeration():
    rng = np.random.default_rng(2)
    data = dl.DiscreteData(joint=rng.dirichlet(np.ones(27)).reshape(3, 3, 3))
    linear = data.view(dl.Laplace(scale=1.0), target=1, known=[0], weights=[1, -2, 0.5])
    asked = data.view(dl.Laplace(scale=1.0), target=1, known=[0], query=lambda x: x[0] - 2 * x[1] + 0.5 * x[2])
    assert float(asked.leakage()) == pytest.approx(float(linear.leakage()), abs=1e-12)
    top = data.view(dl.Laplace(scale=1.0), target=1, query=lambda x: x.max())
    cells = data.view([dl.Laplace(scale=1.0)] * 2, target=1, query=lambda x: [(x == 0).sum(), (x == 1).sum()])
    assert 0 < float(top.leakage()) <= top.group_bound
    assert 0 < float(cells.leakage()) <= cells.group_bound


def test_the_hull_of_finite_pairs_is_below_each_of_them():
    """Vertices of different pairs at the same alpha up to rounding: the higher one must stay."""
    rng = np.random.default_rng(1)
    data = dl.DiscreteData(joint=rng.dirichlet(np.full(256, 0.3)).reshape((4,) * 4))
    parts = [pair.curve().risky for pair in data.view(dl.Geometric(scale=1.0), target=0).pairs]
    hull = dl.infimum(*parts, *(part.inverse() for part in parts))
    for alpha in (1e-3, 0.01, 0.03, 0.2):
        assert hull.power(alpha) >= max(c.power(alpha) for part in parts for c in (part, part.inverse())) * (1 - 1e-12)


def test_several_releases_of_bounded_losses_leak_boundedly() -> None:
    """Perfectly related tuples: far out the losses of Laplace and logistic noise are the shifts over their scales."""
    data = dl.DiscreteData(joint=[[0.5, 0], [0, 0.5]])
    noises = [dl.Laplace(scale=2.0), dl.AdditiveNoise(noise=stats.logistic(scale=0.5), sensitivity=1.0)]
    found = data.view(noises, target=0, weights=[[1, 1], [1, 0]]).leakage()
    assert found.low <= 2 / 2.0 + 1 / 0.5 <= found == pytest.approx(3.0, rel=1e-3)
    found = data.view([dl.Gaussian(sigma=1.0), noises[1]], target=0).leakage()
    assert found.low == math.inf


IMPOSSIBLE = [
    (dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3], [0.0, 0.0]], values=[[0, 1, 2], [0, 1]]), {"target": 0}),
    (
        dl.DiscreteData(joint=[[0.3, 0.0], [0.0, 0.3], [0.2, 0.2]], values=[[0, 1, 2], [0, 1]]),
        {"target": 0, "known": [1]},
    ),
    (
        dl.MarkovData(
            initial=[1.0, 0.0, 0.0], transition=[[0.0, 0.5, 0.5], [0.2, 0.4, 0.4], [0.2, 0.4, 0.4]], length=2
        ),
        {"target": 1, "known": [0]},
    ),
]


@pytest.mark.parametrize("noise", [dl.Laplace(scale=1.0), dl.Gaussian(sigma=1.0), dl.Geometric(scale=1.0)])
@pytest.mark.parametrize(("data", "view"), IMPOSSIBLE)
def test_values_that_are_never_possible_together_are_not_compared(data, view, noise):
    found = data.view(noise, **view)
    assert 0 < dl.Advantage().of(found) < 1
    assert found.leakage() > 0
    assert data.worst(noise).leakage.high >= found.leakage().low


def test_a_value_without_probability_changes_nothing():
    with_it = IMPOSSIBLE[0][0].view(dl.Laplace(scale=1.0), target=0)
    without = dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]]).view(dl.Laplace(scale=1.0), target=0)
    assert dl.Advantage().of(with_it) == pytest.approx(dl.Advantage().of(without), abs=1e-12)
