"""Documents of what attackers learn from related records, and of the analyst's plans."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from dplens.analyst.planning.solving import Solution
from dplens.correlated.frameworks import Frameworks
from dplens.correlated.search.worst import Worst
from dplens.correlated.views.base import View
from dplens.present.notebook.decide import spoken
from dplens.present.report.document import Section, Table, Verdict
from dplens.present.report.kinds.result import MEMBERS, Pages, Pictured, text_of
from dplens.present.rounding import number
from dplens.registry import presents

_LARGEST = 700.0  # epsilon of which there is a factor


@presents(Frameworks, "pages")
class RelatedPages(Pages):
    """An attacker who knows how records are related: the model is an assumption."""

    glossary = ("odds", "epsilon")

    def assumptions(self) -> Iterable[str]:
        return [self("document-model-assumed")]


@presents(Worst, "pages")
class WorstPages(RelatedPages):
    """The worst attacker, by what they know."""

    def verdict(self) -> Verdict:
        """First what it means for the odds, as far as all attackers are bounded."""
        found, bound = super().verdict(), self.result.bound
        if self.result.delta or bound > _LARGEST:
            return found
        factor = number(math.nextafter(math.exp(bound), math.inf))
        return replace(found, sentences=(self("verdict-related", factor=factor, **MEMBERS), *found.sentences))

    def pictures(self) -> Pictured:
        released = self.result.mechanism
        single = {} if isinstance(released, (list, tuple)) else {"mechanism": released}
        return {"leakage": ("leakage", self.result, single)}

    def first_table(self) -> list[Table]:
        """None: the table of the outline has the same numbers."""
        return []


@presents(View, "pages")
class ViewPages(RelatedPages):
    """One attacker, and what they identify."""

    glossary = ("fpr", "power", "odds", "epsilon")

    def pictures(self) -> Pictured:
        return {"roc": ("roc", self.result, {})}


@presents(Solution, "pages")
class SolutionPages(Pages):
    """The solved design, and its power against the true effect."""

    def verdict(self) -> Verdict:
        """The value that was solved for, with all digits, and the power that it gives."""
        value = self("power-solved", name=self.result.unknown, value=repr(self.result.value))
        power = self.outline.numbers()[1].text
        return replace(super().verdict(), sentences=(value, self("power-reached", power=power)))

    def subject(self) -> Iterable[str]:
        return [self.of_kind("about", unknown=self.result.unknown)]

    def pictures(self) -> Pictured:
        return {"analyst_power": ("analyst_power", self.result.test, {"mechanism": self.result.mechanism})}

    def more(self) -> Iterator[Section]:
        told = (value.sentence(name) for name, value in self.result.test.sources().items())
        yield self.section("planning", *text_of(spoken(one, self.text.code) for one in told))
