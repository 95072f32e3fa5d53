"""Distributions that survive being copied and sent to another process."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np


class _Packer(pickle.Pickler):
    """Pickles scipy's ``Normal`` by its parameters: its own way (as of SciPy 1.17) returns the standard normal law."""

    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        if kind.__name__ == "Normal" and kind.__module__.startswith("scipy.stats."):
            return _normal, (float(obj.mu), float(obj.sigma))
        return NotImplemented


class _Describer(_Packer):
    """Leaves out the state of random numbers, which is no part of a law."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, (np.random.RandomState, np.random.Generator)):
            return _no_chance, ()
        return super().reducer_override(obj)


def _no_chance() -> None:
    return None


def _normal(mu: float, sigma: float) -> Any:
    from scipy.stats import Normal  # pyright: ignore[reportAttributeAccessIssue]

    return Normal(mu=mu, sigma=sigma)


def pack(distribution: Any, packer: type[_Packer] = _Packer) -> bytes:
    """The distribution as bytes, however deep inside it a law is that pickles badly."""
    buffer = io.BytesIO()
    packer(buffer).dump(distribution)
    return buffer.getvalue()


def unpack(packed: bytes) -> Any:
    """The distribution that ``pack`` turned into bytes."""
    return pickle.loads(packed)


def fingerprint(distribution: Any) -> bytes | None:
    """What two distributions made alike have in common; ``None`` where one cannot tell."""
    try:
        # the second time, so that strings shared with other objects no longer matter
        return pack(unpack(pack(distribution, _Describer)), _Describer)
    except (AttributeError, TypeError, ValueError, pickle.PicklingError):
        return None
