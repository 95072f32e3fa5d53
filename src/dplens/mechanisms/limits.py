"""Limits of DP-SGD for many steps and small sampling rates: Gaussian approximations, not guarantees."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from dplens import _validate
from dplens.curves.base import TradeOff
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.estimate import Certificate, Estimate
from dplens.mechanisms.additive import Gaussian
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import DPSGD
from dplens.registry import Result

if TYPE_CHECKING:
    from dplens.risk.base import Question

_NOTE = "a Gaussian approximation for many steps, not a bound: the truth may lie on either side"
# Beyond these limits mu means perfect privacy or none at all, and its square is no longer a float.
_LEAST_MU, _LARGEST_MU = 1e-100, 1e100


@dataclass(frozen=True, kw_only=True)
class DPSGDLimit:
    """Gaussian approximation of DP-SGD: the limit of its curve for many steps at constant s = sample_rate·√steps.

    kind ``"poisson"``: Poisson-sampled batches, mu = s·√(e^{1/sigma²} − 1) (Bu, Dong, Long & Su 2020).
    kind ``"symmetrised"``: batches without replacement, replace-one neighbours, and every step symmetrised,
    mu = s·√2·√(e^{1/sigma²}·Φ(3/(2sigma)) + 3Φ(−1/(2sigma)) − 2) (Dong, Roth & Su 2022, Corollary 5.4; Kaissis et
    al., Equation 28). sigma is ``noise_multiplier``, the noise divided by the sensitivity.

    The limit is optimistic for few steps or small delta. It is therefore not a mechanism: it cannot be composed,
    and questions do not accept it as a release. ``against`` compares it with the certified answer.

    >>> import dplens as dl
    >>> limit = dl.DPSGDLimit(noise_multiplier=1.0, sample_rate=0.01, steps=1000)
    >>> round(limit.mu, 6)
    0.414522
    >>> print(limit.against(dl.Epsilon(delta=1e-5)))
    Epsilon(delta=1e-05) after 1000 steps: the limit says 1.61771, certified is 1.82824;
    the limit is optimistic by 0.210525 (11.5 %).
    """

    noise_multiplier: float = field(metadata=_validate.checked(_validate.positive))
    sample_rate: float = field(
        metadata=_validate.checked(partial(_validate.real, rule="in (0, 1]", holds=lambda x: 0 < x <= 1))
    )
    steps: int = field(metadata=_validate.checked(partial(_validate.count, remedy="The limit is for many steps.")))
    kind: str = "poisson"

    def __post_init__(self) -> None:
        _validate.check_fields(self)
        _validate.one_of("kind", self.kind, ("poisson", "symmetrised"))
        if not math.log(_LEAST_MU) <= self._log_mu <= math.log(_LARGEST_MU):
            rule = f"to give a mu between {_LEAST_MU:g} and {_LARGEST_MU:g}"
            remedy = "So little noise protects nothing." if self._log_mu > 0 else "So much noise hides everything."
            raise _validate.reject("noise_multiplier", rule, self.noise_multiplier, remedy)

    @property
    def _log_mu(self) -> float:
        growth, u = _poisson_growth if self.kind == "poisson" else _symmetrised_growth, 1 / self.noise_multiplier
        # further terms are at most 0.4·u; u² itself may be too small for a float
        return math.log(self.sample_rate) + math.log(self.steps) / 2 + (growth(u) if u > 1e-18 else math.log(u))

    @property
    def mu(self) -> float:
        """The parameter of the Gaussian curve, to about 12 digits."""
        return math.exp(self._log_mu)

    @property
    def curve(self) -> TradeOff:
        """G_mu, with a certificate of route ``"limit"`` that claims no tolerance."""
        return GaussianCurve(self.mu, said=Certificate("limit", math.inf, _NOTE))

    @property
    def release(self) -> Mechanism:
        """The release that the limit approximates, composed step by step, with certified answers."""
        if self.kind == "poisson":
            return DPSGD(noise_multiplier=self.noise_multiplier, sample_rate=self.sample_rate, steps=self.steps)
        step = Gaussian(sigma=self.noise_multiplier, neighbours="replace")
        return step.subsample(self.sample_rate, scheme="without_replacement").repeat(self.steps)

    def against(self, question: Question) -> LimitComparison:
        """Compare the limit's answer to a question with the certified one."""
        if isinstance(question, type) or not callable(getattr(question, "of", None)):
            remedy = "Pass for instance dplens.Epsilon(delta=1e-5)."
            raise _validate.reject_type("question", "to be a question", question, remedy)
        limit, certified = float(question.of(self.curve)), question.of(self.release)
        return LimitComparison(question=question, steps=self.steps, limit=limit, certified=certified)


@dataclass(frozen=True, kw_only=True)
class LimitComparison(Result):
    """An answer of a limit and the certified answer to the same question."""

    question: Question
    steps: int
    limit: float
    certified: Estimate

    @property
    def error(self) -> float:
        """limit − certified."""
        return 0.0 if self.limit == self.certified else self.limit - float(self.certified)

    @property
    def optimistic(self) -> bool:
        """Whether the limit provably understates the risk."""
        return self._below if self.question.more_is_riskier else self.limit > self.certified.high

    @property
    def pessimistic(self) -> bool:
        """Whether the limit provably overstates the risk."""
        return self.limit > self.certified.high if self.question.more_is_riskier else self._below

    @property
    def _below(self) -> bool:
        return self.limit < self.certified.low

    def __str__(self) -> str:
        size, certified = abs(self.error), abs(self.certified)
        share = f" ({100 * size / certified:.3g} %)" if 0 < certified < math.inf and size < math.inf else ""
        finding = "the limit lies within what is certified"
        if self.optimistic or self.pessimistic:
            finding = f"the limit is {'optimistic' if self.optimistic else 'pessimistic'} by {size:.6g}{share}"
        return (
            f"{self.question} after {self.steps} steps: the limit says {self.limit:.6g}, "
            f"certified is {float(self.certified):.6g}; {finding}."
        )


# ---- log(mu/s) as a function of u = 1/sigma, without overflow or cancellation --------------------------


def _poisson_growth(u: float) -> float:
    """log √(e^{u²} − 1)."""
    return u * u / 2 + math.log(-math.expm1(-u * u)) / 2


def _symmetrised_growth(u: float) -> float:
    """log √(2·(e^{u²}·Φ(3u/2) + 3Φ(−u/2) − 2)).

    The bracket is (e^{u²} − 1)·Φ(3u/2) + (erf(3h) − 3·erf(h))/2 with h = u/√8. For small u the first term is about
    u²/2 and the second is of order u³.
    """
    h = u / math.sqrt(8)
    likely = math.erfc(-3 * h) / 2
    bracket = -math.expm1(-u * u) * likely + math.exp(-u * u) * _erf_gap(h) / 2
    return u * u / 2 + math.log(2 * bracket) / 2


def _erf_gap(h: float) -> float:
    """erf(3h) − 3·erf(h); by its series for small h, where the leading terms cancel."""
    if h > 0.1:
        return math.erf(3 * h) - 3 * math.erf(h)
    terms = (
        (-1) ** n * h ** (2 * n + 1) * (3 ** (2 * n + 1) - 3) / (math.factorial(n) * (2 * n + 1)) for n in range(1, 10)
    )
    return 2 / math.sqrt(math.pi) * math.fsum(terms)
