"""What must hold whatever the numbers: monotone, simulated, nested, reordered."""

import itertools
import math

import mpmath as mp
import numpy as np
import pytest
from scipy.special import log_ndtr, ndtr, ndtri_exp

import dplens as dl
from dplens.losses.bounded import LaplaceLoss, LogisticLoss  # inside: their error bounds are no answer
from tests.composition.oracles import Table, mpf, product_table, randomized_response, symmetrised, thinned
from tests.composition.releases import SEARCH, TIGHT

GAUSSIAN, LAPLACE = dl.Gaussian(sigma=1.0), dl.Laplace(scale=2.0)
RESPONSE = dl.RandomizedResponse(epsilon=1.0)
QUESTIONS = [
    dl.Delta(epsilon=0.0),
    dl.Delta(epsilon=1.0),
    dl.Epsilon(delta=1e-5),
    dl.Epsilon(delta=1e-20),
    dl.AttackPower(fpr=1e-2),
    dl.AttackPower(fpr=1e-9),
    dl.Advantage(),
]


def close(a, b, tolerance=1e-9):
    """Brackets of the same number overlap, and their safe ends agree."""
    return a.low <= b.high and b.low <= a.high and abs(float(a) - float(b)) <= tolerance * max(abs(float(b)), 1e-300)


# ---- monotone -----------------------------------------------------------------------------------------------

CHAINS = {
    "steps of DP-SGD": [GAUSSIAN.subsample(0.01).repeat(n) for n in (500, 501, 700, 1000, 1001, 10_000, 10**6, 10**8)],
    "rate": [GAUSSIAN.subsample(q).repeat(2000) for q in (0.004, 0.0040001, 0.01, 0.02, 0.1, 0.5, 0.99, 1.0)],
    "noise": [dl.Gaussian(sigma=s).subsample(0.01).repeat(3000) for s in (50.0, 5.0, 2.0, 1.9999, 1.0, 0.8, 0.6)],
    "steps of Laplace": [LAPLACE.repeat(n) for n in (1, 2, 100, 101, 1000, 10_000)],
    "noise of Laplace": [dl.Laplace(scale=b).repeat(2000) for b in (50.0, 20.0, 19.999, 10.0, 5.0)],
    "steps of randomised response": [
        dl.RandomizedResponse(epsilon=0.1).repeat(n) for n in (1, 2, 3, 10, 100, 101, 3000, 30_000, 300_000, 10**6)
    ],
    "steps of a finite pair": [
        dl.FinitePair(p=[0.5, 0.25, 0.25], q=[0.25, 0.5, 0.25]).subsample(0.1).repeat(n) for n in (1, 2, 10, 50, 51)
    ],
    "steps of a guarantee": [dl.ApproximateDP(epsilon=0.1, delta=1e-9).repeat(n) for n in (1, 2, 3, 100, 1000, 20_000)],
    "bounded range": [dl.Exponential(epsilon=0.2).repeat(n) for n in (1, 2, 3, 20, 100, 101, 10_000)],
    "one more release": [
        GAUSSIAN.subsample(0.01).repeat(1000),
        dl.compose(GAUSSIAN.subsample(0.01).repeat(1000), dl.RandomizedResponse(epsilon=0.1)),
        dl.compose(GAUSSIAN.subsample(0.01).repeat(1000), dl.RandomizedResponse(epsilon=0.1), LAPLACE),
        dl.compose(GAUSSIAN.subsample(0.01).repeat(1000), dl.RandomizedResponse(epsilon=0.1), LAPLACE, GAUSSIAN),
    ],
}

if SEARCH:  # routes that take seconds
    CHAINS |= {
        "few steps of Laplace": [LAPLACE.repeat(n) for n in (1, 2, 3, 4, 8, 20, 50, 80, 100)],
        "noise of some Laplace": [dl.Laplace(scale=b).repeat(200) for b in (50.0, 10.0, 5.0, 4.999, 2.0, 1.0)],
        "little noise": [dl.Gaussian(sigma=s).subsample(0.01).repeat(3000) for s in (0.6, 0.5, 0.4, 0.3)],
        "few steps of DP-SGD": [GAUSSIAN.subsample(0.05).repeat(n) for n in (1, 2, 3, 10, 50, 100)],
    }


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("question", QUESTIONS, ids=repr)
def test_more_risk_is_never_reported_as_less(chain, question):
    answers = [question.of(m) for m in CHAINS[chain]]
    for milder, riskier in itertools.pairwise(answers):
        assert riskier.high >= milder.low
        routes = [a.certificate.route for a in (milder, riskier) if a.certificate]
        if all(route in TIGHT for route in routes):
            assert riskier.high >= milder.high * (1 - 1e-9)


# ---- simulated attacks --------------------------------------------------------------------------------------


def sampled_losses(rng, sigma, rate, steps, draws, present):
    """Draws of the sum of log(1 − q + q·e^{mu·x − mu²/2}) over all steps.

    x is normal, shifted by mu where the target takes part. 1e5 normals a run would be 2e10 in all. Steps with the
    target (binomially many), and those without it but with x > 3, are drawn one by one, as their losses are large. The
    others, many and bounded, are replaced by a normal variable with the mean, variance and skewness of their sum
    (Cornish & Fisher).
    """
    mu = 1 / sigma

    def loss(x):
        return np.log1p(rate * np.expm1(mu * x - mu * mu / 2))

    edges = np.linspace(-10, 3, 200_001)
    mass, bulk_loss = np.diff(ndtr(edges)), loss((edges[1:] + edges[:-1]) / 2)
    share = mass.sum()
    mean = (mass * bulk_loss).sum() / share
    variance = (mass * (bulk_loss - mean) ** 2).sum() / share
    skewness = (mass * (bulk_loss - mean) ** 3).sum() / share / variance**1.5

    taken = rng.binomial(steps, rate, draws) if present else np.zeros(draws, dtype=int)
    rare = rng.binomial(steps - taken, ndtr(-3.0))
    bulk = steps - taken - rare
    z = rng.standard_normal(draws)
    z += skewness / np.sqrt(bulk) / 6 * (z * z - 1)
    total = bulk * mean + np.sqrt(bulk * variance) * z
    for i in range(0, draws, 5000):
        block = slice(i, i + 5000)
        for counts, single in (
            (rare[block], lambda n: -ndtri_exp(np.log(rng.random(n)) + log_ndtr(-3.0))),
            (taken[block], lambda n: rng.standard_normal(n) + mu),
        ):
            owner = np.repeat(np.arange(len(counts)), counts)
            total[block] += np.bincount(owner, loss(single(len(owner))), len(counts))
    return total


def agrees_with_simulation(curve, absent, present, alphas):
    """At thresholds on the loss fixed beforehand, false alarms and hits are those of the curve, within 3 errors."""
    for alpha in alphas:
        e = float(curve._log_slope(np.array([alpha]), np.array([1 - alpha]))[0])
        for losses, rate in ((absent, alpha), (present, curve.power(alpha))):
            error = math.sqrt(rate * (1 - rate) / len(losses))
            assert abs(np.mean(losses > e) - rate) <= 3 * error


SIMULATED = [(0.6, 0.001, 100_000, (2.01e-3, 0.05, 0.4)), (1.0, 0.01, 1000, (1e-3, 0.03, 0.5))]


@pytest.mark.parametrize(("sigma", "rate", "steps", "alphas"), SIMULATED)
def test_simulated_attack_on_dpsgd(sigma, rate, steps, alphas):
    rng = np.random.default_rng(20240607)
    absent, present = (sampled_losses(rng, sigma, rate, steps, 100_000, here) for here in (False, True))
    m = dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps)
    agrees_with_simulation(m.tradeoff("add"), absent, present, alphas)


def test_simulated_attack_on_a_mixture():
    """Outputs are drawn, their likelihood ratio is formed from the densities."""
    rng = np.random.default_rng(11)
    n = 200_000
    m = dl.compose(
        dl.Laplace(scale=2.0).repeat(6), dl.Gaussian(sigma=3.0).repeat(4), dl.RandomizedResponse(epsilon=0.5)
    )
    keep = 1 / (1 + math.exp(-0.5))
    sums = []
    for value in (0.0, 1.0):
        x = rng.laplace(value, 2.0, (6, n))
        y = rng.normal(value, 3.0, (4, n))
        told = rng.random(n) < (keep if value else 1 - keep)
        total = ((np.abs(x) - np.abs(x - 1)) / 2).sum(0) + ((y - 0.5) / 9).sum(0) + np.where(told, 0.5, -0.5)
        sums.append(total)
    agrees_with_simulation(m.tradeoff("add"), *sums, (1e-3, 0.05, 0.4))


# ---- without replacement ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("categories", "truth", "shortcut"), [(2, "0.0276", "0.0129"), (3, "0.0260", "0.0126")])
def test_without_replacement_is_symmetrised_in_every_step(categories, truth, shortcut):
    """Randomised response, epsilon 3, rate 0.1, two steps, by enumeration: symmetrising last would halve delta(1)."""
    rows = randomized_response(3, categories)
    exact = Table(product_table([(symmetrised(rows, 0.1), 2)])).delta(1)
    late = Table(product_table([(thinned(rows, 0.1), 2)]))
    late = max(late.delta(1), late.mirror().delta(1))
    assert f"{float(exact):.4f}" == truth
    assert f"{float(late):.4f}" == shortcut
    m = dl.RandomizedResponse(epsilon=3.0, categories=categories, neighbours="replace")
    d = dl.Delta(epsilon=1.0).of(m.subsample(0.1, scheme="without_replacement").repeat(2))
    assert mpf(d.low) <= exact <= mpf(d.high)
    assert d.high - d.low <= 1e-9 * d.high


# ---- nesting, order, ends -----------------------------------------------------------------------------------


@pytest.mark.parametrize("question", QUESTIONS, ids=repr)
def test_order_and_nesting_do_not_matter(question):
    a, b, c = GAUSSIAN.subsample(0.01).repeat(1000), LAPLACE, RESPONSE.repeat(20)
    first = question.of(dl.compose(a, b, c))
    for other in (dl.compose(c, a, b), dl.compose(dl.compose(a, c), b), dl.compose(b, dl.compose(c, dl.compose(a)))):
        assert close(question.of(other), first, 1e-10)
    split = dl.compose(
        GAUSSIAN.subsample(0.01).repeat(400), b, RESPONSE.repeat(20), GAUSSIAN.subsample(0.01).repeat(600)
    )
    assert close(question.of(split), first, 1e-10)


@pytest.mark.parametrize("question", QUESTIONS, ids=repr)
def test_repeating_a_composition_repeats_its_parts(question):
    pair = dl.compose(GAUSSIAN, LAPLACE)
    parts = dl.compose(GAUSSIAN.repeat(50), LAPLACE.repeat(50))
    assert close(question.of(pair.repeat(50)), question.of(parts))
    assert close(question.of(pair.repeat(5).repeat(10)), question.of(parts))


def test_sampling_a_composition_samples_all_of_it_at_once():
    """delta of (1 − q)·P + q·Q against P at log(1 + q(e^eps − 1)) is q·delta(eps); sampled apart, it is not."""
    pair, q = dl.compose(GAUSSIAN, dl.Laplace(scale=1.0)), 0.1
    whole = pair.subsample(q)
    for e in (0.0, 0.5, 2.0):
        base, high = pair.tradeoff("add"), math.log1p(q * math.expm1(e))
        assert whole.tradeoff("add").delta(high) == pytest.approx(q * base.delta(e), rel=1e-9)
    apart = dl.compose(GAUSSIAN.subsample(q), dl.Laplace(scale=1.0).subsample(q))
    assert dl.Advantage().of(apart) != pytest.approx(float(dl.Advantage().of(whole)), rel=1e-3)


def test_sampling_everything_is_no_sampling():
    for m in (GAUSSIAN, LAPLACE, RESPONSE):
        sampled, plain = m.subsample(1.0).repeat(100), m.repeat(100)
        for question in QUESTIONS:
            assert close(question.of(sampled), question.of(plain))


def test_no_step_at_all_is_perfect_privacy():
    for m in (GAUSSIAN.repeat(0), LAPLACE.subsample(0.1).repeat(0), dl.compose(GAUSSIAN.repeat(0), LAPLACE.repeat(0))):
        assert float(dl.Advantage().of(m)) == 0
        assert float(dl.Epsilon(delta=0.0).of(m)) == 0
        assert float(dl.AttackPower(fpr=0.01).of(m)) == pytest.approx(0.01, rel=1e-12)
    assert float(dl.Advantage().of(dl.DPSGD(noise_multiplier=1.0, sample_rate=0.1, steps=0))) == 0
    for question in QUESTIONS:
        assert close(question.of(dl.compose(GAUSSIAN, LAPLACE.repeat(0))), question.of(GAUSSIAN))


def test_one_step_is_the_mechanism():
    assert LAPLACE.repeat(1) is LAPLACE
    for question in QUESTIONS:
        assert close(question.of(dl.compose(LAPLACE)), question.of(LAPLACE))
        run = dl.DPSGD(noise_multiplier=1.0, sample_rate=0.1, steps=1)
        assert close(question.of(run), question.of(GAUSSIAN.subsample(0.1)))


def test_largest_loss_of_a_composition():
    m = dl.compose(dl.Laplace(scale=2.0).repeat(100), RESPONSE.repeat(3))
    assert dl.Epsilon(delta=0.0).of(m).high == pytest.approx(53.0, rel=1e-12)
    assert math.isinf(dl.Epsilon(delta=0.0).of(dl.compose(m, GAUSSIAN)))
    sampled = dl.Laplace(scale=2.0).subsample(0.1).repeat(10)
    assert dl.Epsilon(delta=0.0).of(sampled).high == pytest.approx(10 * math.log1p(0.1 * math.expm1(0.5)), rel=1e-12)


def test_failing_and_groups_of_compositions():
    m = GAUSSIAN.subsample(0.01).repeat(1000)
    kappa = 1e-3
    for alpha in (1e-6, 1e-2):
        base = m.tradeoff("add").power(alpha / (1 - kappa))
        found = m.fails_with(kappa).tradeoff("add").power(alpha)
        assert found == pytest.approx(kappa + (1 - kappa) * base, rel=1e-9)
    assert dl.failure_mode(m.fails_with(kappa)) == dl.FailureMode.CATASTROPHIC
    curve = m.tradeoff()
    twice = m.group(2).tradeoff()
    for alpha in (1e-6, 1e-3, 0.1):
        assert twice.power(alpha) == pytest.approx(curve.power(curve.power(alpha)), rel=1e-8)
    g = dl.Gaussian(sigma=10.0).repeat(25)
    assert g.group(2).tradeoff().power(0.01) == pytest.approx(dl.GaussianDP(mu=1.0).tradeoff().power(0.01), rel=1e-9)


def test_failing_steps_compose():
    """Each of n steps reveals with probability kappa: together 1 − (1 − kappa)^n."""
    kappa, n = 1e-3, 200
    m = dl.Laplace(scale=5.0).fails_with(kappa).repeat(n)
    whole = dl.Laplace(scale=5.0).repeat(n).tradeoff("add")
    proof = -math.expm1(n * math.log1p(-kappa))
    for e in (0.0, 2.0, 10.0):
        d = dl.Delta(epsilon=e).of(m)
        assert d.low <= d.high
        assert d.high == pytest.approx(proof + (1 - proof) * whole.delta(e), rel=1e-9)


def test_guarantees_add_up():
    z = dl.ZeroConcentratedDP(rho=0.01)
    assert close(dl.Epsilon(delta=1e-5).of(z.repeat(10)), dl.Epsilon(delta=1e-5).of(dl.ZeroConcentratedDP(rho=0.1)))
    r = dl.RenyiDP(orders=[2.0, 8.0], epsilons=[0.01, 0.05])
    ten = dl.RenyiDP(orders=[2.0, 8.0], epsilons=[0.1, 0.5])
    assert close(dl.Epsilon(delta=1e-5).of(r.repeat(10)), dl.Epsilon(delta=1e-5).of(ten), 1e-8)
    # never milder than the release behind the guarantee
    exact = dl.compose(GAUSSIAN, dl.Gaussian(sigma=5.0))
    loose = dl.compose(GAUSSIAN, dl.ZeroConcentratedDP(rho=0.02))
    assert dl.Epsilon(delta=1e-5).of(loose).high >= dl.Epsilon(delta=1e-5).of(exact).low


def test_renyi_divergences_add():
    m = dl.compose(GAUSSIAN.repeat(3), LAPLACE.repeat(40))
    for order in (1.0, 1.5, 2.0, 16.0):
        parts = 3 * GAUSSIAN.tradeoff().renyi(order) + 40 * LAPLACE.tradeoff().renyi(order)
        assert m.tradeoff().renyi(order) == pytest.approx(parts, rel=1e-9)


@pytest.mark.parametrize("law", [LaplaceLoss, LogisticLoss])
@pytest.mark.parametrize("epsilon", [0.003, 0.4, 7.0, 45.0])
def test_moments_of_bounded_losses_far_up_a_line(law, epsilon):
    """Where t·epsilon is large nodes are many; the reference is written from the definition."""
    t = np.geomspace(0.5, 3e4, 25) / epsilon
    e = mp.mpf(epsilon)

    def moment(s):
        if law is LaplaceLoss:
            return (s * mp.exp((s - 1) * e) + (s - 1) * mp.exp(-s * e)) / (2 * s - 1)
        return mp.sinh((s - 0.5) * e) / (s - 0.5) / (2 * mp.sinh(e / 2))

    for c in (0.3, 0.52, 1.7, 12.0):
        found, error = law(epsilon).evaluate(c, t)
        for at, k, off in zip(t, found, error):
            with mp.workdps(40):
                truth = moment(mp.mpc(c, float(at)))
                apart = abs(mp.exp(mp.mpc(k.real, k.imag)) / truth - 1)
                assert apart <= mp.expm1(mp.mpf(float(off)))
                assert off < 2e-8 * abs(moment(mp.mpf(c)) / truth) or abs(truth) < 1e-3
