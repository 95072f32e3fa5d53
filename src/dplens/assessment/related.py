"""Related records in an assessment: the attackers a user names, and the worst of all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.assessment.records import ABOUT, Answer, Assumptions, Related, RelatedAttacker
from dplens.correlated.value_above import ValueAbove
from dplens.correlated.views.queries import listed
from dplens.describe.models import write_model
from dplens.errors import Undefined
from dplens.mechanisms.combined import Failing, Grouped
from dplens.mechanisms.composed import DPSGD, Subsampled
from dplens.mechanisms.noise import FAMILIES, known_noise
from dplens.registry import MODELS, snake
from dplens.risk.base import Question
from dplens.risk.bayes import Posterior
from dplens.risk.disclosure import failure_mode

_UNFIT = {
    Subsampled: "a release of a sample",
    Failing: "a release that may fail",
    Grouped: "a release seen by a group",
    DPSGD: "a trained model",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Knowing:
    """An attacker on related records, their target and what they know.

    known: indices of tuples, or a mapping from index to value.
    """

    target: int
    known: Any = ()
    name: str = ""

    def __post_init__(self) -> None:
        _validate.text("name", self.name)
        object.__setattr__(self, "target", _validate.count("target", self.target, 0, "Tuples are numbered from 0."))
        if isinstance(self.known, np.ndarray):
            object.__setattr__(self, "known", self.known.tolist())
        kinds = (Mapping, Sequence, Set, type(None))
        if isinstance(self.known, (str, bytes)) or not isinstance(self.known, kinds):
            rule = "to be a list of indices or a mapping from index to value"
            raise _validate.reject_type("known", rule, self.known)
        for index in self.known or ():
            _validate.count("known", index, 0, "Tuples are numbered from 0.")


@dataclass(frozen=True, kw_only=True, eq=False)
class RelatedData:
    """A data model with what was released about it and who attacks.

    model: :class:`DiscreteData`, :class:`MarkovData`, :class:`GaussianData` or :class:`GaussianChain`. weights: of the
    released sum (default all 1; the mean has 1/n). method: how the worst attacker is searched for (default: the
    model's own). attackers: those who are looked at one by one, beside the worst.

    >>> import dplens as dl
    >>> couple = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])
    >>> a = dl.assess(dl.Laplace(scale=1.0), data=dl.RelatedData(model=couple, attackers=(dl.Knowing(target=0),)))
    >>> round(a.related.worst.leakage, 4), a.related.attackers[0].target
    (1.5694, 0)
    """

    model: Any
    weights: Sequence[float] | None = None
    method: str | None = None
    attackers: Sequence[Knowing] = ()

    def __post_init__(self) -> None:
        if MODELS.name_of(type(self.model)) is None:
            remedy = "Pass for instance dplens.DiscreteData(joint=[[.3, .2], [.2, .3]])."
            raise _validate.reject_type("model", "to be a data model", self.model, remedy)
        if self.weights is not None:
            weights = _validate.as_array("weights", self.weights)
            if weights.ndim != 1 or not np.isfinite(weights).all():
                rule = "to be a list with one finite weight for each tuple"
                raise _validate.reject("weights", rule, self.weights)
            object.__setattr__(self, "weights", tuple(weights.tolist()))
        if self.method is not None:
            _validate.text("method", self.method)
        remedy = "Pass for instance [dplens.Knowing(target=0)]."
        object.__setattr__(self, "attackers", tuple(listed("attackers", self.attackers, "to be a list", remedy)))
        for i, who in enumerate(self.attackers):
            remedy = "Pass for instance dplens.Knowing(target=0)."
            _validate.instance(f"attackers[{i}]", who, Knowing, "to be a dplens.Knowing", remedy)


def as_related(data: Any) -> RelatedData:
    """A data model, with attackers if it came with any."""
    return data if isinstance(data, RelatedData) else RelatedData(model=data)


def relate(
    mechanism: Any, data: RelatedData, questions: Iterable[Question], assumptions: Assumptions
) -> tuple[Related, list[tuple[str, Any]]]:
    """The record of all attackers, and pairs (name, view) of those that limits are judged by.

    Each is also asked for the belief after naming the target, starting from what the model says.
    """
    asked, fpr = tuple(questions), assumptions.fpr
    parts = related_noises(mechanism)
    _check_sensitivity(parts, data, assumptions.setting)
    release = parts[0] if len(parts) == 1 else parts
    options = {} if data.method is None else {"method": data.method}
    found = data.model.worst(release, weights=data.weights, **options)
    views = [
        (who.name, data.model.view(release, target=who.target, known=who.known, weights=data.weights))
        for who in data.attackers
    ]
    record = Related(
        model=json.dumps(write_model(data.model)),
        weights=() if data.weights is None else tuple(float(w) for w in data.weights),
        attackers=tuple(_attacker(name, view, asked, fpr) for name, view in views),
        worst=_attacker("", found.view, asked, fpr),
        method=found.method,
        exhaustive=found.exhaustive,
        bound=found.bound,
        compared=found.attackers,
        delta=found.delta,
        by_known=found.by_known,
        everyone=_answers(found, _with_belief(asked, found.view.belief, fpr)),
    )
    # quote names that have a meaning of their own
    called = [f'"{name}"' if name in ABOUT else name or f"attacker {i + 1}" for i, (name, _) in enumerate(views)]
    named = [(name, view) for name, (_, view) in zip(called, views)]
    return record, [("related", found), *named]  # limits apply to all attackers, not just the named ones


def related_noises(mechanism: Any) -> list[Any]:
    """The releases one by one; refuse any that does not add noise to a number, which models of related records need."""
    if isinstance(mechanism, ValueAbove):
        raise Undefined("Related records are analysed for a release, not for a hypothesis about one value.")
    parts = [m for m, times in mechanism._parts() for _ in range(min(times, 13))]
    if not 0 < len(parts) <= 12:
        count = sum(times for _, times in mechanism._parts())
        raise Undefined(
            f"Related records are analysed for 1 to 12 noisy releases together, this is made of {count}. Describe the "
            "single releases that are seen together."
        )
    for part in parts:
        if known_noise(part) is None:
            known = ", ".join(snake(kind.__name__) for kind in FAMILIES)
            remedy = f"Related records are analysed for {known}, on all records as they are. Leave out data otherwise."
            what = _validate.Shown(_UNFIT.get(type(part), snake(type(part).__name__)))
            raise _validate.reject("mechanism", "to add noise to a number where data is given", what, remedy)
    return [known_noise(part) for part in parts]


def _check_sensitivity(parts: Sequence[Any], data: RelatedData, setting: str) -> None:
    """Refuse a model whose tuples exceed the declared sensitivity, since the answers would be too favourable.

    Records that change a sum by at most s when added or removed differ by at most 2·s; in the local setting, s is the
    distance between two true answers.
    """
    spread = _spread(data.model)
    weights = np.ones(len(spread)) if data.weights is None else np.abs(np.asarray(data.weights, dtype=float))
    if weights.shape != spread.shape:
        return  # the model raises its own error
    change = weights * spread
    most = int(np.argmax(change))
    for one in parts:
        allowed = one.sensitivity * (2 if one.neighbours == "add_remove" and setting == "central" else 1)
        if change[most] > allowed * (1 + 1e-9):
            found = _validate.Shown(f"up to {change[most]:g} by tuple {most}")
            remedy = (
                f"The release is made for a sensitivity of {one.sensitivity:g} and would protect less than it says. "
                "Pass the weights that tuples have in what is published (1/n each for a mean), or its true sensitivity."
            )
            raise _validate.reject("data", "to change what is published by no more than declared", found, remedy)


def _spread(model: Any) -> Floats:
    """The largest distance between two values of each tuple."""
    if not hasattr(model, "values"):
        return np.asarray(model.width, dtype=float)
    apart = {key: np.ptp(values) for key, values in {id(v): v for v in model.values}.items()}  # a chain shares them
    return np.array([apart[id(v)] for v in model.values])


def _with_belief(
    questions: tuple[Question, ...], belief: tuple[float, float] | None, fpr: float
) -> tuple[Question, ...]:
    own = () if belief is None else (Posterior(prior=belief[1], fpr=fpr),)
    return tuple(dict.fromkeys((*questions, *own)))


def _attacker(name: str, view: Any, questions: tuple[Question, ...], fpr: float) -> RelatedAttacker:
    belief = view.belief
    known = view.known.items() if isinstance(view.known, dict) else ((i, None) for i in view.known)
    return RelatedAttacker(
        name=name,
        target=view.target,
        known=tuple((int(i), None if v is None else float(v)) for i, v in known),
        determined=bool(view.determined),
        failure=failure_mode(view).value,
        leakage=view.leakage(),
        answers=_answers(view, _with_belief(questions, belief, fpr)),
        value=None if belief is None else belief[0],
        belief=None if belief is None else belief[1],
    )


def _answers(who: Any, questions: tuple[Question, ...]) -> tuple[Answer, ...]:
    return tuple(Answer(question=q, estimate=q.of(who)) for q in questions)
