"""Whether the fields of a record hold what they are declared to: records are also read from files that others wrote."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from dplens import _validate
from dplens.describe.values import read
from dplens.estimate import Estimate


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _validate.reject_type(name, "to be a text", value)
    return value


def _truth(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise _validate.reject_type(name, "to be true or false", value)
    return bool(value)


def _number(name: str, value: Any) -> float:
    return _validate.real(name, value, "to be a number", lambda x: not math.isnan(x))


def _count(name: str, value: Any) -> int:
    return _validate.count(name, value, 0)


def _estimate(name: str, value: Any) -> Estimate:
    if not isinstance(value, Estimate):
        raise _validate.reject_type(name, "to be an Estimate", value)
    return value


def _several(check: Callable[[str, Any], Any]) -> Callable[[str, Any], tuple[Any, ...]]:
    def checked(name: str, value: Any) -> tuple[Any, ...]:
        return tuple(check(f"{name}[{i}]", one) for i, one in enumerate(listed(name, value)))

    return checked


def _each(*checks: Callable[[str, Any], Any]) -> Callable[[str, Any], tuple[Any, ...]]:
    def checked(name: str, value: Any) -> tuple[Any, ...]:
        if len(listed(name, value)) != len(checks):
            raise _validate.reject(name, f"to hold {len(checks)} values", value)
        return tuple(check(f"{name}[{i}]", one) for i, (check, one) in enumerate(zip(checks, value)))

    return checked


def _or_none(check: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    return lambda name, value: None if value is None else check(name, value)


# What fields are declared as, by the words of the declaration.
_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "str": _text,
    "bool": _truth,
    "int": _count,
    "int | None": _or_none(_count),
    "float": _number,
    "float | None": _or_none(_number),
    "Estimate": _estimate,
    "tuple[str, ...]": _several(_text),
    "tuple[float, ...]": _several(_number),
    "tuple[tuple[int, float | None], ...]": _several(_each(_count, _or_none(_number))),
    "tuple[tuple[float, float, float, float], ...]": _several(_each(_number, _number, _number, _number)),
}


def check_fields(record: Any) -> None:
    """Refuses fields of a frozen dataclass that are not what they are declared as; lists become tuples."""
    for f in fields(record):
        check = _CHECKS.get(str(f.type))
        if check is not None:
            object.__setattr__(record, f.name, check(f.name, getattr(record, f.name)))


# ---- plain values ----------------------------------------------------------------------------------------------


def as_json(value: Any) -> str:
    """Plain values as the text that records keep; NaN and infinities are written by their names, not as numbers."""
    return json.dumps(value, allow_nan=False)


def digest(value: Any) -> str:
    """A short fingerprint of plain values: whatever the order of keys, and for 1 the same as for 1.0."""
    return hashlib.sha256(json.dumps(_whole(value), sort_keys=True).encode()).hexdigest()[:16]


def _whole(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _whole(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_whole(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def listed(name: str, value: Any) -> Any:
    """A list or tuple."""
    if not isinstance(value, (list, tuple)):
        raise _validate.reject_type(name, "to be a list", value)
    return value


def mapped(name: str, value: Any, keys: tuple[str, ...] = ()) -> dict[str, Any]:
    """A mapping that has these keys."""
    if not isinstance(value, Mapping):
        raise _validate.reject_type(name, "to be a mapping", value)
    missing = [key for key in keys if key not in value]
    if missing:
        raise _validate.reject(name, f"to have the key {missing[0]!r}", _validate.Shown(f"the keys {list(value)}"))
    return dict(value)


def of_kind(
    kind: type, name: str, value: Any, *, optional: tuple[str, ...] = (), more: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The values of a record: a mapping with every key of its class but those ``optional``, and only ``more`` besides.

    What was written is complete; a key that is missing was lost, and its default would stand for something else.
    """
    declared = {f.name: f for f in fields(kind)}
    found = mapped(name, value, tuple(key for key in declared if key not in optional))
    for key in found:
        if key not in declared and key not in more:
            raise _validate.reject(name, "to have known keys only", key, f"They are {', '.join((*declared, *more))}.")
    # a text may be "inf" and mean no number
    return {k: v if declared[k].type == "str" else read(v) for k, v in found.items() if k in declared}
