"""The Neyman–Pearson test of an attacker who observes an output, and the plausible deniability of the output."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens.attack.loss import LossLaw, PrivacyLoss
from dplens.curves.base import Floats, TradeOff
from dplens.errors import Undefined
from dplens.mechanisms.additive import Gaussian, Laplace
from dplens.mechanisms.experiment import Experiment
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import Result

_TIE = 1e-11  # relative difference up to which losses count as equal


@dataclass(frozen=True)
class Attack(Result, Shared):
    """The most powerful test of H0 "the target is absent" against H1 "the target is present".

    It has the largest power among all tests with false-positive rate ``fpr`` (Neyman & Pearson 1933; Liu,
    Theorems 3 and 6). ``prior`` is the attacker's Pr(H1), used for posteriors. By default the true value is 0 under
    H0 and the sensitivity under H1; ``values=(v0, v1)`` sets both, as numbers or vectors.

    >>> import dplens as dl
    >>> t = dl.Attack(dl.Laplace(scale=1.0), fpr=0.05)
    >>> round(t.threshold, 6), round(t.power, 6), t.decide([0.0, 3.0]).tolist()
    (2.302585, 0.135914, [False, True])
    """

    mechanism: Any
    _: KW_ONLY
    fpr: float = field(default=0.05, metadata=_validate.checked(_validate.probability))
    prior: float = field(default=0.5, metadata=_validate.checked(lambda name, value: _validate.prior(value, name)))
    values: Any = None

    def __post_init__(self) -> None:
        if not callable(getattr(self.mechanism, "experiment", None)) or isinstance(self.mechanism, type):
            raise _validate.reject_type("mechanism", "to be a mechanism whose outputs can be observed", self.mechanism)
        _validate.check_fields(self)
        _ = self._experiment  # reports values that do not fit
        if self.values is not None:
            object.__setattr__(self, "values", tuple(_plain(v) for v in self.values))

    @cached_property
    def _experiment(self) -> Experiment:
        return self.mechanism.experiment(self.values)

    @classmethod
    def bayes(cls, mechanism: Any, *, prior: float = 0.5, values: Any = None) -> Attack:
        """The test that maximises the accuracy of an attacker with the given prior.

        It decides H1 when the likelihood ratio exceeds (1 − prior)/prior. For an attacker whose prior is wrong,
        ``accuracy(prior=…)`` and ``precision(prior=…)`` give the success under the true prior.
        """
        prior = _validate.prior(prior)
        attack = cls(mechanism, fpr=0.0, prior=prior, values=values)
        fpr = float(attack._curve._rates(np.array([math.log1p(-prior) - math.log(prior)]))[0][0])
        return cls(mechanism, fpr=fpr, prior=prior, values=values)

    @property
    def _curve(self) -> TradeOff:
        return self._experiment.curve

    # ---- the test ------------------------------------------------------------------------------------

    @property
    def power(self) -> float:
        """True-positive rate of this test."""
        return self._curve.power(self.fpr)

    @property
    def fnr(self) -> float:
        """False-negative rate of this test."""
        return self._curve(self.fpr)

    @property
    def likelihood_threshold(self) -> float:
        """lambda: the test decides H1 where dQ/dP exceeds it (ties are randomised).

        At fpr = 0 the largest finite ratio, which only proofs exceed; at fpr = 1 the smallest ratio.
        """
        return math.exp(self._log_threshold) if self._log_threshold < 709 else math.inf

    @cached_property
    def _log_threshold(self) -> float:
        """Log of the threshold; exactly on the plateau where the ratio is constant."""
        known = self._experiment.outputs.log_threshold(self.fpr)
        if known is not None:
            return known
        law = LossLaw(self._curve, present=False)
        return float(law._quantiles(np.array([1 - self.fpr]), np.array([self.fpr]))[0])

    @property
    def threshold(self) -> float:
        """theta: the test decides H1 for outputs above it, or below it if the true value under H1 is the smaller one.

        ``decides_above`` tells which. For vectors (``values``) the threshold applies to the distance from the first
        true value along the line to the second. For integer outputs the test is randomised at theta itself. At fpr = 0
        theta is the end of the support under H0, at fpr = 1 it is (minus) infinity.

        >>> import dplens as dl
        >>> t = dl.Attack(dl.Gaussian(sigma=1.0), values=(1.0, 0.5))
        >>> round(t.threshold, 4), t.decides_above, t.decide([-1.0, 0.0]).tolist()
        (-0.6449, False, [True, False])
        """
        return self._experiment.outputs.threshold(self.fpr)

    @property
    def decides_above(self) -> bool:
        """Whether the test decides H1 above ``threshold`` (True) or below it (False)."""
        outputs = self._experiment.outputs
        outputs.threshold(self.fpr)  # raises if there is no threshold
        return outputs.direction > 0

    def rejection(self, output: Any) -> Any:
        """Probability that the test decides H1 for each output: 0, 1, or in between at an atom."""
        statistic = self._experiment.outputs.statistic(output)
        chance = self._experiment.outputs.rejection(statistic, self.fpr)
        return _shaped(self._by_ratio(self._losses(output)) if chance is None else chance)

    def _by_ratio(self, loss: Floats) -> Floats:
        """The rejection of outputs with these log-likelihood ratios, randomised at an atom to attain ``fpr``."""
        if self.fpr <= 0 or self.fpr >= 1:  # reject only on proofs of H1, or always
            return np.isposinf(loss).astype(float) if self.fpr <= 0 else np.ones_like(loss)
        at = self._log_threshold
        if math.isinf(at):
            tie, above, below = loss == at, 0.0, 1.0
            if at < 0:  # everything possible under H1 is rejected already; randomise the rest
                above = 1 - self._curve.inverse()._power_at_zero()
        else:
            slack = _TIE * (1 + abs(at))
            tie = np.abs(loss - at) <= slack
            edges = np.array([at + slack, np.nextafter(at - slack, -math.inf)])
            above, below = (float(rate) for rate in self._curve._rates(edges)[0])
        coin = np.clip((self.fpr - above) / (below - above), 0.0, 1.0) if below > above else 0.0
        return np.where(tie, coin, (loss > at).astype(float))

    def decide(self, output: Any, rng: np.random.Generator | None = None) -> Any:
        """True where the attacker decides that the target is present. ``rng`` randomises the decision at an atom."""
        if rng is not None and not isinstance(rng, np.random.Generator):
            remedy = "Pass for instance numpy.random.default_rng(1)."
            raise _validate.reject_type("rng", "to be a numpy.random.Generator", rng, remedy)
        chance = np.asarray(self.rejection(output))
        coin = (rng or np.random.default_rng()).random(chance.shape)
        decided = coin < chance
        return bool(decided) if decided.ndim == 0 else decided

    # ---- one output ----------------------------------------------------------------------------------

    def _losses(self, output: Any) -> np.ndarray:
        outputs = self._experiment.outputs
        return outputs.loss(outputs.statistic(output))

    def likelihood_ratio(self, output: Any) -> Any:
        """dQ/dP at each output."""
        with np.errstate(over="ignore"):
            return _shaped(np.exp(self._losses(output)))

    def posterior(self, output: Any) -> Any:
        """Pr(H1 | output) for the attacker's prior."""
        odds = self._losses(output) + math.log(self.prior) - math.log1p(-self.prior)
        with np.errstate(over="ignore"):
            return _shaped(1 / (1 + np.exp(-odds)))

    @property
    def privacy_loss(self) -> PrivacyLoss:
        """The distribution of the log-likelihood ratio under both hypotheses (Kaissis et al., Figure 1)."""
        return PrivacyLoss(self._curve)

    # ---- success under another prior -----------------------------------------------------------------

    def accuracy(self, prior: float | None = None) -> float:
        """Probability that this test decides correctly when Pr(H1) is ``prior`` (by default the attacker's)."""
        p = self.prior if prior is None else _validate.prior(prior)
        return (1 - p) * (1 - self.fpr) + p * self.power

    def precision(self, prior: float | None = None) -> float:
        """Share of the people it names who are in the data, when Pr(H1) is ``prior`` (by default the attacker's)."""
        p = self.prior if prior is None else _validate.prior(prior)
        power = self.power
        if power == 0:
            raise Undefined("This test never names anyone, so it has no precision. Choose fpr > 0.")
        return p / (p + (1 - p) * (self.fpr / power))

    def deniability(
        self, output: npt.ArrayLike, candidates: npt.ArrayLike, gamma: float = 2.0, *, true: int | None = None
    ) -> int:
        """Number of candidates, including the real one, whose true values explain the output within a factor gamma.

        ``true``: the index of the real candidate, by default the most likely one.
        """
        return deniability(self.mechanism, output=output, candidates=candidates, gamma=gamma, true=true)


def _plain(value: Any) -> Any:
    """A number or vector as comparable, immutable floats."""
    found = np.asarray(value, dtype=float)
    return float(found) if found.ndim == 0 else tuple(found.tolist())


def _shaped(values: np.ndarray) -> Any:
    return float(values) if values.ndim == 0 else values


def deniability(
    mechanism: Any, *, output: npt.ArrayLike, candidates: npt.ArrayLike, gamma: float, true: int | None = None
) -> int:
    """The largest k for which the output is (k, gamma)-deniable: k candidates explain it within a factor gamma.

    candidates: the query's value for each record that could have produced the output; for Gaussian and Laplace noise
    also vectors, one row each. The real record must be among the k, and the likelihoods of any two of them must lie
    within a factor gamma (Liu, Definition 4, after Bindschaedler et al. 2017). ``true``: the index of the real record,
    by default the most likely one, which an attacker would name.

    >>> import dplens as dl
    >>> dl.deniability(dl.Laplace(scale=1.0), output=0.5, candidates=[0.0, 1.0, 5.0], gamma=2.0)
    2
    >>> dl.deniability(dl.Laplace(scale=1.0), output=0.5, candidates=[0.0, 1.0, 5.0], gamma=2.0, true=2)
    1
    """
    gamma = _validate.real("gamma", gamma, ">= 1", lambda x: x >= 1)
    logs = _log_likelihoods(mechanism, output, candidates)
    index = int(np.argmax(logs)) if true is None else _validate.count("true", true, 0)
    if index >= len(logs):
        raise _validate.reject("true", f"to be the index of a candidate, 0 … {len(logs) - 1}", true)
    real = logs[index]
    if np.isinf(real):  # likelihood 0 explains nothing; an infinite one stands alone
        return int(np.sum(logs == real)) if real > 0 else 0
    # the largest set contains all likelihoods from some minimum up to gamma times it; try every minimum
    logs = np.sort(logs[np.isfinite(logs)])
    last = np.searchsorted(logs, logs + np.log(gamma) + 1e-12 * (1 + np.abs(logs)), side="right")
    holds = (logs <= real) & (real <= logs[last - 1])
    return int(np.max((last - np.arange(len(logs)))[holds]))


def _log_likelihoods(mechanism: Any, output: npt.ArrayLike, candidates: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Log-density of the output given each candidate."""
    if isinstance(mechanism, type):
        remedy = "Pass for instance dplens.Laplace(scale=1.0)."
        raise _validate.reject_type("mechanism", "to be a mechanism, not a class", mechanism, remedy)
    density = getattr(mechanism, "log_likelihood", None)
    if not callable(density):
        inner = " Ask it of view.mechanism." if hasattr(mechanism, "model") else " Use an additive mechanism."
        raise Undefined(f"{type(mechanism).__name__} has no density around a true value.{inner}")
    values, at = _validate.as_array("candidates", candidates), _validate.as_array("output", output)
    if values.ndim not in (1, 2) or values.size == 0 or not np.isfinite(values).all():
        raise _validate.reject("candidates", "to be a non-empty list of finite query values", candidates)
    if values.ndim == 2 and not isinstance(mechanism, Gaussian | Laplace):
        raise Undefined(
            f"Candidates of {type(mechanism).__name__} must be numbers: vectors are for Gaussian and Laplace noise. "
            "Pass one number at a time."
        )
    if at.shape != values.shape[1:] or not np.isfinite(at).all():
        wanted = "a finite number" if values.ndim == 1 else f"a finite vector of length {values.shape[1]}"
        raise _validate.reject("output", f"to be {wanted}, as the candidates are", output)
    logs = np.asarray(density((at - values).ravel()), dtype=float)
    return logs.reshape(len(values), -1).sum(axis=1)
