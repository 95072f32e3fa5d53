"""Families of one number and targets drawn for them, shared by the calibration tests."""

import math
import random

from scipy import stats

import dplens as dl

# name: (family, range from which a parameter is drawn, whole numbers?)
FAMILIES = {
    "gaussian, sigma": (lambda s: dl.Gaussian(sigma=s), (0.3, 8), False),
    "laplace, scale": (lambda s: dl.Laplace(scale=s), (0.3, 8), False),
    "laplace, sensitivity": (lambda d: dl.Laplace(scale=1.0, sensitivity=d), (0.1, 4), False),
    "geometric, scale": (lambda s: dl.Geometric(scale=s, sensitivity=2), (0.5, 8), False),
    "staircase, epsilon": (lambda e: dl.Staircase(epsilon=e), (0.1, 4), False),
    "randomised response, epsilon": (lambda e: dl.RandomizedResponse(epsilon=e, categories=4), (0.1, 4), False),
    "exponential, epsilon": (lambda e: dl.Exponential(epsilon=e), (0.2, 6), False),
    "guarantee, epsilon": (lambda e: dl.ApproximateDP(epsilon=e, delta=1e-6), (0.1, 4), False),
    "guarantee, delta": (lambda d: dl.ApproximateDP(epsilon=0.1, delta=d), (0.01, 0.4), False),
    "gaussian dp, mu": (lambda m: dl.GaussianDP(mu=m), (0.1, 3), False),
    "logistic noise, scale": (lambda s: dl.AdditiveNoise(noise=stats.logistic(scale=s)), (0.3, 6), False),
    "uniform sampling, mu": (lambda m: dl.UniformSampling(mu=m, n=5), (0.1, 3), False),
    "failing gaussian, probability": (lambda p: dl.Gaussian(sigma=2.0).fails_with(p), (0.02, 0.4), False),
    "sampled response, rate": (lambda q: dl.RandomizedResponse(epsilon=2.0).subsample(q), (0.05, 0.9), False),
    "repeated response, epsilon": (lambda e: dl.RandomizedResponse(epsilon=e).repeat(5), (0.1, 1), False),
    "two releases, scale": (lambda s: dl.compose(dl.Gaussian(sigma=s), dl.Gaussian(sigma=2 * s)), (0.5, 6), False),
    "repeated gaussian, count": (lambda n: dl.Gaussian(sigma=30.0).repeat(n), (5, 3000), True),
    "group of laplace, size": (lambda k: dl.Laplace(scale=50.0).group(k), (5, 100), True),
}


def _log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def _questions(rng):
    prior, fpr = rng.uniform(0.05, 0.95), _log_uniform(rng, 1e-5, 0.3)
    return [
        dl.Advantage(),
        dl.AUC(),
        dl.AttackPower(fpr=fpr),
        dl.MinFPR(fnr=fpr),
        dl.Accuracy(prior=prior),
        dl.Cost(false_positive=_log_uniform(rng, 0.2, 5), prior=prior),
        dl.Precision(recall=rng.uniform(0.05, 0.9), prior=prior),
        dl.FScore(weight=_log_uniform(rng, 0.3, 3), prior=prior),
        dl.Posterior(prior=prior, fpr=fpr),
        dl.MaxPosterior(prior=prior),
        dl.PosteriorAfterNegative(prior=prior, fpr=rng.uniform(0.05, 0.9)),
        dl.RelativeRisk(fpr=fpr),
        dl.RelativeRisk(fpr=fpr, prior=prior / 2),
        dl.RelativeRisk(),
        dl.Epsilon(delta=_log_uniform(rng, 1e-9, 1e-2)),
        dl.Epsilon(),
        dl.Delta(epsilon=_log_uniform(rng, 0.01, 1.0)),
        dl.Mu(),
        dl.Renyi(order=_log_uniform(rng, 1.1, 20)),
    ]


def targets(seed, count):
    """(family name, requirement, parameter that meets it): bounds of three digits, away from both ends of the scale."""
    rng = random.Random(seed)
    nothing, everything = dl.ApproximateDP(epsilon=0.0), dl.ApproximateDP(epsilon=math.inf)
    names, out = list(FAMILIES), []
    while len(out) < count:
        name = names[len(out) % len(names)]
        family, (low, high), whole = FAMILIES[name]
        x = _log_uniform(rng, low, high)
        x = round(x) if whole else x
        question = rng.choice(_questions(rng))
        answer = float(question.of(family(x)))
        ends = [float(question.of(m)) for m in (nothing, everything)]
        if not math.isfinite(answer) or min(abs(answer - end) / max(abs(answer), 1e-3) for end in ends) < 0.02:
            continue
        # rounded to the side on which x still meets it
        digits = 2 - math.floor(math.log10(abs(answer)))
        bound = round(answer, digits) + (1 if question.more_is_riskier else -1) * 10.0**-digits
        requirement = dl.Requirement(question=question, bound=bound)
        if math.isfinite(ends[1]) and (requirement.met_by(everything) or bound <= 0):
            continue
        out.append((name, requirement, x))
    return out
