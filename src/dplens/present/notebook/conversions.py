"""Outlines of conversions between notions of privacy, and of tables and curves of F-scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dplens.decide.comparison.conversions import ConversionCurves, Conversions, RenyiRoutes, Route
from dplens.decide.comparison.fscore import FScoreCurve, FScoreEntry, FScoreTable, PRCurve
from dplens.present.notebook.metrics import metrics_of
from dplens.present.notebook.names import brief
from dplens.present.notebook.outline import NEUTRAL, Outline, OutlineTable, Row
from dplens.present.rounding import given, number, percent
from dplens.registry import presents


@presents(Conversions, "outline")
class ConversionsOutline(Outline):
    """One release in every notion, and its worst case."""

    brief = ("epsilon", "delta", "mu", "zcdp", "advantage")

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(NEUTRAL, self.text("convert-failure", failure=self.result.failure.value))]

    def numbers(self) -> Sequence[Row]:
        it, told = self.result, self.text
        return [
            self.risk("epsilon", it.epsilon, label=told("convert-epsilon", delta=given(it.delta))),
            self.as_given("delta", it.delta),
            self.risk("pure_epsilon", it.pure_epsilon, label=told("convert-epsilon", delta=given(0.0))),
            self.risk("mu", it.mu, label=told("convert-mu")),
            self.risk("zcdp", it.zcdp, label=told("convert-zcdp")),
            self.risk("advantage", it.advantage, share=True, label=told("convert-advantage")),
            self.risk("auc", it.auc, share=True, label=told("convert-auc")),
        ]

    def tables(self) -> Sequence[OutlineTable]:
        it = self.result
        roc = [(percent(a), percent(p, 3)) for a, p in it.roc if 0 < a < 1]
        return [self.table(("fpr", "power"), roc)]


@presents(RenyiRoutes, "outline")
class RenyiRoutesOutline(Outline):
    """Epsilon by three ways, and what two of them lose."""

    def short(self) -> str:
        it = self.result
        ways = (("exact", it.profile), ("improved", it.improved.epsilon), ("standard", it.standard.epsilon))
        return f"epsilon at delta {given(it.delta)}: " + ", ".join(f"{name} {number(x)}" for name, x in ways)

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [
            self.as_given("delta", it.delta),
            self.risk("epsilon", it.profile),
            self.risk("epsilon_improved", it.improved.epsilon),
            self.risk("epsilon_standard", it.standard.epsilon),
            self.as_given("order_improved", it.improved.order),
            self.as_given("order_standard", it.standard.order),
        ]


@presents(Route, "outline")
class RouteOutline(Outline):
    """One conversion at its best order."""

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [self.risk("epsilon", it.epsilon), self.as_given("order", it.order), self.risk("loss", it.loss)]


class CurveOutline(Outline):
    """A curve by its points; some of them in the table."""

    def short(self) -> str:
        columns = self.columns()
        first, last = ({name: values[at] for name, values in columns.items()} for at in (0, -1))
        size = len(next(iter(columns.values())))
        spans = ", ".join(f"{name} {first[name]:.4g} to {last[name]:.4g}" for name in columns)
        return f"{size} points, {spans}"[:150]

    def numbers(self) -> Sequence[Row]:
        return ()

    def tables(self) -> Sequence[OutlineTable]:
        columns = self.columns()
        inner, *outer = columns.values()
        rows = [(given(float(f"{x:.6g}")), *map(number, values)) for x, *values in zip(inner, *outer)]
        return [self.table(tuple(columns), rows, thin=True)]

    def metrics(self) -> dict[str, float]:
        columns = self.columns()
        ends = {name: (min(values), max(values)) for name, values in columns.items()}
        named = [(f"{name}_{end}", x) for name, both in ends.items() for end, x in zip(("min", "max"), both)]
        return metrics_of([("points", len(next(iter(columns.values())))), *named])


@presents(ConversionCurves, "outline")
class ConversionCurvesOutline(CurveOutline):
    """Epsilon by three ways over a parameter."""

    def columns(self) -> dict[str, list[Any]]:
        it = self.result
        return {
            "value": [float(x) for x in it.values],
            "epsilon": [float(x) for x in it.profile],
            "epsilon_improved": list(it.improved),
            "epsilon_standard": list(it.standard),
        }


@presents(PRCurve, "outline")
class PRCurveOutline(CurveOutline):
    """Precision by recall."""

    def columns(self) -> dict[str, list[Any]]:
        return {"recall": list(self.result.recalls), "precision": list(map(float, self.result.precisions))}


@presents(FScoreCurve, "outline")
class FScoreCurveOutline(CurveOutline):
    """The F-score by the parameter."""

    def columns(self) -> dict[str, list[Any]]:
        return {"value": list(map(float, self.result.values)), "fscore": list(map(float, self.result.scores))}


@presents(FScoreEntry, "outline")
class FScoreEntryOutline(Outline):
    """The parameter under a bound on the F-score."""

    def name(self) -> str:
        return self.result.family

    def short(self) -> str:
        it = self.result
        value = "none" if it.value is None else given(float(f"{it.value:.6g}"))
        return f"{value} for an F-score of at most {given(it.bound)}, weight {given(it.weight)}"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(NEUTRAL, self.result.why)] if self.result.why else []

    def numbers(self) -> Sequence[Row]:
        it = self.result
        value = [] if it.value is None else [self.as_given("value", float(it.value))]
        achieved = [] if it.achieved is None else [self.risk("fscore", it.achieved)]
        return [*value, self.as_given("bound", it.bound), *achieved, self.risk("floor", it.floor)]


@presents(FScoreTable, "outline")
class FScoreTableOutline(Outline):
    """One row for every bound."""

    def short(self) -> str:
        families = dict.fromkeys(e.family for e in self.result.entries)
        return f"{len(self.result.entries)} entries for {brief(', '.join(families), 60)}"

    def numbers(self) -> Sequence[Row]:
        return ()

    def tables(self) -> Sequence[OutlineTable]:
        rows = [
            (e.family, given(e.weight), given(e.prior), given(e.bound), self._value(e)) for e in self.result.entries
        ]
        return [self.table(("family", "weight", "prior", "bound", "value"), rows)]

    def _value(self, entry: FScoreEntry) -> str:
        return "–" if entry.value is None else given(float(f"{entry.value:.6g}"))

    def metrics(self) -> dict[str, float]:
        return metrics_of(
            (f"{e.family}_weight_{given(e.weight)}_prior_{given(e.prior)}_bound_{given(e.bound)}", e.value)
            for e in self.result.entries
        )

    def columns(self) -> dict[str, list[Any]]:
        names = ("family", "weight", "prior", "bound", "value", "floor", "why")
        return {name: [getattr(e, name) for e in self.result.entries] for name in names}
