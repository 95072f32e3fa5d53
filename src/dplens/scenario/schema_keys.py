"""Which keys a scenario file may have at a place, for the nearest name of one that it may not."""

from __future__ import annotations

from typing import Any

from dplens.scenario.schema import scenario_model


def keys_at(loc: tuple[Any, ...]) -> list[str]:
    """The keys that are known at a place of a file, given as the schema's own path."""
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
    """Past references, and past "or nothing" and "or a number"."""
    while True:
        if "$ref" in here:
            here = schema["$defs"][here["$ref"].rsplit("/", 1)[1]]
        elif "anyOf" in here:
            here = next((a for a in here["anyOf"] if a.get("type") != "null"), {})
        elif "oneOf" in here and "discriminator" not in here:  # a number, or a mapping with its source
            here = next((a for a in here["oneOf"] if "$ref" in a), {})
        else:
            return here
