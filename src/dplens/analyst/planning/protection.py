"""What one record can change, and which noise hides it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.analyst.planning.noise_limits import NoiseFamily
from dplens.analyst.planning.spent import Spent, spent_by
from dplens.analyst.tests.base import AnalystTest
from dplens.analyst.tests.results import outwards
from dplens.errors import DplensError
from dplens.mechanisms.additive import Gaussian, Laplace
from dplens.numerics.sharing import Shared, cached_property


@dataclass(frozen=True)
class Sensitivity(Shared):
    """Of what is published: given, or what the analyst's bounds imply for these neighbours, else 1."""

    test: AnalystTest | None
    given: float | None
    neighbours: str

    def __post_init__(self) -> None:
        if self.given is not None:
            object.__setattr__(self, "given", _validate.positive("sensitivity", self.given))

    @property
    def known(self) -> bool:
        """Whether it was declared, in one way or the other."""
        return self.given is not None or (
            self.test is not None and self.test._sensitivity(1, self.neighbours, 1) is not None
        )

    def in_norm(self, norm: int) -> float:
        """The changes of several numbers summed (1) or as the root of their squares (2)."""
        if self.given is not None:
            return self.given
        return 1.0 if self.test is None else self.test.sensitivity_at(neighbours=self.neighbours, norm=norm)

    def of(self, kind: NoiseFamily) -> float:
        """In the norm that counts for a family of noise."""
        return self.in_norm(kind.norm)

    def make(self, kind: NoiseFamily, noise: float) -> Any:
        """A mechanism of the family."""
        return kind(noise, self.of(kind), self.neighbours)

    def seen(self, kind: NoiseFamily, noise: float) -> Any:
        """All that an attacker sees of it: the mechanism, and what the plan's values were read from."""
        return self.spent.with_(self.make(kind, noise), self.neighbours)

    @cached_property
    def spent(self) -> Spent:
        """What the plan has cost already."""
        return spent_by(self.test)

    def at(self, n: int) -> float:
        """What n records would make of it, as a factor."""
        if self.test is None:
            return 1.0
        try:
            return self.test.sensitivity_at(n, neighbours=self.neighbours) / self.test.sensitivity_at(
                neighbours=self.neighbours
            )
        except DplensError:  # given, and no bounds
            divided = self.test._kind.divided or getattr(self.test, "published", "") == "slope"
            return getattr(self.test, "n", n) / n if divided else 1.0


def refused(kind: NoiseFamily, size: Sensitivity, spent: Spent | None = None) -> str | None:
    """Why a family does not fit what is published, or what was before: by default for the plan of this test."""
    try:
        mechanism = size.make(kind, size.of(kind))
        if size.test is not None:
            size.test._accept(mechanism)
    except DplensError as error:
        return str(error)
    return (
        misdeclared(mechanism, size)
        or (size.test and unprotected(size.test, mechanism, size.neighbours))
        or (size.spent if spent is None else spent).unlike(mechanism, size.neighbours)
    )


def misdeclared(mechanism: Any, size: Sensitivity) -> str | None:
    """Why a mechanism that a user's function made is not one for what is published, if it is not."""
    own = getattr(mechanism, "sensitivity", None)
    if own is None or not size.known:
        return None
    needed = size.in_norm(2 if isinstance(mechanism, Gaussian) else 1)
    least = needed * (1 - 1e-12)
    if own < least:
        enough = outwards(least, +1, 6)  # rounded up: it must not be refused again
        return (
            f"It is made for a sensitivity of {outwards(own, -1, 6)}, and one record changes what is published by up "
            f"to {enough}: it would protect less than it says. Pass sensitivity={enough} to the mechanism."
        )
    return None


def unprotected(test: AnalystTest, mechanism: Any, neighbours: str) -> str | None:
    """Why a mechanism's curve does not hold for all that is published, if it does not.

    Where one record changes several published numbers, by no more than the sensitivity in sum, the curve of one number
    that takes all of it is the worst case for Laplace noise, and for Gaussian noise, where the sensitivity is the root
    of the sum of squares. A staircase drops by e^epsilon at its steps however little it is moved: on k numbers that is
    k·epsilon.
    """
    changed = test._numbers_changed(neighbours)
    if changed == 1 or isinstance(mechanism, (Gaussian, Laplace)):
        return None
    return (
        f"One record changes {changed} published numbers, and what this noise gives away of them together is more than "
        "of one. Use Gaussian or Laplace noise, or publish one number."
    )
