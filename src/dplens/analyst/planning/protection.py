"""The sensitivity of what is published, whether noise protects it, and the releases behind the plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.analyst.planning.noise_limits import NoiseFamily
from dplens.analyst.planning.sources import PlanningValue
from dplens.analyst.tests.base import AnalystTest
from dplens.analyst.tests.results import outwards
from dplens.errors import DplensError
from dplens.mechanisms.additive import Gaussian, Laplace
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import compose
from dplens.numerics.sharing import Shared, cached_property
from dplens.telling import Figure, Told


@dataclass(frozen=True)
class Spent:
    """Releases made for planning, which an attacker has seen, too.

    names: of the planning values. releases: the mechanism behind each of them. unrecorded: names of private estimates
    without a mechanism, whose privacy loss is unknown.
    """

    names: tuple[str, ...] = ()
    releases: tuple[Mechanism, ...] = ()
    unrecorded: tuple[str, ...] = ()

    def with_(self, mechanism: Any, neighbours: str) -> Any:
        """A mechanism composed with the earlier releases, if there are any."""
        alone = self.alone(neighbours)
        return mechanism if alone is None else compose(mechanism, alone)

    def alone(self, neighbours: str) -> Mechanism | None:
        """The composition of all earlier releases; None if there are none."""
        parts = [self._as(neighbours, r) for r in self.releases]
        return compose(*parts) if len(parts) > 1 else parts[0] if parts else None

    def unlike(self, mechanism: Any, neighbours: str) -> str | None:
        """Why a user's mechanism cannot be composed with the earlier releases, if it cannot.

        Alone, its sensitivity is all that matters; a composition needs a common relation of neighbours.
        """
        own = getattr(mechanism, "neighbours", neighbours)
        if not self.releases or own == neighbours:
            return None
        return Told("refused-neighbours", own=own, counted=neighbours, releases=self.told["releases"])

    def parted(self, name: str) -> tuple[Spent, Spent]:
        """The releases behind values of that name, and the others."""
        mine, others = (
            [pair for pair in zip(self.names, self.releases) if (pair[0] == name) is same] for same in (True, False)
        )
        first, second = (Spent(tuple(n for n, _ in some), tuple(r for _, r in some)) for some in (mine, others))
        return first, second

    def _as(self, neighbours: str, release: Mechanism) -> Mechanism:
        if neighbours == "replace":
            return release.as_replace()  # one record leaves and another comes
        if release.neighbours == "replace":
            raise _validate.reject(
                "neighbours",
                f"to be 'replace', as for the release of {_listed(dict.fromkeys(self.names))}",
                neighbours,
                "What it reveals about a record that is added or removed is not known, so it cannot be included.",
            )
        return release

    @property
    def told(self) -> dict[str, Any]:
        """What sentences about a release say of the earlier ones."""
        return {"spent": "yes" if self.releases else "no", "releases": list(dict.fromkeys(self.names))}

    def counted(self) -> tuple[str, ...]:
        """Sentences on which releases the attacker's numbers include and which they do not."""
        found = ()
        if self.releases:
            shown = _listed([repr(r) for r in self.releases])
            found = (Told("assume-counted", shown=shown, **self.told),)
        if self.unrecorded:
            count = "yes" if "n" in self.unrecorded else "no"
            found += (Told("assume-uncounted", releases=list(self.unrecorded), count=count),)
        return found


def spent_by(*tests: AnalystTest | None) -> Spent:
    """The releases behind the plans of some tests; a planning value they share counts once."""
    once: dict[int, tuple[str, PlanningValue]] = {}  # by identity, since two releases may give equal numbers
    for test in tests:
        for name, value in () if test is None else test.planning:
            once.setdefault(id(value), (name, value))
    released = [(name, v.release) for name, v in once.values() if v.release is not None]
    unrecorded = [name for name, v in once.values() if v.release is None and v.source == "private_estimate"]
    return Spent(tuple(n for n, _ in released), tuple(r for _, r in released), tuple(dict.fromkeys(unrecorded)))


def _listed(words: Any) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


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
        return Told("refused-sensitivity", own=Figure(outwards(own, -1, 6)), needed=Figure(enough), code=enough)
    return None


def unprotected(test: AnalystTest, mechanism: Any, neighbours: str) -> str | None:
    """Why a mechanism's curve does not cover everything that is published, if it does not.

    If one record changes several published numbers, the worst case of Laplace noise (L1 sensitivity) and Gaussian noise
    (L2 sensitivity) is a single number that takes the whole change. Staircase noise drops by e^epsilon at its steps
    even for a small change, so k numbers leak k·epsilon.
    """
    changed = test._numbers_changed(neighbours)
    if changed == 1 or isinstance(mechanism, (Gaussian, Laplace)):
        return None
    return Told("refused-several", count=changed)
