"""Outlines of audits: what attacks prove, verdicts on claims, and plans. Lower bounds are rounded down."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dplens.auditing.measured import Audit, Least, Refutation
from dplens.auditing.one_run import OneRunAudit
from dplens.auditing.planning import AuditPlan
from dplens.auditing.runs import Runs
from dplens.present.notebook.names import release_name
from dplens.present.notebook.outline import BROKEN, NEUTRAL, Outline, Row
from dplens.present.rounding import given, number, percent
from dplens.registry import presents
from dplens.telling import Figure, Told

_RATE = 0.01  # of false alarms, at which the verdict quotes what an attack identifies


class AuditedOutline(Outline):
    """What an attack proves, with its notes."""

    def verdicts(self) -> Sequence[tuple[str, str]]:
        notes = (note.words(self.code) if isinstance(note, Told) else note for note in self.result.notes)
        return [(NEUTRAL, self._proved()), *((NEUTRAL, note) for note in notes)]

    def _proved(self) -> str:
        """The main bound in a sentence."""
        kind, least = self._main()
        confidence = percent(self.result.confidence, 6, more_is_riskier=False)
        return self.text("document-proved", kind=kind, least=least, confidence=confidence, rate=percent(_RATE))

    @abstractmethod
    def _main(self) -> tuple[str, str]:
        """What the main bound is about, as the text names it, and the bound."""


@presents(Audit, "outline")
class AuditOutline(AuditedOutline):
    """The bounds, and the scores they rest on."""

    brief = ("mu", "epsilon")

    def name(self) -> str:
        return self.result.source

    def short(self) -> str:
        it = self.result
        bounds = ", ".join(f"{r.key} at least {r.text}" for r in self._bounds()[:2])
        return f"{bounds} at confidence {given(it.confidence)}, {it.n_in} + {it.n_out} scores"

    def _main(self) -> tuple[str, str]:
        return ("power" if self.result.power(_RATE) > _RATE else "nothing"), self._identified().text

    def _identified(self) -> Row:
        what = self.text("book-identified-at", rate=percent(_RATE))
        power = self.result.power(_RATE)
        return self.least("power_fpr_0_01", power, share=True, label=self.label("at_least", what=what))

    def _bounds(self) -> list[Row]:
        it, names = self.result, ("mu", "epsilon", "advantage")
        what = {name: self.label("at_least", what=self.label(name)) for name in names}
        return [self.least(name, getattr(it, name), share=name == "advantage", label=what[name]) for name in names]

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [
            *self._bounds(),
            self._identified(),
            self.as_given("n_in", it.n_in),
            self.as_given("n_out", it.n_out),
        ]

    def columns(self) -> dict[str, list[Any]]:
        return {name: values.tolist() for name, values in self.result.roc().items()}


@presents(OneRunAudit, "outline")
class OneRunAuditOutline(AuditedOutline):
    """The bounds, and the guesses they rest on."""

    def short(self) -> str:
        it = self.result
        bound = f"epsilon at least {number(it.epsilon, more_is_riskier=False)} at confidence {given(it.confidence)}"
        return f"{bound}, {it.correct} of {it.guesses} guesses right"

    def _main(self) -> tuple[str, str]:
        return ("epsilon" if self.result.epsilon > 0 else "nothing"), number(self.result.epsilon, more_is_riskier=False)

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [
            self.least("epsilon", it.epsilon, label=self.label("at_least", what="epsilon")),
            self.least("mu", it.mu, label=self.label("at_least", what="mu")),
            self.as_given("correct", it.correct),
            self.as_given("guesses", it.guesses),
            self.as_given("canaries", it.canaries),
        ]


@presents(Refutation, "outline")
class RefutationOutline(Outline):
    """The verdict in sentences, and the two powers that differ."""

    def name(self) -> str:
        return self.result.claim.replace("neighbours='add_remove', ", "").replace("sensitivity=1.0, ", "")

    def short(self) -> str:
        it = self.result
        measured, claimed = percent(it.measured, 4, more_is_riskier=False), percent(it.claimed, 4)
        return f"{it.verdict}, measured {measured}, claimed {claimed}"

    def verdicts(self) -> Sequence[tuple[str, str]]:
        return [(BROKEN if self.result.refuted else NEUTRAL, self.result.words(language=self.code))]

    def numbers(self) -> Sequence[Row]:
        it = self.result
        rate = self.as_given("fpr", it.fpr, share=True)
        told = rate if math.isnan(it.fpr) else replace(rate, text=Figure(f"{100 * it.fpr:.4g} %"))  # as in the sentence
        return [
            self.as_given("refuted", it.refuted),
            told,
            self.least("measured", it.measured, share=True),
            self.risk("claimed", it.claimed, share=True),
            self.as_given("confidence", it.confidence, share=True),
        ]


@presents(Least, "outline")
class LeastOutline(Outline):
    """The smallest parameter that explains the measurement."""

    def name(self) -> str:
        return self.result.family

    def short(self) -> str:
        return f"{self.result.parameter} at least {number(self.result.value, 4, more_is_riskier=False)}"

    def numbers(self) -> Sequence[Row]:
        it = self.result
        label = self.label("at_least", what=it.parameter)
        return [
            self.least(it.parameter, it.value, label=label),
            Row(self.label("mechanism"), release_name(it.mechanism)),
        ]


@presents(AuditPlan, "outline")
class AuditPlanOutline(Outline):
    """How many scores or canaries are needed."""

    brief = ("n", "power", "confidence")

    def numbers(self) -> Sequence[Row]:
        it = self.result
        rows = [self.as_given("n", it.n), self.least("power", it.power, share=True)]
        if it.guesses:
            rows += [self.as_given("guesses", it.guesses), self.as_given("accuracy", it.accuracy, share=True)]
        else:
            rows += [self.as_given("runs", it.runs), self.as_given("fpr", it.fpr, share=True)]
        return [*rows, self.as_given("confidence", it.confidence, share=True)]


@presents(Runs, "outline")
class RunsOutline(Outline):
    """How many runs are finished."""

    def short(self) -> str:
        return f"{self.result.done} of {2 * self.result.n} runs finished"

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [self.as_given("done", it.done), self.as_given("runs", 2 * it.n), self.as_given("seed", it.seed)]
