"""What there is to show of a result: a phrase, verdicts, the main numbers and a few tables.

An :class:`Outline` is registered for a class of results in the file of its room, and is loaded when one is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, ClassVar

from dplens.estimate import Estimate
from dplens.present import notebook
from dplens.present.notebook.metrics import key_of, metrics_of
from dplens.present.notebook.names import brief, capitalised, fitted, several
from dplens.present.rounding import given, number, percent
from dplens.present.words.answers import answer_words, bound_words, question_words
from dplens.present.words.language import DEFAULT, language
from dplens.registry import Presented, present, presents, snake
from dplens.risk.base import Question, Requirement
from dplens.telling import Figure

MET, BROKEN, OPEN, NEUTRAL = "✓", "✗", "?", ""  # verdicts are told by shape and word
SOME_ROWS = 8  # that stand for a long table
_SHORT = 120  # letters that repr spends on numbers
_NAME = 40  # letters of a foreign name in repr


@dataclass(frozen=True)
class Row:
    """One number: its label, the rounded text of it, its name and value as a metric, and its bracket if it has one."""

    label: str
    text: Any
    key: str = ""
    value: Any = None
    estimate: Estimate | None = None


@dataclass(frozen=True)
class OutlineTable:
    """A small table; its cells are texts, and rounded numbers that a language writes with its own signs."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    total: int = 0  # rows of the whole table, where these are some of them


class Outline:
    """What is shown of one result, in one language; by default, the fields of the dataclass."""

    brief: ClassVar[tuple[str, ...]] = ()  # metrics that repr has; all where none are named

    def __init__(self, result: Any, code: str | None = None) -> None:
        self.result = result
        self.code = getattr(result, "language", DEFAULT) if code is None else code
        self.text = language(self.code)

    # ---- what classes fill in --------------------------------------------------------------------------------

    def name(self) -> str:
        """The result's own name, such as a title; none if empty."""
        found = getattr(self.result, "title", "") or getattr(self.result, "name", "")
        return found if isinstance(found, str) else ""

    def short(self) -> str:
        """A phrase in which ``repr`` says what came out."""
        rows = [r for r in self.numbers() if r.key and (not self.brief or r.key in self.brief)]
        return fitted([f"{r.key} {r.text}" for r in rows], ", ", _SHORT)

    def verdicts(self) -> Sequence[tuple[str, str]]:
        """Sentences that come first, each with its mark."""
        return ()

    def numbers(self) -> Sequence[Row]:
        """The main numbers."""
        found = fields(self.result) if is_dataclass(self.result) else ()
        names = [f.name for f in found if f.repr and not f.name.startswith("_") and f.name not in ("name", "title")]
        values = ((name, getattr(self.result, name)) for name in names)
        return [self.as_given(name, value) for name, value in values if _is_simple(value) and value not in ("", None)]

    def tables(self) -> Sequence[OutlineTable]:
        """Further numbers, in tables."""
        return ()

    def estimates(self) -> Sequence[Row]:
        """The numbers that have a bracket, also those in tables."""
        return [row for row in self.numbers() if row.estimate is not None]

    def metrics(self) -> dict[str, float]:
        """The numbers as finite floats by safe names."""
        return metrics_of((row.key, row.value) for row in self.numbers() if row.key)

    def columns(self) -> dict[str, list[Any]]:
        """The table of a tabular result, by columns."""
        return self.result.to_dict()

    # ---- rows ------------------------------------------------------------------------------------------------

    def label(self, key: str, **values: Any) -> str:
        """The label of a number; its name where no language has a word for it."""
        text = f"book-{key.replace('_', '-')}"
        return self.text(text, **values) if text in self.text else key.replace("_", " ")

    def risk(self, key: str, value: Any, *, share: bool = False, label: str = "", **values: Any) -> Row:
        """A number that is rounded up."""
        return self._rounded(key, value, True, share, label, values)

    def least(self, key: str, value: Any, *, share: bool = False, label: str = "", **values: Any) -> Row:
        """A number that is rounded down: a lower bound, or the analyst's power."""
        return self._rounded(key, value, False, share, label, values)

    def _rounded(self, key: str, value: Any, up: bool, share: bool, label: str, values: dict[str, Any]) -> Row:
        text = label or self.label(key, **values)
        if value is None or math.isnan(value):
            return Row(text, "–", key, None)
        most = 1.0 if up or value == 1 else 0.9999  # nobody needs more digits of a power
        shown = percent(min(value, most), 3, more_is_riskier=up) if share else number(value, 3, more_is_riskier=up)
        return Row(text, shown, key, float(value), value if isinstance(value, Estimate) else None)

    def as_given(self, key: str, value: Any, *, share: bool = False, label: str = "", **values: Any) -> Row:
        """An input, a count, a word or a fact, as it is."""
        text = label or self.label(key, **values)
        if isinstance(value, Estimate):
            return self.risk(key, value, share=share, label=text)
        if isinstance(value, bool):
            return Row(text, self.text("book-yes" if value else "book-no"), key, value)
        if isinstance(value, Enum):
            return Row(text, str(value.value))
        if isinstance(value, float) and math.isnan(value):
            return Row(text, "–")
        if isinstance(value, int):
            return Row(text, Figure(f"{value:,}"), key, value)
        if isinstance(value, float):
            shown = percent(value, 4) if share else given(float(f"{value:.6g}"))
            return Row(text, shown if math.isfinite(value) else number(value), key, value)
        return Row(text, "–" if value is None else brief(value))

    def answer(self, question: Question, estimate: Any, voice: Any = None) -> Row:
        """An answer to a question on its safe side."""
        words = question_words(question, voice or self.text)
        text = answer_words(question, estimate) if not math.isnan(estimate) else "–"
        bracket = estimate if isinstance(estimate, Estimate) else None
        return Row(capitalised(words), text, key_of(question), float(estimate), bracket)

    def limit(self, requirement: Requirement) -> str:
        """A requirement in words."""
        question, more = requirement.question, "yes" if requirement.question.more_is_riskier else "no"
        bound = bound_words(question, requirement.bound)
        return self.text("decide-limit-one", more=more, question=question_words(question, self.text), bound=bound)

    def table(
        self, heads: Iterable[str], rows: Sequence[Sequence[Any]], caption: str = "", *, thin: bool = False
    ) -> OutlineTable:
        """A table with heads by the names of labels. thin: of a curve, points that stand for all."""
        named, cells = tuple(self.label(head) for head in heads), [tuple(row) for row in rows]
        return OutlineTable(caption, named, several(cells, SOME_ROWS) if thin else tuple(cells), len(cells))


def _is_simple(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str, Enum))


def outline_of(result: Any, code: str | None = None) -> Outline:
    """The outline of a result. The file of its room registers it when it is imported."""
    here = {module.name for module in iter_modules(notebook.__path__)}
    for kind in type(result).__mro__:
        room = kind.__module__.split(".")[1:2]
        if kind.__module__.startswith("dplens.") and room[0] in here:
            import_module(f"{notebook.__name__}.{room[0]}")
    return present(result, "outline", code)


def short(result: Any) -> str:
    """``repr`` of a result: what it is, and what came out."""
    outline = outline_of(result, DEFAULT)
    name, said = outline.name(), outline.short()
    head = type(result).__name__ + (f" {brief(name, _NAME)!r}" if name else "")
    return f"<{head}: {said}>" if said else f"<{head}>"


def lines(outline: Outline) -> Iterator[str]:
    """The verdicts, the main numbers and the tables as lines of text."""
    for mark, sentence in outline.verdicts():
        yield f"{mark} {sentence}" if mark else sentence
    for row in outline.numbers():
        yield f"{capitalised(row.label)}: {outline.text.shown(row.text)}"
    for table in outline.tables():
        for first, *rest in table.rows:
            told = [f"{head} {outline.text.shown(cell)}" for head, cell in zip(table.heads[1:], rest)]
            yield f"{outline.text.shown(first)}: {', '.join(told)}" if told else str(outline.text.shown(first))


def kind_words(outline: Outline) -> str:
    """What a result is, in a word or two."""
    for kind in type(outline.result).__mro__:
        key = f"kind-{snake(kind.__name__).replace('_', '-')}"
        if key in outline.text:
            return outline.text(key)
    return snake(type(outline.result).__name__).replace("_", " ").capitalize()


presents(Presented, "outline")(Outline)
