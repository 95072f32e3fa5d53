"""How results show themselves: the registry loads this module when the first one is asked for words or a report."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from dplens.assessment.changes import Changes
from dplens.assessment.records import Declaration
from dplens.assessment.result import Assessment
from dplens.errors import required
from dplens.present.words.changes import say_changes
from dplens.present.words.say import say
from dplens.registry import Presented, Result, Tabular, presents


@presents(Assessment, "words")
def words(assessment: Assessment, language: str | None = None) -> str:
    """All sentences under their headings."""
    return str(say(assessment, assessment.language if language is None else language))


@presents(Result, "words")
def outlined(result: Result, language: str | None = None) -> str:
    """What the outline of a result has, line by line."""
    from dplens.present.notebook.outline import lines, outline_of

    return "\n".join(lines(outline_of(result, language)))


@presents(object, "report")
def report(
    result: object,
    path: str | PathLike[str],
    language: str | None = None,
    declared: Declaration | None = None,
    claim: Any = None,
) -> Path:
    """Writes the report of any result that has a document; loads charts and tables only now."""
    from dplens.present.report.subject import Subject
    from dplens.present.report.write import write_report

    plain = declared is None and claim is None
    about = result if plain else Subject(result=result, declared=declared, claim=claim)
    return write_report(about, path, language=language)


@presents(Changes, "words")
def changed(changes: Changes, language: str | None = None) -> str:
    """The changes, the most important first."""
    return say_changes(changes, changes.after.language if language is None else language)


@presents(Presented, "repr")
def short(result: Presented) -> str:
    """What the result is and what came out, on one line."""
    from dplens.present.notebook import outline

    return outline.short(result)


@presents(Presented, "html")
def in_notebook(result: Presented) -> str:
    """The verdict and the main numbers as HTML."""
    from dplens.present.notebook.html import html_of
    from dplens.present.notebook.outline import outline_of

    return html_of(outline_of(result))


@presents(Result, "metrics")
def metrics(result: Result) -> dict[str, float]:
    """Finite floats by safe names."""
    from dplens.present.notebook.outline import outline_of

    return outline_of(result).metrics()


@presents(Tabular, "pandas")
def pandas_frame(result: Tabular) -> Any:
    """A pandas data frame."""
    from dplens.present.notebook.outline import outline_of

    return required("pandas", "to_pandas needs pandas", "pandas").DataFrame(outline_of(result).columns())


@presents(Tabular, "polars")
def polars_frame(result: Tabular) -> Any:
    """A polars data frame."""
    from dplens.present.notebook.outline import outline_of

    return required("polars", "to_polars needs polars", "polars").DataFrame(outline_of(result).columns(), strict=False)
