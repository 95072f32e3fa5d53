"""What a plan has cost before any noise is chosen: the releases that its values were read from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import compose
from dplens.utility.base import AnalystTest


@dataclass(frozen=True)
class Spent:
    """Releases that were made to plan with; whoever sees what is published next has seen them, too.

    names: of the planning values. releases: what these were read from. untold: names of private estimates that do not
    say what they were read from, so that nobody can count it in.
    """

    names: tuple[str, ...] = ()
    releases: tuple[Mechanism, ...] = ()
    untold: tuple[str, ...] = ()

    def with_(self, mechanism: Any) -> Any:
        """A release together with those that were made before; itself where there were none."""
        if not self.releases:
            return mechanism
        relation = getattr(mechanism, "neighbours", None)
        return compose(mechanism, *(self._as(relation, r) for r in self.releases))

    def alone(self, neighbours: str) -> Mechanism | None:
        """All of them together."""
        parts = [self._as(neighbours, r) for r in self.releases]
        return compose(*parts) if len(parts) > 1 else parts[0] if parts else None

    def _as(self, neighbours: str | None, release: Mechanism) -> Mechanism:
        if neighbours == "replace":
            return release.as_replace()  # one record leaves and another comes
        if release.neighbours == "replace" and neighbours == "add_remove":
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
        return _listed(self.names) if self.names else ""

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
    return Spent(tuple(dict.fromkeys(names)), tuple(releases), tuple(dict.fromkeys(untold)))


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
