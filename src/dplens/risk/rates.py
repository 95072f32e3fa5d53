"""Questions about the attacker's two error rates."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from dplens import _validate
from dplens.curves.reading import Reading
from dplens.registry import register
from dplens.risk.base import Guess, Question, Share


@register
@dataclass(frozen=True, kw_only=True)
class Advantage(Share):
    """The attacker's advantage: max over alpha of power − alpha, the total variation distance delta(0).

    Use it for one number between 0 and 1 that needs no prior. It can hide a rare proof, so state the worst case
    beside it.

    >>> import dplens as dl
    >>> round(dl.Advantage().of(dl.Gaussian(sigma=1.0)), 6)
    0.382925
    """

    def _read(self, curve: Reading) -> float:
        return curve.delta(0.0)


@register
@dataclass(frozen=True, kw_only=True)
class AUC(Question):
    """Area under the ROC curve, 1 − ∫f.

    Do not report it alone: it can be close to ½ for a release that fails catastrophically (Fondeville §2.2).

    Use it to compare with measured attacks that report it.

    >>> import dplens as dl
    >>> print(f"{dl.AUC().of(dl.Gaussian(sigma=1.0)):.4f} {dl.AUC().of(dl.Laplace(scale=1.0)):.4f}")
    0.7602 0.7241
    """

    ceiling = 1.0

    def _read(self, curve: Reading) -> float:
        return curve.auc()

    def _guess(self) -> Guess:
        return Guess(0.5)


@register
@dataclass(frozen=True, kw_only=True)
class AttackPower(Share):
    """The attacker's true-positive rate at false-positive rate ``fpr``.

    Use it for the risk to a person at a rate of false alarms that an attacker can afford: the main figure for most
    readers.

    >>> import dplens as dl
    >>> print(f"{dl.AttackPower(fpr=1e-6).of(dl.Gaussian(sigma=1.0)):.4e}")
    8.7218e-05
    """

    fpr: float = field(default=0.01, metadata=_validate.checked(_validate.probability))

    def _read(self, curve: Reading) -> float:
        return curve.power(self.fpr)

    def _guess(self) -> Guess:
        return Guess(self.fpr)


@register
@dataclass(frozen=True, kw_only=True)
class MinFPR(Share):
    """The smallest false-positive rate of an attack that misses at most a share ``fnr`` of its targets.

    With fnr = 0, the share of non-members that must be named to miss no member. Less is riskier.

    Use it to ask how many wrong names an attacker must accept who wants to miss almost nobody.

    >>> import dplens as dl
    >>> sampled = dl.UniformSampling(mu=1.0, n=5, neighbours="replace")
    >>> print(f"{dl.MinFPR(fnr=0.05).of(dl.Gaussian(sigma=1.0)):.4f} {dl.MinFPR().of(sampled):.4f}")
    0.7405 0.8736
    """

    fnr: float = field(default=0.0, metadata=_validate.checked(_validate.probability))
    more_is_riskier = False
    arithmetic = 1e-15

    def _read(self, curve: Reading) -> float:
        return curve.fpr_for_beta(self.fnr)

    def _guess(self) -> Guess:
        return Guess(1 - self.fnr, 0.0 if self.fnr > 0 else math.inf, other_way=True)
