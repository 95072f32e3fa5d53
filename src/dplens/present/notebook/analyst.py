"""Outlines of the analyst's results: verdicts, intervals, power and solved designs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dplens.analyst.planning.many import MultiplePower, MultipleVerdict
from dplens.analyst.planning.power_frames import FondevilleFigure, Frame
from dplens.analyst.planning.solving import Solution
from dplens.analyst.tests.results import Interval, Verdict, digits_of
from dplens.present.notebook.metrics import metrics_of
from dplens.present.notebook.names import exact, fitted, several
from dplens.present.notebook.outline import NEUTRAL, SOME_ROWS, Outline, OutlineTable, Row
from dplens.present.rounding import ends, given, number
from dplens.registry import presents


@presents(Verdict, "outline")
class VerdictOutline(Outline):
    """The sentence for readers, the p-value and the interval."""

    def short(self) -> str:
        said = "rejected" if self.result.reject else "not rejected"
        return f"{said}, p-value at most {number(self.result.p_value)} at level {given(self.result.level)}"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        said = self.result.sentence
        return [(NEUTRAL, said.words(self.code) if hasattr(said, "words") else said)]

    def numbers(self) -> Sequence[Row]:
        it = self.result
        rows = [
            self.as_given("reject", it.reject),
            self.risk("p_value", it.p_value),
            self.as_given("level", it.level, share=True),
        ]
        if it.interval is not None:
            rows += IntervalOutline(it.interval, self.code).numbers()
        return rows


@presents(Interval, "outline")
class IntervalOutline(Outline):
    """Both ends, rounded outwards, and the confidence."""

    def short(self) -> str:
        low, high = ends(self.result.low, self.result.high, digits_of(self.result))
        return f"{low} to {high} at confidence {given(self.result.confidence)}"

    def numbers(self) -> Sequence[Row]:
        it, (low, high) = self.result, ends(self.result.low, self.result.high, digits_of(self.result))
        return [
            Row(self.label("low"), low, "low", it.low),
            Row(self.label("high"), high, "high", it.high),
            self.as_given("confidence", it.confidence, share=True),
        ]


@presents(Solution, "outline")
class SolutionOutline(Outline):
    """The unknown and the power that is reached."""

    def numbers(self) -> Sequence[Row]:
        it = self.result  # with a rounded value the power might be lower
        return [
            Row(it.unknown, exact(it.value), it.unknown, it.value),
            self.least("power", it.power, share=True),
        ]


@presents(MultiplePower, "outline")
class MultiplePowerOutline(Outline):
    """The chance of finding any or all of the effects, and the power of each test."""

    def numbers(self) -> Sequence[Row]:
        it = self.result
        rows = [self.least("any", it.any, share=True), self.least("all", it.all, share=True)]
        if it.false_alarms is not None:
            rows.append(self.risk("false_alarms", it.false_alarms, share=True))
        return rows

    def tables(self) -> Sequence[OutlineTable]:
        rows = [
            (str(i + 1), *(self.least("power", x, share=True).text for x in both))
            for i, both in enumerate(zip(self.result.each, self.result.guaranteed))
        ]
        return [self.table(("test", "power", "guaranteed"), rows)]

    def metrics(self) -> dict[str, float]:
        each = enumerate(zip(self.result.each, self.result.guaranteed))
        named = [(f"{name}_{i + 1}", x) for i, both in each for name, x in zip(("power", "guaranteed"), both)]
        return super().metrics() | metrics_of(named)


@presents(MultipleVerdict, "outline")
class MultipleVerdictOutline(Outline):
    """How many hypotheses are rejected, and each p-value."""

    def short(self) -> str:
        return f"{sum(self.result.reject)} of {len(self.result.reject)} rejected"

    def numbers(self) -> Sequence[Row]:
        return [self.as_given("rejected", sum(self.result.reject)), self.as_given("tests", len(self.result.reject))]

    def tables(self) -> Sequence[OutlineTable]:
        it = self.result
        rows = [
            (str(i + 1), number(p), number(adjusted), self.text("book-yes" if reject else "book-no"))
            for i, (p, adjusted, reject) in enumerate(zip(it.p_values, it.adjusted, it.reject))
        ]
        return [self.table(("test", "p_value", "adjusted", "reject"), rows)]


@presents(Frame, "outline")
class FrameOutline(Outline):
    """The columns, and rows from the whole table."""

    def name(self) -> str:
        return self.result.caption

    def short(self) -> str:
        names = fitted(list(self.result.columns), ", ", 80)
        return f"{len(self.result)} rows of {names}"

    def numbers(self) -> Sequence[Row]:
        return ()

    def tables(self) -> Sequence[OutlineTable]:
        whole = list(zip(*self.result.columns.values()))
        rows = [tuple(self.as_given("", value).text for value in row) for row in several(whole, SOME_ROWS)]
        return [OutlineTable("", tuple(self.result.columns), tuple(rows), len(whole))]

    def columns(self) -> dict[str, list[Any]]:
        return {name: list(values) for name, values in self.result.columns.items()}


@presents(FondevilleFigure, "outline")
class FondevilleFigureOutline(Outline):
    """Its two tables."""

    def short(self) -> str:
        return f"power of {len(self.result.power)} rows, roc of {len(self.result.roc)} rows"

    def numbers(self) -> Sequence[Row]:
        tables = {name: getattr(self.result, name) for name in ("power", "roc")}
        return [Row(name, f"{len(table)} × {len(table.columns)}") for name, table in tables.items()]
