"""How results show themselves: the registry loads this module when the first one is asked for words or a report."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from dplens.assessment.changes import Changes
from dplens.assessment.result import Assessment
from dplens.present.words.changes import say_changes
from dplens.present.words.say import say
from dplens.registry import presents


@presents(Assessment, "words")
def words(assessment: Assessment, language: str | None = None) -> str:
    """All sentences under their headings."""
    return str(say(assessment, assessment.language if language is None else language))


@presents(object, "report")
def report(result: object, path: str | PathLike[str], language: str | None = None) -> Path:
    """Writes the report of any result that has a document; loads charts and tables only now."""
    from dplens.present.report.write import write_report

    return write_report(result, path, language=language)


@presents(Changes, "words")
def changed(changes: Changes, language: str | None = None) -> str:
    """The changes, the most important first."""
    return say_changes(changes, changes.after.language if language is None else language)
