"""Numbers, tuples and arrays as values for JSON, YAML and TOML."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from dplens import _validate
from dplens.estimate import Certificate, Estimate

_NAMED = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def written(value: Any) -> Any:
    """A plain value: arrays and tuples as lists, infinities as the strings "inf" and "-inf"."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, np.ndarray):
        return written(value.tolist())
    if isinstance(value, dict):
        return {str(k): written(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [written(v) for v in value]
    raise _validate.reject_type("value", "to be a number, a text or a list of them", value)


def read(value: Any) -> Any:
    """What :func:`written` wrote, lists as tuples."""
    try:
        return read_numbers(value, tuple)
    except RecursionError:
        raise _validate.reject_type("value", "to be nested less deeply", value) from None


def read_numbers(value: Any, several: Callable[[Iterable[Any]], Any] = list) -> Any:
    """The same values with infinities as numbers."""
    if isinstance(value, str):
        return _NAMED.get(value, value)
    if isinstance(value, list):
        return several(read_numbers(v, several) for v in value)
    if isinstance(value, dict):
        return {k: read_numbers(v, several) for k, v in value.items()}
    return value


def write_estimate(estimate: Estimate) -> dict[str, Any]:
    """An estimate with both ends and its certificate."""
    out = {"value": written(float(estimate)), "low": written(estimate.low), "high": written(estimate.high)}
    certificate = estimate.certificate
    if certificate is not None:
        out["certificate"] = {
            "route": certificate.route,
            "tolerance": written(certificate.tolerance),
            "note": certificate.note,
            **({"why": certificate.why} if certificate.why else {}),
        }
    return out


def read_estimate(data: Any, name: str = "estimate") -> Estimate:
    """What :func:`write_estimate` wrote."""
    _validate.instance(name, data, dict, "to be a mapping with the keys value, low and high")
    value, low, high = (_number(f"{key} of {name}", data.get(key)) for key in ("value", "low", "high"))
    if not low <= value <= high:
        shown = _validate.Shown(f"value {value!r}, low {low!r} and high {high!r}")
        raise _validate.reject(name, "to have its value between low and high", shown)
    return Estimate(value, low=low, high=high, certificate=_certificate(data.get("certificate"), name))


def _certificate(data: Any, name: str) -> Certificate | None:
    if data is None:
        return None
    texts = ("route", "note")
    if not isinstance(data, dict) or not all(isinstance(data.get(key), str) for key in texts):
        rule = "to have the texts route and note, and a tolerance"
        raise _validate.reject_type(f"the certificate of {name}", rule, data)
    why = _validate.text(f"the why of {name}", data.get("why", ""))
    return Certificate(data["route"], _number(f"the tolerance of {name}", data.get("tolerance")), data["note"], why)


def _number(name: str, value: Any) -> float:
    """A number as :func:`written` writes it, infinities by their names; NaN is refused."""
    return _validate.real(name, read(value), "to be a number", lambda x: not math.isnan(x))
