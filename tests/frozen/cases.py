"""What the frozen answers are asked of: releases, related records and tests as source text, and the questions.

Each answer is named by its text, so that a line of ``answers.tsv`` can be pasted into an interpreter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

import dplens as dl

POINTS = np.concatenate([np.geomspace(1e-12, 0.5, 500), 1 - np.geomspace(0.5, 1e-12, 501)[1:]])

MECHANISMS = (
    "dl.Gaussian(sigma=2.0)",
    "dl.Gaussian(sigma=0.05)",
    "dl.Laplace(scale=1.0)",
    "dl.Laplace(scale=0.05)",
    "dl.Geometric(scale=1.0, sensitivity=2)",
    "dl.DiscreteGaussian(sigma=2.0)",
    "dl.DiscreteGaussian(sigma=20.0, sensitivity=3)",
    "dl.Staircase(epsilon=1.0)",
    "dl.RandomizedResponse(epsilon=1.0, categories=4)",
    "dl.Exponential(epsilon=1.0)",
    "dl.UniformSampling(mu=1.0, n=5, neighbours='replace')",
    "dl.AdditiveNoise(noise=stats.logistic(scale=2.0))",
    "dl.AdditiveNoise(noise=stats.cauchy())",
    "dl.AdditiveNoise(noise=stats.t(3))",
    "dl.FinitePair(p=[0.5, 0.3, 0.2, 0.0], q=[0.2, 0.3, 0.4, 0.1])",
    "dl.ContinuousPair(p=stats.norm(0, 1), q=stats.norm(1, 1.5))",
    "dl.ApproximateDP(epsilon=1.0, delta=1e-5)",
    "dl.RenyiDP(orders=[2.0, 4.0, 8.0], epsilons=[0.1, 0.2, 0.4])",
    "dl.ZeroConcentratedDP(rho=0.5)",
    "dl.PrivacyProfile(epsilons=[0.0, 1.0, 2.0], deltas=[0.3, 0.1, 0.01])",
    "dl.TradeOffPoints(alphas=[0.0, 0.1, 0.5, 1.0], betas=[1.0, 0.7, 0.2, 0.0])",
    "dl.Laplace(scale=1.0).subsample(0.1)",
    "dl.Gaussian(sigma=1.0, neighbours='replace').subsample(0.1, scheme='without_replacement')",
    "dl.Gaussian(sigma=2.0).group(3)",
    "dl.Laplace(scale=2.0).as_replace()",
    "dl.Gaussian(sigma=2.0).fails_with(1e-6)",
)
COMPOSITIONS = (
    "dl.DPSGD(noise_multiplier=0.8, sample_rate=0.004, steps=10_000)",
    "dl.DPSGD(noise_multiplier=1.1, sample_rate=0.01, steps=1000)",
    "dl.DPSGD(noise_multiplier=2.0, sample_rate=0.5, steps=20)",
    "dl.DPSGD(noise_multiplier=1.0, sample_rate=0.1, steps=30)",
    "dl.DPSGD(noise_multiplier=1.0, sample_rate=0.001, steps=100_000).group(2)",
    "dl.Gaussian(sigma=10.0).repeat(100)",
    "dl.Laplace(scale=1.0).repeat(3)",
    "dl.Laplace(scale=10.0).repeat(1000)",
    "dl.Laplace(scale=10.0).subsample(0.1).repeat(500)",
    "dl.Geometric(scale=20.0).repeat(100)",
    "dl.DiscreteGaussian(sigma=10.0).repeat(50)",
    "dl.RandomizedResponse(epsilon=0.5).repeat(20)",
    "dl.Exponential(epsilon=0.1).repeat(100)",
    "dl.Staircase(epsilon=1.0).repeat(10)",
    "dl.ApproximateDP(epsilon=0.1, delta=1e-7).repeat(100)",
    "dl.RenyiDP(orders=[2.0, 4.0, 8.0], epsilons=[0.1, 0.2, 0.4]).repeat(10)",
    "dl.AdditiveNoise(noise=stats.logistic(scale=5.0)).repeat(10)",
    "dl.compose(dl.Gaussian(sigma=1.0), dl.Laplace(scale=1.0))",
    "dl.compose(dl.DiscreteGaussian(sigma=3.0), dl.Gaussian(sigma=2.0))",
    "dl.compose(dl.RandomizedResponse(epsilon=0.5).repeat(3), dl.Laplace(scale=2.0))",
    "dl.compose(dl.Geometric(scale=2.0), dl.RandomizedResponse(epsilon=1.0), dl.Gaussian(sigma=3.0))",
    "dl.compose(dl.DPSGD(noise_multiplier=1.1, sample_rate=0.01, steps=500), dl.Laplace(scale=2.0))",
    "dl.compose(*[dl.Laplace(scale=float(s)) for s in np.linspace(5, 10, 6)])",
    "dl.compose(*[dl.Gaussian(sigma=float(s)).subsample(0.02) for s in np.linspace(1, 2, 50)])",
)
_ONE_OF_A_CHAIN = ".view(dl.Laplace(scale=2.0), target=3, known={0: 0}, pair=(0, 1))"
RELATED = (
    "dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]]).view(dl.Laplace(scale=1.0), target=0, pair=(0, 1))",
    "dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]]).view(dl.Geometric(scale=2.0), target=1, known=[], pair=(0, 1))",
    "dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]]).worst(dl.Gaussian(sigma=1.0))",
    "dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.3, 0.7]], length=8)" + _ONE_OF_A_CHAIN,
    "dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 1.0]]).view(dl.Gaussian(sigma=1.0), target=0, known=[])",
    "dl.GaussianChain.ar1(length=30, correlation=0.6).view(dl.Gaussian(sigma=2.0), target=10, known=[9])",
)
TESTS = (
    "dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1))",
    "dl.MeanTest(n=793, sd=1.0, effect=0.1, level=1e-5, published='sum')",
    "dl.ProportionTest(n=200, effect=0.1)",
    "dl.TwoProportionsTest(n=60, effect=0.25, baseline=0.3)",
)
NOISES = ("dl.Gaussian(sigma=0.05)", "dl.Laplace(scale=0.05)", "dl.Geometric(scale=2.0)", "None")

QUESTIONS = (
    "dl.AttackPower(fpr=0.01)",
    "dl.AttackPower(fpr=1e-12)",
    "dl.MinFPR(fnr=1e-12)",
    "dl.Advantage()",
    "dl.AUC()",
    "dl.Mu()",
    "dl.Epsilon(delta=1e-5)",
    "dl.Epsilon(delta=1e-30)",
    "dl.Delta(epsilon=1.0)",
    "dl.Renyi(order=2.0)",
    "dl.FScore(weight=1.0, prior=0.3)",
    "dl.Precision(recall=0.5, prior=0.1)",
    "dl.MaxPosterior(prior=0.1)",
)
OF_RELATED = tuple(q for q in QUESTIONS if "Renyi" not in q and "Mu" not in q)
# Left out of the fixture for the time they take; the benchmark measures them.
SLOW = {
    ("dl.DPSGD(noise_multiplier=1.0, sample_rate=0.001, steps=100_000).group(2)", "dl.Mu()"),
}


def names() -> list[str]:
    """The texts of all answers."""
    asked = [(target, q) for target in (*MECHANISMS, *COMPOSITIONS) for q in QUESTIONS]
    asked += [(target, q) for target in RELATED for q in OF_RELATED]
    lines = [f"{q}.of({target})" for target, q in asked if (target, q) not in SLOW]
    lines += [f"curve({target})" for target in (*MECHANISMS, *COMPOSITIONS)]
    lines += [f"{test}.power({noise})" for test in TESTS for noise in NOISES]
    return lines


def curve(target: Any) -> dl.Estimate:
    """The mean power over a thousand false-positive rates, read as an array: only its upper end is public."""
    high = float(np.mean(target.tradeoff().power(POINTS)))
    return dl.Estimate(high, low=high, high=high)


def made(text: str) -> Any:
    """What a text makes."""
    return eval(text, {"dl": dl, "np": np, "stats": stats, "curve": curve})


def answer(name: str) -> Any:
    """The answer that a text names."""
    return made(name)
