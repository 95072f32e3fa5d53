"""Broken mechanisms are caught, right ones pass."""

import numpy as np
import pytest

import dplens as dl
from tests.auditing.sparse_vectors import answers

E = 1.0  # what every mechanism claims, unless it is Gaussian


def laplace(scale):
    return lambda data, rng, size: data + rng.laplace(0, scale, size)


def gaussian(data, rng, size):
    return data + rng.normal(0, 1, size)


def response(truth):
    return lambda data, rng, size: np.where(rng.random(size) < truth, data, 1 - data).astype(float)


def ignores_its_seed(data, rng, size):
    return data + np.random.default_rng(0).laplace(0, 1, 1).repeat(size)


def sparse_vector(variant, positives=60):
    return lambda queries, rng, size: answers(variant, queries, E, positives, rng, size)


def published_answer(queries, rng, size):
    """Variant 3: eight answers "below", then a published one that is low, which shows that the bar was no higher."""
    found = answers(3, queries, E, 1, rng, size)
    return ((found[:, :-1] == -np.inf).all(axis=1) & (found[:, -1] > -np.inf) & (found[:, -1] <= 2)).astype(float)


pure, steps = dl.ApproximateDP(epsilon=E), 25
worst = [0.0] * (2 * steps), [1.0] * steps + [-1.0] * steps
BROKEN = {
    "Laplace with half the noise": (laplace(0.5), 0.0, 1.0, dl.Laplace(scale=1.0), 2000),
    "Gaussian with forgotten sensitivity": (gaussian, 0.0, 3.0, dl.Gaussian(sigma=1.0), 2000),
    "biased coin": (response(0.8), 0.0, 1.0, dl.RandomizedResponse(epsilon=E), 5000),
    "ignores its seed": (ignores_its_seed, 0.0, 1.0, dl.Laplace(scale=1.0), 400),
    "sparse vector 3": (published_answer, [0.0] * 8 + [0.0], [-1.0] * 8 + [0.0], pure, 100_000),
    "sparse vector 4": (sparse_vector(4), *worst, pure, 2000),
    "sparse vector 5": (sparse_vector(5), [1.0, 0.0], [0.0, 1.0], pure, 2000),
    "sparse vector 6": (sparse_vector(6), *worst, pure, 2000),
}
RIGHT = {
    "Laplace": (laplace(1.0), 0.0, 1.0, dl.Laplace(scale=1.0), 2000),
    "Gaussian": (gaussian, 0.0, 1.0, dl.Gaussian(sigma=1.0), 2000),
    "fair coin": (response(np.e / (1 + np.e)), 0.0, 1.0, dl.RandomizedResponse(epsilon=E), 6000),
    "sparse vector 1, one positive": (sparse_vector(1, 1), [0.0] * 4, [1.0, 1.0, -1.0, -1.0], pure, 2000),
    "sparse vector 1": (sparse_vector(1), *worst, pure, 2000),
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_broken_is_caught(name):
    run, d0, d1, claim, n = BROKEN[name]
    score = "raw" if name.endswith("3") else "learned"
    found = dl.audit_mechanism(run, d0, d1, n=n, claim=claim, vectorized=True, seed=1, score=score)
    assert found.refutes(claim), found
    assert (name == "ignores its seed") == any("ignores its generator" in note for note in found.notes)


@pytest.mark.parametrize("name", RIGHT)
def test_the_right_passes(name):
    run, d0, d1, claim, n = RIGHT[name]
    found = dl.audit_mechanism(run, d0, d1, n=n, claim=claim, vectorized=True, seed=1)
    assert not found.refutes(claim)
    assert found.notes == ()
