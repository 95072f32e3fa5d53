"""Known names and keys; for unknown ones, an error that suggests the nearest."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field
from typing import Any

from dplens import _validate
from dplens.errors import InvalidValue
from dplens.registry import Registry, load_plugins


def known(what: str, name: Any, registry: Registry, others: Iterable[str] = ()) -> Any:
    """The registered class of that name; the error for an unknown one suggests the nearest of all."""
    if isinstance(name, str) and name not in registry:
        load_plugins()
    if not isinstance(name, str) or name not in registry:
        raise unknown(what, name, (*registry, *others))
    return registry[name]


def tagged(what: str, data: Any, key: str) -> tuple[Any, dict[str, Any]]:
    """The name under ``key`` and the other entries of a mapping."""
    if not isinstance(data, dict) or key not in data:
        raise _validate.reject_type(what, f"to be a mapping with the key {key!r}", data)
    return data[key], {k: v for k, v in data.items() if k != key}


def needed(keys: Mapping[str, Field[Any]]) -> list[str]:
    """The fields without a default."""
    return [key for key, field in keys.items() if field.default is MISSING]


def unknown(
    what: str, name: object, known: Iterable[str], some: str = "Known: {}.", none: str = "There is none with a name."
) -> InvalidValue:
    """The error for an unknown name, with the nearest known one (raise what this returns)."""
    names = sorted(known)
    close = nearest(name, names)
    hint = f"Did you mean {close!r}?" if close else some.format(", ".join(names)) if names else none
    return _validate.reject(what, "to be a known name", name, hint)


def nearest(name: object, known: Iterable[str]) -> str | None:
    """The known name most similar to the given one, if any is similar."""
    text = str(name).strip().lower().replace("-", "_").replace(" ", "_")
    options = list(known)
    found = difflib.get_close_matches(text, options, n=1, cutoff=0.55)
    if found:
        return found[0]
    # a part of a name, or a name with something added: "normal_gaussian", "posterior_after"
    parts = [k for k in options if len(text) >= 3 and (k.startswith(text) or text.startswith(k))]
    return min(parts, key=len) if parts else None


def unknown_key(key: str, known: Any, where: str) -> InvalidValue:
    """The error for an unknown key."""
    return unknown(f"a key of {where}", key, known, "It has {}.", "It has no keys.")


def check_keys(name: str, given: Any, known: Iterable[str], needed: Iterable[str], shown: Any = None) -> None:
    """Refuse anything but a mapping with known keys and all the needed ones; an error shows ``shown`` if given."""
    _validate.instance(name, given, dict, "to be a mapping")
    for key in given:
        if key not in known:
            raise unknown_key(key, known, name)
    missing = [key for key in needed if key not in given]
    if missing:
        raise _validate.reject(name, f"to be given {' and '.join(missing)}", given if shown is None else shown)
