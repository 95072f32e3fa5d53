"""The privacy a plan has already spent: the releases behind its planning values."""

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
        return (
            f"It is made for neighbours={own!r}, and it is seen together with the release of {self.said}, which is "
            f"counted in for neighbours={neighbours!r}. Pass neighbours={neighbours!r} to the mechanism, with the "
            "sensitivity that goes with it."
        )

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
                f"to be 'replace', as for the release of {self.said}",
                neighbours,
                "What it gives away of a record that is added or removed is not known, so it cannot be counted in.",
            )
        return release

    @property
    def said(self) -> str:
        """The names of the released values, in words."""
        return _listed(dict.fromkeys(self.names)) if self.names else ""

    def prefixed(self, sentence: str) -> str:
        """A sentence about a release, preceded by a mention of the earlier ones."""
        if not self.releases:
            return sentence
        return f"Together with the release of {self.said}, {sentence[0].lower()}{sentence[1:]}"

    def counted(self) -> tuple[str, ...]:
        """Sentences on which releases the attacker's numbers include and which they do not."""
        found = ()
        if self.releases:
            shown = _listed([repr(r) for r in self.releases])
            found = (f"What the release of {self.said} gave away, {shown}, is counted in: the attacker sees it, too.",)
        if self.unrecorded:
            share = ", or plan a share for the count by split_budget(count_share=...)" if "n" in self.unrecorded else ""
            said = (
                f"What the release of {_listed(self.unrecorded)} gave away comes on top and is not in these numbers: "
                "the plan does not say what it was. Pass PlanningValue(..., release=mechanism), as private_n "
                f"does{share}."
            )
            found += (said,)
        return found


def spent_by(*tests: AnalystTest | None) -> Spent:
    """The releases behind the plans of some tests; a planning value they share counts once."""
    names, releases, unrecorded = [], [], []
    for name, value in _once(t for t in tests if t is not None):
        if value.release is not None:
            names.append(name)
            releases.append(value.release)
        elif value.source == "private_estimate":
            unrecorded.append(name)
    return Spent(tuple(names), tuple(releases), tuple(dict.fromkeys(unrecorded)))


def _once(tests: Iterable[AnalystTest]) -> Iterable[tuple[str, Any]]:
    """Distinct planning values by identity, since two releases may give equal numbers."""
    seen: set[int] = set()
    for test in tests:
        for name, value in test.planning:
            if id(value) not in seen:
                seen.add(id(value))
                yield name, value


def _listed(words: Any) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
