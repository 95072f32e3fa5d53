"""Records whose fields are checked: they are also read from files that someone may have changed."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from dplens import _validate
from dplens.describe.values import read, read_estimate, write_estimate, written
from dplens.estimate import Estimate
from dplens.registry import snake

if TYPE_CHECKING:
    from typing_extensions import Self

Check = Callable[[str, Any], Any]
Json = str  # plain values as JSON text


def _number(name: str, value: Any) -> float:
    return _validate.real(name, value, "to be a number", lambda x: not math.isnan(x))


def _count(name: str, value: Any) -> int:
    return _validate.count(name, value, 0)


def _several(check: Check) -> Check:
    return lambda name, value: tuple(check(f"{name}[{i}]", one) for i, one in enumerate(listed(name, value)))


def _each(*checks: Check) -> Check:
    def checked(name: str, value: Any) -> tuple[Any, ...]:
        if len(listed(name, value)) != len(checks):
            raise _validate.reject(name, f"to hold {len(checks)} values", value)
        return tuple(check(f"{name}[{i}]", one) for i, (check, one) in enumerate(zip(checks, value)))

    return checked


def _or_none(check: Check) -> Check:
    return lambda name, value: None if value is None else check(name, value)


# How to check a field, by its annotation. Fields with other annotations are left as they are.
_CHECKS: dict[str, Check] = {
    "str": _validate.text,
    "bool": lambda name, value: bool(_validate.instance(name, value, (bool, np.bool_), "to be true or false")),
    "int": _count,
    "int | None": _or_none(_count),
    "float": _number,
    "float | None": _or_none(_number),
    "Estimate": lambda name, value: _validate.instance(name, value, Estimate, "to be an Estimate"),
    "tuple[str, ...]": _several(_validate.text),
    "tuple[float, ...]": _several(_number),
    "tuple[tuple[int, float | None], ...]": _several(_each(_count, _or_none(_number))),
    "tuple[tuple[float, float, float, float], ...]": _several(_each(_number, _number, _number, _number)),
}


_KINDS: dict[str, type[Record]] = {}  # classes of records by name, as annotations have them


@dataclass(frozen=True)
class Record:
    """Base of frozen dataclasses whose fields are checked, written as plain values and read back.

    Fields annotated as ``Json`` hold JSON text and are written as the values in it; a subclass reads these itself.
    """

    def __init_subclass__(cls) -> None:
        _KINDS[cls.__name__] = cls

    def __post_init__(self) -> None:
        for f in fields(self):
            check = _CHECKS.get(str(f.type))
            if check is not None:
                object.__setattr__(self, f.name, check(f.name, getattr(self, f.name)))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        values = ((f, getattr(self, f.name)) for f in fields(self))
        return {f.name: json.loads(value) if f.type == "Json" else _plain(value) for f, value in values}

    @classmethod
    def _values(cls, data: Any, *, optional: tuple[str, ...] = (), more: tuple[str, ...] = ()) -> dict[str, Any]:
        """The arguments in ``data``, which must have every field except those ``optional``, and no key but ``more``.

        A missing key was lost: its default would stand for something else.
        """
        name = snake(cls.__name__)
        declared = {f.name: str(f.type) for f in fields(cls)}
        found = mapped(name, data, tuple(key for key in declared if key not in optional))
        for key in found:
            if key not in declared and key not in more:
                remedy = f"They are {', '.join((*declared, *more))}."
                raise _validate.reject(name, "to have known keys only", key, remedy)
        return {key: read_field(declared[key], key, value) for key, value in found.items() if key in declared}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """What :meth:`to_dict` wrote."""
        return cls(**cls._values(data))


def _plain(value: Any) -> Any:
    if isinstance(value, Estimate):
        return write_estimate(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value.to_dict() if hasattr(value, "to_dict") else written(value)


def read_field(declared: str, name: str, value: Any) -> Any:
    """A field from plain values, by its annotation."""
    kind = _KINDS.get(declared.removeprefix("tuple[").removesuffix(", ...]").removesuffix(" | None"))
    if kind is not None and declared.startswith("tuple["):
        return tuple(kind.from_dict(one) for one in listed(name, value))
    if kind is not None:
        return None if value is None and declared.endswith("| None") else kind.from_dict(mapped(name, value))
    if declared in ("str", "tuple[str, ...]", "Json"):  # a text may be "inf" and mean no number
        return value
    return read_estimate(value, name) if declared == "Estimate" else read(value)


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
    return _validate.instance(name, value, (list, tuple), "to be a list")


def mapped(name: str, value: Any, keys: tuple[str, ...] = ()) -> dict[str, Any]:
    """A mapping that has these keys."""
    _validate.instance(name, value, Mapping, "to be a mapping")
    missing = [key for key in keys if key not in value]
    if missing:
        raise _validate.reject(name, f"to have the key {missing[0]!r}", _validate.Shown(f"the keys {list(value)}"))
    return dict(value)
