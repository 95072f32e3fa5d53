"""Documents of comparisons of releases, and of changes between two assessments."""

from __future__ import annotations

from collections.abc import Iterable

from dplens.assessment.changes import Changes
from dplens.decide.comparison.compare import Comparison
from dplens.mechanisms.base import Mechanism
from dplens.present.frames.kinds import about
from dplens.present.notebook.names import release_name
from dplens.present.report.kinds.result import Pages, Pictured
from dplens.present.words.say import Voice
from dplens.registry import presents

LINES = 8  # as many as one picture can tell apart
WORDS = ("fpr", "power", "curve", "advantage")


@presents(Comparison, "pages")
class ComparisonPages(Pages):
    """The curves of the releases in one picture, and what each costs."""

    glossary = WORDS

    def subject(self) -> Iterable[str]:
        mechanisms = self.result.mechanisms
        said = [self.of_kind("about", count=len(mechanisms))]
        apart = {m.neighbours for m in mechanisms if isinstance(m, Mechanism)}
        return [*said, *([self("document-other-neighbours")] if len(apart) > 1 else [])]

    def pictures(self) -> Pictured:
        named = named_once([release_name(m) for m in self.result.mechanisms], self.result.mechanisms)
        return overlaid(named)


@presents(Changes, "pages")
class ChangesPages(Pages):
    """The inputs and answers before and after, and both curves in one picture."""

    glossary = WORDS

    def subject(self) -> Iterable[str]:
        titles = [self.text.shown(made.title or "–") for made in (self.result.before, self.result.after)]
        return [self.of_kind("about", before=titles[0], after=titles[1])]

    def pictures(self) -> Pictured:
        both = (self.result.before, self.result.after)
        return overlaid({self(f"book-{when}"): made.mechanism for when, made in zip(("before", "after"), both)})

    def assumptions(self) -> Iterable[str]:
        voice = Voice(self.result.after, self.text.code)
        return [voice("attacker"), voice.priors()]


def overlaid(named: dict[str, object]) -> Pictured:
    """The curves of several releases in one picture, if it can tell them apart."""
    if not 2 <= len(named) <= LINES:
        return {}
    kinds = {about(one) for one in named.values() if not _is_answered(one)}
    settings = {"about": kinds.pop() if len(kinds) == 1 else "membership"}
    return {"roc": ("roc", named, settings), "profile": ("profile", named, settings)}


def _is_answered(release: object) -> bool:
    """Whether the pictures would ask what its test tells apart."""
    from dplens.assessment.structure import responding

    return isinstance(release, Mechanism) and responding(release) == "part"


def named_once(names: list[str], things: Iterable[object]) -> dict[str, object]:
    """Things by their names, with a number where a name comes again."""
    out: dict[str, object] = {}
    for name, thing in zip(names, things):
        free, count = name, 2
        while free in out:
            free, count = f"{name} ({count})", count + 1
        out[free] = thing
    return out
