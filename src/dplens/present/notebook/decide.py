"""Outlines of decisions: calibrations, comparisons, conversions, doors and budgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dplens.decide.calibration.calibrate import Calibration
from dplens.decide.comparison.compare import Comparison, Ranked, Ranking
from dplens.decide.comparison.dominance import Relation
from dplens.decide.comparison.noise_error import NoiseError
from dplens.decide.doors.budget import BudgetSplit
from dplens.decide.doors.decision import Concession, Decision, NoiseRange, Option
from dplens.present.notebook import conversions  # noqa: F401 - outlines of the same room
from dplens.present.notebook.metrics import key_of, metrics_of
from dplens.present.notebook.names import brief, capitalised, exact, fitted, release_name
from dplens.present.notebook.outline import BROKEN, MET, NEUTRAL, Outline, OutlineTable, Row
from dplens.present.rounding import given, number, percent
from dplens.present.words.answers import answer_words, question_words
from dplens.registry import presents
from dplens.telling import Told


@presents(Calibration, "outline")
class CalibrationOutline(Outline):
    """The parameter, and the answers there beside their bounds."""

    def short(self) -> str:
        met = [
            f"{key_of(r.question)} {number(x, more_is_riskier=r.question.more_is_riskier)} "
            f"{'<=' if r.question.more_is_riskier else '>='} {given(r.bound)}"
            for r, x in zip(self.result.meet, self.result.achieved)
        ]
        return fitted([f"value {exact(self.result.value)}", *met], ", ", 130)

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(MET, self.text("verdict-kept", count=len(self.result.meet)))]

    def numbers(self) -> Sequence[Row]:
        it = self.result  # a rounded value might break a limit
        return [
            Row(self.label("value"), exact(it.value), "value", it.value),
            Row(self.label("mechanism"), release_name(it.mechanism)),
            self.as_given("evaluations", it.evaluations),
        ]

    def tables(self) -> Sequence[OutlineTable]:
        answered = zip(self.result.meet, self.result.achieved)
        rows = [(capitalised(self.limit(r)), answer_words(r.question, x)) for r, x in answered]
        return [self.table(("limit", "answer"), rows)]

    def estimates(self) -> Sequence[Row]:
        return [self.answer(r.question, x) for r, x in zip(self.result.meet, self.result.achieved)]

    def metrics(self) -> dict[str, float]:
        it = self.result
        achieved = [(key_of(r.question), x) for r, x in zip(it.meet, it.achieved)]
        return metrics_of([("value", it.value), ("evaluations", it.evaluations), *achieved])


@presents(Comparison, "outline")
class ComparisonOutline(Outline):
    """Which is safer, and what each costs."""

    def short(self) -> str:
        it = self.result
        answers = fitted([f"{number(x)}" for x in it.answers], ", ", 60)
        return f"{len(it.mechanisms)} mechanisms, {key_of(it.question)} {answers}"

    def _names(self) -> list[str]:
        return [release_name(m) for m in self.result.mechanisms]

    def verdicts(self) -> Sequence[tuple[str, str]]:
        names = self._names()
        said = []
        for r in self.result.relations[:6]:
            rates = list(dict.fromkeys(percent(x, 3) for x in r.crossings if 1e-12 < x < 1 - 1e-12))[:4]
            where = {"where": "some" if rates else "none", "rates": rates}
            said.append((NEUTRAL, self.text(f"compared-{r.kind}", a=names[r.first], b=names[r.second], **where)))
        return said

    def numbers(self) -> Sequence[Row]:
        return ()

    def tables(self) -> Sequence[OutlineTable]:
        it = self.result
        rows = [
            (name, answer_words(it.question, x), _variance(error), _variance(equal))
            for name, x, error, equal in zip(self._names(), it.answers, it.errors, it.equal_risk)
        ]
        heads = tuple(self.text(f"compared-head-{head}") for head in ("release", "answer", "variance", "equal"))
        caption = self.text("compared-by", question=question_words(it.question, self.text))
        return [OutlineTable(caption, heads, tuple(rows))]

    def estimates(self) -> Sequence[Row]:
        named = zip(self._names(), self.result.answers)
        return [replace(self.answer(self.result.question, x), label=name) for name, x in named]

    def metrics(self) -> dict[str, float]:
        it, key = self.result, key_of(self.result.question)
        named: list[tuple[str, Any]] = []
        for i, (answer, error, equal) in enumerate(zip(it.answers, it.errors, it.equal_risk)):
            named.append((f"{key}_{i + 1}", answer))
            named.append((f"variance_{i + 1}", error and error.variance))
            named.append((f"variance_at_equal_risk_{i + 1}", equal and equal.variance))
        return metrics_of(named)

    def columns(self) -> dict[str, list[Any]]:
        it = self.result
        return {
            "mechanism": self._names(),
            key_of(it.question): [float(x) for x in it.answers],
            "variance": [error and error.variance for error in it.errors],
            "variance_at_equal_risk": [error and error.variance for error in it.equal_risk],
            "answer_at_equal_variance": [None if x is None else float(x) for x in it.equal_variance],
        }


def _variance(error: NoiseError | None) -> Any:
    return given(float(f"{error.variance:.4g}")) if error else "–"


@presents(Relation, "outline")
class RelationOutline(Outline):
    """Which of two is safer."""

    def short(self) -> str:
        it = self.result
        places = fitted([f"{x:.4g}" for x in it.crossings], ", ", 60)
        return f"{it.first} is {it.kind}{f' at {places},' if places else ''} to {it.second}".replace(", to", " with")

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [
            self.as_given("first", it.first),
            self.as_given("second", it.second),
            Row(self.label("relation"), self.text(f"book-{it.kind}")),
            self.as_given("crossings", len(it.crossings)),
        ]


@presents(NoiseError, "outline")
class NoiseErrorOutline(Outline):
    """Variance, mean absolute error and 95 % interval."""

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [self.risk(name, getattr(it, name)) for name in ("variance", "mean_absolute", "interval")]


@presents(Ranked, "outline")
class RankedOutline(Outline):
    """A family with its parameter and error, or why it has none."""

    def name(self) -> str:
        return self.result.family

    def short(self) -> str:
        it = self.result
        return f"{given(float(it.fit.value))}, variance {number(it.error.variance)}" if it.fit and it.error else "none"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(NEUTRAL, self.result.why)] if self.result.why else []

    def numbers(self) -> Sequence[Row]:
        it = self.result
        rows = [self.as_given("value", float(it.fit.value))] if it.fit else []
        return [*rows, self.risk("variance", it.error.variance)] if it.error else rows


@presents(Ranking, "outline")
class RankingOutline(Outline):
    """Families by their error."""

    def short(self) -> str:
        first = next((e.family for e in self.result.entries if e.error is not None), "none")
        return f"{len(self.result.entries)} families by {self.result.by}, first {brief(first, 40)}"

    def numbers(self) -> Sequence[Row]:
        return ()

    def tables(self) -> Sequence[OutlineTable]:
        rows = [
            (e.family, given(float(f"{e.fit.value:.6g}")) if e.fit else "–", *self._error(e.error), brief(e.why, 120))
            for e in self.result.entries
        ]
        return [self.table(("family", "value", "variance", "mean_absolute", "interval", "why"), rows)]

    def _error(self, error: NoiseError | None) -> tuple[Any, ...]:
        return (number(error.variance), number(error.mean_absolute), number(error.interval)) if error else ("–",) * 3

    def metrics(self) -> dict[str, float]:
        return metrics_of(
            (f"{e.family}_{self.result.by}", getattr(e.error, self.result.by, None)) for e in self.result.entries
        )

    def columns(self) -> dict[str, list[Any]]:
        entries, names = self.result.entries, ("variance", "mean_absolute", "interval")
        return {
            "family": [e.family for e in entries],
            "value": [None if e.fit is None else float(e.fit.value) for e in entries],
            **{name: [getattr(e.error, name, None) for e in entries] for name in names},
            "why": [e.why for e in entries],
        }


@presents(NoiseRange, "outline")
class NoiseRangeOutline(Outline):
    """From the least to the most noise."""

    def short(self) -> str:
        it = self.result
        ends = f"{number(it.low)} to {number(it.high, more_is_riskier=False)}"
        return f"{it.parameter} {'empty, ' if it.empty else ''}{ends}"

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [
            Row(self.label("parameter"), it.parameter),
            self.risk("low", it.low),
            self.least("high", it.high),
            self.as_given("empty", it.empty),
        ]


@presents(Concession, "outline")
class ConcessionOutline(Outline):
    """What would have to change."""

    def short(self) -> str:
        it = self.result
        return f"{it.what} from {it.now:.6g} to {'nothing' if it.needed is None else f'{it.needed:.6g}'}"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(NEUTRAL, spoken(self.result.sentence, self.code))]

    def numbers(self) -> Sequence[Row]:
        needed = self.result.needed
        rows = [self.as_given("now", float(self.result.now))]
        return rows if needed is None else [*rows, self.as_given("needed", float(needed))]


@presents(Option, "outline")
class OptionOutline(Outline):
    """One family: the noise, what the attacker learns, what the analyst keeps."""

    def name(self) -> str:
        return self.result.family

    def short(self) -> str:
        it = self.result
        if not it.admissible:
            return "not admissible"
        noise = f"{it.parameter} {number(it.noise)}" if it.noise is not None else "admissible"
        return noise + (f", power {number(it.power, more_is_riskier=False)}" if it.power is not None else "")

    def verdicts(self) -> Sequence[tuple[str, str]]:
        it = self.result
        why = [] if it.admissible else [(BROKEN, self.text("choose-no", why=spoken(it.why, self.code)))]
        return why + [(NEUTRAL, spoken(said, self.code)) for said in (it.attacker, it.analyst) if said]

    def numbers(self) -> Sequence[Row]:
        it = self.result
        rows = [] if it.noise is None else [self.risk("noise", float(it.noise), label=it.parameter)]
        powers = [(name, getattr(it, name)) for name in ("power", "power_without_noise")]
        rows += [self.least(name, power, share=True) for name, power in powers if power is not None]
        return rows + [self.answer(question, answer) for question, answer in it.risks]


@presents(Decision, "outline")
class DecisionOutline(Outline):
    """The recommendation, its sentences, and every family."""

    def short(self) -> str:
        best = self.result.recommended
        if best is None:
            return f"{self.result.door}, no family serves"
        return f"{self.result.door}, {best.family} with {OptionOutline(best, self.code).short()}"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        it, best = self.result, self.result.recommended
        if best is not None:
            first, rest = (MET, self._recommended()), [best.attacker, best.analyst]
        else:
            first, rest = (BROKEN, self.text("book-no-family")), [*it.reasons, *(c.sentence for c in it.concessions)]
        return [first, *((NEUTRAL, spoken(said, self.code)) for said in rest if said)]

    def _recommended(self) -> str:
        best = self.result.recommended
        return self.text("book-recommended", family=best.family, parameter=best.parameter, amount=number(best.noise))

    def numbers(self) -> Sequence[Row]:
        return ()

    def tables(self) -> Sequence[OutlineTable]:
        rows = [
            (
                o.family,
                "–" if o.noise is None else f"{o.parameter} = {self.text.shown(number(o.noise))}",
                "–" if o.failure is None else self.text("choose-worst", failure=o.failure.value),
                "–" if o.power is None else self.least("power", o.power, share=True).text,
                self.text("choose-yes") if o.admissible else self.text("choose-no", why=spoken(o.why, self.code)),
            )
            for o in self.result.options
        ]
        heads = ("family", "noise", "worst", "power", "admissible")
        return [OutlineTable("", tuple(self.text(f"choose-head-{head}") for head in heads), tuple(rows))]

    def estimates(self) -> Sequence[Row]:
        return [
            replace(row, label=f"{o.family}: {row.label}")
            for o in self.result.options
            for row in OptionOutline(o, self.code).estimates()
        ]

    def metrics(self) -> dict[str, float]:
        best = self.result.recommended
        own = {} if best is None else OptionOutline(best, self.code).metrics()
        options = len(self.result.options)
        return metrics_of([("recommended", best is not None), ("families", options)]) | own

    def columns(self) -> dict[str, list[Any]]:
        options = self.result.options
        questions = dict.fromkeys(question for o in options for question, _ in o.risks)
        risks = [dict(o.risks) for o in options]
        return {
            "family": [o.family for o in options],
            "admissible": [o.admissible for o in options],
            "parameter": [o.parameter for o in options],
            "noise": [None if o.noise is None else float(o.noise) for o in options],
            "power": [None if o.power is None else float(o.power) for o in options],
            **{key_of(q): [float(r[q]) if q in r else None for r in risks] for q in questions},
        }


@presents(BudgetSplit, "outline")
class BudgetSplitOutline(Outline):
    """Each test's share, noise and power."""

    def short(self) -> str:
        powers = [number(p, more_is_riskier=False) for p in self.result.powers]
        return f"{len(self.result.mechanisms)} releases, powers {fitted(powers, ', ', 60)}"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return CalibrationOutline(self.result.fit, self.code).verdicts()

    def numbers(self) -> Sequence[Row]:
        return ()

    def tables(self) -> Sequence[OutlineTable]:
        it = self.result
        rows = [
            (str(i + 1), release_name(m), percent(w, 3), self.least("power", p, share=True).text)
            for i, (m, w, p) in enumerate(zip(it.mechanisms, it.weights, it.powers))
        ]
        split = self.table(("test", "mechanism", "weight", "power"), rows)
        return [split, *CalibrationOutline(it.fit, self.code).tables()]

    def estimates(self) -> Sequence[Row]:
        powers = [self.least("power", p, share=True) for p in self.result.powers]
        named = [replace(row, label=f"{row.label} {i + 1}") for i, row in enumerate(powers)]
        return [*CalibrationOutline(self.result.fit, self.code).estimates(), *named]

    def metrics(self) -> dict[str, float]:
        it = self.result
        each = enumerate(zip(it.powers, it.weights))
        named = [(f"{name}_{i + 1}", x) for i, both in each for name, x in zip(("power", "weight"), both)]
        return metrics_of(named) | metrics_of((key_of(r.question), x) for r, x in zip(it.fit.meet, it.fit.achieved))


def spoken(said: str, code: str) -> str:
    """A sentence of a result in a language, if it is known in more than one."""
    return said.words(code) if isinstance(said, Told) else said
