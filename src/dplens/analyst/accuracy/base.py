"""The base class of accuracy requirements, and the law of the noise on each published number."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dplens import _validate
from dplens.analyst.laws.noise import Noise, noise_of
from dplens.analyst.laws.published import alone
from dplens.analyst.laws.tails import TailLaw
from dplens.errors import Undefined
from dplens.estimate import Certificate, Estimate
from dplens.mechanisms.combined import Failing
from dplens.mechanisms.composed import Composed
from dplens.mechanisms.guarantees import Exponential
from dplens.numerics.enclosure import float_above, float_below
from dplens.queries.base import Query, checked_query
from dplens.queries.parts import Disjoint
from dplens.queries.processing import ConsistentMargins, NonNegative, Rounding
from dplens.queries.suppression import Suppressed


@dataclass(frozen=True, kw_only=True)
class AccuracyRequirement(ABC):
    """Base class of promises on the accuracy of a query; each is a frozen dataclass with its ``query``."""

    query: Query = field(metadata=_validate.checked(checked_query))

    def __post_init__(self) -> None:
        _validate.check_fields(self)
        parts = self.query.parts.values() if isinstance(self.query, Disjoint) else ()
        if any(isinstance(query, Suppressed) for query in (self.query, *parts)):
            raise Undefined(
                "What is suppressed depends on the noise, so published counts are not the true ones plus noise. "
                "State the requirement for the table before suppression."
            )

    @abstractmethod
    def of(self, mechanism: Any) -> Estimate:
        """The answer for a release of the query: an ``Estimate`` at its safe end. ``None`` means no noise."""

    @abstractmethod
    def met_by(self, mechanism: Any) -> bool:
        """Whether the requirement provably holds."""


@dataclass(frozen=True, kw_only=True)
class Promise(AccuracyRequirement):
    """A requirement that something happens at least with a ``probability``; the answer is a lower bound on it."""

    probability: float = field(metadata=_validate.checked(_validate.open_probability))

    def met_by(self, mechanism: Any) -> bool:
        """Whether the probability provably is at least the required one."""
        return float(self.of(mechanism)) >= self.probability


def exactly(number: float) -> Fraction:
    """The decimal number that was typed, so that 0.29·100 is 29."""
    return Fraction(repr(float(number)))


def published_noise(mechanism: Any) -> Noise:
    """The noise that a release adds to each published number."""
    while isinstance(mechanism, Failing):
        mechanism = mechanism.mechanism
    if isinstance(mechanism, Composed):
        parts = {_without_sensitivity(part) for part, _ in mechanism.parts}
        if len(parts) > 1:
            raise Undefined(
                "The release adds different noise to different numbers. Ask for each part with its own mechanism."
            )
        mechanism = mechanism.parts[0][0] if mechanism.parts else None
    if isinstance(mechanism, Exponential):
        raise Undefined(
            "The exponential mechanism chooses an answer and adds no noise to it. For quantiles, use RankError."
        )
    return noise_of(mechanism)


def _without_sensitivity(part: Any) -> Any:
    """The noise of a release as a value that is equal for equal noise."""
    return replace(part, sensitivity=1) if hasattr(part, "sensitivity") else part


def law_of(mechanism: Any) -> TailLaw:
    """The law of the noise on each published number, by its tails."""
    return alone(published_noise(mechanism))


def outside(law: TailLaw, margin: Fraction, *, sides: tuple[int, ...] = (1, -1)) -> tuple[float, float]:
    """Both ends of P(abs(noise) > margin), or of one side of it; 0 ≤ margin."""
    ends = [0.0, 0.0]
    for sign in sides:
        if law.step is None:
            places = float_above(margin), float_below(margin)
        else:
            places = (float(math.floor(margin / exactly(law.step)) + 1) * law.step,) * 2
        for i, place in enumerate(places):
            ends[i] += float(law.tail(np.array([sign * place]), sign)[i][0])
    return max(ends[0] * (1 - 4e-16), 0.0), min(ends[1] * (1 + 4e-16), 1.0)


def share(low: float, high: float, law: TailLaw | None = None, note: str = "") -> Estimate:
    """An estimate of a probability at its lower end."""
    low, high = max(low, 0.0), min(max(high, low, 0.0), 1.0)
    route = law.route if law is not None else "exact"
    told = note or (law.note if law is not None else "")
    return Estimate(low, low=low, high=high, certificate=Certificate(route, high - low, told))


def complement(out: tuple[float, float]) -> tuple[float, float]:
    """Both ends of one minus a probability."""
    return max(1 - out[1] - 1.2e-16, 0.0), min(1 - out[0] + 1.2e-16, 1.0)


def all_of(out: tuple[float, float], count: int) -> tuple[float, float]:
    """Both ends of (1 − p)^count for a probability p."""
    found = []
    for p, sign in ((out[1], -1), (out[0], 1)):
        exponent = count * math.log1p(-p) if p < 1 else -math.inf
        found.append(math.exp(exponent) * (1 + sign * 4e-16 * (4 + abs(exponent))) if p < 1 else 0.0)
    return max(found[0], 0.0), min(found[1], 1.0)


@dataclass(frozen=True)
class Processed:
    """What post-processing does to errors.

    shift: the most that rounding adds to an error. one_sided: whether errors on one side may vanish, as negative
    results become 0. adjusted: whether margins are adjusted to each other, after which an error may only be smaller in
    law.
    """

    shift: Fraction
    one_sided: bool
    adjusted: bool

    @property
    def note(self) -> str:
        """What an answer's lower end rests on."""
        return "a lower bound: post-processing may lower errors further" if self.one_sided or self.adjusted else ""


def processed(query: Query) -> Processed:
    """What the query's post-processing does to errors, for the worst part of disjoint ones.

    Rounding to multiples of b moves a result by at most b/2. Replacing negative results by 0 never raises the error of
    a true value ≥ 0. Adjusting margins by least squares is the orthogonal projection of the noisy result on a linear
    space that holds the true one; what that does depends on the noise (``AllWithin``).
    """
    steps = query.processing
    if any(isinstance(step, ConsistentMargins) for step in steps[1:]):
        raise Undefined("Errors are not known if margins are adjusted after other steps. Put ConsistentMargins first.")
    shift = sum((exactly(step.base) / 2 for step in steps if isinstance(step, Rounding)), Fraction(0))
    known = (Rounding, NonNegative, ConsistentMargins)
    for step in steps:
        if not isinstance(step, known):
            raise Undefined(f"What {step} does to errors is not known. State the requirement without it.")
    kinds = {type(step) for step in steps}
    inner = [processed(part) for part in query.parts.values()] if isinstance(query, Disjoint) else []
    return Processed(
        shift + max((part.shift for part in inner), default=Fraction(0)),
        NonNegative in kinds or any(part.one_sided for part in inner),
        ConsistentMargins in kinds or any(part.adjusted for part in inner),
    )
