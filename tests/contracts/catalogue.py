"""Everything the contract suites run over: one line per family of mechanisms, one line per question.

A family has a name, a maker, a fixed example and a strategy for each of the maker's arguments. Adding a line to
``FAMILIES`` subjects a mechanism (or a curve) to every suite; adding one to ``QUESTIONS`` does so for a question.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from scipy import stats

import dplens as dl
from tests.effort import DRAWS, VERIFYING

# ---- ranges --------------------------------------------------------------------------------------------


def log_uniform(low, high):
    """Floats spread evenly over orders of magnitude."""
    return st.floats(math.log(low), math.log(high)).map(lambda x: min(max(math.exp(x), low), high))


LEVEL = log_uniform(1e-4, 50)  # mu and epsilon: from almost nothing to no privacy at all
UNIT = log_uniform(1e-6, 1e6)  # the unit in which a released number is measured
SMALL = st.one_of(st.just(0.0), log_uniform(1e-12, 0.5))  # delta, probability of failure


def grid(*values):
    """A few values from end to end of a range, for curves that take long to build (they are kept)."""
    return st.sampled_from(values)


def law(size, bits=40):
    """A finite probability law with zeros; every mass is a multiple of 2^−bits, so that the sum is exactly 1."""
    whole = 2**bits
    cut = st.one_of(st.integers(0, whole), st.integers(0, bits).map(lambda k: 2**k), st.just(0))

    def masses(cuts):
        ends = [0, *sorted(cuts), whole]
        return tuple((b - a) / whole for a, b in itertools.pairwise(ends))

    return st.lists(cut, min_size=size - 1, max_size=size - 1).map(masses).flatmap(st.permutations).map(tuple)


def rounded_law(size):
    """A finite law whose masses are quotients: they round, and add up to 1 only nearly. Zeros and tiny masses too."""
    weight = st.one_of(st.integers(1, 20).map(float), st.floats(1e-3, 1), log_uniform(1e-30, 1), st.just(0.0))
    weights = st.lists(weight, min_size=size, max_size=size).filter(any)
    return weights.map(lambda w: tuple(x / math.fsum(w) for x in w))


def _pairs(draw_law):
    return st.integers(1, 8).flatmap(lambda size: st.tuples(draw_law(size), draw_law(size)))


FINITE_PAIR = st.one_of(_pairs(rounded_law), _pairs(law))
ALPHA, EPSILON, DELTA = st.floats(0, 1), st.floats(0, 60), SMALL

# ---- families ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Family:
    """One line of the catalogue.

    make: from arguments to a mechanism, or to a curve where ``is_curve``.
    fixed: the arguments of the example; drawn: a strategy for each argument.
    riskier: the argument whose doubling must never lower a risk.
    slow: its curve takes long to build or read: it is kept, asked less, and drawn only by `make verify`.
    heavy: its suites run in `make verify` alone.
    draws: how many are drawn besides the example; `make verify` multiplies them (tests/effort.py).
    """

    name: str
    make: Callable[..., Any]
    fixed: Mapping[str, Any]
    drawn: Mapping[str, st.SearchStrategy]
    riskier: str | None = None
    slow: bool = False
    heavy: bool = False
    draws: int = 3
    is_curve: bool = False
    kept: dict = field(default_factory=dict, repr=False, compare=False)

    def __str__(self):
        return self.name.replace(" ", "-")

    def build(self, **arguments):
        """The mechanism or curve; the same object again where building is slow."""
        if not self.slow:
            return self.make(**arguments)
        key = repr(arguments)
        if key not in self.kept:
            self.kept[key] = self.make(**arguments)
        return self.kept[key]

    @property
    def example(self):
        return self.build(**self.fixed)

    def doubled(self, arguments):
        """Arguments of a release that is no less risky."""
        value = arguments[self.riskier]
        twice = tuple(2 * v for v in value) if isinstance(value, tuple) else 2 * value
        return {**arguments, self.riskier: twice}

    def run(self, check):
        """``check(**arguments)`` on the example, then on drawn arguments."""
        if self.slow and not VERIFYING:
            check(**self.fixed)
            return

        # a smaller counterexample of a slow family is not worth the wait
        phases = (Phase.explicit, Phase.generate) if self.slow else settings.default.phases

        # a slow family is drawn once where a quick one is drawn five times as often
        draws = self.draws * (max(1, DRAWS // 5) if self.slow else DRAWS)

        @settings(max_examples=draws, phases=phases)
        @example(dict(self.fixed))
        @given(st.fixed_dictionaries(dict(self.drawn)))
        def on(arguments):
            check(**arguments)

        on()


def _noise(law_name, **shapes):
    """A maker of AdditiveNoise with a SciPy law of the given name."""

    def make(scale, sensitivity):
        noise = getattr(stats, law_name)(**shapes, scale=scale)
        return dl.AdditiveNoise(noise=noise, sensitivity=sensitivity * scale)

    return make


def _noise_family(name, law_name, drawn, slow=False, heavy=False, draws=3, **shapes):
    """``sensitivity`` counts scales."""
    fixed = {"scale": 2.0, "sensitivity": 0.5}
    return Family(name, _noise(law_name, **shapes), fixed, drawn, "sensitivity", slow=slow, heavy=heavy, draws=draws)


def _two_normals(shift, spread):
    return dl.ContinuousPair(p=stats.norm(0.0, 1.0), q=stats.norm(shift, spread))


def _pair(laws, **more):
    return dl.FinitePair(p=laws[0], q=laws[1], **more)


def _bounded_noise(masses, sensitivity):
    return dl.BoundedNoise(values=range(-2, 3), probabilities=masses, sensitivity=sensitivity)


_LAWS = ((0.5, 0.375, 0.125, 0.0), (0.25, 0.375, 0.25, 0.125))
_OTHER_LAWS = ((0.6, 0.3, 0.1), (0.1, 0.3, 0.6))
_COUNT = st.integers(1, 20)
_SHIFTS = {"scale": UNIT, "sensitivity": log_uniform(1e-4, 20)}
_FEW_SHIFTS = {"scale": grid(0.01), "sensitivity": grid(1.0, 1e-3, 2.0)}
_NEIGHBOURS = st.sampled_from(["add_remove", "replace"])

_COUPLE = dl.DiscreteData(joint=[[0.35, 0.1, 0.05], [0.05, 0.1, 0.35]], values=[[0, 1], [0, 1, 3]])


def _seen(data, noise, **options):
    """The curve of an attacker on related records, by the scale of the noise."""
    return lambda scale: data.view(noise(scale), target=0, **options).tradeoff()


FAMILIES: list[Family] = [
    # noise on a number
    Family(
        "gaussian",
        lambda level, unit, **k: dl.Gaussian(sigma=unit, sensitivity=level * unit, **k),
        {"level": 0.7, "unit": 2.0, "neighbours": "add_remove"},
        {"level": LEVEL, "unit": UNIT, "neighbours": _NEIGHBOURS},
        "level",
    ),
    Family(
        "laplace",
        lambda level, unit, **k: dl.Laplace(scale=unit, sensitivity=level * unit, **k),
        {"level": 1.3, "unit": 0.5, "neighbours": "add_remove"},
        {"level": LEVEL, "unit": UNIT, "neighbours": _NEIGHBOURS},
        "level",
    ),
    Family(
        "geometric",
        lambda level, count: dl.Geometric(scale=count / level, sensitivity=count),
        {"level": 0.8, "count": 2},
        {"level": LEVEL, "count": _COUNT},
        "level",
    ),
    Family(
        "discrete gaussian",
        lambda level, count: dl.DiscreteGaussian(sigma=count / level, sensitivity=count),
        {"level": 0.5, "count": 1},
        {"level": log_uniform(1e-3, 20), "count": _COUNT},
        "level",
    ),
    Family(
        "staircase",
        dl.Staircase,
        {"epsilon": 1.0, "sensitivity": 2.0, "gamma": None},
        {"epsilon": LEVEL, "sensitivity": UNIT, "gamma": st.one_of(st.none(), st.floats(0, 1))},
    ),
    _noise_family("cauchy noise", "cauchy", _FEW_SHIFTS, slow=True, draws=2),
    _noise_family("t3 noise", "t", _FEW_SHIFTS, slow=True, draws=2, df=3),
    _noise_family("logistic noise", "logistic", _SHIFTS),
    _noise_family("generalised normal noise", "gennorm", _SHIFTS, slow=True, heavy=True, draws=2, beta=1.5),
    _noise_family("uniform noise", "uniform", {"scale": UNIT, "sensitivity": log_uniform(1e-4, 3)}),
    _noise_family("truncated normal noise", "truncnorm", _SHIFTS, slow=True, heavy=True, draws=2, a=-2.0, b=2.0),
    _noise_family("gumbel noise", "gumbel_r", _FEW_SHIFTS, slow=True, draws=2),
    # finitely many outputs
    Family(
        "randomized response",
        dl.RandomizedResponse,
        {"epsilon": 1.0, "categories": 4},
        {"epsilon": st.one_of(st.just(0.0), LEVEL), "categories": st.integers(2, 60)},
        "epsilon",
    ),
    Family(
        "uniform sampling",
        lambda mu, n: dl.UniformSampling(mu=mu, n=n),
        {"mu": 1.0, "n": 5},
        {"mu": LEVEL, "n": st.integers(2, 10**6)},
        "mu",
    ),
    Family(
        "uniform sampling, replace",
        lambda mu, n: dl.UniformSampling(mu=mu, n=n, neighbours="replace"),
        {"mu": 1.0, "n": 5},
        {"mu": LEVEL, "n": st.integers(1, 10**6)},
        "mu",
    ),
    Family("finite pair", _pair, {"laws": _LAWS}, {"laws": FINITE_PAIR}),
    Family(
        "bounded noise",
        _bounded_noise,
        {"masses": (0.1, 0.3, 0.2, 0.3, 0.1), "sensitivity": 2},
        {"masses": st.one_of(rounded_law(5), law(5)), "sensitivity": st.integers(1, 6)},
        "sensitivity",
    ),
    # two continuous laws
    Family(
        "two normals",
        _two_normals,
        {"shift": 1.0, "spread": 2.0},
        {"shift": grid(0.0, 3.0), "spread": grid(0.3, 1.5)},
        slow=True,
        draws=2,
    ),
    # guarantees
    Family("exponential", dl.Exponential, {"epsilon": 1.0}, {"epsilon": st.one_of(st.just(0.0), LEVEL)}, "epsilon"),
    Family(
        "approximate dp",
        dl.ApproximateDP,
        {"epsilon": 1.0, "delta": 1e-5},
        {"epsilon": st.one_of(st.just(0.0), LEVEL), "delta": st.one_of(SMALL, st.just(1.0))},
        "epsilon",
    ),
    Family("gaussian dp", dl.GaussianDP, {"mu": 1.0}, {"mu": st.one_of(st.just(0.0), LEVEL)}, "mu"),
    Family(
        "renyi dp",
        dl.RenyiDP,
        {"orders": (2.0, 4.0, 32.0), "epsilons": (0.5, 1.0, 6.0)},
        {
            "orders": grid((1.0, 1.5, 8.0), (3.0, 20.0, math.inf)),
            "epsilons": grid((1e-3, 1e-2, 0.1), (1.0, 3.0, 40.0)),
        },
        "epsilons",
        slow=True,
        draws=2,
    ),
    Family(
        "privacy profile",
        dl.PrivacyProfile,
        {"epsilons": (0.0, 1.0, 3.0), "deltas": (0.4, 0.1, 1e-4)},
        {"epsilons": grid((0.0, 0.5, 2.0), (0.0, 3.0, 9.0)), "deltas": grid((0.3, 0.1, 0.0), (0.9, 0.2, 1e-9))},
    ),
    Family(
        "trade-off points",
        dl.TradeOffPoints,
        {"alphas": (0.0, 0.1, 0.5, 1.0), "betas": (1.0, 0.6, 0.2, 0.0)},
        {"alphas": st.just((0.0, 0.1, 0.5, 1.0)), "betas": grid((1.0, 0.5, 0.1, 0.0), (0.9, 0.7, 0.3, 0.0))},
    ),
    Family("zcdp", dl.ZeroConcentratedDP, {"rho": 0.5}, {"rho": grid(20.0, 1e-6)}, "rho", slow=True, draws=1),
    # made from others
    Family(
        "group of a finite pair",
        lambda laws, size: _pair(laws).group(size),
        {"laws": _OTHER_LAWS, "size": 2},
        {"laws": FINITE_PAIR, "size": st.integers(1, 4)},
        "size",
    ),
    Family(
        "group of laplace",
        lambda level, size: dl.Laplace(scale=1.0, sensitivity=level).group(size),
        {"level": 0.5, "size": 3},
        {"level": LEVEL, "size": st.integers(1, 10)},
        "level",
    ),
    Family(
        "failing gaussian",
        lambda level, probability: dl.Gaussian(sigma=1.0, sensitivity=level).fails_with(probability),
        {"level": 1.0, "probability": 1e-6},
        {"level": LEVEL, "probability": SMALL},
        "level",
    ),
    Family(
        "failing finite pair",
        lambda laws, probability: _pair(laws).fails_with(probability),
        {"laws": _LAWS, "probability": 0.01},
        {"laws": FINITE_PAIR, "probability": st.one_of(SMALL, st.just(1.0))},
    ),
    Family(
        "randomized response as replace",
        lambda epsilon, categories: dl.RandomizedResponse(epsilon=epsilon, categories=categories).as_replace(),
        {"epsilon": 0.5, "categories": 3},
        {"epsilon": LEVEL, "categories": st.integers(2, 20)},
        "epsilon",
    ),
    Family(
        "geometric as replace",
        lambda level, count: dl.Geometric(scale=count / level, sensitivity=count).as_replace(),
        {"level": 0.5, "count": 1},
        {"level": LEVEL, "count": _COUNT},
        "level",
    ),
    # sampled and composed
    Family(
        "sampled gaussian",
        lambda level, rate: dl.Gaussian(sigma=1.0, sensitivity=level).subsample(rate),
        {"level": 1.0, "rate": 0.1},
        {"level": log_uniform(1e-2, 10), "rate": st.one_of(st.just(1.0), log_uniform(1e-6, 1))},
        "level",
        slow=True,
        draws=1,
    ),
    Family(
        "sampled randomized response",
        lambda epsilon, rate: dl.RandomizedResponse(epsilon=epsilon, categories=3).subsample(rate),
        {"epsilon": 1.0, "rate": 0.25},
        {"epsilon": LEVEL, "rate": log_uniform(1e-6, 1)},
        "epsilon",
    ),
    Family(
        "randomized response without replacement",
        lambda epsilon, rate: dl.RandomizedResponse(epsilon=epsilon, neighbours="replace").subsample(
            rate, scheme="without_replacement"
        ),
        {"epsilon": 3.0, "rate": 0.1},
        {"epsilon": LEVEL, "rate": log_uniform(1e-6, 1)},
        "epsilon",
    ),
    Family(
        "repeated gaussian",
        lambda level, count: dl.Gaussian(sigma=1.0, sensitivity=level).repeat(count),
        {"level": 0.1, "count": 25},
        {"level": log_uniform(1e-4, 5), "count": st.integers(0, 100)},
        "count",
    ),
    Family(
        "repeated randomized response",
        lambda epsilon, count: dl.RandomizedResponse(epsilon=epsilon, categories=2).repeat(count),
        {"epsilon": 0.5, "count": 10},
        {"epsilon": log_uniform(1e-3, 3), "count": st.integers(2, 30)},
        "count",
    ),
    Family(
        "repeated guarantee",
        lambda epsilon, delta, count: dl.ApproximateDP(epsilon=epsilon, delta=delta).repeat(count),
        {"epsilon": 0.1, "delta": 1e-6, "count": 7},
        {"epsilon": log_uniform(1e-3, 3), "delta": log_uniform(1e-12, 0.1), "count": st.integers(2, 20)},
        "count",
    ),
    Family(
        "repeated laplace",
        lambda level, count: dl.Laplace(scale=1.0, sensitivity=level).repeat(count),
        {"level": 1.0, "count": 200},
        {"level": grid(0.5, 1.0), "count": grid(60, 1000)},
        "count",
        slow=True,
        draws=1,
    ),
    Family(
        "different releases",
        lambda mu, epsilon: dl.compose(
            dl.Gaussian(sigma=1.0, sensitivity=mu),
            dl.Laplace(scale=1.0, sensitivity=epsilon),
            dl.RandomizedResponse(epsilon=0.3),
        ),
        {"mu": 0.7, "epsilon": 0.5},
        {"mu": grid(0.3, 2.0), "epsilon": grid(0.1, 1.0)},
        "mu",
        slow=True,
        draws=1,
    ),
    Family(
        "dp-sgd",
        lambda noise, rate, steps: dl.DPSGD(noise_multiplier=noise, sample_rate=rate, steps=steps),
        {"noise": 1.0, "rate": 0.01, "steps": 500},
        {"noise": grid(0.8, 2.0), "rate": grid(0.01, 0.05), "steps": grid(500, 20_000)},
        "steps",
        slow=True,
        draws=1,
    ),
    # curves that no single mechanism has
    Family(
        "best of two guarantees",
        lambda epsilon, mu: dl.supremum(dl.ApproximateDP(epsilon=epsilon, delta=1e-6), dl.GaussianDP(mu=mu)),
        {"epsilon": 1.0, "mu": 0.8},
        {"epsilon": LEVEL, "mu": LEVEL},
        "mu",
        slow=True,
        is_curve=True,
    ),
    Family(
        "worst of two finite pairs",
        lambda first, second: dl.infimum(_pair(first), _pair(second)),
        {"first": _LAWS, "second": _OTHER_LAWS},
        {"first": FINITE_PAIR, "second": FINITE_PAIR},
        is_curve=True,
    ),
    Family(
        "worst of laplace and gaussian",
        lambda epsilon, mu: dl.infimum(dl.Laplace(scale=1.0, sensitivity=epsilon), dl.GaussianDP(mu=mu)),
        {"epsilon": 1.0, "mu": 1.0},
        {"epsilon": LEVEL, "mu": LEVEL},
        "mu",
        slow=True,
        is_curve=True,
    ),
    # related records
    Family(
        "related records, laplace",
        _seen(_COUPLE, lambda s: dl.Laplace(scale=s)),
        {"scale": 1.0},
        {"scale": grid(0.3, 5.0)},
        slow=True,
        draws=1,
        is_curve=True,
    ),
    Family(
        "related records, gaussian",
        _seen(_COUPLE, lambda s: dl.Gaussian(sigma=s)),
        {"scale": 1.0},
        {"scale": grid(0.5, 5.0)},
        slow=True,
        draws=1,
        is_curve=True,
    ),
]

MECHANISMS = [family for family in FAMILIES if not family.is_curve]
SEARCHED = ("renyi dp", "zcdp")  # families that search for every point of their curve

# ---- questions -----------------------------------------------------------------------------------------

QUESTIONS: list[dl.Question] = [
    dl.Advantage(),
    dl.AUC(),
    dl.AttackPower(fpr=0.0),
    dl.AttackPower(fpr=1e-12),
    dl.AttackPower(fpr=0.01),
    dl.AttackPower(fpr=1.0),
    dl.MinFPR(fnr=0.0),
    dl.MinFPR(fnr=0.2),
    dl.MinFPR(fnr=1.0),
    dl.Accuracy(prior=0.5),
    dl.Accuracy(prior=0.01),
    dl.Accuracy(prior=0.9),
    dl.Cost(),
    dl.Cost(false_positive=1.0, false_negative=10.0, prior=0.3),
    dl.Cost(false_positive=0.0),
    dl.Precision(recall=0.5, prior=0.5),
    dl.Precision(recall=1e-3, prior=0.01),
    dl.Precision(recall=0.0, prior=0.1),
    dl.Precision(recall=1.0, prior=0.1),
    dl.FScore(weight=1.0, prior=0.5),
    dl.FScore(weight=0.5, prior=0.01),
    dl.FScore(weight=2.0, prior=0.9),
    dl.Posterior(prior=0.01, fpr=0.001),
    dl.Posterior(prior=0.5, fpr=0.0),
    dl.Posterior(prior=0.5, fpr=1.0),
    dl.MaxPosterior(prior=0.01),
    dl.PosteriorAfterNegative(prior=0.9, fpr=0.1),
    dl.PosteriorAfterNegative(prior=0.5, fpr=0.0),
    dl.PosteriorAfterNegative(prior=0.5, fpr=1.0),
    dl.RelativeRisk(fpr=0.0, prior=0.0),
    dl.RelativeRisk(fpr=1e-6, prior=0.0),
    dl.RelativeRisk(fpr=0.0, prior=0.1),
    dl.RelativeRisk(fpr=0.01, prior=0.1),
    dl.Reconstruction(baseline=0.0),
    dl.Reconstruction(baseline=1e-6),
    dl.AttributeInference(baseline=0.2),
    dl.AttributeInference(baseline=1.0),
    dl.InferenceAdvantage(baseline=0.5),
    dl.Epsilon(delta=0.0),
    dl.Epsilon(delta=1e-5),
    dl.Epsilon(delta=0.1),
    dl.Epsilon(delta=1.0),
    dl.Delta(epsilon=0.0),
    dl.Delta(epsilon=1.0),
    dl.Delta(epsilon=math.inf),
    dl.Mu(),
    dl.Renyi(order=0.5),
    dl.Renyi(order=1.0),
    dl.Renyi(order=2.0),
    dl.Renyi(order=math.inf),
]

# Questions that may be answered with infinity; every other answer is finite.
UNBOUNDED = (dl.RelativeRisk, dl.Epsilon, dl.Mu, dl.Renyi)
# Questions that are answered by a probability.
PROBABILITIES = (
    dl.Advantage,
    dl.AUC,
    dl.AttackPower,
    dl.MinFPR,
    dl.Accuracy,
    dl.Precision,
    dl.FScore,
    dl.Posterior,
    dl.MaxPosterior,
    dl.PosteriorAfterNegative,
    dl.Reconstruction,
    dl.AttributeInference,
    dl.InferenceAdvantage,
    dl.Delta,
)
# Answers that need a search over the whole curve: asked of a slow curve's example only.
LABORIOUS = (dl.AUC, dl.FScore, dl.Mu)

# ---- where curves are looked at ------------------------------------------------------------------------

_TINY = 10.0 ** -np.array([300, 200, 100, 50, 30, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2.5, 2, 1.5])
ALPHAS = np.concatenate([[0.0], _TINY, np.linspace(0.05, 0.95, 19), (1 - _TINY[6:])[::-1], [1.0]])
ALPHAS = np.unique(ALPHAS)
EPSILONS = np.array([0.0, 1e-5, 1e-3, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0, 60.0, 300.0, math.inf])
DELTAS = np.array([0.0, 1e-300, 1e-100, 1e-30, 1e-10, 1e-5, 1e-3, 0.05, 0.3, 0.9, 1.0])


def curve_of(subject):
    """The curve of a mechanism, or the curve itself."""
    return subject.tradeoff()


def slack(*curves):
    """Relative error to grant to a power or a beta: what is promised of exact curves, or what the route claims."""
    return max(1e-12, *(4 * curve.certificate.tolerance for curve in curves))


def thinned(values, curve):
    """Fewer points for a curve without closed form, where each one is a search."""
    return values if curve.certificate.route in ("exact", "shift") else values[:: 2 if len(values) < 5 else 5]


def at_most(low, high, where=ALPHAS):
    """``low`` ≤ ``high`` everywhere; says where not and by how much."""
    low, high, where = np.broadcast_arrays(np.asarray(low, float), np.asarray(high, float), where)
    bad = ~(low <= high)
    shown = [f"at {w!r}: {a!r} > {b!r}" for w, a, b in zip(*(x[bad].tolist() for x in (where, low, high)))]
    assert not shown, f"{len(shown)} times, " + "; ".join(shown[:4])


def close(first, second, relative, absolute=0.0, where=ALPHAS):
    """The two agree everywhere; equal infinities do."""
    first, second = np.asarray(first, float), np.asarray(second, float)
    with np.errstate(invalid="ignore"):
        gap = np.where(first == second, 0.0, np.abs(first - second))
        room = relative * np.maximum(np.abs(first), np.abs(second)) + absolute
        bad = ~(gap <= np.where(np.isfinite(room), room, 0.0))
    first, second, where = np.broadcast_arrays(first, second, where)
    shown = [f"at {w!r}: {a!r}, {b!r}" for w, a, b in zip(*(x[bad].tolist() for x in (where, first, second)))]
    assert not shown, f"{len(shown)} times, " + "; ".join(shown[:4])


def contract(check):
    """A test over the whole catalogue from a check of one mechanism or curve."""
    return _over(FAMILIES, check)


def mechanism_contract(check):
    """A test over all mechanisms from a check of one."""
    return _over(MECHANISMS, check)


def laborious_contract(check):
    """Like ``contract``, without the families that search for every point and would take minutes."""
    return _over([f for f in FAMILIES if f.name not in SEARCHED], check)


def _over(families, check):
    marked = [pytest.param(f, id=str(f), marks=[pytest.mark.verify] if f.heavy else []) for f in families]

    @pytest.mark.parametrize("family", marked)
    @functools.wraps(check)
    def test(family):
        family.run(lambda **arguments: check(family.build(**arguments)))

    del test.__wrapped__  # pytest would read the signature of the check
    return test
