"""The worst attacker: exact searches against one by one, runs against everything, Li's algorithms, bad input."""

import itertools

import numpy as np
import pytest
from scipy import special, stats

import dplens as dl
from dplens.correlated.models.discrete import DiscreteData
from dplens.correlated.search.discrete import runs as searched
from dplens.correlated.views.queries import release
from tests import effort
from tests.correlated.oracles import knowledge_sets, laws

SEARCH = effort.SEARCHING
LAPLACE = dl.Laplace(scale=1.0)


def one_by_one(data, mechanism, **options):
    return max(float(data.view(mechanism, target=i, known=k, **options).leakage()) for i, k in knowledge_sets(data.n))


@pytest.mark.parametrize("seed", range(40 if SEARCH else 8))
def test_all_states_at_once_equal_one_attacker_after_the_other(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(int(k) for k in rng.integers(2, 4, int(rng.integers(1, 5))))
    joint = rng.dirichlet(np.full(int(np.prod(shape)), 0.5)).reshape(shape)
    joint[rng.random(shape) < 0.2] = 0
    data = dl.DiscreteData(joint=joint / joint.sum())
    for weights in (None, rng.integers(-2, 3, data.n), rng.normal(size=data.n)):
        found = data.worst(LAPLACE, weights=weights)
        assert float(found.leakage) == pytest.approx(one_by_one(data, LAPLACE, weights=weights), abs=1e-11)
        assert found.exhaustive
        assert float(found.view.leakage()) == pytest.approx(max(found.by_known), abs=1e-11)


def test_leakage_by_number_of_known_tuples():
    rng = np.random.default_rng(1)
    data = dl.DiscreteData(joint=rng.dirichlet(np.ones(16)).reshape((2,) * 4))
    found = data.worst(LAPLACE)
    for size in range(4):
        each = [data.view(LAPLACE, target=i, known=k).leakage() for i, k in knowledge_sets(4) if len(k) == size]
        assert found.by_known[size] == pytest.approx(float(max(each)), abs=1e-11)
    assert found.to_dict()["by_known"][3] == {"known": 3, "epsilon": found.by_known[3]}


@pytest.mark.parametrize("seed", range(60 if SEARCH else 10))
def test_runs_equal_everything_on_random_chains(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 8)), 2 if seed % 3 else 3
    n = min(n, 5) if k == 3 else n
    steps = rng.dirichlet(np.full(k, 0.6), size=k if seed % 2 else (n - 1, k))
    chain = dl.MarkovData(initial=rng.dirichlet(np.ones(k)), transition=steps, length=n)
    weights = None if seed % 4 < 2 else rng.integers(-2, 3, n)
    runs = chain.worst(LAPLACE, method="runs", weights=weights)
    everything = chain.worst(LAPLACE, method="exact", weights=weights)
    assert float(runs.leakage) == pytest.approx(float(everything.leakage), abs=1e-10)
    assert (np.array(runs.by_known) >= np.array(everything.by_known) - 1e-10).all()
    assert runs.attackers <= everything.attackers or n < 4


@pytest.mark.parametrize("seed", range(20 if SEARCH else 1))
def test_runs_equal_everything_under_gaussian_noise(seed):
    rng = np.random.default_rng(100 + seed)
    n = 7
    chain = dl.MarkovData(initial=rng.dirichlet(np.ones(2)), transition=rng.dirichlet(np.ones(2), size=(n - 1, 2)))
    noise = dl.Gaussian(sigma=2.0)
    runs = chain.worst(noise, method="runs", delta=1e-2)
    everything = chain.worst(noise, method="exact", delta=1e-2)
    assert float(runs.epsilon) == pytest.approx(float(everything.epsilon), abs=1e-5)


@pytest.mark.verify
@pytest.mark.parametrize("seed", range(40 if SEARCH else 3))
def test_lengths_of_a_homogeneous_chain_miss_no_run_at_a_delta(seed):
    """Every run of the chain by its own view, ∫(q − e^eps·p)⁺ on a dense grid of outputs; some chains have zeros."""
    rng = np.random.default_rng(300 + seed)
    n, k = 9 if SEARCH else 6, 2 + seed % 2
    step = rng.dirichlet(np.ones(k), size=k) + (seed % 3) * np.eye(k)
    step[0, -1] *= seed % 4 > 0
    chain = dl.MarkovData(
        initial=rng.dirichlet(np.ones(k)), transition=step / step.sum(axis=1, keepdims=True), length=n
    )
    sigma, delta = float(rng.uniform(0.5, 5)), float(rng.choice([1e-7, 1e-5, 1e-2]))
    found = chain.worst(dl.Gaussian(sigma=sigma), delta=delta)
    span = (k - 1) * n
    outputs = np.arange(-9 * sigma, span + 9 * sigma, sigma / 300)
    heights = np.exp(-0.5 * (np.subtract.outer(np.arange(span + 1), outputs) / sigma) ** 2) / (300 * (2 * np.pi) ** 0.5)
    least, most = 0.0, 0.0
    for i, a, b in itertools.product(range(n), repeat=3):
        if not a <= i <= b or (
            a > 1 and b < n - 1
        ):  # runs that begin later, and do not end the chain, are no different
            continue
        view = chain.view(dl.Gaussian(sigma=sigma), target=i, known=[j for j in range(n) if not a <= j <= b])
        for pair in () if view.determined else view.pairs:
            p, q = (
                np.bincount(np.round(pair.places[:, 0]).astype(int), m, span + 1) @ heights for m in (pair.p, pair.q)
            )
            for one, other in ((p, q), (q, p)):
                tight, loose = (
                    np.maximum(one - np.exp(e) * other, 0).sum()
                    for e in (found.epsilon, found.epsilon * (1 - 1e-5) - 1e-5)
                )
                least, most = max(least, tight), max(most, loose)
    assert least <= delta * (1 + 2e-5)
    assert most > delta


@pytest.mark.parametrize(("stay", "leave"), [(0.97, 0.03)])
def test_slow_chains_are_bounded_by_their_sides_and_no_run_is_missed(stay, leave):
    """Few of 5000 lengths are looked at; lengths at random by paths on a dense grid of outputs, none is worse."""
    n, sigma, delta, fine = 150, 5.0, 1e-6, 20
    step = np.array([[stay, 1 - stay], [leave, 1 - leave]])
    found = dl.MarkovData(initial=[0.5, 0.5], transition=step, length=n).worst(dl.Gaussian(sigma=sigma), delta=delta)
    assert found.attackers < 700
    assert found.epsilon.high - found.epsilon.low < 0.02
    z = np.arange(-8 * sigma * fine, 8 * sigma * fine + 1) / fine / sigma
    bell = np.exp(-z * z / 2) / np.exp(-z * z / 2).sum()

    def side(start, length, stop):
        state = np.zeros((2, length + 1))
        state[start, 0] = 1
        for _ in range(length):
            state = step.T @ state
            state[1] = np.append(0, state[1, :-1])
        law = step[:, stop] @ state
        return law / law.sum()

    def worst(left, right, epsilon):
        out = []
        for u, w in itertools.product((0, 1), repeat=2):
            laws = []
            for v in (0, 1):
                law = np.zeros((left + right + 1) * fine + 1)
                law[v * fine :: fine][: left + right + 1] = np.convolve(side(u, left, v), side(v, right, w))
                laws.append(np.convolve(law, bell))
            out += [np.maximum(q - np.exp(epsilon) * p, 0).sum() for p, q in (laws, laws[::-1])]
        return max(out)

    rng = np.random.default_rng(5)
    for left, right in [(8, 8), (12, 12), *rng.integers(0, 40, (25, 2)).tolist()]:
        assert worst(left, right, float(found.epsilon)) <= delta * (1 + 1e-4)
    i, unknown = found.target, sorted({*range(n)} - {*found.known})
    if unknown[0] > 0 and unknown[-1] < n - 1:
        assert worst(i - unknown[0], unknown[-1] - i, found.epsilon.low - 0.01) > delta


def test_chains_that_nearly_alternate_are_not_bounded_by_all_moving_together(monkeypatch):
    """Two sides and the target each move the sum by 1, when seen by themselves: 3 at most, not 120."""
    monkeypatch.setattr("dplens.correlated.search.long_runs.RunsAtDelta.patience", 20)
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.001, 0.999], [0.999, 0.001]], length=120)
    found = chain.worst(dl.Gaussian(sigma=1.0))
    assert dl.Gaussian(sigma=1.0).tradeoff().epsilon(1e-5) <= found.epsilon.low * (1 + 1e-6)
    assert found.epsilon.high < dl.Gaussian(sigma=1.0, sensitivity=3.0).tradeoff().epsilon(1e-5)


@pytest.mark.verify
@pytest.mark.parametrize(("stay", "moved"), [([1.0, 1.0], 231), ([0.0, 0.0], 1), ([0.9, 1.0], None)])
def test_long_chains_that_never_forget(stay, moved):
    """All equal: the sum moves by n; in turn: by 1; a state that is not left: sums by the time it is entered."""
    n, sigma, delta = 231, 100.0, 1e-5
    step = [[stay[0], 1 - stay[0]], [1 - stay[1], stay[1]]]
    chain = dl.MarkovData(initial=[0.5, 0.5] if moved else [1.0, 0.0], transition=step, length=n)
    found = chain.worst(dl.Gaussian(sigma=sigma), delta=delta)
    if moved:
        mu = moved / sigma
        for e, over in ((found.epsilon.high, False), (found.epsilon.low * (1 - 1e-6), True)):
            at = special.ndtr(mu / 2 - e / mu) - np.exp(e) * special.ndtr(-mu / 2 - e / mu)
            assert (at > delta) == over
        assert found.epsilon.high < found.epsilon.low + 1e-5
        return
    outputs = np.arange(-7 * sigma, n + 7 * sigma, 2.0)
    heights = stats.norm.pdf(outputs, np.arange(n)[:, None], sigma) * 2.0
    enters = 0.1 * 0.9 ** np.arange(n - 1)  # in tuple 1, 2, …, or not at all
    enters = np.append(enters, 1 - enters.sum())[::-1]  # by the sum
    worst = [0.0, 0.0]
    for target in range(1, n):  # who knows nothing; it is 1 if it is not before what was entered
        p, q = (enters[at] @ heights[at] / enters[at].sum() for at in (slice(n - target), slice(n - target, n)))
        for k, e in enumerate((float(found.epsilon), found.epsilon.low * 0.999)):
            worst[k] = max(worst[k], *(np.maximum(a - np.exp(e) * b, 0).sum() for a, b in ((p, q), (q, p))))
    assert worst[0] <= delta * (1 + 1e-6)
    if not found.known:
        assert worst[1] > delta
    assert found.epsilon.high < found.epsilon.low * 1.01


@pytest.mark.verify
@pytest.mark.parametrize(
    "noise",
    [dl.Gaussian(sigma=2.0), dl.Laplace(scale=1.5), dl.Geometric(scale=2.0), dl.DiscreteGaussian(sigma=1.5)],
)
def test_a_thousand_tuples_at_a_delta(noise):
    """All attackers of a short chain; a long one that has forgotten its ends leaks as one that is less long."""
    few, some, many = (
        dl.MarkovData(initial=[0.5, 0.5], transition=[[0.7, 0.3], [0.2, 0.8]], length=n) for n in (4, 60, 1000)
    )
    everyone, found = few.worst(noise, "exact", delta=1e-4), few.worst(noise, delta=1e-4)
    assert float(found.epsilon) == pytest.approx(float(everyone.epsilon), abs=2e-5)
    assert (np.array(found.by_known) >= np.array(everyone.by_known) - 2e-5).all()
    assert found.by_known[-1] == pytest.approx(everyone.by_known[-1], abs=2e-5)
    made = release(noise, 1000)
    long, less = searched(many, made, 1e-4, None), searched(some, release(noise, 60), 1e-4, None)
    assert long.leakage == pytest.approx(less.leakage, abs=1e-5)
    assert long.leakage > float(found.epsilon) - 1e-5


@pytest.mark.parametrize("noise", [dl.Gaussian(sigma=1.5), dl.Laplace(scale=1.0)])
def test_comparing_at_a_delta_misses_no_attacker(noise):
    """Against ∫(q − e^eps·p)⁺ of every pair of laws, on a dense grid of outputs."""
    rng = np.random.default_rng(11)
    joint = rng.dirichlet(np.full(12, 0.5)).reshape(3, 2, 2)
    joint[1, 0, 1] = 0
    data, weights, delta = dl.DiscreteData(joint=joint / joint.sum()), [1, -2, 1], 3e-3
    found = data.worst(noise, delta=delta, weights=weights)
    y = np.linspace(-30, 30, 24_001)
    for size in range(3):
        above, below = [], []
        for i, known in knowledge_sets(3):
            for case in laws(data.joint, data.values, weights, i, known) if len(known) == size else ():
                densities = [np.exp(noise.log_likelihood(y[:, None] - x)) @ m * (y[1] - y[0]) for x, m in case.values()]
                for p, q in itertools.permutations(densities, 2):
                    for list_, by in ((above, 1e-4), (below, -1e-4)):
                        list_.append(np.maximum(q - np.exp(found.by_known[size] + by) * p, 0).sum())
        assert max(above) < delta < max(below)
    assert float(found.epsilon) >= max(found.by_known) * (1 - 1e-12)


def test_gaussian_chains():
    rng = np.random.default_rng(3)
    for _ in range(5):
        n = 7
        chain = dl.GaussianChain(correlations=rng.uniform(-0.9, 0.9, n - 1), sds=rng.uniform(0.5, 2, n), width=1.2)
        weights = rng.normal(size=n)
        for noise in (LAPLACE, dl.Gaussian(sigma=1.5)):
            runs = chain.worst(noise, method="runs", weights=weights)
            everything = chain.worst(noise, method="exact", weights=weights)
            assert float(runs.epsilon) == pytest.approx(float(everything.epsilon), rel=1e-10)


def test_gaussian_search_equals_one_by_one():
    rng = np.random.default_rng(4)
    a = rng.normal(size=(5, 7))
    data = dl.GaussianData(covariance=a @ a.T, width=[1, 2, 1, 0.5, 1])
    assert float(data.worst(LAPLACE).leakage) == pytest.approx(one_by_one(data, LAPLACE), rel=1e-12)
    found = data.worst(dl.Gaussian(sigma=1.0))
    mus = [data.view(dl.Gaussian(sigma=1.0), target=i, known=k).tradeoff().mu() for i, k in knowledge_sets(5)]
    assert found.tradeoff().mu() == pytest.approx(max(mus), rel=1e-12)
    assert found.delta == 1e-5
    greedy = data.worst(LAPLACE, method="greedy")
    assert not greedy.exhaustive
    assert greedy.leakage <= data.worst(LAPLACE).leakage * (1 + 1e-12)


@pytest.mark.verify
def test_several_releases_on_gaussian_tuples():
    """Runs equal everything, a climb stays below, and the worst is the largest of the views."""
    chain = dl.GaussianChain(correlations=[0.8, -0.3, 0.5, 0.6], sds=[1, 2, 1, 0.5, 1])
    weights = [[1, 1, 1, 1, 1], [1, 0, -1, 2, 0]]
    for noises in ([dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=2.0)], [LAPLACE, dl.Laplace(scale=3.0)]):
        exact, runs, greedy = (chain.worst(noises, m, weights=weights) for m in ("exact", "runs", "greedy"))
        views = [chain.view(noises, target=i, known=k, weights=weights).tradeoff() for i, k in knowledge_sets(5)]
        largest = max(view.epsilon(exact.delta) for view in views)
        assert float(exact.epsilon) == pytest.approx(float(largest), rel=1e-9)
        assert float(runs.epsilon) == pytest.approx(float(exact.epsilon), rel=1e-9)
        assert greedy.epsilon <= exact.epsilon * (1 + 1e-9)
        assert runs.attackers == 35
    with pytest.raises(dl.DplensError, match="chains only"):
        chain.as_data().worst(noises, method="runs", weights=weights)


def test_greedy_stays_below_the_exact_answer_and_its_bound():
    rng = np.random.default_rng(5)
    data = dl.DiscreteData(joint=rng.dirichlet(np.ones(64)).reshape((2,) * 6))
    exact, greedy = data.worst(LAPLACE), data.worst(LAPLACE, method="greedy")
    assert greedy.leakage <= exact.leakage + 1e-12 <= greedy.bound
    assert greedy.bound == 6
    # at a delta: all tuples move with the target
    sure = dl.DiscreteData(joint=data.joint.sum(axis=(0, 1, 2))).worst(dl.Gaussian(sigma=2.0), method="greedy")
    assert sure.epsilon <= sure.bound == pytest.approx(dl.Gaussian(sigma=2.0, sensitivity=3.0).tradeoff().epsilon(1e-5))
    assert f"up to {sure.bound:.4g} at most" in sure.sentence


def test_no_attacker_on_gaussian_tuples_exceeds_the_bound_of_a_climb():
    rng = np.random.default_rng(11)
    for spread in (0.05, 1.0, 4.0):
        for n in (2, 4, 5):
            a = rng.normal(size=(n, n))
            data = dl.GaussianData(covariance=a @ a.T + spread * np.eye(n), width=rng.uniform(0.5, 2, n))
            weights = rng.normal(size=n)
            for noise in (LAPLACE, dl.Gaussian(sigma=0.7)):
                everyone = data.worst(noise, weights=weights)
                assert everyone.epsilon <= data.worst(noise, "greedy", weights=weights).bound < np.inf
    # equal positive correlations: the weakest attacker attains it
    family = dl.GaussianData(covariance=0.3 * np.ones((9, 9)) + 0.7 * np.eye(9))
    found = family.worst(LAPLACE, "greedy")
    assert found.bound == pytest.approx(float(found.leakage), rel=1e-9)
    assert family.worst(dl.Gaussian(sigma=1.0), "greedy").bound < 6


def test_several_models():
    models = [dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]]), dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])]
    found = dl.worst(models, LAPLACE)
    assert found.model_index == 1
    assert float(found.leakage) == float(models[1].worst(LAPLACE).leakage)
    assert found.attackers == 2 * models[0].worst(LAPLACE).attackers


def test_everyone_is_no_safer_than_anyone():
    rng = np.random.default_rng(6)
    data = dl.DiscreteData(joint=rng.dirichlet(np.ones(8)).reshape((2,) * 3))
    found = data.worst(LAPLACE)
    alpha = np.array([1e-3, 0.1, 0.6])
    hull = found.everyone().power(alpha)
    for i, known in knowledge_sets(3):
        one = data.view(LAPLACE, target=i, known=known).tradeoff()
        assert (one.power_bounds(alpha, 1 - alpha).lo <= hull * (1 + 1e-9)).all()
    with pytest.raises(dl.DplensError, match="limit"):
        found.everyone(limit=3)


def test_limits_hold_against_who_is_worst_at_what_they_are_about():
    """Whoever has the largest leakage need not have the largest power; by simulation the other one has 0.765."""
    cells = [.2781, .0005, .3385, .0002, 0, 0, .0489, .2637, .0016, .0009, 0, .0169, .0505, 0, 0, .0001]  # fmt: skip
    data = dl.DiscreteData(joint=np.reshape(cells, (2,) * 4) / 0.9999, values=[[1, 2], [2, 5], [0, 5], [1, 5]])
    noise, weights, question = dl.Laplace(scale=3.0, sensitivity=10.0), [2, 1, 2, 1], dl.AttackPower(fpr=0.01)
    other = data.view(noise, target=2, known=[0, 1], weights=weights)
    assert question.of(data.worst(noise, weights=weights).view) < 0.6 < 0.764 < question.of(other).low
    related = dl.RelatedData(model=data, weights=weights)
    made = dl.assess(noise, data=related, limits=[question.at_most(0.65)])
    assert [v.met for v in made.limits] == [True, False]
    assert question.of(other).low <= made.limits[1].estimate < 0.765


@pytest.mark.verify
@pytest.mark.parametrize(
    ("model", "noise", "method"),
    [
        (dl.MarkovData(initial=[0.6, 0.4], transition=[[0.8, 0.2], [0.3, 0.7]], length=3), LAPLACE, "greedy"),
        (dl.GaussianChain.ar1(correlation=0.6, length=2), LAPLACE, "exact"),
        (dl.GaussianChain.ar1(correlation=0.6, length=3), dl.Gaussian(sigma=1.0), "greedy"),
        (dl.DiscreteData(joint=[[0.5, 0.1], [0.1, 0.3]]), dl.Geometric(scale=1.0), "exact"),
    ],
)
def test_many_attackers_are_bounded(monkeypatch, model, noise, method):
    """Where curves of all would be too many, none is below the bound that is given instead."""
    monkeypatch.setattr("dplens.correlated.search.worst.EXAMINED", 0)
    found, alpha = model.worst(noise, method), np.array([1e-3, 0.1, 0.6])
    most = found.tradeoff().power_bounds(alpha, 1 - alpha).hi
    for i, known in knowledge_sets(model.n):
        one = model.view(noise, target=i, known=known).tradeoff()
        assert (one.power_bounds(alpha, 1 - alpha).lo <= most * (1 + 1e-9)).all()
    own = found.view.tradeoff().power_bounds(alpha, 1 - alpha).hi
    assert (found.tradeoff().power_bounds(alpha, 1 - alpha).lo <= own * (1 + 1e-9)).all()


def test_everyone_is_on_every_model():
    few = dl.DiscreteData(joint=[[0.001, 0.649], [0, 0.35]], values=[[0, 5], [0, 5]])
    most = dl.DiscreteData(joint=[[0.8799, 0.0022], [0.0747, 0.0432]], values=[[0, 4], [0, 4]])
    noise, question = dl.Laplace(scale=3.0), dl.AttackPower(fpr=0.05)
    both = dl.worst([few, most], noise)
    assert both.model_index == 0
    least = max(question.of(most.view(noise, target=i, known=k)).low for i, k in knowledge_sets(2))
    assert 0.57 < least <= min(question.of(both), question.of(both.everyone()))
    sure = dl.DiscreteData(joint=[[1.0]])
    assert dl.Advantage().of(sure.worst(noise).everyone()) == 0  # nothing is left to be learned


# ---- Li's graph -------------------------------------------------------------------------------------------------


def test_algorithms_as_published():
    rng = np.random.default_rng(7)
    data = dl.DiscreteData(joint=rng.dirichlet(np.ones(32)).reshape((2,) * 5))
    graph = data.graph(LAPLACE)
    assert graph.count == 5 * 2**4
    assert [len(layer) for layer in graph.layers] == [5, 20, 30, 20, 5]
    # the rule by hand: minimum over paths of |value + IC|
    for (i, known), value in graph.nodes.items():
        above = [j for j in range(5) if j != i and j not in known]
        paths = []
        for j in above:
            edge = graph.edge(i, j, known)
            paths.append(abs(graph.value(i, (*known, j)) + edge.change))
        assert value == pytest.approx(min(paths) if paths else 1.0, abs=1e-14)
    path = graph.path(2)
    assert len(path) == 4
    total = graph.base[2]
    for edge in path:
        assert -1 <= edge.ratio <= 1
        total = abs(total + edge.change)
    assert total == pytest.approx(graph.value(2))
    exact = data.worst(LAPLACE)
    for method in ("chain", "chain_fast"):
        found = data.worst(LAPLACE, method=method)
        assert found.chain_error == pytest.approx(found.chain_value - float(exact.leakage), abs=1e-10)
        assert not found.exhaustive
    assert (
        data.worst(LAPLACE, method="chain_fast").chain_value >= data.worst(LAPLACE, method="chain").chain_value - 1e-12
    )


def test_binary_edges_have_the_sign_of_the_correlation():
    """Theorem 3(2): two values each."""
    rng = np.random.default_rng(8)
    for _ in range(50):
        data = dl.DiscreteData(joint=rng.dirichlet(np.ones(4)).reshape(2, 2))
        edge = data.graph(LAPLACE).edge(0, 1)
        assert np.sign(edge.ratio) == np.sign(edge.correlation)
        assert edge.correlation == pytest.approx(data.correlation[0, 1], abs=1e-9)


def test_corollary_1():
    ones = dl.KnowledgeGraph.from_edges(lambda *edge: 1.0, n=4)
    assert ones.worst[0] == 4  # group privacy
    assert ones.by_known == (4, 3, 2, 1)
    up = dl.KnowledgeGraph.from_edges(lambda *edge: 0.3, n=5)
    assert up.worst[2] == ()
    down = dl.KnowledgeGraph.from_edges(lambda *edge: -0.3, n=5)
    assert len(down.worst[2]) == 4
    fast = dl.KnowledgeGraph.from_edges(lambda i, j, k: (hash((i, j, k)) % 97) / 97, n=6, fast=True)
    full = dl.KnowledgeGraph.from_edges(lambda i, j, k: (hash((i, j, k)) % 97) / 97, n=6)
    assert fast.worst[0] >= full.worst[0] - 1e-12
    with pytest.raises(ValueError, match="every edge"):
        dl.KnowledgeGraph.from_edges({}, n=2)


def test_corollary_1_needs_more_than_positive_edges():
    """The least over paths may leave a layer's largest node behind: all edges positive, the worst not at the top."""
    edges = {(i, j, k): 0.01 for i in range(3) for j in range(3) for k in ((), *((x,) for x in range(3)))}
    edges[0, 1, (2,)] = 0.9  # (0, {2}) is large, but (0, ∅) is reached more cheaply through (0, {1})
    graph = dl.KnowledgeGraph.from_edges(edges, n=3)
    assert graph.worst[1:] == (0, (2,))
    # attackers who know their target beforehand break the chain: three equal tuples leak 3, the rule says 2
    triplets = dl.DiscreteData(joint=np.array([0.5, 0, 0, 0, 0, 0, 0, 0.5]).reshape(2, 2, 2))
    assert triplets.graph(LAPLACE).worst[0] == pytest.approx(2)
    assert float(triplets.worst(LAPLACE).leakage) == pytest.approx(3)
    strong = dl.KnowledgeGraph.from_edges(lambda *edge: -2.5, n=2)  # all negative, and yet the top is larger
    assert strong.worst[2] == ()


# ---- notions side by side ---------------------------------------------------------------------------------------


def test_frameworks():
    rng = np.random.default_rng(10)
    for _ in range(5):
        data = dl.DiscreteData(joint=rng.dirichlet(np.ones(8)).reshape((2,) * 3))
        found = dl.frameworks(data, LAPLACE)
        assert found.dependent == pytest.approx(float(data.worst(LAPLACE).leakage))
        assert found.inferential == pytest.approx(found.dependent, abs=1e-9)
        assert found.bayesian <= found.dependent + 1e-12 <= found.group + 1e-11
        assert found.mutual_information <= found.membership
        claims = {x.claim for x in found.failed}
        assert claims <= {"dependent <= blowfish"}
    negative = dl.frameworks(dl.DiscreteData(joint=[[0.01, 0.49], [0.49, 0.01]]), LAPLACE)
    assert round(negative.bayesian, 4) == 0.0465
    assert not negative.failed  # suprema over all knowledge sets, not the weakest attacker alone
    alone = dl.frameworks(dl.DiscreteData.independent(marginals=[[0.5, 0.5], [0.3, 0.7]]), LAPLACE)
    assert alone.independent
    assert not alone.failed
    assert alone.dp == pytest.approx(alone.dependent, abs=1e-9)
    twins = dl.frameworks(dl.DiscreteData(joint=[[0.5, 0], [0, 0.5]]), LAPLACE)
    assert twins.blowfish == 2
    policy = dl.frameworks(dl.DiscreteData(joint=np.full((3, 3), 1 / 9)), LAPLACE, policy={0: [(0, 1)]})
    assert policy.pufferfish == pytest.approx(1.0, abs=1e-9)
    assert policy.blowfish == 1
    far = dl.frameworks(dl.DiscreteData(joint=[[0.5, 0], [0, 0.5]], values=[[0, 1], [0, 1500]]), LAPLACE)
    assert far.inferential == pytest.approx(1501)  # densities that are too small for floats
    assert far.membership == pytest.approx(1501 - np.log(2))
    assert far.mutual_information == pytest.approx(np.log(2))
    assert dl.frameworks(dl.GaussianChain.ar1(correlation=0.5, length=60), LAPLACE).dependent == pytest.approx(3)
    gauss = dl.frameworks(dl.GaussianData(covariance=[[1, 0.5], [0.5, 1]]), dl.Gaussian(sigma=1.0))
    assert gauss.delta == 1e-5
    assert gauss.dependent > gauss.dp
    assert "times" in gauss.sentence


# ---- bad input --------------------------------------------------------------------------------------------------

TABLE = dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]])
CHAIN = dl.MarkovData(initial=[1, 0], transition=[[0.5, 0.5], [0, 1]], length=4)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.2]]), "to sum to 1"),
        (lambda: dl.DiscreteData(joint=[[1.3, -0.3], [0, 0]]), ">= 0"),
        (lambda: dl.DiscreteData(joint=[[0.5, 0.5]], values=[[0]]), "values"),
        (lambda: dl.DiscreteData(joint=[0.5, 0.5], values=[[1, 1]]), "different"),
        (lambda: TABLE.view(LAPLACE, target=2), "target"),
        (lambda: TABLE.view(LAPLACE, target=0, known=[0]), "not to hold the target"),
        (lambda: TABLE.view(LAPLACE, target=0, known=[5]), "known"),
        (lambda: TABLE.view(LAPLACE, target=0, known={1: 7}).leakage(), r"known\[1\]"),
        (lambda: TABLE.view(LAPLACE, target=0, weights=[1, 1, 1]), "weights"),
        (lambda: TABLE.view(LAPLACE, target=0, weights=[1, np.inf]), "weights"),
        (lambda: TABLE.view(dl.RandomizedResponse(epsilon=1.0), target=0), "add noise"),
        (lambda: TABLE.view(dl.GaussianDP(mu=1.0), target=0), "add noise"),
        (lambda: TABLE.view(LAPLACE, target=0, pair=(0, 0)), "different"),
        (lambda: TABLE.view(LAPLACE, target=0, pair=(0, 3)), "pair"),
        (lambda: TABLE.view(dl.Geometric(scale=1.0), target=0, weights=[0.5, 1]).leakage(), "whole number"),
        (lambda: TABLE.worst(LAPLACE, method="runs"), "runs"),
        (lambda: TABLE.view(LAPLACE, target=0, query=lambda a, b: a + b), "query to take one array, .*max"),
        (lambda: TABLE.worst(LAPLACE, method="magic"), "method"),
        (lambda: dl.worst([], LAPLACE), "at least one"),
        (lambda: dl.worst([3], LAPLACE), "data model"),
        (lambda: dl.GaussianData(covariance=[[1, 2], [2, 1]]), "positive definite"),
        (lambda: dl.GaussianData(covariance=[[1, 1], [1, 1]]), "singular"),
        (lambda: dl.GaussianData(covariance=[[1, 0.5], [0.4, 1]]), "symmetric"),
        (lambda: dl.GaussianData(covariance=[[1.0]], width=-1), "width"),
        (lambda: dl.GaussianChain(correlations=[1.0]), "between -1 and 1"),
        (lambda: dl.MarkovData(initial=[0.5, 0.5], transition=[[0.5, 0.4], [0, 1]], length=3), "sum to 1"),
        (lambda: dl.MarkovData(initial=[0.5, 0.5], transition=[[0.5, 0.5], [0, 1]]), "length"),
        (lambda: CHAIN.view(LAPLACE, target=1, known={0: 1}).leakage(), "possible"),
        (lambda: CHAIN.view(LAPLACE, target=1, known={2: 0, 3: 1, 0: 1}).leakage(), "possible"),
        (lambda: dl.frameworks(TABLE, LAPLACE, policy={7: [(0, 1)]}), "policy"),
    ],
)
def test_bad_input_is_named_and_explained(make, match):
    with pytest.raises((ValueError, TypeError), match=match) as found:
        make()
    assert isinstance(found.value, dl.DplensError)


def test_perfect_correlation_and_impossible_values_work():
    twins = dl.DiscreteData(joint=[[0.5, 0, 0], [0, 0.5, 0]])
    assert float(twins.view(LAPLACE, target=0).leakage()) == pytest.approx(2)
    assert twins.view(LAPLACE, target=0, known=[1]).determined
    assert twins.view(LAPLACE, target=0, known=[1]).tradeoff().delta(0.0) == 0
    assert twins.view(LAPLACE, target=1, pair=(0, 2)).determined
    assert "already" in twins.view(LAPLACE, target=0, known=[1]).sentence
    steps = dl.MarkovData(initial=[1, 0], transition=[[0.5, 0.5], [0, 1]], length=5)
    assert float(steps.worst(LAPLACE).leakage) == pytest.approx(one_by_one(steps.as_data(), LAPLACE), abs=1e-10)


def test_a_chain_of_1000_tuples():
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.9, 0.1], [0.1, 0.9]], length=60)
    short = chain.worst(LAPLACE, progress=False)
    assert isinstance(chain.view(LAPLACE, target=30).leakage(), dl.Estimate)
    slow = max(
        chain.view(LAPLACE, target=i, known=tuple(j for j in range(60) if not i - a <= j <= i + b)).leakage()
        for i, a, b in ((30, 10, 10), (0, 0, 20), (59, 20, 0), (30, 30, 29), (30, 0, 0))
    )
    assert float(slow) <= float(short.leakage) + 1e-10


def test_interruption_leaves_nothing_behind(monkeypatch):
    from dplens.correlated.search import knowledge_sets as searching

    calls = []

    def interrupted(*args):
        calls.append(args)
        raise KeyboardInterrupt

    monkeypatch.setattr(searching, "_compared", interrupted)
    with pytest.raises(KeyboardInterrupt):
        TABLE.worst(LAPLACE, progress=True)
    monkeypatch.undo()
    assert float(TABLE.worst(LAPLACE, progress=True).leakage) == pytest.approx(1.1854, abs=1e-4)
    assert isinstance(TABLE, DiscreteData)


def test_notions_of_independent_records_agree_within_their_brackets():
    found = dl.frameworks(dl.DiscreteData.independent(marginals=[[0.5, 0.5], [0.5, 0.5]]), dl.Gaussian(sigma=1.0))
    assert not found.failed
    assert "these independent records" in found.sentence


@pytest.mark.parametrize(
    ("noise", "law"),
    [(dl.Gaussian(sigma=1.0), stats.norm()), (LAPLACE, stats.laplace()), (dl.Geometric(scale=1.0), None)],
)
def test_mutual_information_is_enclosed(noise, law):
    """Against the entropy of the output less that of the noise, integrated or summed."""
    prior = np.array([0.2, 0.8])
    found = dl.frameworks(dl.DiscreteData(joint=prior), noise).mutual_information
    x = np.arange(-60, 61) if law is None else np.arange(-40, 40, 1e-4) + 5e-5
    dense = stats.dlaplace(1.0).pmf if law is None else law.pdf
    step = 1.0 if law is None else 1e-4
    mixed = prior[0] * dense(x) + prior[1] * dense(x - 1)
    truth = step * float(np.sum(special.entr(mixed)) - np.sum(special.entr(dense(x))))
    assert found is not None
    assert found.low - 1e-8 < truth < found + 1e-9
    assert found == found.high < found.low * (1 + 1e-3)


def test_notions_for_noise_that_is_not_log_concave() -> None:
    """Uniform noise has no cells; a staircase keeps its steps."""
    uniform = dl.AdditiveNoise(noise=stats.uniform(-2, 4), sensitivity=1.0)
    assert dl.frameworks(dl.DiscreteData(joint=[0.5, 0.5]), uniform).mutual_information is None
    wide = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]], values=[[0, 3], [0, 1]])
    stairs = dl.frameworks(wide, dl.Staircase(epsilon=1.0, sensitivity=1.0))
    assert stairs.dp == pytest.approx(3.0)
    assert stairs.dp < stairs.dependent < stairs.group == pytest.approx(4.0)
    assert stairs.mutual_information is not None
    assert 0 < stairs.mutual_information.low <= stairs.mutual_information <= stairs.mutual_information.low * (1 + 1e-6)


@pytest.mark.parametrize(
    ("change", "noise", "more", "match"),
    [
        ({}, dl.Gaussian(sigma=3.0), {"delta": 1e-10}, "at least 1e-09"),
        ({}, dl.DiscreteGaussian(sigma=150.0), {}, "at most 100"),
        ({}, dl.Gaussian(sigma=0.05), {}, "16 times the noise"),
        ({"values": [0, 0.5]}, dl.Geometric(scale=3.0), {"delta": 1e-6}, "Use whole values"),
        ({}, dl.Gaussian(sigma=3.0), {"weights": [2.0] + [1.0] * 999}, "equal weights"),
        (
            {"transition": [[[0.7, 0.3], [0.2, 0.8]]] + [[[0.8, 0.2]] * 2] * 998},
            dl.Gaussian(sigma=3.0),
            {},
            "with time",
        ),
    ],
)
def test_long_chains_are_refused_for_what_hinders(change, noise, more, match):
    given = {"initial": [0.5, 0.5], "transition": [[0.8, 0.2], [0.2, 0.8]], "length": 1000, **change}
    with pytest.raises(dl.errors.Undefined, match=match):
        dl.MarkovData(**given).worst(noise, **more)


def test_long_chains_leak_without_bound_at_delta_0_and_equal_matrices_are_one():
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[[0.8, 0.2], [0.2, 0.8]]] * 999)
    assert chain.homogeneous
    found = chain.worst(dl.Gaussian(sigma=3.0), delta=0)
    assert found.leakage == found.epsilon == found.bound == found.by_known[-1] == np.inf


def test_long_chains_take_no_longer_than_their_memory():
    """Runs beyond the reach of a chain's memory are not looked at: sums of thousands of tuples would take minutes."""
    found = {
        n: dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.2, 0.8]], length=n).worst(dl.Laplace(scale=2.0))
        for n in (200, 50_000)
    }
    assert found[200].leakage == found[50_000].leakage
    assert len(found[50_000].known) == 50_000 - (200 - len(found[200].known))
