"""Outlines of what attackers learn from related records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dplens.correlated.frameworks import Frameworks, Inequality
from dplens.correlated.models.graph import KnowledgeGraph
from dplens.correlated.search.worst import Worst
from dplens.correlated.views.base import View
from dplens.present.notebook.metrics import metrics_of
from dplens.present.notebook.names import release_name
from dplens.present.notebook.outline import BROKEN, MET, NEUTRAL, Outline, OutlineTable, Row
from dplens.present.rounding import given, number
from dplens.registry import presents


def _known(known: Any, tuples: str = "tuples") -> str:
    """The indices of known tuples, of many how many there are."""
    found = sorted(known) if known else []
    return f"{len(found)} {tuples}" if len(found) > 8 else "[" + ", ".join(map(str, found)) + "]"


@presents(Worst, "outline")
class WorstOutline(Outline):
    """Who is worst, what they learn, and whether others may learn more."""

    def short(self) -> str:
        it = self.result
        gain = (
            f"epsilon {number(it.epsilon)} at delta {given(it.delta)}" if it.delta else f"leakage {number(it.leakage)}"
        )
        return f"{gain}, target {it.target}, known {_known(it.known)}, {it.attackers} attackers compared"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        key = "book-worst-exhaustive" if self.result.exhaustive else "book-worst-open"
        return [(NEUTRAL, self.text(key, bound=number(self.result.bound), compared=f"{self.result.attackers:,}"))]

    def numbers(self) -> Sequence[Row]:
        it = self.result
        at_delta = [self.risk("epsilon", it.epsilon), self.as_given("delta", it.delta)] if it.delta else []
        return [
            self.risk("leakage", it.leakage),
            *at_delta,
            self.risk("bound", it.bound),
            self.as_given("target", it.target),
            Row(self.label("known"), _known(it.known, self.label("tuples")) if it.known else self.text("changed-none")),
            self.as_given("attackers", it.attackers),
        ]

    def tables(self) -> Sequence[OutlineTable]:
        rows = [(str(k), number(epsilon)) for k, epsilon in enumerate(self.result.by_known)]
        return [self.table(("others_known", "epsilon"), rows, thin=True)]

    def metrics(self) -> dict[str, float]:
        return super().metrics() | metrics_of([("exhaustive", self.result.exhaustive), ("delta", self.result.delta)])


@presents(View, "outline")
class ViewOutline(Outline):
    """One attacker, and the leakage; ``repr`` does not work it out."""

    def short(self) -> str:
        it = self.result
        pair = f", pair {it.pair}" if it.pair else ""
        return f"target {it.target}, known {_known(it.known)}{pair}, {_released(it.mechanism)}"

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [
            self.risk("leakage", it.leakage()),
            self.as_given("target", it.target),
            Row(self.label("known"), _known(it.known, self.label("tuples")) if it.known else self.text("changed-none")),
            Row(self.label("mechanism"), _released(it.mechanism)),
            self.as_given("determined", it.determined),
        ]


def _released(mechanism: Any) -> str:
    """The release, or several of them."""
    several = mechanism if isinstance(mechanism, (list, tuple)) else [mechanism]
    return ", ".join(map(release_name, several[:3])) + (", …" if len(several) > 3 else "")


@presents(Frameworks, "outline")
class FrameworksOutline(Outline):
    """The epsilon of each notion, and the inequalities that fail."""

    brief = ("dp", "dependent")

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(BROKEN, self.text("book-inequality-fails", claim=x.claim)) for x in self.result.failed]

    def numbers(self) -> Sequence[Row]:
        it = self.result
        names = (
            *("dp", "dependent", "inferential", "bayesian", "pufferfish", "blowfish"),
            *("membership", "mutual_information", "group"),
        )
        return [self.risk(name, getattr(it, name)) for name in names if getattr(it, name) is not None]

    def metrics(self) -> dict[str, float]:
        it = self.result
        return super().metrics() | metrics_of(
            [("independent", it.independent), ("inequalities_failed", len(it.failed))]
        )


@presents(Inequality, "outline")
class InequalityOutline(Outline):
    """A published inequality and both of its sides."""

    def name(self) -> str:
        return self.result.claim

    def short(self) -> str:
        it = self.result
        return f"{'holds' if it.holds else 'fails'}, {it.left:.4g} and {it.right:.4g}"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        holds = self.result.holds
        return [(MET if holds else BROKEN, self.text("book-holds" if holds else "book-fails"))]

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [
            self.as_given("left", float(it.left)),
            self.as_given("right", float(it.right)),
            self.as_given("holds", it.holds),
        ]


@presents(KnowledgeGraph, "outline")
class KnowledgeGraphOutline(Outline):
    """How many attackers there are; ``repr`` does not search them."""

    def short(self) -> str:
        return f"{self.result.n} tuples, {self.result.count:,} attackers{', fast' if self.result.fast else ''}"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(NEUTRAL, self.text("book-no-bound"))]

    def numbers(self) -> Sequence[Row]:
        it = self.result
        rows = [self.as_given("tuples", it.n), self.as_given("attackers", it.count)]
        if it.count > 2**12:  # the search would take long
            return rows
        value, target, known = it.worst
        found = Row(self.label("known"), _known(known) if known else self.text("changed-none"))
        return [*rows, self.risk("value", value), self.as_given("target", target), found]
