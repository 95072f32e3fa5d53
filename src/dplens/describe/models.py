"""Data models of related records as plain values."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated.models import discrete, gaussian, gaussian_chain
from dplens.correlated.models.markov import MarkovData
from dplens.describe.names import check_keys, known
from dplens.describe.values import read, written
from dplens.registry import MODELS

__all__ = ["discrete", "gaussian", "gaussian_chain"]  # imported so that their models are known

_HIDDEN = ("rows", "homogeneous")  # worked out, not given


def model_keys(name: str) -> tuple[str, ...]:
    """The arguments of a model."""
    return tuple(f.name for f in fields(known("data.model", name, MODELS)) if f.name not in _HIDDEN)


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
    if not isinstance(data, dict) or "model" not in data:
        raise _validate.reject_type("data", "to be a mapping with the key 'model'", data)
    name = data["model"]
    given = {k: v for k, v in data.items() if k != "model"}
    keys, kind = model_keys(name), known("data.model", name, MODELS)
    needed = [f.name for f in fields(kind) if f.name in keys and f.default is MISSING]
    check_keys(f"the model {name}", given, keys, needed, sorted(given))
    return kind(**{k: read(v) for k, v in given.items()})
