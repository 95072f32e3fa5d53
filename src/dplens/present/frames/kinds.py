"""Every kind of frame by its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from dplens import _validate
from dplens.assessment.structure import responding
from dplens.correlated.search.worst import Worst
from dplens.correlated.value_above import ValueAbove
from dplens.correlated.views.base import View
from dplens.mechanisms.base import Mechanism
from dplens.present.frames.analyst import analyst_power, feasible
from dplens.present.frames.attacks import (
    audit_band,
    leakage_by_knowledge,
    precision_recall,
    profile,
    tradeoff,
)
from dplens.present.frames.base import ChartFrame
from dplens.present.frames.beliefs import icons, posterior, relative_risk
from dplens.present.frames.noise import fscore, power_against_noise
from dplens.present.frames.outputs import output_laws

FRAMES: dict[str, Callable[..., ChartFrame]] = {
    "roc": tradeoff,
    "precision_recall": precision_recall,
    "posterior": posterior,
    "relative_risk": relative_risk,
    "profile": profile,
    "fscore": fscore,
    "power_noise": power_against_noise,
    "output_laws": output_laws,
    "icons": icons,
    "leakage": leakage_by_knowledge,
    "analyst_power": analyst_power,
    "feasible": feasible,
    "audit": audit_band,
}


def frame(kind: str, target: Any, **settings: Any) -> ChartFrame:
    """The numbers of a picture as a tidy table: ``frame("roc", mechanism, fpr=0.01).rows``.

    kind: ``roc``, ``precision_recall``, ``posterior``, ``relative_risk``, ``profile``, ``fscore``, ``power_noise``,
    ``output_laws``, ``icons`` (of a mechanism or curve), ``leakage`` (of what ``data.worst(…)`` found),
    ``analyst_power`` (of an analyst's test), ``feasible`` (of a decision), ``audit`` (of a measured attack).

    >>> import dplens as dl
    >>> rows = dl.frame("relative_risk", dl.Laplace(scale=1.0)).listed()
    >>> [(row["alpha"], round(row["ratio"], 4)) for row in rows][:2]
    [(0.001, 2.7183), (0.01, 2.7183)]
    """
    make = FRAMES[_validate.one_of("kind", kind, tuple(FRAMES))]
    known = {name: p for name, p in inspect.signature(make).parameters.items() if p.kind is p.KEYWORD_ONLY}
    for name in settings:
        _validate.one_of(f"a setting of {kind}", name, tuple(known))
    for name, p in known.items():
        if p.default is p.empty and name not in settings:
            raise _validate.reject(name, f"to be given for {kind}", _validate.Shown("nothing"))
    return make(target, **settings)


def about(target: Any) -> str:
    """Whom a test on this target tells apart."""
    if isinstance(target, ValueAbove):
        return "value"
    if isinstance(target, (View, Worst)):
        return "related"
    if not hasattr(target, "tradeoff"):
        return "analyst"  # a test, or a decision
    if not isinstance(target, Mechanism):
        return "membership"
    own = responding(target)
    if own == "part":  # a response shows who took part, a noisy total does not
        remedy = "Pass about='answer' if two true answers of one person are told apart, about='membership' if not."
        shown = _validate.Shown("a randomised response beside other releases")
        raise _validate.reject("about", "to be given", shown, remedy)
    return "answer" if own == "all" else "replaced" if target.neighbours == "replace" else "membership"
