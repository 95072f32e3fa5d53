"""The same release with more or less noise, for pictures against noise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.combined import Failing, Grouped
from dplens.mechanisms.composed import DPSGD, Composed, Subsampled, compose

_NOISE: dict[type, str] = {
    Gaussian: "sigma",
    DiscreteGaussian: "sigma",
    Laplace: "scale",
    Geometric: "scale",
    DPSGD: "noise_multiplier",
}


def rescaled(mechanism: Any, factor: float) -> Mechanism | None:
    """The release with every noise parameter multiplied by ``factor``; None where some part has none.

    >>> import dplens as dl
    >>> rescaled(dl.Gaussian(sigma=2.0).repeat(3), 0.5) == dl.Gaussian(sigma=1.0).repeat(3)
    True
    """
    name = _NOISE.get(type(mechanism))
    if name is not None:
        more = {"epochs": None, "batch_size": None, "n": None} if isinstance(mechanism, DPSGD) else {}
        return replace(mechanism, **{name: getattr(mechanism, name) * factor}, **more)
    if isinstance(mechanism, Composed):
        parts = [(rescaled(part, factor), count) for part, count in mechanism.parts]
        found = [part.repeat(count) for part, count in parts if part is not None]
        return compose(*found) if found and len(found) == len(parts) else None
    if isinstance(mechanism, (Subsampled, Grouped, Failing)):
        inner = rescaled(mechanism.mechanism, factor)
        return None if inner is None else replace(mechanism, mechanism=inner)
    return None


def noise_parameter(mechanism: Any) -> tuple[str, float] | None:
    """The name and value of the one noise parameter of a release, None where it has none or several."""
    name = _NOISE.get(type(mechanism))
    if name is not None:
        return name, float(getattr(mechanism, name))
    if isinstance(mechanism, Composed):
        found = {noise_parameter(part) for part, _ in mechanism.parts}
        return found.pop() if len(found) == 1 else None
    if isinstance(mechanism, (Subsampled, Grouped, Failing)):
        return noise_parameter(mechanism.mechanism)
    return None
