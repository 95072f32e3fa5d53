"""Questions about an attacker with a prior. ``prior`` is Pr(H1), the probability that the target is in the data."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dplens import _validate
from dplens.curves.base import LEAST
from dplens.curves.reading import Reading
from dplens.numerics.roots import Floats, sign_change
from dplens.registry import register
from dplens.risk.base import Guess, Question, Share


def _prior(name: str, value: float) -> float:
    return _validate.prior(value, name)


def bayes_error(curve: Reading, absent: float, present: float) -> float:
    """min over alpha of absent·alpha + present·f(alpha), at the threshold absent/present of the likelihood ratio."""
    if min(absent, present) == 0:
        return 0.0
    if absent < present:
        return bayes_error(curve.inverse(), present, absent)
    error = curve.error(math.log(absent) - math.log(present))
    return _kept(present * error, error, curve)


def _kept(product: float, factor: float, curve: Reading) -> float:
    """The product, but not 0 at the lower end of the enclosure if only underflow made it 0."""
    return product if product > 0 or factor == 0 or curve.upper else LEAST


def _fixed_guess(answer: float, absent: float, present: float) -> Guess:
    """The guess with the smaller weighted error: best unless a likelihood ratio exceeds that of the weights."""
    low, high = sorted((absent, present))
    if low < 1e-300:  # the product may have underflowed
        return Guess(answer)
    few, many = math.log(low), math.log(high)
    return Guess(answer, max(many - few - 1e-15 - 4e-16 * (abs(few) + abs(many)), 0.0), absent < present)


@dataclass(frozen=True, kw_only=True)
class _ShareWithPrior(Share):
    """A share of people or decisions, for an attacker with a prior."""

    prior: float = field(default=0.5, metadata=_validate.checked(_prior))
    arithmetic = 1e-15


@register
@dataclass(frozen=True, kw_only=True)
class Accuracy(_ShareWithPrior):
    """The accuracy of the best attacker: 1 − min over alpha of (1 − prior)·alpha + prior·f(alpha).

    Use it if both errors cost the attacker the same. For rare targets it is high even without the release.

    >>> import dplens as dl
    >>> release = dl.Gaussian(sigma=1.0)
    >>> print(f"{dl.Accuracy(prior=0.5).of(release):.4f} {dl.Accuracy(prior=0.1).of(release):.4f}")
    0.6915 0.9013
    """

    def _read(self, curve: Reading) -> float:
        return 1 - bayes_error(curve, 1 - self.prior, self.prior)

    def _guess(self) -> Guess:
        return _fixed_guess(max(self.prior, 1 - self.prior), 1 - self.prior, self.prior)


@register
@dataclass(frozen=True, kw_only=True)
class Cost(Question):
    """The attacker's smallest expected cost when the two errors have different costs. Less is riskier.

    min over alpha of (1 − prior)·false_positive·alpha + prior·false_negative·f(alpha).

    Use it if a false alarm and a miss cost the attacker different amounts.

    >>> import dplens as dl
    >>> print(f"{dl.Cost(false_positive=5.0, prior=0.5).of(dl.Gaussian(sigma=1.0)):.4f}")
    0.4768
    """

    false_positive: float = field(default=1.0, metadata=_validate.checked(_validate.nonnegative))
    false_negative: float = field(default=1.0, metadata=_validate.checked(_validate.nonnegative))
    prior: float = field(default=0.5, metadata=_validate.checked(_prior))
    more_is_riskier = False

    arithmetic = 1e-15

    def _read(self, curve: Reading) -> float:
        return bayes_error(curve, *self._weights)

    def _guess(self) -> Guess:
        return _fixed_guess(min(self._weights), *self._weights)

    @property
    def _weights(self) -> tuple[float, float]:
        return (1 - self.prior) * self.false_positive, self.prior * self.false_negative


def precision(prior: float, fpr: float, power: float) -> float:
    """prior·power/((1 − prior)·fpr + prior·power): the posterior after a positive test, computed without underflow."""
    return prior / (prior + (1 - prior) * (fpr / power))


def limiting_precision(prior: float, curve: Reading) -> float:
    """Precision as the false-positive rate goes to 0, from the largest likelihood ratio."""
    loss = curve.max_loss()
    return 1.0 if math.isinf(loss) else prior / (prior + (1 - prior) * math.exp(-loss))


@register
@dataclass(frozen=True, kw_only=True)
class Posterior(_ShareWithPrior):
    """Posterior probability that the target is in the data after a positive test at false-positive rate ``fpr``.

    prior·T/((1 − prior)·fpr + prior·T), where T is the power at fpr: the attacker's precision. At fpr = 0, the limit.

    Use it to tell a person what one positive finding means to someone with a belief beforehand.

    >>> import dplens as dl
    >>> print(f"{dl.Posterior(prior=0.01, fpr=0.001).of(dl.Gaussian(sigma=1.0)):.4f}")
    0.1560
    """

    fpr: float = field(default=0.01, metadata=_validate.checked(_validate.probability))

    def _read(self, curve: Reading) -> float:
        if self.fpr == 0:
            return limiting_precision(self.prior, curve)
        return precision(self.prior, self.fpr, curve.power(self.fpr))

    def _guess(self) -> Guess:
        return Guess(self.prior)


@register
@dataclass(frozen=True, kw_only=True)
class MaxPosterior(_ShareWithPrior):
    """The highest posterior that any output can give: prior·rho/((1 − prior) + prior·rho), rho = e^epsilon(0).

    Use it for the worst case: what the most telling result does to an attacker's belief.

    >>> import dplens as dl
    >>> [round(dl.MaxPosterior(prior=0.1).of(m), 4) for m in (dl.Laplace(scale=1.0), dl.Gaussian(sigma=1.0))]
    [0.232, 1.0]
    """

    def _read(self, curve: Reading) -> float:
        return limiting_precision(self.prior, curve)

    def _guess(self) -> Guess:
        return Guess(self.prior)


@register
@dataclass(frozen=True, kw_only=True)
class PosteriorAfterNegative(_ShareWithPrior):
    """Posterior probability that the target is in the data after a negative test at false-positive rate ``fpr``.

    prior·beta/((1 − prior)(1 − fpr) + prior·beta). Proof that someone is *not* in the data is disclosure too:
    less is riskier. At fpr = 1, the limit.

    Use it if being absent from the data is the secret.

    >>> import dplens as dl
    >>> print(f"{dl.PosteriorAfterNegative(prior=0.9, fpr=0.1).of(dl.Gaussian(sigma=1.0)):.4f}")
    0.8593
    """

    fpr: float = field(default=0.01, metadata=_validate.checked(_validate.probability))
    more_is_riskier = False

    def _read(self, curve: Reading) -> float:
        if self.fpr == 1:
            # the limit of the ratio of the two error rates: e^−l, l the largest loss of the other direction
            loss = curve.inverse().max_loss()
            left = self.prior * math.exp(-loss)
            return left / (left + (1 - self.prior))
        beta = curve.beta(self.fpr)
        return _kept(beta / ((1 - self.prior) / self.prior * (1 - self.fpr) + beta), beta, curve)

    def _guess(self) -> Guess:
        return Guess(self.prior, 0.0 if self.fpr > 0 else math.inf)


@register
@dataclass(frozen=True, kw_only=True)
class Precision(Share):
    """The attacker's precision when the test finds a share ``recall`` of the targets (Liu §4.1.3).

    Use it to ask how far a list of names can be trusted if it must contain a given share of the people in the data.

    >>> import dplens as dl
    >>> print(f"{dl.Precision(recall=0.5, prior=0.5).of(dl.Gaussian(sigma=1.0)):.4f}")
    0.7591
    """

    recall: float = field(default=0.5, metadata=_validate.checked(_validate.probability))
    prior: float = field(default=0.5, metadata=_validate.checked(_prior))
    arithmetic = 1e-15

    def _read(self, curve: Reading) -> float:
        if self.recall == 0:
            return limiting_precision(self.prior, curve)
        return precision(self.prior, curve.fpr_for_power(self.recall), self.recall)

    def _guess(self) -> Guess:
        return Guess(self.prior, 0.0 if self.recall < 1 else math.inf, other_way=True)


@lru_cache(maxsize=1024)
def naming_everyone(weight: float, prior: float) -> float:
    """(1 + w²)·p/(w²·p + 1), the F-score of naming everyone, correctly rounded."""
    w2, p = Fraction(min(weight, 1e150)) ** 2, Fraction(prior)
    return float((1 + w2) * p / (w2 * p + 1))


@register
@dataclass(frozen=True, kw_only=True)
class FScore(Question):
    """The largest F-score of any test; ``weight`` is Liu's beta (Liu §4.1.4).

    F(alpha) = (1 + w²)·p·T/(w²·p + p·T + (1 − p)·alpha). A test with F > v exists iff the profile at
    log{v(1 − p)/(p(1 + w² − v))} exceeds v·w²/(1 + w² − v); the answer is the largest such v. The search runs over
    log v, and 1 − v is computed directly, so both small F-scores and those close to 1 keep their digits.

    Use it to compare with results that report it. It sees no difference between releases whose losses stay below
    log(1 + weight²).

    >>> import dplens as dl
    >>> [round(dl.FScore(weight=w).of(dl.Laplace(scale=1.0)), 6) for w in (1.0, 0.5)]
    [0.709787, 0.69886]
    """

    weight: float = field(default=1.0, metadata=_validate.checked(_validate.positive))
    prior: float = field(default=0.5, metadata=_validate.checked(_prior))

    arithmetic = 1e-15
    ceiling = 1.0

    def _read(self, curve: Reading) -> float:
        # an extreme weight decides alone; its square must neither overflow nor underflow
        w2, p = min(max(self.weight, 1e-150), 1e150) ** 2, self.prior
        log_odds = math.log1p(-p) - math.log(p)

        def surplus(log_v: Floats) -> Floats:
            """The profile minus the value that F > v requires."""
            rest = w2 - np.expm1(log_v)  # 1 + w² − v
            return curve.deltas(log_v + log_odds - np.log(rest)) - np.exp(log_v) * w2 / rest

        everyone = naming_everyone(self.weight, p)  # always possible
        if curve.is_searched:  # for the best test itself, instead of a search for each delta

            def score(power: Floats, alpha: Floats) -> Floats:
                return (1 + w2) * p * power / (w2 * p + p * power + (1 - p) * alpha)

            return min(max(curve.largest("F-score", score), everyone), 1.0)
        low, high = np.array([math.log(everyone)]), np.zeros(1)
        if surplus(high)[0] > 0:
            return 1.0
        if surplus(low)[0] <= 0:
            return everyone
        inner, outer = sign_change(surplus, low, high)
        found = math.exp(float((outer if curve.upper else inner)[0]))
        # the rounding error of a large logarithm, and the spacing of the smallest floats
        slack = 4e-16 * abs(log_odds) * found + 1e-323
        return min(max(found + (slack if curve.upper else -slack), everyone), 1.0)

    def _guess(self) -> Guess:
        # the line of constant score through (1, 1) has slope 1/(1 + w²·p/(1 − p))
        steep = math.log1p(min(self.weight, 1e140) ** 2 * (self.prior / (1 - self.prior)))
        return Guess(naming_everyone(self.weight, self.prior), steep * (1 - 2e-15), other_way=True)
