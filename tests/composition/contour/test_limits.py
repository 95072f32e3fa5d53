"""The Gaussian limits of DP-SGD: their mu against mpmath, and on which side of the certified answer they lie."""

import itertools
import math

import numpy as np
import pytest
from mpmath import mp, mpf

import dplens as dl
from dplens.errors import DplensError, InvalidType, InvalidValue

KINDS = ("poisson", "symmetrised")


def limit(steps, kind="poisson", sigma=1.0, rate=0.01):
    return dl.DPSGDLimit(noise_multiplier=sigma, sample_rate=rate, steps=steps, kind=kind)


def mu_by_definition(sigma, rate, steps, kind):
    """The printed formulas, with digits enough for every cancellation."""
    with mp.workdps(80):
        u = 1 / mpf(sigma)
        if kind == "poisson":
            grown = mp.exp(u**2) - 1
        else:
            grown = 2 * (mp.exp(u**2) * mp.ncdf(3 * u / 2) + 3 * mp.ncdf(-u / 2) - 2)
        return mpf(rate) * mp.sqrt(steps) * mp.sqrt(grown)


SIGMAS = [*np.geomspace(0.05, 1000, 61).tolist(), math.sqrt(12.5), 3.535, 3.536, 0.0467, 1e6, 1e12]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sigma", SIGMAS)
def test_mu(kind, sigma):
    for rate, steps in ((0.01, 100), (1e-6, 10**8), (1.0, 1)):
        truth = mu_by_definition(sigma, rate, steps, kind)
        assert abs(limit(steps, kind, sigma, rate).mu / truth - 1) < 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_much_noise_leaves_the_plain_ratio(kind):
    # u² is too small for a float here, mu = s·u is not
    assert limit(10_000, kind, sigma=1e99).mu == pytest.approx(1e-99, rel=1e-12)


def test_curve_is_gaussian_and_says_what_it_is():
    one = limit(1000)
    exact = dl.GaussianDP(mu=one.mu).tradeoff()
    alphas = np.array([1e-12, 1e-3, 0.5, 0.999])
    assert np.array_equal(one.curve(alphas), exact(alphas))
    assert one.curve.epsilon(1e-5) == exact.epsilon(1e-5)
    for curve in (one.curve, one.curve.inverse(), one.curve.group(3), one.curve.fails_with(0.1)):
        assert curve.certificate.route == "limit"
        assert "not a bound" in curve.certificate.note
    assert one.curve.certificate.tolerance == math.inf
    assert "limit" in repr(one.curve)
    assert dl.infimum(one.curve, dl.Laplace(scale=1.0)).certificate.route == "limit"
    estimate = dl.Advantage().of(one.curve)
    assert estimate.certificate is not None
    assert estimate.certificate.route == "limit"


def test_it_cannot_pass_for_a_guarantee():
    one = limit(1000)
    assert not isinstance(one, dl.Mechanism)
    with pytest.raises(InvalidType, match="target"):
        dl.Epsilon(delta=1e-5).of(one)
    with pytest.raises(InvalidType, match="mechanisms"):
        dl.compose(dl.Gaussian(sigma=1.0), one)  # pyright: ignore[reportArgumentType]


OPTIMISTIC = [  # few steps, or a delta that is small for their number
    ("poisson", 100, dl.Epsilon(delta=1e-5)),
    ("poisson", 100, dl.Epsilon(delta=1e-2)),
    ("poisson", 100, dl.Delta(epsilon=1.0)),
    ("poisson", 100, dl.AttackPower(fpr=0.01)),
    ("poisson", 1000, dl.Epsilon(delta=1e-5)),
    ("poisson", 10_000, dl.Epsilon(delta=1e-5)),
    ("poisson", 10_000, dl.MinFPR(fnr=0.999)),
    ("symmetrised", 100, dl.Epsilon(delta=1e-5)),
    ("symmetrised", 100, dl.Delta(epsilon=1.0)),
]
PESSIMISTIC = [
    ("poisson", 100, dl.Advantage()),
    ("poisson", 1000, dl.Advantage()),
    ("poisson", 1000, dl.MinFPR(fnr=0.5)),
    ("poisson", 10_000, dl.Delta(epsilon=1.0)),
    ("poisson", 10_000, dl.AttackPower(fpr=0.01)),
    ("symmetrised", 1000, dl.Advantage()),
    ("symmetrised", 10_000, dl.Epsilon(delta=1e-5)),
]


@pytest.mark.parametrize(("kind", "steps", "question"), OPTIMISTIC, ids=str)
def test_optimistic(kind, steps, question):
    found = limit(steps, kind).against(question)
    assert found.optimistic
    assert not found.pessimistic
    assert (found.error < 0) == question.more_is_riskier
    assert "optimistic" in str(found)


@pytest.mark.parametrize(("kind", "steps", "question"), PESSIMISTIC, ids=str)
def test_pessimistic(kind, steps, question):
    found = limit(steps, kind).against(question)
    assert found.pessimistic
    assert not found.optimistic
    assert (found.error > 0) == question.more_is_riskier
    assert "pessimistic" in str(found)


def test_what_stands_beside_it():
    question = dl.Epsilon(delta=1e-5)
    found = limit(1000).against(question)
    assert found.limit == dl.GaussianDP(mu=limit(1000).mu).tradeoff().epsilon(1e-5)
    # a printed value, to its eleven digits
    assert found.certified.low - 5e-12 <= 1.82823666652 <= found.certified.high + 5e-12
    assert found.error == found.limit - float(found.certified)
    assert isinstance(found.certified, dl.Estimate)
    without = dl.Gaussian(sigma=1.0, neighbours="replace").subsample(0.01, scheme="without_replacement").repeat(100)
    assert float(limit(100, "symmetrised").against(question).certified) == float(question.of(without))


def test_both_infinite_is_no_error():
    found = limit(1000).against(dl.Epsilon(delta=0.0))
    assert found.limit == found.certified == math.inf
    assert found.error == 0
    assert not found.optimistic
    assert "within" in str(found)


@pytest.mark.parametrize("question", [dl.Epsilon(delta=1e-5), dl.Advantage(), dl.AttackPower(fpr=0.001)], ids=str)
def test_error_vanishes_as_steps_grow(question):
    """s = rate·√steps fixed: a hundred times the steps, a tenth of the error (the first correction is 1/√steps)."""
    s = 0.01 * math.sqrt(1000)
    errors = [limit(steps, rate=s / math.sqrt(steps)).against(question).error for steps in (10**4, 10**6, 10**8)]
    for coarse, fine in itertools.pairwise(errors):
        assert fine / coarse == pytest.approx(0.1, abs=0.04)


BAD = [
    ("noise_multiplier", 0),
    ("noise_multiplier", -1.0),
    ("noise_multiplier", math.nan),
    ("noise_multiplier", math.inf),
    ("noise_multiplier", "1"),
    ("noise_multiplier", 0.02),  # mu = e^1250
    ("noise_multiplier", 1e-300),
    ("noise_multiplier", 5e-324),
    ("noise_multiplier", 1e120),
    ("sample_rate", 0.0),
    ("sample_rate", 1.1),
    ("sample_rate", math.nan),
    ("sample_rate", None),
    ("steps", 0),
    ("steps", -1),
    ("steps", 1.5),
    ("steps", math.inf),
    ("kind", "shuffle"),
    ("kind", None),
]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_bad_input(name, value):
    with pytest.raises(DplensError, match=f"Expected {name}") as caught:
        dl.DPSGDLimit(**({"noise_multiplier": 1.0, "sample_rate": 0.01, "steps": 100} | {name: value}))
    assert isinstance(caught.value, (InvalidValue, InvalidType))


@pytest.mark.parametrize("question", [None, 1e-5, "epsilon", dl.Epsilon, dl.Gaussian(sigma=1.0)])
def test_against_no_question(question):
    with pytest.raises(InvalidType, match="question"):
        limit(100).against(question)


def test_arguments_by_name_only_and_frozen():
    with pytest.raises(TypeError):
        dl.DPSGDLimit(1.0, 0.01, 100)  # pyright: ignore[reportCallIssue]
    with pytest.raises(AttributeError):
        limit(100).steps = 5  # pyright: ignore[reportAttributeAccessIssue]
