"""Data models of related records as plain values."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated.discrete import DiscreteData
from dplens.correlated.gaussian import GaussianData
from dplens.correlated.gaussian_chain import GaussianChain
from dplens.correlated.markov import MarkovData
from dplens.describe.names import check_keys, unknown
from dplens.describe.values import read, written

MODELS: dict[str, type[Any]] = {
    "discrete": DiscreteData,
    "markov": MarkovData,
    "gaussian": GaussianData,
    "gaussian_chain": GaussianChain,
}
_HIDDEN = ("rows", "homogeneous")  # worked out, not given


def model_keys(name: str) -> tuple[str, ...]:
    """The arguments of a model."""
    if name not in MODELS:
        raise unknown("data.model", name, MODELS)
    return tuple(f.name for f in fields(MODELS[name]) if f.name not in _HIDDEN)


def write_model(model: Any) -> dict[str, Any]:
    """A data model with its parameters."""
    names = [name for name, kind in MODELS.items() if type(model) is kind]
    if not names:
        remedy = "Pass for instance dplens.DiscreteData(joint=[[.3, .2], [.2, .3]])."
        raise _validate.reject_type("data", "to be a data model", model, remedy)
    own = {key: getattr(model, key) for key in model_keys(names[0])}
    if isinstance(model, MarkovData):
        own["values"] = model.values[0]  # shared by all tuples
        if model.homogeneous and model.length and model.length > 1:
            own["transition"] = np.asarray(model.transition)[0]
        elif model.homogeneous:
            own["transition"] = np.eye(len(own["values"]))  # a chain of one tuple has no step
    return {"model": names[0], **{key: written(value) for key, value in own.items() if value is not None}}


def read_model(data: dict[str, Any]) -> Any:
    """The data model that plain values describe."""
    if not isinstance(data, dict) or "model" not in data:
        raise _validate.reject_type("data", "to be a mapping with the key 'model'", data)
    name = data["model"]
    given = {k: v for k, v in data.items() if k != "model"}
    known = model_keys(name)
    needed = {"discrete": "joint", "markov": "initial transition", "gaussian": "covariance"}
    check_keys(f"the model {name}", given, known, needed.get(name, "correlations").split(), sorted(given))
    return MODELS[name](**{k: read(v) for k, v in given.items()})
