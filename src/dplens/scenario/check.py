"""Validate files against the schema, with errors in the library's phrasing and with their place."""

from __future__ import annotations

import re
from typing import Any

from dplens import _validate
from dplens.describe.names import nearest, unknown
from dplens.describe.values import read_numbers
from dplens.scenario.source import Located, Path, ScenarioError

_KINDS = {
    "float_type": "to be a number",
    "int_type": "to be a whole number",
    "int_from_float": "to be a whole number",
    "string_type": "to be a text",
    "bool_type": "to be true or false",
    "list_type": "to be a list",
    "dict_type": "to be a mapping",
    "model_type": "to be a mapping",
    "model_attributes_type": "to be a mapping",
}


def checked(found: Located) -> dict[str, Any]:
    """The validated values of a file. If the schema rejects one, the error says where it is."""
    from pydantic import ValidationError

    from dplens.scenario.schema import scenario_model

    try:
        scenario_model(_names(found.data)).model_validate(found.data)
    except ValidationError:
        try:  # the whole schema lists the alternatives
            scenario_model().model_validate(found.data)
        except ValidationError as error:
            raise _worst(error.errors(include_url=False), found) from None
    return read_numbers(found.data)


def _names(value: Any) -> frozenset[str]:
    """Every name that a file uses for a mechanism, a question, a model or a test."""
    if isinstance(value, list):
        return frozenset().union(*map(_names, value))
    if not isinstance(value, dict):
        return frozenset()
    own = ((key, value.get(key)) for key in ("mechanism", "question", "model", "test"))
    found = frozenset(f"{key}:{name}" for key, name in own if isinstance(name, str))
    return found.union(*map(_names, value.values()))


def _worst(errors: list[Any], found: Located) -> ScenarioError:
    """The error to report: a misspelt key, from which others may follow, or else the first in the file."""
    located = [_located(e, found) for e in errors]
    misspelt = [t for t, e in zip(located, errors) if e["type"] == "extra_forbidden"]
    path, message = min(misspelt or located, key=lambda t: found.line(t[0]) or 0)
    return found.error(message, path)


def _located(error: Any, found: Located) -> tuple[Path, str]:
    """The place and the message of an error."""
    kind, path = error["type"], _path(error["loc"], found.data)
    name = str(path[-1]) if path else "the scenario"
    if path and isinstance(path[-1], int):
        name = "each entry"
    if kind == "extra_forbidden":
        known = _known(error["loc"][:-1])
        close = nearest(name, known)
        hint = f"Did you mean {close!r}?" if close else f"Known here: {', '.join(known)}."
        return path, f"Expected a known key, got {_short(name)}. {hint}"
    if kind == "missing":
        return path[:-1], f"Expected {name} to be given. It has no default."
    context = error.get("ctx", {})
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        key = context["discriminator"].strip("'")
        if kind == "union_tag_not_found":
            return path, f"Expected the key {key!r} to be given."
        tags = [t.strip(" '") for t in context["expected_tags"].split(",")]
        return (*path, key), str(unknown(key, context["tag"], tags))
    if kind == "literal_error":
        return path, f"Expected {name} to be {context['expected']}, got {_short(error['input'])}."
    if kind == "too_short":
        return path, f"Expected {name} to hold at least one entry."
    rule = _KINDS.get(kind, f"otherwise ({error['msg'][0].lower() + error['msg'][1:]})")
    return path, f"Expected {name} {rule}, got {_short(error['input'])}.{_hint(kind, error['input'])}"


def _hint(kind: str, value: Any) -> str:
    """How to write a number that was written in another form."""
    if kind not in ("float_type", "int_type"):
        return ""
    if isinstance(value, float) and value.is_integer():
        return " Write it in digits alone, without a point or an exponent."
    if isinstance(value, str) and value.strip().endswith("%"):
        return " Shares are written as numbers: 0.1 for 10 %."
    if isinstance(value, str) and re.fullmatch(r"[-+]?[\d.]+([eE][-+]?\d+)?", value.strip()):
        return " Write it without quotes."
    return ""


def _short(value: Any) -> str:
    text = _validate.shown(list(value) if isinstance(value, tuple) else value)  # lists are read as tuples
    return text if len(text) <= 60 else text[:57] + "..."


def _path(loc: tuple[Any, ...], data: Any) -> Path:
    """The place in the file, without the schema's names of alternatives."""
    path: list[Any] = []
    current = data
    for i, key in enumerate(loc):
        inside = (isinstance(current, dict) and key in current) or (isinstance(current, list) and isinstance(key, int))
        if inside:
            current = current[key]
            path.append(key)
        elif i == len(loc) - 1 and isinstance(current, dict) and isinstance(key, str):
            path.append(key)  # a key that is missing
    return tuple(path)


def _known(loc: tuple[Any, ...]) -> list[str]:
    """The keys that are known at a place of a file, given as the schema's own path."""
    from dplens.scenario.schema import scenario_model

    schema = scenario_model().model_json_schema()
    here: Any = schema
    for key in loc:
        here = _resolved(here, schema)
        if isinstance(key, int):
            here = here.get("items", here)
        elif key in here.get("properties", {}):
            here = here["properties"][key]
        else:  # an alternative by its tag
            mapping = here.get("discriminator", {}).get("mapping", {})
            here = {"$ref": mapping[key]} if key in mapping else here
    return sorted(_resolved(here, schema).get("properties", {}))


def _resolved(here: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema behind references, and without alternatives such as null or a number."""
    while True:
        if "$ref" in here:
            here = schema["$defs"][here["$ref"].rsplit("/", 1)[1]]
        elif "anyOf" in here:
            here = next((a for a in here["anyOf"] if a.get("type") != "null"), {})
        elif "oneOf" in here and "discriminator" not in here:  # a number, or a mapping with its source
            here = next((a for a in here["oneOf"] if "$ref" in a), {})
        else:
            return here
