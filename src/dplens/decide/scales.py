"""The scale on which an answer is searched for: the log of the mu that would give a Gaussian release that answer.

On it the answers of most families are nearly straight lines in the log of the parameter, so few values are needed.
A scale only guides a search; whether a requirement is met is always decided on the answer itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.special import erfinv, log_ndtr, ndtr, ndtri

from dplens._numerics.normal import gaussian_profile
from dplens.curves.base import TradeOff
from dplens.estimate import Estimate
from dplens.mechanisms.guarantees import approximate_dp_curve
from dplens.risk.base import Question
from dplens.risk.bayes import Accuracy, MaxPosterior, Posterior, PosteriorAfterNegative, Precision
from dplens.risk.conversions import Delta, Epsilon, Mu, Renyi
from dplens.risk.disclosure import RelativeRisk
from dplens.risk.rates import AUC, Advantage, AttackPower, MinFPR


def perfect() -> TradeOff:
    """f(alpha) = 1 − alpha: nothing is learned."""
    return approximate_dp_curve(0.0, 0.0)


def revealed() -> TradeOff:
    """f = 0: everything is."""
    return approximate_dp_curve(math.inf, 0.0)


def ends(question: Question) -> tuple[Estimate, Estimate]:
    """The answers where nothing is learned and where everything is; worked out once for each question."""
    try:
        return _ends(question)
    except TypeError:  # a question that cannot be remembered
        return _ends.__wrapped__(question)


@lru_cache(maxsize=256)
def _ends(question: Question) -> tuple[Estimate, Estimate]:
    return question.of(perfect()), question.of(revealed())


def natural_scale(question: Question) -> Callable[[float], float]:
    """An increasing function of risk: −∞ where nothing is learned, +∞ where the answer tells no more."""
    equivalent = _EQUIVALENTS.get(type(question))
    if equivalent is None:
        return _between_ends(question)

    least, most = map(float, ends(question))
    more = question.more_is_riskier

    def scale(answer: float) -> float:
        if answer >= most if more else answer <= most:
            return math.inf
        try:
            with np.errstate(all="ignore"):  # rates of 0 and 1 are dealt with below
                mu = float(equivalent(question, answer))
        except (ValueError, ZeroDivisionError, OverflowError):
            mu = math.nan
        return math.log(mu) if 0 < mu < math.inf else (math.inf if mu > 0 else -math.inf)

    # settings for which the formula degenerates (a rate of exactly 0 or 1) are left to the general scale
    usual = math.isfinite(scale((least + most) / 2 if math.isfinite(most) else least + 1))
    return scale if usual else _between_ends(question)


def _between_ends(question: Question) -> Callable[[float], float]:
    """The log of the way from perfect privacy over the way to none."""
    least, most = map(float, ends(question))

    def scale(answer: float) -> float:
        done = abs(answer - least)
        left = abs(most - answer) if math.isfinite(most) else 1.0
        beyond = (answer > most) if most > least else (answer < most)
        if beyond or left == 0 or math.isinf(done):
            return math.inf
        ahead = (answer > least) if most > least else (answer < least)
        return math.log(done) - math.log(left) if ahead else -math.inf

    return scale


def _moved(power: float, fpr: float) -> float:
    """The mu of a Gaussian curve with that power at that false-positive rate."""
    return math.inf if power >= 1 else float(ndtri(power) - ndtri(fpr))


def _odds(p: float) -> float:
    return math.inf if p >= 1 else p / (1 - p)


def _from_posterior(q: Posterior, y: float) -> float:
    against = (1 - q.prior) / q.prior
    if q.fpr == 0:
        return math.log(_odds(y) * against)
    return _moved(q.fpr * _odds(y) * against, q.fpr)


def _from_relative_risk(q: RelativeRisk, y: float) -> float:
    left = 1 - q.prior * y
    if left <= 0:
        return math.inf
    ratio = y * (1 - q.prior) / left
    return math.log(ratio) if q.fpr == 0 else _moved(ratio * q.fpr, q.fpr)


def _from_precision(q: Precision, y: float) -> float:
    wrong = _odds(q.prior) / _odds(y) if y > 0 else math.inf  # false positives per true one
    return -math.log(wrong) if q.recall == 0 else float(ndtri(q.recall) - ndtri(q.recall * wrong))


def _from_doubt(q: PosteriorAfterNegative, y: float) -> float:
    return float(-ndtri(q.fpr) - ndtri(_odds(y) * (1 - q.fpr) / _odds(q.prior)))


def _from_delta(q: Delta, y: float) -> float:
    return 2 * math.sqrt(2) * float(erfinv(y)) if q.epsilon == 0 else _gaussian_mu(q.epsilon, y)


def _from_epsilon(q: Epsilon, y: float) -> float:
    return y if q.delta == 0 else _gaussian_mu(y, q.delta)


def _gaussian_mu(epsilon: float, delta: float) -> float:
    """The mu of a Gaussian curve with that delta at that epsilon, by Newton's steps of log delta over log mu.

    The derivative of delta by mu is φ(mu/2 − epsilon/mu).
    """
    z = -float(ndtri(delta))
    log_mu = math.log(
        2 * epsilon / (z + math.hypot(z, math.sqrt(2 * epsilon))) or 2 * math.sqrt(2) * float(erfinv(delta))
    )
    for _ in range(60):
        mu = math.exp(log_mu)
        here = _gaussian_delta(epsilon, mu)
        a = mu / 2 - epsilon / mu
        slope = mu * math.exp(-a * a / 2) / math.sqrt(2 * math.pi) / here if here > 0 else 0.0
        step = math.log(delta / here) / slope if slope > 0 else math.copysign(1.0, delta - here)
        step = min(max(step, -1.0), 1.0)
        log_mu += step
        if abs(step) < 1e-8:  # the next one would be its square
            break
    return math.exp(log_mu)


def _gaussian_delta(epsilon: float, mu: float) -> float:
    """Φ(mu/2 − epsilon/mu) − e^epsilon·Φ(−mu/2 − epsilon/mu).

    Every answer of a search comes by here, where an array of one number would take a tenth of the search.
    """
    if mu < 0.01:  # the two terms nearly cancel
        return float(gaussian_profile(np.array([epsilon]), mu)[0])
    return float(ndtr(mu / 2 - epsilon / mu)) - math.exp(min(epsilon + float(log_ndtr(-mu / 2 - epsilon / mu)), 0.0))


_EQUIVALENTS: dict[type[Question], Callable[..., float]] = {
    Advantage: lambda _, y: 2 * math.sqrt(2) * float(erfinv(y)),
    AUC: lambda _, y: float(ndtri(y)),
    AttackPower: lambda q, y: _moved(y, q.fpr),
    MinFPR: lambda q, y: float(-ndtri(y) - ndtri(q.fnr)),
    Accuracy: lambda q, y: float(ndtri(y)) if q.prior == 0.5 else math.nan,
    Posterior: _from_posterior,
    MaxPosterior: lambda q, y: math.log(_odds(y) / _odds(q.prior)),
    Precision: _from_precision,
    PosteriorAfterNegative: _from_doubt,
    RelativeRisk: _from_relative_risk,
    Delta: _from_delta,
    Epsilon: _from_epsilon,
    Mu: lambda _, y: y,
    Renyi: lambda q, y: math.sqrt(2 * y / q.order) if math.isfinite(q.order) else y,
}
