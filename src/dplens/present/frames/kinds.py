"""Every kind of frame by its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dplens import _validate
from dplens.assessment.result import Assessment
from dplens.assessment.structure import responding
from dplens.correlated.search.worst import Worst
from dplens.correlated.value_above import ValueAbove
from dplens.correlated.views.base import View
from dplens.mechanisms.base import Mechanism
from dplens.present.frames.analyst import analyst_power, feasible
from dplens.present.frames.attacks import (
    audit_band,
    comparison,
    leakage_by_knowledge,
    output_laws,
    precision_recall,
    profile,
    tradeoff,
)
from dplens.present.frames.base import ChartFrame
from dplens.present.frames.beliefs import icons, posterior, relative_risk
from dplens.present.frames.noise import fscore, power_against_noise

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
    "comparison": comparison,
}
OVERLAYS = ("roc", "precision_recall", "posterior", "relative_risk", "profile", "fscore")  # lines of several releases
_MOST_RELEASES = 8  # as many styles of lines as there are


def frame(kind: str, target: Any, **settings: Any) -> ChartFrame:
    """The numbers of a picture as a tidy table: ``frame("roc", mechanism, fpr=0.01).rows``.

    kind: ``roc``, ``precision_recall``, ``posterior``, ``relative_risk``, ``profile``, ``fscore``, ``power_noise``,
    ``output_laws``, ``icons`` (of a mechanism or curve), ``leakage`` (of what ``data.worst(…)`` found),
    ``analyst_power`` (of an analyst's test), ``feasible`` (of a decision), ``audit`` (of a measured attack),
    ``comparison`` (of several). target: also an assessment, or up to eight releases by name, where they are lines.

    >>> import dplens as dl
    >>> rows = dl.frame("relative_risk", dl.Laplace(scale=1.0)).listed()
    >>> [(row["alpha"], round(row["ratio"], 4)) for row in rows][:2]
    [(0.001, 2.7183), (0.01, 2.7183)]
    """
    make = FRAMES[_validate.one_of("kind", kind, tuple(FRAMES))]
    if isinstance(target, Mapping):
        named = {_validate.text("a release's name", name): _released(one) for name, one in target.items()}
        if not 1 <= len(named) <= _MOST_RELEASES:
            raise _validate.reject("target", f"to have from 1 to {_MOST_RELEASES} releases", len(named))
        if kind != "comparison":
            return _overlaid(kind, named, settings)
        target = named
    known = {name: p for name, p in inspect.signature(make).parameters.items() if p.kind is p.KEYWORD_ONLY}
    for name in settings:
        _validate.one_of(f"a setting of {kind}", name, tuple(known))
    for name, p in known.items():
        if p.default is p.empty and name not in settings:
            raise _validate.reject(name, f"to be given for {kind}", _validate.Shown("nothing"))
    return make(_released(target), **settings)


def _released(target: Any) -> Any:
    """The release of an assessment; anything else as it is."""
    return target.mechanism if isinstance(target, Assessment) else target


def _overlaid(kind: str, releases: dict[str, Any], settings: dict[str, Any]) -> ChartFrame:
    """One frame of several releases: their rows below each other, with the name of the release first."""
    _validate.one_of("the kind of a chart of several releases", kind, ("comparison", *OVERLAYS))
    if "priors" in inspect.signature(FRAMES[kind]).parameters:
        settings = {"priors": (0.1,), **settings}
        if np.size(settings["priors"]) != 1:
            raise _validate.reject("priors", "to be one prior where several releases are shown", settings["priors"])
    found = {name: frame(kind, one, **settings) for name, one in releases.items()}
    rows = tuple({"release": name, **row} for name, one in found.items() for row in one.rows)
    widest = max((one.certificate for one in found.values()), key=lambda certificate: certificate.tolerance)
    routes = ", ".join(dict.fromkeys(one.certificate.route for one in found.values()))
    facts = {**next(iter(found.values())).facts, "releases": found}
    return ChartFrame(kind=kind, rows=rows, facts=facts, certificate=replace(widest, route=routes))


def about(target: Any) -> str:
    """Whom a test on this target tells apart."""
    if isinstance(target, Mapping):
        found = {about(one) for one in target.values()}
        if len(found) > 1:
            remedy = "These releases tell different things apart, so their numbers do not compare."
            raise _validate.reject("about", "to be given", _validate.Shown(" and ".join(sorted(found))), remedy)
        return found.pop()
    target = _released(target)
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
