"""Liu et al. 2019: the largest parameter under a bound on the F-score, and PR curves of attackers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.adversary import Adversary
from dplens.decide.calibration.calibrate import calibrate
from dplens.decide.calibration.unreachable import Unreachable, Unrestricted, made
from dplens.decide.plain import Plain
from dplens.estimate import Estimate
from dplens.mechanisms.additive import Laplace
from dplens.mechanisms.base import as_curve
from dplens.mechanisms.guarantees import ApproximateDP
from dplens.registry import Result, Tabular
from dplens.risk.bayes import FScore, Precision, naming_everyone

# Liu's Table 1 and the settings of Figures 4 to 8
BOUNDS = (0.55, 0.58, 0.62, 0.67, 0.76, 0.83, 0.9, 0.95)
WEIGHTS = (0.5, 0.6, 0.8, 1.0, 1.5, 2.0)
_ANY = "Every parameter meets the bound."
RECALLS = tuple(float(r) for r in np.linspace(0.0, 1.0, 101))


def _laplace(epsilon: float) -> Any:
    """Laplace noise by its epsilon; 0 is a release that reveals nothing."""
    _validate.real("epsilon", epsilon, ">= 0 and finite", lambda x: 0 <= x < math.inf)
    return Laplace(scale=1.0, sensitivity=epsilon) if epsilon > 0 else ApproximateDP(epsilon=0.0, delta=0.0)


@dataclass(frozen=True, kw_only=True)
class FScoreEntry(Result):
    """The riskiest parameter of a family under a bound on the F-score.

    value: None if no parameter meets the bound. If all of them do, the end towards which risk grows, infinity or 0 (or
    the last parameter of the family). why: the reason in these cases. floor: the F-score of naming everyone.
    achieved: the F-score at ``value``, on its safe side.
    """

    family: str
    weight: float
    prior: float
    bound: float
    value: float | None
    achieved: Estimate | None
    floor: float
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class FScoreTable(Tabular, Plain):
    """Entries for every family, prior, weight and bound, in that order."""

    entries: tuple[FScoreEntry, ...]

    def row(self, *, weight: float, prior: float = 0.5, family: str = "laplace") -> tuple[float | None, ...]:
        """The parameters of one row, in the order of the bounds.

        >>> import dplens as dl
        >>> row = dl.fscore_table(weights=[1.0]).row(weight=1.0)
        >>> [value and round(value, 3) for value in row]
        [None, None, None, 0.716, 1.409, 2.128, 3.209, 4.603]
        """
        _validate.text("family", family)
        wanted = (family, _validate.positive("weight", weight), _validate.prior(prior))
        found = tuple(e.value for e in self.entries if (e.family, e.weight, e.prior) == wanted)
        if not found:
            raise _validate.reject("row", "to be in the table", wanted)
        return found


def fscore_table(
    *,
    bounds: Sequence[float] = BOUNDS,
    weights: Sequence[float] = WEIGHTS,
    priors: Sequence[float] = (0.5,),
    families: Mapping[str, Callable[[float], Any]] | None = None,
) -> FScoreTable:
    """The riskiest parameter under each bound on the best F-score, for any weights, priors and families.

    That is the largest epsilon or mu, and the smallest sigma or scale.
    The default is Liu et al. 2019, Table 1: Laplace noise by its epsilon, at prior ½ (printed there with two digits,
    some rounded, some truncated; four entries lie below the floor (1 + w²)/(2 + w²), which no epsilon meets).
    ``families`` maps names to functions of one number, for instance ``{"gaussian": lambda mu: GaussianDP(mu=mu)}``.

    >>> import dplens as dl
    >>> table = dl.fscore_table(bounds=[0.76], weights=[1.0], families={"gaussian": lambda mu: dl.GaussianDP(mu=mu)})
    >>> round(table.entries[0].value, 4)
    1.324
    """
    known = {"laplace": _laplace} if families is None else families
    if not isinstance(known, Mapping) or not known:
        raise _validate.reject_type("families", "to map names to functions of one number", families)
    entries = [
        _entry(name, family, FScore(weight=weight, prior=prior), bound)
        for name, family in known.items()
        for prior in _validate.several("priors", priors)
        for weight in _validate.several("weights", weights)
        for bound in _validate.several("bounds", bounds, "in [0, 1]", 0.0, 1.0)  # 76 for 76 % would let everything pass
    ]
    return FScoreTable(entries=tuple(entries))


def _entry(name: str, family: Callable[[float], Any], question: FScore, bound: float) -> FScoreEntry:
    w, prior = question.weight, question.prior
    value: float | None = None
    achieved, why = None, ""
    below_one = math.nextafter(1.0, 0.0)
    try:
        # every release meets a bound of 1; just below it the direction of risk shows
        fit = calibrate(family, meet=[question.at_most(min(bound, below_one))])
        value, achieved = fit.value, fit.achieved[0]
        if bound > below_one and fit.neighbour is not None:
            value, achieved, why = math.inf if fit.more_is_riskier else 0.0, None, _ANY
    except Unrestricted as every:
        value, why = every.end, _ANY
    except Unreachable as none:
        why = str(none) if bound <= below_one else _ANY
    found = {"value": value, "achieved": achieved, "floor": naming_everyone(w, prior), "why": why}
    return FScoreEntry(family=name, weight=w, prior=prior, bound=bound, **found)


@dataclass(frozen=True, kw_only=True)
class PRCurve(Tabular, Plain):
    """Precision of the best attack at each recall, for an attacker with a prior; on the safe side."""

    prior: float
    recalls: tuple[float, ...]
    precisions: tuple[Estimate, ...]


def pr_curve(mechanism: Any, adversary: Adversary | None = None, *, recalls: Sequence[float] = RECALLS) -> PRCurve:
    """Precision against recall of the best attack, under the auxiliary knowledge of an ``adversary``.

    precision = 1/(1 + c·alpha/recall), alpha the smallest false-positive rate with that recall, c = (1 − prior)/prior;
    with Liu's coefficients ``Adversary.from_coefficients(prior=, record=, temporal=)`` it is Equation 23. Figures
    3a (Laplace), 4 (Gaussian), 5 (prior), 6 (record correlation) and 7 (temporal correlation) of Liu et al. 2019.

    >>> import dplens as dl
    >>> knowing = dl.Adversary.from_coefficients(prior=0.2, record=0.1, temporal=0.1)
    >>> [f"{p:.4f}" for p in dl.pr_curve(dl.Laplace(scale=1.0), knowing, recalls=[0.1, 0.5, 0.9]).precisions]
    ['0.8558', '0.8558', '0.7296']
    """
    curve = as_curve(mechanism)
    prior = _prior(adversary)
    points = tuple(_validate.several("recalls", recalls, "in [0, 1]", 0.0, 1.0))
    precisions = tuple(Precision(recall=r, prior=prior).of(curve) for r in points)
    return PRCurve(prior=prior, recalls=points, precisions=precisions)


@dataclass(frozen=True, kw_only=True)
class FScoreCurve(Tabular, Plain):
    """The best F-score over the parameters of a family; on the safe side."""

    weight: float
    prior: float
    values: tuple[float, ...]
    scores: tuple[Estimate, ...]


def fscore_curve(
    values: Sequence[float],
    adversary: Adversary | None = None,
    *,
    weight: float = 1.0,
    family: Callable[[float], Any] = _laplace,
) -> FScoreCurve:
    """The best F-score as a function of a family's parameter: Liu et al. 2019, Figures 3b and 8.

    >>> import dplens as dl
    >>> [round(float(s), 6) for s in dl.fscore_curve([0.5, 1.0], weight=0.5).scores]
    [0.610702, 0.69886]
    """
    question = FScore(weight=weight, prior=_prior(adversary))
    points = tuple(_validate.several("values", values))
    scores = tuple(question.of(made(family, x)) for x in points)
    return FScoreCurve(weight=question.weight, prior=question.prior, values=points, scores=scores)


def _prior(adversary: Any) -> float:
    if adversary is None:
        return 0.5
    remedy = "Pass dplens.Adversary(prior=0.1)."
    return _validate.instance("adversary", adversary, Adversary, "to be an Adversary", remedy).prior
