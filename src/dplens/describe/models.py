"""Data models of related records as plain values."""

from __future__ import annotations

from dataclasses import Field, fields
from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated import models
from dplens.correlated.models.chains import MarkovData
from dplens.describe.names import check_keys, known, needed, tagged
from dplens.describe.values import read, written
from dplens.registry import MODELS, import_all

import_all(models)

_HIDDEN = ("rows", "homogeneous")  # computed


def model_keys(name: Any) -> dict[str, Field[Any]]:
    """The arguments of a model, as dataclass fields by name."""
    return {f.name: f for f in fields(known("data.model", name, MODELS)) if f.name not in _HIDDEN}


def write_model(model: Any) -> dict[str, Any]:
    """A data model with its parameters."""
    name = MODELS.name_of(type(model))
    if name is None:
        remedy = "Pass for instance dplens.DiscreteData(joint=[[.3, .2], [.2, .3]])."
        raise _validate.reject_type("data", "to be a data model", model, remedy)
    own = {key: getattr(model, key) for key in model_keys(name)}
    if isinstance(model, MarkovData):
        own["values"] = model.values[0]  # shared by all tuples
        if model.homogeneous and model.length and model.length > 1:
            own["transition"] = np.asarray(model.transition)[0]
        elif model.homogeneous:
            own["transition"] = np.eye(len(own["values"]))  # a chain of one tuple has no step
    return {"model": name, **{key: written(value) for key, value in own.items() if value is not None}}


def read_model(data: dict[str, Any]) -> Any:
    """The data model that plain values describe."""
    name, given = tagged("data", data, "model")
    keys = model_keys(name)
    check_keys(f"the model {name}", given, keys, needed(keys), sorted(given))
    return MODELS[name](**{k: read(v) for k, v in given.items()})
