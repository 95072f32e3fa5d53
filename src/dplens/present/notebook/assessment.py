"""Outlines of assessments, of their parts, and of changes between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dplens.assessment.audited import Audited
from dplens.assessment.changes import AnswerChange, Changes, InputChange
from dplens.assessment.records import AnalystAnswer, Answer, LimitVerdict
from dplens.assessment.result import Assessment
from dplens.present.notebook.metrics import key_of, metrics_of
from dplens.present.notebook.names import brief, capitalised
from dplens.present.notebook.outline import BROKEN, MET, NEUTRAL, OPEN, Outline, OutlineTable, Row
from dplens.present.rounding import given, number, share
from dplens.present.words.answers import answer_words, bound_words, question_words, verdict_key
from dplens.present.words.changes import verdict_on
from dplens.present.words.say import Voice
from dplens.registry import presents
from dplens.risk.base import Question
from dplens.risk.conversions import Epsilon
from dplens.risk.rates import Advantage, AttackPower


@presents(Assessment, "outline")
class AssessmentOutline(Outline):
    """The verdict, the main pair of numbers, the worst case, and the limits."""

    def __init__(self, result: Any, code: str | None = None) -> None:
        super().__init__(result, code)
        self.voice = Voice(result, self.code)

    def name(self) -> str:
        return self.result.title

    def short(self) -> str:
        made, delta = self.result, self.result.assumptions.delta
        epsilon = f"epsilon {number(made.answer(Epsilon(delta=delta)))} at delta {given(delta)}"
        required = self._required()
        met = f"{sum(required)} of {len(required)} limits met" if required else "no limits"
        refuted = ["refuted by an audit"] if made.refuted else []
        related = [f"with related records up to {number(made.related.bound)}"] if made.related else []
        return ", ".join([*refuted, met, epsilon, *related])

    def _required(self) -> list[bool]:
        """For every limit, and every power that the analyst needs, whether it is met."""
        made = self.result
        return [*(v.met for v in made.limits), *(a.met for a in made.analyst if a.min_power is not None)]

    def verdicts(self) -> Sequence[tuple[str, str]]:
        made, said = self.result, self.voice.verdict()
        broken = not all(v.met or v.open for v in made.limits) or not all(a.met for a in made.analyst)
        mark = OPEN if made.judged else NEUTRAL
        if made.refuted or (made.judged and broken):
            mark = BROKEN
        elif made.judged and made.passed:
            mark = MET
        # what is bad although every limit is met comes before the verdict, without a mark
        marks = [NEUTRAL] * (len(said) - 1) + [mark] if mark == MET else [mark] * len(said)
        rest = [self.voice.pair(self.voice.main), *self.voice.worst()]
        return [*zip(marks, said), *((NEUTRAL, sentence) for sentence in rest)]

    def numbers(self) -> Sequence[Row]:
        made, assumed = self.result, self.result.assumptions
        asked = (AttackPower(fpr=assumed.fpr), Advantage(), Epsilon(delta=assumed.delta))
        rows = [self.answer(q, made.answer(q), self.voice) for q in asked]
        if made.related is not None:  # what the publication alone allows would sound better than it is
            rows.append(self.risk("related_bound", made.related.bound, delta=given(made.related.delta)))
        return rows

    def tables(self) -> Sequence[OutlineTable]:
        found = [(v.met, self._limit(v)) for v in self.result.limits]
        found += [(a.met, self._power(i, a)) for i, a in enumerate(self.result.analyst) if a.min_power is not None]
        rows = [row for _, row in sorted(found, key=lambda one: one[0])]  # what is not met comes first
        return [self.table(("limit", "bound", "answer", "verdict"), rows, self.text("heading-limits"))]

    def _limit(self, verdict: LimitVerdict) -> tuple[Any, ...]:
        question, voice = verdict.requirement.question, self.voice
        asked = capitalised(question_words(question, voice if verdict.about == "release" else voice.on_related()))
        more = "yes" if question.more_is_riskier else "no"
        bound = self.text("book-limit-bound", more=more, bound=bound_words(question, verdict.requirement.bound))
        answer = answer_words(question, verdict.estimate, voice)
        return asked, bound, answer, self.text(f"book-verdict-{verdict_key(verdict, voice)}")

    def _power(self, i: int, answer: AnalystAnswer) -> tuple[Any, ...]:
        name = answer.name or self.text("test-number", number=i + 1)
        bound = self.text("book-limit-bound", more="no", bound=share(answer.min_power or 0.0))
        power = self.least("power", answer.power, share=True).text
        verdict = self.text(f"book-verdict-{'kept' if answer.met else 'exceeded'}")
        return capitalised(self.text("power-of", name=name)), bound, power, verdict

    def metrics(self) -> dict[str, float]:
        made, delta, required = self.result, self.result.assumptions.delta, self._required()
        named: list[tuple[str, Any]] = [
            ("passed", made.passed),
            ("refuted", made.refuted),
            ("limits_met", made.passed if required else None),
            ("limits_met_count", sum(required)),
            ("limits_count", len(required)),
            ("delta", delta),
            ("epsilon", made.answer(Epsilon(delta=delta))),
        ]
        named += [(key_of(a.question), a.estimate) for a in made.answers]
        if made.related is not None:
            named += [(f"related_{key_of(a.question)}", a.estimate) for a in made.related.worst.answers]
            named += [("related_leakage", made.related.worst.leakage), ("related_bound", made.related.bound)]
        for i, a in enumerate(made.analyst):
            which = a.name or f"test {i + 1}"
            named += [(f"power {which}", a.power), (f"power without noise {which}", a.power_without_noise)]
        for i, a in enumerate(made.audits):
            which = f"audit {a.name or i + 1}"
            named += [(f"{which} refuted", a.refuted), (f"{which} mu", a.mu), (f"{which} epsilon", a.epsilon)]
        return metrics_of(named)

    def columns(self) -> dict[str, list[Any]]:
        answers = self.result.answers
        return {
            "question": [key_of(a.question) for a in answers],
            "value": [float(a.estimate) for a in answers],
            "low": [a.estimate.low for a in answers],
            "high": [a.estimate.high for a in answers],
            "route": [a.route for a in answers],
        }


@presents(Answer, "outline")
class AnswerOutline(Outline):
    """A question, its answer and both ends of the bracket."""

    def short(self) -> str:
        question = self.result.question
        return f"{key_of(question)} {answer_words(question, self.result.estimate)}, {self.result.route}"

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [
            self.answer(it.question, it.estimate),
            self.as_given("low", it.estimate.low),
            self.as_given("high", it.estimate.high),
            self.as_given("route", it.route),
        ]


@presents(LimitVerdict, "outline")
class LimitVerdictOutline(Outline):
    """A limit, and whether it is kept."""

    def short(self) -> str:
        state = "met" if self.result.met else "not proved" if self.result.open else "broken"
        question = self.result.requirement.question
        return f"{key_of(question)} {answer_words(question, self.result.estimate)}, {state}"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        it = self.result
        mark, state = (MET, "kept") if it.met else (OPEN, "open") if it.open else (BROKEN, "exceeded")
        said = self.text(f"book-verdict-{state}").partition(" ")[2]
        return [(mark, f"{said}: {self.limit(it.requirement)}")]

    def numbers(self) -> Sequence[Row]:
        it = self.result
        bound = self.as_given("bound", float(it.requirement.bound), label=self.label("limit"))
        return [self.answer(it.requirement.question, it.estimate), bound, self.as_given("met", it.met)]


@presents(AnalystAnswer, "outline")
class AnalystAnswerOutline(Outline):
    """The power of a test, with and without the noise, and whether it is enough."""

    def name(self) -> str:
        return self.result.name

    def verdicts(self) -> Sequence[tuple[str, str]]:
        if self.result.min_power is None:
            return []
        bound = self.text("book-limit-bound", more="no", bound=share(self.result.min_power))
        state = "kept" if self.result.met else "exceeded"
        said = self.text(f"book-verdict-{state}").partition(" ")[2]
        return [(MET if self.result.met else BROKEN, f"{said}: {self.label('power')}, {bound}")]

    def numbers(self) -> Sequence[Row]:
        it = self.result
        powers = [self.least(name, getattr(it, name), share=True) for name in ("power", "power_without_noise")]
        return [*powers, self.as_given("effect", it.effect), self.as_given("level", it.level, share=True)]


@presents(Audited, "outline")
class AuditedPartOutline(Outline):
    """What a measured attack proves, and whether it refutes the claim."""

    brief = ("epsilon", "mu")

    def name(self) -> str:
        return self.result.name

    def short(self) -> str:
        return f"{self.result.verdict}, {super().short()}"

    def numbers(self) -> Sequence[Row]:
        it = self.result
        at_least = {name: self.label("at_least", what=name) for name in ("epsilon", "mu")}
        return [
            self.as_given("refuted", it.refuted),
            self.as_given("fpr", it.fpr, share=True),
            self.least("measured", it.measured, share=True),
            self.risk("claimed", it.claimed, share=True),
            *(self.least(name, getattr(it, name), label=label) for name, label in at_least.items()),
            self.as_given("confidence", it.confidence, share=True),
        ]


@presents(Changes, "outline")
class ChangesOutline(Outline):
    """Whether the risk rose or fell, and the answers before and after."""

    def __init__(self, result: Any, code: str | None = None) -> None:
        super().__init__(result, result.after.language if code is None else code)

    def short(self) -> str:
        it = self.result
        moved = sum(c.risk != "same" for c in (*it.answers, *it.related))
        alone = " by the descriptions alone" if it.reservations else ""
        return f"risk {it.risk}{alone}, {moved} answers and {len(it.inputs)} inputs changed"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(NEUTRAL, sentence) for sentence in verdict_on(self.result, self.code)]

    def numbers(self) -> Sequence[Row]:
        return ()

    def tables(self) -> Sequence[OutlineTable]:
        it, voice = self.result, Voice(self.result.after, self.code)
        inputs = [(c.place, *("–" if x is None else brief(x, 60) for x in (c.before, c.after))) for c in it.inputs]
        answers = [
            (capitalised(question_words(c.question, voice)), *(answer_words(c.question, x, voice) for x in ends))
            for c in it.answers
            if c.risk != "same"
            for ends in [(c.before, c.after)]
        ]
        return [
            self.table(("answer", "before", "after"), answers, ""),
            self.table(("input", "before", "after"), inputs, ""),
        ]

    def estimates(self) -> Sequence[Row]:
        moved = [c for c in self.result.answers if c.risk != "same"]
        return [row for c in moved for row in AnswerChangeOutline(c, self.code).estimates()]

    def metrics(self) -> dict[str, float]:
        it = self.result
        named: list[tuple[str, Any]] = [("risk_higher", it.risk in ("higher", "mixed")), ("inputs", len(it.inputs))]
        for c in it.answers:
            named += [(f"{key_of(c.question)}_before", c.before), (f"{key_of(c.question)}_after", c.after)]
        return metrics_of(named)

    def columns(self) -> dict[str, list[Any]]:
        answers = self.result.answers
        return {
            "question": [key_of(c.question) for c in answers],
            "before": [float(c.before) for c in answers],
            "after": [float(c.after) for c in answers],
            "risk": [c.risk for c in answers],
        }


@presents(AnswerChange, "outline")
class AnswerChangeOutline(Outline):
    """An answer before and after."""

    def short(self) -> str:
        question = self.result.question
        before, after = (answer_words(question, x) for x in (self.result.before, self.result.after))
        return f"{key_of(question)} {before} before, {after} after, risk {self.result.risk}"

    def numbers(self) -> Sequence[Row]:
        return [self._at(world, getattr(self.result, world)) for world in ("before", "after")]

    def _at(self, world: str, answer: Any) -> Row:
        question: Question = self.result.question
        words = f"{capitalised(question_words(question, self.text))} ({self.label(world)})"
        return Row(words, answer_words(question, answer), f"{key_of(question)}_{world}", float(answer), answer)


@presents(InputChange, "outline")
class InputChangeOutline(Outline):
    """An input before and after."""

    def name(self) -> str:
        return self.result.place

    def short(self) -> str:
        return f"{brief(self.result.before, 50)} before, {brief(self.result.after, 50)} after"

    def numbers(self) -> Sequence[Row]:
        return [Row(self.label(world), brief(getattr(self.result, world), 80)) for world in ("before", "after")]
