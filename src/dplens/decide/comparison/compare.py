"""Compare mechanisms: dominance of their curves, and the cost of equal risk or equal noise."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from dplens import _validate
from dplens.decide.calibration.calibrate import Calibration, calibrate
from dplens.decide.calibration.unreachable import FamilyError
from dplens.decide.comparison.dominance import RATES, Relation, standing
from dplens.decide.comparison.noise_error import NoiseError, noise_error, scaled_noise, with_variance
from dplens.decide.plain import Plain
from dplens.errors import DplensWarning, Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.base import Mechanism, as_curve
from dplens.registry import Result, Tabular
from dplens.risk.base import Question, Requirement
from dplens.risk.rates import Advantage

Answer = TypeVar("Answer")

_MEASURES = ("variance", "mean_absolute", "interval")


@dataclass(frozen=True, kw_only=True)
class Comparison(Tabular, Plain):
    """The result of :func:`compare`; all fields are in the order of the mechanisms.

    answers: to ``question``. errors: those of the noise, None if no number is released. equal_risk: the error of each
    kind of noise when scaled to the answer of the first mechanism. equal_variance: the answer of each kind when scaled
    to the variance of the first; both None if a mechanism has no noise to scale. points: the number of false-positive
    rates at which the curves were first compared; results between these are proven.
    """

    mechanisms: tuple[Any, ...]
    question: Question
    answers: tuple[Estimate, ...]
    relations: tuple[Relation, ...]
    errors: tuple[NoiseError | None, ...]
    equal_risk: tuple[NoiseError | None, ...]
    equal_variance: tuple[Estimate | None, ...]
    points: int

    def relation(self, first: int, second: int) -> str:
        """The relation of mechanism ``first`` to mechanism ``second``."""
        first, second = (_validate.count(n, x, 0) for n, x in (("first", first), ("second", second)))
        for r in self.relations:
            if (r.first, r.second) == (first, second):
                return r.kind
            if (r.first, r.second) == (second, first):
                return {"safer": "riskier", "riskier": "safer"}.get(r.kind, r.kind)
        raise _validate.reject("pair", f"of two different mechanisms below {len(self.mechanisms)}", (first, second))


def compare(*mechanisms: Any, question: Question | None = None) -> Comparison:
    """Compare mechanisms: which is safer, where curves cross, and what equal risk or equal noise costs.

    One mechanism is safer than another if its trade-off curve lies above (Dong, Roth & Su 2022, Section 2.1: then it
    is safer in the answer to every question). ``question``: the answer held equal in ``equal_risk``, by default the
    advantage.

    >>> import dplens as dl
    >>> c = dl.compare(dl.Gaussian(sigma=1.0), dl.Laplace(scale=1.0), dl.Gaussian(sigma=2.0))
    >>> c.relation(0, 1), c.relation(0, 2)
    ('crossing', 'riskier')
    >>> [round(e.variance, 4) for e in c.equal_risk]  # at the same advantage
    [1.0, 2.1454, 1.0]
    """
    if len(mechanisms) < 2:
        remedy = "There is nothing to compare. Pass them one after the other, as in compare(first, second)."
        raise _validate.reject("mechanisms", "to be at least two", mechanisms, remedy)
    curves = [as_curve(m, f"mechanisms[{i}]") for i, m in enumerate(mechanisms)]
    if len({m.neighbours for m in mechanisms if isinstance(m, Mechanism)}) > 1:
        warnings.warn(
            "The mechanisms are about different neighbours, so their curves answer different questions. Bring those "
            "with add_remove to replace by as_replace().",
            DplensWarning,
            stacklevel=2,
        )
    asked, remedy = Advantage() if question is None else question, "Pass for instance dplens.Advantage()."
    _validate.instance("question", asked, Question, "to be a question", remedy)
    answers = tuple(asked.of(curve) for curve in curves)
    errors = tuple(_known(noise_error, m) for m in mechanisms)
    variance = 0.0 if errors[0] is None else errors[0].variance
    families, scalable = [scaled_noise(m) for m in mechanisms[1:]], 0 < variance < math.inf

    def at_risk(family: Callable[[float], Any]) -> NoiseError:
        return noise_error(calibrate(family, meet=Requirement(question=asked, bound=float(answers[0]))).mechanism)

    def at_variance(family: Callable[[float], Any]) -> Estimate:
        return asked.of(with_variance(family, variance))

    return Comparison(
        mechanisms=tuple(mechanisms),
        question=asked,
        answers=answers,
        relations=tuple(
            replace(standing(curves[i], curves[j]), first=i, second=j)
            for i, j in itertools.combinations(range(len(curves)), 2)
        ),
        errors=errors,
        equal_risk=(errors[0], *(_known(at_risk, f) if f and e else None for f, e in zip(families, errors[1:]))),
        equal_variance=(answers[0], *(_known(at_variance, f) if f and scalable else None for f in families)),
        points=RATES,
    )


def _known(ask: Callable[..., Answer], *given: Any) -> Answer | None:
    """An answer, or None where there is none."""
    try:
        return ask(*given)
    except (Undefined, FamilyError):
        return None


@dataclass(frozen=True, kw_only=True)
class Ranked(Result):
    """A family at the parameter that meets the requirements, with its error; or why one of these is missing."""

    family: str
    fit: Calibration | None
    error: NoiseError | None
    why: str


@dataclass(frozen=True, kw_only=True)
class Ranking(Tabular, Plain):
    """Families by increasing error; those that cannot meet the requirements or have no error come last."""

    by: str
    entries: tuple[Ranked, ...]


def rank(
    families: Mapping[str, Callable[[float], Any]], meet: Sequence[Requirement] | Requirement, *, by: str = "variance"
) -> Ranking:
    """Rank families of noise by their errors when each just meets the same requirements.

    by: ``"variance"``, ``"mean_absolute"`` or ``"interval"`` (95 %).

    >>> import dplens as dl
    >>> ranking = dl.rank({"gaussian": lambda s: dl.Gaussian(sigma=s), "laplace": lambda b: dl.Laplace(scale=b),
    ...                    "staircase": lambda e: dl.Staircase(epsilon=e)}, meet=[dl.Epsilon().at_most(1.0)])
    >>> [(r.family, r.error and round(r.error.variance, 3)) for r in ranking.entries]
    [('staircase', 1.92), ('laplace', 2.0), ('gaussian', None)]
    """
    _validate.one_of("by", by, _MEASURES)
    if not isinstance(families, Mapping) or not families:
        raise _validate.reject_type("families", "to map names to functions of one number", families)
    entries = [_ranked(name, family, meet) for name, family in families.items()]
    order = sorted(entries, key=lambda r: (r.error is None, getattr(r.error, by, 0.0)))
    return Ranking(by=by, entries=tuple(order))


def _ranked(name: str, family: Callable[[float], Any], meet: Sequence[Requirement] | Requirement) -> Ranked:
    fit = None
    try:
        fit = calibrate(family, meet=meet)
        return Ranked(family=name, fit=fit, error=noise_error(fit.mechanism), why="")
    except (Undefined, FamilyError) as error:
        return Ranked(family=name, fit=fit, error=None, why=str(error))
