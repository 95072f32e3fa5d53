"""Releases as plain data, shared by dplens and its peers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import dplens as dl

ORDERS = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 128.0, 256.0)


@dataclass(frozen=True)
class Part:
    """One kind of release, repeated ``count`` times with independent noise.

    size: the noise (sigma, scale), or the guaranteed epsilon, mu or rho. rate: the probability that a record is
    included. more: a second parameter, if the kind has one (categories, delta, degrees of freedom).
    """

    kind: str
    size: float
    count: int = 1
    rate: float = 1.0
    sensitivity: int = 1
    more: float = 0.0


@dataclass(frozen=True)
class Setting:
    """Everything that one deployment releases about a record.

    neighbours: as in dplens; with ``"replace"``, samples are drawn without replacement. group: the number of records in
    a group. as_replace: stated for adding or removing a record, converted to replacing one.
    """

    family: str
    name: str
    parts: tuple[Part, ...]
    delta: float = 1e-6
    neighbours: str = "add_remove"
    group: int = 1
    as_replace: bool = False

    @property
    def local(self) -> bool:
        """Whether people randomise their own answers. Secret sampling needs a curator, so it is never local."""
        return any(part.kind == "response" for part in self.parts) and all(part.rate == 1 for part in self.parts)

    def mechanism(self) -> dl.Mechanism:
        """Build the mechanism."""
        made = [release(part, self.neighbours) for part in self.parts]
        whole = made[0] if len(made) == 1 else dl.compose(*made)
        if self.as_replace:
            whole = whole.as_replace()
        return whole if self.group == 1 else whole.group(self.group)


def release(part: Part, neighbours: str = "add_remove") -> dl.Mechanism:
    """The dplens mechanism for the part."""
    if part.kind == "training":
        return dl.DPSGD(noise_multiplier=part.size, sample_rate=part.rate, steps=part.count)
    made = _single(part, neighbours)
    if part.rate < 1:
        made = made.subsample(part.rate, "poisson" if neighbours == "add_remove" else "without_replacement")
    return made.repeat(part.count)


def _single(part: Part, neighbours: str) -> dl.Mechanism:
    size, noise = part.size, {"sensitivity": part.sensitivity, "neighbours": neighbours}
    match part.kind:
        case "gaussian":
            return dl.Gaussian(sigma=size, **noise)
        case "laplace":
            return dl.Laplace(scale=size, **noise)
        case "geometric":
            return dl.Geometric(scale=size, **noise)
        case "discrete gaussian":
            return dl.DiscreteGaussian(sigma=size, **noise)
        case "student" | "logistic" | "cauchy":
            return dl.AdditiveNoise(noise=_law(part), **noise)
        case "staircase":
            return dl.Staircase(epsilon=size, **noise)
        case "response":
            return dl.RandomizedResponse(epsilon=size, categories=int(part.more or 2), neighbours=neighbours)
        case "exponential":
            return dl.Exponential(epsilon=size, neighbours=neighbours)
        case "guarantee":
            return dl.ApproximateDP(epsilon=size, delta=part.more, neighbours=neighbours)
        case "gdp":
            return dl.GaussianDP(mu=size, neighbours=neighbours)
        case "zcdp":
            return dl.ZeroConcentratedDP(rho=size, neighbours=neighbours)
        case "renyi":
            return dl.RenyiDP(orders=ORDERS, epsilons=renyi_bounds(part), neighbours=neighbours)
        case "uniform sampling":
            return dl.UniformSampling(mu=size, n=int(part.more), neighbours="replace")
    raise ValueError(f"no release of kind {part.kind!r}")


def _law(part: Part) -> Any:
    from scipy import stats

    if part.kind == "student":
        return stats.t(part.more, scale=part.size)
    return getattr(stats, part.kind)(scale=part.size)


def renyi_bounds(part: Part) -> list[float]:
    """Rényi bounds that grow as for Gaussian noise up to one order and much faster beyond it, as after sampling."""
    return [part.size * order * max(1.0, (order / part.more) ** 2) for order in ORDERS]
