"""Mechanisms side by side: errors of noise from the definition, dominance, crossings, prices at equal risk."""

import itertools
import json
import math

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import integrate, stats

import dplens as dl
from tests.decide.test_closed_forms import phi, quantile

CONTINUOUS = {
    dl.Gaussian(sigma=1.7): lambda x: math.exp(-0.5 * (x / 1.7) ** 2) / (1.7 * math.sqrt(2 * math.pi)),
    dl.Laplace(scale=0.6): lambda x: math.exp(-abs(x) / 0.6) / 1.2,
    dl.AdditiveNoise(noise=stats.logistic(scale=1.3)): lambda x: 1 / (4 * 1.3 * math.cosh(x / 2.6) ** 2),
    dl.AdditiveNoise(noise=stats.gumbel_r(scale=0.5)): lambda x: math.exp(-2 * x - math.exp(-2 * x)) * 2,
}


@pytest.mark.parametrize("mechanism", CONTINUOUS, ids=repr)
def test_errors_of_continuous_noise(mechanism):
    density = CONTINUOUS[mechanism]
    parts = [-60, -20, -5, -1, 0, 1, 5, 20, 60]
    if "gumbel" in repr(mechanism):
        parts = [-3, -1, 0, 1, 5, 20, 60]

    def mean(g):
        return sum(
            integrate.quad(lambda x: g(x) * density(x), a, b, epsabs=0, epsrel=1e-12)[0]
            for a, b in itertools.pairwise(parts)
        )

    error = dl.noise_error(mechanism)
    assert error.variance == pytest.approx(mean(lambda x: x * x) - mean(lambda x: x) ** 2, rel=1e-9)
    assert error.mean_absolute == pytest.approx(mean(abs), rel=1e-9)
    w = error.interval
    inside = integrate.quad(density, -w, 0, epsrel=1e-12)[0] + integrate.quad(density, 0, w, epsrel=1e-12)[0]
    assert inside == pytest.approx(0.95, rel=1e-10)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("gamma", [None, 0.2, 0.9])
def test_errors_of_the_staircase(epsilon, gamma):
    mechanism = dl.Staircase(epsilon=epsilon, sensitivity=1.5, gamma=gamma)
    g = mechanism.gamma
    pieces = []
    for k in range(400):
        for start, end, level in ((k, k + g, k), (k + g, k + 1, k + 1)):
            pieces.append((1.5 * start, 1.5 * end, math.exp(-epsilon * level)))
    total = 2 * math.fsum((b - a) * h for a, b, h in pieces)
    error = dl.noise_error(mechanism)
    second = 2 * math.fsum((b**3 - a**3) / 3 * h for a, b, h in pieces) / total
    assert error.variance == pytest.approx(second, rel=1e-12)
    assert error.mean_absolute == pytest.approx(2 * math.fsum((b**2 - a**2) / 2 * h for a, b, h in pieces) / total)
    inside = 2 * math.fsum(max(min(b, error.interval) - a, 0) * h for a, b, h in pieces) / total
    assert inside == pytest.approx(0.95, rel=1e-12)


@pytest.mark.parametrize(
    ("mechanism", "log_weight"),
    [
        (dl.Geometric(scale=0.3), lambda k: -abs(k) / 0.3),
        (dl.Geometric(scale=7.5), lambda k: -abs(k) / 7.5),
        (dl.DiscreteGaussian(sigma=0.4), lambda k: -k * k / 0.32),
        (dl.DiscreteGaussian(sigma=12.0), lambda k: -k * k / 288),
    ],
)
def test_errors_of_whole_noise(mechanism, log_weight):
    weights = {k: math.exp(log_weight(k)) for k in range(-600, 601)}
    total = math.fsum(weights.values())
    error = dl.noise_error(mechanism)
    assert error.variance == pytest.approx(math.fsum(k * k * w for k, w in weights.items()) / total, rel=1e-12)
    assert error.mean_absolute == pytest.approx(math.fsum(abs(k) * w for k, w in weights.items()) / total, rel=1e-12)

    def inside(half):
        return math.fsum(w for k, w in weights.items() if abs(k) <= half) / total

    assert inside(error.interval) >= 0.95
    assert error.interval == 0 or inside(error.interval - 1) < 0.95


def test_heavy_tails_cost_without_end():
    error = dl.noise_error(dl.AdditiveNoise(noise=stats.cauchy()))
    assert math.isinf(error.variance)
    assert error.interval == pytest.approx(math.tan(0.95 * math.pi / 2), rel=1e-12)


@pytest.mark.parametrize("freedom", [1.2, 1.5, 2.5])
def test_heavy_tails_count_to_their_end(freedom):
    error = dl.noise_error(dl.AdditiveNoise(noise=stats.t(freedom, scale=2.0)))
    parts = math.gamma((freedom + 1) / 2) / (math.gamma(freedom / 2) * math.sqrt(math.pi))
    assert error.mean_absolute == pytest.approx(4 * math.sqrt(freedom) / (freedom - 1) * parts, rel=1e-9)


def test_noise_beyond_all_measure():
    assert dl.noise_error(dl.Geometric(scale=1e30)).interval == pytest.approx(1e30 * math.log(20), rel=1e-12)
    tiny = dl.compare(dl.Gaussian(sigma=1e-6), dl.Geometric(scale=1.0), question=dl.AttackPower(fpr=0.05))
    assert tiny.equal_variance[1] == pytest.approx(1.0)
    assert dl.compare(dl.Geometric(scale=1e-3), dl.Gaussian(sigma=1.0)).equal_variance[1] is None


def test_no_noise_no_error():
    with pytest.raises(ValueError, match="does not add noise"):
        dl.noise_error(dl.RandomizedResponse(epsilon=1.0))


def test_noise_on_each_of_many_numbers():
    """Ten Gaussian releases have √10 times the mu of one; sampled noise is scaled to the answer asked for."""
    ten = dl.compare(dl.Gaussian(sigma=2.0), dl.Gaussian(sigma=3.0).repeat(10))
    assert ten.errors[1].variance == 9.0
    assert ten.equal_risk[1].variance == pytest.approx(40.0, rel=1e-8)
    assert float(ten.equal_variance[1]) == pytest.approx(2 * stats.norm.cdf(10**0.5 / 4) - 1, rel=1e-9)
    training = dl.DPSGD(noise_multiplier=1.5, sample_rate=0.01, steps=300)
    sampled = dl.compare(dl.GaussianDP(mu=0.1), training, dl.Gaussian(sigma=1.5).subsample(0.01).repeat(300))
    assert sampled.errors[1] == sampled.errors[2] == dl.noise_error(dl.Gaussian(sigma=1.5))
    scaled = dl.DPSGD(noise_multiplier=sampled.equal_risk[1].variance ** 0.5, sample_rate=0.01, steps=300)
    assert dl.Advantage().of(scaled) == pytest.approx(2 * stats.norm.cdf(0.05) - 1, rel=1e-8)
    with pytest.raises(ValueError, match="no one variance"):
        dl.noise_error(dl.compose(dl.Gaussian(sigma=1.0), dl.Laplace(scale=1.0)))


def test_different_neighbours_are_warned_of():
    with pytest.warns(dl.DplensWarning, match="different neighbours.*as_replace"):
        dl.compare(dl.Gaussian(sigma=1.0, neighbours="replace"), dl.Laplace(scale=1.0))


def test_dominance():
    c = dl.compare(
        dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=2.0), dl.GaussianDP(mu=1.0), dl.ApproximateDP(epsilon=8.0, delta=0.5)
    )
    assert c.relation(0, 1) == "riskier"
    assert c.relation(1, 0) == "safer"
    assert c.relation(0, 2) == "equal"
    assert c.relation(3, 1) == "riskier"
    assert all(not r.crossings for r in c.relations)
    with pytest.raises(ValueError, match="pair"):
        c.relation(1, 1)


def test_crossings_are_where_the_curves_meet():
    """Gaussian and Laplace noise of one unit: the curves cross twice, symmetrically."""
    mp.dps = 40
    c = dl.compare(dl.Gaussian(sigma=1.0), dl.Laplace(scale=1.0))
    (relation,) = c.relations
    assert relation.kind == "crossing"

    def laplace(a):
        e = mp.exp(-1)
        return 1 - a / e if a < e / 2 else e / (4 * a) if a <= 0.5 else e * (1 - a)

    assert len(relation.crossings) == 2
    for alpha in relation.crossings:
        a = mpf(alpha)

        def gap(x):
            return phi(-quantile(x) - 1) - laplace(x)

        assert gap(a * (1 - mpf(10) ** -9)) * gap(a * (1 + mpf(10) ** -9)) < 0
    first, second = relation.crossings
    assert second == pytest.approx(float(laplace(mpf(first))), rel=1e-8)


def test_prices_at_equal_risk_and_risks_at_equal_price():
    release = dl.Gaussian(sigma=2.0)
    others = (dl.Laplace(scale=9.0), dl.Staircase(epsilon=1.0), dl.Geometric(scale=3.0))
    question = dl.AttackPower(fpr=0.05)
    c = dl.compare(release, *others, dl.RandomizedResponse(epsilon=1.0), question=question)
    mu = 0.5
    limit = float(phi(quantile(mpf(0.05)) + mpf(mu)))
    assert float(c.answers[0]) == pytest.approx(limit, rel=1e-12)
    # Laplace: power e^eps·alpha below e^−eps/2
    assert c.equal_risk[1].variance == pytest.approx(2 / math.log(limit / 0.05) ** 2, rel=1e-8)
    assert float(c.equal_variance[1]) == pytest.approx(0.05 * math.exp(math.sqrt(0.5)), rel=1e-9)
    assert c.equal_variance[0] == c.answers[0]
    assert c.equal_risk[0] == c.errors[0] == dl.noise_error(release)
    assert c.errors[4] is None
    assert c.equal_risk[4] is None
    assert c.equal_variance[4] is None
    geometric = c.equal_variance[3]
    scale = [s for s in np.linspace(1, 2, 100001) if 2 * math.exp(-1 / s) / (1 - math.exp(-1 / s)) ** 2 <= 4][-1]
    assert float(geometric) == pytest.approx(float(question.of(dl.Geometric(scale=scale))), rel=1e-4)


def test_ranking():
    families = {
        "gaussian": lambda s: dl.Gaussian(sigma=s),
        "laplace": lambda b: dl.Laplace(scale=b),
        "staircase": lambda e: dl.Staircase(epsilon=e),
        "geometric": lambda b: dl.Geometric(scale=b),
    }
    pure = dl.rank(families, meet=[dl.Epsilon().at_most(1.0)])
    assert [r.family for r in pure.entries] == ["geometric", "staircase", "laplace", "gaussian"]
    assert pure.entries[-1].fit is None
    assert "Gaussian" not in pure.entries[0].why
    assert "false-positive rate or a delta above 0" in pure.entries[-1].why
    approximate = dl.rank(families, meet=dl.Epsilon(delta=1e-2).at_most(1.0), by="interval")
    costs = [r.error.interval for r in approximate.entries]
    assert costs == sorted(costs)
    assert all(r.fit.achieved[0] <= 1.0 for r in approximate.entries)


def test_families_without_an_error_keep_their_fit():
    (entry,) = dl.rank({"coin": lambda e: dl.RandomizedResponse(epsilon=e)}, meet=dl.Epsilon().at_most(1.0)).entries
    assert entry.fit.value == pytest.approx(1.0, rel=1e-9)
    assert entry.error is None
    heavy = {"cauchy": lambda s: dl.AdditiveNoise(noise=stats.cauchy(scale=s))}
    families = {"coin": lambda e: dl.RandomizedResponse(epsilon=e), **heavy}
    assert [r.family for r in dl.rank(families, meet=dl.Epsilon().at_most(1.0)).entries] == ["cauchy", "coin"]
    assert "does not add noise" in entry.why


def test_results_serialise():
    c = dl.compare(dl.Gaussian(sigma=1.0), dl.Laplace(scale=1.0))
    assert json.loads(json.dumps(c.to_dict(), allow_nan=False))["relations"][0]["kind"] == "crossing"
    ranking = dl.rank({"laplace": lambda b: dl.Laplace(scale=b)}, meet=[dl.Epsilon().at_most(1.0)])
    assert json.loads(json.dumps(ranking.to_dict(), allow_nan=False))["entries"][0]["family"] == "laplace"


@pytest.mark.parametrize(
    "call",
    [
        lambda: dl.compare(dl.Gaussian(sigma=1.0)),
        lambda: dl.compare(dl.Gaussian(sigma=1.0), 3),
        lambda: dl.compare(dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=1.0), question="risk"),
        lambda: dl.rank({}, meet=[dl.Advantage().at_most(0.1)]),
        lambda: dl.rank({"laplace": lambda b: dl.Laplace(scale=b)}, meet=[]),
        lambda: dl.rank({"laplace": lambda b: dl.Laplace(scale=b)}, meet=[dl.Advantage().at_most(0.1)], by="cost"),
    ],
)
def test_bad_arguments(call):
    with pytest.raises(dl.DplensError, match="Expected"):
        call()


def test_a_staircase_with_steps_of_its_own_keeps_them():
    m = dl.Staircase(epsilon=1.0, gamma=0.9)
    same = dl.compare(m, m)
    assert [e.variance for e in same.equal_risk] == pytest.approx([dl.noise_error(m).variance] * 2, rel=1e-9)
    assert float(same.equal_variance[1]) == pytest.approx(float(same.equal_variance[0]), rel=1e-9)


def test_releases_that_may_fail_have_the_noise_of_those_that_do_not():
    c = dl.compare(dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=2.0).fails_with(0.01))
    assert c.errors[1].variance == 4.0
    assert c.equal_variance[1] == pytest.approx(0.99 * c.answers[0] + 0.01, rel=1e-9)
    rest = (float(c.answers[0]) - 0.01) / 0.99  # the advantage that is left to the noise
    assert c.equal_risk[1].variance == pytest.approx(dl.mu_from_advantage(rest) ** -2, rel=1e-8)
