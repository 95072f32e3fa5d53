"""Tests of the analyst as plain values."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from dplens import _validate
from dplens.analyst import tests
from dplens.analyst.planning.sources import PlanningValue
from dplens.analyst.tests.base import AnalystTest
from dplens.describe.names import check_keys, known, needed, tagged
from dplens.describe.releases import Opaque, read_release, write_release
from dplens.describe.values import read, written
from dplens.registry import TESTS, import_all

import_all(tests)

_HIDDEN = ("planning", "workers", "progress")  # computed, or not part of the plan


def test_keys(name: str) -> dict[str, Any]:
    """The arguments of a test, as dataclass fields by name."""
    return {f.name: f for f in fields(known("test", name, TESTS)) if f.name not in _HIDDEN and f.init}


def write_test(test: Any) -> dict[str, Any]:
    """A test with its plan, including known sources of values; other tests are written as their ``repr``."""
    name = TESTS.name_of(type(test))
    chance = getattr(test, "rng", None)
    sources = {name: _write_planned(value) for name, value in test.planning}
    if name is None or not (chance is None or isinstance(chance, (int, np.integer))):
        shown = {"test": "opaque", "shown": repr(test), "effect": written(test.effect), "level": written(test.level)}
        return shown | sources
    given = dict(test.planning)
    out: dict[str, Any] = {"test": name}
    for key, field in test_keys(name).items():
        value = getattr(test, key)
        if key == "sd2" and key in given and given[key] is given.get("sd"):
            continue  # it was left out, and is one value with one release when it is read again
        if key in sources:
            out[key] = sources[key]
        elif value is not None and not (type(value) is type(field.default) and value == field.default):
            out[key] = written(value if isinstance(value, (bool, int, float, str)) else np.asarray(value))
    return out


def _write_planned(planned: PlanningValue) -> dict[str, Any]:
    out = {"value": written(planned.value), "source": planned.source, "note": planned.note}
    if planned.confidence != 1:
        out["confidence"] = planned.confidence
    if planned.release is not None:
        out["release"] = write_release(planned.release)
    return out


def read_test(data: dict[str, Any]) -> AnalystTest:
    """The test that plain values describe; a number may be a mapping with value, source, note and release."""
    name, given = tagged("analyst", data, "test")
    keys = test_keys(name)
    given = {k: v for k, v in given.items() if v is not None}
    check_keys(f"the test {name}", given, keys, needed(keys), sorted(given))
    return TESTS[name](**{key: _planned(key, value) for key, value in given.items()})


_PLANNED = "value", "source", "note", "confidence", "release"


def _planned(key: str, value: Any) -> Any:
    if not isinstance(value, dict):
        return read(value)
    check_keys(key, value, _PLANNED, ())
    if "value" not in value:
        raise _validate.reject(key, "to be given a value", value)
    release = None if value.get("release") is None else read_release(value["release"])
    if isinstance(release, Opaque):
        release = None  # the decision then says that it is not counted
    return PlanningValue(**{k: read(v) for k, v in value.items() if k != "release"}, release=release)
