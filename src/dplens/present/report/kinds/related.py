"""Documents of what attackers learn from related records, and of the analyst's plans."""

from __future__ import annotations

from collections.abc import Iterable

from dplens.analyst.planning.solving import Solution
from dplens.correlated.frameworks import Frameworks
from dplens.correlated.search.worst import Worst
from dplens.correlated.views.base import View
from dplens.present.report.document import Table
from dplens.present.report.kinds.result import Pages, Pictured
from dplens.registry import presents


@presents(Frameworks, "pages")
class RelatedPages(Pages):
    """An attacker who knows how records are related: the model is an assumption."""

    glossary = ("odds", "epsilon")

    def assumptions(self) -> Iterable[str]:
        return [self("document-model-assumed")]


@presents(Worst, "pages")
class WorstPages(RelatedPages):
    """The worst attacker, by what they know."""

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

    glossary = ("fpr", "power")

    def subject(self) -> Iterable[str]:
        return [self.of_kind("about", unknown=self.result.unknown)]

    def pictures(self) -> Pictured:
        return {"analyst_power": ("analyst_power", self.result.test, {"mechanism": self.result.mechanism})}
