"""Documents of audits: what an attack proves, whether it refutes a claim, and how many scores are needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from dplens.assessment.audited import Audited
from dplens.auditing.measured import Audit, Refutation
from dplens.auditing.one_run import OneRunAudit
from dplens.auditing.planning import AuditPlan
from dplens.present.notebook.auditing import RefutationOutline
from dplens.present.report.document import Mark, Section, Verdict
from dplens.present.report.kinds.result import Pages, Pictured, text_of
from dplens.present.words.sections import audit_assumes
from dplens.registry import presents
from dplens.telling import Told

WORDS = ("fpr", "power", "curve", "epsilon", "advantage")

_DECLARED = ("note-fixed",)


@presents(AuditPlan, "pages")
class AuditPages(Pages):
    """What an audit rests on stands on page one."""

    glossary = WORDS
    named = False

    def assumptions(self) -> Iterable[str]:
        return [audit_assumes(getattr(self.result, "source", "scores"), self)]

    def known(self) -> Section:
        return self.section("numbers", *text_of([self("certificate-audit")]))


@presents(Refutation, "pages")
class RefutationPages(AuditPages):
    """The verdict on a claim, whose sentences say what it rests on."""

    def assumptions(self) -> Iterable[str]:
        return ()


@presents(Audited, "pages")
class AuditedPages(AuditPages):
    """A measured attack in an assessment."""


@presents(Audit, "pages")
class MeasuredPages(AuditPages):
    """The bounds of an attack; with a claim, the verdict on it comes first."""

    @cached_property
    def refutation(self) -> Refutation | None:
        """The verdict on the claim."""
        return None if self.about.claim is None else self.result.refutes(self.about.claim)

    def verdict(self) -> Verdict:
        if self.refutation is None:
            whole = super().verdict()
            return replace(whole, sentences=whole.sentences[:1])  # the notes follow below
        state = "broken" if self.refutation.refuted else "none"
        said = self.refutation.words(language=self.text.code)
        return Verdict(mark=Mark[state.upper()], word=self(f"document-state-{state}-refutation"), sentences=(said,))

    def subject(self) -> Iterable[str]:
        said = [self.of_kind("about")]
        if self.refutation is not None:
            claim = RefutationOutline(self.refutation, self.text.code).name()
            said.append(self("document-claim", claim=claim))
        return [*said, *self._notes(declared=False)]

    def assumptions(self) -> Iterable[str]:
        return [*super().assumptions(), *self._notes(declared=True)]

    def _notes(self, *, declared: bool) -> list[str]:
        """How the audit was made, or what was declared about that, which the bounds rest on."""
        notes = [note for note in self.result.notes if (getattr(note, "key", "") in _DECLARED) is declared]
        return [note.words(self.text.code) if isinstance(note, Told) else note for note in notes]

    def more(self) -> Iterator[Section]:
        if self.refutation is not None:
            rows = RefutationOutline(self.refutation, self.text.code).numbers()
            yield self.shown("claim", self.rows("claim", self("document-table-claim"), rows))

    def pictures(self) -> Pictured:
        claim = self.about.claim
        return {} if claim is None else {"audit": ("audit", self.result, {"claim": claim})}

    def data(self) -> dict[str, Any]:
        verdict = {} if self.refutation is None else {"refutation": self.refutation.to_dict()}
        return super().data() | verdict


@presents(OneRunAudit, "pages")
class OneRunPages(MeasuredPages):
    """The guesses about canaries of one run."""

    def assumptions(self) -> Iterable[str]:
        return [audit_assumes("one run", self)]

    def pictures(self) -> Pictured:
        return {}
