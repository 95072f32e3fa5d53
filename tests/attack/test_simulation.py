"""The attacker's test, played out: simulated error rates against the curve, for every mechanism with outputs."""

import math

import numpy as np
import pytest
import scipy.stats as st

import dplens as dl

N = 400_000


def discrete(masses, start=0):
    return lambda rng: start + rng.choice(len(masses), size=N, p=np.asarray(masses) / np.sum(masses))


def lattice(log_mass, shift, reach=200):
    k = np.arange(-reach, reach + 1)
    return discrete(np.exp(log_mass(k - shift)), -reach)


def staircase(epsilon, shift):
    """Geng & Viswanath's own recipe: a geometric step, a tread, a uniform place on it, a sign."""
    gamma = 1 / (1 + math.exp(epsilon / 2))

    def draw(rng):
        step = rng.geometric(1 - math.exp(-epsilon), N) - 1
        high = rng.random(N) < gamma / (gamma + (1 - gamma) * math.exp(-epsilon))
        u = rng.random(N)
        place = np.where(high, gamma * u, gamma + (1 - gamma) * u)
        return shift + rng.choice([-1, 1], N) * (step + place)

    return draw


def shifted(law, shift=0.0):
    return lambda rng: shift + law.rvs(size=N, random_state=rng)


def mixture(values):
    return lambda rng: rng.choice(values, N) + rng.laplace(size=N)


RR = np.array([math.e, 1, 1, 1]) / (math.e + 3)
CASES = {
    "gaussian": (dl.Gaussian(sigma=1.0), shifted(st.norm()), shifted(st.norm(), 1)),
    "gaussian group": (dl.Gaussian(sigma=2.0).group(3), shifted(st.norm(0, 2)), shifted(st.norm(0, 2), 3)),
    "laplace": (dl.Laplace(scale=1.0), shifted(st.laplace()), shifted(st.laplace(), 1)),
    "geometric": (
        dl.Geometric(scale=1.5, sensitivity=2),
        lattice(lambda k: -abs(k) / 1.5, 0),
        lattice(lambda k: -abs(k) / 1.5, 2),
    ),
    "discrete gaussian": (
        dl.DiscreteGaussian(sigma=2.0, sensitivity=1),
        lattice(lambda k: -(k**2) / 8, 0),
        lattice(lambda k: -(k**2) / 8, 1),
    ),
    "staircase": (dl.Staircase(epsilon=1.0), staircase(1.0, 0.0), staircase(1.0, 1.0)),
    "randomised response": (
        dl.RandomizedResponse(epsilon=1.0, categories=4),
        discrete(RR),
        discrete(RR[[1, 0, 2, 3]]),
    ),
    "uniform sampling": (
        dl.UniformSampling(mu=1.0, n=5),
        discrete([math.exp(-1), 1 - math.exp(-1), 0]),
        discrete([math.exp(-1), (1 - math.exp(-1)) * 0.8, (1 - math.exp(-1)) * 0.2]),
    ),
    "finite pair": (
        dl.FinitePair(p=[0.2, 0.3, 0.5], q=[0.6, 0.3, 0.1]),
        discrete([0.2, 0.3, 0.5]),
        discrete([6, 3, 1]),
    ),
    "cauchy": (dl.AdditiveNoise(noise=st.cauchy()), shifted(st.cauchy()), shifted(st.cauchy(), 1)),
    "t3": (dl.AdditiveNoise(noise=st.t(3)), shifted(st.t(3)), shifted(st.t(3), 1)),
    "gumbel": (dl.AdditiveNoise(noise=st.gumbel_r()), shifted(st.gumbel_r()), shifted(st.gumbel_r(), 1)),
    "uniform": (dl.AdditiveNoise(noise=st.uniform(-2, 4)), shifted(st.uniform(-2, 4)), shifted(st.uniform(-2, 4), 1)),
    "binormal": (
        dl.ContinuousPair(p=st.norm(0, 1), q=st.norm(1, 1.5)),
        shifted(st.norm(0, 1)),
        shifted(st.norm(1, 1.5)),
    ),
    "laplace pair": (dl.ContinuousPair(p=st.laplace(), q=st.laplace(1)), shifted(st.laplace()), shifted(st.laplace(1))),
    "exponential pair": (dl.ContinuousPair(p=st.expon(), q=st.expon(1)), shifted(st.expon()), shifted(st.expon(1))),
    "uniform pair": (
        dl.ContinuousPair(p=st.uniform(0, 2), q=st.uniform(1, 2)),
        shifted(st.uniform(0, 2)),
        shifted(st.uniform(1, 2)),
    ),
    "nested uniform pair": (
        dl.ContinuousPair(p=st.uniform(0, 3), q=st.uniform(0, 2)),
        shifted(st.uniform(0, 3)),
        shifted(st.uniform(0, 2)),
    ),
    "pair with an impossible outcome": (
        dl.FinitePair(p=[0.5, 0.3, 0.2], q=[0.7, 0.3, 0.0]),
        discrete([5, 3, 2]),
        discrete([7, 3, 0]),
    ),
    "value above": (
        dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5),
        mixture([0, 1]),
        mixture([2, 3]),
    ),
    "value above, by noise with an end": (
        dl.ValueAbove(mechanism=dl.AdditiveNoise(noise=st.weibull_max(1)), values=[0, 1, 2, 3], gamma=1.5),
        lambda rng: rng.choice([0, 1], N) - rng.exponential(size=N),
        lambda rng: rng.choice([2, 3], N) - rng.exponential(size=N),
    ),
}


@pytest.mark.parametrize("fpr", [0.02, 0.3, 0.8])
@pytest.mark.parametrize("name", CASES)
def test_simulated_rates_match_the_curve(name, fpr):
    mechanism, absent, present = CASES[name]
    rng = np.random.default_rng(20240607 + len(name))
    attack = dl.Attack(mechanism, fpr=fpr)
    expected = {"alpha": fpr, "power": mechanism.tradeoff("add").power(fpr)}
    found = {
        "alpha": np.mean(attack.decide(absent(rng), rng=rng)),
        "power": np.mean(attack.decide(present(rng), rng=rng)),
    }
    for rate, truth in expected.items():
        error = math.sqrt(max(truth * (1 - truth), 1e-12) / N)
        assert abs(found[rate] - truth) <= 3 * error, (rate, found[rate], truth)


@pytest.mark.parametrize("name", CASES)
def test_posteriors_are_calibrated(name):
    """Among outputs with a posterior near x, a share x comes from H1 (here: the mean posterior is the prior)."""
    mechanism, absent, present = CASES[name]
    rng = np.random.default_rng(7)
    prior = 0.3
    attack = dl.Attack(mechanism, fpr=0.1, prior=prior)
    mean0, mean1 = np.mean(attack.posterior(absent(rng))), np.mean(attack.posterior(present(rng)))
    assert (1 - prior) * mean0 + prior * mean1 == pytest.approx(prior, abs=4e-3)


@pytest.mark.parametrize("name", CASES)
def test_the_privacy_loss_law_is_that_of_simulated_losses(name):
    mechanism, absent, present = CASES[name]
    rng = np.random.default_rng(11)
    attack = dl.Attack(mechanism, fpr=0.1)
    law = attack.privacy_loss
    for side, draw in ((law.h0, absent), (law.h1, present)):
        with np.errstate(divide="ignore"):
            losses = np.log(attack.likelihood_ratio(draw(rng)))
        for x in (-0.55, 0.05, 0.45):
            truth = side.cdf(x)
            assert np.mean(losses <= x) == pytest.approx(truth, abs=4 * math.sqrt(0.25 / N) + 1e-9)
        if np.isfinite(losses).all() and math.isfinite(side.variance):
            error = 5 * math.sqrt(side.variance / N) + 1e-15  # a constant loss has a mean all the same
            assert np.mean(losses) == pytest.approx(side.mean, abs=error)


@pytest.mark.parametrize("fpr", [0.02, 0.8])
@pytest.mark.parametrize("change", [(0.5, -0.5), (0.3, 0.2, 0.0, 0.5)])
def test_laplace_noise_on_several_changed_coordinates(change, fpr):
    rng = np.random.default_rng(5)
    attack = dl.Attack(dl.Laplace(scale=0.5), fpr=fpr, values=(np.zeros(len(change)), change))
    noise = rng.laplace(scale=0.5, size=(N, len(change)))
    for outputs, truth in ((noise, fpr), (noise + change, attack.power)):
        found = np.mean(attack.decide(outputs, rng=rng))
        assert abs(found - truth) <= 3 * math.sqrt(truth * (1 - truth) / N)
    losses = np.log(attack.likelihood_ratio(noise))
    assert np.mean(losses) == pytest.approx(attack.privacy_loss.h0.mean, abs=5 * np.std(losses) / math.sqrt(N))
