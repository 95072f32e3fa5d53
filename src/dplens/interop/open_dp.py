"""OpenDP measurements and privacy profiles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens.errors import Undefined
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.guarantees import ApproximateDP, ZeroConcentratedDP
from dplens.mechanisms.profile import PrivacyProfile

Floats = npt.NDArray[np.float64]

_POINTS = 1000
_MOST = 200.0  # the largest epsilon that is asked for
_DEEP = 1e-14  # as far down as delta is followed: what profiles of other libraries keep digits for

# Metrics on data sets, with how many records a distance of 1 stands for.
_METRICS = {
    "SymmetricDistance": "add_remove",
    "InsertDeleteDistance": "add_remove",
    "SymmetricIdDistance": "add_remove",
    "FrameDistance": "add_remove",
    "ChangeOneDistance": "replace",
    "HammingDistance": "replace",
    "ChangeOneIdDistance": "replace",
    "DiscreteDistance": "replace",
}


def from_opendp(source: Any, d_in: Any = 1, *, neighbours: str | None = None) -> Mechanism:
    """The guarantee of an OpenDP measurement, or of one of its privacy profiles.

    source: a measurement, whose privacy map is asked at distance ``d_in`` (of one record: 1 for data sets; for scalars
    and vectors the sensitivity), or a ``PrivacyProfile``. neighbours: read from the measurement's input metric where
    that is one of data sets; to be given for others, ``"add_remove"`` unless said otherwise.

    OpenDP proves guarantees, not curves: pure epsilon, (epsilon, delta), rho (zCDP), or a profile, of which points are
    taken. Each is the worst that the guarantee allows, a pessimistic bound for the mechanism behind it, and says so.
    """
    if hasattr(source, "map") and hasattr(source, "output_measure"):
        measure, found = str(source.output_measure), _mapped(source, d_in)
        relation = neighbours or _relation(str(source.input_metric))
    elif hasattr(source, "delta") and callable(source.delta) and hasattr(source, "epsilon"):
        measure, found, relation = "SmoothedMaxDivergence", source, neighbours or "add_remove"
    else:
        remedy = "Pass a measurement made by opendp.measurements, or what its map returns as a profile."
        raise _validate.reject_type("source", "to be an OpenDP measurement or PrivacyProfile", source, remedy)
    _validate.one_of("neighbours", relation, ("add_remove", "replace"))
    return _guarantee(measure, found, relation)


def _mapped(measurement: Any, d_in: Any) -> Any:
    try:
        return measurement.map(d_in)
    except Exception as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        remedy = f"The input metric is {measurement.input_metric}."
        raise _validate.reject("d_in", f"to be a distance that the measurement maps ({said})", d_in, remedy) from None


def _relation(metric: str) -> str:
    return next((held for name, held in _METRICS.items() if metric.startswith(name)), "add_remove")


def _guarantee(measure: str, found: Any, relation: str) -> Mechanism:
    if measure == "MaxDivergence":
        return ApproximateDP(epsilon=found, neighbours=relation)
    if measure == "ZeroConcentratedDivergence":
        return ZeroConcentratedDP(rho=found, neighbours=relation)
    if measure == "Approximate(MaxDivergence)":
        return ApproximateDP(epsilon=found[0], delta=found[1], neighbours=relation)
    if measure == "Approximate(ZeroConcentratedDivergence)":
        made = ZeroConcentratedDP(rho=found[0], neighbours=relation)
        return made.fails_with(found[1]) if found[1] > 0 else made
    if measure in ("SmoothedMaxDivergence", "Approximate(SmoothedMaxDivergence)"):
        profile, delta = found if isinstance(found, tuple) else (found, 0.0)
        return _profile(profile, float(delta), relation)
    raise Undefined(
        f"The measure {measure} has no meaning here. Known: MaxDivergence, ZeroConcentratedDivergence, "
        "SmoothedMaxDivergence, and their approximate kinds."
    )


def _profile(profile: Any, extra: float, relation: str) -> Mechanism:
    """Points of the profile, each of which is a guarantee by itself."""

    def delta(epsilon: float) -> float:
        found = float(profile.delta(float(epsilon)))
        if math.isnan(found):
            raise _validate.reject("source", "to give a delta for every epsilon", found)
        return min(max(found + extra, 0.0), 1.0)

    top = 1.0
    while top < _MOST and delta(top) > max(_DEEP, extra * (1 + 1e-9)):
        top *= 1.5
    epsilons = np.linspace(0.0, top, _POINTS)
    deltas = np.array([delta(e) for e in epsilons])
    origin = f"pessimistic bound: {_POINTS} points of a privacy profile of OpenDP, the worst that they allow"
    return PrivacyProfile(epsilons=epsilons.tolist(), deltas=deltas.tolist(), origin=origin, neighbours=relation)
