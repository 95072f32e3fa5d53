"""Documents of decisions about noise: what was asked, what is recommended, what was rejected, and on what it rests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dplens.decide.calibration.calibrate import Calibration
from dplens.decide.doors.budget import BudgetSplit
from dplens.decide.doors.decision import Decision
from dplens.present.notebook.decide import spoken
from dplens.present.report.document import Paragraph, Section, Verdict
from dplens.present.report.kinds.result import Pages, Pictured, text_of
from dplens.present.rounding import number
from dplens.registry import presents


@presents(Decision, "pages")
class DecisionPages(Pages):
    """The decision that somebody has to take and sign."""

    decides = True
    glossary = ("fpr", "odds", "epsilon", "advantage")

    def verdict(self) -> Verdict:
        """Of a refusal why nothing serves and what would have to change; how it came about has its section."""
        found, it = super().verdict(), self.result
        if it.recommended is not None:
            return found
        why = [it.reasons[-1], *(c.sentence for c in it.concessions[:2])]
        return replace(found, sentences=tuple(spoken(one, self.text.code) for one in why))

    def subject(self) -> Iterable[str]:
        it = self.result
        limits = [self.outline.limit(r) for r in it.limit]
        said = [self(f"document-door-{it.door.replace('_', '-')}")]
        if limits:
            said.append(self("decide-limit", limits=limits))
        if it.wanted_power is not None:
            said.append(self("document-wanted", power=self.outline.as_given("", it.wanted_power, share=True).text))
        return said

    def pictures(self) -> Pictured:
        return {"feasible": ("feasible", self.result, {})}

    def results(self) -> Section:
        """How the recommendation came about: the table of all families is on page one."""
        told = text_of(spoken(said, self.text.code) for said in self.result.reasons)
        return self.shown("reasons", *told)

    def more(self) -> Iterator[Section]:
        above = [f"chart-{key}" for key in self.drawn]
        yield self.shown("feasible", *self._feasible(), above=above)
        code = self.text.code
        if self.result.concessions:
            yield self.section("concessions", *text_of(spoken(c.sentence, code) for c in self.result.concessions))
        yield self.section("planning", *text_of(spoken(v.sentence(name), code) for name, v in self.result.planning))

    def _feasible(self) -> tuple[Paragraph, ...]:
        found = self.result.feasible
        if found is None:
            return (Paragraph(text=self("document-no-range")),)
        values = {"low": number(found.low), "high": number(found.high, more_is_riskier=False)}
        state = "empty" if found.empty else "open" if found.high == float("inf") else "closed"
        return (Paragraph(text=self("document-range", state=state, parameter=found.parameter, **values)),)

    def assumptions(self) -> Iterable[str]:
        return [spoken(one, self.text.code) for one in self.result.assumptions]


@presents(Calibration, "pages")
class CalibrationPages(Pages):
    """The parameter with the answers there, and the curve of the release."""

    glossary = ("fpr", "power", "advantage", "epsilon")
    first = True

    def pictures(self) -> Pictured:
        return {"roc": ("roc", self.result.mechanism, {})}


@presents(BudgetSplit, "pages")
class BudgetSplitPages(Pages):
    """What each test gets of the budget."""

    glossary = ("fpr", "epsilon")

    def pictures(self) -> Pictured:
        return {"roc": ("roc", self.result.composed, {})}
