"""Exact leakage against brute force, Li's printed examples, the spec's counterexamples."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

import dplens as dl
from tests import effort
from tests.correlated.oracles import brute_leakage, knowledge_sets

SEARCH = effort.SEARCHING
LAPLACE = dl.Laplace(scale=1.0)


def random_table(rng, most=5):
    n = int(rng.integers(1, most + 1))
    shape = tuple(int(k) for k in rng.integers(2, 5, n))
    joint = rng.dirichlet(np.full(int(np.prod(shape)), 0.4)).reshape(shape)
    if rng.random() < 0.3:  # impossible combinations
        joint = np.where(rng.random(shape) < 0.4, 0.0, joint)
        joint = joint / joint.sum() if joint.sum() > 0 else np.full(shape, 1 / joint.size)
    values = [np.sort(rng.choice(np.arange(-3, 6), k, replace=False)) + 0.0 for k in shape]
    return joint, values, rng.normal(size=n) * rng.choice([0.3, 1.0])


def test_equals_brute_force_on_500_random_tables():
    rng = np.random.default_rng(5)
    for _ in range(5000 if SEARCH else 500):
        joint, values, weights = random_table(rng)
        scale = float(rng.choice([0.3, 1.0, 5.0]))
        n = joint.ndim
        target = int(rng.integers(n))
        known = tuple(j for j in range(n) if j != target and rng.random() < 0.4)
        data = dl.DiscreteData(joint=joint, values=values)
        found = data.view(dl.Laplace(scale=scale), target=target, known=known, weights=weights).leakage()
        brute = brute_leakage(joint, values, weights, scale, target, known, points=101)
        assert float(found) == pytest.approx(brute, abs=1e-10)
        assert found.low - 1e-12 <= brute <= found.high + 1e-12


def test_no_output_between_the_sums_is_worse():
    rng = np.random.default_rng(6)
    for _ in range(25):
        joint, values, weights = random_table(rng, 3)
        data = dl.DiscreteData(joint=joint, values=values)
        found = data.view(LAPLACE, target=0, weights=weights).leakage()
        assert brute_leakage(joint, values, weights, 1.0, 0, (), points=20001) <= found.high + 1e-12


@pytest.mark.parametrize(
    ("joint", "values", "expected"),
    [
        ([[0.3, 0.2], [0.2, 0.3]], None, 1.1854),
        ([[0.2, 0.3], [0.3, 0.2]], None, 0.8146),
        ([[0.49, 0.01], [0.01, 0.49]], None, 1.9535),
        ([[0.01, 0.49], [0.49, 0.01]], None, 0.0465),
        ([[0.5, 0], [0, 0.5]], None, 2.0),
        ([[0.5, 0], [0, 0.5]], [[0, 1], [0, 5]], 6.0),
    ],
)
def test_printed_examples(joint, values, expected):
    data = dl.DiscreteData(joint=joint, values=values)
    assert round(float(data.view(LAPLACE, target=0).leakage()), 4) == expected


def test_strongest_attacker_sees_the_range_over_the_scale():
    data = dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]], values=[[0, 1], [0, 5]])
    assert float(data.view(LAPLACE, target=1, known=[0], weights=[1, 0.5]).leakage()) == pytest.approx(2.5, abs=1e-12)


def test_counterexample_to_the_chain_rule():
    data = dl.DiscreteData(joint=[[0, 0.15, 0], [0.42, 0.02, 0.41]], values=[[0, 1], [0, 1, 5]])
    assert float(data.view(LAPLACE, target=0).leakage()) == pytest.approx(4.2787, abs=5e-5)
    assert data.graph(LAPLACE).value(0) == pytest.approx(0.6812, abs=5e-5)


def test_counterexample_to_theorem_3_3():
    # x_j = ½ given x_i = 0; 0 or 1 with .49/.51 given x_i = 1
    data = dl.DiscreteData(joint=[[0, 0.5, 0], [0.245, 0, 0.255]], values=[[0, 1], [0, 0.5, 1]])
    edge = data.graph(dl.Laplace(scale=1.01)).edge(0, 1)
    assert edge.correlation > 0
    assert edge.change == pytest.approx(-0.109, abs=5e-4)


def test_share_of_tables_on_which_the_chain_rule_understates():
    rng = np.random.default_rng(0)
    count, under = 4000 if SEARCH else 1000, 0
    for _ in range(count):
        k = rng.integers(2, 4, 2)
        values = [np.arange(k[0]), np.sort(rng.choice(6, k[1], replace=False))]
        data = dl.DiscreteData(joint=rng.dirichlet(np.full(int(k.prod()), 0.4)).reshape(k), values=values)
        exact = data.view(LAPLACE, target=0).leakage()
        under += data.graph(LAPLACE).value(0) < exact.low - 1e-9
    share = under / count
    assert share == pytest.approx(0.46, abs=3 * (0.46 * 0.54 / count) ** 0.5 + 0.005)


def test_independent_tuples_knowledge_changes_nothing():
    data = dl.DiscreteData.independent(marginals=[[0.2, 0.8], [0.5, 0.5], [0.1, 0.9]])
    found = {round(float(data.view(LAPLACE, target=0, known=k).leakage()), 12) for i, k in knowledge_sets(3) if i == 0}
    assert found == {1.0}
    mixed = data.view(LAPLACE, target=0).tradeoff()
    assert mixed.delta(0.0) <= dl.Laplace(scale=1.0).tradeoff().delta(0.0) * (1 + 1e-9)


def test_who_learns_most_of_two_records_is_told_by_the_correlation_if_they_have_two_values():
    """With the same two values each; with three it is not, and the weakest attacker may learn more below 0, too."""
    rng = np.random.default_rng(9)
    for _ in range(40):
        joint, values = rng.dirichlet(np.ones(4)).reshape(2, 2), [np.sort(rng.uniform(-1, 2, 2))] * 2
        weakest, strongest = (brute_leakage(joint, values, np.ones(2), 0.7, 0, known, points=3) for known in ((), (1,)))
        assert (weakest > strongest) == (np.linalg.det(joint) > 0)
    counts = np.array([[62, 1, 16], [1, 44, 371], [16, 371, 117]])
    x = np.array([0, 0.5, 1])
    joint = counts / counts.sum()
    assert x @ joint @ x < (joint.sum(axis=1) @ x) ** 2
    data = dl.DiscreteData(joint=joint, values=[x, x])
    assert data.view(LAPLACE, target=0).leakage() > 1.43 > data.view(LAPLACE, target=0, known=[1]).leakage()


def test_geometric_noise_leaks_like_laplace_on_whole_numbers():
    rng = np.random.default_rng(3)
    data = dl.DiscreteData(joint=rng.dirichlet(np.ones(27)).reshape(3, 3, 3))
    for i, known in knowledge_sets(3):
        a, b = (data.view(m(scale=1.5), target=i, known=known).leakage() for m in (dl.Laplace, dl.Geometric))
        assert float(a) == pytest.approx(float(b), abs=1e-12)


def test_several_releases_attain_their_leakage_on_the_grid_of_attainable_values():
    rng = np.random.default_rng(4)
    joint = rng.dirichlet(np.ones(8)).reshape(2, 2, 2)
    data = dl.DiscreteData(joint=joint)
    weights = np.array([[1, 1, 1], [1, 2, 0]])
    view = data.view([dl.Laplace(scale=1.0), dl.Laplace(scale=0.7)], target=0, weights=weights)
    x = np.array(np.meshgrid(np.linspace(-2, 5, 141), np.linspace(-2, 5, 141))).reshape(2, -1).T
    density = []
    for v in (0, 1):
        total = 0.0
        for b in (0, 1):
            for c in (0, 1):
                s = weights @ np.array([v, b, c])
                total = total + joint[v, b, c] * np.exp(-np.abs(x - s) @ [1 / 1.0, 1 / 0.7])
        density.append(np.log(total / joint[v].sum()))
    brute = np.abs(density[1] - density[0]).max()
    assert brute <= float(view.leakage()) + 1e-12
    assert brute == pytest.approx(float(view.leakage()), abs=1e-2)


def test_gaussian_closed_form_by_integration():
    rng = np.random.default_rng(8)
    for _ in range(5):
        a = rng.normal(size=(3, 5))
        data = dl.GaussianData(covariance=a @ a.T, width=1.3)
        weights = rng.normal(size=3)
        view = data.view(dl.Laplace(scale=0.8), target=1, known=[2], weights=weights)
        shift, sd = float(view.shift[0]), float(view.spread[0, 0]) ** 0.5

        def density(r, sd=sd):
            edges = [-12 * sd, min(max(r, -11 * sd), 11 * sd), 12 * sd]
            f = lambda z: stats.norm.pdf(z, scale=sd) * np.exp(-abs(r - z) / 0.8)  # noqa: E731
            return sum(integrate.quad(f, lo, hi, epsabs=0, epsrel=1e-12)[0] for lo, hi in pairwise(edges))

        far = 14 * sd + 10
        assert abs(np.log(density(far) / density(far - abs(shift)))) == pytest.approx(view.leakage(), rel=1e-8)
    two = dl.GaussianData(covariance=[[1, 0.3], [0.3, 1]], width=2.0)
    assert float(two.view(LAPLACE, target=0).leakage()) == pytest.approx(2.6, rel=1e-12)  # |1 + ρ|·M/scale


def test_correlation_below_what_is_possible_is_refused():
    matrix = np.full((15, 15), -0.8) + 1.8 * np.eye(15)
    with pytest.raises(ValueError, match=r"-10\.2"):
        dl.GaussianData(covariance=matrix)
