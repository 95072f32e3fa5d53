"""What a plan has cost before any noise is chosen: the releases that its values were read from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.analyst.tests.base import AnalystTest
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import compose


@dataclass(frozen=True)
class Spent:
    """Releases that were made to plan with; whoever sees what is published next has seen them, too.

    names: of the planning values. releases: what these were read from, one for each name. untold: names of private
    estimates that do not say what they were read from, so that nobody can count it in.
    """

    names: tuple[str, ...] = ()
    releases: tuple[Mechanism, ...] = ()
    untold: tuple[str, ...] = ()

    def with_(self, mechanism: Any, neighbours: str) -> Any:
        """A release about these neighbours together with those made before; itself where there were none."""
        alone = self.alone(neighbours)
        return mechanism if alone is None else compose(mechanism, alone)

    def alone(self, neighbours: str) -> Mechanism | None:
        """All of them together."""
        parts = [self._as(neighbours, r) for r in self.releases]
        return compose(*parts) if len(parts) > 1 else parts[0] if parts else None

    def unlike(self, mechanism: Any, neighbours: str) -> str | None:
        """Why a mechanism that a user's function made cannot be seen together with them, if it cannot.

        By itself its sensitivity is what counts, whatever its neighbours are called; in company all must mean the same.
        """
        own = getattr(mechanism, "neighbours", neighbours)
        if not self.releases or own == neighbours:
            return None
        return (
            f"It is made for neighbours={own!r}, and it is seen together with the release of {self.said}, which is "
            f"counted in for neighbours={neighbours!r}. Pass neighbours={neighbours!r} to the mechanism, with the "
            "sensitivity that goes with it."
        )

    def parted(self, name: str) -> tuple[Spent, Spent]:
        """What values of that name were read from, and what the others were."""
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
                f"to be 'replace', as for the release of {self.said}",
                neighbours,
                "What it gives away of a record that is added or removed is not known, so it cannot be counted in.",
            )
        return release

    @property
    def said(self) -> str:
        """The values that were released, as one would say it."""
        return _listed(dict.fromkeys(self.names)) if self.names else ""

    def told(self, sentence: str) -> str:
        """A sentence about a release, which is seen together with the earlier ones."""
        if not self.releases:
            return sentence
        return f"Together with the release of {self.said}, {sentence[0].lower()}{sentence[1:]}"

    def counted(self) -> tuple[str, ...]:
        """What the numbers about the attacker count in and what they do not, as sentences."""
        found = ()
        if self.releases:
            shown = _listed([repr(r) for r in self.releases])
            found = (f"What the release of {self.said} gave away, {shown}, is counted in: the attacker sees it, too.",)
        if self.untold:
            share = ", or plan a share for the count by split_budget(count_share=...)" if "n" in self.untold else ""
            said = (
                f"What the release of {_listed(self.untold)} gave away comes on top and is not in these numbers: the "
                f"plan does not say what it was. Pass PlanningValue(..., release=mechanism), as private_n does{share}."
            )
            found += (said,)
        return found


def spent_by(*tests: AnalystTest | None) -> Spent:
    """By the plans of some tests; one planning value in several of them is one release."""
    names, releases, untold = [], [], []
    for name, value in _once(t for t in tests if t is not None):
        if value.release is not None:
            names.append(name)
            releases.append(value.release)
        elif value.source == "private_estimate":
            untold.append(name)
    return Spent(tuple(names), tuple(releases), tuple(dict.fromkeys(untold)))


def _once(tests: Iterable[AnalystTest]) -> Iterable[tuple[str, Any]]:
    """Told apart by identity: equal numbers may come out of two releases, and then both were paid for."""
    seen: set[int] = set()
    for test in tests:
        for name, value in test.planning:
            if id(value) not in seen:
                seen.add(id(value))
                yield name, value


def _listed(words: Any) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
