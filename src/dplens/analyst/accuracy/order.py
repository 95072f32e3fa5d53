"""Conclusions that survive the noise: which of two numbers is larger, and whether a number is positive."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dplens import _validate
from dplens.analyst.accuracy.base import Promise, complement, exactly, processed, published_noise, share
from dplens.analyst.laws.noise import FiniteNoise, Noise, WholeNoise, difference
from dplens.analyst.laws.published import SumTail, alone, reach_of, whole_table
from dplens.analyst.laws.tails import TailLaw, whole_tail
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.numerics.enclosure import float_above, float_below


def _kept(law: TailLaw, gap: float) -> Estimate:
    """P(noise < gap), for a gap > 0; a tie counts as lost."""
    x = exactly(gap)
    # on whole numbers noise < gap is noise ≤ ⌈gap⌉ − 1, so noise ≥ ⌈gap⌉ loses; tails take care of that
    low, high = (float(law.tail(np.array([place(x)]), 1)[i][0]) for i, place in enumerate((float_above, float_below)))
    return share(*complement((low, high)), law)


@dataclass(frozen=True, kw_only=True)
class SignKept(Promise):
    """A number whose true value is ``value`` > 0 is published as positive, with at least the given ``probability``.

    For a difference of two regions that is published as one number, it says that its sign is kept.

    >>> import dplens as dl
    >>> q = dl.Mean(bounds=(-1, 1), n=100)
    >>> print(f"{dl.SignKept(query=q, value=0.05, probability=0.9).of(q.release(dl.Laplace, scale=0.02)):.4f}")
    0.9590
    """

    value: float = field(metadata=_validate.checked(_validate.positive))

    def of(self, mechanism: Any) -> Estimate:
        _unprocessed(self)
        return _kept(alone(_reflected(published_noise(mechanism))), self.value)


@dataclass(frozen=True, kw_only=True)
class OrderKept(Promise):
    """Of two numbers that truly differ by ``difference`` > 0, the larger is published as the larger one.

    The promise, with at least the given ``probability``, is for two numbers of the query with independent noise. The
    answer is exact for Gaussian, Laplace, geometric and discrete Gaussian noise. A tie counts as lost.

    >>> import dplens as dl
    >>> q = dl.Histogram(cells=8)
    >>> print(f"{dl.OrderKept(query=q, difference=10, probability=0.9).of(q.release(dl.Gaussian, sigma=5.0)):.4f}")
    0.9214
    """

    difference: float = field(metadata=_validate.checked(_validate.positive))

    def of(self, mechanism: Any) -> Estimate:
        _unprocessed(self)
        if self.query.size == 1:
            raise Undefined("The query publishes one number, so there is no order to keep. Use SignKept.")
        return _kept(_difference_law(published_noise(mechanism)), self.difference)


def _unprocessed(requirement: Promise) -> None:
    steps = processed(requirement.query)
    if steps.shift or steps.one_sided or steps.adjusted:
        raise Undefined("Post-processing can make ties. State the requirement for the query without processing.")


def _reflected(noise: Noise) -> Noise:
    """The noise with its sign changed; noise with a density that is not symmetric about 0 is refused."""
    if isinstance(noise, FiniteNoise):
        return FiniteNoise(-noise.start - len(noise.masses) + 1, noise.masses[::-1])
    if getattr(noise, "at", 0.0) or (hasattr(noise, "mode") and getattr(noise, "mode", None) != (0.0, 0.0)):
        raise Undefined("The sign is known for noise that is symmetric about 0. Use Gaussian or Laplace noise.")
    return noise


def _difference_law(noise: Noise) -> TailLaw:
    """The law of the difference of two independent noises."""
    if isinstance(noise, WholeNoise):
        reach, missing = reach_of(noise)
        places = np.arange(-reach, reach + 1.0)
        return SumTail(places, noise.masses(reach), whole_tail(noise.lattice), missing=missing)
    if isinstance(noise, FiniteNoise):
        return whole_table(FiniteNoise(1 - len(noise.masses), np.convolve(noise.masses, noise.masses[::-1])))
    return alone(difference(noise, 1.0, 1.0))
