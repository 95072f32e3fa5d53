"""The sensitivity of what is published, and whether noise protects it."""

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
    """The sensitivity of what is published: given, or implied by the test's bounds for these neighbours, else 1."""

    test: AnalystTest | None
    given: float | None
    neighbours: str

    def __post_init__(self) -> None:
        if self.given is not None:
            object.__setattr__(self, "given", _validate.positive("sensitivity", self.given))

    @property
    def known(self) -> bool:
        """Whether it was given or follows from bounds."""
        return self.given is not None or (
            self.test is not None and self.test._sensitivity(1, self.neighbours, 1) is not None
        )

    def in_norm(self, norm: int) -> float:
        """The sensitivity in the L1 or L2 norm over several numbers."""
        if self.given is not None:
            return self.given
        return 1.0 if self.test is None else self.test.sensitivity_at(neighbours=self.neighbours, norm=norm)

    def of(self, kind: NoiseFamily) -> float:
        """The sensitivity in the norm of a family of noise."""
        return self.in_norm(kind.norm)

    def make(self, kind: NoiseFamily, noise: float) -> Any:
        """A mechanism of the family."""
        return kind(noise, self.of(kind), self.neighbours)

    def seen(self, kind: NoiseFamily, noise: float) -> Any:
        """Everything an attacker sees: the mechanism composed with the releases behind the plan."""
        return self.spent.with_(self.make(kind, noise), self.neighbours)

    @cached_property
    def spent(self) -> Spent:
        """The releases behind the plan."""
        return spent_by(self.test)

    def at(self, n: int) -> float:
        """The factor by which the sensitivity changes with n records."""
        if self.test is None:
            return 1.0
        try:
            return self.test.sensitivity_at(n, neighbours=self.neighbours) / self.test.sensitivity_at(
                neighbours=self.neighbours
            )
        except DplensError:  # given, and no bounds
            divided = self.test._kind.divided or getattr(self.test, "published", "") == "slope"
            return self.test.n / n if divided else 1.0


def refused(kind: NoiseFamily, size: Sensitivity, spent: Spent | None = None) -> str | None:
    """Why a family does not fit what is published, or was published before (by default for this test's plan)."""
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
    """Why a user's mechanism has too small a sensitivity for what is published, if it has."""
    own = getattr(mechanism, "sensitivity", None)
    if own is None or not size.known:
        return None
    needed = size.in_norm(2 if isinstance(mechanism, Gaussian) else 1)
    least = needed * (1 - 1e-12)
    if own < least:
        enough = outwards(least, +1, 6)  # rounded up, so that it is accepted
        return (
            f"It is made for a sensitivity of {outwards(own, -1, 6)}, and one record changes what is published by up "
            f"to {enough}: it would protect less than it says. Pass sensitivity={enough} to the mechanism."
        )
    return None


def unprotected(test: AnalystTest, mechanism: Any, neighbours: str) -> str | None:
    """Why a mechanism's curve does not cover everything that is published, if it does not.

    If one record changes several published numbers, the worst case of Laplace noise (L1 sensitivity) and Gaussian noise
    (L2 sensitivity) is a single number that takes the whole change. Staircase noise drops by e^epsilon at its steps
    however small the change, so k numbers leak k·epsilon.
    """
    changed = test._numbers_changed(neighbours)
    if changed == 1 or isinstance(mechanism, (Gaussian, Laplace)):
        return None
    return (
        f"One record changes {changed} published numbers, and what this noise gives away of them together is more than "
        "of one. Use Gaussian or Laplace noise, or publish one number."
    )
