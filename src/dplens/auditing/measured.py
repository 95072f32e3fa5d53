"""A measured attack: points that provably lie on or below its ROC curve, the bounds they imply, verdicts on claims."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.curves.base import TradeOff
from dplens.curves.derived.hull import both_directions
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.curves.readings.points import concave_hull
from dplens.mechanisms.additive import Laplace
from dplens.mechanisms.base import Mechanism, as_curve
from dplens.mechanisms.finite import RandomizedResponse
from dplens.mechanisms.guarantees import ApproximateDP, Exponential, GaussianDP, ZeroConcentratedDP
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import Result, Tabular, present
from dplens.risk.conversions import Mu
from dplens.telling import LANGUAGES, Figure, Told

if TYPE_CHECKING:
    from dplens.assessment.records import Declaration

REFUTED, NOT_REFUTED = "refuted", "not refuted"
SOURCES = ("scores", "counts", "points", "precision and recall", "black box")


@dataclass(frozen=True, kw_only=True)
class Refutation(Result):
    """The verdict on a claim; true if the claim is refuted.

    fpr: the false-positive rate at which measurement and claim differ most. measured: the true-positive rate
    that the attack provably reaches there. claimed: the largest one that the claim allows. confidence: the probability
    that a true claim is not refuted. ``excess`` is positive only if the claim is refuted.
    """

    verdict: str
    confidence: float
    fpr: float
    measured: float
    claimed: float
    claim: str = ""

    @property
    def refuted(self) -> bool:
        """Whether the claim is refuted."""
        return self.verdict == REFUTED

    @property
    def excess(self) -> float:
        """The measured power minus the claimed one."""
        return self.measured - self.claimed

    def __bool__(self) -> bool:
        return self.refuted

    def _told(self) -> Told:
        measured, claimed = _distinct(self.measured, self.claimed) if self.refuted else ("", "")
        return Told(
            "refutation",
            refuted="yes" if self.refuted else "no",
            confidence=Figure(f"{100 * self.confidence:g} %"),
            rate=Figure(f"{100 * self.fpr:.4g} %"),
            measured=Figure(f"{measured} %"),
            claimed=Figure(f"{claimed} %"),
        )

    def words(self, *, language: str | None = None) -> str:
        """The verdict in sentences of a language, with what it rests on."""
        return self._told().words(language or LANGUAGES[0])

    def __str__(self) -> str:
        return self.words()

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain values."""
        names = ("verdict", "confidence", "fpr", "measured", "claimed", "excess", "claim")
        rate = None if math.isnan(self.fpr) else self.fpr  # guesses about one run have no such rate
        return {**{name: getattr(self, name) for name in names}, "fpr": rate}


def claim_text(claim: Any) -> str:
    """The claim's ``repr``, or only its type if that is long."""
    return repr(claim) if len(repr(claim)) < 400 else type(claim).__name__


def _distinct(*shares: float) -> list[str]:
    """Percentages with four digits, or as many as are needed to distinguish them."""
    texts: list[str] = []
    for digits in range(4, 17):
        texts = [f"{100 * share:.{digits}g}" for share in shares]
        if len(set(texts)) == len(texts):
            break
    return texts


class Attacked(Result):
    """Base of audits: their report may hold the measurement against a claim."""

    def report(
        self,
        path: str | PathLike[str],
        *,
        language: str | None = None,
        declared: Declaration | None = None,
        claim: Any = None,
    ) -> Path:
        """Writes the report, as other results do; with a claim, the verdict on it comes first.

        claim: the mechanism or curve that was claimed.
        """
        if claim is not None:
            as_curve(claim, "claim")
        return present(self, "report", path, language, declared, claim)


@dataclass(frozen=True, kw_only=True, eq=False)
class Audit(Attacked, Tabular, Shared):
    """The bounds that an attack proves on the leakage of a release.

    With probability ``confidence``, simultaneously for every j: the test "score at or above ``thresholds[j]``" has a
    false-positive rate of at most ``fpr_high[j]`` and a true-positive rate of at least ``tpr_low[j]``. An attack only
    bounds the leakage from below, so every number read from it (``power``, ``mu``, ``epsilon``, …) is a lower bound,
    and all of them hold at once. No measurement can confirm a guarantee: another attack may do better.

    >>> import numpy as np, dplens as dl
    >>> rng = np.random.default_rng(1)
    >>> found = dl.audit(rng.normal(1, 1, 20_000), rng.normal(0, 1, 20_000))
    >>> 0.85 < found.mu < 1 and found.power(0.05) < dl.Gaussian(sigma=1.0).tradeoff().power(0.05)
    True
    >>> print(found.refutes(dl.Gaussian(sigma=2.0)).verdict, "·", found.refutes(dl.Gaussian(sigma=1.0)).verdict)
    refuted · not refuted
    """

    confidence: float
    n_in: int
    n_out: int
    fpr_high: Floats
    tpr_low: Floats
    fpr: Floats
    tpr: Floats
    fpr_low: Floats
    tpr_high: Floats
    thresholds: Floats | None = None
    source: str = "scores"
    auc: float = math.nan
    notes: tuple[str, ...] = ()
    details: tuple[tuple[str, Any], ...] = field(default=())

    # ---- the curve --------------------------------------------------------------------------------------------

    @cached_property
    def _points(self) -> tuple[Floats, Floats]:
        """The corners, from (0, 0) to (1, 1), of the concave hull of the proven points and the diagonal.

        Tossing a coin between two attacks achieves every point on the line between theirs.
        """
        keep = (self.tpr_low > self.fpr_high) & (self.fpr_high < 1)
        x = np.concatenate([[0.0], self.fpr_high[keep], [1.0]])
        y = np.concatenate([[0.0], self.tpr_low[keep], [1.0]])
        corners = concave_hull(x, y)
        return x[corners], y[corners]

    @cached_property
    def _directed(self) -> TradeOff:
        p, q = map(np.diff, self._points)
        with np.errstate(divide="ignore"):
            loss = np.minimum.accumulate(np.log(q) - np.log(p))  # rounding may disorder equal slopes
        note = f"measured: a lower bound on what leaks, with confidence {self.confidence:g}"
        return PiecewiseCurve(p, q, loss, 1e-12, 1e-12, 1e-12, route="measured", note=note)

    def tradeoff(self, direction: str = "both") -> TradeOff:
        """The mildest trade-off curve consistent with the measurement; the true one lies on or below it.

        Its answers to questions are lower bounds. direction: ``"both"`` (default) is what a guarantee in both
        directions must allow, ``"add"`` the attack as it was run, ``"remove"`` its mirror image.
        """
        _validate.one_of("direction", direction, ("both", "add", "remove"))
        if direction == "both":
            return both_directions(self._directed)
        return self._directed if direction == "add" else self._directed.inverse()

    # ---- lower bounds -----------------------------------------------------------------------------------------

    def power(self, fpr: Any) -> Any:
        """Lower bound on the best true-positive rate at false-positive rate ``fpr``; a number or an array."""
        level = _validate.floats("fpr", fpr, "in [0, 1]", 0.0, 1.0)
        return _like(fpr, self._directed.power_bounds(np.atleast_1d(level), np.atleast_1d(1 - level)).lo)

    @property
    def epsilon(self) -> float:
        """Lower bound on epsilon at delta = 0."""
        return self.epsilon_at(0.0)

    def epsilon_at(self, delta: Any) -> Any:
        """Lower bound on the smallest epsilon of an (epsilon, delta) guarantee, in both directions."""
        level = _validate.floats("delta", delta, "in [0, 1]", 0.0, 1.0)
        return _like(delta, self.tradeoff().epsilon_bounds(np.atleast_1d(level)).lo)

    def delta_at(self, epsilon: Any) -> Any:
        """Lower bound on delta(epsilon), in both directions."""
        level = _validate.floats("epsilon", epsilon, ">= 0", 0.0, math.inf)
        return _like(epsilon, self.tradeoff().profile_bounds(np.atleast_1d(level)).lo)

    @cached_property
    def mu(self) -> float:
        """Lower bound on mu: no Gaussian-DP guarantee with a smaller mu is consistent with the measurement."""
        return float(Mu().of(self.tradeoff()).low)

    @property
    def advantage(self) -> float:
        """Lower bound on the largest difference of true- and false-positive rate."""
        return float(self.delta_at(0.0))

    def relative_risk(self, fpr: float = 0.0, prior: float = 0.0) -> float:
        """Lower bound on the relative disclosure risk at false-positive rates of at least ``fpr``."""
        from dplens.risk.disclosure import RelativeRisk

        return float(RelativeRisk(fpr=fpr, prior=prior).of(self.tradeoff()).low)

    # ---- the claim --------------------------------------------------------------------------------------------

    def refutes(self, claim: Any) -> Refutation:
        """Whether the measurement contradicts a mechanism or curve, where, and by how much.

        A true claim is refuted with probability at most 1 − ``confidence``. ``not refuted`` is no confirmation.
        """
        curve = as_curve(claim, "claim")
        # a convex claim that holds at the corners of the hull holds everywhere
        inner = slice(1, -1) if len(self._points[0]) > 2 else slice(0, 1)
        fpr, tpr = (rate[inner] for rate in self._points)
        allowed = np.asarray(curve.power(fpr))  # the riskier side of the claim
        excess = tpr - allowed
        # the point with the largest excess relative to its standard error
        at = int(np.argmax(excess / np.sqrt(np.maximum(tpr * (1 - allowed), 1e-300))))
        return Refutation(
            verdict=REFUTED if excess[at] > 0 else NOT_REFUTED,
            confidence=self.confidence,
            fpr=float(fpr[at]),
            measured=float(tpr[at]),
            claimed=float(allowed[at]),
            claim=claim_text(claim),
        )

    def least(self, family: Any, *, low: float | None = None, high: float | None = None) -> Least:
        """The smallest parameter of a mechanism family that is consistent with the measurement (Liu's PR_optimalLow).

        family: ``"gaussian"`` (mu), ``"laplace"``, ``"randomized_response"``, ``"exponential"``, ``"approximate_dp"``
        (epsilon), ``"zcdp"`` (rho), or a function from a number to a mechanism whose leakage grows with that number.
        """
        return least_consistent(self.refutes, family, low=low, high=high)

    # ---- tables -----------------------------------------------------------------------------------------------

    def roc(self) -> dict[str, Floats]:
        """The empirical ROC curve with its confidence band, by threshold: columns for a data frame.

        ``fpr_high`` with ``tpr_low`` is the lower edge, on which all bounds rest; ``fpr_low`` with ``tpr_high`` is the
        upper edge for this score. Each edge holds at all thresholds at once with the stated confidence, both edges with
        at least 2·confidence − 1.
        """
        names = ("fpr", "tpr", "fpr_low", "fpr_high", "tpr_low", "tpr_high")
        return self._by_threshold({name: getattr(self, name) for name in names})

    def _by_threshold(self, columns: dict[str, Floats]) -> dict[str, Floats]:
        return columns if self.thresholds is None else {"threshold": self.thresholds, **columns}

    def precision_recall(self, prior: float = 0.5) -> dict[str, Floats]:
        """Precision and recall at prior Pr(member), with a band at the same thresholds and confidence."""
        p = _validate.prior(prior)

        def precision(tpr: Floats, fpr: Floats) -> Floats:
            with np.errstate(invalid="ignore", over="ignore"):
                wrong = np.where(fpr > 0, np.divide(1 - p, p) * fpr, 0.0)  # per member; the odds may overflow
                return tpr / (tpr + wrong)  # NaN where nobody is named

        columns = {
            "recall": self.tpr,
            "precision": precision(self.tpr, self.fpr),
            "recall_low": self.tpr_low,
            "precision_low": precision(self.tpr_low, self.fpr_high),
            "recall_high": self.tpr_high,
            "precision_high": precision(self.tpr_high, self.fpr_low),
        }
        return self._by_threshold(columns)

    def to_dict(self) -> dict[str, Any]:
        """The measurement as plain values: inputs, corners of the proven hull, and the main bounds."""
        fpr, tpr = self._points
        return {
            "source": self.source,
            "confidence": self.confidence,
            "n_in": self.n_in,
            "n_out": self.n_out,
            "auc": None if math.isnan(self.auc) else self.auc,
            "bounds": {"mu": self.mu, "epsilon": self.epsilon, "advantage": self.advantage},
            "proved": {"fpr": fpr.tolist(), "tpr": tpr.tolist()},
            "notes": list(self.notes),
        }


def _like(given: Any, found: Floats) -> Any:
    """A float for a scalar argument, else an array of its shape."""
    return found.reshape(np.shape(given)) if isinstance(given, np.ndarray) or np.ndim(given) else float(found[0])


FAMILIES: dict[str, tuple[str, Callable[[float], Mechanism]]] = {
    "gaussian": ("mu", lambda mu: GaussianDP(mu=mu)),
    "laplace": ("epsilon", lambda e: Laplace(scale=1 / e)),
    "randomized_response": ("epsilon", lambda e: RandomizedResponse(epsilon=e)),
    "exponential": ("epsilon", lambda e: Exponential(epsilon=e)),
    "approximate_dp": ("epsilon", lambda e: ApproximateDP(epsilon=e)),
    "zcdp": ("rho", lambda rho: ZeroConcentratedDP(rho=rho)),
}


@dataclass(frozen=True, kw_only=True)
class Least(Result):
    """The smallest parameter of a family that a measurement does not refute.

    value: a lower bound on the true parameter, if the release belongs to the family. mechanism: the mildest member that
    is not refuted, adjacent to ``value``. Its curve is Liu's PR_optimalLow, the best attack on the mildest member that
    explains the measurement; assessments of it note that the true risk may be higher. refutation: the verdict at
    ``value``, None if nothing is refuted.
    """

    family: str
    parameter: str
    value: float
    mechanism: Any
    refutation: Refutation | None


def least_consistent(
    refutes: Callable[[Any], Any],
    family: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    close: float = 1e-7,
) -> Least:
    """Bisect for the parameter, to relative accuracy ``close`` from below; leakage must grow with it."""
    if isinstance(family, type):
        remedy = "Say how the number enters it: lambda x: Gaussian(sigma=1 / x), say."
        raise _validate.reject_type("family", "to be a name or a function from a number to a mechanism", family, remedy)
    if callable(family):
        name, parameter = getattr(family, "__name__", "family"), "parameter"
        made = partial(_validate.made, "family", family)
    else:
        name = _validate.one_of("family", family, tuple(FAMILIES))
        parameter, made = FAMILIES[name]
    least = _validate.positive("low", 1e-6 if low is None else low)
    most = _validate.real("high", 1e4 if high is None else high, f"> low ({least:g})", lambda x: least < x < math.inf)

    def answer(value: float, at: float, refutation: Any) -> Least:
        """Mark the member: unlike a description of a release, only a lower bound supports it."""
        member = copy.copy(made(at))
        object.__setattr__(member, "_mildest", True)
        return Least(family=name, parameter=parameter, value=value, mechanism=member, refutation=refutation)

    first = refutes(made(least))
    if not first:
        if high is not None and refutes(made(most)):
            shown = _validate.Shown(f"one that is refuted at {most:g} and not at {least:g}")
            remedy = "Turn its parameter round: lambda x: Gaussian(sigma=1 / x), say."
            raise _validate.reject("family", "to leak more the larger its parameter", shown, remedy)
        return answer(0.0 if low is None else least, least, None)
    top = min(max(1.0, 2 * least), most)
    while found := refutes(made(top)):
        if top == most:
            return answer(most, most, found)
        least, first, top = top, found, min(4 * top, most)
    while top > least * (1 + close):
        middle = math.sqrt(least * top)
        if found := refutes(made(middle)):
            least, first = middle, found
        else:
            top = middle
    return answer(least, top, first)
