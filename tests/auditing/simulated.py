"""Pairs of worlds to audit: draws of a score with and without the target, and the true mechanism."""

import numpy as np
from scipy.stats import binom

import dplens as dl
from tests import effort

MANY = effort.SEARCHING  # 10^4 audits of each kind instead of a few hundred
AUDITS = 10_000 if MANY else 120


def gaussian(rng, n, present):
    return rng.normal(1.0 if present else 0.0, 1.0, n)


def laplace(rng, n, present):
    return rng.laplace(1.0 if present else 0.0, 1.0, n)


def randomised_response(rng, n, present):
    truth = rng.random(n) < np.exp(1.0) / (1 + np.exp(1.0))
    return (truth == present).astype(float)


def nothing(rng, n, present):
    return np.round(rng.normal(0, 1, n), 1)  # with ties


WORLDS = {
    "gaussian": (gaussian, dl.Gaussian(sigma=1.0)),
    "laplace": (laplace, dl.Laplace(scale=1.0)),
    "randomised response": (randomised_response, dl.RandomizedResponse(epsilon=1.0)),
    "nothing": (nothing, dl.GaussianDP(mu=0.0)),
}


def most_failures(trials, error):
    """What a correct procedure exceeds less than once in 10^4 such tests."""
    return int(binom.isf(1e-4, trials, error))
