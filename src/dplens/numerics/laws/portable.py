"""Pickling of distributions, for copies and other processes."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np


class _Packer(pickle.Pickler):
    """Pickles SciPy's ``Normal`` by its parameters; by itself (as of SciPy 1.17) it unpickles as standard normal."""

    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        if kind.__name__ == "Normal" and kind.__module__.startswith("scipy.stats."):
            return _normal, (float(obj.mu), float(obj.sigma))
        return NotImplemented


class _Describer(_Packer):
    """Omits the state of random generators, which is not part of a law."""

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
    """The distribution as bytes, even if it contains a law that does not pickle correctly."""
    buffer = io.BytesIO()
    packer(buffer).dump(distribution)
    return buffer.getvalue()


def unpack(packed: bytes) -> Any:
    """The distribution from the bytes of ``pack``."""
    return pickle.loads(packed)


def fingerprint(distribution: Any) -> bytes | None:
    """Bytes that are equal for distributions created in the same way; ``None`` if that cannot be determined."""
    try:
        # pickle twice, so that strings shared with other objects do not matter
        return pack(unpack(pack(distribution, _Describer)), _Describer)
    except (AttributeError, TypeError, ValueError, pickle.PicklingError):
        return None
