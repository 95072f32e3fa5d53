"""The attacker's test on related records: sizes and powers by brute force over outputs, thresholds, refusals."""

import math
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

import dplens as dl
from tests.correlated.oracles import laws

STAIRCASE = dl.Staircase(epsilon=1.0, sensitivity=1.0)
NOISES = {
    "laplace": dl.Laplace(scale=1.3),
    "gaussian": dl.Gaussian(sigma=1.1),
    "staircase": STAIRCASE,
    "geometric": dl.Geometric(scale=1.3),
    "discrete": dl.DiscreteGaussian(sigma=1.1),
}
COUPLE = dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]])
# who answers 1 tends to go with an outermost value of the other: the ratio turns twice
TURNING = dl.DiscreteData(joint=[[0.01, 0.25, 0.24, 0.01], [0.2, 0.05, 0.04, 0.2]], values=[[0, 1], [0, 1, 6, 9]])
STEP = [[0.8, 0.2], [0.3, 0.7]]
CHAIN = dl.MarkovData(initial=[0.5, 0.5], transition=STEP, length=5)
LONG = dl.MarkovData(initial=[0.5, 0.5], transition=STEP, length=20)
VIEWS = {
    "couple": (COUPLE, {"target": 0, "pair": (0, 1)}),
    "couple known": (COUPLE, {"target": 0, "pair": (0, 1), "known": {1: 1}}),
    "falling": (COUPLE, {"target": 0, "pair": (1, 0)}),
    "turning": (TURNING, {"target": 0, "pair": (0, 1)}),
    "chain": (CHAIN, {"target": 0, "pair": (0, 1)}),
    "chain known": (CHAIN, {"target": 2, "pair": (0, 1), "known": {0: 1}}),
}


def sides(model, options):
    """(sums, masses) of the query in either world, by enumeration, with what the known tuples add."""
    known = options.get("known", {})
    if model is COUPLE or model is TURNING:
        joint, values = np.asarray(model.joint), [list(v) for v in model.values]
    else:
        n, states = 5, 2
        joint = np.empty((states,) * n)
        for path in np.ndindex(*joint.shape):
            steps = [STEP[a][b] for a, b in pairwise(path)]
            joint[path] = 0.5 * math.prod(float(x) for x in steps)
        values = [[0, 1]] * n
    given = tuple(known)
    for at, found in zip(np.ndindex(*(joint.shape[j] for j in given)), laws(joint, values, [1] * joint.ndim,
                         options["target"], given)):  # fmt: skip
        if all(values[j][k] == known[j] for j, k in zip(given, at)):
            return [found[int(v)] for v in options["pair"]]
    raise AssertionError


def staircase_cdf(x):
    """∫ of the density, step by step."""
    b, gamma = math.exp(-STAIRCASE.epsilon), STAIRCASE.gamma
    height = (1 - b) / (2 * (gamma + b * (1 - gamma)))
    whole, part = np.divmod(np.abs(x), 1.0)
    step = height * b**whole
    inside = step * np.minimum(part, gamma) + step * b * np.maximum(part - gamma, 0.0)
    before = 0.5 * (1 - b**whole)
    return np.where(x > 0, 0.5 + before + inside, 0.5 - before - inside)


CDF = {
    "laplace": stats.laplace(scale=1.3).cdf,
    "gaussian": stats.norm(scale=1.1).cdf,
    "staircase": staircase_cdf,
}


def normal_pmf(k):
    j = np.arange(-60, 61)
    return np.exp(-0.5 * (k / 1.1) ** 2) / math.fsum(np.exp(-0.5 * (j / 1.1) ** 2))


PMF = {"geometric": partial(stats.dlaplace.pmf, a=1 / 1.3), "discrete": normal_pmf}


def rates(attack, name, both):
    """False-positive rate and power of what the attack rejects, without a look at its curve."""
    if name in PMF:
        k = np.arange(-150, 170.0)
        chance = attack.rejection(k)
        return [float(sum(m * (PMF[name](k - s) @ chance) for s, m in zip(*side))) for side in both]
    grid = np.linspace(-40.0237, 60.0191, 40001)
    chance = attack.rejection(grid)
    at = np.flatnonzero(chance[1:] != chance[:-1])
    low, high = grid[at], grid[at + 1]
    for _ in range(60):
        middle = (low + high) / 2
        same = attack.rejection(middle) == chance[at] if len(at) else np.zeros(0, bool)
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    edges = np.concatenate([[-1e4], high, [1e4]])
    level = np.concatenate([chance[:1], chance[at + 1]])
    out = []
    for sums, masses in both:
        below = sum(m * CDF[name](edges - s) for s, m in zip(sums, masses))
        out.append(float(np.diff(below) @ level))
    return out


@pytest.mark.verify
@pytest.mark.parametrize("fpr", [0.003, 0.1, 0.37, 0.8])
@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("who", VIEWS)
def test_the_test_has_its_size_and_the_power_of_the_curve(who, name, fpr):
    model, options = VIEWS[who]
    view = model.view(NOISES[name], **options)
    attack = dl.Attack(view, fpr=fpr)
    size, power = rates(attack, name, sides(model, options))
    assert size == pytest.approx(fpr, rel=1e-9)
    assert power == pytest.approx(attack.power, rel=1e-6)
    assert power == pytest.approx(view.tradeoff("add").power(fpr), rel=1e-6)


@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("who", VIEWS)
def test_where_the_ratio_goes_one_way_there_is_a_threshold(who, name):
    model, options = VIEWS[who]
    attack = dl.Attack(model.view(NOISES[name], **options), fpr=0.1)
    grid = np.arange(-20, 31.0) if name in PMF else np.linspace(-20, 30, 4003)
    step = np.diff(np.log(attack.likelihood_ratio(grid)))
    up, down = (step > 1e-11).any(), (step < -1e-11).any()
    if up and down:
        with pytest.raises(dl.DplensError, match="not monotone"):
            _ = attack.threshold
    else:
        assert attack.decides_above == (not down)
        beyond = grid > attack.threshold if attack.decides_above else grid < attack.threshold
        away = grid != attack.threshold
        assert (attack.rejection(grid)[away] == beyond[away]).all()
    assert attack.likelihood_threshold > 0


def test_some_of_the_ratios_turn_and_most_do_not():
    found = {}
    for who, (model, options) in VIEWS.items():
        for name, noise in NOISES.items():
            try:
                found[who, name] = math.isfinite(dl.Attack(model.view(noise, **options), fpr=0.1).threshold)
            except dl.DplensError:
                found[who, name] = False
    assert not found["turning", "laplace"]
    assert all(found[who, "laplace"] for who in VIEWS if who != "turning")


@pytest.mark.parametrize("fpr", [1e-4, 0.2, 0.9])
def test_many_attainable_values_with_normal_noise(fpr):
    attack = dl.Attack(LONG.view(dl.Gaussian(sigma=1.1), target=3, pair=(0, 1)), fpr=fpr)
    assert attack.decides_above
    # the law of the sum of a chain, state by state
    forward = np.zeros((2, 21, 2))  # last state, sum, state of the target
    for s in (0, 1):
        forward[s, s, 0] = 0.5
    for t in range(1, 20):
        new = np.zeros_like(forward)
        for a in (0, 1):
            for b in (0, 1):
                moved = forward[a] * STEP[a][b]
                new[b, b:, :] += moved[: 21 - b]
        if t == 3:
            split = np.zeros_like(new)
            for b in (0, 1):
                split[b, :, b] = new[b].sum(axis=1)
            new = split
        forward = new
    total = forward.sum(axis=0)
    start = [(np.arange(21), total[:, v] / total[:, v].sum()) for v in (0, 1)]
    size, power = (
        float(sum(m * stats.norm.sf(attack.threshold, loc=s, scale=1.1) for s, m in zip(*side))) for side in start
    )
    assert size == pytest.approx(fpr, rel=1e-12)
    assert power == pytest.approx(attack.power, rel=1e-4)  # which is a bracket here
    log_ratio = [math.log(sum(m * stats.norm.pdf(attack.threshold, s, 1.1) for s, m in zip(*side))) for side in start]
    assert math.log(attack.likelihood_threshold) == pytest.approx(log_ratio[1] - log_ratio[0], abs=1e-11)


def test_many_attainable_values_of_a_ratio_that_turns():
    """Twelve places, normal noise: the curve is a bracket, the test is not."""
    values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    shares = np.array([[1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9], [9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1]]) / 120
    data = dl.DiscreteData(joint=shares, values=[[0, 1], values])
    view = data.view(dl.Gaussian(sigma=0.3), target=0, pair=(0, 1), weights=[0, 1])
    for fpr in (0.05, 0.5):
        attack = dl.Attack(view, fpr=fpr)
        with pytest.raises(dl.DplensError, match="not monotone"):
            _ = attack.threshold
        grid = np.linspace(-3, 14, 400_001)
        chance = attack.rejection(grid)
        size, power = (
            float(sum(m * stats.norm.pdf(grid, s, 0.3) for s, m in zip(values, row / row.sum())) @ chance)
            * 17
            / 400_000
            for row in shares
        )
        assert size == pytest.approx(fpr, abs=2e-4)
        assert power == pytest.approx(attack.power, abs=3e-4)


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
@pytest.mark.parametrize("model", [
    dl.GaussianData(covariance=[[1.0, 0.5, 0.2], [0.5, 2.0, 0.1], [0.2, 0.1, 1.0]], width=2.0),
    dl.GaussianChain.ar1(correlation=-0.6, length=4, width=2.0),
])  # fmt: skip
@pytest.mark.parametrize("known", [None, {1: 0.7}])
def test_gaussian_tuples_by_simulation(model, known, name):
    view = model.view(NOISES[name], target=0, known=known, pair=(-1.0, 1.0))
    attack = dl.Attack(view, fpr=0.2)
    covariance = model.as_data().covariance
    given = {0: 0.0, **(known or {})}
    rest = [j for j in range(len(covariance)) if j not in given]
    rng = np.random.default_rng(7)
    found = []
    for value in (-1.0, 1.0):
        given[0] = value
        at = sorted(given)
        slope = np.linalg.solve(covariance[np.ix_(at, at)], covariance[np.ix_(at, rest)]).T
        mean = slope @ np.array([given[j] for j in at])
        spread = covariance[np.ix_(rest, rest)] - slope @ covariance[np.ix_(at, rest)]
        draws = rng.multivariate_normal(mean, spread, 400_000).sum(axis=1) + sum(given.values())
        noise = rng.laplace(scale=1.3, size=len(draws)) if name == "laplace" else rng.normal(0, 1.1, len(draws))
        found.append(float(np.mean(attack.decide(draws + noise))))
    assert found[0] == pytest.approx(0.2, abs=0.004)
    assert found[1] == pytest.approx(attack.power, abs=0.004)


def test_noise_without_a_law_together_with_unknown_gaussian_tuples():
    data = dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 2.0]], width=2.0)
    noise = dl.AdditiveNoise(noise=stats.logistic())
    with pytest.raises(dl.DplensError, match="name all others as known"):
        dl.Attack(data.view(noise, target=0, pair=(0.0, 1.0)), fpr=0.1)
    attack = dl.Attack(data.view(noise, target=0, known={1: 0.3}, pair=(0.0, 1.0)), fpr=0.1)
    draws = 0.3 + np.random.default_rng(3).logistic(size=400_000)
    assert np.mean(attack.decide(draws)) == pytest.approx(0.1, abs=0.003)


def test_nothing_follows_the_target():
    still = dl.GaussianData(covariance=[[1.0, 0.0], [0.0, 1.0]], width=1.0)
    for view in (
        still.view(dl.Laplace(scale=1.0), target=0, pair=(0.0, 1.0), weights=[0, 1]),
        dl.DiscreteData(joint=[[0.25, 0.25], [0.25, 0.25]]).view(
            dl.Laplace(scale=1.0), target=0, pair=(0, 1), weights=[0, 1]
        ),
    ):
        attack = dl.Attack(view, fpr=0.3)
        assert attack.power == pytest.approx(0.3)
        assert math.isfinite(attack.threshold)
        assert attack.likelihood_threshold == pytest.approx(1.0)
        assert attack.posterior(0.5) == pytest.approx(0.5)


@pytest.mark.verify
@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("who", VIEWS)
@pytest.mark.parametrize("fpr", [0.0, 0.1, 1.0])
def test_every_reading_answers(who, name, fpr):
    model, options = VIEWS[who]
    attack = dl.Attack(model.view(NOISES[name], **options), fpr=fpr)
    law = attack.privacy_loss
    for side in (law.h0, law.h1):
        assert 0 <= side.cdf(0.1) <= 1
        assert math.isfinite(side.mean)
        assert side.variance >= 0
        at = side.quantile(0.3)
        assert side.cdf(at) >= 0.3 - 1e-9
    assert law.h0.mean < 0 < law.h1.mean
    assert 0 <= attack.accuracy() <= 1
    assert attack.fnr == pytest.approx(1 - attack.power)
    assert set(np.unique(attack.decide([0.0, 2.0]))) <= {False, True}
    assert attack.likelihood_threshold >= 0
    assert 0 < dl.Attack.bayes(attack.mechanism, prior=0.5).fpr < 1
    with pytest.raises(dl.DplensError, match=r"view\.mechanism"):
        attack.deniability(0.0, [0.0, 1.0])


def test_outputs_on_whole_numbers_are_whole():
    attack = dl.Attack(COUPLE.view(NOISES["geometric"], target=0, pair=(0, 1)))
    with pytest.raises(dl.DplensError, match="whole"):
        attack.decide(0.5)


@pytest.mark.parametrize("noises", [
    [dl.Laplace(scale=1.0)] * 2, [dl.Gaussian(sigma=1.0)] * 2, [dl.Geometric(scale=1.0), dl.Laplace(scale=2.0)],
])  # fmt: skip
def test_several_releases_have_no_single_threshold(noises):
    attack = dl.Attack(COUPLE.view(noises, target=0, pair=(0, 1)), fpr=0.1)
    with pytest.raises(dl.DplensError, match="several releases"):
        _ = attack.threshold
    assert attack.decide([[0.0, 0.0], [6.0, 6.0]]).tolist() == [False, True]
    assert attack.likelihood_threshold > 1
    law = attack.privacy_loss
    assert law.h1.quantile(0.5) > law.h0.quantile(0.5)
