"""Bad input is refused with an error that names the argument and the value; meaningful limits work."""

import math

import numpy as np
import pytest
from scipy import stats

import dplens as dl

NAN, INF = math.nan, math.inf

POSITIVE = [NAN, INF, -INF, -1.0, 0.0, "1", None, True, 1j, [1.0, 2.0]]
COUNTS = [NAN, INF, -1, 0, 1.5, "2", None, True]
OPEN = [NAN, INF, -0.1, 0.0, 1.0, 1.1, "0.5", None, True]
CLOSED = [NAN, INF, -0.1, 1.1, "0.5", None, True]
AT_LEAST_0 = [NAN, -1.0, "1", None, True]

BAD = [
    *((dl.Gaussian, {"sigma": x}, "sigma") for x in POSITIVE),
    *((dl.Gaussian, {"sigma": 1.0, "sensitivity": x}, "sensitivity") for x in POSITIVE),
    *((dl.Laplace, {"scale": x}, "scale") for x in POSITIVE),
    *((dl.Geometric, {"scale": 1.0, "sensitivity": x}, "sensitivity") for x in COUNTS),
    *((dl.DiscreteGaussian, {"sigma": x}, "sigma") for x in POSITIVE),
    *((dl.Staircase, {"epsilon": x}, "epsilon") for x in POSITIVE),
    *((dl.Staircase, {"epsilon": 1.0, "gamma": x}, "gamma") for x in (NAN, -0.1, 1.1, "x")),
    *((dl.RandomizedResponse, {"epsilon": x}, "epsilon") for x in (NAN, INF, -1, "1", None)),
    *((dl.RandomizedResponse, {"epsilon": 1.0, "categories": x}, "categories") for x in (*COUNTS, 1)),
    *((dl.Exponential, {"epsilon": x}, "epsilon") for x in (NAN, INF, -1, "1", None)),
    *((dl.UniformSampling, {"mu": x, "n": 5}, "mu") for x in POSITIVE),
    *((dl.UniformSampling, {"mu": 1.0, "n": x}, "n") for x in (*COUNTS, 1)),
    *(
        (dl.AdditiveNoise, {"noise": x}, "noise")
        for x in (stats.norm, stats.poisson(3), "norm", None, stats.norm(0, -1))
    ),
    *((dl.ContinuousPair, {"p": stats.norm(), "q": x}, "q") for x in ("norm", None, 3.0, stats.norm)),
    *(
        (dl.FinitePair, {"p": x, "q": [0.5, 0.5]}, "p")
        for x in ([], [0.5, 0.6], [-0.5, 1.5], [NAN, 1], "ab", None, [[1.0]])
    ),
    (dl.FinitePair, {"p": [0.5, 0.5], "q": [0.2, 0.3, 0.5]}, "q"),
    *((dl.ApproximateDP, {"epsilon": x}, "epsilon") for x in AT_LEAST_0),
    *((dl.ApproximateDP, {"epsilon": 1.0, "delta": x}, "delta") for x in CLOSED),
    *((dl.GaussianDP, {"mu": x}, "mu") for x in (NAN, INF, -1.0, "1", None)),
    *((dl.RenyiDP, {"orders": x, "epsilons": [1.0]}, "orders") for x in ([], [0.5], [NAN], "a", [[2.0]])),
    *((dl.RenyiDP, {"orders": [2.0], "epsilons": x}, "epsilons") for x in ([-1.0], [NAN], [1.0, 2.0], "a")),
    *((dl.ZeroConcentratedDP, {"rho": x}, "rho") for x in (NAN, INF, -1.0, "1")),
    *((dl.Gaussian, {"sigma": 1.0, "neighbours": x}, "neighbours") for x in ("swap", None, 1, "")),
    *((dl.AttackPower, {"fpr": x}, "fpr") for x in CLOSED),
    *((q, {"prior": x}, "prior") for x in OPEN for q in (dl.Accuracy, dl.FScore, dl.MaxPosterior, dl.Adversary)),
    *((dl.Precision, {"recall": x}, "recall") for x in CLOSED),
    *((dl.FScore, {"weight": x}, "weight") for x in POSITIVE),
    *((dl.MinFPR, {"fnr": x}, "fnr") for x in CLOSED),
    *((dl.Cost, {"false_positive": x}, "false_positive") for x in (NAN, INF, -1.0, "1")),
    *((dl.RelativeRisk, {"prior": x}, "prior") for x in (NAN, -0.1, 1.0, "0")),
    *((dl.Epsilon, {"delta": x}, "delta") for x in CLOSED),
    *((dl.Delta, {"epsilon": x}, "epsilon") for x in AT_LEAST_0),
    *((dl.Renyi, {"order": x}, "order") for x in (NAN, 0.0, -1.0, "2")),
]


@pytest.mark.parametrize(
    ("make", "arguments", "name"), BAD, ids=lambda x: repr(x)[:40] if not callable(x) else x.__name__
)
def test_the_error_names_argument_and_value(make, arguments, name):
    with pytest.raises(dl.DplensError) as caught:
        make(**arguments)
    assert isinstance(caught.value, (ValueError, TypeError))
    message = str(caught.value)
    assert message.startswith("Expected ")
    assert name in message
    assert repr(arguments[name])[:20] in message or "got" in message


@pytest.mark.parametrize("bad", [NAN, -0.1, 1.1, -INF, "0.5", None, True, 1j, ["a"], [0.5, NAN], [0.5, 2.0]])
@pytest.mark.parametrize("read", ["__call__", "power", "epsilon"])
def test_levels_outside_the_unit_interval_are_refused(read, bad):
    with pytest.raises(dl.DplensError, match="alpha" if read != "epsilon" else "delta"):
        getattr(dl.Gaussian(sigma=1.0).tradeoff(), read)(bad)


@pytest.mark.parametrize("bad", [NAN, -0.1, "1", None, [1.0, -2.0]])
def test_negative_epsilons_are_refused(bad):
    with pytest.raises(dl.DplensError, match="epsilon"):
        dl.Laplace(scale=1.0).tradeoff().delta(bad)


@pytest.mark.parametrize("target", [None, 3.0, "gaussian", dl.Gaussian, object()])
def test_questions_ask_only_curves(target):
    with pytest.raises(TypeError, match="target"):
        dl.Advantage().of(target)


def test_directions_and_groups():
    m = dl.Gaussian(sigma=1.0)
    with pytest.raises(dl.DplensError, match="direction"):
        m.tradeoff(direction="up")
    for bad in (0, 1.5, NAN, "2"):
        with pytest.raises(dl.DplensError, match="size"):
            m.group(bad)
    for bad in (-0.1, 1.1, NAN, "x"):
        with pytest.raises(dl.DplensError, match="probability"):
            m.fails_with(bad)
    with pytest.raises(dl.DplensError, match="at least one"):
        dl.supremum()


def test_guarantees_about_different_neighbours_are_not_put_together():
    replaced = dl.Gaussian(sigma=1.0, neighbours="replace")
    with pytest.raises(dl.DplensError, match=r"same neighbours, got .* as_replace\(\)"):
        dl.supremum(replaced, dl.GaussianDP(mu=0.6))
    assert dl.supremum(replaced, dl.GaussianDP(mu=0.6).as_replace()).mu() == pytest.approx(1.0)


def test_liu_coefficients_that_leave_no_doubt_are_refused():
    with pytest.raises(dl.DplensError, match="already knows"):
        dl.Adversary.from_coefficients(prior=0.5, record=0.5, temporal=0.5)
    with pytest.raises(dl.DplensError, match="record"):
        dl.Adversary.from_coefficients(record=1.0)


def test_requirements_point_the_right_way():
    assert dl.Advantage().at_most(0.2).met_by(dl.Gaussian(sigma=2.0))
    assert not dl.Advantage().at_most(0.19).met_by(dl.Gaussian(sigma=2.0))
    assert dl.MinFPR(fnr=0.5).at_least(0.3).met_by(dl.Gaussian(sigma=2.0))
    with pytest.raises(dl.DplensError, match="at_least"):
        dl.Cost().at_most(0.1)
    with pytest.raises(dl.DplensError, match="at_most"):
        dl.Advantage().at_least(0.1)
    with pytest.raises(dl.DplensError, match="bound"):
        dl.Advantage().at_most(NAN)


MECHANISMS = [
    dl.Gaussian(sigma=1.0),
    dl.Laplace(scale=1.0),
    dl.Geometric(scale=1.0),
    dl.DiscreteGaussian(sigma=1.0),
    dl.Staircase(epsilon=1.0),
    dl.RandomizedResponse(epsilon=1.0, categories=3),
    dl.Exponential(epsilon=1.0),
    dl.ApproximateDP(epsilon=1.0, delta=1e-5),
    dl.FinitePair(p=[0.2, 0.8], q=[0.6, 0.4]),
]


@pytest.mark.parametrize("m", MECHANISMS, ids=lambda m: type(m).__name__)
def test_meaningful_limits_work(m):
    f = m.tradeoff()
    assert f(1.0) == 0
    assert f.power(1.0) == 1
    assert f(0.0) == 1 - f.power(0.0)
    assert f.delta(INF) == f.power(0.0)
    assert f.delta(0.0) == dl.Advantage().of(m)
    assert f.epsilon(1.0) == 0
    assert f.epsilon(0.0) > 0


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1e3, 1e12])
def test_huge_and_tiny_noise_work(scale):
    for m in (
        dl.Gaussian(sigma=scale),
        dl.Laplace(scale=scale),
        dl.Geometric(scale=scale),
        dl.DiscreteGaussian(sigma=scale),
    ):
        f = m.tradeoff()
        alphas = np.array([0.0, 1e-12, 0.3, 0.9, 1.0])
        assert np.all(np.diff(f(alphas)) <= 0)
        assert np.all(f(alphas) <= 1 - alphas)
        assert 0 <= f.delta(0.0) <= 1
        assert f.epsilon(1e-6) >= 0


def test_no_guarantee_and_perfect_privacy():
    assert dl.ApproximateDP(epsilon=INF).tradeoff()(0.3) == 0
    assert dl.ApproximateDP(epsilon=0.0, delta=1.0).tradeoff().power(0.0) == 1
    for perfect in (
        dl.GaussianDP(mu=0),
        dl.ApproximateDP(epsilon=0),
        dl.Exponential(epsilon=0),
        dl.ZeroConcentratedDP(rho=0),
    ):
        assert perfect.tradeoff()(0.3) == pytest.approx(0.7)
        assert dl.Advantage().of(perfect) < 1e-14
        assert dl.failure_mode(perfect) is dl.FailureMode.NONE


def test_messages_are_sentences():
    cases = [
        (lambda: dl.Laplace(scale=1.0).group(True), "Expected size to be a whole number >= 1, got True."),
        (lambda: dl.FinitePair(p=(x for x in (0.5, 0.5)), q=[0.5, 0.5]), "Expected p to be numbers in [0, 1] that sum"),
        (lambda: dl.FinitePair(p=[0.5, None], q=[0.5, 0.5]), "Expected p to be numbers in [0, 1] that sum to 1, got"),
        (lambda: dl.AdditiveNoise(noise=stats.norm(0, -1)), "scale > 0), got scipy.stats.norm(0, -1)."),
    ]
    for ask, words in cases:
        with pytest.raises(dl.DplensError) as refused:
            ask()
        assert words in str(refused.value)


def test_masked_values_are_not_uncovered():
    masked = np.ma.array([0.1, 0.2], mask=[False, True])
    for ask in (dl.Laplace(scale=1.0).tradeoff(), lambda x: dl.FinitePair(p=x, q=[0.5, 0.5])):
        with pytest.raises(dl.DplensError, match="compressed"):
            ask(masked)
    f = dl.Laplace(scale=1.0).tradeoff()
    assert np.array_equal(f(np.ma.array([0.1, 0.2])), f([0.1, 0.2]))


@pytest.mark.parametrize("combine", [dl.supremum, dl.infimum])
def test_curves_of_different_neighbours_are_not_combined(combine):
    added = dl.GaussianDP(mu=1.0)
    with pytest.raises(ValueError, match=r"same neighbours.*as_replace\(\)"):
        combine(added, added.as_replace())
    assert combine(added.as_replace(), added.as_replace()).delta(1.0) > combine(added, added).delta(1.0)
    with pytest.raises(ValueError, match="at least one mechanism or curve"):
        combine()


@pytest.mark.parametrize(
    "question",
    [dl.Advantage(), dl.AUC(), dl.AttackPower(), dl.Accuracy(), dl.Precision(recall=0.5), dl.FScore(), dl.Delta()],
)
def test_a_bound_that_nothing_can_break_is_refused_at_once(question):
    with pytest.raises(dl.DplensError, match=r"Expected at_most in \[0, 1\], got 10\.0\. 10 % is written 0\.1"):
        question.at_most(10)
    with pytest.raises(dl.DplensError, match=r"Expected bound in \[0, 1\], got 10"):
        dl.Requirement(question=question, bound=10)
    assert question.at_most(1.0).met_by(dl.Gaussian(sigma=1e-9))


def test_a_count_that_no_float_holds_is_told_the_limit():
    with pytest.raises(
        dl.DplensError, match=r"^Expected n to be a whole number >= 1 and <= 1.79769e\+308, got 10*\.{4}"
    ):
        dl.assess(dl.Gaussian(sigma=1.0), n=10**400)
