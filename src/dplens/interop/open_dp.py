"""OpenDP measurements and privacy profiles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dplens import _validate
from dplens.errors import Undefined
from dplens.interop.dp_events import ORDERS
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.guarantees import ApproximateDP, PrivacyProfile, RenyiDP, ZeroConcentratedDP

# Metrics on data sets, by the relation of neighbours at distance 1.
_METRICS = {
    "add_remove": ("SymmetricDistance", "InsertDeleteDistance", "SymmetricIdDistance", "FrameDistance"),
    "replace": ("ChangeOneDistance", "HammingDistance", "ChangeOneIdDistance", "DiscreteDistance"),
}

_WORDS = {"add_remove": "added or removed", "replace": "replaced"}


def from_opendp(source: Any, d_in: Any = None, *, neighbours: str | None = None) -> Mechanism:
    """The guarantee of an OpenDP measurement, query or context, or of a privacy profile.

    source: a measurement, whose privacy map is evaluated at distance ``d_in`` (that of one record: 1 by default for
    data sets; the sensitivity, which must be given, for scalars and vectors); a query or a ``Context``, which know the
    distance of their privacy unit (a context stands for its whole budget); or a ``PrivacyProfile``. neighbours: taken
    from the input metric if it is one on data sets, otherwise ``"add_remove"`` by default. Replacing a record means
    removing one and adding another, a symmetric distance of 2; that distance is used for ``"replace"``, and for data of
    known size, where neighbours cannot differ in the number of records.

    OpenDP proves guarantees, not curves: pure epsilon, (epsilon, delta), rho (zCDP), a Rényi curve, or a profile, which
    is evaluated at many points. The result is the worst mechanism that the guarantee allows, a pessimistic bound for
    the actual one: profiles state this in the certificate of every number, assessments in their text.
    """
    source, unit = _measurement(source)
    if hasattr(source, "map") and hasattr(source, "output_measure"):
        if neighbours is not None:
            _validate.one_of("neighbours", neighbours, ("add_remove", "replace"))
        relation, distance = _relation_and_distance(source, d_in, unit, neighbours)
        measure, found = str(source.output_measure), _mapped(source, distance)
    elif hasattr(source, "delta") and callable(source.delta) and hasattr(source, "epsilon"):
        measure, found, relation = "SmoothedMaxDivergence", source, neighbours or "add_remove"
    else:
        remedy = "Pass a measurement made by opendp.measurements, a query, or what its map returns as a profile."
        raise _validate.reject_type("source", "to be an OpenDP measurement or PrivacyProfile", source, remedy)
    _validate.one_of("neighbours", relation, ("add_remove", "replace"))
    return _guarantee(measure, found, relation)


def _measurement(source: Any) -> tuple[Any, Any]:
    """The measurement behind a query or context, with the distance of its privacy unit."""
    if hasattr(type(source), "resolve"):
        held = object.__getattribute__(source, "__dict__")  # frame queries forward attribute access to Polars
        held = object.__getattribute__(held.get("_query", source), "__dict__")
        try:
            return source.resolve(), held.get("_d_in")
        except Exception as error:
            shown = _validate.Shown(str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__)
            raise _validate.reject("source", "to be a query that ends in a measurement", shown) from None
    if hasattr(source, "accountant") and hasattr(source, "d_in"):
        return source.accountant, source.d_in
    return source, None


def _relation_and_distance(measurement: Any, d_in: Any, unit: Any, neighbours: str | None) -> tuple[str, Any]:
    """The neighbouring relation and the input distance; refuses distances below that of neighbours.

    unit: the distance by which all records of one person change the data, None if unknown.
    """
    metric = str(measurement.input_metric)
    stated = next((relation for relation, names in _METRICS.items() if metric.startswith(names)), None)
    if stated is None:
        d_in = unit if d_in is None else d_in
        if d_in is None:
            remedy = "Pass d_in, the sensitivity: how far one record moves what the measurement is given."
            raise _validate.reject_type("d_in", f"to be a distance in the metric {metric}", d_in, remedy)
        return neighbours or "add_remove", d_in
    sized = stated == "add_remove" and "size=" in str(getattr(measurement, "input_domain", ""))
    relation = neighbours or ("replace" if sized else stated)
    if stated == "replace" and relation != stated:
        raise _validate.reject("neighbours", f"to be {stated!r}, as the input metric {metric} counts", neighbours)
    if sized and relation != "replace":
        remedy = "No two data sets of one size differ by one record more."
        raise _validate.reject("neighbours", "to be 'replace' for data of a known size", neighbours, remedy)
    least = 2 if stated == "add_remove" and relation == "replace" else 1
    records = 1 if unit is None else unit
    if d_in is None and (least == 1 or isinstance(records, int)):  # do not double bounds per group
        return relation, records if least == 1 else least * records
    if isinstance(d_in, (int, float)) and d_in < least:
        remedy = f"In the metric {metric} that is how far apart two neighbours are at least."
        raise _validate.reject("d_in", f">= {least} where records are {_WORDS[relation]}", d_in, remedy)
    return relation, d_in


def _mapped(measurement: Any, d_in: Any) -> Any:
    try:
        return measurement.map(d_in)
    except Exception as error:
        said = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        said = said if len(said) < 200 else f"{said[:80]} … {said[-80:]}"
        remedy = f"The input metric is {measurement.input_metric}."
        raise _validate.reject("d_in", f"to be a distance that the measurement maps ({said})", d_in, remedy) from None


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
    if measure == "RenyiDivergence":
        return RenyiDP(orders=ORDERS, epsilons=[float(found(order)) for order in ORDERS], neighbours=relation)
    if measure in ("SmoothedMaxDivergence", "Approximate(SmoothedMaxDivergence)"):
        profile, delta = found if isinstance(found, tuple) else (found, 0.0)
        return _profile(profile, float(delta), relation)
    raise Undefined(
        f"The measure {measure} has no meaning here. Known: MaxDivergence, ZeroConcentratedDivergence, "
        "SmoothedMaxDivergence, and their approximate kinds; RenyiDivergence."
    )


def _profile(profile: Any, extra: float, relation: str) -> Mechanism:
    """Points of the profile, each of which is a guarantee."""

    def delta(epsilon: float) -> float:
        found = float(profile.delta(float(epsilon)))
        if math.isnan(found):
            raise _validate.reject("source", "to give a delta for every epsilon", found)
        return min(max(found + extra, 0.0), 1.0)

    top, points = 1.0, 1000
    while top < 200 and delta(top) > max(1e-14, extra * (1 + 1e-9)):  # other libraries keep no smaller deltas
        top *= 1.5
    epsilons = np.linspace(0.0, top, points)
    deltas = np.array([delta(e) for e in epsilons])
    origin = f"pessimistic bound: {points} points of a privacy profile of OpenDP, the worst that they allow"
    return PrivacyProfile(epsilons=epsilons.tolist(), deltas=deltas.tolist(), origin=origin, neighbours=relation)
